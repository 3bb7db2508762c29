"""No two views of one result contradict each other, whatever the scores are; and what the views are, at most, long."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from skcompare import Outcome, SearchReport, StudyResult, load
from skcompare.cli import main as cli
from skcompare.comparison.means import label, shown_score
from skcompare.inference import format_statement
from skcompare.plotting import CriticalDifferenceDisplay, DifferencesDisplay, DominanceDisplay, ScoresDisplay
from skcompare.reporting.mlflow import run_tags
from skcompare.reporting.page import page
from skcompare.reporting.short import MAX_TOGETHER
from tests import claims
from tests.lawful import FULL
from tests.made_results import METRICS, evaluation, items_of, on_a_test_set, runs_of, search_of, stopped_run, study_of
from tests.shown_tables import cells, grids, in_html, in_latex, in_markdown, stand_in_text

N_MODELS = (2, 2, 3, 3, 4, 5, 7, 10, 14)
FLAWS = ("none", "none", "equal models", "coarse", "missing", "failed", "no metric", "apart", "still")


def examples(full, few):
    phases = [phase for phase in Phase if phase not in (Phase.shrink, Phase.explain)]  # a recipe is short as it is
    return settings(
        max_examples=full if FULL else few, deadline=None, phases=phases, suppress_health_check=[*HealthCheck]
    )


# ---- what may come ---------------------------------------------------------------------------------------------


def recipes(**more):
    """What scores are made of; short to read where a law fails."""
    return st.fixed_dictionaries(
        {
            "seed": st.integers(0, 2**32 - 1),
            "n_models": st.sampled_from(N_MODELS),
            "spread": st.sampled_from([0.0, 0.5, 2.0, 8.0]),
            "flaw": st.sampled_from(FLAWS),
            "n_metrics": st.integers(1, len(METRICS)),
            **more,
        }
    )


EVALUATIONS = recipes(
    design=st.sampled_from([(1, 3), (1, 5), (1, 10), (2, 5), (10, 10)]), baseline=st.sampled_from([None, None, "m0"])
)
RUNS = recipes(n_runs=st.sampled_from([3, 5, 10, 30]))
STOPPED = recipes(
    n_metrics=st.integers(1, 2),
    design=st.sampled_from([(6, 5), (4, 10), (3, 5)]),
    flaw=st.sampled_from(["none", "none", "equal models", "coarse", "one missing", "still"]),
    rope=st.sampled_from([None, None, 0.05]),
    alpha=st.sampled_from([0.01, 0.05, 0.2]),
    drop=st.sampled_from([False, True, "unlikely"]),
)
AHEAD_UNTESTED = {
    "seed": 60,
    "n_models": 14,
    "spread": 0.0,
    "flaw": "missing",
    "n_metrics": 1,
    "design": (1, 5),
    "baseline": "m0",
}
THREE_AHEAD_UNTESTED = {**AHEAD_UNTESTED, "seed": 66227830, "n_models": 10, "spread": 0.5, "design": (1, 3)}
BEST_OF_WHAT_ALL_HAVE = {
    **AHEAD_UNTESTED,
    "seed": 1864,
    "n_models": 10,
    "spread": 2.0,
    "n_metrics": 2,
    "design": (1, 10),
}
AHEAD_OF_ONE = {
    "seed": 48564,
    "n_models": 4,
    "spread": 0.5,
    "flaw": "apart",
    "n_metrics": 1,
    "design": (1, 3),
    "baseline": "m0",
}
LEFT_AT_MANY_LOOKS = {
    "seed": 3782069874,
    "n_models": 30,
    "spread": 0.0,
    "flaw": "none",
    "n_metrics": 2,
    "design": (10, 10),
    "rope": None,
    "alpha": 0.01,
    "drop": "unlikely",
}
MARKED_AT_MANY_LOOKS = {
    **LEFT_AT_MANY_LOOKS,
    "seed": 3914337993,
    "n_models": 10,
    "spread": 2.0,
    "flaw": "still",
    "rope": 0.05,
    "drop": True,
}
SIGNIFICANT_BUT_FOR_STEPS = {
    **MARKED_AT_MANY_LOOKS,
    "seed": 355996596,
    "n_models": 14,
    "flaw": "coarse",
    "n_metrics": 1,
    "design": (6, 5),
    "rope": None,
}
FIVE_NUMBERS_AND_OTHERS_BEHIND = {
    **AHEAD_UNTESTED,
    "seed": 29604956,
    "n_models": 10,
    "spread": 8.0,
    "flaw": "coarse",
    "n_metrics": 3,
    "design": (2, 5),
    "baseline": None,
}
CASES = recipes(
    flaw=st.sampled_from(["none", "none", "equal models", "coarse", "twins"]),
    n_samples=st.sampled_from([6, 20, 60, 200, 500]),
    n_metrics=st.integers(1, 4),
)
ITEMS = st.builds(lambda recipe, clusters: {**recipe, "clusters": clusters}, CASES, st.booleans())
STUDIES = recipes(
    n_metrics=st.integers(1, 3),
    n_datasets=st.sampled_from([2, 4, 6, 8, 12, 20]),
    flaw=st.sampled_from([flaw for flaw in FLAWS if flaw != "no metric"]),
)
SEARCHES = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 2**32 - 1),
        "n_candidates": st.sampled_from([2, 3, 6, 12, 40]),
        "n_metrics": st.integers(1, 3),
        "design": st.sampled_from([(3, 1), (5, 1), (10, 1), (5, 2)]),
        "n_failed": st.sampled_from([0, 0, 1, 2]),
        "ties": st.booleans(),
        "alpha": st.sampled_from([0.01, 0.05, 0.3]),
    }
)


# ---- every view has the same words and cells -------------------------------------------------------------------


def agrees(found, answer):
    """What a view claims, and that it claims something."""
    found = list(found)
    assert claims.contradictions(found, answer) == []
    return found


def one_line(text):
    return " ".join(text.split())


def agree_in_every_cell(result):
    """Page, notebook, text, Markdown and LaTeX show the tables of the document."""
    short, full = result._document(), result.explain()
    wanted = [cells(grid) for grid in grids(full)]
    assert wanted[: len(grids(short))] == [cells(grid) for grid in grids(short)]
    assert [*in_html(page(full, []))] == [*in_html(full._repr_html_())] == wanted
    assert [*in_html(result._repr_html_())] == wanted
    answered, folded = result._repr_html_().split("<details>", 1)
    assert [*in_html(answered)] == [cells(grid) for grid in grids(short)]
    assert folded.startswith("<summary>All that is behind it: explain()</summary><details>")
    assert folded.endswith("</details></details></div>")
    for document, detail in ((short, "short"), (full, "full")):
        assert result.summary(detail) == str(document)
        assert all(stand_in_text(cells(grid), str(document)) for grid in grids(document))
    papers = [cells(grid) for grid in (*grids(short), *grids(result._for_papers(), "pairs on"))]
    assert [*in_markdown(result.to_markdown())] == papers
    assert [*in_latex(result.to_latex())] == papers
    for text in (str(full), full._repr_html_(), result.to_markdown(), result.to_latex()):
        assert "..." not in text


def first_line_of(document, answer):
    """The first line, which claims what the answer has, in numbers of the table."""
    said = document.named("answer").text
    agrees(claims.of_first_line(answer, said), answer)
    assert len(said.split()) <= 30
    assert len(re.findall(r"(?<![\w.])[-+]?\d[\d.,e+-]*", said)) <= 5
    numbers = re.findall(rf"(?<![\w.]){claims.NUMBER}(?![\w%])", said.split(" About ")[0].split(" Not all ")[0])
    shown = " ".join(cell for grid in grids(document) for row in cells(grid) for cell in row)
    counts = r"(?:among|and|over|than) (\d+) (?:comparison|others|more)|on (\d+) |(\d+) of (\d+) |All (\d+) others|"
    counts += r"(\d+) (?:other )?models?\b|of which (\d+) |within (" + claims.NUMBER + r")\)"
    counts = re.findall(counts, said)
    known = {number.lstrip("+-") for number in re.findall(claims.NUMBER, shown)}
    assert {number.lstrip("+-") for number in numbers} <= {*known, *sum(counts, ())}
    return said


def is_about_its_claim(result, answer):
    """The table has whom the first line names, and the baseline; the caution, and patterns, contradict nothing."""
    document, first = result._document(), answer.metrics[0]
    grid, said = grids(document)[0], document.named("answer").text
    shown = {*grid.columns[0].cells} if grid.name == "models" else {column.name for column in grid.columns}
    assert {*re.findall(r"(?<![\w.])m\d+\b", said)} - {None} <= shown
    assert answer.baseline in (None, *shown)
    caution = document.named("caution")
    fragile = caution and re.match(r"Caution: (m\d+) over (m\d+)", caution.text)
    if fragile:
        assert fragile[1] == first.leader
        assert fragile[2] in first.worse
    means = {on.name: dict(zip(result.estimators, on.merits, strict=True)) for on in result._found().metrics}
    patterns = result.explain().named("patterns")
    for text in patterns.columns[0].cells if patterns and not isinstance(result, StudyResult) else ():
        for a, b in re.findall(r"^(m\d+) better than (m\d+) on (?:both|all)", text):
            left = re.findall(r"Not about (.*)\.", patterns.caption)
            known = [on for on in means if label(on) not in "".join(left)]
            known = [on for on in known if not np.isnan([means[on][a], means[on][b]]).any()]
            rows = [row for row in result.compare() if {row.a, row.b} == {a, b} and row.metric in known]
            leads = [row.estimate if row.a == a else -row.estimate for row in rows]
            assert not any(lead < 0 for lead in leads)  # nan where they share no split with both scores


def agree_on_another_question(result):
    """With another metric as the question, the first line is about that one, with a budget of its own."""
    for metric in () if result.answer().sequential else result.metrics[1:2]:
        answer = result._found(metric).answer
        assert answer.metrics[0].metric == metric
        document = result._document(primary=metric)
        first_line_of(document, answer)
        assert f"The question is {label(metric)}, not " in document.named("design").text
        assert "The question is" not in result._document().named("design").text
        asked = next(column for column in grids(document)[0].columns if column.name in ("metric", *result.metrics))
        assert (asked.values[0] if asked.name == "metric" else asked.name) == metric
        assert result.compare(primary=metric).families[0].metrics == (metric,)
        assert one_line(result.summary(primary=metric)) == one_line(str(result._document(primary=metric)))


def agree_on_the_first_line(result, answer, folder):
    """Every view begins with the same line, a saved result too."""
    said = first_line_of(result._document(), answer)
    among, n = re.search(r"among (\d+) comparison", said), result.compare().families[0].n
    assert among is None or int(among[1]) == n > 1
    for text in (str(result), result.summary("full"), str(result.compare())):
        assert not re.search(r"\b(?:all|among|over) 1 (?:comparison|together)", one_line(text))
    result.save(folder / "result.skc")
    loaded = load(folder / "result.skc")
    command = CliRunner().invoke(cli.command, ["show", str(folder / "result.skc")])
    assert command.exit_code == 0
    assert str(loaded) == str(result)
    assert loaded.summary("full") == result.summary("full")
    views = [str(result), str(answer), result.summary("full"), command.output, result.to_markdown().replace("**", "")]
    assert all(one_line(text.replace("\\", "")).startswith(said) for text in views)
    assert json.loads(result.to_json())["answer"]["line"] == said
    assert run_tags(result._found(), ())["verdict"] == said


def agree_with_rows(result, answer):
    """Rows, frames, JSON, pictures and the tables of all pairs have each pair on each metric."""
    rows, frame, document = result.compare(), result.compare().to_frame(), json.loads(result.to_json())
    everything = {(row.a, row.b, row.metric) for row in rows}
    assert {pair[:3] for pair in claims.of_answer(answer) if pair[:3] in everything} == everything
    plain = frame.astype(object).where(frame.notna(), None).to_dict("records")
    for view in (rows, plain, document["comparison"]["rows"]):
        assert len(agrees(claims.of_rows(view), answer)) == len(everything)
    (grid,) = grids(rows._document())
    assert len(agrees(claims.of_pairs(grid, result.metrics[0]), answer)) == len(everything)
    if len(result.estimators) > 2:
        pairs = zip(result.metrics, grids(result.explain(), "pairs on "), strict=True)
        found = [claim for metric, grid in pairs for claim in claims.of_pairs(grid, metric)]
        assert len(agrees(found, answer)) == len(everything)
    agrees(claims.of_short_table(grids(result._document())[0], answer), answer)
    agrees(claims.of_groups(answer), answer)
    told = {name.removeprefix("_"): value for name, value in asdict(answer).items()}
    assert without_bounds(document["answer"]) == without_bounds(json.loads(json.dumps(told)))


def without_bounds(answer):
    """An answer of JSON without the numbers, which may be nan."""
    return {**answer, "metrics": [{**on, "bound": None, "omnibus": None} for on in answer["metrics"]]}


def is_decided_once(result, answer):
    """Outcome, adjusted p-value and interval say the same, and `metrics=` selects rows without changing a number."""
    rows = result.compare()
    assert rows.alpha == answer.alpha
    assert rows.sequential == answer.sequential
    for row in rows:
        if answer.sequential:
            assert np.isnan(row.pvalue_adjusted)
            continue
        assert row.outcome is not Outcome.NOT_TESTED
        significant = row.winner is not None
        assert (row.pvalue_adjusted < answer.alpha) == significant
        if np.isfinite(row.low) and row.record is not None:
            assert (row.low > 0 or row.high < 0 or (row.open_at_null and 0 in (row.low, row.high))) == significant
    for metric in result.metrics:
        assert same(result.compare(metrics=metric), [row for row in rows if row.metric == metric])
    on = answer.metrics[0]
    facing = [row for row in rows if row.metric == on.metric and on.leader in (row.a, row.b)]
    ends = [abs(end) for row in facing for end in (row.low, row.high)]
    assert not np.isfinite(on.bound) or on.bound == 0 or on.bound in ends


def same(rows, others):
    """Whether two sequences of rows have the same numbers, nan being equal to itself."""
    return repr([*rows]) == repr([*others]) and [row.record is None for row in rows] == [
        row.record is None for row in others
    ]


def agree_on_own_scores(result):
    """The document, JSON and the picture have the scores and intervals of `intervals`."""
    own, n = result.intervals(), len(result.estimators)
    document = json.loads(result.to_json())["intervals"]["rows"]
    (shown,) = grids(result.explain(), "scores")
    for m, column in enumerate(shown.columns[1:]):
        rows = own[m * n : (m + 1) * n]
        wanted = [(row.score, row.low, row.high) for row in rows]
        np.testing.assert_array_equal(column.values, wanted)
        json_rows = [(row["model"], row["metric"], row["score"]) for row in document[m * n : (m + 1) * n]]
        assert [row[:2] for row in json_rows] == [(row.model, row.metric) for row in rows]
        np.testing.assert_array_equal(np.array([row[2] for row in json_rows], dtype=float), [row.score for row in rows])
    known = [m for m in range(len(result.metrics)) if any(row.score == row.score for row in own[m * n :][:n])]
    for m in known[:1]:
        drawn = ScoresDisplay.from_result(result, metric=result.metrics[m])
        ends = [[shown_score(row.metric, end) for end in (row.low, row.high)] for row in own[m * n : (m + 1) * n]]
        np.testing.assert_array_equal(np.sort(drawn.limits), np.sort(ends))  # a loss is drawn as one


def names_no_weak_pattern(result, joint):
    """No view names a pattern less probable than not, or a winner on a metric on which the other model is ahead."""
    leads = {(row.a, row.b, row.metric): row.estimate for row in result.compare()}
    for row in joint[:3]:
        asked = {"metrics": row.metrics, "a": row.a, "b": row.b}
        ahead = [leads[row.a, row.b, metric] for metric in row.metrics]
        won = row.statement or ()
        doubtful = row.statement is None or not row.probability >= 0.5 or row.most_probable != row.statement
        doubtful |= any(lead != 0 and (lead > 0) != wins for lead, wins in zip(ahead, won, strict=False))
        assert row.stands_out is not doubtful
        if row.statement is None:
            continue
        drawn = DominanceDisplay.from_result(result, **asked)._title()
        said = format_statement(row.statement, row.metrics, a=row.a, b=row.b)
        texts = [str(row), str(result.dominance("table")), str(result.explain()), page(result.explain(), [])]
        assert [said in one_line(text) for text in texts[:1]] == [not doubtful]
        assert ("stands out" in drawn) == doubtful
        if doubtful and row.probability < 0.5:
            assert said not in str(result.dominance("dirichlet", **asked))
        if doubtful:
            assert not any(said in one_line(text) for text in texts)


def agree_on_all_metrics(result):
    """The pattern of wins has one p-value in the text, the table and the picture; each part counts for itself."""
    joint, document = result._found().joint, result.explain()
    names_no_weak_pattern(result, joint)
    for row in joint[:3]:
        picture = DominanceDisplay.from_result(result, metrics=row.metrics, a=row.a, b=row.b)
        np.testing.assert_equal(picture.pvalue, row.pvalue_adjusted)
        parts = [one for one in result.compare() if (one.a, one.b) == (row.a, row.b) and one.metric in row.metrics]
        if row.established is not None and row.statement is not None:
            winners = [row.a if wins else row.b for wins in row.statement]
            assert row.established == ([part.winner for part in parts] == winners)
    said = document.named("together")
    assert said == result._document().named("together")
    if said is None:
        return
    words, table = one_line(said.text), cells(grids(document)[0])
    a, b = table[0][1:3] if grids(document)[0].name == "metrics" else (row[0] for row in table[1:3])
    (row,) = (row for row in result.dominance("table") if {row.a, row.b} == {a, b})
    shown = re.search(r"frequent pattern: dominance test (?:adjusted )?p ([=<]) ([\d.]+)\.", words)
    few = words.endswith("; too few cases for a significant dominance test.")
    tested = any({one.a, one.b} == {a, b} and np.isfinite(one.pvalue_adjusted) for one in joint)
    of_few = len(result.estimators) <= MAX_TOGETHER and tested and not result.answer().sequential
    assert (few or shown is not None) == (of_few and "no pattern of wins stands out" not in words)
    assert not few or not row.within_reach()
    if shown is not None:
        assert row.probability >= 0.5
        np.testing.assert_equal(
            [one.pvalue_adjusted for one in joint if (one.a, one.b) == (row.a, row.b)], [row.pvalue_adjusted]
        )
        assert row.pvalue_adjusted == pytest.approx(float(shown[2]), abs=0.00051 if shown[1] == "=" else 0.001)


PICTURED = {"a": "better", "b": "worse", "not tested": "untested", "no test": "no test"}


def agree_with_the_picture(result, answer):
    picture = DifferencesDisplay.from_result(result).frame()
    names = {label(metric): metric for metric in result.metrics}
    drawn = [
        claims.Claim(row.a, row.b, names[row.metric], PICTURED.get(row.better, "alike")) for row in picture.itertuples()
    ]
    agrees(drawn, answer)


def is_short(result):
    """Two models in 16 lines and 120 words, more in 24 lines; prose fits a terminal of 80 columns."""
    text = str(result)
    most = 16 + max(0, len(result.metrics) - 5) if len(result.estimators) == 2 else 24
    assert len(text.splitlines()) <= most
    is_a_caution(result._document().named("caution"))
    if len(result.estimators) == 2:
        prose = [block.text for block in result._document().blocks if hasattr(block, "text")]
        assert sum(len(one.split()) for one in prose) <= 120
    for line in result.summary("full").splitlines():
        assert len(line) <= 80 or "  " in line.strip() or " " * 20 in line or not line.strip("-")


TO_DO = r"(?i)\b(collect|confirm|decide|drop|give|go to|leave|make sure|mend|run|scale|see|take|widen)\b"


def is_a_caution(block):
    """Sentences of at most 20 words and two numbers, with what to do; names, and 0/0, are no numbers."""
    if block is None:
        return
    assert re.search(TO_DO, block.text), block.text
    unnamed = re.sub(r"'[^']*'|(?:class|label) \S+|0/0|\b\w+=[^,;]+(?=[,;.])", "name", block.text)
    for sentence in re.split(r"(?<=[.:]) ", unnamed):
        assert len(sentence.split()) <= 20, block.text
        assert len(re.findall(r"(?<![\w.])\d[\d.,]*", sentence)) <= 2, block.text


# ---- the laws ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("saved")


def agree_in_every_view(result, answer, folder):
    agree_in_every_cell(result)
    agree_on_the_first_line(result, answer, folder)
    is_about_its_claim(result, answer)
    agree_on_another_question(result)
    agree_with_rows(result, answer)
    agree_with_the_picture(result, answer)
    agree_on_all_metrics(result)
    is_decided_once(result, answer)
    is_short(result)
    if not isinstance(result, StudyResult):
        agree_on_own_scores(result)


@pytest.mark.sampled("views")
@examples(300, 6)
@given(recipe=EVALUATIONS)
@example(recipe=AHEAD_UNTESTED)
@example(recipe=THREE_AHEAD_UNTESTED)
@example(recipe=BEST_OF_WHAT_ALL_HAVE)
@example(recipe=AHEAD_OF_ONE)
@example(recipe=FIVE_NUMBERS_AND_OTHERS_BEHIND)
def test_the_views_of_an_evaluation_agree(folder, recipe):
    result = evaluation(recipe)
    agree_in_every_view(result, result.answer(), folder)
    first = replace(result, metrics=result.metrics[:1], greater_is_better=(True,), scores=result.scores[:, :, :1])
    assert result.answer().metrics[0].metric != result.metrics[0] or same_answer(first, result)


def same_answer(first, result):
    """What is said of the first metric alone and with others beside it."""
    assert first.metrics == result.metrics[:1]
    for name in ("answer", "test"):
        assert first._document().named(name) == result._document().named(name)
    alone, beside = (  # how a table was read can be said of all of it
        [replace(row, warnings=()) for row in one.compare() if row.metric == first.metrics[0]]
        for one in (first, result)
    )
    assert same(alone, beside)
    return True


@pytest.mark.sampled("views")
@examples(200, 3)
@given(recipe=CASES)
@example(
    recipe={"n_metrics": 3, "spread": 2.0, "n_samples": 6, "n_models": 14, "seed": 3_591_863_482, "flaw": "coarse"}
)
@example(recipe={"n_metrics": 4, "spread": 0.5, "n_samples": 6, "n_models": 2, "seed": 8051, "flaw": "twins"})
def test_the_views_of_one_test_set_agree(folder, recipe):
    result = on_a_test_set(recipe)
    agree_in_every_view(result, result.answer(), folder)
    assert same_answer(on_a_test_set({**recipe, "n_metrics": 1}), result)
    assert "about these fitted models" in one_line(str(result))


@pytest.mark.sampled("views")
@examples(200, 5)
@given(recipe=ITEMS)
def test_the_views_of_items_agree(folder, recipe):
    result = items_of(recipe)
    agree_in_every_view(result, result.answer(), folder)
    assert same_answer(items_of({**recipe, "n_metrics": 1}), result)
    assert "about these models on items like these" in one_line(str(result))


@pytest.mark.sampled("views")
@examples(200, 5)
@given(recipe=RUNS)
@example(recipe={"seed": 452, "n_models": 2, "spread": 2.0, "flaw": "failed", "n_metrics": 2, "n_runs": 30})
@example(recipe={"seed": 379, "n_models": 14, "spread": 2.0, "flaw": "none", "n_metrics": 4, "n_runs": 10})
def test_the_views_of_runs_agree(folder, recipe):
    result = runs_of(recipe)
    agree_in_every_view(result, result.answer(), folder)
    first = replace(result, metrics=result.metrics[:1], greater_is_better=(True,), scores=result.scores[:, :, :1])
    assert result.answer().metrics[0].metric != result.metrics[0] or same_answer(first, result)


WITHOUT_LEADER = {"n_metrics": 3, "spread": 0.0, "seed": 193408, "n_models": 7, "flaw": "failed", "n_datasets": 12}
AMONG_WORSE = {"n_metrics": 2, "spread": 0.0, "seed": 2, "n_models": 14, "flaw": "still", "n_datasets": 12}


@pytest.mark.sampled("views")
@examples(200, 5)
@given(recipe=STUDIES, alpha=st.sampled_from([0.01, 0.05, 0.2]))
@example(recipe=WITHOUT_LEADER, alpha=0.05)
@example(recipe=AMONG_WORSE, alpha=0.2)
def test_the_views_of_a_study_agree(folder, recipe, alpha):
    study = study_of(recipe)
    answer = study.answer()
    agree_in_every_view(study, answer, folder)
    for document in (study._document(), study.explain()):
        blank_intervals_have_a_reason(document)
    for metric in study.metrics:
        agree_on_the_ranks(study, answer, metric, alpha)
    first = replace(study, metrics=study.metrics[:1], greater_is_better=(True,), scores=study.scores[..., :1])
    assert answer.metrics[0].metric != study.metrics[0] or same_answer(first, study)


def blank_intervals_have_a_reason(document):
    """Where a lead that was tested has no interval, the caption says why."""
    for grid in grids(document):
        columns = {column.name: column.cells for column in grid.columns}
        if {"estimate", "interval", "pvalue_adjusted"} <= {*columns}:
            tested = zip(columns["interval"], columns["pvalue_adjusted"], strict=True)
            blank = any(p and not limits for limits, p in tested)
            assert blank == ("A blank interval: " in grid.caption)


def agree_on_the_ranks(study, answer, metric, alpha):
    """Letters and bars, at 5% those of the answer, at another level those of the adjusted p-values."""
    try:
        ranking = study.rank(metric)
    except ValueError:  # no data set with scores of all models
        return
    agree_on_all_equal(study, ranking)
    agrees(claims.of_letters(metric, letters_of(ranking)), answer)
    rows = study.compare(metrics=metric)
    significant = {frozenset((row.a, row.b)) for row in rows if row.pvalue_adjusted < alpha}
    for groups in (letters_of(study.rank(metric, alpha=alpha)), letters_of_bars(study, metric, alpha)):
        apart = {frozenset((a, b)) for a, b, _, outcome in claims.of_letters(metric, groups) if outcome == "apart"}
        assert groups == {} or apart == significant
    for grid in grids(study.explain(), f"ranks on {metric}"):
        columns = {column.name: column.values for column in grid.columns}
        shown = dict(zip(columns["model"], columns["group"], strict=True))
        assert shown == {name: letters_of(ranking)[name] for name in shown}


def agree_on_all_equal(study, ranking):
    """The omnibus line beside letters; a test of one metric is the same in each view."""
    on = next(on for on in study.answer().metrics if on.metric == ranking.metric)
    told = one_line(str(ranking))
    if ranking.omnibus is None:
        assert len(ranking.names) == 1
        return
    if len(study.estimators) > 2:
        gaps = "Skillings" in ranking.omnibus.method
        assert on.omnibus_test == ("Skillings-Mack test" if gaps else "Friedman test")
        if ranking.names == study.estimators:  # a model without any score is left out
            test = study.test("skillings_mack_test" if gaps else "friedman_test", metric=ranking.metric)
            assert on.omnibus == pytest.approx(test.pvalue, nan_ok=True)
        assert (on.n_datasets, on.omnibus < 0.05) == (ranking.omnibus.n, "That all are equal is rejected" in told)
    shared = set.intersection(*map(set, ranking.tier))
    assert ("though no pair differs significantly" in told) == (ranking.omnibus.pvalue < 0.05 and bool(shared))


def letters_of(ranking):
    return dict(zip(ranking.names, ranking.tier, strict=True))


def letters_of_bars(study, metric, alpha):
    """The letters that a critical-difference diagram draws as bars; empty where it cannot be drawn."""
    try:
        frame = CriticalDifferenceDisplay.from_result(study, metric=metric, alpha=alpha).frame()
    except ValueError:
        return {}
    return dict(zip(frame["model"], frame["group"], strict=True))


@pytest.mark.sampled("views")
@examples(50, 3)
@given(recipe=STOPPED)
@example(recipe=LEFT_AT_MANY_LOOKS)
@example(recipe=MARKED_AT_MANY_LOOKS)
@example(recipe=SIGNIFICANT_BUT_FOR_STEPS)
def test_the_views_of_a_stopped_run_agree(folder, recipe):
    result = stopped_run(recipe)
    answer, stopping = result.answer(), result.details.stopping
    assert answer.sequential == bool(stopping.looks)
    agree_in_every_view(result, answer, folder)
    if stopping.looks:
        (on,) = answer.metrics
        assert {*stopping.worse} == {*on.worse}
        untested = (*on.unvarying, *on.smaller, *on.larger)  # the looks found no difference of these either
        left = {name for name in (on.leader, *on.not_different, *on.equivalent, *untested) if name is not None}
        assert left == {*stopping.names, *stopping.unlikely}
        assert (stopping.kind == "equivalent") == bool(on.equivalent)
        assert stopping.kind != "best" or {*on.not_different, *untested} <= {*stopping.unlikely}


@pytest.mark.parametrize("n_missing", [1, 3, 6, 12])
@pytest.mark.parametrize("n_models", [9, 14, 30])
def test_the_table_of_a_stopped_run_has_whom_its_verdict_names(rng, n_missing, n_models):
    """A model that lacks scores was named in the first line, and had no row where ten others had one."""
    recipe = {"spread": 0.5, "drop": "unlikely", "alpha": 0.01, "n_metrics": 1, "rope": 0.05, "flaw": "one missing"}
    for seed in (226, *rng.integers(2**31, size=4).tolist()):
        made = {**recipe, "design": (6, 5), "seed": seed, "n_models": n_models, "n_missing": n_missing}
        result = stopped_run(made)
        is_about_its_claim(result, result.answer())
        is_short(result)


@examples(100, 3)
@given(recipe=SEARCHES)
def test_the_views_of_a_search_agree(made_search, recipe):
    report = SearchReport.from_search(search_of(recipe, made_search), alpha=recipe["alpha"])
    answer = report.answer()
    (on,) = answer.metrics
    assert (on.leader, on.metric, answer.alpha) == (report.best.name, report.metric, recipe["alpha"])
    agrees(claims.of_groups(answer), answer)
    said = report._document().named("answer").text
    is_a_caution(report._document().named("caution"))
    page_ = page(report.explain(), [])
    assert [*in_html(page_)] == [cells(grid) for grid in grids(report.explain())]
    starts = [
        str(report),
        str(answer),
        report.summary("full"),
        report.to_markdown().replace("**", "").replace("\\", ""),
    ]
    assert all(one_line(text).startswith(said) for text in starts)
    leaders = report.result(min(4, len(report.confidence_set.names)))
    of_leaders = leaders.answer()
    agree_with_rows(leaders, of_leaders)
    first = of_leaders.metrics[0]
    assert (first.leader, first.metric) == (on.leader, on.metric)
    assert {*first.worse} == {*on.worse} & {*leaders.estimators}
    assert {*first.not_different} == {*on.not_different} & {*leaders.estimators}
