"""What plans on one field have in common, worked out once: groups, chains, windows, attacks."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.chain import Ask, Attack, Chain, Fire, Payload
from evaluation.effects import NO_EFFECT, Effects
from evaluation.group import NO_LEADER, Aim, Group
from evaluation.group_chains import GroupChains
from evaluation.plan import Defence, Space
from evaluation.resolve import attack_spends, attack_strength
from evaluation.script import Combatant, Enter, Field, Move, Place, Shot, Strike
from evaluation.units import Kind, Side, Status
from evaluation.worth import Losses

_ChainKey = tuple[Place, tuple[int, ...], int, int]
_Kept = tuple[Chain[Hashable], Sequence[Hashable] | None, Mapping[Hashable, int] | None]

MOST_READY = 100_000
"""So many moves are remembered; then it begins anew."""
MOST_CHAINS = 200_000
"""So many chains are remembered; then it begins anew."""


@dataclass(frozen=True, slots=True)
class ReadyEnter:
    """A window: the place entered, and the shots there that can do anything, by firers' places."""

    place: Place
    fires: tuple[tuple[Place, Fire], ...]
    before_strike: bool


@dataclass(frozen=True, slots=True)
class ReadyStrike:
    """An overrun's attack, and the price of the once-weapons it spends."""

    place: Place
    attack: Attack
    price: float


@dataclass(frozen=True, eq=False)
class Ready:
    """A move with all of it that the rest of the plan has no part in.

    ``able``: its AFV's own status lets it move. ``questions``: what must hold of a place for the
    move to be made, and whether it does when the script starts; in the order of the steps.
    """

    move: Move
    unit: Combatant
    able: bool
    steps: tuple[ReadyEnter | ReadyStrike, ...]
    questions: tuple[tuple[Ask, Place, bool], ...]


class Compiler:
    """Makes plans of moves on one field ready, keeping what several plans share.

    ``keep``: states whose statuses differ are kept apart, to tell what happens; ``labelled``: so
    are shots that do the same but are declared differently.
    """

    def __init__(
        self,
        field_: Field,
        effects: Effects,
        losses: Losses,
        defence: Defence,
        keep: bool | Collection[Place],
        *,
        labelled: bool = False,
    ) -> None:
        self.field = field_
        self.effects = effects
        self.losses = losses
        self._hold = defence is Defence.HOLD
        self._labelled = bool(keep) or labelled or defence is not Defence.BEST
        self._keep = keep
        self._groups: dict[Place, Group] = {}
        self._chains: dict[_ChainKey, _Kept] = {}
        self._makers: dict[Place, GroupChains] = {}
        self._shots: dict[Hashable, Hashable] = {}
        self._ready: dict[int, Ready] = {}
        self._payloads: dict[Payload, Payload] = {}
        self._numbers: set[int] = set()
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

    def _keeps(self, place: Place) -> bool:
        return self._keep if isinstance(self._keep, bool) else place in self._keep

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
        same = [p if id(p) in self._numbers else self.same(p) for p in payloads]
        # Payloads, members and classes are kept, so that no others can get the same ids.
        known = (place, tuple(map(id, same)), id(members), id(following))
        found = self._chains.get(known)
        if found is None:
            if len(self._chains) >= MOST_CHAINS:
                self._chains.clear()
                self._makers.clear()
            maker = self._makers.get(place)
            if maker is None:
                maker = self._makers[place] = GroupChains(
                    self.group(place),
                    labelled=self._labelled,
                    keep_statuses=self._keeps(place),
                    shared=self._shots,
                )
            chain = maker.chain(same, members, following)
            found = self._chains[known] = (chain, members, following)
        return found[0]

    def same(self, payload: Payload) -> Payload:
        """The one object that stands for all equal payloads."""
        found = self._payloads.setdefault(payload, payload)
        self._numbers.add(id(found))
        return found

    def ready(self, move: Move) -> Ready:
        """What a move needs whatever plan it stands in, remembered. Raises ValueError as `mover`
        does."""
        found = self._ready.get(id(move))
        if found is None:
            if len(self._ready) >= MOST_READY:
                self._ready.clear()
            # The move is kept with it, so that no other can get the same id.
            found = self._ready[id(move)] = self._make_ready(move)
        return found

    def _make_ready(self, move: Move) -> Ready:
        unit = self.mover(move, ())
        steps: list[ReadyEnter | ReadyStrike] = []
        questions: dict[tuple[str, Place], None] = {}
        for i, step in enumerate(move.steps):
            if isinstance(step, Strike):
                attack, price = self.attack(unit, step)
                same = self.same(attack)
                assert isinstance(same, Attack)
                steps.append(ReadyStrike(step.place, same, price))
                questions.setdefault(("target", step.place))
                continue
            fires = []
            for place, fire in self.fires(step, unit).items():
                known = self.same(fire)
                assert isinstance(known, Fire)
                fires.append((place, known))
            before_strike = i + 1 < len(move.steps) and isinstance(move.steps[i + 1], Strike)
            steps.append(ReadyEnter(step.place, tuple(fires), before_strike))
            questions.setdefault(("empty", step.place))
        return Ready(
            move,
            unit,
            bool(move.steps) and self.able(unit, move),
            tuple(steps),
            tuple((self.ask(what), place, self._holds(what, place)) for what, place in questions),
        )

    def _holds(self, question: str, place: Place) -> bool:
        group = self.group(place)
        return (group.is_target if question == "target" else group.is_empty)(group.start)

    def ask(self, question: str, place: Place = None) -> Ask:
        """A question to a group or to an AFV's place."""
        same = self.same(Ask(question, place))
        assert isinstance(same, Ask)
        return same

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
