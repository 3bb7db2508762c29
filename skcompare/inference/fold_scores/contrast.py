"""Contrasts of the mean scores of many models on the same splits, tested together with the corrected variance."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.numbers import agreeing, briefly, pvalue
from skcompare._core.record import Table, shown
from skcompare._core.validation import Ends, FloatArray, check_scores
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference import _records as records
from skcompare.inference._distributions import t_limits, t_pvalue
from skcompare.inference._kinds import ConfidenceInterval, Result, interval_tail
from skcompare.inference._sentences import Omnibus

# Of rows of length 1; a smaller singular value belongs to an eigenvalue that double precision does not tell from 0.
_DEPENDENT = 1e-8


class ContrastResult(Result, eq=False):
    """Linear combinations of the models' mean scores, and the test that all of them are 0.

    Attributes
    ----------
    estimates : ndarray of shape (n_contrasts,)
        In score units times those of the weights.
    standard_errors : ndarray of shape (n_contrasts,)
        Of the estimates, with the correction for splits that share training samples; nan only with one split.
    covariance : ndarray of shape (n_contrasts, n_contrasts)
        Of the estimates, with the correction; nan only with one split.
    pvalues : ndarray of shape (n_contrasts,)
        Of each alone, two-sided, by Student's t on ``n - 1`` degrees of freedom; not adjusted.
    statistic, pvalue : float
        F for all at once, and its upper tail; nan only with one split.
    df : tuple of float
        Its degrees of freedom; nan only with one split.
    n : int
        Number of splits.
    """

    estimates: FloatArray
    standard_errors: FloatArray
    covariance: FloatArray
    pvalues: FloatArray
    statistic: float
    pvalue: float
    df: Ends
    n: int
    _kind = Omnibus(
        "The contrasts together", "different from 0", shown={"p": "pvalue", "F": "statistic", "splits": "n"}
    )

    def _tables(self) -> list[Table]:
        columns = (self.estimates, self.standard_errors, self.pvalues)
        rows = [
            [str(i), shown(estimate), shown(error), pvalue(p)]
            for i, (estimate, error, p) in enumerate(zip(*(c.tolist() for c in columns), strict=True), start=1)
        ]
        return [Table(("contrast", "estimate", "standard error", "p, not adjusted"), rows)]

    def confidence_interval(self, confidence_level: float = 0.95) -> tuple[ConfidenceInterval, ...]:
        """The interval of each contrast alone, which leaves out 0 exactly when its p-value is below the level.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        tuple of ConfidenceInterval
            One per contrast, each with this confidence; that all hold at once is less probable.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).
        """
        tail = interval_tail(confidence_level, "two-sided")
        pairs = zip(self.estimates.tolist(), self.standard_errors.tolist(), strict=True)
        return tuple(ConfidenceInterval(*t_limits(estimate, error, self.n - 1.0, tail)) for estimate, error in pairs)


def contrast_test(
    scores: ArrayLike, contrasts: ArrayLike, *, test_fraction: float, overlap: float = 1.0
) -> ContrastResult:
    r"""Test that linear combinations of the mean scores of many models on the same splits are all 0.

    With orthonormal contrasts :math:`u_1, ..., u_c` that span the rows of `contrasts`, and the values
    :math:`v_{il} = \sum_j u_{lj} x_{ij}` of split i of n with means :math:`\bar v_l` and covariance matrix S,

    .. math:: F = \frac{\sum_l \bar v_l^2 / c}{\left(\frac 1 n + \frac{\rho}{1 - \rho}\right) \operatorname{tr} S / c}

    on :math:`\epsilon c` and :math:`\epsilon c (n - 1)` degrees of freedom,
    :math:`\epsilon = (\operatorname{tr} S)^2 / (c \operatorname{tr} S^2)` (Greenhouse and Geisser 1959), with the test
    fraction :math:`\rho` and the variance of Nadeau and Bengio (2003). With one contrast F is the square of the
    statistic of `corrected_t_test`. With :math:`k - 1` of k models it is the test that all models are equal:
    `anova_test` on splits, and with independent splits the repeated-measures analysis of variance. The numbers depend
    on the space that the rows span, not on the rows.

    Contrasts of a factorial design are its main effects and interactions: with models in the order (a1 b1, a1 b2,
    a2 b1, a2 b2) the row (1, -1, -1, 1) / 2 asks whether the effect of b depends on a.

    Parameters
    ----------
    scores : array_like of shape (n_splits, n_models)
        Scores of at least two models on the same splits, in any unit.
    contrasts : array_like of shape (n_contrasts, n_models)
        Weights of the models; each row sums to 0, and no row is a combination of others. A row of 1 and -1 compares two
        models.
    test_fraction : float
        Test size over train plus test size, in [0, 1): 1/k for k-fold, repeated or not. 0 takes the splits for
        independent.
    overlap : float, default=1
        The part of the correction that is taken, in [0, 1]: 0.4 on a single run of k-fold gives the standard error of
        `k_fold_t_test`.

    Returns
    -------
    ContrastResult
        With p-value 1 and the warning NO_DIFFERENCE where all contrasts are 0 on every split, with p-value 0 and
        ZERO_VARIANCE where they are the same on all splits but not all 0, with nan and TOO_LITTLE_DATA for one split.
        All may be significantly different from 0 together while none is alone, and the other way round.

    Raises
    ------
    ValueError
        If the scores are not finite or of fewer than two models, a row of `contrasts` has another length, does not sum
        to 0 or is a combination of others, or an option is out of range.

    See Also
    --------
    anova_test : all models, with the models' means on the record.
    corrected_t_test : two models.

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    S. W. Greenhouse and S. Geisser (1959), On methods in the analysis of profile data, Psychometrika 24, 95-112,
    :doi:`10.1007/BF02289823`.

    Examples
    --------
    Two learners with and without scaling: does what scaling adds depend on the learner?

    >>> from skcompare.inference import contrast_test
    >>> scores = [[0.70, 0.80, 0.81, 0.82], [0.72, 0.79, 0.80, 0.80], [0.69, 0.81, 0.80, 0.83],
    ...           [0.71, 0.80, 0.82, 0.81], [0.70, 0.78, 0.81, 0.82]]
    >>> result = contrast_test(scores, [[0.5, -0.5, -0.5, 0.5]], test_fraction=1 / 5)
    >>> result.estimates.round(3).tolist(), round(result.pvalue, 4)
    ([-0.042], 0.0007)
    """
    correction = records.check_correction(test_fraction, overlap)
    values = records.check_splits(scores, True, None).oriented.T
    weights = _check_contrasts(contrasts, values)
    n, c = len(values), len(weights)
    unit, sizes = records.power_of_two(values), np.array([[records.power_of_two(row)] for row in weights])
    scaled, weights = values / unit, weights / sizes
    scaled = scaled - scaled.mean(axis=1, keepdims=True)  # weights sum to 0
    noise = records.ROUNDING * np.abs(values / unit).max()
    own, basis = (_combined(scaled, rows, noise) for rows in (weights, np.linalg.qr(weights.T)[0].T))
    factor = correction.variance(n)
    spread = _covariance(basis)
    statistic, pvalue, df = _together(basis.mean(axis=0), spread * factor, records.greenhouse_geisser(spread, c), n)
    means, covariance = own.mean(axis=0), _covariance(own) * factor
    errors, back = np.sqrt(np.diag(covariance)), sizes[:, 0] * unit
    pairs = zip(means, errors, strict=True)
    alone = [t_pvalue(mean / error, n - 1.0, "two-sided") if error else float(mean == 0) for mean, error in pairs]
    with np.errstate(over="ignore", under="ignore"):
        in_units = covariance * back * back[:, None]
    return ContrastResult(
        estimates=means * back,
        standard_errors=errors * back,
        covariance=in_units,
        pvalues=np.array(alone),
        statistic=statistic,
        pvalue=pvalue,
        df=df,
        n=n,
        method=f"test of contrasts ({correction})",
        warnings=tuple(_warnings(own, n)),
    )


def _check_contrasts(contrasts: ArrayLike, scores: FloatArray) -> FloatArray:
    """The weights, a row per contrast, or ValueError."""
    weights = check_scores(contrasts, "contrasts", ndim=(2,))
    k = scores.shape[1]
    if weights.shape[1] != k:
        raise ValueError(f"contrasts must have a weight for each of the {k} models; got shape {weights.shape}")
    size = np.abs(weights).max(axis=1)
    if size.max() > records.LARGEST_DIFFERENCE / max(1.0, float(np.abs(scores).max())) / k:
        raise ValueError(
            f"contrasts times scores must be at most {records.LARGEST_DIFFERENCE:g}; got weights of {size.max():g}"
        )
    for i, row in enumerate(weights):
        if not size[i]:
            raise ValueError(f"contrasts must have a weight other than 0 in each row; got only 0 in row {i}")
        total = float((row / size[i]).sum() * size[i])
        if abs(total) > 1e-9 * size[i]:
            raise ValueError(f"contrasts must have rows that sum to 0; got {total:g} for row {i}")
    unit = weights / size[:, None]
    unit = unit / np.linalg.norm(unit, axis=1, keepdims=True)
    rank = int((np.linalg.svd(unit, compute_uv=False) >= _DEPENDENT).sum())
    if len(weights) >= k or rank < len(weights):
        raise ValueError(
            f"contrasts must have rows of which none is a combination of others; got {len(weights)} rows, of which "
            f"{rank} {agreeing(rank, 'is', 'are')} independent"
        )
    return weights


def _combined(scores: FloatArray, weights: FloatArray, noise: float) -> FloatArray:
    """The contrasts of each split, shape (n_splits, n_contrasts); what varies by rounding only does not vary."""
    found = scores @ weights.T
    rounding = noise * np.abs(weights).sum(axis=1)
    constant = np.ptp(found, axis=0) <= rounding
    means = found[:, constant].mean(axis=0)
    found[:, constant] = np.where(np.abs(means) <= rounding[constant], 0.0, means)
    return np.asarray(found)


def _covariance(values: FloatArray) -> FloatArray:
    """Of the columns, with ``ddof=1``; exactly 0 for those that do not vary, nan for one row."""
    n, c = values.shape
    if n < 2:
        return np.full((c, c), np.nan)
    residuals = np.where(np.ptp(values, axis=0) == 0, 0.0, values - values.mean(axis=0))
    return np.asarray(residuals.T @ residuals / (n - 1))


def _together(means: FloatArray, variance: FloatArray, epsilon: float, n: int) -> tuple[float, float, Ends]:
    """F of orthonormal contrasts, its p-value and its degrees of freedom."""
    c, total = len(means), float(np.trace(variance))
    df = (epsilon * c, epsilon * c * (n - 1))
    if n < 2:
        return np.nan, np.nan, (np.nan, np.nan)
    if total == 0:
        return (np.inf, 0.0, df) if bool(means.any()) else (0.0, 1.0, df)
    statistic = float((means**2).sum()) / total
    return statistic, records.f_pvalue(statistic, df), df


def _warnings(own: FloatArray, n: int) -> Iterator[CodedWarning]:
    if n < 2:
        yield Code.TOO_LITTLE_DATA("a test needs at least 2 splits.")
        return
    if not own.any():
        yield Code.NO_DIFFERENCE("all contrasts are 0 on every split.")
        return
    certain = np.flatnonzero((np.ptp(own, axis=0) == 0) & own.any(axis=0)) + 1
    if certain.size:
        which = f"{agreeing(certain.size, 'contrast', 'contrasts')} {briefly([*map(str, certain)])}"
        does = agreeing(certain.size, "does", "do")
        yield Code.ZERO_VARIANCE(f"{which} {does} not vary over the splits, so nothing tells how sure the estimate is.")
