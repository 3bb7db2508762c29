"""How often tests reject a true null on samples in groups: on folds, and on predictions in clusters.

Run from a checkout: ``python -m benchmarks.groups PART``, where the part is ``folds``, ``predictions``,
``means``, ``judged``, ``judgments``; without one it is ``folds``.
"""

from __future__ import annotations

import itertools
import time
import warnings
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from scipy import stats
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

from benchmarks import DATA, error_at_5, head, line, options, rejected, run_part, write_rows
from benchmarks.calibration import FEATURES, LEARNERS, METRICS, SIGNALS, default_pvalues
from benchmarks.fast_learners import Array, five_metrics
from skcompare import inference
from skcompare.inference._rates import PER_JUDGE
from skcompare.inference.outcomes.dependent import wald_pvalues

# ---- folds ------------------------------------------------------------------------------------------------------


GROUPS, MEMBERS, CORRELATIONS = (20, 40, 100), 5, (0.0, 0.2, 0.5)
QUICK = tuple(name for name in LEARNERS if name != "forest")
DESIGNS = {
    "5-fold": (slice(100, None), "k_fold_t_test"),
    "10-fold": (slice(10), "k_fold_t_test"),
    "10x10": (slice(100), "corrected_t_test"),
}
SPLITTERS = {"groups kept together": StratifiedGroupKFold, "ordinary folds": StratifiedKFold}
TABLE = DATA / "measured_in_groups.csv"


def drawn(rng: np.random.Generator, n_groups: int, rho: float) -> tuple[Array, Array, Array]:
    """Groups, classes and the noise of two blocks of features, shape (2, n, features)."""
    groups = np.repeat(np.arange(n_groups), MEMBERS)
    n = len(groups)
    of_group = rng.permutation(np.arange(n_groups) % 2)[groups]
    y = np.where(rng.random(n) < rho**0.5, of_group, rng.integers(2, size=n))
    shared = rng.normal(size=(2, n_groups, FEATURES))[:, groups]
    return groups, y, rho**0.5 * shared + (1 - rho) ** 0.5 * rng.normal(size=(2, n, FEATURES))


def tests_of(splitter: type, groups: Array, y: Array, seed: int) -> Array:
    """Masks of the test sets of 10x10 and then of 5-fold, shape (105, n)."""
    folds = [splitter(10, shuffle=True, random_state=seed + repeat) for repeat in range(10)]
    folds.append(splitter(5, shuffle=True, random_state=seed))
    masks = np.zeros((105, len(y)), dtype=bool)
    for i, test in enumerate(test for one in folds for _, test in one.split(groups, y, groups)):
        masks[i, test] = True
    return masks


def differences(n_groups: int, rho: float, seed: int) -> dict[tuple[str, str, str], Array]:
    """Score differences by splitter, signal and learner, shape (105, 5), where every metric is defined."""
    rng = np.random.default_rng([seed, n_groups, round(10 * rho)])
    groups, y, noise = drawn(rng, n_groups, rho)
    found = {}
    for kept, splitter in SPLITTERS.items():
        tests = tests_of(splitter, groups, y, 10 * seed)
        for null, learner in itertools.product(SIGNALS, QUICK):
            X = noise + SIGNALS[null] * (2 * y - 1)[:, None]
            if (tests @ y > 0).all() and (tests @ (1 - y) > 0).all():  # else some metric is not defined
                a, b = (five_metrics(LEARNERS[learner](own, y, ~tests, seed), y, tests) for own in X)
                found[kept, null, learner] = a - b
    return found


def sizes(found: list[dict[tuple[str, str, str], Array]]) -> dict[tuple[str, str, str], list[float]]:
    """Shares of rejections at 5% by splitter, design and metric, over signals and learners."""
    shares: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for kept, *null in itertools.product(SPLITTERS, SIGNALS, QUICK):
        d = np.stack([one[kept, *null] for one in found if (kept, *null) in one])
        for (design, (splits, _)), (m, metric) in itertools.product(DESIGNS.items(), enumerate(METRICS)):
            shares[kept, design, metric].append(rejected(default_pvalues(d[:, splits, m], design)))
    return shares


def main_of_folds() -> None:
    """How often the default tests reject a true null where samples come in groups that the folds keep together.

    Run from a checkout: ``python -m benchmarks.groups --write`` (needs numba). Two models are equal by construction, as
    in `benchmarks.calibration`: the same learner, each on its own block of five features that are drawn alike. With
    probability ``sqrt(rho)`` a sample takes the class of its group, and a share ``rho`` of the noise of its features is
    that of the group: the intraclass correlation of classes and of noise is ``rho``. Groups have five samples each. The
    same data are also cut into ordinary folds, which tear groups apart.
    """
    given = options(main_of_folds.__doc__, n_datasets=300, jobs=2, write=False)
    start, spans = time.perf_counter(), defaultdict(list)
    print(f"{error_at_5(given.n_datasets)}\n{head(('groups', 'correlation', 'folds', 'design', *METRICS), 9)}")
    with Parallel(n_jobs=given.jobs) as parallel:
        for n_groups, rho in itertools.product(GROUPS, CORRELATIONS):
            shares = sizes(parallel(delayed(differences)(n_groups, rho, seed) for seed in range(given.n_datasets)))
            for kept, design in itertools.product(SPLITTERS, DESIGNS):
                own = {metric: shares[kept, design, metric] for metric in METRICS}
                cells = (f"{np.mean(one):.1%} ({min(one):.1%} to {max(one):.1%})" for one in own.values())
                print(line(n_groups, rho, kept, design, *cells), flush=True)
                for metric, one in own.items():
                    spans[kept, design, n_groups, metric] += one
    if given.write:
        rows = [("procedure", "design", "n_groups", "metric", "nulls", "mean", "low", "high")]
        for (kept, design, n_groups, metric), one in spans.items():
            if kept == "groups kept together":
                shown = (f"{x:.3f}" for x in (np.mean(one), min(one), max(one)))
                rows.append((DESIGNS[design][1], design, n_groups, metric, len(one), *shown))
        write_rows(TABLE, rows)
    print(f"\n{time.perf_counter() - start:.0f} s")


# ---- predictions ------------------------------------------------------------------------------------------------


SAMPLES, CLUSTERS, CORRELATIONS_OF_PREDICTIONS = (50, 200, 2000), (10, 30, 100), (0.0, 0.1, 0.5)
RIGHT = 0.8
N_RESAMPLES = 999
COLUMNS = (
    *("paired_t_test", "mcnemar_test", "F1 exchanges of samples", "cluster_t_test", "F1 exchanges of clusters"),
    *("bootstrap of clusters", "coverage of cluster_t_test", "coverage of the bootstrap"),
)


def members(n: int, n_clusters: int, *, unequal: bool) -> np.ndarray:
    """The cluster of each sample."""
    ends = np.cumsum(np.linspace(1, 9 if unequal else 1, n_clusters))
    return np.searchsorted(ends / ends[-1], (np.arange(n) + 0.5) / n)


def outcomes(rng: np.random.Generator, clusters: np.ndarray, rho: float) -> np.ndarray:
    """Whether one model is right on each sample."""
    shared = rng.random(clusters.max() + 1) < RIGHT
    copies = rng.random(clusters.size) < rho**0.5
    return np.where(copies, shared[clusters], rng.random(clusters.size) < RIGHT)


def one(seed: list[int], clusters: np.ndarray, rho: float) -> list[bool]:
    """What each column says of one simulated test set: rejected, or held."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=clusters.size)
    a, b = (outcomes(rng, clusters, rho) for _ in range(2))
    labels = [np.where(right, y, 1 - y) for right in (a, b)]
    drawn: dict[str, Any] = {"n_resamples": N_RESAMPLES, "rng": rng, "positive": 1}
    of_means = inference.cluster_t_test(a * 1.0, b * 1.0, clusters=clusters)
    bootstrap = inference.paired_bootstrap(y, *labels, "accuracy", clusters=clusters, **drawn)
    records = [
        inference.paired_t_test(a * 1.0, b * 1.0),
        inference.mcnemar_test(a, b),
        inference.paired_metric_test(y, *labels, "f1", **drawn),
        of_means,
        inference.paired_metric_test(y, *labels, "f1", clusters=clusters, **drawn),
        bootstrap,
    ]
    intervals = [record.confidence_interval() for record in (of_means, bootstrap)]
    held = [bool(interval.low <= 0 <= interval.high) for interval in intervals]
    return [bool(record.pvalue < 0.05) for record in records] + held


def main_of_predictions() -> None:
    """How often tests reject a true null, and intervals hold the truth, where the samples of one test set come in
    clusters.

    Run from a checkout: ``python -m benchmarks.groups predictions --n-simulations 1000``. Two models are right on 80%
    of the samples, each by itself, so that the null is true. With probability ``sqrt(rho)`` a sample takes the outcome
    that its model has for the whole cluster, and otherwise one of its own: the intraclass correlation of right and
    wrong, and of their differences, is then exactly ``rho``. Clusters are of equal size, or of sizes that are 1 to 9
    times the smallest.
    """
    n = options(main_of_predictions.__doc__, n_simulations=1000).n_simulations
    warnings.simplefilter("ignore")
    print(f"{error_at_5(n)}\n{head(('samples', 'clusters', 'correlation', *COLUMNS), 0)}")
    start = time.perf_counter()
    settings = [(n, k, False) for n in SAMPLES for k in CLUSTERS if k < n]
    for n_samples, n_clusters, unequal in (*settings, (2000, 30, True)):
        clusters = members(n_samples, n_clusters, unequal=unequal)
        for i, rho in enumerate(CORRELATIONS_OF_PREDICTIONS):
            found = [one([seed, n_samples, n_clusters, i], clusters, rho) for seed in range(n)]
            shares = (f"{share:.1%}" for share in np.mean(found, axis=0))
            print(line(f"{n_samples:,}", f"{n_clusters}{', unequal' if unequal else ''}", rho, *shares), flush=True)
    print(f"\n{time.perf_counter() - start:.0f} s")


# ---- means ------------------------------------------------------------------------------------------------------


EFFECTS = {"normal": stats.norm(), "exponential": stats.expon(), "log-normal": stats.lognorm(1)}


def size_of_means(effect: str, n_clusters: int, rho: float, n: int, *, equal: bool, seed: int = 0) -> float:
    """How often `cluster_t_test` rejects at 5%: equal sizes, or log-normal ones; effects of mean 0 and variance 1."""
    rng, law, pvalues = np.random.default_rng([seed, n_clusters]), EFFECTS[effect], []
    for _ in range(n):
        sizes = 10 if equal else np.ceil(10 * rng.lognormal(size=n_clusters)).astype(int)
        clusters = np.repeat(np.arange(n_clusters), sizes)
        shared = (law.rvs(n_clusters, random_state=rng) - law.mean()) / law.std()
        d = rho**0.5 * shared[clusters] + (1 - rho) ** 0.5 * rng.normal(size=clusters.size)
        pvalues.append(inference.cluster_t_test(d, np.zeros_like(d), clusters=clusters).pvalue)
    return rejected(pvalues)


def main_of_means() -> None:
    """How often `cluster_t_test` rejects a true null: sizes of the clusters are log-normal, or their effects skewed.

    Run from a checkout: ``python -m benchmarks.groups means``. The mean size is about 16, the standard deviation of its
    logarithm 1; differences are normal, and a share ``rho`` of their variance is that of the cluster. Skewed effects
    are those of clusters of 10 items: exponential, or log-normal with 1 on the scale of logarithms.
    """
    n = options(main_of_means.__doc__, n_simulations=4000).n_simulations
    correlations = (0, 0.1, 0.5, 0.9)
    print(f"{error_at_5(n)}\n{head(('effects', 'clusters', *(f'correlation {rho}' for rho in correlations)))}")
    for effect, k in itertools.product(EFFECTS, (10, 20, 30, 50)):
        sizes = (size_of_means(effect, k, rho, n, equal=effect != "normal") for rho in correlations)
        print(line(effect, k, *(f"{size:.1%}" for size in sizes)), flush=True)


# ---- a judge and few labels -------------------------------------------------------------------------------------


def judged(rng: np.random.Generator, n_labels: int, noise: float) -> tuple[float, float]:
    """Whether the 95% interval holds the mean of the labels, 0.1, and its width over that of the labels alone."""
    truth = rng.normal(0.1, 1, n_labels + 2000)
    scored = truth + 0.3 + rng.normal(0, noise, truth.size)
    found = inference.prediction_powered_test(scored, np.where(np.arange(truth.size) < n_labels, truth, np.nan))
    ends, alone = found.confidence_interval(), truth[:n_labels].std(ddof=1) / n_labels**0.5
    return float(ends.low <= 0.1 <= ends.high), found.standard_error / alone


def main_of_judged() -> None:
    """How often the interval of `prediction_powered_test` holds the mean of the labels, and how wide it is.

    Run from a checkout: ``python -m benchmarks.groups judged``. The judge is 0.3 too kind to one model on 2,000 items
    and those with labels, and errs by the noise of each item besides; labels have the standard deviation 1.
    """
    n = options(main_of_judged.__doc__, n_simulations=1000).n_simulations
    print(head(("labels", "noise of the judge", "coverage", "width"), 0))
    for n_labels in (30, 50, 200):
        for noise in (0.3, 1.0, 3.0):
            rng = np.random.default_rng(0)
            held, width = np.mean([judged(rng, n_labels, noise) for _ in range(n)], axis=0)
            print(line(n_labels, noise, f"{held:.1%}", f"{width:.2f}"), flush=True)


# ---- judgments ---------------------------------------------------------------------------------------------------


def judgments(rng: np.random.Generator, n_judges: int, k: int, spread: float, ties: float, taste: float, pairs: int):
    """Both sides, winners and judges: k equal systems, which each judge ranks by a taste of its own.

    Judge by judge has so many of the pairs of systems, in turn, so that all are judged about equally often.
    """
    every = rng.permutation([*itertools.combinations(range(k), 2)])
    sizes = np.ceil(PER_JUDGE * rng.lognormal(-(spread**2) / 2, spread, n_judges)).astype(int)
    judge = np.repeat(rng.permutation(n_judges), sizes)
    strengths = taste * rng.normal(size=(n_judges, k))
    sides = every[(judge + rng.integers(pairs, size=judge.size)) % len(every)].T
    a, b = np.where(rng.random(judge.size) < 0.5, sides, sides[::-1])
    odds = np.exp(strengths[judge, a] - strengths[judge, b])
    parts = np.cumsum([odds, ties * odds**0.5, np.ones_like(odds)], axis=0)
    place = (rng.random(judge.size) * parts[-1] > parts).sum(axis=0)
    return a, b, 1 - place / 2, judge


def rejected_of_judges(n: int, *of_judges: Any) -> float:
    """The share of the pairs of equal systems that differ at 5%."""
    rng, found = np.random.default_rng([int(x) for x in of_judges]), list[float]()
    while len(found) < n:
        a, b, winner, judge = judgments(rng, *of_judges)
        try:
            of_set = inference.bradley_terry(a.astype(str), b.astype(str), winner, clusters=judge)
        except ValueError:  # one never lost
            continue
        first, second = np.triu_indices(len(of_set.names), 1)
        df = of_set.df_of_differences[first, second][None]
        found.append(rejected(wald_pvalues(of_set.strengths, of_set.covariance[None], df, first, second)))
    return float(np.mean(found))


ON_JUDGMENTS = DATA / "measured_on_judgments.csv"


def judged_pairs(rng: np.random.Generator, k: int, n: int, spread: float, ties: float, home: float) -> list[bool]:
    """Whether each pair of equal systems differs at 5%, of k whose log-strengths vary so much from pair to pair."""
    strengths = np.repeat(spread * rng.normal(size=k // 2), 2)
    a = rng.integers(k, size=n * k // 2)
    b = (a + rng.integers(1, k, size=a.size)) % k
    odds = np.exp(strengths[a] - strengths[b] + home)
    parts = np.cumsum([odds, ties * odds**0.5, np.ones_like(odds)], axis=0)
    won = 1 - (rng.random(a.size) * parts[-1] > parts).sum(axis=0) / 2
    try:
        found = inference.bradley_terry(a.astype(str), b.astype(str), won, home=home > 0)
    except ValueError:  # one never lost
        return []
    return [found.difference(str(i), str(i + 1)).pvalue < 0.05 for i in range(0, k, 2)]


# Systems, pairs of them that a judge has, and numbers of judges.
OF_JUDGES = ((3, 1, (15, 60)), (3, 3, (15, 60)), (6, 1, (15, 30, 60, 200)), (6, 2, (10, 60)), (6, 15, (10, 30, 60)))


def cells_of_judges() -> Iterator[tuple[Any, ...]]:
    """Judges, systems, spread, ties, taste, and pairs."""
    for k, pairs, judges in OF_JUDGES:
        for n_judges, spread, taste in itertools.product(judges, (0.0, 1.2), (0.0, 1.0)):
            yield n_judges, k, spread, 0.5, taste, pairs
    for pairs, (spread, taste) in itertools.product((1, 15), ((0.0, 0.0), (1.2, 1.0))):
        yield 15, 6, spread, 18.0, taste, pairs


def main_of_judgments() -> None:
    """How often the Wald test of a Bradley-Terry model rejects a true null, without judges and with some.

    Run from a checkout: ``python -m benchmarks.groups judgments --write`` (measured_on_judgments.csv). Pairs of
    systems are equally strong; log-strengths of pairs vary with the standard deviation "spread". Each system has so
    many judgments on average; equal systems tie so many times as often as one wins, a third of all for 1; "home" is
    what the first side gains. With judges all systems are equal; each judge has so many "pairs" of them and gives 40
    judgments on average, equal numbers or log-normal ones with the deviation "spread", and has log-strengths of its own
    that vary with the standard deviation "taste". Judged items are those of the part ``judged``, where "spread" is the
    noise of the judge.
    """
    given = options(main_of_judgments.__doc__, n_pairs=4000, write=False)
    rows = [("procedure", "design", "n", "systems", "spread", "ties", "taste", "pairs", "home", "size")]

    def add(design: str, *cell: Any) -> None:
        rows.append(("wald_test", design, *cell[:-1], f"{cell[-1]:.4f}"))
        print(line(*rows[-1]), flush=True)

    cells = itertools.product((2, 4, 10, 30), (20, 50, 200, 2000), (0.0, 1.0), (0.0, 1.0), (0.0,))
    with_home = itertools.product((10,), (20, 50, 200, 2000), (0.0, 1.0), (1.0,), (0.5,))
    mostly_ties = itertools.product((2, 10), (200, 2000), (0.0,), (18.0,), (0.0,))
    for k, n, spread, ties, home in itertools.chain(cells, with_home, mostly_ties):
        if k > 2 or not spread:
            rng, found = np.random.default_rng([k, n, int(spread), int(ties)]), list[bool]()
            while len(found) < given.n_pairs:
                found += judged_pairs(rng, k, n, spread, ties, home)
            add("judgments", n, k, spread, ties, "", "", home, np.mean(found))
    for cell in sorted(cells_of_judges()):
        add("judgments in clusters", *cell, "", rejected_of_judges(given.n_pairs // 2, *cell))
    for n_labels, noise in itertools.product((30, 50, 200, 1000), (0.3, 1.0, 3.0)):
        rng = np.random.default_rng(0)
        held = [judged(rng, n_labels, noise)[0] for _ in range(given.n_pairs)]
        add("judged items", n_labels, 2, noise, "", "", "", "", 1 - np.mean(held))
    if given.write:
        write_rows(ON_JUDGMENTS, rows)


if __name__ == "__main__":
    run_part(main_of_folds, main_of_predictions, main_of_means, main_of_judged, main_of_judgments)
