"""Whether a result is an evaluation of a design, and what it measured of the settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.measured import check_measured
from skcompare.evaluation._specification import UnclearError, build
from skcompare.experiments._design import ExperimentDesign
from skcompare.results import EvaluationResult
from skcompare.tables.candidate_names import first_of, value_key

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
