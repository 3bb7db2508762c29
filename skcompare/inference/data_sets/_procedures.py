"""The table of procedures on several data sets: what each needs, and what it assumes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from skcompare._validation import check_choice
from skcompare.inference.data_sets import (
    aligned_ranks_posthoc_test,
    aligned_ranks_test,
    anova_test,
    conover_test,
    control_test,
    dataset_t_test,
    dunn_test,
    friedman_test,
    hierarchical_posterior,
    kruskal_test,
    nemenyi_test,
    pairwise_posterior,
    pairwise_signed_rank_test,
    plackett_luce_posterior,
    quade_posthoc_test,
    quade_test,
    sign_posterior,
    sign_test,
    signed_rank_posterior,
    signed_rank_test,
    skillings_mack_test,
    tukey_test,
)

StudyTakes = Literal["pair", "pair splits", "table", "table with gaps"]
StudyReturns = Literal["test", "posterior", "omnibus", "pairs", "control"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyProcedure:
    """One row of the table.

    Attributes
    ----------
    name : str
        The function's name.
    function : callable
        The function of `skcompare.inference`.
    takes : {"pair", "pair splits", "table", "table with gaps"}
        Mean scores of two models, their scores on all splits, or mean scores of all models.
    assumes : str
        What it takes for granted.
    returns : {"test", "posterior", "omnibus", "pairs", "control"}
        The kind of its record.
    directed : bool
        Whether it takes an `alternative`.
    """

    name: str
    function: Callable[..., Any]
    takes: StudyTakes
    assumes: str
    returns: StudyReturns
    directed: bool = False


_SYMMETRIC = "differences that are symmetric about their median, on comparable scales"
_RANKS = "nothing but independent data sets; only the ranks count"
_NORMAL = "normal scores of equal variance on comparable scales"

STUDY_PROCEDURES: tuple[StudyProcedure, ...] = (
    StudyProcedure(
        name="signed_rank_test",
        function=signed_rank_test,
        takes="pair",
        assumes=_SYMMETRIC,
        returns="test",
        directed=True,
    ),
    StudyProcedure(name="sign_test", function=sign_test, takes="pair", assumes=_RANKS, returns="test", directed=True),
    StudyProcedure(
        name="dataset_t_test",
        function=dataset_t_test,
        takes="pair",
        assumes="normal differences on comparable scales, without outliers",
        returns="test",
        directed=True,
    ),
    StudyProcedure(name="sign_posterior", function=sign_posterior, takes="pair", assumes=_RANKS, returns="posterior"),
    StudyProcedure(
        name="signed_rank_posterior",
        function=signed_rank_posterior,
        takes="pair",
        assumes=_SYMMETRIC,
        returns="posterior",
    ),
    StudyProcedure(
        name="hierarchical_posterior",
        function=hierarchical_posterior,
        takes="pair splits",
        assumes="normal folds with the correlation of the test fraction; data sets that differ by a Student t",
        returns="posterior",
    ),
    StudyProcedure(name="friedman_test", function=friedman_test, takes="table", assumes=_RANKS, returns="omnibus"),
    StudyProcedure(
        name="aligned_ranks_test",
        function=aligned_ranks_test,
        takes="table",
        assumes="scores on comparable scales",
        returns="omnibus",
    ),
    StudyProcedure(
        name="quade_test",
        function=quade_test,
        takes="table",
        assumes="ranges of the scores that are comparable between data sets",
        returns="omnibus",
    ),
    StudyProcedure(name="anova_test", function=anova_test, takes="table", assumes=_NORMAL, returns="omnibus"),
    StudyProcedure(
        name="kruskal_test",
        function=kruskal_test,
        takes="table",
        assumes="independent samples, which scores on the same data sets are not",
        returns="omnibus",
    ),
    StudyProcedure(
        name="skillings_mack_test",
        function=skillings_mack_test,
        takes="table with gaps",
        assumes="scores that are missing for reasons unrelated to their value",
        returns="omnibus",
    ),
    StudyProcedure(
        name="pairwise_signed_rank_test",
        function=pairwise_signed_rank_test,
        takes="table",
        assumes=_SYMMETRIC,
        returns="pairs",
    ),
    StudyProcedure(name="nemenyi_test", function=nemenyi_test, takes="table", assumes=_RANKS, returns="pairs"),
    StudyProcedure(name="conover_test", function=conover_test, takes="table", assumes=_RANKS, returns="pairs"),
    StudyProcedure(
        name="quade_posthoc_test",
        function=quade_posthoc_test,
        takes="table",
        assumes="ranges of the scores that are comparable between data sets",
        returns="pairs",
    ),
    StudyProcedure(
        name="aligned_ranks_posthoc_test",
        function=aligned_ranks_posthoc_test,
        takes="table",
        assumes="scores on comparable scales",
        returns="pairs",
    ),
    StudyProcedure(name="tukey_test", function=tukey_test, takes="table", assumes=_NORMAL, returns="pairs"),
    StudyProcedure(
        name="dunn_test",
        function=dunn_test,
        takes="table",
        assumes="independent samples, which scores on the same data sets are not",
        returns="pairs",
    ),
    StudyProcedure(name="control_test", function=control_test, takes="table", assumes=_RANKS, returns="control"),
    StudyProcedure(
        name="pairwise_posterior",
        function=pairwise_posterior,
        takes="table",
        assumes=_SYMMETRIC,
        returns="posterior",
    ),
    StudyProcedure(
        name="plackett_luce_posterior",
        function=plackett_luce_posterior,
        takes="table",
        assumes="rankings drawn by picking the best of what is left, with one weight per model",
        returns="posterior",
    ),
)


def find_study_procedure(name: str, *, n_models: int) -> StudyProcedure:
    """The row called `name`, with or without a trailing ``_test``; ``"auto"`` is the default for so many models.

    Raises
    ------
    ValueError
        If there is no such procedure.
    """
    if name == "auto":
        name = "signed_rank_test" if n_models == 2 else "friedman_test"
    rows = {alias: row for row in STUDY_PROCEDURES for alias in (row.name, row.name.removesuffix("_test"))}
    rows |= dict.fromkeys(("paired_t_test", "paired_t"), rows["dataset_t_test"])  # its name on folds
    if name not in rows:
        check_choice(name, "procedure", ("auto", *(row.name for row in STUDY_PROCEDURES)))
    return rows[name]
