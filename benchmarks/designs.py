"""Other designs and procedures on the data sets of the calibration study.

Run from a checkout: ``python -m benchmarks.designs PART``, where the part is ``precision``, ``one_run``,
``new_seeds``; without one it is ``precision``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from scipy import special

from benchmarks import ROOT, head, keep, line, options, rejected, run_part, span, write_rows
from benchmarks import calibration as study
from benchmarks.calibration import CHUNK, FRACTIONS, LEARNERS, METRICS, PAIR, SIGNALS, SIZES
from benchmarks.fast_learners import Array, five_metrics, splits
from skcompare.inference._records import OVERLAP, Correction

# ---- precision --------------------------------------------------------------------------------------------------


SAMPLES = (60, 200)
LEVEL = 0.05
# name: (kept design, splits taken from its front, share of the samples that is trained on)
DESIGNS = {
    "5-fold": ("10x5", 5, 0.8),
    "10-fold": ("10x10", 10, 0.9),
    "5x2": ("5x2", 10, 0.5),
    "3x5": ("10x5", 15, 0.8),
    "5x5": ("10x5", 25, 0.8),
    "3x10": ("10x10", 30, 0.9),
    "30 resamples": ("30 resamples", 30, 2 / 3),
    "10x5": ("10x5", 50, 0.8),
    "5x10": ("10x10", 50, 0.9),
    "10x10": ("10x10", 100, 0.9),
}
COLUMNS = ("n_samples", "metric", "design", "n_fits", "train_share", "size", "found", "power", "power_low")


def at_equal_size(null: Array, other: Array) -> tuple[float, float, float]:
    """Shares of nulls and of differences rejected at 5%, and of differences at the level that rejects 5% of nulls."""
    shares = [float((p < LEVEL).mean()) for p in (null, other)]
    return shares[0], shares[1], float((other < np.quantile(null, LEVEL)).mean())


def rows(folder: Path, n: int) -> Iterator[tuple[object, ...]]:
    """Rows of `COLUMNS`, over the learners."""
    kept = {
        (null, learner): {design: d for _, design, d in study.stored(folder, (null, "50/50", n, learner))}
        for null in ("signal", "better")
        for learner in LEARNERS
    }

    def both(learner: str, source: str, n_splits: int, m: int) -> list[Array]:
        return [kept[null, learner][source][:, :n_splits, m] for null in ("signal", "better")]

    for m, metric in enumerate(METRICS):
        for design, (source, n_splits, share) in DESIGNS.items():
            pairs = (both(learner, source, n_splits, m) for learner in LEARNERS)
            part = OVERLAP if "-fold" in design else 1.0
            found = [at_equal_size(*(study.corrected(d, 1 - share, part) for d in pair)) for pair in pairs]
            yield n, metric, design, n_splits, share, *_summary(found)
        print(n, metric, flush=True)


def _summary(found: list[tuple[float, ...]]) -> tuple[str, ...]:
    return tuple(f"{mean:.4f}" for mean in (*np.mean(found, axis=0), min(power for *_, power in found)))


def main_of_precision() -> None:
    """Which design finds most per second: the power of every design at the same error rate, beside its number of fits.

    Run from a checkout: ``python -m benchmarks.designs --folder calibration-scores`` on the scores that ``python -m
    benchmarks.calibration simulate`` keeps (missing ones are made, a few minutes). Every design is tested by its own
    default test. Its power is read at the level at which it rejects 5% of the true nulls of the same learner, so that
    no design gains by being wrong more often; then the mean over the learners is taken.
    """
    to = ROOT / "skcompare" / "planning" / "measured_designs.csv"
    given = options(main_of_precision.__doc__, folder=Path("calibration-scores"), n_datasets=1000, to=to)
    given.folder.mkdir(parents=True, exist_ok=True)
    for n in SAMPLES:
        for learner in LEARNERS:
            for null in ("signal", "better"):
                for start in range(0, given.n_datasets, CHUNK):
                    study.simulate_chunk(given.folder, (null, "50/50", n, learner), start)
    write_rows(given.to, [COLUMNS, *(row for n in SAMPLES for row in rows(given.folder, n))])


# ---- one run ----------------------------------------------------------------------------------------------------


REPEATED = 200  # samples up to which all 10x10 folds are fitted
PARTS = {"10x10": (1.0,), "10-fold": (OVERLAP, 1.0), "5-fold": (OVERLAP, 1.0)}
MARGINS = (0.05, 0.1, 0.2)
SHOWN = (0.05, 0.10, 0.25, 0.50, 0.75, 0.90, 0.95)


def scores(condition: study.Condition, seed: int) -> Array:
    """Scores of both models, shape (n_splits, 2, n_metrics): of 10x10 or its first run, then of the 5 folds."""
    null, balance, n, learner = condition
    rng, y, X = study.drawn_blocks(n, balance, study.signals_of(null), seed)
    drawn = study.designs(y, rng)
    tests = np.concatenate([drawn["10x10" if n <= REPEATED else "10-fold"], drawn["10x5"][:5]])
    found = [five_metrics(LEARNERS[learner](own, y, ~tests, 2 * seed + i), y, tests) for i, own in enumerate(X)]
    return np.stack(found, axis=1)


def chosen(ns: list[int]) -> list[study.Condition]:
    """The nulls of the study in which both models are the same learner."""
    return [one for one in study.conditions(tuple(ns)) if one[0] in SIGNALS]


def simulate(folder: Path, ns: list[int], n_datasets: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for start in range(0, n_datasets, CHUNK):
        for condition in chosen(ns):
            seeds = range(start, start + CHUNK)
            path = study.file_of(folder, condition, start)
            keep(path, lambda c=condition, seeds=seeds: {"scores": np.stack([scores(c, seed) for seed in seeds])})


def stored_of_one_run(folder: Path, condition: study.Condition) -> dict[str, Array]:
    """Scores of both models by design, (n_datasets, n_splits, 2, n_metrics); empty where nothing was simulated."""
    for found in study.arrays_of(folder, condition).values():
        repeated = {"10x10": found[:, :-5]} if condition[2] <= REPEATED else {}
        return repeated | {"10-fold": found[:, :10], "5-fold": found[:, -5:]}
    return {}


def beside(n: int, found: dict[str, Array]) -> dict[tuple[object, ...], Array]:
    """Shares of the data sets of a null, by what was asked, design, part of the correction, samples and metric.

    The flat-prior posterior of a difference, the equivalence test of models whose true difference is the margin, and
    the interval of a model's own score, whose true value is the mean over all data sets.
    """
    shares: dict[tuple[object, ...], Array] = {}
    for design, both in found.items():
        fraction = FRACTIONS[design]
        for part in PARTS[design]:
            for j, metric in enumerate(METRICS):
                key = design, part, n, metric
                d = both[:, :, 0, j] - both[:, :, 1, j]
                better = _one_sided(d, fraction, part)
                shares["posterior", *key] = np.array([np.mean(np.maximum(better, 1 - better) > 0.95)])
                shares["curve", *key] = np.array([np.mean(better <= level) for level in SHOWN])
                shares["equivalence", *key] = np.array([_equivalent(d, m, fraction, part) for m in MARGINS])
                own = np.concatenate([both[:, :, 0, j], both[:, :, 1, j]])
                shares["own score", *key] = np.array([rejected(study.corrected(own - own.mean(), fraction, part))])
    return shares


def _one_sided(d: Array, fraction: float, part: float) -> Array:
    """Posterior probability that the mean difference is positive; one half where all differences are 0."""
    p = study.corrected(d, fraction, part)
    return np.where(d.mean(axis=1) > 0, 1 - p / 2, p / 2)


def _equivalent(d: Array, margin: float, fraction: float, part: float) -> float:
    """How often models whose true difference is the margin, on either side, are called equivalent at 5%."""
    n, correction = d.shape[1], Correction(test_fraction=fraction, overlap=part)
    reach = -special.stdtrit(n - 1, 0.05) * d.std(axis=1, ddof=1) * correction.variance(n) ** 0.5
    return float(np.mean([np.abs(d.mean(axis=1) + side * margin) + reach < margin for side in (1, -1)]))


def tables(shares: dict[tuple[object, ...], list[Array]]) -> str:
    """Markdown: mean and range over the nulls, in %."""
    heads = {
        "posterior": ("over 95% in either direction",),
        "equivalence": tuple(f"margin {margin:g}" for margin in MARGINS),
        "own score": ("interval of a model's own score misses",),
        "curve": tuple(f"{level:.0%}" for level in SHOWN),
    }
    lines = []
    for what, columns in heads.items():
        lines += ["", head((f"{what}: design", "part", "samples", "metric", *columns), 4)]
        for (_, *key), found in _of(shares, what):
            cells = (f"{100 * own.mean():.1f}" if what == "curve" else span(own) for own in found.T)
            lines.append(line(*key, *cells))
    return "\n".join(lines)


def _of(shares: dict[tuple[object, ...], list[Array]], what: str) -> list[tuple[tuple[object, ...], Array]]:
    order = {design: i for i, design in enumerate(PARTS)}
    shown = METRICS if what == "own score" else PAIR
    found = [(key, np.stack(rows)) for key, rows in shares.items() if key[0] == what and key[4] in shown]
    return sorted(found, key=lambda one: (order[str(one[0][1])], *map(str, one[0][2:])))


def main_of_one_run() -> None:
    """One run of folds in the calibration study: what stands beside the default test, on the same data sets.

    Run from a checkout (needs numba): ``python -m benchmarks.designs one_run simulate`` draws the data sets, splits and
    seeds of the nulls of `benchmarks.calibration` and fits the 10 and the 5 folds that come first, up to 200 samples
    all 10x10 (20 minutes of one core, resumable); ``python -m benchmarks.designs one_run test`` prints the figures.
    """
    how = {"part": ("simulate", "test"), "folder": Path("one-run-scores"), "n_datasets": 1000, "samples": [*SIZES]}
    given = options(main_of_one_run.__doc__, **how)
    if given.part == "simulate":
        simulate(given.folder, given.samples, given.n_datasets)
        return
    shares: dict[tuple[object, ...], list[Array]] = defaultdict(list)
    for condition in chosen(given.samples):
        if found := stored_of_one_run(given.folder, condition):
            for key, share in beside(condition[2], found).items():
                shares[key].append(share)
    print(tables(shares))


# ---- new seeds --------------------------------------------------------------------------------------------------


FRESH = 1_000_000  # far from the seeds of the study


def fresh_pvalues(null: str, balance: str, n: int, learner: str, n_datasets: int) -> dict[tuple[str, str], Array]:
    """p of the k-fold t test by design and metric on data sets that no candidate has seen."""
    found: dict[tuple[str, str], list[Array]] = {}
    for seed in range(FRESH, FRESH + n_datasets):
        rng, y, X = study.drawn_blocks(n, balance, study.signals_of(null), seed)
        for folds in (5, 10):
            test = splits(y, f"{folds}-fold", rng)
            a, b = (
                five_metrics(LEARNERS[learner](block, y, ~test, 2 * seed + i), y, test) for i, block in enumerate(X)
            )
            for j, metric in enumerate(METRICS):
                found.setdefault((f"{folds}-fold", metric), []).append(a[:, j] - b[:, j])
    return {key: study.corrected(np.array(d), FRACTIONS[key[0]], OVERLAP) for key, d in found.items()}


def main_of_new_seeds() -> None:
    """The default test of one run of folds on data sets with other seeds than those that its correction was chosen on.

    Run from a checkout: ``python -m benchmarks.designs new_seeds``. The mean size at three levels over the nulls of the
    calibration study, and at 5% its range and the share of nulls between 3% and 7%.
    """
    given = options(main_of_new_seeds.__doc__, samples=[*SIZES], n_datasets=1000, jobs=2)
    wanted = chosen(given.samples)
    made = Parallel(n_jobs=given.jobs)(delayed(fresh_pvalues)(*condition, given.n_datasets) for condition in wanted)
    names = ("mean size at 1%, %", "at 5%", "at 10%", "range at 5%", "3% to 7%")
    print(f"{head(('design', 'metric', *names), 2)}")
    for design, metric in made[0]:
        sizes = np.array([[(p[design, metric] < level).mean() for level in (0.01, 0.05, 0.1)] for p in made])
        inside = np.mean((sizes[:, 1] >= 0.03) & (sizes[:, 1] <= 0.07))
        means = (f"{100 * mean:.1f}" for mean in sizes.mean(axis=0))
        ends = f"{100 * sizes[:, 1].min():.1f} to {100 * sizes[:, 1].max():.1f}"
        print(line(design, metric, *means, ends, f"{100 * inside:.0f}%"), flush=True)


if __name__ == "__main__":
    run_part(main_of_precision, main_of_one_run, main_of_new_seeds)
