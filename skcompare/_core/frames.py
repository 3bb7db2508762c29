"""The one place that imports pandas, when a data frame is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any


def import_pandas() -> Any:
    """The pandas module, or an ImportError with the pip line."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("a data frame needs pandas: pip install 'skcompare[frames]'") from error
    return pandas


def frame_of(rows: Sequence[Any]) -> Any:
    """A row for each of some records of one class, a column per field."""
    names = [field.name for field in fields(rows[0])]
    return import_pandas().DataFrame([[getattr(row, name) for name in names] for row in rows], columns=names)
