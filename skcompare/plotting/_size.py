"""The calibration of procedures: how often each rejects a true null, against how often it should."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.metrics import label
from skcompare._core.numbers import percent_of
from skcompare._core.text import name_of_test
from skcompare._core.validation import FloatArray, Names, check_names, check_scores
from skcompare.comparison.error_rates import rates_like
from skcompare.inference import proportion_interval
from skcompare.inference._procedures import find_procedure
from skcompare.plotting._display import Display, inches, values_of
from skcompare.plotting._style import BETTER, ROPE, Axes, down, ink, labels, look, width_of
from skcompare.scores.evaluation import EvaluationScores

NOMINAL = 0.05
# Sizes that pass for 5%.
TOLERATED = (0.03, 0.07)
LEVELS = (0.01, 0.05, 0.1, 0.15, 0.2)
MANY = 10
ROOM_ABOVE = 1.5  # times the height of small axes, for a legend within
DIRECTION = ("above the line: too many false alarms", "below it: conservative")


class SizeDisplay(Display):
    """Measured size against nominal level: on the line a procedure is calibrated, above it it raises false alarms.

    Attributes
    ----------
    names : sequence of str of length n_rows
        Procedures, or the metrics that one was measured on.
    levels : ndarray of shape (n_levels,)
        Nominal levels in (0, 1), ascending. Where there is one, the rows stand side by side.
    measured : ndarray of shape (n_rows, n_levels)
        Shares of true nulls that were rejected, in [0, 1]; nan where only a range is known.
    low, high : ndarray of shape (n_rows, n_levels)
        Ends of the bars, in [0, 1]. Over several levels those of more than ten rows are not drawn.
    bars : str
        What the bars are.
    about : str
        What was measured.
    where : str
        On which simulated data; empty where it is not known.
    unlike : str
        What is not known of the run, whether it is like these data or not; empty where all is.
    """

    names: Sequence[str]
    levels: FloatArray
    measured: FloatArray
    low: FloatArray
    high: FloatArray
    bars: str
    about: str
    where: str = ""
    unlike: str = ""

    @classmethod
    def from_pvalues(cls, pvalues: ArrayLike, *, names: Names = None, levels: Sequence[float] = LEVELS) -> Self:
        """The size of procedures from the p-values that they gave on simulated true nulls.

        Parameters
        ----------
        pvalues : array_like of shape (n_simulations,) or (n_procedures, n_simulations)
            In [0, 1].
        names : sequence of str of length n_procedures, optional
            Numbers by default.
        levels : sequence of float, default=(0.01, 0.05, 0.1, 0.15, 0.2)
            Nominal levels in (0, 1); a p-value below the level rejects.

        Returns
        -------
        SizeDisplay
            Not drawn yet; its bars are the 95% intervals of Clopper and Pearson for the error of the simulation.

        Raises
        ------
        ValueError
            If a p-value or a level is out of range, or the names are not one for each procedure.

        Examples
        --------
        >>> from skcompare.plotting import SizeDisplay
        >>> SizeDisplay.from_pvalues([0.02, 0.2, 0.5, 0.9], levels=[0.05]).measured.tolist()
        [[0.25]]
        """
        values = np.atleast_2d(check_scores(pvalues, "pvalues"))
        if values.min() < 0 or values.max() > 1:
            raise ValueError(f"pvalues must be in [0, 1]; got {values.min():g} to {values.max():g}")
        nominal = np.unique(check_scores(levels, "levels", ndim=(1,)))
        if nominal[0] <= 0 or nominal[-1] >= 1:
            raise ValueError(f"levels must be in (0, 1); got {nominal[0]:g} to {nominal[-1]:g}")
        n_procedures, n = values.shape
        counts = [[int((row < level).sum()) for level in nominal] for row in values]
        intervals = [[proportion_interval(count, n, method="clopper_pearson") for count in row] for row in counts]
        ends = np.array([[(interval.low, interval.high) for interval in row] for row in intervals])
        return cls(
            names=[*check_names([names] if isinstance(names, str) else names, n_procedures, of="procedure")],
            levels=nominal,
            measured=np.array(counts) / n,
            low=ends[..., 0],
            high=ends[..., 1],
            bars="95% interval (Clopper-Pearson)\nfor the error of the simulation",
            about=f"size on {n} simulated true null{'' if n == 1 else 's'}",
        )

    @classmethod
    def from_result(cls, result: EvaluationScores, *, procedure: str = "auto") -> Self:
        """The sizes of a procedure at a nominal 5% that are predicted from the simulations like the result's run.

        Parameters
        ----------
        result : EvaluationScores
            Whose design and metrics are meant; its scores play no part. What is not known of it is left open.
        procedure : str, default="auto"
            As in `EvaluationResult.test`, or ``"dominance_test"``.

        Returns
        -------
        SizeDisplay
            Not drawn yet; its bars hold the size of 90% of new learners on new data, with the mean.

        Raises
        ------
        ValueError
            If the procedure is unknown or does not fit the design, or was not simulated on runs like this one.

        Examples
        --------
        >>> from skcompare import from_frame
        >>> from skcompare.plotting import SizeDisplay
        >>> scores = {"model": ["a"] * 10 + ["b"] * 10, "fold": [*range(10)] * 2, "metric": ["accuracy"] * 20,
        ...           "score": [0.9, 0.8] * 10}
        >>> display = SizeDisplay.from_result(from_frame(scores))
        >>> display.names, display.levels.tolist(), bool((display.low < display.high).all())
        (['accuracy'], [0.05], True)
        """
        if result.design.kind != "folds":
            raise ValueError(f"result must be of splits that models were fitted on; got {result.design.name}")
        joint, name = True, procedure
        if procedure != "dominance_test":
            row = find_procedure(procedure, result.design)
            joint, name = row.takes.joint, row.name
        found, reason = rates_like(result, name, left_open=True)
        known = {what: rate for what, rate in found.items() if not rate.reason}
        if not known:
            why = next((rate.reason for rate in found.values()), reason)
            raise ValueError(f"procedure must have been simulated on runs like this one; for {name!r} {why}")
        own = dict.fromkeys(known) if joint else result.read_as
        sizes = {name: known[what or name] for name, what in own.items() if (what or name) in known}
        if not sizes:
            measured, given = " or ".join(known), ", ".join(result.metrics)
            raise ValueError(f"metrics must hold one that {name!r} was measured on, {measured}; got {given}")
        own = values_of([*sizes.values()], "low", "high", measured="mean")
        unlike = rates_like(result, name)[1]
        return cls(
            names=[*map(label, sizes)],
            levels=np.array([NOMINAL]),
            **{name: down(column) for name, column in own.items()},
            bars="mean, and 90% of new learners\non new data",
            about=f"size of the {name_of_test(name)} at a nominal {percent_of(NOMINAL)}",
            where=next(rate.where for rate in sizes.values()),
            unlike=f"of this run {unlike}" if unlike else "",
        )

    def _title(self) -> str:
        return self.about

    def _notes(self) -> Sequence[str]:
        return [f"measured on {self.where}", *filter(None, [self.unlike])] if self.where else []

    def _size(self) -> tuple[float, float]:
        if len(self.levels) > 1:
            return super()._size()
        width = width_of(labels(self.names))
        upright = len(self.names) * (width + 0.12)
        wide, high = (upright, 4.6) if upright <= 6 else (0.24 * len(self.names), 4.6 + width)
        return 3.6 + max(3.2, wide), high

    def _columns(self) -> dict[str, Any]:
        values = {"measured": self.measured, "low": self.low, "high": self.high}
        return {"name": down(self.names), "nominal": self.levels, **values}

    def _draw(self, ax: Axes) -> None:
        from matplotlib.ticker import PercentFormatter

        handles, texts = self._draw_curves(ax) if len(self.levels) > 1 else self._draw_rows(ax)
        self._add_legend(handles, texts)
        ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=None))
        ax.set_ylim(-0.02 * self._top(), self._top() * (1.0 if self._roomy_ else ROOM_ABOVE))
        below = ["nominal level"] if len(self.levels) > 1 else []
        self._label_axes(ax, [*below, *DIRECTION], ["measured share of true nulls rejected"], size="small")

    def _top(self) -> float:
        return min(1.02, 1.08 * max(float(self.high.max()), float(self.levels[-1]), TOLERATED[1]))

    def _draw_curves(self, ax: Axes) -> tuple[list[Any], list[str]]:
        """One line per row over the levels, their bars beside each other."""
        from matplotlib.lines import Line2D
        from matplotlib.ticker import PercentFormatter

        end = 1.1 * self.levels[-1]
        (diagonal,) = ax.plot([0, end], [0, end], color=ink(ax), lw=0.9, ls=(0, (2, 3)), zorder=1)
        lines: list[Any] = []
        room = 0.5 * min(float(np.diff(self.levels).min()), float(self.levels[0]))
        for i in range(len(self.names)):
            style, x = look(i), self.levels
            if len(self.names) <= MANY:  # beside each other, so that the bars do not hide each other
                x = x + room * ((i + 0.5) / len(self.names) - 0.5)
                ax.vlines(x, self.low[i], self.high[i], color=style["color"], lw=1.0)
            lines += ax.plot(x, self.measured[i], lw=1.1, markersize=4.5, **style)
        handles, texts = [*lines, diagonal], [*labels(self.names), "exactly calibrated"]
        if len(self.names) <= MANY:
            handles.append(Line2D([], [], color=ink(ax), lw=1.0))
            texts.append(self.bars)
        ax.set_xlim(0, end)
        ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=None))
        return handles, texts

    def _draw_rows(self, ax: Axes) -> tuple[list[Any], list[str]]:
        """One bar per row at the only level."""
        level, places = float(self.levels[0]), np.arange(len(self.names))
        handles: list[Any] = [ax.axhline(level, color=ink(ax), lw=0.9, ls=(0, (2, 3)), zorder=1)]
        texts = [f"nominal {percent_of(level)}: exactly calibrated"]
        if level == NOMINAL:
            handles.append(ax.axhspan(*TOLERATED, color=ROPE, alpha=0.5, lw=0, zorder=0.5))
            texts.append(f"{percent_of(TOLERATED[0])} to {percent_of(TOLERATED[1])}")
        low, high = self.low[:, 0], self.high[:, 0]
        handles.append(ax.vlines(places, low, high, color=BETTER, lw=2.0))
        for ends in (low, high):
            ax.plot(places, ends, "_", color=BETTER, ms=9, mew=2.0)
        ax.plot(places, self.measured[:, 0], "o", color=BETTER, ms=5)
        names = labels(self.names)
        room = inches(ax)[0] - 2.0  # beside the legend
        crowded = len(names) * width_of(names) > room
        ax.set_xticks(places, names, rotation=90 if crowded else 0, fontsize=self._points())
        ax.set_xlim(-0.6, len(names) - 0.4)
        return handles, [*texts, self.bars]
