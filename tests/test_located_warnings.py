"""The warnings of a summary say where they hold."""

from __future__ import annotations

import numpy as np

from skcompare import StudyResult, from_frame


def table(scores, unit="fold"):
    """A tidy table from scores by model and metric."""
    n = len(next(iter(scores.values())))
    return {
        "model": np.repeat([model for model, _ in scores], n),
        "metric": np.repeat([metric for _, metric in scores], n),
        unit: np.tile([f"d{i}" for i in range(n)] if unit == "dataset" else np.arange(n), len(scores)),
        "score": np.concatenate(list(scores.values())),
    }


def printed(result):
    """The lines of the last block of a summary, unwrapped."""
    block = result.summary("full").split("All warnings\n============\n")[1].split("\n\n")[0]
    return [" ".join(line.split()) for line in block.split("\n- ")]


def test_a_warning_about_one_comparison_names_it(rng):
    base = rng.normal(0.8, 0.02, 10)
    scores = {("a", "f1"): base, ("b", "f1"): base, ("c", "f1"): base - rng.uniform(0.01, 0.02, 10)}
    (warning,) = [line for line in printed(from_frame(table(scores))) if "NO_DIFFERENCE" in line]
    assert warning.removeprefix("- ").startswith("NO_DIFFERENCE (f1 of a and b): the differences")


def test_a_warning_about_several_comparisons_names_the_first_and_counts_the_others(rng):
    base = rng.normal(0.8, 0.02, 10)
    scores = {(name, "f1"): base for name in "abc"} | {("d", "f1"): base - rng.uniform(0.01, 0.02, 10)}
    assert any("NO_DIFFERENCE (f1 of a and b, and 2 more):" in line for line in printed(from_frame(table(scores))))


def test_of_two_models_the_metric_is_enough_and_a_warning_about_all_needs_no_place(rng):
    base = rng.normal(0.8, 0.02, 10)
    same = {("a", "f1"): base, ("b", "f1"): base}
    both = same | {("a", "recall"): base, ("b", "recall"): base - rng.uniform(0.01, 0.02, 10)}
    assert any("NO_DIFFERENCE (f1):" in line for line in printed(from_frame(table(both))))
    assert any("NO_DIFFERENCE: the" in line for line in printed(from_frame(table(same))))


def test_a_warning_about_a_pair_on_all_metrics_names_the_pair(rng):
    x, y = rng.normal(0.8, 0.02, 10), rng.normal(0.7, 0.02, 10)
    scores = {("a", "f1"): x, ("a", "recall"): y, ("b", "f1"): x, ("b", "recall"): y}
    scores |= {("c", metric): values - 0.1 for metric, values in (("f1", x), ("recall", y))}
    assert any(
        "NO_DIFFERENCE (a and b on all metrics together):" in line for line in printed(from_frame(table(scores)))
    )


def test_what_is_known_of_a_whole_study_is_said_once(rng):
    scores = {(name, "loss_of_mine"): rng.normal(0.5, 0.1, 8) for name in "abc"}
    study = StudyResult.from_frame(table(scores, "dataset"))
    assert len(study.warnings) == 1
    text = " ".join(study.summary("full").split())
    assert f" - {study.warnings[0]} " in text
    assert text.count("ASSUMED") == 1
