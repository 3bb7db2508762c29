"""Scores of unknown meaning: read by one rule at every entry, which the result says, and asked about elsewhere."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score

import skcompare as skc
from skcompare.cli import main as cli

N = 120
MODELS = ("nb", "lr")


def drawn(rng, accuracy):
    """Truth, and by model decision values of both signs that are right so often."""
    y = rng.permutation(np.arange(N) % 2)
    sizes = rng.uniform(0.05, 3, size=(2, N))
    right = np.array([rng.permutation(N) < share * N for share in accuracy])
    return y, dict(zip(MODELS, np.where(right, 1, -1) * np.where(y == 1, 1, -1) * sizes, strict=True))


def probabilities(decisions):
    return {name: 1 / (1 + np.exp(-x)) for name, x in decisions.items()}


def tidy(y, values, key, **more):
    names = [*values]
    columns = {name: np.tile(x, len(names)) for name, x in more.items()}
    return {
        "sample_id": np.tile(np.arange(N), len(names)),
        "model": np.repeat(names, N),
        "y_true": np.tile(y, len(names)),
        key: np.concatenate([*values.values()]),
        **columns,
    }


def bare(y, values, key, _):
    assert key == "score"
    return skc.from_predictions(y, values, scoring=["accuracy", "roc_auc"])


def keyed(y, values, key, _):
    return skc.from_predictions(y, {n: {key: x} for n, x in values.items()}, scoring=["accuracy", "roc_auc"])


def framed(y, values, key, _):
    return skc.from_predictions(pd.DataFrame(tidy(y, values, key)), scoring=["accuracy", "roc_auc"])


def analyzed(y, values, key, path):
    """What the command read of a file; its refusal as a ValueError."""
    pd.DataFrame(tidy(y, values, key)).to_csv(path / "table.csv", index=False)
    arguments = ["analyze", str(path / "table.csv"), "--metric", "accuracy", "--metric", "roc_auc"]
    done = CliRunner().invoke(cli.command, [*arguments, "--out", str(path / "read.skc")])
    if done.exit_code == 2:
        raise ValueError(done.stderr)
    assert done.exit_code == 0, done.output
    return skc.load(path / "read.skc")


ENTRIES = {"arrays": bare, "keys": keyed, "frame": framed, "file": analyzed}
entries = pytest.mark.parametrize("entry", ENTRIES)
named_entries = pytest.mark.parametrize("entry", [name for name in ENTRIES if name != "arrays"])


@pytest.mark.sampled
@entries
@pytest.mark.parametrize("meaning", ["probabilities", "decision values"])
def test_scores_of_one_clear_meaning_are_cut_where_it_is(entry, meaning, rng, tmp_path):
    y, decisions = drawn(rng, (0.95, 0.7))
    values = probabilities(decisions) if meaning == "probabilities" else decisions
    result = ENTRIES[entry](y, values, "score", tmp_path)
    for name in MODELS:
        right = accuracy_score(y, decisions[name] > 0)
        assert result.score(name, "accuracy") == pytest.approx(right)
        assert result.score(name, "roc_auc") == pytest.approx(roc_auc_score(y, decisions[name]))
    part, cut = "predictions" if entry == "arrays" else "score", "0.5" if meaning == "probabilities" else "0"
    said = f"{part}: {meaning} of class 1, cut at {cut}"
    assert result.provenance["read"] == dict.fromkeys(MODELS, said)
    for shown in (result.summary("full"), result.to_html()):
        assert f"{said[0].upper()}{said[1:]}." in " ".join(shown.split())


UNCLEAR = {
    "above 1": lambda x: 1 + np.exp(x),
    "below 0": lambda x: -np.exp(-x),
    "percentages": lambda x: 100 / (1 + np.exp(-x)),
    "grades": lambda x: np.clip(np.round(2 * x), -4, 4).astype(int) + 6,
}


@entries
@pytest.mark.parametrize("kind", UNCLEAR)
@pytest.mark.parametrize("of", [MODELS, MODELS[:1], MODELS[1:]], ids=["both", "first", "second"])
def test_scores_that_could_mean_several_things_are_asked_about(entry, kind, of, rng, tmp_path):
    y, decisions = drawn(rng, (0.95, 0.7))
    values = {name: UNCLEAR[kind](x) if name in of else x for name, x in decisions.items()}
    if entry == "arrays" and kind == "grades":  # integers are labels, and these are no classes
        values = {name: x.astype(float) for name, x in values.items()}
    with pytest.raises(ValueError, match=r"(?s)'decision_function'.*'prediction'") as refused:
        ENTRIES[entry](y, values, "score", tmp_path)
    assert f"predictions[{of[0]!r}]" in str(refused.value)


@entries
@pytest.mark.parametrize("turned", [False, True])
def test_probabilities_beside_decision_values_are_asked_about(entry, turned, rng, tmp_path):
    y, decisions = drawn(rng, (0.95, 0.7))
    one = MODELS[turned]
    values = {name: probabilities(decisions)[name] if name == one else x for name, x in decisions.items()}
    with pytest.raises(ValueError, match="'probability' or 'decision_function'") as refused:
        ENTRIES[entry](y, values, "score", tmp_path)
    assert all(repr(name) in str(refused.value) for name in MODELS)
    told = {name: {"probability" if name == one else "decision_function": x} for name, x in values.items()}
    result = skc.from_predictions(y, told, scoring="accuracy")
    for name in MODELS:
        assert result.score(name, "accuracy") == pytest.approx(accuracy_score(y, decisions[name] > 0))
    assert "read" not in result.provenance


@named_entries
@pytest.mark.parametrize("kind", ["above 1", "below 0", "grades"])
def test_a_key_that_says_what_scores_are_is_believed(entry, kind, rng, tmp_path):
    y, decisions = drawn(rng, (0.95, 0.7))
    values = {name: UNCLEAR[kind](x) for name, x in decisions.items()}
    result = ENTRIES[entry](y, values, "decision_function", tmp_path)
    for name in MODELS:
        assert result.score(name, "accuracy") == pytest.approx(accuracy_score(y, values[name] > 0))
        assert result.score(name, "roc_auc") == pytest.approx(roc_auc_score(y, values[name]))


@named_entries
def test_a_key_that_says_probability_is_checked(entry, rng, tmp_path):
    y, decisions = drawn(rng, (0.95, 0.7))
    with pytest.raises(ValueError, match="probabilities between 0 and 1"):
        ENTRIES[entry](y, decisions, "probability", tmp_path)


@pytest.mark.parametrize("kind", ["probabilities", "both signs", *UNCLEAR])
def test_labels_beside_scores_are_used_as_they_are(kind, rng):
    y, decisions = drawn(rng, (0.95, 0.7))
    make = {"probabilities": lambda x: 1 / (1 + np.exp(-x)), "both signs": lambda x: x, **UNCLEAR}[kind]
    labels = {name: rng.permutation(y) for name in MODELS}
    scores = {name: make(x) for name, x in decisions.items()}
    both = {name: {"prediction": labels[name], "score": scores[name]} for name in MODELS}
    table = {**tidy(y, labels, "prediction"), "score": np.concatenate([*scores.values()])}
    for result in (
        skc.from_predictions(y, both, scoring=["accuracy", "roc_auc"]),
        skc.from_predictions(pd.DataFrame(table), scoring=["accuracy", "roc_auc"]),
    ):
        for name in MODELS:
            assert result.score(name, "accuracy") == pytest.approx(accuracy_score(y, labels[name]))
            assert result.score(name, "roc_auc") == pytest.approx(roc_auc_score(y, scores[name]))
        assert "cut at" not in str(result)


@pytest.mark.parametrize("key", ["", "score"])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_column_per_class_needs_no_cut(key, n_classes, rng):
    y = rng.permutation(np.arange(N) % n_classes)
    logits = {name: rng.normal(size=(N, n_classes)) + 2 * np.eye(n_classes)[y] + 7 for name in MODELS}
    shares = {name: np.exp(x) / np.exp(x).sum(axis=1, keepdims=True) for name, x in logits.items()}
    for values in (logits, shares):
        given = {name: {key: x} if key else x for name, x in values.items()}
        scoring = ["accuracy", "neg_log_loss"] if values is shares else ["accuracy"]
        result = skc.from_predictions(y, given, scoring=scoring)
        for name in MODELS:
            assert result.score(name, "accuracy") == pytest.approx(accuracy_score(y, logits[name].argmax(axis=1)))
            if values is shares:
                assert result.score(name, "neg_log_loss") == pytest.approx(-log_loss(y, shares[name]))
        what = "probabilities" if values is shares else "decision values"
        assert set(result.provenance["read"].values()) == {f"{key or 'predictions'}: {what} of all classes"}


def test_probabilities_by_class_add_up(rng):
    y = rng.permutation(np.arange(N) % 3)
    shares = rng.dirichlet(np.ones(3), size=N)
    rounded = shares.round(2)
    skc.from_predictions(y, {name: {"probability": rounded} for name in MODELS}, scoring="accuracy")
    wrong = shares.copy()
    wrong[5] /= 2
    with pytest.raises(ValueError, match="add up to 1"):
        skc.from_predictions(y, {"nb": {"probability": shares}, "lr": {"probability": wrong}}, scoring="accuracy")


@pytest.mark.parametrize("key", ["", "score"])
def test_scores_of_several_labels_follow_the_rule(key, rng):
    y = rng.integers(0, 2, (N, 3))
    decisions = {
        name: (2 * y - 1) * rng.uniform(0.1, 2, y.shape) * rng.choice([1, 1, 1, -1], y.shape) for name in MODELS
    }
    for values in (decisions, probabilities(decisions)):
        given = {name: {key: x} if key else x for name, x in values.items()}
        result = skc.from_predictions(y, given, scoring="f1_micro")
        labels = skc.from_predictions(
            y, {name: (x > 0).astype(int) for name, x in decisions.items()}, scoring="f1_micro"
        )
        assert result.scores.tolist() == labels.scores.tolist()
    with pytest.raises(ValueError, match="'decision_function'"):
        skc.from_predictions(y, {n: {"score": np.exp(x) + 1} for n, x in decisions.items()}, scoring="f1_micro")


@pytest.mark.parametrize("meaning", ["probabilities", "decision values"])
def test_a_check_of_two_files_cuts_where_the_scores_are(meaning, rng, tmp_path):
    """The new model guesses: it is worse by far, whatever the scores are."""
    y, decisions = drawn(rng, (0.96, 0.5))
    values = probabilities(decisions) if meaning == "probabilities" else decisions
    for name, x in values.items():
        pd.DataFrame({"sample_id": np.arange(N), "y_true": y, "score": x}).to_csv(tmp_path / f"{name}.csv", index=False)
    files = [str(tmp_path / f"{name}.csv") for name in MODELS]
    arguments = ["--metric", "accuracy", "--margin", "0.01"]
    worse, better = (CliRunner().invoke(cli.command, ["check", *two, *arguments]) for two in (files, files[::-1]))
    assert (worse.exit_code, better.exit_code) == (1, 0)
    assert f"Score: {meaning} of class 1, cut at" in worse.stdout
    unclear = pd.read_csv(files[1]).assign(score=np.exp(decisions["lr"]) + 1)
    unclear.to_csv(files[1], index=False)
    asked = CliRunner().invoke(cli.command, ["check", *files, *arguments])
    assert asked.exit_code == 3
    assert "'decision_function'" in asked.stderr


def test_what_was_read_stays_with_the_models(rng):
    y, decisions = drawn(rng, (0.9, 0.8))
    one = skc.from_predictions(y, {n: {"score": x} for n, x in decisions.items()}, scoring="accuracy")
    other = skc.from_predictions(
        y, {f"{n} 2": {"score": x} for n, x in probabilities(decisions).items()}, scoring="accuracy"
    )
    read = skc.merge(one, other).provenance["read"]
    assert read == {**one.provenance["read"], **other.provenance["read"]}
