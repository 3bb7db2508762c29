"""The pages in `api/`, written from ``__all__`` of the public modules: tables, then one entry per name."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from sphinx.application import Sphinx

MODULES = (
    "skcompare",
    "skcompare.inference",
    "skcompare.calibration",
    "skcompare.planning",
    "skcompare.selection",
    "skcompare.experiments",
    "skcompare.plotting",
    "skcompare.testing",
)
_HEADING = re.compile(r"^(.+)\n-{3,}\n", re.MULTILINE)


def _title(text: str, line: str = "=") -> str:
    return f"{text}\n{line * len(text)}\n\n"


def _first_line(value: Any) -> str:
    return (inspect.getdoc(value) or "").splitlines()[0]


def _kind(value: Any) -> str:
    if inspect.ismodule(value):
        return "module"
    if inspect.isclass(value):
        return "exception" if issubclass(value, BaseException) else "class"
    return "function" if callable(value) else "data"


def _table(role: str, described: Mapping[str, Any]) -> str:
    """What each name links to, and what it is for."""
    rows = "".join(f"   * - :py:{role}:`{name}`\n     - {_first_line(value)}\n" for name, value in described.items())
    return f".. list-table::\n   :class: names\n   :widths: 30 70\n\n{rows}\n"


def _entries(module: ModuleType, names: list[str]) -> str:
    """One directive per name; what is no function or class is in the table or on a page of its own."""
    kinds = {name: _kind(getattr(module, name)) for name in names}
    text = ""
    for name, kind in kinds.items():
        if kind == "data":
            text += f".. py:data:: {name}\n   :value: {getattr(module, name)!r}\n\n"
        elif kind != "module":
            text += f".. auto{kind}:: {name}\n\n"
    return text


def _described(module: ModuleType, names: list[str]) -> dict[str, Any]:
    found = {name: getattr(module, name) for name in names}
    return {name: value for name, value in found.items() if _kind(value) not in ("module", "data")}


def _groups(module: ModuleType) -> dict[str, list[str]]:
    """The public names by the headings of the module's docstring; empty where it has none."""
    parts = _HEADING.split(inspect.getdoc(module) or "")[1:]
    return {heading: names.replace(",", " ").split() for heading, names in zip(parts[::2], parts[1::2], strict=True)}


def _flat_page(module: ModuleType, above: ModuleType | None) -> str:
    """What the module above exports too has its entry there."""
    there = [name for name in module.__all__ if above is not None and name in above.__all__]
    here = [name for name in module.__all__ if name not in there]
    listed = {f"~{above.__name__}.{name}": getattr(module, name) for name in there} if above is not None else {}
    return _table("obj", listed | _described(module, here)) + _title("Entries", "-") + _entries(module, here)


def _module_pages(name: str) -> dict[str, str]:
    """File name -> text: one page, and where the docstring of the module has groups one more for each of them."""
    module = import_module(name)
    page = _title(name) + f".. py:module:: {name}\n\n{_first_line(module)}\n\n"
    groups = _groups(module)
    if not groups:
        return {name: page + _flat_page(module, None if name == "skcompare" else import_module("skcompare"))}
    pages = {}
    for heading, names in groups.items():
        page += _title(heading, "-") + _table("obj", _described(module, names))
        label = "_".join(re.findall(r"\w+", heading.lower()))
        pages[f"{name}.{label}"] = _title(heading) + f".. py:currentmodule:: {name}\n\n" + _entries(module, names)
    listed = "".join(f"   {file}\n" for file in pages)
    return {name: f"{page}.. toctree::\n   :hidden:\n\n{listed}", **pages}


def _index(names: list[str]) -> str:
    listed = "".join(f"   {name}\n" for name in names)
    return (
        _title("API reference")
        + "Everything public, from ``__all__`` of each module. Names that begin with an underscore may change.\n\n"
        + _table("mod", {name: import_module(name) for name in names})
        + f".. toctree::\n   :hidden:\n\n{listed}"
    )


def _write(app: Sphinx) -> None:
    names = [name for name in MODULES if find_spec(name) is not None]
    folder = Path(app.srcdir, "api")
    folder.mkdir(exist_ok=True)
    pages = {"index": _index(names)}
    for name in names:
        pages.update(_module_pages(name))
    for name, text in pages.items():
        (folder / f"{name}.rst").write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the pages before they are read."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
