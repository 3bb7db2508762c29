"""Inside scikit-learn's workflows: reports of searches, refit rules, a selecting estimator, cross-validation calls."""

from skcompare.selection._effects import ParameterEffect
from skcompare.selection._search_report import Candidate, SearchReport

__all__ = ["Candidate", "ParameterEffect", "SearchReport"]
