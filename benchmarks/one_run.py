"""One run of folds in the calibration study: the procedures that stand beside the default test, on the same data sets.

Run from a checkout (needs numba): ``python -m benchmarks.one_run simulate`` draws the data sets, splits and seeds of
`benchmarks.calibration` and fits the 10 and the 5 folds that come first, up to 200 samples all 10x10 (20 minutes of one
core, resumable); ``python -m benchmarks.one_run test`` gives them to the procedures, puts their rows into the tables of
the study in place of those there, and prints the figures that the study has no place for. ``python -m
benchmarks.calibration page`` then writes the tables of docs/study.md.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from collections import defaultdict
from pathlib import Path

import numpy as np
from scipy import special

from benchmarks.calibration import (
    BETTER,
    CHUNK,
    CONDITION_COLUMNS,
    FEATURES,
    LEARNERS,
    LEVELS,
    METRICS,
    PAIR,
    SIGNALS,
    SIZES,
    SUMMARY_COLUMNS,
    conditions,
    designs,
    file_of,
    labels,
    read_table,
    summarised,
)
from benchmarks.calibration_procedures import FRACTIONS, correction, fold_pvalues, joint_pvalues, t_pvalues
from benchmarks.fast_learners import Array, five_metrics
from skcompare.inference._overlap import OVERLAP

REPEATED = 200  # samples up to which all 10x10 folds are fitted
PARTS = {"10x10": (1.0,), "10-fold": (OVERLAP, 1.0), "5-fold": (OVERLAP, 1.0)}
MARGINS = (0.05, 0.1, 0.2)
SHOWN = (0.05, 0.10, 0.25, 0.50, 0.75, 0.90, 0.95)
Condition = tuple[str, str, int, str]
Row = tuple[object, ...]


def scores(condition: Condition, seed: int) -> Array:
    """Scores of both models, shape (n_splits, 2, n_metrics): of 10x10 or its first run, then of the 5 folds."""
    null, balance, n, learner = condition
    signals = (BETTER[null], SIGNALS["signal"]) if null in BETTER else (SIGNALS[null], SIGNALS[null])
    rng = np.random.default_rng((seed, n))
    y = labels(n, balance, rng)
    X = [rng.normal(size=(n, FEATURES)) + signal * (2 * y - 1)[:, None] for signal in signals]
    drawn = designs(y, rng)
    tests = np.concatenate([drawn["10x10" if n <= REPEATED else "10-fold"], drawn["10x5"][:5]])
    found = [five_metrics(LEARNERS[learner](own, y, ~tests, 2 * seed + i), y, tests) for i, own in enumerate(X)]
    return np.stack(found, axis=1)


def chosen(ns: tuple[int, ...]) -> list[Condition]:
    """The conditions of the study in which both models are the same learner."""
    return [one for one in conditions(ns) if one[0] != "noise"]


def simulate(folder: Path, ns: tuple[int, ...], n_datasets: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for start in range(0, n_datasets, CHUNK):
        for condition in chosen(ns):
            path = file_of(folder, condition, start).with_suffix(".npy")
            if not path.exists():
                found = np.stack([scores(condition, seed) for seed in range(start, start + CHUNK)])
                part = path.with_suffix(".part")
                with part.open("wb") as stream:
                    np.save(stream, found)
                part.replace(path)


def stored(folder: Path, condition: Condition) -> dict[str, Array]:
    """Scores of both models by design, (n_datasets, n_splits, 2, n_metrics); empty where nothing was simulated."""
    name = file_of(folder, condition, 0).name.replace(", 0.npz", ", *.npy")
    paths = sorted(folder.glob(name), key=lambda path: int(path.stem.rsplit(", ", 1)[1]))
    if not paths:
        return {}
    found = np.concatenate([np.load(path) for path in paths])
    repeated = {"10x10": found[:, :-5]} if condition[2] <= REPEATED else {}
    return repeated | {"10-fold": found[:, :10], "5-fold": found[:, -5:]}


# ---- the procedures of the study ------------------------------------------------------------------------------


def study_rows(condition: Condition, found: dict[str, Array]) -> list[Row]:
    """Rows of `CONDITION_COLUMNS` on one run: of the tests of one metric, and of the joint ones."""
    rows: list[Row] = []
    for design in ("10-fold", "5-fold"):
        d = found[design][:, :, 0] - found[design][:, :, 1]
        p = {(name, m): own for j, m in enumerate(METRICS) for name, own in fold_pvalues(d[:, :, j], design).items()}
        for label, some in {"accuracy and ROC AUC": PAIR, "all five": METRICS}.items():
            costly = condition[2] == 200 and some == METRICS and design == "10-fold"
            joint = joint_pvalues(d[:, :, [METRICS.index(m) for m in some]], design, costly=costly)
            p |= {(name, label): own for name, own in joint.items()}
        rows += [
            (*condition, design, name, metric, len(own), *(int((own < level).sum()) for level in LEVELS))
            for (name, metric), own in p.items()
        ]
    return rows


def merged(table: list[dict[str, str]], rows: list[Row]) -> tuple[list[Row], int, int]:
    """The table with the rows of joint procedures in place of its own, and how many rows of the others agree."""
    new = {tuple(map(str, row[:7])): row for row in rows}
    found: list[Row] = []
    same = compared = 0
    for old in table:
        values = tuple(old[name] for name in CONDITION_COLUMNS)
        row = new.get(values[:7])
        if row is not None and row[6] in METRICS and str(row[7]) == old["n_datasets"]:  # nothing of it has changed
            compared += 1
            same += tuple(map(str, row)) == values
        found.append(values if row is None or row[6] in METRICS else tuple(map(str, row)))
    return found, same, compared


def test(folder: Path, table_to: Path, summary_to: Path, ns: tuple[int, ...]) -> None:
    rows: list[Row] = []
    shares: dict[tuple[object, ...], list[Array]] = defaultdict(list)
    for condition in chosen(ns):
        found = stored(folder, condition)
        if found:
            rows += study_rows(condition, found)
            if condition[0] not in BETTER:
                for key, share in beside(condition[2], found).items():
                    shares[key].append(share)
            print(*condition, len(found["10-fold"]), flush=True)
    table, same, compared = merged(read_table(table_to), rows)
    print(f"{same} of {compared} rows of tests of one metric are those of the table")
    with gzip.open(table_to, "wt", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([CONDITION_COLUMNS, *table])
    with summary_to.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([SUMMARY_COLUMNS, *summarised(table)])
    print(tables(shares))


# ---- what the study has no place for --------------------------------------------------------------------------


def beside(n: int, found: dict[str, Array]) -> dict[tuple[object, ...], Array]:
    """Shares of the data sets of a null, by what was asked, design, part of the correction, samples and metric.

    The flat-prior posterior of a difference, the equivalence test of models whose true difference is the margin, and
    the interval of a model's own score, whose true value is the mean over all data sets.
    """
    shares: dict[tuple[object, ...], Array] = {}
    for design, both in found.items():
        for part in PARTS[design]:
            for j, metric in enumerate(METRICS):
                key = design, part, n, metric
                d = both[:, :, 0, j] - both[:, :, 1, j]
                better = _one_sided(d, design, part)
                shares["posterior", *key] = np.array([np.mean(np.maximum(better, 1 - better) > 0.95)])
                shares["curve", *key] = np.array([np.mean(better <= level) for level in SHOWN])
                shares["equivalence", *key] = np.array([_equivalent(d, m, design, part) for m in MARGINS])
                own = np.concatenate([both[:, :, 0, j], both[:, :, 1, j]])
                missed = t_pvalues(own - own.mean(), _scale(own, design, part), own.shape[1] - 1) < 0.05
                shares["own score", *key] = np.array([missed.mean()])
    return shares


def _scale(d: Array, design: str, part: float) -> float:
    return correction(d.shape[1], FRACTIONS[design], part)


def _one_sided(d: Array, design: str, part: float) -> Array:
    """Posterior probability that the mean difference is positive; one half where all differences are 0."""
    p = t_pvalues(d, _scale(d, design, part), d.shape[1] - 1)
    return np.where(d.mean(axis=1) > 0, 1 - p / 2, p / 2)


def _equivalent(d: Array, margin: float, design: str, part: float) -> float:
    """How often models whose true difference is the margin, on either side, are called equivalent at 5%."""
    error, df = d.std(axis=1, ddof=1) * _scale(d, design, part), d.shape[1] - 1
    reach = -special.stdtrit(df, 0.05) * error
    sides = [np.abs(d.mean(axis=1) + side * margin) + reach < margin for side in (1, -1)]
    return float(np.mean(sides))


def tables(shares: dict[tuple[object, ...], list[Array]]) -> str:
    """Markdown: mean and range over the nulls, in %."""
    heads = {
        "posterior": "over 95% in either direction",
        "equivalence": tuple(f"margin {margin:g}" for margin in MARGINS),
        "own score": "interval of a model's own score misses",
    }
    lines = []
    for what, columns in heads.items():
        names = (columns,) if isinstance(columns, str) else columns
        lines += ["", f"| {what}: design | part | samples | metric | {' | '.join(names)} |"]
        lines.append("| --- | ---: | ---: | --- |" + " ---: |" * len(names))
        for (_, *key), found in _of(shares, what):
            spans = [f"{100 * own.mean():.1f} ({100 * own.min():.1f} to {100 * own.max():.1f})" for own in found.T]
            lines.append(f"| {' | '.join(map(str, key))} | {' | '.join(spans)} |")
    lines += ["", f"| curve: design | part | samples | metric | {' | '.join(f'{level:.0%}' for level in SHOWN)} |"]
    lines.append("| --- | ---: | ---: | --- |" + " ---: |" * len(SHOWN))
    for (_, *key), found in _of(shares, "curve"):
        means = " | ".join(f"{100 * mean:.1f}" for mean in found.mean(axis=0))
        lines.append(f"| {' | '.join(map(str, key))} | {means} |")
    return "\n".join(lines)


def _of(shares: dict[tuple[object, ...], list[Array]], what: str) -> list[tuple[tuple[object, ...], Array]]:
    order = {design: i for i, design in enumerate(PARTS)}
    shown = METRICS if what == "own score" else PAIR
    found = [(key, np.stack(rows)) for key, rows in shares.items() if key[0] == what and key[4] in shown]
    return sorted(found, key=lambda one: (order[str(one[0][1])], *map(str, one[0][2:])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=("simulate", "test"))
    parser.add_argument("--folder", type=Path, default=Path("one-run-scores"))
    parser.add_argument("--n-datasets", type=int, default=1000)
    parser.add_argument("--samples", type=int, nargs="*", default=SIZES)
    parser.add_argument("--table", type=Path, default=Path("docs/data/calibration_study.csv.gz"))
    parser.add_argument("--summary", type=Path, default=Path("skcompare/inference/measured_sizes.csv"))
    options = parser.parse_args()
    if options.part == "simulate":
        simulate(options.folder, tuple(options.samples), options.n_datasets)
    else:
        test(options.folder, options.table, options.summary, tuple(options.samples))


if __name__ == "__main__":
    main()
