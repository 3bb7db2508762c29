"""Which of many models are not significantly different from the best: a set from corrected t tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import comb
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, special

from skcompare._core.frames import import_pandas
from skcompare._core.numbers import counted
from skcompare._core.validation import FloatArray, Names, check_choice, check_integer, check_number
from skcompare._core.warnings import Code, Warnings
from skcompare.inference._distributions import studentized_range_pvalue
from skcompare.inference._kinds import Result
from skcompare.inference._records import Correction, Positions, SplitTable, check_correction, check_splits
from skcompare.inference._sentences import Some, Values

# Corrected t statistics of all pairs of many models on the same splits, and the largest over each model.


Keep = Literal["all", "each"]
_METHODS = {"all": "model confidence set", "each": "cross-validation with confidence"}
# Values of a standard normal variable, over which is summed.
_NORMAL = np.arange(-12.0, 12.0, 0.05)
# Pairs of models whose variances are looked at together.
_AT_ONCE = 2**17
# Steps between scores are looked for up to this many in one difference.
LARGEST_TEST_SET = 1e6


class Leads(NamedTuple):
    """The largest corrected t over each model, and the pairs whose differences do not vary.

    Attributes
    ----------
    statistics : ndarray of shape (n_models,)
        The largest t of another model over each one.
    n_constant : int
        Pairs whose differences do not vary.
    n_fixed : int
        Those of them whose differences are not 0.
    first_fixed : tuple of (int, int) or None
        The first of these.
    """

    statistics: FloatArray
    n_constant: int
    n_fixed: int
    first_fixed: tuple[int, int] | None


_OfPairs = tuple[FloatArray, NDArray[np.bool_], NDArray[np.bool_]]


def _t_tests(
    table: SplitTable, correction: Correction, least: float, *, certain: bool
) -> Callable[[int | Positions, Positions], _OfPairs]:
    """T of models over others, and of which of these pairs the differences do not vary, also without those of 0.

    The conventions are those of `corrected_t_test`; unless `certain`, a difference that does not vary is none.
    """
    oriented, factor = table.oriented, correction.variance(table.oriented.shape[1]) ** 0.5

    def t(i: int | Positions, j: Positions) -> _OfPairs:
        d = oriented[j] - oriented[i]
        unit = np.ldexp(1.0, np.frexp(np.abs(d).max(axis=1))[1])
        noise = np.maximum(table.noise[j], table.noise[i]) / unit
        d = d / unit[:, None]
        mean, still = d.mean(axis=1), np.ptp(d, axis=1) <= noise
        mean[np.abs(mean) <= noise] = 0.0
        equal = still & (mean == 0)
        error = np.maximum(np.where(still, 0.0, d.std(axis=1, ddof=1)), least / unit) * factor
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(still & (equal | (not certain)), 0.0, mean / error), still, still & ~equal

    return t


def largest_leads(table: SplitTable, correction: Correction, *, certain: bool = True) -> Leads:
    """The largest t over each model. Unless they are `certain`, differences that do not vary are no lead.

    Variances by products of scores tell which models may have it: those near the largest t, and all whose differences
    are so small that products do not tell. Only these are compared as `corrected_t_test` does. In the order of the
    means only those after a model can lead it; before the last ones all are looked at.
    """
    k, least = len(table.names), _least(table)
    t_tests = _t_tests(table, correction, least, certain=certain)
    leads, n_constant, n_fixed, first_fixed = np.full(k, -np.inf), 0, 0, k * k
    unit = float(np.abs(table.oriented).max()) or 1.0
    scores = table.oriented / unit
    order = np.argsort(scores.mean(axis=1), kind="stable")
    means, scores = scores.mean(axis=1)[order], scores[order] - scores.mean(axis=0)
    scores = (scores - scores.mean(axis=1, keepdims=True)) / max(scores.shape[1] - 1, 1) ** 0.5
    squares, one = np.einsum("ij,ij->i", scores, scores), np.ones(k)
    left, right = np.column_stack([-2 * scores, squares, one]), np.vstack([scores.T, one, squares])
    floor, close = max((least / unit) ** 2, 1e-300), np.maximum(2.1e-6 * squares, 2e-18)
    size = max(1, _AT_ONCE // k)
    for start in range(0, k, size):
        rows, first = slice(start, start + size), start if start + size < k else 0
        # The variances of all differences. A product of so few columns takes threads more time to share than to make.
        spread = np.einsum("ij,jk->ik", left[rows], right[:, first:])
        near = spread <= close[rows, None]
        rough = (means[first:] - means[rows, None]) / np.sqrt(np.maximum(spread, floor))
        rough[near] = -np.inf
        most = rough.max(axis=1, keepdims=True)
        i, j = np.nonzero(near | (rough >= most - 1e-6 * np.abs(most)))
        i, j = i + start, j + first
        i, j = i[i != j], j[i != j]
        own, other = order[i], order[j]
        t, still, fixed = t_tests(own, other)
        np.maximum.at(leads, own, t)
        n_constant += int(still[i < j].sum())
        n_fixed += int(fixed[i < j].sum())
        first_fixed = int((np.minimum(own, other) * k + np.maximum(own, other))[fixed].min(initial=first_fixed))
    pair = divmod(first_fixed, k) if n_fixed else None
    return Leads(statistics=leads, n_constant=n_constant, n_fixed=n_fixed, first_fixed=pair)


def _least(table: SplitTable) -> float:
    """The smallest deviation that differences of scores in steps can be taken to have.

    The steps of a split are 1 over the test size wide for accuracy, next to 0 without steps. A single gap is a multiple
    of itself: only a split with three different scores shows that there are steps.
    """
    order = np.argsort(table.oriented, axis=0).T
    gaps = np.diff(np.take_along_axis(table.oriented.T, order, axis=1), axis=1)  # between neighbours of each split
    gaps[gaps <= np.maximum(table.noise[order][:, 1:], table.noise[order][:, :-1])] = np.inf
    gaps[gaps > LARGEST_TEST_SET * gaps.min(axis=1, keepdims=True)] = np.inf  # too large to be counted in steps
    return 0.0 if (np.isfinite(gaps).sum(axis=1) < 2).all() else float(_common_divisors(gaps).min() / 6**0.5)


def _common_divisors(gaps: FloatArray) -> FloatArray:
    """Of each row the largest number of which all its finite gaps are multiples, up to rounding; inf without any."""
    divisors, rest = np.full((len(gaps), 1), np.inf), gaps
    none = np.max(gaps, axis=1, where=np.isfinite(gaps), initial=0.0, keepdims=True) * 1e-9
    while np.isfinite(rest).any():
        least = rest.min(axis=1, keepdims=True)
        divisors = np.where(np.isfinite(least), least, divisors)
        with np.errstate(invalid="ignore"):  # inf is no multiple of anything
            rest = np.abs(gaps - np.rint(gaps / divisors) * divisors)
        rest = np.where(rest > none, rest, np.inf)
    return divisors


class ModelConfidenceSet(Result, eq=False):
    """Which models are not significantly different from the best.

    Attributes
    ----------
    names : tuple of str
        The models, in the order of the columns.
    means : ndarray of shape (n_models,)
        Mean scores, in score units.
    pvalues : ndarray of shape (n_models,)
        In [0, 1]: of the hypothesis that a model is one of the best, adjusted for all comparisons of the models; 1 for
        the one with the best mean. nan only with fewer than two splits.
    statistics : ndarray of shape (n_models,)
        The largest corrected t statistic of another model over this one, that of `corrected_t_test` unless scores lie
        in steps; at most 0 for a model with the best mean.
    best : str
        The model with the best mean; the first of several.
    n : int
        Number of splits.
    """

    names: tuple[str, ...]
    means: FloatArray
    pvalues: FloatArray
    statistics: FloatArray
    best: str
    n: int
    _kind = Some("model", "not significantly different from {record.best}, which has the best mean", "members")

    def members(self, alpha: float = 0.05) -> tuple[str, ...]:
        """The models that are not significantly different from the best, the model confidence set.

        Parameters
        ----------
        alpha : float, default=0.05
            The probability that one or more of the best models are missing, in (0, 1).

        Returns
        -------
        tuple of str
            Those without a p-value below `alpha`, in the order of `names`; never empty.

        Raises
        ------
        ValueError
            If `alpha` is not in (0, 1).
        """
        alpha = check_number(alpha, "alpha", low=0, high=1, closed="neither")
        return tuple(name for name, p in zip(self.names, self.pvalues, strict=True) if not p < alpha)

    def to_frame(self) -> Any:
        """One row per model as a pandas DataFrame; needs pandas."""
        columns = {"mean": self.means, "statistic": self.statistics, "pvalue": self.pvalues}
        return import_pandas().DataFrame(columns, index=list(self.names))


def model_confidence_set(
    scores: ArrayLike,
    *,
    test_fraction: float,
    greater_is_better: bool = True,
    names: Names = None,
    overlap: float = 1.0,
    keep: Keep = "all",
) -> ModelConfidenceSet:
    r"""Which of many models are not significantly different from the best, after all of them were looked at.

    Picking the model with the best mean and testing the others against it finds differences where there are none: the
    best of many equal models was lucky. Here all pairs are compared under one error rate. Let :math:`t_{ij}` be the
    statistic of `corrected_t_test` for model j over model i. While the largest of them among the models that are left,
    :math:`t`, is significant for a set of that size, the model over which another has that lead leaves. This is
    the model confidence set of Hansen, Lunde and Nason (2011) with their statistic :math:`T_R` and elimination rule
    :math:`e_R`; the p-value of a model is the largest up to the step at which it would leave.

    Their bootstrap needs a long series, folds are few and overlap. Here the p-value of :math:`t` in a set of :math:`k`
    models on :math:`n` splits is

    .. math:: p = 1 - (1 - p_R)^{1 - r^2} (1 - p_I)^{r^2}, \quad r^2 = \frac{t^2}{t^2 + n - 1},

    where :math:`p_R` is the probability that the range of :math:`k` independent standard normal variables exceeds
    :math:`\sqrt 2 \, z`, with the normal quantile :math:`z` of the same tail as :math:`t` on :math:`n - 1` degrees of
    freedom, and :math:`p_I = 1 - (1 - p_1)^{k (k - 1) / 2}` takes the pairs, each with its two-sided p-value
    :math:`p_1`, for independent. The first holds for many splits. On few splits a large statistic owes more to
    a small standard error, which the pairs do not share; :math:`r^2` is how much of the squares of the differences the
    mean makes up, and with it the size is right (4.3% to 5.8% at 5%) for 2 to 50 exchangeable normal models on 3 to 50
    splits. Models of unequal variance or correlation make it smaller, as Tukey and Kramer conjectured of the range.
    For two models the p-value is that of the two-sided `corrected_t_test`, with ``overlap=0.4`` of `k_fold_t_test`.

    On small test sets accuracy moves in steps, and of many pairs some differ by the same number of steps on each of few
    splits. With three models or more no variance of a difference is therefore taken for less than
    :math:`\delta^2 / 6`, what rounding both scores to steps of width :math:`\delta` adds; the steps are read from the
    scores of splits on which three or more are different, and scores without steps are not affected. Without that 5
    folds of 12 samples found some of 50 equal models different in more than half of the data sets. Models that are
    equal on every split count as models, but change no statistic of another one.

    All models that are the best, one or several, are left with probability ``1 - alpha``. So each model that differs
    significantly is worse than the best, and one may say so of all of them and whichever model was picked. This is
    stricter than the comparisons with the best of Hsu (1984). They promise that any one of the best models is left, not
    that all are, for which smaller quantiles do: of several that are equally good they often exclude one. Neither
    allows for scores that are not normal. On real fits of 60 samples and more (`docs/benchmarks.md`) one or more of 10
    or 50 equal naive Bayes models were significantly different from the best in 0% to 4% of data sets at 5%, on one
    cross-validation with ``overlap=0.4``, with trees too, in 0% to 6%. So a model that is not significantly different
    need not be nearly as good. With 10x10 folds of 20 samples, 2 per test fold, it was 14% with 10 and 24% with 50: too
    often. Other learners vary more. Of 5 equal models of the wider study (`docs/study.md`) with 3 or 4 classes one or
    more differed in 10% of data sets on 10x10, and in 3% on 10 folds. Stumps are the worst, with up to 47% and 17%.

    With ``keep="each"`` a model stays unless some other one is better: the error rate is that of leaving out the best
    one, where there are several each of them. This is the question of Lei (2020), cross-validation with confidence: the
    p-value of model i is that of :math:`\max_j t_{ij}` among the :math:`k - 1` others that are left at its step,

    .. math:: p = 1 - (1 - p_D)^{1 - r^2} (1 - p_1 / 2)^{(k - 1) r^2}, \quad
        p_D = 1 - \int \varphi(x) \, \Phi(\sqrt 2 \, z + x)^{k - 1} \, dx,

    where :math:`p_D` takes the models for equally variable, so that two differences with one model are correlated by
    1/2 (Dunnett 1955). It stands in place of Lei's normal multipliers on the centred splits, which need draws and left
    out equal models more often. The sets are smaller, and never hold a model that ``keep="all"`` leaves out. In
    simulations (`docs/benchmarks.md`) equal naive Bayes models were left out in 2% to 6% of cases each, equal stumps
    on 10 folds and 10x10 in 11% to 30%. For two models the p-value is that of the one-sided `corrected_t_test`.

    Parameters
    ----------
    scores : array_like of shape (n_splits, n_models)
        Scores of at least two models on the same splits, in any unit, in any order.
    test_fraction : float
        Test size over train plus test size, in [0, 1): 1/k for k-fold, repeated or not. 0 takes the splits for
        independent.
    greater_is_better : bool, default=True
        Direction of the scores.
    names : sequence of str, optional
        Names of the models, all different; ``"model 1"`` and so on by default.
    overlap : float, default=1
        The part of the correction that is taken, in [0, 1]: 0.4 on a single run of k-fold gives the standard error of
        `k_fold_t_test`, which an evaluation sets where that test is the default.
    keep : {"all", "each"}, default="all"
        What holds with probability ``1 - alpha``: that all models that are the best stay together, or each of them.

    Returns
    -------
    ModelConfidenceSet
        Equal models have equal p-values. A pair that differs by one value on all splits gives a warning, and of two
        models the p-value 0.

    Raises
    ------
    ValueError
        If the scores are not finite or of fewer than two models, the names are not all different or not one per model,
        or an option is out of range.

    See Also
    --------
    corrected_t_test : two models.
    selection_bias : by how much the mean of the best model is too high, since it was picked.

    References
    ----------
    C. W. Dunnett (1955), A multiple comparison procedure for comparing several treatments with a control, Journal of
    the American Statistical Association 50(272), 1096-1121, :doi:`10.1080/01621459.1955.10501294`.

    P. R. Hansen, A. Lunde and J. M. Nason (2011), The model confidence set, Econometrica 79(2), 453-497,
    :doi:`10.3982/ECTA5771`.

    J. C. Hsu (1984), Constrained simultaneous confidence intervals for multiple comparisons with the best, Annals of
    Statistics 12(3), 1136-1144, :doi:`10.1214/aos/1176346732`.

    J. Lei (2020), Cross-validation with confidence, Journal of the American Statistical Association 115(532),
    1978-1997, :doi:`10.1080/01621459.2019.1672556`.

    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    Examples
    --------
    >>> from skcompare.inference import model_confidence_set
    >>> scores = [[0.82, 0.80, 0.70], [0.79, 0.81, 0.69], [0.84, 0.82, 0.75], [0.80, 0.79, 0.71], [0.85, 0.84, 0.72]]
    >>> result = model_confidence_set(scores, test_fraction=1 / 5, names=["forest", "svm", "stump"])
    >>> result.best, result.members(0.05)
    ('forest', ('forest', 'svm'))
    """
    check_choice(keep, "keep", get_args(Keep))
    correction = check_correction(test_fraction, overlap)
    return confidence_set(check_splits(scores, greater_is_better, names), correction, keep, certain=True)


def confidence_set(
    table: SplitTable, correction: Correction, keep: Keep = "all", *, certain: bool = False
) -> ModelConfidenceSet:
    """The same; unless they are `certain`, differences that do not vary speak against no model."""
    n = table.oriented.shape[1]
    leads = largest_leads(table, correction, certain=certain) if n > 1 else None
    unknown = np.full(len(table.names), np.nan)
    return ModelConfidenceSet(
        names=table.names,
        means=table.means,
        pvalues=unknown if leads is None else step_down(leads.statistics, n - 1, keep),
        statistics=unknown.copy() if leads is None else leads.statistics,
        best=table.names[table.best],
        n=n,
        method=f"{_METHODS[keep]} of {correction.test}s ({correction})",
        warnings=_warnings(leads, table.names, certain=certain),
    )


def step_down(leads: FloatArray, df: int, keep: Keep) -> FloatArray:
    """Adjusted p-values from the largest t over each model: the one with the largest leaves first.

    Leads need not be looked for again: standard errors obey the triangle inequality, so that the leader of a model that
    leaves has at least as large a t over those that it led.
    """
    order = np.argsort(-leads, kind="stable")[:-1]
    pvalues = np.ones(len(leads))
    led = leads[order]
    pvalues[order] = np.maximum.accumulate(pvalues_of_leads(led, df, _set_sizes(led), keep))
    return pvalues


def pvalues_against_best(found: ModelConfidenceSet, table: SplitTable, correction: Correction) -> FloatArray:
    """P-values of the best model against each other one, adjusted as in the set and at least those of the set.

    A model may leave the set because of another one than the best, over which it is not behind by as much. `table`
    is that of the set.
    """
    order = np.argsort(-found.statistics, kind="stable")[:-1]
    t = -_t_tests(table, correction, _least(table), certain=False)(table.best, order)[0]
    pvalues = np.ones(len(found.names))
    sizes = _set_sizes(found.statistics[order])
    pvalues[order] = np.maximum(found.pvalues[order], pvalues_of_leads(t, found.n - 1, sizes))
    pvalues[table.best] = 1.0
    return pvalues


def _set_sizes(leads: FloatArray) -> NDArray[np.intp]:
    """How many models are left at each step, the last time two; leads that are equal but for rounding share a step."""
    steps = np.arange(len(leads))
    shared = np.isclose(leads[1:], leads[:-1], rtol=1e-9, atol=1e-9)
    return len(leads) + 1 - np.maximum.accumulate(np.where(np.append(False, shared), 0, steps))


def pvalues_of_leads(t: FloatArray, df: int, sizes: NDArray[np.intp], keep: Keep = "all") -> FloatArray:
    """P-values of the largest t in sets of these sizes, over all pairs or over one model."""
    tail = special.stdtr(df, -t)
    ranges = -special.ndtri(tail) * 2**0.5
    if keep == "all":
        together, alone, n_alone = studentized_range_pvalue(ranges, sizes), 2 * tail, sizes * (sizes - 1) / 2
    else:
        density = np.exp(-(_NORMAL**2) / 2) / (2 * np.pi) ** 0.5 * (_NORMAL[1] - _NORMAL[0])
        others = (sizes - 1)[:, None] * special.log_ndtr(ranges[:, None] + _NORMAL)
        together, alone, n_alone = np.minimum(-np.expm1(others) @ density, 1.0), tail, (sizes - 1).astype(np.float64)
    with np.errstate(divide="ignore", over="ignore"):
        share = 1 / (1 + df / t**2)
    log_none = special.xlog1py(1 - share, -together) + special.xlog1py(share * n_alone, -alone)
    return np.where((t > 0) | (keep == "all"), np.abs(np.expm1(log_none)), 1.0)


@lru_cache(maxsize=1024)
def level_of_pair(level: float, df: int, n_models: int) -> float:
    """The two-sided level of the t test of one pair, where the largest t of so many models has a p-value of `level`."""

    def excess(t: float) -> float:
        return float(pvalues_of_leads(np.array([t]), df, np.array([n_models]))[0]) / level - 1

    alone, all_pairs = (-float(special.stdtrit(df, level / 2 / n)) for n in (1, comb(n_models, 2)))
    if n_models == 2 or not np.isfinite(all_pairs) or excess(all_pairs) >= 0:  # so small that no two leads are as large
        return level / comb(n_models, 2)
    return 2 * float(special.stdtr(df, -optimize.brentq(excess, alone, all_pairs)))


def _warnings(leads: Leads | None, names: tuple[str, ...], *, certain: bool) -> Warnings:
    if leads is None:
        return (Code.TOO_LITTLE_DATA("a test needs a sample of at least 2 values: collect more."),)
    if leads.n_constant == comb(len(names), 2) and not leads.n_fixed:
        return (Code.NO_DIFFERENCE("the scores of the models are equal on every split."),)
    if leads.first_fixed is None:
        return ()
    a, b = (names[i] for i in leads.first_fixed)
    more = f", nor do those of {counted(leads.n_fixed - 1, 'more pair')}" if leads.n_fixed > 1 else ""
    taken = "the test takes them as certain, but on other data they may vary" if certain else "they are not tested"
    return (Code.ZERO_VARIANCE(f"the differences of {a!r} and {b!r} do not vary{more}: {taken}.", about=(a, b)),)


# The selection bias of the score of the best of many models, which was chosen for that score.


# Of overlapping splits, as of ten folds, a tenth of what they tell is left out of the choice.
_LEFT_OUT = 0.1


class SelectionBiasResult(Result):
    """The score of the model that looks best, with and without its selection bias.

    Attributes
    ----------
    best : str
        The model with the best mean; the first of several.
    apparent : float
        Its mean score.
    bias : float
        Estimate of its selection bias, in score units, at least 0: 0 where the same model wins whatever is left out.
        nan only with fewer than two splits.
    corrected : float
        The bias-corrected score: `apparent` less `bias` where greater is better, plus `bias` elsewhere.
    n_models, n : int
        Models that were compared, and splits.
    """

    best: str
    apparent: float
    bias: float
    corrected: float
    n_models: int
    n: int
    _kind = Values({"mean": "apparent", "bias-corrected score": "corrected", "models": "n_models"}, of=("best",))


def selection_bias(
    scores: ArrayLike,
    *,
    n_folds: int | None = None,
    test_fraction: float | None = None,
    greater_is_better: bool = True,
    names: Names = None,
) -> SelectionBiasResult:
    r"""Estimate the selection bias of the mean score of the best of many models.

    The best of many means is biased upwards: it was picked for being high. As in nested cross-validation, the winner on
    all folds but one is scored on the fold left out, on which it was not chosen. With the scores :math:`x_{kj}` of
    model j on fold k and the model :math:`w(k)` that is best on average over the other folds,

    .. math:: \text{bias} = \max_j \bar x_j - \frac 1 n \sum_{k=1}^{n} x_{k \, w(k)}.

    It is at least 0 without being cut there, for on its fold :math:`w(k)` is never better than the overall winner.
    Models that tie for the best of the other folds are averaged over. In repeated cross-validation the other repeats
    test the samples of the left-out fold again: the choice is made within each repeat, and the repeats are averaged.

    The test sets of random splits (``n_folds=1``) overlap, so that the winner on the other splits was chosen on
    much of what it would be scored on: this would find a tenth of the bias. There the choice is made on
    :math:`\bar x + a (x_k - \bar x)` and the score taken from :math:`\bar x - b (x_k - \bar x)` for each split k and
    for both signs of a and b. With

    .. math:: a = \sqrt{\gamma v \frac{n}{n - 1}}, \quad b = a / \gamma, \quad v = \frac 1 n + \frac{\rho}{1 - \rho},

    these two are uncorrelated if two splits have the correlation :math:`\rho` of Nadeau and Bengio (2003), the test
    fraction; :math:`\gamma = 1/9` leaves as much out of the choice as one fold of ten is. With :math:`\rho = 0` and
    :math:`\gamma = 1 / (n - 1)` this is leaving out one fold, but for the signs.

    In simulations (`docs/benchmarks.md`) of 2 to 50 naive Bayes models on 5 folds, 10 folds, 10x10 and 30 random
    splits of 200 samples, with and without differences, the bias-corrected score was off by at most .009 on average,
    where the apparent one was biased by up to .057; it is too low where one of many models is somewhat better. On folds
    of 100 samples more is left: .006 to .035 where the features say little, .009 to .071 where they say nothing, of
    apparent biases of .028 to .171. The correction of
    Tibshirani and Tibshirani (2009), how much the best of each fold exceeds the winner there, is about right on 5 folds
    where the models are equal; on 10 folds it is 1.7 to 2.0 times too large for accuracy, and 1.0 to 1.9 times for ROC
    AUC. That of Tsamardinos et al. (2018), on folds drawn with replacement and scored on those not drawn, is as good on
    folds where the models are equal, and off by up to .020 where one is better; of random splits it finds a tenth.

    For one data set the estimate is as uncertain as the winner's mean itself. Folds that share their training data are
    taken for independent within a repeat. With learners that change much with their training data, such as trees, they
    are not: of 10 equal trees half to five sixths of the bias were found, and on 10 folds .028 of .060 was left.

    Parameters
    ----------
    scores : array_like of shape (n_splits, n_models)
        Scores of at least two models on the same splits, in any unit; split ``r * n_folds + f`` is fold f of repeat r.
    n_folds : int, optional
        Test sets per repeat, a divisor of `n_splits`; 1 for test sets that overlap, of random splits or where folds are
        missing. By default all splits are the folds of one cross-validation.
    test_fraction : float, optional
        Test size over train plus test size, in [0, 1); needed where `n_folds` is 1 and not used elsewhere.
    greater_is_better : bool, default=True
        Direction of the scores.
    names : sequence of str, optional
        Names of the models, all different; ``"model 1"`` and so on by default.

    Returns
    -------
    SelectionBiasResult
        Of models that are equal on every split the bias is 0.

    Raises
    ------
    ValueError
        If the scores are not finite or of fewer than two models, `n_folds` does not divide the number of splits,
        `test_fraction` is lacking, the names are not all different or not one per model, or an option is out of range.

    See Also
    --------
    model_confidence_set : which models are not significantly different from the best.

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    R. J. Tibshirani and R. Tibshirani (2009), A bias correction for the minimum error rate in cross-validation, Annals
    of Applied Statistics 3(2), 822-829, :doi:`10.1214/08-AOAS224`.

    I. Tsamardinos, E. Greasidou and G. Borboudakis (2018), Bootstrapping the out-of-sample predictions for efficient
    and accurate cross-validation, Machine Learning 107(12), 1895-1922, :doi:`10.1007/s10994-018-5714-4`.

    Examples
    --------
    The first model wins by its third fold; on the others it is no better than the second:

    >>> from skcompare.inference import selection_bias
    >>> result = selection_bias([[0.80, 0.81], [0.79, 0.80], [0.90, 0.80], [0.80, 0.80]], names=["svm", "tree"])
    >>> result.best, round(result.apparent, 4), round(result.bias, 4), round(result.corrected, 4)
    ('svm', 0.8225, 0.025, 0.7975)
    """
    table = check_splits(scores, greater_is_better, names)
    n = table.oriented.shape[1]
    folds = n if n_folds is None else check_integer(n_folds, "n_folds", low=1)
    if n % folds:
        raise ValueError(f"n_folds must divide the number of splits, {n}; got {folds}")
    if test_fraction is None and folds == 1 < n:
        raise ValueError("test_fraction must be given for test sets that overlap (n_folds=1)")
    fraction = 0.0 if test_fraction is None else test_fraction
    fraction = check_number(fraction, "test_fraction", low=0, high=1, closed="left")
    bias, method, warnings = _estimate(table, folds, fraction)
    apparent = float(table.means[table.best])
    return SelectionBiasResult(
        best=table.names[table.best],
        apparent=apparent,
        bias=bias,
        corrected=apparent - bias if greater_is_better else apparent + bias,
        n_models=len(table.names),
        n=n,
        method=method,
        warnings=warnings,
    )


def _estimate(table: SplitTable, folds: int, fraction: float) -> tuple[float, str, Warnings]:
    """The bias, how it was estimated, and warnings."""
    n = table.oriented.shape[1]
    if folds > 1:
        repeats = table.oriented.T.reshape(-1, folds, len(table.names))
        found = []
        for own in repeats:  # the best mean less the scores on each fold of the winner on the others
            others = (own.sum(axis=0) - own) / (folds - 1)
            found.append(float(own.mean(axis=0).max() - _of_winners(others, own, table.noise).mean()))
        bias = float(np.mean(found))
        where = "" if len(repeats) == 1 else f" of each of {len(repeats)} repeats"
        return bias, f"winners on the other folds{where}, scored on the fold left out", ()
    method = f"winners on splits moved apart (test fraction {fraction:.3g})"
    if n < 2:
        few = Code.TOO_LITTLE_DATA("a winner can be scored elsewhere with at least 2 splits only.")
        return float("nan"), method, (few,)
    warning = Code.INDEPENDENCE(
        "the test sets overlap, so that the winner was partly chosen on what scores it; how much is taken from the "
        "test fraction, not from the data."
    )
    return _moved_apart(table.oriented.T, fraction, table.noise), method, (warning,)


def _moved_apart(splits: FloatArray, fraction: float, noise: FloatArray) -> float:
    """Best mean less the scores of winners, each chosen and scored on means that are uncorrelated."""
    n = len(splits)
    means = splits.mean(axis=0)
    deviations = splits - means
    share = _LEFT_OUT / (1 - _LEFT_OUT)
    # Nadeau and Bengio (2003): n2/n1 = rho/(1 - rho)
    variance = 1 / n + fraction / (1 - fraction)
    away = (share * variance * n / (n - 1)) ** 0.5
    steps = ((away * deviations, away / share * deviations), (-away * deviations, -away / share * deviations))
    found = [_of_winners(means + ours, means - theirs, noise).mean() for ours, theirs in steps]
    return float(means.max() - np.mean(found))


def _of_winners(chosen_by: FloatArray, scores: FloatArray, noise: FloatArray) -> FloatArray:
    """In every row the score of the model that is best by `chosen_by`, of several their mean."""
    leader = chosen_by.argmax(axis=1)
    behind = chosen_by.max(axis=1, keepdims=True) - chosen_by
    best = behind <= np.maximum(noise, noise[leader, None])
    return np.asarray((scores * best).sum(axis=1) / best.sum(axis=1))
