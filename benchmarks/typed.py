"""Types of what each name of a procedure, a picture or a correction gives: the stub, written from the tables.

    python -m benchmarks.typed

`skcompare/_typed.pyi` is for type checkers alone; `tests/test_types.py` holds it equal to the tables.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, get_type_hints

from skcompare import PairedEvaluator
from skcompare._comparable import Comparable
from skcompare._reportable import Readable
from skcompare.comparison.dominance import METHODS, dominance_table
from skcompare.inference import _procedures as procedures
from skcompare.inference import dominance_network, dominance_posterior, dominance_test
from skcompare.inference._multiplicity import CORRECTIONS
from skcompare.inference._procedures import Procedure
from skcompare.plotting._kinds import CURVE, KINDS, RESULT, SEARCH, STUDY

STUB = Path(__file__).parents[1] / "skcompare" / "_typed.pyi"
DOMINANCE = {
    "glrt": dominance_test,
    "dirichlet": dominance_posterior,
    "network": dominance_network,
    "table": dominance_table,
}
TEMPLATE = Path(__file__).with_suffix(".txt")


def literal(names: Iterable[str]) -> str:
    return f"Literal[{', '.join(repr(name) for name in names)}]"


def declared(function: Callable[..., Any], returns: str, *, name: str = "", default: bool = False) -> str:
    """A method that returns a type for a name, or for any that it takes: its first argument."""
    written, seen_star = ["self"], False
    for p in [*signature(function).parameters.values()][1:]:
        if p.kind is Parameter.VAR_KEYWORD:
            written.append(f"**{p.name}: {p.annotation}")
            continue
        if p.kind is Parameter.KEYWORD_ONLY and not seen_star:
            written, seen_star = [*written, "*"], True
        first = len(written) == 1
        optional = default if first else p.default is not Parameter.empty
        what = name + " | None" * (optional and p.default is None) if first else p.annotation
        written.append(f"{p.name}: {what}{' = ...' if optional else ''}")
    return f"    def {function.__name__}({', '.join(written)}) -> {returns}: ...\n"


def overloads(function: Callable[..., Any], types: Mapping[str, type | str], default: str) -> str:
    """One for each type, with the names that give it; the first one is taken where no name is given."""
    of_type: dict[str, list[str]] = {}
    for name, what in types.items():
        of_type.setdefault(what if isinstance(what, str) else what.__name__, []).append(name)
    first = next(what for what, names in of_type.items() if default in names)
    lines = [
        "    @overload\n" + declared(function, what, name=literal(of_type[what]), default=what == first)
        for what in sorted(of_type, key=lambda what: (what != first, what))
    ]
    return "".join(lines) if len(lines) > 1 else lines[0].replace("    @overload\n", "")


def record(function: Callable[..., Any]) -> type:
    found: type = get_type_hints(function)["return"]
    return found


def by_default() -> list[Callable[..., Any]]:
    """The procedures that ``"auto"`` can be on one data set: also with a calibration, and with another null."""
    rows = {row.name: row for row in procedures.PROCEDURES}
    chosen = [*(rows[default.procedure] for default in procedures.DEFAULTS), rows["calibrated_t_test"]]
    for row in [row for row in chosen if not row.takes_null]:
        chosen += [other for other in procedures.PROCEDURES if other.takes is row.takes and other.takes_null][:1]
    return [row.function for row in chosen]


def pictures(of: frozenset[str]) -> dict[str, type]:
    return {name: row.make.__self__ for name, row in KINDS.items() if row.of & of}


def asked(what: str, by_name: Mapping[str, Procedure], auto: Iterable[Callable[..., Any]], of: frozenset[str]) -> str:
    """The questions to a result or a study."""
    records: dict[str, type | str] = {"auto": " | ".join(sorted({record(one).__name__ for one in auto}))}
    records |= {name: record(row.function) for name, row in by_name.items()}
    tests = ["auto", *(name for name, row in by_name.items() if row.returns == "test")]
    return (
        f"\nTest{what} = {literal(tests)}\n\nclass {what}(Comparable, Reportable):\n"
        + overloads(Comparable.test, records, "auto")
        + declared(Comparable.compare, "Comparison", name=f"Test{what}", default=True)
        + overloads(Comparable.dominance, {name: record(DOMINANCE[name]) for name in METHODS}, "glrt")
        + overloads(Readable.plot, pictures(of), "differences")
    )


def stub() -> str:
    """All of it, but for its layout."""
    auto = by_default()
    of_study = [procedures._STUDY_BY_NAME[name].function for name in ("signed_rank_test", "friedman_test")]
    rows = (*procedures._BY_NAME.values(), *procedures._STUDY_BY_NAME.values())
    types = {record(one) for one in (*auto, *DOMINANCE.values(), *(row.function for row in rows))}
    types |= {*pictures(RESULT | STUDY | SEARCH | CURVE).values()}
    imports = "".join(sorted(f"from {one.__module__} import {one.__name__}\n" for one in types))
    fields = [p for p in signature(PairedEvaluator).parameters.values() if p.kind is Parameter.KEYWORD_ONLY]
    parameters = "".join(f"    {p.name}: {p.annotation}\n" for p in fields)
    classes = (
        asked("OfResult", procedures._BY_NAME, auto, RESULT)
        + asked("OfStudy", procedures._STUDY_BY_NAME, of_study, STUDY)
        + "\nclass OfCurve(Readable, metaclass=ABCMeta):\n"
        + overloads(Readable.plot, pictures(CURVE), "learning_curve")
        + "\nclass OfSearch(Readable, metaclass=ABCMeta):\n"
        + overloads(Readable.plot, pictures(SEARCH | RESULT), "candidates")
    )
    template = TEMPLATE.read_text(encoding="utf-8").rstrip()
    return template.format(imports=imports, corrections=literal(CORRECTIONS), parameters=parameters, classes=classes)


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
    for command in ("check --fix --quiet --ignore E501", "format --quiet"):
        subprocess.run([sys.executable, "-m", "ruff", *command.split(), str(STUB)], check=True)
