"""A record that comes from a result or a study calls the models by their names, one from arrays `a` and `b`."""

from __future__ import annotations

import copy
import pickle
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from skcompare import PairedEvaluator, inference
from skcompare.inference import Compared
from tests import test_procedures_on_results as on_results

MODELS = {"zebra": GaussianNB(), "yak": DummyClassifier(strategy="stratified"), "twin": GaussianNB()}
PAIRS = [("zebra", "yak"), ("yak", "zebra"), ("zebra", "twin")]
# "b" is no word; "a" is one only before a noun or an adjective of these sentences.
AFTER_A = "is|and|are|better|not|makes|avoids|beats|dominates"
UNNAMED = re.compile(rf"\bb\b|\ba (-|({AFTER_A})\b)|\b(of|than) a\b")
METHODS = {"glrt": {}, "dirichlet": {}, "network": {"n_draws": 100}}


@cache
def evaluated(names, design):
    if design == "judgments":
        return on_results.of_judgments(names)
    if design == "runs":
        return on_results.as_runs(evaluated(names, "10-fold"))
    if design == "in clusters":
        return on_results.in_clusters(evaluated(names, "one split"), np.arange(120) // 3)
    x, y = make_classification(120, 5, n_informative=3, class_sep=2, flip_y=0.05, random_state=0)
    metrics, nested = ["accuracy", "f1", "roc_auc"], design == "nested"
    evaluator = PairedEvaluator(
        cv=on_results.DESIGNS[design], scoring=metrics, random_state=0, intervals="nested" if nested else None
    )
    if design == "one split":
        evaluator = PairedEvaluator(cv=[(np.arange(70), np.arange(70, 120))], scoring=evaluator.scoring, random_state=0)
    return evaluator.evaluate({name: MODELS[name] for name in names}, x, y)


@cache
def studied(names):
    sets = {f"set {i}": make_classification(60, 4, class_sep=2, flip_y=0.05, random_state=i) for i in range(7)}
    evaluator = PairedEvaluator(cv=3, scoring=["accuracy", "f1"], random_state=0)
    return evaluator.evaluate_datasets({name: MODELS[name] for name in names}, sets)


def names_the_models(record, names, about="two models"):
    blocks = [block for block in str(record).split("\n\n") if "\n----" not in block]  # tables head columns of names
    said = " ".join(" ".join(blocks).split())
    assert UNNAMED.search(said) is None, said
    if hasattr(record, "compared"):
        assert all(name in said for name in (names if about == "two models" else names[:1])), said
        assert record.compared.known
        assert all(name in record._repr_html_() for name in (names if about == "two models" else names[:1]))
    else:
        assert about not in ("two models", "one model")
    return said


@pytest.mark.sampled
@pytest.mark.parametrize("names", PAIRS, ids="-".join)
@pytest.mark.parametrize("procedure", on_results.ON_ONE_DATASET)
def test_every_procedure_on_one_dataset(procedure, names):
    case = on_results.ON_ONE_DATASET[procedure]
    record = evaluated(names, case.design).test(procedure, **case.options)
    said = names_the_models(record, names, case.about)
    if hasattr(record, "compared") and record.compared.metric:
        assert re.search(r"accuracy|roc_auc|error|area|elo", said)


@pytest.mark.sampled
@pytest.mark.parametrize("names", PAIRS, ids="-".join)
@pytest.mark.parametrize("procedure", on_results.OVER_DATASETS)
def test_every_procedure_over_datasets(procedure, names):
    case = on_results.OVER_DATASETS[procedure]
    options = {**case.options, **({"control": names[0]} if "control" in case.options else {})}
    study = on_results.in_runs(studied(names)) if case.design == "runs" else studied(names)
    names_the_models(study.test(procedure, **options), names, case.about)


@pytest.mark.parametrize("names", PAIRS, ids="-".join)
@pytest.mark.parametrize("method", METHODS)
def test_every_method_of_dominance(method, names):
    for scores in (evaluated(names, "10-fold"), studied(names)):
        record = scores.dominance(method, **METHODS[method])
        names_the_models(record, names)
        assert all(name in " ".join(record.statements) for name in names)
        for inner in ("saturated", "saturated_posterior"):
            if hasattr(record, inner):
                names_the_models(getattr(record, inner), names)
    for row in evaluated(names, "10-fold").compare():
        names_the_models(row.record, names)


def test_the_sentence_names_models_and_metric():
    result = evaluated(("zebra", "yak"), "10-fold")
    assert str(result.test()).startswith("zebra is significantly better than yak on accuracy: zebra - yak is +0.")
    assert str(result.test(a="yak", b="zebra", metric="f1")).startswith("zebra is significantly better than yak on f1")
    rate = " ".join(str(result.test("fold_error_rate_test", a="yak", threshold=0.2, alternative="greater")).split())
    assert re.match(
        r"The error rate of yak is significantly above 0\.2: 0\.\d+ \(95% interval \[0\.\d{4}, 1\.0000\]\), p ", rate
    )
    posterior = " ".join(str(result.test("correlated_t_posterior", margin=0.01)).split())
    assert posterior.startswith("On accuracy the probability that zebra is better is more than 99%, that yak is better")
    other = str(result.test("paired_bootstrap", metric="f1", n_resamples=200))
    assert other.startswith("f1 of zebra is significantly larger than f1 of yak: zebra - yak")


def test_names_change_nothing_else():
    result = evaluated(("zebra", "yak"), "10-fold")
    record, row = result.test(), result.compare(metrics="accuracy")[0].record
    a, b = (result.score(name, "accuracy") for name in ("zebra", "yak"))
    bare = inference.k_fold_t_test(a, b, test_fraction=result.design.test_fraction)
    assert bare.compared == Compared()
    bare = replace(bare, warnings=record.warnings)  # the scores have some of their own
    assert record == row == bare
    assert hash(record) == hash(bare)
    assert repr(record) == repr(bare)
    assert record.compared == row.compared == Compared(a="zebra", b="yak", metric="accuracy")
    for again in (pickle.loads(pickle.dumps(record)), copy.deepcopy(record)):
        assert again == record
        assert str(again) == str(record)
    assert str(bare).startswith("a is significantly better than b: a - b is +0.")
    assert str(inference.correlated_t_posterior(a, b, test_fraction=0.1)).startswith("The probability that a is better")


def test_the_same_call_for_other_models_has_their_names():
    result = evaluated(("zebra", "yak"), "10-fold")
    assert result.test(a="zebra", b="yak").compared == Compared(a="zebra", b="yak", metric="accuracy")
    assert result.test(a="yak", b="zebra", metric="f1").compared == Compared(a="yak", b="zebra", metric="f1")
