"""The warnings of all rows, each once, with where it holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from skcompare._core.numbers import briefly
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.dominance import DominanceRow
from skcompare.comparison.table import ComparisonRow
from skcompare.scores.evaluation import EvaluationScores

MAX_ALIKE = 4
JOINTLY = "all metrics together"  # where a warning of the dominance test holds


def located_warnings(
    rows: Sequence[ComparisonRow], joint: Sequence[DominanceRow], known: Sequence[CodedWarning] = ()
) -> list[CodedWarning]:
    """The warnings of all rows that are not `known`, each once.

    Those that do not hold everywhere and name no model say where they hold. That the dominance test has too few cases
    is for who asks for it: reports say so beside each pattern.
    """
    found: dict[CodedWarning, list[str]] = {warning: [] for warning in known}
    several = len({(row.a, row.b) for row in rows}) > 1
    for row in rows:
        for warning in row.warnings:
            named = row.a in warning.about or row.b in warning.about
            where = f"{row.metric} of {row.a} and {row.b}" if several else row.metric
            found.setdefault(warning, []).extend([] if named else [where])
    located = [
        warning.at(_few(places)) if 0 < len(places) < len(rows) else warning
        for warning, places in found.items()
        if warning not in known
    ]
    together: dict[CodedWarning, list[str]] = {}
    for pair in joint:
        for warning in pair.warnings:
            if warning not in found and warning.code != Code.CANNOT_REJECT.name:
                together.setdefault(warning, []).append(f"{pair.a} and {pair.b}")
    for warning, pairs in together.items():
        which = f"{_few(pairs)} on " if len(pairs) < len(joint) else ""
        located.append(warning.at(f"{which}{JOINTLY}"))
    return located


def over_metrics(warnings: Iterable[CodedWarning], metrics: Sequence[str]) -> list[CodedWarning]:
    """Warnings that differ only in the metric they name become one that names all of these."""
    groups: dict[tuple[str, str, str], list[tuple[str, CodedWarning]]] = {}
    for warning in warnings:
        own = [metric for metric in metrics if metric in warning.about and not warning.where]
        metric = own[0] if len(own) == 1 else ""
        form = re.sub(r"(?<![\w'])" + re.escape(metric) + r"(?![\w'])", "\0", warning.sentence) if metric else ""
        key = (warning.code, form if "\0" in form else warning.sentence, warning.where)
        groups.setdefault(key, []).append((metric, warning))
    found = []
    for (code, form, _), members in groups.items():
        named, about = [metric for metric, _ in members], dict.fromkeys(x for _, one in members for x in one.about)
        one = members[0][1]
        found.append(one if len(members) == 1 else CodedWarning(code, form.replace("\0", briefly(named)), tuple(about)))
    return found


def over_pairs(warnings: Iterable[CodedWarning], scores: EvaluationScores) -> list[CodedWarning]:
    """Warnings that few dear errors decide on pairs of models become one for each metric, of all these models."""
    given = list(warnings)
    few = [one for one in given if one.code == Code.WEAK_METRIC.name and len(one.about) > 2]  # of two models
    found = [one for one in given if one not in few]
    for metric in scores.metrics:
        about = {name for one in few if metric in one.about for name in one.about}
        models = [name for name in scores.estimators if name in about]
        found += scores.cost_warnings(metric, *models) if len(models) > 1 else ()
    return found


def first_of_each_kind(warnings: Iterable[CodedWarning]) -> list[CodedWarning]:
    """The first few warnings of each kind, and how many more there are."""
    kept: list[CodedWarning] = []
    more: Counter[str] = Counter()
    for warning in warnings:
        if sum(other.code == warning.code for other in kept) < MAX_ALIKE:
            kept.append(warning)
        else:
            more[warning.code] += 1
    sentence = "more like this are in the warnings of the records."
    return [*kept, *(CodedWarning(code, f"{n} {sentence}") for code, n in more.items())]


def _few(places: Sequence[str]) -> str:
    return places[0] if len(places) == 1 else f"{places[0]}, and {len(places) - 1} more"
