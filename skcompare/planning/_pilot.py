"""What a pilot tells: how much more evidence it takes, and how much of its variance is the learners' own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import asdict, replace
from itertools import combinations
from typing import Any, get_args

import numpy as np
from scipy import optimize, special
from sklearn.utils import check_random_state

from skcompare._core import validation
from skcompare._core.design import Design, unsplit
from skcompare._core.numbers import counted, percent, short
from skcompare._core.record import Record, Table
from skcompare._core.validation import Alternative, FloatArray, old_names
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison import compare
from skcompare.comparison.means import SeedComponents, seed_components
from skcompare.comparison.table import check_width, frame_of_rows
from skcompare.evaluation.input import name_estimators
from skcompare.evaluation.prepare import with_seeds
from skcompare.evaluator import PairedEvaluator
from skcompare.inference import DetectableDifference, TTestResult, signed_rank_test
from skcompare.inference._procedures import find_procedure
from skcompare.inference.datasets.signed_rank import LARGEST_AUTO_EXACT
from skcompare.inference.fold_scores.power import StudyTest, study_power
from skcompare.planning._folds import Goal, Plan, PlanRow, Spread, plan_for, smallest
from skcompare.results import EvaluationResult
from skcompare.study import StudyResult

# How many data sets a study needs.


ASSUMPTIONS = (
    "The data sets are a random sample of those that the verdict is about, and the differences on them are normal.",
    "What an evaluation leaves open about the difference on its data set adds to the variance between data sets.",
)
_LARGEST_EFFECT = 100.0  # a mean of so many standard deviations is found by any test that can reject


@old_names(delta="margin")
def plan_study(
    margin: float,
    *,
    std: float,
    within_error: float = 0.0,
    n_datasets: int | None = None,
    procedure: StudyTest = "signed_rank_test",
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Plan:
    r"""How many data sets detect a mean difference over data sets, from assumptions.

    The mean differences that a study reads have the variance :math:`\sigma^2 + e^2`: between data sets, and of the
    evaluation on each. Better evaluations reduce the second only, so that they alone have a floor.

    Parameters
    ----------
    margin : float
        True mean of the differences over data sets, in score units, positive.
    std : float
        Standard deviation of the true differences from data set to data set, in score units, at least 0; positive
        where `within_error` is 0.
    within_error : float, default=0.0
        Standard error of the difference on one data set, in score units, at least 0.
    n_datasets : int, optional
        Data sets that are planned now, at least 2.
    procedure : {"signed_rank_test", "dataset_t_test"}, default="signed_rank_test"
        The test.
    power : float, default=0.8
        In (alpha, 1).
    alpha : float, default=0.05
        Level of the test, in (0, 1).
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        Of the test.

    Returns
    -------
    Plan
        With the row ``"data sets"``, and where `n_datasets` and `within_error` are given
        ``"standard error on each data set"``.

    Raises
    ------
    ValueError
        If an argument is out of range.

    See Also
    --------
    skcompare.inference.study_power : the power that the plan rests on.

    Examples
    --------
    >>> from skcompare.planning import plan_study
    >>> plan_study(0.02, std=0.03).needed("data sets")
    22
    """
    goal = Goal.of(margin, power, alpha, alternative)
    within = validation.check_number(within_error, "within_error", low=0, high=np.inf, closed="left")
    between = validation.check_number(std, "std", low=0, high=np.inf, closed="left" if within else "neither")
    now = None if n_datasets is None else validation.check_integer(n_datasets, "n_datasets", low=2)
    validation.check_choice(procedure, "procedure", get_args(StudyTest))
    effect = goal.delta / float(np.hypot(between, within))
    rows = [PlanRow(varies="data sets", current=now, needed=_needed_datasets(effect, procedure, goal), floor=0.0)]
    if now is not None and within > 0:
        detectable = _detectable(now, procedure, goal)
        floor = detectable * between if between or np.isinf(detectable) else 0.0
        total = goal.delta / detectable
        enough = total * (1 - (between / total) ** 2) ** 0.5 if floor < goal.delta else None
        rows.append(PlanRow(varies="standard error on each data set", current=within, needed=enough, floor=floor))
    return Plan(
        **asdict(goal),
        current_power=float("nan") if now is None else _power(effect, now, procedure, goal),
        rows=tuple(rows),
        method=f"{procedure} over data sets",
        assumptions=ASSUMPTIONS,
    )


def _power(effect: float, n: int, procedure: StudyTest, goal: Goal) -> float:
    """Power for a mean difference of `effect` standard deviations."""
    return study_power(effect, std=1.0, n_datasets=n, procedure=procedure, alpha=goal.alpha, alternative=goal.side)


def _needed_datasets(effect: float, procedure: StudyTest, goal: Goal) -> int | None:
    first = smallest(lambda n: _power(effect, n, "dataset_t_test", goal), goal.power, first=2)
    if procedure == "dataset_t_test" or first is None:
        return first
    # the power of the signed-rank test goes up in steps, and is below that of the t test: the search can begin there
    exact = range(first, LARGEST_AUTO_EXACT + 1)
    found = next((n for n in exact if _power(effect, n, procedure, goal) >= goal.power), None)
    approximate = max(first, LARGEST_AUTO_EXACT + 1)
    return found or smallest(lambda n: _power(effect, n, procedure, goal), goal.power, first=approximate)


def _detectable(n: int, procedure: StudyTest, goal: Goal) -> float:
    """The difference, in standard deviations, that so many data sets detect; infinite where none is."""
    if _power(_LARGEST_EFFECT, n, procedure, goal) < goal.power:
        return float("inf")
    return float(optimize.brentq(lambda size: _power(size, n, procedure, goal) - goal.power, 0.0, _LARGEST_EFFECT))


@old_names(delta="margin")
def plan(
    pilot: EvaluationResult | StudyResult,
    margin: float,
    *,
    metric: str | None = None,
    a: str | None = None,
    b: str | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    procedure: str = "auto",
) -> Plan:
    """What it takes to detect a difference, from an evaluation or a study that was run.

    Only the spread of the scores is taken from the pilot, never their difference: `margin` is the smallest difference
    that would matter, and not the one that was found, which would plan for what chance has made large.

    Parameters
    ----------
    pilot : EvaluationResult or StudyResult
        Its test says how the spread of its scores carries over to other designs.
    margin : float
        The true difference to be detected, in score units, positive.
    metric : str, optional
        The first by default.
    a, b : str, optional
        Estimators; the first and the second by default.
    power : float, default=0.8
        In (alpha, 1).
    alpha : float, default=0.05
        Level of the test, in (0, 1).
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        Of the test.
    procedure : str, default="auto"
        Of an evaluation any test by Student's t, as in `EvaluationResult.test`; ``"auto"`` plans every design for its
        own default test. Designs that a test does not fit are left out, and where its degrees of freedom are not the
        number of splits less 1, only the samples are planned. Of a study ``"signed_rank_test"``, which is the default,
        or ``"dataset_t_test"``.

    Returns
    -------
    Plan
        Of an evaluation with rows for repeats, folds and samples, where the design has them; of one test set, a series,
        items and paired runs for these alone; of a study for data sets, and where its evaluations are known for the
        standard error on each.

    Raises
    ------
    ValueError
        If a name or an option is refused, the scores do not vary, or there are fewer than two of them.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcompare import PairedEvaluator
    >>> from skcompare.planning import plan
    >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)}
    >>> evaluator = PairedEvaluator(cv="2x10", scoring="accuracy", random_state=0)
    >>> result = evaluator.evaluate(models, *load_breast_cancer(return_X_y=True))
    >>> plan(result, 0.02).needed("repeats") is None  # more repeats alone will never show so little
    True
    """
    if not isinstance(pilot, (EvaluationResult, StudyResult)):
        raise ValueError(f"pilot must be an EvaluationResult or a StudyResult; got {type(pilot).__name__}")
    goal = Goal.of(margin, power, alpha, alternative)
    name = pilot.metrics[0] if metric is None else metric
    if name in pilot.metrics:  # else refused below, with the names that there are
        check_width(goal.delta, "margin", pilot._scores, name)
    if isinstance(pilot, StudyResult):
        return _from_study(pilot, goal, name, *validation.choose_pair(a, b, pilot.estimators), procedure)
    record = compare.run_procedure(pilot._scores, procedure, metric=metric, a=a, b=b, alternative=alternative)
    if not isinstance(record, TTestResult):
        if procedure == "auto":
            raise ValueError(f"pilot must be of several splits, runs or data sets; got {pilot.design.name}")
        raise ValueError(f"procedure must be a test by Student's t, with a standard error; got {procedure!r}")
    differences = pilot.difference(name, a, b)
    differences = differences[np.isfinite(differences)]
    of_splits = pilot.design.kind == "folds" and record.n == len(differences)
    unit = "splits" if of_splits else {"items": "items", "runs": "runs"}.get(pilot.design.kind, "samples")
    spread, warnings = pilot_spread(pilot, record, differences, procedure, unit)
    found = plan_for(spread, goal, method=record.method, warnings=(*record.warnings, *warnings))
    if unit == "splits":
        return found
    rows = tuple(replace(row, varies=unit) for row in found.rows)
    return replace(found, rows=rows, assumptions=(f"The differences on other {unit} vary as they do on these.",))


def detectable_difference(
    result: EvaluationResult,
    metric: str | None = None,
    a: str | None = None,
    b: str | None = None,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    procedure: str = "auto",
) -> DetectableDifference:
    """The smallest true difference that the test of two models on one metric finds with a given power.

    Parameters
    ----------
    result : EvaluationResult
        Of two or more models.
    metric : str, optional
        The first by default.
    a, b : str, optional
        Models; the first and the second by default.
    power : float, default=0.8
        In (alpha, 1).
    alpha : float, default=0.05
        Level of the test, in (0, 1); divide it by the number of comparisons that share one error rate.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: `a` is better.
    procedure : str, default="auto"
        A test by Student's t, as in `EvaluationResult.test`; its own standard error and degrees of freedom are used.

    Returns
    -------
    DetectableDifference
        With ``power_at(delta)``, and ``interval()`` for the spread that is itself estimated.

    Raises
    ------
    ValueError
        If `result` is none, a name is unknown, an option is out of range, or the test is not one by Student's t.
    """
    if not isinstance(result, EvaluationResult):
        raise ValueError(f"result must be an EvaluationResult; got {type(result).__name__}")
    options: dict[str, Any] = {"alternative": alternative, "procedure": procedure}
    return compare.detectable_difference(result._scores, metric, a, b, power=power, alpha=alpha, **options)


def pilot_spread(
    pilot: EvaluationResult, record: TTestResult, differences: FloatArray, procedure: str, unit: str = "splits"
) -> tuple[Spread, tuple[CodedWarning, ...]]:
    """How the mean difference varied over splits, or other cases by their `unit`, and what speaks against it."""
    if not record.standard_error > 0:
        why = " ".join(warning for warning in record.warnings if warning not in pilot.warnings)
        raise ValueError(f"pilot must have scores that vary on two splits or more; got {why}")
    design, n = pilot.design, record.n
    std = float(differences.std(ddof=1)) if unit == "splits" else record.standard_error * n**0.5
    counted = abs(record.df - (n - 1)) < 1e-9
    name = "auto" if procedure == "auto" else find_procedure(procedure, design).name
    if counted and name in ("auto", "corrected_t_test", "k_fold_t_test"):
        test_fraction = design.test_fraction
    else:
        # by the test's own standard error; where its degrees of freedom are fixed, it is planned for this design only
        name = find_procedure(name, design).name if counted else "corrected_t_test"
        ratio = max(0.0, (record.standard_error / std) ** 2 - 1 / n)
        test_fraction = ratio / (1 + ratio)
    known = {field: getattr(design, field) for field in ("n_samples", "n_repeats", "n_folds", "n_splits", "partition")}
    own = Design(**known, test_fraction=test_fraction)
    if unit != "splits":
        own, name = unsplit(n, "folds", n_samples=None if counted else design.n_samples), "corrected_t_test"
    spread = Spread(std=std, design=own, procedure=name, df=None if counted else record.df)
    df = n - 1 if unit == "splits" else record.df
    low, high = (df / float(special.chdtri(df, tail)) for tail in (0.025, 0.975))
    interval = f"{short(std * low**0.5)} to {short(std * high**0.5)}"
    said = f"the standard deviation of {short(std)} comes from {n} {unit}; its 95% interval, for normal differences, is"
    estimated = Code.ESTIMATED_SPREAD(f"{said} {interval}.")
    if counted:
        return spread, (estimated,)
    planned = "samples" if unit == "splits" else unit
    degrees = f"the test has {record.df:.3g} degrees of freedom for this design"
    return spread, (estimated, Code.NOT_PLANNED(f"{degrees}, so that only the {planned} are planned."))


def _from_study(pilot: StudyResult, goal: Goal, metric: str, a: str, b: str, procedure: str) -> Plan:
    means = pilot.means(metric)
    d = means[:, pilot.estimators.index(a)] - means[:, pilot.estimators.index(b)]
    d = d[np.isfinite(d)]
    total = float(d.std(ddof=1)) if d.size > 1 else 0.0
    if not total > 0:
        got = counted(d.size, "data set")
        raise ValueError(f"pilot must have differences that vary on two data sets or more; got {got}")
    several = [one for one in pilot.results.values() if np.isfinite(one.difference(metric, a, b)).sum() > 1]
    records = [one.test(metric=metric, a=a, b=b) for one in several]
    errors = [record.standard_error for record in records if isinstance(record, TTestResult)]
    within = float(np.sqrt(np.mean(np.square(errors)))) if errors else 0.0
    # an evaluation's error is part of what was seen between data sets
    between = max(total**2 - within**2, 0.0) ** 0.5
    found = plan_study(
        goal.delta,
        std=between if within else total,
        within_error=within,
        n_datasets=d.size,
        procedure=signed_rank_test.__name__ if procedure == "auto" else procedure,  # type: ignore[arg-type]
        **{name: value for name, value in asdict(goal).items() if name != "delta"},
    )
    estimated = Code.ESTIMATED_SPREAD(f"the standard deviation of {short(total)} comes from {d.size} data sets.")
    return replace(found, warnings=(estimated, *pilot.warnings))


# How much of the variance of scores and differences is the learners' own randomness.


class SeedVarianceRow(Record, SeedComponents):
    """Components of the variance of one score, or of one difference.

    Attributes
    ----------
    metric, a : str
        What was scored, and the estimator.
    b : str or None
        The other one of a difference ``a - b``, positive where `a` is better; None for the score of `a` alone.
    """

    metric: str
    a: str
    b: str | None

    def removed_by(self, n_seeds: int) -> float:
        """Share of the variance on a split that averaging the scores over learner seeds removes.

        Parameters
        ----------
        n_seeds : int
            Seeds to average over, at least 1.

        Returns
        -------
        float
            In [0, 1); nan where there is no variance.

        Raises
        ------
        ValueError
            If `n_seeds` is not a positive integer.
        """
        return self.seed_share * (1 - 1 / validation.check_integer(n_seeds, "n_seeds", low=1))

    def _sentence(self) -> str:
        what = self.a if self.b is None else f"{self.a} - {self.b}"
        if not self.split + self.seed + self.residual > 0:
            return f"{self.metric}, {what}: does not vary."
        due = f"{percent(self.seed_share)} of the variance on a split is due to the learner seed"
        return f"{self.metric}, {what}: {due}."


class SeedVariance(Record):
    """The variance due to splits and the variance due to learner seeds.

    Attributes
    ----------
    rows : tuple of SeedVarianceRow
        Per metric the scores of every estimator, and the differences of all pairs.
    seeds : tuple of int
        The learner seeds, the same for all estimators.
    warnings : tuple of str
        Estimators whose scores do not depend on a seed, and scores that are missing, each a code and a sentence.
    """

    rows: tuple[SeedVarianceRow, ...]
    seeds: tuple[int, ...]
    warnings: tuple[CodedWarning, ...] = ()

    def row(self, metric: str, a: str, b: str | None = None) -> SeedVarianceRow:
        """The row of one score, or of one difference.

        Parameters
        ----------
        metric, a : str
            The metric and the estimator.
        b : str, optional
            The other estimator, in the order of the rows.

        Returns
        -------
        SeedVarianceRow

        Raises
        ------
        ValueError
            If there is no such row.
        """
        found = next((row for row in self.rows if (row.metric, row.a, row.b) == (metric, a, b)), None)
        if found is None:
            raise ValueError(f"metric, a and b must be those of a row; got {metric!r}, {a!r}, {b!r}")
        return found

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame with a column ``seed_share``; needs pandas."""
        return frame_of_rows(SeedVarianceRow, self.rows).assign(seed_share=[row.seed_share for row in self.rows])

    def _tables(self) -> list[Table]:
        n = len(self.seeds)
        header = ("metric", "scores of", "split", "learner seed", "residual", "due to seeds", f"removed by {n}")
        lines = [
            [
                row.metric,
                row.a if row.b is None else f"{row.a} - {row.b}",
                *map(short, (row.split, row.seed, row.residual)),
                *("n/a" if share != share else percent(share) for share in (row.seed_share, row.removed_by(n))),
            ]
            for row in self.rows
        ]
        return [Table(header, lines)]

    def _sentence(self) -> str:
        shares = [row.seed_share for row in self.rows if row.seed_share > 0]
        if not shares:
            return f"Nothing varies with the learner seed, over {len(self.seeds)} seeds."
        span = " to ".join(dict.fromkeys((percent(min(shares)), percent(max(shares)))))
        return (
            f"{span} of the variance on a split is due to the learner seed. The table has the variances, and the share "
            f"that averaging over {len(self.seeds)} seeds removes."
        )


@old_names(estimators="models")
def seed_variance(
    evaluator: PairedEvaluator,
    models: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any,
    *,
    n_seeds: int = 5,
    groups: Any = None,
    params: Mapping[str, Any] | None = None,
) -> SeedVariance:
    r"""Separate the variance of the learners' own randomness from that of the splits.

    Every estimator is fitted on the same splits with several seeds, each seed on all splits. With score
    :math:`x_{js} = \mu + u_j + v_s + e_{js}` on split :math:`j` with seed :math:`s`, the three variances are
    estimated by analysis of variance, negative estimates by 0 (Searle, Casella and McCulloch 1992, section 4.3). The
    seed's part, :math:`v` and :math:`e`, is what an average over seeds makes smaller; the splits' part is not. Splits
    share data, so that the variance from split to split is less than that from data set to data set.

    Parameters
    ----------
    evaluator : PairedEvaluator
        Gives splits, metrics, workers and the store; it is not changed. Its `random_state` also draws the seeds.
    models : mapping of name to estimator, list of (name, estimator), or list of estimators
        As in `PairedEvaluator.evaluate`. Every parameter ``random_state``, nested ones too, is set to the seed, also
        where it was given. One without any is fitted once, and its seed variance is exactly 0.
    X : array-like of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,)
        The target.
    n_seeds : int, default=5
        Learner seeds, at least 2. It multiplies the fits.
    groups, params : optional
        As in `PairedEvaluator.evaluate`.

    Returns
    -------
    SeedVariance

    Raises
    ------
    ValueError
        If an argument does not fit, or `evaluator` has a `stop` or several seeds of its own.

    References
    ----------
    S. R. Searle, G. Casella and C. E. McCulloch (1992), Variance Components, Wiley, :doi:`10.1002/9780470316856`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import ExtraTreeClassifier
    >>> from skcompare import PairedEvaluator
    >>> from skcompare.planning import seed_variance
    >>> evaluator = PairedEvaluator(cv=10, scoring="accuracy", random_state=0)
    >>> models = {"nb": GaussianNB(), "random tree": ExtraTreeClassifier(max_depth=3)}
    >>> found = seed_variance(evaluator, models, *load_breast_cancer(return_X_y=True))
    >>> found.row("accuracy", "nb").seed_share
    0.0
    >>> found.row("accuracy", "nb", "random tree").seed_share > 0.2
    True
    """
    if not isinstance(evaluator, PairedEvaluator):
        raise ValueError(f"evaluator must be a PairedEvaluator; got {type(evaluator).__name__}")
    if evaluator.n_seeds != 1:
        raise ValueError(f"evaluator must have n_seeds=1, the seeds being given here; got {evaluator.n_seeds!r:.80}")
    if evaluator.stop is not None:
        raise ValueError(f"evaluator must have no stop, which would end the seeds apart; got {evaluator.stop!r}")
    n = validation.check_integer(n_seeds, "n_seeds", low=2)
    named = name_estimators(models, argument="models")
    given = evaluator.random_state  # None leaves the global random state alone
    state = np.random.RandomState() if given is None else check_random_state(given)
    seeds = tuple(int(seed) for seed in state.randint(np.iinfo(np.int32).max, size=n))
    fits = {name: with_seeds(name, estimator, seeds) for name, estimator in named.items()}
    labels = {name: [label for label, _ in own] for name, own in fits.items()}
    fitted = [one for own in fits.values() for one in dict(own).items()]  # one without seeds is there once
    plain = copy(evaluator)._set_options(keep_predictions=False).set_params(intervals=None)
    result = plain.evaluate(fitted, X, y, groups=groups, params=params)
    scores = {name: result.scores[[result.estimators.index(label) for label in labels[name]]] for name in named}
    return _separated(result, scores, labels, seeds)


def _separated(
    result: EvaluationResult, scores: Mapping[str, FloatArray], labels: Mapping[str, Any], seeds: tuple[int, ...]
) -> SeedVariance:
    """The record of scores of shape (n_seeds, n_splits, n_metrics) per estimator."""
    rows, notes = [], []
    for m, metric in enumerate(result.metrics):
        own = {name: values[:, :, m] for name, values in scores.items()}
        sign = 1.0 if result.greater_is_better[m] else -1.0
        rows += [_row(metric, name, None, values) for name, values in own.items()]
        with np.errstate(invalid="ignore"):  # of scores that are not finite
            rows += [_row(metric, a, b, sign * (own[a] - own[b])) for a, b in combinations(own, 2)]
        if missing := [name for name, values in own.items() if not np.isfinite(values).all()]:
            lacking = f"splits on which {metric} of {', '.join(map(repr, missing))} lacks a seed are left out."
            notes.append(Code.MISSING_SCORES(lacking, about=(metric, *missing)))
    for name, values in scores.items():
        if name in labels[name]:
            what = f"{name!r} has no parameter random_state; its seed variance is 0."
            notes.append(Code.NO_RANDOMNESS(what, (name,)))
        elif np.array_equal(values, np.broadcast_to(values[:1], values.shape), equal_nan=True):
            notes.append(Code.NO_RANDOMNESS(f"the scores of {name!r} do not depend on its random_state.", (name,)))
    return SeedVariance(rows=tuple(rows), seeds=seeds, warnings=(*result.warnings, *notes))


def _row(metric: str, a: str, b: str | None, values: FloatArray) -> SeedVarianceRow:
    """Components of values of shape (n_seeds, n_splits), over the splits on which none is missing."""
    return SeedVarianceRow(metric=metric, a=a, b=b, **asdict(seed_components(values)))
