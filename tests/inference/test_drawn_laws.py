"""Laws of all procedures on a table of models, on tables that are drawn: odd ones, with ties, and extreme ones."""

import numpy as np
import pytest

from skcompare import inference

pytestmark = pytest.mark.sampled

OF_SPLITS = {"test_fraction": 0.1}
ON_TABLES = [
    *((name, {}) for name in ("aligned_ranks_test", "quade_test", "kruskal_test", "skillings_mack_test", "dunn_test")),
    *(("friedman_test", options) for options in ({}, {"statistic": "chi2"}, {"tie_correction": False}, OF_SPLITS)),
    *(("anova_test", options) for options in ({}, {"repeated": False}, {"sphericity": "huynh_feldt"}, OF_SPLITS)),
    *(("nemenyi_test", {"correction": name}) for name in ("studentized_range", "shaffer", "bergmann", "hommel")),
    *((f"{name}_test", {}) for name in ("conover", "quade_posthoc", "aligned_ranks_posthoc", "pairwise_signed_rank")),
    *(("tukey_test", options) for options in ({}, {"repeated": False}, OF_SPLITS)),
    *(("model_confidence_set", {"keep": keep, **OF_SPLITS}) for keep in ("all", "each")),
    ("step_down_test", {"n_resamples": 99, "rng": 0}),
]
POOLED = ("kruskal_test", "dunn_test")  # which take the data sets for unpaired
KINDS = ("normal", "steps", "one apart", "equal", "constant lead", "hundredths", "two alike", "huge", "tiny")


def drawn(kind, rng):
    n, k = rng.choice([2, 3, 5, 14]), rng.choice([2, 3, 5])
    x = rng.normal(size=(n, k))
    if kind in ("one apart", "equal", "constant lead"):
        x = np.tile(rng.random((n, 1)), (1, k)) + (kind == "constant lead") * 0.125 * np.arange(k)
        x[0, 0] += (kind == "one apart") * 0.125
    if kind == "two alike":
        x[:, 1] = x[:, 0]
    if kind in ("steps", "hundredths"):
        return np.round(x, 2) if kind == "hundredths" else np.round(x) / 10
    return x * {"huge": 1e200, "tiny": 1e-200}.get(kind, 1.0)


def pvalues_of(name, options, x, **more):
    record = getattr(inference, name)(x, **options, **more)
    found = np.asarray(record.pvalue if hasattr(record, "pvalue") else record.pvalues, dtype=float)
    told = {warning.code for warning in record.warnings}
    assert np.all((found >= 0) & (found <= 1)) or "TOO_LITTLE_DATA" in told
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "options"), ON_TABLES, ids=str)
def test_direction_order_unit_and_place_of_a_table_change_no_p_value(name, options, kind, rng):
    x = drawn(kind, rng)
    n, k = x.shape
    found = pvalues_of(name, options, x)
    models, rows = rng.permutation(k), rng.permutation(n)
    moved = found if found.ndim == 0 else found[models] if found.ndim == 1 else found[np.ix_(models, models)]
    same = {
        "loss": (pvalues_of(name, options, -x, greater_is_better=False), found),
        "models": (pvalues_of(name, options, x[:, models]), moved),
        "rows": (pvalues_of(name, options, x[rows]), found),
        "unit": (pvalues_of(name, options, x * 2.0**10), found),
    }
    if name not in POOLED and options.get("repeated") is not False and kind not in ("huge", "tiny"):
        same["data sets"] = pvalues_of(name, options, x + rng.integers(0, 8, (n, 1)) / 8), found
    for law, (one, other) in same.items():
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-200, err_msg=law)
