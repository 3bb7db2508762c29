"""How often procedures on many data sets reject a true null: ``python -m benchmarks.inference studies``, or ``few``."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import head, line, options, run_part
from skcompare import inference as ours

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
BY_RANKS = ("friedman_test", "friedman_test, auto")  # F, and exact where that is fast


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


def main_of_few() -> None:
    """How often Friedman's test rejects a true null at 5% on few data sets: by F, and exact as results take it.

    Run from a checkout: ``python -m benchmarks.inference few``. Scores are normal, with a level per data set.
    """
    options(main_of_few.__doc__)
    rng, sizes = np.random.default_rng(0), (3, 4, 5, 6, 8)
    print(f"{N_NULLS} simulated tables; standard error at .05: {(0.05 * 0.95 / N_NULLS) ** 0.5:.4f}\n")
    print(head(("models", *(f"{n} data sets" for n in sizes))))
    for k in (3, 4, 5, 8):
        tables = [rng.normal(size=(N_NULLS, n, 1)) + rng.normal(size=(N_NULLS, n, k)) for n in sizes]
        shares = ([np.mean([OF_TABLES[name](one) < 0.05 for one in own]) for name in BY_RANKS] for own in tables)
        print(line(k, *(", ".join(f"{share:.3f}" for share in found) for found in shares)), flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    run_part(main_of_studies, main_of_few)
