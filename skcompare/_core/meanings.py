"""What people call procedures, metrics and pictures elsewhere, and the refusal of a name that is not known."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches
from typing import Any

MOST = 200  # characters of a refusal
_MOST_NAMES, _MOST_OF_VALUE = 3, 50
_SPELLABLE = 5  # letters of a word that can be recognised with one of them wrong
_POSTERIORS = (
    "correlated_t_posterior",
    "signed_rank_posterior",
    "sign_posterior",
    "hierarchical_posterior",
    "dirichlet",
)
_T_TESTS = ("corrected_t_test", "k_fold_t_test", "dataset_t_test")
_SQUARED, _ABSOLUTE, _PERCENTAGE = "mean_squared_error", "mean_absolute_error", "mean_absolute_percentage_error"

# In lower case, letters and digits alone; each name stands where it is known, so that one table does for all.
MEANINGS: dict[str, tuple[str, ...]] = {
    # procedures
    **dict.fromkeys(("wilcoxon", "wilcoxonsignedrank", "mannwhitney", "mannwhitneyu"), ("signed_rank_test",)),
    "pairwisewilcoxon": ("pairwise_signed_rank_test",),
    **dict.fromkeys(("bayes", "bayesian", "baycomp", "posterior", "rope", "bayest"), _POSTERIORS),
    **dict.fromkeys(("t", "ttest", "student", "studentt", "pairedt", "ttestrel", "resampledt"), _T_TESTS),
    **dict.fromkeys(("nadeau", "nadeaubengio", "correctedresampledt", "corrected"), ("corrected_t_test",)),
    **dict.fromkeys(("5x2", "5x2cv", "5x2t", "5x2cvt", "5x2cvpairedt", "dietterich"), ("five_by_two_t_test",)),
    **dict.fromkeys(("5x2f", "5x2cvf", "combinedf", "alpaydin", "ftest"), ("five_by_two_f_test",)),
    **dict.fromkeys(("randomization", "randomisation"), ("permutation_test",)),
    **dict.fromkeys(("tost", "equivalent"), ("equivalence_test",)),
    **dict.fromkeys(("aso", "deepsig", "deepsignificance"), ("almost_stochastic_order",)),
    "bootstrap": ("paired_bootstrap",),
    "mcs": ("model_confidence_set",),
    "chi2": ("mcnemar_test",),
    "binomial": ("sign_test",),
    "imandavenport": ("friedman_test",),
    "kruskalwallis": ("kruskal_test",),
    "tukeyhsd": ("tukey_test",),
    **dict.fromkeys(("dunnett", "bonferronidunn"), ("control_test",)),
    **dict.fromkeys(("cd", "cdd", "criticaldifference"), ("nemenyi_test", "critical_difference")),
    # metrics
    "acc": ("accuracy",),
    **dict.fromkeys(("bacc", "balacc", "balancedacc"), ("balanced_accuracy",)),
    **dict.fromkeys(("mcc", "matthews", "phi"), ("matthews_corrcoef", "mcc")),
    **dict.fromkeys(("auc", "roc", "auroc", "aucroc"), ("roc_auc", "roc_auc_ovr")),
    **dict.fromkeys(("ap", "prauc", "aucpr", "auprc", "map"), ("average_precision",)),
    **dict.fromkeys(("sensitivity", "tpr", "truepositiverate", "hitrate"), ("recall",)),
    **dict.fromkeys(("ppv", "positivepredictivevalue"), ("precision",)),
    **dict.fromkeys(("tnr", "truenegativerate"), ("specificity",)),
    **dict.fromkeys(("fpr", "falsepositiverate", "fallout"), ("false_alarm_rate",)),
    **dict.fromkeys(("logloss", "crossentropy", "logarithmicloss", "ce"), ("neg_log_loss",)),
    "brier": ("neg_brier_score",),
    **dict.fromkeys(("error", "errorrate", "zerooneloss"), ("accuracy",)),
    **dict.fromkeys(("rmse", "rootmeansquarederror"), (f"neg_root_{_SQUARED}",)),
    **dict.fromkeys(("mse", "meansquarederror"), (f"neg_{_SQUARED}",)),
    **dict.fromkeys(("mae", "meanabsoluteerror"), (f"neg_{_ABSOLUTE}",)),
    **dict.fromkeys(("mape", "meanabsolutepercentageerror"), (f"neg_{_PERCENTAGE}",)),
    "medae": ("neg_median_absolute_error",),
    "msle": ("neg_mean_squared_log_error",),
    "rmsle": ("neg_root_mean_squared_log_error",),
    **dict.fromkeys(("rsquared", "rsq", "determination"), ("r2",)),
    **dict.fromkeys(("time", "runtime", "traintime", "trainingtime"), ("fit_time",)),
    **dict.fromkeys(("latency", "inferencetime", "scoretime", "predictiontime"), ("predict_time",)),
    **dict.fromkeys(("size", "bytes"), ("model_size",)),
    **dict.fromkeys(("memory", "ram", "memoryusage"), ("peak_memory", "model_size")),
    **dict.fromkeys(("leaves", "nleaves", "supportvectors", "nsupport", "coefficients"), ("complexity",)),
}


def nearest(value: Any, known: Collection[str], most: int = 1) -> list[str]:
    """The known names that `value` means elsewhere, else at most so many that are spelt like it."""
    meant = _meant(value, known)
    if meant:
        return meant
    spelt = {name: [name] for name in known}
    for key, names in MEANINGS.items():
        found = _here(names, known)
        if found and len(key) >= _SPELLABLE:
            spelt.setdefault(key, found)
    alike = get_close_matches(str(value)[:MOST], [key for key in spelt if len(key) <= MOST], n=most)  # not linear
    near = [name for key in alike for name in spelt[key]]
    return list(dict.fromkeys(near))


def meaning(value: Any) -> tuple[str, ...]:
    """What `value` is called here, wherever that is known."""
    return next((MEANINGS[form] for form in _forms(value) if form in MEANINGS), ())


def did_you_mean(names: Sequence[str]) -> str:
    """The question that comes first where a name is not known; empty without a name to offer."""
    *others, last = map(repr, names[:_MOST_NAMES]) if names else ("",)
    first = f"{', '.join(others)} or " if others else ""
    return f"did you mean {first}{last}? " if last else ""


def unknown(value: Any, name: str, known: Sequence[str]) -> str:
    """The refusal of a value that is none of the known names; all are listed where none of many options is like it."""
    hint, got = did_you_mean(nearest(value, known)), f"; got {value!r:.{_MOST_OF_VALUE}}"
    whole = f"{hint}{name} must be one of {', '.join(map(repr, known))}{got}"
    if len(whole) <= MOST or not (hint or name.startswith("metric")):
        return whole
    some, room = [], MOST - len(f"{hint}{name} must be one of , ...{got}")
    for other in map(repr, known):
        room -= len(other) + 2
        if room < 0:
            break
        some.append(other)
    return cut(f"{hint}{name} must be one of {', '.join([*some, '...'])}{got}")


def cut(message: str) -> str:
    """A refusal that can be read at once."""
    return message if len(message) <= MOST else f"{message[: MOST - 3]}..."


def _meant(value: Any, known: Collection[str]) -> list[str]:
    plain = {_plain(name): name for name in known}
    for form in _forms(value):
        if form in plain:
            return [plain[form]]
        if found := _here(MEANINGS.get(form, ()), known):
            return found
    return []


def _here(names: Sequence[str], known: Collection[str]) -> list[str]:
    """Those of the names that are known, with or without a trailing ``_test``."""
    forms = dict.fromkeys(form for name in names for form in (name, name.removesuffix("_test")))
    return [form for form in forms if form in known]


def _forms(value: Any) -> list[str]:
    """The value as the table has it, also without what others put before or behind a name."""
    text = _plain(str(value))
    forms = (text, text.removeprefix("neg"), text.removesuffix("test"), text.removesuffix("score"))
    return [form for form in dict.fromkeys(forms) if form]


def _plain(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())
