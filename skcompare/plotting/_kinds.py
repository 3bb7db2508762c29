"""The table of all Displays: what each is called, and of what it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any

from skcompare import plotting
from skcompare._core.validation import check_choice
from skcompare.comparison.pairs import Scores
from skcompare.plotting._candidates import SearchData
from skcompare.plotting._display import Display
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import LearningCurveScores, StudyScores


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One row of the table.

    Attributes
    ----------
    make : callable
        The ``from_result`` of its Display.
    of_result, of_study, of_search, of_curve, of_experiment : bool
        Whether it can be made of an evaluation, of a study, of a search itself, of a learning curve, and of a designed
        experiment; what can be made of an evaluation can also be made of a search's leading candidates.
    """

    make: Callable[..., Display]
    of_result: bool = True
    of_study: bool = True
    of_search: bool = False
    of_curve: bool = False
    of_experiment: bool = False


KINDS: dict[str, Kind] = {
    "scores": Kind(make=plotting.ScoresDisplay.from_result, of_study=False),
    "posterior": Kind(make=plotting.PosteriorDisplay.from_result, of_study=False),
    "simplex": Kind(make=plotting.SimplexDisplay.from_result),
    "differences": Kind(make=plotting.DifferencesDisplay.from_result),
    "dominance": Kind(make=plotting.DominanceDisplay.from_result),
    "quadrants": Kind(make=plotting.QuadrantsDisplay.from_result),
    "pareto": Kind(make=plotting.ParetoDisplay.from_result),
    "weights": Kind(make=plotting.WeightsDisplay.from_result),
    "roc": Kind(make=plotting.RocCurveDisplay.from_result, of_study=False),
    "precision_recall": Kind(make=plotting.PrecisionRecallDisplay.from_result, of_study=False),
    "confusion": Kind(make=plotting.ConfusionMatrixDisplay.from_result, of_study=False),
    "reliability": Kind(make=plotting.ReliabilityDisplay.from_result, of_study=False),
    "cost": Kind(make=plotting.CostCurveDisplay.from_result, of_study=False),
    "size": Kind(make=plotting.SizeDisplay.from_result, of_study=False),
    "critical_difference": Kind(make=plotting.CriticalDifferenceDisplay.from_result, of_result=False),
    "pvalues": Kind(make=plotting.PairMatrixDisplay.from_result),
    "win_probabilities": Kind(make=plotting.PairMatrixDisplay.from_posterior),
    "datasets": Kind(make=plotting.DatasetScatterDisplay.from_result, of_result=False),
    "candidates": Kind(make=plotting.CandidatesDisplay.from_result, of_result=False, of_study=False, of_search=True),
    "parameters": Kind(
        make=plotting.ParameterEffectsDisplay.from_result, of_result=False, of_study=False, of_search=True
    ),
    "effects": Kind(
        make=plotting.ParameterEffectsDisplay.from_result, of_result=False, of_study=False, of_experiment=True
    ),
    "interactions": Kind(
        make=plotting.InteractionDisplay.from_result, of_result=False, of_study=False, of_experiment=True
    ),
    "surface": Kind(make=plotting.SurfaceDisplay.from_result, of_result=False, of_study=False, of_experiment=True),
    "learning_curve": Kind(
        make=plotting.LearningCurveDisplay.from_result, of_result=False, of_study=False, of_curve=True
    ),
    "heatmap": Kind(make=plotting.SearchHeatmapDisplay.from_result, of_result=False, of_study=False, of_search=True),
}


def make_display(result: Scores, kind: str, options: Mapping[str, Any]) -> Display:
    """The Display of a kind, not drawn yet; ValueError where the kind or an option is unknown."""
    of_study = isinstance(result, StudyScores)
    known = tuple(name for name, row in KINDS.items() if (row.of_study if of_study else row.of_result))
    check_choice(kind, "kind", known)
    _check_options(kind, options, _takes(kind))
    return KINDS[kind].make(result, **options)


def make_search_display(
    search: SearchData, scores_of: Callable[..., EvaluationScores], kind: str, options: Mapping[str, Any]
) -> Display:
    """The Display of a kind, not drawn yet: of a search, or of the scores of those of its ``candidates=``."""
    check_choice(kind, "kind", tuple(name for name, row in KINDS.items() if row.of_search or row.of_result))
    row, taken = KINDS[kind], _takes(kind)
    if row.of_search:
        _check_options(kind, options, taken)
        return row.make(search, **options)
    _check_options(kind, options, [*taken, "candidates"])
    rest = {"metric": search.metric, **options} if "metric" in taken else dict(options)
    chosen = {"candidates": rest.pop("candidates")} if "candidates" in rest else {}
    return row.make(scores_of(**chosen), **rest)


def make_curve_display(curve: LearningCurveScores, kind: str, options: Mapping[str, Any]) -> Display:
    """The Display of a learning curve, not drawn yet."""
    check_choice(kind, "kind", tuple(name for name, row in KINDS.items() if row.of_curve))
    _check_options(kind, options, _takes(kind))
    return KINDS[kind].make(curve, **options)


def make_experiment_display(source_of: Callable[[str], Any], kind: str, options: Mapping[str, Any]) -> Display:
    """The Display of what an experiment has for a kind, not drawn yet."""
    check_choice(kind, "kind", tuple(name for name, row in KINDS.items() if row.of_experiment))
    _check_options(kind, options, [*_takes(kind), "metric"])
    return KINDS[kind].make(source_of(kind), **options)


def _takes(kind: str) -> list[str]:
    """The options of a kind."""
    return [name for name, p in signature(KINDS[kind].make).parameters.items() if p.kind is Parameter.KEYWORD_ONLY]


def _check_options(kind: str, options: Mapping[str, Any], taken: Sequence[str]) -> None:
    for name in options:
        if name not in taken:
            raise ValueError(f"{name} is no option of the plot {kind!r}, which takes {', '.join(taken) or 'none'}")
