"""What the procedures cost and give beside other packages, on one result, over data sets and over metrics.

Run from a checkout: ``python -m benchmarks.inference PART``, where the part is ``calls``, ``studies``, ``dominance``,
``peers``; without one it is ``calls``.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import warnings
from collections.abc import Callable, Iterator
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from benchmarks import machine, run_part
from skcompare import PairedEvaluator, inference
from skcompare.inference import (
    adjust_pairs,
    aligned_ranks_posthoc_test,
    cochran_q_test,
    conover_test,
    control_test,
    delong_test,
    dominance_counts,
    dominance_network,
    dominance_posterior,
    dunn_test,
    friedman_test,
    hierarchical_posterior,
    mcnemar_test,
    nemenyi_test,
    paired_bootstrap,
    pairwise_posterior,
    pairwise_signed_rank_test,
    permutation_test,
    plackett_luce_posterior,
    quade_posthoc_test,
    quade_test,
    sign_test,
    signed_rank_posterior,
    signed_rank_test,
    tukey_test,
)

# ---- calls ------------------------------------------------------------------------------------------------------


try:
    from mlxtend.evaluate import cochrans_q, mcnemar, mcnemar_table
    from mlxtend.evaluate import permutation_test as mlxtend_permutation
except ImportError:
    cochrans_q = mcnemar = mcnemar_table = mlxtend_permutation = None

Contender = Callable[[], Any] | None


def measure(ours: Callable[[], Any], peer: Contender, rounds: int) -> tuple[float, float | None]:
    """Median seconds of a call of either, after one unmeasured round."""
    times: dict[str, list[float]] = {"ours": [], "peer": []}
    for round_ in range(rounds + 1):
        for name, run in (("ours", ours), ("peer", peer)):
            if run is not None:
                seconds = per_call(run)
                if round_:
                    times[name].append(seconds)
    return statistics.median(times["ours"]), statistics.median(times["peer"]) if times["peer"] else None


def per_call(run: Callable[[], Any]) -> float:
    """Seconds of one call, from as many as fill 20 ms."""
    n_calls, start = 0, perf_counter()
    while not n_calls or perf_counter() - start < 0.02:
        run()
        n_calls += 1
    return (perf_counter() - start) / n_calls


def permutations() -> list[tuple[str, Callable[[], Any], str, Contender, int]]:
    rng = np.random.default_rng(0)
    rows: list[tuple[str, Callable[[], Any], str, Contender, int]] = []
    for n in (10, 14, 20, 40):
        a, b = rng.normal(0.82, 0.03, n), rng.normal(0.80, 0.03, n)

        def ours(a: Any = a, b: Any = b) -> Any:
            return permutation_test(a, b)

        def exact(a: Any = a, b: Any = b) -> Any:
            return mlxtend_permutation(a, b, paired=True, method="exact")

        def approximate(a: Any = a, b: Any = b) -> Any:
            return mlxtend_permutation(a, b, paired=True, method="approximate", num_rounds=10_000, seed=0)

        if n <= 14:
            rows.append((f"paired permutation, n={n}, exact", ours, "exact", mlxtend_permutation and exact, 5))
        else:
            peer = mlxtend_permutation and approximate
            rows.append((f"paired permutation, n={n}, exact", ours, "10,000 rounds", peer, 3))
    return rows


def outcomes() -> list[tuple[str, Callable[[], Any], str, Contender, int]]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 100_000)
    score_a, score_b = y + rng.normal(0, 1, y.size), y + rng.normal(0, 1.1, y.size)
    truth = rng.integers(0, 2, 10_000)
    pred_a, pred_b = (np.where(rng.random(truth.size) < right, truth, 1 - truth) for right in (0.85, 0.83))
    correct = rng.random((1_000_000, 5)) < 0.8
    few = rng.random((10_000, 5)) < 0.8
    labels, predicted = np.ones(len(few), dtype=int), few.astype(int)

    def peer_q() -> Any:
        return cochrans_q(labels, *predicted.T)

    def peer_mcnemar() -> Any:
        return mcnemar(mcnemar_table(labels, predicted[:, 0], predicted[:, 1]), exact=True)

    return [
        ("DeLong, 1e5 samples", lambda: delong_test(y, score_a, score_b), "", None, 5),
        ("bootstrap of F1, 10,000 resamples of 1e4", lambda: _bootstrap(truth, pred_a, pred_b), "", None, 5),
        ("Cochran Q, 1e6 x 5", lambda: cochran_q_test(correct), "", None, 3),
        ("Cochran Q, 1e4 x 5", lambda: cochran_q_test(few), "chi2", cochrans_q and peer_q, 5),
        (
            "McNemar, 1e4, exact",
            lambda: mcnemar_test(few[:, 0], few[:, 1], method="exact"),
            "exact",
            mcnemar and peer_mcnemar,
            5,
        ),
    ]


def _bootstrap(truth: Any, pred_a: Any, pred_b: Any) -> Any:
    return paired_bootstrap(truth, pred_a, pred_b, "f1", n_resamples=10_000, rng=0).confidence_interval()


def main_of_calls() -> None:
    """Time of the procedures, beside mlxtend where it has the same one.

    Run from a checkout: ``python -m benchmarks.inference``. mlxtend is optional (``pip install mlxtend``); its cells
    stay empty without it. Both run in one process, interleaved; the figures are medians.
    """
    warnings.simplefilter("ignore")
    print(f"{machine()}; medians\n")
    print("| procedure | skcompare | mlxtend | times as long |")
    print("| --- | ---: | ---: | ---: |")
    for name, ours, variant, peer, rounds in [*permutations(), *outcomes()]:
        mine, theirs = measure(ours, peer, rounds)
        cell = "" if theirs is None else f"{1000 * theirs:.3g} ms ({variant})"
        ratio = "" if theirs is None else f"{theirs / mine:,.0f}"
        print(f"| {name} | {1000 * mine:.3g} ms | {cell} | {ratio} |", flush=True)


# ---- studies ----------------------------------------------------------------------------------------------------


try:
    import baycomp
except ImportError:
    baycomp = None

TABLES = Path(__file__).parents[1] / "docs" / "data"
N_NULLS = 2000


def seconds(run: Callable[[], Any], repeats: int = 5) -> float:
    times = []
    for _ in range(repeats):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return float(np.median(times))


def folds_of_54_datasets() -> dict[str, np.ndarray]:
    """Accuracy of each classifier, shape (54, 100)."""
    frame = pd.read_csv(TABLES / "uci54_10x10cv_accuracy.csv.gz")
    return {
        str(name): part.pivot(index="dataset", columns=["repeat", "fold"], values="accuracy").to_numpy()
        for name, part in frame.groupby("classifier")
    }


def print_times() -> None:
    rng = np.random.default_rng(0)
    table = rng.normal(size=(100, 50)) + 0.1 * np.arange(50)
    folds = folds_of_54_datasets()
    nbc, aode = folds["nbc"], folds["aode"]
    demsar = pd.read_csv(TABLES / "demsar_2006_auc.csv").set_index("dataset").to_numpy()
    print("| procedure | data | seconds |")
    print("| --- | --- | ---: |")
    posthocs: dict[str, Callable[[], Any]] = {
        "nemenyi_test": lambda: nemenyi_test(table),
        "conover_test": lambda: conover_test(table),
        "tukey_test": lambda: tukey_test(table),
        "dunn_test": lambda: dunn_test(table),
        "quade_posthoc_test": lambda: quade_posthoc_test(table),
        "aligned_ranks_posthoc_test": lambda: aligned_ranks_posthoc_test(table),
        "pairwise_signed_rank_test": lambda: pairwise_signed_rank_test(table),
        "control_test": lambda: control_test(table, control=0),
    }
    for name, run in posthocs.items():
        print(f"| {name} | 50 models x 100 data sets | {seconds(run):.3f} |")
    nine = rng.uniform(size=(9, 9))
    nine = np.triu(nine, 1) + np.triu(nine, 1).T + np.eye(9)
    print(f"| Bergmann and Hommel | 9 models | {seconds(lambda: adjust_pairs(nine, 'bergmann')):.3f} |")
    exact = seconds(lambda: friedman_test(demsar, method="exact"))
    print(f"| friedman_test, exact | 14 x 4 with ties | {exact:.3f} |")
    hierarchical = seconds(lambda: hierarchical_posterior(aode, nbc, test_fraction=0.1, rope=0.01), 3)
    print(f"| hierarchical_posterior | 54 data sets x 100 folds | {hierarchical:.3f} |")
    pairs = rng.normal(size=(50, 20)) + 0.1 * np.arange(20)
    plackett_luce = seconds(lambda: plackett_luce_posterior(pairs, rng=0), 1)
    print(f"| plackett_luce_posterior | 20 models x 50 data sets | {plackett_luce:.3f} |")
    posteriors = seconds(lambda: pairwise_posterior(table[:, :10], rng=0), 1)
    print(f"| pairwise_posterior | 10 models x 100 data sets | {posteriors:.3f} |")
    a, b = aode.mean(axis=1), nbc.mean(axis=1)
    ours, peer = [], []
    for _ in range(5):
        ours.append(seconds(lambda: signed_rank_posterior(a, b, rope=0.01, rng=0), 1))
        if baycomp is not None:
            peer.append(seconds(lambda: baycomp.SignedRankTest.probs(a, b, 0.01, nsamples=50_000), 1))
    against = f"; baycomp {np.median(peer):.3f}, {np.median(peer) / np.median(ours):.0f} times" if peer else ""
    print(f"| signed_rank_posterior | 54 data sets, 50,000 draws | {np.median(ours):.3f}{against} |")


def print_sizes() -> None:
    """Rejections at 5% of models that are equally good: normal scores with a level per data set."""
    rng = np.random.default_rng(0)
    procedures: dict[str, Callable[[np.ndarray], float]] = {
        "signed_rank_test": lambda t: signed_rank_test(t[:, 0], t[:, 1]).pvalue,
        "sign_test": lambda t: sign_test(t[:, 0], t[:, 1]).pvalue,
        "friedman_test, auto": lambda t: friedman_test(t, method="auto").pvalue,
        "friedman_test": lambda t: friedman_test(t).pvalue,
        "friedman_test, chi2": lambda t: friedman_test(t, statistic="chi2").pvalue,
        "quade_test": lambda t: quade_test(t).pvalue,
        "pairwise_signed_rank_test, any pair": lambda t: pairwise_signed_rank_test(t).pvalues.min(),
        "pairwise_signed_rank_test, Shaffer": lambda t: pairwise_signed_rank_test(
            t, correction="shaffer"
        ).pvalues.min(),
        "nemenyi_test, any pair": lambda t: nemenyi_test(t).pvalues.min(),
        "control_test, any model": lambda t: control_test(t, control=0).pvalues.min(),
    }
    sizes = (6, 10, 30)
    print(f"\n{N_NULLS} simulated tables of 5 models; standard error at .05: {(0.05 * 0.95 / N_NULLS) ** 0.5:.4f}\n")
    print(f"| procedure | {' | '.join(f'{n} data sets' for n in sizes)} |")
    print(f"| --- |{' ---: |' * len(sizes)}")
    tables = {n: rng.normal(size=(N_NULLS, n, 1)) + rng.normal(size=(N_NULLS, n, 5)) for n in sizes}
    for name, run in procedures.items():
        cells = [f"{np.mean([run(table) < 0.05 for table in tables[n]]):.3f}" for n in sizes]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def main_of_studies() -> None:
    """What procedures on many data sets cost, and how often they reject a true null.

    Run from a checkout: ``python -m benchmarks.inference studies`` for the times, with ``--sizes`` for the sizes.
    baycomp is optional; its cell stays empty without it.
    """
    parser = argparse.ArgumentParser(description=main_of_studies.__doc__)
    parser.add_argument("--sizes", action="store_true", help="measure sizes instead of times")
    options = parser.parse_args()
    print(f"{machine()}; medians\n")
    if options.sizes:
        print_sizes()
    else:
        print_times()


# ---- dominance --------------------------------------------------------------------------------------------------


EQUAL_ACCURACY = 1e-3
N_DRAWS = int(0.25 / EQUAL_ACCURACY**2)  # of a share near 1/2


def monte_carlo(alpha: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Shares of Dirichlet draws in which each component is the largest; a Dirichlet vector is gammas over their sum."""
    wins = np.zeros(alpha.size)
    for _ in range(10):
        draws = rng.standard_gamma(alpha, (N_DRAWS // 10, alpha.size))
        wins += np.bincount(draws.argmax(axis=1), minlength=alpha.size)
    return wins / N_DRAWS


def median_time(function: Callable[[], Any], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = perf_counter()
        function()
        times.append(perf_counter() - start)
    return float(np.median(times))


def print_times_of_dominance() -> None:
    rng = np.random.default_rng(0)
    print(f"{date.today()}; medians\n")
    print(f"| metrics | distinct counts | exact, ms | {N_DRAWS:,} draws, ms | times faster | largest difference |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for m in (2, 5, 8, 10):
        counts = np.zeros(2**m)
        filled = min(40, 2**m)
        counts[:filled] = rng.permutation(40)[:filled]
        exact_times, drawn_times = [], []
        for _ in range(2 if m > 5 else 5):
            exact_times.append(median_time(lambda c=counts: dominance_posterior(c), 50))
            drawn_times.append(median_time(lambda c=counts: monte_carlo(c + 1 / c.size, rng), 1))
        exact, drawn = np.median(exact_times), np.median(drawn_times)
        gap = np.abs(dominance_posterior(counts).probabilities - monte_carlo(counts + 1 / counts.size, rng)).max()
        distinct = len(np.unique(counts))
        print(f"| {m} | {distinct} | {exact * 1e3:.2f} | {drawn * 1e3:.0f} | {drawn / exact:.0f} | {gap:.1e} |")
    print("\n| metrics | cases | structure | dominance_network, s |")
    print("| ---: | ---: | --- | ---: |")
    for m in (2, 5, 8):
        a = rng.normal(size=(100, 1)) + rng.normal(size=(100, m))
        for structure in ("search", "average"):
            seconds = median_time(lambda a=a, s=structure: dominance_network(a, 0 * a, structure=s, rng=0), 5)
            print(f"| {m} | 100 | {structure} | {seconds:.3f} |")
    a, b = rng.normal(size=(2, 100_000, 12)).round(1)
    print(f"\ndominance_counts of 100,000 cases, 12 metrics: {median_time(lambda: dominance_counts(a, b), 5):.3f} s")


def print_time_noise() -> None:
    """How far the times of one and the same model differ, as measured and as dominance compares them."""
    X, y = load_breast_cancer(return_X_y=True)
    print("\nNine in ten differences between the times of a model and itself are below:\n")
    print("| model | design | metric | typical time, ms | as measured | medians over repeats |")
    print("| --- | --- | --- | ---: | ---: | ---: |")
    for model in (GaussianNB(), DecisionTreeClassifier(max_depth=3)):
        for cv in (10, "10x10"):
            evaluator = PairedEvaluator(cv=cv, scoring=["fit_time", "predict_time"], random_state=0)
            result = evaluator.evaluate({"one": model, "other": model}, X, y)
            for metric in result.metrics:
                times = np.stack([result.score(name, metric) for name in result.estimators])
                medians = np.median(times.reshape(2, -1, result.design.n_folds), axis=1)
                gaps = [np.quantile(np.abs(np.subtract(*t)) / t.max(axis=0), 0.9) for t in (times, medians)]
                print(
                    f"| {type(model).__name__} | {result.design.name} | {metric} | {np.median(times) * 1e3:.2f} | "
                    f"{gaps[0]:.0%} | {gaps[1]:.0%} |"
                )


def main_of_dominance() -> None:
    """What joint tests of several metrics cost: ``python -m benchmarks.inference dominance``, from a checkout."""
    argparse.ArgumentParser(description=main_of_dominance.__doc__).parse_args()
    print_times_of_dominance()
    print_time_noise()


# ---- peers ------------------------------------------------------------------------------------------------------


Row = tuple[str, str, Callable[[], tuple[float, float]], bool, str]


def data() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.82, 0.03, 12), rng.normal(0.80, 0.03, 12)
    y = rng.integers(0, 2, 400)
    pred_a, pred_b, pred_c = (np.where(rng.random(400) < right, y, 1 - y) for right in (0.85, 0.80, 0.75))
    return {"a": a, "b": b, "y": y, "pred_a": pred_a, "pred_b": pred_b, "pred_c": pred_c}


def scipy_rows(d: dict[str, Any]) -> Iterator[Row]:
    a, b = d["a"], d["b"]
    yield (
        "paired t",
        "scipy ttest_rel",
        lambda: (inference.paired_t_test(a, b).pvalue, stats.ttest_rel(a, b).pvalue),
        True,
        "",
    )

    def mean(x: Any, axis: int) -> Any:
        return np.mean(x, axis=axis)

    yield (
        "paired permutation, exact",
        "scipy permutation_test",
        lambda: (
            inference.permutation_test(a, b).pvalue,
            stats.permutation_test((a - b,), mean, permutation_type="samples", n_resamples=np.inf).pvalue,
        ),
        True,
        "",
    )
    p = np.array([0.001, 0.01, 0.02, 0.3])
    yield (
        "fdr_bh, largest",
        "scipy false_discovery_control",
        lambda: (inference.adjust_pvalues(p, "fdr_bh").max(), stats.false_discovery_control(p).max()),
        True,
        "",
    )


def mlxtend_rows(d: dict[str, Any]) -> Iterator[Row]:
    from mlxtend.evaluate import cochrans_q, mcnemar, mcnemar_table, permutation_test

    y, pred_a, pred_b = d["y"], d["pred_a"], d["pred_b"]
    table = mcnemar_table(y, pred_a, pred_b)
    right_a, right_b, right_c = (d[name] == y for name in ("pred_a", "pred_b", "pred_c"))
    yield (
        "McNemar, exact",
        "mlxtend mcnemar",
        lambda: (inference.mcnemar_test(right_a, right_b, method="exact").pvalue, mcnemar(table, exact=True)[1]),
        True,
        "",
    )
    yield (
        "McNemar, corrected",
        "mlxtend mcnemar",
        lambda: (inference.mcnemar_test(right_a, right_b, method="chi2_corrected").pvalue, mcnemar(table)[1]),
        True,
        "",
    )
    same = mcnemar_table(y, pred_a, pred_a)
    yield (
        "McNemar, identical predictions",
        "mlxtend mcnemar",
        lambda: (inference.mcnemar_test(right_a, right_a).pvalue, mcnemar(same)[1]),
        False,
        "identical models never differ: p = 1; 0/0 is no evidence",
    )
    yield (
        "Cochran Q",
        "mlxtend cochrans_q",
        lambda: (
            inference.cochran_q_test(np.column_stack([right_a, right_b, right_c])).pvalue,
            cochrans_q(y, pred_a, pred_b, d["pred_c"])[1],
        ),
        True,
        "",
    )
    few = d["a"][:9], d["b"][:9]
    yield (
        "paired permutation, exact",
        "mlxtend permutation_test",
        lambda: (
            inference.permutation_test(*few).pvalue,
            permutation_test(*few, paired=True, method="exact"),
        ),
        True,
        "",
    )
    yield (
        "unpaired permutation, exact",
        "mlxtend permutation_test",
        lambda: (
            inference.permutation_test(*few, paired=False).pvalue,
            permutation_test(*few, method="exact"),
        ),
        True,
        "",
    )


def statsmodels_rows(d: dict[str, Any]) -> Iterator[Row]:
    from statsmodels.stats.contingency_tables import cochrans_q, mcnemar
    from statsmodels.stats.multitest import multipletests
    from statsmodels.stats.proportion import proportion_confint

    right_a, right_b, right_c = (d[name] == d["y"] for name in ("pred_a", "pred_b", "pred_c"))
    table = [[np.sum(right_a & right_b), np.sum(right_a & ~right_b)], [np.sum(~right_a & right_b), 0]]
    for method, options in (
        ("exact", {"exact": True}),
        ("chi2", {"exact": False, "correction": False}),
        ("chi2_corrected", {"exact": False, "correction": True}),
    ):
        yield (
            f"McNemar, {method}",
            "statsmodels mcnemar",
            lambda m=method, o=options: (
                inference.mcnemar_test(right_a, right_b, method=m).pvalue,
                mcnemar(table, **o).pvalue,
            ),
            True,
            "",
        )
    columns = np.column_stack([right_a, right_b, right_c])
    yield (
        "Cochran Q",
        "statsmodels cochrans_q",
        lambda: (inference.cochran_q_test(columns).pvalue, cochrans_q(columns.astype(int)).pvalue),
        True,
        "",
    )
    names = {"wilson": "wilson", "clopper_pearson": "beta", "jeffreys": "jeffreys", "agresti_coull": "agresti_coull"}
    for ours, theirs in names.items():
        yield (
            f"proportion interval, {ours}, lower",
            "statsmodels proportion_confint",
            lambda m=ours, t=theirs: (
                inference.proportion_interval(94, 100, method=m).low,
                proportion_confint(94, 100, method=t)[0],
            ),
            True,
            "",
        )
    p = np.array([0.001, 0.012, 0.02, 0.03, 0.3])
    for ours, theirs in (("holm", "holm"), ("hochberg", "simes-hochberg"), ("hommel", "hommel"), ("fdr_by", "fdr_by")):
        yield (
            f"adjusted p-values, {ours}, second",
            "statsmodels multipletests",
            lambda m=ours, t=theirs: (inference.adjust_pvalues(p, m)[1], multipletests(p, method=t)[1][1]),
            True,
            "",
        )


def baycomp_rows(d: dict[str, Any]) -> Iterator[Row]:
    from baycomp import two_on_single

    a, b = d["a"][:10], d["b"][:10]
    yield (
        "correlated t posterior, P(a better)",
        "baycomp two_on_single",
        lambda: (
            inference.correlated_t_posterior(a, b, test_fraction=1 / 10, rope=0.01).right,
            two_on_single(b, a, rope=0.01)[2],
        ),
        True,
        "",
    )


def main_of_peers() -> None:
    """The procedures against peers: equal where they are right, different where they are known to be wrong.

    Run from a checkout: ``python -m benchmarks.inference peers``. Peers are optional: ``pip install mlxtend statsmodels
    baycomp``. Exits with status 1 if anything is not as expected.
    """
    warnings.simplefilter("ignore")
    d = data()
    print("| procedure | peer | skcompare | peer | expected | as expected |")
    print("| --- | --- | ---: | ---: | --- | --- |")
    wrong = 0
    sources = {"scipy": scipy_rows, "mlxtend": mlxtend_rows, "statsmodels": statsmodels_rows, "baycomp": baycomp_rows}
    for package, rows in sources.items():
        try:
            found = version(package)
        except PackageNotFoundError:
            print(f"| | {package} is not installed | | | | |")
            continue
        for name, peer, run, equal, why in rows(d):
            ours, theirs = run()
            agree = bool(np.isclose(ours, theirs, rtol=1e-7, atol=1e-12))
            wrong += agree != equal
            expected = "equal" if equal else f"different: {why}"
            verdict = "yes" if agree == equal else "NO"
            print(f"| {name} | {peer} {found} | {ours:.9g} | {theirs:.9g} | {expected} | {verdict} |")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    run_part(
        {"calls": main_of_calls, "studies": main_of_studies, "dominance": main_of_dominance, "peers": main_of_peers}
    )
