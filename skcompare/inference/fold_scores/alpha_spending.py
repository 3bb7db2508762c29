"""At which p-values repeated looks at one growing cross-validation may decide."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from skcompare._core.numbers import percent_of
from skcompare._core.validation import FloatArray, check_choice, check_integer, check_number
from skcompare.inference._kinds import Result

Spending = Literal["obrien_fleming", "pocock"]
Side = Literal["two-sided", "one-sided"]
MAX_REPEATS = 100
_SEED = 0
_MOST_DRAWS, _MOST_VALUES = 50_000, 1_000_000
_ACCURACY = 1e-4  # of a level, relative; the draws leave more open
_RESOLVED = 1e-15  # least probability that a difference of two such can tell; what is less is not spent
_SMALLEST = 1e-9  # part of what is spent that a level may have


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AlphaSpending(Result):
    """The levels of repeated looks that keep one error rate together.

    Attributes
    ----------
    repeats : ndarray of shape (n_looks,)
        Repeats that are done at each look.
    information : ndarray of shape (n_looks,)
        In (0, 1]: the part of the information of all repeats that is there, the ratio of the variances of the means.
    levels : ndarray of shape (n_looks,)
        In (0, 1): a comparison is decided at the first look at which its own p-value is below.
    spent : ndarray of shape (n_looks,)
        In (0, alpha]: the probability that any of the comparisons has been decided wrongly by then, at most.
    alpha : float
        The error rate of all looks at all comparisons together.
    n_comparisons : int
        Comparisons that share `alpha`.
    spending : {"obrien_fleming", "pocock"}
        How `alpha` is spread over the looks.
    alternative : {"two-sided", "one-sided"}
        The kind of p-value.
    """

    repeats: NDArray[np.int_]
    information: FloatArray
    levels: FloatArray
    spent: FloatArray
    alpha: float
    n_comparisons: int
    spending: Spending
    alternative: Side

    def _sentence(self) -> str:
        first, last = (f"p = {level:.2g}" for level in (self.levels[0], self.levels[-1]))
        when = f"at the first of {len(self.repeats)} looks and below {last} at the last"
        if len(self.repeats) == 1:
            when = "at the only look"
        return (
            f"A comparison is decided below {first} {when}; the error rate over all looks is {percent_of(self.alpha)}."
        )


def alpha_spending(
    n_folds: int,
    n_repeats: int,
    *,
    min_repeats: int = 1,
    test_fraction: float | None = None,
    n_comparisons: int = 1,
    alpha: float = 0.05,
    spending: Spending = "obrien_fleming",
    alternative: Side = "two-sided",
) -> AlphaSpending:
    r"""Nominal levels for the corrected t test after every repeat of a repeated cross-validation.

    Whoever tests after every repeat at 5%, and stops at the first p-value below it, is wrong about equal models in 12%
    of cases (10 folds, 10 repeats). The levels given here keep the probability of any false decision at `alpha`.

    Under the model of the corrected t test, with :math:`\rho` the test fraction, the mean differences over the first
    :math:`n` and the first :math:`m \le n` splits have

    .. math:: \mathrm{Var}(\bar d_n) = \sigma^2 \left( \frac 1 n + \frac{\rho}{1 - \rho} \right), \qquad
        \mathrm{Cov}(\bar d_m, \bar d_n) = \mathrm{Var}(\bar d_n):

    the joint distribution of a group sequential trial, with information :math:`1/\mathrm{Var}`. Its variance is
    estimated anew at every look, and from few splits at the first, which makes p-values move more from look to look
    than the known variances of that theory. The crossing probability is therefore that of the t statistics
    themselves: the normal probability of the part that all splits share, averaged over simulated paths of the rest,
    which has independent increments. The draws have a fixed seed, 50,000 up to 20 repeats; their standard error is
    about 0.5% of a level for one comparison and 5% for 200.

    Parameters
    ----------
    n_folds : int
        Folds per repeat, at least 2.
    n_repeats : int
        The largest number of repeats, from `min_repeats` to 100.
    min_repeats : int, default=1
        Repeats before the first look; there is one after each further repeat.
    test_fraction : float, optional
        Test size over train plus test size, in (0, 1); ``1 / n_folds`` by default.
    n_comparisons : int, default=1
        Comparisons that are looked at together; their levels are those of one comparison at ``alpha / n_comparisons``
        (Bonferroni), whatever their dependence.
    alpha : float, default=0.05
        Probability that any of them is ever decided wrongly, in (0, 1).
    spending : {"obrien_fleming", "pocock"}, default="obrien_fleming"
        How much of `alpha` is spent by the information fraction :math:`t` (Lan and DeMets 1983): of the type of
        O'Brien and Fleming, :math:`4 - 4 \Phi(z_{\alpha/4} / \sqrt t)`, one-sided
        :math:`2 - 2 \Phi(z_{\alpha/2} / \sqrt t)`, which leaves most to the last looks; or of the type of Pocock,
        :math:`\alpha \ln(1 + (e - 1) t)`, which decides more at the first. Since ten folds have 57% of the
        information of 10x10 already, the first costs hardly more fits and less power.
    alternative : {"two-sided", "one-sided"}, default="two-sided"
        The kind of p-value.

    Returns
    -------
    AlphaSpending

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    K. K. G. Lan and D. L. DeMets (1983), Discrete sequential boundaries for clinical trials, Biometrika 70(3),
    659-663, :doi:`10.1093/biomet/70.3.659`.

    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    Examples
    --------
    >>> from skcompare.inference import alpha_spending
    >>> looks = alpha_spending(10, 10)
    >>> looks.information.round(2).tolist()
    [0.57, 0.75, 0.84, 0.89, 0.92, 0.95, 0.97, 0.98, 0.99, 1.0]
    >>> looks.levels.round(3)[[0, 1, -1]].tolist()
    [0.006, 0.016, 0.026]
    """
    folds = check_integer(n_folds, "n_folds", low=2)
    first = check_integer(min_repeats, "min_repeats", low=1)
    last = check_integer(n_repeats, "n_repeats", low=1)
    if not first <= last <= MAX_REPEATS:
        raise ValueError(f"n_repeats must be from min_repeats = {first} to {MAX_REPEATS}; got {last}")
    comparisons = check_integer(n_comparisons, "n_comparisons", low=1)
    alpha = check_number(alpha, "alpha", low=0, high=1, closed="neither")
    check_choice(spending, "spending", get_args(Spending))
    check_choice(alternative, "alternative", get_args(Side))
    if test_fraction is None:
        test_fraction = 1 / folds
    fraction = check_number(test_fraction, "test_fraction", low=0, high=1, closed="neither")
    repeats = np.arange(first, last + 1)
    variances = 1 / (repeats * folds) + fraction / (1 - fraction)
    information = variances[-1] / variances
    tails = 2 if alternative == "two-sided" else 1
    spent = _spent(information, alpha / comparisons, spending, tails)
    levels = _levels(folds, first, last, fraction, tuple(spent.tolist()), tails)
    return AlphaSpending(
        repeats=repeats,
        information=information,
        levels=np.array(levels),
        spent=spent * comparisons,
        alpha=alpha,
        n_comparisons=comparisons,
        spending=spending,
        alternative=alternative,
        method=f"{spending} levels of corrected t tests after {first} to {last} repeats of {folds} folds "
        f"(test fraction {fraction:.3g})",
    )


@lru_cache(maxsize=256)
def _levels(
    folds: int, first: int, last: int, fraction: float, spent: tuple[float, ...], tails: int
) -> tuple[float, ...]:
    """The level of each look at which one comparison has been decided wrongly with probability `spent`."""
    means, errors = _paths(folds, first, last, fraction)
    shared = fraction**0.5
    low, high = np.full(means.shape[1], -np.inf), np.full(means.shape[1], np.inf)

    def limits(level: float, look: int) -> tuple[FloatArray, FloatArray]:
        """Between which values of what all splits share no look so far has decided."""
        reach = -special.stdtrit(folds * (first + look) - 1, level / tails) * errors[look]
        above = np.minimum(high, reach - means[look])
        return np.maximum(low, -reach - means[look]) if tails == 2 else low, above

    def undecided(limits: tuple[FloatArray, FloatArray]) -> float:
        below, above = (special.ndtr(limit / shared) for limit in limits)
        return float(np.maximum(above - below, 0).mean())

    levels = [spent[0]]  # one look alone is one test
    low, high = limits(levels[0], 0)
    for look in range(1, len(spent)):
        before, target = undecided((low, high)), spent[look] - spent[look - 1]
        if target < _RESOLVED:
            levels.append(0.0)
            continue

        def excess(log_level: float, look: int = look, before: float = before, target: float = target) -> float:
            return before - undecided(limits(np.exp(log_level), look)) - target

        least, most = np.log(spent[look]) + np.log(_SMALLEST), np.log(spent[look])
        found = most if excess(most) < 0 else optimize.brentq(excess, least, most, xtol=_ACCURACY)
        levels.append(float(np.exp(found)))
        low, high = limits(levels[look], look)
    return tuple(levels)


def _spent(information: FloatArray, alpha: float, spending: Spending, tails: int) -> FloatArray:
    """The spending functions of Lan and DeMets (1983)."""
    if spending == "pocock":
        return np.asarray(alpha * np.log1p((np.e - 1) * information))
    z = special.ndtri(alpha / tails / 2)
    return np.asarray(2 * tails * special.ndtr(z / np.sqrt(information)))


@lru_cache(maxsize=1)
def _paths(folds: int, first: int, last: int, fraction: float) -> tuple[FloatArray, FloatArray]:
    """Means and standard errors after each repeat, without the part of the differences that all splits share.

    The differences have variance 1, of which `fraction` is shared.
    """
    rng = np.random.default_rng(_SEED)
    n_draws = min(_MOST_DRAWS, _MOST_VALUES // last)
    own = 1 - fraction
    mean, squares = np.zeros(n_draws), np.zeros(n_draws)
    means, errors = [], []
    for repeat in range(1, last + 1):
        before, n = (repeat - 1) * folds, repeat * folds
        block = rng.normal(scale=(own / folds) ** 0.5, size=n_draws)
        squares = squares + own * rng.chisquare(folds - 1, n_draws) + before * folds / n * (block - mean) ** 2
        mean = (before * mean + folds * block) / n
        if repeat >= first:
            means.append(mean)
            errors.append(np.sqrt(squares / (n - 1) * (1 / n + fraction / own)))
    return np.array(means), np.array(errors)
