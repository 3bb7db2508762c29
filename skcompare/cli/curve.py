"""`skcompare curve`: does the verdict hold for another number of training samples?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from skcompare.cli.data import Given
from skcompare.cli.errors import InputError, taken
from skcompare.cli.run import Outputs, evaluate


def curve_command(
    evaluated: Callable[..., Any], fitted: Callable[..., Any], written: Callable[..., Any]
) -> click.Command:
    """The command, with the options for data, models and fits, and for what is written, that compare has too."""

    @click.command("curve", short_help="Compare models with fewer training samples too.")
    @click.option(
        "--sizes",
        default="0.1,0.2,0.4,0.7,1.0",
        show_default=True,
        metavar="SIZE,SIZE,...",
        help="Shares of the training samples, or numbers of them: 50,100,200.",
    )
    @evaluated
    @fitted
    @written
    def command(sizes: str, **options: Any) -> None:
        """Does the answer of compare hold with fewer training samples?

        Every model is fitted on training sets of several sizes, each a part of the next larger one, and tested on the
        same test sets. Prints what to use at which size, and where two models change places; all comparisons at all
        sizes share one error rate of 5%, so that few sizes and one --scoring find more. With --store the fits with
        all training samples are shared with compare.

        \b
        Example:
          skcompare curve --dataset breast_cancer --cv 10x10 --scoring roc_auc \\
            --model "nb=sklearn.naive_bayes:GaussianNB" \\
            --model "stump=sklearn.tree:DecisionTreeClassifier(max_depth=1)" \\
            --sizes 0.1,0.3,1.0
        """
        outputs, given = taken(Outputs, options), taken(Given, options)
        given.check()
        wanted = _sizes(sizes)
        outputs.check()
        named, X, y, groups, notes = given.read()
        found = evaluate(lambda one: one.learning_curve(named, X, y, train_sizes=wanted, groups=groups), **options)
        outputs.finish(found, notes)

    return command


def _sizes(text: str) -> list[float]:
    """Numbers between commas: integers where all of them are written so."""
    parts = [part.strip() for part in text.split(",")]
    try:
        return [int(part) for part in parts] if all(map(str.isdecimal, parts)) else [float(part) for part in parts]
    except ValueError as error:
        raise InputError(f"--sizes must be numbers with commas between them, as 0.1,0.5,1.0; got {text!r}") from error
