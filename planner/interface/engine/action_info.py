"""Actions taken apart, for programs that read no notation."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from planner.game.actions import Action, EndPhase, Enter, Fire, Halt, Hold, Overrun
from planner.game.position import Position
from planner.interface.engine.sent import Sent


class EnterInfo(Sent):
    """The AFV enters a neighbouring hex."""

    kind: Literal["enter"]
    unit: str
    hex: str


class WeaponInfo(Sent):
    """A passenger's weapon that takes part in an overrun."""

    unit: str = Field(description="the passenger")
    weapon: str


class OverrunInfo(Sent):
    """The AFV overruns a hex."""

    kind: Literal["overrun"]
    unit: str
    target: str
    exit: str
    weapons: list[WeaponInfo]


class HaltInfo(Sent):
    """The AFV's move ends where it is."""

    kind: Literal["halt"]
    unit: str
    facing: str | None = Field(description="it turns to that first; null when it does not")


class EndInfo(Sent):
    """The Movement Phase ends."""

    kind: Literal["end"]


class FireInfo(Sent):
    """The defender fires at the AFV under way."""

    kind: Literal["fire"]
    firer: str
    weapon: str
    leader: str | None = Field(description="who helps; null when nobody does")


class HoldInfo(Sent):
    """The defender closes the window of Opportunity Fire."""

    kind: Literal["hold"]


ActionInfo = Annotated[
    EnterInfo | OverrunInfo | HaltInfo | EndInfo | FireInfo | HoldInfo, Field(discriminator="kind")
]
"""Any action; ``kind`` says which."""


def action_info(position: Position, action: Action) -> ActionInfo:
    """An action as it is sent; hexes and directions stand as the board calls them."""
    name, direction = position.board.name, position.board.direction_name
    match action:
        case Enter(unit, hex_):
            return EnterInfo(kind="enter", unit=unit, hex=name(hex_))
        case Overrun(unit, target, exit_, weapons):
            return OverrunInfo(
                kind="overrun",
                unit=unit,
                target=name(target),
                exit=name(exit_),
                weapons=[WeaponInfo(unit=owner, weapon=weapon) for owner, weapon in weapons],
            )
        case Halt(unit, facing):
            turned = None if facing is None else direction(facing)
            return HaltInfo(kind="halt", unit=unit, facing=turned)
        case Fire(firer, weapon, leader):
            return FireInfo(kind="fire", firer=firer, weapon=weapon, leader=leader)
        case Hold():
            return HoldInfo(kind="hold")
        case EndPhase():
            return EndInfo(kind="end")
