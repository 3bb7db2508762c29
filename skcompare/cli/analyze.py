"""`skcompare analyze`: what another tool made is compared: predictions, outcomes of items, scores of splits or runs."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from skcompare.cli.run import WIDTH, Outputs, warnings_told_once

# Options that name a column, each with what it names.
_ROLES = {
    "dataset": "that names the data set of a row",
    "item": "that names the samples or items",
    "split": "that names the split or fold",
    "repeat": "that names the repeat",
    "run": "that names the run or seed",
    "value": "that holds the score",
    "truth": "of true values",
    "cluster": "of the cluster of a sample, as a patient; none: there are none",
}


def _roles(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that name columns, and those that say what cannot be read."""
    options = [
        click.option(
            "--model",
            "--models",
            "models",
            multiple=True,
            metavar="COLUMN",
            help="The column that names the model of a row; or, repeated, the columns of the models.",
        ),
        *(
            click.option(
                f"--{role}",
                *(("--id", "item") if role == "item" else ()),
                metavar="COLUMN",
                help=f"The column {what}.",
            )
            for role, what in _ROLES.items()
        ),
        click.option(
            "--metric",
            "--metrics",
            "metrics",
            multiple=True,
            metavar="METRIC",
            help="A metric to read, or the column that names it; for predictions a scikit-learn scorer; repeatable.",
        ),
        click.option(
            "--greater-is-better",
            "directions",
            multiple=True,
            metavar="[METRIC=]true|false",
            help="Whether more of a metric is better; repeatable with METRIC=.",
        ),
        click.option(
            "--less-is-better", multiple=True, metavar="METRIC", help="A metric of which less is better; repeatable."
        ),
        click.option(
            "--missing",
            type=click.Choice(["raise", "drop", "keep"]),
            help="Scores that are missing: say which, leave out what lacks them, or keep such data sets.",
        ),
        click.option(
            "--design",
            metavar="TEXT",
            help="How samples were split: '10-fold', '10x10', '30 random splits, 50% tested', or 'runs'.",
        ),
        click.option("--paired", metavar="WHY", help="Runs with one name are pairs, for this reason."),
        click.option("--test-fraction", type=float, help="Test size over train plus test size, of random splits."),
        click.option("--decimal", type=click.Choice([".", ","]), help="The decimal mark.  [default: found out]"),
        click.option(
            "--sep", metavar="CHARACTER", help="What separates the columns; tab for a tab.  [default: found out]"
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def analyze_command(written: Callable[..., Any]) -> click.Command:
    """The command, with the options for what is written that other commands have too."""

    @click.command("analyze", short_help="Analyse predictions, outcomes or scores that another tool made.")
    @click.argument("files", type=Path, nargs=-1, required=True, metavar="FILE...")
    @_roles
    @click.option(
        "--null",
        "nulls",
        multiple=True,
        metavar="[METRIC=]DIFFERENCE",
        help="Ask about this difference a - b in place of 0; -0.01: is a not worse than b by 0.01? Repeatable with "
        "METRIC=.",
    )
    @click.option(
        "--baseline", metavar="NAME", help="Compare all others with this model b, under --null and in groups."
    )
    @click.option("--by", metavar="COLUMN", help="Compare in the groups of this column too, and the groups.")
    @written
    def command(
        files: tuple[Path, ...],
        sep: str | None,
        out: Path | None,
        html: Path | None,
        detail: str,
        primary: str | None,
        **given: Any,
    ) -> None:
        """Compare the models of a table, a log or a search that another tool made.

        FILE is separated text, JSON, JSON lines, Parquet or a spreadsheet. Several files are tables of one form, one
        per model. What every column is for is read from its name and its values, and said before the answer:

        \b
        predictions  sample_id, model, y_true, and prediction, probability,
                     decision_function or score;
                     or y_true and one column of predictions per model
        outcomes     sample_id, model, outcome; or a column per model
        scores       model, fold, score; perhaps metric, repeat, n_train, n_test
        runs         model, run or seed, score; perhaps metric, data set
        data sets    data set, model, score; or a column per model

        Metrics may be columns, models may be rows. A score of predictions is a probability where all are between 0 and
        1, and a decision value where they have both signs.

        \b
        Example:
          skcompare analyze predictions.csv --truth y --id case --cluster patient \\
            --metric f1_macro --null -0.01 --baseline old --by hospital
        """
        from skcompare.cli.request import Request

        outputs = Outputs(out=out, html=html, detail=detail, primary=primary)
        outputs.check()
        asked = Request(file=files[0], more=files[1:], **given)
        with warnings_told_once():
            result, said = asked.read(asked.as_it_came(sep), sep)
        outputs.save(result)
        answers = asked.answers(result)
        first = "\n\n".join(filter(None, [textwrap.fill(said, WIDTH), answers.pop("first", "")]))
        outputs.tell(result, first=first, **answers)

    return command
