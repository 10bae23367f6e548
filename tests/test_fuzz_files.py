"""Whatever the bytes or tables, a reader gives a position or rules, or its own error; nothing else.

The fuzzed files start from the two cases, so that much of each is right and the faults of meaning
are reached, not only those of form.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import tomli_w
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.game.document import Form, parse_document
from planner.game.faults import Fault, FileFault
from planner.game.read_rules import parse_rules
from planner.game.read_scenario import parse_scenario, read_from_text
from tests.edits import CASES, REMOVE, Tables, base, edited, places, read

TEXTS = {
    which: (CASES / name).read_bytes()
    for which, name in (("rules", "tiny-rules.toml"), ("scenario", "two-tanks.toml"))
}
PLACES = {which: [place for place, _ in places(base(which))] for which in TEXTS}
NAMES = sorted(
    {value for which in TEXTS for _, value in places(base(which)) if isinstance(value, str)}
)
WHICH = st.sampled_from(sorted(TEXTS))
RELAXED = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-2, 12)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(NAMES)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=8,
)
EDITS = st.lists(st.tuples(st.integers(0, 10_000), VALUES | st.just(REMOVE)), max_size=4)


def only_file_faults(action: Callable[[], object]) -> None:
    """Runs it; the one error it may raise names places and what would be right there."""
    faults: tuple[Fault, ...] = ()
    try:
        action()
    except FileFault as error:
        faults = error.faults
        told = str(error)
    else:
        return
    assert faults
    assert told
    for fault in faults:
        assert fault.place
        assert fault.fault
        assert fault.expected
        assert str(fault).isprintable()


def changed(which: str, edits: list[tuple[int, object]]) -> Tables:
    """The case with values replaced or removed at some of its places."""
    raw = base(which)
    for number, value in edits:
        place = PLACES[which][number % len(PLACES[which])]
        try:
            edited(raw, place, value)
        except (KeyError, IndexError, TypeError, AttributeError):
            continue  # an earlier edit took the place away
    return raw


@RELAXED
@given(data=st.binary(max_size=200), form=st.sampled_from(Form))
def test_any_bytes(data: bytes, form: Form) -> None:
    only_file_faults(lambda: read_from_text(data, form=form))


@RELAXED
@given(text=st.text(max_size=200), form=st.sampled_from(Form))
def test_any_text(text: str, form: Form) -> None:
    only_file_faults(lambda: read_from_text(text, form=form))


@RELAXED
@given(
    which=WHICH,
    cuts=st.lists(
        st.tuples(st.integers(0, 10_000), st.integers(0, 12), st.binary(max_size=6)),
        min_size=1,
        max_size=4,
    ),
)
def test_the_cases_with_bytes_changed(which: str, cuts: list[tuple[int, int, bytes]]) -> None:
    data = TEXTS[which]
    for start, length, put in cuts:
        start %= len(data)
        data = data[:start] + put + data[start + length :]
    if which == "scenario":
        only_file_faults(lambda: read_from_text(data, CASES))
    else:
        only_file_faults(lambda: parse_rules(parse_document(data, "rules", Form.TOML)))


@RELAXED
@given(which=WHICH, lines=st.lists(st.integers(0, 10_000), min_size=1, max_size=6))
def test_the_cases_with_lines_dropped_and_doubled(which: str, lines: list[int]) -> None:
    kept = TEXTS[which].splitlines(keepends=True)
    for line in lines:
        if line % 2:
            del kept[line % len(kept)]
        else:
            kept.insert(line % len(kept), kept[(line // 2) % len(kept)])
    data = b"".join(kept)
    if which == "scenario":
        only_file_faults(lambda: read_from_text(data, CASES))
    else:
        only_file_faults(lambda: parse_rules(parse_document(data, "rules", Form.TOML)))


@settings(RELAXED, max_examples=600)
@given(which=WHICH, edits=EDITS)
def test_the_cases_with_values_changed(which: str, edits: list[tuple[int, object]]) -> None:
    raw = changed(which, edits)
    only_file_faults(lambda: read(which, raw))


@RELAXED
@given(raw=st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=5), VALUES, max_size=5))
def test_any_tables(raw: dict[str, Any]) -> None:
    only_file_faults(lambda: parse_scenario(raw))
    only_file_faults(lambda: parse_rules(raw))


@RELAXED
@given(which=WHICH, edits=EDITS)
def test_the_same_tables_have_the_same_faults_in_both_forms(
    which: str, edits: list[tuple[int, object]]
) -> None:
    raw = changed(which, edits)
    try:
        toml = tomli_w.dumps(raw).encode()
        parse_document(toml, "f", Form.TOML)
    except (FileFault, TypeError, ValueError, AttributeError):
        return  # there are values, such as null, that TOML can't write
    told: list[list[str]] = []
    for tables in (
        parse_document(toml, "f", Form.TOML),
        parse_document(json.dumps(raw).encode(), "f", Form.JSON),
    ):
        try:
            read(which, tables)
            told.append([])
        except FileFault as error:
            told.append(sorted(str(fault) for fault in error.faults))
    assert told[0] == told[1]
