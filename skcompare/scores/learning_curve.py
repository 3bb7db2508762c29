"""What was measured of several estimators on training sets of several sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from skcompare._core.warnings import CodedWarning
from skcompare.scores.evaluation import EvaluationScores


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class LearningCurveScores:
    """Scores of several estimators on the same test sets, with training sets of several sizes.

    Attributes
    ----------
    results : dict of int to EvaluationResult
        By training samples, in ascending order, each size on its own. Their comparisons have an error budget each;
        those of the learning curve share one.
    warnings : tuple of str
        Reasons to doubt the sizes, each a code, a colon and a sentence.
    """

    results: Mapping[int, EvaluationScores]
    warnings: tuple[CodedWarning, ...] = ()

    @property
    def sizes(self) -> tuple[int, ...]:
        """Training samples, the mean over the splits, in ascending order."""
        return tuple(self.results)

    @property
    def largest(self) -> EvaluationScores:
        """The evaluation with the largest training sets."""
        return self.results[self.sizes[-1]]

    @property
    def estimators(self) -> tuple[str, ...]:
        """The models."""
        return self.largest.estimators

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, the first being the one to decide on."""
        return self.largest.metrics
