"""Bouckaert's calibrated t tests on repeated k-fold cross-validation."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import (
    Alternative,
    FloatArray,
    check_alternative,
    check_choice,
    check_null,
    check_number,
    check_pair,
)
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._base import TTestResult, paired_differences, sample_std, t_test

Scheme = Literal["all", "folds", "runs", "sorted_runs"]

# Measured on 10x10 cross-validation. "all" and "sorted_runs" keep their size at every level with these;
# "folds" and "runs" have no one value that does.
DEFAULT_DF: dict[str, float] = {"all": 10.0, "sorted_runs": 10.0, "folds": 2.0, "runs": 2.0}
CALIBRATED_SHAPE = (10, 10)


def calibrated_t_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    scheme: Scheme = "all",
    df: float | None = None,
    alternative: Alternative = "two-sided",
    null: float = 0.0,
) -> TTestResult:
    r"""Calibrated t test on repeated k-fold cross-validation.

    The degrees of freedom are not counted but calibrated: the value at which simulated true nulls are
    rejected as often as they should be. They enter both the scale and the reference distribution,

    .. math:: t = \bar x \sqrt{\mathrm{df} + 1} \,/\, s,

    where :math:`x` is the sample that `scheme` makes from the differences ``a - b`` and :math:`s` its
    standard deviation (Bouckaert 2003). The mean is the same in all four schemes.

    Parameters
    ----------
    a, b : array_like of shape (n_repeats, n_folds)
        Scores of the two models on the same folds, larger better; a row is one run of k-fold. For ``"all"`` also of
        shape (n_splits,), of any resampling.
    scheme : {"all", "folds", "runs", "sorted_runs"}, default="all"
        The sample: all differences; per run, the mean over its folds; per fold index, the mean over the
        runs; the last after sorting the differences within each run.
    df : float, optional
        Degrees of freedom, positive and real. The default is 10 for ``"all"`` and ``"sorted_runs"``, as
        calibrated for 10x10, and 2 for ``"folds"`` and ``"runs"``, which no value calibrates well. `calibrate` finds
        them for other designs.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    TTestResult
        With a warning where `df` was not calibrated for the shape or the scheme.

    Raises
    ------
    ValueError
        If the scores are not finite and paired, have another number of dimensions, or an option is out of range.

    References
    ----------
    R. R. Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests, ICML, 51-58.

    R. R. Bouckaert (2004), Estimating replicability of classifier learning experiments, ICML,
    :doi:`10.1145/1015330.1015338`.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.inference import calibrated_t_test
    >>> d = np.round(np.random.default_rng(42).normal(0.02, 0.05, (10, 10)), 3)
    >>> result = calibrated_t_test(d, np.zeros((10, 10)), scheme="sorted_runs")
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.5986, 0.141)
    """
    check_alternative(alternative)
    null = check_null(null)
    check_choice(scheme, "scheme", get_args(Scheme))
    given = df is not None
    df = check_number(DEFAULT_DF[scheme] if df is None else df, "df", low=0, high=np.inf, closed="neither")
    a, b = check_pair(a, b, ndim=(1, 2) if scheme == "all" else (2,))
    d = paired_differences(a, b)
    return t_test(
        d,
        standard_error=sample_std(sample(d.values[np.newaxis], scheme)[0], d.noise) / (df + 1) ** 0.5,
        df=df,
        alternative=alternative,
        null=null,
        method=f"calibrated t test (scheme {scheme}, df {df:g})",
        warnings=_warnings(scheme, a.shape, given),
        effect_size=None if scheme == "all" else float("nan"),
    )


def sample(d: FloatArray, scheme: str) -> FloatArray:
    """The samples of Bouckaert (2003) from differences of shape (n_datasets, n_repeats, n_folds), a row of each."""
    if scheme == "folds":
        return np.asarray(d.mean(axis=2))
    if scheme == "runs":
        return np.asarray(d.mean(axis=1))
    if scheme == "sorted_runs":
        return np.asarray(np.sort(d, axis=2).mean(axis=1))
    return d.reshape(len(d), -1)


def _warnings(scheme: str, shape: tuple[int, ...], given: bool) -> tuple[CodedWarning, ...]:
    if scheme in ("folds", "runs"):
        return (
            Code.NOT_CALIBRATABLE(
                f"no df gives scheme {scheme!r} its nominal size at every level; use 'all' or 'sorted_runs'."
            ),
        )
    if not given and shape != CALIBRATED_SHAPE:
        own = "x".join(map(str, shape)) if len(shape) == 2 else f"{shape[0]} splits"
        return (Code.UNCALIBRATED_DESIGN(f"df 10 was calibrated for 10x10 folds, not for {own}."),)
    return ()
