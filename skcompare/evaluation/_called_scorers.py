"""The scorers of a plan, called on a fitted model so that none sees what another one wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any

import sklearn
from sklearn.metrics import accuracy_score, check_scoring, make_scorer

from skcompare._core.own_copies import own_copy
from skcompare.evaluation._known_code import guarded

_MULTIMETRIC = type(check_scoring(scoring={"accuracy": make_scorer(accuracy_score)}))
Data = tuple[tuple[Any, ...], Mapping[str, Any]]  # X and y, or X alone, and the parameters of scorers


class CalledScorers:
    """Known scorers together, so that they share predictions; each other one alone, on data of its own.

    Parameters
    ----------
    scorer : callable
        Of a user, or scikit-learn's of several metrics.

    raises : bool, optional
        Whether a failure passes; by default as the scorer has it.

    Attributes
    ----------
    several : bool
        Whether it is a scorer of several metrics.
    unknown : bool
        Whether one of them may change the model, or what it is given.
    """

    def __init__(self, scorer: Any, *, raises: bool | None = None) -> None:
        self.several = type(scorer) is _MULTIMETRIC
        self._scorer = scorer
        self._raises = not self.several or bool(scorer._raise_exc if raises is None else raises)
        scorers: Mapping[str, Any] = scorer._scorers if self.several else {"": scorer}
        self._names = tuple(scorers)
        found = {name: guarded(one) for name, one in scorers.items()}
        self._known = {name: one for name, one in found.items() if one is not None}
        self._others = {name: one for name, one in scorers.items() if found[name] is None}
        self.unknown = bool(self._others)

    def without_raising(self) -> CalledScorers:
        """The same, with a traceback in place of each score that failed."""
        return CalledScorers(self._scorer, raises=False)

    def __call__(
        self, model: Any, fresh: Callable[[], Data], *, given: Data | None, unchanged: bool, keeps_model: bool = False
    ) -> Any:
        """What the scorers give: scores by name of several metrics.

        Parameters
        ----------
        model : estimator
            Fitted.
        fresh : callable
            Makes the data anew.
        given : Data or None
            Data that are there already, and of which nobody else will see what an unknown scorer writes into them.
        unchanged : bool
            Whether the model is known to leave its input as it is.
        keeps_model : bool, default=False
            Whether the model is needed as it is afterwards.
        """
        turns = [*self._turns(together=unchanged)]
        scored: dict[str, Any] = {}
        for i, scorers in enumerate(turns):
            data, params = fresh() if given is None else given
            if not (unchanged and scorers is self._known):
                given = None
            known = next(iter(scorers)) in self._known
            lent = model if known or (i + 1 == len(turns) and not keeps_model) else _copied(model)
            if not self.several:
                return scorers[""](lent, *data, **params)
            scored |= self._together(scorers, lent, data, params)
        return {name: scored[name] for name in self._names}

    def _turns(self, *, together: bool) -> Iterator[Mapping[str, Any]]:
        """The known scorers, those that read one method where the model may write into X; then the others."""
        if together and self._known:
            yield self._known
        elif self._known:
            groups: dict[str, dict[str, Any]] = {}
            for name, scorer in self._known.items():
                groups.setdefault(str(getattr(scorer, "_response_method", name)), {})[name] = scorer
            yield from groups.values()
        for name, scorer in self._others.items():
            yield {name: scorer}

    def _together(
        self, scorers: Mapping[str, Any], model: Any, data: tuple[Any, ...], params: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Scores by name, with tracebacks in place of those that failed if failures are to be recorded.

        Where the model lacks what one of them needs scikit-learn's scorer fails as a whole; each is then called alone.
        """
        together = _MULTIMETRIC(scorers=dict(scorers), raise_exc=self._raises)
        if params and len(scorers) < len(self._names) and sklearn.get_config()["enable_metadata_routing"]:
            wanted = together.get_metadata_routing().consumes("score", params.keys())
            params = {name: value for name, value in params.items() if name in wanted}
        try:
            return dict(together(model, *data, **params))
        except Exception:
            if self._raises or len(scorers) == 1:
                raise
        alone = (self._together({name: scorer}, model, data, params) for name, scorer in scorers.items())
        return {name: score for one in alone for name, score in one.items()}


def called(scorer: Any, model: Any, *data: Any, **params: Any) -> Any:
    """What one scorer gives, which changes nothing of what it is given."""
    known = guarded(scorer)
    if known is not None:
        return known(model, *data, **params)
    return scorer(_copied(model), *map(own_copy, data), **own_copy(params))


def _copied(model: Any) -> Any:
    """A copy of a fitted model; itself where it cannot be copied."""
    try:
        return deepcopy(model)
    except Exception:
        return model
