"""Tables that were misread once, with names and values that are drawn: through every way in."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import skcompare as skc
from skcompare import StudyResult

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


def test_two_columns_of_names_are_asked_about_by_a_study(wide):
    table = wide.rename_axis("task").reset_index()
    table.insert(0, "type", ["binary", "multiclass"] * (N // 2))
    with pytest.raises(ValueError, match=r"2 columns of names, 'task', 'type'.*call it 'dataset'") as refused:
        StudyResult.from_frame(table)
    [call] = re.findall(r"skc\.read\(.*?\)", str(refused.value))
    same_study(eval(call, {"skc": skc, "frame": table}), wide)
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


@pytest.mark.parametrize("design", ["", "k-fold", "0x", "half", "120% tested", "30 random splits, 0% tested"])
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
    for read, taken, greater in ((skc.from_frame, "more", True), (skc.read, "less", False)):
        result = read(table)
        assert result.greater_is_better == (greater,) or (read is skc.read and name == "errors")
        assert any("ASSUMED" in one and "is taken for better on" in one for one in result.warnings), taken
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
