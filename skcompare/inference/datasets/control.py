"""Test of every model against one control model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.frames import import_pandas
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_choice
from skcompare._core.warnings import CodedWarning
from skcompare._core.words import briefly, counted
from skcompare.inference._multiplicity import CORRECTIONS, adjust_pvalues
from skcompare.inference.datasets import _mean_ranks as mean_ranks
from skcompare.inference.datasets._mean_ranks import ALPHA, MeanRanks
from skcompare.inference.datasets._needed import says_what_it_needs
from skcompare.inference.datasets._scores import DataSetScores, check_table

ControlProcedure = Literal["friedman", "aligned_ranks", "quade"]

_RANKS: dict[str, Callable[[DataSetScores], MeanRanks]] = {
    "friedman": mean_ranks.friedman_ranks,
    "aligned_ranks": mean_ranks.aligned_ranks,
    "quade": mean_ranks.quade_ranks,
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ControlResult(Record):
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
    names: tuple[str, ...]
    statistics: FloatArray
    pvalues: FloatArray
    pvalues_unadjusted: FloatArray
    estimates: FloatArray
    estimate_of: str
    standard_error: float
    critical_difference: float
    alternative: str
    correction: str
    n: int
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        found = [
            f"{name} is {'better' if estimate > 0 else 'worse'}"
            for name, estimate, pvalue in zip(self.names, self.estimates, self.pvalues, strict=True)
            if pvalue < ALPHA
        ]
        n = f"{len(found) or 'None'} of {counted(len(self.names), 'model')}"
        which = f": {briefly(found)}" if found else ""
        return f"{n} {'differs' if len(found) <= 1 else 'differ'} significantly from {self.control}{which}."

    def to_frame(self) -> Any:
        """One row per model as a pandas DataFrame, with the unadjusted and the adjusted p-value; needs pandas."""
        columns = {
            "a": self.names,
            "b": self.control,
            "estimate": self.estimates,
            "statistic": self.statistics,
            "pvalue_unadjusted": self.pvalues_unadjusted,
            "pvalue": self.pvalues,
        }
        return import_pandas().DataFrame(columns)


@says_what_it_needs
def control_test(
    scores: ArrayLike,
    *,
    control: str | int,
    procedure: ControlProcedure = "friedman",
    correction: str = "holm",
    greater_is_better: bool = True,
    names: Sequence[str] | None = None,
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
        warning TOO_FEW for one data set; with CANNOT_REJECT where the data sets are too few for any p < 0.05.

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
    column = _check_control(control, table.names)
    ranks = _RANKS[procedure](table)
    estimates = np.delete(ranks.means[column] - ranks.means, column)
    statistics = mean_ranks.standardised(estimates, ranks.standard_error)
    raw = ranks.pvalues(statistics)
    adjusted = raw.copy() if correction == "none" else adjust_pvalues(raw, correction)
    enough = table.n_datasets > 1
    unknown = np.full_like(raw, np.nan)
    return ControlResult(
        control=table.names[column],
        names=tuple(name for name in table.names if name != table.names[column]),
        statistics=statistics if enough else unknown,
        pvalues=adjusted if enough else unknown.copy(),
        pvalues_unadjusted=raw if enough else unknown.copy(),
        estimates=estimates,
        estimate_of=ranks.of,
        standard_error=ranks.standard_error,
        critical_difference=ranks.critical_difference(table.n_models - 1) if enough else float("nan"),
        alternative="two-sided",
        correction=correction,
        n=table.n_datasets,
        method=f"{ranks.of}s against a control",
        warnings=mean_ranks.rank_warnings(table, ranks.standard_error),
    )


def _check_control(control: str | int, names: tuple[str, ...]) -> int:
    """The column of the control, or ValueError."""
    if isinstance(control, str):
        check_choice(control, "control", names)
        return names.index(control)
    if isinstance(control, Integral) and not isinstance(control, bool) and 0 <= control < len(names):
        return int(control)
    raise ValueError(f"control must be the name of a model or a column from 0 to {len(names) - 1}; got {control!r}")
