"""The HTML report as a file: what is in it, what cannot get in, and how it is written. `tests/browser` opens it."""

from __future__ import annotations

import os
import re
import sys
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from time import process_time

import numpy as np
import pytest
from matplotlib.backends.backend_svg import FigureCanvasSVG
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, StudyResult, from_frame
from skcompare._core.document import walked
from skcompare.reporting.page import svg_element
from tests.shown_tables import in_html

pytestmark = pytest.mark.sampled

HOSTILE = ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7 * 7 }}{% raw %}"]


class Reader(HTMLParser):
    """The tags, attributes and texts of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.texts = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]

    def handle_data(self, data):
        self.texts.append(data)

    def values(self, name):
        return [value for _, key, value in self.attributes if key == name]


def table(rng, models=("nb", "tree"), metrics=("accuracy", "f1"), repeats=2, folds=3):
    rows = [(m, k, r, f) for m in models for k in metrics for r in range(repeats) for f in range(folds)]
    names = ("model", "metric", "repeat", "fold")
    return {name: [row[i] for row in rows] for i, name in enumerate(names)} | {"score": rng.uniform(size=len(rows))}


@pytest.fixture(scope="module")
def fitted():
    X, y = make_classification(90, random_state=0)
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    return PairedEvaluator(cv="2x3", random_state=7).evaluate(models, X, y)


@pytest.fixture(scope="module")
def fitted_on_one_metric():
    """Its page has few pictures, which are what takes the time."""
    X, y = make_classification(90, random_state=0)
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    return PairedEvaluator(cv="2x3", scoring=["accuracy"], random_state=7).evaluate(models, X, y)


@pytest.fixture(scope="module")
def page(fitted):
    return fitted.to_html()


@pytest.fixture(scope="module")
def study(global_random_seed):
    rng = np.random.default_rng(global_random_seed)
    return StudyResult.from_frame(
        {"dataset": [f"d{i}" for i in range(9)], **{name: rng.uniform(size=9) for name in ("nb", "tree", "<b>knn</b>")}}
    )


# ---- what is in it ------------------------------------------------------------------------------------------------


def test_the_page_says_what_the_document_says(fitted, page):
    said = " ".join(" ".join(Reader(page).texts).split())
    for block in walked(fitted.explain().blocks):
        for text in (getattr(block, name, "") for name in ("text", "title", "caption")):
            assert " ".join(text.split()) in said
    for words in ("10.1023/A:1024068626366", "DecisionTreeClassifier(max_depth=2)", fitted.design.split_hash):
        assert words in said
    assert f"scikit-learn: {fitted.provenance['versions']['scikit-learn']}" in said


def test_a_study_has_its_ranks_and_its_pairs(study):
    tables = {tuple(rows[0]): rows[1:] for rows in in_html(study.to_html())}
    at, ranks = next((head.index("mean rank"), rows) for head, rows in tables.items() if "group" in head)
    assert {row[0]: float(row[at]) for row in ranks} == pytest.approx(
        dict(zip(study.estimators, study.rank().mean_ranks, strict=True)), abs=0.0051
    )
    pairs = next(rows for head, rows in tables.items() if head[:2] == ("a", "b"))
    assert [tuple(row[:2]) for row in pairs] == [(row.a, row.b) for row in study.compare()]


def test_a_pair_without_scores_is_not_comparable(rng):
    result = from_frame(table(rng))
    scores = result.scores.copy()
    scores[0, :, 1] = np.nan
    (rows,) = (rows for rows in in_html(replace(result, scores=scores).to_html()) if rows[0][0] == "metric")
    assert (rows[2][0], rows[2][-1]) == ("f1", "not comparable")


ODD = [None, "x", [1], [1, 2], 3, {"skcompare": None}, {"a": {"b": [1]}}, {"items": "x", "keys": 1}, [[["y"]]]]


@pytest.mark.parametrize("value", ODD, ids=repr)
@pytest.mark.parametrize("name", ["versions", "estimators", "cv", "random_state", "other", "items"])
def test_a_saved_file_with_odd_provenance_still_has_its_page(fitted_on_one_metric, name, value):
    fitted = fitted_on_one_metric
    page = replace(fitted, provenance={**fitted.provenance, name: value}).to_html()
    assert fitted.explain().blocks[0].text in page
    assert next(in_html(page)) == next(in_html(fitted._repr_html_()))
    assert replace(fitted, provenance={name: value}).to_html()


def test_provenance_that_is_no_mapping_is_left_out(fitted):
    odd = {**fitted.provenance, "versions": ["numpy of tomorrow"], "estimators": "a great model"}
    page = replace(fitted, provenance=odd).to_html()
    assert "of tomorrow" not in page
    assert "a great model" not in page


@pytest.mark.parametrize("models", [2, 3])
@pytest.mark.parametrize("metrics", [1, 3])
def test_any_number_of_models_and_metrics_has_a_page(rng, models, metrics):
    given = table(rng, [f"model{i}" for i in range(models)], [f"m{i}" for i in range(metrics)])
    found = [*in_html(from_frame(given).to_html())]
    pairs = [row for rows in found if rows[0][0] == "a" for row in rows[1:]]
    assert len(pairs) == (3 * metrics if models == 3 else 0)
    (own,) = (rows for rows in found if rows[0][1:] == [f"m{i}" for i in range(metrics)])
    assert all(cell.endswith("]") for row in own[1:] for cell in row[1:])  # with intervals


@pytest.mark.sampled("pages")
def test_of_very_many_comparisons_the_page_has_those_of_the_leaders(rng):
    result = from_frame(table(rng, [f"model{i}" for i in range(40)], ["score", "f1"]))
    page = result.to_html()
    pairs = [row for rows in in_html(page) if rows[0][0] == "a" for row in rows[1:]]
    assert len(pairs) < 780
    for on in result.answer().metrics:
        assert sum(on.leader in row[:2] for row in pairs) == 2 * 39
    assert "compare() has all" in page


def test_names_that_look_alike_are_still_different_models(rng):
    given = table(rng, ["rf 1", "rf  1", "svc"], ["f 1", "f  1"])
    page = from_frame(given).to_html()
    pairs = [rows for rows in in_html(page) if rows[0][0] == "a"]
    assert [[" ".join(cell.split()) for cell in row[:2]] for rows in pairs for row in rows[1:]] == 2 * [
        ["rf 1", "rf 1"],
        ["rf 1", "svc"],
        ["rf 1", "svc"],
    ]


# ---- what cannot get in -------------------------------------------------------------------------------------------


@pytest.mark.sampled("pages")
def test_names_are_text(rng, study):
    result = from_frame(table(rng, HOSTILE, ["<b>f1</b>", "{{ setting }}"]))
    for page in (result.to_html(), study.to_html()):
        reader = Reader(page)
        assert not {"img", "b", "link", "iframe", "object"} & set(reader.tags)
        assert reader.tags.count("script") == page.count("</script>")
        assert [name for _, name, _ in reader.attributes if name.startswith("on")] == []
    shown = {cell for rows in in_html(result.to_html()) for row in rows for cell in row}
    assert {*HOSTILE, "<b>f1</b>", "{{ setting }}"} <= shown


def test_nothing_points_out_of_the_page_but_the_links_to_papers(page):
    reader = Reader(page)
    assert reader.values("src") == []
    assert all(value.startswith(("#", "https://doi.org/")) for value in reader.values("href"))
    pointed_to = re.findall(r"url\((#?)([^)]*)\)", page)
    assert {sign for sign, _ in pointed_to} == {"#"}
    assert {name for _, name in pointed_to} <= {*reader.values("id")}
    assert "@import" not in page


def test_the_policy_allows_the_scripts_and_the_style_of_the_page_and_no_others(page, study):
    for made in (page, study.to_html()):
        reader = Reader(made)
        content = dict(zip(reader.values("http-equiv"), reader.values("content"), strict=False))
        policy = dict(part.split(" ", 1) for part in content["Content-Security-Policy"].split("; "))
        assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == "'none'"
        assert "unsafe" not in str(policy)
        assert reader.values("style") == []
        for tag, name in (("style", "style-src"), ("script", "script-src")):
            told = re.findall(rf"<{tag}>(.*?)</{tag}>", made, re.S)
            hashes = [b64encode(sha256(text.encode()).digest()).decode() for text in told]
            assert policy[name].split() == [f"'sha256-{found}'" for found in hashes]


def test_ids_are_there_once(page):
    ids = Reader(page).values("id")
    assert len(ids) == len(set(ids))
    assert page.count("<svg") >= 2


def test_the_text_of_a_figure_is_kept_though_it_looks_like_a_colour():
    from matplotlib.figure import Figure

    figure = Figure()
    figure.add_subplot().set_title('#000000 id="a" url(#b) </title>')
    drawn = svg_element(figure, "figure1", 'a "label"')
    assert '#000000 id="a" url(#b) &lt;/title&gt;' in drawn
    assert 'stroke="currentColor"' in drawn
    assert 'aria-label="a &quot;label&quot;"' in drawn
    assert "#000000" not in drawn.replace("#000000 id", "")


def test_the_looks_of_a_figure_are_attributes(monkeypatch):
    """Older versions of matplotlib write the font as one property, which is no attribute."""
    from matplotlib.figure import Figure

    figure = Figure()
    figure.add_subplot().set_title("a", style="italic", weight="bold", size=11)
    assert " style=" not in svg_element(figure, "figure1", "a")
    text = """<text style="font: italic 700 11px 'A B', serif; fill: #000000">a</text>"""
    written = f'<svg width="72pt" xmlns="http://www.w3.org/2000/svg">{text}</svg>'
    monkeypatch.setattr(FigureCanvasSVG, "print_svg", lambda _, file, **__: file.write(written.encode()))
    drawn = svg_element(figure, "figure1", "a")
    for told in ('font-style="italic"', 'font-weight="700"', 'font-size="11px"', "font-family=\"'A B', serif\""):
        assert told in drawn
    assert 'fill="currentColor"' in drawn


# ---- how it is written --------------------------------------------------------------------------------------------


def test_the_file_is_the_page(fitted, tmp_path):
    path = tmp_path / "ä.html"
    path.write_text("old")
    page = fitted.to_html(path)
    assert path.read_bytes() == page.encode("utf-8")
    assert [file.name for file in tmp_path.iterdir()] == ["ä.html"]


@pytest.mark.sampled("pages")
def test_a_file_that_cannot_be_written_keeps_what_was_there(fitted, tmp_path, monkeypatch):
    from pathlib import Path

    with pytest.raises(OSError, match="path must be a file"):
        fitted.to_html(tmp_path)
    path = tmp_path / "page.html"
    path.write_text("old")

    def full(*_, **__):
        raise OSError("no space left")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="no space"):
        fitted.to_html(path)
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.sampled("pages")
def test_a_saved_result_is_not_overwritten(fitted, study, tmp_path):
    for result in (fitted, study):
        path = tmp_path / "kept"
        result.save(path)
        before = path.read_bytes()
        with pytest.raises(FileExistsError, match=r"must not be a zip archive.*another name than '.*kept'"):
            fitted.to_html(path)
        assert path.read_bytes() == before
        assert [file.name for file in tmp_path.iterdir()] == ["kept"]


def test_the_error_of_a_folder_that_is_not_there_names_the_path_asked_for(fitted, tmp_path):
    path = tmp_path / "none" / "page.html"
    with pytest.raises(FileNotFoundError) as refused:
        fitted.to_html(path)
    assert str(path) in str(refused.value)
    assert "part" not in str(refused.value).replace(str(path), "")


def test_a_path_is_refused_before_the_page_is_made(fitted, tmp_path, monkeypatch):
    kept = tmp_path / "kept"
    fitted.save(kept)
    monkeypatch.setattr(type(fitted), "_page", lambda *_: pytest.fail("the page was made"))
    for path in (tmp_path, kept, tmp_path / "none" / "page.html", 3):
        with pytest.raises((OSError, TypeError)):
            fitted.to_html(path)


@pytest.mark.parametrize("missing", ["jinja2", "matplotlib"])
def test_without_the_extra_the_error_names_it(fitted, study, monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    for result in (fitted, study):
        with pytest.raises(ImportError, match=r"pip install 'skcompare\[report\]'"):
            result.to_html()


def test_settings_of_matplotlib_are_left_alone(fitted):
    import matplotlib

    before = dict(matplotlib.rcParams)
    fitted.to_html()
    assert dict(matplotlib.rcParams) == before


def test_the_same_result_gives_the_same_page(fitted, page):
    assert fitted.to_html() == page


# ---- size and speed -----------------------------------------------------------------------------------------------


@pytest.mark.sampled("pages")
def test_the_page_of_ten_models_on_ten_metrics_is_small_and_soon_written(rng, tmp_path):
    result = from_frame(table(rng, [f"model{i}" for i in range(10)], [f"metric{i}" for i in range(10)], 10, 10))

    def seconds():
        start = process_time()
        result.to_html(tmp_path / "page.html")
        return process_time() - start

    in_time = (seconds() < (8 if os.environ.get("CI") else 2) for _ in range(3))
    assert any(in_time)
    assert any(in_time)  # two of three
    assert (tmp_path / "page.html").stat().st_size < 2_000_000


# ---- the command --------------------------------------------------------------------------------------------------


@pytest.fixture
def saved(fitted, tmp_path):
    path = tmp_path / "result.skc"
    fitted.save(path)
    return path


@pytest.mark.sampled("pages")
def test_the_command_writes_the_page_beside_the_result(run, fitted, saved, page):
    target = saved.with_suffix(".html")
    status, printed, error = run("report", saved)
    assert (status, error) == (0, "")
    assert " ".join(printed.split()).startswith(fitted.explain().blocks[0].text)
    assert printed.endswith(f"\n\nWrote {target}\n")
    assert target.read_text(encoding="utf-8") == page
    other = saved.with_name("other.htm")
    assert run("report", saved, "--out", other)[0] == 0
    assert other.exists()


def test_the_command_takes_a_study(run, study, tmp_path):
    study.save(tmp_path / "study.skc")
    assert run("report", tmp_path / "study.skc")[0] == 0
    assert (tmp_path / "study.html").read_text(encoding="utf-8") == study.to_html()


@pytest.mark.sampled("pages")
def test_the_command_never_overwrites_a_result(run, saved, tmp_path):
    copy = tmp_path / "copy.html"
    copy.write_bytes(saved.read_bytes())
    for file, out in ((saved, saved), (saved, copy), (saved, tmp_path / "new.skc"), (copy, None)):
        before = saved.read_bytes()
        status, printed, error = run("report", file, *(["--out", out] if out else []))
        assert (status, printed) == (2, "")
        assert error.startswith("skcompare: error: ")
        assert "give another name" in error
        assert error.count("\n") == 1
        assert saved.read_bytes() == copy.read_bytes() == before
    assert not (tmp_path / "new.skc").exists()


def test_the_command_takes_a_file_with_odd_provenance(run, fitted, tmp_path):
    odd = tmp_path / "odd.skc"
    replace(fitted, provenance={**fitted.provenance, "versions": None, "estimators": [1, 2]}).save(odd)
    status, printed, error = run("report", odd)
    assert (status, error) == (0, "")
    assert printed.endswith(f"\n\nWrote {odd.with_suffix('.html')}\n")


def test_the_command_refuses_in_one_line(run, saved, tmp_path, monkeypatch):
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("no result")
    for arguments in (
        (tmp_path / "none.skc",),
        (wrong,),
        (saved, "--out", tmp_path),
        (saved, "--out", "/no/dir/x.html"),
    ):
        status, printed, error = run("report", *arguments)
        assert (status, printed, error.count("\n")) == (2, "", 1)
        assert error.startswith("skcompare: error: ")
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert "skcompare[report]" in run("report", saved)[2]
    assert not saved.with_suffix(".html").exists()
