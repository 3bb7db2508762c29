from . import calibration as calibration
from . import inference as inference
from . import planning as planning
from . import plotting as plotting
from . import selection as selection
from ._core.design import Design as Design
from ._load import load as load
from ._reportable import Comparison as Comparison
from .comparison.catalogue import procedures as procedures
from .comparison.dominance_table import DominanceTable as DominanceTable
from .comparison.ranking import Ranking as Ranking
from .comparison.table import Outcome as Outcome
from .evaluation._blocked import BlockedMByTwo as BlockedMByTwo
from .evaluation._predictions import EstimatorFailedError as EstimatorFailedError
from .evaluation._progress import ProgressEvent as ProgressEvent
from .evaluator import PairedEvaluator as PairedEvaluator
from .results import EvaluationResult as EvaluationResult
from .scores.stop_rule import StopRule as StopRule
from .selection import ComparisonSelector as ComparisonSelector
from .selection import SearchReport as SearchReport
from .selection import best_by_dominance as best_by_dominance
from .selection import cross_val_compare as cross_val_compare
from .selection import cross_val_score as cross_val_score
from .selection import simplest_within as simplest_within
from .study import StudyResult as StudyResult
from .tables.evaluation import from_frame as from_frame

__version__: str
