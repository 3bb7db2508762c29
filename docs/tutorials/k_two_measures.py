"""
Two measures at once
====================

Better on accuracy *and* on ROC AUC? 569 biopsies, 30 measurements.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator

X, y = load_breast_cancer(return_X_y=True)
models = {"logistic": make_pipeline(StandardScaler(), LogisticRegression()), "naive Bayes": GaussianNB()}
models["tree"] = DecisionTreeClassifier(max_depth=3, random_state=0)
result = PairedEvaluator(cv="10x10", scoring=["accuracy", "roc_auc"], random_state=0).evaluate(models, X, y)
print(result.dominance(a="logistic", b="naive Bayes"), end="\n\n")

# %%
# The most frequent pattern of wins. Whether it is better on *each* is another question: all pairs, metric by metric.

print(result.dominance("table"))

# %%
# What a paper would print:

row = result.dominance("table")[0]
each = "on each by itself" if row.established else "though not on each by itself"
print(
    f"Being better on accuracy and on ROC AUC was the most frequent outcome of logistic regression against naive Bayes "
    f"(dominance test, p = {row.pvalue_adjusted:.3f}, adjusted for three pairs), {each} (corrected t tests, 5% in all)."
)
