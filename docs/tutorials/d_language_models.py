"""
Two language models on one benchmark
====================================

Two models answered the same 600 questions about 150 documents, four on each. One is right on more of them. Is it the
better one, or was it lucky with the documents? The outcomes are drawn here; put your own table in their place.
"""

# %%
# One row per question
# --------------------
# Questions about one document are hard together, so that they are not independent. The column of documents says so.

import numpy as np

import skcompare as skc

rng = np.random.default_rng(7)
document = np.repeat(np.arange(150), 4)
hard = rng.normal(0, 1, 150)  # the same for both models
right = {}
for name, skill in {"large": 0.9, "small": 0.5}.items():
    own = skill - hard + rng.normal(0, 1.5, 150)  # each model has documents that suit it
    right[name] = (own[document] + rng.logistic(0, 1, 600) > 0).astype(float)
result = skc.from_outcomes(right, clusters=document)
print(result)

# %%
# The test takes a document for one case. Counted as 600 independent questions the same numbers look surer than they
# are:

alone = skc.from_outcomes(right)
for name, one in {"by document": result, "questions alone": alone}.items():
    limits = one.test().confidence_interval()
    print(f"{name}: {one.test().estimate:+.3f}, 95% interval {limits.low:+.3f} to {limits.high:+.3f}")

# %%
differences = result.plot("differences")

# %%
# Several answers to one prompt
# -----------------------------
# Where every question was asked five times, give a column per run. The runs of a question are averaged; they are no new
# questions.

runs = {name: np.clip(values[:, None] + rng.choice([0, 0, 0, -1, 1], (600, 5)), 0, 1) for name, values in right.items()}
print(str(skc.from_outcomes(runs, clusters=document)).split("\n\n")[0])

# %%
# How many questions would it take?
# ---------------------------------
# A benchmark that cannot show a difference of two hundredths should not be used to claim one.

from skcompare.planning import detectable_difference

print(detectable_difference(result))

# %%
# Files of lm-evaluation-harness and logs of inspect_ai are read as they are:
# :doc:`results from elsewhere </elsewhere>`.
# Votes of judges, and judges with some human labels: :doc:`one test set </predictions>`.
