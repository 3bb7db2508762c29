"""What a column is for: by its name in any case and spelling, by its values, and by what stands beside it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

_SUFFIXES = ("", "_name", "_names", "_id", "_ids", "_label", "_no", "_nr", "_number", "_index", "_idx", "_key")


def _spelt(words: str, suffixes: Sequence[str] = _SUFFIXES) -> frozenset[str]:
    """The words with the usual endings."""
    return frozenset(word + end for word in words.split() for end in suffixes)


# The usual names of what a column says of its row, most telling first.
NAMES: dict[str, frozenset[str]] = {
    "model": _spelt(
        "model models estimator estimators classifier classifiers regressor learner algorithm algorithms algo method "
        "methods framework frameworks system approach clf technique predictor detector scheme key_scheme candidate "
        "strategy pipeline solver tool modelo modele modell"
    ),
    "dataset": _spelt(
        "dataset datasets data_set data task tasks problem problems benchmark benchmarks project projects domain "
        "relation database corpus key_dataset datafile data_file openml openml_task tid did"
    ),
    "split": _spelt("fold folds split splits cv cv_fold cv_split outer_fold outer_split key_fold test_fold partition"),
    "repeat": _spelt("repeat repeats repetition repetitions rep reps cv_repeat outer_repeat resample resamples"),
    "run": _spelt(
        "run runs seed seeds random_seed random_state rng_seed trial trials replicate replication replica key_run "
        "restart iteration iter"
    ),
    "metric": _spelt("metric metrics measure measures scorer criterion score_type", ("", "_name", "_id", "_label")),
    "value": _spelt("score scores value values result results metric_value performance test_score", ("",)),
    "outcome": _spelt("outcome outcomes correct is_correct passed pass success solved hit grade", ("",)),
    "prediction": _spelt("prediction predictions y_pred ypred pred preds predicted predicted_label yhat y_hat", ("",))
    | _spelt("forecast predicted_class predicted_value predict", ("",)),
    "probability": _spelt("probability proba prob y_prob y_proba predicted_probability", ("",)),
    "decision_function": _spelt("decision_function decision y_decision", ("",)),
    "truth": _spelt("y_true ytrue truth ground_truth true_label true_class true_value y_test gold gold_label", ("",)),
    "cluster": _spelt("cluster clusters group groups", ("", "_id")),
    "weight": _spelt("weight weights sample_weight sample_weights", ("",)),
    "item": _spelt(
        "sample item doc document example instance question query prompt case record row_id uid uuid qid image "
        "sentence utterance",
        ("_id", "_ids", "_no", "_nr", "_number", "_index", "_idx", "_key", "_name"),
    )
    | {"item", "items", "uid", "uuid", "qid", "sample", "example", "question", "instance", "doc", "sampleid"},
    "id": frozenset({"id", "ids", "idx", "index", "no", "nr", "row", "rows", "number", "key", "unnamed_0", "level_0"}),
    "told": frozenset({"greater_is_better", "test_fraction", "n_samples", "paired"}),
}
WEAK_TRUTH = frozenset(
    {"true", "target", "targets", "label", "labels", "class", "classes", "y", "actual", "expected", "reference"}
)
_TIMES = frozenset(
    "time times seconds second secs sec duration durations runtime runtimes latency elapsed timestamp date utc "
    "minutes hours ms millis milliseconds walltime cputime".split()
)
_DEVIATIONS = frozenset("std sd stdev stddev stderr se sem deviation dev var variance".split())
_SIZED = frozenset(
    "train test samples sample features feature classes class instances instance attributes rows cols columns params "
    "parameters param items observations labels outputs targets numeric categorical missing".split()
)
_SIZES = frozenset(
    "n size sizes length instances features attributes classes samples rows columns observations memory mem params "
    "parameters model_size train_size test_size dim dims dimension dimensions support count".split()
)
_HELPERS = frozenset(
    "train training test testing val valid validation cv oof outer eval holdout mean avg average total fit predict "
    "prediction inference score scoring build cpu wall user system process in of per the and s min max median".split()
)
_STATISTICS = frozenset("mean avg average median score scores overall test val valid validation cv oof eval".split())
_RANKS = frozenset("rank ranks ranking rankings position place".split())
_MEASURES = frozenset(
    "accuracy acc f1 fbeta f2 precision recall prec rec auc auroc rocauc auprc prauc aucpr roc ap map ndcg mrr mcc "
    "kappa balacc bacc logloss loss rmse mse mae mape smape rmsle r2 brier nll crossentropy error err sensitivity "
    "specificity gmean bleu rouge rouge1 rouge2 rougel chrf meteor em match jaccard iou miou dice ari nmi silhouette "
    "perplexity ppl wer cer spearman pearson tpr fpr tnr fnr npv ppv youden gini deviance hamming accuracies".split()
)
_OF_MEASURES = frozenset(
    "log balanced macro micro weighted samples binary ovr ovo root squared absolute square average neg negative exact "
    "norm normalized top1 top5 explained zero one cross entropy cohen cohens matthews corrcoef hinge under curve area "
    "rate misclassification pr p r 1 2 5 10 k at pass pct percent perc g explained geometric quadratic score correct".split()
)
LOSSES = frozenset(
    "loss logloss rmse mse mae mape smape rmsle brier nll crossentropy error err perplexity ppl wer cer fpr fnr "
    "deviance hamming misclassification entropy".split()
)
# Rows and columns that sum up others, and what is counted over them.
SUMMARIES = frozenset(
    "average avg mean median rank ranks average_rank avg_rank mean_rank avg_ranks mean_ranks average_ranks rank_avg "
    "rank_mean std sd stdev total sum overall wins win losses loss ties draws w_t_l w_d_l win_tie_loss best worst max "
    "min maximum minimum all mean_all average_score mean_score avg_score grand_mean macro_average macro_avg gmean "
    "geometric_mean count n_wins number_of_wins num_wins wins_count std_dev average_accuracy mean_accuracy avg_acc "
    "average_std sum_of_ranks rank_sum total_wins first_places times_best n_best standard_deviation".split()
)
_LEARNERS = frozenset(
    "svm svc svr nusvc knn nn nb bayes naive tree trees forest forests rf rfc lr logistic logreg regression ridge lasso "
    "mlp cnn fcn rnn lstm gru resnet transformer tabnet tabpfn xgb xgboost lightgbm lgbm lgb catboost gbm gbdt boosting "
    "boost adaboost ada bagging bert roberta gpt claude llama gemini mistral perceptron lda qda cart c45 j48 jrip "
    "rocket minirocket hivecote cote boss dtw weasel dummy zeror oner stacking ensemble automl autosklearn autogluon "
    "tpot h2o randomforest extratrees extratree dt neural net sgd elasticnet linear kernel gaussiannb classifier "
    "regressor baseline ours proposed flaml tunedrf encoder inceptiontime arsenal".split()
)
_DATASETS = frozenset(
    "iris wine wines glass sonar adult digits breast cancer wdbc diabetes pima mnist cifar cifar10 cifar100 vehicle car "
    "bank kc1 credit german heart letter mushroom vowel yeast zoo ionosphere hepatitis titanic housing boston covertype "
    "covtype higgs spam spambase census imagenet svhn fraud loans churn ecoli segment satimage waveform tictactoe "
    "monks lymph lymphography balance australian japanese abalone electricity airlines gunpoint ecg ecg200 ecg5000 "
    "auslan libras mmlu gsm8k hellaswag arc truthfulqa winogrande humaneval squad glue superglue".split()
)
_REGISTERED = frozenset("uid uuid row_id openml_id openml_task_id openml tid did sampleid".split())
_PARTS = frozenset("train training test testing valid validation val dev holdout".split())
_NUMBERED = {
    "split": re.compile(r"(?:test_?)?(?:(?:cv_?)?fold|split|cv)_?(\d+)(?:_?(?:test_)?score)?"),
    "repeat": re.compile(r"(?:rep|repeat|repetition|resample)_?(\d+)"),
    "run": re.compile(r"(?:run|seed|trial)_?(\d+)"),
}


def plain(name: str) -> str:
    """A name in lower case, with an underscore for all that is neither letter nor digit, and between two words."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(name))
    return re.sub(r"[^0-9a-z%#]+", "_", apart.lower()).strip("_")


def role_of_name(name: str) -> str | None:
    """What a name alone says of a column; None where it says nothing."""
    found = plain(name)
    both = {found, re.sub(r"[^0-9a-z]+", "_", str(name).lower()).strip("_")}
    for role, names in NAMES.items():
        if not both.isdisjoint(names):
            return role
    if any(one in WEAK_TRUTH for one in both):
        return "label"
    if re.fullmatch(r"(?:probability|proba|prob|p)_.+", found) and str(name).lower().startswith("probability_"):
        return "probability"
    return None if name == "" else _described(found)


def _described(name: str) -> str | None:
    """Times, sizes, deviations, ranks and scores on training sets, which are no scores."""
    words = name.split("_")
    rest = {*words}
    if not rest.isdisjoint(_TIMES) and rest <= _TIMES | _HELPERS | _DEVIATIONS:
        return "time"
    if name in _SIZES or (
        words[0] in ("n", "num", "number", "nb") and rest - {words[0], "of"} <= _SIZED and rest - {words[0]}
    ):
        return "size"
    if rest <= _RANKS | _HELPERS | {"w"} and not rest.isdisjoint(_RANKS):
        return "rank"
    measured = rest - _DEVIATIONS
    if measured != rest and measured <= _HELPERS | _MEASURES | _OF_MEASURES:
        return "deviation"
    ranked = rest - _RANKS
    if ranked != rest and is_measure("_".join(word for word in words if word in ranked)):
        return "rank"
    if words[0] in ("train", "training") and is_measure("_".join(words[1:])):
        return "training score"
    return None


def is_measure(name: str) -> bool:
    """Whether a name is that of a metric, with words such as test and mean around it."""
    words = plain(name).replace("%", "").split("_")
    own = {word for word in words if word and word not in _HELPERS}
    strong = (
        own & _MEASURES
        or {"balanced"} == own
        or own >= {"cross", "entropy"}
        or own >= {"corrcoef"}
        or own == {"percent", "correct"}
    )
    return bool(own) and bool(strong) and own <= _MEASURES | _OF_MEASURES


def is_loss(name: str) -> bool:
    """Whether less of a metric is better, by its name."""
    words = plain(name).split("_")
    return bool({*words} & LOSSES) and words[0] not in ("neg", "negative") and is_measure(name)


def is_statistic(name: str) -> bool:
    """Whether a name is no more than words such as mean and score."""
    return {*plain(name).split("_")} <= _STATISTICS | _HELPERS


def is_summary(name: str) -> bool:
    """Whether a row or column of this name sums up others."""
    return plain(name) in SUMMARIES or {*plain(name).split("_")} <= (_RANKS | _DEVIATIONS | _STATISTICS) - {
        "score",
        "test",
    }


def beside(name: str, others: Iterable[str]) -> str | None:
    """What a name adds to that of another column: "time", "deviation", "rank" or "size", as in svm and svm_std."""
    words = plain(name).split("_")
    stems = [plain(other).split("_") for other in others if other != name]
    kinds = {"time": _TIMES, "deviation": _DEVIATIONS | {"err", "error"}, "rank": _RANKS, "size": frozenset({"size"})}
    for kind, own in kinds.items():
        for cut in (words[:-1] if words[-1] in own else None, words[1:] if words[0] in own else None):
            if cut and any(stem[: len(cut)] == cut or stem[-len(cut) :] == cut for stem in stems):
                return kind
    return None


def numbered(names: Sequence[str]) -> str | None:
    """The role of headers such as fold1, fold2: "split", "repeat" or "run"; None where they are none."""
    for role, form in _NUMBERED.items():
        if names and all(form.fullmatch(plain(name)) for name in names):
            return role
    return None


def like_learners(names: Iterable[str]) -> int:
    """How many names are those of learners, less those of data sets."""
    words = [{*re.split(r"_|(?<=[a-z])(?=\d)", plain(name)), plain(name).replace("_", "")} for name in names]
    return sum(bool(one & _LEARNERS) for one in words) - sum(bool(one & _DATASETS) for one in words)


def is_weak(name: str) -> bool:
    """Whether a name is that of a number in some register, which may be another one in every row."""
    return plain(name) in _REGISTERED


def is_part(values: Collection[str]) -> bool:
    """Whether values are parts of the data: train, test, validation."""
    return bool(values) and {value.strip().lower() for value in values} <= _PARTS
