"""Tables that were misread once, with names and values that are drawn: through every way in."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold

import skcompare as skc
from skcompare import StudyResult
from tests.asked_tables import asked

N = 12


@pytest.fixture
def wide(rng):
    """A row per data set and a column per model, the first one better everywhere; drawn names."""
    models = [f"m{x}" for x in rng.choice(90, 3, replace=False)]
    base, lead = 0.6 + 0.2 * rng.random(N), 0.01 + 0.02 * rng.random((N, 2))
    scores = np.column_stack([base, base - lead[:, 0], base - lead.sum(axis=1)]).round(3)
    return pd.DataFrame(scores, columns=models, index=[f"set{x:03d}" for x in rng.choice(900, N, replace=False)])


def same_study(found, wide):
    assert found.estimators == tuple(wide)
    np.testing.assert_allclose(found.scores[:, :, 0, 0], wide.to_numpy())
    best, second = list(wide)[:2]
    row = next(row for row in found.compare() if {row.a, row.b} == {best, second})
    assert row.winner == best


@pytest.mark.parametrize("name", ["Model", "method", "CLASSIFIER", "algorithm", "Learner", "estimator_name"])
def test_models_in_rows_are_models(wide, name):
    turned = wide.T.rename_axis(name)
    for table in (turned, turned.reset_index()):
        same_study(StudyResult.from_frame(table), wide)
        same_study(skc.read(table), wide)


@pytest.mark.parametrize("more", [["n_train", "n_test"], ["n_features"], ["fit_time"], ["duration", "n_classes"]])
def test_what_describes_data_sets_is_no_model(wide, more, rng):
    table = wide.rename_axis("dataset").reset_index()
    for name in more:
        table.insert(int(rng.integers(1, 4)), name, rng.integers(2, 900, N))
    same_study(StudyResult.from_frame(table), wide)
    found = skc.read(table)
    same_study(found, wide)
    assert all(f"'{name}'" in found.provenance["read_as"] for name in more)


def test_statistics_of_one_model_are_refused_and_named(rng):
    table = pd.DataFrame({"dataset": [f"d{i}" for i in range(N)]})
    for name in ("accuracy_mean", "accuracy_sd", "train_seconds", "test_seconds"):
        table[name] = rng.random(N)
    for read in (StudyResult.from_frame, skc.read):
        with pytest.raises(ValueError, match=r"names of metrics.*hold times, sizes, deviations or ranks"):
            read(table)


@pytest.mark.parametrize("name", ["fold", "seed", "run", "repeat", "split", "resample", "iteration", "sample_id"])
@pytest.mark.parametrize("in_index", [False, True])
def test_folds_seeds_and_items_are_no_data_sets(wide, name, in_index):
    table = wide.reset_index(drop=True).rename_axis(name)
    with pytest.raises(ValueError, match=f"column '{name}'"):
        StudyResult.from_frame(table if in_index else table.reset_index())


@pytest.mark.parametrize("by", ["name", "numbers"])
def test_rows_of_means_ranks_and_wins_are_no_data_sets(wide, by):
    ranks = wide.rank(axis=1, ascending=False)
    sums = pd.DataFrame([wide.mean().round(4), ranks.mean().round(3), ranks.eq(1).sum()])
    sums.index = ["Average", "Avg. rank", "Wins"] if by == "name" else ["x", "y", "z"]
    table = pd.concat([wide, sums]).rename_axis("Dataset").reset_index()
    same_study(skc.read(table), wide)
    with pytest.raises(ValueError, match="sums up the others"):
        StudyResult.from_frame(table)


def test_a_data_set_that_sums_up_nothing_stays(wide):
    found = skc.read(wide.rename_axis("dataset").reset_index())
    assert len(found.datasets) == N


def test_of_two_columns_of_names_the_task_names_data_sets(wide):
    table = wide.rename_axis("task").reset_index()
    table.insert(0, "type", ["binary", "multiclass"] * (N // 2))
    same_study(StudyResult.from_frame(table), wide)
    same_study(skc.read(table), wide)


def test_a_cell_that_is_no_number_is_quoted_with_its_row_and_column(wide, rng):
    at, model = int(rng.integers(N)), str(rng.choice(list(wide)))
    cells = wide.astype(object)
    cells.loc[wide.index[at], model] = "0.843 (1)"
    for read in (StudyResult.from_frame, skc.read):
        with pytest.raises(ValueError, match=re.escape(f"row '{wide.index[at]}', column '{model}': '0.843 (1)'")):
            read(cells.rename_axis("dataset").reset_index())


def test_a_row_or_column_without_a_name_is_no_model(wide):
    turned = wide.T.rename_axis("Model").reset_index()
    turned.loc[len(turned)] = [None, *[0.5] * N]
    for table in (turned, turned.set_index("Model").T):
        for read in (StudyResult.from_frame, skc.read):
            with pytest.raises(ValueError, match=r"no name|nothing names its model"):
                read(table)


def halves(rng, n=30):
    """Scores of a lead that 30 folds would show and 30 random halves would not."""
    noise = rng.normal(size=n)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    lead = 0.03 * (noise + 0.55)  # t of the mean over 30 independent scores: 0.55 * sqrt(30)
    base = 0.8 + 0.03 * rng.normal(size=n)
    columns = {"model": ["A"] * n + ["B"] * n, "fold": [*range(n)] * 2, "score": np.r_[base + lead, base]}
    return pd.DataFrame(columns)


def test_a_design_that_is_not_stated_is_assumed_and_what_rests_on_it_is_fragile(rng):
    table = halves(rng)
    for result in (skc.from_frame(table), skc.read(table)):
        [row] = result.compare()
        assert (row.outcome.significant, row.fragile) == (True, True)
        assert "30-fold cross-validation (assumed)" in result.summary()
        assert "would not stand if the splits were random halves" in " ".join(result.summary().split())
        assert any("ASSUMED: the splits are taken for 30-fold" in one for one in result.warnings)


def test_a_design_that_is_stated_is_neither(rng):
    table = halves(rng)
    folds, split = skc.read(table, design="30-fold"), skc.read(table, design="30 random splits, 50% tested")
    assert folds.compare()[0].outcome.significant
    assert not split.compare()[0].outcome.significant  # so that the claim was fragile
    assert split.test().pvalue == skc.from_frame(table, test_fraction=0.5).test().pvalue
    repeats = table.rename(columns={"fold": "repeat"}).assign(fold=0)
    assert split.test().pvalue == skc.from_frame(repeats, test_fraction=0.5).test().pvalue
    for result in (folds, split):
        assert not any(row.fragile for row in result.compare())
        assert "assumed" not in result.summary()


def test_a_claim_that_stands_under_random_halves_is_not_fragile(rng):
    table = halves(rng)
    table.loc[table["model"] == "A", "score"] += 0.2
    [row] = skc.from_frame(table).compare()
    assert (row.outcome.significant, row.fragile) == (True, False)


@pytest.mark.parametrize(
    "design", ["", "k-fold", "0x", "half", "120% tested", "30 random splits, 0% tested", 5, KFold(3)]
)
def test_a_design_that_says_nothing_is_refused(rng, design):
    with pytest.raises(ValueError, match=r"design must read like|tested part of design"):
        skc.read(halves(rng), design=design)


def test_zeros_and_ones_under_an_id_are_items(rng):
    n = 60
    table = pd.DataFrame({name: (rng.random(n) < p).astype(int) for name, p in (("base", 0.6), ("tuned", 0.8))})
    for name in ("sample_id", "item", "question_id", "doc_id"):
        own = table.assign(**{name: rng.permutation(n)})[[name, "base", "tuned"]]
        for result in (skc.read(own), skc.from_outcomes(own.rename(columns={name: "sample_id"}))):
            assert result.estimators == ("base", "tuned")
            assert result.design.name == f"{n} items"
            assert result.scores[:, :, 0].mean(axis=1) == pytest.approx(table.mean().to_numpy())


def test_what_a_result_writes_is_read_with_its_design(tmp_path, rng):
    columns = {"model": np.repeat(["a", "b"], 20), "repeat": np.tile(np.repeat([0, 1, 2, 3], 5), 2)}
    table = pd.DataFrame({**columns, "fold": [*range(5)] * 8, "n_train": 80, "n_test": 20, "score": rng.random(40)})
    result = skc.from_frame(table)
    result.to_frame().to_csv(tmp_path / "scores.csv", index=False)
    for found in (skc.read(tmp_path / "scores.csv"), skc.read(table), skc.read(result.to_frame())):
        assert found.design == result.design
        assert "assumed_design" not in found.provenance
        np.testing.assert_allclose(found.scores[:, :, 0], result.scores[:, :, 0])


@pytest.mark.filterwarnings("ignore:roc_auc is left out")
@pytest.mark.parametrize("names", [("svm", "forest", "smoker"), ("pred_a", "pred_b", "male"), ("knn", "tree", "x1")])
def test_a_feature_of_zeros_and_ones_beside_predictions_is_asked_about(names, rng):
    truth = rng.integers(0, 2, 80)
    columns = {name: np.where(rng.random(80) < 0.8, truth, 1 - truth) for name in rng.permutation(names).tolist()}
    table = pd.DataFrame({"y_true": truth, **columns})
    with pytest.raises(ValueError, match=f"{names[2]!r} may hold predictions of 'y_true'") as refused:
        skc.read(table)
    calls = re.findall(r"skc\.read\(.*?\]\)", str(refused.value))
    found = [eval(call, {"skc": skc, "frame": table}).estimators for call in calls]
    assert [{*found[0]}, {*found[1]}] == [{*names[:2]}, {*names}]
    assert {*skc.read(table.drop(columns=names[2])).estimators} == {*names[:2]}


@pytest.mark.parametrize("name", ["logloss", "nll", "wer", "errors", "val loss", "cross_entropy"])
def test_a_loss_is_never_taken_for_a_score_without_a_word(name, rng):
    table = {"model": ["a"] * 6 + ["b"] * 6, "fold": [*range(6)] * 2, "metric": [name] * 12, "score": rng.random(12)}
    for read in (skc.from_frame, skc.read):
        result = read(table)
        assert result.greater_is_better == (False,)
        assert any(one.startswith(f"ASSUMED: less is taken for better on {name}") for one in result.warnings)
    assert not any("taken for better" in one for one in skc.from_frame(table, greater_is_better=False).warnings)


def test_a_repeated_fold_that_has_the_mean_of_the_others_stays(rng):
    """Scores on a line: the middle fold has the mean of all others."""
    n = int(rng.integers(2, 5)) * 2 + 1
    table = {"model": np.repeat(["a", "b"], n), "fold": [*range(n)] * 2, "score": np.linspace(0, 1, 2 * n)}
    for read in (skc.from_frame, skc.read):
        assert read(table).design.n_splits == n


@pytest.mark.parametrize("read", [skc.from_runs, lambda frame: skc.read(frame, run="run")])
def test_a_run_without_a_score_is_named_and_not_left_out_in_silence(read, rng):
    table = pd.DataFrame({"model": ["a"] * 6 + ["b"] * 6, "run": [*range(6)] * 2, "score": rng.random(12)})
    at = int(rng.integers(12))
    table.loc[at, "score"] = np.nan
    with pytest.raises(ValueError, match=f"1 score is missing: {table['model'][at]!r} on 'run {table['run'][at]}'"):
        read(table)
    runs = skc.read(table, run="run", missing="drop").design.n_runs
    assert sorted(runs) == [5, 6]


def test_models_on_data_sets_of_their_own_are_not_compared(rng):
    table = pd.DataFrame({"model": ["a"] * 6 + ["b"] * 6, "dataset": ["d"] * 6 + ["e"] * 6, "fold": [*range(6)] * 2})
    table["score"] = rng.random(12)
    for read in (skc.from_frame, skc.read, StudyResult.from_frame):
        with pytest.raises(ValueError, match=r"scores are missing: 'b' on 'd 0'"):
            read(table)


@pytest.mark.parametrize("head", ["fold_", "split", "Fold ", "cv"])
@pytest.mark.parametrize("first", ["model", ""])
def test_fold_columns_beside_their_mean_are_folds(rng, head, first, tmp_path):
    k = int(rng.integers(3, 11))
    table = pd.DataFrame(rng.random((3, k)).round(4), columns=[f"{head}{i}" for i in range(k)])
    table["mean"], table["std"] = table.mean(axis=1).round(4), table.std(axis=1).round(4)
    table.insert(0, first, rng.permutation(["svm", "tree", "mlp"]))
    table.to_csv(tmp_path / "folds.csv", index=False)
    found = skc.read(tmp_path / "folds.csv")
    assert (found.design.kind, found.design.n_splits, len(found.estimators)) == ("folds", k, 3)


def test_bare_numbers_as_headers_are_asked_about(rng):
    table = pd.DataFrame(rng.random((5, 9)).round(3), columns=[str(i) for i in range(9)])
    table.insert(0, "entry", [f"set{i}" for i in range(5)])
    with pytest.raises(ValueError, match="the columns are numbered"):
        skc.read(table)


@pytest.mark.parametrize("n_odd", [1, 2, 3])
@pytest.mark.parametrize("percent", [False, True])
def test_counts_under_unknown_names_are_no_models(wide, n_odd, percent, rng):
    scores = (100 * wide).round(1) if percent else wide
    table = scores.rename_axis("dataset").reset_index()
    for i in range(n_odd):
        table.insert(int(rng.integers(1, 4)), f"zz{i}", rng.permutation(np.arange(3, 3 + N)))
    with pytest.raises(ValueError, match=r"'zz.*may be models") as refused:
        skc.read(table)
    call, *_ = re.findall(r"skc\.read\(.*?\]\)", str(refused.value))
    same_study(eval(call, {"skc": skc, "frame": table}), scores)


def test_whole_scores_of_all_models_are_scores(wide):
    scores = (1000 * wide).round()
    same_study(skc.read(scores.rename_axis("dataset").reset_index()), scores)


@pytest.mark.parametrize("ties", [False, True])
def test_ranks_in_place_of_scores_are_better_where_less(wide, ties):
    scores = wide.round(1) if ties else wide
    ranks = scores.rank(axis=1, ascending=False)
    found = skc.read(ranks.rename_axis("dataset").reset_index())
    assert found.metrics == ("rank",)
    assert found.greater_is_better == (False,)
    assert "ASSUMED" in [warning.code for warning in found.warnings]
    np.testing.assert_allclose(found.scores[:, :, 0, 0], ranks.to_numpy())
    plain = skc.read((ranks + 0.5).rename_axis("dataset").reset_index())
    assert plain.greater_is_better == (True,)


@pytest.mark.parametrize("name", ["Score", "Average", "Avg.", "overall score", "Mean"])
@pytest.mark.parametrize("exact", [False, True])
def test_a_score_over_all_is_no_data_set_of_a_leaderboard(wide, name, exact, rng):
    table = wide.T.rename_axis("Model").reset_index()
    table.insert(int(rng.integers(1, N)), name, wide.mean().round(4).to_numpy() if exact else rng.random(3))
    same_study(skc.read(table), wide)


def test_a_refusal_keeps_what_was_said_and_answers_the_next_question_too(wide, tmp_path):
    table = wide.rename_axis("dataset").reset_index()
    table.iloc[0, 1] = np.nan
    path = tmp_path / "scores, of models.csv"
    table.to_csv(path, index=False, sep=";")
    with pytest.raises(ValueError, match="1 score is missing") as refused:
        skc.read(path, greater_is_better=False, sep=";")
    calls = re.findall(r"skc\.read\(.*?\)", str(refused.value))
    for call in calls:
        found = eval(call, {"skc": skc})
        assert found.greater_is_better == (False,)
    for i in range(N):
        table.iloc[i, 1 + i % 3] = np.nan
    with pytest.raises(ValueError, match=f"{N} scores are missing") as refused:
        skc.read(table)
    assert "missing='drop'" not in str(refused.value)  # nothing would be left


def test_clusters_that_are_asked_about_are_given_by_the_calls(rng, tmp_path):
    right = rng.random((60, 2)) < 0.7
    table = pd.DataFrame(right.astype(int), columns=["gpt", "llama"])
    table.insert(0, "question_id", [f"q{i}" for i in range(60)])
    table.insert(1, "document", [f"d{i // 4}" for i in range(60)])
    table.to_csv(tmp_path / "items.csv", index=False)
    with pytest.raises(ValueError, match="clusters must be told") as refused:
        skc.read(tmp_path / "items.csv")
    dependent, independent = (eval(call, {"skc": skc}) for call in re.findall(r"skc\.read\(.*?\)", str(refused.value)))
    assert (dependent.design.n_clusters, independent.design.n_clusters) == (15, None)


@pytest.mark.parametrize("metric", ["acc", "f1"])
def test_models_of_which_one_lacks_a_metric_are_compared_on_one(wide, metric):
    both = pd.concat([wide.add_prefix("acc_"), wide.add_prefix("f1_").iloc[:, :2]], axis=1)
    with pytest.raises(ValueError, match="not all have the same ones") as refused:
        skc.read(both.rename_axis("dataset").reset_index())
    calls = [options["models"] for _, options in refused.value.calls]
    assert [name for name in both if name.startswith(metric)] in calls
    assert len(calls) == 2


@pytest.mark.parametrize("above", [[], ["# seed 42, of our paper"], ["Table 3: accuracy", "# made on a cluster"]])
@pytest.mark.parametrize("below", [[], ["Note: defaults everywhere"]])
@pytest.mark.parametrize("sep", [",", ";", "\t"])
def test_lines_beside_a_table_are_no_rows_of_it(wide, above, below, sep, tmp_path):
    text = wide.rename_axis("dataset").to_csv(sep=sep)
    (tmp_path / "scores.csv").write_text("\n".join([*above, text.strip(), *below]))
    found = skc.read(tmp_path / "scores.csv")
    same_study(found, wide)
    assert ("Lines beside the table were left out" in found.provenance["read_as"]) == bool(above or below)


def test_a_header_of_one_name_is_a_header(wide, tmp_path):
    path = tmp_path / "one.csv"
    wide.iloc[:, :1].to_csv(path)  # the saved index has no name
    with pytest.raises(ValueError, match=r"two or more models|may name data sets or models"):
        skc.read(path)
    with pytest.raises(ValueError, match=f"two or more models; got '{next(iter(wide))}'"):
        skc.read(path, dataset="column 1")


@pytest.mark.parametrize("name", ["dataset", None])
@pytest.mark.parametrize("order", [["metric", "model"], ["model", "metric"]])
def test_two_lines_of_names_are_one_header(wide, name, order, tmp_path):
    both = pd.concat({"acc": wide, "f1": wide - 0.1}, axis=1, names=["metric", "model"]).rename_axis(name)
    both.columns = both.columns.reorder_levels(order).rename([None, None])
    both.to_csv(tmp_path / "scores.csv")
    found = skc.read(tmp_path / "scores.csv")
    assert found.metrics == ("acc", "f1")
    np.testing.assert_allclose(found.scores[:, :, 0, 0], wide.to_numpy())
    numbered = pd.concat({0: wide, 1: wide}, axis=1).swaplevel(axis=1)
    numbered.to_csv(tmp_path / "folds.csv")
    with pytest.raises(ValueError, match="every column must have a name of its own"):
        skc.read(tmp_path / "folds.csv")


@pytest.mark.parametrize("first", ["", "question_id"])
@pytest.mark.parametrize("name", ["mean", "Average", "max"])
def test_items_beside_a_mean_over_models_are_items(rng, first, name, tmp_path):
    table = pd.DataFrame((rng.random((40, 3)) < 0.6).astype(int), columns=["gpt", "llama", "phi"])
    table[name] = table.max(axis=1) if name == "max" else table.mean(axis=1).round(3)
    table.insert(0, first, [f"q{i}" for i in range(40)])
    table.to_csv(tmp_path / "items.csv", index=False)
    found = skc.read(tmp_path / "items.csv")
    assert found.design.kind == "items"
    assert found.estimators == ("gpt", "llama", "phi")


@pytest.mark.parametrize("stem", ["s", "x_", "Part ", "rs"])
def test_numbered_headers_of_an_unknown_stem_are_asked_about(rng, stem):
    k = int(rng.integers(3, 9))
    table = pd.DataFrame(rng.random((3, k)).round(4), columns=[f"{stem}{i + 1}" for i in range(k)])
    table.insert(0, "model", ["svm", "tree", "mlp"])
    with pytest.raises(ValueError, match="the columns are numbered") as refused:
        skc.read(table)
    kinds = [skc.read(table, **options) for _, options in refused.value.calls]
    assert len({type(found).__name__ + getattr(getattr(found, "design", None), "kind", "") for found in kinds}) == 4
    plain = skc.read(table.rename(columns=lambda name: name.replace(stem, "set") if name != "model" else name))
    assert isinstance(plain, StudyResult)


@pytest.mark.parametrize("mark", [" +", "/85.4", "a", " (2)b", " pts"])
def test_a_model_whose_cells_are_no_numbers_is_not_lost(wide, mark):
    cells = wide.astype(object)
    model = list(wide)[1]
    cells[model] = [f"{x}{mark}" for x in wide[model]]
    with pytest.raises(ValueError, match=rf"column '{model}'.*is not read as one number"):
        skc.read(cells.rename_axis("dataset").reset_index())


@pytest.mark.filterwarnings("ignore:roc_auc is left out")
@pytest.mark.parametrize("name", ["answer", "solution", "label", "correct_answer"])
@pytest.mark.parametrize("words", [["yes", "no"], ["true", "false"]])
def test_answers_in_words_are_no_outcomes_where_the_right_ones_stand_beside_them(rng, name, words):
    table = pd.DataFrame({one: rng.choice(words, 40) for one in (name, "gpt", "llama")})
    table.insert(0, "question_id", [f"q{i}" for i in range(40)])
    with pytest.raises(ValueError, match=f"'{name}' may hold true values") as refused:
        skc.read(table)
    [(_, options)] = refused.value.calls
    found = skc.read(table, **options)
    assert found.estimators == ("gpt", "llama")
    assert found.score("gpt", "accuracy")[0] == pytest.approx((table["gpt"] == table[name]).mean())


@pytest.mark.parametrize("place", ["fold", "item", "seed", "dataset"])
def test_a_metric_that_a_model_lacks_is_no_metric_of_both(rng, place):
    """Scores that are not there were taken for 0, or for whatever stood in memory."""
    draw = (lambda: rng.integers(2)) if place == "item" else rng.random
    pairs = (("a", "accuracy"), ("a", "recall"), ("b", "precision"), ("b", "accuracy"))
    rows = [
        {"model": model, place: f"c{i}", "metric": metric, "score": draw()} for model, metric in pairs for i in range(N)
    ]
    table = pd.DataFrame(rows).sample(frac=1, random_state=0)
    with pytest.raises(ValueError, match=r"scores? (?:is|are) missing") as refused:
        skc.read(table)
    assert "Metrics are 'accuracy': skc.read(frame, metrics=['accuracy'])" in str(refused.value)
    found, alone = skc.read(table, metrics=["accuracy"]), skc.read(table[table["metric"] == "accuracy"])
    np.testing.assert_array_equal(found.scores, alone.scores)


def test_data_sets_of_other_numbers_of_folds_keep_their_scores_where_gaps_are_kept(rng):
    """Those of fewer folds than the others had lost theirs."""
    sizes = dict(zip(["iris", "wine", "zoo", "kc1"], rng.permutation([3, 5, 5, 10]).tolist(), strict=True))
    rows = [(m, d, i, k, rng.random()) for m in "ab" for d, n in sizes.items() for i in range(n) for k in ("f1", "auc")]
    table = pd.DataFrame(rows, columns=["model", "dataset", "fold", "metric", "score"])
    gap = table[(table["model"] == "b") & (table["dataset"] == "zoo") & (table["metric"] == "auc")].index[0]
    study = skc.read(table.drop(index=gap).sample(frac=1, random_state=0), missing="keep")
    means = table.groupby(["dataset", "model", "metric"])["score"].mean()
    for d, m, k in np.ndindex(4, 2, 2):
        names = (study.datasets[d], study.estimators[m], study.metrics[k])
        expected = np.nan if names == ("zoo", "b", "auc") else means[names]
        np.testing.assert_allclose(study.scores[d, m, 0, k], expected)


@pytest.mark.parametrize("name", ["Year", "imbalance", "prevalence", "missing rate", "Geomean", "regret", "costs"])
def test_words_of_tables_are_known(wide, name, rng):
    if name in ("regret", "costs"):
        tidy = wide.rename_axis("dataset").reset_index().melt("dataset", var_name="model", value_name=name)
        assert skc.read(tidy).greater_is_better == (False,)
    elif name == "Geomean":
        sums = pd.DataFrame([np.exp(np.log(wide).mean()).round(4)], index=[name])
        same_study(skc.read(pd.concat([wide, sums]).rename_axis("dataset").reset_index()), wide)
    else:
        values = rng.integers(2019, 2025, N) if name == "Year" else rng.random(N)
        same_study(skc.read(wide.rename_axis("dataset").reset_index().assign(**{name: values})), wide)


def test_a_seed_of_every_row_beside_numbered_folds_is_asked_about(rng):
    table = pd.DataFrame(rng.random((20, 2)).round(3), columns=["svm", "tree"])
    table.insert(0, "Unnamed: 0", np.tile(np.arange(5), 4))
    table.insert(0, "dataset", np.repeat([f"set{i}" for i in range(4)], 5))
    table["seed"] = rng.permutation(9999)[:20]
    with pytest.raises(ValueError, match="'seed' and 'Unnamed: 0' could both number") as refused:
        skc.read(table)
    kinds = [next(iter(skc.read(table, **options).results.values())).design.kind for _, options in refused.value.calls]
    assert kinds == ["runs", "folds"]


def latex(cells):
    """A table of LaTeX with rules, escaped names, the best in bold, and breaks in the lines."""
    names, *rows = [[str(cell).replace("_", r"\_") for cell in row] for row in cells]
    rows = [[row[0], *(rf"\textbf{{{x}}}" if x == max(row[1:]) else x for x in row[1:])] for row in rows]
    body = " \\\\\n".join("\n & ".join(row) for row in rows)
    return (
        "\\begin{table}\n\\begin{tabular}{@{}l*{9}{r}}\n\\toprule\n"
        + " & ".join(names)
        + f" \\\\ \\cmidrule(lr){{2-3}}\n{body} \\\\[2pt]\n\\bottomrule % the end\n\\end{{tabular}}\n\\end{{table}}\n"
    )


def markdown(cells):
    """A table of Markdown with a link, a sentence above and below, and the best in bold."""
    names, *rows = [[str(cell) for cell in row] for row in cells]
    rows = [
        [f"[{row[0]}](https://example.org/a)", *(f"**{x}**" if x == max(row[1:]) else x for x in row[1:])]
        for row in rows
    ]
    lines = ["| " + " | ".join(row) + " |" for row in (names, [":---"] * len(names), *rows)]
    return "\n".join(["# Scores", "", "What was found:", "", *lines, "", "Bold is best."])


@pytest.mark.parametrize("form", [latex, markdown])
@pytest.mark.parametrize("end", [".md", ".tex", ".txt"])
def test_a_table_of_a_document_is_read_as_the_plain_one(wide, tmp_path, form, end):
    wide.columns = [f"{name}_x" for name in wide]
    table = wide.rename_axis("data set").reset_index().astype(str)
    path = tmp_path / f"table{end}"
    text = form([list(table), *table.to_numpy().tolist()])
    path.write_text(text, encoding="utf-8")
    same_study(skc.read(path), wide)
    path.write_text(text + "\n\n" + text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"it has 2 tables: give a file for each"):
        skc.read(path)


def test_what_weka_prints_is_refused_by_name(tmp_path):
    path = tmp_path / "analysis.txt"
    path.write_text(
        "Tester:     weka.experiment.PairedCorrectedTTester\nAnalysing:  Percent_correct\n\niris 94.7 | 95.5\n"
    )
    with pytest.raises(ValueError, match=r"give the results that it analysed, as CSV or ARFF"):
        skc.read(path)


def test_a_gap_in_a_repeat_leaves_out_the_repeat(rng):
    table = pd.DataFrame(
        [
            {"model": m, "repeat": r, "fold": f, "accuracy": rng.random()}
            for m in "ab"
            for r in range(4)
            for f in range(5)
        ]
    )
    lost = rng.integers(len(table))
    for gap in (table.drop(lost), table.assign(accuracy=table["accuracy"].mask(table.index == lost))):
        with pytest.raises(ValueError, match=r"in 1 of 4 repeats\. What lacks a score is left out: skc.read"):
            skc.read(gap)
        found = skc.read(gap, missing="drop")
        assert (found.design.n_repeats, found.design.n_folds) == (3, 5)
        kept = table[table["repeat"] != table.loc[lost, "repeat"]]
        np.testing.assert_allclose(found.score("a", "accuracy"), kept[kept["model"] == "a"]["accuracy"])
    everywhere = table["accuracy"].mask(table["fold"] == rng.integers(5))
    with pytest.raises(ValueError, match=r"scores are missing") as refused:
        skc.read(table.assign(accuracy=everywhere))
    assert "missing=" not in str(refused.value)  # no repeat would be left


@pytest.mark.parametrize(("scale", "said"), [(1.0, "notes"), (100.0, "notes"), (2000.0, "warning")])
def test_the_direction_of_a_score_without_a_name_is_said(wide, scale, said):
    found = skc.read((scale * wide).rename_axis("dataset").reset_index())
    assert ("More is taken for better." in found.provenance["read_as"]) == (said == "notes")
    assert ("more of score is taken for better" in str(found.explain())) == (said == "warning")
    named = skc.read((scale * wide).rename_axis("dataset").reset_index(), greater_is_better=True)
    assert "aken for better" not in named.provenance["read_as"] + str(named.explain())


@pytest.mark.parametrize("mixed", ["model", "row", "cell"])
@pytest.mark.parametrize("name", ["accuracy", "F1", "ROC AUC"])
def test_shares_among_percentages_are_refused_and_named(wide, mixed, name, rng):
    n = int(rng.integers(3, 6))
    rows = rng.permutation(N)[: 1 if mixed == "cell" else n].tolist()
    tidy = wide.rename_axis("dataset").reset_index().melt("dataset", var_name="model", value_name=name)
    at = tidy["model"].eq(wide.columns[1]) if mixed == "model" else tidy["dataset"].isin(wide.index[rows])
    at &= tidy["model"].eq(wide.columns[1]) if mixed == "cell" else True
    percent = tidy.assign(**{name: (100 * tidy[name]).round(1)})
    assert skc.read(percent).scores.max() > 1
    few = percent.copy()
    few.loc[at, name] = tidy.loc[at, name]
    with pytest.raises(ValueError, match=rf"model '{wide.columns[1] if mixed != 'row' else 'm'}.*write all in one way"):
        skc.read(few)


def test_a_low_percentage_is_no_share(wide):
    percent = (100 * wide).round(1).rename_axis("dataset").reset_index()
    tidy = percent.melt("dataset", var_name="model", value_name="recall")
    tidy.loc[3, "recall"] = 0.02
    assert skc.read(tidy).scores.min() == 0.02


@pytest.mark.parametrize("name", ["public", "x1", "flag", "open weights"])
def test_a_column_of_zeros_and_ones_beside_scores_is_no_model_without_asking(wide, name, rng):
    table = wide.rename_axis("dataset").reset_index()
    table[name] = rng.permutation([0, 1] * (N // 2))
    for read in (skc.read, StudyResult.from_frame):
        with pytest.raises(ValueError, match=f"'{name}' may be models") as refused:
            read(table)
        [call] = [options for _, options in refused.value.calls if options == {"models": list(wide)}]
        same_study(skc.read(table, **call), wide)


def test_gaps_that_cannot_be_kept_are_refused_with_what_can_be_done(rng):
    table = pd.DataFrame({"model": ["a"] * 6 + ["b"] * 6, "fold": [*range(6)] * 2, "score": rng.random(12)})
    at = int(rng.integers(12))
    for name in ("fold", "run"):
        own = table.rename(columns={"fold": name}).drop(index=at if name == "fold" else []).reset_index(drop=True)
        own.loc[0, "score"] = np.nan
        with pytest.raises(ValueError, match=r"missing.*missing='drop'"):
            skc.read(own, missing="keep")


def test_the_rows_are_no_models(wide):
    with pytest.raises(ValueError, match="model must name a column"):
        skc.read(wide.rename_axis("dataset").reset_index(), model="rows")


@pytest.mark.parametrize("name", ["accuracy", "rmse", "elo"])
def test_the_metric_of_a_table_without_its_name_can_be_named(wide, name):
    table = wide.rename_axis("dataset").reset_index()
    for own in (table, table.melt("dataset", var_name="model", value_name="score")):
        found, same = (read(own, metric=name, greater_is_better=True) for read in (skc.read, StudyResult.from_frame))
        assert found.summary() == same.summary()
        assert found.metrics == (name,)
        assert skc.read(own, metric=name).greater_is_better == (name != "rmse",)
    right = (wide > 0.7).astype(int).assign(item=range(N))
    for own in (table.melt("dataset", var_name="model", value_name="f1"), right):
        with pytest.raises(ValueError, match=f"metrics must name .*; got '{name}'"):
            skc.read(own, metric=name)
    with pytest.raises(ValueError, match=f"metrics must name .*; got '{name}'"):
        skc.read(table, metrics=[name, "f1"])


@pytest.mark.parametrize("name", ["model", "dataset", "fold", "item"])
def test_a_score_beside_gaps_alone_is_refused_without_a_warning(name, rng):
    at = int(rng.integers(3))
    cells = [0.5 if i == at else None for i in range(3)]
    for table in ({name: cells}, pd.DataFrame({name: cells})):
        with pytest.raises(ValueError, match="nothing names its rows"):
            skc.read(table)


@pytest.mark.parametrize("form", ["{} {}", "{1}_{0}", "{}-{}-score", "{}.{}"])
@pytest.mark.parametrize(("part", "test"), [("Training", "Test"), ("train", "test"), ("val", "test"), ("Tra", "Tst")])
def test_scores_on_other_parts_of_the_data_are_no_models(wide, form, part, test, rng):
    table = pd.DataFrame(index=wide.index.rename("dataset"))
    for name in wide:
        for one in (part, test):
            table[form.format(name, one)] = wide[name] if one == test else 1 - 0.2 * rng.random(N)
    found = skc.read(table.reset_index())
    np.testing.assert_allclose(found.scores[:, :, 0, 0], wide.to_numpy())
    assert f"scores on {'validation' if part == 'val' else 'training'} sets" in found.provenance["read_as"]


def test_validation_scores_beside_no_test_scores_stay(wide, rng):
    table = wide.rename_axis("dataset").reset_index().melt("dataset", var_name="model", value_name="val_accuracy")
    assert skc.read(table.assign(accuracy=rng.random(len(table)))).metrics == ("val_accuracy", "accuracy")


@pytest.mark.parametrize(("corner", "less"), [("Error rate", True), ("RMSE", True), ("Accuracy (%)", False)])
def test_the_corner_of_a_table_names_the_metric(wide, corner, less):
    for table in (wide.rename_axis(corner), wide.T.rename_axis(corner)):
        learners = dict(zip(wide, ("svm", "knn", "lda"), strict=True))
        found = skc.read(table.rename(columns=learners, index=learners).reset_index())
        assert (found.metrics, found.greater_is_better) == ((corner,), (not less,))
        assert [row.winner for row in found.compare() if {row.a, row.b} == {"svm", "lda"}] == ["lda" if less else "svm"]
        assert any("ASSUMED: less is taken for better" in one for one in found.warnings) == less
    assert skc.read(wide.rename_axis("Task").reset_index()).metrics == ("score",)


@pytest.mark.parametrize(("word", "kind"), [("fold {}", "folds"), ("Split{:02d}", "folds"), ("seed_{}", "runs")])
@pytest.mark.parametrize("header", ["", "x", "Resample"])
def test_rows_that_are_called_like_splits_or_runs_are_these(wide, word, kind, header):
    table = wide.set_axis([word.format(i) for i in range(1, N + 1)]).rename_axis(header)
    summed = pd.concat([table, table.agg(["mean", "std"]).round(4)]).rename_axis(header)
    for own in (table, summed):
        found = skc.read(own.reset_index())
        assert found.provenance["read_as"].startswith(f"Read as: {kind} of 3 models")
        np.testing.assert_allclose(np.sort(found.scores[:, :, 0]), np.sort(wide.T.to_numpy()))
        with pytest.raises(ValueError, match="scores of data sets were expected"):
            StudyResult.from_frame(own.reset_index())


@pytest.mark.parametrize(("group", "name"), [("domain", "problem"), ("benchmark", "dataset"), ("env", "scenario")])
def test_of_two_names_of_data_sets_the_finer_one_can_be_given(wide, group, name):
    table = wide.rename_axis(name).reset_index()
    table.insert(0, group, ["bio", "chem"] * (N // 2))
    for own in (table, table.melt([group, name], var_name="model", value_name="score")):
        same_study(skc.read(own, dataset=name), wide)


@pytest.mark.parametrize("name", ["language", "subtask", "type of question"])
def test_the_parts_of_data_sets_are_offered_as_data_sets(wide, name):
    tidy = wide.rename_axis(name).reset_index().assign(task=["qa", "mt"] * (N // 2))
    tidy = tidy.melt(["task", name], var_name="model", value_name="score")
    with pytest.raises(ValueError, match="has several scores") as refused:
        skc.read(tidy)
    assert {"dataset": f"task + {name}"} in [options for _, options in refused.value.calls]
    same_study(skc.read(tidy, dataset=name), wide)


def test_records_are_a_table_and_texts_of_tables_are_refused_as_such(wide):
    tidy = wide.rename_axis("dataset").reset_index().melt("dataset", var_name="model", value_name="score")
    same_study(skc.read(tidy.to_dict("records")), wide)
    with pytest.raises(ValueError, match="source must be a path; got text of several lines"):
        skc.read(tidy.to_csv())


@pytest.mark.parametrize("name", ["results", "Results", "result"])
def test_a_column_of_results_holds_scores(wide, name):
    tidy = wide.rename_axis("dataset").reset_index().melt("dataset", var_name="model", value_name=name)
    same_study(skc.read(tidy), wide)
    same_study(skc.read(tidy.rename(columns={"dataset": "dataset_name"})), wide)
    with pytest.raises(ValueError, match="stand beside others"):
        skc.read(wide.rename_axis("dataset").reset_index().assign(**{name: 0.5}))


def test_means_of_candidates_alone_are_refused(rng):
    table = pd.DataFrame({"model": list("abcdef"), "mean_test_score": rng.random(6), "rank_test_score": range(1, 7)})
    with pytest.raises(ValueError, match="one number says nothing of its variation"):
        skc.read(table)
    settings = table.assign(model=np.arange(1, 7)).rename(columns={"model": "param_depth"})
    with pytest.raises(ValueError, match="must hold the scores of every split"):
        skc.read(settings)


@pytest.mark.parametrize("name", ["p-value", "P value", "pvalues"])
def test_a_row_of_p_values_is_no_data_set(wide, name, rng):
    table = pd.concat([wide, pd.DataFrame(rng.random((1, 3)), columns=wide.columns, index=[name])])
    same_study(skc.read(table.rename_axis("dataset").reset_index()), wide)


def test_a_table_without_a_header_is_refused_and_numbers_may_be_names(wide, tmp_path):
    middle = wide.sort_values(wide.columns[0]).iloc[[N // 2, *range(N // 2), *range(N // 2 + 1, N)]]
    middle.to_csv(tmp_path / "x.csv", header=False)
    with pytest.raises(ValueError, match="nothing names its model"):
        skc.read(tmp_path / "x.csv")
    shrunk = wide.set_axis(["0.01", "0.1", "10.0"], axis=1)
    same_study(skc.read(shrunk.rename_axis("dataset").reset_index(), models=list(shrunk)), shrunk)


def test_predictions_beside_what_describes_the_samples_are_offered(rng):
    table = pd.DataFrame({"prompt": [f"q{i}" for i in range(60)]})
    for name in ("a", "b", "answer"):
        table[name] = rng.permutation(list("ABC") * 20)
    with pytest.raises(ValueError, match="'answer' may hold true values") as refused:
        skc.read(table)
    [(_, options)] = refused.value.calls
    with pytest.warns(UserWarning, match="roc_auc_ovr is left out"):
        found = skc.read(table, **options)
    assert found.estimators == ("a", "b")
    assert found.score("a", "accuracy")[0] == (table["a"] == table["answer"]).mean()


def test_data_sets_in_the_columns_of_runs_are_offered(wide):
    table = wide.T.rename_axis("method").reset_index()
    runs = pd.concat([table.assign(seed=0), (wide.T + 0.001).rename_axis("method").reset_index().assign(seed=1)])
    with pytest.raises(ValueError, match="could all be scores") as refused:
        skc.read(runs)
    assert {"dataset": "columns"} in [options for _, options in refused.value.calls]
    assert skc.read(runs, dataset="columns").datasets == tuple(wide.index)


@pytest.mark.parametrize("name", ["y", "target"])
def test_numbers_to_predict_are_no_model(name, rng):
    table = pd.DataFrame({name: rng.normal(size=N), "a": rng.normal(size=N), "b": rng.normal(size=N)})
    with pytest.raises(ValueError, match="may hold true values") as refused:
        skc.read(table)
    assert refused.value.calls[0][1]["truth"] == name
    for _, options in refused.value.calls:
        assert skc.read(table, **options).estimators == ("a", "b")


# ---- names that say two things, and exports of mlr ---------------------------------------------------------------


def folds_of(rng, names, n_folds=4):
    """A row per data set, fold and model."""
    rows = [(name, i, model) for name in names for i in range(n_folds) for model in ("svm", "tree")]
    frame = pd.DataFrame(rows, columns=["dataset", "fold", "model"])
    return frame.assign(score=rng.random(len(frame)).round(4))


@pytest.mark.parametrize("cell", ["{}-{}", "{}_fold{}", "{} fold {}", "{}/{}", "{}_cv_{}"])
@pytest.mark.parametrize("header", ["dataset_fold", "Task Split", "problem-fold"])
def test_a_column_of_data_sets_and_folds_is_asked_about(cell, header, rng):
    plain = folds_of(rng, rng.permutation(["iris", "wine-2", "kc1", "zoo", "D_3"])[:4])
    names = [cell.format(*pair) for pair in zip(plain["dataset"], plain["fold"], strict=True)]
    tidy = plain.drop(columns=["dataset", "fold"]).assign(**{header: names})
    wide = tidy.pivot(index=header, columns="model", values="score").reset_index()
    for frame in (tidy, wide):
        with pytest.raises(ValueError, match=f"{header!r} names data sets and splits in one cell") as refused:
            skc.read(frame)
        assert not refused.value.calls  # folds are no data sets
        assert len(skc.read(frame, dataset=header).datasets) == len(plain) / 2
    [study] = asked(tidy.assign(dataset=plain["dataset"]), "names data sets and splits in one cell")
    alike = skc.read(plain)
    assert (study.datasets, study.estimators) == (alike.datasets, alike.estimators)
    np.testing.assert_allclose(study.scores, alike.scores)


@pytest.mark.parametrize("more", [{"resampling_id": "cv", "nr": 1}, {"resampling": "CV (5 iters)"}, {}])
@pytest.mark.parametrize(("error", "names"), [("classif.ce", "_"), ("mmce", "."), ("regr.mse", "_")])
def test_iterations_of_mlr_are_splits_and_its_errors_losses(more, error, names, rng):
    rows = [(task, model, i) for task in ("iris", "zoo", "sonar") for model in ("rpart", "ranger") for i in range(1, 6)]
    frame = pd.DataFrame(rows, columns=[f"task{names}id", f"learner{names}id", "iteration"]).assign(**more)
    frame[error] = rng.random(len(frame)).round(4)
    study = skc.read(frame)
    assert (study.metrics, study.greater_is_better) == ((error,), (False,))
    assert {result.design.name for result in study.results.values()} == {"5-fold cross-validation"}
    one = skc.read(frame[frame.iloc[:, 0] == "zoo"])
    assert one.scores.tolist() == study.results["zoo"].scores.tolist()


def test_iterations_that_no_cross_validation_drew_need_a_share_and_others_are_runs(rng):
    frame = pd.DataFrame([(model, i) for model in ("rpart", "ranger") for i in range(1, 6)])
    frame.columns = ["learner_id", "iteration"]
    frame = frame.assign(score=rng.random(len(frame)).round(4))
    assert skc.read(frame).design.kind == "runs"
    with pytest.raises(ValueError, match="nothing says which share of the samples they test") as refused:
        skc.read(frame.assign(resampling_id="subsampling"))
    for _, options in refused.value.calls:
        assert skc.read(frame.assign(resampling_id="subsampling"), **options).design.n_folds == 1


def test_a_model_that_is_right_where_most_others_are_is_no_sum_of_them(rng):
    right = (rng.random((30, 3)) < 0.7).astype(float)
    vote = (right.mean(axis=1) > 0.5).astype(float)
    frame = pd.DataFrame({"doc_id": [f"q{i}" for i in range(30)], "svm": right[:, 0], "knn": right[:, 1]})
    frame = frame.assign(tree=right[:, 2], vote=vote)
    assert skc.read(frame).estimators == ("svm", "knn", "tree", "vote")
    summed = skc.read(frame.assign(mean=frame.drop(columns="doc_id").mean(axis=1)))
    assert summed.estimators == ("svm", "knn", "tree", "vote")


@pytest.fixture
def folds(rng):
    """A row per model and fold, 10 to 20 folds; drawn names."""
    models, n = [f"m{x}" for x in rng.choice(90, 2, replace=False)], int(rng.integers(10, 20))
    rows = [(model, fold, score) for model in models for fold, score in enumerate(rng.random(n))]
    return pd.DataFrame(rows, columns=["model", "fold", "accuracy"])


@pytest.mark.parametrize("name", ["test_size", "val_size", "validation_size", "train_size"])
@pytest.mark.parametrize("form", [float, "{:.0%}".format])
def test_a_size_that_is_a_share_is_to_be_given_as_a_design(folds, name, form, rng):
    share = float(rng.choice([0.2, 0.25, 0.4]))
    for sizes in (form(share), rng.random(len(folds))):
        with pytest.raises(ValueError, match="give numbers of samples, or leave the column out"):
            skc.read(folds.assign(**{name: sizes}))
    found = skc.read(folds, design=f"random splits, {share:.0%} tested")
    assert found.design.test_fraction == pytest.approx(share)


@pytest.mark.parametrize("beside", ["question", "prompt", "text", "id", "Unnamed: 0", "note"])
@pytest.mark.parametrize("task", ["answers", "numbers"])
def test_what_names_the_samples_beside_predictions_is_no_model(task, beside, rng):
    n, models = int(rng.integers(20, 60)), rng.choice(["gpt", "claude", "llama", "bert"], 3, replace=False)
    answers = [*"ABCD", *rng.choice([*"ABCD"], n - 4)]
    drawn = {"answers": lambda: rng.permutation(answers), "numbers": lambda: rng.random(n)}[task]
    cells = {"Unnamed: 0": range(n), "note": ["the same"] * n}.get(beside, [f"{beside} {i}" for i in range(n)])
    given = {"gold": drawn(), **{name: drawn() for name in models.tolist()}}
    table = pd.DataFrame({beside: cells, **given}).iloc[:, rng.permutation(5)]
    asked = {"metrics": ["accuracy"] if task == "answers" else ["r2"]}
    plain = skc.read(pd.DataFrame(given)[[name for name in table if name in given]], **asked)
    for frame in (table, table.assign(id=[f"q{i}" for i in range(n)])):
        found = skc.read(frame, **asked)
        assert found.estimators == plain.estimators
        np.testing.assert_allclose(found.scores, plain.scores)
        assert (beside == "note" and "id" not in frame) or f"on {n} samples (column '" in found.provenance["read_as"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("{}", "{}_probability"), ("y_label_{}", "y_score_{}")),
        *(("{} label", "{} score"), ("{}_proba_1", "{}_proba_0")),
    ],
)
def test_predictions_and_probabilities_of_one_model_are_not_two_models(one, other, rng):
    n, models = int(rng.integers(20, 60)), rng.choice(["svm", "rf", "gpt", "x7", "ours"], 3, replace=False)
    truth, shares = np.arange(n) % 2, {name: rng.random(n) for name in models.tolist()}
    first = {one.format(name): x if "1" in one else (x > 0.5).astype(int) for name, x in shares.items()}
    second = {other.format(name): 1 - x if "1" in one else x for name, x in shares.items()}
    names = rng.permutation([*first, *second]).tolist()
    table = pd.DataFrame({"y_true": truth, **first, **second})[["y_true", *names]]
    with pytest.raises(ValueError, match=r"of the same models|add up to 1") as refusal:
        skc.read(table)
    calls = [call["models"] for _, call in refusal.value.calls]
    wanted = [{*first}] if "1" in one else [{*first}, {*second}]
    assert sorted(map(sorted, calls)) == sorted(map(sorted, wanted))
    for call in calls:
        assert skc.read(table, models=call, metrics=["accuracy"]).estimators == tuple(call)


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("form", [np.asarray, pd.Series, pd.DatetimeIndex])
def test_dates_in_whatever_unit_are_no_scores(folds, unit, form, rng):
    start, n = np.datetime64(int(rng.integers(1, 2_000_000_000)), "s"), len(folds)
    dates = form((start + np.arange(n).astype("m8[h]")).astype(f"M8[{unit}]"))
    with pytest.raises(ValueError, match=r"row 1, column 'score': '\d{4}-.* is no number"):
        skc.read(folds.drop(columns="accuracy").assign(score=dates))
    with pytest.raises(ValueError, match="column 'when' may name data sets or models"):
        skc.read({"when": dates, "a": rng.random(n), "b": rng.random(n)})
    labels = {"y_true": np.arange(n) % 2, "when": dates, "a": rng.integers(0, 2, n), "b": rng.integers(0, 2, n)}
    read = skc.read(labels, metrics=["accuracy"])
    assert (read.estimators, "'when' (what describes" in read.provenance["read_as"]) == (("a", "b"), True)
    with pytest.raises(ValueError, match=r"y_true must hold .*; got dates"):
        skc.from_predictions(dates, {"a": rng.random(n), "b": rng.random(n)})
    result = skc.from_outcomes({name: rng.integers(0, 2, n) for name in "ab"})
    days = np.repeat(np.asarray(dates)[:2], [n // 2, n - n // 2])
    assert set(result.by(days).to_frame()["group"]) == {str(day) for day in days.astype("M8[us]").tolist()}


SPELT = [
    ("RF", "rf"),
    ("Random Forest", "random_forest"),
    ("k-NN", "kNN"),
    ("Ada.Boost", "adaboost"),
    ("L1 Svm", "l1_svm"),
]


@pytest.mark.parametrize("pair", SPELT, ids=": ".join)
@pytest.mark.parametrize("case", ["fold", "dataset", "seed", "item"])
def test_one_model_or_data_set_in_two_spellings_is_asked_about(pair, case, rng):
    n = int(rng.integers(8, 20))
    where = rng.permutation(n) % 2
    own = [(pair[where[i]], f"{i}", rng.random()) for i in range(n)]
    table = pd.DataFrame([*own, *(("other", f"{i}", rng.random()) for i in range(n))], columns=["model", case, "score"])
    says = "may be one {} in two spellings"
    with pytest.raises(ValueError, match=says.format("model")):
        skc.read(table)
    renamed = table.replace({"model": dict.fromkeys(pair, "the model")})
    assert skc.read(renamed, decimal=".").estimators == ("the model", "other")
    sets = [*((m, f"set {i}", rng.random()) for i in range(n) for m in "ab"), ("a", pair[0], 0.5), ("b", pair[1], 0.5)]
    with pytest.raises(ValueError, match=says.format("data set")):
        skc.read(pd.DataFrame(sets, columns=["model", "dataset", "score"]))
    both = pd.DataFrame(rng.random((n, 2)), columns=list(pair)).rename_axis(case)  # on the same cases they are two
    assert set(
        skc.read(both, **{"run" if case == "seed" else "split" if case == "fold" else case: case}).estimators
    ) == {*pair}


@pytest.mark.parametrize("pair", [("C=1", "C=-1"), ("lr 1e3", "lr 1e-3"), ("shift 2", "shift -2"), ("a=.5", "a=5")])
def test_names_that_differ_in_the_sign_or_point_of_a_number_are_two(pair, rng):
    n = int(rng.integers(4, 9))
    table = pd.DataFrame({"model": np.repeat(pair, n), "seed": range(2 * n), "accuracy": rng.random(2 * n)})
    assert skc.read(table).estimators == pair


@pytest.mark.parametrize("team", ["team", "TeamName"])
def test_teams_are_models_only_where_no_column_of_models_stands_beside_them(team, rng):
    frame = pd.DataFrame([*product(["svm", "knn", "nb"], "abcdefg")], columns=["model", "dataset"])
    frame["accuracy"] = rng.random(len(frame))
    for teams in (rng.permutation(21) % 4, np.arange(21)):
        assert skc.read(frame.assign(**{team: [f"t{x}" for x in teams]})).estimators == ("svm", "knn", "nb")
    assert skc.read(frame.rename(columns={"model": team})).estimators == ("svm", "knn", "nb")
    both = pd.concat([frame.assign(**{team: "one"}), frame.assign(**{team: "other"})])
    with pytest.raises(ValueError, match="has several scores") as refused:
        skc.read(both)
    assert {"model": f"model + {team}"} in [options for _, options in refused.value.calls]


@pytest.mark.parametrize("name", ["w/t/l", "Wins", "win/tie/loss"])
def test_wins_ties_and_losses_are_no_scores(wide, name, rng):
    cells = [[f"{x}/{y}/{z}" for x, y, z in rng.integers(0, N, (3, 3))] for _ in range(N)]
    counts = pd.DataFrame(cells, index=wide.index, columns=wide.columns)
    with pytest.raises(ValueError, match=r"'\d+/\d+/\d+' counts wins, ties and losses"):
        skc.read(counts)
    below = pd.concat([wide.astype(str), counts[:1].set_axis([name])])
    found = skc.read(below.rename_axis("dataset"))
    same_study(found, wide)
    assert name in found.provenance["read_as"]


@pytest.mark.parametrize("day", ["SubmissionDate", "LastSubmissionDate"])
def test_teams_of_a_leaderboard_are_models_and_their_numbers_nothing(day, rng):
    n = int(rng.integers(5, 30))
    days = np.datetime_as_string(np.datetime64("2019-01-01") + rng.integers(0, 300, n).astype("m8[D]"))
    board = {
        "TeamId": rng.choice(10**6, n, replace=False),
        "TeamName": [f"team {x}" for x in rng.choice(999, n, False)],
    }
    board |= {day: days, "Score": rng.random(n), "SubmissionCount": rng.integers(1, 99, n)}
    with pytest.raises(ValueError, match="it has one score per model: one number says nothing"):
        skc.read(pd.DataFrame(board))


@pytest.mark.parametrize("name", ["horizon", "Forecast_Horizon", "lead_time", "fh", "steps ahead"])
def test_horizons_of_forecasts_are_no_splits(name, rng):
    ahead = np.arange(1, int(rng.integers(5, 24)))
    tidy = pd.DataFrame({"model": np.repeat(["m", "n"], len(ahead)), name: np.tile(ahead, 2)})
    wide = pd.DataFrame({name: ahead, "m": rng.random(len(ahead)), "n": rng.random(len(ahead))})
    for table in (tidy.assign(mae=rng.random(len(tidy))), wide):
        with pytest.raises(ValueError, match=rf"{name!r} counts how far ahead forecasts look") as refused:
            skc.read(table)
        assert f"frame[frame[{name!r}] == 1]" in str(refused.value)


@pytest.mark.parametrize("corner", ["index", "", "Score", "Unnamed: 0", "value"])
@pytest.mark.parametrize("more", [(), ("fit_time", "predict_time"), ("precision_0", "precision_1"), ("my_score",)])
def test_rows_of_metrics_are_no_data_sets(corner, more, rng, tmp_path):
    known = ["accuracy", "F1", "roc_auc", "RMSE", "log_loss", "kappa", "mAP@50", "recall (macro)", "brier_score"]
    rows = [*rng.choice(known, 4, replace=False).tolist(), *more]
    models = [f"m{x}" for x in rng.choice(90, 3, replace=False)]
    table = pd.DataFrame(rng.random((len(rows), 3)).round(3), index=rng.permutation(rows), columns=models)
    path = tmp_path / "scores.csv"
    table.to_csv(path, index_label=corner)
    named = table.rename_axis(corner or None)
    for read, given in product((skc.read, StudyResult.from_frame), (named, named.reset_index())):
        with pytest.raises(ValueError, match=r"it has one score per model and metric"):
            read(given)
    with pytest.raises(ValueError, match=r"it has one score per model and metric"):
        skc.read(path)


@pytest.mark.parametrize("told", [{}, {"design": "5-fold"}])
def test_a_study_whose_splits_are_assumed_says_so_in_its_design_line(told, rng):
    sets = [f"set{x}" for x in rng.choice(900, N, replace=False)]
    table = pd.DataFrame([*product("ab", sets, range(5))], columns=["model", "dataset", "fold"])
    table["accuracy"] = rng.random(len(table))
    assert ("5-fold cross-validation on each (assumed)." in str(skc.read(table, **told).explain())) == (not told)


@pytest.mark.parametrize(("case", "kind"), [("dataset", "study"), ("fold", "folds"), ("seed", "runs")])
@pytest.mark.parametrize("long", [True, False])
def test_clusters_of_what_are_no_items_are_refused_and_not_ignored(case, kind, long, rng):
    name = str(rng.choice(["hospital", "lab", "group"]))
    table = pd.DataFrame({case: [f"d{i}" for i in range(N)] if case == "dataset" else range(N)})
    table[name] = [f"h{i}" for i in range(N // 2)] * 2
    scores = rng.random((N, 2)).round(3)
    wide = table.assign(a=scores[:, 0], b=scores[:, 1])
    given = wide.melt([case, name], var_name="model", value_name="accuracy") if long else wide
    with pytest.raises(ValueError, match=rf"cluster does not go with {kind}, as which"):
        skc.read(given, cluster=name)
    assert skc.read(given, cluster="none", models=None if long else ["a", "b"]).estimators == ("a", "b")


@pytest.mark.parametrize("case", ["dataset", "question"])
@pytest.mark.parametrize("design", ["runs", "paired runs: one seed"])
def test_a_design_of_runs_is_refused_where_there_are_none(case, design, wide):
    table = wide.round(0).astype(int) if case == "question" else wide
    with pytest.raises(ValueError, match=r"speaks of runs, .* read as (study|outcomes)"):
        skc.read(table.rename_axis(case), design=design)


@pytest.mark.parametrize("k", [2, 3, 4, 7, 10, 15])
def test_folds_and_the_part_they_test_go_together(k, rng):
    scores = rng.random((2, k)).round(3)
    table = {"model": ["a"] * k + ["b"] * k, "fold": [*range(k)] * 2, "score": scores.ravel()}
    wrong = int(rng.choice([x for x in range(1, 100) if abs(x - 100 / k) > 1]))
    words = [f"{k}-fold, {wrong}% tested", f"{wrong / 100} tested, {k}-fold", f"1x{k}, {wrong}% tested"]
    halved = [f"{k} random halves, {wrong}% tested", f"{wrong}% tested, random halves"] if wrong != 50 else []
    for design in words + halved:
        with pytest.raises(ValueError, match=r"tested part.*got"):
            skc.read(table, design=design)
    for design in (f"{k}-fold, {100 / k:.0f}% tested", f"{k}-fold, {1 / k:.3f} tested", f"{k}-fold"):
        found = skc.read(table, design=design).design
        assert (found.n_folds, found.test_fraction, found.partition) == (k, 1 / k, True)


@pytest.mark.parametrize("role", ["fold", "item"])
@pytest.mark.parametrize("missing", [None, "drop"])
@pytest.mark.parametrize("form", ["files", "rows"])
def test_cases_that_are_numbered_from_0_and_from_1_are_not_paired_by_their_numbers(role, missing, form, rng, tmp_path):
    n, names = int(rng.integers(5, 30)), rng.permutation(["svm", "gpt", "x7"]).tolist()
    metric = "accuracy" if role == "fold" else "correct"
    starts = rng.permutation([0, 1, 1]).tolist()
    drawn = {"fold": rng.random, "item": lambda n: (rng.random(n) > 0.3).astype(int)}[role]
    tables = {x: pd.DataFrame({role: range(i, i + n), metric: drawn(n)}) for x, i in zip(names, starts, strict=True)}
    for name, table in tables.items():
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    rows = pd.concat([table.assign(model=name) for name, table in tables.items()])
    given = [rows] if form == "rows" else [tmp_path / f"{name}.csv" for name in tables]
    with pytest.raises(ValueError, match="number them alike"):
        skc.read(*given, missing=missing)


@pytest.mark.parametrize("name", ["files", "rows", "total", "overall", "All"])
@pytest.mark.parametrize("form", ["tidy", "wide", "file"])
def test_a_model_called_like_a_word_of_the_reader_is_read_or_asked_about(name, form, rng, tmp_path):
    n, low = int(rng.integers(5, 12)), float(rng.choice([0.4, 0.7]))
    scores = {name: low + 0.1 * rng.random(n), "svm": low + 0.3 * rng.random(n)}
    table = pd.DataFrame({"fold": range(n), **scores})
    table = table.melt("fold", var_name="model", value_name="accuracy") if form == "tidy" else table
    table.to_csv(tmp_path / "x.csv", index=False)
    source = tmp_path / "x.csv" if form == "file" else table
    asked = {} if name in ("files", "rows") else {"models": [name, "svm"]}
    if asked:
        with pytest.raises(ValueError, match=f"'{name}'"):
            skc.read(source)
    if not asked or form != "tidy":
        found = skc.read(source, **asked)
        assert [x.rstrip("_") for x in found.estimators] == [name, "svm"]
        np.testing.assert_allclose(found.scores[:, :, 0], [*scores.values()])


@pytest.mark.parametrize("cell", ["True", "yes", True, "1_000", "0.9_1"])
def test_a_cell_that_is_no_number_among_numbers_is_the_one_that_is_quoted(folds, cell, rng):
    at = int(rng.integers(len(folds)))
    scores = folds["accuracy"].astype(object)
    scores.iloc[at] = cell
    with pytest.raises(ValueError, match=re.escape(f"row {at + 1}, column 'accuracy': {str(cell)!r} is not read")):
        skc.read(folds.assign(accuracy=scores))


@pytest.mark.parametrize("names", [(1.5, 2.5), ("10%", "20%"), ("0.1", "0.25")])
def test_models_whose_names_are_numbers_are_read_by_the_call_that_is_given(names, rng):
    n = int(rng.integers(5, 12))
    table = pd.DataFrame(
        {"fold": [*range(n)] * 2, "model": np.repeat(np.array(names), n), "accuracy": rng.random(2 * n)}
    )
    with pytest.raises(ValueError, match=r"skc\.read\(frame, model='model'\)"):
        skc.read(table)
    assert skc.read(table, model="model").estimators == tuple(map(str, names))


@pytest.mark.parametrize("sep", [0, True, 1.5, b",", ("tab",), [], "TAB", "::"])
def test_a_separator_that_is_no_character_is_refused(folds, sep, tmp_path):
    folds.to_csv(tmp_path / "x.csv", index=False)
    with pytest.raises(ValueError, match="sep must be one character that separates columns"):
        skc.read(tmp_path / "x.csv", sep=sep)
