"""The calibration study: how often every procedure on fold scores rejects a true null, and finds a difference.

Run from a checkout: ``python -m benchmarks.calibration simulate`` draws the data sets, fits the models and keeps the
differences of the scores (an hour on two cores, resumable; needs numba); ``python -m benchmarks.calibration test``
gives them to the procedures and counts.

The nulls are true by construction. "signal" and "weak": the same learner on two blocks of five features that are drawn
alike, one block per model, for any learner, metric and balance of the classes. "noise" (Bouckaert 2003): ten fair
coins that do not depend on the labels, every learner against every other, where accuracy (classes balanced) and ROC AUC
are one half for all. The classes have exactly the stated shares and the splits are stratified.

The procedures are written out for all data sets at once.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from scipy import special

from benchmarks import DATA, joined, keep, options, stacked, write_rows
from benchmarks import fast_learners as fast
from benchmarks.fast_learners import FOLDS, FRACTIONS, Array, Learner, five_metrics, splits
from skcompare import inference
from skcompare.inference._records import OVERLAP, Correction

# ---- calibration ------------------------------------------------------------------------------------------------


METRICS = ("accuracy", "precision", "recall", "f1", "roc_auc")
LEARNERS: dict[str, Learner] = {
    "naive Bayes": fast.naive_bayes,
    "tree": fast.decision_tree,
    "kNN": fast.k_neighbors,
    "logistic regression": fast.logistic_regression,
    "forest": fast.random_forest,
}
SIZES = (60, 200, 1000)
POSITIVE = {"50/50": 0.5, "80/20": 0.2}
SIGNALS = {"signal": 0.45, "weak": 0.15}
BETTER = {"better": 0.60}
FEATURES = 5
CHUNK = 50
Rng = np.random.Generator
Condition = tuple[str, str, int, str]
Row = tuple[object, ...]


def designs(y: Array, rng: Rng) -> dict[str, Array]:
    """Masks of the test sets, shape (n_splits, n); the single 10-fold is the first of the ten."""
    drawn = {design: splits(y, design, rng) for design in ("10x10", "10x5", "5x2")}
    return drawn | {"10-fold": drawn["10x10"][:10], "30 resamples": splits(y, "30 resamples", rng)}


def scores(X: Array, y: Array, tests: dict[str, Array], learner: Learner, seed: int) -> dict[str, Array]:
    """The five metrics of a model by design, shape (n_splits, 5)."""
    fitted = {name: test for name, test in tests.items() if name != "10-fold"}
    every = np.concatenate(list(fitted.values()))
    found = five_metrics(learner(X, y, ~every, seed), y, every)
    ends = np.cumsum([len(test) for test in fitted.values()])
    by_design = dict(zip(fitted, np.split(found, ends[:-1]), strict=True))
    return by_design | {"10-fold": by_design["10x10"][:10]}


def labels(n: int, balance: str, rng: Rng) -> Array:
    return rng.permutation((np.arange(n) < round(n * POSITIVE[balance])).astype(np.int64))


def drawn_blocks(n: int, balance: str, signals: tuple[float, ...], seed: int) -> tuple[Rng, Array, list[Array]]:
    """The generator of a data set, its labels, and a block of features for each signal."""
    rng = np.random.default_rng((seed, n))
    y = labels(n, balance, rng)
    return rng, y, [rng.normal(size=(n, FEATURES)) + signal * (2 * y - 1)[:, None] for signal in signals]


def blocks(n: int, balance: str, signals: tuple[float, float], learner: Learner, seed: int) -> dict[str, Array]:
    """Differences of the scores of one learner on two blocks, by design."""
    rng, y, X = drawn_blocks(n, balance, signals, seed)
    tests = designs(y, rng)
    a, b = (scores(block, y, tests, learner, 2 * seed + i) for i, block in enumerate(X))
    return {design: a[design] - b[design] for design in tests}


def noise(n: int, seed: int) -> dict[str, Array]:
    """Differences of the scores of every pair of learners on coins, by "pair|design"."""
    rng = np.random.default_rng((seed, n))
    y, X = labels(n, "50/50", rng), rng.integers(0, 2, (n, 2 * FEATURES)).astype(float)
    tests = designs(y, rng)
    found = {name: scores(X, y, tests, learner, seed) for name, learner in LEARNERS.items()}
    return {
        f"{first} and {second}|{design}": found[first][design] - found[second][design]
        for first, second in itertools.combinations(LEARNERS, 2)
        for design in tests
    }


def signals_of(null: str) -> tuple[float, float]:
    """Of the first model and of the second one."""
    return (BETTER[null], SIGNALS["signal"]) if null in BETTER else (SIGNALS[null], SIGNALS[null])


def conditions(ns: tuple[int, ...]) -> list[Condition]:
    """(null, balance, n, learner): nulls before the alternative, quick ones first."""
    of_blocks = list(itertools.product((*SIGNALS, *BETTER), POSITIVE, ns, LEARNERS))
    chosen = [one for one in of_blocks if one[0] not in BETTER or (one[1] == "50/50" and one[2] < 1000)]
    of_noise = [("noise", "50/50", n, "all") for n in ns]
    slow = ("forest", "all")
    return sorted([*chosen, *of_noise], key=lambda one: (one[0] in BETTER, one[2] * (10 if one[3] in slow else 1)))


def file_of(folder: Path, condition: Condition, start: int) -> Path:
    null, balance, n, learner = condition
    return folder / f"{null}, {balance.replace('/', '-')}, {n}, {learner}, {start}.npz"


def drawn(condition: Condition, start: int) -> dict[str, Array]:
    null, balance, n, learner = condition
    seeds = range(start, start + CHUNK)
    if null == "noise":
        return stacked(noise(n, seed) for seed in seeds)
    found = stacked(blocks(n, balance, signals_of(null), LEARNERS[learner], seed) for seed in seeds)
    return {f"{learner}|{design}": d for design, d in found.items()}


def simulate_chunk(folder: Path, condition: Condition, start: int) -> None:
    keep(file_of(folder, condition, start), lambda: drawn(condition, start))


def simulate(folder: Path, ns: tuple[int, ...], n_datasets: int, n_jobs: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    tasks = [(condition, start) for condition in conditions(ns) for start in range(0, n_datasets, CHUNK)]
    Parallel(n_jobs=n_jobs, verbose=1)(delayed(simulate_chunk)(folder, condition, start) for condition, start in tasks)


# ---- the table ------------------------------------------------------------------------------------------------

NULL = ("null", "balance", "n_samples", "learner", "design", "procedure", "metric")
CONDITION_COLUMNS = (*NULL, "n_datasets", "rejected", "rejected_1", "rejected_10")
PAIR = ("accuracy", "roc_auc")
LEVELS = (0.05, 0.01, 0.10)


def parts(folder: Path, condition: Condition, suffix: str = ".npz") -> list[Path]:
    """The files of a condition, in the order of their seeds."""
    name = file_of(folder, condition, 0).stem.removesuffix(", 0")
    return sorted(folder.glob(f"{name}, *{suffix}"), key=lambda path: int(path.stem.rsplit(", ", 1)[1]))


def arrays_of(folder: Path, condition: Condition) -> dict[str, Array]:
    """All that is kept of a condition."""
    return joined(parts(folder, condition))


def stored(folder: Path, condition: Condition) -> Iterator[tuple[str, str, Array]]:
    """(learner, design, differences) of a condition; the single 5-fold is the first of the ten of 10x5."""
    for key, d in arrays_of(folder, condition).items():
        learner, design = key.split("|")
        yield learner, design, d
        if design == "10x5":
            yield learner, "5-fold", d[:, :5]


def rejections(p: Array) -> tuple[int, ...]:
    """The number of data sets, and those rejected at each of `LEVELS`."""
    return len(p), *(int((p < level).sum()) for level in LEVELS)


def fair_metrics(null: str, n: int, design: str) -> tuple[str, ...]:
    """The metrics on which the models are equal: on noise accuracy where every test set is half of either class."""
    if null != "noise":
        return METRICS
    return PAIR[1:] if design == "30 resamples" and n % 6 else PAIR


def tested_rows(null: Condition, design: str, d: Array, *, joint: bool) -> list[Row]:
    """Rows of `CONDITION_COLUMNS` from differences (n_datasets, n_splits, 5)."""
    found = {
        (name, metric): p
        for metric in fair_metrics(null[0], null[2], design)
        for name, p in fold_pvalues(d[:, :, METRICS.index(metric)], design).items()
    }
    for label, chosen in {"accuracy and ROC AUC": PAIR, "all five": METRICS}.items() if joint else ():
        costly = null[2] == 200 and chosen == METRICS and design in ("10x10", "10-fold")
        columns = [METRICS.index(metric) for metric in chosen]
        found |= {(name, label): p for name, p in joint_pvalues(d[:, :, columns], design, costly=costly).items()}
    return [(*null, design, name, metric, *rejections(p)) for (name, metric), p in found.items()]


def tested(folder: Path, condition: Condition, joint: bool) -> list[Row]:
    """Those of all designs and, of noise, all pairs."""
    rows: list[Row] = []
    for learner, design, d in stored(folder, condition):
        rows += tested_rows((*condition[:3], learner), design, d, joint=joint and condition[0] != "noise")
    print(*condition, flush=True)
    return rows


def test(folder: Path, ns: tuple[int, ...], n_jobs: int) -> None:
    made = Parallel(n_jobs=n_jobs)(delayed(tested)(folder, condition, True) for condition in conditions(ns))
    write_rows(DATA / "calibration_study.csv.gz", [CONDITION_COLUMNS, *(row for part in made for row in part)])


def main() -> None:
    parts = ("simulate", "test")
    folder = Path("calibration-scores")
    given = options(__doc__, part=parts, folder=folder, n_datasets=1000, samples=[*SIZES], jobs=2)
    samples = tuple(given.samples)
    if given.part == "simulate":
        simulate(given.folder, samples, given.n_datasets, given.jobs)
    else:
        test(given.folder, samples, given.jobs)


# ---- calibration procedures -------------------------------------------------------------------------------------


def t_pvalues(d: Array, scale: float, df: float, spread: Array | None = None) -> Array:
    """Two-sided p of ``mean / (spread * scale)`` by rows; 1 where all differences are 0."""
    mean, spread = d.mean(axis=1), d.std(axis=1, ddof=1) if spread is None else spread
    mean = np.where(np.abs(mean) < 1e-12, 0.0, mean)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(mean == 0, 1.0, 2 * special.stdtr(df, -np.abs(mean) / (spread * scale)))


def corrected(d: Array, fraction: float, share: float = 1.0) -> Array:
    """p of the corrected t test, with that share of the correction."""
    n = d.shape[1]
    return t_pvalues(d, Correction(test_fraction=fraction, overlap=share).variance(n) ** 0.5, n - 1)


def correction_of(design: str) -> Correction:
    """What the default test of a design takes: on one run of folds a part."""
    one_run = FOLDS.get(design, (0, 0))[0] == 1
    return Correction(test_fraction=FRACTIONS[design], overlap=OVERLAP if one_run else 1.0)


def default_pvalues(d: Array, design: str) -> Array:
    """p of the default test, from differences (n_datasets, n_splits)."""
    return corrected(d, FRACTIONS[design], correction_of(design).overlap)


def each(test: Callable[..., Any], d: Array, **options: Any) -> Array:
    """p of a test of the package on the differences of every data set."""
    return np.array([test(one, 0 * one, **options).pvalue for one in d])


def fold_pvalues(d: Array, design: str) -> dict[str, Array]:
    """p by procedure, each of shape (n_datasets,), from the differences of one metric (n_datasets, n_splits)."""
    n, fraction = d.shape[1], FRACTIONS[design]
    repeats, folds = FOLDS.get(design, (n, 1))
    found = {
        "corrected_t_test": corrected(d, fraction),
        "paired_t_test": t_pvalues(d, n**-0.5, n - 1),
    }
    if repeats == 1:
        found["k_fold_t_test"] = corrected(d, fraction, OVERLAP)
    if design == "10x10":
        sorted_runs = np.sort(d.reshape(-1, repeats, folds), axis=2).mean(axis=1)
        found["calibrated_t_test"] = t_pvalues(d, 11**-0.5, 10)
        found["calibrated_t_test, sorted runs"] = t_pvalues(d, 11**-0.5, 10, sorted_runs.std(axis=1, ddof=1))
    if design == "5x2":
        found |= five_by_two(d)
    if n <= 10:
        found["permutation_test"] = each(inference.permutation_test, d)
    return found


def five_by_two(d: Array) -> dict[str, Array]:
    pairs = d.reshape(-1, 5, 2)
    return {
        "five_by_two_t_test": each(inference.five_by_two_t_test, pairs),
        "five_by_two_f_test": each(inference.five_by_two_f_test, pairs),
        "blocked_m_by_two_test": t_pvalues(d, 1.0, 9, d.std(axis=1)),
    }


def joint_pvalues(d: Array, design: str, *, costly: bool) -> dict[str, Array]:
    """p by procedure from the differences of several metrics, (n_datasets, n_splits, n_metrics).

    On one run with the part of the correction that the default takes there.
    """
    n, m = d.shape[1:]
    correction = correction_of(design)
    found: dict[str, list[float]] = defaultdict(list)
    worth = min(inference.effective_cases(n, correction.fold_correlation), n)
    for i, one in enumerate(d):
        counts = inference.dominance_counts(one, 0 * one)
        inner = tuple(np.sort(counts).tolist())  # which statement has which count plays no part
        for name, p in _dominance(inner, worth).items():
            found[name].append(p)
        found["full_dominance_test"].append(_full_dominance(float(counts[0]), float(counts[-1]), n, worth))
        if costly:
            found["dominance_posterior over 95%"].append(_posterior(inner, worth))
            drawn = inference.max_t_test(one, 0 * one, **correction.options, n_resamples=399, rng=i)
            found["max_t_test"].append(drawn.pvalue)
        if costly and design == "10x10":
            network = inference.dominance_network(one, 0 * one, n_effective=worth, n_draws=200, rng=i)
            found["dominance_network"].append(network.pvalue)
    arrays = {name: np.array(values) for name, values in found.items()}
    t = np.stack([default_pvalues(d[:, :, j], design) for j in range(m)], axis=1)
    ahead = np.where(d.mean(axis=1) > 0, t / 2, 1 - t / 2)
    arrays["intersection_union_test"] = np.minimum(1, 2 * np.minimum(ahead.max(axis=1), (1 - ahead).max(axis=1)))
    if n > m:
        arrays["hotelling_test"] = each(inference.hotelling_test, d, **correction.options)
    return arrays


@lru_cache(maxsize=2**16)
def _dominance(counts: tuple[float, ...], worth: float) -> dict[str, float]:
    test = inference.dominance_test(counts, n_effective=worth)
    return {
        "dominance_test": test.pvalue,
        "dominance_test, chi2": test.pvalue_chi2,
        "dominance_test, exact": test.pvalue_exact,
        "dominance_test, folds uncorrected": inference.dominance_test(counts).pvalue,
    }


@lru_cache(maxsize=2**16)
def _full_dominance(none: float, every: float, n: int, worth: float) -> float:
    return inference.full_dominance_test([none, (n - none - every) / 2, (n - none - every) / 2, every], worth).pvalue


@lru_cache(maxsize=2**16)
def _posterior(counts: tuple[float, ...], worth: float) -> float:
    """Below every level where the most probable statement has more than 95%."""
    return float(inference.dominance_posterior(counts, n_effective=worth).probabilities.max() <= 0.95)


if __name__ == "__main__":
    main()
