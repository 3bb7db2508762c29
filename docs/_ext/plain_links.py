"""Links to tutorials: a page names the script, which any Markdown viewer opens; the site shows what it printed."""

from __future__ import annotations

import re

from sphinx.application import Sphinx

_SCRIPT = re.compile(r"\]\((?P<up>(?:\.\./)*)tutorials/(?P<name>\w+)\.py\)")


def _to_built_page(app: Sphinx, docname: str, source: list[str]) -> None:  # noqa: ARG001
    source[0] = _SCRIPT.sub(r"](\g<up>auto_tutorials/\g<name>.rst)", source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Change the links when a page is read."""
    app.connect("source-read", _to_built_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
