"""Which design finds most per second: the power of every design at the same error rate, beside its number of fits.

Run from a checkout: ``python -m benchmarks.designs --folder calibration-scores`` on the scores that ``python -m
benchmarks.calibration simulate`` keeps (missing ones are made, a few minutes). Every design is tested by its own
default test. Its power is read at the level at which it rejects 5% of the true nulls of the same learner, so that no
design gains by being wrong more often; then the mean over the learners is taken. ``StopRule`` is run at three values of
its `alpha` and read between them; the first data sets are decided by the code of the evaluator too, and compared.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np
from scipy import special

from benchmarks.calibration import CHUNK, LEARNERS, METRICS, simulate_chunk, stored
from benchmarks.calibration_procedures import correction, t_pvalues
from benchmarks.fast_learners import Array
from benchmarks.racing import METRIC
from skcompare import StopRule
from skcompare.comparison.stopping import SequentialMonitor
from skcompare.inference._overlap import OVERLAP

SAMPLES = (60, 200)
LEVEL = 0.05
CHECKED = 20
STOP_LEVELS = (0.01, 0.05, 0.15)
STOP = "10x10 with StopRule"
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


def pvalues(d: Array, train_share: float, single: bool) -> Array:
    """Of the default test."""
    n = d.shape[1]
    return t_pvalues(d, correction(n, 1 - train_share, OVERLAP if single else 1.0), n - 1)


def at_equal_size(null: Array, other: Array) -> tuple[float, float, float]:
    """Shares of nulls and of differences rejected at 5%, and of differences at the level that rejects 5% of nulls."""
    shares = [float((p < LEVEL).mean()) for p in (null, other)]
    return shares[0], shares[1], float((other < np.quantile(null, LEVEL)).mean())


def stopped(d: Array, alpha: float) -> tuple[Array, Array]:
    """Whether one of two models was found worse, and the fits of either that it took."""
    rule = StopRule(alpha=alpha)
    levels = rule.levels((10, 10), 2)
    found, fits = np.zeros(len(d), dtype=bool), np.full(len(d), 100.0)
    for level, repeats in zip(levels.levels, range(rule.repeats_before_look(10), 11), strict=True):
        seen = t_pvalues(d[:, : 10 * repeats], correction(10 * repeats, 0.1), 10 * repeats - 1)
        now = ~found & (seen < level * levels.n_comparisons)
        found, fits = found | now, np.where(now, 10 * repeats, fits)
    for i in range(CHECKED):
        if (found[i], fits[i]) != by_monitor(d[i], rule):
            raise AssertionError(f"data set {i}: the evaluator decides otherwise")
    return found, fits


def by_monitor(d: Array, rule: StopRule) -> tuple[bool, float]:
    """`stopped` of one data set, decided by the code of the evaluator."""
    running = SequentialMonitor(rule, ("a", "b"), [METRIC], (10, 10))
    scores = np.stack([d, 0 * d])
    repeat = 1
    while running.look(scores[:, : 10 * repeat]):
        repeat += 1
    return bool(running.record().worse), 10.0 * repeat


def stopped_at_equal_size(null: Array, other: Array) -> tuple[float, float, float, float]:
    """As `at_equal_size`, and the mean fits of either model where there is a difference."""
    sizes, powers, fits = [], [], []
    for alpha in STOP_LEVELS:
        sizes.append(float(stopped(null, alpha)[0].mean()))
        found, splits = stopped(other, alpha)
        powers.append(float(found.mean()))
        fits.append(float(splits.mean()))
    middle = STOP_LEVELS.index(LEVEL)
    at = special.ndtri(LEVEL)
    where = special.ndtri(np.clip(sizes, 1e-3, 1 - 1e-3))
    power = special.ndtr(np.interp(at, where, special.ndtri(np.clip(powers, 1e-3, 1 - 1e-3))))
    return sizes[middle], powers[middle], float(power), float(np.interp(at, where, fits))


def rows(folder: Path, n: int) -> list[tuple[object, ...]]:
    """Rows of `COLUMNS`, over the learners."""
    kept = {
        null: {
            learner: {design: d for _, design, d in stored(folder, (null, "50/50", n, learner))} for learner in LEARNERS
        }
        for null in ("signal", "better")
    }
    made: list[tuple[object, ...]] = []
    for m, metric in enumerate(METRICS):
        for design, (source, n_splits, share) in DESIGNS.items():
            found = [
                at_equal_size(
                    *(
                        pvalues(kept[null][learner][source][:, :n_splits, m], share, "-fold" in design)
                        for null in ("signal", "better")
                    )
                )
                for learner in LEARNERS
            ]
            made.append((n, metric, design, n_splits, f"{share:.4f}", *_summary(found)))
        raced = [
            stopped_at_equal_size(*(kept[null][learner]["10x10"][:, :, m] for null in ("signal", "better")))
            for learner in LEARNERS
        ]
        fits = float(np.mean([one[3] for one in raced]))
        made.append((n, metric, STOP, f"{fits:.1f}", "0.9000", *_summary([one[:3] for one in raced])))
        print(n, metric, flush=True)
    return made


def _summary(found: list[tuple[float, float, float]]) -> tuple[str, ...]:
    return tuple(f"{mean:.4f}" for mean in (*np.mean(found, axis=0), min(power for *_, power in found)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("calibration-scores"))
    parser.add_argument("--n-datasets", type=int, default=1000)
    parser.add_argument("--to", type=Path, default=Path("skcompare/planning/measured_designs.csv"))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for n in SAMPLES:
        for learner in LEARNERS:
            for null in ("signal", "better"):
                for start in range(0, options.n_datasets, CHUNK):
                    simulate_chunk(options.folder, (null, "50/50", n, learner), start)
    made = [row for n in SAMPLES for row in rows(options.folder, n)]
    with options.to.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *made])


if __name__ == "__main__":
    main()
