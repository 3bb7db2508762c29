"""Pictures, reports and exports, written once for results, studies and searches."""

from __future__ import annotations

import inspect
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import FrozenInstanceError, dataclass, replace
from functools import partial, update_wrapper
from operator import attrgetter
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, Generic, Literal, ParamSpec, Self, TypeVar

from skcompare._core.archive import write_archive
from skcompare._core.document import Document, Grid, Section, walked
from skcompare._core.metrics import check_losses
from skcompare._core.validation import check_choice, take_old, warn_of_old
from skcompare._core.warnings import do_not_use
from skcompare.plotting._display import Display
from skcompare.plotting._kinds import make_display
from skcompare.reporting import json, latex, markdown, methods, page
from skcompare.reporting.explain import EVERY_PAIR, explanation
from skcompare.reporting.findings import Findings, find
from skcompare.reporting.mlflow import log_run
from skcompare.reporting.short import short
from skcompare.saving.results import to_archive

if TYPE_CHECKING:
    from skcompare._typed import Correction

MOST_ROWS = 45  # of the comparisons of all pairs in an export


# What results, studies and learning curves are: scores behind the names that users read.


Value = TypeVar("Value")
Scores = TypeVar("Scores")
Asked = ParamSpec("Asked")


class Given(Generic[Value]):
    """A public attribute of a result, with what it is: what its scores have by that name."""

    def __init__(self, about: str) -> None:
        self.about = about

    if TYPE_CHECKING:

        def __get__(self, result: Any, of: type | None = None) -> Value: ...


def given(method: Callable[Concatenate[Any, Asked], Value]) -> Callable[Concatenate[Any, Asked], Value]:
    """A public method of a result: that of its scores."""

    def asked(self: Any, /, *args: Asked.args, **options: Asked.kwargs) -> Value:
        return method(self._scores, *args, **options)

    update_wrapper(asked, method)
    return asked


@dataclass(eq=False, init=False, repr=False)
class Scored(Generic[Scores]):
    """Made of other scores and what differs, or of all fields of scores; it cannot be changed."""

    _scores: Scores
    _kind: ClassVar[type[Any]]
    _details: ClassVar[tuple[str, ...]] = ()  # what stands in `details`
    _old: ClassVar[Mapping[str, tuple[str, Callable[..., Any]]]] = {}  # what to call now, and the old method

    def __init__(self, *, _scores: Scores | None = None, **fields: Any) -> None:
        if "results" in fields:  # of data sets or sizes
            fields["results"] = {name: getattr(one, "_scores", one) for name, one in fields["results"].items()}
        made: Any = _scores
        if fields:
            made = self._kind(**fields) if made is None else replace(made, **fields)
        if "scores" in fields:
            check_losses(made.metrics, made.greater_is_better, made.scores)
        object.__setattr__(self, "_scores", made)

    def __init_subclass__(cls) -> None:
        for name, value in [*vars(cls).items()]:
            if isinstance(value, Given):
                setattr(cls, name, property(attrgetter(f"_scores.{name}"), doc=value.about))

    def __setattr__(self, name: str, _value: Any) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def _with(self, **changes: Any) -> Self:
        """The same with other scores, warnings or the like."""
        return type(self)(_scores=self._scores, **changes)

    def save(self: Any, path: str | os.PathLike[str]) -> None:
        """Write everything to one file, without pickle; `skcompare.load` reads it.

        A file has no functions of your own. On one test set a metric with one, as of ``make_scorer(function)``, is not
        tested any more. It counts among the comparisons as before, with p-values of 1: intervals of other metrics keep
        their level, and their adjusted p-values may be larger.

        Parameters
        ----------
        path : path-like
            The file; one that is there is replaced, and kept if saving fails. Its permissions stay.

        Raises
        ------
        OSError
            If the file cannot be written, or is read-only.
        ValueError
            If the labels are objects other than strings.
        """
        write_archive(path, *to_archive(self._scores))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """What was public before 0.3 is taken for one version more."""
            scores = None if name.startswith("_") else self._scores
            now, method = self._old.get(name, ("", None))
            if method is None and not hasattr(scores, name):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
            now = now or (f"read .details.{name}" if name in self._details else "it is the package's own")
            warn_of_old(f".{name} of a result", now)
            return getattr(scores, name) if method is None else partial(method, scores)


Detail = Literal["short", "full"]


class Readable(ABC):
    """What results, studies and searches have in common: pictures, a summary in words, and a page."""

    __slots__ = ()
    _first_kind: ClassVar[str] = "differences"
    _scores: Any

    @abstractmethod
    def _document(self, detail: Detail = "short", primary: str | None = None) -> Document:
        """The answer, or all that is behind it."""

    @abstractmethod
    def _page(self, primary: str | None = None) -> str:
        """The page."""

    def _display(self, kind: str, options: Mapping[str, Any]) -> Display:
        """A picture, not drawn yet."""
        return make_display(self._scores, kind, options)

    def _for_papers(self) -> Document:
        """What stands in a paper."""
        return self._document()

    def _repr_html_(self) -> str:
        return self._document("full").folded()._repr_html_()

    def plot(self, kind: str | None = None, *, ax: Any = None, **options: Any) -> Any:
        """Draw one picture; the short way to ``Display.from_result(...).plot(ax)``.

        Parameters
        ----------
        kind : str, optional
            One of those in the guide, "Pictures", e.g. ``"scores"``, ``"posterior"`` or ``"roc"`` of a result,
            ``"critical_difference"`` or ``"datasets"`` of a study, ``"candidates"``, ``"parameters"``, ``"heatmap"`` or
            one of a result's of a search. By default ``"differences"``, of a search ``"candidates"``.
        ax : matplotlib.axes.Axes, optional
            Where to draw; axes of a figure of their own by default.
        **options
            What the Display's ``from_result`` takes, such as ``metric="f1"``. Of a result's kinds of a search also
            ``candidates``, as in its ``result`` (``"ranks"``: all); `metric` is the one that decides by default.

        Returns
        -------
        Display
            Drawn: with ``ax_``, ``figure_`` and ``frame()``.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If there is no such kind, an option is unknown, or the result lacks what the picture shows.
        """
        take_old(options, {"rope": "margin"})
        return self._display(self._first_kind if kind is None else kind, options).plot(ax)

    def summary(self, detail: Detail = "short", *, primary: str | None = None) -> str:
        """The answer: what to do, how large the difference is, and how sure.

        Parameters
        ----------
        detail : {"short", "full"}, default="short"
            ``"full"`` adds all that `explain` has.
        primary : str, optional
            The metric to decide on; the first one by default. Of a search and a learning curve it must be left out.

        Returns
        -------
        str
            Lines of at most 80 characters, but for wider tables and long names.

        Raises
        ------
        ValueError
            If `detail` is another word, or `primary` no metric.
        """
        check_choice(detail, "detail", ("short", "full"))
        return str(self._document(detail, self._known(primary)))

    def explain(self, *, primary: str | None = None) -> Document:
        """All that is behind the answer: every pair, single scores, error rates, warnings.

        Parameters
        ----------
        primary : str, optional
            As in `summary`.

        Returns
        -------
        Document
            It prints itself, and can be unfolded in a notebook.

        Raises
        ------
        ValueError
            If `primary` is no metric.
        """
        return self._document("full", self._known(primary))

    def help(self) -> None:
        """Print all public names in four groups, with a line on each."""
        print("\n".join([type(self).__name__, *_tree(type(self))]))  # noqa: T201

    def _known(self, primary: str | None) -> str | None:
        """A metric that can be asked to decide, or None; ValueError for another one."""
        if primary is not None and not self._primaries:
            raise ValueError(f"primary must be left out here, where one metric decides; got {primary!r}")
        if primary is not None:
            check_choice(primary, "primary", self._primaries)
        return primary

    _primaries: tuple[str, ...] = ()  # the metrics that can be asked to decide

    def __str__(self) -> str:
        return str(self._document())

    def to_markdown(self) -> str:
        """The answer and its tables in Markdown: of a result and a study also the comparisons of all pairs."""
        return markdown.render(self._for_papers())

    def to_latex(self) -> str:
        """The answer and its tables in LaTeX for booktabs: of a result and a study also the comparisons of all pairs.

        A star marks the models that are significantly worse than the first one. More than 45 comparisons are left to
        ``compare().to_latex()``.

        Returns
        -------
        str
            ``table`` environments, notes below them. Names are escaped; those outside Latin need xelatex or lualatex.
        """
        return latex.render(self._for_papers())

    def to_html(self, path: str | os.PathLike[str] | None = None, *, primary: str | None = None) -> str:
        """The report as one HTML page that works offline.

        Of more than 30 models it has the comparisons of the leading ones with all others.

        Parameters
        ----------
        path : path-like, optional
            Also write it there, in UTF-8; a file that is there is replaced, unless it is a saved result.
        primary : str, optional
            As in `summary`.

        Returns
        -------
        str
            The page.

        Raises
        ------
        ImportError
            If jinja2 or matplotlib is not installed.
        OSError
            If the file cannot be written, is read-only, or is a saved result.
        ValueError
            If `primary` is no metric.
        """
        page.check_extra()
        if path is not None:
            page.check_path(path)
        found = self._page(self._known(primary))
        if path is not None:
            page.write(path, found)
        return found


# Public names by what they are for, as `help` prints them.


_WIDTH = 80  # of a line
_GROUPS = {
    "look": "what the answer is, in words and pictures",
    "ask": "other questions",
    "export": "files, tables and texts",
    "data": "what was measured, and where it comes from",
}
_LOOK = ("plot", "summary", "explain", "help")
_EXPORT = ("save", "log_to_mlflow", "methods_text")


def _tree(cls: type) -> list[str]:
    """The groups, and below each its names with the first sentences of their documentation."""
    found = {group: [f"  {group}: {what}"] for group, what in _GROUPS.items()}
    fields = _documented_fields(cls)
    for name in sorted({*dir(cls), *fields}):
        if name.startswith("_"):
            continue
        value = None if name in fields else inspect.getattr_static(cls, name)
        method = inspect.isfunction(value)
        # methods of scores read them, and compare nothing
        group = "ask" if method and not value.__module__.startswith("skcompare.scores.") else "data"
        group = "export" if name in _EXPORT or name.startswith("to_") else "look" if name in _LOOK else group
        about = fields.get(name) or (inspect.getdoc(value) or "").partition("\n\n")[0]
        told = f"{name}{'()' if method else ''}: {about.removesuffix('.').replace('`', '')}"
        found[group] += wrap(told, _WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8)
    return [line for lines in found.values() for line in lines]


def _documented_fields(cls: type) -> dict[str, str]:
    """The first sentence on each attribute in the documentation of a class."""
    section = (inspect.getdoc(cls) or "").partition("\nAttributes\n----------\n")[2]
    found = re.findall(r"^(\w[\w, ]*) : .*\n((?:    .*(?:\n|$))+)", section, re.MULTILINE)
    return {name: " ".join(text.split()).partition(". ")[0] for names, text in found for name in names.split(", ")}


def drawn(
    display: Callable[[str, Mapping[str, Any]], Display],
    kinds: Mapping[str, str],
    options: Mapping[str, Mapping[str, Any]],
) -> list[page.Figure]:
    """The pictures that can be made, of kinds with captions; `options` by kind."""
    found = []
    for kind, caption in kinds.items():
        try:
            picture = display(kind, options.get(kind, {}))
            picture.plot(picture.narrow_axes())
        except ValueError:  # what this kind shows is lacking
            continue
        found.append(page.Figure(caption=caption, figure=picture.figure_))
    return found


class Reportable(Readable):
    """What a result and a study say, draw and export; every view reads the same comparisons, computed once."""

    warnings: Any
    save: Any

    def _found(self, primary: str | None = None) -> Findings:
        """All that the views show."""
        return find(self._scores, detailed=True, primary=primary)

    _primaries = property(attrgetter("_scores.metrics"))

    def _document(self, detail: Detail = "short", primary: str | None = None) -> Document:
        found = find(self._scores, detailed=detail == "full", primary=primary)
        return explanation(short(found), found) if detail == "full" else short(found)

    def _page(self, primary: str | None = None) -> str:
        found = self._found(primary)
        figures = drawn(self._display, page.figures_of(found), page.figure_options(found))
        return page.page(explanation(short(found), found), figures)

    def _for_papers(self) -> Document:
        """The answer and the table of all pairs, where it is no longer than a page."""
        found = self._document("full")
        kept = [block for block in found.blocks if not isinstance(block, Section) or block.title == EVERY_PAIR]
        rows = sum(block.n_rows for block in walked(kept) if isinstance(block, Grid) and block.name.startswith("pairs"))
        kept = [block for block in kept if not isinstance(block, Section) or rows <= MOST_ROWS]
        return Document(title=found.title, blocks=tuple(kept))

    def to_json(self) -> str:
        """All of it as strict JSON, with null where a number is not finite.

        Of more than 1,000 pairs it has those with the leaders, as every report, and no intervals of single models.
        Predictions are not in it, nor more than 100,000 scores: `save` keeps both.
        """
        return json.json_report(find(self._scores, detailed=True))

    def methods_text(self, *, procedure: str = "auto", correction: Correction | Literal["none"] = "holm") -> str:
        """A paragraph for the methods section of a paper, with the BibTeX of what it cites.

        Parameters
        ----------
        procedure : str, default="auto"
            The test that was used, as in `compare`.
        correction : str, default="holm"
            The adjustment that was used within each family, as in `compare`.

        Returns
        -------
        str
            The paragraph in plain text with author-year citations, an empty line, and the entries.

        Raises
        ------
        ImportError
            If jinja2 is not installed.
        ValueError
            If `compare` refuses the procedure or the correction.

        Examples
        --------
        >>> from skcompare import from_frame
        >>> table = {"model": ["nb"] * 3 + ["tree"] * 3, "fold": [0, 1, 2] * 2, "score": [0.9, 0.8, 0.9, 0.7, 0.8, 0.8]}
        >>> print(from_frame(table).methods_text().split(". ")[0])
        We compared two models (nb and tree) on one data set by 3-fold cross-validation (3 splits)
        """
        section = methods.methods_section(methods.facts(self._scores, procedure, correction))
        return f"{do_not_use(self.warnings)} {section}".lstrip()

    def log_to_mlflow(self, *, run_id: str | None = None, prefix: str = "") -> str:
        """Log to MLflow: to the run given, else to the active one, else to a new one.

        Metrics are the mean scores (of a study the ranks too), the differences ``a - b`` and the adjusted p-values,
        e.g. ``difference/accuracy/nb/tree``, and those of the joint verdicts; in names what MLflow does not take
        becomes ``_``, and values that are not finite are left out, which the tag ``not_logged`` says. Parameters are
        the design, the seed, the hash of the splits and the models; tags are the verdict in words, the warnings and the
        versions; artifacts are ``result.skc``, which `skcompare.load` reads, ``report.html`` and ``result.json``.
        Where it goes is MLflow's tracking URI.

        Parameters
        ----------
        run_id : str, optional
            A run of the tracking server; it is left open or closed, as it is.
        prefix : str, default=""
            Put before every name, e.g. ``"cv/"``, so that one run can hold several results: at most 40 letters, digits,
            dots, dashes, underscores and slashes.

        Returns
        -------
        str
            The id of the run.

        Raises
        ------
        ImportError
            If MLflow, or what the report needs, is not installed.
        ValueError
            If `run_id` or `prefix` does not fit, or the run holds a result or other parameters under that prefix.
        """
        files: dict[str, Callable[[Path], Any]] = {
            "result.skc": self.save,
            "report.html": self.to_html,
            "result.json": lambda path: path.write_text(self.to_json(), encoding="utf-8"),
        }
        return log_run(self._found(), files=files, run_id=run_id, prefix=prefix)
