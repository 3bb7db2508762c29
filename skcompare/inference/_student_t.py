"""Tails and quantiles of Student's t with real degrees of freedom, far out too."""

from __future__ import annotations

import numpy as np
from scipy import special

# From here on the tail of Student's t is a power, where it is not below the smallest float.
FAR = 1e10
# With fewer degrees of freedom all quantiles but the median are infinite.
_LEAST_DF = 1e-100


def t_pvalue(statistic: float, df: float, alternative: str) -> float:
    """Tail probability of Student's t with real `df` for an `alternative`."""
    if alternative == "two-sided":
        return float(np.minimum(1.0, 2 * t_tail(abs(statistic), df)))
    return t_tail(statistic if alternative == "greater" else -statistic, df)


def t_tail(statistic: float, df: float) -> float:
    """P(T > statistic) for Student's t; beyond `FAR`, whose square might overflow, by the power that its tail is."""
    if FAR < statistic < np.inf:
        return float(special.stdtr(df, -FAR) * (FAR / statistic) ** df)
    return float(special.stdtr(df, -statistic))


def t_quantile(df: float, probability: float) -> float:
    """Quantile of Student's t with real `df`; that of a tail beyond `FAR` by the power that the tail is."""
    beyond = float(special.stdtr(df, -FAR)) if df > _LEAST_DF else 0.5
    for tail, sign in ((probability, -1.0), (1 - probability, 1.0)):
        if tail < beyond:
            with np.errstate(divide="ignore", over="ignore"):
                return float(sign * FAR * (beyond / np.float64(tail)) ** np.divide(1, df))
    return float(special.stdtrit(df, probability))


def t_limits(centre: float, standard_error: float, df: float, tail: float) -> tuple[float, float]:
    """What Student's t around `centre` leaves out with probability `tail` on either side; a point without error."""
    margin = 0.0 if standard_error == 0 else -t_quantile(df, tail) * standard_error
    return centre - margin, centre + margin
