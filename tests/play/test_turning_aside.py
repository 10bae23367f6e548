"""Inside a move, in positions far too large to solve: what came of the first window decides whether
the AFV goes on as it meant to, turns aside, or stops short."""

from __future__ import annotations

from functools import cache

import pytest

import planner
from planner.game.actions import EndPhase, Hold, format_action
from planner.game.play_state import Deciding, Game, new_game
from planner.game.resolution import outcomes
from planner.play.bot import Bot
from planner.play.generated import position
from planner.play.lookahead import Lookahead, TooLarge
from planner.search.effort import Limit
from tests.gaming import action, done

WORK = Limit(work=150)
LEVELS = ("veteran", "ace")


@cache
def start(name: str) -> Game:
    """A generated company of that number (6 AFVs, 18 enemy units), or a shipped scenario."""
    generated = name.removeprefix("company ")
    if generated != name:
        return new_game(position("company", int(generated)))
    return new_game(planner.load(name))


def came_of(game: Game, reply: str, status: str) -> Game:
    """The game after the defender's reply with that result for the AFV, the window closed."""
    assert game.under_way is not None
    unit = game.under_way.unit
    found = [
        after
        for _, after in outcomes(game, action(game, reply))
        if after.position.units[unit].status.name == status
    ]
    assert len(found) == 1
    if found[0].deciding is Deciding.DEFENDER:
        [(_, closed)] = outcomes(found[0], Hold())
        return closed
    return found[0]


CASES = [
    pytest.param(
        "company 50",
        "T04 0811",
        {
            ("hold", "ready"): "T04 0911",
            ("fire G12:50mm", "ready"): "T04 0912",
            ("fire G12:50mm", "shaken"): "T04 halt",
        },
        id="past the gun once it has fired",
    ),
    pytest.param(
        "company 45",
        "T01 1214",
        {
            ("fire G17:37mm", "ready"): "T01 1314",
            ("fire G18:37mm", "ready"): "T01 1114",
            ("fire G18:37mm", "shaken"): "T01 halt",
        },
        id="to the side of the gun that has fired",
    ),
]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("name", "begins", "then"), CASES)
def test_the_first_window_decides(
    name: str, begins: str, then: dict[tuple[str, str], str], level: str
) -> None:
    game = start(name)
    with pytest.raises(TooLarge):
        Lookahead().value(game)
    opened = done(game, begins)
    for (reply, status), best in then.items():
        now = came_of(opened, reply, status)
        chosen = Bot(level).decide(now, WORK).action
        assert format_action(now.position, chosen) == best, (reply, status)


@pytest.mark.parametrize(("name", "begins", "then"), CASES)
def test_what_is_best_after_one_result_is_worse_after_another(
    name: str, begins: str, then: dict[tuple[str, str], str]
) -> None:
    """By the values that it finds, not by a tie (but when it is shaken it can make no overrun, and
    any hex is as good)."""
    game = start(name)
    offered = {o.action: o.value_to_mover for o in Bot("veteran").advise(game, WORK).options}
    assert (offered[action(game, begins)] or 0.0) > (offered[EndPhase()] or 0.0) + 1.0
    opened = done(game, begins)
    values: dict[tuple[str, str], dict[str, float]] = {}
    for reply, status in then:
        now = came_of(opened, reply, status)
        options = Bot("veteran").advise(now, WORK).options
        values[reply, status] = {
            format_action(now.position, option.action): option.value_to_mover
            for option in options
            if option.value_to_mover is not None
        }
    able = {result: best for result, best in then.items() if result[1] == "ready"}
    assert len({*able.values()}) == 2
    for result, best in able.items():
        for other in {*able.values()} - {best}:
            assert values[result][best] > values[result][other] + 1.0, (result, other)


def test_who_can_do_no_more_leaves_what_the_others_bring() -> None:
    """C2 is shaken and just turns where it is; what C1 and X1 are worth after it is counted."""
    game = came_of(done(start("steamroller"), "C2 0607"), "fire P1:50mm", "shaken")
    advice = Bot("veteran").advise(game, WORK)
    assert advice.reason.startswith("no overrun is worth making now; C2 /N costs 0.00")
    values = {option.action: option.value_to_mover for option in advice.options}
    assert advice.value_to_mover == pytest.approx(values[action(game, "C2 halt")])
    assert advice.value_to_mover is not None
    assert advice.value_to_mover > 4.0
