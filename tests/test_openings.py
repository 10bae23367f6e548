"""Which hexes can be cleared, by whom, after what."""

from __future__ import annotations

import pytest

from evaluation.group import Group
from evaluation.worth import Losses
from planner.game.position import Position
from planner.game.windows import cover
from planner.search.candidates import Survey
from planner.search.effort import Wishes
from planner.search.exposure import field
from planner.search.openings import Openings, least_attacks
from planner.search.worth import Judge
from tests.situations import Tables, blue, hexes, named, red, situation


def openings(position: Position) -> Openings:
    return Survey(position, Judge(position), Wishes()).openings


def cleared(position: Position, unit: str) -> str:
    """The hexes that others can clear for an AFV, by name."""
    return named(position, sorted(openings(position).allowed(unit)))


def test_one_clears_for_the_other_not_for_itself() -> None:
    position = situation(
        red("T1", "tank", "0303", "SE"),
        red("T2", "tank", "0806", "NW", movement_used=7),
        blue("S1", "squad", "0403"),
    )
    assert cleared(position, "T1") == ""  # T2 can't get there
    assert cleared(position, "T2") == "0403"


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ((), "0403"),
        ((blue("L1", "sergeant", "0403"),), "0403"),
        ((blue("E1", "tank", "0403", "N"),), ""),  # OVR-3: never struck
    ],
)
def test_ovr_03_a_hex_with_an_afv_is_never_cleared(extra: tuple[Tables, ...], said: str) -> None:
    position = situation(
        red("T1", "tank", "0303", "SE"),
        red("T2", "tank", "0304", "NE"),
        blue("S1", "squad", "0403"),
        *extra,
    )
    assert cleared(position, "T2") == said


LANE = "\n".join(
    (
        ". . . . . . . .",
        ". . . . . . . .",
        "b b b . b b b b",
        "b b b . b b b b",
        "b b b . b b b b",
        ". . . . . . . .",
    )
)
"""Between buildings one lane leads south, down column 04."""


@pytest.mark.parametrize(("afvs", "said"), [(2, "0403"), (3, "0403 0405")])
def test_a_hex_cleared_opens_the_line_that_clears_the_next(afvs: int, said: str) -> None:
    tanks = [
        red("T1", "tank", "0402", "S"),
        red("T2", "light_tank", "0302", "SE"),
        red("T3", "light_tank", "0502", "SW"),
    ]
    position = situation(
        *tanks[:afvs], blue("S1", "squad", "0403"), blue("S2", "squad", "0405"), terrain=LANE
    )
    first, second = hexes(position, "0403 0405")
    found = openings(position)
    assert (found.earlier[first], found.earlier[second]) == (0, 1)
    assert cleared(position, f"T{afvs}") == said


def test_as_many_afvs_as_hexes_to_be_cleared() -> None:
    units = [
        red("T1", "tank", "0303", "SE"),
        red("T2", "tank", "0304", "NE"),
        blue("S1", "squad", "0403"),
        blue("S2", "squad", "0405"),
    ]
    position = situation(*units)
    both = frozenset(hexes(position, "0403 0405"))
    found = openings(position)
    assert all(found.possible("T2", frozenset((hex_,))) for hex_ in both)
    assert not found.possible("T2", both)  # T1 overruns once
    more = situation(*units, red("T3", "light_tank", "0305", "NE"))
    assert openings(more).possible("T2", both)


@pytest.mark.parametrize(
    ("strength", "count"),
    [(4, 1), (3, 1), (1, None)],  # a K in the table only from the second column on
)
def test_least_attacks(strength: int, count: int | None) -> None:
    def rules(charts: Tables) -> None:
        charts["ap"]["table"][0][0] = "S"
        charts["ap"]["columns"] = [1, 3, 8]

    position = situation(red("T1", "tank", "0303", "SE"), blue("S1", "squad", "0403"), rules=rules)
    field_ = field(position)
    (hex_,) = hexes(position, "0403")
    group = Group(field_, hex_, Losses(field_))
    assert least_attacks(group, [strength], cover(position, hex_), 3) == count


def test_two_attacks_where_one_does_not_do() -> None:
    def rules(charts: Tables) -> None:  # K kills only what is suppressed already
        charts["ap"]["effects"]["infantry"]["K"] = {
            "ready": "suppressed",
            "suppressed": "eliminated",
        }

    position = situation(red("T1", "tank", "0303", "SE"), blue("S1", "squad", "0403"), rules=rules)
    field_ = field(position)
    (hex_,) = hexes(position, "0403")
    group = Group(field_, hex_, Losses(field_))
    assert least_attacks(group, [8], 0, 1) is None
    assert least_attacks(group, [8], 0, 2) == 2
