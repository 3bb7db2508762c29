"""EvaluationResult: what the user reads, tests and keeps."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from inspect import Parameter, signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import Design
from skcompare._core.frames import import_pandas
from skcompare._core.names import choose_metrics, choose_pair, choose_pairs
from skcompare._core.record import few
from skcompare._core.validation import Alternative, FloatArray, check_alternative, check_choice
from skcompare.comparison.calibrated import CalibratedChoice, Calibration, choose_calibrated
from skcompare.comparison.dominance import (
    DominanceTable,
    check_metric_count,
    check_options,
    dominance,
    fold_dominance_table,
)
from skcompare.comparison.joint import TIMES, front_scores, joint_scores, rope_widths
from skcompare.comparison.predictions import LackingError, arguments, pool
from skcompare.comparison.table import Comparison, ComparisonRow, adjusted, mean_score, verdict, wins_and_losses
from skcompare.evaluation._kept import FoldPrediction, KeptPredictions
from skcompare.evaluation._metrics import Failure
from skcompare.evaluation._splits import Splits
from skcompare.inference import (
    DetectableDifference,
    DominanceNetworkResult,
    DominancePosterior,
    DominanceTestResult,
    ParetoFront,
    TTestResult,
    correlated_t_posterior,
    dominance_counts,
    effective_cases,
    pareto_front,
)
from skcompare.inference._measured_sizes import joint_size_doubt
from skcompare.inference._multiplicity import CORRECTIONS
from skcompare.inference._procedures import Procedure, find_procedure
from skcompare.inference.dominance.network import MAX_NETWORK_METRICS
from skcompare.inference.dominance.statements import MAX_METRICS
from skcompare.inference.fold_scores.detectable_difference import detectable_by
from skcompare.reporting import html, latex, markdown, methods, notebook, text
from skcompare.reporting.json import result_json
from skcompare.reporting.mlflow import files_of, log_run
from skcompare.reporting.summary.evaluation import joint_rows, summarise
from skcompare.reporting.summary.methods import result_facts, sources
from skcompare.reporting.summary.page import result_report
from skcompare.saving.archive import write_archive
from skcompare.saving.evaluation import to_archive
from skcompare.scores.stopping import Stopping


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class EvaluationResult:
    """Scores and predictions of several estimators on the same splits of one data set.

    Attributes
    ----------
    estimators, metrics : tuple of str
        Names, in the order of the scores.
    greater_is_better : tuple of bool
        Direction of each metric.
    design : Design
        How the data was resampled.
    scores : ndarray of shape (n_estimators, n_splits, n_metrics)
        float64, read-only; split ``r * n_folds + f`` is fold f of repeat r. nan where a metric is undefined
        or failed.
    fit_times, score_times : ndarray of shape (n_estimators, n_splits)
        Seconds.
    failures : tuple of Failure
        What failed, where `error_score` was a number.
    task : {"binary", "multiclass", "regression", "other"}
        The kind of problem; "other" for several targets, and where it is not known.
    positive_class : object
        The class that binary precision, recall and f1 are about; None unless the target is binary.
    ill_defined : dict of estimator to dict of metric to int
        On how many splits a metric was 0/0, and so by convention 0 or nan.
    warnings : tuple of str
        Reasons to doubt every test on this result, each a code, a colon and a sentence.
    provenance : dict
        What it takes to run this again: cv, random_state, estimators, versions.
    single_metric : bool
        Whether `scoring` was one name or callable, so that `to_cross_validate` calls the score "test_score".
    stopping : Stopping or None
        When and why an evaluation with a `StopRule` ended, and its sequential verdict; None otherwise. Models that were
        dropped have nan scores and times in the later repeats.
    calibration : Calibration or None
        Degrees of freedom that were calibrated for this evaluation; ``"auto"`` then stands for `calibrated_t_test` with
        them, and for the default of the design on metrics and models that it is not about.
    """

    estimators: tuple[str, ...]
    metrics: tuple[str, ...]
    greater_is_better: tuple[bool, ...]
    design: Design
    scores: FloatArray
    fit_times: FloatArray
    score_times: FloatArray
    failures: tuple[Failure, ...] = ()
    task: str = "other"
    positive_class: Any = None
    ill_defined: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    single_metric: bool = False
    stopping: Stopping | None = None
    calibration: Calibration | None = None
    _splits: Splits | None
    _predictions: KeptPredictions | None

    def __post_init__(self) -> None:
        for array in (self.scores, self.fit_times, self.score_times):
            array.setflags(write=False)

    def __repr__(self) -> str:
        size = "" if self.design.n_samples is None else f" on {self.design.n_samples} samples"
        return f"<EvaluationResult: {few(self.estimators)}{size}, {self.design.name}; {few(self.metrics)}>"

    def _repr_html_(self) -> str:
        return notebook.render(summarise(self))

    # ---- data -----------------------------------------------------------------------------------------------

    def score(self, estimator: str, metric: str) -> FloatArray:
        """Scores of one estimator on one metric, shape (n_splits,), in the metric's own units."""
        return self.scores[self._estimator(estimator, "estimator"), :, self._metric(metric)]

    def difference(self, metric: str, a: str | None = None, b: str | None = None) -> FloatArray:
        """Differences ``a - b`` of one metric, shape (n_splits,), oriented: positive favours `a`.

        Parameters
        ----------
        metric : str
            Its name; where less is better the sign is turned round.
        a, b : str, optional
            Estimators; the first and the second by default.

        Returns
        -------
        ndarray of shape (n_splits,)
            nan where either score is.
        """
        a, b = choose_pair(a, b, self.estimators)
        with np.errstate(invalid="ignore", over="ignore"):  # of scores that are not finite
            return self._oriented(a, metric) - self._oriented(b, metric)

    def predictions(self, estimator: str) -> tuple[FoldPrediction, ...]:
        """What one estimator predicted, split by split; ValueError where that was not kept or never known."""
        self._estimator(estimator, "estimator")
        if self._splits is None:
            raise ValueError("predictions are not known: this result was made from a table of scores")
        if self._predictions is None:
            raise ValueError("predictions were not kept (keep_predictions=False)")
        return self._predictions.of(estimator, self._splits)

    def class_scores(self, estimator: str) -> tuple[NDArray[Any], FloatArray]:
        """Labels and scores of one estimator, for the curves and costs of `skcompare.inference`.

        The test sets of the first repeat are pooled, or the first of overlapping ones is taken: scores of models
        fitted on different training sets then stand side by side.

        Parameters
        ----------
        estimator : str
            Its name.

        Returns
        -------
        y_true : ndarray of shape (n_samples,)
            Labels of two classes.
        scores : ndarray of shape (n_samples,)
            Decision values, or the probability of the greater label.

        Raises
        ------
        ValueError
            If the name is unknown, or the scores were not kept: a metric such as ``"roc_auc"`` asks for them.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcompare import PairedEvaluator
        >>> from skcompare.inference import expected_cost
        >>> evaluator = PairedEvaluator(cv=5, scoring="roc_auc", random_state=0)
        >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)}
        >>> result = evaluator.evaluate(models, *load_breast_cancer(return_X_y=True))
        >>> best = expected_cost(*result.class_scores("nb"), cost_false_negative=5)
        >>> 0 < best.cost < expected_cost(*result.class_scores("tree"), cost_false_negative=5).cost
        True
        """
        self._estimator(estimator, "estimator")
        pooled = pool(self, (estimator,))
        return pooled.y_true, pooled.class_scores(estimator)

    def splits(self) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """The (train, test) index arrays, ready to be given to scikit-learn as `cv`."""
        if self._splits is None:
            raise ValueError("splits are not known: this result was made from a table of scores")
        return list(self._splits)

    def to_frame(self) -> Any:
        """All scores as a tidy pandas DataFrame, one row per estimator, metric and split; needs pandas.

        Returns
        -------
        pandas.DataFrame
            Columns: dataset, estimator, metric, repeat, fold (from 0), n_train, n_test, score.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pandas = import_pandas()
        e, m, s = (len(self.estimators), len(self.metrics), self.design.n_splits)
        split = np.tile(np.arange(s), e * m)
        return pandas.DataFrame(
            {
                "dataset": "data",
                "estimator": np.repeat(self.estimators, m * s),
                "metric": np.tile(np.repeat(self.metrics, s), e),
                "repeat": split // self.design.n_folds,
                "fold": split % self.design.n_folds,
                "n_train": np.array(self.design.train_sizes)[split] if self.design.train_sizes else None,
                "n_test": np.array(self.design.test_sizes)[split] if self.design.test_sizes else None,
                "score": self.scores.transpose(0, 2, 1).ravel(),
            }
        )

    def to_cross_validate(self, estimator: str) -> dict[str, FloatArray]:
        """The dict that scikit-learn's `cross_validate` returns for one estimator: times and ``test_`` scores."""
        e = self._estimator(estimator, "estimator")
        table = {"fit_time": self.fit_times[e].copy(), "score_time": self.score_times[e].copy()}
        for m, metric in enumerate(self.metrics):
            table["test_score" if self.single_metric else f"test_{metric}"] = self.scores[e, :, m].copy()
        return table

    # ---- tests ----------------------------------------------------------------------------------------------

    def test(
        self,
        procedure: str = "auto",
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = None,
        a: str | None = None,
        b: str | None = None,
        alternative: Alternative | None = None,
        **options: Any,
    ) -> Any:
        """Test one metric of two estimators, or several at once; the procedure reads the design from the result.

        Parameters
        ----------
        procedure : str, default="auto"
            Name of a procedure, e.g. ``"corrected_t_test"``; ``"auto"`` is the default for the design, or the
            `calibrated_t_test` where the result has a calibration for the metric.
        metric : str, sequence of str or callable, optional
            The first metric that the procedure can speak of by default. `paired_metric_test` and `paired_bootstrap`
            also take a callable ``(y_true, y_pred) -> float``. Procedures on several metrics at once, such as
            `max_t_test`, take a sequence, all metrics by default.
        a, b : str, optional
            Estimators; the first and the second by default. Procedures on one model take `a`, those on all neither.
        alternative : {"two-sided", "greater", "less"}, optional
            The procedure's own by default: ``"two-sided"`` of most, ``"less"`` of an error rate. ``"greater"``: `a` is
            better; of an error rate: it is above the threshold, and ``"less"``: below.
        **options
            Further options of the procedure, e.g. ``scheme="sorted_runs"`` or ``rope=0.01``. Without ``rng`` what is
            drawn at random is drawn with the evaluation's seed, so that the same call gives the same numbers.

        Returns
        -------
        record
            The procedure's own record. Its estimate is oriented: positive favours `a`.

        Raises
        ------
        ValueError
            If a name is unknown, the procedure does not fit the design, or no pair of scores is left.
        """
        row = find_procedure(procedure, self.design, options)
        metric = self._metric_for(row, metric)
        a, b = self._models_for(row, a, b)
        if row.joint and "metrics" in options:
            raise ValueError(f"metrics must be given as metric=[...] for {row.name!r}")
        given = {"names", "greater_is_better"} if row.of_all else set()
        chosen = self._calibrated(procedure, row, metric, a, b)
        _check_options(chosen.row, options, {*row.options(self.design), *given, *chosen.options})
        if alternative is not None:
            check_alternative(alternative)
            if row.directed:
                options["alternative"] = alternative
            elif alternative != "two-sided":
                raise ValueError(f"alternative must be left out for {row.name!r}, which has none; got {alternative!r}")
        return chosen.explain(self._run(chosen.row, metric, a, b, {**options, **chosen.options}))

    def compare(
        self,
        procedure: str = "auto",
        *,
        metrics: str | Sequence[str] | None = None,
        baseline: str | None = None,
        correction: str = "holm",
        alternative: Alternative = "two-sided",
        rope: float | Mapping[str, float] | None = None,
    ) -> Comparison:
        """Test all pairs of estimators on several metrics, under one error budget.

        Parameters
        ----------
        procedure : str, default="auto"
            A test, as in `test`.
        metrics : str or sequence of str, optional
            All by default.
        baseline : str, optional
            Compare every other estimator (as `a`) with this one (as `b`) instead of all pairs.
        correction : str, default="holm"
            A method of `adjust_pvalues`, over all rows together.
        alternative : {"two-sided", "greater", "less"}, default="two-sided"
            ``"greater"``: `a` is better.
        rope : float or mapping of metric to float, optional
            Half width of the region of practical equivalence, in score units; adds the posterior probabilities
            of `correlated_t_posterior` to every row of the metrics it names.

        Returns
        -------
        Comparison
            Where a pair has no scores of a metric the row is nan and "undecided", and its warnings say why.

        Raises
        ------
        ValueError
            If a name is unknown, an option out of range, or the procedure does not fit the design.
        """
        row = find_procedure(procedure, self.design)
        if row.returns != "test":
            raise ValueError(f"procedure must be a test of two models on one metric; got {procedure!r}")
        check_alternative(alternative)
        check_choice(correction, "correction", CORRECTIONS)
        names = self._metrics_for(row, metrics)
        pairs = choose_pairs(baseline, self.estimators)
        widths = rope_widths(rope, names)
        cells = [(metric, a, b) for a, b in pairs for metric in names]
        chosen = [self._calibrated(procedure, row, *cell) for cell in cells]
        records = [self._run_if_possible(one, *cell, alternative) for one, cell in zip(chosen, cells, strict=True)]
        pvalues, n_known = adjusted([np.nan if record is None else record.pvalue for record in records], correction)
        rows = [
            self._comparison_row(row, cell, record, p, alternative, widths.get(cell[0]))
            for cell, record, p in zip(cells, records, pvalues, strict=True)
        ]
        return Comparison(
            rows=tuple(rows),
            procedure=next((one.row.name for one in chosen if one.row is not row), row.name),
            correction=correction,
            n_hypotheses=n_known,
            alternative=alternative,
        )

    def detectable_difference(
        self,
        metric: str | None = None,
        a: str | None = None,
        b: str | None = None,
        *,
        power: float = 0.8,
        alpha: float = 0.05,
        alternative: Alternative = "two-sided",
        procedure: str = "auto",
    ) -> DetectableDifference:
        """The smallest true difference that the test of two estimators on one metric finds with a given power.

        Parameters
        ----------
        metric : str, optional
            The first by default.
        a, b : str, optional
            Estimators; the first and the second by default.
        power : float, default=0.8
            In (alpha, 1).
        alpha : float, default=0.05
            Level of the test, in (0, 1); divide it by the number of comparisons that share one error rate.
        alternative : {"two-sided", "greater", "less"}, default="two-sided"
            ``"greater"``: `a` is better.
        procedure : str, default="auto"
            A test by Student's t, as in `test`; its own standard error and degrees of freedom are used.

        Returns
        -------
        DetectableDifference
            With ``power_at(delta)``, and ``interval()`` for the spread that is itself estimated.

        Raises
        ------
        ValueError
            If `test` refuses a name, an option is out of range, or the test is not one by Student's t.
        """
        record = self.test(procedure, metric=metric, a=a, b=b, alternative=alternative)
        if not isinstance(record, TTestResult):
            raise ValueError(f"procedure must be a test by Student's t, with a standard error; got {procedure!r}")
        return detectable_by(record, power=power, alpha=alpha)

    def dominance(
        self,
        method: str = "glrt",
        *,
        metrics: Sequence[str] | None = None,
        a: str | None = None,
        b: str | None = None,
        correct_folds: bool = True,
        rope: float | Mapping[str, float] | None = None,
        **options: Any,
    ) -> DominanceTestResult | DominancePosterior | DominanceNetworkResult:
        """Test jointly on which metrics `a` is better than `b` and on which `b` is.

        Parameters
        ----------
        method : {"glrt", "dirichlet", "network"}, default="glrt"
            The likelihood-ratio test, the Bayesian posterior, or both under a Bayesian network of the metrics that
            is learned from the scores, beside what they say without it.
        metrics : sequence of str, optional
            All by default, at most 12; at most 8 for the network.
        a, b : str, optional
            Estimators; the first and the second by default.
        correct_folds : bool, default=True
            Count the correlated folds of one data set for the number of independent cases they are worth
            (`effective_cases`). Without it true nulls are rejected about half of the time on 10x10 folds.
        rope : float or mapping of metric to float, optional
            Largest difference, in score units, that is a tie; 0 by default. Of ``"fit_time"`` and ``"predict_time"``
            it is 10% of the larger typical time unless a mapping names them, and their medians over the repeats are
            compared, fold by fold. The record says so.
        **options
            ``statement`` of the likelihood-ratio test; ``prior`` of the posterior; ``structure``, ``n_draws`` and
            ``rng`` of the network. See `dominance_test`, `dominance_posterior` and `dominance_network`.

        Returns
        -------
        DominanceTestResult, DominancePosterior or DominanceNetworkResult
            By `method`. In its statement, True means that `a` is better on that metric; `str` gives it in print.

        Raises
        ------
        ValueError
            If a name, the method or an option is unknown, or no split has a score for all metrics.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcompare import PairedEvaluator
        >>> evaluator = PairedEvaluator(scoring=["accuracy", "roc_auc", "model_size"], random_state=0)
        >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)}
        >>> result = evaluator.evaluate(models, *load_breast_cancer(return_X_y=True))
        >>> print(result.dominance())
        accuracy > · roc_auc > · model_size >, p = 0.0... (dominance likelihood-ratio test, 13.7 effective cases)
        """
        check_options(method, options)
        a, b = choose_pair(a, b, self.estimators)
        names = check_metric_count(
            choose_metrics(metrics, self.metrics), MAX_NETWORK_METRICS if method == "network" else MAX_METRICS
        )
        if not isinstance(correct_folds, bool):
            raise ValueError(f"correct_folds must be True or False; got {correct_folds!r}")
        return dominance(self, method, names, a, b, correct_folds=correct_folds, rope=rope, options=options)

    def dominance_table(
        self,
        *,
        metrics: Sequence[str] | None = None,
        baseline: str | None = None,
        correction: str = "holm",
        correct_folds: bool = True,
        rope: float | Mapping[str, float] | None = None,
    ) -> DominanceTable:
        """The joint verdict of every pair of estimators, under one error budget.

        Parameters
        ----------
        metrics : sequence of str, optional
            By default, per pair, all that both have scores of; at most 12.
        baseline : str, optional
            Compare every other estimator (as `a`) with this one (as `b`) instead of all pairs.
        correction : str, default="holm"
            A method of `adjust_pvalues`, over all pairs together.
        correct_folds : bool, default=True
            As in `dominance`.
        rope : float or mapping of metric to float, optional
            As in `dominance`.

        Returns
        -------
        DominanceTable
            One row per pair: the most frequent statement with its p-value, the most probable one with its
            probability.

        Raises
        ------
        ValueError
            If a name or the correction is unknown.
        """
        check_choice(correction, "correction", CORRECTIONS)
        return fold_dominance_table(
            self,
            choose_pairs(baseline, self.estimators),
            None if metrics is None else check_metric_count(choose_metrics(metrics, self.metrics)),
            correction=correction,
            correct_folds=correct_folds,
            rope=rope,
        )

    def pareto_front(
        self,
        *,
        metrics: Sequence[str] | None = None,
        rope: float | Mapping[str, float] | None = None,
        n_draws: int = 10_000,
        rng: Any = None,
    ) -> ParetoFront:
        """Which estimators no other one dominates: is at least as good as on all metrics and better on one.

        Parameters
        ----------
        metrics : sequence of str, optional
            All by default.
        rope : float or mapping of metric to float, optional
            Largest difference of two means, in score units, that is a tie; by default 0, and of ``"fit_time"`` and
            ``"predict_time"``, of which the medians over the repeats are compared, a ratio of 1.1.
        n_draws : int, default=10000
            Draws from the posterior of the means, which allows for the overlap of the training sets.
        rng : None, int or numpy Generator, optional
            The evaluation's seed by default.

        Returns
        -------
        ParetoFront
            The front of the mean scores, and for every estimator the probability that it is on the front.

        Raises
        ------
        ValueError
            If a metric is unknown, or no split has all scores of the estimators; an estimator that has none of a
            metric is left out, and the record says so.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.neighbors import KNeighborsClassifier
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcompare import PairedEvaluator
        >>> evaluator = PairedEvaluator(cv=10, scoring=["roc_auc", "model_size"], random_state=0)
        >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3), "knn": KNeighborsClassifier()}
        >>> result = evaluator.evaluate(models, *load_breast_cancer(return_X_y=True))
        >>> result.pareto_front().front()
        ('nb',)
        """
        names = choose_metrics(metrics, self.metrics)
        scores = front_scores(self, names, rope)
        front = pareto_front(
            scores.values,
            test_fraction=self.design.test_fraction,
            rope=scores.rope,
            n_draws=n_draws,
            rng=(self.provenance.get("random_state") or 0) if rng is None else rng,
            names=scores.names,
            metrics=names,
        )
        doubts = [*front.warnings, *scores.doubts, *(d for name in names for d in self._doubts(name, *scores.names))]
        return replace(front, means=scores.means, warnings=tuple(dict.fromkeys(doubts)))

    # ---- pictures -------------------------------------------------------------------------------------------

    def plot(self, kind: str = "differences", *, ax: Any = None, **options: Any) -> Any:
        """Draw one picture of this result; the short way to ``Display.from_result(...).plot(ax)``.

        Parameters
        ----------
        kind : str, default="differences"
            One of those in the guide, "Pictures", e.g. ``"scores"``, ``"posterior"`` or ``"roc"``.
        ax : matplotlib.axes.Axes, optional
            Where to draw; axes of a figure of their own by default.
        **options
            What the Display's ``from_result`` takes, such as ``metric="f1"``.

        Returns
        -------
        Display
            Drawn: with ``ax_``, ``figure_`` and ``frame()``.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If there is no such kind, an option is unknown, or the result lacks what the picture shows.
        """
        from skcompare.plotting._kinds import make_display

        return make_display(self, kind, options).plot(ax)

    # ---- reports --------------------------------------------------------------------------------------------

    def summary(self) -> str:
        """The result in words for a person: design, one line per metric, the joint verdict, the doubts."""
        return text.render(summarise(self))

    def to_markdown(self) -> str:
        """The scores of all models and the comparisons of all pairs as Markdown tables, as in `to_latex`."""
        return markdown.render(summarise(self))

    def to_latex(self) -> str:
        """The scores of all models and the comparisons of all pairs as LaTeX tables for booktabs.

        The best mean of every metric is bold; a dagger marks the models that are worse than it, a double dagger those
        that are better all the same, by the p-values adjusted over all pairs and metrics: that holds however the best
        one was found. More than 45 comparisons are left to ``compare().to_latex()``.

        Returns
        -------
        str
            ``table`` environments, long notes below them. Names are escaped, long ones numbered with a key; those
            outside Latin need xelatex or lualatex.
        """
        return latex.render(summarise(self))

    def to_json(self) -> str:
        """The result as strict JSON, null where a number is not finite; ``schemas/result.schema.json`` describes it."""
        return result_json(self, summarise(self))

    def methods_text(self, *, procedure: str = "auto", correction: str = "holm") -> str:
        """A paragraph for the methods section of a paper, and the BibTeX entries of what it cites.

        Parameters
        ----------
        procedure : str, default="auto"
            The test that was used, as in `compare`.
        correction : str, default="holm"
            The adjustment that was used, over all pairs and metrics, as in `compare`.

        Returns
        -------
        str
            The paragraph in plain text with author-year citations, an empty line, and the entries.

        Raises
        ------
        ValueError
            If `compare` refuses the procedure or the correction.

        Examples
        --------
        >>> from skcompare import from_frame
        >>> table = {"model": ["nb"] * 3 + ["tree"] * 3, "fold": [0, 1, 2] * 2, "score": [0.9, 0.8, 0.9, 0.7, 0.8, 0.8]}
        >>> print(from_frame(table).methods_text().split(". ")[0])
        We compared two models (nb and tree) on one data set by 3-fold cross-validation (3 splits)
        """
        comparison = self.compare(procedure, correction=correction)
        calibration = self.calibration if procedure == "auto" else None
        facts = result_facts(self, comparison, joint_rows(self, correction), calibration)
        return methods.render(facts, sources())

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """The report as one HTML page that works offline: verdict, controls, plots, doubts, sources; needs jinja2.

        Parameters
        ----------
        path : path-like, optional
            Also write it there, in UTF-8; a file that is there is replaced, unless it is a saved result.

        Returns
        -------
        str
            The page.

        Raises
        ------
        ImportError
            If jinja2 or matplotlib is not installed.
        OSError
            If the file cannot be written, or is a saved result.
        """
        html.check_extra()
        page = html.render(result_report(self, summarise(self)))
        if path is not None:
            html.write(path, page)
        return page

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
        header, arrays = to_archive(self)
        write_archive(path, header, arrays)

    def log_to_mlflow(self, *, run_id: str | None = None, prefix: str = "") -> str:
        """Log the result to MLflow: into the run given, else the active run, else a new one that ends with the call.

        Metrics are the mean scores, the differences ``a - b`` and the adjusted p-values, e.g.
        ``difference/accuracy/nb/tree``, and those of the joint verdicts; in names what MLflow does not take becomes
        ``_``, and values that are not finite are left out, which the tag ``not_logged`` says. Parameters are the
        design, the seed, the hash of the splits and the models; tags are the verdict in words, the doubts and the
        versions; artifacts are ``result.skc``, which `skcompare.load` reads, ``report.html`` and ``result.json``. Where
        it goes is MLflow's tracking URI.

        Parameters
        ----------
        run_id : str, optional
            A run of the tracking server; it is left open or closed, as it is.
        prefix : str, default=""
            Put before every name, e.g. ``"cv/"``, so that one run can hold several results: at most 40 letters, digits,
            dots, dashes, underscores and slashes.

        Returns
        -------
        str
            The id of the run.

        Raises
        ------
        ImportError
            If MLflow, or what the report needs, is not installed.
        ValueError
            If `run_id` or `prefix` does not fit, or the run holds a result or other parameters under that prefix.
        """
        return log_run(summarise(self), provenance=self.provenance, files=files_of(self), run_id=run_id, prefix=prefix)

    # ---- private --------------------------------------------------------------------------------------------

    def _calibrated(self, procedure: str, row: Procedure, metric: Any, a: str, b: str) -> CalibratedChoice:
        """The test of a cell: the calibrated one where "auto" was asked for and there is a calibration, else `row`."""
        calibration = self.calibration if procedure == "auto" else None
        return choose_calibrated(calibration, row, self.design, metric, a, b)

    def _run_if_possible(self, chosen: CalibratedChoice, metric: str, a: str, b: str, alternative: str) -> Any:
        """The record of a pair, None where the evidence for it is lacking."""
        try:
            return chosen.explain(self._run(chosen.row, metric, a, b, {"alternative": alternative, **chosen.options}))
        except LackingError:
            return None

    def _run(self, row: Procedure, metric: Any, a: str, b: str, options: Mapping[str, Any]) -> Any:
        """Run a procedure on the evidence that it takes; what is drawn at random is drawn with the result's seed."""
        if "rng" in _parameters(row.function):
            options = {"rng": self.provenance.get("random_state") or 0, **options}
        if row.evidence == "predictions":
            return self._run_on_predictions(row, metric, a, b, options)
        if row.joint:
            return self._run_jointly(row, metric, a, b, options)
        if row.of_all:
            return self._run_on_all(row, metric, options)
        if row.takes == "fold error rates":
            accuracy = self.score(a, metric)
            rates = 1 - accuracy[np.isfinite(accuracy)]
            if not rates.size:
                raise ValueError(f"metric {metric!r} has no score of {a!r} to test")
            record = row.function(rates, **{**row.options(self.design), **options})
            return replace(record, warnings=(*record.warnings, *self._doubts(metric, a)))
        scores_a, scores_b = self._paired_scores(row, metric, a, b, options)
        record = row.function(scores_a, scores_b, **{**row.options(self.design), **options})
        doubts = self._doubts(metric, a, b)
        return replace(record, warnings=(*record.warnings, *doubts)) if doubts else record

    def _run_on_all(self, row: Procedure, metric: str, options: Mapping[str, Any]) -> Any:
        """Run a procedure on the splits on which all estimators have a score."""
        m, design = self._metric(metric), self.design
        scores = self.scores[:, :, m].T
        whole = np.isfinite(scores).all(axis=1)
        n_left = int(whole.sum())
        if not n_left:
            raise LackingError(f"metric {metric!r} has no split on which all estimators have a score")
        doubts: tuple[str, ...] = ()
        if n_left < design.n_splits:
            repeats, folds = (1, n_left) if design.n_repeats == 1 else (n_left, 1)
            design = replace(design, n_splits=n_left, n_repeats=repeats, n_folds=folds)
            doubts = (f"MISSING: {metric} is used on the {n_left} splits on which all estimators have a score.",)
        options = {"names": self.estimators, **row.options(design), **options}
        record = row.function(scores[whole], greater_is_better=self.greater_is_better[m], **options)
        doubts = (*record.warnings, *doubts, *self._doubts(metric, *self.estimators))
        return replace(record, warnings=tuple(dict.fromkeys(doubts)))

    def _run_jointly(self, row: Procedure, metrics: tuple[str, ...], a: str, b: str, options: Mapping[str, Any]) -> Any:
        if row.takes == "statement counts":
            scores = joint_scores(self, metrics, a, b, None)
            counts = dominance_counts(scores.a, scores.b, rope=scores.rope)
            n_effective = min(effective_cases(len(scores.a), self.design.test_fraction), scores.n_distinct)
            record = row.function(counts, **{"n_effective": n_effective, **options})
            doubts = scores.doubts
        else:
            scores_a, scores_b = (np.stack([self._oriented(e, m) for m in metrics], axis=1) for e in (a, b))
            whole = (np.isfinite(scores_a) & np.isfinite(scores_b)).all(axis=1)
            if not whole.any():
                raise LackingError(f"metrics must have a split on which {a!r} and {b!r} both have all scores; got none")
            options = {"metrics": metrics, **row.options(self.design), **options}
            record = row.function(scores_a[whole], scores_b[whole], **options)
            doubts = tuple(
                f"TIMES: {metric} is taken as measured, once per split." for metric in metrics if metric in TIMES
            )
        doubts += joint_size_doubt(row.name, self.design)
        doubts = (*record.warnings, *doubts, *(doubt for metric in metrics for doubt in self._doubts(metric, a, b)))
        return replace(record, warnings=tuple(dict.fromkeys(doubts)))

    def _paired_scores(
        self, row: Procedure, metric: str, a: str, b: str, options: Mapping[str, Any]
    ) -> tuple[FloatArray, FloatArray]:
        """The pairs of scores that exist, in the shape that a procedure takes."""
        scores_a, scores_b = self._oriented(a, metric), self._oriented(b, metric)
        whole = np.isfinite(scores_a) & np.isfinite(scores_b)
        by_repeat = row.takes == "repeats x folds"
        if by_repeat:
            whole_repeats = whole.reshape(self.design.n_repeats, self.design.n_folds).all(axis=1)
            left = replace(self.design, n_repeats=int(whole_repeats.sum()))
            if not row.fits(left, options):
                raise LackingError(
                    f"procedure {row.name!r} needs {row.designs}; without the missing pairs of scores of "
                    f"{metric!r} this is {left.name}. {' '.join(self._doubts(metric, a, b))}"
                )
            whole = np.repeat(whole_repeats, self.design.n_folds)
        if not whole.any():
            raise LackingError(f"metric {metric!r} has no pair of scores of {a!r} and {b!r} left to test")
        shape = (-1, self.design.n_folds) if by_repeat else (-1,)
        return scores_a[whole].reshape(shape), scores_b[whole].reshape(shape)

    def _run_on_predictions(self, row: Procedure, metric: Any, a: str, b: str, options: Mapping[str, Any]) -> Any:
        if self._predictions is None:
            why = "this result was made from a table of scores"
            why = why if self._splits is None else "they were not kept (keep_predictions=False)"
            raise ValueError(f"procedure {row.name!r} needs predictions; {why}")
        if self.task not in ("binary", "multiclass"):
            raise ValueError(
                f"procedure {row.name!r} needs predicted classes; the task of this result is {self.task!r}"
            )
        concerned = {"correctness of all": self.estimators, "number of errors": (a,)}.get(row.takes, (a, b))
        pooled = pool(self, concerned)
        if row.takes == "labels" and self.task == "binary":
            options = {"positive": self.positive_class, **options}
        record = row.function(*arguments(row, pooled, a, b, metric), **options)
        return replace(record, warnings=(*record.warnings, *pooled.doubts(row)))

    def _comparison_row(
        self,
        row: Procedure,
        cell: tuple[str, str, str],
        record: Any,
        adjusted: float,
        alternative: str,
        rope: float | None,
    ) -> ComparisonRow:
        metric, a, b = cell
        oriented_a, oriented_b = self._oriented(a, metric), self._oriented(b, metric)
        with np.errstate(invalid="ignore", over="ignore"):  # of scores that are not finite
            whole = np.isfinite(oriented_a - oriented_b)
        paired_a, paired_b = oriented_a[whole], oriented_b[whole]
        nan = float("nan")
        interval = record.confidence_interval() if hasattr(record, "confidence_interval") else None
        estimate = nan if record is None else record.estimate
        sign = 1.0 if self.greater_is_better[self._metric(metric)] else -1.0
        mean_a, mean_b = (
            sign * mean_score(paired if paired.size else own)
            for paired, own in ((paired_a, oriented_a), (paired_b, oriented_b))
        )
        if record is not None and row.evidence == "predictions":
            mean_a, mean_b = pool(self, (a, b)).means(record, a, b)
        posterior = None
        if rope is not None and paired_a.size:
            posterior = correlated_t_posterior(
                paired_a,
                paired_b,
                test_fraction=self.design.test_fraction,
                rope=rope,
            )
        return ComparisonRow(
            metric=metric,
            a=a,
            b=b,
            mean_a=mean_a,
            mean_b=mean_b,
            estimate=estimate,
            low=interval.low if interval else nan,
            high=interval.high if interval else nan,
            pvalue=nan if record is None else record.pvalue,
            pvalue_adjusted=adjusted,
            verdict=verdict(adjusted, estimate, a, b, alternative),
            effect_size=nan if record is None else record.effect_size,
            **wins_and_losses(paired_a, paired_b),
            left=posterior.left if posterior else None,
            rope=posterior.rope if posterior else None,
            right=posterior.right if posterior else None,
            warnings=self._doubts(metric, a, b) if record is None else record.warnings,
        )

    def _doubts(self, metric: str, *names: str) -> tuple[str, ...]:
        """What is wrong with the scores of some estimators: leaks, failures, undefined scores."""
        return (*self.warnings, *(doubt for name in names for doubt in self._score_doubts[name, metric]))

    @cached_property
    def _score_doubts(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """What is wrong with the scores, by estimator and metric."""
        return {(name, metric): self._doubts_of(name, metric) for name in self.estimators for metric in self.metrics}

    def _doubts_of(self, name: str, metric: str) -> tuple[str, ...]:
        """Failures, and scores that are undefined or no measurements, each a sentence."""
        doubts = []
        scores = self.score(name, metric)
        failed = {f.split for f in self.failures if f.estimator == name and f.metric in (None, metric)}
        n = self.design.n_splits
        n_fitted = n if self.stopping is None else self.stopping.repeats_of(name) * self.design.n_folds
        missing = set(np.flatnonzero(~np.isfinite(scores[:n_fitted])).tolist())
        if n_fitted < n:
            doubts.append(
                f"DROPPED: {name!r} was fitted on the first {n_fitted} of {n} splits only; other pairs are left out."
            )
        n_zero = self.ill_defined.get(name, {}).get(metric, 0)
        if n_zero and np.isfinite(scores).any():
            doubts.append(f"ILL_DEFINED: {metric} of {name!r} is 0/0 on {n_zero} of {n} splits.")
        if missing & failed:
            doubts.append(
                f"MISSING: {name!r} failed on {len(missing & failed)} of {n} splits (the first is split "
                f"{min(missing & failed)}); these pairs of {metric} are left out."
            )
        if missing - failed:
            doubts.append(
                f"UNDEFINED: {metric} of {name!r} is not a finite number on {len(missing - failed)} of {n} splits "
                f"(the first is split {min(missing - failed)}); these pairs are left out."
            )
        if failed - missing:
            doubts.append(
                f"ERROR_SCORE: {metric} of {name!r} on {len(failed - missing)} of {n} splits is the error score, "
                f"not a measurement (the first is split {min(failed - missing)})."
            )
        return tuple(doubts)

    def _oriented(self, estimator: str, metric: str) -> FloatArray:
        """Scores of one estimator on one metric, turned so that greater is better."""
        return self._oriented_scores[self._estimator(estimator, "estimator"), :, self._metric(metric)]

    @cached_property
    def _oriented_scores(self) -> FloatArray:
        """All scores, turned so that greater is better; of the shape of `scores`."""
        oriented = np.where(self.greater_is_better, self.scores, -self.scores)
        oriented.setflags(write=False)
        return oriented

    def _estimator(self, name: str, argument: str) -> int:
        check_choice(name, argument, self.estimators)
        return self.estimators.index(name)

    def _metric(self, name: str) -> int:
        check_choice(name, "metric", self.metrics)
        return self.metrics.index(name)

    def _models_for(self, row: Procedure, a: str | None, b: str | None) -> tuple[str, str]:
        """The two estimators that a procedure is about; of one about a single estimator `a` and any other."""
        if row.of_all and (a is not None or b is not None):
            raise ValueError(f"a and b must be left out for {row.name!r}, which is about all estimators")
        if not row.of_one:
            return choose_pair(a, b, self.estimators)
        if b is not None:
            raise ValueError(f"b must be left out for {row.name!r}, which is about one estimator; got {b!r}")
        if a is not None:
            check_choice(a, "a", self.estimators)
        a = self.estimators[0] if a is None else a
        return a, next(name for name in self.estimators if name != a)

    def _metric_for(self, row: Procedure, metric: Any) -> Any:
        """The metric asked for, or the first that a procedure can speak of; of joint procedures the metrics."""
        if row.joint:
            names = choose_metrics(metric, self.metrics)
            return check_metric_count(names) if row.takes == "statement counts" else names
        if callable(metric) and row.takes == "labels":
            return metric
        if metric is None:
            spoken = [name for name in self.metrics if not row.metrics or name in row.metrics]
            if not spoken and row.evidence == "fold scores":
                raise ValueError(f"procedure {row.name!r} needs {' or '.join(row.metrics)} among the metrics")
            return spoken[0] if spoken else row.metrics[0]
        if row.metrics and metric not in row.metrics:
            raise ValueError(f"metric must be {' or '.join(row.metrics)} for {row.name!r}; got {metric!r}")
        if row.evidence == "fold scores":
            self._metric(metric)
        return metric

    def _metrics_for(self, row: Procedure, metrics: str | Sequence[str] | None) -> tuple[str, ...]:
        """The metrics asked for, or all that a procedure can speak of."""
        if not row.metrics:
            return choose_metrics(metrics, self.metrics)
        spoken = tuple(name for name in self.metrics if name in row.metrics)
        names = spoken if metrics is None else choose_metrics(metrics, self.metrics)
        if not names or not set(names) <= set(spoken):
            raise ValueError(
                f"metrics must be among {', '.join(row.metrics)} for {row.name!r}; got {metrics or self.metrics}"
            )
        return names


@cache
def _parameters(function: Callable[..., Any]) -> Mapping[str, Parameter]:
    return signature(function).parameters


def _check_options(row: Procedure, options: Mapping[str, Any], from_design: set[str]) -> None:
    """Raise ValueError for an option that a procedure does not have, that the design sets, or that is lacking."""
    keywords = {n: p for n, p in _parameters(row.function).items() if p.kind is Parameter.KEYWORD_ONLY}
    names = [name for name in keywords if name not in {"alternative", *from_design}]
    for name in options:
        if name not in names:
            why = "is set by the design for" if name in from_design else "is no option of"
            raise ValueError(f"{name} {why} {row.name!r}, which takes {', '.join(names) or 'none'}")
    for name, parameter in keywords.items():
        if parameter.default is Parameter.empty and name not in {"alternative", *options, *from_design}:
            raise ValueError(f"{name} must be given for {row.name!r}")
