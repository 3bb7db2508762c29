"""Words that documents share: what is said of scores as they were read, and of what comparisons speak."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from math import isfinite
from operator import attrgetter
from typing import Any

from skcompare._core.numbers import listed, percent_of
from skcompare._core.text import capital, name_of_test, one_line
from skcompare.comparison.compare import held_for, metrics_by_test, named_tests, over_families
from skcompare.comparison.table import ComparisonRow, ComparisonTable, Outcome, is_extended, is_median
from skcompare.scores.calibration import Calibration

FORECASTS = "This is about the forecasts that these fitted models made, not about the algorithms."
OTHER_RUNS = "This is about other runs on the same data, not about other data."

_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def of_models(cases: str) -> str:
    """Of what findings on one test set, on items or from judgments speak."""
    if cases == "samples":
        return "This is about these fitted models on samples like these, not about the algorithms."
    return f"This is about these models on {cases} like these."


def in_words(n: int) -> str:
    """A number, a small one in words."""
    return _SMALL[n] if n < len(_SMALL) else str(n)


def procedure_in_words(compared: ComparisonTable, metric: str) -> str:
    """The test on a metric, with a capital letter."""
    names = list[str]()
    for test, metrics in metrics_by_test(compared.rows, made=True).items():
        names += [name_of_test(test)] if metric in metrics else []
    return capital(" and ".join(names) or name_of_test(compared.procedure))


def as_read(provenance: Mapping[str, Any], models: Sequence[str]) -> str:
    """How scores of unknown meaning were read, as a sentence; a saved file can hold anything under that name."""
    known = provenance.get("read")
    if not isinstance(known, Mapping):
        return ""
    found = "; ".join(dict.fromkeys(one_line(str(known[name])) for name in models if name in known))
    return f"{capital(found)}." if found else ""


def decided_by(compared: ComparisonTable) -> str:
    """By what a difference is significant, and at which error rate."""
    if compared.sequential:
        return f"by the sequential verdict with an error rate of {percent_of(compared.alpha)} over all looks"
    over = f"adjusted ({compared.correction}) over {over_families(compared)}" if adjusts(compared) else "not adjusted"
    return f"at {percent_of(compared.alpha)}: {named_tests(compared.rows, compared.procedure, in_words=True)}; p {over}"


def only_tested(rows: Sequence[ComparisonRow]) -> str:
    """The metrics that were tested, where others were not; empty where all were."""
    by_outcome = {(row.metric, row.outcome): None for row in rows if row.outcome is not Outcome.NOT_COMPARABLE}
    untested = {metric for metric, outcome in by_outcome if outcome is Outcome.NOT_TESTED}
    tested = dict.fromkeys(metric for metric, outcome in by_outcome if outcome is not Outcome.NOT_TESTED)
    return f" Of the metrics only {listed([*tested])} was tested." if tested and untested - {*tested} else ""


def adjusts(compared: ComparisonTable) -> bool:
    """Whether a comparison shares its error budget with another one."""
    return compared.correction != "none" and max(map(attrgetter("n"), compared.families), default=0) > 1


def together(compared: ComparisonTable, shown: Set[str] | None = None) -> str:
    """For what the intervals of comparisons hold, as a sentence; empty where each comparison is alone.

    Where intervals are `shown` on some metrics only, for what these hold.
    """
    if compared.sequential:
        return "Each interval is that of the look that decided, or of the last one."
    if compared.correction == "none":
        return f"Each {percent_of(1 - compared.alpha)} interval holds for its own comparison alone."
    held = held_for(compared, shown)
    return f"Intervals: {held}." if held else ""


def of_ends(rows: Iterable[Any]) -> str:
    """Why an interval ends at the null though its own test does not; empty where none of the rows has such a one."""
    cut = extended = blank = ""
    for row in rows:
        if row is not None and row.open_at_null:
            cut = "A round bracket: significant, but how close to the end is not known."
        if row is not None and is_extended(row):
            extended = "An interval is extended to 0 where its difference is not significant."
        if row is not None and is_median(row.record) and not (isfinite(row.low) or isfinite(row.high)):
            blank = "A blank interval: too few cases for one at its level."
    return " ".join(filter(None, [cut, extended, blank]))


def forecasts(rows: Iterable[Any], source: str = "", *, before: str = "") -> str:
    """What comparisons of losses in time order are about, where it was not said before; empty of others.

    Of metrics whose variance allows for other training sets that is said, with its source.
    """
    tested = [row for row in rows if row.procedure == "diebold_mariano_test"]
    metrics = list(dict.fromkeys(row.metric for row in tested))
    corrected = [name for name in metrics if any(row.metric == name and row.record.training_variance for row in tested)]
    allowed = f"the variance of the test allows for other training sets{source and ' '}{source}."
    if not metrics:
        return ""
    if len(corrected) == len(metrics):
        return capital(allowed)
    about = "" if FORECASTS in before else f"{FORECASTS} "
    return f"{about}On {listed(corrected)} {allowed}" if corrected else FORECASTS


# ---- what a test was calibrated on ---------------------------------------------------------------------------


def uncalibrated(calibration: Calibration, rows: Sequence[ComparisonRow]) -> tuple[str, ...]:
    """The metrics of some rows of which a calibration is not, and "other pairs" where it is not of models."""
    of_rows = dict.fromkeys(row.metric for row in rows)
    metrics = [metric for metric in of_rows if metric not in calibration.calibrations]
    others = {name for row in rows for name in (row.a, row.b)} - {*calibration.estimators}
    return (*metrics, *(["other pairs"] if others else []))


def calibrated_metrics(calibration: Calibration, rows: Sequence[ComparisonRow]) -> list[dict[str, Any]]:
    """The degrees of freedom of the metrics of some rows, with their intervals."""
    names, metrics, found = ("df", "confidence_level", "fold_correlation"), {row.metric for row in rows}, []
    for metric, one in calibration.calibrations.items():
        if metric in metrics:
            ends = {"low": one.df_interval.low, "high": one.df_interval.high}
            found.append({"name": metric, **{name: getattr(one, name) for name in names}, **ends})
    return found


def calibrated_on(calibration: Calibration, rows: Sequence[ComparisonRow]) -> str:
    """What the degrees of freedom were found on, and what they are, as one sentence."""
    models, found = listed(calibration.estimators), list[str]()
    for one in calibrated_metrics(calibration, rows):
        level = "" if found else f"{percent_of(one['confidence_level'])} interval "
        found.append(f"{one['df']:.3g} for {one['name']} ({level}{one['low']:.3g} to {one['high']:.3g})")
    made = f"{calibration.generator}; seed {calibration.random_state}, scheme {calibration.scheme}"
    on = f"{calibration.n_datasets} data sets on which neither is better ({made})"
    alpha = percent_of(calibration.alpha)
    return f"The degrees of freedom were calibrated at {alpha} for {models} on {on}: {listed(found)}."
