"""Sphinx's configuration: ``python -m sphinx -W --keep-going -b html docs docs/_build/html``."""

from __future__ import annotations

import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS.parent), str(DOCS / "_ext")]

import skcompare  # noqa: E402

project = "skcompare"
version = release = skcompare.__version__
project_copyright = "the skcompare authors"

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.extlinks",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "api_pages",
    "glossary_links",
    "mathml",
    "plain_links",
    "reference_page",
]
exclude_patterns = ["_build", "data", "tutorials"]
highlight_language = "none"
default_role = "py:obj"
add_module_names = False
extlinks = {"doi": ("https://doi.org/%s", "doi:%s")}

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4

autodoc_default_options = {"members": True}
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
toc_object_entries_show_parents = "hide"

sphinx_gallery_conf = {
    "examples_dirs": "tutorials",
    "gallery_dirs": "auto_tutorials",
    "filename_pattern": "",
    "image_scrapers": ("matplotlib", "display_scraper"),
    "reset_modules": (),
    "capture_repr": (),
    "download_all_examples": False,
    "show_signature": False,
    "within_subsection_order": "FileNameSortKey",
    "write_computation_times": False,
}

html_theme = "furo"
html_title = f"skcompare {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_copy_source = False
html_show_sphinx = False
