"""Scores on the same splits, or on other repeats of the same data, made one; and those of one model of several."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skcompare._core.numbers import place_of, some_names
from skcompare._core.warnings import Code, Warnings
from skcompare.evaluation.metrics.scorers import MetricFunction
from skcompare.evaluation.metrics.scoring import Failure
from skcompare.evaluation.predictions import KeptPredictions
from skcompare.evaluation.provenance import known_digest, known_metrics, known_models, merged_provenance, part_of
from skcompare.evaluation.splits import Splits, different_splits, splits_from_pairs
from skcompare.scores.evaluation import EvaluationScores, is_judged

Joined = Literal["models", "metrics", "repeats"]
Results = Sequence[EvaluationScores]
_ROUNDING = 1e-9  # another run may add up in another order
_TABLES = ("scores", "train_scores", "fit_times", "score_times")
# Along which axis of these tables results are joined, and the names that grow with it.
_JOINED: dict[Joined, tuple[int, tuple[str, ...]]] = {
    "models": (0, ("estimators",)),
    "repeats": (1, ()),
    "metrics": (2, ("metrics", "greater_is_better")),
}


def merged(results: Results) -> EvaluationScores:
    """Join results; see `skcompare.merge`."""
    _check(results)
    first, joined = results[0], _in_common(results)
    for i, result in enumerate(results[1:], 2):
        if (said := next(_differences(first, result, i, joined), None)) is not None:
            raise ValueError(f"results must {said}")
    tables = _tables(results, joined)
    names = tables["estimators"], tables["metrics"]
    splits = _splits(results, joined)
    predictions = _predictions([result.kept_predictions for result in results], joined)
    design = first.design if splits is None or joined != "repeats" else splits.design
    if splits is not None and predictions is None:
        design = splits.design_of_scores
    counts = [result.design.class_counts for result in results]
    if joined == "repeats":  # of every class those of the joined splits, where all results have them
        of_classes = zip(*counts, strict=True) if all(counts) else ()
        counts[0] = tuple(replace(own[0], test_counts=(*chain(*(x.test_counts for x in own)),)) for own in of_classes)
    baselines = {result.baseline for result in results} - {None}
    known = next((result for result in results if result.task != "other"), None)
    return EvaluationScores(
        **tables,
        design=replace(design, class_counts=counts[0]),
        failures=_failures(results, joined, *names),
        task="other" if known is None else known.task,
        positive_class=None if known is None else known.positive_class,
        ill_defined=_ill_defined(results, *names),
        warnings=_warnings(results, splits),
        provenance=merged_provenance(
            [result.provenance for result in results],
            estimators=names[0],
            metrics=names[1],
            repeats=f"{design.n_repeats}x{design.n_folds}" if joined == "repeats" else "",
            sizes=[result.design.n_splits for result in results],
        ),
        baseline=baselines.pop() if len(baselines) == 1 else None,
        error_score=next((one.error_score for one in results if one.failures), first.error_score),
        single_metric=joined != "metrics" and all(result.single_metric for result in results),
        kept_splits=splits,
        kept_predictions=predictions,
        inner_predictions=None if predictions is None else _inner_fits(results, joined),
        **_samples(results),
    )


def of_model(scores: EvaluationScores, model: str, metrics: Sequence[str], name: str) -> EvaluationScores:
    """One model on some metrics, called `name`: a part for `merged`, and no result to read."""
    kept, metrics = scores.kept_predictions, tuple(metrics)
    provenance = dict(scores.provenance)
    for of_models in ("estimators", "families", "read", "health"):
        if isinstance(provenance.get(of_models), dict) and model in provenance[of_models]:
            provenance[of_models] = {name: provenance[of_models][model]}
    if "recipe" in provenance:  # which names all models
        provenance["recipe"] = {"data": part_of(part_of(provenance, "recipe"), "data")}
    own = [one for one in scores.failures if one.estimator == model and one.metric in (None, *metrics)]
    changes: dict[str, Any] = {
        **_chosen(scores, (model,), metrics),
        "estimators": (name,),
        "failures": tuple(replace(one, estimator=name) for one in own),
        "ill_defined": {name: scores.ill_defined[model]} if model in scores.ill_defined else {},
        "provenance": provenance,
        "baseline": None,
        "inner_predictions": None,
        "kept_predictions": None if kept is None else KeptPredictions(kept.y, {name: kept.folds[model]}),
        "metric_functions": {one: x for one, x in scores.metric_functions.items() if one in metrics},
    }
    return replace(scores, **changes)


# ---- what is joined -------------------------------------------------------------------------------------------


def _chosen(scores: EvaluationScores, estimators: tuple[str, ...], metrics: tuple[str, ...]) -> dict[str, Any]:
    """The scores and times of some models on some metrics, in this order, with their names."""
    rows, columns = [*map(scores.estimator_index, estimators)], [*map(scores.metric_index, metrics)]
    of_rows = {name: None if (x := getattr(scores, name)) is None else x[rows] for name in _TABLES}
    found = {name: x if x is None or x.ndim == 2 else x[:, :, columns] for name, x in of_rows.items()}
    signs = tuple(scores.greater_is_better[m] for m in columns)
    return {"estimators": estimators, "metrics": metrics, "greater_is_better": signs, **found}


def _tables(results: Results, joined: Joined) -> dict[str, Any]:
    """Names, scores and times; where metrics are joined these are means of the known ones.

    Those of training sets too, where all results have them, and the fitted estimators where models are joined.
    """
    axis, growing = _JOINED[joined]
    parts = []
    for result in results:
        models, metrics = (result if joined == of else results[0] for of in ("models", "metrics"))
        parts.append(_chosen(result, models.estimators, metrics.metrics))
    found = parts[0] | {name: tuple(chain.from_iterable(part[name] for part in parts)) for name in growing}
    for name in _TABLES:
        own = [part[name] for part in parts]
        if any(x is None for x in own):
            found[name] = None
        elif axis < own[0].ndim:
            found[name] = np.concatenate(own, axis=axis)
        else:
            with warnings.catch_warnings(action="ignore"):  # of fits that no result has a time of
                found[name] = np.nanmean(own, axis=0)
    if joined == "models":
        found["estimators_"] = {name: kept for result in results for name, kept in result.estimators_.items()}
    return found


def _failures(results: Results, joined: Joined, models: Sequence[str], metrics: Sequence[str]) -> tuple[Failure, ...]:
    """Of all results, in the order of an evaluation; a fit that failed in some alone failed on their metrics."""
    everywhere = set.intersection(*({(f.estimator, f.split) for f in r.failures if f.metric is None} for r in results))
    found: dict[tuple[str, int, str | None], Failure] = {}
    before = 0  # splits of earlier results
    for result in results:
        for failure in result.failures:
            split = failure.split + before
            here, there = (place_of(at, result.design.n_folds) for at in (failure.split, split))
            moved = replace(failure, split=split, message=failure.message.replace(here, there, 1))
            whole = joined != "metrics" or (failure.estimator, failure.split) in everywhere
            own = (failure.metric,) if failure.metric is not None else (None,) if whole else result.metrics
            for metric in own:
                found.setdefault((failure.estimator, split, metric), replace(moved, metric=metric))
        before += result.design.n_splits if joined == "repeats" else 0
    place = {name: m for m, name in enumerate((None, *metrics))}
    return tuple(found[key] for key in sorted(found, key=lambda key: (models.index(key[0]), key[1], place[key[2]])))


def _ill_defined(results: Results, estimators: Sequence[str], metrics: Sequence[str]) -> dict[str, dict[str, int]]:
    """On how many splits metrics were 0/0, in the order of an evaluation."""
    found: dict[str, dict[str, int]] = {}
    for name, metric in product(estimators, metrics):
        if n := sum(result.ill_defined.get(name, {}).get(metric, 0) for result in results):
            found.setdefault(name, {})[metric] = n
    return found


def _inner_fits(results: Results, joined: Joined) -> KeptPredictions | None:
    """Predictions of the inner fits; of joined models those without any have none on each split.

    Raises
    ------
    ValueError
        If metrics or repeats are joined, and some results have inner fits and others not.
    """
    known = {i: result.inner_predictions for i, result in enumerate(results, 1) if result.inner_predictions is not None}
    if joined == "models" and known:
        first = next(iter(known.values()))
        made = dict(chain.from_iterable(part.folds.items() for part in known.values()))
        none: list[dict[str, Any]] = [{}] * len(next(iter(first.folds.values())))
        names = chain.from_iterable(result.estimators for result in results)
        return KeptPredictions(first.y, {name: made.get(name, none) for name in names})
    if 0 < len(known) < len(results):
        lacking = min({*range(1, len(results) + 1)} - {*known})
        raise ValueError(
            f"results must all have the inner fits of intervals='nested' to join {joined}, or none; result {lacking} "
            f"has none: evaluate it with intervals='nested', or give dataclasses.replace(result, "
            f"inner_predictions=None) for result {min(known)}"
        )
    return _predictions([*known.values()], joined) if known else None


def _predictions(found: Sequence[KeptPredictions | None], joined: Joined) -> KeptPredictions | None:
    """Those of the splits, where all results have them."""
    parts = [part for part in found if part is not None]
    if len(parts) < len(found):
        return None
    folds: dict[str, Any] = {}
    for name in dict.fromkeys(chain.from_iterable(part.folds for part in parts)):
        own = [part.folds[name] for part in parts if name in part.folds]
        folds[name] = [*chain.from_iterable(own)]
        if joined == "metrics":
            folds[name] = [_united(of_split, name, i) for i, of_split in enumerate(zip(*own, strict=True))]
    return KeptPredictions(parts[0].y, folds)


def _united(parts: Sequence[Mapping[str, NDArray[Any]]], name: str, split: int) -> dict[str, NDArray[Any]]:
    """The responses of one model on a split that any result has; ValueError where two results differ in one."""
    united: dict[str, NDArray[Any]] = {}
    for response, values in chain.from_iterable(responses.items() for responses in parts):
        known = united.setdefault(response, values)
        of_numbers = known.dtype.kind == values.dtype.kind == "f" and known.shape == values.shape
        close = of_numbers and np.allclose(known, values, rtol=_ROUNDING, atol=_ROUNDING, equal_nan=True)
        if not close and not np.array_equal(known, values):
            raise ValueError(
                f"results must be of the same fits to join metrics; predictions of {name!r} differ on split "
                f"{split}: give all one random_state, or evaluate all metrics at once"
            )
    return united


def _samples(results: Results) -> dict[str, Any]:
    """What is known of the samples, the same in all results; and the functions of all metrics.

    Raises
    ------
    ValueError
        If results differ in it.
    """
    columns: dict[str, Any] = {}
    known = {name: getattr(results[0], name) for name in ("sample_ids", "clusters", "sample_weight")}
    for i, result in enumerate(results, 1):
        beside = [(f"{name} of result 1 and result {i} differ", x, getattr(result, name)) for name, x in known.items()]
        for name, values in result.sample_columns.items():
            beside.append((f"their column {name!r} differs in result {i}", columns.setdefault(name, values), values))
        for how, one, other in beside:
            if (one is None) != (other is None) or not np.array_equal(one, other):
                raise ValueError(f"results must be of the same samples; {how}")
    functions = dict(chain.from_iterable(result.metric_functions.items() for result in results))
    return {**known, "sample_columns": columns, "metric_functions": functions}


# ---- what must be the same ------------------------------------------------------------------------------------


_ALONE = {
    "stopping": "ended by a StopRule, whose looks were at its own models",
    "calibration": "evaluated with a calibration, which is of its own models and design",
    "seed_scores": "evaluated with several seeds per split, which are of its own models",
    "selected": "made of the candidates of a search, whose ranking decides on them",
}


def _check(results: Results) -> None:
    """ValueError where a result can be merged with none."""
    for i, result in enumerate(results, 1):
        for name, how in _ALONE.items():
            if getattr(result, name) is not None:
                raise ValueError(f"results must be plain evaluations; result {i} was {how}: evaluate all at once")
        if result.kept_splits is None and result.design.kind != "items":
            runs = result.design.kind == "runs"
            says, of = ("be of splits, and of no runs", "runs") if runs else ("know their splits", "scores")
            how = f"join the tables, and give {'from_runs' if runs else 'from_frame'} all rows at once"
            raise ValueError(f"results must {says}; result {i} was made from a table of {of}: {how}")
        if result.kept_splits is None and result.sample_ids is None:
            says = f"results of items must know their names; result {i} does not: give from_outcomes sample_id"
            raise ValueError(says)


def _in_common(results: Results) -> Joined:
    """What the results have in common, and what not."""
    told = []
    same, apart = {}, {}
    for name, what in {"estimators": "models", "metrics": "metrics"}.items():
        of_each = [getattr(result, name) for result in results]
        same[name] = all({*own} == {*of_each[0]} for own in of_each)
        apart[name] = len({*chain(*of_each)}) == sum(map(len, of_each))
        shown = ", ".join(f"{some_names(own)} in result {i}" for i, own in enumerate(of_each, 1))
        told += [] if same[name] else [f"{what} {shown}"]
    if not told:
        return "repeats"
    if same["metrics"] and apart["estimators"]:
        return "models"
    if same["estimators"] and apart["metrics"]:
        return "metrics"
    raise ValueError(
        f"results must have the same metrics and no model in common, the same models and no metric in common, or both "
        f"the same; got {'; '.join(told)}"
    )


def _differences(first: EvaluationScores, other: EvaluationScores, i: int, joined: Joined) -> Iterator[str]:
    """In what two results differ that they must share: what they must be, and what was got."""
    one, two, it = first.design, other.design, f"result {i}"
    if one.kind != two.kind and "items" in (one.kind, two.kind):
        yield f"be of one kind; result 1 is of {one.name}, {it} of {two.name}"
    if one.n_samples != two.n_samples:
        yield f"be of the same data; result 1 has {one.n_samples} samples, {it} has {two.n_samples}"
    if joined != "repeats" and one.split_hash != two.split_hash:
        splits = (tuple(first.splits()), tuple(other.splits())) if one.name == two.name else ((), ())
        how = different_splits("result 1", it, *splits) or f"result 1 has {one.name}, {it} has {two.name}"
        yield f"share their splits to join {joined}; {how}"
    if joined == "repeats" and not (one.partition and two.partition and one.n_folds == two.n_folds):
        yield f"be k-fold with as many folds to join repeats; result 1 has {one.name}, {it} has {two.name}"
    if "other" not in (first.task, other.task):
        for name, what in {"task": "kind of problem", "positive_class": "positive class"}.items():
            if (a := getattr(first, name)) != (b := getattr(other, name)):
                yield f"have the same {what}; it is {a!r} in result 1 and {b!r} in {it}"
    signs = dict(zip(first.metrics, first.greater_is_better, strict=True))
    for metric, sign in zip(other.metrics, other.greater_is_better, strict=True):
        if signs.get(metric, sign) != sign:
            better = "greater is better" if sign else "less is better"
            yield f"agree in the direction of {metric!r}; in {it} alone {better}"
    if _same_targets(first, other) is False:
        yield f"be of the same data; the targets of result 1 and {it} differ"
    models = [known_models(result.provenance) for result in (first, other)]
    for name in first.estimators:
        a, b = (known.get(name) for known in models)
        if all(name in known for known in models) and a != b:
            yield f"mean the same by the name of a model; {name!r} is {a!s:.80} in result 1 and {b!s:.80} in {it}"
    for metric in first.metrics if joined != "metrics" else ():
        yield from _differences_in(metric, first, other, i)
    digests = [known_digest(result.provenance, "X") for result in (first, other)]
    if joined != "models" and all(digests) and digests[0] != digests[1]:
        by = f"{digests[0]:.12} and {digests[1]:.12}"
        yield f"be of the same data where models are the same; X of result 1 and {it} differ by their digests, {by}"


def _differences_in(metric: str, first: EvaluationScores, other: EvaluationScores, i: int) -> Iterator[str]:
    """That one name stands for two metrics, as far as is known, or for two numbers given for one model."""
    both = (first, other)
    given = [is_judged(result.provenance, metric) for result in both]
    same = "mean the same by the name of a metric;"
    if any(given) and not all(given):
        where, elsewhere = (1, i) if given[0] else (i, 1)
        yield f"{same} {metric!r} was given for each model in result {where} and measured in result {elsewhere}"
    for name in first.estimators if all(given) else ():
        numbers = [result.score(name, metric)[:1].tolist() for result in both if name in result.estimators]
        if numbers[0] != numbers[-1]:
            got = f"{numbers[0][0]:g} in result 1 and {numbers[-1][0]:g} in result {i}"
            yield f"have the same number for a model where it was given; {metric!r} of {name!r} is {got}"
    one, two = (result.metric_functions.get(metric) for result in both)
    made = [known_metrics(result.provenance).get(metric) for result in both]
    if isinstance(one, MetricFunction) and isinstance(two, MetricFunction):
        another = not one.equals(two)
    else:
        another = one is two is None and None not in made and made[0] != made[1]
        another = another or first.read_as[metric] != other.read_as[metric]
    if another and not any(given):
        how = f"is another function, or has other options, in result {i} than in result 1"
        yield f"{same} {metric!r} {how}: give the two metrics different names"


def _same_targets(first: EvaluationScores, other: EvaluationScores) -> bool | None:
    """Whether two results have the same targets; None where that is not known."""
    if first.kept_predictions is not None and other.kept_predictions is not None:
        return bool(np.array_equal(first.kept_predictions.y, other.kept_predictions.y))
    digests = [known_digest(result.provenance, "y") for result in (first, other)]
    return digests[0] == digests[1] if all(digests) else None


def _splits(results: Results, joined: Joined) -> Splits | None:
    """The splits of the merged result, None of items; ValueError where a repeat is there twice."""
    all_splits = [result.kept_splits for result in results if result.kept_splits is not None]
    if joined != "repeats":
        return results[0].kept_splits
    seen: dict[bytes, str] = {}
    for i, splits in enumerate(all_splits, 1):
        for repeat in range(splits.n_repeats):
            it = f"repeat {repeat} of result {i}"
            if (other := seen.setdefault(splits.partition_key(repeat), it)) != it:
                raise ValueError(
                    f"results with the same models and metrics must be of different splits to join repeats; {other} "
                    f"and {it} are the same: evaluate with another random_state"
                )
    return splits_from_pairs(chain.from_iterable(all_splits), all_splits[0].n_samples)


def _warnings(results: Results, splits: Splits | None) -> Warnings:
    """What speaks against the splits, what each result was warned of, and whether the data are the same."""
    of_splits = {warning for result in results if result.kept_splits for warning in result.kept_splits.warnings}
    others = [warning for result in results for warning in result.warnings if warning not in of_splits]
    unknown = [i for i, result in enumerate(results[1:], 2) if splits and _same_targets(results[0], result) is None]
    if unknown:
        same = f"make sure that result 1 and result {unknown[0]} are of the same data"
        others.append(Code.ASSUMED(f"{same}; their targets are not known."))
    digests = [known_digest(result.provenance, "X") for result in results]
    for i, digest in enumerate(digests[1:], 2):
        if digests[0] and digest not in ("", digests[0]):
            differ = f"X of result 1 and result {i} differ by their digests"
            others.append(Code.ASSUMED(f"{differ}; make sure that their rows are the same samples in the same order."))
    return tuple(dict.fromkeys((*(splits.warnings if splits else ()), *others)))
