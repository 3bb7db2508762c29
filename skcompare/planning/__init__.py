"""How much evidence a difference needs: repeats, folds, samples, data sets, learner seeds."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)  # the names stand in __init__.pyi
