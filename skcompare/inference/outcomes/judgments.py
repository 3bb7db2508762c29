"""Judges: the strengths of models by who wins against whom, and scores of a judge that few human labels correct."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from skcompare._core import validation
from skcompare._core.numbers import counted, some_names
from skcompare._core.record import Frozen
from skcompare._core.validation import Alternative, FloatArray
from skcompare._core.warnings import Code, Warnings
from skcompare.inference._kinds import Compared, Result, with_names
from skcompare.inference._records import ROUNDING, TTestResult, power_of_two, widened
from skcompare.inference._sentences import Each
from skcompare.inference.outcomes.dependent import satterthwaite, wald, wald_test
from skcompare.inference.outcomes.samples import Clusters, bias_reduced, check_labels, read_clusters

IntArray = NDArray[np.intp]

_UNKNOWN = -1
# What a winner is called besides the names of the models: twice the share of the win that goes to the first side.
_WORDS = {
    **dict.fromkeys(("a", "model_a", "1", "true", "a>b", "a>>b"), 2),
    **dict.fromkeys(("b", "model_b", "0", "false", "b>a", "b>>a"), 0),
    **dict.fromkeys(("tie", "bothbad", "both_bad", "both bad", "both", "neither", "draw", "equal", "a=b", "0.5"), 1),
}
# Numbers that mean something else where there is one that these begin with; 0 beside 2 may be any.
_SCHEMES = ({"2": 0, "1": 2, "1.5": 1, "0": _UNKNOWN}, {"-1": 0, "1": 2, "0": 1})
_BESIDE = re.compile(r"[\[\]]|\s*\(.*\)$|(?<=\d)\.0$")  # [[A]], tie (bothbad), 1.0
_MOST_STEPS = 100
_FARTHEST = 50.0  # a log-strength beyond which there is no finite one
_SETTLED = 1e-10
_FEW = 2**16  # numbers, below which a dense array takes less time than a sparse one
_TINY = 1e-30  # so small a variance is none
_FEWEST_LABELS = 30  # below, the normal approximation of the labelled items is poor


# ---- who wins against whom -------------------------------------------------------------------------------------


class BradleyTerryResult(Result, eq=False):
    """The strengths of models in a Bradley-Terry model of judgments.

    Attributes
    ----------
    names : tuple of str
        The k models, in the order of all arrays: as they come in the judgments.
    strengths : ndarray of shape (k,)
        Natural logarithms; they sum to 0. The difference of two is the log-odds that the first wins, ties left out.
        In points of Elo it is 400 / log(10) = 173.7 times as large.
    standard_errors : ndarray of shape (k,)
        Of `strengths`, each against the mean of all.
    covariance : ndarray of shape (k, k)
        Of `strengths`.
    df : float
        The smallest of `df_of_differences`.
    df_of_differences : ndarray of shape (k, k)
        Degrees of freedom of each difference of two strengths, at least 1, and on the diagonal of each strength against
        the mean of all; infinite without clusters.
    tie : float
        Davidson's parameter of ties, at least 0: between equal models a tie is `tie` times as likely as a win of one.
    home : float
        What the first side adds to its log-strength; nan unless it was asked for.
    home_error : float
        Standard error of `home`; nan unless it was asked for.
    n, n_ties : int
        Judgments, and those without a winner.
    n_clusters : int or None
        Clusters of the judgments; None where each counts alone.
    """

    names: tuple[str, ...]
    strengths: FloatArray
    standard_errors: FloatArray
    covariance: FloatArray = field(repr=False)
    df: float
    df_of_differences: FloatArray = field(repr=False)
    tie: float
    home: float
    home_error: float
    n: int
    n_ties: int
    n_clusters: int | None
    _kind = Each("Log-strength", "strengths")

    def difference(self, a: str, b: str, *, alternative: Alternative = "two-sided", null: float = 0.0) -> TTestResult:
        """`wald_test` of the difference of two log-strengths.

        Parameters
        ----------
        a, b : str
            Models.
        alternative : {"two-sided", "greater", "less"}, default="two-sided"
            ``"greater"``: `a` is the stronger one.
        null : float, default=0
            The difference ``a - b`` under the null hypothesis.

        Returns
        -------
        TTestResult

        Raises
        ------
        ValueError
            If a model is unknown.
        """
        for argument, name in (("a", a), ("b", b)):
            validation.check_choice(name, argument, self.names)
        at = [self.names.index(a), self.names.index(b)]
        options: dict[str, Any] = {"n": self.n, "alternative": alternative, "null": null}
        df = self.df_of_differences[at[0], at[1]]
        found = wald_test(self.strengths[at], self.covariance[np.ix_(at, at)], df=df, **options)
        return with_names(found, Compared(a=a, b=b, metric="log-strength"), warnings=(*found.warnings, *self.warnings))


def bradley_terry(
    a: ArrayLike, b: ArrayLike, winner: ArrayLike, *, clusters: ArrayLike | None = None, home: bool = False
) -> BradleyTerryResult:
    r"""How strong models are, from judgments of two at a time (Bradley-Terry model with Davidson's ties).

    Of models with log-strengths :math:`\theta_i` the outcomes of a judgment of :math:`i` and :math:`j` have

    .. math:: P(i) : P(j) : P(\text{tie}) = e^{\theta_i + \gamma} : e^{\theta_j} : \nu e^{(\theta_i + \theta_j +
        \gamma) / 2}

    (Bradley and Terry 1952; ties: Davidson 1970), where :math:`\gamma` is what the first side gains, 0 unless `home`
    (Davidson and Beaver 1977). The estimates are those of the largest likelihood; it depends on the counts of each pair
    alone. A model that is judged against strong ones is not the worse for it, as by a share of wins.

    The covariance is the inverse of the information :math:`I`. The judgments of one judge, or of one prompt, are not
    independent: with `clusters` it is the sandwich

    .. math:: I^{-1} \Bigl( \sum_c h_c h_c^\top \Bigr) I^{-1}, \qquad h_c = L_c (1 - L_c^\top I^{-1} L_c)^{-1/2}
        L_c^+ g_c, \qquad L_c L_c^\top = I_c

    of the clusters' sums :math:`g_c` of the derivatives of the log-likelihood, with their part :math:`I_c` of the
    information: unbiased for independent judgments (CR2), with Satterthwaite's degrees of freedom of each difference
    (Bell and McCaffrey 2002; Pustejovsky and Tipton 2018). Of two models these are as in `cluster_t_test`. They are few
    where few judges tell a difference. Of :math:`k` models and :math:`m` clusters with :math:`m k^4` beyond about
    :math:`2^{31}` they are a lower bound. What one cluster alone tells is taken to vary as the rest does, on one degree
    of freedom. In simulations of 10 to 200 judges who each see one pair of models, two or all, tests of equal models
    rejected 3% to 6% (`docs/benchmarks.md`).

    Parameters
    ----------
    a, b : array_like of shape (n_judgments,)
        The two models of each judgment.
    winner : array_like of shape (n_judgments,)
        The name of the winner; or which side won, ``"a"`` or ``"model_a"``, ``"b"`` or ``"model_b"``, ``"tie"``, or
        ``"A>B"``; or 1, 0 and 0.5, or 1, -1 and 0, or 1 and 2.
    clusters : array_like of shape (n_judgments,), optional
        The judge, or the prompt, of each judgment.
    home : bool, default=False
        Whether the first side may have an advantage, as the answer that is shown first.

    Returns
    -------
    BradleyTerryResult
        With the warning TOO_LITTLE_DATA where clusters are few or unequal, or one alone compares some models.

    Raises
    ------
    ValueError
        If a winner is none of the two models, all judgments are ties, or models cannot be compared: one that never
        lost has no finite strength, and models that never meet the others none at all.

    See Also
    --------
    plackett_luce_posterior : rankings of many models.

    References
    ----------
    R. M. Bell and D. F. McCaffrey (2002), Bias reduction in standard errors for linear regression with multi-stage
    samples, Survey Methodology 28(2), 169-181.

    R. A. Bradley and M. E. Terry (1952), Rank analysis of incomplete block designs: I. The method of paired
    comparisons, Biometrika 39(3/4), 324-345, :doi:`10.2307/2334029`.

    R. R. Davidson (1970), On extending the Bradley-Terry model to accommodate ties in paired comparison experiments,
    Journal of the American Statistical Association 65(329), 317-328, :doi:`10.1080/01621459.1970.10481082`.

    R. R. Davidson and R. J. Beaver (1977), On extending the Bradley-Terry model to incorporate within-pair order
    effects, Biometrics 33(4), 693-702, :doi:`10.2307/2529467`.

    J. E. Pustejovsky and E. Tipton (2018), Small-sample methods for cluster-robust variance estimation and hypothesis
    testing in fixed effects models, Journal of Business and Economic Statistics 36(4), 672-683,
    :doi:`10.1080/07350015.2016.1247004`.

    Examples
    --------
    >>> from skcompare.inference import bradley_terry
    >>> result = bradley_terry(["x"] * 8, ["y"] * 8, ["x"] * 6 + ["y"] * 2)  # odds of 3 to 1
    >>> round(result.difference("x", "y").estimate, 4)
    1.0986
    """
    validation.check_bool(home, "home")
    validation.check_aligned(a=a, b=b, winner=winner, clusters=clusters)
    names, first, second, y = _read(a, b, winner)
    units = None if clusters is None else read_clusters(clusters, len(y))
    cells, counts, cell, y = _counts(first, second, y, len(names), home)
    _check_connected(names, cells, counts)
    if units is not None and len(units) < 2:
        raise ValueError("clusters must be two or more, since one does not tell how much they vary; got 1")
    design = _Likelihood.of(cells, counts, len(names), home=home)
    beta, bread = design.largest()
    k, covariance, warnings = len(names), bread, Warnings()
    df = np.full((k, k), np.inf)
    if units is not None:
        covariance, df, alone = bias_reduced(*design.whitened(beta, cell, y, units), bread, k)
        warnings = (*units.warnings(), *_alone_warnings(names, alone > 0))
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    robust = "" if units is None else f" (cluster-robust, {counted(f'{len(units):,}', 'cluster')})"
    return BradleyTerryResult(
        names=names,
        strengths=beta[:k],
        standard_errors=errors[:k],
        covariance=covariance[:k, :k],
        df=float(df[~np.eye(k, dtype=bool)].min()),
        df_of_differences=df,
        tie=float(np.exp(beta[-1])) if design.tied else 0.0,
        home=float(beta[k]) if home else float("nan"),
        home_error=float(errors[k]) if home else float("nan"),
        n=len(y),
        n_ties=int(counts[:, 1].sum()),
        n_clusters=None if units is None else len(units),
        method=f"Bradley-Terry model{' with ties' * design.tied}{robust}",
        warnings=warnings,
    )


def _alone_warnings(names: Sequence[str], alone: NDArray[np.bool_]) -> Warnings:
    """That single clusters tell how some models compare with others."""
    counts = alone.sum(axis=1)
    if not counts.any():
        return ()
    who = some_names([names[i] for i in np.flatnonzero(counts == counts.max()).tolist()])
    told = f"a single cluster compares {who} with the others, where tests hardly reject: collect judgments of more."
    return (Code.TOO_LITTLE_DATA(told),)


def _read(a: ArrayLike, b: ArrayLike, winner: ArrayLike) -> tuple[tuple[str, ...], IntArray, IntArray, IntArray]:
    """The models, the positions of both sides among them, and 2, 1 or 0 where the first won, nobody, the second."""
    sides = [check_labels(side, name).tolist() for side, name in ((a, "a"), (b, "b"))]
    won = check_labels(winner, "winner").tolist()
    if not len(sides[0]) == len(sides[1]) == len(won):
        raise ValueError(f"a, b and winner must be of one length; got {len(sides[0])}, {len(sides[1])} and {len(won)}")
    found = dict.fromkeys(label for two in zip(*sides, strict=True) for label in two)
    labels: dict[Hashable, int] = {label: i for i, label in enumerate(found)}
    names = tuple(map(str, labels))
    if len({*names}) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ValueError(f"a and b must call every model by one name; {twice!r} stands for a number and a text")
    first, second = (np.array([labels[x] for x in side], dtype=np.intp) for side in sides)
    if (same := first == second).any():
        raise ValueError(
            f"a and b must be two models in every judgment; got {names[first[same][0]]!r} twice at "
            f"position {int(same.argmax())}"
        )
    values = dict.fromkeys(won)
    place = np.array([labels.get(x, labels.get(str(x), _UNKNOWN)) for x in values], dtype=np.intp)
    word = np.array(_sides_of([*values]), dtype=np.intp)
    code = {value: i for i, value in enumerate(values)}
    at = np.array([code[x] for x in won], dtype=np.intp)
    named = np.select([place[at] == first, place[at] == second, word[at] == 1], [2, 0, 1], _UNKNOWN)
    by_side = word[at]
    if (named >= 0).all() and (by_side >= 0).all() and (named != by_side).any():
        raise ValueError("winner must be 1, 0 or 0.5, where 1 is a: models are called like the other side here")
    better = named if (named >= 0).sum() >= (by_side >= 0).sum() else by_side
    if (better >= 0).all():
        return names, first, second, better
    i = int((better < 0).argmax())
    raise ValueError(
        f"winner must be one of the two models, 'a', 'b' or 'tie', or 1, 0 or 0.5; got {won[i]!r:.80} of "
        f"{names[first[i]]!r} and {names[second[i]]!r} at position {i}"
    )


def _sides_of(values: Sequence[Hashable]) -> list[int]:
    """By what distinct winners are called, twice the share of the win that goes to the first side; -1 of no side."""
    words = [_BESIDE.sub("", str(value).strip().lower()) for value in values]
    known = {**_WORDS, **next((scheme for scheme in _SCHEMES if next(iter(scheme)) in words), {})}
    return [known.get(x, _UNKNOWN) for x in words]


def _counts(
    first: IntArray, second: IntArray, y: IntArray, k: int, home: bool
) -> tuple[IntArray, FloatArray, IntArray, IntArray]:
    """The pairs that met, how often each outcome was, and of each judgment its pair and its outcome."""
    if not home:
        turned = first > second
        first, second, y = np.where(turned, second, first), np.where(turned, first, second), np.where(turned, 2 - y, y)
    keys, cell = np.unique(first * k + second, return_inverse=True)
    counts = np.bincount(cell * 3 + y, minlength=3 * len(keys)).reshape(-1, 3).astype(np.float64)
    return np.stack([keys // k, keys % k]), counts, cell, y


def _check_connected(names: Sequence[str], cells: IntArray, counts: FloatArray) -> None:
    """ValueError unless of any two models each won or drew against the other, directly or by way of others."""
    if not (counts[:, 0] + counts[:, 2]).any():
        raise ValueError("winner must be a model in some judgments; all are ties")
    i, j = cells
    beaten, k = counts > 0, len(names)
    not_lost = ((i, j, beaten[:, 2] | beaten[:, 1]), (j, i, beaten[:, 0] | beaten[:, 1]))
    wins = np.concatenate([np.stack([ours[where], theirs[where]]) for ours, theirs, where in not_lost], axis=1)
    graph = sparse.csr_array((np.ones(wins.shape[1]), (wins[0], wins[1])), shape=(k, k))
    n, label = connected_components(graph, connection="strong")
    if n == 1:
        return
    n_apart, apart = connected_components(graph, connection="weak")
    if n_apart > 1:
        group = min((np.flatnonzero(apart == g) for g in range(n_apart)), key=len)
        told = "never meet the others" if len(group) > 1 else "never meets the others"
    else:
        across = label[wins[0]] != label[wins[1]]
        never = (("lost", {*range(n)} - {*label[wins[1]][across]}), ("won", {*range(n)} - {*label[wins[0]][across]}))
        ends = [(np.flatnonzero(label == g), what) for what, groups in never for g in groups]
        group, what = min(ends, key=lambda end: len(end[0]))
        told = f"never {what} against the others"
    raise ValueError(
        f"a and b must be models whose strengths can be compared; {some_names([names[int(i)] for i in group])} {told}: "
        "leave out such models, or collect more judgments"
    )


class _Likelihood(Frozen):
    """The likelihood of the counts of all pairs: of log-strengths, then the advantage at home, then the log of ties."""

    levers: Any  # of the parameters on the log-odds of a win, (n_pairs, n_parameters), sparse unless they are few
    of_ties: Any  # and on the log-odds of a tie besides
    counts: FloatArray
    n_models: int
    home: bool
    tied: bool

    @classmethod
    def of(cls, cells: IntArray, counts: FloatArray, k: int, *, home: bool) -> _Likelihood:
        (i, j), n, tied = cells, len(counts), bool(counts[:, 1].any())
        unit: Any = sparse.eye_array(k + home + tied, format="csr")
        levers = unit[i] - unit[j] + unit[np.full(n, k)] if home else unit[i] - unit[j]
        of_ties = unit[np.full(n, -1)] * float(tied)
        if levers.shape[0] * levers.shape[1] < _FEW:
            levers, of_ties = levers.toarray(), of_ties.toarray()
        return cls(levers=levers, of_ties=of_ties, counts=counts, n_models=k, home=home, tied=tied)

    def _shares(self, beta: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """The log-likelihood, and for each pair the probability of a win of its first model, and of a tie."""
        win = self.levers @ beta
        tie = win / 2 + self.of_ties @ beta if self.tied else np.full(len(win), -np.inf)
        total = np.logaddexp(np.logaddexp(win, tie), 0.0)
        said = self.counts[:, 2] @ win - self.counts.sum(axis=1) @ total
        if self.tied:
            said += self.counts[:, 1] @ tie
        return float(said), np.exp(win - total), np.exp(tie - total)

    def _slopes(self, win: FloatArray, tie: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Of every pair and outcome (second won, tie, first won) what it adds along both levers beyond the mean."""
        points, ties = np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 0.0])
        return points - (win + tie / 2)[:, None], ties - tie[:, None]

    def _variances(self, win: FloatArray, tie: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Of every pair the variance of a win, its covariance with a tie, and the variance of a tie."""
        mean = win + tie / 2
        return win + tie / 4 - mean**2, tie / 2 - mean * tie, tie * (1 - tie)

    def largest(self) -> tuple[FloatArray, FloatArray]:
        """The parameters with the largest likelihood, of which strengths sum to 0, and the inverse information."""
        width, n = self.levers.shape[1], self.counts.sum(axis=1)
        beta = np.zeros(width)
        said, win, tie = self._shares(beta)
        for _ in range(_MOST_STEPS):
            points, ties = ((part * self.counts).sum(axis=1) for part in self._slopes(win, tie))
            slope = self.levers.T @ points + self.of_ties.T @ ties
            information = self._squares(*(n * part for part in self._variances(win, tie)))
            free = np.zeros((width, width))
            free[: self.n_models, : self.n_models] = np.trace(information) / self.n_models**2
            if self.home and np.linalg.matrix_rank(information + free) < width:
                break  # as where each pair met on the same sides
            try:
                inverse = np.linalg.inv(information + free)
            except np.linalg.LinAlgError:
                break  # ties have all of the probability
            step = inverse @ slope
            for shorter in 0.5 ** np.arange(30):
                new, win, tie = self._shares(beta + shorter * step)
                if new >= said - abs(said) * ROUNDING:
                    break
            beta, said = beta + shorter * step, new
            if np.abs(beta).max() > _FARTHEST:
                break
            if np.abs(step).max() < _SETTLED:
                beta[: self.n_models] -= beta[: self.n_models].mean()
                free[: self.n_models, : self.n_models] = 1 / np.trace(information)
                return beta, np.asarray(inverse - free, dtype=np.float64)
        raise ValueError(
            "home must be False here: its advantage cannot be known, as where pairs met on the same sides alone"
            if self.home
            else "winner must have losses of the models that win, beside ties: leave out such models, or collect more"
        )

    def _squares(self, points: FloatArray, both: FloatArray, ties: FloatArray) -> FloatArray:
        """The information, of what `_variances` gives, times the counts."""
        on, at = self.levers, self.of_ties
        crossed = on.T @ (at * both[:, None])
        found = on.T @ (on * points[:, None]) + crossed + crossed.T + at.T @ (at * ties[:, None])
        return found if isinstance(found, np.ndarray) else np.asarray(found.toarray())

    def whitened(
        self, beta: FloatArray, cell: IntArray, y: IntArray, units: Clusters
    ) -> tuple[Any, FloatArray, IntArray]:
        """Rows whose squares over a cluster add up to its information, their residuals, and the cluster of each.

        Each cluster has a row for every pair that it judged, and one for all of its ties.
        """
        _, win, tie = self._shares(beta)
        of_wins, both, of_ties = self._variances(win, tie)
        of_wins = np.maximum(of_wins, _TINY) ** 0.5
        slope, width = both / of_wins, self.levers.shape[1]
        keys, inverse, counts = np.unique(units.codes * len(win) + cell, return_inverse=True, return_counts=True)
        cluster, pair = np.divmod(keys, len(win))
        sums = [np.bincount(inverse, weights=part[cell, y]) for part in self._slopes(win, tie)]
        points, root = sums[0] / of_wins[pair], np.sqrt(counts)
        rows = sparse.diags_array(root * of_wins[pair]) @ self.levers[pair]
        if not self.tied:
            return sparse.csr_array(rows), points / root, cluster
        rows = rows + sparse.diags_array(root * slope[pair]) @ self.of_ties[pair]
        left = np.bincount(cluster, weights=counts * np.maximum(of_ties - slope**2, _TINY)[pair]) ** 0.5
        last = sparse.csr_array((left, (np.arange(len(left)), np.full(len(left), width - 1))), shape=(len(left), width))
        residuals = np.bincount(cluster, weights=sums[1] - slope[pair] * points) / left
        clusters = np.r_[cluster, np.arange(len(left))]
        return sparse.csr_array(sparse.vstack([rows, last])), np.r_[points / root, residuals], clusters


# ---- few labels -------------------------------------------------------------------------------------------------


class Powered(NamedTuple):
    """Prediction-powered means of several columns, and what `wald_test` takes of them.

    Attributes
    ----------
    means : ndarray of shape (k,)
        The estimates.
    weight : float
        How much of the judge is used, in [0, 1].
    covariances : ndarray of shape (n_parts, k, k)
        Of the items without and with labels; one part of items in clusters.
    df : ndarray of shape (n_parts,)
        Their degrees of freedom.
    n_labelled : int
        Items with labels.
    warnings : tuple of CodedWarning
        That labels are few.
    """

    means: FloatArray
    weight: float
    covariances: FloatArray
    df: FloatArray
    n_labelled: int
    warnings: Warnings


def prediction_powered(f: FloatArray, y: FloatArray, clusters: ArrayLike | None) -> Powered:
    """Prediction-powered means of judged outcomes `f` and labels `y` of shape (n_items, k), rows of nan without labels.

    All columns share the weight that makes the variances of their differences the least together, so that differences
    of the means are the means of the differences.
    """
    known = ~np.isnan(y).any(axis=1)
    n, rest = int(known.sum()), int((~known).sum())
    if n < 2 or rest < 2:
        raise ValueError(f"labels must be known of 2 items or more, and lack on 2 or more; got {n} of {n + rest}")
    own_f, own_y, other = f[known], y[known], f[~known]
    k = f.shape[1]
    within = np.eye(k) - 1 / k if k > 1 else np.eye(1)  # of several columns only their differences matter
    crossed = (own_y - own_y.mean(axis=0)).T @ (own_f - own_f.mean(axis=0)) / n
    spread = float(np.trace(within @ np.atleast_2d(np.cov(f.T))))
    weight = float(np.clip(np.trace(within @ crossed) / ((1 + n / rest) * spread), 0, 1)) if spread > 0 else 0.0
    left = own_y - weight * own_f
    means = weight * other.mean(axis=0) + left.mean(axis=0)
    few = Code.TOO_LITTLE_DATA(
        f"{n} labelled items hardly tell how far the judge is off: label {_FEWEST_LABELS} or more."
    )
    warnings: Warnings = (few,) if n < _FEWEST_LABELS else ()
    if clusters is None:
        parts = [np.atleast_2d(np.cov(values.T)) / len(values) for values in (weight * other, left)]
        df, m = np.array([rest - 1.0, n - 1.0]), n
    else:
        units = read_clusters(clusters, len(f))
        moved = np.empty_like(f)
        moved[~known] = weight * (other - other.mean(axis=0)) / rest
        moved[known] = (left - left.mean(axis=0)) / n
        sizes = np.bincount(units.codes[known])
        sums, m = units.sums(moved), int(np.count_nonzero(sizes))
        if m < 2:
            raise ValueError("labels must be known in 2 clusters or more; got 1")
        parts, df = [sums.T @ sums * (m / (m - 1))], np.array([satterthwaite(sizes[sizes > 0] / n)])
        warnings += units.warnings()
    unseen = _unseen(f, own_y, m)
    if unseen.any():
        told = f"models have the same difference on all {n:,} labelled items, and the interval counts two more"
        warnings += (Code.TOO_LITTLE_DATA(f"{told} that differ: label items on which the judge sees a difference."),)
        parts[-1] = parts[-1] + np.diag(unseen)
    return Powered(means=means, weight=weight, covariances=np.stack(parts), df=df, n_labelled=n, warnings=warnings)


def _unseen(judged: FloatArray, labels: FloatArray, n: int) -> FloatArray:
    """What the variance of each mean lacks where differences of labels do not vary, shape (k,).

    As if of two more labels each differed by the largest difference that is known, one in favour of either model
    (Bonett and Price 2012).
    """
    k = labels.shape[1]
    if k == 1:
        same, most = np.array([np.ptp(labels) == 0]), max(np.abs(judged).max(), np.abs(labels).max())
    else:
        still = np.ptp(labels[:, :, None] - labels[:, None, :], axis=0) == 0
        same, most = still.sum(axis=1) > 1, max(np.ptp(judged, axis=1).max(), np.ptp(labels, axis=1).max())
    return np.asarray(same * 2 / min(k, 2) * (most / (n + 2)) ** 2)


class PredictionPoweredResult(TTestResult):
    """Result of a test of a mean difference that a judge scored on all items, and humans on some.

    `confidence_interval` inverts the test: it leaves out `null` exactly when ``pvalue < 1 - confidence_level``.

    Attributes
    ----------
    statistic, pvalue : float
        `estimate` less `null` over `standard_error`, and how often it is as far out under the null hypothesis.
    alternative : {"two-sided", "greater", "less"}
        What was tested.
    df : float
        Satterthwaite's, of the items without and with labels; with clusters as of `cluster_t_test` on the labels.
    estimate, mean_difference : float
        The mean difference ``a - b`` by the human labels; positive favours `a`.
    standard_error : float
        Of `estimate`.
    effect_size : float
        Not defined: nan.
    n : int
        Items.
    n_labelled : int
        Items with human labels.
    weight : float
        How much of the judge is used, in [0, 1]: 0 where it tells nothing of the labels.
    mean_labelled : float
        The mean of the human labels alone.
    mean_judged : float
        The mean of the judge alone, over all items.
    """

    n_labelled: int
    weight: float
    mean_labelled: float
    mean_judged: float


def prediction_powered_test(
    judged: ArrayLike,
    labels: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    null: float = 0.0,
) -> PredictionPoweredResult:
    r"""Test of a mean difference that a judge scored on all items, corrected by human labels of some.

    A judge, such as a language model, may be wrong in favour of one model; human labels are right, and few. With the
    judged differences :math:`f`, the labels :math:`y` of :math:`n` items and :math:`N` other items

    .. math:: \hat\theta = \frac{\lambda}{N} \sum_{\text{unlabelled}} f_i + \frac{1}{n} \sum_{\text{labelled}}
        (y_i - \lambda f_i), \qquad \lambda = \frac{\operatorname{cov}(y, f)}{(1 + n / N) \operatorname{var}(f)}

    is right on average whatever the judge does (Angelopoulos et al. 2023). The weight :math:`\lambda`, cut to [0, 1],
    makes its variance :math:`\lambda^2 \operatorname{var}(f) / N + \operatorname{var}(y - \lambda f) / n` the least, so
    that a useless judge costs nothing (Angelopoulos, Duchi and Zrnic 2023). The labelled items must be a random part.
    Labels that are all equal show no variance: two more are counted that differ by the largest difference there is, one
    in favour of either model (Bonett and Price 2012).

    Parameters
    ----------
    judged : array_like of shape (n_items,)
        The difference ``a - b`` of each item by the judge.
    labels : array_like of shape (n_items,)
        The same by humans; nan where there is no label.
    clusters : array_like of shape (n_items,), optional
        Document, prompt, ... of each item: items of one cluster are not taken for independent.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of the labels of all items would be positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis.

    Returns
    -------
    PredictionPoweredResult
        With the warning TOO_LITTLE_DATA below 30 labels, where they are all equal, and where clusters are few.

    Raises
    ------
    ValueError
        If numbers are not finite or not paired, or fewer than 2 items have a label or lack one.

    References
    ----------
    A. N. Angelopoulos, S. Bates, C. Fannjiang, M. I. Jordan and T. Zrnic (2023), Prediction-powered inference, Science
    382(6671), 669-674, :doi:`10.1126/science.adi6000`.

    A. N. Angelopoulos, J. C. Duchi and T. Zrnic (2023), PPI++: efficient prediction-powered inference, arXiv
    2311.01453, :doi:`10.48550/arXiv.2311.01453`.

    D. G. Bonett and R. M. Price (2012), Adjusted Wald confidence interval for a difference of binomial proportions
    based on paired data, Journal of Educational and Behavioral Statistics 37(4), 479-488,
    :doi:`10.3102/1076998611411915`.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.inference import prediction_powered_test
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.normal(0.2, 1, 1000)
    >>> judged, labels = truth + rng.normal(0.3, 0.5, 1000), np.where(np.arange(1000) < 100, truth, np.nan)
    >>> result = prediction_powered_test(judged, labels)
    >>> round(result.weight, 2), bool(result.pvalue < 0.05), result.n_labelled
    (0.67, True, 100)
    """
    against = validation.check_hypothesis(alternative, null)
    validation.check_aligned(judged=judged, labels=labels, clusters=clusters)
    f, y = validation.check_scores(judged, "judged", ndim=(1,)), validation.as_floats(labels, "labels")
    if y.shape != f.shape:
        raise ValueError(f"judged and labels must be paired, of one shape; got {f.shape} and {y.shape}")
    if np.isinf(y).any():
        raise ValueError(f"labels must be finite, or nan; got inf at position {int(np.isinf(y).argmax())}")
    unit = power_of_two(np.fmax(np.abs(f), np.abs(y)))
    f, y = f / unit, y / unit
    found = prediction_powered(f[:, None], y[:, None], clusters)
    mean, errors = unit * float(found.means[0]), unit * found.covariances[:, 0, 0] ** 0.5
    test = wald(mean, errors, found.df, against, n=len(f), noise=ROUNDING * abs(mean))
    units = "" if clusters is None else f", {counted(f'{len(np.unique(np.asarray(clusters))):,}', 'cluster')}"
    return widened(
        test,
        PredictionPoweredResult,
        method=f"prediction-powered test ({found.n_labelled:,} of {len(f):,} items with labels{units})",
        warnings=(*test.warnings, *found.warnings),
        n_labelled=found.n_labelled,
        weight=found.weight,
        mean_labelled=float(np.nanmean(y)) * unit,
        mean_judged=float(f.mean()) * unit,
    )
