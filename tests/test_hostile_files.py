"""Files from strangers: they run no code, read no other file, take no more memory than they may, and inject nothing."""

from __future__ import annotations

import copy
import io
import json
import os
import re
import stat
import struct
import subprocess
import sys
import time
import tracemalloc
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare
from skcompare import PairedEvaluator, StudyResult, from_frame
from skcompare._core.document import Column, Document, Grid, Items, Paragraph, walked
from skcompare.reporting import latex, markdown
from tests.saved_files import HEADER, members_of, signed, with_header, write

MIB = 2**20
X, Y = make_classification(60, random_state=0)
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}

# What a terminal, an editor, Markdown, HTML, LaTeX, a shell or a spreadsheet could take for more than a name.
NAMES = (
    "=cmd|' /C calc'!A1",
    "+1+1",
    "-2",
    "@SUM(A1)",
    "*star",
    "[link](http://evil.example)",
    "![image](https://evil.example/x.png)",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "https://evil.example www.evil.example a@evil.example",
    "a|b||c",
    "`code` ~~struck~~ **bold** _it_",
    "# heading",
    "&lt;b&gt; &amp; &#60;",
    r"\input{/etc/passwd}",
    r"\write18{touch x}",
    r"$x^2_3$ 50% & #1 ~ {a} \\",
    "%0A{{7*7}}${7*7}",
    "../../etc/passwd",
    "'; DROP TABLE fits; --",
)
CONTROLS = ("\x1b[2Jx", "a\nb", "a\rb", "a\tb", "a\x00b", "x\u202edcba", "x\u2066y", "a\x9b31m", "a\u2028b", "\ud800")


def table(names=("a", "b"), metric="accuracy"):
    scores = np.random.default_rng(0).uniform(0.7, 0.9, 5 * len(names))
    return {
        "model": np.repeat(list(names), 5).tolist(),
        "metric": [metric] * 5 * len(names),
        "fold": [0, 1, 2, 3, 4] * len(names),
        "score": scores.tolist(),
    }


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The path of a saved result."""
    path = tmp_path_factory.mktemp("saved") / "result.skc"
    PairedEvaluator(cv=3, scoring=["accuracy", "f1"], random_state=0).evaluate(MODELS, X, Y).save(path)
    return path


@pytest.fixture
def rewritten(saved, tmp_path):
    """Write the saved result with some members and entries of its header changed, digest included; gives the path."""

    def rewritten(members=None, method=zipfile.ZIP_STORED, **entries):
        contents = members_of(saved)
        contents[HEADER] = json.dumps({**json.loads(contents[HEADER]), **entries}).encode()
        return write(tmp_path / "hostile.skc", {**contents, **(members or {})}, method)

    return rewritten


@pytest.fixture
def refusal(run):
    """The one line with which the command refuses some arguments."""

    def refusal(*arguments):
        status, out, err = run(*arguments)
        assert (status, out) == (2, "")
        assert err.endswith("\n")
        assert err[:-1].isprintable()
        return err

    return refusal


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()


def refuses(path, words, *, most_bytes=32 * MIB):
    """The file is refused in these words, in little memory."""
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=words) as caught:
            skcompare.load(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < most_bytes
    assert str(caught.value).isprintable()


# ---- memory: saved files --------------------------------------------------------------------------------------


def test_arrays_that_were_compressed_to_nothing_are_refused_together(rewritten):
    zeros = npy(np.zeros(60 * MIB, dtype=np.uint8))
    path = rewritten({f"bomb{i}.npy": zeros for i in range(5)}, zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 4 * MIB
    refuses(path, "its members claim .* bytes together")


def test_one_array_that_was_compressed_to_nothing_is_refused(rewritten):
    path = rewritten({"bomb.npy": npy(np.zeros(300 * MIB, dtype=np.uint8))}, zipfile.ZIP_DEFLATED)
    refuses(path, "its members claim .* bytes together")


def test_members_that_share_their_bytes_are_counted_each(rewritten):
    path = rewritten({"bomb.npy": npy(np.zeros(60 * MIB, dtype=np.uint8))}, zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(path, "a") as archive:
        for i in range(1000):
            twin = copy.copy(archive.getinfo("bomb.npy"))
            twin.filename = f"bomb{i}.npy"
            archive.filelist.append(twin)
        archive.writestr("last.txt", "")  # makes it write the list again
    refuses(path, "its members claim .* bytes together")


def test_a_member_of_a_name_that_was_there_is_refused(rewritten):
    path = rewritten()
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("scores.npy", npy(np.zeros((2, 3, 2))))
    refuses(path, "two members of one name")


def test_a_million_members_are_refused_before_they_are_listed(tmp_path):
    entry = struct.pack("<4s4B4HL2L5H2L", b"PK\x01\x02", 20, 3, 20, 0, *[0] * 4, *[0] * 3, 1, *[0] * 4, 0, 0) + b"a"
    entries = entry * 1_000_000
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 65535, 65535, len(entries), 0, 0)
    path = tmp_path / "members.skc"
    path.write_bytes(entries + end)
    refuses(path, "list of members takes 47000000 bytes; at most 33554432 are possible")


def test_a_header_that_was_compressed_to_nothing_is_refused(tmp_path):
    path = tmp_path / "hostile.skc"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(HEADER, b"[" + b"[]," * (10 * MIB) + b"[]]")
    refuses(path, "result.json claims 31457284 bytes; at most 4194304 are possible")


@pytest.mark.parametrize("offset", [2**31, 2**32 - 2, 10**6])
def test_a_member_outside_the_file_is_refused(rewritten, offset):
    path = rewritten()
    content = bytearray(path.read_bytes())
    entry = content.index(b"PK\x01\x02")
    content[entry + 42 : entry + 46] = struct.pack("<I", offset)
    path.write_bytes(content)
    refuses(path, "is said to lie outside the file")


@pytest.mark.parametrize("size", [0, 2**31, 2**32 - 2])
def test_a_list_of_members_that_is_not_where_it_should_be_is_refused(rewritten, size):
    path = rewritten()
    content = bytearray(path.read_bytes())
    content[-10:-6] = struct.pack("<I", size)  # how long the list is said to be
    path.write_bytes(content)
    refuses(path, "path must be a file saved by skcompare")


@pytest.mark.parametrize("n_samples", [2**40, 2**62, 10**400, -1, 1.5])
def test_samples_that_no_split_uses_take_no_memory(tmp_path, n_samples):
    path = tmp_path / "pairs.skc"
    cv = ShuffleSplit(3, test_size=10, random_state=0)
    PairedEvaluator(cv=cv, scoring=["accuracy"], random_state=0).evaluate(MODELS, X, Y).save(path)
    members = members_of(path)
    header = json.loads(members[HEADER])
    header["design"]["n_samples"] = n_samples
    kept = {name: content for name, content in members.items() if not name.startswith(("y", "estimator"))}
    refuses(write(path, {**kept, HEADER: json.dumps(header)}), "damaged: (n_samples|the design) must")


@pytest.mark.parametrize("within", ["", '"provenance": '])
def test_an_entry_of_the_header_that_is_there_twice_is_refused(saved, tmp_path, within):
    """Python takes the last of them; another reader, which a reviewer may have, takes the first."""
    members = members_of(saved)
    text = members[HEADER].decode()
    start = text.index("{", text.index(within))
    members[HEADER] = f'{text[: start + 1]}"cv": 1, "cv": 2, {text[start + 1 :]}'.encode()
    path = tmp_path / "twice.skc"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    refuses(path, "'cv' twice")


def twice(header, rng, n):
    """A header in which one of many names of the provenance stands twice."""
    names = [f"k{i}" for i in rng.permutation(n)]
    entries = ", ".join(f'"{name}": 0' for name in [*names, names[-1]])
    return json.dumps(header).replace('"provenance": {', f'"provenance": {{{entries}, ', 1)


def failed(header, rng, n):
    """A header in which all of many models failed, in any order."""
    models = [header["estimators"][i] for i in rng.permutation(n)]
    failures = [{"estimator": name, "split": 0, "metric": "score", "message": "no"} for name in models]
    return json.dumps({**header, "failures": failures})


def ill_defined(header, rng, n):
    """A header in which the scores of all of many models are 0/0 once."""
    counts = {header["estimators"][i]: {"score": 1} for i in rng.permutation(n)}
    return json.dumps({**header, "ill_defined": counts})


@pytest.mark.sampled
@pytest.mark.parametrize(("make", "models"), [(twice, False), (failed, True), (ill_defined, True)])
def test_the_time_to_load_grows_as_the_file_does(rng, tmp_path, make, models):
    def seconds(n, times):
        names = [f"m{i}" for i in range(n if models else 2)]
        path = tmp_path / "many.skc"
        from_frame(
            {"model": [*names, *names], "fold": np.repeat([0, 1], len(names)), "score": [0.5] * 2 * len(names)}
        ).save(path)
        content = members_of(path)
        content[HEADER] = make(json.loads(content[HEADER]), rng, n).encode()
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, member in (signed(content) if models else content).items():
                archive.writestr(name, member)
        taken = []
        for _ in range(times):
            start = time.process_time()
            with suppress(ValueError) if models else pytest.raises(ValueError, match="twice"):
                skcompare.load(path)
            taken.append(time.process_time() - start)
        return min(taken)

    few, many = seconds(500, 3), seconds(32_000, 1)
    assert many < 3 * 64 * few  # a loop in a loop takes 400 times as long and more


@pytest.mark.parametrize("depth", [500, 900, 5_000, 200_000])
def test_a_deep_header_is_loaded_or_refused(rewritten, depth):
    deep = '{"a":' * depth + "1" + "}" * depth
    header = f'{{"format": 3, "provenance": {deep}}}'.encode()
    refuses(rewritten({HEADER: header}), "path must be a file saved by skcompare")


@pytest.mark.parametrize("name", ["train_sizes", "test_sizes", "n_samples"])
@pytest.mark.parametrize("value", [10**400, 2**63, -1, 0, 1.5, True, "1"])
def test_sizes_in_a_table_of_scores_are_sound(tmp_path, name, value):
    path = tmp_path / "table.skc"
    from_frame({**table(), "n_train": [80] * 10, "n_test": [20] * 10}).save(path)
    with_header(path, lambda header: header["design"].update({name: value if name == "n_samples" else [value] * 5}))
    refuses(path, f"damaged: {name} must")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"test_counts": [1]}, "class_counts must have a count per split"),
        ({"total": 0}, "class_counts must have a count per split, of at most the samples of the class"),
        ({"total": -1}, "total must"),
        ({"total": 10**400}, "total must be an integer below"),
        ({"total": 9}, "class_counts must"),
        ({"label": ""}, "label must not be empty"),
        ({"label": "another"}, "class_counts must be those of y"),
        ({"more": 1}, "'more', which is not known"),
    ],
)
def test_counts_of_classes_are_sound(saved, tmp_path, change, words):
    path = tmp_path / "counts.skc"
    path.write_bytes(saved.read_bytes())
    with_header(path, lambda header: header["design"]["class_counts"][0].update(change))
    refuses(path, words)


@pytest.mark.parametrize("seed", ["x", -1, 2**32, 1.5, True, [1], {"a": 1}])
def test_a_seed_that_is_none_is_refused(rewritten, seed):
    refuses(rewritten(provenance={"random_state": seed}), "random_state must be an integer")


def test_what_is_too_large_to_be_read_is_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr("skcompare._core.archive.MAX_HEADER_BYTES", 100)
    with pytest.raises(ValueError, match="described in 100 bytes"):
        from_frame(table()).save(tmp_path / "result.skc")
    assert list(tmp_path.iterdir()) == []


# ---- memory: tables -------------------------------------------------------------------------------------------


def in_little_memory(refused, words):
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=words):
            refused()
        assert tracemalloc.get_traced_memory()[1] < 32 * MIB
    finally:
        tracemalloc.stop()


@pytest.mark.sampled
@pytest.mark.parametrize("columns", [("repeat", "fold"), ("model", "fold"), ("model", "metric", "repeat", "fold")])
def test_a_table_of_gaps_is_refused_before_it_is_laid_out(columns):
    n = 6_000  # squared, more than the memory that is allowed
    frame = {"model": ["a", "b"] * (n // 2), "fold": [0] * n, "score": [0.5] * n}
    frame |= {name: [f"{name}{i}" for i in range(n)] for name in columns}
    in_little_memory(lambda: from_frame(frame), "that takes|6,000 scores are missing")


def test_a_study_of_gaps_is_refused_before_it_is_laid_out():
    n = 6_000
    frame = {"dataset": [f"d{i}" for i in range(n)], "model": [f"m{i}" for i in range(n)], "score": [0.5] * n}
    in_little_memory(
        lambda: StudyResult.from_frame(frame, missing="keep"),
        "that takes 36000000 rows",
    )


def test_a_compressed_table_is_not_unpacked(tmp_path, refusal):
    path = tmp_path / "scores.csv.gz"
    pd.DataFrame(table()).to_csv(path, index=False)
    assert "cannot read" in refusal("analyze", path)


@pytest.mark.slow
def test_a_table_of_very_many_columns_is_answered(tmp_path, refusal):
    path = tmp_path / "wide.csv"
    n = 20_000 if os.environ.get("SKCOMPARE_FULL") == "1" else 4_000
    path.write_text(",".join(f"c{i}" for i in range(n)) + "\n")
    assert "has no rows below its header" in refusal("analyze", path)


def test_a_column_name_without_end_is_answered(tmp_path, refusal):
    path = tmp_path / "long.csv"
    path.write_text(f"x,{'y' * 200_000}\n1,2\n")
    assert "larger than field limit" in refusal("analyze", path)


# ---- other files, and code ------------------------------------------------------------------------------------

WATCHED = """
import sys, skcompare
good, *hostile = sys.argv[1:]
skcompare.load(good).summary()
seen, watching = [], []
names = ("open", "exec", "os.system", "os.exec", "os.remove", "os.rename", "os.mkdir", "os.symlink", "os.listdir",
         "subprocess.Popen", "socket.connect", "pickle.find_class", "import", "shutil.unpack_archive")
sys.addaudithook(lambda name, args: seen.append((name, str(args[0]))) if watching and name in names else None)
for path in hostile:
    watching.append(True)
    try:
        skcompare.load(path)
    except ValueError:
        pass
    watching.clear()
print(len(seen) >= len(hostile), {found for found in seen if found[1] not in hostile})
"""


def test_loading_opens_the_file_itself_and_nothing_else(saved, tmp_path):
    members = {
        "../../escaped.npy": npy(np.zeros(3)),
        "/etc/escaped.npy": npy(np.zeros(3)),
        "C:\\\\escaped.npy": npy(np.zeros(3)),
        "extra.npy": npy(np.array([print], dtype=object)),
        "scores.npy": b"/etc/passwd",
    }
    hostile = []
    own = members_of(saved)
    for i, (name, content) in enumerate(members.items()):
        path = tmp_path / f"hostile{i}.skc"
        link = zipfile.ZipInfo(name)
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        with zipfile.ZipFile(path, "w") as new:
            for other, kept in signed({**own, name: content}).items():
                new.writestr(link if other == name else other, kept)
        hostile.append(str(path))
    files = sorted(tmp_path.iterdir())
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(saved), *hostile], capture_output=True, text=True, check=True
    )
    assert done.stdout == "True set()\n"
    assert sorted(tmp_path.iterdir()) == files


OFFLINE = """
import os, sys
HOSTS = ("connect", "bind", "getaddrinfo", "gethostbyname", "sendto")
def hook(name, args):
    if name.startswith("socket.") and name[7:] in HOSTS:
        with open(os.environ["SKCOMPARE_TOLD"], "a") as told:
            told.write(f"{name} {args}\\n")
        raise OSError(f"no network: {name} {args}")
sys.addaudithook(hook)
"""
EVERYTHING = """
import socket, sys, skcompare
from pathlib import Path
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
try:
    socket.create_connection(("localhost", 9), timeout=1)
except OSError as error:
    print(str(error).split(":")[0])
Path(sys.argv[1]).write_text("")
X, y = load_iris(return_X_y=True)
models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier()}
options = {"store": "runs.sqlite"}
if sys.argv[2] == "1":
    limited = skcompare.RunOptions(fit_timeout=600)  # with a time limit every fit is in a worker process
    options |= {"n_jobs": 2, "options": limited}
result = skcompare.PairedEvaluator(cv=3, scoring=["accuracy"], random_state=0, **options).evaluate(models, X, y)
result.save("a.skc")
loaded = skcompare.load("a.skc")
loaded.to_html("a.html"), loaded.to_markdown(), loaded.to_latex(), loaded.methods_text(), str(loaded)
print(skcompare.verify(loaded, X, y).outcome)
"""


@pytest.mark.slow
def test_nothing_is_asked_of_the_network(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(OFFLINE)
    told = tmp_path / "told.txt"
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": path, "SKCOMPARE_TOLD": str(told)}
    ran = [sys.executable, "-c", EVERYTHING, str(told), os.environ.get("SKCOMPARE_FULL", "0")]
    done = subprocess.run(ran, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    assert (done.stdout, done.stderr) == ("no network\nidentical\n", "")
    assert told.read_text() == ""


def test_a_table_is_text_and_never_run(tmp_path, run):
    trap = tmp_path / "trap"
    code = f"__import__('pathlib').Path({str(trap)!r}).touch()"
    path = tmp_path / "scores.csv"
    pd.DataFrame(table((code, "=cmd|' /C calc'!A1"))).to_csv(path, index=False)
    status, out, _ = run("analyze", path)
    assert status == 0
    assert not trap.exists()
    assert "=cmd|' /C calc'!A1" in out


# ---- names: refused with control characters, shown as they are without ----------------------------------------


@pytest.mark.parametrize("name", CONTROLS)
def test_control_characters_in_names_are_refused_at_every_door(name, rewritten):
    words = r"must be named without control characters; got '.*\\(x|n|r|t|u)"
    doors = [
        lambda: from_frame(table(("a", name))),
        lambda: from_frame(table(metric=name)),
        lambda: PairedEvaluator(cv=3, scoring={name: "accuracy"}).evaluate(MODELS, X, Y),
        lambda: PairedEvaluator(cv=3).evaluate({name: GaussianNB(), "b": GaussianNB()}, X, Y),
        lambda: PairedEvaluator(cv=3).evaluate_datasets(MODELS, {name: (X, Y)}),
        lambda: skcompare.load(rewritten(estimators=["a", name])),
        lambda: skcompare.load(rewritten(metrics=["a", name])),
    ]
    if not any(map(str.isspace, name)):  # blanks of any kind are blanks in a study's table
        doors.append(lambda: StudyResult.from_frame({"dataset": ["d", name], "a": [0.1, 0.2], "b": [0.2, 0.1]}))
        doors.append(lambda: StudyResult.from_frame({"dataset": ["d", "e"], "a": [0.1, 0.2], name: [0.2, 0.1]}))
    for door in doors:
        with pytest.raises(ValueError, match=words) as caught:
            door()
        assert str(caught.value).isprintable()


def test_blanks_of_any_kind_in_names_of_columns_are_blanks():
    """As in headers of spreadsheets, where lines break."""
    for blank in ("\n", "\t", "\r", "\xa0", "\u2028", "  "):
        table = {"dataset": ["d", "e", "f"], "a": [0.1, 0.2, 0.4], f"b{blank}c": [0.2, 0.1, 0.3]}
        assert StudyResult.from_frame(table).estimators == ("a", "b c")


@pytest.mark.parametrize("name", ["élan", "模型", "نموذج", "a\u200db", "e\u0301", "🌲", "a b", *NAMES])
def test_names_of_any_script_and_any_sign_are_taken(name):
    result = from_frame(table((name, "other")))
    assert result.estimators == (name, "other")
    assert set(result.to_frame()["estimator"]) == {name, "other"}
    assert StudyResult.from_frame({"dataset": ["d", "e", "f"], name: [1, 2, 3], "b": [2, 1, 3]}).estimators[0] == name


def test_what_else_a_file_says_is_printed_as_one_line(rewritten):
    hostile = "x\x1b]0;title\x07\r\n\u202eevil"
    result = skcompare.load(
        rewritten(warnings=[f"MISSING_SCORES: {hostile}"], positive_class=hostile, provenance={"cv": hostile})
    )
    whole = result.explain()
    for text in (str(whole), markdown.render(whole), latex.render(whole), whole._repr_html_(), repr(result)):
        assert all(char.isprintable() or char == "\n" for char in text)
    assert "MISSING_SCORES: x?]0;title? ?evil" in str(whole)


def test_labels_are_printed_as_one_line():
    y = np.array(["a", "b\x1b[2J\n\u202e"])[Y]
    result = PairedEvaluator(cv=3, random_state=0).evaluate(MODELS, X, y)
    assert all(char.isprintable() or char == "\n" for char in result.summary())


def test_what_a_table_is_called_is_printed_as_one_line(tmp_path, refusal):
    path = tmp_path / "data.csv"
    path.write_text("".join(["x\x1b[2J,y\n", *(f"text{i},{i % 2}\n" for i in range(60))]))
    models = ["--model", "a=sklearn.naive_bayes:GaussianNB", "--model", "b=sklearn.dummy:DummyClassifier"]
    assert "--categorical 'x?[2J'" in refusal("compare", "--data", path, "--target", "y", *models)


# ---- reports: the name as it is, and nothing more -------------------------------------------------------------

MARKDOWN_SIGNS = set("\\`*_[]<>|~#$@")
LATEX = {
    "-{}": "-",
    ",{}": ",",
    r"\textbar{}": "|",
    r"\textasciigrave{}": "`",
    r"\textquotesingle{}": "'",
    r"\char34{}": '"',
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
}
LATEX |= {r"\textgreater{}": ">", "{[}": "[", "{]}": "]", "{*}": "*", **{f"\\{char}": char for char in "&%$#_{}"}}
ESCAPED = re.compile("|".join(re.escape(form) for form in sorted(LATEX, key=len, reverse=True)))


def markdown_table(result):
    """The cells of the first table."""
    lines = result.to_markdown().split("\n\n| ")[1].split("\n\n")[0].splitlines()
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)(?:\\\\)*\|", f"| {line.removeprefix('| ')}")[1:-1]]
        for line in lines
    ]


def markdown_read(shown):
    return re.sub(r"\\([!-/:-@[-`{-~])", r"\1", shown).replace("&amp;", "&")


@pytest.mark.parametrize("name", NAMES)
def test_a_name_stays_a_name_in_markdown(name):
    """In the heading of a column, in a row, and in sentences."""
    heading, *rows = markdown_table(from_frame(table((name, "other"))))
    assert {*map(len, (heading, *rows))} == {7}
    three = from_frame(table((name, "other", "third")))
    leading = [row[0] for row in markdown_table(three)[2:]]
    assert {*map(markdown_read, heading[1:3])} == {name, "other"}
    assert {*map(markdown_read, leading)} == {name, "other", "third"}
    for shown in (*heading[1:3], *leading):
        bare = re.sub(r"\\[!-/:-@[-`{-~]", "", shown)
        assert not MARKDOWN_SIGNS & set(bare)
        assert re.findall("&(?!amp;)", bare) == []
    whole = re.sub(r"\\[!-/:-@[-`{-~]", "", markdown.render(three.explain()))
    assert not set("`_[]<>~$@") & set(whole)
    assert not re.search(r"://|www\.", whole)


@pytest.mark.parametrize("start", ["1. ", "- ", "+ ", "2) ", "--- ", "# ", "> ", "``` ", "* "])
def test_a_sentence_opens_no_block_in_markdown(start):
    cells = Column(name="n", head="n", cells=("1",), values=(1,))
    said = f"{start}x"
    blocks = [Paragraph(name="caution", text=said), Items(name="warnings", texts=(said,))]
    blocks += [Grid(name="g", columns=(cells,), caption=said), Grid(name="g", columns=(cells,), more=said)]
    text = markdown.render(Document(title="t", blocks=tuple(blocks)))
    shown = [line for line in text.splitlines() if line.endswith(" x")]
    assert [line.startswith("- ") for line in shown] == [False, True, False, False]
    assert not any(re.match(r"(\d+[.)]|[-+*])(\s|$)|---|#|>|```", line.removeprefix("- ")) for line in shown)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_stays_a_name_in_latex(name):
    """In the heading of a column and in a row."""
    two, three = (from_frame(table((name, "other", *more))).to_latex() for more in ((), ("third",)))
    heads = [head for panel in two.split(r"\toprule")[1:] for head in latex_cells(panel.split(r"\midrule")[0])]
    body = three.split(r"\midrule")[1].split(r"\bottomrule")[0]
    leading = [latex_cells(row)[0] for row in body.strip().splitlines()]
    assert {name, "other"} <= {*map(latex_read, heads)}
    assert {*map(latex_read, leading)} == {name, "other", "third"}
    for shown in (*heads, *leading):
        assert not set("\\{}$&#^_%~[]*<>") & set(ESCAPED.sub("", shown))


def latex_cells(row):
    return [cell.strip() for cell in re.split(r"(?<!\\)&", row.strip().removesuffix(r"\\"))]


def latex_read(shown):
    return ESCAPED.sub(lambda found: LATEX[found[0]], shown)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_changes_no_number(name):
    plain, odd = from_frame(table(("a", "b", "c"))), from_frame(table((name, "b", "c")))
    assert numbers_in(odd.explain()) == numbers_in(plain.explain())
    pd.testing.assert_series_equal(odd.to_frame()["score"], plain.to_frame()["score"])


def numbers_in(document):
    grids = [block for block in walked(document.blocks) if isinstance(block, Grid)]
    return [column.cells for grid in grids for column in grid.columns if not column.left]


def test_whatever_shows_itself_in_a_notebook_escapes(rewritten):
    hostile = "<script>alert(1)</script>"
    result = skcompare.load(rewritten(estimators=[hostile, "b"]))
    study = StudyResult.from_frame({"dataset": [hostile, "e"], "a": [0.1, 0.2], "b": [0.2, 0.1]})
    for shown in (result, study, result.compare(), result.test(), result.dominance("table")):
        assert "<script" not in shown._repr_html_()
    assert "&lt;script&gt;" in result._repr_html_()
    assert "&lt;script&gt;" in study.to_html()
    assert "<script>alert" not in study.to_html()
    assert hostile not in PairedEvaluator(scoring=hostile)._repr_html_()


def test_the_saved_file_stays_where_it_was_said(tmp_path):
    name = "../../escaped"
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    from_frame(table((name, "b"))).save(folder / "result.skc")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [folder / "result.skc"]
    assert skcompare.load(Path(folder / "result.skc")).estimators[0] == name
