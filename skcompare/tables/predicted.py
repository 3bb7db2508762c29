"""Predictions in a table: the true values, the models' columns or rows, and what describes the samples."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from skcompare._core.numbers import listed, some_names
from skcompare.tables import columns as words
from skcompare.tables.form import FEW, Form
from skcompare.tables.reading import GIVEN, Call, Names, Reading
from skcompare.tables.source import HEADERS, ROWS, worded

_AGREE = 0.5  # the share of predictions that are what scores say, above which these are of the same class
_OWN = ("item", "model", "truth", "cluster", "weight")  # what is read of predictions beside these
_PARTS = {  # svm_proba, svm_proba_spam, y_pred_svm
    role: re.compile(rf"(?i)(?:{own})[ _.-]+(?P<b>.+)|(?P<a>.+?)[ _.-]+(?:{own})(?:[ _.-]+(?P<of>.+))?")
    for role in ("probability", "prediction", "decision_function")
    for own in ["|".join(sorted(words.NAMES[role], key=len, reverse=True))]
}
Tidy = dict[str, Names]


class Predicted(Form):
    """A table that may hold predictions: whether it does, and whose."""

    def _is_predicted(self) -> bool:
        """Whether the table has true values and predictions of them."""
        if self.kind is not None:
            return self.kind == "predictions"
        labels, others, given = self.candidates("label"), self.candidates("number", "text"), self.candidates(*GIVEN)
        if self._is_graded([*filter(None, [self.roles.get("truth")]), *labels]) or self._is_measured():
            return False
        if "truth" not in self.roles and given and len(labels) == 1:
            self.roles["truth"] = labels[0]
        if "truth" in self.roles:
            return True
        if "model" in self.roles and not given:
            if len(labels) == 1 and "outcome" not in self.roles and {"item", "id"} & self.roles.keys():
                said = [*self.candidates("number"), *filter(None, [self.roles.get("value")])]  # may grade the answers
                answers = [x for x in self._answers(labels[0]) if not (said and self.numbers[x].share)]
                self.roles |= {"truth": labels[0]} if answers else {}
            return "truth" in self.roles
        others = [name for name in self.columns if name in (*others, self.roles.get("outcome"))]
        called = [name for name in others if words.is_predicted(name) and not words.is_measure(name)]
        cases = {"dataset", "split", "repeat", "run"} & self.roles.keys()  # whose scores may be called so
        if given or (len(called) > 1 and not labels and (self.all_words(called) or not cases)):
            measured = any(map(self.broken, self.candidates("prediction") or called))
            alike = [name for name in (*labels, *others) if self.distinct(name) > 1 and self.broken(name) == measured]
            pairs: list[Call] = [{"truth": of, "models": [name]} for name, of in self._predictions_of.items()]
            says = " of several targets" if pairs[1:] else ", and no column of true values"
            found: list[Call] = [{"truth": name} for name in alike if name not in called]
            raise self.unclear(f"it has predictions{says}", *(pairs if pairs[1:] else found))
        others = [x for x in others if not (words.is_summary(x) or words.is_listed(x, "unnamed"))]
        learners = {name for name in others if words.like_learners([name]) > 0}
        rest = [name for name in others if name not in learners]
        numbers = [x for x in others if x in self.candidates("number")]  # right answers have no truth that is not first
        rest = [] if self.asked.models or (self.all_words(numbers) and rest != others[:1]) else rest
        for name in labels if len(labels) == 1 else rest if len(rest) < FEW else ():
            sure = name in labels or words.role_of_name(name) in ("label", "truth")
            own = [x for x in self._predicting(name) if x != name and (name in labels or x in learners)]
            graded = any(map(self.broken, own)) or self.all_words(own)  # scores, or which answers are right
            if name in labels and own[1:] and ({*own} <= {*called} or ({*own} <= learners and not graded)):
                self.roles["truth"] = name
                return True
            if (own[1:] or {*own} & {*called}) and (sure or not self.broken(name)):
                likely = [x for x in own if x in called]
                ways = (likely, own) if 1 < len(likely) < len(own) else (own,)
                calls: list[Call] = [{"truth": name, "models": models} for models in ways]
                raise self.unclear(f"{name!r} may hold true values", *calls, {"models": self.candidates("number")})
        return False

    def _is_measured(self) -> bool:
        """Whether a column that is called as true values are, such as gold, stands beside scores of models."""
        truth, numbers = self.roles.get("truth"), self.candidates("number")
        if truth is None or "truth" in self.asked.columns or self.candidates(*GIVEN):
            return False
        case = next((self.roles[role] for role in ("dataset", "split") if role in self.roles), "")
        if case in self.columns and not self.repeats(case) and self.broken(truth) and all(map(self.broken, numbers)):
            raise self.unclear(worded("truth or scores", truth), {"truth": truth}, {"models": [truth, *numbers]})
        if "outcome" in self.roles or any(map(words.is_measure, numbers)):
            self.leave_out([self.roles.pop("truth")], "unknown")
        return "truth" not in self.roles

    def _is_graded(self, truths: Sequence[str]) -> bool:
        """Whether a column says which answers are right, or numbers grade free texts, and none has the true values."""
        right, given, numbers = self.roles.get("outcome"), self.candidates(*GIVEN), self.candidates("number")
        wide = "model" not in self.roles
        if "truth" in self.asked.columns or (wide and (len(numbers) < 2 or not self.all_words(numbers))):
            return False
        if given and not truths and (right or any(map(words.is_measure, numbers))):
            return not wide
        free = [self.numbers[x].share == 0 and 4 * self.distinct(x) > self.table.n_rows for x in truths]
        if free and all(free) and ("value" in self.roles or numbers):
            return not any(map(self._predicting, truths))
        if wide or right is None or not self.all_words([right]):
            return False
        values = {name: {*map(str, self.columns[name].tolist())} for name in (*truths, *given)}
        answered = any(values[name] <= values[truth] for name in given for truth in truths)
        return not answered and not any(map(self.broken, given))

    def _reading(self, **fields: Any) -> Reading:
        said = {"left_out": self.left_out, "notes": tuple(self.notes), "assumed": tuple(self.assumed)}
        return Reading(asked=self.asked.given, **said, **fields)  # type: ignore[arg-type]

    def _unshared(self, names: Sequence[str]) -> str:
        """That the models share no name of a case, as of files of other items; empty where a column has one twice."""
        alone = [name for name in names if not self.repeats(name) and not self.broken(name)]
        return f"; {alone[0]!r} has another value in every row, and models share none" if alone else ""

    def _predicting(self, truth: str, every: Sequence[str] = ()) -> list[str]:
        """The columns that hold predictions of some true values, or probabilities of two classes."""
        classes, every = {*map(str, self.columns[truth].tolist())}, every or self.candidates("number", "text")
        if self.numbers[truth].bad is None and self.broken(truth):
            return [name for name in every if self.numbers[name].bad is None and self.broken(name)]
        named = [x for x in every if {*map(str, self.columns[x].tolist())} <= classes]
        if named or len(classes) != 2:
            return named
        sure = {"0.0", "1.0"}  # as a tree may be of all classes
        numbers = [x for x in self.candidates("number") if self.broken(x) or {*map(str, self.columns[x])} == sure]
        return [x for x in numbers if bool(((self.numbers[x].values >= 0) & (self.numbers[x].values <= 1)).all())]

    def _predictions(self) -> Reading:
        """Predictions on one test set, a row per sample and model, or a column per model."""
        truth = self.roles.get("truth")
        if truth is None:
            raise self.unclear(f"it has no column of true values. {self.needs}")
        self._name_samples(truth)
        for name in self.candidates("prediction") if self.repeats(truth) and self.candidates("size") else ():
            if self.repeats(name) and self.distinct(truth, name) == self.table.n_rows:
                raise self.unclear(f"{truth!r} and {name!r} differ in all rows, as beside counts of both: give samples")
        read = {"truth": self.as_numbers, "weight": self.as_numbers, "model": self.texts}
        there = {role: self.roles[role] for role in _OWN if self.roles.get(role) in self.columns}
        columns = {role: read.get(role, self.columns.__getitem__)(name) for role, name in there.items()}
        if "model" not in self.roles and not self.asked.models and (given := self.candidates(*GIVEN)):
            self._take_one_model(given, truth, columns)
        predicted = {} if "model" in self.roles else self._wide_predictions(truth)
        if not predicted:
            self._tidy_predictions(columns)
        known = {*there.values(), self.roles.get("value"), *self.candidates("told", *GIVEN), *predicted, *self.scores}
        others = [x for x in self.columns if x not in known]
        described = {x: self.columns[x] if self.numbers[x].missing.any() else self.as_numbers(x) for x in others}
        roles = {role: self.roles[role] for role in _OWN if role in self.roles}
        return self._reading(kind="predictions", columns=columns, described=described, predicted=predicted, roles=roles)

    def _name_samples(self, truth: str) -> None:
        """Find what names the samples; beside columns of models all that is called so, and notes, are no models."""
        known = [self.roles[role] for role in ("item", "id") if role in self.roles]
        # of free texts predictions differ in all rows too
        if "model" in self.roles or "item" in self.asked.columns or not (self.repeats(truth) or self.broken(truth)):
            several = self.roles.get("model") in self.columns and self.repeats(truth)
            # a number of every row, of all models, names no sample
            known = [x for x in known if not (several and words.is_listed(x, "unnamed")) or self.repeats(x)]
            self.roles |= dict(zip(["item"], known, strict=False))
            return
        classes = {*map(str, self.columns[truth].tolist())}
        texts = [x for x in self.candidates("text") if classes.isdisjoint(map(str, self.columns[x].tolist()))]
        called = {x: {*map(words.role_of_name, (x, f"{x}_id"))} for x in texts}  # prompt, as prompt_id
        aside = [x for x in texts if called[x] & {"item", "id"} or words.is_listed(x, "notes")]
        aside += [x for x in self.candidates("number") if words.is_listed(x, "unnamed") and self.counts(x)]
        self.found = {role: [x for x in names if x not in aside] for role, names in self.found.items()}
        self.roles.pop("item", None)
        names = [x for x in (*known[::-1], *aside) if not self.repeats(x)]
        self.roles |= dict(zip(["item"], names or [x for x in known if self.distinct(x) > 1], strict=False))

    def _take_one_model(self, given: Sequence[str], truth: str, columns: Tidy) -> None:
        """Take predictions for those of a single model; a refusal where another column may hold some."""
        item, like = self.roles.setdefault("item", ROWS), self._predicting(truth)
        others = [x for x in self.candidates("number", "text") if x not in self._of_classes(truth).values()]
        more = [x for x in others if (words.is_predicted(x) or x in like) and not words.ends_as(x, "errors")]
        if more:
            says = f"{some_names(more)} may hold predictions of {truth!r} beside {some_names(given)}, or describe them"
            both = ([given[0], *more], [given[0]])
            own = both if any(map(words.is_predicted, more)) or words.like_learners(more) > 0 else both[::-1]
            raise self.unclear(says, *({"models": names, "truth": truth} for names in own))
        if item in self.columns and self.repeats(item):
            calls = self.ways_to_name("model", texts := self.candidates("text"))
            calls += [{"model": " + ".join(texts)}] * (len(texts) > 1)
            raise self.unclear(f"column {item!r} has a sample more than once, and nothing names models", *calls)
        self.roles["model"] = HEADERS
        columns["model"] = np.full(self.table.n_rows, given[0], dtype=object)

    def _of_classes(self, truth: str) -> dict[str, str]:
        """By class the columns of its probabilities, as prob_0 and prob_1; none where some class has none."""
        parts = {name: _PARTS["probability"].fullmatch(name) for name in self.candidates("number")}
        found = {match["b"]: name for name, match in parts.items() if match and not match["of"]}
        return found if found.keys() == {*map(str, self.columns[truth].tolist())} else {}

    def _answers(self, truth: str) -> list[str]:
        """The columns that hold what models answer, which varies within the items where a column names these."""
        item = self.roles.get("item", self.roles.get("id", ""))
        every = [x for x in self.candidates(*GIVEN, "label", "number", "size", "text") if x not in (truth, item)]
        like = self._predicting(truth, [*every, *filter(None, [self.roles.get("value")])])
        return [x for x in like if not (item in self.columns and self.repeats(item) and self.determines(item, x))]

    def _tidy_predictions(self, columns: Tidy) -> None:
        truth, value = self.roles["truth"], self.roles.get("value")
        of_classes = {} if self.candidates("probability") else self._of_classes(truth)
        columns |= {words.OF_CLASS + one: self.as_numbers(name) for one, name in of_classes.items()}
        like, two = self._answers(truth), self.distinct(truth) == 2
        given = {name: role for role in GIVEN for name in self.candidates(role)} | ({value: "score"} if value else {})
        if not given:
            if len(like) != 1 or self.numbers[like[0]].share:
                says = "it has true values, and no column of predictions among " + some_names([*self.columns])
                raise self.unclear(says, *({"truth": truth, "value": name} for name in like))
            given = {like[0]: "prediction"}
        for name, role in given.items():
            own = name if name.lower().startswith(words.OF_CLASS) else role
            if own == "prediction" and two and self.broken(name):
                own = "score"
            elif own in ("score", "decision_function") and name in like and not (two and self.numbers[name].share):
                own = "prediction"
            if own in columns:
                raise self.unclear(f"{some_names([*given])} could all be the {role}: leave out all but one")
            columns[own] = self.as_numbers(name)
        if self.roles.get("item") == ROWS:
            columns["item"] = self._counted({"model": columns["model"]})
        if "item" not in columns:
            known = [name for name in self.candidates("number", "text", "label") if name not in self.roles.values()]
            known = [name for name in known if not self.broken(name)]
            whole = [x for x in known if self.distinct(x, self.roles["model"]) == self.table.n_rows]
            each = self.table.n_rows / self.distinct(self.roles["model"])
            sure = [x for x in whole if self.distinct(x) == each and self.determines(x, truth)]
            if not sure or not all(self.determines(sure[0], x) for x in sure):
                ways = [{"item": name} for name in (*whole, ROWS)]
                raise self.unclear(worded("unnamed samples", self._unshared(whole)), *ways)
            columns["item"], self.roles["item"] = self.columns[sure[0]], sure[0]

    def _wide_predictions(self, truth: str) -> Tidy:
        every, like = self.candidates("number", "text"), self._predicting(truth)
        named = [x for x in every if words.is_predicted(x) or any(form.fullmatch(x) for form in _PARTS.values())]
        more = [x for x in every if x not in named and (x in like or self.broken(x) or words.like_learners([x]) > 0)]
        others = named if len(named) > 1 and not more else every
        others = [*given, *filter(words.is_predicted, every)] if (given := self.candidates(*GIVEN)) else others
        models = self.asked.models or tuple(name for name in self.columns if name in others)
        if len(like) > 1 and not self.asked.models:  # beside whether each is right
            self.leave_out((x for x in models if x not in like and self.all_words([x])), "comparison")
            models = tuple(name for name in models if name not in self.left_out)
        if not models:
            raise self.unclear(f"it must have a column of predictions beside {truth!r}; got none")
        if self.repeats(truth) and not (self.asked.models or self.broken(truth)):
            if parts := self._parts(models, truth):
                self.scores = models
                self.notes.append(f"Of each model {listed(next(iter(parts.values())))} were read, by names of columns.")
                return parts
            self._refuse_parts(models, truth)
        # M3 beside M1_LR
        alike = [x for x in like if words.may_be_models([x])] if words.like_learners(models) > 0 else []
        starts = Counter(words.plain(name).split("_")[0] for name in (*models, *alike))
        own = [x for x in models if words.like_learners([x]) > 0 or starts[words.plain(x).split("_")[0]] > 1]
        apart = [x for x in models if self.kind is None and self._is_apart(x, truth)]  # no answers
        spelt = [x for x in apart if self.repeats(x) and self.distinct(x) == self.distinct(truth)]  # perhaps otherwise
        described = [x for x in apart if x not in (*own, *spelt)]
        if not self.asked.models and len(models) - len(described) > 1:
            self.leave_out(described, "description")
            models = tuple(x for x in models if x not in described)
        odd = [x for x in models if self.kind is None and (x in apart or words.ends_as(x, "errors", "clusterings"))]
        y, several = self.numbers[truth].values, self.distinct(truth) > 2
        far = {x: ((self.numbers[x].values - y) ** 2).mean() for x in models if several and self.broken(x)}
        own += [x for x in models if x in named and x in like and x not in own and (x not in far or far[x] <= y.var())]
        near = [x for x in far if far[x] <= max((far[one] for one in own if one in far), default=0)]
        odd = odd or [x for x in models if len(own) > 1 and x not in (*own, *near)]  # no predictions of numbers
        odd += [x for x in models if len(far) > 1 and self.broken(truth) and x not in (*far, *odd)]
        if odd and not self.asked.models:
            says = f"{some_names(odd)} may hold predictions of {truth!r}, or errors, or describe the samples"
            ways = [tuple(x for x in models if x in of) for of in ({*models} - {*odd}, like, models)]
            # features in the values of the labels are those of two, most often
            first = several and not self.broken(truth) and {*odd} <= {*like}
            ways = [x for x in (ways[first], *ways) if len(x) > 1] or ways[2:]
            raise self.unclear(says, *({"models": [*x]} for x in dict.fromkeys(ways)))
        return {name: self.as_numbers(name) for name in models}

    def _is_apart(self, name: str, truth: str) -> bool:
        """Whether a column shares no value with the true ones, and has no numbers that could be scores."""
        if name in self.candidates("text"):
            return {*map(str, self.columns[name].tolist())}.isdisjoint(map(str, self.columns[truth].tolist()))
        could_be = self.broken(truth) or self.broken(name) or words.is_predicted(name)
        known = [0, 1, *self.numbers[truth].values]
        return not (could_be or np.isin(self.numbers[name].values, known).any())

    def _parts(self, names: Sequence[str], truth: str) -> dict[str, Any]:
        """By model predictions and scores of columns such as svm_pred and svm_proba; none where some do not fit."""
        columns = dict[str, dict[str, dict[str, str]]]()  # by model, part and class
        for name in names:
            role = next((one for one, form in _PARTS.items() if form.fullmatch(name)), "")
            match, cells = _PARTS[role].fullmatch(name) if role else None, self.numbers[name]
            if match is None or cells.missing.any() or (role != "prediction" and cells.bad is not None):
                return {}
            columns.setdefault(match["a"] or match["b"], {}).setdefault(role, {})[match["of"] or ""] = name
        labels = self.as_numbers(truth)
        classes = np.unique(labels if labels.dtype.kind != "O" else labels.astype(str)).astype(str)
        every, alone = classes.tolist(), [""]
        forms = [{role: sorted(of) for role, of in parts.items()} for parts in columns.values()]
        known = [alone, sorted(every)] if len(every) == 2 else [sorted(every)]
        scores = {role: of for role, of in forms[0].items() if role != "prediction"}
        whole = scores and forms[0].get("prediction") == alone and all(of in known for of in scores.values())
        if not whole or len(forms) < 2 or any(own != forms[0] for own in forms):
            return {}
        found = dict[str, dict[str, Names]]()
        for model, parts in columns.items():
            own = found[model] = {"prediction": self.as_numbers(parts["prediction"][""])}
            for role in scores:
                of = parts[role]
                x = np.stack([self.numbers[of[one]].values for one in (alone if "" in of else every)], axis=1)
                best = (x[:, 0] > 0.5 * (role == "probability")).astype(np.intp) if "" in of else x.argmax(axis=1)
                no_shares = role == "probability" and ((x < 0) | (x > 1)).any()
                if no_shares or (classes[best] == own["prediction"].astype(str)).mean() <= _AGREE:  # of another class
                    return {}
                own[role] = x[:, 0] if "" in of else x
        return found

    def _refuse_parts(self, models: Sequence[str], truth: str) -> None:
        """UnclearError where columns are of one model: predictions and scores, or probabilities of both classes."""
        own = {name: words.plain(name).split("_") for name in models}
        shares = [name for name in models if self.broken(name)]
        labels = [name for name in models if name not in shares]
        if shares and all(any({*own[x]} & {*own[name]} for x in labels) for name in shares):
            says = f"{some_names(labels)} and {some_names(shares)} may be predictions and scores of the same models"
            raise self.unclear(says, {"models": labels}, {"models": shares})
        pairs = combinations([self.numbers[name].values for name in shares], 2)
        if any(np.allclose(x + y, 1, equal_nan=True) for x, y in pairs):
            last = words.plain(max(map(str, words.distinct_cells(self.columns[truth])[0])))
            calls = [{"models": [name for name in shares if own[name][-1] == last]}]
            raise self.unclear(f"some of {some_names(shares)} add up to 1, as probabilities of both classes", *calls)
