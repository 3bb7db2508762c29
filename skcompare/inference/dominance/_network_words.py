"""What a dominance network says, in words, and whether it can be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from skcompare._core.numbers import equal_to, percent
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._kinds import Compared
from skcompare.inference.dominance._network_answers import Estimate, unobserved_metrics
from skcompare.inference.dominance._structures import Parents
from skcompare.inference.dominance.posterior import DominancePosterior
from skcompare.inference.dominance.statements import format_statement, in_words, statement_of

# A lead of fewer standard errors may be one of the draws.
_CLEAR_LEAD = 4


def standard_error_of(posterior: Estimate) -> float:
    return float(np.sqrt(posterior.variances.max()))


def most_probable_of(posterior: Estimate, m: int) -> tuple[bool, ...] | None:
    """The statement with the largest probability, None where several share it as far as the draws can tell."""
    best = int(posterior.values.argmax())
    lead = posterior.values[best] - np.delete(posterior.values, best).max()
    return statement_of(best, m) if lead > max(1e-10, _CLEAR_LEAD * standard_error_of(posterior)) else None


def unobserved_warnings(table: FloatArray, parents: Parents, metrics: tuple[str, ...]) -> Iterator[CodedWarning]:
    for v in unobserved_metrics(table, parents) if table.any() else ():
        yield Code.UNOBSERVED(
            f"the network expects an outcome of {listed_metrics(parents[v], metrics)} that no case shows; for it "
            f"{metrics[v]} was taken to favour either model equally.",
            about=(metrics[v],),
        )


def disagreement(
    what: str, network: tuple[bool, ...] | None, saturated: tuple[bool, ...] | None
) -> Iterator[CodedWarning]:
    if network != saturated:
        yield Code.DISAGREE(f"the {what} with the network is not the one without it.")


def belief_warnings(
    posterior: Estimate, most_probable: tuple[bool, ...] | None, saturated: DominancePosterior
) -> Iterator[CodedWarning]:
    error = standard_error_of(posterior)
    if most_probable is None and error > 0:
        lead = f"less than {_CLEAR_LEAD} standard errors of {error:.2g}"
        yield Code.UNCLEAR(f"one statement leads the others by {lead}; the draws do not tell the most probable one.")
    else:
        yield from disagreement("most probable statement", most_probable, saturated.statement)


def answer_of(
    tested: tuple[bool, ...] | None,
    pvalue: float,
    believed: tuple[bool, ...] | None,
    probabilities: FloatArray,
    metrics: tuple[str, ...],
    of: Compared,
) -> str:
    """The most frequent and the most probable pattern of wins, often the same."""
    if tested is None:
        claim = f"no pattern of wins{of.between()} is more frequent than all others"
    else:
        claim = f"most frequent is {in_words(tested, pvalue, metrics, of)}"
    if believed is None:
        return f"{claim}; no pattern is more probable than all others"
    sure = percent(float(probabilities.max()))
    if believed == tested:
        return f"{claim}; its posterior probability is {sure}"
    words = format_statement(believed, metrics, a=of.a, b=of.b)
    return f"{claim}; most probable is {words}, with a probability of {sure}"


def same_with(pvalue: float, probabilities: FloatArray) -> str:
    """What is said where the patterns were named before."""
    found = f"dominance test {equal_to('p', pvalue)}, posterior probability {percent(float(probabilities.max()))}"
    return f"the same pattern, {found}"


def listed_metrics(indices: Sequence[int], metrics: tuple[str, ...]) -> str:
    *first, last = (metrics[i] for i in indices)
    return f"{', '.join(first)} and {last}" if first else last
