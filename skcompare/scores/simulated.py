"""Which simulations are like a result: what they have to know of it beside its design."""

from __future__ import annotations

from operator import attrgetter

import numpy as np

from skcompare._core.design import Design
from skcompare._core.warnings import Code
from skcompare.inference._simulated import SEVERAL, TOLERANCE, Simulated, simulations_like
from skcompare.scores.evaluation import EvaluationScores

_TASKS = ("binary", "multiclass", "regression")
_GROUPS = "groups of samples were not simulated"
CUT = "the simulations train on all samples outside the test sets"
IN_TIME = "in time order it depends on how long losses stay alike"


def simulations_of_folds(scores: EvaluationScores, procedure: str) -> Simulated:
    """The simulations of a procedure that are like a result's folds, which are not in time order."""
    reason, positive = unlike(scores), positives(scores)
    if not reason and positive is None and scores.task == "binary":
        reason = "the share of positives is not known"
    return Simulated(reason=reason) if reason else simulations_like(procedure, scores.design, positive, scores.task)


def simulations_left_open(scores: EvaluationScores, procedure: str) -> Simulated:
    """The same, but what is not known of a table of scores is left open: its task, its classes, its samples."""
    if "source" in scores.provenance and scores.task in ("binary", "other"):
        return simulations_like(procedure, scores.design, positives(scores))
    return simulations_of_folds(scores, procedure)


def unlike(scores: EvaluationScores) -> str:
    """What makes a run unlike all simulations, whatever the test; empty where nothing does."""
    otherwise = _made_otherwise(scores)
    if otherwise:
        return otherwise
    if scores.design.kind not in ("folds", "samples"):
        return f"{scores.design.kind} were not simulated" if scores.design.estimated else ""
    if scores.design.time_order and scores.task != "binary":
        return IN_TIME
    if scores.design.kind == "folds" and not scores.design.time_order and not _trained_on_the_rest(scores.design):
        return CUT
    if scores.task in SEVERAL:
        return _GROUPS if _grouped(scores) else ""
    if scores.design.kind == "samples" and scores.task == "multiclass":
        return "only two classes were simulated"
    if scores.design.kind == "samples" and scores.task == "regression":
        return "of numbers only several per sample were simulated"
    if scores.task not in _TASKS:
        return "the task is not known"
    if scores.design.n_samples is None:
        return "the number of samples is not known"
    return _GROUPS if _grouped(scores) else ""


def _trained_on_the_rest(design: Design) -> bool:
    """Whether every training set holds what is not tested, or half of it; also where its size is not known."""
    if design.n_samples is None:
        return True
    sizes = np.array(design.train_sizes)
    rest = design.n_samples - np.array(design.test_sizes)[: len(sizes)]
    return bool(np.all((rest / TOLERANCE <= sizes) & (sizes <= rest)))


def _made_otherwise(scores: EvaluationScores) -> str:
    """What makes the scores unlike those of any simulation, also of one that `calibrate` could make."""
    if scores.sample_weight is not None:
        return "weights of samples were not simulated"
    if "fit_params" in set().union(scores.provenance, *scores.provenance.get("merged", ())):
        return "parameters given to fit, such as weights, were not simulated"
    if Code.DO_NOT_USE.name in map(attrgetter("code"), scores.warnings):
        return "test samples that are trained on were not simulated"
    if scores.failures:
        return "fits that failed were not simulated"
    return "means over several seeds were not simulated" if scores.fit_seeds else ""


def can_be_calibrated(scores: EvaluationScores) -> bool:
    """Whether `calibrate` can measure the error rate of a run that is like no simulation."""
    if scores.design.kind != "folds" or scores.task not in _TASKS or _made_otherwise(scores):
        return False
    return not scores.design.time_order and scores.design.n_groups is None and not _grouped(scores)


def _grouped(scores: EvaluationScores) -> bool:
    """Whether the folds keep groups together of which no more is known."""
    counted = scores.design.n_clusters is not None or scores.design.n_groups is not None
    return not counted and "Group" in str(scores.provenance.get("cv", ""))


def positives(scores: EvaluationScores) -> float | None:
    """The share of the positive class, None where it is not known."""
    if scores.task != "binary":
        return None
    kept, counts = scores.kept_predictions, scores.design.class_counts
    if kept is None and counts:
        return sum(one.total for one in counts if one.label == repr(scores.positive_class)) / sum(
            c.total for c in counts
        )
    return None if kept is None else float(np.mean(np.asarray(kept.y) == scores.positive_class))
