"""A learning curve as a document: does the verdict hold for another number of training samples?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from itertools import takewhile
from math import comb
from statistics import fmean

from skcompare._core.design import Design
from skcompare._core.document import Block, Column, Document, Grid, as_items, as_warnings, with_sections
from skcompare._core.metrics import label
from skcompare._core.numbers import listed
from skcompare._core.record import Frozen, picked
from skcompare._core.text import one_line
from skcompare._core.validation import DUMMY
from skcompare._core.warnings import CodedWarning
from skcompare.comparison import learning_curve
from skcompare.comparison.answer import Answer
from skcompare.comparison.error_rates import CUT, ErrorRates, error_rates, fragile_warnings
from skcompare.comparison.intervals import score_intervals
from skcompare.comparison.means import MetricMeans, is_loss, led_by, metric_means
from skcompare.comparison.table import ComparisonRow, ComparisonTable, plain_row
from skcompare.reporting import columns, json
from skcompare.reporting.explain import EVERY_PAIR, error_rate
from skcompare.reporting.findings import Findings, on_few_splits, over_metrics, over_pairs
from skcompare.reporting.methods import facts, methods_section
from skcompare.reporting.opening import opening
from skcompare.reporting.short import caution, held, paragraphs, wrong_in
from skcompare.reporting.words import forecasts, of_ends, procedure_in_words, together
from skcompare.scores.study import LearningCurveScores

MOST_PAIRS = 10  # of which the crossings are looked for
MOST_CROSSINGS = 3  # that are named
CAPTION = "Mean scores with intervals by the number of training samples; filled where a model is significantly better"
_ASSUMED = (
    "The test sets are the same at all sizes; each training set is a part of the next larger one.",
    "With a smaller training set a difference is tested only where it is significant with all larger ones.",
    "So sizes cost nothing: p adj. is the largest p at this size or a larger one, times the comparisons.",
)
_TESTED = "A difference was tested with a smaller training set only where it was significant with all larger ones."


class CurveFindings(Frozen):
    """What views show of a learning curve.

    Attributes
    ----------
    curve : LearningCurveScores
        The scores by size.
    whole : Findings
        Those of the largest size, by the comparisons of all sizes, with the warnings of all, each once. Error rates are
        those of simulations like the run with all training samples.
    tables : mapping of int to ComparisonTable
        By size all pairs on all metrics.
    answers : mapping of int to Answer
        By size; those on the first metric have an error budget of their own.
    means : mapping of int to MetricMeans
        By size the models on the first metric.
    crossings : tuple of Crossing
        On the first metric, of the pairs that change places, where the interval excludes some sizes.
    """

    curve: LearningCurveScores
    whole: Findings
    tables: Mapping[int, ComparisonTable]
    answers: Mapping[int, Answer]
    means: Mapping[int, MetricMeans]
    crossings: tuple[learning_curve.Crossing, ...]

    @property
    def full(self) -> int:
        """The largest size."""
        return self.curve.sizes[-1]

    @property
    def metric(self) -> str:
        """The one that decides."""
        return self.whole.first.metric

    @property
    def leader(self) -> str:
        """The model that leads at the largest size."""
        return self.whole.first.leader or self.curve.estimators[0]


def find_curve(curve: LearningCurveScores) -> CurveFindings:
    """What is found of a learning curve."""
    found, tables, largest = learning_curve.answers(curve), learning_curve.default_tables(curve), curve.largest
    full = curve.sizes[-1]
    metric = found[full].metrics[0].metric
    names = [name for name in curve.estimators if name != largest.baseline]
    design, run = largest.design, largest
    if design.time_order:  # what simulations are like all training samples is read from these
        run = replace(largest, design=replace(design, train_sizes=_all_training_samples(design)))
    rates = error_rates(run, tables[full])
    if rates is not None and not rates.reason:
        cut = design.time_order and sorted(design.train_sizes) != sorted(_all_training_samples(design))
        rates = ErrorRates(reason=CUT) if cut else replace(rates, beyond="fewer training samples")
    means = {size: metric_means(curve.results[size]) for size in curve.sizes}
    rows = tables[full].rows or score_intervals(largest)
    return CurveFindings(
        curve=curve,
        whole=Findings(
            scores=largest,
            comparison=tables[full],
            answer=found[full],
            metrics=tuple(means[full]),
            warnings=(*_warnings(curve, tables), *on_few_splits(largest, rates)),
            error_rates=rates,
            places={on.name: columns.places_for(rows, on.means, on.name) for on in means[full]},
        ),
        tables=tables,
        answers=found,
        means={size: own[curve.metrics.index(metric)] for size, own in means.items()},
        crossings=tuple(learning_curve.crossings(curve, metric, names if comb(len(names), 2) <= MOST_PAIRS else ())),
    )


def _all_training_samples(design: Design) -> tuple[int, ...]:
    """How many samples there are outside each test set, in time order before it."""
    n, tested = design.n_samples or 0, design.test_sizes
    return tuple(n - sum(tested[i:]) for i in range(len(tested)))


def _warnings(curve: LearningCurveScores, tables: Mapping[int, ComparisonTable]) -> dict[CodedWarning, None]:
    """The warnings of the sizes, then those of the comparisons with the sizes at which they hold."""
    found: dict[CodedWarning, dict[int, None]] = {}
    about: dict[CodedWarning, dict[str, None]] = {}
    for size, table in tables.items():
        of_rows = over_pairs((one for row in table for one in row.warnings), curve.results[size])
        for warning in (*of_rows, *fragile_warnings(table)):
            found.setdefault(warning, {})[size] = None
            about.setdefault(warning, {}).update(dict.fromkeys(warning.about))
    by_sizes: dict[tuple[int, ...], list[CodedWarning]] = {}
    for one, sizes in found.items():
        by_sizes.setdefault(tuple(sizes), []).append(CodedWarning(one.code, one.sentence, about[one], one.where))
    located = dict.fromkeys(curve.warnings)
    for where, warnings in by_sizes.items():
        at = "" if where == curve.sizes else f"{', '.join(map(str, where))} training samples"
        located |= dict.fromkeys(one.at(at) if at else one for one in over_metrics(warnings, curve.metrics))
    return located


def curve_document(found: CurveFindings, *, full: bool = False) -> Document:
    """The answer, the models at every size and what it rests on; in full all comparisons and warnings."""
    first, *crossings = sentences(found)
    whole, design, sizes = found.whole, found.curve.largest.design, listed(map(str, found.curve.sizes))
    n = "" if design.n_samples is None else f"{design.n_samples:,} samples, "
    setting = f"{n}{design.name}, trained on {sizes} samples. {forecasts(whole.comparison)}".rstrip()
    test, wrong = procedure_in_words(whole.comparison, found.metric), wrong_in(whole.error_rates, found.metric)
    tested = f"{test}, from the full size downward; {wrong}."
    alone = len(found.curve.estimators) == 1
    said = {
        "crossing": " ".join(crossings[:1]),
        "caution": caution(whole),
        "test": f"{held(whole)}To compare it: give two or more models." if alone else tested,
    }
    blocks: tuple[Block, ...] = (
        *paragraphs({"answer": first, "design": setting}),
        by_size(found),
        *paragraphs(said, "More: curve.explain()."),
    )
    document = Document(title=f"Learning curves of {listed(found.curve.estimators)}", blocks=blocks)
    if not full:
        return document
    sections = {
        EVERY_PAIR: _pairs(found),
        "Where curves cross": as_items("crossings", crossings),
        "How often this test is wrong": error_rate(whole.error_rates),
        "The test and what it assumes": as_items("assumes", _ASSUMED[:1] if alone else _ASSUMED),
        "All warnings": as_warnings(whole.warnings),
    }
    return with_sections(document, sections)


# ---- tables ---------------------------------------------------------------------------------------------------


def by_size(found: CurveFindings) -> Grid:
    """The means on the first metric at every size: of two models with their difference, of more with marks."""
    leader, models, means = found.leader, found.curve.estimators, found.means[found.full]
    pair, less = len(models) <= 2, f"; a positive lead favours {leader}" if len(models) > 1 else ""
    parts, rows = (_two_models if pair else _many_models)(found)
    table = learning_curve.compare_sizes(found.curve)
    shared = replace(table, families=table.families[:1])
    marks = " ".join(mark for column in parts for mark in column.marks)
    metric, places = label(found.metric), [_places(found, found.metric)] * len(rows)
    if len(models) > 1:
        parts += columns.comparison_columns(rows, places, shared, of=columns.PAIRS if pair else columns.MODELS)
    said = [
        "" if pair else f"Mean {metric} by training samples; lead and interval at {found.full}.",
        columns.legend(marks, leader, compared=table, rows=() if marks else rows),
        together(shared),
        of_ends(rows),
        f"Less is better for {metric}{less}." if is_loss(means) else "",
    ]
    return Grid(name="sizes", columns=tuple(parts), caption=" ".join(filter(None, said)))


def _two_models(found: CurveFindings) -> tuple[list[Column], list[ComparisonRow | None]]:
    """One row per size, of one model with its interval."""
    models, sizes, places = found.curve.estimators, found.curve.sizes, _places(found, found.metric)
    pair = sorted(models, key=found.leader.__ne__)
    parts = [columns.size_column(sizes)]
    for name in pair:
        own = tuple(found.means[size].means[models.index(name)] for size in sizes)
        column = columns.mean_column(replace(found.means[found.full], means=own), range(len(own)), places)
        parts.append(replace(column, name=name, head=name))
    if len(pair) == 1:
        own_scores = [score_intervals(found.curve.results[size], found.metric)[0] for size in sizes]
        return [*parts, columns.own_intervals(own_scores, [places] * len(sizes))], []
    return parts, [columns.facing(found.tables[size], pair[0], pair[1:], found.metric)[0] for size in sizes]


def _many_models(found: CurveFindings) -> tuple[list[Column], list[ComparisonRow | None]]:
    """One row per model, the leader at the full size first, and one column per size."""
    order = led_by(found.leader, found.curve.estimators, found.means[found.full])
    names = [found.curve.estimators[i] for i in order]
    parts, places = [columns.text_column("model", "", names)], _places(found, found.metric)
    for size in found.curve.sizes:
        rows = columns.facing(found.tables[size], found.leader, names, found.metric)
        marks = [columns.standing(row, found.leader) for row in rows]
        column = columns.mean_column(found.means[size], order, places, marks)
        parts.append(replace(column, name=f"{size}", head=column.head.replace(label(found.metric), f"{size}", 1)))
    return parts, rows


def _places(found: CurveFindings, metric: str) -> int:
    """Decimals of all numbers on a metric; on the first one those of the first line."""
    if metric == found.metric:
        return found.whole.places[metric]
    return columns.places_for(row for table in found.tables.values() for row in table if row.metric == metric)


def _pairs(found: CurveFindings) -> Iterator[Block]:
    """One table per metric: all pairs, each at every size."""
    table = learning_curve.compare_sizes(found.curve)
    costs = dict(zip(found.curve.metrics, found.curve.largest.greater_is_better, strict=True))
    for metric in dict.fromkeys(row.metric for row in table):
        own = [row for row in table.rows if row.metric == metric]
        less = "" if costs[metric] else "Less is better: a positive difference favours a."
        sizes = columns.size_column([row.size for row in own])
        yield columns.grid_on(metric, own, _places(found, metric), table, sizes, said=less)


# ---- sentences ------------------------------------------------------------------------------------------------


def sentences(found: CurveFindings) -> list[str]:
    """What to use and at which sizes, and where the curves cross."""
    line = opening(found.whole, _where(found))
    return [*map(one_line, (line, *(one._sentence() for one in found.crossings[:MOST_CROSSINGS])))]


def _where(found: CurveFindings) -> str:
    """At which sizes the verdict is that of the largest, or what to use with fewer samples."""
    sizes, keys = found.curve.sizes, [*map(_key, found.answers.values())]
    n_alike = len([*takewhile(keys[-1].__eq__, reversed(keys))])
    if n_alike == len(sizes):
        return "The same at every size."
    if other := _with_fewer(found):
        return other
    said = f"The same from {sizes[-n_alike]} training samples on."
    return said if n_alike > 1 else "Not so with fewer training samples."


def _with_fewer(found: CurveFindings) -> str:
    """That another model is to be used with fewer samples; empty where none is."""
    sizes, chosen = found.curve.sizes, dict[str, list[int]]()
    for size, answer in found.answers.items():
        first = answer.metrics[0]
        if first.leader not in (None, found.leader) and found.leader in first.worse and answer.recommends:
            chosen.setdefault(str(first.leader), []).append(size)
    if not chosen:
        return ""
    other, own = next(iter(chosen.items()))
    with_size = f"Up to {own[-1]}" if sizes[: len(own)] == tuple(own) else f"With {listed(map(str, own))}"
    return f"{with_size} training samples use {other}."


def _key(answer: Answer) -> object:
    """What a verdict says: two with the same one are the same."""
    first = answer.metrics[0]
    groups = first.smaller, first.larger, first.not_comparable, first.not_better
    may_be = {*first.may_be_first} - {answer.baseline}
    worse = {*first.worse} - {answer.baseline} if len(may_be) == 1 else ()  # of more the leader may change
    of_use = answer.recommends and may_be.isdisjoint(first.not_better)
    return frozenset(may_be), frozenset(worse), [*map(frozenset, groups)], of_use


# ---- for papers and programs -----------------------------------------------------------------------------------


def methods_text(found: CurveFindings) -> str:
    """The methods section of the whole training sets, with the sizes, and the error budget of all."""
    whole, baseline, design = found.whole, found.curve.largest.baseline, found.curve.largest.design
    known = design.train_sizes and design.test_sizes
    tested = f" of on average {fmean(design.test_sizes):.0f} samples" if known else ""
    alone = len(found.curve.estimators) == 1
    also = [
        f"{'It' if alone else 'Every model'} was trained on {listed(map(str, found.curve.sizes))} of the training "
        "samples of each split, each training set being a part of the next larger one, and tested on the same test "
        f"sets{tested}."
    ]
    also += [] if alone else [_TESTED]
    if baseline:
        guesses = ", which guesses without the features" if baseline == DUMMY else ""
        also.append(f"The baseline was {baseline}{guesses}.")
    if found.crossings:
        also.append("Where two models change places was found by inverting the test between the sizes.")
    warned = tuple(one.at(f"with {one.where}") if one.where else one for one in whole.warnings)
    own = replace(facts(found.curve.largest, "auto", "holm").comparison, correction="bonferroni")
    return methods_section(replace(whole, comparison=own, warnings=warned), also)


def json_report(found: CurveFindings) -> str:
    """The learning curve as strict JSON, null where a number is not finite."""
    curve, compared = found.curve, learning_curve.compare_sizes(found.curve)
    rows = [{**plain_row(row), "outcome": row.outcome.value} for row in compared]
    return json.strict_json(
        {
            "format": json.FORMAT,
            "kind": "learning_curve",
            **picked(curve, "estimators", "metrics"),
            "baseline": curve.largest.baseline,
            "sizes": curve.sizes,
            "design": curve.largest.design.name,
            "n_samples": curve.largest.design.n_samples,
            "verdict": sentences(found),
            "answers": [{"size": size, **asdict(one)} for size, one in found.answers.items()],
            "crossings": [asdict(one) for one in found.crossings],
            "comparison": {**json.comparison(compared), "rows": rows},
            "error_rates": json.error_rates(found.whole.error_rates),
            "warnings": found.whole.warnings,
        }
    )
