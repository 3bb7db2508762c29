"""One question has one answer: which comparisons share an error budget, and intervals that say what outcomes say."""

from __future__ import annotations

import pickle
from copy import deepcopy
from dataclasses import fields, replace

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.metrics import cohen_kappa_score, fbeta_score, jaccard_score, make_scorer
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import (
    LearningCurveResult,
    Outcome,
    PairedEvaluator,
    SearchReport,
    from_outcomes,
    from_predictions,
    from_runs,
    load,
    merge,
)
from skcompare.plotting import DifferencesDisplay
from tests.lawful import FULL
from tests.made_results import evaluation, items_of, judgments_of, on_a_test_set, search_of, stopped_run, study_of

FLAWS = ("", "", "", "equal models", "coarse", "missing", "failed", "no metric", "apart", "still")


CORRECTIONS = ("bonferroni", "hochberg", "hommel", "holland", "finner", "li", "rom", "fdr_bh", "fdr_by")


def shown(row):
    """The values of a row without its record."""
    return [getattr(row, one.name) for one in fields(row) if one.repr]


def drawn(rng, **changes):
    """How a result is made, drawn at random."""
    recipe = {
        "seed": int(rng.integers(2**31)),
        "n_models": int(rng.integers(2, 6)),
        "n_metrics": int(rng.integers(1, 5)),
        "design": [(1, 5), (1, 10), (2, 5), (3, 4), (10, 10)][rng.integers(5)],
        "spread": float(rng.choice([0, 1, 2, 5])),
        "flaw": str(rng.choice(FLAWS)),
        "n_samples": int(rng.integers(20, 120)),
        "n_datasets": int(rng.integers(2, 25)),
        "alpha": float(rng.choice([0.01, 0.05, 0.2])),
        "rope": None if rng.random() < 0.5 else 0.03,
        "drop": bool(rng.random() < 0.5),
    }
    return {**recipe, **changes}


def in_clusters(recipe):
    rng, n = np.random.default_rng(recipe["seed"]), recipe["n_samples"]
    clusters = rng.integers(0, n // 3, n)
    common = rng.normal(size=n // 3)[clusters]
    names = [f"m{i}" for i in range(recipe["n_models"])]
    shifts = np.arange(len(names)) * recipe["spread"] / 10
    passed = {
        name: (common + rng.normal(size=n) + shift > 0).astype(float) for name, shift in zip(names, shifts, strict=True)
    }
    return from_outcomes(passed, clusters=clusters)


def runs_of(recipe):
    rng, k = np.random.default_rng(recipe["seed"]), recipe["n_models"]
    shifts = np.repeat(np.arange(k) * recipe["spread"] / 10, 8)
    names = np.repeat([f"m{i}" for i in range(k)], 8)
    return from_runs({"model": names, "run": np.tile(np.arange(8), k), "score": shifts + rng.normal(size=8 * k)})


KINDS = {
    "folds": evaluation,
    "samples": lambda recipe: on_a_test_set({**recipe, "n_models": min(3, recipe["n_models"])}),
    "items": items_of,
    "clusters": in_clusters,
    "runs": runs_of,
    "judgments": judgments_of,
    "studies": study_of,
    "stopped": lambda recipe: stopped_run(
        {**recipe, "design": (4, 5), "flaw": "one missing" if recipe["flaw"] == "missing" else "", "n_metrics": 2}
    ),
}


def check(row, alpha, sequential=False):
    """The law: significant, p adj. below alpha, and an interval without the null are one thing."""
    significant = row.outcome.significant
    if not sequential and row.outcome.tested:
        assert significant == (row.pvalue_adjusted < alpha), row
    if row.low != row.low:
        return
    assert row.low <= row.high
    null = getattr(row, "null", 0.0)
    holds = row.low <= null <= row.high and not row.open_at_null
    assert holds != significant, row
    if row.open_at_null:
        assert null in (row.low, row.high)
    if row.winner is not None and not null:
        assert (row.low >= 0) == (row.winner == row.a)


def asked(rng, result):
    """What else can be asked of a comparison, drawn at random."""
    options = {}
    if getattr(getattr(result, "details", None), "stopping", None) is not None:
        return options
    options["alpha"] = float(rng.choice([0.01, 0.05, 0.05, 0.2]))
    options["correction"] = str(rng.choice(["holm", "holm", "none", *CORRECTIONS]))
    if rng.random() < 0.3:
        options["baseline"] = result.estimators[-1]
    if rng.random() < 0.2:
        options["alternative"] = str(rng.choice(["greater", "less"]))
    return options


@pytest.mark.sampled
@pytest.mark.parametrize("kind", KINDS)
def test_outcome_adjusted_p_and_interval_are_one_verdict(rng, kind):
    for _ in range((30 if kind in ("samples", "stopped") else 120) // (1 if FULL else 3)):
        recipe = drawn(rng)
        result = KINDS[kind](recipe)
        options = asked(rng, result)
        table = result.compare(**options)
        for row in table:
            check(row, table.alpha, table.sequential)
        for family in table.families if not table.sequential else ():
            own = [row for row in table if row.metric in family.metrics]
            assert sum(row.pvalue == row.pvalue for row in own) == family.n
            assert {row.confidence_level for row in own} == {family.level}


def counted_in(said):
    """Of a sentence on what intervals hold for, how many comparisons it counts on the first metric, and on others."""
    words = [part.replace("together", "").replace("intervals, ", "").split() for part in said.split(", 95%")]
    numbers = [1 if "all" not in part and "both" not in part else 2 if "both" in part else 0 for part in words]
    return [n or int(part[part.index("all") + 1].replace(",", "")) for n, part in zip(numbers, words, strict=True)]


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["folds", "runs", "items", "samples", "studies"])
def test_every_view_says_how_many_intervals_hold_together_and_on_which_metric(rng, kind):
    for _ in range(6):
        result = KINDS[kind](drawn(rng, alpha=0.05, flaw=str(rng.choice(["", "missing", "no metric"]))))
        table = result.compare(alpha=0.05)
        families = [one for one in table.families if one.n]
        texts = [
            " ".join(text.split()).replace("\\", "") for text in (str(table), table.to_markdown(), table._repr_html_())
        ]
        said = [text.partition("Intervals: ")[2].partition(".")[0] for text in texts]
        if max((one.n for one in families), default=0) < 2:
            assert not any(said)
            continue
        assert len({*said}) == 1
        assert counted_in(said[0]) == [one.n for one in families]
        if len(families) == 2:
            first = families[0].metrics[0]
            assert f"on {first}, 95% for " in said[0] or first.startswith("neg_")  # which have names of their own
            assert said[0].endswith(("others together", "the other one"))
        assert DifferencesDisplay.from_result(result).intervals == f"intervals, {said[0]}"


@pytest.mark.sampled
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "stopped"])
def test_metrics_select_rows_and_others_beside_the_first_change_nothing(rng, kind):
    for _ in range(4 if kind == "samples" else 15):
        result = KINDS[kind](drawn(rng, n_metrics=3))
        whole = {(row.metric, row.a, row.b): row for row in result.compare()}
        for metric in result.metrics:
            for row in result.compare(metrics=metric):
                assert repr(shown(row)) == repr(shown(whole[metric, row.a, row.b]))  # nan
        first = next((row.metric for row in whole.values() if row.pvalue == row.pvalue), result.metrics[0])
        if kind not in ("samples", "studies", "runs", "clusters") and first == result.metrics[0]:
            at = result._scores.metric_index(first)
            alone = replace(
                result,
                metrics=(first,),
                greater_is_better=result.greater_is_better[at : at + 1],
                scores=result.scores[:, :, at : at + 1],
            )
            for row in alone.compare():
                beside = whole[first, row.a, row.b]
                numbers = ("estimate", "low", "high", "pvalue", "pvalue_adjusted", "outcome", "confidence_level")
                assert repr([getattr(row, name) for name in numbers]) == repr(
                    [getattr(beside, name) for name in numbers]
                )


def test_both_orders_of_the_models_say_the_same(rng):
    for _ in range(20):
        result = evaluation(drawn(rng, flaw=""))
        turned = replace(result, estimators=result.estimators[::-1], scores=result.scores[::-1])
        found = {(row.metric, row.a, row.b): row for row in turned.compare()}
        for row in result.compare():
            other = found[row.metric, row.b, row.a]
            assert row.winner == other.winner
            assert (row.low, row.high) == pytest.approx((-other.high, -other.low), rel=1e-9, abs=1e-12)


def test_another_primary_metric_has_the_first_budget(rng):
    result = evaluation(drawn(rng, n_models=4, n_metrics=3, flaw="", spread=2.0))
    assert result.primary == result.metrics[0]
    table = result.compare(primary="recall")
    assert [family.name for family in table.families] == ["first", "secondary"]
    assert table.families[0].metrics == ("recall",)
    assert (table.families[0].n, table.families[1].n) == (6, 12)
    assert result.answer(primary="recall").metrics[0].metric == "recall"
    heads = [column.head.strip() for column in result.explain(primary="recall").named("models").columns]
    assert heads[heads.index("lead") - 1] == "recall"
    whole = result.compare(family="all")
    assert [(family.name, family.n) for family in whole.families] == [("all", 18)]
    with pytest.raises(ValueError, match="primary must be one of"):
        result.compare(primary="precision")


def test_alpha_is_carried_to_the_level_the_outcomes_and_the_words(rng):
    result = evaluation(drawn(rng, n_models=3, n_metrics=1, flaw="", spread=1.0))
    for alpha in (0.001, 0.1, 0.5):
        table = result.compare(alpha=alpha)
        assert table.alpha == alpha
        assert table.level == 1 - alpha / 3
        assert [row.outcome.significant for row in table] == [row.pvalue_adjusted < alpha for row in table]


def test_holm_cuts_what_only_a_later_step_finds():
    """Of two p-values of 0.01 and 0.04 the second is above 0.05 / 2, and passes at the second step."""
    rng = np.random.default_rng(0)
    found = [row for _ in range(60) for row in evaluation(drawn(rng, flaw="", spread=2.0)).compare()]
    cut = [row for row in found if row.open_at_null]
    assert cut
    for row in cut:
        interval = row.record.confidence_interval(row.confidence_level)
        assert interval.low <= 0 <= interval.high
        assert 0.05 * (1 - 1e-9) >= row.pvalue_adjusted >= row.pvalue >= (1 - row.confidence_level) * (1 - 1e-9)
        assert row._sentence().count("(0, ") + row._sentence().count(", 0)") == 1


def test_equivalence_reads_the_interval(rng):
    for _ in range(40):
        table = evaluation(drawn(rng, flaw="", spread=0.5, n_metrics=1)).compare(margin=0.03)
        for row in table:
            inside = row.low > -0.03 and row.high < 0.03
            assert (row.outcome is Outcome.EQUIVALENT) == (inside and not row.outcome.significant)


def test_the_bound_of_the_first_line_is_an_end_in_the_table(rng):
    for kind in ("folds", "items", "studies"):
        for _ in range(20):
            result = KINDS[kind](drawn(rng, spread=0.5))
            table = result.compare()
            for on in result.answer().metrics:
                ends = {abs(end) for row in table if row.metric == on.metric for end in (row.low, row.high)}
                assert on.bound != on.bound or on.bound == 0 or on.bound in ends


def test_the_single_test_ends_with_what_the_family_says(rng):
    result = evaluation(drawn(rng, n_models=3, n_metrics=2, flaw="", spread=2.0, design=(1, 10)))
    row = next(row for row in result.compare() if row.metric == "accuracy" and (row.a, row.b) == ("m0", "m1"))
    assert "among the 3 pairs of this run" in result.test()._sentence()
    assert result.test().pvalue == row.pvalue
    assert "among the 3 comparisons on the other metrics" in result.test(metric="fit_time")._sentence()
    pair = evaluation(drawn(rng, n_models=2, n_metrics=1, flaw="", spread=2.0))
    assert "among" not in pair.test()._sentence()


def test_a_learning_curve_is_tested_from_the_full_size_downward(rng):
    for _ in range(25):
        recipe = drawn(rng, design=(1, 10), flaw=str(rng.choice(["", "missing"])))
        sizes = {size: evaluation({**recipe, "seed": recipe["seed"] + size}) for size in (20, 40, 80)}
        table = LearningCurveResult(results=sizes).compare()
        by_pair = {}
        for row in table:
            check(row, 0.05)
            by_pair.setdefault((row.metric, row.a, row.b), {})[row.size] = row
        for rows in by_pair.values():
            tested = [rows[size] for size in (80, 40, 20) if rows[size].pvalue == rows[size].pvalue]
            significant = [row.outcome.significant for row in tested]
            assert significant == sorted(significant, reverse=True)


@pytest.mark.sampled
def test_the_ranking_of_a_search_says_what_its_intervals_say(made_search, rng):
    for _ in range(25):
        recipe = {"seed": int(rng.integers(2**31)), "n_candidates": int(rng.integers(2, 12)), "n_metrics": 2}
        recipe |= {"n_failed": int(rng.integers(2)), "ties": bool(rng.integers(2)), "design": (1, 10)}
        recipe["design"] = [(10, 1), (5, 2)][rng.integers(2)]
        report = SearchReport.from_search(search_of(recipe, made_search), alpha=float(rng.choice([0.01, 0.05, 0.2])))
        for row in report.ranking[1:]:
            if row.low == row.low:
                assert (row.low <= 0 <= row.high and not row.open_at_null) != row.significantly_different
        for row in report.compare():
            check(row, report.alpha)


def test_saving_changes_nothing(rng, tmp_path):
    for kind in ("folds", "items", "studies", "stopped"):
        result = KINDS[kind](drawn(rng))
        result.save(tmp_path / "r.skc")
        again = load(tmp_path / "r.skc")
        assert repr([*map(shown, result.compare())]) == repr([*map(shown, again.compare())])
        assert result.summary() == again.summary()


def gained(y, said):
    return float(np.mean(y == said)) ** 2


OWN = {"own": make_scorer(gained), "precision": make_scorer(gained), "another": make_scorer(lambda *x: 2 * gained(*x))}
ODD = make_scorer(fbeta_score, beta=2, average="macro", labels=[0, 1], zero_division=0)


def with_own_functions(rng, own):
    """Models on one test set, scored with some functions that a file does not keep, and the names of these."""
    n, k, classes = int(rng.integers(20, 30)), int(rng.integers(2, 4)), int(rng.integers(2, 4))
    y = np.arange(n) % classes
    said = {f"m{i}": np.where(rng.random(n) < rng.uniform(0.6, 0.95), y, 0) for i in range(k)}
    kept = {"accuracy": "accuracy", "mcc": "matthews_corrcoef", "recall": make_scorer(jaccard_score, average="macro")}
    names = {*rng.choice([*own], min(len(own), int(rng.integers(1, 3))), replace=False).tolist()}
    chosen = rng.permutation([*names, *rng.permutation([*kept])[:2]]).tolist()
    return from_predictions(y, said, scoring={name: {**own, **kept}[name] for name in chosen}), names


def again(result, tmp_path):
    result.save(tmp_path / "r.skc")
    return load(tmp_path / "r.skc")


def check_views(before, after, own):
    """The same families and intervals; the p-values of what a file does not keep count as 1, so that none is smaller.

    Holm (1979) and the others give no smaller adjusted p-values where one p-value of a family is larger.
    """
    counted = [(one.n_hypotheses, getattr(one, "families", ())) for one in (before, after)]
    assert counted[0] == counted[1]
    for row, other in zip(before, after, strict=True):
        assert row.confidence_level == other.confidence_level
        if row.metric in own:
            assert other.pvalue_adjusted != other.pvalue_adjusted
            continue
        assert row.pvalue == other.pvalue or row.pvalue != row.pvalue
        assert not other.pvalue_adjusted < row.pvalue_adjusted
        if row.outcome is other.outcome:
            assert (row.low, row.high) == (other.low, other.high)


@pytest.mark.parametrize("correction", ["holm", *CORRECTIONS, "none"])
def test_a_file_changes_no_number_of_comparisons(rng, tmp_path, correction):
    result, own = with_own_functions(rng, OWN)
    asked = {"correction": correction, "family": str(rng.choice(["first", "all"]))}
    asked["baseline"] = None if rng.random() < 0.5 else result.estimators[-1]
    before, loaded = result.compare(**asked), again(result, tmp_path)
    for found in (loaded, again(loaded, tmp_path), deepcopy(loaded), pickle.loads(pickle.dumps(loaded))):
        check_views(before, found.compare(**asked), own)
    for metric in set(result.metrics) - own:
        check_views(result.compare(metrics=metric, **asked), loaded.compare(metrics=metric, **asked), own)
    assert str(loaded.compare()).count("a file does not keep its") == len(own)
    for metric in own:
        with pytest.raises(ValueError, match=f"got '{metric}': a file does not keep its function, .* before save"):
            loaded.test(metric=metric)


@pytest.mark.parametrize("name", ["own", "precision", "an own"])
def test_a_function_without_a_score_counts_before_and_after_a_file(rng, tmp_path, name):
    result, _ = with_own_functions(rng, {name: make_scorer(lambda _y, _said: np.nan)})
    before, after = result.compare(), again(result, tmp_path).compare()
    assert before.families == after.families
    for row, other in zip(before, after, strict=True):
        assert row.metric == name or repr(shown(row)) == repr(shown(other))


def test_a_function_of_scikit_learn_under_another_name_is_kept(rng, tmp_path):
    """Where the name is that of another metric too."""
    names = rng.permutation(["precision", "f1", "balanced_accuracy", "mine"]).tolist()
    average = str(rng.choice(["macro", "weighted"]))
    result, _ = with_own_functions(rng, {name: make_scorer(jaccard_score, average=average) for name in names})
    assert repr([*map(shown, result.compare())]) == repr([*map(shown, again(result, tmp_path).compare())])


@pytest.mark.parametrize("name", ["mine", "gain per case", "x2"])
def test_the_short_table_says_what_a_file_left_untested(rng, tmp_path, name):
    y = np.arange(60) % 2
    said = {f"m{i}": np.where(rng.random(60) < share, y, 1 - y) for i, share in enumerate((0.95, 0.6, 0.7))}
    result = from_predictions(y, said, scoring={"accuracy": "accuracy", name: make_scorer(gained), "f1": "f1"})
    views = [
        [" ".join(text.split()) for text in (str(one), one.to_markdown())] for one in (result, again(result, tmp_path))
    ]
    assert [f"{name} is not tested: result.compare() says why." in text for one in views for text in one] == [
        *(False, False),
        *(True, True),
    ]


def test_merged_results_and_groups_count_the_same_after_a_file(rng, tmp_path):
    result, own = with_own_functions(rng, OWN)
    one, groups = result.metrics[0], rng.permutation(np.arange(result.design.n_samples) % int(rng.integers(2, 4)))
    labels = {name: result.predictions(name)[0].y_pred for name in result.estimators}
    y = result.predictions("m0")[0].y_true
    other = from_predictions(y, labels, scoring={"mine": ODD, "kappa": make_scorer(cohen_kappa_score)})
    loaded = [again(part, tmp_path) for part in (result, other)]
    check_views(merge(result, other).compare(), merge(*loaded).compare(), own | {"mine"})
    check_views(result.by(groups), loaded[0].by(groups), own)
    check_views(result.by(groups, metrics=one), loaded[0].by(groups, metrics=one), own)


def test_folds_in_groups_count_the_same_after_a_file(rng, tmp_path):
    X, y = make_classification(90, random_state=int(rng.integers(99)))
    scoring = {"own": make_scorer(gained), "f1": "f1", "accuracy": "accuracy"}
    scoring = {name: scoring[name] for name in rng.permutation([*scoring]).tolist()}
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    result = PairedEvaluator(cv=5, scoring=scoring, random_state=0).evaluate(models, X, y)
    groups = rng.permutation(np.arange(90) % 3)
    check_views(result.by(groups), again(result, tmp_path).by(groups), {"own"})


@pytest.mark.parametrize("correction", ["holm", "fdr_bh"])
def test_learning_curves_on_one_test_set_count_the_same_after_a_file(rng, tmp_path, correction):
    X, y = make_classification(120, random_state=int(rng.integers(99)))
    scoring = {"own": make_scorer(gained), "f1": "f1", "accuracy": "accuracy"}
    scoring = {name: scoring[name] for name in rng.permutation([*scoring]).tolist()}
    split = ShuffleSplit(1, test_size=60, random_state=0)
    evaluator = PairedEvaluator(cv=split, scoring=scoring, random_state=0)
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    curve = evaluator.learning_curve(models, X, y, train_sizes=[20, 60])
    before, after = (
        {(row.metric, row.size): row for row in one.compare(correction=correction)}
        for one in (curve, again(curve, tmp_path))
    )
    for place, row in before.items():
        assert row.confidence_level == after[place].confidence_level
        assert place[0] == "own" or not after[place].pvalue_adjusted < row.pvalue_adjusted
