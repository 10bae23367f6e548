"""Where room may be short, and which plain moves are in question."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from planner.game.position import Position
from planner.search.candidates import Survey
from planner.search.effort import Wishes
from planner.search.stacking import Domain
from planner.search.worth import Judge
from tests.situations import Tables, blue, hexes, red, situation


def survey(position: Position) -> Survey:
    return Survey(position, Judge(position), Wishes())


def limit(size: int) -> Callable[[Tables], None]:
    def rules(charts: Tables) -> None:
        charts["stacking"]["limit"] = size

    return rules


def plain(found: Survey) -> list[str]:
    return [c.text for c in found.candidates if c.move.target is None]


def door(size: int, objectives: Sequence[Tables] = ()) -> Position:
    """T1 can overrun 0404 from 0403 only into 0405, where T2 stands."""
    return situation(
        red("T1", "tank", "0402", "S", movement_used=3),
        red("T2", "tank", "0405", "S"),
        blue("S1", "squad", "0404"),
        rules=limit(size),
        scenario={"objectives": list(objectives)},
    )


@pytest.mark.parametrize(("size", "leaving"), [(1, {"T2"}), (2, set())])
def test_ovr_07_who_stands_where_another_may_end(size: int, leaving: set[str]) -> None:
    position = door(size)
    found = survey(position)
    assert found.stacking.leaving == leaving
    assert bool(plain(found)) == bool(leaving)
    assert "T1 0403x0404-0405" in [c.text for c in found.candidates]


def test_a_way_out_makes_the_overrun_possible() -> None:
    position = door(1)
    found = {c.text: c for c in survey(position).candidates}
    overrun = found["T1 0403x0404-0405"]
    judge = Judge(position)
    assert judge.value([overrun.move]) == pytest.approx(judge.value([]))
    for text in plain(survey(position)):
        assert judge.value([found[text].move, overrun.move]) > 1
        assert judge.value([overrun.move, found[text].move]) == pytest.approx(0)


def test_units_that_stay_close_a_hex_for_good() -> None:
    position = situation(
        red("T1", "tank", "0402", "S", movement_used=3),
        red("F1", "squad", "0405"),
        blue("S1", "squad", "0404"),
        rules=limit(1),
    )
    assert survey(position).candidates == ()


def test_ways_out_end_in_nobodys_way() -> None:
    position = door(1)
    found = survey(position)
    (mover,) = (m for m in found.movers if m.unit.id == "T2")
    for candidate in found.candidates:
        if candidate.move.target is None:
            assert found.stacking.free(mover, candidate.move.path[-1])
    (start,) = hexes(position, "0402")
    assert not found.stacking.free(mover, start)  # T1 stands there


def test_with_objectives_moves_to_them_and_from_them() -> None:
    position = door(2, [{"hex": "0505", "worth": 3}])
    found = survey(position)
    ends = {position.board.name(c.move.path[-1]) for c in found.candidates if c.line[2] is None}
    assert ends == {"0505"}
    on_it = door(2, [{"hex": "0405", "worth": 3, "held_by": "red"}])
    leaving = [text for text in plain(survey(on_it)) if text.startswith("T2")]
    assert leaving


def test_too_many_ways_out_narrow_the_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    position = door(1)
    assert survey(position).stacking.domain is Domain.AS_SAFE
    monkeypatch.setattr("planner.search.approaches.MOST_WAYS_OUT", -1)
    crowded = situation(
        red("T1", "tank", "0402", "S", movement_used=3),
        red("T2", "tank", "0405", "S"),
        red("T3", "tank", "0605", "S"),
        blue("S1", "squad", "0404"),
        blue("G1", "at_gun", "0801", "SW"),
        blue("S2", "squad", "0505"),
        rules=limit(1),
    )
    narrow = survey(crowded)
    assert narrow.stacking.domain is Domain.FREE
    assert plain(narrow)
    monkeypatch.setattr("planner.search.approaches.MOST_FREE", -1)
    nearest = survey(crowded)
    assert nearest.stacking.domain is Domain.NEAREST
    assert "the cheapest plain moves into free hexes" in nearest.proof_over
    assert plain(nearest)
    ways = nearest.stacking.ways_out
    for unit in ("T1", "T2", "T3"):
        own = [c for c in nearest.candidates if c.move.unit == unit and c.line[2] is None]
        ends = [c.move.path[-1] for c in own]
        assert len(ends) == len(set(ends)) <= 2 * ways  # free ones, and others that are needed
