"""Comparisons that are asked for with other levels, margins, corrections and baselines say one thing in every view."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer_names
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.tree import DecisionTreeClassifier

from skcompare import Outcome, PairedEvaluator, SearchReport, load
from skcompare.cli import main as cli
from skcompare.plotting import DifferencesDisplay, PairMatrixDisplay
from skcompare.testing import not_worse
from tests import made_results as made
from tests.shown_tables import cells, grids, in_html, in_markdown

N_DRAWN = 150 if os.environ.get("SKCOMPARE_FULL") == "1" else 6
CORRECTIONS = ("holm", "bonferroni", "hochberg", "hommel", "fdr_bh", "fdr_by", "none")
KINDS = {
    "folds": (made.evaluation, made.OF_SCORES),
    "study": (made.study_of, made.OF_SCORES),
    "runs": (made.runs_of, made.OF_SCORES),
    "test set": (made.on_a_test_set, made.OF_CASES),
    "items": (made.items_of, made.OF_CASES),
    "judgments": (made.judgments_of, ("none", "equal models")),
}
WITHOUT_MARGIN = ("runs", "judgments")  # which are no pairs for its posterior


def drawn(kind, rng):
    """A result, units of its metrics, and what is asked of it."""
    make, flaws = KINDS[kind]
    recipe = {
        "seed": int(rng.integers(2**32)),
        "n_models": int(rng.choice([2, 3, 5] if kind in ("test set", "study") else [2, 3, 5, 9])),
        "n_metrics": int(rng.integers(1, 5)),
        "spread": float(rng.choice([0.0, 0.5, 2.0, 8.0])),
        "flaw": str(rng.choice(flaws)),
        "design": [(1, 5), (1, 10), (2, 5), (10, 10)][rng.integers(4)],
        "n_samples": int(rng.choice([20, 60, 200])),
        "n_datasets": int(rng.choice([4, 8, 12, 20])),
        "n_runs": int(rng.choice([3, 10, 30])),
        "clusters": bool(rng.random() < 0.3),
    }
    result = make(recipe)
    units = {}
    for metric in result.metrics:
        own = result.compare(metrics=metric, correction="none")
        widths = [row.high - row.low for row in own if np.isfinite(row.high - row.low) and row.high > row.low]
        units[metric] = min(np.median(widths) if widths else 0.01, 0.4)
    asked = {"correction": str(rng.choice(CORRECTIONS)), "alpha": float(rng.choice([0.01, 0.05, 0.1, 0.2]))}
    if rng.random() < 0.5:
        asked["baseline"] = str(rng.choice(result.estimators))
    if rng.random() < 0.5 and kind not in WITHOUT_MARGIN:
        asked["margin"] = {metric: float(unit * rng.choice([0.3, 0.6, 1.2, 2])) for metric, unit in units.items()}
    if rng.random() < 0.3:
        asked["null"] = {metric: float(unit * rng.choice([-1, -0.3, 0.3, 1])) for metric, unit in units.items()}
    if rng.random() < 0.2:
        asked["alternative"] = str(rng.choice(["greater", "less"]))
    return result, units, asked


def agree_on_a_row(row, table, margins):
    """Outcome, adjusted p-value, interval, its level, and a margin."""
    significant = row.outcome.significant
    if row.pvalue == row.pvalue:
        assert (row.pvalue_adjusted < table.alpha) == significant
        assert row.pvalue_adjusted >= row.pvalue * (1 - 1e-12)
    (family,) = (one for one in table.families if row.metric in one.metrics)
    assert row.confidence_level == family.level
    n = max(family.n, 1)
    shares = {"none": 1, "fdr_by": n * np.sum(1 / np.arange(1, n + 1))}
    assert family.level == pytest.approx(1 - table.alpha / shares.get(table.correction, n), rel=1e-12)
    assert row.winner == {Outcome.BETTER: row.a, Outcome.WORSE: row.b}.get(row.outcome)
    if row.low != row.low or row.record is None:
        return
    above, below = (
        (row.low >= row.null, row.high <= row.null) if row.open_at_null else (row.low > row.null, row.high < row.null)
    )
    assert significant == (above or below)
    assert not significant or (row.outcome in (Outcome.BETTER, Outcome.NOT_WORSE)) == above
    margin = margins.get(row.metric)
    if margin is not None and not significant and "ZERO_VARIANCE" not in {one.code for one in row.warnings}:
        assert (row.outcome is Outcome.EQUIVALENT) == (-margin < row.low and row.high < margin)
    assert margin is not None or row.outcome is not Outcome.EQUIVALENT


def agree_in_words(table):
    """The first line counts the rows; Markdown and page have the cells, the frame the outcomes."""
    text, rows = " ".join(str(table).split()), table.rows
    n, n_all = sum(row.outcome.significant for row in rows), sum(row.outcome.tested for row in rows)
    if len(rows) > 1 and n_all:
        found = re.search(r"(None of [\d,]+ d|[\d,]+ of [\d,]+ d|The only d)ifference.*? at ([\d.]+)% \(", text)
        counted = f"{f'{n:,}' if n else 'None'} of {n_all:,} d" if n_all > 1 else "The only d"
        assert found[1] == counted
        assert n_all > 1 or (" is not significant" in found[0]) == (n == 0)
        assert float(found[2]) == pytest.approx(100 * table.alpha)
    wanted = [cells(grid) for grid in grids(table._document())]
    assert [*in_markdown(table.to_markdown())] == [*in_html(table._repr_html_())] == wanted
    assert [*table.to_frame()["outcome"]] == [row.outcome.value for row in rows]


def agree_in_ranks_and_pictures(result, asked):
    ranks = {name: asked[name] for name in ("correction", "alpha")}
    rows = result.compare(**ranks).rows
    for metric in result.metrics:
        own = {frozenset((row.a, row.b)): row for row in rows if row.metric == metric}
        if not np.isfinite([(row.mean_a, row.mean_b, row.estimate) for row in own.values()]).all():
            continue  # models without scores have no rank
        ranking = result.rank(metric, **ranks)
        assert ranking.confidence_level == pytest.approx(1 - asked["alpha"])
        for name, low, high in zip(ranking.names, ranking.low, ranking.high, strict=True):
            winners = [row.winner for pair, row in own.items() if name in pair]
            won = winners.count(name)
            assert (low, high) == (1 + len(winners) - won - winners.count(None), len(ranking.names) - won)
        matrix = PairMatrixDisplay.from_result(result, metric=metric, **ranks)
        for i, j in zip(*np.triu_indices(len(matrix.names), 1), strict=True):
            row = own[frozenset((matrix.names[i], matrix.names[j]))]
            np.testing.assert_equal(matrix.values[i, j], row.pvalue_adjusted)
            assert {"row": matrix.names[i], "column": matrix.names[j]}.get(str(matrix.better[i, j])) == row.winner
    drawn_as = {name: asked[name] for name in ("correction", "baseline", "margin") if name in asked}
    picture = DifferencesDisplay.from_result(result, **drawn_as)
    rows = result.compare(**drawn_as).rows
    winners = [{"a": a, "b": b}.get(which) for a, b, which in zip(picture.a, picture.b, picture.better, strict=True)]
    assert sorted(map(str, winners)) == sorted(str(row.winner) for row in rows)
    n_equal = sum(row.outcome is Outcome.EQUIVALENT for row in rows)
    assert [*picture.better].count("equivalent") == n_equal


def turned(result):
    """The same with its models in the other order."""
    names = ("estimators", "scores", "fit_times", "score_times")
    changes = {name: getattr(result._scores, name)[::-1] for name in names}
    design = replace(result.design, n_runs=result.design.n_runs[::-1])
    return replace(result, **changes, design=design)


def mirrors(result, asked):
    """The order of the models changes the sides alone."""
    asked = {name: value for name, value in asked.items() if name not in ("null", "alternative")}
    other = {(row.metric, frozenset((row.a, row.b))): row for row in turned(result).compare(**asked)}
    for row in result.compare(**asked):
        found = other[row.metric, frozenset((row.a, row.b))]
        sign = 1 if found.a == row.a else -1
        assert (found.winner, found.outcome.tested) == (row.winner, row.outcome.tested)
        assert (found.outcome is Outcome.EQUIVALENT) == (row.outcome is Outcome.EQUIVALENT)
        seen = [
            sign * found.estimate,
            *(sorted((sign * found.low, sign * found.high))),
            found.pvalue,
            found.pvalue_adjusted,
        ]
        own = [row.estimate, *sorted((row.low, row.high)), row.pvalue, row.pvalue_adjusted]
        assert seen == pytest.approx(own, rel=1e-6, abs=1e-9, nan_ok=True)


def gates_agree(result, units, rng):
    """May one replace the other, and the other the one: with a margin, and with a larger one."""
    new, old = rng.choice(result.estimators, 2, replace=False).tolist()
    metric = str(rng.choice(result.metrics))
    margin = {metric: float(units[metric] * rng.choice([0.3, 0.6, 1.2]))}
    found, other = not_worse(result, new, old, margin=margin), not_worse(result, old, new, margin=margin)
    wider = not_worse(result, new, old, margin={metric: 1.5 * margin[metric]})
    (row,) = found.comparison
    if row.outcome is Outcome.WORSE:
        assert other.comparison[0].outcome is Outcome.NOT_WORSE
    if row.outcome is Outcome.NOT_WORSE:
        assert wider.comparison[0].outcome is Outcome.NOT_WORSE
    if row.low == row.low and row.outcome.tested:
        assert (row.outcome is Outcome.NOT_WORSE) == (row.low > row.null)
        assert (row.outcome is Outcome.WORSE) == (row.high < row.null)
    assert " ".join(str(found).split()).startswith(found._line())


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_asked_the_views_agree(kind, rng):
    for _ in range(N_DRAWN):
        result, units, asked = drawn(kind, rng)
        table = result.compare(**asked)
        for row in table:
            agree_on_a_row(row, table, asked.get("margin", {}))
        agree_in_words(table)
        agree_in_ranks_and_pictures(result, asked)
        if kind in ("folds", "runs"):
            mirrors(result, asked)
        gates_agree(result, units, rng)


# ---- what is asked without options: the explanation, its JSON, the section on methods, a search, the command -------

STATUS = {"not worse": 0, "worse": 1, "undecided": 2, "cannot be compared": 3}


def from_both_sides(table):
    """The rows by metric and pair, in either order of the models."""
    rows = {(row.metric, row.a, row.b): row for row in table}
    both = (replace(row, a=row.b, b=row.a, estimate=-row.estimate, low=-row.high, high=-row.low) for row in table)
    winners = {key: row.winner for key, row in rows.items()}
    other = {(row.metric, row.a, row.b): row for row in both}
    return rows | other, winners | {key: winners[key[0], key[2], key[1]] for key in other}


def agree_in_the_explanation(result):
    """Pairs, marks, ranks and groups of the explanation, and the lists of the answer."""
    answer, document = result.answer(), result.explain()
    pairs = grids(document, "pairs on ")  # none of two models
    rows, winners = from_both_sides(result.compare())
    for metric, grid in zip(result.metrics if pairs else (), pairs, strict=True):
        columns = {column.name: column for column in grid.columns}
        for i, pair in enumerate(zip(columns["a"].values, columns["b"].values, strict=True)):
            row, winner = rows[(metric, *pair)], winners[(metric, *pair)]
            said = columns["outcome"].cells[i].rstrip("~")
            assert said == f"{winner} better" if winner else " better" not in said
            shown = [columns[name].values[i] for name in ("estimate", "pvalue_adjusted")]
            assert shown == pytest.approx([row.estimate, row.pvalue_adjusted], nan_ok=True)
            assert columns["interval"].values[i] == pytest.approx((row.low, row.high), nan_ok=True)
    for grid in grids(document, "ranks on "):
        columns, metric = {column.name: column for column in grid.columns}, grid.name.removeprefix("ranks on ")
        letters = dict(zip(columns["model"].cells, map(set, columns["group"].cells), strict=True))
        ranks = result.rank(metric)
        assert dict(zip(columns["model"].cells, columns["rank"].cells, strict=True)) == {
            name: f"{low}-{high}" if low < high else f"{low}"
            for name, low, high in zip(ranks.names, ranks.low, ranks.high, strict=True)
        }
        for (of, a, b), row in rows.items():
            if of == metric and {a, b} <= {*letters} and row.outcome.tested:
                assert letters[a].isdisjoint(letters[b]) == (winners[of, a, b] is not None)
    for grid in grids(document, "models"):
        models, leader = grid.columns[0].cells, answer.metrics[0].leader or grid.columns[0].cells[0]
        for metric in result.metrics:
            (marked,) = (column.cells for column in grid.columns if column.name == metric)
            won = [winners.get((metric, leader, name)) for name in models]
            assert ["*" in cell for cell in marked] == [winner == leader for winner in won]
            assert ["+" in cell for cell in marked] == [winner not in (leader, None) for winner in won]
    for on in answer.metrics:
        for which, wins in (("worse", True), ("not_different", False), ("equivalent", False)):
            assert {winners[on.metric, on.leader, name] for name in getattr(on, which)} <= {on.leader if wins else None}


def agree_in_json_and_methods(result):
    table, saved, text = result.compare(), json.loads(result.to_json()), result.methods_text()
    assert str(result).replace("\n", " ").startswith(saved["answer"]["line"])
    for found, row in zip(saved["comparison"]["rows"], table, strict=True):
        for name in ("metric", "a", "b", "winner", "estimate", "low", "high", "pvalue", "pvalue_adjusted"):
            value = getattr(row, name)
            assert found[name] == (None if isinstance(value, float) and not np.isfinite(value) else value)
        assert found["outcome"] == row.outcome.value
    for level in re.findall(r"(?:being at|are at) ([\d.]+)% each", text):
        places = len(level.partition(".")[2])
        assert any(abs(float(level) - 100 * one.level) < 0.51 * 10.0**-places for one in table.families if one.n)
    counted = [int(n.replace(",", "")) for n in re.findall(r"p-values of all ([\d,]+) comparisons", text)]
    assert {*counted} <= {one.n for one in table.families} | {sum(one.n for one in table.families)}


@pytest.mark.parametrize("kind", KINDS)
def test_the_explanation_its_json_and_the_methods_say_what_the_rows_say(kind, rng):
    for _ in range(N_DRAWN):
        result, _, _ = drawn(kind, rng)
        agree_in_the_explanation(result)
        agree_in_json_and_methods(result)


@pytest.mark.parametrize("kind", KINDS)
def test_the_command_says_what_the_gate_says(kind, rng, tmp_path):
    """Status, line, JSON, JUnit and Markdown; 0 only where every interval lies above minus the margin."""
    path, seen = tmp_path / "x.skc", tmp_path / "x.xml"
    for _ in range(N_DRAWN):
        result, units, _ = drawn(kind, rng)
        result.save(path)
        new, old = rng.choice(result.estimators, 2, replace=False).tolist()
        metrics = rng.permutation(result.metrics)[: rng.integers(1, 3)].tolist()
        margin = {metric: float(units[metric] * rng.choice([0.3, 0.6, 1.2, 2])) for metric in metrics}
        found = not_worse(result, new, old, margin=margin)
        asked = [
            "check",
            str(path),
            "--old",
            old,
            "--new",
            new,
            "--junit",
            str(seen),
            "--markdown",
            str(tmp_path / "m"),
        ]
        asked += [f"--margin={metric}={width!r}" for metric, width in margin.items()]
        done, as_json = (CliRunner().invoke(cli.command, [*asked, *more]) for more in ((), ("--json",)))
        assert done.exit_code == as_json.exit_code == STATUS[found.verdict]
        assert done.stdout.partition("\n")[0] == found._line() == json.loads(as_json.stdout)["line"]
        assert as_json.stdout == f"{not_worse(load(path), new, old, margin=margin).to_json()}\n"
        (case,) = ElementTree.parse(seen).getroot()[0]
        assert (case[0].tag == "system-out", case[0].text) == (done.exit_code == 0, found._line())
        assert (tmp_path / "m").read_text().startswith(found.to_markdown())
        if done.exit_code == 0:
            ahead = [
                row.low > row.null or (row.low == row.null and (row.open_at_null or row.low == row.high))
                for row in found.comparison
            ]
            still = [row.outcome in (Outcome.SMALLER, Outcome.LARGER) for row in found.comparison]
            assert all(above or size for above, size in zip(ahead, still, strict=True))


def test_all_views_of_a_search_agree(rng, made_search):
    for _ in range(N_DRAWN):
        recipe = {
            "seed": int(rng.integers(2**32)),
            "n_candidates": int(rng.integers(2, 30)),
            "n_metrics": int(rng.integers(1, 3)),
            "design": [(5, 1), (10, 1), (5, 10)][rng.integers(3)],
            "n_failed": int(rng.integers(0, 3)),
            "ties": bool(rng.random() < 0.3),
        }
        report = SearchReport.from_search(made.search_of(recipe, made_search))
        answer, ranking = report.answer().metrics[0], report.ranking
        assert ranking[0].name == answer.leader
        worse = {row.name for row in ranking if row.significantly_different}
        assert worse == {*answer.worse}
        for row in report._found.comparison:
            assert row.a == answer.leader
            assert (row.winner == row.a) == (row.b in worse)
            assert row.low != row.low or (row.low > 0 or (row.open_at_null and row.low == 0)) == (row.b in worse)
        for document in (report._document(), report.explain()):
            (grid,) = grids(document, "ranking")
            shown = {column.name: column for column in grid.columns}
            marked = [cell.rstrip("~").endswith("*") for cell in grid.columns[1].cells]
            assert marked == [name in worse for name in shown["candidate"].cells]
        wanted = [cells(grid) for grid in grids(report._document())]
        (shown,) = in_markdown(report.to_markdown(candidates=8))
        assert [shown] == wanted
        whole = next(in_html(report._repr_html_()))  # of which the text shows the first rows
        assert [row for row in whole if row in shown] == shown
        text = " ".join(str(report).split())
        assert text.startswith(" ".join(report.answer()._line.split()))
        assert report.to_frame()["name"].tolist() == [row.name for row in ranking]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n_classes", [2, 3])
def test_an_evaluation_by_a_scorer_of_scikit_learn_has_its_direction(n_classes, rng):
    """Estimate, leader and winner go with what `cross_validate` gives."""
    X, y = make_classification(150, 8, n_informative=5, n_classes=n_classes, flip_y=0.15, random_state=rng.integers(99))
    models, cv = {"lr": LogisticRegression(), "stump": DecisionTreeClassifier(max_depth=1)}, StratifiedKFold(5)
    for name in rng.permutation(get_scorer_names())[: 2 * N_DRAWN].tolist():
        own = [cross_validate(model, X, y, cv=cv, scoring=name, error_score=np.nan) for model in models.values()]
        difference = float(np.subtract(*(one["test_score"] for one in own)).mean())
        if not np.isfinite(difference):
            continue  # of other tasks
        result = PairedEvaluator(cv, name, random_state=0).evaluate(models, X, y)
        (row,), leader = result.compare(), result.answer().metrics[0].leader
        assert row.estimate == pytest.approx(difference, rel=1e-6, abs=1e-12)
        assert row.winner in (None, "lr" if difference > 0 else "stump")
        assert abs(difference) < 1e-12 or leader in (None, "lr" if difference > 0 else "stump")
