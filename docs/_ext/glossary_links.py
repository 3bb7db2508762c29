"""Links from the words of an answer, where an example prints it, to what they mean: on every page once for each."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

GLOSSARY = "glossary"
_ROW = re.compile(r"(?m)^\| (?!word \||---)(.+?) \|")
# What an example prints, of a page and of a tutorial; a tag in it, or text.
_OUTPUT = re.compile(r'(?s)(?<=<span class="go">).*?(?=</span>)|(?<=<div class="sphx-glr-script-out).*?(?=</pre>)')
_TAG_OR_TEXT = re.compile(r"<[^>]*>|[^<]+")


def words_of(page: str) -> dict[str, str]:
    """The words of the glossary, and the identifiers of their rows."""
    found = {}
    for cell in _ROW.findall(page):
        words = [word for word in map(str.strip, re.split(r'[,()"`]', cell)) if len(word) > 1]
        found |= dict.fromkeys(map(str.lower, words), anchor(cell))
    return found


def anchor(cell: str) -> str:
    """The identifier of a row, of the first of its words."""
    return "word-" + re.sub(r"\W+", "-", re.split(r"[,(]", cell)[0].strip()).lower()


def linked(body: str, words: dict[str, str], page: str) -> str:
    """The body of a page, with a link from each word of the glossary where it is first printed."""
    every = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    word, left = re.compile(rf"(?i)(?<![\w.;'=-])({every})(?:ly|s)?(?![\w-])"), set(words.values())

    def to_word(match: re.Match[str]) -> str:
        target = words[match[1].lower()]
        if target not in left:
            return match[0]
        left.remove(target)
        return f'<a class="word" href="{page}#{target}">{match[0]}</a>'

    def of_output(match: re.Match[str]) -> str:
        return _TAG_OR_TEXT.sub(lambda part: part[0] if part[0][0] == "<" else word.sub(to_word, part[0]), match[0])

    return _OUTPUT.sub(of_output, body)


def _link(app: Sphinx, pagename: str, *given: Any) -> None:
    """Of a page that was written: `given` are its template, context and document."""
    _, context, document = given
    if document is None or "body" not in context:
        return
    words = words_of((Path(app.srcdir) / f"{GLOSSARY}.md").read_text(encoding="utf-8"))
    if pagename != GLOSSARY:
        context["body"] = linked(context["body"], words, context["pathto"](GLOSSARY))
        return
    rows = re.compile(r"<tr([^>]*)>(\s*<td><p>)(.*?)(?=</p></td>)")
    context["body"] = rows.sub(
        lambda row: f'<tr{row[1]} id="{anchor(re.sub("<[^>]*>|&[a-z]+;", "", row[3]))}">{row[2]}{row[3]}',
        context["body"],
    )


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the links when a page is written."""
    app.connect("html-page-context", _link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
