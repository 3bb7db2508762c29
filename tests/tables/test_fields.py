"""Tables of many fields and languages: what would be misread without a word is asked about, and calls read rightly."""

from __future__ import annotations

import ast
import tomllib
from itertools import product
from pathlib import Path
from string import Formatter

import numpy as np
import pandas as pd
import pytest

import skcompare as skc
from tests.asked_tables import SETS, asked, scores


def first_reading(table):
    """The result, or that of the first call of a refusal."""
    try:
        return skc.read(table)
    except ValueError as refused:
        return skc.read(table, **refused.calls[0][1])


def wide(rng, names, low=0.6, high=0.9):
    return pd.DataFrame({"dataset": SETS, **{name: rng.uniform(low, high, 8).round(3) for name in names}})


@pytest.mark.parametrize("name", ["PatientID", "patient_id", "subject id", "SpeakerNo"])
def test_metrics_of_models_on_patients_are_no_data_sets_without_asking(name, rng):
    columns = {f"{m}_{metric}": scores(rng, 8) for m in ("unet", "vnet") for metric in ("Dice", "IoU")}
    items, study = asked(
        pd.DataFrame({name: [f"P-{i}" for i in range(8)], **columns}), f"nothing says what '{name}' names"
    )
    assert (len(study.datasets), items.design.kind) == (8, "items")
    assert study.metrics == items.metrics == ("Dice", "IoU")


@pytest.mark.parametrize("name", ["user_id", "subject", "PatientID"])
def test_codes_of_users_keep_the_metrics_of_models_in_the_calls(name, rng):
    columns = {f"{m}_{metric}": scores(rng, 9) for m in ("bpr", "knn") for metric in ("ndcg@10", "recall@10")}
    found = asked(pd.DataFrame({name: rng.choice(900, 9, replace=False), **columns}), f"'{name}' numbers the rows")
    assert {result.metrics for result in found} == {("ndcg@10", "recall@10")}
    assert {result.estimators for result in found} == {("bpr", "knn")}


@pytest.mark.parametrize(
    "title",
    ["RMSE on the test sets", "# metric: log loss, 5 folds", "Table 3: Test error rates (%)", "Mean absolute error."],
)
@pytest.mark.parametrize("form", ["csv", "tex", "md"])
def test_a_loss_in_a_title_is_asked_about(title, form, rng, tmp_path):
    table, path = wide(rng, ["svm", "knn"], 1, 3), tmp_path / f"table.{form}"
    rows = [[*table], *table.astype(str).to_numpy().tolist()]
    if form == "csv":
        text = "\n".join([title, *map(";".join, rows)])
    elif form == "md":
        body = [f"| {' | '.join(row)} |" for row in rows]
        text = "\n".join([f"## {title}".replace("## #", "##"), "", body[0], "|---|---|---|", *body[1:]])
    else:
        body = " \\\\ \n".join(" & ".join(row) for row in rows)
        title = title.replace("%", "\\%").replace("#", "")
        text = f"\\caption{{{title}}}\n\\begin{{tabular}}{{lcc}}\n{body} \\\\\n\\end{{tabular}}"
    path.write_text(text)
    less, more = asked(path, r"or a title, has '\w+' in it")
    assert (less.greater_is_better, more.greater_is_better) == ((False,), (True,))
    np.testing.assert_allclose(less.scores[:, :, 0, 0], table[["svm", "knn"]])


@pytest.mark.parametrize("stem", ["wer_by_speaker", "rmse_per_dataset", "all_error_rates_2023", "log-loss of models"])
def test_a_loss_anywhere_in_the_name_of_a_file_is_asked_about(stem, rng, tmp_path):
    path = tmp_path / f"{stem}.csv"
    wide(rng, ["svm", "knn"]).to_csv(path, index=False)
    assert [found.greater_is_better for found in asked(path, "the name of the file")] == [(False,), (True,)]


@pytest.mark.parametrize(
    ("title", "metric"), [("Accuracy of all", "accuracy"), ("# macro F1, mean of runs", "macro_f1")]
)
def test_a_title_names_a_metric(title, metric, rng, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(f"{title}\n{wide(rng, ['svm', 'knn']).to_csv(index=False)}")
    assert skc.read(path).metrics == (metric,)


@pytest.mark.parametrize("encoding", ["gb18030", "shift_jis", "cp1251", "euc_kr"])
def test_a_text_that_is_not_western_is_no_names_of_other_signs(encoding, rng, tmp_path):
    names = {"gb18030": "随机森林", "shift_jis": "提案手法", "cp1251": "дерево", "euc_kr": "모델학습"}
    path = tmp_path / "table.csv"
    wide(rng, [names[encoding], "svm"]).to_csv(path, index=False, encoding=encoding)
    with pytest.raises(ValueError, match="neither UTF-8 nor western"):
        skc.read(path)
    wide(rng, ["Bäume", "größte", "forêt"]).to_csv(path, index=False, encoding="cp1252")
    assert skc.read(path).estimators == ("Bäume", "größte", "forêt")


@pytest.mark.parametrize("word", ["Standardabweichung", "desv", "odchylenie", "écart", "odch.", "偏差", "vahe"])
@pytest.mark.parametrize("models", [("KNN", "SVM"), ("随机森林", "决策树")])
def test_deviations_in_any_language_are_no_models(word, models, rng):
    table = wide(rng, models)
    for name in models:
        table[f"{name} {word}"] = rng.uniform(0.01, 0.05, 8).round(3)
    assert first_reading(table).estimators == models


@pytest.mark.parametrize("last", ["Ø", "Gem.", "平均", "mean"])
@pytest.mark.parametrize("stem", ["Exp", "Durchlauf ", "试验"])
def test_numbered_columns_beside_what_sums_them_up_are_asked_about(last, stem, rng):
    table = pd.DataFrame({"Modell": ["A", "B", "C"], **{f"{stem}{i}": scores(rng, 3) for i in range(1, 6)}})
    found = asked(table.assign(**{last: table.iloc[:, 1:].mean(axis=1).round(4)}), "the columns are numbered")
    assert any(isinstance(result, skc.StudyResult) for result in found)
    assert {"runs", "folds"} <= {result.design.kind for result in found if hasattr(result, "design")}


@pytest.mark.parametrize("name", ["place", "position", "Place"])
def test_a_task_called_place_is_no_rank(name, rng):
    table = pd.DataFrame({"task": ["pick", name, "stack", "drawer"], "bc": scores(rng, 4), "act": scores(rng, 4)})
    assert skc.read(table).datasets == ("pick", name, "stack", "drawer")


@pytest.mark.parametrize(
    "ends", [("ci_low", "ci_high"), ("95% CI lower", "95% CI upper"), ("lower bound", "upper bound")]
)
def test_the_ends_of_an_interval_without_a_stem_are_no_data_sets(ends, rng):
    elo = rng.integers(1000, 1300, 4)
    table = pd.DataFrame({"model": [*"abcd"], "elo": elo, ends[0]: elo - 5, ends[1]: elo + 5})
    with pytest.raises(ValueError, match="one score per model"):
        skc.read(table)


@pytest.mark.parametrize("names", [("mean", "median"), ("max", "random"), ("best", "worst")])
def test_models_called_like_means_are_not_left_out_without_a_word(names, rng):
    models = [*names, "knn", "mice"]
    table = wide(rng, models)
    table[models] = np.where(np.arange(4) == 1, 0.95, table[models]) if "random" not in names else table[models]
    table.loc[0, models[0]], table.loc[1, models[0]] = 0.2, 0.99
    [found] = asked(table, "is called like what sums up others, and has other numbers")
    assert found.estimators == tuple(models)
    tidy = table.melt("dataset", var_name="model", value_name="accuracy")
    with pytest.raises(ValueError, match="is called like what sums up others"):
        skc.read(tidy)


def test_models_that_are_named_in_the_call_are_no_sums(rng):
    table = wide(rng, ["svm", "knn", "nb"])
    table["mean"] = table[["svm", "knn", "nb"]].mean(axis=1).round(3)
    assert skc.read(table).estimators == ("svm", "knn", "nb")
    assert skc.read(table, models=["svm", "mean"]).estimators == ("svm", "mean")
    with pytest.raises(ValueError, match="models must be None where model names a column"):
        skc.read(table, models=["svm", "knn"], model="dataset")


@pytest.mark.parametrize("name", ["se", "sd"])
def test_a_language_of_two_letters_is_no_deviation(name, rng):
    codes = ["id", "no", "to", name, "da", "ml"]
    table = pd.DataFrame({"Model": ["xlmr", "mbert", "rembert"], **{x: scores(rng, 3) for x in codes}})
    with pytest.raises(ValueError, match=f"'{name}' is called like what sums up others"):
        skc.read(table)
    assert skc.read(table.rename(columns={name: "sw"})).datasets == ("id", "no", "to", "sw", "da", "ml")


@pytest.mark.parametrize("names", [("手法", "分割", "正解率"), ("Verf", "Teil", "Güte"), ("how", "part", "quality")])
def test_a_tidy_table_of_unknown_names_is_no_table_of_columns(names, rng):
    table = pd.DataFrame([*product(["ours", "theirs"], range(1, 6))], columns=names[:2]).assign(
        **{names[2]: scores(rng, 10)}
    )
    found = asked(table, "nothing names models")
    assert {result.estimators for result in found} == {("ours", "theirs")}
    assert "5-fold cross-validation" in {result.design.name for result in found}


@pytest.mark.parametrize("level", ["K", "at_k"])
def test_how_many_are_recommended_is_no_case(level, rng):
    table = pd.DataFrame([*product([5, 10, 20], ["bpr", "ngcf"])], columns=[level, "method"]).assign(
        ndcg=scores(rng, 6)
    )
    with pytest.raises(ValueError, match=f"give the rows of one value of '{level}'"):
        skc.read(table)


def test_rows_that_stand_twice_are_no_splits(rng):
    table = pd.DataFrame([*product(SETS, ["svm", "rf"])], columns=["dataset", "model"]).assign(acc=scores(rng, 16))
    with pytest.raises(ValueError, match="leave the copies out") as refused:
        skc.read(pd.concat([table, table]))
    assert not refused.value.calls


def test_rows_without_a_header_have_no_items_in_their_first_one(rng, tmp_path):
    paths = [tmp_path / f"{name}.txt" for name in ("bm25", "dpr")]
    for path in paths:
        path.write_text("".join(f"map\t{i}\t{x}\n" for i, x in enumerate(scores(rng, 30), 301)))
    with pytest.raises(ValueError, match="holds scores, and nothing names its model"):
        skc.read(*paths)


@pytest.mark.parametrize("status", ["COMPLETED", "finished"])
def test_a_column_of_one_value_is_offered_as_no_model(status, rng):
    table = pd.DataFrame({"trial_id": range(9), "lr": rng.random(9), "score": scores(rng, 9), "status": status})
    with pytest.raises(ValueError, match="stand beside others") as refused:
        skc.read(table)
    assert not refused.value.calls


def test_a_call_answers_the_question_behind_the_next_one(rng, tmp_path):
    path = tmp_path / "wer_by_speaker.csv"
    table = wide(rng, ["whisper", "conformer"], 3, 12).rename(columns={"dataset": "speaker"})
    table.insert(1, "words", rng.integers(900, 3000, 8))
    table.to_csv(path, index=False)
    found = asked(path, "'words' may be models")
    assert any(one.estimators == ("whisper", "conformer") and one.greater_is_better == (False,) for one in found)
    assert len({len(one.estimators) for one in found}) <= 2


@pytest.mark.parametrize("register", ["uuid", "uid"])
def test_a_register_beside_seeds_and_numbers_without_a_name_settles_nothing(register, rng):
    order = rng.permutation(10)
    table = pd.DataFrame({"": order, register: [f"{x:08x}" for x in rng.choice(2**31, 10, replace=False)]})
    table = table.assign(
        seed=rng.choice(np.arange(100, 9000), 10, replace=False), svm=scores(rng, 10), rf=scores(rng, 10)
    )
    found = asked(table, "'seed' may name the rows, or only number them")
    assert {"runs", "folds"} <= {result.design.kind for result in found if hasattr(result, "design")}


def test_every_refusal_in_parts_has_its_words_and_as_many_parts_as_they_name():
    folder = Path(skc.__file__).parent / "tables"
    texts = tomllib.loads((folder / "words.toml").read_text(encoding="utf-8"))["says"]
    calls = [
        node
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "worded"
    ]
    said = {ast.literal_eval(call.args[0]): len(call.args) - 1 for call in calls}
    fields = {about: {x for _, x, *_ in Formatter().parse(text)} - {None} for about, text in texts.items()}
    assert said == {about: len(names) for about, names in fields.items()}
    assert len(calls) == len(said)


@pytest.mark.parametrize("role", ["dataset", "split", "repeat", "run"])
@pytest.mark.parametrize("wide", [True, False])
def test_what_is_said_of_predictions_is_read_or_refused(role, wide, rng):
    """Nothing of it is left out without a word: the answer would be of all samples together, or of fewer models."""
    y = rng.permutation(np.arange(60) % 2)
    frame = pd.DataFrame({"sample_id": range(60), "site": rng.choice(list("abc"), 60), "y_true": y})
    models = {name: np.where(rng.random(60) < 0.8, y, 1 - y) for name in rng.choice(["svm", "knn", "old"], 2, False)}
    named = frame.assign(**models)
    if not wide:
        named = pd.concat([frame.assign(model=name, prediction=x) for name, x in models.items()])
    with pytest.raises(ValueError, match=rf"{role} does not go with predictions"):
        skc.read(named, **{role: "site"})
    if wide:
        with pytest.raises(ValueError, match=r"value does not go with predictions"):
            skc.read(named.drop(columns="site"), value=str(rng.choice([*models])))
    else:
        assert skc.read(named, value="prediction", metric="accuracy").estimators == tuple(models)
