"""Settings of the whole suite."""

from __future__ import annotations

import gc
import os
import sys
import zlib
from itertools import islice, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from sklearn.model_selection import GridSearchCV, RepeatedKFold
from sklearn.tree import DecisionTreeClassifier

# No example fails for being slow on a busy machine. Where a run decides something it tries the same examples again.
FULL = os.environ.get("SKCOMPARE_FULL") == "1"
N_EXAMPLES = 100 if FULL else 4
settings.register_profile("suite", deadline=None, max_examples=N_EXAMPLES)
settings.register_profile("ci", deadline=None, max_examples=N_EXAMPLES, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "suite")

# The workers of pytest-xdist start after this and share the cores: more threads would only wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# The simulations of `benchmarks` are run in small here; at the end of the path the installed package still comes first.
sys.path.append(str(Path(__file__).parents[1]))

# One seed for the whole run, set here before the workers start and before a test is collected: they all inherit it. A
# test may not depend on it, so it is another one in every run but those of CI, and a failure says which it was.
os.environ.setdefault("SKCOMPARE_SEED", "0" if os.environ.get("CI") else str(np.random.default_rng().integers(2**31)))
SEED = int(os.environ["SKCOMPARE_SEED"])

SEARCH_METRICS = [
    *("roc_auc", "accuracy", "precision", "recall", "f1", "balanced_accuracy"),
    *("precision_macro", "recall_macro", "f1_macro", "f1_weighted"),
]
NASTY_VALUES = [
    "</script><script>alert(1)</script>",
    "$x_i$ {",
    "_hidden",
    '"><img src=x onerror=alert(1)>',
    "a\nb",
    "100% *it*",
]
LONG_VALUES = [f"{'preprocessing_and_' * 4}{i}{'_with_many_settings' * 4}" for i in range(6)]


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is imported for the tests stays: the garbage collector need not go through it again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(200_000, 50, 100)  # what tests make is mostly gone before anybody looks
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Every other worker imports the last file first: a file is compiled by one of them, and the other reads that."""
    report = yield
    if isinstance(collector, pytest.Directory) and os.environ.get("PYTEST_XDIST_WORKER", "gw0")[-1] in "13579":
        report.result.reverse()
    return report


@pytest.hookimpl(trylast=True)  # after -k and -m, so that one of what they select is left
def pytest_collection_modifyitems(config, items):
    """Sampled tests keep a part of their parameter sets; the longest test goes first, so that nobody waits for it."""
    items.sort(key=lambda item: item.path)  # whatever was collected first
    chosen = items if FULL else sampled(items)
    config.hook.pytest_deselected(items=list(set(items) - set(chosen)))
    items[:] = sorted(chosen, key=lambda item: item.path.name != "test_site.py")


def sampled(items):
    """The items in their order; of each test marked `sampled` a 24th, at least one, which the seed alone draws.

    Tests whose marks have one name are sampled together.
    """
    groups = {}
    for item in items:
        if mark := item.get_closest_marker("sampled"):
            groups.setdefault(mark.args[0] if mark.args else item.nodeid.partition("[")[0], []).append(item)
    left_out = set()
    for name, group in groups.items():
        order = np.random.default_rng([SEED, zlib.crc32(name.encode())]).permutation(len(group))
        left_out |= {group[i] for i in order[-(-len(group) // 24) :]}
    return [item for item in items if item not in left_out]


def pytest_report_header():
    return f"seed: SKCOMPARE_SEED={SEED}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    report = yield
    if report.failed:
        report.sections.append(("seed", f"SKCOMPARE_SEED={SEED}"))
    return report


@pytest.fixture(scope="session")
def global_random_seed():
    """The seed of the run, for what several tests share; the environment variable SKCOMPARE_SEED sets it."""
    return SEED


@pytest.fixture
def rng(request):
    """Random numbers of this test: the same for the same seed, whatever else runs."""
    return np.random.default_rng([SEED, zlib.crc32(request.node.nodeid.encode())])


@pytest.fixture
def run(monkeypatch, capsys):
    """Call the real entry point of the command with arguments; gives (status, stdout, stderr)."""
    from skcompare.cli import main as cli

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["skcompare", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        return stop.value.code, *capsys.readouterr()

    return run


@pytest.fixture(scope="session")
def made_search():
    """A function that makes a fitted grid search of three parameters, as if it had been fitted: max_depth matters most.

    The candidates in `failed` have no scores.
    """
    return _made_search


def _made_search(n_candidates, n_metrics=1, *, kind="short", folds=10, repeats=1, failed=(), seed=None):
    texts = {"short": ["gini", "entropy", "log_loss"], "long": LONG_VALUES, "nasty": NASTY_VALUES}[kind]
    depths = [int(depth) for depth in range(1, 2 + max(1, round(n_candidates**0.4)))]
    leaves = [2**i for i in range(max(1, -(-n_candidates // (len(depths) * len(texts)))))]
    cells = islice(product(range(len(depths)), range(len(leaves)), range(len(texts))), n_candidates)
    places = np.array(sorted(cells, key=lambda cell: (cell[1], cell[2], cell[0])))
    rng = np.random.default_rng(seed)
    splits = folds * repeats
    level = 0.9 + 0.05 * places[:, 0] / len(depths) + 0.005 * places[:, 1] / len(leaves)
    hard = rng.normal(0, 0.01, splits)
    params = [{"criterion": texts[t], "max_depth": depths[d], "min_samples_leaf": leaves[m]} for d, m, t in places]
    table = {"params": params, "mean_fit_time": rng.uniform(0.01, 0.1, n_candidates)}
    table["std_fit_time"], table["mean_score_time"] = table["mean_fit_time"] / 10, table["mean_fit_time"] / 5
    table["std_score_time"] = table["mean_score_time"] / 10
    for name in params[0]:
        table[f"param_{name}"] = np.ma.array([of_one[name] for of_one in params], dtype=object)
    metrics = SEARCH_METRICS[:n_metrics] if n_metrics > 1 else ["score"]
    for metric in metrics:
        scores = level[:, None] + hard + rng.normal(0, 0.008, (n_candidates, splits))
        scores[list(failed)] = np.nan
        table |= {f"split{i}_test_{metric}": scores[:, i] for i in range(splits)}
        table[f"mean_test_{metric}"], table[f"std_test_{metric}"] = scores.mean(axis=1), scores.std(axis=1)
        order = np.argsort(np.argsort(-np.nan_to_num(table[f"mean_test_{metric}"], nan=-1)))
        table[f"rank_test_{metric}"] = (order + 1).astype(np.int32)
    grid = {"criterion": texts, "max_depth": depths, "min_samples_leaf": leaves}
    cv = RepeatedKFold(n_splits=folds, n_repeats=repeats, random_state=0) if repeats > 1 else folds
    scoring = metrics if n_metrics > 1 else "accuracy"
    search = GridSearchCV(DecisionTreeClassifier(), grid, cv=cv, scoring=scoring, refit=metrics[0])
    search.cv_results_, search.n_splits_, search.multimetric_ = table, splits, n_metrics > 1
    search.best_index_ = int(np.nanargmax(table[f"mean_test_{metrics[0]}"]))
    search.best_params_, search.best_score_ = params[search.best_index_], level[search.best_index_]
    search.refit_time_, search.scorer_ = 0.1, {}
    return search
