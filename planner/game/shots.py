"""Opportunity Fire in the open window: which shots may be declared, and what else bars one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from evaluation.group import FINAL_RANGE, final_shots
from evaluation.resolve import Outcomes, shot_outcomes, shot_strength
from evaluation.rules import CombatRules
from evaluation.script import Shot
from evaluation.units import Aspect, CombatType, Kind, Weapon
from planner.game.actions import Fire
from planner.game.legality import Clause, Reason
from planner.game.play_state import Game, OpenWindow
from planner.game.position import Position, Unit
from planner.game.windows import at_cover, bearing_of, unseen, window


@dataclass(frozen=True, slots=True)
class Aimed:
    """A shot as the AT Combat Table takes it: ``strength`` and what is added to the roll; whether
    it is Final Opportunity Fire; and whether the weapon is used up by it."""

    shot: Shot
    strength: int
    modifier: int
    final: bool
    once: bool


def under_fire(game: Game) -> tuple[Unit, OpenWindow]:
    """The AFV in the open window, and the window.

    Raises:
        ValueError: no window is open.
    """
    if game.under_way is None or game.under_way.window is None:
        raise ValueError("no window is open")
    return game.position.units[game.under_way.unit], game.under_way.window


def declarable(game: Game) -> Iterator[Fire]:
    """Every shot that nothing bars in the open window."""
    afv, open_window = under_fire(game)
    position = game.position
    if afv.status.removed or afv.facing is None:
        return
    ordinary = window(position, afv.hex, afv.facing, open_window.target).shots
    final = (
        (
            shot
            for unit in position.standing.get(open_window.target, ())
            if unit.side != afv.side
            for shot in final_shots(unit.id, unit.type.combat)
        )
        if open_window.target is not None
        else ()
    )
    for shot in (*ordinary, *final):
        firer = position.units[shot.firer]
        for leader in (None, *_leaders_with(position, firer)):
            fire = Fire(shot.firer, shot.weapon, leader)
            if next(fire_bars(game, fire), None) is None:
                yield fire


def _leaders_with(position: Position, firer: Unit) -> Iterator[str]:
    for unit in position.standing.get(firer.hex, ()):
        if unit.kind is Kind.LEADER and unit.side == firer.side and unit.id != firer.id:
            yield unit.id


def fire_bars(game: Game, fire: Fire) -> Iterator[Reason]:
    """Everything that bars a shot in the open window, the firer first, then weapon and leader."""
    afv, open_window = under_fire(game)
    position = game.position
    firer = position.units.get(fire.firer)
    if firer is None:
        yield Reason(Clause.OVR_9, f"there is no unit {fire.firer}")
        return
    final = _is_final(firer, open_window)
    barred = False
    for reason in (
        *_firer_bars(position, firer, open_window, final=final),
        *_weapon_bars(position, afv, firer, fire.weapon, final=final),
        *_leader_bars(position, firer, fire.leader, open_window, final=final),
    ):
        barred = True
        yield reason
    if not barred and is_futile(game, fire):
        text = f"{fire.firer}:{fire.weapon} can do nothing to {afv.id}, which is {afv.status.name}"
        yield Reason(Clause.OVR_9, text, afv.hex)


def _is_final(firer: Unit, open_window: OpenWindow) -> bool:
    return open_window.target is not None and firer.hex == open_window.target


def _firer_bars(
    position: Position, firer: Unit, open_window: OpenWindow, *, final: bool
) -> Iterator[Reason]:
    here = firer.hex
    if firer.side == position.to_move:
        yield Reason(Clause.OVR_9, f"{firer.id} is of the side that moves", here)
    if firer.carrier is not None:
        yield Reason(Clause.OVR_9, f"{firer.id} is carried by {firer.carrier}", here)
    if not firer.status.can_fire:
        clause = Clause.OVR_11 if final else Clause.OVR_9
        yield Reason(clause, f"{firer.id} is {firer.status.name} and may not fire", here)
    if final and firer.id in open_window.final_made:
        yield Reason(Clause.OVR_11, f"{firer.id} has made its Final Opportunity Fire", here)
    if not final and firer.fired:
        yield Reason(Clause.OVR_9, f"{firer.id} has a Fire marker", here)


def _weapon_bars(
    position: Position, afv: Unit, firer: Unit, name: str, *, final: bool
) -> Iterator[Reason]:
    weapon = _weapon(firer, name)
    if weapon is None:
        known = ", ".join(sorted(w.name for w in firer.type.combat.weapons)) or "none"
        yield Reason(Clause.OVR_9, f"{firer.id} has no weapon {name} (weapons: {known})", firer.hex)
        return
    if weapon.once and name in firer.spent:
        yield Reason(Clause.OVR_9, f"{firer.id}:{name} is spent", firer.hex)
    distance = FINAL_RANGE if final else firer.hex.distance(afv.hex)
    if weapon.at_rating(distance) is None:
        text = f"{firer.id}:{name} has no AT rating at range {distance}"
        yield Reason(Clause.OVR_11 if final else Clause.OVR_9, text, firer.hex)
    if final or afv.facing is None:
        return
    if bearing_of(position, firer, afv.hex, afv.facing) is None:
        yield Reason(Clause.OVR_9, unseen(position, firer, afv.hex) or "", firer.hex)


def _leader_bars(
    position: Position, firer: Unit, name: str | None, open_window: OpenWindow, *, final: bool
) -> Iterator[Reason]:
    if name is None:
        return
    clause = Clause.OVR_12 if final else Clause.OVR_9
    leader = position.units.get(name)
    if leader is None or leader.kind is not Kind.LEADER or leader.type.combat.leadership == 0:
        yield Reason(clause, f"{name} is no leader who could help", firer.hex)
        return
    if leader.id == firer.id or leader.side != firer.side or leader.hex != firer.hex:
        yield Reason(clause, f"{name} is no other unit in the hex of {firer.id}", firer.hex)
    if leader.carrier is not None:
        yield Reason(clause, f"{name} is carried by {leader.carrier}", leader.hex)
    if not leader.status.can_fire:
        yield Reason(clause, f"{name} is {leader.status.name} and may not help", leader.hex)
    if final and name in open_window.final_leaders:
        yield Reason(Clause.OVR_12, f"{name} has modified a shot in this window", leader.hex)
    if not final and leader.fired:
        yield Reason(clause, f"{name} has a Fire marker", leader.hex)


def _weapon(unit: Unit, name: str) -> Weapon | None:
    return next((weapon for weapon in unit.type.combat.weapons if weapon.name == name), None)


def aimed(game: Game, fire: Fire) -> Aimed:
    """The shot as the table takes it.

    Raises:
        ValueError: something bars it (see `fire_bars`).
        KeyError: there is no such unit or weapon.
    """
    afv, open_window = under_fire(game)
    position = game.position
    firer = position.units[fire.firer]
    weapon = firer.type.combat.weapon(fire.weapon)
    final = _is_final(firer, open_window)
    if final:
        distance, struck = FINAL_RANGE, Aspect.REAR
    else:
        assert afv.facing is not None
        bearing = bearing_of(position, firer, afv.hex, afv.facing)
        if bearing is None:
            raise ValueError(f"the map allows {fire.firer} no such shot")
        distance, struck = bearing
    strength = shot_strength(weapon, distance, afv.type.combat, struck)
    if strength is None:
        raise ValueError(f"{fire.firer}:{fire.weapon} does not reach")
    modifier = at_cover(position, afv.hex)
    if fire.leader is not None:
        modifier += position.units[fire.leader].type.combat.leadership
    shot = Shot(fire.firer, fire.weapon, distance, struck)
    return Aimed(shot, strength, modifier, final, weapon.once)


def chances(game: Game, fire: Fire) -> Outcomes:
    """What a shot that nothing bars makes of the AFV: ``(new status, probability)``."""
    afv, _ = under_fire(game)
    made = aimed(game, fire)
    return _outcomes(
        game.position.rules.combat, afv.type.combat, afv.status.name, made.strength, made.modifier
    )


def is_futile(game: Game, fire: Fire) -> bool:
    """Whether a shot has no chance to change the AFV's status. It would only cost the marker, so
    it may not be declared, and a window without others closes by itself."""
    afv, _ = under_fire(game)
    return all(status == afv.status.name for status, _ in chances(game, fire))


_Known = dict[tuple[int, str, int, int], tuple[CombatType, Outcomes]]
_known: WeakKeyDictionary[CombatRules, _Known] = WeakKeyDictionary()


def _outcomes(
    rules: CombatRules, type_: CombatType, status: str, strength: int, modifier: int
) -> Outcomes:
    """`shot_outcomes`, remembered by the type's number in memory (it is kept with them, so that no
    other gets the same)."""
    by_rules = _known.get(rules)
    if by_rules is None:
        by_rules = _known.setdefault(rules, {})
    key = (id(type_), status, strength, modifier)
    found = by_rules.get(key)
    if found is None:
        outcomes = shot_outcomes(rules, type_, status, strength, modifier)
        found = by_rules[key] = (type_, outcomes)
    return found[1]
