"""Items that depend on each other: their column is read by its name, or asked about, at every entry."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import skcompare as skc
from skcompare.cli import main as cli
from skcompare.inference import cluster_t_test

MODELS = ("base", "tuned")
NAMES = ("cluster", "clusters", "group", "groups")
UNNAMED = ("document", "patient_id", "Patient", "block", "source")


@pytest.fixture
def drawn(rng):
    """Clusters that stand in blocks, and whether each model was right on their items, alike within a cluster."""
    sizes = rng.integers(3, 8, size=rng.integers(12, 45))
    clusters = np.repeat(np.arange(len(sizes)) + 100, sizes)
    lead = np.repeat(rng.normal(0.1, 0.4, len(sizes)), sizes)
    n = len(clusters)
    right = {"base": rng.random(n) < 0.5, "tuned": rng.random(n) < np.clip(0.55 + lead, 0, 1)}
    return clusters, {name: found.astype(int) for name, found in right.items()}


def tidy(column, clusters, right, **more):
    n = len(clusters)
    table = {"sample_id": np.tile(np.arange(n), 2), "model": np.repeat(MODELS, n)}
    return pd.DataFrame({**table, **more, column: np.tile(clusters, 2)}).assign(
        outcome=np.concatenate([right[name] for name in MODELS])
    )


def predicted(column, clusters, right):
    """The same as predictions of a truth."""
    truth = np.arange(len(clusters)) % 2
    labels = np.concatenate([np.where(right[name] == 1, truth, 1 - truth) for name in MODELS])
    frame = tidy(column, clusters, right).drop(columns="outcome")
    return frame.assign(y_true=np.tile(truth, 2), prediction=labels)


def by_outcomes(column, clusters, right, _, told):
    return skc.from_outcomes(tidy(column, clusters, right), **({"clusters": told} if told else {}))


def by_predictions(column, clusters, right, _, told):
    frame = predicted(column, clusters, right)
    return skc.from_predictions(frame, scoring="accuracy", **({"clusters": told} if told else {}))


def by_command(column, clusters, right, path, told):
    tidy(column, clusters, right).to_csv(path / "x.csv", index=False)
    more = ["--cluster", told] if told else []
    done = CliRunner().invoke(cli.command, ["analyze", str(path / "x.csv"), *more, "--out", str(path / "x.skc")])
    if done.exit_code == 2:
        raise ValueError(done.stderr)
    assert done.exit_code == 0, done.output
    return skc.load(path / "x.skc")


ENTRIES = {"outcomes": by_outcomes, "predictions": by_predictions, "file": by_command}
entries = pytest.mark.parametrize("entry", ENTRIES)


@entries
@pytest.mark.parametrize("case", [str.lower, str.upper, str.title])
@pytest.mark.parametrize("name", NAMES)
def test_a_column_of_clusters_is_read_by_its_name(entry, name, case, drawn, tmp_path):
    clusters, right = drawn
    result = ENTRIES[entry](case(name), clusters, right, tmp_path, None)
    assert result.design.n_clusters == len(np.unique(clusters))
    expected = cluster_t_test(right["base"], right["tuned"], clusters=clusters)
    assert result.test(a="base", b="tuned").pvalue == pytest.approx(expected.pvalue)


@entries
@pytest.mark.parametrize("name", UNNAMED)
@pytest.mark.parametrize("text", [False, True])
@pytest.mark.sampled
def test_a_column_that_may_be_clusters_is_asked_about_and_the_calls_work(entry, name, text, drawn, tmp_path):
    clusters, right = drawn
    given = np.array([f"c{x}" for x in clusters]) if text else clusters
    with pytest.raises(ValueError, match="clusters must be told") as asked:
        ENTRIES[entry](name, given, right, tmp_path, None)
    of_command = [f"--cluster {name}", "--cluster none"]
    for call in of_command if entry == "file" else [f"clusters={name!r}", "clusters='none'"]:
        assert call in str(asked.value)
    expected = cluster_t_test(right["base"], right["tuned"], clusters=clusters)
    told = ENTRIES[entry](name, given, right, tmp_path, name)
    assert told.test(a="base", b="tuned").pvalue == pytest.approx(expected.pvalue)
    left = ENTRIES[entry](name, given, right, tmp_path, "none")
    assert left.design.n_clusters is None
    assert set(left.details.sample_columns) == {name}  # for by()


@entries
@pytest.mark.parametrize("kind", ["names", "two wards", "lengths", "shares"])
def test_what_describes_items_is_not_asked_about(entry, kind, drawn, tmp_path, rng):
    clusters, right = drawn
    n = len(clusters)
    column = {
        "names": np.array([f"item {i}" for i in range(n)]),
        "two wards": np.array(["north", "south"])[(np.arange(n) > n // 2).astype(int)],
        "lengths": rng.permutation(np.arange(n) % 9),
        "shares": rng.random(n).round(1),
    }[kind]
    assert ENTRIES[entry]("about", column, right, tmp_path, None).design.n_clusters is None


ELSEWHERE = ("fold", "repeat", "task", "dataset", "n_train", "n_test", "seed")  # read in tables of scores alone


@entries
@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_name_that_this_table_does_not_read_is_no_reason_to_take_items_for_independent(entry, name, drawn, tmp_path):
    clusters, right = drawn
    with pytest.raises(ValueError, match="clusters must be told"):
        ENTRIES[entry](name, clusters, right, tmp_path, None)
    told = ENTRIES[entry](name, clusters, right, tmp_path, name)
    expected = cluster_t_test(right["base"], right["tuned"], clusters=clusters)
    assert told.test(a="base", b="tuned").pvalue == pytest.approx(expected.pvalue)
    assert ENTRIES[entry](name, clusters, right, tmp_path, "none").design.n_clusters is None
    if entry == "file":
        tidy(name, clusters // 50, right).to_csv(tmp_path / "x.csv", index=False)
        done = CliRunner().invoke(cli.command, ["analyze", str(tmp_path / "x.csv"), "--by", name])
        assert "clusters must be told" not in done.stderr


@pytest.mark.parametrize("make", [dict, pd.DataFrame])
@pytest.mark.parametrize("name", [*ELSEWHERE, "Fold", "metric", "n_samples", "run"])
def test_what_is_said_of_rows_is_no_model(make, name, drawn, rng):
    """A column fold beside those of models would lead with its numbers, whatever its order."""
    _, right = drawn
    n = len(right["base"])
    column = rng.integers(0, 5, n)
    with pytest.raises(ValueError, match=f"'{name}' is no model"):
        skc.from_outcomes(make({**right, name: column}))
    numbers = rng.normal(size=n)
    with pytest.raises(ValueError, match=f"'{name}' is no model"):
        skc.from_predictions(numbers, make({"a": numbers, "b": -numbers, name: column}))


def test_a_group_to_compare_in_is_no_cluster(drawn, tmp_path):
    clusters, right = drawn
    tidy("source", clusters // 4, right).to_csv(tmp_path / "x.csv", index=False)
    done = CliRunner().invoke(cli.command, ["analyze", str(tmp_path / "x.csv"), "--by", "source"])
    assert done.exit_code == 0 or "groups" in done.stderr  # by() has its own limit of groups
    assert "clusters must be told" not in done.stderr


def test_a_check_of_files_knows_clusters(drawn, tmp_path):
    clusters, right = drawn
    for column, more, n in (("Clusters", [], 2), ("document", ["--cluster", "document"], 2), ("document", [], 0)):
        frame = predicted(column, clusters, right)
        files = []
        for name in MODELS:
            files.append(str(tmp_path / f"{name}.csv"))
            frame[frame["model"] == name].drop(columns="model").to_csv(files[-1], index=False)
        arguments = ["check", *files, "--metric", "accuracy", "--margin", "0.05", *more]
        done = CliRunner().invoke(cli.command, arguments)
        if n:
            assert done.exit_code in (0, 1, 2), done.stderr
        else:
            assert done.exit_code == 3
            assert "clusters must be told" in done.stderr


def test_a_column_per_model_has_the_parameters_beside_it(drawn):
    """The ids and the clusters are no models, in a frame and in a mapping of arrays."""
    clusters, right = drawn
    ids = [f"q{i}" for i in range(len(clusters))]
    expected = skc.from_outcomes(right, clusters=clusters, sample_id=ids)
    truth = np.arange(len(clusters)) % 2
    labels = {name: np.where(x == 1, truth, 1 - truth) for name, x in right.items()}
    for make in (dict, pd.DataFrame):
        one = skc.from_outcomes(make({"Sample_ID": ids, **right, "clusters": clusters}))
        other = skc.from_predictions(truth, make({"sample_id": ids, **labels, "Groups": clusters}), scoring="accuracy")
        for result in (one, other):
            assert result.estimators == MODELS
            assert result.details.sample_ids.tolist() == ids
            assert result.test(a="base", b="tuned").pvalue == pytest.approx(expected.test().pvalue)
        with pytest.raises(ValueError, match="clusters must be told"):
            skc.from_outcomes(make({**right, "block": clusters}))
    with pytest.raises(ValueError, match="'y_true' is no model"):
        skc.from_predictions(truth, {**labels, "y_true": truth})


@pytest.mark.parametrize("case", [str.lower, str.upper, str.title])
def test_arguments_are_columns_of_tables_too(case, rng):
    """What holds for all rows may stand in a column by the name of the argument."""
    scores = {"model": ["a"] * 6 + ["b"] * 6, "repeat": [*range(6)] * 2, "fold": [0] * 12, "score": rng.random(12)}
    told = {**scores, "test_fraction": [0.2] * 12, "n_samples": [300] * 12, "greater_is_better": [False] * 12}
    result = skc.from_frame({case(name): x for name, x in told.items()})
    assert (result.design.test_fraction, result.design.n_samples) == (0.2, 300)
    assert result.greater_is_better == (False,)
    runs = {"model": scores["model"], "run": scores["repeat"], "score": scores["score"], "paired": ["one order"] * 12}
    assert skc.from_runs({case(name): x for name, x in runs.items()}).design.paired == "one order"
    study = {"dataset": [f"d{i}" for i in range(6)] * 2, "model": scores["model"], "score": scores["score"]}
    of_study = skc.StudyResult.from_frame({case(n): x for n, x in {**study, "greater_is_better": [False] * 12}.items()})
    assert of_study.greater_is_better == (False,)
    both = {name: [*x, *x] for name, x in scores.items()}
    both |= {"metric": ["loss"] * 12 + ["gain"] * 12, "greater_is_better": [False] * 12 + [True] * 12}
    two = skc.from_frame({case(name): x for name, x in both.items()}, test_fraction=0.2)
    assert dict(zip(two.metrics, two.greater_is_better, strict=True)) == {"loss": False, "gain": True}
    with pytest.raises(ValueError, match="test_fraction"):
        skc.from_frame(told, test_fraction=0.1)
    with pytest.raises(ValueError, match="test_fraction"):
        skc.from_frame({**told, "test_fraction": [0.1, 0.2] * 6})
    with pytest.raises(ValueError, match="'score'"):
        skc.from_frame({**scores, "Score": scores["score"]})


def test_items_are_never_called_folds(drawn, rng):
    clusters, right = drawn
    graded = {name: x + rng.normal(size=len(x)) for name, x in right.items()}
    for result in (
        skc.from_outcomes(right),
        skc.from_outcomes(graded),
        skc.from_outcomes(right, clusters=clusters),
        skc.from_outcomes({"sample_id": np.arange(len(clusters)), **graded}),
    ):
        records = [result.test(name) for name in ("auto", "paired_t_test", "permutation_test")]
        texts = [result.summary("full"), result.methods_text(), *map(str, records), *(one.method for one in records)]
        for text in texts:
            assert "fold" not in text.split("@")[0].lower()


def test_samples_in_clusters_are_not_said_to_be_independent(rng):
    y = rng.integers(0, 2, 60)
    labels = {name: np.where(rng.random(60) < share, y, 1 - y) for name, share in (("a", 0.8), ("b", 0.7))}
    for clusters, cases in ((None, "samples"), (np.arange(60) // 3, "clusters")):
        result = skc.from_predictions(y, labels, scoring=["f1", "accuracy"], clusters=clusters)
        text = " ".join(str(result.explain()).split())
        assert f"It assumes independent {cases}" in text
        assert ("independent samples" in text) == (cases == "samples")


@pytest.mark.parametrize("column", UNNAMED)
@pytest.mark.parametrize("form", [dict, pd.DataFrame])
def test_a_column_beside_those_of_models_is_named_as_clusters(column, form, drawn):
    clusters, right = drawn
    named = skc.from_outcomes(form({**right, column: clusters}), clusters=column)
    apart = skc.from_outcomes(form(right), clusters=clusters)
    assert named.design == apart.design
    assert str(named.test()) == str(apart.test())


@pytest.mark.parametrize("column", ["document", "block", "chapter"])
@pytest.mark.parametrize("form", ["doc{}", "{}"])
def test_names_in_blocks_beside_columns_of_predictions_are_asked_about(column, form, drawn, tmp_path):
    clusters, right = drawn
    truth = np.arange(len(clusters)) % 2
    own = {name: np.where(x == 1, truth, 1 - truth) for name, x in right.items()}
    table = pd.DataFrame({column: map(form.format, clusters), "y_true": truth, **own})
    table.to_csv(tmp_path / "x.csv", index=False)
    for source in (table, tmp_path / "x.csv"):
        with pytest.raises(ValueError, match="clusters must be told where items repeat"):
            skc.read(source, truth="y_true", models=[*own])
