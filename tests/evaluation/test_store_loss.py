"""What happens to a store: it vanishes, is cut off or damaged, the power goes, the disk is that of another machine."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import warnings
from collections import defaultdict
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.datasets import load_iris
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, RunOptions
from skcompare.calibration import ExchangeableBlocks, size
from skcompare.cli import main as cli
from tests.calibration.cheap_learners import MeanDifference

X, Y = load_iris(return_X_y=True)
MODELS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
FITS = []
FULL = os.environ.get("SKCOMPARE_FULL") == "1"
BLOCKS = ExchangeableBlocks(n_samples=40)


def evaluated(store, during=None, *, cv="5x3", models=None):
    """Scores, and the numbers of fits that were done and found; `during` is called with the number after each."""
    n_done = n_reused = 0

    def tell(event):
        nonlocal n_done, n_reused
        n_reused += event.reused
        n_done += not event.reused
        if during is not None:
            during(n_done)

    evaluator = PairedEvaluator(cv, "accuracy", random_state=0, store=store, options=RunOptions(callback=tell))
    return evaluator.evaluate(models or MODELS, X, Y).scores, n_done, n_reused


# the same in a process of its own
RUN = """
import itertools, os, signal, sys, time
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from skcompare import PairedEvaluator, RunOptions

def run(during):
    numbers = itertools.count(1)
    options = {"random_state": 0, "store": sys.argv[1], "options": RunOptions(callback=lambda _: during(next(numbers)))}
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    PairedEvaluator("5x3", "accuracy", **options).evaluate(models, *load_iris(return_X_y=True))
"""


def repaired(path):
    done = CliRunner().invoke(cli.command, ["store", "repair", str(path)])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture
def path(tmp_path):
    return tmp_path / "night" / "runs.sqlite"


@pytest.fixture
def filled(path):
    """A store with the fits of `evaluated`, as bytes; gives scores and bytes."""
    path.parent.mkdir()
    scores, n_done, _ = evaluated(path)
    assert n_done == 30
    return scores, path.read_bytes()


# a store that vanishes during the run


def unlink(path):
    for file in path.parent.iterdir():
        file.unlink()


def replace(path):
    with closing(sqlite3.connect(path.parent / "other")) as other:
        other.execute("CREATE TABLE t (a)")
        other.commit()
    (path.parent / "other").replace(path)


LOSSES = {
    "deleted": (unlink, "is gone"),
    "moved": (lambda path: path.rename(path.parent / "moved"), "is gone"),
    "in a deleted folder": (lambda path: shutil.rmtree(path.parent), "is gone"),
    "replaced": (replace, "was replaced by another file"),
    "without its log": (lambda path: Path(f"{path}-wal").unlink(), "has lost its log"),
    "cut off": (lambda path: os.truncate(path, 8192), "was cut off"),
    "emptied": (lambda path: os.truncate(path, 0), "was cut off"),
}


@pytest.mark.sampled
@pytest.mark.parametrize("how", LOSSES)
def test_a_store_that_vanishes_is_told_and_loses_no_fit(path, filled, how):
    """The second half of a run: what was found in the store is in the new one too."""
    scores, _ = filled
    lose, told = LOSSES[how]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        longer, n_done, _ = evaluated(path, lambda n: lose(path) if n == 7 else None, cv="8x3")
    np.testing.assert_array_equal(longer[:, :15], scores)
    found = [str(warning.message) for warning in caught]
    assert len(found) == 1
    assert found[0].startswith(f"STORE: the store {str(path)!r} {told}: ")
    folder = path.parent if path.parent.exists() else path.parent.parent
    new = folder / "runs.rescued.sqlite"
    assert repr(str(new)) in found[0]
    again, n_again, n_reused = evaluated(new, cv="8x3")
    np.testing.assert_array_equal(again, longer)
    n_lost = re.search(r", (\d+) are lost and will be fitted again", found[0])
    assert n_again == (int(n_lost[1]) if n_lost else 0)
    if told == "was cut off":  # what this run has not written itself, only its file had
        assert n_done + n_reused >= 18 + 18
        assert "; skcompare store repair FILE saves what is left in the old one" in found[0]
    else:
        assert n_lost is None
        assert (n_again, n_reused) == (0, 48)


def test_what_was_written_before_a_file_was_lost_is_there_when_the_next_one_is_cut_off(path):
    path.parent.mkdir()
    rescued, n_lost = path.parent / "runs.rescued.sqlite", 0

    def lose(n_done):
        nonlocal n_lost
        if path.exists() and n_done > 1 and not n_lost:
            unlink(path)
            n_lost = 1
        elif rescued.exists() and n_lost == 1:
            os.truncate(rescued, 0)
            n_lost = 2

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        first = evaluated(path, lose, cv="40x3")[0]
    assert " is gone: " in str(caught[0].message)
    assert " was cut off: " in str(caught[1].message)
    again, n_again, _ = evaluated(path.parent / "runs.rescued.rescued.sqlite", cv="40x3")
    np.testing.assert_array_equal(again, first)
    assert (n_lost, n_again) == (2, 0)


def test_a_remembered_seed_moves_too(path):
    path.parent.mkdir()
    evaluator = PairedEvaluator(
        "2x2", "accuracy", store=path, options=RunOptions(callback=lambda _: path.exists() and unlink(path))
    )
    with pytest.warns(UserWarning, match="STORE"):
        first = evaluator.evaluate(MODELS, X, Y).scores
    again = PairedEvaluator("2x2", "accuracy", store=path.parent / "runs.rescued.sqlite").evaluate(MODELS, X, Y)
    np.testing.assert_array_equal(again.scores, first)


def test_the_fits_of_other_runs_move_too(path):
    path.parent.mkdir()
    other = {"deep": DecisionTreeClassifier(max_depth=2, random_state=0)}
    first = evaluated(path, models=other)[0]
    with pytest.warns(UserWarning, match=r"STORE: .* of this run were moved to"):
        evaluated(path, lambda n: path.exists() and n == 3 and unlink(path))
    again, n_again, _ = evaluated(path.parent / "runs.rescued.sqlite", models=other)
    np.testing.assert_array_equal(again, first)
    assert n_again == 0


def test_where_no_file_can_be_made_the_old_warning_says_so(path, monkeypatch):
    path.parent.mkdir()
    monkeypatch.setattr("skcompare.evaluation.store.store._beside", lambda path: f"{path}/none/x")

    def lose(n_done):
        if n_done == 2:
            unlink(path)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        evaluated(path, lose, cv=3)
    told = [str(warning.message) for warning in caught]
    assert "it is gone; store must be in a directory that exists" in told[0]
    assert "4 finished fits could not be written" in told[1]
    assert f"; 2 finished fits were in {str(path)!r}, which is lost (it is gone; " in told[1]


def test_a_new_file_that_cannot_be_used_is_not_left_behind(path, monkeypatch):
    path.parent.mkdir()
    tried = []

    def refuse(checkpoint):
        tried.append(checkpoint)
        raise sqlite3.OperationalError("database or disk is full")

    def lose(n_done):
        if n_done == 2:
            monkeypatch.setattr("skcompare.evaluation.store.checkpoint.Checkpoint._register", refuse)
            unlink(path)

    monkeypatch.setattr("skcompare.evaluation.store.store.RETRY_SECONDS", 0.0)
    with pytest.warns(UserWarning, match="it is gone; database or disk is full"):
        evaluated(path, lose, cv=3)
    assert tried
    assert not list(path.parent.iterdir())


def test_a_store_that_vanishes_while_nothing_is_left_to_write_is_told(path, filled, monkeypatch):
    """All fits were found in it, and there is no place for another one."""
    monkeypatch.setattr("skcompare.evaluation.store.store._beside", lambda path: f"{path}/none/x")
    events = []

    def lose(event):
        events.append(event)
        if len(events) == 30:
            unlink(path)

    evaluator = PairedEvaluator("5x3", "accuracy", random_state=0, store=path, options=RunOptions(callback=lose))
    with pytest.warns(UserWarning, match="store: 30 finished fits were in .*, which is lost") as caught:
        found = evaluator.evaluate(MODELS, X, Y)
    assert len(caught) == 1
    np.testing.assert_array_equal(found.scores, filled[0])


@pytest.mark.parametrize("how", ["deleted", "replaced"])
@pytest.mark.parametrize("last", [False, True])
def test_a_store_that_vanishes_between_two_data_sets_is_told(path, how, last):
    path.parent.mkdir()

    def second():
        if not last:
            LOSSES[how][0](path)
        return X[::2], Y[::2]

    evaluator = PairedEvaluator("2x3", "accuracy", random_state=0, store=path)
    datasets = {"first": (X, Y), "second": second, "third": (X[1::2], Y[1::2])}
    if last or how == "replaced":
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            evaluator.evaluate_datasets(MODELS, datasets)
        told = [str(one.message) for one in caught if str(one.message).startswith("STORE")]
        assert len(told) == (0 if last else 1)
    else:
        with pytest.warns(UserWarning, match=r"STORE: .* data sets of a study: 12 finished fits") as caught:
            study = evaluator.evaluate_datasets(MODELS, datasets)
        assert len(caught) == 1
        np.testing.assert_array_equal(
            study.results["first"].scores,
            PairedEvaluator("2x3", "accuracy", random_state=0).evaluate(MODELS, X, Y).scores,
        )


def test_simulations_move_to_a_new_file_too(path, monkeypatch):
    path.parent.mkdir()

    class Log(list):
        """Deletes the store while the third data set is fitted; what the model reads of it would be part of its key."""

        def append(self, value):
            super().append(value)
            if len(self) == 20 and path.exists():
                unlink(path)

    class Vanishing(MeanDifference):
        def fit(self, X, y):
            FITS.append("fit")
            return super().fit(X, y)

    monkeypatch.setitem(globals(), "FITS", Log())
    monkeypatch.setitem(globals(), "Vanishing", Vanishing)
    Vanishing.__qualname__ = "Vanishing"
    with pytest.warns(UserWarning, match=r"STORE: .* data sets of this simulation were moved"):
        first = simulated(path, Vanishing())
    new = path.parent / "runs.rescued.sqlite"
    listed = CliRunner().invoke(cli.command, ["store", "ls", str(new)]).output
    assert listed.splitlines()[-1].split()[2] == "6"
    np.testing.assert_array_equal(simulated(new, Vanishing()), first)
    assert len(FITS) <= 6 * 8 + 8


def simulated(path, model=None):
    given = {"models": model or MeanDifference(), "n_datasets": 6, "store": path}
    return size("corrected_t_test", "2x2", BLOCKS, ["accuracy"], **given).pvalues


@pytest.mark.usefixtures("filled")
def test_a_cleaning_meanwhile_is_no_loss(path):
    def clean(n_done):
        if n_done == 3:
            done = CliRunner().invoke(cli.command, ["store", "gc", str(path), "--older-than", "0"])
            assert done.output.startswith("removed ")

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluated(path, clean, cv="8x3")
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_two_runs_of_one_process_keep_the_locks_of_each_other(path):
    """Whoever opens and closes a file takes away all locks on it that its process holds; a cleaning may then begin."""
    path.parent.mkdir()
    code = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM fits')"

    def open_again(n_done):
        if n_done == 3:
            PairedEvaluator(2, "accuracy", random_state=0, store=path).evaluate(MODELS, X, Y)
            subprocess.run([sys.executable, "-c", code, str(path)], check=True)  # the last one to leave tidies up
            assert Path(f"{path}-wal").exists()

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluated(path, open_again)
    assert evaluated(path)[2] == 30


# a damaged store


def first_page(content):
    return bytes(4096) + content[4096:]


DAMAGE = {
    "its beginning": first_page,
    "its header": lambda content: bytes(100) + content[100:],
    "its tables": lambda content: content.replace(b"CREATE TABLE seeds", b"CREATE TABLE weeds"),
    "its end": lambda content: content[:-4096],
    "a row": lambda content: content[:-20] + b"x" + content[-19:],  # in a checksum
    "a page of an index": lambda content: content[: 8 * 4096] + bytes(4096) + content[9 * 4096 :],
}


@pytest.mark.sampled
@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_store_is_repaired(path, filled, what):
    scores, content = filled
    path.write_bytes(DAMAGE[what](content))
    damaged = path.read_bytes()
    if what != "a row":
        with pytest.raises(ValueError, match=r"^store must be sound; .*skcompare store repair FILE"):
            evaluated(path)
    assert path.read_bytes() == damaged
    done = repaired(path)
    assert "the damaged file is now" in done
    assert path.with_name("runs.sqlite.damaged").read_bytes() == damaged
    found, _, n_reused = evaluated(path)
    np.testing.assert_array_equal(found, scores)
    assert 5 < n_reused < 29 if what == "its end" else n_reused == (29 if what == "a row" else 30), done
    assert "is sound and stays as it is: 30 fits" in repaired(path)


def test_rows_larger_than_a_page_are_repaired(path, rng):
    path.parent.mkdir()
    X, y = rng.normal(size=(3000, 2)), rng.normal(size=3000)
    models = {"dummy": DummyRegressor(), "linear": LinearRegression()}

    def scores():
        evaluator = PairedEvaluator(2, "r2", random_state=0, store=path)
        return [evaluator.evaluate(models, X[:n], y[:n]).scores for n in range(900, 3001, 300)]

    first = scores()
    path.write_bytes(first_page(path.read_bytes()))
    assert repaired(path).startswith("saved 32 fits")
    np.testing.assert_array_equal(scores(), first)


@pytest.mark.slow
def test_random_damage_is_repaired_without_another_number(rng, path, filled):
    scores, content = filled
    kept = []
    for _ in range(100 if FULL else 6):
        broken = bytearray(content)
        for start in rng.integers(0, len(content) - 256, size=4):
            broken[start : start + 256] = rng.bytes(256)
        unlink(path)
        path.write_bytes(broken)
        repaired(path)
        found, _, n_reused = evaluated(path)
        np.testing.assert_array_equal(found, scores)
        kept.append(n_reused)
    assert np.mean(kept) > 15


@pytest.mark.sampled("logs of stores")
def test_a_repair_reads_the_log_too(path):
    path.parent.mkdir()
    code = f"{RUN}\nrun(lambda n: os.kill(os.getpid(), signal.SIGKILL) if n == 20 else None)"
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    path.write_bytes(bytes(100))
    with pytest.raises(ValueError, match="store must be sound"):
        evaluated(path)
    n_saved = int(re.match(r"saved (\d+) fits and 0 simulated data sets", repaired(path))[1])
    assert n_saved >= 20
    assert evaluated(path)[1:] == (30 - n_saved, n_saved)


@pytest.mark.sampled("logs of stores")
@pytest.mark.parametrize("start", [24, 1000])
def test_a_repair_reads_a_log_that_sqlite_ignores(path, start):
    """Its sums are wrong from the beginning, or from a page on; the rows that it holds are right."""
    path.parent.mkdir()
    code = f"{RUN}\nrun(lambda n: os.kill(os.getpid(), signal.SIGKILL) if n == 20 else None)"
    subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    log = Path(f"{path}-wal")
    content = log.read_bytes()
    log.write_bytes(content[:start] + b"\xff" * 8 + content[start + 8 :])
    path.with_name("runs.sqlite-journal").write_bytes(b"left behind")
    assert int(re.match(r"saved (\d+) fits and 0 simulated data sets", repaired(path))[1]) >= 20
    assert not path.with_name("runs.sqlite-journal").exists()
    found, n_done, n_reused = evaluated(path)
    np.testing.assert_array_equal(found, evaluated(None)[0])
    assert (n_done, n_reused >= 20) == (30 - n_reused, True)


def test_simulations_are_repaired(path):
    path.parent.mkdir()
    first = simulated(path)
    path.write_bytes(first_page(path.read_bytes()))
    assert repaired(path).startswith("saved 0 fits and 6 simulated data sets")
    np.testing.assert_array_equal(simulated(path), first)


def test_what_is_no_store_is_not_repaired(path):
    path.parent.mkdir()
    path.write_text("mine\n" * 3000)
    done = CliRunner().invoke(cli.command, ["store", "repair", str(path)])
    assert "FILE must be a file made by skcompare" in done.output
    assert path.read_text() == "mine\n" * 3000
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_fit_is_no_other_models_fit(path, filled):
    """However its row was changed: the checksum has the digest of the model in it."""
    with sqlite3.connect(path) as file:
        for old, new in ((1, 3), (2, 1), (3, 2)):
            file.execute("PRAGMA foreign_keys = OFF")
            file.execute("UPDATE fits SET estimator = ? WHERE estimator = ?", (new, old))
    file.close()
    with pytest.warns(UserWarning, match="30 fits in .* are damaged"):
        found, n_done, _ = evaluated(path)
    assert n_done == 30
    np.testing.assert_array_equal(found, filled[0])


# the power goes


@pytest.fixture(scope="session")
def disk_log(tmp_path_factory):
    """A library that logs what a process writes and flushes."""
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs a C compiler and LD_PRELOAD")
    library = tmp_path_factory.mktemp("disk") / "disk_log.so"
    source = Path(__file__).with_name("disk_log.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"], check=True)
    return library


def logged(content):
    """Time, number, start, size, name, kind and data of each record."""
    at, records = 0, []
    while at < len(content):
        time, number, start, length, name_length, kind = struct.unpack_from("=dqqqqq", content, at)
        at += 48
        name = content[at : at + name_length].decode()
        at += name_length
        held = length if chr(kind) == "w" else 0
        records.append((time, number, start, length, name, chr(kind), content[at : at + held]))
        at += held
    return sorted(records, key=lambda record: record[1])


def on_disk(records, moment, is_kept):
    """The files at a moment: all that was flushed, and what of the rest `is_kept` says; in pieces of 512 bytes."""
    records = [record for record in records if record[0] <= moment]
    flushed = defaultdict(int)
    for _, _, start, _, name, kind, _ in records:
        if kind == "s":
            flushed[name] = max(flushed[name], start)
    files = {}
    for _, number, start, length, name, kind, data in records:
        sure = number < flushed[str(Path(name).parent) if kind == "u" else name]
        if kind == "u" and (sure or is_kept()):
            files.pop(name, None)
        if kind == "t" and (sure or is_kept()):
            files[name] = files.get(name, bytearray())[:length].ljust(length, b"\0")
        if kind == "w":
            for offset in range(0, length, 512):
                if sure or is_kept():
                    piece = data[offset : offset + 512]
                    file = files.setdefault(name, bytearray())
                    file.extend(bytes(max(0, start + offset + len(piece) - len(file))))
                    file[start + offset : start + offset + len(piece)] = piece
    return files


@pytest.mark.sampled("logs of stores")
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ext4", "nfs4"])
def test_a_power_cut_loses_at_most_the_last_second(disk_log, path, tmp_path, rng, kind):
    """Also while a fit takes long and nothing is saved; and whatever of the rest has reached the disk by chance."""
    path.parent.mkdir()
    expected, log = evaluated(None)[0], tmp_path / "log"
    environment = {"LD_PRELOAD": str(disk_log), "LOGGED_FOLDER": str(path.parent), "LOGGED_TO": str(log)}
    code = f"import skcompare.evaluation.store.file as files\nfiles.kind_of = lambda name: {kind!r}\n{RUN}"
    code = f"{code}\nrun(lambda n: (print(time.monotonic(), flush=True), time.sleep(1.3 if n == 12 else 0.03)))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    told, records = np.array(done.stdout.split(), dtype=float), logged(log.read_bytes())
    assert len(told) == 30
    assert {record[5] for record in records} >= {"w", "s"}
    made = next(i for i, record in enumerate(records) if record[4] == str(path) and record[5] == "s")
    moments = [records[made - 1][0], told[11] + 0.95, told[11] + 1.25, told[20]]
    if FULL:
        moments += [*told, *np.arange(told[11], told[12], 0.1), *(record[0] for record in records)]
    for moment in moments:
        numbers = itertools.count()
        for is_kept in (lambda: False, lambda: rng.random() < 0.5, lambda numbers=numbers: next(numbers) > 0):
            shutil.rmtree(path.parent)
            path.parent.mkdir()
            for name, content in on_disk(records, moment, is_kept).items():
                Path(name).write_bytes(content)
            found, _, n_reused = evaluated(path)
            np.testing.assert_array_equal(found, expected)
            assert n_reused >= (told <= moment - 1).sum()


def test_only_a_file_that_its_journal_says_was_empty_is_made_anew(path, filled, rng):
    """The power went while it was made; a file of others, with such a journal or without, stays as it is."""
    journal = bytes.fromhex("d9d505f920a163d7 00000000 01234567 00000000 00000200 00001000").ljust(512, b"\0")
    sizes = rng.integers(1, 30, size=3) * 512
    for content in [
        *(bytes(n) for n in sizes),
        bytes(512) + filled[1][512:],
        bytes(200) + rng.bytes(50),
        b"text" * 500,
        rng.bytes(4096),
    ]:
        for of_pages, ending in ((0, 0), (3, 0), (0, 12), (0, 512)):
            path.write_bytes(content)
            Path(f"{path}-journal").write_bytes((journal[:16] + of_pages.to_bytes(4, "big") + journal[20:])[ending:])
            if any(content) or of_pages or ending:
                with pytest.raises(ValueError, match=r"^store must be (a file made by skcompare|sound); "):
                    evaluated(path)
                assert path.read_bytes() == content
            else:
                shown = CliRunner().invoke(cli.command, ["store", "ls", str(path)])
                assert (shown.exit_code, "it is empty" in shown.output) == (2, True)
                assert evaluated(path)[1:] == (30, 0)
                assert evaluated(path)[1:] == (0, 30)


# file systems of other machines


@pytest.fixture
def mounted(monkeypatch, tmp_path):
    def mounted(kind):
        table = tmp_path / "mountinfo"
        folder = str(tmp_path).replace(" ", "\\040")
        table.write_text(
            "1 0 8:1 / / rw - ext4 /dev/root rw\n"
            f"2 1 0:40 / {folder} rw,relatime shared:1 - {kind} server:/home rw\n"
            "3 1 8:2 / /elsewhere rw - ext4 /dev/b rw\n"
        )
        monkeypatch.setattr("skcompare.evaluation.store.file.MOUNTS", str(table))

    return mounted


@pytest.mark.parametrize("kind", ["nfs4", "cifs"])
def test_a_shared_file_system_is_told_and_gets_no_write_ahead_log(path, mounted, kind):
    path.parent.mkdir()
    evaluated(path)  # made on a disk and copied there
    mounted(kind)
    with pytest.warns(UserWarning, match=f"STORE: .* is on {kind}") as caught:
        evaluated(path, lambda _: [file.name for file in path.parent.iterdir()] == [path.name] or 1 / 0, cv="7x3")
    assert len(caught) == 1
    assert path.read_bytes()[18:20] == b"\1\1"  # a rollback journal


def test_a_file_system_without_locks_is_refused(path, mounted):
    path.parent.mkdir()
    mounted("fuse.sshfs")
    with pytest.raises(ValueError, match=r"^store must be on a file system that .* on fuse\.sshfs"):
        evaluated(path)
    assert not path.exists()
    mounted("ext4")
    assert evaluated(path)[1] == 30
