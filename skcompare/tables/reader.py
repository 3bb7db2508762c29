"""A table -> what it is evidence of: which column is what, what was left out, what was assumed; or a refusal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
from scipy.stats import rankdata

from skcompare._core.printable import some_names
from skcompare._core.validation import FloatArray
from skcompare.tables.columns import is_weak, like_learners, plain
from skcompare.tables.form import FEW, MANY, Form
from skcompare.tables.reading import KEYS, NOUNS, TELLING, Asked, Names, Reading, natural
from skcompare.tables.source import FILES, HEADERS, ROWS, Table
from skcompare.tables.summaries import out_of_scale, summaries

# Gaps up to this size are named one by one, and may be allowed; a table with larger ones would blow up.
_SMALL, _MOST_CELLS_PER_ROW = 1_000_000, 100
_AS = {
    "folds": "scores of splits",
    "runs": "scores of runs",
    "outcomes": "outcomes of items",
    "study": "scores of data sets",
    "predictions": "predictions",
}


def read_as(table: Table, asked: Asked | None = None, kind: str | None = None) -> Reading:
    """What a table is evidence of.

    Parameters
    ----------
    table : Table
        As it came.
    asked : Asked, optional
        What the user says of it.
    kind : str, optional
        What it is to be evidence of, where that is known.

    Raises
    ------
    UnclearError
        If it can be read in several ways, or in none.
    """
    asked = asked or Asked()
    return replace(Reader(table, asked, kind or table.kind).read(), asked=asked.given)


class Reader(Form):
    """One table while it is read: which scores count, what they are evidence of."""

    def read(self) -> Reading:
        if self._is_predicted():
            return self._predictions()
        tidy = self._melted()
        return self._settled(tidy)

    def _is_predicted(self) -> bool:
        """Whether the table has true values and predictions of them."""
        if self.kind in ("predictions", "outcomes", "folds", "runs", "study"):
            return self.kind == "predictions"
        if "truth" in self.roles:
            return True
        predicted = any(self.found.get(role) for role in ("prediction", "probability", "decision_function"))
        labels = self.found.get("label", [])
        if predicted and len(labels) == 1:
            self.roles["truth"] = labels[0]
            return True
        if predicted:
            others = [*labels, *self.found.get("number", []), *self.found.get("text", [])]
            calls = [(f"the true values are {name!r}", {"truth": name}) for name in others]
            raise self.unclear("it has predictions, and no column of true values", *calls)
        if len(labels) == 1 and "model" not in self.roles and len(self._predicting(labels[0])) > 1:
            raise self.unclear(
                f"{labels[0]!r} may hold true values",
                ("the other columns are predictions of it", {"truth": labels[0]}),
                ("they are scores", {"models": [*self.found.get("number", [])]}),
            )
        return False

    def _settled(self, tidy: dict[str, Names]) -> Reading:
        """The kind of evidence, of rows that stand for one score each."""
        tidy = self._chosen_metrics(tidy)
        self._take_id(tidy)
        tidy = self._without_said(tidy)
        self._check_once(tidy)
        self._check_density(tidy)
        tidy = self._without_summaries(tidy)
        kind = self._kind_of(tidy)
        if kind == "study" and {*tidy["metric"].tolist()} == {"score"} and self._are_ranks(tidy):
            tidy["metric"] = np.repeat(np.array("rank", dtype=object), len(tidy["metric"]))
            self.notes.append("The numbers of every data set are ranks of the models.")
        if self.kind not in (None, kind) and not (self.kind == "study" and kind == "folds" and "dataset" in tidy):
            raise self.unclear(
                f"it holds {self._as(kind)}, and {_AS[self.kind]} were expected: skc.read(frame) reads it"
            )
        extra = {name: x for name, x in self.described.items() if len(x) == len(tidy["value"])}
        used = [*self.roles.values()]
        if kind == "outcomes" and (name := self.roles.get("cluster")) in extra:
            tidy["cluster"] = extra[name]
        if kind == "outcomes" and self.columns.get(self.roles.get("item", ""), tidy["item"]).dtype.kind in "iu":
            tidy["item"] = tidy["item"].astype(np.int64)
        used += self.found.get("told", [])
        noise = {"time", "deviation", "rank", "training score"} if self.kind != "outcomes" else set()
        noise |= {"counter", "empty"}
        extra = {name: x for name, x in extra.items() if name not in used and self.left_out.get(name) not in noise}
        roles = {
            role: name for role, name in self.roles.items() if role in (*KEYS, "value", "cluster", "weight", "outcome")
        }
        roles |= {role: word for role, word in self.words.items() if word == ROWS}
        said = self.found.get("text", [])
        if kind == "folds":  # the design reads them
            used_up = ("n_train", "train_size", "n_test", "test_size")
            self.left_out = {name: why for name, why in self.left_out.items() if plain(name) not in used_up}
        if kind not in ("outcomes", "predictions"):
            self.left_out |= {name: "description" for name in said if name not in roles.values()}
        return Reading(
            kind=kind,
            columns={**tidy, **{f"also {name}": x for name, x in extra.items()}},
            roles=roles,
            left_out=self.left_out,
            notes=tuple(self.notes),
            assumed=tuple(self.assumed),
            told=self._told(),
        )

    def _told(self) -> dict[str, Any]:
        """What columns say that are called by arguments: one value, of directions one per metric."""
        found: dict[str, Any] = {}
        for name in self.found.get("told", []):
            role, cells = plain(name), self.numbers[name]
            values = (cells.values.astype(bool) if cells.words else self._plain(name)).tolist()
            by = self.roles.get("metric", "") if role == "greater_is_better" else ""
            keys = self._texts(by).tolist() if by in self.columns else [""] * len(values)
            pairs = dict.fromkeys(zip(keys, values, strict=True))
            found[role] = dict([*pairs])
            if len(found[role]) < len(pairs):
                if role == "n_samples" and self.kind != "folds":  # it describes data sets
                    self.left_out[name] = "size"
                    del found[role]
                    continue
                per = " per metric" if by else ""
                said = some_names([str(value) for _, value in pairs], 3)
                raise ValueError(f"{role} must have one value{per} in its column {name!r}; got {said}")
            found[role] = found[role].get("", found[role])
        return found

    def _as(self, kind: str) -> str:
        """A kind of evidence in words, with the column that tells it."""
        told = [self.roles[role] for role in TELLING[kind] if self.roles.get(role) in self.columns]
        return f"{_AS[kind]} (column {told[0]!r})" if told else _AS[kind]

    def _chosen_metrics(self, tidy: dict[str, Names]) -> dict[str, Names]:
        """The rows of the metrics that were asked for, of a table with a column that names metrics."""
        wanted = [name for name in (*self.asked.metrics, self.asked.metric) if name and name not in self.columns]
        known = list(dict.fromkeys(tidy["metric"].tolist()))
        lacking = [name for name in wanted if name not in known]
        if lacking:
            raise ValueError(
                f"{self.table.origin} has no metric {lacking[0]!r}, only {some_names(known)}: metric=, metrics="
            )
        if not wanted:
            return tidy
        rows = np.isin(tidy["metric"].astype(str), wanted)
        order = np.argsort([wanted.index(x) for x in tidy["metric"][rows].tolist()], kind="stable")
        self.described = {name: x[rows][order] for name, x in self.described.items() if len(x) == len(rows)}
        return {name: x[rows][order] for name, x in tidy.items()}

    def _take_id(self, tidy: dict[str, Names]) -> None:
        """A column that numbers something: rows, or the items of every model."""
        name = self.roles.get("id")
        if name is None or name in tidy:
            return
        del self.roles["id"]
        keyed = [role for role in ("item", "split", "repeat", "run") if role in tidy]
        run = self.roles.get("run", "")
        own = run in self.columns and not self._repeated(run)  # perhaps a seed of its own for every row
        if keyed == ["run"] and "run" not in self.asked.columns and own and self._repeated(name):
            raise self.unclear(
                f"{run!r} and {name!r} could both number the scores of a model",
                *((f"{one!r} names the {NOUNS[role]}s", {role: one}) for role, one in (("run", run), ("split", name))),
            )
        if keyed or not self._repeated(name) or "model" not in self.roles or self.roles["model"] == HEADERS:
            self.left_out[name] = "counter"
            return
        if "dataset" in tidy and (
            self._determines(self.roles["dataset"], name) or self._determines(name, self.roles["model"])
        ):
            self.left_out[name] = "counter"
            return
        k = len(tidy["value"]) // self.table_rows
        ids = np.tile(self._texts(name), k)
        if "outcome" in self.roles or self.kind == "outcomes" or bool(np.isin(tidy["value"], (0, 1)).all()):
            tidy["item"], self.roles["item"] = ids, name
            return
        raise self.unclear(
            f"nothing says what column {name!r} numbers",
            *((f"{NOUNS[role]}s", {role: name}) for role in ("item", "dataset", "split", "run")),
        )

    def _without_said(self, tidy: dict[str, Names]) -> dict[str, Names]:
        """Without names that are the same for all scores, or new for each: a seed per row, a single repeat."""
        weak = [role for role in ("item", "dataset") if is_weak(self.roles.get(role, ""))]
        apart = [role for role in ("item", "split", "repeat", "run") if self._of_one_model(tidy, role)]
        for role in (*weak, *apart, "run", "split", "item", "repeat", "dataset"):
            others = [name for name in KEYS if name in tidy and name != role]
            cases = [name for name in others if name not in ("model", "metric")]
            if role not in tidy or role in self.sure or not cases or self.roles.get(role) == HEADERS:
                continue
            varies = len({*tidy[role].tolist()}) > 1
            if role in ("split", "repeat") and cases == ["run"] and varies:
                continue  # what a run beside splits is must be said
            if role in ("repeat", "dataset") and role not in (*weak, *apart) and varies:
                continue
            rows = [*zip(*(tidy[name].tolist() for name in others), strict=True)]
            registered = role in weak and not bool(np.isin(tidy["value"], (0, 1)).all())
            if len({*rows}) < len(rows) and not registered:
                continue
            name = self.roles.pop(role, role)
            self.left_out[name] = "constant" if len({*tidy[role].tolist()}) == 1 else "description"
            tidy = {one: x for one, x in tidy.items() if one != role}
        if "run" in tidy and "run" in self.asked.columns and {"split", "repeat"} & tidy.keys():
            self._check_once(tidy)
            tidy = self._averaged(tidy)
        return self._folds_within(tidy)

    def _averaged(self, tidy: dict[str, Names]) -> dict[str, Names]:
        """Without runs: their mean on each split."""
        own = [name for name in KEYS if name in tidy and name != "run"]
        rows = [*zip(*(tidy[name].tolist() for name in own), strict=True)]
        place = {row: i for i, row in enumerate(dict.fromkeys(rows))}
        at = np.array([place[row] for row in rows])
        first = np.unique(at, return_index=True)[1]
        self.notes.append("Runs on one split were averaged.")
        return {
            **{name: tidy[name][first] for name in own},
            "value": np.bincount(at, weights=tidy["value"]) / np.bincount(at),
        }

    def _of_one_model(self, tidy: Mapping[str, Names], role: str) -> bool:
        """Whether no name of a role stands beside two models, so that it names no case that these share."""
        if role not in tidy:
            return False
        pairs = {*zip(tidy[role].tolist(), tidy["model"].tolist(), strict=True)}
        return len(pairs) == len({*tidy[role].tolist()})

    def _folds_within(self, tidy: dict[str, Names]) -> dict[str, Names]:
        """Folds that are numbered through all repeats, by their number within each."""
        if not {"split", "repeat"} <= tidy.keys():
            return tidy
        by_repeat: dict[str, dict[str, None]] = {}
        for repeat, split in zip(tidy["repeat"].tolist(), tidy["split"].tolist(), strict=True):
            by_repeat.setdefault(repeat, {})[split] = None
        of_split = [split for splits in by_repeat.values() for split in splits]
        if len({*of_split}) < len(of_split) or len({*map(len, by_repeat.values())}) > 1 or len(by_repeat) < 2:
            return tidy
        place = {(r, s): str(i) for r, splits in by_repeat.items() for i, s in enumerate(sorted(splits, key=natural))}
        pairs = zip(tidy["repeat"].tolist(), tidy["split"].tolist(), strict=True)
        return {**tidy, "split": np.array([place[pair] for pair in pairs], dtype=object)}

    def _check_once(self, tidy: dict[str, Names]) -> None:
        """A refusal where a model has several scores of one case."""
        present = [role for role in KEYS if role in tidy]
        rows = [*zip(*(tidy[role].tolist() for role in present), strict=True)]
        first: dict[tuple[str, ...], int] = {}
        twice = next(((first[row], i) for i, row in enumerate(rows) if first.setdefault(row, i) != i), None)
        if twice is None:
            return
        n, (i, j) = self.table_rows, twice
        what = ", ".join(f"{NOUNS[role]} {tidy[role][i]!r}" for role in present if role != "metric")
        cases = [role for role in present if role not in ("model", "metric")]
        others = [name for name in self.columns if name not in self.roles.values() and self._numbers(name, rows)]
        calls = [
            (f"{name!r} names the {NOUNS[role]}s", {role: name})
            for name in others
            for role in ("run", "split", "repeat", "item", "dataset", "model")
            if role not in cases and (role != "model" or self.roles.get("model") != name)
        ]
        if not cases:
            roles = ("split", "run", "item")
            calls += [
                (f"rows of a model are {NOUNS[role]}s in one order for all models", {role: ROWS}) for role in roles
            ]
        elif not calls:
            calls = [("rows of a model are runs", {"run": ROWS})]
        if hasattr(self, "files"):
            calls += [(f"files are {NOUNS[role]}s", {role: FILES}) for role in ("dataset", "run")]
        lacking = ", and no column 'dataset' has their names" if self.kind == "study" and "dataset" not in cases else ""
        raise self.unclear(f"{what} has several scores, in rows {i % n + 1} and {j % n + 1}{lacking}", *calls[:6])

    def _check_density(self, tidy: dict[str, Names]) -> None:
        """A refusal of a table that would be far larger with a row for everything than it is."""
        beside = [role for role in ("model", "metric") if role in tidy]
        cases = [role for role in KEYS if role in tidy and role not in beside]
        parts = [len({*zip(*(tidy[role].tolist() for role in of), strict=True)}) for of in (beside, cases) if of]
        n, n_rows = prod(parts), len(tidy["value"])
        if n > max(_SMALL, _MOST_CELLS_PER_ROW * n_rows):
            what = " and ".join(NOUNS[role] for role in cases)
            raise self.unclear(f"it must hold every model on every {what}; that takes {n} rows, and it has {n_rows}")

    def _numbers(self, name: str, rows: Sequence[tuple[str, ...]]) -> bool:
        values = np.tile(self.columns[name].astype(str), max(1, len(rows) // self.table_rows)).tolist()
        if self.numbers.get(name) is not None and self.numbers[name].bad is None and self._row_values(name):
            return False
        return (
            len(values) == len(rows)
            and len({*zip(rows, values, strict=True)}) == len(rows)
            and len({*values}) < len(rows)
        )

    def _without_summaries(self, tidy: dict[str, Names]) -> dict[str, Names]:
        """Without rows and columns that sum up the others; what names are given to a function for stays."""
        if self.is_told and self.roles["model"] != HEADERS:
            return tidy
        case = next((role for role in ("dataset", "split", "run") if role in tidy and "item" not in tidy), None)
        for role, ranked in ((case, True), ("model", False)):
            if role is None:
                continue
            names = list(dict.fromkeys(tidy[role].tolist()))
            matrix = self._matrix(tidy, role)
            if len(names) < 2 or matrix.shape[1] < 1:
                continue
            if role in ("split", "run") and all(re.fullmatch(r"\d+", name) for name in names):
                continue  # a numbered split may have the mean of the others
            found = [
                name for name, is_one in zip(names, summaries(matrix, names, ranked=ranked), strict=True) if is_one
            ]
            if found and self.kind == "study" and role == "dataset":
                raise self.unclear(
                    f"row {found[0]!r} sums up the others ({some_names(found)}): leave it out, as skc.read does",
                )
            keep = ~np.isin(tidy[role].astype(str), found)
            if found:
                noun = "models" if role == "model" else f"{NOUNS[role]}s"
                self.notes.append(f"Left out as sums of the other {noun}: {some_names(found)}.")
                self.described = {name: x[keep] for name, x in self.described.items() if len(x) == len(keep)}
                tidy = {name: x[keep] for name, x in tidy.items()}
            if role != "model" and matrix.shape[1] > 1:
                left = [name for name in names if name not in found]
                matrix = self._matrix(tidy, role)
                odd = out_of_scale(matrix) if len(left) > 2 else np.zeros(len(left), dtype=bool)
                odd &= (matrix > 1).all(axis=1) | (self.kind is None)  # a function that is told the kind asks less
                if odd.any() and len({*tidy["metric"].tolist()}) == 1:
                    raise self.unclear(
                        f"row {left[int(odd.argmax())]!r} has numbers above 1, and all others are between 0 and 1: "
                        "leave it out where it is no score"
                    )
        return tidy

    def _are_ranks(self, tidy: Mapping[str, Names]) -> bool:
        """Whether the scores of all data sets are the places of the models, from 1."""
        matrix = self._matrix(tidy, "dataset")
        ways = [rankdata(matrix, method=way, axis=1, nan_policy="omit") for way in ("average", "min")]
        enough = matrix.shape[1] > 1 and len(matrix) >= FEW and bool((matrix != matrix[:, :1]).any())
        return enough and any(np.array_equal(ranks, matrix, equal_nan=True) for ranks in ways)

    def _matrix(self, tidy: Mapping[str, Names], role: str) -> FloatArray:
        """Scores with a row per name of a role, and a column for everything else."""
        others = [one for one in KEYS if one in tidy and one != role]
        rows = {name: i for i, name in enumerate(dict.fromkeys(tidy[role].tolist()))}
        cells = [*zip(*(tidy[one].tolist() for one in others), strict=True)]
        columns = {cell: i for i, cell in enumerate(dict.fromkeys(cells))}
        found = np.full((len(rows), len(columns)), np.nan)
        found[[rows[x] for x in tidy[role].tolist()], [columns[cell] for cell in cells]] = tidy["value"]
        return found

    def _kind_of(self, tidy: Mapping[str, Names]) -> str:
        """Of what the rows are evidence."""
        if len({*tidy["model"].tolist()}) < 2:
            texts = [name for name in self.found.get("text", []) if name not in self.roles.values()]
            more = f"; {some_names(texts)} hold{'s' if len(texts) == 1 else ''} text" if texts else ""
            alone = self.roles.get("model") == HEADERS and self.kind is None and not self.asked.models
            if texts or alone:
                name = tidy["model"][0]
                calls = [(f"{name!r} is the only model", {"models": [name]})] if alone and not texts else []
                raise self.unclear(f"it must hold two or more models; got {name!r}{more}", *calls)
        has = {role for role in KEYS if role in tidy}
        if "item" in has:
            return "outcomes"
        if "run" in has and has & {"split", "repeat"}:
            name = self.roles.get("run") or self.words["run"]
            raise self.unclear(
                f"it has runs in column {name!r} beside splits",
                (f"every {name!r} drew splits of its own", {"repeat": name}),
                (f"every {name!r} met the same splits, and their mean counts", {"run": name}),
            )
        telling = next((role for role in ("split", "repeat", "run") if role in has), None)
        if telling is not None and telling not in self.asked.columns and self.kind is None:
            values = tidy["value"]
            if len(values) >= MANY and bool(np.isin(values, (0, 1)).all()):
                name = self.roles.get(telling, "")
                raise self.unclear(
                    f"all scores are 0 or 1, as of items that are right or wrong, and {name!r} names {NOUNS[telling]}s",
                    *((f"{name!r} names {NOUNS[role]}s", {role: name}) for role in ("item", telling)),
                )
        if has & {"split", "repeat"}:
            return "folds"
        if "run" in has:
            return "runs"
        if "dataset" in has:
            if len({*tidy["dataset"].tolist()}) < 2 and self.kind != "study":
                raise self.unclear("it has one score per model: one number says nothing of its variation")
            return "study"
        raise self.unclear("it has one score per model: one number says nothing of its variation")

    def _predicting(self, truth: str) -> list[str]:
        """The columns that hold predictions of some true values."""
        classes = {str(x) for x in self.columns[truth].tolist()}
        return [
            name
            for name in (*self.found.get("number", []), *self.found.get("text", []))
            if {str(x) for x in self.columns[name].tolist()} <= classes
        ]

    def _predictions(self) -> Reading:
        """Predictions on one test set, a row per sample and model, or a column per model."""
        truth = self.roles.get("truth")
        if truth is None:
            raise self.unclear("it has no column of true values: give truth=")
        columns: dict[str, Names] = {}
        item = self.roles.get("item") or self.roles.get("id")
        self.roles |= {"item": item} if item is not None else {}
        for role in ("item", "model", "truth", "cluster", "weight"):
            if role in self.roles:
                read = {"truth": self._plain, "model": self._texts}.get(role, self.columns.__getitem__)
                columns[role] = read(self.roles[role])
        if "model" in self.roles:
            self._tidy_predictions(columns)
            models: tuple[str, ...] = ()
        else:
            models = self._wide_predictions(truth, columns)
        own = ("item", "model", "truth", "cluster", "weight", "value")
        known = {
            *(self.roles[role] for role in own if role in self.roles),
            *self.found.get("told", []),
            *models,
            *(n for r in ("prediction", "probability", "decision_function") for n in self.found.get(r, [])),
        }
        columns |= {f"also {name}": x for name, x in self.columns.items() if name not in known}
        roles = {role: self.roles[role] for role in own[:-1] if role in self.roles}
        return Reading(
            kind="predictions",
            columns=columns,
            roles=roles,
            models=models,
            left_out=self.left_out,
            notes=tuple(self.notes),
        )

    def _tidy_predictions(self, columns: dict[str, Names]) -> None:
        for role in ("prediction", "probability", "decision_function"):
            for name in self.found.get(role, []):
                own = name if name.lower().startswith("probability_") else role
                if own in columns:
                    raise self.unclear(f"{some_names(self.found[role])} could all be the {role}: leave out all but one")
                columns[own] = self._plain(name)
        if "value" in self.roles:
            columns["score"] = self._plain(self.roles["value"])
        if not {"prediction", "probability", "decision_function", "score"} & columns.keys() and not any(
            name.lower().startswith("probability_") for name in columns
        ):
            raise self.unclear("it has true values, and no column of predictions among " + some_names([*self.columns]))
        if "item" in self.words:
            columns["item"] = self._counted({"model": self._texts(self.roles["model"])})
        if "item" not in columns:
            model = self.roles["model"]
            known = [name for role in ("number", "text", "label") for name in self.found.get(role, [])]
            others = [name for name in known if name not in self.roles.values() and self._crosses(name, model)]
            raise self.unclear(
                "it has a row per sample and model, and nothing names the samples",
                *((f"samples are named by {name!r}", {"item": name}) for name in others),
                *([] if others else [("rows of a model stand in one order for all models", {"item": ROWS})]),
            )

    def _crosses(self, name: str, model: str) -> bool:
        """Whether every model has every value of a column once."""
        pairs = [*zip(*(map(str, self.columns[one].tolist()) for one in (model, name)), strict=True)]
        models, values = ({pair[i] for pair in pairs} for i in (0, 1))
        return len({*pairs}) == len(pairs) == len(models) * len(values)

    def _wide_predictions(self, truth: str, columns: dict[str, Names]) -> tuple[str, ...]:
        models = self.asked.models or tuple(
            name for name in self.columns if name in {*self.found.get("number", []), *self.found.get("text", [])}
        )
        classes = {str(x) for x in self.columns[truth].tolist()}
        if not self.asked.models:
            for name in models:
                texts = [x for x in self.columns[name].tolist() if isinstance(x, str)]
                strange = next((x for x in texts if x not in classes and self.numbers[name].share < 1), None)
                if strange is not None:
                    raise self.unclear(
                        f"column {name!r} holds no predictions of {truth!r}, such as {strange!r}; name those that do",
                        ("predictions are", {"models": self._predicting(truth)}),
                    )
            self._check_alike(models, truth)
        if not models:
            raise self.unclear(f"it must have a column of predictions beside {truth!r}; got none")
        columns |= {f"of {name}": self._plain(name) for name in models}
        return models

    def _check_alike(self, models: Sequence[str], truth: str) -> None:
        """A refusal where some columns are called like models, or alike, and others may describe the samples."""
        starts = [plain(name).split("_")[0] for name in models]
        called = [
            name
            for name, start in zip(models, starts, strict=True)
            if like_learners([name]) > 0 or starts.count(start) > 1
        ]
        if 1 < len(called) < len(models):
            others = some_names([name for name in models if name not in called])
            raise self.unclear(
                f"{others} may hold predictions of {truth!r}, or describe the samples",
                ("predictions are the others alone", {"models": called}),
                ("all are predictions", {"models": [*models]}),
            )
