"""Seeds of the splits and of the estimators."""

from __future__ import annotations

import secrets
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from skcompare.evaluation.store._checkpoint import remembered_seed


def integer_seed(random_state: Any) -> int | None:
    """None or an int as given; one draw of a RandomState instance."""
    if random_state is None:
        return None
    if isinstance(random_state, Integral) and not isinstance(random_state, bool) and 0 <= int(random_state) < 2**32:
        return int(random_state)
    if isinstance(random_state, np.random.RandomState):
        return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    raise ValueError(f"random_state must be None, an int in [0, 2**32) or a RandomState; got {random_state!r:.80}")


def seed_of_splits(cv: Any, random_state: int | None, X: Any, y: Any, store: str | None) -> int | None:
    """The seed of the splits; the one that the store remembers where none is given."""
    if store is None or random_state is not None:
        return random_state
    if isinstance(cv, (Integral, str)):
        return remembered_seed(store, X, y, str(cv), lambda: secrets.randbits(32))
    if getattr(cv, "random_state", 0) is None and getattr(cv, "shuffle", True):
        raise ValueError(
            f"cv must draw the same splits in the next run for a store to be of use; got {cv!r:.200}: "
            f"give it a random_state"
        )
    return None


def split_seeds(random_state: int, n_splits: int) -> list[int]:
    """One seed per split, independent of how many estimators there are or in which order they run."""
    return [int(s) for s in np.random.SeedSequence(random_state).generate_state(n_splits) >> np.uint32(1)]


def random_states(estimator: Any) -> tuple[str, ...]:
    """Names of the parameters called random_state, nested ones too."""
    return tuple(name for name in estimator.get_params(deep=True) if name.rpartition("__")[2] == "random_state")


def open_random_states(estimator: Any) -> tuple[str, ...]:
    """Those of them that are None."""
    params = estimator.get_params(deep=True)
    return tuple(name for name in random_states(estimator) if params[name] is None)
