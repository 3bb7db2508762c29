"""How often tests reject a true null where the losses of neighbouring times are alike.

Run from a checkout: ``python -m benchmarks.time_order``. The differences of the losses of two models are a stationary
autoregressive series of the first order with mean 0: equal models. `diebold_mariano_test` reads the differences, and
`corrected_t_test` their means on the five test sets of TimeSeriesSplit. ``--write`` writes the shipped table.
``--forecasts N`` fits two equal models on N simulated data sets instead, on training sets that grow.
"""

from __future__ import annotations

import argparse
import csv
import time
from datetime import date
from operator import itemgetter
from pathlib import Path

import numpy as np
from scipy import special
from scipy.signal import lfilter
from sklearn.model_selection import TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import skcompare
from skcompare import PairedEvaluator
from skcompare.inference import corrected_t_test, diebold_mariano_test
from skcompare.inference._measured import in_time

CORRELATIONS, TIMES, HORIZONS = (0.0, 0.3, 0.7, 0.95), (50, 200, 1000), (None, 1, 5)
FOLDS, TEST_FRACTION = 5, 0.25  # each test set is a quarter of the mean split
CHUNK = 2_000
TABLE = Path(skcompare.__file__).parent / "inference" / "measured_in_time.csv"


def series(rng: np.random.Generator, n_series: int, n: int, rho: float) -> np.ndarray:
    """Stationary series with variance 1, one per row."""
    shocks = rng.normal(size=(n_series, n)) * (1 - rho**2) ** 0.5
    shocks[:, 0] /= (1 - rho**2) ** 0.5
    return np.asarray(lfilter([1.0], [1.0, -rho], shocks, axis=1))


def diebold_mariano(d: np.ndarray, horizon: int | None) -> tuple[np.ndarray, np.ndarray]:
    """The p-values of all rows at once, and whether each has the warning AUTOCORRELATED."""
    n = d.shape[1]
    mean = d.mean(axis=1)
    e = d - mean[:, None]
    if horizon is None:
        n_cosines = round(0.4 * n ** (2 / 3))
        at = np.pi * np.arange(1, n_cosines + 1) * (np.arange(n)[:, None] + 0.5) / n
        variance = ((e @ np.cos(at)) ** 2).mean(axis=1) * 2 / n
        neighbours = (e[:, 1:] * e[:, :-1]).sum(axis=1) / (e**2).sum(axis=1)
        warned = [r * n**0.5 > 2 and in_time("diebold_mariano_test", None, r, n).size >= 0.07 for r in neighbours]
        return 2 * special.stdtr(n_cosines, -np.abs(mean / (variance / n) ** 0.5)), np.array(warned)
    gamma = np.array([(e[:, k:] * e[:, : n - k]).sum(axis=1) / n for k in range(horizon + 1)])
    variance = gamma[0] + 2 * gamma[1:horizon].sum(axis=0)
    bartlett = gamma[0] + 2 * (1 - np.arange(1, horizon) / horizon) @ gamma[1:horizon]
    variance = np.where(variance > 1e-9 * gamma[0], variance, bartlett)
    t = mean / (variance / n) ** 0.5 * ((n - horizon) * (n - horizon + 1) / n**2) ** 0.5
    return 2 * special.stdtr(n - 1, -np.abs(t)), gamma[horizon] / gamma[0] * n**0.5 > 2


def corrected_t(d: np.ndarray) -> np.ndarray:
    """The p-values of the test on the means of the test sets."""
    folds = d.reshape(len(d), FOLDS, -1).mean(axis=2)
    scale = folds.std(axis=1, ddof=1) * (1 / FOLDS + TEST_FRACTION / (1 - TEST_FRACTION)) ** 0.5
    return 2 * special.stdtr(FOLDS - 1, -np.abs(folds.mean(axis=1) / scale))


def check(d: np.ndarray) -> None:
    """Raise AssertionError unless the first rows have the p-values of the package."""
    nothing = np.zeros(d.shape[1])
    for horizon in HORIZONS:
        found, warned = diebold_mariano(d[:5], horizon)
        for one, p, said in zip(d, found, warned, strict=False):
            record = diebold_mariano_test(nothing, one, horizon=horizon)
            assert np.isclose(record.pvalue, p, rtol=1e-9)
            assert any(w.code == "AUTOCORRELATED" for w in record.warnings) == said
    for one, p in zip(d, corrected_t(d[:5]), strict=False):
        folds = one.reshape(FOLDS, -1).mean(axis=1)
        assert np.isclose(corrected_t_test(folds, np.zeros(FOLDS), test_fraction=TEST_FRACTION).pvalue, p, rtol=1e-9)


def forecasts(n_datasets: int) -> None:
    """How often `compare` calls naive Bayes on two blocks of features that are drawn alike different, by metric."""
    rejected: dict[str, list[bool]] = {}
    models = {
        name: make_pipeline(FunctionTransformer(itemgetter((slice(None), columns))), GaussianNB())
        for name, columns in (("a", slice(2)), ("b", slice(2, 4)))
    }
    evaluator = PairedEvaluator(cv=TimeSeriesSplit(5), check_data=False)
    for seed in range(n_datasets):
        rng = np.random.default_rng(seed)
        y = (rng.random(300) < 0.3).astype(int)
        result = evaluator.evaluate(models, rng.normal(size=(300, 4)) + 0.6 * y[:, None], y)
        for row in result.compare():
            rejected.setdefault(row.metric, []).append(row.pvalue < 0.05)
    print(", ".join(f"{metric} {np.mean(one):.1%}" for metric, one in rejected.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n-series", type=int, default=20_000)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--forecasts", type=int, default=0)
    options = parser.parse_args()
    if options.forecasts:
        forecasts(options.forecasts)
        return
    start, rows = time.perf_counter(), []
    error = (0.05 * 0.95 / options.n_series) ** 0.5
    print(f"{date.today()}; {options.n_series:,} series per row, standard error at 5%: {error:.2%}\n")
    of_horizon = [f"{'no horizon' if h is None else f'horizon {h}'} | of these without a warning" for h in HORIZONS]
    print(f"| correlation | times | {' | '.join(of_horizon)} | corrected t |\n|{' ---: |' * (3 + 2 * len(HORIZONS))}")
    for i, rho in enumerate(CORRELATIONS):
        for n in TIMES:
            counts = np.zeros((2 * len(HORIZONS) + 1,))
            for chunk in range(0, options.n_series, CHUNK):
                rng = np.random.default_rng([i, n, chunk])
                d = series(rng, min(CHUNK, options.n_series - chunk), n, rho)
                if chunk == 0 and TABLE.exists():
                    check(d)
                for h, horizon in enumerate(HORIZONS):
                    p, warned = diebold_mariano(d, horizon)
                    counts[2 * h : 2 * h + 2] += (p < 0.05).sum(), ((p < 0.05) & ~warned).sum()
                counts[-1] += (corrected_t(d) < 0.05).sum()
            shares = counts / options.n_series
            print(f"| {rho} | {n:,} | {' | '.join(f'{share:.1%}' for share in shares)} |", flush=True)
            rows += [("diebold_mariano_test", h or "", rho, n, f"{shares[2 * j]:.3f}") for j, h in enumerate(HORIZONS)]
            rows.append(("corrected_t_test", "", rho, n, f"{shares[-1]:.3f}"))
    if options.write:
        with TABLE.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(("procedure", "horizon", "correlation", "n_times", "size"))
            writer.writerows(sorted(rows, key=str))
    print(f"\n{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
