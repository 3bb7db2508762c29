"""Which code is a release with a version, and which may change from run to run under the same name."""

from __future__ import annotations

import platform
import sys
import sysconfig
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import scipy
import sklearn

_DISTRIBUTIONS = {"sklearn": "scikit-learn"}
# that change what is printed or checked, not what is computed
_IRRELEVANT_CONFIG = {"print_changed_only", "display", "skip_parameter_validation"}
_SITES = {"site-packages", "dist-packages"}


def environment() -> dict[str, str]:
    """The versions that every fit depends on."""
    return {
        "python": ".".join(platform.python_version_tuple()[:2]),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
    }


def config() -> dict[str, str]:
    """The settings of scikit-learn that every fit depends on."""
    return {name: repr(value) for name, value in sorted(sklearn.get_config().items()) if name not in _IRRELEVANT_CONFIG}


def distribution(module_name: str) -> str:
    """The name under which the top-level package of a module is installed."""
    top = module_name.partition(".")[0]
    return _DISTRIBUTIONS.get(top, top)


@cache
def installed_version(name: str) -> str | None:
    """The version of an installed distribution; None where there is none of this name."""
    try:
        return version(name)
    except (PackageNotFoundError, ValueError):
        return None


def released_version(module_name: str) -> str | None:
    """The version of the installed package a module belongs to; None for code that is not installed.

    A package that is installed in editable mode counts as not installed: its code changes without its version.
    """
    file = _file_of(module_name)
    if file is None or _SITES.isdisjoint(Path(file).parts):
        return None
    name = distribution(module_name)
    return installed_version(name) or getattr(sys.modules.get(name), "__version__", None)


def _file_of(module_name: str) -> str | None:
    """The file of a module, also of one that is not imported yet."""
    module = sys.modules.get(module_name)
    if module is not None:
        return getattr(module, "__file__", None)
    try:
        found = find_spec(module_name)
    except (ImportError, AttributeError, ValueError):
        return None
    return None if found is None or not found.has_location else found.origin


def is_standard(module_name: str) -> bool:
    """Whether a module comes with Python."""
    if module_name.partition(".")[0] not in sys.stdlib_module_names:
        return False
    file = getattr(sys.modules.get(module_name), "__file__", None)
    return file is None or (
        _SITES.isdisjoint(Path(file).parts) and Path(file).is_relative_to(sysconfig.get_path("stdlib"))
    )
