"""An exact evaluation on the screen: the ledger of every move, and what the whole comes to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from evaluation.plan import Defence
from evaluation.script import Strike
from evaluation.value import Evaluation, StageTrace
from planner.game.legality import Reason, blocked
from planner.game.moves import PlannedMove, cost, final_hex, points_text
from planner.game.notation import format_move
from planner.game.position import Position, Unit
from planner.interface.forms import objectives_form, place_name, reason_text
from planner.interface.payoff import bars, chance_below, mean, quantile_texts
from planner.interface.screen import say, say_move, show_table
from planner.interface.words import (
    listed,
    objective_texts,
    percent,
    side_name,
    signed,
    statuses_text,
)

_DEFENCE_WORDS = {
    Defence.BEST: "whatever the other side does",
    Defence.FIRE_AT_ONCE: "if {} always fires at once",
    Defence.HOLD: "if {} holds its fire but for Final Opportunity Fire",
}
_CERTAIN = 1e-12
_NOT_TOLD = "what comes of it is not told: that takes too many states"


def show_evaluation(
    position: Position, moves: Sequence[PlannedMove], found: Evaluation, defence: Defence
) -> None:
    """Show an evaluation of moves."""
    defender = _DEFENCE_WORDS[defence].format(side_name(position, position.defender))
    mover = side_name(position, position.to_move)
    if found.exact:
        say(f"Worth {signed(found.value, 6)} to {mover}, {defender} (exact).", "bold")
    else:
        ends = f"between {signed(found.value, 6)} and {signed(found.value_high, 6)}"
        say(f"Worth {ends} to {mover}, {defender}.", "bold")
        say("Both ends are certain; the value itself takes too many states.", "yellow")
    for number, move in enumerate(moves):
        say()
        _show_move(position, moves, found, number, move)
    if any(found.stages):
        say()
        _show_meanings()
    say()
    _show_outcomes(position, found)
    say()
    _show_payoff(found)


def _show_move(
    position: Position,
    moves: Sequence[PlannedMove],
    found: Evaluation,
    number: int,
    move: PlannedMove,
) -> None:
    points = cost(position, move)
    left = points_text(position.units[move.unit].movement_left)
    spent = "" if move.stays or points is None else f"{points_text(points)} of {left} MP, "
    made = found.made[number]
    said = _NOT_TOLD if made is None else f"made {percent(made)}"
    if made is not None and made <= _CERTAIN:
        said = "certainly skipped"
    say_move(f"{number + 1}. ", format_move(position, move), f"   ({spent}{said})", "bold")
    if made is not None and made <= _CERTAIN:
        for reason in why_skipped(position, moves, found, number):
            say(f"   {reason_text(position, reason)}")
        return
    if found.stages[number]:
        show_table(
            ["hex", "", "reached", "defender's fire", "AFV then", "units struck then"],
            list(_stages(position, found, number)),
            right=[2],
            folding=[3, 4, 5],
            indent=3,
        )


def _show_meanings() -> None:
    for line in (
        "made: chance that the move can be made when its turn comes; else it is skipped.",
        "reached: chance that the AFV gets there still moving; all other figures of the row are "
        "given that.",
        "defender's fire: chance that the shot is made there; AFV then, units struck then: "
        "statuses when the window or overrun is over.",
    ):
        say(line, "dim")


def _stages(position: Position, found: Evaluation, number: int) -> Iterator[list[str]]:
    steps = found.moves[number].steps
    afv = position.units[found.moves[number].unit]
    for index, (step, stage) in enumerate(zip(steps, found.stages[number], strict=True)):
        if isinstance(step, Strike):
            what = "overrun"
        elif index and isinstance(steps[index - 1], Strike):
            what = "last window"
        else:
            what = "window"
        yield [
            place_name(position, stage.place),
            what,
            percent(stage.reached),
            "\n".join(_shots(stage)) if what != "overrun" else "",
            _statuses(position, afv, stage.afv) if what != "overrun" else "",
            "\n".join(
                f"{unit}: {_statuses(position, position.units[unit], chances)}"
                for unit, chances in stage.struck.items()
            ),
        ]


def _shots(stage: StageTrace) -> Iterator[str]:
    for (unit, weapon, leader), probability in stage.shots:
        helped = f" with {leader}" if leader else ""
        yield f"{unit} {weapon}{helped} {percent(probability)}"


def _statuses(position: Position, unit: Unit, chances: Mapping[str, float]) -> str:
    return statuses_text(chances, position.rules.combat.statuses[unit.kind])


def why_skipped(
    position: Position, moves: Sequence[PlannedMove], found: Evaluation, number: int
) -> tuple[Reason, ...]:
    """The clauses for which a move is certainly not made when its turn comes: as the units stand
    now or, if nothing is in its way yet, with the AFVs before it where they certainly end."""
    now = blocked(position, moves[number])
    if now:
        return now
    units = dict(position.units)
    for before, made in zip(moves[:number], found.made, strict=False):
        if made is not None and made >= 1 - _CERTAIN:
            mover = units[before.unit]
            units[before.unit] = replace(mover, hex=final_hex(mover, before))
    return blocked(replace(position, units=units), moves[number])


def _show_outcomes(position: Position, found: Evaluation) -> None:
    say("At the end of the Movement Phase")
    rows, untold = [], list[str]()
    for side in (position.to_move, position.defender):
        for unit in position.units.values():
            chances = found.outcomes.get(unit.id)
            if unit.side != side:
                continue
            if chances is None:
                untold.append(unit.id)
            elif chances.get(unit.status.name, 0.0) < 1 - _CERTAIN:
                name = side_name(position, side)
                rows.append([unit.id, unit.type.name, name, _statuses(position, unit, chances)])
    if rows:
        show_table(["unit", "type", "side", "status"], rows, folding=[3], indent=3)
    if untold:
        say(f"   What becomes of {listed(untold)} is not told: that takes too many states.")
    who = "others" if rows or untold else "units"
    say(f"   All {who} stay as they are.")
    for text in objective_texts(objectives_form(position, found)):
        say(f"   {text}")


def _show_payoff(found: Evaluation) -> None:
    payoff = found.payoff
    if not payoff:
        say("Payoff: its distribution is not told: that takes too many states.")
        return
    below = percent(chance_below(payoff, 0.0))
    say(f"Payoff: {signed(mean(payoff))} on average, below zero with a chance of {below}")
    if len(payoff) == 1:
        return
    for line in quantile_texts(payoff):
        say(f"   {line}")
    show_table(
        ["payoff", "chance", ""],
        [[label, percent(p), bar] for label, p, bar in bars(payoff)],
        right=[0, 1],
        folding=[2],
        indent=3,
    )
