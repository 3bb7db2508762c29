"""A browser, and pages to open in it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
HOSTILE = ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', '=HYPERLINK("//x","y")']
INSTALL = "run tests/browser/install.sh"


@pytest.fixture(scope="session")
def driver():
    """Headless Chromium that notes console messages and requests."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        pytest.skip(f"chromium or chromedriver is not installed: {INSTALL}")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1200,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(chromedriver))
    yield browser
    browser.quit()


@pytest.fixture(scope="session")
def axe():
    """The source of axe-core."""
    if not AXE.exists():
        pytest.skip(f"axe-core is not installed: {INSTALL}")
    return AXE.read_text(encoding="utf-8")


def scores(seed, models, metrics, *, repeats, folds):
    """A tidy table in which later models are a little better, and of which seconds are far from shares."""
    rng = np.random.default_rng(seed)
    table = {name: [] for name in ("model", "metric", "repeat", "fold", "score")}
    for metric in metrics:
        common = rng.normal(0.8, 0.03, (repeats, folds))
        for i, model in enumerate(models):
            own = common + 0.015 * i + rng.normal(0, 0.01, (repeats, folds))
            own = 300 * own if metric == "seconds" else own
            for (repeat, fold), score in np.ndenumerate(own):
                for name, value in zip(table, (model, metric, repeat, fold, score), strict=True):
                    table[name].append(value)
    return table


@pytest.fixture(scope="session")
def two(global_random_seed):
    """Two models, one of which lacks a score of the first metric."""
    table = scores(global_random_seed, ["nb", "tree"], ["accuracy", "f1", "seconds"], repeats=5, folds=4)
    result = skc.from_frame(table, greater_is_better={"seconds": False})
    gaps = result.scores.copy()
    gaps[0, 0, 0] = np.nan
    return replace(result, scores=gaps)


@pytest.fixture(scope="session")
def five(global_random_seed):
    names, metrics = ["lr", "nb", "tree", "knn", "svc"], ["accuracy", "precision", "recall", "f1", "roc_auc"]
    return skc.from_frame(scores(global_random_seed, names, metrics, repeats=3, folds=10))


@pytest.fixture(scope="session")
def many(global_random_seed):
    return skc.from_frame(
        scores(global_random_seed, [f"model{i}" for i in range(10)], [f"m{i}" for i in range(10)], repeats=10, folds=10)
    )


@pytest.fixture(scope="session")
def hostile(global_random_seed):
    return skc.from_frame(
        scores(global_random_seed, HOSTILE, ["accuracy", "<b>f1</b>"], repeats=2, folds=3), test_fraction=1 / 3
    )


@pytest.fixture(scope="session")
def long(global_random_seed):
    """Names that have no place to break."""
    names = [f"{'preprocessing_and_' * 4}{i}{'_with_many_settings' * 4}" for i in range(4)]
    metrics = ["accuracy", "a_metric_with_a_rather_long_name_indeed", "seconds"]
    return skc.from_frame(
        scores(global_random_seed, names, metrics, repeats=2, folds=5), greater_is_better={"seconds": False}
    )


@pytest.fixture(scope="session")
def study(global_random_seed):
    rng = np.random.default_rng(global_random_seed)
    models, n = ["nb", "tree", "knn"], 12
    table = {name: [] for name in ("dataset", "model", "metric", "score")}
    for metric in ("accuracy", "loss"):
        values = rng.normal(0.8, 0.05, (n, 1)) + rng.normal(0, 0.01, (n, 3)) + [0.0, 0.0, 0.04]
        values[0, 1] = values[0, 0]
        for (d, m), score in np.ndenumerate(values):
            for name, value in zip(table, (f"d{d}", models[m], metric, score), strict=True):
                table[name].append(value)
    return skc.StudyResult.from_frame(table, greater_is_better={"loss": False})


@pytest.fixture(scope="session")
def equal(global_random_seed):
    """The first two of three models have the same scores, the third has none of the first metric."""
    result = skc.from_frame(scores(global_random_seed, ["nb", "again", "tree"], ["accuracy", "f1"], repeats=2, folds=5))
    values = result.scores.copy()
    values[1] = values[0]
    values[2, :, 0] = np.nan
    return replace(result, scores=values)


@pytest.fixture(scope="session")
def alike(global_random_seed):
    """Models and metrics whose names look the same, and one pair of which differs clearly."""
    result = skc.from_frame(scores(global_random_seed, ["rf 1", "rf  1", "svc"], ["f 1", "f  1"], repeats=2, folds=5))
    values = result.scores.copy()
    values[0] += 0.1
    return replace(result, scores=values)


@pytest.fixture(scope="session")
def one_dataset():
    return skc.StudyResult.from_frame({"dataset": ["d0"], "nb": [0.9], "tree": [0.896]})


@pytest.fixture(scope="session")
def test_set(global_random_seed):
    """Three models on one test set: each metric has a test of its own, and the last one has none."""
    rng = np.random.default_rng(global_random_seed)
    y = rng.integers(0, 2, 300)
    given = {
        name: 1 / (1 + np.exp(-((2 * y - 1) * s + rng.normal(size=300))))
        for name, s in zip("abc", (1.5, 0.6, 0.5), strict=True)
    }
    return skc.from_predictions(y, given, scoring=["accuracy", "f1", "roc_auc", "neg_brier_score", "average_precision"])


@pytest.fixture(scope="session")
def items(global_random_seed):
    """Grades and costs of two models on items."""
    rng = np.random.default_rng(global_random_seed)
    grades = {name: rng.normal(0.3 * i, 1, 80) for i, name in enumerate("ab")}
    passed = {name: (values > 0).astype(float) for name, values in grades.items()}
    return skc.from_outcomes({"grade": grades, "passed": passed, "cost": grades}, greater_is_better={"cost": False})


@pytest.fixture(scope="session")
def race():
    """An evaluation that was looked at while it ran, and ended early."""
    X, y = make_classification(120, class_sep=1.5, random_state=0)
    models = {
        "nb": GaussianNB(),
        "dummy": DummyClassifier(),
        "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    }
    return skc.PairedEvaluator(cv="10x5", scoring=["accuracy", "f1"], stop=skc.StopRule(), random_state=0).evaluate(
        models, X, y
    )


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """The address of the page of a result, written once."""
    folder, written = tmp_path_factory.mktemp("pages"), {}

    def address(result):
        if id(result) not in written:
            path = folder / f"{len(written)}.html"
            result.to_html(path)
            written[id(result)] = path.as_uri(), result  # kept, as its id would be another's once it is gone
        return written[id(result)][0]

    return address


@pytest.fixture(scope="session")
def search(made_search):
    """A search whose parameters have values that a page might run; one candidate failed."""
    return skc.SearchReport.from_search(made_search(36, 2, kind="nasty", failed=(3,), seed=0))


@pytest.fixture(scope="session")
def curve(global_random_seed):
    X, y = make_classification(120, random_state=global_random_seed)
    models = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1), "tree": DecisionTreeClassifier()}
    evaluator = skc.PairedEvaluator(cv=5, scoring=["accuracy", "f1"], random_state=0)
    return evaluator.learning_curve(models, X, y, train_sizes=[20, 40, 80])


@pytest.fixture
def emulate(driver):
    """Set the colour scheme and the width of the window."""

    def emulate(scheme="light", width=1200):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    yield emulate
    emulate()


CHOOSE = """
const control = document.querySelector(arguments[0]);
control.value = arguments[1];
control.dispatchEvent(new Event("input", {bubbles: true}));
"""
TABLES = """
return [...document.querySelectorAll(arguments[0] + " .grid")].filter((grid) => !grid.hidden).map((grid) =>
    [...grid.querySelectorAll("tbody tr")].filter((row) => !row.hidden).map((row) =>
        [...row.cells].map((cell) => cell.textContent)));
"""
CATCH = """
window.caught = null;
const writeText = async (text) => { window.caught = text; };
Object.defineProperty(navigator, "clipboard", {configurable: true, value: {writeText}});
"""
WAIT = """
const done = arguments[0];
const wait = () => (window.caught === null ? setTimeout(wait, 5) : done(window.caught));
wait();
"""


class Page:
    """What a reader does with a page, and what is then to be seen."""

    def __init__(self, driver, address):
        self.driver = driver
        driver.get(address)
        driver.execute_script(CATCH)

    def run(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def choose(self, selector, value):
        self.run(CHOOSE, selector, str(value))

    def click(self, selector):
        self.run("document.querySelector(arguments[0]).click()", selector)

    def unfold(self):
        self.run("document.querySelectorAll('details').forEach((one) => (one.open = true))")

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector).strip()

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", selector)

    def tables(self, within="main"):
        """The cells of the rows that were not hidden, table by table."""
        return self.run(TABLES, within)

    def copied(self, form, within="main"):
        self.run("window.caught = null")
        self.click(f"{within} [data-copy={form}]")
        return self.driver.execute_async_script(WAIT)


@pytest.fixture
def open_page(driver, pages):
    def open_page(result):
        return Page(driver, pages(result))

    return open_page
