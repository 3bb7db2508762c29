"""The documentation site: built once, as anybody builds it, with warnings as errors; what it must hold is there."""

from __future__ import annotations

import importlib
import inspect
import os
import re
import shutil
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import skcompare

for needed in ("sphinx", "myst_parser", "furo", "sphinx_design", "sphinx_gallery", "distributed"):
    if find_spec(needed) is None:  # not imported: the build is another process
        pytest.skip(f"{needed} is not installed", allow_module_level=True)

FULL = os.environ.get("SKCOMPARE_FULL") == "1"
ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MODULES = (
    "skcompare",
    "skcompare.inference",
    "skcompare.plotting",
    "skcompare.calibration",
    "skcompare.planning",
    "skcompare.selection",
    "skcompare.experiments",
)
WRITTEN_BY_THE_BUILD = ("_build", "api", "auto_tutorials", "references.md", "sg_*")
# As python -m sphinx, but that no time goes into garbage, the search's words, quotation marks, the places of
# definitions, which no extension reads, and numpydoc's template again for every name.
SPHINX = """
import gc, sys
from functools import partial
from jinja2 import FileSystemBytecodeCache
from numpydoc import docscrape_sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.cmd.build import main
from sphinx.pycode.parser import Parser
gc.disable()
StandaloneHTMLBuilder.search = False
Parser.parse_definition = lambda self: None
templates = FileSystemBytecodeCache(".")
docscrape_sphinx.SandboxedEnvironment = partial(docscrape_sphinx.SandboxedEnvironment, bytecode_cache=templates)
sys.exit(main(sys.argv[1:]))
"""


class Page(HTMLParser):
    """The identifiers, links and pictures of one page."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.pictures = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if "id" in values:
            self.ids.add(values["id"])
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag == "img" and "src" in values:
            self.pictures.append(values["src"])


def build(root, tutorials):
    """The site, built from a copy, so that the checkout stays as it is and no earlier build helps.

    Of the tutorials those run that are given; the others are pages without what they print and draw.
    """
    for entry in ROOT.iterdir():
        if entry.name != "docs":
            (root / entry.name).symlink_to(entry)
    shutil.copytree(DOCS, root / "docs", ignore=shutil.ignore_patterns(*WRITTEN_BY_THE_BUILD))
    command = [sys.executable, "-c", SPHINX, "-W", "--keep-going", "-q", "-b", "html"]
    run = "|".join(re.escape(script.name) for script in tutorials)
    command += ["-D", f"sphinx_gallery_conf.filename_pattern={run}", "-D", "smartquotes=0", "docs", "html"]
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-5000:]
    return root / "html"


def broken(pages, path, link):
    """Whether a link stays in the site and leads nowhere."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return False
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        return True
    fragment = unquote(parts.fragment)
    return bool(fragment) and target in pages and fragment not in pages[target].ids


def check_links(site, pages):
    found = [
        f"{path.relative_to(site)}: {link}"
        for path, page in pages.items()
        for link in (*page.links, *page.pictures)
        if broken(pages, path, link)
    ]
    assert sum(len(page.links) for page in pages.values()) > 1000
    assert found == []
    assert broken(pages, site / "start.html", "nowhere.html")
    assert broken(pages, site / "start.html", "dominance.html#nowhere")


def check_public_names(site, pages):  # noqa: ARG001
    ids = set().union(*(page.ids for page in pages.values()))
    for name in MODULES:
        module = importlib.import_module(name)
        assert f"module-{name}" in ids
        for public in module.__all__:
            if not inspect.ismodule(getattr(module, public)):
                assert {f"{name}.{public}", f"skcompare.{public}"} & ids, f"{name}.{public} has no entry"


def check_every_page_can_be_reached(site, pages):
    reached, new = set(), {site / "index.html"}
    while new:
        reached |= new
        links = {(path.parent / urlsplit(link).path).resolve() for path in new for link in pages[path].links}
        new = {path for path in links if path in pages} - reached
    for source in DOCS.rglob("*.md"):
        page = source.relative_to(DOCS).with_suffix(".html")
        assert page.parts[0] in ("_build", "data") or site / page in reached, page


def check_tutorials(site, pages, tutorials):
    """Each block that prints has its output, and each picture is there."""
    for script in tutorials:
        source = script.read_text(encoding="utf-8")
        page = site / "auto_tutorials" / f"{script.stem}.html"
        html = page.read_text(encoding="utf-8")
        blocks = source.split("\n# %%")
        n_printing = sum(bool(re.search(r"^[^#\n]*print\(", block, re.MULTILINE)) for block in blocks)  # not in prose
        n_drawn = len(re.findall(r"^\w.* = (?:\w+\.plot|plt\.subplots)\(", source, re.MULTILINE))
        assert html.count("sphx-glr-script-out") == n_printing, script.name
        assert sum("sphx_glr" in picture for picture in pages[page].pictures) == n_drawn, script.name
        assert "Traceback" not in html, script.name


def check_glossary(site, pages):
    """Every word has a place, and what an example prints links to it, once on a page."""
    rows = re.findall(r"(?m)^\| (?!word \||---)", (DOCS / "glossary.md").read_text(encoding="utf-8"))
    places = {name for name in pages[site / "glossary.html"].ids if name.startswith("word-")}
    assert len(places) == len(rows) >= 25
    for name in ("index.html", "start.html"):
        linked = [link for link in pages[site / name].links if link.startswith("glossary.html#word-")]
        assert {"glossary.html#word-lead", "glossary.html#word-interval"} <= set(linked)
        assert len(linked) == len(set(linked))


def check_references(site, pages):
    page = pages[site / "references.html"]
    references = tomllib.loads((Path(skcompare.__file__).parent / "inference" / "references.toml").read_text("utf-8"))
    for key, paper in references.items():
        assert key.lower() in page.ids, key
        assert "doi" not in paper or f"https://doi.org/{paper['doi']}" in page.links, key


def test_the_site_builds_and_holds_what_it_must(tmp_path, rng):
    """One test, since the build is what takes the time; of the tutorials, one runs unless all tests do."""
    tutorials = sorted((DOCS / "tutorials").glob("*.py"))
    assert len(tutorials) >= 6
    tutorials = tutorials if FULL else [tutorials[i] for i in rng.permutation(len(tutorials))[:1]]
    site = build(tmp_path, tutorials).resolve()
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    for check in (check_links, check_public_names, check_every_page_can_be_reached, check_references, check_glossary):
        check(site, pages)
    check_tutorials(site, pages, tutorials)
