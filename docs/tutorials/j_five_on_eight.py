"""
Which of five on eight data sets?
=================================

Every data set is one case. These eight are hardly that: two are halves of the digits, two were generated.
"""

from sklearn import datasets as bundled
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator

(X, y), (risk, progress) = bundled.load_digits(return_X_y=True), bundled.load_diabetes(return_X_y=True)
datasets = {name: getattr(bundled, f"load_{name}")(return_X_y=True) for name in ("iris", "wine", "breast_cancer")}
datasets |= {"0 to 4": (X[y < 5], y[y < 5]), "5 to 9": (X[y > 4], y[y > 4]), "diabetes": (risk, progress > 140)}
datasets["moons"] = bundled.make_moons(200, noise=0.3, random_state=0)
datasets["circles"] = bundled.make_circles(200, noise=0.1, factor=0.5, random_state=0)
scaled = {"logistic": LogisticRegression(), "5-NN": KNeighborsClassifier()}
models = {name: make_pipeline(StandardScaler(), model) for name, model in scaled.items()}
models |= {"naive Bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=5, random_state=0)}
models["stump"] = DecisionTreeClassifier(max_depth=1)
study = PairedEvaluator(cv=10, scoring="accuracy", random_state=0).evaluate_datasets(models, datasets)
print(study.summary())

# %%
# Signed-rank tests of ten pairs cannot reject on eight data sets, whatever the scores. What a paper would print:

found = study.test("friedman_test")
claim = "differed significantly" if found.pvalue < 0.05 else "did not differ significantly"
print(
    f"Over {found.n} data sets the five classifiers {claim} (Friedman test, F = {found.statistic:.1f}, p = "
    f"{found.pvalue:.3f}); eight are too few for signed-rank tests of all pairs."
)
