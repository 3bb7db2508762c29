"""Every metric that is computed on all folds at once gives what scikit-learn's scorer gives on the fitted model.

The reference is scikit-learn's own scorer in every case: its value, its error or its warnings, fold by fold.
"""

from __future__ import annotations

import contextlib
import warnings
from functools import partial

import numpy as np
import pytest
from sklearn import metrics as skm
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import make_scorer
from sklearn.model_selection import KFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from skcompare import PairedEvaluator
from skcompare.evaluation.metrics.scoring import (
    BATCHED,
    DECISION,
    OWN_METRICS,
    Metric,
    known_scorer,
    named_scorer,
    takes_weights,
    weighted,
)
from skcompare.evaluation.predictions import FoldOutcome, Scoring, Splits, score_stored, stored_models

pytestmark = pytest.mark.sampled

TOLERANCE = 1e-12
FRACTIONS = {"precision": skm.precision_score, "recall": skm.recall_score, "jaccard": skm.jaccard_score}
FRACTIONS |= {"f1": skm.f1_score, "fbeta": partial(skm.fbeta_score, beta=2.0)}
AVERAGES = ("micro", "macro", "weighted")


def fraction(name, **options):
    function = FRACTIONS[name]
    return make_scorer(getattr(function, "func", function), **(getattr(function, "keywords", {}) | options))


SCORERS = {name: skm.get_scorer(name) for name in skm.get_scorer_names()}
LABELS = {
    "accuracy": make_scorer(skm.accuracy_score),
    "error": make_scorer(skm.accuracy_score, greater_is_better=False),
    "balanced": make_scorer(skm.balanced_accuracy_score),
    "balanced, adjusted": make_scorer(skm.balanced_accuracy_score, adjusted=True),
    "mcc": make_scorer(skm.matthews_corrcoef),
    "kappa": make_scorer(skm.cohen_kappa_score),
    "kappa, linear": make_scorer(skm.cohen_kappa_score, weights="linear"),
    "kappa, quadratic": make_scorer(skm.cohen_kappa_score, weights="quadratic"),
    "kappa of grades": named_scorer("quadratic_kappa"),
    **{f"{name} {how}": fraction(name, average=how, pos_label=None) for name in FRACTIONS for how in AVERAGES},
    "f1 macro, silent": fraction("f1", average="macro", pos_label=None, zero_division=0),
}
PROBABLE = {
    "log loss": make_scorer(skm.log_loss, greater_is_better=False, response_method="predict_proba"),
    "d2 log loss": make_scorer(skm.d2_log_loss_score, response_method="predict_proba"),
    "auc ovr": make_scorer(skm.roc_auc_score, response_method="predict_proba", multi_class="ovr"),
    "auc ovo": skm.get_scorer("roc_auc_ovo"),
    "auc ovr weighted": skm.get_scorer("roc_auc_ovr_weighted"),
    "auc ovo weighted": skm.get_scorer("roc_auc_ovo_weighted"),
    "ap weighted": make_scorer(skm.average_precision_score, response_method="predict_proba", average="weighted"),
}
brier = partial(make_scorer, skm.brier_score_loss, greater_is_better=False, response_method="predict_proba")
ap = partial(make_scorer, skm.average_precision_score, response_method=DECISION)
BINARY = {
    **{name: fraction(name) for name in FRACTIONS},
    **{f"{name} of 0": fraction(name, pos_label=0, zero_division=0) for name in FRACTIONS},
    "auc": skm.get_scorer("roc_auc"),
    "ap": skm.get_scorer("average_precision"),
    "brier": brier(),
    "brier of 1": brier(pos_label=1),
}
MULTICLASS = {"top 1": make_scorer(skm.top_k_accuracy_score, response_method=DECISION, k=1)}
MULTICLASS |= {"top 2": skm.get_scorer("top_k_accuracy"), "ap macro": skm.get_scorer("average_precision")}
if "scale_by_half" in skm.get_scorer("neg_brier_score")._score_func.__wrapped__.__kwdefaults__:  # since 1.7
    MULTICLASS |= {"brier": brier(), "brier, half": brier(scale_by_half=True)}
    BINARY["brier, whole"] = brier(scale_by_half=False)
if hasattr(skm, "d2_brier_score"):
    PROBABLE["d2 brier"] = make_scorer(skm.d2_brier_score, response_method="predict_proba")
NUMBERS = {
    **{function: make_scorer(getattr(skm, function)) for function in (
        "r2_score", "explained_variance_score", "mean_absolute_error", "mean_squared_error", "root_mean_squared_error",
        "median_absolute_error", "max_error", "mean_absolute_percentage_error", "mean_squared_log_error",
        "root_mean_squared_log_error", "mean_pinball_loss", "mean_poisson_deviance", "mean_gamma_deviance",
        "mean_tweedie_deviance", "d2_tweedie_score", "d2_absolute_error_score", "d2_pinball_score",
    )},
    "pinball .9": make_scorer(skm.mean_pinball_loss, alpha=0.9, greater_is_better=False),
    **{f"tweedie {p}": make_scorer(skm.mean_tweedie_deviance, power=p) for p in (-1, 1, 1.5, 2, 3)},
    **{f"d2 tweedie {p}": make_scorer(skm.d2_tweedie_score, power=p) for p in (-1, 1, 1.5, 2, 3)},
}  # fmt: skip
SETS = {
    "accuracy": LABELS["accuracy"],
    "hamming": make_scorer(skm.hamming_loss, greater_is_better=False),
    **{f"{name} {how}": fraction(name, average=how) for name in FRACTIONS for how in (*AVERAGES, "samples")},
    "f1 samples, silent": fraction("f1", average="samples", zero_division=0),
}
TASKS = {
    "multilabel": SETS,
    "binary": {**LABELS, **PROBABLE, **BINARY},
    "multiclass": {**LABELS, **PROBABLE, **MULTICLASS},
    "regression": NUMBERS,
}


class Given(BaseEstimator):
    """A fitted model that gives back what was predicted, as it would for scikit-learn."""

    def __init__(self, responses, classes):
        self.responses, self.classes_ = responses, classes

    def __sklearn_is_fitted__(self):
        return True

    def predict(self, X):  # noqa: ARG002
        return self.responses["predict"]

    def predict_proba(self, X):  # noqa: ARG002
        found = self.responses["predict_proba"]
        return np.column_stack([1 - found, found]) if found.ndim == 1 else found


class GivenClassifier(ClassifierMixin, Given):
    pass


class GivenRegressor(RegressorMixin, Given):
    pass


def classified(rng, y, classes, *, ties=False):
    """Labels and probabilities of a model with some skill."""
    evidence = rng.normal(size=(len(y), len(classes))) + (y[:, None] == classes)
    proba = np.exp(evidence)
    proba /= proba.sum(axis=1, keepdims=True)
    if ties:
        proba = rng.multinomial(4, proba) / 4
    return {
        "predict": classes[proba.argmax(axis=1)],
        "predict_proba": proba[:, 1].copy() if len(classes) == 2 else proba,
    }


def classification_folds(rng, classes):
    """True labels and responses of ordinary folds, then of folds with something odd, by its name."""
    last = len(classes) - 1
    draw = partial(rng.choice, classes)
    of_two = rng.choice(classes[:2], 25)
    found = {f"ordinary {n}": (y := draw(n), classified(rng, y, classes)) for n in (40, 40, 37)}
    found |= {"ties": (y := draw(40), classified(rng, y, classes, ties=True))}
    found |= {f"only {c}": (y := np.full(12, classes[c]), classified(rng, y, classes)) for c in (0, last)}
    found |= {
        "no last class": (of_two, classified(rng, of_two, classes)),
        "one": (y := draw(1), classified(rng, y, classes)),
    }
    y = draw(30)
    plain = classified(rng, y, classes)
    proba = plain["predict_proba"]
    found["called the first"] = y, plain | {"predict": np.full(30, classes[0])}
    found["called the last"] = y, plain | {"predict": np.full(30, classes[last])}
    found["all right"] = (
        y,
        plain | {"predict": y, "predict_proba": np.squeeze((y[:, None] == classes)[:, last < 2 :] * 1.0)},
    )
    found["all alike"] = (
        np.full(9, classes[0]),
        classified(rng, np.full(9, classes[0]), classes) | {"predict": np.full(9, classes[0])},
    )
    found["a stranger"] = y, plain | {"predict": np.r_[[7], plain["predict"][1:]]}
    found["beyond 1"] = y, plain | {"predict_proba": proba + (np.arange(30) == 3).reshape(-1, *[1] * (proba.ndim - 1))}
    found["above 1 in sum"] = y, plain | {"predict_proba": proba * 0.999}
    found["almost 1 in sum"] = y, plain | {"predict_proba": proba * (1 - 3e-8)}
    found["nan"] = y, plain | {"predict_proba": np.where(proba == proba.max(), np.nan, proba)}
    found["single precision"] = y, plain | {"predict_proba": proba.astype(np.float32)}
    return found


def set_folds(rng, _):
    y, called = rng.integers(0, 2, (40, 3)), rng.integers(0, 2, (40, 3))
    y[:, 0] |= y.sum(axis=1) == 0
    found = {f"ordinary {n}": (y[:n], called[:n] | y[:n] & (np.arange(n) % 2)[:, None]) for n in (40, 39)}
    found |= {"perfect": (y, y), "one": (y[:1], called[:1]), "no label true": (y[:9] * 0, called[:9])}
    found |= {"none called": (y, called * 0), "nothing": (y[:9] * 0, y[:9] * 0), "all called": (y, called * 0 + 1)}
    found |= {"an absent label": (y * [1, 0, 1], called), "floats": (y, called.astype(float)), "flags": (y, called > 0)}
    found |= {
        "2 called": (y, called * 2),
        "nan": (y, np.where(called > 0, np.nan, 0)),
        "of one label": (y, called[:, 0]),
    }
    return {name: (true, {"predict": predicted}) for name, (true, predicted) in found.items()}


def number_folds(rng, _):
    y, noise = rng.gamma(2.0, size=40), rng.gamma(2.0, size=40)
    found = {f"ordinary {n}": (y[:n], y[:n] + 0.3 * noise[:n]) for n in (40, 39)}
    found |= {
        "perfect": (y, y),
        "constant": (np.full(9, 2.0), noise[:9]),
        "constant, perfect": (np.ones(9), np.ones(9)),
    }
    found |= {"one": (y[:1], noise[:1]), "zeros": (np.zeros(9), noise[:9]), "predicted 0": (y[:9], np.zeros(9))}
    found |= {"some zeros": (np.where(y < 1, 0, y), noise), "some 0 predicted": (y, np.where(noise < 1, 0, noise))}
    found |= {"negative": (y - 1, noise), "negative predicted": (y, noise - 1), "below -1": (y - 3, noise)}
    found |= {
        "below -1 predicted": (y, noise - 3),
        "both negative": (-y, -noise),
        "infinite": (y, np.where(y > 2, np.inf, y)),
    }
    found |= {
        "single precision": (y, noise.astype(np.float32)),
        "huge": (y * 1e150, noise * 1e150),
        "whole": (y, noise.round() + 1),
    }
    return {name: (true, {"predict": predicted}) for name, (true, predicted) in found.items()}


def table_of(metric, task, folds, positions, everything):
    """Scores of some folds alone, and what was warned of."""
    starts = np.cumsum([0] + [len(y) for y, _ in folds])
    pairs = [(np.array([0]), np.arange(starts[i], starts[i + 1])) for i in positions]
    outcomes = [[FoldOutcome(responses=dict(folds[i][1]))] for i in positions]
    splits = Splits(len(everything), len(pairs), 1, False, None, tuple(pairs))
    scoring = Scoring([metric], everything, splits, task=task, names=["m"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scoring.add(range(len(positions)), outcomes)
        table = scoring.table()
    return table, {w.category for w in caught}


def expected_of(scorer, model, y, **weights):
    """Score, type of the error or "", and categories of the warnings, of scikit-learn's scorer."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value, error = float(scorer(model, np.zeros((len(y), 1)), y, **weights)), ""
        except Exception as problem:
            value, error = np.nan, type(problem).__name__
    return value, error, {w.category for w in caught}


ROWS = [(task, name) for task, named in TASKS.items() for name in named]
ROWS += [(task, name) for name, row in BATCHED.items() for task in row.tasks if name not in OWN_METRICS]


@pytest.mark.parametrize(("task", "name"), ROWS)
def test_a_batched_metric_gives_scikit_learns_values_errors_and_warnings(rng, task, name):
    classes = {"binary": np.arange(2), "multiclass": np.arange(3)}.get(task)
    scorer = TASKS[task][name] if name in TASKS[task] else skm.get_scorer(name)
    found = known_scorer(scorer, task, classes) if name in TASKS[task] else name
    assert found is not None, "it is not known"
    metric = Metric(name="m", kind="batched", source=found)
    by_kind = {"multilabel": set_folds, "regression": number_folds}.get(task, classification_folds)(rng, classes)
    folds, everything = list(by_kind.values()), np.concatenate([y for y, _ in by_kind.values()])
    whole, _ = table_of(metric, task, folds, range(len(folds)), everything)
    kind = GivenRegressor if task == "regression" else GivenClassifier
    known = [np.arange(2)] * 3 if task == "multilabel" else classes
    for i, (said, (y, responses)) in enumerate(by_kind.items()):
        value, error, warned = expected_of(scorer, kind(responses, known), y)
        alone, caught = table_of(metric, task, folds, [i], everything)
        np.testing.assert_array_equal(alone.scores[0, 0], whole.scores[0, i], err_msg=f"{said}: depends on company")
        assert whole.scores[0, i, 0] == pytest.approx(value, rel=TOLERANCE, abs=TOLERANCE, nan_ok=True), said
        failed = alone.failures | alone.undefined  # the latter where a fold lacks what the metric needs
        assert bool(error) == bool(failed), (said, error, failed)
        assert all(error in told for _, told in failed.values()), said
        assert not alone.undefined or said not in ("nan", "a stranger"), said
        assert caught == warned or error, said
        if said.startswith("ordinary") and takes_weights(scorer):
            weights = {"sample_weight": rng.random(len(y))}
            value, error, _ = expected_of(scorer, kind(responses, known), y, **weights)
            models = stored_models({"m": responses}, everything if classes is None else classes, task)
            column = metric if found is name else Metric(name="m", kind="scorer", source=scorer)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UndefinedMetricWarning)
                with contextlib.suppress(*([ValueError] if error else [])):  # one against one takes none
                    table, *_ = score_stored(models, y, weighted([column], 1), task, **weights)
                    assert table.scores.item() == pytest.approx(value, rel=1e-15)


class Renamed(type(SCORERS["accuracy"])):
    pass


def f1_score(y_true, y_pred):
    return float(np.mean(y_true == y_pred))


PLAIN = {
    "another function of that name": ("binary", make_scorer(f1_score)),
    "a partial function": ("binary", make_scorer(partial(skm.f1_score, average="macro"))),
    "another class of scorer": ("binary", Renamed(skm.f1_score, 1, {}, "predict")),
    "no scorer": ("binary", skm.f1_score),
    "labels": ("binary", fraction("f1", labels=[0, 1], average="macro")),
    "a value in place of 0/0": ("binary", fraction("f1", zero_division=1)),
    "no average": ("binary", fraction("f1", average=None)),
    "samples of single labels": ("binary", fraction("f1", average="samples")),
    "one class of several": ("multiclass", fraction("f1")),
    "a positive class that is none": ("binary", fraction("f1", pos_label=2)),
    "a positive class that averages do not read": ("multiclass", fraction("f1", average="macro", pos_label=2)),
    "beta 0": ("binary", fraction("fbeta", beta=0)),
    "no beta": ("binary", make_scorer(skm.fbeta_score)),
    "an option it does not have": ("binary", fraction("precision", beta=2)),
    "a number of hits": ("binary", make_scorer(skm.accuracy_score, normalize=False)),
    "weights": ("binary", make_scorer(skm.accuracy_score, sample_weight=np.ones(3))),
    "grades": ("multiclass", make_scorer(skm.cohen_kappa_score, labels=[0, 1])),
    "labels as scores": ("binary", make_scorer(skm.roc_auc_score)),
    "labels as probabilities": ("binary", make_scorer(skm.log_loss)),
    "no method that is kept": ("binary", make_scorer(skm.roc_auc_score, response_method=["predict_proba", "predict"])),
    "part of an area": ("binary", make_scorer(skm.roc_auc_score, response_method=DECISION, max_fpr=0.5)),
    "an area of several classes": ("multiclass", SCORERS["roc_auc"]),
    "precision of the first class": ("binary", ap(pos_label=0)),
    "Brier score of the first class": ("binary", brier(pos_label=0)),
    "a sum of losses": ("binary", make_scorer(skm.log_loss, response_method="predict_proba", normalize=False)),
    "as many as classes": ("multiclass", make_scorer(skm.top_k_accuracy_score, response_method=DECISION, k=3)),
    "two of two": ("binary", SCORERS["top_k_accuracy"]),
    "a value per column": ("regression", make_scorer(skm.mean_absolute_error, multioutput="raw_values")),
    "an infinite score": ("regression", make_scorer(skm.r2_score, force_finite=False)),
    "another quantile": ("regression", make_scorer(skm.d2_pinball_score, alpha=0.3)),
    "no Tweedie deviance": ("regression", make_scorer(skm.mean_tweedie_deviance, power=0.5)),
    "several numbers": ("multioutput", SCORERS["neg_median_absolute_error"]),
    "classes of numbers": ("binary", SCORERS["neg_median_absolute_error"]),
    "numbers of classes": ("regression", SCORERS["balanced_accuracy"]),
}  # fmt: skip


@pytest.mark.parametrize("said", PLAIN)
def test_what_is_not_known_is_left_to_scikit_learn(said):
    task, scorer = PLAIN[said]
    classes = {"binary": np.arange(2), "multiclass": np.arange(3)}.get(task)
    assert known_scorer(scorer, task, classes) is None


def test_texts_have_no_class_1():
    classes = np.array(["no", "yes"])
    for scorer in (
        fraction("f1"),
        fraction("f1", average="macro"),
        SCORERS["average_precision"],
        SCORERS["neg_brier_score"],
    ):
        assert known_scorer(scorer, "binary", classes) is None
    for scorer in (fraction("f1", pos_label="no"), SCORERS["f1_macro"], SCORERS["roc_auc"], brier(pos_label="yes")):
        assert known_scorer(scorer, "binary", classes) is not None


# ---- evaluations --------------------------------------------------------------------------------------------------

MIXED = {"fbeta": fraction("fbeta"), "f1": make_scorer(f1_score), "loss": "neg_log_loss", "ap": "average_precision"}


class Counting(GaussianNB):
    """Counts how often it is asked for probabilities: once a fit, and again where a scorer is called on it."""

    asked = 0

    def predict_proba(self, X):
        type(self).asked += 1
        return super().predict_proba(X)


class NoClassifier(BaseEstimator):
    """Of which scikit-learn's scorers do not read probabilities."""

    def fit(self, X, y):
        self.model_ = GaussianNB().fit(X, y)
        return self

    def predict(self, X):
        return self.model_.predict(X)

    def predict_proba(self, X):
        return self.model_.predict_proba(X)


def is_called(*others, scoring=("neg_log_loss",), cv=3, y=None):
    """Whether a scorer is called on a fitted model."""
    X, labels = make_classification(n_samples=90, random_state=0)
    Counting.asked = 0
    evaluator = PairedEvaluator(cv=cv, scoring=scoring, random_state=0, error_score=np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = evaluator.evaluate([Counting(), GaussianNB(), *others], X, labels if y is None else y)
    return Counting.asked > len(result.splits())


def test_an_evaluation_with_known_and_other_scorers_equals_cross_validate():
    X, y = make_classification(n_samples=120, flip_y=0.2, random_state=1)
    models = {"bayes": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
    result = PairedEvaluator(cv="2x3", scoring=MIXED, random_state=0).evaluate(models, X, y)
    for name, model in models.items():
        expected = cross_validate(model, X, y, cv=result.splits(), scoring=MIXED)
        for metric in MIXED:
            np.testing.assert_allclose(result.score(name, metric), expected[f"test_{metric}"], rtol=TOLERANCE)


def test_scorers_are_called_on_the_model_only_where_they_are_not_known():
    assert not is_called()
    assert not is_called(scoring=MIXED)
    assert is_called(scoring={"some": make_scorer(skm.log_loss, response_method="predict_proba", labels=[0, 1])})
    assert is_called(NoClassifier())


def test_a_class_that_a_training_set_lacks_leaves_all_scorers_to_scikit_learn():
    y = np.arange(90) // 30
    assert is_called(cv=[(np.arange(30, 90), np.arange(30)), (np.arange(60), np.arange(60, 90))], y=y)
    assert not is_called(cv=[(np.arange(0, 90, 2), np.arange(1, 90, 2))], y=y)
    rare = (np.arange(90) < 20).astype(int)  # which one test set of 30 has room for
    assert not is_called(y=rare)


def test_the_single_scorer_is_known_too():
    result = PairedEvaluator(cv=3, scoring=fraction("fbeta"), random_state=0).evaluate(
        [GaussianNB(), DecisionTreeClassifier()], *make_classification(n_samples=90, random_state=0)
    )
    assert result.metrics == ("score",)


def test_undefined_values_are_counted_as_those_of_the_named_metrics():
    X, y = make_classification(n_samples=90, weights=[0.9], random_state=0)
    models = {"constant": DummyClassifier(strategy="most_frequent"), "bayes": GaussianNB()}
    scoring = {
        "beta": make_scorer(skm.fbeta_score, beta=0.5),
        "silent": fraction("jaccard", zero_division=0),
        "p": fraction("precision"),
    }
    with pytest.warns(UndefinedMetricWarning, match="p of 'constant' is ill-defined on 3 of 3 folds"):
        result = PairedEvaluator(cv=3, scoring=scoring, random_state=0).evaluate(models, X, y)
    assert result.details.ill_defined == {"constant": {"p": 3}}


@pytest.mark.parametrize("labels", [(0, 1), (1, 2), (-1, 1), ("a", "b")])
@pytest.mark.parametrize("train", [False, True])
def test_every_scorer_reads_the_class_that_it_names(labels, train, rng):
    """scikit-learn's scorer of several metrics gives one the probabilities that another one asked for."""
    X = rng.normal(size=(60, 3))
    y = np.array(labels)[(X[:, 0] + rng.normal(size=60) > 0).astype(int)]
    scores = {"response_method": "predict_proba"}
    scorers = {
        f"precision of {label}": make_scorer(skm.average_precision_score, pos_label=label, **scores) for label in labels
    }
    scorers |= {f"brier of {label}": make_scorer(skm.brier_score_loss, pos_label=label, **scores) for label in labels}
    scorers["part of the area"] = make_scorer(skm.roc_auc_score, max_fpr=0.5, **scores)
    scorers["sum"] = make_scorer(skm.log_loss, normalize=False, **scores)
    scorers["accuracy"] = "accuracy"
    scoring = {name: scorers[name] for name in rng.permutation(list(scorers)).tolist()}
    cv = KFold(3, shuffle=True, random_state=0)
    result = PairedEvaluator(cv, scoring, random_state=0, return_train_score=train).evaluate({"nb": GaussianNB()}, X, y)
    together = skc.cross_validate(GaussianNB(), X, y, cv=cv, scoring=scoring, return_train_score=train)
    for name, scorer in scoring.items():
        alone = cross_validate(GaussianNB(), X, y, cv=cv, scoring=scorer, return_train_score=train)
        for part in ("test", "train")[: 1 + train]:
            for own in (result.to_cross_validate("nb"), together):
                np.testing.assert_allclose(own[f"{part}_{name}"], alone[f"{part}_score"], rtol=1e-12)
