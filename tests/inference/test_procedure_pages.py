"""The pages on procedures, of docstrings and tables: ``python tests/inference/test_procedure_pages.py`` writes them."""

from __future__ import annotations

import doctest
import inspect
import re
import textwrap
from pathlib import Path

import numpydoc.docscrape
import pytest
from docutils.utils.math.latex2mathml import tex2mathml

from skcompare import inference, procedures
from skcompare.inference._guide import Guide, _with_sizes, guides
from skcompare.inference._procedures import DEFAULTS
from skcompare.inference._rates import MEASURED_SIZES, STUDY_SIZES

pytestmark = pytest.mark.sampled

DOCS = Path(__file__).parents[2] / "docs"
OVERVIEW = DOCS / "procedures.md"
ROWS = {row.name: row for row in procedures()}
FUNCTIONS = [name for name in inference.__all__ if inspect.isfunction(getattr(inference, name))]
NOT_PROCEDURES = {"format_statement"}
GUIDES = guides()
# Though no row of the tables
DECIDE = {"stochastic_dominance_test", "conservative_z_interval", "alpha_spending", "cluster_t_test"}
DEFINITIONS = {"error_reduction"}  # whose formula is all there is to cite
PARTS = (
    "Question",
    "When to take it",
    "Assumes",
    "What it computes",
    "When it misleads",
    "Measured size",
    "References",
)
FAMILIES = {
    "fold_scores": (
        "Scores on the folds of one data set",
        "One score per split, of two models or of all. Folds share their training data, so what matters of a "
        "procedure here is what it does about that. They speak of algorithms trained on samples of that size, not "
        "of one fitted model.",
    ),
    "predictions": (
        "Predictions on one test set",
        "Right or wrong, labels, class scores or losses, sample by sample. These procedures are valid for one "
        "test set and the models that were fitted: another training set may reverse the answer. Pooled "
        "predictions of folds are taken with a warning.",
    ),
    "several_metrics": (
        "Several metrics at once",
        "Two models or more on all metrics jointly; [several metrics at once](../dominance.md) is the "
        "introduction. Cases are data sets, or the folds of one data set counted for what they are worth.",
    ),
    "judges": (
        "Judges",
        "Which of two answers is the better one, judgment by judgment, or outcomes that a judge gives to all items and "
        "humans to some. Scores are estimates here, which have a joint covariance and no value per case.",
    ),
    "datasets": (
        "Many data sets",
        "One score per model and data set, or many runs of each. Every data set is one case, and the conclusion "
        "is about data sets like these; [many data sets](../studies.md) is the introduction.",
    ),
    "post_hoc": (
        "Pairs of models, and adjustments",
        "Which of several models differ, after many data sets, with the error rate shared between the comparisons.",
    ),
    "posteriors": (
        "Posteriors",
        "Probabilities that a model is better, worse or practically equal. They are no error rates: what is "
        "certain at 95% may be wrong of equal models more or less often than 5%. Of several metrics jointly see "
        "[`dominance_posterior`](several_metrics.md#dominance_posterior).",
    ),
    "planning": (
        "Planning and calibration",
        "How much data a verdict needs, what a finished run could have shown, and what makes a test keep its "
        "level on your own nulls.",
    ),
    "curves": (
        "Curves and costs",
        "What the scores of a classifier allow, before a threshold is chosen. They describe the samples at hand "
        "and test nothing.",
    ),
}
SIZES = (
    "*Measured size* is the share of simulated true nulls that were rejected at a nominal 5%, lowest and highest "
    "over the nulls of the older part of [the calibration study](../study.md), on which all were tried, and, of "
    "predictions and of many data sets, of [the benchmarks](../benchmarks.md); it should be 5%."
)


# ---- a docstring as Markdown ----------------------------------------------------------------------------------


def markdown(rest: str, family: str) -> str:
    """The paragraphs, lists and formulas of a docstring."""
    joined = re.sub(r"^\.\. math::\n\n", ".. math::\n", rest.strip("\n"), flags=re.M)
    return "\n\n".join(_block(block, family) for block in re.split(r"\n{2,}", joined))


def _block(block: str, family: str) -> str:
    if block.startswith(".. math::"):
        lines = textwrap.dedent(block.removeprefix(".. math::")).strip().splitlines()
        return "\n".join(["$$", *(_formula(line.strip()) for line in lines), "$$"])
    text = _inline(block, family)
    return text if re.match(r"\d\. |- ", text) else _filled(text)


def _inline(text: str, family: str) -> str:
    text = re.sub(r":math:`([^`]+)`", lambda found: f"${_formula(' '.join(found[1].split()))}$", text)
    text = re.sub(r":doi:`([^`]+)`", r"[doi:\1](https://doi.org/\1)", text)
    text = re.sub(r":\w+:`([^`]+)`", r"`\1`", text).replace("``", "`")
    return re.sub(r"`(\w+)`", lambda found: _linked(found[1], family), text)


def _formula(source: str) -> str:
    """Without the escaped braces that viewers of Markdown take for their own."""
    return source.replace(r"\{", r"\lbrace ").replace(r"\}", r"\rbrace ").strip()


def _linked(name: str, family: str) -> str:
    if name not in GUIDES:
        return f"`{name}`"
    page = "" if GUIDES[name].family == family else f"{GUIDES[name].family}.md"
    return f"[`{name}`]({page}#{name})"


def _filled(text: str, width: int = 118) -> str:
    """Lines of bounded width, broken in no formula and no code; none may look like the item of a list."""
    kept = re.sub(r"\$[^$]+\$|`[^`]+`", lambda found: found[0].replace(" ", "\0"), text)
    lines = textwrap.wrap(" ".join(kept.split()), width, break_long_words=False, break_on_hyphens=False)
    return re.sub(r"^(\d*)([-+*#>.)])(?= )", r"\1\\\2", "\n".join(lines), flags=re.M).replace("\0", " ")


# ---- the parts of a section -----------------------------------------------------------------------------------


def section(guide: Guide) -> str:
    docstring = numpydoc.docscrape.FunctionDoc(getattr(inference, guide.name))
    row = ROWS.get(guide.name)
    head = inspect.getdoc(getattr(inference, guide.name)).split("\nParameters\n---")[0]
    assumes = _sentence("; ".join(guide.assumes)) + (f" Fits: {row.designs}." if row else "")
    texts = (
        _filled(f"**Question.** {guide.question}"),
        _filled(_inline(f"**When to take it.** {_marked(guide.use)}", guide.family)),
        _filled(_inline(f"**Assumes.** {_marked(assumes)}", guide.family)),
        markdown(f"**What it computes.** {head}", guide.family),
        _filled(_inline(f"**When it misleads.** {_marked(guide.misleads)}", guide.family)),
        f"**Measured size.** {_sizes(guide.name)}",
        f"**References.**\n\n{_references(docstring['References'], guide.family)}",
        f"**Example.**\n\n{_example(docstring['Examples'], guide.family)}",
    )
    return "\n\n".join([f"## {guide.name}", *texts])


def _marked(text: str) -> str:
    """Functions and options as code, which they are not in the plain text of the command."""
    text = re.sub(r'(?<![`\w.])([a-z_]+=(?:"\w+"|[\d.]*\d)?)', r"`\1`", text)
    return re.sub(r"(?<!`)\b\w+_\w+\b(?!`|=)", lambda found: f"`{found[0]}`" if found[0] in GUIDES else found[0], text)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _sizes(name: str) -> str:
    if name in STUDY_SIZES:
        cells = [(design, [f"{size:.1%}"]) for design, size in STUDY_SIZES[name].items()]
        return "At a nominal 5%:\n\n" + _table(["design", "any metric"], cells)
    if name not in MEASURED_SIZES:
        decides = name in DECIDE or (name in ROWS and ROWS[name].returns not in ("posterior", "description"))
        return "Not in the table of measured sizes." if decides else "None: by itself it rejects nothing."
    metrics = list(dict.fromkeys(metric for sizes in MEASURED_SIZES[name].values() for metric in sizes))
    cells = [
        (design, [f"{sizes[metric][0]:.1%} to {sizes[metric][1]:.1%}" if metric in sizes else "" for metric in metrics])
        for design, sizes in MEASURED_SIZES[name].items()
    ]
    return "At a nominal 5%:\n\n" + _table(["design", *metrics], cells)


def _table(header: list[str], rows: list[tuple[str, list[str]]]) -> str:
    lines = [header, ["---"] * len(header), *([first, *others] for first, others in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _references(lines: list[str], family: str) -> str:
    papers = re.split(r"\n{2,}", "\n".join(lines).strip())
    if not papers[0]:
        return "None: it is a definition."
    return "\n".join(
        textwrap.indent(_filled(_inline(paper, family), 116), "  ").replace("  ", "- ", 1) for paper in papers
    )


def _example(lines: list[str], family: str) -> str:
    blocks = []
    for block in re.split(r"\n{2,}", "\n".join(lines).strip()):
        blocks.append(f"```python\n{block}\n\n```" if block.startswith(">>>") else _filled(_inline(block, family)))
    return "\n\n".join(blocks)


def page(family: str) -> str:
    title, introduction = FAMILIES[family]
    guides = [guide for guide in GUIDES.values() if guide.family == family]
    contents = _table(["procedure", "question"], [(_linked(guide.name, family), [guide.question]) for guide in guides])
    return "\n\n".join([f"# {title}", _filled(introduction), _filled(SIZES), contents, *map(section, guides)]) + "\n"


def overview() -> str:
    """The overview as it is, with its tables as they should be."""
    defaults = [(row.designs, [f"`{row.procedure}`", row.reason]) for row in DEFAULTS]
    text = OVERVIEW.read_text(encoding="utf-8")
    for table in (_table(["designs", "procedure", "reason"], defaults), procedures().to_markdown()):
        head = re.escape(table.split("\n")[0].split(" | ")[0])
        text = re.sub(rf"^{head} \|.*?(?=\n\n|\n*\Z)", lambda _, table=table: table, text, flags=re.M | re.S)
    return text


# ---- what holds of them ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=FAMILIES)
def text(request):
    return (DOCS / "procedures" / f"{request.param}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("family", FAMILIES)
def test_the_pages_are_what_the_docstrings_and_tables_say(family):
    assert (DOCS / "procedures" / f"{family}.md").read_text(encoding="utf-8") == page(family)


def test_the_overview_has_the_table_and_links_the_pages():
    assert OVERVIEW.read_text(encoding="utf-8") == overview()
    assert sorted(re.findall(r"\(procedures/(\w+)\.md\)", overview())) == sorted(FAMILIES)


def test_every_procedure_has_an_entry():
    assert set(ROWS) <= set(GUIDES)
    assert set(GUIDES) == set(FUNCTIONS) - NOT_PROCEDURES
    assert {guide.family for guide in GUIDES.values()} == set(FAMILIES)


@pytest.mark.parametrize("guide", GUIDES.values(), ids=lambda guide: guide.name)
def test_an_entry_is_complete_and_short(guide):
    assert guide.question.endswith("?")
    assert "." not in guide.question[:-1]
    assert 0 < len(guide.use) < 220
    assert 60 < len(guide.misleads) < 420
    assert 0 < len("; ".join(guide.assumes)) < 220
    sentences = [one for text in (guide.use, guide.misleads) for one in re.split(r"(?<=[.?!])\s+(?=[A-Z])", text)]
    assert max(len(sentence.split()) for sentence in sentences) <= 25
    assert not guide.designs or guide.name in ROWS
    assert "not measured" not in guide.misleads  # a size that it quotes is gone from the table


def test_a_section_has_all_parts_and_a_formula(text):
    for part in text.split("\n## ")[1:]:
        name = part.split("\n")[0]
        assert [what for what in (*PARTS, "Example") if f"\n**{what}.**" not in part] == [], name
        computes = part.split("**What it computes.**")[1].split("**When it misleads.**")[0]
        assert re.search(r"\$[^$]+\$", computes), f"{name} has no formula"
        assert ("\n**References.**\n\n- " in part) == (name not in DEFINITIONS), name


def test_formulas_can_be_set(text):
    """By docutils, which the site sets them with; it fails on commands that it does not know."""
    blocks = re.findall(r"\$\$\n(.*?)\n\$\$", text, re.S)
    for source in [*blocks, *re.findall(r"(?<!\$)\$([^$\n]+)\$(?!\$)", text)]:
        assert source.count("{") == source.count("}")
        assert tex2mathml(re.sub(r"\\Big(?![a-z])", "", source).replace(r"\dots", r"\ldots"), as_block=source in blocks)


def test_no_markup_of_docstrings_is_left(text):
    prose = re.sub(r"```.*?```", "", text, flags=re.S)
    assert re.findall(r":\w+:`|\.\. \w+::|``", prose) == []


def test_links_between_sections_lead_somewhere(text):
    for target, heading in re.findall(r"\]\((\w*(?:\.md)?)#(\w+)\)", text):
        where = (DOCS / "procedures" / target).read_text(encoding="utf-8") if target else text
        assert f"\n## {heading}\n" in where


def test_the_examples_run(text):
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    found = doctest.DocTestParser().get_doctest(text, {}, "page", None, 0)
    outcome = doctest.DocTestRunner(optionflags=options, verbose=False).run(found)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_a_size_in_a_text_is_read_from_the_table():
    low, high = MEASURED_SIZES["corrected_t_test"]["10x10"]["recall"]
    quoted = _with_sizes("{lowest recall on 10x10} to {highest recall on 10x10}", "corrected_t_test")
    assert quoted == f"{low:.0%} to {high:.0%}"
    assert _with_sizes("{highest recall on the moon}", "corrected_t_test") == "(not measured)"
    _, high = MEASURED_SIZES["dominance_test"]["10x10"]["all five"]
    assert _with_sizes("{highest all five on 10x10 of dominance_test}", "max_t_test") == f"{high:.0%}"


PLAIN_T = ("paired_t_test", "10x10", "accuracy")


@pytest.mark.parametrize(
    ("page", "text", "cell"),
    [
        ("choosing", "`paired_t_test`: wrong in {low:.0%} to {high:.0%} of true nulls on accuracy", PLAIN_T),
        ("migration", "it calls equal models different in {low:.0%} to {high:.0%} of cases on 10x10", PLAIN_T),
        ("choosing", "wrong in {low:.0%} to {high:.0%} |", ("mcnemar_test", "10-fold", "accuracy")),
        ("choosing", "wrong in up to {high:.0%} (`five_by_two_t_test`)", ("five_by_two_t_test", "5x2", "roc_auc")),
        ("choosing", "and {high:.0%} (`five_by_two_f_test`)", ("five_by_two_f_test", "5x2", "roc_auc")),
        ("dominance", "named a statement in up to {high:.0%}", ("dominance_posterior over 95%", "10x10", "all five")),
    ],
)
def test_the_sizes_on_other_pages_are_those_of_the_table(page, text, cell):
    procedure, design, metric = cell
    low, high = MEASURED_SIZES[procedure][design][metric]
    assert text.format(low=low, high=high) in " ".join((DOCS / f"{page}.md").read_text(encoding="utf-8").split())


def test_a_procedure_tells_what_it_is_for():
    row = ROWS["delong_test"]
    assert (row.question, row.use, row.misleads) == (
        GUIDES["delong_test"].question,
        GUIDES["delong_test"].use,
        GUIDES["delong_test"].misleads,
    )
    assert row.misleads in " ".join(str(row).split())
    assert row.name in str(procedures())


if __name__ == "__main__":
    (DOCS / "procedures").mkdir(exist_ok=True)
    for name in FAMILIES:
        (DOCS / "procedures" / f"{name}.md").write_text(page(name), encoding="utf-8")
    OVERVIEW.write_text(overview(), encoding="utf-8")
