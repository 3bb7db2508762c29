"""Refit rule: the simplest candidate that is not worse than the best, by a stated statistical rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from scipy.stats import rankdata

from skcompare._core.frames import own_copy
from skcompare._core.numbers import counted, percent
from skcompare._core.text import one_line
from skcompare._core.validation import BoolArray, FloatArray, Positions, came, check_choice, check_number, old_names
from skcompare._core.warnings import Code, Warnings
from skcompare.comparison.table import check_width
from skcompare.inference import correlated_t_posterior, dominance_test, effective_cases, signed_rank_test
from skcompare.inference._rates import MEASURED_SIZES
from skcompare.inference._records import ROUNDING, Correction, check_splits, won_or_level
from skcompare.inference.dominance.likelihood_ratio import most_frequent
from skcompare.inference.dominance.posterior import pareto_optimal
from skcompare.inference.dominance.statements import pattern_counts
from skcompare.inference.fold_scores.best_set import confidence_set
from skcompare.selection._choice import Candidates, Decision, Rule, Scored, check_fraction, correction_of

Complexity = str | Sequence[str] | Callable[[Any], Any] | None
# Whether each candidate is kept, what those are that are, and reasons to doubt it.
Kept = tuple[BoolArray, str, Warnings]


class SimplestWithin(Rule, repr=False, slots=False):
    """The simplest candidate among those that a rule keeps beside the best."""

    _made_by: ClassVar[str] = "simplest_within"
    metric: str | None
    complexity: Complexity
    rule: str
    alpha: float
    margin: float
    test_fraction: float | None

    def asked(self) -> tuple[str, ...]:
        return () if self.metric is None else (self.metric,)

    def decide(self, scored: Scored) -> Decision:
        if scored.values.shape[1] < 2:
            raise ValueError(f"rule must be given the scores of 2 or more splits; got {scored.values.shape[1]}")
        candidates, (decides,) = scored.candidates, scored.metrics
        reported = scored.values if candidates.greater_is_better[decides] else -scored.values
        check_width(self.margin, "margin", reported, self.metric or candidates.metrics[decides], whole=True)
        keys = _complexity_keys(self.complexity, candidates, scored.places)
        correction: Correction | None = None
        guess: Warnings = ()
        # It is guessed only for a rule that needs it.
        if self.rule in KNOWING or candidates.correction is not None or self.test_fraction is not None:
            correction, guess = correction_of(candidates, self.test_fraction)
        kept, what, warnings = WITHIN[self.rule](self, scored, correction or Correction(test_fraction=0.0))
        means = scored.values.mean(axis=1)
        chosen = int(min(np.flatnonzero(kept), key=lambda i: (keys[i], -means[i], i)))
        name = scored.names[chosen]
        which = f"of {len(means):,} candidates only {name}."
        if kept.sum() > 1:
            which = f"{kept.sum():,} of {len(means):,} candidates. Of these {name} {_in_words(self.complexity)}."
        return Decision(
            index=chosen,
            kept=kept,
            reason=f"The rule keeps what is {what}: {which}{candidates.metric(self.metric)[1]}",
            correction=correction,
            margin=self.margin,
            warnings=(*guess, *warnings),
            joint=self.rule == "corrected_t",
        )


@old_names(rope="margin")
def simplest_within(
    metric: str | None = None,
    *,
    complexity: Complexity = None,
    rule: str = "margin",
    alpha: float = 0.05,
    margin: float = 0.01,
    test_fraction: float | None = None,
) -> SimplestWithin:
    r"""Refit rule: the simplest candidate that is not worse than the best, by a stated rule.

    The default gives up at most `margin` for a simpler candidate, as far as the splits can tell: its mean loss to the
    best and one standard error of that loss together. In simulations its choice was truly worse than the best by
    more than that hardly more often than the highest mean (`docs/selection.md`). "Not significantly different" is not
    "as good": ``rule="corrected_t"`` takes the simplest candidate that the data do not speak against, which on 200
    samples lost 0.05 to 0.12 in accuracy on average. The choice names the difference to the best with a 95% interval,
    and warns (`UNDECIDED`) where that reaches beyond `margin`.

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
        ``"param_max_depth"``, its column in ``cv_results_``, is the parameter too.
        Columns of numbers in ``cv_results_``, such as ``"mean_fit_time"``, can be named too. A sequence of names is
        compared name by name. A callable takes the parameters of a candidate, as a dict, and gives a number or a
        tuple of them. None: the candidates are listed from the simplest.
    rule : {"margin", "corrected_t", "one_se", "rope", "signed_rank"}, default="margin"
        Which candidates are not worse than the best. ``"margin"``: those whose mean loss to the best, plus one standard
        error of that loss, corrected for the overlap of the training sets, is at most `margin`. ``"rope"``, stricter:
        those whose posterior probability to lose more than `margin` is at most `alpha` (`correlated_t_posterior`).
        ``"corrected_t"``: those that are not significantly different from the best at `alpha`, all comparisons of the
        candidates and the overlap allowed for (`model_confidence_set`). ``"one_se"``: those whose mean is at least
        that of the best less one standard error, :math:`s / \sqrt n` of the best's splits (Breiman et al. 1984).
        ``"signed_rank"``: those that the one-sided signed-rank test over the splits does not call worse at `alpha`.
        The last two do not allow for the overlap.
    alpha : float, default=0.05
        In (0, 1), of ``"rope"``, of which a smaller one keeps fewer candidates, ``"corrected_t"`` and
        ``"signed_rank"``, of which it keeps more.
    margin : float, default=0.01
        Largest loss that does not matter, in score units, at least 0 and at most as large as losses can be.
        ``"margin"`` and ``"rope"`` keep by it; with the others the choice warns where the loss may be larger.
    test_fraction : float, optional
        Test size over train plus test size, in [0, 1): 1/k for k-fold. ``cv_results_`` does not tell it; by default
        up to 10 splits are taken for k-fold, more for repeated 10-fold, or else 5-fold, and the choice says so. As many
        splits as test each sample once are taken for one run of k-fold, whose correction is that of `k_fold_t_test`.

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
    {'max_depth': 5}
    >>> search.refit.choice_.best_name
    'max_depth=5'
    """
    if metric is not None and (not isinstance(metric, str) or not metric):
        raise ValueError(f"metric must be None or the name of a metric; got {came(metric)}")
    check_choice(rule, "rule", RULES)
    return SimplestWithin(
        metric=metric,
        complexity=_check_complexity(complexity),
        rule=rule,
        alpha=check_number(alpha, "alpha", low=0, high=1, closed="neither"),
        margin=check_number(margin, "margin", low=0, high=np.inf, closed="left"),
        test_fraction=check_fraction(test_fraction),
    )


# ---- the rules -----------------------------------------------------------------------------------------------


def _margin(rule: SimplestWithin, scored: Scored, correction: Correction) -> Kept:
    values = scored.values
    losses = values[scored.best] - values
    n, noise = values.shape[1], ROUNDING * float(np.abs(values).max())
    errors = losses.std(axis=1, ddof=1) * correction.variance(n) ** 0.5
    kept: BoolArray = losses.mean(axis=1) + errors <= rule.margin + noise
    kept[scored.best] = True
    return kept, f"at most {rule.margin:g} below the best, one standard error of the difference included", ()


def _corrected_t(rule: SimplestWithin, scored: Scored, correction: Correction) -> Kept:
    what = f"not significantly different from the best at {rule.alpha:g}, all comparisons allowed for"
    if len(scored.names) == 1:
        return np.array([True]), what, ()
    found = confidence_set(check_splits(scored.values.T, True, scored.names), correction)
    return ~(found.pvalues < rule.alpha), what, found.warnings


def _one_se(rule: SimplestWithin, scored: Scored, correction: Correction) -> Kept:  # noqa: ARG001
    values, best = scored.values, scored.best
    means, error = values.mean(axis=1), float(values[best].std(ddof=1) / np.sqrt(values.shape[1]))
    kept = means >= means[best] - error - ROUNDING * np.abs(values).max()
    warning = Code.INDEPENDENCE(
        "the standard error takes the splits for independent; they share training samples, so that it is too "
        "small, the more so the more repeats there are."
    )
    return kept, f"within one standard error, {error:.3g}, of the best", (warning,)


def _rope(rule: SimplestWithin, scored: Scored, correction: Correction) -> Kept:
    best = scored.values[scored.best]
    posteriors = [correlated_t_posterior(one, best, rope=rule.margin, **correction.options) for one in scored.values]
    kept = np.array([posterior.left <= rule.alpha for posterior in posteriors])
    kept[scored.best] = True  # with margin 0 it is as probably worse than itself as better
    return kept, f"shown to lose at most {rule.margin:g} to the best (more with probability {rule.alpha:g} at most)", ()


def _signed_rank(rule: SimplestWithin, scored: Scored, correction: Correction) -> Kept:  # noqa: ARG001
    best = scored.values[scored.best]
    tests = [signed_rank_test(best, one, alternative="greater") for one in scored.values]
    sizes = {design: MEASURED_SIZES["paired_t_test"][design]["accuracy"] for design in ("10-fold", "10x10")}
    measured = [f"{percent(low)} to {percent(high)} ({design})" for design, (low, high) in sizes.items()]
    warning = Code.INDEPENDENCE(
        f"the signed-rank test takes the splits for independent; they share training samples, so that it "
        f"drops good candidates too often. The paired t-test, which does the same, was measured to call equal models "
        f"different at 5% in {' and '.join(measured)} of cases."
    )
    kept = np.array([not test.pvalue < rule.alpha for test in tests])
    return kept, f"not worse than the best at {rule.alpha:g} by the signed-rank test", (warning,)


# The rules that allow for the overlap of the training sets, and have to know the test fraction.
KNOWING = frozenset({"margin", "corrected_t", "rope"})
WITHIN = {"margin": _margin, "corrected_t": _corrected_t, "one_se": _one_se, "rope": _rope, "signed_rank": _signed_rank}
RULES = tuple(WITHIN)


# ---- how complex the candidates are: numbers to put them in order by, the simplest first ------------------------


def _check_complexity(complexity: Any) -> Complexity:
    """None, a name, a tuple of names or a callable, or ValueError."""
    if complexity is None or callable(complexity) or _is_name(complexity):
        return complexity  # type: ignore[no-any-return]
    if isinstance(complexity, (list, tuple)) and complexity and all(map(_is_name, complexity)):
        return tuple(complexity)
    wanted = "None, a parameter or column of numbers, a sequence of these or a callable"
    raise ValueError(f"complexity must be {wanted}; got {one_line(repr(complexity)):.80}")


def _complexity_keys(complexity: Complexity, candidates: Candidates, places: Positions) -> list[tuple[Any, ...]]:
    """The sort keys of some candidates, the simplest first; ValueError where one has none."""
    if complexity is None:
        return [(int(i),) for i in places]
    if callable(complexity):
        keys = []
        for i in places:
            given = complexity(own_copy(candidates.subjects[i]))
            where = f"for {candidates.names[i]}; got {one_line(repr(given)):.80}"
            parts = given if isinstance(given, (tuple, list)) else (given,)
            keys.append(tuple(_number(part, where) for part in parts))
        return keys
    names = (complexity,) if isinstance(complexity, str) else complexity
    return list(zip(*(_named(name, candidates, places) for name in names), strict=True))


def _in_words(complexity: Complexity) -> str:
    """How the simplest candidate is described: by what it is or has."""
    if complexity is None:
        return "is the first listed"
    if callable(complexity):
        return f"is the simplest by {getattr(complexity, '__name__', type(complexity).__name__)}"
    names = (complexity,) if isinstance(complexity, str) else complexity
    ends = [f"largest {name[1:]}" if name.startswith("-") else f"smallest {name}" for name in names]
    return f"has the {', then the '.join(ends)}"


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.removeprefix("-"))


def _named(name: str, candidates: Candidates, places: Positions) -> list[Any]:
    """Values of a parameter or column; with a minus in front larger is simpler."""
    sign, plain = (-1, name[1:]) if name.startswith("-") else (1, name)
    parameters = dict.fromkeys(key for params in candidates.params for key in params)
    if plain not in parameters and plain.removeprefix("param_") in parameters:
        plain = plain.removeprefix("param_")  # named as its column in cv_results_
    if plain in parameters:
        lacking = next((candidates.names[i] for i in places if plain not in candidates.params[i]), None)
        if lacking is not None:
            says = f"complexity must name a parameter of every candidate; got {plain!r}, which {lacking} lacks"
            raise ValueError(says)
        values, where = [candidates.params[i][plain] for i in places], f"in a parameter; got {plain}="
    elif plain in candidates.columns:
        values, where = candidates.columns[plain][places].tolist(), f"in {plain}; got "
    else:
        known = ", ".join(map(repr, [*parameters, *candidates.columns]))
        raise ValueError(f"complexity must name a parameter or a column of numbers; got {plain!r}, not among {known}")
    return [sign * _number(value, f"{where}{one_line(repr(value)):.80}") for value in values]


def _number(value: Any, where: str) -> Any:
    """A number to order by; None, as in ``max_depth=None``, is above all others."""
    if value is None:
        return np.inf
    if isinstance(value, (Real, np.bool_)) and value == value:
        return int(value) if isinstance(value, (bool, np.bool_)) else value
    raise ValueError(f"complexity must be a number or None {where}; a callable can order other values")


# Refit rule: the candidate that is better than most others on several metrics at once.


MAX_METRICS = 8
_BLOCK = 2**21  # numbers that are looked at together


class BestByDominance(Rule, repr=False, slots=False):
    """The candidate that is better than most others on all metrics jointly."""

    _made_by: ClassVar[str] = "best_by_dominance"
    metrics: tuple[str, ...]
    alpha: float
    test_fraction: float | None

    def asked(self) -> tuple[str, ...]:
        return self.metrics

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
        kept, better = f"{len(members):,} of {len(means):,} candidates", "better than any other on all metrics at once"
        won = f"None is shown to be {better}; {name} leads by the share of splits"
        if len(members) == 1:
            kept, won = f"of {len(means)} only {name}", f"It is not shown to be {better}"
        if beaten[place]:
            most = f"the most others: than {beaten[place]} of {len(means) - 1}" if len(means) > 2 else "the other one"
            won = f"{name} is better on all metrics at once than {most} at {self.alpha:g}"
        reason = (
            f"The rule keeps what no other is as good as or better than on the means of "
            f"all of {', '.join(self.metrics)}: {kept}. {won}. Splits on which it is "
            f"better than another on all metrics, less those on which it is worse on all: {percent(share[place], 1)}."
        )
        least = dominance_test([0.0, n_effective], n_effective).pvalue  # where all cases are for one statement
        if len(means) > 1 and least >= self.alpha:
            worth = f"the splits are worth {counted(f'{n_effective:.3g}', 'independent case')}, which cannot show"
            what = f"at {self.alpha:g} that one candidate is better than another on all metrics"
            warnings += (Code.CANNOT_REJECT(f"{worth} {what}."),)
        elif len(means) > 1 and not beaten[place]:
            none = "of those that may be chosen none is shown to be better than any other"
            warnings += (Code.UNDECIDED(f"{none} on all metrics at {self.alpha:g}."),)
        return Decision(index=int(members[place]), kept=front, reason=reason, correction=correction, warnings=warnings)


def best_by_dominance(
    metrics: Sequence[str], *, alpha: float = 0.05, test_fraction: float | None = None
) -> BestByDominance:
    """Refit rule: the candidate that is better than most others on all metrics at once.

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


def joint_wins(
    scores: FloatArray, members: Positions, *, n_effective: float, alpha: float
) -> tuple[Positions, FloatArray]:
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
    n, n_splits, m = scores.shape
    beaten, share = np.zeros(len(members), dtype=np.intp), np.zeros(len(members))
    size = max(1, _BLOCK // max(n_splits, 3**m))
    for (place, member), start in product(enumerate(members), range(0, n, size)):
        outcomes = [
            won_or_level(np.broadcast_to(own, other.shape), other)
            for own, other in zip(scores[member].T, np.moveaxis(scores[start : start + size], 2, 0), strict=True)
        ]
        _, statement, pvalue = most_frequent(pattern_counts(outcomes), n_effective)
        beaten[place] += np.count_nonzero((statement == 2**m - 1) & (pvalue < alpha))
        better, worse = np.all([won for won, _ in outcomes], axis=0), np.all([~level for _, level in outcomes], axis=0)
        share[place] += (better.mean(axis=1) - worse.mean(axis=1)).sum() / max(n - 1, 1)
    return beaten, share
