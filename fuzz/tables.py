"""Fuzz the readers of comma-separated files: the changed table is read, or refused with one line."""

from __future__ import annotations

import sys
import tempfile
import warnings
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["skcompare", "csv"]):
    from skcompare import StudyResult, from_frame
    from skcompare.cli.data import read_csv, read_frame

PATH = Path(tempfile.mkdtemp()) / "table.csv"
SEEDS = (
    b"model,metric,repeat,fold,score,n_train,n_test\na,f1,0,0,0.5,8,4\na,f1,0,1,0.25,8,4\nb,f1,0,0,0.75,8,4\nb,f1,0,1,1,8,4\n",
    b"dataset,model,score\nd,a,0.5\nd,b,0.25\ne,a,1\ne,b,2\n",
    b"dataset,a,b\nd,0.5,0.25\ne,1,2\n",
    b"x,z,y\n1,a,0\n2.5,b,1\n,c,0\n-1e3,a,1\n",
)
WORDS = (
    b"nan",
    b"inf",
    b"1e400",
    b"9" * 400,
    b'"',
    b"\n",
    b",",
    b"\x00",
    b"\xff",
    b"dataset",
    b"model",
    b"True",
    b"=1+1",
)


def changed(data: atheris.FuzzedDataProvider) -> bytes:
    """A seed with some bytes replaced, inserted or cut."""
    content = bytearray(data.PickValueInList(list(SEEDS)))
    for _ in range(data.ConsumeIntInRange(0, 6)):
        start = data.ConsumeIntInRange(0, len(content))
        stop = min(len(content), start + data.ConsumeIntInRange(0, 8))
        new = data.PickValueInList(list(WORDS)) if data.ConsumeBool() else data.ConsumeBytes(6)
        content[start:stop] = new
    return bytes(content)


def read_one(content: bytes) -> None:
    """Read one table in every way."""
    PATH.write_bytes(changed(atheris.FuzzedDataProvider(content)))
    for regression in (False, True):
        try:
            read_csv(PATH, target=["y"], categorical=["z"], drop=[], regression=regression)
        except ValueError:
            continue
    try:
        frame = read_frame(PATH, "FILE")
    except ValueError:
        return
    for read in (from_frame, StudyResult.from_frame):
        try:
            read(frame)
        except ValueError as error:
            if not str(error).startswith(("frame ", "models ", "data set", "test_fraction ")):
                raise RuntimeError(f"refused in other words: {error}") from error


if __name__ == "__main__":
    warnings.simplefilter("error")
    atheris.Setup(sys.argv, read_one)
    atheris.Fuzz()
