"""Benavoli et al. (2017) and Bouckaert and Frank (2004) on the folds of five classifiers on 54 data sets."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from benchmarks.papers import published
from benchmarks.papers.forms import Line, Scores, as_printed, beside, folds_54, means_54, table
from skcompare import inference
from skcompare.calibration._replicability import agreement

CLASSIFIERS = ("nbc", "aode", "hnb", "j48", "j48gr")
ROPE = 0.01


def per_data_set() -> str:
    """Table 7 of the paper, and the p of the correlated t test."""
    lines = []
    printed = zip(published.DIFFERENCES.split(), published.PVALUES.split(), strict=True)
    for (name, own), (difference, p) in zip(folds_54().items(), printed, strict=True):
        test = inference.corrected_t_test(own["nbc"], own["aode"], test_fraction=0.1)
        lines.append((name, f"{float(difference):.3f}", f"{100 * test.estimate:.3f}", p, f"{test.pvalue:.3f}"))
    head = ("data set", "nbc - aode in points, paper", "ours", "p, notebook", "ours")
    return table(head, 1, [tuple(cell.replace("-0.000", "0.000") for cell in line) for line in lines])


def signed_ranks() -> str:
    lines = []
    for pair, (p, *posterior) in published.PAIRS_54.items():
        a, b = (means_54(name) for name in pair)
        default = inference.signed_rank_test(a, b).pvalue
        dropped = inference.signed_rank_test(a, b, zero_method="wilcox", method="normal").pvalue
        own = inference.signed_rank_posterior(a, b, rope=ROPE, rng=0)
        ours = (f"{x:.3f}" for x in (own.right, own.rope, own.left))
        line = (" and ".join(pair), p, f"{default:.4f}", f"{dropped:.4f}")
        lines.append((*line, ", ".join(posterior), ", ".join(ours)))
    head = ("pair", "p, notebook", "ours", "ours, zeros dropped, normal", "posterior, notebook", "ours")
    return table(head, 1, lines)


def posteriors() -> str:
    """First better, practically equivalent, second better."""
    lines: list[Line] = []

    def add(test: str, pair: str, printed: Line, own: object) -> None:
        ours = (as_printed(getattr(own, side), x) for side, x in zip(("right", "rope", "left"), printed, strict=True))
        lines.append((test, pair, ", ".join(printed), ", ".join(ours)))

    for (first, second, rope), printed in published.SIGN_POSTERIORS.items():
        own = inference.sign_posterior(means_54(first), means_54(second), rope=rope)
        add("sign", f"{first} and {second}, rope {rope}", printed, own)
    for (first, second, rope), printed in published.SIGNED_RANK_POSTERIORS.items():
        ranked = inference.signed_rank_posterior(
            means_54(first), means_54(second), rope=rope, prior_strength=0.6, rng=0
        )
        add("signed rank", f"{first} and {second}, rope {rope}", printed, ranked)
    for name, printed in published.CORRELATED_POSTERIORS.items():
        own_folds = folds_54()[name]
        t = inference.correlated_t_posterior(own_folds["nbc"], own_folds["aode"], test_fraction=0.1, rope=ROPE)
        add("correlated t", f"nbc and aode on {name}, rope {ROPE}", printed, t)
    nbc, hnb = (np.array([own[name].ravel() for own in folds_54().values()]) for name in ("nbc", "hnb"))
    for prior in ("corani2017", "baycomp"):
        of_all = inference.hierarchical_posterior(nbc, hnb, test_fraction=0.1, rope=ROPE, prior=prior)
        add(f"hierarchical, prior {prior}", f"nbc and hnb, rope {ROPE}", published.HIERARCHICAL, of_all)
    return table(("posterior", "of", "notebook", "ours"), 2, lines)


def intervals() -> str:
    lines = []
    for name, printed in published.CORRELATED_INTERVALS.items():
        own = inference.corrected_t_test(folds_54()[name]["nbc"], folds_54()[name]["aode"], test_fraction=0.1)
        limits = own.confidence_interval()
        values = (own.pvalue, limits.low, limits.high)
        for what, x, value in zip(("p", "lower limit", "upper limit"), printed, values, strict=True):
            lines.append(beside((name, what), x, value))
    return table(("data set", "what", "notebook", "ours", "the same, rounded"), 2, lines)


# ---- replicability on these folds ---------------------------------------------------------------------------------

TESTS: dict[str, Callable[[Scores, Scores], inference.TTestResult]] = {
    "paired_t_test": inference.paired_t_test,
    "k_fold_t_test": lambda a, b: inference.k_fold_t_test(a, b, test_fraction=0.1),
    "corrected_t_test": lambda a, b: inference.corrected_t_test(a, b, test_fraction=0.1),
}


def replicability_of_runs() -> str:
    """Ten runs of 10-fold are ten experiments on one data set: do tests on single runs agree?"""
    lines, pairs = [], tuple(combinations(CLASSIFIERS, 2))
    for name, test in TESTS.items():
        by_pair = {
            pair: np.array(
                [
                    [test(a, b).pvalue for a, b in zip(own[pair[0]], own[pair[1]], strict=True)]
                    for own in folds_54().values()
                ]
            )
            for pair in pairs
        }
        found = agreement(name, "accuracy", np.concatenate(list(by_pair.values())), 0.05, 0.95)
        of_pairs = {pair: agreement(name, "accuracy", p, 0.05, 0.95).replicability for pair, p in by_pair.items()}
        least = min(of_pairs, key=lambda pair: of_pairs[pair])
        values = (found.rejected, found.replicability, found.consistency, of_pairs[least])
        lines.append((f"`{name}`", *(f"{100 * x:.1f}" for x in values), " and ".join(least)))
    head = ("test on one run", "rejected, %", "R, %", "consistent, %", "lowest R of a pair, %", "that pair")
    return table(head, 1, lines)
