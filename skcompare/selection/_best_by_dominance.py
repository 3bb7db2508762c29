"""Refit rule: the candidate that is better than most others on several metrics at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.stats import rankdata

from skcompare._core.validation import check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference import effective_cases
from skcompare.selection._candidates import Candidates, Scored, fraction_of
from skcompare.selection._choice import Decision, Rule, check_fraction
from skcompare.selection._joint_wins import joint_wins, pareto_optimal, smallest_joint_pvalue

MAX_METRICS = 8


@dataclass(frozen=True, kw_only=True, repr=False)
class BestByDominance(Rule):
    """The candidate that is better than most others on all metrics jointly."""

    _made_by: ClassVar[str] = "best_by_dominance"
    metrics: tuple[str, ...]
    alpha: float
    test_fraction: float | None

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

    def decide(self, scored: Scored) -> Decision:
        fraction, warnings = fraction_of(scored.candidates, self.test_fraction)
        n_effective = effective_cases(scored.scores.shape[1], fraction)
        means = scored.scores.mean(axis=1)
        front = pareto_optimal(means)
        members = np.flatnonzero(front)
        beaten, share = joint_wins(scored.scores, members, n_effective=n_effective, alpha=self.alpha)
        ranks = rankdata(-means, axis=0).mean(axis=1)[members]
        place = min(range(len(members)), key=lambda i: (-beaten[i], -share[i], ranks[i], i))
        name = scored.names[members[place]]
        kept = f"{len(members)} of {len(means)} candidates" if len(members) > 1 else f"of {len(means)} only {name}"
        reason = (
            f"The rule keeps what no other is as good as or better than on the means of "
            f"all of {', '.join(self.metrics)}: {kept}. "
            f"{self._won(name, int(beaten[place]), len(means) - 1, only=len(members) == 1)} Splits on which it is "
            f"better than another on all metrics, less those on which it is worse on all: {share[place]:.1%}."
        )
        if len(means) > 1:
            warnings += self._unshown(n_effective, int(beaten[place]))
        index = int(members[place])
        return Decision(index=index, kept=front, reason=reason, test_fraction=fraction, warnings=warnings)

    def _won(self, name: str, beaten: int, n_others: int, *, only: bool) -> str:
        """What speaks for the chosen one."""
        if beaten:
            most = f"{name} is better on all metrics at once than the most others"
            return f"{most}: than {beaten} of {n_others} at {self.alpha:g}."
        if only:
            return "It is not shown to be better than any other on all metrics at once."
        return f"None is shown to be better than any other on all metrics at once; {name} leads by the share of splits."

    def _unshown(self, n_effective: float, beaten: int) -> tuple[CodedWarning, ...]:
        """A warning where no joint test speaks for the choice."""
        if smallest_joint_pvalue(n_effective) >= self.alpha:
            worth = f"the splits are worth {n_effective:.3g} independent cases, which cannot show at {self.alpha:g}"
            return (Code.CANNOT_REJECT(f"{worth} that one candidate is better than another on all metrics."),)
        if beaten:
            return ()
        none = "of those that may be chosen none is shown to be better than any other"
        return (Code.UNDECIDED(f"{none} on all metrics at {self.alpha:g}."),)


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
        test_fraction=check_fraction(test_fraction),
    )
