"""The table of all Displays: what each is called, and of what it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, signature
from typing import Any

from skcompare._core.validation import check_choice
from skcompare.comparison.compare import Scores
from skcompare.plotting._candidates import CandidatesDisplay
from skcompare.plotting._critical_difference import CriticalDifferenceDisplay
from skcompare.plotting._datasets import DatasetScatterDisplay
from skcompare.plotting._differences import DifferencesDisplay
from skcompare.plotting._display import Display
from skcompare.plotting._dominance import DominanceDisplay
from skcompare.plotting._heatmap import SearchHeatmapDisplay
from skcompare.plotting._matrix import PairMatrixDisplay
from skcompare.plotting._parameters import ParameterEffectsDisplay
from skcompare.plotting._pareto import ParetoDisplay
from skcompare.plotting._posterior import PosteriorDisplay
from skcompare.plotting._precision_recall import PrecisionRecallDisplay
from skcompare.plotting._quadrants import QuadrantsDisplay
from skcompare.plotting._roc import RocCurveDisplay
from skcompare.plotting._scores import ScoresDisplay
from skcompare.plotting._search import SearchData
from skcompare.plotting._simplex import SimplexDisplay
from skcompare.plotting._size import SizeDisplay
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import StudyScores


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One row of the table.

    Attributes
    ----------
    make : callable
        The ``from_result`` of its Display.
    of_result, of_study, of_search : bool
        Whether it can be made of an evaluation, of a study, and of a search itself; what can be made of an evaluation
        can also be made of a search's leading candidates.
    options : dict
        Options of ``from_result`` that the kind sets.
    """

    make: Callable[..., Display]
    of_result: bool = True
    of_study: bool = True
    of_search: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)


KINDS: dict[str, Kind] = {
    "scores": Kind(make=ScoresDisplay.from_result, of_study=False),
    "posterior": Kind(make=PosteriorDisplay.from_result, of_study=False),
    "simplex": Kind(make=SimplexDisplay.from_result),
    "differences": Kind(make=DifferencesDisplay.from_result),
    "dominance": Kind(make=DominanceDisplay.from_result),
    "quadrants": Kind(make=QuadrantsDisplay.from_result),
    "pareto": Kind(make=ParetoDisplay.from_result),
    "roc": Kind(make=RocCurveDisplay.from_result, of_study=False),
    "precision_recall": Kind(make=PrecisionRecallDisplay.from_result, of_study=False),
    "size": Kind(make=SizeDisplay.from_result, of_study=False),
    "critical_difference": Kind(make=CriticalDifferenceDisplay.from_result, of_result=False),
    "pvalues": Kind(make=PairMatrixDisplay.from_result),
    "win_probabilities": Kind(make=PairMatrixDisplay.from_posterior),
    "datasets": Kind(make=DatasetScatterDisplay.from_result, of_result=False),
    "candidates": Kind(make=CandidatesDisplay.from_result, of_result=False, of_study=False, of_search=True),
    "parameters": Kind(make=ParameterEffectsDisplay.from_result, of_result=False, of_study=False, of_search=True),
    "heatmap": Kind(make=SearchHeatmapDisplay.from_result, of_result=False, of_study=False, of_search=True),
}


def make_display(result: Scores, kind: str, options: Mapping[str, Any]) -> Display:
    """The Display of a kind, not drawn yet; ValueError where the kind or an option is unknown."""
    of_study = isinstance(result, StudyScores)
    known = tuple(name for name, row in KINDS.items() if (row.of_study if of_study else row.of_result))
    check_choice(kind, "kind", known)
    _check_options(kind, options, _takes(kind))
    return KINDS[kind].make(result, **KINDS[kind].options, **options)


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
    chosen = {name: value for name, value in options.items() if name == "candidates"}
    rest = {name: value for name, value in options.items() if name != "candidates"}
    deciding = {"metric": search.metric} if "metric" in taken else {}
    return row.make(scores_of(**chosen), **{**row.options, **deciding, **rest})


def _takes(kind: str) -> list[str]:
    """The options of a kind."""
    row = KINDS[kind]
    keywords = [name for name, p in signature(row.make).parameters.items() if p.kind is Parameter.KEYWORD_ONLY]
    return [name for name in keywords if name not in row.options]


def _check_options(kind: str, options: Mapping[str, Any], taken: Sequence[str]) -> None:
    for name in options:
        if name not in taken:
            raise ValueError(f"{name} is no option of the plot {kind!r}, which takes {', '.join(taken) or 'none'}")
