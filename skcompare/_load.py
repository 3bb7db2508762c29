"""Reading: what `save` wrote, and what others made: tables, logs and searches."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.metrics import get_scorer_names

import skcompare.evaluator  # noqa: F401 - so that a model can be added to what is loaded
from skcompare._core.archive import read_archive
from skcompare._core.metrics import METRICS, MisnamedError
from skcompare._core.numbers import counted, listed, some_names
from skcompare._core.text import one_line
from skcompare._core.validation import check_choice
from skcompare._core.warnings import CodedWarning
from skcompare.learning import LearningCurveResult
from skcompare.results import EvaluationResult
from skcompare.saving import results
from skcompare.scores.calibration import KIND as CALIBRATION
from skcompare.scores.calibration import Calibration
from skcompare.selection._search_report import SearchReport
from skcompare.study import StudyResult, scored
from skcompare.tables.columns import is_measure
from skcompare.tables.cross_validate import from_cross_validate
from skcompare.tables.evidence import Settled, evidence_of
from skcompare.tables.logs import read_tables
from skcompare.tables.outcomes import ARGUMENTS, are_judgments, items_of, judged
from skcompare.tables.predictions import predicted, samples_in
from skcompare.tables.reader import read_as
from skcompare.tables.reading import INDEPENDENT, Asked, Reading, UnclearError
from skcompare.tables.source import Table


def load(path: str | os.PathLike[str]) -> EvaluationResult | StudyResult | LearningCurveResult | Calibration:
    """Read a file that `save` wrote: a result, a study, a learning curve or a calibration.

    What is checked is the form: types, shapes, ranges, names and sizes, and by a digest that the file was not changed
    since it was saved. Nothing that stands in it is computed again.

    Parameters
    ----------
    path : path-like
        The file. Loading it never runs code from it.

    Returns
    -------
    EvaluationResult, StudyResult, LearningCurveResult or Calibration
        What was saved.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is damaged, was changed after it was saved, or is of another format.
    """
    kind, header, arrays = read_archive(path)
    try:
        check_choice(kind, "kind", (results.EVALUATION, results.STUDY, results.LEARNING_CURVE, CALIBRATION))
        if kind == CALIBRATION:
            return results.read(Calibration, header, results.CHECKS)
        if kind == results.EVALUATION:
            return EvaluationResult(**results.from_archive(header, arrays))
        if kind == results.LEARNING_CURVE:
            own, by_size = results.curve_from_archive(header, arrays)
            return LearningCurveResult(results={n: EvaluationResult(**part) for n, part in by_size.items()}, **own)
        fields, parts = results.study_from_archive(header, arrays)
        if not parts:
            return StudyResult(**fields)
        return StudyResult.from_results({name: EvaluationResult(**part) for name, part in parts.items()}, **fields)
    except MisnamedError as error:
        raise ValueError(
            f"path must be a file whose metrics are what they are called; {os.fspath(path)!r}: {error}"
        ) from error
    except (KeyError, TypeError, IndexError, AttributeError, OverflowError, ValueError, RecursionError) as error:
        reason = one_line(f"it has no {error}" if isinstance(error, KeyError) else str(error))
        raise ValueError(f"path must be a file saved by skcompare; {os.fspath(path)!r} is damaged: {reason}") from error


def load_result(path: str | os.PathLike[str]) -> EvaluationResult | StudyResult:
    """Like `load`, but only for a result or a study."""
    found = load_shown(path)
    if isinstance(found, LearningCurveResult):
        raise ValueError(
            f"path must be a saved result; {os.fspath(path)!r} is a learning curve: save one of its results, "
            "curve.results[SIZE].save(FILE)"
        )
    return found


def load_shown(path: str | os.PathLike[str]) -> EvaluationResult | StudyResult | LearningCurveResult:
    """Like `load`, but refuses a calibration."""
    found = load(path)
    if isinstance(found, Calibration):
        raise ValueError(f"path must be a saved result; {os.fspath(path)!r} is a calibration")
    return found


def read(
    source: Any,
    *more: Any,
    model: str | None = None,
    dataset: str | None = None,
    item: str | None = None,
    split: str | None = None,
    repeat: str | None = None,
    run: str | None = None,
    metric: str | None = None,
    value: str | None = None,
    truth: str | None = None,
    cluster: str | None = None,
    models: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    greater_is_better: bool | Mapping[str, bool] | None = None,
    missing: str | None = None,
    design: str | None = None,
    sep: str | None = None,
    decimal: str | None = None,
) -> EvaluationResult | StudyResult | SearchReport:
    """A result from a table, a log or a search; the role of every column is found and said.

    Columns are known by their usual names in any case and spelling, by their values, and by what repeats. Where two
    readings are possible both are named, with the call for each, and nothing is computed.

    Parameters
    ----------
    source, *more : path-like, data frame, mapping of column to array or of model to frame, or what another tool wrote
        Logs and reports of other tools are read as they are, from their files or objects; of MLflow also
        ``"mlflow:"`` and the name of an experiment. Else text with a header (.csv, .tsv and others), .json, .jsonl,
        .parquet or .xlsx. Several paths, also in a list, are tables of one form; without a column of models each file
        is one, called by its name. Files named by folds, seeds, metrics or known data sets stand for these; other names
        that share parts are asked about.
    model, dataset, item, split, repeat, run, metric, value, truth, cluster : str, optional
        The column that names the model of a row, its data set, item (sample), split (fold), repeat, run (seed) and
        metric; that holds the score; the true value; the cluster that a sample belongs to, or ``"none"``. In place
        of a column ``"columns"`` says that the names stand in the header, ``"files"`` in those of the files, and
        ``"rows"`` that the rows of a model are numbered. Columns that name something together are joined by a plus,
        as ``"method + kernel"``. `metric` may also be a metric to read, or what the scores of a table that does not
        say it are.
    models : sequence of str, optional
        The columns of scores or predictions, one per model.
    metrics : sequence of str, optional
        The metrics to read: columns of scores, or names in the column of metrics; of predictions scorers of
        scikit-learn.
    greater_is_better : bool or mapping of metric to bool, optional
        Direction of the metrics. Of errors and losses that are never negative less is taken for better, of all others
        more; the warning ASSUMED says so of losses and of names that are not known.
    missing : {"raise", "drop", "keep"}, optional
        What to do where scores are missing: name the gaps, leave such data sets or splits out, or, of data sets, keep
        them. ``"raise"`` by default.
    design : str, optional
        How the samples were split: ``"10-fold"``, ``"10x10"``, ``"30 random splits, 50% tested"``; or that there are
        ``"runs"``, or ``"paired runs: the reason"``.
    sep : str, optional
        What separates the columns of text; found out by default.
    decimal : {".", ","}, optional
        The decimal mark; found out by default.

    Returns
    -------
    EvaluationResult, StudyResult or SearchReport
        By what the table is evidence of. ``result.provenance["read_as"]`` says how it was read.

    Raises
    ------
    ValueError
        If the table cannot be read, can be read in several ways, or a cell is no number; the message quotes it.

    See Also
    --------
    from_frame, from_predictions, from_outcomes, from_runs : where the kind of evidence is known.

    Examples
    --------
    >>> import skcompare as skc
    >>> table = {
    ...     "Task": ["iris", "wine", "digits", "glass", "heart", "sonar"],
    ...     "svm": ["95.1%", "97.2%", "81.0%", "70.4%", "88.1%", "91.0%"],
    ...     "tree": ["94.0%", "90.3%", "80.2%", "66.0%", "87.5%", "86.2%"],
    ...     "svm_seconds": [0.1, 0.1, 2.5, 0.2, 0.1, 0.1],
    ... }
    >>> study = skc.read(table)
    >>> print(study.provenance["read_as"])  # doctest: +NORMALIZE_WHITESPACE
    Read as: scores of 2 models (the columns) on 6 data sets (column 'Task'), metric score. Left out: 'svm_seconds'
    (times). Percentages were divided by 100. More is taken for better.
    >>> study.test().pvalue
    0.03125
    """
    asked = Asked.of(locals())
    if not more and hasattr(source, "cv_results_"):
        report = SearchReport.from_search(source, metric=metric, test_fraction=Settled.of(design).test_fraction)
        return replace(report, provenance={**report.provenance, "read_as": f"Read as: {report.search}."})
    table = read_tables(source, *more, sep=sep)
    return result_of(table, asked, design=design, missing=missing, greater_is_better=greater_is_better, sep=sep)


def result_of(
    table: Table, asked: Asked, *, sep: str | None = None, **given: Any
) -> EvaluationResult | StudyResult | SearchReport:
    """The result of a table; see `read`. A refusal has those calls alone that give a result, with all that was said."""
    try:
        return _read(table, asked, given)
    except UnclearError as error:
        with warnings.catch_warnings(action="ignore"):
            told = asked.given | {name: x for name, x in {"sep": sep, **given}.items() if x is not None}
            clear = error.tried(
                lambda call: _read(table, Asked.of(call), {x: call.get(x) for x in given}), table, table.origin, told
            )
        raise clear from None


def _read(table: Table, asked: Asked, given: Mapping[str, Any]) -> EvaluationResult | StudyResult | SearchReport:
    settled, directions, missing = Settled.of(given.get("design")), given.get("greater_is_better"), given.get("missing")
    wanted = [*asked.metrics, *filter(None, [asked.metric])]
    dicts = table.kind == "folds" and "results" in table.columns
    if dicts or table.kind == "search":
        other = {**asked.given, "metric": None, "metrics": None, "decimal": None, "missing": missing}
        _refuse(other, "dicts of cross_validate" if dicts else "a search", table.origin)
    if dicts:
        return _of_dicts(table, wanted, settled, directions)
    if table.kind == "search":
        columns = [name.partition("_test_") for name in table.columns if re.match(r"split\d+_test_.", name)]
        settled.check(table.origin, n=len({split for split, *_ in columns}))
        _check_metrics(wanted, {name for *_, name in columns}, table.origin)
        report = SearchReport.read(
            table,
            cv=settled.splitter,
            metric=next(iter(wanted), None),
            greater_is_better=directions,
            test_fraction=settled.test_fraction,
        )
        return replace(report, provenance={**report.provenance, "read_as": f"Read as: {report.search}."})
    if {"pvalue", "pvalue_adjusted", "fragile"} <= {*table.columns}:
        says = "has comparisons, as skcompare makes them, and no scores: give what to_frame() has"
        raise ValueError(f"{table.origin} {says}")
    if not {*asked.given} - {"cluster"} and are_judgments(table):
        _refuse(given, "judgments", table.origin)
        return judged(table, cluster=asked.cluster)
    warnings = tuple(note for note in table.notes if isinstance(note, CodedWarning))
    table = replace(table, notes=tuple(note for note in table.notes if note not in warnings))
    reading, notes = read_as(table, asked), tuple[str, ...]()
    if reading.kind == "predictions":
        unread = ["dataset", "split", "repeat", "run", *["value"] * bool(reading.predicted)]
        _refuse({**{name: getattr(asked, name) for name in unread}, **given}, "predictions", table.origin)
        with _in_columns(reading, table):
            found: EvaluationResult | StudyResult = predicted(samples_in(reading), wanted or None)
    else:
        if reading.kind != "outcomes":
            _refuse({"cluster": None if asked.cluster == INDEPENDENT else asked.cluster}, reading.kind, table.origin)
        evidence = evidence_of(reading, table, design=settled, missing=missing, greater_is_better=directions)
        with _in_columns(reading, table):
            found = items_of(evidence) if reading.kind == "outcomes" else scored(evidence)
        reading, notes, warnings = evidence.reading, evidence.notes, (*warnings, *evidence.dropped)
    said = " ".join([str(reading), *notes])
    return found._with(warnings=(*found.warnings, *warnings), provenance={**found.provenance, "read_as": said})


@contextmanager
def _in_columns(reading: Reading, table: Table) -> Iterator[None]:
    """What functions on arrays refuse, said of the columns of a table in place of their arguments."""
    names = {ARGUMENTS[role]: x for role, x in reading.roles.items() if role in ARGUMENTS and x in table.columns}
    names |= {f"predictions[{name!r}]": name for name in reading.predicted}
    try:
        yield
    except UnclearError:
        raise
    except ValueError as error:
        said = str(error)
        for argument, name in names.items():
            said = said.replace(argument, name if name.startswith("column ") else f"column {name!r}")
        said = said.replace("Give classes=", "Give skc.from_predictions classes=")
        raise ValueError(said if said.startswith(table.origin) else f"{table.origin}: {said}") from error


def _refuse(given: Mapping[str, Any], kind: str, origin: str) -> None:
    """ValueError where something is said of a table that does not go with what it was read as."""
    for name in (name for name, value in given.items() if value is not None):
        raise ValueError(f"{origin}: {name} does not go with {kind}, as which the table was read")


def _check_metrics(wanted: Sequence[str], known: Set[str], origin: str) -> None:
    """ValueError where a metric is asked for that is not there; one without a name takes that of a known one."""
    for name in wanted:
        named = known == {"score"} and (name in METRICS or is_measure(name) or name in get_scorer_names())
        if name not in known and not named:
            raise ValueError(f"metrics must name those of {origin}, {some_names(sorted(known))}; got {name!r}")


def _of_dicts(
    table: Table, wanted: Sequence[str], design: Settled, greater_is_better: bool | Mapping[str, bool] | None
) -> EvaluationResult:
    """The result of dicts of `cross_validate`."""
    dicts = dict(zip(table.columns["model"].tolist(), table.columns["results"].tolist(), strict=True))
    known = {key.removeprefix("test_") for one in dicts.values() for key in one if key.startswith("test_")}
    _check_metrics(wanted, known, table.origin)
    unnamed = known == {"score"}
    metrics = {*wanted} if wanted and not unnamed else known
    left_out = {f"test_{name}" for name in known - metrics}
    dicts = {name: {key: x for key, x in one.items() if key not in left_out} for name, one in dicts.items()}
    if "greater_is_better" in table.columns and greater_is_better is None:
        told = table.columns["greater_is_better"].tolist()[0]
        greater_is_better = {name: greater for name, greater in told.items() if name in metrics}
    said_so = design.n_folds or design.test_fraction or any("indices" in one for one in dicts.values())
    sizes = {np.size(x) for one in dicts.values() for key, x in one.items() if key.startswith("test_")}
    n = sizes.pop() if len(sizes) == 1 else 0
    if n > 1:  # a text of an array counts as one
        design.check(table.origin, n=n)
    if not said_so and n:
        told = f"dicts of cross_validate have {counted(n, 'split')} without indices: say how these were drawn"
        ways = [{"design": design} for design in (f"{n}-fold", *(f"{n} random splits, {x}% tested" for x in (20, 50)))]
        raise UnclearError(f"{table.origin}: {told}", table.origin, ways)
    found = from_cross_validate(
        dicts,
        scoring=next(iter(wanted), None) if unnamed else None,
        greater_is_better=greater_is_better,
        n_folds=None if design.n_folds == 1 else design.n_folds,
        test_fraction=design.test_fraction,
    )
    said = f"Read as: folds of {counted(len(dicts), 'model')}, {listed(found.metrics, 8)}. {' '.join(table.notes)}"
    return found._with(provenance={**found.provenance, "read_as": said})
