"""What the fits of a run are found by in a store."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import numpy as np

from skcompare.evaluation._predictions import EstimatorSpec, FitPlan
from skcompare.evaluation._splits import Splits
from skcompare.evaluation.store._data_identity import data_digest, package_of
from skcompare.evaluation.store._file import KEYS
from skcompare.evaluation.store._identity import digest_of, identify
from skcompare.evaluation.store._released import config, environment
from skcompare.evaluation.store._store import Evaluation, StoredEstimator
from skcompare.evaluation.store._stored_fit import NEWER_COSTS

_MAX_DESCRIPTION = 2000


def evaluation_of(X: Any, y: Any, plan: FitPlan, unseen: list[str]) -> Evaluation:
    """What every fit of this run depends on, besides its model and its split.

    `unseen` gets what the code of scorers reads that a store cannot hold.
    """
    scorer = identify(_parts_of(plan.scorer), "scoring", complete=True)
    params = identify(dict(plan.score_params), "params", complete=True)
    unseen.extend([*scorer.unseen, *params.unseen])
    context = {
        "format": KEYS,
        "X": data_digest(X, "X"),
        "y": data_digest(y, "y"),
        "model_size": "model_size" in plan.costs,
        **{cost: True for cost in NEWER_COSTS if cost in plan.costs},
        "scorer": sha256(scorer.text.encode()).hexdigest(),
        "score_params": sha256(params.text.encode()).hexdigest(),
        "config": config(),
        "versions": {**scorer.packages, **params.packages, **package_of(X), **package_of(y), **environment()},
    }
    shape: tuple[int, ...] = X.shape if hasattr(X, "shape") else (len(X),)
    n_features = int(shape[1]) if len(shape) > 1 else None
    text = json.dumps(context, sort_keys=True)
    return Evaluation(sha256(text.encode()).digest(), int(shape[0]), n_features, text)


def _parts_of(scorer: Any) -> Any:
    """The scorers of scikit-learn's multi-metric one, whose way to meet errors does not change a score."""
    return getattr(scorer, "_scorers", scorer) if type(scorer).__module__.startswith("sklearn.") else scorer


def stored_estimators(
    evaluation: Evaluation, specs: Sequence[EstimatorSpec], unseen: list[str]
) -> list[StoredEstimator]:
    """The estimators as rows; equal ones are numbered, because their fits need not be equal.

    `unseen` gets what their code reads that a store cannot hold.
    """
    estimators = []
    copies: Counter[bytes] = Counter()
    for spec in specs:
        model = identify(spec.estimator, f"estimators[{spec.name!r}]")
        params = identify(dict(spec.fit_params), "params", complete=True)
        unseen.extend([*model.unseen, *params.unseen])
        own = digest_of([model.digest.hex(), params.digest.hex(), list(spec.seeded)])
        estimators.append(
            StoredEstimator(
                digest=digest_of([evaluation.digest.hex(), own.hex(), copies[own]]),
                name=_sendable(spec.name),
                model_digest=model.digest,
                identity=model.text,
                packages=json.dumps({**model.packages, **params.packages}, sort_keys=True),
                description=_sendable(_described(spec.estimator)),
            )
        )
        copies[own] += 1
    return estimators


def _described(estimator: Any) -> str:
    """The estimator in words, for `skcompare store show`; no part of its identity."""
    try:
        text = repr(estimator)
    except Exception:
        text = type(estimator).__name__
    return " ".join(text.split())[:_MAX_DESCRIPTION]


def _sendable(text: str) -> str:
    """Text without lone surrogates, which SQLite cannot hold."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def split_digests(splits: Splits) -> list[bytes]:
    """One digest per split, the same for the same train and test indices in another number of repeats."""
    n = splits.n_samples
    start = sha256(n.to_bytes(8, "little"))
    digests = []
    for i in range(len(splits)):
        digest = start.copy()
        if splits.fold_ids is not None:
            repeat, fold = divmod(i, splits.n_folds)
            digest.update(b"test")
            digest.update(np.packbits(splits.fold_ids[repeat] == fold).data)
        else:
            for indices in splits[i]:
                digest.update(len(indices).to_bytes(8, "little"))
                digest.update(np.ascontiguousarray(indices, dtype="<u4" if n < 2**32 else "<u8").data)
        digests.append(digest.digest())
    return digests
