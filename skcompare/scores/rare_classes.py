"""What rare classes make of scores: metrics that a few samples decide, models that predict one class."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import combinations, product
from math import sqrt
from operator import attrgetter, itemgetter
from statistics import median
from typing import Any

import numpy as np

from skcompare._core.design import ClassCount, Design
from skcompare._core.metrics import METRICS
from skcompare._core.numbers import agreeing, counted, percent, some_of
from skcompare._core.validation import DUMMY, FloatArray, Positions, meant
from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation.metrics.scorers import known_costs, sample_costs
from skcompare.evaluation.predictions import CODES
from skcompare.inference._distributions import heavy_tailed

FEWEST, FEWEST_IN_FOLD = 20, 5  # samples of a class, in all and in a typical test set
MOST_OF_THREE = 0.75  # of the variance of costs or squared errors, for three samples
OF_SQUARES = ("neg_mean_squared_error", "neg_root_mean_squared_error", "r2")


Scored = Any  # `EvaluationScores`, whose methods these functions are
Told = Iterator[CodedWarning]


def rare_class_warnings(scores: Scored, name: str, metric: str) -> Told:
    """The warnings WEAK_METRIC and BASE_RATE of one model on one metric."""
    what = scores.read_as[metric]
    named = meant(what, METRICS) if scores.task == "other" else [what]  # a table has names alone
    better = scores.greater_is_better[scores.metrics.index(metric)]  # else it is another one, as 1 - AUC
    guess = METRICS[named[0]].guess if better and named and named[0] in METRICS else None
    known = guess is not None and name != DUMMY
    of_guess = [*base_rate(scores, name, metric, scores.score(name, metric), guess)] if known else []
    yield from of_guess
    if not scores.design.class_counts:
        return
    about, few, counts = (name, metric), _rare(scores, what), scores.design.class_counts
    if few:
        what_of = "with label" if scores.task == "multilabel" else "of class"
        yield Code.WEAK_METRIC(_told(few, scores.design, metric, what_of), about)
    predicted, only = scores.predicted_counts.get(name), None
    if predicted is not None and len(counts) == predicted.shape[1]:
        called = np.flatnonzero(predicted.sum(axis=0))
        only = counts[called[0]].label if len(called) == 1 else None
    if only is not None and name == scores.baseline == DUMMY:
        return  # as it should
    if only is not None and what in METRICS and METRICS[what].needs == "labels" and not of_guess:
        shares = f"{metric} shows the shares of the classes only. Mend the model, or leave it out."
        yield Code.WEAK_METRIC(f"{name!r} predicts class {only} everywhere, and {shares}", about)
    elif what == "accuracy" and scores.task != "multilabel":
        yield from base_rate(scores, name, metric, scores.score(name, metric))
    if what == "precision" and predicted is not None and only is None and not few:
        yield from _few_predicted(scores, name, metric, predicted)


def _rare(scores: Scored, metric: str) -> list[ClassCount]:
    """The classes, or labels, of which few samples decide a metric, the rarest first."""
    rests_on = METRICS[metric].rests_on if metric in METRICS else "classes" if metric.endswith("_macro") else ""
    every, tested = rests_on == "classes", scores.design.kind == "samples"
    if scores.task == "multilabel":
        every = bool(rests_on) and (metric.endswith("_macro") or METRICS[metric].needs == "scores")
    found, of_one = list[tuple[int, ClassCount]](), scores.task == "binary" and rests_on in ("positive", "negative")
    for one in scores.design.class_counts:
        n, positive = one.test_counts[0] if tested else one.total, one.label == repr(scores.positive_class)
        if every or (of_one and positive == (rests_on == "positive")):
            found += [(n, one)] if n < FEWEST or (not tested and one.typical < FEWEST_IN_FOLD) else []
    return [*map(itemgetter(1), sorted(found, key=itemgetter(0)))]


def _told(few: Sequence[ClassCount], design: Design, metric: str, what: str) -> str:
    """How many samples of the rarest class there are, and what to do."""
    first = few[0]
    n, where, typical = first.total, "", f". A typical test set has {first.typical:g}"
    if design.kind == "samples":
        n, where, typical = first.test_counts[0], " in the test set", ""
    others = "" if len(few) == 1 else f" and few of {agreeing(len(few) - 1, 'another', f'{len(few) - 1} others')}"
    more = "collect more" if first.total < FEWEST else "take fewer folds, or collect more"
    return f"{counted(n, 'sample')} {what} {first.label}{where}{others} decide {metric}{typical}: {more}."


def base_rate(scores: Scored, name: str, metric: str, values: FloatArray, base: float | None = None) -> Told:
    """That scores are not above that of guessing, accuracies that of the largest class by two standard errors."""
    if not np.isfinite(values).all() or (base is None and not sum(scores.design.test_sizes)):
        return
    bound, even, guess = 0.0, True, "guessing"
    if base is None:
        design = scores.design
        tested = list(map(sum, map(attrgetter("test_counts"), design.class_counts)))
        guess = f"always predicting class {design.class_counts[tested.index(max(tested))].label}"
        base = max(tested) / sum(design.test_sizes)
        bound = 2 * sqrt(base * (1 - base) / min(sum(design.test_sizes), design.n_samples or 0))
        even = base - bound < 1 / len(tested)  # an accuracy counts all classes of one size alike already
        base -= getattr(scores.metric_functions.get(metric), "is_of_errors", False)  # as of `above_share`
    mean = float(values.mean())
    if mean <= base + bound:
        remedy = "Improve the model, or collect more" if even else "Decide on a metric in which all classes count"
        said = f"{name!r} is not shown to be better than {guess}: {metric} {mean:.3f} against {base:.3f}. {remedy}."
        yield Code.BASE_RATE(said, (name, metric))


def _few_predicted(scores: Scored, name: str, metric: str, predicted: Positions) -> Told:
    """That precision is a share of few predictions."""
    labels, own_label = list(map(attrgetter("label"), scores.design.class_counts)), repr(scores.positive_class)
    if scores.task != "binary" or own_label not in labels or len(labels) != predicted.shape[1]:
        return
    own = predicted[:, labels.index(own_label)]
    typical, fewest = float(median(own.tolist())), FEWEST if scores.design.kind == "samples" else FEWEST_IN_FOLD
    if typical < fewest:
        where = " of the test set" if scores.design.kind == "samples" else f", {typical:g} in a typical test set"
        called = f"{name!r} predicts class {own_label} for {counted(int(own.sum()), 'sample')}{where}"
        yield Code.WEAK_METRIC(f"{called}. Only these count for {metric}: decide on another metric.", (name, metric))


def predicted_counts(scores: Scored) -> Mapping[str, Positions]:
    """How often each class was predicted, by model: (n_splits, n_classes); of models of which all labels are known."""
    kept = scores.kept_predictions
    if kept is None or kept.y.ndim != 1 or not scores.design.class_counts:
        return {}
    found, count = {}, partial(np.bincount, minlength=len(kept.classes))
    for name, folds in kept.folds.items():
        with suppress(KeyError):  # labels that the data has not have no codes
            found[name] = np.array(list(map(count, map(itemgetter(CODES), folds))))
    return found


# What 0/0 makes of scores: a number that a convention gives, and how much of a mean it is.


SUBSTANTIAL = 0.1  # share of the splits, or samples, on which a metric is 0/0
MAX_NAMED = 3  # classes, where a warning says which are missing
_CONVENTION = "0 is scikit-learn's convention"
_ANOTHER = "decide on another metric"


def undefined_warnings(scores: Scored, name: str, metric: str, n_fitted: int, n_missing: int) -> Told:
    """WEAK_METRIC where 0/0 makes up a substantial share of a mean, ILL_DEFINED where it makes up less.

    Splits that have no number at all are not among them: there are `n_missing`, and they are told of elsewhere.
    """
    if scores.task == "multilabel":
        yield from without_labels(scores, metric)
    n, values = scores.ill_defined.get(name, {}).get(metric, 0), scores.score(name, metric)[:n_fitted]
    n = max(n - n_missing, 0)
    if not n or not np.isfinite(values).any():
        return
    said, about = f"{name!r} has 0/0 for {metric}", (name, metric)
    where = f" on {n} of {counted(n_fitted, 'split')}" if n_fitted > 1 else ""
    partly = (values == 0).sum() < n  # of means over classes, labels or samples one may be 0/0
    if n < SUBSTANTIAL * n_fitted or (partly and not scores.read_as.get(metric, metric).endswith("_macro")):
        yield Code.ILL_DEFINED(f"{said}{where}.", about)
    elif partly or n < n_fitted:
        what = f" of a {'label' if scores.task == 'multilabel' else 'class'}" if partly else ""
        yield Code.WEAK_METRIC(f"{said}{what}{where}. There {_CONVENTION}: {_ANOTHER}.", about)
    else:
        everywhere = f" on all {n} splits" if n > 1 else ""
        yield Code.WEAK_METRIC(f"{said}{everywhere}: {_CONVENTION}. Mend the model, or {_ANOTHER}.", about)


def is_undefined(scores: Scored, name: str, metric: str) -> bool:
    """Whether a model's score on one test set is 0/0, which is not known of a mean over classes or labels."""
    averaged = scores.read_as.get(metric, metric).endswith(("_macro", "_weighted", "_samples"))
    one = scores.design.kind == "samples" and scores.design.n_splits == 1
    return one and not averaged and bool(scores.ill_defined.get(name, {}).get(metric))


def without_labels(scores: Scored, *metrics: str) -> Told:
    """That samples without any label count as 0 where none is predicted, on metrics that are means over samples."""
    if scores.task != "multilabel" or scores.kept_predictions is None:
        return
    y = np.asarray(scores.kept_predictions.y, dtype=bool)
    n = int((~y.any(axis=1)).sum())
    for metric in metrics if n else ():
        if scores.read_as.get(metric, metric).endswith("_samples"):
            code = Code.ILL_DEFINED if n < SUBSTANTIAL * len(y) else Code.WEAK_METRIC
            told = f"{some_of(n, len(y), 'sample')} {agreeing(n, 'has', 'have')} no label"
            zero = f"Where none is predicted {metric} is 0/0"
            yield code(f"{told}. {zero}, and {_CONVENTION}: leave them out, or {_ANOTHER}.", (metric,))


def not_defined(scores: Scored, metric: str, missing: Collection[int]) -> CodedWarning | None:
    """Why a metric has no number on some splits, and what to do; None where classes and sizes do not tell."""
    design = scores.design
    if not missing or not design.test_sizes:
        return None
    lacking, one = _lacking(design, missing), design.n_splits == 1
    if all(design.test_sizes[i] < 2 for i in missing):
        most = max(design.test_sizes[i] for i in missing)  # 0 where a part of the samples is looked at
        why = "which is one sample" if one else f"whose test sets are {'one sample each' if most else 'empty'}"
    elif lacking:
        labels = [count.label for count in lacking]
        without = f"class {' or '.join(labels)}" if len(labels) <= MAX_NAMED else "some classes"
        tested = all(any(not count.test_counts[i] for count in lacking) for i in missing)
        why = f"whose test sets lack {without}" if tested else f"which lack {without} in training or test"
        why = f"which lacks {without}" if one else why
    else:
        return None
    where = "the test set" if one else f"{len(missing)} of {design.n_splits} splits"
    left_out = "It has no score there" if one else "These scores are nan and left out"
    helps = not one and all(count.total > 1 for count in lacking)
    remedy = f"{'fewer folds, or ' if helps else ''}scoring without {metric}"
    return Code.MISSING_SCORES(f"{metric} is not defined on {where}, {why}. {left_out}: give {remedy}.", (metric,))


def _lacking(design: Design, missing: Collection[int]) -> list[ClassCount]:
    """The classes that the test or training sets of some splits lack; none where one of the splits has all."""
    found, counts = set[str](), design.class_counts
    for i in missing:
        own = [x for x in counts if not x.test_counts[i] or (design.partition and x.test_counts[i] == x.total)]
        if not own:
            return []
        found |= {one.label for one in own}
    return [one for one in counts if one.label in found]


# Whether few samples carry most of what errors cost, or of the variance of squared errors.


def costs_of_samples(scores: Scored) -> dict[str, FloatArray]:
    """The costs of the samples by metric of costs, shape (n_models, n_samples); nan where a model did not predict.

    Those of the first repeat, or of all overlapping test sets. Of metrics of squared errors what each sample adds to
    the score, up to a constant.
    """
    kept, splits, design = scores.kept_predictions, scores.kept_splits, scores.design
    costs = {name: known_costs(function) for name, function in scores.metric_functions.items()}
    squares = [name for name, what in scores.read_as.items() if what in OF_SQUARES]
    if not (any(costs.values()) or squares) or kept is None or splits is None:
        return {}
    used = range(design.n_folds if design.n_folds > 1 else design.n_splits)
    tested = [splits.held_out(i) for i in used]
    of: dict[str, Any] = {name: known for name, known in costs.items() if known}
    if squares and kept.y.ndim == 1 and kept.y.dtype.kind in "iuf":
        of[""] = None  # the predictions themselves
    found = {name: np.full((len(scores.estimators), sum(map(len, tested))), np.nan) for name in of}
    parts = [*zip(used, tested, np.cumsum([len(test) for test in tested]).tolist(), strict=True)]
    for e, model in enumerate(scores.estimators):
        labelled = kept.labelled(model)
        for (i, test, end), (name, known) in product(parts, of.items()):
            if labelled[i]:
                with suppress(ValueError):  # of a class without costs: the fold failed
                    labels = kept.labels_of(model, i)
                    own = np.ravel(labels) if known is None else sample_costs(kept.y[test], labels, **known)
                    found[name][e, end - len(test) : end] = own
    predicted = found.pop("", None)
    if predicted is not None:
        true = kept.y[np.concatenate(tested)].astype(np.float64)
        found |= {name: _terms_of_squares(scores.read_as[name], true, predicted) for name in squares}
    return found


def _terms_of_squares(metric: str, true: FloatArray, predicted: FloatArray) -> FloatArray:
    """What each sample adds to a metric of squared errors, linearised and up to a constant, of every model."""
    with np.errstate(invalid="ignore", over="ignore"):
        errors = (predicted - true) ** 2
        mean = np.array([[own[np.isfinite(own)].mean()] if np.isfinite(own).any() else [np.nan] for own in errors])
        if metric == "neg_root_mean_squared_error":
            return np.asarray(np.divide(errors, np.sqrt(mean), out=np.zeros_like(errors), where=mean != 0))
        if metric != "r2" or not np.ptp(true) > 0:
            return np.asarray(errors)
        around = (true - true.mean()) ** 2
        return np.asarray(errors - mean * (around / around.mean() - 1))


def few_decide(scores: Scored, of_samples: Mapping[str, FloatArray], metric: str, names: tuple[str, ...]) -> Told:
    """WEAK_METRIC where three samples carry most of the variance of a score, or of the difference of any two models.

    Of costs that differ the three may be errors of the largest cost that none made, which may be chance. On folds also
    where samples that are rarer than those seen may carry as much: the tail of the difference is heavy.
    """
    terms, design = of_samples[metric][[scores.estimators.index(name) for name in names]], scores.design
    pairs = [*combinations(range(len(names)), 2)]
    values = (np.where(np.isclose(terms[a], terms[b], rtol=1e-9, atol=0), 0.0, terms[a] - terms[b]) for a, b in pairs)
    unseen = np.repeat(_largest_cost(scores.metric_functions.get(metric), of_pairs=bool(pairs)), 3)
    shares, tails, of_folds = list[float](), list[bool](), bool(pairs) and design.kind == "folds"
    for own in values if pairs else terms:
        known = own[np.isfinite(own)]
        more = np.append(known, unseen) if np.nan_to_num(own).any() else known
        shares.append(max(_share_of_three(one, design) for one in (known, more)))
        tested_once = known.size <= (design.n_samples or 0)
        tails.append(of_folds and tested_once and heavy_tailed(known))
    few = np.flatnonzero(np.array(shares) > MOST_OF_THREE)
    told = f"3 samples carry {percent(max(shares))} of the variance of {{}}. Look at them, or collect more."
    if not few.size:
        few = np.flatnonzero(tails)
        told = "Rare samples may turn {}: it has a heavy tail. Look at the largest, or collect more."
    if not few.size:
        return
    at = max(few.tolist(), key=shares.__getitem__)
    concerned = sorted({i for k in few.tolist() for i in pairs[k]}) if pairs else [0]
    worst = " and ".join(repr(names[i]) for i in (pairs[at] if pairs else (0,)))
    others = f", and {counted(len(few) - 1, 'more pair')}" if len(few) > 1 else ""
    said = told.format(f"{'the difference in ' if pairs else ''}{metric} ({worst}{others})")
    yield Code.WEAK_METRIC(said, (*(names[i] for i in concerned), metric))


def _largest_cost(function: Any, *, of_pairs: bool) -> list[float]:
    """The largest cost of a sample, or difference of two models; none of errors that all cost the same."""
    known = known_costs(function)
    if known is None:
        return []
    table = np.array(known["cost"])
    steps = np.unique(np.abs(table[:, :, None] - table[:, None, :]))
    return [] if len(steps[steps > 0]) < 2 else [float(steps[-1] if of_pairs else np.ptp(table))]


def _share_of_three(known: FloatArray, design: Design) -> float:
    """The share of the sum of squares around the mean that the three largest squares carry; 0 of few samples."""
    n = min(known.size, design.n_samples or known.size)
    largest = float(np.abs(known).max(initial=0.0))
    if n < FEWEST or largest == 0:
        return 0.0
    squares = (known / largest - (known / largest).mean()) ** 2
    return float(np.partition(squares, -3)[-3:].mean() / squares.mean() * 3 / n) if squares.any() else 0.0
