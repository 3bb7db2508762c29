"""Generalised stochastic dominance: is one model better under every utility that agrees with the metrics?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, sparse
from scipy.sparse import csgraph

from skcompare._core import validation
from skcompare._core.numbers import ALPHA
from skcompare._core.validation import Alternative, BoolArray, FloatArray, Names, Positions, Seed
from skcompare._core.warnings import Code, Warnings
from skcompare.inference._multiplicity import by_cases, by_resamples
from skcompare.inference._records import ROUNDING
from skcompare.inference._sentences import Claims
from skcompare.inference.dominance.statements import JointTest, check_cases, per_metric_bool

# Utilities that agree with a preference order, and the smallest difference of mean utilities of two samples.
#
# By maximum matching where only the order of the metrics counts, by linear programs where differences count too.


# d of the outcomes of one model over those of the other, case by case
Statistic = Callable[[Positions, Positions], float]

# Pairs of outcomes of which one is better; all pairs of these pairs are compared where a metric is cardinal.
MAX_PAIRS = 8000
# Statistics closer than this are equal: linear programs are solved to less.
EQUAL = 1e-7
_PRECISION = 1e-9


class Outcomes(NamedTuple):
    """The distinct score vectors, larger better, in lexicographic order, so that none is better than a later one.

    The first is the worst and the last the best: on every metric the extreme of all scores, whether a model has them
    all on one case or not. `a` and `b` tell which of them each model has on each case.
    """

    ranks: Positions
    values: FloatArray
    a: Positions
    b: Positions


class Preferences(NamedTuple):
    """What a utility has to agree with: ``rows @ u >= 0``, more than 0 where `strict` is 1.

    The first `n_order` rows are the componentwise order; an equality takes two rows.
    """

    rows: sparse.csr_array[np.float64]
    strict: FloatArray
    n_order: int
    n_constraints: int


def outcomes_of(a: FloatArray, b: FloatArray, better: BoolArray) -> Outcomes:
    levels = [_levels(column) for column in (np.vstack((a, b)) * np.where(better, 1.0, -1.0)).T]
    ranks = np.column_stack([rank for rank, _ in levels])
    extremes = np.vstack((ranks.min(axis=0), ranks.max(axis=0)))
    distinct, which = np.unique(np.vstack((ranks, extremes)), axis=0, return_inverse=True)
    which = which.ravel()
    values = np.column_stack([value[distinct[:, j]] for j, (_, value) in enumerate(levels)])
    return Outcomes(ranks=distinct, values=values, a=which[: len(a)], b=which[len(a) : 2 * len(a)])


def _levels(scores: FloatArray) -> tuple[Positions, FloatArray]:
    """Rank of each score from 0, and the scaled score of each rank; those that differ by rounding only are one."""
    order = np.argsort(scores)
    ascending = scores[order]
    size = np.maximum(np.abs(ascending[1:]), np.abs(ascending[:-1]))
    with np.errstate(over="ignore"):
        new = np.concatenate(([True], np.diff(ascending) > ROUNDING * size))
    ranks = np.empty(scores.size, dtype=np.intp)
    ranks[order] = np.cumsum(new) - 1
    # over a power of two, exactly, so that no difference overflows
    return ranks, np.ldexp(ascending[new], -np.frexp(np.abs(scores).max())[1])


def moving(outcomes: Outcomes) -> tuple[Positions, Positions]:
    """What the models have on the cases where they differ, in an order that both orders of the models share."""
    moving = outcomes.a != outcomes.b
    a, b = outcomes.a[moving], outcomes.b[moving]
    order = np.lexsort((np.minimum(a, b), np.maximum(a, b)))
    return a[order], b[order]


def _at_least(ranks: Positions) -> BoolArray:
    """Whether outcome i is at least as good as outcome j on every metric."""
    order = np.ones((len(ranks), len(ranks)), dtype=np.bool_)
    for column in ranks.T:
        order &= column[:, None] >= column
    return order


def preferences_of(outcomes: Outcomes, cardinal: BoolArray) -> Preferences:
    better = _at_least(outcomes.ranks)
    np.fill_diagonal(better, False)
    order = _gains(*_covers(better), len(better))
    n_order = order.shape[0]
    if not cardinal.any() or n_order == 0:
        return Preferences(rows=order, strict=np.ones(n_order), n_order=n_order, n_constraints=n_order)
    upper, lower = np.nonzero(better)
    if upper.size > MAX_PAIRS:
        raise ValueError(
            f"cardinal metrics need at most {MAX_PAIRS} pairs of score vectors of which one is better; got "
            f"{upper.size}: pass cardinal=False, or fewer cases"
        )
    gains = _gains(upper, lower, len(better))
    (more, less), (one, same) = _exchanges(outcomes, upper, lower, cardinal)
    larger, equal = gains[more] - gains[less], gains[one] - gains[same]
    return Preferences(
        rows=sparse.csr_array(sparse.vstack((order, larger, equal, -equal))),
        strict=np.repeat([1.0, 0.0], [n_order + more.size, 2 * one.size]),
        n_order=n_order,
        n_constraints=n_order + more.size + one.size,
    )


def _gains(upper: Positions, lower: Positions, n_outcomes: int) -> sparse.csr_array[np.float64]:
    """One row per pair of outcomes: what its exchange gains in utility."""
    row = np.tile(np.arange(upper.size), 2)
    entries = np.repeat([1.0, -1.0], upper.size)
    shape = (upper.size, n_outcomes)
    return sparse.csr_array(sparse.coo_array((entries, (row, np.concatenate((upper, lower)))), shape=shape))


def _exchanges(
    outcomes: Outcomes, upper: Positions, lower: Positions, cardinal: BoolArray
) -> tuple[tuple[Positions, Positions], tuple[Positions, Positions]]:
    """Pairs of exchanges of which the first gains more, without those that follow from others; and of equal ones."""
    at_least = np.ones((upper.size, upper.size), dtype=np.bool_)
    for j, counts in enumerate(cardinal):
        if counts:
            x, y = outcomes.values[upper, j], outcomes.values[lower, j]
            rounding = ROUNDING * np.maximum(np.abs(x), np.abs(y))
            at_least &= (x - y + rounding)[:, None] >= x - y - rounding
        else:
            top, bottom = outcomes.ranks[upper, j], outcomes.ranks[lower, j]
            at_least &= (top[:, None] >= top) & (bottom[:, None] <= bottom)
    equal = at_least & at_least.T
    first = equal.argmax(axis=1)
    same = np.flatnonzero(first < np.arange(first.size))
    distinct = np.flatnonzero(first == np.arange(first.size))
    more = (at_least & ~equal)[np.ix_(distinct, distinct)]
    # those that gain more than fewer others come first
    order = np.argsort(more.sum(axis=1), kind="stable")
    above, below = _covers(more[np.ix_(order, order)])
    return (distinct[order[above]], distinct[order[below]]), (first[same], same)


def _covers(above: BoolArray) -> tuple[Positions, Positions]:
    """Neighbours in a strict partial order in which i above j implies ``i > j``: the rest follows from them."""
    not_above = ~above
    upper, lower = [], []
    for i, row in enumerate(above):
        rest = row.copy()
        while (left := np.flatnonzero(rest)).size:
            highest = left[-1]
            upper.append(i)
            lower.append(highest)
            rest &= not_above[highest]
            rest[highest] = False
    return np.array(upper, dtype=np.intp), np.array(lower, dtype=np.intp)


def by_matching(outcomes: Outcomes, n: int) -> Statistic:
    """d where the order alone counts: the minimum over sets of outcomes that hold every better one with each.

    Each such set holds the best outcome and not the worst. Of the other cases of the second model, those that cannot
    be matched are the most by which such a set can hold more of them than of the first model's (Strassen 1965).
    """
    order = _at_least(outcomes.ranks)
    worst, best = 0, len(order) - 1

    def statistic(first: Positions, second: Positions) -> float:
        at_extremes = int((first == best).sum() + (second == worst).sum())
        ours = first[(first != worst) & (first != best)]
        theirs = second[(second != worst) & (second != best)]
        at_least, matched = order[np.ix_(ours, theirs)], 0
        if at_least.any():
            partner = csgraph.maximum_bipartite_matching(sparse.csr_array(at_least), perm_type="row")
            matched = int((partner >= 0).sum())
        return (at_extremes + matched - first.size) / n

    return statistic


def by_program(preferences: Preferences, regularization: float, n: int) -> Statistic:
    """d as a linear program."""
    n_outcomes = preferences.rows.shape[1]
    slack = 0.0
    if regularization and preferences.n_order:
        # a little less than possible, so that rounding leaves a utility
        slack = regularization * _largest_slack(preferences) * (1 - 1e-6)
    least, bounds = slack * preferences.strict, _range(n_outcomes)

    def statistic(first: Positions, second: Positions) -> float:
        cost = np.bincount(first, minlength=n_outcomes) - np.bincount(second, minlength=n_outcomes)
        value = _minimum(cost.astype(np.float64), preferences.rows, least, bounds) / n if cost.any() else 0.0
        return 0.0 if abs(value) <= EQUAL else value

    return statistic


def _range(n_outcomes: int) -> FloatArray:
    """Bounds of the utilities: 0 of the worst outcome, 1 of the best, and between them of the others."""
    bounds = np.tile([0.0, 1.0], (n_outcomes, 1))
    bounds[0, 1] = 0.0
    bounds[-1, 0] = 1.0
    return bounds


def _largest_slack(preferences: Preferences) -> float:
    """Largest difference in utility that all strict preferences can have at once."""
    n_outcomes = preferences.rows.shape[1]
    rows = sparse.csr_array(sparse.hstack((preferences.rows, sparse.csr_array(-preferences.strict[:, None]))))
    bounds = np.vstack((_range(n_outcomes), [0.0, 1.0]))
    return -_minimum(np.append(np.zeros(n_outcomes), -1.0), rows, np.zeros(len(preferences.strict)), bounds)


def _minimum(cost: FloatArray, rows: Any, least: FloatArray, bounds: Any) -> float:
    """Minimum of a linear function over the utilities within `bounds` for which ``rows @ u >= least``."""
    options: Any = dict.fromkeys(("primal_feasibility_tolerance", "dual_feasibility_tolerance"), _PRECISION)
    solution: Any = optimize.linprog(cost, -rows, -least, bounds=bounds, method="highs", options=options)
    if solution.status != 0:
        raise RuntimeError(f"the linear program of stochastic dominance was not solved: {solution.message}")
    return float(solution.fun)


Relation = Literal["a dominates", "b dominates", "equivalent", "incomparable"]
# by whether each model is at least as good as the other one
_RELATIONS: dict[tuple[bool, bool], Relation] = {
    (True, True): "equivalent",
    (True, False): "a dominates",
    (False, True): "b dominates",
    (False, False): "incomparable",
}

MAX_CASES = 2000
# Swaps drawn: a matching takes about a tenth of a millisecond, a linear program about a hundredth of a second.
DEFAULT_MATCHINGS = 9999
DEFAULT_PROGRAMS = 999
COARSE = 0.01


class StochasticDominanceResult(JointTest, eq=False):
    """Result of the test of generalised stochastic dominance.

    Attributes
    ----------
    statistic : float
        How far `a` is from dominating `b`: the smallest difference of mean utilities, `a` less `b`, in [-1, 1]. `a`
        dominates `b` in the sample where it is at least 0, unless regularised.
    statistic_reverse : float
        The same for `b` over `a`. The two add up to at most 0.
    relation : {"a dominates", "b dominates", "equivalent", "incomparable"}
        What holds in the sample, without regularisation: all utilities prefer `a`, or `b`, or are indifferent, or they
        disagree. It is a description, not a test.
    pvalue : float
        In (0, 1]: the share of swaps with a statistic at least as large as the observed one, which is one of them.
    alternative : {"two-sided", "greater", "less"}
        What was tested: the statistic is the larger of both, `statistic`, or `statistic_reverse`.
    exact : bool
        Whether all swaps were counted; otherwise `n_resamples` of them were drawn.
    n : int
        Number of cases.
    n_different : int
        Cases on which the models differ, and which a swap changes.
    n_resamples : int
        Swaps drawn; 0 in an exact test.
    n_constraints : int
        Number of constraints on a utility, those that follow from others left out.
    cardinal : tuple of bool
        Per metric, whether its differences count.
    regularization : float
        Share of the largest possible slack that every strict preference has, in [0, 1].
    null_distribution : ndarray of shape (n_resamples,) or (2**n_different,)
        The statistic of `alternative` under each swap.
    metrics : tuple of str
        Names of the metrics.
    """

    statistic: float
    statistic_reverse: float
    relation: Relation
    exact: bool
    n_different: int
    n_resamples: int
    n_constraints: int
    cardinal: tuple[bool, ...]
    regularization: float
    null_distribution: FloatArray = field(repr=False)
    _kind = Claims(
        "relation",
        {"a dominates": "{a} dominates {b}{on} in the sample", "b dominates": "{b} dominates {a}{on} in the sample"},
        "{a} and {b} are {verdict}{on} in the sample",
        shown={
            "least lead of {a} in utility": "statistic",
            "of {b}": "statistic_reverse",
            "test of dominance p": "pvalue",
        },
    )

    def robust_pvalue(self, contamination: float) -> float:
        r"""Largest p-value if a share of the cases of each model does not belong in the sample.

        With a share :math:`\gamma` of either sample replaced by any of the score vectors, a statistic :math:`d` cannot
        fall below :math:`(1 - \gamma) d - \gamma` nor rise above :math:`(1 - \gamma) d + \gamma`. The observed one is
        taken at its lowest and those of the swaps at their highest, so that a swap counts where its statistic is at
        least :math:`d - 2 \gamma / (1 - \gamma)` (Jansen, Schollmeyer, Blocher, Rodemann and Augustin 2023).

        Parameters
        ----------
        contamination : float
            The share :math:`\gamma`, in [0, 1).

        Returns
        -------
        float
            In (0, 1]; `pvalue` at 0, and never smaller for more contamination.

        Raises
        ------
        ValueError
            If `contamination` is not in [0, 1).
        """
        gamma = validation.check_number(contamination, "contamination", low=0, high=1, closed="left")
        observed = _of_alternative(self.statistic, self.statistic_reverse, self.alternative)
        return _pvalue(self.null_distribution, observed - 2 * gamma / (1 - gamma), self.exact)


def stochastic_dominance_test(
    a: ArrayLike,
    b: ArrayLike,
    greater_is_better: bool | Sequence[bool] = True,
    *,
    cardinal: bool | Sequence[bool] = False,
    alternative: Alternative = "two-sided",
    regularization: float = 0.0,
    n_resamples: int | None = None,
    rng: Seed = None,
    metrics: Names = None,
) -> StochasticDominanceResult:
    r"""Generalised stochastic dominance of one model over another on several metrics at once.

    A utility :math:`u` gives each vector of scores a number from 0, for the worst observed score on every metric, to 1,
    for the best. It has to agree with what the metrics say for certain: a vector at least as good on all metrics has at
    least the same utility; and, where metrics are cardinal, of two exchanges for something better that of :math:`y` for
    :math:`x` gains at least as much as that of :math:`y'` for :math:`x'` if the difference is at least as large on
    every cardinal metric, and on every other one :math:`y` is no better than :math:`y'` and :math:`x` no worse than
    :math:`x'`. How the metrics are weighed is left open. The statistic

    .. math:: d(a, b) = \min_u \; \frac 1 n \sum_{i=1}^n \left[u(a_i) - u(b_i)\right]

    is at least 0 exactly where the scores of `a` dominate those of `b` (Jansen, Nalenz, Schollmeyer and Augustin 2023).
    On one metric that is first-order stochastic dominance. Dominance compares the distributions of scores over cases,
    not the models case by case.

    Without cardinal metrics nothing but the order of the scores counts, and :math:`n \, d` is, up to a constant, the
    largest number of cases of `b` that can be matched, each with its own, with cases of `a` at least as good (Strassen
    1965). With cardinal metrics, or regularised, it is a linear program.

    The null hypothesis is that the models are exchangeable on each case: all scores of a case, together, are as likely
    with the models swapped. The p-value is the share of all :math:`2^k` swaps on the :math:`k` cases where the models
    differ whose statistic is at least the observed one. Where there are too many to count, or `n_resamples` is given,
    swaps are drawn, and :math:`p = (1 + m) / (1 + B)` with :math:`m` of :math:`B` at least as large. The paper permutes
    the labels of two independent samples; on paired cases that would take the spread between data sets for noise. A
    small p-value with ``"greater"`` says that `a` is nearer to dominating `b` than it would be by chance, not that `a`
    dominates: some utilities may still prefer `b`, and `relation` holds for the sample only.

    Parameters
    ----------
    a, b : array_like of shape (n_cases, n_metrics) or (n_cases,)
        Scores of the two models on the same cases, one column per metric; at most 2000 cases. The cases have to be
        independent, as data sets are: the folds of one data set are not, and with them the p-value is too small.
    greater_is_better : bool or sequence of bool, default=True
        Direction of each metric.
    cardinal : bool or sequence of bool, default=False
        Whether differences of each metric can be compared in size, also between cases, rather than its order alone.
        Less is left open then, so that neither statistic is smaller.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: `a` is nearer to dominating `b`. ``"two-sided"`` takes the larger of both statistics.
    regularization : float, default=0
        In [0, 1]. Every strict preference has to make a difference in utility of at least this share of the largest
        one that is possible for all of them at once. More of it raises the statistics and leaves out utilities that
        hardly use the metrics.
    n_resamples : int, optional
        Number of random swaps, at least 1. The default is none where all swaps are fewer than 10,000 (1,000 with
        cardinal metrics or regularised), and otherwise 9,999 (999).
    rng : int or numpy.random.Generator, optional
        Draws them; the same seed gives the same result, in whatever order the cases come, and mirrors it when the
        models are swapped.
    metrics : sequence of str, optional
        Names of the metrics, for the record.

    Returns
    -------
    StochasticDominanceResult
        With the warning NO_DIFFERENCE where the models do not differ on any case, and where they differ on too few
        CANNOT_REJECT (for p < 0.05) or NOT_AT_LEVEL (for p < 0.01).

    Raises
    ------
    ValueError
        If the scores are not finite or not paired, an option is out of range or of another length than the metrics, or
        there are too many cases, or with cardinal metrics more than 8000 pairs of score vectors of which one is better:
        enough for 62 cases whatever the scores.
    RuntimeError
        If a linear program is not solved.

    Notes
    -----
    On 3 metrics a swap takes 0.1 ms for 20 or 50 cases and 2 ms for 200. With one cardinal metric it takes 3 ms for 20
    cases and 40 ms for 50; where all three are cardinal, 10 ms and 0.4 s, so that 999 swaps of 50 cases take minutes.
    ``"two-sided"`` takes twice as long where swaps are drawn.

    References
    ----------
    C. Jansen, M. Nalenz, G. Schollmeyer and T. Augustin (2023), Statistical comparisons of classifiers by generalized
    stochastic dominance, Journal of Machine Learning Research 24(231), 1-37.

    C. Jansen, G. Schollmeyer, H. Blocher, J. Rodemann and T. Augustin (2023), Robust statistical comparison of random
    variables with locally varying scale of measurement, UAI, PMLR 216, 941-952.

    V. Strassen (1965), The existence of probability measures with given marginals, Annals of Mathematical Statistics
    36(2), 423-439, :doi:`10.1214/aoms/1177700153`.

    Examples
    --------
    Accuracy, and time where less is better, on five data sets:

    >>> from skcompare.inference import stochastic_dominance_test
    >>> a = [[0.90, 1.0], [0.80, 3.0], [0.70, 2.0], [0.85, 1.0], [0.75, 1.0]]
    >>> b = [[0.85, 2.0], [0.75, 2.0], [0.70, 3.0], [0.80, 2.0], [0.65, 3.0]]
    >>> result = stochastic_dominance_test(a, b, greater_is_better=[True, False], alternative="greater")
    >>> result.relation, round(result.statistic, 3), result.pvalue
    ('a dominates', 0.0, 0.03125)
    """
    a, b = check_cases(a, b)
    n, n_metrics = a.shape
    if n > MAX_CASES:
        raise ValueError(f"a and b must have at most {MAX_CASES} cases (rows); got {n}")
    better = per_metric_bool(greater_is_better, n_metrics)
    scale = per_metric_bool(cardinal, n_metrics, "cardinal")
    validation.check_alternative(alternative)
    share = validation.check_number(regularization, "regularization", low=0, high=1)
    n_resamples, generator = validation.check_draws(n_resamples, rng, optional=True, held=n // 8 + 1)
    names = validation.check_names(metrics, n_metrics, "metrics", "metric")
    outcomes = outcomes_of(a, b, better)
    preferences = preferences_of(outcomes, scale)
    plain = by_program(preferences, 0.0, n) if scale.any() else by_matching(outcomes, n)
    statistic = by_program(preferences, share, n) if share else plain
    ours, theirs = moving(outcomes)
    forward, reverse = statistic(ours, theirs), statistic(theirs, ours)
    default = DEFAULT_PROGRAMS if scale.any() or share else DEFAULT_MATCHINGS
    exact = not n_resamples and 2.0**ours.size <= default + 1
    drawn = 0 if exact else n_resamples or default
    null = _null_distribution(statistic, ours, theirs, drawn, alternative, generator)
    kind = f"{int(scale.sum())} of {scale.size} metrics cardinal" if scale.any() else "ordinal"
    slack = f", regularization {share:g}" if share else ""
    at_least = (plain(ours, theirs) >= 0, plain(theirs, ours) >= 0)
    return StochasticDominanceResult(
        statistic=forward,
        statistic_reverse=reverse,
        relation=_RELATIONS[at_least],
        pvalue=_pvalue(null, _of_alternative(forward, reverse, alternative), exact),
        alternative=alternative,
        exact=exact,
        n=n,
        n_different=ours.size,
        n_resamples=drawn,
        n_constraints=preferences.n_constraints,
        cardinal=tuple(scale.tolist()),
        regularization=share,
        null_distribution=null,
        metrics=names,
        method=f"generalised stochastic dominance test ({kind}{slack}, {f'{drawn} resamples' if drawn else 'exact'})",
        warnings=_warnings(ours.size, drawn, alternative),
    )


def _null_distribution(
    statistic: Statistic, a: Positions, b: Positions, drawn: int, alternative: str, generator: np.random.Generator
) -> FloatArray:
    """The statistic, the same for both orders of the models, under swaps that are drawn, or under all of them.

    A swap says of each case whether the first model has the better-sorted of its outcomes.
    """
    if drawn:
        coins = generator.integers(2, size=(drawn, a.size), dtype=np.bool_)
    else:
        coins = (np.arange(2**a.size)[:, None] >> np.arange(a.size) & 1).astype(np.bool_)
    high, low = np.maximum(a, b), np.minimum(a, b)
    forward = np.array([statistic(np.where(coin, high, low), np.where(coin, low, high)) for coin in coins])
    if alternative != "two-sided":
        return forward
    if not drawn:  # of all swaps the last is the opposite of the first
        return np.asarray(np.maximum(forward, forward[::-1]))
    reverse = [statistic(np.where(coin, low, high), np.where(coin, high, low)) for coin in coins]
    return np.asarray(np.maximum(forward, reverse))


def _warnings(n_different: int, drawn: int, alternative: str) -> Warnings:
    if n_different == 0:
        return (Code.NO_DIFFERENCE("the models have the same scores on every case."),)
    least = by_cases(n_different, "different case", alternative)
    if drawn and 1 / (1 + drawn) > least.pvalue:
        least = by_resamples(drawn)
    if COARSE < least.pvalue < ALPHA:
        return (Code.NOT_AT_LEVEL(f"no scores on so many cases give a p-value below {least.pvalue:.3g}."),)
    return least.warnings()


def _of_alternative(forward: float, reverse: float, alternative: str) -> float:
    return {"greater": forward, "less": reverse, "two-sided": max(forward, reverse)}[alternative]


def _pvalue(null: FloatArray, observed: float, exact: bool) -> float:
    extreme = int((null >= observed - EQUAL).sum())
    return extreme / null.size if exact else (1 + extreme) / (1 + null.size)
