"""Reading what `save` wrote: an evaluation, a study, a learning curve or a calibration."""

from __future__ import annotations

import os

import skcompare.evaluator  # noqa: F401 - so that a model can be added to what is loaded
from skcompare._core.archive import read_archive
from skcompare._core.printable import one_line
from skcompare._core.validation import check_choice
from skcompare.learning import LearningCurveResult
from skcompare.results import EvaluationResult
from skcompare.saving.results import (
    CHECKS,
    EVALUATION,
    LEARNING_CURVE,
    STUDY,
    curve_from_archive,
    from_archive,
    read,
    study_from_archive,
)
from skcompare.scores.calibration import KIND as CALIBRATION
from skcompare.scores.calibration import Calibration
from skcompare.study import StudyResult


def load(path: str | os.PathLike[str]) -> EvaluationResult | StudyResult | LearningCurveResult | Calibration:
    """Read what `save` of a result, a study, a learning curve or a calibration wrote.

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
        check_choice(kind, "kind", (EVALUATION, STUDY, LEARNING_CURVE, CALIBRATION))
        if kind == CALIBRATION:
            return read(Calibration, header, CHECKS)
        if kind == EVALUATION:
            return EvaluationResult(**from_archive(header, arrays))
        if kind == LEARNING_CURVE:
            own, by_size = curve_from_archive(header, arrays)
            return LearningCurveResult(results={n: EvaluationResult(**part) for n, part in by_size.items()}, **own)
        fields, parts = study_from_archive(header, arrays)
        if not parts:
            return StudyResult(**fields)
        return StudyResult.from_results({name: EvaluationResult(**part) for name, part in parts.items()}, **fields)
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
