"""`skcompare check`: may a new model replace an old one? The status says it to continuous integration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skcompare._core.printable import one_line, some_names
from skcompare.cli.analyze import Request
from skcompare.cli.data import (
    DATASETS,
    Columns,
    all_regressors,
    bundled_dataset,
    check_dataset,
    check_separator,
    parse_models,
    prepare,
    read_csv,
)
from skcompare.cli.errors import InputError, as_input_error, did_you_mean
from skcompare.cli.run import evaluate

if TYPE_CHECKING:
    from skcompare.cli.analyze import Table

_STATUS = {"not worse": 0, "worse": 1, "undecided": 3, "cannot be compared": 3}
_SAMPLE, _MODEL = "sample_id", "model"
Named = tuple[Any, str, str]  # a result, and what it calls the old and the new model


def check_command(columns: Callable[..., Any], fitted: Callable[..., Any]) -> click.Command:
    """The command, with the options for a table's columns and for fits that other commands have too."""

    @click.command("check", short_help="May a new model replace an old one? The status says it.")
    @click.argument("old")
    @click.argument("new", required=False)
    @click.option(
        "--not-worse-by",
        "margins",
        multiple=True,
        required=True,
        metavar="[METRIC=]MARGIN",
        help="The largest loss that does not matter, in units of the metric; repeatable with METRIC=.",
    )
    @click.option(
        "--metric",
        "metrics",
        multiple=True,
        metavar="METRIC",
        help="A metric of the result, or a scikit-learn scorer; repeatable. All of them must be shown not to be worse.",
    )
    @click.option("--old", "old_name", metavar="NAME", help="Which model of OLD it is, where it has several.")
    @click.option("--new", "new_name", metavar="NAME", help="Which model of NEW it is, where it has several.")
    @click.option(
        "--cluster",
        metavar="COLUMN",
        help="For predictions: the cluster of a sample, as a patient; or none.",
    )
    @click.option("--dataset", metavar="NAME", help=f"For models: {', '.join(DATASETS)}.")
    @columns
    @click.option("--cv", default="10x10", show_default=True, help="For models, as of compare.")
    @click.option(
        "--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="For models, as of compare."
    )
    @fitted
    def command(
        old: str,
        new: str | None,
        margins: tuple[str, ...],
        metrics: tuple[str, ...],
        old_name: str | None,
        new_name: str | None,
        cluster: str | None,
        **options: Any,
    ) -> None:
        """Is NEW worse than OLD by more than a margin?

        OLD and NEW are two saved results on the same splits (.skc), or two files of predictions on one test set:
        comma-separated text, Parquet or JSON lines with the columns sample_id, y_true and prediction, probability,
        decision_function or score (probabilities where all are between 0 and 1). OLD alone is a file that has both
        models, named by --old and --new. Or they are two models, written as for compare, that are fitted on --data or
        --dataset.

        Ends with status 0 where NEW is shown not to be worse by more than the margin on any metric, with 1 where it is
        shown to be worse by more on one, with 3 where neither is shown or they cannot be compared, and with 2 for bad
        input or a fit that fails here. They cannot be compared where NEW failed or lacks a score and OLD does not, and
        where NEW predicts only one class and OLD several. Prints the answer in one line, and a Markdown table for a
        pull request.

        \b
        Examples:
          skcompare check old.skc new.skc --metric roc_auc --not-worse-by 0.01
          skcompare check old.csv new.csv --not-worse-by f1=0.02
        """
        from skcompare.reporting.document import Document
        from skcompare.reporting.markdown import render
        from skcompare.reporting.words import as_read
        from skcompare.testing import not_worse

        widths = _margins(margins, metrics)
        if _is_model(old) or (new is not None and _is_model(new)):
            if cluster is not None:
                raise InputError("--cluster goes with files of predictions")
            result, first, second = _of_models(old, new, list(widths), **options)
        else:
            if any(options[name] for name in ("dataset", "data", "target", "categorical", "drop")):
                raise InputError(
                    "--dataset, --data, --target, --categorical and --drop go with two models, not with files"
                )
            paths = {"old": Path(old), "new": Path(old if new is None else new)}
            files = _Files(**paths, separator=options["sep"], cluster=cluster)
            result, first, second = files.read(old_name, new_name, list(widths))
        with as_input_error(ValueError):
            found = not_worse(result, second, first, margin=widths)
        read = as_read(result.provenance, (first, second))
        _, *rest = found._document().blocks
        parts = [one_line(found._sentence()), render(Document(title=found.new, blocks=tuple(rest))), read]
        click.echo("\n\n".join(filter(None, parts)))
        click.get_current_context().exit(_STATUS[found.verdict])

    return command


def _margins(margins: Sequence[str], metrics: Sequence[str]) -> dict[str, float]:
    """The margin of every metric."""
    own = dict(text.rpartition("=")[::2] for text in margins)
    if len(own) < len(margins):
        raise InputError("--not-worse-by: give one margin, or one per metric")
    given = {name: _number(text) for name, text in own.items()}
    common = given.pop("", None)
    found = {name: given.pop(name, common) for name in dict.fromkeys((*metrics, *own)) if name}
    if not found:
        raise InputError("--metric must name a metric, or --not-worse-by METRIC=MARGIN")
    lacking = [name for name, margin in found.items() if margin is None]
    if lacking:
        raise InputError(f"--not-worse-by: no margin for {lacking[0]!r}")
    return {name: float(margin) for name, margin in found.items() if margin is not None}


def _number(text: str) -> float:
    try:
        margin = float(text)
    except ValueError:
        margin = 0.0
    if not 0 < margin < float("inf"):
        raise InputError(f"--not-worse-by must be a positive number; got {text!r}")
    return margin


def _is_model(text: str) -> bool:
    """Whether an argument is a model, as in nb=sklearn.naive_bayes:GaussianNB, and not a file."""
    return ":" in text and not Path(text).exists()


def _of_models(
    old: str,
    new: str | None,
    metrics: Sequence[str],
    *,
    dataset: str | None,
    data: Path | None,
    target: tuple[str, ...],
    categorical: tuple[str, ...],
    drop: tuple[str, ...],
    sep: str,
    **options: Any,
) -> Named:
    if new is None or not (_is_model(old) and _is_model(new)):
        raise InputError("give two models, or two files")
    if (dataset is None) == (data is None):
        raise InputError("give either --dataset NAME or --data FILE.csv with two models")
    named = parse_models([old, new])
    first, second = named
    if data is not None:
        given = Columns(target=target, categorical=categorical, drop=drop, separator=check_separator(sep))
        X, y, kinds, _ = read_csv(data, given, regression=all_regressors(named.values()))
        named, _ = prepare(named, kinds)
    else:
        check_dataset(str(dataset))
        X, y = bundled_dataset(str(dataset))
    return evaluate(lambda evaluator: evaluator.evaluate(named, X, y), scoring=metrics, **options), first, second


class _Files:
    """Two files, of results or of predictions; one and the same where it has both models."""

    def __init__(self, *, old: Path, new: Path, separator: str, cluster: str | None) -> None:
        self.old, self.new, self.separator, self.cluster = old, new, check_separator(separator), cluster

    def __str__(self) -> str:
        return str(self.old) if self.old == self.new else f"{self.old} and {self.new}"

    def read(self, old: str | None, new: str | None, metrics: Sequence[str]) -> Named:
        """The joined result of both; InputError where they are not of the same samples or splits."""
        if self.old == self.new and (old is None or new is None):
            raise InputError("--old and --new must name the models of a single file")
        saved = {path.suffix.lower() == ".skc" for path in (self.old, self.new)}
        if len(saved) > 1:
            raise InputError("give two results (.skc) or two files of predictions, not one of each")
        if self.cluster is not None and True in saved:
            raise InputError("--cluster goes with files of predictions")
        return (self._results if saved.pop() else self._predictions)(old, new, metrics)

    def _results(self, old: str | None, new: str | None, metrics: Sequence[str]) -> Named:
        from skcompare._load import load_result
        from skcompare.results import EvaluationResult
        from skcompare.tables.merging import merge, picked

        with as_input_error(OSError, ValueError):
            first = load_result(self.old)
            second = first if self.old == self.new else load_result(self.new)
        known = {"--old": first.estimators, "--new": second.estimators}
        names = self._chosen(old, new, known)
        for path, result in ((self.old, first), (self.new, second)):
            for name in metrics:
                if name not in result.metrics:
                    hint = did_you_mean(name, result.metrics)
                    raise InputError(
                        f"--metric: {path} has no metric {name!r}, only {some_names(result.metrics)}{hint}"
                    )
        if first is second:
            return first, *names
        if not isinstance(first, EvaluationResult) or not isinstance(second, EvaluationResult):
            path = self.new if isinstance(first, EvaluationResult) else self.old
            raise InputError(f"{path} is a study: give one file that has both models, with --old and --new")
        shown = names if names[0] != names[1] else (f"{names[0]} (old)", f"{names[1]} (new)")
        parts = []
        for path, result, name, called in zip((self.old, self.new), (first, second), names, shown, strict=True):
            with as_input_error(ValueError, start=f"{path}: "):
                parts.append(picked(result, name, metrics, called))
        with as_input_error(ValueError, start="OLD (result 1) and NEW (result 2): "):
            return merge(*parts), *shown

    def _predictions(self, old: str | None, new: str | None, metrics: Sequence[str]) -> Named:
        import numpy as np

        from skcompare.tables.predictions import from_predictions

        tables = {"--old": _predicted(self.old, self.separator), "--new": _predicted(self.new, self.separator)}
        stems = (self.old.stem, self.new.stem)
        default = dict(zip(tables, stems if stems[0] != stems[1] else ("old", "new"), strict=True))
        for option, table in tables.items():
            table.setdefault(_MODEL, np.full(len(table[_SAMPLE]), default[option], dtype=object))
        known = {option: tuple(dict.fromkeys(map(str, table[_MODEL]))) for option, table in tables.items()}
        names = self._chosen(old, new, known)
        shown = names if names[0] != names[1] else (f"{names[0]} (old)", f"{names[1]} (new)")
        parts = []
        for table, name, called in zip(tables.values(), names, shown, strict=True):
            chosen = table[_MODEL].astype(np.str_) == name
            model = np.full(chosen.sum(), called, dtype=object)
            parts.append({**{n: x[chosen] for n, x in table.items()}, _MODEL: model})
        with as_input_error(ValueError, start=f"{self}: "):
            return from_predictions(_joined(*parts), scoring=list(metrics), clusters=self.cluster), *shown

    def _chosen(self, old: str | None, new: str | None, known: Mapping[str, Sequence[str]]) -> tuple[str, str]:
        """The two models: those that are named, else the only one of a file, else the only one not in the other."""
        found = []
        for (option, names), (_, others), path, wanted in zip(
            known.items(), reversed([*known.items()]), (self.old, self.new), (old, new), strict=True
        ):
            own = [name for name in names if name not in others]
            if wanted is not None and wanted not in names:
                hint = did_you_mean(wanted, names)
                raise InputError(f"{option}: {path} has no model {wanted!r}, only {some_names(names)}{hint}")
            if wanted is None and len(names) > 1 and len(own) != 1:
                raise InputError(f"{option} must name the model of {path}, one of: {some_names(names)}")
            found.append(wanted or (names[0] if len(names) == 1 else own[0]))
        if self.old == self.new and found[0] == found[1]:
            raise InputError(f"--old and --new must be two models; got {found[0]!r} twice")
        return found[0], found[1]


def _predicted(path: Path, separator: str) -> Table:
    """The columns of a file of predictions, with texts for ids."""
    from skcompare.tables.roles import IDS, MODELS, first

    with as_input_error(ValueError, start=f"{path}: "):
        table: Table = Request(file=path).columns(separator)
    for role, names in ((_SAMPLE, IDS), (_MODEL, MODELS)):
        own = first(table, names)
        if own not in (None, role):
            table[role] = table.pop(own)
    if _SAMPLE not in table:
        raise InputError(f"{path} must have the column {_SAMPLE}; got {some_names([*table])}")
    if not len(table[_SAMPLE]):
        raise InputError(f"{path} has no rows below its header")
    return table


def _joined(old: Table, new: Table) -> Table:
    """The rows of both files; a column that one lacks is missing there, but for what describes the samples."""
    import numpy as np

    from skcompare.tables.samples import holds_values

    n = {id(part): len(part[_SAMPLE]) for part in (old, new)}
    names = [name for name in {**old, **new} if (name in old and name in new) or holds_values(name)]
    return {
        name: np.concatenate([part.get(name, np.full(n[id(part)], np.nan)) for part in (old, new)]) for name in names
    }
