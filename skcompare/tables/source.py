"""What is read: a path, several paths, a data frame or a mapping of columns -> one table of cells as they came."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Table:
    """Named columns of cells as they came.

    Attributes
    ----------
    columns : dict of str to ndarray of shape (n_rows,)
        Cells as they came.
    origin : str
        What messages call the table: the name of a file, or "frame".
    roles : dict of str to str
        Columns whose role is known already, by role: "model", "dataset", "item", "split", "repeat", "run", "metric",
        "value", "truth", "prediction", "probability", "cluster", "time", "size", "deviation".
    kind : str or None
        "folds", "outcomes", "predictions", "runs", "study" or "search", where it is known already.
    notes : tuple of str
        What is to be said of how it was read.
    """

    columns: dict[str, NDArray[Any]]
    origin: str
    roles: dict[str, str] = field(default_factory=dict)
    kind: str | None = None
    notes: tuple[str, ...] = ()
