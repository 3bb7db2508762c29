"""Displays: pictures of results, drawn with matplotlib, in the manner of scikit-learn's."""

from __future__ import annotations

from skcompare.plotting._differences import DifferencesDisplay
from skcompare.plotting._display import Display
from skcompare.plotting._kinds import KINDS, make_display

__all__ = ["DifferencesDisplay", "Display", "KINDS", "make_display"]
