"""``skcompare plan``: how much evidence a difference needs."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import click

from skcompare._cli_input import InputError, one_line

_SIZES = ("sd", "n_train", "n_test")


@click.command("plan", short_help="How many repeats, folds, samples or data sets a difference needs.")
@click.argument("file", type=Path, required=False)
@click.option("--delta", type=float, required=True, help="The true difference to detect, in score units.")
@click.option("--power", type=float, default=0.8, show_default=True, help="The probability to detect it.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the test.")
@click.option("--metric", metavar="METRIC", help="Of FILE.  [default: the first]")
@click.option("--a", metavar="NAME", help="A model of FILE.  [default: the first]")
@click.option("--b", metavar="NAME", help="Another one.  [default: the second]")
@click.option("--sd", type=float, help="Without FILE: standard deviation of the difference over the splits.")
@click.option("--n-train", type=int, help="Without FILE: samples in a training set.")
@click.option("--n-test", type=int, help="Without FILE: samples in a test set.")
@click.option("--repeats", type=int, default=10, show_default=True, help="Without FILE: repeats planned now.")
def plan_command(
    file: Path | None,
    delta: float,
    power: float,
    alpha: float,
    metric: str | None,
    a: str | None,
    b: str | None,
    repeats: int,
    **sizes: Any,
) -> None:
    """Say how many repeats, folds, samples or data sets detect a difference of --delta.

    The spread is that of FILE, a result or study saved with --out, or is assumed by --sd, --n-train and --n-test.

    \b
    Example:
      skcompare plan result.skc --delta 0.02
      skcompare plan --delta 0.02 --sd 0.04 --n-train 180 --n-test 20
    """
    from skcompare._load import load
    from skcompare.planning import plan, plan_evaluation

    given = [size for size in _SIZES if sizes[size] is not None]
    if file is not None and given:
        raise InputError("give either FILE or --sd, --n-train and --n-test")
    if file is None and len(given) < len(_SIZES):
        raise InputError("give FILE, or --sd, --n-train and --n-test")
    try:
        if file is not None:
            found = plan(load(file), delta, metric=metric, a=a, b=b, power=power, alpha=alpha)
        else:
            found = plan_evaluation(delta, std=sizes.pop("sd"), n_repeats=repeats, power=power, alpha=alpha, **sizes)
    except (OSError, ValueError) as error:
        raise InputError(one_line(error)) from error
    lines = str(found).splitlines()
    click.echo("\n".join(textwrap.fill(line, 100, subsequent_indent="  " * line.startswith("-")) for line in lines))
