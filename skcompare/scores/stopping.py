"""The record of an evaluation that could be stopped early: what was looked at and decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, asdict, field, fields
from math import comb, inf
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal, get_args

from skcompare._core.design import MAX_REPEATS, Spending
from skcompare._core.numbers import agreeing, counted
from skcompare._core.record import MAX_ITEMS, Record, Table, few
from skcompare._core.validation import FloatArray, came, check_choice, check_integer, check_number, old_names
from skcompare._core.warnings import Code, CodedWarning, Warnings, do_not_use
from skcompare.evaluation.splits import REPEATED

if TYPE_CHECKING:
    from skcompare.inference.fold_scores.power import AlphaSpending

Kind = Literal["best", "equivalent", "undecided"]


class Look(Record, eq=False):
    """What was seen of the models after a repeat.

    Attributes
    ----------
    repeat : int
        Repeats done.
    information : float
        In (0, 1]: the part of the information of all repeats that was there.
    level : float
        In (0, 1): a model is found worse where its p-value is below.
    names : tuple of str
        The models that were still in.
    pvalues : ndarray of shape (n_models,)
        In [0, 1]: the smallest of the corrected t tests of another model against this one, adjusted for all pairs as in
        `model_confidence_set`; 1 for the model with the best mean.
    equivalence_level : float or None
        In (0, 1): they are equivalent where `equivalence_pvalue` is below; None without a rope.
    equivalence_pvalue : float or None
        In [0, 1]: the largest of the one-sided tests of a difference of the rope, times the number of pairs at the
        start; None without a rope.
    chance : float or None
        In [0, 1]: the predicted probability that the test after the last repeat would decide more, the largest over the
        models; the evaluation ends where it is below 2%. None in older files.
    """

    repeat: int
    information: float
    level: float
    names: tuple[str, ...]
    pvalues: FloatArray
    equivalence_level: float | None = None
    equivalence_pvalue: float | None = None
    chance: float | None = None

    def _sentence(self) -> str:
        worse = [name for name, p in zip(self.names, self.pvalues, strict=True) if p < self.level]
        which = f"{few(worse) or 'none'} {'are' if len(worse) > 1 else 'is'} significantly worse"
        when = f"After {counted(self.repeat, 'repeat')}"
        return f"{when}, of {few(self.names)}: {which} at a level of {self.level:.2g}."


class Stopping(Record, eq=False):
    """When and why an evaluation with a `StopRule` ended.

    Attributes
    ----------
    kind : {"best", "equivalent", "undecided"}
        One model is the best; those left are practically equivalent; or nothing was decided.
    names : tuple of str
        The best model, or those left.
    metric : str
        The metric that decided.
    looks : tuple of Look
        In order; several after one repeat where models left.
    worse : mapping of str to int
        The models that were found worse, each with the repeats done by then.
    unscored : mapping of str to int
        The models that left because they lack a score that another has, each with the repeats done by then; nothing
        is said of them.
    unlikely : mapping of str to int
        The models that left because they would hardly have the best mean in the end, each with the repeats done by
        then; they are not significantly worse.
    n_models, n_folds : int
        Models at the start, and folds per repeat.
    n_repeats, min_repeats, max_repeats : int
        Repeats done, those before the first look, and those of the full evaluation.
    alpha : float
        The error rate over all looks.
    rope : float or None
        Half width of the region of practical equivalence, in score units.
    spending : {"late", "obrien_fleming", "pocock"}
        How `alpha` is spread over the looks.
    drop : bool
        Whether models that left were fitted no more.
    warnings : tuple of str
        Why nothing of it may be used, as where rows are in training and test sets.
    """

    kind: Kind
    names: tuple[str, ...]
    metric: str
    looks: tuple[Look, ...]
    worse: Mapping[str, int]
    unscored: Mapping[str, int]
    n_models: int
    n_folds: int
    n_repeats: int
    min_repeats: int
    max_repeats: int
    alpha: float
    rope: float | None
    spending: Spending
    drop: bool
    unlikely: Mapping[str, int] = field(default_factory=dict)
    warnings: Warnings = ()

    def _tables(self) -> list[Table]:
        outcomes = {"significantly worse": self.worse, "not compared": self.unscored}
        outcomes["unlikely to end first"] = self.unlikely
        left = [[name, "left", str(self.n_repeats), str(self.repeats_of(name))] for name in self.names]
        gone = [
            [name, outcome, str(after), str(self.repeats_of(name))]
            for outcome, names in outcomes.items()
            for name, after in names.items()
        ]
        return [Table(("model", "outcome", "after repeats", "fitted on repeats"), [*left, *gone])]

    def _sentence(self) -> str:
        return f"{in_words(self)}."

    @property
    def verdict(self) -> str:
        """What was decided, in words."""
        said = self._outcome()
        if self.unlikely:
            said += f"; {counted(len(self.unlikely), 'model')} would hardly have ended first"
        if self.unscored:
            said += f"; {self._who_lack_scores()} and {agreeing(len(self.unscored), 'was', 'were')} not compared"
        return said

    @property
    def gone(self) -> dict[str, int]:
        """The models that left, each with the repeats done by then."""
        return {**self.worse, **self.unscored, **self.unlikely}

    def _outcome(self) -> str:
        if self.kind == "equivalent":
            return f"{few(self.names)} are practically equivalent on {self.metric} (within {self.rope:g})"
        if self.kind == "best":
            n = len(self.worse) + 1
            if n == 2:
                return f"{self.names[0]} is significantly better than {next(iter(self.worse))} on {self.metric}"
            return f"{self.names[0]} is the best of {n} on {self.metric}, and the others are significantly worse"
        if len(self.names) == 1 and self.unlikely:
            n = len(self.worse)
            worse = f", of which {n} {'is' if n == 1 else 'are'} significantly worse" if n else ""
            return f"{self.names[0]} is ahead of {counted(self.n_models - 1, 'other model')} on {self.metric}{worse}"
        if len(self.names) < 2:
            return f"{few(self.names) or 'no model'} alone is left on {self.metric}, with nothing to compare it to"
        which = few(self.names) if len(self.names) <= MAX_ITEMS else f"{len(self.names):,} models"
        left = "left and " if self.worse else ""
        return f"{which} are {left}not significantly different on {self.metric}"

    def _who_lack_scores(self) -> str:
        which = few(tuple(self.unscored)) if len(self.unscored) <= MAX_ITEMS else f"{len(self.unscored):,} models"
        return f"{which} {'lacks' if len(self.unscored) == 1 else 'lack'} scores"

    def _spent(self) -> str:
        fits = f"{self.n_fits} of {self.n_fits + self.n_fits_saved} fits"
        return f"after {self.n_repeats} of {self.max_repeats} repeats, with {fits}"

    @property
    def n_fits(self) -> int:
        """Fits of this evaluation, those that a store had among them."""
        return sum(map(self.n_splits_of, (*self.names, *self.gone)))

    @property
    def n_fits_saved(self) -> int:
        """Fits of the full evaluation that this one did without."""
        return self.n_folds * self.n_models * self.max_repeats - self.n_fits

    @property
    def method(self) -> str:
        """The procedure and its variant."""
        return f"corrected t tests of all pairs after every repeat, {self.spending} levels, adjusted for all pairs"

    @property
    def references(self) -> tuple[str, ...]:
        """Keys of the papers in references.toml."""
        from skcompare.inference._guide import papers_of

        return papers_of("alpha_spending")

    def n_compared(self, look: Look) -> int:
        """The models that the p-values of a look allow for: those still in, and those that would be."""
        return len(look.names) + sum(left < look.repeat for left in self.unlikely.values())

    def repeats_of(self, name: str) -> int:
        """Repeats that a model was fitted on."""
        return int(self.gone.get(name, self.n_repeats)) if self.drop else self.n_repeats

    def n_splits_of(self, name: str) -> int:
        """Splits that a model was fitted on, the first ones."""
        return self.repeats_of(name) * self.n_folds

    def in_to_the_end(self, name: str) -> bool:
        """Whether a model was fitted on all splits and compared to the end."""
        return name not in self.unscored and self.repeats_of(name) == self.n_repeats

    def warnings_of_tests(self) -> Warnings:
        """Why the tests of a result whose end may have been chosen by looking at it are to be doubted."""
        n, found = len({look.repeat for look in self.looks}), list[CodedWarning]()
        seen, repeats = f"{counted(n, 'look')} at {self.metric}", counted(self.n_repeats, "repeat")
        how = f"{seen} in {repeats} could have ended the evaluation"
        if self.n_repeats < self.max_repeats:
            how = f"the evaluation was ended after {repeats} by {seen}"
        elif (self.worse or self.unlikely) and self.drop:
            how = f"models were dropped by {seen} in {repeats}"
        allowed = "single tests do not allow for that, the sequential verdict and the intervals of compare() do"
        found += [Code.STOPPED(f"{how}; {allowed} (result.details.stopping).")] if n else []
        if self.unscored:
            left_out = f"{agreeing(len(self.unscored), 'was', 'were')} left out of the sequential comparison"
            lack, fitted = f"{self._who_lack_scores()} of {self.metric}", " and fitted no more" if self.drop else ""
            found.append(Code.MISSING_SCORES(f"{lack} and {left_out}{fitted}. Mend them."))
        return tuple(found)


def in_words(stopping: Stopping) -> str:
    """What was decided, when, and at what cost."""
    when = "decided" if stopping.kind != "undecided" else "ended"
    early = when == "ended" and len(stopping.names) > 1 and stopping.n_repeats < stopping.max_repeats
    return f"{stopping.verdict}; {when} {stopping._spent()}{': the others would hardly decide more' if early else ''}"


def plain_stopping(stopping: Stopping) -> dict[str, Any]:
    """The record as plain values, with what it says in words."""
    looks = [{**asdict(look), "pvalues": look.pvalues.tolist()} for look in stopping.looks]
    counts = {name: getattr(stopping, name) for name in ("n_fits", "n_fits_saved")}
    fitted = {name: stopping.n_splits_of(name) for name in (*stopping.names, *stopping.gone)}
    verdict = do_not_use(stopping.warnings) or in_words(stopping)
    own = {field.name: getattr(stopping, field.name) for field in fields(stopping) if field.name != "warnings"}
    return {**own, "looks": looks, **counts, "n_splits": fitted, "verdict": verdict}


# When an evaluation may stop early: the rule.


_DEFAULT_REPEATS = 10
FIRST_SPLITS = 10  # fewer say too little of the spread to begin with
UNLIKELY = 0.005  # to end first; the same for those that are behind
HARDLY = 0.02  # what has less chance to happen is not waited for: benchmarks.racing


class StopRule(Record, kw_only=False):
    r"""Stop an evaluation when its verdict is reached, and drop clearly worse models early.

    For the `stop` of `PairedEvaluator`. The splits of all repeats are drawn first, as without it; the fits are made
    repeat by repeat, and after each there is a look at the scores so far. A stopped evaluation therefore has the scores
    of the first repeats of the full one, bit for bit, and with a store it can be taken up again.

    At a look every model still in is compared with every other by `corrected_t_test`. A model is found worse, and
    leaves, where the smallest of its p-values is below the level of the look. The p-value is adjusted for all pairs of
    the models still in by the studentized range, as in `model_confidence_set`; the level is the one that
    `alpha_spending` gives for so many comparisons. The look is then repeated among those that are left.
    The evaluation ends

    - when one model is left: it is the best;
    - with `margin`, when all that are left are practically equivalent: for all pairs of them both one-sided tests of a
      difference of at least `margin` are rejected at one-sided levels of the same kind, of `alpha` over the number of
      pairs of all models at the start; equal scores count where the predictions are not known to differ;
    - where more repeats would hardly help: the predicted probability that the test after the last one decides more is
      below 2%;
    - at `max_repeats`, undecided among those that are left.

    The prediction takes the information :math:`t` of the look as a part of that of all repeats. A p-value of normal
    score :math:`z` has after the last repeat a score of mean :math:`z / \sqrt t` and variance :math:`(1 - t) / t`, if
    nothing is known but the look (Spiegelhalter, Freedman and Blackburn 1986). The levels do not count on this end.

    Also after one repeat the looks take the whole correction, of which the default test of a single run takes 0.4: by
    that part the first repeat would have more information than two, and the levels of the looks rest on information
    that grows.

    With ``drop="unlikely"`` a model also leaves where it would hardly catch up with another one. Of the mean difference
    over all :math:`N` splits, that over the first :math:`n` is known. The rest is predicted by Student's t with
    :math:`n - 1` degrees of freedom and the variance :math:`s^2 (1 / n - 1 / N)`. A model leaves where its probability
    to end ahead is below 0.5%. That is no test: such a model is not called worse, and its pairs still count.

    A model that lacks a score that another has leaves at the next look: nothing is said of it. As in
    `model_confidence_set`, differences of scores that move in steps are not taken to vary less than the steps, and no
    look is at fewer than 10 splits.

    What is guaranteed, under the model of the corrected t test (normal differences, any two splits correlated by the
    test fraction) and for any true differences: the probability that a model equal to the best is ever found worse is
    at most `alpha` where the best models are all that is left or all models are equal, with the levels' own account of
    the looks; so for two models the probability of calling two equal ones different at any look. For more, the levels
    are those of as many separate pairs; any of 2 to 20 equal models was found worse in 5.0% to 5.3% of simulated runs,
    of which one test after all fits did in 5.3% to 6.0%. The probability that models are called equivalent of which two
    differ by `margin` or more is at most `alpha` too. The models that leave while others stay make room for them, as in
    `model_confidence_set`. It is not guaranteed where the corrected t test itself fails (recall and f1 of models that
    have learnt nothing, many models on two or three test samples per fold, stumps), for other metrics than `metric`, or
    for the p-values and intervals of the result, which do not know of the looks and carry a warning that says so.
    Whoever runs all repeats and tests once has more power at the end: the last level for two models, 10x10, is 0.043 in
    place of 0.05.

    In the wider :doc:`study </study>`, on 10x10 of 200 samples and with ``spending="obrien_fleming"``, two equal models
    were found different in 5.4% of data sets on average over the nulls, and in up to 25% with stumps.

    There is no rule without a largest number of repeats. The samples of one data set differ from others by chance, all
    repeats share that, and no number of them shows how large it is: a test that takes their scores for new items, such
    as `confidence_sequence`, in the end calls equal models different on nearly every data set. The levels here know it
    from the test fraction, and by the same model 100 repeats have at least 99% of the information of infinitely many,
    so that a maximum costs nothing. New samples are what an open end needs.

    Attributes
    ----------
    max_repeats : int or None
        The largest number of repeats, from 2 to 100; by default the R of a `cv` ``"RxK"``, whose place it takes where
        given, and 10 for a number of folds.
    metric : str or None
        The metric that decides; the first by default.
    alpha : float
        The error rate over all looks, in (0, 0.5); 0.05 by default.
    margin : float or None
        The smallest difference that matters, in score units, positive: half the width of the region of practical
        equivalence; without it no model is called equivalent.
    min_repeats : int or None
        Repeats before the first look; by default as many as give 10 splits, which is also the least.
    spending : {"late", "obrien_fleming", "pocock"}
        How `alpha` is spread over the looks, see `alpha_spending`.
    drop : bool or {"unlikely"}
        Whether models found worse are fitted no more. With False they are, so that all have the same number of
        scores; the verdict is the same. ``"unlikely"`` is a race of many candidates: a model is also fitted no more
        where it would hardly have the best mean in the end, and more repeats are fitted until one is left.

    Raises
    ------
    ValueError
        If an argument is out of range.

    See Also
    --------
    skcompare.inference.alpha_spending : the levels.
    skcompare.inference.confidence_sequence : without an end, for items that arrive one by one.

    References
    ----------
    D. J. Spiegelhalter, L. S. Freedman and P. R. Blackburn (1986), Monitoring clinical trials: conditional or
    predictive power?, Controlled Clinical Trials 7(1), 8-17, :doi:`10.1016/0197-2456(86)90003-6`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcompare import PairedEvaluator, StopRule
    >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)}
    >>> evaluator = PairedEvaluator(cv="10x10", scoring="roc_auc", random_state=0, stop=StopRule())
    >>> result = evaluator.evaluate(models, *load_breast_cancer(return_X_y=True))
    >>> print(result.details.stopping)
    nb is significantly better than tree on roc_auc; decided after 3 of 10 repeats, with 60 of 200 fits.
    ...
    """

    max_repeats: int | None = None
    _: KW_ONLY
    metric: str | None = None
    alpha: float = 0.05
    margin: float | None = None
    min_repeats: int | None = None
    spending: Spending = "late"
    drop: bool | Literal["unlikely"] = True

    def __post_init__(self) -> None:
        for name, value, low in (("max_repeats", self.max_repeats, 2), ("min_repeats", self.min_repeats, 1)):
            endless = isinstance(value, float) and value == inf
            if endless or (value is not None and check_integer(value, name, low=low) > MAX_REPEATS):
                raise ValueError(
                    f"{name} must be at most {MAX_REPEATS}: repeats are no new data, and so many tell 99% of what any "
                    f"number would; got {value}"
                )
        if self.max_repeats is not None and self.min_repeats is not None and self.min_repeats > self.max_repeats:
            raise ValueError(f"min_repeats must be at most max_repeats, {self.max_repeats}; got {self.min_repeats}")
        if self.metric is not None and (not isinstance(self.metric, str) or not self.metric):
            raise ValueError(f"metric must be None or the name of a metric; got {came(self.metric)}")
        check_number(self.alpha, "alpha", low=0, high=0.5, closed="neither")
        if self.margin is not None:
            check_number(self.margin, "margin", low=0, high=inf, closed="neither")
        check_choice(self.spending, "spending", get_args(Spending))
        if not isinstance(self.drop, bool) and self.drop != "unlikely":
            raise ValueError(f"drop must be True, False or 'unlikely'; got {self.drop!r:.80}")

    def design(self, cv: Any) -> tuple[int, int]:
        """Repeats and folds of the full evaluation.

        Parameters
        ----------
        cv : int or str
            Folds, or ``"RxK"``.

        Returns
        -------
        tuple of int

        Raises
        ------
        ValueError
            If `cv` is neither, or leaves too few or too many repeats to choose from, or the first look has fewer than
            10 splits.
        """
        found = REPEATED.fullmatch(cv) if isinstance(cv, str) else None
        if found is not None and int(found[2]) > 1:
            repeats, folds = int(found[1]), int(found[2])
        elif isinstance(cv, Integral) and not isinstance(cv, bool) and int(cv) > 1:
            repeats, folds = _DEFAULT_REPEATS, int(cv)
        else:
            raise ValueError(f"cv must be an int k or 'RxK' of at least 2 folds with stop; got {cv!r:.80}")
        first = self.repeats_before_look(folds)
        if first * folds < FIRST_SPLITS:
            raise ValueError(
                f"min_repeats of stop must give {FIRST_SPLITS} splits to look at, {-(-FIRST_SPLITS // folds)} repeats "
                f"of {folds} folds; got {self.min_repeats}"
            )
        name, repeats = ("cv", repeats) if self.max_repeats is None else ("max_repeats of stop", int(self.max_repeats))
        if not max(2, first) <= repeats <= MAX_REPEATS:
            raise ValueError(
                f"{name} must give from {max(2, first)} to {MAX_REPEATS} repeats to choose from, the first look being "
                f"after repeat {first}; got {repeats} (cv {cv!r}, max_repeats {self.max_repeats})"
            )
        return repeats, folds

    def repeats_before_look(self, folds: int) -> int:
        """Repeats before the first look."""
        return -(-FIRST_SPLITS // folds) if self.min_repeats is None else int(self.min_repeats)

    def levels(self, design: tuple[int, int], n_models: int, *, one_sided: bool = False) -> AlphaSpending:
        """The level of every look, for so many models."""
        from skcompare.inference.fold_scores.power import alpha_spending

        return alpha_spending(
            design[1],
            design[0],
            min_repeats=self.repeats_before_look(design[1]),
            n_comparisons=comb(n_models, 2),
            alpha=self.alpha,
            spending=self.spending,
            alternative="one-sided" if one_sided else "two-sided",
        )


StopRule.__init__ = old_names(rope="margin")(StopRule.__init__)  # type: ignore[method-assign]
