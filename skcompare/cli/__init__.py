"""The `skcompare` command."""
