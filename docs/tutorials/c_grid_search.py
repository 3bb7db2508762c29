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
# Candidates "not significantly different" form a confidence set: with probability 95% no candidate that is as good as
# the best is called worse, the choice of the best included.

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
# ``simplest_within`` keeps the candidates that a rule allows and takes the simplest, here the shallowest tree.
# Passed as ``GridSearchCV(..., refit=rule)`` it chooses what the search refits; it can be called afterwards too.
# The reason and the price are kept with the choice.

from textwrap import fill

rule = simplest_within(complexity="max_depth")
print(search.cv_results_["params"][rule(search.cv_results_)])
print(fill(str(rule.choice_), 100))
print(*rule.choice_.warnings, sep="\n")

# %%
# "Not significantly different from the best" is not "as good": on 178 wines hardly any difference can be shown, and the
# choice above may cost five hundredths. Where a loss matters, keep only what was *shown* to lose little:

safe = simplest_within(complexity="max_depth", rule="rope", rope=0.02)
print(search.cv_results_["params"][safe(search.cv_results_)])
print(fill(str(safe.choice_), 100))

# %%
# More in :doc:`selecting models </selection>`.
