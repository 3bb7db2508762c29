"""Which of the given parameters go where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Number
from typing import Any

import sklearn
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.metrics import check_scoring
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from skcompare._core.validation import check_aligned, refuse_masked
from skcompare.evaluation.input import n_rows
from skcompare.evaluation.metrics.scoring import Metric

PER_SAMPLE = ("sample_weight", "groups")  # of other parameters only their estimator knows


class Routing:
    """Which parameters go to the splitter, to each estimator's fit and to the scorers.

    Weights and groups that are not one per sample of X, and parameters with masked values, are a ValueError.
    """

    def __init__(
        self,
        named: Mapping[str, Any],
        splitter: Any,
        metrics: Sequence[Metric],
        *,
        X: Any,
        groups: Any,
        params: Mapping[str, Any] | None,
    ) -> None:
        if params is not None and not isinstance(params, Mapping):
            raise ValueError(f"params must be None or a mapping of name to value; got {params!r:.80}")
        params = {} if params is None else dict(params)
        if not sklearn.get_config()["enable_metadata_routing"]:
            self.split_params: Mapping[str, Any] = {"groups": groups}
            self.fit_params: Mapping[str, Mapping[str, Any]] = dict.fromkeys(named, params)
            self.score_params: Mapping[str, Any] = {}
        else:
            self._route(named, splitter, metrics, groups=groups, params=params)
        n_samples = n_rows(X, "X")
        for given in (self.split_params, self.score_params, *self.fit_params.values()):
            for name, value in given.items():
                refuse_masked(value, name)
                if name.rpartition("__")[2] not in PER_SAMPLE or value is None or isinstance(value, Number):
                    continue
                if n_rows(value, name) != n_samples:
                    raise ValueError(
                        f"{name} must have one row per sample of X, {n_samples}; got {n_rows(value, name)}"
                    )
                check_aligned(**{"X": X, name: value})

    def _route(
        self, named: Mapping[str, Any], splitter: Any, metrics: Sequence[Metric], *, groups: Any, params: dict[str, Any]
    ) -> None:
        """By what splitter, estimators and scorers ask for."""
        if groups is not None:
            raise ValueError(
                "groups must be None when metadata routing is enabled; pass params={'groups': ...} instead"
            )
        router = MetadataRouter(owner="PairedEvaluator")
        router.add(splitter=splitter, method_mapping=MethodMapping().add(caller="fit", callee="split"))
        for i, estimator in enumerate(named.values()):
            router.add(**{f"estimator_{i}": estimator}, method_mapping=MethodMapping().add(caller="fit", callee="fit"))
        scorers = {m.name: m.source for m in metrics if m.routable}
        if scorers:
            scorer = check_scoring(scoring=scorers)
            router.add(scorer=scorer, method_mapping=MethodMapping().add(caller="fit", callee="score"))
        try:
            routed = process_routing(router, "fit", **params)
        except UnsetMetadataPassedError as error:
            raise UnsetMetadataPassedError(
                message=str(error).replace("PairedEvaluator.fit", "PairedEvaluator.evaluate"),
                unrequested_params=error.unrequested_params,
                routed_params=error.routed_params,
            ) from None
        self.split_params = routed["splitter"]["split"]
        self.fit_params = {name: routed[f"estimator_{i}"]["fit"] for i, name in enumerate(named)}
        self.score_params = routed["scorer"]["score"] if scorers else {}
