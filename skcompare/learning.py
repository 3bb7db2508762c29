"""LearningCurveResult: what the user reads and asks of training sets of several sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from skcompare._answers import SizeComparison
from skcompare._core.document import Document
from skcompare._core.frames import import_pandas
from skcompare._core.numbers import some_of
from skcompare._core.record import few
from skcompare._core.validation import check_several
from skcompare._core.warnings import Code, CodedWarning, do_not_use
from skcompare._reportable import Detail, Given, Scored, drawn
from skcompare.comparison.learning_curve import Crossing, compare_sizes, crossing
from skcompare.evaluation.input import is_classification
from skcompare.evaluation.prepare import PreparedEvaluation
from skcompare.evaluation.splits import IndexArray, splits_from_pairs
from skcompare.reporting import learning_curve, page
from skcompare.results import EvaluationResult
from skcompare.scores.study import LearningCurveScores

if TYPE_CHECKING:
    from skcompare._core.frames import DataFrame
    from skcompare._typed import Correction, TestOfResult
    from skcompare._typed import OfCurve as Readable
else:
    from skcompare._reportable import Readable


class LearningCurveResult(Scored[LearningCurveScores], Readable):
    """Scores of one model or more on the same test sets, with training sets of several sizes.

    The comparisons of each size have an error budget of their own; those of the learning curve share one.
    """

    _kind = LearningCurveScores
    estimators = Given[tuple[str, ...]]("Names of the models.")
    metrics = Given[tuple[str, ...]]("Names of the metrics; the first is the question.")
    sizes = Given[tuple[int, ...]]("Training samples, the mean over the splits, in ascending order.")
    warnings = Given[tuple[CodedWarning, ...]]("Reasons to doubt the sizes, each a code, a colon and a sentence.")

    @cached_property
    def results(self) -> Mapping[int, EvaluationResult]:
        """By training samples, in ascending order, each size on its own."""
        return {size: EvaluationResult(_scores=one) for size, one in self._scores.results.items()}

    _first_kind: ClassVar[str] = "learning_curve"

    def __repr__(self) -> str:
        sizes = ", ".join(map(str, self.sizes))
        return f"<LearningCurveResult: {few(self.estimators)} on {sizes} training samples; {few(self.metrics)}>"

    def compare(
        self,
        procedure: TestOfResult = "auto",
        *,
        metrics: str | Sequence[str] | None = None,
        baseline: str | None = None,
        correction: Correction | Literal["none"] = "holm",
    ) -> SizeComparison:
        """Test all pairs of models at all sizes, under one error budget.

        Parameters
        ----------
        procedure : str, default="auto"
            A test of two estimators with a p-value, as in `EvaluationResult.test`.
        metrics : str or sequence of str, optional
            All by default.
        baseline : str, optional
            Compare every other estimator (as `a`) with this one (as `b`) instead of all pairs.
        correction : str, default="holm"
            A method of `adjust_pvalues`, over all sizes, pairs and metrics together.

        Returns
        -------
        SizeComparison
            One row per metric, pair and size.

        Raises
        ------
        ValueError
            If a name is unknown, there is one model, or the procedure does not fit the design.
        """
        check_several(self.estimators, "give learning_curve two or more")
        asked: dict[str, Any] = {"metrics": metrics, "baseline": baseline, "correction": correction}
        return SizeComparison.of(compare_sizes(self._scores, procedure, **asked))

    def crossing(
        self, metric: str | None = None, a: str | None = None, b: str | None = None, *, confidence_level: float = 0.95
    ) -> Crossing:
        """The number of training samples at which two models change places.

        Between two sizes the scores of every split are taken to lie on a straight line in the logarithm of the size,
        and the interval holds the sizes at which the test of the two on them is not significant: it inverts the test,
        as Fieller's interval does.

        Parameters
        ----------
        metric : str, optional
            The first by default.
        a, b : str, optional
            Estimators; the first and the second by default.
        confidence_level : float, default=0.95
            In (0, 1); for this pair on this metric alone.

        Returns
        -------
        Crossing
            Its `estimate` is nan where the two do not change places within the sizes that were evaluated.

        Raises
        ------
        ValueError
            If a name is unknown, the level out of range, or the splits are in time order or one test set.
        """
        return crossing(self._scores, metric, a, b, confidence_level=confidence_level)

    def to_frame(self) -> DataFrame:
        """All scores as a pandas DataFrame, one row per size, model, metric and split."""
        frames = [one.to_frame() for one in self.results.values()]
        for size, frame in zip(self.sizes, frames, strict=True):
            frame.insert(0, "size", size)
        found: DataFrame = import_pandas().concat(frames, ignore_index=True)
        return found

    def to_json(self) -> str:
        """The answer, the crossings and all comparisons as strict JSON."""
        return learning_curve.json_report(learning_curve.find_curve(self._scores))

    def methods_text(self) -> str:
        """A paragraph for the methods section of a paper, with the BibTeX of what it cites."""
        section = learning_curve.methods_text(learning_curve.find_curve(self._scores))
        return f"{do_not_use(self.warnings)} {section}".lstrip()

    def _document(self, detail: Detail = "short", primary: str | None = None) -> Document:  # noqa: ARG002
        return learning_curve.curve_document(learning_curve.find_curve(self._scores), full=detail == "full")

    def _page(self, primary: str | None = None) -> str:  # noqa: ARG002
        found = learning_curve.find_curve(self._scores)
        options = {"learning_curve": {"metric": found.metric}}
        figures = drawn(self._display, {"learning_curve": learning_curve.CAPTION}, options)
        return page.page(learning_curve.curve_document(found, full=True), figures)


# Training sets of several sizes: each a part of the next larger one, with the same test sets.


FEWEST = 2  # samples of a training set
Sizes = tuple[float, ...] | tuple[int, ...]


def check_sizes(train_sizes: Any) -> Sizes:
    """Shares of the training samples, or their numbers, in ascending order; ValueError where they are neither."""
    wanted = "two or more shares of the training samples in (0, 1], or numbers of them alone, from 2"
    if isinstance(train_sizes, (str, bytes)) or not isinstance(train_sizes, (Sequence, np.ndarray)):
        raise ValueError(f"train_sizes must be {wanted}; got {train_sizes!r:.80}")
    given = [size.item() if isinstance(size, np.generic) else size for size in train_sizes]
    if len(given) < 2 or any(isinstance(size, bool) or not isinstance(size, Real) for size in given):
        raise ValueError(f"train_sizes must be {wanted}; got {given!r:.80}")
    counts = all(isinstance(size, Integral) for size in given)
    for size in given:
        if not (size >= FEWEST if counts else 0 < size <= 1):
            raise ValueError(f"train_sizes must be {wanted}; got {size!r} in {given!r:.80}")
    if len(set(given)) < len(given):
        raise ValueError(f"train_sizes must be distinct; got {given!r:.80}")
    return tuple(sorted(given))


def cut_to_sizes(prepared: PreparedEvaluation, sizes: Sizes) -> dict[int, PreparedEvaluation]:
    """The evaluation with training sets of each size, by the size: their mean number of samples, as an integer.

    Every training set is the beginning of one order of the samples of the largest, in which the classes are spread
    evenly; in time order it is its end, the samples just before the test set.

    Raises
    ------
    ValueError
        If two sizes are the same on these splits, or one is more than there are samples.
    """
    full = prepared.splits
    largest, counts = max(full.train_sizes), isinstance(sizes[0], int)
    if counts and sizes[-1] > largest:
        raise ValueError(f"train_sizes must be at most {largest}, as many samples are trained on; got {sizes[-1]}")
    found: dict[int, PreparedEvaluation] = {}
    orders = list(_orders(prepared))
    for size in sizes:
        numbers = [min(int(size), n) if counts else int(size * n + 1e-9) for n in full.train_sizes]
        if min(numbers) < FEWEST:
            left = f"{size!r} of {min(full.train_sizes)} leaves {min(numbers)}"
            raise ValueError(f"train_sizes must leave {FEWEST} or more training samples; {left}")
        splits = full
        if numbers != list(full.train_sizes):
            trained = [np.sort(order[:n]) for order, n in zip(orders, numbers, strict=True)]
            splits = splits_from_pairs(((train, full.held_out(i)) for i, train in enumerate(trained)), full.n_samples)
        label = round(float(np.mean(numbers)))
        if label in found:
            raise ValueError(f"train_sizes must be apart; {size!r} gives {label} training samples, as one before it")
        found[label] = prepared if splits is full else replace(prepared, splits=splits, cut_from=full)
    return found


def warnings_of_sizes(prepared: dict[int, PreparedEvaluation]) -> tuple[CodedWarning, ...]:
    """Warnings of the sizes at which training sets lack a class."""
    found = []
    for size, one in prepared.items():
        if is_classification(one.task):
            codes = np.unique(one.truth, return_inverse=True)[1]
            n = sum(len(np.unique(codes[train])) <= codes.max() for train, _ in one.splits)
            lacking = f"a class is missing in {some_of(n, len(one.splits), 'training set')} of {size} samples"
            found += [Code.TOO_LITTLE_DATA(f"{lacking}: take larger ones.", (str(size),))] if n else []
    return tuple(found)


def _orders(prepared: PreparedEvaluation) -> Iterator[IndexArray]:
    """The order in which the samples of each training set come in, drawn with the seed and the samples themselves."""
    codes = np.unique(prepared.truth, return_inverse=True)[1] if is_classification(prepared.task) else None
    for train, test in prepared.splits:
        if prepared.splits.time_order:  # what is next to the test set stays
            yield np.sort(train)[:: -1 if train[0] < test[0] else 1]
            continue
        own = int.from_bytes(sha256(np.ascontiguousarray(train, dtype="<u8").data).digest()[:8], "little")
        rng = np.random.default_rng([own, prepared.random_state or 0])
        yield train[_spread(np.zeros(len(train), dtype=np.intp) if codes is None else codes[train], rng)]


def _spread(codes: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
    """A random order in which the classes are spread evenly."""
    place = np.empty(len(codes))
    for code in np.unique(codes):
        members = np.flatnonzero(codes == code)
        place[rng.permutation(members)] = (np.arange(len(members)) + rng.random()) / len(members)
    return np.argsort(place, kind="stable")
