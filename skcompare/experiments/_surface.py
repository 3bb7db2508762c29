"""A quadratic surface through the mean scores of designed settings: where its optimum is, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.numbers import decimals, equal_to, number, pvalue
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_scores
from skcompare._core.warnings import CodedWarning
from skcompare.experiments._optimum import Axis, grid, not_beaten
from skcompare.experiments._quadratic import quadratic
from skcompare.inference._kinds import ALPHA


@dataclass(frozen=True, eq=False, slots=True, kw_only=True, repr=False)
class ResponseSurface(Record):
    """A quadratic surface fitted to the mean scores of the settings of an experiment.

    Coded values run from -1 at a factor's low end to 1 at its high end, on a log scale where the factor has one.

    Attributes
    ----------
    metric : str
        The metric, in whose units all scores are.
    greater_is_better : bool
        Whether the optimum is the largest score.
    axes : tuple of Axis
        The n_factors factors, with the values that are coded as -1 and 1.
    terms : tuple of str
        The terms of the model: ``"1"``, the factors, their squares ``"a^2"`` and products ``"a:b"``.
    coefficients, standard_errors, pvalues : ndarray of shape (n_terms,)
        On the coded factors, by least squares; standard errors and two-sided p-values, not adjusted, from the splits
        with the correction for shared training samples; nan for the first term, which is no comparison of settings.
    pvalue_curvature : float
        Of the hypothesis that all squares and products are 0, so that a plane would do.
    pvalue_lack_of_fit : float
        Of the hypothesis that the quadratic describes all settings; nan where it has as many terms as there are
        settings.
    r_squared : float
        Share of the variance of the settings' mean scores that the quadratic describes, in [0, 1].
    nature : {"maximum", "minimum", "saddle", "ridge", "plane"}
        Of the stationary point. Directions whose curvature is not significantly different from 0 at 5% are flat: all
        of them make a plane, some of them beside others that bend one way a ridge.
    stationary : ndarray of shape (n_factors,)
        Where the slope is 0, in coded values; nan for a plane.
    curvatures : ndarray of shape (n_factors,)
        Eigenvalues of the quadratic part, ascending; a maximum has negative ones.
    directions : ndarray of shape (n_factors, n_factors)
        Their directions in coded values, one per column.
    covariance : ndarray of shape (n_terms - 1, n_terms - 1)
        Of the coefficients but the first.
    runs : ndarray of shape (n_runs, n_factors)
        The settings in coded values.
    low, high : ndarray of shape (n_factors,)
        The ends of the experiment in coded values.
    best : ndarray of shape (n_factors,)
        The optimum in coded values.
    optimum : dict of str to float or int
        The best predicted setting among those between the ends of the experiment, in the factors' own units; integers
        where a factor takes them.
    optimum_low, optimum_high : dict of str to float
        Per factor the ends of the 95% confidence region of the best setting within the experiment: of the settings
        to which none is predicted to be significantly better.
    on_edge : tuple of str
        Factors whose best value is an end of the experiment.
    predicted : float
        The mean score predicted at the optimum; too good on average, since the optimum was picked after looking, and
        without an interval for the same reason.
    best_run : dict of str to float
        The setting with the best mean score of those that were evaluated, in the factors' own units.
    best_run_mean : float
        Its mean score.
    n : int
        Number of splits.
    n_runs : int
        Number of settings.
    """

    metric: str
    greater_is_better: bool
    axes: tuple[Axis, ...] = field(repr=False)
    terms: tuple[str, ...]
    coefficients: FloatArray
    standard_errors: FloatArray = field(repr=False)
    pvalues: FloatArray
    pvalue_curvature: float
    pvalue_lack_of_fit: float
    r_squared: float
    nature: str
    stationary: FloatArray
    curvatures: FloatArray = field(repr=False)
    directions: FloatArray = field(repr=False)
    covariance: FloatArray = field(repr=False)
    runs: FloatArray = field(repr=False)
    low: FloatArray = field(repr=False)
    high: FloatArray = field(repr=False)
    best: FloatArray = field(repr=False)
    optimum: dict[str, float | int]
    optimum_low: dict[str, float | int]
    optimum_high: dict[str, float | int]
    on_edge: tuple[str, ...]
    predicted: float
    best_run: dict[str, float | int]
    best_run_mean: float
    n: int
    n_runs: int
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        places = decimals((self.predicted,))
        predicted = number(self.predicted, places)
        if self.pvalue_lack_of_fit < ALPHA:
            at = ", ".join(f"{name} = {value:.3g}" for name, value in self.optimum.items())
            told = ", ".join(f"{name} = {value:.3g}" for name, value in self.best_run.items())
            p, mean = equal_to("p", self.pvalue_lack_of_fit), number(self.best_run_mean, places)
            return (
                f"A quadratic does not fit {self.metric} over these settings, {p}, so its optimum, {predicted} at {at}"
                f", is not to be relied on; the best setting evaluated is {told} with {mean}."
            )
        at = ", ".join(
            f"{name} = {value:.3g} ({self.optimum_low[name]:.3g} to {self.optimum_high[name]:.3g})"
            for name, value in self.optimum.items()
        )
        return (
            f"Best predicted {self.metric} {predicted}, picked after looking, at {at}: {self._where()}"
            f"{', extrapolated beyond the settings that were run' if self.extrapolated else ''}; {self._fit()}."
        )

    def _where(self) -> str:
        if self.on_edge:
            return f"on the edge of the experiment in {', '.join(self.on_edge)}, beyond which there may be better ones"
        words = {"ridge": "on a ridge", "plane": "of a surface without significant curvature"}
        return words.get(self.nature, f"a {self.nature} inside the experiment")

    def _fit(self) -> str:
        if np.isnan(self.pvalue_lack_of_fit):
            return "no settings are left to see whether a quadratic fits"
        return f"no lack of fit is shown, {equal_to('p', self.pvalue_lack_of_fit)}"

    def _tables(self) -> list[Table]:
        rows = [
            [term, f"{value:.4g}", f"{error:.2g}", pvalue(float(p))]
            for term, value, error, p in zip(
                self.terms, self.coefficients, self.standard_errors, self.pvalues, strict=True
            )
        ]
        return [Table(("term", "coefficient", "standard error", "p"), rows)]

    @property
    def factors(self) -> tuple[str, ...]:
        """The names of the factors."""
        return tuple(axis.name for axis in self.axes)

    @property
    def extrapolated(self) -> bool:
        """Whether the optimum is outside the settings that were run: more leverage than any of them, x'(X'X)^-1 x.

        Montgomery, Peck and Vining, Introduction to Linear Regression Analysis, 5th ed., section 3.8 (hidden
        extrapolation). Corners of the ends are so in an inscribed central composite design, and their predictions vary
        much.
        """
        terms = quadratic(np.vstack([self.best, self.runs]))
        if not np.isfinite(terms).all():
            return False
        of_optimum, *of_runs = np.einsum("ij,jk,ik->i", terms, np.linalg.pinv(terms[1:].T @ terms[1:]), terms)
        return bool(of_optimum > max(of_runs) * (1 + 1e-9))

    def predict(self, coded: ArrayLike) -> FloatArray:
        """The predicted mean scores of settings.

        Parameters
        ----------
        coded : array_like of shape (n_settings, n_factors)
            In coded values.

        Returns
        -------
        ndarray of shape (n_settings,)

        Raises
        ------
        ValueError
            If `coded` has another shape or values that are no numbers.
        """
        return np.asarray(quadratic(self._points(coded)) @ self.coefficients)

    def may_be_best(self, coded: ArrayLike) -> NDArray[np.bool_]:
        """Whether settings are in the 95% confidence region of the best one.

        Parameters
        ----------
        coded : array_like of shape (n_settings, n_factors)
            In coded values.

        Returns
        -------
        ndarray of bool of shape (n_settings,)

        Raises
        ------
        ValueError
            As of `predict`.
        """
        points = self._points(coded)
        rivals = np.vstack([self.best, grid(self.low, self.high)])
        sign = 1.0 if self.greater_is_better else -1.0
        return not_beaten(quadratic(points), quadratic(rivals), sign * self.coefficients, self.covariance, self.n)

    def _points(self, coded: ArrayLike) -> FloatArray:
        points = check_scores(coded, "coded", ndim=(2,))
        if points.shape[1] != len(self.axes):
            raise ValueError(f"coded must have a column for each of {len(self.axes)} factors; got {points.shape[1]}")
        return points

    def to_frame(self) -> Any:
        """One row per term as a pandas DataFrame; needs pandas."""
        columns = {"coefficient": self.coefficients, "standard_error": self.standard_errors, "pvalue": self.pvalues}
        return import_pandas().DataFrame(columns, index=list(self.terms))
