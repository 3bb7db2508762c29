"""`skcompare analyze`: tables of predictions, of outcomes and of scores, read by their columns."""

from __future__ import annotations

import re
import shlex
import sys

import numpy as np
import pandas as pd
import pytest

import skcompare as skc
from tests.tables.test_forms import FORMS, REFUSED

NAMES = ("--truth", "y", "--id", "case")
ACCURACY = (*NAMES, "--metric", "accuracy")


def wide(n=120):
    """A row per sample: the truth, two models that are alike, one that is worse, and what is known of the sample."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    found = {name: np.where(rng.random(n) < share, y, 1 - y) for name, share in (("new", 0.85), ("old", 0.85))}
    known = {"case": [f"{i:03d}" for i in range(n)], "y": y, "patient": np.arange(n) // 3}
    return pd.DataFrame({**known, "hospital": np.array(["north", "south"])[np.arange(n) % 2], **found, "coin": 1})


def tidy(*more):
    """A row per sample and model, perhaps with its patient."""
    known = ["case", "y", *more, "hospital"]
    frame = wide() if more else wide().drop(columns="patient")
    return frame.melt(id_vars=known, var_name="model", value_name="prediction")


def outcomes(*more):
    frame = tidy(*more)
    passed = (frame["prediction"] == frame["y"]).astype(int)
    return frame.drop(columns=["prediction", "y"]).rename(columns={"case": "item"}).assign(outcome=passed)


@pytest.fixture
def analyze(tmp_path, run):
    """Run the command on a table; gives (status, stdout, stderr)."""

    def analyze(frame, *arguments, name="x.csv"):
        path = tmp_path / name
        if path.suffix == ".jsonl":
            frame.to_json(path, orient="records", lines=True)
        else:
            frame.to_csv(path, index=False)
        return run("analyze", path, *arguments)

    return analyze


def flat(text):
    return " ".join(text.split())


def in_terminal(result):
    """The answer of Python, but for where there is more."""
    return flat(result.summary()).replace("More: result.explain().", "More: --detail full.")


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl"])
def test_predictions_in_a_tidy_table_give_the_answer_of_python(analyze, name):
    status, out, err = analyze(tidy().sample(frac=1, random_state=0), *ACCURACY, name=name)
    assert (status, err) == (0, "")
    frame = tidy().rename(columns={"case": "sample_id", "y": "y_true"})
    result = skc.from_predictions(frame.sample(frac=1, random_state=0), scoring=["accuracy"])
    read, _, answer = out.partition("\n\n")
    assert flat(answer) == in_terminal(result)
    assert flat(read) == (
        "Read as: predictions of 3 models (column 'model') on 120 samples (column 'case'), true values 'y'."
    )


def test_a_column_per_model_is_the_same_as_a_row_per_model(analyze):
    named = ("--model", "new", "--model", "old", "--model", "coin")
    answers = [
        analyze(wide(), *ACCURACY, *named, "--cluster", "none")[1],
        analyze(wide().drop(columns=["patient", "hospital"]), *ACCURACY)[1],
        analyze(wide().drop(columns="patient"), *ACCURACY, "--by", "hospital")[1],
        analyze(tidy(), *ACCURACY)[1],
    ]
    assert len({text.split("\n\n")[2].strip() for text in answers}) == 1
    assert "3 models (one per column) on 120 samples" in flat(answers[0])


def test_columns_that_are_left_are_models_only_if_they_hold_predictions(analyze):
    status, out, err = analyze(wide().drop(columns="patient"), *ACCURACY)
    assert (status, out) == (2, "")
    assert "'hospital' may hold predictions of 'y', or errors, or describe the samples" in err
    assert err.endswith("--models new --models old --models coin\n")


def test_clusters_groups_and_a_null_are_asked_together(analyze, tmp_path):
    out = tmp_path / "kept.skc"
    more = ("--cluster", "patient", "--by", "hospital", "--null", "-0.01", "--baseline", "old", "--out", out)
    status, said, err = analyze(tidy("patient"), *ACCURACY, *more)
    assert (status, err) == (0, "")
    result = skc.load(out)
    assert set(result.details.sample_columns) == {"hospital"}
    comparison, by = result.compare(null=-0.01, baseline="old"), result.by("hospital", baseline="old")
    asked = f"{comparison} Against a difference of 0 instead: {in_terminal(result)} {by}"
    assert flat(said.partition("\n\n")[2]).startswith(flat(asked))
    assert result.design.n_clusters == 40


@pytest.mark.parametrize("null", ["0.01", "score=0.01"])
def test_a_null_does_not_go_with_a_search(analyze, null, rng):
    """The refusal spoke of SearchReport.compare."""
    scores = {f"split{i}_test_score": rng.uniform(0.7, 0.9, 3) for i in range(5)}
    table = pd.DataFrame({"params": [{"depth": i} for i in (1, 2, 3)], "param_depth": [1, 2, 3], **scores})
    status, out, err = analyze(table, "--null", null)
    assert (status, out) == (2, "")
    assert "--null does not go with a search, as which " in err
    assert analyze(table)[0] == 0


@pytest.mark.parametrize("names", [("acc", "f1", "auc"), ("rmse", "mae", "log_loss")])
def test_data_sets_with_metrics_of_their_own_are_sent_to_ranks(names, rng):
    table = pd.DataFrame({"dataset": np.repeat(["x", "y", "z"], 2), "model": ["a", "b"] * 3, "score": rng.random(6)})
    table["metric"] = np.repeat(names, 2)
    with pytest.raises(ValueError, match=r"each has one of its own: skc\.read\(frame\) compares"):
        skc.StudyResult.from_frame(table)
    assert skc.read(table).metrics == ("rank",)


def test_no_is_said_first_where_a_margin_is_not_shown(analyze):
    _, said, _ = analyze(tidy(), *ACCURACY, "--null", "accuracy=-0.01", "--baseline", "old")
    assert "new not worse" not in said
    assert re.search(r"new +old .* not significant", said.split("Against a difference of 0")[0])


@pytest.mark.parametrize(("column", "clusters"), [("group", False), ("y", False), ("cluster", False)])
def test_the_column_of_the_groups_may_be_one_with_another_meaning(analyze, tmp_path, column, clusters):
    frame = tidy().rename(columns={"hospital": column} if column != "y" else {})
    status, said, err = analyze(frame, *ACCURACY, "--by", column, "--out", tmp_path / "x.skc")
    assert (status, err) == (0, "")
    assert ("clusters" in said) == clusters
    assert f"groups by {column}" in flat(said) or "in " in said
    assert column in skc.load(tmp_path / "x.skc").details.sample_columns


def test_outcomes_are_read_by_their_columns(analyze):
    status, said, err = analyze(outcomes("patient"), "--cluster", "patient", "--by", "hospital")
    assert (status, err) == (0, "")
    assert flat(said).startswith("Read as: outcomes of 3 models (column 'model') on 120 items (column 'item')")
    assert "120 items in 40 clusters" in flat(said)


def test_one_metric_of_outcomes_is_chosen(analyze):
    frame = pd.concat([outcomes().assign(metric=m, outcome=outcomes()["outcome"] * k) for m, k in (("p", 1), ("q", 2))])
    assert "\nq " not in analyze(frame, "--metric", "p")[1]
    said = analyze(frame, "--metric", "r")[2]
    assert "--metric must name those of" in said
    assert said.rstrip().endswith("'p', 'q'; got 'r'")


def test_scores_are_read_as_before_and_said(analyze):
    frame = pd.DataFrame({"model": list("aaabbb"), "fold": [0, 1, 2] * 2, "score": [0.9, 0.8, 0.85, 0.7, 0.8, 0.75]})
    status, said, _ = analyze(frame)
    assert status == 0
    read, _, answer = said.partition("\n\n")
    assert flat(answer) == in_terminal(skc.from_frame(frame))
    assert flat(read) == "Read as: folds of 2 models (column 'model'), 3 splits (column 'fold'), metric score."


@pytest.mark.parametrize(
    ("frame", "arguments", "words"),
    [
        (tidy(), ("--truth", "yy"), ("--truth", "x.csv", "'yy'", "did you mean 'y'?")),
        (tidy().rename(columns={"y": "z"}), ("--id", "case"), ("--truth z", "x.csv", "no column of true values")),
        (tidy().drop(columns="case"), ("--truth", "y"), ("--item rows", "x.csv", "nothing names the samples")),
        (tidy(), (*NAMES, "--by", "ward"), ("--by", "x.csv", "'ward'")),
        (tidy(), (*ACCURACY, "--by", "prediction"), ("--by", "x.csv", "'prediction'")),
        (tidy(), (*ACCURACY, "--by", "case"), ("--by", "x.csv", "'case'", "2 to 20 groups")),
        (tidy(), (*NAMES, "--cluster", "pat"), ("--cluster", "x.csv", "'pat'")),
        (tidy(), (*NAMES, "--test-fraction", "0.1"), ("design", "x.csv", "predictions")),
        (tidy(), (*ACCURACY, "--null", "x"), ("--null", "'x'")),
        (tidy(), (*ACCURACY, "--null", "f1=0.1"), ("--null", "f1")),
        (tidy(), (*ACCURACY, "--baseline", "old"), ("--baseline", "--null")),
        (tidy(), (*NAMES, "--metric", "f9"), ("x.csv", "f9")),
        (tidy().drop(columns="model"), NAMES, ("x.csv", "'case'", "nothing names models")),
        (tidy().iloc[1:], NAMES, ("x.csv", "'000'")),
        (wide(), (*NAMES, "--model", "new", "--model", "y"), ("--model", "x.csv", "'y'", "truth")),
        (wide()[["case", "y"]], NAMES, ("x.csv", "a column of predictions")),
        (outcomes(), ("--truth", "y"), ("--truth", "x.csv", "'y'")),
    ],
)
def test_what_is_wrong_is_said_in_one_line_with_column_and_file(analyze, frame, arguments, words):
    status, out, err = analyze(frame, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("skcompare: error: ")
    assert err.count("\n") == 1
    for word in words:
        assert word in err


def test_lines_that_are_no_json_and_parquet_that_is_none_are_refused(tmp_path, run):
    for name in ("bad.jsonl", "bad.parquet", "no.jsonl"):
        if name != "no.jsonl":
            (tmp_path / name).write_text("{")
        _, out, err = run("analyze", tmp_path / name)
        assert out == ""
        assert err.startswith("skcompare: error: cannot read ")
        assert name in err
        assert err.count("\n") == 1


def test_parquet_is_read(analyze, tmp_path, run):
    pytest.importorskip("pyarrow")
    tidy().to_parquet(tmp_path / "x.parquet")
    _, read, _ = run("analyze", tmp_path / "x.parquet", *ACCURACY)
    assert read.split("\n\n")[:3] == analyze(tidy(), *ACCURACY)[1].split("\n\n")[:3]


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl"])
def test_polars_reads_the_same(analyze, monkeypatch, name):
    pytest.importorskip("polars")
    read = analyze(tidy(), *ACCURACY, name=name)
    frame = tidy()
    monkeypatch.setattr(frame, "to_json", lambda *_, **__: None)  # the file is there already
    monkeypatch.setattr(frame, "to_csv", lambda *_, **__: None)
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert analyze(frame, *ACCURACY, name=name) == read


def test_separated_text_needs_neither_pandas_nor_polars(analyze, monkeypatch):
    frame, read = tidy(), analyze(tidy(), *ACCURACY)
    for name in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(frame, "to_csv", lambda *_, **__: None)  # the file is there already
    assert analyze(frame, *ACCURACY) == read


def test_a_check_of_two_files_reads_what_analyze_reads(tmp_path, run):
    frame = tidy().rename(columns={"case": "sample_id", "y": "y_true"})
    for name, own in (("old.csv", "coin"), ("new.jsonl", "new")):
        part = frame[frame["model"] == own].drop(columns="model")
        path = tmp_path / name
        part.to_csv(path, index=False) if path.suffix == ".csv" else part.to_json(path, orient="records", lines=True)
    words = ["check", tmp_path / "old.csv", tmp_path / "new.jsonl", "--metric", "accuracy", "--margin", "0.01"]
    status, out, err = run(*words)
    assert (status, err) == (0, "")
    assert "new" in out.splitlines()[0]
    assert "old" in out.splitlines()[0]


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_gives_the_commands_that_read_the_file(run, name):
    status, _, err = run("analyze", FORMS / name)
    assert status == 2
    lines = re.findall(r"skcompare analyze .*?(?=; or |$)", " ".join(err.split()))
    assert len(lines) == REFUSED[name][1]
    for line in lines:
        status, out, err = run(*shlex.split(line)[1:])
        assert (status, err) == (0, "")
        assert out.startswith("Read as: ")


def test_the_command_reads_what_python_reads(run, tmp_path):
    kept = tmp_path / "result.skc"
    for name in ("study_sums.csv", "study_of_runs.csv", "items_wide.csv"):
        status, out, err = run("analyze", FORMS / name, "--out", kept)
        assert (status, err) == (0, "")
        result = skc.read(FORMS / name)
        assert in_terminal(result) in flat(out)
        assert skc.load(kept).provenance["read_as"] == result.provenance["read_as"]
        assert " ".join(result.provenance["read_as"].split()) in " ".join(str(result.explain()).split())
