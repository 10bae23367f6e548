"""Games in tests: actions by their text, dice given beforehand, whole trees walked."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import Any

from planner.game.actions import Action, format_action, parse_action
from planner.game.chance import DiceSource, ForcedDice, KeyedDice
from planner.game.choices import bars, following, legal
from planner.game.events import Event
from planner.game.moves import PlannedMove
from planner.game.play_state import Deciding, Game, new_game
from planner.game.position import Position
from planner.game.resolution import apply, outcomes
from planner.game.score import payoff
from planner.game.turns import with_objectives
from tests.random_positions import write_files

NO_DICE: DiceSource = ForcedDice(())


def action(game: Game, text: str) -> Action:
    """The action of that text."""
    return parse_action(game.position, text)


def choices(game: Game, start: str = "") -> list[str]:
    """Texts of the legal actions that begin so, as the game lists them."""
    found = [format_action(game.position, each) for each in legal(game)]
    return [text for text in found if text.startswith(start)]


def done(game: Game, *texts: str, dice: Iterable[int] = ()) -> Game:
    """The game after these actions; every total given is thrown, and none else."""
    return told(game, *texts, dice=dice)[0]


def told(game: Game, *texts: str, dice: Iterable[int] = ()) -> tuple[Game, list[Event]]:
    """The same, with what happened."""
    totals = list(dice)
    source, log = ForcedDice(totals), list[Event]()
    for text in texts:
        game, events = apply(game, action(game, text), source)
        log += events
    thrown = [event for event in log if type(event).__name__ == "Rolled"]
    assert len(thrown) == len(totals), "some dice were not thrown"
    return game, log


def barred(game: Game, text: str) -> list[str]:
    """What bars an action: clause and text of every reason."""
    return [f"{reason.clause.value} {reason.text}" for reason in bars(game, action(game, text))]


def statuses(game: Game, *units: str) -> list[str]:
    """Statuses of these units, or of all."""
    known = game.position.units
    return [known[name].status.name for name in units or known]


def where(game: Game, unit: str) -> str:
    """Hex and facing of a unit, as in ``0304/NE``."""
    known = game.position.units[unit]
    assert known.facing is not None
    board = game.position.board
    return f"{board.name(known.hex)}/{board.direction_name(known.facing)}"


def played_out(game: Game, seed: int) -> Iterator[Game]:
    """Every game on the way from here to its end, actions drawn at random."""
    rng, dice = random.Random(f"play/{seed}"), KeyedDice(seed)
    yield game
    while not game.over:
        game, _ = apply(game, rng.choice(legal(game)), dice)
        yield game


def from_tables(scenario: dict[str, Any], rules: dict[str, Any], folder: Path) -> Path:
    """The file of a scenario given as tables, its rules beside it."""
    return write_files(scenario, rules, folder)


class PlanTree:
    """The game tree of written moves made in their order: what they are worth when the defender
    fires and holds so as to make that least."""

    def __init__(self, start: Position, own_loss: float) -> None:
        self.start = start
        self.own_loss = own_loss
        self._known: dict[tuple[Hashable, int], float] = {}

    def value(self, moves: tuple[PlannedMove, ...]) -> float:
        """The value of the moves from the start."""
        return self._value(new_game(self.start), moves)

    def _value(self, game: Game, moves: tuple[PlannedMove, ...]) -> float:
        key = (game.key, len(moves))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._look(game, moves)
        return found

    def _look(self, game: Game, moves: tuple[PlannedMove, ...]) -> float:
        if game.deciding is Deciding.DEFENDER:
            return min(self._mean(game, each, moves) for each in legal(game))
        if not moves:
            end = with_objectives(game.position, [])
            return payoff(self.start, end, self.start.to_move, self.own_loss)
        on = following(game, moves[0])
        return self._value(game, moves[1:]) if on is None else self._mean(game, on, moves)

    def _mean(self, game: Game, what: Action, moves: tuple[PlannedMove, ...]) -> float:
        return sum(p * self._value(after, moves) for p, after in outcomes(game, what))
