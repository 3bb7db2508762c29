"""Every command of the benchmarks that a page names takes its arguments."""

from __future__ import annotations

import argparse
import re
import runpy
import sys

import pytest

from benchmarks import ROOT

PAGES = (*ROOT.glob("docs/**/*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md")
COMMAND = re.compile(r"python -m\s+benchmarks\.([^`>|;\n]+)[`>\n]")
NAMED = sorted({words.strip() for page in PAGES for words in COMMAND.findall(page.read_text(encoding="utf-8"))})
WITHOUT_ARGUMENTS = {"house", "sentences", "side_by_side", "sources", "typed"}


class ParsedError(Exception):
    """The arguments are read, and nothing has been computed."""


@pytest.mark.parametrize("command", [words for words in NAMED if words.split()[0] not in WITHOUT_ARGUMENTS])
def test_a_command_that_a_page_names_takes_its_arguments(monkeypatch, command):
    name, *words = command.split()
    parse = argparse.ArgumentParser.parse_args

    def parsed(parser):
        parse(parser)
        raise ParsedError

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parsed)
    monkeypatch.setattr(sys, "argv", [name, *words])
    monkeypatch.delitem(sys.modules, f"benchmarks.{name}", raising=False)
    with pytest.raises(ParsedError if words else (ParsedError, SystemExit)):  # a script alone may lack what it needs
        runpy.run_module(f"benchmarks.{name}", run_name="__main__")
