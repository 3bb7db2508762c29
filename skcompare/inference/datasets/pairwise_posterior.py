"""Bayesian tests of all pairs of many models on many data sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.numbers import percent
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_choice, check_integer, check_number, check_rng
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted
from skcompare.inference._kinds import MAX_NAMED
from skcompare.inference.datasets._pairwise import of_pairs
from skcompare.inference.datasets._scores import ONE_DATASET, check_table
from skcompare.inference.datasets.sign_posterior import SignPosterior, sign_posterior
from skcompare.inference.datasets.signed_rank_posterior import PRIOR_STRENGTH, SignedRankPosterior, posteriors

PosteriorMethod = Literal["signed_rank", "sign"]
Decision = Literal["a better", "equivalent", "b better", "undecided"]

_METHOD_NAMES = {"signed_rank": "signed-rank posterior (Dirichlet process)", "sign": "sign posterior (Dirichlet)"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairwisePosterior(Record):
    """Posterior of every pair of models on many data sets: the better one, or equivalent.

    Attributes
    ----------
    names : tuple of str
        The k models, in the order of the matrices.
    better : ndarray of shape (k, k)
        At [i, j] the probability that model i is better than model j; 0 on the diagonal.
    equivalent : ndarray of shape (k, k)
        At [i, j] the probability that the two are equivalent; symmetric, 1 on the diagonal. For each pair
        ``better[i, j] + better[j, i] + equivalent[i, j]`` is 1.
    standard_errors : ndarray of shape (k, k)
        The largest Monte Carlo standard error of the probabilities of each pair; symmetric, 0 where nothing is drawn.
    rope_width : float
        Half width of the region of practical equivalence, in score units.
    n : int
        Number of data sets.
    n_draws : int
        Draws for each pair; 0 where nothing is drawn.
    """

    names: tuple[str, ...]
    better: FloatArray
    equivalent: FloatArray
    standard_errors: FloatArray
    rope_width: float
    n: int
    n_draws: int
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _tables(self) -> list[Table]:
        rows = [
            [*pair, *map(percent, shares), decision]
            for (pair, decision), shares in zip(self.decisions().items(), self._shares().tolist(), strict=True)
        ]
        return [Table(("a", "b", "P(a better)", "P(equivalent)", "P(b better)", "decision"), rows)]

    def _sentence(self) -> str:
        decided = [_in_words(a, b, found) for (a, b), found in self.decisions().items() if found != "undecided"]
        which = f": {'; '.join(decided)}" if 0 < len(decided) <= MAX_NAMED else ""
        n = f"{len(decided) or 'none'} of {counted(len(self.decisions()), 'pair')}"
        return f"One outcome has a probability above 95% for {n}{which}."

    def _shares(self) -> FloatArray:
        """One row per pair: probabilities that the first is better, that the two are equivalent, that the second is."""
        return np.stack([of_pairs(matrix) for matrix in (self.better, self.equivalent, self.better.T)], axis=1)

    def decisions(self, threshold: float = 0.95) -> dict[tuple[str, str], Decision]:
        """What each pair comes to: the outcome whose probability exceeds a threshold.

        Parameters
        ----------
        threshold : float, default=0.95
            In [0.5, 1), so that at most one outcome exceeds it. It is no significance level, and holds for each pair by
            itself.

        Returns
        -------
        dict of (str, str) to {"a better", "equivalent", "b better", "undecided"}
            For each pair (a, b), in the order of the names.

        Raises
        ------
        ValueError
            If `threshold` is not in [0.5, 1).
        """
        threshold = check_number(threshold, "threshold", low=0.5, high=1, closed="left")
        outcomes: tuple[Decision, ...] = ("a better", "equivalent", "b better")
        return {
            pair: outcomes[shares.argmax()] if shares.max() > threshold else "undecided"
            for pair, shares in zip(combinations(self.names, 2), self._shares(), strict=True)
        }

    def to_frame(self) -> Any:
        """One row per pair as a pandas DataFrame; needs pandas.

        Returns
        -------
        pandas.DataFrame
            Columns a, b, and left, rope, right: the probabilities that b is better, that the two are equivalent, that
            a is better.
        """
        frame = import_pandas().DataFrame(combinations(self.names, 2), columns=["a", "b"])
        frame[["left", "rope", "right"]] = self._shares()[:, ::-1]
        return frame


def _in_words(a: str, b: str, found: str) -> str:
    """What was decided of two models, by their names."""
    if found == "equivalent":
        return f"{a} and {b} equivalent"
    better, worse = (a, b) if found == "a better" else (b, a)
    return f"{better} better than {worse}"


def pairwise_posterior(
    scores: ArrayLike,
    *,
    rope: float = 0.0,
    method: PosteriorMethod = "signed_rank",
    greater_is_better: bool = True,
    names: Sequence[str] | None = None,
    n_draws: int = 50_000,
    rng: Any = None,
) -> PairwisePosterior:
    r"""Posterior probabilities, for every pair of models, that one is better over data sets or both are equivalent.

    Each pair is given to :func:`signed_rank_posterior` or :func:`sign_posterior` with its default prior, and comes out
    as it does there with the same seed: other models have no influence on it, and permuting the models permutes the
    result. With the probabilities :math:`\theta` that the second model of a pair is better, that both are equivalent
    and that the first is better, each reported one is

    .. math:: P(\theta_k = \max(\theta_l, \theta_e, \theta_r)), \qquad k \in \{l, e, r\}.

    They are not adjusted for the number of pairs: each is about its own pair, and says how sure one is of it, not how
    often one errs (Benavoli et al. 2017).

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set and model, at least 2 models. Differences are compared between data sets by the
        signed-rank posterior, and with `rope` by both.
    rope : float, default=0
        Half width of the region of practical equivalence, in score units, at least 0.
    method : {"signed_rank", "sign"}, default="signed_rank"
        Which posterior.
    greater_is_better : bool, default=True
        Whether larger scores are better.
    names : sequence of str, optional
        Names of the models; "model 1" and so on by default.
    n_draws : int, default=50000
        Draws for each pair, at least 1; the sign posterior needs none.
    rng : None, int or numpy.random.Generator, optional
        An integer seeds each pair alike; a generator, or none, draws that integer first.

    Returns
    -------
    PairwisePosterior
        With the warning NO_DIFFERENCE where a pair has equal scores on all data sets.

    Raises
    ------
    ValueError
        If the scores are not a finite table of at least 2 models, or an option is out of range.

    See Also
    --------
    plackett_luce_posterior : all models at once, from their rankings.

    References
    ----------
    A. Benavoli, G. Corani, J. Demsar and M. Zaffalon (2017), Time for a change: a tutorial for comparing multiple
    classifiers through Bayesian analysis, Journal of Machine Learning Research 18(77), 1-36.

    Examples
    --------
    >>> from skcompare.inference import pairwise_posterior
    >>> scores = [[0.90, 0.80, 0.80], [0.85, 0.79, 0.80], [0.93, 0.86, 0.86], [0.88, 0.83, 0.82]] * 3
    >>> result = pairwise_posterior(scores, rope=0.02, names=["forest", "tree", "stump"], rng=0)
    >>> for (a, b), decision in result.decisions().items():
    ...     print(a, b, decision)
    forest tree a better
    forest stump a better
    tree stump equivalent
    """
    check_choice(method, "method", get_args(PosteriorMethod))
    table = check_table(scores, greater_is_better, names, matrices=8)
    width = check_number(rope, "rope", low=0, high=np.inf, closed="left")
    n_draws = check_integer(n_draws, "n_draws", low=1)
    generator = check_rng(rng)
    # every pair has the seed that is given, or one that is drawn
    seed = int(rng) if isinstance(rng, (int, np.integer)) else int(generator.integers(2**63))
    k = table.n_models
    better, equivalent, errors = np.zeros((k, k)), np.eye(k), np.zeros((k, k))
    equal: list[str] = []
    columns = list(combinations(table.values.T, 2))
    found: Iterator[SignPosterior | SignedRankPosterior]
    if method == "sign":
        found = (sign_posterior(a, b, rope=width) for a, b in columns)
    else:
        found = posteriors(columns, width, PRIOR_STRENGTH, n_draws, np.random.default_rng(seed))
    for (i, j), posterior in zip(combinations(range(k), 2), found, strict=True):
        if isinstance(posterior, SignedRankPosterior):
            errors[i, j] = errors[j, i] = posterior.standard_error
        better[i, j], better[j, i] = posterior.right, posterior.left
        equivalent[i, j] = equivalent[j, i] = posterior.rope
        if any(warning.code == Code.NO_DIFFERENCE.name for warning in posterior.warnings):
            equal.append(f"{table.names[i]} and {table.names[j]}")
    return PairwisePosterior(
        names=table.names,
        better=better,
        equivalent=equivalent,
        standard_errors=errors,
        rope_width=width,
        n=table.n_datasets,
        n_draws=0 if method == "sign" else n_draws,
        method=f"all pairs: {_METHOD_NAMES[method]}",
        warnings=(
            *((Code.NO_DIFFERENCE(f"equal scores on all data sets: {'; '.join(equal)}."),) if equal else ()),
            *((ONE_DATASET,) if table.n_datasets == 1 else ()),
        ),
    )
