"""`skcompare store`, and `--store` of compare and study."""

from __future__ import annotations

import json
import shlex
import sqlite3
import time

import numpy as np
import pytest
import sklearn

MODELS = (
    "--model",
    "nb=sklearn.naive_bayes:GaussianNB",
    "--model",
    "tree=sklearn.tree:DecisionTreeClassifier(max_depth=3)",
)
COMPARE = ("compare", "--dataset", "iris", "--cv", "3", *MODELS)


@pytest.fixture
def refusal(run):
    """The one line with which the command refuses some arguments, without its prefix."""

    def refusal(*arguments):
        status, out, err = run(*arguments)
        assert (status, out) == (2, "")
        assert err.startswith("skcompare: error: ")
        assert err.count("\n") == 1
        return err.removeprefix("skcompare: error: ").rstrip("\n")

    return refusal


@pytest.fixture
def file(tmp_path, run):
    """A store of one comparison on iris."""
    path = tmp_path / "runs.sqlite"
    assert run(*COMPARE, "--store", path)[0] == 0
    return path


def change(path, statement, values=()):
    with sqlite3.connect(path) as store:
        store.execute(statement, values)
    store.close()


def count(path, table="fits"):
    store = sqlite3.connect(path)
    (number,) = store.execute(f"SELECT count(*) FROM {table}").fetchone()
    store.close()
    return number


def test_compare_fits_only_what_the_store_lacks(run, file, monkeypatch):
    from sklearn.naive_bayes import GaussianNB

    first = run(*COMPARE)
    assert count(file) == 6

    def fail(*_, **__):
        raise AssertionError("fitted again")

    monkeypatch.setattr(GaussianNB, "fit", fail)
    assert run(*COMPARE, "--store", file) == first


@pytest.mark.parametrize("stored", [True, False])
def test_an_interrupt_says_what_is_kept_and_how_to_go_on(run, tmp_path, monkeypatch, stored):
    from sklearn.tree import DecisionTreeClassifier

    path, n_left, fit = tmp_path / "my runs.sqlite", [2], DecisionTreeClassifier.fit

    def interrupted(self, *arguments, **options):
        n_left[0] -= 1
        if n_left[0] < 0:
            raise KeyboardInterrupt
        return fit(self, *arguments, **options)

    store = ("--store", path) if stored else ()
    with monkeypatch.context() as patch:
        patch.setattr(DecisionTreeClassifier, "fit", interrupted)
        status, out, err = run(*COMPARE, *store)
    assert (status, out) == (130, "")
    first, command = err.splitlines()
    assert shlex.split(command)[:2] == ["skcompare", "compare"]
    begins = "skcompare: interrupted while estimator 'tree' ran on split 2 (repeat 0, fold 2)."
    if stored:
        assert first == f"{begins} {count(path)} finished fits are kept in {path}. To go on:"
        assert count(path) > 0
        assert run(*shlex.split(command)[1:]) == run(*COMPARE)
        assert count(path) == 6
    else:
        assert first == f"{begins} Nothing is kept without --store. To keep fits, run:"
        assert shlex.split(command)[1:] == [*COMPARE, "--store", "runs.sqlite"]
        assert list(tmp_path.iterdir()) == []


def test_study_keeps_its_fits(run, tmp_path):
    config = tmp_path / "study.toml"
    config.write_text(
        'cv = "3"\n[models]\nnb = "sklearn.naive_bayes:GaussianNB"\ntree = "sklearn.tree:DecisionTreeClassifier"\n'
        '[datasets]\niris = "iris"\nwine = "wine"\n'
    )
    path = tmp_path / "study.sqlite"
    assert run("study", config, "--store", path)[0] == 0
    assert count(path) == 12
    assert count(path, "evaluations") == 2


def test_a_store_that_cannot_be_used_stops_the_command(refusal, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    assert "--store must be a file made by skcompare" in refusal(*COMPARE, "--store", tmp_path / "notes.txt")
    assert "store must be in a directory that exists" in refusal(*COMPARE, "--store", tmp_path / "no" / "x")
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_ls_has_a_line_per_evaluation(run, file):
    assert run("compare", "--dataset", "wine", "--cv", "2", *MODELS, "--store", file)[0] == 0
    status, out, _ = run("store", "ls", file)
    header, _, *lines = out.splitlines()
    assert status == 0
    assert header.split() == ["ID", "last", "used", "data", "fits", "MB", "models"]
    assert [line.split()[3:6] + line.split()[6:7] for line in lines] == [
        ["178", "x", "13", "4"],
        ["150", "x", "4", "6"],
    ]
    assert all(line.endswith("nb, tree") for line in lines)
    assert all(time.strftime("%Y-") in line for line in lines)


def test_show_tells_models_parameters_and_versions(run, file):
    status, out, _ = run("store", "show", file)
    assert status == 0
    assert "150 x 4" in out
    assert f"numpy {np.__version__}" in out
    rows = {line.split()[0]: line for line in out.splitlines() if line}
    assert rows["tree"].split()[1] == "3"
    assert rows["tree"].endswith("DecisionTreeClassifier(max_depth=3)")
    assert float(rows["nb"].split()[2]) > 0
    assert run("store", "show", file, "1") == (0, out, "")


def test_reading_changes_nothing(run, file):
    before = file.read_bytes()
    run("store", "ls", file)
    run("store", "show", file)
    assert run("store", "gc", "--dry-run", "--older-than", "0", file)[1].startswith("would remove 6 fits")
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_gc_keeps_what_can_be_used(run, file):
    assert run("store", "gc", file)[1].startswith("removed 0 fits (0.00 MB)\n")
    assert run("store", "gc", "--older-than", "1", file)[1].startswith("removed 0 fits")
    assert "a number in [0, inf]; got nan" in run("store", "gc", "--older-than", "nan", file)[2]
    assert count(file) == 6


@pytest.mark.parametrize("of", ["environment", "evaluations", "models"])
def test_gc_removes_fits_of_other_versions_and_says_which(run, file, monkeypatch, of):
    change(file, "UPDATE fits SET content = zeroblob(200000)")
    if of == "evaluations":
        change(file, "UPDATE evaluations SET context = replace(context, ?, '0.1')", (np.__version__,))
        reason = f"made with numpy 0.1 (here {np.__version__})"
    elif of == "environment":
        monkeypatch.setattr(sklearn, "__version__", "99.0")
        reason = r"(here 99.0)"
    else:
        change(file, "UPDATE models SET packages = ?", (json.dumps({"pytest": "0.1", "no_such_package": "1"}),))
        reason = f"made with pytest 0.1 (here {pytest.__version__})"
    status, out, _ = run("store", "gc", file)
    assert status == 0
    assert out.startswith("removed 6 fits (1.20 MB):\n  6 fits (1.20 MB) made with ")
    assert reason in out
    assert [count(file, table) for table in ("fits", "estimators", "models", "evaluations")] == [0, 0, 0, 0]
    assert file.stat().st_size < 200_000


def test_gc_removes_what_was_not_used_for_long(run, file):
    change(file, "UPDATE estimators SET used_at = used_at - 40 * 86400 WHERE name = 'nb'")
    out = run("store", "gc", "--older-than", "30", file)[1]
    assert "3 fits (0.00 MB) not used for 30 days" in out
    assert count(file) == 3
    assert run("store", "ls", file)[1].splitlines()[2].endswith("  tree")


def test_an_empty_store_is_no_error(run, file):
    run("store", "gc", "--older-than", "0", file)
    assert run("store", "ls", file) == (0, "no fits stored\n", "")


@pytest.mark.parametrize("name", ["ls", "show", "gc"])
def test_files_that_are_no_store_are_refused(refusal, tmp_path, name):
    missing, other = tmp_path / "none.sqlite", tmp_path / "notes.txt"
    other.write_text("mine")
    assert refusal("store", name, missing) == f"FILE must be a file that exists; {str(missing)!r} does not"
    assert "FILE must be a file made by skcompare" in refusal("store", name, other)
    assert not missing.exists()
    assert other.read_text() == "mine"


def test_an_unknown_number_is_refused(refusal, file):
    assert refusal("store", "show", file, "7") == "ID must be one of 1; got 7"
    assert "--older-than" in refusal("store", "gc", file, "--older-than", "-1")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE estimators SET name = char(27) || '[31m' || char(10) || char(8238) || 'nb'",
        "UPDATE models SET description = char(27) || ']0;title' || char(7) || char(13)",
        'UPDATE evaluations SET context = \'{"versions": {"a\' || char(92) || \'u001b[0m": "b"}}\'',
        "UPDATE evaluations SET context = '[[[['",
        "UPDATE evaluations SET context = x'ff00'",
        "UPDATE evaluations SET used_at = 1e300, created_at = 'then', n_samples = 'many', n_features = x'00'",
        "UPDATE models SET packages = '[1]'",
        "UPDATE fits SET fit_time = 'soon', content = 7",
        "UPDATE estimators SET used_at = 'never'",
    ],
)
def test_text_of_a_stranger_reaches_no_terminal(run, file, statement):
    change(file, statement)
    for arguments in (("ls", file), ("show", file), ("gc", "--dry-run", "--older-than", "1", file)):
        status, out, err = run("store", *arguments)
        assert (status, err) == (0, "")
        assert all(character.isprintable() or character == "\n" for character in out)
