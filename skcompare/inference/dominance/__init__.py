"""Procedures on several metrics at once."""
