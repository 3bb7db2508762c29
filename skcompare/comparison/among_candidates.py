"""P-values of some candidates of a search, which were chosen for their scores: adjusted as if all had been compared.

The ranking of the search has one error rate, for all comparisons of its candidates on the metric that decides. It also
decides on the best against each other candidate here. The other comparisons share a second error rate, over all pairs
of candidates on all metrics, whichever of them are looked at; and who is significantly worse than another one on the
deciding metric is significantly worse by the ranking too.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan

from skcompare.scores.selected import Selected

CORRECTION = "bonferroni"


def adjusted_among(
    selected: Selected,
    models: Sequence[str],
    compared: Sequence[tuple[str, str, str]],
    pvalues: Sequence[float],
    leads: Sequence[float],
    *,
    two_sided: bool,
) -> tuple[list[float], list[float], int]:
    """Adjusted p-values and leads of rows of (metric, a, b), and over how many comparisons they are adjusted.

    Parameters
    ----------
    selected : Selected
        What is known of the search.
    models : sequence of str
        The chosen candidates.
    compared : sequence of (str, str, str)
        Metric and two models.
    pvalues, leads : sequence of float
        Of each alone, and positive where the first model is ahead; nan where it cannot be compared.
    two_sided : bool
        Whether the ranking, which is two-sided, can decide.
    """
    n = selected.n_pairs * len({metric for metric, _, _ in compared})
    found, ahead = [], []
    for (metric, a, b), p, lead in zip(compared, pvalues, leads, strict=True):
        adjusted = min(n * p, 1.0)
        if metric == selected.metric:
            places = models.index(a), models.index(b)
            ranked = [nan if one is None else one for one in (selected.pvalues[place] for place in places)]
            if any(map(isnan, ranked)):
                adjusted = nan  # the ranking leaves out who lacks a score
            elif two_sided and selected.best in places:
                first = selected.best == places[0]
                adjusted, lead = max(ranked[first], p), 1.0 if first else -1.0  # another test may have a larger p
            elif not isnan(p):
                adjusted = max(adjusted, ranked[lead > 0])
        found.append(adjusted)
        ahead.append(lead)
    return found, ahead, n
