"""The names of the package: found, explained, shown at work, and loaded no sooner than used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import planner
from planner.game.play_state import Game
from planner.game.read_scenario import load
from planner.play.hint import hint
from planner.play.session import Session
from planner.search.plan import plan
from tests.interface.command import TWO_TANKS


def test_every_name_is_found_and_listed() -> None:
    assert set(planner.__all__) <= set(dir(planner))
    assert all(getattr(planner, name).__doc__ for name in planner.__all__)
    assert (planner.load, planner.hint, planner.plan) == (load, hint, plan)


@pytest.mark.parametrize("name", planner.__all__)
def test_every_name_is_explained(name: str) -> None:
    assert f"    {name} " in (planner.__doc__ or "")


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'solve'"):
        _ = planner.solve  # type: ignore[attr-defined]


HEAVY = {"Bot", "Differ", "evaluate", "hint", "lines", "plan", "player", "why"}
"""Names that come with arrays, graphs and solvers."""


def test_nothing_is_loaded_before_it_is_used() -> None:
    heavy = "[name in sys.modules for name in ('numpy', 'networkx', 'ortools')]"
    code = (
        f"import sys, planner; print(any({heavy}), 'pydantic' in sys.modules);"
        f"[getattr(planner, name) for name in {{*planner.__all__}} - {HEAVY}]; print(any({heavy}));"
        f"[getattr(planner, name) for name in planner.__all__]; print(*{heavy})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["False False", "False", "True True False"]


# The names for play, each at work.


@pytest.fixture
def game() -> Game:
    return planner.load_game(TWO_TANKS)


def after(game: Game, *texts: str, totals: tuple[int, ...] = ()) -> Game:
    dice = planner.ForcedDice(totals)
    for text in texts:
        game, _ = planner.apply(game, planner.parse_action(game.position, text), dice)
    return game


def test_a_game_begins_in_a_position_or_a_scenario(game: Game) -> None:
    other = planner.new_game(planner.load(TWO_TANKS))
    assert (game.key, game.decider, planner.score(game)) == (
        other.key,
        "red",
        {"red": 0, "blue": 0},
    )


def test_what_is_legal_and_what_bars_the_rest(game: Game) -> None:
    texts = [planner.format_action(game.position, action) for action in planner.legal(game)]
    assert {"T1 0304", "T2 0402", "end"} <= {*texts}
    (reason,) = planner.bars(game, planner.parse_action(game.position, "hold"))
    assert reason.clause.value == "OVR-9"


def test_what_an_action_leads_to(game: Game) -> None:
    under_fire = after(game, "T1 0304")
    assert under_fire.decider == "blue"
    fire = planner.parse_action(under_fire.position, "fire G1:gun")
    found = planner.outcomes(under_fire, fire)
    assert sum(p for p, _ in found) == pytest.approx(1)
    thrown, events = planner.apply(under_fire, fire, planner.KeyedDice("any"))
    assert thrown.key in {one.key for _, one in found}
    assert [type(event).__name__ for event in events][:2] == ["Fired", "Rolled"]
    hit = after(under_fire, "fire G1:gun", totals=(2,))
    assert hit.position.units["T1"].status.name == "immobilised"


def test_the_bot_decides_for_either_side(game: Game) -> None:
    limit = planner.Limit(work=50)
    decision = planner.Bot("ace").decide(game, limit)
    assert planner.format_action(game.position, decision.action) == "T2 0402"
    under_fire, _ = planner.apply(game, decision.action, planner.KeyedDice(1))
    advice = planner.player("ace").decide(under_fire, limit, lambda: False)
    assert planner.format_action(game.position, advice.action) == "fire B1:bazooka"


def test_a_session_is_played_and_recorded(game: Game, tmp_path: Path) -> None:
    seats = [
        planner.Seat(side="red", player="veteran", work=30),
        planner.Seat(side="blue", player="fire-at-once"),
    ]
    players = {seat.side: planner.player(seat.player, seat.own_loss) for seat in seats}
    record = tmp_path / "game.jsonl"
    with planner.Session.begin(game, seats, players, record, seed=7) as session:
        steps = list(session.play())
    assert session.game.over
    assert sum(planner.score(session.game).values()) == pytest.approx(0)
    again, found = Session.resume(record, lambda seat: None)
    again.close()
    assert [step.action for step in found.steps] == [step.action for step in steps]


@pytest.mark.parametrize("differ", planner.Differ)
def test_the_plans_of_a_list_differ_as_asked(differ: planner.Differ) -> None:
    position = planner.load("steamroller")
    found = planner.hint(position, planner.Limit(work=60), plans=9, differ=differ).plans
    overruns = {
        frozenset((move.unit, move.path[-2:]) for move in one.moves if move.target is not None)
        for one in found
    }
    assert (len(overruns) < len(found)) is (differ is planner.Differ.MOVES)
