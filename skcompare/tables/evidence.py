"""A reading, with what is said of design, gaps and directions -> complete evidence, from which results are made."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.model_selection import RepeatedKFold

from skcompare._core.design import Design, Kind
from skcompare._core.numbers import agreeing, counted, listed
from skcompare._core.printable import check_name, some_names
from skcompare._core.validation import check_choice, check_number, unknown
from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation.metrics.scoring import COST_METRICS, COUNTED_COSTS, OWN_METRICS
from skcompare.evaluation.metrics.table import BATCHED
from skcompare.results import EvaluationResult
from skcompare.tables.cells import numbers_of
from skcompare.tables.columns import is_loss, plain
from skcompare.tables.named import Call
from skcompare.tables.reader import read_as
from skcompare.tables.reading import INDEPENDENT, KEYS, NOUNS, Asked, Reading, UnclearError, coded
from skcompare.tables.source import Table, table_in

Columns = dict[str, NDArray[Any]]
Directions = bool | Mapping[str, bool] | None
RANK = "rank"
_PERCENT = 100.0  # no share in percent is larger
_LESS_IS_BETTER = (
    *COST_METRICS,
    *COUNTED_COSTS,
    *(name for name in OWN_METRICS if not BATCHED[name].greater_is_better),
)
_MOST_NAMED = 5
_FORMS = {
    "repeats": re.compile(r"(\d+)\s*x\s*(\d+)(?:[- ]?folds?)?(?: cross-validation| cv)?"),
    "folds": re.compile(r"(\d+)[- ]folds?(?: cross-validation| cv)?"),
    "random": re.compile(r"(?:(\d+) )?(?:random|overlapping) (?:splits?|halves)"),
    "runs": re.compile(r"(?:(\d+) )?(?:independent )?runs"),
    "paired": re.compile(r"paired runs: ?(.+)"),
    "tested": re.compile(r"(\d+(?:\.\d+)?)\s*(%?)\s*(?:is |are )?tested"),
}
_SAYS = "'10-fold', '10x10', '30 random splits, 50% tested', 'runs' or 'paired runs: the reason'"


@dataclass(frozen=True, kw_only=True)
class Settled:
    """What a text such as "30 random splits, 50% tested" says of a design.

    Attributes
    ----------
    kind : str
        "folds" or "runs"; empty where nothing is said.
    n_splits, n_folds : int or None
        Splits in all, and in each repeat.
    test_fraction : float or None
        In (0, 1).
    paired : str or None
        Why runs are pairs.
    """

    kind: str = ""
    n_splits: int | None = None
    n_folds: int | None = None
    test_fraction: float | None = None
    paired: str | None = None

    @property
    def splitter(self) -> RepeatedKFold | None:
        """The splitter of repeated k-fold; None of anything else."""
        k = self.n_folds or 0
        return RepeatedKFold(n_splits=k, n_repeats=(self.n_splits or k) // k, random_state=0) if k > 1 else None

    @classmethod
    def of(cls, design: str | None) -> Settled:
        """What the text says; ValueError where it says nothing."""
        if design is None:
            return cls()
        text = design.strip() if isinstance(design, str) else ""
        found: dict[str, Any] = {}
        for part in [text] if _FORMS["paired"].fullmatch(text) else map(str.strip, text.lower().split(",")):
            name, match = next(((name, x) for name, form in _FORMS.items() if (x := form.fullmatch(part))), ("", None))
            if match is None:
                raise ValueError(f"design must read like {_SAYS}; got {design!r:.80}")
            n = int(match[1]) if name in ("repeats", "folds", "random") and match[1] else None
            if name == "tested":
                share, what = float(match[1]) / (100 if match[2] else 1), "the tested part of design"
                found["test_fraction"] = check_number(share, what, low=0, high=1, closed="neither")
            elif name == "repeats":
                found |= {"kind": "folds", "n_folds": int(match[2]), "n_splits": int(match[1]) * int(match[2])}
            elif name == "folds":
                found |= {"kind": "folds", "n_folds": n}
            elif name == "random":
                found |= {"kind": "folds", "n_folds": 1, "n_splits": n}
                found |= {"test_fraction": 0.5} if part.endswith("halves") else {}
            else:
                found |= {"kind": "runs", "paired": match[1] if name == "paired" else None}
        return cls(**found)


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """A row per score, without gaps but those that may stay, and what is known of them.

    Attributes
    ----------
    reading : Reading
        Where it comes from.
    columns : dict of str to ndarray
        Names as texts by role, finite scores under "value", and sizes under "n_train" and "n_test".
    names : dict of str to tuple of str
        By role the names, in the order of the table.
    greater_is_better : tuple of bool
        Per metric.
    design : Settled
        What is said of the splits.
    n_samples : int or None
        As it was told.
    gaps : str
        What was left out or is missing, as a sentence; empty where nothing is.
    incomplete : bool
        Whether scores are missing, and may be.
    warnings : tuple of CodedWarning
        What was assumed.
    notes : tuple of str
        What is to be said of it.
    """

    reading: Reading
    origin: str
    columns: Columns
    names: dict[str, tuple[str, ...]]
    greater_is_better: tuple[bool, ...]
    design: Settled
    n_samples: int | None = None
    gaps: str = ""
    incomplete: bool = False
    warnings: tuple[CodedWarning, ...] = ()
    notes: tuple[str, ...] = ()

    def at(self, role: str, rows: NDArray[np.bool_] | slice = slice(None)) -> NDArray[np.intp]:
        """Of each row the position of its name among those of a role."""
        place = {name: i for i, name in enumerate(self.names[role])}
        return np.array([place[name] for name in self.columns[role][rows].tolist()], dtype=np.intp)

    def unclear(self, says: str, *calls: Call) -> UnclearError:
        """A refusal, with the calls that read the table."""
        return _unclear(self.reading, self.origin, says, *calls)


def evidence_from(frame: Any, kind: str, *, called: str = "frame", clusters: Any = None, **options: Any) -> Evidence:
    """The evidence in a table whose kind is known, a data frame or a mapping of columns; see `evidence_of`."""
    table, reading = reading_of(frame, kind, called, clusters)
    return evidence_of(reading, table, guess=False, **options)


def reading_of(frame: Any, kind: str, called: str, clusters: Any = None) -> tuple[Table, Reading]:
    """A data frame or a mapping of columns that messages call `called`, and its reading as some kind of evidence."""
    table = table_in(frame, called)
    if clusters is not None and not (isinstance(clusters, str) and clusters in (*table.columns, INDEPENDENT)):
        raise ValueError(unknown(clusters, "clusters", [*table.columns, INDEPENDENT]))
    reading = read_as(table, Asked(cluster=clusters), kind)
    names = table.columns.get(reading.roles.get("model", ""), np.empty(0)).tolist()
    other = [name for name in names if not isinstance(name, str)]
    if other and kind not in ("runs", "study"):
        raise ValueError(f"models of {called} must be named by texts; got {other[0]!r}")
    return table, reading


def evidence_of(
    reading: Reading,
    table: Table,
    *,
    design: Settled | None = None,
    missing: str | None = None,
    greater_is_better: Directions = None,
    n_samples: int | None = None,
    metric: str | None = None,
    guess: bool = True,
) -> Evidence:
    """What a reading gives, complete: directions are known, and no score is missing, or those that may.

    Parameters
    ----------
    reading : Reading
        Of folds, runs, data sets or outcomes.
    table : Table
        Of which it is one.
    design : Settled, optional
        What is said of the splits.
    missing : {"raise", "drop", "keep"}, optional
        What to do where scores are missing.
    greater_is_better : bool or mapping of metric to bool, optional
        As it was given.
    n_samples : int, optional
        As it was given.
    metric : str, optional
        What the only metric is called, where the table does not name it.
    guess : bool
        Whether less is taken for better on losses that are known by name.

    Raises
    ------
    ValueError
        If scores are missing and `missing` does not say what to do, what is said does not fit, or is said twice.
    """
    if missing is not None:
        check_choice(missing, "missing", ("raise", "drop", "keep"))
    about = (name for name in reading.columns if reading.kind == "outcomes" or name in (*KEYS, "value"))
    columns = {name: reading.columns[name] for name in about}
    columns["metric"] = _called(columns["metric"], metric)
    told, design, notes = _told(reading, columns["metric"]), design or Settled(), []
    said: dict[str, Any] = {"greater_is_better": greater_is_better, "n_samples": n_samples}
    said |= {"test_fraction": design.test_fraction, "paired": design.paired}
    said = {name: _said(told, name, x, is_log=table.kind is not None) for name, x in said.items()}
    greater_is_better, n_samples = said["greater_is_better"], said["n_samples"]
    design = replace(design, test_fraction=said["test_fraction"], paired=said["paired"])
    mixed = _ranked(columns, greater_is_better) if reading.kind == "study" else None
    if mixed is not None and guess:
        columns, greater_is_better, note = mixed
        notes.append(note)
    elif mixed is not None and missing in (None, "raise"):
        raise ValueError(
            f"{table.origin} must have the same metrics on every data set; each has one of its own: "
            "skc.read(frame) compares the models by their ranks on each, or give the data sets of one metric"
        )
    metrics = tuple(dict.fromkeys(columns["metric"].tolist()))
    negative = {*columns["metric"][columns["value"] < 0].tolist()}
    losses = [name for name in metrics if guess and name not in negative and is_loss(name)]
    signs, warnings = directions(metrics, greater_is_better, losses=losses)
    if guess and metrics == ("score",) and greater_is_better is None and "value" not in reading.roles:
        values = columns["value"][~np.isnan(columns["value"])]
        if (values >= 0).all() and (values > _PERCENT).any():
            warnings = (*warnings, Code.ASSUMED("more is taken for better; for a loss give greater_is_better=False."))
        elif reading.kind != "outcomes":
            notes.append("More is taken for better.")
    if reading.kind == "folds":
        columns |= _sizes(reading)
    names = {role: tuple(dict.fromkeys(columns[role].tolist())) for role in KEYS if role in columns}
    for role, found in names.items():
        for name in found if role in ("model", "metric", "dataset") else ():
            check_name(name, f"{NOUNS[role]}s of {table.origin}")
    columns, gaps = _without_gaps(columns, reading, table.origin, missing or "raise")
    if missing != "keep":
        names = {role: tuple(dict.fromkeys(columns[role].tolist())) for role in names}
    assumed = tuple(map(Code.ASSUMED, reading.assumed))
    splits = design.kind == "folds" or design.test_fraction is not None
    if splits != (reading.kind == "folds") and (splits or design.kind == "runs"):
        what = "splits" if splits else "runs"
        says = f"{table.origin}: design speaks of {what}, and the table was read as {reading.kind}"
        raise UnclearError(says, table.origin)
    return Evidence(
        reading=reading,
        origin=table.origin,
        columns=columns,
        names=names,
        greater_is_better=signs,
        design=design,
        n_samples=n_samples,
        gaps=gaps,
        incomplete=bool(gaps) and missing == "keep",
        warnings=(*assumed, *warnings),
        notes=(*notes, *([gaps] if gaps and missing == "drop" else [])),
    )


def untimed(scores: NDArray[np.float64], **fields: Any) -> EvaluationResult:
    """The result of scores of shape (n_models, n_splits, n_metrics), of which nobody knows how long they took."""
    times = np.broadcast_to(np.nan, scores.shape[:2])
    return EvaluationResult(scores=scores, fit_times=times, score_times=times, **fields)


def unsplit(n: int, kind: Kind, **fields: Any) -> Design:
    """The design of `n` cases that are no splits."""
    return Design(n_repeats=n, n_folds=1, n_splits=n, test_fraction=0.0, partition=False, kind=kind, **fields)


def _called(metrics: NDArray[Any], name: str | None) -> NDArray[Any]:
    """The metric of each row, by the name that was given where the table has none."""
    if name is None:
        return metrics
    if not (isinstance(name, str) and name):
        raise ValueError(f"metric must be a name; got {name!r:.80}")
    if (named := {*metrics.tolist()}) != {"score"}:
        raise ValueError(f"metric must be None where the table names its metrics, {some_names([*named])}; got {name!r}")
    return np.full(len(metrics), name, dtype=object)


def _told(reading: Reading, metrics: NDArray[Any]) -> dict[str, Any]:
    """What columns say that belongs to this kind of evidence, and directions of the metrics that are read."""
    of_kind = {"folds": ("test_fraction", "n_samples"), "runs": ("paired",)}.get(reading.kind, ())
    told = {name: x for name, x in reading.told.items() if name in (*of_kind, "greater_is_better")}
    if isinstance(signs := told.get("greater_is_better"), dict):
        told["greater_is_better"] = {name: x for name, x in signs.items() if name in {*metrics.tolist()}}
    return told


def _said(told: Mapping[str, Any], name: str, given: Any, *, is_log: bool) -> Any:
    """What an argument says, or else the column of its name; of logs the argument counts, and completes directions."""
    if given is None or name not in told:
        return told.get(name, given)
    if not is_log:
        raise ValueError(f"{name} must be an argument or a column of the table; got both")
    return {**told[name], **given} if isinstance(given, Mapping) and isinstance(told[name], Mapping) else given


def directions(
    metrics: tuple[str, ...], given: Directions, *, losses: Collection[str] = ()
) -> tuple[tuple[bool, ...], tuple[CodedWarning, ...]]:
    """The direction of each metric: given, known by its name, or greater is better; and what is guessed of losses.

    Of `losses` less is better, where nothing else is said.
    """
    own = given if isinstance(given, Mapping) else {}
    if not {*own} <= {*metrics} or not (given is None or isinstance(given, (bool, Mapping))):
        known_ones = ", ".join(map(repr, metrics))
        raise ValueError(f"greater_is_better must be a bool, or map metrics ({known_ones}) to bools; got {given!r}")
    if not all(isinstance(value, bool) for value in own.values()):
        raise ValueError(f"greater_is_better must map metrics to bools; got {given!r}")
    known = {*_LESS_IS_BETTER, *(() if isinstance(given, bool) else losses)}
    found = tuple(own.get(name, given is not False and name not in known) for name in metrics)
    open_ones = [name for name in metrics if name not in own and not isinstance(given, bool)]
    less = [name for name in open_ones if name in losses]
    more = [name for name in open_ones if name not in known and is_loss(name, surely=False)]
    said = []
    if less:
        by = f"less is taken for better on {listed(less)}, by the name; give greater_is_better if it is otherwise."
        said.append(Code.ASSUMED(by, tuple(less)))
    if more:
        said.append(Code.ASSUMED(f"more is taken for better on {', '.join(more)}; for a loss give greater_is_better."))
    return found, tuple(said)


def _ranked(columns: Columns, given: Directions) -> tuple[Columns, dict[str, bool], str] | None:
    """Ranks in place of scores, where every data set has a metric of its own; None elsewhere."""
    dataset, metric = columns["dataset"].astype(str), columns["metric"].astype(str)
    metrics = list(dict.fromkeys(metric.tolist()))
    if len(metrics) < 2 or len({*zip(dataset.tolist(), metric.tolist(), strict=True)}) > len({*dataset.tolist()}):
        return None
    value, ranks = columns["value"], np.full(len(dataset), np.nan)
    losses = [name for name in metrics if is_loss(name) and not (value[metric == name] < 0).any()]
    signs = dict(zip(metrics, directions(tuple(metrics), given, losses=losses)[0], strict=True))
    for name in dict.fromkeys(dataset.tolist()):
        rows = dataset == name
        ranks[rows] = rankdata(-value[rows] if signs[metric[rows][0]] else value[rows], nan_policy="omit")
    note = f"Data sets have metrics of their own ({listed(metrics, 5)}): models are compared by their ranks on each."
    return {**columns, "value": ranks, "metric": np.full(len(dataset), RANK, dtype=object)}, {RANK: False}, note


def _without_gaps(columns: Columns, reading: Reading, origin: str, missing: str) -> tuple[Columns, str]:
    """Rows with a score alone, and those of cases that all models have; a refusal where gaps are not allowed.

    Of folds of several data sets a data set is left out, of several repeats a repeat, of runs the run of one model.
    """
    there, runs = ~np.isnan(columns["value"]), reading.kind == "runs"
    case = [name for name in KEYS if name in columns and name not in ("model", "metric")]
    if reading.kind in ("runs", "outcomes"):  # models have their own runs
        case = [name for name in case if name == "dataset" or (not runs and name != "run")]
    cells, kinds = coded(columns, ("model", "metric"))
    rows, cases = coded(columns, case)
    present = np.zeros((len(cases), len(kinds)), dtype=bool)
    present[rows[there], cells[there]] = True
    if not runs:
        present[rows[~there], cells[~there]] = False
    lacking = [(cases[i], kinds[j]) for i, j in np.argwhere(~present).tolist()]
    out, unit = np.isin(rows, np.flatnonzero(~present.all(axis=1))), case
    if runs and not there.all():
        unit = [*case, "model", "run"]
        rows, cases = coded(columns, unit)
        lacking += [((f"run {columns['run'][i]}",), kinds[cells[i]]) for i in np.flatnonzero(~there).tolist()]
        out = out | np.isin(rows, rows[~there])
    elif reading.kind == "folds":
        wholes = [role for role in ("dataset", "repeat") if role in case and len({*columns[role].tolist()}) > 1]
        if wholes:  # repeats have the same number of folds
            unit = [wholes[0]]
            whole, cases = coded(columns, unit)
            out, rows = np.isin(whole, whole[out]), whole
    if not lacking:
        return columns, ""
    told = next((role for role in ("repeat", "split", "dataset") if not runs and role in unit), "")
    noun = NOUNS[told or unit[-1]] if unit else "case"
    several, more = len({*columns["metric"].tolist()}) > 1, len(lacking) - _MOST_NAMED
    shown = [(kind, " ".join(map(str, row)) or "all") for row, kind in lacking[:_MOST_NAMED]]
    named = "; ".join(f"{kind[0]!r} on {row!r}" + f" ({kind[1]})" * several for kind, row in shown)
    named += f" and {more} more" if more > 0 else ""
    said = f"{counted(len(lacking), 'score')} {agreeing(len(lacking), 'is', 'are')} missing: {named}"
    if missing == "keep" and "dataset" in columns and reading.kind in ("study", "folds"):
        return {name: x[there] for name, x in columns.items()}, said
    if missing != "drop":
        left_out = (f"{noun.capitalize()}s with gaps are left out", {"missing": "drop"})
        kept = ("gaps are kept, and comparisons allow for them", {"missing": "keep"})
        calls = [left_out] * (not out.all()) + [kept] * (reading.kind == "study")
        raise _unclear(reading, origin, said, *calls)
    if out.all():
        raise UnclearError(f"{origin}: all {noun}s lack a score, so that none is left: {said}", origin)
    left = len({*rows[out].tolist()})
    note = f"Left out: {left} of {counted(len(cases), noun)} with missing scores ({named})."
    return {name: x[~out] for name, x in columns.items()}, note


def _unclear(reading: Reading, origin: str, says: str, *calls: Call) -> UnclearError:
    """A refusal with calls, each with what was asked before."""
    return UnclearError(f"{origin}: {says}", origin, [(what, {**reading.asked, **more}) for what, more in calls])


def _sizes(reading: Reading) -> Columns:
    """The sizes of training and test sets, of each row."""
    found = {}
    for name, cells in reading.columns.items():
        own = plain(name.removeprefix("also "))
        size = {"train_size": "n_train", "test_size": "n_test"}.get(own, own)
        if size not in ("n_train", "n_test") or not name.startswith("also "):
            continue
        values = numbers_of(cells, ".").values
        whole = (values > 0) & (values < 2**53) & (values == np.round(values))
        if not whole.all():
            at, must = int((~whole).argmax()), f"frame must hold positive integers in its column {own!r}"
            raise ValueError(f"{must}; got {str(cells[at])!r} in row {at + 1}")
        found[size] = values.astype(np.int64)
    return found
