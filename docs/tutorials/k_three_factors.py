"""
Design an experiment with three factors
=======================================

Which settings of a tree matter for these data, and does one depend on another? 442 patients, the progress of diabetes.
"""

from sklearn.datasets import load_diabetes
from sklearn.tree import DecisionTreeRegressor

from skcompare import PairedEvaluator
from skcompare.experiments import full_factorial, run_experiment

X, y = load_diabetes(return_X_y=True)
factors = {"max_depth": [4, 8], "min_samples_leaf": [1, 20], "max_features": [0.3, 1.0]}
design = full_factorial(factors)
evaluator = PairedEvaluator(cv="10x10", scoring="neg_root_mean_squared_error", random_state=0)
report = run_experiment(DecisionTreeRegressor(random_state=0), design, X, y, evaluator=evaluator)
print(report.summary())

# %%
# Eight settings, each on the same hundred splits, answer for three main effects and the interactions of two under one
# error rate. The interaction as a picture:

interaction = report.plot("interactions", x="max_depth", y="min_samples_leaf")

# %%
# What a paper would print:

effects = report.effects()
found, other = effects.of("max_depth:min_samples_leaf"), effects.of("min_samples_leaf:max_features")
print(
    f"In a 2^3 factorial design on 10x10 folds depth and leaf size interacted (half difference "
    f"{found.estimates[0]:+.1f}, adjusted p = {found.pvalue_adjusted:.1g}), leaf size and share of features not "
    f"significantly ({other.estimates[0]:+.1f}, p = {other.pvalue_adjusted:.2f}; F tests that allow for correlated "
    f"folds)."
)
