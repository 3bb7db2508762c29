"""Comparisons that may be stopped early: races of candidates, and anytime-valid tests.

Run from a checkout: ``python -m benchmarks.racing PART``, where the part is ``races``, ``optimum``, ``anytime``;
without one it is ``races``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, special

from benchmarks import head, line, options, run_part
from benchmarks.fast_learners import decision_stump, k_neighbors, naive_bayes, splits
from skcompare import StopRule
from skcompare.comparison.stopping import SequentialMonitor
from skcompare.evaluation.metrics.scoring import Metric
from skcompare.inference import alpha_spending, confidence_sequence, corrected_t_test, model_confidence_set
from skcompare.inference.fold_scores.power import _levels
from skcompare.scores.stopping import HARDLY, Stopping

# ---- races ------------------------------------------------------------------------------------------------------


REPEATS, FOLDS = 10, 10
BLOCK = 5
METRIC = Metric(name="score", kind="batched", source="accuracy")
ALPHA = 0.05
RULE = StopRule()
LEARNERS = {"naive Bayes": naive_bayes, "5-NN": k_neighbors, "stumps": decision_stump}
Scores = NDArray[np.float64]


def normal_scores(rng: np.random.Generator, means: Sequence[float] | Scores) -> Scores:
    """Scores with these means and variance 1 on all splits, any two splits correlated by the test fraction."""
    shared, means = 1 / FOLDS, np.asarray(means, dtype=float)
    noise = rng.normal(size=(len(means), REPEATS * FOLDS))
    return means[:, None] + shared**0.5 * rng.normal(size=(len(means), 1)) + (1 - shared) ** 0.5 * noise


def fitted_scores(rng: np.random.Generator, accuracies: ArrayLike, n: int, learner: str = "naive Bayes") -> Scores:
    """Accuracies on all splits of one data set, a model per wanted accuracy of naive Bayes on unlimited data."""
    y = np.arange(n) % 2
    tests = splits(y, "10x10", rng)
    found = []
    for signal in special.ndtri(accuracies) / BLOCK**0.5:
        X = rng.normal((2 * y[:, None] - 1) * signal, size=(n, BLOCK))
        right = (LEARNERS[learner](X, y, ~tests, 0) > 0) == y
        found.append((right & tests).sum(axis=1) / tests.sum(axis=1))
    return np.array(found)


def race(scores: Scores, rule: StopRule) -> Stopping:
    """What the evaluator would have decided."""
    names = [str(i) for i in range(len(scores))]
    repeats = scores.shape[1] // FOLDS
    running = SequentialMonitor(rule, names, [METRIC], (repeats, FOLDS))
    for repeat in range(1, repeats + 1):
        if not running.look(scores[:, : repeat * FOLDS]):
            break
    return running.record()


class Tally(NamedTuple):
    """What came of many runs; the first `n_best` models are the best, equally good."""

    wrong: float
    found: float
    share: float
    repeats: float
    wrong_full: float
    found_full: float
    overstated: float


def tally(make: Callable[[np.random.Generator], Scores], runs: int, n_best: int, rule: StopRule = RULE) -> Tally:
    """Of the race, and of all repeats tested once: errors and finds; by how much a lead that decided is too large."""
    rows, leads = [], []
    for scores in repeated(make, runs):
        stopping = race(scores, rule)
        worse = np.isin(np.arange(len(scores)), [int(name) for name in stopping.worse])
        excluded = model_confidence_set(scores.T, test_fraction=1 / FOLDS).pvalues < ALPHA
        share = stopping.n_fits / (stopping.n_fits + stopping.n_fits_saved)
        wrong = [found[:n_best].any() for found in (worse, excluded)]
        others = [found[n_best:].mean() if len(scores) > n_best else 0.0 for found in (worse, excluded)]
        rows.append((wrong[0], others[0], share, stopping.n_repeats, wrong[1], others[1]))
        d = scores[0] - scores[-1]
        leads.append((d.mean(), d[: stopping.n_repeats * FOLDS].mean() if worse[-1] else np.nan))
    true, decided = np.nanmean(leads, axis=0)
    return Tally(*np.mean(rows, axis=0).tolist(), decided / true - 1)


def repeated(make: Callable[[np.random.Generator], Scores], runs: int) -> Iterator[Scores]:
    return (make(np.random.default_rng(seed)) for seed in range(runs))


def error_of(share: float, runs: int) -> str:
    return f"{(share * (1 - share) / runs) ** 0.5:.1%}"


def kinds_of(k: int) -> dict[str, Callable[[np.random.Generator], Scores]]:
    """What draws the scores of so many equal models, by their kind."""
    return {
        "normal": partial(normal_scores, means=np.zeros(k)),
        **{f"{name}, n=200": partial(fitted_scores, accuracies=[0.84] * k, n=200, learner=name) for name in LEARNERS},
    }


def equal_models(runs: int) -> None:
    """Size: any model found worse, among equal ones; and what is fitted before it ends."""
    names = ("equal models", "scores", "runs", "sequential", "standard error", "one test of 10x10", "fits")
    print(f"\n{head(names, 0)}")
    for k in (2, 5, 20):
        for kind, make in kinds_of(k).items():
            n = runs * 2 if k == 2 else runs
            t = tally(make, n, k)
            rates = f"{t.wrong:.1%}", error_of(t.wrong, n), f"{t.wrong_full:.1%}", f"{t.share:.1%}"
            print(line(k, kind, n, *rates), flush=True)


def small_samples(runs: int) -> None:
    """Size where accuracy moves in steps of 1/2 and 1/4, and where scores are missing."""
    print(f"\n{head(('equal models', 'naive Bayes', 'runs', 'sequential', 'standard error'), 0)}")
    cases: list[tuple[int, str, Callable[[np.random.Generator], Scores]]] = [
        (k, f"n={n}", partial(fitted_scores, accuracies=[0.84] * k, n=n)) for n in (20, 40) for k in (2, 5, 20, 50)
    ]
    cases += [(k, "n=100, one model fails on 80% of splits", partial(_failing, n_models=k)) for k in (2, 5)]
    for k, what, make in cases:
        wrong = float(np.mean([bool(race(scores, StopRule()).worse) for scores in repeated(make, runs)]))
        print(line(k, what, runs, f"{wrong:.1%}", error_of(wrong, runs)), flush=True)


def _failing(rng: np.random.Generator, n_models: int) -> Scores:
    scores = fitted_scores(rng, [0.84] * n_models, 100)
    scores[0, rng.random(scores.shape[1]) < 0.8] = np.nan
    return scores


def careless_looks(runs: int) -> None:
    """Two equal models tested at 5% after every repeat."""
    names = ("two equal models, tested at 5% after every repeat", "runs", "called different", "standard error")
    print(f"\n{head(names)}")
    for kind, make in kinds_of(2).items():
        wrong = float(np.mean([_ever_below(a - b) for a, b in repeated(make, runs)]))
        print(line(kind, runs, f"{wrong:.1%}", error_of(wrong, runs)), flush=True)


def _ever_below(differences: Scores) -> bool:
    looks = (differences[: repeat * FOLDS] for repeat in range(1, REPEATS + 1))
    return any(corrected_t_test(d, np.zeros_like(d), test_fraction=1 / FOLDS).pvalue < ALPHA for d in looks)


def of_gap(gap: float, n_best: int = 1, n_models: int = 2) -> Callable[[np.random.Generator], Scores]:
    """What draws the scores of models of which all but the first ones are worse by so much."""
    return partial(fitted_scores, accuracies=0.88 - gap * (np.arange(n_models) >= n_best), n=400)


# Differences that the test of 10x10 finds in about 80%, of two models and more: of normal scores, and in accuracy.
DETECTABLE = {2: (1.32, 0.08), 5: (1.65, 0.095), 20: (2.0, 0.11)}


def detectable(runs: int) -> None:
    """What a difference of the smallest detectable size takes, and what it loses."""
    names = ("models", "of which best", "scores", "fits", "a best one dropped", "with all fits")
    print(f"\n{head((*names, 'worse ones found', 'with all fits'), 0)}")
    for k, gaps in DETECTABLE.items():
        for n_best in dict.fromkeys((1, k // 2)):
            worse = np.arange(k) >= n_best
            draws = {
                "normal": partial(normal_scores, means=-gaps[0] * worse),
                "naive Bayes": of_gap(gaps[1], n_best, k),
            }
            for kind, make in draws.items():
                t = tally(make, runs, n_best)
                cells = (t.share, t.wrong, t.wrong_full, t.found, t.found_full)
                print(line(k, n_best, kind, *(f"{cell:.1%}" for cell in cells)), flush=True)


def candidates(runs: int) -> None:
    """A hundred candidates, of which those are dropped that would hardly end first."""
    names = ("100 candidates", "fits", "the best of all fits is kept", "candidates left", "its lead over the best kept")
    print(f"\n{head(names)}")
    rule = StopRule(drop="unlikely")
    draws = {f"normal, of spread {spread}": partial(spread_scores, spread=spread) for spread in (0.0, 0.3, 0.6, 1.0)}
    for low in (0.84, 0.78, 0.7):
        name = f"naive Bayes, {low:.0%} to 86%" if low < 0.84 else "naive Bayes, all 84%"
        draws[name] = partial(fitted_scores, accuracies=np.linspace(low, max(0.86 * (low < 0.84), low), 100), n=200)
    for name, make in draws.items():
        rows = []
        for scores in repeated(make, runs):
            stopping, means = race(scores, rule), scores.mean(axis=1)
            lost = means.max() - means[[int(one) for one in stopping.names]].max()
            share = stopping.n_fits / (stopping.n_fits + stopping.n_fits_saved)
            rows.append((share, lost < 1e-12, len(stopping.names), lost))
        share, kept, left, lost = np.mean(rows, axis=0)
        print(line(name, f"{share:.1%}", f"{kept:.1%}", f"{left:.1f}", f"{lost:.4f}"), flush=True)


def spread_scores(rng: np.random.Generator, spread: float) -> Scores:
    """Scores of 100 candidates whose means are normal too, in standard deviations of a score."""
    return normal_scores(rng, spread * rng.normal(size=100))


def two_models(runs: int) -> None:
    """Repeats used, and power."""
    names = ("difference of two models", "mean repeats", "found different", "with all 10", "lead then too large by")
    print(f"\n{head(names)}")
    for gap in (0.0, 0.03, 0.06, 0.10):
        t = tally(of_gap(gap), runs, 2 - (gap > 0))
        found = (t.found, t.found_full) if gap else (t.wrong, t.wrong_full)
        too_large = f"{t.overstated:+.0%}" if gap else ""
        print(line(f"{gap:.2f}", f"{t.repeats:.1f}", *(f"{share:.1%}" for share in found), too_large), flush=True)


def main_of_races() -> None:
    """How often sequential evaluation is wrong, and what it saves: equal models, small samples, races, two models.

    Run from a checkout: ``python -m benchmarks.racing``. Scores are normal with the correlation that the corrected t
    test assumes, or those of Gaussian naive Bayes fitted for real, each candidate on a block of five features of its
    own; blocks of equal signal are exchangeable, so that their models are equally good. The decisions are those of the
    evaluator (`skcompare.comparison.stopping.SequentialMonitor`). ``--runs`` is of equal models; twice as many of two,
    half of small samples. ``--races`` is of models that differ, and half as many of a hundred candidates.
    """
    given = options(main_of_races.__doc__, runs=1000, races=300)
    print(f"{date.today()}; {REPEATS}x{FOLDS} folds, alpha {ALPHA:.0%}, accuracy; racing {given.races} runs each")
    equal_models(given.runs)
    careless_looks(given.runs * 2)
    small_samples(given.runs // 2)
    detectable(given.races)
    two_models(given.races)
    candidates(given.races // 2)


# ---- optimum ----------------------------------------------------------------------------------------------------

# Of the sum of the differences, in standard deviations of the one over all splits: beyond 7 there is next to nothing.
GRID = np.linspace(-7, 7, 1401)
FRACTION = 1 / FOLDS
INFORMATION = alpha_spending(FOLDS, REPEATS).information
POWERS = (4, 6, 8, 12, 16)


class Rule(NamedTuple):
    """What a rule for two models takes of the fits of a difference that all fits find in 80%, and of equal models."""

    lost: float
    fits: float
    wrong: float
    fits_where_equal: float


def optimum(price: float, wrong_price: float) -> Rule:
    """The rule with the least sum of fits, errors and missed differences at these prices, of a known variance.

    By dynamic programming from the last look: whoever rejects pays `wrong_price` where the models are equal, whoever
    stops else pays `price` where they differ, and each repeat costs its fits there. All is weighted by the likelihood
    ratio of the difference, of either sign, over none.
    """
    z = -special.ndtri(ALPHA / 2)
    drift = z - special.ndtri(0.2)
    steps = np.diff(INFORMATION, prepend=0.0)
    ratios = [np.exp(-(drift**2) * t / 2) * np.cosh(drift * GRID) for t in INFORMATION]
    moves = [np.exp(-((GRID - GRID[:, None]) ** 2) / 2 / step) for step in steps]
    moves = [move * (GRID[1] - GRID[0]) / (2 * np.pi * step) ** 0.5 for move, step in zip(moves, steps, strict=True)]
    value, going_on, rejecting = np.full(GRID.size, np.inf), [], []
    for look in reversed(range(REPEATS)):
        stopped = np.minimum(wrong_price, price * ratios[look])
        on = ratios[look] / REPEATS + moves[look + 1] @ value if look + 1 < REPEATS else value
        going_on.append(on < stopped)
        rejecting.append((on >= stopped) & (wrong_price < price * ratios[look]))
        value = np.minimum(stopped, on)
    paths, found, fits = moves[0][GRID.size // 2], np.zeros(2), np.zeros(2)
    for look, (on, rejected) in enumerate(zip(going_on[::-1], rejecting[::-1], strict=True)):
        here = np.array([paths * ratios[look], paths])
        found += (here * rejected).sum(axis=1)
        fits += here.sum(axis=1) / REPEATS
        paths = (paths * on) @ moves[look + 1] if look + 1 < REPEATS else paths
    return Rule(0.8 - found[0], fits[0], found[1], fits[1])


def best_rule(price: float) -> Rule:
    """Of those that are wrong in `ALPHA`."""
    log_price = optimize.brentq(lambda x: optimum(price, np.exp(x)).wrong - ALPHA, -3, 12, xtol=1e-3)
    return optimum(price, np.exp(log_price))


def family(power: float, runs: int) -> Rule:
    """`StopRule`, spending by this power of the information; normal scores of two models."""
    spent = tuple((ALPHA * INFORMATION**power).tolist())
    levels = np.array(_levels(FOLDS, 1, REPEATS, FRACTION, spent, 2))[:, None]
    rng = np.random.default_rng(0)
    scores = rng.normal(scale=(1 - FRACTION) ** 0.5, size=(runs, REPEATS, FOLDS))
    n = FOLDS * np.arange(1, REPEATS + 1)[:, None]
    sums, squares = (np.cumsum(one.sum(axis=2).T, axis=0) for one in (scores, scores**2))
    means = sums / n
    errors = np.sqrt((squares - sums * means) / (n - 1) * (1 / n + FRACTION / (1 - FRACTION)))
    means = means + rng.normal(scale=FRACTION**0.5, size=runs)
    gap = optimize.brentq(lambda gap: _of_once(means[-1] + gap, errors[-1]) - 0.8, 0.5, 2)
    found = [_looked_at((means + one) / errors, levels, n) for one in (gap, 0.0)]
    return Rule(0.8 - found[0][0], found[0][1], found[1][0], found[1][1])


def _of_once(means: Scores, errors: Scores) -> float:
    return float((2 * special.stdtr(REPEATS * FOLDS - 1, -np.abs(means / errors)) < ALPHA).mean())


def _looked_at(t: Scores, levels: Scores, n: Scores) -> tuple[float, float]:
    """The share found different, and of the fits."""
    tails = special.stdtr(n - 1, -np.abs(t))
    part = INFORMATION[:-1, None]
    reach = special.ndtri(levels[-1, 0] / 2) * part**0.5 - special.ndtri(tails[:-1])
    found = 2 * tails < levels
    over = found | (n == n[-1])
    over[:-1] |= special.ndtr(reach / (1 - part) ** 0.5) < HARDLY
    first = np.argmax(over, axis=0)
    return float(np.take_along_axis(found, first[None], axis=0).mean()), float((first + 1).mean() / REPEATS)


def main_of_optimum() -> None:
    """What the fits of a verdict on two models could be at best, beside those of `StopRule`.

    Run from a checkout: ``python -m benchmarks.racing optimum``. The optimum knows the variance, and is wrong more
    often where somebody goes on after its end. Both are for 10x10 folds at 5%, and for the difference that all fits
    find in 80%.
    """
    given = options(main_of_optimum.__doc__, runs=100_000)
    print(date.today())
    best = [best_rule(price) for price in (1, 1.5, 2, 3, 4, 6, 8, 12, 20, 40)]
    print(head(("spending", "power lost", "fits", "fits of equal models", "optimum: fits at this loss"), 0))
    for power in POWERS:
        ours = family(power, given.runs)
        least = np.interp(-ours.lost, [-rule.lost for rule in best], [rule.fits for rule in best])
        lost = f"{100 * ours.lost:.1f} points"
        print(
            line(f"power {power}", lost, f"{ours.fits:.1%}", f"{ours.fits_where_equal:.1%}", f"{least:.1%}"), flush=True
        )
    three = np.interp(-0.03, [-rule.lost for rule in best], [rule.fits for rule in best])
    print(f"\noptimum at a loss of 3 points: {three:.1%} of the fits")


# ---- anytime ----------------------------------------------------------------------------------------------------


Values = NDArray[np.float64]
Pair = tuple[Values, Values]
Draw = Callable[[np.random.Generator, int], Pair]
ITEMS, LOOKS = 10_000, (100, 1_000, 10_000)
FIRST_LOOK = 20


def answers(rng: np.random.Generator, n: int, *, only_a: float, only_b: float) -> Pair:
    """Right and wrong, with the probability that one model alone is right; both are on half of the others."""
    u = rng.random(n)
    both = u > 1 - (1 - only_a - only_b) / 2
    return (both | (u < only_a)) * 1.0, (both | ((u >= only_a) & (u < only_a + only_b))) * 1.0


def beta(rng: np.random.Generator, n: int, *, p: float, q: float) -> Pair:
    """Losses of two models by themselves, of one beta distribution: skewed, or at the ends."""
    return rng.beta(p, q, n), rng.beta(p, q, n)


def rare(rng: np.random.Generator, n: int, *, share: float) -> Pair:
    """`a` is far better on few items and a little worse on all others."""
    return np.where(rng.random(n) < share, 1.0, 0.0), np.full(n, share)


def bursts(rng: np.random.Generator, n: int) -> Pair:
    """The spread of a difference depends on the one before: calm stretches and wild ones."""
    signs = rng.choice([-1.0, 1.0], n)
    calm = (np.arange(n) // 50 + (np.cumsum(signs) > 0)) % 2 == 0
    size = np.r_[1.0, np.where(calm[:-1], 0.02, 1.0)]
    return (1 + signs * size) / 2, np.full(n, 0.5)


def discordant(share: float) -> Draw:
    return partial(answers, only_a=share / 2, only_b=share / 2)


EQUAL: Mapping[str, Draw] = {
    "right or wrong, 1% discordant": discordant(0.01),
    "right or wrong, 5% discordant": discordant(0.05),
    "right or wrong, 20% discordant": discordant(0.2),
    "right or wrong, 50% discordant": discordant(0.5),
    "right or wrong, all discordant": discordant(1.0),
    "losses, Beta(2, 5)": partial(beta, p=2.0, q=5.0),
    "losses, Beta(0.2, 2), skewed": partial(beta, p=0.2, q=2.0),
    "losses, Beta(0.1, 0.1), at the ends": partial(beta, p=0.1, q=0.1),
    "differences skewed: 1 of 20 far better": partial(rare, share=0.05),
    "differences skewed: 1 of 200 far better": partial(rare, share=0.005),
    "spread depends on the past": bursts,
}
# The shares of items on which a alone and b alone is right.
DIFFERENT = ((0.06, 0.04), (0.08, 0.02), (0.175, 0.125), (0.2, 0.1), (0.3, 0.2), (0.35, 0.15))


def share_by(found: Values, n: int) -> str:
    return f"{np.mean(found <= n):.1%}"


def decided_at(record: Any) -> float:
    return np.inf if record.decided_at is None else float(record.decided_at)


def looked_at(seed: int, draw: Draw) -> Values:
    """After how many items the two tests first said that equal models differ, infinity where never."""
    a, b = draw(np.random.default_rng(seed), ITEMS)
    return np.array([decided_at(confidence_sequence(a, b)), _first_t(a - b)])


def _first_t(d: Values) -> float:
    """The item after which the paired t test first has a p-value below 5%."""
    n = np.arange(1, d.size + 1)
    mean, square = np.cumsum(d) / n, np.cumsum(d**2) / n
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(mean) / np.sqrt((square - mean**2) / (n - 1))
    below = t[FIRST_LOOK - 1 :] > special.stdtrit(n[FIRST_LOOK - 1 :] - 1, 1 - ALPHA / 2)
    return float(np.argmax(below) + FIRST_LOOK) if below.any() else np.inf


def equal_models_of_anytime(runs: int) -> None:
    print(f"Equal models; {runs:,} runs a row, standard error at 5%: {error_of(ALPHA, runs)}\n")
    looks = [f"by item {n:,}" for n in LOOKS]
    print(head(("equal models", *looks, f"paired t test, {looks[-1]}")))
    for name, draw in EQUAL.items():
        decided, by_t = np.array([looked_at(seed, draw) for seed in range(runs)]).T
        print(line(name, *(share_by(decided, n) for n in LOOKS), share_by(by_t, ITEMS)), flush=True)


def needed_once(only_a: float, only_b: float, power: float = 0.9) -> int:
    """Items of McNemar's test made once, by the normal approximation (Connor 1987)."""
    share, gap = only_a + only_b, only_a - only_b
    z, y = special.ndtri(1 - ALPHA / 2), special.ndtri(power)
    return ceil((z * share**0.5 + y * (share - gap**2) ** 0.5) ** 2 / gap**2)


def different_models(runs: int) -> None:
    print(f"\nModels that differ; {runs:,} runs a row, at most three times the items of the test made once.\n")
    names = ("only a right", "only b right", "McNemar once, 90% power", "confidence sequence: decided by then")
    print(head((*names, "by twice as many", "by three times", "median items", "wrong side"), 0))
    for only_a, only_b in DIFFERENT:
        once, found = needed_once(only_a, only_b), []
        for seed in range(runs):
            both = answers(np.random.default_rng(seed), 3 * once, only_a=only_a, only_b=only_b)
            record = confidence_sequence(*both)
            wrong = record.decided_at is not None and record.differences[: record.decided_at].mean() < 0
            found.append((decided_at(record), wrong))
        items, wrong = np.array(found).T
        last = f"{np.median(items):,.0f}", f"{np.mean(wrong):.1%}"
        by = (share_by(items, k * once) for k in (1, 2, 3))
        print(line(f"{only_a:.1%}", f"{only_b:.1%}", f"{once:,}", *by, *last), flush=True)


def main_of_anytime() -> None:
    """How often `confidence_sequence` is wrong when it is looked at after every item, and what that costs in items.

    Run from a checkout: ``python -m benchmarks.racing anytime --runs 1000`` (equal models), ``--power`` (models that
    differ).

    Equal models: the differences have mean 0 whatever came before. Each run is looked at after every one of 10,000
    items, and counts as wrong if the p-value was ever below 5%: whoever stops at the best moment is wrong as often.
    Beside it the paired t test, looked at after every item from the 20th on.
    """
    given = options(main_of_anytime.__doc__, runs=1000, power=False)
    print(date.today())
    start = time.process_time()
    (different_models if given.power else equal_models_of_anytime)(given.runs)
    print(f"\n{time.process_time() - start:.0f} s of processor time")


if __name__ == "__main__":
    run_part(main_of_races, main_of_optimum, main_of_anytime)
