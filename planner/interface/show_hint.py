"""A hint, as JSON and on the screen."""

from __future__ import annotations

from collections.abc import Iterator

from evaluation.value import Evaluation
from planner.game.moves import PlannedMove, cost, points_text
from planner.game.notation import format_move
from planner.game.position import Position, Unit
from planner.interface.forms import (
    Form,
    chance,
    kept_form,
    objectives_form,
    told_outcomes_form,
)
from planner.interface.printing import points_form
from planner.interface.screen import say, say_move, show_table
from planner.interface.words import (
    chance_removed,
    in_order,
    kept_text,
    listed,
    many,
    objective_texts,
    percent,
    side_name,
    signed,
    statuses_text,
)
from planner.play.hint import Hint
from planner.search.certify import Follow
from planner.search.plan import RankedPlan

STOP = "stop"
NOT_THE_BEST = "only if the defender does not reply best"
MOST_BRANCHES = 6
"""So many cases are shown of what follows; --json has them all."""


def hint_form(position: Position, found: Hint) -> Form:
    """A hint as JSON."""
    move = found.next.move
    kept = found.result.kept
    return {
        "next": {
            "move": STOP if move is None else format_move(position, move),
            "value": found.next.low,
            "exact": found.next.exact,
            "value_high": found.next.high,
            "then": [_follow_form(position, follow) for follow in found.next.then],
        },
        "plans": [
            _plan_form(position, ranked, evaluation)
            for ranked, evaluation in zip(found.plans, found.evaluations, strict=True)
        ],
        "staying": found.result.staying,
        "lines": found.result.lines,
        "candidates": found.result.candidates,
        "finished": found.result.finished,
        "seconds": found.result.seconds,
        "work": found.result.work,
        **({} if kept is None else {"kept": kept_form(kept)}),
    }


def _follow_form(position: Position, follow: Follow) -> Form:
    return {
        "if": list(follow.conditions),
        "probability": chance(follow.probability),
        "move": STOP if follow.move is None else format_move(position, follow.move),
        "value": follow.value,
    }


def _plan_form(position: Position, ranked: RankedPlan, evaluation: Evaluation) -> Form:
    return {
        "moves": [format_move(position, move) for move in ranked.moves],
        "value": ranked.value,
        "bound": ranked.bound,
        "status": ranked.status,
        "exact": ranked.exact,
        "value_high": ranked.value_high,
        "proof_over": ranked.proof_over,
        "proved": ranked.proved,
        "units": told_outcomes_form(position, evaluation),
        "movement_points": [points_form(cost(position, move) or 0) for move in ranked.moves],
        "made": [None if made is None else chance(made) for made in evaluation.made],
        "objectives": objectives_form(position, evaluation),
    }


def show_hint(position: Position, found: Hint, longer: str = "--seconds or --work") -> None:
    """Show a hint; ``longer``: what the reader types to have it search for more time."""
    turn = f"turn {position.turn} of {position.turns}"
    title = (position.title or "untitled", f"{side_name(position, position.to_move)} to move", turn)
    say(" · ".join((*title, f"{position.rules.name} rules")), "bold")
    _show_next(position, found)
    for number, (ranked, evaluation) in enumerate(
        zip(found.plans, found.evaluations, strict=True), start=1
    ):
        say()
        _show_plan(position, found, ranked, evaluation, number)
    if any(ranked.moves for ranked in found.plans):
        say()
        _show_meanings()
    best, result = found.plans[0], found.result
    if best.proof_over is not None:
        what = "proof that this plan is best" if best.status == "optimal" else "bound on every plan"
        say(f"The {what} is over {best.proof_over}; a simple path enters no hex twice.", "dim")
    say()
    looked = f"{many(result.candidates, 'move')} on {many(result.lines, 'overrun line')}"
    if result.lines:
        looked += ", those included that an earlier move makes possible"
    valued = f"valued {many(result.work, 'plan')} in {result.seconds:.1f} s"
    say(f"Looked at {looked}, {valued}.", "dim")
    if result.kept is not None:
        say(kept_text(result.kept), "dim")
    if not result.finished:
        said = f"The search was stopped after {result.seconds:.1f} s, before its end:"
        say(f"{said} more time may find better ({longer}).", "yellow")
    elif best.status == "feasible":
        say(
            "The search ended by itself: a proof is out of its reach, and more time no help.", "dim"
        )


def _show_next(position: Position, found: Hint) -> None:
    move = found.next.move
    if move is None:
        said = "nothing better than staying was found before the search ended"
        if found.result.finished and found.result.lines == 0:
            said = "no overrun is legal"
        elif found.next.exact:
            said = "no move is worth making (proved)"
        say(f"Do now:  stop: {said}", "bold green")
        return
    if not found.next.exact:
        _say_next(position, move, "the first move of the best plan found")
        return
    worth = f"the position is worth {signed(found.next.low)} to you, exactly"
    _say_next(position, move, worth)
    follows = found.next.then
    for follow in follows[:MOST_BRANCHES]:
        _say_follow(position, follow)
    more = len(follows) - MOST_BRANCHES
    if more > 0:
        say(f"   … and {many(more, 'rarer case')} (--json has them all)")
    if any(follow.move is not None for follow in follows):
        say("   and so on: ask again when you have seen what came of it", "dim")


def _say_next(position: Position, move: PlannedMove, why: str) -> None:
    say_move("Do now:  ", format_move(position, move), f"   {why}", "bold green")


def _say_follow(position: Position, follow: Follow) -> None:
    what = "stop" if follow.move is None else format_move(position, follow.move)
    if not follow.conditions:
        say_move("   then  ", what)
        return
    how_often = percent(follow.probability) if follow.probability > 0 else NOT_THE_BEST
    # "B1 out" is what a condition says: the unit, and what is so of it.
    seen = " and ".join(text.replace(" ", " is ", 1) for text in follow.conditions)
    say_move(f"   then, if {seen} ({how_often}):  ", what)


def _show_plan(
    position: Position,
    found: Hint,
    ranked: RankedPlan,
    evaluation: Evaluation,
    number: int,
) -> None:
    name = "Best fixed plan" if number == 1 else f"Plan {number}"
    compared = "" if number > 1 else f"  (staying: {signed(found.result.staying)})"
    say(f"{name}: {signed(ranked.value)}, {_how_well_known(ranked, number)}{compared}", "bold")
    if ranked.moves:
        show_table(
            ["", "move", "MP", "made", "lose it", "its other statuses", "target units"],
            list(_rows(position, ranked, evaluation)),
            right=[0, 2, 3, 4],
            folding=[5, 6],
            indent=2,
            move=1,
        )
    listed_moves = {move.unit for move in ranked.moves}
    staying = [unit.id for unit in position.movers() if unit.id not in listed_moves]
    if staying:
        say(f"  {listed(staying)} {'stays' if len(staying) == 1 else 'stay'}.")
    untold = [name for name in sorted(position.units) if name not in evaluation.outcomes]
    if untold:
        say(f"  What becomes of {listed(untold)} is not told: that takes too many states.")
    for text in objective_texts(objectives_form(position, evaluation)):
        say(f"  {text}")


def _how_well_known(ranked: RankedPlan, number: int) -> str:
    """What is proved of a plan that stands in that place of the list."""
    if ranked.status == "optimal":
        return "proved best" if number == 1 else "proved as good as the best"
    if ranked.proved:
        return "proved: no plan that is not listed above is worth more"
    if ranked.bound is None:
        return "feasible: exact value, not proved"
    others = "no plan" if number == 1 else "no plan that is not listed above"
    most = f"{others} is worth more than {signed(ranked.bound)}"
    return f"feasible: exact value, the best found; {most}"


def _rows(position: Position, ranked: RankedPlan, evaluation: Evaluation) -> Iterator[list[str]]:
    for index, move in enumerate(ranked.moves):
        unit = position.units[move.unit]
        points = f"{points_text(cost(position, move) or 0)} of {points_text(unit.movement_left)}"
        statuses = position.rules.combat.statuses[unit.kind]
        chances, made = evaluation.outcomes.get(unit.id), evaluation.made[index]
        if chances is None or made is None:
            yield [str(index + 1), format_move(position, move), points, "", "", "", ""]
            continue
        others = {
            status.name: p
            for status, p in in_order(chances, statuses)
            if not status.removed and status.name != unit.status.name
        }
        yield [
            str(index + 1),
            format_move(position, move),
            points,
            percent(made),
            percent(chance_removed(chances, statuses)),
            statuses_text(others, statuses),
            "\n".join(_target_units(position, move, evaluation)),
        ]


def _target_units(position: Position, move: PlannedMove, evaluation: Evaluation) -> Iterator[str]:
    """Each unit in the target hex: the chance that it is out, or may not fire."""
    target = move.target_hex
    for unit in position.enemies_in(target) if target is not None else ():
        if unit.kind.is_struck and unit.id in evaluation.outcomes:
            yield f"{unit.id}: {_hurt(position, unit, evaluation)}"


def _hurt(position: Position, unit: Unit, evaluation: Evaluation) -> str:
    statuses = position.rules.combat.statuses[unit.kind]
    chances = evaluation.outcomes[unit.id]
    silenced = {
        status.name: p
        for status, p in in_order(chances, statuses)
        if not status.removed and not status.may_fire
    }
    parts = [f"out {percent(chance_removed(chances, statuses))}"]
    if silenced:
        parts.append(statuses_text(silenced, statuses))
    return ", ".join(parts)


def _show_meanings() -> None:
    for line in (
        "made: chance that the move can be made when its turn comes; else it is skipped.",
        "lose it: chance that the AFV is off the map when the Movement Phase ends.",
        "target units: chances at the end of the phase, after the whole plan: out (off the map), "
        "or a status in which the unit may not fire.",
        "All figures hold when the defender replies best.",
    ):
        say(line, "dim")
