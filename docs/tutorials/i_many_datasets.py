"""
Many models on many data sets
=============================

What holds on one data set may not hold on the next. In a study every data set is one case, and the question is
what holds over data sets like these.
"""

# %%
# A study of your own
# -------------------
# Four data sets of scikit-learn, three models. A data set may be a callable, which is loaded when its turn comes.

from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, StudyResult

loaders = {"cancer": load_breast_cancer, "digits": load_digits, "iris": load_iris, "wine": load_wine}
datasets = {name: load(return_X_y=True) for name, load in loaders.items()}
models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=5), "knn": KNeighborsClassifier()}
small = PairedEvaluator(cv=5, scoring=["accuracy"], random_state=0).evaluate_datasets(models, datasets)
print(small.summary())

# %%
# Four data sets are too few. The smallest p-value that the signed-rank test can have on four cases is 1/8, so that its
# intervals have no ends. A data set is one case here: more folds make each score more exact, but add no case.

pair = small.test(a="knn", b="tree")
print(f"knn - tree: median difference {pair.estimate:+.3f}, p = {pair.pvalue:.3f} (not adjusted)")

# %%
# Scores that were published
# --------------------------
# Accuracies of five classifiers on 30 data sets (García and Herrera 2008), one row per data set and one column per
# model (:download:`the file <../data/garcia_herrera_2008.csv>`). No model is fitted: a table is enough.

import sys
from pathlib import Path

import pandas as pd

folder = Path(sys.argv[0]).resolve().parents[1] / "data"  # beside the folder of this script
table = pd.read_csv(folder / "garcia_herrera_2008.csv")
study = StudyResult.from_frame(table)
print(study.summary())

# %%
# Which models are significantly different
# ----------------------------------------
# First whether there is any difference, then the pairs. Each pair is compared by its own signed-rank test with
# Holm's correction. With tests on mean ranks, the result for two models would depend on which others are compared.

print(study.test())
ranking = study.rank()
print(ranking)

# %%
# Bars join what is not significantly different.

diagram = study.plot("critical_difference")

# %%
# One pair, data set by data set: a point above the line is a data set on which the first model is better.

scatter = study.plot("datasets", a="C4.5", b="NaiveBayes")

# %%
# How probable is it that one is better in practice on the next data set, if a hundredth does not matter?

posterior = study.test("signed_rank_posterior", a="C4.5", b="NaiveBayes", margin=0.01, rng=0)
print(f"C4.5 better {posterior.right:.0%}, equivalent {posterior.rope:.0%}, NaiveBayes better {posterior.left:.0%}")
