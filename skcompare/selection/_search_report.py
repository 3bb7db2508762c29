"""SearchReport: what a fitted search can claim about its candidates."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import Design
from skcompare._core.frames import import_pandas
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_choice, check_integer, check_number
from skcompare._reportable import Comparison
from skcompare.comparison.dominance_table import DominanceTable
from skcompare.inference.fold_scores.model_confidence_set import ModelConfidenceSet, model_confidence_set
from skcompare.inference.fold_scores.selection_bias import SelectionBiasResult, selection_bias
from skcompare.reporting import html, notebook, search_html, search_tables, search_text, search_verdict
from skcompare.results import EvaluationResult
from skcompare.selection._effects import ParameterEffect, parameter_effects
from skcompare.selection._search import SearchScores, read_search
from skcompare.selection._search_page import search_page, search_summary
from skcompare.selection._search_ranking import RANKING_TEST, Candidate, rank_candidates
from skcompare.selection._search_summary import summarise_search

LEADERS = 10
FEW_SPLITS = 5
MAX_NAMED = 3


@dataclass(frozen=True, eq=False, slots=True, kw_only=True, repr=False)
class SearchReport(Record):
    """What a fitted search can claim about its candidates; made by `from_search`.

    Attributes
    ----------
    ranking : tuple of Candidate
        All candidates, the best first, those that failed last.
    names : tuple of str
        The candidates in the order of ``cv_results_``.
    params : tuple of mapping
        Their parameters.
    metrics : tuple of str
        What they were scored by, greater is better: the keys of ``cv_results_``; a single one by the name given as
        `scoring`, "score" where that is no name.
    metric : str
        The one that decides.
    design : Design
        How the data was resampled.
    scores : ndarray of shape (n_candidates, n_splits, n_metrics)
        float64, read-only; nan where a fit failed. The splits are in scikit-learn's order.
    confidence_set : ModelConfidenceSet
        The candidates that are not told apart from the best, of those that did not fail.
    selection_bias : SelectionBiasResult
        How much too good the best mean is, since it was picked, and the bias-corrected score.
    effects : tuple of ParameterEffect
        What each parameter does to the deciding metric, the largest share of the variance first.
    alpha : float
        Level of "told apart", in (0, 1).
    search : str
        The search in words.
    warnings : tuple of str
        Reasons to doubt the report, each a code, a colon and a sentence.
    provenance : mapping
        What it takes to run the search again.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcompare import SearchReport
    >>> tree, grid = DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3, 5], "min_samples_leaf": [1, 20]}
    >>> search = GridSearchCV(tree, grid, scoring="roc_auc", cv=10).fit(*load_breast_cancer(return_X_y=True))
    >>> report = SearchReport.from_search(search)
    >>> report.best.name
    'max_depth=5, min_samples_leaf=20'
    >>> [candidate.rank for candidate in report.not_significantly_different()]
    [1, 2, ...]
    """

    ranking: tuple[Candidate, ...]
    names: tuple[str, ...]
    params: tuple[Mapping[str, Any], ...]
    metrics: tuple[str, ...]
    metric: str
    design: Design
    scores: FloatArray
    confidence_set: ModelConfidenceSet
    selection_bias: SelectionBiasResult
    effects: tuple[ParameterEffect, ...]
    alpha: float
    search: str
    warnings: tuple[str, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    _read: SearchScores = field(repr=False)

    def _repr_html_(self) -> str:
        return notebook.render_search(search_summary(self))

    @classmethod
    def from_search(
        cls,
        search: Any,
        X: Any = None,
        y: Any = None,
        *,
        groups: Any = None,
        metric: str | None = None,
        alpha: float = 0.05,
        test_fraction: float | None = None,
    ) -> SearchReport:
        """Read a fitted search.

        The tests need to know how much the training sets overlap, and so the sizes of the training and test sets.
        k-fold and its relatives, random splits of samples with shares as sizes, `PredefinedSplit` and lists of
        (train, test) tell them; of any other splitter give `X` and `y`, from which the splits are drawn as the search
        drew them, or `test_fraction`.

        Parameters
        ----------
        search : GridSearchCV, RandomizedSearchCV, a halving search or another object with ``cv_results_`` and ``cv``
            Fitted. Of a halving search the last round with two or more candidates is read.
        X : array-like of shape (n_samples, n_features), optional
            The data it was fitted with.
        y : array-like of shape (n_samples,), optional
            Its target; to be given with `X` where the splits depend on it.
        groups : array-like of shape (n_samples,), optional
            What the splitter was given.
        metric : str, optional
            What decides; by default the one that `refit` names, or a rule as `refit` (of several its first), or else
            the first.
        alpha : float, default=0.05
            Probability with which one or more of the best candidates may be called worse, in (0, 1).
        test_fraction : float, optional
            Test size over train plus test size, in (0, 1), where nothing else tells it.

        Returns
        -------
        SearchReport
            Candidates without a score of the deciding metric on some split are ranked last and left out of the tests;
            `warnings` names them.

        Raises
        ------
        NotFittedError
            If the search is not fitted; a ValueError.
        ValueError
            If it is no search, fewer than two candidates or splits have scores, the sizes of the splits are not known
            or contradict the scores, the data is not that of the search, or an argument does not fit.
        """
        alpha = check_number(alpha, "alpha", low=0, high=1, closed="neither")
        read = read_search(search, X, y, groups, test_fraction)
        return _report(read, read.refit_metric if metric is None else metric, alpha)

    def by_metric(self, metric: str) -> SearchReport:
        """The report of the same search where another metric decides; ValueError for an unknown name."""
        return _report(self._read, metric, self.alpha)

    @property
    def best(self) -> Candidate:
        """The candidate with the best mean; the first of several."""
        return self.ranking[0]

    def not_significantly_different(self) -> tuple[Candidate, ...]:
        """The candidates that are not told apart from the best at the report's level, it among them, best first."""
        return tuple(row for row in self.ranking if not row.significantly_different and np.isfinite(row.pvalue))

    def settings(self) -> dict[str, tuple[str | None, ...]]:
        """For every parameter that varies the values in words, in the order of `names`; None where one lacks it."""
        return dict(self._read.labels)

    # ---- questions ------------------------------------------------------------------------------------------

    def result(self, candidates: int | Sequence[str | Candidate] = LEADERS) -> EvaluationResult:
        """The leading candidates, or those named, as an evaluation: to test, compare, draw and save.

        Parameters
        ----------
        candidates : int or sequence of str or Candidate, default=10
            How many of the ranking, at least 2; or which, two or more.

        Returns
        -------
        EvaluationResult
            Without predictions and times. Its tests adjust for the candidates in it only, and it says so.

        Raises
        ------
        ValueError
            If `candidates` is less than 2, fewer than two names, or has an unknown name or one twice.
        """
        chosen = self._chosen(candidates)
        places = [self.names.index(name) for name in chosen]
        times = np.full((len(chosen), self.design.n_splits), np.nan)
        return EvaluationResult(
            estimators=chosen,
            metrics=self.metrics,
            greater_is_better=(True,) * len(self.metrics),
            design=self.design,
            scores=self.scores[places],
            fit_times=times,
            score_times=times.copy(),
            warnings=(*self._read.doubts, *self._selected(len(chosen))),
            provenance=self.provenance,
            single_metric=len(self.metrics) == 1,
            kept_splits=self._read.splits,
            kept_predictions=None,
        )

    def compare(
        self,
        candidates: int | Sequence[str | Candidate] = LEADERS,
        *,
        metrics: str | Sequence[str] | None = None,
        baseline: str | None = None,
        correction: str = "holm",
        rope: float | Mapping[str, float] | None = None,
        procedure: str = RANKING_TEST,
    ) -> Comparison:
        """Test all pairs of some candidates by the corrected t test, on which the ranking rests too.

        Parameters
        ----------
        candidates : int or sequence of str or Candidate, default=10
            How many of the ranking, at least 2; or which, two or more.
        metrics : str or sequence of str, optional
            All by default.
        baseline : str, optional
            Compare every other candidate (as `a`) with this one (as `b`) instead of all pairs.
        correction : str, default="holm"
            A method of `adjust_pvalues`, over all rows together. It does not allow for how the candidates were chosen;
            the p-values of the ranking do.
        rope : float or mapping of metric to float, optional
            Half width of the region of practical equivalence, in score units; adds the posterior probabilities that
            `b` is better, the two are equivalent and `a` is better.
        procedure : str, default="corrected_t_test"
            Another test, as in `EvaluationResult.compare`; ``"auto"`` is the default there for the design, on one run
            of k-fold the less conservative `k_fold_t_test`.

        Returns
        -------
        Comparison
            One row per pair and metric; the sign is ``a - b``.

        Raises
        ------
        ValueError
            If a name is unknown or an option out of range.
        """
        return self.result(candidates).compare(
            procedure, metrics=metrics, baseline=baseline, correction=correction, rope=rope
        )

    def dominance_table(
        self,
        candidates: int | Sequence[str | Candidate] = LEADERS,
        *,
        metrics: Sequence[str] | None = None,
        baseline: str | None = None,
        correction: str = "holm",
        rope: float | Mapping[str, float] | None = None,
    ) -> DominanceTable:
        """The joint verdict on all metrics of every pair of some candidates, as `EvaluationResult.dominance_table`.

        Parameters
        ----------
        candidates : int or sequence of str or Candidate, default=10
            How many of the ranking, at least 2; or which, two or more.
        metrics : sequence of str, optional
            All by default; at most 12.
        baseline : str, optional
            Compare every other candidate (as `a`) with this one (as `b`) instead of all pairs.
        correction : str, default="holm"
            A method of `adjust_pvalues`, over all pairs together.
        rope : float or mapping of metric to float, optional
            Largest difference that is a tie, in score units; 0 by default.

        Returns
        -------
        DominanceTable
            One row per pair.

        Raises
        ------
        ValueError
            If a name is unknown or an option out of range.
        """
        result = self.result(candidates)
        return result.dominance_table(metrics=metrics, baseline=baseline, correction=correction, rope=rope)

    # ---- pictures -------------------------------------------------------------------------------------------

    def plot(self, kind: str = "candidates", *, ax: Any = None, **options: Any) -> Any:
        """Draw one picture of the search, or of its leading candidates.

        Parameters
        ----------
        kind : str, default="candidates"
            ``"candidates"``, ``"parameters"`` or ``"heatmap"`` of the search, or one of an evaluation's kinds in the
            guide, "Pictures", e.g. ``"scores"`` or ``"differences"``, of the candidates that ``result`` gives.
        ax : matplotlib.axes.Axes, optional
            Where to draw; axes of a figure of their own by default.
        **options
            What the Display's ``from_result`` takes. Of an evaluation's kinds also ``candidates``, as in ``result``;
            their `metric` is the one that decides unless another is given.

        Returns
        -------
        Display
            Drawn: with ``ax_``, ``figure_`` and ``frame()``.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If there is no such kind, an option is unknown, or the search lacks what the picture shows.
        """
        from skcompare.plotting._kinds import make_search_display

        return make_search_display(self, self.result, kind, options).plot(ax)

    # ---- reports --------------------------------------------------------------------------------------------

    def summary(self) -> str:
        """The report in words for a person: the verdict, the ten leading candidates, the parameters, the doubts."""
        return search_text.search_text_report(summarise_search(self))

    def to_frame(self) -> Any:
        """The ranking as a pandas DataFrame, one row per candidate, the fields of `Candidate` as columns."""
        pandas = import_pandas()
        names = [column.name for column in fields(Candidate)]
        return pandas.DataFrame([[getattr(row, name) for name in names] for row in self.ranking], columns=names)

    def to_markdown(self, candidates: int | None = None) -> str:
        """The ranking as a Markdown table, the best in bold and a dagger at those that are worse.

        Parameters
        ----------
        candidates : int, optional
            How many of the ranking; all by default.

        Returns
        -------
        str
            The table and its legend; the doubts as a list.

        Raises
        ------
        ValueError
            If `candidates` is less than 1.
        """
        return search_tables.search_markdown(summarise_search(self, _check_rows(candidates)))

    def to_latex(self, candidates: int | None = None) -> str:
        """The ranking as a LaTeX table for booktabs, the best in bold and a dagger at those that are worse.

        Parameters
        ----------
        candidates : int, optional
            How many of the ranking; all by default. More than 40 become a ``longtable``.

        Returns
        -------
        str
            The table, names escaped; the doubts as notes below it.

        Raises
        ------
        ValueError
            If `candidates` is less than 1.
        """
        return search_tables.search_latex(summarise_search(self, _check_rows(candidates)))

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """The report as one HTML page that works offline; needs jinja2 and matplotlib.

        It holds the verdict, the ranking of all candidates, pictures, and the comparison of the ten leading ones with
        the controls of the page of an evaluation.

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
        page = search_html.search_html_page(search_page(self))
        if path is not None:
            html.write(path, page)
        return page

    # ---- private --------------------------------------------------------------------------------------------

    def _sentence(self) -> str:
        return " ".join(search_verdict.sentences(summarise_search(self)))

    def _chosen(self, candidates: int | Sequence[str | Candidate]) -> tuple[str, ...]:
        if isinstance(candidates, (int, np.integer)):
            n = check_integer(candidates, "candidates", low=2)
            return tuple(row.name for row in self.ranking[:n] if np.isfinite(row.pvalue))
        if isinstance(candidates, str) or not isinstance(candidates, Sequence):
            raise ValueError(f"candidates must be an integer or names of candidates; got {candidates!r:.80}")
        names = tuple(each.name if isinstance(each, Candidate) else each for each in candidates)
        for name in names:
            if name not in self.names:
                check_choice(name, "candidates", self.names[:LEADERS])
        if len(names) < 2 or len(set(names)) < len(names):
            raise ValueError(f"candidates must name two or more candidates, each once; got {list(names)!r:.200}")
        return names

    def _selected(self, n: int) -> tuple[str, ...]:
        n_all = len(self.names)
        if n == n_all:
            return ()
        return (
            f"SELECTED: {n} of {n_all} candidates of a search; p-values here are adjusted for these {n} only, as if "
            f"they had been chosen without a look at the scores. Those of the report allow for all {n_all}.",
        )


def _check_rows(candidates: int | None) -> int | None:
    return None if candidates is None else check_integer(candidates, "candidates", low=1)


# ---- made from scores -----------------------------------------------------------------------------------------


def _report(read: SearchScores, metric: str, alpha: float) -> SearchReport:
    """The report of a search by one of its metrics."""
    check_choice(metric, "metric", read.metrics)
    deciding = read.scores[:, :, read.metrics.index(metric)]
    used, whole = _complete(deciding, metric)
    scores = deciding[whole][:, used]
    names = tuple(name for name, there in zip(read.names, whole, strict=True) if there)
    fraction = read.design.test_fraction
    confidence_set = model_confidence_set(scores.T, test_fraction=fraction, names=names)
    bias = selection_bias(scores.T, n_folds=_folds_per_repeat(read.design, used), test_fraction=fraction, names=names)
    labels = {name: _taken(column, whole) for name, column in read.labels.items()}
    params = _taken(read.params, whole)
    doubts = [*read.doubts, *_missing(read.names, used, whole, metric), *_few(int(used.sum()))]
    return SearchReport(
        ranking=rank_candidates(read, scores, whole, confidence_set, alpha),
        names=read.names,
        params=read.params,
        metrics=read.metrics,
        metric=metric,
        design=read.design,
        scores=read.scores,
        confidence_set=confidence_set,
        selection_bias=bias,
        effects=parameter_effects(params, labels, scores, fraction),
        alpha=alpha,
        search=read.search,
        warnings=tuple(dict.fromkeys([*doubts, *confidence_set.warnings, *bias.warnings])),
        provenance=read.provenance,
        _read=read,
    )


def _folds_per_repeat(design: Design, used: NDArray[np.bool_]) -> int:
    """How many of the used splits make a repeat; repeats with gaps count as overlapping splits."""
    if used.all():
        return design.n_folds
    return int(used.sum()) if design.n_repeats == 1 else 1


def _taken(column: Sequence[Any], whole: NDArray[np.bool_]) -> tuple[Any, ...]:
    return tuple(value for value, there in zip(column, whole, strict=True) if there)


def _complete(scores: FloatArray, metric: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The splits on which some candidate has a score, and the candidates that have one on all of these."""
    finite = np.isfinite(scores)
    used: NDArray[np.bool_] = np.any(finite, axis=0)
    whole: NDArray[np.bool_] = np.all(finite[:, used], axis=1) & used.any()
    if whole.sum() < 2 or used.sum() < 2:
        raise ValueError(
            f"search must have two candidates with a {metric} on every split that has any; got {int(whole.sum())} of "
            f"{len(scores)} on {int(used.sum())} of {len(used)} splits"
        )
    return used, whole


def _missing(names: Sequence[str], used: NDArray[np.bool_], whole: NDArray[np.bool_], metric: str) -> list[str]:
    """What is left out, and why."""
    doubts = []
    if not used.all():
        doubts.append(
            f"UNDEFINED: {metric} has no value for any candidate on {int((~used).sum())} of {len(used)} splits, which "
            f"are left out."
        )
    failed = [name for name, there in zip(names, whole, strict=True) if not there]
    if failed:
        more = f" and {len(failed) - MAX_NAMED} more" if len(failed) > MAX_NAMED else ""
        doubts.append(
            f"FAILED: {len(failed)} of {len(names)} candidates lack a score and are ranked last, untested: "
            f"{'; '.join(failed[:MAX_NAMED])}{more}."
        )
    return doubts


def _few(n_splits: int) -> list[str]:
    if n_splits >= FEW_SPLITS:
        return []
    return [f"FEW_SPLITS: {n_splits} splits hardly tell how much the scores vary; few differences can be shown."]
