"""``cv_results_`` of a fitted search, read column by column."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.printable import check_name
from skcompare._core.validation import FloatArray, as_floats
from skcompare._core.warnings import Code, CodedWarning
from skcompare.tables.candidate_names import candidate_names, value_labels

_FIRST_SPLIT = re.compile(r"split0_test_(.+)", re.DOTALL)
SEARCH = "search.cv_results_"


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class CvResults:
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
    rounds: Rounds | None

    @property
    def warnings(self) -> tuple[CodedWarning, ...]:
        """Reasons to doubt all that is said of them."""
        return () if self.rounds is None else (_halving_warning(self.rounds),)


def read_cv_results(
    table: Mapping[str, Any], *, what: str = SEARCH, n_splits: int | None = None, names: Sequence[str] | None = None
) -> CvResults:
    """Read ``cv_results_``.

    Parameters
    ----------
    table : mapping or data frame
        The columns.
    what : str
        What messages call it.
    n_splits : int, optional
        As many as the search itself states.
    names : sequence of str, optional
        One per row, in place of the parameters.

    Raises
    ------
    ValueError
        If it holds no scores of the same splits for all candidates.
    """
    keys = _metric_keys(table, what)
    if names is None:
        all_params = _candidate_params(table, what)
    else:
        all_params = ({},) * len(table[f"split0_test_{keys[0]}"])
        if len(names) != len(all_params):
            raise ValueError(f"names must be one per candidate of {what}, {len(all_params)}; got {len(names)}")
    n_rows = len(all_params)
    n_splits = _count_splits(table, what, keys[0], n_splits)
    scores = np.stack([_metric_scores(table, what, key, n_splits, n_rows) for key in keys], axis=2)
    scores[_never_scored(table, scores)] = np.nan
    index, rounds = _last_round(table, what, n_rows)
    params = tuple(all_params[i] for i in index)
    # A round names what all rounds varied: what it has in common is how its candidates came to it.
    named = {
        name: tuple(column[i] for i in index)
        for name, column in value_labels(all_params, every=rounds is not None).items()
    }
    labels = named if rounds is None else {name: column for name, column in named.items() if len(set(column)) > 1}
    return CvResults(
        n_rows=n_rows,
        index=index,
        params=params,
        labels=labels,
        names=candidate_names(params, named) if names is None else tuple(names[i] for i in index),
        keys=keys,
        scores=scores[index],
        rounds=rounds,
    )


def is_cv_results(table: Any) -> bool:
    """Whether a table has columns that only ``cv_results_`` has."""
    return any(_FIRST_SPLIT.fullmatch(str(key)) for key in table.keys())  # noqa: SIM118 - a frame's keys are its columns


def _candidate_params(table: Mapping[str, Any], what: str) -> tuple[Mapping[str, Any], ...]:
    """The parameters of every candidate, by their names."""
    if "params" not in table.keys():  # noqa: SIM118
        raise ValueError(f"{what} must have 'params', a mapping per candidate, as searches do; got none")
    given = list(table["params"])
    if not given or not all(isinstance(of_one, Mapping) for of_one in given):
        raise ValueError(f"{what}['params'] must hold a mapping per candidate; got {given!r:.80}")
    return tuple({str(name): value for name, value in of_one.items()} for of_one in given)


def _metric_keys(table: Mapping[str, Any], what: str) -> list[str]:
    """What the table calls its metrics."""
    keys = [match[1] for match in map(_FIRST_SPLIT.fullmatch, map(str, table.keys())) if match]
    if not keys:
        raise ValueError(f"{what} must hold the scores of every split, 'split0_test_score' and so on; got none")
    return [check_name(key, "search.scoring" if what == SEARCH else f"metrics of {what}") for key in keys]


def _count_splits(table: Mapping[str, Any], what: str, key: str, stated: int | None) -> int:
    """Number of splits, two or more, that the table has scores of."""
    names = set(table.keys())
    n_splits = next(i for i in count() if f"split{i}_test_{key}" not in names)
    if stated not in (None, n_splits):
        raise ValueError(f"{what} must hold the scores of n_splits_={stated!r} splits; got {n_splits}")
    if n_splits < 2:
        whose = what.removesuffix(".cv_results_")
        raise ValueError(f"{whose} must have scores on at least two splits; got 1, which cannot say how much they vary")
    return n_splits


def _metric_scores(table: Mapping[str, Any], what: str, key: str, n_splits: int, n_candidates: int) -> FloatArray:
    """Scores by one metric, of shape (n_candidates, n_splits)."""
    names = [f"split{i}_test_{key}" for i in range(n_splits)]
    for name in names:
        if name not in table.keys():  # noqa: SIM118
            raise ValueError(f"{what} must hold {name!r}, as it does for the other splits; got none")
    return np.stack([_column(table, what, name, n_candidates) for name in names], axis=1)


def _never_scored(table: Mapping[str, Any], scores: FloatArray) -> NDArray[np.bool_]:
    """The candidates of which every fit failed, whatever number stands for that: scoring them took no time at all."""
    names = {"mean_score_time", "std_score_time"} & {*table.keys()}
    times = [np.asarray(table[name]) for name in names]
    if len(times) < 2 or any(column.shape != scores.shape[:1] for column in times):
        return np.zeros(len(scores), dtype=bool)
    untimed = (times[0] == 0) & (times[1] == 0)
    return np.asarray(untimed & (scores == scores[:, :1, :1]).all(axis=(1, 2)))


def _column(table: Mapping[str, Any], what: str, name: str, n_candidates: int) -> FloatArray:
    values = as_floats(table[name], f"{what}[{name!r}]")
    if values.shape != (n_candidates,):
        raise ValueError(
            f"{what}[{name!r}] must hold one number per candidate, {n_candidates}; got shape {values.shape}"
        )
    return values


def fit_times(table: Mapping[str, Any], n_candidates: int) -> FloatArray:
    if "mean_fit_time" not in table.keys():  # noqa: SIM118
        return np.full(n_candidates, np.nan)
    return _column(table, SEARCH, "mean_fit_time", n_candidates)


# ---- halving --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """The rounds of a halving search: candidates in each, and which one is reported."""

    sizes: tuple[int, ...]
    resources: tuple[int, ...]
    reported: int


def _last_round(table: Mapping[str, Any], what: str, n_candidates: int) -> tuple[NDArray[np.intp], Rounds | None]:
    """The candidates of the last round with two of them, in a search that has rounds; else all."""
    if "iter" not in table.keys():  # noqa: SIM118
        return np.arange(n_candidates), None
    rounds = _column(table, what, "iter", n_candidates)
    numbers = np.unique(rounds)
    members = [np.flatnonzero(rounds == number) for number in numbers]
    known = "n_resources" in table.keys()  # noqa: SIM118
    resources = _column(table, what, "n_resources", n_candidates) if known else np.zeros(n_candidates)
    reported = max((i for i, member in enumerate(members) if len(member) > 1), default=len(members) - 1)
    used = tuple(int(resources[member[0]]) for member in members)
    return members[reported], Rounds(sizes=tuple(map(len, members)), resources=used, reported=reported)


def _halving_warning(rounds: Rounds) -> CodedWarning:
    """That earlier rounds chose who came to the one that is reported."""
    n, at = len(rounds.sizes), rounds.reported
    which = "the last round" if at == n - 1 else f"round {at + 1} of {n}, the last with two or more candidates,"
    n_out = rounds.sizes[0] - rounds.sizes[at]  # of those that came in
    before = f"; {n_out} more fell out in earlier rounds, on fewer resources" if at else ""
    return Code.HALVING(
        f"{which} is reported, {rounds.sizes[at]} candidates on equal terms{before}, and nothing here allows "
        f"for that choice."
    )
