"""A report as one HTML page that needs nothing but a browser."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import is_zipfile

from skcompare.reporting import svg
from skcompare.reporting._words import (
    adjustment,
    decimals,
    is_study,
    joint_heading,
    joint_lines,
    listed,
    number,
    numbers,
    pairs_legend,
    pattern,
    percent,
    plain,
    pvalue,
    setting,
    size_range,
)
from skcompare.reporting.calibrated import calibrated_on, not_calibrated
from skcompare.reporting.verdict import could_have_shown, leaders, merit, models, sentences

if TYPE_CHECKING:
    from jinja2 import Environment

SCRIPTS = ("numbers.js", "words.js", "exports.js", "forest.js", "report.js")
MAX_STATIC_ROWS = 500  # without the script; with it all rows are there
MAX_MEANS = 40  # columns of a table that a person reads
_GAP = "\x00"  # in no text
COSTS = ("fit_time", "predict_time", "model_size", "n_parameters")  # in units of their own


def check_extra() -> None:
    """ImportError where what the page is made with is not installed."""
    try:
        import jinja2  # noqa: F401
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError("the HTML report needs jinja2 and matplotlib: pip install 'skcompare[report]'") from error


def render(report: Mapping[str, Any]) -> str:
    """The page of what `skcompare.reporting.summary.page` gathered."""
    check_extra()
    return fill("page.html", result_context(report), {"figures": report["figures"]})


def fill(template: str, context: Mapping[str, Any], figures: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """A page of a template: what it shows, and drawn figures by the name that the template has for some of them."""
    numbers = count(1)
    drawn = {group: [_drawn(figure, f"figure{next(numbers)}") for figure in some] for group, some in figures.items()}
    scripts = [_static(name) for name in SCRIPTS]
    return (
        _environment()
        .get_template(template)
        .render({**context, **drawn, "style": _static("page.css"), "scripts": scripts})
    )


def result_context(report: Mapping[str, Any]) -> dict[str, Any]:
    """What the templates show of an evaluation or a study."""
    context: dict[str, Any] = plain(_context(report))  # last, since names that look alike are still different models
    return context


def _drawn(figure: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {**figure, "name": name, "svg": svg.render(figure["figure"], name, figure["caption"])}


def _context(report: Mapping[str, Any]) -> dict[str, Any]:
    """What the templates show, of names as they are."""
    summary = report["summary"]
    study = "datasets" in summary
    columns = _columns(summary)
    said, stopped = sentences(summary), bool(summary.get("stopping"))
    return {
        **{key: report[key] for key in ("assumes", "procedures", "sources", "splits")},
        "alphas": report.get("alphas", []),
        "failures": report.get("failures", []),
        "summary": {key: value for key, value in summary.items() if key != "provenance"},
        "known": _provenance(summary["provenance"]),
        "study": study,
        "title": _title(summary),
        "setting": _setting(summary),
        "sequential": said[0] if stopped else "",  # not in the box that the controls rewrite
        "sentences": said[1:] if stopped else said,
        "detectable": could_have_shown(summary),
        "calibrated": _calibrated(summary),
        "columns": columns,
        "lines": [_line(row, columns, summary) for row in _clearest(summary["rows"])],
        "means": None if study else _means(summary),
        "rankings": _rankings(summary) if study else [],
        "joint_heading": joint_heading(summary) if summary["joint"] else "",
        "joint_lines": joint_lines(summary),
        "less_is_better": [metric["name"] for metric in summary["metrics"] if not metric["greater_is_better"]],
        "costs": [metric["name"] for metric in summary["metrics"] if metric["name"] in COSTS],
        "sizes": [(metric, size_range(shares)) for metric, shares in summary.get("measured_sizes", {}).items()],
        "source_numbers": {source["key"]: i for i, source in enumerate(report["sources"], 1)},
        "page": _page(report, columns),
    }


def _calibrated(summary: Mapping[str, Any]) -> str:
    """What the test was calibrated on; empty where it was not."""
    calibration = summary.get("calibration")
    return "" if not calibration else f"{calibrated_on(calibration)} {not_calibrated(calibration)}".strip()


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
    partial = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        partial.write_text(page, encoding="utf-8", newline="\n")
        partial.replace(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), name) from error
    finally:
        partial.unlink(missing_ok=True)


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


# ---- words of the page ----------------------------------------------------------------------------------------


def _title(summary: Mapping[str, Any]) -> str:
    names = summary["estimators"]
    return f"{names[0]} against {names[1]}" if len(names) == 2 else f"{len(names)} models compared"


def _setting(summary: Mapping[str, Any]) -> str:
    if "datasets" not in summary:
        return f"{setting(summary)}, {_counted(len(summary['metrics']), 'metric')}"
    on_each = f" ({listed(summary['designs'])} on each)" if summary["designs"] else ""
    return f"{_counted(len(summary['datasets']), 'data set')}{on_each}, {_counted(len(summary['metrics']), 'metric')}"


def _counted(n: int, what: str) -> str:
    return f"{n} {what}" + ("" if n == 1 else "s")


def _columns(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The columns of the comparison; of two models the headings name them."""
    names = summary["estimators"]
    two = len(names) == 2
    a, b = names if two else ("a", "b")
    columns = [
        ("metric", "metric", False),
        *([] if two else [("a", "a", False), ("b", "b", False)]),
        ("meanA", f"mean of {a}", True),
        ("meanB", f"mean of {b}", True),
        ("estimate", f"{a} − {b}", True),
        ("interval", "95% interval", True),
        ("adjusted", "p adj.", True),
        ("verdict", "verdict", False),
        ("left", f"P({b} better)", True),
        ("rope", "P(equal)", True),
        ("right", f"P({a} better)", True),
        ("pvalue", "p", True),
        ("record", "w/t/l", True),
    ]
    return [
        {
            "key": key,
            "label": label,
            "numeric": numeric,
            "style": "number" if numeric else "said" if key == "verdict" else "text",
            "rope": key in ("left", "rope", "right"),
        }
        for key, label, numeric in columns
    ]


def _clearest(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """All rows in their order, or those with the smallest adjusted p-values."""
    if len(rows) <= MAX_STATIC_ROWS:
        return list(rows)
    order = sorted(
        range(len(rows)),
        key=lambda i: (rows[i]["pvalue_adjusted"] != rows[i]["pvalue_adjusted"], rows[i]["pvalue_adjusted"]),
    )
    return [rows[i] for i in sorted(order[:MAX_STATIC_ROWS])]


def _line(row: Mapping[str, Any], columns: Sequence[Mapping[str, Any]], summary: Mapping[str, Any]) -> dict[str, Any]:
    """One row of the comparison as it is shown without the script."""
    shown = numbers(row)
    cells = {
        **{key: row[key] for key in ("metric", "a", "b", "verdict")},
        "meanA": shown["mean_a"],
        "meanB": shown["mean_b"],
        "estimate": shown["estimate"],
        "interval": shown["interval"],
        "pvalue": pvalue(row["pvalue"]),
        "adjusted": pvalue(row["pvalue_adjusted"]),
        "record": f"{row['wins']}/{row['ties']}/{row['losses']}",
    }
    side = ""
    if row["pvalue_adjusted"] < summary["alpha"]:
        side = "better" if row["verdict"] == f"{row['a']} better" else "worse"
    return {
        "side": side,
        "cells": [(cells[column["key"]], column["style"]) for column in columns if not column["rope"]],
    }


def _means(summary: Mapping[str, Any]) -> dict[str, Any] | None:
    """Mean scores of three models or more; of two the comparison has them."""
    metrics = summary["metrics"][:MAX_MEANS]
    if len(summary["estimators"]) == 2:
        return None
    places = [decimals(metric["means"]) for metric in metrics]
    return {
        "metrics": [metric["name"] for metric in metrics],
        "models": [
            (
                name,
                [
                    (metric["means"][i], number(metric["means"][i], size))
                    for metric, size in zip(metrics, places, strict=True)
                ],
            )
            for i, name in enumerate(models(summary))
        ],
    }


def _rankings(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = []
    for ranking in summary["rankings"]:
        places = decimals(model["mean"] for model in ranking["models"])
        models = [
            {**model, "rank": f"{model['mean_rank']:.2f}", "shown": number(model["mean"], places)}
            for model in ranking["models"]
        ]
        differ = "undecided"
        if ranking["pvalue"] == ranking["pvalue"]:
            differ = "the models differ" if ranking["pvalue"] < summary["alpha"] else "no difference shown"
        found.append({**ranking, "models": models, "verdict": differ})
    return found


# ---- data of the script ---------------------------------------------------------------------------------------


def _page(report: Mapping[str, Any], columns: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    summary = report["summary"]
    position = {name: i for i, name in enumerate(summary["estimators"])}
    return {
        "study": "datasets" in summary,
        "alpha": summary["alpha"],
        "alphas": report.get("alphas", []),
        "models": summary["estimators"],
        "merit": merit(summary),
        "posterior": "Bayesian sign test" if is_study(summary) else "correlated t posterior",
        "metrics": [
            {
                "name": metric["name"],
                "leaders": [position[name] for name in best],
                "less": not metric["greater_is_better"],
                "cost": metric["name"] in COSTS,
            }
            for metric, best in zip(summary["metrics"], leaders(summary), strict=True)
        ],
        "columns": columns,
        "fields": report["fields"],
        "rows": report["rows"],
        "scores": report.get("scores", []),
        "joint": [_joint(joint, position) for joint in summary["joint"]],
        "jointHeading": joint_heading(summary) if summary["joint"] else "",
        "legend": _legend(summary),
    }


def _legend(summary: Mapping[str, Any]) -> list[str]:
    """The legend of a copied table, in three parts: the script says between them what is marked how, and the level."""
    legend = pairs_legend({**summary, "alpha": _GAP}, _GAP)
    if summary["n_hypotheses"] < 2:
        legend = legend.replace(f"{summary['procedure']}.", f"{summary['procedure']}; {adjustment(summary)}.", 1)
    if len(summary["estimators"]) == 2:
        a, b = summary["estimators"]
        legend = legend.replace("a - b is positive where a is better", f"{a} - {b} is positive where {a} is better")
    before, between, after = legend.split(_GAP)
    return [f"{_title(summary)}: {before}", between, after]


def _joint(joint: Mapping[str, Any], position: Mapping[str, int]) -> dict[str, Any]:
    a, b, statement = joint["a"], joint["b"], joint["statement"]
    return {
        "i": position[a],
        "j": position[b],
        "words": None if statement is None else pattern(statement, joint["metrics"], a, b),
        "adjusted": joint["pvalue_adjusted"],
        "probability": percent(joint["probability"]),
    }


def _provenance(known: Mapping[str, Any]) -> dict[str, Any]:
    """What reproduces the result, as texts; a saved file can hold anything under these names."""
    found: dict[str, Any] = {name: str(known[name]) for name in ("cv", "random_state") if name in known}
    for name in ("estimators", "versions"):
        entries = known.get(name)
        found[name] = [(str(key), str(value)) for key, value in entries.items()] if isinstance(entries, Mapping) else []
    return found
