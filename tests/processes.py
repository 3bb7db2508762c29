"""Scripts in processes of their own that start at once, as copies of one that has imported what they need."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import runpy
import textwrap
import threading
import time
from unittest.mock import patch

CONTEXT = multiprocessing.get_context("forkserver")
PRELOAD = ("skcompare.evaluator", "skcompare.evaluation.store", "sklearn.linear_model", "sklearn.naive_bayes", "pytest")
CONTEXT.set_forkserver_preload([*PRELOAD])
NUMBERS = itertools.count()
STARTING = threading.Lock()  # the environment is that of all threads

BEGIN = """
import os, sys, threading, warnings
from multiprocessing.util import Finalize
Finalize(None, threading._shutdown, exitpriority=100)  # as any script ends, so that joblib's workers end too
sys.dont_write_bytecode = True
os.setsid()
for stream, name in ((1, "out"), (2, "err")):
    os.dup2(os.open({path!r}.removesuffix("py") + name, os.O_CREAT | os.O_WRONLY | os.O_APPEND), stream)
sys.argv = [{path!r}, *{arguments!r}]
warnings.simplefilter("ignore")
"""


class Script:
    """A script that runs in its own process, group and session; what it says goes to files in `folder`."""

    def __init__(self, folder, code, *arguments, daemon=False):
        self.path = folder / f"script{next(NUMBERS)}.py"
        begin = BEGIN.format(path=str(self.path), arguments=[*map(str, arguments)])
        self.path.write_text(begin + textwrap.dedent(code))
        run = {"target": runpy.run_path, "args": (str(self.path),), "kwargs": {"run_name": "__main__"}}
        self.process = CONTEXT.Process(**run, daemon=daemon)
        with (
            STARTING,
            patch.dict(os.environ, PYTHONSAFEPATH="1"),
        ):  # the package that is installed, not the one in this folder
            self.process.start()
        self.pid = self.process.pid

    def line(self, seconds=60):
        """The first line it says, as soon as it is there."""
        deadline = time.monotonic() + seconds
        while "\n" not in self.said("out"):
            assert self.process.is_alive(), self.said("err")
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return self.said("out").splitlines()[0]

    def said(self, stream):
        """What it has said so far on the stream `out` or `err`."""
        path = self.path.with_suffix(f".{stream}")
        return path.read_text() if path.exists() else ""

    def end(self, seconds=60):
        """Its exit code, once it has ended."""
        self.process.join(seconds)
        if self.process.is_alive():
            self.process.kill()
            raise TimeoutError(f"not done after {seconds} seconds; {self.said('err')}")
        return self.process.exitcode
