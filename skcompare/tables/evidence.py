"""A reading, with what is said of design, gaps and directions -> complete evidence -> a result of scores."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isclose
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.model_selection import RepeatedKFold

from skcompare._core.design import Design, repeated_folds, unsplit
from skcompare._core.numbers import agreeing, counted, listed, short, some_names, some_of
from skcompare._core.text import capital
from skcompare._core.validation import FloatArray, check_choice, check_integer, check_name, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation.metrics.scoring import COST_METRICS, COUNTED_COSTS, OWN_METRICS
from skcompare.evaluation.metrics.table import BATCHED
from skcompare.results import EvaluationResult
from skcompare.tables import columns as words
from skcompare.tables.reader import have_own_metrics, natural, over_splits, read_as
from skcompare.tables.reading import INDEPENDENT, KEYS, NOUNS, Asked, Call, Reading, UnclearError, coded
from skcompare.tables.source import ROWS, Table, table_in, worded

Columns = dict[str, NDArray[Any]]
Lacking = dict[str, dict[str, dict[str, Any]]]
Directions = bool | Mapping[str, bool] | None
RANK = "rank"
_PERCENT = 100.0  # no share in percent is larger
_LESS_IS_BETTER = (*COST_METRICS, *COUNTED_COSTS, *(x for x in OWN_METRICS if not BATCHED[x].greater_is_better))
_MOST_NAMED, _MOST_PAIRED = 5, 30
_DESIGNS = words.WORDS["designs"]


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
    n_samples : int or None
        In the data set.
    paired : str or None
        Why runs are pairs.
    """

    kind: str = ""
    n_splits: int | None = None
    n_folds: int | None = None
    test_fraction: float | None = None
    n_samples: int | None = None
    paired: str | None = None

    def __post_init__(self) -> None:
        if self.n_samples is not None:
            check_integer(self.n_samples, "n_samples", low=2)
        if self.test_fraction is not None:
            check_number(self.test_fraction, "test_fraction", low=0, high=1, closed="neither")

    def check(self, origin: str, kind: str = "folds", n: int = 0) -> None:
        """UnclearError where what is said does not fit what a table was read as, or its `n` splits."""
        k, says = self.n_folds or 1, ""
        if self.kind == "runs" and kind != "runs":
            says = f"runs, and the table was read as {kind}"
        elif kind != "folds" and (self.kind == "folds" or self.test_fraction is not None):
            says = f"splits, and the table was read as {kind}"
        elif n and self.n_splits not in (None, n):
            says = f"{self.n_splits} splits, and the table has {n}"
        elif n % k:
            says = f"{k} folds, which do not divide {n} splits"
        if says:
            raise UnclearError(f"{origin}: design speaks of {says}", origin)

    @property
    def fraction(self) -> float | None:
        """The share of the samples that a split tests, told or of so many folds."""
        k = self.n_folds or 1
        return 1 / k if self.test_fraction is None and k > 1 else self.test_fraction

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
        text, found = design.strip() if isinstance(design, str) else "", dict[str, Any]()
        if reason := re.fullmatch(_DESIGNS["paired"], text):
            return cls(kind="runs", paired=reason[1])
        for part in map(str.strip, text.lower().split(",")):
            if not (match := re.fullmatch(_DESIGNS["part"], part)) or ("kind" in found and not match["share"]):
                raise ValueError(f"design must read like {_DESIGNS['such as']}; got {design!r:.80}")
            if match["share"] or match["halves"]:
                share = float(match["share"] or 0.5) / (100 if match["percent"] else 1)
                check_number(share, "the tested part of design", low=0, high=1, closed="neither")
                if found.setdefault("test_fraction", share) != share:
                    raise ValueError(f"design must name one tested part; got {design!r:.80}")
            if match["runs"]:
                found["kind"] = "runs"
            elif not match["share"]:
                k, times = int(match["k"] or match["of"] or 1), match["repeats"] or match["n"]
                found |= {"kind": "folds", "n_folds": k, "n_splits": int(times) * k if times else None}
        folds, told = found.get("n_folds", 1), found.get("test_fraction")
        if folds > 1 and told and abs(found.pop("test_fraction") - 1 / folds) > 0.0051:  # said in whole percent
            raise ValueError(f"the tested part of design must be {short(1 / folds)} in {folds}-fold; got {told:g}")
        return cls(**found)


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """A row per score, without gaps but those that may stay, and what is known of them.

    Attributes
    ----------
    reading : Reading
        Where it comes from.
    columns : dict of str to ndarray
        Names as texts by role, finite scores under "value", sizes under "n_train" and "n_test", and under "row" which
        row of the reading it is.
    names : dict of str to tuple of str
        By role the names, in the order of the table.
    greater_is_better : tuple of bool
        Per metric.
    design : Settled
        What is said of the splits.
    dropped : tuple of CodedWarning
        That cases were left out.
    provenance : dict of str to object
        What a result keeps of the table as it came: what `lacked` says of it, under "unread" of metrics left out.
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
    dropped: tuple[CodedWarning, ...] = ()
    provenance: dict[str, Any] = field(default_factory=dict)
    incomplete: bool = False
    warnings: tuple[CodedWarning, ...] = ()
    notes: tuple[str, ...] = ()

    def at(self, role: str) -> NDArray[np.intp]:
        """Of each row the position of its name among those of a role."""
        place = {name: i for i, name in enumerate(self.names[role])}
        at, names = coded(self.columns, [role])
        return np.array([place[name] for (name,) in names], dtype=np.intp)[at]

    def scores(self, cases: NDArray[np.intp]) -> NDArray[np.float64]:
        """Scores of shape (n_models, n_cases, n_metrics), by the case of each row; nan where there is none."""
        found = np.full((len(self.names["model"]), int(cases.max()) + 1, len(self.names["metric"])), np.nan)
        found[self.at("model"), cases, self.at("metric")] = self.columns["value"]
        return found


def evidence_from(frame: Any, kind: str, *, called: str = "frame", **options: Any) -> Evidence:
    """The evidence in a table whose kind is known, a data frame or a mapping of columns; see `evidence_of`."""
    said = {name: options.pop(name, None) for name in ("clusters", "metric", "run")}
    table, reading = reading_of(frame, kind, called, **said)
    return evidence_of(reading, table, ranks=False, **options)


def reading_of(frame: Any, kind: str, called: str, clusters: Any = None, **said: Any) -> tuple[Table, Reading]:
    """A data frame or a mapping of columns that messages call `called`, and its reading as some kind of evidence."""
    table = table_in(frame, called)
    if clusters is not None:
        check_choice(clusters, "clusters", [*table.columns, INDEPENDENT])
    try:
        reading = read_as(table, Asked.of({"cluster": clusters, **said}), kind)
    except UnclearError as error:
        raise error.tried(lambda call: read_as(table, Asked.of(call)), table, called) from None
    models = table.columns.get(reading.roles.get("model", ""), np.empty(0))
    for name in dict.fromkeys(models.tolist()) if kind not in ("runs", "study") else ():
        check_name(name, f"models of {called}")
    return table, reading


def evidence_of(
    reading: Reading,
    table: Table,
    *,
    design: Settled | None = None,
    missing: str | None = None,
    greater_is_better: Directions = None,
    ranks: bool = True,
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
    ranks : bool
        Whether models are compared by ranks where data sets have metrics of their own.

    Raises
    ------
    ValueError
        If scores are missing and `missing` does not say what to do, what is said does not fit, or is said twice.
    """
    if missing is not None:
        check_choice(missing, "missing", ("raise", "drop", "keep"))
    provenance: dict[str, Lacking] = {}
    if not {"metric", "metrics"} & reading.asked.keys() and np.isin(reading.columns["metric"], table.partial).any():
        reading, provenance["unread"] = _without_partial(reading, table.partial)
    columns = {**reading.columns, "row": np.arange(len(reading.columns["value"]))}
    design, notes, lost = design or Settled(), list[str](), tuple[CodedWarning, ...]()
    own_metrics = reading.kind in ("study", "folds") and have_own_metrics(columns)
    provenance["lacking"] = lacked(columns, columns["model"].tolist())
    if provenance["lacking"]:
        reading.check_numbering(table.origin)
    if reading.kind == "folds" and (own_metrics or table.kind == "study"):
        columns, lost = over_splits(columns, table.origin, missing if table.kind is None else "drop")
        reading, notes = replace(reading, kind="study"), ["Each score is a mean over splits."]
    of_kind = {"folds": ("test_fraction", "n_samples"), "runs": ("paired",)}.get(reading.kind, ())
    said = {"greater_is_better": greater_is_better, **{name: getattr(design, name) for name in of_kind}}
    for name in [one for one in said if one in reading.told]:
        said[name] = _said(reading.told[name], name, said[name], columns["metric"], is_log=table.kind is not None)
    greater_is_better, design = said.pop("greater_is_better"), replace(design, **said)
    if own_metrics and ranks:
        columns, greater_is_better, note = _ranked(columns, greater_is_better)
        notes.append(note)
    elif own_metrics and missing in (None, "raise"):
        raise ValueError(worded("metrics of their own", table.origin))
    values = _by_metric(columns)
    metrics = tuple(values)
    signs, warnings = directions(metrics, greater_is_better, values, items=reading.kind == "outcomes")
    if metrics == ("score",) and greater_is_better is None:
        known, sets = columns["value"], columns.get("dataset", columns["model"])
        no_shares = {*sets[known > 1].tolist()} not in (set(), {*sets.tolist()})  # of some data sets they could be
        if not (known < 0).any() and ((known > _PERCENT).any() or (no_shares and reading.kind == "study")):
            warnings = (*warnings, _more_is_better(metrics))
        elif reading.kind != "outcomes" and "value" not in reading.roles:
            notes.append("More is taken for better.")
    notes += [capital(x.sentence) for x in warnings if signs[metrics.index(x.about[0])]]
    if reading.kind == "folds":
        columns |= _sizes(reading, table.origin)
    kept, gaps = _without_gaps(columns, reading, table.origin, missing or "raise")
    dropped, named = [gaps] if gaps and missing == "drop" else [], columns if missing == "keep" else kept
    names = {role: tuple(dict.fromkeys(named[role].tolist())) for role in KEYS if role in named}
    for role, name in [(one, x) for one in ("model", "metric", "dataset") for x in names.get(one, ())]:
        check_name(name, f"{NOUNS[role]}s of {table.origin}")
    design.check(table.origin, reading.kind)
    return Evidence(
        reading=reading,
        origin=table.origin,
        columns=kept,
        names=names,
        greater_is_better=signs,
        design=design,
        dropped=(*map(Code.MISSING_SCORES, dropped),),
        provenance={name: found for name, found in provenance.items() if found},
        incomplete=bool(gaps) and missing == "keep",
        warnings=(*map(Code.ASSUMED, reading.assumed), *warnings, *lost),
        notes=(*notes, *dropped),
    )


def _said(told: Any, name: str, given: Any, metrics: NDArray[Any], *, is_log: bool) -> Any:
    """What an argument says, or else the column of its name; of logs the argument counts, and completes directions."""
    if isinstance(told, dict):
        told = {metric: x for metric, x in told.items() if metric in {*metrics.tolist()}}
    if given is not None and not is_log:
        raise ValueError(f"{name} must be an argument or a column of the table; got both")
    both = isinstance(given, Mapping) and isinstance(told, Mapping)
    return {**told, **given} if both else told if given is None else given


def directions(
    metrics: tuple[str, ...], given: Directions, values: Columns | None = None, *, items: bool = False
) -> tuple[tuple[bool, ...], tuple[CodedWarning, ...]]:
    """The direction of each metric: given, known by its name, or greater is better; and what is guessed.

    Of losses, by metric, without negative `values`, less is better. Those of `items` may be 1 where a model was right.
    """
    own, values = given if isinstance(given, Mapping) else {}, values or {}
    for name in own:
        check_choice(name, "greater_is_better", metrics)
    if not (given is None or isinstance(given, (bool, Mapping))) or not all(isinstance(x, bool) for x in own.values()):
        raise ValueError(worded("no directions", some_names(metrics), given))
    rights = items and all(np.isin(x[~np.isnan(x)], (0, 1)).all() for x in values.values())
    open_ones = [x for x in metrics if x not in own and x not in _LESS_IS_BETTER and not isinstance(given, bool)]
    less = [name for name in open_ones if name in values and words.is_loss(name) and not (values[name] < 0).any()]
    found = tuple(own.get(x, given is not False and x not in (*_LESS_IS_BETTER, *less)) for x in metrics)
    rest = [name for name in open_ones if name not in less]
    more = [x for x in rest if words.is_loss(x, surely=False) or not (rights or words.says_what_is_better(x))]
    said = [Code.ASSUMED(worded("less is better", listed(less)), tuple(less))] if less else []
    return found, tuple(said + ([_more_is_better(more)] if more else []))


def _more_is_better(metrics: Sequence[str]) -> CodedWarning:
    """That nothing says what is better on some metrics, and how to say that less is."""
    otherwise = "False" if len(metrics) == 1 else str(dict.fromkeys(metrics[:1], False))
    return Code.ASSUMED(worded("more is better", listed(metrics), otherwise), tuple(metrics))


def _by_metric(columns: Columns) -> Columns:
    """The scores of each metric."""
    return {name: columns["value"][columns["metric"] == name] for name in dict.fromkeys(columns["metric"].tolist())}


def _ranked(columns: Columns, given: Directions) -> tuple[Columns, dict[str, bool], str]:
    """Ranks in place of scores."""
    metric, value, values = columns["metric"], columns["value"], _by_metric(columns)
    signs, ranks = dict(zip(values, directions(tuple(values), given, values)[0], strict=True)), np.empty(len(value))
    for rows in _rows_of_each(coded(columns, ["dataset"])[0]):
        ranks[rows] = rankdata(-value[rows] if signs[metric[rows][0]] else value[rows], nan_policy="omit")
    note = f"Data sets have metrics of their own ({listed([*values], 5)}): models are compared by their ranks on each."
    return {**columns, "value": ranks, "metric": np.full(len(value), RANK, dtype=object)}, {RANK: False}, note


def lacked(columns: Mapping[str, NDArray[Any]], models: Iterable[str], *, own_runs: bool | None = None) -> Lacking:
    """What one of the models lacks and another one has, by the two: how many scores, and of what the first is.

    A model has `own_runs` by default where it shares none with the other one. Then those count alone that failed. Of
    many models all others are taken together, under an empty name.
    """
    roles = [role for role in KEYS[1:] if role in columns]
    place, (unit, units) = {name: i for i, name in enumerate(dict.fromkeys(models))}, coded(columns, roles)
    model, names = [place[name] for name in columns["model"].tolist()], [*place]
    has, blank = np.zeros((2, len(names), len(units)), dtype=bool)
    has[model, unit] = there = np.isfinite(columns["value"].astype(np.float64))
    blank[model, unit] = ~there
    found: Lacking = {}
    others, there, shared, failed = names, has, has, blank
    if len(names) > _MOST_PAIRED:
        others, there, failed = [""], np.atleast_2d(has.any(axis=0)), np.atleast_2d(blank.all(axis=0))
        shared = np.atleast_2d(has.sum(axis=0) > 1)
    for i in np.flatnonzero(~has.all(axis=1)).tolist():
        gone = there & ~has[i]
        if "run" in columns:
            own = ~(shared & has[i]).any(axis=1, keepdims=True) if own_runs is None else own_runs
            gone = (gone & np.logical_not(own)) | (blank[i] & ~failed)
        for j in np.flatnonzero(gone.any(axis=1)).tolist():
            first = zip(roles, units[int(gone[j].argmax())], strict=True)
            told = ", ".join(f"{NOUNS[role]} {name}" for role, name in first)
            found.setdefault(names[i], {})[others[j]] = {"n": int(gone[j].sum()), "first": told}
    return found


def _without_partial(reading: Reading, partial: Sequence[str]) -> tuple[Reading, Lacking]:
    """A reading without metrics that some rows of a log lack, and what `lacked` says of these."""
    gone = np.isin(reading.columns["metric"], partial)
    out, columns = ({name: x[rows] for name, x in reading.columns.items()} for rows in (gone, ~gone))
    said = f"Left out, as rows lack them: {', '.join(dict.fromkeys(out['metric'].tolist()))}."
    described = {name: x[~gone] for name, x in reading.described.items()}
    kept = replace(reading, columns=columns, described=described, notes=(*reading.notes, said))
    return kept, lacked(out, reading.columns["model"].tolist(), own_runs=reading.kind != "outcomes")


def _without_gaps(columns: Columns, reading: Reading, origin: str, missing: str) -> tuple[Columns, str]:
    """Rows with a score alone, and those of cases that all models have; a refusal where gaps are not allowed.

    Then the gaps in words. Of folds of several data sets a data set is left out, of several repeats a repeat, of runs
    the run of one model.
    """
    there, runs = ~np.isnan(columns["value"]), reading.kind == "runs"
    own = {"runs": KEYS[2:], "outcomes": ("run",)}.get(reading.kind, ())  # of each model
    case = [name for name in KEYS if name in columns and name not in ("model", "metric", *own)]
    (model, models), (metric, metrics) = (coded(columns, (role,)) for role in ("model", "metric"))
    rows, cases = coded(columns, case)
    present: Any = np.zeros((len(cases), len(models), len(metrics)), dtype=bool)
    present[rows[there], model[there], metric[there]] = True
    present[rows[~there], model[~there], metric[~there]] = runs
    gaps = np.argwhere(~present)  # of a table without repeated names there can be millions
    failed = np.flatnonzero(~there).tolist() if runs else []
    lacking = [(" ".join(map(str, cases[i])) or "all", j, k) for i, j, k in gaps[:_MOST_NAMED].tolist()]
    lacking += [(f"run {columns['run'][i]}", model[i], metric[i]) for i in failed]
    folds = ("dataset", "repeat") if reading.kind == "folds" else ()  # repeats have the same number of folds
    wholes = [role for role in folds if role in case and len({*columns[role].tolist()}) > 1]
    unit = [*case, "model", "run"] if failed else wholes[:1] or case
    at, units = coded(columns, unit)
    out = np.isin(at, at[~present.all(axis=(1, 2))[rows] | ~there])
    if not lacking:
        return columns, ""
    told = next((role for role in ("repeat", "split", "dataset") if not runs and role in unit), "")
    noun = NOUNS[told or unit[-1]] if unit else "case"
    left = some_of(len({*at[out].tolist()}), len(units), noun)
    several = len(metrics) > 1 or not reading.asked.keys().isdisjoint({"metric", "metrics"})
    shown = [(models[j][0], row, f" ({metrics[k][0]})" * several) for row, j, k in lacking[:_MOST_NAMED]]
    named, n = "; ".join(f"{name!r} on {row!r}{of}" for name, row, of in shown), len(gaps) + len(failed)
    named += f" and {n - _MOST_NAMED:,} more" if n > _MOST_NAMED else ""
    said = f"{counted(n, 'score')} {agreeing(n, 'is', 'are')} missing: {named}"
    if missing == "keep" and "dataset" in columns and reading.kind in ("study", "folds"):
        return {name: x[there] for name, x in columns.items()}, said
    if missing != "drop":
        shared = reading.kind == "study" and present.any(axis=2).sum(axis=1).max() >= min(2, len(models))
        of_all = [name for (name,), has in zip(metrics, present.any(axis=0).all(axis=0), strict=True) if has]
        calls: list[Call] = [{"metrics": of_all}] * (0 < len(of_all) < len(metrics))
        calls += [*[{"missing": "drop"}] * (not out.all()), *[{"missing": "keep"}] * bool(shared)]
        raise _unclear(reading, origin, f"{said}, in {left}", *calls)
    if out.all():
        raise UnclearError(f"{origin}: all {noun}s lack a score, so that none is left: {said}", origin)
    return {name: x[~out] for name, x in columns.items()}, f"Left out: {left} with missing scores ({named})."


def _unclear(reading: Reading, origin: str, says: str, *calls: Call) -> UnclearError:
    """A refusal with calls, each with what was asked before, or taken for granted of rows without names."""
    rows = {role: ROWS for role, name in reading.roles.items() if name == ROWS}
    return UnclearError(f"{origin}: {says}", origin, [{**rows, **more} for more in calls], reading.asked)


def _sizes(reading: Reading, origin: str) -> Columns:
    """The sizes of training and test sets, of each row."""
    found = Columns()
    for name, cells in sorted(reading.described.items(), key=lambda column: "test" not in words.plain(column[0])):
        size = words.size_of_name(name)
        if size is None or size in found:
            continue
        values = words.numbers_of(cells, ".").values
        whole = (values > 0) & (values < 2**53) & (values == np.round(values))
        if not whole.all():
            at = int((~whole).argmax())
            raise ValueError(worded("no sizes", origin, name, str(cells[at]), at + 1))
        found[size] = values.astype(np.int64)
    return found


# ---- results: scores of folds, of independent runs, or of data sets ----------------------------------------------
_NEAR = 0.1  # a test fraction of k-fold that was told may differ so much by rounding and unequal folds


def from_frame(
    frame: Any,
    *,
    greater_is_better: bool | Mapping[str, bool] | None = None,
    test_fraction: float | None = None,
    n_samples: int | None = None,
) -> EvaluationResult:
    """A result from a tidy table of scores: one row per model, metric and split.

    Parameters
    ----------
    frame : data frame or mapping of column name to array
        Columns ``model`` (or ``estimator``), ``fold`` and ``score``; optionally ``metric``, ``repeat``, ``n_train`` and
        ``n_test``. Without ``metric`` there is one, called "score"; without ``repeat`` there is one. A table with one
        fold per repeat is taken for random splits, any other for (repeated) k-fold. What `EvaluationResult.to_frame`
        gives is such a table.
    greater_is_better : bool or mapping of metric to bool, optional
        Direction of the metrics. fit_time, predict_time, model_size, peak_memory, complexity, n_parameters and
        false_alarm_rate are better when less unless a mapping says otherwise. Of errors and losses that are known by
        name and never negative less is taken for better, of all others more. The warning ASSUMED says so of losses and
        of names that are not known, until a direction is given.
    test_fraction : float, optional
        Test size over train plus test size, in (0, 1). By default it comes from ``n_train`` and ``n_test``, or from
        ``n_train`` alone where the training sets are those of k-fold; without them from the number of folds. Random
        splits need one of the two.
    n_samples : int, optional
        Samples in the data set; by default ``n_train`` plus ``n_test`` of k-fold, otherwise unknown.

    Returns
    -------
    EvaluationResult
        Without predictions: the procedures that need them say so. With the warning ASSUMED, as a table does not show
        whether the models met the same splits.

    Raises
    ------
    ValueError
        If a column is missing, a score is not finite, a row occurs twice, a model lacks a row that another has, the
        repeats differ in their folds, or a split has different sizes for different models.

    Examples
    --------
    >>> from skcompare import from_frame
    >>> table = {
    ...     "model": ["a"] * 5 + ["b"] * 5,
    ...     "fold": [0, 1, 2, 3, 4] * 2,
    ...     "score": [0.91, 0.93, 0.92, 0.95, 0.92, 0.90, 0.90, 0.91, 0.91, 0.89],
    ... }
    >>> result = from_frame(table)
    >>> result.design.name, round(result.test().estimate, 3)
    ('5-fold cross-validation', 0.024)
    """
    settled = Settled(test_fraction=test_fraction, n_samples=n_samples)
    found = evidence_from(frame, "folds", design=settled, greater_is_better=greater_is_better)
    if len(found.names.get("dataset", ())) > 1:
        raise ValueError("frame must be about one data set; its column 'dataset' holds several")
    return next(iter(results_of(found).values()))


def results_of(evidence: Evidence) -> dict[str, EvaluationResult]:
    """One result per data set of folds or runs, the only one of a table without data sets under an empty name."""
    made, results = _of_runs if evidence.reading.kind == "runs" else _of_folds, {}
    datasets = evidence.names.get("dataset", ("",))
    parts: Sequence[Any] = _rows_of_each(evidence.at("dataset")) if len(datasets) > 1 else [slice(None)]
    for name, rows in zip(datasets, parts, strict=True):
        try:
            results[name] = made(replace(evidence, columns={role: x[rows] for role, x in evidence.columns.items()}))
        except ValueError as error:
            if len(datasets) == 1:
                raise
            raise type(error)(f"data set {name!r}: {error.args[0]}", *error.args[1:]) from error
    return results


def _rows_of_each(at: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """The rows of each of some names, by its position."""
    return np.split(np.argsort(at, kind="stable"), np.cumsum(np.bincount(at))[:-1])


def _of_folds(evidence: Evidence) -> EvaluationResult:
    """The scores of one data set on splits, with their design."""
    place, shape = _places(evidence)
    sizes = {size: _split_sizes(evidence, size, place) for size in words.SIZES if size in evidence.columns}
    fraction = evidence.design.fraction
    if fraction is None and {*sizes} == {"n_train"} and shape[1] > 1:  # k-fold trains on each sample in all but one
        train = np.reshape(sizes["n_train"], shape)
        n = train.sum(axis=1) / (shape[1] - 1)
        # windows in time grow
        if not (np.diff(train) > 1).all() and (n == n[0]).all() and n[0] % 1 == 0 and n[0] > train.max():
            sizes["n_test"] = tuple((int(n[0]) - train).ravel().tolist())
    if fraction is None and len(sizes) < 2 and (shape[1] == 1 or "n_train" in sizes):
        calls = [{"design": f"random splits, {x}% tested"} for x in (50, 20)]
        raise _unclear(evidence.reading, evidence.origin, worded("no share", shape[0] * shape[1]), *calls)
    design, more = design_of_scores(shape, sizes, evidence.design), dict[str, str]()
    in_time = words.is_listed(evidence.reading.roles.get("split", ""), "cutoffs")
    if in_time or {"train_end", "test_start"} <= {*map(words.plain, evidence.reading.described)}:  # no sample twice
        design = replace(design, time_order=True, partition=False)
    warnings = same_splits(evidence.names["model"], "the table cannot show it")
    if fraction is None and len({*design.train_sizes}) < 2 and not {*words.SIZES} <= {*evidence.columns}:
        warnings += (Code.ASSUMED(worded("assumed design", design.name, design.test_fraction)),)
        more["assumed_design"] = design.name
    return _result(evidence, design, evidence.scores(place), "a table of scores", *warnings, **more)


def _result(
    evidence: Evidence, design: Design, scores: FloatArray, source: str, *warnings: CodedWarning, **more: str
) -> EvaluationResult:
    said = {} if evidence.reading.plain else {"read_as": str(evidence.reading)}
    return EvaluationResult(
        scores=scores,
        estimators=evidence.names["model"],
        metrics=evidence.names["metric"],
        greater_is_better=evidence.greater_is_better,
        design=design,
        warnings=(*evidence.warnings, *warnings),
        provenance={"source": source, **evidence.provenance, **more, **said},
    )


def _places(evidence: Evidence) -> tuple[NDArray[np.intp], tuple[int, int]]:
    """The position of the split of each row, and how many repeats and folds there are, as far as it is said."""
    at, splits = coded(evidence.columns, ("repeat", "split"))
    order = sorted(range(len(splits)), key=lambda i: tuple(map(natural, splits[i])))
    n, k, fraction = len(splits), evidence.design.n_folds, evidence.design.test_fraction
    if fraction is None and {*words.SIZES} <= {*evidence.columns}:
        train, test = (evidence.columns[size] for size in words.SIZES)
        fraction = test.mean() / (train + test).max()
    evidence.design.check(evidence.origin, n=n)
    if k is None:
        folds = Counter(split[0] if "repeat" in evidence.columns else "" for split in splits)
        (first, k), (other, least) = folds.most_common(1)[0], folds.most_common()[-1]
        if least < k:
            raise ValueError(worded("other folds", evidence.origin, first, k, other, least))
        # test sets so large overlap
        k = 1 if fraction is not None and len(folds) == 1 and fraction * k > 1 + _NEAR else k
    return np.argsort(order)[at], (n // k, k)


def _split_sizes(evidence: Evidence, name: str, place: NDArray[np.intp]) -> tuple[int, ...]:
    """The size of each split, the same for every model and metric."""
    values, sizes = evidence.columns[name], np.zeros(place.max() + 1, dtype=np.int64)
    sizes[place] = values
    if (sizes[place] != values).any():
        i = int((sizes[place] != values).argmax())
        told = (f"{role} {evidence.columns[role][i]}" for role in ("repeat", "split") if role in evidence.names)
        raise ValueError(worded("other sizes", evidence.origin, name, ", ".join(told), values[i], sizes[place][i]))
    return tuple(sizes.tolist())


def design_of_scores(shape: tuple[int, int], sizes: Mapping[str, tuple[int, ...]], said: Settled) -> Design:
    """The design of so many repeats and folds, as far as the sizes and what is said tell it."""
    n_repeats, n_folds = shape
    train, test = sizes.get("n_train", ()), sizes.get("n_test", ())
    n_samples = None if said.n_samples is None else int(said.n_samples)
    partition, fraction = n_folds > 1, 1 / n_folds
    if train and test:
        totals, per_repeat = np.add(train, test), np.reshape(test, (n_repeats, n_folds)).sum(axis=1)
        partition = partition and bool((per_repeat == totals[0]).all() and (totals == totals[0]).all())
        if n_samples is not None and n_samples < totals.max():
            raise ValueError(f"n_samples must be at least n_train plus n_test, {totals.max()}; got {n_samples}")
        n_samples = int(totals[0]) if n_samples is None and partition else n_samples
        fraction = float(np.mean(test) / (np.mean(train) + np.mean(test)))
    if said.fraction is not None:
        fraction, partition = float(said.fraction), partition and isclose(said.fraction, 1 / n_folds, rel_tol=_NEAR)
    known = {"n_samples": n_samples, "train_sizes": train, "test_sizes": test}
    return repeated_folds(n_repeats, n_folds, fraction, partition=partition, **known)


def same_splits(models: Sequence[str], why: str) -> tuple[CodedWarning, ...]:
    """The warning that nothing shows whether models had the same splits; none of a single one."""
    return (Code.ASSUMED(worded("same splits", listed(map(repr, models), 3), why)),) if len(models) > 1 else ()


def _of_runs(evidence: Evidence) -> EvaluationResult:
    """The runs of one data set.

    Scores are nan behind the last run of a model. Paired runs stand in one order, others in that of each model.
    """
    models, metrics = evidence.names["model"], evidence.names["metric"]
    run, names = coded(evidence.columns, ["run"])
    full = evidence.scores(run)
    ran = np.asarray(~np.isnan(full).all(axis=2))
    paired = " ".join(str(evidence.design.paired or "").split()).rstrip(".")
    if paired and not ran.all():
        m, r = np.argwhere(~ran)[0]
        raise ValueError(f"paired needs the same runs of every model; {models[m]!r} has no run {names[r][0]!r}")
    if gaps := np.argwhere(ran[:, :, None] & np.isnan(full)).tolist():
        named = "; ".join(f"{metrics[k]!r} of run {names[r][0]!r} of {models[m]!r}" for m, r, k in gaps[:_MOST_NAMED])
        raise ValueError(f"{evidence.origin} must hold every metric of every run; {len(gaps)} are missing: {named}")
    n_runs = ran.sum(axis=1).tolist()
    scores = np.take_along_axis(full, np.argsort(~ran, axis=1, kind="stable")[:, : max(n_runs), None], axis=1)
    design = unsplit(scores.shape[1], "runs", n_runs=tuple(n_runs), paired=paired)
    return _result(evidence, design, scores, "a table of runs")


def study_fields(evidence: Evidence) -> dict[str, Any]:
    """The fields of a study with one score per data set; of folds with gaps the means where none is missing."""
    roles = ("dataset", "model", "metric")
    labels = [evidence.names[role] for role in roles]
    at, splits = coded(evidence.columns, ("repeat", "split"))
    full = np.full((*map(len, labels), max(1, len(splits))), np.nan)
    full[(*(evidence.at(role) for role in roles), at)] = evidence.columns["value"]
    none = np.isnan(full).all(axis=(1, 2), keepdims=True)  # splits that other data sets have
    return {
        **dict(zip(("datasets", "estimators", "metrics"), labels, strict=True)),
        "greater_is_better": evidence.greater_is_better,
        "scores": full.mean(axis=3, where=~none | none.all(axis=3, keepdims=True))[:, :, None, :],
        "warnings": evidence.warnings,
        "provenance": {"source": "a table of scores", **evidence.provenance},
    }
