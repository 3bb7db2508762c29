"""Settings of the whole suite."""

from __future__ import annotations

import os

from hypothesis import settings

# The same examples at every run where a run decides something; anew everywhere else.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")
