"""The rows of the table that take predictions of one test set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skcompare._core.design import Design
from skcompare.inference import (
    cochran_q_test,
    cv_clt_test,
    delong_test,
    error_rate_test,
    error_reduction,
    mcnemar_test,
    paired_bootstrap,
    paired_metric_test,
    roc_dominance,
)
from skcompare.inference._forms import (
    CLASS_SCORES,
    CORRECTNESS,
    CORRECTNESS_OF_ALL,
    LABELS,
    LOSSES,
    NUMBER_OF_ERRORS,
)
from skcompare.inference._procedure import Procedure


def _partition(design: Design, options: Mapping[str, Any]) -> bool:  # noqa: ARG001
    return design.partition and design.n_folds > 1


_ONE_MODEL_EACH = "one test set; speaks of the fitted models, not of their training"


NAMED_METRICS = ("accuracy", "precision", "recall", "f1", "balanced_accuracy", "specificity", "mcc")


_LABEL_METRICS = (
    *NAMED_METRICS,
    "matthews_corrcoef",
    *(f"{which}_{how}" for which in ("precision", "recall", "f1") for how in ("macro", "weighted")),
)


PREDICTION_PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="mcnemar_test",
        function=mcnemar_test,
        takes=CORRECTNESS,
        designs="one test set; folds are pooled with a warning",
        assumes=_ONE_MODEL_EACH,
        metrics=("accuracy",),
        references=("mcnemar1947note", "edwards1948note", "tango1998equivalence", "fagerland2013mcnemar"),
    ),
    Procedure(
        name="delong_test",
        function=delong_test,
        takes=CLASS_SCORES,
        designs="one test set; folds are pooled with a warning",
        assumes=_ONE_MODEL_EACH,
        metrics=("roc_auc",),
        references=("delong1988comparing", "sun2014fast"),
    ),
    Procedure(
        name="paired_metric_test",
        function=paired_metric_test,
        takes=LABELS,
        designs="one test set; folds are pooled with a warning",
        assumes=_ONE_MODEL_EACH,
        metrics=_LABEL_METRICS,
        references=("noreen1989computer", "yeh2000more"),
    ),
    Procedure(
        name="paired_bootstrap",
        function=paired_bootstrap,
        takes=LABELS,
        designs="one test set; folds are pooled with a warning",
        assumes=_ONE_MODEL_EACH,
        metrics=_LABEL_METRICS,
        references=("efron1987better",),
    ),
    Procedure(
        name="cv_clt_test",
        function=cv_clt_test,
        takes=LOSSES,
        fits=_partition,
        designs="k-fold; of repeated k-fold the first repeat",
        assumes="stable learners; speaks of the fitted models",
        metrics=("accuracy",),
        references=("bayle2020crossvalidation",),
    ),
    Procedure(
        name="cochran_q_test",
        function=cochran_q_test,
        takes=CORRECTNESS_OF_ALL,
        designs="one test set; folds are pooled with a warning",
        assumes=_ONE_MODEL_EACH,
        returns="verdict",
        metrics=("accuracy",),
        references=("cochran1950comparison", "tate1970note"),
    ),
    Procedure(
        name="error_rate_test",
        function=error_rate_test,
        takes=NUMBER_OF_ERRORS,
        designs="one test set; folds are pooled with a warning",
        assumes="independent samples; speaks of the fitted model",
        returns="verdict",
        metrics=("accuracy",),
        references=("alpaydin2020introduction", "lancaster1961significance"),
    ),
    Procedure(
        name="error_reduction",
        function=error_reduction,
        takes=CORRECTNESS,
        designs="one test set; folds are pooled with a warning",
        assumes=_ONE_MODEL_EACH,
        returns="description",
        metrics=("accuracy",),
    ),
    Procedure(
        name="roc_dominance",
        function=roc_dominance,
        takes=CLASS_SCORES,
        designs="one test set; folds are pooled with a warning",
        assumes="nothing; it describes the samples",
        returns="description",
        metrics=("roc_auc",),
        references=("provost2001robust",),
    ),
)
