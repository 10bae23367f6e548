from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from planner.game.faults import FileFault
from planner.play import record as module
from planner.play.record import BusyError, Recorder, parse_record, read_record
from planner.play.record_file import Decided, Ended, Seat, line_of, record_schema
from planner.play.replay import replay
from planner.play.session import Session
from tests.play.players import Drawn, begun, played, resumed


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The record of a short game."""
    path = tmp_path_factory.mktemp("record") / "game.jsonl"
    played(path)
    return path.read_bytes()


def told(file: str, data: bytes) -> list[tuple[str, str]]:
    """Places and faults of what is no record."""
    with pytest.raises(FileFault) as caught:
        parse_record(data, file)
    return [(fault.place, fault.fault) for fault in caught.value.faults]


def test_every_line_keeps_the_schema(whole: bytes) -> None:
    validator = Draft202012Validator(record_schema())
    lines = [json.loads(line) for line in whole.splitlines()]
    assert {line["event"] for line in lines} == {"setup", "decision", "dice", "result", "end"}
    assert [str(error) for line in lines for error in validator.iter_errors(line)] == []


@pytest.mark.parametrize(
    "edit",
    [
        {"event": "poem"},
        {"event": "decision", "number": 0, "side": "red", "action": "end"},
        {"event": "back"},
        {"event": "result", "happened": [{"event": "sneezed"}]},
        {"event": "end", "score": {"red": "much"}},
    ],
)
def test_the_schema_refuses(edit: dict[str, Any]) -> None:
    assert list(Draft202012Validator(record_schema()).iter_errors(edit)) != []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_same_players_and_seed_write_the_same_bytes(seed: int, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    played(first, seed)
    played(second, seed)
    assert first.read_bytes() == second.read_bytes()


def test_another_seed_writes_another_game(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "game"
    played(path, seed=2)
    assert path.read_bytes().splitlines()[1:] != whole.splitlines()[1:]


def test_each_event_is_flushed_before_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is flushed after every line, and a new file's folder once."""
    seen: list[bool] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        real(descriptor)
        seen.append(os.path.isdir(f"/proc/self/fd/{descriptor}"))

    monkeypatch.setattr(os, "fsync", fsync)
    path = tmp_path / "game"
    played(path)
    if os.path.isdir("/proc/self/fd"):
        assert seen[:2] == [False, True]
        assert not any(seen[2:])
    assert len(seen) == len(path.read_bytes().splitlines()) + 1


def test_cut_at_every_byte_it_goes_on_to_the_same_end(tmp_path: Path) -> None:
    """Nothing is lost but the line cut through, and the game ends as it did."""
    path = tmp_path / "game"
    played(path, turns=1)
    whole = b"".join(path.read_bytes().splitlines(keepends=True)[:12])
    first = whole.index(b"\n")
    ends = [at for at in range(len(whole)) if whole[at : at + 1] == b"\n"]
    for cut in range(first, len(whole)):
        record = parse_record(whole[:cut], "game")
        assert record.faults == ()
        events = sum(end <= cut for end in ends)
        assert len(record.lines) == events
        assert record.torn == (cut not in ends and cut - 1 not in ends)
        assert record.unended == (cut in ends)
    # Going on is the same wherever a line is cut through, so one place in each will do.
    whole = path.read_bytes()
    for end in [at for at in range(first + 1, len(whole)) if whole[at : at + 1] == b"\n"]:
        for cut in (end - 1, end, end + 1):
            path.write_bytes(whole[:cut])
            with resumed(path) as session:
                for _ in session.play():
                    pass
            assert path.read_bytes() == whole


def test_cut_within_the_setup_there_is_no_game(whole: bytes) -> None:
    said = "holds no whole event: no game was begun in it"
    for cut in range(0, whole.index(b"\n"), 7):
        assert told("game", whole[:cut]) == [("file", said)]


@pytest.mark.parametrize(
    "tail",
    [
        b'{"event":"dec',
        b'{"event":"decision","number":3',
        b"\xff\xfe",
        b"\0" * 40,
        b'{"event":"decision"\0\0\0\0\n',
        b'"text"',
        b'{"event":"decision","side":"\xc3',
    ],
)
def test_what_a_crash_leaves_is_cut_off(tail: bytes, tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "game"
    head = b"".join(whole.splitlines(keepends=True)[:9])
    path.write_bytes(head + tail)
    record = read_record(path)
    assert (record.torn, record.whole, record.faults) == (True, len(head), ())
    assert replay(path).faults == ()
    assert path.read_bytes() == head + tail  # only going on changes it
    with resumed(path) as session:
        for _ in session.play():
            pass
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("line", "place", "fault"),
    [
        (b"", "line 3", "is no JSON: Expecting value (column 1)"),
        (b"[1, 2]", "line 3", "is no table"),
        (b"{}", "line 3", "null is no event"),
        (b'{"event":"poem"}', "line 3", '"poem" is no event'),
        (b'{"event":"\xff"}', "line 3", "is not UTF-8 text"),
        (b'{"event":"end","event":"end"}', "line 3", "has the key event twice in one table"),
        (b'{"event":"end","score":{"red":NaN}}', "line 3", "has a number NaN"),
        (b'{"event":"back"}', "line 3: decision", "is missing"),
        (b'{"event":"back","decision":0}', "line 3: decision", "0 is out of range"),
        (b'{"event":"back","decision":1,"why":1}', "line 3: why", "is no key here"),
        (b'{"event":"result","happened":[{}]}', "line 3: happened[0]", "a table is no event"),
        (b"9" * 5000, "line 3", "has a number of thousands of digits"),
        (b"[" * 100_000, "line 3", "is nested too deeply"),
    ],
)
def test_a_line_that_is_no_event(line: bytes, place: str, fault: str, whole: bytes) -> None:
    lines = whole.splitlines()
    lines[2] = line
    found = parse_record(b"\n".join(lines) + b"\n", "game").faults
    assert [(each.place, each.fault) for each in found] == [(place, fault)]


def test_every_line_that_is_no_event_is_told(whole: bytes) -> None:
    lines = whole.splitlines()
    for index in (2, 5, 9):
        lines[index] = b"{}"
    found = parse_record(b"\n".join(lines) + b"\n", "game").faults
    assert [fault.place for fault in found] == ["line 3", "line 6", "line 10"]


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda path: None, "there is no such file"),
        (lambda path: path.mkdir(), "can't be read: it is no file but a directory"),
        (lambda path: os.mkfifo(path), "can't be read: it is no file but a pipe or a device"),
        (lambda path: path.write_bytes(b""), "holds no whole event: no game was begun in it"),
    ],
)
@pytest.mark.parametrize("read", [read_record, resumed, replay])
def test_what_is_no_record(
    make: Callable[[Path], object], fault: str, read: Callable[[Path], object], tmp_path: Path
) -> None:
    path = tmp_path / "game"
    make(path)
    with pytest.raises(FileFault) as caught:
        read(path)
    assert [each.fault for each in caught.value.faults] == [fault]


def test_a_record_that_may_be_read_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is played back; that it can't be gone on with is said so."""
    path = tmp_path / "game"
    played(path)
    opened = os.open

    def barred(name: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_RDWR:
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(name, flags, mode)

    monkeypatch.setattr(os, "open", barred)
    with pytest.raises(FileFault) as caught:
        resumed(path)
    assert [each.fault for each in caught.value.faults] == ["can't be written: Permission denied"]
    assert replay(path).faults == ()


def test_a_record_that_can_not_be_begun_leaves_no_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        begun(tmp_path / "game")
    assert list(tmp_path.iterdir()) == []


def test_a_record_too_long(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, whole: bytes) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", len(whole))
    assert parse_record(whole, "game").faults == ()
    monkeypatch.setattr(module, "MOST_BYTES", len(whole) - 1)
    assert told("game", whole) == [("file", "is too large")]


def test_two_can_not_write_one_record(tmp_path: Path) -> None:
    path = tmp_path / "game"
    with begun(path) as session:
        session.step()
        before = path.read_bytes()
        with pytest.raises(BusyError, match="another process is writing it"):
            resumed(path)
        assert path.read_bytes() == before
        assert replay(path).faults == ()  # reading is no harm
    with resumed(path) as again:
        assert again.game.key == session.game.key


def test_a_record_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_text("dear diary")
    with pytest.raises(FileExistsError):
        begun(path)
    assert path.read_text() == "dear diary"


def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game"
    with begun(path) as session:
        session.step()
        before, game = path.read_bytes(), session.game
        real = os.write
        room = [10]

        def write(descriptor: int, data: bytes) -> int:
            if room[0] == 0:
                raise OSError(28, "No space left on device")
            count = real(descriptor, data[: room[0]])
            room[0] -= count
            return count

        monkeypatch.setattr(os, "write", write)
        with pytest.raises(OSError, match="No space left"):
            session.step()
        assert (path.read_bytes(), session.game) == (before, game)
        monkeypatch.setattr(os, "write", real)
        for _ in session.play():
            pass
    assert replay(path).faults == ()
    assert replay(path).ended


@pytest.mark.parametrize(
    "event",
    [
        Decided(event="decision", number=1, side="red", action="a\nb"),
        Decided(event="decision", number=1, side="red", action="end", reason="\x1b[2J"),
        Ended(event="end", score={"red": float("inf")}),
    ],
)
def test_what_a_record_can_not_hold_is_not_written(event: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=": "):
        line_of(event)
    path = tmp_path / "game"
    begun(path).close()
    before = path.read_bytes()
    recorder, _ = Recorder.reopen(path)
    with recorder, pytest.raises(ValueError, match=": "):
        recorder.write(event)
    assert path.read_bytes() == before


def test_a_player_that_a_record_can_not_name(tmp_path: Path) -> None:
    path = tmp_path / "game"
    seats = [Seat(side="red", player="\n"), Seat(side="blue", player="drawn")]
    with pytest.raises(ValueError, match=r"seats\[0\].player"):
        Session.begin(begun(None).start, seats, {"red": Drawn()}, path, seed=1)
    assert not path.exists()
