"""A saved result against the same evaluation made again, of what the file says and the data that is given."""

from __future__ import annotations

import platform
from collections.abc import Collection, Mapping
from dataclasses import field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import get_scorer_names

from skcompare._core.record import Record, Table
from skcompare._core.text import item
from skcompare.evaluation import provenance
from skcompare.evaluation.foreign_code import installed_version
from skcompare.evaluation.input import check_data, check_target
from skcompare.evaluation.metrics.scoring import COST_METRICS, OWN_METRICS
from skcompare.evaluation.metrics.table import OWN_SCORERS
from skcompare.evaluation.prepare import random_states
from skcompare.evaluator import evaluator_of
from skcompare.results import EvaluationResult
from skcompare.scores.evaluation import EvaluationScores

_MEASURED_ANEW = {"fit_time": "a time", "predict_time": "a time", "peak_memory": "memory"}
TOLERANCE = 1e-12
Outcome = Literal["identical", "close", "different", "unverified"]
_SAID: dict[Outcome, str] = {
    "identical": "The result is confirmed: made again, it is the same bit for bit.",
    "close": f"The result is confirmed: made again, it is the same to {TOLERANCE:g}.",
    "different": "The result is not confirmed: made again, it is different.",
    "unverified": "The result cannot be verified; nothing was fitted.",
}


class Difference(Record):
    """Where a result differs when it is run again.

    Attributes
    ----------
    what : str
        ``"score"``, ``"predictions"``, or the attribute of the result.
    estimator, metric : str or None
        Where it is about one; for predictions `metric` is the method that gave them.
    split : int or None
        Counted from 0.
    saved, again : object
        Both values.
    """

    what: str
    estimator: str | None = None
    metric: str | None = None
    split: int | None = None
    saved: Any
    again: Any

    def _sentence(self) -> str:
        places = (("of", self.estimator), ("by", self.metric), ("on split", self.split))
        where = "".join(f" {word} {place}" for word, place in places if place is not None)
        what = f"The first difference: {self.what}{where}"
        return f"{what} is {self.saved!r} in the result, {self.again!r} made again."


class Verification(Record):
    """Whether a result comes out the same when it is run again.

    Attributes
    ----------
    outcome : {"identical", "close", "different", "unverified"}
        Bit for bit; to 1e-12, relative to scores larger than 1; not the same; or it cannot be verified.
    reasons : tuple of str
        All that keeps the result from being verified; nothing was fitted then.
    difference : Difference or None
        The first one beyond 1e-12.
    largest : float
        The largest absolute difference of a score; nan where nothing was compared.
    n_scores : int
        Scores that were compared.
    models : mapping of str to str
        What was fitted, by name.
    renamed : mapping of str to str
        The metrics of the result that are called otherwise than the scorer that makes them, with its name.
    versions : mapping of str to tuple of str
        Packages of which another version is here than the result was made with: that one, and this one.
    left_out : tuple of str
        What was not compared, or not warned of.
    """

    outcome: Outcome
    reasons: tuple[str, ...] = ()
    difference: Difference | None = None
    largest: float = float("nan")
    n_scores: int = 0
    models: Mapping[str, str] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = [*self.reasons, *(f"fitted {name}: {text}" for name, text in self.models.items())]
        said += [f"the metric called {name!r} is {scorer!r}" for name, scorer in self.renamed.items()]
        said += [f"{name} {saved} made the result, {here} is here" for name, (saved, here) in self.versions.items()]
        said += [f"not compared: {what}" for what in self.left_out]
        return "\n".join([self._sentence(), *map(item, said)])

    def _sentence(self) -> str:
        counted = f" {self.n_scores} scores were compared." if self.n_scores else ""
        first = "" if self.difference is None else f" {self.difference._sentence()}"
        return f"{_SAID[self.outcome]}{first}{counted}"

    def _tables(self) -> list[Table]:
        return [Table(("package", "made with", "here"), [[name, *both] for name, both in self.versions.items()])]

    def _warnings(self) -> tuple[str, ...]:
        return self.reasons


def verify(
    result: EvaluationResult,
    X: Any = None,
    y: Any = None,
    *,
    allow: Collection[str] = ("sklearn",),
    n_jobs: int | None = None,
    progress: bool = False,
) -> Verification:
    """Run a result again and compare score by score.

    Parameters
    ----------
    result : EvaluationResult
        Of `PairedEvaluator`, such as `load` reads. Its models must be of installed packages, with parameters that are
        literals or such models; its splits are taken from it.
    X, y : array-like
        The data, which must be that of the result by its digest. Without them nothing can be verified, but what else
        is in the way is said.
    allow : collection of str, default=("sklearn",)
        Packages whose modules may be imported for the models; nothing else that the result names is.
    n_jobs : int or None, default=None
        As of `PairedEvaluator`.
    progress : bool, default=False
        As of `PairedEvaluator`.

    Returns
    -------
    Verification
        Its `outcome` is ``"unverified"``, with all `reasons`, where nothing could be fitted.

    Raises
    ------
    ValueError
        If an argument does not fit.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcompare import PairedEvaluator, verify
    >>> X, y = load_iris(return_X_y=True)
    >>> result = PairedEvaluator(cv=5, random_state=0).evaluate([GaussianNB(), DecisionTreeClassifier()], X, y)
    >>> verify(result, X, y).outcome
    'identical'
    """
    if not isinstance(result, EvaluationResult):
        raise ValueError(f"result must be one EvaluationResult; got {type(result).__name__}")
    several = isinstance(allow, Collection) and not isinstance(allow, str)
    if not several or not all(isinstance(name, str) and name.isidentifier() for name in allow):
        raise ValueError(f"allow must be names of packages, as they are imported; got {allow!r:.80}")
    scores = result._scores
    recipe = provenance.part_of(result.provenance, "recipe")  # nothing of it is believed yet
    versions = _other_versions(scores, recipe)
    named, reasons = _models(scores, recipe, allow, versions)
    reasons += _data_reasons(recipe, X, y)
    scorers = {name: str(provenance.part_of(recipe, "scoring").get(name) or name) for name in result.metrics}
    renamed = {name: scorer for name, scorer in scorers.items() if scorer != name}
    if reasons:
        return Verification(outcome="unverified", reasons=tuple(reasons), versions=versions, renamed=renamed)
    models = provenance.texts(named)
    asked: dict[str, Any] = {"n_jobs": n_jobs, "progress": progress, "n_seeds": max(1, len(scores.fit_seeds))}
    evaluator = evaluator_of(result, check_data=not _unlooked(scores), error_score=np.nan, **asked)
    again = evaluator.evaluate({x: provenance.without_side_effects(model) for x, model in named.items()}, X, y)
    return _compared(scores, again._scores, models=models, versions=versions, renamed=renamed)


def _unlooked(result: EvaluationScores) -> str:
    """Why the data were not checked for leakage, as the file says; empty where they were."""
    if result.provenance.get("check_data") is False:
        return "check_data=False"
    grouped = result.design.n_groups is not None or result.design.n_clusters is not None
    return "it has groups, which are not given again" if grouped else ""


# ---- before anything is fitted -----------------------------------------------------------------------------------


def _models(
    result: EvaluationScores, recipe: Mapping[str, Any], allow: Collection[str], versions: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """The models, and all that keeps them from being fitted as they were."""
    lacking = recipe.get("lacking")
    reasons = [str(why) for why in lacking] if isinstance(lacking, list) else []
    if not recipe:
        reasons.append("it does not say what it was made of: it is a table of scores, or of an earlier version")
        return {}, reasons
    if result.stopping is not None or result.selected is not None:
        what = "ended by a StopRule" if result.selected is None else "made of the candidates of a search"
        reasons.append(f"it was {what}, which is not done again")
    if result.kept_splits is None:
        reasons.append("it does not have its splits")
    scoring = provenance.part_of(recipe, "scoring")
    known_names = {*get_scorer_names(), *OWN_METRICS, *OWN_SCORERS, *COST_METRICS, ""}
    if list(scoring) != list(result.metrics) or not all(type(v) is str and v in known_names for v in scoring.values()):
        reasons.append("it does not say what its metrics are")
    specifications, named = provenance.part_of(recipe, "models"), {}
    for name in result.estimators:
        if name not in specifications:
            if not any(why.startswith(f"model {name!r}") for why in reasons):
                reasons.append(f"model {name!r}: there is no specification of it")
            continue
        try:
            named[name] = provenance.build(specifications[name], allow)
        except provenance.UnclearError as error:
            reasons.append(f"model {name!r}: {error}")
    told, seed = provenance.part_of(result.provenance, "estimators"), result.provenance.get("random_state")
    for name, model in named.items():
        text, known = provenance.texts({name: model})[name], told.get(name)
        if known != text and not (versions and isinstance(known, str)):
            reasons.append(f"model {name!r}: it is called {known!s:.200}, its specification is of {text:.200}")
        if seed is None and random_states(model, unset=True):
            reasons.append(f"model {name!r}: it draws at random, and the result has no random_state")
    return named, reasons


def _data_reasons(recipe: Mapping[str, Any], X: Any, y: Any) -> list[str]:
    """Reasons why the given data is not that of the result."""
    if not recipe:
        return []
    if X is None or y is None:
        return ["its data is not given: X and y, or --data FILE --target COLUMN unless scikit-learn brings it"]
    X, y, _ = check_data(X, y, None)
    wanted = provenance.part_of(recipe, "data")
    return [
        f"{name} is not the data of the result: its digest is {digest:.12}, that of the result {wanted.get(name)!s:.12}"
        for name, digest in {"X": provenance.data_digest(X), "y": provenance.data_digest(check_target(X, y))}.items()
        if wanted.get(name) != "" and digest not in str(wanted.get(name)).split(" and ")  # of merged results
    ]


def _other_versions(result: EvaluationScores, recipe: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Packages of which another version is here than the result was made with."""
    saved = {**provenance.part_of(result.provenance, "versions"), **provenance.part_of(recipe, "packages")}
    here: dict[str, str | None] = {"python": platform.python_version(), **provenance.library_versions()}
    found = {str(name): (str(old), str(here.get(name, installed_version(str(name))))) for name, old in saved.items()}
    return {name: both for name, both in found.items() if both[0] != both[1]}


# ---- afterwards --------------------------------------------------------------------------------------------------


def _compared(result: EvaluationScores, again: EvaluationScores, **told: Any) -> Verification:
    scoring = provenance.part_of(provenance.part_of(result.provenance, "recipe"), "scoring")
    anew = {i: scoring[name] for i, name in enumerate(result.metrics) if scoring[name] in _MEASURED_ANEW}
    kept = np.array([i not in anew for i in range(len(result.metrics))])
    saved, made = result.scores, again.scores
    same, close = _same(saved, made), _close(saved, made) & (result.failed == again.failed)
    left_out = [f"{result.metrics[i]}, {_MEASURED_ANEW[of]}" for i, of in anew.items()]
    left_out += ["fit_times and score_times"] + (["the calibration"] if result.calibration is not None else [])
    if unlooked := _unlooked(result):
        left_out.append(f"warnings of equal rows and of columns that give answers away: {unlooked}")
    found = _field_difference(result, again)
    places = np.argwhere(~close & kept)
    if found is None and len(places):
        e, s, m = where = tuple(places[0].tolist())
        names = {"estimator": result.estimators[e], "metric": result.metrics[m], "split": s}
        found = Difference(what="score", **names, saved=float(saved[where]), again=float(made[where]))
    exact, other_prediction = _predictions(result, again)
    found = found or other_prediction
    exact = exact and bool(same[:, :, kept].all())
    gaps = np.abs(saved - made)[:, :, kept]
    return Verification(
        outcome="different" if found is not None else "identical" if exact else "close",
        difference=found,
        largest=float(np.nanmax(gaps)) if np.isfinite(gaps).any() else 0.0,
        n_scores=int(saved[:, :, kept].size),
        left_out=tuple(left_out),
        **told,
    )


def _same(saved: NDArray[Any], again: NDArray[Any]) -> NDArray[np.bool_]:
    """Where two arrays are equal bit for bit; nan equals nan."""
    if saved.dtype.kind != "f":
        return np.asarray(saved == again)
    alike = (saved == again) & (np.signbit(saved) == np.signbit(again))
    return np.asarray(alike | (np.isnan(saved) & np.isnan(again)))


def _close(saved: NDArray[Any], again: NDArray[Any]) -> NDArray[np.bool_]:
    if saved.dtype.kind != "f" or again.dtype.kind != "f":
        return np.asarray(saved == again)
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(saved - again) <= TOLERANCE * np.maximum(1.0, np.abs(saved))
    return np.asarray(near | _same(saved, again))


def _field_difference(result: EvaluationScores, again: EvaluationScores) -> Difference | None:
    """The first difference beside the scores: in directions, the design or the warnings."""
    for name in ("design", "greater_is_better", "task", "positive_class", "ill_defined"):
        saved, made = getattr(result, name), getattr(again, name)
        if name == "design":  # groups are not given again; files of earlier versions have no counts
            made = replace(made, n_groups=saved.n_groups, class_counts=made.class_counts if saved.class_counts else ())
            if np.isclose(saved.test_fraction, np.mean(saved.test_sizes) / saved.n_samples):  # one size of a curve
                made = replace(made, test_fraction=saved.test_fraction)
        if saved != made:
            return Difference(what=name, saved=saved, again=made)
    saved_codes, made_codes = ({warning.code for warning in one.warnings} for one in (result, again))
    if not made_codes <= saved_codes:
        return Difference(what="warnings", saved=sorted(saved_codes), again=sorted(made_codes))
    return None


def _predictions(result: EvaluationScores, again: EvaluationScores) -> tuple[bool, Difference | None]:
    """Whether kept predictions are the same bit for bit, and where they are not even close."""
    if result.kept_predictions is None or again.kept_predictions is None:
        return True, None
    saved, made = result.kept_predictions.to_arrays(), again.kept_predictions.to_arrays()
    exact = True
    for key in sorted({*saved, *made}):
        one, other = saved.get(key), made.get(key)
        if one is None or other is None or one.shape != other.shape or not _close(one, other).all():
            return False, _prediction_difference(result, key, one, other)
        exact = exact and one.dtype == other.dtype and bool(_same(one, other).all())
    return exact, None


def _prediction_difference(result: EvaluationScores, key: str, saved: Any, again: Any) -> Difference:
    owner, _, response = key.removesuffix("_values").partition("_")
    i = int(owner.removeprefix("estimator")) if response and owner.startswith("estimator") else None
    if saved is None or again is None or saved.shape != again.shape:
        values: tuple[Any, Any] = ("none" if saved is None else saved.shape, "none" if again is None else again.shape)
    else:
        first = np.argwhere(~_close(saved, again))[0]
        values = saved[tuple(first)].item(), again[tuple(first)].item()
    name = None if i is None else result.estimators[i]
    return Difference(what="predictions", estimator=name, metric=response or key, saved=values[0], again=values[1])
