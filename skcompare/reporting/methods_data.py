"""What a methods section says was compared, and on what."""

from __future__ import annotations

from collections.abc import Sequence

from skcompare._core.words import counted, listed
from skcompare.reporting.summary.methods import EvaluationFacts, Facts, Splitting, StudyFacts

MAX_NAMES = 15
_MAX_DESIGNS = 4
_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def data(facts: EvaluationFacts) -> list[str]:
    """Models, samples and splits."""
    if facts.kind == "runs":
        return _runs_compared(facts)
    if facts.kind != "folds":
        return _cases_compared(facts)
    where = "one data set" if facts.n_samples is None else f"a data set of {facts.n_samples} samples"
    return [
        f"We compared {_models(facts)} on {where} by {_design(facts.splitting, facts.sizes)}.",
        "All models had the same training and test sets.",
        *_seeds(facts.n_seeds),
    ]


def _seeds(n_seeds: int) -> list[str]:
    """How often each model was fitted on a split, where that was more than once."""
    if n_seeds == 1:
        return []
    fitted = f"Each model was fitted on each split with {count(n_seeds)} random seeds, the same for all splits"
    return [f"{fitted}, and its score there is the mean over the seeds."]


def _cases_compared(facts: EvaluationFacts) -> list[str]:
    """Models on the samples of one test set, or on items."""
    clusters = facts.n_clusters
    what = counted(facts.n_cases, "item" if facts.kind == "items" else "sample")
    where = what if facts.kind == "items" else f"one test set of {what}"
    trained = f", trained on the same {facts.sizes[0]:.0f} samples," if facts.sizes else ""
    grouped = f" in {counted(clusters, 'cluster')}" if clusters is not None else ""
    return [
        f"We compared {_models(facts)}{trained} on {where}{grouped}.",
        f"What is found is about these fitted models on {facts.kind} like these, not about the algorithms on other "
        "training data.",
    ]


def _runs_compared(facts: EvaluationFacts) -> list[str]:
    """Models in independent runs."""
    return [
        f"We compared {_models(facts)} on one data set, with {_runs(facts.splitting.runs, [facts.splitting])} of each "
        "model.",
        _pairs_of_runs([facts.splitting]),
        "What is found is about other runs on the same data, not about other data.",
    ]


def _runs(numbers: str, splittings: Sequence[Splitting]) -> str:
    """So many runs, independent ones unless they are pairs."""
    runs = "run" if numbers == "1" else "runs"
    return f"{numbers} {runs}" if any(splitting.paired for splitting in splittings) else f"{numbers} independent {runs}"


def _pairs_of_runs(splittings: Sequence[Splitting]) -> str:
    """Whether runs of two models are pairs."""
    reason = next((splitting.paired for splitting in splittings if splitting.paired), "")
    if reason:
        return f"Runs of two models with the same name were taken for pairs ({reason})."
    return "Runs of two models were not paired, also where they had the same random seed."


def _design(splitting: Splitting, sizes: Sequence[float] = ()) -> str:
    """How the samples were split, in as many words as are known to be true."""
    n, groups = splitting.n_splits, ", groups of samples kept together" if splitting.grouped else ""
    how = "stratified " if splitting.stratified else ""
    how += "shuffled " if splitting.shuffled else ""
    if splitting.partition:
        repeated = f", repeated {splitting.n_repeats} times" if splitting.n_repeats > 1 else ""
        folds = f"{how}{splitting.n_folds}-fold cross-validation{repeated}{groups}"
        return f"{folds} ({n} splits{_sizes(sizes, n, ', with ')})"
    disjoint = " with disjoint test sets" if splitting.n_folds > 1 else ""
    disjoint = " in time order, each test set later than its training set" if splitting.time_order else disjoint
    splits = (
        f"{n} {'random ' if splitting.random else ''}{how}train-test split{'' if n == 1 else 's'}{disjoint}{groups}"
    )
    return splits + (f" ({_sizes(sizes, n, 'with ')})" if sizes else "")


def _sizes(sizes: Sequence[float], n_splits: int, opening: str) -> str:
    if not sizes:
        return ""
    train, test = (f"{size:.0f}" for size in sizes)
    average = "on average " if n_splits > 1 else ""
    return f"{opening}{average}{train} samples for training and {test} for testing"


def study_data(facts: StudyFacts) -> list[str]:
    """Models, data sets and splits."""
    names = f" ({listed(facts.datasets)})" if len(facts.datasets) <= MAX_NAMES else ""
    one = facts.cases.removesuffix("s")
    said = [f"We compared {_models(facts)} on {counted(len(facts.datasets), one)}{names}."]
    if facts.splittings and all(splitting.runs for splitting in facts.splittings):
        runs = list(dict.fromkeys(splitting.runs for splitting in facts.splittings))
        numbers = listed(runs) if len(runs) <= _MAX_DESIGNS else "several"
        said.append(
            f"On each {one} every model had {_runs(numbers, facts.splittings)}; the score of a model is its mean "
            f"over its runs. {_pairs_of_runs(facts.splittings)}"
        )
    elif facts.splittings:
        said.append(
            f"On each data set all models had the same training and test sets, by {_designs(facts.splittings)}; the "
            f"score of a model is its mean over the splits."
        )
        said += _seeds(facts.n_seeds)
    return said


def _designs(splittings: Sequence[Splitting]) -> str:
    """How the data sets were split, each way once; only the numbers of splits where there are many ways."""
    ways = list(dict.fromkeys(_design(splitting) for splitting in splittings))
    if len(ways) <= _MAX_DESIGNS:
        return " or ".join(ways)
    numbers = [splitting.n_splits for splitting in splittings]
    how_many = f"{min(numbers)}" if min(numbers) == max(numbers) else f"{min(numbers)} to {max(numbers)}"
    return f"{how_many} splits, made in ways that differ between the data sets"


def _models(facts: Facts) -> str:
    names = facts.estimators
    return f"{count(len(names))} models" + (f" ({listed(names)})" if len(names) <= MAX_NAMES else "")


def count(n: int) -> str:
    """A number, a small one in words."""
    return _SMALL[n] if n < len(_SMALL) else str(n)
