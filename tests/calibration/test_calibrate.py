"""The user's own calibration: made of simulated data sets, used by an evaluation, told by reports, kept in files."""

import json
from dataclasses import asdict, replace
from importlib.resources import files

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.dummy import DummyClassifier
from sklearn.metrics import make_scorer, recall_score
from sklearn.model_selection import KFold, StratifiedShuffleSplit
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import skcompare
from skcompare import PairedEvaluator, StopRule, inference
from skcompare.calibration import (
    Calibration,
    ExchangeableBlocks,
    LabelPermutation,
    RandomData,
    calibrate,
)
from skcompare.calibration._simulation import simulate
from skcompare.cli import main as cli
from tests.saved_files import with_header

X = np.random.default_rng(0).normal(size=(60, 3))
Y = np.arange(60) % 2
MODELS = {"gauss": GaussianNB(), "coins": BernoulliNB()}
METRICS = ["accuracy", "roc_auc"]
FITS = []


class Counted(GaussianNB):
    """Tells when it is fitted."""

    def fit(self, X, y):
        FITS.append(1)
        return super().fit(X, y)


def evaluator(cv="3x2", scoring=METRICS, **options):
    return PairedEvaluator(cv=cv, scoring=scoring, random_state=0, **options)


@pytest.fixture(scope="module")
def calibration():
    return calibrate(evaluator(), MODELS, X, Y, n_datasets=40)


@pytest.fixture(scope="module")
def partial(calibration):
    """One metric of two could be calibrated."""
    left = {"accuracy": calibration["accuracy"]}
    return replace(calibration, calibrations=left, uncalibrated={"roc_auc": "the models are not equal there"})


@pytest.fixture(scope="module")
def result(calibration):
    return evaluator().evaluate(MODELS, X, Y, calibration=calibration)


@pytest.fixture(scope="module")
def half(partial):
    return evaluator().evaluate(MODELS, X, Y, calibration=partial)


def as_saved(record):
    """All that is in a record, as a text: nan equals nan there."""
    return json.dumps(asdict(record))


# ---- making it ------------------------------------------------------------------------------------------------


@pytest.mark.sampled("calibrations")
def test_it_is_the_calibration_of_the_differences_on_permuted_labels(calibration):
    simulation = simulate(evaluator(), MODELS, LabelPermutation(X=X, y=Y), n_datasets=40, random_state=0)
    for metric in METRICS:
        expected = inference.calibrate(simulation.differences(metric).reshape(40, 3, 2))
        assert as_saved(calibration[metric]) == as_saved(expected)
        assert calibration.fold_correlation[metric] == expected.fold_correlation
    assert calibration.df == calibration["accuracy"].df
    assert (calibration.estimators, calibration.metrics) == (("gauss", "coins"), ("accuracy", "roc_auc"))
    assert (calibration.n_datasets, calibration.random_state, calibration.alpha) == (40, 0, 0.05)
    assert calibration.generator == "permuted labels of 60 samples"
    assert (calibration.design.name, calibration.design.n_samples) == ("3x2 cross-validation", 60)
    assert calibration.design.train_sizes == calibration.design.test_sizes == (30,) * 6
    assert "Degrees of freedom on 3x2 cross-validation, from 40 data sets" in calibration._repr_html_()


@pytest.mark.sampled("calibrations")
def test_a_store_has_what_is_finished(tmp_path):
    models = {"a": Counted(), "b": BernoulliNB()}
    kept = evaluator(cv=3, scoring="roc_auc", store=tmp_path / "store")
    first = calibrate(kept, models, X, Y, n_datasets=20)
    FITS.clear()
    again = calibrate(kept, models, X, Y, n_datasets=20, alpha=0.2, scheme="runs")
    more = calibrate(kept, models, X, Y, n_datasets=22)
    assert len(FITS) == 2 * 3
    assert as_saved(calibrate(kept, models, X, Y, n_datasets=20)) == as_saved(first)
    assert (again.scheme, again.alpha, more.n_datasets) == ("runs", 0.2, 22)


@pytest.mark.sampled("calibrations")
def test_workers_change_nothing(calibration):
    found = calibrate(evaluator(n_jobs=2), MODELS, X, Y, n_datasets=40)
    assert as_saved(found) == as_saved(calibration)
    other = calibrate(evaluator(), MODELS, X, Y, n_datasets=40, random_state=1)
    assert other.df != calibration.df
    assert other.random_state == 1


def test_a_cv_and_names_of_metrics_do():
    found = calibrate(3, MODELS, X, Y, metrics="accuracy", n_datasets=20)
    assert (found.design.name, found.metrics, found.random_state) == ("3-fold cross-validation", ("accuracy",), 0)
    scoring = {"first": "accuracy", "second": "roc_auc"}
    assert calibrate(evaluator(3, scoring), MODELS, X, Y, metrics=["second"], n_datasets=20).metrics == ("second",)


def test_where_the_models_are_not_equal_a_metric_is_left_out():
    models = {"gauss": GaussianNB(), "most": DummyClassifier()}
    unbalanced = (np.arange(60) < 12).astype(int)
    found = calibrate(evaluator(3), models, X, unbalanced, n_datasets=40)
    assert list(found.calibrations) == ["roc_auc"]
    assert "the models are not equal there; their mean over 40 data sets is -" in found.uncalibrated["accuracy"]
    assert found.warnings[0].startswith("NOT_CALIBRATED: accuracy: the models are not equal there")
    with pytest.raises(ValueError, match="metric must be one that was calibrated; 'accuracy' was not"):
        _ = found.df
    with pytest.raises(ValueError, match=r"no metric can be calibrated .* of 60 samples: accuracy"):
        calibrate(evaluator(3, "accuracy"), models, X, unbalanced, n_datasets=40)


def test_other_generators_make_data_of_their_own():
    found = calibrate(evaluator(3, "roc_auc"), MODELS, generator=RandomData(n_samples=60), n_datasets=20)
    assert found.generator.startswith("RandomData(n_samples=60")
    blocks = calibrate(
        evaluator(3, "roc_auc"), [GaussianNB()], generator=ExchangeableBlocks(n_samples=60), n_datasets=20
    )
    assert len(blocks.estimators) == 2
    with pytest.raises(ValueError, match=r"calibration must be of two of the estimators .* coins; it is"):
        evaluator(3, "roc_auc").evaluate(MODELS, X, Y, calibration=blocks)


# ---- using it -------------------------------------------------------------------------------------------------


def test_auto_is_the_calibrated_test_of_the_metric(result, calibration):
    for metric in METRICS:
        a, b = (result.score(name, metric).reshape(3, 2) for name in MODELS)
        expected = inference.calibrated_t_test(a, b, df=calibration[metric].df)
        test = result.test(metric=metric)
        assert (test.df, test.statistic, test.pvalue) == (expected.df, expected.statistic, expected.pvalue)
        assert test.method.endswith("df calibrated on 40 data sets (permuted labels of 60 samples)")
        mirrored = result.test(metric=metric, a="coins", b="gauss")
        assert (mirrored.df, mirrored.pvalue) == (expected.df, expected.pvalue)
    comparison = result.compare()
    assert comparison.procedure == "calibrated_t_test"
    assert [row.pvalue for row in comparison] == [result.test(metric=metric).pvalue for metric in METRICS]


def test_a_procedure_that_is_named_is_used_as_it_is(result):
    plain = evaluator().evaluate(MODELS, X, Y)
    assert result.test("corrected_t_test") == plain.test("corrected_t_test")
    assert result.compare("corrected_t_test") == plain.compare("corrected_t_test")
    with pytest.raises(ValueError, match="df is set by the design for 'calibrated_t_test'"):
        result.test(df=3)


def test_what_is_not_calibrated_says_so(result):
    for name, options in (("equivalence_test", {"margin": 0.1}), ("correlated_t_posterior", {"rope": 0.01})):
        said = [str(one) for one in result.test(name, **options).warnings]
        assert any(f"{name} is not calibrated: it takes the correction of the design" in one for one in said)
    joint = {name: result.test(name) for name in ("hotelling_test", "max_t_test", "full_dominance_test")}
    joint |= {"model_confidence_set": result.test("model_confidence_set"), "the test of several": result.dominance()}
    for name, record in {**joint, "the test of several ": result.dominance("table")[0]}.items():
        said = [one for one in record.warnings if one.code == "NOT_CALIBRATED"]
        assert [one for one in said if name in one and "takes the correction of the design" in one], name
    assert not any("is not calibrated" in str(one) for one in result.test().warnings)
    plain = evaluator().evaluate(MODELS, X, Y).test("equivalence_test", margin=0.1)
    assert not any("is not calibrated" in str(one) for one in plain.warnings)


def test_the_others_are_tested_by_the_default(half, partial):
    default = evaluator().evaluate(MODELS, X, Y).test(metric="roc_auc")
    test = half.test(metric="roc_auc")
    assert (test.pvalue, test.df, test.method) == (default.pvalue, default.df, default.method)
    assert test.warnings[-1].startswith("NOT_CALIBRATED: roc_auc is tested by ")
    assert half.test().df == partial["accuracy"].df
    rows = half.compare()
    assert [row.pvalue for row in rows] == [half.test().pvalue, test.pvalue]
    assert rows.procedure == "calibrated_t_test"
    assert half.compare(metrics="roc_auc").procedure != "calibrated_t_test"


def test_of_three_models_the_pair_that_is_calibrated(partial):
    models = {"dull": DummyClassifier(), **MODELS}
    three = evaluator().evaluate(models, X, Y, calibration=partial)
    assert three.test(a="coins", b="gauss").df == partial.df
    assert three.test().df != partial.df
    assert "the calibration is of gauss and coins" in three.test().warnings[-1]
    assert "other pairs are not calibrated" in " ".join(three.summary("full").split())


@pytest.mark.sampled("calibrations")
@pytest.mark.parametrize(
    ("cv", "shape"), [(4, (1, 4)), (StratifiedShuffleSplit(5, random_state=0), (5, 1)), ("2x3", (2, 3))]
)
def test_any_design_can_be_calibrated(cv, shape):
    found = calibrate(evaluator(cv, "roc_auc"), MODELS, X, Y, n_datasets=20)
    assert (found.design.n_repeats, found.design.n_folds) == shape
    result = evaluator(cv, "roc_auc").evaluate(MODELS, X, Y, calibration=found)
    d = result.difference("roc_auc")
    assert result.test().statistic == pytest.approx(d.mean() * (found.df + 1) ** 0.5 / d.std(ddof=1))


@pytest.mark.parametrize(
    ("change", "models", "message"),
    [
        ({"cv": "2x3"}, MODELS, "calibration must be of 2x3 cross-validation; it is of 3x2 cross-validation"),
        ({"cv": StratifiedShuffleSplit(6, test_size=0.5)}, MODELS, "calibration must be of 6 overlapping splits"),
        ({}, {**MODELS, "gauss": GaussianNB(var_smoothing=1)}, "its 'gauss' has another class or other parameters"),
        (
            {},
            {"gauss": GaussianNB(), "other": BernoulliNB()},
            "two of the estimators gauss and other; it is of gauss and coin",
        ),
        ({"scoring": "f1"}, MODELS, "calibration must have one of the metrics f1; it is of accuracy and roc_auc"),
        ({"stop": StopRule(6)}, MODELS, "calibration must be None with a stop"),
    ],
)
def test_a_calibration_of_something_else_is_refused_before_anything_is_fitted(calibration, change, models, message):
    with pytest.raises(ValueError, match=message):
        PairedEvaluator(**{"cv": "3x2", "scoring": METRICS, **change}).evaluate(models, X, Y, calibration=calibration)


def test_a_metric_that_is_computed_otherwise_is_refused():
    found = calibrate(evaluator(3, {"score": "roc_auc"}), MODELS, X, Y, n_datasets=20)
    with pytest.raises(ValueError, match="that are evaluated; its 'score' is computed otherwise"):
        evaluator(3, {"score": make_scorer(recall_score)}).evaluate(MODELS, X, Y, calibration=found)
    assert evaluator(3, {"score": "roc_auc"}).evaluate(MODELS, X, Y, calibration=found).test().df == found.df


def test_what_cannot_be_told_from_others_is_not_calibrated():
    models = {**MODELS, "gauss": make_pipeline(FunctionTransformer(lambda values: values), GaussianNB())}
    with pytest.raises(ValueError, match=r"models must be something .* can tell from others"):
        calibrate(3, models, X, Y, metrics="accuracy", n_datasets=20)
    scoring = {"score": lambda model, X, y: model.score(X, y)}
    with pytest.raises(ValueError, match=r"scoring must be something .* can tell from others"):
        calibrate(evaluator(3, scoring), MODELS, X, Y, n_datasets=20)


def test_other_data_leave_a_warning(calibration, result):
    assert calibration.class_shares == (0.5, 0.5)
    assert not result.warnings
    code = "NOT_CALIBRATED: the degrees of freedom were calibrated on data "
    for features, y, said in (
        (X, np.arange(60) < 23, "with 50.0% in the smallest class, not 38.3%."),
        (X[:, :2], Y, "of 3 features, not 2."),
        (X, np.arange(60) % 3, "of 2 classes, not 3 classes."),
    ):
        other = evaluator(scoring="accuracy").evaluate(MODELS, features, y, calibration=calibration)
        assert other.warnings == (code + said,)
    assert not evaluator().evaluate(MODELS, X, np.arange(60) < 25, calibration=calibration).warnings


def test_an_alternative_is_no_null():
    for other in (0.6, -0.5):
        better = ExchangeableBlocks(n_samples=60, signal=0.5, signal_b=other)
        with pytest.raises(ValueError, match=r"generator must make .* models; got ExchangeableBlocks"):
            calibrate(3, [GaussianNB()], generator=better, metrics="accuracy", n_datasets=20)


def test_the_number_of_samples_may_be_half_or_twice_as_large(calibration):
    for n, fits in ((29, False), (30, True), (120, True), (121, False)):
        data = np.tile(X, (3, 1))[:n], np.tile(Y, 3)[:n]
        if fits:
            evaluator().evaluate(MODELS, *data, calibration=calibration)
        else:
            with pytest.raises(ValueError, match=f"between half and twice the {n} samples of X; it is on 60"):
                evaluator().evaluate(MODELS, *data, calibration=calibration)


def test_the_share_of_the_test_sets_must_be_the_same():
    models, splits = MODELS, StratifiedShuffleSplit(5, test_size=0.2, random_state=0)
    found = calibrate(evaluator(splits, "accuracy"), models, X, Y, n_datasets=20)
    other = StratifiedShuffleSplit(5, test_size=0.3, random_state=0)
    with pytest.raises(ValueError, match=r"0.3 of the samples, to within 0.02; it is of 0.2"):
        evaluator(other, "accuracy").evaluate(models, X, Y, calibration=found)


# ---- reports --------------------------------------------------------------------------------------------------


def test_the_reports_say_on_what_it_was_calibrated(result, calibration):
    interval = calibration["accuracy"].df_interval
    said = f"{calibration.df:.3g} for accuracy (95% interval {interval.low:.3g} to {interval.high:.3g})"
    where = "40 data sets on which neither is better (permuted labels of 60 samples; seed 0, scheme all)"
    reports = [result.summary("full"), result.to_html(), result.methods_text()]
    for report in reports:
        text = " ".join(report.split())
        assert said in text
        assert where in text
    assert "Default for this design" not in result.summary("full")
    assert "degrees of freedom were" not in result.methods_text(procedure="corrected_t_test")


def test_the_probabilities_of_a_comparison_are_those_of_the_calibrated_posterior(result):
    row = result.compare(margin=0.01)[0]
    posterior = result.test("correlated_t_posterior", metric=row.metric, margin=0.01)
    assert (row.left, row.rope, row.right) == (posterior.left, posterior.rope, posterior.right)


def test_the_reports_say_what_is_not_calibrated(half, result):
    for report in (result.summary("full"), result.to_html()):
        assert "the test of several metrics together is not calibrated: it takes" in " ".join(report.split())
    instead = "the " + half.compare(metrics="roc_auc").procedure.replace("_", " ").replace("k fold", "k-fold")
    assert f"roc_auc is not calibrated and tested by {instead}." in " ".join(half.summary("full").split())
    assert "NOT_CALIBRATED" in half.summary("full")
    assert f"roc_auc is not calibrated and tested by {instead}." in half.to_html()
    assert (
        "Roc_auc was compared by the corrected resampled t test (Nadeau and Bengio, 2003) inst" in half.methods_text()
    )


def test_the_json_document_has_it(result, half, calibration):
    schema = json.loads(files("skcompare.reporting").joinpath("schemas/result.schema.json").read_text(encoding="utf-8"))
    for one in (result, half, evaluator().evaluate(MODELS, X, Y)):
        jsonschema.validate(json.loads(one.to_json()), schema)
    found = json.loads(result.to_json())["calibration"]
    assert found["metrics"][0]["df"] == calibration.df
    assert (found["without"], json.loads(half.to_json())["calibration"]["without"]) == ([], ["roc_auc"])


# ---- files ----------------------------------------------------------------------------------------------------


def test_a_calibration_is_saved_and_read_again(calibration, partial, tmp_path):
    for one in (calibration, partial):
        one.save(tmp_path / "calibration.skc")
        again = skcompare.load(tmp_path / "calibration.skc")
        assert isinstance(again, Calibration)
        assert as_saved(again) == as_saved(one)
        assert evaluator().evaluate(MODELS, X, Y, calibration=again).test().df == one.df


def test_a_saved_result_keeps_it(half, tmp_path):
    half.save(tmp_path / "result.skc")
    again = skcompare.load(tmp_path / "result.skc")
    assert as_saved(again.details.calibration) == as_saved(half.details.calibration)
    assert again.summary() == half.summary()
    assert again.to_json() == half.to_json()


def test_a_result_without_one_says_nothing_of_it(tmp_path):
    plain = evaluator().evaluate(MODELS, X, Y)
    plain.save(tmp_path / "plain.skc")
    assert skcompare.load(tmp_path / "plain.skc").details.calibration is None


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("estimators",), ["gauss"]),
        (("estimators",), ["gauss", "gauss"]),
        (("estimators",), ["gauss", "a\nb"]),
        (("identities",), ["x"]),
        (("metrics",), ["accuracy"]),
        (("calibrations",), {}),
        (("uncalibrated",), {"accuracy": "no"}),
        (("scheme",), "any"),
        (("alpha",), 2),
        (("generator",), ""),
        (("random_state",), "0"),
        (("versions",), {"numpy": 2}),
        (("design", "n_folds"), 3),
        (("design", "test_fraction"), 1.0),
        (("calibrations", "accuracy", "df"), -1.0),
        (("calibrations", "accuracy", "df"), float("inf")),
        (("calibrations", "accuracy", "df_interval"), {"low": 1}),
        (("calibrations", "accuracy", "df_interval", "low"), "1"),
        (("calibrations", "accuracy", "fold_correlation"), "0.1"),
        (("calibrations", "accuracy", "levels", 0, "size"), 2.0),
        (("calibrations", "accuracy", "warnings"), [1]),
        (("calibrations", "accuracy", "n_folds"), 5),
        (("calibrations", "accuracy", "df_interval", "high"), -5.0),
        (("calibrations", "accuracy", "levels"), []),
        (("calibrations", "accuracy", "confidence_level"), 1.0),
        (("calibrations", "accuracy", "mean_error"), -1.0),
        (("calibrations", "accuracy", "warnings"), "abc"),
        (("metric_identities",), {}),
        (("class_shares",), [1.1, 0.9]),
        (("n_features",), 0),
        (("n_datasets",), 0),
        (("n_datasets",), 1),
        (("scheme",), "runs"),
        (("extra",), 1),
    ],
)
def test_a_file_of_another_form_is_refused(calibration, tmp_path, where, value):
    def change(header):
        place = header
        for step in where[:-1]:
            place = place[step]
        place[where[-1]] = value

    calibration.save(tmp_path / "calibration.skc")
    with pytest.raises(ValueError, match=r"is damaged: "):
        skcompare.load(with_header(tmp_path / "calibration.skc", change))


@pytest.mark.parametrize("words", [["show"], ["report"], ["plan", "--margin", "0.1"]])
def test_the_command_refuses_a_calibration_where_it_wants_a_result(calibration, tmp_path, words):
    path = tmp_path / "calibration.skc"
    calibration.save(path)
    done = CliRunner().invoke(cli.command, [words[0], str(path), *words[1:]])
    assert f"FILE must be a saved result; {str(path)!r} is a calibration" in str(done.exception) + done.output


def test_a_result_whose_calibration_is_of_another_design_is_refused(half, tmp_path):
    half.save(tmp_path / "result.skc")
    with_header(tmp_path / "result.skc", lambda header: header["calibration"]["design"].update(n_samples=1000))
    with pytest.raises(ValueError, match="is damaged: calibration must be on between half and twice"):
        skcompare.load(tmp_path / "result.skc")


# ---- bad input ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((3, MODELS), {}, "X and y must be"),
        ((3, MODELS, X, Y), {"generator": RandomData()}, "X and y must be left out with generator=RandomData"),
        ((3, MODELS), {"generator": 1}, "generator must have draw and pair, as RandomData"),
        ((3, MODELS, X, Y), {"n_datasets": 18}, "n_datasets must be an integer of at least 19; got 18"),
        ((3, MODELS, X, Y), {"scheme": "sorted"}, "scheme must be one of 'all'"),
        ((3, MODELS, X, Y), {"alpha": 0}, "alpha must be"),
        ((3, MODELS, X, Y), {"random_state": -1}, "random_state must be an integer of at least 0; got -1"),
        ((evaluator(stop=StopRule(3)), MODELS, X, Y), {}, "evaluator must have no stop"),
        ((evaluator(3, {"one": "f1"}), MODELS, X, Y), {"metrics": "f1"}, "metrics must be one of 'one'; got 'f1'"),
        ((KFold(3), {**MODELS, "c": GaussianNB()}, X, Y), {}, "two"),
    ],
)
def test_bad_input_is_refused_by_name(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        calibrate(*arguments, **options)
