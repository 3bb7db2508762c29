"""How often procedures on many data sets reject a true null, and what joint tests of several metrics cost.

Run from a checkout: ``python -m benchmarks.inference PART``, where the part is ``studies``, ``dominance``; without one
it is ``studies``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from datetime import date
from statistics import median
from typing import Any

import numpy as np

from benchmarks import head, line, options, run_part
from benchmarks.timing import timed
from skcompare import inference as ours


def seconds(run: Callable[[], Any], repeats: int = 5) -> float:
    """Median of so many calls."""
    return median(timed(run)[0] for _ in range(repeats))


# ---- studies ----------------------------------------------------------------------------------------------------


N_NULLS = 2000


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


def main_of_studies() -> None:
    """How often procedures on many data sets reject a true null at 5%: normal scores with a level per data set."""
    options(main_of_studies.__doc__)
    rng, sizes = np.random.default_rng(0), (6, 10, 30)
    print(f"{N_NULLS} simulated tables of 5 models; standard error at .05: {(0.05 * 0.95 / N_NULLS) ** 0.5:.4f}\n")
    print(head(("procedure", *(f"{n} data sets" for n in sizes))))
    tables = {n: rng.normal(size=(N_NULLS, n, 1)) + rng.normal(size=(N_NULLS, n, 5)) for n in sizes}
    for name, run in OF_TABLES.items():
        found = (np.mean([np.min(run(table)) < 0.05 for table in tables[n]]) for n in sizes)
        print(line(name, *(f"{share:.3f}" for share in found)), flush=True)


# ---- dominance --------------------------------------------------------------------------------------------------


N_DRAWS = 250_000  # for an error of 0.001 of a share near 1/2


def monte_carlo(alpha: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Shares of Dirichlet draws in which each component is the largest; a Dirichlet vector is gammas over their sum."""
    wins = np.zeros(alpha.size)
    for _ in range(10):
        draws = rng.standard_gamma(alpha, (N_DRAWS // 10, alpha.size))
        wins += np.bincount(draws.argmax(axis=1), minlength=alpha.size)
    return wins / N_DRAWS


def main_of_dominance() -> None:
    """What joint tests of several metrics cost: ``python -m benchmarks.inference dominance``, from a checkout."""
    options(main_of_dominance.__doc__)
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


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    run_part(main_of_studies, main_of_dominance)
