"""
After a grid search
===================

A search names the best candidate. It does not say how many others may be as good, or what the best score is worth
after it was picked for being high.
"""

# %%
# Run the search as usual
# -----------------------

from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from skcompare import SearchReport, simplest_within

X, y = load_wine(return_X_y=True)
grid = {"max_depth": [1, 2, 3, 4], "min_samples_leaf": [1, 4, 16, 40]}
cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0)
search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=cv).fit(X, y)
print(search.best_params_)

# %%
# Read what it found
# ------------------
# The first sentence is the answer. Candidates "not significantly different" form a confidence set: with probability 95%
# no candidate that is as good as the best is called significantly worse, the choice of the best included.

report = SearchReport.from_search(search)
print(report.summary())

# %%

candidates = report.plot("candidates")

# %%
# Which parameter mattered? Each value is averaged over the others, and the averages are tested like candidates.

effects = report.plot("parameters")
heatmap = report.plot("heatmap")

# %%
# Refit another one than the best
# -------------------------------
# ``simplest_within`` takes the simplest of the candidates that lose little, here the shallowest tree: at most
# ``margin``, one corrected standard error of the difference included. Passed as ``GridSearchCV(..., refit=rule)`` it
# chooses what the search refits; it can be called afterwards too. The reason and the loss are kept with the choice.
# Here no simpler tree loses so little: the best itself is chosen.

rule = simplest_within(complexity="max_depth", margin=0.02)
print(search.cv_results_["params"][rule(search.cv_results_)])
print(rule.choice_)

# %%
# "Not significantly different from the best" is not "as good": 178 wines are too few to find most differences, and the
# simplest candidate that is not significantly worse loses 0.05 here.

loose = simplest_within(complexity="max_depth", rule="corrected_t")
loose(search.cv_results_)
print(loose.choice_)

# %%
# More in :doc:`selecting models </selection>`.
