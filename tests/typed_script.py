"""What a type checker must say of a user's script: each type exactly, and an error where a name is misspelt.

`mypy` checks it with the package. An error that is not raised is one too: strict settings report an ignore without use.
"""

from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray
from pandas import DataFrame

import skcompare as skc
from skcompare.inference import (
    ClusterTTestResult,
    DominanceNetworkResult,
    DominancePosterior,
    DominanceTestResult,
    OmnibusResult,
    SignedRankResult,
    TTestResult,
)
from skcompare.plotting import CandidatesDisplay, DifferencesDisplay, LearningCurveDisplay, RocCurveDisplay

Scores = NDArray[np.float64]


class Model:
    def fit(self, *data: Any) -> "Model":
        return self if data else Model()


def one_call(X: Any, y: Any) -> None:
    both = {"a": Model(), "b": Model()}
    assert_type(skc.cross_val_score(Model(), X, y, cv=10), Scores)
    assert_type(skc.cross_val_score(Model(), X, y, scoring=["r2", "max_error"]), dict[str, Scores])
    assert_type(skc.cross_val_score(both, X, y, scoring="r2"), dict[str, Scores])
    assert_type(skc.cross_val_score(both, X, y, scoring=("r2",)), dict[str, dict[str, Scores]])
    assert_type(skc.cross_validate(Model(), X, y, return_train_score=True), dict[str, Scores])
    assert_type(skc.cross_validate(Model(), X, y, return_estimator=True), dict[str, Any])
    assert_type(skc.cross_validate(both, X, y), dict[str, dict[str, Scores]])
    assert_type(skc.cross_validate(both, X, y, return_indices=True), dict[str, dict[str, Any]])
    assert_type(skc.cross_val_predict(Model(), X, y), NDArray[Any])
    assert_type(skc.cross_val_predict(Model(), X, y, method="predict_proba"), Scores | list[Scores])
    assert_type(skc.cross_val_predict(both, X, y), dict[str, NDArray[Any]])
    assert_type(skc.compare(both, X, y, cv=5, random_state=0, baseline="a"), skc.EvaluationResult)
    assert_type(skc.compare(Model(), X, y), skc.EvaluationResult)
    assert_type(skc.read("scores.csv"), skc.EvaluationResult | skc.StudyResult | skc.SearchReport)
    skc.cross_val_score(Model(), X, y, folds=10)  # type: ignore[call-overload]
    skc.cross_val_predict(Model(), X, y, method="probability")  # type: ignore[call-overload]
    skc.compare(both, X, y, random_sate=0)  # type: ignore[call-arg]


def one_data_set(result: skc.EvaluationResult) -> None:
    assert_type(result.test("mcnemar").only_a_correct, int)
    assert_type(result.test("cluster_t"), ClusterTTestResult)
    assert_type(result.test("cluster_t"), TTestResult)  # type: ignore[assert-type]
    assert_type(result.test("corrected_t_test", a="a", b="b"), TTestResult)
    assert_type(result.test().pvalue, float)
    assert_type(result.compare("mcnemar_test", correction="hommel"), skc.Comparison)
    assert_type(result.compare(correction="none").to_frame(), DataFrame)
    assert_type(result.to_frame(), DataFrame)
    assert_type(result.dominance(), DominanceTestResult)
    assert_type(result.dominance("dirichlet"), DominancePosterior)
    assert_type(result.dominance("network", n_draws=100), DominanceNetworkResult)
    assert_type(result.plot(), DifferencesDisplay)
    assert_type(result.plot("roc"), RocCurveDisplay)
    result.test("mcnemr")  # type: ignore[call-overload]
    result.test("friedmann_test")  # type: ignore[call-overload]
    result.compare("friedman_test")  # type: ignore[arg-type]
    result.compare(correction="holmes")  # type: ignore[arg-type]
    result.dominance("bayes")  # type: ignore[call-overload]
    result.plot("critical_difference")  # type: ignore[call-overload]


def other_results(study: skc.StudyResult, curve: skc.LearningCurveResult, search: skc.SearchReport) -> None:
    assert_type(study.test(), SignedRankResult | OmnibusResult)
    assert_type(study.test("signed_rank"), SignedRankResult)
    assert_type(study.rank(correction="hommel").to_frame(), DataFrame)
    assert_type(study.plot("differences"), DifferencesDisplay)
    assert_type(curve.plot(), LearningCurveDisplay)
    assert_type(search.plot(), CandidatesDisplay)
    assert_type(search.plot("roc"), RocCurveDisplay)
    study.test("mcnemar_test")  # type: ignore[call-overload]
    study.plot("roc")  # type: ignore[call-overload]
    curve.plot("differences")  # type: ignore[arg-type]
