"""Records on disk: each event is there before the next begins, whatever happens to the machine.

A line is written by one call and flushed to the disk; a new file's folder is flushed too. So what a
crash or a power cut can spoil is the last line only: one without its line feed, or one in which a
file system has left zero bytes. Going on cuts that off, and never a whole event.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from planner.game.faults import WHOLE_FILE, Fault, Faults, FileFault, place_text
from planner.game.pieces import note_faults
from planner.play.file_lock import lock
from planner.play.record_file import RECORD_FORMAT, RecordEvent, Setup, kind_of, line_of

MOST_BYTES = 2**28
"""A record may be as long as that."""


@dataclass(frozen=True, slots=True)
class Line:
    """A whole event of a record, and the number of its line, counted from 1."""

    number: int
    event: RecordEvent


@dataclass(frozen=True, slots=True)
class Record:
    """What could be read of a record: its whole events, and what is wrong in other lines.

    ``whole`` is how many bytes its whole events take; ``torn`` whether anything comes after them.
    ``unended``: the last event's line feed is missing, and nothing else of it.
    """

    file: str
    lines: tuple[Line, ...]
    faults: tuple[Fault, ...]
    whole: int
    torn: bool
    unended: bool = False


class BusyError(FileFault):
    """A record that another process writes."""

    def __init__(self, file: str) -> None:
        said = "another process is writing it"
        super().__init__(file, [Fault(WHOLE_FILE, said, "a game that nobody else is playing")])


class Recorder:
    """Writes a record. One process at a time: the file is locked until it is closed."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._file = descriptor
        self._size = os.fstat(descriptor).st_size

    @classmethod
    def create(cls, path: Path, setup: Setup) -> Self:
        """A new record that begins with the setup.

        Raises:
            OSError: the file can't be made, or is there already (FileExistsError).
            ValueError: the setup holds what a record can't.
        """
        first = line_of(setup)
        found = cls(path, _opened(path, os.O_CREAT | os.O_EXCL))
        try:
            found._write(first)
            _flush_folder(path.parent)
        except BaseException:
            found.close()
            with suppress(OSError):
                path.unlink()  # no game was begun in it
            raise
        return found

    @classmethod
    def reopen(cls, path: Path) -> tuple[Self, Record]:
        """A record to go on with, and what it holds: nobody else can write it meanwhile. Nothing
        is changed before `mend`.

        Raises:
            FileFault: it can't be read, or another process writes it.
        """
        try:
            _must_be_file(path)
            found = cls(path, _opened(path))
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS) and os.access(path, os.R_OK):
                said = f"can't be written: {error.strerror}"
                fault = Fault(WHOLE_FILE, said, "a record that can be written to, or a copy of it")
                raise FileFault(str(path), [fault]) from None
            raise _no_file(path, error) from None
        try:
            with os.fdopen(os.dup(found._file), "rb") as stream:
                stream.seek(0)
                return found, parse_record(stream.read(MOST_BYTES + 1), str(path))
        except OSError as error:
            found.close()
            raise _no_file(path, error) from None
        except BaseException:
            found.close()
            raise

    def mend(self, record: Record) -> None:
        """Cut off a torn tail, and end a last line that has no line feed. Raises OSError."""
        if record.torn:
            os.ftruncate(self._file, record.whole)
            os.fsync(self._file)
            self._size = record.whole
        if record.unended:
            self._write(b"\n")

    def write(self, event: RecordEvent) -> None:
        """Write an event; it is on the disk when this returns.

        Raises:
            OSError: it is not, and nothing of it is in the file.
            ValueError: it holds what a record can't.
        """
        self._write(line_of(event))

    def _write(self, data: bytes) -> None:
        try:
            left = data
            while left:
                left = left[os.write(self._file, left) :]
            os.fsync(self._file)
        except BaseException:
            with suppress(OSError):
                os.ftruncate(self._file, self._size)
            raise
        self._size += len(data)

    def close(self) -> None:
        """Let go of the file. What was written is on the disk already."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def holds_record(path: Path) -> bool:
    """Whether a file begins as a record does; False for what can't be read."""
    try:
        _must_be_file(path)
        with path.open("rb") as stream:
            return stream.read(len(_BEGINNING)) == _BEGINNING
    except (OSError, ValueError):
        return False


_BEGINNING = b'{"event":"setup"'


def read_record(path: Path) -> Record:
    """What a record holds; it may be one that is being written.

    Raises:
        FileFault: it can't be read, or holds no whole setup.
    """
    try:
        _must_be_file(path)
        with path.open("rb") as stream:
            return parse_record(stream.read(MOST_BYTES + 1), str(path))
    except OSError as error:
        raise _no_file(path, error) from None


def parse_record(data: bytes, file: str) -> Record:
    """What the bytes of a record hold. Raises FileFault when they hold no whole setup, or are too
    many."""
    if len(data) > MOST_BYTES:
        expected = f"at most {MOST_BYTES // 2**20} MB"
        raise FileFault(file, [Fault(WHOLE_FILE, "is too large", expected)])
    *ended, tail = data.split(b"\n")
    if not tail and ended and b"\0" in ended[-1]:
        tail = ended.pop() + b"\n"
    unended = bool(tail) and _is_whole(tail)
    lines: list[Line] = []
    faults: list[Fault] = []
    for number, text in enumerate((*ended, tail) if unended else ended, start=1):
        event = _read(text, f"line {number}", faults)
        if event is not None:
            lines.append(Line(number, event))
    whole = len(data) if unended else len(data) - len(tail)
    if not lines and not faults:
        said = "holds no whole event: no game was begun in it"
        raise FileFault(file, [Fault(WHOLE_FILE, said, f"a record ({RECORD_FORMAT})")])
    return Record(file, tuple(lines), tuple(faults), whole, bool(tail) and not unended, unended)


def _is_whole(tail: bytes) -> bool:
    """Whether a line without its end is all there: no beginning of a table is one itself."""
    try:
        return isinstance(json.loads(tail), dict)
    except (ValueError, RecursionError):
        return False


def _read(text: bytes, place: str, faults: list[Fault]) -> RecordEvent | None:
    """The event of a line; None, and what is wrong noted, when it is none."""
    try:
        raw = _parsed(text)
        kind = kind_of(raw)
    except ValueError as error:
        faults.append(Fault(place, str(error), "an event of a record, as one line of JSON"))
        return None
    event = kind.model_validate(raw)
    noted = Faults()
    note_faults(event, (), noted)
    faults += [
        Fault(place if fault.place == WHOLE_FILE else f"{place}: {fault.place}", *_said(fault))
        for fault in noted.in_order(raw)
    ]
    return None if noted else event


def _said(fault: Fault) -> tuple[str, str]:
    return fault.fault, fault.expected


def _parsed(text: bytes) -> object:
    """The JSON of a line. Raises ValueError, saying what is wrong."""
    try:
        return json.loads(text, object_pairs_hook=_table, parse_constant=_no_number)
    except _LineError:
        raise
    except UnicodeDecodeError:
        raise _LineError("is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise _LineError(f"is no JSON: {error.msg} (column {error.colno})") from None
    except RecursionError:
        raise _LineError("is nested too deeply") from None
    except ValueError:  # all else that Python refuses to read
        raise _LineError("has a number of thousands of digits") from None


class _LineError(ValueError):
    """What is wrong with a line's text."""


def _table(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _LineError(f"has the key {place_text((key,))} twice in one table")
        found[key] = value
    return found


def _no_number(word: str) -> object:
    raise _LineError(f"has a number {word}")


def _opened(path: Path, flags: int = 0) -> int:
    """The file, opened to write at its end and locked."""
    binary: int = getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | binary | flags, 0o644)
    try:
        if not lock(descriptor):
            raise BusyError(str(path))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _must_be_file(path: Path) -> None:
    """Raises OSError for what is none: a pipe could keep the reader waiting for ever."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        what = "a directory" if stat.S_ISDIR(mode) else "a pipe or a device"
        raise OSError(errno.EINVAL, f"it is no file but {what}")


def _flush_folder(folder: Path) -> None:
    """See to it that the folder knows of its new file; some systems do so by themselves."""
    with suppress(PermissionError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _no_file(path: Path, error: OSError) -> FileFault:
    reason = "there is no such file" if isinstance(error, FileNotFoundError) else None
    said = reason or f"can't be read: {error.strerror or error}"
    return FileFault(str(path), [Fault(WHOLE_FILE, said, f"a record ({RECORD_FORMAT})")])
