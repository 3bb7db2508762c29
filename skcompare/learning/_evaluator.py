"""Evaluation with training sets of several sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skcompare.evaluation._baseline import with_baseline
from skcompare.evaluation._input import checked_call
from skcompare.evaluation._leakage import leakage
from skcompare.evaluation._predictions import EstimatorFailedError
from skcompare.evaluation._prepare import prepare_evaluation
from skcompare.evaluation._train_sizes import check_sizes, cut_to_sizes, warnings_of_sizes
from skcompare.learning._result import LearningCurveResult

SHARES = (0.1, 0.2, 0.4, 0.7, 1.0)


class LearningCurves:
    """What an evaluator does with training sets of several sizes."""

    @checked_call
    def learning_curve(
        self: Any,
        estimators: Mapping[str, Any] | Sequence[Any],
        X: Any,
        y: Any,
        *,
        train_sizes: Sequence[float] = SHARES,
        groups: Any = None,
        params: Mapping[str, Any] | None = None,
    ) -> LearningCurveResult:
        """Evaluate with smaller training sets too: does the verdict hold for another number of samples?

        The test sets are the same at all sizes. The training sets are nested: each is the beginning of a random order
        of the samples of the largest in which the classes are spread evenly, drawn with `random_state`; in time order
        it is the samples just before the test set. With all training samples the scores are those of `evaluate`, and a
        `store` is shared with it.

        Parameters
        ----------
        estimators, X, y, groups, params
            As in `evaluate`.
        train_sizes : sequence of float or of int, default=(0.1, 0.2, 0.4, 0.7, 1.0)
            Shares of the training samples in (0, 1], or numbers of them; two or more.

        Returns
        -------
        LearningCurveResult
            One result per size, compared under one error budget, with the sizes at which models change places.

        Raises
        ------
        ValueError
            If an argument does not fit, naming it; if `stop` is set, under which sizes would have other splits.
        EstimatorFailedError
            If an estimator fails and `error_score` is ``"raise"``.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcompare import PairedEvaluator
        >>> models = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
        >>> evaluator = PairedEvaluator(cv=10, scoring="roc_auc", random_state=0)
        >>> curve = evaluator.learning_curve(models, *load_breast_cancer(return_X_y=True))
        >>> curve.sizes
        (51, 102, 204, 358, 512)
        >>> print(curve)  # doctest: +ELLIPSIS
        Use nb at every size from 51 to 512 training samples: stump is significantly
        worse...
        """
        settings, sizes = self._settings(), check_sizes(train_sizes)
        if self.stop is not None:
            raise ValueError(
                "stop must be None for a learning curve, of which each size would have another number of repeats and "
                f"other models left; got {self.stop!r}"
            )
        if self.nested:
            raise ValueError("nested must be False for a learning curve; evaluate() makes the inner fits")
        named = with_baseline(estimators, self.baseline)
        own = {"cv": self.cv, "scoring": self.scoring, "random_state": self.random_state, "store": settings.store}
        own["added"] = self.scoring is None
        whole = prepare_evaluation(named, X, y, groups=groups, params=params, n_seeds=self.n_seeds, **own)
        found, prepared = leakage(whole) if settings.check_data else (), cut_to_sizes(whole, sizes)
        results = {}
        for size, one in prepared.items():
            try:
                results[size] = self._measured(one, settings, fit_params=bool(params))
            except EstimatorFailedError as error:
                raise EstimatorFailedError(f"with {size} training samples {error}") from error
        return LearningCurveResult(results=results, warnings=(*found, *warnings_of_sizes(prepared)))
