"""A result from what scikit-learn's `cross_validate` returned, or from the ``cv_results_`` of a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from skcompare._core.design import Design
from skcompare._core.numbers import some_names
from skcompare._core.text import one_line
from skcompare._core.validation import FloatArray, as_floats, check_aligned, check_integer, check_name, check_names
from skcompare._core.warnings import CodedWarning
from skcompare.evaluation.cv_results import CvResults, column_of, is_cv_results, read_cv_results
from skcompare.evaluation.splits import IndexArray, Splits, check_indices, different_splits, splits_from_pairs
from skcompare.results import EvaluationResult
from skcompare.tables.evidence import Settled, design_of_scores, directions, same_splits
from skcompare.tables.source import worded

Pairs = tuple[tuple[IndexArray, IndexArray], ...]
_TEST, _TIMES = "test_", ("fit_time", "score_time")


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
        Direction of the metrics. More is better by default, as of all scorers of scikit-learn; where the name of a
        metric speaks of a loss the warning ASSUMED says so.
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
    keys = [*map(str, results.keys())] if hasattr(results, "keys") else []
    if not keys or any(key.startswith(_TEST) or key in _TIMES for key in keys):
        raise ValueError(worded("no dicts", one_line(repr(results))))
    source, remedy, warnings = "dicts of cross_validate", worded("splits of dicts"), tuple[CodedWarning, ...]()
    if is_cv_results(results):
        found, own = _candidates(results, names)
        source, remedy, warnings, names = "cv_results_ of a search", worded("splits of a search"), found.warnings, None
        scored = zip(own, found.scores, strict=True)
        results = {name: {_TEST + key: x for key, x in zip(found.keys, one.T, strict=True)} for name, one in scored}
    if names is not None:
        raise ValueError(f"names must be None where results has the names of the models; got {names!r:.80}")
    metrics, scores, times, indices = _read(results)
    if not np.isfinite(scores).any():
        raise ValueError("results must hold finite scores; all are missing or infinite")
    unnamed = metrics == ("score",)
    if scoring is not None:
        if not unnamed:
            raise ValueError(f"scoring must be None where the metrics have names, {some_names(metrics)}")
        metrics = (check_name(scoring, "scoring"),)
    signs, of_directions = directions(metrics, greater_is_better)
    splits = _shared_splits(indices, scores.shape[1], n_samples)
    if splits is None:
        design = _told_design(scores.shape[1], n_folds, n_samples, test_fraction, remedy)
        of_splits = same_splits(tuple(indices), f"there are no indices of them. {remedy}")
    elif n_folds is not None or test_fraction is not None:
        raise ValueError("n_folds and test_fraction must be None where results have indices, which tell them")
    else:
        design, of_splits = splits.design_of_scores, splits.warnings
    return EvaluationResult(
        estimators=tuple(indices),
        metrics=metrics,
        greater_is_better=signs,
        design=design,
        scores=scores,
        fit_times=times[0],
        score_times=times[1],
        warnings=(*of_splits, *warnings, *of_directions),
        provenance={"source": source},
        single_metric=unnamed,
        kept_splits=splits,
    )


def _candidates(results: Mapping[str, Any], names: Sequence[str] | None) -> tuple[CvResults, Sequence[str]]:
    """The candidates in ``cv_results_``, and what they are called, by default by their parameters."""
    table = {str(x): results[x] for x in results.keys()}  # noqa: SIM118
    if names is not None:
        n = max((np.size(x) for name, x in table.items() if name.startswith("split")), default=0)
        table["params"] = [{"": name} for name in check_names(names, n, of="candidate")]
    found = read_cv_results(table, what="results")
    return found, found.names if names is None else [names[i] for i in found.index.tolist()]


def _read(results: Mapping[str, Any]) -> tuple[tuple[str, ...], FloatArray, FloatArray, dict[str, Any]]:
    """Metrics, scores of shape (n_models, n_splits, n_metrics), seconds of fits and of scoring, and indices."""
    metrics, n, tables = tuple[str, ...](), 0, list[FloatArray]()
    indices, series = dict[str, Any](), dict[str, Any]()
    for name in [check_name(name, "names of models in results") for name in results.keys()]:  # noqa: SIM118
        where, table = f"results[{name!r}]", results[name]
        if isinstance(table, (list, tuple)) or (hasattr(table, "dtype") and np.ndim(table) == 1):
            table = {_TEST + "score": table}  # as cross_val_score returned it
        there = [*table.keys()] if hasattr(table, "keys") else []
        own = [check_name(str(x).removeprefix(_TEST), "metrics of results") for x in there if str(x).startswith(_TEST)]
        metrics = metrics or tuple(own)
        if not own or {*own} != {*metrics}:
            raise ValueError(worded("no dict", where, some_names([*map(str, there)]) or one_line(repr(table))))
        n = n or as_floats(table[_TEST + metrics[0]], f"{where}[{_TEST + metrics[0]!r}]").size
        found = [column_of(table, where, _TEST + metric, n, "split") for metric in metrics]
        found += [column_of(table, where, x, n, "split") if x in there else np.full(n, np.nan) for x in _TIMES]
        tables.append(np.array(found))
        series |= {f"{where}[{_TEST + metric!r}]": table[_TEST + metric] for metric in metrics}
        indices[name] = table["indices"] if "indices" in there else None
    check_aligned(**series)
    whole, k = np.stack(tables, axis=1), len(metrics)
    return metrics, np.moveaxis(whole[:k], 0, 2).copy(), whole[k:], indices


# ---- splits ---------------------------------------------------------------------------------------------------


def _shared_splits(given: Mapping[str, Any], n_splits: int, n_samples: int | None) -> Splits | None:
    """The splits, of which every model has the same indices; None where no model has any."""
    if all(indices is None for indices in given.values()):
        return None
    first: Pairs = ()
    for name, indices in given.items():
        where = f"results[{name!r}]['indices']"
        try:
            parts = [
                [check_indices(x, f"the {part} indices of split {i} in {where}") for i, x in enumerate(indices[part])]
                for part in ("train", "test")
            ]
        except (TypeError, KeyError, IndexError):
            parts = []
        if {*map(len, parts)} != {n_splits}:
            raise ValueError(worded("no indices", where, n_splits, indices))
        pairs: Pairs = tuple(zip(*parts, strict=True))
        first = first or pairs
        if how := different_splits(repr(next(iter(given))), repr(name), first, pairs):
            raise ValueError(worded("other splits", how))
    needed = max(2, 1 + max(int(part.max()) for pair in first for part in pair))
    return splits_from_pairs(first, needed if n_samples is None else check_integer(n_samples, "n_samples", low=needed))


def _told_design(n: int, n_folds: Any, n_samples: Any, test_fraction: Any, remedy: str) -> Design:
    """The design of `n` splits as it was told."""
    if n_folds is None and test_fraction is None:
        raise ValueError(worded("no folds", remedy))
    k = 1 if n_folds is None else check_integer(n_folds, "n_folds", low=2)
    if n % k:
        raise ValueError(f"n_folds must divide the number of splits, {n}; got {k}")
    return design_of_scores((n // k, k), {}, Settled(n_folds=n_folds, n_samples=n_samples, test_fraction=test_fraction))
