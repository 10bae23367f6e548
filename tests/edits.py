"""The two case files as tables, and edits of them by place, for tests of bad input."""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from planner.game import read_scenario
from planner.game.faults import FileFault
from planner.game.read_rules import parse_rules, read_rules
from planner.game.rules import Rules

CASES = Path(__file__).parent / "cases"
REMOVE = object()
Tables = dict[str, Any]


def base(which: str) -> Tables:
    """A fresh copy of the valid ``scenario`` or ``rules``."""
    return copy.deepcopy(_BASES[which])


def words(text: str) -> tuple[str, ...]:
    """The words of a text."""
    return tuple(text.split())


def matches(place: str, patterns: tuple[str, ...] | list[str]) -> bool:
    """Whether a place is of one of the patterns, in which ``*`` is any one key or name."""
    found = pattern(place)
    return any(
        re.fullmatch(re.escape(wanted).replace(r"\*", r"[^.\[]+"), found) for wanted in patterns
    )


@lru_cache
def _rules(path: Path) -> Rules:
    return read_rules(path)


def read(which: str, raw: Tables) -> object:
    """Reads the tables as a file of that format; the case's rules file is read only once."""
    if which == "rules":
        return parse_rules(raw)
    with patch.object(read_scenario, "read_rules", _rules):
        return read_scenario.parse_game(raw, CASES)


def faults_in(which: str, raw: Tables) -> list[str]:
    """All faults of the tables as text, none when they can be read."""
    try:
        read(which, raw)
    except FileFault as error:
        return [str(fault) for fault in error.faults]
    return []


def steps(place: str) -> list[str | int]:
    """``units[3].hex`` as its steps; ``legend["."]`` too."""
    found: list[str | int] = []
    for quoted, index, word in re.findall(r'\["([^"]*)"\]|\[(\d+)\]|([^.\[\]"]+)', place):
        found.append(quoted if quoted else int(index) if index else word)
    return found


def edited(raw: Tables, place: str, value: object) -> Tables:
    """The tables with one value put in, appended to a list (index = its length), or removed."""
    *way, last = steps(place)
    here: Any = raw
    for step in way:
        here = here[step]
    if value is REMOVE:
        del here[last]
    elif isinstance(here, list) and last == len(here):
        here.append(value)
    else:
        here[last] = value
    return raw


def places(raw: object, place: str = "") -> Iterator[tuple[str, object]]:
    """Every place in the tables with what stands there, keys and list items alike."""
    if isinstance(raw, dict):
        for key, value in raw.items():
            bare = re.fullmatch(r"[\w-]+", key)
            where = (f"{place}.{key}" if place else key) if bare else f'{place}["{key}"]'
            yield where, value
            yield from places(value, where)
    elif isinstance(raw, list):
        for index, value in enumerate(raw):
            yield f"{place}[{index}]", value
            yield from places(value, f"{place}[{index}]")


def pattern(place: str) -> str:
    """A place with ``*`` for names and ``[]`` for indices: ``types.*.weapons[].name``."""
    starred = re.sub(r"\[\d+\]", "[]", place)
    starred = re.sub(r"legend(\.\w+|\[\"[^\"]*\"\])", "legend.*", starred)
    starred = re.sub(r"^(classes|terrain|edges|paths|features|types)\.\w+", r"\1.*", starred)
    starred = re.sub(r"^(status|recovery)\.(\w+)\.\w+", r"\1.\2.*", starred)
    starred = re.sub(r"\.(cost|ratings)\.\w+", r".\1.*", starred)
    starred = re.sub(r"effects\.(\w+)\.\w+", r"effects.\1.*", starred)
    words = "(?!check|modifier|pass|fail)"
    return re.sub(rf"(effects\.\w+\.\*(?:\.pass|\.fail)?)\.{words}\w+", r"\1.*", starred)


_BASES = {
    "rules": tomllib.loads((CASES / "tiny-rules.toml").read_text(encoding="utf-8")),
    "scenario": tomllib.loads((CASES / "two-tanks.toml").read_text(encoding="utf-8")),
}
