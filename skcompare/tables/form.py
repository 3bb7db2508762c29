"""The form of a table: models in columns, in rows or named row by row -> one row per score."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations, takewhile
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from skcompare._core.numbers import some_names
from skcompare._core.validation import FloatArray
from skcompare.tables import columns as words
from skcompare.tables.reading import KEYS, LEFT, NOUNS, Call, Named, Names, UnclearError, places
from skcompare.tables.source import FILES, HEADERS, ROWS, SCORE, UNNAMED, worded

MANY = 20  # zeros and ones that are hardly scores of splits
CASES = ("dataset", "item", "split", "repeat", "run")
NAMING = ("split", "run", "dataset", "item")  # what numbers may name, the likeliest first: data sets have names
LAST = "keep one row of each run, such as the last"
_SENTENCE = 40  # characters that are a text to be labelled, and no name
FEW = 4  # rows whose scores are not all whole by chance, and columns that are not called by numbers so


class Form(Named):
    """One table while it becomes a row per score."""

    scores: Sequence[str] = ()  # the columns of scores, once they are found
    turned = False  # models stand in the rows, data sets in the columns

    def _values_of(self, names: Mapping[str, str]) -> dict[str, FloatArray]:
        """Columns, each with its metric, as numbers; ValueError that quotes the first cell that is none."""
        signed = [name for name in names if self.numbers[name].percent.any()]
        percents, have = {names[name] for name in signed}, some_names(signed, 3)
        no_sign = f"{{}} has no percent sign, and cells of {have} have: write all in one way, or leave a column out"
        for name, metric in names.items():
            cells = self.numbers[name]
            if cells.bad is not None:
                alone = cells.beside is not None and np.isnan(cells.beside[cells.bad])  # among pairs of numbers
                other = alone and np.isfinite(cells.values[cells.bad])
                why = worded("written otherwise") if other else worded("no number")
                ended = not words.is_listed(str(self.columns[name][cells.bad]), "unfinished")
                raise self.no_number(name, why if ended else worded("unfinished"))
            bare = ~cells.percent & (np.abs(cells.values) > 1) & (metric in percents)
            for wrong, what in ((np.isinf(cells.values), "a score must be finite; got {}"), (bare, no_sign)):
                if wrong.any():
                    cell = repr(str(self.columns[name][at := int(wrong.argmax())]))
                    raise self.unclear(f"{self.row(at, name)}: {what.replace('{}', cell, 1)}")
        self.notes += ["Percentages were divided by 100."] * bool(percents)
        if any(self.numbers[name].beside is not None or self.numbers[name].marked for name in names):
            self.notes.append("What stands behind numbers in cells, a deviation, an interval or a mark, was left out.")
        return {name: self.numbers[name].values for name in names}

    def _melted(self) -> dict[str, Names]:
        """One row per score, whatever stood in the rows and columns."""
        values, role = self._scores()
        self.scores = values
        split, means = (self._pairs(values) or {}) if role == "pairs" else {}, words.means_of(self.numbers)
        asked = {*self.asked.columns.values(), *self.asked.models, *self.asked.metrics}
        own = {name: name if name in asked else means.get(name, name) for name in values}
        if called := [of for name, of in own.items() if name != of and not split]:
            self.notes.append(f"The means of {some_names(called)} are read.")
        metrics = {name: split[name][1] if split else own[name] if role == "metric" else "score" for name in values}
        numbers = self._values_of(metrics)
        there = {one: name for one, name in self.roles.items() if one in KEYS and one != role}
        keys = {one: self.texts(name) for one, name in there.items() if name in self.columns}
        keys |= {one: self._counted(keys) for one, name in there.items() if name == ROWS and one not in keys}
        n, k = self.table.n_rows, len(values)
        tidy = {name: np.tile(x, k) for name, x in keys.items()}
        if split:
            self._check_crossed([*dict.fromkeys(name for name, _ in split.values())])
            for i, one in enumerate((self._of_pairs(split) if "model" in self.roles else "model", "metric")):
                tidy[one] = np.repeat(np.array([split[name][i] for name in values], dtype=object), n)
                self.roles[one] = HEADERS
        elif role in KEYS:
            tidy[role] = np.repeat(np.array([*own.values()], dtype=object), n)
            self.roles[role] = HEADERS
        tidy["value"] = np.concatenate([numbers[name] for name in values])
        if "metric" not in tidy:  # the name of its column, unless that says no more than score
            named = words.role_of_name(values[0]) not in ("value", "outcome") and not words.is_statistic(values[0])
            named |= values[0] in (self.asked.metric, *self.asked.metrics)
            said = [own[values[0]]] if named and role == "value" and values[0] != FILES else []
            if self.kind is None:  # the corner of a table may name what is in its cells, or the names of listed models
                corners = [self.roles.get(one, "") for one in ("dataset", "model")]
                said += [one for one in corners if one in self.columns and words.is_measure(one)]
                ways = [{m for _, m in self._ways(x)} or {*words.measures_in(x)} for x in values if role == "model"]
                said += sorted(set.intersection(*ways), key=len, reverse=True) if ways else []
            tidy["metric"] = np.repeat(np.array([*said, "score"][0], dtype=object), n * k)
        elif role == "value" and self.kind is None and words.is_loss(values[0]):
            tidy["metric"] = self._as_errors(tidy["metric"], values[0])
        if {"fit_time", "score_time"} <= {*self.columns, *tidy["metric"]} and role in ("metric", "value"):
            tidy["metric"] = np.array([name.removeprefix("test_") for name in tidy["metric"].tolist()], dtype=object)
        return {**tidy, "row": np.tile(np.arange(n), k)}

    def _as_errors(self, metrics: Names, name: str) -> Names:
        """Names of metrics whose scores stand in a column of errors, as 1 - roc_auc does in metric_error."""
        turned = {metric: metric if words.is_loss(metric) else f"{metric} error" for metric in metrics.tolist()}
        if odd := [metric for metric, said in turned.items() if metric != said]:
            self.notes.append(f"{name!r} has errors: less is taken for better, on {some_names(odd)} too.")
        return np.array([turned[metric] for metric in metrics.tolist()], dtype=object)

    def _counted(self, keys: Mapping[str, Names]) -> Names:
        """The number of each row among those with the same names."""
        at, _ = places({**keys, "": np.empty(self.table.n_rows)}, [*keys])
        found = np.empty(len(at), dtype=object)
        found[np.argsort(at, kind="stable")] = [str(i) for n in np.bincount(at).tolist() for i in range(n)]
        return found

    @property
    def _keyed(self) -> list[str]:
        """What names the cases, as far as it is known."""
        return [role for role in CASES if role in self.roles or role == self.header]

    def _scores(self) -> tuple[list[str], str | None]:
        """The columns of scores, and what their names are: a role, "pairs" of model and metric, or "value"."""
        asked, numbers = self.asked, [name for name in self.columns if name in self.candidates("number")]
        self._refuse_summaries()
        if asked.models and "model" not in self.roles:
            self.leave_out((name for name in numbers if name not in asked.models), "unasked")
            return [*asked.models], "model"
        chosen = [x for x in (*asked.metrics, asked.metric) if x in self.columns and x != self.roles.get("metric")]
        value = self.roles.get("value") or self.roles.get("outcome")
        alone = "model" in self.roles and not self._keyed and not self.repeats(self.roles["model"]) and len(numbers) > 1
        if not chosen and value and ("value" in asked.columns or ("model" in self.roles and not alone)):
            both = [value, *(name for name in numbers if words.is_score(name) and not self._describes(name))]
            asks = not self.is_told and "value" not in asked.columns
            graded = asks and value == self.roles.get("outcome") and not {"item", "id"}.isdisjoint(self.roles)
            if len(both) > 1 and asks and not graded:
                raise self.unclear(f"{some_names(both)} could all be scores", *({"value": name} for name in both))
            chosen = [x for x in both if x == value or (graded and not words.ends_as(x, "burdens"))]
        if chosen:
            self._needs_model(chosen)
            self.leave_out((name for name in numbers if name not in chosen), "unasked")
            self.left_out = {name: why for name, why in self.left_out.items() if name not in chosen}
            return chosen, "metric" if len(chosen) > 1 else "value"
        numbers = [name for name in self.columns if name in (*numbers, value)]
        for name in numbers:
            self._check_step(name, "its rows are no cases")
        numbers = self._without_differences(self._without_counters(numbers))
        if all((words.is_listed(x, "unnamed") or words.of_sources(x)) and not self.broken(x) for x in numbers):
            raise self._no_scores()
        named = [name for name in self.columns if name not in numbers and not self.repeats(name)]
        if len(numbers) > 2 and any({*numbers} == {*map(str, self.columns[name].tolist())} for name in named):
            raise self.unclear("its rows and its columns have the same names: numbers of pairs are no scores of models")
        header = self.header or words.role_of_name(self.table.header)
        if header == "model" and "model" not in self.roles and not (self.header and self._pairs(numbers)):
            self._check_scale(numbers)
            self._name_rows(numbers)
            return numbers, "model"
        if header in CASES:
            one = f"scores of {NOUNS[header]}s (where they are of one model, give a file per model)"
            self._needs_model(numbers, one if self.header is None else "scores")
            texts = self.candidates("text")
            if self.header is None and len(texts) == 1 and self.repeats(self.roles["model"]):
                self.roles.setdefault("dataset", texts[0])
            bare = [name for name in numbers if name.isdigit()] or numbers
            self.leave_out((name for name in numbers if name not in bare), "counter")
            return bare, "pairs" if header == "dataset" and any("\u2193" in x for x in bare) else header
        if (role := self._numbered(numbers)) is not None:
            return [name for name in self._without_words(numbers) if name not in self.left_out], role
        return self._of_models(numbers) if "model" in self.roles else self._columns_of_models(numbers)

    def ways_to_name(self, role: str, texts: Sequence[str]) -> list[Call]:
        """Calls by which a column of names has a role; of two that repeat one has models, likely the shorter list."""
        texts = [x for x in texts if self.distinct(x) > 1 and (role != "model" or not self._is_of_cases(x))]
        if len(texts) != 2 or not all(map(self.repeats, texts)):
            return [{role: name} for name in (*texts, *[FILES] * (FILES in self.table.columns))]
        one, other = sorted(texts, key=self.distinct)
        return [{"model": one, "dataset": other}, {"model": other, "dataset": one}]

    def _is_of_cases(self, name: str) -> bool:
        """Whether a column holds data sets, sentences, or another of many names in every row: no models."""
        names = words.looked_at(self.columns[name].tolist())
        known, unlike = words.like_learners(names), len(names) > 50 and not self.repeats(name)
        unlike |= self.numbers[name].share == 1 and words.FORMS["person"].fullmatch(words.plain(name)) is not None
        return known < 0 or (10 * known < len(names) and (unlike or sum(map(len, names)) > _SENTENCE * len(names)))

    def _needs_model(self, values: Sequence[str], what: str = "scores", *calls: Call) -> None:
        """UnclearError where nothing names the models of some columns."""
        if "model" not in self.roles:
            aside = f"; {some_names(left)} hold times, sizes, deviations or ranks" if (left := self._aside()) else ""
            says = f"{some_names(values)}: {what}{aside}, and nothing names models. {self.needs}"
            others = [x for x in self.candidates("number") if x not in values]
            called = [x for x in others if words.role_of_name(x) == "model" or self._is_level(x)]  # TREC's run is one
            called += [x for x in [self.roles.get("run", "")] if x in self.columns and self.numbers[x].share == 0]
            called += [x for x in self.candidates("text") if not (self.repeats(x) and self._describes(x))]
            names = [x for x in values if self.broken(x)]  # of cases with two names
            both: list[Call] = [{"models": names}] * (len(names) > 1 and not calls and words.like_learners(names) > 0)
            raise self.unclear(says, *both, *self.ways_to_name("model", called), *calls)

    def _is_level(self, name: str) -> bool:
        """Whether numbers repeat, and differ in the rows of each case, as the levels of a setting do."""
        cases, n = [x for role in CASES if (x := self.roles.get(role, "")) in self.columns], self.table.n_rows
        return self.distinct(*cases) < n == self.distinct(name, *cases) >= 2 * self.distinct(name) if cases else False

    def _refuse_summaries(self) -> None:
        """UnclearError where there is one row per model, with a mean and a deviation, or quartiles."""
        cells = [self.columns[name].tolist() for name in self.candidates("text", "metric", "label")]
        for names in (self.columns, *cells):
            found = {*map(words.plain, words.looked_at(names))}
            if {"25%", "75%"} <= found or {"1st_qu", "3rd_qu"} <= found or {"q1", "median", "q3"} <= found:
                raise self.unclear("it describes scores by their mean and quartiles: give the scores")
            if {("macro", "_avg"), ("weighted", "_avg")} <= {name.partition("_avg")[:2] for name in found}:
                raise self.unclear("it is a report on the classes of one model: give the predictions of all models")
        name = self.roles.get("model", "")
        if name in self.columns and not {*self._keyed} - {"run"}:
            models = self.texts(name).tolist()
            numeric = {x: own for x, own in self.numbers.items() if own.share == 1 and x != name}
            if call := words.unpaired_call(models, numeric):
                raise self.unclear(worded("unpaired", models[0], models[1], call))

    def _check_step(self, name: str, says: str) -> None:
        """UnclearError where a column counts through a training, or how far ahead forecasts look."""
        at, own = self.numbers[name].values, self.roles.get("run", "")  # in whose single row epochs are a setting
        counts = words.is_listed(name, "steps") and (own not in self.columns or self.repeats(own))
        counts &= not (self.roles.get("model") in self.columns and self.determines(self.roles["model"], name))
        called = len(name) > 1 or "model" in self.roles  # h may be a model
        horizon = called and words.is_listed(name, "horizons") and not (self.broken(name) or self._describes(name))
        charted = name.endswith(" - _step") and "run" not in self.asked.columns  # as Weights & Biases exports charts
        if (horizon or charted or counts) and self.distinct(name) > 1:
            rounds = ("run" in self.roles) if charted else words.is_listed(name, "rounds") and "run" not in self.roles
            says += worded("horizon", name, np.nanmin(at)) if horizon else worded("step", name, np.nanmax(at), LAST)
            number = self.roles.get("run", name)
            raise self.unclear(says, *self.naming(number, ["repeat" if "split" in self.roles else "run"] * rounds))

    def _aside(self) -> list[str]:
        return [name for name, why in self.left_out.items() if why in words.ASIDE]

    def _no_scores(self) -> UnclearError:
        texts = [name for name in self.candidates("text") if words.role_of_name(name) in ("value", "outcome")]
        if texts := texts or [name for name in self.candidates("text") if self.numbers[name].share > 0]:
            return self.no_number(texts[0], "is no number, and no other column has scores")
        left = self._aside()
        aside = f"; {some_names(left)} hold {', '.join(sorted({LEFT[self.left_out[name]] for name in left}))}"
        says = f"it has no column of scores among {some_names([*self.columns])}{aside if left else ''}. {self.needs}"
        return self.unclear(says, *({"value": name} for name in left if self.left_out[name] == "time"))

    def _without_counters(self, names: list[str]) -> list[str]:
        """Columns but those that number the rows: items, where all else is right or wrong."""
        named = {"model", *CASES} & self.roles.keys() or self.header in CASES or self.unique_texts()
        counters = [name for name in names if self.counts(name, evenly=not named)]
        rest = [name for name in names if name not in counters]
        few = all(self.broken(name) or 2 * self.distinct(name) <= self.table.n_rows for name in rest)
        if not counters or not rest or not few:
            return names  # where scores are many integers, these may be some too
        if named or (self.candidates("text") and words.is_listed(counters[0], "unnamed")):
            self.leave_out(counters, "counter")
        elif self.kind is None and "id" not in self.roles and self.table.n_rows >= MANY and self.all_words(rest):
            self.roles["item"] = counters[0]
        else:
            raise self._counting(counters[0])
        return rest

    def _counting(self, name: str, **more: Any) -> UnclearError:
        """A refusal where a column has a number, or a code, for each row."""
        return self.unclear(worded("numbered rows", name), *self.naming(name, NAMING, **more))

    def _without_differences(self, names: list[str]) -> list[str]:
        """Columns but those that are the difference of two others."""
        model, values = self.roles.get("model"), {name: self.numbers[name].values for name in names}
        if not 3 <= len(names) <= 40 or (model in self.columns and (self.repeats(model) or self.table.n_rows < FEW)):
            return names
        signed, derived = [name for name in names if (values[name] < 0).any() or name == names[-1]], list[str]()
        for name in [one for one in signed if not np.isin(values[one], (0, 1)).all()]:
            x, others = values[name], [own for one, own in values.items() if one != name]
            near = 1e-3 * np.abs(x).max()
            derived += [name] * any((np.abs(x - a + b) < near).all() for a, b in permutations(others, 2))
        picked = [x for x in names if words.ends_as(x, "picked") and self.broken(x)]
        derived += [x for x in picked if np.any([values[x] == values[y] for y in {*names} - {*picked}], axis=0).all()]
        self.leave_out(derived, "comparison")
        return [name for name in names if name not in derived]

    def _of_models(self, numbers: list[str]) -> tuple[list[str], str]:
        """Of a table that names the model of a row: metrics in columns, or data sets, folds and runs."""
        known = [x for x in numbers if words.is_score(x) or (self.log and words.is_listed(x, "graded"))]
        counts = [x for x in numbers if words.is_listed(x, "of_confusion") or words.ends_as(x, "of_confusion")]
        if len(counts) > 1 and not known:
            raise self.unclear(f"{some_names(counts)} are counts: give a metric that is made of them, such as accuracy")
        self.leave_out(counts if known else (), "comparison")
        numbers = [name for name in numbers if not (known and name in counts)]
        name, ids = self.roles["model"], self.roles.get("id")
        several = bool(self._keyed or (ids is not None and self.repeats(ids)) or self.repeats(name))
        pairs = self._pairs([x for x in numbers if not self.numbers[x].words], several)
        if pairs is not None and self._of_pairs(pairs) not in self._keyed:
            self.leave_out((name for name in numbers if name not in pairs), "sum")
            return [*pairs], "pairs"
        if several:
            ending = [name for name in numbers if known and any(name.endswith(way[1]) for way in self._ways(name))]
            return self._metrics(numbers, [name for name in numbers if name in (*known, *ending)])
        told = "model" in self.asked.columns or name in (FILES, HEADERS)
        if not told and self._rows_are_models(name, numbers) is False:
            raise self._names_either(name, {"dataset": HEADERS})  # as pandas prints a frame whose columns have a name
        numbers = self._without_words(numbers)
        small = [x for x in numbers if x not in known and np.nanmax(self.numbers[x].values) < 10]
        whole = [x for x in small if not self.broken(x) and self.distinct(x) > 1]
        among = self.table.n_rows >= FEW and not told and 2 * sum(map(self.broken, numbers)) > len(numbers)
        raw = [x for x in numbers if re.sub("(?i)[ _-]raw$", "", x) in {*numbers} - {x}]  # beside what was made of them
        self.leave_out(aside := [*raw, *whole * among], "description")  # as generations of models among decimals
        if len(numbers) > 1 and self.all_words(numbers) and not known:
            if len(numbers) < MANY and not words.counted_through(numbers):
                raise self.unclear(f"{some_names(numbers)} may describe the models", {"model": name, "item": HEADERS})
            return numbers, "item"
        others = [one for one in numbers if one not in (*known, *self.left_out) and not words.is_statistic(one)]
        sums = [one for one in numbers if one not in (*others, *aside)]
        self._check_evidence(others, any(map(self.broken, others)), {"model": name, "dataset": HEADERS})
        if (any(map(self.broken, sums)) and not any(map(self.broken, others))) or len(known) >= len(others):
            return numbers, "metric"  # one number each, which is refused
        broken = {self.broken(one) for one in others if np.nanmax(self.numbers[one].values) > 1}
        mixed = len(broken) > 1 and self.table.n_rows >= FEW and words.like_learners(others) >= 0  # counts among scores
        mixed |= not broken and len({bool(self.numbers[one].percent.any()) for one in others}) > 1
        mixed |= sum(n > 1 for n in Counter(x.partition(".")[0] for x in others if "." in x).values()) > 1  # of records
        cells, ranks = [self.numbers[one].values for one in others], self.candidates("rank")
        most, least = sorted(map(np.nanmax, cells)), max(map(np.nanmin, cells))
        mixed |= bool(len(most) > 2 and most[-2] <= 100 < least < np.inf)  # a count among percentages
        added = [] if told else [x for x in self._added(others) if not words.ends_as(x, "compared")]
        said = [one for one in others if self._ways(re.sub("(?<=[a-z])(?=[A-Z])", " ", one)) and not told]
        free = [x for x in others if not words.is_summary(x)]
        rates = [x for x in free if words.ends_as(x, "shares", "compared") or words.is_listed(x.split("_")[0], "means")]
        called = known or [x for x in others if {*"\u2191\u2193"} & {*x}] or said * (len(said) < len(others)) or rates
        if called or added or self.table.n_rows == 1 or (mixed and not told):
            rest = added or [x for x in others if x not in called] or others
            says = f"{some_names(called)} are called like metrics, " if called and called != rest else ""
            says += f"{some_names(rest)} may be data sets, or describe the models"
            alike = {way[0] for x in said for way in self._ways(x)}  # mse_calculated, r2_calculated
            sure = not known and not added and 2 * len(rates) <= len(others) and not len(said) > len(alike) == 1
            raise self.unclear(f"{says}, and a model has one row", *[{"model": name, "dataset": HEADERS}] * sure)
        several = not told and len(others) > 1 and self.table.n_rows > 2 * FEW  # few rise by chance
        if several and any(np.corrcoef(self.numbers[x].values, np.mean(cells, axis=0))[0, 1] > 0.5 for x in ranks):
            both = [{"model": name, "dataset": HEADERS, "greater_is_better": x} for x in (False, True)]
            raise self.unclear(f"{some_names(others)} rise with {some_names(ranks)}: less of them may be better", *both)
        self.leave_out(sums, "sum")
        return others, "dataset"

    def _numbered(self, numbers: list[str]) -> str | None:
        """The role of headers such as fold1, fold2, without a mean of these; a refusal where they are bare numbers."""
        if any(map(SCORE.fullmatch, numbers)) and any(map(str.isdigit, numbers)):  # the first of rows without a header
            raise self.unclear(f"{next(filter(SCORE.fullmatch, numbers))!r} {UNNAMED}")
        scores, texts = [name for name in numbers if not self.numbers[name].words], self.unique_texts()
        own = [name for name in scores if not (words.is_summary(name) or words.is_statistic(name))]
        own = several if len(several := [x for x in own if words.numbered([x])]) > 1 else own  # lr beside fold1, fold2
        has_model, named = "model" in self.roles, self.roles.get("model") or (texts[0] if len(texts) == 1 else None)
        if not scores or not (has_model or self.kind is None):
            return None
        bare = all(re.fullmatch(r"\d+", name) for name in own) and len(own) >= (2 if named else FEW)
        counted = has_model and words.counted_through(own) and not self.all_words(own)
        if counted and self._of_pairs(self._pairs(own, several=True) or {"": ("", "")}) != "dataset":
            return None  # run_1_acc
        if bare or counted:
            of_cases = named is not None and self._is_of_cases(named)
            calls: list[Call] = [{"models": own}] * (not has_model)
            calls += self.naming(HEADERS, NAMING, model=named) if named and (has_model or not of_cases) else []
            raise self.unclear(worded("numbered columns") + worded("files of all") * (not has_model), *calls)
        corner = self.roles.get((role := words.numbered(own)) or "", "")  # which names the header, and no rows
        if named is None and corner in self.columns and not (self.repeats(corner) or self.numbers[corner].share):
            named = self.roles.pop(str(role))
        if role is None or named is None or role in self._keyed:
            return None
        if not has_model and words.counted_through(words.looked_at(self.columns[named].tolist())):
            raise self.unclear(f"{named!r} differs in a number alone: its rows may be no models", {"model": named})
        self.roles["model"] = str(named)
        self.left_out |= {x: "sum" if words.is_summary(x) else "unknown" for x in scores if x not in own}
        return role

    def _metrics(self, numbers: list[str], known: list[str]) -> tuple[list[str], str]:
        """The columns of scores beside names of models and of cases."""
        stems = words.stems_of(known, known)  # random_auc beside auc
        mixed = any(not self._describes(x) for x in numbers)  # beside which the cost of each model is no score
        signs = {x: {*np.sign(self.numbers[x].values)} for x in known if re.search("err|bias|resid", words.plain(x))}
        known = [x for x in known if not {-1, 1} <= signs.get(x, set())] or known
        known = [x for x in known if not (self._describes(x) and (stems[x] or (mixed and words.ends_as(x, "burdens"))))]
        self.leave_out(constant := [x for x in numbers if x not in known and self._describes(x)], "description")
        rest = [name for name in numbers if name not in (*constant, *known)]
        middle = [x for x in rest if words.is_listed(x, "means")][:1] if all(map(words.is_summary, rest)) else []
        self.leave_out((x for x in rest if middle and x not in middle), "description")
        rest = middle or rest
        several, named = known or rest, self.roles.get("metric", "")
        if named in self.columns and len(several) > 1 and self.distinct(named) > 1:
            says = f"column {named!r} names metrics, and {some_names(several)} could hold them"
            sure = "dataset" not in self.roles and not any(words.ends_as(x, "compared") for x in several)
            raise self.unclear(says, *[{"dataset": HEADERS}] * sure, *({"value": name} for name in several))
        if not several:
            raise self._no_scores()
        if not known and len(rest) > 1:
            whole = [x for x in rest if self.repeats(x) and not (self.broken(x) or self.numbers[x].words)]
            said = {x: 2 - words.ends_as(x, "successes") + np.isnan(self.numbers[x].values).any() for x in rest}
            free = sorted((x for x in rest if x not in whole), key=lambda x: self.numbers[x].words * said[x])
            calls: list[Call] = [{"value": x} for x in free[:3]]
            calls += [call for x in whole for call in self.naming(x, CASES[1:])] if calls else []
            calls = calls or [{"value": name} for name in rest[:2]]
            calls += [{"dataset": HEADERS}] * ("dataset" not in self.roles)
            graded = [x for x in rest if x not in whole or self.distinct(self.roles["model"], x) < self.table.n_rows]
            cases = [] if self._keyed else self.candidates("text")
            calls += [{"metrics": graded}, *({"dataset": x, "metrics": graded} for x in cases)] * (len(graded) > 1)
            raise self.unclear(f"{some_names(rest)} could all be scores", *calls)
        self.leave_out(rest if known else (), "unknown")
        return several, "metric" if len(several) > 1 else "value"

    def _describes(self, name: str) -> bool:
        """Whether a column has one value per data set or item, or one per model, or levels: it is no score."""
        level = self.repeats(name) and words.is_listed(name, "levels", "greek")
        roles = [self.roles[role] for role in ("dataset", "item", "model") if self.roles.get(role) in self.columns]
        return level or self.distinct(name) == 1 or any(self.repeats(x) and self.determines(x, name) for x in roles)

    def _columns_of_models(self, numbers: list[str]) -> tuple[list[str], str]:
        """Of a table that names no model: a column per model, or models in the rows without such a name."""
        texts, numbers = self.unique_texts(), numbers if self._pairs(numbers) else self._without_words(numbers)
        if pairs := self._pairs(numbers):
            if len(texts) == 1 and not self._keyed:
                self._name_by_texts(texts[0], [*pairs], {})
            elif "id" in self.roles and not self._keyed and not self.all_words([*pairs]):
                raise self._counting(self.roles["id"])
            self.leave_out((name for name in numbers if name not in pairs), "sum")
            return self._of_models(numbers) if self.turned else ([*pairs], "pairs")
        sums, value = [name for name in numbers if words.is_summary(name)], self.roles.get("value")
        rates = all(words.ends_as(x, "shares") for x in numbers if x not in sums) and not words.may_be_models(numbers)
        said = [name for name in numbers if name not in sums and (rates or words.is_statistic(name) or name == value)]
        measures = [name for name in numbers if name in said or re.match(r"metrics?\.", name) or words.is_measure(name)]
        models = [name for name in numbers if name not in measures and name not in sums]
        if measures and not models and len(texts) == 1 and words.is_listed(texts[0], "unnamed"):  # the index of a frame
            self.roles["model"] = texts[0]
            return self._of_models(numbers)
        if measures or not models:
            beside = f" that stand beside others, {some_names(models)}" if models else ""
            calls: list[Call] = [{"models": measures}] * (rates and len(measures) > 1)
            if len(models) > 1 and words.may_be_models(models):  # a learner may be called like a metric, as KGE
                calls += [{"models": models}, {"models": [x for x in numbers if x not in sums]}]
            self._needs_model(measures or sums, f"names of metrics{beside}", *calls)
        again = [name for name in self.candidates("text") if self.repeats(name)] if self.kind is None else []
        whole = [name for name in numbers if self.repeats(name) and not self.broken(name)]  # perhaps numbers of folds
        both = [(x, y) for x in again for y in whole if self.distinct(x, y) == self.table.n_rows]
        if (again and len(numbers) == 1) or both:
            own, sets = [x for x in numbers if self.broken(x)], [x for x in both if words.is_listed(x[1], "levels")]
            calls = [{"models": own, "dataset": " + ".join(x)} for x in sets if words.like_learners(own) > 0]
            self._needs_model(numbers, "scores", *calls)
        turned = len(texts) == 1 and self._rows_are_models(texts[0], numbers)
        names = words.looked_at(self.columns[texts[0]].tolist()) if turned else numbers
        odd = [] if turned else self._added(numbers)
        call = {"model": texts[0]} if turned else {"models": [x for x in numbers if x not in odd]}
        self._check_evidence(numbers, words.may_be_models(names), call)
        self._check_scale(numbers * (not turned))
        self._name_rows(numbers)
        return self._of_models(numbers) if self.turned else (numbers, "model")

    def _without_words(self, numbers: list[str]) -> list[str]:
        """Columns but those that say yes or no of a model beside its scores, such as whether it is public."""
        scores = [name for name in numbers if not self.numbers[name].words]
        scores = numbers if self.all_words(scores) else scores
        self.leave_out((name for name in numbers if name not in scores), "description")
        return scores

    def _check_evidence(self, numbers: Sequence[str], known: bool, call: Call) -> None:
        """A refusal where nothing shows that numbers are scores: no `known` names, no metric, and not their scale."""
        told = self.kind or self.asked.models or self.asked.metric or call.keys() <= self.asked.columns.keys()
        if told or known or len(numbers) < 2 or self._titled() or any(self.numbers[x].bad is not None for x in numbers):
            return
        cells, n = np.array([self.numbers[x].values for x in numbers]), self.table.n_rows
        flat = cells[np.isfinite(cells)]
        says = f"nothing shows that the numbers of {some_names(numbers)} are scores of models"
        if np.isin(flat, (-1, 0, 1)).all():
            texts = [str(x) for name in self.candidates("text", "note") for x in self.columns[name].tolist()]
            labels = (flat < 0).any() or (flat == 1).mean() < 1 / 3 or ((cells == 1).sum(axis=0) == 1).all()
            labels |= any(words.is_listed(x, "specimens") or words.ends_as(x, "flags") for x in self.columns)
            odd = n >= MANY and (labels or len(numbers) > n or sum(map(len, texts)) > n * _SENTENCE)  # genes, texts
            says = f"{some_names(numbers)} may be labels of the rows, and not what models got right"
        else:  # shares, or percentages of which at least half have decimals
            percentages = ((flat >= 0) & (flat <= 100)).all() and 2 * sum(map(self.broken, numbers)) >= len(numbers)
            odd = not (percentages or (np.abs(flat) <= 1).all())
        if odd:  # what also needs a guess at its rows, or holds metrics, gets no call
            named = bool(self._keyed or self.unique_texts() or {"id", "model"} & self.roles.keys())
            sure = named and not any(self._ways(x) or words.is_measure(x) for x in self.candidates("number"))
            runs: list[Call] = [{"model": x, "dataset": HEADERS} for x in (self.roles.get("run"),) if x in self.columns]
            runs *= all(not self.numbers[x["model"]].share for x in runs)  # llama_8bit_seed1
            raise self.unclear(says if sure else f"{says}. {self.needs}", *[*runs, call] * bool(sure))

    def _titled(self) -> list[str]:
        """The metrics in names of files and in titles."""
        known = [words.measures_in(Path(one).stem) for one in self.table.origin.split(", ")]
        found = [x for x in known[0] if all(x in own for own in known)]
        return found + [x for line in self.table.lines for x in words.measures_in(line)]

    def _check_scale(self, numbers: Sequence[str]) -> None:
        """A refusal where some columns may be no models: by their names, their scale, or what they add to others."""
        aside = [x for x in self.candidates("time", "deviation", "rank", "size") if words.role_of_name(x) is None]
        of = words.stems_of(aside, numbers)
        few = {*of.values()} < {*numbers} and not self.is_told  # se_resnet beside resnet may be a model
        odd = [x for x in of if (few and not words.ends_as(x, "spent")) or (of[x] and self._is_like(x, of[x]))]
        own = [name for name in numbers if not words.is_summary(name)]
        values = {name: x[np.isfinite(x)] for name in own for x in [self.numbers[name].values]}
        outside = [name for name, x in values.items() if not ((x >= 0) & (x <= 1)).all()]
        whole = [name for name, x in values.items() if (x % 1 == 0).all()]
        broken = [float((x % 1 != 0).mean()) for name, x in values.items() if name not in whole]
        varied = sum(broken) > len(broken) / 2 and any(len({*values[name].tolist()}) > 1 for name in whole)
        inside, far = [x for x in own if x not in outside], all((values[name] > 1).all() for name in outside)
        if len(own) > 2 and inside and outside and (len(outside) == 1 or far):
            odd += outside if inside[1:] else inside * (self.broken(inside[0]) and not self.asked.metric)
        odd += whole * (len(broken) > 1 and varied and self.table.n_rows >= FEW)
        odd += [x for x in own if x not in whole] * (len(broken) == 1 < len(whole) and self.table.n_rows >= MANY)
        odd += self._added(own)
        beside = {x for x in own if self.numbers[x].beside is not None}
        alike = [beside and {x for x in own if x in beside or words.may_be_models([x])}]
        alike += [{x for x in own if self.numbers[x].percent.any()}, {x for x in own if not self.numbers[x].words}]
        alike *= all(self.numbers[x].bad is None for x in own)  # which are quoted
        odd += [x for x in own if any(x not in most and len(own) < 2 * len(most) for most in alike)]
        called = {name: self._called(name)[1] for name in own}
        of_metrics = [[name for name in own if called[name] == one] for one in dict.fromkeys(called.values()) if one]
        metrics = [
            x
            for x in of_metrics
            if len(x) > 1 and (of_metrics[1:] or any(words.plain(y).endswith(called[y]) for y in x))
        ]
        parts = [words.plain(name).split("_") for name in own]
        grid = all(len(part) > 1 and any(words.is_listed(word, "datasets") for word in part) for part in parts)
        if grid or (metrics and len({*called.values()}) > 1) or any("_vs_" in words.plain(name) for name in own):
            odd = odd or own  # pairs of models, or of models and data sets or metrics
        if odd:
            odd, rest = list(dict.fromkeys(odd)), [name for name in numbers if name not in odd]
            says = f"{some_names(odd)} may be models, or say something of other columns, by their names or numbers"
            both = [*numbers, *(name for name in odd if name not in numbers)]
            parts = [rest] * (len(rest) > 1 and (grid or not any(x[1:] for x in of_metrics))) + [both] * (not grid)
            raise self.unclear(says, *({"models": names} for names in parts))

    def _check_crossed(self, names: Sequence[str], *calls: Call) -> None:
        """UnclearError where names of columns have the number of a run in them too, or that of a data set."""
        told = self.is_told and ("model" not in self.roles or any(map(words.is_measure, names)))
        if what := next((f"{x[1].lower()}s" for x in words.runs_of(names)), "" if told else words.crossed_with(names)):
            raise self.unclear(worded("runs in names", some_names(names), what), *calls * (what == "folds or runs"))

    def _added(self, names: Sequence[str]) -> list[str]:
        self._check_crossed(names, {"models": [*names]})
        return words.added({x: own for x in names if not np.isnan(own := np.abs(self.numbers[x].values)).all()})

    def _is_like(self, name: str, stem: str) -> bool:
        """Whether what is called like a deviation or a bound of a model has numbers that it cannot have as such."""
        values, scores = (self.numbers[one].values for one in (name, stem))
        if words.ends_as(name, "bounds"):
            return bool((values < scores).any() and (values > scores).any())
        varies = name in self.candidates("deviation") and not words.ends_as(name, "errors")
        return varies and bool(np.nansum(np.sign(2 * np.abs(values) - np.abs(scores))) > 0)  # in most rows

    def _name_rows(self, numbers: list[str]) -> None:
        """What the rows of a table with a column per model are."""
        headless = self.kind is None and all(map(SCORE.fullmatch, numbers))
        if unnamed := numbers if headless else [x for x in numbers if re.fullmatch(r"column \d+|nan", x)]:
            raise self.unclear(f"{unnamed[0]!r} {UNNAMED}")
        keys, texts, items = self._keyed, self.candidates("text", "label"), self.all_words(numbers)
        for name in (*texts, *filter(self.columns.__contains__, self.roles.values())):
            cells = words.looked_at(self.columns[name].tolist())
            pairs = [*takewhile(bool, (self._ways(cell)[:1] for cell in cells))]
            both = [{pair[0][i] for pair in pairs} for i in (0, 1)]
            if len(pairs) == len(cells) == prod(map(len, both)) > max(map(len, both)):
                raise self.unclear(f"{name!r} names metrics and what they are of in one cell: write a column for each")
        number, metric = self.roles.get("id", ""), self.roles.get("metric")
        of_metrics = metric in self.columns and not self.repeats(metric)  # one row for each
        texts = [x for x in texts if not (number and self.kind is None and self.repeats(x))]  # which name no rows
        if keys and not (all(self.roles.get(one) == ROWS for one in keys) and any(map(self.repeats, texts))):
            self._check_only_key(keys, numbers)
            self.leave_out(texts, "description")
        elif len(texts) > 1:
            ways: list[Call] = [{"model": " + ".join(texts), "dataset": HEADERS}] * (words.like_learners(numbers) < 0)
            ways += [way for role in ("dataset", "item")[items:] for way in self.ways_to_name(role, texts)]
            if words.like_learners(numbers) > 0:
                ways = [{"models": numbers, "item": ROWS, "cluster": x} for x in filter(self.repeats, texts)] or ways
            raise self.unclear(worded("several names", len(texts), some_names(texts)), *ways)
        elif texts:
            self._name_by_texts(texts[0], numbers, {"dataset": HEADERS})
        elif number and (items or self.kind == "outcomes"):
            self.roles["item"] = self.roles.pop("id")
        elif number:
            raise self._counting(number, models=numbers)
        elif self.kind == "study" and not of_metrics:
            self.roles["dataset"] = ROWS
            self.assumed.append(worded("unnamed rows"))
        elif items or self.kind == "runs":  # runs are no pairs, so that their names are of no use
            self.roles["run" if self.kind == "runs" else "item"] = ROWS
        elif not of_metrics:
            raise self.unclear("nothing names its rows", *self.naming(ROWS, NAMING, models=numbers))

    def _check_only_key(self, keys: Sequence[str], numbers: list[str]) -> None:
        """A refusal where all that names the rows may be a number of a register, or a seed, beside what names them."""
        keys = [x for x in keys if not words.is_listed(self.roles.get(x, ""), "registered")] or keys  # uuid of runs
        only, name = keys[0], self.roles.get(keys[0], "")
        if len(keys) > 1 or only not in ("run", "item", "dataset") or only in self.asked.columns or self.repeats(name):
            return
        others = [*self.unique_texts(), *(one for one, why in self.left_out.items() if why == "counter")]
        others += [self.roles["id"]] if "id" in self.roles else []
        registered = words.is_listed(name, "registered") and (only == "dataset" or not self.all_words(numbers))
        if only == "dataset" and words.may_be_models(self.texts(name).tolist()) and not words.may_be_models(numbers):
            raise self._names_either(name, {"dataset": HEADERS})
        unlike = self.numbers[name].share == 0 and words.numbered(self.texts(name).tolist()) is None
        if unlike and only == "run" and len(numbers) == 1:
            self._needs_model(numbers)
        if (only == "run" and unlike) or ((registered or (only == "run" and not self.counts(name))) and others):
            calls: list[Call] = [{only: name}, *[{"model": name, "dataset": HEADERS}] * unlike]
            calls += [{role: one, "models": numbers} for one in others for role in ("dataset", "split")]
            raise self.unclear(f"{name!r} may name the rows, or only number them", *calls)

    def _rows_are_models(self, name: str, numbers: Sequence[str]) -> bool | None:
        """Whether a column names models, and data sets stand in the header; None where names do not tell."""
        if words.role_of_name(self.table.header) == "model":
            return False
        both = (words.looked_at(self.columns[name].tolist()), numbers)  # one of many countries is no learner
        rows, columns = (np.sign(int(10 * words.like_learners(x) / len(x))) for x in both)
        return None if rows == columns else bool(rows > columns)

    def _name_by_texts(self, name: str, numbers: list[str], turned_by: dict[str, Any]) -> None:
        """What a column of names is of; `turned_by` is what else to say where it names models."""
        turned, items = self._rows_are_models(name, numbers), self.all_words(numbers)
        cells = words.looked_at(self.columns[name].tolist())
        if (role := words.numbered(cells)) is not None:
            self.roles[role] = name
            return
        asked = words.of_sources(name) or words.is_listed(name, "groups") or name in self.candidates("label")
        timed = words.role_of_name(name) == "time" or (turned is False and all(map(words.FORMS["dated"].match, cells)))
        counters = [one for one, why in self.left_out.items() if why == "counter" and one in self.columns]
        if (ids := self.roles.get("id")) is not None and (np.diff(self.numbers[ids].values) != 1).any():
            counters.append(ids)  # of rows in another order, so perhaps of folds
        asked |= any(words.may_count(cell, whole=True) for cell in cells)  # n_users beside mean_rating
        doubtful = asked or timed or (counters and words.like_learners(cells) == 0)
        items &= not (words.ends_as(name, "people") and words.like_learners(numbers) <= 0)
        if doubtful and not items and self.kind is None:  # subjects, classes and days are no models
            first = ("item", "dataset") if words.plain(name).endswith(("_id", "_no")) else ("dataset", "item")
            calls = [call for one in counters[:1] for call in self.naming(one, ("run", "split"))]
            calls = [{"dataset": name}, *calls] if calls else self.naming(name, (*first, *["split"] * timed))
            raise self.unclear(f"nothing says what {name!r} names", *calls)
        if turned:
            self.roles["model"], self.turned = name, True
            return
        if turned is None and self.kind != "study" and not items:
            raise self._names_either(name, turned_by)
        if self.kind is None and not items and words.counted_through([re.sub(r"^\d{4}-.*", "", x) for x in cells]):
            raise self._counting(name)  # s1 and s2, as in headers
        self.roles["item" if items and self.kind != "study" else "dataset"] = name

    def _names_either(self, name: str, turned: dict[str, Any]) -> UnclearError:
        """A refusal where the rows may be data sets, or models."""
        header: Call = {} if turned else {"model": HEADERS}
        return self.unclear(worded("either", name), {"dataset": name, **header}, {"model": name, **turned})

    def _of_pairs(self, pairs: Mapping[str, tuple[str, str]]) -> str:
        """What stands beside the metric in the headers of a table with a row per model: data sets, folds or runs."""
        return words.numbered([name for name, _ in pairs.values()]) or "dataset"

    def _pairs(self, names: Sequence[str], several: bool = False) -> dict[str, tuple[str, str]] | None:
        """Model, or data set, and metric of headers such as svm_acc; where a model has `several` rows known sets."""
        by_rows = "model" in self.roles
        means = [x for x in names if by_rows and words.mean_of(x) and words.is_measure(x)]  # Average WER
        ways = {x: self._ways(x, timed=True) for x in names if not (x in means or words.is_summary(x))}
        if len(ways) < 2 or not all(ways.values()):
            return None
        often = [Counter(way[i] for of_one in ways.values() for way in of_one) for i in (0, 1)]
        digit = re.compile(r"\d+[_ ]\w").match  # of the model; of log_loss and loss the longer name is the metric
        rated = {x: [(not digit(m), often[0][a] * often[1][m], len(m), a, m) for a, m in ways[x]] for x in ways}
        found = {x: max(own)[3:] for x, own in rated.items()}
        models, metrics = ({way[i] for way in found.values()} for i in (0, 1))
        learners, counted = words.like_learners(models), words.numbered([*models])
        if several and not (learners < 0 or counted):
            return None
        own = by_rows and len(models) == len(found) and (len(found) > 2 or learners < 0 or self.header)  # of their own
        full = len({*found.values()}) == len(found) == len(models) * len(metrics)
        parts = ((metrics, "of_classes"), (models, "moments"))
        of_parts = any(all(words.is_listed(x, kind) for x in names) for names, kind in parts)
        known = bool(by_rows or self.unique_texts() or self.is_told or self.header)
        known = known or any(words.may_be_models([name]) for name in models)
        of_parts &= not (learners or counted or self.header)
        odd = of_parts or (full and not known) or (by_rows and learners > 0 and not counted)  # pos_rmse, vel_rmse
        if odd or len(models) < 2 or not (full or own):
            of_models: list[Call] = [{"models": [*found]}] * (not by_rows)
            sure = len(found) > 2 or len(metrics) == 1 if by_rows else full and not any(map(words.is_summary, models))
            calls = [{"dataset" if by_rows else "model": HEADERS}] if sure else of_models
            what = "of parts such as classes or quantities" if odd else "not all have the same ones"
            raise self.unclear(worded("called like", some_names(names), ("models", "data sets")[by_rows], what), *calls)
        return found

    def _called(self, name: str) -> tuple[str, str]:
        """The model and the metric in a header, or the metric alone, as in seq_acc_svm; empty where there is none."""
        inner = [("", x) for x in words.measures_in(name) if f"_{x}_" in words.plain(name)]
        one, metric = [*self._ways(name), *inner, ("", "")][0]
        return one, words.plain(words.mean_of(metric) or metric)

    def _ways(self, name: str, *, timed: bool = False) -> list[tuple[str, str]]:
        """The ways to take a header for a model and a metric, or a time where nothing else may be measured."""
        if words.is_measure(name):
            return []
        if self.header == "dataset" and (arrow := {*"\u2191\u2193"} & {*name}):
            return [(name.translate(dict.fromkeys(map(ord, arrow))).rstrip(" ()"), f"score {min(arrow)}")]
        match = words.FORMS["of_metric"].fullmatch(name)
        if match and any(map(words.is_measure, match.groups())):  # SST-2 (Acc), Acc (svm)
            return [(match[1], match[2]) if words.is_measure(match[2]) else (match[2], match[1])]
        cuts = [match.span() for match in words.FORMS["pair"].finditer(name)]
        parts = [(name[:start], name[end:]) for start, end in cuts if start and end < len(name)]
        both = [way for one, other in parts for way in ((one, other), (other, one))]
        both = [
            x for x in both if words.is_measure(x[1]) or (timed and words.role_of_name(x[1]) in ("time", "outcome"))
        ]
        found = [way for way in both if not words.is_statistic(way[0])]
        return found or (self._ways(match[1], timed=timed) if match else [])  # Localization Error (pixels)
