"""The conditions of the dominance rule, one by one: without it a worse answer is given."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations, product

import pytest

from evaluation.script import Enter, Move, Shot
from evaluation.units import Aspect
from evaluation.value import Evaluator
from planner.game.position import Position
from planner.search import approaches
from planner.search.candidates import Candidate, Survey
from planner.search.dominance import Window, Windows, embeds, extended
from planner.search.effort import Wishes
from planner.search.exposure import field
from planner.search.worth import Judge
from tests.situations import Tables, blue, hexes, red, situation

A, B, C = 1, 2, 4


@pytest.mark.parametrize(
    ("these", "those", "said"),
    [
        ((), (), True),
        ((), ((A, None),), True),
        (((A, None),), (), False),
        (((A, None),), ((A | B, None),), True),
        (((A | B, None),), ((A, None), (B, None)), False),  # no one window offers both
        (((A, None), (B, None)), ((A | B, None),), True),  # two may go to one
        (((A, None), (B, None)), ((B, None), (A, None)), False),  # in order
        (((A, None), (B, None)), ((C, None), (A, None), (B | C, None)), True),
        (((A, 1),), ((A, None),), False),  # stopped in a contested hex here only
        (((A, None),), ((A, 1),), False),  # or there only
        (((A, 1),), ((A, 2),), False),  # or in two different ones
        (((A, 1),), ((A | B, 1),), True),
    ],
)
def test_embeds(these: tuple[Window, ...], those: tuple[Window, ...], said: bool) -> None:
    assert embeds(these, those) is said


@pytest.mark.parametrize(
    ("windows", "new", "kept"),
    [
        ((), (0, None), ()),
        ((), (A, None), ((A, None),)),
        (((A, None),), (A | B, None), ((A | B, None),)),
        (((A | B, None),), (B, None), ((A | B, None),)),
        (((A, None),), (B, None), ((A, None), (B, None))),
        (((A, None),), (A | B, 1), ((A, None), (A | B, 1))),  # stopped elsewhere
        (((A, None), (B, None)), (A | B | C, None), ((A | B | C, None),)),
    ],
)
def test_extended(windows: tuple[Window, ...], new: Window, kept: tuple[Window, ...]) -> None:
    assert extended(windows, new) == kept
    assert embeds(kept, (*windows, new) if new[0] else windows)


def _found(position: Position) -> tuple[Candidate, ...]:
    return Survey(position, Judge(position), Wishes()).candidates


def _best(position: Position, found: Iterable[Candidate]) -> tuple[float, tuple[str, ...]]:
    """The best ordered plan over candidates, by trying all."""
    judge = Judge(position)
    by_unit: dict[str, list[Candidate]] = {}
    for candidate in found:
        by_unit.setdefault(candidate.move.unit, []).append(candidate)
    rows: list[tuple[float, tuple[str, ...]]] = [(judge.value([]), ())]
    for count in range(1, len(by_unit) + 1):
        for units in permutations(sorted(by_unit), count):
            for plan in product(*(by_unit[unit] for unit in units)):
                texts = tuple(candidate.text for candidate in plan)
                rows.append((judge.value([c.move for c in plan]), texts))
    return max(rows)


# Condition 2: the same hexes cleared, not fewer.


def _only_if_the_gun_is_out() -> Position:
    """G1 in 0404 looks south on 0505, where T2 comes out of its overrun of 0504. T2 can reach
    0503, above its target, round the gun's hex or, longer, through it."""

    def rules(charts: Tables) -> None:
        charts["types"]["light_tank"] |= {"movement": 14, "worth": 30}
        del charts["ap"]["effects"]["gun"]["S"]

    return situation(
        red("T1", "tank", "0402", "S", passengers=["P1"]),
        red("P1", "squad"),
        red("T2", "light_tank", "0305", "NE"),
        blue("G1", "at_gun", "0404", "S"),
        blue("S1", "squad", "0504"),
        terrain="\n".join(
            (
                ". . . . . . . .",
                ". . . . . . . .",
                ". . . . . b . .",
                ". . . . . b . .",
                ". . . . . . . .",
                ". . . . . . . .",
            )
        ),
        rules=rules,
    )


def test_a_longer_path_through_a_hex_to_be_cleared_is_a_condition() -> None:
    position = _only_if_the_gun_is_out()
    found = {candidate.text: candidate for candidate in _found(position)}
    through = found["T2 0404-0403-0503x0504-0505"]
    around = found["T2 0304-0403-0503x0504-0505"]
    assert through.line == around.line
    assert (through.needs, around.needs) == (hexes(position, "0404"), ())
    value, _ = _best(position, found.values())
    opener = found["T1 0403x0404-0405"]
    judge = Judge(position)
    assert judge.value([opener.move, through.move]) == pytest.approx(value)
    assert judge.value([opener.move, around.move]) < judge.value([opener.move]) < value
    without, _ = _best(position, (c for c in found.values() if not c.needs))
    assert without < value - 0.1


# Condition 3: the shots of the windows, in order.


def _through_fire_or_round_it() -> Position:
    """Two ways to 0504, from where the bazooka team in 0503 is overrun: by the dearer one the AFV
    is worth more."""
    return situation(
        red("T1", "light_tank", "0304", "NE"),
        blue("E1", "at_gun", "0604", "N"),
        blue("E2", "squad", "0702"),
        blue("E3", "bazooka_team", "0503"),
        terrain="\n".join(
            (
                ". . w . . w . .",
                "w . w w . w w .",
                ". . . w . . . .",
                ". . w . . . . .",
                ". w w w . . . w",
                ". . w w . . . .",
            )
        ),
    )


def test_the_cheapest_path_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    position = _through_fire_or_round_it()
    line = {"0502"}

    def worth(found: Iterable[Candidate]) -> float:
        judge = Judge(position)
        return max(
            judge.value([c.move])
            for c in found
            if position.board.name(c.move.path[-1]) in line and c.move.target is not None
        )

    all_kept = worth(_found(position))
    monkeypatch.setattr(approaches, "embeds", lambda these, those: True)
    assert worth(_found(position)) < all_kept - 0.1


def test_the_order_of_windows_matters() -> None:
    """Weak shot, then strong, against strong, then weak: the same shots in each, and yet an AFV
    that the first stops never comes to the second."""
    position = situation(
        red("T1", "tank", "0101", "SE"),
        blue("G1", "at_gun", "0404", "N"),
        blue("B1", "bazooka_team", "0503"),
        blue("S1", "squad", "0202"),
    )
    strong = Enter("a", 0, (Shot("G1", "gun", 2, Aspect.REAR),))
    weak = Enter("b", 0, (Shot("B1", "bazooka", 2, Aspect.FRONT),))
    evaluator = Evaluator(field(position))
    values = [
        evaluator.value([Move("T1", (*order, Enter("c", 0, ())))])
        for order in ((weak, strong), (strong, weak))
    ]
    assert abs(values[0] - values[1]) > 0.01


# Condition 4: where the AFV is stopped.


def _one_to_a_hex() -> Position:
    """Stacking limit 1. T2 may be stopped on its way; T1 comes later and ends in 0402."""

    def rules(charts: Tables) -> None:
        charts["stacking"]["limit"] = 1

    return situation(
        red("T1", "light_tank", "0503", "SW"),
        red("T2", "light_tank", "0401", "SW"),
        blue("E1", "at_gun", "0603", "SE"),
        blue("E2", "squad", "0303"),
        blue("E3", "at_gun", "0505", "NW"),
        terrain="\n".join(
            (
                ". . . w . . . .",
                ". w . . . . . w",
                ". . . . . . . .",
                "w . . w . . . .",
                ". . . . . . . .",
                ". . . . . . . .",
            )
        ),
        rules=rules,
    )


def test_ovr_07_where_the_afv_is_stopped_matters_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = _one_to_a_hex()
    plan = ("T2 0502-0503-0504x0505-0506", "T1 0403-0304-0203x0303-0402")

    def value_on_these_lines(found: Iterable[Candidate]) -> float:
        kept = {c.text: c for c in found}
        judge = Judge(position)
        second = kept[plan[1]]
        firsts = [c for c in kept.values() if c.text[-10:] == plan[0][-10:] and c.text[:2] == "T2"]
        return max(judge.value([first.move, second.move]) for first in firsts)

    all_kept = value_on_these_lines(_found(position))
    monkeypatch.setattr(Windows, "contest", lambda self, hexes: None)
    assert value_on_these_lines(_found(position)) < all_kept - 0.1
