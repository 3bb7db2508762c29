"""Time and memory of every function of `skcompare.inference`, and how both grow with each dimension of its input.

Run from a checkout: ``OMP_NUM_THREADS=1 python -m benchmarks.resources``, about ten minutes; it prints the table of
``docs/resources.md``. The functions are all that the package has, and their arguments are made from the shapes that
their descriptions name: what has no entry in `VALUES` fails. One dimension grows by the factor 4 at a time while the
others are small, as long as a call takes less than half a second and 256 MiB. An exponent is that of the last two
sizes: 1 where twice the input takes twice as much. Memory is the peak of what a call itself allocates, without its
input (tracemalloc).
"""

from __future__ import annotations

import inspect
import re
import resource
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from math import log
from typing import Any, NamedTuple

import numpy as np

from benchmarks import line, options
from benchmarks.timing import timed as seconds_of
from skcompare import inference

START, FACTOR, LARGEST = 16, 4, 4**10
SECONDS, BYTES = 0.5, 2**28
ADDRESS_SPACE = 8 * 2**30  # what asks for more fails, rather than the machine

Rng = np.random.Generator
Shape = tuple[int, ...]


def normal(rng: Rng, shape: Shape) -> Any:
    return np.clip(rng.normal(0.8, 0.1, shape), 0, 1)  # some functions take bounded values


def losses(rng: Rng, shape: Shape) -> Any:
    return rng.exponential(size=shape)


def booleans(rng: Rng, shape: Shape) -> Any:
    return rng.random(shape) < 0.8


def classes(rng: Rng, shape: Shape) -> Any:
    return rng.integers(2, size=shape)


def shares(rng: Rng, shape: Shape) -> Any:
    values = rng.random(shape)
    return (values + values.T) / 2 if len(shape) == 2 else values


def counts(rng: Rng, shape: Shape) -> Any:
    return rng.integers(1, 100, size=shape)


def contrasts(_: Rng, shape: Shape) -> Any:
    """So many models against the next one; there is one contrast fewer than models."""
    return np.eye(*shape) - np.eye(*shape, k=1)


CONSTANTS = {"control": 0, "correction": "holm", "metric": "accuracy", "test_fraction": 0.1, "margin": 0.05}
CONSTANTS |= {"mean": (0.9, 0.8), "sd": (0.1, 0.1), "n": (10, 10)}  # of two models
CONSTANTS |= {"rope": 0.01, "threshold": 0.3, "fold_correlation": 0.3, "delta": 0.01, "std": 0.02}
# What is given to each required parameter, by its name.
VALUES: dict[str, Callable[[Rng, Shape], Any]] = {
    **dict.fromkeys(
        ("a", "b", "scores", "half_scores", "score", "score_a", "score_b", "judged", "labels", "human"), normal
    ),
    **dict.fromkeys(("losses_a", "losses_b", "outer_losses", "inner_losses"), losses),
    **dict.fromkeys(("correct", "correct_a", "correct_b", "statement"), booleans),
    **dict.fromkeys(("y_true", "y_pred", "pred_a", "pred_b"), classes),
    **dict.fromkeys(("pvalues", "error_rates", "probability", "probability_a", "probability_b"), shares),
    "counts": counts,
    "contrasts": contrasts,
    "estimates": lambda rng, _: rng.normal(size=2),
    "covariance": lambda *_: np.eye(2),
    "winner": lambda rng, shape: rng.choice([0.0, 0.5, 1.0], shape),
    "differences": lambda rng, shape: rng.normal(0, 0.1, shape),
    "fold_ids": lambda _, shape: np.arange(*shape) % 5,
    "clusters": lambda _, shape: np.arange(*shape) // 4,
}
# The same of what is no array.
VALUES |= {name: lambda *_, value=value: value for name, value in CONSTANTS.items()}
# The size of each dimension while another one grows; any other is START.
SMALL = {"n_models": 3, "n_contrasts": 2, "n_metrics": 2, "n_folds": 5, "n_repeats": 2, "n_runs": 4, "k": 3, "m": 2}
SMALL["n_datasets"] = 64
# Whole numbers that are given for what they count.
COUNTS = {"n": "n", "n_errors": "n", "n_successes": "n"}


def functions() -> dict[str, Callable[..., Any]]:
    """The public functions by name."""
    names = sorted(name for name in dir(inference) if inspect.isfunction(getattr(inference, name)))
    return {name: getattr(inference, name) for name in names}


class Required(NamedTuple):
    """A required parameter, the shape that its description names, and whether it is a whole number."""

    name: str
    shape: tuple[str, ...] | None
    is_integer: bool


def required(function: Callable[..., Any]) -> list[Required]:
    """The required parameters of a function, from its signature and its description."""
    text = (inspect.getdoc(function) or "").partition("\nReturns\n")[0]
    described = {
        name: what for names, what in re.findall(r"^(\w[\w, ]*) : (.*)$", text, re.M) for name in names.split(", ")
    }
    found = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.default is parameter.empty:
            what = described[parameter.name]
            shape = re.search(r"of shape \((.*?)\)", what)
            dimensions = tuple(part.strip() for part in shape[1].split(",") if part.strip()) if shape else None
            if what == "sequence of bool":
                dimensions = ("m",)
            found.append(Required(parameter.name, dimensions, what == "int"))
    return found


def dimensions(function: Callable[..., Any]) -> list[str]:
    """What can grow: the dimensions of the arrays, and whole numbers."""
    found: dict[str, None] = {}
    for parameter in required(function):
        for part in parameter.shape or ():
            found |= dict.fromkeys(re.findall(r"[a-z]\w*", part))
        if parameter.is_integer:
            found[COUNTS.get(parameter.name, parameter.name)] = None
    return list(found)


def arguments(function: Callable[..., Any], sizes: dict[str, int], seed: int = 0) -> dict[str, Any]:
    """Arguments of the function whose dimensions have the given sizes, the others small ones."""
    rng = np.random.default_rng(seed)
    all_sizes = {name: sizes.get(name, SMALL.get(name, START)) for name in dimensions(function)}
    made: dict[str, Any] = {}
    for name, shape, is_integer in required(function):
        if is_integer:
            made[name] = all_sizes[COUNTS.get(name, name)] // (1 if name in all_sizes else 4)
        elif name in VALUES:
            made[name] = VALUES[name](rng, tuple(length(part, all_sizes) for part in shape or ()))
        else:
            raise KeyError(f"no value for the parameter {name} of {function.__name__}: add it to VALUES")
    if "rng" in inspect.signature(function).parameters:
        made["rng"] = seed
    return made


def length(part: str, sizes: dict[str, int]) -> int:
    """The length of a dimension: a number, a name, ``2**m`` or ``n_folds - 1``."""
    if part.startswith("2**"):
        return 2 ** max(2, sizes[part[3:]].bit_length() - 1) if sizes[part[3:]] > 2 else 4
    name, _, less = part.partition(" - ")
    return (int(name) if name.isdigit() else sizes[name]) - int(less or 0)


class Call(NamedTuple):
    """A call: the size of what grows, seconds and bytes."""

    size: int
    seconds: float
    n_bytes: int


def measure(function: Callable[..., Any], dimension: str, size: int, *, timed: bool = True) -> Call:
    """Time and peak memory of one call; several calls where they are short."""
    given = arguments(function, {dimension: size})
    times = [0.0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if timed:
            times = [seconds_of(lambda: function(**given))[0]]
            times += [seconds_of(lambda: function(**given))[0] for _ in range(2 if times[0] < SECONDS / 10 else 0)]
        else:
            drawn = {"n_draws", "n_resamples"} & inspect.signature(function).parameters.keys()
            given |= dict.fromkeys(drawn, 50)
            function(**given)  # what is kept between calls is there
        tracemalloc.start()
        try:
            function(**given)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    return Call(size, min(times), peak)


def exponent(first: float, second: float) -> float:
    """How something grows where the input is FACTOR times as large."""
    return log(max(second, 1e-9) / max(first, 1e-9)) / log(FACTOR)


def grown(function: Callable[..., Any], dimension: str) -> Iterator[Call]:
    """Calls of growing size, to the first that is refused or that the limits forbid."""
    size, calls = START, list[Call]()
    while size <= LARGEST:
        try:
            calls.append(measure(function, dimension, size))
        except (ValueError, MemoryError):
            if calls:  # refused from here on
                return
            size *= FACTOR
            continue
        yield calls[-1]
        last = calls[-1]
        growth = FACTOR ** max(1.0, *(exponent(x.seconds, last.seconds) for x in calls[-2:-1])) if calls[1:] else FACTOR
        if last.seconds * growth > 2 * SECONDS or last.seconds > SECONDS or last.n_bytes > BYTES / FACTOR:
            return
        size *= FACTOR


def main() -> None:
    options(__doc__)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    for name, function in functions().items():
        for dimension in dimensions(function):
            calls = list(grown(function, dimension))
            if not calls:
                print(line(name, dimension, "refused"), flush=True)
                continue
            first, last = calls[-2] if calls[1:] else calls[-1], calls[-1]
            found = f"{last.size:,}", f"{last.seconds:.2g} s", f"{last.n_bytes / 2**20:.3g} MiB"
            growth = exponent(first.seconds, last.seconds), exponent(first.n_bytes, last.n_bytes)
            print(line(f"`{name}`", dimension, *found, *(f"{one:.1f}" for one in growth)), flush=True)


if __name__ == "__main__":
    main()
