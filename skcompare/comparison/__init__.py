"""Scores -> comparisons: the only place that decides."""
