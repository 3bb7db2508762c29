"""What a methods section calls the procedures, and what else must be said of them."""

from __future__ import annotations

_OVERLAP = "it does not allow for the overlap of the training sets and so finds differences too often"
_FITTED = "it is about the fitted models, not about training on other data"

# The name of each test, its papers, and what else must be said of it.
TERMS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "corrected_t_test": (
        "the corrected resampled t test",
        ("nadeau2003inference",),
        "it allows for the overlap of the training sets by taking the correlation of the differences on two splits to "
        "be the test set's share of the samples of a split, {fraction}",
    ),
    "k_fold_t_test": (
        "a t test on the folds of the run with 0.4 of the correction of the corrected resampled t test",
        ("nadeau2003inference", "bengio2004unbiased"),
        "the factor was measured on simulated true nulls of two classes, which it rejects about as often as it should",
    ),
    "stability_t_test": (
        "a corrected resampled t test whose correction was read from how much the predictions changed between repeats",
        ("nadeau2003inference",),
        "it allows for models that change more or less than usual with their training sets",
    ),
    "calibrated_t_test": (
        "the calibrated t test",
        ("bouckaert2003choosing", "bouckaert2004estimating"),
        "its degrees of freedom are calibrated by simulation, which allows for the overlap of the training sets",
    ),
    "five_by_two_t_test": (
        "the 5x2cv paired t test",
        ("dietterich1998approximate",),
        "its variance comes from the two halves of each repeat, whose training sets do not overlap",
    ),
    "five_by_two_f_test": (
        "the combined 5x2cv F test",
        ("alpaydin1999combined",),
        "its variance comes from the two halves of each repeat, whose training sets do not overlap",
    ),
    "blocked_m_by_two_test": (
        "the blocked m x 2 cross-validated t test",
        ("wang2014blocked",),
        "it is made for halves whose training sets overlap by a quarter of the data between any two repeats",
    ),
    "nested_cv_interval": (
        "the nested cross-validation interval of the mean difference per sample",
        ("bates2024crossvalidation",),
        "its variance comes from fits without two folds at a time",
    ),
    "welch_t_test": (
        "Welch's t test of independent runs",
        ("welch1947generalization",),
        "it is about other runs on the same data",
    ),
    "paired_t_test": ("the paired t test over the splits", ("dietterich1998approximate",), _OVERLAP),
    "permutation_test": (
        "the permutation test of the mean difference over the splits",
        ("fisher1935design", "menke2004permutations"),
        _OVERLAP,
    ),
    "cluster_t_test": (
        "a paired t test with a variance that is robust to clusters",
        ("cameron2015practitioner", "miller2024adding"),
        "clusters are taken for independent, not their items",
    ),
    "diebold_mariano_test": (
        "the Diebold-Mariano test on the losses of single samples in time order, with a long-run variance from their "
        "slowest cosines",
        ("diebold1995comparing", "lazarus2018har", "coroneo2020comparing"),
        "it takes the differences of losses to be stationary, and not alike for a good part of the series",
    ),
    "confidence_sequence": (
        "a confidence sequence by betting, which holds at whatever item one stops",
        ("waudbysmith2024estimating", "shafer2011test"),
        "it takes the expected difference of an item not to depend on earlier ones",
    ),
    "mcnemar_test": (
        "the mid-p version of McNemar's test",
        ("mcnemar1947note", "fagerland2013mcnemar", "tango1998equivalence"),
        _FITTED,
    ),
    "delong_test": ("DeLong's test of two areas under the ROC curve", ("delong1988comparing", "sun2014fast"), _FITTED),
    "paired_metric_test": (
        "a paired permutation test that exchanges the predictions of the two models",
        ("noreen1989computer", "yeh2000more"),
        _FITTED,
    ),
    "paired_bootstrap": ("the paired bootstrap over the samples", ("efron1987better",), _FITTED),
    "cv_clt_test": (
        "a test by the central limit theorem for cross-validation",
        ("bayle2020crossvalidation", "bayle2025relative"),
        "it is about the fitted models and takes their comparison to be stable",
    ),
    "signed_rank_test": (
        "Wilcoxon's signed-rank test",
        ("wilcoxon1945individual", "demsar2006statistical"),
        "each {case} is one case, the p-values are {exact}, and the differences are medians over the pairs of {cases}",
    ),
    "sign_test": (
        "the sign test",
        ("demsar2006statistical",),
        "each {case} is one case, and only which model is better on it counts, ties left out",
    ),
    "dataset_t_test": (
        "the paired t test over the {cases}",
        ("demsar2006statistical",),
        "each {case} is one case, and the differences are taken to be normal and comparable between {cases}",
    ),
}
# What they are called where each sample of one test set, or each item, is one case.
CASE_TERMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "paired_t_test": ("a paired t test over the {cases}", ("student1908probable",)),
    "permutation_test": ("a permutation test of the mean difference over the {cases}", ("fisher1935design",)),
}
_OF_ONE = ("bonferroni", "holm", "hochberg", "hommel", "finner", "li", "rom")
CORRECTIONS = {
    **{name: f"{name.capitalize()}'s method" for name in _OF_ONE},
    "holland": "Holland and Copenhaver's method",
    "fdr_bh": "Benjamini and Hochberg's method",
    "fdr_by": "Benjamini and Yekutieli's method",
}
FALSE_DISCOVERY = ("fdr_bh", "fdr_by")
