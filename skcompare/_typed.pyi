# For type checkers alone; `python -m benchmarks.typed` writes it from the tables of procedures, pictures, corrections.
# mypy: disable-error-code="override"
from abc import ABCMeta
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypedDict, overload

from skcompare._answers import Comparison
from skcompare._comparable import Comparable
from skcompare._core.validation import Alternative
from skcompare._reportable import Readable, Reportable
from skcompare.comparison.dominance import DominanceTable
from skcompare.evaluation.input import RunOptions
from skcompare.inference._records import DifferencePosterior, FTestResult, TTestResult
from skcompare.inference.curves.roc import ErrorReduction, RocDominance
from skcompare.inference.datasets.adjusted_means import MixedModelResult
from skcompare.inference.datasets.hierarchical import HierarchicalPosterior
from skcompare.inference.datasets.pairwise import PairwiseResult
from skcompare.inference.datasets.plackett_luce import PlackettLucePosterior
from skcompare.inference.datasets.post_hoc import ControlResult
from skcompare.inference.datasets.posteriors import PairwisePosterior, SignedRankPosterior
from skcompare.inference.datasets.profiles import InterquartileMeanResult, PerformanceProfile, ProbabilityOfImprovement
from skcompare.inference.datasets.scores import OmnibusResult
from skcompare.inference.datasets.sign import SignPosterior, SignTestResult
from skcompare.inference.datasets.signed_rank import SignedRankResult
from skcompare.inference.dominance.joint import HotellingResult, IntersectionUnionResult
from skcompare.inference.dominance.likelihood_ratio import DominanceTestResult, FullDominanceResult
from skcompare.inference.dominance.max_t import MaxTResult
from skcompare.inference.dominance.network import DominanceNetworkResult
from skcompare.inference.dominance.posterior import DominancePosterior
from skcompare.inference.fold_scores.best_set import ModelConfidenceSet, SelectionBiasResult
from skcompare.inference.fold_scores.equivalence import EquivalenceTestResult
from skcompare.inference.fold_scores.permutation import PermutationTestResult
from skcompare.inference.fold_scores.runs import StochasticOrderResult
from skcompare.inference.fold_scores.stability import StabilityTTestResult
from skcompare.inference.fold_scores.z_tests import NestedCVResult
from skcompare.inference.outcomes.agreement import CochranQResult, McNemarResult
from skcompare.inference.outcomes.auc import DeLongResult
from skcompare.inference.outcomes.bootstrap import PairedBootstrapResult
from skcompare.inference.outcomes.confidence_sequence import ConfidenceSequenceResult
from skcompare.inference.outcomes.dependent import ClusterTTestResult, DieboldMarianoResult
from skcompare.inference.outcomes.exchange import PairedMetricResult
from skcompare.inference.outcomes.proportions import ErrorRateResult, FoldErrorRateResult
from skcompare.plotting._curves import LearningCurveDisplay, PrecisionRecallDisplay, RocCurveDisplay
from skcompare.plotting._differences import DifferencesDisplay
from skcompare.plotting._dominance import DominanceDisplay, QuadrantsDisplay
from skcompare.plotting._matrix import PairMatrixDisplay
from skcompare.plotting._pareto import ParetoDisplay, WeightsDisplay
from skcompare.plotting._posterior import PosteriorDisplay, SimplexDisplay
from skcompare.plotting._predictions import ConfusionMatrixDisplay, CostCurveDisplay, ReliabilityDisplay
from skcompare.plotting._ranks import CriticalDifferenceDisplay, RanksDisplay
from skcompare.plotting._scores import DatasetScatterDisplay, ScoresDisplay
from skcompare.plotting._search import CandidatesDisplay, ParameterEffectsDisplay, SearchHeatmapDisplay
from skcompare.plotting._size import SizeDisplay
from skcompare.scores.stopping import StopRule

Correction = Literal["bonferroni", "holm", "hochberg", "hommel", "holland", "finner", "li", "rom", "fdr_bh", "fdr_by"]

Models = Mapping[str, Any]
One = str | Callable[..., Any] | None
Several = list[str] | tuple[str, ...] | Mapping[str, Any]
OfClasses = Literal["predict_proba", "predict_log_proba", "decision_function"]

class Estimator(Protocol):
    @property
    def fit(self) -> Callable[..., Any]: ...

class Run(TypedDict, total=False):
    groups: Any
    cv: Any
    n_jobs: int | None
    verbose: int
    params: Mapping[str, Any] | None
    pre_dispatch: int | str | None

class Scoring(Run, total=False):
    error_score: float | Literal["raise"]

class Scored(Scoring, total=False):
    scoring: One | Several
    return_train_score: bool

class Kept(Scored, total=False):
    return_estimator: bool
    return_indices: bool

class Parameters(TypedDict, total=False):
    n_jobs: int | None
    random_state: Any
    error_score: Any
    store: Any
    progress: bool
    stop: StopRule | None
    n_seeds: int
    baseline: str | None
    intervals: Literal["nested"] | None
    return_train_score: bool
    return_estimator: bool
    options: RunOptions | None

TestOfResult = Literal[
    "auto",
    "corrected_t_test",
    "corrected_t",
    "k_fold_t_test",
    "k_fold_t",
    "stability_t_test",
    "stability_t",
    "calibrated_t_test",
    "calibrated_t",
    "five_by_two_t_test",
    "five_by_two_t",
    "five_by_two_f_test",
    "five_by_two_f",
    "blocked_m_by_two_test",
    "blocked_m_by_two",
    "nested_cv_interval",
    "paired_t_test",
    "paired_t",
    "welch_t_test",
    "welch_t",
    "permutation_test",
    "permutation",
    "wald_test",
    "wald",
    "diebold_mariano_test",
    "diebold_mariano",
    "confidence_sequence",
    "mcnemar_test",
    "mcnemar",
    "delong_test",
    "delong",
    "cluster_t_test",
    "cluster_t",
    "paired_metric_test",
    "paired_metric",
    "paired_bootstrap",
    "cv_clt_test",
    "cv_clt",
]

class OfResult(Comparable, Reportable):
    @overload
    def test(
        self,
        procedure: Literal["auto"] = ...,
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> (
        ClusterTTestResult
        | DeLongResult
        | DieboldMarianoResult
        | McNemarResult
        | PairedBootstrapResult
        | PairedMetricResult
        | TTestResult
    ): ...
    @overload
    def test(
        self,
        procedure: Literal["cluster_t_test", "cluster_t"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> ClusterTTestResult: ...
    @overload
    def test(
        self,
        procedure: Literal["cochran_q_test", "cochran_q"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> CochranQResult: ...
    @overload
    def test(
        self,
        procedure: Literal["confidence_sequence"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> ConfidenceSequenceResult: ...
    @overload
    def test(
        self,
        procedure: Literal["delong_test", "delong"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> DeLongResult: ...
    @overload
    def test(
        self,
        procedure: Literal["diebold_mariano_test", "diebold_mariano"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> DieboldMarianoResult: ...
    @overload
    def test(
        self,
        procedure: Literal["correlated_t_posterior"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> DifferencePosterior: ...
    @overload
    def test(
        self,
        procedure: Literal["equivalence_test", "equivalence"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> EquivalenceTestResult: ...
    @overload
    def test(
        self,
        procedure: Literal["error_rate_test", "error_rate"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> ErrorRateResult: ...
    @overload
    def test(
        self,
        procedure: Literal["error_reduction"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> ErrorReduction: ...
    @overload
    def test(
        self,
        procedure: Literal["five_by_two_f_test", "five_by_two_f"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> FTestResult: ...
    @overload
    def test(
        self,
        procedure: Literal["fold_error_rate_test", "fold_error_rate"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> FoldErrorRateResult: ...
    @overload
    def test(
        self,
        procedure: Literal["full_dominance_test", "full_dominance"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> FullDominanceResult: ...
    @overload
    def test(
        self,
        procedure: Literal["hotelling_test", "hotelling"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> HotellingResult: ...
    @overload
    def test(
        self,
        procedure: Literal["intersection_union_test", "intersection_union"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> IntersectionUnionResult: ...
    @overload
    def test(
        self,
        procedure: Literal["max_t_test", "max_t"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> MaxTResult: ...
    @overload
    def test(
        self,
        procedure: Literal["mcnemar_test", "mcnemar"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> McNemarResult: ...
    @overload
    def test(
        self,
        procedure: Literal["model_confidence_set"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> ModelConfidenceSet: ...
    @overload
    def test(
        self,
        procedure: Literal["nested_cv_interval"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> NestedCVResult: ...
    @overload
    def test(
        self,
        procedure: Literal["anova_test", "anova", "friedman_test", "friedman"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> OmnibusResult: ...
    @overload
    def test(
        self,
        procedure: Literal["paired_bootstrap"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> PairedBootstrapResult: ...
    @overload
    def test(
        self,
        procedure: Literal["paired_metric_test", "paired_metric"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> PairedMetricResult: ...
    @overload
    def test(
        self,
        procedure: Literal["tukey_test", "tukey", "nemenyi_test", "nemenyi"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> PairwiseResult: ...
    @overload
    def test(
        self,
        procedure: Literal["permutation_test", "permutation"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> PermutationTestResult: ...
    @overload
    def test(
        self,
        procedure: Literal["roc_dominance"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> RocDominance: ...
    @overload
    def test(
        self,
        procedure: Literal["selection_bias"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> SelectionBiasResult: ...
    @overload
    def test(
        self,
        procedure: Literal["stability_t_test", "stability_t"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> StabilityTTestResult: ...
    @overload
    def test(
        self,
        procedure: Literal["almost_stochastic_order"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> StochasticOrderResult: ...
    @overload
    def test(
        self,
        procedure: Literal[
            "corrected_t_test",
            "corrected_t",
            "k_fold_t_test",
            "k_fold_t",
            "calibrated_t_test",
            "calibrated_t",
            "five_by_two_t_test",
            "five_by_two_t",
            "blocked_m_by_two_test",
            "blocked_m_by_two",
            "paired_t_test",
            "paired_t",
            "welch_t_test",
            "welch_t",
            "wald_test",
            "wald",
            "cv_clt_test",
            "cv_clt",
        ],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> TTestResult: ...
    def compare(
        self,
        procedure: TestOfResult = ...,
        *,
        metrics: str | Sequence[str] | None = ...,
        primary: str | None = ...,
        family: Literal["first", "all"] = ...,
        baseline: str | None = ...,
        correction: Correction | Literal["none"] = ...,
        alternative: Alternative = ...,
        margin: float | Mapping[str, float] | None = ...,
        null: float | Mapping[str, float] = ...,
        alpha: float | None = ...,
        horizon: int | None = ...,
        period: int | None = ...,
    ) -> Comparison: ...
    @overload
    def dominance(
        self,
        method: Literal["glrt"] = ...,
        *,
        metrics: Sequence[str] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        correct_folds: bool = ...,
        margin: float | Mapping[str, float] | None = ...,
        **options: Any,
    ) -> DominanceTestResult: ...
    @overload
    def dominance(
        self,
        method: Literal["network"],
        *,
        metrics: Sequence[str] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        correct_folds: bool = ...,
        margin: float | Mapping[str, float] | None = ...,
        **options: Any,
    ) -> DominanceNetworkResult: ...
    @overload
    def dominance(
        self,
        method: Literal["dirichlet"],
        *,
        metrics: Sequence[str] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        correct_folds: bool = ...,
        margin: float | Mapping[str, float] | None = ...,
        **options: Any,
    ) -> DominancePosterior: ...
    @overload
    def dominance(
        self,
        method: Literal["table"],
        *,
        metrics: Sequence[str] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        correct_folds: bool = ...,
        margin: float | Mapping[str, float] | None = ...,
        **options: Any,
    ) -> DominanceTable: ...
    @overload
    def plot(
        self, kind: Literal["differences"] | None = ..., *, ax: Any = ..., **options: Any
    ) -> DifferencesDisplay: ...
    @overload
    def plot(self, kind: Literal["confusion"], *, ax: Any = ..., **options: Any) -> ConfusionMatrixDisplay: ...
    @overload
    def plot(self, kind: Literal["cost"], *, ax: Any = ..., **options: Any) -> CostCurveDisplay: ...
    @overload
    def plot(self, kind: Literal["dominance"], *, ax: Any = ..., **options: Any) -> DominanceDisplay: ...
    @overload
    def plot(
        self, kind: Literal["pvalues", "win_probabilities"], *, ax: Any = ..., **options: Any
    ) -> PairMatrixDisplay: ...
    @overload
    def plot(self, kind: Literal["pareto"], *, ax: Any = ..., **options: Any) -> ParetoDisplay: ...
    @overload
    def plot(self, kind: Literal["posterior"], *, ax: Any = ..., **options: Any) -> PosteriorDisplay: ...
    @overload
    def plot(self, kind: Literal["precision_recall"], *, ax: Any = ..., **options: Any) -> PrecisionRecallDisplay: ...
    @overload
    def plot(self, kind: Literal["quadrants"], *, ax: Any = ..., **options: Any) -> QuadrantsDisplay: ...
    @overload
    def plot(self, kind: Literal["ranks"], *, ax: Any = ..., **options: Any) -> RanksDisplay: ...
    @overload
    def plot(self, kind: Literal["reliability"], *, ax: Any = ..., **options: Any) -> ReliabilityDisplay: ...
    @overload
    def plot(self, kind: Literal["roc"], *, ax: Any = ..., **options: Any) -> RocCurveDisplay: ...
    @overload
    def plot(self, kind: Literal["scores"], *, ax: Any = ..., **options: Any) -> ScoresDisplay: ...
    @overload
    def plot(self, kind: Literal["simplex"], *, ax: Any = ..., **options: Any) -> SimplexDisplay: ...
    @overload
    def plot(self, kind: Literal["size"], *, ax: Any = ..., **options: Any) -> SizeDisplay: ...
    @overload
    def plot(self, kind: Literal["weights"], *, ax: Any = ..., **options: Any) -> WeightsDisplay: ...

TestOfStudy = Literal[
    "auto",
    "signed_rank_test",
    "signed_rank",
    "sign_test",
    "sign",
    "dataset_t_test",
    "dataset_t",
    "adjusted_means_test",
    "adjusted_means",
    "paired_t_test",
    "paired_t",
]

class OfStudy(Comparable, Reportable):
    @overload
    def test(
        self,
        procedure: Literal["auto"] = ...,
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> OmnibusResult | SignedRankResult: ...
    @overload
    def test(
        self,
        procedure: Literal["control_test", "control"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> ControlResult: ...
    @overload
    def test(
        self,
        procedure: Literal["hierarchical_posterior"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> HierarchicalPosterior: ...
    @overload
    def test(
        self,
        procedure: Literal["interquartile_mean"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> InterquartileMeanResult: ...
    @overload
    def test(
        self,
        procedure: Literal["mixed_model_test", "mixed_model"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> MixedModelResult: ...
    @overload
    def test(
        self,
        procedure: Literal[
            "friedman_test",
            "friedman",
            "aligned_ranks_test",
            "aligned_ranks",
            "quade_test",
            "quade",
            "anova_test",
            "anova",
            "kruskal_test",
            "kruskal",
            "skillings_mack_test",
            "skillings_mack",
        ],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> OmnibusResult: ...
    @overload
    def test(
        self,
        procedure: Literal["pairwise_posterior"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> PairwisePosterior: ...
    @overload
    def test(
        self,
        procedure: Literal[
            "pairwise_signed_rank_test",
            "pairwise_signed_rank",
            "nemenyi_test",
            "nemenyi",
            "conover_test",
            "conover",
            "quade_posthoc_test",
            "quade_posthoc",
            "aligned_ranks_posthoc_test",
            "aligned_ranks_posthoc",
            "tukey_test",
            "tukey",
            "dunn_test",
            "dunn",
            "step_down_test",
            "step_down",
        ],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> PairwiseResult: ...
    @overload
    def test(
        self,
        procedure: Literal["performance_profile"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> PerformanceProfile: ...
    @overload
    def test(
        self,
        procedure: Literal["plackett_luce_posterior"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> PlackettLucePosterior: ...
    @overload
    def test(
        self,
        procedure: Literal["probability_of_improvement"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> ProbabilityOfImprovement: ...
    @overload
    def test(
        self,
        procedure: Literal["sign_posterior"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> SignPosterior: ...
    @overload
    def test(
        self,
        procedure: Literal["sign_test", "sign"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> SignTestResult: ...
    @overload
    def test(
        self,
        procedure: Literal["signed_rank_posterior"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> SignedRankPosterior: ...
    @overload
    def test(
        self,
        procedure: Literal["signed_rank_test", "signed_rank"],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> SignedRankResult: ...
    @overload
    def test(
        self,
        procedure: Literal[
            "dataset_t_test", "dataset_t", "adjusted_means_test", "adjusted_means", "paired_t_test", "paired_t"
        ],
        *,
        metric: str | Sequence[str] | Callable[..., float] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        alternative: Alternative | None = ...,
        null: float = ...,
        **options: Any,
    ) -> TTestResult: ...
    def compare(
        self,
        procedure: TestOfStudy = ...,
        *,
        metrics: str | Sequence[str] | None = ...,
        primary: str | None = ...,
        family: Literal["first", "all"] = ...,
        baseline: str | None = ...,
        correction: Correction | Literal["none"] = ...,
        alternative: Alternative = ...,
        margin: float | Mapping[str, float] | None = ...,
        null: float | Mapping[str, float] = ...,
        alpha: float | None = ...,
        horizon: int | None = ...,
        period: int | None = ...,
    ) -> Comparison: ...
    @overload
    def dominance(
        self,
        method: Literal["glrt"] = ...,
        *,
        metrics: Sequence[str] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        correct_folds: bool = ...,
        margin: float | Mapping[str, float] | None = ...,
        **options: Any,
    ) -> DominanceTestResult: ...
    @overload
    def dominance(
        self,
        method: Literal["network"],
        *,
        metrics: Sequence[str] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        correct_folds: bool = ...,
        margin: float | Mapping[str, float] | None = ...,
        **options: Any,
    ) -> DominanceNetworkResult: ...
    @overload
    def dominance(
        self,
        method: Literal["dirichlet"],
        *,
        metrics: Sequence[str] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        correct_folds: bool = ...,
        margin: float | Mapping[str, float] | None = ...,
        **options: Any,
    ) -> DominancePosterior: ...
    @overload
    def dominance(
        self,
        method: Literal["table"],
        *,
        metrics: Sequence[str] | None = ...,
        a: str | None = ...,
        b: str | None = ...,
        correct_folds: bool = ...,
        margin: float | Mapping[str, float] | None = ...,
        **options: Any,
    ) -> DominanceTable: ...
    @overload
    def plot(
        self, kind: Literal["differences"] | None = ..., *, ax: Any = ..., **options: Any
    ) -> DifferencesDisplay: ...
    @overload
    def plot(
        self, kind: Literal["critical_difference"], *, ax: Any = ..., **options: Any
    ) -> CriticalDifferenceDisplay: ...
    @overload
    def plot(self, kind: Literal["datasets"], *, ax: Any = ..., **options: Any) -> DatasetScatterDisplay: ...
    @overload
    def plot(self, kind: Literal["dominance"], *, ax: Any = ..., **options: Any) -> DominanceDisplay: ...
    @overload
    def plot(
        self, kind: Literal["pvalues", "win_probabilities"], *, ax: Any = ..., **options: Any
    ) -> PairMatrixDisplay: ...
    @overload
    def plot(self, kind: Literal["pareto"], *, ax: Any = ..., **options: Any) -> ParetoDisplay: ...
    @overload
    def plot(self, kind: Literal["quadrants"], *, ax: Any = ..., **options: Any) -> QuadrantsDisplay: ...
    @overload
    def plot(self, kind: Literal["ranks"], *, ax: Any = ..., **options: Any) -> RanksDisplay: ...
    @overload
    def plot(self, kind: Literal["simplex"], *, ax: Any = ..., **options: Any) -> SimplexDisplay: ...
    @overload
    def plot(self, kind: Literal["weights"], *, ax: Any = ..., **options: Any) -> WeightsDisplay: ...

class OfCurve(Readable, metaclass=ABCMeta):
    def plot(
        self, kind: Literal["learning_curve"] | None = ..., *, ax: Any = ..., **options: Any
    ) -> LearningCurveDisplay: ...

class OfSearch(Readable, metaclass=ABCMeta):
    @overload
    def plot(self, kind: Literal["candidates"] | None = ..., *, ax: Any = ..., **options: Any) -> CandidatesDisplay: ...
    @overload
    def plot(self, kind: Literal["confusion"], *, ax: Any = ..., **options: Any) -> ConfusionMatrixDisplay: ...
    @overload
    def plot(self, kind: Literal["cost"], *, ax: Any = ..., **options: Any) -> CostCurveDisplay: ...
    @overload
    def plot(self, kind: Literal["differences"], *, ax: Any = ..., **options: Any) -> DifferencesDisplay: ...
    @overload
    def plot(self, kind: Literal["dominance"], *, ax: Any = ..., **options: Any) -> DominanceDisplay: ...
    @overload
    def plot(
        self, kind: Literal["pvalues", "win_probabilities"], *, ax: Any = ..., **options: Any
    ) -> PairMatrixDisplay: ...
    @overload
    def plot(self, kind: Literal["parameters"], *, ax: Any = ..., **options: Any) -> ParameterEffectsDisplay: ...
    @overload
    def plot(self, kind: Literal["pareto"], *, ax: Any = ..., **options: Any) -> ParetoDisplay: ...
    @overload
    def plot(self, kind: Literal["posterior"], *, ax: Any = ..., **options: Any) -> PosteriorDisplay: ...
    @overload
    def plot(self, kind: Literal["precision_recall"], *, ax: Any = ..., **options: Any) -> PrecisionRecallDisplay: ...
    @overload
    def plot(self, kind: Literal["quadrants"], *, ax: Any = ..., **options: Any) -> QuadrantsDisplay: ...
    @overload
    def plot(self, kind: Literal["ranks"], *, ax: Any = ..., **options: Any) -> RanksDisplay: ...
    @overload
    def plot(self, kind: Literal["reliability"], *, ax: Any = ..., **options: Any) -> ReliabilityDisplay: ...
    @overload
    def plot(self, kind: Literal["roc"], *, ax: Any = ..., **options: Any) -> RocCurveDisplay: ...
    @overload
    def plot(self, kind: Literal["scores"], *, ax: Any = ..., **options: Any) -> ScoresDisplay: ...
    @overload
    def plot(self, kind: Literal["heatmap"], *, ax: Any = ..., **options: Any) -> SearchHeatmapDisplay: ...
    @overload
    def plot(self, kind: Literal["simplex"], *, ax: Any = ..., **options: Any) -> SimplexDisplay: ...
    @overload
    def plot(self, kind: Literal["size"], *, ax: Any = ..., **options: Any) -> SizeDisplay: ...
    @overload
    def plot(self, kind: Literal["weights"], *, ax: Any = ..., **options: Any) -> WeightsDisplay: ...
