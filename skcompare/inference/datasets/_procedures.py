"""The table of procedures on several data sets: what each needs, and what it assumes."""

from __future__ import annotations

from skcompare._core.validation import check_choice
from skcompare.inference import (
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
from skcompare.inference._forms import PAIR, PAIR_SPLITS, TABLE, TABLE_WITH_GAPS
from skcompare.inference._procedure import Procedure

_SYMMETRIC = "differences that are symmetric about their median, on comparable scales"
_RANKS = "nothing but independent data sets; only the ranks count"
_NORMAL = "normal scores of equal variance on comparable scales"

STUDY_PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="signed_rank_test",
        function=signed_rank_test,
        takes=PAIR,
        assumes=_SYMMETRIC,
        returns="test",
        references=("wilcoxon1945individual", "pratt1959remarks", "hodges1963estimates", "demsar2006statistical"),
    ),
    Procedure(
        name="sign_test",
        function=sign_test,
        takes=PAIR,
        assumes=_RANKS,
        returns="test",
        references=("demsar2006statistical", "clopper1934use"),
    ),
    Procedure(
        name="dataset_t_test",
        function=dataset_t_test,
        takes=PAIR,
        assumes="normal differences on comparable scales, without outliers",
        returns="test",
        references=("demsar2006statistical",),
    ),
    Procedure(
        name="sign_posterior",
        function=sign_posterior,
        takes=PAIR,
        assumes=_RANKS,
        returns="posterior",
        references=("benavoli2017time", "benavoli2014bayesian"),
    ),
    Procedure(
        name="signed_rank_posterior",
        function=signed_rank_posterior,
        takes=PAIR,
        assumes=_SYMMETRIC,
        returns="posterior",
        references=("benavoli2014bayesian", "benavoli2017time"),
    ),
    Procedure(
        name="hierarchical_posterior",
        function=hierarchical_posterior,
        takes=PAIR_SPLITS,
        assumes="normal folds with the correlation of the test fraction; data sets that differ by a Student t",
        returns="posterior",
        references=("corani2017statistical",),
    ),
    Procedure(
        name="friedman_test",
        function=friedman_test,
        takes=TABLE,
        assumes=_RANKS,
        returns="omnibus",
        references=("friedman1937use", "iman1980approximations", "demsar2006statistical", "conover1999practical"),
    ),
    Procedure(
        name="aligned_ranks_test",
        function=aligned_ranks_test,
        takes=TABLE,
        assumes="scores on comparable scales",
        returns="omnibus",
        references=("hodges1962rank", "garcia2010advanced"),
    ),
    Procedure(
        name="quade_test",
        function=quade_test,
        takes=TABLE,
        assumes="ranges of the scores that are comparable between data sets",
        returns="omnibus",
        references=("quade1979using", "conover1999practical"),
    ),
    Procedure(
        name="anova_test",
        function=anova_test,
        takes=TABLE,
        assumes=_NORMAL,
        returns="omnibus",
        references=("greenhouse1959methods", "huynh1976estimation", "demsar2006statistical"),
    ),
    Procedure(
        name="kruskal_test",
        function=kruskal_test,
        takes=TABLE,
        assumes="independent samples, which scores on the same data sets are not",
        returns="omnibus",
        references=("kruskal1952use",),
    ),
    Procedure(
        name="skillings_mack_test",
        function=skillings_mack_test,
        takes=TABLE_WITH_GAPS,
        assumes="scores that are missing for reasons unrelated to their value",
        returns="omnibus",
        references=("skillings1981use",),
    ),
    Procedure(
        name="pairwise_signed_rank_test",
        function=pairwise_signed_rank_test,
        takes=TABLE,
        assumes=_SYMMETRIC,
        returns="pairs",
        references=("demsar2006statistical", "benavoli2016meanranks"),
    ),
    Procedure(
        name="nemenyi_test",
        function=nemenyi_test,
        takes=TABLE,
        assumes=_RANKS,
        returns="pairs",
        references=("nemenyi1963distribution", "garcia2008extension", "demsar2006statistical", "benavoli2016meanranks"),
    ),
    Procedure(
        name="conover_test",
        function=conover_test,
        takes=TABLE,
        assumes=_RANKS,
        returns="pairs",
        references=("conover1999practical",),
    ),
    Procedure(
        name="quade_posthoc_test",
        function=quade_posthoc_test,
        takes=TABLE,
        assumes="ranges of the scores that are comparable between data sets",
        returns="pairs",
        references=("quade1979using", "conover1999practical", "garcia2010advanced"),
    ),
    Procedure(
        name="aligned_ranks_posthoc_test",
        function=aligned_ranks_posthoc_test,
        takes=TABLE,
        assumes="scores on comparable scales",
        returns="pairs",
        references=("hodges1962rank", "garcia2010advanced"),
    ),
    Procedure(
        name="tukey_test",
        function=tukey_test,
        takes=TABLE,
        assumes=_NORMAL,
        returns="pairs",
        references=("tukey1949comparing", "demsar2006statistical"),
    ),
    Procedure(
        name="dunn_test",
        function=dunn_test,
        takes=TABLE,
        assumes="independent samples, which scores on the same data sets are not",
        returns="pairs",
        references=("dunn1964multiple",),
    ),
    Procedure(
        name="control_test",
        function=control_test,
        takes=TABLE,
        assumes=_RANKS,
        returns="control",
        references=("demsar2006statistical", "garcia2010advanced"),
    ),
    Procedure(
        name="pairwise_posterior",
        function=pairwise_posterior,
        takes=TABLE,
        assumes=_SYMMETRIC,
        returns="posterior",
        references=("benavoli2017time",),
    ),
    Procedure(
        name="plackett_luce_posterior",
        function=plackett_luce_posterior,
        takes=TABLE,
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

_BY_NAME = {alias: row for row in STUDY_PROCEDURES for alias in (row.name, row.name.removesuffix("_test"))}
_BY_NAME |= dict.fromkeys(("paired_t_test", "paired_t"), _BY_NAME["dataset_t_test"])  # its name on folds


def find_study_procedure(name: str, *, n_models: int) -> Procedure:
    """The row called `name`, with or without a trailing ``_test``; ``"auto"`` is the default for so many models.

    Raises
    ------
    ValueError
        If there is no such procedure.
    """
    if name == "auto":
        name = "signed_rank_test" if n_models == 2 else "friedman_test"
    if name not in _BY_NAME:
        check_choice(name, "procedure", ("auto", *(row.name for row in STUDY_PROCEDURES)))
    return _BY_NAME[name]
