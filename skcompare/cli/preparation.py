"""The default preparation of a table for any model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def prepare(named: dict[str, Any], kinds: dict[str, list[str]]) -> tuple[dict[str, Any], str]:
    """Every model behind the default preparation of a table, and that preparation in words."""
    words = (
        f"Prepared within each training set: {len(kinds['numeric'])} numeric columns (missing values: median; "
        f"standardised), {len(kinds['categorical'])} categorical columns (missing values: most frequent; one-hot)."
    )
    return {name: prepared(kinds, model) for name, model in named.items()}, words


def prepared(kinds: Mapping[str, Any], model: Any) -> Any:
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numeric = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
    categories = make_pipeline(
        SimpleImputer(strategy="most_frequent", keep_empty_features=True),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    table = ColumnTransformer(
        [("numeric", numeric, kinds["numeric"]), ("categorical", categories, kinds["categorical"])]
    )
    return make_pipeline(table, model)


def behind_default_preparation(model: Any) -> Any:
    """A model behind the preparation of whatever numeric and text columns a frame has."""
    from sklearn.compose import make_column_selector

    kinds = {
        "numeric": make_column_selector(dtype_include="number"),
        "categorical": make_column_selector(dtype_exclude="number"),
    }
    return prepared(kinds, model)
