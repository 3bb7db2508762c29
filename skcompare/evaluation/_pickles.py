"""What pickling tells: whether a value can travel between processes, and how large a fitted model is."""

from __future__ import annotations

import os
import pickle
import sys
import threading
from io import BytesIO
from types import FunctionType, SimpleNamespace
from typing import Any

_MAIN = threading.Lock()


def travels(value: Any) -> bool:
    """Whether a value can be pickled and read back."""
    try:
        pickle.loads(pickle.dumps(value))
    except Exception:
        return False
    return True


def pickled_size(model: Any, *, home: int) -> int:
    """Bytes of a pickled model, the same in a worker as in the calling process, `home`.

    Classes and functions of the main script are pickled by their names. joblib sends them to its workers, but does not
    put them where these names are looked up.
    """
    try:
        return len(pickle.dumps(model, protocol=5))
    except (pickle.PicklingError, AttributeError):
        if os.getpid() == home:
            raise
    file = BytesIO()
    with _MAIN:
        main = vars(sys.modules["__main__"])
        before = dict(main)
        try:
            _ByName(file, protocol=5).dump(model)
        finally:
            main.clear()
            main.update(before)
    return file.tell()


class _ByName(pickle.Pickler):
    """Puts what comes from a main script into that of this process, under its name, before it is looked up."""

    def reducer_override(self, value: Any) -> Any:
        """Leave the pickling itself to pickle."""
        if isinstance(value, (type, FunctionType)) and value.__module__ == "__main__":
            *outer, name = value.__qualname__.split(".")
            place: Any = sys.modules["__main__"]
            for part in outer:
                if not hasattr(place, part):
                    setattr(place, part, SimpleNamespace())
                place = getattr(place, part)
            if "<locals>" not in outer:  # which has no name to be found by
                setattr(place, name, value)
        return NotImplemented
