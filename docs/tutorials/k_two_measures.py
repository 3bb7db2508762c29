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
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "naive Bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
}
result = PairedEvaluator(cv="10x10", scoring=["accuracy", "roc_auc"], random_state=0).evaluate(models, X, y)
print(result.dominance(a="logistic", b="naive Bayes"), end="\n\n")

# %%
# The wrong side: naive Bayes has the larger area, and is not shown to have more right answers than the tree.

print(result.dominance(a="naive Bayes", b="tree"))
quadrants = result.plot("quadrants", a="logistic", b="naive Bayes")

# %%
# What a paper would print:

found = result.dominance(a="logistic", b="naive Bayes")
print(
    f"Logistic regression was ahead of naive Bayes on accuracy and on ROC AUC together in "
    f"{found.counts.max() / found.counts.sum():.0%} of the folds (dominance test with the correlation of the folds, "
    f"p = {found.pvalue:.3f})."
)
