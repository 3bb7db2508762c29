"""A paragraph for the methods section of a paper, with the BibTeX entries of exactly what it cites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skcompare._core.numbers import counted, listed, one_of, percent_of
from skcompare._core.warnings import Code
from skcompare.comparison.spread import does_not_vary
from skcompare.comparison.table import ComparisonRow, ComparisonTable, Outcome, metrics_by_test
from skcompare.reporting.error_rate import calibrated_on, of_methods
from skcompare.reporting.summary.methods import EvaluationFacts, Facts, Seeds, Splitting, StudyFacts
from skcompare.reporting.summary.records import CalibrationSummary
from skcompare.reporting.words import adjusts, forecasts, only_tested, over_families, printable, together
from skcompare.scores.stopping import Stopping, in_words

# What a methods section says was compared, and on what.


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
        *_seeds_per_fit(facts.n_seeds),
    ]


def _seeds_per_fit(n_seeds: int) -> list[str]:
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
    one = one_of(facts.cases)
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
        said += _seeds_per_fit(facts.n_seeds)
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


# What a methods section calls the procedures, and what else must be said of them.


_OVERLAP = "it does not allow for the overlap of the training sets and so finds differences too often"
_FITTED = "it is about the fitted models, not about training on other data"

# The name of each test, its papers, and what else must be said of it.
TERMS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "corrected_t_test": (
        "the corrected resampled t test",
        ("nadeau2003inference",),
        "it allows for the overlap of the training sets by taking the correlation of the differences on two splits to "
        "be the test set's share of the samples of a split, {fraction}",
    ),
    "k_fold_t_test": (
        "a t test on the folds of the run with 0.4 of the correction of the corrected resampled t test",
        ("nadeau2003inference", "bengio2004unbiased"),
        "the factor was measured on simulated true nulls of two classes, which it rejects about as often as it should",
    ),
    "stability_t_test": (
        "a corrected resampled t test whose correction was read from how much the predictions changed between repeats",
        ("nadeau2003inference",),
        "it allows for models that change more or less than usual with their training sets",
    ),
    "calibrated_t_test": (
        "the calibrated t test",
        ("bouckaert2003choosing", "bouckaert2004estimating"),
        "its degrees of freedom are calibrated by simulation, which allows for the overlap of the training sets",
    ),
    "five_by_two_t_test": (
        "the 5x2cv paired t test",
        ("dietterich1998approximate",),
        "its variance comes from the two halves of each repeat, whose training sets do not overlap",
    ),
    "five_by_two_f_test": (
        "the combined 5x2cv F test",
        ("alpaydin1999combined",),
        "its variance comes from the two halves of each repeat, whose training sets do not overlap",
    ),
    "blocked_m_by_two_test": (
        "the blocked m x 2 cross-validated t test",
        ("wang2014blocked",),
        "it is made for halves whose training sets overlap by a quarter of the data between any two repeats",
    ),
    "nested_cv_interval": (
        "the nested cross-validation interval of the mean difference per sample",
        ("bates2024crossvalidation",),
        "its variance comes from fits without two folds at a time",
    ),
    "welch_t_test": (
        "Welch's t test of independent runs",
        ("welch1947generalization",),
        "it is about other runs on the same data",
    ),
    "paired_t_test": ("the paired t test over the splits", ("dietterich1998approximate",), _OVERLAP),
    "permutation_test": (
        "the permutation test of the mean difference over the splits",
        ("fisher1935design", "menke2004permutations"),
        _OVERLAP,
    ),
    "cluster_t_test": (
        "a paired t test with a variance that is robust to clusters",
        ("cameron2015practitioner", "miller2024adding"),
        "clusters are taken for independent, not their items",
    ),
    "diebold_mariano_test": (
        "the Diebold-Mariano test on the losses of single samples in time order, with a long-run variance from their "
        "slowest cosines",
        ("diebold1995comparing", "lazarus2018har", "coroneo2020comparing"),
        "it takes the differences of losses to be stationary, and not alike for a good part of the series",
    ),
    "confidence_sequence": (
        "a confidence sequence by betting, which holds at whatever item one stops",
        ("waudbysmith2024estimating", "shafer2011test"),
        "it takes the expected difference of an item not to depend on earlier ones",
    ),
    "mcnemar_test": (
        "the mid-p version of McNemar's test",
        ("mcnemar1947note", "fagerland2013mcnemar", "tango1998equivalence"),
        _FITTED,
    ),
    "delong_test": ("DeLong's test of two areas under the ROC curve", ("delong1988comparing", "sun2014fast"), _FITTED),
    "paired_metric_test": (
        "a paired permutation test that exchanges the predictions of the two models",
        ("noreen1989computer", "yeh2000more"),
        _FITTED,
    ),
    "paired_bootstrap": ("the paired bootstrap over the samples", ("efron1987better",), _FITTED),
    "cv_clt_test": (
        "a test by the central limit theorem for cross-validation",
        ("bayle2020crossvalidation", "bayle2025relative"),
        "it is about the fitted models and takes their comparison to be stable",
    ),
    "signed_rank_test": (
        "Wilcoxon's signed-rank test",
        ("wilcoxon1945individual", "demsar2006statistical"),
        "each {case} is one case, the p-values are {exact}, and the differences are medians over the pairs of {cases}",
    ),
    "sign_test": (
        "the sign test",
        ("demsar2006statistical",),
        "each {case} is one case, and only which model is better on it counts, ties left out",
    ),
    "dataset_t_test": (
        "the paired t test over the {cases}",
        ("demsar2006statistical",),
        "each {case} is one case, and the differences are taken to be normal and comparable between {cases}",
    ),
}
# What they are called where each sample of one test set, or each item, is one case.
CASE_TERMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "paired_t_test": ("a paired t test over the {cases}", ("student1908probable",)),
    "permutation_test": ("a permutation test of the mean difference over the {cases}", ("fisher1935design",)),
}
_OF_ONE = ("bonferroni", "holm", "hochberg", "hommel", "finner", "li", "rom")
CORRECTIONS = {
    **{name: f"{name.capitalize()}'s method" for name in _OF_ONE},
    "holland": "Holland and Copenhaver's method",
    "fdr_bh": "Benjamini and Hochberg's method",
    "fdr_by": "Benjamini and Yekutieli's method",
}
FALSE_DISCOVERY = ("fdr_bh", "fdr_by")


class _Citer:
    """Citations in brackets, and what was cited, in order."""

    def __init__(self, sources: Mapping[str, tuple[str, str]]) -> None:
        self._sources = sources
        self._cited: dict[str, None] = {}

    def __call__(self, *keys: str) -> str:
        self._cited.update(dict.fromkeys(keys))
        return f"({'; '.join(self._sources[key][0] for key in keys)})"

    def entries(self) -> list[str]:
        return [self._sources[key][1] for key in self._cited]


def methods_section(facts: Facts, sources: Mapping[str, tuple[str, str]], also: Sequence[str] = ()) -> str:
    """The paragraph, an empty line, and the BibTeX entries.

    Parameters
    ----------
    facts : Facts
        Of a result or a study and a comparison of its models.
    sources : mapping of key to (str, str)
        Author and year, and the BibTeX entry, of every paper.
    also : sequence of str
        Sentences that stand before the test.
    """
    facts, cite = printable(facts), _Citer(sources)
    if isinstance(facts, StudyFacts):
        said = [*study_data(facts), _measures(facts), *_ranking(facts, cite)]
    elif isinstance(facts, EvaluationFacts):
        said = [*data(facts), _measures(facts)]
        said += [_sequential(facts.stopping, cite)] if facts.stopping else []
    said += also
    said += [_test(facts, cite)] if facts.comparison.n_hypotheses else []
    said += [about] if (about := _forecasts(facts, cite)) else []
    if isinstance(facts, EvaluationFacts) and facts.calibration:
        said += _calibration(facts.calibration, cite)
    said += [_budget(facts, cite), *of_methods(facts), *_joint(facts, cite), *_losses(facts), *_software(facts, cite)]
    return "\n\n".join([" ".join(said), *cite.entries()])


def _measures(facts: Facts) -> str:
    metrics, costs = facts.metrics, facts.costs
    if not costs or len(costs) == len(metrics):
        direction = f"{'smaller' if costs else 'larger'} values being better{' for each' if len(metrics) > 1 else ''}"
    else:
        rest = "the other" if len(metrics) - len(costs) == 1 else "the others"
        direction = f"smaller values being better for {listed(costs)} and larger ones for {rest}"
    known = isinstance(facts, EvaluationFacts) and facts.positive_class
    positive = f" The positive class was {known}." if known else ""
    return f"They were measured by {listed(metrics)}, {direction}.{positive}"


def _test(facts: Facts, cite: _Citer) -> str:
    """The test of two models on one metric."""
    pairs = "The two models were" if len(facts.estimators) == 2 else "Every pair of models was"
    if isinstance(facts, EvaluationFacts) and facts.kind != "folds":
        found = [_test_of_cases(facts, test, on, cite) for test, on in metrics_by_test(facts.comparison.rows).items()]
        return f"{pairs} compared {listed(found)}."
    name, keys, remark = TERMS[facts.comparison.procedure]
    fraction, exact, pooled = "0", "from the normal approximation", ""
    if isinstance(facts, EvaluationFacts):
        splitting, fraction = facts.splitting, f"{facts.test_fraction:.3g}"
        if facts.comparison.procedure == "corrected_t_test" and splitting.partition and splitting.n_repeats > 1:
            keys = (*keys, "bouckaert2004evaluating")
        pooled = f" on the predictions of {_pooled(splitting)}" if facts.on_predictions else ""
    elif isinstance(facts, StudyFacts) and facts.exact:
        exact = "exact"
    each = _on(list(dict.fromkeys(row.metric for row in facts.comparison)), facts)
    cases = facts.cases if isinstance(facts, StudyFacts) else ""
    sentence = f"{pairs} compared{each} by {name.format(cases=cases)} {cite(*keys)}{pooled}"
    estimator = f" {cite('hodges1963estimates')}" if facts.comparison.procedure == "signed_rank_test" else ""
    smooth = _linearised(facts, facts.comparison.procedure, facts.metrics) if isinstance(facts, EvaluationFacts) else ""
    said = remark.format(fraction=fraction, exact=exact, cases=cases, case=one_of(cases))
    return f"{sentence}{smooth}; {said}{estimator}."


def _test_of_cases(facts: EvaluationFacts, test: str, metrics: Sequence[str], cite: _Citer) -> str:
    """One test on samples or items and what it was used for."""
    name, keys, _ = TERMS[test]
    name, keys = CASE_TERMS.get(test, (name, keys))
    if test == "permutation_test" and facts.kind == "runs" and not facts.splitting.paired:
        name = "a permutation test that exchanges the runs of the two models"
    named = f"{_on(metrics, facts)} by {name.format(cases=facts.kind)} {cite(*keys)}".lstrip()
    return named + _linearised(facts, test, metrics)


def _linearised(facts: EvaluationFacts, test: str, metrics: Sequence[str]) -> str:
    """Of which metrics a test of means took linearised values."""
    by_case = test.endswith("t_test" if facts.kind != "folds" else "mariano_test")
    tested = {row.metric for row in facts.comparison if row.procedure == test}
    smooth = [metric for metric in metrics if by_case and metric in facts.linearised and metric in tested]
    if not smooth:
        return ""
    which = "" if len(smooth) == len(metrics) else f" for {listed(smooth)}"
    return f", on values linearised by the delta method{which}"


def _forecasts(facts: Facts, cite: _Citer) -> str:
    """What a test of losses in time order is about; empty of others."""
    if not isinstance(facts, EvaluationFacts) or not facts.splitting.time_order:
        return ""
    corrected = any(getattr(row.record, "training_variance", 0.0) for row in facts.comparison)
    return forecasts(facts.comparison, cite("nadeau2003inference") if corrected else "")


def _calibration(calibration: CalibrationSummary, cite: _Citer) -> list[str]:
    """On what the test was calibrated, and what was tested by another one."""
    said = [calibrated_on(calibration)]
    without = calibration.without
    if without:
        name, keys, _ = TERMS[calibration.instead]
        said.append(f"{_capital(listed(without))} {_was(len(without))} compared by {name} {cite(*keys)} instead.")
    return said


def _on(metrics: Sequence[str], facts: Facts) -> str:
    """Which of the metrics a sentence is about; nothing where there is one."""
    if tuple(metrics) != facts.metrics:
        return f" on {listed(metrics)}"
    return " on each metric" if len(metrics) > 1 else ""


def _pooled(splitting: Splitting) -> str:
    if splitting.n_folds == 1:
        return "one test set"
    part = "of one repeat" if splitting.n_repeats > 1 else "of the cross-validation"
    return f"the {splitting.n_folds} test sets {part}, pooled"


def _intervals(comparison: ComparisonTable) -> str:
    """What the intervals hold for, as a sentence."""
    level = percent_of(1 - comparison.alpha)
    if comparison.sequential or not adjusts(comparison) or comparison.correction == "none":
        return together(comparison) or f"Intervals are at {level}."
    cut = " An interval cut off at 0 belongs to a difference that a later step of the adjustment made significant."
    return f"Simultaneous intervals are at {level}.{cut if any(row.open_at_null for row in comparison) else ''}"


def _budget(facts: Facts, cite: _Citer) -> str:
    """The adjustment over all comparisons, and the level."""
    comparison = facts.comparison
    n = comparison.n_hypotheses
    left = len(_untested(comparison))
    said = [] if n else [f"No comparison could be made, {_why_none(facts)}."]
    if not n and not comparison.sequential:
        return said[0]
    if left and n:
        more = f"{_capital(count(left))} more comparison{'' if left == 1 else 's'}"
        said.append(f"{more} could not be made {_why_none(facts)}.")
    if any(row.low == row.low for row in comparison):
        said.append(_intervals(comparison))
    if comparison.sequential:
        rate = f"its error rate over all looks is {percent_of(comparison.alpha)}"
        only = f"Only the sequential test decided which differences are significant; {rate}.{only_tested(comparison)}"
        return " ".join([only, *said])
    significant = f"the {'adjusted' if adjusts(comparison) else 'two-sided'} p-value was below {facts.alpha:g}"
    significant = f"a difference was called significant where {significant}"
    if not adjusts(comparison):
        return " ".join([f"{_capital(significant)}.", *said])
    method = f"{CORRECTIONS[facts.comparison.correction]} {cite(*facts.correction_references)}"
    rate = ", which controls the false discovery rate" if facts.comparison.correction in FALSE_DISCOVERY else ""
    which = "both comparisons" if n == 2 else f"all {n} comparisons"
    which += " together"
    if len(comparison.families) > 1:
        which = f"the {over_families(comparison)}, each group together,"
    first = f"The two-sided p-values of {which} were adjusted by {method}{rate}, and {significant}."
    return " ".join([first, *said])


def _untested(comparison: ComparisonTable) -> list[ComparisonRow]:
    """The comparisons that could not be tested."""
    return [row for row in comparison if not row.outcome.tested and row.outcome is not Outcome.NOT_TESTED]


def _why_none(facts: Facts) -> str:
    """Why a comparison could not be made: on one test set, in time order, or anywhere."""
    left = _untested(facts.comparison)
    scored = [row for row in left if row.mean_a == row.mean_a and row.mean_b == row.mean_b]
    given = list(dict.fromkeys(row.metric for row in left if any(one.code == Code.JUDGED.name for one in row.warnings)))
    judged = f"because {listed(given)} {_was(len(given))} given for each model, not measured" if given else ""
    scored = [row for row in scored if row.metric not in given]
    still = list(dict.fromkeys(row.metric for row in scored if does_not_vary(row.warnings)))
    why = [judged] if judged and (still or {row.metric for row in left} == {*given}) else []
    if still:
        why.append(f"because differences on {listed(still)} were the same on all {_same_on(facts)}")
    if why and any(row.metric not in (*given, *still) for row in left if row not in scored):
        why.append("for lack of scores")
    if not scored or not isinstance(facts, EvaluationFacts):
        return " or ".join(why) or "for lack of scores"
    in_time = facts.splitting.time_order
    undefined = {row.metric for row in scored} & {*facts.undefined}
    untested = list(dict.fromkeys(row.metric for row in scored if row.metric not in {*undefined, *still}))
    if undefined:
        metrics = [metric for metric in facts.metrics if metric in undefined]
        why.append(f"because {listed(metrics)} {_was(len(metrics))} 0/0")
    if untested and (in_time or facts.kind == "samples"):
        why.append(f"for lack of a test of {listed(untested)} {'in time order' if in_time else 'on one test set'}")
    return " or ".join(why) or "for lack of scores"


def _same_on(facts: Facts) -> str:
    """What differences can be the same on all of."""
    if not isinstance(facts, EvaluationFacts):
        return "data sets"
    return "splits" if facts.kind == "folds" else facts.kind


def _ranking(facts: StudyFacts, cite: _Citer) -> list[str]:
    """The omnibus test of three or more models."""
    if not facts.ranked_metrics and not facts.gapped_metrics:
        return []
    case, tests = one_of(facts.cases), []
    if facts.ranked_metrics:
        friedman = f"Friedman's test {cite('friedman1937use', 'demsar2006statistical')}"
        imandavenport = f"with the F statistic of Iman and Davenport {cite('iman1980approximations')}"
        tests.append(f"tested{_on(facts.ranked_metrics, facts)} by {friedman} {imandavenport}")
    if facts.gapped_metrics:
        missing = "where scores are missing by the test of Skillings and Mack"
        tests.append(f"tested{_on(facts.gapped_metrics, facts)}, {missing} {cite('skillings1981use')}")
    said = [f"The models were ranked on each {case}, and that all are equally good was {' and '.join(tests)}."]
    if facts.comparison.procedure != "dataset_t_test":
        said.append(
            "Pairs were not compared by their mean ranks, so that a verdict on two models does not depend on the "
            f"others {cite('benavoli2016meanranks')}."
        )
    return said


def _joint(facts: Facts, cite: _Citer) -> list[str]:
    """The tests of all metrics together."""
    pairs = len(facts.joint)
    metrics = tuple(name for name in facts.metrics if any(name in pair.metrics for pair in facts.joint))
    if not pairs:
        return []
    adjusted = ""
    if pairs > 1:
        method = f"{CORRECTIONS[facts.comparison.correction]} {cite(*facts.correction_references)}"
        adjusted = f", adjusted over the {pairs} pairs by {method}"
    cases, pvalue = _cases(facts, cite)
    which = ("both" if len(metrics) == 2 else f"all {len(metrics)}") + " metrics together"
    which = which if metrics == facts.metrics else f"{listed(metrics)} together"
    said = [
        "A model was called better on several metrics only where the difference on each of them was significant.",
        f"The most frequent pattern of wins was tested on {which}, by the likelihood-ratio test of dominance "
        f"statements {cite('benavoli2016joint')}, {cases}.",
        f"Its p-value is the {pvalue} of the most frequent statement against the next one {cite('hung2019rank')}"
        f"{adjusted}; the probability of the most probable statement is that of the Dirichlet posterior "
        f"{cite('benavoli2016joint')}.",
    ]
    if isinstance(facts, EvaluationFacts) and facts.time_rope:
        said.append(
            f"There, times were medians over the repeats, which makes no more cases than folds, and times within "
            f"{percent_of(facts.time_rope)} of the larger one counted as equal."
        )
    return said


def _cases(facts: Facts, cite: _Citer) -> tuple[str, str]:
    """What counts as a case, and which p-value goes with it."""
    if not isinstance(facts, EvaluationFacts):
        assert isinstance(facts, StudyFacts)
        return f"each {one_of(facts.cases)} being one case", "exact binomial one"
    if facts.kind != "folds":
        case = one_of(facts.kind)
        if facts.n_clusters is None:
            return f"each {case} being one case", "exact binomial one"
        return f"the {facts.kind} counting as {facts.n_clusters} cases, as many as clusters", "binomial mid-p one"
    worth = list(dict.fromkeys(f"{n:.3g}" for n in facts.n_effective))
    number = worth[0] if len(worth) == 1 else f"{worth[0]} to {worth[-1]}"
    how = cite("nadeau2003inference", "sheppard1899application")
    every = f"the {facts.splitting.n_splits} splits"
    splits = every if facts.complete else "the splits on which both models have all scores"
    return f"{splits} counting as {number} independent cases because of their correlation {how}", "binomial mid-p one"


def _sequential(stopping: Stopping, cite: _Citer) -> str:
    """How it was decided to end the evaluation."""
    kind = "O'Brien-Fleming" if stopping.spending == "obrien_fleming" else "Pocock"
    rope = "" if stopping.rope is None else f" or practically equivalent (within {stopping.rope:g})"
    dropped = ", and models found worse were fitted no more" if stopping.drop and stopping.n_models > 2 else ""
    return (
        f"Repeats were added, up to {stopping.max_repeats}, until a sequential test of {stopping.metric} found "
        f"one model better than the others{rope}: after the repeats all pairs of the models still in were compared by "
        f"the corrected resampled t test {cite('nadeau2003inference')}, adjusted by Bonferroni's method, at levels of "
        f"the {kind} type {cite('lan1983discrete')} that keep the error rate over all looks at "
        f"{stopping.alpha:.3g}{dropped}. The outcome: {in_words(stopping)}."
    )


def _losses(facts: Facts) -> list[str]:
    """What failed, and what became of it; what must be known about the splits."""
    said, lost = [], facts.losses
    if lost.n_failed:
        failed = f"{lost.n_failed} of {lost.n_fits} fits"
        said.append(f"Fitting or scoring failed in {failed}; the scores concerned were left out.")
    if isinstance(facts, StudyFacts):
        said += _lost_datasets(facts)
    elif lost.n_undefined:
        n = lost.n_undefined
        said.append(f"Of {lost.n_scores} scores {n} {_was(n)} not defined and left out.")
    return [*said, *map(_capital, facts.warnings)]


def _lost_datasets(facts: StudyFacts) -> list[str]:
    said, failed, n = [], facts.failed_datasets, facts.n_incomplete_datasets
    if failed:
        names = f" ({listed(failed)})" if len(failed) <= MAX_NAMES else ""
        more = f"{_capital(count(len(failed)))} more data set{'' if len(failed) == 1 else 's'}{names}"
        said.append(f"{more} could not be evaluated and {_was(len(failed))} left out.")
    if n:
        missing = "some scores were missing; each test left out the data sets that lack its scores"
        said.append(f"On {counted(n, 'data set')} {missing}.")
    return said


def _software(facts: Facts, cite: _Citer) -> list[str]:
    """Versions and seed."""
    if not facts.evaluated:
        what = "scores were taken from a table"
        if isinstance(facts, EvaluationFacts) and facts.kind in ("samples", "items"):
            what = "outcomes were given" if facts.kind == "items" else "predictions were given"
        return [f"The {what} and compared with skcompare {facts.skcompare}."]
    versions = facts.versions
    learn = f"scikit-learn {versions.get('scikit-learn', '')}".strip()
    others = [f"{name} {versions[key]}" for name, key in (("NumPy", "numpy"), ("SciPy", "scipy")) if key in versions]
    tools = listed([f"{learn} {cite('pedregosa2011scikit')}", *others])
    ours = f"skcompare {versions['skcompare']}"
    if versions["skcompare"] != facts.skcompare:
        ours += f", and the tests computed with skcompare {facts.skcompare}"
    return [f"Models were fitted and scored with {tools} through {ours}; {_seeds(facts.seeds)}."]


def _seeds(seeds: Seeds) -> str:
    """With which seeds splits and models were drawn, as far as they are known."""
    seed, splitter = seeds.random_state, seeds.splitter_seed
    beyond = " beyond those in the parameters of the models" if seeds.seeded_models else ""
    if splitter is None:
        return f"no random seed was fixed{beyond}" if seed is None else f"the random seed was {seed}"
    if splitter == "None":
        return (
            f"no random seed was fixed{beyond}"
            if seed is None
            else f"the random seed was {seed}, but the splits were drawn without one"
        )
    known = f"with the random seed {splitter}" if splitter.isdigit() else "by a generator whose seed is not known"
    other = f"no other random seed was fixed{beyond}" if seed is None else f"the random seed of the models was {seed}"
    return f"the splits were drawn {known}, and {other}"


def _was(n: int) -> str:
    return "was" if n == 1 else "were"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
