"""A report as one HTML page that needs nothing but a browser."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import count
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import is_zipfile

from skcompare._core.archive import replaced
from skcompare._core.numbers import counted, decimals, equal_to, listed, number, one_of, pvalue
from skcompare.comparison.answer import MetricAnswer, within_reach
from skcompare.comparison.dominance import DominanceRow
from skcompare.comparison.ranking import all_equal
from skcompare.comparison.table import ALPHA, ComparisonRow, Family
from skcompare.reporting import svg, words
from skcompare.reporting.answer import by_weight, could_have_shown, models, only_leading, over, sentences, title
from skcompare.reporting.error_rate import by_metric, calibrated, error_rate
from skcompare.reporting.scores_table import about_intervals, own_scores
from skcompare.reporting.summary.evaluation import leading_models, shown_rows
from skcompare.reporting.summary.page import Figure, Page, plain
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import RankingSummary, StudySummary
from skcompare.reporting.words import SIGN, cases_of, legend_of
from skcompare.scores.evaluation import is_judged

if TYPE_CHECKING:
    from jinja2 import Environment


# What the script of a page computes with: numbers, positions and outcomes; it makes the words itself.


_COSTS = ("fit_time", "predict_time", "model_size", "peak_memory", "complexity", "n_parameters")


def in_units_of_its_own(summary: ComparedSummary, metric: str) -> bool:
    """Whether no difference on another metric can be set beside one on this."""
    return metric in _COSTS or is_judged(summary.provenance, metric)


def script_data(page: Page, columns: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The data that the page holds for its script."""
    summary = page.summary
    study = isinstance(summary, StudySummary)
    position = {name: i for i, name in enumerate(summary.estimators)}
    position_of = {metric.name: m for m, metric in enumerate(summary.metrics)}
    could_show = {metric: found for family in summary.families for metric, found in _could_show(summary, family)}
    omnibus = {on.metric: on for on in summary.answer.metrics if isfinite(on.omnibus)}
    return {
        "study": study,
        "alpha": ALPHA if summary.sequential else summary.alpha,  # there it is the level of intervals alone
        "models": summary.estimators,
        "sequential": summary.answer.sequential,
        "baseline": position.get(summary.answer.baseline or ""),
        "over": over(summary.answer),
        "said": sentences(summary),
        "untested": [position_of[name] for name in summary.answer.untested],
        "cases": cases_of(summary),
        "posterior": "Bayesian sign test" if study else "correlated t posterior",
        "metrics": [
            {
                "name": metric.name,
                "merits": [merit if isfinite(merit) else None for merit in metric.merits],
                "means": [mean if isfinite(mean) else None for mean in metric.means] if study else None,
                "less": not metric.greater_is_better,
                "span": metric.span if isfinite(metric.span) else None,
                "gaps": metric.n_common < metric.n_all,
                **could_show.get(metric.name, {}),
                "cost": in_units_of_its_own(summary, metric.name),
                "oneUnit": all(on.one_unit for on in summary.answer.metrics if on.metric == metric.name),
                "omnibus": _omnibus(omnibus[metric.name]) if metric.name in omnibus else None,
            }
            for metric in summary.metrics
        ],
        "columns": columns,
        "fields": page.fields,
        "rows": page.rows,
        "decided": [_decided(row, position) for row in shown_rows(summary)],
        "scores": page.scores,
        "selected": _selected(summary),
        "leading": bool(leading_models(summary)),
        "joint": [] if leading_models(summary) else [_joint(joint, summary) for joint in summary.joint],
        "legend": _legend(summary),
    }


def _legend(summary: ComparedSummary) -> list[str]:
    """The legend of a copied table, in two parts: the script says between them what is marked how."""
    legend = legend_of(summary, costs=False)
    two = len(summary.estimators) == 2
    sign = "{} - {} is positive where {} is better".format(*summary.estimators, summary.estimators[0]) if two else SIGN
    alone = "" if summary.sequential or words.adjusts(summary) else "; p not adjusted"
    before = f"{title(summary)}: {legend.test}{alone}. {sign}{legend.median};"
    return [before, f"{legend.marked}{legend.level}{legend.rest}"]


def _could_show(summary: ComparedSummary, family: Family) -> Iterator[tuple[str, dict[str, Any]]]:
    """By metric of a family whether a difference could be significant, and among how many comparisons."""
    n, could = summary.answer.n_pairs * len(family.metrics), within_reach(summary.rows, family, summary.alpha)
    yield from ((metric, {"withinReach": could, "comparisons": n}) for metric in family.metrics)


def _omnibus(on: MetricAnswer) -> dict[str, Any]:
    """The test that all models are equal on a metric."""
    return {"pvalue": on.omnibus, "test": on.omnibus_test, "said": equal_to("p", on.omnibus), "n": on.n_datasets}


def _decided(row: ComparisonRow, position: Mapping[str, int]) -> tuple[str, int | None]:
    """The outcome of a row, and which model is better."""
    return row.outcome.value, None if row.winner is None else position[row.winner]


def _selected(summary: ComparedSummary) -> dict[str, Any]:
    """The adjusted p-values, and the intervals with whether they are cut."""
    rows = shown_rows(summary)
    return {
        "adjusted": [plain(row.pvalue_adjusted) for row in rows],
        "limits": [(plain(row.low), plain(row.high), row.open_at_null) for row in rows],
    }


def _joint(joint: DominanceRow, summary: ComparedSummary) -> dict[str, Any]:
    """The statement on all metrics of one pair, models and metrics as positions; the names of metrics may be alike."""
    names = [metric.name for metric in summary.metrics]
    return {
        "i": summary.estimators.index(joint.a),
        "j": summary.estimators.index(joint.b),
        "metrics": [names.index(metric) for metric in joint.metrics],
        "statement": joint.statement,
        "probable": joint.most_probable,
        "adjusted": joint.pvalue_adjusted,
        "smallest": joint.smallest_pvalue,
        "probability": joint.probability,
    }


SCRIPTS = ("numbers.js", "words.js", "answer.js", "exports.js", "forest.js", "report.js")
SHOWN = ("assumes", "procedures", "sources", "splits", "failures")  # of a page, as they are
MAX_STATIC_ROWS = 500  # without the script; with it all rows are there
MAX_MEANS = 40  # columns of a table that a person reads


def check_extra() -> None:
    """ImportError where what the page is made with is not installed."""
    try:
        import jinja2  # noqa: F401
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError("the HTML report needs jinja2 and matplotlib: pip install 'skcompare[report]'") from error


def html_page(page: Page) -> str:
    """The page of an evaluation or a study."""
    check_extra()
    return fill("page.html", result_context(page), {"figures": page.figures})


def fill(
    template: str, context: Mapping[str, Any], figures: Mapping[str, Sequence[Figure]], *, scripted: bool = True
) -> str:
    """A page of a template: what it shows, and drawn figures by the name that the template has for some of them."""
    numbers = count(1)
    drawn = {group: [_drawn(figure, f"figure{next(numbers)}") for figure in some] for group, some in figures.items()}
    style, scripts = _static("page.css"), [_static(name) for name in (SCRIPTS if scripted else ())]
    own = {"style": style, "scripts": scripts, "policy": _policy(style, scripts)}
    return _environment().get_template(template).render({**context, **drawn, **own})


def _drawn(figure: Figure, name: str) -> dict[str, Any]:
    return {"caption": figure.caption, "name": name, "svg": svg.svg_element(figure.figure, name, figure.caption)}


def result_context(page: Page) -> dict[str, Any]:
    """What the templates show of an evaluation or a study."""
    summary = page.summary
    columns, rows = _columns(summary), shown_rows(summary)
    context = {
        **_findings(summary),
        **{name: getattr(page, name) for name in SHOWN},
        "summary": replace(summary, rows=(), joint=(), answer=replace(summary.answer, pairs=())),
        "leading": leading_models(summary),
        "only_leading": only_leading(summary),
        "source_numbers": {source.key: i for i, source in enumerate(page.sources, 1)},
        "n_rows": len(rows),
        "known": provenance(summary.provenance),
        "study": isinstance(summary, StudySummary),
        "cases": words.cases_of(summary),
        "scope": words.scope(summary),
        "read": words.as_read(summary.provenance, summary.estimators),
        "seeds": words.seeds(summary),
        "posterior": bool(page.posterior),
        "columns": columns,
        "lines": [_line(row, columns, summary.alpha) for row in words.clearest(rows, MAX_STATIC_ROWS)],
        "less_is_better": summary.costs,
        "costs": [metric.name for metric in summary.metrics if in_units_of_its_own(summary, metric.name)],
        "together": words.together(summary),
        "adjusts": words.adjusts(summary),
        "over_families": words.over_families(summary),
        "page": script_data(page, columns),
    }
    return words.printable(context)  # last, since names that look alike are still different models


def _findings(summary: ComparedSummary) -> dict[str, Any]:
    """What was found, in words and small tables."""
    forbidding, others = by_weight(summary)
    rankings = summary.rankings if isinstance(summary, StudySummary) else ()
    return {
        "title": title(summary),
        "setting": _setting(summary),
        "sentences": sentences(summary),
        "forbidding": forbidding,
        "other_warnings": others,
        "detectable": could_have_shown(summary),
        "calibrated": calibrated(summary.calibration) if summary.calibration else "",
        "means": None if isinstance(summary, StudySummary) else _means(summary),
        "rankings": [_ranking(ranking, summary) for ranking in rankings],
        "joint_heading": words.joint_heading(summary) if summary.joint else "",
        "joint_lines": words.joint_lines(summary),
        "error_rate": error_rate(summary),
        "decided_by": words.decided_by(summary),
        "only_tested": words.only_tested(summary.rows),
        "sizes": by_metric(summary),
    }


def write(path: str | os.PathLike[str], page: str) -> None:
    """Write the page; a file that is there is replaced whole or not."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path must be a path; got {path!r:.80}")
    name = os.fspath(path)
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        raise OSError(f"path must be a file; {name!r} is a directory or device")
    if is_zipfile(target):
        raise FileExistsError(f"path must not be a zip archive, as saved results are; give another name than {name!r}")
    try:
        with replaced(target) as file:
            file.write(page.encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), name) from error


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("skcompare.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"listed": listed, "pvalue": pvalue}
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
    return environment


def _static(name: str) -> Any:
    from markupsafe import Markup

    return Markup((files("skcompare.reporting") / "static" / name).read_text(encoding="utf-8"))


def _policy(style: str, scripts: Sequence[str]) -> str:
    """The page runs its own scripts and shows its own style, known by their hashes; it loads and sends nothing."""
    nothing = ("default-src", "base-uri", "form-action")
    allowed = {"style-src": _hashes([style]), "script-src": _hashes(scripts), "img-src": "data:"}
    return "; ".join([*(f"{name} 'none'" for name in nothing), *(f"{name} {what}" for name, what in allowed.items())])


def _hashes(texts: Sequence[str]) -> str:
    return " ".join(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts) or "'none'"


# ---- words of the page ----------------------------------------------------------------------------------------


def _setting(summary: ComparedSummary) -> str:
    data = words.datasets_and_designs(summary) if isinstance(summary, StudySummary) else words.setting(summary)
    return f"{data}, {counted(len(summary.metrics), 'metric')}"


def _columns(summary: ComparedSummary) -> list[dict[str, Any]]:
    """The columns of the comparison; of two models the headings name them."""
    names = summary.estimators
    two = len(names) == 2
    a, b = names if two else ("a", "b")
    columns = [
        ("metric", "metric", "text"),
        *([] if two else [("a", "a", "text"), ("b", "b", "text")]),
        ("meanA", f"mean of {a}", "number"),
        ("meanB", f"mean of {b}", "number"),
        ("estimate", words.difference(summary.rows, f"{a} − {b}"), "number"),
        ("interval", words.interval_of(summary), "number"),
        *([] if summary.answer.sequential else [("adjusted", "p adj.", "number")]),
        ("outcome", "outcome", "said"),
        ("record", "w/t/l", "number"),
        ("left", f"P({b} better)", "number"),
        ("rope", "P(equivalent)", "number"),
        ("right", f"P({a} better)", "number"),
    ]
    shares = ("left", "rope", "right")
    return [
        {"key": key, "label": label, "numeric": style == "number", "style": style, "rope": key in shares}
        for key, label, style in columns
    ]


def _line(row: ComparisonRow, columns: Sequence[Mapping[str, Any]], alpha: float) -> dict[str, Any]:
    """One row of the comparison as it is shown without the script."""
    cells = {
        **{"metric": row.metric, "a": row.a, "b": row.b, "outcome": words.verdict(row)},
        **dict(zip(("meanA", "meanB", "estimate", "interval"), words.numbers(row).values(), strict=True)),
        "adjusted": pvalue(row.pvalue_adjusted, alpha),
        "record": words.record(row),
    }
    return {
        "side": row.outcome.value if row.winner is not None else "",
        "cells": [(cells[column["key"]], column["style"]) for column in columns if not column["rope"]],
    }


def _means(summary: ComparedSummary) -> dict[str, Any] | None:
    """Mean scores with their intervals; without these of three models or more, since of two the comparison has them."""
    if len(summary.estimators) == 2 and summary.intervals is None:
        return None
    shown = own_scores(summary)[:MAX_MEANS]
    columns = [list(zip(metric.means, cells, strict=True)) for metric, cells in shown]
    rows = zip(models(summary), zip(*columns, strict=True), strict=True)
    about = f"{about_intervals(summary)}, {summary.intervals.about}" if summary.intervals else ""
    return {"metrics": [metric.name for metric, _ in shown], "models": list(rows), "intervals": about}


def _ranking(ranking: RankingSummary, summary: ComparedSummary) -> dict[str, Any]:
    letters = [model.group for model in ranking.models]
    places = decimals(model.mean for model in ranking.models)
    models = [
        {**asdict(model), "rank": f"{model.mean_rank:.2f}", "shown": number(model.mean, places)}
        for model in ranking.models
    ]
    return {
        "metric": ranking.metric,
        "setting": counted(ranking.n, one_of(words.cases_of(summary))),
        "equal": all_equal(ranking.method, ranking.pvalue, letters, summary.alpha, summary.answer.baseline),
        "models": models,
    }


def provenance(known: Mapping[str, Any]) -> dict[str, Any]:
    """What reproduces the result, as texts; a saved file can hold anything under these names."""
    found: dict[str, Any] = {name: str(known[name]) for name in ("cv", "random_state") if name in known}
    for name in ("estimators", "versions"):
        entries = known.get(name)
        found[name] = [(str(key), str(value)) for key, value in entries.items()] if isinstance(entries, Mapping) else []
    return found
