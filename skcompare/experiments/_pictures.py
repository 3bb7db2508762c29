"""What the pictures of an experiment show: means by the levels of one factor and of two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.measures import check_measured
from skcompare.evaluation.provenance import UnclearError, build
from skcompare.experiments._designs import ExperimentDesign
from skcompare.experiments._effects import Effect, Effects, Model, Term, positions
from skcompare.results import EvaluationResult
from skcompare.tables.cross_validate import first_of, value_key, value_label


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingMean:
    """The mean score of one setting."""

    mean: float


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class FactorEffect:
    """The main effect of one factor, by its levels."""

    parameter: str
    values: tuple[str, ...]
    n_candidates: tuple[int, ...]
    means: FloatArray
    share: float
    pvalue_adjusted: float


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Pictured:
    """The fitted means of an experiment on one metric.

    Attributes
    ----------
    design : ExperimentDesign
        The settings with scores.
    model : Model
        Of these.
    found : Effects
        The effects on the metric.
    means : ndarray of shape (n_runs,)
        Mean scores of these.
    metric : str
        Its name.
    greater_is_better : bool
        Its direction.
    """

    design: ExperimentDesign
    model: Model
    found: Effects
    means: FloatArray
    metric: str
    greater_is_better: bool

    @property
    def factors(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(self.design.factors)

    @property
    def ranking(self) -> Sequence[SettingMean]:
        """The settings."""
        return [SettingMean(mean=float(mean)) for mean in self.means]

    @property
    def effects(self) -> Sequence[FactorEffect]:
        """The main effects that can be estimated, the largest share of the variance first; ValueError for none."""
        rows = [row for row in self.found.rows if row.kind == "main effect"]
        if not rows:
            raise ValueError(
                f"a picture of effects needs one that these settings can tell; none of {first_of(self.factors)} is"
            )
        effects = [self._effect(row) for row in rows]
        return sorted(effects, key=lambda effect: -effect.share)

    def level_means(self, x: str, y: str, /) -> tuple[Sequence[str], Sequence[str], FloatArray]:
        """Levels of both factors in words, and the means, shape (n_y_levels, n_x_levels).

        Of factors with levels the mean of the settings; with a continuous one what the fitted model says of its low,
        middle and high, the others at their average.
        """
        if self.fitted(x, y):
            return self._labels(x), self._labels(y), self._fitted(x, y)
        shape = len(self.design.levels(y)), len(self.design.levels(x))
        at = self.design.codes(y), self.design.codes(x)
        total, count = np.zeros(shape), np.zeros(shape)
        np.add.at(total, at, self.means)
        np.add.at(count, at, 1)
        with np.errstate(invalid="ignore"):
            return self._labels(x), self._labels(y), total / count

    def interaction_pvalue(self, x: str, y: str, /) -> float:
        """Adjusted p-value of the interaction of two factors; nan where it is not estimated, or as a main effect."""
        row = self._interaction(x, y)
        return float("nan") if row is None or row.kind == "main effect" else row.pvalue_adjusted

    def inseparable(self, x: str, y: str, /) -> Sequence[str]:
        """The effects that the interaction of two factors cannot be told from."""
        row = self._interaction(x, y)
        return [] if row is None else [name for name in row.terms if name not in (f"{x}:{y}", f"{y}:{x}")]

    @property
    def is_fitted(self) -> bool:
        """Whether the means by the levels of some factor are not those of its settings alone."""
        names = [row.term for row in self.found.rows if row.kind == "main effect"]
        return self.fitted(*names) or not all(
            np.allclose(self._fitted(name)[0], np.bincount(at, self.means) / np.bincount(at), rtol=1e-9)
            for name, at in zip(names, map(self.design.codes, names), strict=True)
        )

    @property
    def lacks_fit(self) -> bool:
        """Whether the terms do not describe the settings."""
        return self.found._lacks_fit(self.metric)

    def fitted(self, *factors: str) -> bool:
        """Whether the means at the levels of some factors are those of the model, not of the settings alone."""
        return any(name in self.design.continuous for name in factors)

    def _interaction(self, x: str, y: str) -> Effect | None:
        return next((row for row in self.found.rows if {f"{x}:{y}", f"{y}:{x}"} & set(row.terms)), None)

    def _effect(self, row: Effect) -> FactorEffect:
        name = row.term
        means = self._fitted(name)[0]
        column = self._column((name,), "main effect")
        fitted = column - column.mean()
        apart = self.means - self.means.mean()
        total = float((apart**2).sum())
        counts = (
            (len(self.design.runs),) * len(means)
            if name in self.design.continuous
            else tuple(np.bincount(self.design.codes(name), minlength=len(means)).tolist())
        )
        return FactorEffect(
            parameter=row.named,
            values=tuple(self._labels(name)),
            n_candidates=counts,
            means=means,
            share=0.0 if total == 0 else min(1.0, float((fitted**2).sum()) / total),
            pvalue_adjusted=row.pvalue_adjusted,
        )

    def _labels(self, name: str) -> Sequence[str]:
        levels = self.design.levels(name)
        if name not in self.design.continuous:
            return levels
        return levels[0], value_label(self.design.axis(name).value(0.0)), levels[1]

    def _column(self, factors: tuple[str, ...], kind: str) -> FloatArray:
        """What a term adds to the fitted mean of every setting."""
        for term, weights in zip(self.model.terms, self.model.weights, strict=True):
            if (term.factors, term.kind) == (factors, kind):
                return term.columns @ (weights @ self.means)
        return np.zeros(len(self.means))

    def _fitted(self, x: str, y: str | None = None) -> FloatArray:
        """The model at the levels of one factor or two, shape (n_y_levels or 1, n_x_levels)."""
        places = {name: positions(self.design, name) for name in (x, y) if name is not None}
        lines = {name: found[:, 0] for name, found in places.items()}
        explained = sum((term.columns @ (w @ self.means) for term, w in self._pairs()), np.zeros(len(self.means)))
        shown = np.full((1 if y is None else len(places[y]), len(places[x])), float((self.means - explained).mean()))
        for term, weights in self._pairs():
            coefficients = weights @ self.means
            if not set(term.factors) <= places.keys():
                continue
            if term.kind == "curvature":
                added = lines[term.factors[0]] ** 2 * coefficients[0]
            elif term.kind == "main effect":
                added = places[term.factors[0]] @ coefficients
            else:
                first, second = (places[name] for name in term.factors)
                cells = np.einsum("ik,jl,kl->ij", first, second, coefficients.reshape(first.shape[1], -1))
                shown = shown + (cells if term.factors[0] == y else cells.T)
                continue
            shown = shown + (added[:, None] if term.factors[0] == y else added)
        return shown

    def _pairs(self) -> list[tuple[Term, FloatArray]]:
        return list(zip(self.model.terms, self.model.weights, strict=True))


# Whether a result is an evaluation of a design, and what it measured of the settings.


# Of settings that are left out, which is said of all of them together.
LEFT_OUT = {Code.MISSING.name, Code.UNDEFINED.name}


def check_given(design: Any, result: Any) -> None:
    """ValueError where a result is none of all settings of a design on two or more splits."""
    if not isinstance(design, ExperimentDesign):
        raise ValueError(f"design must be an ExperimentDesign, such as full_factorial makes; got {design!r:.80}")
    if not isinstance(result, EvaluationResult):
        raise ValueError(f"result must be an EvaluationResult; got {result!r:.80}")
    missing = [name for name in design.names if name not in result.estimators]
    if missing:
        raise ValueError(f"result must have all settings of the design as models; got none for {first_of(missing)}")
    if result.design.kind != "folds" or result.design.n_splits < 2:
        raise ValueError(f"result must be of two or more splits of one data set; got {result.design.name}")
    if result.stopping is not None:
        raise ValueError(
            f"result must be of a run without stop, which drops settings; got one of {len(result.stopping.looks)} looks"
        )
    recipe = result.provenance.get("recipe")
    models = recipe.get("models") if isinstance(recipe, dict) else None
    for name, run in zip(design.names, design.runs, strict=True):
        known = _parameters(models.get(name)) if isinstance(models, dict) else None
        other = [factor for factor in run if known is not None and not _agree(known, factor, run[factor])]
        if other:
            raise ValueError(
                f"result must be of the design's settings; its model {name!r} does not have {other[0]} = "
                f"{run[other[0]]!r:.40}"
            )


def warnings_of(
    result: EvaluationResult | None, metrics: Sequence[str], names: Sequence[str]
) -> tuple[CodedWarning, ...]:
    """What is wrong with the scores of settings on some metrics; ValueError of one that was given, not measured."""
    if result is None:
        return ()
    for metric in metrics:
        check_measured(result, metric)
    found = (warning for metric in metrics for warning in result.score_warnings(metric, *names))
    return tuple(dict.fromkeys(warning for warning in found if warning.code not in LEFT_OUT))


def _parameters(specification: Any) -> dict[str, Any] | None:
    """Of a model that scikit-learn alone can make again; None of others, of which nothing is known."""
    try:
        return dict(build(specification, ("sklearn",)).get_params(deep=True))
    except UnclearError:
        return None


def _agree(known: dict[str, Any], factor: str, value: Any) -> bool:
    return factor in known and value_key(known[factor]) == value_key(value)
