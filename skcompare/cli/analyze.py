"""`skcompare analyze`: what another tool made is compared: predictions, outcomes of items, scores of splits or runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from skcompare.cli.run import Outputs, warnings_told_once
from skcompare.cli.table import check_separator


def analyze_command(separator: Callable[..., Any], written: Callable[..., Any]) -> click.Command:
    """The command, with the options for a table's columns and for what is written that other commands have too."""

    @click.command("analyze", short_help="Analyse predictions, outcomes or scores that another tool made.")
    @click.argument("file", type=Path)
    @click.option("--truth", metavar="COLUMN", help="The column of true values.  [default: y_true or truth]")
    @click.option(
        "--id",
        "sample",
        metavar="COLUMN",
        help="The names of the samples.  [default: sample_id, item_id, item or id]",
    )
    @click.option(
        "--model",
        "models",
        multiple=True,
        metavar="COLUMN",
        help="The column that names the model of a row; or, repeated, the columns of predictions, one per model.  "
        "[default: model or estimator]",
    )
    @click.option(
        "--cluster",
        metavar="COLUMN",
        help="The cluster of a sample, as a patient; none: there are none.  [default: cluster, clusters or group]",
    )
    @click.option(
        "--metric",
        "metrics",
        multiple=True,
        metavar="METRIC",
        help="For predictions a scikit-learn scorer, else one of the table; repeatable.  [default: all, for "
        "predictions the usual metrics of the task]",
    )
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
    @click.option(
        "--less-is-better", multiple=True, metavar="METRIC", help="A metric of which less is better; repeatable."
    )
    @click.option(
        "--paired", metavar="WHY", help="Runs with one name are pairs, for this reason; they are none without."
    )
    @click.option("--test-fraction", type=float, help="Test size over train plus test size; random splits need it.")
    @separator
    @written
    def command(
        file: Path, sep: str, out: Path | None, html: Path | None, detail: str, models: tuple[str, ...], **given: Any
    ) -> None:
        """Compare the models of a table that another tool made.

        FILE is comma-separated text, Parquet (.parquet) or JSON lines (.jsonl). What it holds is read from its columns,
        and said:

        \b
        predictions  sample_id, model, y_true, and prediction, probability,
                     decision_function or score;
                     or y_true and one column of predictions per model
        outcomes     sample_id, model, outcome; perhaps metric, run
        scores       model, fold, score; perhaps metric, repeat, n_train, n_test
        runs         model, run or seed, score; perhaps metric, task

        A score is a probability where all are between 0 and 1, and a decision value where they have both signs.
        Predictions and outcomes may have a column clusters. Scores with one fold per repeat are taken for random
        splits, all others for (repeated) k-fold.

        \b
        Example:
          skcompare analyze predictions.csv --truth y --id case --cluster patient \\
            --metric f1_macro --null -0.01 --baseline old --by hospital
        """
        from skcompare.cli.analyzed import Request

        outputs = Outputs(out=out, html=html, detail=detail)
        outputs.check()
        asked = Request(file=file, models=models, **given)
        with warnings_told_once():
            result, said = asked.read(check_separator(sep))
        outputs.save(result)
        outputs.tell(result, [said], **asked.answers(result))

    return command
