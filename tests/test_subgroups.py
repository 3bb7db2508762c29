"""Groups of samples: each is compared as if it stood alone, and the groups with each other, under one error budget."""

import numpy as np
import pytest
from scipy import special, stats
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcompare import Outcome, PairedEvaluator, RunOptions, SearchReport, from_outcomes, from_predictions
from skcompare.inference import adjust_pvalues, mcnemar_test

MODELS = ("a", "b")
SCORING = ["accuracy", "f1", "roc_auc", "neg_log_loss"]


@pytest.fixture
def data(rng):
    """True labels, groups, and probabilities of two models of which the first is better in the north alone."""
    y, group = rng.integers(0, 2, 400), rng.choice(["north", "south", "west"], 400)
    strength = {"a": np.where(group == "north", 2.5, 0.6), "b": np.full(400, 0.6)}
    noise = {name: rng.normal(size=400) * 1.5 for name in MODELS}
    return y, group, {name: 1 / (1 + np.exp(-((2 * y - 1) * strength[name] + noise[name]))) for name in MODELS}


def test_a_group_is_compared_as_if_it_stood_alone(data):
    y, group, found = data
    table = from_predictions(y, found, scoring=SCORING).by(group)
    for name in np.unique(group):
        inside = group == name
        alone = from_predictions(y[inside], {m: p[inside] for m, p in found.items()}, scoring=SCORING).compare()
        rows = [row for row in table if row.group == name]
        assert [row.pvalue for row in rows] == [row.pvalue for row in alone]
        for own, other in zip(rows, alone, strict=True):
            assert (own.estimate, own.mean_a) == pytest.approx((other.estimate, other.mean_a))
            interval = other.record.confidence_interval(own.confidence_level)
            if own.winner is None:
                assert (own.low, own.high) == pytest.approx((min(interval.low, 0), max(interval.high, 0)))
        assert table.sizes[name] == inside.sum()


def test_one_budget_holds_all_comparisons_and_interactions(data):
    y, group, found = data
    table = from_predictions(y, found, scoring="accuracy").by(group)
    raw = [*(row.pvalue for row in table), *(row.interaction_pvalue for row in table)]
    adjusted = [*(row.pvalue_adjusted for row in table), *(row.interaction_pvalue_adjusted for row in table)]
    assert adjusted == pytest.approx(adjust_pvalues(raw, "holm"))
    assert table.n_hypotheses == len(raw) == 6


def test_the_interaction_of_two_groups_is_welchs_test_of_their_differences(rng):
    scores = {name: rng.normal(size=90) for name in MODELS}
    group = np.array(["x", "y"])[rng.integers(0, 2, 90)]
    first, second = from_outcomes(scores).by(group)
    d = scores["a"] - scores["b"]
    expected = stats.ttest_ind(d[group == "x"], d[group == "y"], equal_var=False)
    assert first.interaction_pvalue == pytest.approx(expected.pvalue)
    assert first.interaction == pytest.approx(d[group == "x"].mean() - d[group == "y"].mean())
    assert np.isnan(second.interaction_pvalue)  # it is the same with the other sign


def test_the_interval_of_an_interaction_leaves_out_0_where_it_is_significant_and_there_alone(rng):
    seen = set()
    for shift in (0.0, 4.0, *rng.uniform(0.0, 2.0, size=12)):
        group = rng.choice(["x", "y", "z"], size=90)
        scores = {name: rng.normal(size=90) + shift * (name == "a") * (group == "x") for name in MODELS}
        for row in from_outcomes(scores).by(group):
            significant = row.interaction_pvalue_adjusted < 0.05
            inside = row.interaction_low <= 0 <= row.interaction_high and not row.interaction_open_at_null
            assert inside != significant, row
            assert row.interaction_low <= row.interaction <= row.interaction_high
            seen.add(significant)
    assert seen == {True, False}


@pytest.mark.sampled("simulations")
def test_where_groups_are_alike_no_interaction_is_claimed_too_often(global_random_seed):
    """The share of p < 0.05 among 400 true nulls is within 3.5 standard errors (1.1%) of 5%."""
    rng = np.random.default_rng(global_random_seed)
    rejected = 0
    for _ in range(400):
        scores = {name: rng.normal(size=40) + 0.5 * (name == "a") for name in MODELS}
        rejected += from_outcomes(scores).by(["x", "y"] * 20)[0].interaction_pvalue < 0.05
    assert abs(rejected / 400 - 0.05) < 0.038


def test_swapped_models_swap_the_table_and_the_order_of_rows_does_not_matter(data, rng):
    y, group, found = data
    table = from_predictions(y, found, scoring=["accuracy", "neg_log_loss"]).by(group)
    swapped = from_predictions(y, dict(reversed(found.items())), scoring=["accuracy", "neg_log_loss"]).by(group)
    order = rng.permutation(len(y))
    shuffled = from_predictions(
        y[order], {m: p[order] for m, p in found.items()}, scoring=["accuracy", "neg_log_loss"]
    ).by(group[order])
    mirrored = {Outcome.BETTER: Outcome.WORSE, Outcome.WORSE: Outcome.BETTER}
    for row, other, same in zip(table, swapped, shuffled, strict=True):
        assert row.pvalue_adjusted == pytest.approx(other.pvalue_adjusted)
        assert row.interaction == pytest.approx(-other.interaction, nan_ok=True)
        assert mirrored.get(row.outcome, row.outcome) is other.outcome
        assert row.pvalue_adjusted == pytest.approx(same.pvalue_adjusted)
        assert row.interaction == pytest.approx(same.interaction, nan_ok=True)


def test_a_column_of_the_samples_serves_as_labels(data):
    y, group, found = data
    table = {
        "sample_id": np.tile(np.arange(400), 2),
        "model": np.repeat(MODELS, 400),
        "y_true": np.tile(y, 2),
        "probability": np.concatenate([found["a"], found["b"]]),
        "hospital": np.tile(group, 2),
    }
    result = from_predictions(table, scoring="accuracy")
    by_name, by_labels = result.by("hospital"), result.by(group)
    assert by_name.by == "hospital"
    assert [row.pvalue for row in by_name] == [row.pvalue for row in by_labels]
    assert "hospital" not in str(by_labels)
    inside = group == "north"
    right = [(found[m] > 0.5) == y for m in MODELS]
    assert by_name[0].pvalue == mcnemar_test(right[0][inside], right[1][inside]).pvalue


def test_groups_of_an_evaluation_on_folds_have_scores_of_their_own():
    X, y = load_breast_cancer(return_X_y=True)
    models = {"lr": make_pipeline(StandardScaler(), LogisticRegression()), "nb": GaussianNB()}
    result = PairedEvaluator(cv=5, scoring=["accuracy", "fit_time"], random_state=0).evaluate(models, X, y)
    large = X[:, 0] > 14
    table = result.by(np.where(large, "large", "small"))
    assert {row.metric for row in table} == {"accuracy"}  # a time is of whole fits
    parts = result.predictions("lr")
    expected = [(part.y_pred == part.y_true)[large[part.test_indices]].mean() for part in parts]
    assert table[0].mean_a == pytest.approx(np.mean(expected))
    assert table[0].procedure == "k_fold_t_test"


def test_test_sets_without_a_sample_of_a_group_are_said_to_be_empty():
    X, y = load_breast_cancer(return_X_y=True)
    models = {"nb": GaussianNB(), "lr": make_pipeline(StandardScaler(), LogisticRegression())}
    result = PairedEvaluator(cv=[*StratifiedKFold(5).split(X, y)], scoring="accuracy").evaluate(models, X, y)
    (first, *_) = result.splits()
    few = np.isin(np.arange(len(y)), first[1][:4])
    said = [one.sentence for row in result.by(np.where(few, "few", "most")) for one in row.warnings]
    told = {one for one in said if "is not defined" in one}
    assert len(told) == 1
    assert told.pop().startswith("accuracy is not defined on 4 of 5 splits, whose test sets are empty.")


def test_items_in_clusters_are_compared_and_set_against_each_other_by_cluster(rng):
    clusters = np.repeat(np.arange(30), 5)
    scores = {name: rng.normal(size=150) + rng.normal(size=30)[clusters] for name in MODELS}
    table = from_outcomes(scores, clusters=clusters).by(np.where(clusters < 15, "x", "y"))
    assert table[0].procedure == "cluster_t_test"
    d = np.subtract(*scores.values()).reshape(30, 5).mean(axis=1)
    mean = d[:15].mean() - d[15:].mean()
    error = np.sqrt(30 / 29 * 14 * (d[:15].var(ddof=1) + d[15:].var(ddof=1))) / 15
    assert table[0].interaction_pvalue == pytest.approx(2 * stats.t.sf(abs(mean) / error, 29))


def test_small_groups_are_said_to_be_small(rng):
    scores = {name: rng.normal(size=60) for name in MODELS}
    table = from_outcomes(scores).by(["few"] * 10 + ["many"] * 50)
    assert [any(w.code == "APPROXIMATE" for w in row.warnings) for row in table] == [True, False]


def test_it_prints_a_sentence_and_a_table_and_draws(data):
    y, group, found = data
    table = from_predictions(y, found, scoring="accuracy").by(group)
    words = " ".join(str(table).split())
    assert words.startswith("a is significantly better than b in north")  # 0.95 against 0.65 of some 130 samples
    assert "significantly unlike that of the other samples" in words
    assert len(table.to_frame()) == 3
    pytest.importorskip("matplotlib")
    assert "difference" in table.plot().ax_.get_title("left")


def test_own_scores_have_intervals_of_the_fitting_kind(data):
    y, _, found = data
    intervals = from_predictions(y, found, scoring=[*SCORING, "average_precision"]).intervals()
    kinds = {row.metric: row.method for row in intervals}
    assert kinds == {
        "accuracy": "Wilson",
        "f1": "BCa bootstrap",
        "roc_auc": "Newcombe",
        "neg_log_loss": "t",
        "average_precision": "logit",
    }
    for row in intervals:
        assert row.low < row.score < row.high


def test_the_interval_of_a_mean_is_the_t_interval_and_that_of_a_cost_has_its_own_sign(rng):
    losses = {name: rng.gamma(2, size=80) for name in MODELS}
    (row, _) = from_outcomes({"loss": losses}, greater_is_better=False).intervals()
    expected = stats.ttest_1samp(losses["a"], 0).confidence_interval(0.95)
    assert (row.score, row.low, row.high) == pytest.approx((losses["a"].mean(), expected.low, expected.high))


def test_intervals_of_true_scores_hold_as_often_as_they_say(global_random_seed):
    """Of 300 intervals for a true accuracy of 0.8 and a true mean of 0: within 3.5 standard errors (1.3%) of 95%."""
    rng = np.random.default_rng(global_random_seed)
    hits = 0
    for _ in range(300):
        right = {name: (rng.random(100) < 0.8).astype(float) for name in MODELS}
        value = {name: rng.normal(size=100) for name in MODELS}
        found = from_outcomes({"right": right, "value": value}).intervals()
        hits += found[0].low < 0.8 < found[0].high
        hits += found[2].low < 0 < found[2].high
    assert abs(hits / 600 - 0.95) < 0.035


def test_intervals_of_folds_are_those_of_the_corrected_t_test():
    X, y = load_breast_cancer(return_X_y=True)
    models = {"lr": make_pipeline(StandardScaler(), LogisticRegression()), "nb": GaussianNB()}
    result = PairedEvaluator(cv=5, scoring="accuracy", random_state=0).evaluate(models, X, y)
    row = result.intervals()[0]
    scores = result.score("lr", "accuracy")
    error = np.sqrt((1 / 5 + 1 / 4) * scores.var(ddof=1))  # Nadeau and Bengio (2003): 1/n + n_test/n_train
    mean, reach = scores.mean(), stats.t.ppf(0.975, 4) * error
    on_scale = special.logit(mean) + np.array([-1, 1]) * reach / (mean * (1 - mean))  # the delta method
    assert (row.low, row.high) == pytest.approx(tuple(special.expit(on_scale)))
    assert row.method == "corrected t"


def test_candidates_of_a_search_have_groups_when_they_are_evaluated_as_the_refusal_says():
    X, y = load_breast_cancer(return_X_y=True)
    search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e-1, 1.0]}, cv=5).fit(X, y)
    report = SearchReport.from_search(search, X, y)
    with pytest.raises(ValueError, match=r"clone\(search\.estimator\)\.set_params\(\*\*params\)"):
        report.result().by(X[:, 0] > 14)
    chosen = {row.name: clone(search.estimator).set_params(**row.params) for row in report.ranking[:2]}
    result = PairedEvaluator(cv=5, scoring="accuracy", random_state=0).evaluate(chosen, X, y)
    assert {row.group for row in result.by(X[:, 0] > 14)} == {"False", "True"}


def test_a_renamed_metric_is_compared_in_groups_as_what_it_is(rng):
    y = np.where(rng.integers(2, size=200) == 1, "yes", "no")
    found = {name: np.where(rng.random(200) < share, "no", y) for name, share in (("a", 0.2), ("b", 0.5))}
    group = np.where(np.arange(200) < 100, "first", "second")
    renamed, plain = (
        from_predictions(y, found, scoring=scoring).by(group)
        for scoring in ({"hits": "recall", "right": "accuracy"}, ["recall", "accuracy"])
    )
    assert [row.pvalue for row in renamed] == [row.pvalue for row in plain]


@pytest.mark.parametrize("lacking", [{"n_seeds": 2}, {"options": RunOptions(keep_predictions=False)}])
def test_groups_without_predictions_are_sent_to_what_keeps_them(lacking, rng):
    X, y = rng.normal(size=(60, 2)), np.arange(60) % 2
    models = {
        name: GaussianNB(var_smoothing=x) for name, x in zip(rng.permutation(["a", "b"]), (1e-9, 1.0), strict=True)
    }
    given = {"cv": 3, "scoring": "accuracy", "random_state": 0}
    with pytest.raises(
        ValueError, match=f"evaluate with {'n_seeds=1' if 'n_seeds' in lacking else 'predictions kept'}$"
    ):
        PairedEvaluator(**given, **lacking).evaluate(models, X, y).by(y)
    assert PairedEvaluator(**given, n_seeds=1).evaluate(models, X, y).by(y)
