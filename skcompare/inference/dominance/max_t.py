"""The max-T test: on which metrics two models differ, with one error rate for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core import validation
from skcompare._core.numbers import ALPHA, briefly, counted, equal_to
from skcompare._core.validation import Alternative, FloatArray, Names, Seed
from skcompare.inference._multiplicity import by_cases, by_resamples, step_down
from skcompare.inference._records import check_correction
from skcompare.inference._sentences import about_p, compared
from skcompare.inference.dominance.joint import TOO_FEW, ScoreVectors, score_vectors
from skcompare.inference.dominance.statements import JointTest
from skcompare.inference.outcomes.samples import batches

# What the statistics of the max-t test are compared with: sums of rows with other signs, and normal samples.


# Numbers held at once
_CHUNK = 2**20


def settled(rows: FloatArray) -> FloatArray:
    """Rows that move, with signs and in an order that depend neither on the order of the cases nor of the models.

    Reversing all signs of a row changes nothing in the set of its flips.
    """
    rows = rows[rows.any(axis=1)]
    first = np.take_along_axis(rows, (rows != 0).argmax(axis=1)[:, None], axis=1)
    rows = rows * np.sign(first)
    return rows[np.lexsort(rows.T[::-1])]


def all_flips(rows: FloatArray) -> Iterator[FloatArray]:
    """Sums of the rows with all their signs, in chunks of shape (size, m)."""
    left, right = np.zeros((2, 1, rows.shape[1]))
    for row in rows[: len(rows) // 2]:
        left = np.concatenate((left + row, left - row))
    for row in rows[len(rows) // 2 :]:
        right = np.concatenate((right + row, right - row))
    for sums in left:
        yield sums + right


def random_flips(rows: FloatArray, drawn: int, generator: np.random.Generator) -> Iterator[FloatArray]:
    for some in batches(drawn, rows.size, _CHUNK):
        signs = 2.0 * generator.integers(0, 2, size=(some.stop - some.start, len(rows)), dtype=np.int8) - 1
        yield signs @ rows


def random_t(residuals: FloatArray, drawn: int, generator: np.random.Generator) -> Iterator[FloatArray]:
    """t statistics of normal samples of the size and the correlation of standardised residuals.

    Each metric has its own variance in a sample: one that all of them shared would make the largest statistic too
    small.
    """
    n, m = residuals.shape
    eigenvalues, axes = np.linalg.eigh(residuals.T @ residuals / (n - 1))
    # the symmetric root, which does not depend on the order of the cases
    root = (axes * np.sqrt(np.maximum(eigenvalues, 0))) @ axes.T
    for some in batches(drawn, residuals.size, _CHUNK):
        samples = generator.standard_normal((some.stop - some.start, n, m)) @ root
        yield samples.mean(axis=1) / samples.std(axis=1, ddof=1) * np.sqrt(n)


DEFAULT_RESAMPLES = 10_000
# At most this many cases are flipped in all ways: 262,144.
LARGEST_EXACT = 18


class MaxTResult(JointTest, eq=False):
    """Result of the max-T test of the mean differences on several metrics.

    Attributes
    ----------
    pvalue : float
        Of the global test that the models differ on at least one metric, in (0, 1]: the smallest of `pvalues`. nan
        only with fewer than two cases.
    pvalues : ndarray of shape (m,)
        Step-down adjusted p-value per metric, in (0, 1]: the metrics below alpha differ, with a probability of at
        most alpha of one or more errors.
    pvalues_unadjusted : ndarray of shape (m,)
        P-value per metric by itself, from the same resamples; at most `pvalues`.
    statistics : ndarray of shape (m,)
        t statistic per metric; infinite where all differences are one non-zero value.
    estimates : ndarray of shape (m,)
        Mean of ``a - b`` on each metric, in its unit and turned so that positive favours `a`.
    alternative : {"two-sided", "greater", "less"}
        What was tested per metric: the mean of ``a - b`` is not zero, positive, negative.
    exact : bool
        Whether all sign flips were counted; otherwise `n_resamples` were drawn.
    n : int
        Number of cases.
    n_resamples : int
        Resamples drawn; 0 in an exact test.
    metrics : tuple of str
        Names of the metrics, in the order of the arrays.
    """

    pvalues: FloatArray
    pvalues_unadjusted: FloatArray
    statistics: FloatArray
    estimates: FloatArray
    exact: bool
    n_resamples: int

    def _sentence(self) -> str:
        of, estimates = self.compared, dict(zip(self.metrics, self.estimates.tolist(), strict=True))
        claims: dict[str, list[str]] = {}
        for name in self.significant(ALPHA):
            claims.setdefault(compared(of.a, of.b, estimates[name], 0.0, self.alternative), []).append(name)
        claim = ", ".join(f"{said} on {briefly(names)}" for said, names in claims.items())
        none = f"{compared(of.a, of.b, 0.0, self.pvalue, self.alternative)} on any metric"
        smallest = f"smallest of {counted(len(self.metrics), 'adjusted p-value')}, {equal_to('p', self.pvalue)}"
        return f"{claim or none}: {smallest}{about_p(self)}."

    def significant(self, alpha: float = 0.05) -> tuple[str, ...]:
        """Names of the metrics on which the models differ at a familywise error rate.

        Parameters
        ----------
        alpha : float, default=0.05
            The probability of naming one or more metrics without a difference, in (0, 1).

        Returns
        -------
        tuple of str
            Those with an adjusted p-value below `alpha`, in the order of `metrics`.

        Raises
        ------
        ValueError
            If `alpha` is not in (0, 1).
        """
        alpha = validation.check_number(alpha, "alpha", low=0, high=1, closed="neither")
        return tuple(name for name, pvalue in zip(self.metrics, self.pvalues, strict=True) if pvalue < alpha)


def max_t_test(
    a: ArrayLike,
    b: ArrayLike,
    greater_is_better: bool | Sequence[bool] = True,
    *,
    test_fraction: float = 0.0,
    alternative: Alternative = "two-sided",
    n_resamples: int | None = None,
    rng: Seed = None,
    metrics: Names = None,
    overlap: float = 1.0,
) -> MaxTResult:
    r"""Step-down max-T test: on which metrics two models differ, with one error rate for all of them.

    Each metric has its t statistic. With the metrics in the order :math:`|t_1| \geq \dots \geq |t_m|`, the adjusted
    p-value is

    .. math:: p_j = \max_{i \leq j} P\left(\max_{k \geq i} |T_k| \geq |t_i|\right)

    under the joint null distribution of :math:`T` (Westfall and Young 1993, algorithm 4.1; Ge, Dudoit and Speed 2003).
    It keeps the dependence between the metrics, which an adjustment such as Holm's gives away. The first step is the
    single-step test, and no later step is less powerful than that. One-sided tests do without the absolute values.

    On independent cases the null distribution is that of sign flips, all metrics of a case together: each vector of
    differences is as likely with all its signs reversed. The error rate holds for any number of cases and whichever of
    the null hypotheses are true, as the flips of a subset of the metrics depend on that subset alone. All flips
    are counted with up to 18 cases that differ; beyond that, or when `n_resamples` is given, flips are drawn and
    :math:`p = (1 + b) / (1 + B)`.

    The folds of one data set are correlated, which rules out flips. There the statistics are those of
    `corrected_t_test`, and their null distribution is that of the t statistics of as many independent normal vectors,
    with the correlation that the differences on the metrics have over the folds. A single metric has Student's t.
    Resamples are always drawn there, and as the correlation is estimated, p-values of several metrics are approximate.

    Parameters
    ----------
    a, b : array_like of shape (n_cases, n_metrics) or (n_cases,)
        Scores of the two models on the same cases, one column per metric in any unit. Cases are data sets, or the
        folds of one data set with their `test_fraction`.
    greater_is_better : bool or sequence of bool, default=True
        Direction of each metric.
    test_fraction : float, default=0
        Test size over train plus test size, in [0, 1): 1/k for the folds of k-fold cross-validation. 0 takes the
        cases for independent.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    n_resamples : int, optional
        Number of resamples, at least 1. The default is none where all flips can be counted and 10,000 otherwise.
    rng : int or numpy.random.Generator, optional
        Draws them; the same seed gives the same result, in whatever order the cases come.
    metrics : sequence of str, optional
        Names of the metrics, for the record.
    overlap : float, default=1
        The part of the correction that is taken, in [0, 1]: 0.4 on a single run of k-fold gives the standard error of
        `k_fold_t_test`, which an evaluation sets where that test is the default.

    Returns
    -------
    MaxTResult
        A metric whose differences are all 0 has p-value 1 and does not affect the others. Neither does on folds one
        whose differences are one other value: it has the smallest p-value there is, with a warning, and 1 on the other
        side of a one-sided test. On independent cases flips give it a p-value like any other.

    Raises
    ------
    ValueError
        If the scores are not finite or not paired, a direction has another length than the metrics, or an option is
        unknown or out of range.

    See Also
    --------
    intersection_union_test : one model is better on all metrics.
    hotelling_test : the models differ on at least one metric or combination of metrics.

    References
    ----------
    P. H. Westfall and S. S. Young (1993), Resampling-Based Multiple Testing: Examples and Methods for p-Value
    Adjustment, Wiley.

    Y. Ge, S. Dudoit and T. P. Speed (2003), Resampling-based multiple testing for microarray data analysis, Test
    12(1), 1-77, :doi:`10.1007/BF02595811`.

    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    Examples
    --------
    Accuracy, and time where less is better, on six data sets:

    >>> from skcompare.inference import max_t_test
    >>> a = [[0.90, 1.0], [0.80, 3.0], [0.70, 2.0], [0.85, 1.0], [0.75, 1.5], [0.95, 1.2]]
    >>> b = [[0.85, 2.0], [0.79, 2.0], [0.66, 3.0], [0.82, 2.0], [0.73, 1.8], [0.89, 1.1]]
    >>> result = max_t_test(a, b, [True, False], metrics=["accuracy", "time"])
    >>> result.pvalues.tolist()
    [0.03125, 0.375]
    >>> result.significant(0.05)
    ('accuracy',)
    """
    validation.check_alternative(alternative)
    correction = check_correction(test_fraction, overlap)
    n_resamples, generator = validation.check_draws(n_resamples, rng, optional=True)
    vectors = score_vectors(a, b, greater_is_better, metrics)
    on_folds, few = bool(correction.test_fraction), vectors.n < 2
    n_moving = int(vectors.differences.any(axis=1).sum())
    exact = not on_folds and not n_resamples and n_moving <= LARGEST_EXACT
    drawn = 0 if exact else n_resamples or DEFAULT_RESAMPLES
    with np.errstate(divide="ignore", invalid="ignore"):
        statistics = vectors.means / vectors.stds / correction.variance(vectors.n) ** 0.5
    statistics = np.where(vectors.equal & (not few), 0.0, statistics)
    adjusted, unadjusted = np.full((2, len(vectors.metrics)), np.nan)
    if not few:
        adjusted, unadjusted = _pvalues(vectors, statistics if on_folds else None, alternative, drawn, generator)
    warnings = [TOO_FEW] if few else [*vectors.no_difference(vectors.equal)]
    if on_folds and not few:
        warnings += vectors.zero_variance()
    elif not few and n_moving:
        warnings += by_cases(n_moving, "untied case", alternative).warnings()
    if drawn and not few:
        warnings += by_resamples(drawn).warnings()
    return MaxTResult(
        pvalue=float(adjusted.min()),
        pvalues=adjusted,
        pvalues_unadjusted=unadjusted,
        statistics=statistics,
        estimates=vectors.means,
        alternative=alternative,
        exact=exact,
        n=vectors.n,
        n_resamples=drawn,
        metrics=vectors.metrics,
        method="step-down max-T test "
        + (f"of corrected t ({correction}) " if on_folds else "of sign flips ")
        + (f"({drawn} resamples)" if drawn else "(exact)"),
        warnings=tuple(warnings),
    )


def _pvalues(
    vectors: ScoreVectors, on_folds: FloatArray | None, alternative: str, drawn: int, generator: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Adjusted and unadjusted p-values: by t statistics of correlated normal vectors `on_folds`, else by sign flips.

    Flips leave the sum of squares of a metric as it is. Given that, its t statistic grows with its sum, so that sums
    in units of the root of the sum of squares stand in for the statistics, also where those are infinite.
    """
    towards = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}[alternative]
    adjusted, unadjusted = np.ones((2, len(vectors.metrics)))
    live = ~vectors.equal if on_folds is None else vectors.stds > 0
    d = vectors.differences[:, live]
    if on_folds is None:
        d = d / np.abs(d).max(axis=0)
        d = d / np.linalg.norm(d, axis=0)
        upward = towards(d.sum(axis=0))
    else:
        d = (d - vectors.means[live]) / vectors.stds[live]
        upward = towards(on_folds[live])
        certain = vectors.constant & (towards(on_folds) > 0)
        adjusted[certain] = unadjusted[certain] = 1 / (1 + drawn)
    if live.any():
        order = np.argsort(-upward, kind="stable")
        chosen = np.flatnonzero(live)[order]
        if on_folds is not None:
            draws = random_t(d[:, order], drawn, generator)
        else:
            rows = settled(d[:, order])
            draws = random_flips(rows, drawn, generator) if drawn else all_flips(rows)
        # one-sided, both sides of the null are alike
        sided = map(np.abs, draws) if alternative == "two-sided" else draws
        adjusted[chosen], unadjusted[chosen] = step_down(upward[order], sided, n_unseen=1 if drawn else 0)
    return adjusted, unadjusted
