"""Figures in words, as a player reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from evaluation.dice import Dice
from evaluation.tables import NO_EFFECT
from evaluation.units import Status
from planner.game.position import Position

if TYPE_CHECKING:  # heavy, and only some commands need it
    from planner.search.candidates import Kept


def percent(probability: float) -> str:
    """A probability in whole per cent; what is possible never reads as 0 or as certain.

    >>> percent(0.0), percent(0.001), percent(0.7), percent(0.9999), percent(1.0)
    ('0 %', '<1 %', '70 %', '>99 %', '100 %')
    """
    if probability <= _NEVER:
        return "0 %"
    if probability >= 1 - _NEVER:
        return "100 %"
    whole = round(probability * 100)
    return {0: "<1 %", 100: ">99 %"}.get(whole, f"{whole} %")


_NEVER = 1e-12


def signed(value: float, digits: int = 2) -> str:
    """A value with its sign.

    >>> signed(0.434992), signed(-2.0), signed(-0.0001), signed(0.434992, 6)
    ('+0.43', '-2.00', '0.00', '+0.434992')
    """
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]


def rolls_text(rolls: Iterable[tuple[int, int]], dice: Dice) -> str:
    """Totals of the dice.

    >>> rolls_text([(2, 5)], Dice(2, 6)), rolls_text([(8, 12)], Dice(2, 6))
    ('5 or less', '8 or more')
    >>> rolls_text([(6, 6), (9, 10)], Dice(2, 6)), rolls_text([(2, 12)], Dice(2, 6))
    ('6, 9 to 10', 'any')
    """
    lowest, highest = dice.count, dice.count * dice.sides
    return ", ".join(_run_text(low, high, lowest, highest) for low, high in rolls)


def _run_text(low: int, high: int, lowest: int, highest: int) -> str:
    if (low, high) == (lowest, highest):
        return "any"
    if low == high:
        return str(low)
    if low == lowest:
        return f"{high} or less"
    if high == highest:
        return f"{low} or more"
    return f"{low} to {high}"


def result_text(result: str) -> str:
    """A result as the chart prints it."""
    return "no effect" if result == NO_EFFECT else result


def in_order(
    chances: Mapping[str, float], statuses: Mapping[str, Status]
) -> list[tuple[Status, float]]:
    """The chances of statuses in the order in which the rules list these."""
    return [(status, chances[name]) for name, status in statuses.items() if name in chances]


def statuses_text(chances: Mapping[str, float], statuses: Mapping[str, Status]) -> str:
    """Chances of statuses: ``ready 58 %, immobilised 42 %``."""
    return ", ".join(
        f"{status.name} {percent(p)}" for status, p in in_order(chances, statuses) if p > _NEVER
    )


def chance_removed(chances: Mapping[str, float], statuses: Mapping[str, Status]) -> float:
    """The chance that a unit ends up off the map."""
    return sum(p for status, p in in_order(chances, statuses) if status.removed)


def listed(words: Iterable[str]) -> str:
    """Words in a row.

    >>> listed(["a", "b", "c"]), listed(["a"]), listed([])
    ('a, b and c', 'a', '')
    """
    found = list(words)
    if len(found) < 2:
        return "".join(found)
    return ", ".join(found[:-1]) + f" and {found[-1]}"


def many(count: int, one: str, more: str | None = None) -> str:
    """A number of things.

    >>> many(1, "line"), many(3, "line"), many(2, "entry", "entries")
    ('1 line', '3 lines', '2 entries')
    """
    return f"{count} {one if count == 1 else more or one + 's'}"


def kept_text(kept: Kept) -> str:
    """How many moves are looked at of how many there are."""
    if kept.of is None:
        return f"Kept {many(kept.kept, 'move')}; there are too many to count."
    less = "no plan is better with one left out"
    return f"Kept {kept.kept} of {many(kept.of, 'move')} along simple paths: {less}."


def objective_texts(objectives: Mapping[str, Mapping[str, float | None]]) -> list[str]:
    """What becomes of each objective.

    >>> objective_texts({"0502": {"worth": 4.0, "gained": 0.87, "lost": 0.0}})
    ['objective 0502 (worth 4): gained 87 %, lost 0 %']
    >>> objective_texts({"0502": {"worth": 4.0, "gained": None, "lost": None}})
    ['objective 0502 (worth 4): not told']
    """
    texts = []
    for name, found in objectives.items():
        gained, lost = found["gained"], found["lost"]
        said = "not told"
        if gained is not None and lost is not None:
            said = f"gained {percent(gained)}, lost {percent(lost)}"
        texts.append(f"objective {name} (worth {found['worth']:g}): {said}")
    return texts


def side_name(position: Position, side: str) -> str:
    """What the reader calls a side: its name, which is its id where the file gives none."""
    return next(known.name for known in position.sides if known.id == side)
