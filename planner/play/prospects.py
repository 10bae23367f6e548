"""What standing somewhere promises for the turns to come: an estimate, by which AFVs without an
overrun worth making are moved.

An *aim* is an overrun that would gain if the AFV stood in its approach hex at the start of its next
Movement Phase (its exact value from there), or an objective that its side does not hold. The
promise of a place is that of the best aim less what the way there costs: `DELAY` of the greatest
aim for a turn's movement points, and in each hex entered the greatest expected loss that one shot
can inflict there. The enemy is taken to stand as it stands now, recovered and with no Fire markers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import heappop, heappush

from evaluation.backward import TooManyStatesError
from evaluation.resolve import shot_outcomes, shot_strength
from evaluation.script import Enter, Move, Strike
from evaluation.value import Evaluator
from evaluation.worth import Losses
from planner.game.hexes import DIRECTIONS, Direction, Hex
from planner.game.play_state import new_game
from planner.game.position import Position, Unit
from planner.game.turns import after_phase
from planner.game.windows import cover, window
from planner.search.effort import Poll, nothing
from planner.search.exposure import field
from planner.search.graph import EdgeKind, MovementGraph, movement_graph

DELAY = 0.15
"""Share of the greatest aim that a turn's march costs: sooner is better than later."""


@dataclass(frozen=True, slots=True)
class Aim:
    """Something to go for: worth ``gain`` once the AFV is in ``node``. ``target`` is the hex to be
    overrun, or the ``objective`` to be held."""

    node: int
    gain: float
    target: Hex | None = None
    objective: Hex | None = None


@dataclass(frozen=True, slots=True)
class Promise:
    """What a place promises, and the aim that it promises it for."""

    value: float
    aim: Aim


def next_phase(position: Position) -> Position | None:
    """The position at the start of the side's next Movement Phase if nobody did anything till then;
    None when there is none."""
    game = after_phase(new_game(position), [])
    while not game.over and game.position.to_move != position.to_move:
        game = after_phase(game, [])
    return None if game.over else game.position


class Danger:
    """What fire may cost one AFV on its way: for each hex entered with a facing, the greatest
    expected loss of worth that one shot of the window inflicts. An estimate of the way's price: it
    minds neither that a unit fires once nor that the defender waits for a better shot."""

    def __init__(self, position: Position, unit: Unit, own_loss: float) -> None:
        self._position = position
        self._type = unit.type.combat
        known = field(position)
        losses, rules = Losses(known), known.rules
        combatant = known.units[unit.id]
        here = losses.of(combatant, rules.status(unit.kind, unit.status.name))
        self._status = unit.status.name
        self._lost = {
            name: own_loss * (losses.of(combatant, status) - here)
            for name, status in rules.statuses[unit.kind].items()
        }
        self._shots: dict[tuple[int, int], float] = {}
        self._found: dict[tuple[Hex, Direction], float] = {}

    def entering(self, hex_: Hex, facing: Direction) -> float:
        """The danger of entering a hex with that facing, at least 0."""
        found = self._found.get((hex_, facing))
        if found is None:
            step = window(self._position, hex_, facing, None)
            found = max((self._shot(step, i) for i in range(len(step.shots))), default=0.0)
            self._found[hex_, facing] = found = max(0.0, found)
        return found

    def _shot(self, step: Enter, index: int) -> float:
        shot = step.shots[index]
        firer = self._position.units[shot.firer]
        if not firer.status.may_fire:
            return 0.0
        weapon = firer.type.combat.weapon(shot.weapon)
        strength = shot_strength(weapon, shot.distance, self._type, shot.aspect)
        if strength is None:
            return 0.0
        key = (strength, step.at_cover)
        found = self._shots.get(key)
        if found is None:
            rules = self._position.rules.combat
            results = shot_outcomes(rules, self._type, self._status, strength, step.at_cover)
            found = self._shots[key] = sum(p * self._lost[status] for status, p in results)
        return found


class Prospects:
    """The promise of every place on the map to one AFV, for its next Movement Phase and those
    after, of which ``turns_left`` are to come. ``position`` is that of `next_phase`."""

    def __init__(
        self,
        position: Position,
        unit: Unit,
        own_loss: float,
        turns_left: int,
        poll: Poll = nothing,
    ) -> None:
        self._position = position
        self._unit = position.units[unit.id]
        self._own_loss = own_loss
        self._poll = poll
        self.movement: MovementGraph = movement_graph(
            position, unit.type.movement_class, unit.side, poll
        )
        self._danger = Danger(position, self._unit, own_loss)
        self._allowance = max(1, self.movement.cutoff(unit.type.movement))
        self.aims = tuple(sorted(self._aims(), key=lambda aim: (-aim.gain, aim.node)))
        dearest = self.aims[0].gain if self.aims else 0.0
        self._per_weight = DELAY * dearest / self._allowance
        self._reach = self._allowance * turns_left
        self._promises: Mapping[int, Promise] = self._spread()

    def of(self, node: int) -> Promise | None:
        """What standing in a node promises; None where no aim is within reach."""
        return self._promises.get(node)

    def _aims(self) -> Iterator[Aim]:
        codec = self.movement.codec
        for objective in self._position.objectives:
            if objective.held_by == self._unit.side or objective.worth <= 0.0:
                continue
            if not self._position.enemies_in(objective.hex):
                for facing in DIRECTIONS:
                    node = codec.node(objective.hex, facing)
                    yield Aim(node, objective.worth, objective=objective.hex)
        known = field(self._position)
        evaluator = Evaluator(known, self._own_loss)
        staying = evaluator.value([])
        for before, after, attributes in self.movement.graph.edges(data=True):
            if attributes["kind"] is not EdgeKind.OVERRUN or self._unit.towing is not None:
                continue
            self._poll()
            facing = codec.read(before).facing
            beyond, target = codec.hex_of(after), attributes["target"]
            out = window(self._position, beyond, facing, target)
            strike = Strike(target, cover(self._position, target))
            # Others may have to make room first, so that is not asked here: it ends where it is.
            back = replace(out, place=self._unit.hex)
            try:
                gain = evaluator.value([Move(self._unit.id, (strike, back))]) - staying
            except TooManyStatesError:
                continue
            if gain > 0.0:
                yield Aim(before, gain, target=target)

    def _spread(self) -> dict[int, Promise]:
        """The promises, carried from the aims back along all ways to them, the greatest first."""
        pred, codec = self.movement.graph.pred, self.movement.codec
        heap = [(-aim.gain, number, aim.node, 0) for number, aim in enumerate(self.aims)]
        heap.sort()
        found: dict[int, Promise] = {}
        while heap:
            lost, number, node, weight = heappop(heap)
            if node in found:
                continue
            if len(found) % 256 == 0:
                self._poll()
            found[node] = Promise(-lost, self.aims[number])
            entered = self._danger.entering(codec.hex_of(node), codec.read(node).facing)
            for before, attributes in pred[node].items():
                kind = attributes["kind"]
                if before in found or kind is EdgeKind.OVERRUN:
                    continue
                further = weight + attributes["weight"]
                if further > self._reach:
                    continue
                price = self._per_weight * attributes["weight"]
                if kind is EdgeKind.ENTER:
                    price += entered
                if lost + price < 0.0:
                    heappush(heap, (lost + price, number, before, further))
        return found
