"""Settings of the whole suite."""

from __future__ import annotations

import os

from hypothesis import settings

# No example fails for being slow on a busy machine. Where a run decides something it tries the same examples again.
settings.register_profile("suite", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "suite")
