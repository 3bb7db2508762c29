"""What pickling tells: whether a value can travel between processes, and how large a fitted model is."""

from __future__ import annotations

import os
import pickle
import sys
import threading
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

_MAIN = threading.Lock()
_SHARED = {str, *(type(np.dtype(code)) for code in np.typecodes["All"])}


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
        return _Counted().bytes_of(model)
    except (pickle.PicklingError, AttributeError):
        if os.getpid() == home:
            raise
    with _MAIN:
        main = vars(sys.modules["__main__"])
        before = dict(main)
        try:
            return _ByName().bytes_of(model)
        finally:
            main.clear()
            main.update(before)


class _Counted(pickle.Pickler):
    """Counts what a pickle takes and writes nothing.

    Equal texts and equal data types count once, also where they are several objects: in a worker they are, since it
    read some of them from a pickle.
    """

    def __init__(self) -> None:
        super().__init__(self, protocol=5)
        self._first_of: Any = {}.setdefault
        self._n_bytes = 0

    def bytes_of(self, model: Any) -> int:
        """How many its pickle takes."""
        self.dump(model)
        return self._n_bytes

    def write(self, data: Any) -> None:
        """Take what pickle writes."""
        self._n_bytes += memoryview(data).nbytes

    def persistent_id(self, value: Any) -> Any:
        """The first of equal objects, in place of each; pickle marks it with a byte more."""
        if type(value) not in _SHARED:
            return None
        self._n_bytes -= 1
        return self._first_of(value, value)


class _ByName(_Counted):
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
