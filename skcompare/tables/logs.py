"""Logs and reports of other tools, read as they are: each is known by what only that tool writes.

The columns of the tables are called as the function that takes their kind calls them: folds as in `from_frame`,
outcomes as in `from_outcomes`, predictions as in `from_predictions`, runs as in `from_runs`, a study as in
`StudyResult.from_frame`, a search as in ``cv_results_``. No tool needs to be installed for its files.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.numbers import agreeing, counted, some_names
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation import cv_results as of_search
from skcompare.evaluation.cv_results import literal, missing, number
from skcompare.evaluation.input import positive_class
from skcompare.tables import columns as words
from skcompare.tables.columns import ASIDE, OF_CLASS, WORDS, is_listed, is_loss, is_measure, numbered, role_of_name
from skcompare.tables.source import FILES, Row, Source, Table, cells_of, names_of, origin_of, rows_of, table_of, worded

# By tool what its columns are, and by which of them it is known.
_TOOLS = {tool: {name: said.split() for name, said in told.items()} for tool, told in WORDS["tools"].items()}


def read_tables(*given: Any, sep: str | None = None) -> Table:
    """The log or report of another tool as `recognised` reads it, or any other table as it came."""
    several = given[0] if len(given) == 1 and isinstance(given[0], (list, tuple)) else ()
    if several and all(isinstance(x, str) or hasattr(x, "__fspath__") or hasattr(x, "__dict__") for x in several):
        given = given if isinstance(several[0], Mapping) else (*several,)
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
    try:
        [source.content for source in sources]
    except (OSError, ValueError, RecursionError):  # of JSON and UTF-8
        return None
    for reader in _READERS:
        try:
            table = reader(sources)
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            tool = reader.__name__.replace("_", " ").strip()
            raise ValueError(worded("damaged log", origin_of(sources), tool, error)) from error
        if table is not None:
            return table
    return None


# ---- the table ------------------------------------------------------------------------------------------------

_PLACES = ("dataset", "repeat", "fold", "n_train", "n_test")


def _table(sources: Sequence[Source], kind: str | None, found: Any, *notes: str, partial: Sequence[str] = ()) -> Table:
    """Rows, or columns, as a table of known kind, without places that are the same everywhere."""
    columns: dict[str, Any] = found if isinstance(found, dict) else {x: [row[x] for row in found] for x in found[0]}
    once = [x for x in ("repeat", "run") if len({*columns.get(x, ())}) < 2]
    cells = {name: cells_of(x) for name, x in columns.items() if name not in once}
    return Table(columns=cells, origin=origin_of(sources), kind=kind, notes=(*notes,), partial=(*partial,))


def left_out(n: int, what: str, why: str) -> tuple[CodedWarning, ...]:
    """The warning that some rows are not read; none where there are none."""
    return (Code.MISSING_SCORES(f"{counted(n, what)} {agreeing(n, 'was', 'were')} left out: {why}."),) if n else ()


def _measured(rows: list[Row], names: Iterable[str]) -> tuple[list[str], list[str]]:
    """The columns with numbers, and those of them with gaps where others have none."""
    known = {name: np.isfinite([number(row.get(name)) for row in rows]) for name in names}
    found = [name for name, x in known.items() if x.any()]
    gaps = [name for name in found if not known[name].all()]
    return found, gaps if len(gaps) < len(found) else []


def _number(cell: Any, *, whole: bool = False) -> float:
    """A cell as a number, nan where it is empty; of other text what `recognised` takes for damage."""
    found = number(cell)
    if (np.isnan(found) and not missing(cell)) or (whole and not found.is_integer()):
        raise TypeError(f"{cell!r:.40} is no {'whole ' * whole}number")
    return int(found) if whole else found


def _place(row: Row, tool: str) -> Row:
    """The data set and the split of a row of a tool."""
    told = {role: row[names[0]] for role, names in _TOOLS[tool].items() if role in _PLACES}
    return {role: x if role == "dataset" else _number(x, whole=True) for role, x in told.items()}


def _labels_of(rows: list[Row], name: str, beside: Iterable[str], form: str) -> list[str]:
    """What the rows are of: a model with what varies in one, or all that varies."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[str(row.get(name, ""))].append(row)
    inner = [x for x in beside if any(len({str(row.get(x)) for row in group}) > 1 for group in groups.values())]
    said = [[form.format(x.partition(".")[2], row[x]) for x in inner if not missing(row.get(x))] for row in rows]
    return ["".join([str(row.get(name, "")), *own]).removeprefix(", ") for row, own in zip(rows, said, strict=True)]


# ---- logs of answers, of no tool in particular ----------------------------------------------------------------


def roles_in_log(columns: Mapping[str, NDArray[Any]], numbers: Mapping[str, words.Numbers]) -> dict[str, str | None]:
    """What columns of a log of answers to items are for, with what these got; none where it is no such log.

    Answers that are numbered are runs, and what was expected describes the items.
    """
    scored = {words.plain(x) for x in columns if is_measure(x) or words.ends_as(x, "graded", "measures")}
    roles = {x: words.IN_LOGS.get(words.plain(x), role_of_name(x)) for x in columns if scored}
    named = [x for x in roles if roles[x] in ("item", "id")]
    texts = [x for x in roles if roles[x] == "texts" and words.have_sentences(columns[x])]
    known = any(is_listed(x, "of_logs") for x in roles) and {*roles.values()} & {"item", "id", "texts", "run"}
    if not known and (scored == {"score"} or not texts):
        return {}
    for name, role in roles.items():
        own, numeric = role_of_name(name), numbers[name].share == 1
        if name in texts:
            roles[name] = "text" if named else "item"
        elif role in ("texts", "run"):
            few = 4 * len({*columns[name].tolist()}) ** 2 <= len(columns[name])
            roles[name] = "run" if few and numeric and {*named, *texts} - {name} else own
        elif is_listed(name, "graded") and numeric:
            roles[name] = "number"
        elif own in ("truth", "label", "prediction"):
            roles[name] = "described"
    return roles


def role_of(name: str, cells: NDArray[Any], log: Mapping[str, str | None]) -> str | None:
    """What a name says of a column, in a log too; sentences are no data sets, and versions are no models."""
    role = log.get(name, role_of_name(name))
    if role == "model" and all(map(words.FORMS["digest"].fullmatch, map(str, cells.tolist()))):
        return None
    return "item" if role == "dataset" and words.have_sentences(cells) else role


# ---- outcomes of items ----------------------------------------------------------------------------------------

_LM_FILE = re.compile(r"samples_(.+)_(\d{4}-\d\d-\d\dT[\d.:-]+)")


def _in_folders(sources: Sequence[Source], named: Sequence[re.Match[str]]) -> Iterator[list[str]]:
    """Names of models by the folders of logs: the last, all in which they differ, these with the time of a run."""
    of_files = zip((Path(source.path or "").parts[:-1] for source in sources), named, strict=True)
    folders = [[x for x in own if x != match[1]] for own, match in of_files]
    yield (last := ["".join(own[-1:]) for own in folders])
    apart = [own for own in zip(*folders, strict=False) if len({*own}) > 1]
    yield (told := ["/".join(own) for own in zip(*apart, strict=True)] or last)
    yield [f"{x} {match[2]}".strip() for x, match in zip(told, named, strict=True)]


def _of_models(logs: Sequence[Source], tasks: list[str], by: Iterable[list[str]]) -> Iterator[tuple[Source, str, str]]:
    """The model and the task of each log, by the first way that tells logs of a task apart, or by files."""
    for models in by:
        if len({*models}) > 1 and len({*zip(models, tasks, strict=True)}) == len(logs):
            return zip(logs, models, tasks, strict=True)
    if len({*tasks}) > 1:
        raise ValueError(worded("unknown models", some_names([*dict.fromkeys(tasks)])))
    return zip(logs, names_of(logs), tasks, strict=True)


def _lm_eval(sources: Sequence[Source]) -> Table | None:
    """Samples of lm-evaluation-harness: ``MODEL/samples_TASK_TIME.jsonl``, or files of any names, one per model."""
    told = _TOOLS["lm_eval"]
    for held in (source.content for source in sources if isinstance(source.content, dict)):
        if isinstance(held.get("results"), dict) and not held.keys().isdisjoint(told["results"]):
            raise ValueError("results of lm-evaluation-harness have no items: give what --log_samples writes")
    logs = [source.content if isinstance(source.content, list) and source.content else [None] for source in sources]
    lines = [line if isinstance(line, dict) else {} for log in logs for line in log]
    if not all("doc_id" in line and not line.keys().isdisjoint(told["shown"]) for line in lines):
        return None
    found = [*filter(None, (_LM_FILE.fullmatch(source.name) for source in sources))]
    named = found if len(found) == len(sources) else []
    tasks = [match[1] for match in named] or [""] * len(sources)
    filters, rows, prompts = {line.get("filter") for line in lines}, list[Row](), defaultdict[Any, set[Any]](set)
    for source, model, task in _of_models(sources, tasks, _in_folders(sources, named) if named else ()):
        for line in source.content:
            about = {"sample_id": (task, line["doc_id"]), "model": model, "of": line.get("doc_hash") or line.get("doc")}
            prompts[about["sample_id"]].add(line.get("prompt_hash"))
            for metric in line.get("metrics", [key for key in line if key not in told["beside"]]):
                label = metric if len(filters) < 2 else f"{metric},{line.get('filter')}"
                rows.append({**about, "metric": label, "outcome": line.get(metric)})
    n = sum(len(own) > 1 for own in prompts.values())
    others = f"Models had other prompts on {n:,} of {counted(len(prompts), 'item')}."
    return _outcomes(sources, rows, "lm-evaluation-harness", *[others] * (n > 0))


# What inspect_ai calls correct, partial, incorrect and no answer, and the numbers it makes of them.
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}


def _with_settings(models: list[str], told: Sequence[Mapping[str, Any]]) -> list[str]:
    """Models of inspect_ai with the settings in which logs of one differ."""
    parts = [[one.get(part) or {} for part in ("model_generate_config", "model_args")] for one in told]
    rows = [{f".{x}": y for part in own for x, y in part.items()} for own in parts]
    named = [{"model": model, **row} for model, row in zip(models, rows, strict=True)]
    return _labels_of(named, "model", dict.fromkeys(chain(*rows)), ", {0}={1}")


def _inspect(sources: Sequence[Source]) -> Table | None:
    """Logs of inspect_ai, one per model and task, or lists of them."""
    logs = [(x, log) for x in sources for log in (x.content if isinstance(x.content, list) else [x.content])]
    told = [log["eval"] for _, log in logs if isinstance(log, Mapping) and isinstance(log.get("eval"), Mapping)]
    if not logs or len(told) < len(logs) or not all("model" in one for one in told):
        if rows := rows_of(sources, *_TOOLS["inspect"]["frame"]):
            paths = ", ".join(repr(path) for path in dict.fromkeys(row["log"] for row in rows))
            raise ValueError(f"samples of inspect_ai must be given as their logs: skc.read({paths})")
        return None
    sources = [x if log is x.content else Source(name=x.name, given=log) for x, log in logs]
    models, tasks = ([str(one.get(key)) for one in told] for key in ("model", "task"))
    rows, n_open, notes = list[Row](), 0, list[str]()
    for source, model, task in _of_models(sources, tasks, [models, _with_settings(models, told)]):
        ended = source.content.get("status", "success")
        notes += [Code.MISSING_SCORES(worded("ended early", model, task, ended), (model,))] * (ended != "success")
        reducers = (source.content["eval"].get("config") or {}).get("epochs_reducer") or ["mean"]
        notes += [Code.ASSUMED(worded("reduced epochs", some_names(reducers)))] * ("mean" not in reducers)
        samples = source.content.get("samples") or ()
        scored = [x.get("scores") or ({"score": x["score"]} if x.get("score") else {}) for x in samples]
        if not any(scored):
            raise ValueError(worded("no samples", source.name, source.content.get("status")))
        n_open += scored.count({})
        for sample, scores in zip(samples, scored, strict=True):
            about = {"sample_id": (task, sample["id"]), "model": model, "of": sample.get("input")}
            for scorer, score in scores.items():
                for part, x in (own if isinstance(own := score["value"], Mapping) else {"": own}).items():
                    graded = {"metric": f"{scorer}/{part}".removesuffix("/"), "outcome": _GRADES.get(str(x), x)}
                    rows.append({**about, **graded, "run": sample.get("epoch", 1)})
    return _outcomes(sources, rows, "inspect_ai", *dict.fromkeys(notes), *left_out(n_open, "sample", "without a score"))


def _outcomes(sources: Sequence[Source], rows: list[Row], tool: str, *notes: str) -> Table:
    """Outcomes of items, named by task and item, by the metrics that are numbers everywhere and that tasks share."""
    documents: dict[Any, Any] = {}
    groups, values, tasks = defaultdict(set), defaultdict(list), {row["sample_id"][0] for row in rows}
    seen = Counter[Any]()
    for row in rows:
        (task, number_in_task), document = row["sample_id"], row.pop("of")
        item = "/".join(filter(None, map(str, row["sample_id"])))
        if documents.setdefault(item, document) != document:
            raise ValueError(worded("another document", item, row["model"]))
        seen[item, row["model"], row["metric"], row.get("run")] += 1
        row |= {"outcome": number(row["outcome"]), "sample_id": item if len(tasks) > 1 else number_in_task}
        groups[task, row["model"]].add(row["metric"])
        values[row["metric"]].append(row["outcome"])
    numbers = [x for x, own in values.items() if np.isfinite(own).any()]
    shared = set.intersection({*numbers}, *groups.values())
    if not shared:
        remedy = ": give the files of one task" if len(tasks) > 1 else ""
        got = some_names([*values]) or "none"
        raise ValueError(f"the logs of {tool} must share a metric that is a number for every item; got {got}{remedy}")
    [((item, model, metric, _), n)] = seen.most_common(1)
    if n > 1:
        raise ValueError(worded("scored again", origin_of(sources), model, item, metric))
    whole = {x for x in shared if np.isfinite(values[x]).all()} or shared
    rows = [row for row in rows if row["metric"] in numbers]
    note = f"Logs of {tool}, {len(tasks)} tasks." if len(tasks) > 1 else f"Logs of {tool}."
    held = [(x.name, x.content["samples"] if isinstance(x.content, Mapping) else x.content) for x in sources]
    notes = (*notes, *Source.copies(held))
    return _table(sources, "outcomes", rows, note, *notes, partial=[x for x in numbers if x not in whole])


# ---- searches and dicts of cross_validate ---------------------------------------------------------------------


def _search(sources: Sequence[Source]) -> Table | None:
    """A fitted search, its ``cv_results_``, or a study of Optuna."""
    parts = [*x.values()] if len(sources) == 1 and isinstance(x := sources[0].content, dict) else []
    if parts and all(hasattr(x, "cv_results_") or (hasattr(x, "keys") and of_search.is_cv_results(x)) for x in parts):
        sources = [*map(Source.of, parts)]
    found = [*filter(None, map(_candidates, sources))]
    if found and len(sources) > 1:
        raise ValueError(f"a search must be given alone; got {len(sources)}: candidates of several share no splits")
    return _table(sources, "search", found[0][0], *found[0][1]) if found else None


def _candidates(source: Source) -> Found | None:
    """The candidates of a search and what is to be said of them; None of anything else."""
    study = getattr(source.content, "study_", source.content)
    if hasattr(study, "trials") and hasattr(study, "directions"):
        trials = [(trial.state.name, trial.params, trial.user_attrs, trial.values) for trial in study.trials]
        return _of_trials(trials, [direction.name == "MINIMIZE" for direction in study.directions])
    names = {match[1] if (match := _PART.match(name)) else name for name in source.columns}
    if "params" in names and (names >= {"number", "state"} or "user_attrs" in names):
        rows = [{_PART.sub(r"\1_", name): x for name, x in row.items()} for row in rows_of([source]) or ()]
        return _of_trials([*map(_trial_in, rows)], None)
    if hasattr(source.content, "cv_results_"):
        source = Source(name=source.name, given=source.content.cv_results_)
    if not of_search.is_cv_results(source.columns):
        return None
    of_search.check_one_search(own := source.columns)
    bare = [] if any(x.startswith("param") for x in own) else [x for x in of_search.others_in(own) if not is_measure(x)]
    own = {f"param_{x}" if x in bare and role_of_name(x) not in (*ASIDE, "value") else x: y for x, y in own.items()}
    columns: dict[str, Sequence[Any]] = {
        name: [*map(number, x)] for name, x in own.items() if of_search.STATISTIC.fullmatch(name)
    }
    return {**columns, "params": of_search.candidate_params(own, source.name)}, ("The cv_results_ of a search.",)


def _cross_validate(sources: Sequence[Source]) -> Table | None:
    """Dicts of `cross_validate`, by model in a mapping, or one per file."""
    given: dict[str, Any] = {}
    for source, name in zip(sources, names_of(sources), strict=True):
        own = {name: source.content} if _is_scores(source.content) else _by_model(source.content)
        if not isinstance(own, Mapping) or not own or not all(map(_is_scores, own.values())):
            return None
        if twice := own.keys() & given.keys():
            raise ValueError(f"the files must hold other models each; {min(twice)!r} is in two of them")
        given |= own
    results = [{key: _plain(x) for key, x in one.items() if key != "estimator"} for one in given.values()]
    return _table(sources, "folds", {"model": [*given], "results": results}, "Dicts of cross_validate.")


def _by_model(given: Any) -> Any:
    """Dicts of `cross_validate` by the one text that each has beside its lists; anything else as it is."""
    rows = given if isinstance(given, list) and all(isinstance(row, dict) for row in given) else []
    inner = [{key: x for key, x in row.items() if not isinstance(x, str)} for row in rows]
    if not rows or not all(map(_is_scores, inner)) or not all(map(np.ndim, chain(*(row.values() for row in inner)))):
        return given
    names = [[x for x in row.values() if isinstance(x, str)] for row in rows]
    if {*map(len, names)} != {1} or len({*map(str, names)}) < len(rows):
        raise ValueError("dicts of cross_validate in a list must each have the name of a model, as 'model': 'svm'")
    return {name: own for (name,), own in zip(names, inner, strict=True)}


_OF_SCORES = re.compile(r"fit_time|score_time|indices|estimator|(?:test|train)_.*", re.DOTALL)


def _is_scores(given: Any) -> bool:
    """Whether something is what `cross_validate` returned."""
    keys = [*map(str, given)] if isinstance(given, Mapping) else []
    return any(key.startswith("test_") for key in keys) and all(map(_OF_SCORES.fullmatch, keys))


def _plain(value: Any) -> Any:
    """Lists as JSON has them, by row where pandas wrote them, without a number where there is none."""
    own = [*value.values()] if isinstance(value, Mapping) and value.keys() != {"train", "test"} else value
    return [np.nan if missing(x) else x for x in own] if isinstance(own, list) else own


# ---- Optuna ---------------------------------------------------------------------------------------------------

Found = tuple[dict[str, Sequence[Any]], tuple[str, ...]]  # columns, and what is to be said of them
Trial = tuple[str, dict[str, Any], dict[str, Any], Sequence[float]]  # state, parameters, user attributes, values
_PART = re.compile(r"(params|user_attrs)[_ ]")  # with a blank of two rows of headers
_OF_REPEAT = re.compile(r"(?:^|[_ -])(?:rep(?:eat|etition)?|run|seed)[_ -]?(\d+)(?=[_ -]|$)", re.I)
# split0_test_score, fold_3, accuracy_fold_3, cv_fold_3_accuracy
_OF_SPLIT = re.compile(r"(?:(.+?)[_ -])??(?:cv[_ -]?)?(?:split|fold)[_ -]?(\d+)(?:[_ -](?:test[_ -])?(.+))?", re.I)


def _trial_in(row: Row) -> Trial:
    """A trial in a row of a frame that a study of Optuna gave, whose cells may all be texts."""
    params, attributes, values = (
        {name.removeprefix(start): literal(x) for name, x in row.items() if name.startswith(start) and not missing(x)}
        for start in ("params_", "user_attrs_", "value")
    )
    state = str(row.get("state", "COMPLETE" if values else "FAIL"))
    return state.rpartition(".")[2], params, attributes, [*map(number, values.values())]


def _of_trials(trials: Sequence[Trial], minimised: list[bool] | None) -> Found:
    """The complete trials, with the scores of their splits from the user attributes; more is better."""
    complete = [trial[1:] for trial in trials if trial[0] == "COMPLETE"]
    if len(complete) < 2:
        raise ValueError(f"the study must have two or more complete trials; got {len(complete)}")
    params, attributes, values = zip(*complete, strict=True)
    scores = [*map(_split_scores, attributes, values)]
    shared = [name for name, x in scores[0].items() if all(np.shape(one.get(name, ())) == x.shape for one in scores)]
    if not shared:
        raise ValueError(worded("no scores of splits", some_names(sorted(attributes[0])) or "none"))
    columns: dict[str, Sequence[Any]] = {"params": [*map(dict, params)]}
    columns |= {"n_repeats": [len(scores[0][shared[0]])] * len(params)}
    notes = ["A study of Optuna.", *left_out(len(trials) - len(complete), "trial", "failed, pruned or not finished")]
    for name in shared:
        own = np.array([one[name].ravel() for one in scores])
        sign = _sign(own.mean(axis=1), np.transpose(values), minimised or [])
        named = is_measure(name) and (f"split0_test_{name}" in attributes[0] or not is_loss(name, surely=False))
        if minimised is None and not named and f"mean_test_{name}" not in attributes[0]:  # as a search maximises
            notes.append(Code.ASSUMED(f"more is taken for better on {name}, as a frame of trials has no direction."))
        columns |= {f"split{i}_test_{'neg_' * (sign < 0)}{name}": x for i, x in enumerate(sign * own.T)}
    times = [number(one.get("mean_fit_time")) for one in attributes]
    return ({**columns, "mean_fit_time": times} if np.isfinite(times).any() else columns), (*notes,)


def _split_scores(attributes: Mapping[str, Any], values: Sequence[float]) -> dict[str, FloatArray]:
    """By metric the scores by repeat and split: numbered attributes, or a list with the mean that the trial reports."""
    by_metric: dict[str, dict[tuple[str, int], float]] = defaultdict(dict)
    for name, value in attributes.items():
        repeat, match = _OF_REPEAT.search(name), _OF_SPLIT.fullmatch(_OF_REPEAT.sub("", name).strip("_ -"))
        if match and "train" not in name and np.ndim(value) == 0 and (missing(value) or not np.isnan(number(value))):
            place = (repeat[1] if repeat else "", int(match[2]))
            by_metric[match[3] or match[1] or "score"][place] = number(value)
    splits = {name: [i for _, i in x] for name, x in by_metric.items()}
    shapes = {name: (len({i for i, _ in by_metric[name]}), 1 + max(x) - min(x)) for name, x in splits.items()}
    whole = [name for name, x in by_metric.items() if len(x) == np.prod(shapes[name]) > 1]
    found = {name: np.reshape([by_metric[name][i] for i in sorted(by_metric[name])], shapes[name]) for name in whole}
    lists = {name: np.array([[*map(number, x)]]) for name, x in attributes.items() if np.ndim(x) == 1 and len(x) > 1}
    means = np.abs(values)
    return found or {name: x for name, x in lists.items() if np.isclose(means, abs(x.mean()), rtol=1e-6).any()}


def _sign(means: FloatArray, values: FloatArray, minimised: Sequence[bool]) -> int:
    """-1 where less is better: the study minimises the mean of the splits, or maximises its negative."""
    for own, less in zip(values, minimised, strict=False):
        for sign in (1, -1):
            if np.allclose(own, sign * means, rtol=1e-6):
                return -sign if less else sign
    return -1 if minimised and all(minimised) else 1


# ---- skore ----------------------------------------------------------------------------------------------------


def _skore(sources: Sequence[Source]) -> Table | None:
    """Reports of skore, or their metrics, ``report.metrics.summarize()`` or its ``summary``, also as CSV."""
    shown = [x.content.summary if type(x.content).__name__ == "MetricsSummaryDisplay" else x for x in sources]
    if rows := rows_of([*map(Source.of, shown)], *_TOOLS["skore"]["shown"]):
        if not all("split" in row for row in rows) or not (found := _scores_of(rows)):
            raise ValueError(worded("no test sets"))
        return _table(sources, "folds", found, "Metrics of skore.", partial=_lacking(found))
    reports = _reports(sources)
    if not reports:
        return None
    if all(hasattr(report, "y_test") for report in reports.values()):
        return _predicted(sources, reports)
    tables = {name: report.metrics.summarize().summary.assign(estimator=name) for name, report in reports.items()}
    found = [row for table in tables.values() for row in _scores_of(table.to_dict("records"))]
    directions, times = dict[str, bool](), {"fit_time": "fit_time", "predict_time": "score_time"}
    results, lacking, first = dict[str, dict[str, Any]](), _lacking(found), next(iter(reports.values()))
    for name, report in reports.items():
        if not np.array_equal(getattr(report, "y", ()), getattr(first, "y", ())):
            raise ValueError(f"reports of skore must be of the same data; {name!r} has another target than the first")
        train, test = zip(*report.split_indices, strict=True)
        results[name] = {"indices": {"train": train, "test": test}}
    for row in (row for row in found if row["metric"] not in lacking):
        directions[row["metric"]] = row["greater_is_better"]
        results[row["model"]].setdefault(times.get(row["metric"], f"test_{row['metric']}"), []).append(row["score"])
    columns = {"model": [*results], "results": [*results.values()], "greater_is_better": [directions] * len(results)}
    left = [f"Left out, as some models lack them: {', '.join(lacking)}."] * bool(lacking)
    return _table(sources, "folds", columns, "Reports of skore.", *left)


def _lacking(rows: list[Row]) -> list[str]:
    """The metrics that some models have, and others not."""
    n = Counter(metric for metric, _ in {(row["metric"], row["model"]) for row in rows})
    return sorted(metric for metric in n if n[metric] < max(n.values()))


def _scores_of(rows: list[Row]) -> list[Row]:
    """The scores on test sets, in the order of the splits; a metric with its class or average where it has one."""
    more = {row["name"] for row in rows} - {"default_score"}  # which is the first of the others
    found = []
    for row in rows:
        if row["data_source"] == "test" and (row["name"] in more or not more):
            about = [str(row.get(key, "")).removesuffix(".0") for key in ("label", "average", "output")]
            one = {"model": row["estimator"], "metric": "_".join([row["name"], *(x for x in about if not missing(x))])}
            one |= {"score": _number(row["score"]), "greater_is_better": str(row["greater_is_better"]) == "True"}
            found.append(one | _place(row, "skore"))
    return sorted(found, key=lambda row: row["fold"])


def _reports(sources: Sequence[Source]) -> dict[str, Any]:
    """The reports of single models by their names, numbered where two have one; none where something is no report."""
    given = [source.content if isinstance(source.content, Mapping) else {"": source.content} for source in sources]
    found: dict[str, list[Any]] = defaultdict(list)
    for name, report in (pair for one in given for pair in one.items()):
        if type(report).__module__.partition(".")[0] != "skore":
            return {}
        inner = getattr(report, "reports_", None)  # of a comparison by their names, of one model a list by split
        own = inner if isinstance(inner, Mapping) else {name or report.estimator_name_: report}
        for x in own:
            found[x].append(own[x])
    return {name + f"_{i}" * (len(x) > 1): one for name, x in found.items() for i, one in enumerate(x, 1)}


def _predicted(sources: Sequence[Source], reports: Mapping[str, Any]) -> Table:
    """Predictions of reports on one test set, with probabilities where all models have them."""
    graded, cases = all(hasattr(report.estimator_, "predict_proba") for report in reports.values()), list[Row]()
    notes = set[CodedWarning]()
    for name, report in reports.items():
        shares = report.get_predictions(data_source="test", response_method="predict_proba") if graded else []
        classes, positive = report.estimator_.classes_.tolist() if graded else [], getattr(report, "pos_label", None)
        if graded and np.ndim(shares) == 1:  # of the positive class alone
            shares = [(p, 1 - p) if positive == classes[0] else (1 - p, p) for p in shares]
        if positive not in (None, ours := positive_class(np.asarray(report.y_test), "binary")):
            notes.add(Code.ASSUMED(worded("positive class", ours, positive)))
        cases += _cases(name, report.y_test, report.get_predictions(data_source="test"), shares, classes)
    return _table(sources, "predictions", cases, "Reports of skore on one test set.", *sorted(notes))


def _cases(model: str, truth: Any, found: Any, shares: Any, classes: Iterable[Any]) -> list[Row]:
    """The predictions of a model, a row per case."""
    labels = [OF_CLASS + str(label) for label in classes]
    graded = [dict(zip(labels, row, strict=True)) for row in np.asarray(shares).tolist()] or [{}] * len(truth)
    both = zip(np.asarray(truth).tolist(), np.asarray(found).tolist(), graded, strict=True)
    return [{"sample_id": i, "model": model, "y_true": y, "prediction": x, **p} for i, (y, x, p) in enumerate(both)]


# ---- WEKA and the AutoML Benchmark ----------------------------------------------------------------------------


def _weka(sources: Sequence[Source]) -> Table | None:
    """Results of WEKA's Experimenter: cross-validation has folds, random splits have runs alone."""
    told = _TOOLS["weka"]
    if not (rows := rows_of(sources, *told["shown"])):
        return None
    others = (x for x in rows[0] if x.startswith("Key_") and x not in told["keys"])
    if several := [x for x in others if len({row[x] for row in rows}) > 1]:
        raise ValueError(f"WEKA's results must have one value of {several[0]}; got several: give the rows of one")
    how = "cross-validation" if "Key_Fold" in rows[0] else "random splits"
    rows = [{"Key_Fold": 1, **row, "Key_Scheme": row["Key_Scheme"].rpartition(".")[2]} for row in rows]
    metrics, gaps = _measured(rows, told["metrics"])
    if not metrics:
        raise ValueError(f"WEKA's results must have one of {some_names(told['metrics'])}; got none")
    found: list[Row] = []
    for row, model in zip(rows, _labels_of(rows, "Key_Scheme", ["Key_Scheme_options"], " {1}"), strict=True):
        about, signed = {**_place(row, "weka"), "model": model}, [(x, x not in told["losses"]) for x in metrics]
        found += [{**about, "metric": x, "greater_is_better": more, "score": number(row[x])} for x, more in signed]
    return _table(sources, "folds", found, f"Results of WEKA's Experimenter, {how}.", partial=gaps)


def _automl(sources: Sequence[Source]) -> Table | None:
    """Results of the AutoML Benchmark; a loss is negative, as newer versions write it by either name."""
    told = _TOOLS["automl"]
    if not (rows := rows_of(sources, *told["shown"])):
        return None
    if all(missing(row["result"]) for row in rows):
        raise ValueError(f"task {rows[0]['task']!r} must have results; no row has one")
    # Tasks of OpenML have ten folds, of which fewer may have been run.
    of_ten = {"test_fraction": 0.1} if all("openml.org" in str(row.get("id")) for row in rows) else {}
    tasks = dict.fromkeys(row["task"] for row in rows)
    metrics = {task: _metric_of([row for row in rows if row["task"] == task]) for task in tasks}
    found: list[Row] = []
    for row, model in zip(rows, _labels_of(rows, "framework", ["constraint"], " ({1})"), strict=True):
        metric, score = metrics[row["task"]], _number(row["result"])
        metric, score = (f"neg_{metric}", -abs(score)) if metric in told["losses"] else (metric, score)
        found.append({**_place(row, "automl"), "model": model, "metric": metric, "score": score, **of_ten})
    return _table(sources, "folds", found, "Results of the AutoML Benchmark.")


def _metric_of(rows: list[Row]) -> str:
    """The metric of a task of the AutoML Benchmark: older versions have a column with the same numbers."""
    done = [row for row in rows if not missing(row["result"])]
    results, metrics = [number(row["result"]) for row in done], _TOOLS["automl"]["metrics"]
    known = [str(row["metric"]) for row in rows if not missing(row.get("metric", ""))]
    if len(several := {x.removeprefix("neg_") for x in known}) > 1:
        raise ValueError(f"task {rows[0]['task']!r} must have one metric; got {some_names(sorted(several))}")
    known += [name for name in metrics if results == [number(row.get(name)) for row in done] != []]
    if not known:
        raise ValueError(f"task {rows[0]['task']!r} must have results, and a column metric or one like them")
    return known[0]


# ---- tsml-eval ------------------------------------------------------------------------------------------------


def _tsml(sources: Sequence[Source]) -> Table | None:
    """Files of tsml-eval: predictions on one test set, or scores of resamples and data sets."""
    heads = [next(source.lines(), []) for source in sources]
    if not all(len(head) >= 5 and head[2].upper() in ("TEST", "TRAIN", "NO SPLIT") for head in heads):
        return None
    tests = {key: (cases, score) for key, cases, score in map(_file_of_tsml, sources)}
    if len(tests) < len(sources) or any(head[2].upper() == "TRAIN" for head in heads):
        raise ValueError("the files must be of test sets, each of another model, data set or resample; some are not")
    truths = {(*of, np.round(cases[0], 6).tobytes()) for (_, *of), (cases, _) in tests.items()}
    if len(truths) > len({of[:2] for of in truths}):
        raise ValueError(worded("other cases"))
    note, (_, datasets, resamples) = "Predictions of tsml-eval.", map(set, zip(*tests, strict=True))
    if len(datasets) == len(resamples) == 1:
        cases = [row for (model, *_), (cases, _) in tests.items() for row in _cases(model, *cases)]
        return _table(sources, "predictions", cases, note)
    rows = [{"model": m, "dataset": d, "repeat": r, **score} for (m, d, r), (_, score) in tests.items()]
    if len(datasets) > 1:
        return _table(sources, "study", rows, note)  # without sizes of training sets splits have a mean alone
    return _table(sources, "folds", [{**row, "fold": 0} for row in rows], note, "Resamples are random splits.")


def _file_of_tsml(source: Source) -> tuple[tuple[str, str, str], tuple[Any, ...], Row]:
    """A file of tsml-eval: three lines on the model, then truth, prediction and probabilities of every case."""
    first, _, third, *rest = [*source.lines(), [""], [""], [""]]
    cases = [[number(x) for i, x in enumerate(case) if i != 2] for case in rest if any(case)]
    whole = len(third) != 7 and len({*map(len, cases)}) == 1 and len(cases[0]) > 1  # third lines of clusterers have 7
    if not whole or not np.isfinite(cases).all():
        raise ValueError(worded("no predictions", source.name))
    truth, predicted, *shares = np.transpose(cases)
    graded, error = bool(shares), truth - predicted
    metric, score = ("accuracy", np.mean(error == 0)) if graded else ("mse", np.mean(error**2))
    if number(third[0]) != -1 and not np.isclose(number(third[0]), score, rtol=1e-3):
        raise ValueError(f"{source.name} must have the {metric} of its third line; its cases have {score:g}")
    folders = source.path.parts[:-1] if source.path else ()
    model = folders[-3] if len(folders) > 2 and folders[-2] == "Predictions" else first[1]
    both = *np.array([truth, predicted]).astype(int if graded else float), np.transpose(shares), range(len(shares))
    return (model, first[0], first[3]), both, {"metric": metric, "score": float(score), "greater_is_better": graded}


# ---- MLflow ---------------------------------------------------------------------------------------------------


_PARENT, _NAME = "tags.mlflow.parentRunId", "tags.mlflow.runName"


def _of_parent(row: Row, parents: Mapping[Any, Row]) -> Row:
    """A run with the params and tags of the run that it is part of."""
    above = parents.get(row.get(_PARENT), {})
    return row | {x: y for x, y in above.items() if missing(row[x]) and x.startswith(("params.", "tags."))}


def _run_names(runs: list[Row], parents: Mapping[Any, Row], place: list[str]) -> list[str]:
    """The names of runs, or of those that they are part of, where several have each and one names models; or none."""
    places, found = [[str(row[x]) for row in runs] for x in place], list[list[str]]()
    for own in (runs, [parents.get(row.get(_PARENT), {}) for row in runs]):
        names = [str(row.get(_NAME)) for row in own]
        if 1 < len({*names}) < len(runs) == len({*zip(names, *places, strict=True)}) and numbered(names) is None:
            found += [names] * (not any(map(missing, names)))
    return found[0] if len(found) == 1 else []


def _mlflow(sources: Sequence[Source]) -> Table | None:
    """Runs of MLflow, as `search_runs` gives them, also as CSV: their metrics, and the parameters that name them."""
    rows = rows_of(sources, *_TOOLS["mlflow"]["shown"])
    if rows is None or not any(name.startswith("metrics.") for name in rows[0]):
        return None
    above = {row.get(_PARENT) for row in rows}
    parents = {row["run_id"]: row for row in rows if row["run_id"] in above}
    children = [_of_parent(row, parents) for row in rows if row["run_id"] not in parents]
    finished = [row for row in children if row["status"] == "FINISHED"]
    if not finished:
        raise ValueError("runs of MLflow must be finished; none is")
    told = [x for x in reversed([*rows[0]]) if not all(missing(row[x]) for row in finished)]
    roles = {role_of_name(x): x for x in told if re.match(r"params\.|tags\.(?!mlflow\.)", x)}
    names = [str(row.get(_NAME)) for row in finished]
    role = numbered(names) if len({*names}) < len(names) else None  # fold_0 or seed 3 of each model
    roles = {**({role: _NAME} if role else {}), **roles}
    named = {role: roles[role] for role in ("model", "dataset", "split", "repeat", "run") if role in roles}
    # Texts that are others for every run name the run, as a folder does.
    many = [x for x in rows[0] if len({str(row[x]) for row in finished}) < len(finished)]
    beside = [x for x in rows[0] if x.startswith("params.") and x not in named.values()]
    beside = [x for x in beside if x in many or np.isfinite(number(finished[0][x]))]
    beside = [x for x in beside if not is_listed(x, "notes") and role_of_name(x) != "time"]
    # Runs that failed have no scores; those that were made again are none.
    place = [*named.values()] if {*named} - {"model"} else ["run_id"]
    done = {tuple(str(row[x]) for x in place) for row in finished}
    failed = [row for row in children if row["status"] in ("FAILED", "KILLED")]
    failed = [row for row in failed if not any(missing(row[x]) for x in (*named.values(), *beside))]
    runs = finished + [row for row in failed if tuple(str(row[x]) for x in place) not in done]
    models = _labels_of(runs, named.get("model", ""), beside, ", {0}={1}")
    if not all(models) and (names := _run_names(runs, parents, place)):
        models = _labels_of([{**row, "": x} for row, x in zip(runs, names, strict=True)], "", beside, ", {0}={1}")
    columns: dict[str, list[Any]] = {role: [str(row[name]) for row in runs] for role, name in named.items()}
    if all(models) or len(sources) > 1:
        columns["model"] = models if all(models) else [row[FILES] for row in runs]
    once = len({*zip(*(columns[x] for x in ("model", "dataset") if x in columns), strict=True)}) == len(runs)
    if once and "dataset" not in columns:
        raise ValueError("runs of MLflow must be several per model: log seeds as param 'seed', folds as param 'fold'")
    if not once and named.keys().isdisjoint({"split", "repeat", "run"}):
        columns["run"] = [row["run_id"] for row in runs]
    measured = [x for x in rows[0] if x.startswith("metrics.") and role_of_name(x) in (None, "value", "outcome")]
    noted = [x for x in measured if "metrics.train" in x or is_listed(x, "steps") or is_listed(x, "trained")]
    # MLflow has no order of them
    measured.sort(key=lambda name: (not is_measure(name), is_loss(name, surely=False), name))
    metrics, gaps = _measured(finished, [x for x in measured if x not in noted])
    of = {x: x.removeprefix("metrics.") for x in (*metrics, *noted)}
    columns |= {of[x]: [number(row[x]) if row["status"] == "FINISHED" else np.nan for row in runs] for x in metrics}
    out = left_out(len(rows) - len(runs), "run", "not finished, or the parent of others")
    trained = [f"Left out, as they say how a training went: {', '.join(of[x] for x in noted)}."] if noted else []
    return _table(sources, None, columns, "Runs of MLflow.", *trained, *out, partial=[of[x] for x in gaps])


_READERS = (_lm_eval, _inspect, _skore, _search, _cross_validate, _weka, _automl, _tsml, _mlflow)
