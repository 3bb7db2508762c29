"""ExperimentReport: what the scores of designed settings say of the factors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Literal, Self

import numpy as np

from skcompare._core.design import Design
from skcompare._core.document import Block, Document, Documented, as_items, as_warnings, with_sections
from skcompare._core.numbers import listed
from skcompare._core.record import Frozen, Record
from skcompare._core.validation import FloatArray, check_integer, check_number, choose_metric, choose_metrics
from skcompare._core.warnings import FEW_SPLITS, Code, CodedWarning, Warnings, do_not_use, few_splits
from skcompare.comparison import table
from skcompare.evaluation.labels import value_key, value_label
from skcompare.evaluation.provenance import UnclearError, build
from skcompare.evaluator import PairedEvaluator
from skcompare.experiments import _effects
from skcompare.experiments._factors import ExperimentDesign, search_design
from skcompare.experiments._surface import ResponseSurface, response_surface
from skcompare.inference._records import Correction
from skcompare.plotting._display import Display
from skcompare.plotting._kinds import make_experiment_display
from skcompare.reporting import markdown
from skcompare.reporting.opening import caution_of
from skcompare.reporting.short import paragraphs
from skcompare.results import EvaluationResult
from skcompare.scores.measures import check_measured, measured
from skcompare.selection import SearchReport
from skcompare.selection._effects import NOT_SET
from skcompare.selection._search import read_search

# What the pictures show: means by the levels of one factor and of two.


class Pictured(Frozen, eq=False):
    """The fitted means of an experiment on one metric.

    Attributes
    ----------
    design : ExperimentDesign
        The settings with scores.
    model : Model
        Of these.
    found : Effects
        The effects on the metric.
    means : ndarray of shape (n_runs,)
        Mean scores of these.
    metric : str
        Its name.
    greater_is_better : bool
        Its direction.
    """

    design: ExperimentDesign
    model: _effects.Model
    found: _effects.Effects
    means: FloatArray
    metric: str
    greater_is_better: bool

    @property
    def factors(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(self.design.factors)

    @property
    def ranking(self) -> Sequence[Any]:
        """The settings, each with its `mean`."""
        return [SimpleNamespace(mean=float(mean)) for mean in self.means]

    @property
    def effects(self) -> Sequence[Any]:
        """The main effects that can be estimated, the largest share of the variance first; ValueError for none.

        Each has what is drawn of a `ParameterEffect` of a search.
        """
        effects = [self._effect(row) for row in self.found.rows if row.kind == "main effect"]
        if not effects:
            none = f"none of {listed(self.factors, 3)} is"
            raise ValueError(f"a picture of effects needs one that these settings can tell; {none}")
        return sorted(effects, key=lambda effect: -effect.share)

    def level_means(self, x: str, y: str, /) -> tuple[Sequence[str], Sequence[str], FloatArray]:
        """Levels of both factors in words, and the means, shape (n_y_levels, n_x_levels).

        Of factors with levels the mean of the settings; with a continuous one what the fitted model says of its low,
        middle and high, the others at their average.
        """
        if self.fitted(x, y):
            return self._labels(x), self._labels(y), self._fitted(x, y)
        shape = len(self.design.levels(y)), len(self.design.levels(x))
        at = np.ravel_multi_index((self.design.codes(y), self.design.codes(x)), shape)
        total, count = (np.bincount(at, weights, np.prod(shape)).reshape(shape) for weights in (self.means, None))
        with np.errstate(invalid="ignore"):
            return self._labels(x), self._labels(y), total / count

    def interaction_pvalue(self, x: str, y: str, /) -> float:
        """Adjusted p-value of the interaction of two factors; nan where it is not estimated, or as a main effect."""
        row = self._interaction(x, y)
        return float("nan") if row is None or row.kind == "main effect" else row.pvalue_adjusted

    def inseparable(self, x: str, y: str, /) -> Sequence[str]:
        """The effects that the interaction of two factors cannot be told from."""
        row = self._interaction(x, y)
        return [] if row is None else [name for name in row.terms if name not in (f"{x}:{y}", f"{y}:{x}")]

    @property
    def is_fitted(self) -> bool:
        """Whether the means by the levels of some factor are not those of its settings alone."""
        names = [row.term for row in self.found.rows if row.kind == "main effect"]
        return self.fitted(*names) or not all(
            np.allclose(self._fitted(name)[0], np.bincount(at, self.means) / np.bincount(at), rtol=1e-9)
            for name, at in zip(names, map(self.design.codes, names), strict=True)
        )

    @property
    def lacks_fit(self) -> bool:
        """Whether the terms do not describe the settings."""
        return self.found._lacks_fit(self.metric)

    def fitted(self, *factors: str) -> bool:
        """Whether the means at the levels of some factors are those of the model, not of the settings alone."""
        return any(name in self.design.continuous for name in factors)

    def _interaction(self, x: str, y: str) -> _effects.Effect | None:
        return next((row for row in self.found.rows if {f"{x}:{y}", f"{y}:{x}"} & set(row.terms)), None)

    def _effect(self, row: _effects.Effect) -> Any:
        name = row.term
        means = self._fitted(name)[0]
        term = next(term for term in self.model.terms if (term.name, term.kind) == (name, "main effect"))
        column = term.columns @ (term.weights @ self.means)
        total, explained = (float(((values - values.mean()) ** 2).sum()) for values in (self.means, column))
        counts = [len(self.design.runs)] * len(means)
        if name not in self.design.continuous:
            counts = np.bincount(self.design.codes(name), minlength=len(means)).tolist()
        return SimpleNamespace(
            parameter=row.named,
            values=tuple(self._labels(name)),
            n_candidates=tuple(counts),
            means=means,
            share=0.0 if total == 0 else min(1.0, explained / total),
            pvalue_adjusted=row.pvalue_adjusted,
        )

    def _labels(self, name: str) -> Sequence[str]:
        levels = self.design.levels(name)
        if name not in self.design.continuous:
            return levels
        return levels[0], value_label(self.design.axis(name).value(0.0)), levels[1]

    def _fitted(self, x: str, y: str | None = None) -> FloatArray:
        """The model at the levels of one factor or two, shape (n_y_levels or 1, n_x_levels)."""
        across = _effects.positions(self.design, x)
        down = np.zeros((1, 1)) if y is None else _effects.positions(self.design, y)
        at = {x: np.tile(across, (len(down), 1)), y: np.repeat(down, len(across), axis=0)}
        shown = np.full(len(at[x]), float(self.means.mean()))
        for term in self.model.terms:
            effects = term.weights @ self.means
            shown -= (term.columns @ effects).mean()
            if at.keys() >= set(term.factors):
                columns = _effects.products([at[name] for name in term.factors])
                shown += (columns**2 if term.kind == "curvature" else columns) @ effects
        return shown.reshape(len(down), len(across))


# Whether a result is an evaluation of a design, and what it measured of the settings.


def check_given(design: Any, result: Any) -> None:
    """ValueError where a result is none of all settings of a design on two or more splits."""
    if not isinstance(design, ExperimentDesign):
        raise ValueError(f"design must be an ExperimentDesign, such as full_factorial makes; got {design!r:.80}")
    if not isinstance(result, EvaluationResult):
        raise ValueError(f"result must be an EvaluationResult; got {result!r:.80}")
    if missing := [name for name in design.names if name not in result.estimators]:
        raise ValueError(f"result must have all settings of the design as models; got none for {listed(missing, 3)}")
    if result.design.kind != "folds" or result.design.n_splits < 2:
        raise ValueError(f"result must be of two or more splits of one data set; got {result.design.name}")
    if (stopping := result._scores.stopping) is not None:
        raise ValueError(
            f"result must be of a run without stop, which drops settings; got one of {len(stopping.looks)} looks"
        )
    recipe = result.provenance.get("recipe")
    models = recipe.get("models") if isinstance(recipe, dict) else None
    for name, run in zip(design.names, design.runs, strict=True):
        try:  # of a model that scikit-learn alone can make again; of others nothing is known
            known = build(models.get(name), ("sklearn",)).get_params(deep=True) if isinstance(models, dict) else run
        except UnclearError:
            continue
        for factor, value in run.items():
            if factor not in known or value_key(known[factor]) != value_key(value):
                lacking = f"its model {name!r} does not have {factor} = {value!r:.40}"
                raise ValueError(f"result must be of the design's settings; {lacking}")


def warnings_of(result: EvaluationResult | None, metrics: Sequence[str], names: Sequence[str]) -> Warnings:
    """What is wrong with the scores of settings on some metrics; ValueError of one that was given, not measured."""
    if result is None:
        return ()
    for metric in metrics:
        check_measured(result, metric)
    found = (warning for metric in metrics for warning in result._scores.score_warnings(metric, *names))
    # settings that are left out are told of all of them together
    return tuple(dict.fromkeys(warning for warning in found if warning.code != Code.MISSING_SCORES.name))


class ExperimentReport(Documented, Record, eq=False):
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
    warnings: Warnings = ()

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
        given = isinstance(search, SearchReport)
        read = search._read if given else read_search(search, X, y, groups, test_fraction)
        first = search.metric if given else read.refit_metric
        metrics = (first, *(metric for metric in read.metrics if metric != first))
        design, kept = search_design(read.table, log)
        nested = [name for name in design.factors if any(run[name] is NOT_SET for run in design.runs)]
        partial = Code.PARTIAL(
            f"only some candidates set {listed(nested, 3)}: an effect for which others would have to be run is not "
            f"estimable; a report of each grid alone has its effects."
        )
        return cls(
            design=design,
            metrics=metrics,
            greater_is_better=(True,) * len(metrics),
            splits=read.design,
            scores=read.table.scores[kept][:, :, [read.metrics.index(metric) for metric in metrics]],
            warnings=(*read.warnings, *([partial] if nested else [])),
        )

    def effects(
        self, metric: str | Sequence[str] | None = None, interactions: int = 2, *, confidence_level: float = 0.95
    ) -> _effects.Effects:
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
        model, correction = _effects.fit_model(design, order), Correction.of(self.splits)
        better = [self.greater_is_better[self.metrics.index(metric)] for metric in metrics]
        rows = [
            _effects.effect_of(design, term, own, metric, greater, correction, level)
            for metric, own, greater in zip(metrics, scores.T, better, strict=True)
            for term in model.terms
        ]
        adjusted, _ = table.adjusted([row.pvalue for row in rows], "holm")
        warnings = [*self.warnings, *left_out, *(one for row in rows if not row.is_tested for one in row.warnings)]
        if not model.is_balanced:
            apart = "settings that differ in one factor differ in others too, and what these terms do not describe"
            warnings.append(Code.UNBALANCED(f"{apart} may seem to be an effect of one of them."))
        warnings += _effects.lack_of_fit(design, model, scores, metrics, correction)
        warnings += [few_splits(scores.shape[1], self.splits.unit)] if scores.shape[1] < FEW_SPLITS else []
        return _effects.Effects(
            rows=tuple(replace(row, pvalue_adjusted=float(p)) for row, p in zip(rows, adjusted, strict=True)),
            metrics=metrics,
            not_estimable=model.not_estimable,
            confidence_level=level,
            n_runs=len(scores),
            method=f"F tests of least-squares contrasts, {correction}; Holm over all effects",
            warnings=tuple(dict.fromkeys([*warnings, *told])),
        )

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
        return _effects.scored(self.design, self.scores[:, :, [*map(self.metrics.index, metrics)]], metrics)

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
            model=_effects.fit_model(design, 2),
            found=self.effects(metric),
            means=scores[:, :, 0].mean(axis=1),
            metric=metric,
            greater_is_better=self.greater_is_better[self.metrics.index(metric)],
        )

    def summary(self) -> str:
        """Which factor matters most on the first metric and on what its effect depends; then all effects."""
        return str(self._document())

    def explain(self) -> Document:
        """The answer and all that is behind it: the effects on all metrics, the test, and all warnings.

        Returns
        -------
        Document
            It prints itself, and can be unfolded in a notebook.
        """
        _, method, _, warnings = self._shown()
        others = map(self._tried, self.metrics[1:])
        sections = {
            "Other metrics": [one for x in others if isinstance(x, _effects.Effects) for one in x._blocks()],
            "The test and what it assumes": as_items("assumes", [f"{method}."] if method else []),
            "All warnings": as_warnings(warnings),
        }
        return with_sections(self._document(), sections)

    def to_markdown(self, metric: str | Sequence[str] | None = None) -> str:
        """The effects as a Markdown table below the first sentence of `summary`; `metric` as in `effects`."""
        blocks = (*self.effects(metric)._blocks(), *as_warnings(self._warnings()))
        return markdown.render(Document(title=self.design._sentence(), blocks=blocks))

    def to_frame(self) -> Any:
        """The runs with their mean scores, over the splits on which some run has one, as a pandas DataFrame."""
        frame = self.design.to_frame()
        for i, metric in enumerate(self.metrics):
            frame[f"{metric} (score)" if metric in frame else metric] = _effects.mean_scores(self.scores[:, :, i])
        return frame

    def _shown(self) -> tuple[str, str, list[Block], Sequence[CodedWarning]]:
        """The sentence, method, tables and warnings of the effects on the first metric, or why there are none."""
        found = self._tried(self.metrics[0])
        if isinstance(found, ValueError):
            return do_not_use(self.warnings) or f"No effect can be estimated: {found}.", "", [], self.warnings
        return found._first_line(), found.method, found._blocks()[1:], found.warnings

    def _sentence(self) -> str:
        return self._shown()[0]

    def _warnings(self) -> Sequence[CodedWarning]:
        return self._shown()[3]

    def _tried(self, metric: str) -> _effects.Effects | ValueError:
        try:
            return self.effects(metric)
        except ValueError as error:  # of one that was given, or lacks scores
            return error

    def _document(self) -> Document:
        """The answer, the design, the effects on the first metric, what weakens it, and the test."""
        means = _effects.mean_scores(self.scores[:, :, 0]) * (1 if self.greater_is_better[0] else -1)
        there = np.isfinite(means)
        best = [self.design.names[i] for i in np.flatnonzero(there) if means[i] == means[there].max()]
        about = f"{self.design._sentence()[:-1]} on {self.splits.name}."
        sentence, method, tables, warnings = self._shown()
        picked = f"Best mean {self.metrics[0]}, picked after looking: {listed(best, 3)}."
        said = {"caution": caution_of(warnings), "test": f"{method}." if method else ""}
        first, test = paragraphs({"answer": sentence, "design": about, "best": picked}), "More: report.explain()."
        return Document(title=self.design._sentence(), blocks=(*first, *tables, *paragraphs(said, test)))


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
