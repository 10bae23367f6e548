from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from planner.game.faults import FileFault
from planner.game.play_state import Game
from planner.game.read_scenario import load_game
from planner.play.record_file import Seat
from planner.play.replay import Back, replay
from planner.play.session import Session
from planner.play.steps import Step
from tests.play.players import Drawn, begun, played

Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Lines:
    """The lines of a game, number 1 at index 0."""
    path = tmp_path_factory.mktemp("replay") / "game.jsonl"
    played(path)
    return read(path)


def read(path: Path) -> Lines:
    return [json.loads(line) for line in path.read_text().splitlines()]


def write(path: Path, lines: Lines) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def found(lines: Lines, event: str, which: int = 0) -> int:
    """The index of the line that tells such an event."""
    return [index for index, line in enumerate(lines) if line["event"] == event][which]


def copied(lines: Lines) -> Lines:
    copy: Lines = json.loads(json.dumps(lines))
    return copy


def test_it_gives_the_game_and_every_decision(tmp_path: Path) -> None:
    path = tmp_path / "game"
    session = played(path)
    again = replay(path)
    assert (again.faults, again.ended, again.pending) == ((), True, None)
    assert again.game.key == session.game.key
    for told, step in zip(again.steps, session.steps, strict=True):
        assert (told.number, told.side, told.action) == (step.number, step.side, step.action)
        assert (told.forced, told.after.key, told.events) == (
            step.forced,
            step.after.key,
            step.events,
        )


@pytest.mark.parametrize("to", [0, 1, 5, 14, 99])
def test_up_to_a_decision(to: int, tmp_path: Path) -> None:
    path = tmp_path / "game"
    session = played(path)
    again = replay(path, to)
    games: list[Game] = [session.start, *(step.after for step in session.steps)]
    last = min(to, len(session.steps))
    assert again.game.key == games[last].key
    assert again.decisions == last


def test_what_was_taken_back_is_told_too(tmp_path: Path) -> None:
    path = tmp_path / "game"
    with begun(path) as session:
        for _ in range(3):
            session.step()
        session.back("red")
        session.step()
    told = replay(path).told
    numbers = [(type(item).__name__, item.number) for item in told]
    assert numbers == [("Step", 1), ("Step", 2), ("Step", 3), ("Back", 3), ("Step", 4)]
    assert all(isinstance(item, Step | Back) for item in told)


Edit = Callable[[Lines], object]


def put(index: Callable[[Lines], int], key: str, value: Any) -> Edit:
    def edit(lines: Lines) -> None:
        lines[index(lines)][key] = value

    return edit


def at(event: str, which: int = 0) -> Callable[[Lines], int]:
    return lambda lines: found(lines, event, which)


def other_total(lines: Lines) -> None:
    line = lines[found(lines, "dice")]
    line["total"] = 2 if line["total"] != 2 else 3


FORGED: dict[str, tuple[Edit, list[tuple[int, str]]]] = {
    # line numbers as in the record of the fixture: the first dice are in line 9
    "an illegal action": (
        put(at("decision"), "action", "T1 0806"),
        [(2, '"T1 0806" is not legal: OVR-13')],
    ),
    "no action": (put(at("decision"), "action", "T1 goes"), [(2, '"T1 goes":')]),
    "another spelling": (
        put(at("decision"), "action", "T1  0202"),
        [(2, '"T1  0202" is written otherwise')],
    ),
    "the other side's decision": (
        put(at("decision"), "side", "blue"),
        [(2, '"blue" does not decide here')],
    ),
    "a number left out": (
        put(at("decision"), "number", 2),
        [(2, "is decision 2"), (4, "is decision 2")],
    ),
    "a forced one that is not": (
        put(at("decision"), "forced", True),
        [(2, "is told as the only legal action, and there are others")],
    ),
    "a free one that is not": (
        lambda lines: lines[20].pop("forced"),
        [(21, "is not told as the only legal action, and there is no other")],
    ),
    "dice that the seed does not give": (
        other_total,
        [(9, "the dice show"), (10, "happened[1] is"), (34, "has the score")],
    ),
    "dice that can't be": (
        put(at("dice"), "total", 13),
        [
            (9, "2 dice of 6 sides show 2 to 12, not 13"),
            (10, "happened[1] is resulted"),
            (11, '"T2 0304" is not legal: OVR-4'),
        ],
    ),
    "dice for something else": (
        put(at("dice"), "unit", "B1"),
        [(9, "is a throw for something else: unit B1")],
    ),
    "dice with another modifier": (
        put(at("dice"), "modifier", 3),
        [(9, "is a throw for something else: modifier 3")],
    ),
    "dice twice": (
        lambda lines: lines.insert(9, lines[8]),
        [(10, "is a throw that nothing calls for")],
    ),
    "no dice": (
        lambda lines: lines.pop(8),
        [(9, "is the result, and the shot of G1 was not thrown for")],
    ),
    "dice without a decision": (
        lambda lines: lines.insert(1, lines[8]),
        [(2, "is a throw, and no decision calls for one")],
    ),
    "a better result": (
        lambda lines: lines[9]["happened"][1].update(after="ready"),
        [(10, "happened[1] is resulted (unit T1, result M, before ready, after ready)")],
    ),
    "a result too many": (
        lambda lines: lines[9]["happened"].append({"event": "game_ended"}),
        [(10, "happened[4] is game_ended")],
    ),
    "a result too few": (
        lambda lines: lines[9]["happened"].pop(),
        [(10, "happened[3] is nothing")],
    ),
    "a result twice": (
        lambda lines: lines.insert(10, lines[9]),
        [(11, "is a result, and there is no decision")],
    ),
    "a decision without its result": (
        lambda lines: lines.pop(2),
        [(3, "is a decision, and decision 1 is not carried out")],
    ),
    "another setup": (
        lambda lines: lines.insert(1, lines[0]),
        [(2, "is another setup")],
    ),
    "an end too early": (
        lambda lines: lines.insert(3, lines[-1]),
        [(4, "is the end, and the game goes on")],
    ),
    "another score": (
        put(at("end"), "score", {"red": 1.0, "blue": -1.0}),
        [(34, "has the score blue -1, red 1")],
    ),
    "a second end": (lambda lines: lines.append(lines[-1]), [(35, "is another end")]),
    "a decision after the end": (
        lambda lines: lines.append({**lines[1], "number": 15}),
        [(35, "is a decision, and the game is over")],
    ),
    "taking back what was not done": (
        lambda lines: lines.insert(3, {"event": "back", "decision": 7}),
        [(4, "decision 7 can't be taken back here")],
    ),
    "taking back more than the last": (
        lambda lines: lines.insert(7, {"event": "back", "decision": 1}),
        [(8, "decision 1 can't be taken back here")],
    ),
    "two forgeries": (
        lambda lines: (
            lines[9]["happened"][1].update(after="ready"),
            lines[-1].update(score={"red": 9.0, "blue": -9.0}),
        ),
        [(10, "happened[1] is resulted"), (34, "has the score")],
    ),
    "a line that is none": (lambda lines: lines[4].clear(), [(5, "null is no event")]),
}


@pytest.mark.parametrize("name", FORGED)
def test_forgeries_are_told_by_line(name: str, tmp_path: Path, whole: Lines) -> None:
    edit, right = FORGED[name]
    lines = copied(whole)
    edit(lines)
    path = write(tmp_path / "game", lines)
    faults = replay(path).faults
    assert [fault.place for fault in faults] == [f"line {number}" for number, _ in right]
    for fault, (_, said) in zip(faults, right, strict=True):
        assert fault.fault.startswith(said)
        assert fault.expected
    with pytest.raises(FileFault) as caught:
        Session.resume(path, lambda seat: Drawn())
    assert caught.value.faults == faults


def test_dice_of_the_table_may_show_anything_they_can(tmp_path: Path, whole: Lines) -> None:
    """Without a seed nothing but the range fixes them, and the results must follow."""
    lines = copied(whole)
    del lines[0]["seed"]
    path = write(tmp_path / "game", lines)
    assert replay(path).faults == ()
    other_total(lines)
    assert [fault.place for fault in replay(write(path, lines)).faults] == ["line 10", "line 34"]


def test_throws_for_a_pending_decision_are_checked_too(tmp_path: Path, whole: Lines) -> None:
    path = write(tmp_path / "game", whole[:9])
    assert (replay(path).faults, replay(path).pending is not None) == ((), True)
    lines = copied(whole[:9])
    other_total(lines)
    assert [fault.place for fault in replay(write(path, lines)).faults] == ["line 9"]
    twice = [*whole[:9], whole[8]]
    assert [fault.place for fault in replay(write(path, twice)).faults] == ["line 10"]


@pytest.mark.parametrize(
    ("edit", "place", "said"),
    [
        (lambda lines: lines.pop(0), "line 1", "is no setup"),
        (lambda lines: lines[0].clear(), "line 1", "null is no event"),
        (lambda lines: lines[0].pop("rules"), "line 1: rules", "is missing"),
        (lambda lines: lines[0].update(rules=3), "line 1: rules", "3 is no table"),
        (lambda lines: lines[0].update(seed=1.5), "line 1: seed", "1.5 is no seed"),
        (lambda lines: lines[0].update(seats=[]), "line 1: seats", "are not those of the scenario"),
        (
            lambda lines: lines[0]["seats"][0].update(side="green"),
            "line 1: seats",
            "are not those of the scenario",
        ),
        (
            lambda lines: lines[0]["rules"]["types"].clear(),
            "line 1: scenario.units[0].type",
            '"bazooka_team" is no unit type',
        ),
        (
            lambda lines: lines[0]["rules"]["dice"].update(sides=1),
            "line 1: rules.dice.sides",
            "1 is out of range",
        ),
        (
            lambda lines: lines[0]["scenario"]["units"][0].update(hex="0999"),
            "line 1: scenario.units[0].hex",
            '"0999" is not on the map',
        ),
    ],
)
def test_a_setup_that_begins_no_game(
    edit: Edit, place: str, said: str, tmp_path: Path, whole: Lines
) -> None:
    lines = copied(whole)
    edit(lines)
    with pytest.raises(FileFault) as caught:
        replay(write(tmp_path / "game", lines))
    first = caught.value.faults[0]
    assert (first.place, first.fault.startswith(said)) == (place, True), first


def test_a_record_stands_alone(tmp_path: Path) -> None:
    """It holds the rules whole: the files it was begun from need not be there."""
    path = tmp_path / "elsewhere" / "game"
    path.parent.mkdir()
    session = played(path)
    setup = read(path)[0]
    assert setup["rules"]["name"] == "tiny"
    assert replay(path).game.position.rules_ref == session.game.position.rules_ref


@pytest.mark.parametrize("name", ["steamroller", "carentan", "ponyri"])
def test_the_shipped_scenarios_are_held_whole(name: str, tmp_path: Path) -> None:
    game = load_game(name)
    seats = [Seat(side=side.id, player="drawn") for side in game.position.sides]
    path = tmp_path / "game"
    with Session.begin(game, seats, {game.position.to_move: Drawn()}, path, seed=1) as session:
        session.step()
    found = replay(path)
    assert found.faults == ()
    assert found.start.key == game.key
    assert found.game.key == session.game.key
