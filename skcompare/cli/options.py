"""The options of all commands: how each is written, and its help."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from skcompare.cli.data import DATASETS

_TYPES = {"FILE": Path, "FILE.csv": Path, "INTEGER": int, "FLOAT": float}
_JOBS = {"-n, --jobs INTEGER = 1": "Worker processes; -1 for all cores."}
_DETAIL = {"--detail [short|full] = short": "How much is printed; full is what explain prints."}
_BESIDES: Mapping[str, Mapping[str, Any]] = {  # what click is told besides, by how it is written
    "--seed INTEGER": {"type": click.IntRange(0, 2**32 - 1)},
    "--model [NAME=]MODULE:CLASS[(KEY=VALUE, ...)]...": {"name": "models", "required": True},
    "--model, --models COLUMN...": {"name": "models"},
    "--metric METRIC...": {"name": "metrics"},
    "--metric, --metrics METRIC...": {"name": "metrics"},
    "--greater-is-better [METRIC=]true|false...": {"name": "directions"},
    "--null [METRIC=]DIFFERENCE...": {"name": "nulls"},
    "--margin [METRIC=]MARGIN...": {"name": "margins", "required": True},
    "--old NAME": {"name": "old_name"},
    "--new NAME": {"name": "new_name"},
    "--json": {"name": "as_json"},
    "--margin FLOAT": {"required": True},
    "--allow PACKAGE...": {"default": ("sklearn",), "show_default": True},
    "--progress/--no-progress": {"default": None},
}

# The help of each option, by the group that commands name, and by how it is written: what stands for the value says its
# type, "..." after it that the option is repeatable; a default follows "="; without a value it is a flag.
_TABLE: Mapping[str, Mapping[str, str]] = {
    "dataset": {"--dataset NAME": f"A data set that scikit-learn brings: {', '.join(DATASETS)}."},
    "table": {
        "--data FILE.csv": "A text file with a header line, separated by commas.",
        "--target COLUMN...": "The column of --data to predict; repeatable, for several labels (0 and 1) or several "
        "numbers.",
        "--categorical COLUMN...": "A column of --data to take as categories although it holds numbers; repeatable.",
        "--drop COLUMN...": "A column of --data to leave out; repeatable.",
        "--sep CHARACTER = ,": "What separates the columns; tab for a tab.",
    },
    "models": {
        "--model [NAME=]MODULE:CLASS[(KEY=VALUE, ...)]...": "A model, e.g. 'nb=sklearn.naive_bayes:GaussianNB'; give "
        "one or more.",
        "--group COLUMN": "A column of --data whose rows belong together, as a patient; no feature.",
        "--cv TEXT = 10x10": "K folds, or RxK: R repeats of K folds.",
        "--in-time": "Rows are in time order: --cv test sets, each later than what is trained on.",
        "--scoring METRIC...": "A scikit-learn scorer, fit_time, predict_time, model_size, peak_memory or complexity; "
        "repeatable. [default: five metrics of the task, three in regression]",
        "--seed INTEGER = 0": "Seed of splits and models: random_state in Python.",
        "--baseline NAME": "Which models are not better than this one? dummy adds one that guesses; one --model is "
        "then enough.",
    },
    "fits": {
        **_JOBS,
        "--store FILE": "Keep finished fits in FILE, and fit only what is not there.",
        "--progress/--no-progress": "Show fits done and the time left.  [default: on a terminal, if tqdm is installed]",
    },
    "primary": {"--primary METRIC": "The metric that decides.  [default: the first one that is scored]"},
    "detail": _DETAIL,
    "written": {
        **_DETAIL,
        "--out FILE": "Save the result; skcompare.load reads it.",
        "--html FILE": "Write the report too: one page that works offline.",
    },
    "report": {"--out FILE": "Where to write it.  [default: FILE with the suffix .html]"},
    "curve": {
        "--sizes SIZE,SIZE,... = 0.1,0.2,0.4,0.7,1.0": "Shares of the training samples, or numbers of them: 50,100,200."
    },
    "verify": {
        "--allow PACKAGE...": "A package that models may be imported from; repeatable, and the default is then named "
        "too.",
        **_JOBS,
        "--progress/--no-progress": "As of compare.",
    },
    "plan": {
        "--margin FLOAT": "The true difference to detect, in score units.",
        "--power FLOAT = 0.8": "The probability to detect it.",
        "--alpha FLOAT = 0.05": "Level of the test.",
        "--alternative [two-sided|greater|less] = two-sided": "Of the test.",
        "--metric METRIC": "Of FILE.  [default: the first]",
        "--a NAME": "A model of FILE.  [default: the first]",
        "--b NAME": "Another one.  [default: the second]",
        "--sd FLOAT": "Without FILE: standard deviation of the difference over the splits.",
        "--n-train INTEGER": "With --sd: samples in a training set.",
        "--n-test INTEGER": "With --sd: samples in a test set.",
        "--repeats INTEGER": "With --sd: repeats planned now.  [default: 10]",
        "--folds INTEGER": "With --sd: test sets per repeat.  [default: as many as fit]",
        "--correlation FLOAT": "With --sd: of two splits.  [default: that of the default test]",
        "--sd-between FLOAT": "Without FILE: standard deviation of the difference over data sets.",
        "--within-error FLOAT": "With --sd-between: standard error on each data set.  [default: 0]",
        "--n-datasets INTEGER": "With --sd-between: data sets planned now.",
    },
    "reading": {  # of tables, as arguments of `skcompare.read`
        "--model, --models COLUMN...": "The column that names the model of a row; or, repeated, the columns of the "
        "models.",
        "--dataset COLUMN": "The column that names the data set of a row.",
        "--item, --id COLUMN": "The column that names the samples or items.",
        "--split COLUMN": "The column that names the split or fold.",
        "--repeat COLUMN": "The column that names the repeat.",
        "--run COLUMN": "The column that names the run or seed.",
        "--value COLUMN": "The column that holds the score.",
        "--truth COLUMN": "The column of true values.",
        "--cluster COLUMN": "The column of the cluster of a sample, as a patient; none: there are none.",
        "--metric, --metrics METRIC...": "A metric to read, or the column that names it; for predictions a "
        "scikit-learn scorer; repeatable.",
        "--greater-is-better [METRIC=]true|false...": "Whether more of a metric is better; repeatable with METRIC=.",
        "--less-is-better METRIC...": "A metric of which less is better; repeatable.",
        "--missing [raise|drop|keep]": "Scores that are missing: say which, leave out what lacks them, or keep such "
        "data sets.",
        "--design TEXT": "How samples were split: '10-fold', '10x10', '30 random splits, 50% tested', or 'runs'.",
        "--paired WHY": "Runs with one name are pairs, for this reason.",
        "--test-fraction FLOAT": "Test size over train plus test size, of random splits.",
        "--decimal [.|,]": "The decimal mark.  [default: found out]",
        "--sep CHARACTER": "What separates the columns; tab for a tab.  [default: found out]",
    },
    "analyze": {
        "--null [METRIC=]DIFFERENCE...": "Ask about this difference a - b in place of 0; -0.01: is a not worse than b "
        "by 0.01? Repeatable with METRIC=.",
        "--baseline NAME": "Compare all others with this model b, under --null and in groups.",
        "--by COLUMN": "Compare in the groups of this column too, and the groups.",
    },
    "check": {
        "--margin [METRIC=]MARGIN...": "The largest loss that does not matter, in units of the metric; repeatable "
        "with METRIC=.",
        "--metric METRIC...": "A metric of the file, or a scikit-learn scorer; repeatable. All of them must be shown "
        "not to be worse. [default: the only one of the file]",
        "--old NAME": "Which model of OLD it is, where it has several.",
        "--new NAME": "Which model of NEW it is, where it has several.",
        "--json": "Print the answer as one line of JSON.",
        "--junit FILE": "Write it as a test case in JUnit's XML too.",
        "--markdown FILE": "Write it in Markdown too, as for a pull request.",
        "--dataset NAME": f"For models: {', '.join(DATASETS)}.",
    },
    "check_fits": {
        "--cv TEXT = 10x10": "For models, as of compare.",
        "--seed INTEGER = 0": "For models: random_state in Python, as of compare.",
    },
}


def _option(usage: str, text: str) -> click.Option:
    written, _, default = usage.partition(" = ")
    flags, value, many = re.findall(r"^((?:-[\w/-]+,? ?)+)(.*?)((?<!,)\.\.\.)?$", written)[0]
    choices = re.fullmatch(r"\[([^=\]]+\|[^=\]]+)\]", value)
    own: dict[str, Any] = {"is_flag": True} if not value and "/" not in flags else {}
    if value:
        kind = click.Choice(choices[1].split("|")) if choices else _TYPES.get(value, str)
        own = {"type": kind, "multiple": bool(many), "metavar": value if kind in (str, Path) else None}
    if default:
        own |= {"default": default, "show_default": True}
    own |= _BESIDES.get(written, {})
    return click.Option([*flags.replace(",", "").split(), *filter(None, [own.pop("name", "")])], help=text, **own)


OPTIONS = {group: [_option(usage, row) for usage, row in rows.items()] for group, rows in _TABLE.items()}
OPTIONS["data"] = OPTIONS["dataset"] + OPTIONS["table"]
OPTIONS["tables"] = [one for one in OPTIONS["reading"] if one.name not in ("dataset", "metrics", "sep")]  # of check
