"""Patterns of wins, procedures, p-values and probabilities in as few words as a picture has room for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from skcompare._core.names import choose_metrics
from skcompare._core.numbers import percent, probability
from skcompare._core.validation import FloatArray
from skcompare.comparison.compare import Scores
from skcompare.comparison.dominance_table import dominance_said
from skcompare.inference.dominance.statements import statement_bits
from skcompare.plotting._style import labels
from skcompare.scores.study import StudyScores

LONGEST_NAME = 16
LONGEST_METRIC = 18
_LONGEST_LIST = 26


def probability_text(p: float) -> str:
    """``= 0.123``, ``< 0.001``, ``> 0.999``, after the name of an event."""
    return f"= {probability(p)}".replace("= <", "< ").replace("= >", "> ")


def in_words(procedure: str) -> str:
    """The name of a procedure in words: ``"k-fold t test"`` of ``"k_fold_t_test"``."""
    words = procedure.replace("_", " ")
    for plain, spelled in (("k fold", "k-fold"), ("signed rank", "signed-rank"), ("five by two", "5x2")):
        words = words.replace(plain, spelled)
    return words


def short_statement(statement: Sequence[bool], metrics: Sequence[str], a: str, b: str) -> str:
    """Who is better on what: the better one on most, and on what it is not.

    Exceptions that have no room are given by their numbers, from 1.
    """
    names = labels(metrics, longest=LONGEST_METRIC)
    a, b = labels([a, b], longest=LONGEST_NAME)
    winner = a if 2 * sum(statement) >= len(names) else b
    exceptions = [i for i, better in enumerate(statement) if better != (winner == a)]
    if not exceptions:
        return (
            f"{winner} better on {names[0] if len(names) == 1 else 'both' if len(names) == 2 else f'all {len(names)}'}"
        )
    if len(names) == 2:
        return f"{winner} better on {names[1 - exceptions[0]]} only"
    listed = ", ".join(names[i] for i in exceptions)
    if len(listed) > _LONGEST_LIST:
        listed = f"nos. {', '.join(str(i + 1) for i in exceptions)}"
    return f"{winner} better on all but {listed}"


def pattern_title(
    statement: Sequence[bool] | None,
    metrics: Sequence[str],
    a: str,
    b: str,
    *,
    probabilities: FloatArray,
    pvalue: float,
    within_reach: bool,
) -> str:
    """The most probable pattern of wins of one pair in a line, or that there is none."""
    if statement is None:
        return "{} and {}: no pattern of wins is more frequent than all others".format(*labels([a, b], LONGEST_NAME))
    most_probable = statement_bits(len(metrics))[int(np.argmax(probabilities))].tolist()
    found = f"posterior {percent(float(np.max(probabilities)))}"
    if most_probable == [bool(better) for better in statement]:
        found += f", {dominance_said(pvalue, within_reach=within_reach)}"
    return f"most probable pattern of wins: {short_statement(most_probable, metrics, a, b)} ({found})"


def unit_of(scores: Scores) -> str:
    """What dominance counts: data sets, samples or items, or the independent cases that splits are worth."""
    if isinstance(scores, StudyScores):
        return "data sets"
    alone = scores.design.kind != "folds" and scores.design.n_clusters is None
    return scores.design.cases if alone else "effective cases"


def two_metrics(metrics: Sequence[str] | None, known: tuple[str, ...]) -> tuple[str, str]:
    """The two metrics of a plane, the first two by default, or ValueError."""
    names = choose_metrics(metrics, known)
    chosen = names[:2] if metrics is None else names
    if len(chosen) != 2:
        raise ValueError(f"metrics must name exactly two metrics; got {', '.join(map(repr, chosen))}")
    return chosen[0], chosen[1]
