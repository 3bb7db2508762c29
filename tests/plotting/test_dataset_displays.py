"""Critical-difference diagrams, matrices of pairs and scatters of data sets show what the tests say."""

from __future__ import annotations

import csv
import os
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from skcompare import StudyResult, from_frame
from skcompare.inference import PairwiseResult, critical_difference
from skcompare.plotting import CriticalDifferenceDisplay, DatasetScatterDisplay, PairMatrixDisplay
from skcompare.plotting._ranks import POSTHOCS
from tests.drawn_words import told

pytestmark = pytest.mark.sampled

DATA = Path(__file__).parents[2] / "docs" / "data"
SEED = int(os.environ["SKCOMPARE_SEED"])


def study_of(scores, **options):
    """A study from scores of shape (n_datasets, n_models)."""
    scores = np.asarray(scores, dtype=float)
    columns = {chr(ord("A") + j): scores[:, j] for j in range(scores.shape[1])}
    return StudyResult.from_frame({"dataset": [f"data {i}" for i in range(len(scores))], **columns}, **options)


def random_study(n_models=5, n_datasets=12, seed=SEED):
    rng = np.random.default_rng(seed)
    scores = np.linspace(0.5, 0.6, n_models) + rng.normal(0, 0.03, (n_datasets, n_models))
    return study_of(scores + rng.uniform(-0.2, 0.2, (n_datasets, 1)))


def demsar():
    """Table 6 of Demsar (2006), with the ranks that he gives for "voting" although the printed scores tie."""
    with (DATA / "demsar_2006_auc.csv").open() as file:
        header, *rows = csv.reader(file)
    columns = {name: [float(row[j]) for row in rows] for j, name in enumerate(header) if j}
    columns["C4.5+cf"][12] += 1e-4
    return StudyResult.from_frame({"dataset": [row[0] for row in rows], **columns})


# ---- critical difference: what is on the paper ------------------------------------------------------------------


def lines(display, prefix):
    return [line for line in display.ax_.lines if str(line.get_gid()).startswith(prefix)]


def leaders(display):
    """Where the leader line of each model leaves the axis, by name."""
    found = {}
    for line in lines(display, "leader"):
        (x, _, _), (_, _, y) = line.get_xdata(), line.get_ydata()
        (text,) = [text for text in display.ax_.texts if getattr(text, "xy", None) == (line.get_xdata()[2], y)]
        found[re.search(r"[A-Z]\S*", text.get_text()).group()] = (x, text)
    return found


def bars(display):
    """The models that each bar joins, as the drawing says it: by letters where there are some."""
    models = leaders(display)
    letters = {name: re.search(r"\((.*)\)", text.get_text()) for name, (_, text) in models.items()}
    if not any(letters.values()):
        ends = [sorted(line.get_xdata()) for line in lines(display, "bar")]
        return [{name for name, (x, _) in models.items() if low <= x <= high} for low, high in ends]
    assert not lines(display, "bar")
    found = {}
    for name, match in letters.items():
        for letter in re.findall(r"[a-z]\d*", match[1]):
            found.setdefault(letter, set()).add(name)
    return [members for members in found.values() if len(members) > 1]


def assert_bars(display, pvalues, names, alpha):
    """Pairs not significantly different share a bar, others share none, and no bar could join one more model."""
    alike = {
        frozenset((names[i], names[j])) for i, j in combinations(range(len(names)), 2) if not pvalues[i, j] < alpha
    }
    drawn = bars(display)
    assert {frozenset(pair) for bar in drawn for pair in combinations(bar, 2)} == alike
    for bar in drawn:
        assert not [name for name in set(names) - bar if all(frozenset((name, other)) in alike for other in bar)]


def pairs_of(pvalues, mean_ranks):
    k = len(mean_ranks)
    return PairwiseResult(
        names=tuple(chr(ord("A") + j) for j in range(k)),
        statistics=np.zeros((k, k)),
        pvalues=pvalues,
        pvalues_unadjusted=pvalues,
        estimates=mean_ranks[None, :] - mean_ranks[:, None],
        estimate_of="mean rank",
        critical_difference=float("nan"),
        correction="none",
        n=10,
        method="any test",
    )


@st.composite
def random_pairs(draw):
    k = draw(st.integers(2, 8))
    upper = draw(st.lists(st.sampled_from([0.001, 0.04, 0.05, 0.2, 1.0]), min_size=k * k, max_size=k * k))
    pvalues = np.triu(np.reshape(upper, (k, k)), 1)
    ranks = draw(st.lists(st.integers(4, 4 * k).map(lambda quarter: quarter / 4), min_size=k, max_size=k))
    return pairs_of(pvalues + pvalues.T + np.eye(k), np.array(ranks))


@given(pairs=random_pairs(), alpha=st.sampled_from([0.05, 0.1]))
def test_bars_join_exactly_the_pairs_that_are_not_significantly_different(pairs, alpha):
    ranks = -pairs.estimates[:, 0] + 1
    ranks = ranks - ranks.min() + 1
    display = CriticalDifferenceDisplay(
        names=pairs.names,
        mean_ranks=ranks,
        groups=pairs.rank(alpha).tier,
        critical_difference=float("nan"),
        alpha=alpha,
        metric="accuracy",
        n_datasets=10,
        procedure="any test",
    ).plot()
    assert_bars(display, pairs.pvalues, pairs.names, alpha)
    for line in lines(display, "bar"):
        members = display.bars()[line.get_gid().split()[1]]
        first, second = sorted(line.get_xdata())
        assert not [i for i in range(len(ranks)) if i not in members and first < ranks[i] < second]


@pytest.mark.parametrize("posthoc", POSTHOCS)
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.3])
def test_bars_are_those_of_any_posthoc_at_any_level(posthoc, alpha):
    study = random_study()
    display = CriticalDifferenceDisplay.from_result(study, posthoc=posthoc, alpha=alpha).plot()
    pairs = study.test(posthoc)
    assert_bars(display, pairs.pvalues, study.estimators, alpha)
    groups = display.frame().set_index("model")["group"].to_dict()
    assert groups == dict(zip(pairs.names, pairs.rank(alpha).tier, strict=True))
    assert {name: x for name, (x, _) in leaders(display).items()} == dict(
        zip(study.estimators, study.rank().mean_ranks, strict=True)
    )


def test_the_correction_is_that_of_the_test():
    study = random_study(seed=SEED + 1)
    words = {"none": "not adjusted", "shaffer": "adjusted (shaffer)", "hommel": "adjusted (hommel)"}
    for correction, said in words.items():
        options = {"posthoc": "pairwise_signed_rank_test", "correction": correction}
        display = study.plot("critical_difference", alpha=0.2, **options)
        assert_bars(display, study.test("pairwise_signed_rank_test", correction=correction).pvalues, "ABCDE", 0.2)
        assert said in told(display)


def test_the_groups_are_those_of_the_ranking_and_a_named_test_has_its_own(make_study):
    study = make_study(5)
    for metric in study.metrics:
        ranking = study.rank(metric)
        display = study.plot("critical_difference", metric=metric)
        assert display.frame().set_index("model")["group"].to_dict() == dict(
            zip(ranking.names, ranking.tier, strict=True)
        )
        assert "(signed-rank tests, adjusted over 10 comparisons)" in told(display)
    own = study.plot("critical_difference", posthoc="pairwise_signed_rank_test")
    assert "adjusted over these pairs" in told(own)


def test_a_model_can_stand_out():
    display = random_study().plot("critical_difference", highlight="C")
    bold = [text.get_text() for text in display.ax_.texts if text.get_weight() == "bold"]
    wide = {line.get_linewidth() for line in lines(display, "leader")}
    assert [re.search(r"[A-Z]", text).group() for text in bold] == ["C"]
    assert len(wide) == 2
    assert not [text for text in random_study().plot("critical_difference").ax_.texts if text.get_weight() == "bold"]


def test_the_best_model_is_on_the_right_where_better_points():
    scores = [[0.9, 0.8, 0.7], [0.8, 0.9, 0.7], [0.9, 0.8, 0.7], [0.9, 0.8, 0.7]]
    for greater, best, ranks in ((True, "A", [1.25, 1.75, 3]), (False, "C", [2.75, 2.25, 1])):
        study = study_of(scores, greater_is_better=greater)
        display = study.plot("critical_difference")
        found = leaders(display)
        assert [found[name][0] for name in "ABC"] == ranks
        pixels = {name: display.ax_.transData.transform((x, 0))[0] for name, (x, _) in found.items()}
        assert max(pixels, key=pixels.get) == best
        best_text = found[best][1].get_window_extent()
        assert all(best_text.x0 > found[name][1].get_window_extent().x0 for name in "AC" if name != best)
        assert any(text.get_text().endswith("→ better") for text in display.ax_.texts)
        assert display.frame()["model"][0] == best


@pytest.mark.parametrize(
    ("alpha", "length", "expected"),
    [
        # section 3.2.2 and figure 1(a): at 5% nothing, at 10% C4.5 is worse than C4.5+m and C4.5+m+cf
        (0.05, 1.253559, [{"C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"}]),
        (0.1, 1.118060, [{"C4.5", "C4.5+cf"}, {"C4.5+m", "C4.5+cf", "C4.5+m+cf"}]),
    ],
)
def test_the_diagram_of_demsar_2006(alpha, length, expected):
    display = demsar().plot("critical_difference", posthoc="nemenyi_test", alpha=alpha)
    # table 6, last line
    assert {name: round(float(x), 3) for name, (x, _) in leaders(display).items()} == {
        "C4.5": 3.143,
        "C4.5+m": 2.0,
        "C4.5+cf": 2.893,
        "C4.5+m+cf": 1.964,
    }
    assert sorted(map(sorted, bars(display))) == sorted(map(sorted, expected))
    assert display.critical_difference == pytest.approx(length, abs=1e-6)
    drawn = [np.ptp(line.get_xdata()) for line in display.ax_.lines if set(line.get_ydata()) == {-3.3}]
    assert drawn == pytest.approx([length], abs=1e-6)


def test_only_tests_of_mean_ranks_have_a_critical_difference():
    study = random_study(6)

    def length(**options):
        return CriticalDifferenceDisplay.from_result(study, **options).critical_difference

    for alpha in (0.01, 0.05, 0.3):
        assert length(posthoc="nemenyi_test", alpha=alpha) == critical_difference(6, 12, alpha)
    for options in ({"correction": "none"}, {"correction": "bonferroni"}):
        expected = study.test("conover_test", **options).critical_difference
        assert length(posthoc="conover", **options) == expected > 0
        assert np.isnan(length(posthoc="conover", alpha=0.1, **options))
    for posthoc in ("pairwise_signed_rank_test", "tukey_test", "dunn_test", "quade_posthoc_test"):
        assert np.isnan(length(posthoc=posthoc))
    assert not [text for text in study.plot("critical_difference").ax_.texts if "critical" in text.get_text()]


def test_a_critical_difference_longer_than_the_axis_is_drawn_whole():
    display = study_of([[0.9, 0.8], [0.8, 0.7]]).plot("critical_difference", posthoc="nemenyi_test")
    assert display.critical_difference > 1
    high, low = display.ax_.get_xlim()
    assert all(low <= x <= high for line in display.ax_.lines for x in line.get_xdata())


def test_models_that_are_all_equal_are_joined():
    display = study_of(np.full((6, 4), 0.5)).plot("critical_difference")
    assert bars(display) == [set("ABCD")]
    assert display.mean_ranks.tolist() == [2.5] * 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"posthoc": "friedman_test"}, r"posthoc must be one of 'pairwise_signed_rank_test', .*; got 'friedman_test'"),
        ({"posthoc": "control_test"}, "posthoc must be one of"),
        ({"highlight": "Z"}, "highlight must be one of .*; got 'Z'"),
        ({"alpha": 1}, r"alpha must be a number in \(0, 1\); got 1"),
        ({"alpha": 0.0}, "alpha must be a number"),
        ({"metric": "f2"}, "metric must be one of 'score'"),
        ({"correction": "magic"}, "correction must be one of"),
        ({"posthoc": "tukey_test", "correction": "holm"}, "correction is no option of 'tukey_test'"),
    ],
)
def test_what_a_diagram_cannot_be_made_of_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        random_study().plot("critical_difference", **options)


@pytest.mark.parametrize("posthoc", POSTHOCS)
def test_one_data_set_has_no_mean_ranks_to_test(posthoc):
    with pytest.raises(ValueError, match=r"at least 2 data sets .* a score of 'score'; got 1"):
        study_of([[0.9, 0.8, 0.7]]).plot("critical_difference", posthoc=posthoc)


@pytest.mark.parametrize(("n_models", "over"), [(2, ""), (3, ", adjusted over 3 comparisons")])
def test_a_diagram_without_a_bar_says_that_all_are_significantly_different(n_models, over):
    study = study_of(0.7 + 0.05 * np.arange(n_models) + 0.001 * np.arange(12)[:, None])
    assert told(study.plot("critical_difference")).endswith(f"all significantly different (signed-rank tests{over})")


def test_a_bar_of_models_with_equal_mean_ranks_can_be_seen():
    x = np.linspace(0.5, 0.9, 12)
    display = study_of(np.stack([x + 0.1, x + 0.1, x + 0.05, x], axis=1)).plot("critical_difference")
    (bar,) = lines(display, "bar")
    assert bars(display) == [{"A", "B"}]
    assert sum(bar.get_xdata()) / 2 == 1.5
    points = np.ptp(display.ax_.transData.transform(bar.get_xydata())[:, 0]) / display.figure_.dpi * 72
    assert points > 2 * bar.get_linewidth()


def test_bars_of_equal_mean_ranks_beside_another_model_have_letters():
    display = CriticalDifferenceDisplay(
        names=["A", "B", "C", "D"],
        mean_ranks=np.array([2.0, 2.0, 2.03, 4.0]),
        groups=["a", "a", "b", "c"],
        critical_difference=float("nan"),
        alpha=0.05,
        metric="accuracy",
        n_datasets=10,
        procedure="any test",
    ).plot()
    assert bars(display) == [{"A", "B"}]
    assert not lines(display, "bar")


@pytest.mark.parametrize("metric", ["$a_{$", "gain ($) per cost ($)", "_m", "area_" * 40])
@pytest.mark.parametrize("kind", ["critical_difference", "pvalues", "win_probabilities", "datasets"])
def test_names_of_metrics_are_short_text(metric, kind, assert_legible):
    study = study_of(np.random.default_rng(SEED).normal(0.8, 0.05, (8, 3)))
    object.__setattr__(study._scores, "metrics", (metric,))
    display = study.plot(kind)
    assert_legible(display)
    said = display.ax_.get_title(loc="left") if kind != "datasets" else display.ax_.get_xlabel()
    said = " ".join(said.replace(r"\$", "$").split())
    assert (metric in said) if len(metric) < 28 else (metric[:13] in said and metric not in said)


@pytest.mark.parametrize("kind", ["critical_difference", "pvalues", "win_probabilities", "datasets"])
def test_several_metrics_for_one_are_refused(make_study, make_result, kind):
    metrics = ["accuracy", "roc_auc"]
    with pytest.raises(ValueError, match=r"metric must be one of .*; got \['accuracy', 'roc_auc'\]"):
        make_study(3).plot(kind, metric=metrics)
    if kind in ("pvalues", "win_probabilities"):
        with pytest.raises(ValueError, match=r"metric must be one of .*; got \['accuracy', 'roc_auc'\]"):
            make_result(3).plot(kind, metric=metrics)


@pytest.mark.parametrize("n_models", [2, 5, 14, 30])
def test_diagrams_can_be_read_with_letters_and_in_small_axes(n_models, assert_legible):
    rng = np.random.default_rng(SEED)
    ranks = 1 + rng.random(n_models) * (n_models - 1)
    upper = np.triu(rng.random((n_models, n_models)) ** 2, 1)
    names = [f"model {i}" for i in range(n_models)]
    pairs = pairs_of(upper + upper.T + np.eye(n_models), ranks)
    order = [*pairs.rank(0.2).best_first]
    letters = [pairs.rank(0.2).tier[i] for i in order]
    display = CriticalDifferenceDisplay(
        names=names,
        mean_ranks=ranks[order],
        groups=letters,
        critical_difference=1.3,
        alpha=0.2,
        metric="accuracy",
        n_datasets=10,
        procedure="any test",
    )
    assert_legible(display.plot())
    grid = Figure(figsize=(12, 12), layout="constrained").subplots(2, 2)
    assert_legible(display.plot(ax=grid[0, 1]), own_figure=False)


# ---- matrices of all pairs --------------------------------------------------------------------------------------


def matrix_texts(display):
    """What is written in each cell, by the names of its row and column."""
    written = {}
    for text in display.ax_.texts:
        column, row = (round(place) for place in text.get_position())
        written[display.names[row], display.names[column]] = text
    return written


def matrix_marks(display):
    marks = {}
    for line in display.ax_.lines:
        for column, row in line.get_xydata().round().astype(int).tolist():
            marks[display.names[row], display.names[column]] = line.get_marker()
    return marks


def number(pvalue):
    """With more digits where it would be rounded to a level that it is below."""
    places = next(n for n in range(3, 10) if round(pvalue, n) != 0.05 or pvalue >= 0.05)
    return "<0.001" if pvalue < 0.001 else f"{pvalue:.{places}f}"


def fold_result(n_models=5, seed=SEED, **options):
    rng = np.random.default_rng(seed)
    names = [f"m{i}" for i in range(n_models)]
    level = rng.permutation(np.linspace(0.5, 0.9, n_models))
    scores = np.repeat(level, 10) + rng.normal(0, 0.05, 10 * n_models)
    columns = {"model": np.repeat(names, 10), "fold": np.tile(np.arange(10), n_models), "score": scores}
    return from_frame(columns, **options)


@pytest.mark.parametrize("greater", [True, False])
def test_pvalues_are_those_of_the_comparison_and_marks_point_to_the_better_model(greater):
    result = fold_result(greater_is_better=greater)
    display = result.plot("pvalues", correction="hommel")
    written, marks = matrix_texts(display), matrix_marks(display)
    rows = result.compare(correction="hommel")
    assert len(written) == 2 * len(rows)
    image = display.ax_.images[0].get_array()
    for row in rows:
        for pair in ((row.a, row.b), (row.b, row.a)):
            shown = number(row.pvalue_adjusted) if row.pvalue_adjusted < 0.2 else "–"  # as the legend says
            assert written[pair].get_text().rstrip("~") == shown
            significant = row.winner is not None
            assert (written[pair].get_weight() == "bold") == significant
            i, j = (list(display.names).index(name) for name in pair)
            if significant:
                row_better = row.winner == pair[0]
                assert marks[pair] == ("<" if row_better else "v")
                assert np.sign(image[i, j]) == (1 if row_better else -1)
            else:
                assert pair not in marks
                assert image[i, j] == 0
    assert marks, "no pair differs: the test has nothing to look at"


@pytest.mark.parametrize("greater", [True, False])
def test_models_are_ordered_from_the_best(greater):
    result = fold_result(greater_is_better=greater)
    means = {name: result.score(name, "score").mean() for name in result.estimators}
    expected = sorted(means, key=means.get, reverse=greater)
    assert result.plot("pvalues").names == result.plot("win_probabilities").names == expected
    study = random_study()
    ranks = dict(zip(study.estimators, study.rank().mean_ranks, strict=True))
    assert [ranks[name] for name in study.plot("pvalues").names] == sorted(ranks.values())


def test_the_level_of_the_marks_is_the_users():
    result = fold_result(8, seed=SEED + 2)
    rows = {frozenset((row.a, row.b)): row.pvalue_adjusted for row in result.compare()}
    for alpha in (0.001, 0.5):
        marks = matrix_marks(result.plot("pvalues", alpha=alpha))
        assert {frozenset(pair) for pair in marks} == {pair for pair, p in rows.items() if p < alpha}


def probability(p):
    return ">0.99" if p > 0.99 else "<0.01" if p < 0.01 else f"{p:.2f}"


def test_shares_of_draws_are_not_certain():
    scores = np.random.default_rng(SEED).normal(0.7, 0.01, (20, 2)) + np.array([0.2, 0.0])
    for options in ({}, {"method": "sign"}):
        texts = matrix_texts(study_of(scores).plot("win_probabilities", **options))
        assert {pair: text.get_text() for pair, text in texts.items()} == {("A", "B"): ">0.99", ("B", "A"): "<0.01"}


@pytest.mark.parametrize("rope", [0.0, 0.06])
def test_probabilities_of_an_evaluation_are_those_of_the_posterior(rope):
    result = fold_result()
    display = result.plot("win_probabilities", margin=rope)
    written, marks = matrix_texts(display), matrix_marks(display)
    by_probability = matrix_marks(result.plot("win_probabilities", margin=rope, threshold=0.95))
    for a, b in combinations(result.estimators, 2):
        posterior = result.test("correlated_t_posterior", a=a, b=b, margin=rope)
        assert written[a, b].get_text().rstrip("~") == probability(posterior.right)
        assert written[b, a].get_text().rstrip("~") == probability(posterior.left)
        i, j = display.names.index(a), display.names.index(b)
        assert display.lean[i, j] == pytest.approx(posterior.right - posterior.left)
        most = max(("<", posterior.right), ("v", posterior.left), ("s", posterior.rope), key=lambda pair: pair[1])
        assert by_probability.get((a, b)) == (most[0] if most[1] > 0.95 else None)
        (row,) = [row for row in result.compare() if {row.a, row.b} == {a, b}]
        expected = "s" if posterior.rope > 0.95 else None
        assert marks.get((a, b)) == ({a: "<", b: "v"}[row.winner] if row.winner else expected)


@pytest.mark.parametrize("method", ["signed_rank", "sign"])
def test_probabilities_of_a_study_are_those_of_all_pairs(method):
    study = random_study()
    display = study.plot("win_probabilities", method=method, margin=0.01)
    posterior = study.test("pairwise_posterior", method=method, margin=0.01)
    frame = display.frame()
    assert len(frame) == 20
    for row in frame.itertuples():
        i, j = study.estimators.index(row.row), study.estimators.index(row.column)
        assert row.value == posterior.better[i, j]


def test_equivalent_models_have_a_square():
    base = np.linspace(0.75, 0.85, 10)
    scores = np.concatenate([base, base + np.tile([1e-4, -1e-4], 5)])  # the mean difference is 0
    result = from_frame({"model": np.repeat(["a", "b"], 10), "fold": np.tile(np.arange(10), 2), "score": scores})
    assert set(matrix_marks(result.plot("win_probabilities", margin=0.1)).values()) == {"s"}
    shown = result.plot("win_probabilities", margin=0.1).ax_.get_xlabel()
    assert "square: equivalent" in " ".join(shown.split())


@pytest.mark.parametrize("kind", ["pvalues", "win_probabilities", "critical_difference", "datasets"])
def test_no_picture_of_one_metric_contradicts_the_comparison_of_all(make_study, kind):
    study = make_study(5)
    for metric in study.metrics:
        rows = {(row.a, row.b): row for row in study.compare() if row.metric == metric}
        of_all = None if kind == "datasets" else study.plot(kind, metric=metric)
        for (a, b), row in rows.items():
            if kind == "critical_difference":
                groups = of_all.frame().set_index("model")["group"]
                shared = {*re.findall(r"[a-z]\d*", groups[a])} & {*re.findall(r"[a-z]\d*", groups[b])}
                assert bool(shared) == (row.winner is None)
            elif kind == "datasets":
                display = study.plot(kind, metric=metric, a=a, b=b)
                assert (display.better, display.pvalue) == (row.winner, row.pvalue_adjusted)
            else:
                mark = of_all.better[of_all.names.index(a), of_all.names.index(b)]
                assert mark == {a: "row", b: "column", None: ""}[row.winner]


def test_many_models_are_colours_with_a_bar_beside_them_in_the_same_axes():
    result = fold_result(13)
    for kind in ("pvalues", "win_probabilities"):
        figure = Figure(figsize=(16, 8))
        left, right = figure.subplots(1, 2)
        place = right.get_position().bounds
        display = result.plot(kind, ax=left)
        assert not left.texts
        assert len(left.child_axes) == 1
        figure.canvas.draw()
        assert figure.axes == [left, right]
        assert right.get_position().bounds == place
        shades = left.images[0]
        assert shades.norm.vmin == -shades.norm.vmax
        assert len(display.frame()) == 13 * 12
    twelve = fold_result(12).plot("pvalues").ax_
    assert len(twelve.texts) == 12 * 11
    assert not twelve.child_axes


def test_steps_of_the_colour_bar_say_which_pvalue_they_stand_for():
    display = fold_result(13).plot("pvalues")
    bar = display.ax_.child_axes[0]
    said = {
        round(tick, 6): label.get_text() for tick, label in zip(bar.get_yticks(), bar.get_yticklabels(), strict=True)
    }
    image = display.ax_.images[0]
    distinct = {tuple(image.to_rgba(tick)) for tick in said}
    assert len(distinct) == 7
    for i, j in np.argwhere(~np.eye(13, dtype=bool)):
        p, words = display.values[i, j], said[round(float(display.lean[i, j]), 6)]
        limit = 0.001 if p < 0.001 else 0.01 if p < 0.01 else 0.05
        assert words.endswith(f"p < {limit:g}" if p < 0.05 else "p at least 0.05")


def test_letters_stand_out_from_their_cells_and_the_colours_differ_in_grey():
    def luminance(colour):  # WCAG 2.1, relative luminance
        channels = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
        return float(np.dot(channels, (0.2126, 0.7152, 0.0722)))

    displays = [
        fold_result(12, seed=SEED + i).plot(kind) for i in range(3) for kind in ("pvalues", "win_probabilities")
    ]
    for display in displays:
        image = display.ax_.images[0]
        for (row, column), text in matrix_texts(display).items():
            cell = image.to_rgba(display.lean[display.names.index(row), display.names.index(column)])[:3]
            dark, light = sorted([luminance(cell), luminance(text.get_color())])
            assert (light + 0.05) / (dark + 0.05) > 4.5  # WCAG 2.1, contrast at level AA
    ends = [luminance(displays[1].ax_.images[0].to_rgba(end)[:3]) for end in (-1.0, 1.0)]
    assert abs(ends[0] - ends[1]) > 0.3


@pytest.mark.parametrize("kind", ["pvalues", "win_probabilities"])
def test_pairs_without_scores_have_a_question_mark(kind):
    result = fold_result()
    scores = result.scores.copy()
    scores[2] = np.nan
    result = replace(result, scores=scores)
    display = result.plot(kind)
    unknown = {pair for pair, text in matrix_texts(display).items() if text.get_text() == "?"}
    assert unknown == {pair for pair in matrix_texts(display) if "m2" in pair}
    assert display.names[-1] == "m2"


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("pvalues", {"alpha": 0}, "alpha must be a number"),
        ("pvalues", {"metric": "f2"}, "must be one of 'score'"),
        ("pvalues", {"procedure": "correlated_t_posterior"}, "procedure must be"),
        ("pvalues", {"margin": 0.1}, "margin is no option of the plot 'pvalues'"),
        ("win_probabilities", {"margin": -1}, "margin must be a number"),
        ("win_probabilities", {"threshold": 0.5}, r"threshold must be a number in \(0.5, 1\)"),
        ("win_probabilities", {"method": "sign"}, "method must be left out for one evaluation"),
    ],
)
def test_what_a_matrix_cannot_be_made_of_is_refused(kind, options, message):
    with pytest.raises(ValueError, match=message):
        fold_result().plot(kind, **options)
    if "method" not in options:
        with pytest.raises(ValueError, match=message):
            random_study().plot(kind, **options)


def test_the_posterior_of_a_study_is_one_of_two():
    with pytest.raises(ValueError, match="method must be one of 'signed_rank', 'sign'"):
        PairMatrixDisplay.from_posterior(random_study(), method="t")


# ---- scatter of data sets ---------------------------------------------------------------------------------------


def points(display):
    drawn = [line for line in display.ax_.lines if line.get_gid() in ("points", "named")]
    return sorted((float(x), float(y)) for line in drawn for x, y in line.get_xydata())


def said(display):
    """The labels of the vertical and the horizontal axis, line by line, without the notes."""
    return display.ax_.get_ylabel().split("\n"), display.ax_.get_xlabel().split("\n")[:2]


@pytest.mark.parametrize("greater", [True, False])
def test_points_and_counts_are_those_of_the_data_sets(greater):
    scores = [[0.9, 0.8], [0.7, 0.6], [0.5, 0.5], [0.6, 0.9], [0.8, 0.75], [0.4, 0.39], [0.41, 0.43]]
    study = study_of(scores, greater_is_better=greater)
    display = study.plot("datasets")
    assert points(display) == sorted((b, a) for a, b in scores)
    if greater:
        assert said(display) == (
            ["A (score)", "above the line: A better on 4"],
            ["B (score)", "below the line: B better on 2, equal on 1"],
        )
    else:
        assert said(display) == (
            ["A (score, less is better)", "below the line: A better on 2"],
            ["B (score, less is better)", "above the line: B better on 4, equal on 1"],
        )
    assert not display.ax_.texts
    assert (display.wins, display.ties, display.losses) == ((4, 1, 2) if greater else (2, 1, 4))
    assert display.frame()["difference"].tolist() == pytest.approx(
        [(a - b) * (1 if greater else -1) for a, b in scores]
    )
    (diagonal,) = [line for line in display.ax_.lines if line.get_gid() == "diagonal"]
    assert (diagonal.get_xdata() == diagonal.get_ydata()).all()
    assert display.ax_.get_xlim() == display.ax_.get_ylim()


@pytest.mark.parametrize("procedure", ["signed_rank_test", "sign_test", "dataset_t_test"])
def test_the_verdict_is_that_of_the_test(procedure):
    rng = np.random.default_rng(SEED)
    base = rng.uniform(0.5, 0.8, 12)  # scores that are no shares must be told
    study = study_of(np.stack([base, base - 0.1 + rng.normal(0, 0.001, 12), base + rng.normal(0, 0.05, 12)], axis=1))
    for a, b in (("A", "B"), ("B", "A"), ("C", "A")):
        (row,) = [row for row in study.compare(procedure) if {row.a, row.b} == {a, b}]
        display = study.plot("datasets", a=a, b=b, procedure=procedure)
        assert display.pvalue == row.pvalue_adjusted
        title = display.ax_.get_title(loc="left")
        assert ("p < 0.001" if row.pvalue_adjusted < 0.001 else f"p = {row.pvalue_adjusted:.3f}") in told(display)
        if "B" in (a, b):
            assert display.better == "A"
            assert title == "A is significantly better than B on 12 data sets"
        else:
            assert ("not significantly different" in title) == (row.pvalue_adjusted >= 0.05)


def test_the_data_sets_furthest_from_the_diagonal_are_named():
    scores = np.full((9, 2), 0.5) + 0.01 * np.arange(9)[:, None]
    scores[[1, 3, 4, 6, 8], 0] += [0.05, -0.04, 0.03, 0.02, -0.01]
    display = study_of(scores).plot("datasets")
    said = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert said == ["data 1: +0.05", "data 3: -0.04", "data 4: +0.03", "data 6: +0.02", "data 8: -0.01"]
    named = [line for line in display.ax_.lines if line.get_gid() == "named"]
    assert [tuple(line.get_xydata()[0]) for line in named] == [tuple(scores[i, ::-1]) for i in (1, 3, 4, 6, 8)]
    assert len({line.get_marker() for line in named}) == 5


def test_scores_of_many_sizes_have_logarithmic_axes():
    assert study_of([[0.01, 0.02], [0.5, 5.0]]).plot("datasets").ax_.get_yscale() == "log"
    assert study_of([[0.0, 0.02], [0.5, 5.0]]).plot("datasets").ax_.get_yscale() == "linear"
    assert study_of([[0.9, 0.8], [0.5, 0.6]]).plot("datasets").ax_.get_xscale() == "linear"


def test_data_sets_that_lack_a_model_are_left_out():
    table = {"dataset": ["p", "q", "r"], "A": [0.9, np.nan, 0.7], "B": [0.8, 0.7, 0.6], "C": [np.nan, 0.5, np.nan]}
    study = StudyResult.from_frame(table, missing="keep")
    display = study.plot("datasets")
    assert list(display.datasets) == ["p", "r"]
    assert "on 2 data sets" in display.ax_.get_title(loc="left").replace("\n", " ")
    with pytest.raises(ValueError, match="no data set has score of both 'A' and 'C'"):
        study.plot("datasets", b="C")


@pytest.mark.parametrize("figsize", [(8, 6), (6.4, 4.8)])
def test_scatters_and_matrices_keep_their_room_in_a_grid(make_study, figsize):
    study = make_study(14, 2, "long")
    for kind in ("datasets", "pvalues"):
        figure = Figure(figsize=figsize, layout="constrained")
        for ax in figure.subplots(2, 2).ravel():
            study.plot(kind, ax=ax)
        figure.draw_without_rendering()
        assert all(min(ax.get_position().size) > 0.05 for ax in figure.axes)


@pytest.mark.parametrize("scores", [[[0.5, 0.5]], [[0.0, 0.0], [0.0, 0.0]]])
def test_equal_scores_have_axes_too(scores, assert_legible):
    display = study_of(scores).plot("datasets")
    assert_legible(display)
    low, high = display.ax_.get_xlim()
    assert low < scores[0][0] < high


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"a": "Z"}, "a must be one of"),
        ({"a": "A", "b": "A"}, "two different estimators"),
        ({"metric": "f2"}, "metric must be one of 'score'"),
        ({"procedure": "friedman_test"}, "procedure must be a test of two models"),
        (
            {"procedure": "sign_posterior"},
            "procedure must be",
        ),
    ],
)
def test_what_a_scatter_cannot_be_made_of_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        DatasetScatterDisplay.from_result(random_study(), **options)


def test_a_matrix_of_many_models_has_one_line_for_all_marks_of_a_kind():
    rng = np.random.default_rng(0)
    scores = np.linspace(0.5, 0.9, 30)[:, None] + rng.normal(0, 0.01, (30, 10))
    table = {"model": np.repeat([f"m{i}" for i in range(30)], 10), "fold": [*range(10)] * 30, "score": scores.ravel()}
    drawn = from_frame(table).plot("pvalues")
    marks = [line for line in drawn.ax_.lines if line.get_gid() == "marks"]
    assert len(marks) <= 4  # of two marks in two colours
    assert sum(len(line.get_xydata()) for line in marks) == np.count_nonzero(drawn.better != "")


@pytest.mark.parametrize("n", [1, 5, 6])
def test_pictures_do_not_call_alike_what_no_test_could_call_different(rng, n):
    """Two models on five data sets have no p-value below 1/16, however far one is ahead."""
    scores = np.column_stack([0.9 + 0.01 * np.arange(n), 0.5 + rng.normal(0, 0.01, n)]).ravel()
    names = np.repeat([f"d{i}" for i in range(n)], 2)
    study = StudyResult.from_frame({"dataset": names, "model": ["a", "b"] * n, "score": scores})
    assert str(study).startswith("Too little data for a significant difference in score") == (n < 6)
    differences, scatter = (repr(study.plot(kind)) for kind in ("differences", "datasets"))
    assert ("too little data for a significant difference on score" in differences) == (n < 6)
    assert ("too little data for a significant difference of a and b" in scatter) == (n < 6)


@pytest.mark.parametrize("n_equal", [0, 1, 9, 12])
def test_the_data_sets_that_are_named_differ(n_equal):
    scores = np.random.default_rng(SEED).normal(0.7, 0.05, (12, 2))
    scores[:n_equal, 1] = scores[:n_equal, 0]
    legend = study_of(scores).plot("datasets").ax_.get_legend()
    named = [text.get_text() for text in legend.get_texts()] if legend else []
    assert (len(named), legend is None) == (min(5, 12 - n_equal), n_equal == 12)
    assert all(re.search(r": [+-]0\.\d+$", text) for text in named)


@pytest.mark.parametrize(("n_equal", "n_better"), [(10, 4), (15, 4), (16, 5)])
def test_who_is_better_at_a_level_of_ones_own_is_marked_where_the_median_difference_is_0(n_equal, n_better):
    d = np.r_[np.zeros(n_equal), np.arange(1, n_better + 1) / 64]
    study = StudyResult.from_frame({"a": 0.5 + d, "b": np.full(len(d), 0.5)})
    row = study.compare(alpha=0.2).rows[0]
    assert (row.estimate, row.winner) == (0, "a")
    assert PairMatrixDisplay.from_result(study, alpha=0.2).better.tolist() == [["", "row"], ["column", ""]]
