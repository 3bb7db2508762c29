"""Print the tables of docs/sources.md and write them there: ``python -m benchmarks.sources`` from a checkout."""

from benchmarks.sources.page import PAGE, tables, with_tables

if __name__ == "__main__":
    print(tables())
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
