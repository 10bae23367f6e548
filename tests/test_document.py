"""Bytes that are no scenario: always a fault with a place and what would be right, and soon."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from planner.game.document import (
    DEPTH_LIMIT,
    KEY_PARTS_LIMIT,
    SIZE_LIMIT,
    Form,
    parse_document,
    plain,
    read_document,
)
from planner.game.faults import FileFault, shown
from planner.game.read_scenario import load, read_from_text

TOML, JSON = Form.TOML, Form.JSON


def fault_of(data: bytes, form: Form) -> str:
    with pytest.raises(FileFault) as caught:
        parse_document(data, "some file", form)
    assert caught.value.file == "some file"
    return str(caught.value.faults[0])


BYTES = [
    (b"", TOML, "file: is empty (a scenario or rules file)"),
    (b" \n\t\n", JSON, "file: is empty (a scenario or rules file)"),
    (b'{"a": [-Infinity]}', JSON, "file: has a number -Infinity (valid JSON, which has no such)"),
    (b'{"a": NaN}', JSON, "file: has a number NaN (valid JSON, which has no such)"),
    (b"\xef\xbb\xbf", TOML, "file: is empty (a scenario or rules file)"),
    (b"\xef\xbb\xbf\xef\xbb\xbfa = 1", TOML, "line 1, column 1: Invalid statement (valid TOML)"),
    (b"a = 1\nb = '\xff'", TOML, "line 2: is not UTF-8 text (a file saved as UTF-8)"),
    ('{"a": "é"}'.encode("latin-1"), JSON, "line 1: is not UTF-8 text (a file saved as UTF-8)"),
    ("a = 1".encode("utf-16"), TOML, "line 1: is not UTF-8 text (a file saved as UTF-8)"),
    (b"\x00\x01\x02", TOML, "line 1, column 1: Invalid statement (valid TOML)"),
    (b"a = 1\na = 2\n", TOML, "line 2, column 6: Cannot overwrite a value (valid TOML)"),
    (b"a = 0304", TOML, "line 1, column 6: Expected newline or end of document after a"),
    (b"a = ", TOML, "end of document: Invalid value (valid TOML)"),
    (b'{"a": 1,}', JSON, "line 1, column "),
    (b'{"a" 1}', JSON, "line 1, column 6: Expecting ':' delimiter (valid JSON)"),
    (b'{"a": 1, "b": {"c": 1, "c": 2}}', JSON, "b.c: stands twice in one table (every key once)"),
    (b'{"a": 1, "a": 2}', JSON, "a: stands twice in one table (every key once)"),
    (b'{"a": [{}, {"b": 1, "b": 1}]}', JSON, "a[1].b: stands twice in one table"),
    (b"[1, 2]", JSON, "file: is a list (a table of keys and values)"),
    (b'"text"', JSON, 'file: is "text" (a table of keys and values)'),
    (b"null", JSON, "file: is null (a table of keys and values)"),
    (b'{"a": "\\ud800"}', JSON, 'a: "\\ud800" can\'t be shown (whole characters)'),
    (b'{"\\ud800": 1}', JSON, 'file: has the key "\\ud800" (keys that can be shown)'),
    (b"a = " + b"9" * 5000, TOML, "file: has a number of thousands of digits (shorter numbers)"),
    (b'{"a": ' + b"9" * 5000 + b"}", JSON, "file: has a number of thousands of digits"),
    (b"a = " + b"[" * 9000, TOML, "file: is nested too deeply (at most 24 levels)"),
    (b"[" * 90_000, JSON, "file: is nested too deeply (at most 24 levels)"),
    (b'{"a":' * 90_000, JSON, "file: is nested too deeply (at most 24 levels)"),
    (b"a." * 90_000 + b"a = 1", TOML, "file: has a dotted key that is too long (at most 32 parts)"),
    (b"x = {" + b"a." * 90_000 + b"a = 1}", TOML, "file: has a dotted key that is too long"),
    (b"[" + b"a . " * 90_000 + b"a]", TOML, "file: has a dotted key that is too long"),
    (b'# """\n' + b"a." * 90_000 + b"a = 1", TOML, "file: has a dotted key that is too long"),
    (b'"\\"".' * 90_000 + b"a = 1", TOML, "file: has a dotted key that is too long"),
    (b"'a'." * 90_000, TOML, "file: has a dotted key that is too long"),
    (b"a." * 900, TOML, "end of document: Invalid initial character for a key part"),
]


@pytest.mark.parametrize(
    ("data", "form", "fault"), BYTES, ids=[f"{i}-{row[1].value}" for i, row in enumerate(BYTES)]
)
def test_bytes_that_are_no_document(data: bytes, form: Form, fault: str) -> None:
    start = time.perf_counter()
    assert fault_of(data, form).startswith(fault)
    assert time.perf_counter() - start < 1


@pytest.mark.parametrize(("data", "form"), [(b"a = 1", TOML), (b'{"a": 1}', JSON)])
def test_a_byte_order_mark_is_passed_over(data: bytes, form: Form, tmp_path: Path) -> None:
    assert parse_document(b"\xef\xbb\xbf" + data, "f", form) == {"a": 1}
    path = tmp_path / f"a.{form.value.lower()}"
    path.write_text(data.decode(), encoding="utf-8-sig")
    assert read_document(path) == {"a": 1}


def test_depth_at_and_above_the_limit() -> None:
    def nested(depth: int) -> bytes:
        return b'{"a":' * (depth - 1) + b"{}" + b"}" * (depth - 1)

    assert parse_document(nested(DEPTH_LIMIT + 1), "f", JSON)
    assert fault_of(nested(DEPTH_LIMIT + 2), JSON).startswith("a: is nested too deeply")


def test_key_parts_at_and_above_the_limit() -> None:
    def key(parts: int) -> bytes:
        return ".".join("a" for _ in range(parts)).encode() + b" = 1"

    assert fault_of(key(KEY_PARTS_LIMIT), TOML).startswith("a: is nested too deeply")
    assert fault_of(key(KEY_PARTS_LIMIT + 1), TOML).startswith("file: has a dotted key")


def test_size_at_and_above_the_limit() -> None:
    at = b"a = 1\n#" + b"x" * (SIZE_LIMIT - 7)
    assert len(at) == SIZE_LIMIT
    assert parse_document(at, "f", TOML) == {"a": 1}
    assert fault_of(at + b"x", TOML) == "file: is too large (at most 1 MB)"


@pytest.mark.parametrize("quotes", ['"""', "'''"])
def test_a_map_whose_rows_look_like_a_dotted_key_is_read(quotes: str) -> None:
    rows = "\n".join("w . " * 200 for _ in range(3))
    text = f"terrain = {quotes}\n{rows}\n{quotes}\n"
    assert parse_document(text.encode(), "f", TOML)["terrain"] == rows + "\n"


HEAVY = [
    (b"units = [" + b"1," * 400_000 + b"]", TOML),
    (b'{"map": {"hexes": [' + b"{}," * 300_000 + b"{}]}}", JSON),
    (b'{"map": {"hexes": [' + b"{}," * 39_000 + b"{}]}}", JSON),
    (b'{"map": {"edges": [' + b'{"hexes":["1","2"]},' * 39_000 + b"{}]}}", JSON),
    (b"\n".join(b"k%d = 1" % index for index in range(90_000)), TOML),
    (b"[[units]]\n" * 100_000, TOML),
    (b"turn = 0x" + b"f" * 1_000_000, TOML),
    (b"[" + b"a." * 30 + b"a]\n" + b"".join(b"k%d=1\n" % i for i in range(110_000)), TOML),
    (b"".join(b"[" + b"a." * 30 + b"a%d]\n" % index for index in range(14_000)), TOML),
    (b"".join(b"a." * 30 + b"a%d = 1\n" % index for index in range(14_000)), TOML),
]


@pytest.mark.slow
@pytest.mark.parametrize(("data", "form"), HEAVY)
def test_the_largest_files_that_are_wrong_are_refused_within_seconds(
    data: bytes, form: Form
) -> None:
    start = time.perf_counter()
    with pytest.raises(FileFault) as caught:
        read_from_text(data, form=form)
    assert "at most 1 MB" not in str(caught.value)
    assert time.perf_counter() - start < 10


@pytest.mark.parametrize(
    ("name", "form"),
    [("a.toml", TOML), ("a.json", JSON), ("A.JSON", JSON), ("a.txt", TOML), ("a", TOML)],
)
def test_the_ending_tells_the_form(name: str, form: Form) -> None:
    assert Form.of(name) is form


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(FileFault, match=r"file: there is no such file"):
        read_document(tmp_path / "none.toml")


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    assert told(tmp_path) == ["file: is no file but a directory (a TOML or JSON file)"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are a POSIX thing")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert told(tmp_path / "pipe") == ["file: is no file but a pipe (a TOML or JSON file)"]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a POSIX thing")
def test_a_device_is_refused() -> None:
    assert told(Path("/dev/zero")) == ["file: is no file but a device (a TOML or JSON file)"]


@pytest.mark.skipif(not Path("/proc/kmsg").exists(), reason="a Linux thing")
@pytest.mark.parametrize("name", ["/proc/kmsg", "/proc/self/status"])
def test_what_a_system_makes_up_is_refused_and_not_waited_for(name: str) -> None:
    """Reading the first of them waits for the next message of the kernel."""
    code = f"from planner import load; load({name!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20)
    assert f"{name}: file: is empty (a scenario or rules file)" in done.stderr


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="links are not everywhere")
def test_a_link_is_followed_and_one_to_itself_told(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("a = 1")
    (tmp_path / "link.toml").symlink_to("a.toml")
    (tmp_path / "ring.toml").symlink_to("ring.toml")
    (tmp_path / "lost.toml").symlink_to("none.toml")
    assert read_document(tmp_path / "link.toml") == {"a": 1}
    (ring,) = told(tmp_path / "ring.toml")
    assert ring.startswith("file: can't be read: ")
    assert told(tmp_path / "lost.toml") == ["file: there is no such file (a TOML or JSON file)"]


def told(path: Path) -> list[str]:
    """The faults of a file that can't be read."""
    with pytest.raises(FileFault) as caught:
        read_document(path)
    return [str(fault) for fault in caught.value.faults]


def test_the_empty_name_is_spoken_of() -> None:
    with pytest.raises(FileFault, match=r'^"": file: the name is empty \(a file, or a shipped '):
        load("")


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "none/none.toml"])
def test_a_path_that_can_be_none(name: str) -> None:
    with pytest.raises(FileFault):
        load(name)
    with pytest.raises(FileFault):
        load(Path(name))


def test_a_program_may_hand_in_what_has_no_end() -> None:
    endless: dict[str, object] = {}
    endless["a"] = [endless, endless]
    with pytest.raises(FileFault, match="is nested too deeply"):
        plain(endless, "f")


def test_a_program_may_hand_in_keys_that_are_no_text() -> None:
    with pytest.raises(FileFault, match=r"file: has the key 7 \(keys that can be shown\)"):
        plain({7: 1}, "f")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (None, "null"),
        (7, "7"),
        (0.5, "0.5"),
        ({}, "a table"),
        ([], "a list"),
        ("a\nb", '"a\\nb"'),
        ("x" * 60, f'"{"x" * 60}"'),
        ("x" * 61, f'"{"x" * 60}…"'),
        (1 << 199, str(1 << 199)),
        (1 << 200, "a number of more than 60 digits"),
        (-(1 << 200), "a number of more than 60 digits"),
        (16**100_000, "a number of more than 60 digits"),
    ],
    ids=range(13),
)
def test_values_are_shown_short_and_on_one_line(value: object, text: str) -> None:
    assert shown(value) == text


def test_faults_are_told_one_a_line(cases: Path) -> None:
    with pytest.raises(FileFault) as caught:
        read_from_text(json.dumps({"format": "overrun-scenario/1"}), form=JSON, file="mine.json")
    first, *others = str(caught.value).splitlines()
    assert first == "mine.json: 5 faults"
    assert [line.split(":")[0] for line in others] == [
        "  rules",
        "  to_move",
        "  map",
        "  sides",
        "  units",
    ]
