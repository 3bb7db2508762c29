"""A paragraph for the methods section of a paper, with the BibTeX entries of exactly what it cites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skcompare.reporting._words import count_datasets, is_study, listed, plain
from skcompare.reporting.calibrated import calibrated_on

_MAX_NAMES = 15
_MAX_DESIGNS = 4
_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_OVERLAP = "it does not allow for the overlap of the training sets and so finds differences too often"
_FITTED = "it is about the fitted models, not about training on other data"

# The name of each test, its papers, and what else must be said of it.
_TESTS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "corrected_t_test": (
        "the corrected resampled t test",
        ("nadeau2003inference",),
        "it allows for the overlap of the training sets by taking the correlation of the differences on two splits to "
        "be the test set's share of the samples of a split, {fraction}",
    ),
    "k_fold_t_test": (
        "a t test on the folds of the run with 0.4 of the correction of the corrected resampled t test",
        ("nadeau2003inference", "bengio2004unbiased"),
        "the factor was measured on simulated true nulls, which it rejects close to as often as it should",
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
    "paired_t_test": ("the paired t test over the splits", ("dietterich1998approximate",), _OVERLAP),
    "permutation_test": (
        "the permutation test of the mean difference over the splits",
        ("fisher1935design", "menke2004permutations"),
        _OVERLAP,
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
        ("bayle2020crossvalidation",),
        "it is about the fitted models and takes the learners to be stable",
    ),
    "signed_rank_test": (
        "Wilcoxon's signed-rank test",
        ("wilcoxon1945individual", "demsar2006statistical"),
        "each data set is one case, the p-values are {exact}, and the differences are medians over the pairs of data "
        "sets",
    ),
    "sign_test": (
        "the sign test",
        ("demsar2006statistical",),
        "each data set is one case, and only which model is better on it counts, ties left out",
    ),
    "dataset_t_test": (
        "the paired t test over the data sets",
        ("demsar2006statistical",),
        "each data set is one case, and the differences are taken to be normal and comparable between data sets",
    ),
}
_CORRECTIONS = {
    "bonferroni": "Bonferroni's method",
    "holm": "Holm's method",
    "hochberg": "Hochberg's method",
    "hommel": "Hommel's method",
    "holland": "Holland and Copenhaver's method",
    "finner": "Finner's method",
    "li": "Li's method",
    "rom": "Rom's method",
    "fdr_bh": "Benjamini and Hochberg's method",
    "fdr_by": "Benjamini and Yekutieli's method",
}
_FALSE_DISCOVERY = ("fdr_bh", "fdr_by")


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


def render(facts: Mapping[str, Any], sources: Mapping[str, tuple[str, str]]) -> str:
    """The paragraph, an empty line, and the BibTeX entries.

    Parameters
    ----------
    facts : mapping
        Of a result or a study and a comparison of its models.
    sources : mapping of key to (str, str)
        Author and year, and the BibTeX entry, of every paper.
    """
    facts, cite = plain(facts), _Citer(sources)
    said = [
        *(_study_data(facts) if is_study(facts) else _data(facts)),
        _measures(facts),
        *([_sequential(facts["stopping"], cite)] if facts.get("stopping") else []),
        *(_ranking(facts, cite) if is_study(facts) else []),
        *([_test(facts, cite)] if facts["n_hypotheses"] else []),
        *(_calibration(facts["calibration"], cite) if facts.get("calibration") else []),
        _budget(facts, cite),
        *_joint(facts, cite),
        *_losses(facts),
        *_software(facts, cite),
    ]
    return "\n\n".join([" ".join(said), *cite.entries()])


def _data(facts: Mapping[str, Any]) -> list[str]:
    """Models, samples and splits."""
    where = "one data set" if facts["n_samples"] is None else f"a data set of {facts['n_samples']} samples"
    return [
        f"We compared {_models(facts)} on {where} by {_design(facts, facts['sizes'])}.",
        "All models had the same training and test sets.",
    ]


def _design(facts: Mapping[str, Any], sizes: Sequence[float] = ()) -> str:
    """How the samples were split, in as many words as are known to be true."""
    n, groups = facts["n_splits"], ", groups of samples kept together" if facts["grouped"] else ""
    how = "".join(f"{word} " for word in ("stratified", "shuffled") if facts[word])
    if facts["partition"]:
        repeated = f", repeated {facts['n_repeats']} times" if facts["n_repeats"] > 1 else ""
        folds = f"{how}{facts['n_folds']}-fold cross-validation{repeated}{groups}"
        return f"{folds} ({n} splits{_sizes(sizes, n, ', with ')})"
    disjoint = " with disjoint test sets" if facts["n_folds"] > 1 else ""
    splits = f"{n} {'random ' if facts['random'] else ''}{how}train-test split{'' if n == 1 else 's'}{disjoint}{groups}"
    return splits + (f" ({_sizes(sizes, n, 'with ')})" if sizes else "")


def _sizes(sizes: Sequence[float], n_splits: int, opening: str) -> str:
    if not sizes:
        return ""
    train, test = (f"{size:.0f}" for size in sizes)
    average = "on average " if n_splits > 1 else ""
    return f"{opening}{average}{train} samples for training and {test} for testing"


def _study_data(facts: Mapping[str, Any]) -> list[str]:
    """Models, data sets and splits."""
    names = f" ({listed(facts['datasets'])})" if len(facts["datasets"]) <= _MAX_NAMES else ""
    said = [f"We compared {_models(facts)} on {count_datasets(len(facts['datasets']))}{names}."]
    if facts["splittings"]:
        said.append(
            f"On each data set all models had the same training and test sets, by {_designs(facts['splittings'])}; the "
            f"score of a model is its mean over the splits."
        )
    return said


def _designs(splittings: Sequence[Mapping[str, Any]]) -> str:
    """How the data sets were split, each way once; only the numbers of splits where there are many ways."""
    ways = list(dict.fromkeys(_design(splitting) for splitting in splittings))
    if len(ways) <= _MAX_DESIGNS:
        return " or ".join(ways)
    numbers = [splitting["n_splits"] for splitting in splittings]
    how_many = f"{min(numbers)}" if min(numbers) == max(numbers) else f"{min(numbers)} to {max(numbers)}"
    return f"{how_many} splits, made in ways that differ between the data sets"


def _models(facts: Mapping[str, Any]) -> str:
    names = facts["estimators"]
    return f"{_count(len(names))} models" + (f" ({listed(names)})" if len(names) <= _MAX_NAMES else "")


def _count(n: int) -> str:
    return _SMALL[n] if n < len(_SMALL) else str(n)


def _measures(facts: Mapping[str, Any]) -> str:
    metrics, costs = facts["metrics"], facts["costs"]
    if not costs or len(costs) == len(metrics):
        direction = f"{'smaller' if costs else 'larger'} values being better{' for each' if len(metrics) > 1 else ''}"
    else:
        rest = "the other" if len(metrics) - len(costs) == 1 else "the others"
        direction = f"smaller values being better for {listed(costs)} and larger ones for {rest}"
    positive = f" The positive class was {facts['positive_class']}." if facts.get("positive_class") else ""
    return f"They were measured by {listed(metrics)}, {direction}.{positive}"


def _test(facts: Mapping[str, Any], cite: _Citer) -> str:
    """The test of two models on one metric."""
    name, keys, remark = _TESTS[facts["procedure"]]
    if facts["procedure"] == "corrected_t_test" and facts["partition"] and facts["n_repeats"] > 1:
        keys = (*keys, "bouckaert2004evaluating")
    pairs = "The two models were" if len(facts["estimators"]) == 2 else "Every pair of models was"
    each = _on(facts["compared_metrics"], facts)
    sentence = f"{pairs} compared{each} by {name} {cite(*keys)}"
    if facts.get("on_predictions"):
        sentence += f" on the predictions of {_pooled(facts)}"
    filled = remark.format(
        fraction=f"{facts.get('test_fraction', 0):.3g}",
        exact="exact" if facts.get("exact") else "from the normal approximation",
    )
    estimator = f" {cite('hodges1963estimates')}" if facts["procedure"] == "signed_rank_test" else ""
    return f"{sentence}; {filled}{estimator}."


def _calibration(calibration: Mapping[str, Any], cite: _Citer) -> list[str]:
    """On what the test was calibrated, and what was tested by another one."""
    said = [calibrated_on(calibration)]
    without = calibration["without"]
    if without:
        name, keys, _ = _TESTS[calibration["instead"]]
        said.append(f"{_capital(listed(without))} {_was(len(without))} compared by {name} {cite(*keys)} instead.")
    return said


def _on(metrics: Sequence[str], facts: Mapping[str, Any]) -> str:
    """Which of the metrics a sentence is about; nothing where there is one."""
    if metrics != facts["metrics"]:
        return f" on {listed(metrics)}"
    return " on each metric" if len(metrics) > 1 else ""


def _pooled(facts: Mapping[str, Any]) -> str:
    if facts["n_folds"] == 1:
        return "one test set"
    part = "of one repeat" if facts["n_repeats"] > 1 else "of the cross-validation"
    return f"the {facts['n_folds']} test sets {part}, pooled"


def _budget(facts: Mapping[str, Any], cite: _Citer) -> str:
    """The adjustment over all comparisons, and the level."""
    n, left = facts["n_hypotheses"], facts["n_undecided"]
    if not n:
        return "No comparison could be decided, for lack of scores."
    said = []
    if left:
        more = f"{_capital(_count(left))} more comparison{'' if left == 1 else 's'}"
        said.append(f"{more} {_was(left)} left undecided for lack of scores.")
    if facts["intervals"]:
        said.append(f"Intervals are at {1 - facts['alpha']:.0%} and for one comparison each.")
    shown = f"a difference was called shown where the {'adjusted' if n > 1 else 'two-sided'} p-value was below"
    if n == 1:
        return " ".join([f"{_capital(shown)} {facts['alpha']:g}.", *said])
    method = f"{_CORRECTIONS[facts['correction']]} {cite(*facts['correction_references'])}"
    rate = ", which controls the false discovery rate" if facts["correction"] in _FALSE_DISCOVERY else ""
    which = "both comparisons" if n == 2 else f"all {n} comparisons"
    first = f"The two-sided p-values of {which} were adjusted together by {method}{rate}, and {shown} "
    first += f"{facts['alpha']:g}."
    return " ".join([first, *said])


def _ranking(facts: Mapping[str, Any], cite: _Citer) -> list[str]:
    """The omnibus test of three or more models."""
    if not facts["ranked_metrics"]:
        return []
    each = _on(facts["ranked_metrics"], facts)
    said = [
        f"The models were ranked on each data set, and that all are equally good was tested{each} by Friedman's test "
        f"{cite('friedman1937use', 'demsar2006statistical')} with the F statistic of Iman and Davenport "
        f"{cite('iman1980approximations')}."
    ]
    if facts["procedure"] != "dataset_t_test":
        said.append(
            "Pairs were not compared by their mean ranks, so that a verdict on two models does not depend on the "
            f"others {cite('benavoli2016meanranks')}."
        )
    return said


def _joint(facts: Mapping[str, Any], cite: _Citer) -> list[str]:
    """The tests of all metrics together."""
    pairs, metrics = facts["n_joint"], facts["joint_metrics"]
    if not pairs:
        return []
    adjusted = ""
    if pairs > 1:
        method = f"{_CORRECTIONS[facts['correction']]} {cite(*facts['correction_references'])}"
        adjusted = f", adjusted over the {pairs} pairs by {method}"
    cases, pvalue = _cases(facts, cite)
    which = ("both" if len(metrics) == 2 else f"all {len(metrics)}") + " metrics together"
    which = which if metrics == facts["metrics"] else f"{listed(metrics)} together"
    said = [
        f"Which of two models is better on which metrics was also tested on {which}, by the likelihood-ratio test of "
        f"dominance statements {cite('benavoli2016joint')}, {cases}.",
        f"Its p-value is the {pvalue} of the most frequent statement against the next one {cite('hung2019rank')}"
        f"{adjusted}; the probability of the most probable statement is that of the Dirichlet posterior "
        f"{cite('benavoli2016joint')}.",
    ]
    if facts.get("time_rope"):
        said.append(
            f"There, times were medians over the repeats, which makes no more cases than folds, and times within "
            f"{facts['time_rope']:.0%} of the larger one counted as equal."
        )
    return said


def _cases(facts: Mapping[str, Any], cite: _Citer) -> tuple[str, str]:
    """What counts as a case, and which p-value goes with it."""
    if is_study(facts):
        return "each data set being one case", "exact binomial one"
    worth = list(dict.fromkeys(f"{n:.3g}" for n in facts["n_effective"]))
    number = worth[0] if len(worth) == 1 else f"{worth[0]} to {worth[-1]}"
    how = cite("nadeau2003inference", "sheppard1899application")
    splits = (
        f"the {facts['n_splits']} splits" if facts["complete"] else "the splits on which both models have all scores"
    )
    return f"{splits} counting as {number} independent cases because of their correlation {how}", "binomial mid-p one"


def _sequential(stopping: Mapping[str, Any], cite: _Citer) -> str:
    """How it was decided to end the evaluation."""
    kind = "O'Brien-Fleming" if stopping["spending"] == "obrien_fleming" else "Pocock"
    rope = "" if stopping["rope"] is None else f" or practically equivalent (within {stopping['rope']:g})"
    dropped = ", and models found worse were fitted no more" if stopping["drop"] and stopping["n_models"] > 2 else ""
    return (
        f"Repeats were added, up to {stopping['max_repeats']}, until a sequential test of {stopping['metric']} found "
        f"one model better than the others{rope}: after the repeats all pairs of the models still in were compared by "
        f"the corrected resampled t test {cite('nadeau2003inference')}, adjusted by Bonferroni's method, at levels of "
        f"the {kind} type {cite('lan1983discrete')} that keep the error rate over all looks at "
        f"{stopping['alpha']:.3g}{dropped}. The outcome: {stopping['verdict']}."
    )


def _losses(facts: Mapping[str, Any]) -> list[str]:
    """What failed, and what became of it; what must be known about the splits."""
    said = []
    if facts.get("n_failed"):
        fate = "their scores were set to the error score" if facts["replaced"] else "the scores concerned were left out"
        said.append(f"Fitting or scoring failed in {facts['n_failed']} of {facts['n_fits']} fits; {fate}.")
    if facts.get("n_undefined"):
        said.append(
            f"Of {facts['n_scores']} scores {facts['n_undefined']} {_was(facts['n_undefined'])} not defined and "
            f"left out."
        )
    failed = facts.get("failed_datasets", [])
    if failed:
        names = f" ({listed(failed)})" if len(failed) <= _MAX_NAMES else ""
        more = f"{_capital(_count(len(failed)))} more data set{'' if len(failed) == 1 else 's'}{names}"
        said.append(f"{more} could not be evaluated and {_was(len(failed))} left out.")
    if facts.get("n_incomplete_datasets"):
        n = facts["n_incomplete_datasets"]
        said.append(
            f"On {count_datasets(n)} some scores were missing; each test left out the data sets that lack its scores."
        )
    return [*said, *map(_capital, facts["doubts"])]


def _software(facts: Mapping[str, Any], cite: _Citer) -> list[str]:
    """Versions and seed."""
    if not facts["evaluated"]:
        return [f"The scores were taken from a table and compared with skcompare {facts['skcompare']}."]
    versions = facts["versions"]
    learn = f"scikit-learn {versions.get('scikit-learn', '')}".strip()
    others = [f"{name} {versions[key]}" for name, key in (("NumPy", "numpy"), ("SciPy", "scipy")) if key in versions]
    tools = listed([f"{learn} {cite('pedregosa2011scikit')}", *others])
    ours = f"skcompare {versions['skcompare']}"
    if versions["skcompare"] != facts["skcompare"]:
        ours += f", and the tests computed with skcompare {facts['skcompare']}"
    return [f"Models were fitted and scored with {tools} through {ours}; {_seeds(facts)}."]


def _seeds(facts: Mapping[str, Any]) -> str:
    """With which seeds splits and models were drawn, as far as they are known."""
    seed, splitter = facts["random_state"], facts["splitter_seed"]
    beyond = " beyond those in the parameters of the models" if facts["seeded_models"] else ""
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
