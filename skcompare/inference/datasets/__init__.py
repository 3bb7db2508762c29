"""Procedures on one score per data set and model."""
