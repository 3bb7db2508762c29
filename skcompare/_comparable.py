"""Questions to scores, written once for results and studies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from skcompare._answers import Answer, Comparison
from skcompare._core.validation import Alternative, check_integer
from skcompare.comparison.answer import answer
from skcompare.comparison.compare import compare, run_procedure
from skcompare.comparison.front import front
from skcompare.inference import ParetoFront
from skcompare.reporting.summary.error_rates import with_error_rates


class Comparable:
    """What a result and a study are asked; each question is one function of the scores."""

    def test(
        self: Any,
        procedure: str = "auto",
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = None,
        a: str | None = None,
        b: str | None = None,
        alternative: Alternative | None = None,
        null: float = 0.0,
        **options: Any,
    ) -> Any:
        """Run one procedure: on one metric of two estimators, on several metrics at once, or on all estimators.

        The procedure reads the design from the result, so that it cannot be given what it was not made for.

        Parameters
        ----------
        procedure : str, default="auto"
            Name of a procedure, one of `skcompare.procedures`. ``"auto"`` on one data set is the default for the
            design, or the `calibrated_t_test` where the result has a calibration for the metric; on several data sets
            the `signed_rank_test` for two estimators, or where `a` or `b` is given, and the `friedman_test` for more.
        metric : str, sequence of str or callable, optional
            The first metric that the procedure can speak of by default. `paired_metric_test` and `paired_bootstrap`
            also take a callable ``(y_true, y_pred) -> float``. Procedures on several metrics at once, such as
            `max_t_test`, take a sequence, all metrics by default.
        a, b : str, optional
            Estimators; the first and the second by default. Procedures on one model take `a`, those on all neither.
        alternative : {"two-sided", "greater", "less"}, optional
            The procedure's own by default: ``"two-sided"`` of most, ``"less"`` of an error rate. ``"greater"``: `a` is
            better; of an error rate: it is above the threshold, and ``"less"``: below.
        null : float, default=0
            The difference ``a - b`` under the null hypothesis, in score units, positive in favour of `a` on every
            metric. With ``alternative="greater"`` a positive one asks whether `a` is better by more than it, a negative
            one whether `a` is not worse by more than its size (non-inferiority). Where ``"auto"`` cannot test it, the
            default is the test on the same evidence that can. That two models are equivalent is another question:
            `equivalence_test`.
        **options
            Further options of the procedure, e.g. ``scheme="sorted_runs"`` or ``rope=0.01``. Without ``rng`` what is
            drawn at random is drawn with the seed of the result, so that the same call gives the same numbers.

        Returns
        -------
        record
            The procedure's own record. Its estimate is oriented: positive favours `a`.

        Raises
        ------
        ValueError
            If a name is unknown, an option or the design does not fit the procedure, or no scores are left; if the
            procedure cannot test a `null` other than 0, naming those that can.
        """
        return run_procedure(self, procedure, metric=metric, a=a, b=b, alternative=alternative, null=null, **options)

    def compare(
        self: Any,
        procedure: str = "auto",
        *,
        metrics: str | Sequence[str] | None = None,
        baseline: str | None = None,
        correction: str = "holm",
        alternative: Alternative = "two-sided",
        rope: float | Mapping[str, float] | None = None,
        null: float | Mapping[str, float] = 0.0,
        horizon: int | None = None,
    ) -> Comparison:
        """Test all pairs of estimators on several metrics, under one error budget.

        Parameters
        ----------
        procedure : str, default="auto"
            A test of two estimators with a p-value, as in `test`.
        metrics : str or sequence of str, optional
            All by default.
        baseline : str, optional
            Compare every other estimator (as `a`) with this one (as `b`) instead of all pairs.
        correction : str, default="holm"
            A method of `adjust_pvalues`, over all rows together.
        alternative : {"two-sided", "greater", "less"}, default="two-sided"
            ``"greater"``: `a` is better.
        rope : float or mapping of metric to float, optional
            Half width of the region of practical equivalence, in score units; adds to every row of the metrics it
            names the probabilities of `correlated_t_posterior`, on several data sets of `signed_rank_posterior`.
        null : float or mapping of metric to float, default=0
            The difference ``a - b`` under the null hypothesis, as in `test`; 0 for metrics that a mapping leaves out.
            It is about `a` against `b`: with a margin say by `baseline` which model is `b`. `summary` and `answer` ask
            about a difference of 0.
        horizon : int, optional
            Of `diebold_mariano_test`, the default in time order: losses are alike over less than so many steps.
            `summary` and `answer` know of none.

        Returns
        -------
        Comparison
            Where a pair has no scores of a metric the row is nan and not comparable, and its warnings say why. Wins,
            ties and losses count splits, or data sets where there are several.

        Raises
        ------
        ValueError
            If a name is unknown, an option out of range, or the procedure does not fit the design or the `null`; of a
            run that was looked at (`StopRule`), if anything but the default test of a difference of 0 is asked for.
        """
        table = compare(
            self,
            procedure,
            metrics=metrics,
            baseline=baseline,
            correction=correction,
            alternative=alternative,
            rope=rope,
            null=null,
            horizon=None if horizon is None else check_integer(horizon, "horizon", low=1),
        )
        return Comparison.of(with_error_rates(self, table))

    def answer(self: Any) -> Answer:
        """What can be said of the models: who leads, who is significantly worse, who not significantly different.

        One family of comparisons decides, all pairs on all metrics with one error rate of 5%, as in `compare`; of an
        evaluation that was looked at while it ran, its looks. Every report and picture says what this record says.

        Returns
        -------
        Answer
            Per metric and per pair; it prints as the first line of `summary`.

        Examples
        --------
        >>> from skcompare import from_frame
        >>> scores = [0.9, 0.9, 0.9, 0.9, 0.8, 0.7, 0.7, 0.7, 0.7, 0.7]
        >>> table = {"model": ["nb"] * 5 + ["tree"] * 5, "fold": [*range(5)] * 2, "score": scores}
        >>> print(from_frame(table).answer())
        Use nb. tree is significantly worse.
        <BLANKLINE>
        metric  leads  significantly worse
        ----------------------------------
        score   nb     tree
        """
        return Answer.of(answer(self))

    def pareto_front(
        self: Any,
        *,
        metrics: Sequence[str] | None = None,
        rope: float | Mapping[str, float] | None = None,
        n_draws: int = 10_000,
        rng: Any = None,
    ) -> ParetoFront:
        """Which estimators no other one dominates: is at least as good as on all metrics and better on one.

        Parameters
        ----------
        metrics : sequence of str, optional
            All by default.
        rope : float or mapping of metric to float, optional
            Largest difference of two means, in score units, that is a tie; by default 0. On one data set of
            ``"fit_time"`` and ``"predict_time"`` the medians over the repeats are compared, by default up to a ratio of
            1.1.
        n_draws : int, default=10000
            Draws from the posterior of the means, which allows for the overlap of the training sets.
        rng : None, int or numpy Generator, optional
            The seed of the result by default.

        Returns
        -------
        ParetoFront
            The front of the mean scores, and for every estimator the probability that it is on the front.

        Raises
        ------
        ValueError
            If a metric is unknown, or no split has all scores of the estimators; an estimator that has none of a
            metric is left out, and the record says so.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.neighbors import KNeighborsClassifier
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcompare import PairedEvaluator
        >>> evaluator = PairedEvaluator(cv=10, scoring=["roc_auc", "model_size"], random_state=0)
        >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3), "knn": KNeighborsClassifier()}
        >>> result = evaluator.evaluate(models, *load_breast_cancer(return_X_y=True))
        >>> result.pareto_front().front()
        ('nb',)
        """
        return front(self, metrics=metrics, rope=rope, n_draws=n_draws, rng=rng)
