"""The answer as a short document: what to use, by how much, how sure; the models on all metrics; on what it rests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import comb, isfinite
from operator import attrgetter

from skcompare._core.document import Column, Document, Grid, Paragraph, as_texts
from skcompare._core.metrics import label
from skcompare._core.numbers import agreeing, counted, listed, one_of, percent
from skcompare._core.text import capital
from skcompare._core.validation import DUMMY
from skcompare._core.warnings import CAUTIONS, Code, CodedWarning
from skcompare.comparison.dominance import dominance_said, pattern_of, stands_out
from skcompare.comparison.error_rates import ErrorRates, fragile_warnings, wrong_by_looks
from skcompare.comparison.intervals import score_intervals
from skcompare.comparison.means import MetricMeans, is_loss, led_by, over_which, shown_score
from skcompare.comparison.table import ComparisonRow, Outcome, is_median
from skcompare.reporting import columns, words
from skcompare.reporting.findings import Findings, joint_rows
from skcompare.reporting.opening import claimed, named, opening, weightiest
from skcompare.scores.study import StudyScores

MAX_NAMED = 3  # models, classes and designs in a line
MAX_ROWS = 10  # models in the table, fewer where the lines around it are many
MAX_TOGETHER = 5  # models of which all pairs are tested on all metrics together
MAX_LINES = 16, 24  # of two models, and of more; where more are needed the explanation has all metrics together


def short(found: Findings) -> Document:
    """What `print` shows of an evaluation or a study."""
    n = len(found.models)
    said = {"together": together(found), "caution": caution(found), "test": procedure_line(found)}
    title = " against ".join(found.models) if n <= 2 else f"{counted(n, 'model')} compared"
    blocks: list[Paragraph | Grid] = [
        *paragraphs({"answer": opening(found), "design": f"{design_line(found)} {scope(found)}".rstrip()}),
        pair_grid(found) if n <= 2 else model_grid(found),
        *paragraphs(said, "More: result.explain()."),
    ]
    most = MAX_LINES[1] if n > 2 else MAX_LINES[0] + max(0, len(found.metrics) - 5)  # two models have a row per metric
    if len(as_texts(blocks).splitlines()) > most:
        blocks = [block for block in blocks if block.name != "together"]
    rows = min(n, MAX_ROWS) if n > 2 else 0
    while rows > MAX_NAMED and len(as_texts(blocks).splitlines()) > most:
        rows -= 1
        blocks = [model_grid(found, rows) if block.name == "models" else block for block in blocks]
    return Document(title=title, blocks=tuple(blocks))


def paragraphs(said: Mapping[str, str], more: str = "") -> list[Paragraph]:
    """Those of some texts that are not empty; below the last stands where there is more."""
    found = list[Paragraph]()
    for name, text in said.items():
        found += [Paragraph(name=name, text=text, hint=more if name == [*said][-1] else "")] if text else []
    return found


def design_line(found: Findings) -> str:
    """The data with its classes, and how the scores were made."""
    scores = found.scores
    if isinstance(scores, StudyScores):
        ways = sorted({design.name for design in scores.designs})
        kept = f"{len(scores.datasets)} of " if scores.failures else ""
        cases = counted(len(scores.datasets) + len(scores.failures), one_of(found.answer.cases))
        assumed = " (assumed)" * any("assumed_design" in one.provenance for one in scores.results.values())
        return f"{kept}{cases}{f', {listed(ways)} on each{assumed}' if 0 < len(ways) <= MAX_NAMED else ''}."
    design, labels = scores.design, scores.task == "multilabel"
    counts = []
    for one in design.class_counts:  # a number alone would be read as another count
        named = one.label if one.label[:1].isalpha() else f"of class {one.label}"
        counts.append(f"{one.total:,} {f'with label {one.label}' if labels else named}")
    if len(counts) > MAX_NAMED:
        counts = [f"{len(counts)} {'labels' if labels else 'classes'}"]
    in_brackets, n = f" ({', '.join(counts)})" if counts else "", design.n_samples
    if n and (design.kind == "folds" or (design.kind in ("samples", "items") and not {*design.test_sizes} <= {n})):
        said = f"{n:,} samples{in_brackets}, {design.name}"
    else:
        said = f"{design.name}{in_brackets}"
    return f"{capital(said)}{' (assumed)' if 'assumed_design' in scores.provenance else ''}."


def scope(found: Findings) -> str:
    """The question where it is not the usual one, and of what the findings speak; empty of ordinary folds."""
    scores, first, asked = found.scores, found.first.metric, ""
    if first != scores.metrics[0]:
        asked = f"The question is {label(first)}, not {label(scores.metrics[0])}."
    if isinstance(scores, StudyScores):
        return asked
    kind, about = scores.design.kind, words.OTHER_RUNS if scores.design.kind == "runs" else ""
    if scores.design.time_order:
        about = words.forecasts(row for row in found.comparison if row.metric == first)
    elif kind not in ("folds", "runs"):
        about = words.of_models(kind)
    return f"{asked} {about}".strip()


# ---- the tables -----------------------------------------------------------------------------------------------


def pair_grid(found: Findings) -> Grid:
    """One model or two, one row per metric; the leader on the first metric stands first."""
    leader = found.first.leader or found.models[0]
    pair = sorted(found.models, key=leader.__ne__)
    own = found.own() if len(pair) == 1 else []
    rows, places, heads = list[ComparisonRow | None](), list[int](), dict[str, str]()
    for metric in found.metrics:
        rows += columns.facing(found.comparison, leader, pair[1:], metric.name)
        places.append(found.places[metric.name])
        heads[metric.name] = f"{label(metric.name)}{' (less)' if is_loss(metric) else ''}"
    parts = [replace(columns.text_column("metric", "metric", heads.values()), values=(*heads,))]
    for name in pair:
        i, cells, values = found.models.index(name), list[str](), list[float]()
        for metric, place in zip(found.metrics, places, strict=True):
            cells.append(columns.mean_cell(metric.name, metric.means[i], place))
            values.append(shown_score(metric.name, metric.means[i]))
        parts.append(Column(name=name, head=name, cells=tuple(cells), values=tuple(values)))
    if own:
        parts.append(columns.own_intervals(own, places))
    elif len(pair) > 1:
        parts += columns.comparison_columns(rows, places, found.comparison, wins=isinstance(found.scores, StudyScores))
    caption = f"{_notes(found, rows, pair)} {columns.legend('', compared=found.comparison, rows=rows)}".strip()
    return Grid(name="metrics", columns=tuple(parts), caption=caption)


def model_grid(found: Findings, most: int = MAX_ROWS) -> Grid:
    """Three models or more on all metrics, the leader first, with its lead on the first metric."""
    order = led_by(found.first.leader, found.models, found.means)
    more = len(order) - most
    if more > 0:  # the best ones, and whom the first line names
        told = {name: place for place, name in enumerate(named(found))}
        first = {*sorted(order, key=lambda i: told.get(found.models[i], len(told)))[:most]}
        order = [i for i in order if i in first]
    names = [found.models[i] for i in order]
    leader = found.first.leader or names[0]
    parts, shown = [columns.text_column("model", "", names)], list[ComparisonRow | None]()
    untested = list[str]()  # without a mark, as what is not significant
    ranks = found.means.mean_ranks
    if ranks and ranks != found.means.means:  # of ranks these are the means
        parts.append(columns.number_column("mean_rank", "mean rank", [ranks[i] for i in order], 2))
    for metric in found.metrics:
        own = [row for row in found.comparison if row.metric == metric.name and leader in (row.a, row.b)]
        places = found.places[metric.name]
        rows = columns.facing(own, leader, names, metric.name)
        parts.append(columns.mean_column(metric, order, places, [columns.standing(row, leader) for row in rows]))
        if metric is found.means:
            parts += columns.comparison_columns(rows, [places] * len(rows), found.comparison, of=columns.MODELS)
            parts += [] if found.ranking is None else [columns.rank_column(found.ranking, names)]
            shown = rows
        elif {row.outcome for row in own} == {Outcome.NOT_COMPARABLE} and any(map(isfinite, metric.means)):
            untested.append(label(metric.name))
    marks = " ".join(mark for column in parts for mark in column.marks)
    caption = f"{columns.legend(marks, leader, compared=found.comparison)} {_notes(found, shown, names)}".strip()
    if untested:
        are = agreeing(len(untested), "is", "are")
        caption += f" {listed(untested, MAX_NAMED)} {are} not tested: result.compare() says why."
    rest = f"{counted(more, 'more model')}: result.compare()." if more > 0 else ""
    return Grid(name="models", columns=tuple(parts), caption=caption, more=rest)


def _notes(found: Findings, shown: Sequence[ComparisonRow | None], names: Sequence[str]) -> str:
    """For what the intervals hold, where less is better, and over what the means are where scores are missing."""
    losses, lacking, with_intervals, median = list[str](), list[str](), set[str](), ""
    for metric in found.metrics:
        losses += [label(metric.name)] if is_loss(metric) and len(found.models) > 2 else []  # of two the table says it
        fewer = sum(map(isfinite, metric.means)) < sum(map(isfinite, found.means.means))
        lacking += [label(metric.name)] if fewer else []
    for row in shown:
        if row is not None and (isfinite(row.low) or isfinite(row.high)):
            with_intervals.add(row.metric)
        if row is not None and is_median(row.record):
            median = "A lead is a median, not a difference of the means."
    less, compared = f"Less is better for {listed(losses)}." if losses else "", found.comparison
    missing = ""
    if lacking:
        are = agreeing(len(lacking), "is", "are")
        missing = f"n/a: result.explain() says why {listed(lacking, MAX_NAMED)} {are} lacking."
    hold = words.together(compared, with_intervals)
    if len(found.models) > 2 and (compared.sequential or compared.correction == "none"):
        hold += words.only_tested(compared.rows)
    return " ".join(filter(None, [hold, words.of_ends(shown), median, less, missing, _where(found, names)]))


def _where(found: Findings, shown: Sequence[str]) -> str:
    """Over which cases the means of the models shown are; empty where all have all scores."""
    early = left_early(found)
    for name in {*early} - {*shown}:
        del early[name]
    if early:
        which = {of: [name for name, own in early.items() if own == of] for of in early.values()}
        return f"Not on all splits: {'; '.join(f'{listed(names, MAX_NAMED)} ({of})' for of, names in which.items())}."
    cases, over, said = found.answer.cases, defaultdict[str, list[MetricMeans]](list), list[str]()
    for means in found.metrics:
        if any(map(isfinite, means.means)):
            whole = means.n_common == means.n_all and not means.adjusted
            over["" if whole else over_which(means, cases)].append(means)
    for way, those in over.items():
        n = sorted({*map(attrgetter("n_common"), those)})
        of = f" of {listed([label(one.name) for one in those], MAX_NAMED)}" if len(over) > 1 else ""
        said += [f"Means{of} are {way.format(' to '.join(map(str, sorted({n[0], n[-1]}))))}."] if way else []
    return " ".join(said)


def left_early(found: Findings) -> dict[str, str]:
    """The models whose means are over splits of their own, each with which ones."""
    stopping = None if isinstance(found.scores, StudyScores) else found.scores.stopping
    if stopping is None or not found.answer.sequential:
        return {}
    n = stopping.n_repeats * stopping.n_folds
    splits = {name: stopping.n_splits_of(name) for name in (*stopping.names, *stopping.gone)}
    fitted = {name: f"first {of} splits" for name, of in splits.items() if of < n}
    return {**dict.fromkeys(stopping.unscored, "lacks scores"), **fitted}


# ---- all metrics together, what weakens the answer, and on which test it rests ---------------------------------


def together(found: Findings) -> str:
    """The most frequent pattern of wins of the leader against the runner-up, and its test."""
    if found.first.leader is None or len(found.models) < 2:
        return ""
    i, j = led_by(found.first.leader, found.models, found.means)[:2]
    a, b = found.models[i], found.models[j]
    pattern = pattern_of(found.scores, a, b)
    if pattern is None:
        return ""
    test, probability, share = pattern
    n = len(test.metrics)
    both, n_all = "both" if n == 2 else f"all {words.in_words(n)}", len(found.metrics)
    names = listed(map(label, test.metrics)) if n <= MAX_NAMED else f"{words.in_words(n)} of {n_all} metrics"
    every = f"{capital(f'{both} metrics' if n == n_all else names)} together:"
    if not stands_out(test, (a, b), probability, found.comparison):
        return f"{every} no pattern of wins stands out."
    won = dict(zip(test.metrics, test.statement or (), strict=True))
    if len({*won.values()}) == 1:
        ahead = f"{'ahead of' if won[test.metrics[0]] else 'behind'} {b} on {both}"
    else:
        own, other = ([label(metric) for metric in won if won[metric] == side] for side in (True, False))
        ahead = f"ahead of {b} on {listed(own)}, {b} on {listed(other)},"
    # of more models, and where looks decided, it is not tested here
    k = len(found.models)
    joint = (found.joint or joint_rows(found.scores)) if k <= MAX_TOGETHER and not found.answer.sequential else ()
    said = [
        f"; {dominance_said(row.pvalue_adjusted, within_reach=row.within_reach(), n_pairs=comb(k, 2))}"
        for row in joint
        if {row.a, row.b} == {a, b} and isfinite(row.pvalue_adjusted)
    ]
    return f"{every} {a} is {ahead} in {percent(share)} of {found.answer.cases}{''.join(said)}."


def caution(found: Findings) -> str:
    """At most one: the weightiest of what weakens the claim of the first line; empty where that line says it itself.

    A model that lacks scores may have been the leader, wherever it stands: only looks leave models out on purpose. One
    that can therefore not be compared comes first. That a leader may be no better than guessing goes before a claim
    that it is better than others.
    """
    if not found.answer.within_reach or found.answer.forbidden:
        return ""
    metric, metrics, models = found.first.metric, {*found.scores.metrics}, {*found.models}
    names = {*claimed(found), *found.first.not_comparable} - {DUMMY}
    whole = models - {*left_early(found), DUMMY}
    leader, known = found.first.leader, dict[CodedWarning, None]()
    claims = []
    for row in found.comparison:
        if row.metric == metric and {row.a, row.b} <= names:
            known |= dict.fromkeys(row.warnings)
        if row.metric == metric and row.winner == leader is not None:
            claims.append(row)
    for one in found.warnings:
        if one.code != Code.FRAGILE.name:
            known[one] = None
        if one.code == Code.BASE_RATE.name and {leader, metric} <= {*one.about}:
            claims.clear()
    if True in map(attrgetter("fragile"), claims):
        known |= {one: None for one in fragile_warnings(found.comparison, found.answer.metrics) if metric in one.about}
    kept, left_out = list[CodedWarning](), list[CodedWarning]()
    for one in known:
        about = {*one.about}
        of_metric, of_models = about & metrics, about & models
        concerned = names | whole if one.code == Code.MISSING_SCORES.name else names
        if one.where or one.code not in CAUTIONS:
            continue
        if (not of_metric or metric in of_metric) and (not of_models or concerned & of_models):
            kept.append(one)
            left_out += [one] if one.code == Code.MISSING_SCORES.name and about & {*found.first.not_comparable} else []
    return weightiest(sorted(left_out or kept, key=lambda one: leader not in one.about))


def procedure_line(found: Findings) -> str:
    """The test, and how often it was wrong in simulations like this one."""
    first, looks = found.first, " after every look" if found.comparison.sequential else ""
    if len(found.models) == 1:
        can_add = not isinstance(found.scores, StudyScores) and "recipe" in found.scores.provenance
        how = "result.add(name, model, X, y)" if can_add else "give two or more models"
        return f"{held(found)}To compare it: {how}."
    if first.leader is not None and not (first.worse or first.not_different or first.equivalent):
        return f"No test was made on {label(first.metric)}."
    wrong = wrong_in(found.error_rates, first.metric)
    if looks and not isinstance(found.scores, StudyScores):
        wrong = wrong_by_looks(found.scores) or wrong
    return f"{words.procedure_in_words(found.comparison, first.metric)}{looks}; {wrong}."


def held(found: Findings) -> str:
    """How the interval of one model's score was made, and how often such ones held; empty where there is none."""
    if isinstance(found.scores, StudyScores):
        return ""
    [row] = score_intervals(found.scores, found.first.metric)
    held = f"; held in {row.coverage} of similar simulations" if row.coverage else ""
    return f"{capital(row.method)} interval{held}. " if row.method else ""


def wrong_in(rates: ErrorRates | None, metric: str) -> str:
    """How often a test was wrong in similar simulations, as far as it was measured."""
    rate = None if rates is None else rates.by_metric.get(metric)
    if rate is None:
        return "error rate not measured"
    return f"wrong in {percent(rate.mean)} ({rate.span}) of similar simulations"
