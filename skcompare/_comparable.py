"""Questions to scores, written once for results and studies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from numpy.typing import ArrayLike, NDArray

from skcompare._answers import Answer, Comparison, Ranking
from skcompare._core.validation import Alternative, FloatArray, check_choice, check_integer, check_several, old_names
from skcompare.comparison.compare import compare, deciding, run_procedure
from skcompare.comparison.dominance import DominanceTable, JointRecord, dominance, front
from skcompare.comparison.error_rates import error_rates
from skcompare.comparison.means import rank
from skcompare.comparison.rates import ConfusionMatrices, RatesTable, confusion_matrices, disagreements, rates
from skcompare.comparison.reliability import ExpectedCostTable, ReliabilityTable, expected_cost, reliability
from skcompare.inference import ParetoFront
from skcompare.inference.curves.reliability import Strategy
from skcompare.reporting.findings import find, on_few_splits
from skcompare.reporting.opening import opening
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.predictions import check_unweighted, pool

if TYPE_CHECKING:
    from skcompare._typed import Correction


class Comparable:
    """What a result and a study are asked; each question is one function of the scores."""

    @property
    def primary(self: Any) -> str:
        """The metric that decides: the first one, or the one that chose the candidates."""
        return deciding(self._scores)

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
        """Run one procedure by its name: a test, an interval or a posterior.

        The procedure reads the design from the result, so that it cannot be given what it was not made for.

        Parameters
        ----------
        procedure : str, default="auto"
            Name of a procedure, one of `skcompare.procedures`. ``"auto"`` on one data set is the default for the
            design, or the `calibrated_t_test` where the result has a calibration for the metric; on several data sets
            the `signed_rank_test` for two estimators, or where `a` or `b` is given, and the `friedman_test` for more;
            where estimators lack data sets `adjusted_means_test` and `skillings_mack_test`.
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
            Further options of the procedure, e.g. ``scheme="sorted_runs"``, or ``margin=0.01``, the smallest
            difference that matters, of `equivalence_test` and the posteriors. Without ``rng`` what is
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
        return run_procedure(
            self._scores, procedure, metric=metric, a=a, b=b, alternative=alternative, null=null, **options
        )

    @old_names(rope="margin")
    def compare(
        self: Any,
        procedure: str = "auto",
        *,
        metrics: str | Sequence[str] | None = None,
        primary: str | None = None,
        family: Literal["first", "all"] = "first",
        baseline: str | None = None,
        correction: Correction | Literal["none"] = "holm",
        alternative: Alternative = "two-sided",
        margin: float | Mapping[str, float] | None = None,
        null: float | Mapping[str, float] = 0.0,
        alpha: float | None = None,
        horizon: int | None = None,
        period: int | None = None,
    ) -> Comparison:
        """Test all pairs of estimators on several metrics.

        All pairs on the first metric share one error budget, and all pairs on the other metrics together another one,
        so that further metrics change no number about the first. The interval of a row has the level of its family,
        ``1 - alpha / m`` for `m` comparisons: it leaves out the difference under the null hypothesis where the outcome
        is significant, and nowhere else.

        Parameters
        ----------
        procedure : str, default="auto"
            A test of two estimators with a p-value, as in `test`.
        metrics : str or sequence of str, optional
            Whose rows to show, all by default; they change no number.
        primary : str, optional
            The metric that has an error budget of its own; the first one by default.
        family : {"first", "all"}, default="first"
            ``"all"``: all pairs on all metrics share one error budget.
        baseline : str, optional
            Compare every other estimator (as `a`) with this one (as `b`) instead of all pairs.
        correction : str, default="holm"
            A method of `adjust_pvalues`, over all comparisons of a family, or ``"none"``: each row then speaks for
            itself alone. With those that control the false discovery rate that rate is at most `alpha`.
        alternative : {"two-sided", "greater", "less"}, default="two-sided"
            ``"greater"``: `a` is better.
        margin : float or mapping of metric to float, optional
            The smallest difference that matters, in score units: half the width of the region of practical equivalence.
            Adds to every row of the metrics it names the probabilities of `correlated_t_posterior`, on several data
            sets of `signed_rank_posterior`. Two models are equivalent where the whole interval lies in the region: two
            one-sided tests, each at half the level of the row. Models with equal scores everywhere are so unless their
            predictions are known and differ.
        null : float or mapping of metric to float, default=0
            The difference ``a - b`` under the null hypothesis, as in `test`; 0 for metrics that a mapping leaves out.
            It is about `a` against `b`: with a margin say by `baseline` which model is `b`. `summary` and `answer` ask
            about a difference of 0.
        alpha : float, optional
            The error rate of each family, in (0, 1): 0.05 by default, of candidates of a search and of a run that was
            looked at their own.
        horizon : int, optional
            Of `diebold_mariano_test`, the default in time order: losses are alike over less than so many steps.
            `summary` and `answer` know of none.
        period : int, optional
            Of the same test: times after which losses recur, so that means of whole periods are tested; 1 tests single
            times. By default that of the design, which is read from a regular index of times.

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
        check_choice(family, "family", ("first", "all"))
        check_several(self.estimators)
        table = compare(
            self._scores,
            procedure,
            metrics=metrics,
            primary=primary,
            family=family,
            baseline=baseline,
            correction=correction,
            alternative=alternative,
            rope=margin,
            null=null,
            alpha=alpha,
            horizon=None if horizon is None else check_integer(horizon, "horizon", low=1),
            period=None if period is None else check_integer(period, "period", low=1),
        )
        known = error_rates(self._scores, table) if isinstance(self._scores, EvaluationScores) else None
        return Comparison.of(replace(table, warnings=on_few_splits(self._scores, known)))

    def answer(self: Any, primary: str | None = None) -> Answer:
        """Who leads, who is significantly worse, and who is not significantly different.

        The comparisons on the first metric decide, with one error rate of 5%, as in `compare`; of an evaluation that
        was looked at while it ran, its looks. Every report and picture says what this record says.

        Parameters
        ----------
        primary : str, optional
            The metric that decides; the first one by default.

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
        Use nb: +0.180 score over tree (95% interval +0.112 to +0.248).
        <BLANKLINE>
        metric  leads  significantly worse
        ----------------------------------
        score   nb     tree
        """
        found = find(self._scores, primary=primary)
        return replace(Answer.of(found.answer), _line=opening(found))

    def rank(
        self: Any,
        metric: str | None = None,
        *,
        primary: str | None = None,
        simultaneous: bool = True,
        correction: Correction | Literal["none"] = "holm",
        alpha: float | None = None,
    ) -> Ranking:
        """Rank the models on one metric: which ranks each may have, and which may be first.

        The interval of a rank begins at one more than the number of estimators that are significantly better, and ends
        at the number of all less those that are significantly worse. Both are counted in the rows of `compare`, so that
        no rank contradicts one of them.

        Parameters
        ----------
        metric : str, optional
            The one that decides by default.
        primary : str, optional
            The metric that decides, as in `compare`: it has an error rate of its own.
        simultaneous : bool, default=True
            Whether the intervals hold for all estimators at once. Otherwise each holds for an estimator that was chosen
            before looking: it rests on the comparisons of this one alone, and is never wider.
        correction : str, default="holm"
            As in `compare`.
        alpha : float, optional
            The level, as in `compare`.

        Returns
        -------
        Ranking
            Of the estimators that have a score; over data sets by the mean ranks, with the test that all are equal.

        Raises
        ------
        ValueError
            If a name or an option is unknown, no estimator has scores of the metric, or `simultaneous` is False of
            candidates of a search or a run that was looked at.

        References
        ----------
        M. Mogstad, J. P. Romano, A. M. Shaikh and D. Wilhelm (2024), Inference for ranks with applications to mobility
        across neighbourhoods and academic achievement across countries, The Review of Economic Studies 91(1), 476-518,
        :doi:`10.1093/restud/rdad006`.

        Examples
        --------
        >>> from skcompare import from_frame
        >>> scores = [0.9, 0.8, 0.9, 0.8, 0.9, 0.8, 0.9, 0.8, 0.8, 0.9, 0.5, 0.6, 0.4, 0.5, 0.4]
        >>> table = {"model": ["nb"] * 5 + ["svm"] * 5 + ["tree"] * 5, "fold": [*range(5)] * 3, "score": scores}
        >>> found = from_frame(table).rank()
        >>> found.may_be_first, found.low.tolist(), found.high.tolist()
        (('nb', 'svm'), [1, 1, 3], [2, 2, 3])
        """
        options: dict[str, Any] = {"simultaneous": simultaneous, "correction": correction, "alpha": alpha}
        return Ranking.of(rank(self._scores, metric, primary=primary, **options))

    @old_names(rope="margin")
    def dominance(
        self: Any,
        method: str = "glrt",
        *,
        metrics: Sequence[str] | None = None,
        a: str | None = None,
        b: str | None = None,
        correct_folds: bool = True,
        margin: float | Mapping[str, float] | None = None,
        **options: Any,
    ) -> JointRecord | DominanceTable:
        """Test on all metrics at once which of two models is better, and on which metrics.

        Parameters
        ----------
        method : {"glrt", "dirichlet", "network", "table"}, default="glrt"
            The likelihood-ratio test, the Bayesian posterior, or both under a Bayesian network of the metrics that
            is learned from the scores, beside what they say without it. ``"table"``: the first two of every pair, under
            one error budget.
        metrics : sequence of str, optional
            All by default, at most 12; at most 8 for the network.
        a, b : str, optional
            Estimators; the first and the second by default.
        correct_folds : bool, default=True
            Count the correlated folds of one data set for the number of independent cases they are worth
            (`effective_cases`). Without it true nulls are rejected about half of the time on 10x10 folds. Of several
            data sets each one is an independent case.
        margin : float or mapping of metric to float, optional
            Largest difference, in score units, that is a tie; 0 by default. Of ``"fit_time"`` and ``"predict_time"``
            it is 10% of the larger typical time unless a mapping names them, and their medians over the repeats are
            compared, fold by fold. The record says so.
        **options
            ``statement`` of the likelihood-ratio test; ``prior`` of the posterior; ``structure``, ``n_draws`` and
            ``rng`` of the network; ``baseline`` and ``correction`` of the table, as in `compare`. See `dominance_test`,
            `dominance_posterior` and `dominance_network`.

        Returns
        -------
        DominanceTestResult, DominancePosterior, DominanceNetworkResult or DominanceTable
            By `method`. In its statement, True means that `a` is better on that metric; `str` gives it in print.

        Raises
        ------
        ValueError
            If a name, the method or an option is unknown, or no split has a score for all metrics.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcompare import PairedEvaluator
        >>> evaluator = PairedEvaluator(scoring=["accuracy", "roc_auc", "model_size"], random_state=0)
        >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)}
        >>> result = evaluator.evaluate(models, *load_breast_cancer(return_X_y=True))
        >>> print(result.dominance())
        The most frequent pattern of wins, nb better than tree on all 3 metrics, is not significantly
        more frequent than every other one: dominance test p = 0.078.
        Method: dominance likelihood-ratio test, 13.7 effective cases.
        """
        options |= {"metrics": metrics, "a": a, "b": b, "correct_folds": correct_folds, "rope": margin}
        return dominance(self._scores, method, **options)

    @old_names(rope="margin")
    def pareto_front(
        self: Any,
        *,
        metrics: Sequence[str] | None = None,
        margin: float | Mapping[str, float] | None = None,
        n_draws: int = 10_000,
        rng: Any = None,
    ) -> ParetoFront:
        """The models that no other one dominates on all metrics.

        Parameters
        ----------
        metrics : sequence of str, optional
            All by default.
        margin : float or mapping of metric to float, optional
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
        return front(self._scores, metrics=metrics, rope=margin, n_draws=n_draws, rng=rng)


# Questions to the predictions that a result keeps: what a threshold gives, which classes are mistaken, who differs.


class Predicted:
    """What a result says of its predictions; each sample counts once, from the first complete repeat."""

    __slots__ = ()

    def rates(
        self: Any,
        threshold: ArrayLike | None = None,
        *,
        estimators: str | Sequence[str] | None = None,
        confidence_level: float = 0.95,
        positive: Any = None,
    ) -> RatesTable:
        """True and false positive rate and precision of models at given thresholds.

        A threshold is on the probability of the positive class, or on the decision value of a model of which only
        that was kept: `scoring` with ``"neg_brier_score"`` or ``"neg_log_loss"`` keeps probabilities. The test sets of
        the first repeat are pooled, or the first of overlapping ones is taken.

        Parameters
        ----------
        threshold : float or array_like of shape (n_thresholds,), optional
            A sample is called positive where its score is at least this; by default 0.5 of probabilities and 0 of
            decision values.
        estimators : str or sequence of str, optional
            The models; by default all that predicted anything.
        confidence_level : float, default=0.95
            Of the Wilson interval of each rate, in (0, 1).
        positive : label, optional
            The class that is set against all others; `positive_class` by default, of more than two classes to be named.

        Returns
        -------
        RatesTable
            One row per model and threshold, with the counts, also as `hits`, `misses`, `false_alarms` and
            `correct_rejections`; a row prints their shares with intervals. A rate that is 0/0 is nan, with the warning
            WEAK_METRIC.

        Raises
        ------
        ValueError
            If a name is unknown, an option is out of range, `positive` is no class, or no class scores were kept.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> y_true = [1, 1, 1, 0, 0, 0] * 20
        >>> models = {"a": [0.9, 0.8, 0.4, 0.3, 0.2, 0.1] * 20, "b": [0.6, 0.7, 0.4, 0.6, 0.2, 0.3] * 20}
        >>> result = from_predictions(y_true, models, scoring="neg_brier_score")
        >>> for row in result.rates([0.3, 0.5], estimators="b"):
        ...     print(row.threshold, row.true_positives, row.false_positives, round(row.precision, 3))
        0.3 60 40 0.6
        0.5 40 20 0.667
        """
        return rates(
            self._scores, threshold, estimators=estimators, confidence_level=confidence_level, positive=positive
        )

    def expected_cost(
        self: Any,
        cost: Mapping[tuple[Any, Any], float] | ArrayLike,
        *,
        baseline: str | None = None,
        confidence_level: float = 0.95,
    ) -> ExpectedCostTable:
        """Mean cost per sample of every model, where each kind of error has a cost.

        The estimated risk of each model (its expected loss) on the predictions that were kept, from which the splits
        are scored anew: as if `cost_scorer` with these costs had been in `scoring`. Intervals are those of
        ``intervals()``, tests those of ``compare()``, so that they fit folds, a test set and clusters alike.

        Parameters
        ----------
        cost : mapping of (true class, predicted class) to float, or array_like of shape (n_classes, n_classes)
            As in `cost_scorer`; the rows and columns of an array are the sorted classes of the data.
        baseline : str, optional
            A model with which all others are compared; all pairs by default.
        confidence_level : float, default=0.95
            Of the interval of each model, in (0, 1).

        Returns
        -------
        ExpectedCostTable
            One row per model, and `comparison` with the pairs. The warning WEAK_METRIC tells where few samples carry
            most of the cost: tests and intervals are then uncertain, whatever they say.

        Raises
        ------
        ValueError
            If the costs do not fit the classes, predicted classes were not kept, samples have weights, or the run was
            looked at while it ran.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> y_true = [1, 1, 1, 0, 0, 0] * 20
        >>> models = {"a": [1, 1, 1, 1, 0, 0] * 20, "b": [1, 1, 0, 0, 0, 0] * 20}
        >>> found = from_predictions(y_true, models, scoring="accuracy").expected_cost({(1, 0): 5, (0, 1): 1})
        >>> for row in found:
        ...     print(row.estimator, round(row.cost, 3), round(row.low, 3), round(row.high, 3))
        a 0.167 0.099 0.234
        b 0.833 0.495 1.172
        >>> found.comparison[0].winner
        'a'
        """
        return expected_cost(self._scores, cost, baseline=baseline, confidence_level=confidence_level)

    def disagreements(self: Any, a: str | None = None, b: str | None = None) -> Any:
        """The samples on which two models predict different classes, as a pandas DataFrame.

        The test sets of the first repeat are taken, or the first of overlapping ones; test sets on which one of the
        two failed are left out.

        Parameters
        ----------
        a, b : str, optional
            The models; the first and the second by default.

        Returns
        -------
        pandas.DataFrame
            Columns: sample (its id, or its row of X), y_true, prediction_a, prediction_b, right (the name of the model
            that is right, None where neither is); in the order of the rows of X.

        Raises
        ------
        ImportError
            If pandas is not installed.
        ValueError
            If a name is unknown, or predicted classes were not kept.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> y_true = [1, 1, 1, 0, 0, 0] * 20
        >>> models = {"a": [0.9, 0.8, 0.4, 0.3, 0.2, 0.1] * 20, "b": [0.6, 0.7, 0.4, 0.6, 0.2, 0.3] * 20}
        >>> result = from_predictions(y_true, models, scoring="neg_brier_score")
        >>> result.disagreements()["right"].value_counts().to_dict()
        {'a': 20}
        """
        return disagreements(self._scores, a, b)

    def confusion_matrices(self: Any, *, estimators: str | Sequence[str] | None = None) -> ConfusionMatrices:
        """How often each class is taken for each other one, for every model.

        The test sets of the first repeat are pooled, or the first of overlapping ones is taken, the same samples for
        all models; ``plot("confusion")`` draws one model, or two with their difference.

        Parameters
        ----------
        estimators : str or sequence of str, optional
            The models; by default all that predicted anything.

        Returns
        -------
        ConfusionMatrices
            With ``of(name)`` and ``difference(a, b)``.

        Raises
        ------
        ValueError
            If a name is unknown, or predicted classes were not kept.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> y_true = [1, 1, 1, 0, 0, 0] * 20
        >>> models = {"a": [0.9, 0.8, 0.4, 0.3, 0.2, 0.1] * 20, "b": [0.6, 0.7, 0.4, 0.6, 0.2, 0.3] * 20}
        >>> result = from_predictions(y_true, models, scoring="neg_brier_score")
        >>> result.confusion_matrices().of("a").tolist()
        [[60, 0], [20, 40]]
        """
        return confusion_matrices(self._scores, estimators=estimators)

    def reliability(
        self: Any,
        a: str | None = None,
        b: str | None = None,
        *,
        estimators: str | Sequence[str] | None = None,
        n_bins: int = 10,
        strategy: Strategy = "uniform",
        n_resamples: int = 2000,
        positive: Any = None,
    ) -> ReliabilityTable:
        """How good the models' probabilities are, and which pairs differ significantly.

        Brier score and log loss of two models are compared by `paired_t_test` on the losses of single samples, the
        expected calibration error by `calibration_error_test`; the three p-values share one error rate (Holm). They
        speak of these fitted models. ``plot("reliability")`` draws the calibration curves.

        Parameters
        ----------
        a, b : str, optional
            The two models that are tested; the first and the second of `estimators` by default.
        estimators : str or sequence of str, optional
            The models; by default all that predicted anything.
        n_bins : int, default=10
            Bins of the calibration error, at least 1.
        strategy : {"uniform", "quantile"}, default="uniform"
            Bins of equal width, or with about equal numbers of samples.
        n_resamples : int, default=2000
            Bootstrap samples of the calibration error, at least 2; their seed is the evaluator's.
        positive : label, optional
            The class whose probability is judged against all others; `positive_class` by default, of more than two
            classes to be named. ``"neg_log_loss"`` and ``"neg_brier_score"`` in `scoring` judge all classes at once.

        Returns
        -------
        ReliabilityTable
            One row per model, and ``differences`` of the two.

        Raises
        ------
        ValueError
            If a name is unknown, an option is out of range, `positive` is no class, or no probabilities were kept:
            ``"neg_brier_score"`` or ``"neg_log_loss"`` in `scoring` keeps them.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> y_true = [1, 1, 1, 0, 0, 0] * 20
        >>> models = {"a": [0.9, 0.8, 0.4, 0.3, 0.2, 0.1] * 20, "b": [0.6, 0.7, 0.4, 0.6, 0.2, 0.3] * 20}
        >>> result = from_predictions(y_true, models, scoring="neg_brier_score")
        >>> found = result.reliability()
        >>> [round(row.brier, 3) for row in found], [row.winner for row in found.differences]
        ([0.092, 0.183], ['a', 'a', None])
        """
        options = {"n_bins": n_bins, "strategy": strategy, "n_resamples": n_resamples}
        return reliability(self._scores, a, b, estimators=estimators, positive=positive, **options)

    def class_scores(self: Any, estimator: str) -> tuple[NDArray[Any], FloatArray]:
        """Labels and scores of one estimator, for the curves and costs of `skcompare.inference`.

        The test sets of the first repeat are pooled, or the first of overlapping ones is taken: scores of models
        fitted on different training sets then stand side by side.

        Parameters
        ----------
        estimator : str
            Its name.

        Returns
        -------
        y_true : ndarray of shape (n_samples,)
            Labels of two classes.
        scores : ndarray of shape (n_samples,)
            Decision values, or the probability of the greater label.

        Raises
        ------
        ValueError
            If the name is unknown, or the scores were not kept: a metric such as ``"roc_auc"`` asks for them.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> from skcompare.inference import expected_cost
        >>> y_true = [1, 1, 1, 0, 0, 0] * 20
        >>> models = {"a": [0.9, 0.8, 0.4, 0.3, 0.2, 0.1] * 20, "b": [0.6, 0.7, 0.4, 0.6, 0.2, 0.3] * 20}
        >>> result = from_predictions(y_true, models, scoring="neg_brier_score")
        >>> best = expected_cost(*result.class_scores("a"), cost_false_negative=5)
        >>> best.cost < expected_cost(*result.class_scores("b"), cost_false_negative=5).cost
        True
        """
        self._scores.estimator_index(estimator)
        check_unweighted(self._scores, "class_scores")
        pooled = pool(self._scores, (estimator,))
        return pooled.y_true.copy(), pooled.class_scores(estimator)
