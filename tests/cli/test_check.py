"""`skcompare check`: its four answers and their status, for results, tables and models; and what it writes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.resources import files
from xml.etree import ElementTree

import jsonschema
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from skcompare.cli import main as cli
from skcompare.testing import not_worse
from tests.made_results import HOSTILE, gated

STATUS = {"not worse": 0, "worse": 1, "undecided": 2, "cannot be compared": 3}
STARTS = {
    0: "{new} is not worse than {old} by more than {margin:g} on ",
    1: "{new} is worse than {old} by more than {margin:g} on ",
    2: "It is not decided whether {new} is worse than {old} by more than {margin:g} on ",
    3: "{new} cannot be compared with {old}: it ",
}
DECIDED = [name for name in STATUS if name != "cannot be compared"]


def check(*arguments):
    """Status, first line and the rest."""
    done = CliRunner().invoke(cli.command, ["check", *map(str, arguments)])
    assert done.exception is None or isinstance(done.exception, SystemExit)
    first, _, rest = done.stdout.partition("\n\n")
    return done.exit_code, first, rest


def assert_says(found, status, old, new, margin):
    code, first, rest = found
    assert code == status, first
    assert "\n" not in first
    assert first.startswith(STARTS[status].format(new=new, old=old, margin=margin))
    header, rule, *_ = rest.split("\n")
    assert re.match(r"(metric +)?a +b +", header)
    assert set(rule) == {"-"}


# ---- drawn evidence whose verdict is known --------------------------------------------------------------------


def numbers(rng, verdict, n):
    """Scores of an old and a new model, for a margin of 0.01."""
    old = 0.5 + 0.05 * np.resize([-1, 1], n)
    new = old + {"not worse": 0.3, "worse": -0.3}.get(verdict, 0) + rng.uniform(-1e-3, 1e-3, n)
    return old, 1 - new if verdict == "undecided" else new


def tables(rng, kind, verdict):
    """A table per model, without its name; the metric."""
    if kind in ("predictions", "outcomes"):
        y, *predicted = gated(rng, verdict)
        ids = [f"{i:03}" for i in rng.permutation(len(y))]
        if kind == "outcomes":
            return [pd.DataFrame({"item": ids, "outcome": (x == y).astype(int)}) for x in predicted], "score"
        return [pd.DataFrame({"sample_id": ids, "y_true": y, "prediction": x}) for x in predicted], "accuracy"
    place = "fold" if kind == "scores" else "seed"
    return [pd.DataFrame({place: np.arange(10), "score": x}) for x in numbers(rng, verdict, 10)], "score"


def written(frame, path):
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_json(path, orient="records", lines=True)
    return path


@pytest.mark.parametrize("verdict", DECIDED)
@pytest.mark.parametrize("kind", ["predictions", "outcomes", "scores", "runs"])
def test_tables_of_all_kinds_give_the_verdict_that_they_were_drawn_for(rng, tmp_path, kind, verdict):
    frames, metric = tables(rng, kind, verdict)
    asked = ("--metric", metric, "--margin", "0.01")
    named = pd.concat([frame.assign(model=name) for name, frame in zip(("old", "new"), frames, strict=True)])
    both = written(named.sample(frac=1, random_state=0), tmp_path / "both.csv")
    found = check(both, "--old", "old", "--new", "new", *asked)
    assert_says(found, STATUS[verdict], "old", "new", 0.01)
    turned = {"not worse": 1, "worse": 0, "undecided": 2}
    assert check(both, "--old", "new", "--new", "old", *asked)[0] == turned[verdict]
    old, new = rng.choice([".csv", ".jsonl"], 2)
    shuffled = [frame.sample(frac=1, random_state=i) for i, frame in enumerate(frames)]
    two = [written(x, tmp_path / f"{n}{end}") for x, n, end in zip(shuffled, ("old", "new"), (old, new), strict=True)]
    code, first, rest = check(*two, *asked)
    assert (code, first, rest.splitlines()[:3]) == (*found[:2], found[2].splitlines()[:3])
    assert re.search(r"[Rr]ead as\b.*\(the\s+files\)", rest, re.DOTALL)
    assert "(the files)" not in " ".join(found[2].split())


@pytest.mark.parametrize("verdict", DECIDED)
@pytest.mark.parametrize("kind", ["outcomes", "scores", "runs"])
def test_the_only_metric_need_not_be_named(rng, tmp_path, kind, verdict):
    frames, metric = tables(rng, kind, verdict)
    two = [written(x, tmp_path / f"{name}.csv") for name, x in zip(("old", "new"), frames, strict=True)]
    named, alone = (check(*two, *more, "--margin", "0.01") for more in (("--metric", metric), ()))
    assert alone[:2] == named[:2]
    assert alone[0] == STATUS[verdict]


@pytest.mark.parametrize("verdict", STATUS)
def test_a_table_with_a_column_per_model(rng, tmp_path, verdict):
    y, old, new = gated(rng, verdict)
    frame = pd.DataFrame({"y_true": y, "was": old, "is": new})
    found = check(
        *(written(frame, tmp_path / "x.csv"), "--old", "was", "--new", "is"),
        *("--metric", "accuracy", "--margin", "0.01"),
    )
    assert_says(found, STATUS[verdict], "was", "is", 0.01)


def test_a_table_that_lacks_a_score_never_passes(rng, tmp_path):
    """A new model that is better by far, but failed on a fold or has no row of it; nor where the old one lacks it."""
    frames = tables(rng, "scores", "not worse")[0]
    place = rng.integers(10)
    for lacking in (frames[1].assign(score=frames[1]["score"].mask(np.arange(10) == place)), frames[1].drop(place)):
        two = [written(x, tmp_path / f"{n}.csv") for n, x in (("old", frames[0]), ("new", lacking))]
        for given in (two, two[::-1]):
            assert check(*given, "--margin", "score=0.01")[0] == 3


def test_columns_that_analyze_is_told_of_are_told_alike(rng, tmp_path):
    """Names of columns, where less is better, other separators: the options of analyze."""
    y, old, new = gated(rng, "not worse")
    rows = {"case": [f"{i:03}" for i in range(len(y))] * 2, "label": [*y, *y], "who": ["o"] * len(y) + ["n"] * len(y)}
    path = tmp_path / "x.csv"
    pd.DataFrame({**rows, "prediction": [*old, *new]}).to_csv(path, index=False, sep=";")
    told = ("--truth", "label", "--id", "case", "--model", "who", "--sep", ";", "--old", "o", "--new", "n")
    assert check(path, *told, "--margin", "accuracy=0.01")[0] == 0
    frames, _ = tables(rng, "scores", "worse")
    two = [written(frame, tmp_path / f"{i}.csv") for i, frame in enumerate(frames)]
    assert check(*two, "--margin", "score=0.01")[0] == 1
    assert check(*two, "--margin", "score=0.01", "--less-is-better", "score")[0] == 0


# ---- results and models ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Predictions of a good model, of a weak one and of one like it, each in a file, and all in one; and results."""
    path = tmp_path_factory.mktemp("check")
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    frames = []
    for name, strength in (("good", 1.2), ("weak", 0.6), ("like", 0.65)):
        odds = (2 * y - 1) * strength + 1.5 * rng.normal(size=400)
        ids = [f"{i:03}" for i in range(400)]
        frame = pd.DataFrame({"sample_id": ids, "y_true": y, "probability": 1 / (1 + np.exp(-odds)), "ward": name})
        frames.append(frame.assign(model=name))
        frame = frame.sample(frac=1, random_state=len(frames))  # rows belong together by their ids
        frame.to_csv(path / f"{name}.csv", index=False)
        frame.to_json(path / f"{name}.jsonl", orient="records", lines=True)
    pd.concat(frames).to_csv(path / "all.csv", index=False)
    X, target = load_breast_cancer(return_X_y=True)
    evaluator = skc.PairedEvaluator(cv=10, scoring=["accuracy", "roc_auc"], random_state=0)
    base = {"base": DummyClassifier()}
    for name, model in (("nb", GaussianNB()), ("m", GaussianNB()), ("stump", DecisionTreeClassifier(max_depth=1))):
        evaluator.evaluate({**base, name: model}, X, target).save(path / f"{name}.skc")
    evaluator.evaluate({**base, "m": DecisionTreeClassifier(max_depth=1)}, X, target).save(path / "m2.skc")
    evaluator.evaluate({**base, "few": GaussianNB()}, X[:, 20:], target).save(path / "few.skc")
    return path


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
@pytest.mark.parametrize(
    ("old", "new", "margin", "status"),
    [("weak", "good", 0.02, 0), ("good", "weak", 0.02, 1), ("weak", "like", 0.02, 2), ("weak", "like", 0.2, 0)],
)
def test_files_of_predictions_are_aligned_by_their_ids(folder, kind, old, new, margin, status):
    given = ("--metric", "accuracy", "--metric", "f1", "--margin", margin)
    found = check(folder / f"{old}.csv", folder / f"{new}.{kind}", *given)
    assert_says(found, status, old, new, margin)
    code, first, rest = check(folder / "all.csv", "--old", old, "--new", new, *given)
    assert (code, first, rest.splitlines()[:5]) == (*found[:2], found[2].splitlines()[:5])


@pytest.mark.parametrize(("old", "new", "status"), [("stump", "nb", 0), ("nb", "stump", 1), ("nb", "m", 2)])
def test_results_on_the_same_splits_are_joined(folder, old, new, status):
    new_file = "m2" if status == 2 else new
    margin = {0: 0.01, 1: 0.01, 2: 0.05}[status]
    found = check(folder / f"{old}.skc", folder / f"{new_file}.skc", "--metric", "accuracy", "--margin", margin)
    assert_says(found, status, old, new, margin)


def test_a_gate_of_results_says_where_their_data_differ(folder):
    for old, new in (("stump", "few"), ("few", "nb"), ("stump", "nb")):
        _, _, rest = check(folder / f"{old}.skc", folder / f"{new}.skc", "--metric", "accuracy", "--margin", 0.01)
        assert ("Caution: X of result 1 and result 2 differ" in " ".join(rest.split())) == ("few" in (old, new))


def test_one_name_in_two_results_is_two_models(folder):
    files = (folder / "m.skc", folder / "m2.skc", "--old", "m", "--new", "m")
    assert_says(check(*files, "--margin", "roc_auc=0.01"), 1, "m (old)", "m (new)", 0.01)
    assert_says(check(*reversed(files[:2]), *files[2:], "--margin", "roc_auc=0.01"), 0, "m (old)", "m (new)", 0.01)
    assert_says(
        check(folder / "m.skc", *files[2:4], "--new", "base", "--margin", "accuracy=0.01"), 1, "m", "base", 0.01
    )


def test_models_are_fitted_on_a_table(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    table = pd.DataFrame(
        {"x": x, "noise": rng.normal(size=200), "y": np.where(x + 0.5 * rng.normal(size=200) > 0, "yes", "no")}
    )
    table.to_csv(tmp_path / "x.csv", index=False)
    nb, dummy = "nb=sklearn.naive_bayes:GaussianNB", "dummy=sklearn.dummy:DummyClassifier"
    data = ("--data", tmp_path / "x.csv", "--target", "y", "--cv", "5")
    given = (*data, "--metric", "accuracy", "--margin", "0.01")
    assert_says(check(dummy, nb, *given), 0, "dummy", "nb", 0.01)
    assert_says(check(nb, dummy, *given), 1, "nb", "dummy", 0.01)
    same = "again=sklearn.naive_bayes:GaussianNB(var_smoothing=0.3)"
    assert_says(check(nb, same, *given[:-1], "0.001"), 2, "nb", "again", 0.001)


def test_margins_by_metric(folder):
    files = (folder / "weak.csv", folder / "like.csv")
    code, first, _ = check(*files, "--margin", "accuracy=0.2", "--margin", "roc_auc=0.001")
    assert code == 2
    assert first.startswith("It is not decided whether like is worse than weak by more than 0.001 on roc_auc")
    code, first, _ = check(*files, "--metric", "roc_auc", "--margin", "0.2", "--margin", "accuracy=0.3")
    assert code == 0
    assert first == "like is not worse than weak by more than 0.2 on roc_auc, by more than 0.3 on accuracy."


# ---- what does not go with what is compared -------------------------------------------------------------------

OF_FITS = {"--cv": "5", "--seed": "0", "-n": "1", "--store": "x", "--dataset": "iris", "--target": "y", "--drop": "x"}
OF_TABLES = {"--truth": "y", "--item": "id", "--run": "seed", "--missing": "drop", "--less-is-better": "accuracy"}
NOT_TAKEN = {
    "tables": (OF_FITS, "models"),
    "results": (OF_FITS | OF_TABLES | {"--sep": ","}, "models|tables|tables and --data"),
    "models": (OF_TABLES | {"--old": "new", "--new": "old"}, "files|tables"),
}


@pytest.mark.parametrize("kind", NOT_TAKEN)
def test_an_option_that_would_be_ignored_is_refused(kind, rng, tmp_path):
    """Also where it says what is so by default, and where it would turn the question round."""
    frames, metric = tables(rng, "predictions", "not worse")
    paths = [written(x, tmp_path / f"{name}.csv") for name, x in zip(("old", "new"), frames, strict=True)]
    if kind == "results":
        paths = [path.with_suffix(".skc") for path in paths]
        for path, x in zip(paths, frames, strict=True):
            skc.from_predictions(x["y_true"], {path.stem: x["prediction"]}, scoring=[metric]).save(path)
    if kind == "models":
        paths = [f"{name}=sklearn.dummy:DummyClassifier" for name in ("old", "new")] + ["--dataset", "iris"]
    gate, (options, takers) = (*paths, "--metric", metric, "--margin", "0.01"), NOT_TAKEN[kind]
    assert kind == "models" or check(*gate, "--no-progress")[0] == 0
    for option in rng.permutation([*options]).tolist():
        done = CliRunner().invoke(cli.command, ["check", *map(str, gate), option, options[option]])
        said = {"-n": "--jobs"}.get(option, option)
        assert (done.exit_code, done.stdout) == (3, ""), option
        assert re.fullmatch(rf"skcompare: error: {said} must be left out: only ({takers}) take it\n", done.stderr)


@pytest.mark.parametrize(("old", "new"), [("sklearn.tree:DecisionTree{}", "sklearn.dummy:Dummy{}")])
def test_models_of_two_kinds_are_named_as_they_were_given(old, new, rng):
    kinds = rng.permutation(["Classifier", "Regressor"]).tolist()
    pair = [f"m{i}={one.format(kind)}" for i, (one, kind) in enumerate(zip((old, new), kinds, strict=True))]
    done = CliRunner().invoke(cli.command, ["check", *pair, "--dataset", "iris", "--metric", "r2", "--margin", "0.1"])
    assert done.exit_code == 3
    assert done.stderr.startswith("skcompare: error: OLD or NEW must be all classifiers or all regressors")


def test_a_gate_of_models_says_what_compare_says_of_the_table(rng, tmp_path):
    frame = pd.DataFrame({"id": [f"p{i}" for i in range(60)], "x": rng.normal(size=60), "y": np.arange(60) % 2})
    path = written(frame, tmp_path / "x.csv")
    pair = ["a=sklearn.dummy:DummyClassifier", "b=sklearn.naive_bayes:GaussianNB"]
    given = ("--data", path, "--target", "y", "--categorical", "id", "--cv", "3")
    _, _, rest = check(*pair, *given, "--metric", "accuracy", "--margin", "0.1")
    words = ["compare", *(x for one in pair for x in ("--model", one)), *map(str, given), "--scoring", "accuracy"]
    told = CliRunner().invoke(cli.command, words).stdout.partition("Prepared within")[2].split()
    assert told
    assert " ".join(told) in " ".join(rest.split())


# ---- what is printed and written ------------------------------------------------------------------------------


@pytest.fixture(params=STATUS)
def asked(request, rng, tmp_path):
    """The verdict of drawn predictions, the result, the names of both models, hostile ones, and the words."""
    old, new = rng.choice(HOSTILE, 2, replace=False).tolist()
    y, *predicted = gated(rng, request.param)
    result = skc.from_predictions(y, dict(zip((old, new), predicted, strict=True)), scoring=["accuracy"])
    result.save(tmp_path / "x.skc")
    words = (tmp_path / "x.skc", "--old", old, "--new", new, "--margin", "accuracy=0.01")
    return request.param, not_worse(result, new, old, margin=0.01), (old, new), words


def test_every_form_says_what_the_function_says(asked, tmp_path):
    verdict, found, (old, new), words = asked
    assert found.verdict == verdict
    code, first, rest = check(*words, "--junit", tmp_path / "x.xml", "--markdown", tmp_path / "x.md")
    assert code == STATUS[verdict]
    assert f"{first} " == f"{' '.join(str(found).split(chr(10) * 2)[0].split())} "
    assert new in first  # as it is called: no escapes on a terminal
    assert old in first
    assert "explain()" not in rest
    assert (tmp_path / "x.md").read_text(encoding="utf-8") == f"{found.to_markdown()}\n"
    code, line, _ = check(*words, "--json")
    assert (code, line) == (STATUS[verdict], f"{found.to_json()}\n")
    document = json.loads(line)
    assert [document[name] for name in ("verdict", "line", "old", "new")] == [verdict, first, old, new]
    (row,) = document["rows"]
    assert (row["margin"], row["estimate"]) == (0.01, found.comparison[0].estimate)
    (suite,) = ElementTree.parse(tmp_path / "x.xml").getroot()
    (case,) = suite
    (said,) = case
    assert case.get("name") == f"{new} against {old}"
    kinds = {"not worse": "system-out", "cannot be compared": "error"}
    assert (said.tag, said.text) == (kinds.get(verdict, "failure"), first)
    assert said.get("type", verdict) == verdict
    counted = {"failures": said.tag == "failure", "errors": said.tag == "error", "tests": True}
    assert {name: suite.get(name) for name in counted} == {name: str(int(n)) for name, n in counted.items()}


def test_a_name_is_no_markup_in_markdown(rng, tmp_path):
    y, *predicted = gated(rng, "undecided")
    result = skc.from_predictions(
        y, dict(zip(("[x](http://x)|", "<b>_*`"), predicted, strict=True)), scoring="accuracy"
    )
    result.save(tmp_path / "x.skc")
    names = ("--old", "[x](http://x)|", "--new", "<b>_*`", "--margin", "accuracy=0.01")
    check(tmp_path / "x.skc", *names, "--markdown", tmp_path / "x.md")
    text = (tmp_path / "x.md").read_text(encoding="utf-8")
    assert re.findall(r"(?<!\\)[<\[_`]", text) == []


def test_the_json_fits_its_schema_and_its_schema_nothing_else(asked):
    _, found, *_ = asked
    name = "schemas/not_worse.schema.json"
    schema = json.loads(files("skcompare.reporting").joinpath(name).read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    document = json.loads(found.to_json())
    validator.validate(document)
    for changed in ({**document, "more": 1}, {**document, "verdict": "passes"}, {**document, "rows": []}):
        assert not validator.is_valid(changed)
    for field in document:
        assert not validator.is_valid({key: value for key, value in document.items() if key != field})


def test_help_has_the_four_statuses():
    _, first, rest = check("--help")
    told = re.findall(r"^ +(\d)  (.+)$", first + rest, re.MULTILINE)
    assert [int(status) for status, _ in told] == [*STATUS.values()]


# ---- errors, which are no answers -----------------------------------------------------------------------------

GATE = ("--metric", "accuracy", "--margin", "0.01")
ERRORS = {
    "an option that does not exist": ("check", "x.csv", "y.csv", *GATE, "--quick"),
    "no margin": ("check", "x.csv", "y.csv"),
    "a margin that is none": ("check", "x.csv", "y.csv", "--margin", "accuracy=-1"),
    "too many files": ("check", "x.csv", "y.csv", "z.csv", *GATE),
    "no files": ("check", *GATE),
    "a seed that is none": ("check", "x.csv", *GATE, "--seed", "x"),
    "a file that is not there": ("check", "no.csv", "x.csv", *GATE),
    "a folder": ("check", ".", "x.csv", *GATE),
    "a result that is none": ("check", "x.skc", "y.skc", *GATE),
    "a table of nothing": ("check", "x.csv", "y.csv", *GATE),
    "a model that cannot be imported": ("check", "no.such:Model", "no.such:Other", "--dataset", "iris", *GATE),
    "a model whose module ends": ("check", "ending:Model", "ending:Model", "--dataset", "iris", *GATE),
    "an option before the command": ("--quick", "check", "x.csv", "y.csv", *GATE),
    "a command that does not exist": ("chek", "x.csv", "y.csv", *GATE),
}


def ended(words, folder, monkeypatch, capsys):
    """The status and the last line on standard error of the real entry point."""
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(sys, "argv", ["skcompare", *words])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    return stop.value.code, capsys.readouterr().err.splitlines()


@pytest.mark.parametrize("what", ERRORS)
def test_an_error_of_check_ends_with_3_and_one_line(what, tmp_path, monkeypatch, capsys):
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    (tmp_path / "y.csv").write_text("a,b\n")
    (tmp_path / "x.skc").write_text("text")
    (tmp_path / "ending.py").write_text("import sys\nsys.exit(0)\n")
    status, said = ended(ERRORS[what], tmp_path, monkeypatch, capsys)
    assert status == 3
    assert len(said) == 1
    assert said[0].startswith("skcompare: error: ")


@pytest.mark.parametrize("words", [("show", "no.skc"), ("analyze", "x.csv", "--quick"), ("compare", "--cv", "3")])
def test_an_error_of_another_command_ends_with_2(words, tmp_path, monkeypatch, capsys):
    assert ended(words, tmp_path, monkeypatch, capsys)[0] == 2


def test_what_nobody_expected_ends_with_3(rng, tmp_path, monkeypatch, capsys):
    def broken(*_arguments, **_options):
        raise RuntimeError("a bug")

    y, old, new = gated(rng, "not worse")
    skc.from_predictions(y, {"old": old, "new": new}, scoring="accuracy").save(tmp_path / "x.skc")
    monkeypatch.setattr("skcompare.testing.not_worse", broken)
    words = ("check", "x.skc", "--old", "old", "--new", "new", *GATE, "--junit", "x.xml")
    status, said = ended(words, tmp_path, monkeypatch, capsys)
    assert (status, said[-1]) == (3, "RuntimeError: a bug")
    assert "a bug" in (tmp_path / "x.xml").read_text()


@pytest.mark.sampled
@pytest.mark.parametrize(("to", "statuses"), [("/dev/full", (3,)), ("&-", (0, 3)), (None, (3,))])
def test_an_answer_that_cannot_be_printed_is_none(folder, to, statuses):
    """click ends with 1 where standard output is closed, which would be an answer; a pipe is closed too late for it."""
    words = [sys.executable, "-m", "skcompare", "check", str(folder / "weak.csv"), str(folder / "good.csv"), *GATE]
    command = f"exec {' '.join(words)} {f'>{to}' if to else ''}"
    with subprocess.Popen(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as done:
        done.stdout.close()
        said = done.stderr.read()
    assert done.returncode in statuses
    assert to != "/dev/full" or "No space left" in said


def test_a_file_of_an_earlier_run_is_not_left_behind(rng, tmp_path):
    y, old, new = gated(rng, "not worse")
    two = [
        written(pd.DataFrame({"sample_id": range(len(y)), "y_true": y, "prediction": x}), tmp_path / f"{n}.csv")
        for n, x in (("old", old), ("new", new))
    ]
    out = ("--junit", tmp_path / "x.xml", "--markdown", tmp_path / "x.md")
    assert check(*two, *GATE, *out)[0] == 0
    two[1].write_text("<b>sample_id,y_true,prediction\n")
    assert check(*two, *GATE, *out)[0] == 3
    (case,) = ElementTree.parse(tmp_path / "x.xml").getroot()[0]
    assert [one.tag for one in case] == ["error"]
    assert str(two[1]) in case[0].text
    text = (tmp_path / "x.md").read_text()
    assert "no rows" in text
    assert "not worse" not in text


@pytest.mark.parametrize(("old", "words"), [("good.csv", "--metric must be"), ("", "OLD or NEW must be a file")])
def test_the_files_say_what_the_terminal_says(folder, tmp_path, old, words):
    asked = ("--metric", "acuracy", "--margin", "0.1", "--junit", tmp_path / "x.xml", "--markdown", tmp_path / "x.md")
    done = CliRunner().invoke(cli.command, ["check", *map(str, (folder / old, folder / "weak.csv", *asked))])
    (case,) = ElementTree.parse(tmp_path / "x.xml").getroot()[0]
    assert words in case[0].text
    assert done.output == f"skcompare: error: {case[0].text}\n"


@pytest.mark.parametrize("end", [".csv", ".jsonl", ".skc"])
def test_a_file_in_other_letters_is_the_same_file(end, rng, tmp_path, monkeypatch):
    """A file was found to be no worse than itself, by a path, a link or with dots in it."""
    y, *predicted = gated(rng, "not worse")
    rows = {"sample_id": range(len(y)), "y_true": y}
    both = skc.from_predictions(y, dict(zip(("old", "new"), predicted, strict=True)), scoring="accuracy")
    if end == ".skc":
        both.save(tmp_path / "both.skc")
    else:
        frames = [pd.DataFrame({**rows, "prediction": x, "model": n}) for x, n in zip(predicted, "on", strict=True)]
        written(pd.concat(frames), tmp_path / f"both{end}")
    (tmp_path / f"link{end}").symlink_to(tmp_path / f"both{end}")
    monkeypatch.chdir(tmp_path)
    names = ("old", "new") if end == ".skc" else ("o", "n")
    others = [f"./both{end}", str(tmp_path / f"both{end}"), f"link{end}", f"../{tmp_path.name}/both{end}"]
    for other in others:
        done = CliRunner().invoke(cli.command, ["check", f"both{end}", other, *GATE])
        assert (done.exit_code, f"give a second file, or name two models of both{end}" in done.output) == (3, True)
        asked = ["check", f"both{end}", other, *GATE, "--old", names[0], "--new"]
        assert CliRunner().invoke(cli.command, [*asked, names[0]]).exit_code == 3
        assert CliRunner().invoke(cli.command, [*asked, names[1]]).exit_code == 0


@pytest.mark.parametrize("stem", ["null", "nan", "NA", "None", "n_a", "1"])
def test_a_file_may_be_called_as_a_cell_without_a_value(stem, rng, tmp_path):
    """Its rows were refused as rows without a name."""
    y, *predicted = gated(rng, "not worse")
    for name, x in zip(("old", stem), predicted, strict=True):
        frame = pd.DataFrame({"sample_id": range(len(y)), "y_true": y, "prediction": x})
        written(frame, tmp_path / f"{name}.csv")
    for names, status in ((("old", stem), 0), ((stem, "old"), 1)):
        assert check(*(tmp_path / f"{name}.csv" for name in names), *GATE)[0] == status
    assert any(
        stem in name for name in skc.read(tmp_path / "old.csv", tmp_path / f"{stem}.csv", metric="accuracy").estimators
    )


@pytest.mark.parametrize("end", [".csv", ".json", ".jsonl", ".tsv"])
@pytest.mark.parametrize("text", ["", "\n", " \n\n"])
def test_a_file_without_rows_is_said_to_have_none(end, text, tmp_path):
    """ "must have columns of one length; got {}" and "Expecting value: line 1 column 1" were said."""
    (tmp_path / f"x{end}").write_text(text)
    for command in (["analyze"], ["check", *GATE, "--old", "a", "--new", "b"]):
        done = CliRunner().invoke(cli.command, [*command, str(tmp_path / f"x{end}")])
        assert done.exit_code in (2, 3)
        assert re.search(f"x[{end}]+(?: has no rows|: it is empty)$", done.output.strip())


@pytest.mark.parametrize("name", ["https://a.org/new.csv", "C:\\new.csv", "a:b.csv"])
def test_a_path_with_a_colon_is_no_model(name, tmp_path, monkeypatch):
    """ "give two models, or two files" was said of two files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.csv").write_text("sample_id,y_true,prediction\n1,1,1\n")
    for given in (("old.csv", name), (name, "old.csv"), (name, f"{name}2")):
        done = CliRunner().invoke(cli.command, ["check", *given, *GATE])
        assert (done.exit_code, "No such file" in done.output) == (3, True)
    done = CliRunner().invoke(cli.command, ["check", "old.csv", "a.b:C", *GATE])
    assert "two files; got 'old.csv' and 'a.b:C'" in done.output


def test_an_option_without_a_word_is_named_or_left_out(rng, tmp_path):
    """An empty --metric was told as a --margin, an empty --junit as a folder."""
    y, *predicted = gated(rng, "not worse")
    skc.from_predictions(y, dict(zip("on", predicted, strict=True)), scoring="accuracy").save(tmp_path / "x.skc")
    asked = (tmp_path / "x.skc", "--old", "o", "--new", "n", "--margin", "0.01")
    assert check(*asked, "--metric", "")[0] == 0
    for option in ("--junit", "--markdown"):
        done = CliRunner().invoke(cli.command, ["check", *map(str, asked), option, ""])
        assert (done.exit_code, done.output.startswith(f"skcompare: error: {option}: ")) == (3, True)


def test_what_is_compared_is_not_written_over(folder, tmp_path):
    copy = tmp_path / "old.csv"
    copy.write_bytes((folder / "weak.csv").read_bytes())
    for option in ("--junit", "--markdown"):
        assert check(copy, folder / "good.csv", *GATE, option, copy)[0] == 3
        assert check(folder / "good.csv", copy, *GATE, option, tmp_path / "." / "old.csv")[0] == 3
        assert check(copy, folder / "good.csv", *GATE, option, tmp_path)[0] == 3
    assert copy.read_bytes() == (folder / "weak.csv").read_bytes()


def test_ids_that_look_like_numbers_stay_what_they_are(tmp_path):
    text = "sample_id,y_true,prediction\n" + "".join(f"{i:03},{i % 2},{i % 2}\n" for i in range(20))
    (tmp_path / "a.csv").write_text(text)
    (tmp_path / "b.csv").write_text(text.replace("\n0", "\n"))
    done = CliRunner().invoke(cli.command, ["check", *(str(tmp_path / f"{n}.csv") for n in "ab"), "--margin", "f1=.1"])
    assert done.exit_code == 3
    assert "lacks sample" in done.stderr


@pytest.mark.parametrize("name", ["svm", "knn", "size"])
def test_columns_that_describe_no_samples_are_refused_for_groups(name, rng, tmp_path):
    """A model was left out of the comparison, and nothing said so."""
    table = pd.DataFrame({"dataset": [*"abcdefgh"], **{one: rng.random(8) for one in ("svm", "knn", "rf")}})
    table["size"] = rng.integers(100, 900, 8)
    table.to_csv(tmp_path / "t.csv", index=False)
    refused = CliRunner().invoke(cli.command, ["analyze", str(tmp_path / "t.csv"), "--by", name])
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"--by: column {name!r}" in refused.stderr


@pytest.mark.parametrize("more", [[], ["--less-is-better", "accuracy"], ["--sep", ";"]])
def test_what_a_refusal_says_to_add_is_an_option(more, rng, tmp_path):
    """It said --metrics, which was none, and nothing where a direction was given."""
    pairs = [("a", "accuracy"), ("a", "recall"), ("b", "accuracy"), ("b", "precision")]
    rows = [(model, i, metric, rng.random()) for model, metric in pairs for i in range(8)]
    table = pd.DataFrame(rows, columns=["model", "fold", "metric", "score"]).sample(frac=1, random_state=0)
    table.to_csv(tmp_path / "t.csv", index=False, sep=";")
    asked = ["check", str(tmp_path / "t.csv"), "--old", "a", "--new", "b", "--margin", "0.1", *more]
    refused = CliRunner().invoke(cli.command, asked)
    assert refused.exit_code == 3
    _, _, added = refused.output.strip().rpartition("add ")
    assert added == "--metrics accuracy"
    found = CliRunner().invoke(cli.command, [*asked, *added.split()])
    assert (found.exit_code in (0, 1, 2), "on accuracy" in found.output) == (True, True)


def test_files_of_items_are_checked_by_the_name_of_their_column_and_gaps_by_the_option_that_is_told(rng, tmp_path):
    right = (rng.random(200) < 0.7).astype(int)
    paths = [str(tmp_path / f"{name}.csv") for name in ("old", "same", "half")]
    for path, n in zip(paths, (200, 200, 150), strict=True):
        table = pd.DataFrame({"item": [f"q{i}" for i in range(n)], "correct": right[:n]})
        table.iloc[rng.permutation(n)].to_csv(path, index=False, sep=str(rng.choice([",", ";", "\t"])))
    asked = ["--margin", "0.05", "--metric", "correct"]
    found = CliRunner().invoke(cli.command, ["check", *paths[:2], *asked])
    assert (found.exit_code, "on correct" in found.output) == (0, True)
    refused = CliRunner().invoke(cli.command, ["check", paths[2], paths[0], *asked])
    assert refused.exit_code == 3
    assert "50 scores are missing" in refused.output
    assert refused.output.strip().endswith("add --missing drop")
    for old, new, status in ((paths[0], paths[2], (3,)), (paths[2], paths[0], (0, 2))):  # NEW must not lack any
        dropped = CliRunner().invoke(cli.command, ["check", old, new, *asked, "--missing", "drop"])
        assert dropped.exit_code in status


@pytest.mark.parametrize("verdict", ["not worse", "worse"])
def test_dicts_of_cross_validate_in_two_files_are_two_models(rng, tmp_path, verdict):
    paths = [tmp_path / "old.json", tmp_path / "new.json"]
    for path, own in zip(paths, numbers(rng, verdict, 10), strict=True):
        path.write_text(json.dumps({"m": {"fit_time": [0.1] * 10, "test_accuracy": own.tolist()}}), encoding="utf-8")
    code, first, _ = check(*paths, "--margin", "0.01", "--design", "10-fold")
    assert code == STATUS[verdict], first
    assert first.startswith(STARTS[code].format(new="m (new)", old="m (old)", margin=0.01))


def test_logs_of_other_documents_are_not_compared(tmp_path):
    for name, of in (("old", "h"), ("same", "h"), ("other", "g")):
        lines = [{"doc_id": i, "doc_hash": f"{of}{i}", "target": "x", "acc": float(i % 3 > 0)} for i in range(60)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    for name, status in (("same", 2), ("other", 3)):
        asked = ["check", str(tmp_path / "old.jsonl"), str(tmp_path / f"{name}.jsonl"), "--margin", "acc=0.05"]
        found = CliRunner().invoke(cli.command, asked)
        assert (found.exit_code, "must be of the same documents" in found.output) == (status, status == 3)


def test_a_search_is_no_pair_of_models(tmp_path):
    path = tmp_path / "cv_results.csv"
    path.write_text("params,split0_test_score,split1_test_score\n\"{'C': 1}\",0.9,0.8\n\"{'C': 2}\",0.8,0.7\n")
    asked = ["check", str(path), "--old", "C=1", "--new", "C=2", "--metric", "score", "--margin", "0.1"]
    refused = CliRunner().invoke(cli.command, asked)
    assert refused.exit_code == 3
    assert "is a search" in refused.output
    (tmp_path / "other.csv").write_text(path.read_text())
    refused = CliRunner().invoke(cli.command, ["check", str(path), str(tmp_path / "other.csv"), "--margin", "0.1"])
    assert (refused.exit_code, "is a search" in refused.output) == (3, True)


def test_two_saved_studies_are_no_pair_of_models(rng, tmp_path):
    paths = [str(tmp_path / f"{name}.skc") for name in ("old", "new")]
    for path in paths:
        table = {"dataset": [f"set{i}" for i in range(8)], "svm": rng.random(8), "rf": rng.random(8)}
        skc.read(table).save(path)
    asked = ["check", *paths, "--old", "svm", "--new", "rf", "--margin", "0.1"]
    refused = CliRunner().invoke(cli.command, asked)
    assert (refused.exit_code, "is a study: give one file" in refused.output) == (3, True)


def test_runs_of_mlflow_in_a_file_for_each_model_are_compared(rng, tmp_path):
    """Several runs each, of which no param says the model: they were refused in general words."""
    for name, mean in (("old", 0.7), ("new", 0.9)):
        runs = {"run_id": [f"{name}{i}" for i in range(5)], "status": "FINISHED", "params.seed": range(5)}
        frame = pd.DataFrame({**runs, "metrics.accuracy": rng.normal(mean, 0.01, 5), "params.lr": 0.1})
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    assert_says(check(tmp_path / "old.csv", tmp_path / "new.csv", "--margin", "0.05"), 0, "old", "new", 0.05)


def test_files_of_two_forms_are_refused_as_such(rng, tmp_path):
    pd.DataFrame({"fold": range(10), "accuracy": rng.random(10)}).to_csv(tmp_path / "a.csv", index=False)
    pd.DataFrame({"case": range(9), "y": 1, "prediction": 1}).to_csv(tmp_path / "b.csv", index=False)
    for words in (("check", "--margin", "0.1"), ("analyze",)):
        found = CliRunner().invoke(cli.command, [*words, str(tmp_path / "a.csv"), str(tmp_path / "b.csv")])
        assert found.exit_code == (3 if "check" in words else 2)
        assert "tables must be of one form" in found.output
        assert "a.csv has 'fold', 'accuracy'" in found.output


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("analyze", "x.csv", "--design", "tenfold"), "--design must read like"),
        (("analyze", "x.csv", "--split", "fol"), "did you mean 'fold'? --split must name a column"),
        (("analyze", "x.csv", "--null", "acc=1"), "--null must be one of"),
        (("compare", "--dataset", "iris", "--model", "sklearn.naive_bayes:GaussianNB", "--cv", "1"), "--cv must be"),
        (("compare", "--dataset", "iris", "--model", "sklearn.svm:SVC", "-n", "0"), "--jobs must be"),
        (
            ("compare", "--dataset", "iris", "--model", "sklearn.naive_bayes:GaussianNB", "--scoring", "acc"),
            "--scoring must be",
        ),
        (
            ("curve", "--dataset", "iris", "--model", "sklearn.naive_bayes:GaussianNB", "--sizes", "0.5,2"),
            "--sizes must be",
        ),
        (("show", "x.csv"), "FILE must be a file saved by"),
        (("store", "ls", "x.csv"), "FILE must be a file made by"),
    ],
)
def test_what_python_refuses_is_told_by_the_option_that_was_typed(words, option, rng, tmp_path, monkeypatch, capsys):
    both = {"fold": [*range(5)] * 2, "model": ["a"] * 5 + ["b"] * 5, "score": rng.random(10)}
    pd.DataFrame(both).to_csv(tmp_path / "x.csv", index=False)
    status, said = ended(words, tmp_path, monkeypatch, capsys)
    assert status == 2
    assert option in said[-1]


def test_a_study_is_read_from_a_file_that_begins_with_a_byte_order_mark(tmp_path, monkeypatch, capsys):
    (tmp_path / "x.toml").write_text(
        'seed = -1\n[models]\na = "sklearn.svm:SVC"\n[datasets]\ni = "iris"\n', "utf-8-sig"
    )
    _, said = ended(("study", "x.toml"), tmp_path, monkeypatch, capsys)
    assert "'seed': -1 is not in the range" in said[-1]


@pytest.mark.parametrize("metric", ["r2", "mae", "roc_auc", "rmse"])
def test_the_name_of_one_of_two_files_names_no_metric(metric, rng, tmp_path):
    """A model in r2.csv was compared on r2, and one in mae.csv asked about."""
    paths = [tmp_path / f"{name}.csv" for name in ("ridge", metric)]
    for path in paths:
        pd.DataFrame({"fold": range(8), "score": rng.random(8)}).to_csv(path, index=False)
    for old, new in (paths, paths[::-1]):
        _, first, _ = check("--margin", "0.01", old, new)
        assert f"{new.stem} is" in first
        assert " on score: " in first


def test_separators_are_found_out_unless_they_are_given(rng, tmp_path):
    """Its help spoke of a comma, and a comma that was given was not used."""
    paths = [tmp_path / f"{name}.csv" for name in ("one", "two")]
    for path in paths:
        pd.DataFrame({"fold": range(8), "score": rng.random(8)}).to_csv(path, index=False, sep=";")
    assert check("--margin", "0.01", *paths)[0] < 3
    assert check("--margin", "0.01", "--sep", ",", *paths)[0] == 3
    assert "found out" in CliRunner().invoke(cli.command, ["check", "-h"]).output


@pytest.mark.parametrize("kind", ["dataset", "fold", "seed", "question"])
@pytest.mark.parametrize("whose", ["old", "new", "both"])
@pytest.mark.parametrize("blank", [True, False])
def test_what_is_left_out_for_a_gap_of_the_new_model_is_never_accepted(kind, whose, blank, rng, tmp_path):
    n = 60 if kind == "question" else 20
    cases = [f"c{x}" for x in rng.choice(900, n, replace=False)] if kind in ("dataset", "question") else [*range(n)]
    gap, paths = rng.choice(n, 3, replace=False), {}
    for name in ("old", "new"):
        scores = rng.integers(0, 2, n) if kind == "question" else 0.8 + 0.01 * rng.random(n) + 0.1 * (name == "new")
        table = pd.DataFrame({kind: cases, "correct" if kind == "question" else "accuracy": scores.astype(float)})
        if whose in (name, "both"):
            table.iloc[gap, 1] = np.nan
            table = table if blank else table.drop(index=gap)
        table.sample(frac=1, random_state=0).to_csv(paths.setdefault(name, tmp_path / f"{name}.csv"), index=False)
    asked = ("check", *paths.values(), "--margin", "0.9", "--missing", "drop", "--json")
    done = CliRunner().invoke(cli.command, [*map(str, asked)])
    answer = json.loads(done.stdout)
    if whose != "new":
        assert (done.exit_code, answer["verdict"]) == (0, "not worse")
        return
    assert (done.exit_code, answer["verdict"]) == (3, "cannot be compared")
    assert answer["reason"].startswith("lacks 3 scores that old has, the first of ")
    result = skc.read(*paths.values(), missing="drop")
    result.save(tmp_path / "both.skc")
    for found in (result, skc.load(tmp_path / "both.skc")):
        assert not_worse(found, "new", "old", margin=0.9).verdict == "cannot be compared"
        assert not_worse(found, "old", "new", margin=0.9).verdict == "not worse"


@pytest.mark.parametrize("told", [[], ["--design", "30-fold"]])
def test_a_gate_on_splits_that_are_assumed_says_in_json_what_random_halves_would_change(told, rng, tmp_path):
    base = 0.8 + 0.03 * rng.normal(size=30)
    apart = rng.permutation(np.linspace(-0.05, 0.05, 30))
    paths = [tmp_path / "old.csv", tmp_path / "new.csv"]
    for path, scores in zip(paths, (base, base + 0.01 + apart), strict=True):
        pd.DataFrame({"fold": range(30), "accuracy": scores}).to_csv(path, index=False)
    t = 0.02 / (apart.var(ddof=1) * (1 / 30 + 0.5 / 0.5)) ** 0.5
    assert 2 * stats.t.sf(t, 29) > 0.05
    asked = ["check", *map(str, paths), "--margin", "0.01", "--json", *told]
    done = CliRunner().invoke(cli.command, asked)
    assert done.exit_code == 0
    fragile = [one["sentence"] for one in json.loads(done.stdout)["warnings"] if one["code"] == "FRAGILE"]
    said = "new against old on accuracy would not stand if the splits were random halves. Give their design."
    assert fragile == ([] if told else [said])


@pytest.mark.parametrize("name", ["id", "key", "file", "uid"])
@pytest.mark.parametrize("kind", ["outcomes", "predictions"])
def test_files_that_share_no_item_are_said_to_share_none(name, kind, rng, tmp_path):
    paths, truth = [tmp_path / "old.csv", tmp_path / "new.csv"], rng.integers(0, 2, 40)
    for letter, path in zip("qr", paths, strict=True):
        table = pd.DataFrame({name: [f"{letter}{x}" for x in rng.choice(999, 40, replace=False)]})
        table["correct" if kind == "outcomes" else "y_pred"] = rng.integers(0, 2, 40)
        table = table if kind == "outcomes" else table.assign(y_true=truth)
        table.to_csv(path, index=False)
    refused = CliRunner().invoke(cli.command, ["check", *map(str, paths), "--margin", "0.1"])
    said = " ".join(refused.output.split())
    assert refused.exit_code == 3
    assert (
        f"'{name}' has another value in every row, and models share none" in said
        or "'old' lacks" in said
        or ("80 scores are missing: 'new' on 'q" in said)
    )


NO_NUMBER = ["ERROR", "error", "failed", "FAILED", "inf", "see below", "x"]


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("broken", ["old", "new"])
def test_a_refused_cell_is_named_by_its_file_and_its_row_there(rng, tmp_path, monkeypatch, broken, named):
    """Whatever stands in it, and whether the metric is named or its column is found."""
    monkeypatch.chdir(tmp_path)
    for cell in NO_NUMBER:
        n, metric = int(rng.integers(5, 12)), rng.choice(["accuracy", "f1", "recall"])
        row, option = int(rng.integers(n)), ("--metric", metric) if named else ()
        for name in ("old", "new"):
            frame = pd.DataFrame({"model": "rf", "fold": range(n), metric: rng.uniform(0.7, 0.9, n).round(3)})
            if name == broken:
                frame[metric] = frame[metric].astype(object)
                frame.loc[row, metric] = cell
            frame.to_csv(f"{name}.csv", index=False)
        status, first, _ = check("old.csv", "new.csv", "--margin", "0.1", *option)
        assert status == 3
        said = CliRunner().invoke(cli.command, ["check", "old.csv", "new.csv", "--margin", "0.1", *option]).stderr
        assert f": row {row + 1} of {broken}.csv, column '{metric}': " in said, said
        assert repr(cell) in said
        assert not first


@pytest.mark.parametrize("name", ["ERROR", "failed", "FAILED", "error", "None", "old", "new"])
def test_a_model_may_be_called_as_what_fails_is(rng, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    for file, model in (("old", "rf"), ("new", name)):
        scores = rng.uniform(0.78, 0.82, 10)
        pd.DataFrame({"model": model, "fold": range(10), "accuracy": scores}).to_csv(f"{file}.csv", index=False)
    assert check("old.csv", "new.csv", "--margin", "0.3")[1].startswith(f"{name} is not worse than rf")


@pytest.mark.parametrize("name", ["nan", "NA", ""])
def test_a_name_that_is_lacking_is_looked_for_in_its_file(rng, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    for file, model in (("old", "rf"), ("new", name)):
        scores = rng.uniform(0.78, 0.82, 10)
        pd.DataFrame({"model": model, "fold": range(10), "accuracy": scores}).to_csv(f"{file}.csv", index=False)
    said = CliRunner().invoke(cli.command, ["check", "old.csv", "new.csv", "--margin", "0.3"]).stderr
    assert "row 1 of new.csv has no name in column 'model'" in said
