"""The summary as plain text: the answer, the leader against the others, what it rests on, the warnings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from skcompare._core.numbers import counted, listed, number, percent_of, pvalue
from skcompare._core.text import OUTCOME, WIDTH, item, table, width, wrap
from skcompare._core.warnings import Code
from skcompare.comparison.answer import MetricAnswer
from skcompare.comparison.means import MetricMeans
from skcompare.comparison.ranking import all_equal
from skcompare.comparison.table import ComparisonRow
from skcompare.reporting import words
from skcompare.reporting.answer import (
    MAX_NAMED,
    by_weight,
    compared_with,
    could_have_shown,
    models,
    named,
    only_leading,
    overview,
    sentences,
)
from skcompare.reporting.error_rate import calibrated as calibrated_words
from skcompare.reporting.error_rate import each_metric, error_rate
from skcompare.reporting.scores_table import WITH_GAPS, about_intervals, has_gaps, own_scores, shared
from skcompare.reporting.summary.evaluation import EvaluationSummary, leading_models, shown_rows
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import RankingSummary, StudySummary
from skcompare.reporting.summary.warnings import JOINTLY

# The tables of the summary as plain text: two models, the leader against the others, everything.


LONG_NAMES = 20  # characters in two names that still fit a column heading together
MAX_MODELS = 10
MIN_METRICS = 2  # of two models, however little room there is
DATASETS = "data sets"


# ---- two models -----------------------------------------------------------------------------------------------


def pair_lines(summary: ComparedSummary, most: float = words.MAX_ROWS) -> tuple[list[str], list[list[str]]]:
    """Two models on all metrics, of many the first and the clearest: the header and the rows."""
    a, b = summary.estimators
    difference = words.difference(summary.rows, f"{a} - {b}" if _fit_heading(a, b) else "difference")
    shown = words.clearest(summary.rows, int(min(most, len(summary.rows))))
    lines = [
        [words.metric_of(row, summary.costs), *words.numbers(row).values(), *_findings(row, summary)] for row in shown
    ]
    return [
        "metric",
        a,
        b,
        difference,
        words.interval_at(summary.confidence_level),
        *_n_used(summary),
        *_tested(summary),
    ], lines


def _fit_heading(a: str, b: str) -> bool:
    return len(a) + len(b) <= LONG_NAMES


def pair_table(summary: ComparedSummary, n_lines: float) -> str:
    """As many metrics as so many lines hold, and how many more there are."""
    most = len(summary.rows)
    shown = _pair_table(summary, most)
    while len(shown.splitlines()) > n_lines and most > MIN_METRICS:
        most -= 1
        shown = _pair_table(summary, most)
    return shown


def _pair_table(summary: ComparedSummary, most: int) -> str:
    """So many metrics; where that is too wide, without the words and the column that a line below can replace."""
    a, b = summary.estimators
    header, lines = pair_lines(summary, most)
    left = (0, len(header) - 1)
    notes = [] if _fit_heading(a, b) else [f"A positive difference favours {a}."]
    if width(table(header, lines, left=left)) > WIDTH and summary.costs:
        lines = [[metric.removesuffix(words.LESS), *cells] for metric, *cells in lines]
        notes.append(words.reversed_sign(summary.costs))
    if width(table(header, lines, left=left)) > WIDTH and DATASETS in header:
        header, lines = _without_datasets(header, lines)
        notes.append(_over_datasets(summary))
    more = len(summary.rows) - len(lines)
    rest = [f'{counted(more, "more metric")}: summary(detail="full").'] if more > 0 else []
    return "\n".join([table(header, lines, left=(0, len(header) - 1)), *map(wrap, notes), *rest])


def _without_datasets(header: list[str], lines: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    at = header.index(DATASETS)
    return [*header[:at], *header[at + 1 :]], [[*line[:at], *line[at + 1 :]] for line in lines]


def _over_datasets(summary: ComparedSummary, metric: str | None = None) -> str:
    """On how many data sets the comparisons are, as a sentence."""
    assert isinstance(summary, StudySummary)
    used = [row.wins + row.ties + row.losses for row in summary.rows if metric in (None, row.metric)]
    span = " to ".join(dict.fromkeys(str(n) for n in (min(used), max(used))))
    return f"The comparisons are over {span} of {summary.how_many}."


def _tested(summary: ComparedSummary) -> list[str]:
    """The columns of a test; an evaluation that was looked at has no p-value that allows for it."""
    return [OUTCOME] if summary.answer.sequential else ["p adj.", OUTCOME]


def _n_used(summary: ComparedSummary) -> list[str]:
    """A column with the data sets of each comparison, where these are not all of them."""
    if not isinstance(summary, StudySummary):
        return []
    n = len(summary.datasets)
    return [DATASETS] if any(row.wins + row.ties + row.losses < n for row in summary.rows) else []


def _findings(row: ComparisonRow, summary: ComparedSummary) -> list[str]:
    """The last cells of a row."""
    used = []
    if isinstance(summary, StudySummary) and _n_used(summary):
        used = [str(row.wins + row.ties + row.losses)]
    tested = [] if summary.answer.sequential else [pvalue(row.pvalue_adjusted, summary.alpha)]
    return [*used, *tested, words.verdict(row)]


# ---- more models ----------------------------------------------------------------------------------------------


def leader_lines(summary: ComparedSummary) -> tuple[list[str], list[list[str]]]:
    """The models on the first metric, the best first, each with the leader's difference to it: header and rows."""
    first = summary.answer.metrics[0]
    means = next(metric for metric in summary.metrics if metric.name == first.metric)
    rows = {frozenset((row.a, row.b)): row for row in summary.rows if row.metric == first.metric}
    scores = words.column(means.means)
    ranked = isinstance(summary, StudySummary)
    header = [first.metric, *(["mean rank"] if ranked else []), "mean"]
    if first.leader is not None:
        header += [
            words.difference(list(rows.values()), "lead") if ranked else "leader's lead",
            words.interval_at(summary.confidence_level),
            *_n_used(summary),
            *_tested(summary),
        ]
    names = dict(zip(summary.estimators, models(summary), strict=True))
    lines = []
    for name in _order(first, means, summary.estimators):
        i = summary.estimators.index(name)
        cells = [names[name], *([number(means.mean_ranks[i], 2)] if ranked else []), scores[i]]
        if first.leader is not None:
            row = rows.get(frozenset((first.leader, name)))
            cells += _against(row, first, summary) if row else [""] * (len(header) - len(cells) - 1) + ["leads"]
        lines.append(cells)
    return header, lines


def leader_table(summary: ComparedSummary) -> str:
    """The models on the first metric, and what holds for the columns."""
    first = summary.answer.metrics[0]
    header, lines = leader_lines(summary)
    more, lines = len(lines) - MAX_MODELS, lines[:MAX_MODELS]
    left = (0, len(header) - 1) if first.leader else (0,)
    gaps = isinstance(summary, StudySummary) and has_gaps(summary)
    common = f"means{shared(summary)}" if shared(summary) else "no data set has all models"
    notes = [f"Means and mean ranks allow for gaps: {common}; {WITH_GAPS}."] if gaps else []
    if width(table(header, lines, left=left)) > WIDTH and DATASETS in header:
        header, lines = _without_datasets(header, lines)
        left = (0, len(header) - 1)
        notes.append(_over_datasets(summary, first.metric))
    rest = [f'{counted(more, "more model")}: summary(detail="full").'] if more > 0 else []
    return "\n".join([table(header, lines, left=left), *([wrap(" ".join(notes))] if notes else []), *rest])


def _against(row: ComparisonRow, first: MetricAnswer, summary: ComparedSummary) -> list[str]:
    leader = str(first.leader)
    facing = words.seen_from(row, leader)
    outcome = words.verdict(facing)
    if facing.b in first.worse:
        outcome = "significantly worse" if facing.winner == leader else "significantly worse than another"
    found = _findings(facing, summary)[:-1]
    return [*list(words.numbers(facing).values())[2:], *found, outcome]


def _order(first: MetricAnswer, means: MetricMeans, names: Sequence[str]) -> list[str]:
    """The leader, then the others by their means; those without one last."""
    merit = dict(zip(names, means.merits, strict=True))
    known = sorted((name for name in names if merit[name] == merit[name]), key=lambda name: -merit[name])
    order = known + [name for name in names if merit[name] != merit[name]]
    return order if first.leader is None else [first.leader, *(name for name in order if name != first.leader)]


# ---- everything -----------------------------------------------------------------------------------------------


def details(summary: ComparedSummary) -> Iterator[str]:
    """All models on all metrics, and all pairs."""
    several = len(summary.estimators) > 2
    if not isinstance(summary, StudySummary) and (several or summary.intervals is not None):
        *panels, last = _means_tables(summary)
        yield from panels
        yield "\n".join([last, *_about_means(summary)])
    if several:
        if isinstance(summary, StudySummary):
            yield from (_ranks(ranking, summary) for ranking in summary.rankings)
        yield from (_pairs_on(metric, summary) for metric in dict.fromkeys(row.metric for row in summary.rows))
        if leading_models(summary):
            yield wrap(only_leading(summary))


def _means_tables(summary: ComparedSummary) -> Iterator[str]:
    """The means on all metrics, in as many tables as their columns need."""
    columns = [(metric.name, *cells) for metric, cells in own_scores(summary)]
    panel: list[tuple[str, ...]] = [
        ("score" if words.cases_of(summary) == "samples" else "mean score", *models(summary))
    ]
    names = panel[0]
    for column in columns:
        if len(panel) > 1 and width(_means_table([*panel, column])) > WIDTH:
            yield _means_table(panel)
            panel = [names]
        panel.append(column)
    yield _means_table(panel)


def _about_means(summary: ComparedSummary) -> Iterator[str]:
    """What the intervals beside the means are, where there are any."""
    said = about_intervals(summary)
    if summary.intervals is not None and said:
        yield wrap(f"{said[0].upper()}{said[1:]}, {summary.intervals.about}; differences are tested by compare().")


def _means_table(columns: Sequence[tuple[str, ...]]) -> str:
    header, *lines = zip(*columns, strict=True)
    return table(header, lines, left=(0,))


def _ranks(ranking: RankingSummary, summary: StudySummary) -> str:
    means = words.column([model.mean for model in ranking.models])
    lines = [
        [model.name, f"{model.mean_rank:.2f}", mean, model.group]
        for model, mean in zip(ranking.models, means, strict=True)
    ]
    letters = [model.group for model in ranking.models]
    equal = all_equal(ranking.method, ranking.pvalue, letters, summary.alpha, summary.answer.baseline)
    note = wrap(f"Models that share a letter are not significantly different. {equal}")
    return f"{table([ranking.metric, 'mean rank', 'mean score', 'group'], lines, left=(0, 3))}\n{note}"


def _pairs_on(metric: str, summary: ComparedSummary) -> str:
    """All pairs on a metric; of a study with the data sets that are won, tied and lost."""
    rows = [row for row in shown_rows(summary) if row.metric == metric]
    study = isinstance(summary, StudySummary)
    lines = [
        [
            *(row.a, row.b),
            *list(words.numbers(row).values())[2:],
            *([words.record(row)] if study else []),
            *_findings(row, summary)[len(_n_used(summary)) :],
        ]
        for row in rows
    ]
    difference = words.difference(summary.rows, "a - b")
    header = [
        "a",
        "b",
        difference,
        words.interval_at(summary.confidence_level),
        *(["w/t/l"] if study else []),
        *_tested(summary),
    ]
    title = wrap(f"Pairs on {words.metric_of(rows[0], summary.costs)}:")
    return f"{title}\n{table(header, lines, left=(0, 1, len(header) - 1))}"


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
