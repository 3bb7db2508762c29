"""The corrected t test whose correction is read from the losses of the samples."""

import itertools
import pickle

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcompare as skc
from skcompare import RunOptions
from skcompare.inference import corrected_t_test, stability_t_test
from skcompare.inference.fold_scores.stability import ENOUGH, LEAST, TRAINING, USUAL_EXCESS, much


def drawn(rng, n_repeats=10, n_folds=10, n=60, flips=0.2):
    """Scores, losses and folds of two models that err on some samples always and on others now and then."""
    folds = np.array([rng.permutation(n) % n_folds for _ in range(n_repeats)])
    wrong = [(rng.random(n) < rate) ^ (rng.random((n_repeats, n)) < flips / 2) for rate in (0.2, 0.3)]
    losses = [w.astype(float) for w in wrong]
    scores = [
        np.array([[1 - x[k == f].mean() for f in range(n_folds)] for x, k in zip(w, folds, strict=True)])
        for w in losses
    ]
    return *scores, *losses, folds


def by_hand(losses_a, losses_b, folds):
    """luck and excess, summed sample by sample."""
    n_repeats, n = folds.shape
    d = losses_b - losses_a
    own = sum((d[r, i] - d[:, i].mean()) ** 2 for r in range(n_repeats) for i in range(n)) / (n_repeats * n)
    together = []
    for r in range(n_repeats):
        for f in range(folds.max() + 1):
            e = [d[r, i] - d[:, i].mean() for i in range(n) if folds[r, i] == f]
            together.append(sum(e) ** 2 / len(e))
    return own * n_repeats / (n_repeats - 1) / d.var(), np.mean(together) / own - 1


@pytest.mark.parametrize("shape", [(10, 10, 60), (3, 5, 43), (2, 6, 20)])
def test_luck_and_excess_are_the_sums_of_the_formula(shape, rng):
    a, b, *losses, folds = drawn(rng, *shape)
    found = stability_t_test(a, b, *losses, folds)
    luck, excess = by_hand(*losses, folds)
    assert found.luck == pytest.approx(min(1, luck), rel=1e-12)
    assert found.excess == pytest.approx(excess, rel=1e-12)
    repeats, k, _ = shape
    told = min(1, repeats * k / ENOUGH) * (excess - USUAL_EXCESS)
    added = max(LEAST, min(1, 10 * found.luck) * TRAINING[""] + told)
    assert found.correction == pytest.approx((1 - 1 / k) * (1 - 1 / repeats) * (1 - found.luck) + added, rel=1e-12)


def test_it_is_the_corrected_test_with_another_correction(rng):
    a, b, *losses, folds = drawn(rng)
    found, usual = stability_t_test(a, b, *losses, folds), corrected_t_test(a, b, test_fraction=0.1)
    ratio = (1 / 100 + found.correction / 9) / (1 / 100 + 1 / 9)
    assert found.standard_error == pytest.approx(usual.standard_error * ratio**0.5, rel=1e-12)
    assert (found.estimate, found.df) == (usual.estimate, usual.df)


def test_of_models_that_never_change_only_the_independent_samples_and_the_training_sets_are_left(rng):
    """The variance of the mean of n independent samples is sigma^2/n; s^2/(RK) + c s^2/(K - 1) is that."""
    n, folds = 200, np.array([rng.permutation(200) % 10 for _ in range(10)])
    losses = [np.tile(rng.random(n), (10, 1)) for _ in range(2)]
    a, b = (np.array([[-x[k == f].mean() for f in range(10)] for x, k in zip(w, folds, strict=True)]) for w in losses)
    found = stability_t_test(a, b, *losses, folds)
    assert found.luck == 0
    assert found.excess == 0
    # of differences of equal folds s^2 is sigma^2 K/n on average, so that all but the least are sigma^2/n
    assert 1 / 100 + (found.correction - LEAST) / 9 == pytest.approx(1 / 10, rel=1e-12)


def test_families_move_the_correction_as_measured_and_others_are_unknown(rng):
    a, b, *losses, folds = drawn(rng)
    of = {
        pair: stability_t_test(a, b, *losses, folds, families=pair).correction
        for pair in itertools.product(TRAINING, repeat=2)
    }
    one = stability_t_test(a, b, *losses, folds)
    for pair, found in of.items():
        family = (TRAINING[pair[0]] + TRAINING[pair[1]]) / 2
        added = max(LEAST, min(1, 10 * one.luck) * family + one.excess - USUAL_EXCESS)
        assert found == pytest.approx(0.81 * (1 - one.luck) + added, rel=1e-12)
        assert found == of[pair[::-1]]
    assert stability_t_test(a, b, *losses, folds, families=("kernel", "boosting")).correction == of["", ""]


def test_models_that_flip_together_are_told(rng):
    n, folds = 200, np.array([rng.permutation(200) % 10 for _ in range(10)])
    flips = rng.random((10, 10)) < 0.5  # all samples of a test set change together
    wrong = np.array([np.where(rng.random(n) < 0.3, own[k], 0) for own, k in zip(flips, folds, strict=True)]) * 1.0
    steady = np.zeros((10, n))
    a, b = (
        np.array([[1 - x[k == f].mean() for f in range(10)] for x, k in zip(w, folds, strict=True)])
        for w in (wrong, steady)
    )
    found = stability_t_test(a, b, wrong, steady, folds)
    assert [one.code for one in found.warnings] == ["FRAGILE"]
    assert found.correction > 1


def test_equal_models_and_models_that_differ_in_ranks_alone(rng):
    a, b, loss, _, folds = drawn(rng)
    same = stability_t_test(a, a, loss, loss, folds)
    assert same.pvalue == 1
    ranks = stability_t_test(a, b, loss, loss, folds)  # as AUC of models with the same labels
    assert ranks.correction == 1
    assert np.isnan([ranks.luck, ranks.excess]).all()
    assert ranks.pvalue == corrected_t_test(a, b, test_fraction=0.1).pvalue


def test_the_order_of_samples_and_the_unit_of_losses_do_not_matter(rng):
    a, b, *losses, folds = drawn(rng)
    order = rng.permutation(folds.shape[1])
    found = stability_t_test(a, b, *losses, folds)
    moved = stability_t_test(a, b, *(1e200 * x[:, order] for x in losses), folds[:, order])
    assert moved.pvalue == pytest.approx(found.pvalue, rel=1e-12)
    assert moved.excess == pytest.approx(found.excess, rel=1e-9)


def test_the_laws_of_a_t_test(rng):
    a, b, *losses, folds = drawn(rng)
    given = [x.copy() for x in (a, b, *losses, folds)]
    tails = {
        tail: stability_t_test(a, b, *losses, folds, alternative=tail) for tail in ("two-sided", "greater", "less")
    }
    turned = stability_t_test(b, a, *losses[::-1], folds)
    found = tails["two-sided"]
    assert (turned.estimate, turned.pvalue, turned.correction) == pytest.approx(
        (-found.estimate, found.pvalue, found.correction), rel=1e-12
    )
    assert stability_t_test(b, a, *losses[::-1], folds, alternative="less").pvalue == pytest.approx(
        tails["greater"].pvalue
    )
    assert tails["greater"].pvalue + tails["less"].pvalue == pytest.approx(1)
    for record in tails.values():
        for alpha in (0.01, 0.05, 0.5):
            interval = record.confidence_interval(1 - alpha)
            assert (record.pvalue < alpha) == (not interval.low <= 0 <= interval.high)
        moved = stability_t_test(a, b, *losses, folds, alternative=record.alternative, null=found.estimate)
        assert moved.statistic == pytest.approx(0, abs=1e-9)
    assert pickle.loads(pickle.dumps(found)) == found
    of_lists = stability_t_test(a.tolist(), b.tolist(), *(x.tolist() for x in losses), folds.tolist())
    assert of_lists == found
    assert all(np.array_equal(x, y) for x, y in zip((a, b, *losses, folds), given, strict=True))
    order = rng.permutation(10)
    moved = stability_t_test(a[order], b[order], *(x[order] for x in losses), folds[order])
    assert moved.pvalue == pytest.approx(found.pvalue, rel=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"a": lambda x: x[:1], "b": lambda x: x[:1]}, "a and b must have at least 2 repeats of at least 5 folds"),
        ({"losses_a": lambda x: x[:, :-1]}, "losses_b must have a row per repeat"),
        ({"fold_ids": lambda x: x + 1}, "fold_ids must name the folds 0 to 9 in each repeat"),
        ({"fold_ids": lambda x: x * 1.0}, "fold_ids must hold integers"),
        ({"families": lambda _: "linear"}, "families must be a pair of str"),
        ({"losses_b": lambda x: x * np.nan}, "losses_b must be finite|losses_b must"),
    ],
    ids=lambda x: "" if isinstance(x, dict) else x[:30],
)
def test_bad_input_is_refused(change, message, rng):
    given = dict(zip(("a", "b", "losses_a", "losses_b", "fold_ids"), drawn(rng), strict=True)) | {"families": ("", "")}
    given |= {name: make(given[name]) for name, make in change.items()}
    positional = [given.pop(name) for name in ("a", "b", "losses_a", "losses_b", "fold_ids")]
    with pytest.raises(ValueError, match=message):
        stability_t_test(*positional, **given)


def brute_force(result, a, b):
    """The losses and folds of a result from its predictions, sample by sample."""
    n, (repeats, folds) = result.design.n_samples, (result.design.n_repeats, result.design.n_folds)
    losses, ids = np.full((2, repeats, n), np.nan), np.full((repeats, n), -1)
    for which, name in enumerate((a, b)):
        for part in result.predictions(name):
            wrong = abs(part.y_pred - part.y_true) if part.y_true.dtype.kind == "f" else part.y_pred != part.y_true
            losses[which, part.repeat, part.test_indices] = wrong
            ids[part.repeat, part.test_indices] = part.fold
    scores = [result.score(name, result.metrics[0]).reshape(repeats, folds) for name in (a, b)]
    return *scores, *losses, ids


def test_of_many_pairs_one_is_unstable_later():
    assert [much(0.4, 100, n_pairs) for n_pairs in (1, 45)] == [True, False]
    assert [much(0.07 + z * 0.02**0.5, 100) for z in (2.01, 1.99)] == [True, False]


@pytest.mark.sampled
@pytest.mark.parametrize("cv", ["10x10", "3x5"])
def test_a_result_gives_its_losses_folds_and_families(cv):
    X, y = load_iris(return_X_y=True)
    models = {"near": KNeighborsClassifier(1), "bayes": GaussianNB(), "lda": LinearDiscriminantAnalysis()}
    result = skc.PairedEvaluator(cv=cv, scoring=["accuracy", "f1_macro"], random_state=0).evaluate(models, X, y)
    family = {"near": "neighbors", "bayes": "naive Bayes", "lda": "linear"}
    for a, b in itertools.permutations(models, 2):
        expected = stability_t_test(*brute_force(result, a, b), families=(family[a], family[b]))
        found = result.test("stability_t_test", metric="accuracy", a=a, b=b)
        assert (found.pvalue, found.correction) == pytest.approx((expected.pvalue, expected.correction), rel=1e-12)
    assert result.compare("stability_t_test").procedure == "stability_t_test"
    other = result.test("stability_t_test", metric="f1_macro", a="near", b="bayes")
    assert other.correction == result.test("stability_t_test", metric="accuracy", a="near", b="bayes").correction


def test_of_numbers_the_losses_are_absolute_errors(tmp_path):
    X, y = load_diabetes(return_X_y=True)
    models = {"line": LinearRegression(), "ridge": Ridge(), "tree": DecisionTreeRegressor(max_depth=3)}
    result = skc.PairedEvaluator(cv="2x5", random_state=0).evaluate(models, X[:200], y[:200])
    expected = stability_t_test(*brute_force(result, "ridge", "tree"), families=("linear", "tree"))
    assert result.test("stability_t_test", a="ridge", b="tree").pvalue == pytest.approx(expected.pvalue, rel=1e-12)
    result.save(tmp_path / "r.skc")
    assert skc.load(tmp_path / "r.skc").test("stability_t_test", a="ridge", b="tree") == result.test(
        "stability_t_test", a="ridge", b="tree"
    )


def test_models_that_are_alike_need_less_of_the_correction():
    X, y = load_breast_cancer(return_X_y=True)
    models = {
        "lda": LinearDiscriminantAnalysis(),
        "lsqr": LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.01),
        "stump": DecisionTreeClassifier(max_depth=1),
    }
    result = skc.PairedEvaluator(scoring="accuracy", random_state=0).evaluate(models, X[::3], y[::3])
    alike, unlike = (result.test("stability_t_test", a="lda", b=other).correction for other in ("lsqr", "stump"))
    assert alike < unlike


def test_metrics_that_the_losses_do_not_tell_of_are_refused():
    X, y = load_breast_cancer(return_X_y=True)
    named = ["accuracy", "f1", "matthews_corrcoef"]
    of_ranks = ["roc_auc", "neg_log_loss", "average_precision", "fit_time"]
    evaluator = skc.PairedEvaluator(cv="2x5", scoring=[*named, *of_ranks], random_state=0)
    result = evaluator.evaluate({"bayes": GaussianNB(), "near": KNeighborsClassifier()}, X[::3], y[::3])
    for metric in named:
        assert result.test("stability_t_test", metric=metric).n == 10
    for metric in of_ranks:
        with pytest.raises(ValueError, match="needs a metric of the labels or numbers"):
            result.test("stability_t_test", metric=metric)
    own = skc.PairedEvaluator(
        cv="2x5", scoring={"mine": lambda model, X, y: (model.predict(X) == y).mean()}, random_state=0
    )
    result = own.evaluate({"bayes": GaussianNB(), "near": KNeighborsClassifier()}, X[::3], y[::3])
    with pytest.raises(ValueError, match="or not known to be one"):
        result.test("stability_t_test")


def test_groups_are_refused_and_one_column_of_numbers_is_numbers():
    X, y = load_diabetes(return_X_y=True)
    models = {"line": LinearRegression(), "tree": DecisionTreeRegressor(max_depth=3)}
    evaluator = skc.PairedEvaluator(cv="2x5", random_state=0)
    grouped = evaluator.evaluate(models, X[:100], y[:100], groups=np.arange(100) // 4)
    with pytest.raises(ValueError, match="without groups"):
        grouped.test("stability_t_test")
    flat, column = (evaluator.evaluate(models, X[:100], target) for target in (y[:100], y[:100, None]))
    assert column.test("stability_t_test").correction == pytest.approx(flat.test("stability_t_test").correction)


@pytest.mark.parametrize("n_repeats", [2, 10])
def test_models_that_change_alone_are_seldom_warned_of(n_repeats, rng):
    warned = 0
    for _ in range(100):
        a, b, *losses, folds = drawn(rng, n_repeats, 5, 100)
        warned += bool(stability_t_test(a, b, *losses, folds).warnings)
    assert warned <= 15  # two standard deviations and the usual excess above: 2% of a normal excess; P(> 15) < 1e-8


@pytest.mark.parametrize("cv", [10, "5x2", "time"])
def test_other_designs_are_refused(cv):
    X, y = load_iris(return_X_y=True)
    splitter = TimeSeriesSplit(5) if cv == "time" else cv
    order = np.random.default_rng(0).permutation(len(y))
    result = skc.PairedEvaluator(cv=splitter, scoring="accuracy", random_state=0).evaluate(
        {"bayes": GaussianNB(), "near": KNeighborsClassifier()}, X[order], y[order]
    )
    with pytest.raises(ValueError, match="'stability_t_test' needs 5 to 20 folds, repeated"):
        result.test("stability_t_test")


def test_without_predictions_it_says_what_is_lacking():
    X, y = load_iris(return_X_y=True)
    result = skc.PairedEvaluator(
        cv="2x5", scoring="accuracy", random_state=0, options=RunOptions(keep_predictions=False)
    ).evaluate({"bayes": GaussianNB(), "near": KNeighborsClassifier()}, X, y)
    with pytest.raises(ValueError, match="predictions"):
        result.test("stability_t_test")
