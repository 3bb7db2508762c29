"""The records that procedures return, and the steps that several of them share."""

from __future__ import annotations

from dataclasses import field, fields, replace
from math import frexp, ldexp, sqrt
from typing import Any, NamedTuple, Self, TypedDict, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skcompare._core import validation
from skcompare._core.design import Design
from skcompare._core.record import Frozen
from skcompare._core.validation import FloatArray, Hypothesis, Names
from skcompare._core.warnings import Code, CodedWarning, Warnings
from skcompare.inference import _distributions as distributions
from skcompare.inference import _kinds as kinds

# How much of Nadeau and Bengio's correction a design needs: one rule for all procedures on its scores.

# The part that the folds of one run need: measured at k = 5 and 10 for five learners on all metrics (docs/study.md).
OVERLAP = 0.4


def single_k_fold(design: Design) -> bool:
    """One run of as many folds as were measured for `k_fold_t_test`, or nearly so."""
    return design.kind == "folds" and design.partition and design.n_repeats == 1 and 3 <= design.n_folds <= 20


def default_t_test(design: Design) -> str:
    """The t test that has the correction of a design, the default of most; the looks of a `StopRule` take all of it."""
    return "k_fold_t_test" if single_k_fold(design) and not design.sequential else "corrected_t_test"


def overlap_of_test(name: str) -> float:
    """The part of the correction that a t test takes, whatever the design."""
    return OVERLAP if name == "k_fold_t_test" else 1.0


class CorrectionOptions(TypedDict):
    """The options of a procedure that make its correction."""

    test_fraction: float
    overlap: float


class Correction(Frozen):
    """How the variance of a mean difference over splits is corrected for the training samples that these share.

    Attributes
    ----------
    test_fraction : float
        Test size over train plus test size, in [0, 1).
    overlap : float
        The part of the correction that is taken, in [0, 1].
    """

    test_fraction: float
    overlap: float = 1.0

    @classmethod
    def of(cls, design: Design) -> Self:
        """The correction of the default test of a design, and of all that stands beside it."""
        return cls(test_fraction=design.test_fraction, overlap=overlap_of_test(default_t_test(design)))

    @property
    def options(self) -> CorrectionOptions:
        """What a procedure is told of it."""
        return CorrectionOptions(test_fraction=self.test_fraction, overlap=self.overlap)

    @property
    def fold_correlation(self) -> float:
        """The correlation of the differences on two splits that it stands for."""
        added = self.overlap * self.test_fraction / (1 - self.test_fraction)
        return self.test_fraction if self.overlap == 1 else added / (1 + added)

    @property
    def test(self) -> str:
        """The test that takes it, in words."""
        return "corrected t test" if self.overlap == 1 else "k-fold t test"

    @property
    def case(self) -> str:
        """What the corrected mean is over: splits that share training samples, or data sets that share nothing."""
        return "split" if self.test_fraction else "data set"

    def variance(self, n: float) -> float:
        """The variance of a mean of `n` differences over theirs, as estimated from these (Nadeau and Bengio 2003)."""
        return 1 / n + self.overlap * self.test_fraction / (1 - self.test_fraction)  # n2/n1 is rho/(1 - rho)

    @property
    def suffix(self) -> str:
        """What a method adds to its name; nothing where there is no correction."""
        return f" ({self})" if self.test_fraction else ""

    def __str__(self) -> str:
        part = "" if self.overlap == 1 else f", {self.overlap:g} of the correction"
        return f"test fraction {self.test_fraction:.3g}{part}"


# Of data sets and other cases that share no training samples.
INDEPENDENT = Correction(test_fraction=0.0)


def check_correction(test_fraction: float, overlap: float = 1.0) -> Correction:
    """The two options of a correction, or ValueError."""
    fraction = validation.check_number(test_fraction, "test_fraction", low=0, high=1, closed="left")
    return Correction(test_fraction=fraction, overlap=validation.check_number(overlap, "overlap", low=0, high=1))


# Two models case by case: their differences, and who wins.

# Scores that differ by less than this fraction of the largest score differ by rounding only.
ROUNDING = 1e-12
# Between these the squares of numbers neither overflow nor vanish.
ORDINARY = (2.0**-400, 2.0**400)
# Larger differences have a sum or a standard deviation that overflows.
LARGEST_DIFFERENCE = 1e300


def mean_and_std(values: FloatArray, largest: float) -> tuple[float, float]:
    """Mean and standard deviation (``ddof=1``, nan of one value) of values up to a `largest` absolute one.

    Equal to numpy's, also where their squares overflow.
    """
    n, flat = values.size, values.ravel()
    unit = 1.0 if not largest or ORDINARY[0] < largest < ORDINARY[1] else ldexp(1.0, frexp(largest)[1])
    if unit != 1:
        flat = flat / unit
    mean = float(np.add.reduce(flat)) / n
    if n < 2:
        return mean * unit, float("nan")
    around = flat - mean
    return mean * unit, sqrt(float(np.add.reduce(np.multiply(around, around, out=around))) / (n - 1)) * unit


def won_or_level(a: FloatArray, b: FloatArray, rope: float = 0.0) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where `a` is above `b`, and where it is not below it.

    Differences of at most `rope` and the rounding of the larger of the two numbers are ties.
    """
    width = np.abs(a)
    np.maximum(width, np.abs(b), out=width)
    np.multiply(width, ROUNDING, out=width)
    if rope:
        np.add(width, rope, out=width)
    with np.errstate(over="ignore"):
        d = a - b
    return d > width, d >= np.negative(width, out=width)


class TTestResult(kinds.HasInterval, kinds.DifferenceTest):
    """Result of a test that refers a mean difference over its standard error to Student's t.

    `confidence_interval` inverts the test: it leaves out `null` exactly when ``pvalue < 1 - confidence_level``.

    Attributes
    ----------
    statistic : float
        `estimate` less `null` over `standard_error`; infinite where all differences are one other value than `null`.
    pvalue : float
        In [0, 1]; nan only with fewer than two differences.
    df : float
        Degrees of freedom, real and positive; nan only with fewer than two differences.
    alternative : {"two-sided", "greater", "less"}
        What was tested: the mean of ``a - b`` is not `null`, above it, below it.
    estimate : float
        The difference ``a - b`` that the interval is centred on, in score units; positive favours `a`.
    mean_difference : float
        Mean of all differences ``a - b``; equals `estimate` except for the 5x2 t test.
    standard_error : float
        Of `estimate`, in score units, under the test's own model of the correlation between folds.
    effect_size : float
        Cohen's d_z, the mean over the standard deviation of the differences; nan where it is not defined.
        It describes the spread over folds, not over independent data.
    n : int
        Number of differences used.
    changes : tuple of float
        Where two models differ by the same on all of one test set, by how much other values of each sample change the
        mean, falling. The interval and the p-value then allow for samples on which they do not.
    skewness : float
        Of a mean over the cases of one test set, beyond 1/5; there the interval is longer, and the p-value larger.
    """

    statistic: float
    df: float
    mean_difference: float
    standard_error: float
    effect_size: float
    changes: tuple[float, ...] = field(default=(), repr=False)
    skewness: float = field(default=0.0, repr=False)

    def with_changes(self, changes: tuple[float, ...]) -> Self:
        """The same of differences that do not vary, with an interval and a p-value that allow for other samples."""
        pvalue = distributions.unseen_pvalue(np.array(changes), self.null - self.estimate, self.alternative)
        return replace(self, changes=changes, pvalue=pvalue)

    def with_skewness(self, skewness: float) -> Self:
        """The same of a mean over cases that is skewed, with an interval and a p-value that allow for it."""
        statistic = float(distributions.skewed_statistic(self.statistic, skewness))
        return replace(self, skewness=skewness, pvalue=distributions.t_pvalue(statistic, self.df, self.alternative))

    def _limits(self, tail: float) -> tuple[float, float]:
        low, high = distributions.t_limits(self.estimate, self.standard_error, self.df, tail, self.skewness)
        reach = distributions.unseen(np.array(self.changes), 1 + np.arange(len(self.changes)), tail)
        return low - reach, high + reach


class FTestResult(kinds.DifferenceTest):
    """Result of an omnibus test that refers a ratio of mean squares to an F distribution.

    Attributes
    ----------
    statistic : float
        The ratio, at least 0; infinite where only its denominator is 0.
    pvalue : float
        Upper tail, in [0, 1].
    df : tuple of float
        Numerator and denominator degrees of freedom.
    alternative : {"two-sided"}
        An F test has no direction.
    estimate : float
        Mean of all differences ``a - b``, in score units; positive favours `a`.
    effect_size : float
        Cohen's d_z over the folds; nan where it is not defined.
    n : int
        Number of differences used.
    """

    statistic: float
    df: tuple[float, float]
    effect_size: float


class DifferencePosterior(kinds.Posterior):
    """Posterior of a mean difference ``a - b``: a location-scale Student t.

    Attributes
    ----------
    left, rope, right : float
        Probabilities that `b` is better, that the two are equivalent (the mean difference lies inside
        the region of practical equivalence), that `a` is better. They sum to 1.
    mean : float
        Posterior mean of the difference, in score units.
    scale : float
        Scale of the t distribution, in score units.
    df : float
        Its degrees of freedom.
    rope_width : float
        Half width of the region of practical equivalence, in score units.
    n : int
        Number of differences used.
    """

    mean: float
    scale: float
    df: float

    def interval(self, mass: float = 0.95) -> kinds.ConfidenceInterval:
        """Central credible interval that holds the posterior probability `mass`, in (0, 1)."""
        mass = validation.check_number(mass, "mass", low=0, high=1, closed="neither")
        return kinds.ConfidenceInterval(*distributions.t_limits(self.mean, self.scale, self.df, (1 - mass) / 2))

    def density(self, x: ArrayLike) -> FloatArray:
        r"""Posterior density of the mean difference.

        With the scale :math:`s`, :math:`\nu` degrees of freedom and :math:`t = (x - \mathrm{mean}) / s` it is

        .. math:: \frac{\Gamma((\nu + 1) / 2)}{\Gamma(\nu / 2) \sqrt{\nu \pi} \, s} (1 + t^2 / \nu)^{-(\nu + 1) / 2}

        Parameters
        ----------
        x : array_like
            Differences, in score units; a number, or an array of one or two dimensions.

        Returns
        -------
        ndarray
            Density per score unit, at least 0, in the shape of `x`. Where the scale is 0 it is infinite at the mean and
            0 elsewhere; nan with fewer than two differences.

        Raises
        ------
        ValueError
            If `x` is empty or not finite.
        """
        x = validation.check_scores(x, "x", ndim=(0, 1, 2))
        if self.scale == 0:
            return np.where(x == self.mean, np.inf, 0.0)
        half = (self.df + 1) / 2
        log_constant = special.gammaln(half) - special.gammaln(self.df / 2) - np.log(self.df * np.pi) / 2
        with np.errstate(over="ignore"):
            squares = ((x - self.mean) / self.scale) ** 2
            return np.asarray(np.exp(log_constant - half * np.log1p(squares / self.df)) / self.scale)


class Differences(Frozen):
    """Paired differences ``a - b``, their mean and their standard deviation (0 only where all are equal).

    Differences of at most `noise` are rounding.
    """

    values: FloatArray
    mean: float
    std: float
    noise: float

    @property
    def effect_size(self) -> float:
        """Cohen's d_z, mean over standard deviation; 0 where both are 0, nan where only the latter is."""
        if self.std == 0:
            return 0.0 if self.mean == 0 else float("nan")
        return self.mean / self.std


def paired_differences(a: FloatArray, b: FloatArray) -> Differences:
    """Differences ``a - b``; those that vary by rounding only are made equal."""
    with np.errstate(over="ignore"):
        d = a - b
    low, high = float(d.min()), float(d.max())
    largest = max(float(end) for values in (a, b) for end in (values.max(), -values.min()))
    noise, greatest = ROUNDING * largest, max(high, -low)
    if greatest > LARGEST_DIFFERENCE:
        raise ValueError(f"a and b must differ by at most {LARGEST_DIFFERENCE:g}; got {greatest:g}")
    mean, std = mean_and_std(d, greatest)
    if d.size > 1 and high - low <= noise:
        std = 0.0
    if std == 0 or (d.size == 1 and abs(mean) <= noise):
        mean = 0.0 if abs(mean) <= noise else mean
        d = np.full_like(d, mean)
    return Differences(values=d, mean=mean, std=std, noise=noise)


def sample_std(values: FloatArray, noise: float) -> float:
    """Standard deviation (``ddof=1``), nan below two values, 0 where the values vary by at most `noise`."""
    if values.size < 2:
        return float("nan")
    low, high = float(values.min()), float(values.max())
    return 0.0 if high - low <= noise else mean_and_std(values, max(high, -low))[1]


def power_of_two(values: FloatArray) -> float:
    """The power of two next above all `values`, not without inverse: divided by it, exactly, no square overflows."""
    return ldexp(1.0, max(frexp(float(np.abs(values).max()))[1], -1021))


def t_test(
    differences: Differences,
    standard_error: float,
    df: float,
    against: Hypothesis,
    *,
    method: str,
    warnings: Warnings = (),
    estimate: float | None = None,
    effect_size: float | None = None,
    needs: str = "a sample of at least 2 values",
) -> TTestResult:
    """Refer `estimate` less `null` over `standard_error` to Student's t with `df`, and fill the record.

    A standard error of 0, and of nan from fewer than two values, get the answers that every t procedure
    shares.
    """
    centre, (alternative, null) = differences.mean if estimate is None else estimate, against
    if standard_error == 0 and abs(centre - null) <= differences.noise + ROUNDING * abs(null):
        centre = null
    beyond = centre - null
    if np.isnan(standard_error):
        statistic = pvalue = df = float("nan")
        warnings += (Code.TOO_LITTLE_DATA(f"a test needs {needs}: collect more."),)
    elif standard_error == 0:
        statistic = float(np.copysign(np.inf, beyond)) if beyond else 0.0
        pvalue = distributions.t_pvalue(statistic, df, alternative) if beyond else 1.0
        warnings += (zero_variance(centre),)
    else:
        statistic = beyond / standard_error
        pvalue = distributions.t_pvalue(statistic, df, alternative)
    return TTestResult(
        statistic=statistic,
        pvalue=pvalue,
        df=df,
        alternative=alternative,
        estimate=centre,
        mean_difference=differences.mean,
        standard_error=standard_error,
        effect_size=differences.effect_size if effect_size is None else effect_size,
        n=differences.values.size,
        null=null,
        method=method,
        warnings=warnings,
    )


T = TypeVar("T", bound=kinds.Result)


def widened(found: kinds.Result, record: type[T], **more: Any) -> T:
    """What was found as another record: with the fields that they share, and more or other values of some."""
    shared = (one.name for one in fields(record) if hasattr(found, one.name))
    return record(**{name: getattr(found, name) for name in shared} | more)


def corrected_t(
    differences: Differences, correction: Correction, against: Hypothesis, name: str = "corrected t test"
) -> TTestResult:
    """The t test whose variance allows for the overlap of training sets (Nadeau and Bengio 2003)."""
    n = differences.values.size
    error = differences.std * correction.variance(n) ** 0.5
    return t_test(differences, error, n - 1.0, against, method=f"{name} ({correction})")


def smallest_difference(record: TTestResult, power: float, alpha: float) -> float:
    """The true difference that the test of a record finds with this power."""
    error = record.standard_error
    if error == 0 or np.isnan(error):
        return error
    return distributions.needed_distance(record.df, power, alpha, record.alternative) * error


def zero_variance(centre: float) -> CodedWarning:
    """The warning of a test whose differences do not vary."""
    if centre == 0:
        return Code.NO_DIFFERENCE("the differences that the test reads are all 0.")
    return Code.ZERO_VARIANCE(
        f"the differences that the test reads are all {centre:g}: it takes that as certain, but on other data they may "
        "vary."
    )


def f_pvalue(statistic: float, df: tuple[float, float]) -> float:
    """Upper tail of the F distribution."""
    return float(special.fdtrc(*df, statistic))


def greenhouse_geisser(covariance: FloatArray, rank: int) -> float:
    """How far differences between models are from varying equally, from 1 / `rank` to 1 for equally.

    `covariance`, up to a factor, is that of orthonormal contrasts or of scores less their mean over the models, of this
    `rank`; 1 where nothing varies.
    """
    trace = float(np.trace(covariance))
    return float(np.clip(trace**2 / (rank * float((covariance**2).sum())), 1 / rank, 1.0)) if trace > 0 else 1.0


# Scores as procedures take them that read more than the differences of pairs: of many models, or of two unpaired.


class SplitTable(NamedTuple):
    """Scores of at least two models on the same splits.

    Attributes
    ----------
    means : ndarray of shape (n_models,)
        In score units.
    oriented : ndarray of shape (n_models, n_splits)
        Scores, turned so that greater is better.
    noise : ndarray of shape (n_models,)
        Rounding of each model's scores; two scores are equal within that of the larger.
    names : tuple of str
        The models.
    best : int
        The model with the best mean; the first of several.
    """

    means: FloatArray
    oriented: FloatArray
    noise: FloatArray
    names: tuple[str, ...]
    best: int


def check_size(name: str, *values: FloatArray) -> float:
    """The largest size of all values, or ValueError where their sums and squares may overflow."""
    largest = max(float(np.abs(part).max()) for part in values)
    if largest > LARGEST_DIFFERENCE:
        raise ValueError(f"{name} must be at most {LARGEST_DIFFERENCE:g} in size; got {largest:g}")
    return largest


def check_unpaired(a: ArrayLike, b: ArrayLike) -> tuple[FloatArray, FloatArray, float, float, float]:
    """Both samples sorted, a power of two above them, what is rounding in them, and their mean difference."""
    x, y = np.sort(validation.check_scores(a, "a").ravel()), np.sort(validation.check_scores(b, "b").ravel())
    largest = max(check_size("a", x), check_size("b", y))
    unit, noise = power_of_two(np.concatenate((x, y))), ROUNDING * largest
    difference = float((x / unit).mean() - (y / unit).mean()) * unit
    return x, y, unit, noise, 0.0 if abs(difference) <= noise else difference


def check_splits(scores: ArrayLike, greater_is_better: bool, names: Names) -> SplitTable:
    """Scores of shape (n_splits, n_models) with the names of the models, or ValueError."""
    values = validation.check_scores(scores, "scores", ndim=(2,)).T.copy()
    k = len(values)
    if k < 2:
        raise ValueError(f"scores must have a column per model, at least 2; got shape {values.T.shape}")
    validation.check_bool(greater_is_better, "greater_is_better")
    check_size("scores", values)
    unit = power_of_two(values)
    means, noise = (values / unit).mean(axis=1) * unit, ROUNDING * np.abs(values).max(axis=1)
    upwards = means if greater_is_better else -means
    return SplitTable(
        means=means,
        oriented=values if greater_is_better else -values,
        noise=noise,
        names=validation.check_names(names, k),
        best=int((upwards >= upwards.max() - noise[upwards.argmax()]).argmax()),
    )


# Student's t for many pairs of models at once: the numbers that the procedures give pair by pair, as arrays.

Positions = NDArray[np.intp]
_MANY = 2**16  # numbers of differences that are looked at together


class ManyDifferences(Frozen):
    """Paired differences ``a - b`` of many pairs of models on the same cases.

    Attributes
    ----------
    mean, std : ndarray of shape (n_pairs,)
        Of the differences of each pair.
    n : int
        Cases.
    ordinary : ndarray of bool of shape (n_pairs,)
        Whether the differences vary by more than rounding, and their squares neither overflow nor vanish: of others
        `paired_differences` tells more.
    still : ndarray of bool of shape (n_pairs,)
        Whether the differences vary by no more than rounding; the mean of those that are 0 but for rounding is 0.
    of : tuple of ndarray
        The scores of all models, and the rows of the pairs in them.
    exact : bool
        Whether they, and what is made of them, are those of single pairs to the last bit.
    """

    mean: FloatArray
    std: FloatArray
    n: int
    ordinary: NDArray[np.bool_]
    still: NDArray[np.bool_]
    of: tuple[FloatArray, Positions, Positions]
    exact: bool = True

    def won_and_lost(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Cases on which `a` is better, and `b`, of each pair; differences by rounding are ties."""
        scores, a, b = self.of
        found, step = np.zeros((2, len(a)), dtype=np.intp), max(1, _MANY // self.n)
        for i in range(0, len(a), step):
            some = slice(i, i + step)
            won, level = won_or_level(scores[a[some]], scores[b[some]])
            found[:, some] = won.sum(axis=1), (~level).sum(axis=1)
        return found[0], found[1]


def many_differences(scores: FloatArray, a: Positions, b: Positions, *, exact: bool = True) -> ManyDifferences:
    """The differences of pairs of models, of which `a` and `b` are the rows in finite scores (n_models, n_cases).

    In the order of operations of single pairs where they are to be `exact`. Else by products of scores, to ten digits
    and more, which takes a tenth of the time: only pairs of models that are much alike are subtracted.
    """
    largest = np.abs(scores).max(axis=1)
    n = scores.shape[1]
    (mean, std), (ordinary, still) = np.empty((2, len(a))), np.zeros((2, len(a)), dtype=np.bool_)
    if not exact:
        with np.errstate(all="ignore"):
            around = scores - scores.mean(axis=0)
            widest = np.maximum(largest, np.abs(around).max(axis=1))  # one model far off moves the center of all
            of_models = around.mean(axis=1)
            around -= of_models[:, None]
            products = around @ around.T
            squares = products.diagonal()
            both = squares[a] + squares[b]
            np.subtract(both, 2 * products[a, b], out=std)
            ordinary = (std > 1e-3 * both) & (std > n * (1e-6 * np.maximum(widest[a], widest[b])) ** 2)
            ordinary &= (std > ORDINARY[0]) & (std < ORDINARY[1])
            np.sqrt(std / (n - 1), out=std)
            np.subtract(of_models[a], of_models[b], out=mean)
    left = np.flatnonzero(~ordinary)
    step = max(1, _MANY // n)
    for i in range(0, len(left), step):
        some = left[i : i + step]
        mean[some], std[some], ordinary[some], still[some] = _of_some(scores, largest, a[some], b[some])
    return ManyDifferences(mean=mean, std=std, n=n, ordinary=ordinary, still=still, of=(scores, a, b), exact=exact)


def _of_some(scores: FloatArray, largest: FloatArray, a: Positions, b: Positions) -> tuple[NDArray[np.generic], ...]:
    """Mean, deviation and whether they are ordinary, or still, in the order of operations of single pairs."""
    with np.errstate(all="ignore"):  # of pairs that are not ordinary
        d = scores[a] - scores[b]
        high, low = d.max(axis=1), d.min(axis=1)
        mean = np.add.reduce(d, axis=1) / d.shape[1]
        np.subtract(d, mean[:, None], out=d)
        std = np.sqrt(np.add.reduce(np.multiply(d, d, out=d), axis=1) / (d.shape[1] - 1))
        greatest, noise = np.maximum(high, -low), ROUNDING * np.maximum(largest[a], largest[b])
        vary, able = high - low > noise, greatest <= LARGEST_DIFFERENCE
        ordinary = vary & able & (greatest > ORDINARY[0]) & (greatest < ORDINARY[1]) & (std > 0)
    still = ~vary & able & (d.shape[1] > 1)
    mean[still & (greatest <= noise)], std[still] = 0.0, np.nan
    return mean, std, ordinary, still


class ManyTTests(Frozen):
    """What `t_test` finds for many pairs; of those that are not `ordinary` nothing is known.

    Attributes
    ----------
    differences : ManyDifferences
        What was tested.
    standard_error, statistic, pvalue : ndarray of shape (n_pairs,)
        As in `TTestResult`.
    ordinary : ndarray of bool of shape (n_pairs,)
        Whether the pair was tested here, or is still: the p-value is then 1 of equal scores, else nan.
    """

    differences: ManyDifferences
    standard_error: FloatArray
    statistic: FloatArray
    pvalue: FloatArray
    ordinary: NDArray[np.bool_]
    df: float
    alternative: str
    null: float
    method: str

    def limits(self, tail: float) -> tuple[FloatArray, FloatArray]:
        """The ends of the intervals that leave out `tail` on each closed side."""
        margin = -distributions.t_quantile(self.df, tail) * self.standard_error
        mean = self.differences.mean
        ends = kinds.interval_for(self.alternative, mean - margin, mean + margin)  # type: ignore[arg-type]
        return np.broadcast_to(ends.low, mean.shape), np.broadcast_to(ends.high, mean.shape)

    def record(self, i: int, compared: kinds.Compared, warnings: Warnings) -> TTestResult:
        """The record of a pair, with these warnings: it has none of its own."""
        d = self.differences
        mean, std, pvalue = float(d.mean[i]), float(d.std[i]), float(self.pvalue[i])
        return TTestResult(
            statistic=float(self.statistic[i]),
            pvalue=pvalue,
            df=self.df if pvalue == pvalue else pvalue,
            alternative=self.alternative,
            estimate=mean,
            mean_difference=mean,
            standard_error=float(self.standard_error[i]),
            effect_size=mean / std if mean else 0.0,
            n=d.n,
            null=self.null,
            method=self.method,
            compared=compared,
            warnings=warnings,
        )


def many_corrected_t(
    differences: ManyDifferences,
    test_fraction: float,
    alternative: str,
    *,
    null: float = 0.0,
    overlap: float = 1.0,
    name: str = "corrected t test",
) -> ManyTTests:
    """`corrected_t` of many pairs."""
    correction = Correction(test_fraction=test_fraction, overlap=overlap)
    error = differences.std * correction.variance(differences.n) ** 0.5
    df = float(differences.n - 1)
    with np.errstate(all="ignore"):  # of pairs that are not ordinary
        statistic = (differences.mean - null) / error
        beyond = {"two-sided": np.abs(statistic), "greater": statistic, "less": -statistic}[alternative]
        two_sided = alternative == "two-sided"
        pvalue = special.stdtr(df, -beyond) if differences.exact or not two_sided else distributions.t_tails(beyond, df)
        if two_sided:
            pvalue = np.minimum(1.0, 2 * pvalue)
    still, equal = differences.still, differences.mean == 0
    for numbers, of_equals in ((error, 0.0), (statistic, 0.0), (pvalue, 1.0)):
        numbers[still] = np.where(equal[still], of_equals, np.nan)
    return ManyTTests(
        differences=differences,
        standard_error=error,
        statistic=statistic,
        pvalue=np.asarray(pvalue, dtype=np.float64),
        # against another difference than 0 equal scores may be a claim
        ordinary=(differences.ordinary & (np.abs(statistic) <= distributions.FAR)) | (still & (null == 0)),
        df=df,
        alternative=alternative,
        null=null,
        method=f"{name} ({correction})",
    )
