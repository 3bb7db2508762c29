"""How often procedures are wrong: simulated nulls and alternatives, size, power, replicability, calibration."""

from skcompare.calibration._calibrate import calibrate
from skcompare.calibration._generators import ExchangeableBlocks, Generator, LabelPermutation, RandomData
from skcompare.calibration._rates import MetricDifference, PowerEstimate, RejectionRate, SizeEstimate
from skcompare.calibration._size import Replicability, ReplicabilityEstimate, power, replicability, size
from skcompare.scores.calibration import Calibration

__all__ = [
    "calibrate",
    "Calibration",
    "size",
    "power",
    "replicability",
    "SizeEstimate",
    "PowerEstimate",
    "RejectionRate",
    "MetricDifference",
    "ReplicabilityEstimate",
    "Replicability",
    "Generator",
    "ExchangeableBlocks",
    "LabelPermutation",
    "RandomData",
]
