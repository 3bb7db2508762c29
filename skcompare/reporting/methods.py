"""A paragraph for the methods section of a paper, with the BibTeX entries of exactly what it cites.

Its sentences stand in `templates/methods.txt`, what tests and adjustments are called in `templates/methods.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from skcompare._core.numbers import counted, listed, magnitude, one_of, percent_of
from skcompare._core.printable import one_line
from skcompare._core.version import __version__
from skcompare._core.warnings import Code
from skcompare.comparison.cases import by_case
from skcompare.comparison.table import ComparisonRow, Family, Outcome, does_not_vary, metrics_by_test
from skcompare.inference._guide import CORRECTION_REFERENCES
from skcompare.inference._procedures import PROCEDURES
from skcompare.inference.datasets.signed_rank import LARGEST_AUTO_EXACT
from skcompare.reporting.error_rate import OF_STUDIES, calibrated_on, in_simulations
from skcompare.reporting.summary.methods import Facts, of_scores
from skcompare.reporting.words import adjusts, forecasts, only_tested
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import StudyScores

_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def methods_section(facts: Facts, sources: Mapping[str, tuple[str, str]], also: Sequence[str] = ()) -> str:
    """The paragraph, an empty line, and the BibTeX entries.

    Parameters
    ----------
    facts : Facts
        Of a result or a study and a comparison of its models.
    sources : mapping of key to (str, str)
        Author and year, and the BibTeX entry, of every paper.
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
        return f"({'; '.join(sources[key][0] for key in keys)})"

    said = _template().render(**of_scores(facts), **_of_comparison(facts), also=also, cite=cite)
    return "\n\n".join([one_line(said), *(sources[key][1] for key in cited)])


@cache
def _template() -> Any:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError as error:
        raise ImportError("the methods text needs jinja2: pip install 'skcompare[report]'") from error
    environment = Environment(
        loader=PackageLoader("skcompare.reporting"),
        undefined=StrictUndefined,
        finalize=lambda value: one_line(value) if isinstance(value, str) else value,  # names come from anywhere
    )
    environment.globals |= {"capital": _capital, "counted": counted, "listed": listed, "percent_of": percent_of}
    environment.globals |= {"in_words": _in_words, "skcompare": __version__}
    return environment.get_template("methods.txt")


@cache
def terms() -> dict[str, Any]:
    """What tests and adjustments are called, with the papers of the tests."""
    found = files("skcompare.reporting").joinpath("templates/methods.toml")
    return tomllib.loads(found.read_text(encoding="utf-8"))


def _in_words(n: int) -> str:
    """A number, a small one in words."""
    return _SMALL[n] if n < len(_SMALL) else str(n)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


# ---- how they were compared -------------------------------------------------------------------------------------


def _of_comparison(facts: Facts) -> dict[str, Any]:
    """What the template says of the tests, the error budgets and the intervals."""
    comparison, calibration, worth = (
        facts.comparison,
        facts.calibration,
        sorted({row.n_effective for row in facts.joint}),
    )
    untested = [row for row in comparison if not row.outcome.tested and row.outcome is not Outcome.NOT_TESTED]
    corrected = any(getattr(row.record, "training_variance", 0.0) for row in comparison)
    families = [family for family in comparison.families if family.n]
    joint_metrics = {metric for row in facts.joint for metric in row.metrics}
    numbers = dict.fromkeys(f"{n:.3g}" for n in worth)
    return {
        "comparison": comparison,
        "tests": _tests(facts),
        "on_predictions": _on_predictions(facts),
        "families": families,
        "adjusted": adjusts(comparison),
        "correction": terms()["corrections"].get(comparison.correction),
        "correction_papers": CORRECTION_REFERENCES.get(comparison.correction, ()),
        "level": percent_of(1 - comparison.alpha),
        "levels": [_level(family) for family in families],
        "has_intervals": any(row.low == row.low for row in comparison),
        "cut": any(row.open_at_null for row in comparison),
        "only_tested": only_tested(comparison),
        "n_untested": len(untested),
        "why_not": " or ".join(_why_not(untested, facts.scores)),
        "forecasts": lambda cite: forecasts(comparison, cite("nadeau2003inference") if corrected else ""),
        "calibration": calibration,
        "calibrated": "" if calibration is None else calibrated_on(calibration),
        "instead": None if calibration is None else terms()["tests"][calibration.instead],
        "simulations": _simulations(facts),
        "joint": facts.joint,
        "together": tuple(metric for metric in facts.scores.metrics if metric in joint_metrics),
        "n_effective": " to ".join(dict.fromkeys([*numbers][:1] + [*numbers][-1:])),
    }


def _tests(facts: Facts) -> list[dict[str, Any]]:
    """The tests with their metrics; on folds and on data sets there is one."""
    scores, comparison = facts.scores, facts.comparison
    by_name = metrics_by_test(comparison.rows)
    if isinstance(scores, StudyScores) or scores.design.kind == "folds":
        by_name = {comparison.procedure: tuple(dict.fromkeys(row.metric for row in comparison))}
    return [
        {**_named(name, scores), "metrics": on, "linearised": _linearised(name, on, facts)}
        for name, on in by_name.items()
    ]


def _named(test: str, scores: Any) -> dict[str, Any]:
    """The name of a test, its papers and what else must be said of it."""
    known = terms()["tests"].get(test, {"name": test, "papers": [], "remark": ""})
    name, papers, values = known["name"], known["papers"], {"fraction": "0", "exact": "from the normal approximation"}
    if isinstance(scores, StudyScores):
        values |= {"cases": scores.cases, "case": one_of(scores.cases)}
        values |= {"exact": "exact"} if len(scores.datasets) <= LARGEST_AUTO_EXACT else {}
    else:
        design = scores.design
        values |= {"fraction": f"{design.test_fraction:.3g}", "cases": design.kind, "case": one_of(design.kind)}
        if design.kind != "folds":
            name, papers = known.get("name_of_cases", name), known.get("papers_of_cases", papers)
            name = known.get("name_of_unpaired", name) if design.kind == "runs" and not design.paired else name
        elif test == "corrected_t_test" and design.partition and design.n_repeats > 1:
            papers = [*papers, "bouckaert2004evaluating"]
    return {"name": name.format(**values), "papers": papers, "remark": known["remark"].format(**values)}


def _linearised(test: str, metrics: Sequence[str], facts: Facts) -> tuple[str, ...]:
    """Of which metrics a test of means took linearised values."""
    scores = facts.scores
    if isinstance(scores, StudyScores) or not (scores.design.kind == "samples" or scores.design.time_order):
        return ()
    of_means = ("paired_t_test", "cluster_t_test") if scores.design.kind != "folds" else ("diebold_mariano_test",)
    tested = {row.metric for row in facts.comparison if row.procedure == test and test in of_means}
    return tuple(metric for metric in metrics if metric in tested and not by_case(scores, metric))


def _on_predictions(facts: Facts) -> bool:
    """Whether a test takes predictions of folds, not scores."""
    kinds = {row.name: row.takes.kind for row in PROCEDURES}
    tests = metrics_by_test(facts.comparison.rows)
    of_folds = isinstance(facts.scores, EvaluationScores) and facts.scores.design.kind == "folds"
    return of_folds and any(kinds[test] == "predictions" for test in tests)


def _level(family: Family) -> str:
    """The level of each interval of a family, with two digits of what is left to 100%."""
    return percent_of(round(family.level, 1 - magnitude(1 - family.level)))


def _simulations(facts: Facts) -> str:
    """What simulations say of the test, or why they say nothing; empty where none is asked for."""
    rates = facts.error_rates
    reason = OF_STUDIES if isinstance(facts.scores, StudyScores) else "" if rates is None else rates.reason
    if reason:
        return f"How often the test is wrong on such data is not known from simulations: {reason}."
    return "" if rates is None else in_simulations(rates, facts.comparison.n_hypotheses)


def _why_not(rows: Sequence[ComparisonRow], scores: Any) -> list[str]:
    """Why comparisons could not be made, each reason once with its metrics."""
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        found.setdefault(_reason(row, scores), {})[row.metric] = None
    same = "data sets" if isinstance(scores, StudyScores) else scores.design.cases
    where = "in time order" if not isinstance(scores, StudyScores) and scores.design.time_order else "on one test set"
    sentences = {
        "given": "because {} {} given for each model, not measured",
        "same": f"because differences on {{}} were the same on all {same}",
        "undefined": "because {} {} 0/0",
        "no test": f"for lack of a test of {{}} {where}",
        "scores": "for lack of scores",
    }
    kept = {reason: list(found[reason]) for reason in sentences if reason in found}
    return [sentences[reason].format(listed(on), "was" if len(on) == 1 else "were") for reason, on in kept.items()]


def _reason(row: ComparisonRow, scores: Any) -> str:
    """Why one comparison could not be made."""
    codes, evaluated = {one.code for one in row.warnings}, isinstance(scores, EvaluationScores)
    if Code.JUDGED.name in codes:
        return "given"
    if row.mean_a != row.mean_a or row.mean_b != row.mean_b:
        return "scores"
    if does_not_vary(row.warnings):
        return "same"
    in_time = evaluated and scores.design.time_order
    if evaluated and (Code.WEAK_METRIC.name in codes or (in_time and Code.ILL_DEFINED.name in codes)):
        return "undefined"
    return "no test" if in_time or (evaluated and scores.design.kind == "samples") else "scores"
