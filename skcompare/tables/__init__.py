"""A table that another tool made -> scores."""
