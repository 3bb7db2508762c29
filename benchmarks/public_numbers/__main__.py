"""Every public number of a fixed set of results, studies, searches, calibrations and plans: before and after a rebuild.

Run from a checkout: ``python -m benchmarks.public_numbers write FILE`` with the old code and with the new, then
``python -m benchmarks.public_numbers compare OLD NEW``. It lists what is lacking, different and new, and exits with
status 1 if a number is lacking or different; names that changed on purpose stand in `numbers.RENAMED`. ``save FOLDER``
keeps files of the present version, to be read by later ones.

Everything is asked through public names. Words may change: of texts the numbers are taken, in their order.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

import skcompare as skc
from benchmarks.public_numbers.cases import calibrations, results, stopped, studies
from benchmarks.public_numbers.numbers import Numbers, compare_files
from benchmarks.public_numbers.other_questions import (
    ask_calibrations,
    ask_command,
    ask_inference,
    ask_planning,
    ask_searches,
    ask_selectors,
    ask_tracking,
)
from benchmarks.public_numbers.questions import ask_result


def take_all() -> Numbers:
    """All numbers; every procedure must have been reached."""
    numbers = Numbers()
    kept: dict[str, Any] = {}
    for kind, made in (("result", results()), ("stopped", stopped()), ("study", studies())):
        for name, result in made:
            kept[f"{kind}/{name}"] = result
            ask_result(numbers, f"{kind}/{name}", result)
    ask_searches(numbers)
    ask_selectors(numbers)
    ask_calibrations(numbers)
    ask_planning(numbers, kept["result/10x10 two"], kept["study/evaluated two"])
    ask_inference(numbers)
    ask_tracking(numbers, kept["result/10x10 two"], kept["study/evaluated four"])
    ask_command(numbers, kept["result/random splits four"])
    numbers.add("procedures", {row.name: row.measured_size for row in skc.procedures()})
    asked = {path.split("/test/")[1].split("/")[0] for path in numbers.found if "/test/" in path}
    lacking = [row.name for row in skc.procedures() if row.name not in asked]
    assert not lacking, f"procedures that no result was asked for: {', '.join(lacking)}"
    return numbers


def save_all(folder: str) -> None:
    """One file of every kind that can be saved, for a later version to read, with its JSON beside it."""
    made: dict[str, Any] = {}
    for kind, some in (("result", results()), ("stopped", stopped()), ("study", studies())):
        made |= {f"{kind} {name}".replace(" ", "_"): result for name, result in some}
    for name, calibrated, result in calibrations():
        calibrated.save(Path(folder) / f"calibration_{name}.skc")
        made |= {} if result is None else {f"calibrated_{name}": result}
    for name, result in made.items():
        result.save(Path(folder) / f"{name}.skc")
        (Path(folder) / f"{name}.json").write_text(result.to_json(), encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    mpl.use("Agg")
    warnings.simplefilter("ignore")
    if len(arguments) == 3 and arguments[0] == "compare":
        return 0 if compare_files(*arguments[1:]) else 1
    if len(arguments) == 2 and arguments[0] == "write":
        numbers = take_all()
        numbers.write(arguments[1])
        print(f"{len(numbers.found)} paths, {len(numbers.refused)} questions that do not fit")
        return 0
    if len(arguments) == 2 and arguments[0] == "save":
        save_all(arguments[1])
        return 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
