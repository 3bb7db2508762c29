"""LearningCurveResult: what the user reads and asks of training sets of several sizes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from skcompare._core.archive import write_archive
from skcompare._core.frames import import_pandas
from skcompare._core.record import few
from skcompare._reportable import Readable, Words, drawn
from skcompare.comparison.crossing import Crossing, crossing
from skcompare.comparison.learning_curve import SizeComparison, compare_sizes
from skcompare.plotting._display import Display
from skcompare.plotting._kinds import make_curve_display
from skcompare.reporting import learning_curve_views as views
from skcompare.reporting.learning_curve import sentences
from skcompare.reporting.summary.learning_curve import summarise_curve
from skcompare.reporting.summary.methods import result_facts
from skcompare.results import EvaluationResult
from skcompare.saving.results import curve_to_archive
from skcompare.scores.learning_curve import LearningCurveScores


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class LearningCurveResult(Readable, LearningCurveScores):
    __doc__ = LearningCurveScores.__doc__

    results: Mapping[int, EvaluationResult] = field(default_factory=dict)

    _first_kind: ClassVar[str] = "learning_curve"
    _views: ClassVar[Words] = Words(
        summarise=summarise_curve,
        detailed=summarise_curve,
        text=views.text_report,
        notebook=views.notebook,
        sentences=sentences,
    )

    def __repr__(self) -> str:
        sizes = ", ".join(map(str, self.sizes))
        return f"<LearningCurveResult: {few(self.estimators)} on {sizes} training samples; {few(self.metrics)}>"

    def compare(
        self,
        procedure: str = "auto",
        *,
        metrics: str | Sequence[str] | None = None,
        baseline: str | None = None,
        correction: str = "holm",
    ) -> SizeComparison:
        """Test all pairs of estimators on several metrics at all sizes, under one error budget.

        Parameters
        ----------
        procedure : str, default="auto"
            A test of two estimators with a p-value, as in `EvaluationResult.test`.
        metrics : str or sequence of str, optional
            All by default.
        baseline : str, optional
            Compare every other estimator (as `a`) with this one (as `b`) instead of all pairs.
        correction : str, default="holm"
            A method of `adjust_pvalues`, over all sizes, pairs and metrics together.

        Returns
        -------
        SizeComparison
            One row per metric, pair and size.

        Raises
        ------
        ValueError
            If a name is unknown, or the procedure does not fit the design.
        """
        return compare_sizes(self, procedure, metrics=metrics, baseline=baseline, correction=correction)

    def crossing(
        self,
        metric: str | None = None,
        a: str | None = None,
        b: str | None = None,
        *,
        confidence_level: float = 0.95,
    ) -> Crossing:
        """The number of training samples at which two estimators change places.

        Between two sizes the scores of every split are taken to lie on a straight line in the logarithm of the size,
        and the interval holds the sizes at which the test of the two on them is not significant: it inverts the test,
        as Fieller's interval does.

        Parameters
        ----------
        metric : str, optional
            The first by default.
        a, b : str, optional
            Estimators; the first and the second by default.
        confidence_level : float, default=0.95
            In (0, 1); for this pair on this metric alone.

        Returns
        -------
        Crossing
            Its `estimate` is nan where the two do not change places within the sizes that were evaluated.

        Raises
        ------
        ValueError
            If a name is unknown, the level out of range, or the splits are in time order or one test set.
        """
        return crossing(self, metric, a, b, confidence_level=confidence_level)

    def to_frame(self) -> Any:
        """All scores as a tidy pandas DataFrame, as of a result, after a column ``size``; needs pandas."""
        frames = [one.to_frame() for one in self.results.values()]
        for size, frame in zip(self.sizes, frames, strict=True):
            frame.insert(0, "size", size)
        return import_pandas().concat(frames, ignore_index=True)

    def to_json(self) -> str:
        """The answer, the crossings and all comparisons as strict JSON, null where a number is not finite."""
        return views.json_report(summarise_curve(self))

    def to_markdown(self) -> str:
        """The answer, the verdict at every size, what it rests on and the warnings in Markdown."""
        return views.markdown_report(summarise_curve(self))

    def to_latex(self) -> str:
        """The same as a LaTeX float; it needs the booktabs package."""
        return views.latex_report(summarise_curve(self))

    def methods_text(self) -> str:
        """A paragraph for the methods section of a paper on `compare()`, with the BibTeX entries it cites."""
        return views.methods_text(summarise_curve(self), result_facts(self.largest, "auto", "holm"))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything to one file, a zip of JSON and plain arrays without pickle; `skcompare.load` reads it.

        Parameters
        ----------
        path : path-like
            The file; one that is there is replaced, and kept if saving fails.

        Raises
        ------
        OSError
            If the file cannot be written.
        ValueError
            If the labels are objects other than strings.
        """
        write_archive(path, *curve_to_archive(self))

    def _display(self, kind: str, options: Mapping[str, Any]) -> Display:
        return make_curve_display(self, kind, options)

    def _page(self) -> str:
        options = {"learning_curve": {"metric": summarise_curve(self).answers[self.sizes[-1]].metrics[0].metric}}
        return views.html_page(summarise_curve(self), drawn(self._display, {"learning_curve": views.CAPTION}, options))
