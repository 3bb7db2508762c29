"""``skcompare plan``: how much evidence a difference needs."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skcompare.cli.errors import InputError, as_input_error
from skcompare.cli.run import WIDTH

if TYPE_CHECKING:
    from skcompare.planning import Plan

_SIZES = ("sd", "n_train", "n_test")
_DESIGN = ("repeats", "folds", "correlation")


@click.command("plan", short_help="How many repeats, folds, samples or data sets a difference needs.")
@click.argument("file", type=Path, required=False)
@click.option("--margin", type=float, required=True, help="The true difference to detect, in score units.")
@click.option("--power", type=float, default=0.8, show_default=True, help="The probability to detect it.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the test.")
@click.option(
    "--alternative",
    type=click.Choice(["two-sided", "greater", "less"]),
    default="two-sided",
    show_default=True,
    help="Of the test.",
)
@click.option("--metric", metavar="METRIC", help="Of FILE.  [default: the first]")
@click.option("--a", metavar="NAME", help="A model of FILE.  [default: the first]")
@click.option("--b", metavar="NAME", help="Another one.  [default: the second]")
@click.option("--sd", type=float, help="Without FILE: standard deviation of the difference over the splits.")
@click.option("--n-train", type=int, help="With --sd: samples in a training set.")
@click.option("--n-test", type=int, help="With --sd: samples in a test set.")
@click.option("--repeats", type=int, help="With --sd: repeats planned now.  [default: 10]")
@click.option("--folds", type=int, help="With --sd: test sets per repeat.  [default: as many as fit]")
@click.option("--correlation", type=float, help="With --sd: of two splits.  [default: that of the default test]")
@click.option("--sd-between", type=float, help="Without FILE: standard deviation of the difference over data sets.")
@click.option("--within-error", type=float, help="With --sd-between: standard error on each data set.  [default: 0]")
@click.option("--n-datasets", type=int, help="With --sd-between: data sets planned now.")
def plan_command(
    file: Path | None, margin: float, metric: str | None, a: str | None, b: str | None, **rest: Any
) -> None:
    """Say how many repeats, folds, samples or data sets detect a difference of --margin.

    The spread is that of FILE, a result or study saved with --out, or is assumed: for one data set by --sd, --n-train
    and --n-test, for a study of many by --sd-between.

    \b
    Example:
      skcompare plan result.skc --margin 0.02
      skcompare plan --margin 0.02 --sd 0.04 --n-train 180 --n-test 20
      skcompare plan --margin 0.02 --sd-between 0.03 --n-datasets 10
    """
    from skcompare._load import load_result
    from skcompare.planning import plan

    goal = {name: rest[name] for name in ("power", "alpha", "alternative")}
    given = {name: value for name, value in rest.items() if name not in goal and value is not None}
    if file is not None and given:
        raise InputError("give either FILE or --sd, --n-train and --n-test, or --sd-between")
    with as_input_error(OSError, ValueError):
        if file is not None:
            found = plan(load_result(file), margin, metric=metric, a=a, b=b, **goal)
        else:
            found = _assumed(margin, given, goal)
    lines = str(found).splitlines()
    click.echo("\n".join(textwrap.fill(line, WIDTH, subsequent_indent="  " * line.startswith("-")) for line in lines))


def _assumed(margin: float, given: dict[str, Any], goal: dict[str, Any]) -> Plan:
    """The plan for one data set or for many, by what was given."""
    from skcompare.planning import plan_evaluation, plan_study

    names = {"sd": "std", "sd_between": "std", "repeats": "n_repeats", "folds": "n_folds"}
    own = {names.get(name, name): value for name, value in given.items()}
    of_one = given.keys() & {*_SIZES, *_DESIGN}
    if of_one >= set(_SIZES) and of_one == given.keys():
        return plan_evaluation(margin, **own, **goal)
    if "sd_between" in given and not of_one:
        return plan_study(margin, **own, **goal)
    raise InputError("give FILE, or --sd, --n-train and --n-test, or --sd-between, and options of that one only")
