"""Every procedure of the tables, run through a result: yes where the answer is yes, no where it is no."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression

from skcompare import PairedEvaluator

X, Y = make_classification(300, 5, n_informative=3, class_sep=3, flip_y=0, random_state=0)
GOOD, BAD = LogisticRegression(), DummyClassifier(strategy="stratified")


@pytest.fixture(scope="module", params=["good first", "bad first"])
def folds(request):
    models = {"good": GOOD, "bad": BAD} if request.param == "good first" else {"bad": BAD, "good": GOOD}
    return PairedEvaluator(cv=10, scoring=["accuracy"], random_state=0).evaluate(models, X, Y)


@pytest.mark.parametrize("procedure", ["fold_error_rate_test", "error_rate_test"])
def test_an_error_rate_is_shown_to_be_below_a_limit_only_where_it_is(folds, procedure):
    for name, below in (("good", True), ("bad", False)):
        rate = 1 - np.mean(folds.score(name, "accuracy"))
        assert (rate < 0.25) == below
        by_default = folds.test(procedure, a=name, threshold=0.25)
        assert by_default.alternative == "less"
        assert by_default.pvalue < 0.05 if below else by_default.pvalue > 0.95
        above = folds.test(procedure, a=name, threshold=0.25, alternative="greater")
        assert above.pvalue > 0.95 if below else above.pvalue < 0.05
        assert folds.test(procedure, a=name, threshold=0.25, alternative="two-sided").pvalue < 0.05


@pytest.mark.parametrize("procedure", ["fold_error_rate_test", "error_rate_test"])
def test_a_procedure_about_one_model_takes_no_second_one(folds, procedure):
    with pytest.raises(ValueError, match=f"b must be left out for '{procedure}', which is about one estimator"):
        folds.test(procedure, a="good", b="bad", threshold=0.25)
    with pytest.raises(ValueError, match="a must be one of"):
        folds.test(procedure, a="best", threshold=0.25)


@pytest.mark.parametrize("procedure", ["model_confidence_set", "selection_bias", "cochran_q_test"])
def test_a_procedure_about_all_models_takes_none(folds, procedure):
    with pytest.raises(ValueError, match=f"a and b must be left out for '{procedure}'"):
        folds.test(procedure, a="good")
