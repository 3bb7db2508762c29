"""Tests of all pairs of models by their mean ranks, Nemenyi's and Conover's, and the critical difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from math import factorial
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core.validation import FloatArray, Names, Seed, check_choice, check_draws, check_integer, check_number
from skcompare._core.warnings import Code
from skcompare.inference._distributions import studentized_range_quantile
from skcompare.inference._multiplicity import CORRECTIONS, adjust_pvalues, step_down
from skcompare.inference._records import check_correction
from skcompare.inference._sentences import Some
from skcompare.inference.datasets import pairwise
from skcompare.inference.datasets.scores import DataSetScores, check_model, check_table, says_what_it_needs
from skcompare.inference.outcomes.samples import batches

CriticalDifferencePosthoc = Literal["nemenyi", "bonferroni_dunn"]

WEAK_CONTROL = Code.NOT_AT_LEVEL(
    "its variance is that of the ranks of all models, so where some are far apart it calls equal ones "
    "different in up to 61% of simulated cases."
)


@says_what_it_needs
def nemenyi_test(
    scores: ArrayLike,
    *,
    correction: str = pairwise.STUDENTIZED_RANGE,
    greater_is_better: bool = True,
    names: Names = None,
    test_fraction: float = 0.0,
    overlap: float = 1.0,
) -> pairwise.PairwiseResult:
    r"""Test every pair of models by the difference of their mean ranks, all pairs at once (Nemenyi's test).

    Models are ranked on each data set, 1 is the best, equal scores share their mean rank. With mean ranks
    :math:`\bar R` of k models over N data sets,

    .. math:: q_{ij} = \sqrt 2 \, \frac{\bar R_j - \bar R_i}{\sqrt{k (k + 1) / (6 N)}}

    is referred to the studentized range of k means with infinite degrees of freedom (Demsar 2006, section 3.2.2), so
    the p-values need no adjustment. Two models differ at 5% if their mean ranks differ by `critical_difference` or
    more; mean rank differences plus and minus it are simultaneous 95% intervals, and ``confidence_interval`` has those
    of any level.

    With another `correction`, :math:`z = q / \sqrt 2` is normal and its p-values are adjusted (Garcia and Herrera
    2008): Shaffer's and Bergmann and Hommel's procedures find more differences at the same error rate.

    On N splits of one data set, which share training samples, the standard error is multiplied by
    :math:`\sqrt{1 + (N - 1) c}`. The variance of a rank is known and not estimated, so only the correlation c of two
    splits adds to that of the mean: it is the test fraction, of a part o of the correction :math:`g / (1 + g)` with
    :math:`g = o \rho / (1 - \rho)`, as in `corrected_t_test`.

    The mean ranks, and so the result for a pair, depend on which other models are compared (Benavoli, Corani and
    Mangili 2016); `pairwise_signed_rank_test` does not have this weakness. Ties are not allowed for, which errs towards
    large p-values.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set, or per split with a `test_fraction`, and model, at least two models. Data sets may be
        of different difficulty and scale: any increasing transformation of the scores of a data set leaves the result
        as it is.
    correction : str, default="studentized_range"
        ``"studentized_range"`` is Nemenyi's test; ``"none"``; ``"shaffer"``; ``"bergmann"`` for up to 9 models; or a
        method of `adjust_pvalues`.
    greater_is_better : bool, default=True
        Whether the greater score is the better one.
    names : sequence of str, optional
        The models.
    test_fraction : float, default=0
        Of scores on the splits of one data set, which then stand in the place of data sets: test size over train plus
        test size, in [0, 1), 1/k for k-fold, repeated or not. 0 takes the rows for independent, as data sets are.
    overlap : float, default=1
        The part of the correction for splits that is taken, in [0, 1]: 0.4 on a single run of k-fold gives the variance
        of `k_fold_t_test`, which an evaluation sets where that test is the default.

    Returns
    -------
    PairwiseResult
        The statistic is :math:`q_{ij}`, or z with another `correction`; estimates are differences of mean ranks,
        positive where i is the better model. There is a common critical difference with ``"studentized_range"``,
        ``"none"`` and ``"bonferroni"``. With p-values 1 and the warning NO_DIFFERENCE where all models are equal on
        every data set; with nan and the warning TOO_LITTLE_DATA for one data set or split; with CANNOT_REJECT where
        they are too few for any p < 0.05.

    Raises
    ------
    ValueError
        If the scores are not finite or of another shape, or an option is unknown.

    See Also
    --------
    critical_difference : for any number of models and data sets, and any level.
    control_test : comparisons with one model only, which are fewer.

    References
    ----------
    P. B. Nemenyi (1963), Distribution-free multiple comparisons, PhD thesis, Princeton University.

    S. Garcia and F. Herrera (2008), An extension on "Statistical comparisons of classifiers over multiple
    data sets" for all pairwise comparisons, JMLR 9, 2677-2694.

    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 1-30.

    A. Benavoli, G. Corani and F. Mangili (2016), Should we really use post-hoc tests based on mean-ranks?, Journal of
    Machine Learning Research 17(5), 1-10.

    Examples
    --------
    Three models on six data sets:

    >>> from skcompare.inference import nemenyi_test
    >>> scores = [[0.91, 0.89, 0.85], [0.72, 0.70, 0.64], [0.88, 0.90, 0.81],
    ...           [0.95, 0.93, 0.93], [0.67, 0.66, 0.58], [0.80, 0.78, 0.77]]
    >>> result = nemenyi_test(scores, names=["a", "b", "c"])
    >>> round(result.critical_difference, 2), result.estimates[0].round(2).tolist()
    (1.35, [0.0, 0.75, 1.75])
    >>> result.pvalues[0].round(4).tolist()
    [1.0, 0.3957, 0.0069]
    >>> ranks = result.rank()
    >>> ranks.tier, ranks.low.tolist(), ranks.high.tolist()
    (('a', 'ab', 'b'), [1, 1, 2], [2, 3, 3])
    """
    check_choice(correction, "correction", (pairwise.STUDENTIZED_RANGE, *pairwise.PAIR_CORRECTIONS))
    of_splits = check_correction(test_fraction, overlap)
    table = check_table(scores, greater_is_better, names, matrices=8, correction=of_splits)
    ranks = pairwise.friedman_ranks(table)
    name = "Nemenyi test" if correction == pairwise.STUDENTIZED_RANGE else "mean ranks of all pairs"
    return pairwise.compare_pairs(table, ranks, correction=correction, method=name + of_splits.suffix)


@says_what_it_needs
def conover_test(
    scores: ArrayLike, *, correction: str = "holm", greater_is_better: bool = True, names: Names = None
) -> pairwise.PairwiseResult:
    r"""Test every pair of models by a t statistic on their rank sums, adjusted for the number of pairs (Conover).

    Models are ranked on each data set, 1 is the best, equal scores share their mean rank. With rank :math:`r_{ij}` on
    data set i of N and rank sum :math:`R_j` of model j of k,

    .. math:: t = \frac{R_j - R_i}{\sqrt{2 (N \sum r^2 - \sum_j R_j^2) / ((N - 1)(k - 1))}}

    on :math:`(N - 1)(k - 1)` degrees of freedom (Conover 1999, section 5.8). The variance is estimated from the ranks
    of all models, so it shrinks where some of them are far apart, and two equal models among them are then called
    different in up to 61% of simulated cases (15 data sets, 10 models, Holm): it holds its level only where all
    models are equal. `nemenyi_test` and `pairwise_signed_rank_test` do not suffer from this. Conover's own test does
    not adjust the p-values and keeps the error rate of each pair only: that is ``correction="none"``.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set and model, at least two models. Any increasing transformation of the scores of a data
        set leaves the result as it is.
    correction : str, default="holm"
        ``"none"``, or an adjustment that holds for any tests, ``"bonferroni"`` and ``"holm"`` among them: see
        `adjust_pvalues`. ``"shaffer"``, and ``"bergmann"`` for up to 9 models, also use that equality is transitive.
    greater_is_better : bool, default=True
        Whether the greater score is the better one.
    names : sequence of str, optional
        The models.

    Returns
    -------
    PairwiseResult
        The statistic is t; estimates are differences of mean ranks, positive where i is the better model. There is a
        common critical difference with ``"none"`` and ``"bonferroni"`` only. With p-values 1 and the warning
        NO_DIFFERENCE where all models are equal on every data set; with nan and TOO_LITTLE_DATA for one data set; with
        ZERO_VARIANCE where all data sets rank the models alike: t is infinite then, and the unadjusted p-value is that
        of the sign test on N data sets that agree, :math:`2^{1 - N}`.

    Raises
    ------
    ValueError
        If the scores are not finite or of another shape, or an option is unknown.

    See Also
    --------
    nemenyi_test : simultaneous for all pairs.

    References
    ----------
    W. J. Conover (1999), Practical Nonparametric Statistics, third edition, Wiley.

    Examples
    --------
    >>> from skcompare.inference import conover_test
    >>> scores = [[0.91, 0.89, 0.85], [0.72, 0.70, 0.64], [0.88, 0.90, 0.81],
    ...           [0.95, 0.93, 0.93], [0.67, 0.66, 0.58], [0.80, 0.78, 0.77]]
    >>> result = conover_test(scores)
    >>> result.pvalues.round(4).tolist()
    [[1.0, 0.0209, 0.0002], [0.0209, 1.0, 0.0089], [0.0002, 0.0089, 1.0]]
    """
    table = check_table(scores, greater_is_better, names, matrices=8)
    ranks = pairwise.conover_ranks(table.ranks(), table.n_datasets)
    return pairwise.compare_pairs(table, ranks, correction=correction, method="Conover test", warnings=(WEAK_CONTROL,))


STEP_DOWN = "step_down"
DEFAULT_RESAMPLES = 9999
# All arrangements are gone through where they are no more than this, half a second.
_MOST_ARRANGEMENTS = 300_000
_CHUNK = 2**20
CONTRARY = Code.NOT_AT_LEVEL(
    "it takes models to be exchangeable within data sets; two equally good models of which one is first where the "
    "other is last may be called different on few data sets."
)


@says_what_it_needs
def step_down_test(
    scores: ArrayLike,
    *,
    n_resamples: int | None = None,
    greater_is_better: bool = True,
    names: Names = None,
    rng: Seed = None,
) -> pairwise.PairwiseResult:
    r"""Test every pair of models by permutations of the ranks within data sets, step by step (Westfall and Young).

    Models are ranked on each data set, 1 is the best, equal scores share their mean rank. The statistic of a pair is
    the difference of its rank sums, :math:`T_{ij} = R_j - R_i`. If all models do equally well, each order of the ranks
    within a data set is as likely as any other. With the pairs in descending order of :math:`|T|`, the adjusted p-value
    of the m-th is

    .. math:: \tilde p_{(m)} = \max_{l \le m} P\left( \max_{q \ge l} |T^*_{(q)}| \ge |T_{(l)}| \right)

    over these orders (Westfall and Young 1993, algorithm 4.1): what was found is left out of what the next is compared
    with. It decides on fewer data sets than tests of one pair at a time can: where four rank six models alike, Holm's
    signed-rank tests find no pair, this finds three of fifteen.

    The error rate of all pairs together holds where all models are equal; where only some are, it held in simulations
    of groups of equal models apart, and of models that vary up to five times as much as others (at most 6%). It does
    not where one of two models is always first and the other one last, each as often as the other: on four data sets
    that gives an eighth of false findings. The result for a pair depends on the other models, as for all tests on mean
    ranks. So no default takes it.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set and model, at least two models. Any increasing transformation of the scores of a data
        set leaves the result as it is.
    n_resamples : int, optional
        Number of random permutations, at least 1. The default is none where all of them are at most 300,000, as of up
        to 7 data sets of 3 models or 2 of 5, and 9,999 otherwise.
    greater_is_better : bool, default=True
        Whether the greater score is the better one.
    names : sequence of str, optional
        The models.
    rng : int or numpy.random.Generator, optional
        Draws them; the same seed gives the same result, in whatever order data sets and models come.

    Returns
    -------
    PairwiseResult
        The statistic is T; estimates are differences of mean ranks, positive where i is the better model. With p-values
        1 and the warning NO_DIFFERENCE where all models are equal on every data set; with nan and TOO_LITTLE_DATA for
        one data set; with CANNOT_REJECT where they are too few for any p < 0.05.

    Raises
    ------
    ValueError
        If the scores are not finite or of another shape, or an option is out of range.

    See Also
    --------
    nemenyi_test : simultaneous for all pairs, for many data sets.
    pairwise_signed_rank_test : a verdict on two models that does not depend on the others.

    References
    ----------
    P. H. Westfall and S. S. Young (1993), Resampling-Based Multiple Testing: Examples and Methods for p-Value
    Adjustment, Wiley.

    A. Benavoli, G. Corani and F. Mangili (2016), Should we really use post-hoc tests based on mean-ranks?, Journal of
    Machine Learning Research 17(5), 1-10.

    Examples
    --------
    >>> from skcompare.inference import step_down_test
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.95, 0.9, 0.8], [0.7, 0.6, 0.5], [0.85, 0.8, 0.6]]
    >>> step_down_test(scores).pvalues.round(4).tolist()
    [[1.0, 0.2811, 0.0008], [0.2811, 1.0, 0.2811], [0.0008, 0.2811, 1.0]]
    """
    n_resamples, generator = check_draws(n_resamples, rng, optional=True)
    table = check_table(scores, greater_is_better, names, matrices=8)
    n, k = table.n_datasets, table.n_models
    ranks = table.ranks()
    n_all = factorial(k) ** n if k < 10 else _MOST_ARRANGEMENTS + 1
    drawn = n_resamples or (0 if n_all <= _MOST_ARRANGEMENTS else DEFAULT_RESAMPLES)
    first, second = np.triu_indices(k, 1)
    sums = ranks.sum(axis=0)
    # the draws do not depend on the order of the models
    place = np.argsort(np.lexsort((*np.sort(ranks, axis=0), sums)))
    differences = sums[second] - sums[first]
    order = np.argsort(-np.abs(differences), kind="stable")
    a, b = place[first[order]], place[second[order]]
    rows = np.sort(ranks, axis=1)
    rows = rows[np.lexsort(rows.T)]
    draws = _drawn_sums(rows, drawn, generator) if drawn else _all_sums(rows)
    found = step_down(np.abs(differences[order]), (np.abs(one[:, b] - one[:, a]) for one in draws), min(drawn, 1))
    matrices = (pairwise.of_all_pairs(of_sorted[np.argsort(order)], k) for of_sorted in found)
    statistics = sums[None, :] - sums[:, None]
    return pairwise.result_of_pairs(
        table,
        (statistics, *matrices),
        statistics / n,
        "mean rank",
        correction=STEP_DOWN,
        method=f"step-down max-T permutation of ranks within data sets ({f'{drawn} resamples' if drawn else 'exact'})",
        warnings=(CONTRARY, *pairwise.rank_warnings(table, 1.0)),
    )


def _all_sums(rows: FloatArray) -> Iterator[FloatArray]:
    """Rank sums of the models over all orders within the data sets, in chunks."""
    sums = np.zeros((1, rows.shape[1]))
    orders = np.array([*permutations(range(rows.shape[1]))])
    for row in rows[:-1]:
        sums = (sums[:, None] + row[orders]).reshape(-1, len(row))
    for order in rows[-1][orders]:
        yield sums + order


def _drawn_sums(rows: FloatArray, drawn: int, generator: np.random.Generator) -> Iterator[FloatArray]:
    """The same over random orders."""
    for some in batches(drawn, rows.size, _CHUNK):
        yield generator.permuted(np.broadcast_to(rows, (some.stop - some.start, *rows.shape)), axis=2).sum(axis=1)


def critical_difference(
    n_models: int, n_datasets: int, alpha: float = 0.05, *, posthoc: CriticalDifferencePosthoc = "nemenyi"
) -> float:
    r"""The difference of two mean ranks from which on two models differ significantly.

    For k models on N data sets it is

    .. math:: CD = q_\alpha \sqrt{\frac{k (k + 1)}{6 N}}

    (Demsar 2006, section 3.2.2) where :math:`q_\alpha` is, for all pairs (Nemenyi), the quantile of the studentized
    range of k means over :math:`\sqrt 2` and, for comparisons with one control model (Bonferroni-Dunn), the normal
    quantile of the tail :math:`\alpha / (2 (k - 1))`. Mean ranks differ by at most :math:`k - 1`.

    Parameters
    ----------
    n_models : int
        At least 2.
    n_datasets : int
        At least 1.
    alpha : float, default=0.05
        Probability of at least one false rejection, in (0, 1).
    posthoc : {"nemenyi", "bonferroni_dunn"}, default="nemenyi"
        All pairs of models, or all models against one of them.

    Returns
    -------
    float
        In ranks.

    Raises
    ------
    ValueError
        If an argument is out of its range, or `posthoc` is unknown.

    See Also
    --------
    nemenyi_test, control_test : the tests.

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 1-30.

    O. J. Dunn (1961), Multiple comparisons among means, Journal of the American Statistical Association 56(293),
    52-64, :doi:`10.1080/01621459.1961.10482090`.

    Examples
    --------
    >>> from skcompare.inference import critical_difference
    >>> round(critical_difference(4, 14), 3), round(critical_difference(4, 14, posthoc="bonferroni_dunn"), 3)
    (1.254, 1.168)
    """
    k, n = check_integer(n_models, "n_models", low=2), check_integer(n_datasets, "n_datasets", low=1)
    alpha = check_number(alpha, "alpha", low=0, high=1, closed="neither")
    check_choice(posthoc, "posthoc", get_args(CriticalDifferencePosthoc))
    if posthoc == "nemenyi":
        quantile = studentized_range_quantile(alpha, k) / np.sqrt(2)
    else:
        quantile = -special.ndtri(alpha / (2 * (k - 1)))
    return float(quantile * pairwise.rank_standard_error(k, n))


# Test of every model against one control model.


ControlProcedure = Literal["friedman", "aligned_ranks", "quade"]

_RANKS: dict[str, Callable[[DataSetScores], pairwise.MeanRanks]] = {
    "friedman": pairwise.friedman_ranks,
    "aligned_ranks": pairwise.aligned_ranks,
    "quade": pairwise.quade_ranks,
}


class ControlResult(pairwise.RankedResult, eq=False):
    """Result of a test of every model against a control on many data sets.

    Every comparison is of another model, `a`, with the control, `b`.

    Attributes
    ----------
    control : str
        The model that all others are compared with.
    names : tuple of str
        The k - 1 others, in the order of the arrays.
    statistics : ndarray of shape (k - 1,)
        Estimates over `standard_error`; positive where the model is better than the control.
    pvalues : ndarray of shape (k - 1,)
        Two-sided, adjusted for the number of comparisons as `correction` says: the ones to decide on. In [0, 1]; nan
        with fewer than two data sets.
    pvalues_unadjusted : ndarray of shape (k - 1,)
        Each for its own comparison alone.
    estimates : ndarray of shape (k - 1,)
        Mean rank of the control less that of the model; positive where the model is better than the control.
    estimate_of : str
        The kind of mean rank.
    standard_error : float
        Of each estimate if all models do equally well, in ranks.
    critical_difference : float
        The least absolute estimate that is significant at 5% by the Bonferroni-Dunn test, whatever `correction` is;
        nan with fewer than two data sets and where the ranks do not vary.
    alternative : {"two-sided"}
        What was tested: the model is better or worse than the control.
    correction : str
        How the p-values were adjusted.
    n : int
        Number of data sets.
    """

    control: str
    standard_error: float
    alternative: str
    _kind = Some("model", "significantly different from {record.control}", "_differing")

    _SAID = ("{0} is better", "{0} is worse")

    def _pairs(self) -> list[tuple[str, str]]:
        return [(name, self.control) for name in self.names]


@says_what_it_needs
def control_test(
    scores: ArrayLike,
    *,
    control: str | int,
    procedure: ControlProcedure = "friedman",
    correction: str = "holm",
    greater_is_better: bool = True,
    names: Names = None,
) -> ControlResult:
    r"""Test every model against one control model by their mean ranks, adjusted for the number of comparisons.

    Models are ranked on each data set, 1 is the best, equal scores share their mean rank. With mean ranks
    :math:`\bar R` of k models over N data sets,

    .. math:: z = \frac{\bar R_{control} - \bar R_j}{\sqrt{k (k + 1) / (6 N)}}

    is normal if all models do equally well (Demsar 2006, section 3.2.2). These are k - 1 comparisons in place of the
    :math:`k (k - 1) / 2` of `nemenyi_test`: choose the control before seeing the scores. With
    ``correction="bonferroni"`` it is the Bonferroni-Dunn test; Holm's rejects all that it does, and more.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set and model, at least two models; in the same units on all data sets for the procedures
        other than ``"friedman"``.
    control : str or int
        Name or column, from 0, of the model that all others are compared with.
    procedure : {"friedman", "aligned_ranks", "quade"}, default="friedman"
        What is averaged: ranks within data sets; ranks among all scores less the mean of their data set, as in
        `aligned_ranks_test`; or ranks weighted by data set, as in `quade_test`. The last two have the standard error
        over permutations within the data sets, see `aligned_ranks_posthoc_test` and `quade_posthoc_test`.
    correction : str, default="holm"
        ``"none"``, or a method of `adjust_pvalues`.
    greater_is_better : bool, default=True
        Whether the greater score is the better one.
    names : sequence of str, optional
        The models.

    Returns
    -------
    ControlResult
        With p-values 1 and the warning NO_DIFFERENCE where all models are equal on every data set; with nan and the
        warning TOO_LITTLE_DATA for one data set; with CANNOT_REJECT where the data sets are too few for any p < 0.05.

    Raises
    ------
    ValueError
        If the scores are not finite or of another shape, `control` is not one of the models, or an option is unknown.

    See Also
    --------
    critical_difference : of the Bonferroni-Dunn test, for any number of models and data sets.
    nemenyi_test : all pairs.

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 1-30.

    S. Garcia, A. Fernandez, J. Luengo and F. Herrera (2010), Advanced nonparametric tests for multiple comparisons in
    the design of experiments in computational intelligence and data mining, Information Sciences 180, 2044-2064,
    :doi:`10.1016/j.ins.2009.12.010`.

    Examples
    --------
    >>> from skcompare.inference import control_test
    >>> scores = [[0.91, 0.89, 0.85], [0.72, 0.70, 0.64], [0.88, 0.90, 0.81],
    ...           [0.95, 0.93, 0.93], [0.67, 0.66, 0.58], [0.80, 0.78, 0.77]]
    >>> result = control_test(scores, control="old", names=["new", "tuned", "old"])
    >>> result.names, result.estimates.round(2).tolist(), result.pvalues.round(4).tolist()
    (('new', 'tuned'), [1.75, 1.0], [0.0049, 0.0833])
    """
    check_choice(procedure, "procedure", get_args(ControlProcedure))
    check_choice(correction, "correction", ("none", *CORRECTIONS))
    table = check_table(scores, greater_is_better, names)
    column = check_model(control, "control", table.names)
    ranks = _RANKS[procedure](table)
    estimates = np.delete(ranks.means[column] - ranks.means, column)
    statistics = pairwise.standardised(estimates, ranks.standard_error)
    raw = ranks.pvalues(statistics)
    found = statistics, raw.copy() if correction == "none" else adjust_pvalues(raw, correction), raw
    enough = table.n_datasets > 1
    statistics, adjusted, raw = found if enough else np.full((3, raw.size), np.nan)
    return ControlResult(
        control=table.names[column],
        names=tuple(name for name in table.names if name != table.names[column]),
        statistics=statistics,
        pvalues=adjusted,
        pvalues_unadjusted=raw,
        estimates=estimates,
        estimate_of=ranks.of,
        standard_error=ranks.standard_error,
        critical_difference=ranks.critical_difference(table.n_models - 1) if enough else float("nan"),
        alternative="two-sided",
        correction=correction,
        n=table.n_datasets,
        method=f"{ranks.of}s against a control",
        warnings=pairwise.rank_warnings(table, ranks.standard_error),
    )
