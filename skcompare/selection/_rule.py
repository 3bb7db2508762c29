"""What all refit rules share: they are called with the results of a search, and say what they chose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from skcompare._core.printable import one_line
from skcompare._core.validation import check_number
from skcompare.selection._candidates import Candidates, of_search
from skcompare.selection._choice import Choice


@dataclass(frozen=True, repr=False)
class Rule:
    """A callable for ``GridSearchCV(refit=...)``; two with the same settings are equal.

    Attributes
    ----------
    choice_ : Choice
        What the last call chose; not there before it, nor in what `sklearn.base.clone` makes.
    """

    choice_: Choice = field(init=False, compare=False)

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """Position of the chosen candidate in the ``cv_results_`` of a search."""
        choice = self.choose(of_search(cv_results))
        object.__setattr__(self, "choice_", choice)  # the settings stay frozen
        return choice.index

    def choose(self, candidates: Candidates) -> Choice:
        """The choice among candidates of a search or an evaluation."""
        raise NotImplementedError

    def asked(self) -> tuple[str, ...]:
        """The names of the metrics that it asks for; none where it takes what is there."""
        raise NotImplementedError

    def deciding(self, candidates: Candidates) -> tuple[int, ...]:
        """Positions of the metrics that decide."""
        raise NotImplementedError

    def __sklearn_clone__(self) -> Rule:
        return replace(self)

    def _call(self, function: str) -> str:
        """The call of `function` that makes this rule."""
        settings = [f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.init]
        return one_line(f"{function}({', '.join(settings)})")


def check_fraction(test_fraction: Any) -> float | None:
    if test_fraction is None:
        return None
    return check_number(test_fraction, "test_fraction", low=0, high=1, closed="left")
