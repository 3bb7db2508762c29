"""Places for names near their points, where they hide no other name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from skcompare._core.validation import FloatArray

# Beside the point first: intervals are drawn to the right and left of it, and above and below.
_DIRECTIONS = [
    *((1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1)),
    *((1, 0.5), (1, -0.5), (-1, 0.5), (-1, -0.5), (0.5, 1), (0.5, -1), (-0.5, 1), (-0.5, -1)),
]
_STEP = 0.06
Box = tuple[float, float, float, float]


def place_labels(
    points: FloatArray, sizes: FloatArray, room: tuple[float, float], clearance: float
) -> list[tuple[float, float] | None]:
    """The nearest free place of each label, one after the other.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
        What the labels belong to.
    sizes : ndarray of shape (n, 2)
        Widths and heights of the labels.
    room : tuple of float
        Width and height within which they must be; all lengths in one unit.
    clearance : float
        Half the side of the square at each point that labels leave free.

    Returns
    -------
    list of (float, float) or None
        Centres of the labels; None where there is no place. In a larger room, with all places scaled, they do not
        overlap either.
    """
    taken: list[Box] = [(x - clearance, x + clearance, y - clearance, y + clearance) for x, y in points]
    places: list[tuple[float, float] | None] = []
    for (x, y), (width, height) in zip(points, sizes, strict=True):
        place = _first_free((x, y), (width, height), room, clearance, taken)
        places.append(place)
        if place is not None:
            taken.append(_box(place, (width, height)))
    return places


def _first_free(
    point: tuple[float, float], size: tuple[float, float], room: tuple[float, float], gap: float, taken: Sequence[Box]
) -> tuple[float, float] | None:
    for distance in np.arange(gap, max(room), _STEP):
        for along, across in _DIRECTIONS:
            place = (point[0] + along * (distance + size[0] / 2), point[1] + across * (distance + size[1] / 2))
            left, right, low, high = box = _box(place, size)
            inside = left >= 0 and low >= 0 and right <= room[0] and high <= room[1]
            if inside and not any(_overlap(box, other) for other in taken):
                return place
    return None


def _box(place: tuple[float, float], size: tuple[float, float]) -> Box:
    return place[0] - size[0] / 2, place[0] + size[0] / 2, place[1] - size[1] / 2, place[1] + size[1] / 2


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]
