"""Runnable measurements: ``python -m benchmarks.engine``."""
