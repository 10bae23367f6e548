"""A script of moves made ready for evaluation: which groups it concerns, when, and what is certain.

What is certain beforehand (a hex that no earlier move strikes stays as it is) is settled here; what
the dice may change becomes a question to a group or to the place where an AFV stands.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from evaluation.chain import Ask, Attack, Chain, Fire, Payload, group_chain, place_chain
from evaluation.effects import NO_EFFECT, Effects
from evaluation.group import NO_LEADER, Aim, Group
from evaluation.resolve import attack_strength
from evaluation.script import Combatant, Enter, Field, Move, Objective, Place, Shot, Strike
from evaluation.units import Kind, Side, Status
from evaluation.worth import Losses


class Defence(Enum):
    """How the defender decides. ``BEST`` is the best reply; the others are rules of thumb.

    ``FIRE_AT_ONCE`` declares, in every window, whatever shot can still change the AFV's status, the
    one first that is expected to cost it most; ``HOLD`` makes only Final Opportunity Fire, and so.
    """

    BEST = "best"
    FIRE_AT_ONCE = "fire-at-once"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class LinkRef:
    """A link of a chain: the axis and the link's number in its chain."""

    axis: int
    link: int


@dataclass(frozen=True, slots=True)
class Room:
    """Whether there is room where a move ends: sizes that may still be taken, and the AFVs that
    moved before and may stand there, with their sizes."""

    left: int
    others: tuple[tuple[LinkRef, int], ...]


@dataclass(frozen=True, slots=True)
class Guard:
    """What must hold when the move's turn comes: every question answered yes, and room."""

    asks: tuple[LinkRef, ...]
    room: Room | None


@dataclass(frozen=True, slots=True)
class WindowStage:
    """The AFV enters a place and the window there; ``before_strike``: the overrun comes next."""

    place: Place
    fires: tuple[LinkRef, ...]
    before_strike: bool


@dataclass(frozen=True, slots=True)
class StrikeStage:
    """The attack on a group; ``price`` is that of the mover's once-weapons it spends."""

    place: Place
    ref: LinkRef
    price: float


Stage = WindowStage | StrikeStage


@dataclass(frozen=True, slots=True)
class Turn:
    """One move of the plan. ``impossible``: it will certainly be skipped. ``stand`` is the axis of
    the place where it then stands, when a later move or an objective asks for it."""

    unit: Combatant
    move: Move
    stages: tuple[Stage, ...] = ()
    guard: Guard | None = None
    impossible: bool = False
    stand: int | None = None


@dataclass(frozen=True, slots=True)
class Holding:
    """An objective as the plan can change it: who is certainly there, and who may be."""

    objective: Objective
    defender_there: bool
    defender: LinkRef | None
    mover_there: bool
    movers: tuple[LinkRef, ...]


@dataclass(frozen=True, eq=False)
class Plan:
    """A plan ready for evaluation. ``chains[axis]`` and, for groups, ``starts[axis]`` and
    ``groups[axis]``; the axes after the groups are AFVs' places."""

    turns: tuple[Turn, ...]
    groups: tuple[Group, ...]
    chains: tuple[Chain[Hashable], ...]
    starts: tuple[int, ...]
    holdings: tuple[Holding, ...]
    constant: float


@dataclass(slots=True)
class _Stand:
    """Where an AFV that has moved may stand."""

    unit: Combatant
    places: list[Hashable]
    payloads: list[Payload] = field(default_factory=list)


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
        self._chains: dict[tuple[Place, tuple[Payload, ...]], Chain[Hashable]] = {}
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

    def compile(self, moves: Sequence[Move]) -> Plan:
        """Make a plan ready. Raises ValueError when a move's unit is no AFV of the mover's that
        stands on the field, or is named twice."""
        build = _Build(self)
        for move in moves:
            build.add(self._mover(move, [turn.unit.id for turn in build.turns]), move)
        return build.finish()

    def _mover(self, move: Move, before: Sequence[str]) -> Combatant:
        unit = self.field.units.get(move.unit)
        if unit is None:
            raise ValueError(f"there is no unit {move.unit!r}")
        if unit.side is not Side.MOVER or unit.type.kind is not Kind.AFV or unit.carrier:
            raise ValueError(f"{move.unit} is no AFV of the moving side that can move by itself")
        if move.unit in before:
            raise ValueError(f"{move.unit} has two moves: an AFV moves once in a phase")
        return unit

    def chain(self, place: Place, payloads: tuple[Payload, ...]) -> Chain[Hashable]:
        """The chain of a place's group for these events, remembered."""
        key = (place, payloads)
        found = self._chains.get(key)
        if found is None:
            chain = group_chain(
                self.group(place), payloads, labelled=self._labelled, keep_statuses=self._keep
            )
            found = self._chains[key] = Chain(chain.links, dict(chain.entry.items()))
        return found

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
        may_fire = [self._status(rider).may_fire for rider in riders]
        strength = attack_strength(
            self.field.rules,
            unit.type,
            unit.spent,
            [(r.type, r.spent, fires) for r, fires in zip(riders, may_fire, strict=True)],
            chosen,
        )
        # What counts anyway is used only if it adds something: an AT weapon stays unspent.
        price = sum(
            w.price for w in unit.type.weapons if w.once and w.apfp and w.name not in unit.spent
        )
        for i, rider in enumerate(riders):
            for weapon in rider.type.weapons:
                own = weapon.weapon_class is None and weapon.apfp
                used = own or (i, weapon.name) in chosen
                if may_fire[i] and weapon.once and used and weapon.name not in rider.spent:
                    price += weapon.price
        return Attack(strength, step.cover), price

    def movers_at(self, place: Place) -> list[Combatant]:
        """The mover's units that stand in a place when the script starts."""
        return self._mover_at.get(place, [])

    def able(self, unit: Combatant, move: Move) -> bool:
        """Whether the AFV's own status lets it make the move at all."""
        status = self._status(unit)
        strikes = any(isinstance(step, Strike) for step in move.steps)
        return not status.removed and status.may_move and (status.may_overrun or not strikes)


class _Build:
    """One plan being made ready."""

    def __init__(self, compiler: Compiler) -> None:
        self._c = compiler
        self.turns: list[Turn] = []
        self._axis: dict[Place, int] = {}
        self._payloads: list[list[Payload]] = []
        self._stands: dict[int, _Stand] = {}
        self._struck: set[Place] = set()

    def _ref(self, place: Place, payload: Payload) -> LinkRef:
        axis = self._axis.setdefault(place, len(self._payloads))
        if axis == len(self._payloads):
            self._payloads.append([])
        self._payloads[axis].append(payload)
        return LinkRef(axis, len(self._payloads[axis]) - 1)

    def _stand_ref(self, turn: int, place: Place) -> LinkRef:
        """A question to the place of the AFV of an earlier turn; the axis is settled at the end."""
        payloads = self._stands[turn].payloads
        payloads.append(Ask("at", place))
        return LinkRef(-1 - turn, len(payloads) - 1)

    def add(self, unit: Combatant, move: Move) -> None:
        if not move.steps:
            self.turns.append(Turn(unit, move))
            return
        guard = self._guard(unit, move) if self._c.able(unit, move) else None
        if guard is None:
            self.turns.append(Turn(unit, move, impossible=True))
            return
        stages: list[Stage] = []
        places: list[Hashable] = []
        fired_at = False
        for i, step in enumerate(move.steps):
            if isinstance(step, Strike):
                attack, price = self._c.attack(unit, step)
                stages.append(StrikeStage(step.place, self._ref(step.place, attack), price))
                self._struck.add(step.place)
                continue
            fires = self._c.fires(step, unit)
            refs = tuple(self._ref(place, fire) for place, fire in fires.items())
            fired_at = fired_at or bool(refs)
            last = i == len(move.steps) - 1
            if (fired_at or last) and step.place not in places:
                places.append(step.place)
            strike_next = not last and isinstance(move.steps[i + 1], Strike)
            stages.append(WindowStage(step.place, refs, strike_next))
        certain = not guard.asks and guard.room is None
        if not certain and unit.place not in places:
            places.append(unit.place)
        if fired_at:
            places.append(None)
        self._stands[len(self.turns)] = _Stand(unit, places)
        self.turns.append(Turn(unit, move, tuple(stages), None if certain else guard))

    def _guard(self, unit: Combatant, move: Move) -> Guard | None:
        """What must hold for the move to be made; None when it certainly does not."""
        open_questions: dict[tuple[str, Place], None] = {}
        for step in move.steps:
            group = self._c.group(step.place)
            question = "target" if isinstance(step, Strike) else "empty"
            if step.place in self._struck:
                open_questions.setdefault((question, step.place))
                continue
            said = group.is_target if question == "target" else group.is_empty
            if not said(group.start):
                return None
        place = move.steps[-1].place
        left = self._room_left(unit, place)
        if left < 0:
            return None
        others = [turn for turn, stand in self._stands.items() if place in stand.places]
        room = None
        if sum(self._stands[turn].unit.size for turn in others) > left:
            refs = ((self._stand_ref(turn, place), self._stands[turn].unit.size) for turn in others)
            room = Room(left, tuple(refs))
        asks = tuple(self._ref(where, Ask(question)) for question, where in open_questions)
        return Guard(asks, room)

    def _room_left(self, unit: Combatant, place: Place) -> int:
        """The room for others where a move ends, beside those who certainly stand there."""
        gone = {self.turns[turn].unit.id for turn in self._stands}
        taken = sum(
            there.size
            for there in self._c.movers_at(place)
            if there.id != unit.id and there.id not in gone
        )
        return self._c.field.stacking_limit - taken - unit.size

    def finish(self) -> Plan:
        holdings, constant = self._holdings()
        places = list(self._axis)
        chains: list[Chain[Hashable]] = [
            self._c.chain(place, tuple(payloads))
            for place, payloads in zip(places, self._payloads, strict=True)
        ]
        groups = tuple(self._c.group(place) for place in places)
        starts = tuple(
            chain.entry[group.start] for chain, group in zip(chains, groups, strict=True)
        )
        axis_of: dict[int, int] = {}
        for turn, stand in self._stands.items():
            if stand.payloads:
                axis_of[turn] = len(chains)
                asks = [ask for ask in stand.payloads if isinstance(ask, Ask)]
                chains.append(place_chain(stand.places, asks))

        def settle(ref: LinkRef) -> LinkRef:
            return ref if ref.axis >= 0 else LinkRef(axis_of[-1 - ref.axis], ref.link)

        turns = []
        for number, made in enumerate(self.turns):
            guard = made.guard
            if guard is not None and guard.room is not None:
                others = tuple((settle(ref), size) for ref, size in guard.room.others)
                guard = Guard(guard.asks, Room(guard.room.left, others))
            turns.append(replace(made, guard=guard, stand=axis_of.get(number)))
        settled = tuple(replace(h, movers=tuple(settle(ref) for ref in h.movers)) for h in holdings)
        return Plan(tuple(turns), groups, tuple(chains), starts, settled, constant)

    def _holdings(self) -> tuple[list[Holding], float]:
        """The objectives the plan can change, and the worth of the changes that are certain."""
        holdings: list[Holding] = []
        constant = 0.0
        moved = {self.turns[i].unit.id for i in self._stands}
        for objective in self._c.field.objectives:
            place = objective.place
            group = self._c.group(place)
            defender = self._ref(place, Ask("empty")) if place in self._struck else None
            mover_there = any(u.id not in moved for u in self._c.movers_at(place))
            movers: tuple[LinkRef, ...] = ()
            if not mover_there:
                movers = tuple(
                    self._stand_ref(turn, place)
                    for turn, stand in self._stands.items()
                    if place in stand.places
                )
            there = not group.is_empty(group.start)
            holding = Holding(objective, there, defender, mover_there, movers)
            if defender is None and not movers:
                constant += objective_change(objective, mover_there, there)
            else:
                holdings.append(holding)
        return holdings, constant


def objective_change(objective: Objective, mover_there: bool, defender_there: bool) -> float:
    """Worth of an objective gained (or, below 0, lost) when the Movement Phase ends so."""
    if mover_there and not defender_there and objective.held_by is not Side.MOVER:
        return objective.worth
    if defender_there and not mover_there and objective.held_by is Side.MOVER:
        return -objective.worth
    return 0.0
