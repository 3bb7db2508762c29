"""ExperimentReport: what the scores of designed settings say of the factors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core import text
from skcompare._core.design import Design
from skcompare._core.html import Table
from skcompare._core.names import choose_metric, choose_metrics
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_integer, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.measures import measured
from skcompare.evaluator import PairedEvaluator
from skcompare.experiments._designs import ExperimentDesign, check_log, is_number
from skcompare.experiments._effects import Effects, experiment_effects, fit_model, mean_scores, scored
from skcompare.experiments._pictures import Pictured, check_given, warnings_of
from skcompare.experiments._surface import ResponseSurface, response_surface
from skcompare.inference._overlap import Correction
from skcompare.plotting._display import Display
from skcompare.plotting._kinds import make_experiment_display
from skcompare.reporting import markdown
from skcompare.results import EvaluationResult
from skcompare.selection import SearchReport
from skcompare.selection._effects import MAX_NUMBERS, NOT_SET
from skcompare.selection._search import read_search
from skcompare.tables.cross_validate import CvResults, first_of, value_key

# The candidates of a search as the runs of an experiment.


def experiment_of(
    search: Any, X: Any, y: Any, groups: Any, test_fraction: float | None, log: Sequence[str]
) -> dict[str, Any]:
    """The fields of the report of a search; of a `SearchReport` its deciding metric comes first."""
    given = isinstance(search, SearchReport)
    read = search._read if given else read_search(search, X, y, groups, test_fraction)
    first = search.metric if given else read.refit_metric
    metrics = (first, *(metric for metric in read.metrics if metric != first))
    design, kept = search_design(read.table, log)
    return {
        "design": design,
        "metrics": metrics,
        "greater_is_better": (True,) * len(metrics),
        "splits": read.design,
        "scores": read.table.scores[kept][:, :, [read.metrics.index(metric) for metric in metrics]],
        "warnings": (*read.warnings, *_nested(design)),
    }


def search_design(table: CvResults, log: Sequence[str]) -> tuple[ExperimentDesign, NDArray[np.intp]]:
    """The design, and which candidates are its runs: of equal ones the first.

    Raises
    ------
    ValueError
        If no parameter varies, or `log` names one that is not positive.
    """
    runs = [{name: params.get(name, NOT_SET) for name in table.labels} for params in table.params]
    if not table.labels:
        raise ValueError("search must have tried two or more values of some parameter")
    factors = {name: _levels([run[name] for run in runs]) for name in table.labels}
    continuous = tuple(
        name for name, levels in factors.items() if len(levels) > MAX_NUMBERS and all(map(is_number, levels))
    )
    factors |= {name: (factors[name][0], factors[name][-1]) for name in continuous}
    design = ExperimentDesign.of_runs(factors, runs, "search", continuous=continuous, log=check_log(log, factors))
    keys = [tuple(value_key(run[name]) for name in factors) for run in runs]
    return design, np.array([keys.index(key) for key in dict.fromkeys(keys)])


def _nested(design: ExperimentDesign) -> list[CodedWarning]:
    """What to know where only some of the candidates have a parameter."""
    names = [name for name in design.factors if any(run[name] is NOT_SET for run in design.runs)]
    if not names:
        return []
    return [
        Code.PARTIAL(
            f"only some candidates set {first_of(names)}: an effect for which others would have to be run is not "
            f"estimable; a report of each grid alone has its effects."
        )
    ]


def _levels(values: Sequence[Any]) -> tuple[Any, ...]:
    """The different values: numbers first, rising, then others as they came."""
    different = list({value_key(value): value for value in reversed(values)}.values())[::-1]
    numbers = sorted(value for value in different if is_number(value))
    return (*numbers, *(value for value in different if not is_number(value)))


@dataclass(frozen=True, eq=False, slots=True, kw_only=True, repr=False)
class ExperimentReport(Record):
    """What the scores of designed settings say of the factors; made by `run_experiment` or `from_search`.

    Attributes
    ----------
    design : ExperimentDesign
        The settings.
    metrics : tuple of str
        What they were scored by: first what was measured, then what was given for each model.
    greater_is_better : tuple of bool
        Of every metric.
    splits : Design
        How the data was resampled.
    scores : ndarray of shape (n_runs, n_splits, n_metrics)
        In the order of ``design.runs``; nan where a fit failed.
    result : EvaluationResult or None
        All settings as models, to compare, draw and save; None of a search.
    """

    design: ExperimentDesign
    metrics: tuple[str, ...]
    greater_is_better: tuple[bool, ...]
    splits: Design
    scores: FloatArray
    result: EvaluationResult | None = None
    warnings: tuple[CodedWarning, ...] = ()

    @classmethod
    def from_result(cls, design: ExperimentDesign, result: EvaluationResult) -> Self:
        """The report of an evaluation of the design's estimators.

        Parameters
        ----------
        design : ExperimentDesign
            The settings.
        result : EvaluationResult
            Of ``design.estimators(estimator)``, other models apart.

        Returns
        -------
        ExperimentReport

        Raises
        ------
        ValueError
            If the result lacks a setting, has another in its place, or is of one split or of independent runs.
        """
        check_given(design, result)
        first = measured(result)
        places = sorted(range(len(result.metrics)), key=lambda m: result.metrics[m] not in first)
        return cls(
            design=design,
            metrics=tuple(result.metrics[m] for m in places),
            greater_is_better=tuple(result.greater_is_better[m] for m in places),
            splits=result.design,
            scores=result.scores[[result.estimators.index(name) for name in design.names]][:, :, places],
            result=result,
            warnings=result.warnings,
        )

    @classmethod
    def from_search(
        cls,
        search: Any,
        X: Any = None,
        y: Any = None,
        *,
        groups: Any = None,
        test_fraction: float | None = None,
        log: Sequence[str] = (),
    ) -> Self:
        """The same of a fitted search: its candidates are the runs.

        Parameters with more than 8 different numbers are continuous. Where the settings were drawn at random the terms
        that do not depend on each other in the draw are estimated, and the tests take the settings as given; main
        effects that allow for the draw are `SearchReport.effects`.

        Parameters
        ----------
        search : GridSearchCV, RandomizedSearchCV, SearchReport or another object with ``cv_results_`` and ``cv``
            Fitted.
        X : array-like of shape (n_samples, n_features), optional
            As in `SearchReport.from_search`, where the splitter does not tell the sizes of the splits.
        y : array-like of shape (n_samples,), optional
            Its target.
        groups : array-like of shape (n_samples,), optional
            What the splitter was given.
        test_fraction : float, optional
            Test size over train plus test size, in (0, 1), where nothing else tells it.
        log : sequence of str, default=()
            Parameters on a logarithmic scale.

        Returns
        -------
        ExperimentReport
            Greater is better on all its metrics, the one that decides first.

        Raises
        ------
        ValueError
            If the search cannot be read, no parameter varies, or `log` does not fit.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.model_selection import GridSearchCV
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcompare.experiments import ExperimentReport
        >>> tree, grid = DecisionTreeClassifier(random_state=0), {"max_depth": [1, 5], "min_samples_leaf": [1, 50]}
        >>> search = GridSearchCV(tree, grid, scoring="roc_auc", cv=10).fit(*load_breast_cancer(return_X_y=True))
        >>> effects = ExperimentReport.from_search(search).effects()
        >>> [row.term for row in effects.rows]
        ['max_depth', 'min_samples_leaf', 'max_depth:min_samples_leaf']
        """
        return cls(**experiment_of(search, X, y, groups, test_fraction, log))

    def effects(
        self,
        metric: str | Sequence[str] | None = None,
        interactions: int = 2,
        *,
        confidence_level: float = 0.95,
    ) -> Effects:
        """Main effects and interactions, each tested by an F test that allows for the correlation of the folds.

        The mean scores of the settings are fitted by least squares: main effects, curvatures of continuous factors and
        interactions. Every term is a set of contrasts of the settings on the same splits, tested by
        `skcompare.inference.contrast_test` with the correction of the design's default test.

        Parameters
        ----------
        metric : str or sequence of str, optional
            The first by default. All effects on all metrics asked for share one error budget (Holm).
        interactions : int, default=2
            The largest number of factors in an interaction, at most that of all; 1 for none.
        confidence_level : float, default=0.95
            In (0, 1); of each interval alone.

        Returns
        -------
        Effects
            `not_estimable` names the terms that these runs cannot tell from others; they are taken for 0.

        Raises
        ------
        ValueError
            If a name is unknown, a number out of range, or fewer than two settings or splits have scores.
        """
        metrics = choose_metrics(self.metrics[0] if metric is None else metric, self.metrics, "metric")
        order, most = check_integer(interactions, "interactions", low=1), max(2, len(self.design.factors))
        if order > most:
            raise ValueError(f"interactions must be at most {most}, of {len(self.design.factors)} factors; got {order}")
        level = check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
        design, scores, left_out = self._of_metrics(metrics)
        told = warnings_of(self.result, metrics, design.names)
        found = experiment_effects(
            design,
            fit_model(design, order),
            scores,
            metrics=metrics,
            greater_is_better=[self.greater_is_better[self.metrics.index(metric)] for metric in metrics],
            correction=Correction.of(self.splits),
            confidence_level=level,
            warnings=(*self.warnings, *left_out),
        )
        return replace(found, warnings=tuple(dict.fromkeys((*found.warnings, *told))))

    def response_surface(self, metric: str | None = None) -> ResponseSurface:
        """A quadratic surface through the mean scores of the settings, its optimum and how sure that is.

        Parameters
        ----------
        metric : str, optional
            The first by default.

        Returns
        -------
        ResponseSurface

        Raises
        ------
        ValueError
            If a factor has levels that are no numbers, there are more than 8 factors, or there are too few settings or
            splits for a quadratic.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.pipeline import make_pipeline
        >>> from sklearn.preprocessing import StandardScaler
        >>> from sklearn.svm import SVC
        >>> from skcompare import PairedEvaluator
        >>> from skcompare.experiments import central_composite, run_experiment
        >>> design = central_composite({"svc__C": (0.1, 100), "svc__gamma": (1e-3, 1e-1)}, log=["svc__C", "svc__gamma"])
        >>> model = make_pipeline(StandardScaler(), SVC())
        >>> evaluator = PairedEvaluator(cv=10, scoring="accuracy", random_state=0)
        >>> report = run_experiment(model, design, *load_breast_cancer(return_X_y=True), evaluator=evaluator)
        >>> report.response_surface().terms
        ('1', 'svc__C', 'svc__gamma', ...)
        """
        metric = choose_metric(metric, self.metrics)
        design, scores, left_out = self._of_metrics([metric])
        told = warnings_of(self.result, [metric], design.names)
        found = response_surface(
            design.coded,
            scores[:, :, 0].T,
            design.axes(),
            correction=Correction.of(self.splits),
            metric=metric,
            greater_is_better=self.greater_is_better[self.metrics.index(metric)],
        )
        return replace(found, warnings=tuple(dict.fromkeys((*self.warnings, *left_out, *found.warnings, *told))))

    def _of_metrics(self, metrics: Sequence[str]) -> tuple[ExperimentDesign, FloatArray, list[CodedWarning]]:
        """The settings with scores, these, shape (n_runs, n_splits, n_metrics), and what is left out."""
        return scored(self.design, self.scores[:, :, [self.metrics.index(metric) for metric in metrics]], metrics)

    def plot(
        self,
        kind: Literal["effects", "interactions", "surface"] = "effects",
        *,
        metric: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Display:
        """Draw one picture.

        Parameters
        ----------
        kind : {"effects", "interactions", "surface"}, default="effects"
            The mean by the levels of every factor, by those of two, or the contours of the response surface.
        metric : str, optional
            The first by default.
        ax : matplotlib.axes.Axes, optional
            Where to draw; axes of a figure of their own by default.
        **options
            ``x`` and ``y``, the factors, of ``"interactions"`` and ``"surface"``.

        Returns
        -------
        Display
            Drawn: with ``ax_``, ``figure_`` and ``frame()``.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If there is no such kind, an option is unknown, or the experiment lacks what the picture shows.
        """
        name = choose_metric(metric, self.metrics)
        return make_experiment_display(
            lambda kind: self.response_surface(name) if kind == "surface" else self._pictured(name), kind, options
        ).plot(ax)

    def _pictured(self, metric: str) -> Pictured:
        design, scores, _ = self._of_metrics([metric])
        return Pictured(
            design=design,
            model=fit_model(design, 2),
            found=self.effects(metric),
            means=scores[:, :, 0].mean(axis=1),
            metric=metric,
            greater_is_better=self.greater_is_better[self.metrics.index(metric)],
        )

    def summary(self) -> str:
        """Which factor matters most on the first metric and on what its effect depends; then all effects."""
        return str(self)

    def to_markdown(self, metric: str | Sequence[str] | None = None) -> str:
        """The effects as a Markdown table below the first sentence of `summary`; `metric` as in `effects`."""
        found = self.effects(metric)
        tables = [markdown.table(shown.header, shown.rows) for shown in found._tables()]
        notes = "\n".join(f"- {markdown.item(warning)}" for warning in self._warnings())
        return "\n\n".join([markdown.item(found._sentence()), *tables, *([notes] if notes else [])])

    def to_frame(self) -> Any:
        """The runs with their mean scores, over the splits on which some run has one, as a pandas DataFrame."""
        frame = self.design.to_frame()
        for i, metric in enumerate(self.metrics):
            frame[f"{metric} (score)" if metric in frame else metric] = mean_scores(self.scores[:, :, i])
        return frame

    def _found(self) -> Effects | str:
        """The effects on the first metric, or why there are none."""
        try:
            return self.effects()
        except ValueError as error:
            return f"No effect can be estimated: {error}."

    def _sentence(self) -> str:
        return found if isinstance(found := self._found(), str) else found._sentence()

    def _tables(self) -> list[Table]:
        return [] if isinstance(found := self._found(), str) else found._tables()

    def _warnings(self) -> Sequence[str]:
        return self.warnings if isinstance(found := self._found(), str) else found._warnings()

    def __str__(self) -> str:
        means = mean_scores(self.scores[:, :, 0]) * (1 if self.greater_is_better[0] else -1)
        there = np.isfinite(means)
        best = [self.design.names[i] for i in np.flatnonzero(there) if means[i] == means[there].max()]
        about = [f"{self.design._sentence()[:-1]} on {self.splits.name}."]
        about += [f"Best mean {self.metrics[0]}, picked after looking: {first_of(best, '; ') or 'none'}."]
        method = "" if isinstance(found := self._found(), str) else found.method
        first, rest = text.block(self._sentence(), method, (), ()), text.block("", "", self._tables(), self._warnings())
        return "\n\n".join([first, *map(text.wrap, about), *([rest] if rest else [])])


# A design -> the fits of all its settings on the same splits -> the report.


def run_experiment(
    estimator: Any,
    design: ExperimentDesign,
    X: Any,
    y: Any,
    *,
    evaluator: PairedEvaluator | None = None,
    groups: Any = None,
    params: Mapping[str, Any] | None = None,
) -> ExperimentReport:
    """Evaluate an estimator with all settings of a design, on the same splits.

    Parameters
    ----------
    estimator : estimator
        Cloned for every setting; its ``set_params`` takes the factors.
    design : ExperimentDesign
        The settings.
    X : array-like of shape (n_samples, n_features)
        As in `PairedEvaluator.evaluate`.
    y : array-like of shape (n_samples,)
        The target.
    evaluator : PairedEvaluator, optional
        Splits, metrics, store and jobs; ``PairedEvaluator()`` by default.
    groups : array-like of shape (n_samples,), optional
        As in `PairedEvaluator.evaluate`.
    params : mapping, optional
        As in `PairedEvaluator.evaluate`.

    Returns
    -------
    ExperimentReport

    Raises
    ------
    ValueError
        If an argument does not fit, naming it.
    EstimatorFailedError
        If an estimator fails and the evaluator's `error_score` is ``"raise"``; a ValueError.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcompare import PairedEvaluator
    >>> from skcompare.experiments import full_factorial, run_experiment
    >>> design = full_factorial({"max_depth": [1, 5], "min_samples_leaf": [1, 50]})
    >>> evaluator = PairedEvaluator(cv="5x5", scoring="roc_auc", random_state=0)
    >>> tree, data = DecisionTreeClassifier(random_state=0), load_breast_cancer(return_X_y=True)
    >>> report = run_experiment(tree, design, *data, evaluator=evaluator)
    >>> report.effects().of("max_depth").best
    '5'
    """
    if not isinstance(design, ExperimentDesign):
        raise ValueError(f"design must be an ExperimentDesign, such as full_factorial makes; got {design!r:.80}")
    evaluator = PairedEvaluator() if evaluator is None else evaluator
    if not isinstance(evaluator, PairedEvaluator):
        raise ValueError(f"evaluator must be a PairedEvaluator; got {evaluator!r:.80}")
    if evaluator.stop is not None:
        raise ValueError(f"evaluator must have no stop, which would drop settings; got {evaluator.stop!r:.80}")
    result = evaluator.evaluate(design.estimators(estimator), X, y, groups=groups, params=params)
    return ExperimentReport.from_result(design, result)
