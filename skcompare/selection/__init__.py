"""Inside scikit-learn's workflows: reports of searches, refit rules, a selecting estimator, cross-validation calls."""

from skcompare.selection._choice import Choice
from skcompare.selection._cross_val import cross_val_score
from skcompare.selection._cross_val_compare import cross_val_compare
from skcompare.selection._effects import ParameterEffect
from skcompare.selection._rules import best_by_dominance, simplest_within
from skcompare.selection._search_ranking import Candidate
from skcompare.selection._search_report import SearchReport
from skcompare.selection._selector import ComparisonSelector

__all__ = [
    "Candidate",
    "Choice",
    "ComparisonSelector",
    "ParameterEffect",
    "SearchReport",
    "best_by_dominance",
    "cross_val_compare",
    "cross_val_score",
    "simplest_within",
]
