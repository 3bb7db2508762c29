"""Figures that docstrings, the guide of the procedures and docs/checks.md quote are those of the published tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.naive_bayes import BernoulliNB, GaussianNB

from benchmarks import DATA, ROOT
from benchmarks.engine import evaluations_of, least_ratio
from benchmarks.rates import default_of
from skcompare import PairedEvaluator, StopRule, procedures
from skcompare.inference import model_confidence_set, selection_bias
from skcompare.planning import design_efficiency

BENCHMARKS = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
CHECKS = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
SEARCHES = (ROOT / "docs" / "selection.md").read_text(encoding="utf-8")
PLANNING = (ROOT / "docs" / "planning.md").read_text(encoding="utf-8")
LOOKS = (ROOT / "docs" / "sequential.md").read_text(encoding="utf-8")
WHEN_NOT = CHECKS.split("\n## Where the default tests are wrong\n")[1].split("\n## ")[0]
NUMBER = r"(\d*\.?\d+)"


# ---- the tables --------------------------------------------------------------------------------------------------


def published(first: str) -> pd.DataFrame:
    """The table of the benchmarks whose first line begins so."""
    lines = BENCHMARKS[BENCHMARKS.index(f"\n| {first} |") + 1 :].split("\n\n")[0].splitlines()
    names, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return pd.DataFrame(rows, columns=names)


def first_numbers(cells: pd.DataFrame) -> pd.Series:
    """The first number of every cell that has one."""
    return cells.stack().str.extract(r"^([-+]?[\d.]+)")[0].dropna().astype(float)


@cache
def counts(name: str) -> pd.DataFrame:
    """The nulls of a study, over all of their seeds, with the share that was rejected."""
    rows = pd.read_csv(DATA / name)
    key = [column for column in rows if column not in ("first_seed", "truth", "truth_error")]
    key = [column for column in key if not column.startswith(("rejected", "n_datasets"))]
    found = rows.groupby(key, dropna=False)[["n_datasets", "rejected"]].sum().reset_index()
    return found.assign(share=found.rejected / found.n_datasets)


def of_wide(kind: str, **chosen: object) -> pd.DataFrame:
    """Nulls of the wider study; of the default tests where no procedure is named."""
    rows = counts("wide_study.csv.gz")
    rows = rows[rows.kind == kind]
    if "procedure" not in chosen:
        rows = rows[rows.procedure == rows.design.replace("30 resamples", "30 random splits").map(default_of)]
    for name, value in chosen.items():
        rows = rows[rows[name].isin(value if isinstance(value, tuple) else (value,))]
    return rows


def of_sets(null: str, designs: Sequence[str]) -> pd.Series:
    """How often one of 10 or 50 equal models leaves the confidence set, by null and design."""
    rows = published("null | data sets | design | metric")
    rows = rows[rows.null.str.contains(null) & rows.design.isin(designs)]
    return first_numbers(rows[["10 candidates", "50 candidates"]])


def of_few(n: int) -> float:
    rows = published("null | data sets | design | 2 candidates")
    rows = rows[(rows.null == "naive Bayes, n=20") & (rows.design == "10x10")]
    return first_numbers(rows[[f"{n} candidates"]]).item()


def kept(learner: str, designs: str) -> pd.Series:
    """How often one of equal models is left out of the set that keeps each."""
    rows = published("equal candidates")
    rows = rows[(rows["equal candidates"] == learner) & rows.design.str.fullmatch(designs)]
    return 1 - first_numbers(rows.filter(like="candidates").drop(columns="equal candidates"))


def worse(design: str) -> float:
    rows = published("better by")
    rows = rows[(rows["better by"] == "0.067") & (rows.candidates == "10") & (rows.design == design)]
    return float(rows["others different"].iloc[0])


def bias(truth: str, column: str, **chosen: str) -> pd.Series:
    rows = published("truth | design")
    rows = rows[rows.truth.str.fullmatch(truth)]
    for name, value in chosen.items():
        rows = rows[rows[name].str.fullmatch(value)]
    return rows[column].replace("", None).dropna().str.split(" ").str[0].astype(float)


def times_too_large(metric: str) -> pd.Series:
    """The correction of Tibshirani and Tibshirani by the bias that there is."""
    one = {"design": "10-fold|10x10", "metric": metric}
    apparent = bias("equal", "apparent", **one)
    return (apparent - bias("equal", "Tibshirani", **one)) / apparent


def five(design: str) -> pd.DataFrame:
    name = "model_confidence_set, 5 models"
    return of_wide("five", procedure=name, design=design, task=("3 classes", "4 classes"))


def recall(learner: str) -> pd.DataFrame:
    return of_wide("blocks", design="10x10", metric="recall", learner=learner)


def older_recall() -> float:
    rows = counts("calibration_study.csv.gz")
    own = (rows.null != "better") & (rows.procedure == "corrected_t_test") & (rows.design == "10x10")
    return rows[own & (rows.metric == "recall")].share.max()


def drawn_linear() -> pd.DataFrame:
    """Of the drawn nulls of linear models that call less than a quarter of the true share positive."""
    rows = counts("rates_study.csv.gz")
    rows = rows[(rows.design == "10x10") & (rows.procedure == "corrected_t_test") & (rows.metric == "recall")]
    linear = rows.learner.isin(("RidgeClassifier", "LinearSVC", "LDA", "logistic regression"))
    return rows[linear & (rows.called_positive < rows.positives / 4)]


def pairs(family: str) -> pd.Series:
    """Of pairs of different learners, how often the interval on ten folds misses their true difference."""
    return of_wide("draws", design=("10x10", "10-fold"), family=family).share


def losses(least: float, most: float) -> pd.Series:
    """Of the default test in time order, where losses of neighbouring times correlate by so much."""
    rows = pd.read_csv(DATA / "measured_in_time.csv")
    rows = rows[(rows.procedure == "diebold_mariano_test") & rows.horizon.isna()]
    return rows[rows.correlation.between(least, most)]["size"]


def forecasts(metric: str) -> pd.DataFrame:
    rows = pd.read_csv(DATA / "measured_forecasts.csv")
    return rows[rows.metric == metric]


def designs(metric: str) -> pd.DataFrame:
    return design_efficiency(metric=metric, n_samples=200).to_frame().set_index("design")


def pooled() -> pd.Series:
    """How often tests on the predictions of ten folds reject a true null, on accuracy and ROC AUC."""
    rows = published("null | design | procedure | accuracy | precision")
    return first_numbers(rows.loc[rows.design == "10-fold", ["accuracy", "roc_auc"]])


def skewed_effects() -> list[float]:
    """How often the test of clusters rejects where log-normal effects make up nine tenths of the variance."""
    rows = published("effects of clusters")
    rows = rows[(rows["effects of clusters"] == "log-normal") & rows.clusters.isin(("10", "50"))]
    return [float(cell.rstrip("%")) / 100 for cell in rows["0.9"]]


def looks(scores: str) -> pd.Series:
    """How often any of equal models is found worse by looks at a growing evaluation, by the number of models."""
    rows = published("equal models | scores")
    return rows[rows.scores == scores].sequential.str.rstrip("%").astype(float) / 100


def rare() -> float:
    rows = pd.read_csv(DATA / "measured_on_rare_classes.csv")
    assert (rows.positive.min(), rows.positive.max()) == (0.01, 0.1)
    return rows.high.max()


# ---- what is quoted ----------------------------------------------------------------------------------------------


def ends(values: pd.Series) -> tuple[float, float]:
    return values.min(), values.max()


class Quoted(NamedTuple):
    """A text, a phrase of it with {} for each number, and these of the tables, as shares where {}% is written."""

    text: str
    phrase: str
    figures: Callable[[], Sequence[float]]


PAIR = PairedEvaluator(5, "accuracy").evaluate([GaussianNB(), BernoulliNB()], *load_wine(return_X_y=True))
POOLED = PAIR.test("mcnemar").warnings[0]
SETS, BIAS, STOP = model_confidence_set.__doc__, selection_bias.__doc__, StopRule.__doc__
MISLEADS = {row.name: row.misleads for row in procedures()}
SETS_MISLEAD, BIAS_MISLEADS = MISLEADS["model_confidence_set"], MISLEADS["selection_bias"]
FOLDS = ("5-fold", "10-fold")
ROWS = [
    Quoted(SETS, "equal naive Bayes models were significantly different from the best in {}% to {}% of data sets at 5%",
           lambda: ends(of_sets("naive Bayes", ("10x10", "30 random splits")))),
    Quoted(SETS, "cross-validation with ``overlap=0.4``, with trees too, in {}% to {}%",
           lambda: ends(of_sets("naive Bayes|trees", FOLDS))),
    Quoted(SETS, "it was {}% with 10 and {}% with 50", lambda: (of_few(10), of_few(50))),
    Quoted(SETS, "differed in {}% of data sets on 10x10, and in {}% on 10 folds",
           lambda: (five("10x10").share.mean(), five("10-fold").share.mean())),
    Quoted(SETS, "Stumps are the worst, with up to {}% and {}%",
           lambda: [rows.share[rows.learner == "stump"].max() for rows in map(five, ("10x10", "10-fold"))]),
    Quoted(SETS, "equal naive Bayes models were left out in {}% to {}% of cases each",
           lambda: ends(kept("naive Bayes", ".*"))),
    Quoted(SETS, "equal stumps on 10 folds and 10x10 in {}% to {}%", lambda: ends(kept("stumps", "10-fold|10x10"))),
    Quoted(SETS_MISLEAD, "worse by 0.067, {}% differed significantly from the best on 10 folds and {}% on 10x10",
           lambda: (worse("10-fold"), worse("10x10"))),
    Quoted(SETS_MISLEAD, "in {}% of data sets, one of 50 in {}%", lambda: (of_few(10), of_few(50))),
    Quoted(SETS_MISLEAD, "Of 5 equal stumps one did in up to {}% on 10x10", lambda: (five("10x10").share.max(),)),
    Quoted(MISLEADS["cluster_t_test"], "effects it rejected {}% on 10 clusters, and still {}% on 50",
           skewed_effects),
    Quoted(BIAS, "off by at most {} on average, where the apparent one was biased by up to {}",
           lambda: (bias("equal|one better|spread", "ours").abs().max(), bias("equal", "apparent").max())),
    Quoted(BIAS, "more is left: {} to {} where the features say little",
           lambda: ends(bias("equal, weak, n=100", "ours"))),
    *(Quoted(text, f"{{}} to {{}} {of}", lambda: ends(bias("equal, of no use, n=100", "ours")))
      for text, of in ((BIAS, "where they say nothing"), (BIAS_MISLEADS, "was left"))),
    Quoted(BIAS, "of apparent biases of {} to {}", lambda: ends(bias("equal, .*, n=100", "apparent"))),
    Quoted(BIAS, "on 10 folds it is {} to {} times too large for accuracy", lambda: ends(times_too_large("accuracy"))),
    Quoted(BIAS, "and {} to {} times for ROC AUC", lambda: ends(times_too_large("roc_auc"))),
    Quoted(BIAS, "off by up to {} where one is better",
           lambda: (bias("one better", "bootstrap", design=".*fold|10x10").abs().max(),)),
    *(Quoted(text, "on 10 folds {} of {} was left" if text is BIAS else "and {} of {} was left on 10 folds",
             lambda: [bias("equal, trees", c, design="10-fold", metric="accuracy").max() for c in ("ours", "apparent")])
      for text in (BIAS, BIAS_MISLEADS)),
    Quoted(BIAS_MISLEADS, "too low by up to {}", lambda: (-bias("one better", "ours").min(),)),
    Quoted(STOP, "found different in {}% of data sets on average over the nulls, and in up to {}% with stumps",
           lambda: [getattr(of_wide("blocks", procedure="StopRule").share, name)() for name in ("mean", "max")]),
    Quoted(LOOKS, "found worse in {}% to {}% of runs with 2 to 20 models", lambda: ends(looks("normal"))),
    Quoted(LOOKS, "Naive Bayes fitted for real: {}% to {}%", lambda: ends(looks("naive Bayes, n=200"))),
    Quoted(LOOKS, "Of 5 neighbours it was {}% to {}%", lambda: ends(looks("5-NN, n=200"))),
    Quoted(LOOKS, "split were wrong in {}% with 2 models and in {}% with 20", lambda: ends(looks("stumps, n=200"))),
    Quoted(SEARCHES, "some were called worse in [{}% to {}% of simulated searches]",
           lambda: ends(of_sets("naive Bayes|trees", (*FOLDS, "10x10", "30 random splits")))),
    Quoted(SEARCHES, "On 10x10 folds of 20 samples it was {}% and {}%", lambda: (of_few(10), of_few(50))),
    Quoted(SEARCHES, "were left out in [{}% to {}%]", lambda: ends(kept("naive Bayes", ".*"))),
    Quoted(SEARCHES, "trees of one split in {}% to {}%", lambda: ends(kept("stumps", "10-fold|10x10"))),
    Quoted(WHEN_NOT, "rejected up to {}% of true nulls on recall", lambda: (older_recall(),)),
    Quoted(WHEN_NOT, "Of 15 nearest neighbours it rejected up to {}%, of trees of one split up to {}%",
           lambda: (recall("15-NN").share.max(), recall("stump").share.max())),
    Quoted(WHEN_NOT, "called far fewer positive than there were it rejected up to {}%",
           lambda: (drawn_linear().share.max(),)),
    Quoted(WHEN_NOT, "Where 1% to 10% are positive, up to {}% were rejected", lambda: (rare(),)),
    Quoted(WHEN_NOT, "missed its true difference from other learners in {}% of cases on average over metrics, "
           "up to {}%", lambda: (pairs("mixed with a shallow tree").mean(), pairs("mixed with a shallow tree").max())),
    *(Quoted(WHEN_NOT, phrase, lambda family=family: [getattr(pairs(family), name)() for name in ("mean", "max")])
      for phrase, family in (("of all other pairs of two families in {}%, up to {}%", "mixed"),
                             ("only guessed it was {}%, up to {}%", "mixed with guessing"))),
    Quoted(WHEN_NOT, "kept to {}% to {}% where losses of neighbouring times correlated by 0.7 or less",
           lambda: ends(losses(0, 0.7))),
    Quoted(WHEN_NOT, "By 0.8 it rejected {}% to {}%", lambda: ends(losses(0.8, 0.8))),
    Quoted(WHEN_NOT, "by 0.9 and 0.95 {}% to {}%", lambda: ends(losses(0.9, 1))),
    Quoted(WHEN_NOT, "at most {}% of equal algorithms differed",
           lambda: (forecasts("recall")[lambda rows: ~rows.highest.str.contains("stump")].high.max(),)),
    Quoted(WHEN_NOT, "with 300 samples up to {}% differed on recall",
           lambda: (forecasts("recall")[lambda rows: rows.n_samples == 300].high.max(),)),
    Quoted(WHEN_NOT, "Where more than 10% of simulated equal algorithms did, as on accuracy with {}% positives",
           lambda: [forecasts("accuracy")[lambda rows: rows.high == rows.high.max()].positive.iloc[0]]),
    Quoted(POOLED, "rejected in {}% to {}% of cases on accuracy and ROC AUC", lambda: ends(pooled())),
    Quoted(PLANNING, "10x10 add {} points to the {}% of 5x10",
           lambda: (designs("accuracy").found[["5x10", "10x10"]].diff().iloc[-1], designs("accuracy").found["5x10"])),
    Quoted(PLANNING, "choose 10x5, which finds {}% of it in {}% of the time",
           lambda: (designs("accuracy").T["10x5"] / designs("accuracy").T["10x10"])[["found", "cost"]].tolist()),
]  # fmt: skip


def found(row: Quoted) -> re.Match[str]:
    """The phrase in its text, whatever its line breaks."""
    pattern = re.escape(row.phrase).replace(r"\{\}", NUMBER)
    matches = [*re.finditer(pattern, " ".join(row.text.split()))]
    assert len(matches) == 1, row.phrase
    return matches[0]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.phrase[:50])
def test_a_quoted_figure_is_that_of_its_table(row):
    """To half a unit of its last digit; percentages are of shares."""
    percent = "{}%" in row.phrase
    figures = [float(figure) for figure in row.figures()]
    assert len(figures) == row.phrase.count("{}")
    for quoted, figure in zip(found(row).groups(), figures, strict=True):
        decimals = len(quoted.partition(".")[2])
        assert abs(float(quoted) - (100 if percent else 1) * figure) <= 0.5 * 10**-decimals + 1e-9, (quoted, figure)


def test_every_percentage_of_where_tests_are_wrong_is_compared():
    text = " ".join(WHEN_NOT.split())
    for row in ROWS:
        if row.text is WHEN_NOT:
            text = text.replace(found(row)[0], "")
    assert "%" not in text


def test_the_designs_that_would_find_more_at_equal_error_rates_are_named():
    """They do so on every metric."""
    power = pd.DataFrame({m: designs(m).power for m in ("accuracy", "precision", "recall", "f1", "roc_auc")})
    more = power.index[(power > power.loc["10x10"]).all(axis=1)]
    assert set(more) == {"30 resamples", "10x5"}
    assert "would find more than 10x10 does: 30 random splits and 10x5. " in " ".join(PLANNING.split())


def test_stumps_are_the_worst_where_it_is_said():
    """Of five equal models, under a stop, and on the recall of forecasts."""
    assert {rows.loc[rows.share.idxmax(), "learner"] for rows in map(five, ("10x10", "10-fold"))} == {"stump"}
    rows = of_wide("blocks", procedure="StopRule")
    assert rows.loc[rows.share.idxmax(), "learner"] == "stump"
    rows = forecasts("recall")
    assert rows[rows.high > 0.1].highest.str.contains("stump").all()


# ---- what evaluations cost beside their fits ----------------------------------------------------------------------

SHORT = ("GaussianNB, 22 metrics", "fbeta", "kNN, breast_cancer", "kNN, digits", "GaussianNB, digits", "Ridge", "list")


@pytest.mark.sampled
@pytest.mark.parametrize("words", SHORT)
def test_evaluations_cost_no_more_than_is_published_over_their_fits(words):
    """In processor time, at the best of some rounds, with 15% to spare."""
    (what,) = (name for name in evaluations_of() if words in name)
    cell = published("evaluation").set_index("evaluation").loc[what, "skcompare over it"]
    kept = float(re.search(rf"\({NUMBER}\)", cell)[1])
    assert least_ratio(what, enough=1.15 * kept, rounds=15) <= 1.15 * kept
