"""Simulations in a store: what is finished is not done again, what is another simulation is not found."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import time
import warnings
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from skcompare import PairedEvaluator
from skcompare.calibration import ExchangeableBlocks, LabelPermutation, replicability, size
from skcompare.calibration._simulation import simulate
from skcompare.cli import main as cli
from skcompare.evaluation.store.stored_fit import checksum_of
from tests.calibration.cheap_learners import Constant, MeanDifference
from tests.processes import Script

BLOCKS = ExchangeableBlocks(n_samples=40)
METRICS = ["accuracy", "recall"]
FITS: list[str] = []


class Counted(MeanDifference):
    """Tells when it is fitted."""

    def __init__(self, offset=0.0):
        self.offset = offset

    def fit(self, X, y):
        FITS.append("fit")
        return super().fit(X, y)


@pytest.fixture
def path(tmp_path):
    FITS.clear()
    return tmp_path / "store.db"


def run(path, procedure="corrected_t_test", design="2x2", generator=BLOCKS, metrics=METRICS, **options):
    given = {"models": Counted(), "n_datasets": 5, **options}
    before = len(FITS)
    found = size(procedure, design, generator, metrics, store=path, **given)
    return found.pvalues, (len(FITS) - before) / 8  # two models on four splits


def test_the_same_call_fits_nothing_and_gives_the_same_numbers(path):
    first, n_first = run(path)
    second, n_second = run(path)
    np.testing.assert_array_equal(first, second)
    assert (n_first, n_second) == (5, 0)
    np.testing.assert_array_equal(first, run(None)[0])


def test_more_data_sets_and_repeats_reuse_those_that_are_there(path):
    first, _ = run(path)
    more, n_more = run(path, n_datasets=8)
    np.testing.assert_array_equal(first, more[:, :5])
    assert n_more == 3
    FITS.clear()
    replicability("auto", "2x2", BLOCKS, METRICS, models=Counted(), store=path, n_datasets=4, n_repeats=3)
    assert len(FITS) / 8 == 8


def test_another_procedure_on_scores_takes_the_stored_ones(path):
    run(path)
    found, n_fits = run(path, ["paired_t_test", "max_t_test", "dominance_test"])
    assert n_fits == 0
    np.testing.assert_array_equal(found, run(None, ["paired_t_test", "max_t_test", "dominance_test"])[0])


def test_p_values_from_predictions_are_kept_themselves(path):
    first, _ = run(path, "mcnemar_test")
    second, n_second = run(path, "mcnemar_test")
    np.testing.assert_array_equal(first, second)
    assert n_second == 0
    _, n_other = run(path, "mcnemar_test", method="exact")
    assert n_other == 5
    assert run(path)[1] == 0


@dataclass(frozen=True)
class Own:
    """A generator of the user's own."""

    shift: float = 0.0

    def draw(self, rng):
        return rng.normal(self.shift, 1, size=(40, 10)), np.arange(40) % 2

    def pair(self, estimators):
        return {f"{name} {i}": estimator for name, estimator in estimators.items() for i in range(2)}


@pytest.mark.sampled("calibrations")
@pytest.mark.parametrize(
    "other",
    [
        {"generator": replace(BLOCKS, signal=0.4)},
        {"generator": replace(BLOCKS, n_samples=44)},
        {"generator": Own()},
        {
            "generator": LabelPermutation(X=np.zeros((40, 10)), y=np.arange(40) % 2),
            "models": [Counted(), Counted()],
        },
        {"models": Counted(offset=1.0)},
        {"design": "1x4"},
        {"metrics": ["recall", "accuracy"]},
        {"random_state": 1},
    ],
    ids=["signal", "n_samples", "own", "permutation", "estimator", "design", "metrics", "seed"],
)
def test_what_the_scores_depend_on_is_part_of_the_key(path, other):
    run(path)
    assert run(path, **other)[1] == 5
    assert run(path, **other)[1] == 0
    assert run(path)[1] == 0


def test_generators_are_known_by_their_fields_and_data(path):
    def permuted(X):
        return LabelPermutation(X=X, y=np.arange(40) % 2)

    X = np.random.default_rng(0).normal(size=(40, 3))
    models = {"a": Counted(), "b": Constant()}
    for generator, n in ((permuted(X), 5), (permuted(X.copy()), 0), (permuted(X + 1), 5), (Own(), None), (Own(1.0), 5)):
        before = len(FITS)
        own = Counted() if isinstance(generator, Own) else models
        size("auto", "2x2", generator, METRICS, models=own, store=path, n_datasets=5)
        if n is not None:
            per_dataset = 8 if isinstance(generator, Own) else 4
            assert (len(FITS) - before) / per_dataset == n


def test_a_changed_version_is_another_simulation(path, monkeypatch):
    run(path)
    monkeypatch.setattr("skcompare.calibration._simulation.__version__", "0.0.0.other")
    assert run(path)[1] == 5


def test_a_generator_that_cannot_be_told_from_others_is_refused(path):
    class Local:
        def draw(self, rng):
            return BLOCKS.draw(rng)

        def pair(self, estimators):
            return BLOCKS.pair(estimators)

    with pytest.raises(ValueError, match=r"generator must be something that .* can tell from others"):
        run(path, generator=Local())


# ---- the file -------------------------------------------------------------------------------------------------


def change(path, statement, *values):
    with sqlite3.connect(path) as file:
        file.execute(statement, values)
    file.close()


@pytest.mark.sampled("calibrations")
@pytest.mark.parametrize(
    ("statement", "value"),
    [
        ("UPDATE simulated SET content = ? WHERE number = 2", b"\0" * 128),
        ("UPDATE simulated SET content = ? WHERE number = 2", "text"),
        ("UPDATE simulated SET header = ? WHERE number = 2", "{}"),
        ("UPDATE simulated SET header = ? WHERE number = 2", b"\xff"),
        ("UPDATE simulated SET checksum = ? WHERE number = 2", b""),
        ("UPDATE simulated SET (header, content, checksum) = (SELECT header, content, checksum FROM simulated "
         "WHERE number = ?) WHERE number = 2", 1),
    ],
)  # fmt: skip
def test_a_damaged_data_set_is_told_and_simulated_again(path, statement, value):
    first, _ = run(path)
    change(path, statement, value)
    with pytest.warns(UserWarning, match=r"1 simulated data sets in .* damaged .* simulated again"):
        second, n_fits = run(path)
    np.testing.assert_array_equal(first, second)
    assert n_fits == 1
    assert run(path)[1] == 0


@pytest.mark.sampled("calibrations")
def test_random_bytes_inside_never_give_another_number(rng, path):
    first, _ = run(path, "mcnemar_test")
    content = path.read_bytes()
    for _ in range(8):
        broken = bytearray(content)
        start = int(rng.integers(100, len(content) - 64))
        broken[start : start + 64] = rng.bytes(64)
        path.write_bytes(broken)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                found, _ = run(path, "mcnemar_test")
            except ValueError as error:
                assert str(error).startswith("store must be")  # noqa: PT017
                continue
            finally:
                for extra in ("-wal", "-shm"):
                    Path(f"{path}{extra}").unlink(missing_ok=True)
        np.testing.assert_array_equal(found, first)


def test_a_store_of_fits_gets_the_tables_of_simulations_when_it_needs_them(path):
    X, y = BLOCKS.draw(np.random.default_rng(0))
    evaluator = PairedEvaluator("2x2", METRICS, random_state=0, store=path)
    before = evaluator.evaluate([Counted(), Constant()], X, y)
    run(path)
    FITS.clear()
    after = evaluator.evaluate([Counted(), Constant()], X, y)
    np.testing.assert_array_equal(before.scores, after.scores)
    assert not FITS
    change(path, "CREATE VIEW more AS SELECT 1")
    with pytest.raises(ValueError, match=r"store must be sound; .* it has other tables"):
        run(path)


def test_the_command_lists_and_removes_simulations(path, monkeypatch):
    run(path)
    listed = CliRunner().invoke(cli.command, ["store", "ls", str(path)])
    assert "ExchangeableBlocks(n_samples=40" in listed.output
    monkeypatch.setattr("skcompare.evaluation.store.contents.environment", lambda: {"numpy": "9.9"})
    removed = CliRunner().invoke(cli.command, ["store", "gc", str(path)])
    assert "removed 0 fits and 5 simulated data sets" in removed.output
    monkeypatch.undo()
    assert run(path)[1] == 5


# ---- interrupted ----------------------------------------------------------------------------------------------

SCRIPT = """
import sys
from skcompare.calibration import ExchangeableBlocks, size
from sklearn.naive_bayes import GaussianNB
found = size("corrected_t_test", "5x2", ExchangeableBlocks(n_samples=40), "accuracy", models=GaussianNB(),
             n_datasets=int(sys.argv[2]), n_jobs=int(sys.argv[3]), store=sys.argv[1] or None)
print(found.pvalues.tobytes().hex())
"""


def stored(path):
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        try:
            return file.execute("SELECT count(*) FROM simulated").fetchone()[0]
        except sqlite3.OperationalError:
            return 0


@pytest.mark.sampled("ended processes")
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
def test_after_a_kill_only_what_is_missing_is_done_and_the_numbers_are_the_same(path):
    script = Script(path.parent, SCRIPT, path, 400, 1)
    try:
        deadline = time.monotonic() + 60
        while not path.exists() or stored(path) < 3:
            assert script.process.is_alive()
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        os.kill(script.pid, signal.SIGKILL)
        script.end()
    n_stored = stored(path)
    assert 3 <= n_stored < 400
    given = {"models": {"gaussiannb": _nb()}, "n_datasets": 20}
    evaluator = PairedEvaluator("5x2", "accuracy", store=path)
    found = simulate(evaluator, {"gaussiannb": _nb()}, BLOCKS, n_datasets=20, random_state=0)
    assert found.n_reused >= 3
    again = size("corrected_t_test", "5x2", BLOCKS, "accuracy", store=path, **given)
    fresh = size("corrected_t_test", "5x2", BLOCKS, "accuracy", **given)
    np.testing.assert_array_equal(again.pvalues, fresh.pvalues)


def _nb():
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB()


def test_an_interrupt_keeps_what_is_finished(path):
    class Stop(Exception):  # noqa: N818
        pass

    count = iter(range(100))

    def read(result):  # noqa: ARG001
        if next(count) == 3:
            raise Stop
        return {}

    evaluator = PairedEvaluator("2x2", METRICS, store=path)
    with pytest.raises(Stop):
        simulate(evaluator, {"m": Counted()}, BLOCKS, n_datasets=5, random_state=0, readings=read)
    FITS.clear()
    found = simulate(evaluator, {"m": Counted()}, BLOCKS, n_datasets=5, random_state=0)
    assert found.n_reused == 3
    assert len(FITS) / 8 == 2


@pytest.mark.sampled("calibrations")
@pytest.mark.parametrize(
    "changes",
    [
        {"metrics": ["accuracy", "bogus"]},
        {"metrics": ["recall", "accuracy"]},
        {"n_repeats": 4, "n_folds": 1},
        {"n_samples": 10**9},
        {"test_fraction": 0.9},
    ],
    ids=["renamed", "exchanged", "shape", "samples", "fraction"],
)
def test_data_sets_of_another_simulation_are_simulated_again(path, changes):
    first, _ = run(path, n_datasets=3)
    with closing(sqlite3.connect(path)) as db:
        (digest,) = db.execute("SELECT digest FROM simulations").fetchone()
        for number, again, header, content in db.execute(
            "SELECT number, again, header, content FROM simulated"
        ).fetchall():
            changed = json.dumps({**json.loads(header), **changes})
            checksum = checksum_of(content, f"{digest.hex()} {number} {again} ", changed)
            db.execute("UPDATE simulated SET header = ?, checksum = ? WHERE number = ?", (changed, checksum, number))
        db.commit()
    with pytest.warns(UserWarning, match="3 simulated data sets have other metrics or another design"):
        found, n_fits = run(path, n_datasets=3)
    assert n_fits == 3
    np.testing.assert_array_equal(found, first)
    assert run(path, n_datasets=3)[1] == 0
