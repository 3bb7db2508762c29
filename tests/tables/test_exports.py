"""What other tools export: every file is read as what it is, or refused without advice that would mislead."""

from __future__ import annotations

import glob
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, r2_score

import skcompare as skc
from tests.asked_tables import asked

FOLDS = [(f, r) for r in range(1, 4) for f in range(1, 6)]


def saved(tmp_path, frame, name="export.csv", **options):
    path = tmp_path / name
    frame.to_csv(path, index=False, **options)
    return path


@pytest.mark.parametrize("form", ["Fold{f:02d}.Rep{r}", "Fold{f}_Repeat{r}", "Rep{r}.Fold{f:02d}"])
@pytest.mark.parametrize("name", ["Resample", "fold", "id", "split"])
def test_resamples_of_caret_are_folds_of_repeats_in_any_order(form, name, rng, tmp_path):
    scores = {f"{model}~{metric}": rng.random(15) for model in ("rf", "glm") for metric in ("ROC", "Sens", "Spec")}
    frame = pd.DataFrame({"": range(15), name: [form.format(f=f, r=r) for f, r in FOLDS], **scores})
    result = skc.read(saved(tmp_path, frame.sample(frac=1, random_state=int(rng.integers(9)))))
    assert (result.estimators, result.metrics) == (("rf", "glm"), ("ROC", "Sens", "Spec"))
    assert (result.design.n_repeats, result.design.n_folds) == (3, 5)
    np.testing.assert_allclose(result.scores[1, :, 2], scores["glm~Spec"])
    assert "name folds and repeats" in result.provenance["read_as"]
    runs = skc.read(saved(tmp_path, frame), run=name)  # who says what the column is, is asked nothing
    assert runs.design.n_splits == 15


@pytest.mark.parametrize("repeated", [False, True])
def test_metrics_of_tidymodels_are_folds(repeated, rng, tmp_path):
    where = [{"id": f"Repeat{r}", "id2": f"Fold{f}"} if repeated else {"id": f"Fold{f:02d}"} for f, r in FOLDS]
    where = where if repeated else where[:5]
    frame = pd.DataFrame(
        [
            {"wflow_id": model, **one, ".metric": metric, ".estimator": "binary", ".estimate": rng.random()}
            | {".config": "Preprocessor1_Model1"}
            for model in ("forest", "lasso")
            for one in where
            for metric in ("accuracy", "roc_auc")
        ]
    )
    result = skc.read(saved(tmp_path, frame))
    assert (result.estimators, result.metrics) == (("forest", "lasso"), ("accuracy", "roc_auc"))
    assert (result.design.n_repeats, result.design.n_folds) == ((3 if repeated else 1), 5)


@pytest.mark.parametrize("measure", ["classif.ce", "mmce.test.mean", "regr.rmse", "ber"])
def test_measures_of_mlr_are_metrics_and_errors_are_better_where_less(measure, rng):
    rows = [
        (task, learner, i) for task in ("a", "b") for learner in ("classif.lda", "classif.ranger") for i in range(9)
    ]
    frame = pd.DataFrame(rows, columns=["task_id", "learner_id", "seed"])
    study = skc.read(frame.assign(**{measure: rng.random(36), "classif.auc": rng.random(36)}))
    assert study.metrics == (measure, "classif.auc")
    assert study.greater_is_better == (False, True)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (("score_test", "pred_time_test", "fit_time_marginal", "stack_level", "fit_order"), "'score_test'"),
        (("AUC", "CA", "F1", "Precision", "Recall"), "'AUC'"),
        (("Accuracy", "AUC", "Kappa", "TT (Sec)"), "'Accuracy'"),
    ],
)
def test_one_row_per_model_is_no_evidence_and_metrics_are_never_offered_as_data_sets(columns, said, rng, tmp_path):
    """As leaderboards of AutoGluon, Orange and PyCaret."""
    whole = {"stack_level": [1, 1, 2, 2], "fit_order": [1, 2, 3, 4]}
    frame = pd.DataFrame({"model": list("abcd"), **{name: whole.get(name, rng.random(4)) for name in columns}})
    with pytest.raises(ValueError, match="one number says nothing") as refused:
        skc.read(saved(tmp_path, frame))
    assert said in str(refused.value)
    assert "skc.read" not in str(refused.value)


def test_epochs_are_no_cases(rng):
    rows = [(model, seed, epoch) for model in "ab" for seed in range(4) for epoch in range(6)]
    frame = pd.DataFrame(rows, columns=["model", "seed", "epoch"]).assign(accuracy=rng.random(48))
    with pytest.raises(ValueError, match="keep one row of each run") as refused:
        skc.read(frame)
    assert "skc.read" not in str(refused.value)
    last = skc.read(frame[frame["epoch"] == 5])
    assert last.design.kind == "runs"


@pytest.mark.parametrize("name", ["time_to_solve", "seconds", "runtime_s", "latency_ms"])
def test_less_time_is_better_and_it_is_said(name, rng):
    times = rng.random((2, 40)) * [[1.0], [9.0]]
    frame = pd.DataFrame(
        [(f"i{j}", solver, times[i, j]) for i, solver in enumerate(("fast", "slow")) for j in range(40)],
        columns=["instance", "solver", name],
    )
    result = skc.read(frame, value=name, cluster="none")
    assert result.greater_is_better == (False,)
    assert str(result).partition("\n\n")[2].startswith("Use fast:") or "Use fast:" in str(result)
    assert any(one.code == "ASSUMED" and name in one for one in result.warnings)


def test_frames_of_cross_validate_below_each_other_are_folds(rng, tmp_path):
    frames = [
        pd.DataFrame({name: rng.random(10) for name in ("fit_time", "score_time", "test_accuracy")}).assign(model=model)
        for model in ("lr", "svc")
    ]
    path = tmp_path / "cv.csv"
    pd.concat(frames).to_csv(path)
    result = skc.read(path)
    assert (result.metrics, result.design.n_folds) == (("accuracy",), 10)
    np.testing.assert_allclose(result.scores[0, :, 0], frames[0]["test_accuracy"])


@pytest.mark.parametrize("truth", ["label", "target", "actual", "y", "answer", "true"])
@pytest.mark.parametrize("form", ["{}_pred", "pred_{}", "y_pred_{}", "{} prediction"])
@pytest.mark.parametrize("classes", [["neg", "pos"], [0, 1], [1, 2, 3], []])
def test_predictions_that_are_called_so_are_those_of_the_only_labels(truth, form, classes, rng):
    """Beside what describes the samples, whatever the models are called."""
    n, models = 60, rng.choice(["bert", "svm", "B", "our model", "gpt-4o", "k=3"], 3, replace=False).tolist()
    truth = "actual" if not classes and truth in ("label", "answer") else truth  # which are no numbers
    y = rng.choice(classes, n) if classes else rng.normal(size=n).round(3)
    made = {form.format(name): np.where(rng.random(n) < 0.95, y, np.roll(y, 1)) for name in models}
    columns = {
        "sample_id": np.arange(n),
        truth: y,
        **made,
        "sex": rng.choice(["f", "m"], n),
        "text": [f"t {i}" for i in range(n)],
    }
    names = rng.permutation([*columns])
    result = skc.read({name: columns[name] for name in names}, metrics=["accuracy"] if classes else ["r2"])
    assert result.design.kind == "samples"
    assert {*result.estimators} == {*made}
    for name, x in made.items():
        assert result.score(name, result.metrics[0])[0] == pytest.approx(
            (accuracy_score if classes else r2_score)(y, x)
        )


@pytest.mark.parametrize("truth", ["label", "target", "y", "class"])
@pytest.mark.parametrize("classes", [["no", "yes"], [0, 1], [0, 1, 2, 3, 4]])
def test_a_data_set_with_features_in_the_values_of_its_labels_is_no_predictions(truth, classes, rng):
    names = rng.choice(["sex", "cp", "fbs", "slope", "housing", "loan", "default"], 4, replace=False)
    table = {name: rng.choice(classes, 80) for name in rng.permutation([*names, truth])}
    with pytest.raises(ValueError):
        skc.read(table)


@pytest.mark.parametrize("tidy", [True, False])
@pytest.mark.parametrize("name", ["age", "income", "height in cm"])
def test_numbers_that_describe_samples_are_those_of_a_frame_in_a_file_too(name, tidy, rng, tmp_path):
    """Numbers that repeat here and there are no clusters, and groups of them are called by numbers."""
    y, n = rng.choice(["no", "yes"], 60), 60
    own = {"a": np.where(rng.random(n) < 0.8, y, "no"), "b": np.where(rng.random(n) < 0.6, y, "yes")}
    told = pd.DataFrame({"sample_id": np.arange(n), "y_true": y, name: rng.integers(20, 40, n)})
    frame = told.assign(**{f"pred_{model}": x for model, x in own.items()})
    if tidy:
        frame = pd.concat([told.assign(model=model, prediction=x) for model, x in own.items()])
    frame.to_csv(tmp_path / "predictions.csv", index=False)
    both = [skc.read(one, metrics=["accuracy"]) for one in (frame, tmp_path / "predictions.csv")]
    for result in both:
        np.testing.assert_array_equal(np.sort(result.details.sample_columns[name]), np.sort(told[name]))
    np.testing.assert_array_equal(both[0].scores, both[1].scores)


@pytest.mark.parametrize("name", ["age", "income", "visits"])
def test_whole_numbers_beside_predictions_of_measured_ones_are_asked_about(name, rng):
    y = rng.normal(50, 10, 60)
    table = {"ground_truth": y, "B": y + rng.normal(size=60), "E": y - 1.5, name: rng.integers(20, 80, 60)}
    with pytest.raises(ValueError, match="may hold predictions of") as refused:
        skc.read(table)
    assert refused.value.calls[0][1]["models"] == ["B", "E"]


def answered(rng, classes, n=90):
    """True values, and two models' answers to them that are seldom wrong."""
    truth = rng.choice(np.array(classes), n)
    return truth, {m: np.where(rng.random(n) < 0.8, truth, rng.permutation(truth)) for m in ("svm", "forest")}


@pytest.mark.filterwarnings("ignore:roc_auc")
@pytest.mark.parametrize("answer", ["output", "guess", "answer", "assigned", "Decision", "verdict"])
@pytest.mark.parametrize("named", ["id", "patient_no", "filename"])
@pytest.mark.parametrize("classes", [["ham", "spam"], ["a", "b", "c"], [0, 1], [1, 2, 3]])
def test_what_models_answer_is_found_by_its_values_and_samples_by_what_is_true_of_them(answer, named, classes, rng):
    truth, models = answered(rng, classes)
    cases = rng.permutation(10 * len(truth))[: len(truth)]
    rows = [
        pd.DataFrame({named: cases if named != "filename" else [f"img_{i}.png" for i in cases], "model": model})
        .assign(y_true=truth, **{answer: own})
        .sample(frac=1, random_state=int(rng.integers(1000)))
        for model, own in models.items()
    ]
    table = pd.concat(rows, ignore_index=True)
    if rng.random() < 0.5:
        table = table.reset_index(names="Unnamed: 0")  # as it was written below each other
    options = {"truth": "y_true", "value": answer}
    if isinstance(classes[0], int) and answer != "Decision":  # numbers are no answers without a word
        with pytest.raises(ValueError, match="no column of predictions among") as refused:
            skc.read(table)
        assert [own for _, own in refused.value.calls] == [options]
    for asked_for in (options, options if isinstance(classes[0], int) else {}):
        result = skc.read(table, **asked_for)
        assert f"(column {named!r}), true values 'y_true'" in result.provenance["read_as"]
        for model, own in models.items():
            assert np.mean(result.score(model, "accuracy")) == pytest.approx(np.mean(own == truth))


@pytest.mark.parametrize("label", ["label", "answer", "class", "target", "solution"])
@pytest.mark.parametrize("name", ["ok", "rating", "accuracy", "score", "acc", "correct"])
def test_zeros_and_ones_beside_labels_of_items_say_which_answers_are_right(label, name, rng):
    truth, right = rng.integers(0, 2, 90), rng.integers(0, 2, (2, 90))
    columns = {"id": [*range(90)] * 2, "model": ["a"] * 90 + ["b"] * 90, label: [*truth] * 2, name: right.ravel()}
    result = skc.read({x: columns[x] for x in rng.permutation([*columns])})
    assert result.design.kind == "items"
    np.testing.assert_allclose([result.score(x, result.metrics[0]).mean() for x in "ab"], right.mean(axis=1))


@pytest.mark.parametrize("label", ["label", "true", "target", "y"])
@pytest.mark.parametrize("classes", [[0, 1], [1, 2, 3]])
def test_numbers_beside_labels_that_nothing_else_grades_are_offered_as_answers(label, classes, rng):
    truth, models = answered(rng, classes)
    rows = [pd.DataFrame({"ID": range(90), "model": m, label: truth, "output": own}) for m, own in models.items()]
    (found,) = asked(pd.concat(rows), "no column of predictions among", metrics=["accuracy"])
    assert np.mean(found.score("svm", "accuracy")) == pytest.approx(np.mean(models["svm"] == truth))


@pytest.mark.parametrize("about", ["previous_class", "human", "site"])
def test_what_is_the_same_for_all_models_is_no_answer(about, rng):
    truth, models = answered(rng, ["benign", "malignant"])
    other = rng.permutation(truth)
    rows = [
        pd.DataFrame({"id": range(90), "model": m, "y_true": truth, about: other, "said": own})
        for m, own in models.items()
    ]
    result = skc.read(pd.concat(rows), metrics=["accuracy"])
    assert np.mean(result.score("svm", "accuracy")) == pytest.approx(np.mean(models["svm"] == truth))
    with pytest.raises(ValueError, match="no column of predictions among"):
        skc.read(pd.concat(rows).drop(columns="said"))


@pytest.mark.filterwarnings("ignore:roc_auc")
@pytest.mark.parametrize("form", ["{}_pred", "pred_{}"])
@pytest.mark.parametrize("about", ["sex", "smoker", "over 60"])
def test_features_beside_what_is_called_a_prediction_are_no_models_of_the_first_call(form, about, rng):
    truth, models = answered(rng, [0, 1])
    table = pd.DataFrame({about: rng.integers(0, 2, 90), "label": truth}).assign(
        **{form.format(name): own for name, own in zip("ab", models.values(), strict=True)}
    )
    found = asked(table[rng.permutation(table.columns)], "'label' may hold true values")
    named = {form.format(name) for name in "ab"}
    assert [{*one.estimators} for one in found[:2]] == [named, {*named, about}]


@pytest.mark.parametrize("classes", [["a", "b", "c"], [0, 1, 2, 3]])
def test_answers_beside_those_of_known_learners_are_asked_about_and_are_models_of_the_first_call(classes, rng):
    truth, models = answered(rng, classes)
    names = rng.permutation(["stage", "zone", "panel"])[:1].tolist()
    table = pd.DataFrame({"y_true": truth, **models, names[0]: np.where(rng.random(90) < 0.6, truth, classes[0])})
    found = asked(table, f"{names[0]!r} may hold predictions of 'y_true'", metrics=["accuracy"])
    assert [{*one.estimators} for one in found] == [{*models, *names}, {*models}]


@pytest.mark.filterwarnings("ignore:roc_auc")
@pytest.mark.parametrize("classes", [["a", "b", "c"], [0, 1], [1, 2, 3], []])
def test_what_shares_no_value_with_the_true_ones_describes_the_samples(classes, rng):
    truth, models = answered(rng, classes or rng.random(90).round(3))
    about = {
        "age": rng.integers(20, 80, 90),
        "site": rng.choice([*"KLMNO"], 90),
        "file": [f"{i}.png" for i in range(90)],
    }
    about = {x: about[x] for x in about if classes or x != "age"}  # whole numbers may be predictions of others
    table = pd.DataFrame({"y_true": truth, **about, **models})
    result = skc.read(table[rng.permutation(table.columns)])
    assert {*result.estimators} == {*models}
    assert all(repr(name) in result.provenance["read_as"].split("Left out: ")[-1] for name in about)


def test_ids_that_have_names_are_called_by_these(rng):
    rows = [(10 + f, f"sklearn.{f}", 100 + d, f"data{d}") for d in range(6) for f in range(2)]
    frame = pd.DataFrame(rows, columns=["flow_id", "flow_name", "data_id", "data_name"]).assign(value=rng.random(12))
    study = skc.read(frame)
    assert (study.estimators, study.datasets[:2]) == (("sklearn.0", "sklearn.1"), ("data0", "data1"))


@pytest.mark.parametrize("named", [True, False])
def test_unknown_names_are_asked_about_until_the_table_is_read(named, rng):
    rows = [(d, m, r) for d in ("x", "y", "z") for m in ("RF", "SVM") for r in range(5)]
    names = ["Datensatz", "Verfahren", "Lauf", "Genauigkeit"] if named else ["Zbiór", "Metoda", "Numer", "Wynik"]
    frame = pd.DataFrame(rows, columns=names[:3]).assign(**{names[3]: rng.random(30)})
    if named:
        study = skc.read(frame)
    else:
        with pytest.raises(ValueError, match=r"skc\.read\(") as refused:
            skc.read(frame)
        calls = refused.value.calls
        options = next(own for _, own in calls if own.get("model") == "Metoda" and own.get("run") == "Numer")
        study = skc.read(frame, **options)
    assert study.estimators == ("RF", "SVM")
    assert {one.design.kind for one in study.results.values()} == {"runs"}


@pytest.mark.parametrize("full", [True, False])
def test_a_square_of_pairs_is_no_table_of_scores(full, rng, tmp_path):
    """Of p-values or of shares of wins."""
    frame = pd.DataFrame(rng.random((4, 4)), columns=["gpt", "llama", "claude", "mistral"])
    if not full:
        frame = frame.mask(np.eye(4, dtype=bool))
    frame.insert(0, "model", frame.columns)
    with pytest.raises(ValueError, match="numbers of pairs are no scores") as refused:
        skc.read(saved(tmp_path, frame))
    assert "skc.read" not in str(refused.value)


@pytest.mark.parametrize("deep", [True, False])
def test_records_in_cells_are_cells(deep, rng, tmp_path):
    scores = rng.random((2, 8, 2))
    records = [
        {"model": model, "fold": j, **({"metrics": own} if deep else own)}
        for i, model in enumerate("ab")
        for j in range(8)
        for own in [dict(zip(("accuracy", "f1"), scores[i, j].tolist(), strict=True))]
    ]
    path = tmp_path / "log.json"
    path.write_text(json.dumps(records))
    np.testing.assert_allclose(skc.read(path).scores, scores)


def test_counts_of_a_confusion_matrix_are_no_scores(rng):
    frame = pd.DataFrame(rng.integers(1, 50, (12, 4)), columns=["TP", "FP", "FN", "TN"])
    with pytest.raises(ValueError, match="are counts"):
        skc.read(frame.assign(model=list("ab") * 6, fold=np.repeat(range(6), 2)))


def test_two_columns_of_names_beside_a_metric_name_models_and_data_sets(rng):
    rows = [(f"S{s}", c) for s in range(9) for c in ("EEGNet", "CSP")]
    frame = pd.DataFrame(rows, columns=["Subject", "Condition"]).assign(Accuracy=rng.random(18))
    with pytest.raises(ValueError, match="nothing names models") as refused:
        skc.read(frame)
    assert [own for _, own in refused.value.calls] == [
        {"model": "Condition", "dataset": "Subject"},
        {"model": "Subject", "dataset": "Condition"},
    ]


def test_probabilities_beside_true_values_are_asked_about(rng):
    frame = pd.DataFrame({"id": range(50), "y": np.arange(50) % 2, "p_lr": rng.random(50), "p_gbm": rng.random(50)})
    with pytest.raises(ValueError, match="'y' may hold true values") as refused:
        skc.read(frame)
    options = next(own for _, own in refused.value.calls if "truth" in own)
    assert skc.read(frame, **options).design.kind == "samples"


LESS = [
    "FID",
    "ECE",
    "HD95",
    "bpc",
    "EER (%)",
    "minDCF",
    "TER",
    "lpips",
    "makespan",
    "optimality_gap",
    "PAR2",
    "val ibs",
]


@pytest.mark.parametrize("name", [*LESS, "mIoU", "PSNR", "C-index", "Top 5 Accuracy", "COMET"])
@pytest.mark.parametrize("wide", [True, False])
def test_metrics_of_other_fields_have_their_direction(name, wide, rng):
    scores = rng.uniform(0.1, 0.9, (9, 2))
    datasets = [f"set{i}" for i in range(9)]
    if wide:
        frame = pd.DataFrame(scores, columns=[f"ours_{name}", f"base_{name}"]).assign(dataset=datasets)
    else:
        rows = [(name, model) for name in datasets for model in ("ours", "base")]
        frame = pd.DataFrame(rows, columns=["dataset", "method"]).assign(**{name: scores.ravel()})
    study = skc.read(frame)
    assert (study.estimators, study.greater_is_better) == (("ours", "base"), (name not in LESS,))
    np.testing.assert_allclose(study.scores[:, :, 0, 0], scores)


@pytest.mark.parametrize("name", ["mIoU", "Top 1 Accuracy", "PSNR", "FID"])
@pytest.mark.parametrize("more", ["FPS", "Throughput", "Top 5 Accuracy"])
def test_metrics_of_one_row_per_model_are_no_data_sets(name, more, rng):
    frame = pd.DataFrame({"Method": list("abc"), name: rng.random(3), more: rng.random(3), "Year": 2020})
    with pytest.raises(ValueError, match="one number says nothing"):
        skc.read(frame)


@pytest.mark.parametrize(
    "more",
    [
        "Mean win rate",
        "Mean (Task)",
        "Mean (TaskType)",
        "Average over all tasks",
        "Max Tokens",
        "Improv.",
        "\u0394",
        "\u2206",
    ],
)
def test_columns_of_leaderboards_beside_scores_are_no_data_sets(more, rng):
    scores = rng.random((4, 7))
    frame = pd.DataFrame(scores, columns=[f"MMLU {i}{x}" for i, x in enumerate("abcdefg")])
    frame.insert(0, "Model", ["w", "x", "y", "z"])
    study = skc.read(frame.assign(**{more: rng.random(4)}))
    np.testing.assert_allclose(study.scores[:, :, 0, 0], scores.T)


def test_scores_on_validation_sets_beside_others_on_test_sets_are_left_out(rng):
    frame = pd.DataFrame([(m, s) for m in ("resnet", "vit") for s in range(5)], columns=["model", "seed"])
    names = ("val/acc", "val/loss", "valid_f1", "test/acc")
    result = skc.read(frame.assign(**{name: rng.random(10) for name in names}))
    assert result.metrics == ("test/acc",)


@pytest.mark.parametrize(("right", "wrong"), ["\u2713\u2717", "\u2714\u2718", "\u2705\u274c"])
def test_ticks_and_crosses_are_right_and_wrong(right, wrong, rng):
    graded = rng.integers(0, 2, (40, 2))
    cells = np.where(graded == 1, right, wrong)
    frame = pd.DataFrame({"question": [f"q{i:02d}" for i in range(40)], "gpt": cells[:, 0], "llama": cells[:, 1]})
    np.testing.assert_array_equal(skc.read(frame).scores[:, :, 0].T, graded)


@pytest.mark.parametrize("step", ["epoch", "Step", "generation", "training_iteration"])
def test_steps_of_training_are_no_cases_of_columns(step, rng):
    frame = pd.DataFrame(
        {step: np.arange(0, 1000, 50), "resnet val/acc": rng.random(20), "vit val/acc": rng.random(20)}
    )
    with pytest.raises(ValueError, match="counts through the training") as refused:
        skc.read(frame)
    assert "skc.read" not in str(refused.value)


@pytest.mark.parametrize("truth", ["y", "actual", "Target", "Observed", "measured"])
def test_measured_true_values_beside_forecasts_are_no_model(truth, rng):
    frame = pd.DataFrame({"unique_id": [f"Y{i}" for i in range(30)], truth: rng.normal(10, 2, 30)})
    frame = frame.assign(**{name: frame[truth] + rng.normal(0, 1, 30) for name in ("AutoARIMA", "Naive")})
    with pytest.raises(ValueError, match="may hold true values") as refused:
        skc.read(frame)
    (_, options), *_ = refused.value.calls
    assert options == {"truth": truth, "models": ["AutoARIMA", "Naive"]}
    assert skc.read(frame, **options).design.kind == "samples"


@pytest.mark.parametrize("form", ["abs_err_{}", "{}_error", "residual {}", "{} MAE"])
def test_errors_beside_true_values_are_no_predictions(form, rng):
    columns = {form.format(name): rng.random(50) for name in ("ridge", "gbm")}
    with pytest.raises(ValueError, match="or errors, or describe"):
        skc.read(pd.DataFrame({"sample_id": range(50), "y_true": rng.random(50), **columns}))


@pytest.mark.filterwarnings("ignore:roc_auc is left out")
def test_models_that_are_called_after_errors_and_costs_are_predictions_if_it_is_said(rng):
    columns = {name: rng.integers(0, 2, 60) for name in ("cost_sensitive_svm", "error_correcting_codes")}
    frame = pd.DataFrame({"sample_id": range(60), "y_true": rng.integers(0, 2, 60), **columns})
    with pytest.raises(ValueError, match="'error_correcting_codes' may hold predictions") as refused:
        skc.read(frame)
    ((_, options),) = refused.value.calls
    assert skc.read(frame, **options).estimators == tuple(columns)
    assert skc.from_predictions(frame).estimators == tuple(columns)


@pytest.mark.parametrize("form", ["fold {}", "Fold{:02d}", "cv_{}"])
def test_names_of_folds_are_folds_under_the_name_of_rows(form, rng):
    rows = [(form.format(i), model) for model in ("tree", "svm") for i in range(1, 11)]
    result = skc.read(pd.DataFrame(rows, columns=["row ID", "Learner"]).assign(accuracy=rng.random(20)))
    assert (result.design.kind, result.design.n_folds) == ("folds", 10)


@pytest.mark.parametrize("cell", ["TO", "timeout", "OOM", "Time-out", "failed run"])
def test_runs_without_an_end_are_never_to_be_left_out(cell, rng):
    times = rng.uniform(1, 4000, (30, 2)).round(2).astype(object)
    times[7, 1] = cell
    frame = pd.DataFrame(times, columns=["kissat", "cadical"]).assign(instance=[f"i{i}" for i in range(30)])
    with pytest.raises(ValueError, match="cadical") as refused:
        skc.read(frame)
    assert ("must not be left out" in str(refused.value)) == (cell != "failed run")
    assert ("leave the row out" in str(refused.value)) == (cell == "failed run")


def test_times_alone_are_offered_as_what_is_better_where_less(rng):
    frame = pd.DataFrame(
        [(f"i{i}", m) for i in range(30) for m in ("kissat", "cadical")], columns=["instance", "solver"]
    )
    with pytest.raises(ValueError, match=r"The values are those of 'time'") as refused:
        skc.read(frame.assign(time=rng.random(60), mem=rng.random(60)))
    assert [*refused.value.calls] == [("the values are those of 'time'", {"value": "time"})]


@pytest.mark.parametrize("settings", [["config/lr", "config/seed"], ["hyperparameters/units", "best_step"]])
def test_settings_of_a_search_are_never_offered_as_models(settings, rng):
    frame = pd.DataFrame({"trial_id": [f"a_{i}" for i in range(12)], "score": rng.random(12)})
    with pytest.raises(ValueError, match="stand beside") as refused:
        skc.read(frame.assign(**{name: [1, 2, 4] * 4 for name in settings}))
    assert "skc.read" not in str(refused.value)


def test_a_table_as_r_writes_it_is_read(rng, tmp_path):
    scores = rng.random((9, 3))
    lines = [f'"set {i}" {" ".join(map(str, row))}' for i, row in enumerate(scores.tolist())]
    path = tmp_path / "scores.txt"
    path.write_text("\n".join(['"svm" "rf" "knn"', *lines]))
    study = skc.read(path)
    assert study.estimators == ("svm", "rf", "knn")
    np.testing.assert_allclose(study.scores[:, :, 0, 0], scores)


def test_records_under_one_key_are_read(rng, tmp_path):
    scores = rng.random((7, 2))
    rows = [{"model": m, "task": f"t{i}", "score": scores[i, j]} for i in range(7) for j, m in enumerate("ab")]
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"version": 1, "results": rows}))
    np.testing.assert_allclose(skc.read(path).scores[:, :, 0, 0], scores)


@pytest.mark.parametrize("outer", ["dataset", "model"])
@pytest.mark.parametrize("learners", [["ours", "base"], ["svm", "rf", "knn"]])
def test_objects_in_objects_in_objects_are_rows_with_two_names(outer, learners, rng, tmp_path):
    """Of {data set: {model: {metric: ...}}} the data sets were models."""
    by = {"dataset": [f"set {x}" for x in "pqrstuvw"], "model": learners}
    first, second = by[outer], by["model" if outer == "dataset" else "dataset"]
    found = {x: {y: {"acc": rng.random(), "f1": rng.random()} for y in second} for x in first}
    path = tmp_path / "all.json"
    path.write_text(json.dumps(found))
    study = asked(path, "nothing names models")[0]
    assert (study.estimators, study.datasets, study.metrics) == (tuple(learners), tuple(by["dataset"]), ("acc", "f1"))
    at = study.datasets.index("set r"), study.estimators.index(learners[1])
    inner = found["set r"][learners[1]] if outer == "dataset" else found[learners[1]]["set r"]
    assert study.scores[at][0].tolist() == [inner["acc"], inner["f1"]]


@pytest.mark.parametrize("found", [{"a": {"b": {"c": 1}}, "d": {"b": 2}}, {"a": {"b": {"c": 1}}, "d": {"b": {"e": 1}}}])
def test_objects_of_several_forms_are_to_be_records(found, tmp_path):
    path = tmp_path / "all.json"
    path.write_text(json.dumps(found))
    with pytest.raises(ValueError, match="it must hold records, such as") as refused:
        skc.read(path)
    assert "skc.read" not in str(refused.value)


@pytest.mark.parametrize("form", ["frame", "columns"])
def test_lists_of_scores_in_cells_are_no_scores(form, rng, tmp_path):
    rows = [{"model": m, "fold_scores": rng.random(5).round(4).tolist()} for m in ("svm", "forest")]
    path = tmp_path / "lists.json"
    path.write_text(json.dumps({row["model"]: [row["fold_scores"]] for row in rows}))
    with pytest.raises(ValueError, match=r"no column of scores|is no number") as refused:
        skc.read(pd.DataFrame(rows) if form == "frame" else path)
    assert "skc.read" not in str(refused.value)


@pytest.mark.parametrize("more", [{}, {"dataset": "BNCI2014-001"}])
def test_two_columns_that_name_the_scores_of_a_model_together_are_offered_and_rows_are_not(more, rng):
    rows = [(s, session, p) for s in range(1, 10) for session in ("0train", "1test") for p in ("CSP", "TS")]
    frame = pd.DataFrame(rows, columns=["subject", "session", "pipeline"]).assign(score=rng.random(36), **more)
    with pytest.raises(ValueError, match="several scores") as refused:
        skc.read(frame)
    assert not any("rows" in own.values() for _, own in refused.value.calls)
    assert len(skc.read(frame, dataset="subject", run="session").datasets) == 9


@pytest.mark.parametrize("name", ["class", "label"])
def test_classes_of_one_test_set_are_never_offered_as_runs(name, rng):
    rows = [(m, c) for m in ("rf", "svm") for c in ("cat", "dog", "bird", "cow")]
    frame = pd.DataFrame(rows, columns=["model", name]).assign(recall=rng.random(8), support=50)
    with pytest.raises(ValueError, match="several scores") as refused:
        skc.read(frame)
    assert [{*own} for _, own in refused.value.calls] == [{"item"}, {"dataset"}]


@pytest.mark.parametrize("metric", ["bleu", "chrf"])
def test_few_sentences_of_nearly_nothing_may_be_shares(metric, rng):
    scores = np.concatenate([[[0.7, 1.2]], rng.uniform(2, 100, (40, 2))])
    frame = pd.DataFrame(scores, columns=[f"sysA_{metric}", f"sysB_{metric}"]).assign(sent_id=range(41))
    half = frame.assign(**{f"sysA_{metric}": scores[:, 0] / 100})
    for own in (frame, half):
        with pytest.raises(ValueError, match="write all in one way"):
            skc.read(own)


@pytest.mark.parametrize("inner", ["model", "seed"])
def test_settings_and_results_in_records_of_json_are_cells(inner, rng, tmp_path):
    scores = rng.random((2, 4))
    config = [{"model": m, "seed": s} for m in ("ours", "base") for s in range(4)]
    rows = [
        {**{k: x for k, x in own.items() if k != inner}, "config": {inner: own[inner], "lr": 0.1, "optimizer": "adam"}}
        | {"results": {"test": {"accuracy": x}, "train": {"accuracy": 1.0}}}
        for own, x in zip(config, scores.ravel().tolist(), strict=True)
    ]
    path = tmp_path / "runs.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    result = skc.read(path)
    assert (result.design.kind, result.metrics) == ("runs", ("results.test.accuracy",))
    np.testing.assert_allclose(result.scores[:, :, 0], scores)


def test_metrics_of_models_beside_a_counter_stay_what_they_are_in_the_calls(rng):
    names = [f"{metric} {model}" for model in ("BPR", "LightGCN") for metric in ("NDCG@10", "Recall@20")]
    frame = pd.DataFrame({"user": range(40), **{name: rng.random(40) for name in names}})
    with pytest.raises(ValueError, match="'user' numbers the rows") as refused:
        skc.read(frame)
    options = next(own for _, own in refused.value.calls if "dataset" in own)
    study = skc.read(frame, **options)
    assert (study.estimators, study.metrics) == (("BPR", "LightGCN"), ("NDCG@10", "Recall@20"))


@pytest.mark.parametrize("cluster", ["patient_id", "speaker", "patient"])
@pytest.mark.parametrize("item", ["image", "image_id", "utt_id"])
def test_images_of_patients_are_no_data_sets(cluster, item, rng):
    columns = {f"{metric}_{m}": rng.random(48) for metric in ("dice", "wer") for m in ("unet", "nnunet")}
    names = {cluster: [f"p{i % 12}" for i in range(48)], item: [f"im{i}" for i in range(48)]}
    with pytest.raises(ValueError, match=f"'{cluster}' depend on each other") as refused:
        skc.read(pd.DataFrame({**names, **columns}))
    assert [{*own} for _, own in refused.value.calls] == [{"cluster"}, {"cluster"}]


def pairs_of(rng, names, metrics=("acc", "f1"), form="{}_{}"):
    """A row per model, a column per data set and metric."""
    columns = {form.format(name, metric): rng.random(4).round(4) for name in names for metric in metrics}
    return pd.DataFrame({"name": ["svm", "knn", "rf", "mlp"], **columns})


DATASETS = ["iris", "wine", "kr-vs-kp", "glass", "ecoli-0_vs_1", "car"]


@pytest.mark.parametrize("form", ["{}_{}", "{} ({})", "{}/{}", "{1}_{0}"])
@pytest.mark.parametrize("name", ["", "name", "model", "System"])
@pytest.mark.parametrize("metrics", [("acc",), ("acc", "f1")])
def test_data_sets_and_metrics_of_models_in_rows_are_no_models(form, name, metrics, rng):
    frame = pairs_of(rng, ["iris", "wine", "glass", "car", "zoo"], metrics, form).rename(columns={"name": name})
    study = skc.read(frame)
    assert study.estimators == ("svm", "knn", "rf", "mlp")
    assert study.datasets == ("iris", "wine", "glass", "car", "zoo")
    assert study.metrics == metrics
    np.testing.assert_allclose(study.scores[3, 2, 0, -1], frame[form.format("car", metrics[-1])][2])


def test_rows_and_headers_of_unknown_names_are_asked_about(rng):
    frame = pairs_of(rng, ["A", "B", "C"]).assign(name=["x1", "x2", "x3", "x4"])
    with pytest.raises(ValueError, match="'name' may name data sets or models") as refused:
        skc.read(frame)
    (_, columns), (_, rows) = refused.value.calls
    assert skc.read(frame, **rows).estimators == ("A", "B", "C")
    assert skc.read(frame, **columns).estimators == ("x1", "x2", "x3", "x4")


def test_data_sets_with_a_metric_each_are_compared_by_ranks_and_gaps_are_asked_about(rng):
    frame = pairs_of(rng, [""], []).rename(columns={"name": "model"})
    frame = frame.assign(**{name: rng.random(4) for name in ("CoLA (Mcc)", "SST-2 (Acc)", "MRPC (F1)", "Avg")})
    study = skc.read(frame)
    assert (study.datasets, study.metrics) == (("CoLA", "SST-2", "MRPC"), ("rank",))
    with pytest.raises(ValueError, match="not all have the same ones") as refused:
        skc.read(frame.assign(**{"MRPC (Acc)": rng.random(4)}).drop(columns="Avg"))
    assert [own["dataset"] for _, own in refused.value.calls] == ["columns"]


def test_folds_in_the_headers_of_metrics_are_folds(rng):
    frame = pairs_of(rng, [f"fold{i}" for i in range(1, 6)]).rename(columns={"name": "model"})
    result = skc.read(frame)
    assert (result.design.n_folds, result.metrics) == (5, ("acc", "f1"))
    with pytest.raises(ValueError, match="name data sets too, several of one model"):
        skc.read(pairs_of(rng, ["iris", "wine"], ["svm", "adam"]).drop(columns="name").assign(seed=range(4)))


@pytest.mark.parametrize("turned", [False, True])
def test_data_sets_with_vs_in_their_names_are_not_computed_of_two_models(turned, rng):
    frame = pd.DataFrame(rng.random((6, 3)).round(4), columns=["svm", "knn", "rf"], index=DATASETS)
    compared = frame.assign(
        **{"svm vs knn": frame["svm"] - frame["knn"], "A minus B": rng.random(6), "p-value of knn vs rf": rng.random(6)}
    )
    study = skc.read(frame.T.rename_axis("method") if turned else compared.rename_axis("dataset"))
    assert (study.datasets, study.estimators) == (tuple(DATASETS), ("svm", "knn", "rf"))


# ---- trackers of runs ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "metric"),
    [
        ("params.{}", "metrics.{}"),
        ("config/{}", "eval/{}"),
        ("cfg.{}", "results.test.{}"),
        ("params.yaml:{}", "metrics.json:{}"),
        ("hparams.{}", "test/{}"),
    ],
)
@pytest.mark.parametrize("model", ["model", "model_name", "arch", "model.type", "model.name"])
def test_names_with_a_prefix_mean_what_they_mean_without_it(form, metric, model, rng, tmp_path):
    rows = [(m, s) for m in ("cnn", "vit") for s in range(4)]
    frame = pd.DataFrame(rows, columns=[form.format(model), form.format("seed")])
    frame = frame.assign(**{metric.format(one): rng.random(8) for one in ("accuracy", "loss")}, _step=100)
    result = skc.read(saved(tmp_path, frame))
    assert (result.design.kind, result.estimators) == ("runs", ("cnn", "vit"))
    assert result.metrics == (metric.format("accuracy"), metric.format("loss"))
    assert result.greater_is_better == (True, False)


@pytest.mark.parametrize("name", ["round", "Round", "server_round", "comm_round", "rounds"])
@pytest.mark.parametrize("wide", [False, True])
def test_rounds_of_federated_learning_are_neither_splits_nor_data_sets(name, wide, rng):
    columns = {"FedAvg": rng.random(12), "FedProx": rng.random(12)}
    frame = pd.DataFrame({name: range(1, 13), **columns})
    tidy = frame.melt(name, var_name="algorithm", value_name="test_acc")
    with pytest.raises(ValueError, match=f"'{name}' counts through the training of one run") as refused:
        skc.read(frame if wide else tidy)
    calls = [own for _, own in refused.value.calls]
    assert calls == ([{"run": name}] if name.lower() in ("round", "rounds") else [])
    for own in calls:
        assert skc.read(frame if wide else tidy, **own).design.kind == "runs"
    seeds = pd.concat([tidy.assign(seed=s, test_acc=rng.random(24)) for s in range(3)])
    with pytest.raises(ValueError, match=r"keep one row .* frame\[frame\['.*'\] == 12\]") as refused:
        skc.read(seeds)
    assert refused.value.calls == ()
    assert skc.read(seeds[seeds[name] == 12]).design.kind == "runs"


@pytest.mark.parametrize("repo", ["repo", "repository", "Repo"])
@pytest.mark.parametrize("wide", [False, True])
def test_repositories_of_tasks_are_clusters(repo, wide, rng):
    repos = [f"org/p{i}" for i in (0, 0, 0, 1, 1, 2, 2, 2, 3, 3)] * 3
    frame = pd.DataFrame({"instance_id": [f"t{i}" for i in range(30)], repo: repos})
    frame = frame.assign(agent_a=(rng.random(30) < 0.8).astype(int), agent_b=(rng.random(30) < 0.8).astype(int))
    if not wide:
        frame = frame.melt(["instance_id", repo], var_name="model", value_name="resolved")
    with pytest.raises(ValueError, match=f"'{repo}' depend on each other") as refused:
        skc.read(frame)
    assert [own for _, own in refused.value.calls] == [{"cluster": repo}, {"cluster": "none"}]
    assert skc.read(frame, cluster=repo).design.n_clusters == 4


@pytest.mark.parametrize("metric", ["predictive_accuracy", "root_mean_squared_error"])
def test_a_column_with_the_name_of_one_metric_names_it(metric, rng):
    rows = [(d, m, f) for d in ("a", "b") for m in ("svm", "rf") for f in range(5)]
    frame = pd.DataFrame(rows, columns=["task_id", "flow_name", "fold"]).assign(function=metric, value=rng.random(20))
    study = skc.read(frame)
    assert (study.metrics, study.greater_is_better) == ((metric,), ("error" not in metric,))


@pytest.mark.parametrize("name", ["tuned_for", "objective", "loss function"])
def test_a_column_with_the_metric_of_training_does_not_name_the_scores(name, rng):
    rows = [(d, m) for d in "abcdef" for m in ("svm", "rf")]
    frame = pd.DataFrame(rows, columns=["dataset", "model"]).assign(**{name: "logloss", "accuracy": rng.random(12)})
    study = skc.read(frame)
    assert (study.metrics, study.greater_is_better) == (("accuracy",), (True,))


@pytest.mark.parametrize("conditions", [("clean", "robust"), ("male", "female"), ("src", "tgt")])
def test_conditions_of_runs_are_no_data_sets_without_asking(conditions, rng):
    frame = pd.DataFrame([(m, s) for m in ("a1", "b2") for s in range(4)], columns=["model", "seed"])
    with pytest.raises(ValueError, match="could all be scores"):
        skc.read(frame.assign(**{f"{name}_acc": rng.random(8) for name in conditions}))
    known = skc.read(frame.assign(**{f"{name}_acc": rng.random(8) for name in ("cifar10", "mnist")}))
    assert (known.datasets, known.metrics) == (("cifar10", "mnist"), ("acc",))
    with pytest.raises(ValueError, match="may be models, or say something"):
        skc.read({"dataset": [*"abcd"], **{f"{name} vs base": rng.random(4) for name in conditions}})


def test_rounds_of_cross_validation_are_repeats_if_it_is_said(rng):
    rows = [(r, f, m) for r in range(3) for f in range(5) for m in ("svm", "rf")]
    frame = pd.DataFrame(rows, columns=["round", "fold", "model"]).assign(acc=rng.random(30))
    with pytest.raises(ValueError, match="'round' counts") as refused:
        skc.read(frame)
    [(_, own)] = refused.value.calls
    assert skc.read(frame, **own).design.name == "3x5 cross-validation"


@pytest.mark.parametrize("note", ["params", "commit", "Notes", "machine"])
def test_what_describes_rows_names_no_data_sets(note, rng):
    with pytest.raises(ValueError, match="may name data sets or models") as refused:
        skc.read(pd.DataFrame({note: ["x", "y", "z", "w"], "p1": rng.random(4), "q2": rng.random(4)}))
    assert {"model": note, "dataset": "columns"} in [own for _, own in refused.value.calls]
    frame = pd.DataFrame({"svm": rng.random(3), "knn": rng.random(3), "Unnamed: 0": [0, 2, 1], note: ["x", "{}", "z"]})
    with pytest.raises(ValueError, match="numbers the rows, and nothing says what these are"):
        skc.read(frame)
    with pytest.raises(ValueError, match="nothing says what 'entry' names"):
        skc.read(frame.rename(columns={note: "entry"}))


@pytest.mark.parametrize("aside", ["{m}_acc_std", "acc_sd_{m}", "std_acc_{m}", "fit_time_{m}", "{m} time (s)"])
@pytest.mark.parametrize("score", ["{m}_acc_mean", "acc_mean_{m}", "mean_acc_{m}", "acc_{m}"])
def test_a_deviation_or_a_time_in_any_place_of_a_name_is_no_model(score, aside, rng):
    models = ["random_forest", "svm"]
    scores = {form.format(m=m): rng.random(7) for m in models for form in rng.permutation([score, aside])}
    study = skc.read(pd.DataFrame({"dataset": [*"abcdefg"], **scores}))
    assert study.estimators == tuple(models)
    np.testing.assert_allclose(study.scores[:, 1, 0, 0], scores[score.format(m="svm")])


@pytest.mark.parametrize("form", ["p_value_{}_{}", "pvalue {} vs {}", "{}_{}_pval", "p-value ({}, {})", "p_adj.{}.{}"])
def test_p_values_of_pairs_are_no_scores(form, rng):
    models = ["svm", "rf", "knn"]
    named = {form.format(*pair): rng.random(7) for pair in (("svm", "rf"), ("svm", "knn"))}
    frame = pd.DataFrame({"dataset": [*"abcdefg"], **named})
    with pytest.raises(ValueError, match="no column of scores"):
        skc.read(frame)
    assert skc.read(frame.assign(**{m: rng.random(7) for m in models})).estimators == tuple(models)


@pytest.mark.parametrize("form", ["{}-{}", "{} - {}", "{} \u2212 {}", "{}_vs_{}"])
def test_a_column_called_like_the_difference_of_two_others_is_no_model(form, rng):
    scores = {name: rng.random(7) for name in ("svm", "naive bayes")}
    frame = pd.DataFrame({"dataset": [*"abcdefg"], **scores, form.format(*scores): rng.random(7)})
    assert skc.read(frame).estimators == ("svm", "naive bayes")
    models = {name: rng.random(7) for name in ("svm", "svm-rbf", "k-nn")}
    assert skc.read(pd.DataFrame({"dataset": [*"abcdefg"], **models})).estimators == tuple(models)


def test_scores_on_a_development_set_are_scores_unless_those_on_a_test_set_stand_beside_them(rng):
    frame = pd.DataFrame([(m, s) for m in ("bert", "gru") for s in range(5)], columns=["model", "seed"])
    assert skc.read(frame.assign(dev_acc=rng.random(10))).metrics == ("dev_acc",)
    both = skc.read(frame.assign(dev_f1=rng.random(10), test_f1=rng.random(10)))
    assert both.metrics == ("test_f1",)
    assert "'dev_f1' (scores on validation sets)" in both.provenance["read_as"]


@pytest.mark.parametrize("form", ["Top-{} (%)", "top{}", "top_{}_acc", "Top {}"])
def test_the_best_k_of_leaderboards_are_metrics_and_no_data_sets(form, rng):
    frame = pd.DataFrame({"Model": ["vit", "resnet", "vgg"], **{form.format(k): rng.random(3) for k in (1, 5)}})
    with pytest.raises(ValueError, match="one score per model"):
        skc.read(frame)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("Pliegue", "folds"), ("Partición", "folds"), ("pli", "folds"), ("corrida", "runs"), ("Ejecución", "runs")],
)
def test_folds_and_runs_in_other_languages(name, kind, rng, tmp_path):
    frame = pd.DataFrame([(m, i) for m in ("bosque", "svm") for i in range(1, 6)], columns=["Modelo", name])
    cells = [f"{x:.3f}".replace(".", ",") for x in rng.random(10)]
    found = skc.read(saved(tmp_path, frame.assign(Exactitud=cells), sep=";"))
    assert found.provenance["read_as"].startswith(f"Read as: {kind} of 2 models")
    assert found.metrics == ("Exactitud",)


@pytest.mark.parametrize("name", ["eval_dataset", "test_dataset", "test_set", "Conjunto", "evaluation dataset"])
def test_data_sets_to_evaluate_on_are_data_sets(name, rng):
    frame = pd.DataFrame([(m, d) for m in ("bert", "gru") for d in "uvwxyz"], columns=["model", name])
    study = skc.read(frame.assign(train_dataset="wiki", f1=rng.random(12)))
    assert (study.datasets, study.estimators, study.metrics) == ((*"uvwxyz",), ("bert", "gru"), ("f1",))


@pytest.mark.parametrize("name", ["category", "site", "Subset", "scanner"])
def test_words_that_tell_the_scores_of_a_model_apart_are_data_sets_first_and_no_repeats(name, rng):
    frame = pd.DataFrame([(m, d) for m in ("bert", "gru") for d in "uvwxyz"], columns=["model", name])
    with pytest.raises(ValueError, match="has several scores") as refused:
        skc.read(frame.assign(f1=rng.random(12)))
    assert str(refused.value).split("skc.read")[1] == f"(frame, dataset={name!r}); or {name!r} names items: "
    assert "repeat=" not in str(refused.value)


@pytest.mark.parametrize("form", ["{}_{}", "{1} {0}", "{1}.{0}"])
@pytest.mark.parametrize("error", ["error", "err", "Error"])
def test_errors_of_models_beside_another_metric_are_a_metric(error, form, rng):
    scores = {form.format(what, m): rng.random(7) for what in ("auc", error) for m in ("svm", "rf")}
    study = skc.read(pd.DataFrame({"dataset": [*"abcdefg"], **scores}))
    assert (study.estimators, study.metrics, study.greater_is_better) == (("svm", "rf"), ("auc", error), (True, False))
    beside = {
        "svm": rng.random(7),
        f"svm_{error}": rng.random(7) / 9,
        "rf": rng.random(7),
        f"rf_{error}": rng.random(7),
    }
    assert skc.read(pd.DataFrame({"dataset": [*"abcdefg"], **beside})).estimators == ("svm", "rf")


@pytest.mark.parametrize("names", [("pos_f1", "neg_f1"), ("naive_acc", "balanced_acc"), ("tumor Dice", "mean Dice")])
def test_a_metric_with_a_word_of_its_own_beside_a_known_one_is_a_metric_too(names, rng):
    frame = pd.DataFrame([(m, f) for m in ("a", "b") for f in range(5)], columns=["model", "fold"])
    frame = frame.assign(**{name: rng.random(10) for name in names}, loss_weight=rng.random(10))
    result = skc.read(frame)
    assert result.metrics == names
    assert "'loss_weight' (neither a score nor a name)" in result.provenance["read_as"]


@pytest.mark.parametrize("step", ["round", "epoch", "server_round"])
@pytest.mark.parametrize("unit", ["client", "site_no", "tag"])
def test_steps_beside_units_are_no_cases(step, unit, rng):
    rows = [(m, s, u) for m in ("fedavg", "fedprox") for s in range(1, 9) for u in range(5)]
    frame = pd.DataFrame(rows, columns=["model", step, unit]).assign(accuracy=rng.random(80))
    with pytest.raises(ValueError, match=r"keep one row of each run.* == 8\]") as refused:
        skc.read(frame)
    assert "skc.read" not in str(refused.value)
    last = frame[frame[step] == 8]
    with pytest.raises(ValueError, match=f"dataset='{unit}'"):
        skc.read(last)


def test_scalars_of_a_board_are_steps_and_not_data_sets(rng):
    rows = [(f"{m}/{s}", tag, i) for m in ("a", "b") for s in range(3) for tag in ("loss", "f1") for i in range(4)]
    frame = pd.DataFrame(rows, columns=["run", "tag", "step"]).assign(value=rng.random(len(rows)))
    with pytest.raises(ValueError, match="keep one row of each run") as refused:
        skc.read(frame)
    assert "skc.read" not in str(refused.value)


@pytest.mark.parametrize("case", ["fold", "dataset"])
def test_a_mapping_of_frames_has_one_per_model(case, rng, tmp_path):
    frames = {
        one: pd.DataFrame({case: [f"{case} {i}" for i in range(8)], "f1": rng.random(8)}) for one in ("svm", "nb")
    }
    for name, frame in frames.items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    found, same = skc.read(frames), skc.read(*(tmp_path / f"{name}.csv" for name in frames))
    assert found.estimators == ("svm", "nb")
    np.testing.assert_array_equal(found.scores, same.scores)
    with pytest.raises(ValueError, match="tables must be of one form"):
        skc.read({"a": frames["svm"], "b": pd.DataFrame({"x": [1.0]})})


OF_SETS = ["iris", "wine", "glass", "sonar", "zoo", "yeast", "vehicle"]
SETS_OF_FILES = {  # how files are named, and what by it
    "fold_{case}": "fold",
    "fold{case}": "fold",
    "seed{case}": "run",
    "run_{case}": "run",
    "{set}": "data set",
    "{model}_{set}": "data set",
    "{set}/{model}": "data set",
    "{model}-fold{case}": "fold",
    "{metric}": "metric",
}


@pytest.mark.parametrize("column", ["model", "Method", "classifier"])
@pytest.mark.parametrize("named", SETS_OF_FILES)
def test_files_that_are_named_by_cases_or_metrics_are_no_models(named, column, rng, tmp_path):
    models = [*rng.choice(["svm", "random_forest", "knn", "xgboost"], 3, replace=False)]
    kind, sets = SETS_OF_FILES[named], [*rng.choice(OF_SETS, 6, replace=False)]
    metrics = ("accuracy", "f1") if kind == "metric" else ("f1",)
    rows = pd.DataFrame([(m, s, i, x) for m in models for i, s in enumerate(sets) for x in metrics])
    rows.columns = ["model", "set", "case", "metric"]
    rows["score"] = rng.random(len(rows)).round(6)
    paths = []
    for name, own in rows.groupby([named.format(**row) for row in rows.to_dict("records")], sort=False):
        path = tmp_path / f"{name}.csv"
        path.parent.mkdir(exist_ok=True)
        kept = own[["model"] * ("{model}" not in named) + ["set"] * (kind == "metric") + ["score"]]
        kept.rename(columns={"model": column, "set": "dataset", "score": "value" if kind == "metric" else "f1"}).to_csv(
            path, index=False
        )
        paths.append(path)
    found = skc.read(*rng.permutation(paths))
    assert {*found.estimators} == {*models}
    assert {*found.metrics} == {*metrics}
    assert isinstance(found, skc.StudyResult) is (kind in ("data set", "metric"))
    assert isinstance(found, skc.StudyResult) or {"fold": "fold", "run": "run"}[kind] in found.design.name
    table = found.to_frame()
    for model, metric in ((m, x) for m in models for x in metrics):
        own = table[(table.estimator == model) & (table.metric == metric)].score
        np.testing.assert_allclose(
            np.sort(own), np.sort(rows[(rows.model == model) & (rows.metric == metric)].score), atol=1e-9
        )


@pytest.mark.parametrize("names", [("iris", "wine", "sonar"), ("accuracy", "f1"), ("rmse", "mae", "r2")])
@pytest.mark.parametrize("case", ["fold", "dataset"])
def test_files_called_like_data_sets_or_metrics_are_no_models_unasked(names, case, rng, tmp_path):
    frame = pd.DataFrame({case: [f"{case} {i}" for i in range(6)], "value": rng.random(6)})
    paths = [saved(tmp_path, frame.assign(value=rng.random(6)), f"{name}.csv") for name in names]
    with pytest.raises(ValueError, match="files are named by parts, such as"):
        skc.read(*paths)


@pytest.mark.parametrize("names", [("site1", "site2", "site3", "site4"), ("en-de", "ru-fr", "zh-en", "cs-en", "fr-es")])
@pytest.mark.parametrize("form", ["rows", "columns"])
def test_files_of_unknown_names_are_asked_about_and_are_data_sets_first(names, form, rng, tmp_path):
    models = ["svm", "random_forest", "knn"]
    wide = {name: pd.DataFrame(rng.random((5, 3)), columns=models).rename_axis("fold").reset_index() for name in names}
    own = {x: t if form == "columns" else t.melt("fold", var_name="model", value_name="f1") for x, t in wide.items()}
    paths = [saved(tmp_path, table, f"{name}.csv") for name, table in own.items()]
    with pytest.raises(ValueError, match=r"several scores|columns are called like models") as refused:
        skc.read(*paths)
    found = skc.read(*paths, **refused.value.calls[0][1])
    assert found.estimators == tuple(models)
    assert {*found.datasets} == {*names}


@pytest.mark.parametrize("column", ["dataset", "fold"])
def test_a_file_that_is_a_copy_of_another_is_told(column, rng, tmp_path):
    frames = [pd.DataFrame({column: [f"{column} {i}" for i in range(6)], "f1": rng.random(6)}) for _ in range(2)]
    paths = [saved(tmp_path, frame, name) for frame, name in zip(frames, ("svm.csv", "knn.csv"), strict=True)]
    assert not any("same cells" in warning for warning in skc.read(*paths).warnings)
    copied = skc.read(*paths, saved(tmp_path, frames[0], "mlp.csv"))
    assert [warning.code for warning in copied.warnings if "svm and mlp hold the same cells" in warning] == ["ASSUMED"]


@pytest.mark.parametrize("given", [".", "*.csv"])
def test_a_folder_or_a_pattern_is_refused_with_a_call_that_reads_its_files(given, rng, tmp_path):
    for name in ("svm", "knn"):
        saved(tmp_path, pd.DataFrame({"dataset": [*"abcdef"], "f1": rng.random(6)}), f"{name}.csv")
    with pytest.raises(ValueError, match="directory or a pattern") as refused:
        skc.read(tmp_path / given)
    call = str(refused.value).partition("skc.read(")[2].rpartition(" reads")[0]
    assert eval(f"skc.read({call}", {"skc": skc, "glob": glob}).estimators == ("knn", "svm")


@pytest.mark.parametrize("orient", ["split", "index", "columns", "records", "table"])
@pytest.mark.parametrize("model", ["model", "Method"])
def test_json_of_pandas_is_read_in_any_of_its_ways(orient, model, rng, tmp_path):
    frame = pd.DataFrame([(m, s) for m in ("svm", "knn", "nb") for s in OF_SETS], columns=[model, "dataset"])
    frame = frame.assign(f1=rng.random(21).round(6)).sample(frac=1, random_state=int(rng.integers(9)))
    frame.to_json(tmp_path / "scores.json", orient=orient)
    found, same = skc.read(tmp_path / "scores.json"), skc.read(frame.reset_index(drop=True))
    assert {*found.estimators} == {*same.estimators}
    for name in found.estimators:
        own = [x.to_frame() for x in (found, same)]
        np.testing.assert_allclose(*(x[x.estimator == name].score.sort_values() for x in own))


CV = ["fit_time", "score_time", "test_accuracy", "train_accuracy", "test_f1"]


@pytest.mark.parametrize("form", ["rows", "files", "mapping", "counted", "long", "list"])
def test_rows_of_cross_validate_are_its_splits_and_times_and_training_scores_no_metrics(form, rng, tmp_path):
    dicts = {name: {key: rng.random(5) for key in CV} for name in rng.permutation(["svm", "knn", "nb"]).tolist()}
    frames = {name: pd.DataFrame(own) for name, own in dicts.items()}
    both = pd.concat([own.assign(model=name, fold=range(5)) for name, own in frames.items()], ignore_index=True)
    bare = both.drop(columns="fold")
    if form == "list":
        rows = [{"model": name, **{key: x.tolist() for key, x in own.items()}} for name, own in dicts.items()]
        (tmp_path / "cv.json").write_text(json.dumps(rows), encoding="utf-8")
        found = skc.read(tmp_path / "cv.json", design="5-fold")
        with pytest.raises(ValueError, match="must each have the name of a model"):
            skc.read([{key: x for key, x in row.items() if key != "model"} for row in rows])
    elif form == "files":
        found = skc.read(*(saved(tmp_path, own, f"{name}.csv") for name, own in frames.items()))
    elif form == "mapping":
        found = skc.read(frames)
    elif form == "long":
        found = skc.read(saved(tmp_path, both.melt(["model", "fold"], var_name="metric", value_name="value")))
    else:
        found = skc.read(saved(tmp_path, bare.reset_index(names="Unnamed: 0") if form == "counted" else bare))
    assert {*found.metrics} == {"accuracy", "f1"}
    for name, metric in ((name, metric) for name in dicts for metric in found.metrics):
        np.testing.assert_allclose(found.score(name, metric), dicts[name][f"test_{metric}"])


@pytest.mark.parametrize("form", ["frame", "csv", "json"])
@pytest.mark.parametrize("graded", [True, False])
def test_items_in_clusters_are_exported_with_these(form, graded, rng, tmp_path):
    """Without them the interval of what is read again would be too short."""
    n, k = int(rng.integers(40, 90)), int(rng.integers(5, 15))
    outcomes = {name: rng.random(n) if graded else rng.integers(0, 2, n) for name in ("a", "b", "c")}
    result = skc.from_outcomes(outcomes, clusters=rng.permutation(np.arange(n) % k))
    found = skc.read(kept(result.to_frame(), form, tmp_path))
    assert found.design.n_clusters == result.design.n_clusters == k
    assert str(found) == str(result)


@pytest.mark.parametrize("form", ["frame", "csv", "json"])
@pytest.mark.parametrize("n_metrics", [1, 2, 3])
def test_comparisons_that_were_exported_are_no_judgments(form, n_metrics, rng, tmp_path):
    """They have columns a, b and winner; the models of a pair are no judges, nor are metrics."""
    scores = {f"m{i}": {name: rng.random(30) for name in "abc"} for i in range(n_metrics)}
    result = skc.from_outcomes(scores, sample_id=range(30))
    with pytest.raises(ValueError, match=r"has comparisons, .* and no scores: give what"):
        skc.read(kept(result.compare().to_frame(), form, tmp_path))


def kept(frame, form, folder):
    """A frame in some form: itself, or a file."""
    path = folder / f"export.{form}"
    if form == "csv":
        frame.to_csv(path, index=False)
    elif form == "json":
        frame.to_json(path, orient="records")
    return frame if form == "frame" else path
