"""
Costs and thresholds
====================

A missed tumour and a false alarm do not cost the same. Which model is better then depends on the costs, and on the
threshold at which a score becomes an alarm.
"""

# %%
# Scores of two models
# --------------------
# Class 0 of these data is malignant; here it is the positive class. Both models see two of the thirty measurements
# only, so that they make errors to compare. A third of the samples is kept for the end.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import make_scorer
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator
from skcompare.inference import error_rate_test, expected_cost, roc_dominance, roc_points

X, y = load_breast_cancer(return_X_y=True)
malignant = (y == 0).astype(int)
X, X_new, malignant, malignant_new = train_test_split(
    X[:, [1, 5]], malignant, test_size=1 / 3, stratify=malignant, random_state=0
)
models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
evaluator = PairedEvaluator(cv=10, random_state=0, scoring=["roc_auc", "accuracy"])
result = evaluator.evaluate(models, X, malignant)
curves = result.plot("roc")

# %%
# Do the curves cross?
# --------------------
# A model whose curve is nowhere below the other's is at least as good at all costs. Where they cross, the better
# model depends on the costs, and the area under the curve does not say which it is.

truth, of_nb = result.class_scores("nb")
truth, of_tree = result.class_scores("tree")
comparison = roc_dominance(truth, of_nb, of_tree)
print(f"verdict on the curves: {comparison.verdict}; areas differ by {comparison.area_difference:+.3f}")

# %%
# Costs choose the point on the curve
# -----------------------------------
# Let a missed tumour cost ten false alarms. All points of equal expected cost lie on a line of slope
# ``(cost of a false alarm x share of benign) / (cost of a miss x share of malignant)``. The best threshold is
# where such a line touches the curve from above left.

costs = {"cost_false_positive": 1, "cost_false_negative": 10}
best = {name: expected_cost(truth, scores, **costs) for name, scores in (("nb", of_nb), ("tree", of_tree))}
for name, found in best.items():
    print(f"{name}: cost {found.cost:.3f} per sample at threshold {found.threshold:.3f}")

# %%

share = truth.mean()
slope = 1 * (1 - share) / (10 * share)
figure, ax = plt.subplots(figsize=(6, 5), layout="constrained")
for name, scores, style in (("nb", of_nb, "-"), ("tree", of_tree, "--")):
    curve = roc_points(truth, scores)
    ax.plot(curve.false_positive_rate, curve.true_positive_rate, style, label=name)
    intercept = 1 - best[name].cost / (10 * share)
    ax.axline((0, intercept), slope=slope, color="grey", linestyle=style, linewidth=0.8)
ax.set(xlabel="false positive rate", ylabel="true positive rate", xlim=(0, 1), ylim=(0, 1.02))
ax.set_title("Iso-cost lines at the best points: the higher one is cheaper")
ax.legend(loc="lower right")

# %%
# For other costs another model may be cheaper. A cost curve shows the least cost that each can reach, for every
# weight of the two errors.

weights = np.linspace(0.02, 0.98, 49)
figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
for name, scores, style in (("nb", of_nb, "-"), ("tree", of_tree, "--")):
    least = [expected_cost(truth, scores, cost_false_positive=1 - w, cost_false_negative=w).cost for w in weights]
    ax.plot(weights, least, style, label=name)
ax.axvline(10 / 11, color="grey", linewidth=0.8)
ax.annotate("a miss costs\nten false alarms", (0.9, 0.003), ha="right")
ax.set(xlabel="weight of a miss (a false alarm has the rest)", ylabel="least expected cost")
ax.legend(loc="upper left")

# %%
# Is the cheaper one really cheaper?
# ----------------------------------
# The thresholds above are the best on these very samples. For calibrated scores theory names a threshold that does
# not depend on the data: ``cost of a false alarm / (cost of a false alarm + cost of a miss)``, which is 1/11. As a
# metric the cost at that threshold goes through the same test as any other. Less is better; a positive difference still
# favours the first model.


def cost_at_threshold(truth, probability):
    alarm = probability > 1 / 11
    return np.mean(np.where(truth == 1, 10 * ~alarm, alarm))


cost = make_scorer(cost_at_threshold, response_method="predict_proba", greater_is_better=False)
by_cost = PairedEvaluator(cv="10x10", random_state=0, scoring={"neg_cost": cost}).evaluate(models, X, malignant)
print(by_cost.summary())

# %%
# Below a limit on new samples?
# -----------------------------
# The samples that were kept back are one test set for one fitted model. Is its share of missed tumours below 10%?
# This is a question about this fitted model, not about the way it was trained.

nb = GaussianNB().fit(X, malignant)
alarm = nb.predict_proba(X_new)[:, 1] > 1 / 11
missed = int((~alarm[malignant_new == 1]).sum())
test = error_rate_test(missed, int(malignant_new.sum()), threshold=0.10)
false_alarms = int(alarm[malignant_new == 0].sum())
high = test.confidence_interval().high
print(
    f"{missed} of {test.n} missed: {test.estimate:.1%}, at most {high:.1%} with confidence 95%; p = {test.pvalue:.3f}"
)
print(f"{false_alarms} of {int((malignant_new == 0).sum())} benign ones are called malignant")
