"""`skcompare check`: its three answers and their status, for results, files of predictions and models."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from skcompare.cli import main as cli
from skcompare.testing import not_worse

STATUS = {"not worse": 0, "worse": 1, "undecided": 3}
STARTS = {
    0: "{new} is not worse than {old} by more than {margin:g} on ",
    1: "{new} is worse than {old} by more than {margin:g} on ",
    3: "It is not decided whether {new} is worse than {old} by more than {margin:g} on ",
}


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
    assert re.match(r"(\| metric )?\| a \| b \|", header)
    assert set(rule) <= set("|-: ")


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
    return path


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
@pytest.mark.parametrize(
    ("old", "new", "margin", "status"),
    [("weak", "good", 0.02, 0), ("good", "weak", 0.02, 1), ("weak", "like", 0.02, 3), ("weak", "like", 0.2, 0)],
)
def test_files_of_predictions_are_aligned_by_their_ids(folder, kind, old, new, margin, status):
    given = ("--metric", "accuracy", "--metric", "f1", "--not-worse-by", margin)
    found = check(folder / f"{old}.csv", folder / f"{new}.{kind}", *given)
    assert_says(found, status, old, new, margin)
    one = check(folder / "all.csv", "--old", old, "--new", new, *given)
    assert one == found


@pytest.mark.parametrize(("old", "new", "status"), [("stump", "nb", 0), ("nb", "stump", 1), ("nb", "m", 3)])
def test_results_on_the_same_splits_are_joined(folder, old, new, status):
    new_file = "m2" if status == 3 else new
    margin = {0: 0.01, 1: 0.01, 3: 0.05}[status]
    found = check(folder / f"{old}.skc", folder / f"{new_file}.skc", "--metric", "accuracy", "--not-worse-by", margin)
    assert_says(found, status, old, new, margin)


def test_one_name_in_two_results_is_two_models(folder):
    files = (folder / "m.skc", folder / "m2.skc", "--old", "m", "--new", "m")
    assert_says(check(*files, "--not-worse-by", "roc_auc=0.01"), 1, "m (old)", "m (new)", 0.01)
    assert_says(
        check(*reversed(files[:2]), *files[2:], "--not-worse-by", "roc_auc=0.01"), 0, "m (old)", "m (new)", 0.01
    )
    assert_says(
        check(folder / "m.skc", *files[2:4], "--new", "base", "--not-worse-by", "accuracy=0.01"), 1, "m", "base", 0.01
    )


def test_models_are_fitted_on_a_table(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    table = pd.DataFrame(
        {"x": x, "noise": rng.normal(size=200), "y": np.where(x + 0.5 * rng.normal(size=200) > 0, "yes", "no")}
    )
    table.to_csv(tmp_path / "x.csv", index=False)
    nb, dummy = "nb=sklearn.naive_bayes:GaussianNB", "dummy=sklearn.dummy:DummyClassifier"
    given = (
        "--data",
        tmp_path / "x.csv",
        "--target",
        "y",
        "--cv",
        "5",
        "--metric",
        "accuracy",
        "--not-worse-by",
        "0.01",
    )
    assert_says(check(dummy, nb, *given), 0, "dummy", "nb", 0.01)
    assert_says(check(nb, dummy, *given), 1, "nb", "dummy", 0.01)
    same = "again=sklearn.naive_bayes:GaussianNB(var_smoothing=0.3)"
    assert_says(check(nb, same, *given[:-1], "0.001"), 3, "nb", "again", 0.001)


def test_margins_by_metric(folder):
    files = (folder / "weak.csv", folder / "like.csv")
    code, first, _ = check(*files, "--not-worse-by", "accuracy=0.2", "--not-worse-by", "roc_auc=0.001")
    assert code == 3
    assert first.startswith("It is not decided whether like is worse than weak by more than 0.001 on roc_auc")
    code, first, _ = check(*files, "--metric", "roc_auc", "--not-worse-by", "0.2", "--not-worse-by", "accuracy=0.3")
    assert code == 0
    claims = [f"like is not worse than weak by more than {margin}" for margin in ("0.2 on roc_auc", "0.3 on accuracy")]
    assert first == f"{'; '.join(claims)}."


def test_the_command_and_the_function_say_the_same(folder):
    frame = pd.read_csv(folder / "all.csv", dtype={"sample_id": str})
    result = skc.from_predictions(frame, scoring=["roc_auc"])
    found = not_worse(result, "like", "weak", margin=0.05)
    code, first, rest = check(
        folder / "all.csv", "--old", "weak", "--new", "like", "--metric", "roc_auc", "--not-worse-by", "0.05"
    )
    assert code == STATUS[found.verdict]
    assert first == " ".join(str(found).split("\n\n")[0].split())
    assert rest.strip() == found.to_markdown().partition("\n\n")[2].strip()


def test_ids_that_look_like_numbers_stay_what_they_are(tmp_path):
    text = "sample_id,y_true,prediction\n" + "".join(f"{i:03},{i % 2},{i % 2}\n" for i in range(20))
    (tmp_path / "a.csv").write_text(text)
    (tmp_path / "b.csv").write_text(text.replace("\n0", "\n"))
    done = CliRunner().invoke(
        cli.command, ["check", *(str(tmp_path / f"{n}.csv") for n in "ab"), "--not-worse-by", "f1=.1"]
    )
    assert done.exit_code == 2
    assert "lacks sample" in done.stderr


def test_bad_input_ends_with_2(folder):
    assert check(folder / "weak.csv", folder / "no.csv", "--not-worse-by", "f1=0.1")[0] == 2
    assert check(folder / "weak.csv")[0] == 2
