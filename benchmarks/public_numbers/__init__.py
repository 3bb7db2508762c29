"""Every public number before and after a rebuild: ``python -m benchmarks.public_numbers``."""
