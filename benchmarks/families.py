"""The family-wise error rate of `compare`: how often equal models get any significant difference.

Run from a checkout: ``python -m benchmarks.families`` draws the data sets, fits the models, compares all pairs on all
metrics by the default procedure under Holm's adjustment at 5%, and writes the tables (ten minutes of one core; needs
numba). ``python -m benchmarks.families --together --samples 60 200`` gives the same data sets to the tests of all
models at once, with the correction for folds and without, and prints the tables. ``python -m benchmarks.families
--ranks --n-datasets 2000`` draws leaderboards whose ranks are known, and prints how often the intervals hold them.

The models are equal by construction, as in `benchmarks.calibration`: the same learner, each on its own block of five
features that are drawn alike. Of the five blocks of a data set 2, 3, 4 and 5 models take the first; every choice of
the five metrics is a family of its own. The forest of the study is left out, which takes longer than all others.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from joblib import Parallel, delayed
from scipy import special, stats

from benchmarks import DATA, head, line, options, span, stacked, table, write_rows
from benchmarks import calibration as study
from benchmarks.calibration import FEATURES, FRACTIONS, LEARNERS, METRICS, POSITIVE, SIGNALS, SIZES
from benchmarks.fast_learners import Array, five_metrics, splits
from skcompare import EvaluationResult, from_outcomes
from skcompare.inference._distributions import studentized_range_quantile
from skcompare.inference._records import OVERLAP, Correction

QUICK = tuple(name for name in LEARNERS if name != "forest")
MODELS = (2, 3, 4, 5)
DEFAULT = {"10x10": "corrected_t_test", "10-fold": "k_fold_t_test", "5-fold": "k_fold_t_test"}
CHOICES = [chosen for size in range(1, 6) for chosen in itertools.combinations(METRICS, size)]
PAIRS = list(itertools.combinations(range(max(MODELS)), 2))
LEVEL = 0.05
OF_CELL = ("null", "balance", "n_samples", "learner", "design", "procedure", "models", "metrics")
CELL_COLUMNS = (*OF_CELL, "n_datasets", "rejected")
OF_SUMMARY = ("procedure", "design", "n_samples", "balance", "models", "metrics")
SUMMARY_COLUMNS = (*OF_SUMMARY, "nulls", "mean", "low", "high")


def scores(n: int, balance: str, signal: float, learner: str, seed: int) -> dict[str, Array]:
    """Scores of the five equal models by design, shape (n_splits, n_models, n_metrics)."""
    rng = np.random.default_rng((seed, n, 5))
    y = study.labels(n, balance, rng)
    tests = np.concatenate([splits(y, "10x10", rng), splits(y, "5-fold", rng)])
    X = rng.normal(size=(max(MODELS), n, FEATURES)) + signal * (2 * y - 1)[:, None]
    found = np.stack(
        [five_metrics(LEARNERS[learner](own, y, ~tests, 5 * seed + i), y, tests) for i, own in enumerate(X)], axis=1
    )
    return {"10x10": found[:100], "10-fold": found[:10], "5-fold": found[100:]}


def pvalues(found: Array, design: str) -> Array:
    """Of all pairs on all metrics by the default procedure, from scores (n_datasets, n_splits, n_models, n_metrics).

    Shape (n_datasets, n_pairs, n_metrics).
    """
    columns = [
        [study.default_pvalues(found[:, :, a, m] - found[:, :, b, m], design) for m in range(len(METRICS))]
        for a, b in PAIRS
    ]
    return np.moveaxis(np.array(columns), 2, 0)


def any_difference(p: Array, models: int, metrics: tuple[str, ...]) -> Array:
    """Whether `compare` finds any: the smallest p-value, adjusted by Holm over all pairs and metrics, is below 5%."""
    own = [i for i, pair in enumerate(PAIRS) if max(pair) < models]
    family = p[:, own][:, :, [METRICS.index(metric) for metric in metrics]].reshape(len(p), -1)
    return np.asarray(family.min(axis=1) * family.shape[1] < LEVEL)


def simulated(ns: list[int], n_datasets: int, jobs: int) -> Iterator[tuple[study.Condition, dict[str, Array]]]:
    """Every null, and the scores of its data sets by design."""
    with Parallel(n_jobs=jobs) as parallel:
        for n, null, balance, learner in itertools.product(ns, SIGNALS, POSITIVE, QUICK):
            how = n, balance, SIGNALS[null], learner
            found = stacked(parallel(delayed(scores)(*how, seed) for seed in range(n_datasets)))
            yield (null, balance, n, learner), found


def cells(condition: study.Condition, found: dict[str, Array]) -> Iterator[tuple[object, ...]]:
    """Rows of `CELL_COLUMNS`; one comparison alone is no family."""
    for design, procedure in DEFAULT.items():
        p = pvalues(found[design], design)
        for models, metrics in itertools.product(MODELS, CHOICES):
            if models > 2 or len(metrics) > 1:
                rejected = int(any_difference(p, models, metrics).sum())
                yield *condition, design, procedure, models, "+".join(metrics), len(p), rejected


def page(rows: list[dict[str, str]]) -> str:
    """Markdown: by design, number of models and samples, on accuracy, accuracy and ROC AUC, and all five metrics."""
    chosen = ("accuracy", "accuracy+roc_auc", "+".join(METRICS))
    shares: dict[tuple[str, str, str, str], list[float]] = defaultdict(list)
    for row in rows:
        share = int(row["rejected"]) / int(row["n_datasets"])
        shares[row["design"], row["models"], row["n_samples"], row["metrics"]].append(share)
    lines = (
        (design, models, f"{n:,}", *(span(shares[design, str(models), str(n), metrics]) for metrics in chosen))
        for design, models, n in itertools.product(DEFAULT, MODELS, SIZES)
    )
    return table(("design", "models", "samples", "accuracy", "accuracy and ROC AUC", "all five"), 1, lines)


# ---- tests of all models at once ------------------------------------------------------------------------------

TOGETHER = ("anova_test", "friedman_test", "tukey_test", "nemenyi_test", "compare", "contrast_test")
OF_ONE = ("accuracy", "f1", "roc_auc")
WORSE = 2.5  # standard deviations, over the data sets, of the difference of two models' means
RECTANGLE = np.array([1.0, -1.0, -1.0, 1.0])  # the interaction of two factors with two levels
Together = dict[tuple[str, str, int, int, str, str], list[float]]


def f_pvalues(values: Array, factor: float, *, spherical: bool = False) -> Array:
    """Of the hypothesis that the columns have one mean, from rows that sum to 0: (n_datasets, n_splits, n_models)."""
    _, n, k = values.shape
    means = values.mean(axis=1)
    residuals = values - means[:, None]
    spread = np.einsum("dni,dnj->dij", residuals, residuals)
    trace, between = np.trace(spread, axis1=1, axis2=2), (means**2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        epsilon = np.clip(trace**2 / ((k - 1) * (spread**2).sum(axis=(1, 2))), 1 / (k - 1), 1)
        f = between * (n - 1) / trace / factor
    epsilon = np.where((trace == 0) | spherical, 1.0, epsilon)
    return np.where(between == 0, 1.0, special.fdtrc(epsilon * (k - 1), epsilon * (k - 1) * (n - 1), f))


@lru_cache
def critical_range(k: int, df: float) -> float:
    return studentized_range_quantile(LEVEL, k, df)


def rejections(x: Array, design: str, *, corrected: bool = True) -> dict[str, Array]:
    """In which data sets each procedure finds a difference, from scores (n_datasets, n_splits, n_models)."""
    n, k = x.shape[1:]
    part = OVERLAP if DEFAULT[design] == "k_fold_t_test" else 1.0
    fraction = FRACTIONS[design] if corrected else 0.0
    correction = Correction(test_fraction=fraction, overlap=part)
    factor, shared = correction.variance(n), 1 + (n - 1) * correction.fold_correlation
    values = x - x.mean(axis=2, keepdims=True)
    values[np.abs(values) < 1e-7] = 0.0
    ranks = stats.rankdata(-np.round(x, 6), axis=2) - (k + 1) / 2
    df = (k - 1) * (n - 1)
    residuals = values - values.mean(axis=1, keepdims=True)
    error = np.sqrt((residuals**2).sum(axis=(1, 2)) / df * factor)
    ranges = (np.ptp(values.mean(axis=1), axis=1), np.ptp(ranks.mean(axis=1), axis=1))
    pairs = [study.corrected(x[..., a] - x[..., b], fraction, part) for a, b in PAIRS if b < k]
    found = {
        "anova_test": f_pvalues(values, factor) < LEVEL,
        "friedman_test": f_pvalues(ranks, factor, spherical=True) < LEVEL,
        "tukey_test": ranges[0] > critical_range(k, df) * error,
        "nemenyi_test": ranges[1] > critical_range(k, np.inf) * np.sqrt(k * (k + 1) / 12 / n * shared),
        "compare": np.min(pairs, axis=0) * len(pairs) < LEVEL,
    }
    if k >= RECTANGLE.size:
        found["contrast_test"] = study.corrected(x[..., : RECTANGLE.size] @ RECTANGLE, fraction, part) < LEVEL
    return found


def shifted(x: Array) -> Array:
    """The same scores, of which those of the first model are worse."""
    apart = float((x[..., 0] - x[..., 1]).mean(axis=1).std())
    return x - WORSE * apart * (np.arange(x.shape[2]) == 0)


def count_together(rates: Together, x: Array, design: str, n: int, metric: str, null: str) -> None:
    """Add the percents of rejections of one null to those by kind, design, models, samples, metric and procedure."""
    for k in (3, 5):
        own = x[:, :, :k]
        kinds = {
            "size": rejections(own, design),
            "uncorrected": rejections(own, design, corrected=False),
            "power": rejections(shifted(own), design),
        }
        for kind, found in kinds.items():
            for procedure, yes in found.items():
                rates[kind, design, k, n, metric, procedure].append(100 * float(yes.mean()))
        print(f"{null}; {design}, {k} models, {metric}: {100 * kinds['size']['anova_test'].mean():.1f}", flush=True)


def together_page(rates: Together) -> str:
    """Markdown: what is found by each procedure, by kind, design, number of models and samples."""
    lines = []
    for kind in ("size", "uncorrected", "power"):
        lines += ["", head((kind, "models", "samples", *TOGETHER))]
        for design, k, n in dict.fromkeys(key[1:4] for key in rates):
            cells = []
            for procedure in TOGETHER:
                own = [x for metric in OF_ONE for x in rates.get((kind, design, k, n, metric, procedure), [])]
                cells.append(span(np.divide(own, 100)) if kind == "size" else f"{np.mean(own):.1f}" if own else "")
            lines.append(line(design, k, n, *cells))
    return "\n".join(lines)


def sizes_together(rates: Together) -> list[tuple[str, str, str, str, str]]:
    """Rows of `measured_elsewhere.csv`: lowest and highest over nulls, 3 and 5 models and numbers of samples."""
    found: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for (kind, design, _, _, metric, procedure), own in rates.items():
        if kind == "size" and procedure.endswith("_test"):
            found[procedure, design, metric] += own
    return [(*key, f"{min(own) / 100:.3f}", f"{max(own) / 100:.3f}") for key, own in sorted(found.items())]


def together(samples: list[int], n_datasets: int, jobs: int) -> Together:
    rates: Together = defaultdict(list)
    for condition, found in simulated(samples, n_datasets, jobs):
        for design, metric in itertools.product(DEFAULT, OF_ONE):
            x = found[design][..., METRICS.index(metric)]
            count_together(rates, x, design, condition[2], metric, ", ".join(map(str, condition)))
    return rates


# How often intervals of ranks hold the true ranks, of systems that pass or fail items.

BOARDS = {  # the strengths of eight systems; items in clusters of four share their difficulty with a system
    "equal": np.zeros(8),
    "spread": np.linspace(0.0, 1.4, 8),
    "tied": np.repeat([0.0, 0.5], 4),
    "clustered": np.repeat([0.0, 0.25, 0.5, 0.75], 2),
}


def board(kind: str, seed: int, n_items: int = 200) -> EvaluationResult:
    """A leaderboard whose systems have the strengths of a kind."""
    rng, k = np.random.default_rng((seed, [*BOARDS].index(kind))), len(BOARDS[kind])
    clusters = np.arange(n_items) // 4 if kind == "clustered" else None
    shown = BOARDS[kind][:, None] + rng.normal(size=n_items) + rng.normal(size=(k, n_items))
    if clusters is not None:
        shown += (rng.normal(size=n_items // 4) + rng.normal(size=(k, n_items // 4)))[:, clusters]
    passed = dict(zip("abcdefgh", (shown > 0.5).astype(float), strict=True))
    return from_outcomes(passed, clusters=clusters)


def holds(kind: str, seed: int) -> tuple[bool, float]:
    """Whether the intervals hold all ranks that a system can have among its equals, and the share that holds alone."""
    result, strength = board(kind, seed), BOARDS[kind]
    first, last = 1 + (strength > strength[:, None]).sum(axis=1), (strength >= strength[:, None]).sum(axis=1)
    at_once, alone = result.rank(), result.rank(simultaneous=False)
    whole = (at_once.low <= first) & (last <= at_once.high)
    return bool(whole.all()), float(((alone.low <= first) & (last <= alone.high)).mean())


def ranks(n: int, jobs: int) -> dict[str, tuple[float, float]]:
    """By kind of leaderboard how often all intervals hold at once, and one that was chosen before looking."""
    with Parallel(n_jobs=jobs) as parallel:
        return {
            kind: tuple(np.mean(parallel(delayed(holds)(kind, seed) for seed in range(n)), axis=0)) for kind in BOARDS
        }


def main() -> None:
    to = {"table": DATA / "family_study.csv.gz"}
    given = options(__doc__, n_datasets=300, samples=[*SIZES], jobs=2, together=False, ranks=False, **to)
    if given.ranks:
        for kind, (at_once, alone) in ranks(given.n_datasets, given.jobs).items():
            print(line(kind, given.n_datasets, f"{100 * at_once:.1f}", f"{100 * alone:.1f}"))
        return
    if given.together:
        found = together(given.samples, given.n_datasets, given.jobs)
        print(together_page(found))
        print("\n".join(",".join(row) for row in sizes_together(found)))
        return
    rows: list[tuple[object, ...]] = []
    for condition, found in simulated(given.samples, given.n_datasets, given.jobs):
        rows += cells(condition, found)
        print(*condition, flush=True)
    write_rows(given.table, [CELL_COLUMNS, *rows])
    print(page([dict(zip(CELL_COLUMNS, map(str, row), strict=True)) for row in rows]))


if __name__ == "__main__":
    main()
