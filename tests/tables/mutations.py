"""Tables as people have them, drawn: a plain table of scores, written down in many ways, and what it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

LEARNERS = ["svm", "knn", "RandomForest", "naive bayes", "xgboost", "mlp", "LogisticRegression", "lda"]
OTHERS = ["A", "B", "our method v2", "m-3", "old", "new", "setup_1", "Zeta"]
DATASETS = ["iris", "wine", "glass", "sonar", "adult", "kc1", "vehicle", "zoo", "ionosphere", "car", "vowel", "yeast"]
CODES = [f"D{i:02d}" for i in range(12)]
METRICS = [
    ["accuracy"],
    ["our metric"],
    ["F1"],
    ["AUC", "accuracy"],
    ["precision", "recall", "f1"],
    ["roc_auc", "log_loss"],
]
NAMES = {
    "model": [
        "model",
        "Model",
        "classifier",
        "Algorithm",
        "method",
        "Estimator",
        "Classifier_Name",
        "learner",
        "framework",
    ],
    "dataset": [
        "dataset",
        "Dataset",
        "data set",
        "task",
        "problem",
        "DatasetName",
        "Data_Set",
        "dataset-id",
        "benchmark",
    ],
    "split": ["fold", "Fold", "split", "cv_fold", "fold id", "Fold_No"],
    "repeat": ["repeat", "Repetition", "rep", "cv_repeat"],
    "run": ["run", "seed", "Seed", "random_state", "Run_ID", "trial"],
    "item": ["sample_id", "item_id", "Item", "doc_id", "question_id", "instance id"],
    "metric": ["metric", "Metric", "measure", "metric_name", "scorer"],
    "value": ["score", "Score", "value", "result", "metric_value"],
}
# Headers of splits and runs, where a row is a model.
HEADS = {"folds": ["fold", "Fold ", "fold_", "split", "cv"], "runs": ["run", "seed ", "Seed", "trial_"]}
KEYS = {
    "study": ["dataset"],
    "folds": ["split"],
    "repeats": ["repeat", "split"],
    "study of folds": ["dataset", "split"],
    "runs": ["run"],
    "study of runs": ["dataset", "run"],
    "outcomes": ["item"],
}


@dataclass
class Plain:
    """Scores by model, case and metric: what every way of writing them down says."""

    kind: str
    models: list[str]
    cases: list[tuple[str, ...]]
    metrics: list[str]
    values: np.ndarray  # (n_models, n_cases, n_metrics)

    @property
    def keys(self) -> list[str]:
        return KEYS[self.kind]

    def tidy(self) -> pd.DataFrame:
        """A row per model, case and metric."""
        rows = [
            (model, *case, metric, self.values[m, c, k])
            for m, model in enumerate(self.models)
            for c, case in enumerate(self.cases)
            for k, metric in enumerate(self.metrics)
        ]
        return pd.DataFrame(rows, columns=["model", *self.keys, "metric", "value"])


def plain(rng: np.random.Generator) -> Plain:
    kind = rng.choice([*KEYS])
    models = list(rng.permutation(LEARNERS if rng.random() < 0.6 else OTHERS)[: rng.integers(2, 6)])
    names = list(rng.permutation(DATASETS if rng.random() < 0.5 else CODES)[: rng.integers(4, 12)])
    start = int(rng.integers(0, 2))

    def counted(n: int) -> list[str]:
        return [str(i + start) for i in range(n)]

    cases: list[tuple[str, ...]] = {
        "study": lambda: [(name,) for name in names],
        "folds": lambda: [(i,) for i in counted(int(rng.choice([3, 5, 10])))],
        "repeats": lambda: [(r, i) for r in counted(3) for i in counted(4)],
        "study of folds": lambda: [(name, i) for name in names for i in counted(4)],
        "runs": lambda: [(i,) for i in counted(int(rng.integers(3, 7)))],
        "study of runs": lambda: [(name, i) for name in names for i in counted(3)],
        "outcomes": lambda: [(f"q{i}" if rng.random() < 2 else i,) for i in range(int(rng.integers(20, 40)))],
    }[kind]()
    metrics = METRICS[rng.integers(len(METRICS))] if kind != "outcomes" else ["accuracy"]
    shape = (len(models), len(cases), len(metrics))
    if kind == "outcomes":
        values = (rng.random(shape) < 0.7).astype(float)
    else:
        spread = 0.3 * rng.random((1, len(cases), 1)) + 0.02 * rng.normal(size=shape)
        values = np.clip(0.55 + spread + 0.02 * rng.normal(size=(len(models), 1, 1)), 0.01, 0.99).round(4)
    if kind == "study" and rng.random() < 0.15:
        cases = [(str(i),) for i in rng.choice(5000, len(cases), replace=False)]
    if rng.random() < 0.1:
        values = (100 * values).round(1) if kind != "outcomes" else values
    return Plain(kind=str(kind), models=[str(m) for m in models], cases=cases, metrics=metrics, values=values)


# ---- ways of writing it down ----------------------------------------------------------------------------------


@dataclass
class Written:
    """A frame with the roles of its columns, while it is changed."""

    frame: pd.DataFrame
    plain: Plain
    scores: list[str]  # columns of scores
    said: list[str]
    form: str


def written(rng: np.random.Generator, table: Plain) -> Written:
    """One of the forms: tidy, metrics in columns, models in columns, models in rows."""
    tidy = table.tidy()
    forms = ["tidy", "metrics"] + (["models", "models"] if len(table.metrics) == 1 else ["pairs"])
    if table.kind in ("study", *HEADS) and len(table.metrics) == 1:
        forms += ["transposed"]
    if table.kind.startswith("study of") and len(table.metrics) == 1:
        forms += ["across"]
    form = str(rng.choice(forms))
    if form == "tidy":
        frame = tidy if len(table.metrics) > 1 or rng.random() < 0.5 else tidy.drop(columns="metric")
        return Written(frame, table, ["value"], [form], form)
    index = {"metrics": ["model", *table.keys], "models": table.keys, "transposed": ["model"], "pairs": table.keys}.get(
        form, ["dataset", "model"]
    )
    columns = {"metrics": "metric", "models": "model", "pairs": "model"}.get(form, table.keys[-1])
    if form == "pairs":
        tidy = tidy.assign(model=tidy["model"].str.replace(" ", "") + "_" + tidy["metric"])
    if form in ("transposed", "across") and table.kind != "study":
        tidy[columns] = str(rng.choice(HEADS[table.kind.removeprefix("study of ")])) + tidy[columns]
    order = list(dict.fromkeys(tidy[columns]))
    frame = tidy.pivot(index=index, columns=columns, values="value")[order].reset_index()
    frame.columns.name = None
    return Written(frame, table, order, [form], form)


def renamed(w: Written, rng: np.random.Generator) -> None:
    own = {role: str(rng.choice(names)) for role, names in NAMES.items() if role in w.frame.columns}
    if w.form == "transposed":
        own = {"model": own["model"]}
    if len({*own.values()}) == len(own):
        w.frame = w.frame.rename(columns=own)
        w.scores = [own.get(name, name) for name in w.scores]


def shuffled_rows(w: Written, rng: np.random.Generator) -> None:
    w.frame = w.frame.iloc[rng.permutation(len(w.frame))]
    if rng.random() < 0.5:
        w.frame = w.frame.reset_index(drop=True)


def shuffled_columns(w: Written, rng: np.random.Generator) -> None:
    w.frame = w.frame[list(rng.permutation(w.frame.columns))]


def added(w: Written, name: str, values: Any, rng: np.random.Generator) -> None:
    if name not in w.frame.columns:
        w.frame = w.frame.copy()
        w.frame.insert(int(rng.integers(0, w.frame.shape[1] + 1)), name, values)


def with_ids(w: Written, rng: np.random.Generator) -> None:
    n = len(w.frame)
    kinds = {
        "Unnamed: 0": np.arange(n),
        "index": np.arange(n),
        "row": np.arange(1, n + 1),
        "id": rng.permutation(n),
        "uuid": [f"{x:08x}" for x in rng.choice(2**32, n, replace=False)],
        "openml_id": rng.choice(50_000, n, replace=False),
    }
    name = str(rng.choice([*kinds]))
    added(w, name, kinds[name], rng)


def with_times(w: Written, rng: np.random.Generator) -> None:
    name = str(
        rng.choice(
            ["fit_time", "train_seconds", "test time", "Duration", "elapsed_time", "predict_time_ms", "Time_training"]
        )
    )
    added(w, name, rng.lognormal(1, 1, len(w.frame)).round(3), rng)


def with_model_times(w: Written, rng: np.random.Generator) -> None:
    if w.form == "models":
        for name in w.scores:
            added(w, f"{name}_time", rng.lognormal(1, 1, len(w.frame)).round(3), rng)


def with_deviations(w: Written, rng: np.random.Generator) -> None:
    end = str(rng.choice(["_std", "_sd", " std", "_stderr"]))
    for name in w.scores:
        added(w, f"{name}{end}", (0.03 * rng.random(len(w.frame))).round(4), rng)


def with_bounds(w: Written, rng: np.random.Generator) -> None:
    """The ends of intervals."""
    if w.form == "models":
        low, high = [("_lower", "_upper"), ("_ci_low", "_ci_high"), (" min", " max"), ("_lb", "_ub")][rng.integers(4)]
        for name in w.scores:
            added(w, f"{name}{low}", (w.frame[name] - 0.04 * rng.random(len(w.frame))).round(4), rng)
            added(w, f"{name}{high}", (w.frame[name] + 0.04 * rng.random(len(w.frame))).round(4), rng)


def with_leaderboard(w: Written, rng: np.random.Generator) -> None:
    """What leaderboards say of a model beside its scores."""
    if w.form == "transposed":
        n = len(w.frame)
        kinds = {
            "Params (B)": rng.integers(1, 400, n),
            "#Params [M]": rng.integers(1, 900, n),
            "Rank* (UB)": rng.integers(1, 9, n),
            "Available on the hub": rng.random(n) < 0.5,
            "Open": np.full(n, True),
            "Votes": rng.integers(100, 90_000, n),
            "Memory (MB)": rng.integers(100, 9_000, n),
            "License": rng.choice(["mit", "apache-2.0"], n),
        }
        for name in rng.permutation([*kinds])[: rng.integers(1, 4)]:
            added(w, str(name), kinds[str(name)], rng)


def with_sizes(w: Written, rng: np.random.Generator) -> None:
    by = next((name for name in NAMES["dataset"] if name in w.frame.columns), None)
    ways = [["n_samples", "n_features", "n_classes", "instances"], ["#inst", "#attr", "#cls", "# examples"]]
    for name, high in list(zip(ways[rng.integers(2)], (5000, 60, 9, 900), strict=True))[: rng.integers(1, 5)]:
        values = rng.integers(2, high, len(w.frame))
        if by is not None:
            of = {one: int(rng.integers(2, high)) for one in w.frame[by].unique()}
            values = w.frame[by].map(of).to_numpy()
        added(w, name, values, rng)


def with_seeds(w: Written, rng: np.random.Generator) -> None:
    if w.plain.kind not in ("runs", "study of runs") and w.form != "transposed":
        n = len(w.frame)
        kinds = {"same": np.full(n, 42), "another each": rng.choice(10_000, n, replace=False)}
        added(w, str(rng.choice(["seed", "random_state", "Seed"])), kinds[str(rng.choice([*kinds]))], rng)


def with_comments(w: Written, rng: np.random.Generator) -> None:
    name = str(rng.choice(["comment", "machine", "version", "date run", "params", "status"]))
    added(w, name, rng.choice(["ok", "node-1", "v1.2", "{}"], len(w.frame)) if rng.random() < 0.6 else "x", rng)


def with_empty(w: Written, rng: np.random.Generator) -> None:
    added(w, str(rng.choice(["notes", "Unnamed: 9", "extra"])), np.nan, rng)


def with_sums(w: Written, rng: np.random.Generator) -> None:
    """Rows that sum up the others, of tables with a row per data set or fold."""
    if w.form != "models" or len(w.plain.keys) > 1 or w.plain.kind == "outcomes":
        return
    scores, first = w.frame[w.scores], next(c for c in w.frame.columns if c not in w.scores)
    ranks = scores.rank(axis=1, ascending=False)
    kinds = {
        "mean": (["Average", "mean", "AVG", "Overall result", "summary"], scores.mean().round(4)),
        "rank": (["Average_Rank", "Avg. rank", "mean rank", "zz"], ranks.mean().round(3)),
        "wins": (["Wins", "# wins", "wins"], (scores.eq(scores.max(axis=1), axis=0)).sum()),
        "std": (["std", "SD"], scores.std().round(4)),
    }
    texts = w.frame[first].dtype == object
    for kind in rng.permutation([*kinds])[: rng.integers(1, 3)]:
        labels, values = kinds[kind]
        row = {first: str(rng.choice(labels)) if texts else np.nan, **values}
        if texts:
            w.frame = pd.concat([w.frame, pd.DataFrame([row])], ignore_index=True)


def with_subtotals(w: Written, rng: np.random.Generator) -> None:
    """Means of groups of data sets, each below its group."""
    if w.form == "models" and w.plain.kind == "study" and len(w.frame) >= 6:
        first = next(c for c in w.frame.columns if c not in w.scores)
        if w.frame[first].dtype != object or w.frame[first].str.fullmatch("mean|.*[aA]v.*|AVG|.*ins|zz|.*sum.*").any():
            return
        cut = int(rng.integers(3, len(w.frame) - 2))
        parts = []
        for name, part in (("UCI", w.frame.iloc[:cut]), ("OpenML", w.frame.iloc[cut:])):
            mean = {first: f"{name} {rng.choice(['mean', 'avg', 'total'])}", **part[w.scores].mean().round(4)}
            parts += [part, pd.DataFrame([mean])]
        w.frame = pd.concat(parts, ignore_index=True)


def with_sums_of_models(w: Written, rng: np.random.Generator) -> None:
    """Columns that sum up the models."""
    if w.form in ("models", "transposed"):
        name = str(rng.choice(["mean", "Average", "best", "max"]))
        scores = w.frame[w.scores]
        added(w, name, scores.max(axis=1) if name in ("best", "max") else scores.mean(axis=1).round(4), rng)


def without_a_name(w: Written, rng: np.random.Generator) -> None:
    """The column of names has none, as the index of a saved frame."""
    if w.form in ("models", "transposed") and rng.random() < 0.6:
        known = {one for role in (*w.plain.keys, "model") for one in NAMES[role]}
        first = next((name for name in w.frame.columns if name in known and name not in w.scores), None)
        new = str(rng.choice(["", "Unnamed: 0", "name", "X"]))
        w.frame = w.frame if new in w.frame.columns else w.frame.rename(columns={first: new})


def with_parameters(w: Written, rng: np.random.Generator) -> None:
    """What describes models."""
    by = next((name for name in NAMES["model"] if name in w.frame.columns), None)
    if by is not None and w.form in ("tidy", "metrics"):
        for name in ("max_depth", "alpha", "n_estimators", "family")[: rng.integers(1, 5)]:
            of = {
                one: round(float(rng.random()), 2) if name == "alpha" else int(rng.integers(1, 99))
                for one in w.plain.models
            }
            added(w, name, w.frame[by].map(of if name != "family" else lambda x: str(x)[:1]).to_numpy(), rng)


def with_ranks(w: Written, rng: np.random.Generator) -> None:
    if w.form == "models":
        ranks = w.frame[w.scores].rank(axis=1, ascending=False)
        for name in w.scores:
            added(w, f"{name}_rank", ranks[name], rng)
    elif w.form in ("tidy", "metrics"):
        added(w, str(rng.choice(["rank", "Rank", "position"])), rng.integers(1, 9, len(w.frame)), rng)


def with_differences(w: Written, rng: np.random.Generator) -> None:
    """What was computed of two models."""
    if w.form == "models":
        a, b = w.scores[:2]
        added(w, str(rng.choice(["diff", "Difference", "delta", "A minus B"])), (w.frame[a] - w.frame[b]).round(4), rng)
        added(w, "winner", np.where(w.frame[a] > w.frame[b], a, b), rng)
        added(w, "p-value", rng.random(len(w.frame)).round(3), rng)


def with_training_scores(w: Written, rng: np.random.Generator) -> None:
    if w.form == "metrics":
        for name in w.scores:
            added(w, f"train_{name}", np.minimum(w.frame[name] + 0.03, 1).round(4), rng)


def with_average_names(w: Written, rng: np.random.Generator) -> None:
    """Of a tidy table rows of averages."""
    role = w.plain.keys[0]
    own = next((name for name in NAMES.get(role, []) if name in w.frame.columns), None)
    if w.form == "tidy" and own is not None and len(w.plain.keys) == 1 and w.plain.kind in ("study", "folds"):
        keys = [name for name in w.frame.columns if name not in (own, *w.scores) and not w.frame[name].is_unique]
        by = [name for name in keys if name in NAMES["model"] + NAMES["metric"]]
        mean = w.frame.groupby(by, sort=False)[w.scores].mean().round(4).reset_index()
        mean[own] = str(rng.choice(["mean", "Average", "avg"]))
        w.frame = pd.concat([w.frame, mean], ignore_index=True)


def with_a_header(w: Written, rng: np.random.Generator) -> None:
    """A pivot, whose columns have a name."""
    if w.form == "models" and w.frame.index.name is None and rng.random() < 0.8:
        first = [name for name in w.frame.columns if name not in w.scores]
        w.frame = w.frame.set_index(first)[w.scores].rename_axis(columns=str(rng.choice(NAMES["model"])))


def with_test_rows(w: Written, _: np.random.Generator) -> None:
    """Rows on training sets too."""
    if w.form in ("tidy", "metrics"):
        train = w.frame.copy()
        train[w.scores] = np.minimum(train[w.scores] + 0.05, 1)
        both = pd.concat([w.frame.assign(subset="test"), train.assign(subset="train")], ignore_index=True)
        w.frame = both


def indexed(w: Written, _: np.random.Generator) -> None:
    keys = [name for name in w.frame.columns if name not in w.scores][:2]
    if keys and w.form != "tidy":
        w.frame = w.frame.set_index(keys[0])


CHANGES: list[Callable[[Written, np.random.Generator], None]] = [
    with_subtotals,
    with_sums,
    with_sums_of_models,
    with_average_names,
    renamed,
    with_test_rows,
    with_ids,
    with_times,
    with_model_times,
    with_deviations,
    with_bounds,
    with_leaderboard,
    with_sizes,
    with_seeds,
    with_comments,
    with_empty,
    shuffled_rows,
    shuffled_columns,
    indexed,
    without_a_name,
    with_parameters,
    with_ranks,
    with_differences,
    with_training_scores,
    with_a_header,
]


def mutated(rng: np.random.Generator) -> Written:
    """A plain table, written down in some way, with some changes."""
    w = written(rng, plain(rng))
    for change in CHANGES:
        if rng.random() < 0.3:
            change(w, rng)
            w.said.append(change.__name__)
    return w


def as_text(w: Written, rng: np.random.Generator) -> tuple[str, str]:
    """The frame as separated text, perhaps with marks in its cells; and the end of the file's name."""
    frame, scores = w.frame.copy(), [name for name in w.scores if name in w.frame.columns]
    sep = str(rng.choice([",", ";", "\t"]))
    style = str(rng.choice(["plain", "plain", "percent", "bold", "deviation", "parentheses", "comma"]))
    own = frame[scores]
    if w.plain.kind == "outcomes":
        style = "plain"
    if style == "comma" and sep == ",":
        style = "plain"
    write = {
        "plain": lambda x: f"{x:g}",
        "percent": lambda x: f"{100 * x:.6g}%",
        "bold": lambda x: f"**{x:g}**" if rng.random() < 0.3 else f"{x:g}",
        "deviation": lambda x: f"{x:g} ± {rng.random() / 20:.3f}",
        "parentheses": lambda x: f"{x:g} ({rng.random() / 20:.3f})",
        "comma": lambda x: f"{x:g}".replace(".", ","),
    }[style]
    for name in own:
        frame[name] = [write(x) if x == x else "" for x in frame[name]]
    if style == "comma":
        for name in frame.columns:
            if name not in scores and frame[name].dtype.kind == "f":
                frame[name] = [f"{x:g}".replace(".", ",") if x == x else "" for x in frame[name]]
    w.said += [style, sep]
    mark = "\ufeff" if rng.random() < 0.2 else ""
    keep = frame.index.name is not None
    return mark + frame.to_csv(sep=sep, index=keep), ".tsv" if sep == "\t" else ".csv"


# ---- what is said ---------------------------------------------------------------------------------------------


def spelt(name: str) -> str:
    return name.lower().replace(" ", "_")


def expected(table: Plain) -> list[list[tuple[Any, ...]]]:
    """By metric one entry per case, or per run of a model: what an answer rests on."""
    order = np.argsort(table.models)
    names = sorted(name.replace(" ", "") for name in table.models)
    said = []
    for k in np.argsort([spelt(name) for name in table.metrics]):
        if "runs" in table.kind:
            rows = []
            for m in order:
                by_task: dict[str, list[float]] = {}
                for c, case in enumerate(table.cases):
                    by_task.setdefault(case[0] if len(case) > 1 else "", []).append(float(table.values[m, c, k]))
                rows += [(table.models[m].replace(" ", ""), *np.round(sorted(runs), 6)) for runs in by_task.values()]
            said.append(sorted(rows))
        else:
            said.append(sorted(tuple(np.round(table.values[order, c, k], 6)) for c in range(len(table.cases))))
    return [[tuple(names)], *said]


def found(result: Any) -> list[list[tuple[Any, ...]]]:
    """The same of a result."""
    order = np.argsort(result.estimators)
    names = sorted(name.replace(" ", "") for name in result.estimators)
    parts = list(getattr(result, "results", {}).values()) or [result]
    said = []
    for k in np.argsort([spelt(name) for name in result.metrics]):
        if parts[0] is not result or not hasattr(result, "datasets"):
            if parts[0].design.kind == "runs":
                rows = []
                for part in parts:
                    for m in order:
                        runs = part.scores[m, :, k]
                        rows.append(
                            (result.estimators[m].replace(" ", ""), *np.round(sorted(runs[~np.isnan(runs)]), 6))
                        )
                said.append(sorted(rows))
                continue
            columns = np.concatenate([part.scores[order][:, :, k] for part in parts], axis=1)
        else:
            columns = result.scores[:, order, 0, k].T
        said.append(sorted(tuple(np.round(column, 6)) for column in columns.T))
    return [[tuple(names)], *said]


def kind_of(result: Any) -> str:
    """The kind of evidence, in the words of the drawn tables."""
    if hasattr(result, "datasets"):
        if not result.results:
            return "study"
        return "study of runs" if next(iter(result.results.values())).design.kind == "runs" else "study of folds"
    design = result.design
    if design.kind == "items":
        return "outcomes"
    if design.kind == "runs":
        return "runs"
    return "repeats" if design.n_repeats > 1 else "folds"
