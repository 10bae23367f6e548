"""Odds on the screen, in the steps in which a player reads his charts."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.odds import Reading
from evaluation.rules import CombatRules, RollPer
from planner.interface.odds_attack import AttackOdds
from planner.interface.odds_shot import ShotOdds
from planner.interface.odds_source import Struck, chance_text
from planner.interface.screen import say, show_table
from planner.interface.words import percent, result_text, rolls_text, statuses_text


def show_shot(odds: ShotOdds) -> None:
    """Show the odds of a shot."""
    face = f"range {odds.distance}, {odds.aspect.value}"
    say(f"{odds.firer} fires {odds.weapon.name} at {odds.target.name}, {face}", "bold")
    say(f"  strength  rating {odds.rating} - armour {odds.armour} = {odds.reading.strength}")
    parts = [f"cover {odds.at_cover:+d}", f"leader {odds.leadership:+d}"]
    _show_throw(odds.source.rules.combat, odds.reading, parts, (odds.target,))
    for note in odds.notes:
        say(f"  note: {note}", "yellow")


def show_attack(odds: AttackOdds) -> None:
    """Show the odds of an attack."""
    rules = odds.source.rules.combat
    say(f"{odds.afv} overruns {', '.join(unit.name for unit in odds.units)}", "bold")
    own, total = odds.own_strength, odds.reading.strength
    made_up = f"AFV {rules.afv_multiplier} x {own // rules.afv_multiplier}"
    say(f"  strength  {made_up} + passengers {total - own} = {total}")
    _show_throw(rules, odds.reading, [f"cover {odds.reading.modifier:+d}"], odds.units)
    if len(odds.units) > 1:
        each = rules.ap_roll_per is RollPer.UNIT
        say(f"  {'each unit has its own roll' if each else 'one roll for all units'}")


def _show_throw(
    rules: CombatRules, reading: Reading, modifiers: Sequence[str], units: Sequence[Struck]
) -> None:
    column = "none: too weak for any effect" if reading.column is None else str(reading.column)
    say(f"  column    {column}")
    say(f"  modifier  {reading.modifier:+d} to the roll ({', '.join(modifiers)})")
    dice = rules.dice
    show_table(
        ["result", f"{dice.count}d{dice.sides} before modifiers", "chance", "", *_names(units)],
        [
            [
                result_text(found.result),
                rolls_text(found.rolls, dice),
                f"{found.ways}/{found.combinations}",
                percent(found.probability),
                *(_effect(rules, unit, found.result) for unit in units),
            ]
            for found in reading.results
        ],
        right=[2, 3],
        folding=range(4, 4 + len(units)),
        indent=2,
    )
    show_table(
        ["in all", "status", "chance", ""],
        [
            [unit.name, status, chance_text(unit.ways[status]) or "", percent(probability)]
            for unit in units
            for status, probability in unit.after.items()
        ],
        right=[2, 3],
        indent=2,
    )


def _names(units: Sequence[Struck]) -> list[str]:
    return [f"{unit.name} ({unit.status.name})" for unit in units]


def _effect(rules: CombatRules, unit: Struck, result: str) -> str:
    chances = unit.by_result[result]
    if list(chances) == [unit.status.name]:
        return "stays"
    if len(chances) == 1:
        return next(iter(chances))
    return statuses_text(chances, rules.statuses[unit.type.kind])
