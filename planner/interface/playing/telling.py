"""What happens in a game, in words, with the odds that applied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from evaluation.odds import read_table
from evaluation.resolve import attack_outcomes
from evaluation.rules import CombatRules
from planner.game import events
from planner.game.actions import Action, Fire, Overrun, format_action
from planner.game.attack import attack_of
from planner.game.chance import Purpose, Roll
from planner.game.moves import points_text
from planner.game.notation import format_move
from planner.game.play_state import Deciding, Game
from planner.game.position import Position, Unit
from planner.game.score import score
from planner.game.shots import chances
from planner.interface.screen import held
from planner.interface.words import (
    listed,
    result_text,
    rolls_text,
    side_name,
    signed,
    statuses_text,
)
from planner.play.steps import Pending, Step
from planner.search.lines import lines


def step_lines(step: Step) -> Iterator[str]:
    """A decision and what came of it."""
    yield from decision_lines(step.before, step)
    yield from event_lines(step)


def decision_lines(game: Game, taken: Step | Pending) -> Iterator[str]:
    """A decision before anything comes of it, and its odds."""
    position = game.position
    only = " (nothing else is legal)" if taken.forced else ""
    yield f"{side_name(position, taken.side)}: {format_action(position, taken.action)}{only}"
    for odds in odds_lines(game, taken.action):
        yield f"  odds: {odds}"


def event_lines(step: Step) -> Iterator[str]:
    """What came of a decision."""
    for event in step.events:
        text = _event_text(step.before, event)
        if text:
            yield f"  {text}"


def why_text(action: str, reason: str) -> str:
    """The reason for an action, to be said behind it: bots begin with the action itself."""
    return reason.removeprefix(action).strip() or reason


def odds_lines(game: Game, action: Action) -> Iterator[str]:
    """The chances of what an action that dice decide makes of each unit; of others nothing."""
    position = game.position
    combat = position.rules.combat
    if isinstance(action, Fire) and game.under_way is not None:
        afv = position.units[game.under_way.unit]
        yield f"{afv.id} {statuses_text(dict(chances(game, action)), combat.statuses[afv.kind])}"
    elif isinstance(action, Overrun):
        made = attack_of(position, action)
        struck = [(unit.type.combat, unit.status.name) for unit in made.struck]
        joint = attack_outcomes(combat, made.strength, made.cover, struck)
        for index, unit in enumerate(made.struck):
            found: dict[str, float] = {}
            for statuses, p in joint:
                found[statuses[index]] = found.get(statuses[index], 0.0) + p
            yield f"{unit.id} {statuses_text(found, combat.statuses[unit.kind])}"


def _event_text(game: Game, event: events.Event) -> str:
    """One event; nothing for what another line tells."""
    position = game.position
    name, direction = position.board.name, position.board.direction_name
    match event:
        case events.Entered():
            points = points_text(event.points)
            where = f"{name(event.hex)}, facing {direction(event.facing)}"
            return f"{event.unit} enters {where} ({points} MP)"
        case events.Turned():
            turned = f"{event.unit} turns to {direction(event.facing)}"
            return f"{turned} ({points_text(event.points)} MP)"
        case events.Fired():
            final = "Final Opportunity Fire: " if event.final else ""
            helped = f" with {event.leader}" if event.leader else ""
            shot = f"{event.firer} fires {event.weapon} at {event.unit}{helped}"
            return f"{final}{shot}: strength {event.strength}, {event.modifier:+d} to the roll"
        case events.Attacked():
            struck = listed(event.struck)
            where = f"{event.unit} overruns {struck} in {name(event.target)}"
            return f"{where}: strength {event.strength}, {event.cover:+d} to the roll"
        case events.Rolled():
            return rolled_text(event.roll, event.total)
        case events.Resulted():
            return _result_text(event)
        case events.Spent():
            return f"{event.unit}:{event.weapon} is used up"
        case events.MoveEnded():
            return f"{event.unit} ends its move in {name(event.hex)}"
        case events.ObjectiveTaken():
            return f"objective {name(event.hex)} is taken by {side_name(position, event.side)}"
        case events.PhaseEnded():
            return f"the Movement Phase of {side_name(position, event.side)} ends"
        case events.Recovered():
            return f"{event.unit} recovers: {event.before} -> {event.after}"
        case events.TurnEnded():
            return f"turn {event.turn} ends; Fire markers come off"
        case events.GameEnded():
            return "the game is over"
    return ""  # windows: what is fired or held in them tells of them


def rolled_text(roll: Roll, total: int) -> str:
    """A throw and what it is read as."""
    if roll.purpose is Purpose.CHECK:
        passed = roll.rating is not None and total <= roll.rating
        return f"{roll.unit} checks: {total}, {'passed' if passed else 'failed'} ({_needed(roll)})"
    modified = f" {roll.modifier:+d} = {total + roll.modifier}" if roll.modifier else ""
    what = f"the shot of {roll.unit}" if roll.purpose is Purpose.SHOT else "the attack"
    against = f" on {roll.unit}" if roll.purpose is Purpose.ATTACK and roll.unit else ""
    return f"{what}{against} rolls {total}{modified}"


def _needed(roll: Roll) -> str:
    return f"{roll.rating} or less passes"


def _result_text(event: events.Resulted) -> str:
    change = (
        f"{event.unit} stays {event.before}"
        if event.before == event.after
        else f"{event.unit}: {event.before} -> {event.after}"
    )
    if event.result is None:
        return f"{change}, as its carrier's fate has it"
    return f"{result_text(event.result)}: {change}"


def roll_lines(rules: CombatRules, roll: Roll) -> Iterator[str]:
    """What is to be rolled for, and what is needed: for a player who throws his own dice."""
    dice = f"{rules.dice.count}d{rules.dice.sides}"
    if roll.purpose is Purpose.CHECK:
        yield f"Roll {dice}: the check of {roll.unit}; {_needed(roll)}."
        return
    if roll.purpose is Purpose.SHOT:
        table, what = rules.at, f"the shot of {roll.unit} at {roll.afv} in {roll.hex}"
    else:
        against = f"{roll.unit} in {roll.hex}" if roll.unit else roll.hex
        table, what = rules.ap, f"the overrun of {roll.afv} on {against}"
    assert roll.column is not None
    yield f"Roll {dice}: {what}; column {roll.column}, {roll.modifier:+d} to the roll."
    reading = read_table(table, roll.column, roll.modifier, rules.dice)
    yield "  needed on the dice: " + "; ".join(
        f"{result_text(found.result)} {rolls_text(found.rolls, rules.dice)}"
        for found in reading.results
    )


def overrun_lines(game: Game) -> Iterator[str]:
    """Every overrun that the side to move could make from where its AFVs stand now, if nothing
    stops it on the way: the cheapest move of each line, and whom it strikes."""
    position = game.position
    under_way = game.under_way
    found = [
        line
        for line in lines(position, None if under_way is None else under_way.unit)
        # In the last window the overrun is made, and there is no other.
        if under_way is None or under_way.window is None or under_way.window.target is None
    ]
    if not found:
        yield f"no overrun is legal for {side_name(position, position.to_move)}"
    for line in found:
        cost = points_text(line.movement_points)
        left = points_text(position.units[line.unit].movement_left)
        struck = [u.id for u in position.standing.get(line.target, ()) if u.kind.is_struck]
        move = held(format_move(position, line.move))
        yield f"  {move}   {held(f'{cost} of {left} MP')}   strikes {listed(struck)}"


def situation_lines(game: Game) -> Iterator[str]:
    """Whose decision it is, and about what."""
    position = game.position
    turn = f"turn {position.turn} of {position.turns}"
    mover = side_name(position, position.to_move)
    if game.under_way is None or game.deciding is Deciding.NOBODY:
        yield f"{turn}: {mover} moves"
        return
    unit = position.units[game.under_way.unit]
    if game.deciding is Deciding.MOVER:
        yield f"{turn}: {mover} moves {unit_text(position, unit)}"
        return
    defender = side_name(position, position.defender)
    window = game.under_way.window
    last = " (the last window of its overrun)" if window and window.target is not None else ""
    yield f"{turn}: {defender} may fire at {unit_text(position, unit)}{last}"


def unit_text(position: Position, unit: Unit) -> str:
    """A unit in short: id, type, where, status, markers."""
    where = position.board.name(unit.hex)
    if unit.facing is not None:
        where += "/" + position.board.direction_name(unit.facing)
    if unit.carrier is not None:
        where = f"on {unit.carrier}"
    parts = [where, unit.status.name]
    if unit.fired:
        parts.append("Fire marker")
    if unit.moved:
        parts.append("has moved")
    elif unit.side == position.to_move and unit.kind.value == "afv":
        parts.append(f"{points_text(unit.movement_left)} MP left")
    parts += [f"{weapon} used up" for weapon in sorted(unit.spent)]
    return f"{unit.id} ({unit.type.name}; {', '.join(parts)})"


def score_text(game: Game) -> str:
    """What each side has of the game so far."""
    return _scores(game.position, score(game))


def _scores(position: Position, found: Mapping[str, float]) -> str:
    sides: Sequence[str] = [side.id for side in position.sides]
    each = [f"{side_name(position, side)} {signed(found[side])}" for side in sides]
    return f"score: {', '.join(each)}"
