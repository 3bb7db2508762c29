"""Procedures on the outcomes of single samples: predictions, scores, right and wrong."""

from skcompare.inference.outcomes.bootstrap import PairedBootstrapResult, paired_bootstrap
from skcompare.inference.outcomes.cochran_q import CochranQResult, cochran_q_test
from skcompare.inference.outcomes.delong import DeLongResult, delong_test
from skcompare.inference.outcomes.error_rate import ErrorRateResult, error_rate_test
from skcompare.inference.outcomes.fold_error_rate import FoldErrorRateResult, fold_error_rate_test
from skcompare.inference.outcomes.mcnemar import McNemarResult, mcnemar_test
from skcompare.inference.outcomes.paired_metric import PairedMetricResult, paired_metric_test
from skcompare.inference.outcomes.proportion import proportion_interval

__all__ = [
    "mcnemar_test",
    "cochran_q_test",
    "delong_test",
    "error_rate_test",
    "fold_error_rate_test",
    "proportion_interval",
    "paired_metric_test",
    "paired_bootstrap",
    "McNemarResult",
    "CochranQResult",
    "DeLongResult",
    "ErrorRateResult",
    "FoldErrorRateResult",
    "PairedMetricResult",
    "PairedBootstrapResult",
]
