"""The papers' published tables beside ours, for docs/papers.md.

Run from a checkout: ``python -m benchmarks.papers tables`` computes what needs no simulation (seconds) and puts all
tables into the page; ``... simulate`` makes the simulated ones (minutes of one core, resumable; needs numba) and writes
docs/data/papers_simulated.csv.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy import stats

from skcompare import inference
from skcompare.calibration._size import agreement, replicability_of

# ---- forms ------------------------------------------------------------------------------------------------------


ROOT = Path(__file__).parents[1]
DATA = ROOT / "docs" / "data"
Scores = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Line = tuple[str, ...]


@cache
def scores_of(name: str) -> Scores:
    with (DATA / f"{name}.csv").open(encoding="utf-8") as stream:
        return np.array([row[1:] for row in list(csv.reader(stream))[1:]], dtype=float)


@cache
def folds_54() -> Mapping[str, Mapping[str, Scores]]:
    """Accuracies (10, 10) by data set and classifier."""
    found: dict[str, dict[str, list[float]]] = {}
    with gzip.open(DATA / "uci54_10x10cv_accuracy.csv.gz", "rt", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            found.setdefault(row["dataset"], {}).setdefault(row["classifier"], []).append(float(row["accuracy"]))
    return {name: {key: np.array(own).reshape(10, 10) for key, own in of.items()} for name, of in found.items()}


@cache
def means_54(classifier: str) -> Scores:
    return np.array([own[classifier].mean() for own in folds_54().values()])


def table(head: Line, n_words: int, lines: Sequence[Line]) -> str:
    rule = f"|{' --- |' * n_words}{' ---: |' * (len(head) - n_words)}"
    return "\n".join([f"| {' | '.join(head)} |", rule, *(f"| {' | '.join(line)} |" for line in lines)])


def as_printed(value: float, printed: str) -> str:
    """The value in the digits of a printed one."""
    if "e" in printed:
        digits = len(printed.split("e")[0].lstrip("-")) - 2
        mantissa, exponent = f"{value:.{digits}e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    rounded = f"{value:.{len(printed.partition('.')[2])}f}"
    return rounded.lstrip("-") if float(rounded) == 0 else rounded


def beside(label: Line, printed: str, value: float) -> Line:
    """Printed, ours in more digits, and whether ours rounds to the printed one."""
    more = f"{value:.{len(printed.partition('.')[2]) + 2}f}" if "." in printed else f"{value:g}"
    return (*label, printed, more, "yes" if as_printed(value, printed) == printed else "no")


# ---- published --------------------------------------------------------------------------------------------------


# Demsar (2006), section 3.2.2 and table 3: wins that a sign test needs on 5 to 25 data sets
SIGN_WINS = {
    0.05: (5, 6, 7, 7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 15, 15, 16, 17, 18, 18),
    0.10: (5, 6, 6, 7, 7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 14, 15, 16, 16, 17),
}
# table 5, for 2 to 10 classifiers
NEMENYI_Q = {
    0.05: ("1.960", "2.343", "2.569", "2.728", "2.850", "2.949", "3.031", "3.102", "3.164"),
    0.10: ("1.645", "2.052", "2.291", "2.459", "2.589", "2.693", "2.780", "2.855", "2.920"),
}
BONFERRONI_Q = {
    0.05: ("1.960", "2.241", "2.394", "2.498", "2.576", "2.638", "2.690", "2.724", "2.773"),
    0.10: ("1.645", "1.960", "2.128", "2.241", "2.326", "2.394", "2.450", "2.498", "2.539"),
}
# table 7, above the diagonals, row by row: rejections in 1,000 experiments / R(e)
REJECTIONS = {
    "paired t": """154/.74 709/.59 818/.70 178/.71 0/1.00 151/.74 307/.57 909/.83 300/.58 0/1.00 376/.53 758/.63
        335/.55 0/1.00 167/.72 679/.56 162/.73 592/.52 0/1.00 2/1.00 981/.96""",
    "paired t on relative differences": """75/.86 592/.52 809/.69 181/.70 0/1.00 184/.70 238/.64 848/.74 314/.57
        0/1.00 438/.51 729/.60 361/.54 0/1.00 216/.66 662/.55 79/.85 584/.51 0/1.00 1/1.00 970/.94""",
    "signed ranks": """521/.50 884/.79 897/.82 662/.55 81/.85 618/.53 774/.65 983/.97 710/.59 351/.54 750/.62 854/.75
        804/.68 172/.71 720/.60 915/.84 521/.50 920/.85 94/.83 102/.82 999/1.00""",
    "sign": """157/.74 323/.56 653/.55 171/.72 48/.91 110/.80 205/.67 863/.76 299/.58 156/.74 256/.62 513/.50 423/.51
        95/.83 229/.65 460/.50 210/.67 486/.50 0/1.00 1/1.00 850/.74""",
}

# Calvo and Santafe's vignette of scmamp on the table of Garcia and Herrera (2008); pairs by column
GARCIA_HERRERA = ("C4.5", "1-NN", "NB", "Kernel", "CN2")
SCMAMP_PAIRS = {
    # friedmanPost; friedmanAlignedRanksPost, then by adjustShaffer and by adjustBergmannHommel; quadePost
    (0, 1): ("4.849e-3", "1.174850e-3", "7.049e-3", "7.049e-3", "8.958e-2"),
    (0, 2): ("8.065e-1", "3.341698e-1", "6.683e-1", "6.683e-1", "9.242e-1"),
    (0, 3): ("4.487e-8", "2.843421e-10", "2.843e-9", "2.843e-9", "4.636e-4"),
    (0, 4): ("1.276e-2", "1.845167e-2", "7.381e-2", "5.536e-2", "1.854e-1"),
    (1, 2): ("1.011e-2", "2.265711e-2", "9.063e-2", "6.797e-2", "1.090e-1"),
    (1, 3): ("7.963e-3", "2.197407e-3", "1.318e-2", "8.790e-3", "7.134e-2"),
    (1, 4): ("7.440e-1", "3.742777e-1", "6.683e-1", "6.683e-1", "7.090e-1"),
    (2, 3): ("1.736e-7", "9.226472e-8", "5.536e-7", "5.536e-7", "6.597e-4"),
    (2, 4): ("2.474e-2", "1.643229e-1", "4.930e-1", "1.643e-1", "2.190e-1"),
    (3, 4): ("2.880e-3", "7.793722e-5", "4.676e-4", "3.117e-4", "2.952e-2"),
}

# Benavoli et al. (2017), table 7: nbc - aode in points of accuracy, of 54 data sets in the order of the table, as
# Kuncheva's file has them; and the two-sided p of the correlated t test, from the authors' notebook
DIFFERENCES = """-1.939 -0.261 0.467 -0.719 2.0 -0.464 -1.014 -0.151 -7.269 -0.79 -2.6 4.362 -0.614 0.0 -0.625 -0.069
    -0.212 -1.683 0.267 -3.242 -0.833 0.0 -1.762 -1.863 -10.002 -0.343 -4.19 -2.434 -4.747 -3.548 0.583 -10.043
    -0.443 1.333 -0.674 -3.922 -2.776 -0.688 -3.996 -0.338 -1.112 -3.284 -1.684 -0.699 -0.367 -5.6 -0.4
    -16.909 -5.04 -1.809 0.5 0.143 -0.202 -0.682"""
PVALUES = """.001 .622 .598 .338 .643 .479 .171 .781 .001 .258 .162 .090 .671 1.000 .525 .878 .048 .287 .684 .000 .646
    1.000 .270 .018 .000 .220 .000 .000 .000 .000 .687 .000 .452 .582 .492 .000 .035 .596 .004 .777 .049 .000
    .198 .004 .940 .304 .684 .000 .000 .417 .463 .671 .576 .435"""
# the same notebooks, all pairs: p of the signed-rank test, and P(first better, equivalent, second better), rope .01
PAIRS_54 = {
    ("nbc", "aode"): ("0.000", "0.000", "0.123", "0.877"),
    ("nbc", "hnb"): ("0.001", "0.000", "0.001", "0.999"),
    ("nbc", "j48"): ("0.463", "0.228", "0.006", "0.766"),
    ("nbc", "j48gr"): ("0.394", "0.179", "0.004", "0.817"),
    ("aode", "hnb"): ("0.654", "0.001", "0.965", "0.034"),
    ("aode", "j48"): ("0.077", "0.904", "0.034", "0.062"),
    ("aode", "j48gr"): ("0.106", "0.883", "0.046", "0.071"),
    ("hnb", "j48"): ("0.067", "0.962", "0.020", "0.019"),
    ("hnb", "j48gr"): ("0.084", "0.950", "0.026", "0.024"),
    ("j48", "j48gr"): ("", "0.000", "1.000", "0.000"),
}
# posteriors of the Python notebooks: (test, first, second, rope) -> P(first better, equivalent, second better)
SIGN_POSTERIORS = {
    ("nbc", "aode", 0.01): ("0.000", "0.709", "0.291"),
    ("j48", "j48gr", 0.01): ("0.000", "1.000", "0.000"),
    ("j48", "j48gr", 0.001): ("0.000", "0.998", "0.002"),
    ("j48", "j48gr", 0.0001): ("0.002", "0.145", "0.854"),
}
SIGNED_RANK_POSTERIORS = {
    ("j48", "j48gr", 0.001): ("0.000", "0.823", "0.177"),
    ("j48", "j48gr", 0.0001): ("0.000", "0.001", "0.999"),
}
CORRELATED_POSTERIORS = {  # nbc and aode on one data set, rope .01
    "anneal": ("0.0000", "0.0457", "0.9543"),
    "audiology": ("0.0093", "0.9085", "0.0821"),
}
CORRELATED_INTERVALS = {  # nbc - aode: p and the 95% interval
    "audiology": ("0.62169", "-0.01307", "0.00785"),
    "wisconsin-breast-cancer": ("0.59803", "-0.01284", "0.02217"),
    "ecoli": ("0.00072", "-0.11402", "-0.03136"),
    "hepatitis": ("0.04757", "-0.00422", "-0.00002"),
}
HIERARCHICAL = ("0.000", "0.002", "0.998")  # nbc better, equivalent, hnb better; rope .01

# Dietterich (1998), the picture of his simulated learners: heights of the four bars of each test, read to .001
BARS = {
    ("holdout", "mcnemar_test, corrected"): (0.024, 0.034, 0.034, 0.037),
    ("holdout", "difference of two proportions"): (0.043, 0.054, 0.050, 0.082),
    ("30 resamples", "paired_t_test"): (0.117, 0.170, 0.276, 0.288),
    ("10-fold", "paired_t_test"): (0.057, 0.047, 0.047, 0.052),
    ("5x2", "five_by_two_t_test"): (0.025, 0.022, 0.024, 0.026),
}


# ---- ranks ------------------------------------------------------------------------------------------------------


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
        own = [str(SIGN_WINS[alpha][i]) for alpha in (0.05, 0.1)]
        lines.append((str(n), own[0], critical_wins(n, 0.05), own[1], critical_wins(n, 0.1), critical_wins(n, 0.2)))
    head = ("data sets", "Demsar, 5%", "ours, 5%", "Demsar, 10%", "ours, 10%", "ours, 20%")
    return table(head, 0, lines)


def demsar_quantiles() -> str:
    lines = []
    for test, printed in (("nemenyi", NEMENYI_Q), ("bonferroni_dunn", BONFERRONI_Q)):
        for alpha, row in printed.items():
            own = [inference.critical_difference(k, 1, alpha, posthoc=test) for k in range(2, 11)]
            q = [d / (k * (k + 1) / 6) ** 0.5 for k, d in zip(range(2, 11), own, strict=True)]
            lines.append((f"{test}, {alpha:.0%}", "Demsar", *row))
            lines.append(("", "ours", *(f"{value:.4f}" for value in q)))
    return table(("test", "", *(str(k) for k in range(2, 11))), 2, lines)


def demsar_replicability() -> str:
    lines = []
    for test, text in REJECTIONS.items():
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
    scores, names = scores_of("garcia_herrera_2008"), GARCIA_HERRERA
    unadjusted = inference.nemenyi_test(scores, correction="none").pvalues_unadjusted
    by = {
        method: pairwise(inference.nemenyi_test(scores, correction=method).pvalues)
        for method in ("bonferroni", "holm", "shaffer", "bergmann")
    }
    lines = []
    for pair, own in sorted(pairwise(unadjusted).items(), key=lambda item: item[1]):
        printed = SCMAMP_PAIRS[pair][0]
        ours = as_printed(own, printed)
        label = f"{names[pair[0]]} and {names[pair[1]]}"
        lines.append((label, printed, ours, *(as_printed(min(by[method][pair], 1), FOUR_DIGITS) for method in by)))
    return table(("pair", "scmamp, unadjusted", "ours", *(f"ours, {method}" for method in by)), 1, lines)


def garcia_herrera_adjusted() -> str:
    """Shaffer's and Bergmann and Hommel's adjustment of the p that the vignette adjusts, and other post-hoc p."""
    names, pairs = GARCIA_HERRERA, tuple(combinations(range(5), 2))
    given = np.eye(5)
    for i, j in pairs:
        given[i, j] = given[j, i] = float(SCMAMP_PAIRS[i, j][1])
    adjusted = [inference.adjust_pairs(given, method) for method in ("shaffer", "bergmann")]
    scores = scores_of("garcia_herrera_2008")
    aligned = inference.aligned_ranks_posthoc_test(scores, correction="none").pvalues_unadjusted
    quade = inference.quade_posthoc_test(scores, reference="normal", correction="none").pvalues_unadjusted
    lines = []
    for pair in sorted(pairs, key=lambda pair: given[pair]):
        _, raw, *by_method, of_quade = SCMAMP_PAIRS[pair]
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


# ---- uci54 ------------------------------------------------------------------------------------------------------


CLASSIFIERS = ("nbc", "aode", "hnb", "j48", "j48gr")
ROPE = 0.01


def per_data_set() -> str:
    """Table 7 of the paper, and the p of the correlated t test."""
    lines = []
    printed = zip(DIFFERENCES.split(), PVALUES.split(), strict=True)
    for (name, own), (difference, p) in zip(folds_54().items(), printed, strict=True):
        test = inference.corrected_t_test(own["nbc"], own["aode"], test_fraction=0.1)
        lines.append((name, f"{float(difference):.3f}", f"{100 * test.estimate:.3f}", p, f"{test.pvalue:.3f}"))
    head = ("data set", "nbc - aode in points, paper", "ours", "p, notebook", "ours")
    return table(head, 1, [tuple(cell.replace("-0.000", "0.000") for cell in line) for line in lines])


def signed_ranks() -> str:
    lines = []
    for pair, (p, *posterior) in PAIRS_54.items():
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

    for (first, second, rope), printed in SIGN_POSTERIORS.items():
        own = inference.sign_posterior(means_54(first), means_54(second), rope=rope)
        add("sign", f"{first} and {second}, rope {rope}", printed, own)
    for (first, second, rope), printed in SIGNED_RANK_POSTERIORS.items():
        ranked = inference.signed_rank_posterior(
            means_54(first), means_54(second), rope=rope, prior_strength=0.6, rng=0
        )
        add("signed rank", f"{first} and {second}, rope {rope}", printed, ranked)
    for name, printed in CORRELATED_POSTERIORS.items():
        own_folds = folds_54()[name]
        t = inference.correlated_t_posterior(own_folds["nbc"], own_folds["aode"], test_fraction=0.1, rope=ROPE)
        add("correlated t", f"nbc and aode on {name}, rope {ROPE}", printed, t)
    nbc, hnb = (np.array([own[name].ravel() for own in folds_54().values()]) for name in ("nbc", "hnb"))
    for prior in ("corani2017", "baycomp"):
        of_all = inference.hierarchical_posterior(nbc, hnb, test_fraction=0.1, rope=ROPE, prior=prior)
        add(f"hierarchical, prior {prior}", f"nbc and hnb, rope {ROPE}", HIERARCHICAL, of_all)
    return table(("posterior", "of", "notebook", "ours"), 2, lines)


def intervals() -> str:
    lines = []
    for name, printed in CORRELATED_INTERVALS.items():
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


# ---- simulated tables -------------------------------------------------------------------------------------------


STUDIES = ("Dietterich 1998", "Bouckaert 2003", "Bouckaert and Frank 2004", "Nadeau and Bengio 2003")
Key = tuple[str, str, str, str, str]


@cache
def rows() -> dict[Key, tuple[int, float, float]]:
    """(data sets, value, standard error) by study, setting, design, procedure and quantity."""
    with (DATA / "papers_simulated.csv").open(encoding="utf-8") as stream:
        return {
            tuple(row[:5]): (int(row[5]), float(row[6]), float(row[7]))  # type: ignore[misc]
            for row in list(csv.reader(stream))[1:]
        }


def of_study(study: str) -> dict[Key, tuple[int, float, float]]:
    return {key: own for key, own in rows().items() if key[0] == study}


def percent(value: float, error: float) -> str:
    return f"{100 * value:.1f} ({100 * error:.1f})"


def words(name: str) -> str:
    """A procedure as code, other tests as they are."""
    return f"`{name}`" if "_" in name else name


def settings(study: str) -> list[str]:
    return list(dict.fromkeys(key[1] for key in of_study(study)))


def n_datasets(study: str) -> str:
    counts = sorted({n for n, _, _ in of_study(study).values()})
    return f"Data sets per row: {' or '.join(f'{n:,}' for n in counts)}; in brackets the standard error."


def by_setting(study: str, chosen: list[str], heads: Line, *, quantity: str = "rejected at 5%") -> str:
    """A row per design and procedure, a column per setting."""
    found = of_study(study)
    pairs = dict.fromkeys(key[2:4] for key in found if key[4] == quantity and key[1] in chosen)
    lines = [
        (design, words(name), *(percent(*found[study, setting, design, name, quantity][1:]) for setting in chosen))
        for design, name in pairs
    ]
    return f"{table(('design', 'test', *heads), 2, lines)}\n\n{n_datasets(study)}"


def simulated_learners() -> str:
    """Sizes in % beside the heights of Dietterich's bars."""
    study = STUDIES[0]
    found, anew = of_study(study), [name for name in settings(study) if name.endswith("anew")]
    lines: list[Line] = []
    for design, name in dict.fromkeys(key[2:4] for key in found):
        bars = BARS.get((design, name))
        line: Line = (design, words(name))
        for i, setting in enumerate(anew):
            own = percent(*found[study, setting, design, name, "rejected at 5%"][1:])
            line = (*line, f"{100 * bars[i]:.1f}" if bars else "", own)
        lines.append(line)
    heads = tuple(head for setting in anew for head in ("paper", setting.split(",")[0]))
    return f"{table(('design', 'test', *heads), 2, lines)}\n\n{n_datasets(study)}"


def errors_kept() -> str:
    kept = [name for name in settings(STUDIES[0]) if name.endswith("kept")]
    return by_setting(STUDIES[0], kept, tuple(name.split(",")[0] for name in kept))


def schemes() -> str:
    return by_setting(STUDIES[1], settings(STUDIES[1]), ("rejected, %",))


def degrees_of_freedom() -> str:
    study = STUDIES[1]
    found = of_study(study)
    quantities = [f"df at {alpha}%" for alpha in (1, 5, 10)]
    setting = settings(study)[0]
    lines = [
        (f"`{name}`", *(f"{value:.2f} ({error:.2f})" for _, value, error in own))
        for name in dict.fromkeys(key[3] for key in found if key[4] == quantities[0])
        for own in [[found[study, setting, "10x10", name, quantity] for quantity in quantities]]
    ]
    return table(("10x10", *quantities), 1, lines)


def replicability() -> str:
    study = STUDIES[2]
    found, lines = of_study(study), []
    quantities = ("rejected at 5%", "replicability", "consistency")
    for design, name in dict.fromkeys(key[2:4] for key in found if key[4] == quantities[0]):
        line: Line = (design, f"`{name}`")
        for setting in settings(study):
            own = [found[study, setting, design, name, quantity][1:] for quantity in quantities]
            line = (*line, *(percent(*one) for one in own))
        lines.append(line)
    heads = tuple(
        f"{setting.split(',')[0]}: {what}" for setting in settings(study) for what in ("rejected", "R", "consistent")
    )
    ahead = (percent(*found[study, name, "10x10", "naive Bayes - tree", "difference"][1:]) for name in settings(study))
    ends = f"{n_datasets(study)} Naive Bayes is ahead by {' and '.join(ahead)} points."
    return f"{table(('design', 'test', *heads), 2, lines)}\n\n{ends}"


def generalization_error() -> str:
    chosen = settings(STUDIES[3])
    heads = tuple(name.removeprefix("2 classes, n = 200, ") for name in chosen)
    return by_setting(STUDIES[3], chosen, heads)


# ---- main -------------------------------------------------------------------------------------------------------


PAGE = ROOT / "docs" / "papers.md"
START, END = "<!-- table {name} -->", "<!-- end of table -->"
MARKED = re.compile(r"<!-- table ([a-z_0-9]+) -->\n.*?<!-- end of table -->", re.DOTALL)
TABLES: dict[str, Callable[[], str]] = {
    function.__name__: function
    for function in (
        demsar_numbers,
        demsar_sign,
        demsar_quantiles,
        demsar_replicability,
        garcia_herrera_omnibus,
        garcia_herrera_pairs,
        garcia_herrera_adjusted,
        garcia_2010,
        per_data_set,
        signed_ranks,
        posteriors,
        intervals,
        replicability_of_runs,
        simulated_learners,
        errors_kept,
        schemes,
        degrees_of_freedom,
        replicability,
        generalization_error,
    )
}


def with_tables(page: str) -> str:
    """The page with every table between its marks made again."""

    def made(match: re.Match[str]) -> str:
        return f"{START.format(name=match[1])}\n\n{TABLES[match[1]]()}\n\n{END}"

    return MARKED.sub(made, page)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.papers", description=__doc__)
    parser.add_argument("part", choices=("tables", "simulate"))
    parser.add_argument("--folder", type=Path, default=Path("paper-scores"), help="where simulated parts are kept")
    options = parser.parse_args()
    if options.part == "simulate":
        from benchmarks.papers_simulated import simulate

        simulate(options.folder)
    else:
        PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
