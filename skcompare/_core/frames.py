"""The one place that imports pandas, when a data frame is asked for."""

from __future__ import annotations

from typing import Any


def import_pandas() -> Any:
    """The pandas module, or an ImportError with the pip line."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("a data frame needs pandas: pip install 'skcompare[frames]'") from error
    return pandas
