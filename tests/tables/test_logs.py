"""Logs and reports of other tools, each read from a sample that the tool itself made (`samples/`, versions below)."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections import defaultdict
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupShuffleSplit,
    RandomizedSearchCV,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from skcompare import SearchReport
from skcompare.tables.logs import recognised

SAMPLES = Path(__file__).parent / "samples"
X, Y = load_iris(return_X_y=True)
X = X[:, :2]  # on all four columns models hardly differ


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def scores(result, metric):
    return {name: result.score(name, metric).mean() for name in result.estimators}


def means(result):
    """The mean of every model, in whatever order they stand."""
    if isinstance(result, SearchReport):
        return {(str(row.params), round(row.mean, 9)): row.mean for row in result.ranking}
    if isinstance(result, skc.StudyResult):
        return {(name, one): x for name in result.datasets for one, x in means(result.results[name]).items()}
    return {
        (name, metric): result.score(name, metric).mean() for name in result.estimators for metric in result.metrics
    }


def same_result(result, other):
    assert result.estimators == other.estimators
    assert result.metrics == other.metrics
    np.testing.assert_array_equal(result.scores, other.scores)
    assert result.design == other.design


def same_report(report, other):
    """Whether two reports say the same of the candidates, whatever they were read from."""
    assert [row.name for row in report.ranking] == [row.name for row in other.ranking]
    for field in ("mean", "difference", "low", "high", "pvalue"):
        np.testing.assert_allclose(
            [getattr(row, field) for row in report.ranking], [getattr(row, field) for row in other.ranking], atol=1e-12
        )
    assert report.best.params == other.best.params
    assert report.design.name == other.design.name


# ---- lm-evaluation-harness 0.4.13: --log_samples of two toy models ------------------------------------------------


def test_samples_of_a_harness_are_outcomes_of_documents():
    files = sorted(SAMPLES.glob("lm_eval/*/samples_sums_*.jsonl"))
    result = skc.read(*files)
    assert result.design.name == "12 items"
    assert result.metrics == ("acc", "acc_norm")
    for path in files:
        for metric in result.metrics:
            found = np.mean([line[metric] for line in lines_of(path)])
            assert scores(result, metric)[path.parent.name] == pytest.approx(found)


def test_every_filter_of_a_harness_is_a_metric():
    files = sorted(SAMPLES.glob("lm_eval/*/samples_spell_*.jsonl"))
    result = skc.read(*files)
    assert {*result.metrics} == {"exact_match,strict-match", "exact_match,flexible-extract"}
    for path in files:
        for name in ("strict-match", "flexible-extract"):
            found = np.mean([line["exact_match"] for line in lines_of(path) if line["filter"] == name])
            assert scores(result, f"exact_match,{name}")[path.parent.name] == pytest.approx(found)


def harness(rng, tmp_path, n, models, *, metric="exact_match", **more):
    """A file per model, the documents in another order in each; and what they say by model."""
    truth = {model: (rng.random(n) < rng.uniform(0.3, 0.9)).astype(float) for model in models}
    for model, found in truth.items():
        lines = [
            {"doc_id": i, "target": "a", "resps": [["a"]], metric: found[i], **more}
            for i in rng.permutation(n).tolist()
        ]
        (tmp_path / f"{model}.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return [tmp_path / f"{model}.jsonl" for model in models], truth


def test_documents_are_joined_by_doc_id_whatever_their_order(rng, tmp_path):
    files, truth = harness(rng, tmp_path, 60, ("base", "tuned"))
    result = skc.read(*files)
    base, tuned = truth["base"], truth["tuned"]
    b, c = int(((base == 1) & (tuned == 0)).sum()), int(((base == 0) & (tuned == 1)).sum())
    exact = stats.binomtest(b, b + c).pvalue
    assert result.estimators == ("base", "tuned")
    assert result.test("mcnemar_test", method="exact").pvalue == pytest.approx(exact)


def test_prompts_that_differ_between_models_are_counted(rng, tmp_path):
    """As with other examples, or another template, before the same question."""
    n = int(rng.integers(20, 60))
    files, _ = harness(rng, tmp_path, n, ("base", "tuned"), prompt_hash="p")
    assert "prompts" not in skc.read(*files).provenance["read_as"]
    lines, k = lines_of(files[1]), int(rng.integers(1, n))
    for line in lines[:k]:
        line["prompt_hash"] = "q"
    files[1].write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert f"Models had other prompts on {k} of {n} items." in skc.read(*files).provenance["read_as"]


def test_files_of_one_name_in_two_folders_are_two_models(rng, tmp_path):
    files, truth = harness(rng, tmp_path, 20, ("old", "new"), metric="acc")
    moved = []
    for path in files:
        moved.append(tmp_path / f"in {path.stem}" / "log.jsonl")
        moved[-1].parent.mkdir()
        path.rename(moved[-1])
    result = skc.read(*moved)
    assert result.estimators == ("in old", "in new")
    assert [*scores(result, "acc").values()] == pytest.approx([truth[name].mean() for name in ("old", "new")])


def test_tasks_of_one_metric_are_read_together(rng, tmp_path):
    truth = {}
    for model in ("small", "large"):
        folder = tmp_path / model
        folder.mkdir()
        for task in ("algebra", "history"):
            values = rng.integers(0, 2, 15)
            truth.setdefault(model, []).extend(values)
            lines = [{"doc_id": i, "doc": {}, "target": "a", "acc": int(x)} for i, x in enumerate(values)]
            path = folder / f"samples_{task}_2026-01-0{1 + len(model) % 2}T10-00-00.000001.jsonl"
            path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    result = skc.read(*sorted(tmp_path.glob("*/*.jsonl")))
    assert result.design.name == "30 items"
    assert scores(result, "acc") == pytest.approx({model: np.mean(x) for model, x in truth.items()})


def test_documents_of_another_version_are_refused(rng, tmp_path):
    files, _ = harness(rng, tmp_path, 10, ("a", "b"), doc_hash="1")
    lines = lines_of(files[1])
    lines[3]["doc_hash"] = "2"
    files[1].write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with pytest.raises(ValueError, match="the logs must be of the same documents"):
        skc.read(*files)


def test_tasks_without_a_common_metric_are_refused_and_one_of_them_is_read():
    with pytest.raises(ValueError, match="give the files of one task"):
        skc.read(*SAMPLES.glob("lm_eval/*/*.jsonl"))
    assert skc.read(*SAMPLES.glob("lm_eval/*/samples_sums_*.jsonl")).metrics == ("acc", "acc_norm")


def test_filters_that_are_others_for_every_model_are_no_common_metric(rng, tmp_path):
    files = [
        harness(rng, tmp_path, 20, (model,), filter=name)[0][0] for model, name in (("a", "strict"), ("b", "flex"))
    ]
    with pytest.raises(ValueError, match="must share a metric"):
        skc.read(*files)


@pytest.mark.parametrize("ending", ["jsonl", "json"])
@pytest.mark.parametrize("name", ["pretrained__{m}_arc", "{m}/samples_arc_2024-05-01T10-00-00.000001"])
def test_samples_of_first_versions_are_a_list_whatever_the_file_is_called(ending, name, rng, tmp_path):
    """Versions 0.4.0 to 0.4.2 wrote `json.dumps(samples, indent=2)` into a file called .jsonl, 0.4.3 into .json."""
    files, truth = harness(rng, tmp_path, 20, ("gpt2", "pythia"), doc={})
    paths = [tmp_path / f"{name.format(m=path.stem)}.{ending}" for path in files]
    for path, old in zip(paths, files, strict=True):
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(lines_of(old), indent=2), encoding="utf-8")
    found = scores(skc.read(*paths), "exact_match")
    expected = {"gpt2": truth["gpt2"].mean(), "pythia": truth["pythia"].mean()}
    assert {next(m for m in expected if m in x): y for x, y in found.items()} == pytest.approx(expected)


@pytest.mark.parametrize("tasks", [["arc"], ["arc", "copa", "boolq"]])
@pytest.mark.parametrize(
    ("folders", "models"),
    [
        (["out/{m}/{t}", "out/{n}/{t}"], ["{m}", "{n}"]),
        (["0shot/{m}", "5shot/{m}"], ["0shot", "5shot"]),
        (["0shot/{m}", "5shot/{m}", "0shot/{n}"], ["0shot/{m}", "5shot/{m}", "0shot/{n}"]),
        (["out/{m}", "out/{m}"], ["{m} 2024-05-01T10-00-00.000000", "{m} 2024-05-02T10-00-00.000000"]),
    ],
)
def test_what_tells_runs_of_the_harness_apart_names_them(tasks, folders, models, rng, tmp_path):
    """Runs were called by their task and date, and runs on several tasks were refused."""
    m, n = rng.choice(["gpt2", "org__pythia-160m", "llama", "qwen"], 2, replace=False).tolist()
    files, expected = [], {}
    for i, (folder, model) in enumerate(zip(folders, models, strict=True)):
        right = expected.setdefault(model.format(m=m, n=n), [])
        for task in tasks:
            path = tmp_path / folder.format(m=m, n=n, t=task) / f"samples_{task}_2024-05-0{i + 1}T10-00-00.000000.jsonl"
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = [{"doc_id": k, "doc": {"q": task}, "acc": int(x)} for k, x in enumerate(rng.integers(0, 2, 12))]
            path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
            right += [line["acc"] for line in lines]
            files.append(path)
    result = skc.read(*(files[i] for i in rng.permutation(len(files))))
    assert scores(result, "acc") == pytest.approx({model: np.mean(x) for model, x in expected.items()})


@pytest.mark.parametrize("case", ["filters", "models", "twice"])
def test_lines_of_one_item_that_nothing_tells_apart_are_no_runs(case, rng, tmp_path):
    """As of several filters before these had a key, or of files below each other; splits and runs were offered."""
    files, _ = harness(rng, tmp_path, 20, ("a", "b"), doc={})
    texts = [path.read_text(encoding="utf-8") for path in files]
    (tmp_path / "flexible").mkdir()
    others = harness(rng, tmp_path / "flexible", 20, ("a", "b"), doc={})[0]
    for path, text, other in zip(files, texts, others, strict=True):
        more = {"filters": other.read_text(encoding="utf-8"), "models": texts[1], "twice": text}[case]
        path.write_text(f"{text}\n{more}", encoding="utf-8")
    given = files[:1] if case == "models" else files
    with pytest.raises(ValueError, match="has several scores of item") as refused:
        skc.read(*given)
    assert not hasattr(refused.value, "calls")


# ---- inspect_ai 0.3.285: logs as JSON, without the events, and one .eval as it is ---------------------------------


def inspect_means():
    found = {}
    for path in sorted(SAMPLES.glob("inspect_ai/*.json")):
        log = json.loads(path.read_text(encoding="utf-8"))
        found[path.stem] = log["results"]["scores"][0]["metrics"]["accuracy"]["value"]
    return found


def test_logs_of_inspect_are_outcomes_whose_epochs_are_averaged():
    result = skc.read(*sorted(SAMPLES.glob("inspect_ai/*.json")))
    assert result.design.name == "12 items"
    assert result.metrics == ("match", "includes")
    assert scores(result, "match") == pytest.approx(inspect_means())


def test_items_of_one_id_and_other_inputs_are_refused(tmp_path):
    for model, asked in (("one", "2+2"), ("two", "3+3")):
        samples = [{"id": i, "input": f"{asked}+{i}", "scores": {"match": {"value": "CI"[i % 2]}}} for i in range(9)]
        log = {"eval": {"task": "t", "model": model}, "samples": samples}
        (tmp_path / f"{model}.json").write_text(json.dumps(log), encoding="utf-8")
    with pytest.raises(ValueError, match="must be of the same documents; item 't/0' of two"):
        skc.read(tmp_path / "one.json", tmp_path / "two.json")


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python reads zstd itself")
def test_a_newer_archive_needs_the_package_and_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    with pytest.raises(ImportError, match="pip install inspect-ai; or give what 'inspect log convert"):
        skc.read(SAMPLES / "inspect_ai" / "echo.eval")


@pytest.mark.parametrize(
    ("values", "metrics"),
    [
        ([("C", "I"), ("P", "C"), ("N", "C")], {"judge": ([1, 0.5, 0], [0, 1, 1])}),
        ([(True, False), (False, False), (True, True)], {"judge": ([1, 0, 1], [0, 0, 1])}),
        (
            [({"a": 1, "b": 0.2}, {"a": 0, "b": 0.4})] * 3,
            {"judge/a": ([1] * 3, [0] * 3), "judge/b": ([0.2] * 3, [0.4] * 3)},
        ),
    ],
)
def test_grades_of_inspect_are_the_numbers_that_it_makes_of_them(tmp_path, values, metrics):
    for at, model in enumerate(("x/one", "x/two")):
        samples = [{"id": i, "epoch": 1, "scores": {"judge": {"value": pair[at]}}} for i, pair in enumerate(values)]
        log = {"eval": {"task": "t", "model": model}, "samples": samples}
        (tmp_path / f"{at}.json").write_text(json.dumps(log), encoding="utf-8")
    result = skc.read(tmp_path / "1.json", tmp_path / "0.json")
    assert {*result.estimators} == {"x/one", "x/two"}
    for metric, expected in metrics.items():
        for model, own in zip(("x/one", "x/two"), expected, strict=True):
            np.testing.assert_array_equal(result.score(model, metric).ravel(), own)


def test_samples_of_inspect_without_a_score_are_counted(rng, tmp_path):
    broken = int(rng.integers(9))
    for model in ("one", "two"):
        samples = [{"id": i, "epoch": e, "scores": {"match": {"value": "CI"[i % 2]}}} for i in range(9) for e in (1, 2)]
        if model == "two":
            samples[2 * broken] |= {"scores": None, "error": {"message": "timeout"}}
        log = {"eval": {"task": "t", "model": model}, "samples": samples}
        (tmp_path / f"{model}.json").write_text(json.dumps(log), encoding="utf-8")
    result = skc.read(tmp_path / "one.json", tmp_path / "two.json")
    assert "1 sample was left out: without a score." in " ".join(map(str, result.warnings))


@pytest.mark.parametrize("samples", [None, [], [{"id": 1, "epoch": 1, "scores": None}]])
def test_a_log_of_inspect_that_has_no_score_says_how_its_run_ended(samples, rng, tmp_path):
    ended = str(rng.choice(["error", "cancelled", "started"]))
    scored = [{"id": i, "epoch": 1, "scores": {"match": {"value": "CI"[i % 2]}}} for i in range(9)]
    for model, own in (("one", scored), ("two", samples)):
        log = {"status": ended, "eval": {"task": "t", "model": model}, "samples": own}
        (tmp_path / f"{model}.json").write_text(json.dumps(log), encoding="utf-8")
    with pytest.raises(ValueError, match=rf"two must hold samples, .* status is {ended!r}"):
        skc.read(tmp_path / "one.json", tmp_path / "two.json")


@pytest.mark.parametrize("reducer", [None, "max"])
def test_epochs_that_a_log_reduces_otherwise_are_averaged_and_it_is_said(reducer, rng, tmp_path):
    paths = []
    for path in rng.permutation(sorted(SAMPLES.glob("inspect_ai_max/*.json"))):
        log = json.loads(path.read_text(encoding="utf-8"))
        assert log["eval"]["config"]["epochs_reducer"] == ["max"]
        log["eval"]["config"]["epochs_reducer"] = [reducer] if reducer else None
        paths.append(tmp_path / path.name)
        paths[-1].write_text(json.dumps(log), encoding="utf-8")
    result = skc.read(*paths)
    for path in paths:
        values = [one["scores"]["match"]["value"] == "C" for one in json.loads(path.read_text("utf-8"))["samples"]]
        assert scores(result, "match")[f"mockllm/{path.stem}"] == pytest.approx(np.mean(values))
    assert [w.code for w in result.warnings if "where the logs take 'max'" in w] == ["ASSUMED"] * bool(reducer)


@pytest.mark.parametrize("broken", [("large",), ("large", "small")])
def test_runs_of_inspect_that_broke_off_are_named(broken, tmp_path):
    """Both broke off at one sample, so that no score of one is missing where the other has one."""
    for path in SAMPLES.glob("inspect_ai_broken/*.json"):
        log = json.loads(path.read_text(encoding="utf-8"))
        assert log["status"] == "error"
        log["status"] = "error" if path.stem in broken else "success"
        (tmp_path / path.name).write_text(json.dumps(log), encoding="utf-8")
    result = skc.read(*sorted(tmp_path.glob("*.json")))
    assert result.design.name == "6 items"
    told = [str(warning) for warning in result.warnings if "has the status 'error'" in warning]
    assert [text.partition("the run of mockllm/")[2].split()[0] for text in told] == [*broken]


def test_objects_of_inspect_and_lists_of_files_are_read_as_the_files_are():
    """What its `eval` returns: a list of models of pydantic, which write themselves as JSON."""
    files = sorted(SAMPLES.glob("inspect_ai_max/*.json"))
    logs = [SimpleNamespace(model_dump_json=lambda path=path: path.read_text(encoding="utf-8")) for path in files]
    result = skc.read(*files)
    for given in ([logs], [(*logs,)], logs, [files], [[*map(str, files)]]):
        same_result(skc.read(*given), result)
    with pytest.raises(ValueError, match="has several scores"):  # nothing tells two runs of one model apart
        skc.read([logs[0], SimpleNamespace(model_dump_json=logs[0].model_dump_json)])


@pytest.mark.parametrize("more", [(), ("model", "score_match")])
def test_samples_of_inspect_in_a_frame_are_to_be_given_as_their_logs(more, rng):
    """Its `samples_df` of inspect_ai 0.3.285 has epochs, and columns that were offered as models."""
    paths = [str(path) for path in sorted(SAMPLES.glob("inspect_ai_max/*.json"))]
    n = 6
    frame = pd.DataFrame({"eval_id": np.repeat(["e1", "e2"], n), "log": np.repeat(paths, n), "epoch": [1, 2] * n})
    frame = frame.assign(id=["q0", "q0", "q1", "q1", "q2", "q2"] * 2, sample_id=[f"s{i}" for i in range(2 * n)])
    frame = frame.assign(target="1", retries=0, fallbacks=0, **{x: rng.choice(["C", "I"], 2 * n) for x in more})
    with pytest.raises(ValueError, match=r"must be given as their logs: skc\.read") as refused:
        skc.read(frame.sample(frac=1.0, random_state=int(rng.integers(99))).sort_values("log"))
    result = eval(str(refused.value).partition(": ")[2], {"skc": skc})
    same_result(result, skc.read(*paths))


def logs_of_inspect(rng, settings, tasks, n=12, **more):
    """A log per setting of a model and task, and its scores by setting."""
    found, truth = [], defaultdict(list)
    for model, setting in settings:
        for task in tasks:
            right = rng.integers(0, 2, n)
            samples = [
                {"id": i, "input": f"{task} {i}", "scores": {"m": {"value": "IC"[x]}}} for i, x in enumerate(right)
            ]
            of = {"task": task, "model": model, "model_generate_config": setting, **more}
            found.append({"eval": of, "samples": samples})
            truth[model, str(setting)].extend(right)
    return found, {key: np.mean(x) for key, x in truth.items()}


@pytest.mark.parametrize("tasks", [["gsm8k"], ["gsm8k", "lab/arc"]])
@pytest.mark.parametrize("name", ["temperature", "max_tokens", "reasoning_effort"])
@pytest.mark.parametrize("form", ["files", "one file", "objects"])
def test_settings_name_the_runs_of_one_model_of_inspect(tasks, name, form, rng, tmp_path):
    """Runs of one model on several tasks were refused, and lists of logs had no rows."""
    low, high = sorted(rng.choice(99, 2, replace=False).tolist())
    settings = [("gpt", {name: low, "seed": 1}), ("gpt", {name: high, "seed": 1}), ("llama", {name: low, "seed": 1})]
    logs, truth = logs_of_inspect(rng, settings, tasks)
    for i, log in enumerate(logs):
        (tmp_path / f"{i}.json").write_text(json.dumps(log), encoding="utf-8")
    (tmp_path / "all").mkdir()
    (tmp_path / "all" / "logs.json").write_text(json.dumps(logs), encoding="utf-8")
    given = {"files": [*tmp_path.glob("*.json")], "one file": [tmp_path / "all" / "logs.json"], "objects": [logs]}
    result = skc.read(*given[form])
    names = [f"gpt, {name}={low}", f"gpt, {name}={high}", f"llama, {name}={low}"]
    assert scores(result, "m") == pytest.approx(dict(zip(names, truth.values(), strict=True)))


@pytest.mark.parametrize("kinds", [(int, str), (str, int), (str, str)])
@pytest.mark.parametrize("tasks", [["t"], ["t", "u"]])
def test_items_of_one_id_are_of_one_input_whether_it_is_a_number_or_a_text(kinds, tasks, rng):
    """Items 1 and "1" were pairs, though each model was asked something else."""
    logs, truth = logs_of_inspect(rng, [("a", {}), ("b", {})], tasks)
    for log, kind in zip(logs, np.repeat(kinds, len(tasks)), strict=True):
        for sample in log["samples"]:
            sample["id"] = kind(sample["id"])
    result = skc.read(logs)
    assert result.design.name == f"{12 * len(tasks)} items"
    assert scores(result, "m") == pytest.approx({model: x for (model, _), x in truth.items()})
    logs[-1]["samples"][int(rng.integers(12))]["input"] = "another"
    with pytest.raises(ValueError, match="must be of the same documents"):
        skc.read(logs)


def test_a_copy_of_a_log_is_said_and_logs_of_one_model_are_of_one_task(rng, tmp_path):
    """A copy was one model more, and items of one number on two tasks were one item."""
    logs, _ = logs_of_inspect(rng, [("a", {}), ("b", {})], ["t"])
    for name, log in zip("abc", [*logs, logs[int(rng.integers(2))]], strict=True):
        (tmp_path / f"{name}.json").write_text(json.dumps(log), encoding="utf-8")
    result = skc.read(*tmp_path.glob("*.json"))
    assert [x.code for x in result.warnings if "is no copy of the other" in x] == ["ASSUMED"]
    assert not any("copy" in x for x in skc.read(logs).warnings)
    tasks = rng.choice(["t", "u", "v"], 2, replace=False).tolist()
    several, _ = logs_of_inspect(rng, [("a", {})], tasks)
    for sample in [x for log in several for x in log["samples"]]:
        del sample["input"]
    with pytest.raises(ValueError, match="or of two models or more with one log each"):
        skc.read(several)


def test_samples_of_the_first_inspect_have_one_score_and_other_files_have_no_samples_of_it(rng, tmp_path):
    logs, truth = logs_of_inspect(rng, [("a", {}), ("b", {})], ["t"])
    for sample in [x for log in logs for x in log["samples"]]:
        sample["score"] = sample.pop("scores")["m"]
    assert scores(skc.read(logs), "score") == pytest.approx({model: x for (model, _), x in truth.items()})
    for model in "ab":  # as EvalPlus has it
        found = {f"HumanEval/{i}": [{"base_status": "pass", "plus_status": "fail"}] for i in range(9)}
        (tmp_path / f"{model}.json").write_text(json.dumps({"hash": "x", "eval": found}), encoding="utf-8")
    assert recognised(tmp_path / "a.json", tmp_path / "b.json") is None


# ---- searches: scikit-learn's own, scikit-optimize 0.10.2, Optuna 5.0.0 with optuna-integration 5.0.0 -------------


def searches():
    tree = {"max_depth": [None, 1, 2, 4], "criterion": ["gini", "entropy"]}
    pipe = Pipeline([("clf", GaussianNB())])
    models = {"clf": [GaussianNB(), GaussianNB(var_smoothing=1.0), LogisticRegression()]}
    drawn = {"max_depth": stats.randint(1, 9), "ccp_alpha": stats.uniform(0, 0.1)}
    cv = StratifiedKFold(5, shuffle=True, random_state=3)
    return {
        "values that are None": GridSearchCV(DecisionTreeClassifier(random_state=0), tree, cv=cv, scoring="accuracy"),
        "numbers of numpy": RandomizedSearchCV(
            DecisionTreeClassifier(random_state=0), drawn, n_iter=6, cv=cv, random_state=1, scoring="accuracy"
        ),
        "several metrics": GridSearchCV(
            KNeighborsClassifier(), {"n_neighbors": [1, 5, 30]}, cv=cv, scoring=["accuracy", "f1_macro"], refit=False
        ),
        "models as values": GridSearchCV(pipe, models, cv=cv, scoring="accuracy"),
        "two ranges": GridSearchCV(
            KNeighborsClassifier(), [{"p": [1, 2]}, {"weights": ["distance"]}], cv=cv, scoring="accuracy"
        ),
    }


@pytest.mark.parametrize("case", searches())
@pytest.mark.parametrize("form", ["csv", "json", "only param_ columns"])
def test_a_search_that_was_kept_says_what_the_living_one_says(tmp_path, case, form):
    search = searches()[case].fit(X, Y)
    table = pd.DataFrame(search.cv_results_)
    path = tmp_path / ("kept.json" if form == "json" else "kept.csv")
    if form == "json":
        table.astype({"params": str}).to_json(path, default_handler=str)
    else:
        table.drop(columns="params" if form.startswith("only") else []).to_csv(path)
    report = SearchReport.read(path, cv=search.cv, metric="accuracy")
    living = SearchReport.from_search(search)
    if case == "models as values" or (form.startswith("only") and case == "values that are None"):
        # Texts of models are no models, and an empty cell is no None.
        np.testing.assert_allclose([row.mean for row in report.ranking], [row.mean for row in living.ranking])
        pairs = ([row.pvalue for row in one.ranking] for one in (report, living))
        np.testing.assert_allclose(*map(sorted, pairs), atol=1e-12)
    else:
        same_report(report, living)


def test_a_kept_search_of_unknown_splits_is_taken_for_k_fold_and_says_so(tmp_path):
    search = searches()["values that are None"].fit(X, Y)
    path = tmp_path / "kept.csv"
    pd.DataFrame(search.cv_results_).to_csv(path, index=False)
    report = SearchReport.read(path)
    assert report.design.name == "5-fold cross-validation"
    assert [warning.code for warning in report.warnings if "5-fold" in warning] == ["ASSUMED"]
    assert not any("5-fold" in warning for warning in SearchReport.read(path, cv=5).warnings)
    same_report(skc.read(path), report)
    same_report(skc.read(search), SearchReport.from_search(search))
    same_report(SearchReport.read(search), SearchReport.from_search(search))
    halves = SearchReport.read(path, test_fraction=0.5)
    assert halves.design.test_fraction == 0.5
    assert halves.provenance["cv"] == "not known"
    with pytest.raises(ValueError, match=r"and it does not: give test_fraction$"):  # a table has no X and y
        SearchReport.read(path, cv=GroupShuffleSplit(5, test_size=30))
    assert min(row.pvalue for row in halves.ranking[1:]) > min(row.pvalue for row in report.ranking[1:])


def test_a_kept_search_of_many_splits_asks_how_they_were_drawn(rng, tmp_path):
    own = {f"split{i}_test_score": x for i, x in enumerate(rng.normal(0.9, 0.02, (30, 3)))}
    path = tmp_path / "kept.csv"
    pd.DataFrame({"params": [f"{{'k': {k}}}" for k in range(3)], **own}).to_csv(path, index=False)
    with pytest.raises(ValueError, match="cv must be given for 30 splits") as caught:
        skc.read(path)
    calls = re.findall(r"skc\.read\(.*?\)", str(caught.value))
    reports = [eval(call, {"skc": skc}) for call in calls]
    assert [report.design.name for report in reports] == ["3x10 cross-validation", "30 overlapping splits"]
    same_report(SearchReport.read(path, cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=3)), reports[0])


def test_a_kept_search_is_a_result_too(tmp_path):
    search = searches()["two ranges"].fit(X, Y)
    path = tmp_path / "kept.csv"
    pd.DataFrame(search.cv_results_).to_csv(path, index=False)
    kept = skc.from_cross_validate(pd.read_csv(path), n_folds=5, scoring="accuracy")
    living = skc.from_cross_validate(search.cv_results_, n_folds=5, scoring="accuracy")
    assert kept.estimators == living.estimators
    np.testing.assert_allclose(kept.scores, living.scores)


@pytest.mark.parametrize("names", [("param_kernel",), ("svc__C", "svc__gamma"), ("Unnamed: 0", "pca__n", "svc__C")])
@pytest.mark.parametrize("mean", ["mean_test_score", "mean_test_f1"])
def test_what_is_left_of_a_search_has_neither_models_nor_runs(names, mean, rng, tmp_path):
    levels = {"param_kernel": ["rbf", "poly", "linear"] * 4, "Unnamed: 0": range(12), "pca__n": range(3, 15)}
    kept = pd.DataFrame({name: levels.get(name, rng.choice([0.1, 0.5, 1.5], 12)) for name in names})
    kept.assign(**{mean: rng.uniform(0.7, 0.9, 12)}).to_csv(tmp_path / "kept.csv", index=False)
    for read in (skc.read, SearchReport.read):
        with pytest.raises(ValueError, match="must hold the scores of every split") as refused:
            read(tmp_path / "kept.csv")
        assert not getattr(refused.value, "calls", ())
    tidy = pd.DataFrame({"model": ["svm", "rf"] * 6, "dataset": np.repeat([*"abcdef"], 2), "param_count": 3})
    assert skc.read(tidy.assign(**{mean: rng.uniform(0.7, 0.9, 12)})).estimators == ("svm", "rf")


def test_parameters_without_their_beginning_name_candidates(tmp_path):
    search = searches()["two ranges"].fit(X, Y)
    own = pd.DataFrame(search.cv_results_).drop(columns="params")
    bare = own.rename(columns=lambda name: name.replace("param_", "clf__"))
    bare.to_csv(tmp_path / "kept.csv", index=False)
    report = SearchReport.read(tmp_path / "kept.csv")
    np.testing.assert_allclose(report.scores, SearchReport.read(own).scores)


def test_candidates_with_the_same_scores_count_once_in_a_kept_search(rng, tmp_path):
    own = {f"split{i}_test_score": x for i, x in enumerate(np.add([[0.9, 0.8]] * 10, rng.normal(0, 0.02, (10, 2))))}
    distinct = pd.DataFrame({"params": ["{'k': 9}", "{'k': 150}"], **own})
    rows = [
        {**row, "params": f"{{'k': {k}, 'leaf': {leaf}}}"}
        for leaf in range(40)
        for k, row in zip((9, 150), distinct.to_dict("records"), strict=True)
    ]
    pd.DataFrame(rows).to_csv(tmp_path / "many.csv", index=False)
    distinct.to_csv(tmp_path / "two.csv", index=False)
    many, two = (SearchReport.read(tmp_path / name, cv=10) for name in ("many.csv", "two.csv"))
    assert many.ranking[-1].pvalue == pytest.approx(two.ranking[-1].pvalue)


@pytest.mark.parametrize("name", ["model", "Data set"])
def test_searches_below_each_other_are_no_search(name):
    kept = pd.read_csv(SAMPLES / "skopt.csv")
    with pytest.raises(ValueError, match=f"a search must be given alone; column '{name}' names several"):
        skc.read(pd.concat([kept.assign(**{name: one}) for one in ("a", "b")]))
    assert len(skc.read(kept.assign(**{name: "a"})).ranking) == len(skc.read(kept).ranking)


@pytest.mark.parametrize("name", ["search", "learner", "Unnamed: 0", "column 1", None])
@pytest.mark.parametrize("form", ["frame", "csv"])
def test_rows_of_several_searches_are_no_search_whatever_names_them(name, form, rng, tmp_path):
    """Names that were not known, or left out, made one search of two; the ranks count in each."""
    kept = pd.DataFrame(searches()["two ranges"].fit(X, Y).cv_results_)
    moved = kept.copy()
    for column in [x for x in kept if "_test_" in x and not x.startswith(("std", "rank"))]:
        moved[column] -= rng.uniform(0.05, 0.1)
    several = pd.concat([x.assign(**{name: one} if name else {}) for x, one in ((kept, "svm"), (moved, "knn"))])
    several.to_csv(tmp_path / "kept.csv", index=False)
    with pytest.raises(ValueError, match="a search must be given alone"):
        skc.read(tmp_path / "kept.csv" if form == "csv" else several)
    for both in ({"svm": kept, "knn": moved}, {"svm": dict(kept), "knn": dict(moved)}):
        with pytest.raises(ValueError, match="a search must be given alone; got 2"):
            skc.read(both)


def test_rounds_without_their_numbers_are_no_search(rng):
    scores = {f"split{i}_test_score": rng.random(6) for i in range(5)}
    with pytest.raises(ValueError, match="stands twice, with other scores"):
        skc.read({"params": [f"{{'k': {k}}}" for k in (1, 2, 3, 4, 3, 4)], **scores})
    again = {name: np.r_[x[:4], x[2:4]] for name, x in scores.items()}  # drawn again
    assert len(skc.read({"params": [f"{{'k': {k}}}" for k in (1, 2, 3, 4, 3, 4)], **again}).ranking) == 6


@pytest.mark.parametrize("orient", ["split", "columns", "csv"])
@pytest.mark.parametrize("names", [("C", "clf__gamma"), ("max_depth", "leaf"), ("clf", "clf__C", "scale"), ("name",)])
def test_parameters_without_their_beginning_are_all_kept(orient, names, rng, tmp_path):
    """A column C beside svc__gamma was left out, and a step of a pipeline was taken for models."""
    values = {
        "clf": ["SVC()", "Tree()"] * 3,
        "scale": ["MinMax()", "Standard()"] * 3,
        "name": [f"no {i}" for i in range(6)],
    }
    own = pd.DataFrame({name: values.get(name, rng.choice([0.1, 1.5, 10.5], 6) + range(6)) for name in names})
    table = own.assign(**{f"split{i}_test_score": rng.random(6) for i in range(5)})
    if orient == "csv":
        table.to_csv(tmp_path / "kept", index=bool(rng.integers(2)))
    else:
        table.to_json(tmp_path / "kept.json", orient=orient, double_precision=15)
    report = skc.read(tmp_path / ("kept" if orient == "csv" else "kept.json"))
    assert [*map(str, own.to_dict("records"))] == [
        str({name: params[name] for name in names}) for params in report.params
    ]


def test_decimal_commas_in_parameters_are_numbers(rng, tmp_path):
    levels = rng.permutation([0.0001, 0.5, 1.5, 20.25])
    table = pd.DataFrame({"param_C": levels, **{f"split{i}_test_score": rng.random(4) for i in range(5)}})
    table.to_csv(tmp_path / "kept.csv", sep=";", decimal=",", index=False)
    assert [params["C"] for params in skc.read(tmp_path / "kept.csv").params] == levels.tolist()


@pytest.mark.parametrize("form", ["split{i}_test_{name}", "{name}_fold_{i}", "cv_fold_{i}_{name}"])
@pytest.mark.parametrize(("name", "more"), [("accuracy", True), ("f1", True), ("score", True), ("score", False)])
def test_the_direction_of_trials_is_asked_for_where_neither_name_nor_search_tells_it(form, name, more, rng):
    """Splits that a user logged as `split0_test_score` were scores, though a study minimised them."""
    splits = rng.uniform(0.2, 0.8, (6, 4))
    frame = pd.DataFrame(
        {"number": range(6), "value": splits.mean(axis=1), "params_C": rng.choice(99, 6, replace=False)}
    )
    own = {f"user_attrs_{form.format(i=i, name=name)}": x for i, x in enumerate(splits.T)}
    frame = frame.assign(**own, state="COMPLETE")
    asked = {}
    if name == "score":
        with pytest.raises(ValueError, match="lack the direction of their study") as refused:
            skc.read(frame)
        assert [call for _, call in refused.value.calls] == [{"greater_is_better": x} for x in (True, False)]
        asked = {"greater_is_better": more}
    assert skc.read(frame, **asked).best.index == (np.argmax if more else np.argmin)(frame["value"])
    if form.startswith("split"):  # OptunaSearchCV maximises, and logs the mean too
        assert skc.read(frame.assign(**{f"user_attrs_mean_test_{name}": frame["value"]})).metrics == (name,)


@pytest.mark.parametrize("case", ["no state", "no number", "neither", "two rows of headers"])
@pytest.mark.parametrize("failed", [True, False])
def test_trials_are_known_by_their_params_and_attributes(case, failed, rng, tmp_path):
    """As `trials_dataframe` gives them with `attrs=` or `multi_index=True`; params were offered as models."""
    frame = pd.read_csv(SAMPLES / "optuna_search.csv")
    if failed:
        frame.loc[len(frame)] = {"number": len(frame), "params_criterion": "gini", "state": "FAIL"}
    dropped = {"no state": ["state"], "no number": ["number"], "neither": ["number", "state"]}.get(case, [])
    kept = frame.sample(frac=1.0, random_state=int(rng.integers(99))).drop(columns=dropped)
    if case == "two rows of headers":
        parts = [re.fullmatch(r"(params|user_attrs)_(.*)", name) for name in kept]
        levels = [match.groups() if match else (name, "") for match, name in zip(parts, kept, strict=True)]
        kept.columns = pd.MultiIndex.from_tuples(levels)
    kept.to_csv(tmp_path / "trials.csv", index=bool(rng.integers(2)))
    report = SearchReport.read(tmp_path / "trials.csv", cv=5, metric="accuracy")
    assert [row.mean for row in report.ranking] == pytest.approx(sorted(frame["value"].dropna(), reverse=True))
    assert {*report.best.params} == {"criterion", "max_depth", "min_impurity_decrease"}
    assert any("1 trial was left out" in x for x in report.warnings) == failed


@pytest.mark.parametrize("name", ["score", "accuracy", "neg_log_loss"])
def test_splits_that_are_counted_from_1_are_refused_in_words(name, rng, run, tmp_path):
    own = {f"split{i}_test_{name}": rng.random(4) for i in range(1, 6)} | {f"mean_test_{name}": rng.random(4)}
    pd.DataFrame({"param_C": [1, 3, 9, 27], **own, f"rank_test_{name}": range(4)}).to_csv(
        tmp_path / "kept.csv", index=False
    )
    with pytest.raises(ValueError, match="must hold the scores of every split"):
        skc.read(tmp_path / "kept.csv")
    assert run("check", tmp_path / "kept.csv", "--old", "a", "--new", "b", "--margin", "0.1")[0] == 3


def test_a_kept_search_of_scikit_optimize_is_read():
    table = pd.read_csv(SAMPLES / "skopt.csv")
    report = SearchReport.read(SAMPLES / "skopt.csv", cv=5, metric="roc_auc")
    assert [row.mean for row in report.ranking] == pytest.approx(sorted(table["mean_test_score"], reverse=True))
    assert {"criterion", "max_depth"} == report.best.params.keys()
    assert report.best.params["criterion"] == table["param_criterion"][report.best.index]


def test_trials_of_a_search_of_optuna_are_its_candidates():
    frame = pd.read_csv(SAMPLES / "optuna_search.csv")
    report = SearchReport.read(SAMPLES / "optuna_search.csv", cv=5, metric="accuracy")
    assert [row.mean for row in report.ranking] == pytest.approx(sorted(frame["value"], reverse=True))
    for row in report.ranking:
        own = frame.iloc[row.index]
        assert row.params == {
            "criterion": own["params_criterion"],
            "max_depth": own["params_max_depth"],
            "min_impurity_decrease": own["params_min_impurity_decrease"],
        }
    same_report(SearchReport.read(frame, cv=5, metric="accuracy"), report)
    same_report(
        SearchReport.from_search(SimpleNamespace(study_=study(frame, "MAXIMIZE"), cv=5, scoring="accuracy")), report
    )


def study(frame, direction):
    """A study of Optuna, as far as it is read, of the frame that its `trials_dataframe` gave."""

    def attrs(row):
        named = {name.removeprefix("user_attrs_"): x for name, x in row.items() if name.startswith("user_attrs_")}
        return {name: json.loads(x) if isinstance(x, str) else x for name, x in named.items() if x == x}

    trials = [
        SimpleNamespace(
            params={
                name.removeprefix("params_"): x for name, x in row.items() if name.startswith("params_") and x == x
            },
            user_attrs=attrs(row),
            values=None if row["value"] != row["value"] else [row["value"]],
            state=SimpleNamespace(name=row["state"]),
        )
        for row in frame.to_dict("records")
    ]
    return SimpleNamespace(trials=trials, directions=[SimpleNamespace(name=direction)])


def test_a_study_that_minimises_has_its_smallest_value_first():
    frame = pd.read_csv(SAMPLES / "optuna_study.csv")
    complete = frame[frame["state"] == "COMPLETE"]
    assert 2 <= len(complete) < len(frame)
    by_hand = SearchReport.read(SAMPLES / "optuna_study.csv", cv=5, greater_is_better=False)
    report = SearchReport.read(study(frame, "MINIMIZE"), cv=5)
    assert report.metrics == by_hand.metrics == ("neg_log_loss",)
    assert [-row.mean for row in report.ranking] == pytest.approx(sorted(complete["value"]))
    assert [row.code for row in report.warnings if "left out" in row] == ["MISSING_SCORES"]
    same_report(by_hand, report)
    parts = [re.fullmatch(r"(params|user_attrs)_(.*)", name) for name in frame]
    levels = [match.groups() if match else (name, "") for match, name in zip(parts, frame, strict=True)]
    two_levels = frame.set_axis(pd.MultiIndex.from_tuples(levels), axis=1)  # trials_dataframe(multi_index=True)
    same_report(by_hand, SearchReport.read(two_levels, cv=5, greater_is_better=False))


def test_a_frame_of_trials_does_not_tell_the_direction_and_asks():
    path = SAMPLES / "optuna_study.csv"
    with pytest.raises(ValueError, match="greater_is_better must be given") as caught:
        skc.read(path)
    losses, gains = [eval(call, {"skc": skc}) for call in re.findall(r"skc\.read\(.*?\)", str(caught.value))]
    assert losses.metrics == ("neg_log_loss",)
    assert gains.metrics == ("log_loss",)
    assert losses.best.params != gains.best.params


@pytest.mark.parametrize("direction", ["MINIMIZE", "MAXIMIZE"])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("name", ["list", "split{}_test_score", "fold_{}", "accuracy_fold_{}", "cv_fold_{}_accuracy"])
def test_the_best_of_a_study_is_the_best_of_its_report(rng, direction, sign, name):
    values = rng.random((6, 4))
    trials = []
    for i, own in enumerate(values):
        attrs = {"list": own.tolist()} if name == "list" else {name.format(k): x for k, x in enumerate(own.tolist())}
        attrs |= {"note": "x", "curve": rng.random(4).tolist(), "split0_train_score": 1.0, "split1_train_score": 1.0}
        attrs |= {f"fold_{k}_model": f"model-{k}.pkl" for k in range(4)}
        value = [sign * own.mean()]
        trials.append(
            SimpleNamespace(params={"i": i}, user_attrs=attrs, values=value, state=SimpleNamespace(name="COMPLETE"))
        )
    found = SimpleNamespace(trials=trials, directions=[SimpleNamespace(name=direction)])
    report = SearchReport.read(found, cv=4)
    best = (np.argmin if direction == "MINIMIZE" else np.argmax)([trial.values[0] for trial in trials])
    assert report.best.params == {"i": best}
    assert len(report.metrics) == 1
    assert abs(report.best.mean) == pytest.approx(values[best].mean())


@pytest.mark.parametrize("form", ["rep{r}_fold{f}", "fold_{f}_repeat_{r}", "seed-{r}-split-{f}", "run{r}_acc_fold{f}"])
@pytest.mark.parametrize("way", ["frame", "study"])
def test_repeats_in_the_names_of_splits_are_no_metrics(form, way, rng, tmp_path):
    """Each repeat was a metric, and the first alone decided, as one of five folds."""
    frame = pd.read_csv(SAMPLES / "optuna_repeats.csv")
    numbers = {name: tuple(map(int, re.findall(r"\d+", name))) for name in frame if name.startswith("user_attrs_rep")}
    names = {name: f"user_attrs_{form.format(r=r, f=f)}" for name, (r, f) in numbers.items()}
    own = frame.rename(columns=names)[rng.permutation([*frame.rename(columns=names)])]
    if way == "frame":
        own.to_csv(tmp_path / "study.csv", index=False)
        given, told = tmp_path / "study.csv", True
    else:
        attributes = own[[*names.values()]].rename(columns=lambda x: x.removeprefix("user_attrs_")).to_dict("records")
        params = frame[["params_max_depth", "params_min_samples_leaf"]].to_dict("records")
        trials = [
            SimpleNamespace(state=SimpleNamespace(name="COMPLETE"), params=p, user_attrs=a, values=[v])
            for p, a, v in zip(params, attributes, frame["value"], strict=True)
        ]
        given, told = SimpleNamespace(trials=trials, directions=[SimpleNamespace(name="MAXIMIZE")]), None
    report = SearchReport.read(given, greater_is_better=told)
    assert report.metrics == (("acc",) if "acc" in form else ("score",))
    assert report.design.name == "2x5 cross-validation"
    assert any("taken for those of one 2x5 cross-validation" in warning for warning in report.warnings)
    np.testing.assert_allclose([row.mean for row in report.ranking], np.sort(frame["value"])[::-1])
    folds = frame[[*numbers]].to_numpy()  # in the order of scikit-learn, repeat by repeat
    np.testing.assert_allclose(np.sort(report.scores[:, :, 0], axis=0), np.sort(folds, axis=0))
    assert SearchReport.read(given, greater_is_better=told, test_fraction=0.3).design.test_fraction == 0.3


def test_a_study_without_the_scores_of_splits_says_how_to_keep_them():
    trials = [
        SimpleNamespace(
            params={"i": i}, user_attrs={"curve": [1.0, 0.5]}, values=[0.1 * i], state=SimpleNamespace(name="COMPLETE")
        )
        for i in range(3)
    ]
    with pytest.raises(ValueError, match=r"trial\.set_user_attr"):
        SearchReport.read(SimpleNamespace(trials=trials, directions=[SimpleNamespace(name="MAXIMIZE")]))


# ---- dicts of cross_validate ------------------------------------------------------------------------------------


def dicts(*, seeds=(0, 0), **more):
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    return {
        name: cross_validate(
            model,
            X,
            Y,
            cv=RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=seed),
            return_train_score=True,
            **more,
        )
        for (name, model), seed in zip(models.items(), seeds, strict=True)
    }


def write(path, found):
    def plain(x):
        return (
            {key: [part.tolist() for part in parts] for key, parts in x.items()} if isinstance(x, dict) else x.tolist()
        )

    path.write_text(
        json.dumps({name: {k: plain(x) for k, x in one.items()} for name, one in found.items()}), encoding="utf-8"
    )
    return path


@pytest.mark.parametrize("n", [5, 10])
def test_dicts_of_cross_validate_without_indices_are_asked_about_with_calls_that_read_them(n, rng, tmp_path):
    found = {m: {"fit_time": rng.random(n), "test_f1": rng.random(n)} for m in ("svm", "rf")}
    with pytest.raises(ValueError, match="without indices") as refused:
        skc.read(path := write(tmp_path / "cv.json", found))
    told = [options for _, options in refused.value.calls]
    assert [one["design"] for one in told] == [f"{n}-fold", *(f"{n} random splits, {x}% tested" for x in (20, 50))]
    for options in told:
        assert skc.read(path, **options).scores.shape == (2, n, 1)


def test_dicts_of_cross_validate_in_json_are_those_of_the_session(tmp_path):
    found = dicts(return_indices=True)
    result = skc.read(write(tmp_path / "cv.json", found), metric="accuracy")
    expected = skc.from_cross_validate(found, scoring="accuracy")
    same_result(result, expected)
    assert result.design.name == "2x4 cross-validation"
    assert result.warnings == expected.warnings
    same_result(skc.read(found, metric="accuracy"), expected)


def test_dicts_that_pandas_wrote_are_read_and_texts_of_arrays_are_refused(rng, tmp_path):
    found = {name: {"fit_time": rng.random(5), "test_score": rng.random(5)} for name in "ab"}
    frames = {name: pd.DataFrame(own) for name, own in found.items()}
    for name, frame in frames.items():
        frame.to_json(tmp_path / f"{name}.json", double_precision=15)
    result = skc.read(tmp_path / "a.json", tmp_path / "b.json", design="5-fold")
    for name, own in found.items():
        np.testing.assert_allclose(result.score(name, "score"), own["test_score"])
    for scores in ("[0.81 0.82 0.8 ]", [0.8, "x", 0.9]):
        path = tmp_path / "texts.json"
        path.write_text(json.dumps({name: {"test_score": scores} for name in "ab"}), encoding="utf-8")
        with pytest.raises(ValueError, match="must be an array of numbers; got text"):
            skc.read(path, design="3-fold")


def test_scores_that_json_has_as_null_are_those_of_fits_that_failed(rng, tmp_path):
    found = {name: [*map(float, rng.random(5))] for name in "ab"}
    gap = int(rng.integers(5))
    found["b"][gap] = None
    path = tmp_path / "cv.json"
    path.write_text(json.dumps({name: {"test_score": own} for name, own in found.items()}), encoding="utf-8")
    scored = skc.read(path, design="5-fold").score("b", "score")
    assert [*np.isnan(scored)] == [i == gap for i in range(5)]


def test_other_splits_in_json_are_refused(tmp_path):
    path = write(tmp_path / "cv.json", dicts(seeds=(0, 1), return_indices=True))
    with pytest.raises(ValueError, match="results must share their splits"):
        skc.read(path)


def test_a_file_per_model_without_indices_asks_for_the_design(tmp_path):
    found = dicts(scoring=["accuracy", "f1_macro"])
    for name, one in found.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps({key: x.tolist() for key, x in one.items()}), encoding="utf-8")
    files = [tmp_path / "nb.json", tmp_path / "tree.json"]
    with pytest.raises(ValueError, match="without indices"):
        skc.read(*files)
    same_result(skc.read(*files, design="2x4"), skc.from_cross_validate(found, n_folds=4))


# ---- skore 0.28.0 -------------------------------------------------------------------------------------------------


class _Report:
    """A report of skore, as far as it is read, with what the tool said."""

    def __init__(self, **said):
        vars(self).update(said)


def skore_class(name):
    return type(name, (_Report,), {"__module__": "skore._reports"})


def skore_reports(splits=None):
    """Reports of two models on four splits, as skore made them."""
    frame = pd.read_csv(SAMPLES / "skore_metrics.csv")
    splits = splits or json.loads((SAMPLES / "skore_splits.json").read_text(encoding="utf-8"))
    return {
        name: skore_class("CrossValidationReport")(
            split_indices=[(np.array(train), np.array(test)) for train, test in splits[name]],
            estimator_name_=name.upper(),
            reports_=[skore_class("EstimatorReport")() for _ in splits[name]],  # one per split
            metrics=SimpleNamespace(summarize=lambda own=own: SimpleNamespace(summary=own)),
        )
        for name, own in frame.groupby("estimator")
    }


def test_metrics_of_skore_are_scores_of_shared_splits():
    frame = pd.read_csv(SAMPLES / "skore_metrics.csv")
    compared = skc.read(skore_class("ComparisonReport")(reports_=skore_reports(), metrics=None))
    assert compared.design.name == "4-fold cross-validation"
    assert set(compared.design.test_sizes) == {6}
    for name in ("nb", "tree"):
        for metric in ("accuracy", "roc_auc", "log_loss"):
            own = frame[(frame["estimator"] == name) & (frame["name"] == metric)].sort_values("split")["score"]
            np.testing.assert_array_equal(compared.score(name, metric).ravel(), own)
    assert dict(zip(compared.metrics, compared.greater_is_better, strict=True))["brier_score"] is False
    assert "precision_1" in compared.metrics
    assert not any("same splits" in warning for warning in compared.warnings)
    assert skc.read(skore_reports(), metrics=["roc_auc", "log_loss"]).metrics == ("roc_auc", "log_loss")
    assert skc.read(skore_reports(), metric="log_loss").greater_is_better == (False,)
    kept = skc.read(SAMPLES / "skore_metrics.csv")
    assert any("same splits" in warning for warning in kept.warnings)
    assert {(name, x): y for (name, x), y in means(kept).items() if "time" not in x} == means(compared)
    assert skc.read(skore_reports()).estimators == ("nb", "tree")
    assert skc.read(*skore_reports().values()).estimators == ("NB", "TREE")


def test_metrics_of_skore_on_training_sets_alone_are_refused():
    frame = pd.read_csv(SAMPLES / "skore_metrics.csv").assign(data_source="train")
    with pytest.raises(ValueError, match="metrics of skore must be of test sets"):
        skc.read(frame)


def test_reports_of_skore_on_other_splits_are_refused():
    splits = json.loads((SAMPLES / "skore_splits.json").read_text(encoding="utf-8"))
    splits["tree"][0], splits["tree"][1] = splits["tree"][1], splits["tree"][0]
    with pytest.raises(ValueError, match="results must share their splits"):
        skc.read(skore_reports(splits))


def test_reports_of_skore_on_one_test_set_are_predictions():
    said = json.loads((SAMPLES / "skore_predictions.json").read_text(encoding="utf-8"))
    reports = {}
    for name, own in said.items():

        def predictions(*, data_source, response_method="predict", own=own):
            assert data_source == "test"
            return np.array(own[response_method])

        reports[name] = skore_class("EstimatorReport")(
            y_test=np.array(own["y_test"]),
            estimator_=SimpleNamespace(predict_proba=None, classes_=np.arange(3)),
            metrics=None,
            get_predictions=predictions,
        )
    report = skore_class("ComparisonReport")(reports_=reports, metrics=None)
    result = skc.read(report, metrics=["accuracy", "roc_auc_ovr"])
    assert result.design.name == "one test set of 40 samples"
    for name, own in said.items():
        assert scores(result, "accuracy")[name] == pytest.approx(accuracy_score(own["y_test"], own["predict"]))
    assert result.metrics == ("accuracy", "roc_auc_ovr")


@pytest.mark.parametrize("n", [2, 3])
def test_reports_of_one_name_are_numbered_as_skore_numbers_them(n):
    """The last alone was read, as one model."""
    several = [*skore_reports().values()] * 2
    for report in several:
        report.estimator_name_ = "Ridge"
    result = skc.read(*several[:n])
    assert result.estimators == tuple(f"Ridge_{i}" for i in range(1, n + 1))
    first, second, *_ = (result.score(name, "accuracy").ravel() for name in result.estimators)
    frame = pd.read_csv(SAMPLES / "skore_metrics.csv")
    for name, own in (("nb", first), ("tree", second)):
        of = frame[(frame["estimator"] == name) & (frame["name"] == "accuracy")].sort_values("split")
        np.testing.assert_array_equal(own, of["score"])
    same_result(skc.read(several[:n]), result)  # in a list


@pytest.mark.parametrize("metric", ["log_loss", "roc_auc"])
@pytest.mark.parametrize("model", ["nb", "tree"])
def test_metrics_that_some_reports_lack_are_left_out_and_named(model, metric):
    """As the log loss of a support vector machine."""
    frame = pd.read_csv(SAMPLES / "skore_metrics.csv")
    frame = frame[(frame["estimator"] != model) | (frame["name"] != metric)]
    reports = skore_reports()
    own = frame[frame["estimator"] == model]
    reports[model].metrics = SimpleNamespace(summarize=lambda: SimpleNamespace(summary=own))
    result = skc.read(reports)
    assert metric not in result.metrics
    assert f"Left out, as some models lack them: {metric}." in result.provenance["read_as"]
    shown = skore_class("MetricsSummaryDisplay")(summary=frame)
    for given in (frame, shown):
        read = skc.read(given)
        assert {x: y for x, y in means(read).items() if "time" not in x[1]} == means(result)
        assert f"as rows lack them: {metric}" in read.provenance["read_as"]


def test_reports_of_skore_on_another_target_are_refused(rng):
    reports = skore_reports()
    target = rng.integers(0, 2, 24)
    for report in reports.values():
        report.y = target.copy()
    skc.read(reports)
    reports["tree"].y[rng.integers(24)] ^= 1
    with pytest.raises(ValueError, match="must be of the same data; 'tree' has another target"):
        skc.read(reports)


@pytest.mark.parametrize("labels", [("ben", "mal"), (0, 1), (1, 2)])
@pytest.mark.parametrize("positive", [0, 1, None])
def test_probabilities_of_the_positive_class_alone_are_those_of_its_label(labels, positive, rng):
    """As skore 0.28.0 gives them where `pos_label` is set: one column, in place of one per class."""
    truth, reports, expected = rng.integers(0, 2, 40), {}, {}
    for name in ("a", "b"):
        share = np.clip(0.5 + 0.3 * (truth - 0.5) + rng.normal(0, 0.2, 40), 0.01, 0.99)  # of the second class
        expected[name] = roc_auc_score(truth, share)
        both = np.c_[1 - share, share]
        given = {"predict_proba": both if positive is None else both[:, positive]}
        given["predict"] = np.array(labels)[(share > 0.5).astype(int)]
        reports[name] = skore_class("EstimatorReport")(
            y_test=np.array(labels)[truth],
            estimator_=SimpleNamespace(predict_proba=None, classes_=np.array(labels)),
            pos_label=None if positive is None else labels[positive],
            get_predictions=lambda response_method="predict", given=given, **_: given[response_method],
        )
    result = skc.read(reports, metric="roc_auc")
    turned = labels == (1, 2)  # 1 is the positive class here, and the area is the same for either
    assert {name: result.score(name, "roc_auc").mean() for name in reports} == pytest.approx(expected)
    ours = labels[0] if turned else labels[1]
    other = positive is not None and labels[positive] != ours
    assert any(f"of class {ours!r}, where the reports have" in x for x in result.warnings) == other


# ---- forms of a search that no tool is known by ------------------------------------------------------------------


@pytest.mark.parametrize(("name", "sep"), [("kept.tsv", "\t"), ("kept.csv", ";"), ("kept.txt", ",")])
def test_a_search_is_known_by_its_columns_in_any_separated_text(rng, tmp_path, name, sep):
    scores = {f"split{i}_test_score": rng.random(3) for i in range(5)}
    table = pd.DataFrame({"params": [str({"C": x}) for x in (1, 10, 100)], **scores})
    table.to_csv(tmp_path / name, sep=sep, index=False)
    same_report(skc.read(tmp_path / name), skc.read(table))
    del table["split2_test_score"]
    with pytest.raises(ValueError, match="must hold 'split2_test_score'"):
        skc.read(table)


@pytest.mark.parametrize(("end", "sep"), [("csv", ","), ("csv", ";"), ("tsv", "\t")])
@pytest.mark.parametrize("first", ["search", "scores"])
def test_a_search_beside_another_file_is_refused_in_any_separated_text(rng, tmp_path, end, sep, first):
    """Two searches were one with the candidates of both, and what stood beside a search was left out unsaid."""
    for name in "ab":
        scores = {f"split{i}_test_score": rng.random(3) for i in range(5)}
        table = pd.DataFrame({"params": [str({name: x}) for x in (1, 10, 100)], **scores})
        if name == "a" and first == "scores":
            table = pd.DataFrame({"model": ["x", "y"] * 5, "fold": np.arange(10) // 2, "score": rng.random(10)})
        table.to_csv(tmp_path / f"{name}.{end}", sep=sep, index=False)
    with pytest.raises(ValueError, match="a search must be given alone"):
        skc.read(tmp_path / f"a.{end}", tmp_path / f"b.{end}")


# ---- WEKA 3.6.14's Experimenter -----------------------------------------------------------------------------------


def test_results_of_weka_are_the_same_in_both_of_its_formats():
    table, other = skc.read(SAMPLES / "weka_cv.csv"), skc.read(SAMPLES / "weka_cv.arff")
    assert table.datasets == other.datasets == ("glassy", "wavy")
    assert table.estimators == ("ZeroR", "J48 -C 0.25 -M 2", "J48 -U -M 2", "NaiveBayes")
    np.testing.assert_allclose(table.scores, other.scores, atol=1e-6)  # ARFF has six digits
    assert dict(zip(table.metrics, table.greater_is_better, strict=True))["Root_mean_squared_error"] is False
    with (SAMPLES / "weka_cv.csv").open(encoding="utf-8") as lines:
        rows = [
            row for row in csv.DictReader(lines) if row["Key_Dataset"] == "wavy" and row["Key_Scheme"].endswith("ZeroR")
        ]
    expected = np.mean([float(row["Percent_correct"]) for row in rows])
    assert table.results["wavy"].score("ZeroR", "Percent_correct").mean() == pytest.approx(expected)


def test_random_splits_of_weka_have_its_own_corrected_p_values():
    """differencesProbability of WEKA 3.6.14's PairedStatsCorrected(0.05, 20 / 40) on Percent_correct of the runs."""
    result = skc.read(SAMPLES / "weka_split.csv", metric="Percent_correct")
    assert result.design.name == "3 overlapping splits"
    assert set(result.design.train_sizes) == {40}
    for other, expected in (("ZeroR", 0.15983194958319416), ("J48 -C 0.25 -M 2", 0.3333333333333333)):
        found = result.test("corrected_t_test", a="NaiveBayes", b=other)
        assert found.pvalue == pytest.approx(expected, rel=1e-9)


def test_a_measure_with_gaps_in_results_of_weka_is_left_out_and_named(tmp_path):
    frame = pd.read_csv(SAMPLES / "weka_cv.csv", dtype=str, quotechar="'", escapechar="\\")
    frame.loc[3, "Percent_correct"] = "?"
    frame.to_csv(tmp_path / "gap.csv", index=False, quotechar="'", escapechar="\\")
    study = skc.read(tmp_path / "gap.csv")
    assert study.metrics == skc.read(SAMPLES / "weka_cv.csv").metrics[1:]
    assert "Left out, as rows lack them: Percent_correct." in study.provenance["read_as"]


# ---- the AutoML Benchmark: columns of Scoreboard.as_data_frame in its amlb/results.py, own numbers ----------------


def amlb(rng, *, old=False, constraint="1h8c"):
    """Results of two frameworks on six data sets, on two classes by AUC, on more by log loss."""
    rows = []
    for task in range(6):
        metric = "auc" if task % 2 else "logloss"
        for framework, skill in (("flaml", 0.1), ("forest", 0.0)):
            for fold in range(10):
                value = (0.8 + skill if metric == "auc" else 0.5 - skill) + rng.normal(0, 0.005)
                row = {"id": f"openml.org/t/{task}", "task": f"task {task}", "framework": framework}
                row |= {} if old else {"constraint": constraint}
                row |= {"fold": fold, "result": value if old or metric == "auc" else -value}
                row |= {} if old else {"metric": metric if metric == "auc" else "neg_logloss"}
                row |= {"mode": "local", "utc": "2026-01-01", "duration": 61.0, "seed": fold, "info": ""}
                rows.append(row | {"acc": value, "auc": np.nan, "logloss": np.nan} | {metric: value})
                if old:
                    rows[-1]["acc"] = rng.random()
    return pd.DataFrame(rows)


def test_data_sets_on_which_a_framework_failed_are_asked_about_and_not_dropped_unsaid(rng, tmp_path):
    rows = amlb(rng)
    third = amlb(rng)[lambda of: (of["framework"] == "flaml") & of["task"].isin(["task 0", "task 1"])]
    path = tmp_path / "results.csv"
    pd.concat([rows, third.assign(framework="weka")]).to_csv(path, index=False)
    with pytest.raises(ValueError, match=r"4 scores are missing.*missing='drop'.*missing='keep'"):
        skc.read(path)
    assert len(skc.read(path, missing="drop").datasets) == 2
    assert len(skc.read(path, missing="keep").datasets) == 6


@pytest.mark.parametrize("old", [False, True])
def test_results_of_the_automl_benchmark_are_a_study_whose_metrics_differ(rng, tmp_path, old):
    amlb(rng, old=old).to_csv(tmp_path / "results.csv", index=False)
    table = recognised(tmp_path / "results.csv")
    assert {*table.columns["metric"]} == {"auc", "neg_logloss"}
    study = skc.read(tmp_path / "results.csv")
    assert len(study.datasets) == 6
    found = study.test("sign_test", a="flaml", b="forest")
    assert found.pvalue == pytest.approx(0.03125)  # 6 of 6: 2 / 2**6
    np.testing.assert_array_equal(study.scores[:, study.estimators.index("flaml")].ravel(), 1)  # ranks
    assert study.greater_is_better == (False,)


@pytest.mark.parametrize("word", ["0.9 (ok)", "O.8", "see log", "0.8.1"])
def test_a_score_that_is_text_is_damage_and_no_failed_fit(rng, tmp_path, word):
    kept = {"result": amlb(rng), "score": pd.read_csv(SAMPLES / "skore_metrics.csv")}
    for column, rows in kept.items():
        rows = rows.astype({column: object})
        rows.loc[rng.choice(rows.index[rows.get("name", rows.index) != "default_score"]), column] = word
        rows.to_csv(tmp_path / "results.csv", index=False)
        with pytest.raises(ValueError, match=f"it is damaged: .*{re.escape(word)}' is no number"):
            skc.read(tmp_path / "results.csv")


def test_a_loss_of_the_benchmark_is_negative_by_either_name(tmp_path):
    found = {}
    for sign, metric in ((1, "logloss"), (-1, "logloss"), (-1, "neg_logloss")):
        rows = amlb(np.random.default_rng(3), old=True).assign(metric=metric)
        rows["result"] = sign * rows["result"]
        rows.to_csv(tmp_path / "results.csv", index=False)
        study = skc.read(tmp_path / "results.csv")
        found[sign, metric] = (study.metrics, study.scores.tolist())
    assert found[1, "logloss"] == found[-1, "logloss"] == found[-1, "neg_logloss"]
    assert found[1, "logloss"][0] == ("neg_logloss",)


def test_one_task_of_the_benchmark_is_a_cross_validation_of_ten_folds_of_which_some_may_be_missing(rng, tmp_path):
    whole = amlb(rng)
    one = whole[whole["task"] == "task 1"]
    for kept in (range(10), range(4)):
        one[one["fold"].isin(kept)].to_csv(tmp_path / "results.csv", index=False)
        result = skc.read(tmp_path / "results.csv")
        assert result.design.test_fraction == pytest.approx(0.1)
        assert result.design.n_splits == len(kept)
        assert result.test().estimate == pytest.approx(
            one[one["fold"].isin(kept)].groupby("framework")["auc"].mean().loc[["flaml", "forest"]].diff().iloc[1] * -1
        )


def test_frameworks_under_several_constraints_are_several_models(rng, tmp_path):
    frame = pd.concat([amlb(rng), amlb(rng, constraint="4h8c")])
    frame[frame["task"] == "task 1"].to_csv(tmp_path / "results.csv", index=False)
    result = skc.read(tmp_path / "results.csv")
    assert {*result.estimators} == {f"{name} ({limit})" for name in ("flaml", "forest") for limit in ("1h8c", "4h8c")}


def test_a_framework_that_failed_everywhere_is_named(rng, tmp_path):
    """It was counted among the models that were read, and was none of the result."""
    rows = amlb(rng)
    lost = str(rng.choice(["weka", "tpot"]))
    failed = rows[rows["framework"] == "flaml"].assign(framework=lost, result=np.nan, info="NoResultError")
    pd.concat([rows, failed]).to_csv(tmp_path / "results.csv", index=False)
    study = skc.read(tmp_path / "results.csv")
    assert {*study.estimators} == {"flaml", "forest"}
    assert any(f"all scores of model {lost!r} are missing: left out" in x for x in study.warnings)


@pytest.mark.parametrize("signs", ["", "neg_"])
def test_a_task_of_two_metrics_is_refused(signs, rng):
    """The AUC of one framework was compared with the log loss of another."""
    rows = amlb(rng)[lambda of: of["task"] == "task 0"].assign(metric="logloss")
    rows["metric"] = signs + rows["metric"]
    assert skc.read(rows).metrics == ("neg_logloss",)
    rows.loc[rows["framework"] == str(rng.choice(["flaml", "forest"])), "metric"] = "auc"
    with pytest.raises(ValueError, match="task 'task 0' must have one metric; got 'auc', 'logloss'"):
        skc.read(rows)


# ---- tsml-eval 0.6.0: write_classification_results ----------------------------------------------------------------


def tsml(*patterns):
    return sorted(path for pattern in patterns for path in SAMPLES.glob(f"tsml/*/Predictions/{pattern}"))


def cases(path):
    return [[float(cell) for cell in line.split(",")[:2]] for line in path.read_text(encoding="utf-8").splitlines()[3:]]


def test_files_of_tsml_on_one_test_set_are_predictions():
    files = tsml("Hills/testResample0.csv")
    result = skc.read(*files)
    assert result.design.name == "one test set of 30 samples"
    assert "roc_auc" in result.metrics
    for path in files:
        expected = np.mean([a == b for a, b in cases(path)])
        assert scores(result, "accuracy")[path.parts[-4]] == pytest.approx(expected)


def test_a_benchmark_without_a_result_is_refused_for_that_and_not_for_its_columns(rng):
    for table in (amlb(rng), amlb(rng).drop(columns="metric", errors="ignore")):
        with pytest.raises(ValueError, match="must have results; no row has one"):
            skc.read(table.assign(result=np.nan))


@pytest.mark.parametrize("cell", ["fold", "1.5", "", "inf"])
def test_a_fold_that_is_no_whole_number_is_damage_of_the_file(rng, tmp_path, cell):
    table = amlb(rng).astype({"fold": object})
    table.loc[int(rng.integers(len(table))), "fold"] = cell
    table.to_csv(tmp_path / "results.csv", index=False)
    with pytest.raises(ValueError, match=r"automl writes; it is damaged"):
        skc.read(tmp_path / "results.csv")


@pytest.mark.parametrize("kept", [2, 3, 8, None, "a probability less", "true values alone"])
def test_damaged_files_of_tsml_are_refused_by_their_names(tmp_path, kept):
    whole, other = tsml("Hills/testResample0.csv")
    lines = whole.read_text(encoding="utf-8").splitlines()[: kept if isinstance(kept, int) else None]
    if kept is None:
        lines[5] = "0,x" + lines[5][3:]
    elif kept == "a probability less":
        lines[5] = lines[5].rpartition(",")[0]
    elif kept == "true values alone":
        lines[3:] = [line.partition(",")[0] for line in lines[3:]]
    (tmp_path / "cut.csv").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(ValueError, match=r"cut(\.csv\b.*)? must (have|be)"):
        skc.read(tmp_path / "cut.csv", other)


@pytest.mark.parametrize("of_classes", [True, False])
def test_predictions_of_tsml_count_as_they_are(rng, tmp_path, of_classes):
    """Labels were made anew of the probabilities, and files without probabilities were refused."""
    truth, errors = rng.permutation(np.arange(41) % 2 if of_classes else rng.random(41)), {}
    for name in "ab":
        found = np.where(rng.random(41) < 0.8, truth, 1 - truth)
        errors[name] = np.mean((found != truth) if of_classes else np.abs(found - truth))
        third = 1 - errors[name] if of_classes else np.mean((found - truth) ** 2)
        rows = [[x, y, *(["", *(0.4, 0.6)[:: 1 - 2 * int(y)]] * of_classes)] for x, y in zip(truth, found, strict=True)]
        lines = [["wine", name, "TEST", 0, "MILLISECONDS", "made"], ["params"], [third, 1, 1, 1, 1, 2], *rows]
        text = "\n".join(",".join(map(str, line)) for line in lines)
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    result = skc.read(*tmp_path.glob("*.csv"), metrics=["accuracy" if of_classes else "neg_mean_absolute_error"])
    expected = {name: 1 - x if of_classes else -x for name, x in errors.items()}
    assert scores(result, result.metrics[0]) == pytest.approx(expected)


def test_a_resample_of_tsml_counts_once_and_its_score_may_be_unknown(tmp_path):
    first, *others = tsml("Hills/testResample0.csv")
    lines = first.read_text(encoding="utf-8").splitlines()
    lines[2] = ",".join(["-1", *lines[2].split(",")[1:]])
    (tmp_path / "again.csv").write_text("\n".join(lines), encoding="utf-8")
    assert "accuracy" in skc.read(*others, tmp_path / "again.csv").metrics
    twice = [first, tmp_path / "again.csv"] if lines[0].split(",")[1] == first.parts[-4] else [first, first]
    with pytest.raises(ValueError, match="each of another model, data set or resample"):
        skc.read(*others, *twice)


@pytest.mark.parametrize("patterns", [("Hills/*.csv",), ("Hills/*.csv", "Waves/*.csv")])
@pytest.mark.parametrize("how", ["cut", "other"])
def test_models_of_tsml_are_tested_on_the_same_cases(patterns, how, rng, tmp_path):
    """Scores of several resamples or data sets were compared whatever the cases of each were."""
    files = [tmp_path.joinpath(*path.parts[-4:]) for path in tsml(*patterns)]
    for path, own in zip(tsml(*patterns), files, strict=True):
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    skc.read(*files, design="random splits, 50% tested" if len(patterns) == 1 else None)
    path = files[int(rng.integers(len(files)))]
    head, lines = path.read_text(encoding="utf-8").splitlines()[:2], path.read_text(encoding="utf-8").splitlines()[3:]
    lines = lines[:-3] if how == "cut" else [line[:1].translate({48: 49, 49: 48}) + line[1:] for line in lines]
    path.write_text("\n".join([*head, "-1,1,1,1,1,2", *lines]), encoding="utf-8")
    with pytest.raises(ValueError, match="must have the same true values for all models"):
        skc.read(*files)


def test_files_of_tsml_on_several_data_sets_are_a_study():
    study = skc.read(*tsml("*/testResample*.csv"))
    assert study.datasets == ("Hills", "Waves")
    assert study.estimators == ("1NN", "Ridge")
    for d, dataset in enumerate(study.datasets):
        for m, model in enumerate(study.estimators):
            files = [path for path in tsml(f"{dataset}/*.csv") if path.parts[-4] == model]
            expected = np.mean([np.mean([a == b for a, b in cases(path)]) for path in files])
            assert study.scores[d, m].mean() == pytest.approx(expected)


def test_resamples_of_tsml_are_random_splits_whose_share_is_asked_for():
    files = tsml("Hills/testResample*.csv")
    with pytest.raises(ValueError, match="design='random splits"):
        skc.read(*files)
    assert skc.read(*files, design="3 random splits, 50% tested").design.test_fraction == 0.5


# ---- MLflow 3.17: search_runs -------------------------------------------------------------------------------------


def runs(rng, params, *, n=5, **more):
    """A frame of runs, one per setting and seed."""
    rows = [
        {
            "run_id": f"r{i}-{seed}",
            "experiment_id": "1",
            "status": "FINISHED",
            "metrics.loss": rng.random(),
            "metrics.f1": rng.random(),
        }
        | {f"params.{name}": str(x) for name, x in one.items()}
        | {"params.seed": str(seed), "tags.mlflow.runName": f"funny-{i}-{seed}", **more}
        for i, one in enumerate(params)
        for seed in range(n)
    ]
    return pd.DataFrame(rows).sample(frac=1.0, random_state=int(rng.integers(1000))).reset_index(drop=True)


def test_runs_of_mlflow_are_runs():
    frame = pd.read_csv(SAMPLES / "mlflow_runs.csv")
    result = skc.read(SAMPLES / "mlflow_runs.csv")
    assert result.design.kind == "runs"
    assert result.metrics == ("accuracy", "val_loss")
    assert result.greater_is_better == (True, False)
    assert scores(result, "accuracy") == pytest.approx(
        frame.groupby("params.model")["metrics.accuracy"].mean().to_dict()
    )
    same = skc.from_runs(
        {"model": frame["params.model"], "run": frame["params.seed"].astype(str), "score": frame["metrics.accuracy"]}
    )
    assert result.test(metric="accuracy", a="mlp", b="cnn").pvalue == pytest.approx(same.test(a="mlp", b="cnn").pvalue)


@pytest.mark.parametrize(
    ("params", "models"),
    [
        ([{"model": "a", "depth": 1}, {"model": "b", "depth": 3}], {"a", "b"}),
        ([{"lr": 0.1, "depth": 1}, {"lr": 0.2, "depth": 1}], {"lr=0.1", "lr=0.2"}),
        (
            [{"model": "a", "lr": 1}, {"model": "a", "lr": 2}, {"model": "b", "lr": 1}],
            {"a, lr=1", "a, lr=2", "b, lr=1"},
        ),
    ],
)
def test_a_model_of_mlflow_is_called_by_its_param_and_by_what_varies(rng, params, models):
    frame = runs(rng, params)
    result = skc.read(frame)
    assert {*result.estimators} == models
    assert result.metrics == ("f1", "loss")
    assert result.score(result.estimators[0], "f1").size == 5


def test_folds_of_mlflow_are_folds_and_unfinished_runs_and_parents_are_left_out(rng):
    frame = runs(rng, [{"model": "a"}, {"model": "b"}], **{"tags.mlflow.parentRunId": "p"})
    frame = frame.rename(columns={"params.seed": "params.fold"})
    extra = pd.DataFrame([{"run_id": "p", "status": "FINISHED"}, {"run_id": "q", "status": "FAILED"}])
    result = skc.read(pd.concat([frame, extra]))
    assert result.design.name == "5-fold cross-validation"
    assert [row.code for row in result.warnings if "2 runs were left out" in row] == ["MISSING_SCORES"]
    expected = frame.groupby("params.model")["metrics.f1"].mean().to_dict()
    assert scores(result, "f1") == pytest.approx(expected)


def test_what_mlflow_logs_beside_scores_never_decides(rng):
    frame = runs(rng, [{"model": "a"}, {"model": "b"}])
    more = ("training_score", "training_f1_score", "train_loss", "duration", "best_iteration", "system/cpu")
    trained = ("epoch", "global_step", "step", "learning_rate", "lr", "grad_norm")
    logged = frame.assign(**{f"metrics.{name}": rng.random(len(frame)) for name in (*more, *trained)})
    logged["metrics.recall"] = [np.nan, *rng.random(len(frame) - 1)]
    result = skc.read(logged)
    assert result.metrics == ("f1", "loss")
    assert "Left out, as rows lack them: recall." in result.provenance["read_as"]
    noted = ", ".join(["training_score", *trained])
    assert f"Left out, as they say how a training went: {noted}." in result.provenance["read_as"]
    alone = logged.drop(columns=["metrics.f1", "metrics.loss", "metrics.recall"])
    with pytest.raises(ValueError, match="could all be scores"):
        skc.read(alone)


def test_runs_are_called_by_the_run_that_they_are_part_of_and_folds_by_their_own_names():
    frame = pd.read_csv(SAMPLES / "mlflow_nested.csv")
    result = skc.read(SAMPLES / "mlflow_nested.csv")
    assert {*result.estimators} == {"tree", "stump"}
    assert result.design.name == "5-fold cross-validation"
    for _, parent in frame[frame["tags.mlflow.parentRunId"].isna()].iterrows():
        own = frame[frame["tags.mlflow.parentRunId"] == parent["run_id"]].sort_values("tags.mlflow.runName")
        np.testing.assert_array_equal(
            result.score(parent["tags.mlflow.runName"], "accuracy").ravel(), own["metrics.accuracy"]
        )


@pytest.mark.parametrize(
    "case", ["own name", "part of a model", "part of a seed", "name of a fold", "param of the part"]
)
def test_names_of_runs_name_models_where_no_param_does(case, rng):
    """In any order of the runs; each is right for its model, and nothing else is a model."""
    rows, expected = [], {}
    for model in ("svm", "forest"):
        for i in range(4):
            score = expected[model, i] = rng.random()
            row = {"run_id": f"{model}{i}", "status": "FINISHED", "metrics.acc": score}
            own = {"own name": model, "part of a seed": model, "name of a fold": f"fold_{i}"}.get(
                case, f"odd-{model}-{i}"
            )
            part = {"part of a model": model, "part of a seed": f"s{i}", "param of the part": model}.get(case)
            rows.append(row | {"params.seed": None if "fold" in case or case == "part of a seed" else str(i)})
            rows[-1] |= {"tags.mlflow.runName": own, "tags.mlflow.parentRunId": part, "params.learner": None}
            rows[-1] |= {"params.learner": model} if case == "name of a fold" else {}
    parts = {row["tags.mlflow.parentRunId"] for row in rows} - {None}
    for part in parts:
        said = {"params.seed": part[1:] if case == "part of a seed" else None}
        said |= {"params.learner": part if case == "param of the part" else None}
        name = "parent" if case == "param of the part" else part
        rows.append({"run_id": part, "status": "FINISHED", "tags.mlflow.runName": name, "metrics.acc": 0.0, **said})
    frame = pd.DataFrame(rows).sample(frac=1.0, random_state=int(rng.integers(99)))
    result = skc.read(frame)
    assert {*result.estimators} == {"svm", "forest"}
    assert result.design.kind == ("folds" if case == "name of a fold" else "runs")
    for model in ("svm", "forest"):
        own = [expected[model, i] for i in range(4)]
        np.testing.assert_allclose(np.sort(result.score(model, "acc").ravel()), np.sort(own))


@pytest.mark.parametrize("name", ["run_{i}", "fold_{f}", "trial-{i}", "run_{f}"])
@pytest.mark.parametrize("constant", [True, False])
def test_names_of_runs_never_stand_against_a_param_fold(name, constant, rng):
    frame = runs(rng, [{"model": "a"}, {"model": "b"}], n=4).rename(columns={"params.seed": "params.fold"})
    named = [name.format(i=i, f=f) for i, f in enumerate(frame["params.fold"])]
    frame = frame.assign(**{"tags.mlflow.runName": named}, **({"params.seed": "42"} if constant else {}))
    result = skc.read(frame)
    assert (result.estimators, result.design.n_folds) == (tuple(dict.fromkeys(frame["params.model"])), 4)
    expected = frame.sort_values("params.fold").groupby("params.model")["metrics.f1"].apply(list)
    for model in "ab":
        np.testing.assert_array_equal(result.score(model, "f1").ravel(), expected[model])


def test_names_of_runs_that_number_them_are_no_models(rng):
    frame = runs(rng, [{"C": 1}, {"C": 2}], n=4).drop(columns="params.seed")
    named = frame.assign(**{"tags.mlflow.runName": "seed" + frame.groupby("params.C").cumcount().astype(str)})
    assert {*skc.read(named).estimators} == {"C=1", "C=2"}


def test_one_run_per_model_is_refused_and_on_several_data_sets_a_study(rng):
    frame = runs(rng, [{"model": "a"}, {"model": "b"}], n=1)
    with pytest.raises(ValueError, match="several per model"):
        skc.read(frame)
    named = runs(
        rng, [{"model": m, "dataset": d} for m in "ab" for d in ("iris", "wine", "zoo", "glass", "car", "adult")], n=1
    )
    study = skc.read(named)
    assert len(study.datasets) == 6
    assert {*study.estimators} == {"a", "b"}


def test_an_experiment_of_mlflow_is_read_by_its_name(rng, tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow", reason="needs mlflow-skinny")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")  # new versions want to be asked for a store of files
    before = mlflow.get_tracking_uri()
    mlflow.set_tracking_uri((tmp_path / "store").as_uri())
    try:
        experiment = mlflow.create_experiment("trees")  # `set_experiment` would outlive the test
        found = {"deep": rng.random(4), "flat": rng.random(4)}
        for model, values in found.items():
            for seed, value in enumerate(values.tolist()):
                with mlflow.start_run(experiment_id=experiment):
                    mlflow.log_params({"model": model, "seed": seed})
                    mlflow.log_metric("f1", value)
        result = skc.read("mlflow:trees")
        with pytest.raises(ValueError, match="mlflow:bushes must be an experiment"):
            skc.read("mlflow:bushes")
    finally:
        mlflow.set_tracking_uri(before)
    assert result.design.kind == "runs"
    assert scores(result, "f1") == pytest.approx({model: values.mean() for model, values in found.items()})


# ---- what is no log -----------------------------------------------------------------------------------------------


def tables(rng):
    """Plain tables of scores, predictions and outcomes, whose columns are partly called as those of logs."""
    n = 12
    return {
        "scores": {"model": ["a", "b"] * 6, "fold": np.repeat(range(6), 2), "score": rng.random(n)},
        "a table": pd.DataFrame(rng.random((n, 4)), columns=["task", "framework", "fold", "result"]),
        "runs": {"run_id": range(n), "status": ["ok"] * n, "accuracy": rng.random(n)},
        "items": {"doc_id": range(n), "model": ["a"] * n, "acc": rng.integers(0, 2, n)},
        "columns of test": {"model": ["a"] * n, "test_score": rng.random(n)},
        "a number": 3,
        "nothing": None,
    }


@pytest.mark.parametrize("case", tables(np.random.default_rng(0)))
def test_plain_tables_are_no_logs(rng, case):
    assert recognised(tables(rng)[case]) is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "[1, 2]", '{"eval": 3}', '{"a": {"b": 1}}', "\0", "a,b\n1", '"', "\n\n"]
)
@pytest.mark.parametrize("ending", ["json", "jsonl", "csv", "arff", "eval", "txt"])
def test_files_of_no_log_are_no_logs(tmp_path, text, ending):
    path = tmp_path / f"x.{ending}"
    path.write_text(text, encoding="utf-8")
    assert recognised(path) is None


@pytest.mark.parametrize(
    "pattern",
    [
        "optuna_search.csv",
        "skopt.csv",
        "skore_metrics.csv",
        "weka_cv.csv",
        "weka_split.csv",
        "mlflow_runs.csv",
        "lm_eval/*/samples_sums*",
    ],
)
def test_the_order_of_rows_and_files_changes_no_mean(rng, tmp_path, pattern):
    files = sorted(SAMPLES.glob(pattern))
    moved = []
    for path in files:
        lines = path.read_text(encoding="utf-8").splitlines()
        head, rows = (lines[:1], lines[1:]) if path.suffix == ".csv" else ([], lines)
        moved.append(tmp_path / path.parent.name / path.name)
        moved[-1].parent.mkdir(exist_ok=True)
        moved[-1].write_text("\n".join([*head, *(rows[i] for i in rng.permutation(len(rows)))]), encoding="utf-8")
    assert means(skc.read(*reversed(moved))) == pytest.approx(means(skc.read(*files)))


@pytest.mark.parametrize("name", ["optuna_search.csv", "skopt.csv", "skore_metrics.csv", "mlflow_runs.csv"])
@pytest.mark.parametrize("sep", [";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_of_a_tool_is_known_in_any_separator_and_encoding(tmp_path, name, sep, encoding):
    """They were read as tables of no tool, so that the reading was another one or refused."""
    path = tmp_path / f"{name[:-4]}.txt"
    pd.read_csv(SAMPLES / name, dtype=str).to_csv(path, sep=sep, encoding=encoding, index=False)
    assert means(skc.read(path)) == pytest.approx(means(skc.read(SAMPLES / name)))


@pytest.mark.parametrize("depths", [[1, 2, 3], [2, 4]])
def test_several_searches_share_no_splits(depths):
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": depths}, cv=5).fit(X, y)
    for several in ((search, search), (search.cv_results_, search.cv_results_)):
        with pytest.raises(ValueError, match="a search must be given alone; got 2"):
            skc.read(*several)


@pytest.mark.parametrize("name", ["bogus", "acuracy", "f9"])
def test_a_metric_that_a_log_lacks_is_refused_with_those_that_it_has(name):
    for file, has in (("skopt.csv", "'score'"), ("optuna_search.csv", "'score'"), ("mlflow_runs.csv", "'accuracy'")):
        with pytest.raises(ValueError, match=f"metrics must name .*, {has}.*; got {name!r}"):
            skc.read(SAMPLES / file, metric=name)


@pytest.mark.parametrize("lead", [0.013, 0.2])
@pytest.mark.parametrize("told", [{}, {"design": "10-fold"}, {"design": "10 random splits, 20% tested"}])
def test_what_a_search_claims_on_splits_that_are_assumed_is_fragile_where_halves_would_change_it(
    rng, tmp_path, lead, told
):
    metric = str(rng.choice(["accuracy", "roc_auc", "score"]))
    first = rng.permutation(np.linspace(-0.01, 0.01, 10))
    scores = 0.7 + np.array([lead + first, rng.permutation(first) / 50])
    table = pd.DataFrame(scores, columns=[f"split{i}_test_{metric}" for i in range(10)])
    table.assign(params=[str({"depth": int(x)}) for x in rng.choice(99, 2, replace=False)]).to_csv(tmp_path / "s.csv")
    difference = scores[0] - scores[1]
    halves = difference.mean() / (difference.var(ddof=1) * (1 / 10 + 0.5 / 0.5)) ** 0.5
    stands = 2 * stats.t.sf(halves, 9) < 0.05
    assert stands == (lead > 0.1)
    for read in (skc.read, SearchReport.read):
        asked = told if read is skc.read else {"cv": 10} if told else {}
        report = read(tmp_path / "s.csv", **asked)
        (row,) = report.ranking[1:]
        fragile = not told and not stands
        assert row.significantly_different
        assert row.fragile == fragile
        n_fragile = any(one.fragile for one in report.ranking) + any(one.fragile for one in report.effects)
        assert [one.code for one in report._found.warnings].count("FRAGILE") == n_fragile
        said = str(report)
        assert ("(assumed)" in said) == (not told)
        assert ("~ would not stand if the splits were random halves" in said.replace("\n", " ")) == fragile
        assert all(one.fragile == fragile for one in report.compare() if one.metric == report.metric)


# ---- logs of answers, of no tool in particular ----------------------------------------------------------------------

ITEMS = ["id", "idx", "qid", "task_id", "problem_id", "question_id", "row_id", "uuid", "question", "prompt", "problem"]
RIGHT = ["correct", "passed", "is_correct", "is_pass", "resolved", "success", "label_correct", "acc", "em", "win"]
GRADED = ["judge_score", "rating", "quality", "rougeL", "reward", "score", "bertscore"]
BESIDE = {
    **dict.fromkeys(["cost", "cost_usd", "total_cost", "price", "tokens_out", "num_turns", "confidence"], float),
    **dict.fromkeys(["response_time", "logprob"], float),
    **dict.fromkeys(["gold", "pred", "extracted_answer"], str),
}


def answers(rng, models, metrics, n_answers=1, n=20):
    """A row per item, model and answer, as logs have them, and by metric the mean scores of models and items."""
    name, beside = str(rng.choice(ITEMS)), [*rng.choice([*BESIDE], 5, replace=False)]
    asks = [f"what is the length of river {i}?" for i in range(n)]
    named = asks if name in ("question", "prompt", "problem") else [f"{i + 4096:07x}-q" for i in range(n)]
    found = {metric: rng.integers(1, 11, (len(models), n, n_answers)) for metric in metrics}
    found |= {metric: x % 2 for metric, x in found.items() if metric in RIGHT}
    rows = []
    for i, j, k in np.ndindex(n, len(models), n_answers):
        about = {
            name: named[i],
            "model": models[j],
            "response": f"it may be the one {i + j}",
            "model_version": f"c0ffee{j}",
        }
        about |= {"total_tokens": 90 + i, "attempt": k} if n_answers > 1 else {"total_tokens": 90 + i}
        drawn = {x: round(rng.random(), 4) if BESIDE[x] is float else str(rng.choice([*"ABCD"])) for x in beside}
        own = {metric: bool(x[j, i, k]) if metric in RIGHT else int(x[j, i, k]) for metric, x in found.items()}
        rows.append({**about, **{x: {**drawn, **own}[x] for x in rng.permutation([*drawn, *own])}})
    return rows, {metric: x.mean(axis=2) for metric, x in found.items()}


def written(folder, rows, form):
    """A file of all rows, or without the column of models one for each."""
    parts = {"all": rows}
    if "each" in form:
        names = dict.fromkeys(row["model"] for row in rows)
        parts = {name: [{**row, "model": name} for row in rows if row["model"] == name] for name in names}
    for stem, own in parts.items():
        kept = [{x: cell for x, cell in row.items() if x != "model" or "each" not in form} for row in own]
        path = folder / f"{stem}.{form.split()[0]}"
        records = json.dumps({"date": "2026-05-01", "results": kept})
        lines = "\n".join(map(json.dumps, kept))
        texts = {"json": records, "jsonl": lines, "csv": pd.DataFrame(kept).to_csv(index=False)}
        path.write_text(texts[form.split()[0]], encoding="utf-8")
        yield path


@pytest.mark.parametrize("form", ["jsonl", "json", "csv", "jsonl each", "json each", "csv each"])
@pytest.mark.parametrize("n_answers", [1, 2])
@pytest.mark.parametrize("n_metrics", [1, 2])
def test_logs_of_answers_are_outcomes_of_items(form, n_answers, n_metrics, rng, tmp_path):
    """Costs were the score, tasks were data sets, versions were models, and what an answer got was left out."""
    models = [*map(str, rng.choice(["gpt-4o", "gpt-4o-mini", "llama-3", "SVC(C=10)"], 3, replace=False))]
    metrics = [str(rng.choice(RIGHT)), str(rng.choice(GRADED))][:n_metrics]
    rows, wanted = answers(rng, models, rng.permutation(metrics).tolist(), n_answers)
    result = skc.read(*written(tmp_path, [rows[i] for i in rng.permutation(len(rows))], form))
    assert (result.design.name, {*result.metrics} - {"score"}) == (
        "20 items",
        {*metrics} & {*result.metrics} - {"score"},
    )
    for metric, found in wanted.items():
        own = np.stack([result.score(name, metric if metric in result.metrics else "score") for name in models])
        order, other = np.lexsort(own), np.lexsort(found)
        np.testing.assert_allclose(own[:, order], found[:, other])


@pytest.mark.parametrize("metric", RIGHT[:6])
def test_right_answers_beside_other_scores_are_both_read(metric, rng):
    """Without anything else of a log, and in columns of both by model."""
    rows = [(i, m, bool(rng.integers(2)), round(rng.random(), 3)) for i in range(30) for m in ("a1", "svm")]
    table = pd.DataFrame(rows, columns=["qid", "model", metric, "f1"])
    assert {*skc.read(table).metrics} == {metric, "f1"}
    wide = table.pivot(index="qid", columns="model")
    wide.columns = ["_".join(x) for x in wide.columns]
    found = skc.read(wide.reset_index())
    assert ({*found.metrics}, {*found.estimators}) == ({metric, "f1"}, {"a1", "svm"})
    with pytest.raises(ValueError, match="as of items that are right or wrong"):
        skc.read(table.rename(columns={"qid": "task_id", metric: "acc"}))


# ---- runs in the names of files, and beside settings ----------------------------------------------------------------


@pytest.mark.parametrize("layout", ["{m}_seed{s}", "{m}-run-{s}", "{m}/seed_{s}", "seed{s}/{m}", "{m}_{s}", "seed{s}"])
@pytest.mark.parametrize("shared", [True, False])
def test_files_of_runs_are_runs(layout, shared, rng, tmp_path):
    """18 files of 3 models were 18 models, or refused."""
    models = [*map(str, rng.choice(["gcn", "vit_small", "PPO", "ours"], 3, replace=False))]
    seeds = {m: rng.choice(900, 4, replace=False) if not (i and shared) else None for i, m in enumerate(models)}
    seeds = {m: seeds[models[0]] if own is None else own + 1000 * i for i, (m, own) in enumerate(seeds.items())}
    found, parts = {m: rng.random(4) for m in models}, defaultdict(list)
    for m in models:
        for s, x in zip(seeds[m], found[m], strict=True):
            named = {"model": m} if "{m}" not in layout else {"seed": s} if layout == "{m}_{s}" else {}
            parts[layout.format(m=m, s=s)].append({**named, "lr": 0.1, "return": x, "checkpoint": f"{m}/{s}.pt"})
    paths = [tmp_path / f"{stem}.csv" for stem in parts]
    for path, rows in zip(paths, parts.values(), strict=True):
        path.parent.mkdir(exist_ok=True)
        pd.DataFrame(rows).to_csv(path, index=False)
    result = skc.read(*paths)
    assert "runs of each" in result.provenance["read_as"]
    assert {*result.estimators} == {*models}
    for m in models:
        assert sorted(result.score(m, "return")) == pytest.approx(sorted(found[m]))


@pytest.mark.parametrize("names", [["gpt-4o", "gpt-4o-mini", "llama-3"], ["- dropout", "full model", "w-o attention"]])
def test_models_of_one_family_are_files(names, rng, tmp_path):
    for name in names:
        pd.DataFrame({"item": range(30), "acc": rng.integers(0, 2, 30)}).to_csv(tmp_path / f"{name}.csv", index=False)
    assert skc.read(*(tmp_path / f"{name}.csv" for name in names)).estimators == tuple(names)


@pytest.mark.parametrize("seed", ["experiment_seed", "init_seed", "base_seed", "train_seed"])
@pytest.mark.parametrize("metric", ["return", "eval/mean_reward", "final_return", "ep_return"])
def test_what_trackers_name_runs_by_is_no_model(seed, metric, rng):
    """The name of each run, or the machine that it ran on, was a part of its model."""
    keys = [*product(["PPO", "SAC"], range(5))]
    runs = [
        {"config.name": f"{m}-{i}", "config.algo": m, f"config.{seed}": i, f"summary.{metric}": rng.random()}
        for m, i in keys
    ]
    runs = [{**row, "summary.normalized_score": rng.random()} for row in runs]
    found = skc.read(pd.DataFrame(runs))
    assert ({*found.estimators}, len(found.metrics)) == ({"PPO", "SAC"}, 2)
    logged = [{"run_id": f"{i}{m}", "status": "FINISHED", "params.model": m, "params.seed": i} for m, i in keys]
    logged = [{**row, "params.hostname": f"node{i % 2}", "metrics.acc": rng.random()} for i, row in enumerate(logged)]
    assert {*skc.read(pd.DataFrame(logged)).estimators} == {"PPO", "SAC"}


@pytest.mark.parametrize("name", ["State", "status", "run_state"])
@pytest.mark.parametrize("ended", ["crashed", "failed", "killed", "running", "TIMEOUT"])
@pytest.mark.parametrize("case", ["seed", "fold"])
def test_the_last_score_of_a_run_that_did_not_finish_counts_for_nothing(name, ended, case, rng, tmp_path, run):
    scores = rng.uniform(0.5, 0.9, (2, 10)).round(4)
    rows = [
        {"model": m, case: i, name: "finished", "acc": scores[k, i]}
        for k, m in enumerate(("old", "new"))
        for i in range(10)
    ]
    assert skc.read(pd.DataFrame(rows)).estimators == ("old", "new")
    lost = int(rng.integers(10))
    rows[10 + lost][name] = ended
    with pytest.raises(ValueError, match="1 score is missing: 'new'") as refused:
        skc.read(pd.DataFrame(rows))
    result = skc.read(pd.DataFrame(rows), **refused.value.calls[0][1])
    assert "did not finish" in result.provenance["read_as"]
    assert np.nanmean(result.score("new", "acc")) == pytest.approx(np.delete(scores[1], lost).mean())
    pd.DataFrame(rows).to_csv(tmp_path / "runs.csv", index=False)
    assert run("check", tmp_path / "runs.csv", "--old", "old", "--new", "new", "--margin", "acc=0.4")[0] == 3


def test_states_of_a_country_finish_no_run(rng):
    rows = [(m, i, "MO" if i < 5 else "TX", x) for m in ("old", "new") for i, x in enumerate(rng.random(10).round(3))]
    result = skc.read(pd.DataFrame(rows, columns=["model", "seed", "State", "acc"]))
    assert not np.isnan(result.scores).any()
