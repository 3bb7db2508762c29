"""The command: tables into the page, or the simulations."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path

from benchmarks.papers import __doc__ as about
from benchmarks.papers import ranks, simulated_tables, uci54
from benchmarks.papers.forms import ROOT

PAGE = ROOT / "docs" / "papers.md"
START, END = "<!-- table {name} -->", "<!-- end of table -->"
MARKED = re.compile(r"<!-- table ([a-z_0-9]+) -->\n.*?<!-- end of table -->", re.DOTALL)
TABLES: dict[str, Callable[[], str]] = {
    function.__name__: function
    for function in (
        ranks.demsar_numbers,
        ranks.demsar_sign,
        ranks.demsar_quantiles,
        ranks.demsar_replicability,
        ranks.garcia_herrera_omnibus,
        ranks.garcia_herrera_pairs,
        ranks.garcia_herrera_adjusted,
        ranks.garcia_2010,
        uci54.per_data_set,
        uci54.signed_ranks,
        uci54.posteriors,
        uci54.intervals,
        uci54.replicability_of_runs,
        simulated_tables.simulated_learners,
        simulated_tables.errors_kept,
        simulated_tables.schemes,
        simulated_tables.degrees_of_freedom,
        simulated_tables.replicability,
        simulated_tables.generalization_error,
    )
}


def with_tables(page: str) -> str:
    """The page with every table between its marks made again."""

    def made(match: re.Match[str]) -> str:
        return f"{START.format(name=match[1])}\n\n{TABLES[match[1]]()}\n\n{END}"

    return MARKED.sub(made, page)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.papers", description=about)
    parser.add_argument("part", choices=("tables", "simulate"))
    parser.add_argument("--folder", type=Path, default=Path("paper-scores"), help="where simulated parts are kept")
    options = parser.parse_args()
    if options.part == "simulate":
        from benchmarks.papers.simulated import simulate

        simulate(options.folder)
    else:
        PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
