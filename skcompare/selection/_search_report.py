"""SearchReport: what a fitted search can claim about its candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from skcompare._answers import Answer, Comparison
from skcompare._core.frames import frame_of
from skcompare._core.validation import check_integer, check_number
from skcompare._reportable import Readable, Words
from skcompare.comparison.dominance_table import DominanceTable
from skcompare.plotting._display import Display
from skcompare.plotting._kinds import make_search_display
from skcompare.reporting import notebook, search_html, search_tables, search_text, search_verdict
from skcompare.selection._search import read_search
from skcompare.selection._search_answer import search_answer
from skcompare.selection._search_findings import LEADERS, SearchFindings
from skcompare.selection._search_page import search_page, summarise_search
from skcompare.selection._search_ranking import Candidate


@dataclass(frozen=True, eq=False, slots=True, kw_only=True, repr=False)
class SearchReport(Readable, SearchFindings):
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
    _views: ClassVar[Words] = Words(
        summarise=summarise_search,
        detailed=summarise_search,
        text=search_text.search_text_report,
        notebook=notebook.render_search,
        sentences=search_verdict.sentences,
    )

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

    def by_metric(self, metric: str) -> SearchReport:
        """The report of the same search where another metric decides; ValueError for an unknown name."""
        return self.of(self._read, metric, self.alpha)

    # ---- questions ------------------------------------------------------------------------------------------

    def answer(self) -> Answer:
        """What the ranking says: the best candidate, which others are significantly worse, which not.

        Returns
        -------
        Answer
            Of the deciding metric, the candidates in the order of the ranking; `pairs` are those of the best. It
            prints the first sentence of `summary`.

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
        return search_answer(self)

    def compare(
        self,
        candidates: int | Sequence[str | Candidate] = LEADERS,
        *,
        metrics: str | Sequence[str] | None = None,
        baseline: str | None = None,
        correction: str = "holm",
        rope: float | Mapping[str, float] | None = None,
        procedure: str = "auto",
    ) -> Comparison:
        """Test all pairs of some candidates by the t test on which the ranking rests.

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
        rope : float or mapping of metric to float, optional
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
            Of no effect, as in `compare`.
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

    # ---- reports --------------------------------------------------------------------------------------------

    def to_frame(self) -> Any:
        """The ranking as a pandas DataFrame, one row per candidate, the fields of `Candidate` as columns."""
        return frame_of(self.ranking)

    def to_markdown(self, candidates: int | None = None) -> str:
        """The ranking as a Markdown table, the best in bold and a dagger at those that are worse.

        Parameters
        ----------
        candidates : int, optional
            How many of the ranking; all by default.

        Returns
        -------
        str
            The table and its legend; the warnings as a list.

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
            The table, names escaped; the warnings as notes below it.

        Raises
        ------
        ValueError
            If `candidates` is less than 1.
        """
        return search_tables.search_latex(summarise_search(self, _check_rows(candidates)))

    # ---- private --------------------------------------------------------------------------------------------

    def _display(self, kind: str, options: Mapping[str, Any]) -> Display:
        return make_search_display(self, self.result, kind, options)

    def _page(self) -> str:
        return search_html.search_html_page(search_page(self))

    def _sentence(self) -> str:
        return " ".join(search_verdict.sentences(summarise_search(self)))


def _check_rows(candidates: int | None) -> int | None:
    return None if candidates is None else check_integer(candidates, "candidates", low=1)
