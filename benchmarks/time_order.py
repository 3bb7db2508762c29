"""How often tests reject a true null in time order: on losses of given models, and on forecasts of fitted ones.

Run from a checkout: ``python -m benchmarks.time_order PART``, where the part is ``losses``, ``forecasts``; without one
it is ``losses``.
"""

from __future__ import annotations

import itertools
import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import date

import numpy as np
from scipy.signal import lfilter

from benchmarks import DATA, error_at_5, line, options, rejected, run_part, sizes_over, write_rows
from benchmarks import fast_learners as fast
from benchmarks import rare_classes as rare
from benchmarks.calibration import corrected
from benchmarks.fast_learners import Array
from skcompare.inference import diebold_mariano_test

# ---- losses -----------------------------------------------------------------------------------------------------


CORRELATIONS, TIMES, HORIZONS = (0.0, 0.3, 0.7, 0.8, 0.9, 0.95), (50, 200, 1000), (None, 1, 5)
FOLDS, TEST_FRACTION = 5, 0.25  # each test set is a quarter of the mean split
CHUNK = 2_000
TABLE = DATA / "measured_in_time.csv"
# Period, times and the correlation from each period to the next of losses that recur.
RECURRING = ((12, 120, 0.5), (12, 120, 0.7), (12, 240, 0.7), (7, 365, 0.5), (7, 365, 0.7), (24, 480, 0.7))


def series(rng: np.random.Generator, n_series: int, n: int, rho: float, period: int = 1) -> np.ndarray:
    """Stationary series with variance 1, one per row; each value follows that of one period before."""
    shocks = rng.normal(size=(n_series, n)) * (1 - rho**2) ** 0.5
    shocks[:, :period] /= (1 - rho**2) ** 0.5
    return np.asarray(lfilter([1.0], [1.0, *[0.0] * (period - 1), -rho], shocks, axis=1))


def diebold_mariano(d: np.ndarray, horizon: int | None = None, added: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """The p-values of all rows, and whether each has the warning TIME_ORDER."""
    nothing = np.zeros(d.shape[1])
    found = [diebold_mariano_test(nothing, one, horizon=horizon, training_variance=added) for one in d]
    warned = [any(warning.code == "TIME_ORDER" for warning in record.warnings) for record in found]
    return np.array([record.pvalue for record in found]), np.array(warned)


def rejected_and_silent(d: np.ndarray, horizon: int | None) -> tuple[int, int]:
    """How many rows are rejected at 5%, and how many of these without the warning."""
    p, warned = diebold_mariano(d, horizon)
    return int((p < 0.05).sum()), int(((p < 0.05) & ~warned).sum())


def corrected_t(d: np.ndarray) -> np.ndarray:
    """The p-values of the test on the means of the test sets."""
    return corrected(d.reshape(len(d), FOLDS, -1).mean(axis=2), TEST_FRACTION)


def chunks(i: int, n_series: int, n: int, rho: float, period: int = 1) -> Iterator[np.ndarray]:
    """So many series, in parts."""
    for chunk in range(0, n_series, CHUNK):
        yield series(np.random.default_rng([i, n, chunk]), min(CHUNK, n_series - chunk), n, rho, period)


def means_of(d: np.ndarray, period: int) -> np.ndarray:
    """Of the whole periods of all rows."""
    return d[:, d.shape[1] % period :].reshape(len(d), -1, period).mean(axis=2)


def lines_of_recurring(n_series: int) -> Iterator[str]:
    """The table of losses that recur after a period."""
    names = ("single times", "of these without a warning", "means of periods", "of these without a warning")
    yield line("period", "times", "correlation of periods", *names, "means of periods, horizon 1")
    yield f"|{' ---: |' * 8}"
    for i, (period, n, rho) in enumerate(RECURRING):
        counts = np.zeros(5)
        for d in chunks(i, n_series, n, rho, period):
            means = means_of(d, period)
            of_means = rejected_and_silent(means, None)
            counts += [*rejected_and_silent(d, None), *of_means, rejected_and_silent(means, 1)[0]]
        yield line(period, n, rho, *(f"{share:.1%}" for share in counts / n_series))


def main_of_losses() -> None:
    """How often tests reject a true null where the losses of neighbouring times are alike.

    Run from a checkout: ``python -m benchmarks.time_order``. The differences of the losses of two models are a
    stationary autoregressive series of the first order with mean 0: equal models. `diebold_mariano_test` reads the
    differences, and `corrected_t_test` their means on the five test sets of TimeSeriesSplit. ``--write`` writes the
    shipped table. A second table is of differences that recur: each follows that of one period before.
    """
    given = options(main_of_losses.__doc__, n_series=20_000, write=False)
    start, rows = time.perf_counter(), []
    of_horizon = (f"{'no horizon' if h is None else f'horizon {h}'} | of these without a warning" for h in HORIZONS)
    print(f"{error_at_5(given.n_series)}\n{line('correlation', 'times', *of_horizon, 'corrected t')}")
    print(f"|{' ---: |' * (3 + 2 * len(HORIZONS))}")
    for (i, rho), n in itertools.product(enumerate(CORRELATIONS), TIMES):
        counts = np.zeros(2 * len(HORIZONS) + 1)
        for d in chunks(i, given.n_series, n, rho):
            of_horizons = itertools.chain(*(rejected_and_silent(d, horizon) for horizon in HORIZONS))
            counts += [*of_horizons, (corrected_t(d) < 0.05).sum()]
        shares = counts / given.n_series
        print(line(rho, f"{n:,}", *(f"{share:.1%}" for share in shares)), flush=True)
        rows += [("diebold_mariano_test", h or "", rho, n, f"{shares[2 * j]:.3f}") for j, h in enumerate(HORIZONS)]
        rows.append(("corrected_t_test", "", rho, n, f"{shares[-1]:.3f}"))
    if given.write:
        write_rows(TABLE, [("procedure", "horizon", "correlation", "n_times", "size"), *sorted(rows, key=str)])
    print("", *lines_of_recurring(given.n_series), f"\n{time.perf_counter() - start:.0f} s", sep="\n")


# ---- forecasts --------------------------------------------------------------------------------------------------


LEARNERS = rare.LEARNERS | {"stump": fast.decision_stump}
SAMPLES, POSITIVES, WINDOWS = {150: 1000, 300: 500}, (0.1, 0.3, 0.5), (5, 10)  # data sets by samples
METRICS = ("accuracy", "precision", "recall", "f1", "balanced_accuracy", "roc_auc")
CORRECTED = METRICS[2:5]
FEWEST = 200
TABLE_OF_FORECASTS = DATA / "measured_forecasts.csv"
COLUMNS = ("n_windows", "n_samples", "positive", "metric", "nulls", "mean", "low", "high", "highest")


def splits(n: int, n_windows: int) -> tuple[Array, Array]:
    """The training sets of TimeSeriesSplit as masks, shape (n_windows, n), and the samples of each test set."""
    size = n // (n_windows + 1)
    tested = n - size * np.arange(n_windows, 0, -1)[:, None] + np.arange(size)
    return np.arange(n) < tested[:, :1], tested


def losses(y: Array, values: Array) -> dict[str, Array]:
    """The score of each test set, spread over its samples, by metric; nan where it is not defined."""
    true, called = y[None] > 0, values > 0
    hits, of_true, of_false = true & called, (true & called, true), (~true & ~called, ~true)
    ratios = {"precision": (hits, called), "recall": of_true, "f1": (2 * hits, true.astype(int) + called)}
    found = {"accuracy": (true == called).astype(float)}
    found |= {metric: _spread(*sums) for metric, sums in ratios.items()}
    found["balanced_accuracy"] = (found["recall"] + _spread(*of_false)) / 2
    above = values[..., :, None] - values[..., None, :]
    above = (above > 0) + (above == 0) / 2
    n_true, n_false = true.sum(axis=-1, keepdims=True), (~true).sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        placed = np.where(
            true, (above * ~true[..., None, :]).sum(-1) / n_false, (above * true[..., None]).sum(-2) / n_true
        )
        area = np.where(true, placed, 0).sum(-1, keepdims=True) / n_true
        found["roc_auc"] = area + y.shape[-1] / np.where(true, n_true, n_false) * (placed - area)
    return found


def _spread(numerator: Array, denominator: Array) -> Array:
    """A ratio of sums over each test set, linearised in them."""
    top, bottom = numerator.mean(axis=-1, keepdims=True), denominator.mean(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return top / bottom + (numerator - top / bottom * denominator) / bottom


def training_variance(n: int, n_windows: int) -> float:
    """What other training sets add to the variance, as a multiple of what other test samples add."""
    train, tested = splits(n, n_windows)
    return float(tested.size * ((train / train.sum(axis=1, keepdims=True)).mean(axis=0) ** 2).sum())


def forecasts_of(n: int, positive: float, n_windows: int, signal: float, seed: int) -> dict[tuple[str, str], Array]:
    """Differences of the losses of two equal models in time order, by metric and learner."""
    rng = rare.seeded(n, positive, signal, seed)
    y, (train, tested) = rare.labels(n, positive, rng), splits(n, n_windows)
    if not 1 < y[train[0]].sum() < train[0].sum() - 1:
        return {}
    rows, found = np.arange(n_windows)[:, None], {}
    for learner, values in rare.decisions(y, train, positive, signal, LEARNERS, seed, rng).items():
        for metric, (a, b) in losses(y[tested], values[:, rows, tested]).items():
            found[metric, learner] = (a - b).reshape(-1)
    return found


def cell(n: int, positive: float, n_windows: int) -> Iterator[tuple[object, ...]]:
    """Rows of `COLUMNS`: over the nulls of a cell, the shares of their data sets that are rejected at 5%."""
    added = training_variance(n, n_windows)
    sizes: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for which, signal in rare.SIGNALS.items():
        found: dict[tuple[str, str], list[Array]] = defaultdict(list)
        for seed in range(SAMPLES[n]):
            for key, d in forecasts_of(n, positive, n_windows, signal, seed).items():
                found[key].append(d)
        for (metric, learner), own in found.items():
            d = np.array(own)
            d = d[np.isfinite(d).all(axis=1)]
            if len(d) >= FEWEST:
                share = rejected(diebold_mariano(d, added=added if metric in CORRECTED else 0.0)[0])
                sizes[metric].append((share, f"{learner} ({which})"))
    for metric, own in sizes.items():
        yield n_windows, n, positive, metric, *sizes_over(own)


def main_of_forecasts() -> None:
    """How often the default calls two equal algorithms different on splits in time order.

    Run from a checkout: ``python -m benchmarks.time_order forecasts`` draws the data sets, fits the models on training
    sets that grow, tests their forecasts and prints the table; ``--write`` writes the shipped one (needs numba).

    The models are equal by construction, as in `benchmarks.calibration`: the same learner on two blocks of five
    features that are drawn alike, one block per model. Samples are independent, and the positives are exactly 10, 30 or
    50% of them. "logistic regression, lowered threshold" predicts the positive class where it is more probable than its
    share. Sizes are shares of the data sets on which both models have a score on every test set; without 200 of them a
    null is left out.
    """
    given = options(main_of_forecasts.__doc__, write=False)
    start = time.perf_counter()
    rows = [row for k in WINDOWS for n in SAMPLES for positive in POSITIVES for row in cell(n, positive, k)]
    if given.write:
        write_rows(TABLE_OF_FORECASTS, [COLUMNS, *rows])
    print(f"{date.today()}, {time.perf_counter() - start:.0f} s\n\n{rare.page(rows, 'test sets', 0)}")


if __name__ == "__main__":
    run_part(main_of_losses, main_of_forecasts)
