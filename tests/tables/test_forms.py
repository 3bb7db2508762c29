"""The forms in which tables are found: each file is read as the plain table, or refused with calls that read it."""

from __future__ import annotations

import csv
import io
import re
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import skcompare as skc

FORMS = Path(__file__).parent / "forms"
PAGE = Path(__file__).parents[2] / "docs" / "elsewhere.md"
MODELS = ("svm", "forest", "bayes")


def wide(name, key):
    """Scores by model of the plain table, a row per case."""
    frame = pd.read_csv(FORMS / name)
    return frame.pivot(index=key, columns="model", values=frame.columns[-1])[list(MODELS)].to_numpy()


PLAIN = {
    "study": lambda: wide("study_tidy.csv", "dataset"),
    "folds": lambda: wide("folds_tidy.csv", "fold"),
    "repeats": lambda: wide("repeats_tidy.csv", ["repeat", "fold"]),
    "study of folds": lambda: wide("study_of_folds.csv", ["dataset", "fold"]),
    "runs": lambda: wide("runs_tidy.csv", "seed"),
    "study of runs": lambda: (
        pd.read_csv(FORMS / "study_of_runs.csv")
        .pivot(index=["dataset", "seed"], columns="model", values="f1")[list(MODELS)]
        .to_numpy()
    ),
    "items": lambda: wide("items_tidy.csv", "item"),
    "predictions": lambda: np.array([]),
}
# File -> of which plain table it holds the scores, and the metric that has them.
READ = {
    **dict.fromkeys(
        [
            *("study_tidy.csv", "study_wide.csv", "study_models_as_rows.csv", "study_unnamed_index.csv"),
            *("study_semicolons.csv", "study_percent.csv", "study_plus_minus.csv", "study_parentheses.csv"),
            *("study_bold.csv", "study_latex.csv", "study_sums.csv", "study_average_column.csv", "study_times.csv"),
            *("study_sizes.csv", "study_two_names.csv", "study_tabs.tsv", "study_line_breaks.csv", "study_pairs.csv"),
            *("study_metrics.csv", "study_long.csv", "study_records.json", "study_lines.jsonl", "study_columns.json"),
            *("study_deviations.csv", "study_differences.csv", "study_two_headers.csv", "study_titled.csv"),
            *("study_leaderboard.csv", "study_bounds.csv", "study_table.tex", "study_table.md"),
        ],
        "study",
    ),
    **dict.fromkeys(
        [
            *("folds_tidy.csv", "folds_wide.csv", "folds_as_columns.csv", "folds_average_row.csv"),
            *("folds_with_training.csv", "folds_seeded.csv", "folds_columns_mean.csv"),
        ],
        "folds",
    ),
    **dict.fromkeys(["repeats_tidy.csv", "repeats_wide.csv", "repeats_numbered_through.csv"], "repeats"),
    **dict.fromkeys(["study_of_folds.csv", "study_of_folds_wide.csv"], "study of folds"),
    **dict.fromkeys(["runs_tidy.csv", "runs_wide.csv", "runs_as_columns.csv"], "runs"),
    **dict.fromkeys(["study_of_runs.csv", "study_of_runs_long.csv"], "study of runs"),
    **dict.fromkeys(["items_tidy.csv", "items_wide.csv", "items_words.csv", "items_as_columns.csv"], "items"),
    **dict.fromkeys(["predictions_wide.csv", "predictions_tidy.csv"], "predictions"),
}
# File -> words of the refusal, and how many calls it gives.
REFUSED = {
    "study_gaps.csv": ("1 score is missing: 'svm' on 'glass'", 2),
    "random_splits.csv": ("nothing says which share of the samples they test", 2),
    "no_names.csv": ("nothing names its rows", 4),
    "unknown_names.csv": ("column 'entry' may name data sets or models", 2),
    "seeds_and_folds.csv": ("runs in column 'seed' beside splits", 2),
    "several_rows.csv": ("model 'svm' has several scores, in rows 1 and 2", 3),
    "numbered_columns.csv": ("the columns are numbered", 4),
    "thousands.csv": ("the comma in '1,234' may be a decimal mark", 2),
    "bad_cell.csv": ("row 'sonar', column 'svm': '0.843 (1)' is not read as one number", 0),
    "metrics_of_one.csv": ("'accuracy_mean': names of metrics; 'train_seconds', 'accuracy_sd' hold times", 0),
    "one_row_per_model.csv": ("it has one score per model and metric", 0),
}
OTHERS = {"study_own_metrics.csv", "study_ranks.csv", *(f"items_of_{name}.jsonl" for name in MODELS)}


def rows_of(scores):
    return sorted(tuple(row) for row in np.round(scores, 6).tolist())


def scores_of(result, metric):
    """A row per case, models in the order of the plain table."""
    order = [next(i for i, name in enumerate(result.estimators) if model in name) for model in MODELS]
    if isinstance(result, skc.StudyResult) and not result.results:
        return result.scores[:, order, 0, metric]
    parts = result.results.values() if isinstance(result, skc.StudyResult) else [result]
    return np.concatenate([part.scores[order][:, :, metric].T for part in parts])


def test_every_file_is_tried_and_stands_on_the_page():
    files = {path.name for path in FORMS.iterdir()}
    assert files == {*READ, *REFUSED, *OTHERS}
    page = PAGE.read_text(encoding="utf-8")
    listed = set(re.findall(r"`([a-z_]+\.(?:csv|tsv|jsonl?|tex|md))`", page))
    assert files <= listed
    assert len([line for line in page.splitlines() if line.startswith("| ") and "`" in line]) >= 30


@pytest.mark.filterwarnings("ignore:roc_auc")
@pytest.mark.parametrize("name", READ)
def test_a_form_has_the_scores_of_the_plain_table(name):
    result = skc.read(FORMS / name)
    assert {next(model for model in MODELS if model in one) for one in result.estimators} == {*MODELS}
    assert result.provenance["read_as"].startswith("Read as: ")
    if READ[name] == "predictions":
        assert result.design.kind == "samples"
        plain = pd.read_csv(FORMS / "predictions_wide.csv")
        for model in MODELS:
            assert result.score(model, "accuracy")[0] == pytest.approx((plain[model] == plain["y_true"]).mean())
        return
    wanted = {
        "study_two_headers.csv": "Accuracy",
        "study_metrics.csv": "Accuracy",
        "study_long.csv": "Accuracy",
        "study_pairs.csv": "accuracy",
    }
    metric = wanted.get(name, "f1" if READ[name] == "study of runs" else result.metrics[0])
    assert rows_of(scores_of(result, result.metrics.index(metric))) == rows_of(PLAIN[READ[name]]())
    several = isinstance(result, skc.StudyResult)
    assert several == READ[name].startswith("study")
    parts = list(result.results.values()) if several else [result]
    kinds = {"study": [], "folds": ["folds"], "repeats": ["folds"], "items": ["items"], "runs": ["runs"]}
    assert {part.design.kind for part in parts} == {*kinds.get(READ[name], [READ[name].split()[-1]])}
    if READ[name] == "repeats":
        assert (result.design.n_repeats, result.design.n_folds) == (3, 4)


@pytest.mark.parametrize("name", REFUSED)
def test_a_table_with_two_readings_is_refused_and_its_calls_read_it(name):
    said, n_calls = REFUSED[name]
    path = FORMS / name
    with pytest.raises(ValueError, match=re.escape(said)) as refused:
        skc.read(path)
    calls = re.findall(r"skc\.read\((?:[^()']|'[^']*')*\)", str(refused.value))
    assert len(calls) == n_calls
    results = [eval(call, {"skc": skc}) for call in calls]  # as a user would run them
    assert all(isinstance(result, (skc.EvaluationResult, skc.StudyResult)) for result in results)
    told = [f"{result!r} {getattr(result, 'design', '')!r} {result.scores.tolist()}" for result in results]
    assert len({*told}) == len(told)  # each is another reading


@pytest.mark.parametrize("name", ["study_gaps.csv", "no_names.csv", "several_rows.csv"])
def test_a_frame_is_refused_with_calls_that_read_it(name):
    frame = pd.read_csv(FORMS / name)
    with pytest.raises(ValueError, match="frame: ") as refused:
        skc.read(frame)
    calls = re.findall(r"skc\.read\((?:[^()']|'[^']*')*\)", str(refused.value))
    assert len(calls) == REFUSED[name][1]
    for call in calls:
        eval(call, {"skc": skc, "frame": frame})


def test_one_file_per_model_is_joined_by_the_items_and_named_by_the_files():
    result = skc.read(*(FORMS / f"items_of_{name}.jsonl" for name in MODELS))
    assert result.estimators == tuple(f"items_of_{name}" for name in MODELS)
    assert result.metrics == ("exact_match",)
    assert rows_of(scores_of(result, 0)) == rows_of(PLAIN["items"]())


def test_data_sets_with_metrics_of_their_own_are_compared_by_ranks():
    study = skc.read(FORMS / "study_own_metrics.csv")
    assert study.metrics == ("rank",)
    ranks = pd.DataFrame(PLAIN["study"](), columns=list(MODELS)).rank(axis=1, ascending=False)
    assert rows_of(scores_of(study, 0)) == rows_of(ranks.to_numpy())
    turned = skc.read(FORMS / "study_own_metrics.csv", greater_is_better={"auc": False, "logloss": True})
    assert rows_of(scores_of(turned, 0)) == rows_of(4 - ranks.to_numpy())


def test_ranks_are_better_where_less():
    found = skc.read(FORMS / "study_ranks.csv")
    ranks = pd.read_csv(FORMS / "study_ranks.csv")[list(MODELS)].to_numpy()
    assert (found.metrics, found.greater_is_better) == (("rank",), (False,))
    np.testing.assert_array_equal(scores_of(found, 0), ranks)


@pytest.mark.filterwarnings("ignore:roc_auc")
@pytest.mark.parametrize("names", ["cat dog eel", "ja nein", "x-1 x-2 <b>y</b>", "0 1", "0.5 1.5 -2e3"])
def test_cells_that_are_alike_are_read_once(names, tmp_path, monkeypatch, rng):
    """A table of a million labels has few different ones, and a column of plain numbers is converted at once."""
    asked, path = [], tmp_path / "labels.csv"
    monkeypatch.setattr("skcompare.tables.columns._number", lambda *cell: asked.append(cell))  # no number
    labels = rng.choice(names.split(), (300, 3))
    pd.DataFrame(labels, columns=["y_true", "a", "b"]).to_csv(path, index=False)
    result = skc.read(path)
    assert len(asked) == (0 if "0" in names else 3 * len(names.split()))  # of 900 cells
    if "accuracy" in result.metrics:
        right = (labels[:, 1:] == labels[:, :1]).mean(axis=0)
        assert [result.scores[i, 0, 0] for i in range(2)] == right.tolist()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("kind", "most"), [("labels", 60), ("outcomes", 85), ("probabilities", 25)])
def test_a_large_table_is_read_in_the_time_of_few_passes(kind, most, tmp_path, rng):
    """Three times as long while names, numbers and rows were asked of every cell, by each rule again."""
    n, classes, path = 8_000, list("pqrstuvwxy"), tmp_path / "table.csv"
    frame = pd.DataFrame({"sample_id": [f"{rng.choice(['s', 'img'])}{i}" for i in range(n)]})
    if kind == "probabilities":
        frame = pd.concat([frame.assign(model=name) for name in "ab"])
        frame["y_true"] = np.tile(rng.choice(classes, n), 2)
        frame[[f"probability_{one}" for one in classes]] = rng.dirichlet(np.ones(10), len(frame))
    else:
        frame["y_true"] = rng.choice(classes, n)
        for i in range(10):
            frame[f"model_{i}"] = rng.choice([0, 1] if kind == "outcomes" else classes, n)
        frame = frame.drop(columns="y_true") if kind == "outcomes" else frame
    frame.to_csv(path, index=False)

    def seconds(read):
        spent = []
        for _ in range(4):
            start = time.process_time()
            read()
            spent.append(time.process_time() - start)
        return min(spent)

    cells = seconds(lambda: list(csv.reader(io.StringIO(path.read_text(encoding="utf-8")))))
    assert seconds(lambda: skc.read(path)) < most * cells


def test_many_data_sets_are_read_in_the_time_of_as_many_folds(tmp_path, rng):
    """Three times as long while every data set, and every row that may sum up others, went through the whole table."""

    def seconds(n_datasets, n_repeats):
        at = np.indices((20, n_datasets, n_repeats, 10)).reshape(4, -1)
        columns = {"dataset": at[1], "model": at[0], "repeat": at[2], "fold": at[3]}
        frame = pd.DataFrame({name: [f"{name} {i}" for i in x] for name, x in columns.items()})
        frame["accuracy"] = rng.normal(0.8, 0.02, len(frame)).round(4)
        frame.to_csv(tmp_path / "scores.csv", index=False)
        spent = []
        for _ in range(2):
            start = time.process_time()
            skc.read(tmp_path / "scores.csv")
            spent.append(time.process_time() - start)
        return min(spent)

    assert seconds(400, 1) < 2 * seconds(1, 400)


def test_many_columns_take_the_time_of_as_many_tables(tmp_path, rng):
    """Three times as long, of 1,600 columns, while every name was looked for in all others."""

    def seconds(n):
        frame = pd.DataFrame(rng.random((9, n)), columns=[f"some_{i}" for i in range(n)])
        frame.assign(name=[f"row {i}" for i in range(9)]).to_csv(tmp_path / "wide.csv", index=False)
        spent = []
        for _ in range(2):
            start = time.process_time()
            with pytest.raises(ValueError, match="may name data sets or models"):
                skc.read(tmp_path / "wide.csv")
            spent.append(time.process_time() - start)
        return min(spent)

    assert seconds(1_600) < 10 * seconds(200)
