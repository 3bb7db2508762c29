"""The pytest plugin: the fixture `not_worse`, whose answers stand in the report, one line each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_PROPERTY = "skcompare"  # of a test, also in its JUnit file


@pytest.fixture
def not_worse(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Ask as `skcompare.testing.assert_not_worse` does, with its arguments, and show the answer in the report."""

    def asked(*arguments: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        from skcompare import testing  # here, since pytest imports this module in every run

        found = testing.not_worse(*arguments, **options)
        request.node.user_properties.append((_PROPERTY, found._line()))
        found._assert()
        return found

    return asked


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line per answer."""
    told = [(one, getattr(one, "user_properties", ())) for found in terminalreporter.stats.values() for one in found]
    said = [(one.nodeid, text) for one, properties in told for name, text in properties if name == _PROPERTY]
    if said:
        terminalreporter.section(_PROPERTY)
    for nodeid, text in dict.fromkeys(said):  # setup, call and teardown have the properties of a test
        terminalreporter.line(f"{nodeid}: {text}")
