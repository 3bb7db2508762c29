"""What an evaluation is warned of: what is known before the first fit, what a look at X shows, what the fits show.

The look at X finds what gives answers away: rows or identifiers on both sides of a split, columns that are the target.
It is one pass, before the first fit.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from math import inf, lgamma, log
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn import metrics as skm
from sklearn.base import is_classifier

from skcompare._core.frames import times_of
from skcompare._core.numbers import agreeing, some_of
from skcompare._core.record import Frozen
from skcompare._core.text import one_line
from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation.fit import error_line
from skcompare.evaluation.input import Task, is_classification, is_missing
from skcompare.evaluation.metrics.batches import LABEL
from skcompare.evaluation.metrics.scorers import as_function, is_loss, whole
from skcompare.evaluation.metrics.scoring import Metric, ScoreTable
from skcompare.evaluation.prepare import PreparedEvaluation
from skcompare.evaluation.splits import Splits, told_of_overlap

# Weights, targets, scorers and splits.


_EQUAL = 0.6  # share of the test sets that they must be worth
_RANKS = (
    *(skm.roc_auc_score, skm.average_precision_score, skm.top_k_accuracy_score, skm.dcg_score, skm.ndcg_score),
    *(skm.hinge_loss, skm.coverage_error, skm.label_ranking_loss, skm.label_ranking_average_precision_score),
)
_PROBABILITIES = (
    *(skm.log_loss, skm.brier_score_loss, skm.d2_log_loss_score),
    *([skm.d2_brier_score] if hasattr(skm, "d2_brier_score") else []),
)
# Last words of the names of losses, and first words of those that are turned.
_LOST = {"loss", "error", "deviance", "brier", "logloss", "nll", "perplexity"}
_LOST |= {"rmse", "mse", "mae", "medae", "mape", "smape", "wape", "rmsle", "msle"}
_TURNED = ("neg", "negative", "minus", "d2", "inverse", "one")


def data_warnings(prepared: PreparedEvaluation) -> Iterator[CodedWarning]:
    """What speaks against the data and the metrics."""
    y, task, routing = prepared.truth, prepared.task, prepared.routing
    of_fits = routing.fit_params.values()
    if any(of_fits) and _are_weights(*of_fits) and not _are_weights(routing.score_params):
        yield Code.WEIGHTED(
            "fits are weighted and scores are not, since the weights reach fit alone. To weigh both: "
            "sklearn.set_config(enable_metadata_routing=True), set_fit_request(sample_weight=True) on each model, and "
            "scorers with set_score_request(sample_weight=True)."
        )
    yield from scorers_misread(prepared.metrics, task)
    if not any(map(is_classifier, prepared.named.values())):
        return
    n_classes = len(np.unique(y)) if is_classification(task) else 0
    if 2 * n_classes > len(y):
        what = "numbers: use a regressor, or bin it" if y.dtype.kind in "iuf" else "identifiers: join rare classes"
        yield Code.WEAK_METRIC(f"y has {n_classes} classes in {len(y)} samples and looks like {what}.")


def _are_weights(*several: Mapping[str, Any]) -> bool:
    given = [name for params in several for name, value in params.items() if value is not None]
    return any(name.rpartition("__")[2] == "sample_weight" for name in given)


def split_warnings(prepared: PreparedEvaluation, *, shuffled: bool) -> Iterator[CodedWarning]:
    """What speaks against the splits, also for the groups and the times that the samples stand in."""
    groups, splits = prepared.clusters, prepared.splits
    for one in (prepared.X, prepared.y):
        if shuffled and hasattr(one, "iloc") and (where := times_of(one)):
            said = f"{where} of the data has times, and cv shuffles them"
            yield Code.TIME_ORDER(f"{said}. If the models will forecast, give cv=TimeSeriesSplit().")
            break
    sizes = np.array(splits.test_sizes, dtype=np.float64)
    worth = sizes.sum() ** 2 / (sizes**2).sum() if len(sizes) > 1 else np.inf
    if worth < _EQUAL * len(sizes):
        largest = "" if groups is None else f" One group holds {np.bincount(groups).max()} of {len(groups)} samples."
        yield Code.TOO_LITTLE_DATA(
            f"test sets have {sizes.min():.0f} to {sizes.max():.0f} samples and tell no more than {worth:.1f} equal "
            f"ones: take splits of equal sizes.{largest}"
        )
    if prepared.of_halves:
        yield Code.INDEPENDENCE(
            "the splits are those of HalvesSplit, whose scores are of use for conservative_z_interval alone: "
            "no p-value and no other interval of them holds."
        )
    if groups is None:
        return
    n_groups = int(groups.max()) + 1
    on_both = [i for i, (train, test) in enumerate(splits) if np.isin(groups[test], groups[train]).any()]
    if on_both and not splits.overlapping:
        leak = told_of_overlap(on_both, len(splits), "groups")
        yield Code.DO_NOT_USE(f"{leak}. Take splits that keep groups together.")
    if splits.partition and splits.n_folds > 1 and n_groups < 2 * splits.n_folds:
        yield Code.TOO_LITTLE_DATA(
            f"{n_groups} groups are fewer than two per fold, so that a test set is about one of them: take "
            "fewer folds, or collect more groups."
        )


def scorers_misread(metrics: Sequence[Metric], task: Task) -> Iterator[CodedWarning]:
    """ASSUMED where a loss is taken for a gain, or a scorer of labels for one of ranks."""
    for metric in metrics:
        if metric.kind == "scorer":
            yield from misread(metric.name, metric.source, of_labels=task not in ("regression", "multioutput"))


def misread(name: str, source: Any, *, of_labels: bool = True) -> Iterator[CodedWarning]:
    """The same of one scorer, by the name of its metric."""
    found = as_function(source)
    if found is None:
        called = name if name != "score" else getattr(source, "__name__", "")  # what a function alone is shown as
        words = called.lower().split("_")
        if callable(source) and words[0] not in _TURNED and (words[-1] in _LOST or "brier" in words):
            yield Code.ASSUMED(
                f"more of {name} is taken for better, but {called} is the name of a loss: return the negative, and "
                "rename it."
            )
        return
    function = whole(found.scorer._score_func)
    called, less = getattr(function, "__name__", ""), ", greater_is_better=False" if is_loss(function) else ""
    if less and found.scorer._sign > 0:
        yield Code.ASSUMED(f"more of {name}, which is a loss, is taken for better: give make_scorer({called}{less}).")
    if of_labels and found.response == LABEL and function in _RANKS + _PROBABILITIES:
        how = "('decision_function', 'predict_proba')" if function in _RANKS else "'predict_proba'"
        yield Code.ASSUMED(
            f"{name} is {called} of predicted labels, which tell less than scores: give "
            f"make_scorer({called}{less}, response_method={how})."
        )


def not_computed(
    table: ScoreTable, names: Sequence[str], splits: Splits, y: NDArray[Any], task: Task
) -> Iterator[CodedWarning]:
    """MISSING_SCORES where a metric that nobody asked for failed on splits that have all classes."""
    classes = np.unique(y) if is_classification(task) else None
    failed: dict[tuple[int, str], list[str]] = {}
    for (e, i, metric), (_, error) in table.undefined.items():
        if not splits.is_partial(i, y, classes):
            failed.setdefault((e, metric), []).append(error_line(error))
    for (e, metric), errors in failed.items():
        yield Code.MISSING_SCORES(
            f"{metric} of {names[e]!r} could not be computed on {some_of(len(errors), len(splits), 'split')}, and "
            f"is left out there: {one_line(errors[0]).rstrip('.'):.200}. Give scoring without {metric}.",
            (names[e], metric),
        )


# What fits told of themselves.


_OFTEN, _MOSTLY = 0.1, 0.5  # shares of the fits of a model from which on it is said of one of them
_MOST_TEXT = 300  # characters of what is said more
KINDS = ("unconverged", "not finite", "constant", "end", "warned", "still")


class Health(Frozen):
    """What several fits of a model have in common: a kind, what it says more, on how many fits, and of how many."""

    kind: str
    what: str
    n: int
    n_fits: int

    @property
    def weakens(self) -> bool:
        """Whether a claim on the model is weaker for it, and nothing else tells it."""
        return self.n >= {"unconverged": _OFTEN, "end": _MOSTLY}.get(self.kind, inf) * self.n_fits

    def told(self, name: str, unit: str) -> str:
        """What happened to a model, and what to do; `unit` is what is counted. Empty of what few fits may have."""
        where, what = f"on {some_of(self.n, self.n_fits, unit)}", self.what
        if self.kind in ("constant", "end") and self.n < _MOSTLY * self.n_fits:
            return ""
        return {
            "unconverged": f"{name} did not converge {where}: scale the data or raise max_iter.",
            "not finite": f"{name} predicted numbers that are not finite {where}: scale the data or constrain it.",
            "constant": f"{name} predicted one value for all samples {where}: constrain it less, or weigh any classes.",
            "end": f"{name} chose an end of its grid {where} ({what}): widen the grid.",
            "warned": f"{name} warned {where} ({what}): mend what it names, or check that it does no harm.",
            "still": f"{what} of X does not vary in training {where}: leave it out.",
        }[self.kind]


def fit_health(provenance: Mapping[str, Any], name: str) -> list[Health]:
    """What is known of the fits of a model, of the data under ""; a saved file can hold anything there."""
    known = provenance.get("health")
    told = known.get(name) if isinstance(known, Mapping) else None
    return [
        Health(kind=one[0], what=f"{one_line(one[1]):.{_MOST_TEXT}}", n=one[2], n_fits=one[3])
        for one in (told if isinstance(told, list) else ())
        if isinstance(one, list) and list(map(type, one)) == [str, str, int, int] and one[0] in KINDS
    ]


def joined_health(
    parts: Sequence[Mapping[str, Any]], sizes: Sequence[int], names: Iterable[str]
) -> dict[str, list[list[Any]]]:
    """What is known of the fits on several repeats, of so many splits where nothing was told."""
    found = {}
    for name in names:
        told = [fit_health(part, name) for part in parts]
        n_fits = sum(own[0].n_fits if own else size for own, size in zip(told, sizes, strict=True))
        counts = Counter[tuple[str, str]]()
        for one in chain.from_iterable(told):
            counts[one.kind, one.what] += one.n
        if counts:
            found[name] = [[kind, what, n, n_fits] for (kind, what), n in counts.items()]
    return found


# X as columns, and a 64-bit hash of every row that is the sum of the hashes of its values.
#
# So no copy of X is made, few columns are read where they show that all rows differ, and a column can be taken out
# again.


Hashes = NDArray[np.uint64]
is_sparse: Callable[[Any], bool] = issparse
MOST_SPARSE = 2000  # columns of a sparse matrix of which rows are read as an array
_FIRST = 4  # columns that are read of all rows; four times as many of those that are equal on them, and so on


class Columns(Frozen, eq=False, kw_only=False):
    """X as columns, which are read when they are needed."""

    n_rows: int
    names: list[Any]
    column: Callable[[int], NDArray[Any]]
    X: Any

    @classmethod
    def of(cls, X: Any) -> Columns | None:
        """None where X has no columns that could be read."""
        if is_sparse(X):
            return cls.of_sparse(X.tocsr())
        if hasattr(X, "columns") and (hasattr(X, "iloc") or hasattr(X, "get_column")):
            names = list(X.columns)
            if len(set(map(str, names))) < len(names):
                return None
            return cls(X.shape[0], names, lambda j: np.asarray(X[names[j]]), None)
        if not isinstance(X, (np.ndarray, list, tuple)):
            return None
        try:
            array = np.asarray(X)
        except ValueError:  # rows of different lengths
            return None
        array = array.reshape(len(array), -1)
        return cls(len(array), list(range(array.shape[1])), array.T.__getitem__, array)

    @classmethod
    def of_sparse(cls, X: Any) -> Columns:
        return cls(X.shape[0], list(range(X.shape[1])), lambda j: X[:, [j]].toarray()[:, 0], X)

    def take(self, rows: NDArray[np.intp]) -> Columns:
        """Some rows; of a sparse matrix with few columns as an array."""
        if self.X is None:
            return Columns(len(rows), self.names, lambda j: self.column(j)[rows], None)
        part = self.X[rows]
        if is_sparse(part) and len(self.names) > MOST_SPARSE:
            return Columns.of_sparse(part)
        part = part.toarray() if is_sparse(part) else part
        return Columns(len(rows), self.names, part.T.__getitem__, part)

    def hashes(self, columns: NDArray[np.intp] | None = None) -> Hashes:
        """One per row, of some columns or of all; the hash of several columns is the sum of theirs."""
        if is_sparse(self.X):
            part = self.X if columns is None else self.X[:, columns]
            found = mixed(part.data, part.indices if columns is None else columns[part.indices])
            found[part.data == 0] = 0
            ends = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(found, dtype=np.uint64)])
            return np.asarray(ends[part.indptr[1:]] - ends[part.indptr[:-1]])
        columns = np.arange(len(self.names)) if columns is None else columns
        found = np.zeros(self.n_rows, dtype=np.uint64)
        for j in columns:
            found += mixed(self.column(j), j)
        return found

    def copies(self) -> NDArray[np.intp]:
        """The rows that another row equals. Most rows differ in the first few columns, so that few values are read."""
        if is_sparse(self.X):
            return np.arange(self.n_rows)[_repeated(self.hashes())]
        order = np.random.default_rng(0).permutation(len(self.names))
        rows, hashes, done, size = np.arange(self.n_rows), np.zeros(self.n_rows, dtype=np.uint64), 0, _FIRST
        while done < len(order) and len(rows):
            part = self if len(rows) == self.n_rows else self.take(rows)
            hashes = hashes + part.hashes(order[done : done + size])
            again = _repeated(hashes)
            rows, hashes, done, size = rows[again], hashes[again], done + size, 4 * size
        return rows


def _repeated(hashes: Hashes) -> NDArray[np.bool_]:
    """Which of them occur more than once."""
    ordered = np.sort(hashes)
    twice = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    return np.isin(hashes, twice) if len(twice) else np.zeros(len(hashes), dtype=bool)


def mixed(values: NDArray[Any], columns: Any) -> Hashes:
    """A hash of every value in its column; equal numbers have equal ones, and so have missing values."""
    kind = values.dtype.kind
    if kind in "biu":
        bits = values.astype(np.int64 if kind != "u" else np.uint64).view(np.uint64)
    elif kind == "f":
        numbers = values.astype(np.float64) + 0.0  # -0 is 0
        numbers[np.isnan(numbers)] = np.nan
        bits = numbers.view(np.uint64)
        bits = bits ^ (bits >> np.uint64(32))
    elif kind in "mM":
        bits = values.astype(np.int64).view(np.uint64)
    else:
        hashed = [0 if is_missing(value) else hash(value) for value in values.ravel().tolist()]
        bits = np.array(hashed, dtype=np.int64).view(np.uint64).reshape(values.shape)
    odd = 2 * np.asarray(columns).astype(np.uint64).reshape(-1) + np.uint64(1)
    factor = odd * np.uint64(0x9E3779B97F4A7C15)
    bits = (bits + factor) * np.uint64(0xBF58476D1CE4E5B9)
    bits ^= bits >> np.uint64(31)
    bits *= factor | np.uint64(1)
    bits ^= bits >> np.uint64(29)
    return np.asarray(bits)


_SAMPLE = 1000  # rows that tell how often two values of a column are equal
_TRIED = 8  # columns, about, that are taken out of the hashes
_LOOKED_AT = 200  # rows that most columns are dismissed by
_LONG = 20  # characters of a text
_ROWS_PER_IDENTIFIER = 20
_MOST_SPLITS = 100  # that are looked at
_MOST_COLUMNS = 500  # by which it is judged whether rows are equal by chance
_MOST_NEAR = 20_000  # rows among which those are sought that are equal but for a column
_CHANCE = log(1e6)  # a column is the target by accident once in so many data sets
_FEW, _FIRST_SPLITS = 30, 10  # training samples, and splits, that tell which columns vary
_ROUNDING = 1e-9  # of a correlation of 1
_IDENTIFIER = re.compile(r"(?:.*[^a-z])?(?:id|uuid|guid)|.*[a-z](?:Id|ID)")


def leakage(prepared: PreparedEvaluation) -> tuple[CodedWarning, ...]:
    """The warnings DO_NOT_USE of the data of an evaluation.

    Of other containers than arrays, lists, data frames and sparse matrices, and of values without a hash, nothing is
    said. Where groups were given they say what belongs together, and identifiers are not looked for.
    """
    table = Columns.of(prepared.X)
    if table is None or not table.names:
        return ()
    splits, found = prepared.splits, list[CodedWarning]()
    looks = [_duplicates(table, splits), *[_identifiers(table, splits)] * (prepared.clusters is None)]
    for look in (*looks, _given_away(table, prepared.truth, prepared.task)):
        with suppress(TypeError), np.errstate(all="ignore"):  # values without a hash, numbers without a square
            found += list(look)
    return tuple(found)


# ---- rows and identifiers on both sides -----------------------------------------------------------------------


def _duplicates(table: Columns, splits: Splits) -> Iterator[CodedWarning]:
    """That equal rows are trained and tested on, where the columns have too many values for that to be chance."""
    copies = table.copies()
    if not len(copies):
        return
    codes = np.full(table.n_rows, -1)
    codes[copies] = np.unique(table.take(copies).hashes(), return_inverse=True)[1]
    n, n_tested, pair = _on_both_sides(codes, splits)
    if n and not _by_chance(table, codes):
        yield Code.DO_NOT_USE(
            f"{some_of(n, n_tested, 'sample')} {agreeing(n, 'has', 'have')} a copy in the training set (row "
            f"{pair[0]} is row {pair[1]}). Drop the copies, or give groups."
        )


def _by_chance(table: Columns, codes: NDArray[np.intp]) -> bool:
    """Whether rows of such columns are equal now and then.

    They are if independent columns, each with the distribution of its own, would give one of a hundred of the pairs;
    or if rows that are equal in all columns but one are as frequent, as they are where few columns have few values.
    Columns that say the same in other words count as one.
    """
    first = np.unique(codes, return_index=True)[1][int(codes.min() < 0) :]
    distinct = np.sort(np.r_[np.flatnonzero(codes < 0), first])
    n_copies, width = table.n_rows - len(distinct), len(table.names)
    sample = distinct[np.linspace(0, len(distinct) - 1, min(len(distinct), _SAMPLE)).astype(int)]
    alike = _columns_alike(table, sample)
    if 2 * log(table.n_rows) - log(2) + sum(log(share) for share, _ in alike) >= log(n_copies / 100):
        return True
    if width == 1:
        return False
    some = distinct[np.linspace(0, len(distinct) - 1, min(len(distinct), _MOST_NEAR)).astype(int)]
    part, tried = table.take(some), alike[:: max(1, len(alike) // _TRIED)]
    hashes, n_pairs = part.hashes(), (len(distinct) / len(some)) ** 2
    n_near = sum(len(some) - len(np.unique(hashes - part.hashes(np.array(same)))) for _, same in tried)
    return n_near * n_pairs * len(alike) / len(tried) >= n_copies


def _columns_alike(table: Columns, sample: NDArray[np.intp]) -> list[tuple[float, list[int]]]:
    """How often two rows of a column are equal, with the columns in which the same rows are."""
    width = len(table.names)
    columns = np.unique(np.linspace(0, width - 1, min(width, _MOST_COLUMNS)).astype(int)).tolist()
    if is_sparse(table.X) and width > MOST_SPARSE:
        density = np.bincount(table.X.indices, minlength=width) / table.n_rows
        return [(float((1 - density[j]) ** 2 + density[j] ** 2), [j]) for j in columns]
    part, n_pairs = table.take(sample), max(len(sample) * (len(sample) - 1) / 2, 1)
    found: dict[Any, tuple[float, list[int]]] = {}
    for j in columns:
        values = part.column(j)
        _, first, codes, times = np.unique(mixed(values, 0), return_index=True, return_inverse=True, return_counts=True)
        n_equal = float((times * (times - 1)).sum()) / 2
        key = first[codes].tobytes() if n_equal else j
        long = width == 1 and values.dtype.kind in "OU" and np.mean([len(str(x)) for x in values]) >= _LONG
        share = max(n_equal, 1) / n_pairs if not long else 1e-300  # a text has many words
        found.setdefault(key, (share, []))[1].append(j)
    return list(found.values())


def _identifiers(table: Columns, splits: Splits) -> Iterator[CodedWarning]:
    """That values of a column that is called an identifier, each of a few rows, are trained and tested on."""
    for j, name in enumerate(table.names):
        if not isinstance(name, str) or not (_IDENTIFIER.fullmatch(name) or _IDENTIFIER.fullmatch(name.lower())):
            continue
        _, codes, counts = np.unique(mixed(table.column(j), 0), return_inverse=True, return_counts=True)
        if not table.n_rows / _ROWS_PER_IDENTIFIER <= len(counts) < table.n_rows:
            continue
        n, n_tested, pair = _on_both_sides(np.where(counts[codes] > 1, codes, -1), splits)
        if n:
            yield Code.DO_NOT_USE(
                f"{some_of(n, n_tested, 'sample')} {agreeing(n, 'shares', 'share')} a value of "
                f"{name!r} with the training set (rows {pair[0]} and {pair[1]}). Give the column as groups."
            )


def _on_both_sides(codes: NDArray[Any], splits: Splits) -> tuple[int, int, tuple[int, int]]:
    """Samples that the first splits test while their code is in training, of how many, and a first pair of rows.

    A negative code is no code. Nothing where splits overlap, of which another warning tells.
    """
    n_splits = min(len(splits), max(splits.n_folds, 10), _MOST_SPLITS)
    tested, found = np.zeros((2, len(codes)), dtype=bool)
    example = (-1, -1)
    for split in range(0 if splits.overlapping else n_splits):
        train, test = splits[split]
        tested[test] = True
        train, test = train[codes[train] >= 0], test[codes[test] >= 0]
        trained = np.zeros(int(codes.max()) + 1, dtype=bool)
        trained[codes[train]] = True
        hits = test[trained[codes[test]]]
        if len(hits) and example[0] < 0:
            twin = train[codes[train] == codes[hits[0]]][0]
            example = (int(min(hits[0], twin)), int(max(hits[0], twin)))
        found[hits] = True
    return int(found.sum()), int(tested.sum()), example


# ---- columns that are the target ------------------------------------------------------------------------------


def _given_away(table: Columns, y: NDArray[Any], task: Task) -> Iterator[CodedWarning]:
    """That a column has one value of its own for every class, or is the target on a line."""
    width = len(table.names)
    if y.ndim != 1 or len(y) < 3 or (is_sparse(table.X) and width > MOST_SPARSE):
        return
    if is_classification(task):
        same, what = _one_to_one, ("has", "have", "one value of its own for every class")
    elif task == "regression" and y.dtype.kind in "biuf":
        same, what = _on_a_line, ("is", "are", "the target times a number, plus a number")
    else:
        return
    few = np.unique(np.linspace(0, len(y) - 1, min(len(y), _LOOKED_AT)).astype(int))
    part, of_few = table.take(few), y[few]
    columns: Iterable[int] = range(width)
    if part.X is not None and is_classification(task):  # those of an array that have one value per class
        _, first, codes = np.unique(of_few, return_index=True, return_inverse=True)
        columns = np.flatnonzero(np.asarray(part.X[first][codes] == part.X).all(axis=0)).tolist()
    likely = [j for j in columns if same(part.column(j), of_few)]
    if not likely or (is_classification(task) and _too_easy(y, width)):
        return
    if found := [repr(table.names[j]) for j in likely if same(table.column(j), y)]:
        one = f"column {found[0]} of X {what[0]}"
        who = one if len(found) == 1 else f"{len(found)} columns of X, the first is {found[0]}, {what[1]}"
        yield Code.DO_NOT_USE(f"{who} {what[2]}. Leave it out: a model finds the answer there.")


def still_columns(prepared: PreparedEvaluation) -> list[list[Any]]:
    """The note that columns do not vary in training, on how many of the first splits; not of sparse matrices."""
    table, splits = Columns.of(prepared.X), prepared.splits
    if table is None or is_sparse(table.X):
        return []
    still, n, n_splits = dict[int, None](), 0, min(len(splits), _FIRST_SPLITS)
    for i in range(n_splits):
        train, own = splits[i][0], dict[int, None]()
        few = table.take(train[:_FEW])
        with suppress(TypeError, ValueError):  # values that cannot be compared
            alike = np.ones(len(table.names), bool) if few.X is None else (few.X[0] == few.X).all(axis=0)
            for j in np.flatnonzero(alike).tolist():
                if _is_still(few.column(j)) and _is_still(table.column(j)[train]):
                    own[j] = None
        n += bool(own)
        still |= own
    if not still:
        return []
    first = repr(table.names[min(still)])
    what = f"Column {first}" if len(still) == 1 else f"Each of {len(still)} columns (the first is {first})"
    return [["still", what, n, n_splits]]


def _is_still(values: NDArray[Any]) -> bool:
    return bool(np.all(values == values[0]))


def _too_easy(y: NDArray[Any], width: int) -> bool:
    """Whether one of so many columns could have a value per class by accident."""
    counts = np.unique(y, return_counts=True)[1]
    n_orders = lgamma(len(y) + 1) - sum(lgamma(count + 1) for count in counts)
    return n_orders - lgamma(len(counts) + 1) - log(width) < _CHANCE


def _one_to_one(values: NDArray[Any], y: NDArray[Any]) -> bool:
    """Whether every class has one value, which no other class has."""
    _, first, codes = np.unique(y, return_index=True, return_inverse=True)
    return len({*values[first].tolist()}) == len(first) and bool(np.all(values == values[first][codes]))


def _on_a_line(values: NDArray[Any], y: NDArray[Any]) -> bool:
    """Whether the correlation of numbers is 1 or -1 within rounding, on more than two of them."""
    if values.dtype.kind not in "biuf" or len(np.unique(y)) < 3:
        return False
    x, z = (one.astype(float) - one.astype(float).mean() for one in (values, y))
    scale = float(np.sqrt((x @ x) * (z @ z)))
    return 0 < scale < inf and abs(float(x @ z)) > (1 - _ROUNDING) * scale
