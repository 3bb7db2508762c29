"""What is added as docs/adding.md and CONTRIBUTING.md say is there, and the tests that they name are green."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = """
import numpy as np
import skcompare as skc
from sklearn.datasets import make_classification, make_regression
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

J, E = "youden", "symmetric_percentage_error"
reference = {
    J: lambda y, p: 2 * balanced_accuracy_score(y, p) - 1,
    E: lambda y, p: np.mean(2 * abs(y - p) / (abs(y) + abs(p))),
}


def ask(result, metric, better, *, worse):
    (row,) = [row for row in result.compare() if row.metric == metric]
    assert np.isfinite([row.pvalue, row.estimate, row.low, row.high]).all(), row
    assert row.low <= row.estimate <= row.high
    assert row.winner in (None, better) and (row.estimate > 0) == (row.a == better), row
    assert np.isfinite(result.test(metric=metric).pvalue)
    return row


def own(result, metric, score):
    for one in result.intervals(metric):
        assert one.low <= one.score <= one.high and one.score == score(one.model), (metric, one)


def asked(metric, models, data, more, better, worse):
    X, y = data
    evaluator = skc.PairedEvaluator(cv="2x5", scoring=[metric], random_state=0)
    folds = evaluator.evaluate(models, X, y)
    for name in models:
        given = folds.predictions(name)
        expected = [reference[metric](part.y_true, part.y_pred) for part in given]
        np.testing.assert_allclose(folds.score(name, metric), expected, rtol=1e-12)
    row = ask(folds, metric, better, worse=worse)
    assert (folds.score(better, metric).mean() < folds.score(worse, metric).mean()) == (metric == E)
    own(folds, metric, lambda name: folds.score(name, metric).mean())
    assert np.isfinite(folds.intervals(metric, method="bootstrap")[0].low)

    half = len(y) // 2
    predicted = {name: model.fit(X[:half], y[:half]).predict(X[half:]) for name, model in models.items()}
    for clusters in (None, np.arange(half) // 2):
        one = skc.from_predictions(y[half:], predicted, scoring=[metric], clusters=clusters)
        row = ask(one, metric, better, worse=worse)
        own(one, metric, lambda name: one.score(name, metric)[0])
        for name in models:
            assert abs(one.score(name, metric)[0] - reference[metric](y[half:], predicted[name])) < 1e-12
    if metric == J:
        test = skc.inference.paired_metric_test(y[half:], *predicted.values(), J)
        assert abs(test.score_a - reference[J](y[half:], [*predicted.values()][0])) < 1e-12
    study = skc.PairedEvaluator(cv=3, scoring=[metric], random_state=0).evaluate_datasets(models, more)
    (row,) = study.compare()
    assert np.isfinite(row.pvalue) and row.winner in (None, better), row
    assert metric in str(folds) + folds.summary() and metric in study.summary()


def classes(seed):
    return make_classification(160, 8, n_informative=6, flip_y=0.02, class_sep=1.5, random_state=seed)


def numbers(seed):
    return make_regression(160, 6, noise=3.0, random_state=seed)


asked(
    J,
    {"stump": DecisionTreeClassifier(max_depth=1), "linear": LogisticRegression()},
    classes(0),
    {str(seed): classes(seed) for seed in range(6)},
    "linear",
    "stump",
)
asked(
    E,
    {"stump": DecisionTreeRegressor(max_depth=1), "linear": LinearRegression()},
    numbers(0),
    {str(seed): numbers(seed) for seed in range(6)},
    "linear",
    "stump",
)
print("asked")
"""


COLUMN_SCRIPT = """
import numpy as np
import skcompare as skc
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

X, y = load_wine(return_X_y=True)
trees = {f"tree {depth}": DecisionTreeClassifier(max_depth=depth, random_state=0) for depth in (1, 2, 3)}
evaluator = skc.PairedEvaluator(cv=5, scoring=["accuracy"], random_state=0)
scores = {"b": np.tile([0.6, 0.62], 5), "a": np.linspace(0.7, 0.8, 10), "c": np.linspace(0.5, 0.7, 10)}
made = {"curve": evaluator.learning_curve(trees, X, y, train_sizes=[0.5, 1.0])}
search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3]}, cv=5).fit(X, y)
made["search"] = skc.SearchReport.from_search(search)
for n in (2, 3):
    table = {"model": np.repeat([*scores][:n], 10), "fold": np.tile(np.arange(10), n)}
    table["score"] = np.concatenate([*scores.values()][:n])
    made[n] = skc.from_frame(table, test_fraction=0.1)
for name, one in made.items():
    views = {view: getattr(one, view)() for view in ("summary", "_repr_html_", "to_html", "to_markdown", "to_latex")}
    views["explain"] = str(one.explain())
    views |= {"compare": str(one.compare())} if name in (2, 3) else {}
    expected = ["s.e.", "statistic"]
    if name in (2, 3):
        row = one.compare()[0]
        assert row.a == "b" and row.record.statistic < 0  # the leader is a, from whose side tables show it
        own = f"{row.record.standard_error:.4f}", f"{abs(row.record.statistic):.3f}"
        expected += [*own]
        assert f"-{own[1]}" not in views["summary"] and f"-{own[1]}" in views["compare"]
    missing = [view for view, text in views.items() if not all(part in text for part in expected)]
    assert not missing, (name, missing)
    grid = one._document().blocks[2]
    assert {"standard_error", "statistic"} <= {column.name for column in grid.columns}, name
print("asked")
"""


def section(title):
    """The blocks of code of a recipe."""
    text = (ROOT / "docs" / "adding.md").read_text(encoding="utf-8").split(f"## {title}\n")[1].split("\n## ")[0]
    return re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)


def copied(folder):
    """The package with its compiled modules, which a module that is changed then does not use."""
    shutil.copytree(ROOT / "skcompare", folder / "skcompare")
    return folder / "skcompare"


def told(folder, script):
    """What a script says that imports the copy."""
    done = run(folder, "-W", "ignore", "-c", script)
    return done.stdout + done.stderr[-2000:]


def run(folder, *arguments):
    """A run of Python that imports the copy."""
    environment = {"PYTHONPATH": str(folder), "PATH": "", "PYTEST_ADDOPTS": "-n0"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.sampled("adding")
def test_a_metric_is_added_by_one_row(tmp_path):
    """One of labels, as CONTRIBUTING.md works it out, and one of numbers."""
    table = copied(tmp_path) / "_core" / "metrics.py"
    changes, _ = worked_change("A metric")
    apply(tmp_path, [change for change in changes if change[0].startswith("skcompare/")])
    arithmetic, row = section("A metric")[:2]
    before, start, after = table.read_text(encoding="utf-8").partition("_ROWS = (\n")
    assert start
    table.write_text(f"{before}{arithmetic}\n\n{start}{row.rstrip()},\n{after}", encoding="utf-8")
    assert told(tmp_path, SCRIPT) == "asked\n"


@pytest.mark.sampled("adding")
def test_a_column_is_added_in_one_file(tmp_path):
    columns = copied(tmp_path) / "reporting" / "columns.py"
    functions, rows = section("A column in every table")
    text = columns.read_text(encoding="utf-8")
    for place, new in {"COLUMNS = {\n": f"{functions}\n\n", '    "outcome": OfRows(': rows}.items():
        assert text.count(place) == 1
        text = text.replace(place, new + place)
    columns.write_text(text, encoding="utf-8")
    assert told(tmp_path, COLUMN_SCRIPT) == "asked\n"
    shutil.copytree(ROOT / "tests", tmp_path / "tests")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    laws = run(tmp_path, "-m", "pytest", "-q", "tests/test_no_contradiction.py")
    assert laws.returncode == 0, laws.stdout[-3000:]


# ---- the worked changes of CONTRIBUTING.md ------------------------------------------------------------------------


def worked_change(title):
    """The changes of files, in order, and the command that is green then."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split(f"### {title}\n")[1]
    text = re.split(r"\n##+ ", text)[0]
    (command,) = re.findall(r"```bash\npytest (.*?)\n```", text)
    changes, path = [], ""
    for named, diff in re.findall(r"(?m)^`([\w/.]+)`$|```diff\n(.*?)```", text, flags=re.DOTALL):
        path = named or path
        if diff:
            changes.append((path, diff.splitlines()))
    return changes, shlex.split(command)


def apply(folder, changes):
    """Lines that stay or go must be there once; new ones take their place among them."""
    for path, lines in changes:
        file = folder / path
        old, new = ("".join(f"{line[1:]}\n" for line in lines if line[0] in kinds) for kinds in (" -", " +"))
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, (path, old)
        file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.sampled
@pytest.mark.parametrize("title", ["A metric", "A sentence", "A post-hoc test"])
@pytest.mark.sampled("adding")
def test_a_worked_change_is_green_and_its_test_red_without_it(title, tmp_path):
    changes, command = worked_change(title)
    tests = [change for change in changes if change[0].startswith("tests/")]
    assert 0 < len(tests) < len(changes)
    copied(tmp_path)
    for folder in ("tests", "benchmarks"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    apply(tmp_path, tests)
    assert " failed" in run(tmp_path, "-m", "pytest", *command, "-x").stdout.splitlines()[-1]
    apply(tmp_path, [change for change in changes if change not in tests])
    done = run(tmp_path, "-m", "pytest", *command)
    assert done.returncode == 0, done.stdout[-3000:]
