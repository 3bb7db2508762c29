"""The model of error rates that `skcompare.calibration.predicted_error_rate` asks, fitted to all simulated nulls.

Run from a checkout: ``python -m benchmarks.rates`` fits it to the studies in docs/data (two minutes of one core) and
writes ``rates.json`` and ``measured.csv`` beside `skcompare.inference`, ``python -m benchmarks.rates --held-out``
predicts nulls whose learner and generator were both left out, and puts the figures into docs/study.md.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from scipy.optimize import minimize
from scipy.special import logsumexp, ndtri
from scipy.stats import beta

from benchmarks import DATA, ROOT, options, read_rows, span, table, with_tables, write_rows
from skcompare.inference import _rates
from skcompare.inference._procedures import PROCEDURES
from skcompare.inference._rates import COVARIATES, Key, Kind, Known, Limits, Slope, normal, rates

SHIPPED = ROOT / "skcompare" / "inference"
PAGE = ROOT / "docs" / "study.md"
KEY = ["task", "design", "procedure", "metric"]
KNOWN = ["n_samples", "positives", "called_positive", "n_classes", "instability"]
POINTS = np.linspace(-4, 4, 81)  # of the standardised root, on which its density is summed up
LOG_WEIGHTS = -(POINTS**2) / 2 - logsumexp(-(POINTS**2) / 2)
ENDS = 0.15, 4.6  # of roots: shares that stand for none and all
PRIOR = 0.6  # standard deviation of the slopes of the mean; those of the log standard deviation have a third of 1
FEWEST = 12  # nulls of a kind
DEFAULTS = ("corrected_t_test", "k_fold_t_test")  # whose nulls are many enough for covariates


# ---- the nulls ---------------------------------------------------------------------------------------------------


def nulls() -> pd.DataFrame:
    """All nulls of equal models, one row per procedure, design and metric."""
    older = pd.read_csv(DATA / "calibration_study.csv.gz")
    older = older[older.null != "better"].rename(columns={"null": "generator"})
    older["positives"] = older.balance.map({"50/50": 0.5, "80/20": 0.2})
    older["task"] = "binary"
    wide = pd.read_csv(DATA / "wide_study.csv.gz").rename(columns={"positive": "positives"})
    own = wide.procedure.isin(("corrected_t_test", "k_fold_t_test", "five_by_two_f_test"))
    wide = wide[(wide.kind == "blocks") & own]
    found = [older, wide]
    newest = DATA / "rates_study.csv.gz"
    if newest.exists():
        found.append(pd.read_csv(newest))
    rows = pd.concat(found, ignore_index=True)
    several = rows.task.str.extract(r"(\d+) classes")[0].astype(float)
    rows["n_classes"] = several
    rows["task"] = rows.task.where(several.isna(), "multiclass")
    rows["design"] = rows.design.replace("30 resamples", "30 random splits")
    rows["metric"] = rows.metric.replace("mcc", "matthews_corrcoef")
    for name in KNOWN:
        rows[name] = rows[name].astype(float) if name in rows else np.nan
    return rows[[*KEY, "learner", "generator", *KNOWN, "n_datasets", "rejected"]].reset_index(drop=True)


def covariates(rows: pd.DataFrame) -> pd.DataFrame:
    """As the model takes them; nan where one is not known."""
    known = [Known(*(None if x != x else x for x in row)).covariates() for row in rows[KNOWN].to_numpy()]
    return pd.DataFrame(known, index=rows.index, columns=list(COVARIATES))


# ---- the model ---------------------------------------------------------------------------------------------------


def expected(k: int) -> np.ndarray:
    """Before any null is seen: the root of 5%, no slopes, and the logarithm of the prior standard deviation."""
    return np.r_[5 ** (1 / 3), np.zeros(k), np.log(PRIOR), np.zeros(k)]


def loss(values: np.ndarray, x: np.ndarray, rejected: np.ndarray, n: np.ndarray) -> tuple[float, np.ndarray]:
    """Minus the log posterior density, and its gradient; what is not known of a null, nan, is integrated out."""
    k = x.shape[1]
    missing = np.isnan(x)
    x, of_mean, of_log = np.where(missing, 0.0, x), values[1 : k + 1], values[k + 2 :]
    own = np.exp(2 * (values[k + 1] + x @ of_log + missing @ of_log**2))
    mean, spread = values[0] + x @ of_mean, np.sqrt(own + missing @ of_mean**2)
    root = mean[:, None] + spread[:, None] * POINTS
    cut = np.clip(root, *ENDS)
    share, hits, misses = cut**3 / 100, rejected[:, None], (n - rejected)[:, None]
    given = hits * np.log(share) + misses * np.log1p(-share) + LOG_WEIGHTS
    total = logsumexp(given, axis=1)
    weights = np.exp(given - total[:, None]) * (hits - misses * share / (1 - share)) * np.where(cut == root, 3 / cut, 0)
    to_mean, to_spread = weights.sum(axis=1), (weights * POINTS).sum(axis=1) / spread
    to_own = to_spread * own
    to_slopes = to_mean @ x + to_spread @ missing * of_mean, to_own @ x + 2 * to_own @ missing * of_log
    gradient = np.r_[to_mean.sum(), to_slopes[0], to_own.sum(), to_slopes[1]]
    deviations = np.r_[3 * PRIOR, np.full(k, PRIOR), 1.0, np.full(k, 1 / 3)]
    centred = values - expected(k)
    return float(-total.sum() + (centred**2 / deviations**2).sum() / 2), -gradient + centred / deviations**2


def ends(values: pd.Series) -> tuple[float, float]:
    """The smallest and the largest that is known."""
    return (float(values.min()), float(values.max())) if values.notna().any() else (0.0, np.inf)


def limits(rows: pd.DataFrame) -> Limits:
    """What was simulated of a procedure on a design."""
    return Limits(ends(rows.n_samples), ends(rows.positives), ends(rows.n_classes))


def fitted(rows: pd.DataFrame, x: pd.DataFrame) -> Kind:
    """The coefficients of one kind; what varies in no null, or is known of few, has none."""
    told = COVARIATES if rows.procedure.iloc[0] in DEFAULTS else ()
    names = [name for name in told if x[name].notna().mean() > 0.2 and x[name].std() > 0]
    start = expected(len(names))
    given = x[names].to_numpy(), rows.rejected.to_numpy(float), rows.n_datasets.to_numpy(float)
    values = minimize(loss, start, given, jac=True, method="L-BFGS-B").x
    k = len(names)
    pairs = zip(values[1 : k + 1].tolist(), values[k + 2 :].tolist(), strict=True)
    slopes = {name: Slope(*pair) for name, pair in zip(names, pairs, strict=True)}
    return Kind(float(values[0]), float(values[k + 1]), slopes)


def scales_of(rows: pd.DataFrame, x: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """By task the mean and the standard deviation of each covariate."""
    return {task: x.loc[own.index].agg(["mean", "std"]) for task, own in rows.groupby("task")}


def standardised(rows: pd.DataFrame, x: pd.DataFrame, scales: dict[str, pd.DataFrame]) -> pd.DataFrame:
    made = [
        (x.loc[own.index] - scales[task].loc["mean"]) / scales[task].loc["std"] for task, own in rows.groupby("task")
    ]
    return pd.concat(made).loc[rows.index].clip(-3, 3)


def fit(rows: pd.DataFrame) -> tuple[dict[Key, dict[str, Kind]], dict[str, pd.DataFrame]]:
    """Every kind that has enough nulls by metric, and the scales of the covariates."""
    x = covariates(rows)
    scales = scales_of(rows, x)
    z = standardised(rows, x, scales)
    kinds: dict[Key, dict[str, Kind]] = defaultdict(dict)
    for (*key, metric), own in rows.groupby(KEY):
        if len(own) >= FEWEST:
            kinds[tuple(key)][metric] = fitted(own, z.loc[own.index])
    return dict(kinds), scales


# ---- kinds of which only means, or the lowest and the highest share, were kept -----------------------------------


def summarised(cells: list[dict[str, str]]) -> Kind:
    """A kind without covariates, from the ranges of cells: of k normal values they are so many deviations wide."""
    means, variances = [], []
    for cell in cells:
        low, high = ((100 * float(cell[name])) ** (1 / 3) for name in ("low", "high"))
        many = int(cell.get("nulls", 0)) or MANY
        means.append((100 * float(cell["mean"])) ** (1 / 3) if "mean" in cell else (low + high) / 2)
        variances.append(((high - low) / (2 * ndtri((many - 0.375) / (many + 0.25)))) ** 2)
    return Kind(float(np.mean(means)), float(np.log(np.mean(variances) + np.var(means)) / 2), {})


MANY = 10  # nulls of a cell where they were not kept
NONE = (0.0, np.inf)
# What was simulated: samples, positives.
ON_PREDICTIONS = Limits((200, 300), (0.3, 0.5), NONE)
ON_FOLDS = {
    "nested_cv_interval": Limits((60, 200), (0.5, 0.5), NONE),
    "stability_t_test": Limits((200, 200), (0.2, 0.5), NONE),
}
IN_GROUPS, IN_TIME = Limits((20, 100), (0.5, 0.5), NONE), Limits((150, 300), (0.1, 0.5), NONE)
ON_CASES, CLUSTERS = Limits((50, 2000), (0.5, 0.5), NONE), Limits((10, 100), (0.5, 0.5), NONE)
OF_SEVERAL, ON_SEVERAL, RUNS, LABELLED = (
    Limits((50, 200), NONE, NONE),
    Limits((50, 1000), NONE, NONE),
    Limits((3, 30), NONE, NONE),
    Limits((30, 1000), NONE, NONE),
)
BY_JUDGES = {"judged items": LABELLED, "judgments in clusters": Limits((10, 200), NONE, NONE)}
# Tests of all models at once, which are asked for no comparison.
JOINT = ("anova_test", "contrast_test", "friedman_test", "model_confidence_set", "nemenyi_test", "tukey_test")


def others() -> dict[Key, tuple[Limits, dict[str, Kind]]]:
    """The kinds of other evidence: groups, several labels or numbers, time order, one test set, runs, judges."""
    cells: dict[Key, tuple[Limits, dict[str, list[dict[str, str]]]]] = {}

    def add(task: str, design: str, simulated: Limits, row: dict[str, str]) -> None:
        cells.setdefault((task, design, row["procedure"]), (simulated, defaultdict(list)))[1][row["metric"]].append(row)

    tasks = {named: task for task, named in _rates.SEVERAL.items()}
    for row in [*read_rows(DATA / "measured_elsewhere.csv"), *read_rows(DATA / "measured_on_cases.csv")]:
        if row["design"] in tasks:
            add(tasks[row["design"]], "one test set", ON_SEVERAL, row)
        elif row["design"].endswith("clusters"):
            add("binary", "clusters", CLUSTERS, row)
        elif row["design"] == "one test set":
            add("binary", row["design"], ON_CASES, row)
        elif row["procedure"] not in JOINT:
            add("binary", row["design"], ON_FOLDS.get(row["procedure"], ON_PREDICTIONS), row)
    for row in read_rows(DATA / "measured_in_groups.csv"):
        add("binary", row["design"] + _rates.GROUPS, IN_GROUPS, row)
    for row in read_rows(DATA / "measured_on_columns.csv"):
        add(row["task"], row["design"], OF_SEVERAL, row)
    for row in read_rows(DATA / "measured_forecasts.csv"):
        add("binary", "time order", IN_TIME, {**row, "procedure": "diebold_mariano_test"})
    for row in read_rows(DATA / "measured_on_runs.csv"):
        size = dict.fromkeys(("mean", "low", "high"), row["size"])
        add("any", "runs", RUNS, {**row, **size, "metric": _rates.ANY_SCORE})
    for row in read_rows(DATA / "measured_on_judgments.csv"):
        if row["design"] in BY_JUDGES:
            size = dict.fromkeys(("mean", "low", "high"), row["size"])
            add("any", row["design"], BY_JUDGES[row["design"]], {**row, **size, "metric": _rates.ANY_SCORE})
    return {
        key: (simulated, {m: summarised(own) for m, own in found.items()}) for key, (simulated, found) in cells.items()
    }


# ---- the tables of the package -----------------------------------------------------------------------------------


def coefficients(rows: pd.DataFrame) -> dict[str, Any]:
    """What ``rates.json`` holds: the scales of the covariates, and by task, design and procedure the kinds."""
    kinds, scales = fit(rows)
    simulated = {tuple(key): limits(own) for key, own in rows.groupby(KEY[:-1])}
    known = {row.name for row in PROCEDURES} | {"dominance_test"}
    found = others() | {key: (simulated[key], own) for key, own in kinds.items() if key[2] in known}
    records: dict[str, dict[str, Any]] = defaultdict(lambda: defaultdict(dict))
    for (task, design, procedure), (own, by_metric) in sorted(found.items()):
        record: dict[str, Any] = {name: pair for name, pair in own._asdict().items() if pair[0]}
        names = list(next(iter(by_metric.values())).slopes)
        record |= {"covariates": names} if names else {}
        for metric, kind in by_metric.items():
            record[metric] = [kind.mean, kind.spread, *map(list, kind.slopes.values())]
        records[task][design][procedure] = record
    by_task = {
        task: {name: list(own[name]) for name in COVARIATES if own.loc["std", name] > 0} for task, own in scales.items()
    }
    return {"covariates": by_task, **records}


def written(found: dict[str, Any]) -> str:
    """The text of ``rates.json`` with two decimals, a procedure on each line."""
    text = json.dumps(rounded(found), separators=(",", ":"))
    return re.sub(r'("\w+":\{"n":)', r"\n\1", text) + "\n"


def rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(one) for one in value]
    if not isinstance(value, float):
        return value
    return int(value) if value.is_integer() else 0 if abs(value) < 0.005 else round(value, 2)


MEASURED = ("of", "name", "design", "metric", "target", "horizon", "correlation", "n", "low", "high")
# Share of tables of five equally good models that are rejected, by number of data sets; of pairs and controls the share
# in which any is. Made by ``python -m benchmarks.inference studies`` and published in docs/benchmarks.md.
STUDY_SIZES = {
    "signed_rank_test": {6: 0.033, 10: 0.05, 30: 0.049},
    "sign_test": {6: 0.033, 10: 0.018, 30: 0.048},
    "friedman_test": {6: 0.052, 10: 0.057, 30: 0.053},
    "quade_test": {6: 0.048, 10: 0.052, 30: 0.051},
    "pairwise_signed_rank_test": {6: 0.0, 10: 0.03, 30: 0.042},
    "nemenyi_test": {6: 0.049, 10: 0.041, 30: 0.058},
    "control_test": {6: 0.039, 10: 0.045, 30: 0.047},
}


def measured() -> Iterator[dict[str, object]]:
    """What `MEASURED` says of single figures and ranges."""
    study = pd.read_csv(DATA / "calibration_study.csv.gz")
    study = study[study.null != "better"].assign(size=lambda rows: rows.rejected / rows.n_datasets)
    sized = study.groupby(["procedure", "design", "metric"])["size"].agg(["min", "max"]).round(4)
    for (name, design, metric), (low, high) in zip(sized.index, sized.to_numpy(), strict=True):
        yield {"of": "one data set", "name": name, "design": design, "metric": metric, "low": low, "high": high}
    for row in read_rows(DATA / "measured_elsewhere.csv"):
        yield {"of": "one data set", "name": row.pop("procedure"), **row}
    for row in read_rows(DATA / "measured_in_time.csv"):
        name, size, n = row.pop("procedure"), row.pop("size"), row.pop("n_times")
        yield {"of": "time", "name": name, **row, "n": n, "low": size, "high": size}
        if name == "diebold_mariano_test":
            step = f", horizon {row['horizon']}" if row["horizon"] else ""
            design = f"correlation {float(row['correlation']):g}{step}"
            yield {"of": "one data set", "name": name, "design": design, "metric": _rates.ANY_LOSS, "high": size}
    for row in read_rows(DATA / "measured_on_runs.csv"):
        if row["procedure"] == "welch_t_test":
            n, m, size = row["n_runs"], row["n_runs_b"], row["size"]
            design = f"{n} runs" if n == m else f"{n} against {m} runs"
            yield {
                "of": "one data set",
                "name": row["procedure"],
                "design": design,
                "metric": _rates.ANY_SCORE,
                "high": size,
            }
    for row in read_rows(DATA / "measured_on_judgments.csv"):
        name, design, size = row["procedure"], f"{row['n']} {_rates.unit(row['design'])}", row["size"]
        yield {"of": "one data set", "name": name, "design": design, "metric": _rates.ANY_SCORE, "high": size}
    for row in read_rows(DATA / "measured_coverage.csv"):
        few = row.pop("n_samples") == f"under {_rates.FEW}"
        yield {
            "of": "coverage",
            "name": row.pop("method"),
            "design": row.pop("repeats"),
            "n": 0 if few else _rates.FEW,
            **row,
        }
    for name, sizes in STUDY_SIZES.items():
        for n, size in sizes.items():
            yield {"of": "data sets", "name": name, "design": f"{n} data sets", "metric": "any metric", "high": size}


def table_of_measured() -> list[tuple[object, ...]]:
    """Rows of `MEASURED`: of one cell the lowest and the highest figure."""
    found: dict[tuple[object, ...], list[object]] = {}
    for row in measured():
        own = [row.get("low", row["high"]), row["high"]]
        kept = found.setdefault(tuple(row.get(name, "") for name in MEASURED[:-2]), own)
        kept[:] = [min(kept[0], own[0], key=lambda x: float(str(x))), max(kept[1], own[1], key=lambda x: float(str(x)))]
    return [MEASURED, *((*key, *ends) for key, ends in found.items())]


# ---- nulls that were left out ------------------------------------------------------------------------------------


PARTS = (5, 3)  # of learners, of generators
CONFIDENCE = 0.95  # of the interval for the Monte Carlo error of a measured rate


def interval(rejected: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """That of Clopper and Pearson."""
    tail = (1 - CONFIDENCE) / 2
    low = np.where(rejected > 0, beta.ppf(tail, rejected, n - rejected + 1), 0.0)
    return low, np.where(rejected < n, beta.isf(tail, rejected + 1, n - rejected), 1.0)


def quantiles(rejected: np.ndarray, n: np.ndarray) -> tuple[float, float]:
    """At 5% and 95%, of shares drawn in to their mean until they vary as without the binomial noise."""
    sizes = rejected / n
    mean, varies = sizes.mean(), sizes.var(ddof=1) if len(sizes) > 1 else 0.0
    kept = max(0.0, 1 - float(np.mean(sizes * (1 - sizes) / n)) / varies) ** 0.5 if varies else 0.0
    low, high = mean + kept * (np.quantile(sizes, [0.05, 0.95]) - mean)
    return float(low), float(high)


def left_out(rows: pd.DataFrame, z: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """Of one kind every null with its range, from nulls of other learners and other generators alone."""
    rng = np.random.default_rng(seed)
    group = {}
    for name, parts in zip(("learner", "generator"), PARTS, strict=True):
        values = rng.permutation(sorted(rows[name].unique()))
        group[name] = rows[name].map({value: i % parts for i, value in enumerate(values)})
    found = []
    for i, j in itertools.product(*map(range, PARTS)):
        test = (group["learner"] == i) & (group["generator"] == j)
        train = (group["learner"] != i) & (group["generator"] != j)
        if test.sum() == 0 or train.sum() < FEWEST:
            continue
        kind = fitted(rows[train], z[train])
        values = [{k: v for k, v in row.items() if v == v} for row in z[test].to_dict("records")]
        made = [rates(*normal(kind, value)) for value in values]
        found.append(
            rows[test].assign(**dict(zip(("mean", "lowest", "highest"), zip(*made, strict=True), strict=True)))
        )
    return pd.concat(found)


def held_out(rows: pd.DataFrame, n_jobs: int = 2) -> pd.DataFrame:
    """A line per task, design and metric of the defaults: the share of nulls in the range, its width, an oracle's.

    The oracle is told the learners and generators: it has the true 5% and 95% of the nulls with as many samples,
    positives and classes.
    """
    x = covariates(rows)
    z = standardised(rows, x, scales_of(rows, x))
    chosen = rows[[default == own for default, own in zip(rows.design.map(default_of), rows.procedure, strict=True)]]
    groups = [own for _, own in chosen.groupby(KEY) if len(own) >= 5 * FEWEST]
    found = pd.concat(Parallel(n_jobs)(delayed(left_out)(own, z.loc[own.index]) for own in groups))
    low, high = interval(found.rejected.to_numpy(float), found.n_datasets.to_numpy(float))
    found["inside"] = (low <= found.highest) & (high >= found.lowest)
    found["strictly"] = (found.rejected / found.n_datasets).between(found.lowest, found.highest)
    found["width"] = found.highest - found.lowest
    cell = [*KEY, "n_samples", "positives", "n_classes"]
    for _, own in found.groupby(cell, dropna=False):
        ends = quantiles(own.rejected.to_numpy(float), own.n_datasets.to_numpy(float))
        found.loc[own.index, "oracle"] = ends[1] - ends[0] if len(own) >= FEWEST else np.nan
    return found


def default_of(design: str) -> str:
    return "k_fold_t_test" if design in ("5-fold", "10-fold") else "corrected_t_test"


# ---- the page ----------------------------------------------------------------------------------------------------


HELD_OUT = DATA / "rates_held_out.csv"
COUNTED = ("nulls", "inside", "strictly", "width", "oracle")  # the widths summed over nulls that have an oracle's


def counted(found: pd.DataFrame) -> pd.DataFrame:
    """What `HELD_OUT` keeps of the nulls, by task, design and metric."""
    known = found.oracle.notna()
    found = found.assign(nulls=1, width=found.width.where(known, 0.0), oracle=found.oracle.fillna(0.0))
    return found.groupby(["task", "design", "metric"])[[*COUNTED]].sum().round(4).reset_index()


def of_held_out(found: pd.DataFrame) -> str:
    """By task and design, all metrics together."""

    def cells(own: pd.DataFrame) -> tuple[str, ...]:
        n, inside, strictly, width, oracle = own[[*COUNTED]].sum()
        return f"{n:,.0f}", f"{inside / n:.0%}", f"{strictly / n:.0%}", f"{width / oracle:.2f}"

    lines = [(*key, *cells(own)) for key, own in found.groupby(["task", "design"])]
    names = ("task", "design", "nulls", "in the range", "without their error", "width by the oracle's")
    return table(names, 2, [*lines, ("all", "", *cells(found))])


def of_sizes(rows: pd.DataFrame) -> str:
    """Of the defaults: mean (lowest to highest) over the nulls, by task, design and metric."""
    own = rows[[default_of(design) == test for design, test in zip(rows.design, rows.procedure, strict=True)]]
    lines = []
    for (task, design), found in own.assign(size=own.rejected / own.n_datasets).groupby(["task", "design"]):
        by_metric = (f"{metric} {span(one.to_numpy())}" for metric, one in found.groupby("metric")["size"])
        lines.append((task, design, "; ".join(by_metric)))
    return table(("task", "design", "mean (lowest to highest) in %"), 3, lines)


def main() -> None:
    given = options(__doc__, held_out=False, jobs=2)
    rows = nulls()
    if not given.held_out:
        (SHIPPED / "rates.json").write_text(written(coefficients(rows)), encoding="utf-8")
        write_rows(SHIPPED / "measured.csv", table_of_measured())
        made = {"sizes": partial(of_sizes, rows)}
    else:
        found = counted(held_out(rows, given.jobs))
        found.to_csv(HELD_OUT, index=False, lineterminator="\n")
        print(of_held_out(found))
        made = {"held_out": partial(of_held_out, found)}
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), made), encoding="utf-8")


if __name__ == "__main__":
    from benchmarks.rates import main as of_module  # whose functions other processes find by their names

    of_module()
