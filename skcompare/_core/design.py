"""The resampling design: what a statistical procedure must know about the splits that made the scores."""

from __future__ import annotations

from statistics import median
from typing import Any, Literal

from skcompare._core.numbers import counted, one_of
from skcompare._core.record import Record

Spending = Literal["late", "obrien_fleming", "pocock"]  # how the error rate is spread over repeated looks
MAX_REPEATS = 100  # that looks can be taken at
Kind = Literal["folds", "samples", "items", "runs", "judgments", "judged items"]
ESTIMATED = ("judgments", "judged items")  # of which the scores are estimates with a joint covariance
# What a procedure may ask of a design: its kind, but runs that the user takes for pairs are evidence of another one.
Evidence = Literal["folds", "samples", "items", "runs", "paired runs", "judgments", "judged items"]


class ClassCount(Record):
    """How often a class, or a label of several, occurs.

    Attributes
    ----------
    label : str
        The class, as it prints, or the column of the label.
    total : int
        Samples of it, or with the label, in the data set.
    test_counts : tuple of int
        Samples of it per test set.
    """

    label: str
    total: int
    test_counts: tuple[int, ...]

    @property
    def typical(self) -> float:
        """The median over the test sets."""
        return float(median(self.test_counts))

    def _sentence(self) -> str:
        return f"{self.total:,} samples of class {self.label}, {self.typical:g} in a typical test set."


class Design(Record):
    """What the scores of one data set are of, and how it was resampled.

    Attributes
    ----------
    n_samples : int or None
        Samples in the data set; None where the scores came without it.
    n_repeats : int
        Repeats of the whole resampling. Random (overlapping) test sets count as one repeat each.
    n_folds : int
        Test sets per repeat; 1 for random test sets.
    n_splits : int
        ``n_repeats * n_folds``.
    train_sizes, test_sizes : tuple of int
        Samples per training and test set, of length `n_splits`; empty where the scores came without them.
    test_fraction : float
        Mean test size over mean train size plus mean test size, in (0, 1): 1/k for k-fold. 0 where no training is
        known, as of predictions and items.
    partition : bool
        True where the test sets of every repeat cover each sample exactly once, as in k-fold.
    split_hash : str
        SHA-256 of the splits, in hexadecimal; empty where the scores came without them.
    kind : {"folds", "samples", "items", "runs", "judgments", "judged items"}
        What the evidence is: scores of models fitted anew on every split; the predictions of fitted models on the
        samples of one test set; one outcome per item and model, where each item counts as a split of its own; scores of
        independent runs, such as random seeds, of which each counts as a split; judgments of two models at a time;
        items that a judge scored, and humans `test_sizes` of them. All but folds and runs speak of these models, not of
        the algorithms, and runs of other runs on the same data.
    n_clusters : int or None
        Clusters (patients, documents, ...) that the samples or items stand in; None where each stands alone.
    time_order : bool
        True where every test set follows its training set, as in `TimeSeriesSplit` and other windows that grow or move
        on, in whatever order they are listed, or where each precedes it, as where the newest sample comes first: the
        samples are in time order. Read from two splits or more, whose test sets begin at samples of their own.
    n_groups : int or None
        Groups of samples that the folds keep together; None where none were given, and for other kinds.
    n_runs : tuple of int
        Runs of each model, of which the largest is `n_splits`; empty of other kinds.
    paired : str
        Why runs of two models with the same name are a pair, in the user's words; empty where runs have nothing in
        common, and of other kinds, whose cases all models share.
    class_counts : tuple of ClassCount
        Of every class, or every label of several; empty where these are not known, of regression, and of more than 100.
    period : int
        Times after which losses may recur, by the regular index of the data: 24 of hours, 7 of days, 12 of months, 4 of
        quarters. 1 where no index tells.
    sequential : bool
        True where looks at the scores could end the evaluation, as those of a `StopRule`, so that the number of repeats
        depends on them.
    """

    n_samples: int | None = None
    n_repeats: int
    n_folds: int
    n_splits: int
    train_sizes: tuple[int, ...] = ()
    test_sizes: tuple[int, ...] = ()
    test_fraction: float
    partition: bool
    split_hash: str = ""
    kind: Kind = "folds"
    n_clusters: int | None = None
    time_order: bool = False
    n_groups: int | None = None
    n_runs: tuple[int, ...] = ()
    paired: str = ""
    class_counts: tuple[ClassCount, ...] = ()
    period: int = 1
    sequential: bool = False

    @property
    def name(self) -> str:
        """The design in words.

        ``10x10 cross-validation``, ``10-fold cross-validation of 40 groups``, ``30 overlapping splits``,
        ``5 test sets in time order``, ``one test set of 200 samples``, ``1,000 items in 30 clusters``,
        ``5 independent runs of each model``, ``900 judgments``, ``2,200 judged items, 200 with labels``.
        """
        if self.kind == "runs":
            runs = "run" if self.runs_of_each == "1" else "runs"
            return f"{self.runs_of_each} {'paired' if self.paired else 'independent'} {runs} of each model"
        if self.kind != "folds":
            n = self.n_cases
            where = "" if self.n_clusters is None else f" in {counted(f'{self.n_clusters:,}', 'cluster')}"
            if self.kind == "samples":
                return f"one test set of {n:,} samples{where}"
            labelled = f", {self.test_sizes[0]:,} with labels" if self.kind == "judged items" else ""
            return f"{counted(f'{n:,}', one_of(self.kind))}{where}{labelled}"
        groups = "" if self.n_groups is None else f" of {self.n_groups:,} groups"
        if self.time_order:
            recurring = f", period {self.period}" if self.period > 1 else ""
            return f"{self.n_splits} test sets in time order{groups}{recurring}"
        if self.partition:
            how = f"{self.n_folds}-fold" if self.n_repeats == 1 else f"{self.n_repeats}x{self.n_folds}"
            return f"{how} cross-validation{groups}"
        if self.n_folds > 1:
            return f"{self.n_folds} disjoint test sets that leave samples out{groups}"
        return f"{self.n_repeats} overlapping splits{groups}" if self.n_repeats > 1 else f"1 train-test split{groups}"

    def _sentence(self) -> str:
        return f"{self.name}."

    @property
    def unit(self) -> str:
        """What its scores are of; of test sets in time order there are no repeats."""
        return "test set" if self.time_order else "split"

    @property
    def cases(self) -> str:
        """What the evidence is counted in: splits, samples, items, runs or judgments."""
        return "splits" if self.kind == "folds" else self.kind

    @property
    def n_cases(self) -> int:
        """Samples of the one test set, items or judgments; 0 of folds and of runs."""
        known = {"samples": sum(self.test_sizes), **dict.fromkeys(ESTIMATED, self.n_samples or 0)}
        return {**known, "items": self.n_splits}.get(self.kind, 0)

    @property
    def estimated(self) -> bool:
        """Whether scores are estimates with a joint covariance, without a score of each case."""
        return self.kind in ESTIMATED

    @property
    def runs_of_each(self) -> str:
        """The number of runs of each model: ``5``, ``3 or 4``, ``3 to 5``; empty of other kinds."""
        low, high = min(self.n_runs, default=0), max(self.n_runs, default=0)
        several = f"{low} or {high}" if high == low + 1 else f"{low} to {high}"
        return "" if not high else f"{high}" if low == high else several

    @property
    def apart(self) -> bool:
        """Whether the scores of two models have no case in common: of independent runs, and estimates."""
        return not self.paired and self.kind in ("runs", *ESTIMATED)

    @property
    def evidence(self) -> Evidence:
        """What a procedure may ask of it."""
        return "paired runs" if self.kind == "runs" and self.paired else self.kind


def repeated_folds(n_repeats: int, n_folds: int, fraction: float, *, partition: bool = False, **known: Any) -> Design:
    """The design of `n_folds` test sets in each repeat, 1 of random splits, and what else is known of it."""
    known |= {"n_splits": n_repeats * n_folds, "test_fraction": fraction, "partition": partition}
    return Design(n_repeats=n_repeats, n_folds=n_folds, **known)


def unsplit(n: int, kind: Kind, **fields: Any) -> Design:
    """The design of `n` cases that are no splits."""
    return Design(n_repeats=n, n_folds=1, n_splits=n, test_fraction=0.0, partition=False, kind=kind, **fields)
