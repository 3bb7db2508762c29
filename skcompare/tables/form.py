"""The form of a table: models in columns, in rows or named row by row -> one row per score."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from skcompare._core.printable import some_names
from skcompare._core.validation import FloatArray
from skcompare.tables.cells import is_missing
from skcompare.tables.columns import (
    counted_through,
    is_measure,
    is_statistic,
    is_summary,
    is_weak,
    like_learners,
    numbered,
    plain,
    role_of_name,
)
from skcompare.tables.named import ASIDE, Named
from skcompare.tables.reading import KEYS, LEFT, NOUNS, Names, UnclearError
from skcompare.tables.source import FILES, HEADERS, ROWS
from skcompare.tables.summaries import unpaired_call

_PAIR = re.compile(r"[ _.:/|-]+")
MANY = 20  # zeros and ones that are hardly scores of splits
NAMING = ("dataset", "split", "run", "item")  # what may name the rows of a table with a column per model
FEW = 4  # rows whose scores are not all whole by chance, and columns that are not called by numbers so


class Form(Named):
    """One table while it becomes a row per score."""

    def _values_of(self, names: Sequence[str]) -> dict[str, FloatArray]:
        """Columns as numbers; ValueError that quotes the first cell that is none."""
        found = {}
        for name in names:
            cells = self.numbers[name]
            if cells.bad is not None:
                cell = self.columns[name][cells.bad]
                raise self.unclear(
                    f"{self._row(cells.bad)}, column {name!r}: {str(cell)!r:.60} is not read as one number; write "
                    f"one number in the cell, or nothing"
                )
            if np.isinf(cells.values).any():
                at = int(np.isinf(cells.values).argmax())
                raise self.unclear(f"{self._row(at)}, column {name!r}: a score must be finite; got an infinite one")
            found[name] = cells.values
        percent = [bool(self.numbers[name].percent.any()) for name in names]
        for name in names:
            cells = self.numbers[name]
            odd = ~cells.percent & (np.abs(cells.values) > 1)
            if any(percent) and odd.any():
                at = int(odd.argmax())
                cell = str(self.columns[name][at])
                raise self.unclear(f"{self._row(at)}, column {name!r}: {cell!r} has no percent sign, and others have")
        if any(percent):
            self.notes.append("Percentages were divided by 100.")
        if any(self.numbers[name].beside is not None for name in names):
            self.notes.append("The second number in a cell, a deviation or the like, was left out.")
        return found

    def _melted(self) -> dict[str, Names]:
        """One row per score, whatever stood in the rows and columns."""
        header = self._header()
        values, role = self._scores(header)
        numbers = self._values_of(values)
        keys = {name: self._texts(self.roles[name]) for name in KEYS if name in self.roles and name != role}
        for one, word in self.words.items():
            if word == ROWS:
                keys[one] = self._counted(keys)
        n, k = self.table_rows, len(values)
        tidy = {name: np.tile(x, k) for name, x in keys.items()}
        heads = np.repeat(np.array(values, dtype=object), n)
        if role == "pairs":
            split = self._pairs(values) or {}
            for i, one in enumerate(("model", "metric")):
                tidy[one] = np.repeat(np.array([split[name][i] for name in values], dtype=object), n)
                self.roles[one] = HEADERS
        elif role in KEYS:
            tidy[role] = self._heads(heads) if role == "model" else heads
            self.roles[role] = HEADERS
        tidy["value"] = np.concatenate([numbers[name] for name in values])
        if "metric" not in tidy:
            name = values[0] if role == "value" and values[0] != FILES else "score"
            tidy["metric"] = np.repeat(np.array(self._metric_name(name, role), dtype=object), n * k)
        self.described = {name: np.tile(self._plain(name), k) for name in self.columns if name not in values}
        return tidy

    def _metric_name(self, name: str, role: str | None) -> str:
        """What the only metric is called: the name of its column, unless that says no more than score."""
        said = role == "value" and role_of_name(name) not in ("value", "outcome") and not is_statistic(name)
        return name if said or name in (self.asked.metric, *self.asked.metrics) else "score"

    def _heads(self, heads: Names) -> Names:
        """Names of models without an ending such as _mean that all of them have."""
        names = list(dict.fromkeys(heads.tolist()))
        ends = {_PAIR.split(name)[-1] for name in names}
        if len(names) > 1 and len(ends) == 1 and is_statistic(end := next(iter(ends))):
            cut = {name: name[: -len(end)].rstrip(" _.:/|-") for name in names}
            if all(cut.values()) and len({*cut.values()}) == len(names):
                return np.array([cut[name] for name in heads.tolist()], dtype=object)
        return heads

    def _texts(self, name: str) -> Names:
        """Names as texts on one line."""
        values = self.columns[name].tolist()
        lacking = [is_missing(x) if isinstance(x, str) else x is None or x != x for x in values]
        if any(lacking):
            i = lacking.index(True)
            raise self.unclear(f"row {i + 1} has no name in column {name!r}: name it, or leave the row out")
        found = np.empty(len(values), dtype=object)
        whole = all(isinstance(x, float) and x.is_integer() for x in values)
        texts = [str(int(x) if whole else x) for x in values]
        found[:] = texts if self.is_told else [" ".join(text.split()) for text in texts]
        return found

    def _counted(self, keys: Mapping[str, Names]) -> Names:
        """The number of each row among those with the same names."""
        seen: dict[tuple[str, ...], int] = {}
        found = np.empty(self.table_rows, dtype=object)
        rows = zip(*(x.tolist() for x in keys.values()), strict=True) if keys else [()] * self.table_rows
        for i, row in enumerate(rows):
            seen[row] = seen.get(row, -1) + 1
            found[i] = str(seen[row])
        labels = self.table.labels
        if labels is None or self.kind != "study" or len(labels) != self.table_rows:
            return found
        return np.array([f"row {label}" for label in labels], dtype=object)

    def _header(self) -> str | None:
        """What the names of the columns are, where that was said."""
        told = next((role for role, word in self.words.items() if word == HEADERS), None)
        if told is None and self.table.header:
            told = role_of_name(self.table.header)
        return told if told in KEYS else None

    def _scores(self, header: str | None) -> tuple[list[str], str | None]:
        """The columns of scores, and what their names are: a role, "pairs" of model and metric, or "value"."""
        asked, numbers = self.asked, [name for name in self.columns if name in self.found.get("number", [])]
        self._refuse_summaries()
        if asked.models and "model" not in self.roles:
            self._others([name for name in numbers if name not in asked.models])
            return [*asked.models], "model"
        chosen = [
            name for name in (*asked.metrics, asked.metric) if name in self.columns and name != self.roles.get("metric")
        ]
        if chosen:
            self._others([name for name in numbers if name not in chosen])
            self._needs_model(chosen)
            self.left_out = {name: why for name, why in self.left_out.items() if name not in chosen}
            return chosen, "metric" if len(chosen) > 1 else "value"
        value = self.roles.get("value") or self.roles.get("outcome")
        named = "value" in asked.columns
        keyed = {"dataset", "item", "split", "repeat", "run"} & {*self.roles, *self.words}
        alone = "model" in self.roles and not keyed and not self._repeats("model") and len(numbers) > 1
        if value is not None and (named or ("model" in self.roles and not alone)):
            self._needs_model([value])
            self._others([name for name in numbers if name != value])
            return [value], "value"
        if value is not None:
            numbers = [name for name in self.columns if name in (*numbers, value)]
        numbers = self._without_differences(self._without_counters(numbers))
        if not numbers:
            raise self._no_scores()
        if header == "model" and "model" not in self.roles:
            self._name_rows(numbers)
            return numbers, "model"
        if header not in (None, "metric", "model"):
            texts = self._unique_texts()
            if "model" not in self.roles and len(texts) == 1:
                self.roles["model"] = texts[0]
            self._needs_model(numbers)
            return numbers, header
        return self._of_models(numbers) if "model" in self.roles else self._columns_of_models(numbers)

    def _refuse_summaries(self) -> None:
        """UnclearError where there is one row per model, with a mean and a deviation."""
        if "model" not in self.roles or {"dataset", "item", "split", "repeat"} & {*self.roles, *self.words}:
            return
        numeric = {name: own for name, own in self.numbers.items() if own.share == 1 and name != self.roles["model"]}
        call = unpaired_call(self._texts(self.roles["model"]).tolist(), numeric)
        if call:
            a, b = self._texts(self.roles["model"])[:2]
            raise self.unclear(
                "it has one row per model, with a mean and a deviation: models cannot be compared run by run without "
                f"the runs. Unpaired, {a} against {b} (sd is no standard error): {call}"
            )

    def _no_scores(self) -> UnclearError:
        named = [name for name in self.found.get("text", []) if role_of_name(name) in ("value", "outcome")]
        texts = named or [name for name in self.found.get("text", []) if self.numbers[name].share > 0]
        if texts:
            cells = self.numbers[texts[0]]
            at = cells.bad or 0
            cell = str(self.columns[texts[0]][at])
            return self.unclear(
                f"{self._row(at)}, column {texts[0]!r}: {cell!r:.60} is no number, and no other column has scores"
            )
        left = [name for name, why in self.left_out.items() if why in ASIDE]
        why = (
            f"; {some_names(left)} hold {', '.join(sorted({LEFT[self.left_out[name]] for name in left}))}"
            if left
            else ""
        )
        return self.unclear(
            f"it has no column of scores among {some_names([*self.columns])}{why}. A table needs a column per model, "
            "or columns dataset, model and score"
        )

    def _without_counters(self, names: Sequence[str]) -> list[str]:
        """Columns but those that number the rows."""
        counters = [name for name in names if self._counts(name)]
        if len(counters) in (0, len(names)) or not all(
            self._row_values(name) for name in names if name not in counters
        ):
            return [*names]  # where all scores are integers, these may be some too
        named = {"model", "dataset", "item", "split", "repeat", "run"} & self.roles.keys() or self._unique_texts()
        if not named:
            name = counters[0]
            rest = [one for one in names if one != name]
            raise self.unclear(
                f"column {name!r} numbers the rows, and nothing says what these are",
                *(
                    (f"each row is one {NOUNS[role]}", {role: name, "models": rest})
                    for role in ("dataset", "split", "item", "run")
                ),
            )
        self.left_out |= dict.fromkeys(counters, "counter")
        return [name for name in names if name not in counters]

    def _without_differences(self, names: list[str]) -> list[str]:
        """Columns but those that are the difference of two others."""
        if not 3 <= len(names) <= 40 or "model" in self.roles:
            return names
        values = {name: self.numbers[name].values for name in names}
        derived = [
            name
            for i, name in enumerate(names)
            if not np.isin(x := values[name], (0, 1)).all()
            and np.isfinite(x).all()
            and any(
                bool((np.abs(x - (values[a] - values[b])) < 1e-3 * np.abs(x).max()).all())
                for a in names
                for b in names
                if name not in (a, b) and a != b
            )
            and (x < 0).any() | bool(i == len(names) - 1)
        ]
        if len(derived) > len(names) - 2:
            return names
        self.left_out |= dict.fromkeys(derived, "comparison")
        return [name for name in names if name not in derived]

    def _of_models(self, numbers: list[str]) -> tuple[list[str], str]:
        """Of a table that names the model of a row: metrics in columns, or data sets, folds and runs."""
        keyed: list[str] = [
            role for role in ("dataset", "item", "split", "repeat", "run") if role in self.roles or role in self.words
        ]
        keyed += ["id"] if "id" in self.roles and self._repeats("id") else []
        known = [name for name in numbers if is_measure(name)]
        models = self.columns[self.roles["model"]].astype(str)
        scores = [name for name in numbers if not self.numbers[name].words]
        if scores and (role := self._numbered(scores)) and role not in keyed:
            return [name for name in self._without_words(numbers) if name not in self.left_out], role
        if keyed or len(np.unique(models)) < len(models):
            return self._metrics(numbers, known)
        numbers = self._without_words(numbers)
        others = [
            name for name in numbers if name not in known and not is_statistic(name) and name not in self.left_out
        ]
        if known and not others:
            raise self.unclear(
                f"it has one row per model, with {some_names(known)}: one number says nothing of its variation. A "
                "table needs rows per data set, fold, run or item too"
            )
        if known:
            raise self.unclear(
                f"{some_names(known)} are called like metrics, {some_names(others)} are not, and a model has one row",
                ("all are data sets", {"model": self.roles["model"], "dataset": HEADERS}),
            )
        if self._all_words(numbers):
            return numbers, "item"
        self.left_out |= dict.fromkeys((name for name in numbers if name not in others), "sum")
        return others, "dataset"

    def _numbered(self, numbers: list[str]) -> str | None:
        """The role of headers such as fold1, fold2, without a mean of these; a refusal where they are bare numbers."""
        own = [name for name in numbers if not (is_summary(name) or is_statistic(name))]
        texts = self._unique_texts()
        named = self.roles.get("model") or (texts[0] if len(texts) == 1 else None)
        bare = all(re.fullmatch(r"\d+", name) for name in own) and len(own) >= (2 if "model" in self.roles else FEW)
        if bare or ("model" in self.roles and counted_through(own) and not self._all_words(own)):
            calls: list[tuple[str, dict[str, Any]]] = []
            if "model" not in self.roles:
                calls.append(("they are models", {"models": own}))
            if named is not None:
                roles = ("dataset", "split", "run", "item")
                calls += [(f"they are {NOUNS[role]}s", {"model": named, role: HEADERS}) for role in roles]
            raise self.unclear("the columns are numbered, and nothing says what they are", *calls)
        role = numbered(own) if named is not None else None
        if role is not None:
            self.left_out |= dict.fromkeys((name for name in numbers if name not in own), "sum")
        return role

    def _metrics(self, numbers: list[str], known: list[str]) -> tuple[list[str], str]:
        """The columns of scores beside names of models and of cases."""
        constant = [name for name in numbers if name not in known and self._describes(name)]
        self.left_out |= dict.fromkeys(constant, "description")
        rest = [name for name in numbers if name not in constant]
        if known:
            self._others([name for name in rest if name not in known])
            return known, "metric" if len(known) > 1 else "value"
        if len(rest) > 1:
            raise self.unclear(
                f"{some_names(rest)} could all be scores",
                *((f"the score is {name!r}", {"value": name}) for name in rest[:2]),
                ("all are metrics", {"metrics": rest}),
            )
        if not rest:
            raise self._no_scores()
        return rest, "value"

    def _describes(self, name: str) -> bool:
        """Whether a column has one value per data set or item, or one per model: it is no score."""
        roles = [self.roles[role] for role in ("dataset", "item", "model") if role in self.roles]
        alone = len({*map(str, self.columns[name].tolist())}) == 1
        return alone or any(self._repeated(one) and self._determines(one, name) for one in roles)

    def _columns_of_models(self, numbers: list[str]) -> tuple[list[str], str]:
        """Of a table that names no model: a column per model, or models in the rows without such a name."""
        scores = [name for name in numbers if not self.numbers[name].words]
        if self.kind is None and scores and (role := self._numbered(scores)):
            self.roles["model"] = self._unique_texts()[0]
            return [name for name in self._without_words(numbers) if name not in self.left_out], role
        if self._pairs(numbers):
            texts = self._unique_texts()
            if len(texts) == 1 and not {*NAMING, "repeat"} & {*self.roles, *self.words}:
                self.roles["item" if self._all_words(numbers) else "dataset"] = texts[0]
            return numbers, "pairs"
        measures = [name for name in numbers if is_measure(name) or (is_statistic(name) and not is_summary(name))]
        if len(measures) == sum(not is_summary(name) for name in numbers):
            left = [name for name, why in self.left_out.items() if why in ASIDE]
            more = f"; {some_names(left)} hold times, sizes, deviations or ranks" if left else ""
            raise self.unclear(
                f"{some_names(measures)}: names of metrics{more}, and nothing names models. A table needs a "
                "column per model, or columns dataset, model and score",
                *((f"{name!r} names the models", {"model": name}) for name in self.found.get("text", [])),
            )
        if measures:
            models = [name for name in numbers if name not in measures and not is_summary(name)]
            verbs = ["is" if len(names) == 1 else "are" for names in (measures, models)]
            raise self.unclear(
                f"{some_names(measures)} {verbs[0]} called like metrics, {some_names(models)} {verbs[1]} not",
                ("the others alone are models", {"models": models}),
                ("all are models", {"models": numbers}),
            )
        texts = self._unique_texts()
        if not (len(texts) == 1 and self._rows_are_models(texts[0], numbers)):
            self._check_scale(numbers)
        self._name_rows(numbers)
        return (self._without_words(numbers), "dataset") if self.turned else (numbers, "model")

    def _without_words(self, numbers: list[str]) -> list[str]:
        """Columns but those that say yes or no of a model beside its scores, such as whether it is public."""
        words = [name for name in numbers if self.numbers[name].words]
        if len(words) == len(numbers):
            return numbers
        self.left_out |= dict.fromkeys(words, "description")
        return [name for name in numbers if name not in words]

    def _check_scale(self, numbers: Sequence[str]) -> None:
        """A refusal where some columns are of another scale than all others, so that they are hardly models."""
        found = {name: self.numbers[name].values for name in numbers if not is_summary(name)}
        values = {name: x[np.isfinite(x)] for name, x in found.items()}
        inside = [name for name, x in values.items() if ((x >= 0) & (x <= 1)).all()]
        above = [name for name, x in values.items() if (x > 1).all()]
        graded = [name for name, x in values.items() if np.isin(x, (0, 1)).all()]
        whole = [name for name, x in values.items() if (x % 1 == 0).all() and len({*x.tolist()}) > 1]
        broken = [name for name, x in values.items() if (x % 1 != 0).sum() > len(x) / 2]
        n = len(values)
        cases = [
            (inside, [name for name in values if name not in inside], "not between 0 and 1"),
            (graded, [name for name in values if name not in graded], "not 0 or 1"),
            (broken, whole, "whole"),
        ]
        for same, odd, what in cases:
            alone = len(odd) == 1 and (same is not graded or sum(len(values[name]) for name in same) >= MANY)
            far = same is inside and {*odd} <= {*above}
            if same is broken:
                alone, far = self.table_rows >= FEW and not {*odd} <= {*graded}, False
            if odd and len(same) > 1 and len(odd) + len(same) == n and (alone or far):
                verb = "is no model" if len(odd) == 1 else "are no models"
                other = "are not" if same is broken else "are"
                named = [(f"{odd[0]!r} names {NOUNS[role]}s", {role: odd[0], "models": same}) for role in NAMING]
                raise self.unclear(
                    f"the numbers of {some_names(odd)} are {what}, those of all other columns {other}",
                    (f"{some_names(odd)} {verb}", {"models": same}),
                    ("all are models", {"models": [*numbers]}),
                    *(named if len(odd) == 1 and odd[0] in whole else []),
                )

    turned = False  # models stand in the rows, data sets in the columns

    def _name_rows(self, numbers: list[str]) -> None:
        """What the rows of a table with a column per model are."""
        unnamed = [name for name in numbers if re.fullmatch(r"column \d+|nan", name)]
        if unnamed:
            said = "holds scores, and nothing names its model: name the column, or leave it out"
            raise self.unclear(f"{unnamed[0]!r} {said}")
        keys = [
            role for role in ("dataset", "item", "split", "repeat", "run") if role in self.roles or role in self.words
        ]
        texts = self.found.get("text", []) + self.found.get("label", [])
        weak = [role for role in keys if is_weak(self.roles.get(role, ""))]
        if weak == keys and len(self._unique_texts()) == 1:
            self.left_out |= {self.roles.pop(role): "counter" for role in weak}
            keys, texts = [], self._unique_texts()
        self._check_only_key(keys, numbers)
        own = self.roles.get("dataset", "")
        if texts and self.kind == "study" and own and "dataset" not in self.asked.columns and plain(own) != "dataset":
            texts = [own, *texts]
        elif keys:
            self.left_out |= dict.fromkeys(texts, "description")
            return
        if len(texts) > 1:
            raise self.unclear(
                f"it has {len(texts)} columns of names, {some_names(texts)}: say which one names data sets, or call "
                "it 'dataset' and leave the other out",
                *((f"data sets are {name!r}", {"dataset": name}) for name in texts),
            )
        if texts:
            self._name_by_texts(texts[0], numbers)
        elif "id" in self.roles:
            self._name_by_id(numbers)
        elif self.kind == "study":
            self.words["dataset"] = ROWS
            taken = "the rows have no names, and each is taken for one data set"
            self.assumed.append(f"{taken}: give their names in a column 'dataset'.")
        elif self._all_words(numbers):
            self.words["item"] = ROWS
        else:
            raise self.unclear(
                "nothing names its rows",
                *(
                    (f"each row is one {NOUNS[role]}", {role: ROWS, "models": numbers})
                    for role in ("dataset", "split", "item")
                ),
            )

    def _check_only_key(self, keys: Sequence[str], numbers: list[str]) -> None:
        """A refusal where all that names the rows may be a number of a register, or a seed, beside what names them."""
        sure = [role for role in keys if not is_weak(self.roles.get(role, ""))] or keys
        [only] = sure if len(sure) == 1 else [""]
        name = self.roles.get(only, "")
        if only not in ("run", "item", "dataset") or only in self.asked.columns or self._repeated(name):
            return
        others = [*self._unique_texts(), *(one for one, why in self.left_out.items() if why == "counter")]
        others += [self.roles["id"]] if "id" in self.roles else []
        registered = is_weak(name) and (only == "dataset" or not self._all_words(numbers))
        if (registered and (others or only == "item")) or (only == "run" and others and not self._counts(name)):
            calls = [(f"{name!r} names {NOUNS[only]}s", {only: name, "models": numbers})]
            calls += [
                (f"{one!r} names {NOUNS[role]}s", {role: one, "models": numbers})
                for one in others
                for role in ("dataset", "split")
            ]
            raise self.unclear(f"{name!r} may name the rows, or only number them", *calls)

    def _rows_are_models(self, name: str, numbers: Sequence[str]) -> bool | None:
        """Whether a column names models, and data sets stand in the header; None where names do not tell."""
        of_rows, of_columns = like_learners(map(str, self.columns[name].tolist())), like_learners(numbers)
        if (of_rows > 0 >= of_columns) or (of_columns < 0 <= of_rows):
            return True
        return False if (of_columns > 0 >= of_rows) or (of_rows < 0 <= of_columns) else None

    def _name_by_texts(self, name: str, numbers: list[str]) -> None:
        turned = self._rows_are_models(name, numbers)
        if turned:
            if self.kind == "study":
                raise self.unclear(
                    f"{name!r} looks like names of models, and the columns like data sets",
                    ("models are in the rows", {"model": name}),
                )
            self.roles["model"], self.turned = name, True
            return
        counters = [one for one, why in self.left_out.items() if why == "counter" and one in self.columns]
        unlike = like_learners(map(str, self.columns[name].tolist())) == 0
        if counters and self.kind is None and unlike and not self._all_words(numbers):
            raise self.unclear(
                f"{name!r} may name the rows, or {counters[0]!r} may number them",
                (f"{name!r} names data sets", {"dataset": name}),
                *((f"{counters[0]!r} names {NOUNS[role]}s", {role: counters[0]}) for role in ("run", "split")),
            )
        if turned is None and self.kind != "study" and not self._all_words(numbers):
            raise self.unclear(
                f"column {name!r} may name data sets or models",
                ("data sets in rows, models in columns", {"dataset": name}),
                ("models in rows, data sets in columns", {"model": name, "dataset": HEADERS}),
            )
        self.roles["item" if self._all_words(numbers) and self.kind != "study" else "dataset"] = name

    def _name_by_id(self, numbers: list[str]) -> None:
        name = self.roles["id"]
        if self._all_words(numbers) or self.kind == "outcomes":
            self.roles["item"] = self.roles.pop("id")
            return
        raise self.unclear(
            f"column {name!r} numbers the rows, and nothing says what these are",
            *(
                (f"each row is one {NOUNS[role]}", {role: name, "models": numbers})
                for role in ("dataset", "split", "item")
            ),
        )

    def _pairs(self, names: Sequence[str]) -> dict[str, tuple[str, str]] | None:
        """Model and metric of headers such as svm_accuracy, where every model has the same metrics."""
        ways = {name: self._ways(name) for name in names if not is_summary(name)}
        if not ways or not all(ways.values()):
            return None
        often = Counter(metric for of_one in ways.values() for _, metric in of_one)
        found = {name: max(of_one, key=lambda way: (often[way[1]], len(way[1]))) for name, of_one in ways.items()}
        models, metrics = ({way[i] for way in found.values()} for i in (0, 1))
        if len(models) < 2 or len({*found.values()}) != len(found) or len(found) != len(models) * len(metrics):
            of_one = {metric: [name for name, way in found.items() if way[1] == metric] for metric in sorted(metrics)}
            raise self.unclear(
                f"{some_names(names)} are called like models with metrics, and not all models have the same ones",
                *((f"the scores are {metric}", {"models": own}) for metric, own in of_one.items() if len(own) > 1),
            )
        return found

    def _ways(self, name: str) -> list[tuple[str, str]]:
        """The ways to take a header for a model and a metric."""
        if is_measure(name):
            return []
        cuts = [match.span() for match in _PAIR.finditer(name)]
        parts = [(name[:start], name[end:]) for start, end in cuts if start and end < len(name)]
        both = [way for one, other in parts for way in ((one, other), (other, one))]
        return [(model, metric) for model, metric in both if is_measure(metric) and not is_statistic(model)]
