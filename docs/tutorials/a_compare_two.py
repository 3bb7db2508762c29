"""
Compare two models
==================

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
print(result.summary())

# %%
# The first line is the answer, on the first metric. Read a row from the left: two means, how much the leader is
# ahead, the interval in which its true lead lies, and the adjusted p-value. The outcome is significant exactly where
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
# Say that a hundredth in accuracy does not matter. The posterior gives three probabilities, and the equivalence
# test the p-value of "the difference is within the hundredth".

posterior = result.test("correlated_t_posterior", metric="accuracy", margin=0.01)
print(f"logistic better {posterior.right:.1%}, equivalent {posterior.rope:.1%}, nb better {posterior.left:.1%}")
equivalence = result.test("equivalence_test", metric="accuracy", margin=0.01)
print(f"equivalence test: logistic is {equivalence.verdict}, p of equivalence = {equivalence.pvalue:.3f}")
density = result.plot("posterior", metric="accuracy", margin=0.01)

# %%
# Better on everything?
# ---------------------
# A model is better on all metrics where each row above says so: here two of the five do not. Which model wins on which
# metric, counted over the splits, is the pattern of wins; see :doc:`dominance </dominance>`.

print(result.dominance("table"))

# %%
# For the paper
# -------------
# The paragraph is made from what was run, and the BibTeX entries of what it cites follow it.

import textwrap

paragraph, *bibtex = result.methods_text().split("\n\n")
print(textwrap.fill(paragraph, 100))
