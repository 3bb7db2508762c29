"""From X, y and estimators to scores; knows scikit-learn and joblib, never sees a p-value."""
