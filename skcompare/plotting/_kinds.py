"""The table of all Displays: what each is called, and of what it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any, NamedTuple

from skcompare import plotting
from skcompare._core.validation import check_choice
from skcompare.comparison.table import Scores
from skcompare.plotting._display import Display
from skcompare.scores.study import LearningCurveScores, StudyScores


class Kind(NamedTuple):
    """One row of the table.

    Attributes
    ----------
    display : str
        The name of its Display, which is loaded when it is asked for.
    of : set of str
        What it can be made of: an evaluation (``"result"``, also that of a search's leading candidates), ``"study"``,
        ``"search"`` itself, ``"curve"`` (a learning curve) or ``"experiment"`` (a designed one).
    way : str
        The name of the method of the Display that makes it.
    """

    display: str
    of: frozenset[str]
    way: str = "from_result"

    @property
    def make(self) -> Callable[..., Display]:
        """What makes it."""
        made: Callable[..., Display] = getattr(getattr(plotting, self.display), self.way)
        return made


RESULT, STUDY, SEARCH = frozenset({"result"}), frozenset({"study"}), frozenset({"search"})
CURVE, EXPERIMENT = frozenset({"curve"}), frozenset({"experiment"})

KINDS: dict[str, Kind] = {
    "scores": Kind("ScoresDisplay", RESULT),
    "posterior": Kind("PosteriorDisplay", RESULT),
    "simplex": Kind("SimplexDisplay", RESULT | STUDY),
    "differences": Kind("DifferencesDisplay", RESULT | STUDY),
    "dominance": Kind("DominanceDisplay", RESULT | STUDY),
    "quadrants": Kind("QuadrantsDisplay", RESULT | STUDY),
    "pareto": Kind("ParetoDisplay", RESULT | STUDY),
    "weights": Kind("WeightsDisplay", RESULT | STUDY),
    "roc": Kind("RocCurveDisplay", RESULT),
    "precision_recall": Kind("PrecisionRecallDisplay", RESULT),
    "confusion": Kind("ConfusionMatrixDisplay", RESULT),
    "reliability": Kind("ReliabilityDisplay", RESULT),
    "cost": Kind("CostCurveDisplay", RESULT),
    "size": Kind("SizeDisplay", RESULT),
    "ranks": Kind("RanksDisplay", RESULT | STUDY),
    "critical_difference": Kind("CriticalDifferenceDisplay", STUDY),
    "pvalues": Kind("PairMatrixDisplay", RESULT | STUDY),
    "win_probabilities": Kind("PairMatrixDisplay", RESULT | STUDY, "from_posterior"),
    "datasets": Kind("DatasetScatterDisplay", STUDY),
    "candidates": Kind("CandidatesDisplay", SEARCH),
    "parameters": Kind("ParameterEffectsDisplay", SEARCH),
    "heatmap": Kind("SearchHeatmapDisplay", SEARCH),
    "effects": Kind("ParameterEffectsDisplay", EXPERIMENT),
    "interactions": Kind("InteractionDisplay", EXPERIMENT),
    "surface": Kind("SurfaceDisplay", EXPERIMENT),
    "learning_curve": Kind("LearningCurveDisplay", CURVE),
}


def make_display(result: Scores | LearningCurveScores, kind: str, options: Mapping[str, Any]) -> Display:
    """The Display of a kind, not drawn yet; ValueError where the kind or an option is unknown."""
    of = {StudyScores: STUDY, LearningCurveScores: CURVE}
    row = _find(kind, next((what for known, what in of.items() if isinstance(result, known)), RESULT), options)
    return row.make(result, **options)


def make_search_display(
    search: Any, scores_of: Callable[..., Scores], kind: str, options: Mapping[str, Any]
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
    if unknown := [name for name in options if name not in taken]:
        raise ValueError(f"{unknown[0]} is no option of the plot {kind!r}, which takes {', '.join(taken) or 'none'}")
    return KINDS[kind]


def _takes(row: Kind) -> list[str]:
    """The options of a kind."""
    return [name for name, p in signature(row.make).parameters.items() if p.kind is Parameter.KEYWORD_ONLY]
