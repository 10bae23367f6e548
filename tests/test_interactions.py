"""Which moves bear on each other: values of those that do not are sums, exactly."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import pytest

from planner.game.notation import parse_move
from planner.game.position import Position
from planner.search.candidates import Candidate, candidates
from planner.search.effort import Limit, Wishes, never
from planner.search.interactions import Interactions, synergies
from planner.search.tally import OutOfEffortError, Tally
from planner.search.worth import Judge
from tests.situations import Tables, blue, red, situation, two_tanks

T1, T2 = "T1 0304x0404-0505", "T2 0402x0503-0603"


def candidate(position: Position, text: str) -> Candidate:
    """A move, whether or not the search would have come upon it."""
    move = parse_move(position, text)
    return Candidate((move.unit, move.path[-1], None), move, text)


def limited(limit: int) -> Any:
    def change(rules: Tables) -> None:
        rules["stacking"] = {"limit": limit}

    return change


# -- non-interacting pairs are sums --------------------------------------------------------------


def drawn(seed: int) -> tuple[Judge, list[Candidate]]:
    """Four AFVs against two strongpoints seven hexes apart, and some of the moves they have, plain
    ones and such as others must open included."""
    rng = random.Random(seed)
    used: set[str] = set()

    def place(centre: int) -> str:
        while True:
            name = f"{centre + rng.randint(-2, 2):02d}{rng.randint(1, 6):02d}"
            if name not in used:
                used.add(name)
                return name

    units: list[Tables] = []
    for number in range(6):
        kind = rng.choice(("squad", "squad", "at_gun", "bazooka_team"))
        hex_ = place(rng.choice((3, 10)))
        units.append(blue(f"E{number}", kind, hex_, rng.choice(("S", "SE", "SW"))))
        if rng.random() < 0.3:
            units.append(blue(f"L{number}", "sergeant", hex_))
    for number in range(4):
        kind = rng.choice(("tank", "light_tank", "assault_gun"))
        units.append(red(f"T{number}", kind, place(rng.choice((3, 10))), "N"))
    goals = [{"hex": f"{rng.randint(1, 12):02d}{rng.randint(1, 6):02d}", "worth": 2}]

    def rules(tables: Tables) -> None:
        limited(1 + seed % 2)(tables)
        tables["ap"]["roll_per"] = ("hex", "unit")[seed // 2 % 2]

    terrain = "\n".join(" ".join(rng.choice("......w") for _ in range(12)) for _ in range(6))
    more = {"objectives": goals} if rng.random() < 0.5 else None
    position = situation(*units, terrain=terrain, rules=rules, scenario=more)
    judge = Judge(position, 1.25)
    by_unit: dict[str, list[Candidate]] = {}
    for one in candidates(position, judge, Wishes()):
        by_unit.setdefault(one.move.unit, []).append(one)
    return judge, [one for some in by_unit.values() for one in rng.sample(some, min(4, len(some)))]


def compare(seed: int) -> tuple[int, int]:
    """Values of pairs that do not bear are sums; how many do not, and how many differ."""
    judge, found = drawn(seed)
    interactions = Interactions(judge, found)
    staying = judge.value([])
    apart = different = 0
    for a, b in permutations(found, 2):
        if a.move.unit == b.move.unit:
            continue
        together = judge.value([a.move, b.move])
        alone = judge.value([a.move]) + judge.value([b.move]) - staying
        if interactions.bears(a, b):
            different += abs(together - alone) > 1e-9
        else:
            apart += 1
            assert together == pytest.approx(alone, abs=1e-9), f"seed {seed}: {a.text}, {b.text}"
    return apart, different


def test_pairs_that_do_not_bear_on_each_other_are_worth_the_sum() -> None:
    counts = [compare(seed) for seed in range(20)]
    assert sum(apart for apart, _ in counts) > 500
    assert sum(different for _, different in counts) > 300


def test_components_are_worth_the_sum() -> None:
    split = 0
    for seed in range(20):
        judge, found = drawn(seed)
        groups = Interactions(judge, found).components()
        by_unit: dict[str, list[Candidate]] = {}
        for one in found:
            by_unit.setdefault(one.move.unit, []).append(one)
        assert sorted(by_unit) == sorted(unit for group in groups for unit in group)
        rng = random.Random(seed)
        for _ in range(6):
            plan = [rng.choice(options) for options in by_unit.values()]
            rng.shuffle(plan)
            whole = judge.value([one.move for one in plan])
            parts = [
                judge.value([one.move for one in plan if one.move.unit in group])
                for group in groups
            ]
            total = sum(parts) - (len(parts) - 1) * judge.value([])
            assert whole == pytest.approx(total, abs=1e-9), f"seed {seed}"
            split += len(groups) > 1
    assert split > 30


# -- one reason at a time ------------------------------------------------------------------------

TANKS = (red("T1", "tank", "0304", "SE"), red("T2", "tank", "1904", "SE"))
"""Two tanks with sixteen hexes between them."""


@pytest.mark.parametrize(
    ("units", "first", "second", "bears", "bears_back"),
    [
        # Each strikes a squad of its own; squads of the case file fire at no AFV.
        (
            (*TANKS, blue("R1", "squad", "0404"), blue("R2", "squad", "2004")),
            "T1 x0404-0505",
            "T2 x2004-2105",
            False,
            False,
        ),
        # One target.
        (
            (
                red("T1", "tank", "0304", "SE"),
                red("T2", "tank", "0403", "S"),
                blue("R1", "squad", "0404"),
            ),
            "T1 x0404-0505",
            "T2 x0404-0405",
            True,
            True,
        ),
        # A gun between the two that reaches both exits.
        (
            (
                red("T1", "tank", "0304", "SE"),
                red("T2", "tank", "0904", "SE"),
                blue("R1", "squad", "0404"),
                blue("R2", "squad", "1004"),
                blue("G1", "at_gun", "0801", "S"),
            ),
            "T1 x0404-0505",
            "T2 x1004-1105",
            True,
            True,
        ),
        # The same gun, when it has fired: nothing to share.
        (
            (
                red("T1", "tank", "0304", "SE"),
                red("T2", "tank", "0904", "SE"),
                blue("R1", "squad", "0404"),
                blue("R2", "squad", "1004"),
                blue("G1", "at_gun", "0801", "S", fired=True),
            ),
            "T1 x0404-0505",
            "T2 x1004-1105",
            False,
            False,
        ),
        # T1 clears the hex that T2 drives through; T2 first is skipped.
        (
            (
                red("T1", "tank", "0304", "SE"),
                red("T2", "tank", "0403", "S"),
                blue("R1", "squad", "0404"),
                blue("R2", "squad", "0406"),
            ),
            "T1 x0404-0505",
            "T2 0404-0405x0406-0407",
            True,
            False,
        ),
    ],
    ids=["nothing shared", "one target", "one gun", "a gun that has fired", "opens the way"],
)
def test_who_bears_on_whom(
    units: tuple[Tables, ...], first: str, second: str, bears: bool, bears_back: bool
) -> None:
    terrain = "\n".join([". " * 24] * 8)
    position = situation(*units, terrain=terrain)
    a, b = candidate(position, first), candidate(position, second)
    interactions = Interactions(Judge(position), (a, b))
    assert interactions.bears(a, b) is bears
    assert interactions.bears(b, a) is bears_back
    assert interactions.interact(a, b) is (bears or bears_back)
    together = interactions.components() == (("T1", "T2"),)
    assert together is (bears or bears_back)


@pytest.mark.parametrize(
    ("limit", "standing", "first", "bears", "bears_back"),
    [
        # Both end in 0505: room for two, room for one.
        (2, None, "T1 x0404-0505", False, False),
        (1, None, "T1 x0404-0505", True, True),
        # Somebody who does not move takes half the room.
        (2, "T3", "T1 x0404-0505", True, True),
        (3, "T3", "T1 x0404-0505", False, False),
    ],
)
def test_room_where_a_move_ends(
    limit: int, standing: str | None, first: str, bears: bool, bears_back: bool
) -> None:
    """Plain moves and overruns of hexes with nothing in common, but for the hex where they end."""
    units = [
        red("T1", "tank", "0304", "SE"),
        red("T2", "tank", "0507", "N"),
        blue("R1", "squad", "0404"),
    ]
    if standing:
        units.append(red(standing, "tank", "0505", "N"))
    position = situation(*units, terrain="\n".join([". " * 24] * 8), rules=limited(limit))
    a, b = candidate(position, first), candidate(position, "T2 0506-0505")
    interactions = Interactions(Judge(position), (a, b))
    assert (interactions.bears(a, b), interactions.bears(b, a)) == (bears, bears_back)
    crowded = (("T1", "T2"),) if bears or bears_back else (("T1",), ("T2",))
    assert interactions.components() == crowded


def test_an_afv_that_leaves_bears_on_the_one_that_needs_its_hex() -> None:
    position = situation(
        red("T1", "tank", "0304", "SE"),
        red("T2", "tank", "0505", "N"),
        blue("R1", "squad", "0404"),
        rules=limited(1),
    )
    judge = Judge(position)
    a, b = candidate(position, "T1 x0404-0505"), candidate(position, "T2 0506")
    interactions = Interactions(judge, (a, b))
    assert interactions.bears(b, a)
    assert not interactions.bears(a, b)
    assert judge.value([b.move, a.move]) > judge.value([a.move, b.move])


def test_an_objective_that_both_can_change() -> None:
    units = (
        red("T1", "tank", "0304", "SE"),
        red("T2", "tank", "0506", "N"),
        blue("R1", "squad", "0404"),
    )
    moves = ("T1 x0404-0505", "T2 0505")
    for objectives, bears in (([], False), ([{"hex": "0505", "worth": 3}], True)):
        position = situation(*units, scenario={"objectives": objectives} if objectives else None)
        a, b = (candidate(position, text) for text in moves)
        interactions = Interactions(Judge(position), (a, b))
        assert interactions.interact(a, b) is bears


# -- pairs and their synergies -------------------------------------------------------------------


def worked(position: Position) -> tuple[Tally, Interactions, dict[str, float]]:
    judge = Judge(position)
    tally = Tally(judge, Limit(), None, never)
    interactions = Interactions(judge, candidates(position, judge, Wishes()))
    gains = {c.text: tally.value((c,)) - tally.staying for c in interactions.candidates}
    return tally, interactions, gains


def test_the_pair_that_pays_comes_first_though_both_lose_alone() -> None:
    _, interactions, gains = worked(two_tanks())
    first, second = interactions.pairs(gains)[0]
    assert (first.text, second.text) == (T2, T1)
    assert gains[T1] < 0 > gains[T2]


def test_every_pair_that_bears_comes_once_whatever_order_the_candidates_come_in() -> None:
    position = two_tanks()
    _, interactions, gains = worked(position)
    texts = [(a.text, b.text) for a, b in interactions.pairs(gains)]
    assert len(texts) == len(set(texts))
    assert set(texts) == {
        (a.text, b.text)
        for a, b in permutations(interactions.candidates, 2)
        if interactions.bears(a, b)
    }
    other = Interactions(Judge(position), interactions.candidates[::-1])
    assert [(a.text, b.text) for a, b in other.pairs(gains)] == texts


@pytest.mark.parametrize("each", [0, 1, 2, 4])
def test_pairs_of_so_many_candidates_of_each_afv(each: int) -> None:
    _, interactions, gains = worked(two_tanks())
    everything = interactions.pairs(gains)
    found = interactions.pairs(gains, each)
    assert found == [pair for pair in everything if pair in found]
    for unit in ("T1", "T2"):
        mine = {one.text for pair in found for one in pair if one.move.unit == unit}
        lines = {one.line for pair in found for one in pair if one.move.unit == unit}
        of_all = {c.line for c in interactions.candidates if c.move.unit == unit}
        assert len(mine) <= each
        assert len(lines) == min(each, len(of_all))


def test_synergy_is_what_two_are_worth_more_than_apart() -> None:
    tally, interactions, gains = worked(two_tanks())
    found = synergies(tally, interactions.pairs(gains))
    assert found[T2, T1] == pytest.approx(0.4349922840 + 0.1619191529 + 3.2627314815, abs=1e-9)
    assert found[T1, T2] == pytest.approx(-0.2024284122 + 0.1619191529 + 3.2627314815, abs=1e-9)


def test_enough_ends_the_evaluation_of_pairs() -> None:
    tally, interactions, gains = worked(two_tanks())
    left = [3]

    def enough() -> bool:
        left[0] -= 1
        return left[0] < 0

    assert len(synergies(tally, interactions.pairs(gains), enough)) == 3


def test_what_was_known_before_the_limit_is_kept() -> None:
    position = two_tanks()
    _, interactions, gains = worked(position)
    tally = Tally(Judge(position), Limit(work=9), None, never)
    known: dict[tuple[str, str], float] = {}
    with pytest.raises(OutOfEffortError):
        synergies(tally, interactions.pairs(gains), known=known)
    assert (T2, T1) in known
    assert 0 < len(known) < 9
