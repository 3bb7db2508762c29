"""How questions are read and answered, and the tests of all pairs of models on one metric, as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare import inference
from skcompare._core.record import Frozen
from skcompare._core.validation import FloatArray, Options, choose_metrics
from skcompare._core.warnings import Code, Warnings
from skcompare.comparison import cases, evidence
from skcompare.comparison import table as comparisons
from skcompare.comparison.error_rates import CalibratedChoice, choose_calibrated
from skcompare.comparison.evidence import DatasetEvidence, Question
from skcompare.comparison.table import Scores
from skcompare.evaluation.metrics.scorers import known_costs
from skcompare.inference import _procedures as procedures
from skcompare.inference import _records as records
from skcompare.inference._distributions import skewed_statistic, skewness_of_means, t_pvalue
from skcompare.inference._kinds import Compared, interval_tail, with_names
from skcompare.inference._multiplicity import Least
from skcompare.inference._procedures import Procedure
from skcompare.inference._records import ManyTTests, Positions
from skcompare.inference.datasets.signed_rank import least_signed_rank, many_signed_ranks
from skcompare.inference.outcomes.agreement import least_mcnemar, mcnemar_pvalues, of_counts
from skcompare.inference.outcomes.auc import PRECISION_DRAWS, many_precision_tests, spread_of_areas
from skcompare.inference.outcomes.dependent import wald_pvalues
from skcompare.inference.outcomes.exchange import least_exchange, many_metric_tests
from skcompare.inference.outcomes.predictions import DEFAULT_DRAWS
from skcompare.scores.evaluation import EvaluationScores, criterion_warnings, is_judged, once
from skcompare.scores.measures import check_measured, measure, measured, number_counted, of_labels, of_scores
from skcompare.scores.predictions import MissingEvidenceError, check_unweighted
from skcompare.scores.rare_classes import is_undefined
from skcompare.scores.study import StudyScores

_BY_NUMBER = ("holm", "bonferroni")  # corrections that multiply a p-value by how many are not smaller, at least
_OF_CASES = ("paired_t_test", "equivalence_test")  # few of which may differ
MOST_PAIRS = 1000  # that reports compare; of more those with the leaders


class EvaluationQuestions(Frozen, kw_only=False):
    """How questions about one data set are read and answered."""

    scores: EvaluationScores
    set_by = "design"

    def find(self, name: str, given: Any, *, metric: Any = None, of_pair: bool = False, null: float = 0.0) -> Procedure:
        """The row of the table; ValueError where it does not fit the design."""
        del of_pair  # the default of one data set is the same for all models
        if name == "auto" and self.scores.selected is not None:
            name = records.default_t_test(self.scores.design)  # the test of the ranking
        design, of = self.scores.design, ""
        if name == "auto" and design.kind != "folds":
            if not (isinstance(metric, str) or callable(metric)):
                metric = choose_metrics(metric, self.scores.metrics, "metric")[0]
            of = measure(self.scores, metric)
        found = procedures.find_procedure(name, design, given, of, null=bool(null))
        if null:
            alone = design.n_clusters is None
            able = [row for row in procedures.PROCEDURES if row.fits(design, {}) and not (alone and row.needs_clusters)]
            evidence.check_takes_null(found, null, able)
        return found

    def metric_for(self, procedure: Procedure, metric: Any) -> Any:
        """The metric asked for, or the first that a procedure can speak of; of joint procedures the metrics."""
        if procedure.takes.joint:
            if procedure.takes is procedures.STATEMENT_COUNTS:
                return cases.check_metric_count(cases.choose_case_metrics(self.scores, metric))
            names = cases.choose_case_metrics(self.scores, metric, means=True)
            if metric is None:
                return tuple(name for name in names if name in measured(self.scores)) or names
            for name in names:
                check_measured(self.scores, name)
            return names
        if callable(metric) and procedure.takes is procedures.LABELS:
            return metric
        if metric is None:
            spoken = [name for name in measured(self.scores) if self._speaks_of(procedure, name)]
            if not spoken and procedure.takes.kind == "fold scores":
                raise ValueError(
                    f"procedure {procedure.name!r} needs {' or '.join(procedure.metrics)} among the metrics"
                )
            return spoken[0] if spoken else procedure.metrics[0]
        if not self._speaks_of(procedure, metric):
            got = f"{metric!r}: {cases.LOST}" if metric in [*self.scores.lost] else repr(metric)
            raise ValueError(f"metric must be {' or '.join(procedure.metrics)} for {procedure.name!r}; got {got}")
        if procedure.takes.kind == "fold scores":
            self.scores.metric_index(metric)
        return metric

    def _speaks_of(self, procedure: Procedure, metric: Any) -> bool:
        """Whether a procedure can speak of a metric."""
        named = self.scores.read_as.get(metric, metric) if isinstance(metric, str) else metric
        if not procedure.metrics or named in procedure.metrics:
            return True
        of_cases = self.scores.design.kind in ("items", "samples") and metric in self.scores.metrics
        if of_cases and procedure.metrics == ("accuracy",) and measure(self.scores, metric) == "rate":
            return True
        of_items = self.scores.design.kind == "items"
        if of_items or procedure.takes is not procedures.LABELS or not isinstance(metric, str):
            return False
        return of_labels(self.scores, metric) is not None or of_scores(self.scores, metric)

    def metrics_for(self, name: str, procedure: Procedure, metrics: str | Sequence[str] | None) -> tuple[str, ...]:
        """The metrics asked for, or all that a procedure can speak of."""
        known = self.scores.metrics
        if not procedure.metrics or name == "auto":
            return choose_metrics(metrics, known)
        spoken = tuple(name for name in known if self._speaks_of(procedure, name))
        names = spoken if metrics is None else choose_metrics(metrics, known)
        if not names or not set(names) <= set(spoken):
            raise ValueError(
                f"metrics must be among {', '.join(procedure.metrics)} for {procedure.name!r}; got {metrics or known}"
            )
        return names

    def set_options(self, procedure: Procedure) -> set[str]:
        """The options that the scores set."""
        in_clusters: set[str] = {"clusters"} if self.scores.clusters is not None else set()
        return {*procedure.options(self.scores.design), *procedure.takes.set_by_evidence, *in_clusters}

    def evidence(self, question: Question) -> Any:
        """What the procedure of a question takes."""
        check_measured(self.scores, question.metric)
        kind = self.scores.design.kind
        if question.procedure.takes.kind == "predictions" and kind != "items":
            instead = "paired_t_test" if self.scores.clusters is None else "cluster_t_test"
            check_unweighted(self.scores, question.procedure.name, f"; {instead!r} takes them")
            if self.scores.kept_predictions is not None:
                evidence.check_task(self.scores, question.procedure)
            if kind == "samples" and measure(self.scores, question.metric) == "other":
                why = cases.why_untested(self.scores, question.metric)
                raise MissingEvidenceError(f"no test of {question.metric!r} on one test set is known: {why}")
            return evidence.pooled_evidence(self.scores, question)
        metrics = (question.metric,) if not isinstance(question.metric, tuple) else question.metric
        if question.procedure.takes is procedures.IN_ORDER:
            cases.check_settled(self.scores, question.metric, question.procedure.name)
        if question.procedure.takes is procedures.IN_TIME:
            found, added = cases.losses_in_time(self.scores, metrics), evidence.training_variance(self.scores, question)
        else:
            found, added = cases.cases(self.scores, metrics), 0.0
        names = () if found is self.scores else tuple(filter(None, (question.a, question.b)))
        for name, m in product(names, metrics):
            if np.isnan(found.score(name, m)).all():
                cases.values_of(self.scores, name, m)  # which says why
        told = [warning for name in names for m in metrics for warning in evidence.class_warnings(self.scores, name, m)]
        told += (warning for m in metrics for warning in self.scores.cost_warnings(m, *names))
        return question.about(evidence.FoldEvidence, scores=found, told=tuple(told), training_variance=added)

    def pair(self, metric: str, a: str, b: str) -> tuple[FloatArray, FloatArray]:
        """The scores of two models on the splits or cases on which both have one, greater is better."""
        unknown = self.scores.design.kind == "samples" and self.scores.kept_predictions is None
        if unknown or is_judged(self.scores.provenance, metric) or not cases.by_case(self.scores, metric):
            return np.empty(0), np.empty(0)
        try:
            scores = cases.cases(self.scores, (metric,))
        except MissingEvidenceError:
            return np.empty(0), np.empty(0)
        scores_a, scores_b = scores.oriented(a, metric), scores.oriented(b, metric)
        if scores.has_all((a, b), (metric,)):
            return scores_a, scores_b
        with np.errstate(invalid="ignore", over="ignore"):  # of scores that are not finite
            complete = np.isfinite(scores_a - scores_b)
        return scores_a[complete], scores_b[complete]

    def means(
        self, procedure: Procedure, record: Any, compared: tuple[str, str, str], paired: tuple[FloatArray, FloatArray]
    ) -> tuple[float, float]:
        """The two scores that were compared, in the metric's own units: of the paired ones, else of each alone."""
        metric, a, b = compared
        found = record is not None and self.scores.design.kind == "folds"
        sign = 1.0 if self.scores.greater_is_better[self.scores.metric_index(metric)] else -1.0
        if found and procedure.takes.kind == "predictions":
            mean_a, mean_b = evidence.compared_means(self.scores, record, metric, a, b)
            return sign * mean_a, sign * mean_b
        if found and procedure.takes is procedures.IN_TIME:  # each sample counts once
            of_samples = cases.losses_in_time(self.scores, (metric,))
            paired = of_samples.oriented(a, metric), of_samples.oriented(b, metric)
        elif not paired[0].size or self.scores.design.kind == "samples" or self.scores.has_all((a, b), (metric,)):
            known = own_means(self.scores, metric)
            return sign * known[a], sign * known[b]
        mean_a, mean_b = map(comparisons.mean_score, paired)
        return sign * mean_a, sign * mean_b

    def posterior(self, a: FloatArray, b: FloatArray, rope: float) -> Any:
        """The posterior of practical equivalence of a procedure."""
        folds = self.scores.design.kind == "folds"
        correction = records.Correction.of(self.scores.design) if folds else records.Correction(test_fraction=0.0)
        return inference.correlated_t_posterior(a, b, rope=rope, **correction.options)

    def warnings(self, metric: str, a: str, b: str) -> Warnings:
        """Why a pair cannot be compared."""
        found, design = self.scores.score_warnings(metric, a, b), self.scores.design
        if design.kind != "samples" and not design.time_order:
            return found
        found = tuple(one for one in found if one.code != Code.TIME_ORDER.name)
        why = cases.why_untested(self.scores, metric, (a, b))
        return (*found, Code.MISSING_SCORES(f"{metric} is not tested: {why}.", (metric,)))


class StudyQuestions(Frozen, kw_only=False):
    """How questions about several data sets are read and answered."""

    scores: StudyScores
    set_by = "study"

    def find(self, name: str, given: Any, *, metric: Any = None, of_pair: bool = False, null: float = 0.0) -> Procedure:
        """The row of the table; a null hypothesis other than 0 is about a pair."""
        del given  # no design depends on them
        n_models = 2 if of_pair or null else len(self.scores.estimators)
        metric = measured(self.scores)[0] if metric is None else metric
        gaps = name == "auto" and metric in self.scores.metrics and cases.has_gaps(self.scores, metric)
        found = procedures.find_study_procedure(name, n_models=n_models, gaps=gaps)
        evidence.check_takes_null(found, null, procedures.STUDY_PROCEDURES)
        return found

    def metric_for(self, procedure: Procedure, metric: Any) -> Any:  # noqa: ARG002
        """The metric asked for, or the first."""
        metric = measured(self.scores)[0] if metric is None else metric
        self.scores.metric_index(metric)
        return metric

    def metrics_for(self, name: str, procedure: Procedure, metrics: str | Sequence[str] | None) -> tuple[str, ...]:  # noqa: ARG002
        """The metrics asked for, or all."""
        return choose_metrics(metrics, self.scores.metrics)

    def set_options(self, procedure: Procedure) -> set[str]:
        """The options that the scores set."""
        return set(procedure.takes.set_by_evidence)

    def evidence(self, question: Question) -> DatasetEvidence:
        """What the procedure of a question takes."""
        check_measured(self.scores, question.metric)
        return question.about(DatasetEvidence, scores=self.scores)

    def pair(self, metric: str, a: str, b: str) -> tuple[FloatArray, FloatArray]:
        """Mean scores of two models on the data sets on which both have one, greater is better."""
        if is_judged(self.scores.provenance, metric):
            return np.empty(0), np.empty(0)
        scores_a, scores_b = self.scores.oriented(a, metric), self.scores.oriented(b, metric)
        complete = np.isfinite(scores_a) & np.isfinite(scores_b)
        return scores_a[complete], scores_b[complete]

    def means(
        self, procedure: Procedure, record: Any, compared: tuple[str, str, str], paired: tuple[FloatArray, FloatArray]
    ) -> tuple[float, float]:
        """The two means that were compared, in the metric's own units: those of `metric_means`, or of the paired."""
        metric, a, b = compared
        if record is not None and procedure.takes is procedures.PAIR_IN_TABLE:
            means = dict(zip(self.scores.estimators, cases.dataset_means(self.scores, metric).tolist(), strict=True))
            return means[a], means[b]
        sign = 1.0 if self.scores.greater_is_better[self.scores.metric_index(metric)] else -1.0
        own = [self.scores.oriented(name, metric) for name in (a, b)]
        mean_a, mean_b = map(comparisons.mean_score, paired if paired[0].size else own)
        return sign * mean_a, sign * mean_b

    def posterior(self, a: FloatArray, b: FloatArray, rope: float) -> Any:
        """The posterior of practical equivalence of a procedure."""
        return inference.signed_rank_posterior(a, b, rope=rope, rng=self.scores.seed)

    def warnings(self, metric: str, a: str, b: str) -> Warnings:
        """Why a pair cannot be compared."""
        said = f"no data set has {metric} of both {a!r} and {b!r}. Run both on some."
        if cases.has_gaps(self.scores, metric):
            said = f"{evidence.why_not_connected(self.scores, metric, a, b)}. Run some of both on one data set."
        return (Code.MISSING_SCORES(said, (metric, a, b)),)


Questions = EvaluationQuestions | StudyQuestions
InTime = tuple[tuple[str, int], ...]  # the horizon and the period of tests in time order


def questions_to(scores: Scores) -> Questions:
    """How questions to scores are read and answered."""
    return StudyQuestions(scores) if isinstance(scores, StudyScores) else EvaluationQuestions(scores)


def record_of(questions: Questions, chosen: CalibratedChoice, metric: Any, a: str, b: str, options: Options) -> Any:
    """The record of a procedure on the evidence that it takes; what is random is drawn with the seed of the scores."""
    procedure, options = chosen.procedure, {**options, **chosen.options}
    question = Question(procedure=procedure, metric=metric, a=a, b=b, options=options)
    found = procedure.takes.arguments(questions.evidence(question))
    seed = {"rng": questions.scores.seed} if "rng" in procedure.keywords else {}
    null, n = options.get("null", 0.0), 0
    if isinstance(questions, EvaluationQuestions) and procedure.name == "mcnemar_test":
        n = number_counted(questions.scores, metric)
        options |= {"null": null / n} if n and null else {}
    record = procedure.function(*found.positional, **{**seed, **found.options, **options})
    record = of_counts(record, null) if n else record
    positive = {**found.options, **options}.get("positive")
    if isinstance(metric, str) and getattr(record, "changes", None) == ():
        record = cases.of_one_test_set(record, questions.scores, (metric, a, b), found.positional, positive)
    if not getattr(record, "changes", ()):
        record = comparisons.without_claim(record, procedure, found.positional, questions.scores)
    kind = questions.scores.design.kind if isinstance(questions.scores, EvaluationScores) else ""
    if procedure.name in (*_OF_CASES, "delong_test") and kind in ("items", "samples") and record.standard_error > 0:
        if procedure.name == "delong_test":
            record = record.of_few(*spread_of_areas(found.positional, positive))
        elif skewness := float(skewness_of_means(np.subtract(*found.positional))):
            record = record.with_skewness(skewness)
    if any(map(options.get, ("null", "margin", "rope"))) and metric in questions.scores.metrics:
        record = _of_equals(record, questions.scores, procedure, metric, a, b)
    warnings = dict.fromkeys((*record.warnings, *found.warnings))
    done = cases.superfluous(questions.scores)
    named = metric if isinstance(metric, str) else getattr(metric, "__name__", "")
    compared = Compared(a=a, b=b, metric=named)  # a joint record names its metrics itself
    record = with_names(record, compared, warnings=tuple(one for one in warnings if one.code not in done))
    return chosen.explain(record)


def _of_equals(record: Any, scores: Scores, procedure: Procedure, metric: str, a: str, b: str) -> Any:
    """The record asked about a margin: equal scores are its claim only where predictions are equal too."""
    both = replace(record, alternative="two-sided") if hasattr(record, "alternative") else record
    (low, high), design = comparisons.limits_of(both, 1 - comparisons.ALPHA), getattr(scores, "design", None)
    equal = high - low <= records.ROUNDING * abs(getattr(record, "null", 0.0)) or getattr(record, "scale", None) == 0
    if not equal or comparisons.counts_cases(procedure, design) or comparisons.is_size(scores, metric):
        return record
    if (alike := cases.known_alike(scores, metric, a, b)) is None:
        return replace(record, warnings=(*record.warnings, cases.taken_for_one(scores, metric)))
    why = f"{cases.equal_scores(scores)}, and the predictions are not: a margin has no test."
    if alike and procedure.takes is procedures.LABELS:  # of one test set
        alike, why = False, f"{cases.equal_scores(scores)}: how far others may be apart is not known."
    return record if alike else comparisons.blank(record, why)


@once
def _record(scores: Scores, named: str, metric: str, a: str, b: str, side: str, null: float, in_time: InTime) -> Any:
    """The record of a pair, None where the evidence for it is lacking, or a score on one test set is 0/0."""
    if _undefined(scores, metric, a, b):
        return None
    questions = questions_to(scores)
    chosen = choose_calibrated(scores, named, questions.find(named, {}, of_pair=True), metric, a, b)
    options: dict[str, Any] = {"alternative": side} if chosen.procedure.directed else {}
    options |= {**({"null": null} if null else {}), **dict(in_time)}
    try:
        return record_of(questions, chosen, metric, a, b, options)
    except MissingEvidenceError:
        return None
    except ValueError:
        if isinstance(scores, StudyScores) or scores.design.kind != "samples":
            raise
        return None  # scores that no curve can be drawn of, a metric that is not defined on these labels


def _undefined(scores: Scores, metric: str, *names: str) -> bool:
    return isinstance(scores, EvaluationScores) and any(is_undefined(scores, name, metric) for name in names)


def lead(record: Any) -> float:
    """Positive where a difference is above that of the null hypothesis; a median can be 0 where a test is not."""
    if isinstance(record, inference.SignedRankResult):
        return float(record.rank_sum_a - record.rank_sum_b)
    if isinstance(record, inference.SignTestResult):
        return float(record.wins - record.losses)
    return float(record.estimate - record.null)


class PairQuestion(Frozen):
    """What is asked of all pairs on one metric.

    Attributes
    ----------
    named : str
        The name by which the procedure is asked for; "auto" of a calibrated result.
    procedure : Procedure
        Its row.
    alternative : str
        Of every test.
    null : float
        The difference under the null hypothesis.
    rope : float or None
        Half width of the region of practical equivalence.
    in_time : tuple of (str, int)
        Options of tests in time order.
    """

    named: str
    procedure: Procedure
    alternative: str
    null: float = 0.0
    rope: float | None = None
    in_time: InTime = ()


class PairTests(Frozen, eq=False):
    """The tests of some pairs on one metric.

    Attributes
    ----------
    scores : EvaluationScores or StudyScores
        What is compared.
    metric : str
        On which.
    asked : PairQuestion
        The test.
    first, second : ndarray of shape (n_pairs,)
        The positions of the models of each pair.
    pvalues, leads : ndarray of shape (n_pairs,)
        Of each alone, and 1 where the first model is ahead, -1 where the other is; nan where it cannot be compared.
    at_once : ndarray of bool of shape (n_pairs,)
        Which pairs were tested together, as arrays.
    kept : ManyTTests or None
        Those tests; of many pairs they are made again for those that have a row.
    discordant : ndarray of int of shape (n_pairs,), or None
        Of pairs of labels or of means on data sets that are compared as arrays the cases on which models differ; of
        others -1.
    drawn : ndarray of int of shape (n_pairs,), or None
        Draws of pairs that are so many that none of theirs can be significant among all: 1 stands for their p-values.
    """

    scores: Scores
    metric: str
    asked: PairQuestion
    first: Positions
    second: Positions
    pvalues: FloatArray
    leads: NDArray[np.floating]
    at_once: NDArray[np.bool_]
    kept: ManyTTests | None = None
    discordant: Positions | None = None
    drawn: Positions | None = None

    @classmethod
    def of(cls, scores: Scores, metric: str, asked: PairQuestion, pairs: Positions, *, correction: str) -> PairTests:
        """The tests of pairs, of shape (n_pairs, 2): at once where the procedure can, of the others one by one."""
        first, second = pairs.T
        pvalues, leads = np.full(len(pairs), np.nan), np.full(len(pairs), np.nan, dtype=np.float16)
        at_once, more = np.zeros(len(pairs), dtype=bool), dict[str, Any]()
        if isinstance(scores, EvaluationScores) and _at_once(scores, metric, asked):
            complete = np.array([*map(scores.has_all, zip(scores.estimators), repeat((metric,)))])
            at_once = complete[first] & complete[second]
            if at_once.any():
                exact = len(pairs) <= MOST_PAIRS or correction not in _BY_NUMBER
                together, ordinary = _tests(scores, metric, asked, first, second, exact=exact)
                at_once &= ordinary
                pvalues[at_once] = together.pvalue[at_once]
                leads[at_once] = np.sign(together.differences.mean[at_once] - asked.null)
                more["kept"] = together if len(pairs) <= MOST_PAIRS else None
        elif len(pairs) > MOST_PAIRS and isinstance(scores, StudyScores) and asked.procedure.name == "signed_rank_test":
            values = np.array([scores.oriented(name, metric) for name in scores.estimators])
            whole: NDArray[np.bool_] = np.all(np.isfinite(values), axis=1)
            known = np.flatnonzero(whole[first] & whole[second])
            more["discordant"] = np.full(len(pairs), -1)
            ranked = many_signed_ranks(values, first[known], second[known], asked.alternative, asked.null)
            pvalues[known], leads[known], more["discordant"][known] = ranked
        elif len(pairs) > MOST_PAIRS and isinstance(scores, EvaluationScores) and _is_of_cases(scores, asked):
            if asked.procedure.takes is procedures.ESTIMATES:
                values = scores.oriented_scores[:, 0, scores.metric_index(metric)]
                assert scores.covariance_df is not None
                df = scores.covariance_df[:, first, second]
                pvalues[:] = wald_pvalues(values, scores.covariances, df, first, second)
                leads[:] = np.sign(values[first] - values[second])
            elif asked.procedure.takes is procedures.LABELS:
                pvalues[:], leads[:], more["discordant"], drawn = _of_labels(scores, metric, asked, first, second)
                if drawn is not None and correction in _BY_NUMBER and np.count_nonzero(drawn) > drawn.max():
                    pvalues[drawn > 0], more["drawn"] = 1.0, drawn
            else:
                pvalues[:], leads[:], more["discordant"] = _of_cases(scores, metric, asked, first, second)
        tested = {"first": first, "second": second, "pvalues": pvalues, "leads": leads, "at_once": at_once}
        found = cls(scores=scores, metric=metric, asked=asked, **tested, **more)
        for i in np.flatnonzero(np.isnan(pvalues) & ~at_once).tolist():
            record = found.alone(i)
            if record is not None:
                pvalues[i], leads[i] = record.pvalue, np.sign(lead(record))
        return found

    def alone(self, i: int) -> Any:
        """The record of a pair that was not tested together with others; None where evidence is lacking."""
        asked, (a, b) = self.asked, (self.scores.estimators[place[i]] for place in (self.first, self.second))
        return _record(self.scores, asked.named, self.metric, a, b, asked.alternative, asked.null, asked.in_time)

    def each(self) -> FloatArray:
        """The p-values of single pairs, also of those that were not drawn."""
        pvalues = self.pvalues.copy()
        for i in [] if self.drawn is None else np.flatnonzero(self.drawn).tolist():
            pvalues[i] = self.alone(i).pvalue
        return pvalues

    def least(self, i: int) -> Least | float:
        """The smallest p-value that the test of a pair could have given."""
        if self.discordant is not None and self.discordant[i] >= 0:
            if not self.discordant[i]:
                return 1.0
            if self.asked.procedure.takes is procedures.LABELS:
                return least_exchange(int(self.discordant[i]), 0 if self.drawn is None else int(self.drawn[i]))
            if isinstance(self.scores, StudyScores):
                return least_signed_rank(int(self.discordant[i]), len(self.scores.datasets), self.asked.alternative)
            return least_mcnemar(int(self.discordant[i]))
        return 0.0 if self.at_once[i] else comparisons.least_of(self.alone(i))

    def found(self, places: Positions, level: float) -> Iterator[tuple[dict[str, Any], tuple[float, float]]]:
        """The fields of the rows of some pairs that do not depend on other rows, and the ends of their intervals."""
        at_once, together = self.at_once[places], self.kept
        chosen = places[at_once]
        index = iter(chosen.tolist())
        if chosen.size:
            if together is None:
                together, _ = _tests(self.scores, self.metric, self.asked, self.first[chosen], self.second[chosen])
                index = iter(range(len(chosen)))
            ends = np.stack(together.limits(interval_tail(level, self.asked.alternative)), axis=1).tolist()
            counts = np.stack(together.differences.won_and_lost(), axis=1).tolist()
        names = self.scores.estimators
        for i, first, second, one_of_many in zip(
            places.tolist(), self.first[places].tolist(), self.second[places].tolist(), at_once.tolist(), strict=True
        ):
            a, b = names[first], names[second]
            if not one_of_many or together is None:
                record = self.alone(i)
                yield self._found(a, b, record), comparisons.limits_of(record, level)
                continue
            assert isinstance(self.scores, EvaluationScores)
            warnings = self.scores.score_warnings(self.metric, a, b)
            place = next(index)
            if together.differences.still[place]:
                same = comparisons.unvarying(float(together.differences.mean[place]), self.scores.design.cases)
                warnings = (same, *warnings)
            record = together.record(place, Compared(a=a, b=b, metric=self.metric), warnings)
            yield self._found(a, b, record, (record.n, *counts[place])), tuple(ends[place])

    def _found(self, a: str, b: str, record: Any, counts: tuple[int, int, int] | None = None) -> dict[str, Any]:
        """The fields of a row but for those of its family; `counts` of cases, wins and losses where they are known."""
        questions, asked = questions_to(self.scores), self.asked
        compared, paired = (self.metric, a, b), (np.empty(0), np.empty(0))
        if counts is None or asked.rope is not None:
            paired = questions.pair(*compared)
        n, wins, losses = comparisons.wins_and_losses(*paired) if counts is None else counts
        mean_a, mean_b = questions.means(asked.procedure, record, compared, paired)
        claim, shares = record, dict[str, float]()
        if asked.rope is not None:
            claim = None if record is None else _of_equals(record, self.scores, asked.procedure, *compared)
            if len(paired[0]) and (claim is None or not comparisons.does_not_vary(claim.warnings)):
                posterior = questions.posterior(*paired, asked.rope)
                shares = {name: getattr(posterior, name) for name in ("left", "rope", "right")}
        tested = None if record is None or comparisons.does_not_vary(record.warnings) else asked.procedure
        if tested is not None and counts is None:
            tested = choose_calibrated(self.scores, asked.named, tested, *compared).procedure
        return {
            "metric": self.metric,
            "a": a,
            "b": b,
            "mean_a": mean_a,
            "mean_b": mean_b,
            "estimate": np.nan if record is None else record.estimate,
            "pvalue": np.nan if record is None else record.pvalue,
            "effect_size": np.nan if record is None else record.effect_size,
            "wins": wins,
            "ties": n - wins - losses,
            "losses": losses,
            "probability_of_superiority": (wins + (n - wins - losses) / 2) / n if n else np.nan,
            **shares,
            "warnings": self._why_not(questions, compared) if claim is None else claim.warnings,
            "procedure": "" if tested is None else tested.name,
            "null": asked.null,
            "record": record,
        }

    def _why_not(self, questions: Questions, compared: tuple[str, str, str]) -> Warnings:
        """Why two models are not compared."""
        if isinstance(self.scores, EvaluationScores) and _undefined(self.scores, *compared):
            return self.scores.score_warnings(*compared)
        judged, metric = self.scores.provenance, compared[0]
        return criterion_warnings(judged, metric) if is_judged(judged, metric) else questions.warnings(*compared)


def _at_once(scores: EvaluationScores, metric: str, asked: PairQuestion) -> bool:
    """Whether models are compared by the differences on their splits, by a test that takes many pairs."""
    return (
        scores.design.kind == "folds"
        and scores.clusters is None
        and scores.calibration is None
        and asked.procedure.many is not None
        and not comparisons.is_size(scores, metric)
        and not is_judged(scores.provenance, metric)
        and not known_costs(scores.metric_functions.get(metric))
    )


def _is_of_cases(scores: EvaluationScores, asked: PairQuestion) -> bool:
    """Whether models are compared by McNemar's, the t test or exchanges on independent cases, or by their estimates."""
    plain = asked.alternative == "two-sided" and not asked.null and scores.clusters is None
    tested = asked.procedure.name in ("mcnemar_test", "paired_t_test", "paired_metric_test")
    of_cases = scores.design.kind in ("items", "samples") and tested
    return plain and (of_cases or asked.procedure.takes is procedures.ESTIMATES)


def _of_cases(
    scores: EvaluationScores, metric: str, asked: PairQuestion, first: Positions, second: Positions
) -> tuple[FloatArray, FloatArray, Positions | None]:
    """P-values and leads of many pairs, the numbers of their records; nan of those that are to be tested alone.

    Of McNemar's test also on how many cases one model alone is right, -1 of those.
    """
    try:
        of_cases = cases.cases(scores, (metric,))
    except MissingEvidenceError:
        return *np.full((2, len(first)), np.nan), None
    values = of_cases.oriented_scores[:, :, of_cases.metric_index(metric)]
    whole: NDArray[np.bool_] = np.all(np.isfinite(values), axis=1)
    values, known = np.where(whole[:, None], values, 0.0), whole[first] & whole[second]
    if asked.procedure.name != "mcnemar_test":
        tests = records.many_corrected_t(records.many_differences(values, first, second), 0.0, "two-sided")
        known &= tests.ordinary
        pvalues = _of_few_pairs(tests) if asked.procedure.name in _OF_CASES else tests.pvalue
        return np.where(known, pvalues, np.nan), np.where(known, np.sign(tests.differences.mean), np.nan), None
    right = (values > values.min()).astype(np.float64)
    together, alone = right @ right.T, right.sum(axis=1)
    wins, losses = ((alone[one] - together[first, second]).astype(np.intp) for one in (first, second))
    pvalues, leads = mcnemar_pvalues(wins, losses), np.sign(wins - losses)
    return np.where(known, pvalues, np.nan), np.where(known, leads, np.nan), np.where(known, wins + losses, -1)


def _of_few_pairs(tests: ManyTTests) -> FloatArray:
    """The p-values of many pairs, which allow for skewness."""
    values, first, second = tests.differences.of
    skewness, step = np.zeros(len(first)), max(1, 2**16 // values.shape[1])
    for i in range(0, len(first), step):
        skewness[i : i + step] = skewness_of_means(values[first[i : i + step]] - values[second[i : i + step]])
    changed = np.flatnonzero((skewness * tests.statistic < 0) & (tests.standard_error > 0))
    pvalues, statistics = tests.pvalue.copy(), skewed_statistic(tests.statistic[changed], skewness[changed])
    pvalues[changed] = [t_pvalue(one, tests.df, tests.alternative) for one in statistics.tolist()]
    return pvalues


def _of_labels(
    scores: EvaluationScores, metric: str, asked: PairQuestion, first: Positions, second: Positions
) -> tuple[FloatArray, FloatArray, Positions | None, Positions | None]:
    """P-values and leads of exchanges of two classes, as `_of_cases`, and how many of these pairs draw."""
    if scores.task != "binary" or scores.sample_weight is not None:
        return *np.full((2, len(first)), np.nan), None, None
    a, b = scores.estimators[:2]
    question = Question(procedure=asked.procedure, metric=metric, a=a, b=b, options={})
    if (ranks := evidence.class_scores_of_all(scores, question)) is not None:
        precise, estimates, n_differing, drawn = many_precision_tests(*ranks, first, second)
        alone = np.isnan(precise) & ~drawn
        return precise, np.where(alone, np.nan, np.sign(estimates)), n_differing, PRECISION_DRAWS * drawn
    read = evidence.labels_of_all(scores, question)
    if read is None:
        return *np.full((2, len(first)), np.nan), None, None
    tests = many_metric_tests(*read, first, second)
    known = np.array([not _undefined(scores, metric, name) for name in scores.estimators])
    both = known[first] & known[second]
    pvalues, leads = (np.where(both, values, np.nan) for values in (tests.pvalues, np.sign(tests.estimates)))
    tested = both & (tests.drawn | ~np.isnan(pvalues))
    return pvalues, leads, np.where(tested, tests.n_differing, -1), DEFAULT_DRAWS * (tests.drawn & both)


def _tests(
    scores: Any, metric: str, asked: PairQuestion, first: Positions, second: Positions, *, exact: bool = True
) -> tuple[ManyTTests, NDArray[np.bool_]]:
    """The tests of pairs that lack no score, and which of them are ordinary: float32 numbers may not vary."""
    assert asked.procedure.many is not None
    values = scores.oriented_scores[:, :, scores.metric_index(metric)]
    values = np.where(np.isfinite(values), values, 0.0)
    options = asked.procedure.options(scores.design)
    differences = records.many_differences(values, first, second, exact=exact)
    tests = asked.procedure.many(differences, **options, alternative=asked.alternative, null=asked.null)
    largest = np.abs(values).max(axis=1)
    vary = tests.differences.std > comparisons.SINGLE * np.maximum(largest[first], largest[second])
    return tests, tests.ordinary & (vary | tests.differences.still)


@once
def own_means(scores: EvaluationScores, metric: str) -> dict[str, float]:
    """The means of all scores of each model on a metric, greater is better."""
    values = scores.oriented_scores[:, :, scores.metric_index(metric)]
    return dict(zip(scores.estimators, map(comparisons.mean_score, values), strict=True))
