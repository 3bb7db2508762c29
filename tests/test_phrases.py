"""Phrases that were riddles, or said the same in other words: no output uses them, and no text that becomes one."""

from __future__ import annotations

import html
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneOut, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare
from benchmarks.sentences import collected, of_module
from skcompare import PairedEvaluator, SearchReport
from skcompare.testing import not_worse
from tests.made_results import evaluation, search_of, stopped_run, study_of

PACKAGE = Path(skcompare.__file__).parent
# Phrase -> what is said instead.
PHRASES = {
    r"no difference (was )?shown|difference (is|was) shown|none is shown(?! to)": "not significantly different",
    r"told? apart|tells? apart": "(not) significantly different",
    r"(not |: )established|established:": "each part is significant",
    r"as far as the test keeps": "the error rate, where it was measured",
    r"exceeds its level least|worst simulated case": "what the test allows for",
    r"could have shown": "smallest detectable difference",
    r"\bundecided\b": "not significantly different",
    r"called shown|left undecided": "called significant",
    r"turned round|turned around": "reversed",
    r"the verdict (is )?at|verdict on all metrics|joint verdict": "the answer; the most probable pattern of wins",
    r"sequential verdict,": "the answer, and after how many repeats",
    r"no pattern of metrics stands out": "no pattern is more frequent than all others",
    r"makes? room|rooms\b": "plain words",
    r"(stays?|too long|none were) alike\b": "correlated",
    r"\b(the|a) floor\b": "the smallest detectable difference",
    r"turns? (\w+ ){0,2}round\b": "reverse",
    r"\bparts (their|the) effects": "separates",
    r"verdict out|cut short": "plain words",
    r"\b1 of 1\b": "the only one",
    r"\bresult\.(stopping|seed_scores|sample_ids)\b": "result.details has them",
}
RECIPE = {"seed": 3, "n_models": 3, "spread": 2.0, "flaw": "none", "n_metrics": 3}
STOPPED = {"rope": None, "alpha": 0.05, "drop": True, "design": (6, 5)}
MADE = {
    **{
        flaw: lambda flaw=flaw: evaluation({**RECIPE, "flaw": flaw, "design": (2, 5)})
        for flaw in ("none", "equal models", "missing", "failed", "no metric", "apart")
    },
    "two": lambda: evaluation({**RECIPE, "n_models": 2, "design": (10, 10)}),
    "two alike": lambda: evaluation({**RECIPE, "n_models": 2, "spread": 0.0, "design": (1, 5)}),
    "few": lambda: evaluation({**RECIPE, "n_metrics": 1, "design": (1, 3)}),
    "stopped": lambda: stopped_run({**RECIPE, **STOPPED}),
    "stopped alike": lambda: stopped_run({**RECIPE, **STOPPED, "spread": 0.0}),
    "stopped, equivalent": lambda: stopped_run({**RECIPE, **STOPPED, "spread": 0.0, "rope": 0.1}),
    "stopped, one missing": lambda: stopped_run({**RECIPE, **STOPPED, "flaw": "one missing"}),
    "study": lambda: study_of({**RECIPE, "n_datasets": 12}),
    "study of two": lambda: study_of({**RECIPE, "n_models": 2, "n_datasets": 4}),
    "study with gaps": lambda: study_of({**RECIPE, "flaw": "apart", "n_datasets": 8}),
}


def phrases_in(text):
    flat = " ".join(text.split())
    return [match[0] for phrase in PHRASES for match in re.finditer(phrase, flat, re.IGNORECASE)]


def visible(page):
    """What a page shows, without its scripts, styles and tags."""
    bare = re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", " ", bare))


def outputs(result):
    """Everything that a result says in words."""
    yield from (result.summary(), result.summary("full"), str(result), repr(result), str(result.answer()))
    yield from (result.to_markdown(), result.to_latex(), result.methods_text(), visible(result._repr_html_()))
    for record in (result.compare(), result.details.stopping if hasattr(result, "details") else None):
        yield from (str(record), visible(getattr(record, "_repr_html_", str)()))
    if len(result.metrics) > 1:
        table = result.dominance("table")
        yield from (str(table), visible(table._repr_html_()), *map(str, table))
    yield result.plot("differences").ax_.get_title()


@pytest.mark.sampled
@pytest.mark.parametrize("name", MADE)
def test_no_output_of_a_result_uses_them(name):
    for text in outputs(MADE[name]()):
        assert phrases_in(text) == []


class Broken(GaussianNB):
    def _partial_fit(self, *_, **__):
        raise ValueError("no fit")


def without_trees(estimator, X, y):
    """A scorer that has no number of a tree."""
    return np.nan if isinstance(estimator, DecisionTreeClassifier) else float((estimator.predict(X) == y).mean())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("leak", [False, True])
def test_of_a_single_split_it_is_said_that_it_is_the_only_one(leak, rng):
    """ "'broken' failed on 1 of 1 split, the first is split 0" was said."""
    y = rng.integers(0, 2, 80)
    X = 1e3 * (rng.normal(size=(80, 3)) + y[:, None])
    made = {"nb": GaussianNB(), "broken": Broken(), "tree": DecisionTreeClassifier()}
    made |= {"lr": LogisticRegression(max_iter=1), "one": DummyClassifier(strategy="constant", constant=1)}
    models = {name: made[name] for name in rng.permutation([*made]).tolist()}
    cv = [(np.arange(80), np.arange(60, 80))] if leak else ShuffleSplit(1, random_state=0)
    scoring = {"accuracy": "accuracy", "own": without_trees}
    result = PairedEvaluator(cv, scoring, error_score=np.nan, random_state=0).evaluate(models, X, y)
    texts = [result.summary("full"), result.methods_text(), result.to_html()]
    texts += [str(not_worse(result, new, "nb", margin=0.1).explain()) for new in models if new != "nb"]
    assert "'broken' failed on the only split" in " ".join(texts[0].split())
    assert [one for text in texts for one in re.findall(r"(?i)1 of 1\b|the first is (?:split|item) 0\b", text)] == []


@pytest.mark.parametrize("cv", [LeaveOneOut(), ShuffleSplit(4, test_size=1, random_state=0), 10, 4])
def test_test_sets_of_one_sample_are_in_the_singular(cv, rng):
    models = {"nb": GaussianNB(), "coin": DummyClassifier(strategy="stratified")}
    X, y = rng.normal(size=(40, 2)), np.arange(40) % 2
    result = PairedEvaluator(cv=cv, scoring="accuracy", random_state=0).evaluate(models, X, y)
    n = result.design.test_sizes[0]
    assert f"tested on {n} sample{'' if n == 1 else 's'}." in " ".join(str(result.explain()).split())


def test_no_output_of_a_search_uses_them(made_search):
    recipe = {"seed": 1, "n_candidates": 6, "n_metrics": 2, "design": (5, 1), "n_failed": 1, "ties": True}
    report = SearchReport.from_search(search_of(recipe, made_search))
    chosen = report.result(3)
    for text in (
        *(report.summary(), report.summary("full"), report.to_markdown(), report.to_latex(), str(report.answer())),
        *(visible(report._repr_html_()), visible(report.to_html()), chosen.summary("full"), str(report.compare(3))),
    ):
        assert phrases_in(text) == []


def test_no_page_uses_them():
    assert phrases_in(visible(MADE["two"]().to_html())) == []


def test_no_text_of_the_package_has_them():
    """Nor what is said in other files than modules: the help of options, what warnings mean, methods and the page."""
    texts = [(path.name, text) for path, found in collected().items() for _, text in found]
    assert len(texts) > 3000
    assert [(name, phrases) for name, text in texts if (phrases := phrases_in(text))] == []
    for name, part in {
        "options.toml": "A column of --data to leave out",
        "warnings.toml": "Confirm it with more data, or take it for open.",
        "methods.txt": "What is found is about other runs on the same data",
        "document.html": "Copy as Markdown",
    }.items():
        said = " ".join(" ".join(text for other, text in texts if other == name).split())
        assert part in said
        assert not re.search("[{]%|<div", said)


def test_no_script_of_the_page_has_them():
    """Words that the scripts write stand in quotes."""
    texts = [
        (path.name, text)
        for path in (PACKAGE / "reporting/static").glob("*.js")
        for text in re.findall(r"""["'`][^"'`\n]* [^"'`\n]*["'`]""", path.read_text(encoding="utf-8"))
    ]
    assert len(texts) > 20
    assert [(name, phrases) for name, text in texts if (phrases := phrases_in(text))] == []


def test_a_sentence_is_collected_with_names_for_what_is_put_in(tmp_path):
    module = tmp_path / "module.py"
    said = """f"{n} samples of {few(names, 'no name')} " + "are left out.\""""
    module.write_text(f'"""No sentence."""\ndef tell(n):\n    """None."""\n    return {said}\n', encoding="utf-8")
    whole = "{n} samples of {few(names, 'no name')} are left out."
    assert of_module(module) == [(4, whole), (4, "no name")]
