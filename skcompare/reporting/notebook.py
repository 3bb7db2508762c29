"""An evaluator as text and in a notebook: its parameters, and what it will do with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from skcompare._core.html import Table, block, cut
from skcompare._core.numbers import listed
from skcompare._core.printable import one_line
from skcompare._core.record import MAX_REPR


class ShownParameters:
    """For a scikit-learn estimator with the parameters `cv` and `scoring`: how it prints and shows itself.

    It is shown in a notebook where it has a `_repr_html_`.
    """

    cv: Any
    scoring: Any
    get_params: Callable[..., dict[str, Any]]

    def __repr__(self, N_CHAR_MAX: int = MAX_REPR) -> str:
        return cut(one_line(super().__repr__(N_CHAR_MAX)), N_CHAR_MAX)  # type: ignore[call-arg]

    def _repr_html(self) -> str:
        defaults = {name: parameter.default for name, parameter in signature(type(self).__init__).parameters.items()}
        given = {name: f"{value!r}" for name, value in self.get_params(deep=False).items()}
        changed = {name: value != repr(defaults.get(name)) for name, value in given.items()}
        rows = [(name, value, "set" if changed[name] else "default") for name, value in given.items()]
        table = Table(("parameter", "value", "set or default"), rows, limit=len(rows))
        return block([table], [_plan(self.cv, self.scoring)])

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        bundle = {"text/plain": repr(self)}
        return {**bundle, "text/html": self._repr_html()} if hasattr(self, "_repr_html_") else bundle


def _plan(cv: Any, scoring: Any) -> str:
    if isinstance(cv, int):
        splits = f"{cv}-fold cross-validation"
    else:
        splits = f"{cv} cross-validation" if isinstance(cv, str) else f"splits of {cut(repr(cv), 80)}"
    if scoring is None:
        metrics = "the usual metrics of the task"
    elif isinstance(scoring, str):
        metrics = scoring
    else:
        several = isinstance(scoring, (list, tuple, set, Mapping)) and len(scoring) > 0
        metrics = listed([str(name) for name in scoring]) if several else cut(repr(scoring), 80)
    return f"evaluate() fits every model on the same splits ({splits}) and scores {metrics} from the same predictions."
