"""Refit rule: the candidate that is better than most others on several metrics at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.stats import rankdata

from skcompare._core.numbers import percent
from skcompare._core.validation import FloatArray, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference import dominance_test, effective_cases
from skcompare.inference._base import ROUNDING
from skcompare.selection._candidates import Candidates, Scored, correction_of
from skcompare.selection._choice import Decision, Rule, check_fraction

MAX_METRICS = 8
# Shares of statements that are held at once.
_BLOCK = 2**21


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
        correction, warnings = correction_of(scored.candidates, self.test_fraction)
        n_effective = effective_cases(scored.scores.shape[1], correction.fold_correlation)
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
            f"better than another on all metrics, less those on which it is worse on all: {percent(share[place], 1)}."
        )
        if len(means) > 1:
            warnings += self._unshown(n_effective, int(beaten[place]))
        index = int(members[place])
        return Decision(index=index, kept=front, reason=reason, correction=correction, warnings=warnings)

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


# ---- who is better than whom on all metrics, over all pairs -----------------------------------------------------


def pareto_optimal(means: FloatArray) -> NDArray[np.bool_]:
    """Which rows of means, greater is better, no other row is at least as good as everywhere and better somewhere."""
    noise = ROUNDING * np.abs(means).max(axis=0)
    optimal = [not ((means >= row - noise).all(axis=1) & (means > row + noise).any(axis=1)).any() for row in means]
    return np.array(optimal)


def smallest_joint_pvalue(n_effective: float) -> float:
    """The p-value where all of that many cases speak for one statement."""
    return dominance_test([0.0, n_effective], n_effective).pvalue


def joint_wins(
    scores: FloatArray, members: NDArray[np.intp], *, n_effective: float, alpha: float
) -> tuple[NDArray[np.intp], FloatArray]:
    """What `dominance_counts` and `dominance_test` say of every member against every other candidate.

    Parameters
    ----------
    scores : ndarray of shape (n_candidates, n_splits, n_metrics)
        Greater is better.
    members : ndarray of shape (n_members,)
        Positions of the candidates that are compared with all.
    n_effective : float
        Independent cases that the splits are worth.
    alpha : float
        Level of each test.

    Returns
    -------
    beaten : ndarray of shape (n_members,)
        Others than which the member is better on all metrics, at the level.
    share : ndarray of shape (n_members,)
        Share of splits, over all others, on which it is better on all metrics, less those on which it is worse on all.
    """
    n_others = max(len(scores) - 1, 1)
    beaten, shares = [], []
    for member in members:
        credit = _credit(scores[member], scores)
        better, worse = credit.min(axis=2) == 1, credit.max(axis=2) == 0
        shares.append((better.mean(axis=1) - worse.mean(axis=1)).sum() / n_others)
        on_all = credit.prod(axis=2).mean(axis=1) * n_effective
        possible = np.flatnonzero(_pvalue(on_all, np.zeros_like(on_all)) < alpha)
        runner_up = _runner_up(credit[possible]) * n_effective
        won = on_all[possible]
        beaten.append(int((_pvalue(won, runner_up) < alpha)[won > runner_up].sum()))
    return np.array(beaten), np.array(shares)


def _credit(one: FloatArray, scores: FloatArray) -> FloatArray:
    """1 where `one` is better, 0 where it is worse and 1/2 in a tie, by candidate, split and metric."""
    difference = one - scores
    noise = ROUNDING * np.maximum(np.abs(one), np.abs(scores))
    return np.where(difference > noise, 1.0, np.where(difference < -noise, 0.0, 0.5))


def _runner_up(credit: FloatArray) -> FloatArray:
    """Share of the splits that the most frequent statement other than "better on all" has, by candidate."""
    n, n_splits, n_metrics = credit.shape
    size = max(1, _BLOCK // (n_splits * 2**n_metrics))
    largest = np.zeros(n)
    for start in range(0, n, size):
        block = credit[start : start + size]
        shares = np.ones((*block.shape[:2], 1))
        for m in range(n_metrics):
            column = block[:, :, m, None]
            shares = np.concatenate((shares * (1 - column), shares * column), axis=2)
        largest[start : start + size] = shares.mean(axis=1)[:, :-1].max(axis=1)
    return largest


def _pvalue(winner: FloatArray, runner_up: FloatArray) -> FloatArray:
    """The mid-p value of `dominance_test` for effective cases of the winner and of the runner-up, which has fewer."""
    at_least = np.where(winner > 0, special.betainc(np.maximum(winner, 1e-300), runner_up + 1, 0.5), 1.0)
    more = np.where(runner_up > 0, special.betainc(winner + 1, np.maximum(runner_up, 1e-300), 0.5), 0.0)
    return np.asarray(at_least + more)
