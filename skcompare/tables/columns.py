"""What a column is for: by its name in any case and spelling, by its values, and by what stands beside it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

_ENDS = ("_name", "_names", "_id", "_ids", "_label", "_no", "_nr", "_number", "_index", "_idx", "_key")
_WORDS = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
_OF = {name: frozenset(words.split()) for name, words in _WORDS.items() if isinstance(words, str)}
# The usual names of what a column says of its row.
NAMES: dict[str, frozenset[str]] = {
    role: frozenset(
        [
            *(word + end for word in _WORDS["names"].get(role, "").split() for end in ("", *_ENDS)),
            *(word + end for word in _WORDS["ended"].get(role, "").split() for end in _ENDS),
            *_WORDS["exact"].get(role, "").split(),
        ]
    )
    for role in dict.fromkeys([*_WORDS["names"], *_WORDS["ended"], *_WORDS["exact"]])
}
_NUMBERED = {
    "split": re.compile(r"(?:test_?)?(?:(?:cv_?)?fold|split|cv)_?(\d+)(?:_?(?:test_)?score)?"),
    "repeat": re.compile(r"(?:rep|repeat|repetition|resample)_?(\d+)"),
    "run": re.compile(r"(?:run|seed|trial)_?(\d+)"),
}


def plain(name: str) -> str:
    """A name in lower case, with an underscore for all that is neither letter nor digit, and between two words."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(name))
    return re.sub(r"[^0-9a-z%#]+", "_", apart.lower()).strip("_")


def role_of_name(name: str) -> str | None:
    """What a name alone says of a column; None where it says nothing."""
    found = plain(name)
    both = {found, re.sub(r"[^0-9a-z]+", "_", str(name).lower()).strip("_")}
    for role, names in NAMES.items():
        if not both.isdisjoint(names):
            return role
    if any(one in _OF["weak_truth"] for one in both):
        return "label"
    if re.fullmatch(r"(?:probability|proba|prob|p)_.+", found) and str(name).lower().startswith("probability_"):
        return "probability"
    without_unit = re.sub(r"\s*[(\[][^()\[\]]*[)\]]\s*$", "", str(name))  # Params (B)
    return None if name == "" else _described(found) or _described(plain(without_unit))


def _described(name: str) -> str | None:
    """Times, sizes, deviations, ranks and scores on training sets, which are no scores."""
    words = [*re.sub("^#_*", "n_", name).split("_")]
    rest = {*words}
    if not rest.isdisjoint(_OF["times"]) and rest <= _OF["times"] | _OF["helpers"] | _OF["deviations"]:
        return "time"
    if "_".join(word for word in words if word not in _OF["units"]) in _OF["sizes"] or (
        words[0] in ("n", "num", "number", "nb") and rest - {words[0], "of"} <= _OF["sized"] and rest - {words[0]}
    ):
        return "size"
    if rest <= _OF["ranks"] | _OF["helpers"] | {"w"} and not rest.isdisjoint(_OF["ranks"]):
        return "rank"
    if _is_compared(rest):
        return "comparison"
    measured = rest - _OF["deviations"]
    if measured != rest and measured <= _OF["helpers"] | _OF["measures"] | _OF["of_measures"]:
        return "deviation"
    ranked = rest - _OF["ranks"]
    if ranked != rest and is_measure("_".join(word for word in words if word in ranked)):
        return "rank"
    if words[0] in ("train", "training") and is_measure("_".join(words[1:])):
        return "training score"
    return None


def _is_compared(words: set[str]) -> bool:
    """Whether words are those of what was computed of two models, such as a difference or a p-value."""
    strong = words & _OF["compared"] or words == {"p", "value"} or words == {"p"}
    return bool(strong) and ("minus" in words or "vs" in words or words <= _OF["compared"] | _OF["of_compared"])


def is_measure(name: str) -> bool:
    """Whether a name is that of a metric, with words such as test and mean around it."""
    words = plain(name).replace("%", "").split("_")
    own = {word for word in words if word and word not in _OF["helpers"]}
    strong = (
        own & _OF["measures"]
        or {"balanced"} == own
        or own >= {"cross", "entropy"}
        or own >= {"corrcoef"}
        or own == {"percent", "correct"}
    )
    return bool(own) and bool(strong) and own <= _OF["measures"] | _OF["of_measures"]


def is_loss(name: str, *, surely: bool = True) -> bool:
    """Whether less of a metric is better, by its name; of a metric that is known, or else also of any other."""
    words = plain(name).split("_")
    named = bool({*words} & _OF["losses"]) and words[0] not in ("neg", "negative")
    return named and (not surely or is_measure(name) or words == ["rank"])


def is_statistic(name: str) -> bool:
    """Whether a name is no more than words such as mean and score."""
    return {*plain(name).split("_")} <= _OF["statistics"] | _OF["helpers"]


def is_deviation(name: str) -> bool:
    """Whether a name says how much scores vary."""
    return not _OF["deviations"].isdisjoint(plain(name).split("_"))


def is_number_of_runs(name: str) -> bool:
    """Whether a name says how many scores a mean is of: n, n_runs, seeds."""
    words = [word for word in plain(name).split("_") if word not in ("n", "num", "number", "of")]
    return not words or (len(words) == 1 and words[0] in ("runs", "seeds", "repeats", "trials", "folds", "splits"))


def is_summary(name: str) -> bool:
    """Whether a row or column of this name sums up others."""
    sums = (_OF["ranks"] | _OF["deviations"] | _OF["statistics"]) - {"score", "test"}
    return plain(name) in _OF["summaries"] or {*plain(name).split("_")} <= sums


def beside(name: str, others: Iterable[str]) -> str | None:
    """What a name adds to that of another column: "time", "deviation", "rank" or "size", as in svm and svm_std."""
    words = plain(name).split("_")
    stems = [plain(other).split("_") for other in others if other != name]
    kinds = {
        "time": _OF["times"],
        "deviation": _OF["deviations"] | _OF["bounds"] | {"err", "error"},
        "rank": _OF["ranks"],
        "size": frozenset({"size"}),
    }
    for kind, own in kinds.items():
        for cut in (words[:-1] if words[-1] in own else None, words[1:] if words[0] in own else None):
            if cut and any(stem[: len(cut)] == cut or stem[-len(cut) :] == cut for stem in stems):
                return kind
    return None


def numbered(names: Sequence[str]) -> str | None:
    """The role of headers such as fold1, fold2: "split", "repeat" or "run"; None where they are none."""
    for role, form in _NUMBERED.items():
        if names and all(form.fullmatch(plain(name)) for name in names):
            return role
    return None


def counted_through(names: Sequence[str]) -> bool:
    """Whether names are one stem with 1, 2, 3 that says nothing of what is counted, as in s1, s2, s3."""
    found = [re.fullmatch(r"(.*?)_?0*(\d+)", plain(name)) for name in names]
    stems, counts = ({match[i] if match else None for match in found} for i in (1, 2))
    through = any(counts == {str(first + i) for i in range(len(names))} for first in (0, 1))
    return len(names) > 2 and len(stems) == 1 and through and not stems & _OF["counted"] and numbered(names) is None


def like_learners(names: Iterable[str]) -> int:
    """How many names are those of learners, less those of data sets."""
    words = [{*re.split(r"_|(?<=[a-z])(?=\d)", plain(name)), plain(name).replace("_", "")} for name in names]
    return sum(bool(one & _OF["learners"]) for one in words) - sum(bool(one & _OF["datasets"]) for one in words)


def is_weak(name: str) -> bool:
    """Whether a name is that of a number in some register, which may be another one in every row."""
    return plain(name) in _OF["registered"]


def is_part(values: Collection[str]) -> bool:
    """Whether values are parts of the data: train, test, validation."""
    return bool(values) and {value.strip().lower() for value in values} <= _OF["parts"]
