"""The papers' published tables beside ours, for docs/papers.md.

Run from a checkout: ``python -m benchmarks.papers tables`` computes what needs no simulation (seconds) and puts all
tables into the page; ``... simulate`` makes the simulated ones (minutes of one core, resumable; needs numba) and writes
docs/data/papers_simulated.csv.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy import stats

from benchmarks import DATA, ROOT, options, read_rows, table, with_tables
from skcompare import inference
from skcompare.calibration._size import agreement, replicability_of

# ---- forms ------------------------------------------------------------------------------------------------------


Scores = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Line = tuple[str, ...]


@cache
def scores_of(name: str) -> Scores:
    rows = read_rows(DATA / f"{name}.csv")
    return np.array([[float(cell) for cell in list(row.values())[1:]] for row in rows])


@cache
def folds_54() -> Mapping[str, Mapping[str, Scores]]:
    """Accuracies (10, 10) by data set and classifier."""
    found: dict[str, dict[str, list[float]]] = {}
    for row in read_rows(DATA / "uci54_10x10cv_accuracy.csv.gz"):
        found.setdefault(row["dataset"], {}).setdefault(row["classifier"], []).append(float(row["accuracy"]))
    return {name: {key: np.array(own).reshape(10, 10) for key, own in of.items()} for name, of in found.items()}


@cache
def means_54(classifier: str) -> Scores:
    return np.array([own[classifier].mean() for own in folds_54().values()])


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


@cache
def published(table: str) -> dict[str, tuple[str, ...]]:
    """Printed numbers of docs/data/papers_published.csv, by what they are of; empty for those that are not there.

    - Demsar (2006): "sign wins" (section 3.2.2, table 3), of 5 to 25 data sets; "nemenyi" and "bonferroni_dunn" (table
      5), the quantiles of 2 to 10 classifiers; "rejections" (table 7, above the diagonals, row by row): in 1,000
      experiments / R(e).
    - Calvo and Santafe's vignette of scmamp on the table of Garcia and Herrera (2008), "scmamp", by the columns of a
      pair: friedmanPost; friedmanAlignedRanksPost, then by adjustShaffer and by adjustBergmannHommel; quadePost.
    - Benavoli et al. (2017), table 7, and the authors' notebooks: "nbc - aode" in points of accuracy on 54 data sets,
      and the two-sided p of the correlated t test; "pairs": p of the signed-rank test, and P(first better, equivalent,
      second better), rope .01; the same of other posteriors by name, classifiers and rope; "correlated t" of nbc and
      aode on one data set, rope .01; "intervals" of nbc - aode: p and the 95% interval.
    - Dietterich (1998), the picture of his simulated learners: heights of the four "bars" of each test, read to .001.
    """
    rows = (row for row in read_rows(DATA / "papers_published.csv") if row["table"] == table)
    return {row["of"]: tuple("" if cell == "-" else cell for cell in row["values"].split()) for row in rows}


GARCIA_HERRERA = ("C4.5", "1-NN", "NB", "Kernel", "CN2")
SCMAMP_PAIRS = {tuple(map(int, of.split())): printed for of, printed in published("scmamp").items()}
QUANTILES = ("nemenyi", "bonferroni_dunn")


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
        own = [published("sign wins")[alpha][i] for alpha in ("0.05", "0.1")]
        lines.append((str(n), own[0], critical_wins(n, 0.05), own[1], critical_wins(n, 0.1), critical_wins(n, 0.2)))
    head = ("data sets", "Demsar, 5%", "ours, 5%", "Demsar, 10%", "ours, 10%", "ours, 20%")
    return table(head, 0, lines)


def demsar_quantiles() -> str:
    lines = []
    for test in QUANTILES:
        for level, row in published(test).items():
            alpha = float(level)
            own = [inference.critical_difference(k, 1, alpha, posthoc=test) for k in range(2, 11)]
            q = [d / (k * (k + 1) / 6) ** 0.5 for k, d in zip(range(2, 11), own, strict=True)]
            lines.append((f"{test}, {alpha:.0%}", "Demsar", *row))
            lines.append(("", "ours", *(f"{value:.4f}" for value in q)))
    return table(("test", "", *(str(k) for k in range(2, 11))), 2, lines)


def demsar_replicability() -> str:
    lines = []
    for test, printed in published("rejections").items():
        cells = [(int(count), share) for count, share in (cell.split("/") for cell in printed)]
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
    printed = zip(*published("nbc - aode").values(), strict=True)
    for (name, own), (difference, p) in zip(folds_54().items(), printed, strict=True):
        test = inference.corrected_t_test(own["nbc"], own["aode"], test_fraction=0.1)
        lines.append((name, f"{float(difference):.3f}", f"{100 * test.estimate:.3f}", p, f"{test.pvalue:.3f}"))
    head = ("data set", "nbc - aode in points, paper", "ours", "p, notebook", "ours")
    return table(head, 1, [tuple(cell.replace("-0.000", "0.000") for cell in line) for line in lines])


def signed_ranks() -> str:
    lines = []
    for names, (p, *posterior) in published("pairs").items():
        pair = names.split()
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

    for of, printed in published("sign").items():
        first, second, rope = of.split()
        own = inference.sign_posterior(means_54(first), means_54(second), rope=float(rope))
        add("sign", f"{first} and {second}, rope {rope}", printed, own)
    for of, printed in published("signed rank").items():
        first, second, rope = of.split()
        ranked = inference.signed_rank_posterior(
            means_54(first), means_54(second), rope=float(rope), prior_strength=0.6, rng=0
        )
        add("signed rank", f"{first} and {second}, rope {rope}", printed, ranked)
    for name, printed in published("correlated t").items():
        own_folds = folds_54()[name]
        t = inference.correlated_t_posterior(own_folds["nbc"], own_folds["aode"], test_fraction=0.1, rope=ROPE)
        add("correlated t", f"nbc and aode on {name}, rope {ROPE}", printed, t)
    nbc, hnb = (np.array([own[name].ravel() for own in folds_54().values()]) for name in ("nbc", "hnb"))
    (printed,) = published("hierarchical").values()
    for prior in ("corani2017", "baycomp"):
        of_all = inference.hierarchical_posterior(nbc, hnb, test_fraction=0.1, rope=ROPE, prior=prior)
        add(f"hierarchical, prior {prior}", f"nbc and hnb, rope {ROPE}", printed, of_all)
    return table(("posterior", "of", "notebook", "ours"), 2, lines)


def intervals() -> str:
    lines = []
    for name, printed in published("intervals").items():
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
    values = (tuple(row.values()) for row in read_rows(DATA / "papers_simulated.csv"))
    return {own[:5]: (int(own[5]), float(own[6]), float(own[7])) for own in values}  # type: ignore[misc]


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
        bars = published("bars").get(f"{design}: {name}")
        line: Line = (design, words(name))
        for i, setting in enumerate(anew):
            own = percent(*found[study, setting, design, name, "rejected at 5%"][1:])
            line = (*line, f"{100 * float(bars[i]):.1f}" if bars else "", own)
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
TABLES: dict[str, Callable[[], str]] = {
    made.__name__: made
    for made in (
        *(demsar_numbers, demsar_sign, demsar_quantiles, demsar_replicability),
        *(garcia_herrera_omnibus, garcia_herrera_pairs, garcia_herrera_adjusted, garcia_2010),
        *(per_data_set, signed_ranks, posteriors, intervals, replicability_of_runs),
        *(simulated_learners, errors_kept, schemes, degrees_of_freedom, replicability, generalization_error),
    )
}


def main() -> None:
    given = options(__doc__, part=("tables", "simulate"), folder=Path("paper-scores"))
    if given.part == "simulate":
        from benchmarks.papers_simulated import simulate

        simulate(given.folder)
    else:
        PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), TABLES), encoding="utf-8")


if __name__ == "__main__":
    main()
