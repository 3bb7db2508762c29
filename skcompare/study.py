"""StudyResult: several models on several data sets, one case per data set; and runs of models on some tasks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from skcompare._core.design import Design
from skcompare._core.frames import import_pandas
from skcompare._core.record import few, picked
from skcompare._core.validation import FloatArray, check_name
from skcompare._core.warnings import OF_ONE_DATASET, CodedWarning
from skcompare._reportable import Given, Reportable, Scored, given
from skcompare.comparison.dominance import dominance_table
from skcompare.results import EvaluationResult
from skcompare.scores.study import DatasetFailure, StudyScores
from skcompare.tables.columns import Beside, role_of_name
from skcompare.tables.evidence import Evidence, Settled, evidence_from, results_of, study_fields
from skcompare.tables.reading import UnclearError
from skcompare.tables.source import ROWS

if TYPE_CHECKING:  # the same questions with the type that each name gives
    from skcompare._core.frames import DataFrame
    from skcompare._typed import OfStudy as Comparable
else:
    from skcompare._comparable import Comparable


class StudyResult(Scored[StudyScores], Comparable, Reportable):
    """Scores of several models on several data sets, and the answer.

    The tests of a study take one case per data set, the mean score over its splits, and speak of data sets like these.
    """

    _kind = StudyScores
    _old = {"dominance_table": ('dominance("table")', dominance_table)}  # noqa: RUF012
    datasets = Given[tuple[str, ...]]("Names of the data sets, in the order of the scores.")
    estimators = Given[tuple[str, ...]]("Names of the models, in the order of the scores.")
    metrics = Given[tuple[str, ...]]("Names of the metrics, in the order of the scores; the first is the question.")
    greater_is_better = Given[tuple[bool, ...]]("The direction of each metric.")
    scores = Given[FloatArray](
        "All scores: float64, read-only, of shape (n_datasets, n_estimators, n_splits, n_metrics); nan where a score "
        "is undefined, failed or missing, and beyond the last split of data sets with fewer splits than others."
    )
    designs = Given[tuple[Design, ...]](
        "How each data set was resampled; empty where only one score per data set is known."
    )
    failures = Given[tuple[DatasetFailure, ...]]("The data sets that are not there, and why.")
    warnings = Given[tuple[CodedWarning, ...]]("Reasons to doubt every test, each a code, a colon and a sentence.")
    provenance = Given[Mapping[str, Any]]("What it takes to run this again.")
    baseline = Given[str | None]("The baseline of the evaluations; None where there is none, or they do not share it.")
    means = given(StudyScores.means)

    @cached_property
    def results(self) -> Mapping[str, EvaluationResult]:
        """Each data set on its own; empty where only one score per data set is known."""
        return {name: EvaluationResult(_scores=one) for name, one in self._scores.results.items()}

    def __repr__(self) -> str:
        data = f"{len(self.datasets)} {self._scores.cases}"
        return f"<StudyResult: {few(self.estimators)} on {data}; {few(self.metrics)}>"

    @classmethod
    def from_results(cls, results: Mapping[str, EvaluationResult], **fields: Any) -> StudyResult:
        """A study made of evaluations of the same models on the same metrics.

        Parameters
        ----------
        results : mapping of data set to EvaluationResult
            One or more.
        **fields
            Further attributes of the study.

        Returns
        -------
        StudyResult

        Raises
        ------
        ValueError
            If there is none, or they differ in estimators, metrics or directions.
        """
        if not results:
            raise ValueError("results must hold at least one data set; got none")
        first_name, first = next(iter(results.items()))
        results = {check_name(name, "data sets of results"): result for name, result in results.items()}
        for name, result in results.items():
            for what in ("estimators", "metrics", "greater_is_better"):
                if getattr(result, what) != getattr(first, what):
                    both = f"{first_name!r} has {getattr(first, what)}, {name!r} has {getattr(result, what)}"
                    raise ValueError(f"results must share their {what}; {both}")
        n_splits, common = max(result.design.n_splits for result in results.values()), dict[CodedWarning, None]()
        common |= dict.fromkeys(one for one in first.warnings if one.code not in OF_ONE_DATASET)
        own = [one.at(name) for name, part in results.items() for one in part.warnings if one not in common]
        fields["warnings"] = tuple(dict.fromkeys((*fields.get("warnings", ()), *common, *own)))
        scores = np.full((len(results), len(first.estimators), n_splits, len(first.metrics)), np.nan)
        for d, result in enumerate(results.values()):
            scores[d, :, : result.design.n_splits] = result.scores
        return cls(
            datasets=tuple(results),
            **picked(first, "estimators", "metrics", "greater_is_better"),
            scores=scores,
            designs=tuple(result.design for result in results.values()),
            results={name: result._scores for name, result in results.items()},
            **fields,
        )

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        greater_is_better: bool | Mapping[str, bool] | None = None,
        missing: str = "raise",
        test_fraction: float | None = None,
        metric: str | None = None,
    ) -> StudyResult:
        """A study from a table that others made.

        Parameters
        ----------
        frame : data frame or mapping of column name to array
            Tidy, with the columns ``dataset``, ``model`` (or ``estimator``) and ``score``, optionally ``metric``, and
            optionally ``fold``, ``repeat``, ``n_train`` and ``n_test`` as in `skcompare.from_frame`. Or wide: a row per
            data set and a column of scores per model; the data sets are named by a column ``dataset``, by the index of
            a pandas frame, or by the first column where that holds texts. Where nothing names the rows each is taken
            for a data set, with a warning.
        greater_is_better : bool or mapping of metric to bool, optional
            Direction of the metrics, as in `skcompare.from_frame`.
        missing : {"raise", "drop", "keep"}, default="raise"
            What to do where a model has no score on a data set: name the gaps in an error, leave such data sets out,
            or keep them: adjusted means then decide. Tests that need complete tables leave gaps out, and say so. Of a
            table with folds and gaps the means over the folds are kept.
        test_fraction : float, optional
            Of tables with folds, as in `skcompare.from_frame`.
        metric : str, optional
            What the metric of a table without a column ``metric`` is called; "score" by default.

        Returns
        -------
        StudyResult

        Raises
        ------
        ValueError
            If a column is missing, a row occurs twice, a score is not a number, two parts of the table could name the
            data sets, models stand in its rows, or there are gaps and `missing` is ``"raise"``.

        Examples
        --------
        >>> from skcompare import StudyResult
        >>> table = {"dataset": ["iris", "wine", "digits"], "nb": [0.95, 0.97, 0.81], "tree": [0.94, 0.90, 0.85]}
        >>> study = StudyResult.from_frame(table)
        >>> study.rank().mean_ranks.round(2).tolist()
        [1.33, 1.67]
        """
        options: dict[str, Any] = {"missing": missing, "greater_is_better": greater_is_better, "metric": metric}
        found = evidence_from(frame, "study", design=Settled(test_fraction=test_fraction), **options)
        study = scored(found)
        if not isinstance(study, StudyResult):
            told = {"source": "a table of scores", **found.provenance}
            study = cls.from_results({found.names["dataset"][0]: study}, provenance=told)
        return study._with(warnings=(*found.dropped, *study.warnings))

    def to_frame(self) -> DataFrame:
        """All scores as a pandas DataFrame, one row per data set, model, metric and split.

        Returns
        -------
        pandas.DataFrame
            Columns: dataset, estimator, metric, repeat, fold (from 0), n_train, n_test, score; without the middle four
            where only one score per data set is known, and with run in their place of independent runs.
        """
        if self.results:
            frames = [result.to_frame().assign(dataset=name) for name, result in self.results.items()]
            found: DataFrame = import_pandas().concat(frames, ignore_index=True)
            return found
        d, m, _, k = self.scores.shape
        frame: DataFrame = import_pandas().DataFrame(
            {
                "dataset": np.repeat(self.datasets, m * k),
                "estimator": np.tile(np.repeat(self.estimators, k), d),
                "metric": np.tile(self.metrics, d * m),
                "score": self.scores[:, :, 0].ravel(),
            }
        )
        return frame


def from_runs(
    frame: Any, *, greater_is_better: bool | Mapping[str, bool] | None = None, paired: str | None = None
) -> EvaluationResult | StudyResult:
    """A result from a table of independent runs, such as random seeds.

    Runs of two models are not pairs: the same seed gives two models nothing in common. So models may have different
    numbers of runs, and the default test is Welch's. What it finds is about other runs on the same data.

    Parameters
    ----------
    frame : data frame or mapping of column name to array
        Columns ``model`` (or ``estimator``) and ``score``; ``run`` (or ``seed``) too where runs are paired; optionally
        ``metric``, one called "score" without it, and ``task`` (or ``dataset``). A column ``fold`` is refused: folds
        share training data.
        Or one array of scores per model, by its name.
    greater_is_better : bool or mapping of metric to bool, optional
        Direction of the metrics, as in `from_frame`.
    paired : str, optional
        Why runs with the same name are pairs, such as "the same initial weights and order of the data"; the reports
        say it. Paired procedures fit then, and every model must have the same runs.

    Returns
    -------
    EvaluationResult or StudyResult
        With several tasks a study, in which each task is one case; `StudyResult.results` has the runs of each task, and
        `interquartile_mean`, `performance_profile` and `probability_of_improvement` take the runs of all tasks.

    Raises
    ------
    ValueError
        If a column is missing, a score is not finite, a row occurs twice, a model lacks runs of a metric or a task, or
        `paired` is no reason or the models differ in their runs.

    See Also
    --------
    from_frame : for scores of folds and splits, which all models share.

    Examples
    --------
    >>> from skcompare import from_runs
    >>> table = {
    ...     "model": ["a"] * 4 + ["b"] * 3,
    ...     "seed": [0, 1, 2, 3, 0, 1, 2],
    ...     "score": [0.91, 0.93, 0.92, 0.92, 0.88, 0.87, 0.89],
    ... }
    >>> result = from_runs(table)
    >>> result.design.name, result.compare().procedure, round(result.test().estimate, 3)
    ('3 or 4 independent runs of each model', 'welch_t_test', 0.04)
    """
    if paired is not None and not (isinstance(paired, str) and paired.strip()):
        raise ValueError(f"paired must say why runs with the same name are pairs, or be left out; got {paired!r:.80}")
    said: dict[str, Any] = {"design": Settled(paired=paired), "greater_is_better": greater_is_better}
    table = _tidy_runs(frame)
    try:
        return scored(evidence_from(table, "runs", **said))
    except UnclearError as error:
        unnamed = {"run": ROWS}
        if paired is None and unnamed in (options for _, options in error.calls):  # in whatever order they stand
            return scored(evidence_from(table, "runs", **said, **unnamed))
        raise UnclearError(*error.args[:2], *(error.args[2:] if table is frame else ())) from None


def _tidy_runs(frame: Any) -> Any:
    """Of a mapping with more runs of one model than of another one row per run; anything else as it came."""
    if not isinstance(frame, Mapping) or any(isinstance(x, str) or not hasattr(x, "__len__") for x in frame.values()):
        return frame
    models, lengths = [*frame], [len(runs) for runs in frame.values()]
    known = Beside(map(str, models))
    if len({*lengths}) < 2 or 0 in lengths or any(role_of_name(x) or known.role(x) for x in map(str, models)):
        return frame  # columns, of which one is too short
    return {
        "model": np.repeat(np.array(models, dtype=object), lengths),
        "run": np.concatenate([np.arange(n) for n in lengths]),
        "score": [score for runs in frame.values() for score in runs],
    }


def scored(evidence: Evidence) -> EvaluationResult | StudyResult:
    """The result of scores: of folds or runs of one data set, or a study."""
    if evidence.reading.kind == "study" or evidence.incomplete:
        return StudyResult(**study_fields(evidence))
    results = results_of(evidence)
    if len(results) == 1:
        return next(iter(results.values()))
    source = "a table of runs" if evidence.reading.kind == "runs" else "a table of scores"
    return StudyResult.from_results(results, provenance={"source": source, **evidence.provenance})
