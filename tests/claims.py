"""What a view claims: of two models on one metric who is better, read back from what the view shows."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

# Of two models: the first is better or worse, neither is, it is smaller or larger on every case, there are no scores,
# no look was at them; and what is said of less exactly.
SMALLER, LARGER = "smaller", "larger"
BETTER, WORSE, OPEN, NONE, UNTESTED = "better", "worse", "open", "none", "untested"
NOT_BETTER, NOT_WORSE, ALIKE, APART = "not better", "not worse", "alike", "apart"
FITS = {
    **{outcome: {outcome} for outcome in (BETTER, WORSE, OPEN, NONE, UNTESTED, SMALLER, LARGER)},
    NOT_BETTER: {WORSE, OPEN, NONE, UNTESTED, SMALLER, LARGER},
    NOT_WORSE: {BETTER, OPEN, NONE, UNTESTED, SMALLER, LARGER},
    ALIKE: {OPEN, NONE, SMALLER, LARGER},
    APART: {BETTER, WORSE},
    "no test": {NONE, SMALLER, LARGER},
}
WORDS = {"not significant": OPEN, "equivalent": OPEN, "not comparable": NONE, "not tested": UNTESTED}
ANY = "one of the others"


class Claim(NamedTuple):
    """What is said of model `a`, or ANY other one, against model `b` on a metric."""

    a: str
    b: str
    metric: str
    outcome: str


def of_answer(answer):
    """All claims of an answer, from both sides."""
    found = {}
    for pair in answer.pairs:
        parts = {BETTER: pair.better, WORSE: pair.worse, OPEN: pair.undecided}
        parts |= {NONE: pair.not_comparable, UNTESTED: pair.not_tested, SMALLER: pair.smaller, LARGER: pair.larger}
        turned = {BETTER: WORSE, WORSE: BETTER, SMALLER: LARGER, LARGER: SMALLER}
        for outcome, metrics in parts.items():
            for metric in metrics:
                found[pair.a, pair.b, metric] = outcome
                found[pair.b, pair.a, metric] = turned.get(outcome, outcome)
    return found


def contradictions(claims, answer):
    """The claims that an answer does not bear out."""
    known = of_answer(answer)

    def holds(claim):
        sides = answer.models if claim.a == ANY else (claim.a,)
        found = {known.get((a, claim.b, claim.metric)) for a in sides if a != claim.b}
        return bool(found & FITS[claim.outcome])

    return [claim for claim in claims if not holds(claim)]


def of_groups(answer):
    """What the groups of the answer claim: after looks a model is worse than one of those that are left."""
    for on in answer.metrics:
        yield from (Claim(ANY if answer.sequential else on.leader, name, on.metric, BETTER) for name in on.worse)
        yield from (Claim(on.leader, name, on.metric, OPEN) for name in (*on.not_different, *on.equivalent))
        if on.leader is not None:
            none = NOT_BETTER if answer.sequential else NONE
            yield from (Claim(on.leader, name, on.metric, none) for name in on.not_comparable)
            yield from (Claim(name, on.leader, on.metric, SMALLER) for name in on.smaller)
            yield from (Claim(name, on.leader, on.metric, LARGER) for name in on.larger)
            others = [name for name in answer.models if name != on.leader]
            groups = (on.worse, on.not_different, on.equivalent, on.smaller, on.larger, on.not_comparable)
            assert sorted(name for group in groups for name in group) == sorted(others)
            assert {*on.unvarying} <= {*on.not_comparable}
            yield from (Claim(name, on.leader, on.metric, NOT_BETTER) for name in others)


# ---- rows and tables ------------------------------------------------------------------------------------------


def of_rows(rows):
    """Rows of `compare`, or of JSON: outcome and winner."""
    outcomes = {"better": BETTER, "worse": WORSE, "equivalent": OPEN, "undecided": OPEN, "not comparable": NONE}
    outcomes |= {"not tested": UNTESTED, "smaller": SMALLER, "larger": LARGER}
    names = ("a", "b", "metric", "outcome", "winner")
    for one in rows:
        row = one if isinstance(one, dict) else {name: getattr(one, name) for name in names}
        outcome = outcomes[getattr(row["outcome"], "value", row["outcome"])]
        assert (row["winner"] or None) == {BETTER: row["a"], WORSE: row["b"]}.get(outcome)
        yield Claim(row["a"], row["b"], row["metric"], outcome)


def of_words(a, b, metric, words):
    """The outcome of a row in words."""
    words = words.removesuffix("~")  # fragile
    who, _, what = words.rpartition(" ")
    if who in (a, b):
        found = {"better": BETTER, "smaller": SMALLER, "larger": LARGER}[what]
        return Claim(who, b if who == a else a, metric, found)
    return Claim(a, b, metric, WORDS[words])


def of_pairs(grid, metric):
    """A table of pairs, of all metrics or of the one that is given: its last column is the outcome."""
    columns = {column.name: column.values for column in grid.columns}
    metrics, words = columns.get("metric", (metric,) * grid.n_rows), grid.columns[-1].cells
    for on, a, b, outcome in zip(metrics, columns["a"], columns["b"], words, strict=True):
        yield of_words(a, b, on, outcome)


def of_short_table(grid, answer):
    """Two models metric by metric, or several against the leader by the marks behind their means."""
    first, metrics = answer.metrics[0], {metric for _, _, metric in of_answer(answer)}
    if grid.name == "metrics":
        a, b = (column.name for column in grid.columns[1:3])
        assert first.leader in (None, a)
        words = zip(grid.columns[0].values, grid.columns[-1].cells, strict=True)
        yield from (of_words(a, b, metric, outcome) for metric, outcome in words if outcome)
        return
    leader, *others = grid.columns[0].cells
    assert first.leader in (None, leader)
    for column in (column for column in grid.columns if column.name in metrics):
        for name, cell in zip(others, column.cells[1:], strict=True):
            outcome = BETTER if "*" in cell else WORSE if "+" in cell else None
            found = (outcome,) if outcome else (NOT_BETTER, NOT_WORSE)
            yield from (Claim(leader, name, column.name, one) for one in found)


def of_letters(metric, groups):
    """Models that share a letter do not differ significantly, all others do."""
    for (a, of_a), (b, of_b) in combinations(groups.items(), 2):
        yield Claim(a, b, metric, ALIKE if {*of_a} & {*of_b} else APART)


# ---- the first line -------------------------------------------------------------------------------------------

NUMBER = r"[-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]\d+)?"
WHO = r"(?P<{}>m\d+(?:(?:, | and )m\d+)*(?: and \d+ (?:others|more))?)"
REJECTED = (
    r" Not all are equal \((?:Friedman|Skillings-Mack) test\)"
    r"(?P<asks>; result\.test\(\"step_down_test\"\) asks which)?\."
)
NEXT = (
    rf" (?:About {NUMBER} (?:samples|groups) would settle it|"
    r"Use (?:either|any of (?:them|the \d+))(?:, or add [a-z ]+)?|Add [a-z ]+)\."
)
REACH = rf"(?: (?P<ahead>m\d+) may be ahead of (?P<of>m\d+) by up to {NUMBER} [\w ]+\.)?"
FORMS = {
    "use": rf"(?:Use {WHO}|{WHO} leads): .*\.",
    "tier": rf"(?:(?P<first>\d+) of (?P<all>\d+)|All (?P<every>\d+)) (?:models|others) may be first: {WHO}"
    rf"(?:; {WHO} (?:is|are) significantly worse)?\.{REACH}",
    "open": rf"No clear winner: {WHO} (?:is {NUMBER} (?:ahead of|behind)|and) {WHO} (?:are equal )?on [\w ]+"
    rf"(?:, and {NUMBER} to {NUMBER} remains possible)?\.",
    "same": rf"{WHO} have the same scores on [\w ]+?(?:; {WHO} (?:is|are) significantly worse)?\.",
    "equivalent": rf"{WHO} are practically equivalent on [\w ]+(?:; {WHO} (?:is|are) significantly worse)?\.{REACH}",
    "size": rf"{WHO} leads on [\w ]+; {WHO} (?:is|are) (?P<how>smaller|larger|behind) on all [\w ]+\.",
    "unknown": r"No clear winner\.",
}
NAMES = {
    "use": ("who", "leader"),
    "tier": ("who", "worse"),
    "same": ("who", "worse"),
    "equivalent": ("who", "worse"),
    "open": ("who", "other"),
    "size": ("leader", "who"),
}


RACE = (
    rf"(?:{WHO.format('left')}|\d+ models) (?:are practically equivalent on [\w ]+ \(within {NUMBER}\)|"
    r"is (?P<best>significantly better than m\d+ on [\w ]+|the best of \d+ on [\w ]+, and the others are "
    r"significantly worse)|is ahead of \d+ other models? on [\w ]+(?:, of which (?:1 is|\d+ are) significantly worse)?|"
    r"alone is left on [\w ]+, with nothing to compare it to|are (?:left and )?not significantly different on [\w ]+)"
    r"; \d+ models? would hardly have ended first(?:; .* (?:was|were) not compared)?\."
)


def _form(kind):
    names = iter(NAMES.get(kind, ("who",)))
    return re.compile(re.sub(r"\?P<{}>", lambda _: f"?P<{next(names)}>", FORMS[kind]))


FORMED = {kind: _form(kind) for kind in FORMS}


def _listed(text):
    """The names of a list; of "m1 and 5 others" the first, and how many there are."""
    counted = re.search(r" and (\d+) (?:others|more)$", text)
    names = re.findall(r"m\d+", text)
    return names, len(names) if counted is None else len(names) + int(counted[1])


BASELINE = (
    r"(?:^| )(?:(No|Not every) model (?:is significantly better than|can be compared (with)) m\d+"
    r"|Not significantly better than m\d+: (.*?))\."
)


def of_first_line(answer, text):
    """What the first line says on the first metric; a sentence that is not known here is an error."""
    recommends = answer.recommends
    if race := re.fullmatch(RACE, text):
        return [*_of_race(answer, race)]
    text = re.sub(r"^(No model is significantly better than m\d+): ", r"\1. No clear winner: ", text)
    answer, text = _of_baseline(answer, text)
    on, models = answer.metrics[0], answer.models
    rejected = re.search(REJECTED, text)
    won = any(on.metric in (*pair.better, *pair.worse) for pair in answer.pairs)
    assert (rejected is not None) == (on.omnibus < answer.alpha and not won)
    assert rejected is None or answer.within_reach or rejected["asks"] or "Skillings" in rejected[0]
    assert rejected is None or not rejected["asks"] or not answer.within_reach
    text = re.sub(NEXT, "", re.sub(REJECTED, "", text))
    text = _of_untested(answer, _of_losses(text))
    if re.match(r"Too little data for a significant difference in [\w ]+ (among|on)\b", text):
        assert not answer.within_reach
        return [Claim(a, b, on.metric, ALIKE) for a, b in combinations(models, 2)]
    assert answer.within_reach
    if text.startswith("No model can be named on "):
        assert on.leader is None or not on.known
        return []
    if text.endswith(", so that no test is possible."):
        assert not on.known
        assert not on.ahead
        assert text.startswith(f"{on.leader} is ") or f" of {on.leader} is " in text
        return [Claim(on.leader, name, on.metric, NONE) for name in on.unvarying]
    if " leads on " in text and text.endswith("; there is no other model to compare it with."):
        assert not on.known
        return []
    fitting = [(name, said) for name, form in FORMED.items() if (said := form.fullmatch(text))]
    assert fitting, text
    (kind, found), *more = fitting
    assert not more
    return [*_of_form(answer, on, kind, {**found.groupdict(), "recommends": recommends})]


def _of_race(answer, said):
    """What is said where models left that would hardly have ended first: of these nothing is significant."""
    on, (names, _) = answer.metrics[0], _listed(said["left"] or "")
    assert on.leader is None or said["left"] is None or on.leader in names
    yield from (Claim(a, b, on.metric, OPEN) for a, b in combinations(names, 2))
    yield from (Claim(ANY, name, on.metric, BETTER) for name in (on.worse if said["best"] else ()))


def _of_baseline(answer, text):
    """The answer about the other models, and the line about them; what is said of the baseline is checked here."""
    none = text.startswith("No model can be named on ")
    if answer.baseline is None or not answer.within_reach or none:
        return answer, text
    metric, others = answer.metrics[0].metric, [name for name in answer.models if name != answer.baseline]
    better = [name for name in others if metric in answer.pair(name, answer.baseline).better]
    said = re.search(BASELINE, text)
    assert (said is None) == (len(better) == len(others))
    if said is not None and said[1]:
        assert (said[1] == "No") == (better == [])
        assert not said[2] or all(metric in answer.pair(name, answer.baseline).not_comparable for name in others)
    elif said is not None:
        assert {*_listed(said[3])[0]} == {*others} - {*better}
    return (answer if answer.metrics[0].leader == answer.baseline else _of_others(answer)), re.sub(
        BASELINE, "", text
    ).strip()


def _of_losses(text):
    """Where less is better, or mean and median differ in sign, the same in the words of where more is better."""
    medians = rf"(m\d+) has the better mean(?: rank)? and (m\d+) the better median, by ({NUMBER}), on"
    text = re.sub(medians, r"\1 is \3 behind \2 on", text)
    text = re.sub(rf"([\w ]+) of (m\d+) is ({NUMBER}) \w+ than that of (m\d+)", r" \2 is \3 ahead of \4 on\1", text)
    of_reach = rf"(?<=\. )([\w ]+) of (m\d+) may be up to ({NUMBER}) lower than that of (m\d+)\."
    text = re.sub(of_reach, r"\2 may be ahead of \4 by up to \3 \1.", text)
    return re.sub(rf"({NUMBER})(?: higher)? to ({NUMBER}) (?:higher|lower)", r"\1 to \2", text).lstrip()


def _of_untested(answer, text):
    """The line without what is said of models that are ahead of the leader, or apart from it, without a test."""
    on = answer.metrics[0]
    said, ahead = r"^(m\d[^.;]*?) (?:is|are) ahead of m\d+ (?:on all [\w ]+|by mean), untested\. ", set()
    while found := re.search(said, text):
        ahead |= {*_listed(found[1])[0]}
        text = text[: found.start()] + text[found.end() :]
    assert ahead <= {*on.ahead} & {*on.not_comparable}
    assert not on.known or bool(ahead) == bool({*on.ahead} & {*on.not_comparable} - {answer.baseline})
    return re.sub(r"(?<=\.) m\d[^.]*? (?:is|are) (?:smaller|larger|behind) on all [^.]*\.", "", text)


GROUPS = ("may_be_first", "worse", "not_different", "equivalent", "smaller", "larger", "not_comparable", "unvarying")


def _of_others(answer):
    """The answer about the other models than the baseline alone."""

    def others(names):
        return tuple(name for name in names if name != answer.baseline)

    metrics = tuple(
        replace(on, not_better=(), **{group: others(getattr(on, group)) for group in GROUPS}) for on in answer.metrics
    )
    pairs = tuple(pair for pair in answer.pairs if answer.baseline not in (pair.a, pair.b))
    return replace(answer, models=others(answer.models), metrics=metrics, pairs=pairs, baseline=None)


def _of_form(answer, on, kind, said):
    names, n = _listed(said.get("who") or "")
    if kind == "use":
        leader = said["who"] or said["leader"]
        assert (leader, bool(said["who"])) == (on.leader, said["recommends"])
        yield from (Claim(ANY if answer.sequential else leader, name, on.metric, BETTER) for name in on.worse)
        assert not on.not_different
    elif kind == "tier":
        alike = (on.leader, *on.not_different, *on.equivalent)
        assert names == [*on.may_be_first][: len(names)]
        n_first, n_all = map(int, (said["every"],) * 2 if said["every"] else (said["first"], said["all"]))
        # those without scores do not count; which ones they are is no part of an answer
        assert len(answer.models) - len(on.not_comparable) <= n_all <= len(answer.models)
        assert n_first == n
        assert (n == n_all) == bool(said["every"])
        assert n == len(on.may_be_first)
        yield from (Claim(on.leader, name, on.metric, OPEN) for name in names[1:] if name in alike)
        for name in names:  # no other is significantly better than it
            yield from (Claim(name, other, on.metric, NOT_WORSE) for other in answer.models if other != name)
        worse, n_worse = _listed(said["worse"] or "")
        assert n_worse in (0, len(on.worse))
        yield from (Claim(ANY if answer.sequential else on.leader, name, on.metric, BETTER) for name in worse)
        assert said["ahead"] in (None, on.leader)
        yield from ([Claim(on.leader, said["of"], on.metric, OPEN)] if said["of"] else [])
    elif kind == "size":
        behind = tuple(name for name in on.unvarying if name not in on.ahead)
        assert (said["leader"], n) == (on.leader, len(on.smaller or on.larger or behind))
        how = NOT_BETTER if said["how"] == "behind" else said["how"]
        yield from (Claim(name, on.leader, on.metric, how) for name in names)
    elif kind in ("open", "same", "equivalent"):
        names = [*names, *([said["other"]] if kind == "open" else [])]
        assert names[0] == on.leader
        worse, n_worse = _listed(said.get("worse") or "")
        assert n_worse == (0 if kind == "open" else len(on.worse))
        yield from (Claim(ANY if answer.sequential else on.leader, name, on.metric, BETTER) for name in worse)
        yield from (Claim(on.leader, name, on.metric, OPEN) for name in names[1:])
