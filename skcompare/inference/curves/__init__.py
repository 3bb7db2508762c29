"""Curves and costs of binary scores: what a threshold buys."""
