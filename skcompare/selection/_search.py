"""A fitted search -> the names, parameters and scores of its candidates, the design, and what speaks against them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, compress, starmap
from numbers import Integral, Real
from typing import Any

import numpy as np
import sklearn
from sklearn import model_selection as ms
from sklearn.base import is_classifier
from sklearn.exceptions import NotFittedError

from skcompare._core.design import Design, repeated_folds
from skcompare._core.metrics import check_losses
from skcompare._core.numbers import agreeing, counted, listed
from skcompare._core.record import Frozen, cut
from skcompare._core.text import one_line
from skcompare._core.validation import check_name, check_number
from skcompare._core.version import __version__
from skcompare._core.warnings import Code, CodedWarning, Warnings
from skcompare.evaluation.cautions import misread
from skcompare.evaluation.cv_results import CvResults, Rounds, read_cv_results
from skcompare.evaluation.foreign_code import SCORER
from skcompare.evaluation.halves import BlockedMByTwo
from skcompare.evaluation.input import check_lengths
from skcompare.evaluation.splits import Splits, check_pair, draw_splits
from skcompare.selection._choice import Rule
from skcompare.tables.columns import is_loss
from skcompare.tables.evidence import Directions, directions
from skcompare.tables.logs import recognised
from skcompare.tables.reading import UnclearError
from skcompare.tables.source import Table

# The splitter of a search -> the design of its scores.


_NO_CV = object()
# A fraction that is given may differ by rounding from the one that the splitter tells.
_NEAR = 0.01
MAX_COLUMNS = 80  # letters of their names
MOST_FOLDS = 20  # of one k-fold, where nothing tells how many there were
_STRATIFIED = (ms.StratifiedKFold, ms.RepeatedStratifiedKFold, ms.StratifiedShuffleSplit, ms.StratifiedGroupKFold)


class SearchDesign(Frozen):
    """How the scores of a search were resampled.

    Attributes
    ----------
    design : Design
        Without sizes and hash where the splits are not known.
    splits : Splits or None
        The splits, where they can be drawn again.
    warnings : tuple of CodedWarning
        What is not known of the splits, and what speaks against them.
    """

    design: Design
    splits: Splits | None = None
    warnings: Warnings = ()


def search_design(search: Any, n_splits: int, X: Any, y: Any, groups: Any, test_fraction: float | None) -> SearchDesign:
    """How a search with so many splits was resampled: drawn again from X, or read from the splitter.

    Raises
    ------
    ValueError
        If neither tells the sizes of the training and test sets, or they contradict the scores.
    """
    if test_fraction is not None:
        test_fraction = check_number(test_fraction, "test_fraction", low=0, high=1, closed="neither")
    if X is None and (y is not None or groups is not None):
        raise ValueError(f"X must be given with {'groups' if y is None else 'y'}; got None")
    cv = getattr(search, "cv", _NO_CV)
    found = _told(cv, n_splits) if X is None else _drawn(search, cv, n_splits, X, y, groups)
    if found is None:
        if test_fraction is None:
            used_up = isinstance(cv, Iterator)
            why = "it has been used up" if used_up else "it does not"
            to_draw = X is None and not used_up and cv is not _NO_CV and not isinstance(search, KeptSearch)
            instead = "X and y as they were in fit, or " if to_draw else ""
            raise ValueError(
                f"search.cv must tell the sizes of the training and test sets; got {_cv_words(cv)}, and {why}: give "
                f"{instead}test_fraction"
            )
        found = _in_time(cv, test_fraction) if isinstance(cv, ms.TimeSeriesSplit) else None
        found = found or SearchDesign(design=repeated_folds(n_splits, 1, test_fraction))
    told = found.design.test_fraction
    if test_fraction is not None and abs(test_fraction - told) > _NEAR * told:
        raise ValueError(f"test_fraction must be left out or {told:.4g}, which the splits tell; got {test_fraction:g}")
    if found.design.n_splits != n_splits:
        what = "search.cv must be the splitter" if X is None else "X and y must be the data"
        made = f"{_cv_words(cv)} makes {found.design.n_splits} splits, and cv_results_ has {n_splits}"
        raise ValueError(f"{what} that the search was fitted with; {made}")
    return replace(found, warnings=(*found.warnings, *_unpaired(search, cv, found.warnings)))


def _cv_words(cv: Any) -> str:
    return "no cv" if cv is _NO_CV else one_line(f"{cv!r:.120}")


# ---- drawn from the data --------------------------------------------------------------------------------------


def _drawn(search: Any, cv: Any, n_splits: int, X: Any, y: Any, groups: Any) -> SearchDesign | None:
    """The design of the splits of X; None where the splitter cannot be asked again."""
    n_samples = check_lengths(X, y=y, groups=groups)
    _check_columns(search, X)
    if cv is _NO_CV or isinstance(cv, Iterator):
        return None
    estimator = getattr(search, "estimator", None)
    classify = estimator is not None and is_classifier(estimator)
    by_task = cv is None or isinstance(cv, (Integral, BlockedMByTwo))
    if y is None and (isinstance(cv, _STRATIFIED) or (by_task and classify)):
        raise ValueError("y must be given with X, since the splits of this search depend on the classes; got None")
    told = _told(cv, n_splits)
    if told is not None:
        _check_samples(told.design, n_samples)
    if estimator is None and (cv is None or isinstance(cv, Integral)):  # stratified or not: who knows
        return told and replace(told, design=replace(told.design, n_samples=n_samples))
    splitter = ms.check_cv(cv, y, classifier=classify)
    seeded = is_seeded(splitter)
    if not seeded:
        splitter = copy.deepcopy(splitter)
        splitter.random_state = 0  # any seed gives the sizes; None would draw from numpy's global state
    params = {} if groups is None else {"groups": groups}
    splits = draw_splits(splitter, X, y, n_samples=n_samples, params=params)
    ours = type(splitter).__module__.startswith(("sklearn.", "skcompare."))
    again = splits if ours else draw_splits(splitter, X, y, n_samples=n_samples, params=params)
    found = _of_splits(splits)
    if seeded and again.split_hash == splits.split_hash:
        return found
    return SearchDesign(design=replace(splits.design, split_hash=""), warnings=(_UNSEEDED, *found.warnings))


def is_seeded(splitter: Any) -> bool:
    """Whether a splitter draws the same splits every time, as far as its parameters tell."""
    return isinstance(getattr(splitter, "random_state", 0), Integral) or not getattr(splitter, "shuffle", True)


def _unpaired(search: Any, cv: Any, warnings: Sequence[str] = ()) -> Warnings:
    """A warning where the candidates may have met on different splits.

    scikit-learn's own searches draw the splits once for all candidates; others may draw them for each.
    """
    run = getattr(type(search), "_run_search", None)
    if getattr(run, "__module__", "").startswith("sklearn.") or (is_seeded(cv) and _UNSEEDED not in warnings):
        return ()
    return (
        Code.ASSUMED(
            f"cv draws other splits every time, and a {type(search).__name__} may have drawn them anew for each "
            f"candidate, in which case no test here holds; an integer as random_state rules that out."
        ),
    )


def _of_splits(splits: Splits) -> SearchDesign:
    """The design of splits that are known, and what speaks against them."""
    warnings = list(splits.warnings)
    if max(splits.test_sizes) == 1:
        warnings.append(_ONE_SAMPLE)
    sizes = np.array(splits.train_sizes)
    if len(sizes) > 1 and np.all(np.diff(sizes) > 0) and sizes[-1] >= 1.5 * sizes[0]:
        warnings.append(_GROWING)
    return SearchDesign(design=splits.design, splits=splits, warnings=tuple(warnings))


_UNSEEDED = Code.ASSUMED(
    "cv draws other splits every time, so only their sizes are known; an integer as random_state keeps them."
)
_ONE_SAMPLE = Code.WEAK_METRIC(
    "every test set is one sample, on which r2, ROC AUC, precision, recall and F1 say nothing; believe "
    "accuracy and mean errors only."
)
_GROWING = Code.TIME_ORDER(
    "the training sets grow from split to split, and samples that follow each other in time depend on each "
    "other, which no test here allows for: confirm the winner on later ones."
)


# ---- whether the data is that of the search ------------------------------------------------------------------


def _check_columns(search: Any, X: Any) -> None:
    """ValueError where a refitted search was fitted with other columns."""
    names, columns = getattr(search, "feature_names_in_", None), getattr(X, "columns", None)
    if names is not None and columns is not None and list(names) != list(columns):
        fitted, got = _joined(names), _joined(columns)
        raise ValueError(f"X must have the columns that the search was fitted with, {fitted}; got {got}")
    n_columns, shape = getattr(search, "n_features_in_", None), getattr(X, "shape", None)
    if n_columns is not None and shape is not None and len(shape) == 2 and shape[1] != n_columns:
        raise ValueError(f"X must have the {n_columns} columns that the search was fitted with; got {shape[1]}")


def _check_samples(told: Design, n_samples: int) -> None:
    """ValueError where the splits are known to use all samples, and there are more or fewer."""
    used = [train + test for train, test in zip(told.train_sizes, told.test_sizes, strict=True)]
    known = told.n_samples
    if known not in (None, n_samples) and used and all(size == known for size in used):
        sizes = f"every split of cv uses {known} samples, and X has {n_samples}"
        raise ValueError(f"X must be the data that the search was fitted with; {sizes}")


def _joined(names: Any) -> str:
    return cut(one_line(", ".join(repr(str(name)) for name in names)), MAX_COLUMNS)


# ---- told by the splitter -------------------------------------------------------------------------------------


def _told(cv: Any, n_splits: int) -> SearchDesign | None:
    """The design as the splitter itself tells it; None where it does not."""
    if cv is None or (isinstance(cv, Integral) and not isinstance(cv, bool)):
        return _k_fold(1, 5 if cv is None else int(cv))
    if type(cv) in _TELLERS:
        return _TELLERS[type(cv)](cv, n_splits)
    if isinstance(cv, Iterable) and not hasattr(cv, "split") and not isinstance(cv, (Iterator, str)):
        return _listed(list(cv))
    return None


def _k_fold(n_repeats: int, n_folds: int, *warnings: CodedWarning) -> SearchDesign:
    return SearchDesign(design=repeated_folds(n_repeats, n_folds, 1 / n_folds, partition=True), warnings=warnings)


def _random(cv: Any) -> SearchDesign | None:
    """The design of random splits, where the sizes tell the test fraction."""
    test, train = cv.test_size, cv.train_size
    if isinstance(test, Integral) != isinstance(train, Integral):
        return None
    if test is None:
        test = 0.1 if train is None else 1 - train
    fraction = test / (test + (1 - test if train is None else train))
    return SearchDesign(design=repeated_folds(cv.get_n_splits(), 1, float(fraction)))


def _in_time(cv: Any, test_fraction: float | None = None) -> SearchDesign | None:
    """The design of `TimeSeriesSplit`, whose training sets have on average (k + 1) / 2 times the test size."""
    k, windows = cv.n_splits, cv.max_train_size is not None
    if test_fraction is None and (cv.gap or cv.test_size is not None or windows):
        return None
    design = replace(repeated_folds(1, k, test_fraction or 2 / (k + 3)), time_order=True)
    return SearchDesign(design=design, warnings=() if windows else (_GROWING,))


def _listed(pairs: list[Any]) -> SearchDesign:
    """The design of a list of (train, test) pairs."""
    for i, pair in enumerate(pairs):
        check_pair(pair, i)
    return _read_splits(ms.check_cv(pairs), max([_needed(part) for pair in pairs for part in pair], default=0))


def _read_splits(splitter: Any, n_samples: int) -> SearchDesign:
    return _of_splits(draw_splits(splitter, None, None, n_samples=n_samples, params={}))


def _needed(indices: Any) -> int:
    """The smallest number of samples that has these indices."""
    array = np.asarray(indices)
    if array.dtype == np.bool_:
        return len(array)
    return int(array.max()) + 1 if array.size and np.issubdtype(array.dtype, np.integer) else 0


# From a splitter and the number of splits that there are scores of.
_TELLERS: dict[type, Callable[[Any, int], SearchDesign | None]] = {
    **dict.fromkeys(
        (ms.KFold, ms.StratifiedKFold, ms.GroupKFold, ms.StratifiedGroupKFold), lambda cv, _: _k_fold(1, cv.n_splits)
    ),
    **dict.fromkeys(
        (ms.RepeatedKFold, ms.RepeatedStratifiedKFold), lambda cv, _: _k_fold(cv.n_repeats, cv.cvargs["n_splits"])
    ),
    **dict.fromkeys((ms.ShuffleSplit, ms.StratifiedShuffleSplit), lambda cv, _: _random(cv)),
    BlockedMByTwo: lambda cv, _: _k_fold(cv.m, 2),
    ms.LeaveOneOut: lambda _, n_splits: _k_fold(1, n_splits, _ONE_SAMPLE),
    ms.LeaveOneGroupOut: lambda _, n_splits: _k_fold(1, n_splits),
    ms.TimeSeriesSplit: lambda cv, _: _in_time(cv),
    ms.PredefinedSplit: lambda cv, _: _read_splits(cv, len(cv.test_fold)),
}


MAX_WORDS = 300


class SearchScores(Frozen, eq=False):
    """What a search found, as plain arrays and words.

    Attributes
    ----------
    table : CvResults
        The candidates and their scores, read-only.
    metrics : tuple of str
        What they were scored by; greater is better.
    refit_metric : str
        The metric that decides by default.
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
    estimator : estimator or None
        What the parameters are of, where it is known.
    """

    table: CvResults
    metrics: tuple[str, ...]
    refit_metric: str
    design: Design
    splits: Splits | None
    search: str
    warnings: Warnings
    provenance: Mapping[str, Any]
    estimator: Any


class KeptSearch(Frozen):
    """A search of which a table is left, by the names that a fitted one has.

    Attributes
    ----------
    name : str
        What it was.
    cv_results_ : mapping
        The table.
    scoring : str or None
        What a single metric without a name is called.
    cv : object
        The splitter, where it is told.
    notes : tuple of CodedWarning
        What is to be doubted of the table.
    assumed_design : str
        For what the splits are taken where nothing tells it; else empty.
    """

    name: str
    cv_results_: Mapping[str, Any]
    scoring: str | None
    cv: Any
    notes: Warnings
    assumed_design: str = ""


def kept_search(
    source: Any, cv: Any, metric: str | None, test_fraction: float | None, greater_is_better: Directions
) -> KeptSearch:
    """The search that a table, a file or a study of Optuna holds; of unknown splits those of one k-fold.

    Raises
    ------
    ValueError
        If it holds none, or does not tell what is taken for better, or there are too many splits for one k-fold.
    """
    found = source if isinstance(source, Table) else recognised(source)
    if found is None or found.kind != "search":
        got = cut(one_line(repr(source)), MAX_COLUMNS) if found is None else found.notes[0]
        raise ValueError(f"source must be the cv_results_ of a search, or a study of Optuna; got {got}")
    notes = [note for note in found.notes if isinstance(note, CodedWarning)]
    names = [key.removeprefix("split0_test_") for key in found.columns if key.startswith("split0_test_")]
    if greater_is_better is None and any(note.code == Code.ASSUMED.name for note in notes):
        of_scores = not is_loss(names[0], surely=False)
        raise UnclearError(
            f"{found.origin}: greater_is_better must be given, as trials in a frame lack the direction of their study",
            found.origin,
            [{"greater_is_better": more} for more in (of_scores, not of_scores)],
        )
    parts_of_splits = [key for key in found.columns if key.startswith("split") and "_test_" in key]
    parts = {key.partition("_test_")[2]: found.columns[key] for key in parts_of_splits}
    signs, warnings = directions(tuple(names), greater_is_better, parts)  # positive errors are losses
    columns: dict[str, Any] = {}
    losses = {name for name, more in zip(names, signs, strict=True) if not more}
    for key, values in found.columns.items():
        split, _, name = key.partition("_test_")
        loss = split.startswith("split") and name in losses
        columns[f"{split}_test_neg_{name}" if loss else key] = -values if loss else values
    assumed = ""
    if cv is None and test_fraction is None:
        cv = len({key.partition("_test_")[0] for key in parts_of_splits})
        repeats = int(found.columns.get("n_repeats", [1])[0])
        if cv > MOST_FOLDS * repeats:
            designs = [f"{cv // 10}x10"] * (cv % 10 == 0) + [f"{cv} random splits, 20% tested"]
            raise UnclearError(
                f"{found.origin}: cv must be given for {cv} splits, or test_fraction for random ones",
                found.origin,
                [{"design": design} for design in designs],
            )
        assumed = f"{cv}-fold cross-validation" if repeats == 1 else f"{repeats}x{cv // repeats} cross-validation"
        taken = f"the {cv} splits are taken for those of one {assumed}"
        cv = cv if repeats == 1 else ms.RepeatedKFold(n_splits=cv // repeats, n_repeats=repeats, random_state=0)
        warnings = (Code.ASSUMED(f"{taken}: give cv or test_fraction where they are others."), *warnings)
    return KeptSearch(
        name=found.notes[0].rstrip(".") if found.notes else "A search",
        cv_results_=columns,
        scoring=metric if names == ["score"] else None,
        cv=_NO_CV if cv is None else cv,
        notes=(*(note for note in notes if note.code != Code.ASSUMED.name), *warnings),
        assumed_design=assumed,
    )


def read_search(search: Any, X: Any, y: Any, groups: Any, test_fraction: float | None) -> SearchScores:
    """Read a fitted search.

    Raises
    ------
    NotFittedError
        If it is not fitted; a ValueError.
    ValueError
        If it has no scores of at least two candidates on at least two splits, or its splits are not known.
    """
    given, notes = _table(search)
    table = read_cv_results(given, n_splits=getattr(search, "n_splits_", None))
    found = search_design(search, table.scores.shape[1], X, y, groups, test_fraction)
    metrics, scoring = tuple(table.keys), getattr(search, "scoring", None)
    if metrics == ("score",) and isinstance(scoring, str) and scoring:
        metrics = (check_name(scoring, "search.scoring"),)
    if len(table.index) < 2:
        raise ValueError(f"search must have compared at least two candidates; got {len(table.index)}")
    design, splits, rounds = found.design, found.splits, table.rounds
    if rounds is not None and getattr(search, "resource", None) == "n_samples":
        # Of the sizes of the subsamples of halving only their ratio is known.
        n_samples = rounds.resources[rounds.reported] or None
        design = replace(design, n_samples=n_samples, train_sizes=(), test_sizes=(), split_hash="")
        splits = None
    table, failed = _without_failed(search, table)
    check_losses(metrics, (True,) * len(metrics), table.scores)
    table.scores.setflags(write=False)
    scorers = _scorers(search, metrics)
    told = (*chain(*starmap(misread, scorers.items())), *_of_other_classes(search, scorers))
    return SearchScores(
        table=table,
        metrics=metrics,
        refit_metric=_refit_metric(search, metrics),
        design=design,
        splits=splits,
        search=_words(search, design, len(table.index), rounds),
        warnings=(*table.warnings, *notes, *found.warnings, *failed, *told),
        provenance=_provenance(search, table.n_rows),
        estimator=getattr(search, "estimator", None),
    )


# ---- the table ------------------------------------------------------------------------------------------------


def _table(search: Any) -> tuple[Mapping[str, Any], Warnings]:
    """The table of a fitted search, of Optuna's that of its study; and what is to be doubted of it."""
    study = None if isinstance(search, type) else getattr(search, "study_", None)
    if study is not None and (found := recognised(study)) is not None:
        return found.columns, tuple(note for note in found.notes if isinstance(note, CodedWarning))
    table: Any = None if isinstance(search, type) else getattr(search, "cv_results_", None)
    if table is None and _is_search(search):
        raise NotFittedError(f"search must be fitted; this {type(search).__name__} has no cv_results_: call fit first")
    if not hasattr(table, "keys") or not hasattr(table, "__getitem__"):
        raise ValueError(f"search must be a fitted search with cv_results_; got {_got(search)}")
    return table, getattr(search, "notes", ())


def _is_search(given: Any) -> bool:
    """Whether an object is a search, fitted or not."""
    asked = ("param_grid", "param_distributions", "search_spaces")
    return not isinstance(given, type) and hasattr(given, "fit") and any(hasattr(given, name) for name in asked)


def _got(given: Any) -> str:
    """Words for an object that is no search, and where a search may be in it."""
    if isinstance(given, type):
        return f"the class {given.__name__}"
    steps = getattr(given, "steps", None)
    last = steps[-1][-1] if isinstance(steps, list) and steps else None
    if hasattr(last, "cv_results_") or _is_search(last):
        return f"a {type(given).__name__}: give its last step, the {type(last).__name__}, as pipeline[-1]"
    return cut(one_line(repr(given)), 80)


def _scorers(search: Any, metrics: tuple[str, ...]) -> Mapping[str, Any]:
    """The scorers of a fitted search that are of scikit-learn's class, by metric."""
    found = getattr(search, "scorer_", None)
    found = getattr(found, "_scorers", found)  # of several metrics
    named = found if isinstance(found, dict) else {metrics[0]: found}
    return {name: scorer for name, scorer in named.items() if type(scorer) is SCORER}


def _of_other_classes(search: Any, scorers: Mapping[str, Any]) -> Iterator[CodedWarning]:
    """Which metrics scikit-learn scored by the predictions for the class that an earlier one names: it keeps one."""
    classes = getattr(search, "classes_", np.array([None, None]))
    kept = dict[str, tuple[str, Any]]()
    for name, scorer in scorers.items() if getattr(classes, "shape", ()) == (2,) else ():
        method, label = scorer._response_method, scorer._get_pos_label()
        if not isinstance(method, str):
            method = next(filter(partial(hasattr, getattr(search, "estimator", None)), method), "predict")
        label = classes[-1] if label is None else label
        first, taken = kept.setdefault(method, (name, label))
        if method != "predict" and label != taken and None not in (label, taken):
            wrong = f"scikit-learn scored {name} by the predictions for class {taken!s}, as {first}, not for {label!s}"
            yield Code.ASSUMED(f"{wrong}: search by {name} alone.", about=[name])


def _refit_metric(search: Any, metrics: tuple[str, ...]) -> str:
    """The metric that `refit` names, or a refit rule of this package asks for."""
    refit = getattr(search, "refit", None)
    if isinstance(refit, Rule):
        refit = next(iter(refit.asked()), None)
    return refit if isinstance(refit, str) and refit in metrics else metrics[0]


def _without_failed(search: Any, table: CvResults) -> tuple[CvResults, list[CodedWarning]]:
    """The table with missing scores where every metric has `error_score`, by which a failed fit is recognised."""
    given = getattr(search, "error_score", None)
    if not isinstance(given, Real) or np.isnan(float(given)):
        return table, []
    failed = np.all(table.scores == float(given), axis=2)
    which = list(compress(table.names, failed.any(axis=1)))
    if not which:
        return table, []
    told = Code.MISSING_SCORES(
        f"{counted(len(which), 'candidate')} ({listed(which, 3)}) {agreeing(len(which), 'has', 'have')} nothing "
        f"but {given:g} on some split, which the search gives to fits that fail: taken for missing."
    )
    return replace(table, scores=np.where(failed[:, :, None], np.nan, table.scores)), [told]


# ---- words ----------------------------------------------------------------------------------------------------


def _words(search: Any, design: Design, n_candidates: int, rounds: Rounds | None) -> str:
    """The search in words."""
    kept = isinstance(search, KeptSearch)
    shown = f"{search.name if kept else type(search).__name__}, {n_candidates:,} candidates, {design.name}"
    if rounds is None:
        return shown
    n = len(rounds.sizes)
    which = "last round" if rounds.reported == n - 1 else f"round {rounds.reported + 1}"
    return f"{shown}; the {which} of {n}, which began with {rounds.sizes[0]:,} candidates"


def _provenance(search: Any, n_candidates: int) -> dict[str, Any]:
    """What it takes to run the search again, in words."""
    asked = ("estimator", "param_grid", "param_distributions", "search_spaces", "n_iter", "scoring", "refit")
    halving = ("factor", "resource", "max_resources", "min_resources")
    random_state, cv = getattr(search, "random_state", None), getattr(search, "cv", _NO_CV)
    return {
        "search": search.name if isinstance(search, KeptSearch) else type(search).__name__,
        "cv": "not known" if cv is _NO_CV else _in_words(cv),
        "random_state": int(random_state) if isinstance(random_state, Integral) else None,
        "n_candidates": n_candidates,
        **({"assumed_design": assumed} if (assumed := getattr(search, "assumed_design", "")) else {}),
        **{name: _in_words(getattr(search, name)) for name in (*asked, *halving) if hasattr(search, name)},
        "versions": {"skcompare": __version__, "scikit-learn": sklearn.__version__, "numpy": np.__version__},
    }


def _in_words(value: Any) -> str:
    return cut(one_line(_space(value)), MAX_WORDS)


def _space(value: Any) -> str:
    """An argument of a search in words: a grid, distributions or another value."""
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
