"""A result or a study -> a run of MLflow: numbers, settings, the verdict in words, and the files."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time
from typing import Any

from skcompare._core.numbers import counted
from skcompare._core.record import cut
from skcompare._core.text import needs, one_line
from skcompare.reporting.findings import Findings
from skcompare.reporting.opening import opening
from skcompare.scores.study import StudyScores

# What every store of MLflow takes: characters of a key, of a part of a key, of a value; entries of one call.
MAX_PREFIX = 40
MAX_PART = 60
MAX_VALUE = 5000
MOST = {"metrics": 1000, "params": 100, "tags": 100}

Files = Mapping[str, Callable[[Path], Any]]


def log_run(found: Findings, *, files: Files, run_id: str | None, prefix: str) -> str:
    """Log into the run given, the active run, or a new one, and return its id.

    `files` writes each file where it is told. They are written first: what cannot be written leaves no run behind.
    """
    if run_id is not None and (not isinstance(run_id, str) or not run_id):
        raise ValueError(f"run_id must be None or the id of a run; got {run_id!r}")
    check_prefix(prefix)
    with needs("tracking needs MLflow", "mlflow"):
        import mlflow
        from mlflow.entities import Metric, Param, RunTag
    measured = _metrics(found)
    metrics = {key: float(value) for key, value in measured.items() if math.isfinite(value)}
    params, tags = _params(found), run_tags(found, [key for key in measured if key not in metrics])
    with TemporaryDirectory() as folder:
        for name, write in files.items():
            path = Path(folder, f"{prefix}{name}")
            path.parent.mkdir(parents=True, exist_ok=True)
            write(path)
        active: Any = mlflow.active_run()  # one that is started here is ended here
        with mlflow.start_run() if run_id is None and active is None else nullcontext(active) as started:
            run = run_id or started.info.run_id
            client, now = mlflow.MlflowClient(), int(time() * 1000)
            _check_free(client.get_run(run).data, run, prefix, params)
            entries: dict[str, Any] = {
                "metrics": [Metric(prefix + key, value, now, 0) for key, value in metrics.items()],
                "params": [Param(prefix + key, value) for key, value in params.items()],
                "tags": [RunTag(prefix + key, value) for key, value in tags.items()],
            }
            for kind, every in entries.items():
                for start in range(0, len(every), MOST[kind]):
                    client.log_batch(run, **{kind: every[start : start + MOST[kind]]})
            client.log_artifacts(run, folder)
    return run


def check_prefix(prefix: Any) -> None:
    """Raise ValueError unless `prefix` can begin the key of a metric and the name of a file."""
    form = r"(\w[\w.-]*/)*(\w[\w.-]*)?"
    if not (isinstance(prefix, str) and len(prefix) <= MAX_PREFIX and re.fullmatch(form, prefix, re.A)):
        raise ValueError(
            f"prefix must be at most {MAX_PREFIX} letters, digits, dots, dashes, underscores and slashes, each part "
            f"beginning with a letter, digit or underscore; got {prefix!r:.80}"
        )


def _check_free(held: Any, run: str, prefix: str, params: Mapping[str, str]) -> None:
    """Raise ValueError, before anything is logged, where a run holds a result under this prefix or other params."""
    if f"{prefix}verdict" in held.tags:
        raise ValueError(f"prefix must be one under which run {run} holds no result yet; got {prefix!r}")
    if taken := [key for key, value in params.items() if held.params.get(prefix + key, value) != value]:
        raise ValueError(
            f"prefix must keep the params apart from those that run {run} holds with other values, "
            f"{', '.join(taken)}; got {prefix!r}"
        )


def _metrics(found: Findings) -> dict[str, float]:
    """Means, differences and p-values by key: what it is, the metric, the models."""
    model, metric = _keys(found.models), _keys(found.scores.metrics)
    known: dict[str, float] = {}
    for row in found.comparison:
        m, a, b = metric[row.metric], model[row.a], model[row.b]
        known[f"difference/{m}/{a}/{b}"] = row.estimate
        known |= {} if found.comparison.sequential else {f"p_adjusted/{m}/{a}/{b}": row.pvalue_adjusted}
    for each in found.metrics:
        for name, mean in zip(found.models, each.means, strict=True):
            known[f"mean/{metric[each.name]}/{model[name]}"] = mean
    for ranking in found.rankings:
        for name, rank in zip(ranking.names, ranking.mean_ranks, strict=False):  # of a study
            known[f"mean_rank/{metric[ranking.metric]}/{model[name]}"] = rank
    return known | {f"joint_p_adjusted/{model[row.a]}/{model[row.b]}": row.pvalue_adjusted for row in found.joint}


def _params(found: Findings) -> dict[str, str]:
    """The design, how much there was of what, the test and the models."""
    scores, compared = found.scores, found.comparison
    if isinstance(scores, StudyScores):
        designs = ", ".join(sorted({design.name for design in scores.designs}))
        params: dict[str, Any] = {"design": designs or None, "n_datasets": len(scores.datasets)}
    else:
        design = scores.design
        params = {"design": design.name, "n_samples": design.n_samples, "split_hash": design.split_hash or None}
    params |= {
        "procedure": compared.procedure,
        "correction": "sequential verdict" if compared.sequential else compared.correction,
        **{name: scores.provenance.get(name) for name in ("cv", "random_state")},
    }
    model = _keys(found.models)
    texts = scores.provenance.get("estimators", {})
    params |= {f"model/{model[name]}": text for name, text in texts.items() if name in model}
    return {key: _value(value) for key, value in params.items() if value is not None}


def run_tags(found: Findings, left_out: Sequence[str]) -> dict[str, str]:
    """The answer in words, the warnings and the versions."""
    tags = {"verdict": opening(found), "warnings": " ".join(found.warnings)}
    if left_out:
        tags["not_logged"] = f"{counted(len(left_out), 'metric')} without a finite value: {', '.join(left_out)}"
    versions = {str(name): version for name, version in found.scores.provenance.get("versions", {}).items()}
    keys = _keys(list(versions))
    tags |= {f"version/{keys[name]}": version for name, version in versions.items()}
    return {key: _value(value) for key, value in tags.items() if value}


def _keys(names: Sequence[str]) -> dict[str, str]:
    """Each name as part of a key: of characters that every store takes, and no two alike, whatever their case."""
    keys, taken = dict[str, str](), set[str]()
    for name in names:
        clean = re.sub(r"[^\w.-]|(?<!\d)\.|\.(?!\d)", "_", name, flags=re.A)[:MAX_PART] or "_"
        numbered = (f"{clean[: MAX_PART - 5]}_{n}" for n in count(2))
        keys[name] = next(key for key in chain([clean], numbered) if key.casefold() not in taken)
        taken.add(keys[name].casefold())
    return keys


def _value(value: Any) -> str:
    return cut(one_line(str(value)), MAX_VALUE)
