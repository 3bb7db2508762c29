"""A result from what scikit-learn's `cross_validate` returned, or from the ``cv_results_`` of a search."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from math import isclose
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context

from skcompare._core.design import Design
from skcompare._core.html import cut
from skcompare._core.printable import check_name, one_line, some_names
from skcompare._core.validation import FloatArray, as_floats, check_integer
from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation.splits import IndexArray, Splits, check_indices, splits_from_pairs
from skcompare.results import EvaluationResult
from skcompare.tables.evidence import design_of_scores, directions, same_splits
from skcompare.tables.searches import candidate_params

# The parameters of candidates -> short labels of their values, and a name for each candidate.


MAX_VALUE = 40
MAX_NAME = 120
MAX_NAMED = 3
_NO_WORDS = {"None", "True", "False", "nan", "inf"}


def value_labels(params: Sequence[Mapping[str, Any]], *, every: bool = False) -> dict[str, tuple[str | None, ...]]:
    """For every parameter that varies the label of each candidate's value; None where a candidate lacks it.

    With `every` for all parameters.

    Different values have different labels, equal ones the same.
    """
    found = {}
    for name in dict.fromkeys(name for of_one in params for name in of_one):
        # The values of a grid are one object in all candidates: each is looked at once.
        by_id = {id(of_one[name]): of_one[name] for of_one in params if name in of_one}
        keys = {place: value_key(value) for place, value in by_id.items()}
        if not every and len(set(keys.values())) < 2 and all(name in of_one for of_one in params):
            continue
        first = {keys[place]: by_id[place] for place in reversed(by_id)}  # of equal values the first one
        labels = _distinct_labels(dict(reversed(first.items())))
        found[name] = tuple(labels[keys[id(one[name])]] if name in one else None for one in params)
    return found


def candidate_names(params: Sequence[Mapping[str, Any]], labels: Mapping[str, Sequence[str | None]]) -> tuple[str, ...]:
    """``parameter=value, ...`` of the parameters that vary, all different, of bounded length."""
    parts = [[f"{name}={x[i]}" for name, x in labels.items() if x[i] is not None] for i in range(len(params))]
    return tuple(_different([cut(one_line(", ".join(of_one)) or "default parameters", MAX_NAME) for of_one in parts]))


def first_of(names: Sequence[str], separator: str = ", ") -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - MAX_NAMED:,} more" if len(names) > MAX_NAMED else ""
    return f"{separator.join(names[:MAX_NAMED])}{more}"


def value_key(value: Any) -> Hashable:
    """What equal values of a parameter have in common, also of those that cannot be hashed."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value != value:
        return ("float", "nan")
    if value is None or isinstance(value, (bool, str, bytes)):
        return (type(value).__name__, value)
    if isinstance(value, (int, float, complex)):
        return ("number", value)
    if isinstance(value, np.ndarray):
        return ("array", value.shape, tuple(map(value_key, value.ravel().tolist())))
    if isinstance(value, (list, tuple)):
        return ("sequence", *map(value_key, value))
    if isinstance(value, Mapping):
        return ("mapping", *((value_key(key), value_key(item)) for key, item in value.items()))
    if isinstance(value, type):
        return ("class", value)
    if callable(getattr(value, "get_params", None)):
        return (type(value), value_key(value.get_params(deep=False)))
    return ("object", id(value))


def value_label(value: Any) -> str:
    """A value in a few characters: a bare word, a short number, a class with its changed parameters."""
    return cut(one_line(_label(value)), MAX_VALUE)


def _label(value: Any) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, str):
        word = value.replace("-", "_").replace(".", "_")
        return value if word.isidentifier() and value not in _NO_WORDS else repr(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(_label, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, list):
        return f"[{', '.join(map(_label, value))}]"
    if isinstance(value, np.ndarray):
        return f"array({_label(value.tolist())})" if value.size <= MAX_VALUE else f"array of shape {value.shape}"
    if isinstance(value, partial):
        return f"partial({_label(value.func)})"
    if callable(getattr(value, "get_params", None)) and not isinstance(value, type):
        with config_context(print_changed_only=True):
            return repr(value)
    if callable(value) and hasattr(value, "__name__"):
        return str(value.__name__)
    shown = repr(value)
    return f"{type(value).__name__}()" if " at 0x" in shown else shown


def _distinct_labels(values: Mapping[Hashable, Any]) -> dict[Hashable, str]:
    """A label for each value; those that look alike in short are written at length, or else numbered."""
    plain = {key: value.item() if isinstance(value, np.generic) else value for key, value in values.items()}
    labels = {key: value_label(value) for key, value in plain.items()}
    short = Counter(labels.values())
    for key, value in plain.items():
        if isinstance(value, float) and math.isfinite(value) and short[value_label(value)] > 1:
            labels[key] = repr(value)
    return dict(zip(labels, _different([*labels.values()]), strict=True))


def _different(names: Sequence[str]) -> list[str]:
    """The names, the second and later ones of several equal ones with a number."""
    taken: dict[str, None] = {}
    counts = Counter(dict.fromkeys(names, 1))
    for name in names:
        new = name
        while new in taken:
            counts[name] += 1
            new = f"{name} #{counts[name]}"
        taken[new] = None
    return [*taken]


# ``cv_results_`` of a fitted search, read column by column.


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
    table = {str(key): table[key] for key in table.keys()}  # noqa: SIM118 - a frame's keys are its columns
    keys = [match[1] for match in map(_FIRST_SPLIT.fullmatch, table) if match]
    if not keys:
        raise ValueError(f"{what} must hold the scores of every split, 'split0_test_score' and so on; got none")
    for key in keys:
        check_name(key, "search.scoring" if what == SEARCH else f"metrics of {what}")
    rows = len(np.atleast_1d(table[f"split0_test_{keys[0]}"]))
    all_params = candidate_params(table, what) if names is None else ({},) * rows
    n_rows = len(all_params)
    if names is not None and len(names) != n_rows:
        raise ValueError(f"names must be one per candidate of {what}, {n_rows}; got {len(names)}")
    n_found = next(i for i in count() if f"split{i}_test_{keys[0]}" not in table)
    if n_splits not in (None, n_found):
        raise ValueError(f"{what} must hold the scores of n_splits_={n_splits!r} splits; got {n_found}")
    if n_found < 2:
        whose = what.removesuffix(".cv_results_")
        raise ValueError(f"{whose} must have scores on at least two splits; got 1, which cannot say how much they vary")
    columns = [[f"split{i}_test_{key}" for i in range(n_found)] for key in keys]
    lacking = [name for of_key in columns for name in of_key if name not in table]
    if lacking:
        raise ValueError(f"{what} must hold {lacking[0]!r}, as it does for the other splits; got none")
    scores = np.array([[_column(table, what, name, n_rows) for name in of_key] for of_key in columns]).T
    scores[_never_scored(table, scores)] = np.nan
    index, rounds = _last_round(table, what, n_rows)
    params = tuple(all_params[i] for i in index)
    # A round names what all rounds varied: what it has in common is how its candidates came to it.
    every = value_labels(all_params, every=rounds is not None)
    named = {name: tuple(column[i] for i in index) for name, column in every.items()}
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


def _never_scored(table: Mapping[str, Any], scores: FloatArray) -> NDArray[np.bool_]:
    """The candidates of which every fit failed, whatever number stands for that: scoring them took no time at all."""
    times = [np.asarray(table[name]) for name in ("mean_score_time", "std_score_time") if name in table]
    if len(times) < 2 or any(column.shape != scores.shape[:1] for column in times):
        return np.zeros(len(scores), dtype=bool)
    untimed = (times[0] == 0) & (times[1] == 0)
    return np.asarray(untimed & (scores == scores[:, :1, :1]).all(axis=(1, 2)))


def _column(table: Mapping[str, Any], what: str, name: str, n_candidates: int) -> FloatArray:
    called = f"{what}[{name!r}]"
    values = as_floats(table[name], called)
    if values.shape != (n_candidates,):
        raise ValueError(f"{called} must hold one number per candidate, {n_candidates}; got shape {values.shape}")
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
    if "iter" not in table:
        return np.arange(n_candidates), None
    rounds = _column(table, what, "iter", n_candidates)
    numbers = np.unique(rounds)
    members = [np.flatnonzero(rounds == number) for number in numbers]
    known = "n_resources" in table
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
    return Code.SELECTED(
        f"{which} is reported, {rounds.sizes[at]} candidates on equal terms{before}, and nothing here allows "
        f"for that choice: confirm the winner on other data."
    )


Pair = tuple[IndexArray, IndexArray]
Pairs = tuple[Pair, ...]
_TEST = "test_"
_TIMES = ("fit_time", "score_time")
_NEAR = 0.01  # a test fraction that is told may differ so much from one over the folds by rounding and unequal folds
# How to know the splits.
_REMEDY = "cross_validate(..., return_indices=True) gives the splits"
_REMEDY_OF_SEARCH = "SearchReport.from_search reads the splits of the search itself"


def from_cross_validate(
    results: Mapping[str, Any],
    *,
    scoring: str | None = None,
    names: Sequence[str] | None = None,
    greater_is_better: bool | Mapping[str, bool] | None = None,
    n_samples: int | None = None,
    n_folds: int | None = None,
    test_fraction: float | None = None,
) -> EvaluationResult:
    """A result from the dicts that scikit-learn's `cross_validate` returned, one per model.

    Parameters
    ----------
    results : mapping of model to dict or array, or the ``cv_results_`` of a search
        An array is what `cross_val_score` returned, and stands for ``{"test_score": array}``.
        With ``return_indices=True`` in all calls the splits are compared: all models must have met the same ones. The
        design is read from them, repeats and folds are recognised. Dicts without indices do not tell whether the
        splits were the same; a warning asks to make sure of it, and the sizes are to be given. Of ``cv_results_``,
        or a table with its columns ``split0_test_score`` and so on, every candidate is a model; it has no indices.
        Training scores and estimators are not read.
    scoring : str, optional
        What a single metric, ``"test_score"``, is called; "score" by default.
    names : sequence of str, optional
        Of the candidates in ``cv_results_``, one per row; by default made of the parameters that vary.
    greater_is_better : bool or mapping of metric to bool, optional
        As in `from_frame`. The scorers of scikit-learn are all better when greater.
    n_samples : int, optional
        Samples in the data set; by default as many as the indices name, without indices unknown.
    n_folds : int, optional
        Without indices: test sets per repeat of (repeated) k-fold cross-validation.
    test_fraction : float, optional
        Without indices: test size over train plus test size, in (0, 1); by default one over `n_folds`. Without
        `n_folds` the splits are random ones.

    Returns
    -------
    EvaluationResult
        Without predictions: the procedures that need them say so. Scores that are nan, as `error_score` makes them
        where a fit failed, are left out pair by pair, and each test says so.

    Raises
    ------
    ValueError
        If there is no model, they differ in their splits, their number or their metrics, some have
        indices and some have not, or the sizes of the splits are not known.

    See Also
    --------
    from_frame : a result from a table of scores.
    merge : one result of several.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import StratifiedKFold, cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import skcompare as skc
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cv = StratifiedKFold(10, shuffle=True, random_state=0)
    >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
    >>> dicts = {name: cross_validate(model, X, y, cv=cv, return_indices=True) for name, model in models.items()}
    >>> result = skc.from_cross_validate(dicts, scoring="accuracy")
    >>> result.design.name, result.warnings
    ('10-fold cross-validation', ())
    """
    if not hasattr(results, "keys") or not hasattr(results, "__getitem__"):
        got = one_line(repr(results))
        raise ValueError(f"results must map names of models to dicts of cross_validate; got {got:.80}")
    source, remedy, warnings = "dicts of cross_validate", _REMEDY, tuple[CodedWarning, ...]()
    if is_cv_results(results):
        own = None if names is None else _checked_names(names, "names")
        found, names = read_cv_results(results, what="results", names=own), None
        source, remedy, warnings = "cv_results_ of a search", _REMEDY_OF_SEARCH, found.warnings
        results = {
            name: {_TEST + key: x for key, x in zip(found.keys, scores.T, strict=True)}
            for name, scores in zip(found.names, found.scores, strict=True)
        }
    if names is not None:
        raise ValueError(f"names must be None where results has the names of the models; got {names!r:.80}")
    read = _read(results)
    if not np.isfinite(read.scores).any():
        raise ValueError("results must hold finite scores; all are missing or infinite")
    metrics = _metric_names(read.metrics, scoring)
    signs, of_directions = directions(metrics, greater_is_better)
    splits = _shared_splits(read, n_samples)
    if splits is None:
        design = _design(read.scores.shape[1], n_samples, n_folds, test_fraction, remedy)
        of_splits = same_splits(read.models, f"there are no indices of them. {remedy}")
    else:
        for name, value in {"n_folds": n_folds, "test_fraction": test_fraction}.items():
            if value is not None:
                raise ValueError(f"{name} must be None where results have indices, which tell it; got {value!r}")
        design, of_splits = splits.design_of_scores, splits.warnings
    return EvaluationResult(
        estimators=read.models,
        metrics=metrics,
        greater_is_better=signs,
        design=design,
        scores=read.scores,
        fit_times=read.times[0],
        score_times=read.times[1],
        warnings=(*of_splits, *warnings, *of_directions),
        provenance={"source": source},
        single_metric=read.metrics == ("score",),
        kept_splits=splits,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class _Read:
    """Scores of shape (n_models, n_splits, n_metrics), seconds of fits and of scoring, and each model's splits."""

    models: tuple[str, ...]
    metrics: tuple[str, ...]
    scores: FloatArray
    times: tuple[FloatArray, ...]
    indices: tuple[Pairs | None, ...]


def _checked_names(names: Any, what: str) -> list[str]:
    listed: list[Any] = list(names) if not isinstance(names, str) and hasattr(names, "__iter__") else [None]
    if not all(isinstance(name, str) and name for name in listed) or len(set(listed)) < len(listed):
        raise ValueError(f"{what} must be non-empty strings, each once; got {names!r:.80}")
    return [check_name(name, what) for name in listed]


# ---- dicts of cross_validate ----------------------------------------------------------------------------------


def _read(results: Mapping[str, Any]) -> _Read:
    keys = list(results.keys())
    if any(str(key).startswith(_TEST) or key in _TIMES for key in keys):
        raise ValueError(
            "results must map names of models to dicts, {'a': cross_validate(a, ...), 'b': cross_validate(b, ...)}; "
            f"got the dict of one model, with {some_names(list(map(str, keys)))}"
        )
    models = _checked_names(keys, "names of models in results")
    if not models:
        raise ValueError("results must hold one or more models; got none")
    dicts = [_as_dict(results[name]) for name in keys]
    metrics = _own_metrics(models[0], dicts[0])
    tables: list[FloatArray] = []
    for name, table in zip(models, dicts, strict=True):
        if {*(own := _own_metrics(name, table))} != {*metrics}:
            both = f"{models[0]!r} has {some_names(metrics)}, {name!r} has {some_names(own)}"
            raise ValueError(f"results must have the same metrics of all models; {both}")
        tables.append(np.stack([_split_scores(name, table, _TEST + metric) for metric in metrics], axis=1))
        if len(tables[-1]) != len(tables[0]):
            both = f"{models[0]!r} has {len(tables[0])}, {name!r} has {len(tables[-1])}"
            raise ValueError(f"results must have as many splits of every model; {both}")
    n_splits, pairs = len(tables[0]), [*zip(models, dicts, strict=True)]
    return _Read(
        models=tuple(models),
        metrics=metrics,
        scores=np.stack(tables),
        times=tuple(np.array([_times(name, table, time, n_splits) for name, table in pairs]) for time in _TIMES),
        indices=tuple(_pairs(name, table, n_splits) for name, table in pairs),
    )


def _as_dict(found: Any) -> Any:
    """An array of `cross_val_score` as the dict that `cross_validate` makes of it; anything else as it is."""
    numbers = isinstance(found, (list, tuple)) or (hasattr(found, "dtype") and np.ndim(found) == 1)
    return {f"{_TEST}score": found} if numbers else found


def _own_metrics(name: str, table: Any) -> tuple[str, ...]:
    where = f"results[{name!r}]"
    if not hasattr(table, "keys") or not hasattr(table, "__getitem__"):
        raise ValueError(f"{where} must be a dict of cross_validate; got {one_line(repr(table)):.80}")
    own = [key.removeprefix(_TEST) for key in table.keys() if isinstance(key, str) and key.startswith(_TEST)]  # noqa: SIM118
    if not own or not all(own):
        got = some_names(list(map(str, table.keys())))
        raise ValueError(f"{where} must have scores, such as 'test_score'; got {got}")
    return tuple(check_name(metric, "metrics of results") for metric in own)


def _split_scores(name: str, table: Any, key: str) -> FloatArray:
    values = as_floats(table[key], f"results[{name!r}][{key!r}]")
    if values.ndim != 1 or not len(values):
        raise ValueError(f"results[{name!r}][{key!r}] must hold one number per split; got shape {values.shape}")
    return values


def _times(name: str, table: Any, key: str, n_splits: int) -> FloatArray:
    """Seconds, nan where they are not there."""
    values = _split_scores(name, table, key) if key in table.keys() else np.full(n_splits, np.nan)  # noqa: SIM118
    if len(values) != n_splits:
        raise ValueError(f"results[{name!r}][{key!r}] must hold one number per split, {n_splits}; got {len(values)}")
    return values


def _pairs(name: str, table: Any, n_splits: int) -> Pairs | None:
    """Training and test indices of every split; None where they are not there."""
    if "indices" not in table.keys():  # noqa: SIM118
        return None
    where = f"results[{name!r}]['indices']"
    try:
        train, test = (list(table["indices"][part]) for part in ("train", "test"))
    except (TypeError, KeyError, IndexError) as error:
        raise ValueError(f"{where} must hold lists 'train' and 'test'; got {table['indices']!r:.80}") from error
    if not len(train) == len(test) == n_splits:
        got = f"got {len(train)} and {len(test)}"
        raise ValueError(f"{where} must hold a train and a test set per split, {n_splits}; {got}")
    checked = (
        [check_indices(x, f"the {part} indices of split {i} in {where}") for i, x in enumerate(own)]
        for part, own in (("train", train), ("test", test))
    )
    return tuple(zip(*checked, strict=True))


def _metric_names(found: tuple[str, ...], scoring: str | None) -> tuple[str, ...]:
    if scoring is None:
        return found
    if not isinstance(scoring, str) or not scoring:
        raise ValueError(f"scoring must be the name of the metric; got {scoring!r:.80}")
    if found != ("score",):
        raise ValueError(f"scoring must be None where the metrics have names, {some_names(found)}; got {scoring!r}")
    return (check_name(scoring, "scoring"),)


# ---- splits ---------------------------------------------------------------------------------------------------


def _shared_splits(read: _Read, n_samples: int | None) -> Splits | None:
    """The splits of all models; None where no model has indices."""
    there = dict(zip(read.models, read.indices, strict=True))
    known = {name: pairs for name, pairs in there.items() if pairs is not None}
    if not known:
        return None
    (name_of_first, first), *others = known.items()
    if len(known) < len(there):
        has_not = next(name for name in there if name not in known)
        both = f"{name_of_first!r} has them, {has_not!r} has not"
        raise ValueError(f"results must have 'indices' of all models or of none; {both}: {_REMEDY}")
    for name, other in others:
        how = different_splits(repr(name_of_first), repr(name), first, other)
        if how:
            raise ValueError(
                f"results must share their splits; {how}. Give every cross_validate the same cv, with an integer as "
                f"random_state where it shuffles"
            )
    needed = 1 + max(int(part.max()) for pair in first for part in pair)
    n = needed if n_samples is None else check_integer(n_samples, "n_samples", low=2)
    if n < needed:
        raise ValueError(f"n_samples must be at least {needed}, as the indices name sample {needed - 1}; got {n}")
    return splits_from_pairs(first, n)


def different_splits(name: str, other: str, splits: Sequence[Pair], others: Sequence[Pair]) -> str:
    """The first split in which two differ, and how; empty where the samples are the same in all."""
    for i, pairs in enumerate(zip(splits, others, strict=True)):
        for part, a, b in zip(("training", "test"), *pairs, strict=True):
            if not np.array_equal(a, b) and not np.array_equal(np.sort(a), np.sort(b)):
                return f"the {part} sets of split {i} differ: {_how(name, other, a, b)}"
    return ""


def _how(name: str, other: str, a: IndexArray, b: IndexArray) -> str:
    """In what two sets differ."""
    if len(a) != len(b):
        return f"{len(a)} samples of {name}, {len(b)} of {other}"
    only = np.setdiff1d(a, b)
    if not len(only):
        return f"{name} and {other} have the same samples, some another number of times"
    return f"{len(only)} of {len(a)} samples of {name} are not among those of {other}, the first is {only[0]}"


def _design(n: int, n_samples: int | None, n_folds: int | None, test_fraction: float | None, remedy: str) -> Design:
    """The design of `n` splits as it was told."""
    if n_folds is None and test_fraction is None:
        raise ValueError(
            "n_folds must be given for k-fold cross-validation, or test_fraction for random splits, where results have "
            f"no indices; got neither: {remedy}"
        )
    k = 1 if n_folds is None else check_integer(n_folds, "n_folds", low=2)
    if n % k:
        raise ValueError(f"n_folds must divide the number of splits, {n}; got {k}")
    design = design_of_scores((n // k, k), {}, test_fraction, n_samples)
    return replace(design, partition=k > 1 and isclose(design.test_fraction, 1 / k, rel_tol=_NEAR))
