"""
My first comparison
===================

Is a logistic regression better than naive Bayes at telling malignant from benign biopsies? 569 samples, 30
measurements.
"""

# %%
# One run
# -------
# Both models are fitted on the same splits: ten times ten folds, drawn from one seed. Every metric is computed
# from the same predictions. Give the models names; they appear in everything that follows. 10x10 takes 100 fits
# per model.

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcompare import PairedEvaluator

X, y = load_breast_cancer(return_X_y=True)
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "nb": GaussianNB(),
}
result = PairedEvaluator(cv="10x10", random_state=0).evaluate(models, X, y)
print(result)

# %%
# The first line is the answer, on the first metric. Read a row from the left. First are
# two means, and how much the leader is ahead. Then come the interval in which its true lead lies, and the adjusted
# p-value. The outcome is significant exactly where
# the interval leaves out 0. "Not significant" says that these data cannot tell, not that the models are equal.
#
# The last line says how often the test is wrong in similar simulations; ``print(result.explain())`` has the rest.

# %%
# The same as a picture
# ---------------------

differences = result.plot("differences", margin=0.01)

# %%
# Is the difference large enough to matter?
# -----------------------------------------
# A p-value asks whether the difference is 0. In practice it has to be larger than what you would not care about.
# Say that a hundredth in accuracy does not matter. The posterior gives three probabilities.

posterior = result.test("correlated_t_posterior", metric="accuracy", margin=0.01)
print(f"logistic better {posterior.right:.1%}, equivalent {posterior.rope:.1%}, nb better {posterior.left:.1%}")

# %%
# When nothing is found
# ---------------------
# Recall does not differ significantly. How large a difference would this run have found?

from skcompare.planning import detectable_difference

print(detectable_difference(result, "recall"))

# %%
# A smaller difference may be there. ``plan(result, 0.01)`` says how many samples would show it:
# :doc:`planning </planning>`.
#
# Keep the result
# ---------------
# The file holds scores, predictions and splits. It is read by ``skcompare.load``, and by ``skcompare show FILE``.

import tempfile
from pathlib import Path

import skcompare as skc

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "result.skc")
    result.save(path)
    print(skc.load(path).summary().split("\n")[0])
