from __future__ import annotations

import json
from pathlib import Path

import pytest

from planner.game.actions import format_action, parse_action
from planner.game.chance import ForcedDice, KeyedDice
from planner.game.choices import legal
from planner.game.events import Rolled
from planner.game.play_state import Deciding, Game
from planner.game.resolution import IllegalActionError, apply
from planner.play.player import Decision
from planner.play.record_file import Seat
from planner.play.replay import replay
from planner.play.session import NobodyToAskError, NothingToTakeBackError, Session
from planner.search.effort import Cancelled, Limit
from tests.play.players import SIDES, Drawn, begun, case, played, resumed, seats


def table(path: Path | None, *totals: int) -> Session:
    """A session in which both sides are told and the dice are thrown at the table."""
    return Session.begin(case(), seats("human"), {}, path, dice=ForcedDice(totals))


def do(session: Session, *texts: str) -> None:
    for text in texts:
        session.do(parse_action(session.game.position, text))


def lines(path: Path) -> list[str]:
    """The record's lines in short."""
    found = [json.loads(line) for line in path.read_text().splitlines()]
    keys = {"decision": "action", "dice": "total", "back": "decision"}
    return [
        " ".join(str(line[key]) for key in ("event", keys.get(line["event"], "event")))
        if line["event"] in keys
        else line["event"]
        for line in found
    ]


def test_the_game_is_the_one_that_apply_gives() -> None:
    """Steps are the players' actions carried out by the rules, one after the other."""
    game, dice, player = case(), KeyedDice(5), Drawn()
    for step in begun(None, seed=5).play():
        assert step.before.key == game.key
        action = player.decide(game, Limit(), lambda: False).action
        assert (step.side, step.action) == (game.decider, action)
        game, events = apply(game, action, dice)
        assert (step.after.key, step.events) == (game.key, events)
    assert game.over


def test_nobody_is_asked_for_the_only_legal_action() -> None:
    asked: list[Game] = []

    class Noting(Drawn):
        def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
            asked.append(game)
            return Drawn.decide(self, game, limit, cancelled)

    session = Session(case(), {side: Noting() for side in SIDES}, KeyedDice(1))
    steps = list(session.play())
    assert [step.before for step in steps if not step.forced] == asked
    assert all(len(legal(step.before)) == 1 for step in steps if step.forced)
    assert all(len(legal(game)) > 1 for game in asked)


def test_players_get_their_limits() -> None:
    seen: dict[str, Limit] = {}

    class Noting(Drawn):
        def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
            seen[game.decider or ""] = limit
            return Drawn.decide(self, game, limit, cancelled)

    seated = [Seat(side="red", player="a", work=7), Seat(side="blue", player="b", seconds=0.5)]
    session = Session.begin(case(), seated, {side: Noting() for side in SIDES}, seed=1)
    for _ in session.play():
        pass
    assert seen == {"red": Limit(None, 7), "blue": Limit(0.5, None)}


def test_what_a_player_says_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "game"

    class Sure(Drawn):
        def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
            action = Drawn.decide(self, game, limit, cancelled).action
            return Decision(action, float("inf"), True, "because", 3, 2.5)

    with Session.begin(case(), seats(), {"red": Sure()}, path, seed=1) as session:
        session.step()
    said = json.loads(path.read_text().splitlines()[1])
    assert (said["exact"], said["reason"]) == (True, "because")
    assert "value" not in said  # what is no number is not told
    told = replay(path).steps[0].decision
    assert told is not None
    assert (told.value_to_mover, told.exact, told.reason) == (None, True, "because")


def test_a_side_that_nobody_plays_is_told_what_to_do(tmp_path: Path) -> None:
    with Session.begin(case(), seats(), {"blue": Drawn()}, seed=1) as session:
        with pytest.raises(NobodyToAskError, match="nobody plays red"):
            session.step()
        do(session, "T1 0304")
        assert session.game.deciding is Deciding.DEFENDER
        session.step()
        assert [step.side for step in session.steps] == ["red", "blue"]


@pytest.mark.parametrize(
    ("text", "said"),
    [("T1 0101", "OVR-13"), ("hold", "OVR-9"), ("T9 0304", "OVR-1"), ("T1 halt", "OVR-4")],
)
def test_an_illegal_action_changes_nothing(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "game"
    with table(path) as session:
        before = path.read_bytes()
        with pytest.raises(IllegalActionError, match=said):
            do(session, text)
        assert (session.steps, path.read_bytes()) == ([], before)


def test_nothing_can_be_done_in_a_game_that_is_over() -> None:
    session = played(None)
    assert session.game.over
    with pytest.raises(ValueError, match="the game is over"):
        session.step()
    with pytest.raises(IllegalActionError):
        do(session, "end")


def test_a_session_needs_a_seed_or_dice(tmp_path: Path) -> None:
    path = tmp_path / "game"
    with pytest.raises(ValueError, match="either a seed or dice"):
        Session.begin(case(), seats(), {}, path)
    with pytest.raises(ValueError, match="either a seed or dice"):
        Session.begin(case(), seats(), {}, path, seed=1, dice=ForcedDice([]))
    played(path)
    with pytest.raises(ValueError, match="dice are for a record without a seed"):
        Session.resume(path, lambda seat: None, ForcedDice([]))
    other = tmp_path / "other"
    table(other).close()
    with pytest.raises(ValueError, match="dice are for a record without a seed"):
        Session.resume(other, lambda seat: None)


# -- taking back ---------------------------------------------------------------------------------


def test_back_to_the_last_decision_of_ones_own(tmp_path: Path) -> None:
    """It takes what came after with it; the record keeps both, and the numbers go on."""
    path = tmp_path / "game"
    with table(path, 7, 8) as session:
        do(session, "T1 0202", "hold", "T1 0302")
        kept = [step.after for step in session.steps]
        do(session, "fire G1:gun")
        session.back("red")
        assert session.game is kept[1]
        do(session, "T1 halt", "T2 0304", "fire G1:gun")
        assert [step.number for step in session.steps] == [1, 2, 5, 6, 7]
    assert lines(path)[5:] == [
        "decision T1 0302",
        "result",
        "decision fire G1:gun",
        "dice 7",
        "result",
        "back 3",
        "decision T1 halt",
        "result",
        "decision T2 0304",
        "result",
        "decision fire G1:gun",
        "dice 8",
        "result",
    ]
    found = replay(path)
    assert found.faults == ()
    assert [step.number for step in found.steps] == [1, 2, 5, 6, 7]
    assert found.game.key == session.game.key


def test_back_again_and_again_to_the_start(tmp_path: Path) -> None:
    path = tmp_path / "game"
    with table(path) as session:
        do(session, "T1 0202", "hold", "T1 halt")
        for left in (2, 0):
            session.back("red")
            assert len(session.steps) == left
        with pytest.raises(NothingToTakeBackError, match="red has made no decision"):
            session.back("red")
        with pytest.raises(NothingToTakeBackError):
            session.back("blue")
        assert session.game is session.start
        do(session, "T2 0304")
        assert session.steps[0].number == 4
    assert replay(path).faults == ()


def test_back_passes_over_what_nobody_was_asked_for(tmp_path: Path) -> None:
    """Both sides' ends of phase are forced here."""
    with begun(tmp_path / "game") as session:
        while session.game.position.turn != 2:
            session.step()
        asked = [step.number for step in session.steps if not step.forced and step.side == "red"]
        assert session.steps[-1].forced
        session.back("red")
        assert session.steps[-1].number == asked[-1] - 1


def test_back_from_the_end_of_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game"
    with begun(path) as session:
        for _ in session.play():
            pass
        session.back("blue")
        assert not session.game.over
        for _ in session.play():
            pass
    found = replay(path)
    assert (found.faults, found.ended) == ((), True)
    assert [line.split()[0] for line in lines(path)].count("end") == 2


def test_the_same_luck_after_taking_back(tmp_path: Path) -> None:
    """The program's dice hang on what is rolled for: taking back is no way to better ones."""
    with begun(tmp_path / "game") as session:
        step = session.step()
        while not any(isinstance(event, Rolled) for event in step.events):
            step = session.step()
        session.back(step.side)
        assert session.do(step.action).events == step.events


# -- going on ------------------------------------------------------------------------------------


def test_dice_that_stop_leave_the_decision_pending(tmp_path: Path) -> None:
    """As when the player at the table goes away in the middle: what was thrown stays thrown."""
    path = tmp_path / "game"
    with table(path) as session:
        do(session, "T1 0304")
        with pytest.raises(ValueError, match="no total is left"):
            do(session, "fire G1:gun with L1")
        before = session.game
        assert (session.pending is not None, len(session.steps)) == (True, 1)
        with pytest.raises(ValueError, match="a decision is pending"):
            do(session, "hold")
    again, found = Session.resume(path, lambda seat: None, ForcedDice([9]))
    with again:
        assert found.pending is not None
        assert again.game.key == before.key
        step = again.step()
        assert format_action(step.before.position, step.action) == "fire G1:gun with L1"
        assert (step.number, again.pending) == (2, None)
        do(again, "hold")
        assert again.steps[-1].number == 3
    assert replay(path).faults == ()


def test_a_pending_decision_can_be_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "game"
    with table(path) as session:
        do(session, "T1 0304")
        with pytest.raises(ValueError, match="no total is left"):
            do(session, "fire G1:gun")
    again, _ = Session.resume(path, lambda seat: None, ForcedDice([]))
    with again:
        again.back("blue")
        do(again, "hold")
        assert [step.number for step in again.steps] == [1, 3]
    found = replay(path)
    assert (found.faults, found.decisions) == ((), 3)


def test_throws_made_before_the_stop_are_not_made_again(tmp_path: Path) -> None:
    """Of an attack and the check that it calls for, the first total stands."""
    path = tmp_path / "game"
    with table(path, 4) as session:
        do(session, "T2 0304", "hold")
        with pytest.raises(ValueError, match="no total is left"):
            do(session, "T2 x0404-0505")
    assert lines(path)[-2:] == ["decision T2 x0404-0505", "dice 4"]
    again, _ = Session.resume(path, lambda seat: None, ForcedDice([12]))
    with again:
        again.step()
    assert lines(path)[-4:] == ["decision T2 x0404-0505", "dice 4", "dice 12", "result"]
    assert replay(path).faults == ()


def test_the_end_is_told_on_going_on(tmp_path: Path) -> None:
    path = tmp_path / "game"
    played(path)
    whole = path.read_bytes()
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    resumed(path).close()
    assert path.read_bytes() == whole


def test_going_on_with_what_breaks_the_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game"
    played(path)
    forged = path.read_text().replace('"action":"T1 0202"', '"action":"T1 0806"')
    path.write_text(forged)
    with pytest.raises(ValueError, match="T1 0806"):
        resumed(path)
    assert path.read_text() == forged
    with pytest.raises(ValueError, match="T1 0806"):  # and it is free again
        resumed(path)


def test_the_score_counts_from_where_the_session_began() -> None:
    """A game handed over in the middle begins anew, as its record does."""
    session = played(None)
    half = session.steps[len(session.steps) // 2].after
    again = Session(half, {side: Drawn() for side in SIDES}, KeyedDice(1))
    assert again.start.started is half.position
    for _ in again.play():
        pass
    assert again.game.key == session.game.key
