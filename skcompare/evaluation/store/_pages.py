"""Rows of an SQLite file and its write-ahead log, read page by page, whatever else in them is damaged.

The layout is that of https://www.sqlite.org/fileformat2.html. Nothing is believed here: who reads a row checks it.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple, Self

from skcompare.evaluation.store._stored_fit import MAX_CONTENT, MAX_TEXT

_TABLE_LEAF, _INDEX_LEAF = 13, 10
_PAGE = 4096
_SIZES = {1 << power for power in range(9, 17)}
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes by serial type
_MOST = MAX_CONTENT + 3 * MAX_TEXT
_LOOKED_AT = 256  # pages, to see whether a file whose beginning is lost was ours


class Row(NamedTuple):
    """The number of a row of a table, None in an index, and its values."""

    number: int | None
    values: tuple[Any, ...]


class Pages:
    """The pages of a file and of its log; a context manager."""

    def __init__(self, name: str) -> None:
        self._main = Path(name).open("rb")  # noqa: SIM115
        self._log: BinaryIO | None = None
        log = Path(f"{name}-wal")
        try:
            if log.is_file():
                self._log = log.open("rb")
            header = self._main.read(100)
            self._frames: dict[int, int] = {}  # where the last version of a page begins in the log
            self._starts: list[tuple[int, int]] = []  # all versions
            size = int.from_bytes(header[16:18], "big")
            start = self._log.read(32) if self._log else b""
            logged = int.from_bytes(start[8:12], "big")
            self.size = next((found for found in (65536 if size == 1 else size, logged) if found in _SIZES), _PAGE)
            if logged == self.size:
                self._read_log(start[16:24])
            self.n_main = -(-os.fstat(self._main.fileno()).st_size // self.size)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close both files."""
        for file in (self._main, self._log):
            if file is not None:
                file.close()

    def _read_log(self, salt: bytes) -> None:
        """Find the frames of the log as it was begun last; older ones lie behind them."""
        assert self._log is not None
        start = 32
        while len(frame := self._seek(self._log, start, 24)) == 24 and frame[8:16] == salt:
            number = int.from_bytes(frame[:4], "big")
            self._frames[number] = start + 24
            self._starts.append((number, start + 24))
            start += 24 + self.size

    @staticmethod
    def _seek(file: Any, start: int, size: int) -> bytes:
        file.seek(start)
        return bytes(file.read(size))

    def _page(self, number: int, *, logged: bool) -> bytes:
        """A page as the file has it, or the log where it is asked for or the file is too short."""
        if self._log is not None and number in self._frames and (logged or number > self.n_main):
            return self._seek(self._log, self._frames[number], self.size)
        return self._seek(self._main, (number - 1) * self.size, self.size) if number > 0 else b""

    def rows(self, most: int | None = None) -> Iterator[Row]:
        """Every row on a leaf, of the file and then of its log, the same one twice where both have it."""
        for number in range(1, 1 + (self.n_main if most is None else min(most, self.n_main))):
            yield from self._rows_of(self._page(number, logged=False), logged=False)
        for _, start in self._starts[:most]:
            assert self._log is not None
            yield from self._rows_of(self._seek(self._log, start, self.size), logged=True)

    def _rows_of(self, page: bytes, *, logged: bool) -> Iterator[Row]:
        if len(page) < 8 or page[0] not in (_TABLE_LEAF, _INDEX_LEAF):
            return
        in_table = page[0] == _TABLE_LEAF
        n_cells = int.from_bytes(page[3:5], "big")
        for i in range(min(n_cells, (len(page) - 8) // 2)):
            at = int.from_bytes(page[8 + 2 * i : 10 + 2 * i], "big")
            try:
                length, at = _varint(page, at)
                number, at = _varint(page, at) if in_table else (None, at)
                values = _record(self._payload(page, at, length, in_table=in_table, logged=logged))
            except (IndexError, ValueError, struct.error):
                continue
            yield Row(number, values)

    def _payload(self, page: bytes, at: int, length: int, *, in_table: bool, logged: bool) -> bytes:
        """The bytes of a row, which go on on other pages where they are many; ValueError where they are not there."""
        most = self.size - 35 if in_table else (self.size - 12) * 64 // 255 - 23
        if length <= most:
            found = page[at : at + length]
        else:
            if length > min(_MOST, (self.n_main + len(self._frames)) * self.size):
                raise ValueError("a row larger than its file")
            least = (self.size - 12) * 32 // 255 - 23
            local = least + (length - least) % (self.size - 4)
            local = local if local <= most else least
            parts = [page[at : at + local]]
            number = int.from_bytes(page[at + local : at + local + 4], "big")
            for _ in range(-(-(length - local) // (self.size - 4))):
                more = self._page(number, logged=logged)
                if len(more) < 4:
                    raise ValueError("a page that is not there")
                parts.append(more[4:])
                number = int.from_bytes(more[:4], "big")
            found = b"".join(parts)[:length]
        if len(found) != length:
            raise ValueError("a row that is cut off")
        return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends."""
    value = 0
    for i in range(8):
        byte = data[at + i]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + i + 1
    value = value << 8 | data[at + 8]
    return value - (1 << 64) if value >> 63 else value, at + 9


def _record(data: bytes) -> tuple[Any, ...]:
    """The values of a row; ValueError where its header and its length disagree."""
    end, at = _varint(data, 0)
    start = end
    values: list[Any] = []
    if end > len(data):
        raise ValueError("a header that is cut off")
    while at < end:
        kind, at = _varint(data, at)
        size = _INTEGERS.get(kind, 8 if kind == 7 else (kind - 12) // 2 if kind >= 12 else 0)
        part = data[start : start + size]
        if kind < 0 or kind in (10, 11) or len(part) != size:
            raise ValueError("no value")
        if kind in _INTEGERS:
            values.append(int.from_bytes(part, "big", signed=True))
        elif kind == 7:
            values.append(struct.unpack(">d", part)[0])
        elif kind >= 12:
            values.append(part if kind % 2 == 0 else part.decode("utf-8", "replace"))
        else:
            values.append({0: None, 8: 0, 9: 1}[kind])
        start += size
    if start != len(data):
        raise ValueError("more bytes than values")
    return tuple(values)


def has_rows_of_ours(name: str) -> bool:
    """Whether a file without a header of ours has a row like those of fits, evaluations or simulated data sets."""
    try:
        with Pages(name) as pages:
            return any(_is_like_ours(row) for row in pages.rows(_LOOKED_AT))
    except OSError:
        return False


def _is_like_ours(row: Row) -> bool:
    values = row.values
    if row.number is None:
        return False
    kinds = tuple(type(value) for value in values)
    if len(values) == 14:  # a fit
        return kinds[2:4] == (bytes, int) and kinds[8:13] == (str, str, int, bytes, bytes) and len(values[12]) == 16
    if len(values) == 7:
        simulated = kinds[:3] == (int, int, int) and kinds[5] is bytes and len(values[5]) == 16
        return simulated or (kinds[1] is bytes and len(values[1]) == 32 and '"config"' in str(values[4]))
    return False
