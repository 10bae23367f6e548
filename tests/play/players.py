"""Players and records for tests: cheap, the same on any machine."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from planner.game.actions import EndPhase, Halt, Overrun, format_action
from planner.game.choices import legal
from planner.game.play_state import Game
from planner.game.read_scenario import load_game
from planner.play.player import Decision
from planner.play.record_file import Seat
from planner.play.session import Session
from planner.search.effort import Cancelled, Limit

CASES = Path(__file__).parent.parent / "cases"
TWO_TANKS = CASES / "two-tanks.toml"
SIDES = ("red", "blue")


@dataclass(frozen=True, slots=True)
class Drawn:
    """Draws one of the legal actions by what they are and by how the game stands; overruns before
    anything else, so that dice are thrown."""

    name: str = "drawn"
    seed: int = 0

    def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
        position = game.position
        found = legal(game)
        overruns = [action for action in found if isinstance(action, Overrun)]
        moving = [action for action in found if not isinstance(action, EndPhase | Halt)]
        where = [
            (unit.id, unit.hex, unit.status.name, unit.fired) for unit in position.units.values()
        ]

        def draw(text: str) -> bytes:
            return blake2b(f"{self.seed}|{position.turn}|{where}|{text}".encode()).digest()

        action = min(
            overruns or moving or found, key=lambda each: draw(format_action(position, each))
        )
        return Decision(action, 0.5, False, "drawn by lot", 1, 0.1)


def seats(name: str = "drawn", **more: Any) -> list[Seat]:
    """Both sides played by players of that name."""
    return [Seat(side=side, player=name, **more) for side in SIDES]


def begun(path: Path | None, seed: int | str = 1, turns: int = 2) -> Session:
    """A session of the two-tanks case, of so many turns, in which both sides are drawn by lot."""
    players = {side: Drawn() for side in SIDES}
    return Session.begin(case(turns), seats(), players, path, seed=seed)


def case(turns: int = 2) -> Game:
    """The two-tanks case as a game of so many turns."""
    game = load_game(TWO_TANKS)
    position = game.position.with_units(turns=turns)
    return Game(position, position)


def played(path: Path | None, seed: int | str = 1, turns: int = 2) -> Session:
    """The same, played to its end."""
    with begun(path, seed, turns) as session:
        for _ in session.play():
            pass
    return session


def resumed(path: Path) -> Session:
    """The session of such a record, gone on with."""
    return Session.resume(path, lambda seat: Drawn())[0]
