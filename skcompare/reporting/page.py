"""A document as a page of one file that needs nothing but a browser."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import is_zipfile

import numpy as np

from skcompare._core.archive import replaced
from skcompare._core.printable import one_line
from skcompare.reporting import svg
from skcompare.reporting.document import Block, Column, Document, Section, as_html, as_id
from skcompare.reporting.summary.evaluation import EvaluationSummary
from skcompare.reporting.summary.records import ComparedSummary

if TYPE_CHECKING:
    from jinja2 import Environment


RESULT_FIGURES = {
    "differences": "The differences with the intervals of the tables; right of the line favours the first model.",
    "scores": "The score of every model on every split; lines join the scores of one split.",
    "dominance": "All metrics together, for the two leading models: how probable each pattern of winners is.",
    "pareto": "Two metrics at once: the models that no other one beats on both.",
    "roc": "ROC curves of the models, with the spread over the folds.",
}
CASE_FIGURES = {
    "differences": RESULT_FIGURES["differences"],
    "dominance": RESULT_FIGURES["dominance"],
    "pareto": RESULT_FIGURES["pareto"],
    "roc": "ROC curves of the models.",
}
RUN_FIGURES = {
    "differences": RESULT_FIGURES["differences"],
    "scores": "The score of every run of every model.",
    "pareto": RESULT_FIGURES["pareto"],
}
PAIR_FIGURES = ("dominance", "datasets")
STUDY_FIGURES = {
    "differences": RESULT_FIGURES["differences"],
    "critical_difference": "Mean ranks over the data sets; a bar joins models that are not significantly different.",
    "datasets": "The scores of the two leading models, one mark per data set.",
    "dominance": "All metrics together, for the two leading models: how probable each pattern of winners is.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A drawn matplotlib figure, its kind, and what it shows."""

    kind: str
    caption: str
    figure: Any


def _classed(column: Column) -> str:
    return f' class="{"text" if column.left else "number"}"'


def figures_of(summary: ComparedSummary) -> Mapping[str, str]:
    """The kinds of plots that a page can have, and what each shows."""
    if isinstance(summary, EvaluationSummary):
        figures = {"folds": RESULT_FIGURES, "runs": RUN_FIGURES}.get(summary.kind, CASE_FIGURES)
        return {kind: shown for kind, shown in figures.items() if kind != "dominance" or not summary.time_order}
    return STUDY_FIGURES


def leading_pair(summary: ComparedSummary) -> dict[str, str]:
    """The leader and the best of the others on the first metric: not the two whose p-value is the smallest."""
    leader = summary.answer.metrics[0].leader
    first = next(metric for metric in summary.metrics if metric.name == summary.answer.metrics[0].metric)
    merits = dict(zip(summary.estimators, np.nan_to_num(first.merits, nan=-np.inf), strict=True))
    names = sorted(merits, key=lambda name: (name != leader, -merits[name]))
    return {"a": names[0], "b": names[1]}


# ---- the page -------------------------------------------------------------------------------------------------


def check_extra() -> None:
    """ImportError where what the page is made with is not installed."""
    try:
        import jinja2  # noqa: F401
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError("the HTML report needs jinja2 and matplotlib: pip install 'skcompare[report]'") from error


def page(document: Document, figures: Sequence[Figure]) -> str:
    """The short document, the first picture, the sections, other pictures."""
    short = [block for block in document.blocks if not isinstance(block, Section)]
    sections = [block for block in document.blocks if isinstance(block, Section)]
    style, scripts = _static("document.css"), [_static("document.js")]
    return (
        _environment()
        .get_template("document.html")
        .render(
            title=one_line(document.title),
            short=_markup(short),
            sections=[(section.title, as_id(section.title), _markup(section.blocks)) for section in sections],
            figures=[_drawn(figure, f"figure{i}") for i, figure in enumerate(figures, 1)],
            style=style,
            scripts=scripts,
            policy=_policy(style, scripts),
        )
    )


def _markup(blocks: Sequence[Block]) -> Any:
    from markupsafe import Markup

    return Markup("".join(as_html(block, _classed) for block in blocks))


def _drawn(figure: Figure, name: str) -> dict[str, Any]:
    return {"caption": figure.caption, "name": name, "svg": svg.svg_element(figure.figure, name, figure.caption)}


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

    loader = PackageLoader("skcompare.reporting")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


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
