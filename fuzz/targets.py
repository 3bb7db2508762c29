"""What is called: every public function, every method of the results, every procedure and picture through them."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from inspect import getmembers, isfunction, ismodule, signature
from random import Random
from typing import Any, get_type_hints

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare
from fuzz.values import ODD, Call, argument, shapes_of
from skcompare import (
    PairedEvaluator,
    SearchReport,
    StopRule,
    experiments,
    from_judgments,
    from_outcomes,
    from_runs,
    inference,
)
from skcompare.calibration import ExchangeableBlocks, RandomData
from skcompare.plotting._kinds import KINDS

SHARE_LEFT_OUT = 0.6  # of the arguments that have a default
SHARE_OF_OPTIONS = 0.2  # of those of a procedure or picture that is called through a result, which sets most of them
SET_BY_RESULTS = ("test_fraction", "greater_is_better", "names", "metric", "clusters")
COSTLY = ("n_datasets",)  # whose default takes long
MODULES = {
    "skcompare": skcompare,
    **{name: part for name in skcompare.__all__ if ismodule(part := getattr(skcompare, name))},
}
OWNERS = (
    *("evaluation", "five_by_two", "predictions", "items", "clustered", "in_runs", "stopped", "one_model"),
    *("judged", "study", "runs_of_tasks", "report", "curve", "settings", "designed", "surface", "effects"),
    *("compared", "answer"),
)
STUDIES = ("study", "runs_of_tasks")
# Called by each of the others, or by hand alone.
LEFT_OUT = {
    "log_to_mlflow": "writes to a server",
    "split_warnings": "for reports, which give it names that are there",
    "evaluate": "tests/test_fuzz.py gives it models and data of every kind",
    **dict.fromkeys(("index", "count"), "is of every sequence"),
    "of_scored": "for reports of designs of which some runs failed",
    **dict.fromkeys(
        ("skcompare.compare", "experiments.run_experiment"),
        "is an evaluation, which takes the global random numbers where it has no random_state",
    ),
    "testing.assert_not_worse": "raises AssertionError where not_worse says no",
}


class UnsoundError(Exception):
    """An answer that no caller should get."""


class RefusedError(Exception):
    """What the command says when it refuses."""


@dataclass(frozen=True, slots=True)
class Target:
    """A function, or a method of one of the results in the namespace.

    Attributes
    ----------
    text : str
        How it is called, such as ``"paired_t_test"`` or ``"study.rank"``.
    function : callable
        Itself.
    first : str
        Its first argument, where there is a target for each.
    options : callable, optional
        The procedure or the picture of that name, whose own options the call may have too.
    """

    text: str
    function: Callable[..., Any]
    first: str = ""
    options: Callable[..., Any] | None = None

    def call(self, seed: int, *, odd: bool) -> str:
        """The text of one call; with `odd` one of its arguments is replaced by something absurd."""
        owner = namespace()[self.text.partition(".")[0]]
        call = Call(Random(f"{self.group} {seed}"), None if ismodule(owner) else owner)
        given = _arguments(self.function, call, skip=1 if self.first else 0)
        if self.options is not None:
            taken = signature(self.function).parameters
            own = _arguments(self.options, call, optional=True)
            given |= {name: text for name, text in own.items() if name not in taken}
        if odd and given:
            given[call.random.choice([*given])] = call.random.choice(ODD)
        texts = [text if name.startswith("*") else f"{name}={text}" for name, text in given.items()]
        return f"{self.text}({', '.join([*([repr(self.first)] if self.first else []), *texts])})"

    @property
    def group(self) -> str:
        """What is one thing whichever result it is asked of; some procedures fit one design alone."""
        text = self.text.partition(".")[2] if self.text.startswith(OWNERS) else self.text
        return f"{text}({self.first!r})" if self.first else text


def _arguments(function: Callable[..., Any], call: Call, *, skip: int = 0, optional: bool = False) -> dict[str, str]:
    """By name the text of what a call gives; a star is before the names of what is positional.

    What has a default is given in some calls; with `optional` only what has a name.
    """
    hints, shapes = _hints(function), shapes_of(function)
    given = {}
    for name, parameter in [(name, p) for name, p in signature(function).parameters.items() if name != "self"][skip:]:
        defaulted = parameter.default is not parameter.empty
        named = defaulted or parameter.kind is parameter.KEYWORD_ONLY
        set_by_result = optional and (not named or name in SET_BY_RESULTS)
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL) or set_by_result:
            continue
        share = 0.0 if not defaulted else 1 - SHARE_OF_OPTIONS if optional else SHARE_LEFT_OUT
        if name not in COSTLY and call.random.random() < share:
            continue
        given[name if named else f"*{name}"] = argument(name, hints.get(name), shapes.get(name, []), call)
    return given


@cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """Types of the arguments; empty where some are known to type checkers alone."""
    try:
        return get_type_hints(function)
    except NameError:
        return {}


@cache
def namespace() -> dict[str, Any]:
    """What the text of a call may name: public functions, numpy, models, and one result of each kind."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), np.arange(40) % 2
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0), "dummy": DummyClassifier()}
    two = {name: models[name] for name in ("bayes", "tree")}
    metrics = ["accuracy", "f1", "roc_auc"]
    table = {"model": np.repeat(["a", "b"], 6), "fold": [*range(6)] * 2, "score": rng.uniform(size=12)}
    runs = {"run" if name == "fold" else name: x for name, x in table.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search = GridSearchCV(
            DecisionTreeClassifier(),
            {"max_depth": [1, 2, 3], "criterion": ["gini", "entropy"]},
            cv=3,
            scoring=metrics,
            refit="f1",
        ).fit(X, y)
        evaluator = PairedEvaluator(3, metrics, random_state=0)
        models_of_one = {"bayes": models["bayes"]}
        ends = {"max_depth": (2, 20), "min_samples_leaf": (1, 15)}
        designed = experiments.run_experiment(
            DecisionTreeClassifier(random_state=0), experiments.central_composite(ends), X, y, evaluator=evaluator
        )
        made = {
            "stopped": PairedEvaluator("4x5", metrics, random_state=0, stop=StopRule()).evaluate(models, X, y),
            "one_model": evaluator.evaluate(models_of_one, X, y),
            "curve": evaluator.learning_curve(two, X, y, train_sizes=(0.3, 0.6, 1.0)),
            "settings": experiments.full_factorial({"max_depth": [2, 5, 9], "min_samples_leaf": [1, 15]}),
            "designed": designed,
            "surface": designed.response_surface(),
            "effects": designed.effects(),
            "evaluation": PairedEvaluator("2x5", [*metrics, "fit_time"], random_state=0, intervals="nested").evaluate(
                models, X, y
            ),
            "five_by_two": PairedEvaluator("5x2", metrics, random_state=0).evaluate(two, X, y),
            "predictions": evaluator.evaluate(two, X, y),
            "study": evaluator.evaluate_datasets(
                models, {f"d{i}": (X + rng.normal(size=X.shape), y) for i in range(6)}
            ),
            "items": from_outcomes({"accuracy": {"bayes": y, "tree": rng.integers(0, 2, 40)}}),
            "clustered": from_outcomes(
                {"f1": {name: rng.normal(size=40) for name in two}, "accuracy": dict.fromkeys(two, y)},
                clusters=np.arange(40) // 4,
            ),
            "judged": from_judgments({"a": [*"xxy"] * 9, "b": [*"yzz"] * 9, "winner": [*"abbaa"] * 5 + ["tie"] * 2}),
            "in_runs": from_runs(runs),
            "runs_of_tasks": from_runs(
                {name: np.tile(x, 6) for name, x in runs.items()}
                | {"task": np.repeat([f"d{i}" for i in range(6)], 12), "score": rng.uniform(size=72)}
            ),
            "report": SearchReport.from_search(search),
        }
    made |= {"compared": made["evaluation"].compare(), "answer": made["evaluation"].answer()}
    scored = cross_validate(GaussianNB(), X, y, cv=3, scoring=metrics, return_indices=True)
    folder = tempfile.mkdtemp(prefix="skcompare-fuzz-")
    made["evaluation"].save(f"{folder}/saved.skc")
    own = {
        "X": X,
        "y": y,
        "table": table,
        "runs": runs,
        "scored": scored,
        "folder": folder,
        "saved": f"{folder}/saved.skc",
    }
    taken = (PairedEvaluator, GaussianNB, DummyClassifier, DecisionTreeClassifier, KFold, StratifiedKFold)
    classes = {kind.__name__: kind for kind in (*taken, RandomData, ExchangeableBlocks)}
    return {"np": np, "nan": np.nan, "inf": np.inf, "array": np.array, **classes, **MODULES, **own, **made}


def targets() -> list[Target]:
    """All that is called; what becomes public is among it at once."""
    listed = {
        function: f"{module}.{name}"
        for module, members in MODULES.items()
        for name, function in getmembers(members, isfunction)
        if name in members.__all__
    }
    found = [Target(text, function) for function, text in listed.items() if text not in LEFT_OUT]
    for owner in OWNERS:
        kind = type(namespace()[owner])
        methods = {name: method for name, method in getmembers(kind, isfunction) if not name.startswith("_")}
        each = {"plot": _pictures(owner), "test": _procedures(owner)}
        for name in methods.keys() - LEFT_OUT.keys() - each.keys():
            found.append(Target(f"{owner}.{name}", methods[name]))
        for name in methods.keys() & each.keys():
            found += [Target(f"{owner}.{name}", methods[name], first, made_by) for first, made_by in each[name].items()]
    return sorted(found, key=lambda target: (target.group, target.text))


def _pictures(owner: str) -> dict[str, Callable[..., Any]]:
    others = {"report": "search", "curve": "curve", "designed": "experiment"}
    of = {**dict.fromkeys(STUDIES, "study"), **others}.get(owner, "result")
    return {name: row.make for name, row in KINDS.items() if of in row.of}


def _procedures(owner: str) -> dict[str, Callable[..., Any]]:
    found = [row.name for row in skcompare.procedures().rows if (row.evidence == "data sets") == (owner in STUDIES)]
    return {name: getattr(inference, name) for name in found}
