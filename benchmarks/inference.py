"""What the procedures cost and give beside other packages, on one result, over data sets and over metrics.

Run from a checkout: ``python -m benchmarks.inference PART``, where the part is ``calls``, ``studies``, ``dominance``,
``peers``; without one it is ``calls``. The other packages are optional: ``pip install mlxtend statsmodels baycomp``.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from benchmarks import DATA, head, line, machine, options, run_part
from benchmarks.timing import timed
from skcompare import PairedEvaluator
from skcompare import inference as ours


def optional(name: str) -> Any:
    """The module, or None where it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        return None


mlxtend, baycomp = optional("mlxtend.evaluate"), optional("baycomp")
Run = Callable[[], Any]


def seconds(run: Run, repeats: int = 5) -> float:
    """Median of so many calls."""
    return median(timed(run)[0] for _ in range(repeats))


# ---- calls ------------------------------------------------------------------------------------------------------


def per_call(run: Run) -> float:
    """Seconds of one call, from as many as fill 20 ms."""
    n_calls, start = 0, perf_counter()
    while not n_calls or perf_counter() - start < 0.02:
        run()
        n_calls += 1
    return (perf_counter() - start) / n_calls


def calls() -> Iterator[tuple[str, Run, str, Run | None]]:
    """The procedure, our call, the variant of mlxtend and its call, where it has one."""
    rng = np.random.default_rng(0)
    for n in (10, 14, 20, 40):
        both = rng.normal(0.82, 0.03, n), rng.normal(0.80, 0.03, n)
        how = {"method": "exact"} if n <= 14 else {"method": "approximate", "num_rounds": 10_000, "seed": 0}
        peer = mlxtend and partial(mlxtend.permutation_test, *both, paired=True, **how)
        own = partial(ours.permutation_test, *both)
        yield f"paired permutation, n={n}, exact", own, "exact" if n <= 14 else "10,000 rounds", peer
    y = rng.integers(0, 2, 100_000)
    scores = [y + rng.normal(0, spread, y.size) for spread in (1, 1.1)]
    truth = rng.integers(0, 2, 10_000)
    labels = [np.where(rng.random(truth.size) < right, truth, 1 - truth) for right in (0.85, 0.83)]
    correct, few = rng.random((1_000_000, 5)) < 0.8, rng.random((10_000, 5)) < 0.8
    ones, predicted = np.ones(len(few), dtype=int), few.astype(int).T

    def bootstrap() -> Any:
        return ours.paired_bootstrap(truth, *labels, "f1", n_resamples=10_000, rng=0).confidence_interval()

    def mcnemar() -> Any:
        return mlxtend.mcnemar(mlxtend.mcnemar_table(ones, *predicted[:2]), exact=True)

    yield "DeLong, 1e5 samples", partial(ours.delong_test, y, *scores), "", None
    yield "bootstrap of F1, 10,000 resamples of 1e4", bootstrap, "", None
    yield "Cochran Q, 1e6 x 5", partial(ours.cochran_q_test, correct), "", None
    q = mlxtend and partial(mlxtend.cochrans_q, ones, *predicted)
    yield "Cochran Q, 1e4 x 5", partial(ours.cochran_q_test, few), "chi2", q
    exact = partial(ours.mcnemar_test, *few.T[:2], method="exact")
    yield "McNemar, 1e4, exact", exact, "exact", mlxtend and mcnemar


def main_of_calls() -> None:
    """Time of the procedures, beside mlxtend where it has the same one.

    Both run in one process, interleaved; the figures are medians of five rounds after one that is not measured.
    """
    options(main_of_calls.__doc__)
    print(f"{machine()}; medians\n\n{head(('procedure', 'skcompare', 'mlxtend', 'times as long'))}")
    for name, call, variant, peer in calls():
        rounds = [[per_call(run) for run in (call, peer) if run] for _ in range(6)][1:]
        mine, *theirs = np.median(rounds, axis=0)
        cells = (f"{1000 * theirs[0]:.3g} ms ({variant})", f"{theirs[0] / mine:,.0f}") if theirs else ("", "")
        print(line(name, f"{1000 * mine:.3g} ms", *cells), flush=True)


# ---- studies ----------------------------------------------------------------------------------------------------


N_NULLS = 2000


@cache
def folds_of_54_datasets() -> dict[str, np.ndarray]:
    """Accuracy of each classifier, shape (54, 100)."""
    frame = pd.read_csv(DATA / "uci54_10x10cv_accuracy.csv.gz")
    return {
        str(name): part.pivot(index="dataset", columns=["repeat", "fold"], values="accuracy").to_numpy()
        for name, part in frame.groupby("classifier")
    }


POSTHOCS = (
    *("nemenyi_test", "conover_test", "tukey_test", "dunn_test", "quade_posthoc_test"),
    *("aligned_ranks_posthoc_test", "pairwise_signed_rank_test", "control_test"),
)


def times() -> Iterator[tuple[str, str, Run, int]]:
    """Procedure, data, call and how often it is timed."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(100, 50)) + 0.1 * np.arange(50)
    for name in POSTHOCS:
        options = {"control": 0} if name == "control_test" else {}
        yield name, "50 models x 100 data sets", partial(getattr(ours, name), table, **options), 5
    nine = np.triu(rng.uniform(size=(9, 9)), 1)
    nine += nine.T + np.eye(9)
    yield "Bergmann and Hommel", "9 models", partial(ours.adjust_pairs, nine, "bergmann"), 5
    demsar = pd.read_csv(DATA / "demsar_2006_auc.csv").set_index("dataset").to_numpy()
    yield "friedman_test, exact", "14 x 4 with ties", partial(ours.friedman_test, demsar, method="exact"), 5
    both = (folds_of_54_datasets()[name] for name in ("aode", "nbc"))
    hierarchical = partial(ours.hierarchical_posterior, *both, test_fraction=0.1, rope=0.01)
    yield "hierarchical_posterior", "54 data sets x 100 folds", hierarchical, 3
    pairs = rng.normal(size=(50, 20)) + 0.1 * np.arange(20)
    of_ranks = partial(ours.plackett_luce_posterior, pairs, rng=0)
    yield "plackett_luce_posterior", "20 models x 50 data sets", of_ranks, 1
    of_pairs = partial(ours.pairwise_posterior, table[:, :10], rng=0)
    yield "pairwise_posterior", "10 models x 100 data sets", of_pairs, 1


def print_times() -> None:
    print(head(("procedure", "data", "seconds"), 2))
    for name, data, run, repeats in times():
        print(line(name, data, f"{seconds(run, repeats):.3f}"), flush=True)
    a, b = (folds_of_54_datasets()[name].mean(axis=1) for name in ("aode", "nbc"))
    own, peer = [], []
    for _ in range(5):
        own.append(timed(ours.signed_rank_posterior, a, b, rope=0.01, rng=0)[0])
        if baycomp:
            peer.append(timed(baycomp.SignedRankTest.probs, a, b, 0.01, nsamples=50_000)[0])
    against = f"; baycomp {median(peer):.3f}, {median(peer) / median(own):.0f} times" if peer else ""
    print(line("signed_rank_posterior", "54 data sets, 50,000 draws", f"{median(own):.3f}{against}"))


# By name: what is asked of a table of models that are equally good, of all pairs or a control the smallest p-value.
OF_TABLES: dict[str, Callable[[np.ndarray], Any]] = {
    "signed_rank_test": lambda t: ours.signed_rank_test(t[:, 0], t[:, 1]).pvalue,
    "sign_test": lambda t: ours.sign_test(t[:, 0], t[:, 1]).pvalue,
    "friedman_test, auto": lambda t: ours.friedman_test(t, method="auto").pvalue,
    "friedman_test": lambda t: ours.friedman_test(t).pvalue,
    "friedman_test, chi2": lambda t: ours.friedman_test(t, statistic="chi2").pvalue,
    "quade_test": lambda t: ours.quade_test(t).pvalue,
    "pairwise_signed_rank_test, any pair": lambda t: ours.pairwise_signed_rank_test(t).pvalues,
    "pairwise_signed_rank_test, Shaffer": lambda t: ours.pairwise_signed_rank_test(t, correction="shaffer").pvalues,
    "nemenyi_test, any pair": lambda t: ours.nemenyi_test(t).pvalues,
    "control_test, any model": lambda t: ours.control_test(t, control=0).pvalues,
}


def print_sizes() -> None:
    """Rejections at 5% of models that are equally good: normal scores with a level per data set."""
    rng, sizes = np.random.default_rng(0), (6, 10, 30)
    print(f"\n{N_NULLS} simulated tables of 5 models; standard error at .05: {(0.05 * 0.95 / N_NULLS) ** 0.5:.4f}\n")
    print(head(("procedure", *(f"{n} data sets" for n in sizes))))
    tables = {n: rng.normal(size=(N_NULLS, n, 1)) + rng.normal(size=(N_NULLS, n, 5)) for n in sizes}
    for name, run in OF_TABLES.items():
        found = (np.mean([np.min(run(table)) < 0.05 for table in tables[n]]) for n in sizes)
        print(line(name, *(f"{share:.3f}" for share in found)), flush=True)


def main_of_studies() -> None:
    """What procedures on many data sets cost; with ``--sizes`` how often they reject a true null."""
    given = options(main_of_studies.__doc__, sizes=False)
    print(f"{machine()}; medians\n")
    (print_sizes if given.sizes else print_times)()


# ---- dominance --------------------------------------------------------------------------------------------------


N_DRAWS = 250_000  # for an error of 0.001 of a share near 1/2


def monte_carlo(alpha: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Shares of Dirichlet draws in which each component is the largest; a Dirichlet vector is gammas over their sum."""
    wins = np.zeros(alpha.size)
    for _ in range(10):
        draws = rng.standard_gamma(alpha, (N_DRAWS // 10, alpha.size))
        wins += np.bincount(draws.argmax(axis=1), minlength=alpha.size)
    return wins / N_DRAWS


def print_times_of_dominance() -> None:
    rng = np.random.default_rng(0)
    print(f"{date.today()}; medians\n")
    names = ("exact, ms", f"{N_DRAWS:,} draws, ms", "times faster", "largest difference")
    print(head(("metrics", "distinct counts", *names), 0))
    for m in (2, 5, 8, 10):
        counts = np.zeros(2**m)
        counts[:40] = rng.permutation(40)[: counts.size]
        prior = counts + 1 / counts.size
        exact = seconds(lambda c=counts: ours.dominance_posterior(c), 50)
        drawn = seconds(lambda p=prior: monte_carlo(p, rng), 2 if m > 5 else 5)
        gap = np.abs(ours.dominance_posterior(counts).probabilities - monte_carlo(prior, rng)).max()
        cells = f"{exact * 1e3:.2f}", f"{drawn * 1e3:.0f}", f"{drawn / exact:.0f}", f"{gap:.1e}"
        print(line(m, len(np.unique(counts)), *cells), flush=True)
    print(f"\n{head(('metrics', 'cases', 'structure', 'dominance_network, s'), 0)}")
    for m in (2, 5, 8):
        a = rng.normal(size=(100, 1)) + rng.normal(size=(100, m))
        for structure in ("search", "average"):
            found = seconds(lambda a=a, s=structure: ours.dominance_network(a, 0 * a, structure=s, rng=0))
            print(line(m, 100, structure, f"{found:.3f}"), flush=True)
    a, b = rng.normal(size=(2, 100_000, 12)).round(1)
    print(f"\ndominance_counts of 100,000 cases, 12 metrics: {seconds(lambda: ours.dominance_counts(a, b)):.3f} s")


def print_time_noise() -> None:
    """How far the times of one and the same model differ, as measured and as dominance compares them."""
    X, y = load_breast_cancer(return_X_y=True)
    print("\nNine in ten differences between the times of a model and itself are below:\n")
    print(head(("model", "design", "metric", "typical time, ms", "as measured", "medians over repeats"), 3))
    for model in (GaussianNB(), DecisionTreeClassifier(max_depth=3)):
        for cv in (10, "10x10"):
            evaluator = PairedEvaluator(cv=cv, scoring=["fit_time", "predict_time"], random_state=0)
            result = evaluator.evaluate({"one": model, "other": model}, X, y)
            for metric in result.metrics:
                times = np.stack([result.score(name, metric) for name in result.estimators])
                medians = np.median(times.reshape(2, -1, result.design.n_folds), axis=1)
                gaps = (np.quantile(np.abs(np.subtract(*t)) / t.max(axis=0), 0.9) for t in (times, medians))
                words = type(model).__name__, result.design.name, metric
                print(line(*words, f"{np.median(times) * 1e3:.2f}", *(f"{gap:.0%}" for gap in gaps)))


def main_of_dominance() -> None:
    """What joint tests of several metrics cost: ``python -m benchmarks.inference dominance``, from a checkout."""
    options(main_of_dominance.__doc__)
    print_times_of_dominance()
    print_time_noise()


# ---- peers ------------------------------------------------------------------------------------------------------


Row = tuple[str, str, float, float]  # procedure, function of the peer, our number and the peer's
DIFFERENT = {"McNemar, identical predictions": "identical models never differ: p = 1; 0/0 is no evidence"}
A, B = np.random.default_rng(0).normal([[0.82], [0.80]], 0.03, (2, 12))


def predictions() -> tuple[np.ndarray, list[np.ndarray]]:
    rng = np.random.default_rng(0)
    rng.normal(size=A.size + B.size)  # those of A and B
    y = rng.integers(0, 2, 400)
    return y, [np.where(rng.random(400) < right, y, 1 - y) for right in (0.85, 0.80, 0.75)]


def of_scipy() -> Iterator[Row]:
    yield "paired t", "ttest_rel", ours.paired_t_test(A, B).pvalue, stats.ttest_rel(A, B).pvalue
    theirs = stats.permutation_test((A - B,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue
    yield "paired permutation, exact", "permutation_test", ours.permutation_test(A, B).pvalue, theirs
    p = np.array([0.001, 0.01, 0.02, 0.3])
    theirs = stats.false_discovery_control(p).max()
    yield "fdr_bh, largest", "false_discovery_control", ours.adjust_pvalues(p, "fdr_bh").max(), theirs


def of_mlxtend() -> Iterator[Row]:
    y, (first, second, third) = predictions()
    a, b, c = (pred == y for pred in (first, second, third))
    table, same = (mlxtend.mcnemar_table(y, first, pred) for pred in (second, first))
    for words, other, how, theirs in (
        ("exact", b, {"method": "exact"}, mlxtend.mcnemar(table, exact=True)),
        ("corrected", b, {"method": "chi2_corrected"}, mlxtend.mcnemar(table)),
        ("identical predictions", a, {}, mlxtend.mcnemar(same)),
    ):
        yield f"McNemar, {words}", "mcnemar", ours.mcnemar_test(a, other, **how).pvalue, theirs[1]
    own = ours.cochran_q_test(np.column_stack([a, b, c])).pvalue
    yield "Cochran Q", "cochrans_q", own, mlxtend.cochrans_q(y, first, second, third)[1]
    few = A[:9], B[:9]
    for paired in (True, False):
        theirs = mlxtend.permutation_test(*few, paired=paired, method="exact")
        words = f"{'paired' if paired else 'unpaired'} permutation, exact"
        yield words, "permutation_test", ours.permutation_test(*few, paired=paired).pvalue, theirs


def of_statsmodels() -> Iterator[Row]:
    from statsmodels.stats.contingency_tables import cochrans_q, mcnemar
    from statsmodels.stats.multitest import multipletests
    from statsmodels.stats.proportion import proportion_confint

    y, predicted = predictions()
    columns = np.column_stack([pred == y for pred in predicted])
    a, b = columns.T[:2]
    table = [[np.sum(a & b), np.sum(a & ~b)], [np.sum(~a & b), 0]]
    for method in ("exact", "chi2", "chi2_corrected"):
        theirs = mcnemar(table, exact=method == "exact", correction=method == "chi2_corrected").pvalue
        yield f"McNemar, {method}", "mcnemar", ours.mcnemar_test(a, b, method=method).pvalue, theirs
    theirs = cochrans_q(columns.astype(int)).pvalue
    yield "Cochran Q", "cochrans_q", ours.cochran_q_test(columns).pvalue, theirs
    for method in ("wilson", "clopper_pearson", "jeffreys", "agresti_coull"):
        theirs = proportion_confint(94, 100, method={"clopper_pearson": "beta"}.get(method, method))[0]
        own = ours.proportion_interval(94, 100, method=method).low
        yield f"proportion interval, {method}, lower", "proportion_confint", own, theirs
    p = np.array([0.001, 0.012, 0.02, 0.03, 0.3])
    for method in ("holm", "hochberg", "hommel", "fdr_by"):
        theirs = multipletests(p, method={"hochberg": "simes-hochberg"}.get(method, method))[1][1]
        yield f"adjusted p-values, {method}, second", "multipletests", ours.adjust_pvalues(p, method)[1], theirs


def of_baycomp() -> Iterator[Row]:
    own = ours.correlated_t_posterior(A[:10], B[:10], test_fraction=1 / 10, rope=0.01).right
    theirs = baycomp.two_on_single(B[:10], A[:10], rope=0.01)[2]
    yield "correlated t posterior, P(a better)", "two_on_single", own, theirs


PEERS = {"scipy": of_scipy, "mlxtend": of_mlxtend, "statsmodels": of_statsmodels, "baycomp": of_baycomp}


def main_of_peers() -> None:
    """The procedures against peers: equal where they are right, different where they are known to be wrong.

    Exits with status 1 if anything is not as expected.
    """
    options(main_of_peers.__doc__)
    print(head(("procedure", "peer", "skcompare", "peer", "expected", "as expected"), 2))
    wrong = 0
    for package, rows in PEERS.items():
        try:
            found = version(package)
        except PackageNotFoundError:
            print(line("", f"{package} is not installed", *[""] * 4))
            continue
        for name, function, own, theirs in rows():
            agree = bool(np.isclose(own, theirs, rtol=1e-7, atol=1e-12))
            expected = f"different: {DIFFERENT[name]}" if name in DIFFERENT else "equal"
            as_expected = agree == (name not in DIFFERENT)
            wrong += not as_expected
            numbers = f"{own:.9g}", f"{theirs:.9g}"
            print(line(name, f"{package} {function} {found}", *numbers, expected, "yes" if as_expected else "NO"))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    run_part(main_of_calls, main_of_studies, main_of_dominance, main_of_peers)
