"""A search that was kept on disk, or a study of Optuna -> the columns of ``cv_results_``."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from skcompare._core.numbers import agreeing, counted
from skcompare._core.printable import one_line, some_names
from skcompare._core.warnings import Code, CodedWarning

Columns = Mapping[str, Sequence[Any]]
Found = tuple[dict[str, Sequence[Any]], tuple[str, ...]]  # columns, and what is to be said of them
_MISSING = {"", "?", "nan", "None", "<NA>", "NaT"}


def missing(cell: Any) -> bool:
    """Whether a cell of a log holds nothing."""
    return str(cell).strip() in _MISSING


def number(cell: Any) -> float:
    """A cell as a number, nan where it is none."""
    try:
        return float("nan") if missing(cell) else float(cell)
    except (TypeError, ValueError):
        return float("nan")


def left_out(n: int, what: str, why: str) -> tuple[CodedWarning, ...]:
    """The warning that some rows are not read; none where there are none."""
    if not n:
        return ()
    return (Code.MISSING_SCORES(f"{counted(n, what)} {agreeing(n, 'was', 'were')} left out: {why}."),)


# ---- parameters -----------------------------------------------------------------------------------------------


def candidate_params(table: Mapping[str, Any], what: str) -> tuple[dict[str, Any], ...]:
    """The parameters of every candidate in ``cv_results_``, also as it is kept on disk.

    They are mappings or texts of such; where these cannot be read, the columns ``param_*``, or else the texts.

    Raises
    ------
    ValueError
        If `what`, as messages call it, has none of these.
    """
    given = list(table["params"]) if "params" in table.keys() else []  # noqa: SIM118 - a frame's keys are its columns
    read = [_literal(one) if isinstance(one, str) else one for one in given]
    if read and all(isinstance(one, Mapping) for one in read):
        return tuple({str(name): value for name, value in one.items()} for one in read)
    names = [str(name) for name in table.keys() if str(name).startswith("param_")]  # noqa: SIM118
    if names:
        rows = zip(*(list(table[name]) for name in names), strict=True)
        plain = [{n.removeprefix("param_"): _plain(x) for n, x in zip(names, row, strict=True)} for row in rows]
        return tuple({name: value for name, value in one.items() if not missing(value)} for one in plain)
    if given and all(isinstance(one, str) for one in given):
        return tuple({"params": one_line(one)} for one in given)
    if "params" not in table.keys():  # noqa: SIM118
        raise ValueError(f"{what} must have 'params', a mapping per candidate, or columns 'param_...'; got none")
    raise ValueError(f"{what}['params'] must hold a mapping per candidate, or the text of one; got {given!r:.80}")


_OF_NUMPY = re.compile(r"np\.\w+\(([^()]*)\)")


def _literal(text: str) -> Any:
    """Plain values that Python wrote as a text, numpy's numbers and ordered mappings among them; else the text."""
    bare = _OF_NUMPY.sub(r"\1", text.strip())
    ordered = bare.startswith("OrderedDict(")
    try:
        value = ast.literal_eval(bare.removeprefix("OrderedDict(").removesuffix(")") if ordered else bare)
        return dict(value) if ordered else value
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text


def _plain(cell: Any) -> Any:
    """A cell as the number or truth value that it is the text of; any other as it is."""
    value = _literal(cell) if isinstance(cell, str) else cell
    return value if isinstance(value, (bool, int, float, np.generic)) else cell


# ---- Optuna ---------------------------------------------------------------------------------------------------


def study_columns(study: Any) -> Found:
    """The trials of a study of Optuna."""
    return _of_trials(study.trials, [direction.name == "MINIMIZE" for direction in study.directions])


def trials_columns(columns: Columns) -> Found:
    """The trials in a frame that a study of Optuna gave, whose columns may all be of text."""

    def of_row(prefix: str, i: int) -> dict[str, Any]:
        named = {name.removeprefix(prefix): x[i] for name, x in columns.items() if name.startswith(prefix)}
        return {name: _literal(x) if isinstance(x, str) else x for name, x in named.items() if not missing(x)}

    values = [x for name, x in columns.items() if name == "value" or name.startswith("values_")]
    trials = [
        SimpleNamespace(
            params=of_row("params_", i),
            user_attrs=of_row("user_attrs_", i),
            values=[number(x[i]) for x in values],
            state=SimpleNamespace(name=str(state).rpartition(".")[2]),
        )
        for i, state in enumerate(columns["state"])
    ]
    return _of_trials(trials, None)


# split0_test_score, fold_3, accuracy_fold_3, cv_fold_3_accuracy
_OF_SPLIT = re.compile(r"(?:(.+?)[_ -])??(?:cv[_ -]?)?(?:split|fold)[_ -]?(\d+)(?:[_ -](?:test[_ -])?(.+))?", re.I)


def _of_trials(trials: Sequence[Any], minimised: list[bool] | None) -> Found:
    """The complete trials, with the scores of their splits from the user attributes; more is better."""
    complete = [trial for trial in trials if trial.state.name == "COMPLETE"]
    if len(complete) < 2:
        raise ValueError(f"the study must have two or more complete trials; got {len(complete)}")
    scores = [_split_scores(trial) for trial in complete]
    shared = [name for name, x in scores[0].items() if all(len(one.get(name, ())) == len(x) for one in scores)]
    if not shared:
        got = some_names(sorted(complete[0].user_attrs)) or "none"
        remedy = "give them in the objective, trial.set_user_attr('split0_test_score', ...)"
        raise ValueError(f"the study must have the scores of every split as user attributes; got {got}: {remedy}")
    columns: dict[str, Sequence[Any]] = {"params": [dict(trial.params) for trial in complete]}
    out = left_out(len(trials) - len(complete), "trial", "failed, pruned or not finished")
    notes = ["A study of Optuna.", *out]
    for name in shared:
        sign = _sign([one[name] for one in scores], complete, minimised)
        if minimised is None and f"split0_test_{name}" not in complete[0].user_attrs:
            notes.append(Code.ASSUMED(f"more is taken for better on {name}, as a frame of trials has no direction."))
        label = name if sign > 0 else f"neg_{name}"
        for i in range(len(scores[0][name])):
            columns[f"split{i}_test_{label}"] = [sign * one[name][i] for one in scores]
    times = [number(trial.user_attrs.get("mean_fit_time")) for trial in complete]
    return ({**columns, "mean_fit_time": times} if np.isfinite(times).any() else columns), tuple(notes)


def _split_scores(trial: Any) -> dict[str, list[float]]:
    """By metric the scores of the splits: numbered attributes, or else a list with the mean that the trial reports."""
    numbered: dict[str, dict[int, float]] = defaultdict(dict)
    for name, value in trial.user_attrs.items():
        match = _OF_SPLIT.fullmatch(name)
        if match and "train" not in name and np.ndim(value) == 0:
            numbered[match[3] or match[1] or "score"][int(match[2])] = number(value)
    found = {name: [x[i] for i in sorted(x)] for name, x in numbered.items() if len(x) == max(x) - min(x) + 1 > 1}
    if found:
        return found
    lists = {name: [number(x) for x in value] for name, value in trial.user_attrs.items() if np.ndim(value) == 1}
    return {
        name: x
        for name, x in lists.items()
        if len(x) > 1 and np.isclose(np.abs(trial.values), abs(np.mean(x)), rtol=1e-6).any()
    }


def _sign(scores: list[list[float]], trials: Sequence[Any], minimised: list[bool] | None) -> int:
    """-1 where less is better: the study minimises the mean of the splits, or maximises its negative."""
    means = np.mean(scores, axis=1)
    for at, less in enumerate(minimised or ()):
        values = np.array([trial.values[at] for trial in trials])
        for sign in (1, -1):
            if np.allclose(values, sign * means, rtol=1e-6):
                return -sign if less else sign
    return -1 if minimised and all(minimised) else 1
