"""A fitted search -> the names, parameters and scores of its candidates, the design, and what speaks against them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import compress
from numbers import Integral, Real
from typing import Any

import numpy as np
import sklearn
from sklearn.exceptions import NotFittedError

from skcompare._core.design import Design
from skcompare._core.html import cut
from skcompare._core.printable import check_name, one_line
from skcompare._core.validation import FloatArray
from skcompare._core.version import __version__
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import agreeing, counted
from skcompare.evaluation._splits import Splits
from skcompare.selection._choice import Rule
from skcompare.selection._search_design import SearchDesign, search_design
from skcompare.tables.candidate_names import first_of
from skcompare.tables.cv_results import CvResults, Rounds, fit_times, read_cv_results

MAX_WORDS = 300


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class SearchScores:
    """What a search found, as plain arrays and words.

    Attributes
    ----------
    table : CvResults
        The candidates and their scores, read-only.
    metrics : tuple of str
        What they were scored by; greater is better.
    refit_metric : str
        The metric that decides by default.
    fit_times : ndarray of shape (n_candidates,)
        Mean seconds; nan where unknown.
    design : Design
        How the data was resampled.
    splits : Splits or None
        The splits, where they can be drawn again.
    search : str
        The search in words.
    warnings : tuple of CodedWarning
        Reasons to doubt all that is said of it.
    provenance : mapping
        What it takes to run it again.
    """

    table: CvResults
    metrics: tuple[str, ...]
    refit_metric: str
    fit_times: FloatArray
    design: Design
    splits: Splits | None
    search: str
    warnings: tuple[CodedWarning, ...]
    provenance: Mapping[str, Any]


def read_search(search: Any, X: Any, y: Any, groups: Any, test_fraction: float | None) -> SearchScores:
    """Read a fitted search.

    Raises
    ------
    NotFittedError
        If it is not fitted; a ValueError.
    ValueError
        If it has no scores of at least two candidates on at least two splits, or its splits are not known.
    """
    given = _table(search)
    table = read_cv_results(given, n_splits=getattr(search, "n_splits_", None))
    found = search_design(search, table.scores.shape[1], X, y, groups, test_fraction)
    metrics = _metric_names(search, table.keys)
    if len(table.index) < 2:
        raise ValueError(f"search must have compared at least two candidates; got {len(table.index)}")
    found = _subsampled(search, found, table.rounds)
    table, failed = _without_failed(search, table)
    table.scores.setflags(write=False)
    return SearchScores(
        table=table,
        metrics=metrics,
        refit_metric=_refit_metric(search, metrics),
        fit_times=fit_times(given, table.n_rows)[table.index],
        design=found.design,
        splits=found.splits,
        search=_words(search, found.design, len(table.index), table.rounds),
        warnings=(*table.warnings, *found.warnings, *failed),
        provenance=_provenance(search, table.n_rows),
    )


# ---- the table ------------------------------------------------------------------------------------------------


def _table(search: Any) -> Mapping[str, Any]:
    table: Any = None if isinstance(search, type) else getattr(search, "cv_results_", None)
    if table is None and _is_search(search):
        raise NotFittedError(f"search must be fitted; this {type(search).__name__} has no cv_results_: call fit first")
    if not hasattr(table, "keys") or not hasattr(table, "__getitem__"):
        raise ValueError(f"search must be a fitted search with cv_results_; got {_got(search)}")
    found: Mapping[str, Any] = table
    return found


def _is_search(given: Any) -> bool:
    """Whether it could be fitted to have results."""
    asked = ("param_grid", "param_distributions", "search_spaces")
    return not isinstance(given, type) and hasattr(given, "fit") and any(hasattr(given, name) for name in asked)


def _got(given: Any) -> str:
    """What is no search, and where it may hold one."""
    if isinstance(given, type):
        return f"the class {given.__name__}"
    steps = getattr(given, "steps", None)
    last = steps[-1][-1] if isinstance(steps, list) and steps else None
    if hasattr(last, "cv_results_") or _is_search(last):
        return f"a {type(given).__name__}: give its last step, the {type(last).__name__}, as pipeline[-1]"
    return cut(one_line(repr(given)), 80)


def _metric_names(search: Any, keys: list[str]) -> tuple[str, ...]:
    """As in ``cv_results_``, but a single one by the name that `scoring` gives it."""
    scoring = getattr(search, "scoring", None)
    if keys == ["score"] and isinstance(scoring, str) and scoring:
        return (check_name(scoring, "search.scoring"),)
    return tuple(keys)


def _refit_metric(search: Any, metrics: tuple[str, ...]) -> str:
    """The one that `refit` names, itself or as a rule of ours."""
    refit = getattr(search, "refit", None)
    if isinstance(refit, Rule):
        refit = next(iter(refit.asked()), None)
    return refit if isinstance(refit, str) and refit in metrics else metrics[0]


def _without_failed(search: Any, table: CvResults) -> tuple[CvResults, list[CodedWarning]]:
    """The table without what a search gives to fits that fail: it does not keep which are, only their scores."""
    given = getattr(search, "error_score", None)
    if not isinstance(given, Real) or np.isnan(float(given)):
        return table, []
    failed = np.all(table.scores == float(given), axis=2)
    which = list(compress(table.names, failed.any(axis=1)))
    if not which:
        return table, []
    told = Code.FAILED(
        f"{counted(len(which), 'candidate')} ({first_of(which, '; ')}) {agreeing(len(which), 'has', 'have')} nothing "
        f"but {given:g} on some split, which the search gives to fits that fail: taken for missing."
    )
    return replace(table, scores=np.where(failed[:, :, None], np.nan, table.scores)), [told]


# ---- halving --------------------------------------------------------------------------------------------------


def _subsampled(search: Any, found: SearchDesign, rounds: Rounds | None) -> SearchDesign:
    """The design of a round: of the sizes of its subsamples only their ratio is known."""
    if rounds is None or getattr(search, "resource", None) != "n_samples":
        return found
    n_samples = rounds.resources[rounds.reported] or None
    bare = replace(found.design, n_samples=n_samples, train_sizes=(), test_sizes=(), split_hash="")
    return SearchDesign(design=bare, warnings=found.warnings)


# ---- words ----------------------------------------------------------------------------------------------------


def _words(search: Any, design: Design, n_candidates: int, rounds: Rounds | None) -> str:
    """The search in words."""
    shown = f"{type(search).__name__}, {n_candidates} candidates, {design.name}"
    if rounds is None:
        return shown
    n = len(rounds.sizes)
    which = "last round" if rounds.reported == n - 1 else f"round {rounds.reported + 1}"
    return f"{shown}; the {which} of {n}, which began with {rounds.sizes[0]} candidates"


def _provenance(search: Any, n_candidates: int) -> dict[str, Any]:
    """What it takes to run the search again, in words."""
    asked = ("estimator", "param_grid", "param_distributions", "search_spaces", "n_iter", "scoring", "refit")
    halving = ("factor", "resource", "max_resources", "min_resources")
    random_state = getattr(search, "random_state", None)
    return {
        "search": type(search).__name__,
        "cv": _in_words(getattr(search, "cv", None)),
        "random_state": int(random_state) if isinstance(random_state, Integral) else None,
        "n_candidates": n_candidates,
        **{name: _in_words(getattr(search, name)) for name in (*asked, *halving) if hasattr(search, name)},
        "versions": {"skcompare": __version__, "scikit-learn": sklearn.__version__, "numpy": np.__version__},
    }


def _in_words(value: Any) -> str:
    return cut(one_line(_space(value)), MAX_WORDS)


def _space(value: Any) -> str:
    """A grid, distributions or any other argument of a search."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{name}: {_space(item)}' for name, item in value.items())}}}"
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping):
        return f"[{', '.join(map(_space, value))}]"
    if hasattr(value, "dist") and hasattr(value, "args"):  # a frozen distribution of scipy
        given = [*map(str, value.args), *(f"{name}={item}" for name, item in getattr(value, "kwds", {}).items())]
        return f"{getattr(value.dist, 'name', 'distribution')}({', '.join(given)})"
    if isinstance(value, str):
        return value
    return getattr(value, "__name__", repr(value)) if callable(value) else repr(value)
