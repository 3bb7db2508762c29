"""The data and the models that a command is given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skcompare.cli.errors import InputError
from skcompare.cli.models import all_regressors, parse_models, prepare
from skcompare.cli.table import (
    Columns,
    bundled_dataset,
    check_dataset,
    check_separator,
    drop_options,
    identifier_note,
    identifiers,
    read_csv,
)


@dataclass(frozen=True, kw_only=True)
class Given:
    """Data and models as options; the attributes are the options of `skcompare compare`."""

    dataset: str | None
    data: Path | None
    target: tuple[str, ...]
    categorical: tuple[str, ...]
    drop: tuple[str, ...]
    group: str | None
    sep: str
    models: tuple[str, ...]

    def check(self) -> None:
        """InputError where options do not go together."""
        if (self.dataset is None) == (self.data is None):
            raise InputError("give either --dataset NAME or --data FILE.csv")
        if self.data is None and (self.target or self.categorical or self.drop or self.group or self.sep != ","):
            raise InputError("--target, --categorical, --drop, --group and --sep go with --data")
        if self.dataset is not None:
            check_dataset(self.dataset)

    def read(self) -> tuple[dict[str, Any], Any, Any, Any, list[str]]:
        """The models by name, X, y, the groups or None, and what is to be said of the data."""
        named = parse_models(self.models)
        if self.data is None:
            if self.dataset == "diabetes" and not all_regressors(named.values()):
                raise InputError("--dataset diabetes has a numeric target: give regressors")
            return named, *bundled_dataset(str(self.dataset)), None, []
        columns = Columns(
            target=self.target,
            categorical=self.categorical,
            drop=self.drop,
            group=self.group,
            separator=check_separator(self.sep),
        )
        X, y, kinds, groups = read_csv(self.data, columns, regression=all_regressors(named.values()))
        named, prepared = prepare(named, kinds)
        alike = identifiers(X)
        out = f"to leave {'it' if len(alike) == 1 else 'them'} out: {drop_options(alike)}"
        return named, X, y, groups, [prepared, identifier_note(alike, out)]
