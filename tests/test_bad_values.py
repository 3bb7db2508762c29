"""Masked values are missing ones, and targets of objects are what their values are, at every entry of tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc

N = 30
MASKED = {
    "masked array": lambda x, at: np.ma.array(x, mask=np.arange(len(x)) == at),
    "list": lambda x, at: [np.ma.masked if i == at else one for i, one in enumerate(x.tolist())],
    "objects": lambda x, at: np.array([np.ma.masked if i == at else one for i, one in enumerate(x.tolist())], object),
    "pandas": lambda x, at: pd.Series([np.ma.masked if i == at else one for i, one in enumerate(x)], dtype=object),
}


def labels(rng):
    return rng.permutation(np.arange(N) % 2)


def entries(rng, mask):
    """By argument a call with one masked value."""
    y, p, q = labels(rng), labels(rng), labels(rng)
    X = rng.normal(size=(N, 2)) + y[:, None]
    scores = {"model": np.repeat(["a", "b"], 5), "fold": np.tile(np.arange(5), 2), "score": rng.random(10)}
    runs = {**{name: scores[name] for name in ("model", "score")}, "run": scores["fold"]}
    folds = [(np.arange(10, N), np.arange(10)), (np.arange(20), np.arange(20, N))]
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1)}

    def evaluate(y=y, **more):
        return skc.PairedEvaluator(**{"cv": 3, "random_state": 0, "scoring": "accuracy", **more}).evaluate(models, X, y)

    yield "y_true", lambda: skc.from_predictions(mask(y), {"a": p, "b": q}, scoring="accuracy")
    yield "predictions['a']", lambda: skc.from_predictions(y, {"a": mask(p), "b": q}, scoring="accuracy")
    yield (
        "predictions['a']['score']",
        lambda: skc.from_predictions(y, {"a": {"score": mask(p / 2)}, "b": {"score": q / 2}}, scoring="accuracy"),
    )
    yield "outcomes['a']", lambda: skc.from_outcomes({"a": mask(p), "b": q})
    for name in scores:
        yield f"frame['{name}']", lambda name=name: skc.from_frame({**scores, name: mask(scores[name])})
    for name in runs:
        yield f"frame['{name}']", lambda name=name: skc.from_runs({**runs, name: mask(runs[name])})
    dicts = {"a": {"test_score": mask(scores["score"][:5])}, "b": {"test_score": scores["score"][5:]}}
    yield "results['a']['test_score']", lambda: skc.from_cross_validate(dicts, n_folds=5)
    yield "y", lambda: evaluate(y=mask(y))
    yield "the train indices of split 0 of cv", lambda: evaluate(cv=[(mask(folds[0][0]), folds[0][1]), folds[1]])
    yield "the test indices of split 1 of cv", lambda: evaluate(cv=[folds[0], (folds[1][0], mask(folds[1][1]))])


@pytest.mark.parametrize("form", MASKED)
def test_masked_values_are_refused_by_name_everywhere(form, rng):
    at = int(rng.integers(5))
    for argument, call in entries(rng, lambda x: MASKED[form](np.asarray(x), at)):
        with pytest.raises(ValueError, match="must not have masked values") as refused:
            call()
        assert str(refused.value).startswith(f"{argument} must not have masked values")


def test_masked_arrays_without_masked_values_are_arrays(rng):
    for _, call in entries(rng, lambda x: np.ma.array(x)):
        call()


@pytest.mark.parametrize("kind", [int, bool, float, np.int64, np.int8])
def test_targets_of_objects_work_as_their_values_do(kind, rng):
    y = labels(rng)
    X = rng.normal(size=(N, 2)) + y[:, None]
    plain = y.astype(bool) if kind is bool else y.astype(float) if kind is float else y
    objects = np.empty(N, dtype=object)
    objects[:] = [kind(x) for x in y.tolist()]
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1)}
    evaluator = skc.PairedEvaluator(cv=3, scoring=["accuracy", "f1"], random_state=0)
    expected = evaluator.evaluate(models, X, plain)
    for given in (objects, pd.Series(objects, dtype=object)):
        found = evaluator.evaluate(models, X, given)
        assert (found.details.task, found.scores.tolist()) == (expected.details.task, expected.scores.tolist())
    predicted = {"a": labels(rng), "b": labels(rng)}
    one = skc.from_predictions(objects, predicted, scoring="accuracy")
    assert one.scores.tolist() == skc.from_predictions(plain, predicted, scoring="accuracy").scores.tolist()


@pytest.mark.parametrize("as_table", [False, True])
@pytest.mark.parametrize("bad", ["complex", "complex objects", "records", "mixed"])
def test_targets_that_are_none_are_refused_by_name(bad, as_table, rng):
    y = labels(rng)
    given = {
        "complex": y + 0j,
        "complex objects": np.array((y + 1j).tolist(), dtype=object),
        "records": np.array([(bool(x), 1.0) for x in y], dtype=[("event", bool), ("time", float)]),
        "mixed": np.array(["a" if x else 0 for x in y], dtype=object),
    }[bad]
    predicted = {"a": labels(rng), "b": labels(rng)}
    table = {"sample_id": np.tile(np.arange(N), 2), "model": np.repeat(["a", "b"], N)}
    table |= {"y_true": np.concatenate([given, given]), "prediction": np.concatenate([*predicted.values()])}
    with pytest.raises(ValueError, match=r"^(table\[')?y_true('\])? must hold"):
        skc.from_predictions(*((table,) if as_table else (given, predicted)))


def test_arrays_of_cross_val_score_are_what_its_dicts_are(rng):
    arrays = {name: rng.uniform(0.7, 0.9, 5) for name in ("nb", "tree")}
    one = skc.from_cross_validate(arrays, n_folds=5, scoring="accuracy")
    other = skc.from_cross_validate({n: {"test_score": x} for n, x in arrays.items()}, n_folds=5, scoring="accuracy")
    lists = skc.from_cross_validate({n: x.tolist() for n, x in arrays.items()}, n_folds=5, scoring="accuracy")
    assert one.test() == other.test() == lists.test()
    assert [warning.code for warning in one.warnings] == ["ASSUMED"]


def test_few_numbers_without_names_are_not_taken_for_items_in_silence(rng):
    few = {name: rng.uniform(0.7, 0.9, 10) for name in ("nb", "tree")}
    assert [warning.code for warning in skc.from_outcomes(few).warnings] == ["ASSUMED"]
    assert "ASSUMED" in {warning.code for warning in skc.from_outcomes(few).test().warnings}
    for known in (
        skc.from_outcomes(few, sample_id=np.arange(10)),
        skc.from_outcomes({name: x > 0.8 for name, x in few.items()}),
        skc.from_outcomes({name: np.tile(x, 20) for name, x in few.items()}),
    ):
        assert known.warnings == ()


def test_a_table_of_scores_does_not_show_that_splits_are_shared(rng):
    table = {"model": ["a"] * 5 + ["b"] * 5, "fold": [*range(5)] * 2, "score": rng.random(10)}
    result = skc.from_frame(table, test_fraction=0.2)
    assert [warning.code for warning in result.warnings] == ["ASSUMED"]
    caution = "Caution: make sure that 'a' and 'b' had the same splits; the table cannot show it."
    assert caution in " ".join(str(result).split())
