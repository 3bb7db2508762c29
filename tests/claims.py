"""What a view claims: of two models on one metric who is better, read back from what the view shows."""

from __future__ import annotations

import html
import re
from itertools import combinations
from math import isclose
from typing import NamedTuple

from tests.shown_tables import cells_in_markdown, columns_in_latex, columns_in_markdown, pairs_in_markdown

# Of two models: the first is better or worse, neither is, it is smaller or larger on every case, there are no scores,
# no look was at them; and what is said of less exactly.
SMALLER, LARGER = "smaller", "larger"
BETTER, WORSE, OPEN, NONE, UNTESTED = "better", "worse", "open", "none", "untested"
NOT_BETTER, NOT_OPEN, ALIKE, APART = "not better", "not open", "alike", "apart"
FITS = {
    **{outcome: {outcome} for outcome in (BETTER, WORSE, OPEN, NONE, UNTESTED, SMALLER, LARGER)},
    NOT_BETTER: {WORSE, OPEN, NONE, UNTESTED, SMALLER, LARGER},
    NOT_OPEN: {BETTER, WORSE, NONE, SMALLER, LARGER},
    ALIKE: {OPEN, NONE, SMALLER, LARGER},
    APART: {BETTER, WORSE},
    "no test": {NONE, SMALLER, LARGER},
}
WORDS = {
    "not significantly different": OPEN,
    "not significant": OPEN,
    "practically equivalent": OPEN,
    "not comparable": NONE,
    "not tested": UNTESTED,
}


ANY = "one of the others"
LESS = " (less is better)"


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
    """The verdict of a row in words."""
    winner = words.removesuffix(" better").removesuffix(" significantly")
    if winner != words:
        assert winner in (a, b)
        return Claim(a, b, metric, BETTER if winner == a else WORSE)
    smaller = words.removesuffix(" smaller")
    if smaller != words:
        assert smaller in (a, b)
        return Claim(a, b, metric, SMALLER if smaller == a else LARGER)
    return Claim(a, b, metric, WORDS[words])


def of_markdown_pairs(text):
    """The table of pairs in Markdown: the words, and what is bold."""
    for line in pairs_in_markdown(text):
        metric, a, b, *cells = [cell.replace("\\", "") for cell in cells_in_markdown(line)]
        metric = metric.removesuffix(LESS)
        claim = of_words(a, b, metric, cells[-1])
        assert cells[2].startswith("**") == (claim.outcome in (BETTER, WORSE))
        yield claim


def of_daggers(answer, columns):
    """The tables of scores: a dagger says that the leader is better, none that it is not."""
    for on, column in zip(answer.metrics, columns, strict=True):
        for name, cell in zip(answer.models, column, strict=True):
            marked = "†" in cell or "dagger" in cell
            if on.leader is None or name == on.leader:
                assert not marked
            elif marked:
                yield Claim(ANY if answer.sequential else on.leader, name, on.metric, BETTER)
            else:
                yield Claim(on.leader, name, on.metric, NOT_BETTER)


def of_score_columns(answer, result, *, ranked):
    """The daggers of both tables of scores."""
    for columns in (columns_in_markdown(result.to_markdown())[1:], columns_in_latex(result.to_latex())[1:]):
        own = columns[1::2] if ranked else columns
        by_metric = dict(zip(result.metrics, own, strict=True))
        yield from of_daggers(answer, [by_metric[metric] for metric in _metrics(answer)])


def _metrics(answer):
    return [on.metric for on in answer.metrics]


def of_letters(metric, groups):
    """Models that share a letter do not differ significantly, all others do."""
    for (a, of_a), (b, of_b) in combinations(groups.items(), 2):
        yield Claim(a, b, metric, ALIKE if {*of_a} & {*of_b} else APART)


def of_page(page, result):
    """The rows of the page as they stand there before its script runs."""
    body = page.split('<tbody id="rows">')[1].split("</tbody>")[0]
    for line in re.findall(r"<tr.*?</tr>", body):
        cells = [html.unescape(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line)]
        a, b = result.estimators if len(result.estimators) == 2 else cells[1:3]
        (words,) = [cell for cell in cells if cell in WORDS or cell.endswith((" significantly better", " smaller"))]
        yield of_words(a, b, cells[0], words)


# ---- the terminal ---------------------------------------------------------------------------------------------


def tables(text, first):
    """The tables of the terminal whose first column has such a heading: the lines below it, and the cells of each."""
    for block in text.split("\n\n"):
        head, dashes, body = block.partition("\n---")
        *_, heading = head.splitlines()
        if dashes and re.match(rf"({first})\s", heading):
            yield heading, [re.split(r"\s{2,}", line.strip()) for line in body.splitlines()[1:]]


def table_cells(text, first):
    """The lines of the first such table cell by cell, the lower line of the heading first."""
    heading, lines = next(tables(text, re.escape(first)))
    return [re.split(r"\s{2,}", heading.strip()), *lines]


def of_leader_table(answer, text):
    """Three models or more on the first metric: the last column is the outcome."""
    on = answer.metrics[0]
    header, *lines = table_cells(text, on.metric)
    if on.leader is None:
        assert header[-1] == "mean"
        return
    assert header[-1] == "outcome"
    assert (lines[0][0], lines[0][-1]) == (on.leader, "leads")
    for line in lines[1:]:
        if line[0].startswith(("Means and mean ranks ", "The comparisons are over ")):
            break
        if " more model" in line[0]:
            continue
        name, words = re.sub(r" \(.*", "", line[0]), line[-1]
        if words in ("significantly worse than another", "worse than another"):
            yield Claim(on.leader, name, on.metric, NOT_BETTER)
            yield Claim(ANY, name, on.metric, BETTER)
        elif words in ("significantly worse", "worse"):
            yield Claim(on.leader, name, on.metric, BETTER)
        else:
            yield of_words(on.leader, name, on.metric, words)


def of_pair_table(result, text):
    """All pairs in full, a table for each metric; of two models in short too, all metrics in one table."""
    if len(result.estimators) == 2:
        *_, (heading, lines) = tables(text, "metric")
        n_cells = len(re.split(r"\s{2,}", heading.strip()))
        for metric, *cells in lines:
            if len(cells) >= n_cells - 2:  # not what stands below the table
                yield of_words(*result.estimators, metric.removesuffix(LESS), cells[-1])
        return
    on = re.findall(r"^Pairs on (.*?)(?: \(less is better\))?:$", text, re.MULTILINE)
    for metric, (_, lines) in zip(on, tables(text, "a"), strict=True):
        for a, b, *_, words in lines:
            yield of_words(a, b, metric, words)


# ---- the models' own scores -----------------------------------------------------------------------------------

SCORE = r"([-+.\de]+|n/a)(?: \[(\S+), (\S+)\])?"


def own_scores(result, page):
    """By view the cells of every model on every metric, as they print: a score and perhaps its interval."""
    yield "text", _panels(result, tables(result.summary("full"), "(?:mean )?score"))
    shown = page.split('id="means-heading"')[1].split("</section>")[0]
    body = [re.findall(r"<td[^>]*>(.*?)</td>", line) for line in shown.split("<tbody>")[1].split("</tr>")[:-1]]
    yield "page", zip(*body, strict=True)
    yield "Markdown", columns_in_markdown(result.to_markdown().replace("\\", ""))[1:]
    latex = [[cell.replace(r"\ [", " [") for cell in cells] for cells in columns_in_latex(result.to_latex())[1:]]
    yield "LaTeX", [[re.sub(r"\$|\\rlap.*|\\mathbf|[{}]", "", cell) for cell in cells] for cells in latex]


def _panels(result, found):
    """The columns of tables below each other."""
    for heading, lines in found:
        del heading
        yield from list(zip(*lines[: len(result.estimators)], strict=True))[1:]


def rounds_to(text, value):
    """Whether a number prints so."""
    if text == "n/a" or "e" in text:
        return value != value if text == "n/a" else isclose(float(text), value, rel_tol=0.01)
    return abs(float(text) - value) <= 0.51 * 10.0 ** -len(text.partition(".")[2])


def own_score(cell):
    """The numbers of a cell as texts: the score, and the limits or two times None."""
    return re.match(SCORE, cell.replace("*", "")).groups()


# ---- the first line -------------------------------------------------------------------------------------------

NAME = r"(?P<{}>m\d+)"
NAMES = r"(?P<{}>m\d+(?:(?:, | and )m\d+)*(?: and \d+ other models)?|All \d+ others|\d+ models)"
METRICS = r"(?P<{}>\w+(?:(?:, | and )\w+)*|\d+ metrics)"
BOUND = r"(?: \(difference at most [\d.e+-]+\))?"


def _listed(text):
    """The names of a list; none where it is only a count."""
    parts = [] if text.startswith("All ") else re.split(r", | and ", text)
    return tuple(part for part in parts if part and not re.fullmatch(r"\d+ (?:other )?(models|metrics)", part))


def _form(text):
    """A clause whose fields stand for names of models and metrics."""
    kinds = {"leader": NAME, "other": NAME, "who": NAMES, "on": METRICS, "more": METRICS}
    return re.compile(text.format(**{name: kind.format(name) for name, kind in kinds.items()}) + r"\Z")


FORMS = {
    "use": r"Use {leader}(?: for {on})?",
    "worse": r"{who} (?:is|are) significantly worse(?: on {on})?(?: than {leader})?",
    "alike": r"{who} are not significantly different(?: on {on})?" + BOUND + r"(?:, nor on {more})?",
    "same": r"{who} (?:has|have) the same scores on all (?:splits|data sets|samples|items)(?: on {on})?",
    "equivalent": r"{who} are practically equivalent(?: on {on})?",
    "leads": r"{leader} leads(?: on {on})?",
    "from it": r"{who} (?:is|are) not significantly different from it" + BOUND,
    "nothing": r"[Nn]othing can be said of {who}",
    "nothing on": r"Nothing can be said of {on}",
    "traded": r"{leader} is significantly better on {on}, {other} on {more}",
    "better than": r"{who} (?:is|are) significantly better than {leader} on {on}",
    "better": r"{leader} is significantly better on {on}",
    "on": r"On {on} {leader} is significantly better than {who}",
    "ahead": r"By mean(?: rank, mean or median difference| or tested difference) {who} (?:is|are) ahead of {leader}",
    "passed over": r"No two models have a comparable {on}",
    "decides": r"{on} decides",
    "unequal": r"That all are equal(?: on {on})? is rejected \((?:Friedman|Skillings-Mack) test, p [<=] [\d.]+\), "
    r"though no pair differs significantly",
    "smaller": r"{who} (?:is|are) smaller(?: than {leader})?(?: on {on},)? on every (?:split|data set|sample|item)",
    "larger": r"{who} (?:is|are) larger on every (?:split|data set|sample|item)",
    "they": r"They are not significantly different on {on}",
}
CLAUSES = {name: _form(text) for name, text in FORMS.items()}
CONCLUDED = "Nothing can be concluded: "


def of_first_line(answer, text):
    """Every sentence of the first line, in its own words; one that is not known here is an error."""
    first = answer.metrics[0].metric
    check_omnibus(answer, text)
    if match := re.match(r"No two models have a comparable (.*?); (\w+) decides\. ", text):
        assert match[2] == first
        assert len(answer.untested) == 1 + match[1].count(",") + match[1].count(" and ") or "metrics" in match[1]
        text = text[match.end() :]
    text, *behind = re.split(r" (?=By mean (?:rank, mean or median|or tested) difference )", text)
    assert len(behind) == bool(answer.metrics[0].ahead)
    if text.startswith("No pair can be significant among "):
        return list(_of_nothing(answer, "with so little data no difference can be significant among "))
    if text.startswith(CONCLUDED):
        return list(_of_nothing(answer, text.removeprefix(CONCLUDED)))
    text = " ".join([text, *behind])
    claims, leader = [], None
    for clause in re.split(r"\. |; ", text.removesuffix(".")):
        if clause == "Other metrics say more":
            continue
        (kind, found), *more = ((name, match) for name, form in CLAUSES.items() if (match := form.match(clause)))
        assert not more
        said = found.groupdict()
        if kind != "worse":
            leader = said.get("leader") or leader
        if kind in ("alike", "same", "equivalent"):
            leader = leader or _listed(said["who"])[0]
        _count(answer, kind, said.get("who") or "")
        claims += _of_clause(answer, kind, said, leader, first)
    return claims


def _of_clause(answer, kind, said, leader, first):
    on = _listed(said["on"]) if said.get("on") else (first,)
    who = _listed(said.get("who") or "")
    if kind in ("alike", "same", "equivalent"):
        on += _listed(said["more"]) if said.get("more") else ()
        return [Claim(a, b, m, OPEN) for a, b in combinations(who, 2) for m in on]
    if kind == "worse":
        a = said.get("leader") or (ANY if answer.sequential else leader or answer.metrics[0].leader)
        return [Claim(a, b, m, BETTER) for b in who for m in on]
    if kind == "nothing":
        return [Claim(leader, b, first, NOT_BETTER if answer.sequential else NONE) for b in who]
    if kind == "from it":
        return [Claim(leader, b, first, OPEN) for b in who]
    if kind == "better than":
        return [Claim(a, leader, m, BETTER) for a in who for m in on]
    if kind == "on":
        return [Claim(leader, b, m, BETTER) for b in who for m in on]
    if kind == "larger":
        return [Claim(leader, b, m, SMALLER) for b in who for m in on]
    if kind == "smaller" and (said.get("leader") or not said.get("on")):
        return [Claim(b, leader, m, SMALLER) for b in who for m in on]
    if kind == "smaller":
        (one,), (other,) = who, {*answer.models} - {*who}
        return [Claim(one, other, m, SMALLER) for m in on]
    if kind in ("traded", "better"):
        (other,) = {*answer.models} - {leader}
        more = _listed(said["more"]) if kind == "traded" else ()
        return [*(Claim(leader, other, m, BETTER) for m in on), *(Claim(other, leader, m, BETTER) for m in more)]
    if kind in ("they", "nothing on"):
        a, b = answer.models
        return [Claim(a, b, m, OPEN if kind == "they" else NONE) for m in on]
    if kind == "unequal":
        return [Claim(a, b, first, ALIKE) for a, b in combinations(answer.models, 2)]
    if kind == "ahead":
        assert who == answer.metrics[0].ahead or not who
        assert leader == answer.metrics[0].leader
    assert kind in ("use", "leads", "ahead")
    return []


def check_omnibus(answer, text):
    """A test that all are equal is told of exactly where it rejects, and no pair is significant."""
    first = answer.metrics[0]
    won = any(first.metric in (*pair.better, *pair.worse) for pair in answer.pairs)
    assert (f" is rejected ({first.omnibus_test}, " in text) == (first.omnibus < answer.alpha and not won)


def _count(answer, kind, who):
    """Where models are counted and not named, there are as many."""
    on = answer.metrics[0]
    groups = {"worse": on.worse, "from it": on.not_different, "nothing": on.not_comparable}
    groups |= {"larger": on.larger}
    groups |= {"alike": on.not_different, "same": on.not_different, "equivalent": on.equivalent}
    counts = re.findall(r"\b(\d+) (?:other )?(?:models|others)", who)
    some = (kind == "worse" and answer.sequential) or kind == "nothing"  # others are worse than one that is not led
    fits = (lambda n, of: n <= of) if some else (lambda n, of: n == of)
    assert kind not in groups or all(fits(int(n), len(groups[kind])) for n in counts)


def _of_nothing(answer, why):
    """Why nothing can be concluded."""
    first = answer.metrics[0].metric
    pairs = [*combinations(answer.models, 2)]
    if why.startswith("with so little data no difference can be significant among "):
        metrics = {metric for _, _, metric in of_answer(answer)}
        return (Claim(a, b, metric, ALIKE) for a, b in pairs for metric in metrics)
    if why == f"no two models can be compared on {first}." or re.fullmatch(
        rf"on {first} (the difference is|differences are) the same on all \w+, so that no test is possible\.", why
    ):
        return (Claim(a, b, first, NONE) for a, b in pairs)
    if re.fullmatch(
        rf"the model with the best mean(?: rank)? on {first} is significantly worse than another one\.", why
    ):
        return (Claim(ANY, name, first, BETTER) for name in answer.models if _is_beaten(answer, name))
    assert why == f"every model is significantly worse than another one on {first}, or lacks scores."
    known = of_answer(answer)
    compared = {a for (a, _, metric), outcome in known.items() if metric == first and outcome != NONE}
    return (Claim(ANY, name, first, BETTER) for name in answer.models if name in compared)


def _is_beaten(answer, name):
    return any(b == name and found == BETTER for (_, b, _), found in of_answer(answer).items())


# ---- searches -------------------------------------------------------------------------------------------------

OF_CANDIDATES = {
    "significantly worse": BETTER,
    "worse": BETTER,
    "not significant": OPEN,
    "not significantly different": OPEN,
    "failed": NONE,
}


def of_search(report, on):
    """What each view of a search says of the best candidate against the others."""
    names = [row.name for row in report.ranking[1:]]
    alike = {row.name for row in report.not_significantly_different()}
    yield [Claim(on.leader, name, on.metric, OPEN if name in alike else NOT_OPEN) for name in names]
    frame = report.to_frame()
    worse = frame["name"][frame["pvalue"] < report.alpha]
    yield [Claim(on.leader, name, on.metric, BETTER if name in {*worse} else NOT_BETTER) for name in names]
    (block,) = [block for block in report.to_markdown().split("\n\n") if block.startswith("| rank")]
    rows = [cells_in_markdown(line) for line in block.splitlines()[2:]]
    yield [
        Claim(on.leader, cells[1].replace("\\", ""), on.metric, BETTER if "†" in cells[2] else NOT_BETTER)
        for cells in rows[1:]
    ]
    body = report.to_latex().split(r"\midrule")[1].split("\n\\bottomrule")[0].split("\n\\end{longtable}")[0]
    marks = [r"\dagger" in line for line in body.splitlines() if line.endswith(r"\\")]
    yield [
        Claim(on.leader, name, on.metric, BETTER if marked else NOT_BETTER)
        for name, marked in zip(names, marks[1:], strict=True)
    ]
    for text in (report.summary(), report.summary("full")):
        (block,) = [block for block in text.split("\n\n") if re.search(r"^rank\s", block, re.M)]
        body = re.split(r"^-+$\n", block, flags=re.M)[1]
        lines = [re.split(r"\s{2,}", line.strip()) for line in body.splitlines() if ".ranking" not in line]
        assert lines[0][-2:] == ["leads", on.leader]
        yield [Claim(on.leader, cells[-1], on.metric, OF_CANDIDATES[cells[-2]]) for cells in lines[1:]]
