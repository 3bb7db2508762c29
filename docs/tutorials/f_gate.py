"""
A gate in continuous integration
================================

A new model shall replace the old one unless it is worse. "Not significantly worse" is no answer: of few data everything
is. The gate asks whether the new model is shown *not to be worse* by more than a margin.
"""

# %%
# Decide the margin before you look
# ---------------------------------
# Here a loss of one hundredth in the area under the ROC curve does not matter.

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcompare import PairedEvaluator
from skcompare.testing import assert_not_worse, not_worse

X, y = load_breast_cancer(return_X_y=True)
models = {"old": GaussianNB(), "new": make_pipeline(StandardScaler(), LogisticRegression())}
result = PairedEvaluator(cv="10x10", scoring=["roc_auc"], random_state=0).evaluate(models, X, y)
gate = not_worse(result, new="new", old="old", margin=0.01)
print(gate)

# %%
# The other way round nothing is shown, and a test fails:

try:
    assert_not_worse(result, new="old", old="new", margin=0.01)
except AssertionError as error:
    print(error)

# %%
# The same as a status
# --------------------
# ``skcompare check`` ends with 0 (not worse), 1 (worse), 2 (undecided) or 3 (it could not be asked). It takes saved
# results, tables of predictions, or models and a data set.

import subprocess
import sys
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "both.skc")
    result.save(path)
    asked = ["check", str(path), "--old", "old", "--new", "new", "--metric", "roc_auc", "--margin", "0.01"]
    done = subprocess.run([sys.executable, "-m", "skcompare", *asked], capture_output=True, text=True, check=False)
    print(done.stdout, "status", done.returncode)

# %%
# In a workflow the action of the repository calls the command: :doc:`gates </running>`. A run that is undecided needs
# more data, not another margin.
