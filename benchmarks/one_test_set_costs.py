"""What comparisons on one test set and on items cost: processor time and peak memory.

Run from a checkout: ``OMP_NUM_THREADS=1 python -m benchmarks.one_test_set_costs``, also with the names of some rows.
Every row is a process of its own; imports and what makes the data are not part of its time, but of its memory.
"""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date

_MADE = """
import sys, warnings
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory
from time import process_time
import numpy as np
import skcompare as skc
from skcompare import inference
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
def predicted(n, k):
    y = rng.integers(2, size=n)
    found = {f"m{i}": 1 / (1 + np.exp(-((2 * y - 1) * (.5 + .05 * i) + rng.normal(size=n)))) for i in range(k)}
    return y, found
def outcomes(n, k):
    return {f"x{j}": {f"m{i}": rng.normal(size=n) + .001 * i for i in range(k)} for j in range(5)}
def labels(n):
    return (rng.integers(3, size=n) for _ in range(3))
def table(n):
    import pandas as pd
    y, found = predicted(n, 2)
    about = {"hospital": rng.integers(9, size=n), "age": rng.integers(20, 90, n), "length": rng.integers(999, size=n)}
    about |= {"sex": np.where(rng.random(n) < .5, "f", "m"), "site": np.where(rng.random(n) < .3, "north", "south")}
    known = {"sample_id": np.arange(n), "y_true": y, **about}
    frames = [pd.DataFrame({**known, "model": m, "prediction": (p > .5) * 1, "probability": p.round(6)})
              for m, p in found.items()]
    return pd.concat(frames, ignore_index=True)
path = TemporaryDirectory()
file = str(Path(path.name) / "predictions.csv")
FIVE = ["accuracy", "f1", "precision", "recall", "roc_auc"]
skc.from_predictions(*predicted(99, 3), scoring=FIVE).summary()
skc.from_outcomes(outcomes(99, 3)).summary()
inference.paired_metric_test(*labels(99), "f1_macro").confidence_interval()
"""
_TIMED = """
start = process_time()
{call}
print(process_time() - start, getrusage(RUSAGE_SELF).ru_maxrss / 2**20)
"""
_RESULT = "r = skc.from_predictions(*predicted({}), scoring={})"
_SCORED = "y, a, b = labels(10_000)"
_CLUSTERS = f"{_SCORED}; c = rng.integers(1000, size=10_000)"
_MCC = "y, a, b = labels(10_000); r = skc.from_predictions(y, {'a': a, 'b': b}, scoring='matthews_corrcoef')"
_TABLE = "import pandas as pd; frame = table(500_000)"
_WRITTEN = f"{_TABLE}; frame.to_csv(file, index=False); from skcompare.cli.main import main"
# By name: what it is, what is made beforehand, and what is measured.
ROWS = {
    "outcomes": ("10 models x 1e6 items x 5 metrics", "made = outcomes(10**6, 10)", "r = skc.from_outcomes(made)"),
    "summary": (
        "the same, all 45 pairs: `summary()`",
        "r = skc.from_outcomes(outcomes(10**6, 10))",
        "r.summary()",
    ),
    "intervals": ("the same: `intervals()`", "r = skc.from_outcomes(outcomes(10**6, 10))", "r.intervals()"),
    "predictions": (
        "10 models x 1e6 samples, accuracy, F1, precision, recall, ROC AUC: `from_predictions`",
        "made = predicted(10**6, 10)",
        "skc.from_predictions(*made, scoring=FIVE)",
    ),
    "summary of predictions": (
        "the same, all 45 pairs: `summary()`",
        _RESULT.format("10**6, 10", "FIVE"),
        "r.summary()",
    ),
    "intervals of predictions": ("the same: `intervals()`", _RESULT.format("10**6, 10", "FIVE"), "r.intervals()"),
    "mcnemar": (
        '50 models x 1e4 samples: `compare("mcnemar_test")`',
        _RESULT.format("10_000, 50", "'accuracy'"),
        "r.compare('mcnemar_test')",
    ),
    "summary of 50": ("the same: `summary()`", _RESULT.format("10_000, 50", "'accuracy'"), "r.summary()"),
    "f1": (
        "2 models x 1e4 samples, F1 macro: 10,000 exchanges and bootstrap samples",
        _SCORED,
        "inference.paired_metric_test(y, a, b, 'f1_macro', n_resamples=10_000).confidence_interval()",
    ),
    "f1 in clusters": (
        "the same in 1,000 clusters",
        _CLUSTERS,
        "inference.paired_metric_test(y, a, b, 'f1_macro', clusters=c).confidence_interval()",
    ),
    "mcc": ("2 models x 1e4 samples, scikit-learn's `matthews_corrcoef`: `compare()`", _MCC, "r.compare()"),
    "read_csv": ("1e6 rows x 10 columns: `pandas.read_csv`", _WRITTEN, "pd.read_csv(file)"),
    "frame": (
        "the same: `from_predictions(frame)`",
        _TABLE,
        "skc.from_predictions(frame, scoring=['accuracy', 'roc_auc'])",
    ),
    "analyze": (
        "the same: `skcompare analyze predictions.csv --metric accuracy`",
        _WRITTEN,
        "main(['analyze', file, '--metric', 'accuracy'], standalone_mode=False)",
    ),
}


def main(names: list[str]) -> None:
    """Print the table."""
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    print(f"{date.today()}, {os.cpu_count()} cores, load {load}\n")
    print("| what | s of processor time | peak, GiB |\n| --- | ---: | ---: |")
    for name in names or ROWS:
        what, made, call = ROWS[name]
        program = f"{_MADE}\n{made}\n{_TIMED.format(call=call)}"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        seconds, peak = map(float, done.stdout.split()[-2:])
        print(f"| {what} | {seconds:.2f} | {peak:.2f} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
