"""Procedures on the scores of one data set's folds."""
