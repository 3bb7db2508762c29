"""A result from judgments of two models at a time, and from the outcomes of a judge with few human labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.design import Kind, unsplit
from skcompare._core.numbers import counted, some_names
from skcompare._core.validation import FloatArray, as_floats, check_aligned, check_bool, check_name, unknown
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference import bradley_terry
from skcompare.inference.outcomes.judgments import prediction_powered
from skcompare.results import EvaluationResult
from skcompare.tables.columns import WORDS, numbers_of, of_sources, plain
from skcompare.tables.outcomes import beside_models, from_outcomes, is_by_rows
from skcompare.tables.reading import INDEPENDENT
from skcompare.tables.source import Table, records, table_in

# The usual names of the columns of judgments, the first that a table has.
_COLUMNS: dict[str, str] = WORDS["judgments"]
ELO = 400 / np.log(10)  # points of a difference of 1 between log-strengths
_AVERAGE = 1000.0
_LOOKED_AT = 50  # rows that tell whether models are called by words


def from_judgments(
    judgments: Any,
    *,
    a: str | None = None,
    b: str | None = None,
    winner: str | None = None,
    cluster: str | None = None,
    home: bool = False,
) -> EvaluationResult:
    """A result from judgments that say which of two models' answers is the better one.

    The strengths are those of a Bradley-Terry model with ties, in points of Elo: the mean of all models is 1000, and
    100 points more are odds of 1.78 to win. `skcompare.inference.bradley_terry` has them as logarithms.

    Parameters
    ----------
    judgments : data frame, mapping of column to array, or list of records
        A row per judgment.
    a, b, winner : str, optional
        The columns of the two models and of the winner; by default those with the usual names, such as ``model_a``,
        ``model_b`` and ``winner``. The winner is called by its name, by its side (``"a"`` or ``"model_a"``, ``"b"`` or
        ``"model_b"``, ``"tie"``), or 1, 0 and 0.5.
    cluster : str, optional
        The column of the judge, or of the prompt: judgments of one are not taken for independent. ``"none"`` says that
        all are, where a column of judges is not to be asked about.
    home : bool, default=False
        Whether the first side may have an advantage, as the answer that is shown first.

    Returns
    -------
    EvaluationResult
        On a design of judgments: `compare` takes the Wald test of the strengths. The judgments are not kept. With the
        warning ASSUMED where judges or prompts repeat and nothing is said of them.

    Raises
    ------
    ValueError
        If a column is not there, a winner is none of the two models, or strengths cannot be compared, as of a model
        that never lost.

    See Also
    --------
    skcompare.inference.bradley_terry : the same on arrays.

    Examples
    --------
    >>> from skcompare import from_judgments
    >>> judged = {"model_a": ["x", "x", "y"] * 20, "model_b": ["y", "z", "z"] * 20}
    >>> result = from_judgments({**judged, "winner": (["model_a"] * 9 + ["tie"] * 2 + ["model_b"]) * 5})
    >>> result.design.name, result.metrics
    ('60 judgments', ('elo',))
    """
    if isinstance(judgments, (list, tuple)) and all(isinstance(row, dict) for row in judgments):
        judgments = records([*judgments])
    return judged(table_in(judgments, "judgments"), a=a, b=b, winner=winner, cluster=cluster, home=home)


def are_judgments(table: Table) -> bool:
    """Whether a table has the columns of judgments by their usual names, and models that are called by words."""
    roles = _usual(table)
    sides = [table.columns[roles[side]][:_LOOKED_AT] for side in "ab" if len(roles) == len(_COLUMNS)]
    return bool(sides) and not any(x.dtype.kind in "biufc" or numbers_of(x, ".").share > 0 for x in sides)


def _usual(table: Table) -> dict[str, str]:
    """By role the column with a usual name."""
    known = {name.lower(): name for name in table.columns}
    return {role: known[name] for role, names in _COLUMNS.items() for name in reversed(names.split()) if name in known}


def judged(table: Table, *, cluster: str | None = None, home: bool = False, **named: str | None) -> EvaluationResult:
    """The result of a table of judgments."""
    roles = {**dict.fromkeys(_COLUMNS), **_usual(table), **{role: name for role, name in named.items() if name}}
    has = some_names([*table.columns])
    for role, name in roles.items():
        if name not in table.columns:
            raise ValueError(f"{role} must name a column of {table.origin}; got {name!r}. It has {has}")
    a, b, winner = (table.columns[str(roles[role])] for role in _COLUMNS)
    if cluster is not None and not (isinstance(cluster, str) and cluster in (INDEPENDENT, *table.columns)):
        raise ValueError(unknown(cluster, "cluster", [*table.columns, INDEPENDENT]))
    clusters = None if cluster in (None, INDEPENDENT) else table.columns[cluster]
    warnings = tuple(_in_clusters(table)) if cluster is None else ()
    found = bradley_terry(a, b, winner, clusters=clusters, home=home)
    said = f"Read as: {found.n:,} judgments of {len(found.names)} models"
    said += f", {found.n_ties:,} of them ties" * bool(found.n_ties)
    said += ". Points of Elo, of which 1000 is the mean and 100 are odds of 1.78."
    if home:
        points = ELO * found.home
        verb = "loses" if round(points) < 0 else "gains"
        said += f" The first side {verb} {counted(f'{abs(points):,.0f}', 'point')}."
    return _estimated(
        "judgments",
        found.n,
        _AVERAGE + ELO * found.strengths,
        found.n_clusters,
        estimators=tuple(check_name(name, "models of judgments") for name in found.names),
        metrics=("elo",),
        greater_is_better=(True,),
        covariances=(ELO**2 * found.covariance)[None],
        covariance_df=np.array([found.df]),
        warnings=(*found.warnings, *warnings),
        provenance={"source": "judgments", "read_as": said},
    )


def _in_clusters(table: Table) -> Iterator[CodedWarning]:
    """That judges or prompts have several judgments each, of which nothing was said."""
    for name, cells in table.columns.items():
        if (of_sources(name) or plain(name) == "cluster") and 1 < len({*cells.tolist()}) < len(cells):
            told = f"judgments of one {name!r} were taken for independent"
            yield Code.ASSUMED(f"{told}: cluster={name!r} allows for them, cluster={INDEPENDENT!r} says that they are.")
            return


def from_judged(
    outcomes: Any, *, human: Any, cluster: ArrayLike | None = None, greater_is_better: bool = True
) -> EvaluationResult:
    """A result from a judge's outcomes for all items, corrected by a few human labels.

    The scores are prediction-powered means: those of the judge over the items without labels, plus what the labels say
    that it is off. They are right on average whatever the judge does, as long as the labelled items are a random part.

    Parameters
    ----------
    outcomes : mapping or data frame
        Model name to the judge's outcomes of shape (n_items,), such as grades, or right and wrong as 1 and 0.
    human : mapping or data frame
        The same by humans; nan where there is no label. An item has labels of all models or of none.
    cluster : array_like of shape (n_items,), optional
        Document, prompt, ... of each item: items of one cluster are not taken for independent.
    greater_is_better : bool, default=True
        False where less is better, as of errors.

    Returns
    -------
    EvaluationResult
        On a design of judged items: `compare` takes the Wald test of the estimates. The outcomes are not kept. Of two
        models it is `skcompare.inference.prediction_powered_test` of their differences.

    Raises
    ------
    ValueError
        If models or items differ, an outcome is missing, an item has labels of some models only, or fewer than 2 items
        have labels or lack them.

    See Also
    --------
    from_outcomes : where all outcomes are trusted.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare import from_judged
    >>> rng = np.random.default_rng(0)
    >>> right = {"a": rng.random(500) < 0.8, "b": rng.random(500) < 0.6}
    >>> judge = {name: np.where(rng.random(500) < 0.9, own, ~own) for name, own in right.items()}
    >>> human = {name: np.where(np.arange(500) < 60, own, np.nan) for name, own in right.items()}
    >>> from_judged(judge, human=human).design.name
    '500 judged items, 60 with labels'
    """
    check_bool(greater_is_better, "greater_is_better")
    if is_by_rows(outcomes):  # in an order of their own
        raise ValueError("outcomes must map models to arrays, in the order of human; got a row per item and model")
    judge = from_outcomes(outcomes, greater_is_better=greater_is_better, clusters=cluster)
    models, n = judge.estimators, judge.design.n_splits
    if len(judge.metrics) > 1:
        raise ValueError(f"outcomes must be of one metric; got {some_names(judge.metrics)}")
    given, told = (beside_models(x, clusters=None)[0] for x in (outcomes, human))
    if not isinstance(told, Mapping) or {*told} != {*models}:
        got = some_names([*map(str, told)]) if isinstance(told, Mapping) else type(human).__name__
        raise ValueError(f"human must have a column for each model of outcomes, {some_names(models)}; got {got}")
    given = next((x for x in given.values() if isinstance(x, Mapping)), given)  # of one metric that has a name
    both = {"outcomes": given, "human": told}
    check_aligned(**{f"{what}[{name!r}]": own[name] for what, own in both.items() for name in models})
    columns = {f"human[{name!r}]": as_floats(told[name], f"human[{name!r}]") for name in models}
    for name, column in columns.items():
        if column.shape != (n,) or np.isinf(column).any():
            got = f"got shape {column.shape} and {np.isinf(column).sum()} infinite values"
            raise ValueError(f"{name} must have one label per item, {n}, finite or nan; {got}")
    labels = np.column_stack([*columns.values()])
    known = ~np.isnan(labels)
    if (mixed := known.any(axis=1) != known.all(axis=1)).any():
        at = int(mixed.argmax())
        raise ValueError(f"human must have labels of all models on an item, or of none; item {at} has some")
    found = prediction_powered(judge.scores[:, :, 0].T, labels, judge._scores.clusters)
    used = f"The judge counts with a weight of {found.weight:.2f}, by how it agrees with {found.n_labelled:,} labels."
    return _estimated(
        "judged items",
        n,
        found.means,
        judge.design.n_clusters,
        estimators=models,
        metrics=judge.metrics,
        greater_is_better=judge.greater_is_better,
        labelled=(found.n_labelled,),
        covariances=found.covariances,
        covariance_df=found.df,
        warnings=(*judge.warnings, *found.warnings),
        provenance={"source": "outcomes of a judge with human labels", "read_as": used, "weight": found.weight},
    )


def _estimated(kind: Kind, n: int, estimates: FloatArray, n_clusters: int | None, **fields: Any) -> EvaluationResult:
    """The result of estimates by one metric that have a joint covariance."""
    design = unsplit(1, kind, n_samples=n, n_clusters=n_clusters, test_sizes=fields.pop("labelled", ()))
    return EvaluationResult(scores=estimates.reshape(-1, 1, 1), design=design, **fields)
