"""A game whose player's process is killed again and again, and gone on with each time.

``python -m tests.play.killed FOLDER SEED KILLS`` plays games in processes of its own and kills each
after a while drawn from the seed, until it has killed so many; a game that ends is followed by
another. It says what it found as JSON: the kills, the games played to their end, and everything
that went wrong (nothing, if all is well).
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

from planner.play.record import Recorder, parse_record
from planner.play.replay import replayed
from planner.play.session import Session
from tests.play.players import begun, played, resumed

TURNS = 12
SLOWLY = 0.0005
"""Seconds that a player thinks, so that kills come at every moment of a game."""


class Killed:
    """Games in a folder, killed at moments drawn from a seed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.rng = random.Random(f"killed/{seed}")
        self.kills = 0
        self.games = 0
        self.wrong: list[str] = []
        self.last: dict[str, int] = {}

    def run(self, kills: int) -> None:
        """Play and kill until there were so many kills."""
        while self.kills < kills:
            self.games += 1
            self._game(self.games, kills)

    def _game(self, number: int, kills: int) -> None:
        right = self.folder / f"right-{number}"
        played(right, number, TURNS)
        whole = right.read_bytes()
        path = self.folder / f"game-{number}"
        while self.kills < kills:
            status, finished = self._played_a_while(path, number)
            held = path.read_bytes() if path.exists() else b""
            self._check(f"game {number}", held, whole, finished)
            if status == 0:
                break
            self.kills += 1
        else:
            with _opened(path, number) as session:
                for _ in session.play():
                    pass
        if path.read_bytes() != whole:
            self.wrong.append(f"game {number} did not end as the one that nobody killed")

    def _played_a_while(self, path: Path, number: int) -> tuple[int, int]:
        """How a process that plays ended, and how many events it had finished by then."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _play(path, number, writing)
        os.close(writing)
        time.sleep(self.rng.uniform(0.0, 0.06))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        finished = 0
        while data := os.read(reading, 65536):
            finished += len(data)
        os.close(reading)
        return status, finished

    def _check(self, game: str, held: bytes, whole: bytes, finished: int) -> None:
        """Every event that was finished is there, and nothing that does not belong there."""
        if not whole.startswith(held):
            self.wrong.append(f"{game}: the record is not that of the game that nobody killed")
        if not held:
            if finished:
                self.wrong.append(f"{game}: {finished} events are gone")
            return
        if b"\n" not in held:
            return
        record = parse_record(held, game)
        kind = "torn" if record.torn else type(record.lines[-1].event).__name__
        self.last[kind] = self.last.get(kind, 0) + 1
        if len(record.lines) < finished:
            self.wrong.append(f"{game}: {len(record.lines)} events of {finished} are there")
        self.wrong += [f"{game}: {fault}" for fault in replayed(record).faults]


def _play(path: Path, number: int, writing: int) -> None:
    """Play in this process, from where the record stands, and say of each event that is finished
    that it is. Ends the process."""
    status = 1
    try:
        real = Recorder._write
        # A setup that was cut through is written anew.
        already = [path.read_bytes().count(b"\n") if path.exists() else 0]

        def write(self: Recorder, data: bytes) -> None:
            real(self, data)
            os.write(writing, b"." * (already[0] + 1))
            already[0] = 0
            time.sleep(SLOWLY)

        Recorder._write = write  # type: ignore[method-assign]
        with _opened(path, number) as session:
            for _ in session.play():
                pass
        status = 0
    finally:
        os._exit(status)


def _opened(path: Path, number: int) -> Session:
    """The game gone on with, or begun when it has not been yet."""
    if path.exists() and b"\n" in path.read_bytes():
        return resumed(path)
    path.unlink(missing_ok=True)
    return begun(path, number, TURNS)


def main(folder: str, seed: str, kills: str) -> None:
    """Play, kill, and say what was found."""
    games = Killed(Path(folder), int(seed))
    games.run(int(kills))
    found: dict[str, Any] = {
        "kills": games.kills,
        "games": games.games,
        "last": games.last,
        "wrong": games.wrong,
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
