"""The warnings of a record: a code, a sentence, and what it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum, unique
from typing import Any

from skcompare._core.numbers import agreeing, counted

_TEXT = re.compile(r"([A-Z_]+)(?: \((.*?)\))?: (.*)", re.DOTALL)


@unique
class Code(Enum):
    """All codes with their meaning; calling one with a sentence makes a warning: ``Code.TOO_FEW("one case.")``."""

    ASSUMED = "The design, or what a metric reads, was not said and was taken to be the usual one."
    AUTOCORRELATED = "Losses are correlated over more steps in time than the test allows for."
    BASE_RATE = "The accuracy of a model is not shown to be above that of always predicting the largest class."
    BCA_UNDEFINED = "The bias-corrected bootstrap interval does not exist; a percentile interval was taken."
    CALIBRATED_ON_OTHER_DATA = "The degrees of freedom were calibrated on data that differ from these."
    CANNOT_REJECT = "With so little data no result could be significant."
    CLASSES_MISSING = "Some training sets lack a class, which their models cannot know."
    CLIPPED = "A probability of 0 was wrong, and the log loss rests on the number that stands for it."
    CLUSTERS_IGNORED = "Cases of one cluster were counted as independent."
    COARSE = "The exact test has few possible p-values; the smallest is named."
    COMMENSURABLE = "The scores of different data sets are taken to be on one scale."
    CONSERVATIVE = "The test rejects less often than its level says."
    DECISION_VALUES = "Thresholds are on decision values, since the probabilities were not kept."
    DESCRIPTIVE = "The result describes these samples; it is not a test."
    DIFFERENT_UNITS = "The complexities of models of different kinds are not in one unit."
    DIRECTION = "No direction was given for a metric whose name sounds like a loss, and more was taken for better."
    DISAGREE = "Two ways to compute the answer give different statements."
    DISCONNECTED = "No data set links some of the models, so they cannot be compared."
    DRIFT = "The models were significantly different on earlier items, and the difference has changed its side since."
    DROPPED = "Part of the data is not used, since scores are missing there."
    DUPLICATES = "Rows of X, or identifiers in it, are in a training set and in its test set."
    EMPTY_FRONT = "Every model is dominated by another, so that none is left."
    ESTIMATED_SPREAD = "The plan rests on a spread that was estimated from little data."
    FAILED = "Fits failed, and what they belong to is left out."
    FEW = "There are few simulated data sets, so that only large errors are seen."
    FEW_CLUSTERS = "There are few clusters, so that a standard error is uncertain and few differences can be shown."
    FEW_COSTLY = "Few samples carry most of the cost, so that tests and intervals of the mean cost are uncertain."
    FEW_REPEATS = "There are few repeats of cross-validation, so that the width of the interval depends on chance."
    FEW_RUNS = "There are few runs per data set, so that the bootstrap interval is too narrow."
    FEW_SCORES = "There are few scores, so that the error rate is above its level."
    FEW_SPLITS = "There are few splits, so that few differences can be shown."
    FIRST_ONLY = "Only the predictions of the first repeat are used."
    FITTED_MODELS = "The result is about the models that were fitted, not about the algorithms on other data."
    FIXED_DF = "The degrees of freedom are fixed by the design, so that only the number of samples is planned."
    GIVEN_AWAY = "A column of X is the target in other words."
    GROWING = "The training sets grow from split to split, and no test allows for that."
    HALVING = "A halving search chose the candidates on less data, and no test allows for that."
    ILL_DEFINED = "The metric is 0/0 on few splits, or for some classes, and was set to a constant there."
    INACCURATE = "A numerical integration, or the fits of a model, did not converge to the usual accuracy."
    INDEPENDENCE = "The scores are taken for independent, which those of the folds of one data set are not."
    INDEPENDENT_RUNS = "The runs of a data set are taken for independent."
    INFLATION_LIMITED = "The estimated inflation of the variance was outside its possible range."
    JUDGED = "The numbers were given for each model, not measured, so that there is no test of them."
    LACK_OF_FIT = (
        "The fitted model does not describe the settings, so that its effects or optimum are not to be relied on."
    )
    LEAK = "Samples, or some of a group, are in a training set and in its test set."
    LOSS = "The chosen model may be worse than the best by more than is allowed."
    MANY_METRICS = "There are too many metrics for a test of the patterns of wins on all of them together."
    MEASURED = "The measured error rate of the test on such a design is above its level."
    MISSING = "Scores are missing, and what lacks them is left out."
    MONTE_CARLO = "The random draws are too few for the accuracy of the answer."
    NOT_A_NULL = "The simulated models are not equally good, so that a rejection is no false alarm."
    NOT_CALIBRATABLE = "No degrees of freedom give the test its level at every level."
    NOT_CALIBRATED = "The test could not be calibrated for this metric or pair."
    NOT_PLANNED = "The test does not fit other designs, so that these are left out of the plan."
    NOT_POSITIVE = "An estimated variance was not positive, and another estimate was taken."
    NO_DIFFERENCE = "The scores are equal, so there is nothing to test."
    NO_DISCORDANT = "The models are equally good on every sample, so there is nothing to test."
    NO_ERRORS = "The baseline makes no error, so there is nothing to reduce."
    NO_RANDOMNESS = "The scores of a model do not depend on its random_state."
    NO_RANDOM_STATE = "A model has no random_state."
    ONE_CLASS = "A model predicts the same class everywhere."
    ONE_SAMPLE = "Every test set is one sample, on which some metrics are not defined."
    OVERLAP = "Training or test sets overlap, and the procedure takes the splits for independent."
    PAIRING_IGNORED = "The test does not use which scores belong together."
    PARTIAL = "Only some of the candidates have this parameter."
    PERFECT_SEPARATION = "A model separates the classes perfectly, and its interval is a point."
    POOLED = "The predictions of several folds, each of its own models, stand together."
    RARE_CLASS = "The metric rests on few samples of a class, or most classes have one sample."
    SELECTED = "The models were selected by a search; the p-values are adjusted over all its candidates."
    SINGULAR = "The differences on some metrics depend on each other linearly."
    SMALL_SAMPLE = "The sample is small for the approximation that gives the p-value."
    SPHERICITY = "The test takes the differences of any two models to vary equally."
    STOPPED = "The evaluation was stopped early, and the p-values of its result do not allow for that."
    STORE_LOST = "The store was deleted, replaced or cut off during the run, which goes on in a new file."
    STORE_SHARED = "The store is on a file system that several machines share, and only one run may use it at a time."
    TIED = "A metric is tied in every case and speaks for neither model."
    TIES = "Some cases are ties, and the method treats them approximately."
    TIMES = "The metric is a time and is treated in a way of its own."
    TIME_ORDER = "The samples are in time order, and the test takes them or their splits for exchangeable."
    TOO_FEW = "There are too few values to compute the answer."
    TOO_LIBERAL = "The test rejects more often than its level says."
    UNBALANCED = "Candidates that differ in one parameter differ in others too."
    UNCALIBRATED_DESIGN = "The degrees of freedom were calibrated for another design."
    UNCLEAR = "The random draws do not tell which statement is the most probable."
    UNCORRECTED_FOLDS = "The folds of one data set were counted as independent cases."
    UNDECIDED = "No candidate is shown to be better than the others."
    UNDEFINED = "Some values are not finite and are left out."
    UNDEFINED_METRIC = "The metric has a zero denominator and was taken as 0; a rate at a threshold is then nan."
    UNEQUAL_CLUSTERS = "A few clusters or test sets hold much of the data, which tells less than their number suggests."
    UNOBSERVED = "The network expects an outcome that no case shows."
    UNPAIRED = "The models may have been evaluated on different splits or data."
    UNSCORED = "Some models have no score and are left out of the sequential comparison."
    UNSEEDED = "The splitter draws other splits every time, so that only their sizes are known."
    UNSTABLE_COMPARISON = "The models change much with their training sets, and the test rejects too often."
    UNSTABLE_LEARNERS = (
        "The test holds only where one training sample hardly changes the difference of the two models' losses."
    )
    WEAK_CONTROL = "The error rate holds only where all models are equal."
    WEIGHTED = "Samples count by the weights that were given, in fits, in tests or in both."
    ZERO_VARIANCE = "The values do not vary, so that they do not tell how the answer varies over other data."

    def __call__(self, sentence: str, about: Iterable[str] = ()) -> CodedWarning:
        return CodedWarning(self.name, sentence, about)


# May stand under an answer, the weightiest first.
CAUTIONS = tuple(
    code.name
    for code in (
        *(Code.LEAK, Code.DUPLICATES, Code.GIVEN_AWAY, Code.UNPAIRED, Code.GROWING),
        *(Code.CANNOT_REJECT, Code.FEW_SPLITS, Code.CLASSES_MISSING, Code.FAILED, Code.MISSING),
        *(Code.RARE_CLASS, Code.UNDEFINED_METRIC, Code.ONE_CLASS, Code.FEW_COSTLY, Code.ONE_SAMPLE),
        *(Code.DIRECTION, Code.AUTOCORRELATED, Code.TIME_ORDER, Code.BASE_RATE),
        *(Code.HALVING,),
    )
)
FEW_SPLITS = 5
# Said of each data set of a study.
OF_ONE_DATASET = tuple(
    code.name
    for code in (
        *(Code.DUPLICATES, Code.GIVEN_AWAY, Code.INACCURATE, Code.LEAK),
        *(Code.RARE_CLASS, Code.UNDEFINED, Code.UNEQUAL_CLUSTERS),
    )
)
_EARLIER = {"ERROR_SCORE": "FAILED"}  # codes in files of earlier versions


def few_splits(n: int) -> CodedWarning:
    """The warning of an evaluation or a search on fewer than `FEW_SPLITS` splits."""
    hardly = f"{counted(n, 'split')} hardly {agreeing(n, 'tells', 'tell')} how much the scores vary"
    return Code.FEW_SPLITS(f"{hardly}: few differences can be shown, and how often one is wrong is not known.")


class CodedWarning(str):
    """A reason to doubt a result; as a text ``CODE: sentence``, or ``CODE (where): sentence``.

    Parameters
    ----------
    code : str
        The name of one of `Code`.
    sentence : str
        What is to be doubted, and why.
    about : iterable of str, default=()
        The models, metrics or data sets that it is about; empty where it is about the whole record.
    where : str, default=""
        The part of a larger result that it was found in; empty where it holds for all of it.

    Raises
    ------
    ValueError
        If the code is unknown.
    """

    __slots__ = ("about", "code", "sentence", "where")
    code: str
    sentence: str
    about: tuple[str, ...]
    where: str

    def __new__(cls, code: str, sentence: str, about: Iterable[str] = (), where: str = "") -> CodedWarning:
        if code not in Code.__members__:
            raise ValueError(f"code must be one of skcompare._core.warnings.Code; got {code!r:.80}")
        found = super().__new__(cls, f"{code} ({where}): {sentence}" if where else f"{code}: {sentence}")
        for name, value in (("code", code), ("sentence", sentence), ("about", tuple(about)), ("where", where)):
            object.__setattr__(found, name, value)
        return found

    @classmethod
    def from_text(cls, text: str) -> CodedWarning:
        """The warning that a saved file has as `text`; ValueError where it is none."""
        found = _TEXT.fullmatch(text)
        if found is None:
            raise ValueError(f"a warning must be a code, a colon and a sentence; got {text!r:.80}")
        return cls(_EARLIER.get(found[1], found[1]), found[3], where=found[2] or "")

    def at(self, where: str) -> CodedWarning:
        """The same warning, found in a part of a larger result; "" for all of it."""
        return CodedWarning(self.code, self.sentence, self.about, where)

    def __reduce__(self) -> tuple[Any, ...]:
        return CodedWarning, (self.code, self.sentence, self.about, self.where)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a warning is frozen; {name} cannot be set")
