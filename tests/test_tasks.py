"""Tasks beyond one class or number per sample: labels, several numbers, grades, quantiles, events, rankings."""

import html
from itertools import product

import numpy as np
import pytest
from sklearn import metrics as skm
from sklearn.base import BaseEstimator
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_linnerud
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, QuantileRegressor, Ridge
from sklearn.model_selection import ShuffleSplit, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcompare import PairedEvaluator, RunOptions, from_outcomes, from_predictions, load, verify
from skcompare.cli import main as cli
from skcompare.inference import mcnemar_test, metric_interval, paired_bootstrap, paired_metric_test, paired_t_test

ONE = ShuffleSplit(1, test_size=0.4, random_state=0)
AVERAGED = [
    f"{m}_{a}" for m in ("precision", "recall", "f1", "jaccard") for a in ("micro", "macro", "weighted", "samples")
]


@pytest.fixture(scope="module")
def digits():
    """Digits as three labels each: even, above 4, drawn with a loop."""
    X, digit = (part[:300] for part in load_digits(return_X_y=True))
    return X, np.column_stack([digit % 2 == 0, digit > 4, np.isin(digit, (0, 4, 6, 8, 9))]).astype(int)


def label_models():
    tree = DecisionTreeClassifier(max_depth=5, random_state=0)
    return {"tree": tree, "neighbours": KNeighborsClassifier()}


@pytest.fixture(scope="module")
def labelled(digits):
    return PairedEvaluator(cv=ONE, random_state=0).evaluate(label_models(), *digits)


@pytest.fixture
def label_sets(rng):
    y = (rng.random((40, 4)) < 0.4).astype(int)
    return y, *(np.where(rng.random(y.shape) < share, 1 - y, y) for share in (0.2, 0.35))


# ---- several labels ------------------------------------------------------------------------------------------


def test_the_default_metrics_are_those_of_scikit_learn_on_unstratified_folds(digits):
    result = PairedEvaluator(cv="1x3", random_state=0).evaluate(label_models(), *digits)
    assert result.details.task == "multilabel"
    assert result.metrics == ("accuracy", *AVERAGED[8:10], "f1_samples", "jaccard_samples", "neg_label_ranking_loss")
    assert "KFold" not in str(result.provenance["cv"])
    for name, model in label_models().items():
        theirs = cross_validate(model, *digits, cv=result.splits(), scoring=["accuracy", "f1_micro", "f1_macro"])
        for metric in ("accuracy", "f1_micro", "f1_macro"):
            assert result.score(name, metric) == pytest.approx(theirs[f"test_{metric}"], abs=1e-12)
        for i, (train, test) in enumerate(result.splits()):
            fitted = model.fit(digits[0][train], digits[1][train])
            scores = np.column_stack([p[:, -1] for p in fitted.predict_proba(digits[0][test])])
            loss = skm.label_ranking_loss(digits[1][test], scores)
            assert result.score(name, "neg_label_ranking_loss")[i] == pytest.approx(-loss, abs=1e-12)


def test_each_metric_of_labels_has_the_test_that_fits_it(labelled, digits):
    assert {row.metric: row.procedure for row in labelled.compare()} == {
        "accuracy": "mcnemar_test",
        **dict.fromkeys(("f1_micro", "f1_macro"), "paired_metric_test"),
        **dict.fromkeys(("f1_samples", "jaccard_samples", "neg_label_ranking_loss"), "paired_t_test"),
    }
    tree, neighbours = (labelled.predictions(name)[0] for name in labelled.estimators)
    right = [(part.y_pred == part.y_true).all(axis=1) for part in (tree, neighbours)]
    assert labelled.test(metric="accuracy").pvalue == mcnemar_test(*right).pvalue
    assert labelled.test(metric="accuracy").pvalue < 0.01
    of_samples = [
        [
            skm.jaccard_score([t], [p], average="samples", zero_division=0)
            for t, p in zip(part.y_true, part.y_pred, strict=True)
        ]
        for part in (tree, neighbours)
    ]
    found = labelled.test(metric="jaccard_samples")
    assert found.pvalue == pytest.approx(paired_t_test(*of_samples).pvalue)
    losses = [
        [
            -skm.label_ranking_loss(part.y_true[i : i + 1], part.predict_proba[i : i + 1])
            for i in range(len(part.y_true))
        ]
        for part in (tree, neighbours)
    ]
    assert labelled.test(metric="neg_label_ranking_loss").pvalue == pytest.approx(paired_t_test(*losses).pvalue)
    assert len(digits[1][0]) == tree.predict_proba.shape[1] == 3


def test_error_rates_are_quoted_of_labels_on_one_test_set(labelled):
    said = " ".join(labelled.summary("full").split())
    assert "one test set, 50 to 1,000 samples, 5 labels each" in said


def test_a_result_of_labels_is_made_again(labelled, digits):
    assert verify(labelled, *digits).outcome == "identical"


def test_a_model_does_not_differ_from_itself_on_labels(digits):
    same = PairedEvaluator(cv=ONE, random_state=0).evaluate([KNeighborsClassifier()] * 2, *digits)
    assert [row.pvalue for row in same.compare()] == [1.0] * 6
    assert [row.estimate for row in same.compare()] == [0.0] * 6


def test_scores_of_two_labels_are_both_kept(digits):
    X, y = digits
    models = {"rest": OneVsRestClassifier(GaussianNB()), "chain": ClassifierChain(LogisticRegression(max_iter=300))}
    result = PairedEvaluator(cv=ONE, scoring=["neg_label_ranking_loss"]).evaluate(models, X, y[:, :2])
    kept = result.predictions("rest")[0]
    assert kept.predict_proba.shape == kept.y_true.shape == (120, 2)
    parts = [result.predictions(name)[0] for name in models]
    theirs = [-skm.label_ranking_loss(part.y_true, part.predict_proba) for part in parts[:1]]
    assert result.score("rest", "neg_label_ranking_loss")[0] == pytest.approx(theirs[0])
    assert [row.procedure for row in result.compare()] == ["paired_t_test"]


@pytest.mark.parametrize("metric", ["accuracy", *AVERAGED, "neg_hamming_loss"])
def test_metrics_of_label_sets_are_those_of_scikit_learn(metric, label_sets):
    y, a, b = label_sets
    found = paired_metric_test(y, a, b, metric, rng=0)
    scorer = skm.get_scorer("accuracy" if metric == "neg_hamming_loss" else metric)
    theirs = scorer._score_func if metric != "neg_hamming_loss" else lambda t, p: -skm.hamming_loss(t, p)
    options = {} if metric in ("accuracy", "neg_hamming_loss") else {**scorer._kwargs, "zero_division": 0}
    assert found.score_a == pytest.approx(theirs(y, a, **options), abs=1e-12)
    assert found.score_b == pytest.approx(theirs(y, b, **options), abs=1e-12)
    boot = paired_bootstrap(y, a, b, metric, rng=0, n_resamples=200)
    assert boot.estimate == pytest.approx(found.estimate)
    assert metric_interval(y, a, metric, rng=0, n_resamples=200).estimate == pytest.approx(found.score_a)


@pytest.mark.parametrize("metric", ["f1_macro", "jaccard_samples"])
def test_exchanges_of_label_sets_are_all_of_them(metric, rng):
    y = (rng.random((6, 3)) < 0.5).astype(int)
    a, b = (np.where(rng.random(y.shape) < 0.3, 1 - y, y) for _ in range(2))
    scorer = skm.get_scorer(metric)

    def difference(first, second):
        of_a, of_b = (scorer._score_func(y, x, **scorer._kwargs, zero_division=0) for x in (first, second))
        record = paired_metric_test(y, first, second, metric)
        assert record.estimate == pytest.approx(of_a - of_b)
        return abs(record.statistic)

    observed, found = difference(a, b), []
    for swap in product((False, True), repeat=len(y)):
        where = np.array(swap)[:, None]
        found.append(difference(np.where(where, b, a), np.where(where, a, b)))
    by_hand = np.mean(np.array(found) >= observed * (1 - 1e-7))
    assert paired_metric_test(y, a, b, metric).pvalue == pytest.approx(by_hand)


def test_callables_and_clusters_of_label_sets(label_sets):
    y, a, b = label_sets
    named = paired_metric_test(y, a, b, "f1_macro", rng=0, n_resamples=99)
    called = paired_metric_test(
        y, a, b, lambda t, p: skm.f1_score(t, p, average="macro", zero_division=0), rng=0, n_resamples=99
    )
    assert called.estimate == pytest.approx(named.estimate)
    assert called.n_differing == named.n_differing
    clustered = paired_metric_test(y, a, b, "f1_macro", clusters=np.arange(40) // 4, rng=0)
    assert clustered.n_clusters == 10
    assert clustered.estimate == pytest.approx(named.estimate)


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["labels", "probability", "score"])
def test_predictions_of_labels_are_read(kind, label_sets, tmp_path):
    y, a, _ = label_sets
    noise = np.linspace(0.01, 0.4, y.size).reshape(y.shape)
    given = {"labels": a, "probability": {"probability": abs(a - noise)}, "score": {"score": a - 0.5 - noise / 2}}[kind]
    result = from_predictions(y, {"a": given, "b": y}, scoring=["accuracy", "f1_micro", "jaccard_samples"])
    assert result.details.task == "multilabel"
    assert result.score("a", "accuracy")[0] == skm.accuracy_score(y, a)
    assert [row.winner for row in result.compare()] == ["b"] * 3
    result.save(tmp_path / "labels.skc")
    again = load(tmp_path / "labels.skc")
    assert again.summary("full") == result.summary("full")
    assert str(again.by(np.arange(40) % 2)) == str(result.by(np.arange(40) % 2))


def test_weights_and_clusters_of_labels(label_sets):
    y, a, b = label_sets
    twice = from_predictions(
        np.tile(y, (2, 1)),
        {"a": np.tile(a, (2, 1)), "b": np.tile(b, (2, 1))},
        clusters=[*range(40)] * 2,
        scoring=["accuracy", "f1_micro"],
    )
    assert {row.procedure for row in twice.compare()} == {"cluster_t_test", "paired_metric_test"}
    weighted = from_predictions(y, {"a": a, "b": b}, sample_weight=np.ones(40) * 3, scoring=["accuracy", "f1_macro"])
    plain = from_predictions(y, {"a": a, "b": b}, scoring=["accuracy", "f1_macro"])
    assert weighted.scores == pytest.approx(plain.scores)
    assert [row.procedure for row in weighted.compare()] == ["paired_t_test"] * 2


def test_labels_through_text_page_and_command(digits, tmp_path, capsys):
    pd = pytest.importorskip("pandas")
    X, y = digits
    frame = pd.DataFrame(X[:, 20:40], columns=[f"p{i}" for i in range(20)])
    frame[["even", "above", "loop"]] = y
    frame.to_csv(tmp_path / "digits.csv", index=False)
    told = ["compare", "--data", str(tmp_path / "digits.csv"), "--cv", "4", "--out", str(tmp_path / "digits.skc")]
    told += [word for name in ("even", "above", "loop") for word in ("--target", name)]
    told += [
        "--model",
        "tree=sklearn.tree:DecisionTreeClassifier",
        "--model",
        "knn=sklearn.neighbors:KNeighborsClassifier",
    ]
    cli.command.main([*told, "--html", str(tmp_path / "digits.html")], standalone_mode=False)
    out, result = capsys.readouterr().out, load(tmp_path / "digits.skc")
    assert result.details.task == "multilabel"
    assert " ".join(result.summary().split()).removesuffix("result.explain().") in " ".join(out.split())
    page = (tmp_path / "digits.html").read_text(encoding="utf-8")
    assert html.escape(result.explain().named("answer").text) in page
    assert "label ranking loss" in page


# ---- several numbers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("cv", ["2x4", ONE], ids=["folds", "one test set"])
def test_several_numbers(cv):
    models = {"ridge": Ridge(), "knn": KNeighborsRegressor(3), "mean": DummyRegressor()}
    X, y = load_linnerud(return_X_y=True)
    scoring = ["r2", "neg_mean_absolute_error", "neg_root_mean_squared_error", "neg_mean_squared_error"]
    assert PairedEvaluator(cv=cv, random_state=0).evaluate(models, X, y).metrics == tuple(scoring[:3])
    result = PairedEvaluator(cv=cv, scoring=scoring, random_state=0).evaluate(models, X, y)
    assert result.details.task == "multioutput"
    theirs = cross_validate(models["ridge"], X, y, cv=result.splits(), scoring=scoring)
    assert all(result.score("ridge", m) == pytest.approx(theirs[f"test_{m}"]) for m in scoring)
    rows = result.compare()
    if cv is not ONE:
        assert rows.procedure == "corrected_t_test"
        return
    assert rows.procedure == "paired_t_test"
    for row in rows:  # a mean of values per sample, its own or linearised, is the score
        assert row.record.estimate == pytest.approx(row.mean_a - row.mean_b)
    parts = [result.predictions(name)[0] for name in ("ridge", "knn")]
    values = [-np.abs(part.y_true - part.y_pred).mean(axis=1) for part in parts]
    found = result.test(metric="neg_mean_absolute_error")
    assert found.pvalue == pytest.approx(paired_t_test(*values).pvalue)
    assert "ridge" in result.to_html()


def test_predictions_of_several_numbers(rng):
    y = rng.normal(size=(60, 2))
    result = from_predictions(y, {"near": y + 0.1 * rng.normal(size=y.shape), "far": y + rng.normal(size=y.shape)})
    assert result.details.task == "multioutput"
    assert {row.winner for row in result.compare()} == {"near"}


# ---- grades, quantiles ---------------------------------------------------------------------------------------


def test_quadratic_kappa_by_hand_and_by_scikit_learn(rng):
    # truth 1 2 3 4, predicted 1 2 4 4: squared differences 0 0 1 0; means 2.5 and 2.75, variances 1.25 and 1.6875
    assert paired_metric_test([1, 2, 3, 4], [1, 2, 4, 4], [1, 2, 3, 4], "quadratic_kappa").score_a == pytest.approx(
        1 - 0.25 / (1.25 + 1.6875 + 0.0625)
    )
    y, a, b = rng.integers(1, 6, (3, 300))
    found = paired_metric_test(y, a, b, "quadratic_kappa", rng=0, n_resamples=200)
    theirs = [skm.cohen_kappa_score(y, x, labels=range(1, 6), weights="quadratic") for x in (a, b)]
    assert [found.score_a, found.score_b] == pytest.approx(theirs, abs=1e-12)
    gaps = [np.where(x == 3, 2, x) for x in (y, a, b)]  # no one has a 3, but 2 and 4 are two apart
    found = paired_metric_test(*gaps, "quadratic_kappa", rng=0, n_resamples=200)
    theirs = [skm.cohen_kappa_score(gaps[0], x, labels=range(1, 6), weights="quadratic") for x in gaps[1:]]
    assert [found.score_a, found.score_b] == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("cv", [4, ONE], ids=["folds", "one test set"])
def test_grades_of_the_progress_of_diabetes(cv, tmp_path):
    X, progress = load_diabetes(return_X_y=True)
    grade = np.digitize(progress, [80, 130, 200, 270]) + 1
    models = {"logistic": LogisticRegression(), "stump": DecisionTreeClassifier(max_depth=1)}
    scoring = ["quadratic_kappa", "neg_mean_absolute_error"]
    result = PairedEvaluator(cv=cv, scoring=scoring, random_state=0).evaluate(models, X, grade)
    part = result.predictions("logistic")[0]
    theirs = skm.cohen_kappa_score(part.y_true, part.y_pred, labels=range(1, 6), weights="quadratic")
    assert result.score("logistic", "quadratic_kappa")[0] == pytest.approx(theirs)
    procedures = [row.procedure for row in result.compare()]
    assert procedures == (["k_fold_t_test"] * 2 if cv == 4 else ["paired_metric_test", "paired_t_test"])
    if cv is ONE:
        interval = result.intervals("quadratic_kappa")[0]
        assert interval.low < interval.score < interval.high
        result.save(tmp_path / "grades.skc")
        assert load(tmp_path / "grades.skc").summary() == result.summary()


@pytest.mark.parametrize("alpha", [0.1, 0.9])
def test_a_scorer_of_ones_own_is_tested_after_loading(alpha, tmp_path):
    X, y = load_diabetes(return_X_y=True)
    models = {"ridge": Ridge(), "tree": DecisionTreeRegressor(max_depth=2, random_state=0)}
    pinball = skm.make_scorer(skm.mean_pinball_loss, alpha=alpha, greater_is_better=False)
    result = PairedEvaluator(cv=ONE, scoring={"pinball": pinball}).evaluate(models, X[:, :3], y)
    result.save(tmp_path / "one.skc")
    again = load(tmp_path / "one.skc")
    assert again.compare()[0].pvalue == result.compare()[0].pvalue
    assert again.summary("full") == result.summary("full")
    assert again._scores.metric_functions["pinball"].equals(result._scores.metric_functions["pinball"])


def test_the_pinball_loss_of_a_quantile():
    pinball = skm.make_scorer(skm.mean_pinball_loss, alpha=0.9, greater_is_better=False)
    models = {"linear": QuantileRegressor(quantile=0.9, alpha=0), "median": QuantileRegressor(quantile=0.5, alpha=0)}
    X, y = load_diabetes(return_X_y=True)
    result = PairedEvaluator(cv=ONE, scoring={"pinball": pinball}).evaluate(models, X[:, :3], y)
    values = []
    for name in models:
        part = result.predictions(name)[0]
        error = part.y_true - part.y_pred
        values.append(-np.where(error > 0, 0.9 * error, -0.1 * error))
        assert values[-1].mean() == pytest.approx(result.score(name, "pinball")[0])
    found = result.test()
    assert found.pvalue == pytest.approx(paired_t_test(*values).pvalue)
    assert found.estimate > 0
    assert found.pvalue < 0.001
    unknown = skm.make_scorer(skm.mean_pinball_loss, sample_weight=np.ones(177), greater_is_better=False)
    other = PairedEvaluator(cv=ONE, scoring={"pinball": unknown}).evaluate(models, X[:, :3], y)
    assert other.compare().procedure == "paired_metric_test"


# ---- events with times, rankings ------------------------------------------------------------------------------

# Weeks in remission of leukemia and log white blood cells, of 21 treated and 21 others; Freireich et al. (1963), Blood
# 21, 699-716, as in Kleinbaum and Klein, Survival Analysis. Censored times are negative.
TREATED = [6, 6, 6, -6, 7, -9, 10, -10, -11, 13, 16, -17, -19, -20, 22, 23, -25, -32, -32, -34, -35]
OTHERS = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23]
CELLS = [
    *(2.31, 4.06, 3.28, 3.20, 4.43, 2.80, 2.96, 2.70, 2.60, 2.88, 3.60, 2.16, 2.05, 2.01, 2.32, 2.57, 1.78, 2.20),
    *(2.53, 1.47, 1.45, 2.80, 5.00, 4.91, 4.48, 4.01, 4.36, 2.42, 3.49, 3.97, 3.52, 3.05, 2.32, 3.26, 3.49, 2.12),
    *(1.50, 3.06, 2.30, 2.95, 2.73, 1.97),
]
X_REMISSION = np.column_stack([np.repeat([0.0, 1.0], 21), CELLS])
REMISSION = np.array([(t > 0, abs(t)) for t in (*TREATED, *OTHERS)], dtype=[("event", bool), ("time", float)])


class Rule(BaseEstimator):
    """Risk by the sum of some columns."""

    def __init__(self, columns=(0,)):
        self.columns = columns

    def fit(self, X, y):  # noqa: ARG002
        self.n_events_ = int(y["event"].sum())
        return self

    def predict(self, X):
        return np.sum([X[:, i] for i in self.columns], axis=0)


def concordance(y, risk):
    """Harrell's: of pairs whose first event is known the share that is in order."""
    known = (y["time"][:, None] < y["time"]) & y["event"][:, None]
    order = (risk[:, None] > risk) + (risk[:, None] == risk) / 2
    return float(order[known].mean())


RULES = {"both": Rule((0, 1)), "treatment": Rule()}


@pytest.mark.parametrize(
    "scorer",
    [skm.make_scorer(concordance), lambda model, X, y: concordance(y, model.predict(X))],
    ids=["scorer", "callable"],
)
def test_events_with_times_have_tests_on_splits_alone(scorer, tmp_path):
    scoring = {"concordance": scorer}
    result = PairedEvaluator(cv="5x3", scoring=scoring, random_state=0).evaluate(RULES, X_REMISSION, REMISSION)
    assert result.details.task == "other"
    (row,) = result.compare()
    assert (row.procedure, row.winner) == ("corrected_t_test", "both")
    assert "both" in result.to_html()
    result.save(tmp_path / "remission.skc")
    again = load(tmp_path / "remission.skc")
    assert again.summary() == result.summary()
    assert (again.predictions("both")[0].y_true == result.predictions("both")[0].y_true).all()
    with pytest.raises(ValueError, match=r"needs labels or numbers as y.*'corrected_t_test' tests"):
        result.test("mcnemar_test")
    with pytest.raises(ValueError, match=r"records, .*'dummy' knows nothing: add a model"):
        PairedEvaluator(cv=3, scoring=scoring, baseline="dummy").evaluate([Ridge()], X_REMISSION, REMISSION)
    one = PairedEvaluator(cv=ONE, scoring=scoring).evaluate(RULES, X_REMISSION, REMISSION)
    assert [row.outcome.value for row in one.compare()] == ["not comparable"]
    assert "on several splits 'corrected_t_test' tests any score" in " ".join(one.summary("full").split())
    assert "not comparable" in one.to_html()


def test_a_metric_of_ranks_exchanges_ranks(rng):
    y = rng.normal(size=50)
    a, b = y + rng.normal(size=50), np.exp(3 * (y + rng.normal(size=50)))  # another scale by far

    def order(true, found):
        return float(np.corrcoef(np.argsort(np.argsort(true)), np.argsort(np.argsort(found)))[0, 1])

    result = from_predictions(y, {"a": a, "b": b}, scoring={"order": skm.make_scorer(order)})
    same = from_predictions(y, {"a": a, "b": np.log(b)}, scoring={"order": skm.make_scorer(order)})
    tests = [one.test("paired_metric_test", metric="order", rng=0, n_resamples=99) for one in (result, same)]
    assert tests[0].pvalue == tests[1].pvalue


def test_rankings_by_query_on_splits_and_on_one_test_set():
    X, progress = load_diabetes(return_X_y=True)
    query, relevance = np.arange(440) // 10, np.digitize(progress[:440], [80, 130, 200, 270])
    X = np.column_stack([query, X[:440]])

    def ndcg(model, X, y):
        scores = model.predict(X)
        return np.mean([skm.ndcg_score([y[X[:, 0] == q]], [scores[X[:, 0] == q]]) for q in np.unique(X[:, 0])])

    models = {"ridge": Ridge(), "neighbours": KNeighborsRegressor()}
    evaluator = PairedEvaluator(cv="3x4", scoring={"ndcg": ndcg}, random_state=0)
    result = evaluator.evaluate(models, X, relevance, groups=query)
    assert result.compare().procedure == "corrected_t_test"
    tables = {
        name: model.fit(X[:200], relevance[:200]).predict(X[200:]).reshape(-1, 10) for name, model in models.items()
    }
    true = relevance[200:].reshape(-1, 10)
    by_query = {n: [skm.ndcg_score([t], [p]) for t, p in zip(true, found, strict=True)] for n, found in tables.items()}
    items = from_outcomes({"ndcg": by_query})
    rows = from_predictions(true, tables, scoring={"ndcg": skm.make_scorer(skm.ndcg_score)})
    assert rows.test().pvalue == pytest.approx(items.test().pvalue)


# ---- what is kept --------------------------------------------------------------------------------------------


class Counting(GaussianNB):
    """Counts how often it is asked for probabilities."""

    asked = 0

    def predict_proba(self, X):
        type(self).asked += 1
        return super().predict_proba(X)


@pytest.mark.parametrize("name", ["average_precision", "my own"])
@pytest.mark.parametrize("cv", [3, ONE], ids=["folds", "one test set"])
def test_what_a_metric_reads_is_kept_whatever_its_name(name, cv):
    X, y = load_breast_cancer(return_X_y=True)
    models = {"nb": GaussianNB(), "forest": RandomForestClassifier(5, random_state=0)}
    result = PairedEvaluator(cv=cv, scoring={name: "average_precision"}, random_state=0).evaluate(
        models, X[:200], y[:200]
    )
    assert all(part.predict_proba is not None for name in models for part in result.predictions(name))
    assert result.plot("precision_recall").names == ["nb", "forest"]
    assert np.isfinite(result.test("delong_test").pvalue)


@pytest.mark.parametrize(("average", "expected"), [("macro", [2, 2]), ("micro", [4, 2])])
def test_nothing_is_asked_for_that_is_not_kept(average, expected):
    X, y = load_breast_cancer(return_X_y=True)
    scorer = skm.make_scorer(skm.average_precision_score, response_method="predict_proba", average=average)
    asked = []
    for keep in (True, False):
        Counting.asked = 0
        evaluator = PairedEvaluator(cv=2, scoring={"ap": scorer}, options=RunOptions(keep_predictions=keep))
        evaluator.evaluate({"a": Counting(), "b": GaussianNB()}, X[:100], y[:100])
        asked.append(Counting.asked)
    assert asked == expected
