"""What nested cross-validation is fed with: the values of the samples in the ordinary fits, and in the inner ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from skcompare._core.validation import FloatArray
from skcompare.comparison.measures import function_of, has_sample_values
from skcompare.comparison.once import once
from skcompare.comparison.predictions import MissingEvidenceError, has_predictions, pool_splits
from skcompare.comparison.sample_values import sample_metrics, value_of_samples
from skcompare.evaluation._inner_fits import InnerSplits
from skcompare.scores.evaluation import EvaluationScores

Folds = list[list[FloatArray]]  # per repeat and fold, one array


@once
def nested_values(scores: EvaluationScores, model: str, metric: str) -> tuple[Folds, Folds]:
    """Values of the samples, greater for a better model: of each fold, and of all others in the fits without both.

    Raises
    ------
    ValueError
        If the inner fits were not made.
    MissingEvidenceError
        If the model has none of them, one failed, or the metric is no mean of a value per sample.
    """
    if scores.inner_predictions is None or scores.kept_splits is None:
        raise ValueError("nested cross-validation takes the inner fits of PairedEvaluator(nested=True)")
    if not has_sample_values(scores, metric):
        known = ", ".join(map(repr, sample_metrics(scores.task)))
        raise MissingEvidenceError(
            f"metric {metric!r} is no mean of a value per sample, as nested cross-validation takes it; these are: "
            f"{known}"
        )
    if not any(scores.inner_predictions.labelled(model)):
        where = InnerSplits.of(scores.kept_splits).place(0)
        raise MissingEvidenceError(f"{model!r} has no inner fits: none was made or all failed, the first {where}")
    splits, inner = scores.kept_splits, _inner(scores)
    outer_values = _of_splits(scores, model, metric)
    inner_values = _of_splits(inner, model, metric)
    assert splits.fold_ids is not None
    found_outer, found_inner = [], []
    for repeat, ids in enumerate(splits.fold_ids):
        found_outer.append(outer_values[repeat * splits.n_folds : (repeat + 1) * splits.n_folds])
        others: list[list[FloatArray]] = [[] for _ in range(splits.n_folds)]
        for pair, (f, g) in enumerate(InnerSplits.of(splits).folds):
            values = inner_values[repeat * inner.design.n_folds + pair]
            of_first = ids[np.isin(ids, (f, g))] == f
            others[f].append(values[~of_first])
            others[g].append(values[of_first])
        found_inner.append([np.concatenate(parts) for parts in others])
    return found_outer, found_inner


@once
def _inner(scores: EvaluationScores) -> EvaluationScores:
    """The scores as those of the inner fits, as far as predictions are read of them."""
    assert scores.kept_splits is not None
    splits = InnerSplits.of(scores.kept_splits)
    design = replace(scores.design, n_folds=splits.n_folds, n_splits=len(splits), partition=False)
    return replace(scores, design=design, kept_splits=splits, kept_predictions=scores.inner_predictions)


def _of_splits(scores: EvaluationScores, model: str, metric: str) -> list[FloatArray]:
    """The values of the test samples of every split."""
    assert scores.kept_predictions is not None
    lacking = [i for i, known in enumerate(scores.kept_predictions.labelled(model)) if not known]
    if lacking:
        assert scores.kept_splits is not None
        raise MissingEvidenceError(f"{model!r} failed {scores.kept_splits.place(lacking[0])}")
    if not has_predictions(scores, model):
        raise MissingEvidenceError(f"{model!r} did not predict for each sample what y has")
    how = (scores.read_as.get(metric, metric), scores.task, function_of(scores, metric))
    splits = range(scores.design.n_splits)
    return [value_of_samples(pool_splits(scores, (model,), (split,)), model, *how) for split in splits]
