"""The experiments of three papers on fold tests, simulated again: Dietterich, Bouckaert (and Frank), Nadeau and Bengio.

``python -m benchmarks.papers simulate`` runs this: parts of a study are files, and what is there is not made again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from benchmarks import DATA, joined, keep, stacked, write_rows
from benchmarks.calibration import fold_pvalues, t_pvalues
from benchmarks.fast_learners import Array, decision_tree, k_fold, least_squares, splits
from skcompare import HalvesSplit
from skcompare.calibration import RandomData
from skcompare.calibration._size import agreement
from skcompare.inference import calibrate, conservative_z_interval, mcnemar_test
from skcompare.inference.fold_scores.t_tests import sample

TABLE = DATA / "papers_simulated.csv"
COLUMNS = ("study", "setting", "design", "procedure", "quantity", "n_datasets", "value", "error")
Row = tuple[str, str, str, str, str, int, float, float]
Arrays = dict[str, Array]
LEVEL = 0.05


# ---- Dietterich (1998): learners that only err --------------------------------------------------------------------

EPSILONS = (0.1, 0.2, 0.3, 0.4)
N, N_TEST = 300, 100


def errors(hard: Array, epsilon: Array | float, rng: np.random.Generator) -> tuple[Array, Array]:
    """Whether A and B err: A on 3/2 epsilon of the points that are hard for it and 1/2 of the others, B vice versa."""
    rate = np.where(hard, 1.5, 0.5) * epsilon
    return rng.random(hard.shape) < rate, rng.random(hard.shape) < 2 * epsilon - rate


def simulated_learners(epsilon: float, keep: bool, n_datasets: int, rng: np.random.Generator) -> Arrays:
    """What the five tests see; with `keep` a learner errs on the same points in every split, else it errs anew."""
    hard = rng.random((n_datasets, N)) < 0.5
    fixed = errors(hard, epsilon, rng)

    def tested(n_splits: int, beta: Array | float = 0.0) -> tuple[Array, Array]:
        order = rng.random((n_datasets, n_splits, N)).argsort(axis=2)
        of_split = [np.take_along_axis(np.broadcast_to(x[:, None], order.shape), order, 2) for x in (hard, *fixed)]
        return (of_split[1], of_split[2]) if keep else errors(of_split[0], epsilon + beta, rng)

    def apart(drawn: tuple[Array, Array], n_folds: int) -> Array:
        d = drawn[0].astype(float) - drawn[1]
        return np.asarray(d.reshape(n_datasets, -1, n_folds, N // n_folds).mean(axis=3).reshape(n_datasets, -1))

    a, b = (x[:, 0, :N_TEST] for x in tested(1))
    beta = np.repeat(rng.uniform(-0.02, 0.02, (n_datasets, 1, 10)), N // 10, axis=2)
    return {
        "holdout": np.stack([(a & ~b).sum(axis=1), (b & ~a).sum(axis=1), a.sum(axis=1), b.sum(axis=1)]).T,
        "30 resamples": np.stack([apart(tested(1), 3)[:, 0] for _ in range(30)]).T,
        "10-fold": apart(tested(1, beta), 10),
        "5x2": apart(tested(5), 2),
    }


@lru_cache(maxsize=2**14)
def mcnemar(b: int, c: int) -> float:
    a_right = np.repeat([True, False], [b, c])
    return mcnemar_test(a_right, ~a_right, method="chi2_corrected").pvalue if b + c else 1.0


def two_proportions(wrong_a: Array, wrong_b: Array) -> Array:
    """Whether the difference of two error rates is above 1.96 standard errors of independent samples."""
    p = (wrong_a + wrong_b) / (2 * N_TEST)
    return np.asarray(np.abs(wrong_a - wrong_b) / N_TEST > 1.96 * np.sqrt(2 * p * (1 - p) / N_TEST))


def dietterich(setting: str, found: Arrays) -> Iterator[Row]:
    b, c, wrong_a, wrong_b = found["holdout"].T
    rejected = {
        ("holdout", "mcnemar_test, corrected"): np.array([mcnemar(*pair) < LEVEL for pair in zip(b, c, strict=True)]),
        ("holdout", "difference of two proportions"): two_proportions(wrong_a, wrong_b),
    }
    kept = {
        "30 resamples": ("paired_t_test", "corrected_t_test"),
        "10-fold": ("paired_t_test", "k_fold_t_test"),
        "5x2": ("five_by_two_t_test", "five_by_two_f_test"),
    }
    for design, names in kept.items():
        pvalues = fold_pvalues(found[design], design)
        rejected |= {(design, name): pvalues[name] < LEVEL for name in names}
    yield from (shared("Dietterich 1998", setting, *key, verdicts) for key, verdicts in rejected.items())


def shared(study: str, setting: str, design: str, procedure: str, verdicts: Array) -> Row:
    share, n = float(verdicts.mean()), len(verdicts)
    return study, setting, design, procedure, "rejected at 5%", n, share, _binomial(share, n)


# ---- Bouckaert (2003), Bouckaert and Frank (2004): naive Bayes and a tree on coins ---------------------------------

DESIGNS = ("10x10", "5x2", "30 resamples")
REPEATS = 10


def bernoulli_bayes(X: Array, y: Array, train: Array) -> Array:
    """Whether class 1 is predicted, shape (n_splits, n): ``BernoulliNB()``."""
    odds: Array | float = 0.0
    for label, sign in ((1, 1), (0, -1)):
        members = (train & (y == label)).astype(float)
        count = members.sum(axis=1, keepdims=True)
        p = (members @ X + 1) / (count + 2)
        odds = odds + sign * (np.log(count) + np.log(p) @ X.T + np.log(1 - p) @ (1 - X).T)
    return np.asarray(odds > 0)


def coins(better: bool, n_repeats: int, seed: int) -> Arrays:
    """Differences of the accuracies of naive Bayes and a tree by design, (n_repeats, n_splits)."""
    rng = np.random.default_rng((seed, better))
    X, y = RandomData().draw(rng)
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    if better:
        y = (rng.random(len(y)) < 1 / (1 + np.exp(-0.55 * (2 * X[:, :5] - 1).sum(axis=1)))).astype(np.int64)
    found: dict[str, list[Array]] = {design: [] for design in DESIGNS}
    for _ in range(n_repeats):
        tests = {design: splits(y, design, rng) for design in DESIGNS}
        every = np.concatenate(list(tests.values()))
        answers = bernoulli_bayes(X, y, ~every), decision_tree(X, y, ~every, seed) > 0
        right = [predicted == (y == 1) for predicted in answers]
        d = ((right[0].astype(float) - right[1]) * every).sum(axis=1) / every.sum(axis=1)
        for design, own in zip(tests, np.split(d, np.cumsum([len(test) for test in tests.values()])[:-1]), strict=True):
            found[design].append(own)
    return {design: np.array(values) for design, values in found.items()}


def many(one: Callable[[int], Arrays], n_datasets: int, rng: np.random.Generator) -> Arrays:
    """So many data sets, each with a seed of its own."""
    return stacked(one(int(rng.integers(2**31))) for _ in range(n_datasets))


def bouckaert_pvalues(d: Array, design: str) -> dict[str, Array]:
    """By test, of differences (n_datasets, n_splits)."""
    found = fold_pvalues(d, design)
    if design == "10x10":
        for scheme in ("folds", "runs", "sorted_runs"):
            x = sample(d.reshape(-1, 10, 10), scheme)
            found[f"calibrated_t_test, {scheme}, 9 df"] = t_pvalues(x, x.shape[1] ** -0.5, x.shape[1] - 1)
        found["calibrated_t_test, sorted_runs, 10 df"] = found.pop("calibrated_t_test, sorted runs")
        found["calibrated_t_test, all, 10 df"] = found.pop("calibrated_t_test")
    return {name: p for name, p in found.items() if name not in ("permutation_test", "blocked_m_by_two_test")}


def designs_of(found: Arrays) -> Iterator[tuple[str, Array]]:
    yield from found.items()
    yield "10-fold", found["10x10"][:, :, :10]


def bouckaert(setting: str, found: Arrays) -> Iterator[Row]:
    study = "Bouckaert 2003"
    for design, d in designs_of(found):
        for name, p in bouckaert_pvalues(d[:, 0], design).items():
            yield shared(study, setting, design, name, p < LEVEL)
    runs = found["10x10"][:, 0].reshape(-1, 10, 10)
    for scheme in ("all", "folds", "runs", "sorted_runs"):
        for alpha in (0.01, 0.05, 0.1):
            df = calibrate(runs, scheme=scheme, alpha=alpha)
            half = (df.df_interval.high - df.df_interval.low) / 4
            yield study, setting, "10x10", f"calibrated_t_test, {scheme}", f"df at {alpha:.0%}", len(runs), df.df, half


def bouckaert_frank(setting: str, found: Arrays) -> Iterator[Row]:
    study = "Bouckaert and Frank 2004"
    means = found["10x10"].mean(axis=(1, 2))
    error = float(means.std(ddof=1) / len(means) ** 0.5)
    yield study, setting, "10x10", "naive Bayes - tree", "difference", len(means), float(means.mean()), error
    for design, d in designs_of(found):
        n, repeats, _ = d.shape
        by_test = bouckaert_pvalues(d.reshape(n * repeats, -1), design)
        for name, p in by_test.items():
            own = agreement(name, "accuracy", p.reshape(n, repeats), LEVEL, 0.95)
            error = (own.high - own.low) / 4
            yield study, setting, design, name, "rejected at 5%", n, own.rejected, _spread(p.reshape(n, repeats))
            yield study, setting, design, name, "replicability", n, own.replicability, error
            yield study, setting, design, name, "consistency", n, own.consistency, _binomial(own.consistency, n)


def _spread(p: Array) -> float:
    """Standard error of the share of rejections, whose repeats on one data set are not independent."""
    return float((p < LEVEL).mean(axis=1).std(ddof=1) / len(p) ** 0.5)


def _binomial(share: float, n: int) -> float:
    return float((share * (1 - share) / n) ** 0.5)


# ---- Nadeau and Bengio (2003): a tree and a linear rule on two normal classes ---------------------------------------

SPREADS = {"2 classes, n = 200, variance 1/2": 0.5, "2 classes, n = 200, variance 1/6": 1 / 6}
N_CLASS, J, M = 100, 15, 10
QUANTITIES = ("error of the linear rule", "error of the tree", "difference")


def linear_rule(X: Array, y: Array, train: Array) -> Array:
    """Whether class 1 is predicted by least squares on -1 and 1, shape (n_splits, n)."""
    return least_squares(X, 2 * y - 1, train, 0) > 0


def normals(variance: float, seed: int) -> Arrays:
    """The three quantities by design, (n_splits, 3); class 0 is N(0, I), class 1 N((1, 1), variance I)."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([0, 1], N_CLASS))
    X = rng.normal(size=(len(y), 2)) * np.where(y == 1, variance**0.5, 1.0)[:, None] + y[:, None]
    n, folds = len(y), HalvesSplit(M, J, test_size=0.1, random_state=seed)
    pairs = [(~test, test) for design in ("10-fold", "5x2") for test in splits(y, design, rng)]
    pairs += [(~test, test) for test in (k_fold(y, 10, rng)[0] for _ in range(J))]
    pairs += [(np.isin(np.arange(n), own), np.isin(np.arange(n), test)) for own, test in folds.split(X, y)]
    train, tests = (np.array(masks) for masks in zip(*pairs, strict=True))
    wrong = [predicted != (y == 1) for predicted in (linear_rule(X, y, train), decision_tree(X, y, train, seed) > 0)]
    of_linear, of_tree = ((own * tests).sum(axis=1) / tests.sum(axis=1) for own in wrong)
    every = np.stack([of_linear, of_tree, of_linear - of_tree], axis=1)
    parts = np.split(every, np.cumsum([10, 10, J]))
    return dict(zip(("10-fold", "5x2", f"{J} splits", "halves"), parts, strict=True))


def nadeau_bengio(setting: str, found: Arrays) -> Iterator[Row]:
    """Sizes: the null is the mean over the data sets, which is true for the training size of the design."""
    own = f"{J} splits"
    for column, quantity in enumerate(QUANTITIES):
        d = {design: values[:, :, column] - values[:, :, column].mean() for design, values in found.items()}
        factor = (1 / J + 1 / 9) ** 0.5
        pvalues = {
            (own, "paired_t_test"): t_pvalues(d[own], J**-0.5, J - 1),
            (own, "corrected_t_test"): t_pvalues(d[own], factor, J - 1),
            (own, "conservative_z_interval"): np.array(
                [
                    conservative_z_interval(scores, halves.reshape(M, 2, J)).pvalue
                    for scores, halves in zip(d[own], d["halves"], strict=True)
                ]
            ),
            **{("10-fold", name): p for name, p in fold_pvalues(d["10-fold"], "10-fold").items()},
            **{("5x2", name): p for name, p in fold_pvalues(d["5x2"], "5x2").items()},
        }
        dropped = ("permutation_test", "blocked_m_by_two_test")
        for (design, name), p in pvalues.items():
            if name not in dropped and (design, name) not in {("5x2", "paired_t_test"), ("5x2", "corrected_t_test")}:
                yield shared("Nadeau and Bengio 2003", f"{setting}, {quantity}", design, name, p < LEVEL)


# ---- in parts ----------------------------------------------------------------------------------------------------

Draw = Callable[[int, np.random.Generator], Arrays]
Read = Callable[[str, Arrays], Iterator[Row]]


def studies() -> Iterator[tuple[str, int, int, Draw, Read]]:
    """(setting, data sets, data sets of a part, what draws them, what makes rows of them)."""
    for kept in (False, True):
        for epsilon in EPSILONS:
            name = f"epsilon = {epsilon}, errors {'kept' if kept else 'anew'}"
            yield name, 10000, 500, partial(simulated_learners, epsilon, kept), dietterich
    for name, variance in SPREADS.items():
        yield name, 1000, 100, partial(many, partial(normals, variance)), nadeau_bengio
    yield "equal models", 4000, 500, partial(many, partial(coins, False, 1)), bouckaert
    for better, name in ((False, "equal models, 10 repeats"), (True, "naive Bayes better, 10 repeats")):
        yield name, 400, 50, partial(many, partial(coins, better, REPEATS)), bouckaert_frank


def simulate(folder: Path, table: Path = TABLE) -> None:
    """Make the parts that are not there, and the table of all."""
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    for place, (setting, n_datasets, n_part, draw, read) in enumerate(studies()):
        paths = [folder / f"{place}, {start}.npz" for start in range(0, n_datasets, n_part)]
        for start, path in zip(range(0, n_datasets, n_part), paths, strict=True):
            keep(path, lambda draw=draw, n=n_part, seed=(2026, place, start): draw(n, np.random.default_rng(seed)))
        rows += read(setting, joined(paths))
        print(setting, flush=True)
    write_rows(table, [COLUMNS, *((*row[:6], f"{row[6]:.4f}", f"{row[7]:.4f}") for row in rows)])
