"""Everything behind the answer, in sections: pairs, single scores, patterns of wins, error rates, warnings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf, isfinite
from statistics import fmean
from typing import Any

from skcompare._core.document import Block, Column, Document, Grid, Paragraph, as_items, as_warnings, with_sections
from skcompare._core.metrics import label
from skcompare._core.numbers import agreeing, counted, listed, magnitude, number, one_of, percent, percent_of, uncertain
from skcompare._core.record import few
from skcompare._core.text import capital, name_of_test, one_line
from skcompare._core.validation import DUMMY, Ends
from skcompare.comparison.compare import JACKKNIFE, POWER, detectable_ranges, metrics_by_test
from skcompare.comparison.error_rates import ErrorRates, wrong_by_looks
from skcompare.comparison.intervals import score_intervals
from skcompare.comparison.means import is_loss, model_seeds, shown_score, training_means
from skcompare.comparison.stopping import stopped
from skcompare.evaluation.cautions import fit_health
from skcompare.inference import _guide as guide
from skcompare.inference import format_statement
from skcompare.inference._procedures import PROCEDURES, default_for, find_study_procedure
from skcompare.reporting import columns, words
from skcompare.reporting.findings import Findings, leading_models, shown_rows
from skcompare.reporting.short import left_early, scope
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.measures import measure
from skcompare.scores.study import StudyScores

EVERY_PAIR, PATTERNS = "Every pair", "All metrics together"
MAX_NAMED, MAX_ROWS = 6, 15
OVERSTATED = 0.02, 1.00  # a lead that ended a run: docs/benchmarks.md, "How often sequential evaluation is wrong"
_JUDGED = {"judgments": "bradley_terry", "judged items": "prediction_powered_test"}
OF_STUDIES = "over several data sets only normal scores of five equal models were simulated"


def explanation(short: Document, found: Findings) -> Document:
    """The short document, then a section for each question that a reader may have."""
    sections = {
        EVERY_PAIR: _pairs(found),
        "Ranks": _ranks(found),
        "Data sets in common": as_items("in common", _in_common(found)),
        "The models' own scores": _scores(found),
        "Training and test sets": _training(found),
        PATTERNS: _patterns(found),
        "What could have been found": _power(found),
        "How often this test is wrong": _simulations(found),
        "The test and what it assumes": as_items("test", _test(found)) if _is_tested(found) else [],
        "How the fits went": as_items("fits", _fits(found)),
        "The data": as_items("data", _data(found)),
        "All warnings": as_warnings(found.warnings),
        "To run it again": as_items("provenance", _again(found)),
        "Sources": as_items("sources", _sources(found)),
    }
    return with_sections(short, sections)


# ---- tables ---------------------------------------------------------------------------------------------------


def _pairs(found: Findings) -> Iterator[Block]:
    """One table per metric, of two models one for all; of many models the comparisons of the leading ones."""
    if len(found.models) < 3:
        return
    rows, of_study = shown_rows(found), isinstance(found.scores, StudyScores)
    for means in found.metrics:
        own = [row for row in rows if row.metric == means.name]
        if own:
            yield columns.grid_on(means.name, own, found.places[means.name], found.comparison, wins=of_study)
    names = leading_models(found)
    if names:
        others = found.answer.bounded and {on.leader for on in found.answer.metrics} - {*names, None}
        each = ", on each metric also of its leader" if others else ""
        shown = f"Of {len(found.models):,} models these are the comparisons of {few(names)}{each}; compare() has all."
        yield Paragraph(name="pairs shown", text=shown)


def _ranks(found: Findings) -> Iterator[Block]:
    """One table per metric; what holds of several of them stands below the last one."""
    grids = [columns.ranks_grid(one, found.places[one.metric]) for one in found.rankings]
    for i, grid in enumerate(grids):
        yield replace(grid, caption="") if grid.caption in (after.caption for after in grids[i + 1 :]) else grid


def _in_common(found: Findings) -> Iterator[str]:
    """On how many data sets the models of a pair were both run, fewest first, where models lack some."""
    adjusted, rows = [means.name for means in found.metrics if means.adjusted], shown_rows(found)
    n_all = found.means.n_all
    for metric in adjusted:
        on = f" on {label(metric)}" if len(adjusted) > 1 else ""
        pairs = sorted((row.wins + row.ties + row.losses, row.a, row.b) for row in rows if row.metric == metric)
        for n, a, b in pairs[:MAX_ROWS]:
            yield f"{a} and {b}: {n} of {n_all} {found.answer.cases} in common{on}."
        if len(pairs) > MAX_ROWS:
            yield f"{counted(len(pairs) - MAX_ROWS, 'other pair')}{on}: more in common."


def _scores(found: Findings) -> Iterator[Block]:
    """Each model's score on each metric, with an interval of its own where models are not too many."""
    if isinstance(found.scores, StudyScores):
        return
    intervals = None if found.answer.bounded else score_intervals(found.scores)
    limits = {(row.metric, row.model): row for row in intervals or ()}
    parts = [columns.text_column("model", "", found.models)]
    for means in found.metrics:
        places = found.places[means.name]
        cells, values = list[str](), list[tuple[float, ...]]()
        for model, score in zip(found.models, means.means, strict=True):
            shown, row = columns.mean_cell(means.name, score, places), limits.get((means.name, model))
            ends = "" if row is None or not isfinite(row.low + row.high) else columns.own_interval(row, places)
            cells.append(f"{shown} {ends}".rstrip())
            values.append((score,) if row is None else (score, row.low, row.high))
        parts.append(Column(name=means.name, head=label(means.name), cells=tuple(cells), values=tuple(values)))
    caption = "intervals() has their intervals."
    if intervals is not None:
        level = percent_of(intervals.confidence_level)
        caption = f"{level} intervals, each for its own score alone, {intervals.about}."
    yield Grid(name="scores", columns=tuple(parts), caption=caption)


def _training(found: Findings) -> Iterator[Block]:
    """How much better the models are on their training sets, where these were scored."""
    scores = found.scores
    if isinstance(scores, StudyScores) or scores.train_scores is None:
        return
    parts, trained = [columns.text_column("model", "", found.models)], training_means(scores)
    for means in found.metrics:
        own = trained[means.name]
        if not any(map(isfinite, own)):
            continue
        both = zip(own, means.means, strict=True)
        pairs = [(shown_score(means.name, a), shown_score(means.name, b)) for a, b in both]
        places = found.places[means.name]
        cells = (f"{number(a, places)} ({number(a - b, places, signed=True)})" for a, b in pairs)
        parts.append(Column(name=means.name, head=label(means.name), cells=tuple(cells), values=own))
    caption = "Means over the training sets; in brackets how much that is above the test sets."
    yield Grid(name="training", columns=tuple(parts), caption=caption)
    if said := _overfitted(found, trained[found.first.metric]):
        yield Paragraph(name="overfitted", text=said)


def _overfitted(found: Findings, trained: Sequence[float]) -> str:
    """That the model with the best training score is not the best on the test sets; empty where it is."""
    on, sign = found.means, 1 if found.means.greater_is_better else -1
    tested = {name: merit for name, merit in zip(found.models, on.merits, strict=True) if isfinite(merit)}
    learned = {name: sign * mean for name, mean in zip(found.models, trained, strict=True) if name in tested}
    if len(learned) < 2 or not all(map(isfinite, learned.values())):
        return ""
    first, best = max(learned, key=learned.__getitem__), found.first.leader or max(tested, key=tested.__getitem__)
    if not learned[first] > learned.get(best, inf) or tested[first] > tested[best]:
        return ""
    return f"Caution: {first} is best on the training sets, but not on the test sets. Decide on the test sets."


def _patterns(found: Findings) -> Iterator[Block]:
    """The most frequent pattern of wins of each pair."""
    shown = sorted(found.joint, key=lambda row: (row.pvalue_adjusted != row.pvalue_adjusted, row.pvalue_adjusted))
    rows = [row for row in shown if row.stands_out][:MAX_ROWS]
    if not rows:
        return
    none = len(found.joint) - len(rows)
    without = f" Of {counted(none, 'other pair')} no pattern stands out." if none and len(rows) < MAX_ROWS else ""
    left = [label(means.name) for means in found.metrics if means.name not in rows[0].metrics]
    without += f" Not about {listed(left)}." if left else ""
    said = [format_statement(row.statement or (), [*map(label, row.metrics)], a=row.a, b=row.b) for row in rows]
    adjusted = partial(columns.pvalue_cell, at=columns.At(None, 0, found.answer.alpha))
    means = "Posterior: the probability that the pattern is the most frequent one; p adj. is of the dominance test."
    yield Grid(
        name="patterns",
        columns=(
            columns.text_column("statement", "most frequent pattern of wins", said),
            columns.column("probability", "posterior", map(uncertain, (row.probability for row in rows)), percent),
            columns.column("pvalue_adjusted", "p adj.", [row.pvalue_adjusted for row in rows], adjusted),
        ),
        caption=f"{means} Wins are counted over {found.answer.cases}; their size does not count here.{without}",
    )


def _power(found: Findings) -> Iterator[Block]:
    """The smallest differences that the open comparisons would have found, where that is known."""
    if isinstance(found.scores, StudyScores) or found.scores.stopping is not None:
        return
    ranges, spans = detectable_ranges(found.comparison), {metric.name: metric.span for metric in found.metrics}
    known = [name for name in dict.fromkeys([found.first.metric, *found.scores.metrics]) if name in ranges]
    sizes = [f"{_detectable(ranges[name], spans[name])} in {label(name)}" for name in known[:MAX_NAMED]]
    if len(known) > MAX_NAMED:
        sizes.append(f"others in {counted(len(known) - MAX_NAMED, 'more metric')}")
    if sizes:
        text = f"Smallest detectable difference at {percent_of(POWER)} power: {listed(sizes)}."
        yield Paragraph(name="power", text=text)


def _detectable(differences: Ends, span: float) -> str:
    """One size for all pairs, or from the smallest to the largest; none is larger than a difference can be."""
    return " to ".join(dict.fromkeys(size(end) if end < span else f"more than {span:g}" for end in differences))


def size(value: float) -> str:
    """A difference with two digits, zeros at the end too; of large ones all before the point."""
    return number(value, max(0, 1 - magnitude(value))) if value >= 1e-4 else f"{value:.2g}"


# ---- how often the test is wrong --------------------------------------------------------------------------------


def _is_tested(found: Findings) -> bool:
    """Whether any comparison was tested, or looks decided."""
    return found.comparison.sequential or bool(metrics_by_test(found.comparison.rows))


def _simulations(found: Findings) -> Iterator[Block]:
    scores, text = found.scores, ""
    if not _is_tested(found):
        return
    if isinstance(scores, StudyScores):
        text = f"Error rate not measured for runs like this ({OF_STUDIES})."
    elif scores.calibration is not None:
        without = words.uncalibrated(scores.calibration, found.comparison.rows)
        usual = name_of_test(default_for(scores.design).procedure)
        other = f" {listed(without)} {agreeing(len(without), 'is', 'are')} not calibrated and tested by the {usual}."
        text = f"{words.calibrated_on(scores.calibration, found.comparison.rows)}{other if without else ''}"
    elif found.comparison.sequential:
        text = f"{capital(wrong_by_looks(scores) or 'error rate not measured for runs like this')}."
    else:
        yield from error_rate(found.error_rates)
        if found.error_rates is not None and found.error_rates.by_metric and words.adjusts(found.comparison):
            said = "How often any of several is wrong is not predicted: adjusting keeps 5% only where single tests do."
            yield Paragraph(name="error rate of several", text=said)
    if text:
        yield Paragraph(name="error rate", text=text)


def error_rate(rates: ErrorRates | None) -> Iterator[Block]:
    """The share of wrong comparisons in simulations like a run, metric by metric; nothing where none is asked for."""
    if rates is None:
        return
    if rates.reason:
        measure = "; calibrate measures it" if rates.calibratable else ""
        text = f"Error rate not measured for runs like this ({rates.reason}){measure}."
        yield Paragraph(name="error rate", text=text)
        return
    parts = [columns.text_column("share", "", ["wrong in", "90% range"])]
    for name, rate in ((label(metric), rate) for metric, rate in rates.by_metric.items()):
        cells, values = (percent(rate.mean), rate.span), (rate.mean, rate.high)
        parts.append(Column(name=name, head=name, cells=cells, values=values))
    unknown = listed([*map(label, rates.unknown), *([rates.beyond] if rates.beyond else [])])
    not_known = f" Not known for {unknown}." if rates.unknown or rates.beyond else ""
    caption = f"Share of wrong single comparisons in simulations: {rates.where}.{not_known}"
    yield Grid(name="error rates", columns=tuple(parts), caption=caption)


# ---- what the answer rests on -----------------------------------------------------------------------------------


def _test(found: Findings) -> Iterator[str]:
    """The test, why it was taken, how its p-values are adjusted, and what it takes for granted."""
    scores, compared, cases = found.scores, found.comparison, found.answer.cases
    yield f"{capital(words.decided_by(compared))}."
    tests = metrics_by_test(compared.rows)
    if isinstance(scores, StudyScores):
        known = [find_study_procedure(test, n_models=2) for test in tests or (compared.procedure,)]
        assumes: Iterable[str] = dict.fromkeys(part for row in known for part in row.guide.assumes)
    else:
        if scores.selected is None and scores.calibration is None:
            yield f"Default for this design: {_reason(scores, metrics_by_test(compared.rows, made=True))}."
        assumes = _assumed(scores, tests)
    if assumes:
        yield f"It assumes {listed(assumes)}."
    if isinstance(scores, StudyScores):
        adjusted = [label(metric) for metric in tests.get("adjusted_means_test", ())]
        if len(tests) > bool(adjusted) or not tests:
            yield f"Each of the {cases} counts once; a lead is the median difference over pairs of {cases}."
        if adjusted:
            yield f"On {listed(adjusted)} models lack {cases}; a lead is the difference of means adjusted for that."
    elif scores.stopping is not None and compared.sequential:
        yield from _looks(scores)
    if losses := [label(means.name) for means in found.metrics if is_loss(means)]:
        yield f"Less is better for {listed(losses)}; positive differences favour the first model."


def _assumed(result: EvaluationScores, tests: Iterable[str]) -> tuple[str, ...]:
    """What the tests assume, each once; that those of samples and items speak of fitted models is said elsewhere."""
    known, kind = {row.name: row.guide.assumes for row in PROCEDURES}, result.design.kind
    if kind != "folds":
        known["paired_t_test"] = (f"independent {'pairs of ' if kind == 'runs' else ''}{kind}",)
    parts = dict.fromkeys(part for test in tests for part in known[test])
    if kind == "folds":
        return tuple(parts)
    kept = (part for part in parts if part not in guide.OF_FITTED_MODELS)
    cases = f"independent {kind if result.design.n_clusters is None else 'clusters'}"
    return tuple(dict.fromkeys(cases if part == "one test set" else part for part in kept))


_OF_Z = "of many samples it is the limit of exchanging the scores of the two models"


def _reason(result: EvaluationScores, tests: Mapping[str, Sequence[str]]) -> str:
    """Why the tests are the defaults, each once."""
    if stopped(result) is not None:
        return "it is that of every look"
    if result.design.kind == "folds":
        return default_for(result.design).reason
    reasons: dict[str, list[str]] = {}
    for name, metrics in tests.items():
        why = _OF_Z if name == JACKKNIFE else default_for(result.design, measure(result, metrics[0])).reason
        reasons.setdefault(why, []).extend(map(label, metrics))
    return "; ".join(f"{why} ({', '.join(metrics)})" if len(reasons) > 1 else why for why, metrics in reasons.items())


def _looks(result: EvaluationScores) -> Iterator[str]:
    """When an evaluation that was looked at while it ran was decided, and what that does to a lead."""
    stopping = result.stopping
    assert stopping is not None
    when = "Decided" if stopping.kind != "undecided" else "Ended"
    yield f"{when} {stopping._spent()}; one error rate of {percent_of(stopping.alpha)} over all looks."
    if stopping.worse:
        low, high = map(percent, OVERSTATED)
        yield f"Leads that end a run are too large: in simulations by {low} for strong, {high} for weak ones."


def _data(found: Findings) -> Iterator[str]:
    scores = found.scores
    if isinstance(scores.provenance.get("read_as"), str):  # a saved file can hold anything under that name
        yield one_line(scores.provenance["read_as"])
    if isinstance(scores, StudyScores):
        n, ways = counted(len(scores.datasets), one_of(found.answer.cases)), {one.name for one in scores.designs}
        how = f" ({listed(sorted(ways))} on each)" if ways else ""
        yield f"{n}{how}: {listed(scores.datasets, MAX_ROWS)}."
        return
    design = scores.design
    if design.train_sizes and design.test_sizes:
        trained, tested = (
            f"{min(sizes)} to {max(sizes)}" if max(sizes) >= 2 * min(sizes) else f"{fmean(sizes):.0f}"
            for sizes in (design.train_sizes, design.test_sizes)
        )
        yield f"{counted(design.n_splits, 'split')}: trained on {trained}, tested on {counted(tested, 'sample')}."
    if design.kind == "runs":
        paired = f"Runs with the same name were taken for pairs: {design.paired}."
        yield paired if design.paired else "Runs of two models are not pairs."
    before = scope(found)  # what stands in the first lines
    about = words.as_read(scores.provenance, scores.estimators), words.forecasts(found.comparison, before=before)
    yield from (said for said in about if said and said not in before)
    if scores.positive_class is not None:
        yield f"Positive class: {scores.positive_class!r}."
    yield from _seeds(scores)
    for name, what in left_early(found).items():
        yield f"{name}: {what}."


def _fits(found: Findings) -> Iterator[str]:
    """What fits told of themselves and what a look at the columns shows, with what to do, and how each model failed.

    Of many the first ones.
    """
    parts = found.scores.results if isinstance(found.scores, StudyScores) else {"": found.scores}
    told = list[str]()
    for dataset, scores in parts.items():
        unit, on = "fit" if scores.fit_seeds else "split", f"{dataset}: " if dataset else ""
        for name in ("", *scores.estimators):
            said = (one.told(name, unit) for one in fit_health(scores.provenance, name))
            told += [one_line(f"{on}{text}") for text in said if text and not name == scores.baseline == DUMMY]
            failed = [one.message.rstrip(".") for one in scores.failures if one.estimator == name][:1]
            told += [one_line(f"{on}{capital(message)}.") for message in failed]
    yield from told[:MAX_ROWS]
    if len(told) > MAX_ROWS:
        yield f"{len(told) - MAX_ROWS} more: provenance['health'] of the results."


def _seeds(result: EvaluationScores) -> Iterator[str]:
    """How much of the variance of single fits the seeds make; nothing with one fit per split."""
    known = model_seeds(result)
    if not known:
        return
    shares = {place: one.seed_share for place, one in known.items() if one.seed_share >= 0}
    means = f"Each score is the mean of {len(result.fit_seeds)} fits with seeds of their own"
    if shares:
        span = " to ".join(dict.fromkeys(map(percent, (min(shares.values()), max(shares.values())))))
        yield f"{means}, which make {span} of the variance of single fits on a split."
    else:
        yield f"{means}; nothing varies."
    for metric in result.metrics:
        own = [f"{percent(share)} of {model}" for (of, model), share in shares.items() if of == metric]
        yield f"{metric}: {listed(own) if own else 'no variance'}."


def _again(found: Findings) -> Iterator[str]:
    """What reproduces the result, as far as it is known; a saved file can hold anything under these names."""
    scores = found.scores
    known = scores.provenance
    for name in ("cv", "random_state"):
        if name in known:
            yield f"{name}: {known[name]}"
    for name in ("estimators", "versions"):
        yield from entries(known.get(name))
    if isinstance(scores, EvaluationScores) and scores.design.split_hash:
        what = "splits" if scores.design.kind in ("folds", "runs") else "cases"
        yield f"hash of the {what} (SHA-256): {scores.design.split_hash}"


def entries(known: Any) -> Iterator[str]:
    """The entries of a mapping; nothing of anything else."""
    for key, value in known.items() if isinstance(known, Mapping) else ():
        yield f"{key}: {value}"


# ---- papers ---------------------------------------------------------------------------------------------------


def citations(found: Findings) -> dict[str, str]:
    """By the keys of the papers behind an answer all that rests on them, in the order in which its numbers come."""
    used: dict[str, list[str]] = {}
    for name, what in uses(found):
        for key in guide.papers_of(name):
            used.setdefault(key, []).append(what)
    return {key: "; ".join(told) for key, told in used.items()}


def _sources(found: Findings) -> Iterator[str]:
    for key, used_for in citations(found).items():
        paper = guide.references()[key]
        yield f"{paper.text}{paper.doi and f', doi:{paper.doi}'}. For: {used_for}."


def uses(found: Findings) -> Iterator[tuple[str, str]]:
    """Procedures, and the numbers that rest on them; software has no name."""
    scores, compared, on_folds = found.scores, found.comparison, False
    alone = len(scores.estimators) == 1
    default: dict[str, tuple[str, ...]] = {compared.procedure: ()} if alone or compared.sequential else {}
    tests = metrics_by_test(compared.rows, made=True) or default
    for test, metrics in tests.items():
        which = "every comparison" if len(tests) == 1 else f"comparisons on {', '.join(metrics)}"
        yield test, ("intervals of the scores" if alone else f"p-value and interval of {which}")
    if not isinstance(scores, StudyScores):
        on_folds = scores.design.kind == "folds"
        if scores.design.estimated:
            yield _JUDGED[scores.design.kind], "score of every model"
        if scores.calibration and words.uncalibrated(scores.calibration, compared.rows):
            yield default_for(scores.design).procedure, "p-value and interval of comparisons not calibrated"
    if compared.sequential:
        yield "alpha_spending", "sequential verdict"
    elif words.adjusts(compared):
        over = listed(f"{family.n:,}" for family in compared.families if family.n > 1)
        yield compared.correction, f"p-values adjusted over {over} comparisons"
    gapped = ["Skillings" in one.omnibus.method for one in found.rankings if one.omnibus is not None]
    for test in dict.fromkeys("skillings_mack_test" if gaps else "friedman_test" for gaps in gapped):
        yield test, "test that all models are equally good on a metric"
    if gapped:
        yield "pairwise_signed_rank_test", "groups of models that are not significantly different"
    if found.joint:
        yield "dominance_test", "statements on all metrics together and their p-values"
        yield "dominance_posterior", "probability of the most probable statement"
    if found.joint and on_folds:
        yield "effective_cases", "number of independent cases that the splits are worth"
    if "versions" in scores.provenance:
        yield "", "fitting and scoring the models"
