"""The procedures against peers: equal where they are right, different where they are known to be wrong.

Run from a checkout: ``python -m benchmarks.peers``. Peers are optional: ``pip install mlxtend statsmodels baycomp``.
Exits with status 1 if anything is not as expected.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from scipy import stats

from skcompare import inference

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


def main() -> None:
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
    main()
