"""
Results from elsewhere
======================

The scores are there already: from another tool, another language, a colleague, a run of last year. A table of them
is enough for all tests on scores.
"""

# %%
# A table, one row per model, repeat and fold
# -------------------------------------------
# These are the published accuracies of naive Bayes (nbc) and C4.5 (j48) on all folds of ten times ten-fold
# cross-validation. They are those of Benavoli, Corani, Demšar and Zaffalon (2017), on one of their 54 data sets
# (:download:`the file <../data/uci54_10x10cv_accuracy.csv.gz>`).

import sys
from pathlib import Path

import pandas as pd

from skcompare import StudyResult, from_frame

folder = Path(sys.argv[0]).resolve().parents[1] / "data"  # beside the folder of this script
table = pd.read_csv(folder / "uci54_10x10cv_accuracy.csv.gz")
table = table[table["classifier"].isin(["nbc", "j48"])].rename(columns={"classifier": "model", "accuracy": "score"})
print(table.head())

# %%
# The columns are recognised by their names. The design, 10x10, is read from the numbers of repeats and folds. Of
# random splits the sizes of training and test sets must be told, since the test allows for their overlap.

anneal = from_frame(table[table["dataset"] == "anneal"].drop(columns="dataset"))
print(anneal.summary())

# %%
# What needs more than scores is refused: McNemar's test needs predictions.

try:
    anneal.test("mcnemar")
except ValueError as error:
    print(error)

# %%
# All data sets of the table make a study
# ---------------------------------------

study = StudyResult.from_frame(table)
test = study.test()
print(f"{test.n} data sets, median difference {test.estimate:+.4f}, p = {test.pvalue:.3f}")
scatter = study.plot("datasets", a="nbc", b="j48")

# %%
# From the command line
# ---------------------
# ``skcompare analyze`` does the same for a CSV file, without Python.

import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "scores.csv")
    table[table["dataset"] == "iris"].drop(columns="dataset").to_csv(path, index=False)
    command = [sys.executable, "-m", "skcompare", "analyze", str(path)]
    print(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

# %%
# Coming from a particular tool? :doc:`Its calls and ours, side by side </migration>`.
