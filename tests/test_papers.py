"""docs/papers.md: every table is what the code gives, and the sentences beside the tables are true of them."""

import re
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import BernoulliNB

from benchmarks import MARKED, papers, with_tables
from benchmarks import papers_simulated as simulated
from benchmarks.papers import as_printed, beside
from skcompare.calibration._size import replicability_of
from skcompare.inference import critical_difference, mcnemar_test

PAGE = papers.PAGE.read_text(encoding="utf-8")


@cache
def made():
    return with_tables(PAGE, papers.TABLES)


def lines_of(name):
    """The cells of a table of the page, without its head."""
    start, end = f"<!-- table {name} -->", "<!-- end of table -->"
    text = made().split(start)[1].split(end)[0]
    rows = [line[1:-1].split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def test_the_page_has_every_table_as_it_is_made():
    assert sorted(MARKED.findall(PAGE)) == sorted(papers.TABLES)
    assert made() == PAGE, "run `python -m benchmarks.papers tables`"


@pytest.mark.parametrize(
    ("value", "printed", "same"),
    [
        (9.2786, "9.28", True),
        (9.2749, "9.28", False),
        (1.1681, "1.16", False),
        (-0.0000231, "-0.00002", True),
        (0.0000049, "-0.00000", False),
        (1.736118e-7, "1.736e-7", True),
        (1.7366e-7, "1.736e-7", False),
        (21, "21", True),
    ],
)
def test_rounded_to_the_printed_digits(value, printed, same):
    assert (as_printed(value, printed) == printed) is same
    assert beside((), printed, value)[-1] == ("yes" if same else "no")


# What the page says of the computed tables


def test_where_demsar_prints_something_else():
    off = {row[1] for row in lines_of("demsar_numbers") if row[-1] == "no"}
    assert off == {
        "p of 11 wins of 14",
        "critical difference of Bonferroni-Dunn, 5%",
        "z of C4.5+m+cf against C4.5",
        "its p, unadjusted",
        "least R(e), 10 experiments",
    }
    assert f"{2 * stats.norm.sf(0.512):.3f}" == "0.609"
    least = replicability_of(np.arange(1001), 1000).min()
    assert 0.499 < least < 0.5


def test_demsars_wins_are_one_sided():
    for n, his_5, ours_5, his_10, ours_10, ours_20 in lines_of("demsar_sign"):
        assert (his_5, his_10) == (ours_5 if n in ("23", "24") else ours_10, ours_20)
    for n, row in zip(range(5, 26), lines_of("demsar_sign"), strict=True):  # scipy's binomial distribution
        enough = [w for w in range(n + 1) if 2 * stats.binom.sf(w - 1, n, 0.5) <= 0.05]
        assert row[2] == (str(enough[0]) if enough else "none")


def test_four_of_demsars_quantiles_are_off():
    off = []
    for test in papers.QUANTILES:
        for level, row in papers.published(test).items():
            alpha = float(level)
            for k, q in zip(range(2, 11), row, strict=True):
                own = critical_difference(k, 1, alpha, posthoc=test) / (k * (k + 1) / 6) ** 0.5
                off += [(test, alpha, k, q)] if as_printed(own, q) != q else []
    assert off == [
        ("nemenyi", 0.05, 3, "2.343"),
        ("nemenyi", 0.05, 7, "2.949"),
        ("nemenyi", 0.10, 5, "2.459"),
        ("bonferroni_dunn", 0.05, 9, "2.724"),
    ]


def test_the_replicability_of_every_cell():
    cells = [cell for row in papers.published("rejections").values() for cell in row]
    assert len(cells) == 4 * 21
    for cell in cells:
        count, printed = cell.split("/")
        assert float(replicability_of(int(count), 1000)) == pytest.approx(float(printed), abs=0.00501)


def test_garcia_and_herrera():
    assert [row[-1] for row in lines_of("garcia_herrera_omnibus")] == ["yes", "yes", "no", "yes", "no", "yes"]
    for row in lines_of("garcia_herrera_pairs"):
        assert row[1] == row[2]
    ratios = []
    for _, aligned, ours, shaffer, own_shaffer, bergmann, own_bergmann, quade, own_quade in lines_of(
        "garcia_herrera_adjusted"
    ):
        assert (shaffer, bergmann) == (own_shaffer, own_bergmann)
        assert float(aligned) < float(ours)
        ratios.append((stats.norm.isf(float(own_quade) / 2) / stats.norm.isf(float(quade) / 2)) ** 2)
    np.testing.assert_allclose(ratios, 2, rtol=0.03)


def test_benavoli_and_others():
    table = lines_of("per_data_set")
    assert len(table) == 54
    for _, difference, ours, p, own_p in table:
        assert (difference, float(p)) == (ours, float(own_p))
    assert {row[-1] for row in lines_of("intervals")} == {"yes"}
    for _, p, _, dropped, posterior, own in lines_of("signed_ranks"):
        assert not p or abs(float(p) - float(dropped)) <= 0.0031
        np.testing.assert_allclose(_triple(posterior), _triple(own), atol=0.0041)
    for _, _, printed, own in lines_of("posteriors"):
        np.testing.assert_allclose(_triple(printed), _triple(own), atol=0.0035)


def _triple(cell):
    return [float(x) for x in cell.split(", ")]


def test_replicability_of_real_runs():
    rows = {row[0]: [float(x) for x in row[1:5]] for row in lines_of("replicability_of_runs")}
    assert len(list(combinations(papers.CLASSIFIERS, 2))) * 54 == 540
    assert min(row[3] for row in rows.values()) > 100 * 2 / 3
    replicability = [rows[f"`{name}`"][1] for name in ("paired_t_test", "k_fold_t_test", "corrected_t_test")]
    assert replicability == sorted(replicability)


# What the page says of the simulated tables


def simulated_rows(study, setting=None, quantity="rejected at 5%"):
    """Value and standard error by design and test, in %."""
    return {
        (design, name): (100 * value, 100 * error)
        for (of, own, design, name, what), (_, value, error) in papers.rows().items()
        if of == study and what == quantity and setting in (None, own)
    }


def test_dietterichs_bars():
    apart = []
    for i, epsilon in enumerate(simulated.EPSILONS):
        rows = simulated_rows("Dietterich 1998", f"epsilon = {epsilon}, errors anew")
        for of, bars in papers.published("bars").items():
            value, error = (x / 100 for x in rows[tuple(of.split(": "))])
            apart.append(abs(float(bars[i]) - value) / (error**2 + value * (1 - value) / 1000) ** 0.5)
    assert len(apart) == 20
    assert sum(x <= 2 for x in apart) == 19
    assert max(apart) < 2.3


def test_learners_that_err_on_the_same_samples():
    ratios = []
    for epsilon in simulated.EPSILONS:
        anew, kept = (
            simulated_rows("Dietterich 1998", f"epsilon = {epsilon}, errors {how}") for how in ("anew", "kept")
        )
        assert 60 < kept["30 resamples", "paired_t_test"][0] < 63
        assert 4.5 < kept["30 resamples", "corrected_t_test"][0] < 5.5
        assert anew["30 resamples", "corrected_t_test"][0] < 0.1
        for key in (
            ("holdout", "mcnemar_test, corrected"),
            ("10-fold", "paired_t_test"),
            ("5x2", "five_by_two_t_test"),
        ):
            assert kept[key][0] == pytest.approx(anew[key][0], abs=1)
        ratios.append(kept["5x2", "five_by_two_f_test"][0] / anew["5x2", "five_by_two_f_test"][0])
    assert 1.7 < np.mean(ratios) < 2.1


def test_bouckaerts_schemes():
    rows = {key: value for key, (value, _) in simulated_rows("Bouckaert 2003").items()}
    assert max(rows, key=rows.get) == ("10x10", "calibrated_t_test, folds, 9 df")
    for key in (
        ("10x10", "calibrated_t_test, sorted_runs, 10 df"),
        ("10x10", "calibrated_t_test, all, 10 df"),
        ("10x10", "corrected_t_test"),
        ("5x2", "five_by_two_t_test"),
        ("5x2", "five_by_two_f_test"),
    ):
        assert 4 < rows[key] < 6
    df = {
        alpha: {name: own for (_, name), own in simulated_rows("Bouckaert 2003", None, f"df at {alpha}%").items()}
        for alpha in (1, 5, 10)
    }
    for scheme in ("all", "sorted_runs"):
        value, error = df[5][f"calibrated_t_test, {scheme}"]
        assert abs(value - 1000) < 2 * error
    for scheme in ("folds", "runs"):
        assert df[10][f"calibrated_t_test, {scheme}"][0] < 2 / 3 * df[1][f"calibrated_t_test, {scheme}"][0]


def test_replicability_of_tests_near_five_percent():
    study, equal, better = "Bouckaert and Frank 2004", "equal models, 10 repeats", "naive Bayes better, 10 repeats"
    sizes = simulated_rows(study, equal)
    sound = [key for key, (value, _) in sizes.items() if 3 < value < 6]
    found = {key: simulated_rows(study, better, "replicability")[key][0] for key in sound}
    assert {key[0] for key in sound} == {"10x10", "5x2", "10-fold"}
    for (design, _), value in found.items():
        assert 86.5 < value < 87.5 if design == "10x10" else 69 < value < 73.5


def test_sizes_of_nadeau_and_bengio():
    by_test = {name: [] for name in ("paired_t_test", "corrected_t_test", "conservative_z_interval")}
    for (study, _, design, name, _), (_, value, _) in papers.rows().items():
        if study == "Nadeau and Bengio 2003" and design == "15 splits":
            by_test[name].append(100 * value)
    assert 17 < min(by_test["paired_t_test"]) < max(by_test["paired_t_test"]) < 26.5
    *usual, worst = sorted(by_test["corrected_t_test"])
    assert 3.5 < usual[0] < usual[-1] < 6 < 9 < worst < 9.5
    assert max(by_test["conservative_z_interval"]) == pytest.approx(4.2)


# The simulations


def test_simulated_learners_err_as_often_as_said(rng):
    hard = np.repeat([True, False], 20_000)
    for epsilon in simulated.EPSILONS:
        a, b = simulated.errors(hard, epsilon, rng)
        for wrong, kind, rate in ((a, hard, 1.5), (a, ~hard, 0.5), (b, hard, 0.5), (b, ~hard, 1.5)):
            assert wrong[kind].mean() == pytest.approx(rate * epsilon, abs=0.02)


def test_errors_are_kept_or_made_anew(rng):
    kept, anew = (simulated.simulated_learners(0.2, keep, 200, rng) for keep in (True, False))
    for found in (kept, anew):
        assert {design: d.shape for design, d in found.items()} == {
            "holdout": (200, 4),
            "30 resamples": (200, 30),
            "10-fold": (200, 10),
            "5x2": (200, 10),
        }
        b, c, wrong_a, wrong_b = found["holdout"].T
        np.testing.assert_array_equal(b - c, wrong_a - wrong_b)
    # both halves of the same errors have the same mean in all five repeats
    halves = kept["5x2"].reshape(200, 5, 2).mean(axis=2)
    np.testing.assert_allclose(halves, np.repeat(halves[:, :1], 5, axis=1), atol=1e-12)
    assert np.ptp(anew["5x2"].reshape(200, 5, 2).mean(axis=2), axis=1).max() > 0.01


def test_the_tests_on_one_split():
    right = np.array([True] * 12 + [False] * 5), np.array([False] * 12 + [True] * 5)
    expected = (12 - 5 - 1) ** 2 / 17  # Edwards
    assert simulated.mcnemar(12, 5) == pytest.approx(stats.chi2.sf(expected, 1), rel=1e-12)
    assert simulated.mcnemar(12, 5) == mcnemar_test(*right, method="chi2_corrected").pvalue
    assert simulated.mcnemar(0, 0) == 1
    # 30 and 44 errors of 100: 14 points, 1.96 sqrt(2 * .37 * .63 / 100) is 13.4; 43 errors are not enough
    assert simulated.two_proportions(np.array([30, 30]), np.array([44, 43])).tolist() == [True, False]


@pytest.mark.parametrize("better", [False, True])
def test_learners_are_scikit_learns(better):
    X, y = np.random.default_rng(0).integers(0, 2, (60, 10)).astype(float), np.arange(60) % 2
    train = np.array([np.arange(60) % 5 != k for k in range(5)])
    for own, answer in zip(train, simulated.bernoulli_bayes(X, y, train), strict=True):
        expected = BernoulliNB().fit(X[own], y[own])
        clear = np.abs(np.diff(expected.predict_joint_log_proba(X), axis=1)[:, 0]) > 1e-9
        np.testing.assert_array_equal(answer[clear], expected.predict(X)[clear] == 1)
    X = np.random.default_rng(1).normal(size=(60, 2)) + better * y[:, None]
    for own, answer in zip(train, simulated.linear_rule(X, y, train), strict=True):
        np.testing.assert_array_equal(answer, LinearRegression().fit(X[own], 2 * y[own] - 1).predict(X) > 0)


@pytest.mark.sampled("simulations")
def test_coins_are_scored_on_the_test_sets():
    found = simulated.coins(False, 2, 3)
    assert {design: d.shape for design, d in found.items()} == {
        "10x10": (2, 100),
        "5x2": (2, 10),
        "30 resamples": (2, 30),
    }
    for design, n_test in (("10x10", 30), ("5x2", 150), ("30 resamples", 100)):
        np.testing.assert_allclose(found[design] * n_test, np.round(found[design] * n_test), atol=1e-9)
    assert not np.array_equal(found["10x10"][0], found["10x10"][1])


@pytest.mark.sampled("simulations")
def test_normals_have_the_said_moments():
    found = simulated.normals(0.5, 0)
    assert {design: d.shape for design, d in found.items()} == {
        "10-fold": (10, 3),
        "5x2": (10, 3),
        "15 splits": (15, 3),
        "halves": (300, 3),
    }
    for d in found.values():
        np.testing.assert_allclose(d[:, 0] - d[:, 1], d[:, 2], atol=1e-15)
    # the best rule for N(0, I) and N((1, 1), I/2) errs on about a fifth
    assert 0.1 < found["10-fold"][:, 0].mean() < 0.35


def test_parts_are_made_once(tmp_path, monkeypatch):
    drawn = []

    def draw(n, rng):
        drawn.append(n)
        return simulated.simulated_learners(0.1, False, n, rng)

    study = [("epsilon = 0.1, errors anew", 40, 20, draw, simulated.dietterich)]
    monkeypatch.setattr(simulated, "studies", lambda: study)
    tables = [tmp_path / name for name in ("first.csv", "second.csv")]
    for table in tables:
        simulated.simulate(tmp_path / "parts", table)
    assert drawn == [20, 20]
    assert tables[0].read_bytes() == tables[1].read_bytes()


def test_every_simulated_study_is_on_the_page():
    keys = papers.rows()
    assert {key[0] for key in keys} == set(papers.STUDIES)
    expected = {name: n for name, n, *_ in simulated.studies()}
    for (_, setting, *_), (n, value, error) in keys.items():
        name = setting if setting in expected else re.sub(", (error|difference).*", "", setting)
        assert n == expected[name]
        assert value >= 0
        assert error >= 0
