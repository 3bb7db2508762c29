"""skcompare: is this scikit-learn model really better than that one?"""

from lazy_loader import attach_stub

from skcompare._core.version import __version__ as __version__

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)  # the names stand in __init__.pyi
