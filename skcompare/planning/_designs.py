"""Which design of cross-validation finds most per second of computing."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from skcompare._core.frames import frame_of
from skcompare._core.html import Table
from skcompare._core.numbers import percent
from skcompare._core.record import Record
from skcompare._core.validation import check_choice, check_number

NEARLY = 0.95  # a share of what the best design finds


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DesignEfficiencyRow(Record):
    """What one design costs, and what it finds.

    Attributes
    ----------
    design : str
        The value of `cv`, or what stands beside it.
    n_fits : float
        Fits of each model; with `StopRule` the mean over the simulated data sets.
    cost : float
        Time of these fits, in times of one fit on all samples.
    size : float
        Share of true nulls that the default test of the design rejects at 5%, in [0, 1].
    found : float
        Share of the true differences that it finds at 5%, in [0, 1].
    power : float
        Share of them that it would find at the level at which it rejects 5% of the true nulls, in [0, 1]: what the
        design itself can tell, were the test right.
    """

    design: str
    n_fits: float
    cost: float
    size: float
    found: float
    power: float

    @property
    def found_per_cost(self) -> float:
        """`found` over `cost`."""
        return self.found / self.cost

    @property
    def power_per_cost(self) -> float:
        """`power` over `cost`."""
        return self.power / self.cost

    def _sentence(self) -> str:
        return f"{self.design}: finds {percent(self.found)} for {self.cost:.3g} times a fit on all samples."


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DesignEfficiency(Record):
    """What designs of cross-validation cost, and what they find at the same error rate.

    Attributes
    ----------
    metric : str
        Of the scores.
    n_samples : int
        Of the simulated data sets.
    growth : float
        The time of a fit was taken to grow as its samples to this power.
    rows : tuple of DesignEfficiencyRow
        One per design, the cheapest first.
    """

    metric: str
    n_samples: int
    growth: float
    rows: tuple[DesignEfficiencyRow, ...]
    method: str

    def within(self, cost: float) -> DesignEfficiencyRow:
        """The design that finds most for a cost.

        Parameters
        ----------
        cost : float
            What the fits of one model may take, in times of one fit on all samples; positive.

        Returns
        -------
        DesignEfficiencyRow
            Of those that cost no more the one whose default test finds most at 5%.

        Raises
        ------
        ValueError
            If no design costs so little.
        """
        cost = check_number(cost, "cost", low=0, high=np.inf, closed="neither")
        least = self.rows[0]
        if cost < least.cost:
            raise ValueError(f"cost must be at least {least.cost:.3g}, that of {least.design}; got {cost!r}")
        return max((row for row in self.rows if row.cost <= cost), key=lambda row: row.found)

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame; needs pandas.

        Returns
        -------
        pandas.DataFrame
            A column per attribute of a row.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return frame_of(self.rows)

    def _tables(self) -> list[Table]:
        lines = [
            [
                row.design,
                f"{row.n_fits:.3g}",
                f"{row.cost:.3g}",
                percent(row.found),
                percent(row.found_per_cost, 1),
                percent(row.size, 1),
                percent(row.power),
                percent(row.power_per_cost, 1),
            ]
            for row in self.rows
        ]
        header = ("design", "fits", "cost", "finds at 5%", "per cost", "wrong at 5%", "if wrong in 5%", "per cost")
        return [Table(header, lines)]

    def _sentence(self) -> str:
        most = max(self.rows, key=lambda row: row.found)
        close = min((row for row in self.rows if row.found >= NEARLY * most.found), key=lambda row: row.cost)
        best = max(self.rows, key=lambda row: row.power)
        per_second = max(self.rows, key=lambda row: row.found_per_cost)
        time = most.cost
        nearly = f"; {close.design} finds {percent(close.found)} in {percent(close.cost / time)} of the time" * (
            close is not most
        )
        return (
            f"Tested at 5%, {most.design} finds most of the differences ({percent(most.found)}){nearly}. "
            f"{per_second.design} finds most per second ({percent(per_second.found)} in "
            f"{percent(per_second.cost / time)} of the time). Were each design wrong in 5%, {best.design} would "
            f"find most ({percent(best.power)} in {percent(best.cost / time)} of the time)."
        )


def design_efficiency(*, metric: str = "accuracy", n_samples: int = 200, growth: float = 1.0) -> DesignEfficiency:
    """Which design finds most per second of computing, at equal error rates.

    Simulated as in the calibration study (docs/study.md): two models that differ by a fixed amount, on 1,000 data sets
    for each of five learners, two classes of equal size; and pairs of equal models on as many, which show how often a
    design is wrong, and at which level it would be wrong in 5%. Every design is tested by its own default test.

    Parameters
    ----------
    metric : {"accuracy", "precision", "recall", "f1", "roc_auc"}, default="accuracy"
        Of the scores.
    n_samples : {60, 200}, default=200
        Of the simulated data sets.
    growth : float, default=1.0
        The time of a fit grows as the number of its samples to this power, at least 0: 0 where it does not depend on
        them, 1 of most learners, 2 to 3 of a kernel machine.

    Returns
    -------
    DesignEfficiency

    Raises
    ------
    ValueError
        If an option is out of range.

    See Also
    --------
    plan : how much a difference of your own models needs.

    Examples
    --------
    >>> from skcompare.planning import design_efficiency
    >>> designs = design_efficiency()
    >>> print(designs)
    Tested at 5%, 10x10 finds most of the differences (47%); 10x5 finds 4... in 44% of the time. ...
    >>> designs.within(10).design
    '10-fold'
    """
    table = _measured()
    check_choice(metric, "metric", list(dict.fromkeys(row["metric"] for row in table)))
    known = sorted({int(row["n_samples"]) for row in table})
    if n_samples not in known:
        raise ValueError(
            f"n_samples must be one of {', '.join(map(str, known))}, which were simulated; got {n_samples!r}"
        )
    growth = check_number(growth, "growth", low=0, high=10)
    rows = [
        DesignEfficiencyRow(
            design=row["design"],
            n_fits=float(row["n_fits"]),
            cost=float(row["n_fits"]) * float(row["train_share"]) ** growth,
            size=float(row["size"]),
            found=float(row["found"]),
            power=float(row["power"]),
        )
        for row in table
        if row["metric"] == metric and int(row["n_samples"]) == n_samples
    ]
    return DesignEfficiency(
        metric=metric,
        n_samples=n_samples,
        growth=growth,
        rows=tuple(sorted(rows, key=lambda row: (row.cost, -row.found))),
        method=f"Shares of 5,000 simulated data sets of {n_samples} samples, five learners, the default tests",
    )


@lru_cache(maxsize=1)
def _measured() -> list[dict[str, str]]:
    """The table of ``python -m benchmarks.designs``."""
    with Path(__file__).with_name("measured_designs.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
