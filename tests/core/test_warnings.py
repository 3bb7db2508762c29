"""Warnings are values: a code of one table, a sentence, and what it is about."""

from __future__ import annotations

import copy
import json
import pickle
import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import Ridge

import skcompare
from skcompare import PairedEvaluator, compare, inference
from skcompare._core.warnings import CAUTIONS, Code, CodedWarning
from skcompare.inference import paired_t_test
from skcompare.reporting.findings import first_of_each_kind

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "warnings.md"
# All codes that a file of an earlier version can have.
EARLIER_CODES = """
AUTOCORRELATED BCA_UNDEFINED CALIBRATED_ON_OTHER_DATA CLASSES_MISSING CLIPPED COARSE COMMENSURABLE
CONSERVATIVE DECISION_VALUES DIRECTION DISAGREE DISCONNECTED DRIFT DROPPED DUPLICATES EMPTY_FRONT ERROR_SCORE
FAILED FEW FEW_CLUSTERS FEW_COSTLY FEW_REPEATS FEW_RUNS FEW_SCORES FEW_SPLITS FIRST_ONLY FIXED_DF GIVEN_AWAY
GROWING HALVING INACCURATE INFLATION_LIMITED LEAK LOSS MEASURED MISSING NOT_CALIBRATABLE NOT_POSITIVE
NO_DISCORDANT NO_ERRORS NO_RANDOM_STATE ONE_CLASS ONE_SAMPLE OVERLAP PERFECT_SEPARATION RARE_CLASS
SMALL_SAMPLE SPHERICITY STORE_LOST STORE_SHARED TIED TIES TOO_FEW TOO_LIBERAL UNCALIBRATED_DESIGN
UNCORRECTED_FOLDS UNDEFINED UNDEFINED_METRIC UNEQUAL_CLUSTERS UNOBSERVED UNPAIRED UNSCORED UNSEEDED
UNSTABLE_COMPARISON WEAK_CONTROL
""".split()  # noqa: SIM905
WARNING = Code.TOO_LITTLE_DATA("one case is not enough.", ("a", "f1"))
LOCATED = WARNING.at("f1 of a (old) and b")
HEAD = """# Warnings

Every record has `warnings`, a tuple of text. Each is `CODE: sentence`, and says in the sentence what is to be doubted
and why. Where it was found in a part of a larger result the part stands in brackets behind the code. A warning has the
attributes `code`, `sentence` and `about`, the names of the models and metrics that it is about.

The first ten codes are cautions. One of them may stand under an answer: the weightiest that is about its metric and its
models. With `DO_NOT_USE` the answer itself is not to use the result. The other codes are notes of records. All of them
are in `result.explain()`. Files of earlier versions with other codes are read as these.

| code | meaning | what to do |
| --- | --- | --- |
"""


def page() -> str:
    return HEAD + "".join(f"| `{code.name}` | {code.meaning} | {code.remedy} |\n" for code in Code)


def test_the_page_shows_the_table():
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_code_of_the_table_is_used():
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "skcompare").rglob("*.py")}
    used = set(re.findall(r"\bCode\.([A-Z_]+)\(", "\n".join(sources.values())))
    assert used == set(Code.__members__)
    others = {path: text for path, text in sources.items() if "cli" not in path.parts}  # whose CONFIG is an argument
    assert not [path for path, text in others.items() if re.search(r'f?"[A-Z_]{3,}: [a-z]', text)]


@pytest.mark.parametrize("code", Code, ids=lambda code: code.name)
def test_a_meaning_and_a_remedy_are_one_short_sentence_each(code):
    for text in (code.meaning, code.remedy):
        assert re.fullmatch(r"[A-Z][^.]*\.", text), text
        assert len(text.split()) <= 20, text


def test_there_are_ten_cautions_and_few_notes():
    assert tuple(code.name for code in Code)[:10] == CAUTIONS
    assert len(Code) <= 45


def test_codes_of_earlier_versions_are_read_as_those_that_say_it_now():
    read = {old: CodedWarning.from_text(f"{old} (f1): of a file.").code for old in EARLIER_CODES}
    assert set(read.values()) <= set(Code.__members__)
    assert (read["LEAK"], read["RARE_CLASS"], read["FAILED"]) == ("DO_NOT_USE", "WEAK_METRIC", "MISSING_SCORES")
    assert {old: now for old, now in read.items() if old in Code.__members__ and now != old} == {}


@pytest.mark.parametrize("warning", [WARNING, LOCATED], ids=["whole", "part"])
def test_a_warning_is_a_text(warning):
    text = str(warning)
    assert type(text) is str
    assert (warning, hash(warning), json.dumps(warning)) == (text, hash(text), json.dumps(text))
    for same in (pickle.loads(pickle.dumps(warning)), copy.copy(warning), copy.deepcopy(warning)):
        assert (same, same.code, same.sentence, same.about) == (text, "TOO_LITTLE_DATA", warning.sentence, ("a", "f1"))
    read = CodedWarning.from_text(text)
    assert (read, read.code, read.sentence, read.where) == (text, warning.code, warning.sentence, warning.where)


def test_a_place_stands_behind_the_code():
    assert str(WARNING) == "TOO_LITTLE_DATA: one case is not enough."
    assert str(LOCATED) == "TOO_LITTLE_DATA (f1 of a (old) and b): one case is not enough."
    assert LOCATED.at("") == WARNING


def test_unknown_codes_and_other_texts_are_refused():
    for text in ("NO_SUCH_CODE: it is not there.", "just a sentence", "too_few: small letters.", ""):
        with pytest.raises(ValueError, match="must be"):
            CodedWarning.from_text(text)
    with pytest.raises(AttributeError, match="frozen"):
        WARNING.code = "APPROXIMATE"


def test_records_have_warnings_as_values():
    (liberal, equal) = paired_t_test(np.ones(5), np.ones(5)).warnings
    assert (liberal.code, equal.code) == ("INDEPENDENCE", "NO_DIFFERENCE")
    vectors = inference.max_t_test(np.ones((5, 2)), np.ones((5, 2)), test_fraction=0.1, metrics=["f1", "recall"])
    assert vectors.warnings[0].about == ("f1", "recall")


def test_a_code_that_begins_like_another_is_not_left_out():
    of_metric = [Code.WEAK_METRIC(f"metric {i} has a zero denominator.") for i in range(4)]
    undefined = Code.MISSING_SCORES("some scores are not finite.")
    assert first_of_each_kind([*of_metric, undefined]) == [*of_metric, undefined]
    assert first_of_each_kind([*of_metric, of_metric[0].at("d5")])[-1].startswith("WEAK_METRIC (elsewhere): 1 more")


if __name__ == "__main__":
    sys.stdout.write(f"{PAGE}: {PAGE.write_text(page(), encoding='utf-8')} characters\n")


class _Broken(RegressorMixin, BaseEstimator):
    def fit(self, X, y):  # noqa: ARG002
        if X[:, 0].sum() > 0:
            raise ValueError("no")
        return self

    def predict(self, X):
        return X[:, 0]


@pytest.mark.parametrize(
    "ask",
    [
        lambda ev, models, X, y: ev.evaluate(models, X, y),
        lambda ev, models, X, y: ev.evaluate(estimators=models, X=X, y=y),
        lambda ev, models, X, y: ev.learning_curve(models, X, y, train_sizes=[0.5, 1.0]),
        lambda ev, models, X, y: ev.evaluate_datasets(models, {"a": (X, y), "b": (X, y[:5])}),
        lambda ev, models, X, y: compare(models, X, y, cv=ev.cv, scoring="r2", random_state=0, error_score=np.nan),
        lambda ev, *_: ev.set_params(nested=True),
    ],
)
def test_a_warning_points_at_the_line_that_called_the_library(ask, rng):
    """Whatever the way in: users saw lines of the library, and a filter by module never met."""
    X = rng.normal(size=(60, 2))
    X[:3, 0] = 40, -40, 1  # the sums of some training sets are positive, of others not
    evaluator = PairedEvaluator("2x5", "r2", random_state=0, error_score=np.nan)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        ask(evaluator, {"ridge": Ridge(), "broken": _Broken()}, X, X[:, 0] + rng.normal(size=60))
    assert told
    assert {one.filename for one in told} == {__file__}


def test_all_warnings_are_made_in_one_place():
    """A stack level that is counted is right for one way in alone."""
    package = Path(skcompare.__file__).parent
    found = {path for path in package.rglob("*.py") if "warnings.warn(" in path.read_text(encoding="utf-8")}
    assert found == {package / "_core" / "warnings.py"}
