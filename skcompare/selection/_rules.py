"""Refit rules: which candidate of a search to refit, by a stated statistical rule."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from scipy.stats import rankdata

from skcompare._core.printable import one_line
from skcompare._core.validation import check_choice, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference import effective_cases
from skcompare.selection._candidates import Candidates, fraction_of, of_search
from skcompare.selection._choice import Choice
from skcompare.selection._complexity import Complexity, check_complexity, complexity_keys, in_words
from skcompare.selection._joint_wins import joint_wins, pareto_optimal, smallest_joint_pvalue
from skcompare.selection._price import Chosen, is_last, last_one, so_far, told
from skcompare.selection._within import KNOWING, WITHIN, Scored, Settings

RULES = tuple(WITHIN)
MAX_METRICS = 8


@dataclass(frozen=True, repr=False)
class Rule:
    """A callable for ``GridSearchCV(refit=...)``; two with the same settings are equal.

    Attributes
    ----------
    choice_ : Choice
        What the last call chose; not there before it, nor in what `sklearn.base.clone` makes.
    """

    choice_: Choice = field(init=False, compare=False)

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """Position of the chosen candidate in the ``cv_results_`` of a search."""
        choice = self.choose(of_search(cv_results))
        object.__setattr__(self, "choice_", choice)  # the settings stay frozen
        return choice.index

    def choose(self, candidates: Candidates) -> Choice:
        """The choice among candidates of a search or an evaluation."""
        raise NotImplementedError

    def asked(self) -> tuple[str, ...]:
        """The names of the metrics that it asks for; none where it takes what is there."""
        raise NotImplementedError

    def deciding(self, candidates: Candidates) -> tuple[int, ...]:
        """Positions of the metrics that decide."""
        raise NotImplementedError

    def __sklearn_clone__(self) -> Rule:
        return replace(self)

    def _call(self, function: str) -> str:
        """The call of `function` that makes this rule."""
        settings = [f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.init]
        return one_line(f"{function}({', '.join(settings)})")


@dataclass(frozen=True, kw_only=True, repr=False)
class SimplestWithin(Rule):
    """The simplest candidate among those that a rule keeps beside the best."""

    metric: str | None
    complexity: Complexity
    rule: str
    alpha: float
    rope: float
    test_fraction: float | None

    def __repr__(self) -> str:
        return self._call("simplest_within")

    def asked(self) -> tuple[str, ...]:
        return () if self.metric is None else (self.metric,)

    def deciding(self, candidates: Candidates) -> tuple[int, ...]:
        return (candidates.metric(self.metric)[0],)

    def choose(self, candidates: Candidates) -> Choice:
        """The choice among candidates of a search or an evaluation."""
        m, note = candidates.metric(self.metric)
        places, scores, lacking = candidates.scored([m])
        if is_last(candidates, [m], places):
            return last_one(repr(self), candidates, m, places, scores, lacking)
        values = scores[:, :, 0]
        if values.shape[1] < 2:
            raise ValueError(f"rule must be given the scores of 2 or more splits; got {values.shape[1]}")
        keys = complexity_keys(self.complexity, candidates, places)
        fraction, guess = self._fraction(candidates)
        means = values.mean(axis=1)
        best = int(means.argmax())
        names = tuple(candidates.names[i] for i in places)
        scored = Scored(names=names, values=values, best=best, test_fraction=fraction)
        kept, what, doubts = WITHIN[self.rule](scored, Settings(alpha=self.alpha, rope=self.rope))
        chosen = int(min(np.flatnonzero(kept), key=lambda i: (keys[i], -means[i], i)))
        found = Chosen(
            places=places,
            values=values,
            metric=m,
            index=chosen,
            best=best,
            kept=kept,
            test_fraction=fraction,
            rope=self.rope,
        )
        reason = f"{so_far(candidates, [m])}The rule keeps what is {what}: " + (
            f"of {len(means)} candidates only {names[chosen]}."
            if kept.sum() == 1
            else f"{kept.sum()} of {len(means)} candidates. Of these {names[chosen]} {in_words(self.complexity)}."
        )
        return told(repr(self), candidates, found, f"{reason}{note}", (*lacking, *guess, *doubts))

    def _fraction(self, candidates: Candidates) -> tuple[float, tuple[CodedWarning, ...]]:
        """The test fraction, guessed only for a rule that needs it, with a doubt; nan where it is not known."""
        if self.rule in KNOWING or candidates.test_fraction is not None or self.test_fraction is not None:
            return fraction_of(candidates, self.test_fraction)
        return math.nan, ()


def simplest_within(
    metric: str | None = None,
    *,
    complexity: Complexity = None,
    rule: str = "corrected_t",
    alpha: float = 0.05,
    rope: float = 0.01,
    test_fraction: float | None = None,
) -> SimplestWithin:
    r"""Refit rule: the simplest candidate that is not worse than the best, by a stated rule.

    "Not shown to be worse" is not "as good". On data sets of 200 samples, ten candidates and real differences, the
    default chose one that is truly worse than the best by more than 0.01 in accuracy in 99 to 100% of cases, by 0.05
    to 0.12 on average; the highest mean did in 2 to 35%. Where a loss matters take ``rule="rope"``, which keeps only
    what is shown to lose little. The choice names the difference to the best with a 95% interval, and warns (`LOSS`)
    where that reaches beyond `rope`.

    Give it to ``GridSearchCV(refit=...)`` or ``RandomizedSearchCV``; after the fit ``search.refit.choice_`` is a
    `Choice` that says which candidate was chosen, and why. It can also be called later, with ``search.cv_results_``.
    Of equally simple candidates the one with the better mean score is taken, then the earlier.

    Parameters
    ----------
    metric : str, optional
        Name of the metric in a search with several. A search with one calls it "score"; any name is taken for it.
    complexity : str, sequence of str, callable or None, default=None
        What makes a candidate complex. The name of a parameter with numbers, less is simpler; with a minus in front,
        as in ``"-n_neighbors"``, more is simpler. None as a value is above all numbers, as in ``max_depth=None``.
        Columns of numbers in ``cv_results_``, such as ``"mean_fit_time"``, can be named too. A sequence of names is
        compared name by name. A callable takes the parameters of a candidate, as a dict, and gives a number or a
        tuple of them. None: the candidates are listed from the simplest.
    rule : {"corrected_t", "one_se", "rope", "signed_rank"}, default="corrected_t"
        Which candidates are not worse than the best: those that are not told apart from it at `alpha`, all comparisons
        of the candidates and the overlap of the training sets allowed for (`model_confidence_set`); those whose mean
        is at least that of the best less one standard error, :math:`s / \sqrt n` of the best's splits (Breiman et al.
        1984); those whose posterior probability to be worse than it by more than `rope` is at most `alpha`
        (`correlated_t_posterior`); those that the one-sided signed-rank test over the splits does not call worse at
        `alpha`, which does not allow for the overlap.
    alpha : float, default=0.05
        In (0, 1). A smaller one keeps more candidates, but fewer with ``"rope"``; ``"one_se"`` does without.
    rope : float, default=0.01
        Largest loss that does not matter, in score units, at least 0. The rule ``"rope"`` keeps by it; with the others
        the choice warns where the loss may be larger.
    test_fraction : float, optional
        Test size over train plus test size, in [0, 1): 1/k for k-fold. ``cv_results_`` does not tell it; by default
        up to 10 splits are taken for k-fold, more for repeated 10-fold, or else 5-fold, and the choice says so.

    Returns
    -------
    callable
        Takes ``cv_results_``, returns the chosen candidate's position.

    Raises
    ------
    ValueError
        If an option is out of range; when called, if the metric or the complexity does not fit the search, no
        candidate has all scores, or the test fraction cannot be guessed.

    See Also
    --------
    best_by_dominance : by several metrics at once.
    ComparisonSelector : the same rules for any estimators, on splits that are known.

    References
    ----------
    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone (1984), Classification and Regression Trees, Wadsworth,
    section 3.4.3.

    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcompare import simplest_within
    >>> rule = simplest_within("accuracy", complexity="max_depth")
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> search = GridSearchCV(tree, {"max_depth": [1, 2, 3, 5, None]}, refit=rule, cv=10)
    >>> search = search.fit(*load_breast_cancer(return_X_y=True))
    >>> search.best_params_
    {'max_depth': 2}
    >>> search.refit.choice_.best_name
    'max_depth=5'
    """
    if metric is not None and (not isinstance(metric, str) or not metric):
        raise ValueError(f"metric must be None or the name of a metric; got {metric!r:.80}")
    check_choice(rule, "rule", RULES)
    return SimplestWithin(
        metric=metric,
        complexity=check_complexity(complexity),
        rule=rule,
        alpha=check_number(alpha, "alpha", low=0, high=1, closed="neither"),
        rope=check_number(rope, "rope", low=0, high=np.inf, closed="left"),
        test_fraction=_check_fraction(test_fraction),
    )


@dataclass(frozen=True, kw_only=True, repr=False)
class BestByDominance(Rule):
    """The candidate that is better than most others on all metrics jointly."""

    metrics: tuple[str, ...]
    alpha: float
    test_fraction: float | None

    def __repr__(self) -> str:
        return self._call("best_by_dominance")

    def asked(self) -> tuple[str, ...]:
        return self.metrics

    def deciding(self, candidates: Candidates) -> tuple[int, ...]:
        columns = tuple(candidates.metric(metric)[0] for metric in self.metrics)
        if len(set(columns)) < len(columns):
            raise ValueError(
                f"metrics must be scored by the search or the evaluator, {', '.join(map(repr, self.metrics))}; "
                f"it has only {', '.join(map(repr, candidates.metrics))}"
            )
        return columns

    def choose(self, candidates: Candidates) -> Choice:
        """The choice among candidates of a search or an evaluation."""
        columns = self.deciding(candidates)
        places, scores, lacking = candidates.scored(columns)
        if is_last(candidates, columns, places):
            return last_one(repr(self), candidates, columns[0], places, scores, lacking)
        fraction, doubts = fraction_of(candidates, self.test_fraction)
        n_effective = effective_cases(scores.shape[1], fraction)
        means = scores.mean(axis=1)
        front = pareto_optimal(means)
        members = np.flatnonzero(front)
        beaten, share = joint_wins(scores, members, n_effective=n_effective, alpha=self.alpha)
        ranks = rankdata(-means, axis=0).mean(axis=1)[members]
        place = min(range(len(members)), key=lambda i: (-beaten[i], -share[i], ranks[i], i))
        name = candidates.names[places[members[place]]]
        kept = f"{len(members)} of {len(means)} candidates" if len(members) > 1 else f"of {len(means)} only {name}"
        reason = (
            f"{so_far(candidates, columns)}The rule keeps what no other is as good as or better than on the means of "
            f"all of {', '.join(self.metrics)}: {kept}. "
            f"{self._won(name, int(beaten[place]), len(means) - 1, only=len(members) == 1)} Splits on which it is "
            f"better than another on all metrics, less those on which it is worse on all: {share[place]:.1%}."
        )
        found = Chosen(
            places=places,
            values=scores[:, :, 0],
            metric=columns[0],
            index=int(members[place]),
            best=int(means[:, 0].argmax()),
            kept=front,
            test_fraction=fraction,
        )
        if len(means) > 1:
            doubts += self._unshown(n_effective, int(beaten[place]))
        return told(repr(self), candidates, found, reason, (*lacking, *doubts))

    def _won(self, name: str, beaten: int, n_others: int, *, only: bool) -> str:
        """What speaks for the chosen one."""
        if beaten:
            return (
                f"{name} is better on all metrics at once than the most others: than {beaten} of {n_others} at "
                f"{self.alpha:g}."
            )
        if only:
            return "It is not shown to be better than any other on all metrics at once."
        return f"None is shown to be better than any other on all metrics at once; {name} leads by the share of splits."

    def _unshown(self, n_effective: float, beaten: int) -> tuple[CodedWarning, ...]:
        """A doubt where no joint test speaks for the choice."""
        if smallest_joint_pvalue(n_effective) >= self.alpha:
            return (
                Code.CANNOT_REJECT(
                    f"the splits are worth {n_effective:.3g} independent cases, which cannot show at "
                    f"{self.alpha:g} that one candidate is better than another on all metrics."
                ),
            )
        if beaten:
            return ()
        return (
            Code.UNDECIDED(
                f"of those that may be chosen none is shown to be better than any other on all metrics at "
                f"{self.alpha:g}."
            ),
        )


def best_by_dominance(
    metrics: Sequence[str], *, alpha: float = 0.05, test_fraction: float | None = None
) -> BestByDominance:
    """Refit rule: the candidate that is better than most others on all of several metrics at once.

    Eligible are the candidates on the Pareto front of the mean scores. The one is chosen that is better on all metrics
    jointly than the most other candidates: pair by pair the splits are counted by the pattern of metrics on which the
    one is better (`dominance_counts`), scaled to the number of independent cases that they are worth
    (`effective_cases`), and "better on all" must be the most frequent pattern with ``p < alpha`` (`dominance_test`).
    Between equals decides the share of splits, over all other candidates, on which it is better on all metrics less
    those on which it is worse on all; then the mean rank over the metrics; then the order.

    The levels hold for each pair alone: the number of others beaten is a way to rank, not a claim about each. Where
    the chosen one beats no other the choice says so (`UNDECIDED`).

    Parameters
    ----------
    metrics : sequence of str
        Names of 2 to 8 metrics of the search; greater is better, as everywhere in scikit-learn.
    alpha : float, default=0.05
        Level of each pairwise test, in (0, 1).
    test_fraction : float, optional
        As in `simplest_within`.

    Returns
    -------
    callable
        Takes ``cv_results_``, returns the chosen candidate's position; the `Choice` is then its ``choice_``.

    Raises
    ------
    ValueError
        If an option is out of range; when called, if a metric is unknown or the only one, no candidate has all
        scores, or the test fraction cannot be guessed.

    References
    ----------
    A. Benavoli and C. P. de Campos (2016), Statistical tests for joint analysis of performance measures,
    AMBN 2015, LNCS 9505, 76-92, :doi:`10.1007/978-3-319-28379-1_6`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcompare import best_by_dominance
    >>> metrics = ["accuracy", "roc_auc"]
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> leaves = {"min_samples_leaf": [1, 5, 20]}
    >>> search = GridSearchCV(tree, leaves, scoring=metrics, refit=best_by_dominance(metrics), cv=10)
    >>> search.fit(*load_breast_cancer(return_X_y=True)).best_params_
    {'min_samples_leaf': 20}
    """
    if isinstance(metrics, str) or not isinstance(metrics, Sequence):
        raise ValueError(f"metrics must be a sequence of names; got {metrics!r:.80}")
    names = tuple(metrics)
    if not 2 <= len(names) <= MAX_METRICS or not all(isinstance(name, str) and name for name in names):
        raise ValueError(f"metrics must be 2 to {MAX_METRICS} names; got {metrics!r:.80}")
    if len(set(names)) < len(names):
        raise ValueError(f"metrics must name each metric once; got {metrics!r:.80}")
    return BestByDominance(
        metrics=names,
        alpha=check_number(alpha, "alpha", low=0, high=1, closed="neither"),
        test_fraction=_check_fraction(test_fraction),
    )


def _check_fraction(test_fraction: Any) -> float | None:
    if test_fraction is None:
        return None
    return check_number(test_fraction, "test_fraction", low=0, high=1, closed="left")
