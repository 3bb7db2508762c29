"""Comparisons that other training sets would move more than their test allows for, seen in the predictions of a run."""

from __future__ import annotations

import numpy as np

from skcompare._core.record import few
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted
from skcompare.comparison.measures import reads_labels
from skcompare.comparison.predictions import MissingEvidenceError, folds_of, sample_losses
from skcompare.comparison.table import ComparisonTable
from skcompare.inference._procedures import PROCEDURES
from skcompare.inference.fold_scores._changes import Changes
from skcompare.inference.fold_scores.stability import much
from skcompare.scores.evaluation import EvaluationScores

_TEST = "corrected_t_test"  # which takes all learners for alike


def unstable_comparisons(scores: EvaluationScores, comparison: ComparisonTable) -> tuple[CodedWarning, ...]:
    """A warning of the pairs whose losses change together with the training set far more than usual.

    Empty where the design, the metrics or the predictions do not tell.
    """
    able = any(row.name == "stability_t_test" and row.fits(scores.design, {}) for row in PROCEDURES)
    if not able or scores.kept_predictions is None or scores.seed_scores is not None:
        return ()
    rows = [row for row in comparison if row.procedure == _TEST and reads_labels(scores, row.metric)]
    pairs = dict.fromkeys((row.a, row.b) for row in rows)
    changes = _changes(scores, dict.fromkeys(name for pair in pairs for name in pair))
    excess = {(a, b): changes[a].excess(changes[b]) for a, b in pairs if a in changes and b in changes}
    found = {pair: x for pair, x in excess.items() if much(x, scores.design.n_splits, len(excess))}
    if not found:
        return ()
    a, b = max(found, key=lambda pair: found[pair])
    others = f" (and {counted(len(found) - 1, 'other pair')})" if len(found) > 1 else ""
    metrics = [metric for metric in scores.metrics if any(row.metric == metric for row in rows)]
    return (
        Code.UNSTABLE_COMPARISON(
            f"on {few(metrics)} of {a} and {b}{others} a new training set changes the losses of many samples at "
            f"once ({1 + found[a, b]:.1f} times the variance of independent changes): the difference varies more from "
            f"one training set to another than {_TEST} allows for, as with trees of one split.",
            (a, b, *metrics),
        ),
    )


def _changes(scores: EvaluationScores, names: dict[str, None]) -> dict[str, Changes]:
    """How the losses of each model change from one repeat to the next, without models that lack some."""
    found = {}
    for name in names:
        try:
            losses = sample_losses(scores, name)
        except MissingEvidenceError:
            continue
        folds = folds_of(scores) + scores.design.n_folds * np.arange(len(losses))[:, None]
        found[name] = Changes.of(losses, folds)
    return found
