"""skcompare: is this scikit-learn model really better than that one?"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from skcompare._core.version import __version__

if TYPE_CHECKING:
    from skcompare import inference as inference
    from skcompare import planning as planning
    from skcompare._core.design import Design as Design
    from skcompare._load import load as load
    from skcompare._reportable import Comparison as Comparison
    from skcompare.comparison.catalogue import procedures as procedures
    from skcompare.comparison.dominance import DominanceTable as DominanceTable
    from skcompare.comparison.ranking import Ranking as Ranking
    from skcompare.evaluation._blocked import BlockedMByTwo as BlockedMByTwo
    from skcompare.evaluation._predictions import EstimatorFailedError as EstimatorFailedError
    from skcompare.evaluation._progress import ProgressEvent as ProgressEvent
    from skcompare.evaluator import PairedEvaluator as PairedEvaluator
    from skcompare.results import EvaluationResult as EvaluationResult
    from skcompare.scores.stopping import StopRule as StopRule
    from skcompare.selection import ComparisonSelector as ComparisonSelector
    from skcompare.selection import SearchReport as SearchReport
    from skcompare.selection import best_by_dominance as best_by_dominance
    from skcompare.selection import cross_val_compare as cross_val_compare
    from skcompare.selection import cross_val_score as cross_val_score
    from skcompare.selection import simplest_within as simplest_within
    from skcompare.study import StudyResult as StudyResult
    from skcompare.tables.evaluation import from_frame as from_frame

_HOME = {
    "PairedEvaluator": "skcompare.evaluator",
    "StopRule": "skcompare.scores.stopping",
    "EvaluationResult": "skcompare.results",
    "StudyResult": "skcompare.study",
    "load": "skcompare._load",
    "from_frame": "skcompare.tables.evaluation",
    "SearchReport": "skcompare.selection",
    "ComparisonSelector": "skcompare.selection",
    "simplest_within": "skcompare.selection",
    "best_by_dominance": "skcompare.selection",
    "cross_val_compare": "skcompare.selection",
    "cross_val_score": "skcompare.selection",
    "procedures": "skcompare.comparison.catalogue",
    "BlockedMByTwo": "skcompare.evaluation._blocked",
    "Comparison": "skcompare._reportable",
    "Design": "skcompare._core.design",
    "DominanceTable": "skcompare.comparison.dominance",
    "Ranking": "skcompare.comparison.ranking",
    "EstimatorFailedError": "skcompare.evaluation._predictions",
    "ProgressEvent": "skcompare.evaluation._progress",
}

__all__ = [
    "PairedEvaluator",
    "StopRule",
    "EvaluationResult",
    "StudyResult",
    "load",
    "from_frame",
    "SearchReport",
    "ComparisonSelector",
    "simplest_within",
    "best_by_dominance",
    "cross_val_compare",
    "cross_val_score",
    "procedures",
    "BlockedMByTwo",
    "Comparison",
    "Design",
    "DominanceTable",
    "Ranking",
    "EstimatorFailedError",
    "ProgressEvent",
    "inference",
    "planning",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name in ("inference", "planning"):
        return import_module(f"skcompare.{name}")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'skcompare' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
