"""Answers as JSON, key by key as the formats page has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from evaluation.script import Place
from evaluation.value import Evaluation, StageTrace
from planner.game.hexes import Hex
from planner.game.legality import Reason
from planner.game.notation import format_move
from planner.game.position import Position
from planner.interface.printing import points_form
from planner.search.lines import Line
from planner.search.why import Verdict

if TYPE_CHECKING:  # heavy, and only some commands need it
    from planner.search.candidates import Kept

Form = dict[str, Any]


def line_form(position: Position, line: Line, kept: Kept | None = None) -> Form:
    """An overrun line, and how many candidate moves of how many moves are on it."""
    board = position.board
    form: Form = {
        "unit": line.unit,
        "target": board.name(line.target),
        "direction": board.direction_name(line.direction),
        "exit": board.name(line.exit),
        "movement_points": points_form(line.movement_points),
        "move": format_move(position, line.move),
    }
    if kept is not None:
        key = (line.unit, line.target, line.direction)
        form["candidates"] = kept.by_line.get(key, 0)
        form["moves"] = None if kept.of_by_line is None else kept.of_by_line[key]
    return form


def kept_form(kept: Kept) -> Form:
    """How many candidate moves of how many moves (None: too many to count)."""
    return {"candidates": kept.kept, "moves": kept.of}


def reason_form(position: Position, reason: Reason) -> Form:
    """A clause broken: ``hex`` only where the place is one on the map."""
    form = {"clause": reason.clause.value, "text": reason.text}
    if reason.hex is not None and reason.hex in position.board:
        form["hex"] = position.board.name(reason.hex)
    return form


def reason_text(position: Position, reason: Reason) -> str:
    """A clause broken in words, with the place where it has one that the words don't name."""
    text = f"{reason.clause.value}: {reason.text}"
    if reason.hex is not None and reason.hex in position.board:
        name = position.board.name(reason.hex)
        if name not in reason.text:
            text += f" (in {name})"
    return text


def verdict_form(position: Position, verdict: Verdict) -> Form:
    """Whether an overrun is legal."""
    form: Form = {
        "legal": verdict.legal,
        "reasons": [reason_form(position, reason) for reason in verdict.reasons],
    }
    if verdict.move is not None:
        form["move"] = format_move(position, verdict.move)
    return form


def chance(probability: float) -> float:
    """A probability without the last digit's rounding that may lie outside 0 to 1."""
    return min(1.0, max(0.0, probability))


def outcomes_form(
    position: Position, outcomes: Mapping[str, Mapping[str, float]], units: Iterable[str]
) -> Form:
    """Chances of units' final statuses: units in text order, statuses as the rules list them."""
    return {
        unit: {
            status: chance(outcomes[unit][status])
            for status in position.rules.combat.statuses[position.units[unit].kind]
            if status in outcomes[unit]
        }
        for unit in sorted(units)
    }


def evaluation_form(position: Position, found: Evaluation) -> Form:
    """The value of moves, and what they lead to. What takes too many states to tell is null, and
    ``left_out`` lists the keys in which that is so."""
    told: Form = {
        "outcomes": told_outcomes_form(position, found),
        "payoff": [[payoff, p] for payoff, p in found.payoff] or None,
        "objectives": objectives_form(position, found),
        "made": [None if made is None else chance(made) for made in found.made],
        "stages": [
            None if made is None else [_stage_form(position, stage) for stage in stages]
            for made, stages in zip(found.made, found.stages, strict=True)
        ],
    }
    return {
        "value": found.value,
        "exact": found.exact,
        "value_high": found.value_high,
        "moves": [move.label for move in found.moves],
        **told,
        "left_out": left_out(found, told),
    }


def told_outcomes_form(position: Position, found: Evaluation) -> Form:
    """Chances of all units' final statuses; None for a unit of which they are not told."""
    form = outcomes_form(position, found.outcomes, found.outcomes)
    return {unit: form.get(unit) for unit in sorted(position.units)}


def left_out(found: Evaluation, told: Form) -> list[str]:
    """The keys in which something is left out."""
    partly = {
        "outcomes": None in told["outcomes"].values(),
        "payoff": not found.payoff,
        "objectives": bool(found.untold),
        "made": None in found.made,
        "stages": None in found.made,
    }
    return [key for key, is_so in partly.items() if is_so]


def objectives_form(position: Position, found: Evaluation) -> Form:
    """What becomes of each objective by hex name: its worth, and the chances that the moving side
    gains it and that it loses it (None: not told)."""
    form: Form = {}
    for objective in position.objectives:
        gained, lost = found.objectives.get(objective.hex, (0.0, 0.0))
        told = objective.hex not in found.untold
        form[position.board.name(objective.hex)] = {
            "worth": objective.worth,
            "gained": chance(gained) if told else None,
            "lost": chance(lost) if told else None,
        }
    return form


def place_name(position: Position, place: Place) -> str:
    """What the place of a script is called: in a position's scripts places are hexes."""
    assert isinstance(place, Hex)
    return position.board.name(place)


def _stage_form(position: Position, stage: StageTrace) -> Form:
    return {
        "hex": place_name(position, stage.place),
        "reached": chance(stage.reached),
        "shots": [
            {"unit": unit, "weapon": weapon, "leader": leader or None, "probability": chance(p)}
            for (unit, weapon, leader), p in stage.shots
        ],
        "afv": {status: chance(p) for status, p in stage.afv.items()},
        "struck": outcomes_form(position, stage.struck, stage.struck),
    }
