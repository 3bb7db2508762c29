"""Reading what `save` wrote: an evaluation or a study."""

from __future__ import annotations

import os

from skcompare._core.archive import read_archive
from skcompare._core.printable import one_line
from skcompare.results import EvaluationResult
from skcompare.saving.evaluation import FORMAT, from_archive
from skcompare.saving.study import KIND, study_from_archive
from skcompare.scores.calibration import KIND as CALIBRATION
from skcompare.scores.study import DatasetFailure
from skcompare.study import StudyResult


def load(path: str | os.PathLike[str]) -> EvaluationResult | StudyResult:
    """Read what `EvaluationResult.save` or `StudyResult.save` wrote.

    Parameters
    ----------
    path : path-like
        The file. Loading it never runs code from it.

    Returns
    -------
    EvaluationResult or StudyResult
        What was saved.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is damaged, contradicts itself or is of a newer format.
    """
    header, arrays = read_archive(path)
    if header.get("kind") == CALIBRATION:
        reads_it = "skcompare.calibration.load_calibration"
        raise ValueError(f"path must be a saved result; {reads_it} reads {os.fspath(path)!r}")
    if type(header.get("format")) is not int or header["format"] != FORMAT:
        raise ValueError(
            f"path must be a file of format {FORMAT}; {os.fspath(path)!r} has format {header.get('format')!r:.80}"
        )
    try:
        if header.get("kind") != KIND:
            return EvaluationResult(**from_archive(header, arrays))
        fields, parts = study_from_archive(header, arrays)
        fields["failures"] = tuple(DatasetFailure(dataset=name, message=text) for name, text in fields["failures"])
        if not parts:
            return StudyResult(**fields)
        return StudyResult.from_results({name: EvaluationResult(**part) for name, part in parts.items()}, **fields)
    except (KeyError, TypeError, IndexError, AttributeError, OverflowError, ValueError) as error:
        raise ValueError(
            f"path must be a file saved by skcompare; {os.fspath(path)!r} is damaged: {_reason(error)}"
        ) from error


def _reason(error: Exception) -> str:
    return one_line(f"it has no {error}" if isinstance(error, KeyError) else str(error))
