"""Whether a difference is another one in a group of samples than elsewhere."""

from __future__ import annotations

from math import isfinite, sqrt
from typing import Any

import numpy as np
from scipy import stats

from skcompare.comparison.cases import cases
from skcompare.comparison.compare import run_procedure
from skcompare.comparison.measures import has_sample_values, is_mean
from skcompare.comparison.spread import does_not_vary
from skcompare.inference._base import corrected_t, paired_differences
from skcompare.inference._overlap import Correction
from skcompare.scores.evaluation import EvaluationScores

_RESAMPLES = 2_000


def interaction(
    inside: EvaluationScores, elsewhere: EvaluationScores, metric: str, a: str, b: str
) -> tuple[float, float, float, float]:
    """A difference in a group minus that elsewhere: estimate, limits at 95%, p-value.

    Of folds by the default t test of the design on the differences of the differences, split by split; of means over
    samples by Welch's test, in clusters with their variance; otherwise by the normal distribution from the two standard
    errors.
    """
    if inside.design.kind == "folds":
        return _on_folds(inside, elsewhere, metric, a, b)
    named = has_sample_values(inside, metric) or is_mean(inside, metric)
    if inside.design.kind == "items" or named:
        return _of_means(cases(inside, (metric,)), cases(elsewhere, (metric,)), metric, a, b)
    parts = [_estimated(part, metric, a, b) for part in (inside, elsewhere)]
    estimate, error = parts[0][0] - parts[1][0], sqrt(parts[0][1] ** 2 + parts[1][1] ** 2)
    return _limits(estimate, error, np.inf)


def _on_folds(
    inside: EvaluationScores, elsewhere: EvaluationScores, metric: str, a: str, b: str
) -> tuple[float, float, float, float]:
    one, other = inside.difference(metric, a, b), elsewhere.difference(metric, a, b)
    complete = np.isfinite(one) & np.isfinite(other)
    if complete.sum() < 2:
        return (float("nan"),) * 4
    correction = Correction.of(inside.design)
    differences = paired_differences(one[complete], other[complete])
    test = corrected_t(differences, alternative="two-sided", **correction.options)
    interval = test.confidence_interval()
    if does_not_vary(test.warnings):
        return test.estimate, *(float("nan"),) * 3
    return test.estimate, interval.low, interval.high, test.pvalue


def _of_means(
    inside: EvaluationScores, elsewhere: EvaluationScores, metric: str, a: str, b: str
) -> tuple[float, float, float, float]:
    parts = [part.difference(metric, a, b) for part in (inside, elsewhere)]
    known = [np.isfinite(part) for part in parts]
    one, other = (part[there] for part, there in zip(parts, known, strict=True))
    if min(len(one), len(other)) < 2:
        return (float("nan"),) * 4
    estimate = float(one.mean() - other.mean())
    if inside.clusters is None or elsewhere.clusters is None:
        errors = [float(part.var(ddof=1)) / len(part) for part in (one, other)]
        error = sqrt(sum(errors))
        df = (
            sum(errors) ** 2 / sum(e**2 / (len(p) - 1) for e, p in zip(errors, (one, other), strict=True))
            if error
            else 1.0
        )
        return _limits(estimate, error, df)
    residuals = np.concatenate([(one - one.mean()) / len(one), (other.mean() - other) / len(other)])
    clusters = np.concatenate([inside.clusters[known[0]], elsewhere.clusters[known[1]]])
    sums = np.bincount(np.unique(clusters, return_inverse=True)[1], weights=residuals)
    n = len(sums)
    return _limits(estimate, sqrt(n / (n - 1) * float((sums**2).sum())) if n > 1 else float("nan"), n - 1)


def _estimated(part: EvaluationScores, metric: str, a: str, b: str) -> tuple[float, float]:
    """A difference and its standard error over samples."""
    name = "auto" if metric == "roc_auc" else "paired_bootstrap"
    options: dict[str, Any] = {} if metric == "roc_auc" else {"n_resamples": _RESAMPLES}
    record = run_procedure(part, name, metric=metric, a=a, b=b, **options)
    return float(record.estimate), float(record.standard_error)


def _limits(estimate: float, error: float, df: float) -> tuple[float, float, float, float]:
    if not isfinite(error):
        return (float("nan"),) * 4
    if error == 0:
        return (0.0, 0.0, 0.0, 1.0) if estimate == 0 else (estimate, *(float("nan"),) * 3)
    distribution = stats.norm() if np.isinf(df) else stats.t(df)
    reach = float(distribution.ppf(0.975)) * error
    return estimate, estimate - reach, estimate + reach, float(2 * distribution.sf(abs(estimate) / error))
