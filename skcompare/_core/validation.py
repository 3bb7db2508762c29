"""Checks at the door, shared by every layer: each error names the argument, the requirement and what came."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from difflib import get_close_matches
from functools import cache, lru_cache, wraps
from importlib.resources import files
from inspect import signature
from itertools import accumulate, combinations
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar, get_args
from unicodedata import bidirectional, category

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcompare._core.numbers import counted, listed
from skcompare._core.warnings import warn

# What people call procedures, metrics and pictures elsewhere, and the refusal of a name that is not known.


MOST = 200  # characters of a refusal
_MOST_NAMES, _MOST_OF_VALUE = 3, 50
_SPELLABLE = 5  # letters of a word that can be recognised with one of them wrong


@cache
def meanings() -> dict[str, list[str]]:
    """What others call procedures, metrics and pictures, each with the names that it has here."""
    told = tomllib.loads(files("skcompare._core").joinpath("meanings.toml").read_text(encoding="utf-8"))
    return {other: one["here"] for one in told["meanings"] for other in one["elsewhere"]}


def nearest(value: Any, known: Collection[str], most: int = 1) -> list[str]:
    """The known names that `value` means elsewhere, else at most so many that are spelt like it."""
    if same := meant(value, known):
        return same
    spelt = {name: [name] for name in known}
    for key, names in meanings().items():
        found = _here(names, known)
        if found and len(key) >= _SPELLABLE:
            spelt.setdefault(key, found)
    alike = get_close_matches(str(value)[:MOST], [key for key in spelt if len(key) <= MOST], n=most)  # not linear
    return list(dict.fromkeys([name for key in alike for name in spelt[key]]))


def meaning(value: Any) -> tuple[str, ...]:
    """What `value` is called here, wherever that is known."""
    return next((tuple(meanings()[form]) for form in _forms(value) if form in meanings()), ())


def did_you_mean(names: Sequence[str]) -> str:
    """The question that comes first where a name is not known; empty without a name to offer."""
    *others, last = map(repr, names[:_MOST_NAMES]) if names else ("",)
    first = f"{', '.join(others)} or " if others else ""
    return f"did you mean {first}{last}? " if last else ""


def unknown(value: Any, name: str, known: Sequence[str]) -> str:
    """The refusal of a value that is none of the known names; all are listed where none of many options is like it."""
    hint, got = did_you_mean(nearest(value, known)), f"; got {came(value)[:_MOST_OF_VALUE]}"
    whole = f"{hint}{name} must be one of {', '.join(map(repr, known))}{got}"
    if len(whole) <= MOST or not (hint or name.startswith("metric")):
        return whole
    shown, room = [*map(repr, known)], MOST - len(f"{hint}{name} must be one of , ...{got}")
    some = [other for other, end in zip(shown, accumulate(len(x) + 2 for x in shown), strict=True) if end <= room]
    return cut(f"{hint}{name} must be one of {', '.join([*some, '...'])}{got}")


def cut(message: str) -> str:
    """A refusal that can be read at once."""
    return message if len(message) <= MOST else f"{message[: MOST - 3]}..."


def came(value: Any) -> str:
    """What came in place of what was asked for: its beginning, on one line although it may be an array or a frame."""
    return " ".join(map(str.strip, repr(value).splitlines()))[:80]


def meant(value: Any, known: Collection[str]) -> list[str]:
    """Those of the known names that `value` is, however it is spelt, or means elsewhere."""
    plain = {_plain(name): name for name in known}
    for form in _forms(value):
        if form in plain:
            return [plain[form]]
        if found := _here(meanings().get(form, ()), known):
            return found
    return []


def _here(names: Sequence[str], known: Collection[str]) -> list[str]:
    """Those of the names that are known, with or without a trailing ``_test``."""
    forms = dict.fromkeys(form for name in names for form in (name, name.removesuffix("_test")))
    return [form for form in forms if form in known]


def _forms(value: Any) -> list[str]:
    """The value as the table has it, also without what others put before or behind a name."""
    text = _plain(str(value))
    forms = (text, text.removeprefix("neg"), text.removesuffix("test"), text.removesuffix("score"))
    return [form for form in dict.fromkeys(forms) if form]


@lru_cache(maxsize=4096)  # every question for a name asks for all known ones
def _plain(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())


Alternative = Literal["two-sided", "greater", "less"]
# Arrays by what they hold; positions are indexes into other arrays.
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]
Positions = NDArray[np.intp]
AnyArray = NDArray[Any]
# Names that may be given, one or several that are chosen, options by name, the ends of an interval, and what draws.
Names = Sequence[str] | None
Chosen = str | Sequence[str] | None
Options = Mapping[str, Any]
Ends = tuple[float, float]
Seed = int | np.random.Generator | None
LARGEST_NULL = 1e300  # as of a difference of scores
LARGEST_INTEGER = 2**53  # up to here every integer is a float too
_NUMERAL = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*")
# By numpy's letter, what its conversion to numbers would take, and what to do about it.
_NO_NUMBERS = {
    "U": ("text such as {value!r:.40}", "convert it, as in np.asarray({name}, dtype=float)"),
    "S": ("bytes such as {value!r:.40}", "convert them, as in np.asarray({name}, dtype=float)"),
    "c": ("complex numbers", "give real ones, such as np.abs({name})"),
    "M": ("dates", "give numbers"),
    "m": ("times", "give them as numbers, such as {name} / np.timedelta64(1, 's')"),
}


@dataclass(frozen=True, eq=False, slots=True)
class Checked:
    """Finite numbers that nobody can change, such as the scores of a result: they are checked once for many pairs."""

    array: FloatArray

    def __neg__(self) -> Checked:
        return Checked(-self.array)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.array, dtype=dtype, copy=copy)


def check_scores(values: ArrayLike, name: str, *, ndim: tuple[int, ...] = (1, 2)) -> FloatArray:
    """Return `values` as a new float64 array of one of the dimensions `ndim`, all finite, or raise ValueError.

    Those that were checked before are not copied.
    """
    array = values.array if isinstance(values, Checked) else as_floats(values, name)
    if array.ndim not in ndim:
        wanted = " or ".join(str(d) for d in ndim)
        raise ValueError(f"{name} must have {wanted} dimension{'' if ndim == (1,) else 's'}; got shape {array.shape}")
    if array.size == 0:
        raise ValueError(f"{name} must hold at least one value; got shape {array.shape}")
    finite = True if isinstance(values, Checked) else np.isfinite(array)
    if not np.all(finite):
        bad = np.argwhere(~finite)
        where = tuple(int(i) for i in bad[0])
        position = where[0] if len(where) == 1 else where
        raise ValueError(
            f"{name} must be finite; got {array[where]} at position {position} ({counted(len(bad), 'such value')})"
        )
    return array


def as_floats(values: ArrayLike, name: str) -> FloatArray:
    """Return numbers as a new float64 array of whatever shape, nan among them too, or raise ValueError."""
    refuse_masked(values, name)
    if hasattr(values, "toarray"):
        raise ValueError(f"{name} must be dense; got a sparse matrix: give {name}.toarray()")
    try:
        array = np.asarray(values)
        if array.dtype.kind in "biuf":
            return np.array(values, dtype=np.float64)
        if array.dtype.kind in "US":  # numpy makes texts of numbers beside one
            array = np.asarray(values, dtype=object)
        odds = [(kind, x) for kind, x in _kinds(array) if kind not in "biufO"]
        odd = next((one for one in odds if one[0] == "U" and not _NUMERAL.fullmatch(one[1])), odds[0] if odds else None)
        if odd is None:
            return np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must be an array of numbers; got {came(values)}") from error
    found, remedy = _NO_NUMBERS.get(odd[0], ("values of {value!r:.40}", "give numbers"))
    remedy = "give a number in its place" if odd[0] == "U" and not _NUMERAL.fullmatch(odd[1]) else remedy
    said = f"{found.format(value=odd[1])}: {remedy.format(name=name)}"
    raise ValueError(f"{name} must be an array of numbers; got {said}")


def of_dates(array: NDArray[Any]) -> NDArray[Any]:
    """Dates and times as objects of Python, whatever their unit, which are no numbers; anything else as it is."""
    return array.astype(f"{array.dtype.kind}8[us]").astype(object) if array.dtype.kind in "Mm" else array


def _kinds(array: NDArray[Any]) -> Iterator[tuple[str, Any]]:
    """Values and their kinds by numpy's letters, one value where all are of one kind."""
    if array.dtype.kind != "O":
        yield array.dtype.kind, next(iter(array.ravel()[:1].tolist()), None)
        return
    for x in array.flat:
        kind = "M" if isinstance(x, date) else "m" if isinstance(x, timedelta) else np.asarray(x).dtype.kind
        yield kind, x


def refuse_masked(values: Any, name: str) -> None:
    """Raise ValueError where places are masked: most of what reads an array sees the values below the mask."""
    if _is_masked(values):
        raise ValueError(
            f"{name} must not have masked values; leave out their places, also in what it is paired with, or put nan "
            "there where missing values are allowed"
        )


def _is_masked(values: Any, depth: int = 4) -> bool:
    parts: Iterable[Any] = ()
    if isinstance(values, (list, tuple)):
        parts = (x for x in values if isinstance(x, (list, tuple, np.ndarray))) if depth else ()
    elif hasattr(values, "iloc") and hasattr(values, "columns"):
        parts = (values.iloc[:, i] for i, dtype in enumerate(values.dtypes) if str(dtype) == "object")
    elif hasattr(values, "iloc"):
        parts = [values.to_numpy()] if str(values.dtype) == "object" else []
    elif isinstance(values, np.ndarray) and values.dtype.kind == "O" and not isinstance(values, np.ma.MaskedArray):
        return type(np.ma.masked) in map(type, values.flat)
    else:  # a mask may have fields, as the array has
        return bool(np.ascontiguousarray(np.ma.getmask(values)).view(np.bool_).any())
    return any(x is np.ma.masked or _is_masked(x, depth - 1) for x in parts)


def as_tuple(values: Any) -> tuple[Any, ...]:
    """The entries of a sequence, such as names; none of what is no sequence."""
    try:
        return tuple(values)
    except TypeError:
        return ()


def check_aligned(**paired: Any) -> None:
    """Raise ValueError where two pandas objects whose rows are paired by position have different indexes."""
    indexed = {}
    for name, x in paired.items():
        if hasattr(x, "iloc") and hasattr(x, "index"):
            indexed[name] = x
    if len(indexed) < 2:
        return
    for axis, rows in (("index", "rows"), ("columns", "columns")):
        first, *others = [name for name, x in indexed.items() if hasattr(x, axis)] or [""]
        for name in others:
            one, other = getattr(indexed[first], axis), getattr(indexed[name], axis)
            if one is other or one.equals(other):
                continue
            same = len(one) == len(other) and set(one) == set(other)
            if axis == "columns" and not same:
                continue
            raise ValueError(
                f"{first} and {name} must have the same {axis}, as their {rows} are paired by position; got "
                f"{'the same labels in another order' if same else 'different labels'}. Give "
                f"{name}.reindex({axis}={first}.{axis}) to pair {rows} by label, or {name}.to_numpy() to pair them as "
                f"they stand"
            )


def by_label(values: Any, name: str, labels: NDArray[Any] | None, *, strict: bool = True) -> Any:
    """A pandas object in the order of the ids of its rows, which its index must hold; anything else as it stands.

    Unless `strict`, an index that has none of the ids is taken for one that does not name the rows.
    """
    if labels is None or not (hasattr(values, "iloc") and hasattr(values, "index")):
        return values
    wanted = (labels.astype("M8[us]") if labels.dtype.kind == "M" else labels).tolist()
    known = [str(x) if labels.dtype.kind == "U" else x for x in values.index.tolist()]
    place, asked = {x: i for i, x in enumerate(known)}, set(wanted)
    if not strict and asked.isdisjoint(place):
        return values
    for what, found in (
        ("lacks", [x for x in wanted if x not in place]),
        ("has besides", [x for x in known if x not in asked]),
        ("has twice", [x for i, x in enumerate(known) if place[x] != i]),
    ):
        if found:
            remedy = "" if strict else f". Give {name}.to_numpy() to take it as it stands"
            raise ValueError(f"{name} must have every sample_id once in its index; it {what} {found[:5]}{remedy}")
    return values.iloc[[place[x] for x in wanted]]


def check_pair(
    a: ArrayLike,
    b: ArrayLike,
    *,
    ndim: tuple[int, ...] = (1, 2),
    shape: tuple[int, ...] | None = None,
    names: tuple[str, str] = ("a", "b"),
) -> tuple[FloatArray, FloatArray]:
    """Return `a` and `b`, arguments of some names, as finite float64 arrays of one shape, or raise ValueError."""
    one, other = names
    check_aligned(**{one: a, other: b})
    a, b = check_scores(a, one, ndim=ndim), check_scores(b, other, ndim=ndim)
    if a.shape != b.shape:
        raise ValueError(f"{one} and {other} must be paired, of one shape; got {one} {a.shape} and {other} {b.shape}")
    if shape is not None and a.shape != shape:
        raise ValueError(f"{one} and {other} must have shape {shape}; got {a.shape}")
    return a, b


def check_alternative(alternative: str) -> None:
    """Raise ValueError unless `alternative` is a side, or both."""
    check_choice(alternative, "alternative", get_args(Alternative))


def check_choice(value: Any, name: str, allowed: Sequence[str]) -> None:
    """Raise ValueError with the nearest of the allowed values first, unless `value` is one of them."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(unknown(value, name, allowed))


def check_number(
    value: Any,
    name: str,
    *,
    low: float = -np.inf,
    high: float = np.inf,
    closed: Literal["both", "left", "right", "neither"] = "both",
) -> float:
    """Return `value` as a float inside the interval from `low` to `high`, or raise ValueError."""
    left, right = "[" if closed in ("both", "left") else "(", "]" if closed in ("both", "right") else ")"
    if isinstance(value, Real) and not isinstance(value, (bool, np.timedelta64)):
        try:
            number = float(value)
        except OverflowError:  # an integer too large for a float
            number = -np.inf if value < 0 else np.inf
        above = number >= low if left == "[" else number > low
        below = number <= high if right == "]" else number < high
        if above and below:
            return number
    raise ValueError(f"{name} must be a number in {left}{low:g}, {high:g}{right}; got {came(value)}")


def check_null(null: Any, *, low: float = -LARGEST_NULL, high: float = LARGEST_NULL, name: str = "null") -> float:
    """Return the difference under a null hypothesis as a float between two limits, or raise ValueError."""
    return check_number(null, name, low=low, high=high, closed="neither") + 0.0


class Hypothesis(NamedTuple):
    """What a difference is tested against: the side of the alternative, and the difference under the null."""

    alternative: str
    null: float


def check_hypothesis(
    alternative: str, null: Any, *, low: float = -LARGEST_NULL, high: float = LARGEST_NULL
) -> Hypothesis:
    """Return both as they are, the `null` as `check_null` does; ValueError where one of the two is unknown."""
    check_alternative(alternative)
    return Hypothesis(alternative, check_null(null, low=low, high=high))


def check_bool(value: Any, name: str) -> bool:
    """Return `value` as a bool, or raise ValueError."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be a bool; got {came(value)}")
    return bool(value)


def check_names(names: Sequence[str] | None, n: int, argument: str = "names", of: str = "model") -> tuple[str, ...]:
    """Return `n` different names, made up where there are none, or raise ValueError."""
    if names is None:
        return tuple(f"{of} {i + 1}" for i in range(n))
    given = as_tuple(names)
    if isinstance(names, str) or len(given) != n or not all(isinstance(name, str) for name in given):
        raise ValueError(f"{argument} must be {n} strings, one per {of}; got {came(names)}")
    if len(set(given)) != n:
        twice = next(name for name in given if given.count(name) > 1)
        raise ValueError(f"{argument} must be different; got {twice!r} more than once")
    return tuple(map(str.__str__, given))


def check_rng(rng: Any) -> np.random.Generator:
    """Return the generator that `rng` is or seeds, or raise ValueError."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise ValueError(f"rng must be None, a non-negative integer or a numpy Generator; got {came(rng)}") from error


def check_integer(value: Any, name: str, *, low: int) -> int:
    """Return `value` as an int of at least `low`, or raise ValueError."""
    if isinstance(value, Integral) and not isinstance(value, (bool, np.timedelta64)) and int(value) >= low:
        if int(value) >= LARGEST_INTEGER:
            raise ValueError(f"{name} must be an integer below {LARGEST_INTEGER}; got {came(value)}")
        return int(value)
    raise ValueError(f"{name} must be an integer of at least {low}; got {came(value)}")


def check_draws(
    n: Any, rng: Any, name: str = "n_resamples", *, low: int = 1, optional: bool = False, held: int = 0
) -> tuple[int, np.random.Generator]:
    """How many random draws, 0 where that may be left open and is, and what draws them; or raise ValueError.

    Of each draw `held` numbers are kept at once, which must fit into the memory.
    """
    n = 0 if optional and n is None else check_integer(n, name, low=low)
    if n * held > _MANY:
        check_memory(8.0 * held * n, f"{name}={n}", "take fewer")
    return n, check_rng(rng)


# How much memory is free, and the refusal of what would take more than half of it.


_GIB = 2**30
_MANY = 2**24  # fewer numbers always fit


def check_memory(n_bytes: float, what: str, remedy: str) -> None:
    """Raise MemoryError where `n_bytes` are more than half of the free memory; `what` begins with the argument."""
    free = free_memory()
    if n_bytes > free / 2:
        raise MemoryError(
            f"{what} would take {n_bytes / _GIB:.3g} GiB, more than half of the {free / _GIB:.3g} GiB of memory that "
            f"are free; {remedy}"
        )


def free_memory() -> float:
    """Bytes that can be had without swapping; infinite where the system does not tell."""
    with suppress(OSError, StopIteration, ValueError), Path("/proc/meminfo").open(encoding="ascii") as file:
        return next(float(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable:"))
    try:
        return float(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):  # not on this system
        return float("inf")


# Names that a user may leave out, and old ones: which estimators, pairs and metrics, and which arguments.


# Of names from strangers: what a terminal or an editor would obey instead of show.
_CONTROLS = {"Cc", "Cs", "Zl", "Zp"}
_TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
DUMMY = "dummy"  # the name of scikit-learn's, where it is added as the baseline
Given = ParamSpec("Given")
Result = TypeVar("Result")


def check_name(name: str, what: str) -> str:
    """Return `name` as plain text, or raise ValueError where it is none, blank, turns the direction or has controls."""
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{what} must be named by non-empty strings; got {name!r:.80}")
    odd = not name.isprintable()  # few names are
    if odd and not (_CONTROLS.isdisjoint(map(category, name)) and _TURNS.isdisjoint(map(bidirectional, name))):
        raise ValueError(f"{what} must be named without control characters; got {name!r:.80}")
    return str.__str__(name)  # of numpy too


def told_of_old(name: str, now: str) -> str:
    """That a name is taken for one version more, and what to write in its place."""
    return f"{name} is an old name, and is taken until version 0.4: {now}"


def warn_of_old(name: str, now: str) -> None:
    """The same as a warning."""
    warn(told_of_old(name, now), FutureWarning)


def given_twice(old: str, new: str) -> TypeError:
    """The refusal of an old name beside the new one."""
    return TypeError(f"{old} is the old name of {new}, which is given too: leave it out")


def take_old(given: MutableMapping[str, Any], names: Mapping[str, str], placed: Sequence[str] = ()) -> None:
    """Old names of arguments, each with the new one: what was given by the old one is moved, with a warning.

    TypeError where both are given, the new one perhaps among those `placed` without a name.
    """
    for old, new in names.items():
        if old in given and (new in given or new in placed):
            raise given_twice(old, new)
        if old in given:
            warn_of_old(f"{old}=", f"give {new}=")
            given[new] = given.pop(old)


def take_named(function: Callable[..., Any], args: Sequence[Any], given: MutableMapping[str, Any], **old: str) -> None:
    """The same for a call; TypeError for a name that the function does not have, with those that it has."""
    known = signature(function).parameters
    take_old(given, old, [*known][: len(args)])
    unknown = [name for name in given if name not in known]
    if unknown and not any(one.kind is one.VAR_KEYWORD for one in known.values()):
        takes = listed(name for name in known if name not in ("self", "cls"))
        raise TypeError(f"{function.__qualname__} has no argument {unknown[0]!r}: it takes {takes}")


def old_names(**names: str) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """A function whose arguments had other names."""

    def decorate(function: Callable[Given, Result]) -> Callable[Given, Result]:
        @wraps(function)
        def called(*args: Given.args, **kwargs: Given.kwargs) -> Result:
            take_named(function, args, kwargs, **names)
            return function(*args, **kwargs)

        return called

    return decorate


def choose_pair(a: str | None, b: str | None, estimators: tuple[str, ...]) -> tuple[str, str]:
    """Two different estimators, the first and the second by default, or ValueError."""
    for name, given in (("a", a), ("b", b)):
        if given is not None:
            check_choice(given, name, estimators)
    check_several(estimators)
    pair = (estimators[0] if a is None else a, estimators[1] if b is None else b)
    if pair[0] == pair[1]:
        raise ValueError(f"a and b must be two different estimators; got {pair[0]!r} twice")
    return pair


_ADDS = "add one by result.add(name, model, X, y) or skcompare.merge"


def check_several(estimators: tuple[str, ...], adds: str = _ADDS) -> None:
    """ValueError where there is one estimator alone, with what adds another one."""
    if len(estimators) < 2:
        raise ValueError(f"a comparison takes two or more models, and there is only {estimators[0]!r}: {adds}")


def choose_pairs(baseline: str | None, estimators: tuple[str, ...]) -> list[tuple[str, str]]:
    """All pairs of estimators, or every other one against a baseline."""
    if baseline is None:
        return list(combinations(estimators, 2))
    check_choice(baseline, "baseline", estimators)
    return [(name, baseline) for name in estimators if name != baseline]


def choose_metric(metric: str | None, known: tuple[str, ...], argument: str = "metric") -> str:
    """The metric asked for, the first by default, or ValueError."""
    metric = known[0] if metric is None else metric
    check_choice(metric, argument, known)
    return metric


def choose_metrics(
    given: str | Sequence[str] | None, known: tuple[str, ...], argument: str = "metrics", what: str = "metric"
) -> tuple[str, ...]:
    """The metrics asked for, all that are known by default, or ValueError."""
    if given is not None and not isinstance(given, (str, Sequence)):
        raise ValueError(f"{argument} must be names of {what}s; got {came(given)}")
    names = known if given is None else (given,) if isinstance(given, str) else tuple(given)
    for name in names:
        check_choice(name, argument, known)
    if not names or len(set(names)) != len(names):
        raise ValueError(f"{argument} must name at least one {what}, each once; got {came(given)}")
    return names


def choose_estimators(estimators: str | Sequence[str] | None, known: tuple[str, ...]) -> tuple[str, ...]:
    """The estimators asked for, all that are known by default, or ValueError."""
    return choose_metrics(estimators, known, "estimators", "estimator")
