"""The warnings of a record: a code, a sentence, and what it is about."""

from __future__ import annotations

import re
import sys
import tomllib
import traceback
import warnings
from collections.abc import Iterable
from enum import Enum, auto, unique
from functools import cache
from importlib.resources import files
from typing import Any

from skcompare._core.numbers import agreeing, counted

_TEXT = re.compile(r"([A-Z_]+)(?: \((.*?)\))?: (.*)", re.DOTALL)


@unique
class Code(Enum):
    """All codes; `warnings.toml` has what each means and what to do about it.

    Calling one with a sentence makes a warning: ``Code.TOO_LITTLE_DATA("one case.")``. The first ten are cautions,
    which may stand under an answer and say what to do; the others are notes of records.
    """

    DO_NOT_USE = auto()
    FRAGILE = auto()
    TOO_LITTLE_DATA = auto()
    MISSING_SCORES = auto()
    WEAK_METRIC = auto()
    ASSUMED = auto()
    TIME_ORDER = auto()
    BASE_RATE = auto()
    NOT_CONVERGED = auto()
    SELECTED = auto()

    APPROXIMATE = auto()
    CANNOT_REJECT = auto()
    CLUSTERS_IGNORED = auto()
    DESCRIPTIVE = auto()
    DIFFERENT_UNITS = auto()
    ESTIMATED_SPREAD = auto()
    FITTED_MODELS = auto()
    ILL_DEFINED = auto()
    INDEPENDENCE = auto()
    INDEPENDENT_RUNS = auto()
    JUDGED = auto()
    LACK_OF_FIT = auto()
    MANY_METRICS = auto()
    MONTE_CARLO = auto()
    NOT_A_NULL = auto()
    NOT_AT_LEVEL = auto()
    NOT_CALIBRATED = auto()
    NOT_PLANNED = auto()
    NO_DIFFERENCE = auto()
    NO_RANDOMNESS = auto()
    PAIRING_IGNORED = auto()
    PARTIAL = auto()
    POOLED = auto()
    SINGULAR = auto()
    STOPPED = auto()
    STORE = auto()
    TIMES = auto()
    UNBALANCED = auto()
    UNCLEAR = auto()
    UNDECIDED = auto()
    UNSTABLE_LEARNERS = auto()
    WEIGHTED = auto()
    ZERO_VARIANCE = auto()

    @property
    def meaning(self) -> str:
        """What it says of a result, in one sentence."""
        return str(_told()[self.name]["meaning"])

    @property
    def remedy(self) -> str:
        """What to do about it, in one sentence."""
        return str(_told()[self.name]["remedy"])

    def __call__(self, sentence: str, about: Iterable[str] = ()) -> CodedWarning:
        return CodedWarning(self.name, sentence, about)


CAUTIONS = tuple(Code.__members__)[:10]  # may stand under an answer, the weightiest first
FORBIDDING = (Code.DO_NOT_USE.name,)  # any conclusion: the first line of every view is that
FEW_SPLITS = 5
# Said of each data set of a study.
_OF_ONE = (Code.DO_NOT_USE, Code.MISSING_SCORES, Code.NOT_CONVERGED, Code.TOO_LITTLE_DATA, Code.WEAK_METRIC)
OF_ONE_DATASET = tuple(code.name for code in _OF_ONE)


def warn(said: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line outside of this package that began what it does, however many calls lie between."""
    names = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_stack(sys._getframe(1))]
    ours = [i for i, name in enumerate(names) if name[:10] == "skcompare."]
    warnings.warn(said, category, stacklevel=ours[-1] + 3)


@cache
def _told() -> dict[str, dict[str, Any]]:
    """What each code means, what to do about it, and the codes of earlier versions that it stands for."""
    return tomllib.loads(files("skcompare._core").joinpath("warnings.toml").read_text(encoding="utf-8"))


def forbidding(warnings: Iterable[str]) -> tuple[CodedWarning, ...]:
    """Those that forbid any conclusion."""
    found = list[CodedWarning]()
    for one in warnings:
        found += [one] if isinstance(one, CodedWarning) and one.code in FORBIDDING else []
    return tuple(found)


def do_not_use(warnings: Iterable[str]) -> str:
    """Why a result must not be used, and on which data sets, as the first line of every view; empty where it may be."""
    found = forbidding(warnings)
    if not found:
        return ""
    first, others = found[0], len({one.where for one in found}) - 1
    more = f" and {counted(others, 'other')}" if others else ""
    on = f" ({first.where}{more})" if first.where else ""
    return f"Do not use this result{on}: {first.sentence}"


def few_splits(n: int, unit: str = "split", against: int = 0) -> CodedWarning:
    """The warning of an evaluation or a search on fewer than `FEW_SPLITS` splits, or of a model with two runs.

    Against more runs of another model Welch's test is wrong more often: "How often tests of independent runs reject a
    true null" in docs/benchmarks.md.
    """
    hardly = f"{counted(n, unit)} hardly {agreeing(n, 'tells', 'tell')} how much the scores vary"
    better = ", better '10x10'" if unit == "split" else ""
    wrong = " Against more runs up to 13% of equal models are called different, of skewed scores 21%."
    return Code.TOO_LITTLE_DATA(f"{hardly}. Take {FEW_SPLITS}{better}.{wrong * (against > n)}")


class CodedWarning(str):
    """A reason to doubt a result; as a text ``CODE: sentence``, or ``CODE (where): sentence``.

    Parameters
    ----------
    code : str
        The name of one of `Code`.
    sentence : str
        What is to be doubted, and why.
    about : iterable of str, default=()
        The models, metrics or data sets that it is about; empty where it is about the whole record.
    where : str, default=""
        The part of a larger result that it was found in; empty where it holds for all of it.

    Raises
    ------
    ValueError
        If the code is unknown.
    """

    __slots__ = ("about", "code", "sentence", "where")
    code: str
    sentence: str
    about: tuple[str, ...]
    where: str

    def __new__(cls, code: str, sentence: str, about: Iterable[str] = (), where: str = "") -> CodedWarning:
        if code not in Code.__members__:
            raise ValueError(f"code must be one of skcompare._core.warnings.Code; got {code!r:.80}")
        found = super().__new__(cls, f"{code} ({where}): {sentence}" if where else f"{code}: {sentence}")
        for name, value in (("code", code), ("sentence", sentence), ("about", tuple(about)), ("where", where)):
            object.__setattr__(found, name, value)
        return found

    @classmethod
    def from_text(cls, text: str, about: Iterable[str] = ()) -> CodedWarning:
        """The warning that a saved file has as `text`, about some names; ValueError where it is none."""
        found = _TEXT.fullmatch(text)
        if found is None:
            raise ValueError(f"a warning must be a code, a colon and a sentence; got {text!r:.80}")
        now = (name for name, code in _told().items() if found[1] in code.get("earlier", ()))
        return cls(next(now, found[1]), found[3], about, found[2] or "")

    def at(self, where: str) -> CodedWarning:
        """The same warning, found in a part of a larger result; "" for all of it."""
        return CodedWarning(self.code, self.sentence, self.about, where)

    def __reduce__(self) -> tuple[Any, ...]:
        return CodedWarning, (self.code, self.sentence, self.about, self.where)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a warning is frozen; {name} cannot be set")


Warnings = tuple[CodedWarning, ...]
