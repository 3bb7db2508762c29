"""Small evidence says so: CANNOT_REJECT where no data of that size could be significant, of every test and family."""

import re
from html import unescape

import numpy as np
import pytest

import skcompare as skc
from skcompare import inference, procedures

ALPHA = 0.05
SLOW = "tukey_test"  # which can always reject: a ratio to a spread that can be 0
OVER_TABLES = [row.name for row in procedures() if row.returns in ("omnibus", "pairs", "control") and row.name != SLOW]
CORRECTIONS = ("holm", "bonferroni", "hochberg", "fdr_bh")


def said(record):
    """How many cases the warning says can, None without it."""
    found = [warning for warning in record.warnings if warning.code == "CANNOT_REJECT"]
    assert len(found) <= 1
    return int(re.search(r"; (\d+) can\.$", found[0])[1]) if found else None


def least(record):
    return float(np.nanmin(np.asarray(getattr(record, "pvalue", None) or getattr(record, "pvalues", 1.0)), initial=1.0))


def agreeing(n, k, *, exchanged=False):
    table = np.arange(k) * 10.0 + np.arange(n)[:, None] * 0.1 + np.outer(np.arange(n), np.arange(k) ** 2) * 0.003
    if exchanged:
        table[0, [-1, -2]] = table[0, [-2, -1]]
    return table


def asked(name, table):
    return getattr(inference, name)(table, **({"control": 0} if name == "control_test" else {}))


@pytest.mark.sampled
@pytest.mark.parametrize("name", OVER_TABLES)
@pytest.mark.parametrize("k", [2, 3, 5])
def test_where_a_table_is_too_small_no_scores_are_significant_and_so_many_more_are(name, k):
    rng = np.random.default_rng(0)
    for n in range(2, 9):
        tables = [agreeing(n, k), *(agreeing(n, k, exchanged=True) for _ in range(k > 2))]
        records = [asked(name, table) for table in tables]
        able = min(map(least, records)) < ALPHA
        assert able == (said(records[0]) is None or least(records[0]) < ALPHA)
        for table in (rng.normal(size=(n, k)), rng.integers(3, size=(n, k)).astype(float)):
            record = asked(name, table)
            if not able:
                assert least(record) >= ALPHA
                assert said(record) > n
            else:
                assert said(record) is None
        if not able and said(records[0]) == n + 1:
            more = [asked(name, agreeing(n + 1, k, exchanged=one)) for one in (False, *([True] if k > 2 else []))]
            assert min(map(least, more)) < ALPHA


def cases(n, side):
    """Of two models, `n` cases that all favour the first."""
    return {"two-sided": (np.arange(n) + 1.0, np.zeros(n)), "greater": (np.arange(n) + 1.0, np.zeros(n))}[side]


def right(n):
    return np.append(np.ones(n), np.ones(30)), np.append(np.zeros(n), np.ones(30))


def labelled(n):
    y, wrong = np.arange(40) % 2, np.arange(40) % 2
    wrong[:n] = 1 - wrong[:n]
    return y, y, wrong, "accuracy"


PAIRS = {
    "signed rank": lambda n, side: inference.signed_rank_test(*cases(n, side), alternative=side),
    "sign": lambda n, side: inference.sign_test(*cases(n, side), alternative=side),
    "permutation": lambda n, side: inference.permutation_test(*cases(n, side), alternative=side),
    "McNemar, mid-p": lambda n, side: inference.mcnemar_test(*right(n), alternative=side),
    "McNemar, exact": lambda n, side: inference.mcnemar_test(*right(n), method="exact", alternative=side),
    "McNemar, chi2": lambda n, side: inference.mcnemar_test(*right(n), method="chi2", alternative=side),
    "McNemar, corrected": lambda n, side: inference.mcnemar_test(*right(n), method="chi2_corrected", alternative=side),
    "Cochran, exact": lambda n, _: inference.cochran_q_test(np.eye(3)[np.zeros(n, dtype=int)], method="exact"),
    "Cochran, chi2": lambda n, _: inference.cochran_q_test(np.eye(3)[np.zeros(n, dtype=int)], method="chi2"),
    "stochastic dominance": lambda n, side: inference.stochastic_dominance_test(
        np.ones(n), np.zeros(n), alternative=side
    ),
    "exchanges": lambda n, side: inference.paired_metric_test(*labelled(n), alternative=side),
}


@pytest.mark.parametrize("side", ["two-sided", "greater"])
@pytest.mark.parametrize("name", PAIRS)
def test_of_two_models_the_number_that_can_is_the_first_that_does(name, side):
    first = next(n for n in range(1, 20) if PAIRS[name](n, side).pvalue < ALPHA)
    for n in range(1, first):
        assert said(PAIRS[name](n, side)) == first
    for n in range(first, first + 3):
        assert said(PAIRS[name](n, side)) is None


def test_unpaired_scores_and_few_resamples():
    for n in (2, 3, 4):
        record = inference.permutation_test(np.arange(n) + 10.0, np.arange(n), paired=False)
        assert (record.pvalue < ALPHA) == (said(record) is None)
    assert said(inference.permutation_test(np.arange(3) + 10.0, np.arange(3), paired=False)) == 7  # three and four
    for draws in (5, 18, 19, 99):
        record = inference.permutation_test(np.arange(30) + 1.0, np.zeros(30), n_resamples=draws, rng=0)
        exchanged = inference.paired_metric_test(*labelled(20), n_resamples=draws, rng=0)
        resampled = inference.paired_bootstrap(*labelled(20), n_resamples=draws, rng=0)
        for one in (record, exchanged, resampled):
            assert said(one) == (None if draws >= 20 else 20)
            assert "all agree" not in str(one.warnings)


@pytest.mark.parametrize(("side", "enough"), [("two-sided", 40), ("greater", 20)])
def test_resamples_of_calibration_errors_and_of_dominance(side, enough):
    y = np.arange(400) % 2
    good, bad = np.where(y, 0.9, 0.1), np.full(400, 0.9)
    for draws in (5, 19, 20, 38, 39, 40, 99):
        record = inference.calibration_error_test(y, good, bad, n_resamples=draws, rng=0, alternative=side)
        assert (record.pvalue < ALPHA) == (draws >= enough)
        assert said(record) == (None if draws >= enough else enough)
        swapped = inference.stochastic_dominance_test(
            np.arange(30) + 1.0, np.zeros(30), n_resamples=draws, rng=0, alternative=side
        )
        assert said(swapped) == (None if draws >= 20 else 20)
    alike = inference.calibration_error_test(y, good, good, n_resamples=5, rng=0)
    assert said(alike) is None


def test_equal_models_have_nothing_to_test_and_are_not_told_to_take_more():
    ones = np.ones(4)
    for record in (
        inference.signed_rank_test(ones, ones),
        inference.sign_test(ones, ones),
        inference.mcnemar_test(ones, ones),
    ):
        assert said(record) is None


def test_tests_on_folds_can_always_reject():
    for n in (2, 3, 5):
        a = np.arange(n) + 5.0
        for record in (
            inference.corrected_t_test(a, np.zeros(n), test_fraction=0.2),
            inference.paired_t_test(a, np.zeros(n)),
            inference.diebold_mariano_test(np.zeros(n), a),
        ):
            assert said(record) is None


# ---- families


def study(n, k, *, tied=0):
    table = agreeing(n, k)[:, ::-1].copy()
    table[:tied] = 0.0
    frame = {
        "dataset": np.repeat([f"task {i}" for i in range(n)], k),
        "model": np.tile(list("abcdefgh"[:k]), n),
        "score": table.ravel(),
    }
    return skc.StudyResult.from_frame(frame)


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize("procedure", ["signed_rank", "sign", "dataset_t"])
@pytest.mark.parametrize("k", [2, 3, 4])
def test_a_family_says_what_its_adjustment_leaves_out_of_reach(procedure, correction, k):
    by_size = {n: study(n, k).compare(procedure, correction=correction) for n in range(3, 13)}
    able = [n for n, table in by_size.items() if min(row.pvalue_adjusted for row in table) < ALPHA]
    for n, table in by_size.items():
        for row in table:
            if procedure == "dataset_t" or n in able:
                assert said(row) is None
            else:
                assert said(row) == min(able)


def test_three_models_on_six_tasks_in_one_order():
    """Nothing could have been shown of a pair: the first line says so, the warning how many tasks could."""
    six = study(6, 3)
    assert six.summary().startswith("Too little data")
    assert "Friedman" in six.explain().named("answer").text  # that all are equal is rejected
    sentence = "6 differences cannot give an adjusted p < 0.05 among 3 comparisons, even if all agree; 7 can."
    assert any(f"CANNOT_REJECT: {sentence}" in one for one in six.explain().named("warnings").texts)
    for view in (six.to_html(), six.to_json(), str(six.compare())):
        assert sentence in " ".join(unescape(view).split())
    seven = study(7, 3)
    assert "CANNOT_REJECT" not in seven.summary("full")
    assert {row.outcome.significant for row in seven.compare()} == {True}


def test_discordant_samples_of_a_family():
    y = np.arange(200) % 2
    predictions = {"exact": y.copy(), "near": y.copy(), "far": y.copy()}
    predictions["near"][:6] = 1 - predictions["near"][:6]
    predictions["far"][:7] = 1 - predictions["far"][:7]
    result = skc.from_predictions(y, predictions, scoring="accuracy")
    rows = {(row.a, row.b): row for row in result.compare()}
    assert said(rows["exact", "far"]) is None  # 3 * 2**-7
    assert said(rows["exact", "near"]) is None  # 3 * 2**-6
    assert said(rows["near", "far"]) == 5  # one discordant sample, the others have enough
    predictions["near"][5] = y[5]
    again = {(row.a, row.b): row for row in skc.from_predictions(y, predictions, scoring="accuracy").compare()}
    assert again["exact", "near"].pvalue < ALPHA  # 2**-5 alone
    assert said(again["exact", "near"]) == 6


def missed(n):
    """One of two models misses `n` positives; samples of the two tests are then the same."""
    y = np.arange(200) % 2
    misses = np.where(np.cumsum(y) <= n, 0, y)
    return skc.from_predictions(y, {"a": y, "b": misses}, scoring=["accuracy", "recall", "f1"])


def runs(n):
    cells = [(m, s, 10 * i + s * 0.1) for i, m in enumerate("abc") for s in range(n + (m == "c"))]
    return skc.from_runs(dict(zip(("model", "run", "score"), map(list, zip(*cells, strict=True)), strict=True)))


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_of_several_tests_the_number_that_can_is_the_first_that_does(correction):
    """Where the p-value for a row alone is out of reach too, and where only the adjusted one is."""
    tables = {n: missed(n).compare(correction=correction, family="all") for n in range(1, 10)}
    for i, metric in enumerate(("accuracy", "recall", "f1")):
        first = next(n for n, table in tables.items() if table[i].pvalue_adjusted < ALPHA)
        assert {said(tables[n][i].record) for n in range(1, 4)} == {5 if metric == "accuracy" else 6}
        assert first > 5
        for n, table in tables.items():
            assert said(table[i]) == (first if n < first else None)


def test_of_unpaired_runs_the_number_is_enough_for_the_family():
    for n in (3, 4, 5):
        for row in runs(n).compare("permutation"):
            assert (said(row) is None) == (row.pvalue_adjusted < ALPHA)
            assert said(row) in (None, 9)  # 3 / 126 with four runs and five, 6 / 70 with four each
    assert [said(row.record) for row in runs(3).compare("permutation")] == [7, None, None]


def test_a_comparison_without_a_difference_takes_its_part_of_the_budget():
    y = np.arange(200) % 2
    alarms = np.where(np.cumsum(1 - y) <= 6, 1, y)  # recall is the same
    rows = skc.from_predictions(y, {"a": y, "b": alarms}, scoring=["accuracy", "recall", "specificity"]).compare()
    assert [row.pvalue for row in rows] == pytest.approx([2**-6, 1.0, 2**-5])
    assert [said(row) for row in rows] == [None, None, 7]  # 3 / 2**6, none differ, 2 / 2**5


# ---- dominance


def unanimous(models, repeats, k, *, spread):
    """Folds on which each model is better than the one before it, by 0.1 and `spread` more or not."""
    rows = [
        (model, r, fold, metric, i * (0.1 + spread * (fold % 2)))
        for i, model in enumerate("abcdef"[:models])
        for r in range(repeats)
        for fold in range(k)
        for metric in ("accuracy", "f1")
    ]
    names = ("model", "repeat", "fold", "metric", "score")
    return skc.from_frame(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


@pytest.mark.parametrize("k", [3, 5, 10, 20])
@pytest.mark.parametrize("models", [2, 3, 6])
def test_of_folds_the_number_of_repeats_that_can_is_named(k, models):
    """Whether unanimous folds are significant among all pairs, with so many repeats and with one less."""

    def smallest(repeats):
        return unanimous(models, repeats, k, spread=0.01).dominance("table", correction="bonferroni")[0]

    first = smallest(1)
    told = [warning for warning in first.warnings if warning.code == "CANNOT_REJECT"]
    assert bool(told) == (first.pvalue_adjusted >= ALPHA)
    for one in told:
        found = re.search(rf"; (\d+) repeats of {k} folds can\.$", one)
        if found is None:
            assert one.endswith(f"; no number of repeats of {k} folds can, take more folds.")
            assert smallest(100 // k).pvalue_adjusted >= ALPHA
        else:
            assert smallest(int(found[1])).pvalue_adjusted < ALPHA
            assert smallest(int(found[1]) - 1).pvalue_adjusted >= ALPHA


@pytest.mark.parametrize("models", [2, 6])
def test_of_folds_whose_differences_do_not_vary_no_number_of_repeats_is_named(models):
    for repeats in (1, 10):
        result = unanimous(models, repeats, 10, spread=0.0)
        records = [result.dominance(method, a="a", b="b") for method in ("glrt", "dirichlet")]
        for record in (*records, *result.dominance("table")):
            (few,) = [warning for warning in record.warnings if warning.code == "CANNOT_REJECT"]
            assert few.startswith("CANNOT_REJECT: 1 independent case cannot give p < 0.05")
            assert few.endswith("; differences that do not vary are one case on any number of splits.")


def test_of_independent_cases_of_dominance_their_number_is_named():
    for n in range(1, 9):
        record = inference.dominance_test([0, 0, 0, n])
        assert (said(record) is None) == (record.pvalue < ALPHA)
        if record.pvalue >= ALPHA:
            assert inference.dominance_test([0, 0, 0, said(record)]).pvalue < ALPHA
            assert inference.dominance_test([0, 0, 0, said(record) - 1]).pvalue >= ALPHA
    assert [said(row) for row in study(3, 2).dominance("table")] == [6]


def in_clusters(kind, of, rng):
    """Three models on 120 cases in clusters `of` some number, None where each stands alone."""
    y, where = rng.integers(0, 2, 120), None if of is None else np.arange(120) % of
    right = {name: rng.random(120) < 0.7 for name in "abc"}
    if kind == "samples":
        return skc.from_predictions(
            y, {name: np.where(own, y, 1 - y) for name, own in right.items()}, clusters=where, scoring="accuracy"
        )
    if kind == "items":
        return skc.from_outcomes({name: own.astype(float) for name, own in right.items()}, clusters=where)
    a = rng.integers(0, 3, 120)
    table = {"model_a": [*map("abc".__getitem__, a)], "model_b": [*map("bca".__getitem__, a)]}
    table |= {"winner": rng.choice([0.0, 1.0], 120)} | ({} if of is None else {"judge": where})
    return skc.from_judgments(table, cluster=None if of is None else "judge")


@pytest.mark.parametrize("kind", ["samples", "items", "judgments"])
@pytest.mark.parametrize("of", [None, 3, 6, 40])
def test_cases_in_clusters_are_not_told_to_be_more_but_clusters_are(kind, of, rng):
    result = in_clusters(kind, of, rng)
    first = result.summary().split("\n\n")[0].partition("\nOne test")[0]
    told = re.findall(r"[Aa]dd ([a-z ]+?)\.", " ".join(first.split()))
    clear = first.startswith("Use ") or ("significantly worse" in first and "may be first" not in first)
    assert told == ([] if clear else ["clusters" if of else {"samples": "test samples"}.get(kind, kind)])
