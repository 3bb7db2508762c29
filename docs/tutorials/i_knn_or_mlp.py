"""
k-NN against a neural network
=============================

Two models on one data set: 178 wines of three growers, 13 measurements.
"""

from sklearn.datasets import load_wine
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcompare import PairedEvaluator
from skcompare.planning import detectable_difference

X, y = load_wine(return_X_y=True)
network = MLPClassifier((10,), solver="lbfgs", alpha=1.0, max_iter=2000, random_state=0)
models = {
    "k-NN": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "MLP": make_pipeline(StandardScaler(), network),
}
result = PairedEvaluator(cv="10x10", scoring="accuracy", random_state=0).evaluate(models, X, y)
print(result.summary())

# %%
# How large a difference could have been missed, and is it one that matters? Two hundredths would:

print(detectable_difference(result, "accuracy"))
print(result.test("equivalence_test", margin=0.02))

# %%
# What a paper would print; `result.methods_text()` writes the method with its references:

found, limits = result.test(), result.test().confidence_interval()
claim = "differed" if found.pvalue < 0.05 else "did not differ significantly"
print(
    f"Over ten runs of ten-fold cross-validation k-NN and the MLP {claim} in accuracy ({found.estimate:+.3f}, 95% "
    f"interval {limits.low:+.3f} to {limits.high:+.3f}; corrected t test, p = {found.pvalue:.2f})."
)
