"""Time of `ComparisonSelector.fit` over the time of its fits.

Run from a checkout: ``python -m benchmarks.selector``. All contenders run in one process, interleaved; the figures are
medians over the rounds of seconds and of the ratio to the floor of the same round. The floor is clone, fit, predict and
predict_proba of every estimator on splits made beforehand, without any scoring, and one fit of the chosen estimator on
all data.
"""

from __future__ import annotations

import argparse
import os
import platform
import warnings
from collections.abc import Callable
from datetime import date
from typing import Any

import sklearn
from sklearn.base import clone
from sklearn.model_selection import RepeatedStratifiedKFold

from benchmarks.engine import MODELS, Case, cases, floor, measure, medians
from skcompare import ComparisonSelector, PairedEvaluator, best_by_dominance


def run_case(case: Case) -> dict[str, tuple[float, float]]:
    """What `medians` gives, by contender."""
    _, X, y, metrics, cv, names, rounds = case
    n_repeats, n_splits = (int(part) for part in cv.split("x"))
    splits = list(RepeatedStratifiedKFold(n_splits=n_splits, n_repeats=n_repeats, random_state=0).split(X, y))
    chosen = {name: MODELS[name] for name in names}
    evaluator = PairedEvaluator(cv=cv, scoring=metrics, random_state=0)
    selector = ComparisonSelector(chosen, evaluator)
    jointly = ComparisonSelector(chosen, evaluator, best_by_dominance(metrics))
    refitted = chosen[clone(selector).fit(X, y).selected_]

    def plain() -> None:
        floor(chosen, X, y, splits)
        clone(refitted).fit(X, y)

    contenders: dict[str, Callable[[], Any]] = {
        "floor": plain,
        "evaluate alone": lambda: evaluator.evaluate(chosen, X, y),
        "selector, corrected_t": lambda: selector.fit(X, y),
        "selector, best_by_dominance": lambda: jointly.fit(X, y),
    }
    return medians(measure(contenders, rounds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only one case")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{date.today()}, {os.cpu_count()} cores, Python {platform.python_version()}, ", end="")
    print(f"scikit-learn {sklearn.__version__}; seconds, and ratios to the first (medians)\n")
    for number, case in enumerate(cases()[: 1 if options.quick else 4]):
        found = run_case(case)
        if number == 0:
            print(f"| data | cv | models | {' | '.join(found)} |")
            print(f"| --- | --- | --- | {' | '.join('---:' for _ in found)} |")
        cells = " | ".join(f"{seconds:.2f} s, {ratio:.2f}" for seconds, ratio in found.values())
        print(f"| {case[0]} | {case[4]} | {' + '.join(case[5])} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
