"""Actions carried out: with dice, one result and the events on the way; or every result at once.

Both ways share every change to the game; what chance makes of units comes from the yardstick's
charts (`evaluation.resolve` all results with their probabilities, `evaluation.rolled` one throw).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evaluation.resolve import attack_outcomes
from planner.game import events
from planner.game.actions import Action, EndPhase, Enter, Fire, Halt, Hold, Overrun
from planner.game.attack import Attack, attack_of
from planner.game.chance import DiceSource
from planner.game.changes import fated, placed, spent
from planner.game.choices import bars
from planner.game.events import Event
from planner.game.hexes import Hex
from planner.game.legality import Reason
from planner.game.moves import cost
from planner.game.play_state import Game, OpenWindow, UnderWay
from planner.game.position import Position, Unit
from planner.game.shots import aimed, chances, declarable, under_fire
from planner.game.thrown import thrown_attack, thrown_shot
from planner.game.turns import after_phase

Outcomes = tuple[tuple[float, Game], ...]


class IllegalActionError(ValueError):
    """An action that is barred as the game stands; ``reasons`` are all that bars it."""

    def __init__(self, action: Action, reasons: Sequence[Reason]) -> None:
        self.action = action
        self.reasons = tuple(reasons)
        super().__init__("; ".join(f"{r.clause.value}: {r.text}" for r in reasons))


def apply(game: Game, action: Action, dice: DiceSource) -> tuple[Game, tuple[Event, ...]]:
    """The game after an action, dice thrown where they are needed, and what happened on the way.

    Raises:
        IllegalActionError: the action is barred.
    """
    _check(game, action)
    log: list[Event] = []
    if isinstance(action, Fire):
        after = _after_shot(game, action, thrown_shot(game, action, dice, log), log)
    elif isinstance(action, Overrun):
        made = attack_of(game.position, action)
        after = _after_attack(game, action, made, thrown_attack(game, action, made, dice, log), log)
    else:
        after = _sure(game, action, log)
    return after, tuple(log)


def outcomes(game: Game, action: Action) -> Outcomes:
    """Every game that an action can lead to, each once, with its probability.

    Where dice are thrown they come in text order of the new statuses; else there is just one.

    Raises:
        IllegalActionError: the action is barred.
    """
    _check(game, action)
    if isinstance(action, Fire):
        return tuple(
            (p, _after_shot(game, action, status, [])) for status, p in chances(game, action)
        )
    if isinstance(action, Overrun):
        made = attack_of(game.position, action)
        struck = [(unit.type.combat, unit.status.name) for unit in made.struck]
        rules = game.position.rules.combat
        return tuple(
            (p, _after_attack(game, action, made, statuses, []))
            for statuses, p in attack_outcomes(rules, made.strength, made.cover, struck)
        )
    return ((1.0, _sure(game, action, [])),)


def _check(game: Game, action: Action) -> None:
    reasons = bars(game, action)
    if reasons:
        raise IllegalActionError(action, reasons)


def _sure(game: Game, action: Enter | Halt | EndPhase | Hold, log: list[Event]) -> Game:
    """The game after an action that needs no dice."""
    if isinstance(action, EndPhase):
        return after_phase(game, log)
    if isinstance(action, Hold):
        return _closed(game, log)
    if isinstance(action, Halt):
        return _halted(game, action, log)
    position = game.position
    unit = position.units[action.unit]
    facing = unit.hex.direction_to(action.hex)
    points = cost(position, action.planned())
    assert facing is not None
    assert points is not None
    log.append(events.Entered(action.unit, action.hex, facing, points))
    after = placed(position, action.unit, action.hex, facing, points)
    route = (*_route(game, unit), action.hex)
    return _opened(replace(game, position=after), UnderWay(unit.id, route, OpenWindow()), log)


def _route(game: Game, unit: Unit) -> tuple[Hex, ...]:
    return (unit.hex,) if game.under_way is None else game.under_way.route


def _halted(game: Game, action: Halt, log: list[Event]) -> Game:
    position = game.position
    unit = position.units[action.unit]
    if action.facing is not None:
        points = cost(position, action.planned())
        assert points is not None
        log.append(events.Turned(unit.id, action.facing, points))
        position = placed(position, unit.id, unit.hex, action.facing, points)
    return _ended(replace(game, position=position), unit.id, log)


def _ended(game: Game, name: str, log: list[Event]) -> Game:
    """The AFV's move is over."""
    unit = game.position.units[name]
    log.append(events.MoveEnded(name, unit.hex))
    after = game.position.with_units(replace(unit, moved=True))
    return replace(game, position=after, under_way=None)


# -- windows -------------------------------------------------------------------------------------


def _opened(game: Game, under_way: UnderWay, log: list[Event]) -> Game:
    """A window opens; one without a shot is passed over."""
    assert under_way.window is not None
    opened = replace(game, under_way=under_way)
    if next(declarable(opened), None) is None:
        return _after_window(opened, log)
    hex_ = under_way.route[-1]
    log.append(events.WindowOpened(under_way.unit, hex_, under_way.window.target))
    return opened


def _closed(game: Game, log: list[Event]) -> Game:
    """The window closes."""
    assert game.under_way is not None
    log.append(events.WindowClosed(game.under_way.unit))
    return _after_window(game, log)


def _after_window(game: Game, log: list[Event]) -> Game:
    """The AFV goes on, unless it can't or has made its overrun (OVR-15)."""
    unit, window = under_fire(game)
    if unit.status.removed or not unit.status.may_move or window.target is not None:
        return _ended(game, unit.id, log)
    assert game.under_way is not None
    return replace(game, under_way=replace(game.under_way, window=None))


def _after_shot(game: Game, action: Fire, status: str, log: list[Event]) -> Game:
    """The game after a shot that left the AFV in a status: markers are put, the window goes on or
    closes."""
    position = game.position
    afv, window = under_fire(game)
    assert game.under_way is not None
    made = aimed(game, action)
    firer = replace(position.units[action.firer], fired=True)
    if made.once:
        firer = spent(firer, [action.weapon])
        log.append(events.Spent(firer.id, action.weapon))
    changed = [firer]
    if action.leader is not None:
        changed.append(replace(position.units[action.leader], fired=True))
    if status != afv.status.name:
        changed += _told(fated(position, afv, status), position, log)
    if made.final:
        leaders = window.final_leaders | ({action.leader} if action.leader is not None else set())
        window = OpenWindow(window.target, window.final_made | {action.firer}, leaders)
    after = replace(
        game,
        position=position.with_units(*changed),
        under_way=replace(game.under_way, window=window),
    )
    if next(declarable(after), None) is None:
        return _closed(after, log)
    return after


def _told(changed: tuple[Unit, ...], position: Position, log: list[Event]) -> tuple[Unit, ...]:
    """The same units; that carried ones share the first one's fate is told."""
    for unit in changed[1:]:
        before = position.units[unit.id].status.name
        log.append(events.Resulted(unit.id, None, before, unit.status.name))
    return changed


# -- the overrun ---------------------------------------------------------------------------------


def _after_attack(
    game: Game, action: Overrun, made: Attack, statuses: Sequence[str], log: list[Event]
) -> Game:
    """The game after an attack that left the units struck in these statuses: the AFV is in the exit
    hex, and the last window opens (OVR-10)."""
    position = game.position
    unit = position.units[action.unit]
    points = cost(position, action.planned())
    facing = unit.hex.direction_to(action.target)
    assert points is not None
    assert facing is not None
    route = (*_route(game, unit), action.target, action.exit)
    changed: list[Unit] = []
    for struck, status in zip(made.struck, statuses, strict=True):
        if status != struck.status.name:
            changed += _told(fated(position, struck, status), position, log)
    position = position.with_units(*changed)
    for owner, weapon in made.spends:
        log.append(events.Spent(owner.id, weapon.name))
        position = position.with_units(spent(position.units[owner.id], [weapon.name]))
    log.append(events.Entered(unit.id, action.exit, facing, points))
    position = placed(position, unit.id, action.exit, facing, points)
    under_way = UnderWay(unit.id, route, OpenWindow(action.target))
    return _opened(replace(game, position=position), under_way, log)
