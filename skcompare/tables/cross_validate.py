"""A result from what scikit-learn's `cross_validate` returned, or from the ``cv_results_`` of a search."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import Design
from skcompare._core.numbers import some_names
from skcompare._core.text import one_line
from skcompare._core.validation import FloatArray, as_floats, check_aligned, check_integer, check_name
from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation.labels import candidate_names, value_labels
from skcompare.evaluation.splits import IndexArray, Splits, check_indices, different_splits, splits_from_pairs
from skcompare.results import EvaluationResult
from skcompare.tables.evidence import Settled, design_of_scores, directions, same_splits

# ``cv_results_`` of a fitted search, read column by column, also as it was kept on disk.


_MISSING = {"", "?", "nan", "None", "<NA>", "NaT"}
_COMMA = re.compile(r"[-+]?\d*,\d+(?:[eE][-+]?\d+)?")  # no tool writes thousands so


def missing(cell: Any) -> bool:
    """Whether a cell of a log holds nothing."""
    return str(cell).strip() in _MISSING


def number(cell: Any) -> float:
    """A cell as a number, nan where it is none."""
    text = cell.replace(",", ".") if isinstance(cell, str) and _COMMA.fullmatch(cell.strip()) else cell
    try:
        return float("nan") if missing(cell) else float(text)
    except (TypeError, ValueError):
        return float("nan")


def candidate_params(table: Mapping[str, Any], what: str) -> tuple[dict[str, Any], ...]:
    """The parameters of every candidate in ``cv_results_``, also as it is kept on disk.

    They are mappings or texts of such; where these cannot be read, the columns ``param_*``, or else the texts.

    Raises
    ------
    ValueError
        If `what`, as messages call it, has none of these.
    """
    given = list(table["params"]) if "params" in table.keys() else []  # noqa: SIM118 - a frame's keys are its columns
    read = [literal(one) if isinstance(one, str) else one for one in given]
    if read and all(isinstance(one, Mapping) for one in read):
        return tuple({str(name): value for name, value in one.items()} for one in read)
    names = [str(name) for name in table.keys() if str(name).startswith("param_")]  # noqa: SIM118
    if names:
        rows = zip(*(list(table[name]) for name in names), strict=True)
        plain = [{n.removeprefix("param_"): _plain(x) for n, x in zip(names, row, strict=True)} for row in rows]
        return tuple({name: value for name, value in one.items() if not missing(value)} for one in plain)
    if given and all(isinstance(one, str) for one in given):
        return tuple({"params": one_line(one)} for one in given)
    if "params" not in table.keys():  # noqa: SIM118
        raise ValueError(f"{what} must have 'params', a mapping per candidate, or columns 'param_...'; got none")
    raise ValueError(f"{what}['params'] must hold a mapping per candidate, or the text of one; got {given!r:.80}")


_OF_NUMPY = re.compile(r"np\.\w+\(([^()]*)\)")


def literal(text: str) -> Any:
    """Plain values that Python wrote as a text, numpy's numbers and ordered mappings among them; else the text."""
    bare = _OF_NUMPY.sub(r"\1", text.strip())
    ordered = bare.startswith("OrderedDict(")
    try:
        value = ast.literal_eval(bare.removeprefix("OrderedDict(").removesuffix(")") if ordered else bare)
        return dict(value) if ordered else value
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text


def _plain(cell: Any) -> Any:
    """A cell as the number or truth value that it is the text of; any other as it is."""
    value = literal(cell) if isinstance(cell, str) else cell
    return value if isinstance(value, (bool, int, float, np.generic)) else cell


_SPLIT = re.compile(r"split(\d+)_test_.+", re.DOTALL)
_FIRST_SPLIT = re.compile(r"split0_test_(.+)", re.DOTALL)
SEARCH = "search.cv_results_"
_ABOUT = ("mean_fit_time", "mean_score_time", "std_score_time", "iter", "n_resources")


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class CvResults:
    """What ``cv_results_`` tells of the candidates, of a search in rounds those of the one that is reported.

    Attributes
    ----------
    n_rows : int
        Candidates in the table, of all rounds.
    index : ndarray of shape (n_candidates,)
        Where the candidates stand in the table.
    params : tuple of mapping
        Their parameters.
    labels : mapping of str to tuple of str or None
        Of every parameter that varies the candidates' values in words; None where a candidate lacks it.
    names : tuple of str
        The candidates in words, each once.
    keys : list of str
        What the table calls its metrics.
    scores : ndarray of shape (n_candidates, n_splits, n_metrics)
        float64; nan where a fit failed, and for candidates of which every fit did, whatever number stands for that.
    fit_times : ndarray of shape (n_candidates,)
        Mean seconds; nan where they are not there.
    rounds : Rounds or None
        The rounds, where there are some.
    """

    n_rows: int
    index: NDArray[np.intp]
    params: tuple[Mapping[str, Any], ...]
    labels: Mapping[str, tuple[str | None, ...]]
    names: tuple[str, ...]
    keys: list[str]
    scores: FloatArray
    fit_times: FloatArray
    rounds: Rounds | None

    @property
    def warnings(self) -> tuple[CodedWarning, ...]:
        """That earlier rounds chose who came to the one that is reported, where there are some."""
        if self.rounds is None:
            return ()
        sizes, at = self.rounds.sizes, self.rounds.reported
        n_out = sizes[0] - sizes[at]  # of those that came in
        which = f"round {at + 1} of {len(sizes)}, the last with two or more candidates,"
        which = "the last round" if at == len(sizes) - 1 else which
        before = f"; {n_out} more fell out in earlier rounds, on fewer resources" if at else ""
        said = f"{which} is reported, {sizes[at]} candidates on equal terms{before}, and nothing here allows"
        return (Code.SELECTED(f"{said} for that choice: confirm the winner on other data."),)


def read_cv_results(
    table: Mapping[str, Any], *, what: str = SEARCH, n_splits: int | None = None, names: Sequence[str] | None = None
) -> CvResults:
    """Read ``cv_results_``.

    Parameters
    ----------
    table : mapping or data frame
        The columns.
    what : str
        What messages call it.
    n_splits : int, optional
        As many as the search itself states.
    names : sequence of str, optional
        One per row, in place of the parameters.

    Raises
    ------
    ValueError
        If it holds no scores of the same splits for all candidates.
    """
    table = {str(key): table[key] for key in table.keys()}  # noqa: SIM118 - a frame's keys are its columns
    keys = [match[1] for match in map(_FIRST_SPLIT.fullmatch, table) if match]
    if not keys:
        raise ValueError(f"{what} must hold the scores of every split, 'split0_test_score' and so on; got none")
    for key in keys:
        check_name(key, "search.scoring" if what == SEARCH else f"metrics of {what}")
    rows = len(np.atleast_1d(table[f"split0_test_{keys[0]}"]))
    all_params = candidate_params(table, what) if names is None else ({},) * rows
    n_rows = len(all_params)
    if names is not None and len(names) != n_rows:
        raise ValueError(f"names must be one per candidate of {what}, {n_rows}; got {len(names)}")
    n_found = 1 + max(int(match[1]) for match in map(_SPLIT.fullmatch, table) if match)
    if n_splits not in (None, n_found):
        raise ValueError(f"{what} must hold the scores of n_splits_={n_splits!r} splits; got {n_found}")
    if n_found < 2:
        whose = what.removesuffix(".cv_results_")
        raise ValueError(f"{whose} must have scores on at least two splits; got 1, which cannot say how much they vary")
    columns = [[f"split{i}_test_{key}" for i in range(n_found)] for key in keys]
    if lacking := [name for of_key in columns for name in of_key if name not in table]:
        raise ValueError(f"{what} must hold {lacking[0]!r}, as it does for the other splits; got none")
    own = {name: _column(table, what, name, n_rows) for name in (*chain(*columns), *_ABOUT) if name in table}
    scores = np.array([[own[name] for name in of_key] for of_key in columns]).T
    # Of a candidate of which every fit failed, whatever number stands for that, scoring took no time at all.
    untimed = np.array([own.get(name, np.ones(n_rows)) == 0 for name in _ABOUT[1:3]]).all(axis=0)
    scores[untimed & (scores == scores[:, :1, :1]).all(axis=(1, 2))] = np.nan
    index, rounds = np.arange(n_rows), None
    if "iter" in own:  # the last round with two candidates, of a search that has rounds
        members = [np.flatnonzero(own["iter"] == number) for number in np.unique(own["iter"])]
        reported = max((i for i, member in enumerate(members) if len(member) > 1), default=len(members) - 1)
        resources = own.get("n_resources", np.zeros(n_rows))
        used = tuple(int(resources[member[0]]) for member in members)
        index, rounds = members[reported], Rounds(sizes=(*map(len, members),), resources=used, reported=reported)
    params = tuple(all_params[i] for i in index)
    # A round names what all rounds varied: what it has in common is how its candidates came to it.
    every = value_labels(all_params, every=rounds is not None)
    named = {name: tuple(column[i] for i in index) for name, column in every.items()}
    return CvResults(
        n_rows=n_rows,
        index=index,
        params=params,
        labels={name: column for name, column in named.items() if rounds is None or len({*column}) > 1},
        names=candidate_names(params, named) if names is None else tuple(names[i] for i in index.tolist()),
        keys=keys,
        scores=scores[index],
        fit_times=own.get("mean_fit_time", np.full(n_rows, np.nan))[index],
        rounds=rounds,
    )


def is_cv_results(table: Any) -> bool:
    """Whether a table has columns that only ``cv_results_`` has."""
    names = [*map(str, table.keys())]
    means = all(any(name.startswith(start) for name in names) for start in ("param", "mean_test_", "rank_test_"))
    return means or any(map(_FIRST_SPLIT.fullmatch, names))  # means alone are refused by who reads them


def _column(table: Mapping[str, Any], what: str, name: str, n: int, noun: str = "candidate") -> FloatArray:
    called = f"{what}[{name!r}]"
    values = as_floats(table[name], called)
    if values.shape != (n,):
        raise ValueError(f"{called} must hold one number per {noun}, {n}; got shape {values.shape}")
    return values


# ---- halving --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """The rounds of a halving search: candidates in each, and which one is reported."""

    sizes: tuple[int, ...]
    resources: tuple[int, ...]
    reported: int


Pair = tuple[IndexArray, IndexArray]
Pairs = tuple[Pair, ...]
_TEST = "test_"
_TIMES = ("fit_time", "score_time")
# How to know the splits.
_REMEDY = "cross_validate(..., return_indices=True) gives the splits"
_REMEDY_OF_SEARCH = "SearchReport.from_search reads the splits of the search itself"


def from_cross_validate(
    results: Mapping[str, Any],
    *,
    scoring: str | None = None,
    names: Sequence[str] | None = None,
    greater_is_better: bool | Mapping[str, bool] | None = None,
    n_samples: int | None = None,
    n_folds: int | None = None,
    test_fraction: float | None = None,
) -> EvaluationResult:
    """A result from the dicts that scikit-learn's `cross_validate` returned, one per model.

    Parameters
    ----------
    results : mapping of model to dict or array, or the ``cv_results_`` of a search
        An array is what `cross_val_score` returned, and stands for ``{"test_score": array}``.
        With ``return_indices=True`` in all calls the splits are compared: all models must have met the same ones. The
        design is read from them, repeats and folds are recognised. Dicts without indices do not tell whether the
        splits were the same; a warning asks to make sure of it, and the sizes are to be given. Of ``cv_results_``,
        or a table with its columns ``split0_test_score`` and so on, every candidate is a model; it has no indices.
        Training scores and estimators are not read.
    scoring : str, optional
        What a single metric, ``"test_score"``, is called; "score" by default.
    names : sequence of str, optional
        Of the candidates in ``cv_results_``, one per row; by default made of the parameters that vary.
    greater_is_better : bool or mapping of metric to bool, optional
        Direction of the metrics. More is better by default, as of all scorers of scikit-learn; where the name of a
        metric speaks of a loss the warning ASSUMED says so.
    n_samples : int, optional
        Samples in the data set; by default as many as the indices name, without indices unknown.
    n_folds : int, optional
        Without indices: test sets per repeat of (repeated) k-fold cross-validation.
    test_fraction : float, optional
        Without indices: test size over train plus test size, in (0, 1); by default one over `n_folds`. Without
        `n_folds` the splits are random ones.

    Returns
    -------
    EvaluationResult
        Without predictions: the procedures that need them say so. Scores that are nan, as `error_score` makes them
        where a fit failed, are left out pair by pair, and each test says so.

    Raises
    ------
    ValueError
        If there is no model, they differ in their splits, their number or their metrics, some have
        indices and some have not, or the sizes of the splits are not known.

    See Also
    --------
    from_frame : a result from a table of scores.
    merge : one result of several.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import StratifiedKFold, cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import skcompare as skc
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cv = StratifiedKFold(10, shuffle=True, random_state=0)
    >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
    >>> dicts = {name: cross_validate(model, X, y, cv=cv, return_indices=True) for name, model in models.items()}
    >>> result = skc.from_cross_validate(dicts, scoring="accuracy")
    >>> result.design.name, result.warnings
    ('10-fold cross-validation', ())
    """
    if not hasattr(results, "keys") or not hasattr(results, "__getitem__"):
        got = one_line(repr(results))
        raise ValueError(f"results must map names of models to dicts of cross_validate; got {got:.80}")
    source, remedy, warnings = "dicts of cross_validate", _REMEDY, tuple[CodedWarning, ...]()
    if is_cv_results(results):
        own = None if names is None else _checked_names(names, "names")
        found, names = read_cv_results(results, what="results", names=own), None
        source, remedy, warnings = "cv_results_ of a search", _REMEDY_OF_SEARCH, found.warnings
        results = {
            name: {_TEST + key: x for key, x in zip(found.keys, scores.T, strict=True)}
            for name, scores in zip(found.names, found.scores, strict=True)
        }
    if names is not None:
        raise ValueError(f"names must be None where results has the names of the models; got {names!r:.80}")
    models, own_names, scores, times, indices = _read(results)
    if not np.isfinite(scores).any():
        raise ValueError("results must hold finite scores; all are missing or infinite")
    metrics = own_names
    if scoring is not None:
        if not isinstance(scoring, str) or not scoring:
            raise ValueError(f"scoring must be the name of the metric; got {scoring!r:.80}")
        if metrics != ("score",):
            named = some_names(metrics)
            raise ValueError(f"scoring must be None where the metrics have names, {named}; got {scoring!r}")
        metrics = (check_name(scoring, "scoring"),)
    signs, of_directions = directions(metrics, greater_is_better)
    splits = _shared_splits(indices, n_samples)
    if splits is None:
        said = Settled(n_folds=n_folds, n_samples=n_samples, test_fraction=test_fraction)
        design = _design(scores.shape[1], said, remedy)
        of_splits = same_splits(models, f"there are no indices of them. {remedy}")
    else:
        for name, value in {"n_folds": n_folds, "test_fraction": test_fraction}.items():
            if value is not None:
                raise ValueError(f"{name} must be None where results have indices, which tell it; got {value!r}")
        design, of_splits = splits.design_of_scores, splits.warnings
    return EvaluationResult(
        estimators=models,
        metrics=metrics,
        greater_is_better=signs,
        design=design,
        scores=scores,
        fit_times=times[0],
        score_times=times[1],
        warnings=(*of_splits, *warnings, *of_directions),
        provenance={"source": source},
        single_metric=own_names == ("score",),
        kept_splits=splits,
    )


def _checked_names(names: Any, what: str) -> list[str]:
    listed: list[Any] = list(names) if not isinstance(names, str) and hasattr(names, "__iter__") else [None]
    if not all(isinstance(name, str) and name for name in listed) or len(set(listed)) < len(listed):
        raise ValueError(f"{what} must be non-empty strings, each once; got {names!r:.80}")
    return [check_name(name, what) for name in listed]


# ---- dicts of cross_validate ----------------------------------------------------------------------------------


def _read(
    results: Mapping[str, Any],
) -> tuple[tuple[str, ...], tuple[str, ...], FloatArray, FloatArray, dict[str, Pairs | None]]:
    """Models, metrics, scores of shape (n_models, n_splits, n_metrics), seconds of fits and of scoring, and splits."""
    keys = list(results.keys())
    if any(str(key).startswith(_TEST) or key in _TIMES for key in keys):
        raise ValueError(
            "results must map names of models to dicts, {'a': cross_validate(a, ...), 'b': cross_validate(b, ...)}; "
            f"got the dict of one model, with {some_names(list(map(str, keys)))}"
        )
    models = _checked_names(keys, "names of models in results")
    if not models:
        raise ValueError("results must hold one or more models; got none")
    metrics: tuple[str, ...] = ()
    tables: list[FloatArray] = []
    indices, series = {}, dict[str, Any]()
    for name in keys:
        where, table = f"results[{name!r}]", results[name]
        if isinstance(table, (list, tuple)) or (hasattr(table, "dtype") and np.ndim(table) == 1):
            table = {_TEST + "score": table}  # as cross_val_score returned it
        if not hasattr(table, "keys") or not hasattr(table, "__getitem__"):
            raise ValueError(f"{where} must be a dict of cross_validate; got {one_line(repr(table)):.80}")
        there = [*table.keys()]
        own = [key.removeprefix(_TEST) for key in there if isinstance(key, str) and key.startswith(_TEST)]
        if not own or not all(own):
            raise ValueError(f"{where} must have scores, such as 'test_score'; got {some_names([*map(str, there)])}")
        metrics = metrics or tuple(check_name(metric, "metrics of results") for metric in own)
        if {*own} != {*metrics}:
            both = f"{models[0]!r} has {some_names(metrics)}, {name!r} has {some_names(own)}"
            raise ValueError(f"results must have the same metrics of all models; {both}")
        n = max(1, as_floats(table[_TEST + metrics[0]], f"{where}[{_TEST + metrics[0]!r}]").size)
        columns = [_column(table, where, _TEST + metric, n, "split") for metric in metrics]
        columns += [_column(table, where, x, n, "split") if x in there else np.full(n, np.nan) for x in _TIMES]
        tables.append(np.array(columns))
        series |= {f"{where}[{_TEST + metric!r}]": table[_TEST + metric] for metric in metrics}
        if n != tables[0].shape[1]:
            both = f"{models[0]!r} has {tables[0].shape[1]}, {name!r} has {n}"
            raise ValueError(f"results must have as many splits of every model; {both}")
        indices[name] = _pairs(where, table["indices"], n) if "indices" in there else None
    check_aligned(**series)
    found, k = np.stack(tables, axis=1), len(metrics)
    return tuple(models), metrics, np.moveaxis(found[:k], 0, 2).copy(), found[k:], indices


def _pairs(where: str, indices: Any, n_splits: int) -> Pairs:
    """Training and test indices of every split."""
    where = f"{where}['indices']"
    try:
        parts = {part: list(indices[part]) for part in ("train", "test")}
    except (TypeError, KeyError, IndexError) as error:
        raise ValueError(f"{where} must hold lists 'train' and 'test'; got {indices!r:.80}") from error
    n_found = [len(own) for own in parts.values()]
    if n_found != [n_splits, n_splits]:
        got = f"got {n_found[0]} and {n_found[1]}"
        raise ValueError(f"{where} must hold a train and a test set per split, {n_splits}; {got}")
    checked = (
        [check_indices(x, f"the {part} indices of split {i} in {where}") for i, x in enumerate(own)]
        for part, own in parts.items()
    )
    return tuple(zip(*checked, strict=True))


# ---- splits ---------------------------------------------------------------------------------------------------


def _shared_splits(indices: Mapping[str, Pairs | None], n_samples: int | None) -> Splits | None:
    """The splits of all models; None where no model has indices."""
    known = [(name, pairs) for name, pairs in indices.items() if pairs is not None]
    if not known:
        return None
    (name_of_first, first), *others = known
    if len(known) < len(indices):
        has_not = next(name for name, pairs in indices.items() if pairs is None)
        both = f"{name_of_first!r} has them, {has_not!r} has not"
        raise ValueError(f"results must have 'indices' of all models or of none; {both}: {_REMEDY}")
    for name, other in others:
        if how := different_splits(repr(name_of_first), repr(name), first, other):
            same = "Give every cross_validate the same cv, with an integer as random_state where it shuffles"
            raise ValueError(f"results must share their splits; {how}. {same}")
    needed = 1 + max(int(part.max()) for pair in first for part in pair)
    n = needed if n_samples is None else check_integer(n_samples, "n_samples", low=2)
    if n < needed:
        raise ValueError(f"n_samples must be at least {needed}, as the indices name sample {needed - 1}; got {n}")
    return splits_from_pairs(first, n)


def _design(n: int, said: Settled, remedy: str) -> Design:
    """The design of `n` splits as it was told."""
    if said.n_folds is None and said.test_fraction is None:
        raise ValueError(
            "n_folds must be given for k-fold cross-validation, or test_fraction for random splits, where results have "
            f"no indices; got neither: {remedy}"
        )
    k = 1 if said.n_folds is None else check_integer(said.n_folds, "n_folds", low=2)
    if n % k:
        raise ValueError(f"n_folds must divide the number of splits, {n}; got {k}")
    return design_of_scores((n // k, k), {}, said)
