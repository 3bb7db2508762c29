"""Arguments as the text of Python: one generator for each kind of argument, found by its name, its type and its shape.

Everything is text, so that a call that went wrong is one line that anybody can read and run again.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from math import nan
from random import Random
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

SHAPES = re.compile(r"^ *([\w, ]+) : .*?array_like of shape (.*)$", re.M)
# What stands in for one argument of a call to see that it is refused; all of it is text that `eval` understands.
ODD = (
    *(
        "None",
        "True",
        "-1",
        "0",
        "1",
        "3",
        "2.5",
        "nan",
        "inf",
        "-inf",
        "5e-324",
        "1e-310",
        "1e308",
        "10**400",
        "2**63",
    ),
    *("''", "'x'", "'0.9'", "b'a'", "'a\\nb\\x1b[2J'", "object()", "object", "(lambda *_: 0)", "{}", "[]", "[[]]"),
    *("[None, None]", "['0.9', '0.8']", "[nan, 1.0]", "[10**400, 1]", "[1j, 2]", "[[1], [1, 2]]", "{'a': 1}", "{1, 2}"),
    *("np.zeros(0)", "np.zeros((3, 0))", "np.zeros((2, 2, 2, 2))", "np.full(5, nan)", "np.full((4, 3), 1e308)"),
    *("np.ma.masked_array([1.0, 2, 3], mask=[0, 1, 0])", "np.array(['2020-01-01', '2021-01-01'], 'M8[D]')"),
    *("np.array([1, 2], 'm8[s]')", "np.array([object(), 1])", "np.float32(0.5)", "np.array(3)", "iter([1, 2])"),
)
_LEVELS = ("0.05", "0.01", "0.1", "0.5", "1e-6", "1e-300", "0.999")
_SMALL = ("0", "0.01", "0.1", "1e-12", "2.5")
_POSITIVE = ("0.5", "1", "0.01", "2", "1e-6", "1e6")
_SCORERS = ("None", "'accuracy'", "['accuracy', 'roc_auc']", "'f1'", "{'own': 'f1'}", "['fit_time', 'recall']")


@dataclass
class Call:
    """What the arguments of one call share: its randomness, the sizes of its arrays, and whom it is asked of.

    Attributes
    ----------
    random : random.Random
        Where everything comes from.
    owner : object, optional
        The result whose method is called; it knows the names of its models and metrics.
    """

    random: Random
    owner: Any = None
    sizes: dict[str, int] = field(default_factory=dict)
    shapes: dict[tuple[str, ...], str] = field(default_factory=dict)

    def one_of(self, *texts: str) -> str:
        return self.random.choice(texts)

    def name(self, of: str, default: tuple[str, ...] = ("a", "b", "c")) -> str:
        return repr(self.random.choice(getattr(self.owner, of, default)))

    def names(self, of: str, size: str) -> str:
        """Some of the owner's names, or one for each column of an array."""
        if self.owner is None:
            return repr([f"{size}{i}" for i in range(self.size(size))])
        known = getattr(self.owner, of)
        return repr(self.random.sample(known, self.random.randint(1, len(known))))

    def size(self, name: str) -> int:
        """The length of an axis: a number, or the same for the same name within a call."""
        if name.isdigit():
            return int(name)
        if name.startswith("2**"):
            return int(2 ** self.size(name[3:]))
        if name.endswith("- 1"):
            return self.size(name[:-3].strip()) - 1
        few = name in ("m", "n_models", "n_metrics", "n_folds", "n_repeats", "n_runs", "fold_size")
        return self.sizes.setdefault(name, self.random.choice([2, 3, 4] if few else [2, 5, 6, 9, 12, 20]))

    def shape(self, shapes: list[str]) -> str:
        """One of several shapes: the same for all arguments that have the choice."""
        return self.shapes.setdefault(tuple(shapes), self.random.choice(shapes))

    def array(self, shape: tuple[int, ...], number: Callable[[], float]) -> str:
        return f"np.array({_nested(shape, number)!r})"


def _nested(shape: tuple[int, ...], number: Callable[[], float]) -> Any:
    return [_nested(shape[1:], number) for _ in range(shape[0])] if shape else number()


def _scores(call: Call) -> Callable[[], float]:
    """Scores of one of the kinds that people have: continuous, with ties, all equal, large, tiny."""
    random = call.random
    scale = random.choice([1, 1, 1, 1e-9, 1e6])
    return random.choice(
        [
            lambda: round(random.uniform(0.5, 1), 4),
            lambda: random.choice([0.5, 0.75, 1.0]),
            lambda: scale * random.gauss(0, 1),
            lambda: scale,
        ]
    )


def _labels(call: Call) -> Callable[[], float]:
    return lambda: int(call.random.random() < 0.5)


# What the numbers in an array mean, by the name of the argument; all others are scores.
_CONTENTS: dict[str, Callable[[Call], Callable[[], float]]] = {
    **dict.fromkeys(("y_true", "y_pred", "pred_a", "pred_b", "correct", "correct_a", "correct_b"), _labels),
    "counts": lambda call: lambda: call.random.choice([0, 1, 2, 5, 30]),
    **dict.fromkeys(("fold_ids", "clusters", "cluster"), lambda call: lambda: call.random.randrange(3)),
    **dict.fromkeys(("error_rates", "pvalues"), lambda call: call.random.random),
    "sd": lambda call: lambda: round(call.random.random(), 3),
    "n": lambda call: lambda: call.random.choice([2, 3, 10]),
    "thresholds": lambda call: lambda: round(call.random.random(), 2),
}


def _of(*texts: str) -> Callable[[Call], str]:
    return lambda call: call.one_of(*texts)


def _pvalue_matrix(call: Call, size: str = "n_models") -> str:
    k = call.size(size)
    above = {(i, j): round(call.random.random(), 3) for i in range(k) for j in range(i)}
    return f"np.array({[[above.get((max(i, j), min(i, j)), 1.0) for j in range(k)] for i in range(k)]!r})"


# One generator for each kind of argument, by the name that it has everywhere.
NAMED: dict[str, Callable[[Call], str]] = {
    **dict.fromkeys(
        ("alpha", "confidence_level", "power", "test_fraction", "threshold", "regularization"), _of(*_LEVELS)
    ),
    **dict.fromkeys(("prevalence", "fold_correlation", "correlation", "overlap"), _of("0", *_LEVELS)),
    **dict.fromkeys(("positives", "called_positive"), _of("0.5", "0.3", "0.05", "0.99", "1e-6")),
    "instability": _of("0", "0.2", "1"),
    "n_classes": _of("2", "3", "10", "1000"),
    "growth": _of("0", "1", "2.5"),
    "target": _of("None", "'algorithm'", "'model'"),
    "training_variance": _of("0", "0.001", "0.1"),
    "classes": _of("None", "[0, 1]"),
    "bounds": _of("(0, 1)", "(-1, 1)", "(0.0, 100.0)"),
    "families": _of("('', '')", "('linear', 'tree')", "('neighbors', 'boosting')"),
    **dict.fromkeys(("rope", "margin", "null", "delta", "std", "within_error", "prior_strength"), _of(*_SMALL)),
    **dict.fromkeys(
        ("df", "bias_exponent", "cost_false_negative", "cost_false_positive", "n_effective"), _of(*_POSITIVE)
    ),
    "strategy": _of("'uniform'", "'quantile'"),
    "n_bins": _of("1", "2", "10"),
    "predictions": lambda call: repr(
        {name: [int(call.random.random() < 0.5) for _ in range(call.size("n_samples"))] for name in "uv"}
    ),
    "outcomes": lambda call: repr(
        {name: [round(call.random.random(), 2) for _ in range(call.size("n_items"))] for name in "uv"}
    ),
    "human": lambda call: repr(
        {name: [call.random.choice([0.0, 1.0]) if i % 3 else nan for i in range(call.size("n_items"))] for name in "uv"}
    ),
    "judgments": _of(
        "{'u': ['x', 'x', 'y'] * 4, 'v': ['y', 'z', 'z'] * 4, 'winner': ['a', 'b', 'tie', 'b'] * 3, 'left': [1] * 12}",
        "[{'model_a': 'x', 'u': 'x', 'model_b': 'y', 'v': 'y', 'winner': end} for end in ('a', 'tie', 'b', 'b')]",
    ),
    "winner": _of("None", "'winner'"),
    "task": _of("None", "'binary'"),
    "results": _of("{'u': scored, 'v': scored}"),
    **dict.fromkeys(("n_resamples", "n_draws"), _of("50", "99", "200")),
    **dict.fromkeys(("n_train", "n_test"), _of("10", "90", "900")),
    **dict.fromkeys(("n", "n_models", "n_samples"), _of("2", "3", "7", "20", "100")),
    **dict.fromkeys(
        ("horizon", "n_successes", "n_errors", "n_comparisons", "min_repeats", "n_seeds"), _of("1", "2", "3", "5")
    ),
    **dict.fromkeys(("n_folds", "n_repeats", "n_datasets"), _of("2", "3", "5", "20")),
    **dict.fromkeys(("rng", "random_state"), _of("0", "None", "7")),
    **dict.fromkeys(("n_jobs", "params", "groups", "store", "ax", "run_id"), _of("None")),
    **dict.fromkeys(("progress", "verbose"), _of("False")),
    "pre_dispatch": _of("'2*n_jobs'", "1"),
    "error_score": _of("'raise'", "nan", "0.0"),
    "design": _of("2", "'2x2'", "KFold(3)"),
    "cv": _of("2", "3", "KFold(3)", "StratifiedKFold(2)"),
    **dict.fromkeys(
        ("estimator_a", "estimator_b"), _of("GaussianNB()", "DecisionTreeClassifier(max_depth=2, random_state=0)")
    ),
    **dict.fromkeys(
        ("estimator", "model"),
        _of("GaussianNB()", "DecisionTreeClassifier(max_depth=1, random_state=0)", "DummyClassifier()"),
    ),
    "estimators": _of(
        "{'u': GaussianNB(), 'v': DummyClassifier()}", "[GaussianNB(), DecisionTreeClassifier(random_state=0)]"
    ),
    "models": _of("None", "['svm', 'tree']", "{'u': GaussianNB(), 'v': DummyClassifier()}", "[GaussianNB()]"),
    **{name: _of("None", f"{name!r}") for name in ("dataset", "item", "split", "repeat", "run", "value", "truth")},
    **dict.fromkeys(("sep", "decimal"), _of("None", "','")),
    "period": _of("2", "4"),
    "keep": _of("'all'", "'each'"),
    "missing": _of("'raise'", "'drop'", "'keep'"),
    "cluster": _of("None", "'none'"),
    "source": _of(
        "{'model': ['svm'] * 4 + ['tree'] * 4, 'fold': [0, 1, 2, 3] * 2, 'score': [.9, .8, .7, .95, .6, .7, .5, .65]}",
        "{'dataset': ['d', 'e', 'f', 'g'], 'svm': [.9, .8, .7, .95], 'tree': [.6, .7, .5, .65]}",
    ),
    "alternative": _of("'two-sided'", "'greater'", "'less'"),
    "family": _of("'first'", "'all'"),
    "intervals": _of("None", "'nested'"),
    "callback": _of("None", "print"),
    **dict.fromkeys(("correct_folds", "simultaneous"), _of("True", "False")),
    "evaluator": _of(
        "PairedEvaluator(cv=2, random_state=0)", "PairedEvaluator(cv='2x2', scoring='accuracy', random_state=1)"
    ),
    "generator": _of("RandomData(n_samples=20)", "ExchangeableBlocks(n_samples=40)"),
    "pilot": _of("evaluation", "study"),
    **dict.fromkeys("ab", lambda call: call.one_of("'u'", "'v'", "'bayes'", "0", "1")),
    "X": _of("X"),
    "y": _of("y"),
    "frame": _of("table", "runs", "evaluation.to_frame()"),
    "result": _of("evaluation", "five_by_two", "predictions"),
    "allow": _of("('sklearn',)", "()"),
    "path": lambda call: call.one_of("saved") if call.owner is None else call.one_of("folder + '/made'", "None"),
    "scoring": _of(*_SCORERS),
    "complexity": _of("'max_depth'", "'param_max_depth'", "['max_depth']"),
    "candidates": _of("2", "3", "10"),
    "rule": _of("'margin'", "'one_standard_error'", "'not_significant'"),
    "control": _of("0", "1"),
    "positive": _of("1", "0", "None"),
    "pvalues": _pvalue_matrix,
    "cardinal": _of("True", "False"),
    "greater_is_better": _of("True", "False"),
    "correction": _of("'holm'", "'bonferroni'", "'hochberg'", "'none'"),
    "primary": lambda call: call.one_of("None", call.name("metrics")),
    "names": lambda call: call.one_of("None", call.names("estimators", "n_models")),
    "metrics": lambda call: call.one_of("None", call.names("metrics", "n_metrics")),
    "statement": lambda call: call.one_of("None", repr([call.random.random() < 0.5 for _ in range(call.size("m"))])),
    "method": _of("'holm'", "'hommel'", "'glrt'", "'dirichlet'", "'network'", "None"),
    "name": lambda call: call.one_of(call.name("estimators"), call.name("metrics")),
    "x": _of("'max_depth'", "None"),
    "kind": _of("None"),
    "highlight": lambda call: call.one_of("None", call.name("estimators")),
    "posthoc": _of("'nemenyi'", "'pairwise'"),
    "procedure": _of("'auto'"),
    "generators": _of("None", "{'c': 'a:b'}"),
    "resolution": _of("None", "3"),
    "log": _of("()", "['C']"),
    "n_runs": _of("2", "5", "20"),
    **dict.fromkeys(("interactions", "order"), _of("1", "2", "3")),
    "factor": _of("'max_depth'", "'min_samples_leaf'"),
    "term": _of("'max_depth'", "'min_samples_leaf'", "'max_depth:min_samples_leaf'"),
    **dict.fromkeys(("new", "old"), _of("'bayes'", "'tree'", "'dummy'")),
}


_OF_JUDGMENTS = {
    "a": "['u', 'u', 'v']",
    "b": "['v', 'w', 'w']",
    "winner": "['a', 'b', 'tie', 'b', 'a', 'a']",
}


def argument(name: str, hint: Any, shapes: list[str], call: Call) -> str:
    """The text of one argument, of its kind; mostly one that the function should take."""
    if shapes == ["k, k"] and name == "pvalues":
        return _pvalue_matrix(call, "k")
    if shapes == ["n_judgments,"] and name in _OF_JUDGMENTS:
        return f"({_OF_JUDGMENTS[name]} * 10)[:{call.size('n_judgments')}]"
    if shapes == ["n_items,"] and name == "labels":  # some are not known
        return call.array((call.size("n_items"),), lambda: call.random.choice([nan, 0.0, 1.0, 0.5]))
    if name == "covariance":
        return call.one_of("[[0.02, 0.005], [0.005, 0.03]]", "[[[0.02, 0.005], [0.005, 0.03]]]", "np.eye(2)")
    if name == "df":
        return call.one_of(*_POSITIVE, "inf")
    if name == "contrasts":  # of the first two models, which most functions have
        return repr([[1, -1, *[0] * (call.size("n_models") - 2)]])
    if name == "labels":  # of the samples that all results have
        return call.one_of("np.arange(40) % 3", "np.arange(40) // 20", "['x', 'y'] * 20")
    if name == "design" and hint == int | str:  # simulated ones
        return call.one_of("5", "10", "'10x10'", "'5x2'", "'3x7'", "'30 random splits'")
    if name == "design" and getattr(hint, "__name__", "") == "ExperimentDesign":
        return "settings"
    if name == "factors":
        some = "{'C': (0.1, 10.0), 'depth': (1, 20)}", "{'C': (1e-3, 1e3), 'depth': [2, 30], 'share': (0.1, 0.9)}"
        levels = (
            "{'a': [1, 2], 'b': ['x', 'y'], 'c': [True, False]}",
            "{'C': [0.1, 1, 10], 'kernel': ('rbf', 'linear')}",
        )
        return call.one_of(*(levels if "Any" in str(hint) else some))
    if name == "cost":  # of which most arrays are none
        return call.one_of("{(0, 1): 1, (1, 0): 5}", "[[0, 1], [5, 0]]", "np.array([[0, 2, 9], [1, 0, 3], [7, 1, 0]])")
    if shapes:
        dims = tuple(call.size(dim.strip()) for dim in call.shape(shapes).split(",") if dim.strip())
        return call.array(dims, _CONTENTS.get(name, _scores)(call))
    literals = _literals(hint)
    if literals:
        return repr(call.random.choice(literals))
    names_models = call.owner is not None and not callable(getattr(call.owner, "estimators", ()))
    if names_models and name in ("a", "b", "baseline", "estimator", "control"):
        return call.name("estimators" if hasattr(call.owner, "estimators") else "models")
    if name == "metric":
        return call.one_of(call.name("metrics", ("accuracy", "f1")), call.names("metrics", "m"))
    if name == "paired" and hint is not bool:  # a reason
        return call.one_of("'the same weights'", "None")
    if name in NAMED:
        return NAMED[name](call)
    if name == "scale":
        return call.one_of("'range'", "{'accuracy': 0.1, 'f1': 0.2}")
    if hint is bool:
        return call.one_of("True", "False")
    raise LookupError(f"no generator for an argument called {name!r} of type {hint}; add one to fuzz/values.py")


def shapes_of(function: Callable[..., Any]) -> dict[str, list[str]]:
    """By argument the shapes that the docstring says it may have: ``["n", "n_repeats, n_folds"]``."""
    found: dict[str, list[str]] = {}
    for names, text in SHAPES.findall(inspect.getdoc(function) or ""):
        for name in names.split(","):
            found[name.strip()] = re.findall(r"\(([^)]*)\)", text)
    return found


def _literals(hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) is Literal:
        return get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return tuple(value for part in get_args(hint) for value in _literals(part))
    return ()
