"""Make the tables of docs/sources.md again: ``python -m benchmarks.sources`` from a checkout."""

from benchmarks import with_tables
from benchmarks.sources.page import PAGE, TABLES

if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), TABLES), encoding="utf-8")
