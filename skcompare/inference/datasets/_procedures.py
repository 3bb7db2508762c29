"""The table of procedures on several data sets: what each needs, and what it assumes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
from skcompare.inference._procedure import Form, Procedure, Returns

_SYMMETRIC = "differences that are symmetric about their median, on comparable scales"
_RANKS = "nothing but independent data sets; only the ranks count"
_NORMAL = "normal scores of equal variance on comparable scales"
_SCALES = "scores on comparable scales"
_RANGES = "ranges of the scores that are comparable between data sets"
_INDEPENDENT = "independent samples, which scores on the same data sets are not"
_FOLDS = "normal folds with the correlation of the test fraction; data sets that differ by a Student t"
_GAPS = "scores that are missing for reasons unrelated to their value"
_PICKED = "rankings drawn by picking the best of what is left, with one weight per model"
_DEMSAR, _GARCIA, _CONOVER = "demsar2006statistical", "garcia2010advanced", "conover1999practical"


def _row(function: Callable[..., Any], takes: Form, returns: Returns, assumes: str, *references: str) -> Procedure:
    return Procedure(
        name=function.__name__, function=function, takes=takes, assumes=assumes, returns=returns, references=references
    )


STUDY_PROCEDURES: tuple[Procedure, ...] = (
    _row(
        signed_rank_test,
        PAIR,
        "test",
        _SYMMETRIC,
        "wilcoxon1945individual",
        "pratt1959remarks",
        "hodges1963estimates",
        _DEMSAR,
    ),
    _row(sign_test, PAIR, "test", _RANKS, _DEMSAR, "clopper1934use"),
    _row(dataset_t_test, PAIR, "test", "normal differences on comparable scales, without outliers", _DEMSAR),
    _row(sign_posterior, PAIR, "posterior", _RANKS, "benavoli2017time", "benavoli2014bayesian"),
    _row(signed_rank_posterior, PAIR, "posterior", _SYMMETRIC, "benavoli2014bayesian", "benavoli2017time"),
    _row(hierarchical_posterior, PAIR_SPLITS, "posterior", _FOLDS, "corani2017statistical"),
    _row(friedman_test, TABLE, "omnibus", _RANKS, "friedman1937use", "iman1980approximations", _DEMSAR, _CONOVER),
    _row(aligned_ranks_test, TABLE, "omnibus", _SCALES, "hodges1962rank", _GARCIA),
    _row(quade_test, TABLE, "omnibus", _RANGES, "quade1979using", _CONOVER),
    _row(anova_test, TABLE, "omnibus", _NORMAL, "greenhouse1959methods", "huynh1976estimation", _DEMSAR),
    _row(kruskal_test, TABLE, "omnibus", _INDEPENDENT, "kruskal1952use"),
    _row(skillings_mack_test, TABLE_WITH_GAPS, "omnibus", _GAPS, "skillings1981use"),
    _row(pairwise_signed_rank_test, TABLE, "pairs", _SYMMETRIC, _DEMSAR, "benavoli2016meanranks"),
    _row(
        nemenyi_test,
        TABLE,
        "pairs",
        _RANKS,
        "nemenyi1963distribution",
        "garcia2008extension",
        _DEMSAR,
        "benavoli2016meanranks",
    ),
    _row(conover_test, TABLE, "pairs", _RANKS, _CONOVER),
    _row(quade_posthoc_test, TABLE, "pairs", _RANGES, "quade1979using", _CONOVER, _GARCIA),
    _row(aligned_ranks_posthoc_test, TABLE, "pairs", _SCALES, "hodges1962rank", _GARCIA),
    _row(tukey_test, TABLE, "pairs", _NORMAL, "tukey1949comparing", _DEMSAR),
    _row(dunn_test, TABLE, "pairs", _INDEPENDENT, "dunn1964multiple"),
    _row(control_test, TABLE, "control", _RANKS, _DEMSAR, _GARCIA),
    _row(pairwise_posterior, TABLE, "posterior", _SYMMETRIC, "benavoli2017time"),
    _row(
        plackett_luce_posterior,
        TABLE,
        "posterior",
        _PICKED,
        "plackett1975analysis",
        "caron2012efficient",
        "calvo2018bayesian",
        "calvo2019bayesian",
        "rojas2022bayesian",
    ),
)


def find_study_procedure(name: str, *, n_models: int) -> Procedure:
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
