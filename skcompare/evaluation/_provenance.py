"""What it takes to make the numbers again."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any

import joblib
import numpy as np
import scipy
import sklearn

from skcompare._core.version import __version__


def library_versions() -> dict[str, str]:
    """Our own version and those of the libraries, by distribution."""
    libraries = {"scikit-learn": sklearn, "numpy": np, "scipy": scipy, "joblib": joblib}
    return {"skcompare": __version__, **{name: str(library.__version__) for name, library in libraries.items()}}


def provenance(cv: Any, random_state: int | None, stop: Any, named: Mapping[str, Any]) -> dict[str, Any]:
    """The splits, the seed, the estimators and the libraries of an evaluation, as text."""
    return {
        "cv": str(cv) if isinstance(cv, (str, Integral)) else f"{cv!r:.200}",
        "random_state": random_state,
        **({} if stop is None else {"stop": repr(stop)}),
        "estimators": {name: " ".join(repr(estimator).split()) for name, estimator in named.items()},
        "versions": library_versions(),
    }
