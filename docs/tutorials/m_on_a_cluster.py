"""
On a cluster
============

The same call runs on several cores, several machines or a queue. joblib takes the fits to where they are done. The
numbers are the same, bit for bit, given a ``random_state``.
"""

# %%
# Two processes
# -------------
# New processes import the script they come from, so the call that starts them must stand under
# ``if __name__ == "__main__":``.

import numpy as np
from sklearn.datasets import load_digits
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from skcompare import PairedEvaluator, RunOptions

X, y = load_digits(return_X_y=True)
models = {"nb": GaussianNB(), "knn": KNeighborsClassifier()}
evaluator = PairedEvaluator(cv=5, scoring=["accuracy"], random_state=0)
here = evaluator.evaluate(models, X, y)
if __name__ == "__main__":
    two = PairedEvaluator(cv=5, scoring=["accuracy"], random_state=0, n_jobs=2).evaluate(models, X, y)
    print("the same numbers:", np.array_equal(here.scores, two.scores))

# %%
# A Dask cluster
# --------------
# Here a cluster of two workers inside this process; for real use ``Client("scheduler:8786")``. Nothing else changes.

import joblib
from distributed import Client, LocalCluster

with (
    LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster,
    Client(cluster),
    joblib.parallel_config(backend="dask"),
):
    far = evaluator.evaluate(models, X, y)
print("the same numbers:", np.array_equal(here.scores, far.scores))

# %%
# Stop and go on
# --------------
# A long run keeps every finished fit in a file. The same call later does what is missing only. So it is after a
# crash, with one more model, with more repeats, or with another metric. That needs no fit at all here.

import tempfile
from pathlib import Path

events = []
with tempfile.TemporaryDirectory() as folder:
    kept = {"cv": 5, "random_state": 0, "store": str(Path(folder, "runs.sqlite"))}
    PairedEvaluator(scoring=["accuracy"], **kept).evaluate(models, X, y)
    again = PairedEvaluator(
        scoring=["accuracy", "f1_macro"], options=RunOptions(callback=events.append), **kept
    ).evaluate(models, X, y)
print(again.metrics, f"{events[-1].n_reused} of {events[-1].n_total} fits were there already")

# %%
# What a cluster needs, and a plan for a thousand models on a thousand data sets: :doc:`scaling out </scaling>`.
