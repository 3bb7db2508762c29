"""
Did tuning pay?
===============

A grid search found better parameters. Better than the defaults? The best score of a search does not answer that: it was
picked for being high. 178 wines of three growers.
"""

# %%
# The search as a model
# ---------------------
# A ``GridSearchCV`` is an estimator. Compared as one, it is tuned anew on every training set and scored on samples that
# the search never saw.

from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, SearchReport, simplest_within

X, y = load_wine(return_X_y=True)
tree = DecisionTreeClassifier(random_state=0)
grid = {"max_depth": [1, 2, 3, 4], "min_samples_leaf": [1, 4, 16]}
models = {"tuned": GridSearchCV(tree, grid, cv=5), "default": tree}
paid = PairedEvaluator(cv=10, scoring="accuracy", random_state=0).evaluate(models, X, y)
print(paid)

# %%
# The first line is the answer: tuning a tree does not visibly pay on these data.
#
# What the search itself says
# ---------------------------
# ``SearchReport`` reads any fitted search. It tells which candidates may be as good as the best. It also tells what
# the best score is worth now that it was picked.

cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0)
search = GridSearchCV(tree, grid, scoring="accuracy", cv=cv).fit(X, y)
report = SearchReport.from_search(search)
print(report.summary())

# %%
# The intervals are those of the difference to the best, for all candidates together.

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

rule = simplest_within(complexity="max_depth", margin=0.02)
print(search.cv_results_["params"][rule(search.cv_results_)])
print(rule.choice_)

# %%
# "Not significantly different from the best" is not "as good": 178 wines are too few to find most differences.
# More in :doc:`selecting models </selection>`.
