"""The cost of every kind of error: the mean cost of predictions as a metric, and its scorer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import make_scorer

from skcompare._core.validation import FloatArray, check_scores
from skcompare.evaluation._codes import encode

Costs = tuple[tuple[float, ...], ...]


def cost_scorer(cost: Mapping[tuple[Any, Any], float] | ArrayLike, *, classes: Sequence[Any] | None = None) -> Any:
    r"""A scorer of the mean cost per sample, for costs that depend on the true and on the predicted class.

    With the costs :math:`C` its score is the negative of the estimated risk (expected loss),

    .. math:: \frac{1}{n} \sum_{i=1}^{n} C_{y_i \hat y_i},

    since greater scores of scikit-learn's scorers are better. Every sample has a cost, so that all that serves a mean
    over samples serves it: tests on folds, test sets and clusters, intervals and dominance statements.

    Parameters
    ----------
    cost : mapping of (true class, predicted class) to float, or array_like of shape (n_classes, n_classes)
        What it costs to predict a class where another one, or the same, is true; negative for a gain. A mapping must
        have every pair of different classes; right predictions that it leaves out cost 0. An array has the true classes
        in its rows.
    classes : sequence of labels of length n_classes, optional
        The classes in the order of the rows; needed with an array, and refused with a mapping.

    Returns
    -------
    callable
        A scorer as of `sklearn.metrics.make_scorer`, for ``scoring={"neg_cost": ...}``.

    Raises
    ------
    ValueError
        If a cost is no finite number, a pair of classes has none, the classes do not fit, or, when it scores, a true or
        predicted class has no costs.

    See Also
    --------
    EvaluationResult.expected_cost : costs of models whose predictions are there already.
    skcompare.inference.expected_cost : the threshold that makes the cost of two classes least.

    Examples
    --------
    >>> from skcompare import cost_scorer, from_predictions
    >>> scorer = cost_scorer({("ill", "well"): 10, ("well", "ill"): 1})
    >>> y_true = ["ill", "well", "well", "well"] * 25
    >>> models = {"careful": ["ill", "ill", "well", "well"] * 25, "rash": ["well"] * 100}
    >>> result = from_predictions(y_true, models, scoring={"accuracy": "accuracy", "neg_cost": scorer})
    >>> for name in result.estimators:
    ...     print(name, result.score(name, "accuracy")[0], result.score(name, "neg_cost")[0])
    careful 0.75 -0.25
    rash 0.75 -2.5
    """
    table, known = read_costs(cost, classes)
    return make_scorer(mean_cost, greater_is_better=False, cost=table, classes=known)


def read_costs(cost: Any, classes: Any) -> tuple[Costs, tuple[Any, ...]]:
    """Costs by true and predicted class, and the classes; ValueError as `cost_scorer`."""
    if isinstance(cost, Mapping):
        if classes is not None:
            raise ValueError(f"classes must be left out where cost is a mapping, which names them; got {classes!r:.80}")
        cost, classes = _of_mapping(cost)
    if isinstance(classes, str) or not isinstance(classes, Iterable):
        raise ValueError(f"classes must name the rows of an array of costs, in their order; got {classes!r:.80}")
    known = tuple(label.item() if isinstance(label, np.generic) else label for label in classes)
    labels = any(all(isinstance(label, kind) for label in known) for kind in (str, (int, float)))
    if not labels or len(known) < 2 or len(set(known)) < len(known) or any(label != label for label in known):
        raise ValueError(f"classes must name two or more numbers, or strings, each once; got {classes!r:.80}")
    table = check_scores(cost, "cost", ndim=(2,))
    if table.shape != (len(known), len(known)):
        raise ValueError(
            f"cost must have a row and a column per class, {len(known)} of each for {known!r:.80}; got shape "
            f"{table.shape}"
        )
    return tuple(map(tuple, table.tolist())), known


def _of_mapping(cost: Mapping[Any, Any]) -> tuple[list[list[Any]], list[Any]]:
    pairs = [key for key in cost if isinstance(key, tuple) and len(key) == 2]
    if len(pairs) < len(cost) or not pairs:
        raise ValueError(f"cost must map pairs (true class, predicted class) to numbers; got {cost!r:.80}")
    classes = list(dict.fromkeys(label for pair in pairs for label in pair))
    lacking = [(i, j) for i in classes for j in classes if i != j and (i, j) not in cost]
    if lacking:
        raise ValueError(f"cost must have every pair of different classes; it lacks {lacking[0]!r}")
    return [[cost.get((i, j), 0.0) for j in classes] for i in classes], classes


def known_costs(function: Any) -> dict[str, Any] | None:
    """The costs and classes of a metric that is a mean cost; None of any other."""
    scorer: Any = getattr(function, "scorer", None)
    return dict(scorer._kwargs) if getattr(scorer, "_score_func", None) is mean_cost else None


def sample_costs(y_true: Any, y_pred: Any, *, cost: Costs, classes: Sequence[Any]) -> FloatArray:
    """The cost of every sample."""
    found = [_positions(labels, name, classes) for labels, name in ((y_true, "y_true"), (y_pred, "y_pred"))]
    return np.asarray(np.array(cost)[found[0], found[1]])


def _positions(labels: Any, name: str, classes: Sequence[Any]) -> NDArray[np.intp]:
    array, own = np.asarray(labels), np.asarray(classes)
    if array.ndim != 1:
        raise ValueError(f"{name} must hold one label per sample, so that each has a cost; got shape {array.shape}")
    order = np.argsort(own, kind="stable")
    known, codes = encode(array, own[order])
    if not known.all():
        strange = array[~known].tolist()[0]
        raise ValueError(f"cost must name every class; {name} has {strange!r}, and it has {tuple(classes)!r:.80}")
    return np.asarray(order[codes])


def mean_cost(y_true: Any, y_pred: Any, *, cost: Costs, classes: Sequence[Any], sample_weight: Any = None) -> float:
    """The mean cost per sample."""
    return float(np.average(sample_costs(y_true, y_pred, cost=cost, classes=classes), weights=sample_weight))
