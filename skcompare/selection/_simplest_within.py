"""Refit rule: the simplest candidate that is not worse than the best, by a stated statistical rule."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from skcompare._core.validation import check_choice, check_number
from skcompare._core.warnings import CodedWarning
from skcompare.selection._candidates import Candidates, fraction_of
from skcompare.selection._choice import Choice
from skcompare.selection._complexity import Complexity, check_complexity, complexity_keys, in_words
from skcompare.selection._price import Chosen, is_last, last_one, so_far, told
from skcompare.selection._rule import Rule, check_fraction
from skcompare.selection._within import KNOWING, WITHIN, Scored, Settings

RULES = tuple(WITHIN)


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
        kept, what, warnings = WITHIN[self.rule](scored, Settings(alpha=self.alpha, rope=self.rope))
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
        return told(repr(self), candidates, found, f"{reason}{note}", (*lacking, *guess, *warnings))

    def _fraction(self, candidates: Candidates) -> tuple[float, tuple[CodedWarning, ...]]:
        """The test fraction, guessed only for a rule that needs it, with a warning; nan where it is not known."""
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
        Which candidates are not worse than the best: those that are not significantly different from it at `alpha`,
        all comparisons of the candidates and the overlap of the training sets allowed for (`model_confidence_set`);
        those whose mean is at least that of the best less one standard error, :math:`s / \sqrt n` of the best's splits
        (Breiman et al. 1984); those whose posterior probability to be worse than it by more than `rope` is at most
        `alpha` (`correlated_t_posterior`); those that the one-sided signed-rank test over the splits does not call
        worse at `alpha`, which does not allow for the overlap.
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
        test_fraction=check_fraction(test_fraction),
    )
