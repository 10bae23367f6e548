"""One AT shot at an AFV, as it was asked for on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.odds import Reading, read_table
from evaluation.resolve import shot_outcomes, shot_strength
from evaluation.units import Aspect, Kind, Weapon
from planner.game.angles import aspect, in_arc
from planner.game.faults import listed as one_of
from planner.game.hexes import Direction, Hex
from planner.game.position import Position, Unit
from planner.game.rules import UnitType
from planner.game.sight import sight
from planner.game.windows import at_cover
from planner.interface.asked import Asked
from planner.interface.forms import Form
from planner.interface.odds_source import (
    MODIFIERS,
    Given,
    Source,
    Struck,
    on_map,
    reading_form,
    source,
    status_on_map,
    struck,
    struck_form,
)
from planner.interface.words import listed


@dataclass(frozen=True, slots=True)
class ShotOdds:
    """A shot and its chances. ``notes`` say what would keep the firer from making it."""

    source: Source
    firer: str
    weapon: Weapon
    distance: int
    aspect: Aspect
    rating: int
    armour: int
    at_cover: int
    leadership: int
    reading: Reading
    target: Struck
    notes: tuple[str, ...] = ()

    def form(self) -> Form:
        """The odds as JSON."""
        return {
            "firer": self.firer,
            "weapon": self.weapon.name,
            "range": self.distance,
            "aspect": self.aspect.value,
            "rating": self.rating,
            "armour": self.armour,
            "at_cover": self.at_cover,
            "leadership": self.leadership,
            **reading_form(self.reading),
            "target": struck_form(self.target),
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class _Stand:
    """What a scenario says of the two units: where the AFV is fired at and how it faces there."""

    position: Position
    firer: Unit
    target: Unit
    hex: Hex
    facing: Direction | None


def shot_odds(asked: Asked, given: Given) -> ShotOdds:
    """The odds of the shot asked for. Raises FileFault with everything that is wrong with it."""
    from_ = source(asked, given)
    firer, target, stand = _units(asked, from_, given)
    distance = asked.whole("--range", given["distance"], 1)
    struck_aspect = _aspect(asked, given["aspect"])
    covered = asked.whole("--at-cover", given["at_cover"], *MODIFIERS)
    leadership, notes = _leadership(asked, given["leader"], from_.position, stand)
    if stand is not None:
        shown = _on_map(stand)
        distance = shown.distance if distance is None else distance
        struck_aspect = struck_aspect or shown.aspect
        covered = shown.at_cover if covered is None else covered
        notes = (*shown.notes, *notes)
        if struck_aspect is None:
            asked.fault("--aspect", "can't be told: both are in one hex", _ASPECTS)
        if distance == 0:
            asked.fault("--range", "can't be told: both are in one hex", "a range in hexes")
    elif from_.position is None:
        if given["distance"] is None:
            asked.fault("--range", "is missing", "a range in hexes")
        if given["aspect"] is None:
            asked.fault("--aspect", "is missing", _ASPECTS)
    status = _status(asked, from_, target, given["status"], stand)
    weapon = _weapon(asked, firer, given["weapon"], distance)
    asked.done()
    assert firer is not None
    assert target is not None
    assert weapon is not None
    assert distance is not None
    assert struck_aspect is not None
    rules = from_.rules.combat
    rating, armour = weapon.at_rating(distance), target.combat.armour
    strength = shot_strength(weapon, distance, target.combat, struck_aspect)
    assert rating is not None
    assert armour is not None
    assert strength is not None
    modifier = (covered or 0) + leadership
    reading = read_table(rules.at, strength, modifier, rules.dice)
    effects = {found.result: rules.at_effect(found.result) for found in reading.results}
    after = dict(shot_outcomes(rules, target.combat, status, strength, modifier))
    name = given["target"] or ""
    return ShotOdds(
        from_,
        given["firer"] or "",
        weapon,
        distance,
        struck_aspect,
        rating,
        armour[struck_aspect],
        covered or 0,
        leadership,
        reading,
        struck(rules, name, target, status, effects, after),
        notes,
    )


_ASPECTS = "front, side or rear"


def _units(
    asked: Asked, from_: Source, given: Given
) -> tuple[UnitType | None, UnitType | None, _Stand | None]:
    firer, target = given["firer"] or "", given["target"] or ""
    position = from_.position
    if position is None:
        for option in ("at", "facing"):
            if given[option] is not None:
                asked.fault(f"--{option}", "speaks of a map", "--scenario beside it")
        types = from_.rules.types
        fires = types[firer] if asked.known("--firer", "unit type", firer, types) else None
        struck_ = types[target] if asked.known("--target", "unit type", target, types) else None
        _check_kinds(asked, fires, struck_, types)
        return fires, struck_, None
    at = None if given["at"] is None else asked.hex("--at", given["at"], position)
    facing = None
    if given["facing"] is not None:
        facing = asked.direction("--facing", given["facing"], position)
    both = [
        asked.known(option, "unit", name, position.units)
        for option, name in (("--firer", firer), ("--target", target))
    ]
    first = position.units[firer] if both[0] else None
    second = position.units[target] if both[1] else None
    fires = None if first is None else first.type
    struck_ = None if second is None else second.type
    _check_kinds(asked, fires, struck_, {name: unit.type for name, unit in position.units.items()})
    if first is None or second is None:
        return fires, struck_, None
    if not _are_foes(asked, position, first, second):
        return fires, struck_, None
    here = second.hex if at is None else at
    faces = second.facing if facing is None else facing
    return fires, struck_, _Stand(position, first, second, here, faces)


def _are_foes(asked: Asked, position: Position, firer: Unit, target: Unit) -> bool:
    """Whether the two are on the map and on different sides."""
    both = on_map(asked, "--firer", firer, "a unit on the map")
    both &= on_map(asked, "--target", target, "an AFV on the map")
    if firer.side == target.side:
        said = f"{firer.id} and {target.id} are on the same side"
        foes = [unit for unit in position.units.values() if unit.side != target.side]
        fit = one_of(foe.id for foe in foes if _fires_at_afvs(foe.type))
        asked.fault("--firer", said, fit)
    return both and firer.side != target.side


def _check_kinds(
    asked: Asked,
    firer: UnitType | None,
    target: UnitType | None,
    there: Mapping[str, UnitType],
) -> None:
    """What these two must be; ``there`` are those that might be meant instead."""
    if firer is not None and not _fires_at_afvs(firer):
        fit = one_of(name for name, type_ in there.items() if _fires_at_afvs(type_))
        asked.fault("--firer", f"{firer.name} has no weapon with an AT rating", fit)
    if target is not None and target.kind is not Kind.AFV:
        fit = one_of(name for name, type_ in there.items() if type_.kind is Kind.AFV)
        asked.fault("--target", f"{target.name} is no AFV but {target.kind.value}", fit)


def _fires_at_afvs(type_: UnitType) -> bool:
    return any(weapon.at for weapon in type_.combat.weapons)


def _aspect(asked: Asked, text: str | None) -> Aspect | None:
    if text is None:
        return None
    names = [aspect_.value for aspect_ in Aspect]
    return Aspect(text) if asked.known("--aspect", "aspect", text, names) else None


def _leadership(
    asked: Asked, text: str | None, position: Position | None, stand: _Stand | None
) -> tuple[int, tuple[str, ...]]:
    """What a leader adds to the roll: a number, or a leader of the scenario."""
    if text is None or position is None or text.lstrip("+-").isdecimal():
        return asked.whole("--leader", text, *MODIFIERS) or 0, ()
    units = position.units
    leaders = [unit.id for unit in units.values() if unit.kind is Kind.LEADER]
    if not asked.known("--leader", "leader", text, leaders) or stand is None:
        return 0, ()
    leader = units[text]
    notes = []
    if leader.hex != stand.firer.hex or not leader.stands:
        notes.append(f"{text} is not in the hex of {stand.firer.id}")
    if leader.fired:
        notes.append(f"{text} has a Fire marker: it may modify Final Opportunity Fire only")
    if not leader.status.may_fire:
        notes.append(f"{text} is {leader.status.name} and may not fire")
    return leader.type.combat.leadership, tuple(notes)


def _status(
    asked: Asked, from_: Source, target: UnitType | None, text: str | None, stand: _Stand | None
) -> str:
    statuses = from_.rules.combat.statuses[Kind.AFV]
    if text is not None:
        status_on_map(asked, "--status", "status of AFVs", text, statuses)
        return text
    return stand.target.status.name if stand is not None else next(iter(statuses))


def _weapon(
    asked: Asked, firer: UnitType | None, name: str | None, distance: int | None
) -> Weapon | None:
    """The weapon asked for, else the one of the best rating at the range, first in text order."""
    if firer is None:
        return None
    weapons = {weapon.name: weapon for weapon in firer.combat.weapons if weapon.at}
    if name is not None:
        if not asked.known("--weapon", f"AT weapon of {firer.name}", name, weapons):
            return None
        weapons = {name: weapons[name]}
    if distance is None or not weapons:
        return None
    rated = [
        (-rating, weapon.name, weapon)
        for weapon in weapons.values()
        if (rating := weapon.at_rating(distance)) is not None
    ]
    if not rated:
        reach = max(weapon.at[-1][0] for weapon in weapons.values())
        said = f"{distance} is out of reach of {name or firer.name}"
        asked.fault("--range", said, f"at most {reach}")
        return None
    return min(rated, key=lambda found: found[:2])[2]


@dataclass(frozen=True, slots=True)
class _OnMap:
    distance: int
    aspect: Aspect | None
    at_cover: int
    notes: tuple[str, ...]


def _on_map(stand: _Stand) -> _OnMap:
    """What the map makes of the shot, and what would keep the firer from making it (OVR-9)."""
    position, firer = stand.position, stand.firer
    board, rules = position.board, position.rules
    notes = []
    if not firer.stands:
        notes.append(f"{firer.id} does not stand on the map by itself")
    if firer.fired:
        notes.append(f"{firer.id} has a Fire marker: it may make Final Opportunity Fire only")
    if not firer.status.may_fire:
        notes.append(f"{firer.id} is {firer.status.name} and may not fire")
    if firer.spent:
        notes.append(f"{firer.id} has spent {listed(sorted(firer.spent))}")
    struck_aspect = None
    if stand.hex != firer.hex:
        if stand.facing is not None:
            struck_aspect = aspect(rules, stand.facing, stand.hex, firer.hex)
        seen = sight(board, rules, firer.hex, stand.hex)
        if not seen.clear:
            names = listed(board.name(hex_) for hex_ in seen.blocking)
            notes.append(f"no line of sight: {names} in the way")
        arc = firer.type.arc
        if firer.facing is not None and not in_arc(arc, firer.facing, firer.hex, stand.hex):
            notes.append(f"{board.name(stand.hex)} is outside the field of fire of {firer.id}")
    return _OnMap(
        firer.hex.distance(stand.hex), struck_aspect, at_cover(position, stand.hex), tuple(notes)
    )
