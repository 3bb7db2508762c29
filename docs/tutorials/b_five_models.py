"""
Five models and a decision
==========================

Five classifiers, 569 biopsies. Which one do we take? The best mean alone does not say: it may be the luckiest of five.
"""

# %%
# All of them on the same splits
# ------------------------------

from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator

X, y = load_breast_cancer(return_X_y=True)
scaled = {"logistic": LogisticRegression(), "5-NN": KNeighborsClassifier(), "LDA": LinearDiscriminantAnalysis()}
models = {name: make_pipeline(StandardScaler(), model) for name, model in scaled.items()}
models |= {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
evaluator = PairedEvaluator(cv="10x10", scoring=["accuracy", "roc_auc", "predict_time"], random_state=0)
result = evaluator.evaluate(models, X, y)
print(result)

# %%
# A star marks a model that is significantly worse than the leader. All ten pairs share one error rate of 5%, so it
# does not matter that the leader was picked after looking. Which ranks can each model have?

ranks = result.plot("ranks", metric="accuracy")

# %%
# A filled mark: this model may be first. The longer a bar, the less the run can tell of the rank.
#
# The pairs behind it
# -------------------

differences = result.plot("differences", metrics=["accuracy"])

# %%
# Two metrics at once
# -------------------
# Who is better on accuracy *and* on the area under the ROC curve? The most frequent pattern of wins has one test; the
# column of parts says whether it is better on *each* by itself.

print(result.dominance("table", metrics=["accuracy", "roc_auc"]))

# %%
# Is the winner worth its time?
# -----------------------------
# The Pareto front has the models that no other one beats on both.

front = result.plot("pareto", metrics=["accuracy", "predict_time"])

# %%
# The decision
# ------------
# Take the leader, unless a model that may be first too is simpler or faster. Say so beforehand, as a rule:
# ``ComparisonSelector`` follows it (:doc:`selecting models </selection>`).

answer = result.answer().metrics[0]
print(answer)
