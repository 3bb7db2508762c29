"""
Which of five on eight data sets?
=================================

Every data set is one case: what holds over data sets like these?
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
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "naive Bayes": GaussianNB(),
    "5-NN": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "tree": DecisionTreeClassifier(max_depth=5, random_state=0),
    "stump": DecisionTreeClassifier(max_depth=1),
}
study = PairedEvaluator(cv=10, scoring="accuracy", random_state=0).evaluate_datasets(models, datasets)
print(study.summary())

# %%
# Eight data sets show that not all are equal, and are too few for any pair. What a paper would print:

found = study.test("friedman_test")
print(
    f"Over {found.n} data sets the five classifiers differed (Friedman test, F = {found.statistic:.1f}, p = "
    f"{found.pvalue:.3f}); no pair was significantly different (Holm-adjusted signed-rank tests)."
)
