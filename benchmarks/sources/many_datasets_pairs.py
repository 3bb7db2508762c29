"""The article on Demsar (2006): every pair of several classifiers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np

from benchmarks.sources import many_datasets_checks as others
from benchmarks.sources.many_datasets_checks import TABLE, THREE
from benchmarks.sources.row import Check, Remark, Row
from skcompare.inference import conover_test, control_test, critical_difference, dunn_test, nemenyi_test, tukey_test

CAPPED = Remark(
    "The libraries of 2022 computed no p-value above 0.9 from the studentized range.",
    "cut off at 0.9 by an old library",
)
INTERPOLATED = Remark(
    "The libraries of 2022 interpolated the studentized range between tabled values; scipy computes it.",
    "interpolated between tabled values by an old library",
)
CONOVER = Remark(
    "scikit-posthocs took the sum of the rank sums where the formula has the sum of their squared distances from the "
    "mean, until version 0.8.1 of 2023. With that slip the formula gives the numbers of the article.",
    "an error in scikit-posthocs before version 0.8.1",
)
UNPAIRED = Remark(
    "The article finds this result strange. Dunn's test compares independent samples and so ignores the data sets; "
    "Bonferroni and Dunn's, which Demsar means, compares mean ranks with one control.",
)
CORRELATED = Remark(
    "The article's own derivation takes the ranks of two classifiers on one data set for independent and gets "
    "√((K − 1)(K + 1) / 6N), 0.4226. They are negatively correlated, since their sum is fixed, and the formula that it "
    "quotes is right.",
)


def of_pairs(matrix: np.ndarray) -> list[float]:
    return [float(matrix[pair]) for pair in combinations(range(len(matrix)), 2)]


def of_tukey(pair: tuple[int, int], differs: str, p: str, ends: str) -> Iterator[Row]:
    """The article's line of one pair: later less earlier algorithm, as statsmodels has it."""
    i, j = pair
    name, line = f"{'ABC'[i]} and {'ABC'[j]}", str(236 + i + j)

    def tukey() -> tuple[float, float, float]:
        found = tukey_test(THREE, repeated=False)
        return found.estimates[j, i], found.pvalues[j, i], found.critical_difference

    def scipy(ask: Callable[[Any], Any]) -> Check:
        return Check("scipy's tukey_hsd", lambda: ask(others.tukey()))

    cut = CAPPED if p == "0.9" else None
    both = scipy(lambda found: [ends[j, i] for ends in found.confidence_interval()])

    def interval() -> list[float]:
        middle, _, half = tukey()
        return [middle - half, middle + half]

    yield Row("Tukey test", line, f"{name}: difference", "tukey_test", lambda: tukey()[0], differs)
    yield Row(
        "Tukey test",
        line,
        f"{name}: p-value",
        "tukey_test",
        lambda: tukey()[1],
        p,
        scipy(lambda found: found.pvalue[j, i]),
        cut,
    )
    yield Row("Tukey test", line, f"{name}: interval", "tukey_test", interval, ends, both, INTERPOLATED)


def of_dunn(line: str, correction: str, printed: str) -> Row:
    return Row(
        "Dunn test",
        line,
        f"p-values of the six pairs, {correction}",
        "dunn_test",
        lambda: of_pairs(dunn_test(TABLE, correction=correction.lower()).pvalues),
        ", ".join([printed] * 6),
        Check("by Dunn's formula", lambda: others.dunn(correction.lower())),
        UNPAIRED,
    )


def of_matrix(where: str, by: str, pair: int, line: str, printed: str, remark: Remark) -> Row:
    i, j = others.PAIRS[pair]
    test, check = {
        "nemenyi_test": (nemenyi_test, Check("scipy's quad", lambda: others.nemenyi()[pair])),
        "conover_test": (
            lambda table: conover_test(table, correction="none"),
            Check("by Conover's formula", lambda: others.conover()[pair]),
        ),
    }[by]
    return Row(
        where,
        line,
        f"p-value of {'ABCD'[i]} and {'ABCD'[j]}",
        by,
        lambda: test(TABLE).pvalues[i, j],
        printed,
        check,
        remark,
    )


TUKEY = (
    *of_tukey((0, 1), "4.6", "0.0144", "0.9526, 8.2474"),
    *of_tukey((0, 2), "0.26", "0.9", "-3.3874, 3.9074"),
    *of_tukey((1, 2), "-4.34", "0.0203", "-7.9874, -0.6926"),
)

POSTHOCS = (
    Row(
        "Nemenyi test",
        "343-351",
        "standard error of the difference of two mean ranks",
        "nemenyi_test",
        lambda: np.sqrt(2) * nemenyi_test(TABLE).estimates[0, 1] / nemenyi_test(TABLE).statistics[0, 1],
        check=Check("over all orders of four", others.error_of_ranks),
        remark=CORRELATED,
    ),
    Row(
        "Nemenyi test",
        "345",
        "critical difference at 5%",
        "critical_difference",
        lambda: critical_difference(4, 14),
        check=Check("scipy's studentized_range", others.critical_difference),
    ),
    of_matrix("Nemenyi test", "nemenyi_test", 0, "361", "0.088552", INTERPOLATED),
    of_matrix("Nemenyi test", "nemenyi_test", 1, "361", "0.90000", CAPPED),
    of_matrix("Nemenyi test", "nemenyi_test", 2, "361", "0.061744", INTERPOLATED),
    of_matrix("Nemenyi test", "nemenyi_test", 3, "362", "0.22683", INTERPOLATED),
    of_matrix("Nemenyi test", "nemenyi_test", 4, "362", "0.900000", CAPPED),
    of_matrix("Nemenyi test", "nemenyi_test", 5, "363", "0.17023", INTERPOLATED),
    of_dunn("400-403", "Bonferroni", "1.0"),
    of_dunn("414-417", "Holm", "1.0"),
    of_dunn("424-427", "Hochberg", "0.986129"),
    Row(
        "Bonferroni-Dunn test",
        "372",
        "p-values against the first classifier",
        "control_test",
        lambda: control_test(TABLE, control=0, correction="bonferroni").pvalues,
        check=Check("scipy's norm", others.bonferroni_dunn),
        remark=UNPAIRED,
    ),
    *(
        of_matrix("Conover test", "conover_test", pair, line, printed, CONOVER)
        for pair, line, printed in (
            (0, "439", "0.018734"),
            (1, "439", "0.648091"),
            (2, "439", "0.012889"),
            (3, "440", "0.053268"),
            (4, "440", "0.878934"),
            (5, "441", "0.038109"),
        )
    ),
)
