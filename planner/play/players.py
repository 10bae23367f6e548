"""Players by name: the bot at its levels, the plain players, and one for each kind of decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from planner.game.play_state import Deciding, Game
from planner.play.baselines import FireAtOnce, HoldForTheRear, OwnBestLine, RandomLegal
from planner.play.bot import Bot
from planner.play.levels import LEVELS
from planner.play.player import Decision, Player
from planner.search.effort import Cancelled, Limit

Made = Callable[[float, int | str], Player]
"""A plain player made with its own-loss weight and a seed."""

PLAIN_MOVERS: Mapping[str, Made] = {
    "own-line": lambda own_loss, seed: OwnBestLine(own_loss),
    "random": lambda own_loss, seed: RandomLegal(seed),
}
"""Plain players that move."""
PLAIN_DEFENDERS: Mapping[str, Made] = {
    "fire-at-once": lambda own_loss, seed: FireAtOnce(),
    "hold-for-the-rear": lambda own_loss, seed: HoldForTheRear(),
    "random": lambda own_loss, seed: RandomLegal(seed),
}
"""Plain players that are moved against."""


class UnknownPlayerError(ValueError):
    """There is no player of that name."""


@dataclass(frozen=True, slots=True)
class Both:
    """A player that moves as one and defends as another."""

    mover: Player
    defender: Player
    name: str

    def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
        """What the one whose part it is decides."""
        part = self.mover if game.deciding is Deciding.MOVER else self.defender
        return part.decide(game, limit, cancelled)


def names() -> tuple[str, ...]:
    """Every name that a player can be made by, in the order of strength and kind."""
    return tuple(dict.fromkeys([*LEVELS, *PLAIN_MOVERS, *PLAIN_DEFENDERS]))


def player(text: str, own_loss: float = 1.0, seed: int | str = 0) -> Player:
    """The player of a name, or ``MOVER/DEFENDER``. A plain player that plays one part only is made
    up to a whole one by the strongest bot. ``seed`` is for players that draw lots.

    >>> player("own-line/fire-at-once").name
    'own-line/fire-at-once'

    Raises:
        UnknownPlayerError: there is none of that name for that part.
    """
    mover, slash, defender = text.partition("/")
    if not slash:
        if mover in LEVELS:
            return Bot(level=mover, own_loss=own_loss)
        best = next(reversed(LEVELS))
        if mover not in PLAIN_MOVERS and mover not in PLAIN_DEFENDERS:
            raise UnknownPlayerError(
                f"there is no player {mover!r} (players: {', '.join(names())})"
            )
        defender = mover if mover in PLAIN_DEFENDERS else best
        mover = mover if mover in PLAIN_MOVERS else best
    return Both(
        _part(mover, PLAIN_MOVERS, "moves", own_loss, seed),
        _part(defender, PLAIN_DEFENDERS, "is moved against", own_loss, seed),
        text,
    )


def _part(
    name: str, plain: Mapping[str, Made], does: str, own_loss: float, seed: int | str
) -> Player:
    if name in LEVELS:
        return Bot(level=name, own_loss=own_loss)
    make = plain.get(name)
    if make is None:
        known = ", ".join([*LEVELS, *plain])
        raise UnknownPlayerError(f"there is no player {name!r} that {does} (players: {known})")
    return make(own_loss, seed)
