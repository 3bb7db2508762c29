"""Displays: pictures of results, drawn with matplotlib, in the manner of scikit-learn's."""

from __future__ import annotations

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
from skcompare.plotting._simplex import SimplexDisplay
from skcompare.plotting._size import SizeDisplay

__all__ = [
    "CandidatesDisplay",
    "CriticalDifferenceDisplay",
    "DatasetScatterDisplay",
    "PairMatrixDisplay",
    "PosteriorDisplay",
    "ScoresDisplay",
    "SimplexDisplay",
    "DifferencesDisplay",
    "Display",
    "DominanceDisplay",
    "ParetoDisplay",
    "PrecisionRecallDisplay",
    "QuadrantsDisplay",
    "RocCurveDisplay",
    "SizeDisplay",
    "ParameterEffectsDisplay",
    "SearchHeatmapDisplay",
]
