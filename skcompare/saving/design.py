"""The design of a saved result or calibration, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skcompare._core.design import Design


def load_design(saved: Mapping[str, Any]) -> Design:
    """The design of scores without splits; any exception means that it contradicts itself."""
    design = Design(**{**saved, "train_sizes": tuple(saved["train_sizes"]), "test_sizes": tuple(saved["test_sizes"])})
    counts = (design.n_repeats, design.n_folds, *design.train_sizes, *design.test_sizes)
    if not all(type(count) is int and 0 < count < 2**63 for count in counts):
        raise ValueError("the design must hold positive integers below 2**63")
    if design.n_splits != design.n_repeats * design.n_folds or {len(design.train_sizes), len(design.test_sizes)} - {
        0,
        design.n_splits,
    }:
        raise ValueError("the design contradicts itself")
    if not (type(design.test_fraction) is float and 0 < design.test_fraction < 1 and type(design.partition) is bool):
        raise ValueError("the design must have a test fraction in (0, 1)")
    if design.split_hash != "":
        raise ValueError("a design without splits has no hash of them")
    if design.n_samples is not None and not (type(design.n_samples) is int and 2 <= design.n_samples < 2**63):
        raise ValueError("the design must have two or more samples, or none known")
    return design
