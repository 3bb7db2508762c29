"""Whether few samples carry most of what errors cost, which makes tests and intervals of the mean cost uncertain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    """The warning FEW_COSTLY of one model's mean cost, or of the differences of any two of several models, the worst.

    The spread of the costs is that of so many samples with the largest cost. Where two models have the same cost on
    average, and every error costs the same, differences are symmetric and few of them do no harm.
    """
    if metric not in of_samples:
        return
    table = np.array((known_costs(scores.metric_functions[metric]) or {})["cost"])
    costs = of_samples[metric][[scores.estimators.index(name) for name in names]]
    worst, others = names, 0
    if len(names) == 1:
        weight = _weight(costs[0], float(np.ptp(table)), scores.design)
    else:
        steps = np.unique(np.abs(table[:, :, None] - table[:, None, :]))
        if len(steps[steps > 0]) < 2:
            return
        weights = _weights_of_pairs(costs, float(steps[-1]), scores.design)
        if not np.isfinite(weights).any():
            return
        a, b = np.unravel_index(np.argmin(weights), weights.shape)
        weight, worst = _weight(costs[a] - costs[b], float(steps[-1]), scores.design), (names[a], names[b])
        few = weights < FEWEST
        few[a, b] = weight < FEWEST
        others = int(few.sum()) - 1
        names = tuple(names[i] for i in np.flatnonzero((few | few.T).any(axis=0)))
    if weight < FEWEST:
        cost = "costs" if len(worst) == 1 else "differences of cost"
        told = f"only about {counted(int(weight), 'sample')}" if weight >= 1 else "less than 1 sample"
        more = f", and {counted(others, 'more pair')}" if others else ""
        yield Code.FEW_COSTLY(
            f"{told} with the largest {cost} {'decide' if weight >= 2 else 'decides'} {metric} "
            f"({' and '.join(map(repr, worst))}{more}), fewer than {FEWEST}: intervals are too narrow and p-values too "
            "small where such samples are rare.",
            (*names, metric),
        )


def _weight(values: FloatArray, largest: float, design: Design) -> float:
    """How many values of the largest size vary as much as these; infinity where nothing is known."""
    known = values[np.isfinite(values)]
    if not known.size or largest == 0:
        return float("inf")
    n = min(known.size, design.n_samples or known.size)
    return float(n * (known / largest).var())


def _weights_of_pairs(costs: FloatArray, largest: float, design: Design) -> FloatArray:
    """The same of the differences of all pairs of models, up to rounding; infinity on and below the diagonal."""
    there = np.isfinite(costs).astype(np.float64)
    known = np.where(there > 0, costs / largest, 0.0)
    n = there @ there.T
    with np.errstate(invalid="ignore"):
        mean = (known @ there.T - there @ known.T) / n
        squares = (known**2 @ there.T + there @ (known**2).T - 2 * known @ known.T) / n
        weights = np.minimum(n, design.n_samples or n) * (squares - mean**2)
    weights[(n == 0) | np.tri(len(n), dtype=np.bool_)] = np.inf
    return np.asarray(weights)
