"""The table of procedures on several data sets: what each needs, and what it assumes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from skcompare._core.validation import check_choice
from skcompare.inference._guide import guide
from skcompare.inference.datasets import (
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
    references : tuple of str
        The papers that it comes from, keys of `REFERENCES`.
    """

    name: str
    function: Callable[..., Any]
    takes: StudyTakes
    assumes: str
    returns: StudyReturns
    directed: bool = False
    references: tuple[str, ...] = ()

    @property
    def question(self) -> str:
        """The question that it answers."""
        return guide(self.name).question

    @property
    def use(self) -> str:
        """When to take it."""
        return guide(self.name).use

    @property
    def misleads(self) -> str:
        """On which data it gives which wrong answer."""
        return guide(self.name).misleads


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
        references=("wilcoxon1945individual", "pratt1959remarks", "hodges1963estimates", "demsar2006statistical"),
    ),
    StudyProcedure(
        name="sign_test",
        function=sign_test,
        takes="pair",
        assumes=_RANKS,
        returns="test",
        directed=True,
        references=("demsar2006statistical", "clopper1934use"),
    ),
    StudyProcedure(
        name="dataset_t_test",
        function=dataset_t_test,
        takes="pair",
        assumes="normal differences on comparable scales, without outliers",
        returns="test",
        directed=True,
        references=("demsar2006statistical",),
    ),
    StudyProcedure(
        name="sign_posterior",
        function=sign_posterior,
        takes="pair",
        assumes=_RANKS,
        returns="posterior",
        references=("benavoli2017time", "benavoli2014bayesian"),
    ),
    StudyProcedure(
        name="signed_rank_posterior",
        function=signed_rank_posterior,
        takes="pair",
        assumes=_SYMMETRIC,
        returns="posterior",
        references=("benavoli2014bayesian", "benavoli2017time"),
    ),
    StudyProcedure(
        name="hierarchical_posterior",
        function=hierarchical_posterior,
        takes="pair splits",
        assumes="normal folds with the correlation of the test fraction; data sets that differ by a Student t",
        returns="posterior",
        references=("corani2017statistical",),
    ),
    StudyProcedure(
        name="friedman_test",
        function=friedman_test,
        takes="table",
        assumes=_RANKS,
        returns="omnibus",
        references=("friedman1937use", "iman1980approximations", "demsar2006statistical", "conover1999practical"),
    ),
    StudyProcedure(
        name="aligned_ranks_test",
        function=aligned_ranks_test,
        takes="table",
        assumes="scores on comparable scales",
        returns="omnibus",
        references=("hodges1962rank", "garcia2010advanced"),
    ),
    StudyProcedure(
        name="quade_test",
        function=quade_test,
        takes="table",
        assumes="ranges of the scores that are comparable between data sets",
        returns="omnibus",
        references=("quade1979using", "conover1999practical"),
    ),
    StudyProcedure(
        name="anova_test",
        function=anova_test,
        takes="table",
        assumes=_NORMAL,
        returns="omnibus",
        references=("greenhouse1959methods", "huynh1976estimation", "demsar2006statistical"),
    ),
    StudyProcedure(
        name="kruskal_test",
        function=kruskal_test,
        takes="table",
        assumes="independent samples, which scores on the same data sets are not",
        returns="omnibus",
        references=("kruskal1952use",),
    ),
    StudyProcedure(
        name="skillings_mack_test",
        function=skillings_mack_test,
        takes="table with gaps",
        assumes="scores that are missing for reasons unrelated to their value",
        returns="omnibus",
        references=("skillings1981use",),
    ),
    StudyProcedure(
        name="pairwise_signed_rank_test",
        function=pairwise_signed_rank_test,
        takes="table",
        assumes=_SYMMETRIC,
        returns="pairs",
        references=("demsar2006statistical", "benavoli2016meanranks"),
    ),
    StudyProcedure(
        name="nemenyi_test",
        function=nemenyi_test,
        takes="table",
        assumes=_RANKS,
        returns="pairs",
        references=("nemenyi1963distribution", "garcia2008extension", "demsar2006statistical", "benavoli2016meanranks"),
    ),
    StudyProcedure(
        name="conover_test",
        function=conover_test,
        takes="table",
        assumes=_RANKS,
        returns="pairs",
        references=("conover1999practical",),
    ),
    StudyProcedure(
        name="quade_posthoc_test",
        function=quade_posthoc_test,
        takes="table",
        assumes="ranges of the scores that are comparable between data sets",
        returns="pairs",
        references=("quade1979using", "conover1999practical", "garcia2010advanced"),
    ),
    StudyProcedure(
        name="aligned_ranks_posthoc_test",
        function=aligned_ranks_posthoc_test,
        takes="table",
        assumes="scores on comparable scales",
        returns="pairs",
        references=("hodges1962rank", "garcia2010advanced"),
    ),
    StudyProcedure(
        name="tukey_test",
        function=tukey_test,
        takes="table",
        assumes=_NORMAL,
        returns="pairs",
        references=("tukey1949comparing", "demsar2006statistical"),
    ),
    StudyProcedure(
        name="dunn_test",
        function=dunn_test,
        takes="table",
        assumes="independent samples, which scores on the same data sets are not",
        returns="pairs",
        references=("dunn1964multiple",),
    ),
    StudyProcedure(
        name="control_test",
        function=control_test,
        takes="table",
        assumes=_RANKS,
        returns="control",
        references=("demsar2006statistical", "garcia2010advanced"),
    ),
    StudyProcedure(
        name="pairwise_posterior",
        function=pairwise_posterior,
        takes="table",
        assumes=_SYMMETRIC,
        returns="posterior",
        references=("benavoli2017time",),
    ),
    StudyProcedure(
        name="plackett_luce_posterior",
        function=plackett_luce_posterior,
        takes="table",
        assumes="rankings drawn by picking the best of what is left, with one weight per model",
        returns="posterior",
        references=(
            "plackett1975analysis",
            "caron2012efficient",
            "calvo2018bayesian",
            "calvo2019bayesian",
            "rojas2022bayesian",
        ),
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
