"""The papers' published tables beside ours, for docs/papers.md.

Run from a checkout: ``python -m benchmarks.papers tables`` computes what needs no simulation (seconds) and puts all
tables into the page; ``... simulate`` makes the simulated ones (minutes of one core, resumable; needs numba) and writes
docs/data/papers_simulated.csv.
"""
