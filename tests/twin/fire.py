"""Tables, shots and attacks of the slow twin: what dice do to statuses."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from .ground import exact
from .notation import Move, adding_passengers
from .state import Facts, State


class Shot(NamedTuple):
    """One declared shot. Its order is the text order that breaks ties; "" is no leader."""

    unit: str
    weapon: str
    leader: str
    final: bool


class Window(NamedTuple):
    """An open window: the AFV, where it stands, its facing, and what has been used in it."""

    afv: str
    hex: str
    facing: str
    target: str | None  # the target hex, in the last window of an overrun only
    final_shots: frozenset[str] = frozenset()  # units whose Final Opportunity Fire is made
    final_leaders: frozenset[str] = frozenset()  # leaders that have modified one


def cell(table: dict[str, Any], strength: Fraction, roll: int) -> str:
    """The result of a combat table for a strength and a modified roll."""
    columns = [i for i, least in enumerate(table["columns"]) if exact(least) <= strength]
    if not columns:
        return "-"
    rows = [i for i, least in enumerate(table["rolls"]) if least <= roll]
    found: str = table["table"][rows[-1] if rows else 0][columns[-1]]
    return found


class Fire:
    """Shots and attacks in one scenario."""

    def __init__(self, facts: Facts, *, futile_shots: bool = False) -> None:
        """With ``futile_shots`` the defender may also declare shots that can't change the AFV's
        status. They only cost him markers and weapons, so no value depends on it; left out they
        save time.
        """
        self.facts = facts
        self.futile_shots = futile_shots
        self.effect = cache(self._effect)
        self.roll_effects = cache(self._roll_effects)
        self.reach = cache(self._reach)

    # Tables.

    def _effect(self, table: str, unit: str, status: str, result: str) -> dict[str, Fraction]:
        """The chances of the next status of a unit that a result befalls."""
        known = self.facts.units[unit]
        effect = self.facts.rules[table].get("effects", {}).get(known.kind, {}).get(result, {})
        if "check" not in effect:
            return {effect.get(status, status): Fraction(1)}
        limit = known.type["ratings"][effect["check"]] + effect.get("modifier", 0)
        passed = sum((p for roll, p in self.facts.dice.items() if roll <= limit), Fraction(0))
        chances: dict[str, Fraction] = {}
        for part, chance in (("pass", passed), ("fail", 1 - passed)):
            after = effect.get(part, {}).get(status, status)
            chances[after] = chances.get(after, Fraction(0)) + chance
        return {after: chance for after, chance in chances.items() if chance}

    def _roll_effects(
        self, table: str, unit: str, status: str, strength: Fraction, modifier: int
    ) -> dict[str, Fraction]:
        """The chances of the next status of a unit for an attack with a roll of its own."""
        chances: dict[str, Fraction] = {}
        for roll, chance in self.facts.dice.items():
            result = cell(self.facts.rules[table], strength, roll + modifier)
            for after, share in self.effect(table, unit, status, result).items():
                chances[after] = chances.get(after, Fraction(0)) + chance * share
        return chances

    # Shots.

    def _reach(self, unit: str, afv_hex: str) -> tuple[tuple[str, int], ...]:
        """Weapons (name, rating) with which a unit can hit an AFV in a hex, markers apart."""
        known, ground = self.facts.units[unit], self.facts.ground
        here = self.facts.place(self.facts.start, unit)
        if here is None or not ground.sees(here, afv_hex):
            return ()
        if "arc" in known.type:
            assert known.facing is not None
            if not ground.in_arc(here, known.facing, afv_hex, known.type["arc"]):
                return ()
        distance = ground.distance(here, afv_hex)
        rated = [(weapon.name, weapon.at_rating(distance)) for weapon in known.weapons]
        return tuple((name, rating) for name, rating in rated if rating is not None)

    def shots(self, state: State, window: Window) -> list[Shot]:
        """Every shot the defender may declare now, in text order."""
        found = []
        if self.facts.removed(state, window.afv):
            return []
        for unit in self.facts.units.values():
            if unit.side != self.facts.defender or unit.carrier is not None:
                continue
            if not self.facts.may_fire(state, unit.id):
                continue
            final = window.target is not None and self.facts.place(state, unit.id) == window.target
            if final:
                if unit.id in window.final_shots:
                    continue
                rated = [(w.name, w.at_rating(1)) for w in unit.weapons]
                weapons = [name for name, rating in rated if rating is not None]
            else:
                if unit.id in state.fired:
                    continue
                weapons = [name for name, _ in self.reach(unit.id, window.hex)]
            for weapon in weapons:
                if (unit.id, weapon) in state.spent and self._once(unit.id, weapon):
                    continue
                for leader in ("", *self._leaders(state, window, unit.id, final)):
                    found.append(Shot(unit.id, weapon, leader, final))
        if not self.futile_shots:
            found = [shot for shot in found if self.can_change(state, window, shot)]
        return sorted(found)

    def _once(self, unit: str, name: str) -> bool:
        weapon = self.facts.units[unit].weapon(name)
        return weapon is not None and weapon.once

    def _leaders(self, state: State, window: Window, firer: str, final: bool) -> list[str]:
        """Leaders of the firer's hex that may modify its shot."""
        here = self.facts.place(state, firer)
        assert here is not None
        used = window.final_leaders if final else state.fired
        return [
            leader
            for leader in self.facts.present(state, here, self.facts.defender)
            if self.facts.units[leader].kind == "leader"
            and leader != firer
            and leader not in used
            and self.facts.may_fire(state, leader)
        ]

    def shot_outcomes(self, state: State, window: Window, shot: Shot) -> dict[str, Fraction]:
        """The chances of the AFV's next status."""
        facts = self.facts
        weapon = facts.units[shot.unit].weapon(shot.weapon)
        here = facts.place(state, shot.unit)
        assert weapon is not None
        assert here is not None
        if shot.final:
            rating, aspect = weapon.at_rating(1), "rear"
        else:
            rating = weapon.at_rating(facts.ground.distance(here, window.hex))
            aspect = facts.ground.aspect(window.hex, window.facing, here)
        assert rating is not None
        strength = exact(rating) - exact(facts.units[window.afv].type["armour"][aspect])
        modifier = facts.ground.cover(window.hex, "at_cover")
        if shot.leader:
            modifier += facts.units[shot.leader].type.get("leadership", 0)
        status = facts.status(state, window.afv)
        return self.roll_effects("at", window.afv, status, strength, modifier)

    def can_change(self, state: State, window: Window, shot: Shot) -> bool:
        """Whether the shot has a chance of changing the AFV's status."""
        return set(self.shot_outcomes(state, window, shot)) != {
            self.facts.status(state, window.afv)
        }

    def expected_loss(self, state: State, window: Window, shot: Shot) -> Fraction:
        """The expected increase of the share of the AFV's worth that counts as lost."""
        loss = self.facts.loss
        before = loss(window.afv, self.facts.status(state, window.afv))
        outcomes = self.shot_outcomes(state, window, shot).items()
        return sum((p * loss(window.afv, after) for after, p in outcomes), Fraction(0)) - before

    def after_shot(
        self, state: State, window: Window, shot: Shot
    ) -> tuple[Window, list[tuple[State, Fraction]]]:
        """The window that goes on after a shot, and the chances of each state."""
        marked = {shot.unit, shot.leader} - {""}
        fired = state._replace(fired=state.fired | marked)
        if self._once(shot.unit, shot.weapon):
            fired = fired._replace(spent=fired.spent | {(shot.unit, shot.weapon)})
        if shot.final:
            window = window._replace(
                final_shots=window.final_shots | {shot.unit},
                final_leaders=window.final_leaders | ({shot.leader} - {""}),
            )
        outcomes = self.shot_outcomes(state, window, shot)
        return window, [
            (self.facts.with_status(fired, window.afv, after), chance)
            for after, chance in sorted(outcomes.items())
        ]

    # The overrun's attack.

    def attack_strength(
        self, state: State, move: Move
    ) -> tuple[Fraction, frozenset[tuple[str, str]]]:
        """Total APFP of an overrun (OVR-16, OVR-17), and the once-weapons it uses up."""
        own, added, used = Fraction(0), Fraction(0), set()
        for weapon in self.facts.units[move.unit].weapons:
            if weapon.apfp and (move.unit, weapon.name) not in state.spent:
                own += weapon.apfp
                used |= {(move.unit, weapon.name)} if weapon.once else set()
        for passenger in adding_passengers(self.facts, state, move.unit):
            for weapon in self.facts.units[passenger].weapons:
                key = (passenger, weapon.name)
                own_armament = weapon.weapon_class is None and bool(weapon.apfp)
                if key not in state.spent and (own_armament or key in move.weapons):
                    added += weapon.apfp
                    used |= {key} if weapon.once else set()
        multiplier = exact(self.facts.rules["overrun"]["afv_multiplier"])
        return multiplier * own + added, frozenset(used)

    def attack(self, state: State, move: Move) -> list[tuple[State, Fraction]]:
        """The chances of each state after the attack on the target hex."""
        assert move.target is not None
        strength, used = self.attack_strength(state, move)
        state = state._replace(spent=state.spent | used)
        struck = sorted(self.facts.present(state, move.target, self.facts.defender))
        cover = self.facts.ground.cover(move.target, "cover")
        joint: dict[tuple[str, ...], Fraction] = {}
        if self.facts.rules["ap"]["roll_per"] == "hex":
            for roll, chance in self.facts.dice.items():
                result = cell(self.facts.rules["ap"], strength, roll + cover)
                each = [
                    self.effect("ap", unit, self.facts.status(state, unit), result)
                    for unit in struck
                ]
                _add_joint(joint, each, chance)
        else:
            each = [
                self.roll_effects("ap", unit, self.facts.status(state, unit), strength, cover)
                for unit in struck
            ]
            _add_joint(joint, each, Fraction(1))
        found: dict[State, Fraction] = {}
        for statuses, chance in sorted(joint.items()):
            after = state
            for unit, status in zip(struck, statuses, strict=True):
                after = self.facts.with_status(after, unit, status)
            found[after] = found.get(after, Fraction(0)) + chance
        return list(found.items())


def _add_joint(
    joint: dict[tuple[str, ...], Fraction], each: list[dict[str, Fraction]], chance: Fraction
) -> None:
    """Book the product of independent changes under a common chance."""
    for combination in product(*(chances.items() for chances in each)):
        statuses = tuple(status for status, _ in combination)
        share = chance
        for _, part in combination:
            share *= part
        joint[statuses] = joint.get(statuses, Fraction(0)) + share
