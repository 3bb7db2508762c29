"""What autorank, skore and scikit-posthocs print and draw of the same models on the same data sets, beside skcompare.

``python -m benchmarks.reports_side_by_side scores FOLDER`` evaluates four models on eight data sets and writes
``scores.csv`` (a row per data set, a column per model), skcompare's text and its diagram. In an environment that has
the other three, ``python reports_side_by_side.py others FOLDER`` writes theirs; skore evaluates the models itself, on
the first data set, since it compares on one.
"""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stdout
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

from matplotlib import pyplot as plt
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_circles,
    make_classification,
    make_gaussian_quantiles,
    make_moons,
)
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

DATASETS = {
    "breast_cancer": load_breast_cancer(return_X_y=True),
    "digits": load_digits(return_X_y=True),
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "circles": make_circles(300, noise=0.2, factor=0.5, random_state=0),
    "linear": make_classification(300, random_state=0),
    "moons": make_moons(300, noise=0.3, random_state=0),
    "quantiles": make_gaussian_quantiles(n_samples=300, n_features=5, random_state=0),
}
MODELS = {
    "lr": make_pipeline(StandardScaler(), LogisticRegression()),
    "nb": GaussianNB(),
    "knn": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "tree": DecisionTreeClassifier(random_state=0),
}


def ours(folder: Path) -> None:
    from skcompare import PairedEvaluator

    study = PairedEvaluator(cv=10, scoring=["accuracy"], random_state=0).evaluate_datasets(MODELS, DATASETS)
    frame = study.to_frame().groupby(["dataset", "estimator"], sort=False)["score"].mean().unstack(sort=False)
    frame.to_csv(folder / "scores.csv")
    (folder / "skcompare.txt").write_text(f"{study}\n", encoding="utf-8")
    study.plot("critical_difference").figure_.savefig(folder / "skcompare.png", dpi=100)


def others(folder: Path) -> None:
    import pandas as pd
    import scikit_posthocs
    import skore
    from autorank import autorank, create_report, plot_stats

    table = pd.read_csv(folder / "scores.csv", index_col=0)
    with redirect_stdout(io.StringIO()) as printed:
        found = autorank(table)
        create_report(found)
    (folder / "autorank.txt").write_text(printed.getvalue(), encoding="utf-8")
    plot_stats(found, allow_insignificant=True)
    plt.gcf().savefig(folder / "autorank.png", dpi=100, bbox_inches="tight")
    plt.close("all")
    pvalues = scikit_posthocs.posthoc_nemenyi_friedman(table)
    (folder / "scikit_posthocs.txt").write_text(f"{pvalues.round(3)}\n", encoding="utf-8")
    scikit_posthocs.critical_difference_diagram(table.rank(axis=1, ascending=False).mean(), pvalues)
    plt.gcf().savefig(folder / "scikit_posthocs.png", dpi=100, bbox_inches="tight")
    X, y = DATASETS["breast_cancer"]
    reports = {name: skore.CrossValidationReport(model, X, y, splitter=10) for name, model in MODELS.items()}
    summary = skore.ComparisonReport(reports).metrics.summarize().frame()
    (folder / "skore.txt").write_text(f"{summary.round(3).to_string()}\n", encoding="utf-8")


if __name__ == "__main__":
    {"scores": ours, "others": others}[sys.argv[1]](Path(sys.argv[2]))
