"""The memory that a fit takes."""

from __future__ import annotations

import gc
import random
import threading
import tracemalloc
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

ALONE = threading.Lock()  # held by a fit of which the memory is measured: what is counted is that of the process


def peak_bytes(fit: Callable[[], Any]) -> int:
    """The most bytes that Python and numpy hold at a time while `fit` runs, beyond those that they held before.

    The global random states are left as they were, and its warnings are not shown: it is done for the second time.
    """
    states = random.getstate(), np.random.get_state()  # noqa: NPY002
    gc.collect(1)  # of what is older most would stay, and looking takes longer than a small fit
    traced = tracemalloc.is_tracing()
    if traced:
        tracemalloc.reset_peak()
    else:
        tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fit()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        if not traced:
            tracemalloc.stop()
        random.setstate(states[0])
        np.random.set_state(states[1])  # noqa: NPY002
