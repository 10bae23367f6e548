"""What happens when an action is carried out, told one thing after the other."""

from __future__ import annotations

from dataclasses import dataclass

from planner.game.chance import Roll
from planner.game.hexes import Direction, Hex
from planner.game.rules import Points


@dataclass(frozen=True, slots=True)
class Entered:
    """An AFV entered a hex, facing as it moved; ``points`` are what hex and turn cost. After an
    overrun it is the exit hex, and the points are those of the whole overrun."""

    unit: str
    hex: Hex
    facing: Direction
    points: Points


@dataclass(frozen=True, slots=True)
class Turned:
    """An AFV turned in its hex."""

    unit: str
    facing: Direction
    points: Points


@dataclass(frozen=True, slots=True)
class WindowOpened:
    """A window in which the defender can fire opened; ``target``: the hex just overrun."""

    unit: str
    hex: Hex
    target: Hex | None


@dataclass(frozen=True, slots=True)
class Fired:
    """A shot was declared; ``final``: it is Final Opportunity Fire. Strength and the modifier of
    the roll are as on the AT Combat Table."""

    firer: str
    weapon: str
    leader: str | None
    final: bool
    unit: str
    strength: int
    modifier: int


@dataclass(frozen=True, slots=True)
class Attacked:
    """An overrun's attack was made on all the units struck; ``strength`` is its APFP."""

    unit: str
    target: Hex
    strength: int
    cover: int
    struck: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spent:
    """A once-weapon was used up."""

    unit: str
    weapon: str


@dataclass(frozen=True, slots=True)
class Rolled:
    """The dice were thrown: their total, unmodified."""

    roll: Roll
    total: int


@dataclass(frozen=True, slots=True)
class Resulted:
    """What a chart's result did to a unit: its status before and after. ``result`` is None for a
    carried unit, which shares its carrier's fate."""

    unit: str
    result: str | None
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class WindowClosed:
    """The window closed."""

    unit: str


@dataclass(frozen=True, slots=True)
class MoveEnded:
    """An AFV's move ended in a hex."""

    unit: str
    hex: Hex


@dataclass(frozen=True, slots=True)
class ObjectiveTaken:
    """An objective changed hands."""

    hex: Hex
    side: str
    before: str | None


@dataclass(frozen=True, slots=True)
class PhaseEnded:
    """A side's Movement Phase ended."""

    side: str


@dataclass(frozen=True, slots=True)
class Recovered:
    """A unit recovered at the end of a turn."""

    unit: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A turn ended, and all markers came off; the next began."""

    turn: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The last turn's last phase is over."""


Event = (
    Entered
    | Turned
    | WindowOpened
    | Fired
    | Attacked
    | Spent
    | Rolled
    | Resulted
    | WindowClosed
    | MoveEnded
    | ObjectiveTaken
    | PhaseEnded
    | Recovered
    | TurnEnded
    | GameEnded
)
