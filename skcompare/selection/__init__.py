"""Inside scikit-learn's workflows: reports of searches, refit rules, a selecting estimator, cross-validation calls."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)  # the names stand in __init__.pyi
