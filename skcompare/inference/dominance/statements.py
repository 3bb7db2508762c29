"""Dominance statements: which model is better on which metric, in words, as numbers, and counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcompare._core import validation
from skcompare._core.numbers import listed, percent, uncertain
from skcompare._core.validation import FloatArray, Names
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._kinds import OfModels
from skcompare.inference._records import won_or_level
from skcompare.inference._sentences import Kind, significantly

MAX_METRICS = 12
MORE_PROBABLE = 0.5  # than not: the posterior of a pattern that is told


def format_statement(statement: Sequence[bool], metrics: Names = None, *, a: str = "a", b: str = "b") -> str:
    """A dominance statement in words: which model is better on what.

    Better is better in the direction of the metric: the model that takes less time is the better one on time.

    Parameters
    ----------
    statement : sequence of bool
        One per metric, True where `a` is better.
    metrics : sequence of str, optional
        Names of the metrics; ``"metric 1"`` and so on by default.
    a, b : str, default="a" and "b"
        Names of the models.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If there are no booleans, or another number of names.

    Examples
    --------
    >>> from skcompare.inference import format_statement
    >>> format_statement((True, True, False), ["accuracy", "recall", "fit_time"])
    'a better on accuracy and recall, b better on fit_time'
    """
    validation.refuse_masked(statement, "statement")
    bits = np.asarray(statement)
    if bits.dtype != np.bool_ or bits.ndim != 1 or bits.size == 0:
        raise ValueError(f"statement must be booleans, one per metric; got {validation.came(statement)}")
    names = validation.check_names(metrics, bits.size, "metrics", "metric")
    if bits.all() or not bits.any():
        winner, loser = (a, b) if bits[0] else (b, a)
        where = names[0] if bits.size == 1 else "both metrics" if bits.size == 2 else f"all {bits.size} metrics"
        return f"{winner} better than {loser} on {where}"
    won, lost = ([name for name, bit in zip(names, bits, strict=True) if bit == wins] for wins in (True, False))
    return f"{a} better on {listed(won)}, {b} better on {listed(lost)}"


class Pattern(Kind, kw_only=False, slots=False):
    """The pattern of wins that is most frequent, and what the dominance test says of it, or most probable."""

    most: str

    def claim(self, record: Any) -> str:
        of = record.compared
        if record.statement is None:
            return f"No pattern of wins{of.between()} is more {self.most} than all others"
        found = format_statement(record.statement, record.metrics, a=of.a, b=of.b)
        if not hasattr(record, "pvalue"):
            if not record.probabilities.max() >= MORE_PROBABLE:
                return f"No pattern of wins{of.between()} is more probable than not"
            return f"The most {self.most} pattern of wins is {found}"
        which = "tested" if getattr(record, "fixed", False) else f"most {self.most}"
        more = f"is {significantly(record.pvalue)} more {self.most} than every other one"
        return f"The {which} pattern of wins, {found}, {more}"

    def values(self, record: Any) -> Iterator[str]:
        return iter(()) if record.statement is None else super().values(record)


class OfStatements(OfModels, eq=False):
    """What is known of all dominance statements on some metrics."""

    statement: tuple[bool, ...] | None
    counts: FloatArray
    n_effective: float
    metrics: tuple[str, ...]

    @property
    def statements(self) -> tuple[str, ...]:
        """The ``2**m`` statements in words, in the order of `counts`."""
        a, b = self.compared.a, self.compared.b
        return tuple(format_statement(bits, self.metrics, a=a, b=b) for bits in statement_bits(len(self.metrics)))


class JointTest(OfModels, eq=False):
    """A test of two models on several metrics at once."""

    pvalue: float
    alternative: str
    n: int
    metrics: tuple[str, ...]


def largest(probabilities: FloatArray, *_: Any) -> str:
    """The largest of the posterior probabilities."""
    return percent(uncertain(float(probabilities.max())))


def statement_of(index: int, n_metrics: int) -> tuple[bool, ...]:
    """The dominance statement with a given index; the first metric is the most significant bit."""
    return tuple(statement_bits(n_metrics)[index].tolist())


def statement_index(statement: Sequence[bool], n_metrics: int) -> int:
    """The index of a dominance statement, or ValueError."""
    validation.refuse_masked(statement, "statement")
    bits = np.asarray(statement)
    if bits.dtype != np.bool_ or bits.shape != (n_metrics,):
        raise ValueError(f"statement must be {n_metrics} booleans, one per metric; got {validation.came(statement)}")
    return int(bits @ (1 << np.arange(n_metrics - 1, -1, -1)))


def statement_bits(n_metrics: int) -> NDArray[np.bool_]:
    """All statements as rows, shape (2**n_metrics, n_metrics)."""
    index = np.arange(2**n_metrics)[:, None]
    return (index >> np.arange(n_metrics - 1, -1, -1) & 1).astype(bool)


def dominance_counts(
    a: ArrayLike, b: ArrayLike, greater_is_better: bool | Sequence[bool] = True, rope: float | Sequence[float] = 0.0
) -> FloatArray:
    r"""Count on how many cases `a` is better than `b` on each pattern of metrics.

    A statement :math:`x` says, metric by metric, whether `a` is better. It is number :math:`k` of the counts, the
    binary number with the first metric as its most significant bit, and gets of case i the product of what each of
    the m metrics gives it,

    .. math:: k = \sum_{j=1}^m x_j \, 2^{m - j}, \qquad n_k = \sum_i \prod_{j=1}^m w_{ij}(x_j),

    1 where the metric agrees with the statement, 0 where it does not, and 1/2 where it is tied (Benavoli and de Campos
    2016, Definition 1 and footnote 3). For two metrics the counts are those of "neither", "the second only", "the
    first only", "both"; ties on t metrics share the case among ``2**t`` statements.

    Parameters
    ----------
    a, b : array_like of shape (n_cases, n_metrics) or (n_cases,)
        Scores of the two models on the same cases, one column per metric, at most 12 of them. Cases are data
        sets, or the folds of one data set: see `effective_cases`.
    greater_is_better : bool or sequence of bool, default=True
        Direction of each metric.
    rope : float or sequence of float, default=0
        Largest difference, in score units, that counts as a tie, per metric; at least 0. Differences within
        rounding (1e-12 of the larger of the two scores) are ties always.

    Returns
    -------
    ndarray of shape (2**n_metrics,)
        Counts, real where there are ties; their sum is the number of cases.

    Raises
    ------
    ValueError
        If the scores are not finite or not paired, there are more than 12 metrics, or a direction or rope has
        another length than the metrics.

    References
    ----------
    A. Benavoli and C. P. de Campos (2016), Statistical tests for joint analysis of performance measures,
    AMBN 2015, LNCS 9505, 76-92, :doi:`10.1007/978-3-319-28379-1_6`.

    Examples
    --------
    Accuracy, and time where less is better, on four data sets:

    >>> from skcompare.inference import dominance_counts
    >>> a = [[0.90, 1.0], [0.80, 3.0], [0.70, 2.0], [0.85, 1.0]]
    >>> b = [[0.85, 2.0], [0.75, 2.0], [0.70, 3.0], [0.80, 2.0]]
    >>> dominance_counts(a, b, greater_is_better=[True, False]).tolist()
    [0.0, 0.5, 1.0, 2.5]
    """
    a, b = check_cases(a, b)
    m = a.shape[1]
    if m > MAX_METRICS:
        raise ValueError(f"a and b must have at most {MAX_METRICS} metrics (columns); got {m}")
    better, ropes, outcomes = per_metric_bool(greater_is_better, m), per_metric_rope(rope, m).tolist(), []
    for j, tie in enumerate(ropes):
        one, other = (a.T[j], b.T[j]) if better[j] else (b.T[j], a.T[j])
        outcomes.append(won_or_level(one, other, tie))
    return pattern_counts(outcomes)


def pattern_counts(outcomes: Iterable[tuple[NDArray[np.bool_], NDArray[np.bool_]]]) -> FloatArray:
    """Counts of statements, of shape (..., 2**m), from what is won and what is not lost on each metric, (..., n).

    A tie on a metric gives half a case to either side.
    """
    pattern, m = np.zeros(1, dtype=np.int64), 0
    for won, level in outcomes:
        pattern, m = 3 * pattern + won + level, m + 1  # a digit for each metric: loss, tie, win
    shape = pattern.shape[:-1]
    pattern += 3**m * np.arange(prod(shape)).reshape(*shape, 1)
    counts = np.bincount(pattern.ravel(), minlength=prod(shape) * 3**m).astype(np.float64)
    for j in range(m):
        outcome = counts.reshape(prod(shape) * 2**j, 3, -1)
        counts = outcome[:, ::2] + outcome[:, 1:2] / 2
    return counts.reshape(*shape, 2**m)


def effective_cases(n: int, fold_correlation: float) -> float:
    r"""Number of independent cases that `n` correlated folds of one data set are worth in a dominance test.

    Dominance uses signs only. Where jointly normal differences have correlation :math:`\rho`, their signs
    have correlation :math:`\rho_s = \tfrac 2 \pi \arcsin \rho` under the null (Sheppard's formula), and
    :math:`n` exchangeable signs are worth

    .. math:: n_{\mathrm{eff}} = \frac{n}{1 + (n - 1) \rho_s}

    independent ones. For several metrics the same number is used for the counts of all statements; that step is an
    approximation, checked by simulation.

    Parameters
    ----------
    n : int
        Number of folds over all repeats, at least 1.
    fold_correlation : float
        Correlation of the differences of two folds, in [0, 1]; the test fraction (1/k for k-fold) is the
        usual assumption (Nadeau and Bengio 2003). On a single run of k-fold an evaluation gives the
        :math:`\rho'` with :math:`\rho' / (1 - \rho') = 0.4 \rho / (1 - \rho)`, by which `k_fold_t_test` goes.

    Returns
    -------
    float
        In [1, n].

    Raises
    ------
    ValueError
        If `n` is not a positive integer or `fold_correlation` is outside [0, 1].

    References
    ----------
    W. F. Sheppard (1899), On the application of the theory of error to cases of normal distribution and
    normal correlation, Philosophical Transactions A 192, 101-167, :doi:`10.1098/rsta.1899.0003`.

    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    Examples
    --------
    >>> from skcompare.inference import effective_cases
    >>> round(effective_cases(100, 1 / 10), 3)  # 10x10 cross-validation
    13.674
    """
    n = validation.check_integer(n, "n", low=1)
    rho = validation.check_number(fold_correlation, "fold_correlation", low=0, high=1)
    return n / (1 + (n - 1) * 2 / np.pi * float(np.arcsin(rho)))


def check_counts(counts: ArrayLike) -> tuple[FloatArray, int]:
    """Return counts of shape (2**m,) with the number of metrics m, or raise ValueError."""
    counts = validation.check_scores(counts, "counts", ndim=(1,))
    m = counts.size.bit_length() - 1
    if counts.size != 2**m or not 1 <= m <= MAX_METRICS:
        raise ValueError(f"counts must have length 2**m for m = 1 to {MAX_METRICS} metrics; got length {counts.size}")
    if counts.min() < 0:
        raise ValueError(f"counts must not be negative; got {counts.min():g} at position {counts.argmin()}")
    return counts, m


def tied_metrics(counts: FloatArray, metrics: tuple[str, ...]) -> Iterator[CodedWarning]:
    """A warning that names the metrics on which every case is a tie, so that no statement can lead."""
    cells, tied = counts.reshape((2,) * len(metrics)), list[str]()
    for j, name in enumerate(metrics):
        tied += [name] if np.array_equal(cells.take(0, axis=j), cells.take(1, axis=j)) else []
    if tied and counts.any():
        yield Code.NO_DIFFERENCE(
            f"{', '.join(tied)} may be tied in every case: as many cases speak for either side, so no statement can "
            f"lead; leave it out.",
            about=tied,
        )


def scale_counts(counts: FloatArray, n_effective: float | None) -> FloatArray:
    """Counts whose sum is `n_effective` instead of the number of cases, or the counts themselves."""
    if n_effective is None:
        return counts
    total = float(counts.sum())
    n_effective = validation.check_number(n_effective, "n_effective", low=0, high=total * (1 + 1e-12))
    return counts * (n_effective / total) if total else counts


def check_cases(a: ArrayLike, b: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Both models' scores as arrays of shape (n_cases, n_metrics), or ValueError."""
    x, y = validation.check_pair(a, b)
    return (x[:, None], y[:, None]) if x.ndim == 1 else (x, y)


def per_metric_bool(values: bool | Sequence[bool], m: int, name: str = "greater_is_better") -> NDArray[np.bool_]:
    validation.refuse_masked(values, name)
    array = np.asarray(values)
    if array.dtype != np.bool_ or array.shape not in ((), (m,)):
        raise ValueError(f"{name} must be a bool or {m} of them, one per metric; got {validation.came(values)}")
    return np.broadcast_to(array, (m,)).astype(np.bool_)


def per_metric_rope(values: float | Sequence[float], m: int) -> FloatArray:
    array = validation.check_scores(values, "rope", ndim=(0, 1))
    if array.shape not in ((), (m,)) or array.min() < 0:
        raise ValueError(
            f"rope must be a number, at least 0, or {m} of them, one per metric; got {validation.came(values)}"
        )
    return np.broadcast_to(array, (m,)).astype(np.float64)
