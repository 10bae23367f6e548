"""What plans on one field have in common, worked out once: groups, chains, windows, attacks."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from evaluation.chain import Attack, Chain, Fire, Payload, group_chain
from evaluation.effects import NO_EFFECT, Effects
from evaluation.group import NO_LEADER, Aim, Group
from evaluation.plan import Defence, Space
from evaluation.resolve import attack_spends, attack_strength
from evaluation.script import Combatant, Enter, Field, Move, Place, Shot, Strike
from evaluation.units import Kind, Side, Status
from evaluation.worth import Losses

_ChainKey = tuple[Place, tuple[Payload, ...], int, int]
_Kept = tuple[Chain[Hashable], Sequence[Hashable] | None, Mapping[Hashable, int] | None]


class Compiler:
    """Makes plans of moves on one field ready, keeping what several plans share."""

    def __init__(
        self, field_: Field, effects: Effects, losses: Losses, defence: Defence, keep: bool
    ) -> None:
        self.field = field_
        self.effects = effects
        self.losses = losses
        self._hold = defence is Defence.HOLD
        self._labelled = keep or defence is not Defence.BEST
        self._keep = keep
        self._groups: dict[Place, Group] = {}
        self._chains: dict[_ChainKey, _Kept] = {}
        self._aims: dict[tuple[tuple[Shot, ...], str, int], dict[Place, Fire]] = {}
        self._mover_at: dict[Place, list[Combatant]] = {}
        for _, unit in sorted(field_.units.items()):
            if unit.side is Side.MOVER and unit.carrier is None and not self._status(unit).removed:
                self._mover_at.setdefault(unit.place, []).append(unit)

    def _status(self, unit: Combatant) -> Status:
        return self.field.rules.status(unit.type.kind, unit.status)

    def group(self, place: Place) -> Group:
        """The defender's units that stand in a place."""
        found = self._groups.get(place)
        if found is None:
            found = self._groups[place] = Group(self.field, place, self.losses)
        return found

    def mover(self, move: Move, before: Sequence[str]) -> Combatant:
        """The AFV that a move is of. Raises ValueError when it is no AFV of the mover's that can
        move by itself, or has moved ``before``."""
        unit = self.field.units.get(move.unit)
        if unit is None:
            raise ValueError(f"there is no unit {move.unit!r}")
        if unit.side is not Side.MOVER or unit.type.kind is not Kind.AFV or unit.carrier:
            raise ValueError(f"{move.unit} is no AFV of the moving side that can move by itself")
        if move.unit in before:
            raise ValueError(f"{move.unit} has two moves: an AFV moves once in a phase")
        return unit

    def chain(
        self,
        place: Place,
        payloads: tuple[Payload, ...],
        before: Space | None = None,
        after: Space | None = None,
    ) -> Chain[Hashable]:
        """The chain of a place's group for these events, remembered.

        It is entered in any class of the space ``before`` (None: as the group starts), and ends in
        the classes of the space ``after``.
        """
        key = ("group", place)
        members = before.members[key] if before and key in before.axes else None
        following = after.classes[key] if after and key in after.axes else None
        # Members and classes are kept with the chain, so that no others can get the same ids.
        known = (place, payloads, id(members), id(following))
        found = self._chains.get(known)
        if found is None:
            chain = group_chain(
                self.group(place),
                payloads,
                members,
                following,
                labelled=self._labelled,
                keep_statuses=self._keep,
            )
            found = self._chains[known] = (chain, members, following)
        return found[0]

    def fires(self, step: Enter, target: Combatant) -> dict[Place, Fire]:
        """The shots of a window that can do anything, by the group that may make them."""
        key = (step.shots, target.type.name, step.at_cover)
        found = self._aims.get(key) if step.final_against is None else None
        if found is not None:
            return found
        by_place: dict[Place, list[Aim]] = {}
        if not self._hold:
            for shot in step.shots:
                place = self.field.units[shot.firer].place
                if place == step.final_against:
                    continue
                aim = self._aim(self.group(place), shot, target, step.at_cover)
                if aim is not None:
                    by_place.setdefault(place, []).append(aim)
        fires = {place: Fire(tuple(aims), False) for place, aims in by_place.items()}
        if step.final_against is None:
            self._aims[key] = fires
            return fires
        group = self.group(step.final_against)
        aims = [self._aim(group, shot, target, step.at_cover) for shot in group.final_shots()]
        useful = tuple(aim for aim in aims if aim is not None)
        if useful:
            fires[step.final_against] = Fire(useful, True)
        return fires

    def _aim(self, group: Group, shot: Shot, target: Combatant, at_cover: int) -> Aim | None:
        if shot.firer not in group.index:
            return None
        strength = group.strength(shot, target.type)
        if strength is None:
            return None
        firer = group.index[shot.firer]
        effects = []
        for leader in (NO_LEADER, *group.leaders):
            if leader == firer:
                continue
            help_ = 0 if leader == NO_LEADER else group.units[leader].type.leadership
            effect = self.effects.number(target.type, strength, at_cover + help_)
            if effect != NO_EFFECT:
                effects.append((leader, effect))
        if not effects:
            return None
        names = [weapon.name for weapon in group.units[firer].type.weapons]
        return Aim(firer, names.index(shot.weapon), tuple(effects))

    def attack(self, unit: Combatant, step: Strike) -> tuple[Attack, float]:
        """The attack of an overrun, and the price of the once-weapons it spends."""
        passengers = self.losses.carried_by(unit)
        riders = [p for p in passengers if p.type.kind in (Kind.INFANTRY, Kind.LEADER)]
        position = {rider.id: i for i, rider in enumerate(riders)}
        chosen = [(position[who], weapon) for who, weapon in step.weapons if who in position]
        carried = [(r.type, r.spent, self._status(r).may_fire) for r in riders]
        rules, type_, spent = self.field.rules, unit.type, unit.spent
        strength = attack_strength(rules, type_, spent, carried, chosen)
        price = sum(weapon.price for _, weapon in attack_spends(type_, spent, carried, chosen))
        return Attack(strength, step.cover), price

    def movers_at(self, place: Place) -> list[Combatant]:
        """The mover's units that stand in a place when the script starts."""
        return self._mover_at.get(place, [])

    def able(self, unit: Combatant, move: Move) -> bool:
        """Whether the AFV's own status lets it make the move at all."""
        status = self._status(unit)
        strikes = any(isinstance(step, Strike) for step in move.steps)
        return not status.removed and status.may_move and (status.may_overrun or not strikes)
