"""A reading, and what the user says of design, gaps and directions -> the table that the reader of its kind takes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.model_selection import RepeatedKFold

from skcompare._core.numbers import agreeing, counted, listed
from skcompare._core.validation import check_choice, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare.tables.cells import numbers_of
from skcompare.tables.columns import is_loss, plain, role_of_name
from skcompare.tables.reader import read_as
from skcompare.tables.reading import KEYS, NOUNS, Reading, UnclearError, natural
from skcompare.tables.source import table_of

Columns = dict[str, NDArray[Any]]
RANK = "rank"
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
        found: dict[str, Any] = {}
        text = design.strip()
        paired = _FORMS["paired"].fullmatch(text)
        for part in [text] if paired else [part.strip() for part in text.lower().split(",")]:
            matches = {name: match for name, form in _FORMS.items() if (match := form.fullmatch(part))}
            if not matches:
                raise ValueError(f"design must read like {_SAYS}; got {design!r:.80}")
            name, match = next(iter(matches.items()))
            n = int(match[1]) if name != "paired" and match[1] and name != "tested" else None
            if name == "tested":
                share = float(match[1]) / (100 if match[2] else 1)
                found["test_fraction"] = check_number(
                    share, "the tested part of design", low=0, high=1, closed="neither"
                )
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
    """The table that the reader of a kind takes, with its options.

    Attributes
    ----------
    columns : dict of str to ndarray
        By the names that the reader knows.
    options : dict
        Its further arguments.
    warnings : tuple of CodedWarning
        What was assumed.
    notes : tuple of str
        What is to be said of it.
    """

    columns: Columns
    options: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[CodedWarning, ...] = ()
    notes: tuple[str, ...] = ()


def evidence_of(
    reading: Reading,
    origin: str,
    *,
    design: Settled | None = None,
    missing: str | None = None,
    greater_is_better: bool | Mapping[str, bool] | None = None,
) -> Evidence:
    """What a reading gives to the reader of its kind: scores of folds, runs, data sets or items.

    Raises
    ------
    UnclearError
        If scores are missing and `missing` does not say what to do, or the design does not fit.
    """
    columns = {name: x for name, x in reading.columns.items() if name in (*KEYS, "value")}
    design, notes = design or Settled(), []
    columns, greater_is_better, warnings = _directed(columns, greater_is_better)
    if reading.kind == "study" and (mixed := _ranked(columns, greater_is_better)) is not None:
        columns, greater_is_better, note = mixed
        notes.append(note)
        warnings = ()
    if missing is not None:
        check_choice(missing, "missing", ("raise", "drop", "keep"))
    gaps = "keep" if reading.kind == "study" and missing == "keep" else "raise" if missing is None else missing
    columns, lacking = _without_gaps(columns, reading, origin, gaps)
    notes += [lacking] if lacking else []
    options: dict[str, Any] = {"greater_is_better": greater_is_better}
    if reading.kind == "folds":
        columns, more = _splits(columns, reading, origin, design)
        options |= more
    elif design.kind == "folds" or design.test_fraction is not None:
        raise UnclearError(f"{origin}: design speaks of splits, and the table was read as {reading.kind}", origin)
    elif reading.kind == "runs":
        options |= {"paired": design.paired}
    elif reading.kind == "study" and missing == "keep":
        options |= {"missing": "keep"}
    return Evidence(columns=columns, options=options, warnings=warnings, notes=tuple(notes))


def _directed(
    columns: Columns, given: bool | Mapping[str, bool] | None
) -> tuple[Columns, bool | Mapping[str, bool] | None, tuple[CodedWarning, ...]]:
    """The directions with those of losses, which are known by their names."""
    if isinstance(given, bool):
        return columns, given, ()
    metric, value = columns["metric"].astype(str), columns["value"]
    told = dict(given or {})
    names = [name for name in dict.fromkeys(metric.tolist()) if name not in told and is_loss(name)]
    losses = [name for name in names if not (value[metric == name] < 0).any()]
    if not losses:
        return columns, given, ()
    said = f"less is taken for better on {listed(losses)}, by the name; give greater_is_better if it is otherwise."
    return columns, {**told, **dict.fromkeys(losses, False)}, (Code.ASSUMED(said, tuple(losses)),)


def _ranked(columns: Columns, given: bool | Mapping[str, bool] | None) -> tuple[Columns, dict[str, bool], str] | None:
    """Ranks in place of scores, where every data set has a metric of its own; None elsewhere."""
    dataset, metric = columns["dataset"].astype(str), columns["metric"].astype(str)
    metrics = list(dict.fromkeys(metric.tolist()))
    if len(metrics) < 2 or len({*zip(dataset.tolist(), metric.tolist(), strict=True)}) > len({*dataset.tolist()}):
        return None
    ranks = np.full(len(dataset), np.nan)
    for name in dict.fromkeys(dataset.tolist()):
        rows = dataset == name
        greater = given if isinstance(given, bool) else (given or {}).get(metric[rows][0], True)
        signed = -columns["value"][rows] if greater else columns["value"][rows]
        ranks[rows] = rankdata(signed, nan_policy="omit")
    note = f"Data sets have metrics of their own ({listed(metrics, 5)}): models are compared by their ranks on each."
    return {**columns, "value": ranks, "metric": np.full(len(dataset), RANK, dtype=object)}, {RANK: False}, note


def _without_gaps(columns: Columns, reading: Reading, origin: str, missing: str) -> tuple[Columns, str]:
    """Rows with a score alone, and those of cases that all models have; a refusal where gaps are not allowed."""
    there = ~np.isnan(columns["value"])
    full = {name: x[there] for name, x in columns.items()}
    if missing == "keep":
        return full, ""
    beside = [name for name in ("model", "metric") if name in full]
    case = [
        name for name in KEYS if name in full and name not in (*beside, *(["run"] if reading.kind == "runs" else []))
    ]
    if reading.kind == "runs":
        case = [name for name in case if name == "dataset"]
    cells = [*zip(*(full[name].tolist() for name in beside), strict=True)]
    kinds = dict.fromkeys(zip(*(columns[name].tolist() for name in beside), strict=True))
    rows = [*zip(*(full[name].tolist() for name in case), strict=True)] if case else [()] * len(cells)
    cases = dict.fromkeys(zip(*(columns[name].tolist() for name in case), strict=True) if case else [()])
    have: dict[tuple[str, ...], set[tuple[str, ...]]] = {one: set() for one in cases}
    for row, cell in zip(rows, cells, strict=True):
        have[row].add(cell)
    lacking = [(row, kind) for row in cases for kind in kinds if kind not in have[row]]
    if not lacking:
        return full, ""
    noun = (
        f"{NOUNS['dataset' if 'dataset' in case and reading.kind in ('study', 'runs') else case[-1]]}s"
        if case
        else "cases"
    )
    if missing == "raise":
        named = "; ".join(
            f"{k[0]!r} on {' '.join(row) or 'all'!r}" + (f" ({k[1]})" if _several(columns) else "")
            for row, k in lacking[:5]
        )
        calls = [(f"{noun} with gaps are left out", {"missing": "drop"})]
        calls += (
            [("gaps are kept, and each pair takes what both have", {"missing": "keep"})]
            if reading.kind == "study"
            else []
        )
        more = f" and {len(lacking) - 5} more" if len(lacking) > 5 else ""
        raise UnclearError(
            f"{origin}: {counted(len(lacking), 'score')} {agreeing(len(lacking), 'is', 'are')} missing: {named}{more}",
            origin,
            _with_asked(reading, calls),
        )
    out = {row for row, _ in lacking}
    if len(out) == len(cases):
        raise UnclearError(f"{origin}: all {noun} lack a score, so that none is left", origin)
    kept = np.array([row not in out for row in rows])
    return {
        name: x[kept] for name, x in full.items()
    }, f"Left out: {len(out)} of {len(cases)} {noun} with missing scores."


def _several(columns: Columns) -> bool:
    return len({*columns["metric"].tolist()}) > 1


def _with_asked(reading: Reading, calls: Sequence[tuple[str, dict[str, Any]]]) -> list[tuple[str, dict[str, Any]]]:
    return [(what, {**reading.asked, **options}) for what, options in calls]


def _splits(columns: Columns, reading: Reading, origin: str, design: Settled) -> tuple[Columns, dict[str, Any]]:
    """Repeats and folds as the design says, with the sizes of the table."""
    if design.kind == "runs":
        raise UnclearError(f"{origin}: design speaks of runs, and the table was read as {reading.kind}", origin)
    sizes = {
        ours: _whole(x)
        for ours, names in (("n_train", ("n_train", "train_size")), ("n_test", ("n_test", "test_size")))
        for name, x in reading.columns.items()
        if plain(name.removeprefix("also ")) in names and len(x) == len(columns["value"])
    }
    fold = columns.pop("split", None)
    repeat = columns.pop("repeat", None)
    splits = [*zip(*(x.tolist() for x in (repeat, fold) if x is not None), strict=True)]
    n = len({*splits})
    if design.n_splits not in (None, n):
        raise UnclearError(f"{origin}: design speaks of {design.n_splits} splits, and the table has {n}", origin)
    k = design.n_folds
    if k is not None:
        if n % k:
            raise UnclearError(f"{origin}: design speaks of {k} folds, which do not divide {n} splits", origin)
        if repeat is None or k == 1 or len({*repeat.tolist()}) * k != n:
            place = {one: i for i, one in enumerate(sorted({*splits}, key=lambda one: tuple(map(natural, one))))}
            at = np.array([place[one] for one in splits])
            repeat, fold = at // k, at % k
    elif fold is None:
        fold = np.zeros(len(splits), dtype=int)
        if design.test_fraction is None and len(sizes) != 2:
            calls = [
                (f"{share}% of the samples were tested", {"design": f"{n} random splits, {share}% tested"})
                for share in (50, 20)
            ]
            raise UnclearError(
                f"{origin}: it has {n} random splits, and nothing says which share of the samples they test",
                origin,
                _with_asked(reading, calls),
            )
    elif design.test_fraction is not None and repeat is None and design.test_fraction * n > 1.1:
        repeat, fold = fold, np.zeros(len(splits), dtype=int)
    columns |= {name: x for name, x in (("fold", fold), ("repeat", repeat)) if x is not None}
    stated = {"test_fraction": design.test_fraction}
    if stated["test_fraction"] is None and k is not None and k > 1:
        stated["test_fraction"] = 1 / k
    if stated["test_fraction"] is None and k == 1 and len(sizes) < 2:
        raise UnclearError(f"{origin}: design must say which share of the samples is tested, as in {_SAYS}", origin)
    return {**columns, **sizes}, stated


def _whole(cells: NDArray[Any]) -> NDArray[Any]:
    """Sizes as integers, where they are some; else as they came, for a refusal that quotes one."""
    found = numbers_of(cells, ".")
    whole = found.bad is None and bool(np.isfinite(found.values).all()) and bool((found.values % 1 == 0).all())
    return found.values.astype(np.int64) if whole else cells


def named_for(kind: str, columns: Columns) -> Columns:
    """The columns by the names that the reader of a kind knows."""
    names = {"value": "outcome" if kind == "outcomes" else "score", "item": "sample_id"}
    names |= {"dataset": "task"} if kind == "runs" else {}
    return {names.get(name, name): x for name, x in columns.items()}


def tidied(
    frame: Any, kind: str, needed: Sequence[Sequence[str]], design: Settled | None = None
) -> tuple[Any, tuple[str, ...]]:
    """A table as the reader of a kind takes it, and how it was read; as it came where it has a column of each name.

    Parameters
    ----------
    frame : data frame or mapping
        Anything else stays as it is.
    kind : str
        What it must be evidence of.
    needed : sequence of sequence of str
        Names, of each of which one must be there.
    design : Settled, optional
        What is known of the splits.
    """
    if not hasattr(frame, "keys") and not hasattr(frame, "columns"):
        return frame, ()
    names = {str(name).strip().lower() for name in (frame.keys() if hasattr(frame, "keys") else frame.columns)}
    if all(not names.isdisjoint(one) for one in needed):
        return frame, ()
    table = table_of(frame)
    told = {name: x for name, x in table.columns.items() if role_of_name(name) == "told"}
    own = replace(table, columns={name: x for name, x in table.columns.items() if name not in told})
    reading = read_as(own, kind=kind)
    found = evidence_of(reading, table.origin, design=design)
    columns = named_for(kind, found.columns)
    n = len(next(iter(columns.values())))
    columns |= {name: np.resize(x[:1], n) for name, x in told.items() if len({*x.tolist()}) == 1}
    return columns, (str(reading),)
