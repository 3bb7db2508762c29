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
    """All codes, each with its meaning and what to do about it.

    Calling one with a sentence makes a warning: ``Code.TOO_LITTLE_DATA("one case.")``. The first ten are cautions,
    which may stand under an answer and say what to do; the others are notes of records.
    """

    DO_NOT_USE = (
        "Rows, groups or the target itself are known in training, so that the scores are too good.",
        "Take the rows or the column out, or keep groups together, and evaluate again.",
    )
    FRAGILE = (
        "The claim would not stand if the scores varied as much as in the worst of similar simulations.",
        "Confirm it with more data, or take it for open.",
    )
    TOO_LITTLE_DATA = (
        "There are too few samples, splits, clusters or runs for a test, or for a sure answer.",
        "Collect more of what is named.",
    )
    MISSING_SCORES = (
        "Scores are missing, or fits failed, and what lacks them is left out.",
        "Mend the model or the splits, or leave out the metric or the model.",
    )
    WEAK_METRIC = (
        "The metric rests on few samples, or is 0/0 or a constant.",
        "Decide on another metric, or collect more of the rare class.",
    )
    ASSUMED = (
        "Something was not said of the data or a metric, and the usual was assumed.",
        "Say it, if it is otherwise.",
    )
    TIME_ORDER = (
        "The samples follow each other in time, and the test takes them for exchangeable.",
        "Decide by a test of losses in time order, or wait for more data.",
    )
    BASE_RATE = (
        "The accuracy of a model is not shown to be above that of always predicting the largest class.",
        "Decide on a metric that both classes count in, such as balanced accuracy.",
    )
    NOT_CONVERGED = (
        "Fits of a model stopped before they converged, or its search chose an end of the grid.",
        "Scale the data, allow more iterations, or widen the grid.",
    )
    SELECTED = (
        "The models were chosen by a search, on these data.",
        "Confirm the winner on data that the search did not see.",
    )

    APPROXIMATE = (
        "An approximation is in doubt: the sample is small, cases are ties, or an estimate had to be replaced.",
        "Take the exact method where there is one, or more cases.",
    )
    CANNOT_REJECT = ("With so little data no result could be significant.", "Collect as much as the sentence says.")
    CLUSTERS_IGNORED = ("Cases of one cluster were counted as independent.", "Take a test that counts clusters.")
    DESCRIPTIVE = ("The result describes these samples; it is not a test.", "Ask a test before a conclusion on others.")
    DIFFERENT_UNITS = ("The numbers of different models are not in one unit.", "Compare them within one kind of model.")
    ESTIMATED_SPREAD = (
        "The plan rests on a spread that was estimated from little data.",
        "Plan for more than it says, or run a larger pilot.",
    )
    FITTED_MODELS = (
        "The result is about the models that were fitted, not about the algorithms on other data.",
        "Cross-validate to compare algorithms.",
    )
    ILL_DEFINED = (
        "The metric is 0/0 on few splits, or for some classes, and was set to a constant there.",
        "Take fewer folds, or another metric.",
    )
    INDEPENDENCE = (
        "Scores are taken for independent, which those of overlapping training or test sets are not.",
        "Take a test that allows for it, such as the corrected t test.",
    )
    INDEPENDENT_RUNS = ("The runs of a data set are taken for independent.", "Check that each has a seed of its own.")
    JUDGED = (
        "The numbers were given for each model, not measured, so that there is no test of them.",
        "Read them as they are.",
    )
    LACK_OF_FIT = (
        "The fitted model does not describe the settings, so that its effects or optimum are not to be relied on.",
        "Add interactions, or take a smaller range.",
    )
    MANY_METRICS = (
        "There are too many metrics for a test of the patterns of wins on all of them together.",
        "Choose some with metrics.",
    )
    MONTE_CARLO = (
        "The random draws, or the steps of a numerical integration, are too few for the accuracy of the answer.",
        "Take more.",
    )
    NOT_A_NULL = (
        "The simulated models are not equally good, so that a rejection is no false alarm.",
        "Take a generator that is exact for the metric.",
    )
    NOT_AT_LEVEL = (
        "The test or the interval is wrong more often, or less often, than its level says.",
        "Take the default procedure for the design.",
    )
    NOT_CALIBRATED = ("The test was not calibrated for this metric, pair, design or data.", "Calibrate again for them.")
    NOT_PLANNED = (
        "The test does not fit other designs, so that these are left out of the plan.",
        "Plan with the default test.",
    )
    NO_DIFFERENCE = (
        "The scores or errors do not differ, so that there is nothing to test.",
        "Take a finer metric, or more data.",
    )
    NO_RANDOMNESS = (
        "A model has no random_state, or its scores do not depend on it.",
        "Leave it out of the variance of seeds.",
    )
    PAIRING_IGNORED = ("The test does not use which scores belong together.", "Take a paired test where they do.")
    PARTIAL = ("Only some of the candidates have this parameter.", "Report each grid alone.")
    POOLED = (
        "The predictions of several folds stand together, or only those of the first repeat are used.",
        "Read them fold by fold where models differ much.",
    )
    SINGULAR = ("The differences on some metrics depend on each other linearly.", "Leave one of these metrics out.")
    STOPPED = (
        "The evaluation was stopped early, and the p-values of its result do not allow for that.",
        "Read the first line, which allows for the looks.",
    )
    STORE = (
        "The store was lost during the run, or is on a file system that several machines share.",
        "Give the file that is named, and use it in one run at a time.",
    )
    TIMES = (
        "The metric is a time and is compared in a way of its own.",
        "Measure times with one process on an idle machine.",
    )
    UNBALANCED = ("Candidates that differ in one parameter differ in others too.", "Run the settings that are missing.")
    UNCLEAR = (
        "It is not clear which statement is the most probable.",
        "Take more cases or draws, or read the probabilities.",
    )
    UNDECIDED = (
        "No candidate is shown to be better than the others, or the chosen one may be much worse.",
        "Take the simplest, or more splits.",
    )
    UNSTABLE_LEARNERS = (
        "The test holds only where one training sample hardly changes the difference of the two models' losses.",
        "Take the corrected t test for trees and other unstable learners.",
    )
    WEIGHTED = (
        "Samples count by the weights that were given, in fits, in tests or in both.",
        "Check that this is what is meant.",
    )
    ZERO_VARIANCE = (
        "The values do not vary, so that they do not tell how the answer varies over other data.",
        "Evaluate on more data, or on several data sets.",
    )

    def __init__(self, meaning: str, remedy: str) -> None:
        self.meaning = meaning
        self.remedy = remedy

    def __call__(self, sentence: str, about: Iterable[str] = ()) -> CodedWarning:
        return CodedWarning(self.name, sentence, about)


CAUTIONS = tuple(Code.__members__)[:10]  # may stand under an answer, the weightiest first
FORBIDDING = (Code.DO_NOT_USE.name,)  # any conclusion: the first line of every view is that
FEW_SPLITS = 5
# Said of each data set of a study.
OF_ONE_DATASET = tuple(
    code.name
    for code in (*(Code.DO_NOT_USE, Code.MISSING_SCORES, Code.NOT_CONVERGED), *(Code.TOO_LITTLE_DATA, Code.WEAK_METRIC))
)
# Codes in files of earlier versions, each with what it is now.
_EARLIER = {
    "DO_NOT_USE": "DUPLICATES GIVEN_AWAY LEAK",
    "TOO_LITTLE_DATA": "CLASSES_MISSING FEW_CLUSTERS FEW_REPEATS FEW_RUNS FEW_SCORES FEW_SPLITS TOO_FEW "
    "UNEQUAL_CLUSTERS",
    "MISSING_SCORES": "DISCONNECTED DROPPED ERROR_SCORE FAILED MISSING UNDEFINED UNSCORED",
    "WEAK_METRIC": "CLIPPED FEW_COSTLY ONE_CLASS ONE_SAMPLE RARE_CLASS UNDEFINED_METRIC",
    "FRAGILE": "UNSTABLE_COMPARISON",
    "ASSUMED": "COMMENSURABLE DIRECTION UNPAIRED UNSEEDED",
    "TIME_ORDER": "AUTOCORRELATED DRIFT GROWING",
    "NOT_CONVERGED": "INACCURATE",
    "SELECTED": "HALVING",
    "APPROXIMATE": "BCA_UNDEFINED INFLATION_LIMITED NOT_POSITIVE PERFECT_SEPARATION SMALL_SAMPLE TIES",
    "DIFFERENT_UNITS": "DECISION_VALUES",
    "INDEPENDENCE": "OVERLAP TOO_LIBERAL UNCORRECTED_FOLDS",
    "MONTE_CARLO": "FEW",
    "NOT_AT_LEVEL": "COARSE CONSERVATIVE MEASURED SPHERICITY WEAK_CONTROL",
    "NOT_CALIBRATED": "CALIBRATED_ON_OTHER_DATA NOT_CALIBRATABLE UNCALIBRATED_DESIGN",
    "NOT_PLANNED": "FIXED_DF",
    "NO_DIFFERENCE": "NO_DISCORDANT NO_ERRORS TIED",
    "NO_RANDOMNESS": "NO_RANDOM_STATE",
    "POOLED": "FIRST_ONLY",
    "STORE": "STORE_LOST STORE_SHARED",
    "UNCLEAR": "DISAGREE UNOBSERVED",
    "UNDECIDED": "EMPTY_FRONT LOSS",
}
_NOW = {earlier: now for now, several in _EARLIER.items() for earlier in several.split()}


def forbidding(warnings: Iterable[str]) -> tuple[CodedWarning, ...]:
    """Those that forbid any conclusion."""
    return tuple(one for one in warnings if isinstance(one, CodedWarning) and one.code in FORBIDDING)


def do_not_use(warnings: Iterable[str]) -> str:
    """Why a result must not be used, and on which data sets, as the first line of every view; empty where it may be."""
    found = forbidding(warnings)
    if not found:
        return ""
    first, others = found[0], len({one.where for one in found}) - 1
    more = f" and {counted(others, 'other')}" if others else ""
    on = f" ({first.where}{more})" if first.where else ""
    return f"Do not use this result{on}: {first.sentence}"


def few_splits(n: int) -> CodedWarning:
    """The warning of an evaluation or a search on fewer than `FEW_SPLITS` splits."""
    hardly = f"{counted(n, 'split')} hardly {agreeing(n, 'tells', 'tell')} how much the scores vary"
    return Code.TOO_LITTLE_DATA(f"{hardly}. Take {FEW_SPLITS}, better '10x10'.")


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
    def from_text(cls, text: str, about: Iterable[str] = ()) -> CodedWarning:
        """The warning that a saved file has as `text`, about some names; ValueError where it is none."""
        found = _TEXT.fullmatch(text)
        if found is None:
            raise ValueError(f"a warning must be a code, a colon and a sentence; got {text!r:.80}")
        return cls(_NOW.get(found[1], found[1]), found[3], about, found[2] or "")

    def at(self, where: str) -> CodedWarning:
        """The same warning, found in a part of a larger result; "" for all of it."""
        return CodedWarning(self.code, self.sentence, self.about, where)

    def __reduce__(self) -> tuple[Any, ...]:
        return CodedWarning, (self.code, self.sentence, self.about, self.where)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a warning is frozen; {name} cannot be set")
