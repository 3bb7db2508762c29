"""SearchReport: what a fitted search can claim about its candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from skcompare._answers import Answer, Comparison
from skcompare._core.frames import frame_of
from skcompare._core.validation import check_integer, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare._reportable import Readable, Words, drawn
from skcompare.comparison.answer import answer
from skcompare.comparison.dominance import DominanceTable
from skcompare.inference._guide import CORRECTION_REFERENCES, DOMINANCE_REFERENCES, EFFECTIVE_CASES_REFERENCES
from skcompare.inference._overlap import Correction, default_t_test
from skcompare.inference._procedures import PROCEDURES
from skcompare.plotting._display import Display
from skcompare.plotting._kinds import make_display, make_search_display
from skcompare.reporting import notebook
from skcompare.reporting import search as views
from skcompare.reporting.summary.evaluation import joint_rows, summarise
from skcompare.reporting.summary.page import NumberSource, cited, procedure_references, result_report
from skcompare.reporting.summary.search import SearchPage, SearchSummary
from skcompare.selection._ranking import LEADERS, Candidate, SearchFindings, search_answer
from skcompare.selection._search import read_search
from skcompare.tables.cross_validate import first_of

# What the report of a search shows, computed once as plain values, and its page with drawn Displays.


MAX_JOINT = 3
# Kinds of plots, and what each shows.
SEARCH_FIGURES = {
    "candidates": "The candidates in their ranking. Filled: not significantly different from the best, all comparisons "
    "allowed for. A bar is the interval of the difference to the best; together they hold for all candidates.",
    "parameters": "The mean score by the values of each parameter, averaged over all other settings.",
    "heatmap": "The two parameters with the largest effects at once.",
}
LEADER_FIGURES = {
    "scores": "The score of every leading candidate on every split; lines join the scores of one split.",
    "pareto": "Two metrics at once: the leading candidates that no other of them beats on both.",
}


def summarise_search(report: SearchFindings, n_rows: int | None = None) -> SearchSummary:
    """Everything that the report shows; of the ranking the first rows, by default all."""
    design = report.design
    compared = report.result(min(MAX_JOINT + 1, len(report.ranking)))  # the best and the next ones
    places = {name: i for i, name in enumerate(report.names)}
    means = report.scores.mean(axis=1)[[places[row.name] for row in report.ranking]]
    joints = tuple(row for row in joint_rows(compared) if row.a == report.best.name)
    return SearchSummary(
        search=report.search,
        design=design.name,
        n_splits=design.n_splits,
        n_samples=design.n_samples,
        train_size=float(np.mean(design.train_sizes)) if design.train_sizes else None,
        test_size=float(np.mean(design.test_sizes)) if design.test_sizes else None,
        test_fraction=design.test_fraction,
        fold_correlation=Correction.of(design).fold_correlation,
        split_hash=design.split_hash,
        metric=report.metric,
        metrics=report.metrics,
        alpha=report.alpha,
        procedure=report.confidence_set.method,
        n_candidates=len(report.ranking),
        n_tested=max(2, len(report._different)),
        answer=search_answer(report),
        n_best=sum(row.rank == 1 for row in report.ranking if np.isfinite(row.pvalue)),
        n_pairs=compared.selected.n_pairs if compared.selected else 0,
        next=tuple(answer(compared).pair(joint.a, joint.b) for joint in joints),
        best_mean=report.best.mean,
        ranking=report.ranking[:n_rows],
        effects=report.effects,
        selection_bias=report.selection_bias,
        joint=joints,
        warnings=(*report.warnings, *_effect_warnings(report)),
        provenance=report.provenance,
        means=dict(zip(report.metrics, means.T.tolist(), strict=True)),
    )


def _effect_warnings(report: SearchFindings) -> list[CodedWarning]:
    """The warnings about the parameters: one that all share is said once, of others the first few."""
    found = [warning for effect in report.effects for warning in effect.warnings]
    code = Code.UNBALANCED.name
    unbalanced = [one.parameter for one in report.effects if any(warning.code == code for warning in one.warnings)]
    if len(unbalanced) < 2:
        return found
    differing = "candidates that differ in one of these also differ in others"
    shared = Code.UNBALANCED(f"{differing}, and an additive model parts their effects.", about=unbalanced)
    return [*(warning for warning in found if warning.code != code), shared.at(first_of(unbalanced))]


# ---- the page -------------------------------------------------------------------------------------------------


def search_page(report: SearchFindings) -> SearchPage:
    """All that the page shows: the search, its pictures, and the leading candidates as a result."""
    leading = report.result()
    names = dict(zip(leading.estimators, _short_names(report, leading.estimators), strict=True))
    # Patterns of wins stand above, of the best against the next ones.
    summary = summarise(leading, with_joint=False)
    # Where the result says again what the report says it stands once, above.
    own = tuple(warning for warning in summary.warnings if warning not in report.warnings)
    summary, search = replace(summary, warnings=own), summarise_search(report)
    short = replace(leading, estimators=tuple(names.values()))
    pictures = drawn(partial(make_display, short), LEADER_FIGURES, {"scores": {"metric": report.metric}})
    leaders, lines = result_report(leading, summary, pictures), _procedures(report, bool(search.joint))
    uses = [(key, line.number) for line in lines for key in line.keys]
    uses += [(source.key, source.used_for) for source in leaders.sources]
    assumed = next(row.guide.assumes for row in PROCEDURES if row.name == "selection_bias")
    leaders = replace(
        leaders,
        summary=renamed(summary, names),
        procedures=(*lines, *leaders.procedures),
        assumes=(*leaders.assumes, f"for the bias-corrected score {', '.join(assumed)}"),
        sources=cited(uses),
    )
    figures = drawn(partial(make_search_display, report, report.result), SEARCH_FIGURES, {})
    named_by = [effect.parameter for effect in report.effects]
    return SearchPage(search=search, figures=figures, leaders=leaders, named_by=named_by)


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A record with other names for its models; what a row was computed from stays."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, (tuple, list)):
        return type(value)(renamed(item, names) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        kept = ("record", "metric", "provenance", "warnings")
        parts = {field.name: getattr(value, field.name) for field in fields(value) if field.name not in kept}
        return replace(value, **{name: renamed(part, names) for name, part in parts.items()})
    return value


def _short_names(report: SearchFindings, names: Sequence[str]) -> tuple[str, ...]:
    """The place of candidates in the ranking and their values, the parameters with the largest effects first."""
    settings, ranked = report.settings(), [row.name for row in report.ranking]
    values = [
        ", ".join(settings[effect.parameter][report.names.index(name)] or "–" for effect in report.effects)
        for name in names
    ]
    return tuple(f"#{ranked.index(name) + 1} ({own or name})" for name, own in zip(names, values, strict=True))


def _procedures(report: SearchFindings, joint: bool) -> list[NumberSource]:
    """Which procedure made each number of the search."""
    candidates, best_set = f"{len(report.ranking)} candidates", "model_confidence_set"
    test = default_t_test(report.design)
    tests = f"{test} of each candidate against the best"
    among = f"{best_set}: which of the {candidates} may be the best, adjusted for all comparisons among them"
    reward = f"selection_bias: the best mean less the reward for picking it among {candidates}"
    lines = [
        _line(f"ranking: mean {report.metric}", "mean over the splits, in the metric's own units, greater is better"),
        _line("ranking: less the best, interval", tests, procedure_references(test)),
        _line("ranking: p adj., verdict", among, procedure_references(best_set)),
        _line("bias-corrected score", reward, procedure_references("selection_bias")),
    ]
    if report.effects:
        share = "share of the variance of the candidates' means that lies between the values of the parameter"
        values = f"{best_set} of the means by value; adjusted over the parameters by the method of Holm"
        papers = (*procedure_references(best_set), *CORRECTION_REFERENCES["holm"])
        lines += [_line("parameters: share", share), _line("parameters: adjusted p", values, papers)]
    if joint:
        papers = (*DOMINANCE_REFERENCES["glrt"], *EFFECTIVE_CASES_REFERENCES, *DOMINANCE_REFERENCES["dirichlet"])
        statements = (
            "likelihood-ratio test of the most frequent pattern, on the number of independent cases the splits are "
            "worth, its p times the number of pairs of candidates; Dirichlet posterior of the patterns"
        )
        lines.append(_line("all metrics together", statements, papers))
    return lines


def _line(number: str, procedure: str, papers: tuple[str, ...] = ()) -> NumberSource:
    return NumberSource(number=number, procedure=procedure, keys=papers)


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
        text=views.search_text_report,
        notebook=notebook.render_search,
        sentences=views.sentences,
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
        result = self.result(candidates)
        return result.compare(procedure, metrics=metrics, baseline=baseline, correction=correction, rope=rope)

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
        return views.search_markdown(summarise_search(self, _check_rows(candidates)))

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
        return views.search_latex(summarise_search(self, _check_rows(candidates)))

    # ---- private --------------------------------------------------------------------------------------------

    def _display(self, kind: str, options: Mapping[str, Any]) -> Display:
        return make_search_display(self, self.result, kind, options)

    def _page(self) -> str:
        return views.search_html_page(search_page(self))

    def _sentence(self) -> str:
        return " ".join(views.sentences(summarise_search(self)))


def _check_rows(candidates: int | None) -> int | None:
    return None if candidates is None else check_integer(candidates, "candidates", low=1)
