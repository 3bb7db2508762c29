"""How much evidence a difference needs: repeats, folds, samples, data sets, learner seeds."""

from skcompare.planning._evaluation import plan_evaluation
from skcompare.planning._pilot import plan
from skcompare.planning._plan import Plan, PlanRow
from skcompare.planning._seeds import SeedVariance, SeedVarianceRow, seed_variance
from skcompare.planning._study import plan_study

__all__ = [
    "plan",
    "plan_evaluation",
    "plan_study",
    "seed_variance",
    "Plan",
    "PlanRow",
    "SeedVariance",
    "SeedVarianceRow",
]
