"""An overrun's attack on the target hex (OVR-16 to OVR-19)."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.resolve import attack_spends, attack_strength
from evaluation.units import Kind, Weapon
from planner.game.actions import Overrun
from planner.game.changes import carried_by
from planner.game.position import Position, Unit
from planner.game.windows import cover


@dataclass(frozen=True, slots=True)
class Attack:
    """An overrun's attack: its APFP (OVR-16, OVR-17), what the target hex adds to the roll
    (OVR-18), whom it strikes (OVR-2), and the once-weapons it uses up, with whose they are."""

    strength: int
    cover: int
    struck: tuple[Unit, ...]
    spends: tuple[tuple[Unit, Weapon], ...]


def attack_of(position: Position, action: Overrun) -> Attack:
    """The attack that an overrun makes."""
    unit = position.units[action.unit]
    riders = [
        carried
        for carried in carried_by(position, unit)
        if carried.kind in (Kind.INFANTRY, Kind.LEADER)
    ]
    numbers = {rider.id: index for index, rider in enumerate(riders)}
    chosen = [(numbers[who], weapon) for who, weapon in action.weapons if who in numbers]
    carried = [(rider.type.combat, rider.spent, rider.status.may_fire) for rider in riders]
    combat, type_ = position.rules.combat, unit.type.combat
    uses = attack_spends(type_, unit.spent, carried, chosen)
    return Attack(
        attack_strength(combat, type_, unit.spent, carried, chosen),
        cover(position, action.target),
        tuple(
            other
            for other in position.standing.get(action.target, ())
            if other.side != unit.side and other.kind.is_struck
        ),
        tuple((unit if index is None else riders[index], weapon) for index, weapon in uses),
    )
