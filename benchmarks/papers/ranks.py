"""Demsar (2006), Garcia and Herrera (2008), Garcia et al. (2010): tests on ranks over data sets."""

from __future__ import annotations

from functools import cache, partial
from itertools import combinations

import numpy as np
from scipy import stats

from benchmarks.papers import published
from benchmarks.papers.forms import Scores, as_printed, beside, scores_of, table
from skcompare import inference
from skcompare.calibration._replicability import replicability_of

# ---- Demsar (2006) -----------------------------------------------------------------------------------------------

VARIANTS = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")


def demsar() -> Scores:
    """Table 6 with "voting" ranked 4, 1, 2, 3 as he does: its printed areas tie."""
    scores = scores_of("demsar_2006_auc").copy()
    scores[12, 2] += 1e-4
    return scores


def critical_rank_sum(n: int, alpha: float) -> int:
    """The largest smaller rank sum of `n` untied differences at which the exact signed-rank test rejects."""
    critical = -1
    for total in range(n * (n + 1) // 2):
        rest, signs = total, np.ones(n)
        for rank in range(n, 0, -1):
            if rank <= rest:
                signs[rank - 1], rest = -1, rest - rank
        if inference.signed_rank_test(signs * np.arange(1, n + 1), np.zeros(n)).pvalue > alpha:
            break
        critical = total
    return critical


def demsar_numbers() -> str:
    scores = demsar()
    ranks = inference.signed_rank_test(scores[:, 1], scores[:, 0])
    sign = inference.sign_test(scores[:, 1], scores[:, 0], ties="split")
    chi2, f = (inference.friedman_test(scores, statistic=kind, tie_correction=False) for kind in ("chi2", "f"))
    cd = inference.critical_difference
    control = inference.control_test(scores, control="C4.5", names=VARIANTS, correction="none")
    lines = [
        beside(("3.1.3", "rank sum for C4.5+m"), "93", ranks.rank_sum_a),
        beside(("3.1.3", "rank sum for C4.5"), "12", ranks.rank_sum_b),
        beside(("3.1.3", "critical rank sum, 14 data sets, 5%"), "21", critical_rank_sum(14, 0.05)),
        ("3.1.4", "p of 11 wins of 14", "below 0.05", f"{sign.pvalue:.4f}", "yes" if sign.pvalue < 0.05 else "no"),
        *(
            beside(("3.2.2", f"mean rank of {name}"), printed, mean)
            for name, printed, mean in zip(VARIANTS, ("3.143", "2.000", "2.893", "1.964"), f.means, strict=True)
        ),
        beside(("3.2.2", "Friedman's chi-squared"), "9.28", chi2.statistic),
        beside(("3.2.2", "F of Iman and Davenport"), "3.69", f.statistic),
        beside(("3.2.2", "critical F at 5%, 3 and 39 df"), "2.85", float(stats.f.isf(0.05, *f.df))),
        beside(("3.2.2", "critical difference of Nemenyi, 5%"), "1.25", cd(4, 14)),
        beside(("3.2.2", "critical difference of Nemenyi, 10%"), "1.12", cd(4, 14, 0.1)),
        beside(("3.2.2", "critical difference of Bonferroni-Dunn, 5%"), "1.16", cd(4, 14, posthoc="bonferroni_dunn")),
    ]
    for i, z, p in ((2, "2.416", "0.016"), (0, "2.342", "0.019"), (1, "0.512", "0.607")):
        lines.append(beside(("3.2.2", f"z of {VARIANTS[i + 1]} against C4.5"), z, abs(control.statistics[i])))
        lines.append(beside(("3.2.2", "its p, unadjusted"), p, control.pvalues_unadjusted[i]))
    for method, printed in (("bonferroni", 1), ("holm", 2), ("hochberg", 2), ("hommel", 2)):
        found = inference.control_test(scores, control="C4.5", names=VARIANTS, correction=method).pvalues < 0.05
        lines.append(beside(("3.2.2", f"variants that differ from C4.5 at 5%, {method}"), str(printed), found.sum()))
    apart = [(0, 1), (0, 3)]
    nemenyi = inference.nemenyi_test(scores).pvalues < 0.1
    own = [pair for pair in combinations(range(4), 2) if nemenyi[pair]]
    lines.append(beside(("3.2.2", "pairs that differ at 10%, Nemenyi"), str(len(apart)), len(own)))
    lines.append(beside(("4.1.2", "least R(e), 10 experiments"), "0.5", float(replicability_of(5, 10))))
    return table(("section", "what", "Demsar", "ours", "the same, rounded"), 2, lines)


def critical_wins(n: int, alpha: float) -> str:
    """The fewest wins of `n` that are significant in the exact two-sided test."""
    enough = [w for w in range(n + 1) if 2 * w > n and _sign_pvalue(w, n) <= alpha]
    return str(enough[0]) if enough else "none"


@cache
def _sign_pvalue(wins: int, n: int) -> float:
    return inference.sign_test(np.arange(n) < wins, np.arange(n) >= wins).pvalue


def demsar_sign() -> str:
    lines = []
    for i, n in enumerate(range(5, 26)):
        own = [str(published.SIGN_WINS[alpha][i]) for alpha in (0.05, 0.1)]
        lines.append((str(n), own[0], critical_wins(n, 0.05), own[1], critical_wins(n, 0.1), critical_wins(n, 0.2)))
    head = ("data sets", "Demsar, 5%", "ours, 5%", "Demsar, 10%", "ours, 10%", "ours, 20%")
    return table(head, 0, lines)


def demsar_quantiles() -> str:
    lines = []
    for test, printed in (("nemenyi", published.NEMENYI_Q), ("bonferroni_dunn", published.BONFERRONI_Q)):
        for alpha, row in printed.items():
            own = [inference.critical_difference(k, 1, alpha, posthoc=test) for k in range(2, 11)]
            q = [d / (k * (k + 1) / 6) ** 0.5 for k, d in zip(range(2, 11), own, strict=True)]
            lines.append((f"{test}, {alpha:.0%}", "Demsar", *row))
            lines.append(("", "ours", *(f"{value:.4f}" for value in q)))
    return table(("test", "", *(str(k) for k in range(2, 11))), 2, lines)


def demsar_replicability() -> str:
    lines = []
    for test, text in published.REJECTIONS.items():
        cells = [(int(count), printed) for count, printed in (cell.split("/") for cell in text.split())]
        own = [float(replicability_of(count, 1000)) for count, _ in cells]
        off = [f"{c}: {r}, ours {v:.4f}" for (c, r), v in zip(cells, own, strict=True) if abs(v - float(r)) > 0.00501]
        lines.append((test, str(len(cells)), str(len(cells) - len(off)), "; ".join(off)))
    return table(("test", "pairs", "equal to two decimals", "others"), 1, lines)


# ---- Garcia and Herrera (2008), Garcia et al. (2010) ---------------------------------------------------------------


FOUR_DIGITS = "1.000e0"


def pairwise(pvalues: Scores) -> dict[tuple[int, int], float]:
    return {pair: float(pvalues[pair]) for pair in combinations(range(len(pvalues)), 2)}


def garcia_herrera_omnibus() -> str:
    scores = scores_of("garcia_herrera_2008")
    n, k = scores.shape
    chi2, f = (inference.friedman_test(scores, statistic=kind, tie_correction=False) for kind in ("chi2", "f"))
    quade, aligned = inference.quade_test(scores, tie_correction=False), inference.aligned_ranks_test(scores)
    finite = float(stats.studentized_range.isf(0.05, k, k * (n - 1))) / 2**0.5 * (k * (k + 1) / (6 * n)) ** 0.5
    lines = [
        beside(("Friedman's chi-squared",), "39.647", chi2.statistic),
        beside(("F of Iman and Davenport",), "14.309", f.statistic),
        beside(("aligned ranks",), "41.691", aligned.statistic),
        beside(("Quade's F, without a correction for ties",), "10.802", quade.statistic),
        beside(("critical difference at 5%",), "1.1277", inference.critical_difference(k, n)),
        beside(("the same with 145 df of the studentized range",), "1.1277", finite),
    ]
    return table(("what", "scmamp", "ours", "the same, rounded"), 1, lines)


def garcia_herrera_pairs() -> str:
    scores, names = scores_of("garcia_herrera_2008"), published.GARCIA_HERRERA
    unadjusted = inference.nemenyi_test(scores, correction="none").pvalues_unadjusted
    by = {
        method: pairwise(inference.nemenyi_test(scores, correction=method).pvalues)
        for method in ("bonferroni", "holm", "shaffer", "bergmann")
    }
    lines = []
    for pair, own in sorted(pairwise(unadjusted).items(), key=lambda item: item[1]):
        printed = published.SCMAMP_PAIRS[pair][0]
        ours = as_printed(own, printed)
        label = f"{names[pair[0]]} and {names[pair[1]]}"
        lines.append((label, printed, ours, *(as_printed(min(by[method][pair], 1), FOUR_DIGITS) for method in by)))
    return table(("pair", "scmamp, unadjusted", "ours", *(f"ours, {method}" for method in by)), 1, lines)


def garcia_herrera_adjusted() -> str:
    """Shaffer's and Bergmann and Hommel's adjustment of the p that the vignette adjusts, and other post-hoc p."""
    names, pairs = published.GARCIA_HERRERA, tuple(combinations(range(5), 2))
    given = np.eye(5)
    for i, j in pairs:
        given[i, j] = given[j, i] = float(published.SCMAMP_PAIRS[i, j][1])
    adjusted = [inference.adjust_pairs(given, method) for method in ("shaffer", "bergmann")]
    scores = scores_of("garcia_herrera_2008")
    aligned = inference.aligned_ranks_posthoc_test(scores, correction="none").pvalues_unadjusted
    quade = inference.quade_posthoc_test(scores, reference="normal", correction="none").pvalues_unadjusted
    lines = []
    for pair in sorted(pairs, key=lambda pair: given[pair]):
        _, raw, *by_method, of_quade = published.SCMAMP_PAIRS[pair]
        line = [f"{names[pair[0]]} and {names[pair[1]]}", raw, as_printed(float(aligned[pair]), FOUR_DIGITS)]
        for printed, own in zip(by_method, adjusted, strict=True):
            line += [printed, as_printed(float(own[pair]), printed)]
        lines.append((*line, of_quade, as_printed(float(quade[pair]), FOUR_DIGITS)))
    head = ("pair", "aligned, scmamp", "ours", "Shaffer, scmamp", "ours of the same p", "Bergmann-Hommel, scmamp")
    return table((*head, "ours of the same p", "Quade, scmamp", "ours"), 1, lines)


def garcia_2010() -> str:
    scores = scores_of("garcia_2010")
    names = ("PDFC", "NNEP", "IS-CHC+1NN", "FH-GBML")
    tests = {
        "Friedman": partial(inference.friedman_test, scores, statistic="chi2"),
        "Iman and Davenport": partial(inference.friedman_test, scores),
        "Quade": partial(inference.quade_test, scores),
    }
    found = {name: (test(tie_correction=False), test()) for name, test in tests.items()}
    found["aligned ranks"] = (inference.aligned_ranks_test(scores),) * 2
    lines = [
        (name, *(cell for own in both for cell in (f"{own.statistic:.4f}", f"{own.pvalue:.3g}")))
        for name, both in found.items()
    ]
    ranks = ", ".join(f"{name} {mean:.3f}" for name, mean in zip(names, found["Friedman"][0].means, strict=True))
    head = ("test", "ours, ties not corrected", "p", "ours, the default", "p")
    return f"{table(head, 1, lines)}\n\nMean ranks: {ranks}."
