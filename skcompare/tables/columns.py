"""What a column is for, by its name and its values; the numbers in its cells; what sums up others."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import dropwhile, product
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar
from unicodedata import combining, normalize
from warnings import catch_warnings
from weakref import finalize

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from skcompare._core.validation import FloatArray
from skcompare.evaluation import input as of_input

More = ParamSpec("More")
Found = TypeVar("Found")
OfColumn = Callable[Concatenate[NDArray[Any], More], Found]
OF_CLASS = "probability_"  # before the name of a class
_LONG = 60  # characters that no number has, with what stands beside it, and no name of a sum
_SPACES, _FEW_TEXTS = 4, 9  # of a sentence, and long names that may be those of data sets
_MOST_NAMES = 1_000  # that are looked at: of texts and ids there may be any number
_ENDS = ("_name", "_names", "_id", "_ids", "_label", "_no", "_nr", "_number", "_index", "_idx", "_key")
WORDS = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
_OF = {name: frozenset(words.split()) for name, words in WORDS.items() if isinstance(words, str)}
_PARTS = {"names": ("", *_ENDS), "ended": _ENDS, "exact": ("",)}  # of the names of what a column says of its row
NAMES: dict[str, frozenset[str]] = {
    role: frozenset(x + end for part, ends in _PARTS.items() for x in WORDS[part].get(role, "").split() for end in ends)
    for role in dict.fromkeys(role for part in _PARTS for role in WORDS[part])
}
IN_LOGS = {name: role for role, names in WORDS["in_logs"].items() for name in names.split()}
_AROUND = _OF["helpers"] | _OF["measures"] | _OF["of_measures"]
_AROUND_TIMES = _OF["helpers"] | _OF["deviations"] | _OF["steps"] | _OF["quantities"] | _OF["around_times"]
ASIDE = ("time", "size", "deviation", "rank", "training score", "validation score", "comparison")  # no scores
FORMS: dict[str, re.Pattern[str]] = {}  # of names and cells
for _name, _form in WORDS["forms"].items():
    _form = re.sub("@(\\w+)@", lambda of: "|".join(sorted(_OF.get(of[1], ()))) or FORMS[of[1]].pattern, _form)
    FORMS[_name] = re.compile(_form)
SIZES = {size: FORMS[size] for size in ("n_train", "n_test")}


@lru_cache(maxsize=100_000)  # every rule asks again
def plain(name: str) -> str:
    """A name in lower case, with underscores for other signs and between words, without what trackers write before."""
    own = FORMS["wrapped"].sub("", str(name)).replace("@", " at ")
    if not own.isascii() or "+" in own or "/" in own:  # signs that stand for words
        own = "".join(x for x in normalize("NFKD", own) if not combining(x))
        own = FORMS["per_second"].sub(r"\1_per_", FORMS["mean_std"].sub("mean", own))
        own = re.sub("[\u0394\u2206]", " delta ", own)
        if re.search(r"\w", own) or not own.strip("\u00b1+/- ()[]"):  # and not among other signs alone
            own = re.sub("\u00b1|\u03c3|[+]/?-", " std ", own)
    found = re.sub(r"(?:[^\w%#]|_)+", "_", FORMS["camel"].sub("_", own).lower()).strip("_")
    found = re.sub(r"(?<![a-z])(?:taux|tasa|taxa|tasso)_d[ei]?_(?=err)", "", found)  # of errors
    return re.sub(r"(?<![a-z])standard_(?:deviation|error)(?![a-z])", "std", found)


@lru_cache(maxsize=100_000)
def role_of_name(name: str) -> str | None:
    """What a name alone says of a column; None where it says nothing."""
    own = plain(name)
    both = {own, re.sub(r"[^0-9a-z]+", "_", FORMS["wrapped"].sub("", str(name)).lower()).strip("_")}
    for role, names in NAMES.items():
        if not both.isdisjoint(names):
            return role
    if str(name).lower().startswith(OF_CLASS):
        return "probability"
    unit = FORMS["in_parentheses"].search(str(name))  # Params (B), CO2 cost (kg)
    once = re.sub(r"\.\d$", "", FORMS["in_parentheses"].sub("", str(name)))  # Rank.1, as pandas calls the second Rank
    amount = unit and plain(unit[1]) in _OF["amounts"] and not is_measure(once)  # MAE [kWh]
    return _described(own) or _described(plain(once)) or ("size" if amount else None)


def size_of_name(name: str) -> str | None:
    """Of a column of sizes of training or test sets what `SIZES` calls it; a part for validation is a test set."""
    found = ((size, called.fullmatch(plain(name))) for size, called in SIZES.items())
    return next((size for size, match in found if match and any(match.groups())), None)


def _described(name: str) -> str | None:
    """Times, sizes, deviations, ranks and scores on training sets, which are no scores."""
    words = [*re.sub("(time|latency)_s$", r"\1_sec", re.sub("^#_*", "n_", name)).split("_")]
    rest = {*words}
    timed = rest & _OF["times"]  # two in avg_extra_time_sec
    if len(timed) > 1 or (timed and rest <= timed | _AROUND_TIMES):
        return "time"
    counted = words[0] in ("n", "num", "number", "nb", "total") and rest - {words[0], "of"} <= _OF["sized"]
    counted |= words[-1] in _OF["shares"] and words[0] in _OF["shared"]  # outlier_ratio
    counted |= name.endswith(("_per_sec", "_per_second", "_per_s", "_bytes", "_kb", "_mb", "_gb"))  # peak_rss_mb
    own = "_".join(word for word in words if word not in _OF["units"] | _OF["helpers"])
    if own in _OF["sizes"] or (counted and len(words) > 1) or size_of_name(name):
        return "size"
    signs, pair = rest & _OF["compared"] - {"vs"}, rest & {"minus", "vs"}  # vs may stand in the name of a data set
    changed = rest & _OF["changes"] and is_measure("_".join(x for x in words if x not in _OF["changes"]))
    tested = (signs or "p" in rest) and (pair or rest <= _OF["compared"] | _OF["of_compared"])
    if changed or tested or FORMS["p_value"].search(name):
        return "comparison"  # of two models
    measured = rest - _OF["deviations"] if words[0] not in _OF["validating"] else rest  # dev_acc is one on a part
    bound = len(rest) > 1 and rest <= _OF["bounds"] | _OF["of_bounds"] and not rest <= _OF["bounds"] - {"ci"}
    if bound or (measured != rest and measured <= _AROUND and not _is_named(name, "scores")):  # explained_variance
        return "deviation"
    ranked = rest - _OF["ranks"]
    if ranked != rest and (ranked <= _OF["helpers"] | {"w"} or is_measure("_".join(x for x in words if x in ranked))):
        return "rank"
    trained = rest & {"train", "training"} and rest.isdisjoint(_OF["testing"] | _OF["validating"])
    return "training score" if trained and is_measure(name) else None


def may_count(name: str, *, whole: bool) -> bool:
    """Whether a name may be that of a count: num_anomalies, prompt_len, or n_x where all its numbers are `whole`."""
    words = plain(name).split("_")
    scored = not {*words}.isdisjoint(_OF["successes"] | _OF["measures"] | _OF["compared"] | _OF["minimised"])
    counted = words[0] in _OF["counting"] or (whole and re.match("(?:[nN]_|n[A-Z])(?!(?i:beats))", name) is not None)
    counted |= words[0].startswith("#") and words[-1] in _OF["sized"]
    return len(words) > 1 and not scored and (counted or words[-1] in ("count", "counts", "len", "length", "size"))


def spelling(name: str) -> str:
    """What two spellings of a name have in common, as RF and rf, or test accuracy and test_accuracy."""
    return FORMS["separators"].sub("", name.casefold())


def looked_at(names: Iterable[Any]) -> list[str]:
    """The names that tell what a column holds: of many the most frequent ones, of equal ones the first."""
    return [name for name, _ in Counter(map(str, names)).most_common(_MOST_NAMES)]


@lru_cache(maxsize=100_000)
def is_measure(name: str) -> bool:
    """Whether a name is that of a metric, with words such as test and mean around it."""
    return any(map(_is_measure, {plain(name), plain(str(name).lower())}))  # mIoU is one word


def is_score(name: str) -> bool:
    """Whether a column beside names of models is called as a metric, or as what agents get."""
    return is_measure(name) or is_listed(name, "earned")


def have_sentences(cells: NDArray[Any]) -> bool:
    texts = [*map(str, cells.tolist())]
    return len({*texts}) > _FEW_TEXTS and sum(x.count(" ") for x in texts) > _SPACES * len(texts)


def measures_in(text: str) -> list[str]:
    """The names of metrics in a text, the longest first that begin with a word; of a time or a cost at its end."""
    parts = [plain(part).split("_") for part in re.split(r"[^\w\s%-]+|\bof\b", text)]
    cuts = ["_".join(own[i:j]) for own in parts for i in range(len(own)) for j in range(len(own), i, -1)]
    known = _OF["minimised"] | {x for x in parts[-1][-1:] if role_of_name(x) in ("time", "deviation")}
    return [x for x in cuts if is_measure(x) or x in known] or [x for x in cuts if x in _OF["burdens"]]


def are_metrics(cells: Sequence[Any]) -> bool:
    """Whether half of the cells or more name metrics, of one class too, as precision_0, or times and sums by them."""
    often = Counter(map(str, cells)).most_common(_MOST_NAMES)
    bare = [(re.sub(r"[ _](?:class[ _]?)?\d$", "", cell) if len(cell) <= _LONG else "", n) for cell, n in often]
    said = [is_measure(x) or role_of_name(x) in ASIDE or is_summary(x) or re.fullmatch(r"p\d\d", x) for x, _ in bare]
    votes = sum(n if told else -n for told, (_, n) in zip(said, bare, strict=True))
    measured = any(is_measure(x) for x, _ in bare)
    return votes >= (0 if measured else 1) and (len(bare) > 1 or measured)


def _is_measure(name: str) -> bool:
    name = name.replace("%", "").replace("rouge_l", "rougel").strip("_")
    own = {*re.sub("^(?:classif|regr)_|_per_.*", "", name).split("_")} - _OF["helpers"] - _OF["quantities"] - {""}
    made = own <= _OF["measures"] | _OF["of_measures"] and not own.isdisjoint(_OF["measures"])
    return made or _is_named(name, "scores") or _is_named(name, "losses")


def _is_named(name: str, kind: str) -> bool:
    """Whether a plain name as a whole is that of a metric, with words such as mean around it, or of the best k."""
    own = "_".join(word for word in name.split("_") if word not in _OF["helpers"] | {"neg", "negative"})
    return not {name, own, re.sub(r"(?<=_)\d+(?=_|$)", "k", own)}.isdisjoint(_OF[f"named_{kind}"])


def says_what_is_better(name: str) -> bool:
    """Whether a name has a direction: that of a metric or of a success, of a negative loss, or of a score as such."""
    words = {*plain(name).replace("%", "").split("_")}
    if "\u2191" in name or is_measure(name) or is_statistic(name) or words & {"neg", "negative", "d2"}:
        return True
    return bool(words & _OF["successes"]) and words <= _OF["successes"] | _AROUND


def is_loss(name: str, *, surely: bool = True) -> bool:
    """Whether less of a metric is better, by its name; of a metric that is known, or else also of any other."""
    if arrows := {*"\u2191\u2193"} & {*name}:
        return arrows == {"\u2193"}
    turned = re.match(r"1\s*[-\u2212\u2013]", name) is not None  # 1-AUC
    both = {plain(name), plain(name.lower())}  # MedAE is one word
    found = any(_is_loss(own.replace("%", "").strip("_"), turned, not surely or _is_measure(own)) for own in both)
    parts = [x for own in (name, name.lower()) for x in measures_in(own) if x != "cost"]  # mae of best_mae
    odd = not (_OF["changes"] | {"neg", "negative", "d2"}).isdisjoint(plain(name).split("_")) or is_measure(name)
    return found if odd or not (surely and parts) else all(_is_loss(x, turned, True) for x in parts)


def _is_loss(name: str, turned: bool, known: bool) -> bool:
    words = name.split("_")
    if (not _OF["times"].isdisjoint(words) and not _is_named(name, "scores")) or name in _OF["burdens"]:
        return True
    lost = _is_named(name, "losses") or not (_OF["losses"].isdisjoint(words) or _is_named(name, "scores"))
    named = (lost and words[0] not in ("neg", "negative", "d2")) != turned
    ends = words[-2:-1] if words[-1] == "rate" else words[-1:]  # word error rate
    return named and (known or words == ["rank"] or not _OF["minimised"].isdisjoint(ends))


def of_sources(name: str) -> bool:
    """Whether a name is that of what items often come from, such as a patient, or ends with id."""
    return FORMS["source"].fullmatch(name) is not None


def is_listed(text: str, *kinds: str) -> bool:
    """Whether a name or a cell is one of a kind that words.toml lists, such as "steps"."""
    return any(plain(text) in _OF[kind] for kind in kinds)


def ends_as(name: str, *kinds: str) -> bool:
    """Whether a name begins or ends with a word of a kind, as svm_lower with one of "bounds"; abs says nothing."""
    words = [word for word in plain(name).split("_") if word not in ("abs", "absolute", "sq", "squared")]
    return any(not _OF[kind].isdisjoint({*words[:1], *words[-1:]}) for kind in kinds)


def is_predicted(name: str) -> bool:
    """Whether a name ends or begins as predictions do: bert_pred."""
    return not NAMES["prediction"].isdisjoint(plain(name).split("_"))


def is_statistic(name: str) -> bool:
    """Whether a name is no more than words such as mean and score."""
    words = {*plain(name).split("_")} - {"private", "public"}  # scores of a competition
    return any(len(word) > 1 for word in words) and words <= _OF["statistics"] | _OF["helpers"]


_SUMS = (_OF["ranks"] | _OF["deviations"] | _OF["statistics"] - _OF["parts"]) - {"place", "position", "score"}


def is_summary(name: str) -> bool:
    """Whether a row or column of this name sums up others."""
    if len(name) > _LONG:
        return False
    whole, tests = {*plain(name).split("_")}, _OF["tests"]
    tested = whole <= tests | _OF["of_tests"] and (not tests.isdisjoint(whole) or whole > {"p"})  # p (Wilcoxon)
    name = name.partition(" (")[0] or name  # Average (56 datasets)
    first, *rest = re.sub(r"_\d+(?=_)", "", plain(name)).split("_")  # Average on 35 datasets
    mean = first in ("average", "avg", "mean", "overall") and {*rest} <= _OF["of_summaries"]  # Mean win rate
    spoken = any(map(str.isalnum, name))  # a mere sign says nothing of the rows
    return spoken and (tested or plain(name) in _OF["summaries"] or {first, *rest} <= _SUMS or mean)


_ADDED = _OF["helpers"] | _OF["statistics"] | _OF["measures"]
_VARYING = _OF["deviations"] | _OF["bounds"] | {"err", "error"}
_BESIDE = {"time": _OF["times"], "deviation": _VARYING, "rank": _OF["ranks"], "size": frozenset({"size"})}


class Beside:
    """What names of columns say of each other."""

    def __init__(self, names: Iterable[str]) -> None:
        self.stems = {tuple(plain(name).split("_")) for name in names}
        self.bare = Counter(frozenset(stem) - _ADDED for stem in self.stems)
        self.means = {tuple(of.split("_")) for of in map(mean_of, map("_".join, self.stems)) if of}
        tests = ["p" in stem or FORMS["p_value"].search("_".join(stem)) for stem in self.stems]
        # no data sets P, T and Z
        self.of_tests = any(tests) and sum(len("".join(stem)) == 1 for stem in self.stems) < 3
        self.tested = {frozenset(stem) - _OF["testing"] for stem in self.stems if not _OF["testing"].isdisjoint(stem)}

    def role(self, name: str) -> str | None:
        """What a name adds to another, as in svm and svm_std: "time", "deviation", "rank", "size", or a part."""
        words = tuple(re.sub(r"(?<=lo|hi|ci)[_\d]+$", "", plain(name)).split("_"))  # svm-lo-90, svm_ci95
        stem = tuple(word for word in words if word not in _OF["central"])
        if stem != words and stem in self.means and not mean_of("_".join(words)):
            return "comparison"  # the best or the median beside the mean of the same runs
        if words[-1] == "p" != words[0] != "top" and self.stems.isdisjoint((*words[:-1], f) for f in ("f", "f1")):
            return "comparison"  # pearson_p beside pearson_r, but for rouge_p beside rouge_f
        own = [word for word in words if word not in _OF["moments"]]
        if self.of_tests and {words[0], words[-1] * (len(words[-1]) > 1)} & _OF["test_statistics"]:  # and no Swin-T
            return "comparison"
        measured = any(not _OF["measures"].isdisjoint(one) for one in self.tested)
        if measured and own[:1] and own[0] in _OF["validating"] and is_measure("_".join(own[1:])):
            return "validation score"  # val_loss beside test_acc
        for kind, ends in _BESIDE.items():
            ahead, behind = (tuple(dropwhile(ends.__contains__, own)) for own in (words, words[::-1]))
            inner = ends - {"dev", "err", "error"}  # accuracy_std_svm beside accuracy_mean_svm
            if not ({ahead, behind[::-1]} - {words}).isdisjoint(self.stems):
                return kind
            rest = frozenset({*words} - inner - _ADDED)
            if not inner.isdisjoint(words) and rest and self.bare[rest] > (frozenset(words) - _ADDED == rest):
                return kind
        sides = plain(re.sub(r"(?<=\S)\s*[-\u2212\u2013]\s*(?=\S)", " vs ", name)).split("_vs_")  # a_vs_b, a - b
        here = [one for one in sides if tuple(one.split("_")) in self.stems - {words}]
        if len(sides) == 2 and (len(here) == 2 or ("_vs_" in plain(name) and here)):
            return "comparison"  # and no data set such as kr-vs-kp
        for kind, part in (("training", _OF["training"]), ("validation", _OF["validating"])):
            stem = tuple(word for word in words if word not in part)
            if stem != words and (frozenset(stem) in self.tested or (kind == "training" and stem in self.stems)):
                return f"{kind} score"
        return None


def stems_of(names: Iterable[str], others: Iterable[str]) -> dict[str, str]:
    """Of each name the longest other column that it begins or ends with, as se_resnet with resnet; empty where none."""
    known = {plain(one): one for one in others}
    found = dict.fromkeys(names, "")
    for name in found:
        words = plain(name).split("_")
        ends = ["_".join(own) for i in range(1, len(words)) for own in (words[:-i], words[i:])]
        found[name] = next((known[x] for x in ends if x in known), "")
    return found


def added(sizes: Mapping[str, FloatArray]) -> list[str]:
    """Columns of what differs or was set, as alpha, or as svm_x with small numbers beside svm or svm_mean."""
    stems = {mean_of(name) or name: name for name in sizes}
    found = stems_of([x for x in sizes if re.search(r"[\W_]", x)], stems)
    small = [x for x, stem in found.items() if stem and not (2 * sizes[x] >= sizes[stems[stem]]).any()]
    said = [x for x in sizes if ends_as(x, "compared", "greek")]  # predicted_gain, alpha
    own = [x for x in sizes if is_listed(x, "levels", "doubtful") and max(map(len, sizes)) > 1]  # z beside x and y
    rest = np.concatenate([sizes[x] for x in sizes if x not in own] or [np.zeros(1)])
    said, low, high = [*said * (not may_be_models(said))], np.nanmin(rest), np.nanmax(rest)
    far = [x for x in own if 2 * np.nanmin(sizes[x]) < low or np.nanmax(sizes[x]) > 2 * high]
    own = [x for x in own if x in far or is_listed(x, "sure_levels")]
    # lr may be logistic regression, unless all its numbers are beyond the others
    said += [x for x in own if np.nanmax(sizes[x]) < low or np.nanmin(sizes[x]) > high or not may_be_models([x])]
    return [*small, *said * (len(sizes) > 1)]


def numbered(names: Sequence[str]) -> str | None:
    """The role of names such as fold1, fold2, beside those of sums: "split", "repeat" or "run"; None of others."""
    k = len({*names})
    if k and names[0].endswith(f"/{k}") and {*names} == {f"{i + 1}/{k}" for i in range(k)}:
        return "split"
    for role in ("split", "repeat", "run"):
        if all(FORMS[role].fullmatch(plain(x)) or is_summary(x) for x in names) and not all(map(is_summary, names)):
            return role
    return None


def are_learners(names: Iterable[str]) -> bool:
    """Whether most of some columns of numbers are called like learners."""
    own = [name for name in names if role_of_name(name) is None]
    return len(own) > 1 and 2 * like_learners(own) > len(own)


def runs_of(names: Sequence[str]) -> list[tuple[Any, ...]]:
    """What names such as svm_seed1 are of, and the kind and the number of its run; none where each is of its own."""
    found = [match.groups() for match in map(FORMS["run_of"].fullmatch, names) if match]
    parts = [(one or other, (kind or first).lower(), n or number) for one, kind, n, first, number, other in found]
    stems, kinds = ({part[i].lower() for part in parts} for i in (0, 1))
    return parts if len(found) == len(names) and len(kinds) == 1 and len(stems) < len({*names}) else []


def crossed_with(names: Sequence[str]) -> str:
    """What each of some models, or of data sets, stands beside in names such as nb_1, nb_2, rf_1, rf_2; else empty."""
    texts = [plain(name) for name in names]
    for cut in (match.end() for match in re.finditer("_", texts[0] if texts else "")):
        head, end = texts[0][:cut], texts[0][cut - 1 :]
        both = [{x.removesuffix(end) for x in texts if x.endswith(end)}, {x[cut:] for x in texts if x.startswith(head)}]
        if min(map(len, both)) > 1 and {"_".join(pair) for pair in product(*both)} == {*texts}:
            if any(own == {*map(str, range(i, len(own) + i))} for own in both for i in (0, 1)):
                return "folds or runs"
            if any(like_learners(own) < 0 for own in both):
                return "data sets"
    return ""


def is_way_to_split(text: str) -> bool:
    """Whether a cell is no name of a fold, but the shares of its parts, as 80/20, or words, as scaffold."""
    shares = map(int, re.findall(r"\d{1,3}", FORMS["of_part"].sub("", text)))
    return len(text) > 1 and sum(shares) in (0, 100) and text != "100"


def counted_through(names: Sequence[str]) -> bool:
    """Whether names differ in a number alone, and nothing says what is counted, as in s1, s2 and 1-shot, 5-shot."""
    levels = [name for name in names if re.search(r"=\s*[\d.]", name)]  # eps=0.1, eps=0.5, beside clean
    numbered_ones = [name for name in names if re.search(r"\d", name)]
    levels = numbered_ones if 3 < len(numbered_ones) == len(names) - 1 else levels  # Exp1 to Exp4, and what sums up
    forms = {re.sub(r"\d+(?:_\d+)*", "#", plain(name)) for name in (levels if len(levels) > 1 else names)}
    stems = {form.replace("#", "").strip("_") for form in forms}
    one = len(names) > 1 and len(forms) == 1 and not stems & _OF["counted"] and "#" in next(iter(forms))
    return one and numbered(names) is None and like_learners(names) >= 0 and not all(map(is_measure, names))


def may_be_models(names: Sequence[str]) -> bool:
    """Whether most names are those of learners, or of what is compared with one, such as a baseline and a version."""
    parts = [{*re.split(r"_|(?<=[a-z]{2})(?=\d)", plain(x)), plain(x).replace("_", "")} for x in names]  # also DeepAR
    parts = [own for own in parts if own.isdisjoint(_OF["flags"])]  # present_in_v3
    known = [any(x in _OF["learners"] | _OF["rivals"] or re.fullmatch(r"[mv]\d+", x) for x in own) for own in parts]
    return 2 * sum(known) > len(names)


def like_learners(names: Iterable[str]) -> int:
    """How many names are those of learners, less those of data sets, which may be numbered, as set3, and ImageNet."""
    words = [{*FORMS["apart"].split(plain(x)), plain(x).replace("_", ""), *plain(x.lower()).split("_")} for x in names]
    datasets, counted = _OF["datasets"], {word for word in _OF["counted"] if len(word) > 2}
    of_sets = [bool(own & datasets) or (bool(own & counted) and any(map(str.isdigit, own))) for own in words]
    return sum(bool(own & _OF["learners"]) - of_set for own, of_set in zip(words, of_sets, strict=True))


# ---- the text of a cell -> a number, its deviation, or nothing; a whole column at once -----------------------------

MISSING = _OF["nothing"] | {""}
_TRUTHS = dict.fromkeys(_OF["right"], 1.0) | dict.fromkeys(_OF["wrong"], 0.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Numbers:
    """The numbers of a column.

    Attributes
    ----------
    values : ndarray of shape (n_rows,)
        nan where a cell is missing, or is no number.
    beside : ndarray of shape (n_rows,) or None
        Numbers behind a plus-minus sign or in parentheses; None where no cell has one.
    bad : int or None
        The first row whose cell is neither a number nor missing; None where there is none.
    share : float
        Of the cells that are not missing the share that are numbers.
    percent : ndarray of shape (n_rows,)
        Which cells had a percent sign; they are divided by 100.
    missing : ndarray of shape (n_rows,)
        Which cells hold nothing.
    words : bool
        Whether the cells are words such as true and false.
    marked : bool
        Whether the ends of an interval or the mark of a footnote stand behind a number.
    """

    values: FloatArray
    beside: FloatArray | None = None
    bad: int | None = None
    share: float = 1.0
    percent: NDArray[np.bool_]
    missing: NDArray[np.bool_]
    words: bool = False
    marked: bool = False


def is_missing(cell: Any) -> bool:
    """Whether a cell holds nothing."""
    return cell.strip().lower() in MISSING if isinstance(cell, str) else of_input.is_missing(cell)


def _once(function: OfColumn[More, Found]) -> OfColumn[More, Found]:
    """A function of a column, whose result is kept with a column of objects, which is a table's own."""
    found: dict[tuple[Any, ...], Found] = {}

    def kept(column: NDArray[Any], /, *args: More.args, **kwargs: More.kwargs) -> Found:
        key = (id(column), *args)
        if column.dtype.kind != "O":
            return function(column, *args, **kwargs)
        if key not in found:
            found[key] = function(column, *args, **kwargs)
            finalize(column, found.pop, key, None)
        return found[key]

    return kept


@_once
def distinct_cells(column: NDArray[Any]) -> tuple[list[Any], NDArray[np.intp]]:
    """The distinct cells, and which of them each cell is."""
    cells = column.tolist()
    places = {cell: i for i, cell in enumerate(dict.fromkeys(cells))}
    return [*places], np.fromiter(map(places.__getitem__, cells), dtype=np.intp, count=len(cells))


@_once
def numbers_of(cells: NDArray[Any], decimal: str) -> Numbers:
    """A column as numbers, as far as it holds some."""
    own = cells.astype(np.float64) if cells.dtype.kind in "biuf" else _plain_numbers(cells.tolist(), decimal)
    if own is not None:
        no = np.zeros(len(cells), dtype=bool)
        return Numbers(values=own, percent=no, missing=np.isnan(own), words=cells.dtype.kind == "b")
    given, which = distinct_cells(cells)
    given = [x.replace("\ufe0f", "") if isinstance(x, str) else x for x in given]  # which makes a tick colored
    nothing = (np.nan, np.nan, False, False, False)
    found = [nothing if is_missing(cell) else _number(cell, decimal) for cell in given]
    values, beside, percent, marked, true = np.array([one or nothing for one in found], dtype=np.float64).T[:, which]
    missing, wrong = (np.array([one is other for one in found])[which] for other in (nothing, None))
    n_bad, there, words = int(wrong.sum()), int((~missing).sum()), int(true.sum())
    of_words = (true > 0) == (2 * words <= there)  # words among numbers are names, or numbers among words
    bad = int(wrong.argmax()) if n_bad else int((of_words & ~missing).argmax()) if 0 < words < there else None
    second = np.isfinite(beside)
    alone = np.isfinite(values) & ~second  # one cell of another form has another meaning
    if second.any() and alone.any() and bad is None:
        bad, n_bad = int((second if alone.sum() >= second.sum() else alone).argmax()), 1
    return Numbers(
        values=values,
        beside=beside if second.any() else None,
        bad=bad,
        share=1 - n_bad / there if there else 0.0,
        percent=percent > 0,
        missing=missing,
        words=bool(words) and bad is None,
        marked=bool(marked.any()),
    )


def _plain_numbers(cells: list[Any], decimal: str) -> FloatArray | None:
    """Texts that are all numbers in the usual form, as those of nearly all columns; None of others."""
    try:
        others = decimal == "," or re.search(r"[^-+.\deE\n]", "\n".join(cells), re.ASCII)
        return None if others else np.array([*map(float, cells)])
    except (TypeError, ValueError):
        return None


def _number(cell: Any, decimal: str) -> tuple[float, float, bool, bool, bool] | None:
    """Number, what stands beside it, whether it is a percentage, has a mark, is a word; None of no number."""
    nan = float("nan")
    if not isinstance(cell, str):
        try:
            known = isinstance(cell, (int, float, np.number, np.bool_))
            return (float(cell), nan, False, False, isinstance(cell, bool)) if known else None
        except (OverflowError, TypeError):  # of an integer without end, and of a complex number
            return None
    if decimal == "." and FORMS["plain"].fullmatch(cell):  # what nearly all cells are
        return float(cell), nan, False, False, False
    truth, *others = {_TRUTHS.get(x) for x in cell.lower().split()} or {None}  # of a tick and Pass both
    if truth is not None and not others:
        return truth, nan, False, False, True
    if FORMS["name"].match(cell):
        return None
    text = FORMS["mark"].sub("", FORMS["markup"].sub("", FORMS["below"].sub(r" (\1) ", cell)).strip())
    own = FORMS["footnote"].sub(r"\1", text.strip())
    match = FORMS["cell"].fullmatch(own)
    if match is None:
        return None
    value, beside = (_float(match[name], decimal) for name in ("value", "after" if match["plus"] else "inside"))
    if value is None or (beside is None and (match["after"] or match["inside"])):
        return None
    percent = any(match[name] for name in ("percent", "percent_inside", "percent_after"))
    scale = 100.0 if percent else 1.0
    marked = own != text.strip() or not {*cell}.isdisjoint("\u2020\u2021") or match["ends"] is not None
    return value / scale, nan if beside is None else beside / scale, percent, marked, False


def _float(text: str | None, decimal: str) -> float | None:
    """A number in the usual form; None of no number, and of one with the other decimal mark."""
    plain = re.sub(r"(?<=\d)[ \u00a0\u202f'\u2019](?=\d{3})", "", (text or "").strip().replace("\u2212", "-"))
    other = "." if decimal == "," else ","
    whole = rf"(?=[.,]?\d)(?:[1-9]\d{{0,2}}(?:[{other}]\d{{3}})+|\d*)"
    form = rf"[-+]?(?:{whole}(?:[{decimal}]\d*)?(?:e[-+]?\d+)?|inf(?:inity)?)"
    return float(plain.replace(other, "").replace(decimal, ".")) if re.fullmatch(form, plain, re.IGNORECASE) else None


def as_part(name: str, cells: NDArray[Any]) -> list[str]:
    """What the cells of a column are in a joint name: texts as they are, numbers with its name, nothing of none."""
    found = numbers_of(cells, ".")
    said = [f"{name}={x:g}" for x in found.values] if found.share == 1 and not found.words else [*map(str, cells)]
    own = [f"{name}={x}" for x in said] if found.words else said
    return ["" if lacking else x for x, lacking in zip(own, found.missing.tolist(), strict=True)]


def decimal_of(columns: Sequence[NDArray[Any]]) -> str | None:
    """The decimal mark of a table: a comma where numbers are written so; None where both readings are possible."""
    cells = [x for column in columns if column.dtype.kind in "OU" for x in column.tolist() if isinstance(x, str)]
    texts = {x.strip() for x in cells if "," in x}
    told = [x for x in texts if len(x) < _LONG and (_number(x, ".") or _number(x, ","))]
    numbers = [match[0] for x in told if (match := FORMS["number"].search(x)) and "," in match[0]]
    if not numbers:
        return "."
    if any(not FORMS["grouped"].fullmatch(x) and "." not in x.rpartition(",")[2] for x in numbers):
        return ","
    points = any(re.fullmatch(r"\s*[-+]?\d*\.\d+(?:[eE][-+]?\d+)?%?\s*", x) for x in cells)
    return "." if points or any("." in x for x in numbers) or any(x.count(",") > 1 for x in numbers) else None


# ---- rows and columns that sum up the others, found by their names and by their numbers ---------------------------

_ENOUGH, _SURELY = 4.0, 6.0  # decimal digits that agree, by chance once in 10,000 rows; those of rows that are not last
_FEW = 3  # rows that can have a sum
_BLOCK, _AT_END = 300, 10  # rows at the beginning and at the end of a table that may be sums
_SUBTOTALS = tuple(f"{mark}{word}" for mark in " _-." for word in ("average", "avg", "avg.", "mean", "total"))


def summaries(matrix: FloatArray, rows: Sequence[str], *, ranked: bool = True) -> NDArray[np.bool_]:
    """Which rows sum up the others: their mean, sum, deviation, mean ranks or wins, or a row with such a name.

    Parameters
    ----------
    matrix : ndarray of shape (n_rows, n_columns)
        nan where a cell is missing.
    rows : sequence of str
        Names of the rows.
    ranked : bool
        Whether ranks and wins of the columns are looked for too.
    """
    cuts = [rows[0][match.start() :] for match in re.finditer("[ _-]", rows[0])]  # Classification Average (12 sets)
    same = next((cut for cut in cuts if all(name.endswith(cut) for name in rows)), "")  # of Overall ASR and GPT ASR
    ends = [x.lower().split(" (")[0].endswith(_SUBTOTALS) if ranked else is_summary(x.removesuffix(same)) for x in rows]
    found = np.array([is_summary(name) or other for name, other in zip(rows, ends, strict=True)])
    graded = np.isin(matrix, (0, 1)).all(axis=1)
    if found.all() or matrix.shape[1] < 2:
        return found & ~found.all()
    place = np.arange(len(rows))
    whole = ~(found | np.isnan(matrix).any(axis=1) | (graded & (graded.mean() > 0.5)))  # rounded means are often said
    for i in np.flatnonzero(whole & ((place < _BLOCK) | (place >= len(rows) - _AT_END))).tolist():
        start, last = max(np.flatnonzero(found[:i]), default=-1), all(map(is_summary, rows[i + 1 :]))
        parts = [place != i, *((place < i) & (place > first) for first in {-1, int(start)})]
        with np.errstate(over="ignore", invalid="ignore"), catch_warnings(action="ignore", category=RuntimeWarning):
            at = [np.flatnonzero(own & ~found) for own in parts]
            found[i] = any(_sums_up(matrix, i, own, ranked, last and not n) for n, own in enumerate(at))
    return found


def mean_of(name: str) -> str | None:
    """What a name says that a column has the means of: svm of svm_mean."""
    return (match := FORMS["mean_of"].fullmatch(name)) and (match[1] or match[2])


def means_of(numbers: Mapping[str, Numbers]) -> dict[str, str]:
    """Columns of means beside smaller deviations, as pandas calls them, each with what both are of: lr of lr_mean."""
    parts = {name: {*plain(name).split("_")} for name in numbers}
    return {
        name: stem
        for name, stem in ((one, mean_of(one) or one) for one in numbers)
        for other, own in numbers.items()
        if stem not in numbers and parts[other] - _OF["deviations"] == {*plain(stem).split("_")} != parts[other]
        if (own.values >= 0).all() and (2 * own.values < np.abs(numbers[name].values)).mean() > 0.5
    }


def unpaired_call(models: Sequence[str], values: Mapping[str, Numbers]) -> str:
    """Of one row per model with a mean and a deviation, in numeric columns, the call that tests the first two."""
    parts = {name: {*plain(name).split("_")} - {"n", "num", "number", "of"} for name in values}
    beside = [name for name, own in values.items() if own.beside is not None]
    spreads = [x for x, own in parts.items() if own & _OF["deviations"] - _OF["validating"] and not is_measure(x)]
    counts = [name for name, own in parts.items() if own <= {"runs", "seeds", "repeats", "trials", "folds", "splits"}]
    means = [name for name in values if name not in (*spreads, *counts) and "median" not in parts[name]]
    known = [name for name in means if is_measure(name) or is_statistic(name)]
    few = len(means) == 1 if beside else 0 < len(means) <= len(spreads) and bool(len(means) == 1 or known)
    if len({*models}) < max(2, len(models)) or not few:
        return ""
    own = values[beside[0]].beside if beside else values[spreads[0]].values
    mean = values[beside[0] if beside else means[0]].values
    n = [f"{value:.0f}" for value in values[counts[0]].values[:2].tolist()] if counts else ["number of runs"] * 2
    assert own is not None
    written = [f"{name}=({two[0]:g}, {two[1]:g})" for name, two in (("mean", mean), ("sd", own))]
    return f"skcompare.inference.welch_from_summary({', '.join(written)}, n=({', '.join(n)}))"


def is_no_sum(name: str, row: FloatArray, others: FloatArray, *, of_models: bool) -> bool:
    """Whether numbers under the name of a mean of models, a sum, a count or a deviation can be none of the others."""
    if len(others) == 1:  # which needs no sum
        return not np.allclose(row, others, rtol=0.02, atol=0, equal_nan=True)
    low, high, near = np.fmin.reduce(others, axis=0), np.fmax.reduce(others, axis=0), 0.02 * np.abs(row)
    if is_listed(name, "central") and (of_models or is_listed(name, "short")):
        return bool(((row < low - near) | (row > high + near)).any())
    if is_listed(name, "totals"):
        return bool(((low >= 0) & (row < high - near)).any())
    if is_listed(name, "counts"):
        among = bool(((row >= low) & (row <= high)).all()) and np.nansum(row) != len(others)  # and no wins
        return among or bool((np.nan_to_num(row) % 1 != 0).any())
    return is_listed(name, "deviations") and bool((row > high - low + near).any())


def _sums_up(matrix: FloatArray, i: int, of: NDArray[np.intp], ranked: bool, last: bool) -> bool:
    """Whether a row has the numbers of a mean, a sum, a deviation, of ranks or wins of others."""
    row, first, k = matrix[i], matrix[of, 0], matrix.shape[1]
    known = first[~np.isnan(first)]
    if len(of) < _FEW or not len(known):
        return False
    within = float(0.5001 * 10.0 ** -_places(row) + 1e-9 * np.abs(row).max())  # of others that round to them
    firsts = (known.mean(), np.median(known), known.sum(), known.std(), known.std(ddof=min(1, len(known) - 1)))
    counts = ranked and (np.abs(row.sum() - k * (k + 1) / 2) <= k * within or (row % 1 == 0).all())
    if not counts and (np.abs(row[0] - firsts) > 2 * within).all():  # which takes less time than all columns
        return False
    others = matrix[of]
    low, high = np.nanmin(others), np.nanmax(others)
    beyond = bool((row > 2 * high - low).any() or (row < 2 * low - high).any())
    apart = others - np.where(np.arange(len(row)) > 0, others[:, :1], 0.0)  # models agree on which data sets are easy
    again = ~np.isin(np.arange(len(row)), np.unique(row, return_index=True)[1])  # equal scores agree together
    spread = np.where(again, 0.0, np.nan_to_num(np.nanmax(apart, axis=0) - np.nanmin(apart, axis=0)))
    sums: list[tuple[FloatArray, Any]] = [(np.nanmean(others, axis=0), spread)]
    if last and not (others == row).all(axis=1).any():  # scores are often close to their median
        sums += [(np.nanmedian(others, axis=0), spread / 2)]
    sums += [(np.nansum(others, axis=0), spread * len(others))] if last or beyond else []
    sums += [(np.nanstd(others, axis=0, ddof=n), spread / 2) for n in (0, 1)]
    for signed in (others, -others) if ranked else ():
        ranks = np.nan_to_num(rankdata(-signed, axis=1, nan_policy="omit"), nan=0.5)  # 1 for the largest
        best = signed == np.nanmax(np.where(np.isnan(signed), -np.inf, signed), axis=1, keepdims=True)
        sums += [(ranks.mean(axis=0), len(row) - 1.0), (best.sum(axis=0, dtype=np.float64), float(len(others)))]
    digits = [np.log10(np.maximum(width / within, 1.0)) * np.ones(len(row)) for _, width in sums]
    agree = [bool((np.abs(row - value) <= within).all()) for value, _ in sums]
    enough = _ENOUGH if last else _SURELY
    return any(one and (beyond or own.sum() >= enough) for one, own in zip(agree, digits, strict=True))


def _places(row: FloatArray) -> int:
    """Decimals of the numbers of a row, as they are written, of tiny ones too."""
    near = 5e-11 * min(1.0, np.abs(row).max())
    return next((n for n in range(20) if np.abs(np.round(row, n) - row).max() <= near), 20)
