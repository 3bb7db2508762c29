"""Refit rule: the simplest candidate that is not worse than the best, by a stated statistical rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from skcompare._core.numbers import percent
from skcompare._core.own_copies import own_copy
from skcompare._core.printable import one_line
from skcompare._core.validation import check_choice, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference import correlated_t_posterior, signed_rank_test
from skcompare.inference._base import ROUNDING, corrected_factor
from skcompare.inference._measured_sizes import MEASURED_SIZES
from skcompare.inference._overlap import Correction
from skcompare.inference.fold_scores.model_confidence_set import confidence_set
from skcompare.selection._candidates import Candidates, Scored, correction_of
from skcompare.selection._choice import Decision, Rule, check_fraction

Complexity = str | Sequence[str] | Callable[[Any], Any] | None
# Whether each candidate is kept, what those are that are, and reasons to doubt it.
Kept = tuple[NDArray[np.bool_], str, tuple[CodedWarning, ...]]


@dataclass(frozen=True, kw_only=True, repr=False)
class SimplestWithin(Rule):
    """The simplest candidate among those that a rule keeps beside the best."""

    _made_by: ClassVar[str] = "simplest_within"
    metric: str | None
    complexity: Complexity
    rule: str
    alpha: float
    rope: float
    test_fraction: float | None

    def asked(self) -> tuple[str, ...]:
        return () if self.metric is None else (self.metric,)

    def deciding(self, candidates: Candidates) -> tuple[int, ...]:
        return (candidates.metric(self.metric)[0],)

    def decide(self, scored: Scored) -> Decision:
        if scored.values.shape[1] < 2:
            raise ValueError(f"rule must be given the scores of 2 or more splits; got {scored.values.shape[1]}")
        keys = _complexity_keys(self.complexity, scored.candidates, scored.places)
        correction, guess = self._correction(scored.candidates)
        kept, what, warnings = WITHIN[self.rule](self, scored, correction or Correction(test_fraction=0.0))
        means = scored.values.mean(axis=1)
        chosen = int(min(np.flatnonzero(kept), key=lambda i: (keys[i], -means[i], i)))
        name = scored.names[chosen]
        which = f"of {len(means)} candidates only {name}."
        if kept.sum() > 1:
            which = f"{kept.sum()} of {len(means)} candidates. Of these {name} {_in_words(self.complexity)}."
        return Decision(
            index=chosen,
            kept=kept,
            reason=f"The rule keeps what is {what}: {which}{scored.candidates.metric(self.metric)[1]}",
            correction=correction,
            rope=self.rope,
            warnings=(*guess, *warnings),
        )

    def _correction(self, candidates: Candidates) -> tuple[Correction | None, tuple[CodedWarning, ...]]:
        """The correction, guessed only for a rule that needs it, with a warning; None where it is not known."""
        if self.rule in KNOWING or candidates.correction is not None or self.test_fraction is not None:
            return correction_of(candidates, self.test_fraction)
        return None, ()


def simplest_within(
    metric: str | None = None,
    *,
    complexity: Complexity = None,
    rule: str = "margin",
    alpha: float = 0.05,
    rope: float = 0.01,
    test_fraction: float | None = None,
) -> SimplestWithin:
    r"""Refit rule: the simplest candidate that is not worse than the best, by a stated rule.

    The default gives up at most `rope` for a simpler candidate, as far as the splits can tell: its mean loss to the
    best and one standard error of that loss together. In simulations its choice was truly worse than the best by
    more than that hardly more often than the highest mean (`docs/selection.md`). "Not significantly different" is not
    "as good": ``rule="corrected_t"`` takes the simplest candidate that the data do not speak against, which on 200
    samples lost 0.05 to 0.12 in accuracy on average. The choice names the difference to the best with a 95% interval,
    and warns (`LOSS`) where that reaches beyond `rope`.

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
        error of that loss, corrected for the overlap of the training sets, is at most `rope`. ``"rope"``, stricter:
        those whose posterior probability to lose more than `rope` is at most `alpha` (`correlated_t_posterior`).
        ``"corrected_t"``: those that are not significantly different from the best at `alpha`, all comparisons of the
        candidates and the overlap allowed for (`model_confidence_set`). ``"one_se"``: those whose mean is at least
        that of the best less one standard error, :math:`s / \sqrt n` of the best's splits (Breiman et al. 1984).
        ``"signed_rank"``: those that the one-sided signed-rank test over the splits does not call worse at `alpha`.
        The last two do not allow for the overlap.
    alpha : float, default=0.05
        In (0, 1), of ``"rope"``, of which a smaller one keeps fewer candidates, ``"corrected_t"`` and
        ``"signed_rank"``, of which it keeps more.
    rope : float, default=0.01
        Largest loss that does not matter, in score units, at least 0. ``"margin"`` and ``"rope"`` keep by it; with the
        others the choice warns where the loss may be larger.
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
        raise ValueError(f"metric must be None or the name of a metric; got {metric!r:.80}")
    check_choice(rule, "rule", RULES)
    return SimplestWithin(
        metric=metric,
        complexity=_check_complexity(complexity),
        rule=rule,
        alpha=check_number(alpha, "alpha", low=0, high=1, closed="neither"),
        rope=check_number(rope, "rope", low=0, high=np.inf, closed="left"),
        test_fraction=check_fraction(test_fraction),
    )


# ---- the rules -----------------------------------------------------------------------------------------------


def _margin(rule: SimplestWithin, scored: Scored, correction: Correction) -> Kept:
    values = scored.values
    losses = values[scored.best] - values
    n, noise = values.shape[1], ROUNDING * float(np.abs(values).max())
    errors = losses.std(axis=1, ddof=1) * corrected_factor(n, **correction.options)
    kept: NDArray[np.bool_] = losses.mean(axis=1) + errors <= rule.rope + noise
    kept[scored.best] = True
    return kept, f"at most {rule.rope:g} below the best, one standard error of the difference included", ()


def _corrected_t(rule: SimplestWithin, scored: Scored, correction: Correction) -> Kept:
    what = f"not significantly different from the best at {rule.alpha:g}, all comparisons allowed for"
    if len(scored.names) == 1:
        return np.array([True]), what, ()
    found = confidence_set(scored.values.T, names=scored.names, **correction.options)
    return ~(found.pvalues < rule.alpha), what, found.warnings


def _one_se(rule: SimplestWithin, scored: Scored, correction: Correction) -> Kept:  # noqa: ARG001
    values, best = scored.values, scored.best
    means, error = values.mean(axis=1), float(values[best].std(ddof=1) / np.sqrt(values.shape[1]))
    kept = means >= means[best] - error - ROUNDING * np.abs(values).max()
    warning = Code.OVERLAP(
        "the standard error takes the splits for independent; they share training samples, so that it is too "
        "small, the more so the more repeats there are."
    )
    return kept, f"within one standard error, {error:.3g}, of the best", (warning,)


def _rope(rule: SimplestWithin, scored: Scored, correction: Correction) -> Kept:
    best = scored.values[scored.best]
    posteriors = [correlated_t_posterior(one, best, rope=rule.rope, **correction.options) for one in scored.values]
    kept = np.array([posterior.left <= rule.alpha for posterior in posteriors])
    kept[scored.best] = True  # with rope 0 it is as probably worse than itself as better
    what = f"shown to lose at most {rule.rope:g} to the best (more with probability {rule.alpha:g} at most)"
    return kept, what, ()


def _signed_rank(rule: SimplestWithin, scored: Scored, correction: Correction) -> Kept:  # noqa: ARG001
    best = scored.values[scored.best]
    tests = [signed_rank_test(best, one, alternative="greater") for one in scored.values]
    sizes = {design: MEASURED_SIZES["paired_t_test"][design]["accuracy"] for design in ("10-fold", "10x10")}
    measured = [f"{percent(low)} to {percent(high)} ({design})" for design, (low, high) in sizes.items()]
    warning = Code.OVERLAP(
        f"the signed-rank test takes the splits for independent; they share training samples, so that it "
        f"drops good candidates too often. The paired t-test, which does the same, was measured to call equal models "
        f"different at 5% in {' and '.join(measured)} of cases."
    )
    kept = np.array([not test.pvalue < rule.alpha for test in tests])
    return kept, f"not worse than the best at {rule.alpha:g} by the signed-rank test", (warning,)


# The rules that allow for the overlap of the training sets, and have to know the test fraction.
KNOWING = frozenset({"margin", "corrected_t", "rope"})
WITHIN: dict[str, Callable[[SimplestWithin, Scored, Correction], Kept]] = {
    "margin": _margin,
    "corrected_t": _corrected_t,
    "one_se": _one_se,
    "rope": _rope,
    "signed_rank": _signed_rank,
}
RULES = tuple(WITHIN)


# ---- how complex the candidates are: numbers to put them in order by, the simplest first ------------------------


def _check_complexity(complexity: Any) -> Complexity:
    """None, a name, a tuple of names or a callable, or ValueError."""
    if complexity is None or callable(complexity) or _is_name(complexity):
        return complexity  # type: ignore[no-any-return]
    if isinstance(complexity, (list, tuple)) and complexity and all(map(_is_name, complexity)):
        return tuple(complexity)
    raise ValueError(
        f"complexity must be None, a parameter or column of numbers, a sequence of these or a callable; "
        f"got {one_line(repr(complexity)):.80}"
    )


def _complexity_keys(complexity: Complexity, candidates: Candidates, places: NDArray[np.intp]) -> list[tuple[Any, ...]]:
    """What to order the candidates at some places by, or ValueError where one of them has no place in the order."""
    if complexity is None:
        return [(int(i),) for i in places]
    if callable(complexity):
        return [_given(complexity(own_copy(candidates.subjects[i])), candidates.names[i]) for i in places]
    names = (complexity,) if isinstance(complexity, str) else complexity
    return list(zip(*(_named(name, candidates, places) for name in names), strict=True))


def _in_words(complexity: Complexity) -> str:
    """What the candidate that comes first in this order is or has."""
    if complexity is None:
        return "is the first listed"
    if callable(complexity):
        return f"is the simplest by {getattr(complexity, '__name__', type(complexity).__name__)}"
    names = (complexity,) if isinstance(complexity, str) else complexity
    ends = [f"largest {name[1:]}" if name.startswith("-") else f"smallest {name}" for name in names]
    return f"has the {', then the '.join(ends)}"


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.removeprefix("-"))


def _given(value: Any, candidate: str) -> tuple[Any, ...]:
    parts = value if isinstance(value, (tuple, list)) else (value,)
    return tuple(_number(part, f"for {candidate}; got {one_line(repr(value)):.80}") for part in parts)


def _named(name: str, candidates: Candidates, places: NDArray[np.intp]) -> list[Any]:
    """Values of a parameter or column; with a minus in front larger is simpler."""
    sign, plain = (-1, name[1:]) if name.startswith("-") else (1, name)
    if not _is_parameter(plain, candidates) and _is_parameter(plain.removeprefix("param_"), candidates):
        plain = plain.removeprefix("param_")  # named as its column in cv_results_
    if _is_parameter(plain, candidates):
        numbers = [_of_params(plain, candidates.params[i], candidates.names[i]) for i in places]
    elif plain in candidates.columns:
        values = candidates.columns[plain][places].tolist()
        numbers = [_number(value, f"in {plain}; got {value}") for value in values]
    else:
        parameters = dict.fromkeys(key for params in candidates.params for key in params)
        known = ", ".join(map(repr, [*parameters, *candidates.columns]))
        raise ValueError(f"complexity must name a parameter or a column of numbers; got {plain!r}, not among {known}")
    return [sign * number for number in numbers]


def _is_parameter(name: str, candidates: Candidates) -> bool:
    return any(name in params for params in candidates.params)


def _of_params(name: str, params: Any, candidate: str) -> Any:
    if name not in params:
        raise ValueError(f"complexity must name a parameter of every candidate; got {name!r}, which {candidate} lacks")
    return _number(params[name], f"in a parameter; got {name}={one_line(repr(params[name])):.80}")


def _number(value: Any, where: str) -> Any:
    """A number to order by; None, as in ``max_depth=None``, is above all others."""
    if value is None:
        return np.inf
    if isinstance(value, (Real, np.bool_)) and value == value:
        return int(value) if isinstance(value, (bool, np.bool_)) else value
    raise ValueError(f"complexity must be a number or None {where}; a callable can order other values")
