"""From the bytes of a TOML or JSON file to plain tables and lists, whatever the bytes are.

Files come from anywhere, so size, depth and the ways a parser can be made slow are bounded here;
everything that can go wrong comes out as a `FileFault`.
"""

from __future__ import annotations

import errno
import json
import re
import stat
import tomllib
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from planner.game.faults import WHOLE_FILE, Fault, Faults, FileFault, Place, shown

SIZE_LIMIT = 2**20
DEPTH_LIMIT = 24
VALUES_LIMIT = 500_000
KEY_PARTS_LIMIT = 32
_BOM = b"\xef\xbb\xbf"
_KINDS = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_NO_SUCH_NAME = {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL}

# The library's TOML parser takes time with the square of a dotted key's length, so long ones are
# refused before it sees them. A row of a map may look like one (``w . w . w``), but goes on to no
# ``=`` or ``]`` and is never so long that reading it as a key takes time.
_KEY_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(
    rf"(?:^|[{{,\[])[ \t]*+{_KEY_PART}"
    rf"(?:(?:[ \t]*+\.[ \t]*+{_KEY_PART}){{{KEY_PARTS_LIMIT},}}+[ \t]*+[=\]]"
    rf"|(?:[ \t]*+\.[ \t]*+{_KEY_PART}){{1000}})",
    re.M,
)


class Form(Enum):
    """How a file is written."""

    TOML = "TOML"
    JSON = "JSON"

    @staticmethod
    def of(file: str) -> Form:
        """By a file name's ending: JSON for ``.json``, TOML for all others."""
        return Form.JSON if file.lower().endswith(".json") else Form.TOML


def is_there(path: Path) -> bool:
    """Whether anything has that name, be it a file that can be read or not."""
    try:
        path.lstat()
    except OSError as error:
        return error.errno not in _NO_SUCH_NAME
    except ValueError:
        return False
    return True


def named_path(name: str, expected: str) -> Path:
    """The path that a player gave. Raises FileFault, saying what was expected, when there is
    nothing of that name."""
    if not name:
        raise _fault(shown(name), WHOLE_FILE, "the name is empty", expected)
    if not is_there(Path(name)):
        raise _fault(name[:200], WHOLE_FILE, "there is no such file", expected)
    return Path(name)


def read_document(path: Path) -> dict[str, Any]:
    """The contents of a file. Raises FileFault when it can't be read."""
    file, data = str(path), b""
    try:
        status = path.stat()
        kind = stat.S_IFMT(status.st_mode)
        # A pipe or device could keep the reader waiting for ever, and so could what a system makes
        # up only while it is read: that is said to hold nothing.
        if kind == stat.S_IFREG and status.st_size > 0:
            with path.open("rb") as stream:
                data = stream.read(SIZE_LIMIT + 1)
    except FileNotFoundError:
        raise _fault(file, WHOLE_FILE, "there is no such file", "a TOML or JSON file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _fault(file, WHOLE_FILE, f"can't be read: {reason}", "a readable file") from None
    if kind != stat.S_IFREG:
        said = f"is no file but {_KINDS.get(kind, 'something else')}"
        raise _fault(file, WHOLE_FILE, said, "a TOML or JSON file")
    return parse_document(data, file, Form.of(file))


def parse_document(data: bytes, file: str, form: Form) -> dict[str, Any]:
    """The contents of a file from its bytes. Raises FileFault when they are none.

    A byte order mark in front, as some editors write, is passed over.
    """
    return plain(parse_value(data, file, form), file)


def parse_value(data: bytes, file: str, form: Form) -> object:
    """What the bytes of a file say, be it a table or not, and however deep it is; `plain` bounds
    that. Otherwise as `parse_document`."""
    if len(data) > SIZE_LIMIT:
        limit = f"at most {SIZE_LIMIT // 2**20} MB"
        raise _fault(file, WHOLE_FILE, "is too large", limit)
    data = data.removeprefix(_BOM)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _fault(file, f"line {line}", "is not UTF-8 text", "a file saved as UTF-8") from None
    if not text.strip():
        raise _fault(file, WHOLE_FILE, "is empty", "a scenario or rules file")
    try:
        return _parse_json(text, file) if form is Form.JSON else _parse_toml(text, file)
    except RecursionError:
        raise _fault(
            file, WHOLE_FILE, "is nested too deeply", f"at most {DEPTH_LIMIT} levels"
        ) from None


def _parse_toml(text: str, file: str) -> object:
    if _LONG_KEY.search(text):
        limit = f"at most {KEY_PARTS_LIMIT} parts"
        raise _fault(file, WHOLE_FILE, "has a dotted key that is too long", limit)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, place = str(error), WHOLE_FILE
        if match := re.search(r"\s*\(at (line \d+, column \d+|end of document)\)$", message):
            message, place = message[: match.start()], match.group(1)
        raise _fault(file, place, message[:120], "valid TOML") from None
    except ValueError:
        raise _long_number(file) from None


def _parse_json(text: str, file: str) -> object:
    repeated: list[tuple[dict[str, Any], str]] = []

    def table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                repeated.append((found, key))
            found[key] = value
        return found

    def no_number(word: str) -> object:
        raise _fault(file, WHOLE_FILE, f"has a number {word}", "valid JSON, which has no such")

    try:
        raw: object = json.loads(text, object_pairs_hook=table, parse_constant=no_number)
    except FileFault:
        raise
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise _fault(file, place, error.msg, "valid JSON") from None
    except ValueError:
        raise _long_number(file) from None
    if repeated:
        keys: dict[int, list[str]] = {}
        for holder, key in repeated:
            keys.setdefault(id(holder), []).append(key)
        faults = Faults()
        for where, value in _tables(raw):
            for key in keys.get(id(value), ()):
                faults.add((*where, key), "stands twice in one table", "every key once")
        faults.raise_any(file, raw)
    return raw


def _long_number(file: str) -> FileFault:
    """What Python refuses to read besides bad syntax, and nothing else."""
    return _fault(file, WHOLE_FILE, "has a number of thousands of digits", "shorter numbers")


def _tables(raw: object) -> list[tuple[Place, dict[str, Any]]]:
    """Every table in a tree with its place, down to the depth that `plain` allows."""
    found: list[tuple[Place, dict[str, Any]]] = []
    waiting: list[tuple[Place, object]] = [((), raw)]
    while waiting:
        place, value = waiting.pop()
        if len(place) > DEPTH_LIMIT:
            continue
        if isinstance(value, dict):
            found.append((place, value))
            waiting.extend(((*place, key), inner) for key, inner in value.items())
        elif isinstance(value, list):
            waiting.extend(((*place, index), inner) for index, inner in enumerate(value))
    return found


def plain(raw: object, file: str) -> dict[str, Any]:
    """A copy in plain dicts and lists, its depth bounded and its text sound.

    Raises FileFault when it is no table, is nested too deeply or is too large, or holds a key that
    is no text or text that no screen can show.
    """
    if not isinstance(raw, Mapping):
        raise _fault(file, WHOLE_FILE, f"is {shown(raw)}", "a table of keys and values")
    faults = Faults()
    result = _Copier(faults).copy(raw, ())
    faults.raise_any(file, result)
    return result  # type: ignore[no-any-return]


class _Copier:
    """Copies a tree, of a bounded number of values: a program may hand in one that has no end."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.left = VALUES_LIMIT

    def copy(self, value: object, place: Place) -> Any:
        """The value in plain dicts and lists; what can't be copied is noted."""
        self.left -= 1
        if self.left < 0:
            self.faults.add((), "is too large", f"at most {VALUES_LIMIT} values")
            return None
        if len(place) > DEPTH_LIMIT:
            self.faults.add(place[:1], "is nested too deeply", f"at most {DEPTH_LIMIT} levels")
            return None
        if isinstance(value, Mapping):
            copied = {}
            for key, inner in value.items() if self.left > 0 else ():
                if isinstance(key, str) and _has_no_surrogates(key):
                    copied[key] = self.copy(inner, (*place, key))
                else:
                    self.faults.add(place, f"has the key {shown(key)}", "keys that can be shown")
            return copied
        if isinstance(value, (list, tuple)):
            items = value if self.left > 0 else ()
            return [self.copy(inner, (*place, index)) for index, inner in enumerate(items)]
        if isinstance(value, str) and not _has_no_surrogates(value):
            self.faults.add(place, f"{shown(value)} can't be shown", "whole characters")
        return value


def _has_no_surrogates(text: str) -> bool:
    """Whether all of it is text; JSON can spell half a surrogate pair, which no screen shows."""
    return text.isascii() or not any("\ud800" <= c <= "\udfff" for c in text)


def _fault(file: str, place: str, fault: str, expected: str) -> FileFault:
    return FileFault(file, (Fault(place, fault, expected),))
