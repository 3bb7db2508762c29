"""The candidates of a search as the runs of an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.warnings import Code, CodedWarning
from skcompare.experiments._design import ExperimentDesign, is_number
from skcompare.experiments._factors import check_log
from skcompare.selection import SearchReport
from skcompare.selection._effects import MAX_NUMBERS, NOT_SET
from skcompare.selection._search import read_search
from skcompare.tables.candidate_names import first_of, value_key
from skcompare.tables.cv_results import CvResults


def experiment_of(
    search: Any, X: Any, y: Any, groups: Any, test_fraction: float | None, log: Sequence[str]
) -> dict[str, Any]:
    """The fields of the report of a search; of a `SearchReport` its deciding metric comes first."""
    given = isinstance(search, SearchReport)
    read = search._read if given else read_search(search, X, y, groups, test_fraction)
    first = search.metric if given else read.refit_metric
    metrics = (first, *(metric for metric in read.metrics if metric != first))
    design, kept = search_design(read.table, log)
    return {
        "design": design,
        "metrics": metrics,
        "greater_is_better": (True,) * len(metrics),
        "splits": read.design,
        "scores": read.table.scores[kept][:, :, [read.metrics.index(metric) for metric in metrics]],
        "warnings": (*read.warnings, *_nested(design)),
    }


def search_design(table: CvResults, log: Sequence[str]) -> tuple[ExperimentDesign, NDArray[np.intp]]:
    """The design, and which candidates are its runs: of equal ones the first.

    Raises
    ------
    ValueError
        If no parameter varies, or `log` names one that is not positive.
    """
    runs = [{name: params.get(name, NOT_SET) for name in table.labels} for params in table.params]
    if not table.labels:
        raise ValueError("search must have tried two or more values of some parameter")
    factors = {name: _levels([run[name] for run in runs]) for name in table.labels}
    continuous = tuple(
        name for name, levels in factors.items() if len(levels) > MAX_NUMBERS and all(map(is_number, levels))
    )
    factors |= {name: (factors[name][0], factors[name][-1]) for name in continuous}
    design = ExperimentDesign.of_runs(factors, runs, "search", continuous=continuous, log=check_log(log, factors))
    keys = [tuple(value_key(run[name]) for name in factors) for run in runs]
    return design, np.array([keys.index(key) for key in dict.fromkeys(keys)])


def _nested(design: ExperimentDesign) -> list[CodedWarning]:
    """What to know where only some of the candidates have a parameter."""
    names = [name for name in design.factors if any(run[name] is NOT_SET for run in design.runs)]
    if not names:
        return []
    return [
        Code.PARTIAL(
            f"only some candidates set {first_of(names)}: an effect for which others would have to be run is not "
            f"estimable; a report of each grid alone has its effects."
        )
    ]


def _levels(values: Sequence[Any]) -> tuple[Any, ...]:
    """The different values: numbers first, rising, then others as they came."""
    different = list({value_key(value): value for value in reversed(values)}.values())[::-1]
    numbers = sorted(value for value in different if is_number(value))
    return (*numbers, *(value for value in different if not is_number(value)))
