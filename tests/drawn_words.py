"""The words of a picture, read back from its Display."""

from __future__ import annotations


def told(display):
    """The title of a picture and the notes below it."""
    return " ".join([display._title(), *display._notes()]).replace(r"\$", "$")
