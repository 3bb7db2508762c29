"""The summary as plain text: the answer, the leader against the others, what it rests on, the warnings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from skcompare._core.numbers import number
from skcompare._core.text import item, table, wrap
from skcompare.comparison.answer import MetricAnswer
from skcompare.comparison.means import MetricMeans
from skcompare.comparison.ranking import all_equal
from skcompare.comparison.table import ComparisonRow
from skcompare.reporting import _words as words
from skcompare.reporting.answer import MAX_NAMED, named, overview
from skcompare.reporting.error_rate import each_metric, error_rate
from skcompare.reporting.scores_table import shared
from skcompare.reporting.summary.evaluation import EvaluationSummary
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import RankingSummary, StudySummary
from skcompare.reporting.summary.warnings import JOINTLY
from skcompare.reporting.verdict import by_weight, could_have_shown, is_of_rows, models, sentences

LONG_NAMES = 20  # characters in two names that still fit a column heading together
MAX_MODELS = 10
MAX_WARNINGS, MAX_CODES = 3, 2
MAX_LINES, MAX_LINES_OF_TWO = 35, 22  # of the short text, as far as warnings can give way
_LINES_OF_WARNINGS = 2  # an empty one, and where they are
MAX_WIDTH = 120  # of a table, where the words beside its metrics can stand below it
_HEADING = 2  # lines above a table
MIN_METRICS = 3  # of two models, however little room there is
MAX_LENGTH = 220  # characters of a warning in the short text
TERMS = "The words and columns are explained in the documentation: Reading a summary."


def text_report(summary: ComparedSummary, detail: str = "short") -> str:
    """The answer first; ``detail="full"`` adds all models on all metrics, all pairs, and how everything was found."""
    two = len(summary.estimators) == 2
    full = detail == "full"
    forbidding, others = by_weight(summary)
    if not full:
        others = [warning for warning in others if not warning.where.endswith(JOINTLY)]
        others = [warning for warning in others if summary.answer.within_reach or not is_of_rows(warning)]
    first = "\n".join([wrap(" ".join(sentences(summary))), *(item(shortened(warning, full)) for warning in forbidding)])
    blocks = [
        first,
        _heading(summary),
        "" if two else _leader_table(summary),
        *(_details(summary) if full else []),
        *([] if two or full else [wrap(overview(summary.answer))]),
        wrap(_detectable(summary, full)),
        joint_block(summary) if full else "",
        "\n".join([_method(summary) if full else _test(summary), TERMS]),
    ]
    if two:
        lines = sum(len(block.splitlines()) + 1 for block in blocks if block) + (_LINES_OF_WARNINGS if others else 0)
        blocks[2] = _pair_table(summary, inf if full else MAX_LINES_OF_TWO - lines)
    text = "\n\n".join(block for block in blocks if block)
    room = (MAX_LINES_OF_TWO if two else MAX_LINES) - len(text.splitlines()) - 1
    return "\n\n".join(part for part in (text, warnings_block(others, full, room)) if part)


def _detectable(summary: ComparedSummary, full: bool) -> str:
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
        shown = words.listed(datasets) if len(datasets) <= words.MAX_ROWS else f"{', '.join(datasets[:5])} and others"
        return wrap(f"{who} on {words.datasets_and_designs(summary)}: {shown}")
    assert isinstance(summary, EvaluationSummary)
    splits = words.counted(summary.n_splits, "split")
    if summary.train_size is not None:
        splits += f", trained on {summary.train_size:.0f} and tested on {summary.test_size:.0f} samples"
    return wrap(f"{who}: {words.setting(summary)} ({splits})")


# ---- two models -----------------------------------------------------------------------------------------------


def pair_lines(summary: ComparedSummary, most: float = words.MAX_ROWS) -> tuple[list[str], list[list[str]]]:
    """Two models on all metrics, of many the first and the clearest: the header and the rows."""
    a, b = summary.estimators
    difference = words.difference(summary.rows, f"{a} - {b}" if _fit_heading(a, b) else "difference")
    shown = words.clearest(summary.rows, int(min(most, len(summary.rows))))
    lines = [
        [words.metric_of(row, summary.costs), *words.numbers(row).values(), *_findings(row, summary)] for row in shown
    ]
    return ["metric", a, b, difference, "95% interval", *_n_used(summary), *_tested(summary)], lines


def _fit_heading(a: str, b: str) -> bool:
    return len(a) + len(b) <= LONG_NAMES


def _pair_table(summary: ComparedSummary, n_lines: float) -> str:
    """As many metrics as so many lines hold, and how many more there are."""
    a, b = summary.estimators
    legend = "" if _fit_heading(a, b) else f"\n{wrap(f'The difference is {a} minus {b}: + favours the first.')}"
    room = n_lines - len(legend.splitlines()[1:]) - _HEADING
    most = room if len(summary.rows) <= room else max(room - 1, MIN_METRICS)
    header, lines = pair_lines(summary, most)
    if max(map(len, table(header, lines, left=()).splitlines())) > MAX_WIDTH and summary.costs:
        lines = [[metric.removesuffix(words.LESS), *cells] for metric, *cells in lines]
        legend += f"\n{wrap(words.reversed_sign(summary.costs))}"
    more = len(summary.rows) - len(lines)
    rest = f'\n{words.counted(more, "more metric")}: summary(detail="full").' if more > 0 else ""
    return table(header, lines, left=(0, len(header) - 1)) + legend + rest


def _tested(summary: ComparedSummary) -> list[str]:
    """The columns of a test; an evaluation that was looked at has no p-value that allows for it."""
    return ["outcome"] if summary.answer.sequential else ["p adj.", "outcome"]


def _n_used(summary: ComparedSummary) -> list[str]:
    """A column with the data sets of each comparison, where these are not all of them."""
    if not isinstance(summary, StudySummary):
        return []
    n = len(summary.datasets)
    return ["data sets"] if any(row.wins + row.ties + row.losses < n for row in summary.rows) else []


def _findings(row: ComparisonRow, summary: ComparedSummary) -> list[str]:
    """The last cells of a row."""
    used = []
    if isinstance(summary, StudySummary) and _n_used(summary):
        used = [f"{row.wins + row.ties + row.losses} of {len(summary.datasets)}"]
    tested = [] if summary.answer.sequential else [words.pvalue(row.pvalue_adjusted)]
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
            "95% interval",
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


def _leader_table(summary: ComparedSummary) -> str:
    header, lines = leader_lines(summary)
    more = len(lines) - MAX_MODELS
    rest = f'\n{words.counted(more, "more model")}: summary(detail="full").' if more > 0 else ""
    left = (0, len(header) - 1) if summary.answer.metrics[0].leader else (0,)
    common = shared(summary) if isinstance(summary, StudySummary) else ""
    note = f"\n{wrap(f'Means and mean ranks{common}.')}" if common else ""
    return table(header, lines[:MAX_MODELS], left=left) + note + rest


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


def _details(summary: ComparedSummary) -> Iterator[str]:
    """All models on all metrics, and all pairs."""
    if len(summary.estimators) > 2:
        if isinstance(summary, StudySummary):
            yield from (_ranks(ranking, summary.alpha) for ranking in summary.rankings)
        else:
            yield _means_table(summary)
        yield _all_pairs(summary)


def _means_table(summary: ComparedSummary) -> str:
    header = ["mean score", *(metric.name for metric in summary.metrics)]
    columns = [words.column(metric.means) for metric in summary.metrics]
    return table(header, list(zip(models(summary), *columns, strict=True)), left=(0,))


def _ranks(ranking: RankingSummary, alpha: float) -> str:
    means = words.column([model.mean for model in ranking.models])
    lines = [
        [model.name, f"{model.mean_rank:.2f}", mean, model.group]
        for model, mean in zip(ranking.models, means, strict=True)
    ]
    letters = [model.group for model in ranking.models]
    equal = all_equal(ranking.method, ranking.pvalue, letters, alpha)
    note = wrap(f"Models that share a letter are not significantly different. {equal}")
    return f"{table([ranking.metric, 'mean rank', 'mean score', 'group'], lines, left=(0, 3))}\n{note}"


def _all_pairs(summary: ComparedSummary) -> str:
    several = len(summary.metrics) > 1
    study = isinstance(summary, StudySummary)
    lines = [
        [
            *([words.metric_of(row, summary.costs)] if several else []),
            *(row.a, row.b),
            *list(words.numbers(row).values())[2:],
            *([f"{row.wins}/{row.ties}/{row.losses}"] if study else []),
            *_findings(row, summary),
        ]
        for row in summary.rows
    ]
    header = [
        *(["metric"] if several else []),
        "a",
        "b",
        words.difference(summary.rows, "a - b"),
        "95% interval",
        *(["w/t/l"] if study else []),
    ]
    header += [*_n_used(summary), *_tested(summary)]
    return table(header, lines, left=(0, 1, *((2,) if several else ()), len(header) - 1))


def joint_block(summary: ComparedSummary) -> str:
    """What the dominance test says of all metrics together, empty where there is none."""
    lines = words.joint_lines(summary)
    if not lines:
        return ""
    return "\n".join([wrap(f"{words.joint_heading(summary)}:"), *(item(line) for line in lines)])


# ---- what it rests on -----------------------------------------------------------------------------------------


def _test(summary: ComparedSummary) -> str:
    """The test and its error rate."""
    calibrated = words.calibrated(summary.calibration) if summary.calibration else ""
    return "\n".join(wrap(line) for line in (_budget(summary), calibrated or error_rate(summary)) if line)


def _budget(summary: ComparedSummary) -> str:
    what = f"Test: {summary.procedure}"
    if summary.answer.sequential:
        return f"{what} after every look; significant {words.decided_by(summary)}.{words.only_tested(summary.rows)}"
    alpha = f"{100 * summary.alpha:g}%"
    if summary.n_hypotheses < 2:
        return f"{what} at {alpha}."
    budget = f"over {summary.n_hypotheses} comparisons, {alpha} for all together"
    return f"{what}; p adj. is adjusted ({summary.correction}) {budget}."


def _method(summary: ComparedSummary) -> str:
    lines = [
        f"{_budget(summary)} {_why(summary)} It assumes {words.listed(summary.assumes.split('; '))}.",
        error_rate(summary),
        each_metric(summary),
    ]
    if isinstance(summary, StudySummary):
        lines.append(
            "Each data set is one case, its mean score. a - b is the median difference over pairs of data sets (Hodges "
            "and Lehmann), w/t/l the data sets that a wins, ties and loses."
        )
    looks = ", and does not allow for looks" if summary.sequential else ""
    lines.append(f"Each interval is for its own comparison alone{looks}.")
    lines.append(words.reversed_sign(summary.costs))
    if isinstance(summary, EvaluationSummary) and summary.positive_class is not None:
        lines.append(f"Positive class: {summary.positive_class}.")
    return "\n".join(wrap(line) for line in lines if line)


def _why(summary: ComparedSummary) -> str:
    """Why this test, and what it was calibrated on."""
    if summary.calibration is not None:
        return words.calibrated(summary.calibration)
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
        which = words.listed(codes if len(codes) <= MAX_CODES else [*codes[:MAX_CODES], "others"])
        return f'{words.counted(len(items), "warning")} ({which}): summary(detail="full").'
    more = item(f'{len(items) - n_shown} more: summary(detail="full").')
    return "\n".join(["Warnings:", *items[:n_shown], more])


def _n_lines(items: Sequence[str]) -> int:
    return sum(len(one.splitlines()) for one in items)


def shortened(warning: str, full: bool) -> str:
    """A warning, in short cut where it is long."""
    return warning if full or len(warning) <= MAX_LENGTH else f"{warning[: MAX_LENGTH - 3]}..."
