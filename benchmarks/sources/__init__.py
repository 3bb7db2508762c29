"""Every number of five documents on comparing models, beside ours: ``python -m benchmarks.sources``."""
