"""Two models on items that arrive one by one: an interval and a p-value that hold at all times at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skcompare._core.numbers import ALPHA, counted
from skcompare._core.validation import Alternative, FloatArray, check_hypothesis, check_number, check_pair
from skcompare._core.warnings import Code, Warnings
from skcompare.inference._kinds import DifferenceTest, HasInterval, interval_for, interval_tail
from skcompare.inference._multiplicity import Least
from skcompare.inference._records import LARGEST_DIFFERENCE, ROUNDING, paired_differences, zero_variance
from skcompare.inference._sentences import Difference, as_difference

# The capital of bets against a mean difference, after each item.


# The uniform mixture of bets, from none of the capital to all of it: a sum of martingales, whatever its nodes.
# These are Gauss's on halves, quarters and so on: the best bets of a capital of K are a band whose width, as a part of
# the bet, is about 1 / sqrt(2 log K) however many the items are, so that as many nodes serve each halving.
_AT, _SHARES = np.polynomial.legendre.leggauss(8)
_EDGES = np.r_[0.0, 2.0 ** np.arange(-11, 1)]
BETS = (_EDGES[:-1, None] + np.diff(_EDGES)[:, None] * (1 + _AT) / 2).ravel()
WEIGHTS = np.multiply.outer(np.diff(_EDGES), _SHARES / 2).ravel()
FINE = 16  # limits are multiples of about one part in so many of a standard error
_LEAST = 1e-250  # smaller incomplete beta functions are left to the mixture
_BLOCK, _FIRST = 4096, 16  # items at once: of those that are stored, of those after a limit rose
_TERMS, _NEAR = 8, 0.01  # of the Taylor series; the rest of one item is below 1e-18
_FEW = 512  # different differences whose gains are worth a table


class Items(NamedTuple):
    """Differences in order of arrival, in units of their largest possible one."""

    differences: FloatArray
    values: FloatArray
    codes: NDArray[np.intp] | None

    @classmethod
    def of(cls, differences: FloatArray) -> Items:
        """With the different values that there are, where these are few."""
        values, codes = np.unique(differences, return_inverse=True)
        return cls(differences, values, codes if values.size <= _FEW else None)

    def gains(self, start: int, stop: int, mean: float) -> FloatArray:
        """Log of what each item multiplies the capital of each bet by, on differences above `mean`."""
        if self.codes is None:
            return _gains(self.differences[start:stop], mean)
        return np.asarray(_gains(self.values, mean)[self.codes[start:stop]])


class Totals:
    """The log capital of each bet after the first items, of means that rise as the items come.

    Of few different items each is counted; else it is a Taylor series in the mean, whose terms grow with the items.
    """

    def __init__(self, items: Items) -> None:
        self.items = items
        self._mean, self._done, self._sums = np.nan, 0, np.zeros(0)

    def at(self, stop: int, mean: float) -> FloatArray:
        """After the first `stop` items, of bets on a mean difference above `mean`."""
        codes, values = self.items.codes, self.items.values
        if codes is not None:
            return np.asarray(np.bincount(codes[:stop], minlength=values.size) @ _gains(values, mean))
        if stop < self._done or not abs(mean - self._mean) <= _NEAR * (1 + self._mean):
            self._mean, self._done, self._sums = mean, 0, np.zeros((_TERMS + 1, BETS.size))
        for start in range(self._done, stop, _BLOCK):
            self._add(start, min(start + _BLOCK, stop))
        self._done, far = stop, mean - self._mean
        powers = np.arange(1, _TERMS + 1)
        series = (-((-far) ** powers) / powers) @ self._sums[1:]
        return np.asarray(self._sums[0] + series - stop * np.log1p(far / (1 + self._mean)))

    def _add(self, start: int, stop: int) -> None:
        # log(1 + m + f (d - m)) about m: the part of a change in m that is left, over the capital
        self._sums[0] += self.items.gains(start, stop, self._mean).sum(axis=0)
        left = (1 - BETS) / (1 + self._mean * (1 - BETS) + np.multiply.outer(self.items.differences[start:stop], BETS))
        power = np.ones_like(left)
        for sums in self._sums[1:]:
            power *= left
            sums += power.sum(axis=0)


def _gains(differences: FloatArray, mean: float) -> FloatArray:
    # 1 + f (x / m - 1) of Waudby-Smith and Ramdas (2024) for x = (1 + d) / 2 and m = (1 + mean) / 2
    return np.asarray(np.log1p(np.multiply.outer((differences - mean) / (1 + mean), BETS)))


def log_capital(items: Items, mean: float) -> FloatArray:
    """Log of the capital after each item, of bets on a mean difference above `mean`."""
    n, before = items.differences.size, np.zeros(BETS.size)
    path = np.empty(n)
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        bets = before + np.cumsum(items.gains(start, stop, mean), axis=0)
        path[start:stop], before = _mixture(bets), bets[-1]
    return path


def log_capital_right(differences: FloatArray, alternative: str) -> FloatArray:
    """Log of the capital after each item against a mean difference of 0, of differences that are -1, 0 and 1.

    The mixture in closed form, but for that of one side which has lost most of its capital.
    """
    ups, downs = np.cumsum(differences > 0), np.cumsum(differences < 0)
    n = ups + downs
    both = n * np.log(2) + special.betaln(ups + 1, downs + 1)
    if alternative == "two-sided":
        return np.asarray(both)
    sign = 1 if alternative == "greater" else -1
    above = special.betainc(*((downs + 1, ups + 1) if sign > 0 else (ups + 1, downs + 1)), 0.5)
    lost = above < _LEAST
    path = both + np.log(2 * np.maximum(above, _LEAST))
    return np.asarray(np.where(lost, log_capital(Items.of(sign * differences), 0.0), path) if lost.any() else path)


def lower_limits(differences: FloatArray, tail: float) -> FloatArray:
    """After each item, below which mean the bets on a larger one have won ``1 / tail`` by then, rounded down.

    It is rounded to a multiple of `_steps`, which know no level: limits of a higher level are never higher.
    """
    totals, n, needed = Totals(Items.of(differences)), differences.size, -np.log(tail)
    limits, steps = np.full(n, -1.0), _steps(differences)
    begins = np.flatnonzero(np.diff(steps, prepend=np.nan) != 0)
    limit = -1.0
    for begin, end in zip(begins, [*begins[1:], n], strict=True):
        limit = _climb(totals, limits, (int(begin), int(end)), limit, float(steps[begin]), float(needed))
    return np.asarray(np.maximum.accumulate(limits))


def _climb(totals: Totals, limits: FloatArray, span: tuple[int, int], limit: float, step: float, least: float) -> float:
    """The limit after the items of a span, whose rises are filled in: the largest multiple of `step` that was won."""
    done, end = span
    aim = (np.floor(limit / step) + 1) * step
    bets, width = totals.at(done, aim), _FIRST
    while done < end:
        stop = min(end, done + width)
        paths = bets + np.cumsum(totals.items.gains(done, stop, aim), axis=0)
        won = np.flatnonzero(_mixture(paths) > least)
        if not won.size:
            bets, done, width = paths[-1], stop, min(_BLOCK, 2 * width)
            continue
        done, width = done + int(won[0]) + 1, _FIRST
        limit, aim, bets = _highest(totals, done, aim, step, least)
        limits[done - 1] = limit
    return limit


def _highest(totals: Totals, done: int, won: float, step: float, needed: float) -> tuple[float, float, FloatArray]:
    """The largest multiple of `step` that is won after so many items, the next one, and its bets."""
    reach = 1
    while True:
        bets = totals.at(done, won + reach * step)
        if _mixture(bets) > needed:
            won, reach = won + reach * step, 2 * reach
        elif reach > 1:
            reach = 1
        else:
            return won, won + step, bets


def _steps(differences: FloatArray) -> FloatArray:
    """After each item a power of two near a part of the standard error of the mean, of the items so far alone.

    It changes where the standard error has changed by a factor of two and more, so that it does so seldom.
    """
    n = np.arange(1, differences.size + 1)
    squares = np.cumsum(differences**2) - np.cumsum(differences) ** 2 / n
    wanted = np.floor(np.log2((np.sqrt(np.maximum(squares, 0.0)) + 1) / (FINE * n)))
    found, at = np.empty(n.size), 0
    while at < n.size:
        changed = np.flatnonzero(np.abs(wanted[at:] - wanted[at]) >= 2)
        end = at + int(changed[0]) if changed.size else n.size
        found[at:end] = 2.0 ** wanted[at]
        at = end
    return found


def _mixture(bets: FloatArray) -> FloatArray:
    largest = bets.max(axis=-1, keepdims=True)
    return np.asarray(largest[..., 0] + np.log(np.exp(bets - largest) @ WEIGHTS))


_MOST = 700.0  # larger logs of an e-value are beyond a float


class ConfidenceSequenceResult(HasInterval, DifferenceTest, eq=False):
    """Result of a confidence sequence: what is known after the last item, and after each.

    `confidence_interval` is the last row of `intervals`. It leaves out `null` exactly when
    ``pvalue < 1 - confidence_level``.

    Attributes
    ----------
    pvalue : float
        In (0, 1]: ``1 / max(e_values)``, at most 1, over the times at which the mean difference was on the same side of
        `null` as it is now. Valid whenever the last item came.
    e_value : float
        At least 0: the capital after the last item of who began with 1 and bet against the null hypothesis.
    alternative : {"two-sided", "greater", "less"}
        What was tested: the mean of ``a - b`` is not `null`, above it, below it.
    estimate : float
        Mean of all differences ``a - b``, in units of the values; positive favours `a`.
    effect_size : float
        Cohen's d_z over the items, the mean over the standard deviation of the differences; nan where it is not
        defined.
    n : int
        Number of items so far.
    n_ties : int
        Items on which both models have the same value.
    decided_at : int or None
        Number of items after which the p-value was below 0.05 for the first time, None where it never was. Whoever
        stops there is wrong about models with a difference of `null` in at most 5% of cases.
    bounds : tuple of float
        Between which all values lie.
    e_values : ndarray of shape (n,)
        `e_value` after each item.
    differences : ndarray of shape (n,)
        In order of arrival, in units of the values.
    """

    e_value: float
    effect_size: float
    n_ties: int
    decided_at: int | None
    bounds: tuple[float, float]
    e_values: FloatArray = field(repr=False)
    differences: FloatArray = field(repr=False)

    @property
    def pvalues(self) -> FloatArray:
        """The p-value after each item, shape (n,): what this record would have said then."""
        return _pvalues(self.e_values, self._sides())

    def intervals(self, confidence_level: float = 0.95) -> FloatArray:
        r"""The interval after each item.

        All rows hold the true mean difference at once with probability `confidence_level`, so that any of them may be
        looked at, the last too, and the items may end whenever somebody likes. Intervals never grow wider, unless the
        mean difference leaves them, which they are then widened to hold: the expected difference is no constant. Limits
        are rounded outwards, to multiples of a power of two that is at most an eighth of
        :math:`(1 + \sqrt{\sum_i (d_i - \bar d)^2}) / t` in units of the largest difference. It depends on the items
        alone, so that intervals of a higher level hold those of a lower one.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ndarray of shape (n, 2)
            Low and high limits, in units of the values. One-sided alternatives give one-sided intervals.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).
        """
        low, high = self._sequences(interval_tail(confidence_level, self.alternative))
        open_ended = interval_for(self.alternative, 0.0, 0.0)
        return np.column_stack([low + open_ended.low, high + open_ended.high])

    def _limits(self, tail: float) -> tuple[float, float]:
        low, high = self._sequences(tail)
        return float(low[-1]), float(high[-1])

    def _sides(self) -> FloatArray:
        return _sides(self.differences, self.null, self.bounds[1] - self.bounds[0])

    def _sequences(self, tail: float) -> tuple[FloatArray, FloatArray]:
        """Both limits after each item, of which those on a closed side are used."""
        reach = self.bounds[1] - self.bounds[0]
        shares, sides = self.differences / reach, self._sides()
        means = np.cumsum(self.differences) / np.arange(1, self.n + 1)
        low = np.minimum(lower_limits(shares, tail) * reach, means)
        high = np.maximum(-lower_limits(-shares, tail) * reach, means)
        out = self.pvalues < tail * (2 if self.alternative == "two-sided" else 1)
        above, below = np.nextafter(self.null, np.inf), np.nextafter(self.null, -np.inf)
        low = np.where(out & (sides > 0), np.maximum(low, above), np.minimum(low, self.null))
        high = np.where(out & (sides < 0), np.minimum(high, below), np.maximum(high, self.null))
        return low, high

    def _least(self) -> Least | None:
        """The smallest p-value on so many items."""
        return None if self.null else _least(self.n, self.alternative)

    _kind = Difference(
        shown={"{a} - {b} is": ("estimate", as_difference)}
        | {"p": "pvalue", "items so far": "n", "first below 0.05 after": "decided_at"}
    )


def confidence_sequence(
    a: ArrayLike,
    b: ArrayLike,
    *,
    bounds: Sequence[float] = (0.0, 1.0),
    alternative: Alternative = "two-sided",
    null: float = 0.0,
) -> ConfidenceSequenceResult:
    r"""Compare two models on items that arrive one by one, with an interval and a p-value that hold at all times.

    A test of a fixed number of items that is looked at after each item, and believed at its first p-value below 5%,
    calls most pairs of equal models different in the end. Here the items may be looked at after each of them, and may
    end for whatever reason, also because of what they showed.

    With the differences :math:`d_i = a_i - b_i` in the order of arrival, divided by their largest possible size so that
    :math:`|d_i| \le 1`, somebody bets a share :math:`f` of his capital on every next difference being above
    :math:`\delta`. The uniform mixture of all shares has, after :math:`t` items, the capital

    .. math:: K_t^+(\delta) = \int_0^1 \prod_{i=1}^t \left( 1 + f \, \frac{d_i - \delta}{1 + \delta} \right) df,
        \qquad K_t^-(\delta) = \int_0^1 \prod_{i=1}^t \left( 1 + f \, \frac{\delta - d_i}{1 - \delta} \right) df

    on differences above, and below, :math:`\delta` (the hedged capital of Waudby-Smith and Ramdas 2024, who mix evenly
    spaced shares). If :math:`\delta` is the expected difference of every item, whatever came before it, the capital
    :math:`E_t = (K_t^+ + K_t^-)/2` grows by chance only: it ever exceeds :math:`1/\alpha` with a probability of at
    most :math:`\alpha`, by Ville's inequality. So :math:`E_t` at the null hypothesis is an e-value at all times, one
    over the largest so far is a p-value (Shafer, Shen, Vereshchagin and Vovk 2011), and the :math:`\delta` that no item
    so far has ruled out are an interval that holds at all times.

    Of two models that are right or wrong only the discordant items count. With :math:`b` on which `a` alone is right
    and :math:`c` on which `b` alone is,

    .. math:: E_t = 2^{b + c} \, \mathrm{B}(b + 1, c + 1),

    the sequential form of McNemar's test. This closed form is computed where all values are at the bounds and `null` is
    0. Elsewhere 96 shares stand for the mixture, which is a martingale with them too; :math:`\log E_t` is off from the
    integral's by less than 0.0001 where it is below 10, by less than 1% of it above.

    The price is power: at the same number of items the interval is wider than that of a test made once.

    Parameters
    ----------
    a, b : array_like of shape (n_items,)
        One value per item for each model, in order of arrival: right and wrong as 1 and 0, a grade, a loss of bounded
        size. Larger is better; of losses give those of `b` first.
    bounds : tuple of float, default=(0, 1)
        The smallest and the largest value that an item can have, known before the first item. Not those that were
        seen: with these the guarantee is lost. Wide bounds cost power where differences are small.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive, with :math:`E_t = K_t^+`.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    ConfidenceSequenceResult
        With the warning NO_DIFFERENCE where all values are equal, CANNOT_REJECT for fewer items than could decide, and
        TIME_ORDER where the models were significantly different and the mean has changed its side since.

    Raises
    ------
    ValueError
        If the values are not finite, not paired or out of bounds, or an option is out of range.

    See Also
    --------
    mcnemar_test : on a fixed number of items that are right or wrong.
    cluster_t_test : on items that depend on each other.
    diebold_mariano_test : on losses of neighbouring times that are alike.

    References
    ----------
    I. Waudby-Smith and A. Ramdas (2024), Estimating means of bounded random variables by betting, Journal of the Royal
    Statistical Society: Series B 86(1), 1-27, :doi:`10.1093/jrsssb/qkad009`.

    G. Shafer, A. Shen, N. Vereshchagin and V. Vovk (2011), Test martingales, Bayes factors and p-values, Statistical
    Science 26(1), 84-101, :doi:`10.1214/10-STS347`.

    Examples
    --------
    >>> from skcompare.inference import confidence_sequence
    >>> right_a = [1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1]
    >>> right_b = [0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    >>> record = confidence_sequence(right_a, right_b)
    >>> record.estimate, round(record.e_value, 2), round(record.pvalue, 4), record.decided_at
    (0.75, 51.2, 0.0195, 11)
    >>> record.intervals().round(2)[[0, 5, 11]].tolist()
    [[-1.0, 1.0], [-0.33, 0.98], [0.09, 0.97]]
    """
    low, high = _check_bounds(bounds)
    reach = high - low
    null = check_hypothesis(alternative, null, low=-reach, high=reach).null
    x, y = check_pair(a, b, ndim=(1,))
    outside = np.flatnonzero((np.minimum(x, y) < low) | (np.maximum(x, y) > high))
    if outside.size:
        i = int(outside[0])
        value = x[i] if not low <= x[i] <= high else y[i]
        raise ValueError(
            f"a and b must lie within bounds, ({low:g}, {high:g}); got {value:g} at position {i} "
            f"({counted(outside.size, 'such item')})"
        )
    d = paired_differences(x, y)
    e_values = np.exp(np.minimum(_log_e_values(d.values / reach, null / reach, alternative), _MOST))
    sides = _sides(d.values, null, reach)
    pvalues = _pvalues(e_values, sides)
    for kept in (e_values, d.values):
        kept.flags.writeable = False
    n, n_ties = d.values.size, int(np.count_nonzero(np.abs(d.values) <= d.noise))
    warnings: Warnings = (zero_variance(0.0),) if n_ties == n else ()
    if not null:
        warnings += _least(n, alternative).warnings()
    other = np.flatnonzero((pvalues < ALPHA) & (sides != sides[-1]))
    if other.size:
        turned = f"after {int(other[0]) + 1:,} items the models were significantly different, and the mean difference"
        warnings += (Code.TIME_ORDER(f"{turned} has changed its side since: no constant difference is likely."),)
    return ConfidenceSequenceResult(
        pvalue=float(pvalues[-1]),
        e_value=float(e_values[-1]),
        alternative=alternative,
        estimate=d.mean,
        effect_size=d.effect_size,
        n=n,
        n_ties=n_ties,
        decided_at=int(np.argmax(pvalues < ALPHA)) + 1 if (pvalues < ALPHA).any() else None,
        bounds=(low, high),
        e_values=e_values,
        differences=d.values,
        null=null,
        method=f"confidence sequence by betting (values from {low:g} to {high:g})",
        warnings=warnings,
    )


def _check_bounds(bounds: Any) -> tuple[float, float]:
    found = np.asarray(bounds, dtype=object)
    if found.shape == (2,):
        low, high = (check_number(x, "bounds", low=-LARGEST_DIFFERENCE, high=LARGEST_DIFFERENCE) for x in found)
        if low < high and high - low <= LARGEST_DIFFERENCE:
            return low, high
    raise ValueError(f"bounds must be the smallest and the largest value that an item can have; got {bounds!r:.80}")


def _log_e_values(shares: FloatArray, null: float, alternative: str) -> FloatArray:
    """Log of the capital against the null hypothesis after each item."""
    if not null and np.isin(shares, (-1.0, 0.0, 1.0)).all():
        return log_capital_right(shares, alternative)
    signs = {"greater": (1,), "less": (-1,)}.get(alternative, (1, -1))
    of_sides = [log_capital(Items.of(sign * shares), sign * null) for sign in signs]
    return of_sides[0] if len(of_sides) == 1 else np.asarray(np.logaddexp(*of_sides) - np.log(2))


def _sides(differences: FloatArray, null: float, reach: float) -> FloatArray:
    """The side of the null hypothesis on which the mean was after each item."""
    beyond = np.cumsum(differences) / np.arange(1, differences.size + 1) - null
    return np.asarray(np.sign(np.where(np.abs(beyond) <= ROUNDING * reach, 0.0, beyond)))


def _pvalues(e_values: FloatArray, sides: FloatArray) -> FloatArray:
    """One over the largest e-value so far at which the mean was on the side where it is."""
    found = np.ones(e_values.size)
    for side in (-1, 1):
        largest = np.maximum.accumulate(np.where(sides == side, e_values, 1.0))
        found = np.where(sides == side, 1 / np.maximum(largest, 1.0), found)
    return found


def _least(n: int, alternative: str) -> Least:
    """All items favour one model, by as much as is possible."""

    def at(k: int) -> float:
        k = min(k, 1000)
        return (k + 1) / 2.0**k if alternative == "two-sided" else (k + 1) / (2.0 ** (k + 1) - 1)

    return Least(at=at, n=n, what="item")
