from ._evaluation import plan_evaluation as plan_evaluation
from ._pilot import plan as plan
from ._plan import Plan as Plan
from ._plan import PlanRow as PlanRow
from ._seeds import SeedVariance as SeedVariance
from ._seeds import SeedVarianceRow as SeedVarianceRow
from ._seeds import seed_variance as seed_variance
from ._study import plan_study as plan_study
