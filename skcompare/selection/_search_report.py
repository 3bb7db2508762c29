"""SearchReport: what a fitted search can claim about its candidates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

import numpy as np

from skcompare._answers import Answer, Comparison, Ranking
from skcompare._core.document import Document
from skcompare._core.frames import frame_of
from skcompare._core.numbers import listed
from skcompare._core.record import picked
from skcompare._core.validation import check_integer, check_number, old_names
from skcompare._core.warnings import Code, CodedWarning
from skcompare._reportable import Detail, drawn
from skcompare.comparison.dominance import DominanceTable
from skcompare.comparison.error_rates import fragile_warnings
from skcompare.comparison.table import ComparisonRow, ComparisonTable, Family, Outcome, unvarying
from skcompare.plotting._display import Display
from skcompare.plotting._kinds import make_display, make_search_display
from skcompare.reporting import latex, markdown, page
from skcompare.reporting.search import FoundSearch, opening, search_document
from skcompare.scores.evaluation import EvaluationScores
from skcompare.selection._ranking import LEADERS, Candidate, SearchFindings, search_answer
from skcompare.selection._search import kept_search, read_search

if TYPE_CHECKING:
    from skcompare._core.frames import DataFrame
    from skcompare._typed import Correction, TestOfResult
    from skcompare._typed import OfSearch as Readable
else:
    from skcompare._reportable import Readable

# What the report of a search shows, computed once as plain values, and its page with drawn Displays.


MOST_ROWS = 2000  # candidates in the table of a page
# Kinds of plots, and what each shows.
SEARCH_FIGURES = {
    "candidates": "The candidates in their ranking. Filled: not significantly different from the best. A bar is the "
    "interval of the difference to the best; it leaves out the line where the candidate is significantly worse.",
    "parameters": "The mean score by the values of each parameter, averaged over all other settings.",
    "heatmap": "The two parameters with the largest effects at once.",
}
LEADER_FIGURES = {
    "scores": "The score of every leading candidate on every split; lines join the scores of one split.",
    "pareto": "Two metrics at once: the leading candidates that no other of them beats on both.",
}


def _at_ends(report: SearchFindings) -> Iterator[CodedWarning]:
    """That the best candidate has an end of the values tried, where none of those that share its lead has another."""
    alike = [row.params for row in report.ranking if np.isfinite(row.mean) and not row.significantly_different]
    for name, told in report._ends:
        if all(params.get(name) == report.best.params[name] for params in alike):
            yield Code.NOT_CONVERGED(f"{told}, and no other value shares the lead: widen the grid.")


def _against_best(report: SearchFindings) -> ComparisonTable:
    """The best against each other candidate that did not fail, as the ranking decides."""
    best, on = report.best, report.metric
    k = max(2, len([row for row in report.ranking if np.isfinite(row.mean) and not row.same_as]))
    n, method, unknown = k * (k - 1) // 2, report.confidence_set.method, float("nan")
    family = Family(name="first", metrics=(on,), n=n, level=1 - report.alpha / n)
    same: dict[str, Any] = {"metric": on, "a": best.name, "mean_a": best.mean, "procedure": method}
    same |= {"effect_size": unknown, "probability_of_superiority": unknown, "confidence_level": family.level}
    same |= dict.fromkeys(("wins", "ties", "losses"), 0)
    rows = tuple(
        ComparisonRow(
            b=row.name,
            mean_b=row.mean,
            estimate=0.0 - row.difference,
            low=0.0 - row.high,
            high=0.0 - row.low,
            **picked(row, "pvalue", "open_at_null", "fragile"),
            pvalue_adjusted=row.pvalue,
            outcome=_outcome(row),
            winner=best.name if row.significantly_different else None,
            warnings=() if np.isfinite(row.pvalue) else (unvarying(-row.difference, "splits"),),
            **same,
        )
        for row in report.ranking[1:]
        if np.isfinite(row.mean)
    )
    shared: dict[str, Any] = {"alternative": "two-sided", "alpha": report.alpha, "families": (family,)}
    shared["halves"] = "assumed_design" in report.provenance
    return ComparisonTable(rows=rows, procedure=method, correction="bonferroni", n_hypotheses=n, **shared)


def _outcome(row: Candidate) -> Outcome:
    """Of the best against a candidate."""
    if not np.isfinite(row.pvalue):
        return Outcome.NOT_COMPARABLE
    return Outcome.BETTER if row.significantly_different else Outcome.UNDECIDED


def _effect_warnings(report: SearchFindings) -> list[CodedWarning]:
    """The warnings about the parameters: one that all share is said once, of others the first few."""
    found = [warning for effect in report.effects for warning in effect.warnings]
    code = Code.UNBALANCED.name
    unbalanced = [one.parameter for one in report.effects if any(warning.code == code for warning in one.warnings)]
    if len(unbalanced) < 2:
        return found
    differing = "candidates that differ in one of these also differ in others"
    shared = Code.UNBALANCED(f"{differing}, and an additive model separates their effects.", about=unbalanced)
    return [*(warning for warning in found if warning.code != code), shared.at(listed(unbalanced, 3))]


# ---- the leading candidates as a result -------------------------------------------------------------------------


def _short_names(report: SearchFindings, names: Sequence[str]) -> tuple[str, ...]:
    """The place of candidates in the ranking and their values, the parameters with the largest effects first."""
    settings, ranked = report.settings(), [row.name for row in report.ranking]
    places = map(report.names.index, names)
    values = [", ".join(settings[effect.parameter][i] or "–" for effect in report.effects) for i in places]
    return tuple(f"#{ranked.index(name) + 1} ({own or name})" for name, own in zip(names, values, strict=True))


class SearchReport(Readable, SearchFindings, eq=False):
    """What a fitted search can claim about its candidates.

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
        The candidates that are not significantly different from the best, of those that did not fail.
    selection_bias : SelectionBiasResult
        The selection bias of the best mean, which was picked for being high, and the bias-corrected score.
    effects : tuple of ParameterEffect
        What each parameter does to the deciding metric, the largest share of the variance first.
    alpha : float
        Level of "significantly different", in (0, 1).
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

    _first_kind: ClassVar[str] = "candidates"

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
            Fitted; `OptunaSearchCV` too. Of a halving search the last round with two or more candidates is read.
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
            Probability with which one or more of the best candidates may be called significantly worse, in (0, 1).
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
        return cls.of(read, read.refit_metric if metric is None else metric, alpha)

    @classmethod
    def read(
        cls,
        source: Any,
        *,
        cv: Any = None,
        metric: str | None = None,
        greater_is_better: bool | Mapping[str, bool] | None = None,
        alpha: float = 0.05,
        test_fraction: float | None = None,
    ) -> SearchReport:
        """Read a search from its ``cv_results_`` in a file, or from a study of Optuna.

        Parameters
        ----------
        source : path, table or study
            A CSV or JSON file of ``cv_results_``, a data frame or mapping of its columns, a `Study` of Optuna, or what
            its `trials_dataframe` gives, also as CSV. Parameters are read from ``params``, their text, or from columns
            ``param_*``. Of a study the scores of the splits stand in user attributes, ``split0_test_score`` and so on
            as `OptunaSearchCV` keeps them, ``rep0_fold1`` of repeats, or a list whose mean is the value of the trial.
        cv : int or splitter, optional
            As the search had it. By default its splits are taken for one k-fold cross-validation, with a warning.
        metric : str, optional
            What decides; the first by default. A single metric that the table calls "score" gets this name.
        greater_is_better : bool or mapping of metric to bool, optional
            As in `from_cross_validate`. A metric of which less is better has its sign turned, and ``"neg_"`` before
            its name.
        alpha : float, default=0.05
            As in `from_search`.
        test_fraction : float, optional
            Test size over train plus test size, in (0, 1), of random splits.

        Returns
        -------
        SearchReport
            The report that `from_search` makes of the search itself, where `cv` is given.

        Raises
        ------
        ValueError
            If `source` holds no search, or for the reasons of `from_search`.

        Examples
        --------
        >>> from skcompare import SearchReport
        >>> table = {
        ...     "params": ["{'max_depth': 1}", "{'max_depth': 3}"],
        ...     **{f"split{i}_test_score": [0.90 + 0.01 * (i % 2), 0.95] for i in range(5)},
        ... }
        >>> report = SearchReport.read(table, cv=5, metric="accuracy")
        >>> report.best.name, report.metric
        ('max_depth=3', 'accuracy')
        """
        kept = source
        if not hasattr(source, "cv_results_"):
            kept = kept_search(source, cv, metric, test_fraction, greater_is_better)
        return cls.from_search(kept, metric=metric, alpha=alpha, test_fraction=test_fraction)

    def by_metric(self, metric: str) -> SearchReport:
        """The report of the same search where another metric decides; ValueError for an unknown name."""
        return self.of(self._read, metric, self.alpha)

    # ---- questions ------------------------------------------------------------------------------------------

    def answer(self) -> Answer:
        """What the ranking says: the best candidate, and which others are significantly worse.

        Returns
        -------
        Answer
            Of the deciding metric, the candidates in the order of the ranking; `pairs` are those of the best. It
            prints as the first line of `summary`.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.model_selection import GridSearchCV
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcompare import SearchReport
        >>> tree = DecisionTreeClassifier(random_state=0)
        >>> search = GridSearchCV(tree, {"max_depth": [1, 2, 3]}, cv=10).fit(*load_iris(return_X_y=True))
        >>> found = SearchReport.from_search(search).answer().metrics[0]
        >>> found.leader, found.not_different, found.worse
        ('max_depth=3', ('max_depth=2',), ('max_depth=1',))
        """
        return replace(search_answer(self), _line=self._sentence())

    @old_names(rope="margin")
    def compare(
        self,
        candidates: int | Sequence[str | Candidate] = LEADERS,
        *,
        metrics: str | Sequence[str] | None = None,
        baseline: str | None = None,
        correction: Correction | Literal["none"] = "holm",
        margin: float | Mapping[str, float] | None = None,
        procedure: TestOfResult = "auto",
    ) -> Comparison:
        """Test all pairs of some candidates.

        The rows never contradict the ranking: see `result` for how p is adjusted.

        Parameters
        ----------
        candidates : int or sequence of str or Candidate, default=10
            How many of the ranking, at least 2; or which, two or more.
        metrics : str or sequence of str, optional
            All by default.
        baseline : str, optional
            Compare every other candidate (as `a`) with this one (as `b`) instead of all pairs.
        correction : str, default="holm"
            Of no effect: the candidates were chosen for their scores, and Bonferroni's method over all pairs of
            candidates of the search allows for any choice.
        margin : float or mapping of metric to float, optional
            Half width of the region of practical equivalence, in score units; adds the posterior probabilities that
            `b` is better, the two are equivalent and `a` is better.
        procedure : str, default="auto"
            Another test, as in `EvaluationResult.compare`; ``"auto"`` is the test of the ranking, `corrected_t_test`
            or, on one run of k-fold, `k_fold_t_test`.

        Returns
        -------
        Comparison
            One row per pair and metric; the sign is ``a - b``.

        Raises
        ------
        ValueError
            If a name is unknown or an option out of range.
        """
        result = self.result(candidates)
        return result.compare(procedure, metrics=metrics, baseline=baseline, correction=correction, margin=margin)

    def rank(self, metric: str | None = None) -> Ranking:
        """The ranks that each candidate may have, and which may be first.

        Parameters
        ----------
        metric : str, optional
            The one that decides by default.

        Returns
        -------
        Ranking
            Of all candidates that did not fail, by the comparisons of `compare`: no rank contradicts one of them, or
            the `ranking`. All intervals hold at once, at the level of the report.

        Raises
        ------
        ValueError
            If the metric is unknown.
        """
        return self.result(len(self.names)).rank(metric)

    @old_names(rope="margin")
    def dominance_table(
        self,
        candidates: int | Sequence[str | Candidate] = LEADERS,
        *,
        metrics: Sequence[str] | None = None,
        baseline: str | None = None,
        correction: Correction = "holm",
        margin: float | Mapping[str, float] | None = None,
    ) -> DominanceTable:
        """The joint verdict on all metrics for every pair of some candidates.

        Parameters
        ----------
        candidates : int or sequence of str or Candidate, default=10
            How many of the ranking, at least 2; or which, two or more.
        metrics : sequence of str, optional
            All by default; at most 12.
        baseline : str, optional
            Compare every other candidate (as `a`) with this one (as `b`) instead of all pairs.
        correction : str, default="holm"
            Of no effect, as in `compare`.
        margin : float or mapping of metric to float, optional
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
        return result.dominance("table", metrics=metrics, baseline=baseline, correction=correction, margin=margin)

    # ---- reports --------------------------------------------------------------------------------------------

    def to_frame(self) -> DataFrame:
        """The ranking as a pandas DataFrame, one row per candidate."""
        return frame_of(self.ranking)

    def to_markdown(self, candidates: int | None = None) -> str:
        """The answer and the ranking in Markdown.

        Parameters
        ----------
        candidates : int, optional
            How many of the ranking; all by default.

        Returns
        -------
        str
            The answer, the table, and what it rests on.

        Raises
        ------
        ValueError
            If `candidates` is less than 1.
        """
        return markdown.render(self._ranked(candidates))

    def to_latex(self, candidates: int | None = None) -> str:
        """The answer and the ranking as a LaTeX table for booktabs.

        Parameters
        ----------
        candidates : int, optional
            How many of the ranking; all by default. More than 45 become a ``longtable``.

        Returns
        -------
        str
            The table, names escaped; what it rests on as notes below it.

        Raises
        ------
        ValueError
            If `candidates` is less than 1.
        """
        return latex.render(self._ranked(candidates))

    # ---- private --------------------------------------------------------------------------------------------

    @property
    def _found(self) -> FoundSearch:
        """Everything that the report shows, made once."""
        found = self._made.get("found")
        if found is None or found.report is not self:  # a copy with other warnings has the same results
            compared = _against_best(self)
            warnings = (*self.warnings, *_at_ends(self), *fragile_warnings(compared), *_effect_warnings(self))
            shown: dict[str, Any] = {"answer": search_answer(self), "comparison": compared}
            found = self._made["found"] = FoundSearch(report=self, **shown, warnings=warnings)
        return cast(FoundSearch, found)

    def _display(self, kind: str, options: Mapping[str, Any]) -> Display:
        whole = {"candidates": len(self.names)} if kind == "ranks" else {}  # as in `rank`
        return make_search_display(self, self._scores_of, kind, {**whole, **options})

    def _scores_of(self, candidates: int | Sequence[str | Candidate] = LEADERS) -> EvaluationScores:
        return self.result(candidates)._scores

    def _document(self, detail: Detail = "short", primary: str | None = None) -> Document:  # noqa: ARG002
        if detail == "short":
            return search_document(self._found)
        return search_document(self._found, full=True, leaders=self.result()._document("full"))

    def _ranked(self, candidates: int | None) -> Document:
        """The answer and so many candidates, by default all."""
        n = len(self.ranking) if candidates is None else check_integer(candidates, "candidates", low=1)
        return search_document(self._found, n_rows=n)

    def _page(self, primary: str | None = None) -> str:  # noqa: ARG002
        found = drawn(self._display, SEARCH_FIGURES, {})
        leading = self.result()
        named = replace(leading._scores, estimators=_short_names(self, leading.estimators))
        found += drawn(partial(make_display, named), LEADER_FIGURES, {"scores": {"metric": self.metric}})
        whole = search_document(self._found, full=True, leaders=leading._document("full"), n_rows=MOST_ROWS)
        return page.page(whole, found)

    def _sentence(self) -> str:
        return opening(self._found)
