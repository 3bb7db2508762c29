"""The forms of evidence that the procedures of the tables take, and how each becomes the arguments of a function.

What stands behind `evidence` is made where scores are known (`skcompare.comparison`): of the splits of one data set it
gives scores (`pair`, `error_rates`, `every_model`, `score_vectors`, `statement_counts`), of predictions outcomes
(`correct`, `labels`, `class_scores` of a model), of several data sets mean scores (`pair`, `pair_splits`, `table`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from operator import methodcaller
from typing import Any

import numpy as np

from skcompare.inference._procedure import Arguments, Form

_folds = partial(Form, kind="fold scores")
_predictions = partial(Form, kind="predictions")
_datasets = partial(Form, kind="data sets")
_OF_ALL: Mapping[str, Any] = {"subject": "all models", "set_by_evidence": ("names", "greater_is_better")}


def _losses_in_time(evidence: Any) -> Arguments:
    """Scores as losses, and what other training sets add to their variance."""
    found: Arguments = evidence.pair()
    options = {**found.options, "training_variance": evidence.training_variance}
    return replace(found, positional=tuple(-values for values in found.positional), options=options)


def _in_order(evidence: Any) -> Arguments:
    """Values in their own units, on whose bounds it rests: of losses those of the second model come first."""
    found: Arguments = evidence.pair()
    if evidence.greater_is_better:
        return found
    a, b = found.positional
    return replace(found, positional=(-b, -a))


# ---- scores of the splits of one data set
SPLITS = _folds(words="splits", arguments=methodcaller("pair"))
REPEATS_AND_LOSSES = _folds(
    words="repeats x folds, and the losses of the samples",
    arguments=methodcaller("repeats_and_losses"),
    set_by_evidence=("families",),
)
REPEATS = _folds(words="repeats x folds", arguments=methodcaller("pair", by_repeat=True))
NESTED = _folds(words="values of the samples in nested fits", arguments=methodcaller("nested_differences"))
ERROR_RATES = _folds(words="fold error rates", subject="one model", arguments=methodcaller("error_rates"))
SPLITS_OF_ALL = _folds(words="splits of all", arguments=methodcaller("every_model"), **_OF_ALL)
REPEATS_OF_ALL = _folds(words="repeats x folds of all", arguments=methodcaller("every_model"), **_OF_ALL)
SCORE_VECTORS = _folds(words="score vectors", joint=True, arguments=methodcaller("score_vectors"))
IN_TIME = _folds(words="losses in time order", arguments=_losses_in_time, set_by_evidence=("training_variance",))
IN_ORDER = _folds(words="values in order of arrival", arguments=_in_order)
STATEMENT_COUNTS = _folds(words="statement counts", joint=True, arguments=methodcaller("statement_counts"))


# ---- predictions of one test set
def _given(evidence: Any, *positional: Any, **options: Any) -> Arguments:
    return Arguments(positional=positional, options=options, warnings=evidence.warnings)


def _correctness(evidence: Any) -> Arguments:
    return _given(evidence, evidence.correct(evidence.a), evidence.correct(evidence.b))


def _correctness_of_all(evidence: Any) -> Arguments:
    return _given(evidence, np.column_stack([evidence.correct(name) for name in evidence.names]))


def _number_of_errors(evidence: Any) -> Arguments:
    correct = evidence.correct(evidence.a)
    return _given(evidence, int((~correct).sum()), len(correct))


def _class_scores(evidence: Any) -> Arguments:
    return _given(evidence, evidence.y_true, evidence.class_scores(evidence.a), evidence.class_scores(evidence.b))


def _labels(evidence: Any) -> Arguments:
    labels, positive = evidence.labelled()
    in_clusters = {} if evidence.clusters is None else {"clusters": evidence.clusters}
    return _given(evidence, *labels, evidence.metric_function, **positive, **in_clusters)


def _losses(evidence: Any) -> Arguments:
    losses = (1.0 - evidence.correct(evidence.a), 1.0 - evidence.correct(evidence.b))
    return _given(evidence, *losses, evidence.folds)


CORRECTNESS = _predictions(words="correctness", arguments=_correctness)
CORRECTNESS_OF_ALL = _predictions(words="correctness of all", subject="all models", arguments=_correctness_of_all)
NUMBER_OF_ERRORS = _predictions(words="number of errors", subject="one model", arguments=_number_of_errors)
CLASS_SCORES = _predictions(words="class scores", arguments=_class_scores)
LABELS = _predictions(words="labels", arguments=_labels)
LOSSES = _predictions(words="losses", arguments=_losses)

# ---- scores on several data sets
PAIR = _datasets(words="two models, one score per data set", arguments=methodcaller("pair"))
PAIR_SPLITS = _datasets(
    words="two models, all splits of every data set",
    arguments=methodcaller("pair_splits"),
    set_by_evidence=("test_fraction",),
)
RUNS_OF_PAIR = _datasets(
    words="two models, independent runs on every data set",
    arguments=methodcaller("pair_runs"),
    set_by_evidence=("paired",),
)
RUNS = _datasets(words="all models, independent runs on every data set", arguments=methodcaller("runs"), **_OF_ALL)
TABLE = _datasets(
    words="all models, one score per data set",
    subject="all models",
    arguments=methodcaller("table"),
    set_by_evidence=("names", "greater_is_better", "test_fraction", "overlap"),
)
TABLE_WITH_GAPS = _datasets(
    words="all models, one score per data set, some missing", arguments=methodcaller("table", gaps=True), **_OF_ALL
)
