"""A search that was kept on disk, or a study of Optuna -> the columns of ``cv_results_``."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcompare._core.numbers import agreeing, counted
from skcompare._core.printable import some_names
from skcompare.tables.cross_validate import is_cv_results

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


def left_out(n: int, what: str, why: str) -> str:
    """What is said of rows that are not read; empty where there are none."""
    return f"{counted(n, what)} {agreeing(n, 'was', 'were')} left out: {why}." if n else ""


def candidates(columns: Columns) -> Found | None:
    """The candidates of a table of a search or of trials; None of any other table."""
    if {"number", "state"} <= columns.keys() and any(name.startswith("params_") for name in columns):
        return _of_trials(_trials_of_frame(columns), None)
    if not is_cv_results(columns):
        return None
    own = {name: x for name, x in columns.items() if not name.startswith(("param_", "params", "Unnamed"))}
    numbers = {name: [number(cell) for cell in x] for name, x in own.items()}
    return {**numbers, "params": _params(columns)}, ("The cv_results_ of a search.",)


# ---- parameters -----------------------------------------------------------------------------------------------


def _params(columns: Columns) -> list[dict[str, Any]]:
    """The parameters of every candidate: mappings, texts of such, or else the columns ``param_*``."""
    given = [_literal(x) if isinstance(x, str) else x for x in columns.get("params", ())]
    if given and all(isinstance(x, Mapping) for x in given):
        return [dict(x) for x in given]
    apart = {name.removeprefix("param_"): x for name, x in columns.items() if name.startswith("param_")}
    n = len(next(iter(columns.values())))
    if not apart:
        return [{"params": " ".join(str(x).split())} for x in given or range(1, n + 1)]
    return [{name: _plain(x[i]) for name, x in apart.items() if not missing(x[i])} for i in range(n)]


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


@dataclass(frozen=True, kw_only=True)
class _Trial:
    params: dict[str, Any]
    attrs: dict[str, Any]
    values: tuple[float, ...]
    complete: bool


def study_columns(study: Any) -> Found:
    """The trials of a study of Optuna."""
    trials = [
        _Trial(
            params=dict(trial.params),
            attrs=dict(trial.user_attrs),
            values=tuple(trial.values or ()),
            complete=trial.state.name == "COMPLETE",
        )
        for trial in study.trials
    ]
    return _of_trials(trials, [direction.name == "MINIMIZE" for direction in study.directions])


def _trials_of_frame(columns: Columns) -> list[_Trial]:
    def of_row(prefix: str, i: int) -> dict[str, Any]:
        named = {name.removeprefix(prefix): x[i] for name, x in columns.items() if name.startswith(prefix)}
        return {name: _literal(x) if isinstance(x, str) else x for name, x in named.items() if not missing(x)}

    values = [x for name, x in columns.items() if name == "value" or name.startswith("values_")]
    return [
        _Trial(
            params=of_row("params_", i),
            attrs=of_row("user_attrs_", i),
            values=tuple(number(x[i]) for x in values),
            complete=str(state).endswith("COMPLETE"),
        )
        for i, state in enumerate(columns["state"])
    ]


# split0_test_score, fold_3, accuracy_fold_3, cv_fold_3_accuracy
_OF_SPLIT = re.compile(r"(?:(.+?)[_ -])??(?:cv[_ -]?)?(?:split|fold)[_ -]?(\d+)(?:[_ -](?:test[_ -])?(.+))?", re.I)


def _of_trials(trials: list[_Trial], minimised: list[bool] | None) -> Found:
    """The complete trials, with the scores of their splits from the user attributes; more is better."""
    complete = [trial for trial in trials if trial.complete]
    if len(complete) < 2:
        raise ValueError(f"the study must have two or more complete trials; got {len(complete)}")
    scores = [_split_scores(trial) for trial in complete]
    shared = [name for name, x in scores[0].items() if all(len(one.get(name, ())) == len(x) for one in scores)]
    if not shared:
        raise ValueError(
            "the study must have the scores of every split as user attributes; got "
            f"{some_names(sorted(complete[0].attrs)) or 'none'}: "
            "give them in the objective, trial.set_user_attr('split0_test_score', ...)"
        )
    columns: dict[str, Sequence[Any]] = {"params": [trial.params for trial in complete]}
    notes = [f"Study of Optuna, {len(complete)} trials."]
    notes += [left_out(len(trials) - len(complete), "trial", "failed, pruned or not finished")]
    for name in shared:
        sign = _sign([one[name] for one in scores], complete, minimised)
        if minimised is None and f"split0_test_{name}" not in complete[0].attrs:
            notes.append(f"That more is better on {name} is assumed; a frame of trials lacks the study's direction.")
        label = name if sign > 0 else f"neg_{name}"
        for i in range(len(scores[0][name])):
            columns[f"split{i}_test_{label}"] = [sign * one[name][i] for one in scores]
    times = [number(trial.attrs.get("mean_fit_time")) for trial in complete]
    return ({**columns, "mean_fit_time": times} if np.isfinite(times).any() else columns), tuple(filter(None, notes))


def _split_scores(trial: _Trial) -> dict[str, list[float]]:
    """By metric the scores of the splits: numbered attributes, or else a list with the mean that the trial reports."""
    numbered: dict[str, dict[int, float]] = defaultdict(dict)
    for name, value in trial.attrs.items():
        match = _OF_SPLIT.fullmatch(name)
        if match and "train" not in name and np.ndim(value) == 0:
            numbered[match[3] or match[1] or "score"][int(match[2])] = number(value)
    found = {name: [x[i] for i in sorted(x)] for name, x in numbered.items() if len(x) == max(x) - min(x) + 1 > 1}
    if found:
        return found
    lists = {name: [number(x) for x in value] for name, value in trial.attrs.items() if np.ndim(value) == 1}
    return {
        name: x
        for name, x in lists.items()
        if len(x) > 1 and np.isclose(np.abs(trial.values), abs(np.mean(x)), rtol=1e-6).any()
    }


def _sign(scores: list[list[float]], trials: list[_Trial], minimised: list[bool] | None) -> int:
    """-1 where less is better: the study minimises the mean of the splits, or maximises its negative."""
    means = np.mean(scores, axis=1)
    for at, less in enumerate(minimised or ()):
        values = np.array([trial.values[at] for trial in trials])
        for sign in (1, -1):
            if np.allclose(values, sign * means, rtol=1e-6):
                return -sign if less else sign
    return -1 if minimised and all(minimised) else 1
