"""How much of the variance of scores and differences is the learners' own randomness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass
from itertools import combinations
from math import nan
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from skcompare._core.frames import frame_of
from skcompare._core.html import Table
from skcompare._core.numbers import percent
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_integer
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.means import seed_components
from skcompare.evaluation.input import name_estimators
from skcompare.evaluation.prepare import random_states
from skcompare.evaluator import PairedEvaluator
from skcompare.results import EvaluationResult


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SeedVarianceRow(Record):
    """Components of the variance of one score, or of one difference.

    Attributes
    ----------
    metric, a : str
        What was scored, and the estimator.
    b : str or None
        The other one of a difference ``a - b``, positive where `a` is better; None for the score of `a` alone.
    mean : float
        Over all splits and seeds, in score units.
    split : float
        Variance from split to split, in squared score units, at least 0.
    seed : float
        Variance from learner seed to learner seed that all splits share, at least 0.
    residual : float
        What is left: the variance of the seeds that differs from split to split, at least 0.
    n_splits : int
        Splits used.
    """

    metric: str
    a: str
    b: str | None
    mean: float
    split: float
    seed: float
    residual: float
    n_splits: int

    @property
    def seed_share(self) -> float:
        """Share of the variance on a split that is due to the seeds, in [0, 1]; nan where there is no variance."""
        total = self.split + self.seed + self.residual
        return (self.seed + self.residual) / total if total > 0 else nan

    def removed_by(self, n_seeds: int) -> float:
        """Share of the variance on a split that averaging the scores over learner seeds removes.

        Parameters
        ----------
        n_seeds : int
            Seeds to average over, at least 1.

        Returns
        -------
        float
            In [0, 1); nan where there is no variance.

        Raises
        ------
        ValueError
            If `n_seeds` is not a positive integer.
        """
        return self.seed_share * (1 - 1 / check_integer(n_seeds, "n_seeds", low=1))

    def _sentence(self) -> str:
        what = self.a if self.b is None else f"{self.a} - {self.b}"
        if not self.split + self.seed + self.residual > 0:
            return f"{self.metric}, {what}: does not vary."
        return (
            f"{self.metric}, {what}: {percent(self.seed_share)} of the variance on a split is due to the learner seed."
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SeedVariance(Record):
    """The variance due to splits and the variance due to learner seeds.

    Attributes
    ----------
    rows : tuple of SeedVarianceRow
        Per metric the scores of every estimator, and the differences of all pairs.
    seeds : tuple of int
        The learner seeds, the same for all estimators.
    warnings : tuple of str
        Estimators whose scores do not depend on a seed, and scores that are missing, each a code and a sentence.
    """

    rows: tuple[SeedVarianceRow, ...]
    seeds: tuple[int, ...]
    warnings: tuple[CodedWarning, ...] = ()

    def row(self, metric: str, a: str, b: str | None = None) -> SeedVarianceRow:
        """The row of one score, or of one difference.

        Parameters
        ----------
        metric, a : str
            The metric and the estimator.
        b : str, optional
            The other estimator, in the order of the rows.

        Returns
        -------
        SeedVarianceRow

        Raises
        ------
        ValueError
            If there is no such row.
        """
        for found in self.rows:
            if (found.metric, found.a, found.b) == (metric, a, b):
                return found
        raise ValueError(f"metric, a and b must be those of a row; got {metric!r}, {a!r}, {b!r}")

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame with a column ``seed_share``; needs pandas."""
        return frame_of(self.rows).assign(seed_share=[row.seed_share for row in self.rows])

    def _tables(self) -> list[Table]:
        n = len(self.seeds)
        header = ("metric", "scores of", "split", "learner seed", "residual", "due to seeds", f"removed by {n}")
        lines = [
            [
                row.metric,
                row.a if row.b is None else f"{row.a} - {row.b}",
                *(f"{value:.3g}" for value in (row.split, row.seed, row.residual)),
                *("n/a" if share != share else percent(share) for share in (row.seed_share, row.removed_by(n))),
            ]
            for row in self.rows
        ]
        return [Table(header, lines)]

    def _sentence(self) -> str:
        shares = [row.seed_share for row in self.rows if row.seed_share > 0]
        if not shares:
            return f"Nothing varies with the learner seed, over {len(self.seeds)} seeds."
        span = " to ".join(dict.fromkeys((percent(min(shares)), percent(max(shares)))))
        return (
            f"{span} of the variance on a split is due to the learner seed. The table has the variances, and the share "
            f"that averaging over {len(self.seeds)} seeds removes."
        )


def seed_variance(
    evaluator: PairedEvaluator,
    estimators: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any,
    *,
    n_seeds: int = 5,
    groups: Any = None,
    params: Mapping[str, Any] | None = None,
) -> SeedVariance:
    r"""Separate the variance of the learners' own randomness from that of the splits.

    Every estimator is fitted on the same splits with several seeds, each seed on all splits. With score
    :math:`x_{js} = \mu + u_j + v_s + e_{js}` on split :math:`j` with seed :math:`s`, the three variances are
    estimated by analysis of variance, negative estimates by 0 (Searle, Casella and McCulloch 1992, section 4.3). The
    seed's part, :math:`v` and :math:`e`, is what an average over seeds makes smaller; the splits' part is not. Splits
    share data, so that the variance from split to split is less than that from data set to data set.

    Parameters
    ----------
    evaluator : PairedEvaluator
        Gives splits, metrics, workers and the store; it is not changed. Its `random_state` also draws the seeds.
    estimators : mapping of name to estimator, list of (name, estimator), or list of estimators
        As in `PairedEvaluator.evaluate`. Every parameter ``random_state``, nested ones too, is set to the seed, also
        where it was given. One without any is fitted once, and its seed variance is exactly 0.
    X : array-like of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,)
        The target.
    n_seeds : int, default=5
        Learner seeds, at least 2. It multiplies the fits.
    groups, params : optional
        As in `PairedEvaluator.evaluate`.

    Returns
    -------
    SeedVariance

    Raises
    ------
    ValueError
        If an argument does not fit, or `evaluator` has a `stop` or several seeds of its own.

    References
    ----------
    S. R. Searle, G. Casella and C. E. McCulloch (1992), Variance Components, Wiley, :doi:`10.1002/9780470316856`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import ExtraTreeClassifier
    >>> from skcompare import PairedEvaluator
    >>> from skcompare.planning import seed_variance
    >>> evaluator = PairedEvaluator(cv=10, scoring="accuracy", random_state=0)
    >>> models = {"nb": GaussianNB(), "random tree": ExtraTreeClassifier(max_depth=3)}
    >>> found = seed_variance(evaluator, models, *load_breast_cancer(return_X_y=True))
    >>> found.row("accuracy", "nb").seed_share
    0.0
    >>> found.row("accuracy", "nb", "random tree").seed_share > 0.2
    True
    """
    if not isinstance(evaluator, PairedEvaluator):
        raise ValueError(f"evaluator must be a PairedEvaluator; got {type(evaluator).__name__}")
    if evaluator.n_seeds != 1:
        raise ValueError(f"evaluator must have n_seeds=1, the seeds being given here; got {evaluator.n_seeds!r:.80}")
    if evaluator.stop is not None:
        raise ValueError(f"evaluator must have no stop, which would end the seeds apart; got {evaluator.stop!r}")
    n = check_integer(n_seeds, "n_seeds", low=2)
    named = name_estimators(estimators)
    given = evaluator.random_state  # None leaves the global random state alone
    state = np.random.RandomState() if given is None else check_random_state(given)
    seeds = tuple(int(seed) for seed in state.randint(np.iinfo(np.int32).max, size=n))
    seeded = {name: random_states(estimator) for name, estimator in named.items()}
    labels = {name: [f"{name}, seed {seed}" if seeded[name] else name for seed in seeds] for name in named}
    models = [
        (label, clone(estimator).set_params(**dict.fromkeys(seeded[name], seed)) if seeded[name] else estimator)
        for name, estimator in named.items()
        for label, seed in dict(zip(labels[name], seeds, strict=True)).items()  # one without seeds is there once
    ]
    plain = copy(evaluator).set_params(keep_predictions=False, nested=False)
    result = plain.evaluate(models, X, y, groups=groups, params=params)
    scores = {name: result.scores[[result.estimators.index(label) for label in labels[name]]] for name in named}
    return _separated(result, scores, seeded, seeds)


def _separated(
    result: EvaluationResult, scores: Mapping[str, FloatArray], seeded: Mapping[str, Any], seeds: tuple[int, ...]
) -> SeedVariance:
    """The record of scores of shape (n_seeds, n_splits, n_metrics) per estimator."""
    rows, notes = [], []
    for m, metric in enumerate(result.metrics):
        own = {name: values[:, :, m] for name, values in scores.items()}
        sign = 1.0 if result.greater_is_better[m] else -1.0
        rows += [_row(metric, name, None, values) for name, values in own.items()]
        with np.errstate(invalid="ignore"):  # of scores that are not finite
            rows += [_row(metric, a, b, sign * (own[a] - own[b])) for a, b in combinations(own, 2)]
        missing = [name for name, values in own.items() if not np.isfinite(values).all()]
        if missing:
            lacking = f"splits on which {metric} of {', '.join(map(repr, missing))} lacks a seed are left out."
            notes.append(Code.MISSING_SCORES(lacking, about=(metric, *missing)))
    for name, values in scores.items():
        if not seeded[name]:
            what = f"{name!r} has no parameter random_state; its seed variance is 0."
            notes.append(Code.NO_RANDOMNESS(what, (name,)))
        elif np.array_equal(values, np.broadcast_to(values[:1], values.shape), equal_nan=True):
            notes.append(Code.NO_RANDOMNESS(f"the scores of {name!r} do not depend on its random_state.", (name,)))
    return SeedVariance(rows=tuple(rows), seeds=seeds, warnings=(*result.warnings, *notes))


def _row(metric: str, a: str, b: str | None, values: FloatArray) -> SeedVarianceRow:
    """Components of values of shape (n_seeds, n_splits), over the splits on which none is missing."""
    return SeedVarianceRow(metric=metric, a=a, b=b, **asdict(seed_components(values)))
