"""All sentences that the package can print, on one page for whoever reads them through.

``python -m benchmarks.sentences`` writes ``docs/_all_sentences.txt``, which is neither kept nor published: by folder
and file, with the line where each stands. What is put in when it is printed stands in braces.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "skcompare"
PAGE = ROOT / "docs" / "_all_sentences.txt"
NAMES = ("meanings.toml", "references.toml", "words.toml")  # what others call things, which is read and not said
TAGS = re.compile(r"(?s)\{[{%#].*?[}%#]\}|<.*?>")  # and code of a template


def _text(node: ast.AST) -> str | None:
    """What a node writes, with names for what is put in; None if it writes nothing."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr():
            return "".join(_text(part) or "" for part in node.values)
        case ast.FormattedValue():
            return f"{{{ast.unparse(node.value)}}}"
        case ast.BinOp(op=ast.Add()):
            parts = _text(node.left), _text(node.right)
            return None if parts == (None, None) else "".join(part or "{...}" for part in parts)
    return None


def _walk(node: ast.AST, inside: bool = False) -> Iterator[tuple[int, str]]:
    """The whole texts below a node, no part of one by itself; inside of one, those in what is put in.

    A text that is a statement is documentation.
    """
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    text = None if isinstance(node, ast.FormattedValue) else _text(node)
    if text is not None and not inside:
        yield getattr(node, "lineno", 0), text
    for child in ast.iter_child_nodes(node):
        yield from _walk(child, text is not None)


def of_module(path: Path) -> list[tuple[int, str]]:
    """The texts of several words in a module, each with its line; no documentation."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [(line, text) for line, text in _walk(tree) if " " in text.strip()]


def of_words(path: Path) -> list[tuple[int, str]]:
    """The texts of several words in a TOML file or a template, without lines, code and tags."""

    def inside(value: object) -> list[str]:
        if isinstance(value, dict):
            value = list(value.values())
        return [text for one in value for text in inside(one)] if isinstance(value, list) else [str(value)]

    whole = path.read_text(encoding="utf-8")
    texts = inside(tomllib.loads(whole)) if path.suffix == ".toml" else TAGS.split(whole)
    return [(0, text) for text in texts if " " in text.strip()]


@cache
def collected() -> dict[Path, list[tuple[int, str]]]:
    """The texts of every file of the package that has any."""
    readers = {".py": of_module, ".toml": of_words, ".html": of_words, ".txt": of_words}
    paths = [path for path in sorted(PACKAGE.rglob("*.*")) if path.suffix in readers and path.name not in NAMES]
    return {path: texts for path in paths if (texts := readers[path.suffix](path))}


def main() -> None:
    """Write the page."""
    lines = ["# All sentences"]
    for path, texts in collected().items():
        lines += ["", f"## {path.relative_to(PACKAGE)}", ""]
        lines += [f"- {line or '-'}: {' '.join(text.split())}" for line, text in texts]
    PAGE.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
