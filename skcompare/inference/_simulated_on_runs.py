"""Which simulations are like a run of independent runs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from math import log

from skcompare._core.design import Design
from skcompare._core.words import listed
from skcompare.inference._likeness import Simulated, pooled, within
from skcompare.inference._measured_sizes import MeasuredSize, on_runs


def simulations_of_runs(procedure: str, design: Design, metrics: Iterable[str]) -> Simulated:
    """The simulations that are like independent runs of two models, on any metric.

    Of each pair of models the nearest simulated numbers of runs count, as ratios.
    """
    known = on_runs().get(procedure, {})
    if not known:
        return Simulated(reason="the test was not simulated on runs")
    cells = {}
    for pair in sorted({*combinations(sorted(design.n_runs), 2)}):
        near = [cell for cell in known if pair[0] > 2 and all(map(within, pair, cell, cell))]
        if not near:
            (n, m), only = pair, f"only {min(known)[0]} to {max(known)[0]} runs were simulated"
            return Simulated(reason=only if n == m else f"{n} runs against {m} were not simulated")
        cells[min(near, key=lambda cell: sum(abs(log(n / own)) for n, own in zip(cell, pair, strict=True)))] = pair
    sizes = [one for cell in cells for one in known[cell]]
    every = (MeasuredSize(mean=x.size, low=x.size, high=x.size, highest=x.scores, nulls=1) for x in sizes)
    runs = listed(f"{n} runs of each model" if n == m else f"{n} runs against {m}" for n, m in cells)
    where = f"{runs}, {listed(dict.fromkeys(one.scores for one in sizes))} scores, standard deviations"
    spread = f"equal or 1 to {max(one.ratio for one in sizes):g}"
    return Simulated(design="runs", where=f"{where} {spread}", sizes=dict.fromkeys(metrics, pooled(every)))
