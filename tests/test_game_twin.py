"""The game against the slow twin of the rules: at every moment of games played at random the same
shots may be declared and the same overruns made, with the same chances; the same hexes entered.

The twin reads the moment from its saved file, so that saving is put to the test too.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from planner.game.actions import Enter, Fire, Overrun
from planner.game.choices import legal
from planner.game.play_state import Deciding, Game
from planner.game.read_scenario import load_game
from planner.game.resolution import outcomes
from planner.game.write_scenario import document
from tests.gaming import from_tables, played_out
from tests.random_positions import random_scenario
from tests.twin.fire import Fire as TwinFire
from tests.twin.fire import Shot, Window
from tests.twin.moves import all_overruns, all_plain_moves
from tests.twin.notation import Move
from tests.twin.state import Facts

FAST = (0, 1, 2, 4, 5, 6)
SLOW = range(100, 500)
Chances = dict[tuple[str, ...], float]


def compare(seed: int, directory: Path) -> Counter[str]:
    scenario, rules = random_scenario(seed, min_lines=1)
    scenario["turns"] = 2
    seen: Counter[str] = Counter()
    start = load_game(from_tables(scenario, rules, directory))
    for game in played_out(start, seed):
        facts = Facts(document(game), rules)
        if game.deciding is Deciding.DEFENDER:
            seen["shots"] += same_shots(game, facts)
        elif game.deciding is Deciding.MOVER:
            seen["overruns"] += same_overruns(game, facts)
            seen["ways"] += same_ways(game, facts)
    return seen


def chances_of(game: Game, action: Any) -> Chances:
    """The chance of all units' statuses together."""
    found: Chances = {}
    for p, after in outcomes(game, action):
        names = tuple(unit.status.name for unit in after.position.units.values())
        assert names not in found, "one outcome is told twice"
        found[names] = p
    return found


def same_shots(game: Game, facts: Facts) -> int:
    under_way = game.under_way
    assert under_way is not None
    opened = under_way.window
    assert opened is not None
    board, afv = game.position.board, game.position.units[under_way.unit]
    assert afv.facing is not None
    window = Window(
        afv.id,
        board.name(afv.hex),
        board.direction_name(afv.facing),
        None if opened.target is None else board.name(opened.target),
        opened.final_made,
        opened.final_leaders,
    )
    twin = TwinFire(facts)
    want = twin.shots(facts.start, window)
    got = [action for action in legal(game) if isinstance(action, Fire)]
    names = sorted((fire.firer, fire.weapon, fire.leader or "") for fire in got)
    assert names == sorted(shot[:3] for shot in want)
    for fire in got:
        final = game.position.units[fire.firer].hex == opened.target
        shot = Shot(fire.firer, fire.weapon, fire.leader or "", final)
        _, ends = twin.after_shot(facts.start, window, shot)
        want_chances = {state.status: float(p) for state, p in ends}
        assert chances_of(game, fire) == pytest.approx(want_chances, abs=1e-12)
    return len(got)


def same_overruns(game: Game, facts: Facts) -> int:
    """Overruns of the hexes next to an AFV."""
    board = game.position.board
    got = [action for action in legal(game) if isinstance(action, Overrun)]
    want = {
        (move.unit, move.target, move.exit)
        for unit in moving(game, facts)
        for move, _ in all_overruns(facts, facts.start, unit)
        if not move.approach
    }
    assert {(o.unit, board.name(o.target), board.name(o.exit)) for o in got} == want
    for made in got:
        target, exit_ = board.name(made.target), board.name(made.exit)
        move = Move(made.unit, (), target, exit_, None, made.weapons)
        ends = TwinFire(facts).attack(facts.start, move)
        want_chances: Chances = {}
        for state, p in ends:
            want_chances[state.status] = want_chances.get(state.status, 0.0) + float(p)
        assert chances_of(game, made) == pytest.approx(want_chances, abs=1e-12)
    return len(got)


def same_ways(game: Game, facts: Facts) -> int:
    """Hexes that may be entered. Where there is room all moves of one hex are; into a full hex the
    AFV may go if some move leads on (the twin goes through no hex twice, the AFV might)."""
    board = game.position.board
    got = {
        (action.unit, board.name(action.hex)) for action in legal(game) if isinstance(action, Enter)
    }
    room: set[tuple[str, str]] = set()
    through: set[tuple[str, str]] = set()
    for unit in moving(game, facts):
        for move, _ in all_plain_moves(facts, facts.start, unit):
            (room if len(move.approach) == 1 else through).add((unit, move.approach[0]))
        for move, _ in all_overruns(facts, facts.start, unit):
            through |= {(unit, name) for name in move.approach[:1]}
    assert room | through <= got
    for unit, name in got - room - through:
        assert not facts.has_room(facts.start, name, unit)
    return len(got)


def moving(game: Game, facts: Facts) -> list[str]:
    """The AFVs that may begin to move or go on."""
    under_way = game.under_way
    return list(facts.units) if under_way is None else [under_way.unit]


def test_as_the_twin(tmp_path: Path) -> None:
    """And there is enough of everything in these games."""
    seen = sum((compare(seed, tmp_path) for seed in FAST), Counter[str]())
    assert all(seen[what] > 10 for what in ("shots", "overruns", "ways"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", SLOW)
def test_many_as_the_twin(seed: int, tmp_path: Path) -> None:
    compare(seed, tmp_path)
