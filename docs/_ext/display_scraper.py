"""Puts the Displays that a tutorial draws under the block that drew them: pyplot does not know their figures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sphinx_gallery.scrapers import figure_rst

from skcompare.plotting import Display

_SHOWN = "_displays_shown"


def scrape_displays(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:  # noqa: ARG001
    """Save each Display that is new among the tutorial's variables, and return the markup that shows it."""
    names = block_vars["example_globals"]
    shown = names.setdefault(_SHOWN, set())
    paths = []
    for name, value in list(names.items()):
        if isinstance(value, Display) and name not in shown:
            path = next(block_vars["image_path_iterator"])
            Path(path).write_bytes(value._repr_png_())
            shown.add(name)
            paths.append((path, repr(value)))
    return "".join(figure_rst([path], gallery_conf["src_dir"], alt) for path, alt in paths)


def _get_sg_image_scraper() -> Callable[..., str]:
    """What sphinx-gallery asks a module for that its settings name."""
    return scrape_displays
