"""Dominance statements: which model is better on which metric, as numbers, as booleans and in print."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

MAX_METRICS = 12


def format_statement(statement: Sequence[bool], metrics: Sequence[str] | None = None) -> str:
    """Print a dominance statement: ``>`` where `a` is better, ``<`` where `b` is.

    Better is better in the direction of the metric: the model that takes less time is the better one on time.

    Parameters
    ----------
    statement : sequence of bool
        One per metric, True where `a` is better.
    metrics : sequence of str, optional
        Names of the metrics; ``"metric 1"`` and so on by default.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If there are no booleans, or another number of names.

    Examples
    --------
    >>> from skcompare.inference import format_statement
    >>> format_statement((True, True, False), ["accuracy", "recall", "fit_time"])
    'accuracy > · recall > · fit_time <'
    """
    bits = np.asarray(statement)
    if bits.dtype != np.bool_ or bits.ndim != 1 or bits.size == 0:
        raise ValueError(f"statement must be booleans, one per metric; got {statement!r}")
    names = check_metric_names(metrics, bits.size)
    return " · ".join(f"{name} {'>' if better else '<'}" for name, better in zip(names, bits, strict=True))


def statement_of(index: int, n_metrics: int) -> tuple[bool, ...]:
    """The dominance statement with a given index; the first metric is the most significant bit."""
    return tuple(bool(index >> (n_metrics - 1 - j) & 1) for j in range(n_metrics))


def statement_index(statement: Sequence[bool], n_metrics: int) -> int:
    """The index of a dominance statement, or ValueError."""
    bits = np.asarray(statement)
    if bits.dtype != np.bool_ or bits.shape != (n_metrics,):
        raise ValueError(f"statement must be {n_metrics} booleans, one per metric; got {statement!r}")
    return int(bits @ (1 << np.arange(n_metrics - 1, -1, -1)))


def statement_bits(n_metrics: int) -> NDArray[np.bool_]:
    """All statements as rows, shape (2**n_metrics, n_metrics)."""
    index = np.arange(2**n_metrics)[:, None]
    return (index >> np.arange(n_metrics - 1, -1, -1) & 1).astype(bool)


def check_metric_names(metrics: Sequence[str] | None, n_metrics: int) -> tuple[str, ...]:
    """Names of the metrics, made up where there are none, or ValueError."""
    if metrics is None:
        return tuple(f"metric {j + 1}" for j in range(n_metrics))
    names = tuple(metrics) if isinstance(metrics, Sequence) else ()
    if isinstance(metrics, str) or len(names) != n_metrics or not all(isinstance(name, str) for name in names):
        raise ValueError(f"metrics must be {n_metrics} names, one per metric; got {metrics!r}")
    if len(set(names)) != n_metrics:
        raise ValueError(f"metrics must be different names; got {metrics!r}")
    return names
