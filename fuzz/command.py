"""The command: every subcommand that it has, with the options that it says it takes."""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from unittest.mock import patch

import click

from fuzz.targets import RefusedError, UnsoundError, namespace
from skcompare import PairedEvaluator
from skcompare.cli import main as cli

ODD_WORDS = (
    "",
    "x",
    "-1",
    "0",
    "nan",
    "1e400",
    "9" * 400,
    "a\x1b[2Jb",
    "../x",
    "=1+1",
    "0.5",
    "--",
    "ä",
    "/dev/null",
    ".",
)
MODELS = (
    "nb=sklearn.naive_bayes:GaussianNB",
    "d=sklearn.dummy:DummyClassifier",
    "t=sklearn.tree:DecisionTreeClassifier(max_depth=1)",
)
ROWS = "id,x,z,y\n" + "".join(f"r{i},{i / 7:.3f},{'abc'[i % 3]},{'no' if i % 2 else 'yes'}\n" for i in range(24))
STUDY = """cv = 2
[models]
nb = "sklearn.naive_bayes:GaussianNB"
d = "sklearn.dummy:DummyClassifier"
[datasets]
iris = "iris"
wine = "wine"
"""
# What an option may be given, by its name; what is not here has numbers.
WORDS = {
    "dataset": ("iris", "breast_cancer"),
    "target": ("y",),
    "categorical": ("z",),
    "drop": ("id",),
    "sep": (",", ";", "tab"),
    "cv": ("2", "3", "2x2"),
    "scoring": ("accuracy", "f1_macro", "fit_time"),
    "less_is_better": ("f1",),
    **dict.fromkeys(
        ("test_fraction", "power", "alpha", "std", "std_between", "within_error", "correlation"),
        ("0.1", "0.5", "0.01"),
    ),
    **dict.fromkeys(("a", "b"), ("bayes", "tree")),
    "metric": ("accuracy",),
    "name": ("corrected_t_test", "auto", "wilcoxon"),
    **dict.fromkeys(("old", "new"), ("saved.skc",)),
    **dict.fromkeys(("old_name", "new_name"), ("bayes", "tree", "dummy")),
    **dict.fromkeys(("margin", "metrics"), ("0.05", "accuracy", "f1=0.1")),
    "out": ("made.skc",),
    "html": ("made.html",),
    "junit": ("made.xml",),
    "markdown": ("made.md",),
    "store": ("runs.sqlite", "new.sqlite"),
    "data": ("rows.csv",),
    "config": ("study.toml",),
    "design": ("10-fold", "30 random splits, 50% tested", "runs"),
    "greater_is_better": ("true", "f1=true"),
    "split": ("fold",),
    "repeat": ("repeat",),
    "value": ("score",),
    "n_jobs": ("1",),
}
# A command takes its input from here or from there; the names of the other place are left out.
EITHER = (
    ("data", "target", "categorical", "drop", "sep", "file", "metric", "a", "b"),
    ("dataset", "std", "n_train", "n_test", "n_repeats", "n_folds", "correlation", "std_between", "within_error"),
)
# What goes with tables and models, not with saved results.
NO_RESULTS = (
    *("data", "dataset", "target", "categorical", "drop", "truth", "sample", "models", "cluster"),
    *("split", "repeat", "run", "value", "less_is_better", "greater_is_better", "missing", "design", "paired"),
    *("test_fraction", "decimal"),
)
NEEDED = ("data", "target", "dataset", "file", "files", "std", "n_train", "n_test", "old_name", "new_name")
SHARE_OF_OPTIONS = {"analyze": 0.1}  # most of its options exclude each other; of the other commands more
FILES = {"analyze": "scores.csv", "store": "runs.sqlite"}


@dataclass(frozen=True, slots=True)
class Command:
    """One subcommand, such as ``("store", "ls")``, that is called as a `fuzz.targets.Target` is."""

    path: tuple[str, ...]
    options: tuple[click.Parameter, ...]

    @property
    def text(self) -> str:
        return f"command {' '.join(self.path)}"

    @property
    def group(self) -> str:
        return self.text

    def call(self, seed: int, *, odd: bool) -> str:
        """The text of one call of `run`."""
        random = Random(f"{self.text} {seed}")
        left_out = random.choice(EITHER)
        words = []
        for option in self.options:
            given = (
                option.required or option.name in NEEDED or random.random() < SHARE_OF_OPTIONS.get(self.path[0], 0.25)
            )
            beside = option.name in NO_RESULTS and self.path == ("check",)
            if (
                not given
                or beside
                or (option.name in left_out and not (option.required and option.name in ("file", "files")))
            ):
                continue
            words += _words(option, random, self.path)
        if odd and words:
            words[random.randrange(len(words))] = random.choice(ODD_WORDS)
        return f"command({', '.join(map(repr, [*self.path, *words]))})"


def _words(option: click.Parameter, random: Random, path: tuple[str, ...]) -> list[str]:
    if isinstance(option, click.Option) and option.is_flag:
        return [option.opts[0]]
    if option.name == "models":
        return [word for model in random.sample(MODELS, 2) for word in ("--model", model)]
    if isinstance(option.type, click.Choice):
        value = random.choice([*option.type.choices])
    elif option.name in ("file", "files"):
        value = FILES.get(path[0], "saved.skc")
    else:
        value = random.choice(WORDS.get(option.name, ("1", "3", "20")))
    return [value] if isinstance(option, click.Argument) else [option.opts[-1], value]


def commands(group: click.Group = cli.command, path: tuple[str, ...] = ()) -> list[Command]:
    """All subcommands."""
    found = []
    for name, command in group.commands.items():
        here = (*path, name)
        found += commands(command, here) if isinstance(command, click.Group) else [Command(here, tuple(command.params))]
    return found


@cache
def _folder() -> Path:
    """Files of each kind that the command reads."""
    folder = Path(tempfile.mkdtemp(prefix="skcompare-fuzz-"))
    names = namespace()
    (folder / "rows.csv").write_text(ROWS)
    (folder / "study.toml").write_text(STUDY)
    names["evaluation"].to_frame().to_csv(folder / "scores.csv", index=False)
    names["evaluation"].save(folder / "saved.skc")
    models = {"u": names["GaussianNB"](), "v": names["DummyClassifier"]()}
    PairedEvaluator(2, random_state=0, store=folder / "runs.sqlite").evaluate(models, names["X"], names["y"])
    return folder


def run(*words: str) -> None:
    """Runs the command; raises unless it answers on standard output, or fails by its own lines on standard error."""
    said, err = io.StringIO(), io.StringIO()
    code: object = 0
    streams = contextlib.redirect_stdout(said), contextlib.redirect_stderr(err)
    with contextlib.chdir(_folder()), patch.object(sys, "argv", ["skcompare", *words]), streams[0], streams[1]:
        try:
            cli.main()
        except SystemExit as ended:
            code = ended.code or 0
    lines = [*said.getvalue().split("\n"), *err.getvalue().split("\n")]
    if not all(line.replace("\r", "").isprintable() for line in lines):  # a progress bar goes back to the left
        raise UnsoundError("not printable")
    if code not in (0, 1, 2, 3) or (code and not f"{said.getvalue()}{err.getvalue()}".strip()):
        raise UnsoundError(f"ended with {code!r} and said {err.getvalue()!r}")
    if err.getvalue() and code and not err.getvalue().splitlines()[-1].startswith("skcompare: "):
        raise UnsoundError(f"said {err.getvalue()!r}")
    if code and err.getvalue():
        raise RefusedError(err.getvalue())
