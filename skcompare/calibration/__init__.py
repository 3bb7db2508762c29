"""How often procedures are wrong: simulated nulls and alternatives, size, power, replicability, calibration."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)  # the names stand in __init__.pyi
