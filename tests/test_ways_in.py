"""What somebody would try first with predictions and outcomes: the right samples, classes and groups, or a refusal."""

from __future__ import annotations

import sys
from enum import StrEnum
from itertools import product

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn.metrics import accuracy_score, f1_score, log_loss, make_scorer, roc_auc_score
from sklearn.naive_bayes import GaussianNB

import skcompare as skc
from skcompare import from_outcomes, from_predictions
from skcompare.cli import main as cli
from skcompare.inference import paired_bootstrap, proportion_interval
from skcompare.testing import not_worse

N = 60
IDS = [f"s{i}" for i in range(N)]  # in their own order s1, s10, s11 and so on
RNG = np.random.default_rng(5)
Y = np.tile([0, 1], N // 2)
LABELS = {name: np.where(RNG.random(N) < share, Y, 1 - Y) for name, share in (("a", 0.8), ("b", 0.6))}
SHARES = {name: np.where(found, 0.8, 0.3) for name, found in LABELS.items()}
LETTERS = np.where(Y, "yes", "no")


def shuffled(values, seed=0):
    return pd.Series(values, index=IDS).sample(frac=1, random_state=seed)


def scores(*given, scoring=("accuracy", "roc_auc"), **options):
    return from_predictions(*given, scoring=list(scoring), **options).scores[:, 0]


def by_class(classes):
    """True classes and two models' probabilities of all."""
    y = np.tile(classes, 5)
    found = {}
    for name, strength in (("a", 1.0), ("b", 0.3)):
        shares = RNG.random((len(y), len(classes))) + strength * (y[:, None] == np.asarray(classes))
        found[name] = shares / shares.sum(axis=1, keepdims=True)
    return y, found


def tidy(y, found, classes):
    columns = {f"probability_{c}": np.concatenate([p[:, k] for p in found.values()]) for k, c in enumerate(classes)}
    return {
        "sample_id": np.tile(np.arange(len(y)), 2),
        "model": np.repeat([*found], len(y)),
        "y_true": np.tile(y, 2),
        **columns,
    }


@pytest.mark.parametrize("classes", [list(range(12)), [-1, 1], [0.0, 2.0, 10.0], ["b", "a", "C"]])
def test_columns_of_a_table_belong_to_the_classes_that_they_name(classes):
    y, found = by_class(classes)
    of_arrays = scores(y, found, scoring=["accuracy", "neg_log_loss"], classes=classes)
    table = tidy(y, found, [f"{c:g}" if isinstance(c, float) else c for c in classes])
    np.testing.assert_allclose(scores(table, scoring=["accuracy", "neg_log_loss"]), of_arrays)
    in_order = found["a"][:, np.argsort(classes)]
    assert of_arrays[0, 1] == pytest.approx(-log_loss(y, in_order, labels=sorted(classes)))
    with pytest.raises(ValueError, match="one column of probabilities per class"):
        scores(tidy(y, found, [f"not {c}" for c in classes]))


def test_columns_of_a_frame_belong_to_the_classes_that_they_name():
    shares = {name: np.column_stack([1 - p, p]) for name, p in SHARES.items()}
    right = scores(LETTERS, shares)
    assert right[0, 1] == roc_auc_score(Y, SHARES["a"])
    named = {name: pd.DataFrame(p, columns=["no", "yes"])[["yes", "no"]] for name, p in shares.items()}
    np.testing.assert_array_equal(scores(LETTERS, named), right)
    unnamed = {name: pd.DataFrame(p[:, ::-1]) for name, p in shares.items()}
    np.testing.assert_array_equal(scores(LETTERS, unnamed, classes=["yes", "no"]), right)
    one_column = {name: p[:, None] for name, p in SHARES.items()}
    np.testing.assert_array_equal(scores(LETTERS, one_column), right)


@pytest.mark.parametrize(
    ("truth", "predicted"),
    [
        (pd.Series(Y, dtype=object), SHARES),
        (Y, {name: p.astype(object) for name, p in SHARES.items()}),
        (Y, pd.DataFrame(SHARES)),
        (pd.Series(Y, dtype="Int64"), {name: pd.Series(p, dtype="Float64") for name, p in SHARES.items()}),
        (pd.Series(LETTERS, dtype="category"), SHARES),
    ],
    ids=["objects", "scores as objects", "frame", "nullable", "categories"],
)
def test_columns_of_any_kind_have_the_same_scores(truth, predicted):
    np.testing.assert_array_equal(scores(truth, predicted), scores(Y, SHARES))


def test_outcomes_may_be_the_columns_of_a_frame():
    passed = {name: (found == Y) for name, found in LABELS.items()}
    assert str(from_outcomes(pd.DataFrame(passed)).test()) == str(from_outcomes(passed).test())


def test_pandas_objects_are_aligned_by_the_ids_in_clusters_groups_and_outcomes():
    patients, wards = np.arange(N) // 3, np.where(np.arange(N) % 5 < 2, "x", "y")
    plain = from_predictions(Y, LABELS, sample_id=IDS, clusters=patients, scoring="accuracy")
    same = from_predictions(shuffled(Y), LABELS, sample_id=IDS, clusters=shuffled(patients, 1), scoring="accuracy")
    assert str(same.test()) == str(plain.test())
    assert str(same.by(shuffled(wards))) == str(plain.by(wards))
    passed = {name: (found == Y).astype(float) for name, found in LABELS.items()}
    items = from_outcomes(passed, sample_id=IDS, clusters=patients)
    moved = {name: shuffled(values, i) for i, (name, values) in enumerate(passed.items())}
    other = from_outcomes(moved, sample_id=IDS, clusters=shuffled(patients, 7))
    np.testing.assert_array_equal(other.scores, items.scores)
    assert str(other.by(shuffled(wards))) == str(items.by(wards))


def test_pandas_objects_with_other_labels_are_refused():
    other, fewer = pd.Series(np.arange(N) // 2, index=[*IDS[1:], "s0"]), pd.Series(np.arange(N - 1), index=IDS[1:])
    with pytest.raises(ValueError, match="y_true and clusters must have the same index"):
        from_predictions(pd.Series(Y, index=IDS), LABELS, clusters=other)
    with pytest.raises(ValueError, match=r"clusters must have every sample_id once .* lacks \['s0'\]"):
        from_predictions(Y, LABELS, sample_id=IDS, clusters=fewer)
    result = from_predictions(Y, LABELS, sample_id=IDS, scoring="accuracy")
    with pytest.raises(ValueError, match=r"labels must .* it lacks \['s0'\]\. Give labels\.to_numpy\(\)"):
        result.by(fewer)
    assert str(result.by(pd.Series(Y))) == str(result.by(Y))  # an index of positions names no sample
    first, second = ({name: shuffled(Y, seed) for name in "ab"} for seed in (0, 1))
    with pytest.raises(ValueError, match="must have the same index"):
        from_outcomes({"one": first, "two": second})


def test_groups_of_a_table_are_named_by_its_ids():
    table = {
        "sample_id": IDS * 2,
        "model": ["a"] * N + ["b"] * N,
        "y_true": [*Y] * 2,
        "prediction": [*LABELS["a"], *LABELS["b"]],
        "ward": [*np.where(LABELS["a"], "x", "y")] * 2,
    }
    result = from_predictions(table, scoring="accuracy")
    wards = pd.Series(table["ward"][:N], index=IDS)
    assert [row.pvalue for row in result.by(wards)] == [row.pvalue for row in result.by("ward")]
    for labels in (wards.to_numpy(), wards.tolist()):
        with pytest.raises(ValueError, match="labels must be a column of the table or a pandas Series"):
            result.by(labels)


def test_classes_that_the_true_values_lack_have_their_scores():
    y, other = np.tile([1, 2], N // 2), np.tile([0, 1, 1], N // 3)
    result = from_predictions(y, {"a": other, "b": y}, classes=[0, 1, 2], scoring=["accuracy", "f1_macro"])
    assert result.score("a", "accuracy")[0] == accuracy_score(y, other)
    assert result.score("a", "f1_macro")[0] == f1_score(y, other, average="macro")
    for row in result.compare():
        assert (row.mean_a, row.winner) == (result.score("a", row.metric)[0], "b")
    _, shares = by_class([0, 1, 2])
    shares = {name: np.resize(p, (N, 3)) for name, p in shares.items()}
    with pytest.raises(ValueError, match="'neg_log_loss' reads scores, and no sample is of class 0"):
        from_predictions(y, shares, classes=[0, 1, 2], scoring=["accuracy", "neg_log_loss"])
    given = make_scorer(log_loss, response_method="predict_proba", greater_is_better=False, labels=[0, 1, 2])
    found = from_predictions(y, shares, classes=[0, 1, 2], scoring={"loss": given})
    assert found.score("a", "loss")[0] == pytest.approx(-log_loss(y, shares["a"], labels=[0, 1, 2]))
    with pytest.raises(ValueError, match=r"y_true must hold two .*; got only \[1\]"):
        from_predictions([1, 1, 1], {"a": [1, 1, 0], "b": [1, 0, 1]}, classes=[0, 1], scoring="accuracy")


def test_a_metric_that_one_group_does_not_define_is_not_compared_there():
    groups = np.where((Y == 1) & (np.arange(N) < 30), "ones", "others")
    table = from_predictions(Y, SHARES, scoring=["roc_auc", "neg_log_loss"]).by(groups)
    assert [row.outcome.value == "not comparable" for row in table] == [True, False, False, False]


@pytest.mark.parametrize("names", [[1, 2], [None, "b"], ["", "b"]])
def test_models_are_named_by_texts(names):
    table = {"sample_id": [1, 2, 1, 2], "model": np.repeat(np.array(names, dtype=object), 2), "outcome": [0, 1, 1, 1]}
    for given in (table, {name: [0, 1, 1] for name in names}):
        with pytest.raises(ValueError, match=f"must be named by non-empty strings; got {names[0]!r}|row 1 has no name"):
            from_outcomes(given)


@pytest.mark.parametrize("name", ["", " ", "\u2003"])
def test_no_model_and_no_data_set_has_a_blank_name(name):
    runs = skc.from_runs({"a": [0.1, 0.2, 0.4], "b": [0.3, 0.2, 0.5]})
    judged = {"model_a": [name, "y"] * 6, "model_b": ["y", "z"] * 6, "winner": ["model_a", "model_b", "tie"] * 4}
    for way_in in (
        lambda: from_outcomes({name: [0, 1, 1], "b": [1, 1, 0]}),
        lambda: from_predictions([0, 1, 1], {name: [0, 1, 1], "b": [1, 1, 0]}),
        lambda: skc.from_cross_validate({name: [0.1, 0.2], "b": [0.3, 0.1]}, scoring="accuracy", n_folds=2),
        lambda: skc.from_judgments(judged),
        lambda: skc.StudyResult.from_results({name: runs, "x": runs}),
    ):
        with pytest.raises(ValueError, match="non-empty strings"):
            way_in()


def test_shares_of_errors_have_the_interval_of_a_share():
    errors = {name: (found != Y) for name, found in LABELS.items()}
    wilson = proportion_interval(int(errors["a"].sum()), N)
    row = from_outcomes({"error": errors}, greater_is_better=False).intervals()[0]
    assert (row.low, row.high, row.method) == (wilson.low, wilson.high, "Wilson")


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("clusters", [None, np.arange(N) // 3])
def test_the_p_value_of_a_margin_is_that_of_the_bootstrap_interval(alternative, clusters):
    def asked(null):
        options = {"rng": 0, "n_resamples": 500, "alternative": alternative, "clusters": clusters}
        return paired_bootstrap(Y, LABELS["a"], LABELS["b"], "f1", null=null, **options)

    for level in (0.9, 0.95):
        interval = asked(0.01).confidence_interval(level)
        for limit, outwards in ((interval.low, -1), (interval.high, 1)):
            if np.isfinite(limit):
                assert asked(limit + outwards * 1e-6).pvalue < 1 - level <= asked(limit - outwards * 1e-6).pvalue
    assert asked(-5).pvalue == pytest.approx(1 if alternative == "less" else 1 / 501)
    assert asked(5).pvalue == pytest.approx(1 if alternative == "greater" else 1 / 501)


def test_a_verdict_on_a_margin_and_its_interval_agree():
    result = from_predictions(Y, LABELS, scoring="f1")
    low = not_worse(result, "b", "a", margin=0.5).comparison[0].low
    for margin, verdict in ((-low + 1e-6, "not worse"), (-low - 1e-6, "undecided")):
        assert not_worse(result, "b", "a", margin=margin).verdict == verdict


def test_only_an_answer_of_check_ends_with_the_status_of_one(tmp_path, monkeypatch, capsys):
    full, empty = tmp_path / "full.csv", tmp_path / "empty.csv"
    full.write_text("sample_id,y_true,prediction\n1,1,1\n2,0,0\n")
    empty.write_text("sample_id,y_true,prediction\n")
    asked = ["check", str(full), str(empty), "--metric", "accuracy", "--margin", "0.1"]
    done = CliRunner().invoke(cli.command, asked)
    assert (done.exit_code, "empty.csv has no rows below its header" in done.stderr) == (3, True)

    def broken(*_args, **_options):
        raise RuntimeError("no answer")

    monkeypatch.setattr(cli.command, "main", broken)
    monkeypatch.setattr(sys, "argv", ["skcompare", *asked])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 3
    assert "RuntimeError: no answer" in capsys.readouterr().err


# ---- each check stands in one place, whatever the samples came in -------------------------------------------------


def _rows(n=12):
    truth = np.arange(n) % 2
    return truth, np.roll(truth, 1), np.r_[truth[:-2], 1 - truth[-2:]]


@pytest.mark.parametrize("argument", ["sample_id", "clusters"])
def test_a_date_that_is_missing_names_no_sample(argument):
    truth, a, b = _rows()
    days = np.array([*np.arange("2020-01-01", "2020-01-12", dtype="M8[D]"), "NaT"], dtype="M8[D]")
    for read in (lambda **known: skc.from_predictions(truth, {"a": a, "b": b}, **known), None):
        read = read or (lambda **known: skc.from_outcomes({"a": a == truth, "b": b == truth}, **known))
        with pytest.raises(ValueError, match=rf"^{argument} must not have missing.* position 11"):
            read(**{argument: days})


def test_text_beside_nan_in_a_list_is_no_class():
    with pytest.raises(ValueError, match=r"^y_true must not have missing.* got nan at position 1"):
        skc.from_predictions(["x", float("nan"), "y", "x"], {"a": ["x", "y", "y", "x"]})


@pytest.mark.parametrize(
    ("column", "called"), [("y_true", "y_true"), ("clusters", "clusters"), ("sample_weight", "sample_weight")]
)
@pytest.mark.parametrize("gap", [float("nan"), None, pd.NA])
def test_what_a_table_lacks_of_a_sample_is_missing_and_does_not_differ(column, called, gap):
    truth, a, b = _rows()
    table = {"sample_id": [*range(12)] * 2, "model": ["a"] * 12 + ["b"] * 12, "y_true": [*truth] * 2}
    table |= {"prediction": [*a, *b], "clusters": [*np.arange(12) // 2] * 2, "sample_weight": [1.0] * 24}
    table[column] = pd.Series([gap if i % 12 == 3 else x for i, x in enumerate(table[column])], dtype=object)
    with pytest.raises(ValueError, match=rf"^{called} must not have missing.* position 3"):
        skc.from_predictions(pd.DataFrame(table))


def test_labels_that_are_bytes_and_no_labels_at_all_are_refused_by_name():
    with pytest.raises(ValueError, match=r"^y_true must hold one label.*bytes"):
        skc.from_predictions(np.array([b"x", b"y"] * 3), {"a": np.array([b"x", b"y"] * 3)})
    with pytest.raises(ValueError, match=r"^y_true must hold two or more classes"):
        skc.from_predictions(np.zeros(0), {"a": np.zeros(0)})
    with pytest.raises(ValueError, match=r"^y_true must have one row per sample, 3; got shape"):
        skc.from_predictions(np.zeros((3, 2, 2)), {"a": np.zeros(3)})
    with pytest.raises(ValueError, match=r"^classes must name every class once; got '01'"):
        skc.from_predictions([0, 1, 1], {"a": np.eye(3)[:, :2]}, classes="01")


def test_ids_in_a_column_of_the_table_leave_its_rows_as_they_stand():
    frame = pd.DataFrame({"id": [2, 0, 1, 3], "a": [1, 0, 0, 1], "b": [0, 0, 1, 1]})
    found = skc.from_outcomes({"a": frame["a"], "b": frame["b"]}, sample_id=frame["id"])._scores
    assert dict(zip(found.sample_ids.tolist(), found.scores[0, :, 0].tolist(), strict=True)) == {2: 1, 0: 0, 1: 0, 3: 1}


def test_every_part_that_a_model_gave_is_paired_by_its_index():
    truth, a, b = map(pd.Series, _rows())
    parts = {"prediction": a[::-1], "probability": a * 0.5}
    with pytest.raises(ValueError, match=r"^y_true and predictions\['a'\]\['prediction'\] must have"):
        skc.from_predictions(truth, {"a": parts, "b": b})


def test_human_labels_are_paired_with_the_outcomes_by_their_index():
    rng = np.random.default_rng(0)
    judge = pd.DataFrame({"a": rng.random(30), "b": rng.random(30)})
    human = judge.copy()
    human.iloc[10:] = np.nan
    assert skc.from_judged(judge, human=human).design.n_samples == 30
    with pytest.raises(ValueError, match=r"^outcomes\['a'\] and human\['a'\] must have the same index"):
        skc.from_judged(judge.iloc[::-1], human=human)


def test_a_cluster_of_judgments_is_a_column():
    judged = {"model_a": ["x", "y"] * 10, "model_b": ["y", "x"] * 10, "winner": ["a", "a", "b", "a"] * 5}
    with pytest.raises(ValueError, match=r"^cluster must be one of"):
        skc.from_judgments(judged, cluster=np.arange(20))


@pytest.mark.parametrize("design", ["0-fold", "1-fold", "0x5", "5x1", "10-fold, runs", "5-fold, 5 random splits"])
def test_a_design_has_two_folds_or_more_and_one_kind(design):
    with pytest.raises(ValueError, match=r"^design must read like"):
        skc.read(
            {"model": ["a"] * 5 + ["b"] * 5, "fold": [*range(5)] * 2, "score": np.linspace(0, 1, 10)}, design=design
        )


def test_a_test_fraction_that_is_no_number_is_refused():
    table = {"model": ["a"] * 5 + ["b"] * 5, "fold": [*range(5)] * 2, "score": np.linspace(0, 1, 10)}
    for read in (
        skc.from_frame,
        lambda frame, **said: skc.StudyResult.from_frame({**frame, "dataset": ["x"] * 10}, **said),
    ):
        with pytest.raises(ValueError, match=r"^test_fraction must be a number in \(0, 1\); got 'x'"):
            read(table, test_fraction="x")


def test_a_saved_result_that_is_read_as_a_table_names_the_right_reader(tmp_path):
    skc.from_runs({"a": [0.1, 0.2], "b": [0.3, 0.4]}).save(tmp_path / "scores.skc")
    with pytest.raises(ValueError, match=r"skcompare\.load reads saved results"):
        skc.read(tmp_path / "scores.skc")


def test_saving_to_a_folder_that_is_not_there_names_the_folder(tmp_path):
    result = skc.from_runs({"a": [0.1, 0.2], "b": [0.3, 0.4]})
    with pytest.raises(FileNotFoundError) as error:
        result.save(tmp_path / "none" / "scores.skc")
    assert error.value.filename == str(tmp_path / "none")


def test_one_run_of_each_model_is_not_said_to_lack_a_known_test():
    line = str(skc.from_runs({"a": [0.1], "b": [0.2]})).split("\n")[0]
    assert line == "No model can be named on score: no test of it is possible."


@pytest.mark.parametrize("names", [(1, 0), (1.0, 0.0), ("1", "0"), ("p_1", "p_0"), ("class 1.0", "class 0.0")])
def test_columns_that_name_the_classes_in_any_way_stand_for_these(names):
    truth, a, b = _rows()
    shares = np.column_stack([1 - a * 0.8 - 0.1, a * 0.8 + 0.1])
    known = from_predictions(truth * 1.0 if "class 1.0" in names else truth, {"a": shares, "b": b}, scoring="accuracy")
    frame = pd.DataFrame(dict(zip(names, shares.T[::-1], strict=True)))
    for given in (frame, {"probability": frame}):
        found = from_predictions(known._scores.kept_predictions.y, {"a": given, "b": b}, scoring="accuracy")
        np.testing.assert_array_equal(found.scores, known.scores)


def test_columns_of_which_some_name_classes_are_refused():
    truth, a, b = _rows()
    frame = pd.DataFrame({1: a * 0.5, 0: 1 - a * 0.5})
    with pytest.raises(ValueError, match=r"^predictions\['a'\] must have one column of prob"):
        from_predictions(truth + 1, {"a": frame, "b": b + 1})


@pytest.mark.parametrize("read", [from_outcomes, lambda frame: from_predictions(_rows()[0], frame)])
def test_two_columns_of_one_name_are_no_model(read):
    frame = pd.DataFrame(np.column_stack(_rows()), columns=["a", "a", "b"])
    with pytest.raises(ValueError, match=r"two are called 'a': rename one"):
        read(frame)


@pytest.mark.parametrize("truth", [_rows()[0], np.linspace(0, 1, 12), np.eye(12)[:, :2].astype(int)])
def test_a_model_that_gave_nothing_is_refused_by_name(truth):
    with pytest.raises(ValueError, match=r"^predictions\['a'\] must hold one or more of .* got none"):
        from_predictions(truth, {"a": {}, "b": truth})


def test_ids_of_several_levels_are_refused_by_name():
    truth, a, b = _rows()
    index = pd.MultiIndex.from_arrays([np.arange(12) // 2, np.arange(12) % 2])
    with pytest.raises(ValueError, match=r"^sample_id must have one value per sample"):
        from_predictions(truth, {"a": pd.Series(a, index=index), "b": b}, sample_id=index.tolist())


def test_human_labels_beside_rows_in_an_order_of_their_own_are_refused():
    """The outcomes stand by their ids, s10 before s2, and labels by position."""
    rng = np.random.default_rng(0)
    judge = {name: rng.random(30).round() for name in "ab"}
    human = {name: np.where(np.arange(30) < 15, own, np.nan) for name, own in judge.items()}
    rows = {"sample_id": IDS[:30] * 2, "model": ["a"] * 30 + ["b"] * 30, "outcome": [*judge["a"], *judge["b"]]}
    with pytest.raises(ValueError, match=r"^outcomes must map models.* a row per item"):
        skc.from_judged(rows, human=human)
    named, plain = (skc.from_judged(given, human=human) for given in ({"right": judge}, judge))
    assert (named.metrics, plain.metrics) == (("right",), ("score",))
    np.testing.assert_array_equal(named.scores, plain.scores)


def test_scores_of_splits_in_another_order_are_no_pairs():
    dicts = {"a": pd.Series([0.1, 0.2, 0.3]), "b": pd.Series([0.3, 0.2, 0.1]).sort_values()}
    with pytest.raises(ValueError, match=r"^results\['a'\].* and results\['b'\].* the same index"):
        skc.from_cross_validate(dicts, n_folds=3)


@pytest.mark.parametrize("nothing", [None, np.nan, pd.NA, pd.NaT])
@pytest.mark.parametrize("at", [0, 3])
def test_an_id_that_is_missing_is_said_to_be_whatever_order_the_series_have(nothing, at):
    ids = [*"abcdef"]
    series = pd.Series([1.0, 0.0, 1.0, 1.0, 0.0, 1.0], index=ids)
    ids[at] = nothing
    for given in ({"x": series, "y": series[::-1]}, {"x": series.tolist(), "y": series.tolist()}):
        with pytest.raises(ValueError, match=rf"^sample_id must not have missing .*; got .* at position {at}$"):
            from_outcomes(given, sample_id=ids)
        with pytest.raises(ValueError, match=rf"^sample_id must not have missing .*; got .* at position {at}$"):
            from_predictions(series.tolist(), given, sample_id=ids)


def _of_tools():
    rng = np.random.default_rng(0)
    yield "dicts of cross_validate", {name: {"fit_time": np.ones(6), "test_score": rng.random(6)} for name in "ab"}
    scores = {f"split{i}_test_score": rng.random(2) for i in range(6)}
    yield "a search", {"params": ["{'C': 1}", "{'C': 2}"], "rank_test_score": [1, 2], **scores}


@pytest.mark.parametrize(("kind", "given"), [*_of_tools()])
def test_what_is_said_of_dicts_and_searches_fits_them_or_is_refused(kind, given):
    for said in ({"missing": "drop"}, {"cluster": "a"}, {"models": ["a"]}):
        with pytest.raises(ValueError, match=f"{next(iter(said))} does not go with {kind}, as which"):
            skc.read(given, design="6-fold", **said)
    for design, spoken in {
        "5x2": "10 splits, and the table has 6",
        "30 random splits, 20% tested": "30 splits, and the table has 6",
        "4-fold": "4 folds, which do not divide 6 splits",
        "runs": "runs, and the table was read as folds",
    }.items():
        with pytest.raises(ValueError, match=f"design speaks of {spoken}"):
            skc.read(given, design=design)
    found = [skc.read(given, design="3x2", **said) for said in ({"metric": "accuracy"}, {"metrics": ["accuracy"]})]
    assert [one.metrics for one in found] == [("accuracy",)] * 2


@pytest.mark.parametrize("n_datasets", [2, 5])
@pytest.mark.parametrize("design", ["runs", "runs, 20% tested", "20% tested, runs"])
def test_folds_that_are_called_runs_are_refused_with_gaps_that_are_kept_too(design, n_datasets):
    rng = np.random.default_rng(n_datasets)
    rows = [*product(range(n_datasets), "ab", range(4))]
    dataset, model, fold = (list(x) for x in zip(*rows, strict=True))
    score = rng.random(len(rows))
    score[rng.integers(len(rows))] = np.nan
    table = {"dataset": [f"d{i}" for i in dataset], "model": model, "fold": fold, "score": score}
    assert len(skc.read(table, missing="keep").datasets) == n_datasets
    with pytest.raises(ValueError, match="speaks of runs, and the table was read as folds"):
        skc.read(table, missing="keep", design=design)


def as_numpy(names):
    return [*np.array(names)]


class Named(StrEnum):
    A, B = "small", "large"


@pytest.mark.parametrize("names", [as_numpy(["small", "large"]), [*Named]], ids=["numpy", "enum"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_names_of_any_kind_of_text_are_plain_texts_in_all_results(names, rng):
    """As of the elements of an array: np.str_('small')."""
    y, X = np.arange(60) % 2, rng.normal(size=(60, 2))
    predictions, scores = {name: rng.permutation(y) for name in names}, {name: rng.uniform(size=8) for name in names}
    evaluator, fitted = skc.PairedEvaluator(cv=3, random_state=0), {name: GaussianNB() for name in names}
    one = evaluator.evaluate(fitted, X, y)
    alone = evaluator.evaluate({"nb": GaussianNB()}, X, y)
    results = (
        one,
        alone.add(names[0], GaussianNB(), X, y).add(names[1], GaussianNB(), X, y),
        evaluator.learning_curve(fitted, X, y, train_sizes=(0.5, 1.0)),
        evaluator.evaluate_datasets(fitted, dict.fromkeys(names, (X, y))),
        skc.StudyResult.from_results(dict.fromkeys(names, one)),
        from_predictions(y, predictions),
        from_outcomes(scores),
        from_outcomes(dict.fromkeys(names, scores)),
        skc.from_cross_validate({name: {"test_score": scores[name]} for name in names}, test_fraction=0.1),
        skc.from_runs(scores),
    )
    for result in results:
        assert [*result.estimators][-2:] == ["small", "large"]
        told = [*result.estimators, *result.metrics, *getattr(result, "datasets", ())]
        assert {*map(type, told)} == {str}
        assert "np.str_" not in str(result.explain())
    metric = skc.compare({"nb": GaussianNB()}, X, y, cv=3, scoring=as_numpy(["f1"]))
    assert [*map(type, metric.metrics)] == [str]
