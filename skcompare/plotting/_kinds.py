"""The table of all Displays: what each is called, and of what it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any, NamedTuple

from skcompare import plotting
from skcompare._core.validation import check_choice
from skcompare.comparison.table import Scores
from skcompare.plotting._display import Display
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import LearningCurveScores, StudyScores


class Kind(NamedTuple):
    """One row of the table.

    Attributes
    ----------
    make : callable
        The ``from_result`` of its Display.
    of : set of str
        What it can be made of: an evaluation (``"result"``, also that of a search's leading candidates), ``"study"``,
        ``"search"`` itself, ``"curve"`` (a learning curve) or ``"experiment"`` (a designed one).
    """

    make: Callable[..., Display]
    of: frozenset[str]


RESULT, STUDY, SEARCH, CURVE, EXPERIMENT = map(
    frozenset, ({"result"}, {"study"}, {"search"}, {"curve"}, {"experiment"})
)

KINDS: dict[str, Kind] = {
    "scores": Kind(plotting.ScoresDisplay.from_result, RESULT),
    "posterior": Kind(plotting.PosteriorDisplay.from_result, RESULT),
    "simplex": Kind(plotting.SimplexDisplay.from_result, RESULT | STUDY),
    "differences": Kind(plotting.DifferencesDisplay.from_result, RESULT | STUDY),
    "dominance": Kind(plotting.DominanceDisplay.from_result, RESULT | STUDY),
    "quadrants": Kind(plotting.QuadrantsDisplay.from_result, RESULT | STUDY),
    "pareto": Kind(plotting.ParetoDisplay.from_result, RESULT | STUDY),
    "weights": Kind(plotting.WeightsDisplay.from_result, RESULT | STUDY),
    "roc": Kind(plotting.RocCurveDisplay.from_result, RESULT),
    "precision_recall": Kind(plotting.PrecisionRecallDisplay.from_result, RESULT),
    "confusion": Kind(plotting.ConfusionMatrixDisplay.from_result, RESULT),
    "reliability": Kind(plotting.ReliabilityDisplay.from_result, RESULT),
    "cost": Kind(plotting.CostCurveDisplay.from_result, RESULT),
    "size": Kind(plotting.SizeDisplay.from_result, RESULT),
    "ranks": Kind(plotting.RanksDisplay.from_result, RESULT | STUDY),
    "critical_difference": Kind(plotting.CriticalDifferenceDisplay.from_result, STUDY),
    "pvalues": Kind(plotting.PairMatrixDisplay.from_result, RESULT | STUDY),
    "win_probabilities": Kind(plotting.PairMatrixDisplay.from_posterior, RESULT | STUDY),
    "datasets": Kind(plotting.DatasetScatterDisplay.from_result, STUDY),
    "candidates": Kind(plotting.CandidatesDisplay.from_result, SEARCH),
    "parameters": Kind(plotting.ParameterEffectsDisplay.from_result, SEARCH),
    "heatmap": Kind(plotting.SearchHeatmapDisplay.from_result, SEARCH),
    "effects": Kind(plotting.ParameterEffectsDisplay.from_result, EXPERIMENT),
    "interactions": Kind(plotting.InteractionDisplay.from_result, EXPERIMENT),
    "surface": Kind(plotting.SurfaceDisplay.from_result, EXPERIMENT),
    "learning_curve": Kind(plotting.LearningCurveDisplay.from_result, CURVE),
}


def make_display(result: Scores | LearningCurveScores, kind: str, options: Mapping[str, Any]) -> Display:
    """The Display of a kind, not drawn yet; ValueError where the kind or an option is unknown."""
    of = {StudyScores: STUDY, LearningCurveScores: CURVE}
    row = _find(kind, next((what for known, what in of.items() if isinstance(result, known)), RESULT), options)
    return row.make(result, **options)


def make_search_display(
    search: Any, scores_of: Callable[..., EvaluationScores], kind: str, options: Mapping[str, Any]
) -> Display:
    """The Display of a kind, not drawn yet: of a search, or of the scores of those of its ``candidates=``."""
    own = kind in KINDS and KINDS[kind].of >= SEARCH
    row = _find(kind, SEARCH | RESULT, options, *([] if own else ["candidates"]))
    if own:
        return row.make(search, **options)
    chosen = {name: value for name, value in options.items() if name == "candidates"}
    metric = {"metric": search.metric} if "metric" in _takes(row) else {}
    return row.make(scores_of(**chosen), **{**metric, **{n: v for n, v in options.items() if n not in chosen}})


def make_experiment_display(source_of: Callable[[str], Any], kind: str, options: Mapping[str, Any]) -> Display:
    """The Display of what an experiment has for a kind, not drawn yet."""
    return _find(kind, EXPERIMENT, options, "metric").make(source_of(kind), **options)


def _find(kind: str, of: frozenset[str], options: Mapping[str, Any], *more: str) -> Kind:
    """The row of a kind, or ValueError where it can be made of none of these, or does not take an option."""
    check_choice(kind, "kind", tuple(name for name, row in KINDS.items() if row.of & of))
    taken = [*_takes(KINDS[kind]), *more]
    for name in options:
        if name not in taken:
            raise ValueError(f"{name} is no option of the plot {kind!r}, which takes {', '.join(taken) or 'none'}")
    return KINDS[kind]


def _takes(row: Kind) -> list[str]:
    """The options of a kind."""
    return [name for name, p in signature(row.make).parameters.items() if p.kind is Parameter.KEYWORD_ONLY]
