"""The ends of intervals: no further than scores allow, none called infinite, and why one ends at the null."""

from __future__ import annotations

import numpy as np
import pytest

from skcompare import LearningCurveResult, Outcome, StudyResult, from_frame
from skcompare._core.document import Grid, walked
from skcompare.comparison.table import is_extended, limits_of
from skcompare.reporting.words import of_ends


def of_folds(scores, metric="accuracy"):
    """Scores of shape (n_models, n_folds) as a result."""
    n_models, n = scores.shape
    model = np.repeat([f"m{i}" for i in range(n_models)], n)
    return from_frame(
        {"model": model, "fold": [*range(n)] * n_models, "metric": [metric] * scores.size, "score": scores.ravel()}
    )


@pytest.mark.parametrize(("metric", "widest"), [("accuracy", 1.0), ("roc_auc", 1.0), ("matthews_corrcoef", 2.0)])
@pytest.mark.parametrize("n_models", [2, 3, 5])
def test_no_end_is_further_than_two_scores_can_be(metric, widest, n_models, rng):
    for _ in range(10):
        result = of_folds(rng.uniform(0, 1, (n_models, 2)), metric)
        for row in result.compare():
            known = limits_of(row.record, row.confidence_level)
            assert -widest <= row.low <= row.high <= widest
            cut = [min(max(end, -widest), widest) for end in known]
            assert row.outcome.significant or [row.low, row.high] == cut or is_extended(row)
            assert row.outcome.significant == (not row.low <= 0 <= row.high) or row.open_at_null
        grid = next(block for block in result._document().blocks if isinstance(block, Grid))
        means = [cell for column in grid.columns if column.name in (metric, "m0") for cell in column.cells]
        assert all(len(cell.rstrip("*+~ ").partition(".")[2]) >= 2 for cell in means)


def test_what_has_no_bound_is_not_cut(rng):
    result = of_folds(rng.uniform(0, 1, (2, 2)), "score")
    for row in result.compare():
        assert (row.low, row.high) == limits_of(row.record, row.confidence_level)


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_the_end_that_a_one_sided_interval_lacks_is_not_written(alternative, rng):
    result = of_folds(0.7 + rng.normal(0, 0.01, (3, 10)) + np.array([[0.1], [0.0], [0.0]]))
    table = result.compare(alternative=alternative)
    assert all(np.isinf(row.low) or np.isinf(row.high) for row in table)
    for view in (str(table), table.to_markdown(), table.to_latex(), *map(str, table)):
        assert "inf" not in view.replace("influence", "")
        assert any(f"{word} " in view for word in ("from", "up to", "above", "below"))


@pytest.mark.parametrize("correction", ["fdr_bh", "holm", "fdr_by"])
def test_no_table_of_a_study_has_an_infinite_end(correction, rng):
    for n in (4, 6, 8):
        scores = 0.7 + rng.normal(0, 0.01, (n, 4)) + np.array([0.2, 0.1, 0.05, 0.0])
        columns = {"model": [f"m{i}" for i in range(4)] * n, "dataset": np.repeat([f"d{i}" for i in range(n)], 4)}
        study = StudyResult.from_frame({**columns, "metric": ["accuracy"] * (4 * n), "score": scores.ravel()})
        table = study.compare(correction=correction)
        for view in (str(table), table.to_markdown(), str(study), str(study.explain()), study.to_latex()):
            assert "-inf" not in view
            assert "+inf" not in view


def curve_of(rng, leads):
    """Two models whose differences at each size have these means."""
    results = {}
    for size, lead in leads.items():
        common = 0.7 + rng.normal(0, 0.01, 10)
        results[size] = of_folds(np.stack([common + lead + rng.normal(0, 0.002, 10), common]))
    return LearningCurveResult(results=results)


def captions(document):
    return " ".join(block.caption for block in walked(document.blocks) if isinstance(block, Grid))


def test_an_interval_that_is_drawn_out_to_0_has_a_note(rng):
    assert of_ends([None]) == ""
    curve = curve_of(rng, {50: 0.1, 100: 0.1, 200: 0.0})  # nothing is tested below the largest size
    rows = {row.size: row for row in curve.compare()}
    if rows[200].outcome is Outcome.UNDECIDED:
        assert rows[100].low == 0 < rows[100].high
        assert "An interval is extended to 0" in captions(curve._document())
        assert "An interval is extended to 0" in captions(curve.explain())
    clear = curve_of(rng, {50: 0.1, 100: 0.1, 200: 0.1})
    assert "extended to 0" not in str(clear.explain())


def test_an_interval_that_ends_at_0_of_itself_has_no_note():
    scores = np.array([[0.8, 0.8, 0.8, 0.8, 0.8], [0.8, 0.8, 0.8, 0.8, 0.8]])
    assert "extended to 0" not in str(of_folds(scores).explain())


@pytest.mark.parametrize("n", [2, 3, 5, 8])
@pytest.mark.parametrize("metric", ["r2", "neg_mean_absolute_error", "accuracy"])
def test_intervals_of_few_splits_say_that_they_are_few(n, metric, rng):
    sign = -1 if metric.startswith("neg_") else 1
    found = of_folds(sign * rng.uniform(0.6, 0.8, (2, n)), metric).intervals()
    few = [row.metric for row in found if any("hardly tell how much" in str(one) for one in row.warnings)]
    assert few == ([metric] * 2 if n < 5 else [])
    assert str(found).count("hardly tell how much") == (n < 5)
