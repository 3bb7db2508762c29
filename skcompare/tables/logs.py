"""Logs and reports of other tools, read as they are: each is known by what only that tool writes.

The columns of the tables are called as the function that takes their kind calls them: folds as in `from_frame`,
outcomes as in `from_outcomes`, predictions as in `from_predictions`, runs as in `from_runs`, a study as in
`StudyResult.from_frame`, a search as in ``cv_results_``. No tool needs to be installed for its files.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from skcompare._core.numbers import agreeing, counted, some_names
from skcompare._core.warnings import Code, CodedWarning
from skcompare.tables.columns import WORDS, is_listed, is_loss, is_measure, plain, role_of_name
from skcompare.tables.cross_validate import candidate_params, is_cv_results, literal, missing, number
from skcompare.tables.source import FILES, Row, Source, Table, cells_of, names_of, origin_of, rows_of, table_of

_TOOLS = {name: said.split() for name, said in WORDS["tools"].items()}


def read_tables(*given: Any, sep: str | None = None) -> Table:
    """The log or report of another tool as `recognised` reads it, or any other table as it came."""
    sources = [Source.of(one, sep) for one in given]
    return recognised(*sources) or table_of(*sources)


def recognised(*given: Any) -> Table | None:
    """The log or report of another tool as a table of known kind; None where no tool is known by it.

    Parameters
    ----------
    *given : path, data frame, mapping, or object of a tool
        lm-evaluation-harness (samples as JSON lines), inspect_ai (logs as JSON or ``.eval``), Optuna (study, search,
        frame of trials), a search or its ``cv_results_`` (also as CSV or JSON), dicts of `cross_validate` (also as
        JSON), skore (reports, a frame of their metrics), MLflow (frame of runs, or ``"mlflow:"`` and the name of an
        experiment), WEKA's Experimenter (CSV, ARFF), the AutoML Benchmark (CSV), tsml-eval (a file per model and data
        set). Frames also as files. Several are of the same tool.

    Returns
    -------
    Table or None
        `kind` is set. `notes` say what was read; those that are warnings belong to the result. Dicts of
        `cross_validate`, and reports, stand in a column ``results`` beside ``model``.

    Raises
    ------
    ValueError
        If the tool is known, and what it wrote cannot be compared.
    """
    sources = [*map(Source.of, given)]
    for tool, reader in _READERS.items():
        try:
            table = reader(sources)
        except (KeyError, IndexError, TypeError, AttributeError, csv.Error) as error:
            raise ValueError(
                f"{origin_of(sources)} must be what {tool} writes; it is damaged: {error!r:.80}"
            ) from error
        if table is not None:
            return table
    return None


# ---- the table ------------------------------------------------------------------------------------------------


def _table(sources: Sequence[Source], kind: str, found: Any, *notes: str) -> Table:
    """Rows, or columns, as a table of known kind."""
    rows = found if isinstance(found, list) else ()
    columns: dict[str, Any] = {name: [row[name] for row in rows] for name in rows[0]} if rows else found
    cells, said = {name: cells_of(x) for name, x in columns.items()}, tuple(filter(None, notes))
    return Table(columns=cells, origin=origin_of(sources), kind=kind, notes=said)


def left_out(n: int, what: str, why: str) -> tuple[CodedWarning, ...]:
    """The warning that some rows are not read; none where there are none."""
    if not n:
        return ()
    return (Code.MISSING_SCORES(f"{counted(n, what)} {agreeing(n, 'was', 'were')} left out: {why}."),)


def _unread(names: Sequence[str], why: str) -> str:
    """That some metrics are not read; empty of none."""
    return f"Left out, as {why}: {', '.join(names)}." if names else ""


def _of_splits(sources: Sequence[Source], rows: list[Row], *notes: str) -> Table:
    """Scores of splits, of one data set without its name."""
    if len({row["dataset"] for row in rows}) < 2:
        rows = [{name: x for name, x in row.items() if name != "dataset"} for row in rows]
    return _table(sources, "folds" if "fold" in rows[0] else "study", rows, *notes)


def _complete(rows: list[Row], names: Iterable[str]) -> tuple[list[str], str]:
    """The columns that are numbers in all rows, and what is said of those that are in some."""
    known = {name: [np.isfinite(number(row.get(name))) for row in rows] for name in names}
    some = [name for name, has in known.items() if any(has) and not all(has)]
    return [name for name, has in known.items() if has and all(has)], _unread(some, "rows lack them")


def _number(cell: Any) -> float:
    """A cell as a number, nan where it is empty; of other text what `recognised` takes for damage."""
    if np.isnan(number(cell)) and not missing(cell):
        raise TypeError(f"{cell!r:.40} is no number")
    return number(cell)


def _whole(cell: Any) -> int:
    """A cell as a whole number; of no such number what `recognised` takes for damage."""
    if not number(cell).is_integer():
        raise TypeError(f"{cell!r:.40} is no whole number")
    return int(number(cell))


# ---- outcomes of items ----------------------------------------------------------------------------------------

_LM_FILE = re.compile(r"samples_(.+)_\d{4}-\d\d-\d\dT[\d.:-]+")


def _of_models(sources: Sequence[Source], models: list[str], tasks: list[str]) -> Iterator[tuple[Source, str, str]]:
    """The model and the task of each log; where these are the same in two logs the models are the files."""
    if len({*models}) < 2 or len({*zip(models, tasks, strict=True)}) < len(sources):
        models, tasks = names_of(sources), tasks[:1] * len(sources)
    return zip(sources, models, tasks, strict=True)


def _lm_eval(sources: Sequence[Source]) -> Table | None:
    """Samples of lm-evaluation-harness: ``MODEL/samples_TASK_TIME.jsonl``, or files of any names, one per model."""
    for lines in (source.content for source in sources):
        if not isinstance(lines, list) or not lines or not all(isinstance(x, dict) and "doc_id" in x for x in lines):
            return None
        if not {"target", "resps", "filtered_resps"} & lines[0].keys():
            return None
    models, tasks = [""], [""]
    if all(named := [_LM_FILE.fullmatch(source.name) for source in sources]):
        models = [source.path.parent.name if source.path else "" for source in sources]
        tasks = [match[1] for match in named if match]
    rows: list[Row] = []
    logs = [*_of_models(sources, models, tasks)]
    filters: dict[str, set[Any]] = defaultdict(set)
    for source, _, task in logs:
        filters[task] |= {line.get("filter") for line in source.content}
    for source, model, task in logs:
        for line in source.content:
            about = {"sample_id": (task, line["doc_id"]), "model": model}
            about["document"] = line.get("doc_hash") or line.get("doc")
            for metric in line.get("metrics", [key for key in line if key not in _TOOLS["lm_eval"]]):
                label = metric if len(filters[task]) < 2 else f"{metric},{line.get('filter')}"
                rows.append({**about, "metric": label, "outcome": line.get(metric)})
    return _outcomes(sources, rows, "lm-evaluation-harness")


def _is_nested(found: Any) -> bool:
    return isinstance(found, Mapping) and bool(found) and all(isinstance(x, Mapping) for x in found.values())


def _lm_results(sources: Sequence[Source]) -> Table | None:
    """Results of lm-evaluation-harness: one score per task and metric, a file per model."""
    logs = [source.content for source in sources]
    if not all(isinstance(log, Mapping) and _is_nested(log.get("results")) for log in logs):
        return None
    if not all({"config", "configs", "versions", "n-shot"} & log.keys() for log in logs):
        return None
    rows: list[Row] = []
    tasks = [", ".join(log["results"]) for log in logs]
    for source, name, _ in _of_models(sources, [str(log.get("model_name")) for log in logs], tasks):
        found = source.content["results"]
        signs, parts = (source.content.get(key) or {} for key in ("higher_is_better", "group_subtasks"))
        for task, own in found.items():
            if not found.keys().isdisjoint(parts.get(task, ())):  # the mean of tasks that are there too
                continue
            filtered = any("," in key for key in own)  # as newer versions write metrics, and nothing else
            for key, x in own.items():
                if isinstance(x, (int, float)) and "_stderr" not in key and ("," in key) == filtered:
                    sign = signs.get(task, {}).get(key.partition(",")[0])
                    about = {"model": name, "task": task, "metric": key.removesuffix(",none")}
                    rows.append({**about, "greater_is_better": sign, "score": float(x)})
    if not rows:  # of something else that has results
        return None
    shared = set.intersection(*({x["metric"] for x in rows if x["task"] == task} for task in {x["task"] for x in rows}))
    if not shared:
        raise ValueError("results of lm-evaluation-harness must share a metric that all tasks have; got none")
    out = _unread([x for x in dict.fromkeys(row["metric"] for row in rows) if x not in shared], "tasks lack them")
    rows = [row for row in rows if row["metric"] in shared]
    if any(row["greater_is_better"] is None for row in rows):  # as older versions wrote them
        rows = [{name: x for name, x in row.items() if name != "greater_is_better"} for row in rows]
    return _table(sources, "study", rows, "Results of lm-evaluation-harness, one score per task.", out)


# What inspect_ai calls correct, partial, incorrect and no answer, and the numbers it makes of them.
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}


def _inspect(sources: Sequence[Source]) -> Table | None:
    """Logs of inspect_ai, one per model and task."""
    logs = [source.content for source in sources]
    if not all(isinstance(log, Mapping) and isinstance(log.get("eval"), Mapping) for log in logs):
        return None
    models, tasks = ([str(log["eval"].get(key)) for log in logs] for key in ("model", "task"))
    rows, n_open = list[Row](), 0
    for source, model, task in _of_models(sources, models, tasks):
        if not source.content.get("samples"):
            raise ValueError(f"{source.name} must hold samples, as logs with log_samples=True do; it has none")
        for sample in source.content["samples"]:
            n_open += not sample.get("scores")
            for scorer, score in (sample.get("scores") or {}).items():
                several = isinstance(score["value"], Mapping)
                for part, grade in (score["value"] if several else {"": score["value"]}).items():
                    value = _GRADES.get(grade, grade) if isinstance(grade, str) else grade
                    row = {"sample_id": (task, sample["id"]), "model": model, "outcome": value}
                    row["document"] = sample.get("input")
                    row |= {"metric": f"{scorer}/{part}" if several else scorer, "run": sample.get("epoch", 1)}
                    rows.append(row)
    if len({row["run"] for row in rows}) < 2:
        rows = [{name: x for name, x in row.items() if name != "run"} for row in rows]
    return _outcomes(sources, rows, "inspect_ai", *left_out(n_open, "sample", "without a score"))


def _outcomes(sources: Sequence[Source], rows: list[Row], tool: str, *notes: str) -> Table:
    """Outcomes of items, named by task and item, by the metrics that are numbers everywhere and that tasks share."""
    values: dict[str, list[float]] = defaultdict(list)
    of_log: dict[tuple[str, str], set[str]] = defaultdict(set)
    documents: dict[Any, Any] = {}
    for row in rows:
        document, item = row.pop("document"), row["sample_id"]
        if documents.setdefault(item, document) != document:
            name = "/".join(filter(None, map(str, item)))
            which = f"item {name!r} of {row['model']} is another one than before"
            raise ValueError(f"the logs must be of the same documents; {which}: give logs of one task in one version")
        row["outcome"] = number(row["outcome"])
        values[row["metric"]].append(row["outcome"])
        of_log[item[0], row["model"]].add(row["metric"])
    tasks, shared = {task for task, _ in of_log}, set.intersection(*of_log.values()) if rows else set()
    kept = {name for name, x in values.items() if name in shared and np.isfinite(x).all()}
    if not kept:
        found = "; ".join(f"{', '.join(sorted(names))} of {' '.join(log).strip()}" for log, names in of_log.items())
        must = f"the logs of {tool} must share a metric that is a number for every item"
        remedy = ": give the files of one task" if len(tasks) > 1 else ""
        raise ValueError(f"{must}; got {found or 'none'}{remedy}")
    several, out = len(tasks) > 1, [name for name in values if name not in kept]
    for row in rows:
        row["sample_id"] = "/".join(map(str, row["sample_id"])) if several else row["sample_id"][1]
    note = f"Logs of {tool}, {len(tasks)} tasks." if several else f"Logs of {tool}."
    rows = [row for row in rows if row["metric"] in kept]
    return _table(sources, "outcomes", rows, note, _unread(out, "tasks or items lack them"), *notes)


# ---- searches and dicts of cross_validate ---------------------------------------------------------------------


def _search(sources: Sequence[Source]) -> Table | None:
    """A fitted search, its ``cv_results_``, or a study of Optuna."""
    found = [*filter(None, map(_candidates, sources))]
    if not found:
        return None
    if len(sources) > 1:
        raise ValueError(f"a search must be given alone; got {len(sources)}: candidates of several share no splits")
    return _table(sources, "search", found[0][0], *found[0][1])


def _candidates(source: Source) -> Found | None:
    """The candidates of a search and what is to be said of them; None of anything else."""
    study = getattr(source.content, "study_", source.content)
    if hasattr(study, "trials") and hasattr(study, "directions"):
        return study_columns(study)
    if {"number", "state"} <= {*source.header} and any(name.startswith("params_") for name in source.header):
        return trials_columns(source.columns)
    if hasattr(source.content, "cv_results_"):
        source = Source(name=source.name, given=source.content.cv_results_)
    if not is_cv_results(source.header):
        return None
    own = source.columns
    for name in (x for x in own if role_of_name(x) in ("model", "dataset") and len({*map(str, own[x])}) > 1):
        raise ValueError(f"a search must be given alone; column {name!r} names several: give the rows of one")
    scores = [name for name in own if not name.startswith(("param_", "params", "Unnamed", "column "))]
    columns: dict[str, Sequence[Any]] = {name: [*map(number, own[name])] for name in scores}
    return {**columns, "params": candidate_params(own, source.name)}, ("The cv_results_ of a search.",)


def _cross_validate(sources: Sequence[Source]) -> Table | None:
    """Dicts of `cross_validate`, by model in a mapping, or one per file."""
    given: dict[str, Any] = {}
    for source, name in zip(sources, names_of(sources), strict=True):
        own = {name: source.content} if _is_scores(source.content) else source.content
        if not isinstance(own, Mapping) or not own or not all(map(_is_scores, own.values())):
            return None
        if twice := own.keys() & given.keys():
            raise ValueError(f"the files must hold other models each; {min(twice)!r} is in two of them")
        given |= own
    results = [{key: _plain_scores(key, x) for key, x in one.items() if key != "estimator"} for one in given.values()]
    return _table(sources, "folds", {"model": [*given], "results": results}, "Dicts of cross_validate.")


def _is_scores(given: Any) -> bool:
    """Whether something is what `cross_validate` returned."""
    if not isinstance(given, Mapping) or is_cv_results(given):
        return False
    others = {"fit_time", "score_time", "indices", "estimator"}
    tests = [key for key in given if str(key).startswith("test_")]
    return bool(tests) and all(key in others or str(key).startswith(("test_", "train_")) for key in given)


def _plain_scores(key: str, value: Any) -> Any:
    """Lists as JSON has them, by row where pandas wrote them, as arrays; of indices those of each split."""
    if key == "indices":
        return {part: [np.asarray(own) for own in sets] for part, sets in value.items()}
    own = [*value.values()] if isinstance(value, Mapping) else value
    return np.array([np.nan if missing(x) else x for x in own]) if isinstance(own, list) else own


# ---- Optuna ---------------------------------------------------------------------------------------------------

Found = tuple[dict[str, Sequence[Any]], tuple[str, ...]]  # columns, and what is to be said of them


def study_columns(study: Any) -> Found:
    """The trials of a study of Optuna."""
    return _of_trials(study.trials, [direction.name == "MINIMIZE" for direction in study.directions])


def trials_columns(columns: Mapping[str, Sequence[Any]]) -> Found:
    """The trials in a frame that a study of Optuna gave, whose columns may all be of text."""

    def of_row(prefix: str, i: int) -> dict[str, Any]:
        named = {name.removeprefix(prefix): x[i] for name, x in columns.items() if name.startswith(prefix)}
        return {name: literal(x) if isinstance(x, str) else x for name, x in named.items() if not missing(x)}

    values = [x for name, x in columns.items() if name == "value" or name.startswith("values_")]
    trials = [
        SimpleNamespace(
            params=of_row("params_", i),
            user_attrs=of_row("user_attrs_", i),
            values=[number(x[i]) for x in values],
            state=SimpleNamespace(name=str(state).rpartition(".")[2]),
        )
        for i, state in enumerate(columns["state"])
    ]
    return _of_trials(trials, None)


# split0_test_score, fold_3, accuracy_fold_3, cv_fold_3_accuracy
_OF_SPLIT = re.compile(r"(?:(.+?)[_ -])??(?:cv[_ -]?)?(?:split|fold)[_ -]?(\d+)(?:[_ -](?:test[_ -])?(.+))?", re.I)


def _of_trials(trials: Sequence[Any], minimised: list[bool] | None) -> Found:
    """The complete trials, with the scores of their splits from the user attributes; more is better."""
    complete = [trial for trial in trials if trial.state.name == "COMPLETE"]
    if len(complete) < 2:
        raise ValueError(f"the study must have two or more complete trials; got {len(complete)}")
    scores = [_split_scores(trial) for trial in complete]
    shared = [name for name, x in scores[0].items() if all(len(one.get(name, ())) == len(x) for one in scores)]
    if not shared:
        got = some_names(sorted(complete[0].user_attrs)) or "none"
        remedy = "give them in the objective, trial.set_user_attr('split0_test_score', ...)"
        raise ValueError(f"the study must have the scores of every split as user attributes; got {got}: {remedy}")
    columns: dict[str, Sequence[Any]] = {"params": [dict(trial.params) for trial in complete]}
    notes = ["A study of Optuna.", *left_out(len(trials) - len(complete), "trial", "failed, pruned or not finished")]
    for name in shared:
        sign = _sign([one[name] for one in scores], complete, minimised)
        if minimised is None and f"split0_test_{name}" not in complete[0].user_attrs:
            notes.append(Code.ASSUMED(f"more is taken for better on {name}, as a frame of trials has no direction."))
        label = name if sign > 0 else f"neg_{name}"
        for i in range(len(scores[0][name])):
            columns[f"split{i}_test_{label}"] = [sign * one[name][i] for one in scores]
    times = [number(trial.user_attrs.get("mean_fit_time")) for trial in complete]
    return ({**columns, "mean_fit_time": times} if np.isfinite(times).any() else columns), tuple(notes)


def _split_scores(trial: Any) -> dict[str, list[float]]:
    """By metric the scores of the splits: numbered attributes, or else a list with the mean that the trial reports."""
    numbered: dict[str, dict[int, float]] = defaultdict(dict)
    for name, value in trial.user_attrs.items():
        match = _OF_SPLIT.fullmatch(name)
        if match and "train" not in name and np.ndim(value) == 0 and (missing(value) or not np.isnan(number(value))):
            numbered[match[3] or match[1] or "score"][int(match[2])] = number(value)
    found = {name: [x[i] for i in sorted(x)] for name, x in numbered.items() if len(x) == max(x) - min(x) + 1 > 1}
    if found:
        return found
    lists = {name: [number(x) for x in value] for name, value in trial.user_attrs.items() if np.ndim(value) == 1}
    return {
        name: x
        for name, x in lists.items()
        if len(x) > 1 and np.isclose(np.abs(trial.values), abs(np.mean(x)), rtol=1e-6).any()
    }


def _sign(scores: list[list[float]], trials: Sequence[Any], minimised: list[bool] | None) -> int:
    """-1 where less is better: the study minimises the mean of the splits, or maximises its negative."""
    means = np.mean(scores, axis=1)
    for at, less in enumerate(minimised or ()):
        values = np.array([trial.values[at] for trial in trials])
        for sign in (1, -1):
            if np.allclose(values, sign * means, rtol=1e-6):
                return -sign if less else sign
    return -1 if minimised and all(minimised) else 1


# ---- skore ----------------------------------------------------------------------------------------------------


def _skore(sources: Sequence[Source]) -> Table | None:
    """Reports of skore, or the frame of their metrics, ``report.metrics.summarize().summary``, also as CSV."""
    rows = rows_of(sources, "name", "verbose_name", "estimator", "data_source", "score")
    if rows is not None:
        if not all("split" in row for row in rows):
            raise ValueError("metrics of skore must be of several splits; of one test set give the reports themselves")
        if not (found := _scores_of(rows)):
            raise ValueError("metrics of skore must be of test sets; none is")
        return _table(sources, "folds", found, "Metrics of skore.")
    reports = _reports(sources)
    if not reports:
        return None
    columns: dict[str, list[Any]] = defaultdict(list)
    if all(hasattr(report, "y_test") for report in reports.values()):
        graded = all(hasattr(report.estimator_, "predict_proba") for report in reports.values())
        for name, report in reports.items():  # with probabilities where all models have them
            shares = report.get_predictions(data_source="test", response_method="predict_proba") if graded else ()
            classes = report.estimator_.classes_.tolist() if graded else ()
            _add_cases(columns, name, report.y_test, report.get_predictions(data_source="test"), classes, shares)
        return _table(sources, "predictions", columns, "Reports of skore on one test set.")
    directions, times = {}, {"fit_time": "fit_time", "predict_time": "score_time"}
    for name, report in reports.items():
        own: dict[str, Any] = defaultdict(list)
        for row in _scores_of(report.metrics.summarize().summary.to_dict("records")):
            directions[row["metric"]] = row["greater_is_better"]
            own[times.get(row["metric"], f"test_{row['metric']}")].append(row["score"])
        train, test = zip(*report.split_indices, strict=True)
        columns["model"].append(name)
        scores = {key: np.array(x) for key, x in own.items()}
        columns["results"].append(scores | {"indices": {"train": train, "test": test}})
    columns["greater_is_better"] = [directions] * len(reports)
    return _table(sources, "folds", columns, "Reports of skore.")


def _scores_of(rows: list[Row]) -> list[Row]:
    """The scores on test sets, in the order of the splits; a metric with its class or average where it has one."""
    more = {row["name"] for row in rows} - {"default_score"}  # which is the first of the others
    found = []
    for row in rows:
        if row["data_source"] == "test" and (row["name"] in more or not more):
            about = [str(row.get(key, "")).removesuffix(".0") for key in ("label", "average", "output")]
            one = {"model": row["estimator"], "metric": "_".join([row["name"], *(x for x in about if not missing(x))])}
            one |= {"fold": _whole(row["split"]), "score": _number(row["score"])}
            found.append(one | {"greater_is_better": str(row["greater_is_better"]) == "True"})
    return sorted(found, key=lambda row: row["fold"])


def _reports(sources: Sequence[Source]) -> dict[str, Any]:
    """The reports of single models by their names; none where something is no report."""
    found: dict[str, Any] = {}
    for source in sources:
        for name, report in (source.content if isinstance(source.content, Mapping) else {"": source.content}).items():
            if type(report).__module__.partition(".")[0] != "skore":
                return {}
            several = type(report).__name__ == "ComparisonReport"
            found |= report.reports_ if several else {name or report.estimator_name_: report}
    return found


def _add_cases(columns: dict[str, list[Any]], model: str, truth: Any, found: Any, classes: Any, shares: Any) -> None:
    """Add the predictions of a model, a row per case."""
    columns["sample_id"] += range(len(truth))
    columns["model"] += [model] * len(truth)
    for name, values in (("y_true", truth), ("prediction", found)):
        columns[name] += np.asarray(values).tolist()
    for label, share in zip(classes, np.transpose(shares), strict=True):
        columns[f"probability_{label}"] += share.tolist()


# ---- WEKA and the AutoML Benchmark ----------------------------------------------------------------------------

_KEYS_OF_WEKA = re.compile(r"Key_(Dataset|Run|Fold|Scheme(_options|_version_ID)?)|(?!Key_).*")


def _weka(sources: Sequence[Source]) -> Table | None:
    """Results of WEKA's Experimenter: cross-validation has folds, random splits have runs alone."""
    rows = rows_of(sources, "Key_Dataset", "Key_Run", "Key_Scheme", "Key_Scheme_options")
    if rows is None:
        return None
    for name in rows[0]:
        if not _KEYS_OF_WEKA.fullmatch(name) and len({row[name] for row in rows}) > 1:
            raise ValueError(f"WEKA's results must have one value of {name}; got several: give the rows of one")
    several = Counter(scheme for scheme, _ in {(row["Key_Scheme"], row["Key_Scheme_options"]) for row in rows})
    metrics, out = _complete(rows, _TOOLS["weka"])
    if not metrics:
        raise ValueError(
            f"WEKA's results must have one of the columns {', '.join(_TOOLS['weka'])} without gaps; none has"
        )
    found = []
    for row in rows:
        scheme, options = row["Key_Scheme"], row["Key_Scheme_options"]
        short = scheme.rpartition(".")[2]
        place = {"repeat": row["Key_Run"], "fold": row.get("Key_Fold", 1)}
        place |= {"n_train": row["Number_of_training_instances"], "n_test": row["Number_of_testing_instances"]}
        about = {"dataset": row["Key_Dataset"], "model": f"{short} {options}".strip() if several[scheme] > 1 else short}
        about |= {name: _whole(cell) for name, cell in place.items()}
        signed = ((name, name not in _TOOLS["weka_losses"]) for name in metrics)
        found += [{**about, "metric": x, "greater_is_better": more, "score": number(row[x])} for x, more in signed]
    how = "cross-validation" if "Key_Fold" in rows[0] else "random splits"
    return _of_splits(sources, found, f"Results of WEKA's Experimenter, {how}.", out)


def _automl_benchmark(sources: Sequence[Source]) -> Table | None:
    """Results of the AutoML Benchmark; a loss is negative, as newer versions write it by either name."""
    rows = rows_of(sources, "task", "framework", "fold", "result", "seed", "info")
    if rows is None:
        return None
    done = [row for row in rows if not missing(row["result"])]
    if not done:
        raise ValueError("the results of the AutoML Benchmark must hold a result; all runs failed")
    for task in () if "metric" in done[0] else dict.fromkeys(row["task"] for row in done):
        own = [row for row in done if row["task"] == task]  # of the one whose column has the same numbers
        known = [
            name for name in _TOOLS["automl"] if all(number(row["result"]) == number(row.get(name)) for row in own)
        ]
        if not known:
            raise ValueError(f"task {task!r} must have a column metric, or one with its results; it has neither")
        for row in own:
            row["metric"] = known[0]
    limited = len({row.get("constraint") for row in rows}) > 1
    for row in rows:
        row["model"] = f"{row['framework']} ({row['constraint']})" if limited else row["framework"]
    if lost := {row["model"] for row in rows} - {row["model"] for row in done}:
        must = "every framework of the AutoML Benchmark must have a result"
        raise ValueError(f"{must}; {min(lost)!r} has none: leave its rows out")
    # Tasks of OpenML have ten folds, of which fewer may have been run.
    of_ten = {"test_fraction": 0.1} if all("openml.org" in str(row.get("id")) for row in rows) else {}
    found: list[Row] = []
    for row in done:
        metric, score = str(row["metric"]), _number(row["result"])
        metric, score = (f"neg_{metric}", -abs(score)) if metric in _TOOLS["automl_losses"] else (metric, score)
        one = {"dataset": row["task"], "model": row["model"], "metric": metric, "score": score}
        found.append({**one, "fold": _whole(row["fold"]), **of_ten})
    note, out = "Results of the AutoML Benchmark.", left_out(len(rows) - len(done), "run", "without a result")
    return _of_splits(sources, found, note, *out)


# ---- tsml-eval ------------------------------------------------------------------------------------------------


def _cases_of(source: Source) -> Row:
    """A file of tsml-eval: three lines on the model, then truth, prediction and probabilities of every case."""
    lines: list[list[str]] = [*source.lines(), [], []]
    first, third, cases = lines[0], lines[2], [case for case in lines[3:] if any(case)]
    if len(third) == 7:
        raise ValueError(f"{source.name} must be of a classifier or a regressor; it is of a clusterer")
    folders = source.path.parts[:-1] if source.path else ()
    in_tree = len(folders) > 2 and folders[-2] == "Predictions"
    shares = [[float(x) for x in case[3:]] for case in cases if len(case) > 3]
    both = np.array([[number(case[0]), number(case[1])] for case in cases])
    if not len(both) or not np.isfinite(both).all() or len({*map(len, shares)}) > 1:
        what = "a number as true value and as prediction, and all probabilities or none"
        raise ValueError(f"{source.name} must have {what}, of every case; one has not")
    truth, predicted = both.astype(int if shares else float).T.tolist()
    error = both[:, 0] - both[:, 1]
    metric, score = ("accuracy", np.mean(error == 0)) if shares else ("mse", np.mean(error**2))
    said = number(third[0])
    if said != -1 and not np.isclose(said, score, rtol=1e-3):
        raise ValueError(f"{source.name} must have the {metric} of its third line, {said:g}; its cases have {score:g}")
    about = {"model": folders[-3] if in_tree else first[1], "dataset": first[0], "repeat": first[3], "train": first[2]}
    return {**about, "cases": (truth, predicted, shares), "metric": metric, "score": float(score)}


def _tsml(sources: Sequence[Source]) -> Table | None:
    """Files of tsml-eval: predictions on one test set, or scores of resamples and data sets."""
    heads = [next(source.lines(), []) for source in sources]
    if not all(len(head) >= 5 and head[2] in ("TEST", "TRAIN", "No split") for head in heads):
        return None
    files = [_cases_of(source) for source in sources]
    keys = [(file["model"], file["dataset"], file["repeat"]) for file in files]
    tests, trains = ({k: x for k, x in zip(keys, files, strict=True) if (x["train"] == "TRAIN") == of} for of in (0, 1))
    if len(tests) + len(trains) < len(files) or not tests:
        raise ValueError("the files must be of test sets, each of another model, data set or resample; some are not")
    note, (_, datasets, resamples) = "Predictions of tsml-eval.", map(set, zip(*tests, strict=True))
    if len(datasets) == len(resamples) == 1:
        columns: dict[str, list[Any]] = defaultdict(list)
        for (model, *_), file in tests.items():
            truth, predicted, shares = file["cases"]
            _add_cases(columns, model, truth, predicted, range(len(shares[0]) if shares else 0), shares)
        return _table(sources, "predictions", columns, note)
    rows = []
    for key, file in tests.items():
        row = {name: file[name] for name in ("dataset", "model", "metric", "score", "repeat")}
        row |= {"greater_is_better": file["metric"] == "accuracy", "fold": 0}
        if tests.keys() <= trains.keys():
            row |= {"n_train": len(trains[key]["cases"][0]), "n_test": len(file["cases"][0])}
        rows.append(row)
    if len(datasets) == 1 or "n_train" in rows[0]:
        return _of_splits(sources, rows, note, "Resamples are random splits.")
    return _table(sources, "study", rows, note)  # without sizes of training sets splits have a mean alone


# ---- MLflow ---------------------------------------------------------------------------------------------------

_PARAM = re.compile(r"(?:params|tags)\.(?!mlflow\.)(.+)")
_OF_PARAM = {role: _TOOLS[f"mlflow_{role}"] for role in ("model", "run", "fold", "task")}


def _mlflow(sources: Sequence[Source]) -> Table | None:
    """Runs of MLflow, as `search_runs` gives them, also as CSV."""
    rows = rows_of(sources, "run_id", "status")
    if rows is None or not any(name.startswith("metrics.") for name in rows[0]):
        return None
    files = [name for name, x in zip(names_of(sources), sources, strict=True) for _ in x.columns["run_id"]]
    seeded = {f"params.{name}" for name in _OF_PARAM["run"]} & {*map(str.lower, rows[0])}  # which repeat one model
    for row, file in zip(rows, files if len(sources) > 1 or (seeded and sources[0].path) else (), strict=False):
        row[FILES] = file
    parents = {row.get("tags.mlflow.parentRunId") for row in rows}
    runs = [row for row in rows if row["status"] == "FINISHED" and row["run_id"] not in parents]
    measured = [x for x in rows[0] if x.startswith("metrics.") and role_of_name(x) in (None, "value", "outcome")]
    noted = [x for x in measured if is_listed(x, "steps") or is_listed(x, "trained")]
    metrics, lacked = _complete(runs, [x for x in measured if x not in noted and not plain(x).startswith("train")])
    # MLflow has no order of them
    metrics.sort(key=lambda name: (not is_measure(name), is_loss(name, surely=False), name))
    if not metrics:
        raise ValueError("the runs of MLflow must be finished and share a metric of a test set; none do")
    named = {match[1].lower(): name for name in rows[0] if (match := _PARAM.fullmatch(name))}
    of = {role: next((named[x] for x in names if x in named), "") for role, names in _OF_PARAM.items()}
    of["run"] = of["run"] or ("" if of["fold"] else "run_id")
    params = [name for name in named.values() if name.startswith("params.") and name not in of.values()]
    found: list[Row] = []
    for row, model in zip(runs, _models_of(runs, of["model"], params), strict=True):
        about = {"model": model, **{role: str(row[of[role]]) for role in ("task", "run", "fold") if of[role]}}
        found += [{**about, "metric": x.removeprefix("metrics."), "score": number(row[x])} for x in metrics]
    out = left_out(len(rows) - len(runs), "run", "not finished, or the parent of others")
    said = ("Runs of MLflow.", lacked, _unread([plain(x) for x in noted], "they say how a training went"))
    once = max(Counter((row["model"], row.get("task"), row["metric"]) for row in found).values()) == 1
    if once and len({row.get("task") for row in found}) < 2:
        raise ValueError(
            "the runs of MLflow must be several per model, which say how much scores vary; got one each: log other "
            "seeds as param 'seed', or folds as param 'fold'"
        )
    if not once and not of["fold"]:
        return _table(sources, "runs", found, *said, *out)
    for row in found:
        row["dataset"], repeat = row.pop("task", ""), row.pop("run", "")
        row |= {"repeat": repeat} if of["fold"] and of["run"] else {}
    return _of_splits(sources, found, *said, *out)


def _models_of(runs: list[Row], model: str, params: Sequence[str]) -> list[str]:
    """What the runs are runs of: the model, with the parameters that vary in one; else all that vary; else the file."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in runs:
        groups[str(row[model]) if model else ""].append(row)
    inner = [x for x in params if any(len({str(row[x]) for row in group}) > 1 for group in groups.values())]
    # Texts that are others for every run name the run, as a folder does.
    inner = [x for x in inner if len({str(row[x]) for row in runs}) < len(runs) or np.isfinite(number(runs[0][x]))]
    if not model and not inner and FILES not in runs[0]:
        raise ValueError(
            "the runs of MLflow must name their model, as param 'model', a differing param, or a file each"
        )
    model = model if model or inner else FILES
    own = [[f"{x.partition('.')[2]}={row[x]}" for x in inner if not missing(row[x])] for row in runs]
    return [", ".join([str(row[model]), *params] if model else params) for row, params in zip(runs, own, strict=True)]


_READERS: dict[str, Callable[[Sequence[Source]], Table | None]] = {
    "lm-evaluation-harness": _lm_eval,
    "lm-evaluation-harness results": _lm_results,
    "inspect_ai": _inspect,
    "skore": _skore,
    "a search": _search,
    "cross_validate": _cross_validate,
    "WEKA": _weka,
    "the AutoML Benchmark": _automl_benchmark,
    "tsml-eval": _tsml,
    "MLflow": _mlflow,
}
