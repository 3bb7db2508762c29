"""Tails and quantiles: of Student's t with real degrees of freedom, far out too, and of what else is asked for."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special

from skcompare._core.numbers import ROUNDING
from skcompare._core.validation import Alternative, FloatArray, IntArray, Positions, check_alternative, check_number

# From here on the tail of Student's t is a power, where it is not below the smallest float.
FAR = 1e10
# With fewer degrees of freedom all quantiles but the median are infinite.
_LEAST_DF = 1e-100


def t_pvalue(statistic: float, df: float, alternative: str) -> float:
    """Tail probability of Student's t with real `df` for an `alternative`."""
    if alternative == "two-sided":
        return float(np.minimum(1.0, 2 * t_tail(abs(statistic), df)))
    return t_tail(statistic if alternative == "greater" else -statistic, df)


def t_tail(statistic: float, df: float) -> float:
    """P(T > statistic) for Student's t; beyond `FAR`, whose square might overflow, by the power that its tail is."""
    if FAR < statistic < np.inf:
        return float(special.stdtr(df, -FAR) * (FAR / statistic) ** df)
    return float(special.stdtr(df, -statistic))


def t_tails(statistics: FloatArray, df: float) -> FloatArray:
    """`t_tail` of many statistics from 0 on, to twelve digits: by cubics through its logarithm in steps of 1/512."""
    known = np.log(special.stdtr(df, -np.arange(-1, 2**14 + 2) / 512))
    before, here, after, last = known[:-3], known[1:-2], known[2:-1], known[3:]
    near = np.flatnonzero(statistics < 32)
    part, place = np.modf(statistics[near] * 512)
    at = place.astype(np.intp)
    logs = ((here - after) / 2 + (last - before) / 6)[at]
    for coefficient in ((before + after) / 2 - here, after - here / 2 - before / 3 - last / 6, here):
        logs *= part
        logs += coefficient[at]
    tails = np.empty_like(statistics)
    tails[near] = np.exp(logs, out=logs)
    far = np.flatnonzero(~(statistics < 32))
    tails[far] = special.stdtr(df, -statistics[far])
    return tails


def t_quantile(df: float, probability: float) -> float:
    """Quantile of Student's t with real `df`; that of a tail beyond `FAR` by the power that the tail is."""
    beyond = float(special.stdtr(df, -FAR)) if df > _LEAST_DF else 0.5
    for tail, sign in ((probability, -1.0), (1 - probability, 1.0)):
        if tail < beyond:
            with np.errstate(divide="ignore", over="ignore"):
                return float(sign * FAR * (beyond / np.float64(tail)) ** np.divide(1, df))
    return float(special.stdtrit(df, probability))


def t_limits(
    centre: float, standard_error: float, df: float, tail: float, skewness: float = 0.0
) -> tuple[float, float]:
    """What Student's t around `centre` leaves out with probability `tail` on either side; a point without error."""
    if skewness:
        return skewed_limits(centre, standard_error, -t_quantile(df, tail), skewness)
    margin = 0.0 if standard_error == 0 else -t_quantile(df, tail) * standard_error
    return centre - margin, centre + margin


# What units may change of which none was seen to differ: of m these are m z^2 / (m + z^2), by the score interval
# without a discordant case (Tango 1998).


def unseen(sizes: FloatArray, n_units: ArrayLike, tail: float) -> float:
    """How far two models may be apart, where other predictions of one of so many units change a metric by `sizes`."""
    square, n_units = max(-special.ndtri(tail), 0.0) ** 2, np.asarray(n_units)
    return float(np.max(sizes * n_units * square / (n_units + square), initial=0.0))


def unseen_pvalue(sizes: FloatArray, null: float, alternative: str) -> float:
    """The p-value of another difference than 0 that inverts `unseen`: sizes of single units, falling."""
    n_units = 1.0 + np.arange(len(sizes))
    spare = sizes * n_units - abs(null)
    reached = np.divide(abs(null) * n_units, spare, out=np.full(len(sizes), np.inf), where=spare > 0)
    tail = float(special.ndtr(-np.sqrt(reached.min(initial=np.inf))))
    if alternative == "two-sided":
        return 1.0 if null == 0 else 2 * tail
    return tail if (null < 0) == (alternative == "greater") and null else 1.0


# Limits and tails of an estimate that is skewed, such as a mean over cases few of which differ. If the true value is x
# standard errors s beyond it, on the side of its skewness S, its variance there is s^2 (1 + S x): that is what tilting
# the cases until they have this mean does, to first order, and exact for a count, whose score interval this is
# (Brown, Cai and DasGupta 2003).

FEWEST_SKEWED = 20  # cases that tell of a skewness
# Up to the square of this nothing changes: a 95% interval then misses in 6% at most (Cochran 1977, section 2.15).
_LITTLE_SKEWED = 1 / 25


def skewness_beyond(parts: FloatArray, counts: Any = 1) -> FloatArray:
    """The skewness of sums of independent parts of mean 0, along the last axis, of which the square is that above 1/25.

    0 of few parts, and of parts that do not vary. `counts` says how often each part is there.
    """
    squares = np.add.reduce(counts * parts * parts, axis=-1)
    with np.errstate(all="ignore"):
        skewness = np.add.reduce(counts * parts * parts * parts, axis=-1) / squares**1.5
        beyond = np.copysign(np.sqrt(np.maximum(skewness**2 - _LITTLE_SKEWED, 0.0)), skewness)
    enough = np.sum(np.broadcast_to(counts, parts.shape[-1:])) >= FEWEST_SKEWED
    return np.where((squares > 0) & enough, beyond, 0.0)


def skewness_of_means(differences: FloatArray) -> FloatArray:
    """`skewness_beyond` of the means of cases along the last axis, whatever their unit."""
    largest = np.abs(differences).max(axis=-1, keepdims=True)
    parts = differences / np.where(largest > 0, largest, 1.0)
    return skewness_beyond(parts - np.add.reduce(parts, axis=-1, keepdims=True) / parts.shape[-1])


# Rare differences so large that the cases seen hardly tell how often they are. Those beyond a high one are taken for
# generalised Pareto, with an index by probability-weighted moments, whose standard error is (4 / 3 / n) ** 0.5 where it
# is 0 (Hosking and Wallis 1987, Technometrics 29, 339-349). From 1/4 on the variance of a variance is infinite.

_HEAVY = 1 / 4
_HEAVIER = 1 / 10  # than the other tail, since the errors of equal tails cancel
_FEWEST_IN_TAIL = 5


def heavy_tailed(differences: FloatArray) -> bool:
    """Whether rare cases on which the better model is far worse may be more, or larger, than those seen.

    The tail of such cases is heavier than `_HEAVY` by two standard errors, and as heavy in its outer quarter; and the
    lead is less than twice what the tail adds to the mean.
    """
    n, largest = len(differences), float(max(differences.max(initial=0.0), -differences.min(initial=0.0)))
    k = min(int(5 * n**0.5), n // 3)
    if largest == 0 or k // 4 < _FEWEST_IN_TAIL:
        return False
    parts = differences / largest
    lead = float(np.mean(parts))
    parts = np.partition(parts * np.sign(lead), (k, n - k - 1))
    against, towards = -np.sort(parts[: k + 1]), np.sort(parts[n - k - 1 :])[::-1]
    (index, n_beyond, beyond), (outer, *_), (other, *_) = map(tail_of, (against, against[: k // 4 + 1], towards))
    least = max(_HEAVY + 2 * (4 / 3 / n_beyond) ** 0.5, other + _HEAVIER) if n_beyond else np.inf
    return bool(index > least and outer > _HEAVY and 0 < abs(lead) * n < 2 * beyond)


def tail_of(falling: FloatArray) -> tuple[float, int, float]:
    """The index of the tail beyond the last of some numbers, how many are beyond, and by how much in all."""
    beyond = falling[:-1] - falling[-1]
    beyond = beyond[beyond > ROUNDING * beyond[0]]
    n, total = len(beyond), float(beyond.sum())
    if n < _FEWEST_IN_TAIL:
        return -np.inf, 0, 0.0
    spread = 1 - 2 * float(beyond @ np.arange(n)) / (n - 1) / total  # of the mean
    return 2 - 1 / spread if spread > 0 else -np.inf, n, total


def stretched(quantile: Any, skewness: Any) -> Any:
    """How many standard errors a limit is away on the side of a skewness: the x with x^2 = quantile^2 (1 + S x)."""
    half = np.maximum(0.0, quantile * skewness) / 2
    return quantile * (half + np.sqrt(1 + half * half))


def skewed_limits(centre: float, standard_error: float, quantile: float, skewness: float) -> tuple[float, float]:
    """The limits above and below an estimate that are so many standard errors away without a skewness."""
    below, above = (float(stretched(quantile, side)) * standard_error for side in (-skewness, skewness))
    return centre - below, centre + above


def skewed_statistic(statistic: Any, skewness: Any) -> Any:
    """An estimate less its null over its standard error there, which inverts `skewed_limits`."""
    return statistic / np.sqrt(1 + np.maximum(0.0, -statistic * skewness))


# Binomial tails, also of counts that are no whole numbers.


def at_most(k: Any, n: Any, p: float) -> Any:
    """P(X <= k) for X binomial, of a number or of arrays."""
    if not isinstance(k, np.ndarray):
        return float(k >= n) if k <= -1 or k >= n else float(special.betaincc(k + 1, n - k, p))
    with np.errstate(all="ignore"):
        return np.where((k <= -1) | (k >= n), k >= n, special.betaincc(k + 1, n - k, p))


def at_least(k: Any, n: Any, p: float) -> Any:
    """P(X >= k) for X binomial, of a number or of arrays."""
    if not isinstance(k, np.ndarray):
        return float(k <= 0) if k <= 0 or k >= n + 1 else float(special.betainc(k, n - k + 1, p))
    with np.errstate(all="ignore"):
        return np.where((k <= 0) | (k >= n + 1), k <= 0, special.betainc(k, n - k + 1, p))


def lower_tail(k: Any, n: Any, p: float, *, midp: bool) -> Any:
    """P(X <= k), with half the probability of `k` itself where `midp`."""
    return (at_most(k, n, p) + at_most(k - 1, n, p)) / 2 if midp else at_most(k, n, p)


def upper_tail(k: Any, n: Any, p: float, *, midp: bool) -> Any:
    """P(X >= k), with half the probability of `k` itself where `midp`."""
    return (at_least(k, n, p) + at_least(k + 1, n, p)) / 2 if midp else at_least(k, n, p)


# Power of a t test where the true difference is not 0, and the difference that a power needs.


_SMALL = 1e-6  # below, scipy's function and its complement lose digits, or do not converge
_FAR_SHIFT = 1e3  # beyond, it takes minutes or does not return
_LARGEST = 1e100  # in standard errors; what needs more has no defined answer


def check_goal(power: float, alpha: float, alternative: Alternative) -> tuple[float, float]:
    """Return `power` and `alpha` as floats, the former above the latter, or raise ValueError."""
    check_alternative(alternative)
    level = check_number(alpha, "alpha", low=0, high=1, closed="neither")
    return check_number(power, "power", low=level, high=1, closed="neither"), level


def t_power(distance: float, df: float, alpha: float, alternative: str) -> float:
    """Probability that a t test rejects where the true difference is `distance` standard errors.

    Infinite `df` stand for a standard error that is known.
    """
    if alternative == "two-sided":
        critical = -t_quantile(df, alpha / 2)
        return min(1.0, _above(critical, df, abs(distance)) + _above(critical, df, -abs(distance)))
    return _above(-t_quantile(df, alpha), df, distance if alternative == "greater" else -distance)


@lru_cache(maxsize=4096)  # of a table of comparisons all rows share one
def needed_distance(df: float, power: float, alpha: float, alternative: str) -> float:
    """The true difference, in standard errors and without its sign, that a t test finds with this power."""
    if np.isnan(df):
        return float("nan")
    sides = "two-sided" if alternative == "two-sided" else "greater"

    if not -t_quantile(df, alpha / 2 if sides == "two-sided" else alpha) < _LARGEST:
        return float("inf")

    def lack(distance: float) -> float:
        return t_power(distance, df, alpha, sides) - power

    high = 4.0
    while lack(high) < 0:
        high *= 2
        if high > _LARGEST:
            return float("inf")
    return float(optimize.brentq(lack, 0.0, high, xtol=1e-12))


def _above(critical: float, df: float, distance: float) -> float:
    """P(T > critical) of the noncentral t distribution."""
    if np.isinf(df):
        return float(special.ndtr(distance - critical))
    if distance < 0:  # the mirrored distribution, since the function is for distances of at least 0
        return _below(-critical, df, -distance)
    if distance > _FAR_SHIFT < critical:
        return _ratio_tail(critical, df, distance)[0]
    found = 1 - _below(critical, df, distance)
    return found if found > _SMALL else _mean_normal(-critical, distance, df)


def _below(value: float, df: float, distance: float) -> float:
    """P(T <= value) of the noncentral t distribution; `distance` is at least 0."""
    if distance > _FAR_SHIFT < value:
        return _ratio_tail(value, df, distance)[1]
    if max(abs(value), distance) > _FAR_SHIFT:
        return _mean_normal(value, -distance, df)
    found = float(special.nctdtr(df, distance, value))
    return found if found > _SMALL else _mean_normal(value, -distance, df)


def _ratio_tail(value: float, df: float, distance: float) -> tuple[float, float]:
    """P(T > value) and P(T <= value) where both are so large that the normal variable hardly moves the chi variable."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(20)
    squares = df * np.minimum((distance + nodes) / value, _LARGEST) ** 2
    above, below = (weights @ tail(df, squares) / weights.sum() for tail in (special.chdtr, special.chdtrc))
    return float(above), float(below)


def _mean_normal(slope: float, start: float, df: float) -> float:
    """Mean of Phi(start + slope s) over s, a chi variable over the root of its degrees of freedom.

    By the trapezoid rule in log s, around the one peak of the integrand, so that it holds far in the tails too.
    """
    if np.isinf(slope):
        return float(slope > 0)
    low, high = -np.log1p(abs(slope)) - 5 - 800 / df, np.log1p(1500 / df) / 2 + 1
    constant = np.log(2) + df / 2 * np.log(df / 2) - special.gammaln(df / 2)
    for _ in range(8):
        log_s = np.linspace(low, high, 401)
        s = np.exp(log_s)
        log_terms = constant + df * (log_s - s * s / 2) + special.log_ndtr(start + slope * s)
        if not log_terms.max() > -1000:  # below the smallest float
            return 0.0
        near = np.flatnonzero(log_terms > log_terms.max() - 45)
        low, high = log_s[max(near[0] - 1, 0)], log_s[min(near[-1] + 1, 400)]
    return float(np.exp(log_terms).sum() * (log_s[1] - log_s[0]))


# The studentized range: the distribution of the largest of all differences of k means over their standard error.
#
# Written out because many values with finite degrees of freedom are asked for at once, and far in the tail.


# The trapezoid rule on smooth integrands that vanish at both ends converges exponentially. These limits and steps
# leave a relative error below 1e-9 up to 100 models: an integral over z is centred on half the range.
_OFFSETS = np.arange(-6.0, 7.6, 0.2)
_FAR_RANGE = 1e100  # no square overflows up to here
_AT_ONCE = 2**12  # statistics
_VANISHES = 28.0  # exp(-28) is 7e-13


def studentized_range_pvalue(statistic: FloatArray, k: int | IntArray, df: float = np.inf) -> FloatArray:
    """Probability that the studentized range of k means exceeds each statistic, an array of one dimension.

    One number of means for all statistics, or with infinite degrees of freedom one for each.
    """
    pvalues = np.where(statistic == 0, 1.0, 0.0)
    inside = np.isfinite(statistic) & (statistic != 0)
    q = np.abs(statistic[inside])
    if q.size:
        within = np.minimum(q, _FAR_RANGE)
        means = k[inside] if isinstance(k, np.ndarray) else k
        tail = _range_tail(within, means) if np.isinf(df) else _studentized_tail(within, means, df)
        pvalues[inside] = tail * (within / q) ** df  # a power, from there on
    return pvalues


def studentized_range_quantile(alpha: float, k: int, df: float = np.inf) -> float:
    """The value that the studentized range of k means exceeds with probability `alpha`, to a relative 1e-11 or so."""

    def excess(q: float) -> float:
        return float(studentized_range_pvalue(np.array([q]), k, df)[0]) - alpha

    high = 1.0
    while excess(high) > 0:
        high *= 2
    return float(optimize.brentq(excess, 0.0, high, xtol=1e-12, rtol=1e-12))


def _range_tail(w: FloatArray, k: int | IntArray) -> FloatArray:
    """Tail of the range of k standard normals, the integral over their largest, z, in a form that does not cancel.

    The integrand is k phi(z) times Phi(z)^(k - 1) - (Phi(z) - Phi(z - w))^(k - 1).
    """
    if w.size > _AT_ONCE:
        parts = [slice(start, start + _AT_ONCE) for start in range(0, w.size, _AT_ONCE)]
        return np.concatenate([_range_tail(w[part], k[part] if isinstance(k, np.ndarray) else k) for part in parts])
    others = (np.broadcast_to(k, w.shape) - 1)[:, None]
    z = w[:, None] / 2 + _OFFSETS
    below = special.ndtr(z)
    with np.errstate(divide="ignore"):  # log1p(-1) at w = 0
        ratio = np.minimum(1.0, special.ndtr(z - w[:, None]) / below)
        missed = -np.expm1(others * np.log1p(-ratio))
    density = np.exp(-z * z / 2) * below**others
    step = _OFFSETS[1] - _OFFSETS[0]
    return np.asarray(np.minimum(1.0, (density * missed).sum(axis=1) * (step * k / np.sqrt(2 * np.pi))))


def _studentized_tail(q: FloatArray, k: int | IntArray, df: float) -> FloatArray:
    """Mean of the tail of the range at q s over s, a chi variable over the root of its degrees of freedom.

    The integral is over log s. Its integrand is largest between s = 1, where the density of s is, and where that
    density times exp(-(q s)^2 / 4) is, the decay of the tail, which holds from q s = 10 on.
    """
    least_peak = -np.log1p(q * q / (2 * df)) / 2
    peak = np.maximum(least_peak, np.minimum(0.0, np.log(10 / np.maximum(q, 10))))
    reach = np.sqrt(_VANISHES / df)
    low, high = least_peak - reach - _VANISHES / df, peak + reach
    steps = int(np.ceil(np.max(high - low) / min(0.55 / np.sqrt(df), 0.125)))
    constant = np.log(2) + df / 2 * np.log(df / 2) - special.gammaln(df / 2)
    total = np.zeros(q.shape)
    for share in np.arange(1, steps) / steps:
        log_s = low + share * (high - low)
        s = np.exp(log_s)
        total += np.exp(constant + df * (log_s - s * s / 2)) * _range_tail(q * s, k)
    return np.asarray(np.minimum(1.0, total * (high - low) / steps))


# Probability of each component of a Dirichlet vector to be the largest, by quadrature.


_CHUNK = 256
_NEGLIGIBLE = 1e-30
_TINY, _ALL_TINY = 1e-100, 1e-80


def probability_largest(alpha: FloatArray) -> FloatArray:
    """Probability of each component of a Dirichlet vector to be the largest.

    The components are gamma variates over their sum. With x = exp(t), component i is the largest with density
    proportional to x**alpha_i exp(-x) prod_j P(alpha_j, x) in t, P the regularised incomplete gamma function.
    That density decays exponentially to the left and doubly so to the right, so the trapezoid rule converges
    exponentially. Equal parameters are computed once.
    """
    if alpha.sum() < _ALL_TINY:  # all of the mass is on one component
        scaled = alpha / alpha.max()
        return np.asarray(scaled / scaled.sum())
    lost = np.minimum(1.0, alpha / _TINY)  # the probability of a tiny parameter is proportional to it
    return np.asarray(probabilities_largest(np.maximum(alpha, _TINY)[None])[0] * lost)


def probabilities_largest(alphas: FloatArray) -> FloatArray:
    """`probability_largest` of every row, none of whose parameters is tiny.

    Rows with the same largest parameter have the same grid, on which each distribution function is computed once.
    """
    values, place = np.unique(alphas, return_inverse=True)
    place = place.reshape(alphas.shape)
    largest = place.max(axis=1)
    found = np.empty_like(alphas)
    for top in np.unique(largest):
        rows = np.flatnonzero(largest == top)
        used, of = np.unique(place[rows], return_inverse=True)
        of = of.reshape(rows.size, -1)
        cells = of + np.arange(rows.size)[:, None] * used.size
        size = np.bincount(cells.ravel(), minlength=rows.size * used.size).reshape(rows.size, used.size)
        found[rows] = np.take_along_axis(_shares(values[used], size), of, axis=1)
    return found


def _shares(values: FloatArray, size: Positions) -> FloatArray:
    """Of each value in each row to be the largest, where `size` components have it; shape (n_rows, n_values)."""
    # points of the trapezoid rule on the log scale, where the largest parameter has its peak: the largest of many equal
    # components is spread less than each of them
    top, width = float(values[-1]), 1 / np.sqrt(float(values[-1]) + 1)
    # what is left of them has less than exp(-40) of the largest component's mass, or, from -40, is a geometric series
    low = max(-40.0, np.log(top) - 40 / top - 9 / np.sqrt(top))
    high = np.log(top) + np.log1p((12 / width + 40) / top)
    n_points = int((high - low) / min(0.05, 0.3 * width / np.sqrt(1 + np.log(int(size[0].sum()))))) + 2
    t, step = np.linspace(low, high, n_points), (high - low) / (n_points - 1)
    shares, first = np.zeros(size.shape), np.zeros(size.shape)
    # alpha log(alpha) - alpha - log Gamma(alpha); Stirling's series where the terms would cancel
    large = np.maximum(values, 40)
    series = (np.log(large) - np.log(2 * np.pi)) / 2 - 1 / (12 * large) + 1 / (360 * large**3) - 1 / (1260 * large**5)
    log_peak = np.where(values > 40, series, values * np.log(values) - values - special.gammaln(values))
    for start in reversed(range(0, t.size, _CHUNK)):
        # alpha t - exp(t) - log Gamma(alpha), around the peak at log(alpha), where large terms would cancel
        at = t[start : start + _CHUNK]
        from_peak = at - np.log(values)[:, None]
        log_density = values[:, None] * (from_peak - np.expm1(from_peak)) + log_peak[:, None]
        log_cdf = _log_gamma_cdf(values[:, None], np.exp(at))
        of_one, of_all = np.exp(log_density - log_cdf), np.exp(size @ log_cdf)
        shares += of_all @ of_one.T
        left = of_all[:, :1] * of_one[:, 0]
        if (left < _NEGLIGIBLE * shares).all():
            break
        first = left if start == 0 else first
    total = (size @ values)[:, None]
    return np.asarray((shares + first * np.exp(-step * total) / -np.expm1(-step * total)) * step)


def _log_gamma_cdf(a: FloatArray, x: FloatArray) -> FloatArray:
    """Log of the regularised lower incomplete gamma function; its leading term where it underflows."""
    cdf = special.gammainc(a, x)
    if cdf.min() > 0:
        return np.asarray(np.log(cdf))
    with np.errstate(divide="ignore"):
        log_cdf = np.log(cdf)
    return np.where(np.isfinite(log_cdf), log_cdf, a * np.log(x) - x - special.gammaln(a + 1))
