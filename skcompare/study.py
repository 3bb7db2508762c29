"""StudyResult: several models on several data sets, one case per data set."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from inspect import Parameter, signature
from typing import Any

import numpy as np

from skcompare._core.design import Design
from skcompare._core.frames import import_pandas
from skcompare._core.names import choose_metrics, choose_pair, choose_pairs
from skcompare._core.record import Record, few
from skcompare._core.validation import Alternative, FloatArray, check_alternative, check_choice
from skcompare.comparison.dominance import (
    DominanceTable,
    Pair,
    check_metric_count,
    check_options,
    dominance_of_scores,
    dominance_table,
)
from skcompare.comparison.joint import JointScores, rope_widths
from skcompare.comparison.ranking import Ranking, rank_models
from skcompare.comparison.table import Comparison, ComparisonRow, adjusted, verdict, wins_and_losses
from skcompare.inference import (
    DominanceNetworkResult,
    DominancePosterior,
    DominanceTestResult,
    ParetoFront,
    SignedRankResult,
    SignTestResult,
    pareto_front,
)
from skcompare.inference._multiplicity import CORRECTIONS
from skcompare.inference.datasets._procedures import StudyProcedure, find_study_procedure
from skcompare.inference.datasets.signed_rank_posterior import signed_rank_posterior
from skcompare.inference.dominance.network import MAX_NETWORK_METRICS
from skcompare.inference.dominance.statements import MAX_METRICS
from skcompare.reporting import html, latex, markdown, methods, notebook, study_text
from skcompare.reporting.json import study_json
from skcompare.reporting.mlflow import files_of, log_run
from skcompare.reporting.summary.methods import sources, study_facts
from skcompare.reporting.summary.page import study_report
from skcompare.reporting.summary.study import study_joint_rows, summarise_study
from skcompare.results import EvaluationResult
from skcompare.saving.archive import write_archive
from skcompare.saving.study import study_to_archive
from skcompare.tables.study import read_table


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DatasetFailure(Record):
    """A data set that could not be loaded or evaluated.

    Attributes
    ----------
    dataset : str
        Its name.
    message : str
        What went wrong, in one line.
    """

    dataset: str
    message: str


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class StudyResult:
    """Scores of several estimators on several data sets; on each the same splits for all of them.

    The tests here take one case per data set, the mean score over its splits, and speak of data sets like these.

    Attributes
    ----------
    datasets, estimators, metrics : tuple of str
        Names, in the order of the scores.
    greater_is_better : tuple of bool
        Direction of each metric.
    scores : ndarray of shape (n_datasets, n_estimators, n_splits, n_metrics)
        float64, read-only; nan where a score is undefined, failed or missing, and beyond the last split of data sets
        with fewer splits than others.
    designs : tuple of Design
        How each data set was resampled; empty where only one score per data set is known.
    results : dict of data set to EvaluationResult
        Each data set on its own; empty where only one score per data set is known.
    failures : tuple of DatasetFailure
        The data sets that are not there, and why.
    warnings : tuple of str
        Reasons to doubt every test on this result, each a code, a colon and a sentence.
    provenance : dict
        What it takes to run this again.
    """

    datasets: tuple[str, ...]
    estimators: tuple[str, ...]
    metrics: tuple[str, ...]
    greater_is_better: tuple[bool, ...]
    scores: FloatArray
    designs: tuple[Design, ...] = ()
    results: Mapping[str, EvaluationResult] = field(default_factory=dict)
    failures: tuple[DatasetFailure, ...] = ()
    warnings: tuple[str, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shape = (len(self.datasets), len(self.estimators), len(self.metrics))
        if self.scores.ndim != 4 or (*self.scores.shape[:2], self.scores.shape[3]) != shape:
            raise ValueError(
                f"scores must have shape (n_datasets, n_estimators, n_splits, n_metrics) with {shape[0]} data sets, "
                f"{shape[1]} estimators and {shape[2]} metrics; got {self.scores.shape}"
            )
        self.scores.setflags(write=False)

    def __repr__(self) -> str:
        return f"<StudyResult: {few(self.estimators)} on {len(self.datasets)} data sets; {few(self.metrics)}>"

    def _repr_html_(self) -> str:
        return notebook.render_study(summarise_study(self))

    # ---- data -----------------------------------------------------------------------------------------------

    @classmethod
    def from_results(cls, results: Mapping[str, EvaluationResult], **fields: Any) -> StudyResult:
        """A study made of evaluations of the same estimators on the same metrics.

        Parameters
        ----------
        results : mapping of data set to EvaluationResult
            One or more.
        **fields
            Further attributes of the study.

        Returns
        -------
        StudyResult

        Raises
        ------
        ValueError
            If there is none, or they differ in estimators, metrics or directions.
        """
        if not results:
            raise ValueError("results must hold at least one data set; got none")
        first_name, first = next(iter(results.items()))
        for name, result in results.items():
            for what in ("estimators", "metrics", "greater_is_better"):
                if getattr(result, what) != getattr(first, what):
                    raise ValueError(
                        f"results must share their {what}; {first_name!r} has {getattr(first, what)}, {name!r} has "
                        f"{getattr(result, what)}"
                    )
        n_splits = max(result.design.n_splits for result in results.values())
        leaks = [
            f"{doubt} ({name})"
            for name, result in results.items()
            for doubt in result.warnings
            if doubt not in first.warnings or doubt.startswith("LEAK:")
        ]
        common = [doubt for doubt in first.warnings if not doubt.startswith("LEAK:")]
        fields["warnings"] = tuple(dict.fromkeys((*fields.get("warnings", ()), *common, *leaks)))
        scores = np.full((len(results), len(first.estimators), n_splits, len(first.metrics)), np.nan)
        for d, result in enumerate(results.values()):
            scores[d, :, : result.design.n_splits] = result.scores
        return cls(
            datasets=tuple(results),
            estimators=first.estimators,
            metrics=first.metrics,
            greater_is_better=first.greater_is_better,
            scores=scores,
            designs=tuple(result.design for result in results.values()),
            results=dict(results),
            **fields,
        )

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        greater_is_better: bool | Mapping[str, bool] | None = None,
        missing: str = "raise",
        test_fraction: float | None = None,
    ) -> StudyResult:
        """A study from a table that others made.

        Parameters
        ----------
        frame : data frame or mapping of column name to array
            Tidy, with the columns ``dataset``, ``model`` (or ``estimator``) and ``score``, optionally ``metric``, and
            optionally ``fold``, ``repeat``, ``n_train`` and ``n_test`` as in `skcompare.from_frame`. Or wide: the
            column ``dataset``, and one column of scores per model.
        greater_is_better : bool or mapping of metric to bool, optional
            Direction of the metrics, as in `skcompare.from_frame`. The metric of a wide table is called "score".
        missing : {"raise", "drop", "keep"}, default="raise"
            What to do where a model has no score on a data set: name the gaps in an error, leave such data sets out,
            or keep them for `skillings_mack_test`; other tests then leave them out, and say so. Of a table with folds
            and gaps the means over the folds are kept.
        test_fraction : float, optional
            Of tables with folds, as in `skcompare.from_frame`.

        Returns
        -------
        StudyResult

        Raises
        ------
        ValueError
            If a column is missing, a row occurs twice, a score is not a number, or there are gaps and `missing` is
            ``"raise"``.

        Examples
        --------
        >>> from skcompare import StudyResult
        >>> table = {"dataset": ["iris", "wine", "digits"], "nb": [0.95, 0.97, 0.81], "tree": [0.94, 0.90, 0.85]}
        >>> study = StudyResult.from_frame(table)
        >>> study.rank().mean_ranks.round(2).tolist()
        [1.33, 1.67]
        """
        fields, results = read_table(
            frame, greater_is_better=greater_is_better, missing=missing, test_fraction=test_fraction
        )
        return cls.from_results(results, **fields) if results else cls(**fields)

    def means(self, metric: str) -> FloatArray:
        """Mean scores over the splits of each data set.

        Parameters
        ----------
        metric : str
            Its name.

        Returns
        -------
        ndarray of shape (n_datasets, n_estimators)
            In the metric's own units. Where an estimator has no score on some splits of a data set, all means there are
            over the splits on which every estimator that has any score has one; nan where it has none at all.
        """
        return self._all_means[:, :, self._metric(metric)].copy()

    @cached_property
    def _all_means(self) -> FloatArray:
        """Of all metrics, shape (n_datasets, n_estimators, n_metrics)."""
        found = np.isfinite(self.scores)
        some = found.any(axis=2, keepdims=True)
        common = (found | ~some).all(axis=1, keepdims=True) & found
        used = np.where(common.any(axis=2, keepdims=True), common, found)
        total = np.where(used, self.scores, 0.0).sum(axis=2)
        with np.errstate(invalid="ignore"):
            return np.asarray(total / used.sum(axis=2))

    def to_frame(self) -> Any:
        """All scores as a tidy pandas DataFrame, one row per data set, estimator, metric and split; needs pandas.

        Returns
        -------
        pandas.DataFrame
            Columns: dataset, estimator, metric, repeat, fold (from 0), n_train, n_test, score; without the middle four
            where only one score per data set is known.
        """
        pandas = import_pandas()
        if self.results:
            return pandas.concat(
                [result.to_frame().assign(dataset=name) for name, result in self.results.items()], ignore_index=True
            )
        d, m, _, k = self.scores.shape
        return pandas.DataFrame(
            {
                "dataset": np.repeat(self.datasets, m * k),
                "estimator": np.tile(np.repeat(self.estimators, k), d),
                "metric": np.tile(self.metrics, d * m),
                "score": self.scores[:, :, 0].ravel(),
            }
        )

    # ---- tests ----------------------------------------------------------------------------------------------

    def test(
        self,
        procedure: str = "auto",
        *,
        metric: str | None = None,
        a: str | None = None,
        b: str | None = None,
        alternative: Alternative | None = None,
        **options: Any,
    ) -> Any:
        """Test one metric over the data sets: two estimators, or all of them.

        Parameters
        ----------
        procedure : str, default="auto"
            Name of a procedure, e.g. ``"signed_rank_test"`` or ``"friedman_test"``; ``"auto"`` is the former for two
            estimators, or where `a` or `b` is given, and the latter for more.
        metric : str, optional
            The first by default.
        a, b : str, optional
            Estimators, for procedures on two; the first and the second by default.
        alternative : {"two-sided", "greater", "less"}, optional
            The procedure's own by default, which is ``"two-sided"``. ``"greater"``: `a` is better. For procedures that
            have a direction.
        **options
            Further options of the procedure. Without ``rng`` what is drawn at random is drawn with the study's seed.

        Returns
        -------
        record
            The procedure's own record; a positive estimate favours `a`.

        Raises
        ------
        ValueError
            If a name is unknown, an option does not fit, or no data set is left.
        """
        pair_asked = a is not None or b is not None
        row = find_study_procedure(procedure, n_models=2 if pair_asked else len(self.estimators))
        if pair_asked and not row.takes.startswith("pair"):
            raise ValueError(f"a and b must be left out for {row.name!r}, which is about all estimators")
        metric = self.metrics[0] if metric is None else metric
        self._metric(metric)
        if alternative is not None:
            check_alternative(alternative)
            if row.directed:
                options["alternative"] = alternative
            elif alternative != "two-sided":
                raise ValueError(f"alternative must be left out for {row.name!r}, which has none; got {alternative!r}")
        a, b = choose_pair(a, b, self.estimators)
        return self._run(row, metric, a, b, options)

    def compare(
        self,
        procedure: str = "signed_rank_test",
        *,
        metrics: str | Sequence[str] | None = None,
        baseline: str | None = None,
        correction: str = "holm",
        alternative: Alternative = "two-sided",
        rope: float | Mapping[str, float] | None = None,
    ) -> Comparison:
        """Test all pairs of estimators on several metrics over the data sets, under one error budget.

        Parameters
        ----------
        procedure : str, default="signed_rank_test"
            A test of two estimators with a p-value.
        metrics : str or sequence of str, optional
            All by default.
        baseline : str, optional
            Compare every other estimator (as `a`) with this one (as `b`) instead of all pairs.
        correction : str, default="holm"
            A method of `adjust_pvalues`, over all rows together.
        alternative : {"two-sided", "greater", "less"}, default="two-sided"
            ``"greater"``: `a` is better.
        rope : float or mapping of metric to float, optional
            Half width of the region of practical equivalence, in score units; adds the probabilities of
            `signed_rank_posterior` to every row of the metrics it names.

        Returns
        -------
        Comparison
            Its wins, ties and losses count data sets.

        Raises
        ------
        ValueError
            If a name is unknown, or an option out of range.
        """
        row = find_study_procedure(procedure, n_models=2)
        if row.returns != "test":
            raise ValueError(f"procedure must be a test of two models with a p-value; got {procedure!r}")
        check_alternative(alternative)
        check_choice(correction, "correction", CORRECTIONS)
        names = choose_metrics(metrics, self.metrics)
        widths = rope_widths(rope, names)
        cells = [(metric, a, b) for a, b in choose_pairs(baseline, self.estimators) for metric in names]
        records = [self._run_if_possible(row, *cell, alternative) for cell in cells]
        pvalues, n_known = adjusted([np.nan if record is None else record.pvalue for record in records], correction)
        return Comparison(
            rows=tuple(
                self._comparison_row(cell, record, p, alternative, widths.get(cell[0]))
                for cell, record, p in zip(cells, records, pvalues, strict=True)
            ),
            procedure=row.name,
            correction=correction,
            n_hypotheses=n_known,
            alternative=alternative,
        )

    def rank(self, metric: str | None = None, *, correction: str = "holm", alpha: float = 0.05) -> Ranking:
        """Rank the estimators on one metric: mean ranks, an omnibus test, and which of them are not told apart.

        Parameters
        ----------
        metric : str, optional
            The first by default.
        correction : str, default="holm"
            Of the pairwise signed-rank tests; ``"shaffer"`` and ``"bergmann"`` too.
        alpha : float, default=0.05
            Level of the groups.

        Returns
        -------
        Ranking
            Over the data sets on which every estimator has a score.

        Raises
        ------
        ValueError
            If the metric is unknown or no data set has scores of all estimators.
        """
        metric = self.metrics[0] if metric is None else metric
        table, doubts = self._table(metric)
        return rank_models(
            table,
            self.estimators,
            metric=metric,
            greater_is_better=self.greater_is_better[self._metric(metric)],
            correction=correction,
            alpha=alpha,
            doubts=doubts,
        )

    def dominance(
        self,
        method: str = "glrt",
        *,
        metrics: Sequence[str] | None = None,
        a: str | None = None,
        b: str | None = None,
        rope: float | Mapping[str, float] | None = None,
        **options: Any,
    ) -> DominanceTestResult | DominancePosterior | DominanceNetworkResult:
        """Test jointly on which metrics `a` is better than `b`; every data set is one independent case.

        Parameters
        ----------
        method : {"glrt", "dirichlet", "network"}, default="glrt"
            As in `EvaluationResult.dominance`.
        metrics : sequence of str, optional
            All by default, at most 12; at most 8 for the network.
        a, b : str, optional
            Estimators; the first and the second by default.
        rope : float or mapping of metric to float, optional
            Largest difference of two mean scores that is a tie, 0 by default, also of times: each is a mean over all
            splits of its data set.
        **options
            As in `EvaluationResult.dominance`.

        Returns
        -------
        DominanceTestResult, DominancePosterior or DominanceNetworkResult
            By `method`. The deciding p-value is exact.

        Raises
        ------
        ValueError
            If a name, the method or an option is unknown, or no data set has all scores.
        """
        check_options(method, options)
        a, b = choose_pair(a, b, self.estimators)
        names = check_metric_count(
            choose_metrics(metrics, self.metrics), MAX_NETWORK_METRICS if method == "network" else MAX_METRICS
        )
        scores = self._joint_scores(names, a, b, rope)
        record = dominance_of_scores(method, scores, names, n_effective=None, seed=self._seed, options=options)
        return replace(record, warnings=tuple(dict.fromkeys((*record.warnings, *scores.doubts))))

    def dominance_table(
        self,
        *,
        metrics: Sequence[str] | None = None,
        baseline: str | None = None,
        correction: str = "holm",
        rope: float | Mapping[str, float] | None = None,
    ) -> DominanceTable:
        """The joint verdict of every pair of estimators over the data sets, under one error budget.

        Parameters
        ----------
        metrics : sequence of str, optional
            All by default, at most 12.
        baseline : str, optional
            Compare every other estimator (as `a`) with this one (as `b`) instead of all pairs.
        correction : str, default="holm"
            A method of `adjust_pvalues`, over all pairs together.
        rope : float or mapping of metric to float, optional
            As in `dominance`.

        Returns
        -------
        DominanceTable
            One row per pair.

        Raises
        ------
        ValueError
            If a name or the correction is unknown.
        """
        check_choice(correction, "correction", CORRECTIONS)
        names = check_metric_count(choose_metrics(metrics, self.metrics))

        def both(a: str, b: str, metrics: tuple[str, ...]) -> Pair | tuple[str, ...]:
            try:
                test = self.dominance("glrt", metrics=metrics, a=a, b=b, rope=rope)
            except LackingDatasetsError as error:
                return (f"MISSING: {error}.",)
            posterior = self.dominance("dirichlet", metrics=metrics, a=a, b=b, rope=rope)
            assert isinstance(test, DominanceTestResult)
            assert isinstance(posterior, DominancePosterior)
            return test, posterior

        return dominance_table(
            [(a, b, names) for a, b in choose_pairs(baseline, self.estimators)], both, correction, folds=False
        )

    def pareto_front(
        self,
        *,
        metrics: Sequence[str] | None = None,
        rope: float | Mapping[str, float] | None = None,
        n_draws: int = 10_000,
        rng: Any = None,
    ) -> ParetoFront:
        """Which estimators no other one dominates on the means over the data sets.

        Parameters
        ----------
        metrics : sequence of str, optional
            All by default.
        rope : float or mapping of metric to float, optional
            Largest difference of two means, in score units, that is a tie; 0 by default.
        n_draws : int, default=10000
            Draws from the posterior of the means.
        rng : None, int or numpy Generator, optional
            The study's seed by default.

        Returns
        -------
        ParetoFront

        Raises
        ------
        ValueError
            If a metric is unknown, or no data set has all scores of all estimators.
        """
        names = choose_metrics(metrics, self.metrics)
        widths = rope_widths(rope, names)
        values = np.stack([self.means(name) for name in names], axis=2)
        whole, doubts = self._whole(np.isfinite(values).all(axis=(1, 2)), "all estimators on these metrics")
        front = pareto_front(
            values[whole].transpose(1, 0, 2),
            [self.greater_is_better[self._metric(name)] for name in names],
            rope=[widths.get(name, 0.0) for name in names],
            n_draws=n_draws,
            rng=self._seed if rng is None else rng,
            names=self.estimators,
            metrics=names,
        )
        doubts = (*doubts, *(doubt for name in names for doubt in self._split_doubts(name, self.estimators)))
        return replace(front, warnings=tuple(dict.fromkeys((*front.warnings, *doubts))))

    # ---- pictures -------------------------------------------------------------------------------------------

    def plot(self, kind: str = "differences", *, ax: Any = None, **options: Any) -> Any:
        """Draw one picture of this study; the short way to ``Display.from_result(...).plot(ax)``.

        Parameters
        ----------
        kind : str, default="differences"
            One of those in the guide, "Pictures", e.g. ``"critical_difference"`` or ``"datasets"``.
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
        """The study in words for a person: ranks, omnibus and pairwise verdicts, the joint verdict, the doubts."""
        return study_text.render(summarise_study(self))

    def to_markdown(self) -> str:
        """The mean scores and ranks of all models and the comparisons of all pairs as Markdown tables."""
        return markdown.render(summarise_study(self))

    def to_latex(self) -> str:
        """The mean scores and ranks of all models and the comparisons of all pairs as LaTeX tables for booktabs.

        The best of every column is bold; a dagger marks the models that are worse than the one with the best mean rank,
        a double dagger those that are better all the same, by the p-values adjusted over all pairs and metrics. More
        than 45 comparisons are left to ``compare().to_latex()``.

        Returns
        -------
        str
            ``table`` environments, long notes below them. Names are escaped, long ones numbered with a key; those
            outside Latin need xelatex or lualatex.
        """
        return latex.render(summarise_study(self))

    def to_json(self) -> str:
        """The study as strict JSON, null where a number is not finite; ``schemas/study.schema.json`` describes it."""
        return study_json(self, summarise_study(self))

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
        """
        comparison = self.compare(procedure, correction=correction)
        facts = study_facts(self, comparison, study_joint_rows(self, correction))
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
        page = html.render(study_report(self, summarise_study(self)))
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
        """
        header, arrays = study_to_archive(self)
        write_archive(path, header, arrays)

    def log_to_mlflow(self, *, run_id: str | None = None, prefix: str = "") -> str:
        """Log the study to MLflow: into the run given, else the active run, else a new one that ends with the call.

        Metrics are the mean scores and ranks, the differences ``a - b`` and the adjusted p-values, e.g.
        ``difference/accuracy/nb/tree``, and those of the joint verdicts; in names what MLflow does not take becomes
        ``_``, and values that are not finite are left out, which the tag ``not_logged`` says. Parameters are the
        design, the seed and the models; tags are the verdict in words, the doubts and the versions; artifacts are
        ``result.skc``, which `skcompare.load` reads, ``report.html`` and ``result.json``. Where it goes is MLflow's
        tracking URI.

        Parameters
        ----------
        run_id : str, optional
            A run of the tracking server; it is left open or closed, as it is.
        prefix : str, default=""
            Put before every name, e.g. ``"cv/"``, so that one run can hold several studies: at most 40 letters, digits,
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
        return log_run(
            summarise_study(self), provenance=self.provenance, files=files_of(self), run_id=run_id, prefix=prefix
        )

    # ---- private --------------------------------------------------------------------------------------------

    @property
    def _seed(self) -> int:
        return self.provenance.get("random_state") or 0

    def _run_if_possible(self, row: StudyProcedure, metric: str, a: str, b: str, alternative: str) -> Any:
        try:
            return self._run(row, metric, a, b, {"alternative": alternative} if row.directed else {})
        except LackingDatasetsError:
            return None

    def _run(self, row: StudyProcedure, metric: str, a: str, b: str, options: Mapping[str, Any]) -> Any:
        """Run a procedure on the data sets that have the scores it takes."""
        greater = self.greater_is_better[self._metric(metric)]
        _check_options(row, options)
        if "rng" in signature(row.function).parameters:
            options = {"rng": self._seed, **options}
        if row.takes == "pair":
            scores_a, scores_b, doubts = self._paired(metric, a, b)
            arguments: tuple[Any, ...] = (scores_a, scores_b)
        elif row.takes == "pair splits":
            scores_a, scores_b, fraction, doubts = self._paired_splits(metric, a, b)
            arguments = (scores_a, scores_b)
            options = {"test_fraction": fraction, **options}
        else:
            gaps = row.takes == "table with gaps"
            table, doubts = self._table(metric, gaps=gaps)
            arguments = (table,)
            options = {"greater_is_better": greater, "names": self.estimators, **options}
        record = row.function(*arguments, **options)
        return replace(record, warnings=tuple(dict.fromkeys((*record.warnings, *doubts))))

    def _oriented(self, metric: str, estimator: str) -> FloatArray:
        sign = 1.0 if self.greater_is_better[self._metric(metric)] else -1.0
        return sign * self.means(metric)[:, self.estimators.index(estimator)]

    def _paired(self, metric: str, a: str, b: str) -> tuple[FloatArray, FloatArray, tuple[str, ...]]:
        scores_a, scores_b = self._oriented(metric, a), self._oriented(metric, b)
        whole, doubts = self._whole(np.isfinite(scores_a) & np.isfinite(scores_b), f"{metric} of {a!r} and {b!r}")
        return scores_a[whole], scores_b[whole], (*doubts, *self._split_doubts(metric, (a, b)))

    def _paired_splits(self, metric: str, a: str, b: str) -> tuple[FloatArray, FloatArray, float, tuple[str, ...]]:
        """Scores of shape (n_datasets, n_splits) of the data sets on which both have all of them."""
        if not self.designs:
            raise ValueError("this procedure needs the scores of the splits; this study has one score per data set")
        fractions = [design.test_fraction for design in self.designs]
        if len({design.n_splits for design in self.designs}) > 1 or np.ptp(fractions) > 0.01:
            shapes = sorted({design.name for design in self.designs})
            raise ValueError(f"this procedure needs one design for all data sets; got {', '.join(shapes)}")
        m = self._metric(metric)
        sign = 1.0 if self.greater_is_better[m] else -1.0
        splits = [sign * self.scores[:, self.estimators.index(name), :, m] for name in (a, b)]
        whole, doubts = self._whole(np.isfinite(splits).all(axis=(0, 2)), f"{metric} of {a!r} and {b!r} on all splits")
        doubts = (*doubts, *self._split_doubts(metric, (a, b)))
        return splits[0][whole], splits[1][whole], float(np.mean(fractions)), doubts

    def _table(self, metric: str, *, gaps: bool = False) -> tuple[FloatArray, tuple[str, ...]]:
        """Mean scores of all estimators, on the data sets that have all of them unless `gaps` are allowed."""
        table, found = self.means(metric), self._split_doubts(metric, self.estimators)
        if gaps:
            return table, (*self.warnings, *found)
        whole, doubts = self._whole(np.isfinite(table).all(axis=1), f"{metric} of all estimators")
        return table[whole], (*doubts, *found)

    def _split_doubts(self, metric: str, estimators: Sequence[str]) -> tuple[str, ...]:
        """What is wrong with splits of the data sets, one line per kind and estimator."""
        found: dict[tuple[str, str], list[str]] = {}
        for dataset, result in self.results.items():
            for estimator in estimators:
                for doubt in result._doubts(metric, estimator):
                    if doubt not in result.warnings:
                        found.setdefault((doubt.split(":")[0], estimator), []).append(f"{dataset!r}: {doubt}")
        return tuple(
            f"{code}: {metric} of {estimator!r} on {len(doubts)} data set(s); the first is {doubts[0]}"
            for (code, estimator), doubts in found.items()
        )

    def _joint_scores(
        self, names: tuple[str, ...], a: str, b: str, rope: float | Mapping[str, float] | None
    ) -> JointScores:
        widths = rope_widths(rope, names)
        scores = [np.stack([self._oriented(name, estimator) for name in names], axis=1) for estimator in (a, b)]
        whole, doubts = self._whole(np.isfinite(scores).all(axis=(0, 2)), f"{a!r} and {b!r} on these metrics")
        return JointScores(
            a=scores[0][whole],
            b=scores[1][whole],
            rope=tuple(widths.get(name, 0.0) for name in names),
            n_distinct=int(whole.sum()),
            doubts=(*doubts, *(doubt for name in names for doubt in self._split_doubts(name, (a, b)))),
        )

    def _whole(self, whole: Any, what: str) -> tuple[Any, tuple[str, ...]]:
        """The data sets to use, with a doubt that names the others."""
        if not whole.any():
            raise LackingDatasetsError(f"no data set has scores of {what}")
        lacking = [name for name, there in zip(self.datasets, whole, strict=True) if not there]
        if not lacking:
            return whole, self.warnings
        shown = ", ".join(map(repr, lacking[:5])) + (", ..." if len(lacking) > 5 else "")
        doubt = f"MISSING: {len(lacking)} of {len(self.datasets)} data sets lack {what} and are left out ({shown})."
        return whole, (*self.warnings, doubt)

    def _comparison_row(
        self, cell: tuple[str, str, str], record: Any, adjusted: float, alternative: str, rope: float | None
    ) -> ComparisonRow:
        metric, a, b = cell
        nan = float("nan")
        if record is None:
            scores_a = scores_b = np.empty(0)
            doubts: tuple[str, ...] = (f"MISSING: no data set has scores of {metric} of {a!r} and {b!r}.",)
        else:
            scores_a, scores_b, doubts = self._paired(metric, a, b)
        sign = 1.0 if self.greater_is_better[self._metric(metric)] else -1.0
        interval = record.confidence_interval() if hasattr(record, "confidence_interval") else None
        posterior = None
        if rope is not None and record is not None:
            posterior = signed_rank_posterior(scores_a, scores_b, rope=rope, rng=self._seed)
        estimate = nan if record is None else record.estimate
        return ComparisonRow(
            metric=metric,
            a=a,
            b=b,
            mean_a=sign * float(scores_a.mean()) if scores_a.size else nan,
            mean_b=sign * float(scores_b.mean()) if scores_b.size else nan,
            estimate=estimate,
            low=interval.low if interval else nan,
            high=interval.high if interval else nan,
            pvalue=nan if record is None else record.pvalue,
            pvalue_adjusted=adjusted,
            verdict=verdict(adjusted, nan if record is None else _lead(record), a, b, alternative),
            effect_size=nan if record is None else record.effect_size,
            **wins_and_losses(scores_a, scores_b),
            left=posterior.left if posterior else None,
            rope=posterior.rope if posterior else None,
            right=posterior.right if posterior else None,
            warnings=doubts if record is None else record.warnings,
        )

    def _metric(self, name: str) -> int:
        check_choice(name, "metric", self.metrics)
        return self.metrics.index(name)


class LackingDatasetsError(ValueError):
    """No data set has the scores of some estimators; others may have theirs."""


def _lead(record: Any) -> float:
    """Positive where a record speaks for the first model; a median difference can be 0 where a test is not."""
    if isinstance(record, SignedRankResult):
        return record.rank_sum_a - record.rank_sum_b
    return float(record.wins - record.losses) if isinstance(record, SignTestResult) else float(record.estimate)


_FROM_STUDY = ("alternative", "greater_is_better", "names", "test_fraction")


def _check_options(row: StudyProcedure, options: Mapping[str, Any]) -> None:
    """Raise ValueError for an option that a procedure does not have, that the study sets, or that is lacking."""
    keywords = {n: p for n, p in signature(row.function).parameters.items() if p.kind is Parameter.KEYWORD_ONLY}
    names = [name for name in keywords if name not in _FROM_STUDY]
    for name in options:
        if name not in names and not (row.directed and name == "alternative"):
            why = "is set by the study for" if name in _FROM_STUDY else "is no option of"
            raise ValueError(f"{name} {why} {row.name!r}, which takes {', '.join(names) or 'none'}")
    for name in names:
        if keywords[name].default is Parameter.empty and name not in options:
            raise ValueError(f"{name} must be given for {row.name!r}")
