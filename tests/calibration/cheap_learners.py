"""Learners that cost nothing, so that simulations can be run in tests."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class MeanDifference(ClassifierMixin, BaseEstimator):
    """Classes 0 and 1 by the nearer mean."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        first, second = X[y == 0].mean(axis=0), X[y == 1].mean(axis=0)
        self.direction_ = second - first
        self.middle_ = (first + second) @ self.direction_ / 2
        return self

    def predict(self, X):
        return (X @ self.direction_ > self.middle_).astype(int)


class Constant(ClassifierMixin, BaseEstimator):
    """Always the class that is told."""

    def __init__(self, label=1):
        self.label = label

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return np.full(len(X), self.label)


class FirstCoin(ClassifierMixin, BaseEstimator):
    """What one attribute says, which is nothing."""

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return X[:, 0].astype(int)
