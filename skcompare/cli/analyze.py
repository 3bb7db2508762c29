"""What `skcompare analyze` and `check` ask of files, in the words of the options -> a result and how it was read."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from numpy.typing import NDArray

from skcompare._core.printable import some_names
from skcompare._load import result_of
from skcompare.cli.data import check_known, told
from skcompare.results import EvaluationResult
from skcompare.tables.columns import role_of_name
from skcompare.tables.logs import recognised
from skcompare.tables.reading import GROUPS, INDEPENDENT, Asked, UnclearError
from skcompare.tables.source import Table, table_of

Columns = Mapping[str, NDArray[Any]]
Value = TypeVar("Value")


@dataclass(frozen=True, kw_only=True)
class Request(Asked):
    """What is asked of some files, in the words of the options."""

    files: tuple[Path, ...]
    sep: str | None = None
    nulls: tuple[str, ...] = ()
    baseline: str | None = None
    by: str | None = None
    less_is_better: tuple[str, ...] = ()
    directions: tuple[str, ...] = ()
    test_fraction: float | None = None
    paired: str | None = None
    missing: str | None = None
    design: str | None = None
    alone: bool = True  # whether these files are all that the command is given

    @cached_property
    def table(self) -> Table:
        """What the files hold; what another tool wrote has known roles."""
        with told("FILE: "):
            return recognised(*self.files) or table_of(*self.files, sep=self.sep)

    def read(self, table: Table | None = None) -> tuple[Any, str]:
        """The result of the files, or of a table made of them, and a sentence that says what they were read as."""
        origin = table.origin if table else ", ".join(map(str, self.files))
        table = table or self.table
        self._check(table.columns, origin)
        said = {field.name: getattr(self, field.name) for field in fields(Asked)}
        for one, several in (("model", "models"), ("metric", "metrics")):
            if len(said[several]) == 1:
                said |= {one: said[several][0], several: ()}
        asked, signs = Asked(**said), self._directions()
        given: dict[str, Any] = {"missing": self.missing, "sep": self.sep, "design": self._design()}
        if self.by is not None:  # under a name of its own; it keeps its meaning too
            meant = self.by in (*self.models, self.truth, self.item, self.cluster)
            twice = meant or role_of_name(self.by) not in (None, "cluster")
            columns = {name: x for name, x in table.columns.items() if twice or name != self.by}
            table = replace(table, columns=columns | {GROUPS: table.columns[self.by]})
        try:
            result = result_of(table, asked, **given, greater_is_better=signs)
        except UnclearError as error:
            raise UnclearError(self._told(error, asked.given), "") from error
        except ValueError as error:
            line = str(error)
            if line.startswith("greater_is_better must") and isinstance(signs, Mapping):
                known = result_of(table, asked, **given).metrics
                for metric in signs:
                    option = "--less-is-better" if metric in self.less_is_better else "--greater-is-better"
                    check_known(metric, known, f"{option}: {origin} has no metric")
            raise ValueError(line if line.startswith(origin) else f"{origin}: {line}") from error
        if self.by is not None and isinstance(result, EvaluationResult):
            own = {self.by if name == GROUPS else name: x for name, x in result.details.sample_columns.items()}
            if self.by not in own:
                said_of = "must have one value per sample, the same for all models"
                raise ValueError(f"--by: column {self.by!r} of {origin} {said_of}")
            result = result._with(sample_columns=own)
        return result, str(result.provenance["read_as"])

    def answers(self, result: Any) -> tuple[str, str]:
        """What is told before and after the summary: the comparisons under a null, and those in groups."""
        first = last = ""
        if self.nulls:
            if not hasattr(result, "compare"):
                raise ValueError(f"--null does not go with a search, as which {self.files[0]} was read")
            nulls = by_metric("--null", self.nulls, "difference", "a number", float)
            with told("--null: "):
                comparison = result.compare(null=nulls.get("", nulls), baseline=self.baseline)
            first = f"{comparison}\n\nAgainst a difference of 0 instead:"
        if self.by is not None and isinstance(result, EvaluationResult):
            with told(f"--by: column {self.by!r} of {self.files[0]}: "):
                last = str(result.by(self.by, baseline=self.baseline))
        return first, last

    def _check(self, columns: Columns, origin: str) -> None:
        """ValueError where an option names no column, or two options do not go together."""
        named = {"--truth": self.truth, "--id": self.item, "--cluster": self.cluster, "--by": self.by}
        for option, name in (*named.items(), *(("--model", name) for name in self.models)):
            words = ("rows", "columns", "files", *([INDEPENDENT] if option == "--cluster" else []))
            if name is not None and name not in words:
                check_known(name, [*columns], f"{option}: {origin} has no column")
            if option in ("--truth", "--id") and name in self.models:
                raise ValueError(f"--model: column {name!r} of {origin} is named by {option} too")
        models = {name for name in columns if role_of_name(name) == "model"}
        if self.by is not None and models == {self.by} and not self.models:
            raise ValueError(
                f"--by must name a column that describes samples; {self.by!r} of {origin} names the models"
            )
        if len(set(self.models)) < len(self.models):
            raise ValueError(f"--model must name every column once; got {some_names(self.models)}")
        if self.baseline is not None and not self.nulls and self.by is None:
            raise ValueError("--baseline goes with --null and --by")
        if self.test_fraction is not None and not 0 < self.test_fraction < 1:
            raise ValueError(f"--test-fraction must be between 0 and 1; got {self.test_fraction}")

    def _design(self) -> str | None:
        """The design in one text."""
        share = None if self.test_fraction is None else f"{self.test_fraction:.12g} tested"
        said = ", ".join(filter(None, (self.design, share))) or None
        if said is not None and self.paired is not None:
            raise ValueError("--paired goes with runs, --design and --test-fraction with splits")
        return said if self.paired is None else f"paired runs: {self.paired}"

    def _directions(self) -> bool | dict[str, bool] | None:
        """Those of the options, where there are any."""
        words, form = {"true": True, "false": False}, "true or false, or METRIC=true"
        found = by_metric("--greater-is-better", self.directions, "direction", form, lambda x: words[x.lower()])
        found = dict.fromkeys(self.less_is_better, False) | found
        if "" in found and len(found) > 1:
            raise ValueError("--greater-is-better: give one direction, or one per metric")
        return found.get("", found or None)

    def _told(self, error: UnclearError, given: Mapping[str, Any]) -> str:
        """A refusal with the commands that read the table, or with the options that are to be added."""
        calls = []
        for what, options in error.calls:
            more = {name: x for name, x in options.items() if name not in given}
            if self.alone:
                words = ["skcompare", "analyze", *map(str, self.files), *_flags(options)]
                calls.append(f"{what}: {shlex.join(words)}")
            elif more.keys().isdisjoint({"models", "dataset", "greater_is_better"}):
                calls.append(f"{what}: add {shlex.join(_flags(more))}")
        return "; or ".join([f"{error.says}. {calls[0]}", *calls[1:]] if calls else [error.says])


def _flags(options: Mapping[str, Any]) -> list[str]:
    """Options of `read` as those of the command."""
    flags = []
    for name, value in options.items():
        if name == "greater_is_better":
            by_name = value.items() if isinstance(value, Mapping) else [("", value)]
            value = [f"{metric}{'=' * bool(metric)}{str(one).lower()}" for metric, one in by_name]
        for one in value if isinstance(value, list) else [value]:
            flags += [f"--{name.replace('_', '-')}", str(one)]
    return flags


def by_metric(
    option: str, texts: Sequence[str], one: str, form: str, value_of: Callable[[str], Value]
) -> dict[str, Value]:
    """Values by metric, of texts such as ``f1=0.01``; what is of all metrics stands under no name."""
    found = {}
    for text in texts:
        metric, _, value = text.rpartition("=")
        try:
            found[metric] = value_of(value)
        except (ValueError, KeyError):
            raise ValueError(f"{option} must be {form}; got {value!r}") from None
    if len(found) < len(texts) or (option == "--null" and "" in found and len(found) > 1):
        raise ValueError(f"{option}: give one {one}, or one per metric")
    return found
