"""A paragraph for the methods section of a paper, with the BibTeX entries of exactly what it cites.

Its sentences stand in `templates/methods.txt`, what tests and adjustments are called in `templates/methods.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import chain
from statistics import fmean
from typing import Any

import numpy as np

from skcompare._core.metrics import label
from skcompare._core.numbers import counted, listed, magnitude, one_of, percent, percent_of
from skcompare._core.text import capital, needs, one_line
from skcompare._core.version import __version__
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison import table
from skcompare.comparison.cases import TIME_ROPE, by_case, times_of
from skcompare.comparison.compare import JACKKNIFE, compare, metrics_by_test
from skcompare.comparison.error_rates import error_rates, fragile_warnings
from skcompare.comparison.intervals import LEVEL
from skcompare.inference._guide import papers_of, references
from skcompare.inference._procedures import PROCEDURES, default_for
from skcompare.inference.datasets.pairwise import Ranking
from skcompare.reporting.columns import mean_cell, own_ends
from skcompare.reporting.explain import OF_STUDIES
from skcompare.reporting.findings import Findings, find, joint_rows, over_metrics, over_pairs
from skcompare.reporting.words import adjusts, calibrated_on, forecasts, in_words, only_tested, uncalibrated
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.stopping import in_words as stopping_in_words
from skcompare.scores.study import StudyScores

_EXACT = {True: "exact", False: "from the normal approximation"}
_OF_METRICS = (Code.BASE_RATE.name, Code.WEAK_METRIC.name, Code.ASSUMED.name)


def facts(scores: table.Scores, procedure: str, correction: str) -> Findings:
    """What is found of a result or a study where a procedure and a correction compare its models.

    Of the joint verdicts it has those that could have come out either way. Its warnings are of the scores themselves.
    """
    comparison = compare(scores, procedure, correction=correction)
    # those that could have found something, as a test of one case alone cannot; none where nothing is adjusted
    joint = () if correction == "none" else joint_rows(scores, correction)
    warnings, rates = [*scores.warnings], None
    if isinstance(scores, EvaluationScores):
        warnings += _of_classes(scores, comparison)
        rates = error_rates(scores, comparison)
        scores = scores if procedure == "auto" else replace(scores, calibration=None)
    return replace(
        find(scores),
        comparison=comparison,
        joint=tuple(pair for pair in joint if pair.pvalue == pair.pvalue and pair.n_effective > 1),
        warnings=tuple(one for one in warnings if one.code != Code.MISSING_SCORES.name),  # failed fits are counted
        error_rates=rates,
    )


def methods_section(found: Findings, also: Sequence[str] = ()) -> str:
    """The paragraph, an empty line, and the BibTeX entries.

    Parameters
    ----------
    found : Findings
        Of a result or a study and a comparison of its models.
    also : sequence of str
        Sentences that stand before the test.

    Raises
    ------
    ImportError
        If jinja2 is not installed.
    """
    cited: dict[str, None] = {}

    def cite(*keys: str) -> str:
        cited.update(dict.fromkeys(keys))
        return f"({'; '.join(references()[key].citation for key in keys)})"

    said = _template().render(**_of_scores(found), **_of_comparison(found), also=also, cite=cite)
    return "\n\n".join([one_line(said), *(references()[key].bibtex() for key in cited)])


@cache
def _template() -> Any:
    with needs("the methods text needs jinja2", "report"):
        from jinja2 import Environment, PackageLoader, StrictUndefined
    environment = Environment(
        loader=PackageLoader("skcompare.reporting"),
        undefined=StrictUndefined,
        finalize=lambda value: one_line(value) if isinstance(value, str) else value,  # names come from anywhere
    )
    words = (capital, counted, forecasts, in_words, listed, one_of, percent, percent_of)
    for known in (*words, adjusts, only_tested, papers_of):
        environment.globals[known.__name__] = known
    environment.globals |= {"outcome_of": stopping_in_words, "skcompare": __version__, "terms": terms()}
    return environment.get_template("methods.txt")


@cache
def terms() -> dict[str, Any]:
    """What tests and adjustments are called, with the papers of the tests."""
    return tomllib.loads(files("skcompare.reporting").joinpath("templates/methods.toml").read_text(encoding="utf-8"))


# ---- how they were compared -------------------------------------------------------------------------------------


def _of_comparison(found: Findings) -> dict[str, Any]:
    """What the template says of the tests, the error budgets and the intervals."""
    scores, comparison = found.scores, found.comparison
    takes = {row.takes.kind for row in PROCEDURES if row.name in metrics_by_test(comparison.rows)}
    calibration = None if isinstance(scores, StudyScores) else scores.calibration
    others = () if calibration is None else uncalibrated(calibration, comparison.rows)
    untested = [row for row in comparison if not row.outcome.tested and row.outcome is not table.Outcome.NOT_TESTED]
    families = [family for family in comparison.families if family.n]
    worth = list(dict.fromkeys(f"{n:.3g}" for n in sorted({row.n_effective for row in found.joint})))
    return {
        "found": found,
        "tests": _tests(found),
        "takes": takes,  # predictions of folds, or their scores
        "families": families,
        # with two digits of what is left to 100%
        "levels": [percent_of(round(one.level, 1 - magnitude(1 - one.level))) for one in families],
        "has_intervals": any(row.low == row.low for row in comparison),
        "n_untested": len(untested),
        "why_not": " or ".join(_why_not(untested, scores)),
        "calibrated": "" if calibration is None else calibrated_on(calibration, comparison.rows),
        "uncalibrated": others,
        "instead": terms()["tests"][default_for(calibration.design).procedure] if calibration and others else None,
        "unlike": OF_STUDIES if isinstance(scores, StudyScores) else "",
        "n_effective": " to ".join(dict.fromkeys((*worth[:1], *worth[-1:]))),
    }


def _tests(found: Findings) -> list[dict[str, Any]]:
    """The tests with their metrics; on folds and on data sets there is one."""
    scores, comparison = found.scores, found.comparison
    by_name = metrics_by_test(comparison.rows, made=True)
    if JACKKNIFE not in by_name and (isinstance(scores, StudyScores) or scores.design.kind == "folds"):
        by_name = {comparison.procedure: tuple(dict.fromkeys(row.metric for row in comparison))}
    both = {*by_name.get(JACKKNIFE, ())} & {*by_name.get("paired_metric_test", ())}
    of = {metric: f"{metric} (some pairs)" if metric in both else metric for metric in chain(*by_name.values())}
    return [
        {**_named(name, found), "metrics": tuple(map(of.__getitem__, on)), "linearised": _linearised(name, on, found)}
        for name, on in by_name.items()
    ]


def _named(test: str, found: Findings) -> dict[str, Any]:
    """The name of a test, its papers and what else must be said of it."""
    scores, tests = found.scores, terms()["tests"]
    kind = scores.design.kind if isinstance(scores, EvaluationScores) else ""
    known = tests.get(kind, tests.get(test, {"name": test, "papers": [], "remark": ""}))
    name, papers, values = known["name"], known["papers"], {"fraction": "0"}
    if isinstance(scores, StudyScores):
        values |= {"cases": scores.cases, "case": one_of(scores.cases)}
        exact = {getattr(row.record, "exact", False) for row in found.comparison if row.procedure}
        values["exact"] = " or ".join(_EXACT[way] for way in sorted(exact, reverse=True))
    else:
        design = scores.design
        values |= {"fraction": f"{design.test_fraction:.3g}", "cases": design.kind, "case": one_of(design.kind)}
        if design.kind != "folds":
            name, papers = known.get("name_of_cases", name), known.get("papers_of_cases", papers)
            name = known.get("name_of_unpaired", name) if design.kind == "runs" and not design.paired else name
        elif test == "corrected_t_test" and design.partition and design.n_repeats > 1:
            papers = [*papers, "bouckaert2004evaluating"]
    if any(getattr(row.record, "skewness", 0.0) for row in found.comparison if row.procedure == test):
        name, papers = f"{name}, with a variance that allows for skewed differences", [*papers, "brown2003interval"]
    return {"name": name.format(**values), "papers": papers, "remark": known["remark"].format(**values)}


def _linearised(test: str, metrics: Sequence[str], found: Findings) -> tuple[str, ...]:
    """Of which metrics a test of means took linearised values."""
    scores = found.scores
    if isinstance(scores, StudyScores) or not (scores.design.kind == "samples" or scores.design.time_order):
        return ()
    of_means = ("paired_t_test", "cluster_t_test") if scores.design.kind != "folds" else ("diebold_mariano_test",)
    tested = {row.metric for row in found.comparison if row.procedure == test and test in of_means}
    return tuple(metric for metric in metrics if metric in tested and not by_case(scores, metric))


def _why_not(rows: Sequence[table.ComparisonRow], scores: Any) -> list[str]:
    """Why comparisons could not be made, each reason once with its metrics."""
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        found.setdefault(_reason(row, scores), {})[row.metric] = None
    evaluated = isinstance(scores, EvaluationScores)
    words = {"cases": scores.design.cases if evaluated else "data sets"}
    words["where"] = "in time order" if evaluated and scores.design.time_order else "on one test set"
    kept = {text: [*found[reason]] for reason, text in terms()["reasons"].items() if reason in found}
    return [text.format(on=listed(on), was="was" if len(on) == 1 else "were", **words) for text, on in kept.items()]


def _reason(row: table.ComparisonRow, scores: Any) -> str:
    """Why one comparison could not be made."""
    codes, evaluated = {one.code for one in row.warnings}, isinstance(scores, EvaluationScores)
    if Code.JUDGED.name in codes:
        return "given"
    if row.mean_a != row.mean_a or row.mean_b != row.mean_b:
        return "scores"
    if table.does_not_vary(row.warnings):
        return "same"
    in_time = evaluated and scores.design.time_order
    if evaluated and (Code.WEAK_METRIC.name in codes or (in_time and Code.ILL_DEFINED.name in codes)):
        return "undefined"
    return "no_test" if in_time or (evaluated and scores.design.kind == "samples") else "scores"


def _of_classes(result: EvaluationScores, comparison: table.ComparisonTable) -> list[CodedWarning]:
    """What rare classes, dear errors and units make of the scores, and which claims are fragile."""
    of_rows = (one for row in comparison for one in row.warnings if one not in result.warnings)
    own = [one for one in of_rows if one.code in _OF_METRICS]
    of_all = (one for name in result.metrics for one in result.score_warnings(name, *result.estimators))
    own = list(dict.fromkeys([*own, *(one for one in of_all if one.code in ("DIFFERENT_UNITS", "WEAK_METRIC"))]))
    return [*over_metrics(over_pairs(own, result), result.metrics), *fragile_warnings(comparison)]


# ---- what was compared, and on what -----------------------------------------------------------------------------


def _of_scores(found: Findings) -> dict[str, Any]:
    """What the template says of the data, the splits, the losses and the software."""
    scores, metrics = found.scores, _metrics(found)
    results = [*scores.results.values()] if isinstance(scores, StudyScores) else [scores]
    ways, joint = [*map(_splitting, results)], {metric for row in found.joint for metric in row.metrics}
    better = dict(zip(scores.metrics, scores.greater_is_better, strict=True))
    versions = scores.provenance.get("versions")
    return {
        **(_of_study(scores, found.rankings) if isinstance(scores, StudyScores) else _of_result(scores, joint)),
        **_losses(results, metrics),
        **_seeds(scores.provenance),
        "results": results,
        "metrics": metrics,
        "together": tuple(metric for metric in scores.metrics if metric in joint),
        "costs": [metric for metric in metrics if not better[metric]],
        "ways": [way for i, way in enumerate(ways) if way not in ways[:i]],
        "complete": bool(np.isfinite(scores.scores).all()),
        "versions": versions if isinstance(versions, Mapping) else None,
        "own": _own(found) if len(scores.estimators) == 1 else "",
    }


def _own(found: Findings) -> str:
    """The scores of one model, on one data set each with its interval, in words."""
    said, limits = list[str](), {row.metric: row for row in found.own()}
    for on in found.metrics:
        row, [mean] = limits.get(on.name), on.means
        places = found.places[on.name]
        shown = f"{mean_cell(on.name, mean, places)} on {label(on.name)}"
        if row is not None and (ends := own_ends(row, places)):
            shown += f" ({percent_of(LEVEL)} {row.method} interval {ends})"
        said.append(shown)
    return listed(said)


def _metrics(found: Findings) -> tuple[str, ...]:
    """The metrics of which anything is said."""
    if len(found.models) == 1:
        return found.scores.metrics
    spoken = {row.metric for row in found.comparison}.union(*(row.metrics for row in found.joint))
    return tuple(metric for metric in found.scores.metrics if metric in spoken)


def _of_result(result: EvaluationScores, joint: Set[str]) -> dict[str, Any]:
    """What holds of one data set alone."""
    design, sizes = result.design, (result.design.train_sizes, result.design.test_sizes)
    return {
        **{"design": design, "kind": design.kind, "cases": design.kind, "stopping": result.stopping},
        "sizes": [f"{fmean(size):.0f}" for size in sizes] if all(sizes) else [],
        "positive_class": None if result.positive_class is None else repr(result.positive_class),
        "time_rope": 0 if joint.isdisjoint(times_of(result)) else TIME_ROPE,
        **{"ranked": (), "gapped": (), "n_gaps": 0},
    }


def _of_study(study: StudyScores, ranked: Sequence[Ranking]) -> dict[str, Any]:
    """What holds of several data sets alone."""
    tests = {one.metric: one.omnibus for one in ranked if one.omnibus is not None}
    known = {metric: test.method for metric, test in tests.items() if np.isfinite(test.pvalue)}
    gapped = tuple(metric for metric, method in known.items() if "Skillings" in method)
    return {
        **{"kind": "data sets", "cases": study.cases, "sizes": (), "time_rope": 0},
        **dict.fromkeys(("design", "stopping", "positive_class")),
        "n_gaps": sum(not found.all() for found in np.isfinite(study.scores).sum(axis=2)),
        "ranked": tuple(metric for metric in known if metric not in gapped),
        "gapped": gapped,
    }


# ---- how the data was split, and with which seeds ---------------------------------------------------------------

_OWN_CV = re.compile(r"\d+(x\d+)?")
_SPLITTER = re.compile(r"\w+(?=\()")
_SEED = re.compile(r"\brandom_state=(\w+)")
# Splitters that draw at random without an argument that says so.
_RANDOM = ("Repeated", "Shuffle", "Blocked")
_STRATIFIED = ("Stratified", "RepeatedStratified")


def _splitting(result: EvaluationScores) -> dict[str, Any]:
    """How many splits there are and how they were drawn: known of `cv` as a number, and of scikit-learn's splitters."""
    cv, design = str(result.provenance.get("cv", "")), result.design
    own, found = _OWN_CV.fullmatch(cv), _SPLITTER.match(cv)
    splitter, names = found[0] if found else "", ("partition", "n_repeats", "n_folds", "n_splits", "time_order")
    return {
        **{name: getattr(design, name) for name in names},
        "stratified": result.task in ("binary", "multiclass") if own else splitter.startswith(_STRATIFIED),
        "shuffled": bool(own) or splitter.startswith("Repeated") or "shuffle=True" in cv,
        "grouped": "Group" in splitter or design.n_groups is not None,
        "random": splitter.endswith("ShuffleSplit"),
    }


def _seeds(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The seed of the evaluation, that of its splitter, and whether models have seeds of their own.

    That of the splitter is None where it draws nothing or draws with the seed of the evaluation, "None" where it draws
    without one, and the name of a generator where it had that.
    """
    cv, models = str(provenance.get("cv", "")), provenance.get("estimators")
    found, seed = _SPLITTER.match(cv), _SEED.search(cv)
    drawn = found is not None and ("shuffle=True" in cv or any(word in found[0] for word in _RANDOM))
    reprs = models.values() if isinstance(models, Mapping) else ()
    seeded = any(re.search(r"\brandom_state=\d", str(shown)) for shown in reprs)
    return {
        "random_state": provenance.get("random_state"),
        "splitter_seed": seed[1] if drawn and seed else None,
        "beyond": "beyond those in the parameters of the models" if seeded else "",
    }


def _losses(results: Sequence[EvaluationScores], metrics: Sequence[str]) -> dict[str, int]:
    """Fits, and those that failed; scores of `metrics`, and those that are undefined."""
    lost = dict.fromkeys(("n_fits", "n_failed", "n_undefined"), 0)
    for result in results:
        kept, fitted = [result.metrics.index(metric) for metric in metrics], _fitted(result)
        failed, known = result.failed[:, :, kept], np.isfinite(result.scores)[:, :, kept]
        found = (fitted, failed.any(axis=2), ~known & ~failed & fitted[:, :, None])
        lost = {name: n + int(where.sum()) for (name, n), where in zip(lost.items(), found, strict=True)}
    return {**lost, "n_scores": lost["n_fits"] * len(metrics)}


def _fitted(result: EvaluationScores) -> Any:
    """Which estimators were fitted on which splits, or have so many runs: booleans of shape (estimators, splits)."""
    fitted = np.ones(result.scores.shape[:2], dtype=bool)
    for row, n in zip(fitted, result.design.n_runs, strict=False):
        row[n:] = False
    if result.stopping is not None:
        for row, name in zip(fitted, result.estimators, strict=True):
            row[result.stopping.repeats_of(name) * result.design.n_folds :] = False
    return fitted
