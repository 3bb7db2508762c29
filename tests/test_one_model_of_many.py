"""What one model alone gives, and what one that fails everywhere leaves of the others."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from skcompare import PairedEvaluator
from skcompare.inference import dominance_posterior, dominance_test
from skcompare.planning import seed_variance

X, Y = make_classification(200, random_state=0)


class Failing(GaussianNB):
    def fit(self, X, y):  # noqa: ARG002
        raise ValueError("no")


@pytest.mark.filterwarnings("ignore")
def test_a_model_that_fails_everywhere_leaves_the_error_rate_of_the_others():
    models = {"lr": LogisticRegression(), "nb": GaussianNB()}
    evaluator = PairedEvaluator(cv=10, scoring="accuracy", random_state=0, error_score=np.nan)
    alone = str(evaluator.evaluate(models, X, Y))
    beside = str(evaluator.evaluate({**models, "no": Failing()}, X, Y))
    assert "not measured" not in alone
    assert "not measured" not in beside


def test_a_study_of_one_model_has_a_rank_and_a_leader():
    study = PairedEvaluator(cv=3, scoring="accuracy", random_state=0).evaluate_datasets(
        {"nb": GaussianNB()}, {"one": (X, Y), "two": (X[:100], Y[:100])}
    )
    ranking = study.rank()
    assert (ranking.names, ranking.rank.tolist(), ranking.may_be_first) == (("nb",), [1], ("nb",))
    assert study.answer().metrics[0].leader == "nb"


def test_the_seeds_of_one_model_are_not_its_splits():
    evaluator = PairedEvaluator(cv=3, scoring="accuracy", random_state=0)
    (row,) = seed_variance(evaluator, {"nb": GaussianNB()}, X, Y).rows
    assert (row.a, row.b, row.seed_share) == ("nb", None, 0.0)


@pytest.mark.parametrize("test", [dominance_test, dominance_posterior])
def test_one_effective_case_is_one(test):
    assert test([3, 1], n_effective=1).method.endswith("1 effective case")
