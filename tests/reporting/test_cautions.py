"""The line of caution: at most one, about the claim above it, with what to do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, load
from skcompare._core.document import Paragraph
from skcompare._core.warnings import CAUTIONS, Code
from skcompare.reporting.findings import find
from skcompare.reporting.opening import claimed
from skcompare.reporting.short import caution
from tests.made_results import evaluation
from tests.saved_files import with_header

PAIR = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}


@pytest.fixture(scope="module")
def three():
    X, y = make_classification(120, random_state=0)
    return PairedEvaluator(5, ["accuracy", "f1"], random_state=0, baseline="dummy").evaluate(PAIR, X, y)


def with_warnings(found, *warnings):
    """What is found of a run whose rows have no warnings, with these."""
    rows = tuple(replace(row, warnings=()) for row in found.comparison)
    return replace(found, comparison=replace(found.comparison, rows=rows), warnings=warnings)


def line(result, *warnings):
    return caution(with_warnings(find(result._scores), *warnings))


@given(order=st.permutations([code for code in CAUTIONS if code not in ("DO_NOT_USE", "FRAGILE")]))
def test_the_weightiest_of_several_stands_whatever_their_order(three, order):
    for n in range(1, len(order) + 1):
        given_codes = order[:n]
        said = line(three, *(Code[name](f"of {name}.") for name in given_codes))
        assert said == f"Caution: of {min(given_codes, key=CAUTIONS.index)}."


@pytest.mark.parametrize("code", [code for code in Code if code.name not in CAUTIONS], ids=lambda code: code.name)
def test_no_note_of_a_record_stands_under_an_answer(three, code):
    assert line(three, code("of a record.")) == ""


@pytest.mark.parametrize(
    ("about", "stands"),
    [
        ((), True),
        (("accuracy",), True),
        (("nb", "accuracy"), True),
        (("nb", "tree", "accuracy"), True),
        (("f1",), False),
        (("nb", "f1"), False),
        (("dummy",), False),
        (("dummy", "accuracy"), False),
    ],
)
def test_it_is_about_the_metric_and_the_models_of_the_claim(three, about, stands):
    assert bool(line(three, Code.WEAK_METRIC("of something.", about))) == stands


@pytest.mark.parametrize("about", [(), ("accuracy",), ("f1",), ("nb", "f1"), ("dummy",), ("tree", "accuracy")])
def test_it_is_the_same_after_saving_and_loading(three, tmp_path, about):
    result = replace(three, warnings=(Code.TIME_ORDER("of something: wait.", about),))
    result.save(tmp_path / "result.skc")
    loaded = load(tmp_path / "result.skc")
    assert [one.about for one in loaded.warnings] == [about]
    assert loaded.warnings == result.warnings
    assert str(loaded) == str(result)


def test_a_file_in_which_warnings_are_texts_alone_still_loads(three, tmp_path):
    result = replace(three, warnings=(Code.TIME_ORDER("of something: wait.", ("f1",)),))
    result.save(tmp_path / "result.skc")
    with_header(tmp_path / "result.skc", lambda header: header.update(warnings=[*map(str, result.warnings)]))
    loaded = load(tmp_path / "result.skc")
    assert (loaded.warnings, loaded.warnings[0].about) == (result.warnings, ())
    for wrong in ({"text": "TIME_ORDER: x."}, {"text": 1, "about": []}, {"text": "TIME_ORDER: x.", "about": [1]}):
        with_header(tmp_path / "result.skc", lambda header, one=wrong: header.update(warnings=[one]))
        with pytest.raises(ValueError, match="must"):
            load(tmp_path / "result.skc")


def test_it_is_about_no_model_that_the_first_line_does_not_name():
    X, y = make_classification(120, random_state=0)
    models = {f"nb{i}": GaussianNB(var_smoothing=10.0**-i) for i in range(9)}
    result = PairedEvaluator(5, "accuracy", random_state=0).evaluate(models, X, y)
    near = claimed(find(result._scores))
    assert 1 < len(near) < 9
    for name in models:
        assert bool(line(result, Code.NOT_CONVERGED("it did not converge.", (name,)))) == (name in near)


def test_a_warning_of_a_part_of_the_result_and_a_fragile_claim_elsewhere_do_not_stand(three):
    assert line(three, Code.TOO_LITTLE_DATA("of a part.").at("f1 of nb and tree")) == ""
    assert line(three, Code.FRAGILE("of another claim.", ("accuracy", "nb", "tree"))) == ""


def test_what_forbids_the_conclusion_is_the_first_line_and_has_no_caution_below():
    X, y = make_classification(120, random_state=0)
    twice = np.r_[X, X], np.r_[y, y]
    result = PairedEvaluator(5, "accuracy", random_state=0).evaluate(PAIR, *twice)
    document = result._document()
    first = document.blocks[0]
    assert isinstance(first, Paragraph)
    assert first.text.startswith("Do not use this result: ")
    assert len(first.text.split()) <= 30
    assert document.named("caution") is None


@given(
    recipe=st.fixed_dictionaries(
        {
            "seed": st.integers(0, 2**32 - 1),
            "n_models": st.integers(2, 5),
            "spread": st.sampled_from([0.0, 2.0, 8.0]),
            "flaw": st.sampled_from(["", "equal models", "coarse", "missing", "failed", "no metric", "apart", "still"]),
            "n_metrics": st.integers(1, 4),
            "design": st.sampled_from([(1, 3), (1, 10), (2, 5)]),
        }
    )
)
def test_of_any_result_at_most_one_caution_stands_and_it_is_in_the_explanation(recipe):
    result = evaluation(recipe)
    document = result._document()
    cautions = [block for block in document.blocks if getattr(block, "name", "") == "caution"]
    assert len(cautions) <= 1
    found = find(result._scores)
    whole = {one.sentence for one in (*found.warnings, *(one for row in found.comparison for one in row.warnings))}
    for one in cautions:
        assert one.text.removeprefix("Caution: ") in whole
        assert "..." not in one.text
