"""Whether few samples carry most of what errors cost, which makes tests and intervals of the mean cost uncertain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, Protocol

import numpy as np

from skcompare._core.design import Design
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted
from skcompare.evaluation._costs import known_costs, sample_costs
from skcompare.evaluation._kept import KeptPredictions
from skcompare.evaluation._splits import Splits
from skcompare.scores.rare_classes import FEWEST


class Costed(Protocol):
    """What is read of the scores of an evaluation."""

    @property
    def design(self) -> Design: ...
    @property
    def estimators(self) -> tuple[str, ...]: ...
    @property
    def metric_functions(self) -> Mapping[str, Any]: ...
    @property
    def kept_splits(self) -> Splits | None: ...
    @property
    def kept_predictions(self) -> KeptPredictions | None: ...


def costs_of_samples(scores: Costed) -> dict[str, FloatArray]:
    """The costs of the samples by metric of costs, shape (n_models, n_samples); nan where a model did not predict.

    Those of the first repeat, or of all overlapping test sets.
    """
    costs = {name: known_costs(function) for name, function in scores.metric_functions.items()}
    kept, splits, design = scores.kept_predictions, scores.kept_splits, scores.design
    if not any(costs.values()) or kept is None or splits is None:
        return {}
    used = range(design.n_folds if design.n_folds > 1 else design.n_splits)
    tested = [splits.held_out(i) for i in used]
    found = {name: np.full((len(scores.estimators), sum(map(len, tested))), np.nan) for name, of in costs.items() if of}
    ends = np.cumsum([len(test) for test in tested])
    for e, model in enumerate(scores.estimators):
        labelled = kept.labelled(model)
        for i, test, end in zip(used, tested, ends.tolist(), strict=True):
            for name in found if labelled[i] else ():
                try:
                    of_split = sample_costs(kept.y[test], kept.labels_of(model, i), **(costs[name] or {}))
                except ValueError:  # of a class without costs: the fold failed
                    continue
                found[name][e, end - len(test) : end] = of_split
    return found


def few_costly(
    scores: Costed, of_samples: Mapping[str, FloatArray], metric: str, names: tuple[str, ...]
) -> Iterator[CodedWarning]:
    """The warning FEW_COSTLY of one model's mean cost, or of the differences of any two of several models.

    The spread of the costs is that of so many samples with the largest cost. Where two models have the same cost on
    average, and every error costs the same, differences are symmetric and few of them do no harm.
    """
    if metric not in of_samples:
        return
    table = np.array((known_costs(scores.metric_functions[metric]) or {})["cost"])
    costs = {name: of_samples[metric][scores.estimators.index(name)] for name in names}
    sets: list[tuple[tuple[str, ...], FloatArray]]
    if len(names) == 1:
        sets, largest = [(names, costs[names[0]])], float(np.ptp(table))
    else:
        steps = np.unique(np.abs(table[:, :, None] - table[:, None, :]))
        sets, largest = [((a, b), costs[a] - costs[b]) for a, b in combinations(names, 2)], float(steps[-1])
        if len(steps[steps > 0]) < 2:
            return
    weight, about = min((_weight(values, largest, scores.design), about) for about, values in sets)
    if weight < FEWEST:
        cost = "costs" if len(names) == 1 else "differences of cost"
        few = f"only about {counted(int(weight), 'sample')}" if weight >= 1 else "less than 1 sample"
        yield Code.FEW_COSTLY(
            f"{few} with the largest {cost} {'decide' if weight >= 2 else 'decides'} {metric} "
            f"({' and '.join(map(repr, about))}), fewer than {FEWEST}: intervals are too narrow and p-values too small "
            "where such samples are rare.",
            (*about, metric),
        )


def _weight(values: FloatArray, largest: float, design: Design) -> float:
    """How many values of the largest size vary as much as these; infinity where nothing is known."""
    known = values[np.isfinite(values)]
    if not known.size or largest == 0:
        return float("inf")
    n = min(known.size, design.n_samples or known.size)
    return float(n * (known / largest).var())
