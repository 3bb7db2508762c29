"""The command: its main job, its one-line errors, what it makes of a table, and what it leaves alone."""

from __future__ import annotations

import io
import os
import random
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare
from skcompare.cli import main as cli
from skcompare.cli.data import DATASETS, bundled_dataset

BAYES = "nb=sklearn.naive_bayes:GaussianNB"
TREE = "tree=sklearn.tree:DecisionTreeClassifier"
MODELS = ("--model", BAYES, "--model", TREE)
REGRESSORS = (
    "--model",
    "linear=sklearn.linear_model:Ridge(alpha=1.0)",
    "--model",
    "tree=sklearn.tree:DecisionTreeRegressor(max_depth=3)",
)


@pytest.fixture
def refusal(run):
    """The one line with which the command refuses some arguments, without its prefix."""

    def refusal(*arguments):
        status, out, err = run(*arguments)
        known = arguments[0] in cli.command.commands and arguments[0] != "check"
        assert status == (2 if known else 3)
        assert out == ""
        assert err.startswith("skcompare: error: ")
        assert err.endswith("\n")
        assert err.count("\n") == 1
        return err.removeprefix("skcompare: error: ").rstrip("\n")

    return refusal


@pytest.fixture
def table(tmp_path):
    """A CSV of numbers, categories, booleans, missing values, an empty column and awkward names."""
    rng = random.Random(0)
    lines = ['größe,colour,"city, state",flag,checked,nothing,label,price']
    for i in range(90):
        size = rng.gauss(0, 1)
        cells = [
            "" if i % 11 == 0 else f"{size:.3f}",
            rng.choice(["red", "blue", "grün", ""]),
            f'"Town, {i % 3}"',
            "" if i % 7 == 0 else str(i % 2 == 0),
            str(i % 3 == 0).lower(),
            "",
            "yes" if size + rng.gauss(0, 0.5) > 0 else "no",
            f"{3 * size + rng.gauss(0, 1):.2f}",
        ]
        lines.append(",".join(cells))
    path = tmp_path / "mixed.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def csv(tmp_path):
    """Write a small CSV; gives its path."""

    def csv(text, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return csv


def rows(target="yes,no", n=20, x="{i}"):
    """A file of columns x and y; the target's values alternate."""
    values = target.split(",")
    return "x,y\n" + "".join(f"{x.format(i=i)},{values[i % len(values)]}\n" for i in range(n))


# ---- the main job ---------------------------------------------------------------------------------------------


def test_the_main_job_prints_the_answer_first_then_the_design_and_every_metric(run):
    status, out, err = run("compare", "--dataset", "breast_cancer", *MODELS, "--cv", "10x10", "--seed", "0")
    assert (status, err) == (0, "")
    answer, table = out.split("\n\n")[:2]
    assert answer.startswith("No clear winner: nb is 0.016 ahead of tree on accuracy")
    assert answer.endswith("569 samples (212 of class 0, 357 of class 1), 10x10 cross-validation.")
    assert re.search(r"^roc_auc .* nb better$", table, re.MULTILINE)
    for metric in ("accuracy", "precision", "recall", "f1", "roc_auc"):
        assert sum(line.startswith(f"{metric} ") for line in table.splitlines()) == 1


def test_every_command_begins_with_the_same_answer(run, tmp_path):
    path, page = tmp_path / "a.skc", tmp_path / "a.html"
    _, out, _ = run("compare", "--dataset", "wine", *MODELS, "--cv", "5", "--out", path)
    result = skcompare.load(path)
    answer = result.explain().named("answer").text
    scores = tmp_path / "scores.csv"
    result.to_frame().rename(columns={"estimator": "model"}).drop(columns="dataset").to_csv(scores, index=False)
    analyzed, reported = run("analyze", scores)[1], run("report", path, "--out", page)[1]
    for text in (out, reported, run("show", path)[1], run("show", path, "--detail", "full")[1]):
        assert " ".join(text.split()).startswith(f"{answer} ")
    read, _, analyzed = analyzed.partition("\n\n")
    assert read.startswith("Read as: folds of 2 models")
    assert " ".join(analyzed.split()).startswith(f"{answer} ")
    assert run("explain", path)[1].rstrip() == str(result.explain()).rstrip()
    assert reported.endswith(f"\n\nWrote {page}\n")


def test_primary_decides_in_every_command(run, tmp_path):
    path, pages = tmp_path / "a.skc", [tmp_path / "a.html", tmp_path / "b.html"]
    chosen = ("--primary", "roc_auc")
    scored = ("--cv", "5", "--scoring", "accuracy", "--scoring", "roc_auc")
    fitted = ("compare", "--dataset", "breast_cancer", *MODELS, *scored)
    out = run(*fitted, *chosen, "--out", path, "--html", pages[0])[1]
    result = skcompare.load(path)
    line = result.explain(primary="roc_auc").named("answer").text
    assert line != result.explain().named("answer").text
    texts = [out, run("show", path, *chosen)[1], run("explain", path, *chosen)[1]]
    texts.append(run("report", path, *chosen, "--out", pages[1])[1])
    assert all(" ".join(text.split()).startswith(f"{line} ") for text in texts)
    assert all(f"<strong>{line}</strong>" in page.read_text(encoding="utf-8") for page in pages)
    assert run("explain", path)[1].rstrip() == str(result.explain()).rstrip()
    for command in (("show", path), ("explain", path), ("report", path, "--out", pages[1])):
        status, out, err = run(*command, "--primary", "f1")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "primary must be one of" in err
    status, _, err = run(*fitted, "--primary", "roc", "--out", tmp_path / "never.skc")
    assert (status, err.count("\n")) == (2, 1)
    assert "--primary must be one of 'accuracy', 'roc_auc'" in err
    assert "did you mean 'roc_auc'?" in err
    assert not (tmp_path / "never.skc").exists()


def test_html_writes_the_page_beside_the_summary(run, tmp_path):
    page = tmp_path / "a.html"
    status, out, _ = run("compare", "--dataset", "iris", *MODELS, "--cv", "3", "--scoring", "accuracy", "--html", page)
    assert status == 0
    assert out.endswith(f"\n\nWrote {page}\n")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_detail_full_prints_the_full_summary(run, tmp_path):
    path = tmp_path / "a.skc"
    run("compare", "--dataset", "wine", *MODELS, "--cv", "5", "--out", path)
    full = skcompare.load(path).summary("full")
    assert run("show", path, "--detail", "full") == (0, f"{full}\n", "")
    assert run("compare", "--dataset", "wine", *MODELS, "--cv", "5", "--detail", "full")[1].startswith(full)


def test_out_keeps_what_load_and_show_tell_again(run, tmp_path):
    path = tmp_path / "ergebnis ä.skc"
    _, out, _ = run("compare", "--dataset", "wine", *MODELS, "--cv", "5", "--out", path)
    summary = " ".join(skcompare.load(path).summary().split()).replace("result.explain().", "--detail full.")
    assert " ".join(out.split()) == f"{summary} Saved to {path}"
    status, out, err = run("show", path)
    assert (status, " ".join(out.split()), err) == (0, summary, "")


def test_out_leaves_nothing_else_beside_it(run, tmp_path):
    run("compare", "--dataset", "iris", *MODELS, "--cv", "3", "--out", tmp_path / "a.skc")
    assert [path.name for path in tmp_path.iterdir()] == ["a.skc"]


def test_two_workers_print_what_one_prints(run):
    arguments = ("compare", "--dataset", "wine", *MODELS, "--cv", "3", "--scoring", "accuracy")
    assert run(*arguments, "--jobs", "2") == run(*arguments, "--jobs", "1")


def test_the_same_seed_gives_the_same_output_and_another_seed_another(run):
    arguments = ("compare", "--dataset", "breast_cancer", *MODELS, "--cv", "3", "--seed")
    assert run(*arguments, "7") == run(*arguments, "7")
    assert run(*arguments, "7") != run(*arguments, "8")


def test_the_seed_is_the_random_state_of_python(run, tmp_path, rng):
    seed, path = int(rng.integers(2**32)), tmp_path / "a.skc"
    run("compare", "--dataset", "wine", *MODELS, "--cv", "2x3", "--scoring", "accuracy", "--seed", seed, "--out", path)
    models, data = {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}, load_wine(return_X_y=True)
    of_command = skcompare.load(path)
    for random_state, same in ((seed, True), ((seed + 1) % 2**32, False)):
        result = skcompare.compare(models, *data, cv="2x3", scoring="accuracy", random_state=random_state)
        splits = [test.tolist() for _, test in result.splits()]
        assert (splits == [test.tolist() for _, test in of_command.splits()]) is same
        assert not same or (result.scores == of_command.scores).all()
    for command in ("compare", "check"):
        assert "random_state in Python" in " ".join(run(command, "--help")[1].split())


def test_scoring_is_repeatable_and_takes_costs(run):
    scoring = ("--scoring", "accuracy", "--scoring", "model_size")
    status, out, _ = run("compare", "--dataset", "iris", *MODELS, "--cv", "3", *scoring)
    assert status == 0
    assert any(line.startswith("model_size ") for line in out.splitlines())


def test_a_model_without_a_name_is_called_by_its_class(run):
    status, out, _ = run(
        "compare", "--dataset", "iris", "--cv", "3", "--model", TREE, "--model", "sklearn.naive_bayes:GaussianNB"
    )
    assert status == 0
    assert out.startswith("tree and gaussiannb have the same scores on accuracy.")


def test_every_bundled_dataset_loads():
    for name in DATASETS:
        X, y = bundled_dataset(name)
        assert len(X) == len(y)


# ---- tables ---------------------------------------------------------------------------------------------------


def test_a_mixed_table_is_prepared_for_classification(run, table):
    status, out, err = run("compare", "--data", table, "--target", "label", *MODELS, "--cv", "3")
    assert (status, err) == (0, "")
    assert "90 samples" in out
    assert "3 numeric columns" in " ".join(out.split())
    assert "4 categorical columns" in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= 110


def test_a_mixed_table_is_prepared_for_regression(run, table):
    status, out, err = run("compare", "--data", table, "--target", "price", *REGRESSORS, "--cv", "3")
    assert (status, err) == (0, "")
    assert "RMSE" in out
    assert "2 numeric columns" in " ".join(out.split())
    assert "5 categorical columns" in " ".join(out.split())


def grouped(n_groups=30):
    """Biopsies, as if several were of one patient; half the features tell nothing."""
    X, y = load_breast_cancer(return_X_y=True)
    lines = [f"{a},{b},p{i // 5},{'ab'[k]}\n" for i, (a, b, k) in enumerate(zip(X[:, 0], X[:, 1], y, strict=True))]
    return "radius,texture,patient,kind\n" + "".join(lines[: 5 * n_groups])


def test_rows_of_a_group_stay_together_and_it_is_no_feature(run, csv, tmp_path):
    page = tmp_path / "page.html"
    arguments = ("--data", csv(grouped()), "--target", "kind", *MODELS, "--scoring", "accuracy", "--cv", "5")
    status, out, err = run("compare", *arguments, "--group", "patient", "--html", page)
    assert (status, err) == (0, "")
    flat = " ".join(out.split())
    assert "5-fold cross-validation of 30 groups" in flat
    assert "2 numeric columns" in flat
    assert "5-fold cross-validation of 30 groups" in page.read_text(encoding="utf-8")
    assert "of 30 groups" in run("curve", *arguments, "--group", "patient", "--sizes", "0.5,1.0")[1]


def test_rows_in_time_order_are_tested_later_than_they_are_trained_on(run, csv, tmp_path):
    page = tmp_path / "page.html"
    arguments = ("--data", csv(grouped(60)), "--target", "kind", "--drop", "patient", *MODELS, "--scoring", "accuracy")
    status, out, err = run("compare", *arguments, "--in-time", "--cv", "4", "--html", page)
    assert (status, err) == (0, "")
    assert "4 test sets in time order" in " ".join(out.split())
    assert "Diebold-Mariano test" in out
    assert "4 test sets in time order" in page.read_text(encoding="utf-8")


def test_columns_of_numbers_can_be_taken_as_categories(run, csv):
    path = csv("x,code,y\n" + "".join(f"{i},{i % 3},{'ab'[i % 2]}\n" for i in range(20)))
    _, out, _ = run("compare", "--data", path, "--target", "y", "--categorical", "code", *MODELS, "--cv", "2")
    assert "1 numeric column (" in " ".join(out.split())
    assert "1 categorical column (" in " ".join(out.split())


def test_boolean_columns_and_targets_are_categories(run, csv):
    lines = "".join(f"{i % 5 < 3},{'' if i == 3 else i % 2 == 0},{i % 2 == 0}\n" for i in range(20))
    path = csv("whole,gaps,y\n" + lines)
    status, out, _ = run("compare", "--data", path, "--target", "y", *MODELS, "--cv", "2")
    assert status == 0
    assert "0 numeric columns" in " ".join(out.split())
    assert "2 categorical columns" in " ".join(out.split())


def test_a_category_that_the_training_set_lacks_is_no_error(run, csv):
    path = csv(rows(x="only{i}"))
    assert run("compare", "--data", path, "--target", "y", *MODELS, "--cv", "2", "--scoring", "accuracy")[0] == 0


@pytest.mark.parametrize(("given", "character"), [(";", ";"), ("tab", "\t"), ("|", "|")])
def test_columns_may_be_separated_otherwise(run, csv, given, character):
    path = csv(rows().replace(",", character))
    arguments = ("--target", "y", *MODELS, "--cv", "2", "--scoring", "accuracy")
    assert run("compare", "--data", path, "--sep", given, *arguments)[0] == 0
    assert run("analyze", csv("model;fold;score\na;0;1\na;1;2\nb;0;1\nb;1;1\n"), "--sep", ";")[0] == 0


def identified(n=20):
    lines = [f"{900 + 7 * i},t{i},{i % 5}.5,{'ab'[i % 2]}" for i in range(n)]
    return "\n".join(["customer id,name,x,y", *lines])


def test_identifiers_are_named_and_left_out_only_when_told_to(run, csv):
    arguments = ("compare", "--data", csv(identified()), "--target", "y", *MODELS, "--cv", "2", "--scoring", "accuracy")
    said = " ".join(run(*arguments)[1].split())
    assert "2 numeric columns" in said
    assert "Columns 'customer id', 'name' have another value in every row, like an identifier, and are used." in said
    assert "To leave them out: --drop 'customer id' --drop name." in said
    said = " ".join(run(*arguments, "--drop", "customer id")[1].split())
    assert "1 numeric column (" in said
    assert "Column 'name' has another value in every row" in said
    said = " ".join(run(*arguments, "--drop", "customer id", "--drop", "name")[1].split())
    assert "0 categorical columns" in said
    assert "identifier" not in said
    assert "\n\n\n" not in run(*arguments, "--drop", "customer id", "--drop", "name", "--out", csv("", "a.skc"))[1]


def test_measurements_are_no_identifiers(run, csv):
    path = csv("x,y\n" + "".join(f"{i}.25,{'ab'[i % 2]}\n" for i in range(20)))
    assert "identifier" not in run("compare", "--data", path, "--target", "y", *MODELS, "--cv", "2")[1]


def test_a_study_names_identifiers_by_data_set(run, csv, tmp_path):
    csv(identified().replace(",", ";"), "theirs.csv")
    config = tmp_path / "study.toml"
    text = (
        'cv = "2"\nscoring = ["accuracy"]\n[models]\nnb = "sklearn.naive_bayes:GaussianNB"\n'
        'tree = "sklearn.tree:DecisionTreeClassifier"\n[datasets]\niris = "iris"\n'
        'theirs = {path = "theirs.csv", target = "y", sep = ";", drop = ["name"]}\n'
    )
    config.write_text(text)
    said = " ".join(run("study", config)[1].split())
    assert "Data set 'theirs': Column 'customer id' has another value in every row, like an identifier" in said
    assert 'To leave it out: drop = ["name", "customer id"].' in said


@pytest.mark.parametrize(
    "secret", ["root:x:0:0:root:/root:/bin/sh", "token,s3cr3t", "token;s3cr3t", "a\ts3cr3t", ",,,", ""]
)
@pytest.mark.parametrize(
    "entry", ['target = "s3cr3"', 'target = "y", drop = ["token"]', 'target = "token:", sep = "|"']
)
def test_a_study_shows_nothing_of_a_file_whose_columns_it_does_not_know(refusal, tmp_path, secret, entry):
    (tmp_path / "elsewhere").write_text(f"{secret}\nmore {secret}\n")
    config = tmp_path / "study.toml"
    models = "".join(f'{name} = "sklearn.naive_bayes:GaussianNB"\n' for name in "ab")
    config.write_text(f'[models]\n{models}[datasets]\nd = {{path = "elsewhere", {entry}}}\n')
    said = refusal("study", config).replace(str(tmp_path), "")
    assert "s3cr3t" not in said
    assert "root" not in said


@pytest.mark.parametrize("depth", [500, 5_000])
def test_a_study_that_is_nested_deep_is_refused_in_one_line(refusal, tmp_path, depth):
    config = tmp_path / "study.toml"
    config.write_text(f"cv = {'[' * depth}{']' * depth}\n")
    assert "CONFIG" in refusal("study", config)
    config.write_text(f"cv = {'{a = ' * depth}1{'}' * depth}\n")
    assert "CONFIG" in refusal("study", config)


def test_a_byte_order_mark_is_not_part_of_the_first_name(run, csv):
    path = csv(b"\xef\xbb\xbf" + rows().encode())
    arguments = ("--target", "y", "--categorical", "x", *MODELS, "--cv", "2", "--scoring", "accuracy")
    assert run("compare", "--data", path, *arguments)[0] == 0
    config = csv(
        'cv = "2"\nscoring = ["accuracy"]\n[models]\nnb = "sklearn.naive_bayes:GaussianNB"\n'
        'tree = "sklearn.tree:DecisionTreeClassifier"\n[datasets]\niris = "iris"\n'
        f'mine = {{path = "{path.name}", target = "y", categorical = ["x"]}}\n',
        "study.toml",
    )
    assert run("study", config)[0] == 0


# ---- refusals: the table --------------------------------------------------------------------------------------


def test_an_unknown_target_is_answered_with_the_columns_and_the_nearest(refusal, table):
    said = refusal("compare", "--data", table, "--target", "labell", *MODELS)
    assert "must be one of 'größe'" in said
    assert "did you mean 'label'?" in said


def test_an_unknown_categorical_column_is_named(refusal, table):
    said = refusal("compare", "--data", table, "--target", "label", "--categorical", "nope", *MODELS)
    assert "--categorical" in said
    assert "'nope'" in said


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"", "cannot read", id="an empty file"),
        pytest.param(b"\x00\xff\xfe\x80garbage\x00" * 50, "cannot read", id="a binary file"),
        pytest.param('x,y\n1,"2\n', "never closed", id="an open quote"),
        pytest.param("x,y\n1,2\n1,2,3,4,5\n", "cannot read", id="a row too long"),
        pytest.param("x,y\n0,a,2,3\n1,b,4,3\n", "its header has 2 cells", id="all rows too long"),
        pytest.param("1.5,2\n2.5,3\n", "must be one of '1.5', '2'; got 'y'", id="no header"),
        pytest.param(rows().replace(",", ";"), None, id="another separator"),
        pytest.param("x,y\n", "no rows", id="a header alone"),
        pytest.param("y\na\nb\n", "no column besides", id="the target alone"),
        pytest.param("x,y\n1,a\n2,\n3,b\n", "no value in row 2", id="a missing target"),
        pytest.param(rows("yes"), "at least 2 classes", id="one class only"),
        pytest.param(rows(x="{i}" + "\n").replace("\n,", ","), None, id="a sound file"),
        pytest.param(rows() + "oops,yes\n", "--categorical x; got 'oops' in row 21", id="a typing error"),
        pytest.param(rows("0.25,1.5"), "must hold classes", id="measurements for classifiers"),
        pytest.param(rows() + "inf,yes\n", "infinity", id="an infinite value"),
        pytest.param(rows(x="1{i}" + "0" * 24), None, id="numbers of 26 digits"),
        pytest.param("x,y,y\n1,a,b\n2,b,a\n", "two are called 'y'", id="a column twice"),
        pytest.param(rows(n=50, x="name{i}"), "50 different texts in 50 rows", id="a text for every row"),
    ],
)
def test_a_bad_table_is_refused_in_one_line(refusal, run, csv, content, words):
    arguments = ("compare", "--data", csv(content), "--target", "y", *MODELS, "--cv", "2")
    if words is None:
        assert run(*arguments)[0] == 0
    else:
        assert words in refusal(*arguments)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_a_table_is_read_whatever_its_encoding(run, csv, encoding):
    content = csv(rows().replace("x,", "größe,", 1).encode(encoding))
    assert run("compare", "--data", content, "--target", "y", *MODELS, "--cv", "2", "--scoring", "accuracy")[0] == 0


def test_a_text_column_is_no_target_for_regressors(refusal, csv):
    said = refusal("compare", "--data", csv(rows("1.5,cheap")), "--target", "y", *REGRESSORS, "--cv", "2")
    assert "must hold numbers" in said
    assert "'cheap' in row 2" in said


def test_a_missing_file_and_a_directory_get_their_own_messages(refusal, tmp_path):
    assert "No such file" in refusal("compare", "--data", tmp_path / "no.csv", "--target", "y", *MODELS)
    assert "directory" in refusal("compare", "--data", tmp_path, "--target", "y", *MODELS)


def test_data_without_a_target_lists_the_columns(refusal, csv):
    assert "'x', 'y'" in refusal("compare", "--data", csv(rows()), *MODELS)


# ---- refusals: the models -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("sklearn.tree:DecisionTreeClasifier", "did you mean 'DecisionTreeClassifier'?"),
        ("sklearn.trees:DecisionTreeClassifier", "cannot import 'sklearn.trees'"),
        ("no_such_package_at_all:Model", "cannot import"),
        (":GaussianNB", "must read NAME=MODULE:CLASS"),
        ("..x:GaussianNB", "cannot import"),
        ("GaussianNB", "must read NAME=MODULE:CLASS"),
        ("=sklearn.naive_bayes:GaussianNB", "must read NAME=MODULE:CLASS"),
        ("", "must read NAME=MODULE:CLASS"),
        ("sklearn.naive_bayes:", "must read NAME=MODULE:CLASS"),
        ("sklearn.naive_bayes:GaussianNB(", "must read NAME=MODULE:CLASS"),
        ("sklearn.naive_bayes:GaussianNB().fit", "must read NAME=MODULE:CLASS"),
        ("sklearn.naive_bayes:GaussianNB; x", "must read NAME=MODULE:CLASS"),
        ("sklearn.tree:DecisionTreeClassifier(3)", "only KEY=LITERAL"),
        ("sklearn.tree:DecisionTreeClassifier(**{'max_depth': 3})", "only KEY=LITERAL"),
        ("sklearn.tree:DecisionTreeClassifier(max_depth=depth)", "only KEY=LITERAL"),
        ("sklearn.naive_bayes:GaussianNB(priors={[1]})", "only KEY=LITERAL"),
        ("sklearn.naive_bayes:GaussianNB(priors=" + "[" * 500 + ")", "must read NAME=MODULE:CLASS"),
        ("sklearn.naive_bayes:GaussianNB(priors=" + "-" * 50_000 + "1)", "must read NAME=MODULE:CLASS"),
        ("sklearn.naive_bayes:GaussianNB(x\0=1)", "must read NAME=MODULE:CLASS"),
        ("sklearn.tree:DecisionTreeClassifier(depth=3)", "unexpected keyword argument 'depth'"),
        ("sklearn.tree:export_text", "the class, after the colon, must be one of"),
        ("sklearn.preprocessing:StandardScaler", "no estimator with fit and predict"),
        ("sklearn.tree:DecisionTreeClassifier(max_depth=-3)", "max_depth"),
        ("sklearn.tree:DecisionTreeRegressor", "all classifiers or all regressors"),
    ],
)
def test_a_bad_model_is_refused_in_one_line(refusal, spec, words):
    assert words in refusal("compare", "--dataset", "iris", "--cv", "2", "--model", BAYES, "--model", spec)


@pytest.mark.parametrize(
    "spec",
    [
        "sklearn.tree:DecisionTreeClassifier(max_depth=open({path!r}, 'w'))",
        "sklearn.tree:DecisionTreeClassifier(max_depth=[open({path!r}, 'w')])",
        "sklearn.tree:DecisionTreeClassifier(max_depth=__import__('pathlib').Path({path!r}).touch())",
        "sklearn.tree:DecisionTreeClassifier(max_depth=f'{{open({path!r}, chr(119))}}')",
        "sklearn.tree:open({path!r}, 'w')",
        "builtins:open(file={path!r}, mode='w')",
        "io:FileIO(file={path!r}, mode='w')",
        "subprocess:Popen(args=['touch', {path!r}])",
    ],
)
def test_a_spec_runs_no_code(refusal, tmp_path, spec):
    path = tmp_path / "made"
    refusal("compare", "--dataset", "iris", "--model", BAYES, "--model", spec.format(path=str(path)))
    assert not path.exists()


def test_two_models_of_one_name_are_refused(refusal):
    assert "'nb'" in refusal("compare", "--dataset", "iris", "--model", BAYES, "--model", BAYES)


# ---- refusals: the other options ------------------------------------------------------------------------------


@pytest.mark.parametrize("cv", ["0x3", "3x0", "1", "0", "-3", "", "ten", "10 x 10", "5x1", "2.5", "²", "60", "3x60"])
def test_a_bad_cv_is_refused_in_one_line(refusal, cv):
    said = refusal("compare", "--dataset", "iris", *MODELS, "--cv", cv)
    assert "cv must" in said or "n_splits=60 cannot be greater" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "--model"),
        (("--dataset", "iris"), "--model"),
        (MODELS, "either --dataset NAME or --data FILE.csv"),
        (("--dataset", "iris", "--data", "x.csv", *MODELS), "either --dataset NAME or --data FILE.csv"),
        (("--dataset", "iris", "--target", "y", *MODELS), "go with --data"),
        (("--dataset", "iriss", *MODELS), "did you mean 'iris'?"),
        (("--dataset", "iris", *MODELS, "--scoring", "acuracy"), "did you mean 'accuracy'"),
        (("--dataset", "iris", *MODELS, "--scoring", "roc_auc", "--scoring", "roc_auc"), "each metric once"),
        (("--dataset", "iris", *MODELS, "--seed", "-1"), "--seed"),
        (("--dataset", "iris", *MODELS, "--seed", "x"), "--seed"),
        (("--dataset", "iris", *MODELS, "--jobs", "0"), "--jobs"),
        (("--dataset", "iris", *MODELS, "--out", "no/such/directory/a.skc"), "--out"),
        (("--dataset", "iris", *MODELS, "--out", "."), "--out"),
        (("--dataset", "iris", *MODELS, "--out", f"{__file__}/a.skc"), "--out"),
        (("--dataset", "iris", *MODELS, "--unknown"), "--unknown"),
        (("--dataset",), "--dataset"),
        (("iris", *MODELS), "iris"),
    ],
)
def test_bad_options_are_refused_in_one_line(refusal, arguments, words):
    assert words in refusal("compare", *arguments)


def test_an_unknown_command_is_refused(refusal):
    assert "compar" in refusal("compar")


def test_show_refuses_what_is_no_saved_result(refusal, tmp_path, csv):
    assert "no.skc" in refusal("show", tmp_path / "no.skc")
    assert "saved by skcompare" in refusal("show", csv("x,y\n"))
    assert "irectory" in refusal("show", tmp_path)
    assert "FILE" in refusal("show")


def test_an_error_of_many_lines_is_told_in_one_short_line(refusal, csv):
    said = refusal("compare", "--data", csv("x" * 5000 + ",y\n1,2\n"), "--target", "z", *MODELS)
    assert len(said) <= 520


@pytest.mark.filterwarnings("default")
def test_repeated_warnings_of_an_estimator_are_told_once_in_one_line(run):
    slow = "lr=sklearn.linear_model:LogisticRegression(max_iter=2)"
    status, out, err = run("compare", "--dataset", "wine", "--cv", "3", "--model", BAYES, "--model", slow)
    assert status == 0
    assert out.startswith("Use nb: ")
    lines = err.splitlines()
    assert lines
    assert len(lines) == len(set(lines))
    assert all(line.startswith("skcompare: warning: ") for line in lines)


# ---- help and progress ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments", [["--help"], *[[name, "-h"] for name in sorted(cli.command.commands)], ["store"], []]
)
def test_help_fits_80_columns(run, arguments):
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    assert out.startswith("Usage: skcompare")
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("command", ["show", "report"])
def test_what_reads_results_names_all_that_save_them(run, command):
    saving = [name for name, one in cli.command.commands.items() if any(x.name == "html" for x in one.params)]
    text = " ".join(run(command, "-h")[1].split())
    assert len(saving) == 4
    assert all(name in re.search("a result that (.*?) saved", text)[1] for name in saving)


def test_the_version_is_told():
    assert skcompare.__version__ in CliRunner().invoke(cli.command, ["--version"]).output


class _Full(io.StringIO):
    def write(self, _):
        raise OSError(28, "No space left on device")


def test_output_that_cannot_be_written_is_one_line_too(refusal, monkeypatch):
    monkeypatch.setattr(sys, "stdout", _Full())
    assert "No space left" in refusal("compare", "--dataset", "iris", *MODELS, "--cv", "3")


class _Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_shown_on_a_terminal_and_never_on_stdout(run, monkeypatch):
    screen = _Terminal()
    arguments = ("compare", "--dataset", "iris", *MODELS, "--cv", "3")
    quiet = run(*arguments)
    monkeypatch.setattr(sys, "stderr", screen)
    status, out, _ = run(*arguments)
    assert status == 0
    assert "6/6" in screen.getvalue()
    assert (0, out, "") == quiet
    screen.truncate(0)
    assert run(*arguments, "--no-progress")[:2] == quiet[:2]
    assert screen.getvalue() == ""


def test_progress_is_shown_elsewhere_when_asked_for(run):
    arguments = ("compare", "--dataset", "iris", *MODELS, "--cv", "3", "--scoring", "accuracy")
    quiet = run(*arguments)
    status, out, err = run(*arguments, "--progress")
    assert (status, out) == quiet[:2]
    assert "6/6" in err


def test_the_installed_command_fails_without_a_traceback_and_works_through_python_m(tmp_path):
    environment = {**os.environ, "PYTHONWARNINGS": "default"}
    wrong = [sys.executable, "-m", "skcompare", "compare", "--dataset", "nope", *MODELS]
    done = subprocess.run(wrong, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("skcompare: error: --dataset must be one of")
    assert done.stderr.count("\n") == 1
    right = [sys.executable, "-m", "skcompare", "compare", "--dataset", "iris", "--cv", "3", *MODELS]
    done = subprocess.run(right, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("nb and tree have the same scores on accuracy.")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_names_that_a_console_lacks_are_escaped_and_no_answer_is_lost(encoding, rng, tmp_path):
    path, characters = tmp_path / "x.csv", "".join(rng.permutation([*"模型→é😀"]))
    path.write_text(f"fold,{characters},b\n" + "".join(f"{i},0.{i}1,0.{i}2\n" for i in range(9)), encoding="utf-8")
    words = [sys.executable, "-m", "skcompare", "analyze", str(path)]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(words, capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert characters.encode(encoding, errors="backslashreplace") in done.stdout


def test_without_standard_error_the_command_does_what_it_does_with_it(tmp_path):
    words = [sys.executable, "-m", "skcompare", "compare", "--dataset", "iris", "--cv", "3", *MODELS]
    done = subprocess.run(["sh", "-c", '"$@" 2>&-', "sh", *words], capture_output=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"nb and tree have the same scores")


def test_warnings_that_are_errors_end_in_one_line(csv):
    path = csv("y_true,a,b\n" + "".join(f"{i % 2},{i % 3 % 2},{i % 5 % 2}\n" for i in range(60)))
    words = [sys.executable, "-W", "error::UserWarning", "-m", "skcompare", "analyze", str(path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"skcompare: error: roc_auc is left out [^\n]+\n", done.stderr)


def test_an_interrupt_while_it_starts_is_no_traceback(tmp_path):
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    words = [sys.executable, "-m", "skcompare", "procedures"]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "skcompare: interrupted before the start\n"


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_a_header_of_many_names_is_read(refusal, csv, separator, rng):
    """Its line is longer than the longest cell that Python's csv module takes, 131,072 characters."""
    names = [f"gene {i:06d}" for i in rng.permutation(12_000)]
    rows = [separator.join(["c" * (i % 2) or "n", *[str(i % 7)] * len(names)]) for i in range(9)]
    path = csv("\n".join([separator.join(["class", *names]), *rows]) + "\n")
    said = refusal("compare", "--data", path, "--model", BAYES)
    assert said.startswith(f"--target must name the column to predict, one of: 'class', {names[0]!r}, {names[1]!r}")


@pytest.mark.parametrize("given", [("--a", "nb", "--b", "nb"), ("--a", "tree"), ("--b", "nb")])
def test_two_names_of_one_model_are_refused_by_both_options(run, refusal, given, tmp_path):
    out = tmp_path / "x.skc"
    run("compare", "--dataset", "iris", *MODELS, "--cv", "3", "--scoring", "accuracy", "--out", out)
    assert refusal("plan", out, "--margin", "0.1", *given).startswith("--a and --b must be two different estimators")


# ---- what cannot be tested, and what is not a file ------------------------------------------------------------


def test_scores_too_large_to_test_end_in_one_line_after_saving(refusal, csv, tmp_path):
    out = tmp_path / "kept.skc"
    lines = [f"{model},{fold},{sign}{fold + 1}e305" for model, sign in (("a", ""), ("b", "-")) for fold in range(5)]
    said = refusal("analyze", csv("model,fold,score\n" + "\n".join(lines) + "\n"), "--out", out)
    assert "cannot test these scores" in said
    assert skcompare.load(out).estimators == ("a", "b")
    assert "cannot test these scores" in refusal("show", out)


def test_out_is_not_written_over_what_is_no_file(refusal, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    said = refusal("compare", "--dataset", "wine", *MODELS, "--cv", "3", "--out", tmp_path / "pipe")
    assert "directory or device" in said
    assert not (tmp_path / "pipe").is_file()


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet", ".skc", ".toml"])
@pytest.mark.parametrize("what", ["pipe", "device", "directory"])
@pytest.mark.parametrize(
    "command",
    [
        ("analyze", "{}"),
        ("check", "{}", "--old", "a", "--new", "b", "--metric", "accuracy", "--margin", "0.1"),
        ("show", "{}"),
        ("report", "{}"),
        ("verify", "{}"),
        ("study", "{}"),
        ("compare", "--data", "{}", "--target", "y", *MODELS),
    ],
    ids=lambda command: command[0],
)
def test_what_is_read_is_a_regular_file(refusal, tmp_path, command, what, suffix):
    path = tmp_path / f"given{suffix}"
    if what == "device":
        path.symlink_to("/dev/zero")
    elif what == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    said = refusal(*(str(path) if part == "{}" else part for part in command))
    assert "must be a file" in said
    assert str(path) in said
    assert "directory" in said or "pipe or device" in said


def test_out_follows_a_link(run, tmp_path):
    (tmp_path / "link.skc").symlink_to(tmp_path / "target.skc")
    assert run("compare", "--dataset", "wine", *MODELS, "--cv", "3", "--out", tmp_path / "link.skc")[0] == 0
    assert (tmp_path / "link.skc").is_symlink()
    assert skcompare.load(tmp_path / "target.skc").estimators


def test_a_dataset_with_numbers_to_predict_is_none_for_classifiers(refusal):
    assert "numeric target: give regressors" in refusal("compare", "--dataset", "diabetes", *MODELS)


@pytest.mark.filterwarnings("default")
def test_a_class_that_is_rarer_than_the_folds_ends_no_run(run, tmp_path):
    """Of the default metrics one has no value on two folds; the others are there, and it is named."""
    X, y = load_iris(return_X_y=True)
    kept = [*range(30), *range(50, 80), *range(100, 103)]
    rows = [",".join(map(str, [*X[i], "abc"[y[i]]])) for i in kept]
    (tmp_path / "data.csv").write_text("\n".join(["p,q,r,s,kind", *rows]))
    status, out, _ = run(
        "compare", "--data", tmp_path / "data.csv", "--target", "kind", "--cv", "5", *MODELS, "--detail", "full"
    )
    assert status == 0
    said = "roc_auc_ovr is not defined on 2 of 5 splits, whose test sets lack class 'c'"
    assert said in " ".join(out.split())


@pytest.mark.parametrize("words", [["--help"], ["compare", "--help"], ["analyze", "--help"], ["check", "-h"], ["no"]])
def test_help_and_wrong_words_load_no_library_of_numbers(words):
    asked = (
        "import sys; from skcompare.__main__ import main; sys.argv[1:] = sys.argv[1].split()\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print([name for name in ('numpy', 'scipy', 'sklearn', 'pandas', 'joblib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", asked, " ".join(words)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("cv", ["10y", "1", "0x3", "3x1", "x5", "5x", "5.0", "-3"])
@pytest.mark.parametrize("in_time", [(), ("--in-time",)])
def test_of_splits_the_command_asks_for_what_it_can_be_given(run, cv, in_time):
    models = ("--model", "sklearn.naive_bayes:GaussianNB", "--model", "sklearn.tree:DecisionTreeClassifier")
    for command in ("compare", "curve"):
        if command == "curve" and in_time:
            continue
        status, _, err = run(command, "--dataset", "iris", *models, "--cv", cv, *in_time)
        assert status == 2
        assert re.search(r"--cv must be (K folds or RxK|a number of test sets).*got '", err)
        assert not re.search(r"splitter|pairs|\bint\b|None", err)


@pytest.mark.parametrize("given", [("--jobs", "0"), ("-n", "0")])
def test_the_command_never_asks_for_none(run, given):
    status, _, err = run("compare", "--dataset", "iris", "--model", "sklearn.naive_bayes:GaussianNB", *given)
    assert status == 2
    assert "--jobs must be a non-zero integer; got 0" in err


STUDY = """cv = "2x3"
[models]
nb = "sklearn.naive_bayes:GaussianNB"
tree = "sklearn.tree:DecisionTreeClassifier"
[datasets]
iris = "iris"
wine = "wine"
"""
WRONG = {
    "compare": {
        "--primary": ["typo", "r2", "f1_macro", "fit_time", "nb", ""],
        "--scoring": ["typo"],
        "--baseline": ["typo", ""],
        "--store": ["none/x.sqlite", "."],
        "--out": ["none/x.skc", "."],
        "--html": ["none/x.html", ".", "x.skc"],
        "--jobs": ["0"],
        "--cv": ["1", "2x1", "x", "9" * 30 + "x2"],
    },
    "study": {"--primary": ["typo", "f1", "roc_auc", "r2", ""], "--out": ["none/x.skc"], "--store": ["."]},
    "curve": {"--sizes": ["x", "0,1", "0.1", "0.5,2.0", "10,1000000"], "--scoring": ["typo"], "--html": ["."]},
    "check": {
        "--margin": ["0", "-1", "1", "5", "accuracy=1", "typo=0.1", "inf"],
        "--metric": ["typo", ""],
        "--junit": ["none/x"],
        "--markdown": ["."],
        "--store": ["none/x.sqlite"],
        "--old": ["nb"],
    },
}


@pytest.mark.parametrize(("name", "option"), [(name, option) for name, of in WRONG.items() for option in of])
def test_what_can_be_known_before_is_refused_before_the_first_fit(run, tmp_path, monkeypatch, name, option):
    fits = []
    for model in (GaussianNB, DecisionTreeClassifier):
        monkeypatch.setattr(model, "fit", lambda self, X, y, fit=model.fit: fits.append(1) or fit(self, X, y))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(STUDY)
    data = ("--dataset", "breast_cancer", "--cv", "2x3")
    given = {"study": ("study.toml",), "check": (BAYES, TREE, *data, "--margin", "0.1", "--metric", "accuracy")}
    for value in WRONG[name][option]:
        asked = list(given.get(name, (*data, *MODELS)))
        if option in asked:
            del asked[asked.index(option) : asked.index(option) + 2]
        status, _, err = run(name, *asked, option, value)
        assert (status, fits) == (3 if name == "check" else 2, []), (value, err)
    if option in ("--primary", "--margin"):
        good = {"compare": "f1", "study": "roc_auc_ovr", "check": "accuracy=0.5"}[name]
        assert run(name, *asked, option, good)[0] == 0
        assert fits
