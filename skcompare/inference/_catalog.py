"""The table of all procedures as a user reads it: what each asks, needs and assumes, and how often it is wrong."""

from __future__ import annotations

from typing import Any

from skcompare._core import text
from skcompare._core.frames import import_pandas
from skcompare._core.numbers import percent
from skcompare._core.record import Record, Rows, Table
from skcompare.inference import _rates
from skcompare.inference._procedures import IN_TIME, PROCEDURES, STUDY_PROCEDURES, Procedure

COLUMNS = ("name", "question", "evidence", "designs", "assumes", "measured size at 5%")


class ProcedureInfo(Record):
    """One procedure that `EvaluationResult.test` or `StudyResult.test` knows.

    Attributes
    ----------
    name : str
        What to call it by.
    question : str
        The question that it answers.
    use : str
        When to take it.
    evidence : str
        ``"fold scores"`` or ``"predictions"`` of one data set, or ``"data sets"``.
    designs : str
        The designs it fits.
    assumes : str
        What it takes for granted.
    measured_size : dict of design to (float, float)
        Lowest and highest share of true nulls that it rejected at a nominal 5% in simulations, on `size_metric`; empty
        where it was not measured.
    size_metric : str
        accuracy, or the metric that it speaks of.
    returns : str
        ``"test"``, ``"posterior"``, ``"verdict"`` or ``"description"``; of all models also ``"omnibus"``, ``"pairs"``
        or ``"control"``.
    misleads : str
        On which data it gives which wrong answer.
    """

    name: str
    question: str
    use: str
    evidence: str
    designs: str
    assumes: str
    measured_size: dict[str, tuple[float, float]]
    size_metric: str
    returns: str
    misleads: str

    def __str__(self) -> str:
        rows = {"when to take it": self.use}
        rows |= dict(zip(COLUMNS[2:], self.cells()[2:], strict=True))
        rows["when it misleads"] = self.misleads
        return "\n".join([text.wrap(self._sentence()), *(text.item(f"{what}: {said}") for what, said in rows.items())])

    def cells(self) -> tuple[str, ...]:
        """The row as text, in the order of `COLUMNS`."""
        ends = {name: dict.fromkeys(percent(x, 1) for x in span) for name, span in self.measured_size.items()}
        sizes = "; ".join(f"{' to '.join(span)} ({name})" for name, span in ends.items())
        sizes = f"{self.size_metric}: {sizes}" if sizes else "not measured"
        return self.name, self.question, self.evidence, self.designs, self.assumes, sizes

    def _sentence(self) -> str:
        return f"{self.name} answers: {self.question}"


class ProcedureTable(Rows[ProcedureInfo], kw_only=False):
    """All procedures; prints their names by what they take; `to_frame` makes a data frame."""

    rows: tuple[ProcedureInfo, ...]

    def __str__(self) -> str:
        names: dict[str, list[str]] = {}
        for row in self.rows:
            names.setdefault(row.evidence, []).append(row.name)
        lists = (text.item(f"{evidence}: {', '.join(found)}") for evidence, found in names.items())
        return "\n".join([text.wrap(self._sentence()), *lists])

    def to_markdown(self) -> str:
        """The table in Markdown."""
        lines = [COLUMNS, ("---",) * len(COLUMNS), *((f"`{row.name}`", *row.cells()[1:]) for row in self.rows)]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def to_frame(self) -> Any:
        """The table as a pandas DataFrame; needs pandas."""
        return import_pandas().DataFrame([row.cells() for row in self.rows], columns=list(COLUMNS))

    def _tables(self) -> list[Table]:
        return [Table(COLUMNS, [row.cells() for row in self.rows])]

    def _sentence(self) -> str:
        return f"{len(self.rows)} procedures; procedures().to_frame() has what each asks, needs and assumes."


def _size_metric(procedure: Procedure) -> str:
    if procedure.takes.joint:
        return "all five"
    if procedure.takes is IN_TIME:
        return _rates.ANY_LOSS
    if procedure.name in ("welch_t_test", "wald_test"):
        return _rates.ANY_SCORE
    return "accuracy" if not procedure.metrics or "accuracy" in procedure.metrics else procedure.metrics[0]


def _measured(procedure: Procedure) -> dict[str, tuple[float, float]]:
    """Lowest and highest size by design, of the designs on which it can be computed."""
    metric, measured = _size_metric(procedure), _rates.MEASURED_SIZES.get(procedure.name, {})
    return {design: sizes[metric] for design, sizes in measured.items() if metric in sizes}


def procedures() -> ProcedureTable:
    """All procedures, with what each needs and assumes, and how often it is wrong.

    Returns
    -------
    ProcedureTable
        A sequence of rows that prints as text.

    Examples
    --------
    >>> from skcompare import procedures
    >>> table = procedures()
    >>> table[0].name, table[0].evidence
    ('corrected_t_test', 'fold scores')
    """
    on_one = [_info(row, _measured(row), _size_metric(row)) for row in PROCEDURES]
    on_several = [
        _info(row, {n: (size, size) for n, size in _rates.STUDY_SIZES.get(row.name, {}).items()}, "any metric")
        for row in STUDY_PROCEDURES
    ]
    return ProcedureTable((*on_one, *on_several))


def _info(procedure: Procedure, measured_size: dict[str, tuple[float, float]], size_metric: str) -> ProcedureInfo:
    guide = procedure.guide
    return ProcedureInfo(
        name=procedure.name,
        question=guide.question,
        use=guide.use,
        evidence=procedure.takes.kind,
        designs=procedure.designs,
        assumes="; ".join(guide.assumes),
        measured_size=measured_size,
        size_metric=size_metric,
        returns=procedure.returns,
        misleads=guide.misleads,
    )
