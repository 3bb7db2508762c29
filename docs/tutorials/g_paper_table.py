"""
A paper's table
===============

Five classifiers on 30 data sets, accuracies that were published (García and Herrera 2008). What a paper needs: a table
that marks what is significant, a picture, and a paragraph that says how it was tested.
"""

# %%
# From a table of scores
# ----------------------
# One row per data set, one column per model (:download:`the file <../data/garcia_herrera_2008.csv>`). No model is
# fitted.

import sys
import textwrap
from pathlib import Path

import pandas as pd

import skcompare as skc

folder = Path(sys.argv[0]).resolve().parents[1] / "data"  # beside the folder of this script
study = skc.StudyResult.from_frame(pd.read_csv(folder / "garcia_herrera_2008.csv"), metric="accuracy")
print(study)

# %%
# The table
# ---------
# ``to_latex`` writes tables in the style of booktabs; ``to_markdown`` the same for a page. A star marks a model that is
# significantly worse than the first one, after adjustment for all pairs.

print("\n".join(study.to_latex().split("\n")[:24]))

# %%
# The picture
# -----------

diagram = study.plot("critical_difference")

# %%
# Bars join models that are not significantly different. ``diagram.figure_.savefig("models.pdf")`` keeps it.
#
# The paragraph
# -------------
# It is made from what was run. The BibTeX entries of what it cites follow it.

paragraph, *bibtex = study.methods_text().split("\n\n")
print(textwrap.fill(paragraph, 100))
print(bibtex[0])

# %%
# Say too what was decided before looking: the metric, the margin that matters, the number of data sets. What else a
# report should have: :doc:`start </start>`.
