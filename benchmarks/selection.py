"""Picking the best of many: how often it differs from its equals, the bias of its score, what rules choose.

Run from a checkout: ``python -m benchmarks.selection``. Every data set is fitted for real: naive Bayes for all
folds at once in numpy, with the scores of scikit-learn's, and trees by scikit-learn. Each candidate
sees five features of its own; where these are drawn alike the candidates are exchangeable.

``--part rules`` is what refit rules choose: how often they lose more than the margin, and how complex their choice is.
Either the candidates see features of their own, where their true scores are set, or they are those of one grid on the
same features.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np
from scipy import special
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from benchmarks import error_at_5, head, line, options, rejected
from benchmarks import fast_learners as fast
from benchmarks.calibration import correction_of, default_pvalues
from benchmarks.fast_learners import FRACTIONS, METRICS, Array, Learner, blocks, naive_bayes, split_scores, splits
from skcompare import simplest_within
from skcompare.inference import model_confidence_set, selection_bias
from skcompare.inference._records import Correction
from skcompare.selection._effects import parameter_effects

# ---- refit rules ------------------------------------------------------------------------------------------------


SIGNAL = 0.45
trees = fast.of_scikit_learn(DecisionTreeClassifier(max_depth=4, random_state=0))
ROPE = 0.01
CHOICES = {
    "all equal": np.full(10, SIGNAL),
    "levels off": np.r_[0.25, 0.35, 0.40, np.full(7, SIGNAL)],
    "slow rise": np.linspace(0.36, SIGNAL, 10),
}
# The candidates of one search, the simplest first: they share samples and features, so that their scores go together.
GRIDS: dict[str, list[Any]] = {
    "tree by depth": [DecisionTreeClassifier(max_depth=depth, random_state=0) for depth in (1, 2, 3, 4, 5, 6, 8, 10)],
    "neighbours": [KNeighborsClassifier(k) for k in (101, 71, 51, 31, 21, 11, 5, 1)],
}
WITHIN = ("margin", "corrected_t", "one_se", "rope", "signed_rank")


def rules(n_datasets: int) -> None:
    """How often each rule loses more than the margin, by how much, and how complex its choice is."""
    ways = ("highest mean", *WITHIN)
    print("\nShare of choices worse than the best by more than .01 / mean loss / mean place, 1 being the simplest\n")
    print(head(("truth", "n", "design", "metric", *ways), 4))
    for truth, n, design, tables in choice_cases(n_datasets):
        for metric, scores in zip(METRICS, np.array(tables).transpose(1, 0, 2, 3), strict=True):
            level = scores.mean(axis=(0, 1))
            if truth == "all equal":
                level = np.full_like(level, level.mean())
            cells = []
            for way in ways:
                chosen = [choice(one, way, FRACTIONS[design]) for one in scores]
                lost = level.max() - level[chosen]
                cells.append(f"{(lost > ROPE).mean():.3f} / {lost.mean():.4f} / {1 + np.mean(chosen):.1f}")
            print(line(truth, n, design, metric, *cells), flush=True)


def choice_cases(n_datasets: int) -> Iterator[tuple[str, int, str, list[Array]]]:
    """Truth, samples, design, and per data set the scores of shape (2, n_splits, n_candidates)."""
    for truth, signals in CHOICES.items():
        cases = ((200, "10-fold", n_datasets), (200, "10x10", n_datasets), (1000, "10-fold", n_datasets // 2))
        for n, design, n_sets in cases:
            yield (
                truth,
                n,
                design,
                [on_one(np.random.default_rng(seed), n, signals, (design,)) for seed in range(n_sets)],
            )
    for name, models in GRIDS.items():
        for kind in ("rules", "line"):
            for n, n_sets in ((200, n_datasets), (1000, n_datasets // 4)):
                tables = [_grid_scores(models, kind, n, seed) for seed in range(n_sets)]
                yield f"{name}, {kind}", n, "5-fold", tables


Rng = np.random.Generator
Designs = tuple[str, ...]


def drawn(
    rng: Rng, n: int, signals: Array, designs: Designs, learner: Learner = naive_bayes, metrics: Designs = METRICS
) -> Iterator[tuple[str, Array]]:
    """Designs, and the scores of one data set on them, shape (n_metrics, n_splits, n_candidates)."""
    X, y = blocks(n, signals, rng)
    for design in designs:
        yield design, split_scores(X, y, splits(y, design, rng), learner, metrics)


def on_one(*how: Any) -> Array:
    """Those of one design."""
    return next(drawn(*how))[1]


def _grid_scores(models: list[Any], kind: str, n: int, seed: int) -> Array:
    """Models of one grid on normal features: "rules" needs three of them together, "line" a weighted sum of two."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, fast.FEATURES))
    above = X > 0
    truth = above[:, 0] ^ (above[:, 1] & above[:, 2]) if kind == "rules" else X[:, 0] + X[:, 1] / 2 > 0
    y = np.where(rng.random(n) < 0.1, ~truth, truth).astype(int)
    tests = splits(y, "5-fold", rng)
    every = [split_scores(X[:, None], y, tests, fast.of_scikit_learn(model)) for model in models]
    return np.concatenate(every, axis=2)


def choice(scores: Array, way: str, fraction: float) -> int:
    """The candidate that a rule takes; the first is the simplest."""
    if way == "highest mean":
        return int(scores.mean(axis=0).argmax())
    table: dict[str, Any] = {f"split{s}_test_score": row for s, row in enumerate(scores)}
    table |= {"mean_test_score": scores.mean(axis=0), "params": [{"size": j} for j in range(scores.shape[1])]}
    return simplest_within(complexity="size", rule=way, margin=ROPE, test_fraction=fraction)(table)


# ---- selection --------------------------------------------------------------------------------------------------


COUNTS = (2, 10, 50)
WAYS = ("set", "default t", "plain t")
ONE_RUN = ("5-fold", "10-fold")
ALPHA = 0.05


# ---- significantly different from the best --------------------------------------------------------------------


def differs(scores: Array, correction: Correction) -> dict[str, bool]:
    """Whether any model differs significantly from the best: by the set, and by t tests against the observed best."""
    differences = scores.mean(axis=0).max() - scores.mean(axis=0)
    best = int(differences.argmin())
    spread = (scores - scores[:, [best]]).std(axis=0, ddof=1)
    n = len(scores)
    found = {"set": model_confidence_set(scores, **correction.options).pvalues.min() < ALPHA}
    for name, own in (("default t", correction), ("plain t", Correction(test_fraction=0.0))):
        with np.errstate(divide="ignore", invalid="ignore"):
            t = differences / (spread * own.variance(n) ** 0.5)
        found[name] = bool((2 * special.stdtr(n - 1, -t) < ALPHA).any())
    return found


def size_rows(
    name: str,
    n: int,
    learner: Learner,
    n_datasets: int,
    counts: tuple[int, ...],
    designs: tuple[str, ...],
    metrics: tuple[str, ...] = METRICS,
) -> None:
    hits: dict[tuple[str, str, int, str], int] = defaultdict(int)
    for seed in range(n_datasets):
        equal = np.full(max(counts), SIGNAL)
        for design, found in drawn(np.random.default_rng(seed), n, equal, designs, learner, metrics):
            for metric, scores in zip(metrics, found, strict=True):
                for k in counts:
                    for way, hit in differs(scores[:, :k], correction_of(design)).items():
                        hits[design, metric, k, way] += hit
    for design, metric in itertools.product(designs, metrics):
        cells = {k: [hits[design, metric, k, way] / n_datasets for way in WAYS] for k in counts}
        shown = (" / ".join(f"{share:.3f}" for share in cells.get(k, ())) for k in COUNTS)
        print(line(f"{name}, n={n}", f"{n_datasets:,}", design, metric, *shown), flush=True)


def sizes(n_datasets: int) -> None:
    print(head(("null", "data sets", "design", "metric", *(f"{k} candidates" for k in COUNTS)), 4))
    designs = (*ONE_RUN, "10x10")
    size_rows("naive Bayes", 200, naive_bayes, n_datasets, COUNTS, (*designs, "30 random splits"))
    size_rows("naive Bayes", 60, naive_bayes, n_datasets, COUNTS, designs)
    for n in (40, 20):  # where a test fold may lack a class, so that there is no ROC AUC
        size_rows("naive Bayes", n, naive_bayes, max(1, n_datasets // 4), COUNTS, designs, METRICS[:1])
    size_rows("naive Bayes", 1000, naive_bayes, max(1, n_datasets // 4), COUNTS, designs)
    size_rows("trees", 200, trees, max(1, n_datasets // 2), COUNTS[:2], ONE_RUN)
    size_rows("trees", 200, trees, max(1, n_datasets // 10), COUNTS[:2], designs[2:])


def power(n_datasets: int) -> None:
    """One candidate is better, all others are equal."""
    columns = ("better by", "candidates", "design", "it stays", "alone", "others different", "by default t")
    print(f"\n{head(columns, 0)}")
    for k in (10, 50):
        for signal in (0.6, 0.75):
            found: dict[str, list[tuple[float, ...]]] = defaultdict(list)
            for seed in range(n_datasets):
                signals = np.r_[signal, np.full(k - 1, SIGNAL)]
                for design, (scores, _) in drawn(np.random.default_rng(seed), 200, signals, ("10-fold", "10x10")):
                    out = model_confidence_set(scores, **correction_of(design).options).pvalues < ALPHA
                    # that the default test of each against the first finds different, one by one
                    share = rejected(default_pvalues((scores[:, [0]] - scores[:, 1:]).T, design))
                    found[design].append((~out[0], out[1:].all(), out[1:].mean(), share))
            for design, rows in found.items():
                shares = (f"{share:.3f}" for share in np.mean(rows, axis=0))
                gain = np.subtract(*special.ndtr(np.multiply([signal, SIGNAL], fast.FEATURES**0.5)))  # of the best rule
                print(line(f"{gain:.3f}", k, design, *shares), flush=True)


# ---- which may be the best --------------------------------------------------------------------------------------

EQUAL = {"naive Bayes": naive_bayes, "logistic regression": fast.logistic_regression, "stumps": fast.decision_stump}
KEPT, MANY = ("all", "each"), 30


def left(scores: Array, design: str) -> list[Array]:
    """Which candidates may be the best: where all of the best are to stay together, and each of them."""
    options = correction_of(design).options
    return [model_confidence_set(scores, keep=keep, **options).pvalues >= ALPHA for keep in KEPT]


def best(n_datasets: int) -> None:
    """How often each of equal candidates is left, and how many of different ones are."""
    print(f"\n{head(('equal candidates', 'n', 'design', *(f'{k} candidates' for k in (3, 10, MANY))), 2)}")
    for (name, learner), n, design in itertools.product(EQUAL.items(), (150, 400), ("10-fold", "10x10", "5x2")):
        bayes = learner is naive_bayes
        kept: dict[int, list[float]] = defaultdict(list)
        for seed in range(n_datasets if bayes else n_datasets // 4):
            rng = np.random.default_rng([seed, n])
            [scores] = on_one(rng, n, np.full(MANY if bayes else 10, SIGNAL), (design,), learner, METRICS[:1])
            for k in (3, 10, MANY)[: 3 if bayes else 2]:
                kept[k].append(left(scores[:, :k], design)[1].mean())
        cells = [f"{np.mean(one):.3f} ± {np.std(one) / len(one) ** 0.5:.3f}" for one in kept.values()]
        print(line(name, n, design, *cells, *[""] * (3 - len(cells))), flush=True)
    print(f"\n{head(('30 candidates', 'n', 'design', 'all', 'each', 'the best is left'), 2)}")
    for n, design in itertools.product((150, 400), ("10-fold", "10x10", "5x2")):
        for name, make in (("spread evenly", _spread_evenly), ("more and more features", _of_more_features)):
            sizes, there = [], []
            for seed in range(n_datasets // 4):
                found = left(make(n, design, np.random.default_rng([seed, n])), design)
                sizes.append([one.sum() for one in found])
                there.append([one[-1 if make is _spread_evenly else INFORMATIVE - 1] for one in found])
            shares = " / ".join(f"{share:.2f}" for share in np.mean(there, axis=0))
            print(line(name, n, design, *(f"{size:.1f}" for size in np.mean(sizes, axis=0)), shares), flush=True)


INFORMATIVE = 12  # features of 30


def _spread_evenly(n: int, design: str, rng: Rng) -> Array:
    return on_one(rng, n, np.linspace(0.3, 0.6, MANY), (design,), naive_bayes, METRICS[:1])[0]


def _of_more_features(n: int, design: str, rng: np.random.Generator) -> Array:
    """Candidate j sees the first j features, as a search along one parameter: its neighbours have like scores."""
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, MANY)) + 0.25 * (2 * y - 1)[:, None] * (np.arange(MANY) < INFORMATIVE)
    tests = splits(y, design, rng)
    every = [split_scores(X[:, None, : j + 1], y, tests, naive_bayes, METRICS[:1])[0] for j in range(MANY)]
    return np.concatenate(every, axis=1)


# ---- bias of the winner -----------------------------------------------------------------------------------

TRUTHS = {
    "equal": np.full(max(COUNTS), SIGNAL),
    "one better": np.r_[0.6, np.full(max(COUNTS) - 1, SIGNAL)],
    "spread": 0.3 + 0.3 * (np.arange(max(COUNTS)) * 7 % max(COUNTS)) / (max(COUNTS) - 1),
}


def corrections(scores: Array, design: str, rng: np.random.Generator) -> dict[str, float]:
    """Estimates of the bias of the winner."""
    _, folds = fast.FOLDS.get(design, (30, 1))
    ours = selection_bias(scores, n_folds=folds, test_fraction=FRACTIONS[design]).bias
    repeats = [scores] if folds == 1 else list(scores.reshape(-1, folds, scores.shape[1]))
    return {
        "ours": ours,
        "Tibshirani": float(np.mean([tibshirani(repeat) for repeat in repeats])),
        "bootstrap": float(np.mean([bootstrap(repeat, rng) for repeat in repeats])),
    }


def tibshirani(folds: Array) -> float:
    """Tibshirani and Tibshirani (2009): how much the best of each fold exceeds the winner there."""
    return float((folds.max(axis=1) - folds[:, folds.mean(axis=0).argmax()]).mean())


def bootstrap(folds: Array, rng: np.random.Generator, n_draws: int = 100) -> float:
    """Tsamardinos et al. (2018), on folds: winners on folds drawn with replacement, scored on those not drawn."""
    n = len(folds)
    counts = rng.multinomial(n, np.full(n, 1 / n), n_draws)
    left = counts == 0
    winners, some = (counts @ folds).argmax(axis=1), left.any(axis=1)
    scores = (left * folds[:, winners].T).sum(axis=1)[some] / left.sum(axis=1)[some]
    return float(folds.mean(axis=0).max() - scores.mean())


def bias(n_datasets: int) -> None:
    ways = ("ours", "Tibshirani", "bootstrap")
    print(f"\n{head(('truth', 'design', 'metric', 'candidates', 'apparent', *ways), 3)}")
    designs = ("5-fold", "10-fold", "10x10", "30 random splits")
    cases = [(truth, 200, naive_bayes, signals, designs, COUNTS, n_datasets) for truth, signals in TRUTHS.items()]
    few = max(2, n_datasets // 4)
    cases.append(("equal, trees", 200, trees, TRUTHS["equal"][:10], ("5-fold", "10-fold"), (10,), few))
    for truth, signal in (("equal, weak, n=100", 0.2), ("equal, of no use, n=100", 0.0)):
        cases.append((truth, 100, naive_bayes, np.full(max(COUNTS), signal), designs[:3], COUNTS, n_datasets))
    for truth, n, learner, signals, designs, counts, n_sets in cases:
        apparent, found, winners, means = _bias_runs(n, learner, signals, designs, counts, n_sets)
        for key, seen in apparent.items():
            design, metric, k = key
            level = np.mean(means[design, metric], axis=0)[:k]
            true = np.array(seen) - (level.mean() if truth.startswith("equal") else level[winners[key]])
            left = [true, *(true - np.array([one[way] for one in found[key]]) for way in ways)]
            shown = (f"{x.mean():+.4f} ± {x.std(ddof=1) / len(x) ** 0.5:.4f}" for x in left)
            print(line(truth, design, metric, k, *shown), flush=True)


def _bias_runs(
    n: int, learner: Learner, signals: Array, designs: tuple[str, ...], counts: tuple[int, ...], n_datasets: int
) -> tuple[Any, ...]:
    apparent, found, winners, means = (defaultdict(list) for _ in range(4))
    for seed in range(n_datasets):
        rng = np.random.default_rng(seed)
        for design, of_metrics in drawn(rng, n, signals, designs, learner):
            for metric, scores in zip(METRICS, of_metrics, strict=True):
                means[design, metric].append(scores.mean(axis=0))
                for k in counts:
                    key = design, metric, k
                    winner = int(scores[:, :k].mean(axis=0).argmax())
                    apparent[key].append(scores[:, winner].mean())
                    winners[key].append(winner)
                    found[key].append(corrections(scores[:, :k], design, rng))
    return apparent, found, winners, means


# ---- which parameter mattered ---------------------------------------------------------------------------------


def drawn_search(n: int, interaction: float, rng: np.random.Generator) -> tuple[list[dict[str, float]], Array]:
    """Candidates of a random search and their scores on 10x10 folds: C matters, gamma with it, degree does nothing.

    Candidates with like settings share their luck on a split.
    """
    c, gamma = rng.uniform(-3, 3, n), rng.uniform(-4, 1, n)
    level = 0.9 - 0.01 * (c - 1) ** 2 - interaction * (gamma + c) ** 2
    luck = np.outer(c, rng.normal(0, 0.003, 100)) + np.outer(gamma, rng.normal(0, 0.003, 100))
    scores = level[:, None] + rng.normal(0, 0.03, 100) + luck + rng.normal(0, 0.004, (n, 100))
    degree = rng.integers(2, 5, n)
    return [dict(zip(("C", "gamma", "degree"), one, strict=True)) for one in zip(c, gamma, degree, strict=True)], scores


def effects(n_datasets: int) -> None:
    """How often parameters are called important, and a parameter without effect by the splits alone."""
    print(f"\n{head(('gamma', 'candidates', 'C', 'gamma', 'degree', 'degree, plain means'))}")
    for name, interaction in (("does nothing", 0.0), ("with C", 0.0025)):
        for n in (12, 30, 100):
            hits: dict[str, int] = defaultdict(int)
            for seed in range(n_datasets):
                params, scores = drawn_search(n, interaction, np.random.default_rng(seed))
                labels = {key: [repr(one[key]) for one in params] for key in params[0]}
                for effect in parameter_effects(params, labels, scores, Correction(test_fraction=0.1)):
                    hits[effect.parameter] += effect.pvalue_adjusted < ALPHA
                degree = np.array([one["degree"] for one in params])
                means = [scores[degree == value].mean(axis=0) for value in np.unique(degree)]
                hits["plain"] += model_confidence_set(np.transpose(means), test_fraction=0.1).pvalues.min() < ALPHA
            shares = (f"{hits[key] / n_datasets:.3f}" for key in ("C", "gamma", "degree", "plain"))
            print(line(name, n, *shares), flush=True)


PARTS: dict[str, Callable[..., None]] = {part.__name__: part for part in (sizes, power, best, bias, rules, effects)}


def main() -> None:
    given = options(__doc__, n_datasets=1000, part={"choices": list(PARTS)})
    print(error_at_5(given.n_datasets))
    for name in [given.part] if given.part else PARTS:
        start = perf_counter()
        PARTS[name](given.n_datasets)
        print(f"\n{name}: {perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
