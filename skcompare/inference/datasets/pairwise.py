"""All pairs of models: the record of their test, the ranks it leaves each, and the adjustment of their p-values."""

from __future__ import annotations

from dataclasses import field
from functools import cache
from itertools import combinations
from math import comb, isfinite, sqrt
from string import ascii_lowercase
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skcompare._core.frames import import_pandas
from skcompare._core.metrics import label
from skcompare._core.numbers import ALPHA, briefly, decimals, equal_to, interval, of_all, percent_of, pvalue
from skcompare._core.record import Record, Table, shown
from skcompare._core.text import none_named
from skcompare._core.validation import FloatArray, check_choice, check_number, check_scores, refuse_masked
from skcompare._core.warnings import Code, CodedWarning, Warnings
from skcompare.inference._distributions import studentized_range_pvalue, studentized_range_quantile
from skcompare.inference._kinds import Result, SimultaneousIntervals
from skcompare.inference._multiplicity import CORRECTIONS, adjust_pvalues
from skcompare.inference._records import ROUNDING, Positions
from skcompare.inference._sentences import Some
from skcompare.inference.datasets.scores import BoolArray, DataSetScores, OmnibusResult, degenerate_answer

# Compact letters: which models are not significantly different, in a letter that they share.


def compact_letters(different: BoolArray, goodness: FloatArray, names: tuple[str, ...]) -> dict[str, str]:
    """Letters such that two models share one exactly when they are not different.

    A letter is a set of models of which no two are different, and to which no model can be added; no letter can be
    left out. Where models that are not different lie between equally different ones, as with one critical difference,
    these letters are the runs of such models, and the only ones possible. Models and letters are listed from the best.
    """
    order = np.argsort(-goodness, kind="stable")
    alike = ~different[np.ix_(order, order)]
    np.fill_diagonal(alike, True)
    groups = np.stack(sorted(_needed(_cover(alike)), key=lambda group: np.flatnonzero(group).tolist()))
    letters = [*map(_letter, range(len(groups)))]
    return {
        names[model]: "".join(letters[g] for g in np.flatnonzero(groups[:, place]).tolist())
        for place, model in enumerate(order.tolist())
    }


def _cover(alike: BoolArray) -> list[BoolArray]:
    """Groups of models that are all alike and cannot grow, which together hold every pair that is alike.

    Each starts from the first pair that is in none yet, a model and itself included, and grows by the model that
    brings most pairs that are in none, the best one of several.
    """
    n, out = len(alike), np.int32(len(alike) + 1)  # taken off the gain of a model that cannot be added: more than any
    gains = np.where(alike, np.int32(1), -out)  # 0 of pairs that are in a group
    groups: list[BoolArray] = []
    for i in range(n):
        while gains[i, first := i + int(gains[i, i:].argmax())] > 0:
            group, gain, starts = np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.int32), [*{first: 0, i: 0}]
            while gain[place := starts.pop() if starts else int(gain.argmax())] >= 0:
                gain += gains[place]
                gain[place] -= out
                group[place] = True
            gains[np.ix_(group, group)] = 0
            groups.append(group)
    return groups


def _needed(groups: list[BoolArray]) -> list[BoolArray]:
    """The groups without those all of whose pairs are in others."""
    members = np.array(groups, dtype=np.float64)
    times = members.T @ members
    alone = ((members @ (times == 1)) * members).any(axis=1).tolist()  # and stays so as others go
    kept = []
    for group, needed in zip(groups, alone, strict=True):
        pairs = np.ix_(group, group)
        if needed or (times[pairs] == 1).any():
            kept.append(group)
        else:
            times[pairs] -= 1
    return kept


def _letter(index: int) -> str:
    """a to z, then a1 to z1 and so on."""
    lap, place = divmod(index, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(lap) if lap else "")


# Which ranks a model can have, by the pairs that are significantly different.


class Ranking(Record, eq=False):
    """Models ranked on one metric, each with the ranks that it may have.

    Attributes
    ----------
    names : tuple of str
        The k models that have a score, in the order of what was compared.
    metric : str
        What they are ranked on.
    rank : ndarray of int of shape (n_models,)
        From 1 for the best mean, or mean rank; equal models share it. Never out of the interval: where a test says
        otherwise than the means it is the nearest end.
    low, high : ndarray of int of shape (n_models,)
        The interval of the rank: one more than the number of models that are significantly better, and k less the
        number of those that are significantly worse.
    tier : tuple of str
        Letters of each model: two share one exactly when they are not significantly different.
    confidence_level : float
        With which the intervals hold.
    simultaneous : bool
        Whether they hold for all models at once, or each for a model that was chosen before looking.
    means : ndarray of shape (n_models,)
        Mean scores, in the metric's own units; empty of a record of all pairs.
    mean_ranks : ndarray of shape (n_models,)
        Over the data sets of a study, 1 is the best; empty of other evidence.
    omnibus : OmnibusResult or None
        Of a study the test that all are equally good: Friedman's, with gaps that of Skillings and Mack.
    baseline : str or None
        The one of the models that is the baseline; it is ranked as the others are. None without one.
    untested : tuple of str
        Of `may_be_first` those of which no test against the best mean is possible, as where the difference is the same
        on all splits; all of them where no two models can be compared.
    """

    names: tuple[str, ...]
    metric: str
    rank: Positions
    low: Positions
    high: Positions
    tier: tuple[str, ...]
    confidence_level: float
    simultaneous: bool = True
    means: FloatArray = field(default_factory=lambda: np.empty(0))
    mean_ranks: FloatArray = field(default_factory=lambda: np.empty(0))
    omnibus: OmnibusResult | None = None
    baseline: str | None = None
    untested: tuple[str, ...] = ()
    warnings: Warnings = ()

    @property
    def may_be_first(self) -> tuple[str, ...]:
        """The models that no other is significantly better than, the best first."""
        return tuple(self.names[i] for i in self.best_first if self.low[i] == 1)

    def to_frame(self) -> Any:
        """One row per model as a pandas DataFrame, the best first; needs pandas.

        Returns
        -------
        pandas.DataFrame
            Columns: name, rank, low, high, tier and, where they are known, mean and mean_rank.
        """
        columns: dict[str, Any] = {"name": self.names, "rank": self.rank, "low": self.low, "high": self.high}
        columns |= {"tier": self.tier, "mean": self.means, "mean_rank": self.mean_ranks}
        columns = {name: values for name, values in columns.items() if len(values)}
        return import_pandas().DataFrame(columns).iloc[[*self.best_first]].reset_index(drop=True)

    @property
    def best_first(self) -> tuple[int, ...]:
        """The places of the models in `names`, by their ranks."""
        by = self.mean_ranks if self.mean_ranks.size else self.rank
        return tuple(np.lexsort((self.high, self.low, by, self.rank)).tolist())

    def _tables(self) -> list[Table]:
        ranges = map(ranks_between, self.low.tolist(), self.high.tolist())
        head = f"{percent_of(self.confidence_level)} interval"
        columns = {"rank": [*map(str, self.rank.tolist())], head: [*ranges], "tier": self.tier}
        columns |= {"mean rank": [f"{rank:.2f}" for rank in self.mean_ranks.tolist()]} if self.mean_ranks.size else {}
        rows = [[self.names[i], *(cells[i] for cells in columns.values())] for i in self.best_first]
        return [Table((self.metric, *columns), rows)]

    def _sentence(self) -> str:
        return f"{self._claim()} {self.holds()}"

    def _claim(self) -> str:
        metric = label(self.metric)
        if len(self.names) == 1:
            return f"There is one model with {metric}: {self.names[0]}."
        first = [name for name in self.may_be_first if name not in self.untested]
        if not first:
            return f"{none_named(metric)}."
        said = f"{of_all(len(first), len(self.names))} may be first on {metric}: {briefly(first)}"
        if not self.untested:
            return f"{said}."
        said = said if len(first) > 1 else f"{first[0]} has the best {metric}"
        return f"{said}. No test of {briefly(self.untested)} against {first[0]} is possible."

    def holds(self) -> str:
        """What the intervals and letters hold for."""
        test, letters = self.omnibus, "rank() has letters too."
        held = " for all models at once" if self.simultaneous else ", each for one chosen before looking"
        if self.tier:
            letters = "Models that share a letter are not significantly different."
        said = f"Ranks: {percent_of(self.confidence_level)} intervals{held}. {letters}"
        if test is None or test.pvalue != test.pvalue:
            return said
        alone = f"{test.method}, for this metric alone: {equal_to('p', test.pvalue)}"
        equal = "That all are equal" if self.baseline is None else f"That all, {self.baseline} included, are equal"
        if not test.pvalue < 1 - self.confidence_level:
            return f"{said} {equal} is not rejected ({alone})."
        shared = bool(self.tier) and bool(set.intersection(*map(set, self.tier)))
        return f"{said} {equal} is rejected ({alone}){', though no pair differs significantly' if shared else ''}."


def ranked(
    names: tuple[str, ...],
    merits: FloatArray,
    better: BoolArray,
    worse: BoolArray,
    *,
    different: BoolArray | None = None,
    **fields: Any,
) -> Ranking:
    """The ranking of models with `merits`, of which more is better.

    Of whom each is significantly `better` and `worse`, of shape (k, k); `different` says which pairs differ, without it
    there are no letters.
    """
    low, high = 1 + worse.sum(axis=1), len(names) - better.sum(axis=1)
    ranks = 1 + (merits > merits[:, None] + ROUNDING * np.abs(merits).max(initial=0.0)).sum(axis=1)
    letters = {} if different is None else compact_letters(different, merits, names)
    tier = tuple(letters[name] for name in names if letters)
    return Ranking(names=names, rank=np.clip(ranks, low, high), low=low, high=high, tier=tier, **fields)


def ranks_between(low: int, high: int) -> str:
    """``1-4``, of one rank ``2``."""
    return f"{low}-{high}" if low < high else f"{low}"


STUDENTIZED_RANGE = "studentized_range"
PAIR_CORRECTIONS = ("none", "shaffer", "bergmann", *CORRECTIONS)

# Bergmann and Hommel's procedure goes through all ways to split the models into groups, 21,147 for 9 models; the
# time of Rom's grows with the third power of the number of pairs, half a second for 14 models.
_MOST_MODELS = {"bergmann": 9, "rom": 14}


class RankedResult(Result, eq=False):
    """Result of tests of several models that share one critical difference."""

    names: tuple[str, ...]
    statistics: FloatArray
    pvalues: FloatArray
    pvalues_unadjusted: FloatArray
    estimates: FloatArray
    estimate_of: str
    critical_difference: float = float("nan")
    correction: str
    n: int

    _kind = Some("pair", "significantly different", "_differing")
    _SAID = ("{0} better than {1}", "{1} better than {0}")

    def _pairs(self) -> list[tuple[str, str]]:
        """The models of each comparison."""
        return [*combinations(self.names, 2)]

    def _differing(self) -> list[str]:
        """The comparisons that are significant, and which way."""
        found = zip(self._pairs(), of_pairs(self.estimates), of_pairs(self.pvalues), strict=True)
        return [self._SAID[not estimate > 0].format(*pair) for pair, estimate, p in found if p < ALPHA]

    def _tables(self) -> list[Table]:
        estimates = of_pairs(self.estimates).tolist()
        columns = {f"lead of a ({self.estimate_of})": [*map(shown, estimates)]}
        margin, places = self.critical_difference, decimals(estimates)
        if self.correction == STUDENTIZED_RANGE and isfinite(margin):
            limits = [interval(estimate - margin, estimate + margin, places) for estimate in estimates]
            columns["95% interval (all at once)"] = limits
        columns[f"p adj. ({self.correction.replace('_', ' ')})"] = [*map(pvalue, of_pairs(self.pvalues).tolist())]
        rows = [[*pair, *cells] for pair, *cells in zip(self._pairs(), *columns.values(), strict=True)]
        return [Table(("a", "b", *columns), rows)]

    def to_frame(self) -> Any:
        """One row per comparison as a pandas DataFrame, with the unadjusted and the adjusted p-value; needs pandas."""
        frame = import_pandas().DataFrame(self._pairs(), columns=["a", "b"])
        columns = {"estimate": self.estimates, "statistic": self.statistics}
        columns |= {"pvalue_unadjusted": self.pvalues_unadjusted, "pvalue": self.pvalues}
        return frame.assign(**{name: of_pairs(values) for name, values in columns.items()})


class PairwiseResult(RankedResult, eq=False):
    """Result of a test of every pair of models on many data sets, or on the splits of one.

    Attributes
    ----------
    names : tuple of str
        The k models, in the order of the matrices.
    statistics : ndarray of shape (k, k)
        The statistic of models i and j at [i, j]; positive, where it has a sign, if i is the better one. 0 on the
        diagonal.
    pvalues : ndarray of shape (k, k)
        Two-sided, adjusted for the number of pairs as `correction` says: the ones to decide on. Symmetric, 1 on the
        diagonal.
    pvalues_unadjusted : ndarray of shape (k, k)
        Each for its own pair alone; equal to `pvalues` where the procedure is about all pairs from the start.
    estimates : ndarray of shape (k, k)
        How much better i is than j, in the units named in `estimate_of`; antisymmetric.
    estimate_of : str
        What `estimates` are differences of: ``"mean rank"`` (turned so that positive favours i), ``"score"`` and so on.
    critical_difference : float
        The least absolute estimate that is significant at 5%; nan where the procedure has no common one.
    correction : str
        How the p-values were adjusted.
    n : int
        Number of data sets or splits.
    case : {"data set", "split"}
        What `n` counts.
    standard_error : float
        What `statistics` are `estimates` over, where they are studentized ranges; nan elsewhere.
    df : float
        Degrees of freedom of that range, infinite of ranks; nan elsewhere.
    """

    case: str = "data set"
    standard_error: float = float("nan")
    df: float = float("nan")

    def confidence_interval(self, confidence_level: float = 0.95) -> SimultaneousIntervals:
        """Intervals for the differences of all pairs, which hold at once with the confidence asked for.

        One leaves out 0 exactly when the pair's p-value is below ``1 - confidence_level``.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        SimultaneousIntervals
            Limits of shape (k, k) for `estimates`, in their units; nan with fewer than two data sets or splits.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1), or the procedure is not one for all pairs from the start.
        """
        level = check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
        if self.correction != STUDENTIZED_RANGE:
            raise ValueError(
                f"correction must be {STUDENTIZED_RANGE!r} for intervals that hold at once, as of 'tukey_test' and "
                f"'nemenyi_test'; this record has {self.correction!r}"
            )
        k, margin = len(self.names), self.standard_error
        if margin > 0:
            margin *= studentized_range_quantile(1 - level, k, self.df)
        margins = np.where(np.eye(k, dtype=np.bool_), 0.0, margin)
        return SimultaneousIntervals(low=self.estimates - margins, high=self.estimates + margins)

    def rank(self, alpha: float = 0.05) -> Ranking:
        """The ranks that the pairs leave each model, and letters of those that do not differ significantly at `alpha`.

        Parameters
        ----------
        alpha : float, default=0.05
            In (0, 1).

        Returns
        -------
        Ranking
            By the adjusted p-values; with probability ``1 - alpha`` all intervals hold at once.

        Raises
        ------
        ValueError
            If `alpha` is not in (0, 1).
        """
        alpha = check_number(alpha, "alpha", low=0, high=1, closed="neither")
        lead = self.statistics - self.statistics.T  # 0 of statistics without a sign; a median can be 0 where it is not
        ahead = (self.pvalues < alpha) & (np.where(lead == 0, self.estimates, lead) > 0)
        merits, of = self.estimates.mean(axis=1), self.estimate_of
        known: dict[str, Any] = {"metric": of, "confidence_level": 1 - alpha, "warnings": self.warnings}
        return ranked(self.names, merits, ahead, ahead.T, different=self.pvalues < alpha, **known)


def of_pairs(values: FloatArray) -> FloatArray:
    """Above the diagonal of a matrix, row by row; values of comparisons as they are."""
    return np.asarray(values[np.triu_indices(len(values), 1)] if values.ndim == 2 else values)


def adjust_pairs(pvalues: ArrayLike, correction: str) -> FloatArray:
    r"""Adjust the p-values of all pairs of k models.

    If models 1 and 2 are equal, and 2 and 3, then so are 1 and 3: not every number of the :math:`m = k (k - 1) / 2`
    hypotheses can be true at once. With the p-values in ascending order, Shaffer's adjustment is

    .. math:: \tilde p_{(i)} = \max_{j \le i} \, t_j \, p_{(j)}, \qquad
        t_j = \max \{ s \in S(k) : s \le m - j + 1 \}

    where :math:`S(k)` holds the numbers of pairs that can be equal at once. Bergmann and Hommel's is

    .. math:: \tilde p_i = \max_{I \ni i} \, |I| \min_{j \in I} p_j

    over all sets :math:`I` of pairs that a grouping of the models makes equal (Garcia and Herrera 2008). None is
    above 1.

    Parameters
    ----------
    pvalues : array_like of shape (k, k)
        Raw p-values in [0, 1], symmetric; the diagonal is not read.
    correction : str
        ``"none"``; ``"shaffer"``, Shaffer's static procedure; ``"bergmann"``, Bergmann and Hommel's, up to 9 models;
        or a method of `adjust_pvalues`, of which ``"rom"`` up to 14 models.

    Returns
    -------
    ndarray of shape (k, k)
        Adjusted p-values, symmetric, in [0, 1], each at least the raw one, 1 on the diagonal.

    Raises
    ------
    ValueError
        If `pvalues` is not a symmetric matrix of numbers in [0, 1], or `correction` is unknown, or is ``"bergmann"``
        for more than 9 or ``"rom"`` for more than 14 models.

    References
    ----------
    J. P. Shaffer (1986), Modified sequentially rejective multiple test procedures, Journal of the American
    Statistical Association 81(395), 826-831, :doi:`10.1080/01621459.1986.10478341`.

    G. Bergmann and G. Hommel (1988), Improvements of general multiple test procedures for redundant systems of
    hypotheses, in Multiple Hypotheses Testing, Springer, 100-115, :doi:`10.1007/978-3-642-52307-6_8`.

    S. Garcia and F. Herrera (2008), An extension on "Statistical comparisons of classifiers over multiple
    data sets" for all pairwise comparisons, JMLR 9, 2677-2694.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.inference import adjust_pairs
    >>> pvalues = np.array([[1, 0.01, 0.02], [0.01, 1, 0.04], [0.02, 0.04, 1]])
    >>> adjust_pairs(pvalues, "shaffer")[0].tolist()
    [1.0, 0.03, 0.03]
    """
    check_choice(correction, "correction", PAIR_CORRECTIONS)
    pvalues = _check_matrix(pvalues)
    k, raw = len(pvalues), of_pairs(pvalues)
    most = _MOST_MODELS.get(correction, k)
    if k > most:
        instead = "'shaffer' or 'holm'" if correction == "bergmann" else "'hochberg' or 'hommel'"
        raise ValueError(
            f"correction must be {instead} for more than {most} models, for which {correction!r} would take too long; "
            f"got {correction!r} for {k} models"
        )
    if correction != "none" and k > 1:
        of_pairs_alone = {"shaffer": _shaffer, "bergmann": _bergmann}.get(correction)
        raw = adjust_pvalues(raw, correction) if of_pairs_alone is None else of_pairs_alone(raw, k)
    return of_all_pairs(raw, k)


def _check_matrix(pvalues: ArrayLike) -> FloatArray:
    """The matrix of p-values with 1 on its diagonal, which is not read, or ValueError."""
    refuse_masked(pvalues, "pvalues")
    if isinstance(pvalues, np.ndarray) and pvalues.ndim == 2 and pvalues.dtype.kind == "f":
        pvalues = pvalues.copy()
        np.fill_diagonal(pvalues, 1.0)
    matrix = check_scores(pvalues, "pvalues", ndim=(2,))
    if len(matrix) != len(matrix.T):
        raise ValueError(f"pvalues must be a square matrix, a row and a column per model; got shape {matrix.shape}")
    np.fill_diagonal(matrix, 1.0)
    if matrix.min() < 0 or matrix.max() > 1:
        raise ValueError(f"pvalues must be in [0, 1]; got values from {matrix.min():g} to {matrix.max():g}")
    unequal = np.argwhere(~np.isclose(matrix, matrix.T, rtol=ROUNDING, atol=0))
    if unequal.size:
        i, j = unequal[0].tolist()
        raise ValueError(
            f"pvalues must be symmetric; got {matrix[i, j]:g} at position ({i}, {j}) and {matrix[j, i]:g} at ({j}, {i})"
        )
    return matrix


def of_all_pairs(pvalues: FloatArray, k: int) -> FloatArray:
    """The symmetric matrix of the p-values of the pairs of k models, 1 on its diagonal."""
    first, second = np.triu_indices(k, 1)
    matrix = np.ones((k, k))
    matrix[first, second] = matrix[second, first] = pvalues
    return matrix


def _shaffer(raw: FloatArray, k: int) -> FloatArray:
    # of so many pairs of models all may be equal, by how they fall into groups
    """Holm's procedure, with the number of hypotheses that can still be true at once in place of those left."""
    numbers: list[set[int]] = [{0}]
    for size in range(1, k + 1):
        numbers.append({comb(group, 2) + rest for group in range(1, size + 1) for rest in numbers[size - group]})
    possible = np.array(sorted(numbers[k]))
    multiplier = possible[np.searchsorted(possible, np.arange(raw.size, 0, -1), side="right") - 1]
    order = np.argsort(raw, kind="stable")
    adjusted = np.empty_like(raw)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(multiplier * raw[order]))
    return adjusted


def _bergmann(raw: FloatArray, k: int) -> FloatArray:
    """The largest Bonferroni-adjusted minimum of all exhaustive sets of pairs that a pair belongs to.

    An exhaustive set is all pairs within the groups of one grouping of the models. The result decides exactly as the
    closed test does, and so need not be monotone in the raw p-values.
    """
    together = _pairs_together(k)
    size = together.sum(axis=1)
    bound = np.minimum(1.0, size * np.where(together, raw, 1.0).min(axis=1))
    return np.asarray(np.where(together, bound[:, None], 0.0).max(axis=0), dtype=np.float64)


@cache
def _pairs_together(k: int) -> NDArray[np.bool_]:
    """Which pairs each grouping of k models puts together, one row per grouping but the one that leaves all apart."""
    groups = np.zeros((1, 1), dtype=np.int8)
    for _ in range(k - 1):
        # the next model joins one of the groups, or makes a new one
        choices = groups.max(axis=1) + 2
        first = np.cumsum(choices) - choices
        joined = np.arange(choices.sum()) - np.repeat(first, choices)
        groups = np.column_stack([np.repeat(groups, choices, axis=0), joined.astype(np.int8)])
    first_model, second_model = np.triu_indices(k, 1)
    together = groups[:, first_model] == groups[:, second_model]
    return np.asarray(together[together.any(axis=1)])


# Mean ranks of the models, and the comparison of every pair of them by one standard error.


_UNANIMOUS = Code.ZERO_VARIANCE(
    "all data sets rank the models alike, so the ranks do not vary; the unadjusted p-values are those of the sign test."
)


class MeanRanks(NamedTuple):
    """Mean ranks of the models of one table.

    Attributes
    ----------
    means : ndarray of shape (n_models,)
        The smallest belongs to the best model.
    standard_error : float
        Of the difference of two means if all models do equally well; 0 where the ranks do not vary.
    df : float
        Degrees of freedom of `standard_error`; infinite where it is known and not estimated.
    of : str
        The kind of rank that is averaged.
    """

    means: FloatArray
    standard_error: float
    df: float = np.inf
    of: str = "mean rank"

    def pvalues(self, statistics: FloatArray) -> FloatArray:
        """Two-sided, of differences over the standard error."""
        return np.asarray(np.minimum(1.0, 2 * special.stdtr(self.df, -np.abs(statistics))))

    def critical_difference(self, n_tests: int) -> float:
        """The least difference that is significant at 5% after Bonferroni's correction for so many tests."""
        quantile = special.stdtrit(self.df, ALPHA / (2 * n_tests))
        return float(-quantile * self.standard_error) if self.standard_error > 0 else float("nan")


def friedman_ranks(table: DataSetScores) -> MeanRanks:
    """Ranks within data sets; ties are not allowed for, which errs towards large p-values."""
    # the variance of a rank is known, so that a correlation of the splits only adds to that of the mean
    shared = 1 + (table.n_datasets - 1) * table.correction.fold_correlation
    error = rank_standard_error(table.n_models, table.n_datasets) * float(np.sqrt(shared))
    return MeanRanks(means=table.ranks().mean(axis=0), standard_error=error)


def rank_standard_error(n_models: int, n_datasets: int) -> float:
    """Of the difference of two mean ranks without ties: Demsar (2006), equation of section 3.2.2."""
    return float(np.sqrt(n_models * (n_models + 1) / (6 * n_datasets)))


def conover_ranks(ranks: FloatArray, weight: float, of: str = "mean rank") -> MeanRanks:
    """Means of (weighted) ranks, with the variance estimated from the data sets' disagreement."""
    n, k = ranks.shape
    sums, df = ranks.sum(axis=0), (n - 1) * (k - 1)
    spread = 2 * float(n * (ranks**2).sum() - (sums**2).sum())
    return MeanRanks(means=sums / weight, standard_error=float(np.sqrt(spread / max(df, 1)) / weight), df=df, of=of)


def quade_ranks(table: DataSetScores, *, estimated: bool = False) -> MeanRanks:
    """Ranks within data sets, weighted by the rank of its range; the variance over permutations, or an estimate."""
    weights = table.range_ranks()
    weighted, weight = weights[:, None] * (table.ranks() - (table.n_models + 1) / 2), float(weights.sum())
    if estimated:
        return conover_ranks(weighted, weight, "weighted mean rank")
    variance = 2 / (table.n_models - 1) * float((weighted**2).sum())
    means, error = weighted.sum(axis=0) / weight, float(np.sqrt(variance) / weight)
    return MeanRanks(means=means, standard_error=error, of="weighted mean rank")


def aligned_ranks(table: DataSetScores) -> MeanRanks:
    """Ranks among all scores less the mean of their data set, with the variance over permutations within data sets."""
    ranks = table.aligned_ranks()
    within = float(((ranks - ranks.mean(axis=1, keepdims=True)) ** 2).sum())
    error = float(np.sqrt(2 * within / (table.n_models - 1)) / table.n_datasets)
    return MeanRanks(means=ranks.mean(axis=0), standard_error=error, of="mean aligned rank")


def compare_pairs(
    table: DataSetScores, ranks: MeanRanks, *, correction: str, method: str, warnings: Warnings = ()
) -> PairwiseResult:
    """Every difference of two mean ranks, over the standard error that they share, adjusted by `correction`."""
    estimates, k, error = ranks.means[None, :] - ranks.means[:, None], table.n_models, ranks.standard_error
    statistics = standardised(estimates, error)
    raw = ranks.pvalues(statistics)
    if error == 0:
        raw = np.where(np.isinf(statistics), 2.0 ** (1 - table.n_datasets), 1.0)
    more: dict[str, Any] = {"warnings": warnings + rank_warnings(table, error)}
    if isinstance(correction, str) and correction == STUDENTIZED_RANGE:
        # of the means, whose standard error is less by the root of 2
        statistics, least = np.sqrt(2) * statistics, studentized_range_quantile(ALPHA, k) / sqrt(2) * error
        raw = studentized_range_pvalues(statistics)
        adjusted = raw.copy()
        more |= {"standard_error": error / sqrt(2), "df": np.inf, "critical_difference": least}
    else:
        adjusted = adjust_pairs(raw, correction)
        if n_tests := {"none": 1, "bonferroni": k * (k - 1) // 2}.get(correction):
            more["critical_difference"] = ranks.critical_difference(n_tests)
    tested = (statistics, adjusted, raw)
    return result_of_pairs(table, tested, estimates, ranks.of, correction=correction, method=method, **more)


def result_of_pairs(
    table: DataSetScores, tested: tuple[FloatArray, FloatArray, FloatArray], estimates: FloatArray, of: str, **more: Any
) -> PairwiseResult:
    """The record of statistics, adjusted and unadjusted p-values; nan where there is one data set only."""
    if table.n_datasets < 2:
        apart = ~np.eye(table.n_models, dtype=np.bool_)
        tested = tuple(np.where(apart, np.nan, matrix) for matrix in tested)  # type: ignore[assignment]
        more |= {name: np.nan for name in ("critical_difference", "standard_error") if name in more}
    return PairwiseResult(
        names=table.names,
        statistics=tested[0],
        pvalues=tested[1],
        pvalues_unadjusted=tested[2],
        estimates=estimates,
        estimate_of=of,
        n=table.n_datasets,
        case=table.correction.case,
        **more,
    )


def studentized_range_pvalues(statistics: FloatArray, df: float = np.inf) -> FloatArray:
    """Of all pairs of as many means, from the matrix of their statistics."""
    k = len(statistics)
    return of_all_pairs(studentized_range_pvalue(of_pairs(statistics), k, df), k)


def standardised(estimates: FloatArray, standard_error: float) -> FloatArray:
    """Estimates over their standard error; infinite, with its sign, where only the latter is 0."""
    if standard_error > 0:
        return estimates / standard_error
    return np.where(estimates == 0, 0.0, np.copysign(np.inf, estimates))


def rank_warnings(table: DataSetScores, standard_error: float, certain: CodedWarning = _UNANIMOUS) -> Warnings:
    """The warnings that all comparisons of means share; `certain`, where the standard error is 0."""
    degenerate = degenerate_answer(table.ranks(), table.correction.case)
    if degenerate is not None:
        return degenerate[2]
    return (certain,) if standard_error == 0 else ()
