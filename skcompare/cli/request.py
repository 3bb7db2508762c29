"""What `skcompare analyze` and `check` ask of files, in the words of the options -> a result and how it was read."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skcompare._core.printable import some_names
from skcompare.cli.errors import InputError, as_input_error, did_you_mean
from skcompare.results import EvaluationResult
from skcompare.study import StudyResult
from skcompare.tables.columns import role_of_name
from skcompare.tables.reading import GROUPS, INDEPENDENT, Asked, UnclearError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from skcompare.selection import SearchReport

    Table = dict[str, NDArray[Any]]


@dataclass(frozen=True, kw_only=True)
class Request(Asked):
    """What is asked of some files, in the words of the options."""

    file: Path
    more: tuple[Path, ...] = ()
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
    def log(self) -> Any:
        """What another tool wrote, as a table of known roles; None where it is a plain table."""
        from skcompare.tables.logs import recognised

        return recognised(self.file, *self.more)

    def as_it_came(self, separator: str | None) -> Table:
        """The columns of the files."""
        from skcompare.tables.source import table_of

        with as_input_error(ValueError, ImportError, start="FILE: "):
            found = self.log or table_of(self.file, *self.more, sep=separator)
            return dict(found.columns)

    def read(self, columns: Table, sep: str | None = None) -> tuple[EvaluationResult | StudyResult, str]:
        """The result of the columns, and a sentence that says what they were read as."""
        from skcompare._load import result_of
        from skcompare.tables.source import Table

        self._check(columns)
        origin = ", ".join(map(str, (self.file, *self.more)))
        said = {field.name: getattr(self, field.name) for field in fields(Asked)}
        for one, several in (("model", "models"), ("metric", "metrics")):
            if len(said[several]) == 1:
                said |= {one: said[several][0], several: ()}
        asked = Asked(**said)
        try:
            result = result_of(
                replace(self.log or Table(columns={}, origin=origin), columns=self._with_groups(columns)),
                asked,
                design=self._design(),
                missing=self.missing,
                greater_is_better=self._directions(),
                sep=sep,
            )
        except UnclearError as error:
            raise InputError(self._told(error, asked.given), whole=True) from error
        except ValueError as error:
            line = str(error)
            raise InputError(line if line.startswith(origin) else f"{origin}: {line}") from error
        return self._described(result), str(result.provenance["read_as"])

    def answers(self, result: EvaluationResult | StudyResult | SearchReport) -> dict[str, str]:
        """What is told before and after the summary: the comparisons under a null, and those in groups."""
        told = {}
        if self.nulls:
            if not isinstance(result, (EvaluationResult, StudyResult)):
                raise InputError(f"--null does not go with a search, as which {self.file} was read")
            with as_input_error(ValueError, start="--null: "):
                comparison = result.compare(null=_null(self.nulls), baseline=self.baseline)
            told["first"] = f"{comparison}\n\nAgainst a difference of 0 instead:"
        if self.by is not None and isinstance(result, EvaluationResult):
            with as_input_error(ValueError, start=f"--by: column {self.by!r} of {self.file}: "):
                told["last"] = str(result.by(self.by, baseline=self.baseline))
        return told

    def _check(self, columns: Table) -> None:
        """InputError where an option names no column, or two options do not go together."""
        options = {"truth": self.truth, "id": self.item, "cluster": self.cluster, "by": self.by}
        named = [(f"--{option}", name) for option, name in options.items()]
        for option, name in (*named, *(("--model", name) for name in self.models)):
            words = ("rows", "columns", "files", *([INDEPENDENT] if option == "--cluster" else []))
            if name is not None and name not in columns and name not in words:
                known = [*columns]
                raise InputError(
                    f"{option}: {self.file} has no column {name!r}, only {some_names(known)}{did_you_mean(name, known)}"
                )
        models = {name for name in columns if role_of_name(name) == "model"}
        if self.by is not None and models == {self.by} and not self.models:
            raise InputError(
                f"--by must name a column that describes samples; {self.by!r} of {self.file} names the models"
            )
        for option, name in named[:2]:
            if name is not None and name in self.models:
                raise InputError(f"--model: column {name!r} of {self.file} is named by {option} too")
        if len(set(self.models)) < len(self.models):
            raise InputError(f"--model must name every column once; got {some_names(self.models)}")
        if self.baseline is not None and not self.nulls and self.by is None:
            raise InputError("--baseline goes with --null and --by")
        if self.test_fraction is not None and not 0 < self.test_fraction < 1:
            raise InputError(f"--test-fraction must be between 0 and 1; got {self.test_fraction}")

    def _with_groups(self, columns: Table) -> Table:
        """The columns with that of the groups under a name of its own; it keeps its meaning too."""
        if self.by is None:
            return columns
        own = dict(columns)
        named = (*self.models, self.truth, self.item, self.cluster)
        if self.by not in named and role_of_name(self.by) in (None, "cluster"):
            own.pop(self.by)
        return {**own, GROUPS: columns[self.by]}

    def _design(self) -> str | None:
        """The design in one text."""
        parts = [self.design, None if self.test_fraction is None else f"{self.test_fraction:.12g} tested"]
        said = ", ".join(filter(None, parts)) or None
        if self.paired is not None:
            if said is not None:
                raise InputError("--paired goes with runs, --design and --test-fraction with splits")
            return f"paired runs: {self.paired}"
        return said

    def _directions(self) -> bool | dict[str, bool] | None:
        """Those of the options, where there are any."""
        found: dict[str, bool] = dict.fromkeys(self.less_is_better, False)
        for text in self.directions:
            name, _, word = text.rpartition("=")
            if word.lower() not in ("true", "false"):
                raise InputError(f"--greater-is-better must be true or false, or METRIC=true; got {text!r}")
            found[name] = word.lower() == "true"
        if "" in found and len(found) > 1:
            raise InputError("--greater-is-better: give one direction, or one per metric")
        return found.get("", found) or (False if found.get("") is False else None)

    def _told(self, error: Any, given: Mapping[str, Any]) -> str:
        """A refusal with the commands that read the table, or with the options that are to be added."""
        files = [str(path) for path in (self.file, *self.more)]
        calls = []
        for what, options in error.calls:
            if self.alone:
                calls.append(f"{what}: {shlex.join(['skcompare', 'analyze', *files, *_flags(options)])}")
            elif not {"models", "dataset", "greater_is_better"} & (options.keys() - given.keys()):
                more = {name: x for name, x in options.items() if name not in given}
                calls.append(f"{what}: add {shlex.join(_flags(more))}")
        return "; or ".join([f"{error.says}. {calls[0]}", *calls[1:]] if calls else [error.says])

    def _described(self, result: Any) -> Any:
        """The result with the column of the groups by its own name."""
        if self.by is None or not isinstance(result, EvaluationResult):
            return result
        columns = {self.by if name == GROUPS else name: x for name, x in result.details.sample_columns.items()}
        if self.by not in columns:
            raise InputError(
                f"--by: column {self.by!r} of {self.file} must have one value per sample, the same for all models"
            )
        return result._with(sample_columns=columns)


def _flags(options: Mapping[str, Any]) -> list[str]:
    """Options of `read` as those of the command."""
    flags = []
    for name, value in options.items():
        if name == "greater_is_better":
            by_metric = value.items() if isinstance(value, Mapping) else [("", value)]
            value = [f"{metric}{'=' * bool(metric)}{str(one).lower()}" for metric, one in by_metric]
        for one in value if isinstance(value, list) else [value]:
            flags += [f"--{name.replace('_', '-')}", str(one)]
    return flags


def _null(texts: Sequence[str]) -> float | dict[str, float]:
    """One difference for all metrics, or one per metric."""
    given = dict(text.rpartition("=")[::2] for text in texts)
    if len(given) < len(texts) or ("" in given and len(given) > 1):
        raise InputError("--null: give one difference, or one per metric")
    numbers = {}
    for metric, text in given.items():
        try:
            numbers[metric] = float(text)
        except ValueError:
            raise InputError(f"--null must be a number; got {text!r}") from None
    return numbers.get("", numbers)
