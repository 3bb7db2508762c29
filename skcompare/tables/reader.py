"""A table -> what it is evidence of: which column is what, what was left out, what was assumed; or a refusal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
from scipy.stats import rankdata

from skcompare._core.numbers import agreeing, counted, listed, some_names
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.tables import columns as words
from skcompare.tables.form import FEW, LAST, MANY, NAMING
from skcompare.tables.predicted import Predicted, Tidy
from skcompare.tables.reading import KEYS, NOUNS, TELLING, Asked, Call, Names, Reading, UnclearError, ids, places
from skcompare.tables.source import FILES, HEADERS, ROWS, Table, worded

# Gaps up to this size are named one by one, and may be allowed; a table with larger ones would blow up.
_SMALL, _MOST_CELLS_PER_ROW = 1_000_000, 100
_AS = {kind: f"scores of {NOUNS[roles[0]]}s" for kind, roles in TELLING.items()}
_AS |= {"outcomes": "outcomes of items", "predictions": "predictions"}
_SMOOTH, _STEPS = 0.9, 10  # the least serial correlation of so many scores that are those of steps


@np.errstate(over="ignore", invalid="ignore")  # infinite cells are refused by their place
def read_as(table: Table, asked: Asked | None = None, kind: str | None = None) -> Reading:
    """What a table is evidence of, by what the user `asked`, or of a `kind` that is known.

    Raises
    ------
    UnclearError
        If it can be read in several ways, or in none.
    """
    return Reader(table, asked or Asked(), kind).read()


def natural(name: str) -> tuple[int, float, str]:
    """Numbers in their order, before other names in theirs."""
    return (0, float(name), "") if re.fullmatch(r"-?\d+(\.\d+)?", name) else (1, 0.0, name)


def _distinct(tidy: Mapping[str, Names], *roles: str) -> int:
    names = [words.distinct_cells(tidy[role])[0] for role in roles if role in tidy]
    return len(names[0] if len(names) == 1 else {*ids(tidy, roles).tolist()})


def _aside_in_rows(metrics: Sequence[str]) -> dict[str, str]:
    """Of metrics in a column those that are none, as of `cross_validate`, each with what it is; not all of them."""
    times = [x for x in metrics if {x} < {"fit_time", "score_time"} <= {*metrics}]
    roles = {x: words.role_of_name(x.replace("train_score", "train_accuracy")) for x in metrics}
    aside = dict.fromkeys(times, "time") | {x: str(role) for x, role in roles.items() if role == "training score"}
    return aside if len(aside) < len(roles) else {}


def _is_history(tidy: Tidy) -> bool:
    """Whether the scores of every model and metric hardly change from step to step, as those of a training.

    Steps are taken in their order, whatever that of the rows; runs that were sorted by their scores rise with none.
    """
    at, _ = places(tidy, [role for role in KEYS if role != "run"])
    steps = np.array([natural(x)[1] for x in tidy["run"].tolist()]) if "run" in tidy else np.arange(len(at))
    order, n = np.lexsort((steps, at)), len(np.unique(np.c_[at, steps], axis=0))
    rows = np.split(tidy["value"][order], np.cumsum(np.bincount(at))[:-1])
    smooth = (np.ptp(x[1:]) > 0 < np.ptp(x[:-1]) and np.corrcoef(x[1:], x[:-1])[0, 1] > _SMOOTH for x in rows)
    return n == len(at) and min(map(len, rows)) >= _STEPS and all(smooth)


def have_own_metrics(tidy: Tidy) -> bool:
    """Whether every data set has one metric, and not all have the same."""
    alone = "dataset" in tidy and _distinct(tidy, "dataset", "metric") == _distinct(tidy, "dataset")
    return alone and _distinct(tidy, "metric") > 1


def over_splits(tidy: Tidy, origin: str, missing: str | None) -> tuple[Tidy, tuple[CodedWarning, ...]]:
    """The means of the models over the splits of a data set on which all of them have a score; what was left out.

    A data set that would be lost whole is asked about where nothing is said of what is `missing`.
    """
    kept = {name: x[~np.isnan(tidy["value"])] for name, x in tidy.items()}
    models = Counter(kept["dataset"][places(kept, ("dataset", "model"))[1]].tolist())
    at, first = places(kept, of := ("dataset", "repeat", "split"))
    known = zip(np.bincount(at), kept["dataset"][first].tolist(), strict=True)
    full = np.array([n == models[dataset] for n, dataset in known], dtype=bool)[at]
    if not full.any():
        raise ValueError(f"{origin} must have a split that all models have; got none")
    kept = {name: x[full] for name, x in kept.items()}
    at, first = places(kept, ("model", "dataset", "metric"))
    means = {name: kept[name][first] for name in ("model", "dataset", "metric")}
    short = _distinct(tidy, *of) - _distinct(kept, *of)
    gone = {x: [*map(repr, dict.fromkeys(tidy[x][~np.isin(tidy[x], means[x])].tolist()))] for x in ("dataset", "model")}
    said = [f"{counted(short, 'split')} {agreeing(short, 'lacks', 'lack')} the score of some model"] * (short > 0)
    said += [f"all scores of {NOUNS[x]} {listed(names, 5)} are missing" for x, names in gone.items() if names]
    if said and (missing == "raise" or (missing is None and any(gone.values()))):
        raise UnclearError(f"{origin}: {', and '.join(said)}", origin, [{"missing": "drop"}])
    out = (Code.MISSING_SCORES(f"{', and '.join(said)}: left out."),) if said else ()
    return {**means, "value": np.bincount(at, weights=kept["value"]) / np.bincount(at)}, out


class Reader(Predicted):
    """One table while it is read: which scores count, what they are evidence of."""

    def unclear(self, says: str, *calls: Call) -> UnclearError:
        """A refusal, with calls whose columns of models have one metric, where their names have several."""
        ways = [[{**x, "models": own} for own in self._alike(x["models"])] if "models" in x else [x] for x in calls]
        return super().unclear(says, *{str(x): x for own in ways for x in own}.values())

    def _alike(self, names: Sequence[str]) -> list[list[str]]:
        """Columns by their metric where names cross several with models; else all, behind those that have the one."""
        found = {x: self._called(x) for x in names}
        groups = {one: [x for x in names if found[x][1] == one] for _, one in found.values() if one}
        several, rest = [own for own in groups.values() if own[1:]], [x for x in names if not found[x][1]]
        stems = tuple(found[x][0] for own in several for x in own if found[x][0])
        crossed = len(groups) > 1 and bool(several or len({*map(words.is_loss, groups)}) > 1)
        crossed |= any(x.startswith(stems) for x in rest)  # other quantities of the same models, or settings
        crossed |= bool(rest[1:] and several) and {*filter(self.broken, names)} == {*names} - {*rest}
        return several if crossed else [*several, [*names]]

    def read(self) -> Reading:
        return self._predictions() if self._is_predicted() else self._settled(self._melted())

    def _settled(self, tidy: Tidy) -> Reading:
        """The kind of evidence, of rows that stand for one score each."""
        tidy = self._of_finished(self._chosen_metrics(tidy))
        self._check_spellings(tidy)
        self._take_id(tidy)
        tidy = self._without_said(tidy)
        self._check_once(tidy)
        if "run" in tidy and "run" not in self.sure and _is_history(tidy):
            raise self.unclear(worded("history", run := self.roles["run"], LAST), {"run": run})
        self._check_density(tidy)
        tidy = self._named_by_files(self._without_summaries(tidy))
        self._check_shares(tidy)
        kind = self._kind_of(tidy)
        if kind in ("study", "folds") and {*tidy["metric"].tolist()} == {"score"} and self._are_ranks(tidy):
            tidy["metric"] = np.full(len(tidy["metric"]), "rank", dtype=object)
            self.notes.append(f"The numbers of every {'split' if kind == 'folds' else 'data set'} are ranks of models.")
        if self.kind not in (None, kind) and not (self.kind == "study" and kind == "folds" and "dataset" in tidy):
            told = [self.roles[role] for role in TELLING[kind] if self.roles.get(role) in self.columns]
            by = f" (column {told[0]!r})" if told else ""
            raise self.unclear(worded("another kind", _AS[kind], by, _AS[self.kind]))
        if kind == "runs" and self.roles["model"] == HEADERS:
            own = {name: x[~np.isnan(tidy["value"])] for name, x in tidy.items()}
            cases = [role for role in KEYS if role not in ("model", "metric")]
            if _distinct(own, *cases) == _distinct(own, *cases, "model") and _distinct(own, "model") > 1:
                tidy = own  # seeds that no two models share: a blank is no run that failed
        at = tidy.pop("row", None)  # none of means
        beside = [name for name in self.columns if name not in self.scores] if at is not None else []
        extra = {name: self.as_numbers(name)[at] for name in beside}
        used = [*self.roles.values(), *self.candidates("told")]
        if kind == "outcomes" and (name := self.roles.get("cluster")) in extra:
            tidy["cluster"] = extra[name]
        if kind == "outcomes" and all(re.fullmatch(r"0|[1-9]\d{0,17}", x) for x in {*tidy["item"].tolist()}):
            tidy["item"] = tidy["item"].astype(np.int64)
        noise = {"counter", "empty"}
        noise |= {*words.ASIDE} - {"size", "comparison"} if self.kind != "outcomes" else set()
        extra = {name: x for name, x in extra.items() if name not in used and self.left_out.get(name) not in noise}
        roles = {x: self.roles[x] for x in (*KEYS, "value", "cluster", "weight", "outcome") if x in self.roles}
        if kind == "folds":  # the design reads them
            self.left_out = {name: why for name, why in self.left_out.items() if words.size_of_name(name) is None}
        if kind != "outcomes":
            self.leave_out((name for name in self.candidates("text") if name not in roles.values()), "description")
            self.leave_out(filter(None, (roles.get("weight"),)), "unknown")
        return self._reading(kind=kind, columns=tidy, described=extra, roles=roles, told=self._told())

    def _of_finished(self, tidy: Tidy) -> Tidy:
        """Without scores of runs and folds that came to no end, beside some that did, whatever was logged last."""
        counted = {"run", "split"} & tidy.keys() and "row" in tidy
        for name in [x for x in self.columns if counted and words.is_listed(x, "states")]:
            cells = [*map(str, self.columns[name].tolist())]
            lost = np.array([words.is_listed(cell, "unfinished") for cell in cells])
            if lost.any() and any(words.is_listed(cell, "finished") for cell in cells):
                tidy = {**tidy, "value": np.where(lost[tidy["row"]], np.nan, tidy["value"])}
                self.notes.append(f"What did not finish, by column {name!r}, has no score.")
        return tidy

    def _told(self) -> dict[str, Any]:
        """What columns say that are called by arguments: one value, of directions one per metric."""
        found: dict[str, Any] = {}
        for name in self.candidates("told"):
            role, cells = words.plain(name), self.numbers[name]
            values = (cells.values.astype(bool) if cells.words else self.as_numbers(name)).tolist()
            by = self.roles.get("metric", "") if role == "greater_is_better" else ""
            keys = self.texts(by).tolist() if by in self.columns else [""] * len(values)
            own = dict(zip(keys, values, strict=True))
            if len({*zip(keys, values, strict=True)}) == len(own):
                found[role] = own.get("", own)
            elif role == "n_samples" and self.kind != "folds":  # it describes data sets
                self.left_out[name] = "size"
            else:
                per, said = " per metric" if by else "", some_names([*map(str, dict.fromkeys(values))], 3)
                raise ValueError(f"{role} must have one value{per} in its column {name!r}; got {said}")
        return found

    def _chosen_metrics(self, tidy: Tidy) -> Tidy:
        """The rows of the metrics that were asked for, of a table with a column that names metrics."""
        wanted = [name for name in (*self.asked.metrics, self.asked.metric) if name and name not in self.columns]
        known = list(dict.fromkeys(tidy["metric"].tolist()))
        lacking = [name for name in wanted if name not in known]
        graded = self.kind is None and ("item" in tidy or bool(np.isin(tidy["value"], (0, 1)).all()))
        if lacking and len(wanted) == 1 and known == ["score"] and "metric" not in self.roles and not graded:
            return {**tidy, "metric": np.full(len(tidy["metric"]), wanted[0], dtype=object)}
        if lacking:
            told = f"metric must be None where the table names its metrics, {some_names(known)}; got {lacking[0]!r}"
            said = f"metrics must name those of {self.table.origin}, {some_names(known)}; got {lacking[0]!r}"
            raise ValueError(told if self.is_told else said)
        aside = _aside_in_rows(known)
        wanted = wanted or [x for x in known if x not in aside] * bool(aside)
        self.left_out |= {x: why for x, why in aside.items() if x not in wanted}
        if not wanted:
            return tidy
        place = np.array([wanted.index(x) if x in wanted else -1 for x in tidy["metric"].tolist()])
        order = np.argsort(place, kind="stable")
        return {name: x[order[place[order] >= 0]] for name, x in tidy.items()}

    def _check_spellings(self, tidy: Tidy) -> None:
        """A refusal where two names that differ in case and separators alone, as RF and rf, never stand together."""
        for role in ("model", "dataset"):
            spelt: dict[str, list[str]] = {}
            for name in words.looked_at(tidy[role].tolist() if role in tidy else ()):
                spelt.setdefault(words.spelling(name), []).append(name)
            for one, other in (pair for names in spelt.values() for pair in combinations(names, 2)):
                rows = [np.flatnonzero((tidy[role] == name) & ~np.isnan(tidy["value"])) for name in (one, other)]
                cases, _ = places(tidy, [name for name in KEYS if name != role])
                a, b = ({*cases[own].tolist()} for own in rows)
                if a and b and a.isdisjoint(b):
                    raise self.unclear(worded("two spellings", one, other, NOUNS[role]))

    def _named_by_files(self, tidy: Tidy) -> Tidy:
        """The metric in names of files and in titles, where nothing else names it; asked about times and losses."""
        if self.kind is not None or self.asked.metric or {*tidy["metric"].tolist()} != {"score"}:
            return tidy
        found = self._titled()
        name = next((x for x in found if words.is_loss(x)), found[0] if found else "")
        role = words.role_of_name(name)
        beside = {*self.left_out.values(), *("deviation" for x in self.numbers.values() if x.beside is not None)}
        if not name or role in beside or self._are_ranks(tidy):  # as times beside scores
            return tidy
        if role in words.ASIDE or words.is_loss(name):
            said = worded("in a title", name)
            raise self.unclear(said, *[{"metric": name}] * (role != "deviation"), {"metric": "score"})
        self.notes.append("The metric is named beside the table.")
        return {**tidy, "metric": np.full(len(tidy["metric"]), name, dtype=object)}

    def _take_id(self, tidy: Tidy) -> None:
        """A column that numbers something: items where all is right or wrong, or rows beside other names of cases."""
        name = self.roles.pop("id", None)
        if name is None or name in tidy:
            return
        keyed = [role for role in ("item", "split", "repeat", "run") if role in tidy]
        key, model, dataset = (self.roles.get(role, HEADERS) for role in ("".join(keyed), "model", "dataset"))
        own = key in self.columns and not self.repeats(key)  # perhaps a seed of its own for every row
        if keyed == ["run"] and own and self.repeats(name) and "run" not in self.asked.columns:
            raise self.unclear(f"{key!r} and {name!r} could both number the scores", {"run": key}, {"split": name})
        counter = keyed or not self.repeats(name) or model not in self.columns
        if counter or (dataset in self.columns and self.determines(dataset, name)) or self.determines(name, model):
            self.left_out[name] = "counter"
        elif "outcome" in self.roles or self.kind == "outcomes" or bool(np.isin(tidy["value"], (0, 1)).all()):
            tidy["item"] = np.tile(self.texts(name), len(tidy["value"]) // self.table.n_rows)
            self.roles["item"] = name
        else:
            counted_on = self.numbers[name].values.max() <= self.distinct(name)  # and no numbers of a register
            calls = self.naming(name, NAMING if counted_on else ("item", "dataset", "split", "run"))
            raise self.unclear(f"nothing says what column {name!r} numbers", *calls)

    def _without_said(self, tidy: Tidy) -> Tidy:
        """Without names that are the same for all scores, or new for each: a seed per row, a single repeat."""
        weak = [x for x in ("item", "dataset") if words.is_listed(self.roles.get(x, ""), "registered")] * (not self.log)
        # Names that stand beside one model alone name no case that models share.
        there = [role for role in ("item", "split", "repeat", "run") if role in tidy]
        apart = [role for role in there if _distinct(tidy, role, "model") == _distinct(tidy, role)]
        for role in (*weak, *apart, "run", "split", "item", "repeat", "dataset"):
            others = [name for name in KEYS if name in tidy and name != role]
            cases = [name for name in others if name not in ("model", "metric")]
            if role not in tidy or role in self.sure or not cases or self.roles.get(role) == HEADERS:
                continue
            varies, known = _distinct(tidy, role) > 1, role in ("repeat", "dataset") and role not in (*weak, *apart)
            if varies and (known or (role in ("split", "repeat") and cases == ["run"])):
                continue  # what a run beside splits is must be said
            registered = role in weak and not bool(np.isin(tidy["value"], (0, 1)).all())
            if _distinct(tidy, *others) < len(tidy["value"]) and not registered:
                continue
            self.left_out[self.roles.pop(role, role)] = "description" if varies else "constant"
            tidy = {one: x for one, x in tidy.items() if one != role}
        if "run" in tidy and "run" in self.asked.columns and {"split", "repeat"} & tidy.keys():
            self._check_once(tidy)
            own = [name for name in KEYS if name in tidy and name != "run"]
            at, first = places(tidy, own)
            self.notes.append("Runs on one split were averaged.")
            model, n = places(tidy, ["model"])[0][first], np.bincount(at)
            most = np.zeros(model.max() + 1, dtype=np.intp)
            np.maximum.at(most, model, n)
            means = np.where(n < most[model], np.nan, np.bincount(at, weights=tidy["value"]) / n)  # not of fewer runs
            tidy = {**{name: tidy[name][first] for name in own}, "value": means}
        return tidy

    def _check_once(self, tidy: Tidy) -> None:
        """A refusal where a model has several scores of one case, with calls that name what differs."""
        present = [role for role in KEYS if role in tidy]
        at, first = places(tidy, present)
        if len(first) == len(at):
            return
        j = int(np.isin(np.arange(len(at)), first).argmin())
        i, n = int((at == at[j]).argmax()), self.table.n_rows
        what = ", ".join(f"{NOUNS[role]} {tidy[role][i]!r}" for role in present if role != "metric")
        says = f"{what} has several scores, in rows {self.table.place(i % n)} and {self.table.place(j % n)}"
        once = self.distinct(*self.columns) * len(at) == n * len(first)
        if once and np.array_equal(tidy["value"][first][at], tidy["value"]):
            raise self.unclear(f"{says}, and the same scores stand there again: leave the copies out")
        cases = [role for role in present if role not in ("model", "metric")]
        used = {*self.roles.values(), *self.scores, *self.candidates("told", "described")} - {self.roles.get("cluster")}
        others = [x for x in self.columns if x not in used and self.distinct(x) > 1 and not words.ends_as(x, "means")]
        for name in others:
            self._check_step(name, says)
        for name in filter(self._is_level, self.scores if self.roles["model"] == HEADERS else ()):
            raise self.unclear(f"{says}, and {name!r} may be a setting, and no model: give the rows of one value of it")
        free = [x for x in others if self.left_out.get(x) not in {*words.ASIDE} - {"size"}]
        free = [x for x in free if not (words.is_listed(x, "unnamed") and self.counts(x))]  # the index of a frame
        naming = [x for x in free if x not in self._aside() and not words.is_listed(x, "levels")]
        naming = [x for x in naming if self.numbers[x].bad is not None or not self.broken(x)]
        every = sorted((x for x in free if self._n_apart(at, x) == len(at)), key=self.repeats, reverse=True)
        apart = [x for x in every if x in naming and not any(words.is_listed(one, "levels") for one in every)]
        few = [x for x in free if 2 * self.distinct(x) <= n and self._n_apart(at, x) > len(first)]
        calls = [call for name in apart for call in self.naming(name, self._may_name(name, cases))]
        named = {role: x for role in ("model", "dataset") if (x := self.roles.get(role, "")) in self.columns}
        if _is_history(tidy):
            says += f", which hardly change from row to row, as in the training of one run: {LAST}"
            calls = self.naming(apart[0] if apart else ROWS, ["run"])
        elif apart and "item" not in cases:
            # what is new in most rows, as seeds and sentences are, is no setting of a model
            own = words.role_of_name(apart[0]) not in (*KEYS[1:], "id") and 2 * self.distinct(apart[0]) <= n
            both = {role: {role: f"{x} + {apart[0]}"} for role, x in named.items() if own or role != "model"}
            if "dataset" in both and self.numbers[apart[0]].share < 1:  # first where it is a text
                calls = [both.pop("dataset")] * (not words.is_listed(apart[0], "settings", "notes")) + calls
            calls += both.values()
        elif few and not apart:
            says += f": give the rows of one value of {some_names(few)}"
            said = [x for x in few if "model" not in named or not self.determines(x, named["model"])][:6]
            said = said if "dataset" in named else [x for x in said if x not in self._aside()]
            ways = (own for k in range(1, 5) for own in combinations(said, k))
            alone = next((own for own in ways if self._n_apart(at, *own) == len(at)), few)
            sets = alone[0] in said and (self.numbers[alone[0]].share < 1 or alone[0] in self._aside())
            sets &= 2 - ("dataset" in named) <= len(alone) < 5 and not words.is_listed(alone[0], "settings", "levels")
            of = (["dataset"] * sets + ["model"] * (len(alone) < 3)) * (not any(map(words.of_sources, few)))
            calls = [{x: " + ".join(filter(None, (named.get(x), *alone)))} for x in of if x in named or x == "dataset"]
            if [*map(words.of_sources, alone)].count(True) == 1 == len(alone) - 1 and not cases:  # organs of patients
                calls = [{"item": max(alone, key=words.of_sources), "dataset": min(alone, key=words.of_sources)}]
            calls += [{"item": ROWS, "cluster": x} for x in few if self.roles["model"] == HEADERS and not cases]
        elif not apart:
            drawn = any(words.is_listed(str(self.columns[x][0]), "resamplings") for x in self.columns)
            roles = ("repeat" if drawn else "split", "run", *["item"] * (not cases))
            calls = [{role: ROWS} for role in roles if role not in cases]
        if "item" in cases and (item := self.roles.get("item", "")) in self.columns:
            calls.append({"item": ROWS, "cluster": self.asked.cluster or item})
        if FILES in self.table.columns.keys() - self.columns.keys():
            by_files = self.naming(FILES, [x for x in ("dataset", "split", "run") if x not in cases])
            calls = by_files if self._n_apart(at, FILES) == len(at) else [*calls, *by_files]
        raise self.unclear(says + self._unshared(apart), *calls[:7])

    def _may_name(self, name: str, cases: Sequence[str]) -> list[str]:
        """What a column may name that tells the scores of one case apart: users are no runs."""
        if words.is_listed(name, "settings", "notes"):  # data sets where each model has all
            own = [x for x in (self.roles["model"], name) if x in self.columns]
            return ["dataset"] * ("dataset" not in cases and self.distinct(*own) == prod(map(self.distinct, own)))
        if "item" in cases:  # languages are no runs
            runs = self.numbers[name].share == 1 or words.of_sources(name) or words.numbered(self.texts(name).tolist())
            return ["run" if runs else "dataset"]
        roles, means = ["run", "split", "repeat", "item", "dataset"], "deviation" in self.left_out.values()
        if words.of_sources(name) or words.role_of_name(name) == "label":
            roles = ["item", "dataset"]
        elif self.numbers[name].share == 0:
            often = Counter(self.columns.get(self.roles["model"], np.empty(0)).tolist())  # a model with one has no runs
            last = ["model"] if self.repeats(name) else ["run"] * (1 not in often.values())
            last = ["split"] if words.role_of_name(name) == "split" else last
            roles, means = ["dataset", "item", *last], means or not {"split", "repeat"}.isdisjoint(cases)  # settings
        return [role for role in roles if role not in cases and not (role == "item" and means)]  # which have none

    def _n_apart(self, rows: Names, *names: str) -> int:
        """How many rows differ in the other names, or in some columns; 0 where these have no cell for each."""
        times, rest = divmod(len(rows), self.table.n_rows)
        own = [(self.table.columns | self.columns)[name].astype(str).tolist() * times for name in names]
        return 0 if rest else len({*zip(rows.tolist(), *own, strict=True)})

    def _check_density(self, tidy: Tidy) -> None:
        """A refusal of a table that would be far larger with a row for everything than it is."""
        cases = [role for role in KEYS if role in tidy and role not in ("model", "metric")]
        n, n_rows = prod((_distinct(tidy, "model", "metric"), _distinct(tidy, *cases))), len(tidy["value"])
        if n > max(_SMALL, _MOST_CELLS_PER_ROW * n_rows):
            what = " and ".join(NOUNS[role] for role in cases)
            raise self.unclear(f"it must hold every model on every {what}; that takes {n} rows, and it has {n_rows}")

    def _without_summaries(self, tidy: Tidy) -> Tidy:
        """Without rows and columns that sum up the others; what names are given to a function for stays."""
        if self.is_told and self.roles["model"] != HEADERS:
            return tidy
        case = next((role for role in ("item", "dataset", "split", "run") if role in tidy), None)
        case = None if case == "item" and not any(map(words.is_summary, tidy["item"][-FEW:])) else case
        for role in filter(None, (case, "model")):
            matrix, names = self._matrix(tidy, role)
            if len(names) < 2 or (role in ("split", "run") and all(re.fullmatch(r"\d+", name) for name in names)):
                continue  # a numbered split may have the mean of the others
            sums = words.summaries(matrix, names, ranked=role != "model")
            found = [x for x, is_one in zip(names, sums, strict=True) if is_one and x not in self.asked.models]
            others, of = matrix[~np.isin(names, found)], role == "model"
            wrong = [x for x in found if words.is_no_sum(x, matrix[names.index(x)], others, of_models=of)]
            short = [{role: self.roles.get(role)}] * (
                not of and all(words.is_listed(x, "short", "counts") for x in wrong)
            )
            if wrong and not (short and role in self.asked.columns):  # of classes slow, avg, fast
                says = f"{wrong[0]!r} is called like what sums up others, and has other numbers"
                both = [{"models": names}] * (of and self.roles[role] == HEADERS)
                raise self.unclear(f"{says}: give it another name, or leave it out", *both, *short)
            found = [x for x in found if x not in wrong]
            if found and self.kind == "study" and role == "dataset":
                raise self.unclear(worded("a sum", found[0], some_names(found)))
            if found:
                self.notes.append(f"Left out as sums of the other {NOUNS[role]}s: {some_names(found)}.")
                tidy = {name: x[~np.isin(tidy[role].astype(str), found)] for name, x in tidy.items()}
            asked = role == "model" or role in self.asked.columns or words.is_loss(tidy["metric"][0])
            if not asked and matrix.shape[1] > 1 and _distinct(tidy, "metric") == 1:
                matrix, names = self._matrix(tidy, role)
                odd = ((matrix < 0) | (matrix > 1)).any(axis=1)  # where all others, three or more, are shares
                odd &= (odd.sum() <= 2 <= len(names) - 2 * odd.sum()) & ((matrix > 1).all(axis=1) | (self.kind is None))
                if odd.any():
                    says = f"row {names[int(odd.argmax())]!r} has numbers above 1, and all others are between 0 and 1"
                    calls = self.naming(self.roles.get(role, HEADERS), [role])
                    raise self.unclear(f"{says}: leave it out where it is no score", *calls)
        return tidy

    def _check_shares(self, tidy: Tidy) -> None:
        """A refusal where some scores of a metric such as accuracy are shares, and others percentages."""
        for metric in dict.fromkeys(tidy["metric"].tolist()):
            x = np.where(tidy["metric"] == metric, tidy["value"], np.nan)
            share, percent = (x > 0) & (x < 1), (x > 1) & (x <= 100)
            of_shares = words.is_measure(metric) and not words.is_loss(metric, surely=False)
            if not of_shares or not share.any() or not percent.any() or (x < 0).any() or (x > 100).any():
                continue
            low, high = x[percent].min(), x[percent].max()
            far = np.abs((near := 100 * x[share]) - (low + high) / 2) > 1.5 * (high - low) + 5
            if (far & ((near < low / 1.5) | (near > 1.5 * high))).any():
                continue  # a share of them would be no score like the others
            i = int((share if share.sum() <= percent.sum() else percent).argmax())
            cell = ", ".join(f"{NOUNS[role]} {tidy[role][i]!r}" for role in KEYS if role in tidy)
            others = "percentages" if share[i] else "shares"
            raise self.unclear(f"{cell}: {x[i]:g}, and other scores are {others}: write all in one way")

    def _are_ranks(self, tidy: Tidy) -> bool:
        """Whether the scores of every case are the places of the models, from 1."""
        matrix, _ = self._matrix(tidy, "model")
        ways = [rankdata(matrix, method=way, axis=0, nan_policy="omit") for way in ("average", "min", "dense")]
        enough = len(matrix) > 1 and matrix.shape[1] >= FEW and bool((matrix != matrix[0]).any())
        return enough and any(np.array_equal(ranks, matrix, equal_nan=True) for ranks in ways)

    def _matrix(self, tidy: Tidy, role: str) -> tuple[FloatArray, list[str]]:
        """Scores with a row per name of a role, and a column for everything else; and these names."""
        rows, names = places(tidy, [role])
        columns, cells = places(tidy, [one for one in KEYS if one != role])
        found = np.full((len(names), len(cells)), np.nan)
        found[rows, columns] = tidy["value"]
        return found, tidy[role][names].tolist()

    def _kind_of(self, tidy: Tidy) -> str:
        """Of what the rows are evidence."""
        if _distinct(tidy, "model") < 2:
            texts = [name for name in self.candidates("text") if name not in self.roles.values()]
            more = f"; {some_names(texts)} hold{'s' if len(texts) == 1 else ''} text" if texts else ""
            if texts or (self.roles.get("model") == HEADERS and self.kind is None and not self.asked.models):
                (name, *_), only = tidy["model"], not texts
                raise self.unclear(f"it must hold two or more models; got {name!r}{more}", *[{"models": [name]}] * only)
        if "item" in tidy and (self.kind is not None or _distinct(tidy, "item") > 1):
            return "outcomes"
        telling = next((role for role in ("run", "split", "repeat", "dataset") if role in tidy), "")
        name = self.roles.get(telling, "")
        if telling == "run" and {"split", "repeat"} & tidy.keys():
            raise self.unclear(worded("runs or repeats", name), {"repeat": name}, {"run": name})
        metrics = {x: tidy["value"][tidy["metric"] == x] for x in dict.fromkeys(tidy["metric"].tolist())}
        graded = any(len(x) >= MANY and {0, 1} == {*x.tolist()} for x in metrics.values())
        if telling and graded and self.kind is None and telling not in self.asked.columns:
            raise self.unclear(worded("right or wrong", name, NOUNS[telling]), *self.naming(name, ("item", telling)))
        if telling in ("split", "repeat", "run"):
            return "runs" if telling == "run" else "folds"
        if "dataset" in tidy and (_distinct(tidy, "dataset") > 1 or self.kind == "study"):
            return "study"
        what = f"model and metric, {some_names([*metrics])}" if len(metrics) > 1 else "model"
        raise self.unclear(worded("one score", what))
