"""Fuzz `skcompare.load`: the changed file is loaded and summarised, or refused with a ValueError."""

from __future__ import annotations

import sys
import tempfile
import warnings
import zipfile
from io import BytesIO
from pathlib import Path
from unittest.mock import ANY

import atheris

with atheris.instrument_imports(include=["skcompare", "zipfile", "json"]):
    import numpy as np
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    import skcompare
    from skcompare._core import archive
    from skcompare.calibration import calibrate

FOLDER = Path(tempfile.mkdtemp())
WHOLE = "whole" in sys.argv


def seeds() -> list[dict[str, bytes]]:
    """The members of saved evaluations, tables, studies and a calibration."""
    X = np.random.default_rng(0).normal(size=(24, 3))
    models = {"a": GaussianNB(), "b": DecisionTreeClassifier(max_depth=1, random_state=0)}
    evaluator = skcompare.PairedEvaluator(cv=2, scoring=["accuracy", "roc_auc"], random_state=0)
    result = evaluator.evaluate(models, X, np.arange(24) % 2)
    table = {"model": ["a", "a", "b", "b"], "fold": [0, 1, 0, 1], "score": [0.9, 0.8, 0.7, 0.8]}
    stopped = skcompare.PairedEvaluator("6x2", "accuracy", random_state=0, stop=skcompare.StopRule())
    saved = [
        result,
        stopped.evaluate(models, X, np.arange(24) % 2),
        calibrate(evaluator, models, X, np.arange(24) % 2, metrics="accuracy", n_datasets=40),
        skcompare.from_frame(table),
        skcompare.StudyResult.from_results({"d": result, "e": result}),
        skcompare.StudyResult.from_frame({"dataset": ["d", "e"], "a": [1, 2], "b": [2, 1]}),
    ]
    found = []
    for one in saved:
        one.save(FOLDER / "seed.skc")
        with zipfile.ZipFile(FOLDER / "seed.skc") as members:
            found.append({name: members.read(name) for name in members.namelist()})
    return found


SEEDS = seeds()
archive.digest_of = lambda *_: ANY  # so that the digest, which anyone can make anew, does not stop what was changed


def changed(data: atheris.FuzzedDataProvider) -> bytes:
    """A seed with a few edits to one of its members, or to the whole file."""
    members = dict(SEEDS[data.ConsumeIntInRange(0, len(SEEDS) - 1)])
    if not WHOLE:
        name = sorted(members)[data.ConsumeIntInRange(0, len(members) - 1)]
        members[name] = edited(members[name], data)
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as new:
        for name, content in members.items():
            new.writestr(name, content)
    return edited(file.getvalue(), data) if WHOLE else file.getvalue()


def edited(content: bytes, data: atheris.FuzzedDataProvider) -> bytes:
    """Some bytes replaced, inserted or cut."""
    result = bytearray(content)
    for _ in range(data.ConsumeIntInRange(1, 4)):
        start = data.ConsumeIntInRange(0, len(result))
        stop = min(len(result), start + data.ConsumeIntInRange(0, 8))
        result[start:stop] = data.ConsumeBytes(data.ConsumeIntInRange(0, 8))
    return bytes(result)


def load_one(content: bytes) -> None:
    """Load and summarise what was made of one input."""
    path = FOLDER / "changed.skc"
    path.write_bytes(changed(atheris.FuzzedDataProvider(content)))
    try:
        loaded = skcompare.load(path)
    except ValueError as error:
        if not str(error).startswith("path must be") or not str(error).isprintable():
            raise RuntimeError(f"refused in other words: {error}") from error
        return
    if isinstance(loaded, skcompare.calibration.Calibration):
        repr(loaded)
        return
    try:
        loaded.summary()
    except ValueError as error:  # scores that no procedure takes
        if not str(error).startswith(("a and b must", "scores must", "metrics must")):
            raise RuntimeError(f"refused in other words: {error}") from error


if __name__ == "__main__":
    warnings.simplefilter("error")
    atheris.Setup([argument for argument in sys.argv if argument != "whole"], load_one)
    atheris.Fuzz()
