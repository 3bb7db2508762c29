"""
The calibration study in pictures
=================================

How often do the tests call two models different that are equally good? Every point below is one *null*: 1,000 simulated
data sets on which two models have, by construction, the same expected score. The learners are naive Bayes, a tree, 5
nearest neighbours, logistic regression and a forest of 10 trees. They see one of two blocks of features that are drawn
alike. The signal is strong or weak, the classes are balanced or one in five positive. There are 60, 200 or 1,000
samples. On *noise*, ten fair coins that say nothing about balanced labels, every learner meets every other. There only
accuracy and ROC AUC are fair by construction. A calibrated test rejects 5%; the grey band is 3% to 7%. One point has a
standard error of 0.7 points at 5%.
"""

# %%
# The table has one row per null, design, procedure and metric
# (:download:`the file <../data/calibration_study.csv.gz>`).

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

folder = Path(sys.argv[0]).resolve().parents[1] / "data"  # beside the folder of this script
table = pd.read_csv(folder / "calibration_study.csv.gz")
table["share"] = table["rejected"] / table["n_datasets"]
nulls, differences = table[table["null"] != "better"], table[table["null"] == "better"]
print(f"{len(nulls):,} measured sizes, {nulls['n_datasets'].min():,} data sets each at least")

METRICS = ["accuracy", "precision", "recall", "f1", "roc_auc"]
LEARNERS = {"naive Bayes": "o", "tree": "^", "kNN": "s", "logistic regression": "D", "forest": "v"}


def strips(ax, groups, rows, by):
    """One column of points per group; the marker is the learner, a dot where two different ones met."""
    rng = np.random.default_rng(0)
    for x, group in enumerate(groups):
        for learner, part in rows[rows[by] == group].groupby("learner"):
            marker = LEARNERS.get(learner, ".")
            places = x + rng.uniform(-0.3, 0.3, len(part))
            ax.plot(places, 100 * part["share"], marker, ms=3.5, alpha=0.6, mew=0, color=colour_of(learner))
        ax.hlines(100 * rows[rows[by] == group]["share"].mean(), x - 0.38, x + 0.38, color="black", lw=1.5)
    ax.axhspan(3, 7, color="0.9", zorder=0)
    ax.axhline(5, color="0.5", lw=0.8, ls=":")
    ax.set_xticks(range(len(groups)), groups)


def colour_of(learner):
    return f"C{list(LEARNERS).index(learner)}" if learner in LEARNERS else "0.6"


def legend(figure):
    marks = [plt.Line2D([], [], marker=m, ls="", color=colour_of(name), label=name) for name, m in LEARNERS.items()]
    marks += [plt.Line2D([], [], marker=".", ls="", color="0.6", label="two learners, noise")]
    marks += [plt.Line2D([], [], color="black", lw=1.5, label="mean")]
    figure.legend(handles=marks, loc="outside lower center", ncols=4, fontsize=8)


# %%
# The default of every design
# ---------------------------
#
# What ``result.test()`` does when it is not told otherwise: the k-fold t test on a single run, the corrected t test on
# everything else. Repeated folds are right on average and differ by learner: nearest neighbours are rejected too often,
# models that change with every sample too seldom. On 5x2 and on random splits the default is cautious.

defaults = dict.fromkeys(("10x10", "10x5", "5x2", "30 resamples"), "corrected_t_test")
defaults |= {"10-fold": "k_fold_t_test", "5-fold": "k_fold_t_test"}
figure, axes = plt.subplots(2, 3, figsize=(10, 6.4), sharey=True, layout="constrained")
for ax, (design, procedure) in zip(axes.flat, defaults.items(), strict=True):
    strips(ax, METRICS, nulls[(nulls["design"] == design) & (nulls["procedure"] == procedure)], "metric")
    ax.set_title(f"{design}: {procedure}", fontsize=9)
    ax.tick_params(labelsize=7)
for ax in axes[:, 0]:
    ax.set_ylabel("true nulls rejected at 5%, in %", fontsize=8)
legend(figure)

# %%
# What the alternatives do on accuracy
# ------------------------------------
#
# The plain t test on repeated folds is wrong half of the time. On a single run the usual correction is too large: the
# folds of one run share no test sample.

figure, axes = plt.subplots(1, 3, figsize=(10, 4.6), sharey=True, layout="constrained")
for ax, design in zip(axes, ("10-fold", "10x10", "5x2"), strict=True):
    rows = nulls[(nulls["design"] == design) & (nulls["metric"] == "accuracy")]
    names = [name for name in rows["procedure"].unique() if "dominance" not in name]
    strips(ax, names, rows, "procedure")
    ax.set_xticks(range(len(names)), names, rotation=60, ha="right", fontsize=7)
    ax.set_yscale("symlog", linthresh=10)
    ax.set_yticks([0, 3, 5, 7, 10, 20, 50], ["0", "3", "5", "7", "10", "20", "50"])
    ax.set_title(design, fontsize=9)
axes[0].set_ylabel("true nulls rejected at 5%, in %", fontsize=8)
legend(figure)

# %%
# More data does not make a wrong test right
# ------------------------------------------
#
# The spread over learners stays as the number of samples grows. It comes from how much a model changes with its
# training set. The folds of one data set cannot tell that. :py:func:`skcompare.calibration.calibrate` can, for your
# models on your data.

figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
for ax, (design, procedure) in zip(axes, (("10x10", "corrected_t_test"), ("10-fold", "k_fold_t_test")), strict=True):
    rows = nulls[(nulls["design"] == design) & (nulls["procedure"] == procedure)]
    strips(ax, sorted(rows["n_samples"].unique()), rows[rows["metric"].isin(METRICS)], "n_samples")
    ax.set_title(f"{design}: {procedure}, all metrics", fontsize=9)
    ax.set_xlabel("samples", fontsize=8)
axes[0].set_ylabel("true nulls rejected at 5%, in %", fontsize=8)
legend(figure)

# %%
# What a test finds
# -----------------
#
# The same learners, one of them with more signal (a shift of 0.60 against 0.45 standard deviations). A test is good
# that is near 5% on the left axis and high on the other.

sizes = nulls[nulls["metric"] == "accuracy"].groupby(["design", "procedure"])["share"].mean()
power = differences[differences["metric"] == "accuracy"].groupby(["design", "procedure"])["share"].mean()
both = pd.DataFrame({"size": sizes, "power": power}).dropna().query("size < 0.2") * 100
figure, ax = plt.subplots(figsize=(8, 5), layout="constrained")
for design, part in both.groupby("design"):
    ax.plot(part["size"], part["power"], "o", label=design)
    for (_, procedure), row in part.iterrows():
        ax.annotate(procedure, (row["size"], row["power"]), fontsize=6, xytext=(4, 2), textcoords="offset points")
ax.axvspan(3, 7, color="0.9", zorder=0)
ax.set(xlabel="true nulls rejected at 5% on accuracy, mean in %", ylabel="differences found, mean in %")
ax.legend(fontsize=8)
