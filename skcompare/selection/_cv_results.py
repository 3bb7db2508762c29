"""``cv_results_`` of a fitted search, read column by column."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.printable import check_name
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning

_FIRST_SPLIT = re.compile(r"split0_test_(.+)", re.DOTALL)


def candidate_params(table: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """The parameters of every candidate, by their names."""
    if "params" not in table.keys():  # noqa: SIM118 - a frame's keys are its columns
        raise ValueError("search.cv_results_ must have 'params', a mapping per candidate, as searches do; got none")
    given = list(table["params"])
    if not given or not all(isinstance(of_one, Mapping) for of_one in given):
        raise ValueError(f"search.cv_results_['params'] must hold a mapping per candidate; got {given!r:.80}")
    return tuple({str(name): value for name, value in of_one.items()} for of_one in given)


def metric_keys(table: Mapping[str, Any]) -> list[str]:
    """What the table calls its metrics."""
    keys = [match[1] for match in map(_FIRST_SPLIT.fullmatch, map(str, table.keys())) if match]
    if not keys:
        raise ValueError(
            "search.cv_results_ must hold the scores of every split, 'split0_test_score' and so on; got none"
        )
    return [check_name(key, "search.scoring") for key in keys]


def count_splits(search: Any, table: Mapping[str, Any], key: str) -> int:
    """Number of splits, two or more, that the table has scores of."""
    names = set(table.keys())
    n_splits = 0
    while f"split{n_splits}_test_{key}" in names:
        n_splits += 1
    stated = getattr(search, "n_splits_", n_splits)
    if stated != n_splits:
        raise ValueError(f"search.cv_results_ must hold the scores of n_splits_={stated!r} splits; got {n_splits}")
    if n_splits < 2:
        raise ValueError("search must have scores on at least two splits; got 1, which cannot say how much they vary")
    return n_splits


def metric_scores(table: Mapping[str, Any], key: str, n_splits: int, n_candidates: int) -> FloatArray:
    """Scores by one metric, of shape (n_candidates, n_splits)."""
    names = [f"split{i}_test_{key}" for i in range(n_splits)]
    for name in names:
        if name not in table.keys():  # noqa: SIM118
            raise ValueError(f"search.cv_results_ must hold {name!r}, as it does for the other splits; got none")
    return np.stack([_column(table, name, n_candidates) for name in names], axis=1)


def _column(table: Mapping[str, Any], name: str, n_candidates: int) -> FloatArray:
    try:
        values = np.array(table[name], dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"search.cv_results_[{name!r}] must hold numbers; got {table[name]!r:.80}") from error
    if values.shape != (n_candidates,):
        raise ValueError(
            f"search.cv_results_[{name!r}] must hold one number per candidate, {n_candidates}; got shape {values.shape}"
        )
    return values


def fit_times(table: Mapping[str, Any], n_candidates: int) -> FloatArray:
    if "mean_fit_time" not in table.keys():  # noqa: SIM118
        return np.full(n_candidates, np.nan)
    return _column(table, "mean_fit_time", n_candidates)


# ---- halving --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """The rounds of a halving search: candidates in each, and which one is reported."""

    sizes: tuple[int, ...]
    resources: tuple[int, ...]
    reported: int


def last_round(table: Mapping[str, Any], n_candidates: int) -> tuple[NDArray[np.intp], Rounds | None]:
    """The candidates of the last round with two of them, in a search that has rounds; else all."""
    if "iter" not in table.keys():  # noqa: SIM118
        return np.arange(n_candidates), None
    rounds = _column(table, "iter", n_candidates)
    numbers = np.unique(rounds)
    members = [np.flatnonzero(rounds == number) for number in numbers]
    resources = (
        _column(table, "n_resources", n_candidates) if "n_resources" in table.keys() else np.zeros(n_candidates)  # noqa: SIM118
    )
    several = [i for i, member in enumerate(members) if len(member) > 1]
    reported = several[-1] if several else len(members) - 1
    sizes = tuple(map(len, members))
    return members[reported], Rounds(
        sizes=sizes, resources=tuple(int(resources[member[0]]) for member in members), reported=reported
    )


def halving_warning(rounds: Rounds) -> CodedWarning:
    """That earlier rounds chose who came to the one that is reported."""
    n, at = len(rounds.sizes), rounds.reported
    which = "the last round" if at == n - 1 else f"round {at + 1} of {n}, the last with two or more candidates,"
    before = f"; {_n_out(rounds)} more fell out in earlier rounds, on fewer resources" if at else ""
    return Code.HALVING(
        f"{which} is reported, {rounds.sizes[at]} candidates on equal terms{before}, and nothing here allows "
        f"for that choice."
    )


def _n_out(rounds: Rounds) -> int:
    """Candidates that came in and are not in the round that is reported."""
    return rounds.sizes[0] - rounds.sizes[rounds.reported]
