"""
A leaderboard
=============

Ten systems, one benchmark of 400 items, a table sorted by the mean. Who is really first, and which neighbours only
changed places by chance?
"""

# %%
# The table
# ---------
# The outcomes are drawn: two systems are equally good at the top, then each is a little weaker than the one before.

import numpy as np

import skcompare as skc

rng = np.random.default_rng(1)
strength = [1.2, 1.2, 1.0, 0.9, 0.8, 0.8, 0.5, 0.4, 0.2, 0.0]
hard = rng.normal(size=400)
passed = {f"system {chr(65 + i)}": (rng.normal(size=400) < s + hard).astype(float) for i, s in enumerate(strength)}
board = skc.from_outcomes({"passed": passed})
ranking = board.rank()
print(ranking)

# %%
# Read a row: the interval of the rank, the mean, and a letter. Systems that share a letter are not significantly
# different. All intervals hold at once with 95%.

groups = {name: "open" if i % 2 else "closed" for i, name in enumerate(passed)}
ranks = board.plot("ranks", groups=groups)

# %%
# Only those with a filled mark may be first. A leaderboard that prints ranks 1 to 10 claims more than the items show.
#
# A new system, against the leader only
# -------------------------------------
# All comparisons share one error rate. Who asks about one system, named before looking, has fewer of them.

print(board.rank(simultaneous=False).may_be_first)
print(board.compare(baseline="system A")[0])

# %%
# Published means are enough for none of this: without the outcomes of items, or several runs, no difference has an
# interval. :doc:`Leaderboards </leaderboards>` says what can be done with means and deviations.
