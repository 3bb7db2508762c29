"""A gate whose new model lacks what the old one has, at every level of every log and table: it never passes."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import skcompare as skc
from skcompare.testing import not_worse
from tests.cli.test_check import cli


def asked(*words):
    """The status, and the answer as JSON, or the refusal as a text."""
    done = CliRunner().invoke(cli.command, ["check", *map(str, words), "--margin", "0.9", "--json"])
    return done.exit_code, json.loads(done.stdout) if done.stdout else done.output


# ---- logs: rows of two models, of which the new one lacks some ---------------------------------------------------


def mlflow(rng, place):
    rows = [{f"params.{place}": i, "params.model": m} for m in ("old", "new") for i in range(8)]
    metrics = {f"metrics.{name}": 0.8 + 0.01 * rng.random(16) for name in ("accuracy", "f1")}
    return pd.DataFrame(rows).assign(run_id=[f"r{i}" for i in range(16)], status="FINISHED", **metrics)


def benchmark(rng, metrics):
    cases = [(f, t, i) for f in ("old", "new") for t in range(10) for i in range(5)]
    frame = pd.DataFrame(cases, columns=["framework", "task", "fold"])
    said = {"metric": [metrics[t % len(metrics)] for t in frame["task"]], "seed": 1, "info": "", "constraint": "1h"}
    better = 0.02 * (frame["framework"] == "new")
    return frame.assign(
        id="own", result=0.8 + 0.01 * rng.random(len(frame)) + better, task=frame["task"].map("t{}".format), **said
    )


def weka(rng):
    cases = [(s, r, f) for s in ("x.old", "x.new") for r in (1, 2) for f in range(1, 6)]
    frame = pd.DataFrame(cases, columns=["Key_Scheme", "Key_Run", "Key_Fold"])
    sizes = {"Number_of_training_instances": 80, "Number_of_testing_instances": 20}
    keys = {"Key_Dataset": "d", "Key_Scheme_options": "", "Key_Scheme_version_ID": 1, **sizes}
    return frame.assign(**keys, Percent_correct=80 + 0.1 * rng.random(20), Kappa_statistic=rng.random(20))


def without(frame, rows, column):
    """Rows that are not there, or have no number in a column."""
    return frame.drop(frame.index[rows]) if column is None else frame.assign(**{column: frame[column].mask(rows)})


def at(frame, **places):
    return np.logical_and.reduce([frame[name] == x for name, x in places.items()])


def spoilt(level, frame, who, rng):
    """The rows of a log in which the models `who` lack something, and how the gate names it."""
    i = int(rng.integers(1, 5))
    models = frame[next(x for x in ("params.model", "framework", "Key_Scheme") if x in frame)].str.removeprefix("x.")
    mine = models.isin(who).to_numpy()
    if level == "failed run":
        place = next(x for x in ("params.seed", "params.fold") if x in frame)
        rows = mine & at(frame, **{place: i})
        metrics = {name: frame[name].mask(rows) for name in frame if name.startswith("metrics.")}
        return frame.assign(
            status=frame["status"].mask(rows, str(rng.choice(["FAILED", "KILLED"]))), **metrics
        ), f" {i},"
    if level == "metric of a run":
        return without(frame, mine & at(frame, **{"params.seed": i}), "metrics.f1"), f"run {i}, metric f1"
    if level == "fold of a task":
        rows = mine & at(frame, task="t2", fold=i)
        return without(frame, rows, rng.choice([None, "result"])), f"data set t2, split {i}"
    if level == "task":
        return without(frame, mine & at(frame, task="t3"), None), "data set t3,"
    return without(frame, mine & at(frame, Key_Run=2, Key_Fold=i), "Kappa_statistic"), f"split {i}, repeat 2"


LOGS = [
    ("failed run", lambda rng: mlflow(rng, "seed")),
    ("failed run", lambda rng: mlflow(rng, "fold")),
    ("metric of a run", lambda rng: mlflow(rng, "seed")),
    ("fold of a task", lambda rng: benchmark(rng, ["auc"])),
    ("fold of a task", lambda rng: benchmark(rng, ["auc", "acc"])),
    ("task", lambda rng: benchmark(rng, ["auc", "acc"])),
    ("measure", weka),
]


@pytest.mark.parametrize("case", range(len(LOGS)))
@pytest.mark.parametrize("who", [["new"], ["old"], ["old", "new"]])
@pytest.mark.parametrize("apart", [True, False])
def test_what_the_new_model_lacks_in_a_log_is_named_and_never_passes(case, who, apart, rng, tmp_path):
    level, made = LOGS[case]
    frame, named = spoilt(level, made(rng), who, rng)
    one = {"failed run": ["--metric", "accuracy"], "measure": []}.get(level, [])
    column = next(x for x in ("params.model", "framework", "Key_Scheme") if x in frame)
    paths = [tmp_path / "all.csv", "--old", "old", "--new", "new"]
    if apart:
        paths = [tmp_path / "o.csv", tmp_path / "n.csv"]
        for path, model in zip(paths, ("old", "new"), strict=True):
            frame[frame[column].str.endswith(model)].to_csv(path, index=False)
    else:
        frame.sample(frac=1, random_state=0).to_csv(paths[0], index=False)
    status, answer = asked(*paths, *one)
    if who != ["new"]:
        status, answer = asked(*paths, *one, "--missing", "drop") if status == 3 else (status, answer)
        assert (status, answer["verdict"]) == (0, "not worse")
        return
    assert (status, answer["verdict"]) == (3, "cannot be compared")
    assert answer["reason"].startswith("lacks ")
    assert named in answer["reason"]


@pytest.mark.parametrize("lacks", ["epoch", "unscored epoch", "item", "scorer", "scorer on an item", "all of an epoch"])
@pytest.mark.parametrize("who", ["old", "new"])
def test_what_the_new_model_lacks_in_a_log_of_inspect_is_named_and_never_passes(lacks, who, rng, tmp_path):
    item, paths = int(rng.integers(20)), [tmp_path / "old.json", tmp_path / "new.json"]
    scorers = ["match", "judge"] if "scorer" in lacks else ["match"]
    for path in paths:
        samples = [
            {"id": i, "epoch": e, "scores": {x: {"value": "CI"[int(rng.integers(2))]} for x in scorers}}
            for i in range(20)
            for e in (1, 2)
        ]
        if path.stem == who:
            hit = [s for s in samples if s["id"] == item and (s["epoch"] == 2 or "epoch" not in lacks)]
            hit = samples if lacks == "scorer" else [s for s in samples if s["epoch"] == 2] if "all" in lacks else hit
            for sample in hit:
                if "scorer" in lacks:
                    del sample["scores"]["judge"]
                elif lacks == "unscored epoch":
                    sample |= {"scores": None, "error": {"message": "timeout"}}
                else:
                    samples.remove(sample)
        log = {"eval": {"task": "t", "model": f"lab/{path.stem}"}, "samples": samples}
        path.write_text(json.dumps(log), encoding="utf-8")
    status, answer = asked(*paths, *(["--metric", "judge"] if lacks == "scorer on an item" else []))
    if who == "old":
        status, answer = asked(*paths, "--missing", "drop", "--metric", "match") if status == 3 else (status, answer)
        assert (status, answer["verdict"]) == (0, "not worse")
        return
    assert (status, answer["verdict"]) == (3, "cannot be compared")
    named = {"scorer": "metric judge", "all of an epoch": "run 2"}.get(lacks, f"item {item}")
    assert named in answer["reason"]


@pytest.mark.parametrize("ended", ["error", "cancelled", "started"])
@pytest.mark.parametrize("broken", [(), ("old",), ("new",), ("old", "new")])
def test_a_new_model_whose_run_broke_off_never_passes_though_the_old_one_broke_off_there_too(
    broken, ended, rng, tmp_path
):
    """Without a score that one has and the other lacks: what comes after the end is not known of either."""
    paths, n = [tmp_path / "old.json", tmp_path / "new.json"], int(rng.integers(30, 60))
    for path in paths:
        scores = [{"match": {"value": "CI"[int(x)]}} for x in rng.random(n) < 0.2]
        samples = [{"id": i, "epoch": 1, "scores": one} for i, one in enumerate(scores)]
        status = ended if path.stem in broken else "success"
        log = {"status": status, "eval": {"task": "t", "model": f"lab/{path.stem}"}, "samples": samples}
        path.write_text(json.dumps(log), encoding="utf-8")
    status, answer = asked(*paths)
    wanted = (3, "cannot be compared") if "new" in broken else (0, "not worse")
    assert (status, answer["verdict"]) == wanted
    assert ("broke off" in answer["line"]) == ("new" in broken)
    assert [f"'{ended}'" in str(one) for one in answer["warnings"]].count(True) == len(broken)


@pytest.mark.parametrize("lacks", ["document", "number", "number of one metric", "metric"])
def test_what_the_new_model_lacks_in_samples_of_a_harness_is_named_and_never_passes(lacks, rng, tmp_path):
    item, paths = int(rng.integers(30)), [tmp_path / "old.jsonl", tmp_path / "new.jsonl"]
    metrics = ["acc", "acc_norm"] if "metric" in lacks else ["acc"]
    for path in paths:
        lines = [
            {"doc_id": i, "resps": [["a"]], "target": "a", **{x: int(rng.integers(2)) for x in metrics}}
            for i in range(30)
        ]
        if path.stem == "new" and lacks == "document":
            del lines[item]
        elif path.stem == "new":
            for line in lines if lacks == "metric" else [lines[item]]:
                line[metrics[-1]] = None
        path.write_text("\n".join(map(json.dumps, rng.permutation(lines).tolist())), encoding="utf-8")
    status, answer = asked(*paths)
    assert (status, answer["verdict"]) == (3, "cannot be compared")
    assert ("metric acc_norm" if "metric" in lacks else f"item {item}") in answer["reason"]
    assert asked(*paths[::-1], *(["--metric", "acc"]), "--missing", "drop")[0] == 0


# ---- tables ------------------------------------------------------------------------------------------------------

CASES = {
    "fold": {"fold": 10},
    "fold of a repeat": {"repeat": 3, "fold": 5},
    "seed": {"seed": 9},
    "seed of a data set": {"dataset": 8, "seed": 4},
    "fold of a data set": {"dataset": 8, "fold": 4},
    "data set": {"dataset": 12},
    "item": {"item": 40},
    "run of an item": {"item": 20, "run": 3},
}


@pytest.mark.parametrize("kind", CASES)
@pytest.mark.parametrize("blank", [True, False])
def test_what_the_new_model_lacks_in_a_table_is_named_and_never_passes(kind, blank, rng, tmp_path):
    roles = CASES[kind]
    cases = pd.MultiIndex.from_product([range(n) for n in roles.values()], names=[*roles]).to_frame(index=False)
    cases = cases.assign(**{name: cases[name].map("{}x".format) for name in roles if name in ("item", "dataset")})
    gap, paths = int(rng.integers(len(cases))), [tmp_path / "old.csv", tmp_path / "new.csv"]
    name = "correct" if "item" in roles else "accuracy"
    for path in paths:
        values = rng.integers(0, 2, len(cases)) if "item" in roles else 0.8 + 0.01 * rng.random(len(cases))
        table = cases.assign(**{name: values.astype(float)})
        if path.stem == "new":
            table = table.assign(**{name: table[name].mask(table.index == gap)}) if blank else table.drop(index=gap)
        table.sample(frac=1, random_state=0).to_csv(path, index=False)
    for more in ([], ["--missing", "drop"]):
        status, answer = asked(*paths, *more)
        assert (status, answer["verdict"]) == (3, "cannot be compared")
        assert answer["reason"].startswith("lacks 1 score that old has, of ")
        assert {row["outcome"] for row in answer["rows"]} == {"not comparable"}
        assert all(str(cases[role].iloc[gap]) in answer["reason"] for role in roles)
        assert "--missing" not in answer["line"]


def test_runs_that_share_no_name_are_own_runs_of_each_model(rng, tmp_path):
    for name, n in (("old", 9), ("new", 7)):
        seeds = rng.choice(9000, n, replace=False) + 10_000 * (name == "new")
        pd.DataFrame({"seed": seeds, "accuracy": rng.random(n)}).to_csv(tmp_path / f"{name}.csv", index=False)
    assert asked(tmp_path / "old.csv", tmp_path / "new.csv")[0] < 3


@pytest.mark.parametrize("metric", ["accuracy", "score"])
@pytest.mark.parametrize("form", ["lists", "rows", "seeds", "wide", "files"])
def test_a_new_model_with_fewer_runs_is_never_accepted_wherever_they_came_in(form, metric, rng, tmp_path):
    new, old = names = [str(name) for name in rng.choice(["svm", "b 2", "Zoé", "7", "old"], 2, replace=False)]
    n_new = int(rng.integers(2, 6))
    n_old = n_new + int(rng.integers(1, 5))
    runs = {old: rng.random(n_old), new: rng.random(n_new)}
    counts = [n_old, n_new]
    tidy = pd.DataFrame({"model": np.repeat([old, new], counts), metric: np.concatenate([*runs.values()])})
    seeded = tidy.assign(seed=np.concatenate([np.arange(n) for n in counts]))
    for name, table in seeded.groupby("model"):
        table.drop(columns="model").to_csv(tmp_path / f"{name}.csv", index=False)
    found = {
        "lists": lambda: skc.from_runs(runs),
        "rows": lambda: skc.read(tidy, run="rows"),
        "seeds": lambda: skc.from_runs(seeded),
        "wide": lambda: skc.read(seeded.pivot(index="seed", columns="model", values=metric), missing="drop"),
        "files": lambda: skc.read(*(tmp_path / f"{name}.csv" for name in names)),
    }[form]()
    n = n_old - n_new
    gap = f"{n} score{'s' * (n > 1)} that {old} has, {'of' if n == 1 else 'the first of'} run {n_new}"
    asked = not_worse(found, new, old, margin=0.99)
    assert (asked.verdict, gap in asked.reason) == ("cannot be compared", True)
    assert not_worse(found, old, new, margin=0.99).reason == ""


@pytest.mark.parametrize("words", [[], ["--metric", "f1"], ["--metric", "accuracy"]])
@pytest.mark.parametrize("tidy", [True, False])
def test_a_metric_that_the_new_model_lacks_is_named(words, tidy, rng, tmp_path):
    paths = [tmp_path / "old.csv", tmp_path / "new.csv"]
    for path in paths:
        table = pd.DataFrame({"fold": range(10), "accuracy": 0.8 + 0.1 * rng.random(10)})
        table = table.assign(f1=rng.random(10)) if path.stem == "old" else table
        table = table.melt("fold", var_name="metric", value_name="score") if tidy else table
        table.to_csv(path, index=False)
    status, answer = asked(*paths, *words)
    assert status == (0 if "accuracy" in words else 3)
    assert "accuracy" in words or ("f1" in str(answer) and "new" in str(answer))


def test_what_is_kept_of_many_gaps_is_small(rng, tmp_path):
    n = 20_000
    table = {"item": [f"q{i}" for i in range(n)], **{name: rng.integers(0, 2, n).astype(float) for name in "abc"}}
    for name in "abc":
        table[name][rng.random(n) < 0.3] = np.nan
    result = skc.read(pd.DataFrame(table), models=[*"abc"], item="item", missing="drop")
    assert len(json.dumps(result.provenance["lacking"])) < 1000
    lost = np.isnan(table["a"]) & ~np.isnan(table["b"])
    result.save(tmp_path / "x.skc")
    for found in (result, skc.load(tmp_path / "x.skc")):
        assert (
            f"lacks {lost.sum():,} scores that b has, the first of item q{lost.argmax()},"
            in not_worse(found, "a", "b", margin=0.5).reason
        )


@pytest.mark.parametrize("shared", [True, False])
def test_of_many_models_it_is_kept_what_a_model_lacks_beside_all_others(shared, rng):
    """What is kept would grow with the pairs of models."""
    models = [f"m{i}" for i in range(60)]
    rows = pd.DataFrame([(m, i) for m in models for i in range(6)], columns=["model", "seed"])
    rows["accuracy"] = rng.random(len(rows))
    rows["seed"] = rows["seed"] if shared else rng.permutation(len(rows))
    result = skc.read(rows.drop(index=6 * 7 + 2))
    assert [*result.provenance.get("lacking", {})] == (["m7"] if shared else [])
    verdict = not_worse(result, "m7", "m1", margin=0.99)
    assert verdict.reason == ("lacks 1 score that another model has, of run 2, metric accuracy" if shared else "")
    assert ("outcome" in str(verdict)) is not shared  # one answer: the rows claim nothing that the first line does not
    assert not_worse(result, "m1", "m7", margin=0.99).reason == ""


# ---- clusters and weights of one file alone ------------------------------------------------------------------------


def predictions(rng, n=60):
    truth = np.arange(n) % 2
    return pd.DataFrame({"sample_id": range(n), "y_true": truth, "prediction": np.where(rng.random(n) < 0.8, truth, 0)})


@pytest.mark.parametrize("name", ["patient", "user_id", "cluster", "sample_weight"])
@pytest.mark.parametrize("whose", ["old", "new", "other values"])
def test_clusters_and_weights_of_one_file_alone_are_asked_about(name, whose, rng, tmp_path):
    """Samples of one patient were taken for independent as soon as one of both files did not name it."""
    paths, cells = [tmp_path / "old.csv", tmp_path / "new.csv"], np.repeat(range(1, 13), 5)
    for path in paths:
        table = predictions(rng)
        if whose == "other values" or path.stem == whose:
            table[name] = cells if path.stem == "old" or whose != "other values" else cells[::-1]
        table.to_csv(path, index=False)
    status, said = asked(*paths, "--metric", "accuracy")
    assert status == 3
    assert repr(name) in said
    independent = asked(*paths, "--metric", "accuracy", "--cluster", "none")[0]
    assert independent == (3 if name == "sample_weight" else 0)


def test_weights_in_a_text_are_read(rng, tmp_path):
    """A column of weights was refused as text."""
    weight, tables = rng.uniform(1, 3, 60).round(2), [predictions(rng) for _ in "ab"]
    for name, table in zip("ab", tables, strict=True):
        table.assign(sample_weight=weight).to_csv(tmp_path / f"{name}.csv", index=False)
    wide = pd.DataFrame({"y_true": tables[0]["y_true"], "a": tables[0]["prediction"], "b": tables[1]["prediction"]})
    wide.assign(sample_weight=weight).to_csv(tmp_path / "wide.csv", index=False)
    right = np.array([t["prediction"] == t["y_true"] for t in tables])
    for names in (("a.csv", "b.csv"), ("wide.csv",)):
        found = skc.read(*(tmp_path / name for name in names), metrics=["accuracy"])
        scores = [found.score(name, "accuracy").item() for name in found.estimators]
        np.testing.assert_allclose(scores, np.average(right, axis=1, weights=weight))


# ---- what is refused is said of the user's columns -----------------------------------------------------------------


def broken(rng, what):
    """A table of predictions with one thing wrong, and the column in which it is."""
    truth, model = rng.choice(["gt", "Gold", "y_true", "ground_truth"]), rng.choice(["svm", "our net", "a"])
    y = np.arange(40) % 2
    table = pd.DataFrame({"id": range(40), truth: y, model: y, "base": 1 - y}).astype(object)
    column = {"one class": truth, "empty truth": truth, "same id": "id"}.get(what, model)
    if what == "one class":
        table[truth] = 1
    elif what == "same id":
        table.loc[3, "id"] = 4
    else:
        table.loc[5, column] = {"strange label": 7, "text": "x y"}.get(what)
    return table, truth, model, column


@pytest.mark.parametrize("what", ["one class", "empty truth", "empty prediction", "strange label", "text", "same id"])
def test_a_refusal_names_the_column_and_the_file_and_no_argument(what, rng, tmp_path):
    table, truth, model, column = broken(rng, what)
    path = tmp_path / "given.csv"
    table.to_csv(path, index=False)
    status, said = asked(path, "--old", "base", "--new", model, "--metric", "accuracy", "--truth", truth)
    with pytest.raises(ValueError, match="given") as refused:
        skc.read(path, truth=truth)
    for text in (said, str(refused.value)):
        assert str(path) in text
        assert f"'{column}'" in text
        assert not [x for x in ("predictions[", "sample_id", "frame") if x in text]
        assert truth == "y_true" or "y_true" not in text
    assert status == 3


@pytest.mark.parametrize("name", ["gt", "Gold", "gold", "truth", "ground_truth"])
@pytest.mark.parametrize("place", ["dataset", "fold"])
def test_a_column_called_as_true_values_beside_metrics_or_models_is_none(name, place, rng):
    rows = {place: [f"d{i}" for i in range(9)], name: rng.random(9), "svm": rng.random(9), "tree": rng.random(9)}
    with pytest.raises(ValueError, match="may hold true values, or scores of a model") as refused:
        skc.read(pd.DataFrame(rows))
    assert f"models=['{name}', 'svm', 'tree']" in str(refused.value)
    both = pd.DataFrame({place: [*range(9)] * 2, "model": ["a"] * 9 + ["b"] * 9, name: 1, "accuracy": rng.random(18)})
    assert skc.read(both).metrics == ("accuracy",)


@pytest.mark.parametrize("size", ["n_train", "Train size"])
def test_a_size_that_is_none_is_said_of_its_column(size, rng, tmp_path):
    table = pd.DataFrame({"fold": [*range(6)] * 2, "model": ["a"] * 6 + ["b"] * 6, "accuracy": rng.random(12)})
    table.assign(**{size: -1}).to_csv(tmp_path / "x.csv", index=False)
    with pytest.raises(ValueError, match="must hold positive integers in its column") as refused:
        skc.read(tmp_path / "x.csv")
    assert str(refused.value).startswith(f"{tmp_path / 'x.csv'} must")
    assert repr(size) in str(refused.value)


@pytest.mark.parametrize("lacks", [0, 3])
def test_the_old_model_is_that_of_the_first_file_whatever_it_lacks(lacks, rng, tmp_path):
    """Scores of skore stand by their folds, so that the model without the first one comes second."""
    for name, worse in (("old", 0.0), ("new", 0.3)):
        row = {"name": "accuracy", "verbose_name": "Accuracy", "estimator": name, "data_source": "test"}
        rows = [
            {**row, "greater_is_better": True, "split": i, "score": 0.9 - worse + 0.01 * rng.random()} for i in range(9)
        ]
        pd.DataFrame(rows[:lacks] + rows[lacks + 1 :] if name == "old" else rows).to_csv(tmp_path / f"{name}.csv")
    paths = [str(tmp_path / "old.csv"), str(tmp_path / "new.csv")]
    done = CliRunner().invoke(cli.command, ["check", *paths, "--margin", "0.1", "--json", "--missing", "drop"])
    answer = json.loads(done.stdout)
    assert (done.exit_code, answer["old"], answer["new"]) == (1, "old", "new")


@pytest.mark.parametrize("own", ["f1", "n_train", "dataset", "epoch"])
def test_what_the_new_table_has_alone_is_left_out(rng, tmp_path, own):
    cells = {"f1": rng.random(10), "n_train": rng.integers(5, 9, 10), "dataset": ["iris"] * 10, "epoch": [3] * 10}
    for name in ("old", "new"):
        frame = pd.DataFrame({"fold": range(10), "accuracy": 0.8 + 0.01 * rng.random(10)})
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    plain = asked(tmp_path / "old.csv", tmp_path / "new.csv", "--design", "10-fold")
    assert plain[0] == 0
    frame.assign(**{own: cells[own]}).to_csv(tmp_path / "new.csv", index=False)
    assert asked(tmp_path / "old.csv", tmp_path / "new.csv", "--design", "10-fold") == plain
