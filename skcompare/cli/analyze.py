"""`skcompare analyze`: what another tool made is compared: predictions, outcomes of items, scores of splits or runs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from skcompare._core.numbers import counted
from skcompare._core.printable import some_names
from skcompare._core.record import few
from skcompare.cli.data import check_regular, check_separator, check_unique, header_of, read_frame
from skcompare.cli.errors import InputError, as_input_error, did_you_mean, error_line
from skcompare.cli.run import Outputs, warnings_told_once
from skcompare.results import EvaluationResult
from skcompare.study import StudyResult, from_runs
from skcompare.tables.evaluation import from_frame
from skcompare.tables.outcomes import from_outcomes
from skcompare.tables.predictions import from_predictions
from skcompare.tables.roles import (
    CLUSTERS,
    GROUPS,
    IDS,
    INDEPENDENT,
    MODELS,
    RUNS,
    TASKS,
    TRUTH,
    ask_of_clusters,
    by_role,
    is_role,
)
from skcompare.tables.samples import holds_values, plain_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Table = dict[str, NDArray[Any]]


def analyze_command(separator: Callable[..., Any], written: Callable[..., Any]) -> click.Command:
    """The command, with the options for a table's columns and for what is written that other commands have too."""

    @click.command("analyze", short_help="Analyse predictions, outcomes or scores that another tool made.")
    @click.argument("file", type=Path)
    @click.option("--truth", metavar="COLUMN", help="The column of true values.  [default: y_true or truth]")
    @click.option(
        "--id",
        "sample",
        metavar="COLUMN",
        help="The names of the samples.  [default: sample_id, item_id, item or id]",
    )
    @click.option(
        "--model",
        "models",
        multiple=True,
        metavar="COLUMN",
        help="The column that names the model of a row; or, repeated, the columns of predictions, one per model.  "
        "[default: model or estimator]",
    )
    @click.option(
        "--cluster",
        metavar="COLUMN",
        help="The cluster of a sample, as a patient; none: there are none.  [default: cluster, clusters or group]",
    )
    @click.option(
        "--metric",
        "metrics",
        multiple=True,
        metavar="METRIC",
        help="For predictions a scikit-learn scorer, else one of the table; repeatable.  [default: all, for "
        "predictions the usual metrics of the task]",
    )
    @click.option(
        "--null",
        "nulls",
        multiple=True,
        metavar="[METRIC=]DIFFERENCE",
        help="Ask about this difference a - b in place of 0; -0.01: is a not worse than b by 0.01? Repeatable with "
        "METRIC=.",
    )
    @click.option(
        "--baseline", metavar="NAME", help="Compare all others with this model b, under --null and in groups."
    )
    @click.option("--by", metavar="COLUMN", help="Compare in the groups of this column too, and the groups.")
    @click.option(
        "--less-is-better", multiple=True, metavar="METRIC", help="A metric of which less is better; repeatable."
    )
    @click.option(
        "--paired", metavar="WHY", help="Runs with one name are pairs, for this reason; they are none without."
    )
    @click.option("--test-fraction", type=float, help="Test size over train plus test size; random splits need it.")
    @separator
    @written
    def command(
        file: Path,
        sep: str,
        out: Path | None,
        html: Path | None,
        detail: str,
        primary: str | None,
        models: tuple[str, ...],
        **given: Any,
    ) -> None:
        """Compare the models of a table that another tool made.

        FILE is comma-separated text, Parquet (.parquet) or JSON lines (.jsonl). What it holds is read from its columns,
        and said:

        \b
        predictions  sample_id, model, y_true, and prediction, probability,
                     decision_function or score;
                     or y_true and one column of predictions per model
        outcomes     sample_id, model, outcome; perhaps metric, run
        scores       model, fold, score; perhaps metric, repeat, n_train, n_test
        runs         model, run or seed, score; perhaps metric, task

        A score is a probability where all are between 0 and 1, and a decision value where they have both signs.
        Predictions and outcomes may have a column clusters. Scores with one fold per repeat are taken for random
        splits, all others for (repeated) k-fold.

        \b
        Example:
          skcompare analyze predictions.csv --truth y --id case --cluster patient \\
            --metric f1_macro --null -0.01 --baseline old --by hospital
        """

        outputs = Outputs(out=out, html=html, detail=detail, primary=primary)
        outputs.check()
        asked = Request(file=file, models=models, **given)
        with warnings_told_once():
            result, said = asked.read(asked.columns(check_separator(sep)))
        outputs.save(result)
        outputs.tell(result, [said], **asked.answers(result))

    return command


# Files of predictions, outcomes and scores: separated text, Parquet or JSON lines, read as columns.


_FORMS = {".parquet": "Parquet", ".jsonl": "JSON lines", ".ndjson": "JSON lines"}
_ENGINES = ("pyarrow", "fastparquet")
# What stands for a missing value in separated text: that of pandas.
_MISSING = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA"),
    *("NULL", "NaN", "None", "n/a", "nan", "null"),
)
# How compressed files begin; one could be far smaller than its table.
_COMPRESSED = (b"\x1f\x8b", b"x\x01", b"x\x5e", b"x\x9c", b"x\xda", b"(\xb5/\xfd", b"BZh", b"PK\x03\x04")


def read_columns(path: Path, option: str, texts: Collection[str] = (), separator: str = ",") -> Table:
    """The columns of a file by their names, through pandas or polars, whichever is there.

    Parameters
    ----------
    path : Path
        Parquet (``.parquet``), JSON lines (``.jsonl``, ``.ndjson``), or else separated text with a header.
    option : str
        What the file is called in messages.
    texts : collection of str
        Columns of names, in any case, which stay texts where they look like numbers.
    separator : str
        What stands between two columns of text.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    check_regular(path, option)
    form = _FORMS.get(path.suffix.lower(), "text")
    if _library(path, form) == "polars":
        columns = _by_polars(path, option, form, texts, separator)
    elif form == "text":
        header = header_of(path, option, separator) if path.is_file() else []
        named = [name for name in header if _is_one(name, texts)]
        frame = read_frame(path, option, dtype=dict.fromkeys(named, str), separator=separator)
        columns = {name: frame[name].to_numpy() for name in frame}
    else:
        columns = _by_pandas(path, option, form)
    return {name: _texts(found) if _is_one(name, texts) else found for name, found in columns.items()}


def _is_one(name: str, names: Collection[str]) -> bool:
    """Whether a column has one of some names, which may stand in another case."""
    return name in names or name.strip().lower() in names


def check_column(columns: Table, option: str, path: Path, name: str) -> str:
    """The name of a column that was named; InputError where there is none."""
    if name not in columns:
        known = [*columns]
        raise InputError(
            f"{option}: {path} has no column {name!r}, only {some_names(known)}{did_you_mean(name, known)}"
        )
    return name


def _library(path: Path, form: str) -> str:
    """Which library reads it."""
    there = {name: find_spec(name) is not None for name in ("pandas", "polars")}
    if not any(there.values()):
        raise InputError(f"{path} needs pandas or polars: pip install 'skcompare[frames]'")
    reads = there["pandas"] and (form != "Parquet" or not there["polars"] or any(map(find_spec, _ENGINES)))
    return "pandas" if reads else "polars"


def _by_pandas(path: Path, option: str, form: str) -> Table:
    import pandas as pd

    try:
        if form == "Parquet":
            frame: Any = pd.read_parquet(path)
        else:
            with path.open(encoding="utf-8") as lines:
                frame = pd.read_json(lines, lines=True, dtype=False, precise_float=True)
    except Exception as error:
        raise _unreadable(path, option, form, error) from error
    return {str(name): frame[name].to_numpy() for name in frame}


def _by_polars(path: Path, option: str, form: str, texts: Collection[str], separator: str) -> Table:
    import polars as pl

    try:
        if form == "Parquet":
            frame: Any = pl.read_parquet(path)
        elif form == "JSON lines":
            frame = pl.read_ndjson(path, infer_schema_length=None)
        else:
            with path.open("rb") as start:
                if start.read(4).startswith(_COMPRESSED):
                    raise ValueError("it is compressed")
            named = {one: pl.String for one in check_unique(path, option, separator) if _is_one(one, texts)}
            frame = pl.read_csv(
                path,
                separator=separator,
                infer_schema_length=None,
                schema_overrides=named,
                null_values=[*_MISSING],
            )
    except InputError:
        raise
    except Exception as error:
        raise _unreadable(path, option, form, error) from error
    return {name: frame[name].to_numpy() for name in frame.columns}


def _unreadable(path: Path, option: str, form: str, error: Exception) -> InputError:
    if isinstance(error, ImportError):
        return InputError(f"{option}: {path} needs a reader of {form}: pip install pyarrow")
    why = getattr(error, "strerror", None) or error_line(error)
    how = "" if isinstance(error, OSError) else f" as {'separated text' if form == 'text' else form}"
    return InputError(f"{option}: cannot read {path}{how}: {why}")


def _texts(values: NDArray[Any]) -> NDArray[Any]:
    """Names as texts; what is missing stays so."""
    import numpy as np

    if values.dtype.kind in "biu":
        return values.astype(np.str_).astype(object)
    found = np.empty(len(values), dtype=object)
    found[:] = [x if isinstance(x, str) or x is None or x != x else str(x) for x in values.tolist()]
    return found


# What a table of another tool holds, and what is asked of it.


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is asked of a file, in the words of the options."""

    file: Path
    truth: str | None
    sample: str | None
    models: tuple[str, ...]
    cluster: str | None
    metrics: tuple[str, ...]
    nulls: tuple[str, ...]
    baseline: str | None
    by: str | None
    less_is_better: tuple[str, ...]
    test_fraction: float | None
    paired: str | None

    def columns(self, separator: str) -> Table:
        """The columns of the file, those with a role by its name."""
        texts = {*IDS, *MODELS, *TASKS, "metric", *filter(None, [self.sample])}
        texts |= {*self.models} if len(self.models) == 1 else set()
        named = {*self.models, *filter(None, [self.truth, self.sample, self.cluster, self.by])}
        with as_input_error(ValueError, start=f"{self.file}: "):
            return by_role(read_columns(self.file, "FILE", texts, separator), named)

    def read(self, table: Table) -> tuple[EvaluationResult | StudyResult, str]:
        """The result of the columns, and a sentence that says what they were read as."""
        self._check(table)
        kind = self._kind(table)
        allowed = {
            "predictions": ("--truth", "--id", "--cluster", "--by"),
            "outcomes": ("--id", "--cluster", "--by", "--less-is-better"),
            "scores": ("--less-is-better", "--test-fraction"),
            "runs": ("--less-is-better", "--paired"),
        }[kind]
        given: dict[str, object] = {
            "--truth": self.truth,
            "--id": self.sample,
            "--cluster": self.cluster,
            "--by": self.by,
        }
        given |= {"--less-is-better": self.less_is_better or None, "--test-fraction": self.test_fraction}
        given["--paired"] = self.paired
        for option, value in given.items():
            if value is not None and option not in allowed:
                raise InputError(f"{option} does not go with {kind}, as which {self.file} is read by its columns")
        if kind == "runs":
            return self._runs(table)
        read = {"predictions": self._predictions, "outcomes": self._outcomes, "scores": self._scores}[kind]
        result, which = read(table)
        what = {"predictions": "sample", "outcomes": "item", "scores": "split"}[kind]
        size = result.design.n_splits if kind == "scores" else result.design.n_samples or 0
        clusters = "" if result.design.n_clusters is None else f" in {counted(result.design.n_clusters, 'cluster')}"
        models = f"{counted(len(result.estimators), 'model')}{which}"
        return result, f"{self.file.name} was read as {kind} of {models} on {counted(size, what)}{clusters}."

    def answers(self, result: EvaluationResult | StudyResult) -> dict[str, str]:
        """What is told before and after the summary: the comparisons under a null, and those in groups."""
        told = {}
        if self.nulls:
            with as_input_error(ValueError, start="--null: "):
                comparison = result.compare(null=_null(self.nulls), baseline=self.baseline)
            told["first"] = f"{comparison}\n\nAgainst a difference of 0 instead:"
        if self.by is not None and isinstance(result, EvaluationResult):
            with as_input_error(ValueError, start=f"--by: column {self.by!r} of {self.file}: "):
                told["last"] = str(result.by(self.by, baseline=self.baseline))
        return told

    def _check(self, table: Table) -> None:
        """InputError where a column that was named is not there, or an option is out of range."""
        named = [("--truth", self.truth), ("--id", self.sample), ("--cluster", self.cluster), ("--by", self.by)]
        for option, name in (*named, *(("--model", name) for name in self.models)):
            if name is not None and not (option == "--cluster" and name == INDEPENDENT):
                check_column(table, option, self.file, name)
        if self.by in MODELS and self._first(MODELS, table, None) is None and not self.models:
            raise InputError(
                f"--by must name a column that describes samples; {self.by!r} of {self.file} names the models"
            )
        for option, name in named[:2]:
            if name is not None and name in self.models:
                raise InputError(f"--model: column {name!r} of {self.file} is named by {option} too")
        if len(set(self.models)) < len(self.models):
            raise InputError(f"--model must name every column once; got {some_names(self.models)}")
        if self.baseline is not None and not self.nulls and self.by is None:
            raise InputError("--baseline goes with --null and --by")
        if self.test_fraction is not None and not 0 < self.test_fraction < 1:
            raise InputError(f"--test-fraction must be between 0 and 1; got {self.test_fraction}")

    def _kind(self, table: Table) -> str:
        """What a table holds, read from its columns."""
        if self._first(TRUTH, table, self.truth) in table:
            return "predictions"
        if any(name != "score" and holds_values(name) for name in table):
            raise self._lacking("--truth", "of true values", TRUTH[0], table)
        # beside runs a column id counts the rows
        unsplit = "score" in table and "fold" not in table and self._first(IDS[:-1], table, self.sample) is None
        if unsplit and any(name in table for name in RUNS):
            return "runs"
        of_splits = self.sample is None and {"fold", "score"} <= table.keys()
        return "scores" if of_splits or self._first(IDS, table, self.sample) is None else "outcomes"

    def _lacking(self, option: str, what: str, default: str, table: Table) -> InputError:
        names = some_names([*table])
        return InputError(f"{option} must name the column {what}: {self.file} has no column {default!r}, only {names}")

    def _first(self, names: Sequence[str], table: Table, given: str | None) -> str | None:
        """The column that was named, else the first with a usual name, but for that of the groups."""
        return given or next((name for name in names if name in table and name != self.by), None)

    def _predictions(self, table: Table) -> tuple[EvaluationResult, str]:
        if len(self.models) != 1 and self._first(MODELS, table, None) is None:
            if not self.models and any(map(holds_values, table)):
                raise self._lacking("--model", "of models", MODELS[0], table)
            return self._wide(table)
        if len(self.models) > 1:
            return self._wide(table)
        if self._first(IDS, table, self.sample) is None:
            raise self._lacking("--id", "of samples", IDS[0], table)
        with as_input_error(ValueError, start=f"{self.file}: "):
            result = from_predictions(
                self._tidy(table), scoring=list(self.metrics) or None, clusters=self._independent(table)
            )
        return self._described(result), ""

    def _independent(self, table: Table) -> str | None:
        """The word for no clusters, where it was given and is no column."""
        return INDEPENDENT if self.cluster == INDEPENDENT and INDEPENDENT not in table else None

    def _wide(self, table: Table) -> tuple[EvaluationResult, str]:
        """Of a table with a row per sample and a column per model: those that are named, else all that are left."""
        own = [self._first(names, table, given) for names, given in ((TRUTH, self.truth), (IDS, self.sample))]
        told = self._independent(table)
        sample, cluster = own[1], None if told else self._first(CLUSTERS, table, self.cluster)
        own, truth = [*own, cluster], table[str(own[0])]
        models = self.models or tuple(name for name in table if name not in (*own, self.by))
        if not self.models:
            classes = {*_texts_of(truth)}
            for name in models:
                strange = [text for text in _texts_of(table[name]) if text not in classes]
                if strange or table[name].dtype.kind not in "biufOU":
                    raise InputError(
                        f"{self.file}: column {name!r} holds no predictions of {own[0]!r}"
                        f"{f', such as {strange[0]!r:.40}' if strange else ''}; name those that do with --model, each"
                    )
        if not models:
            raise InputError(f"{self.file} must have a column of predictions beside {own[0]!r}; got none")
        rest = {name: x for name, x in table.items() if name == self.by or name not in (*own, *models)}
        described = plain_columns(rest)
        with as_input_error(ValueError, start=f"{self.file}: "):
            if told is None and cluster is None:
                others = {name: x for name, x in described.items() if name != self.by}
                ask_of_clusters(others, leave_out=f"clusters={INDEPENDENT!r}")
            result = from_predictions(
                truth,
                {name: table[name] for name in models},
                sample_id=None if sample is None else table[sample],
                clusters=None if cluster is None else table[cluster],
                scoring=list(self.metrics) or None,
            )
        result = replace(result, sample_columns=described)
        return self._described(result), f", one per column ({few(models)}),"

    def _outcomes(self, table: Table) -> tuple[EvaluationResult, str]:
        if not self.models and not any(name in table for name in MODELS):
            raise self._lacking("--model", "of models", MODELS[0], table)
        rows = self._of_metrics(table)
        with as_input_error(ValueError, start=f"{self.file}: "):
            result = from_outcomes(
                self._tidy(rows), greater_is_better=self._directions(), clusters=self._independent(table)
            )
        return self._described(result), ""

    def _scores(self, table: Table) -> tuple[EvaluationResult, str]:
        rows, directions = self._of_metrics(table), self._directions()
        with as_input_error(ValueError, start=f"{self.file}: "):
            tidy = self._tidy(rows)
            return from_frame(tidy, greater_is_better=directions, test_fraction=self.test_fraction), ""

    def _runs(self, table: Table) -> tuple[EvaluationResult | StudyResult, str]:
        rows, directions = self._of_metrics(table), self._directions()
        with as_input_error(ValueError, start=f"{self.file}: "):
            result = from_runs(self._tidy(rows), greater_is_better=directions, paired=self.paired)
        models, apart = counted(len(result.estimators), "model"), "" if self.paired else ", which are not paired"
        if isinstance(result, EvaluationResult):
            what = f"{models}, {result.design.runs_of_each} of each{apart}"
        else:
            what = f"{models} on {counted(len(result.datasets), 'task')}{apart}"
        return result, f"{self.file.name} was read as {'paired' if self.paired else 'independent'} runs of {what}."

    def _directions(self) -> dict[str, bool] | None:
        """Those of the options, where there are any."""
        return dict.fromkeys(self.less_is_better, False) or None

    def _of_metrics(self, table: Table) -> Table:
        """The rows of the metrics that were named, of which the directions must be too."""
        known = [*dict.fromkeys(map(str, table["metric"]))] if "metric" in table else ["score"]
        for option, names in (("--metric", self.metrics), ("--less-is-better", self.less_is_better)):
            for name in names:
                if name not in known:
                    hint = did_you_mean(name, known)
                    raise InputError(f"{option}: {self.file} has no metric {name!r}, only {some_names(known)}{hint}")
            known = [*names] if option == "--metric" and names else known
        if not self.metrics or "metric" not in table:
            return table
        chosen = np.isin(table["metric"].astype(np.str_), self.metrics)
        return {name: values[chosen] for name, values in table.items()}

    def _tidy(self, table: Table) -> Table:
        """The columns by their usual names; a column that has such a name beside the one that was given is left out."""
        if len(self.models) > 1:
            raise InputError(f"--model must name one column of {self.file}, which has a row per model; got two or more")
        cluster = None if self._independent(table) else self.cluster
        named = {TRUTH[0]: self.truth, IDS[0]: self.sample, MODELS[0]: (*self.models, None)[0], CLUSTERS[0]: cluster}
        own = {usual: name for usual, name in named.items() if name is not None}
        tidy = {name: x for name, x in table.items() if name not in own and name not in own.values()}
        tidy |= {usual: table[name] for usual, name in own.items()}
        if self.by is not None:
            if not is_role(self.by) or (self.by in CLUSTERS and cluster is None):
                tidy.pop(self.by, None)
            tidy[GROUPS] = table[self.by]
        return tidy

    def _described(self, result: EvaluationResult) -> EvaluationResult:
        """The result with the column of the groups by its own name."""
        if self.by is None:
            return result
        columns = {self.by if name == GROUPS else name: x for name, x in result.sample_columns.items()}
        if self.by not in columns:
            raise InputError(
                f"--by: column {self.by!r} of {self.file} must have one value per sample, the same for all models"
            )
        return replace(result, sample_columns=columns)


def _null(texts: Sequence[str]) -> float | dict[str, float]:
    """One difference for all metrics, or one per metric."""
    given = dict(text.rpartition("=")[::2] for text in texts)
    if len(given) < len(texts) or ("" in given and len(given) > 1):
        raise InputError("--null: give one difference, or one per metric")
    numbers = {}
    for metric, text in given.items():
        try:
            numbers[metric] = float(text)
        except ValueError:
            raise InputError(f"--null must be a number; got {text!r}") from None
    return numbers.get("", numbers)


def _texts_of(column: Any) -> list[str]:
    return [x for x in column.tolist() if isinstance(x, str)] if column.dtype.kind in "OU" else []
