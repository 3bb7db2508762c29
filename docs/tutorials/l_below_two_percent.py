"""
Is the error rate of 1-NN below 2%?
===================================

A question about one model and a limit. The handwritten digits of scikit-learn, 1,797 images.
"""

from sklearn.datasets import load_digits
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from skcompare import PairedEvaluator

X, y = load_digits(return_X_y=True)
models = {"1-NN": KNeighborsClassifier(n_neighbors=1), "naive Bayes": GaussianNB()}
result = PairedEvaluator(cv=10, scoring="accuracy", random_state=0).evaluate(models, X, y)

# %%
# Each model's own accuracy, with an interval for training sets of this size:

print(result.intervals("accuracy"))

# %%
# The limit stands before the run. Naive Bayes shows what a "no" looks like.

for name in models:
    print(result.test("fold_error_rate_test", a=name, threshold=0.02), end="\n\n")

# %%
# What a paper would print:

found = result.test("fold_error_rate_test", a="1-NN", threshold=0.02)
claim = "significantly" if found.pvalue < 0.05 else "not significantly"
print(
    f"In ten-fold cross-validation (n = {len(y)}) 1-NN had an error rate of {found.estimate:.1%}, {claim} below 2% "
    f"(one-sided corrected t test on the folds, p = {found.pvalue:.3f}; 95% upper limit "
    f"{found.confidence_interval().high:.1%})."
)
