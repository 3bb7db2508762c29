r"""Formulas as MathML, which browsers show without a script and without a network.

docutils converts LaTeX; an unknown command is a warning, and so an error of the build.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

logger = logging.getLogger(__name__)
# Commands that docutils does not know, and what stands for them: a size that the browser chooses itself, or a synonym.
_OTHER_WORDS = ((re.compile(r"\\[Bb]igg?[lrm]?(?![A-Za-z])"), ""), (re.compile(r"\\dots(?![A-Za-z])"), r"\\ldots"))


def _markup(node: nodes.Element, *, block: bool) -> str:
    source = node.astext()
    for command, stand_in in _OTHER_WORDS:
        source = command.sub(stand_in, source)
    try:
        return tex2mathml(source, as_block=block)
    except MathError as error:
        logger.warning("formula cannot be shown: %s in %s", error, source, location=node)
        return ""


def _inline(writer: Any, node: nodes.Element) -> None:
    writer.body.append(_markup(node, block=False))
    raise nodes.SkipNode


def _block(writer: Any, node: nodes.Element) -> None:
    writer.body.append(f'<div class="math">{_markup(node, block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer and choose it."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
