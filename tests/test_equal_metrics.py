"""Metrics of scikit-learn's that are one number, but for sign and scale, have one test and one interval."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as skm
from sklearn.datasets import make_classification
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.naive_bayes import GaussianNB

import skcompare as skc

LOSS = partial(make_scorer, greater_is_better=False)
OF_PROBABILITIES = partial(make_scorer, response_method="predict_proba")
# Of one label per sample; and how much a unit of the first is of the others.
OF_LABELS = {
    "accuracy": {
        "share": (make_scorer(skm.accuracy_score), 1),
        "wrong": (LOSS(skm.zero_one_loss), 1),
        "wrong labels": (LOSS(skm.hamming_loss), 1),
        "beta": (make_scorer(skm.fbeta_score, beta=2, average="micro"), 1),
        "filled": (make_scorer(skm.precision_score, average="micro", zero_division=1), 1),
    },
    "f1_macro": {"beta": (make_scorer(skm.fbeta_score, beta=1, average="macro"), 1)},
    "balanced_accuracy": {"adjusted": (make_scorer(skm.balanced_accuracy_score, adjusted=True), None)},
}
OF_SCORES = {
    "roc_auc": {
        **{name: (name, 1) for name in ("roc_auc_ovr", "roc_auc_ovo", "roc_auc_ovr_weighted", "roc_auc_ovo_weighted")},
        "area": (OF_PROBABILITIES(skm.roc_auc_score), 1),
        "weighted": (OF_PROBABILITIES(skm.roc_auc_score, multi_class="ovo", average="weighted"), 1),
    },
    "average_precision": {
        "area": (OF_PROBABILITIES(skm.average_precision_score), 1),
        "weighted": (OF_PROBABILITIES(skm.average_precision_score, average="weighted"), 1),
    },
    "neg_brier_score": {
        "half": (OF_PROBABILITIES(skm.brier_score_loss, greater_is_better=False, scale_by_half=True), 1),
    },
}
OF_NUMBERS = {
    "neg_mean_squared_error": {"tweedie": (LOSS(skm.mean_tweedie_deviance), 1)},
    "neg_mean_poisson_deviance": {"tweedie": (LOSS(skm.mean_tweedie_deviance, power=1), 1)},
    "neg_mean_absolute_error": {"pinball": (LOSS(skm.mean_pinball_loss), 0.5)},
    "r2": {"tweedie": (make_scorer(skm.d2_tweedie_score), 1)},
    "d2_absolute_error_score": {"pinball": (make_scorer(skm.d2_pinball_score), 1)},
}


def same_rows(result, own, others, n_classes=2):
    """All say the same of the same models, up to their scale."""
    rows = {row.metric: row for row in result.compare(correction="none") if (row.a, row.b) == result.estimators[:2]}
    one = rows[own]
    for name, (_, given) in others.items():
        other, scale = rows[name], given or 1 / (1 - 1 / n_classes)
        assert (other.procedure, other.pvalue) == (one.procedure, pytest.approx(one.pvalue, rel=1e-9)), name
        found = np.array([other.low, other.high, other.estimate]) / scale
        assert found == pytest.approx([one.low, one.high, one.estimate], rel=1e-7, abs=1e-12), name
        assert other.mean_a == pytest.approx(result.score(other.a, name)[0], abs=1e-12)


def asked_with(metrics):
    return [(own, {name: scorer for name, (scorer, _) in others.items()}) for own, others in metrics.items()]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(("own", "scorers"), asked_with(OF_LABELS), ids=[*OF_LABELS])
def test_metrics_of_labels(rng, n_classes, own, scorers):
    """zero_one_loss gave p = 0.067 where accuracy gave 0.041."""
    for n in (60, 300):
        y = np.r_[np.arange(n_classes), rng.integers(n_classes, size=n - n_classes)]
        wrong = rng.integers(n_classes, size=(2, n))
        models = {name: np.where(rng.random(n) < 0.3, wrong[i], y) for i, name in enumerate("ab")}
        result = skc.from_predictions(y, models, scoring={own: own, **scorers})
        same_rows(result, own, OF_LABELS[own], n_classes)


def test_intervals_of_shares_and_of_errors(rng):
    y = rng.integers(2, size=80)
    models = {"a": np.where(rng.random(80) < 0.2, 1 - y, y), "b": 1 - y, "c": y}
    scorers = {name: scorer for name, (scorer, _) in OF_LABELS["accuracy"].items()}
    for clusters in (None, rng.integers(20, size=80)):
        result = skc.from_predictions(y, models, scoring={"accuracy": "accuracy", **scorers}, clusters=clusters)
        for name in models:
            shares = {row.metric: row for row in result.intervals().rows if row.model == name}
            for metric in scorers:
                less = shares["accuracy"].score - shares[metric].score
                assert less == pytest.approx(1 if metric.startswith("wrong") else 0)
                ends = [shares[metric].low + less, shares[metric].high + less]
                assert ends == pytest.approx([shares["accuracy"].low, shares["accuracy"].high], abs=1e-9)


@pytest.mark.parametrize("n_digits", [1, 9])
@pytest.mark.parametrize(("own", "scorers"), asked_with(OF_SCORES), ids=[*OF_SCORES])
def test_metrics_of_scores_of_two_classes(rng, n_digits, own, scorers):
    """roc_auc had p = 0.0037, roc_auc_ovr 0.0040 and roc_auc_ovo 0.0020."""
    y = rng.integers(2, size=120)
    models = {
        name: np.clip(np.round(s * y + rng.uniform(0, 1 - s, 120), n_digits), 0, 1)
        for name, s in (("a", 0.3), ("b", 0.1))
    }
    result = skc.from_predictions(y, models, scoring={own: own, **scorers})
    same_rows(result, own, OF_SCORES[own])


@pytest.mark.parametrize(("own", "scorers"), asked_with(OF_NUMBERS), ids=[*OF_NUMBERS])
def test_metrics_of_numbers(rng, own, scorers):
    y = rng.uniform(5, 9, 10)  # of more all exchanges are not gone through
    models = {name: y + rng.normal(scale=scale, size=10) for name, scale in (("a", 0.5), ("b", 0.8))}
    same_rows(skc.from_predictions(y, models, scoring={own: own, **scorers}), own, OF_NUMBERS[own])


# Of probabilities and of numbers: losses, and what is one of them but for its unit on one test set.
IMAGES = {
    "neg_log_loss": {
        "relative": OF_PROBABILITIES(skm.d2_log_loss_score),
        "sum": OF_PROBABILITIES(skm.log_loss, greater_is_better=False, normalize=False),
    },
    "neg_brier_score": {"relative": OF_PROBABILITIES(skm.d2_brier_score)},
    "neg_mean_absolute_error": {"relative": make_scorer(skm.d2_absolute_error_score)},
    "pinball": {"relative": make_scorer(skm.d2_pinball_score, alpha=0.9)},
}
OWN = {"pinball": LOSS(skm.mean_pinball_loss, alpha=0.9)}


def predicted(rng, own, n, n_classes):
    """True values, and what three models predict, of which two are equal."""
    if own in ("neg_mean_absolute_error", "pinball"):
        y = rng.normal(size=n)
        models = {name: y + rng.normal(scale=scale, size=n) for name, scale in (("a", 0.5), ("b", 0.8))}
    else:
        y = np.r_[np.arange(n_classes), rng.integers(n_classes, size=n - n_classes)]
        parts = {
            name: rng.dirichlet(np.ones(n_classes), n) + s * np.eye(n_classes)[y] for name, s in (("a", 1), ("b", 2))
        }
        models = {name: part / part.sum(axis=1, keepdims=True) for name, part in parts.items()}
        models = {name: part[:, 1] if n_classes == 2 else part for name, part in models.items()}
    return y, {**models, "again": models["a"].copy()}


@pytest.mark.parametrize("how", ["plain", "clusters", "weights"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("own", [*IMAGES])
def test_what_is_a_loss_but_for_its_unit_has_its_test(rng, own, n_classes, how):
    """d2_log_loss_score had an exchange test and p = 0.0485, where the log loss had p = 0.0487 by the t test."""
    for n in (40, 150):
        y, models = predicted(rng, own, n, n_classes)
        more = {"clusters": rng.integers(12, size=n)} if how == "clusters" else {}
        more |= {"sample_weight": rng.uniform(0.5, 2, n)} if how == "weights" else {}
        result = skc.from_predictions(y, models, scoring={"own": OWN.get(own, own), **IMAGES[own]}, **more)
        means = {name: np.array([result.score(model, name)[0] for model in models]) for name in result.metrics}
        rows = {(row.metric, row.a, row.b): row for row in result.compare(correction="none")}
        limits = {(row.metric, row.model): np.array([row.low, row.high]) for row in result.intervals().rows}
        for (metric, a, b), row in rows.items():
            rise, at_0 = np.polyfit(means["own"], means[metric], 1)
            one = rows["own", a, b]
            assert (row.procedure, row.pvalue) == (one.procedure, pytest.approx(one.pvalue, rel=1e-7))
            found = np.array([row.low, row.high, row.estimate])
            assert found == pytest.approx(rise * np.array([one.low, one.high, one.estimate]), rel=1e-6, abs=1e-9)
            assert np.isfinite(found).all()
            for model in (a, b):
                assert limits[metric, model] == pytest.approx(at_0 + rise * limits["own", model], rel=1e-6, abs=1e-9)


def test_of_several_numbers_each_has_a_constant_of_its_own(rng):
    """The larger one decided: p = 0.076, where it is 0.012."""
    for n in (30, 80):
        units = 10.0 ** rng.integers(-3, 4, size=3)
        y = rng.normal(size=(n, 3)) * units
        noise = {"a": rng.uniform(0.1, 1, 3), "b": rng.uniform(0.1, 1, 3)}
        models = {name: y + rng.normal(size=y.shape) * scale * units for name, scale in noise.items()}
        models |= {"median": np.tile(np.median(y, axis=0), (n, 1)), "perfect": y}
        result = skc.from_predictions(y, models, scoring={"own": make_scorer(skm.d2_absolute_error_score)})
        around = np.abs(y - np.median(y, axis=0)).mean(axis=0)
        values = {name: 1 - (np.abs(y - x) / around).mean(axis=1) for name, x in models.items()}
        for row in result.compare(correction="none"):
            expected = stats.ttest_rel(values[row.a], values[row.b])  # scipy 1.17
            found = row.procedure, row.record.statistic
            assert found == ("paired_t_test", pytest.approx(expected.statistic, rel=1e-6))
            if row.record.skewness:  # few cases decide: the variance allows for that
                continue
            assert row.pvalue == pytest.approx(expected.pvalue, rel=1e-6)
            assert (row.low, row.high) == pytest.approx(tuple(expected.confidence_interval()), rel=1e-6, abs=1e-9)


class Unlike(GaussianNB):
    """A model whose decision values are no function of its probabilities."""

    def decision_function(self, X):
        return np.asarray(X)[:, 0]


@pytest.mark.parametrize("cv", [5, "5x2"])
def test_areas_on_folds_are_of_what_each_reads(global_random_seed, cv):
    X, y = make_classification(150, n_informative=3, flip_y=0.1, random_state=global_random_seed)
    names = ["roc_auc", "roc_auc_ovr", "roc_auc_ovo"]
    evaluator = skc.PairedEvaluator(cv=cv, random_state=0, scoring=names)
    result = evaluator.evaluate({"a": Unlike(), "b": LogisticRegression()}, X, y)
    for procedure in ("auto", "delong_test"):
        own, *others = result.compare(procedure=procedure, correction="none").rows
        assert others[0].pvalue == others[1].pvalue != own.pvalue
        assert (others[0].mean_a, others[0].low) == pytest.approx((others[1].mean_a, others[1].low))
        assert own.mean_a != pytest.approx(others[0].mean_a)


def test_other_options_are_other_metrics(rng):
    y = rng.integers(2, size=100)
    models = {name: np.where(rng.random(100) < wrong, 1 - y, y) for name, wrong in (("a", 0.2), ("b", 0.3))}
    scoring = {
        "counted": make_scorer(skm.accuracy_score, normalize=False),
        "errors": LOSS(skm.zero_one_loss, normalize=False),
        "gain": make_scorer(skm.zero_one_loss),
        "beta": make_scorer(skm.fbeta_score, beta=2),
    }
    read = skc.from_predictions(y, models, scoring=scoring)._scores.read_as
    assert read == {name: name for name in scoring}
    areas = {"part": OF_PROBABILITIES(skm.roc_auc_score, max_fpr=0.3)}
    chances = {name: 0.8 * labels + 0.1 for name, labels in models.items()}
    assert skc.from_predictions(y, chances, scoring=areas)._scores.read_as == {"part": "part"}
    several = rng.integers(2, size=(40, 3))
    sets = {"a": several, "b": 1 - several}
    losses = {"wrong": LOSS(skm.zero_one_loss), "micro": make_scorer(skm.f1_score, average="micro")}
    assert "accuracy" not in skc.from_predictions(several, sets, scoring=losses)._scores.read_as.values()


COUNTS = {
    "counted": make_scorer(skm.accuracy_score, normalize=False),
    "right": partial(skm.accuracy_score, normalize=False),
    "errors": LOSS(skm.zero_one_loss, normalize=False),
    "wrong": partial(skm.zero_one_loss, normalize=False),
}
RIGHT = {"some": (0.2, 0.3), "few": (0.9, 0.85), "all": (0.0, 0.0), "none": (1.0, 1.0), "apart": (0.0, 1.0)}


@pytest.mark.parametrize("shape", ["binary", "multiclass", "multilabel"])
@pytest.mark.parametrize("wrong", RIGHT)
@pytest.mark.parametrize("n", [9, 60, 400])
def test_counts_are_the_accuracies_times_the_number_of_samples(n, wrong, shape, rng):
    """They had the t test: another verdict than the accuracy's, and none where the models differed on all samples."""
    n_classes = 3 if shape == "multiclass" else 2
    y = np.r_[np.arange(n_classes), rng.integers(n_classes, size=n - n_classes)]
    y = np.eye(3, dtype=int)[rng.integers(3, size=n)] if shape == "multilabel" else y
    off = {name: (rng.random(n) < share).astype(int) for name, share in zip("ab", RIGHT[wrong], strict=True)}
    models = {name: (y.T + own).T % n_classes for name, own in off.items()}
    result = skc.from_predictions(y, models, scoring={"accuracy": "accuracy", **COUNTS})
    for options in ({}, {"procedure": "mcnemar_test"}, {"null": -0.1}):
        nulls = {name: n * options.get("null", 0.0) for name in COUNTS} | {"accuracy": options.get("null", 0.0)}
        one, *others = result.compare(correction="none", **{**options, "null": nulls})
        assert one.record.estimate == pytest.approx((off["b"].sum() - off["a"].sum()) / n)
        for other in others:
            assert (other.procedure, other.outcome, other.effect_size) == (one.procedure, one.outcome, one.effect_size)
            assert other.pvalue == pytest.approx(one.pvalue, rel=1e-9)
            assert (other.low, other.estimate, other.high) == pytest.approx(
                (n * one.low, n * one.estimate, n * one.high)
            )
            assert other.record.wald_interval().high == pytest.approx(n * one.record.wald_interval().high)
            assert other.record.null == nulls[other.metric]
    shares = {(own.model, own.metric): own for own in result.intervals()}
    for (model, metric), own in shares.items():
        of, start = shares[model, "accuracy"], n * (metric in ("errors", "wrong"))
        unit = 1 if metric == "accuracy" else n
        assert (own.low, own.high) == pytest.approx((unit * of.low - start, unit * of.high - start), abs=1e-9)
    with pytest.raises(ValueError, match=f"null must be .*less than {n} in size"):
        result.test(metric="counted", null=-n)


def test_counts_of_many_models_are_decided_as_their_accuracies(rng):
    y = rng.integers(2, size=80)
    models = {f"m{i}": np.where(rng.random(80) < i / 47, 1 - y, y) for i in range(48)}
    asked = ({"accuracy": "accuracy"}, {"errors": COUNTS["errors"]})
    one, other = (skc.from_predictions(y, models, scoring=scoring).compare() for scoring in asked)
    assert [row.outcome for row in other] == [row.outcome for row in one]
    assert [row.pvalue_adjusted for row in other] == pytest.approx([row.pvalue_adjusted for row in one])


def test_errors_on_folds_have_the_words_of_the_accuracy(global_random_seed):
    X, y = make_classification(150, flip_y=0.6, random_state=global_random_seed)
    scoring = {"accuracy": "accuracy", "wrong": LOSS(skm.zero_one_loss)}
    result = skc.PairedEvaluator(cv=10, random_state=0, scoring=scoring).evaluate(
        {"a": LogisticRegression(), "b": GaussianNB()}, X, y
    )
    for procedure in ("auto", "mcnemar_test", "paired_metric_test"):
        one, other = result.compare(procedure=procedure, correction="none")
        assert (other.pvalue, other.low, other.high) == pytest.approx((one.pvalue, one.low, one.high))
        assert (other.mean_a, other.mean_b) == pytest.approx((one.mean_a - 1, one.mean_b - 1))
        assert {x.code for x in one.warnings} == {x.code for x in other.warnings}
    rates = result._scores.read_as
    assert {*rates.values()} == {"accuracy"}


DEVIANCES = {
    "neg_mean_squared_log_error": skm.mean_squared_log_error,
    "neg_mean_poisson_deviance": skm.mean_poisson_deviance,
    "neg_mean_gamma_deviance": skm.mean_gamma_deviance,
    "tweedie": partial(skm.mean_tweedie_deviance, power=1.5),
    "function": skm.mean_poisson_deviance,
}


@pytest.mark.parametrize("name", DEVIANCES)
@pytest.mark.parametrize("n", [12, 90])
def test_deviances_are_means_of_a_value_of_each_sample(name, n, rng):
    """They were tested by exchanges, in seconds each."""
    y, loss = rng.gamma(3, 2, n) + 0.5, DEVIANCES[name]
    models = {x: y * np.exp(rng.normal(0, 0.3, n)) for x in ("a", "b")}
    tweedie = make_scorer(skm.mean_tweedie_deviance, greater_is_better=False, power=1.5)
    scoring = {"tweedie": {"m": tweedie}, "function": loss}.get(name, name)
    (row,) = skc.from_predictions(y, models, scoring=scoring).compare()
    own = {x: np.array([loss([true], [one]) for true, one in zip(y, p, strict=True)]) for x, p in models.items()}
    expected = stats.ttest_rel(own["b"], own["a"])
    assert row.procedure == "paired_t_test"
    assert row.estimate == pytest.approx(loss(y, models["b"]) - loss(y, models["a"]))
    assert row.record.statistic == pytest.approx(expected.statistic, rel=1e-6)
    if not row.record.skewness:  # else the variance allows for it
        assert row.pvalue == pytest.approx(expected.pvalue, rel=1e-6)


PARTIALS = {
    "mean_pinball_loss": {"alpha": 0.9},
    "mean_tweedie_deviance": {"power": 1.5},
    "mean_squared_error": {},
    "mean_absolute_error": {"multioutput": "uniform_average"},
    "mean_squared_log_error": {},
    "r2_score": {"force_finite": True},
    "accuracy_score": {"normalize": True},
    "zero_one_loss": {"normalize": False},
    "f1_score": {"average": "macro"},
}


@pytest.mark.parametrize("name", PARTIALS)
def test_a_function_with_options_is_the_scorer_with_them(name, rng):
    """Means of samples were tested by exchanges, in seconds, where the scorer had the t test."""
    function, options, n = getattr(skm, name), PARTIALS[name], 60
    if name in ("accuracy_score", "zero_one_loss", "f1_score"):
        y = rng.integers(2, size=n)
        models = {x: np.where(rng.random(n) < wrong, 1 - y, y) for x, wrong in (("a", 0.1), ("b", 0.3))}
    else:
        y = rng.gamma(3, 2, n) + 0.5
        models = {x: y * np.exp(rng.normal(0, s, n)) for x, s in (("a", 0.2), ("b", 0.3))}
    scorer = make_scorer(function, greater_is_better=name.endswith("_score"), **options)
    one = skc.from_predictions(y, models, scoring={"m": partial(partial(function), **options)})
    other = skc.from_predictions(y, models, scoring={"m": scorer})
    assert repr(one.compare().rows) == repr(other.compare().rows)
    assert str(one) == str(other)


# Scores of models that know nothing are 0 by theory: what is left of 1 less a quotient is rounding.
OF_NOTHING = {
    "explained_variance": "explained_variance",
    "variance": make_scorer(skm.explained_variance_score, sample_weight=None),
    "uniform": make_scorer(skm.explained_variance_score, multioutput="uniform_average"),
}


def assert_equal_everywhere(found, names):
    metric = found.metrics[0]
    assert "e-1" not in str(found)
    for row in found.compare():
        assert (row.estimate, row.wins, row.losses) == (0, 0, 0)
    assert set(found.rank().may_be_first) == {*names}
    assert f"have the same scores on {metric}" in " ".join(str(found).split())


@pytest.mark.parametrize("name", OF_NOTHING)
def test_scores_that_are_zero_but_for_rounding_are_equal(name, rng):
    for shape in (1.0, 40.0, 1e5):
        n = int(rng.integers(40, 90))
        x, numbers = rng.normal(size=(n, 2)), shape * rng.normal(rng.normal(), 1, n)
        constants = [DummyRegressor(), DummyRegressor(strategy="median")]
        models = dict(zip(rng.permutation(["p", "q", "z"])[:2].tolist(), constants, strict=True))
        scoring = {name: OF_NOTHING[name]} if name != "explained_variance" else name
        evaluator = skc.PairedEvaluator(cv=5, scoring=scoring, random_state=0)
        assert_equal_everywhere(evaluator.evaluate(models, x, numbers), models)


@pytest.mark.parametrize("metric", ["explained_variance", "r2", "matthews_corrcoef", "d2_absolute_error_score"])
def test_scores_that_were_read_are_zero_as_well(metric, rng):
    for n in rng.integers(5, 12, size=4):
        values = rng.choice([0.0, 1.1102230246251565e-16, -4.440892098500626e-16], size=(n, 2))
        rows = [[model, i, values[i, j]] for j, model in enumerate("pq") for i in range(n)]
        for case in ("split", "dataset"):
            columns = dict(zip(("model", "case", metric), zip(*rows, strict=True), strict=True))
            columns["case"] = [f"c{i}" for i in columns["case"]]
            found = skc.read(columns, model="model", **{case: "case"})
            assert not found.scores.any()
            for row in found.compare():
                assert (row.estimate, row.wins, row.losses) == (0, 0, 0)


def test_small_scores_of_other_metrics_stay(rng):
    values = 1e-14 * rng.random(10)
    rows = {"model": ["p"] * 10 + ["q"] * 10, "fold": [*range(10)] * 2, "error": [*values, *(2 * values)]}
    assert skc.read(rows).scores[:, :, 0].tolist() == [values.tolist(), (2 * values).tolist()]
