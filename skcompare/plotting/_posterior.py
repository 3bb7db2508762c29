"""The posterior density of a difference, with the region of practical equivalence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from skcompare._core.metrics import label
from skcompare._core.numbers import counted, interval, number, one_of, percent_of, related, short
from skcompare._core.numbers import probability as as_number
from skcompare._core.validation import FloatArray, check_choice, choose_metric, choose_pair
from skcompare.comparison import cases
from skcompare.comparison.compare import level, run_procedure
from skcompare.comparison.table import Scores
from skcompare.inference._records import DifferencePosterior
from skcompare.plotting._display import Display, decimals_beside, inches
from skcompare.plotting._style import BETTER, NEUTRAL, ROPE, WORSE, Axes, ink, labels, look, narrow, paper, width_of
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import StudyScores

MASS = 0.95
# The axis holds the central interval of this mass, and 0 and the region of practical equivalence.
SHOWN_MASS = 0.995
# Points of the density: over the axis, and on either side of the mean, as far as so many scales.
N_POINTS, N_NEAR, NEAR = 401, 201, 8.0
# Share of the height that the curve and the lines may take.
BELOW_TEXT = 0.8


class PosteriorDisplay(Display):
    """Posterior density of the mean difference of two models on one metric.

    Attributes
    ----------
    x : ndarray of shape (n_points,)
        Differences ``a - b``, in score units, ascending; positive favours `a`.
    density : ndarray of shape (n_points,)
        Per score unit; infinite at the mean where the posterior is a point.
    mean, low, high : float
        Posterior mean and central credible interval of `mass`, in score units.
    left, rope, right : float
        Probabilities that `b` is better, that the two are equivalent, that `a` is better.
    rope_width : float
        Half width of the region of practical equivalence, in score units; 0 where there is none.
    metric, a, b : str
        What it is about.
    n : int
        Number of splits used.
    method : str
        The procedure.
    case : str, default="split"
        What each of the `n` differences is of: a split, a sample or an item.
    mass : float
        Posterior probability of the interval from `low` to `high`.
    """

    x: FloatArray
    density: FloatArray
    mean: float
    low: float
    high: float
    left: float
    rope: float
    right: float
    rope_width: float
    metric: str
    a: str
    b: str
    n: int
    method: str
    case: str = "split"
    mass: float = MASS

    _edges = ("bottom",)

    _frame = ("x", "density", "metric", "a", "b", "mean", "low", "high", "left", "rope", "right", "rope_width")
    _renamed: ClassVar = {"x": "difference"}
    _figure = (7.0, 4.0)

    @classmethod
    def from_result(
        cls,
        result: EvaluationScores,
        *,
        metric: str | None = None,
        a: str | None = None,
        b: str | None = None,
        margin: float = 0.0,
    ) -> Self:
        """The `correlated_t_posterior` of a result.

        Parameters
        ----------
        result : EvaluationScores
            What to show.
        metric : str, optional
            The first by default.
        a, b : str, optional
            Estimators; the first and the second by default.
        margin : float, default=0
            Half width of the region of practical equivalence, in score units.

        Returns
        -------
        PosteriorDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            If a name is unknown, `margin` is negative, there are fewer than two pairs of scores, or all differences are
            the same but not 0.

        Examples
        --------
        >>> from skcompare import from_frame
        >>> from skcompare.plotting import PosteriorDisplay
        >>> scores = {"model": ["a"] * 4 + ["b"] * 4, "fold": [0, 1, 2, 3] * 2,
        ...           "score": [0.91, 0.88, 0.93, 0.90, 0.85, 0.86, 0.90, 0.84]}
        >>> display = PosteriorDisplay.from_result(from_frame(scores), margin=0.01)
        >>> round(display.right, 3)
        0.958
        """
        metric = cases.choose_case_metric(result, metric, means=True)
        a, b = choose_pair(a, b, result.estimators)
        cases.check_alone(result, "the posterior")
        width = cases.rope_widths(margin, (metric,), result).get(metric, 0.0)
        record = run_procedure(result, "correlated_t_posterior", metric=metric, a=a, b=b, margin=width)
        if record.n < 2:
            raise ValueError(
                f"a posterior needs at least 2 splits on which both models have a score of {metric!r}; "
                f"{a!r} and {b!r} share {record.n}"
            )
        if np.isnan(record.scale):
            raise ValueError(
                f"a posterior needs differences that vary; {a!r} less {b!r} is {short(record.mean, signed=True)} on "
                f"{metric!r} on all {result.design.cases}"
            )
        mass = 1 - level(result)
        interval = record.interval(mass)
        x = _points(record)
        return cls(
            x=x,
            density=record.density(x),
            mass=mass,
            low=interval.low,
            high=interval.high,
            metric=label(metric),
            a=a,
            b=b,
            case=one_of(result.design.cases),
            **{name: getattr(record, name) for name in ("mean", "left", "rope", "right", "rope_width", "n", "method")},
        )

    def _title(self) -> str:
        a, b = labels([self.a, self.b], longest=16)
        return f"posterior of the difference {a} - {b} on {counted(self.n, self.case)}"

    def _notes(self) -> Sequence[str]:
        width = [f"equivalent within {self.rope_width:g}"] if self.rope_width else []
        return [*width, *([] if np.isfinite(self.density).all() else ["all differences are equal"])]

    def _draw(self, ax: Axes) -> None:
        top = self._draw_curve(ax)
        if self.rope_width:
            ax.axvspan(-self.rope_width, self.rope_width, ymax=BELOW_TEXT, color=ROPE, alpha=0.5, lw=0, zorder=0)
            for edge in (-self.rope_width, self.rope_width):
                ax.axvline(edge, ymax=BELOW_TEXT, color=NEUTRAL, lw=0.8, ls=(0, (4, 3)), zorder=0.5)
        ax.axvline(0, ymax=BELOW_TEXT, color=ink(ax), lw=0.8, zorder=0.5)
        ax.plot([self.low, self.high], [-0.06 * top] * 2, color=ink(ax), lw=3, solid_capstyle="butt")
        ax.plot(self.mean, -0.06 * top, marker="D", color=ink(ax), mfc=paper(ax), ms=6)
        ax.set(xlim=(self.x[0], self.x[-1]), ylim=(-0.12 * top, 1.4 * top), yticks=[])
        self._write(ax)

    def _draw_curve(self, ax: Axes) -> float:
        """The density with its two tails, or a spike; returns its height."""
        if not np.isfinite(self.density).all():
            ax.plot([self.mean, self.mean], [0, 1], color=ink(ax), lw=2)
            ax.plot(self.mean, 1, marker="^", color=ink(ax), ms=8)
            return 1.0
        ax.plot(self.x, self.density, color=ink(ax), lw=1.4)
        tail: dict[str, Any] = {"alpha": 0.45, "edgecolor": "white", "lw": 0}
        ax.fill_between(self.x, self.density, where=self.x <= -self.rope_width, facecolor=WORSE, hatch=r"\\\\", **tail)
        ax.fill_between(self.x, self.density, where=self.x >= self.rope_width, facecolor=BETTER, hatch="////", **tail)
        return float(self.density.max())

    def _write(self, ax: Axes) -> None:
        a, b = labels([self.a, self.b], longest=int(np.clip(4.5 * inches(ax)[0] - 9, 8, 20)))
        corners = [(0.01, "left", f"P({b} better)", self.left), (0.99, "right", f"P({a} better)", self.right)]
        if self.rope_width:
            corners.append((0.5, "center", "P(equivalent)", self.rope))
        for x, side, event, probability in corners:
            text = f"{event}\n{related(as_number(probability))}"
            ax.text(x, 0.99, text, transform=ax.transAxes, ha=side, va="top", fontsize=self._points("small"))
        places = decimals_beside(self.low, self.high)
        bar, mean = interval(self.low, self.high, places), number(self.mean, places, signed=True)
        said = [
            f"{labels([self.metric], longest=24)[0]}: advantage of {a} over {b}; positive: the first is better",
            f"bar: {percent_of(self.mass)} credible interval {bar}, diamond: mean {mean}",
        ]
        self._label_axes(ax, said, ["posterior density"], size="small")


def _points(record: DifferencePosterior) -> FloatArray:
    """Where the density is computed: fine enough near the mean, and at the limits of the region."""
    limits = record.interval(SHOWN_MASS)
    rope = record.rope_width
    low, high = min(limits.low, -1.3 * rope, 0.0), max(limits.high, 1.3 * rope, 0.0)
    margin = 0.03 * (high - low) or 1.0
    low, high = low - margin, high + margin
    near = record.mean + record.scale * np.linspace(-NEAR, NEAR, N_NEAR)
    x = np.concatenate([np.linspace(low, high, N_POINTS), near, [-rope, rope]])
    return np.unique(x[(x >= low) & (x <= high)])


# The triangle of three probabilities: one model better, equivalent, the other better.


PROCEDURES = ("signed_rank_posterior", "sign_posterior", "hierarchical_posterior")
N_DRAWS = 2000
Width = float | Mapping[str, float]  # half of a region of practical equivalence
# More points than this have no place in a legend; `frame` names them.
MAX_NAMED = 12
ASKED = "no region of\nequivalence:\ngive margin="
# Where the corners are: b better, equivalent, a better; a side is 1. The gap around them.
CORNERS, GAP = np.array([[0.0, 0.0], [0.5, 0.75**0.5], [1.0, 0.0]]), 0.03


class TriangleDisplay(Display):
    """A picture in barycentric coordinates."""

    _edges, _smallest = (), 0.6

    def _draw_corners(self, ax: Axes, texts: Sequence[str], below: Sequence[str] = ("", "", "")) -> None:
        """What the corners stand for, in letters with which they stay apart, and what is known of each."""
        width, height = (72 * side for side in inches(ax))
        side = min(width / (1 + 2 * GAP), height / (CORNERS[1, 1] + 0.3))
        font = max(4.0, min(self._points("small"), 0.7 * side / max(map(narrow, texts))))
        for text, more, (x, y), align in zip(texts, below, CORNERS, ("left", "center", "right"), strict=True):
            gap, above = (GAP, "bottom") if y else (-GAP, "top")
            ax.text(x, y + gap, f"{text}\n{more}" if more else text, ha=align, va=above, ma=align, fontsize=font)
        room = GAP + (2 if any(below) else 1) * 1.25 * font / side
        ax.set(aspect="equal", xlim=(-GAP, 1 + GAP), ylim=(-room, CORNERS[1, 1] + room), xticks=[], yticks=[])
        self._label_axes(ax, [], size="small")
        ax.set_anchor("W")  # the title begins above the triangle and needs the room to its right


class SimplexDisplay(TriangleDisplay):
    """Probabilities of "b better", "equivalent" and "a better", as points of a triangle (barycentric coordinates).

    The nearer a point to a corner, the more probable what is written there; three lines part the regions in which each
    is the most probable (Benavoli et al. 2017).

    Attributes
    ----------
    points : ndarray of shape (n_points, 3)
        Probabilities that `b` is better, that the two are equivalent, that `a` is better; each row sums to 1.
    names : sequence of str of length n_points
        Of the metrics or data sets that the points stand for; numbers of draws.
    kind : {"draw", "metric", "dataset"}
        What a point is.
    centre : ndarray of shape (3,) or None
        Posterior mean of the three; of `hierarchical_posterior` the probabilities for a next data set.
    most_probable : ndarray of shape (3,) or None
        Posterior probability of each to be the most probable: the share of the posterior in its region.
    metric : str or None
        What a study's points are about.
    a, b : str
        The models.
    ropes : ndarray of shape (n_points,)
        Half width of the region of practical equivalence, in score units.
    method : str
        The procedure.
    missing : str
        Which metrics or data sets are not in it, in words.

    References
    ----------
    A. Benavoli, G. Corani, J. Demsar and M. Zaffalon (2017), Time for a change: a tutorial for comparing multiple
    classifiers through Bayesian analysis, Journal of Machine Learning Research 18(77), 1-36.
    """

    points: FloatArray
    names: Sequence[str]
    kind: str
    a: str
    b: str
    ropes: FloatArray
    method: str
    missing: str
    centre: FloatArray | None = None
    most_probable: FloatArray | None = None
    metric: str | None = None

    @classmethod
    def from_result(
        cls,
        result: Scores,
        *,
        metric: str | Sequence[str] | None = None,
        a: str | None = None,
        b: str | None = None,
        margin: Width = 0.0,
        procedure: str | None = None,
    ) -> Self:
        """The posterior of a study on one metric, or of a result on each of its metrics.

        Parameters
        ----------
        result : EvaluationScores or StudyScores
            What to show.
        metric : str or sequence of str, optional
            Of a study one, the first by default; of a result one or more, all by default.
        a, b : str, optional
            Estimators; the first and the second by default.
        margin : float or mapping of metric to float, default=0
            Half width of the region of practical equivalence, in score units. Without one nothing is equivalent: the
            points lie at the lower edge, and the picture asks for one. One number is not meant for the times of a
            result, which then have none.
        procedure : {"signed_rank_posterior", "sign_posterior", "hierarchical_posterior"}, optional
            Of a study, the first by default: a point is one of 2000 draws from the posterior; of
            `hierarchical_posterior` it is a data set. A result has `correlated_t_posterior` only, and its points
            are metrics.

        Returns
        -------
        SimplexDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            If a name is unknown, an option out of range, or too few scores are there.

        Examples
        --------
        >>> from skcompare import StudyResult
        >>> from skcompare.plotting import SimplexDisplay
        >>> table = {"dataset": ["iris", "wine", "digits"], "nb": [0.95, 0.97, 0.81], "tree": [0.94, 0.90, 0.85]}
        >>> display = SimplexDisplay.from_result(StudyResult.from_frame(table), margin=0.01)
        >>> display.points.shape
        (2000, 3)
        """
        a, b = choose_pair(a, b, result.estimators)
        if isinstance(result, StudyScores):
            return cls._of_study(result, metric, a, b, margin, PROCEDURES[0] if procedure is None else procedure)
        if procedure is not None:
            check_choice(procedure, "procedure", ("correlated_t_posterior",))
        cases.check_alone(result, "the posterior")
        return cls._of_evaluation(result, cases.choose_case_metrics(result, metric, means=True), a, b, margin)

    @classmethod
    def _of_study(cls, study: StudyScores, metric: Any, a: str, b: str, rope: Width, procedure: str) -> Self:
        metric = choose_metric(metric, study.metrics)
        check_choice(procedure, "procedure", PROCEDURES)
        width = cases.rope_widths(rope, (metric,), study).get(metric, 0.0)
        record = run_procedure(study, procedure, metric=metric, a=a, b=b, margin=width)
        if np.isnan(record.left):
            raise ValueError(f"{procedure} needs at least 2 splits on each data set")
        if procedure == "hierarchical_posterior":
            centre = (record.predictive_left, record.predictive_rope, record.predictive_right)
            points = np.stack([record.dataset_left, record.dataset_rope, record.dataset_right], axis=1)
            pair = [study.estimators.index(a), study.estimators.index(b)]
            complete = np.all(np.isfinite(study.scores[:, pair][..., study.metrics.index(metric)]), axis=(1, 2))
            names = [study.datasets[i] for i in np.flatnonzero(complete)]
        else:
            centre, points = record.mean, record.draws(N_DRAWS, rng=0)
            names = [str(i) for i in range(N_DRAWS)]
        return cls(
            points=points,
            names=names,
            kind="dataset" if procedure == "hierarchical_posterior" else "draw",
            centre=np.array(centre),
            most_probable=np.array([record.left, record.rope, record.right]),
            metric=label(metric),
            a=a,
            b=b,
            ropes=np.full(len(points), width),
            method=record.method,
            missing=_missing(len(study.datasets) - record.n, len(study.datasets), "data sets"),
        )

    @classmethod
    def _of_evaluation(cls, result: EvaluationScores, metrics: tuple[str, ...], a: str, b: str, rope: Width) -> Self:
        widths = dict.fromkeys(metrics, 0.0) | cases.rope_widths(rope, metrics, result)
        if not isinstance(rope, Mapping):
            widths |= dict.fromkeys({*cases.times_of(result)} & {*metrics}, 0.0)
        values = cases.cases(result, metrics)
        found = [name for name in metrics if np.isfinite(values.difference(name, a, b)).sum() > 1]
        if not found:
            raise ValueError(
                f"metric must name one of which {a!r} and {b!r} share the scores of at least 2 {result.design.cases}; "
                f"got {', '.join(metrics)}"
            )
        asked: dict[str, Any] = {"procedure": "correlated_t_posterior", "a": a, "b": b}
        records = [run_procedure(result, **asked, metric=name, margin=widths[name]) for name in found]
        return cls(
            points=np.array([[record.left, record.rope, record.right] for record in records]),
            names=[*map(label, found)],
            kind="metric",
            a=a,
            b=b,
            ropes=np.array([widths[name] for name in found]),
            method=records[0].method,
            missing=_missing(len(metrics) - len(found), len(metrics), "metrics"),
        )

    def _title(self) -> str:
        a, b = labels([self.a, self.b], longest=16)
        about = "" if self.metric is None else f" on {labels([self.metric])[0]}"
        return f"{a} against {b}{about}"

    def _notes(self) -> Sequence[str]:
        each = {"draw": "posterior draws, star: mean", "dataset": "a point per data set, star: a next one"}
        said = each.get(self.kind, "a point per metric")
        return [f"{said}{self._rope()}{self.missing}"]

    def _rope(self) -> str:
        without = [name for name, width in zip(self.names, self.ropes, strict=True) if not width]
        if len(without) == len(self.names):
            return ""
        widths = np.unique(self.ropes[self.ropes > 0])
        within = f"{widths[0]:g}" if len(widths) == 1 else f"{widths[0]:g} to {widths[-1]:g}"
        rope = f"; equivalent within {within}"
        if not without:
            return rope
        return f"{rope}, but not on {' and '.join(labels(without)) if len(without) < 3 else f'{len(without)} metrics'}"

    def _size(self) -> tuple[float, float]:
        return 6.3 + (width_of(labels(self.names)) if self._has_legend() else 0.0), 5.6

    def _has_legend(self) -> bool:
        return self.kind != "draw" and len(self.names) <= MAX_NAMED

    def _columns(self) -> dict[str, Any]:
        of = {"metric": self.metric} if self.metric is not None else {}
        shares = dict(zip(("left", "rope", "right"), self.points.T, strict=True))
        return {**of, self.kind: list(self.names), "a": self.a, "b": self.b, "rope_width": self.ropes, **shares}

    def _draw(self, ax: Axes) -> None:
        beside: dict[str, Any] = {"loc": "upper left"} if inches(ax)[0] > 1.4 * inches(ax)[1] else {}  # of the triangle
        ax.plot(*CORNERS[[0, 1, 2, 0]].T, color=ink(ax), lw=1, zorder=3, clip_on=False)
        for i in range(3):
            border = np.array([CORNERS.mean(axis=0), np.delete(CORNERS, i, axis=0).mean(axis=0)])
            ax.plot(*border.T, color=NEUTRAL, lw=1, ls=(0, (5, 2)), zorder=1)
        a, b = labels([self.a, self.b], longest=16 if self._roomy_ else 14)
        sure = [""] * 3
        if self.most_probable is not None:  # most often shares of draws: never exactly 0 or 1
            shares = np.clip(self.most_probable, np.finfo(float).tiny, 1 - np.finfo(float).eps)
            sure = [f"P {related(as_number(share))}" for share in shares.tolist()]
        self._draw_corners(ax, (f"{b} better", "equivalent", f"{a} better"), sure)
        if self._has_legend():
            sizes = np.linspace(12, 7, len(self.points))  # those drawn later do not hide the earlier ones
            handles = []
            for i, ((x, y), size) in enumerate(zip(self.points @ CORNERS, sizes, strict=True)):
                style: dict[str, Any] = {**look(i), "linestyle": "", "zorder": 4, "clip_on": False}
                handles += ax.plot(x, y, ms=size, mec=paper(ax), mew=0.6, **style)
            self._add_legend(handles, labels(self.names), **beside)
        else:
            dots: dict[str, Any] = {"ms": 2.5, "rasterized": True} if len(self.points) > 100 else {"ms": 5}
            ax.plot(*(self.points @ CORNERS).T, ls="", marker="o", color=look(0)["color"], alpha=0.25, mew=0, **dots)
        if self.centre is not None:
            face, edge = (ink(ax), paper(ax)) if self.kind == "draw" else ("none", ink(ax))
            ax.plot(*(self.centre @ CORNERS), ls="", marker="*", ms=18, mfc=face, mec=edge, zorder=5)
        if not self.ropes.any():
            ax.text(-GAP, 0.82, ASKED, va="top", fontsize=0.9 * self._points("small"), style="italic", gid="asked")


def _missing(n: int, total: int, what: str) -> str:
    return f"; {n} of {total} {what} {'is' if n == 1 else 'are'} missing" if n else ""
