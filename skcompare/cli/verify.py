"""`skcompare verify`: a saved result is made again and compared."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from skcompare.cli.data import DATASETS, Columns, bundled_dataset, check_separator, read_csv
from skcompare.cli.errors import InputError, as_input_error
from skcompare.cli.run import is_shown, warnings_told_once

_STATUS = {"identical": 0, "close": 0, "different": 1, "unverified": 2}


def verify_command(columns: Callable[..., Any]) -> click.Command:
    """The command, with the options for a table's columns that other commands have too."""

    @click.command("verify", short_help="Fit a saved result again and compare every score.")
    @click.argument("file", type=Path)
    @columns
    @click.option(
        "--allow",
        multiple=True,
        default=("sklearn",),
        show_default=True,
        metavar="PACKAGE",
        help="A package that models may be imported from; repeatable, and the default is then named too.",
    )
    @click.option("-n", "--jobs", type=int, default=1, show_default=True, help="Worker processes; -1 for all cores.")
    @click.option("--progress/--no-progress", default=None, help="As of compare.")
    def command(
        file: Path,
        data: Path | None,
        sep: str,
        allow: tuple[str, ...],
        jobs: int,
        progress: bool | None,
        **named: Any,
    ) -> None:
        """Fit again what FILE says it is of, and compare score by score.

        The data is a table given as to compare, or one that scikit-learn brings; either must be that of FILE by its
        digest. Nothing that FILE names is imported but estimators of the packages that are allowed. What keeps FILE
        from being verified is said before anything is fitted.

        Ends with status 0 where all is the same, bit for bit or to 1e-12, with 1 where it is different, and with 2
        where it cannot be verified.
        """
        from skcompare._load import load_result
        from skcompare.results import EvaluationResult
        from skcompare.verification import verify

        if data is None and (any(named.values()) or sep != ","):
            raise InputError("--target, --categorical, --drop and --sep go with --data")
        with as_input_error(OSError, ValueError):
            result = load_result(file)
        if not isinstance(result, EvaluationResult):
            raise InputError(
                f"{file} is a study: save its evaluations, study.results[NAME].save(FILE), and verify each"
            )
        if data is None:
            X, y = _bundled(result)
        else:
            given = Columns(**named, separator=check_separator(sep))
            X, y, *_ = read_csv(data, given, regression=result.details.task in ("regression", "multioutput"))
        with warnings_told_once(), as_input_error(ValueError, TypeError, ImportError):
            found = verify(result, X, y, allow=allow, n_jobs=jobs, progress=is_shown(progress))
        click.echo(str(found))
        click.get_current_context().exit(_STATUS[found.outcome])

    return command


def _bundled(result: Any) -> tuple[Any, Any]:
    """The data set of scikit-learn that a result is of, known by its digest; nothing where it is of none."""
    from skcompare.evaluation.provenance import data_digest

    recipe = result.provenance.get("recipe")
    wanted = recipe.get("data") if isinstance(recipe, dict) else None
    for as_frame in (False, True) if find_spec("pandas") is not None else (False,):
        for name in DATASETS:
            X, y = bundled_dataset(name, as_frame=as_frame)
            if wanted == {"X": data_digest(X), "y": data_digest(y.to_numpy() if as_frame else y)}:
                return X, y
    return None, None
