"""One number for every pair of models: p-values, or probabilities that one is better."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.metrics import label
from skcompare._core.numbers import probability, pvalue, uncertain
from skcompare._core.validation import FloatArray, check_number, choose_metric
from skcompare.comparison.cases import check_alone, choose_case_metric, rope_widths
from skcompare.comparison.compare import run_procedure, standing_of
from skcompare.comparison.error_rates import FRAGILE
from skcompare.comparison.means import led_by, metric_means
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import ComparisonRow, ComparisonTable, Scores
from skcompare.plotting._differences import budget, compared
from skcompare.plotting._display import Display, inches, text_width
from skcompare.plotting._style import Axes, labels, width_of
from skcompare.scores.study import StudyScores

# What pictures made of coloured cells share.


# What red, green and blue give to lightness; below the second, light letters have more contrast than dark ones.
LIGHTNESS, DARK = (0.299, 0.587, 0.114), 0.44
# Not quite black and white, which a page turns round in the dark; the cells keep their colours there.
DARK_INK, LIGHT_INK = "#010101", "#FEFEFE"
# Okabe and Ito's orange and blue, the latter darkened: the two ends differ in grey too.
ORANGE, PALE, BLUE, EMPTY = "#E69F00", "#F7F7F7", "#00497A", "#DDDDDD"
LONGEST, SHORTEST = 24, 6  # characters of a name
# Inches: of a cell without a number, beside the cells, around them, and how wide they are at least and at most.
SMALL_CELL, BAR, AROUND, NARROWEST, WIDEST = 0.22, 1.3, 1.7, 3.8, 9.0
FONT, SMALLEST_FONT, CHARACTER = 9.0, 4.0, 0.62  # points; of a character in font sizes
NAMES = 0.3  # of names beside small axes: part of the axes
MOST_NAMED = 40  # rows and columns up to which each is named
MARK = 5.0  # points
LIFT, MARK_Y = 0.12, 0.3  # in cells: of a number above the middle, of a mark below it


class Cell(NamedTuple):
    """What is written into a cell, with a mark below it: `size` is that of the mark, `style` how the letters look."""

    row: int
    column: int
    text: str
    mark: str = ""
    size: float = 1.0
    lift: float = LIFT
    style: Mapping[str, Any] = MappingProxyType({})


class CellsDisplay(Display):
    """A picture made of coloured cells, in which numbers stand where there are few."""

    _edges = ()
    _most_written: ClassVar[int]  # rows and columns up to which numbers are written
    _cell: ClassVar[tuple[float, float]]  # width and height of a cell with numbers, in inches
    _text_width: ClassVar[float]  # of a number, in font sizes
    _lowest: ClassVar[float] = 1.0  # inches

    @abstractmethod
    def _names(self) -> tuple[Sequence[str], Sequence[str]]:
        """What the columns are called, and the rows."""

    def _is_written(self) -> bool:
        return max(map(len, self._names())) <= self._most_written

    def _size(self) -> tuple[float, float]:
        columns, rows = self._names()
        (wide, high), bar = (self._cell, 0.0) if self._is_written() else ((SMALL_CELL, SMALL_CELL), BAR)
        width = min(max(wide * len(columns), NARROWEST), WIDEST) + bar
        height = min(max(high * len(rows), self._lowest), WIDEST)
        beside, below = (width_of(labels(names, LONGEST)) for names in (rows, columns))
        return beside + width + 0.6, below + height + AROUND

    def _draw_cells(
        self,
        ax: Axes,
        values: FloatArray,
        colours: Sequence[str],
        cells: Iterable[Cell],
        reach: float | None = None,
        n: int = 256,
    ) -> Any:
        """Colour the cells, name them and write into some, in letters and marks that fit; the image."""
        from matplotlib.colors import LinearSegmentedColormap

        shades = LinearSegmentedColormap.from_list("cells", colours, N=n).with_extremes(bad=EMPTY)
        shown = np.ma.masked_invalid(values)
        image = ax.imshow(shown, cmap=shades, vmin=reach and -reach, vmax=reach, aspect="auto")
        rows, columns = values.shape
        width, height = (72 * side / count for side, count in zip(inches(ax), (columns, rows), strict=True))
        by_number = width / self._text_width if self._is_written() else FONT
        font = max(SMALLEST_FONT, min(FONT, by_number, width / 1.3, height / 1.3))
        short = int(np.clip(72 * NAMES * min(inches(ax)) / font / CHARACTER, SHORTEST, LONGEST))
        x, y = (labels(names, LONGEST if self._roomy_ else short) for names in self._names())
        some_x, some_y = (range(0, count, -(-count // MOST_NAMED)) for count in (columns, rows))
        upright = 72 * text_width(x, font) > 0.9 * width
        ax.set_xticks(some_x, [x[i] for i in some_x], rotation=90 if upright else 0, fontsize=font)
        ax.set_yticks(some_y, [y[i] for i in some_y], fontsize=font)
        ax.tick_params(length=0)
        shade, marks = image.to_rgba(shown), dict[tuple[str, str, float], list[tuple[int, float]]]()
        for i, j, text, mark, size, lift, style in cells:
            colour = LIGHT_INK if np.dot(shade[i, j][:3], LIGHTNESS) < DARK else DARK_INK
            if text:
                own: dict[str, Any] = {"color": colour, "fontsize": font, **style}
                ax.text(j, i - lift, text, ha="center", va="center", in_layout=False, **own)
            if mark:
                marks.setdefault((mark, colour, size), []).append((j, i + (MARK_Y if text else 0)))
        for (mark, colour, size), places in marks.items():  # thousands of lines of one mark would take seconds
            style = {"ls": "", "color": colour, "ms": size * min(MARK, font / 2), "mew": 0}
            ax.plot(*np.transpose(places), marker=mark, gid="marks", **style)
        return image

    def _add_bar(self, ax: Axes, image: Any, label: str) -> Any:
        """A colour bar beside the axes, which shrink for it where they are roomy."""
        inset = ax.inset_axes((1.03, 0.1, 0.03, 0.8))
        inset.set_in_layout(self._roomy_)
        bar = ax.figure.colorbar(image, cax=inset)
        bar.set_label(label, fontsize=FONT)
        bar.ax.tick_params(labelsize=FONT)
        return bar


# One number for every pair of models, as a matrix: at [i, j] that of model i against model j.


# Draws from the posterior of a study: so many for each pair, and about so many for all.
FEWEST_DRAWS, MOST_DRAWS, ALL_DRAWS = 2_000, 50_000, 1_000_000


def from_the_best(scores: Scores, metric: str, **matrices: Any) -> dict[str, Any]:
    """The names and matrices in the order of tables: the best model first."""
    order = led_by(None, scores.estimators, metric_means(scores)[scores.metrics.index(metric)])
    ordered = {key: matrix[np.ix_(order, order)] for key, matrix in matrices.items()}
    return {"names": [scores.estimators[i] for i in order], **ordered}


def _matrix(
    scores: Scores, rows: Sequence[ComparisonRow], of_pair: Callable[[ComparisonRow], tuple[float | None, float | None]]
) -> FloatArray:
    """Two numbers of each row, its first model's and its second's; nan on the diagonal and for None."""
    places = {name: i for i, name in enumerate(scores.estimators)}
    matrix = np.full((len(places), len(places)), np.nan)
    for row in rows:
        i, j = places[row.a], places[row.b]
        matrix[i, j], matrix[j, i] = of_pair(row)
    return matrix


def _warnings_of(scores: Scores, compared: ComparisonTable) -> StrArray:
    """What is said of each pair whose claim is fragile; empty of the others."""
    fragile = _matrix(scores, compared.rows, lambda row: (row.fragile, row.fragile)) == 1
    return np.where(fragile, FRAGILE[compared.halves], "")


def _lead(row: ComparisonRow) -> float:
    """1 where the first model of a row of a comparison is the better one, -1 where the second is, 0 for neither."""
    if row.winner is not None:
        return 1.0 if row.winner == row.a else -1.0
    return float(np.sign(row.estimate))


StrArray = NDArray[np.str_]

ROW, COLUMN, EQUIVALENT, OPEN = "row", "column", "equivalent", ""
# Each points to the name of the better model: rows are named on the left, columns below.
MARKS = {ROW: "<", COLUMN: "v", EQUIVALENT: "s"}
HIDDEN_FROM, NOTHING = 0.2, "–"  # p-values that say nothing are not written
BANDS = (1.0, 0.2, 0.02)  # of p-values, in units of alpha: 0.05, 0.01, 0.001
EQUIVALENT_ABOVE = 0.95
PROBABILITIES = (0.0, 0.25, 0.5, 0.75, 1.0)


class PairMatrixDisplay(CellsDisplay):
    """Matrix of all pairs of models on one metric: adjusted p-values, or probabilities that the row's model is better.

    Attributes
    ----------
    names : sequence of str of length n_models
        The models, the best first.
    values : ndarray of shape (n_models, n_models)
        Of the row's model against the column's: its p-value, or the probability in [0, 1] that it is better; nan on
        the diagonal, and where a pair has no scores.
    lean : ndarray of shape (n_models, n_models)
        The colour, in [-1, 1]: positive in favour of the row's model.
    better : ndarray of str of shape (n_models, n_models)
        The marks: ``"row"`` or ``"column"``, the better model, ``"equivalent"`` or ``""``. Bold and marked: a triangle
        points to the name of the better model, a square stands for equivalent.
    ticks : dict of float to str
        What `lean` means, for the colour bar.
    steps : bool
        Whether the colours are those of the ticks, and none between.
    title : str
        What the values are.
    procedure : str
        Of which test they are and how they are adjusted, or of which posterior.
    marks : str
        What is marked.
    legend : str
        What the colour bar shows, where its ticks do not say it.
    warnings : ndarray of str of shape (n_models, n_models), optional
        What is said of each fragile claim, whose value ends in ``~``; empty of the others.

    Notes
    -----
    Values are written for up to 12 models, p-values where they are below 0.2; more models are shown as colours with a
    colour bar.
    """

    names: Sequence[str]
    values: FloatArray
    lean: FloatArray
    better: StrArray
    ticks: dict[float, str]
    steps: bool
    title: str
    procedure: str
    marks: str
    legend: str
    warnings: StrArray | None = None

    _most_written, _cell, _text_width = 12, (0.55, 0.55), 4.8

    @classmethod
    def from_result(
        cls,
        result: Scores,
        *,
        metric: str | None = None,
        procedure: str = "auto",
        correction: str = "holm",
        alpha: float = 0.05,
    ) -> Self:
        """The p-values of all pairs on one metric, adjusted over its family as in ``compare`` of the result.

        Parameters
        ----------
        result : EvaluationScores or StudyScores
            What to show.
        metric : str, optional
            The first by default.
        procedure : str, default="auto"
            A test, as in ``compare`` of the result.
        correction : str, default="holm"
            A method of `adjust_pvalues`.
        alpha : float, default=0.05
            Level below which a pair is marked, in (0, 1).

        Returns
        -------
        PairMatrixDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            As `compare`, or if `alpha` is out of range.

        Examples
        --------
        >>> from skcompare import from_frame
        >>> from skcompare.plotting import PairMatrixDisplay
        >>> scores = {"model": ["a"] * 4 + ["b"] * 4, "fold": [0, 1, 2, 3] * 2,
        ...           "score": [0.91, 0.88, 0.93, 0.90, 0.85, 0.86, 0.90, 0.84]}
        >>> PairMatrixDisplay.from_result(from_frame(scores)).values.round(2).tolist()
        [[nan, 0.04], [0.04, nan]]
        """
        metric = choose_metric(metric, result.metrics)
        alpha = check_number(alpha, "alpha", low=0, high=1, closed="neither")
        by_looks = procedure == "auto" and stopped(result) is not None
        level: dict[str, Any] = {} if by_looks else {"alpha": alpha}
        comparison = compared(result, metric, procedure=procedure, correction=correction, **level)
        rows = comparison.rows
        won = standing_of(rows, result.estimators).better.astype(np.float64)
        signs = won - won.T if by_looks else _matrix(result, rows, lambda row: (_lead(row), -_lead(row)))
        values = _matrix(result, rows, lambda row: (row.pvalue_adjusted, row.pvalue_adjusted))
        limits = [alpha * band for band in BANDS]
        strength = sum((values < limit).astype(np.float64) for limit in limits) / len(limits)
        better = np.where(signs > 0, ROW, np.where(signs < 0, COLUMN, OPEN))
        lean = np.where(np.isnan(values), np.nan, signs * strength)
        better = better if by_looks else np.where(values < alpha, better, OPEN)
        return cls(
            **from_the_best(
                result, metric, values=values, lean=lean, better=better, warnings=_warnings_of(result, comparison)
            ),
            ticks=_pvalue_ticks(limits),
            steps=True,
            title=f"p-values on {labels([label(metric)])[0]}",
            procedure=budget(comparison),
            marks=f"triangle to the significantly better model{'' if by_looks else f': p < {alpha:g}'}"
            + (", by the looks while it ran, for which the p-values do not allow" if by_looks else ""),
            legend="",
        )

    @classmethod
    def from_posterior(
        cls,
        result: Scores,
        *,
        metric: str | None = None,
        margin: float = 0.0,
        method: str | None = None,
        threshold: float | None = None,
    ) -> Self:
        """The probability that the row's model is better than the column's on one metric, for all pairs.

        Parameters
        ----------
        result : EvaluationScores or StudyScores
            What to show: the correlated t posterior of an evaluation, `pairwise_posterior` of a study.
        metric : str, optional
            The first by default.
        margin : float, default=0
            Half width of the region of practical equivalence, in score units.
        method : {"signed_rank", "sign"}, optional
            The posterior of a study; ``"signed_rank"`` by default.
        threshold : float, optional
            Probability above which a pair is marked, in (0.5, 1), not adjusted for the number of pairs. By default the
            better model is marked where ``compare`` of the result calls it significantly better.

        Returns
        -------
        PairMatrixDisplay
            Not drawn yet. The probabilities are not adjusted for the number of pairs. Those of a signed-rank posterior
            have a Monte Carlo standard error of up to 0.002, and of 0.01 for thirty models.

        Raises
        ------
        ValueError
            If a name or option is unknown or out of range, or no data set has scores of all models.

        Examples
        --------
        >>> from skcompare import from_frame
        >>> from skcompare.plotting import PairMatrixDisplay
        >>> scores = {"model": ["a"] * 4 + ["b"] * 4, "fold": [0, 1, 2, 3] * 2,
        ...           "score": [0.91, 0.88, 0.93, 0.90, 0.85, 0.86, 0.90, 0.84]}
        >>> PairMatrixDisplay.from_posterior(from_frame(scores)).values.round(2).tolist()
        [[nan, 0.98], [0.02, nan]]
        """
        metric = choose_case_metric(result, metric)
        margin = rope_widths(margin, (metric,), result).get(metric, 0.0)
        if threshold is not None:
            threshold = check_number(threshold, "threshold", low=0.5, high=1, closed="neither")
        check_alone(result, "the posterior")
        if not isinstance(result, StudyScores) and result.design.time_order:
            raise ValueError("result must not be in time order, which its posterior does not allow for; 'pvalues' does")
        comparison = compared(result, metric, rope=None if isinstance(result, StudyScores) else {metric: margin})
        if isinstance(result, StudyScores):
            k = len(result.estimators)
            draws = max(FEWEST_DRAWS, min(MOST_DRAWS, ALL_DRAWS // (k * (k - 1) // 2)))
            options: dict[str, Any] = {"margin": margin, "method": method or "signed_rank", "n_draws": draws}
            posterior = run_procedure(result, "pairwise_posterior", metric=metric, **options)
            right, procedure = np.where(np.eye(k), np.nan, posterior.better), posterior.method
        elif method is not None:
            raise ValueError(
                f"method must be left out for one evaluation, which has the correlated t posterior; got {method!r}"
            )
        else:
            right = _matrix(result, comparison.rows, lambda row: (row.right, row.left))
            procedure = "correlated t posterior"
        left, sure = right.T, EQUIVALENT_ABOVE if threshold is None else threshold
        won = standing_of(comparison.rows, result.estimators).better
        ahead, behind = (won, won.T) if threshold is None else (right > sure, left > sure)
        better = np.select([ahead, behind, 1 - right - left > sure], [ROW, COLUMN, EQUIVALENT], OPEN)
        region = f", equivalent within {margin:g}" if margin else ""
        square = f"; square: equivalent, probability > {sure:g}" if margin else ""
        by_test = f"significantly better model: {budget(comparison)}"
        triangle = by_test if threshold is None else f"better model: probability > {sure:g}"
        warnings = _warnings_of(result, comparison) if threshold is None else np.full(better.shape, "")
        return cls(
            **from_the_best(result, metric, values=right, lean=right - left, better=better, warnings=warnings),
            ticks={2 * p - 1: f"{p:g}" for p in PROBABILITIES},
            steps=False,
            title=f"probability that the row is better on {labels([label(metric)])[0]}",
            procedure=f"{procedure}{region}",
            marks=f"triangle to the {triangle}{square}",
            legend="probability that the row's model is better" + (", equivalence counted half" if margin else ""),
        )

    def _title(self) -> str:
        return self.title

    def _notes(self) -> Sequence[str]:
        hidden = self.steps and self._is_written() and (self.values >= HIDDEN_FROM).any()
        warnings = np.unique(self.warnings) if self.warnings is not None and self._is_written() else ()
        said = [f"{NOTHING}: p at least {HIDDEN_FROM:g}"] if hidden else []
        said += ["?: no test"] if np.isnan(self.values[~np.eye(len(self.names), dtype=np.bool_)]).any() else []
        return [self.procedure, *said, *(f"~ {one}" for one in warnings if one)]

    def _names(self) -> tuple[Sequence[str], Sequence[str]]:
        return self.names, self.names

    def _columns(self) -> dict[str, Any]:
        (i, j), names = np.nonzero(~np.eye(len(self.names), dtype=np.bool_)), np.array(self.names, dtype=object)
        return {"row": names[i], "column": names[j], "value": self.values[i, j], "better": self.better[i, j]}

    def _draw(self, ax: Axes) -> None:
        k, colours = len(self.names), [ORANGE, PALE, BLUE]
        steps = len(self.ticks) if self.steps else 256
        reach = 1 + 1 / (len(self.ticks) - 1) if self.steps else 1.0  # so that steps are centred on their ticks
        image = self._draw_cells(ax, self.lean, colours, self._cells(), reach, steps)
        ax.set_xticks(np.arange(k - 1) + 0.5, minor=True)
        ax.set_yticks(np.arange(k - 1) + 0.5, minor=True)
        ax.grid(which="minor", color="white", lw=1)
        ax.tick_params(which="minor", length=0)
        if not self._is_written():
            self._add_bar(ax, image, self.legend).set_ticks(list(self.ticks), labels=list(self.ticks.values()))
        self._label_axes(ax, [self.marks], size="small")

    def _cells(self) -> Iterator[Cell]:
        unknown, written = np.isnan(self.values), self._is_written()
        for i, j in np.argwhere(~np.eye(len(self.names), dtype=np.bool_) & (unknown | (self.better != OPEN) | written)):
            better = str(self.better[i, j])
            if unknown[i, j]:
                yield Cell(i, j, "?", lift=0.0, style={"color": DARK_INK})
            else:
                mark = "~" if self.warnings is not None and self.warnings[i, j] else ""
                text = f"{self._text(self.values[i, j])}{mark}" if written else ""
                yield Cell(i, j, text, MARKS.get(better, ""), style={"weight": "bold" if better else "normal"})

    def _text(self, value: float) -> str:
        if not self.steps:  # a probability: many are shares of draws, and none is certain
            return probability(uncertain(value), 2)
        return pvalue(value) if value < HIDDEN_FROM or value != value else NOTHING


def _pvalue_ticks(limits: Sequence[float]) -> dict[float, str]:
    ticks = {0.0: f"p at least {limits[0]:g}"}
    for i, limit in enumerate(limits, start=1):
        for side, better in ((1, "row"), (-1, "column")):
            ticks[side * i / len(limits)] = f"{better} better, p < {limit:g}"
    return dict(sorted(ticks.items()))
