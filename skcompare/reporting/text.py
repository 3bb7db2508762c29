"""The summary as plain text: the answer, the leader against the others, what it rests on, the warnings."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from skcompare._core.numbers import percent_of
from skcompare._core.text import item, wrap
from skcompare._core.warnings import Code
from skcompare._core.words import counted, listed
from skcompare.reporting import _words as words
from skcompare.reporting.answer import MAX_NAMED, named, overview
from skcompare.reporting.calibrated import calibrated as calibrated_words
from skcompare.reporting.error_rate import each_metric, error_rate
from skcompare.reporting.summary.evaluation import EvaluationSummary
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import StudySummary
from skcompare.reporting.summary.warnings import JOINTLY
from skcompare.reporting.text_tables import details, leader_table, pair_table
from skcompare.reporting.verdict import by_weight, compared_with, could_have_shown, sentences

MAX_WARNINGS, MAX_CODES = 3, 2
MAX_LINES, MAX_LINES_OF_TWO = 35, 23  # of the short text, as far as warnings can give way
_LINES_OF_WARNINGS = 1  # where they are
MAX_LENGTH = 220  # characters of a warning in the short text
TERMS = "The words and columns are explained in the documentation: Reading a summary."


def text_report(summary: ComparedSummary, detail: str = "short") -> str:
    """The answer first; ``detail="full"`` adds all models on all metrics, all pairs, and how everything was found."""
    two = len(summary.estimators) == 2
    full = detail == "full"
    forbidding, others = by_weight(summary)
    if not full:
        others = [warning for warning in others if not warning.where.endswith(JOINTLY)]
        others = [w for w in others if summary.answer.within_reach or w.code != Code.CANNOT_REJECT.name]
    first = "\n".join([wrap(" ".join(sentences(summary))), *(item(shortened(warning, full)) for warning in forbidding)])
    blocks = [
        first,
        _heading(summary),
        "" if two else leader_table(summary),
        *(details(summary) if full else []),
        *([] if two or full else [wrap(overview(summary.answer))]),
        *([wrap(_detectable(summary, full)), joint_block(summary)] if full else []),
        "\n".join([_method(summary), TERMS] if full else [*map(wrap, _rests_on(summary)), TERMS]),
    ]
    if two:
        lines = sum(len(block.splitlines()) + 1 for block in blocks if block) + (_LINES_OF_WARNINGS if others else 0)
        blocks[2] = pair_table(summary, inf if full else MAX_LINES_OF_TWO - lines)
    text = "\n\n".join(block for block in blocks if block)
    room = (MAX_LINES_OF_TWO if two else MAX_LINES) - len(text.splitlines()) - 1
    warned = warnings_block(others, full, room)
    return f"{text}{_between(warned)}{warned}"


def _between(warned: str) -> str:
    """A list of warnings stands below an empty line, a line that counts them does not."""
    return "\n\n" if "\n" in warned else "\n" if warned else ""


def _detectable(summary: ComparedSummary, full: bool = False) -> str:
    """In short of the first metric, where models are open on it; of two models on all where these are few."""
    first = summary.answer.metrics[0]
    if full or (len(summary.estimators) == 2 and len(summary.detectable) <= MAX_NAMED):
        return could_have_shown(summary)
    return could_have_shown(summary, first.metric) if first.not_different else ""


def _heading(summary: ComparedSummary) -> str:
    names = summary.estimators
    who = f"{names[0]} against {names[1]}" if len(names) == 2 else named(names, "models")
    if isinstance(summary, StudySummary):
        datasets = summary.datasets
        shown = listed(datasets) if len(datasets) <= words.MAX_ROWS else f"{', '.join(datasets[:5])} and others"
        return wrap(f"{who} on {words.datasets_and_designs(summary)}: {shown}")
    assert isinstance(summary, EvaluationSummary)
    if summary.kind != "folds":
        trained = "" if summary.train_size is None else f", trained on {summary.train_size:.0f} others"
        return wrap(f"{who}: {summary.design}{trained}. {words.scope(summary)}")
    splits = counted(summary.n_splits, "split")
    if summary.n_seeds > 1:
        splits += f", {summary.n_seeds} seeds on each"
    if summary.train_size is not None:
        trained = " to ".join(map(str, summary.train_range)) or f"{summary.train_size:.0f}"
        tested = " to ".join(map(str, summary.test_range)) or f"{summary.test_size:.0f}"
        splits += f", trained on {trained} and tested on {tested} samples"
    return wrap(f"{who}: {words.setting(summary)} ({splits})")


def joint_block(summary: ComparedSummary) -> str:
    """What the dominance test says of all metrics together, empty where there is none."""
    lines = words.joint_lines(summary)
    if not lines:
        return ""
    return "\n".join([wrap(f"{words.joint_heading(summary)}:"), *(item(line) for line in lines)])


# ---- what it rests on -----------------------------------------------------------------------------------------


def _rests_on(summary: ComparedSummary) -> list[str]:
    """In short: what could have been found, the test and its error rate."""
    calibrated = calibrated_words(summary.calibration) if summary.calibration else ""
    test = f"{_budget(summary)} {calibrated or error_rate(summary)}".strip()
    return [line for line in (_detectable(summary), compared_with(summary), test) if line]


def _budget(summary: ComparedSummary) -> str:
    if summary.answer.sequential:
        decided = f"significant {words.decided_by(summary)}.{words.only_tested(summary.rows)}"
        return f"Test: corrected_t_test after every look; {decided}"
    what = f"Test: {summary.procedure}"
    alpha = percent_of(summary.alpha)
    if summary.n_hypotheses < 2:
        return f"{what} at {alpha}."
    budget = f"over {summary.n_hypotheses} comparisons, {alpha} for all together"
    return f"{what}; p adj. is adjusted ({summary.correction}) {budget}."


def _method(summary: ComparedSummary) -> str:
    lines = [
        f"{_budget(summary)} {_why(summary)} It assumes {listed(summary.assumes.split('; '))}.",
        error_rate(summary),
        each_metric(summary),
    ]
    if isinstance(summary, StudySummary):
        cases = words.cases_of(summary)
        lines.append(
            f"Each {cases.removesuffix('s')} is one case, its mean score. a - b is the median difference over pairs of "
            f"{cases} (Hodges and Lehmann), w/t/l the {cases} that a wins, ties and loses."
        )
    if isinstance(summary, EvaluationSummary) and summary.seeds:
        metrics = dict.fromkeys(one.metric for one in summary.seeds)
        lines.append(" ".join([words.seeds(summary), *(words.seeds(summary, metric) for metric in metrics)]))
    looks = ", and does not allow for looks" if summary.sequential else ""
    lines.append(f"Each interval is for its own comparison alone{looks}.")
    lines.append(words.reversed_sign(summary.costs))
    if isinstance(summary, EvaluationSummary) and summary.positive_class is not None:
        lines.append(f"Positive class: {summary.positive_class}.")
    return "\n".join(wrap(line) for line in lines if line)


def _why(summary: ComparedSummary) -> str:
    """Why this test, and what it was calibrated on."""
    if summary.calibration is not None:
        return calibrated_words(summary.calibration)
    if isinstance(summary, EvaluationSummary) and summary.reason:
        return f"It is the default for this design: {summary.reason}."
    return ""


# ---- warnings -------------------------------------------------------------------------------------------------


def warnings_block(warnings: Sequence[str], full: bool, room: float = inf) -> str:
    """The warnings as a list, empty where there are none; in short the first of them that so many lines can hold."""
    if not warnings:
        return ""
    items = [item(shortened(warning, full)) for warning in warnings]
    if full or (len(items) <= MAX_WARNINGS and _n_lines(items) < room):
        return "\n".join(["Warnings:", *items])
    n_shown = max(n for n in range(MAX_WARNINGS + 1) if n == 0 or _n_lines(items[:n]) < room - 1)
    if not n_shown:
        codes = list(dict.fromkeys(str(warning).split(":")[0].split(" ")[0] for warning in warnings))
        which = listed(codes if len(codes) <= MAX_CODES else [*codes[:MAX_CODES], "others"])
        said = f'{counted(len(items), "warning")} ({which}): summary(detail="full").'
        return said if wrap(said) == said else said.replace(which, listed([codes[0], "others"]))
    more = item(f'{len(items) - n_shown} more: summary(detail="full").')
    return "\n".join(["Warnings:", *items[:n_shown], more])


def _n_lines(items: Sequence[str]) -> int:
    return sum(len(one.splitlines()) for one in items)


def shortened(warning: str, full: bool) -> str:
    """A warning, in short cut behind a word where it is long."""
    if full or len(warning) <= MAX_LENGTH:
        return warning
    begun, _, _ = warning[: MAX_LENGTH - 3].rpartition(" ")
    return f"{begun or warning[: MAX_LENGTH - 4]} ..."
