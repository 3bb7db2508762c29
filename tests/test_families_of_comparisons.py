"""One question has one answer: which comparisons share an error budget, and intervals that say what the outcomes say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from skcompare import from_outcomes
from skcompare.comparison.compare import CORRECTIONS, compare
from skcompare.comparison.stopping import stopped
from tests.made_results import evaluation, items_of, on_a_test_set, stopped_run, study_of

FLAWS = ("", "", "", "equal models", "coarse", "missing", "failed", "no metric", "apart", "still")


def drawn(rng, **changes):
    """How a result is made, drawn at random."""
    recipe = {
        "seed": int(rng.integers(2**31)),
        "n_models": int(rng.integers(2, 6)),
        "n_metrics": int(rng.integers(1, 5)),
        "design": [(1, 5), (1, 10), (2, 5), (3, 4), (10, 10)][rng.integers(5)],
        "spread": float(rng.choice([0, 1, 2, 5])),
        "flaw": str(rng.choice(FLAWS)),
        "n_samples": int(rng.integers(20, 120)),
        "n_datasets": int(rng.integers(2, 25)),
        "alpha": float(rng.choice([0.01, 0.05, 0.2])),
        "rope": None if rng.random() < 0.5 else 0.03,
        "drop": bool(rng.random() < 0.5),
    }
    return {**recipe, **changes}


def in_clusters(recipe):
    rng, n = np.random.default_rng(recipe["seed"]), recipe["n_samples"]
    clusters = rng.integers(0, n // 3, n)
    common = rng.normal(size=n // 3)[clusters]
    names = [f"m{i}" for i in range(recipe["n_models"])]
    shifts = np.arange(len(names)) * recipe["spread"] / 10
    passed = {
        name: (common + rng.normal(size=n) + shift > 0).astype(float) for name, shift in zip(names, shifts, strict=True)
    }
    return from_outcomes(passed, clusters=clusters)


def runs_of(recipe):
    made = evaluation({**recipe, "design": (8, 1), "flaw": ""})
    return replace(made, design=replace(made.design, kind="runs", n_repeats=1, n_folds=8))


KINDS = {
    "folds": evaluation,
    "samples": lambda recipe: on_a_test_set({**recipe, "n_models": min(3, recipe["n_models"])}),
    "items": items_of,
    "clusters": in_clusters,
    "studies": study_of,
    "stopped": lambda recipe: stopped_run({**recipe, "design": (10, 10)}),
}


def check(row, alpha, sequential=False):
    """The law: significant, p adj. below alpha, and an interval without the null are one thing."""
    significant = row.outcome.significant
    if not sequential and row.outcome.tested:
        assert significant == (row.pvalue_adjusted < alpha), row
    if row.low != row.low:
        return
    assert row.low <= row.high
    holds = row.low <= row.null <= row.high and not row.open_at_null
    assert holds != significant, row
    if row.open_at_null:
        assert row.null in (row.low, row.high)
    if row.winner is not None and not row.null:
        assert (row.low >= 0) == (row.winner == row.a)


def asked(rng, result):
    """What else can be asked of a comparison, drawn at random."""
    options = {}
    if stopped(result) is not None:
        return options
    options["alpha"] = float(rng.choice([0.01, 0.05, 0.05, 0.2]))
    options["correction"] = str(rng.choice(["holm", "holm", "none", *CORRECTIONS]))
    if rng.random() < 0.3:
        options["baseline"] = result.estimators[-1]
    if rng.random() < 0.2:
        options["alternative"] = str(rng.choice(["greater", "less"]))
    return options


@pytest.mark.sampled
@pytest.mark.parametrize("kind", KINDS)
def test_outcome_adjusted_p_and_interval_are_one_verdict(rng, kind):
    for _ in range(30 if kind == "samples" else 110):
        recipe = drawn(rng)
        result = KINDS[kind](recipe)
        options = asked(rng, result)
        table = compare(result, **options)
        for row in table:
            check(row, table.alpha, table.sequential)
        for family in table.families if not table.sequential else ():
            own = [row for row in table if row.metric in family.metrics]
            assert sum(row.pvalue == row.pvalue for row in own) == family.n
            assert {row.confidence_level for row in own} == {family.level}
