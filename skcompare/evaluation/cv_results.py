"""The ``cv_results_`` of a fitted search -> its candidates, their scores, and the round that is reported."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.record import Frozen
from skcompare._core.text import one_line
from skcompare._core.validation import FloatArray, as_floats, check_name
from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation.labels import candidate_names, value_labels

_SPLIT = re.compile(r"(?s)split(\d+)_test_(.+)")
SEARCH = "search.cv_results_"
_NEAR = 1e-6  # by which means that have one rank may differ
_DECIMAL = re.compile(r"\s*-?\d+,\d+(?:[eE][-+]?\d+)?\s*")
_COUNTER = re.compile(r"|Unnamed: \d+|column \d+|index|level_\d+")
STATISTIC = re.compile(
    r"(?s)(?:split\d+|mean|std|rank)_(?:(?:test|train)_.+|fit_time|score_time)|iter|n_resources|n_repeats"
)
_ABOUT = ("mean_fit_time", "mean_score_time", "std_score_time", "iter", "n_resources")


class Rounds(Frozen):
    """The rounds of a halving search: candidates in each, and which one is reported."""

    sizes: tuple[int, ...]
    resources: tuple[int, ...]
    reported: int


class CvResults(Frozen, eq=False):
    """What ``cv_results_`` tells of the candidates, of a search in rounds those of the one that is reported.

    Attributes
    ----------
    n_rows : int
        Candidates in the table, of all rounds.
    index : ndarray of shape (n_candidates,)
        Where the candidates stand in the table.
    params : tuple of mapping
        Their parameters.
    labels : mapping of str to tuple of str or None
        Of every parameter that varies the candidates' values in words; None where a candidate lacks it.
    names : tuple of str
        The candidates in words, each once.
    keys : list of str
        What the table calls its metrics.
    scores : ndarray of shape (n_candidates, n_splits, n_metrics)
        float64; nan where a fit failed, and for candidates of which every fit did, whatever number stands for that.
    fit_times : ndarray of shape (n_candidates,)
        Mean seconds; nan where they are not there.
    rounds : Rounds or None
        The rounds, where there are some.
    """

    n_rows: int
    index: NDArray[np.intp]
    params: tuple[Mapping[str, Any], ...]
    labels: Mapping[str, tuple[str | None, ...]]
    names: tuple[str, ...]
    keys: list[str]
    scores: FloatArray
    fit_times: FloatArray
    rounds: Rounds | None

    @property
    def warnings(self) -> tuple[CodedWarning, ...]:
        """That earlier rounds chose who came to the one that is reported, where there are some."""
        if self.rounds is None:
            return ()
        sizes, at = self.rounds.sizes, self.rounds.reported
        last = at == len(sizes) - 1
        which = "the last round" if last else f"round {at + 1} of {len(sizes)}, the last with two or more candidates,"
        said = f"{which} is reported, {sizes[at]} candidates on equal terms"
        said += f"; {sizes[0] - sizes[at]} more fell out in earlier rounds, on fewer resources" * bool(at)
        return (Code.SELECTED(f"{said}, and nothing here allows for that choice: confirm the winner on other data."),)


def read_cv_results(results: Mapping[str, Any], *, what: str = SEARCH, n_splits: int | None = None) -> CvResults:
    """Read ``cv_results_``.

    Parameters
    ----------
    results : mapping of str to array, or data frame
        The columns as a fitted search has them, or as they were kept on disk.
    what : str
        What messages call it.
    n_splits : int, optional
        As many as the search itself states.

    Raises
    ------
    ValueError
        If it holds no scores of the same splits for all candidates.
    """
    table = {str(name): results[name] for name in results.keys()}  # noqa: SIM118 - a frame's keys are its columns
    all_params = candidate_params(table, what)
    splits = [*filter(None, map(_SPLIT.fullmatch, table))]
    keys = [match[2] for match in splits if match[1] == "0"]
    if not keys:
        raise ValueError(f"{what} must hold the scores of every split, 'split0_test_score' and so on; got none")
    for key in keys:
        check_name(key, "search.scoring" if what == SEARCH else f"metrics of {what}")
    n_found = 1 + max(int(match[1]) for match in splits)
    if n_splits not in (None, n_found):
        raise ValueError(f"{what} must hold the scores of n_splits_={n_splits!r} splits; got {n_found}")
    if n_found < 2:
        whose = what.removesuffix(".cv_results_")
        raise ValueError(f"{whose} must have scores on at least two splits; got 1, which cannot say how much they vary")
    n_rows = len(all_params)
    scored = [f"split{i}_test_{key}" for key in keys for i in range(n_found)]
    if lacking := [name for name in scored if name not in table]:
        raise ValueError(f"{what} must hold {lacking[0]!r}, as it does for the other splits; got none")
    columns = [*scored, *(name for name in _ABOUT if name in table)]
    own = {name: column_of(table, what, name, n_rows, "candidate") for name in columns}
    scores = np.reshape([own[name] for name in scored], (len(keys), n_found, n_rows)).T
    # Of a candidate of which every fit failed, whatever number stands for that, scoring took no time at all.
    untimed = np.array([own.get(name, np.ones(n_rows)) == 0 for name in _ABOUT[1:3]]).all(axis=0)
    scores[untimed & (scores == scores[:, :1, :1]).all(axis=(1, 2))] = np.nan
    index, rounds = np.arange(n_rows), None
    if "iter" in own:  # the last round with two candidates, of a search that has rounds
        members = [np.flatnonzero(own["iter"] == one) for one in np.unique(own["iter"])]
        reported = max((i for i, member in enumerate(members) if len(member) > 1), default=len(members) - 1)
        resources = own.get("n_resources", np.zeros(n_rows))
        used = tuple(int(resources[member[0]]) for member in members)
        index, rounds = members[reported], Rounds(sizes=(*map(len, members),), resources=used, reported=reported)
    params = tuple(all_params[i] for i in index.tolist())
    # A round names what all rounds varied: what it has in common is how its candidates came to it.
    every = value_labels(all_params, every=rounds is not None)
    named = {name: tuple(column[i] for i in index) for name, column in every.items()}
    return CvResults(
        n_rows=n_rows,
        index=index,
        params=params,
        labels={name: column for name, column in named.items() if rounds is None or len({*column}) > 1},
        names=candidate_names(params, named),
        keys=keys,
        scores=scores[index],
        fit_times=own.get("mean_fit_time", np.full(n_rows, np.nan))[index],
        rounds=rounds,
    )


def column_of(table: Mapping[str, Any], what: str, name: str, n: int, noun: str) -> FloatArray:
    """A column of `n` numbers, one per such as a candidate; ValueError where it is none."""
    called = f"{what}[{name!r}]"
    values = as_floats(table[name], called)
    if values.shape != (n,):
        raise ValueError(f"{called} must hold one number per {noun}, {n}; got shape {values.shape}")
    return values


# ---- what was kept on disk, whose cells may be texts ----------------------------------------------------------


def is_cv_results(table: Any) -> bool:
    """Whether a table has columns that only ``cv_results_`` has."""
    names = [*map(str, table.keys())]
    starts = {start for start in _STARTS for name in names if name.startswith(start)}
    means = {"param", "mean_test_", "rank_test_"} <= starts  # which are refused by who reads them, where they are alone
    part = "mean_test_" in starts and any(map(_is_setting, names))  # some columns of it, and none of another table
    part = part and all(not name or name.startswith(_STARTS) or _is_setting(name) for name in names)
    return means or part or "split0_test_" in starts


_STARTS = ("param", "split", "split0_test_", "mean_", "mean_test_", "std_", "rank_test_", "Unnamed", "column ")


def _is_setting(name: str) -> bool:
    """Whether a column has a parameter, ``param_C``, or ``svc__C`` without its beginning."""
    return name.startswith("param_") or "__" in name


def others_in(table: Mapping[str, Any]) -> dict[str, list[str]]:
    """The cells of the columns that ``cv_results_`` itself does not have, but for those that count its rows."""
    names = [x for x in table if not (STATISTIC.fullmatch(x) or x == "params" or _is_setting(x))]
    cells = {name: [*map(str, table[name])] for name in names}
    return {name: x for name, x in cells.items() if not (_COUNTER.fullmatch(name) and _are_numbers(x))}


def check_one_search(table: Mapping[str, Any]) -> None:
    """ValueError where the rows are of several searches: by a column of names, by ranks or by what stands twice."""
    alone, of_one = "a search must be given alone", "give the rows of one"
    for name, cells in others_in(table).items() if any(name.startswith("param") for name in table) else ():
        if 1 < len({*cells}) < len(cells) and not _are_numbers(cells):
            raise ValueError(f"{alone}; column {name!r} names several: {of_one}")
    numbers = {name: _as_numbers(x) for name, x in table.items() if STATISTIC.fullmatch(name)}
    scores = [x for name, x in numbers.items() if _SPLIT.fullmatch(name)]
    ranked = [name for name in numbers if scores and name.startswith("rank_test_")]
    for name in ranked:
        both = np.array([numbers[name], numbers.get(name.replace("rank", "mean", 1), numbers[name])])
        rank, mean = both[:, np.isfinite(both).all(axis=0)]
        order = np.lexsort((mean, rank))
        if (np.diff(mean[order])[np.diff(rank[order]) == 0] > _NEAR).any():
            raise ValueError(f"{alone}; {name!r} ranks the rows of several, each on its own: {of_one}")
    if "iter" in numbers or ranked:
        return
    settings = [[*map(str, x)] for name, x in table.items() if name == "params" or _is_setting(name)]
    first = dict[tuple[str, ...], tuple[float, ...]]()
    for own, x in zip(zip(*settings, strict=True), zip(*scores, strict=True), strict=False):
        if not np.array_equal(first.setdefault(own, x), x, equal_nan=True):
            of = "earlier rounds, which a column 'iter' tells, or of other searches"
            raise ValueError(f"{alone}; {own[0]:.80} stands twice, with other scores: leave out the rows of {of}")


def candidate_params(table: Mapping[str, Any], what: str) -> tuple[dict[str, Any], ...]:
    """The parameters of every candidate in ``cv_results_``, also as it is kept on disk.

    They are mappings or texts of such; where these cannot be read, the columns ``param_*``, or else the texts.

    Raises
    ------
    ValueError
        If `what`, as messages call it, has none of these.
    """
    given = [*table.get("params", ())]
    read = [*map(literal, given)]
    if read and all(isinstance(one, Mapping) for one in read):
        return tuple({str(name): x for name, x in one.items()} for one in read)
    columns = {name.removeprefix("param_"): [*map(_plain, x)] for name, x in table.items() if _is_setting(name)}
    if columns:
        rows = zip(*columns.values(), strict=True)
        return tuple({name: x for name, x in zip(columns, row, strict=True) if not missing(x)} for row in rows)
    if not given or not all(isinstance(one, str) for one in given):
        wanted = "'params', a mapping per candidate or the text of one, or columns 'param_...'"
        raise ValueError(f"{what} must have {wanted}; got {given!r:.80}")
    return tuple({"params": one_line(one)} for one in given)


def literal(cell: Any) -> Any:
    """Plain values that Python wrote as a text, numpy's numbers and ordered mappings among them; else the cell."""
    try:
        bare = re.sub(r"np\.\w+\(([^()]*)\)", r"\1", cell.strip())
        ordered = re.fullmatch(r"(?s)OrderedDict\((.*)\)", bare)
        return dict(ast.literal_eval(ordered[1])) if ordered else ast.literal_eval(bare)
    except (AttributeError, ValueError, SyntaxError, TypeError, MemoryError, RecursionError):  # no text, or of no value
        return cell


def _as_numbers(cells: Any) -> FloatArray:
    """Cells as numbers, nan where they are none."""
    found = [_plain(cell) for cell in cells]
    return np.array([x if isinstance(x, (int, float, np.number)) else np.nan for x in found], dtype=np.float64)


def _are_numbers(cells: Sequence[str]) -> bool:
    return not any(isinstance(_plain(cell), str) for cell in cells if not missing(cell))


def _plain(cell: Any) -> Any:
    """A cell as the number or truth value that it is the text of; any other as it is."""
    value = literal(cell.replace(",", ".") if isinstance(cell, str) and _DECIMAL.fullmatch(cell) else cell)
    return value if isinstance(value, (bool, int, float, np.generic)) else cell


def missing(cell: Any) -> bool:
    """Whether a cell of a log holds nothing."""
    return str(cell).strip() in {"", "?", "nan", "None", "<NA>", "NaT"}


def number(cell: Any) -> float:
    """A cell as a number, nan where it is none."""
    try:
        return float(cell.replace(",", ".") if isinstance(cell, str) else cell)  # no tool writes thousands
    except (TypeError, ValueError):
        return float("nan")
