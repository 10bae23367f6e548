"""What a shot that is held back is kept for: the case of the model page, and an obvious walk of the
tree under best play."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from planner.game.actions import Action, EndPhase, Fire, Hold
from planner.game.choices import legal
from planner.game.play_state import Deciding, Game, new_game
from planner.game.resolution import outcomes
from planner.play.bot import Bot
from planner.play.generated import position
from planner.play.kept import SELDOM, held_back, kept_on_tree
from planner.play.lookahead import Lookahead
from planner.search.effort import Limit, nothing
from tests.gaming import action, done
from tests.play.small_phases import named
from tests.situations import two_tanks

WORK = Limit(work=300)


def waiting() -> Game:
    """T2 is before the two guns, the bazooka is spent in vain; T1 has yet to come."""
    return done(new_game(two_tanks()), "T2 0402", "fire B1:bazooka", dice=[12])


@pytest.mark.parametrize(
    ("level", "why"),
    [
        ("ace", "G1 is kept for T1, at which it fires later with 100 %"),
        (
            "veteran",
            "G1 is kept for T1, at which it fires later with 100 % if the mover plays "
            "T2 x0503-0603, then T1 0304x0404-0505",
        ),
    ],
)
def test_who_holds_says_for_whom_the_shot_is_kept(level: str, why: str) -> None:
    told = Bot(level).decide(waiting(), WORK).reason
    assert told.startswith("hold leaves the mover +2.53")
    assert told.endswith(f"(fire G1:gun with L1) +4.25; {why}")
    assert Bot(level).advise(waiting(), WORK).reason == told


@pytest.mark.parametrize("level", ["ace", "veteran"])
@pytest.mark.parametrize(
    ("texts", "dice"),
    [
        pytest.param(["fire B1:bazooka", "T2 0402"], [2], id="immobilised"),
        pytest.param(["fire B1:bazooka", "hold", "T1 halt", "T2 0402"], [12], id="it has moved"),
    ],
)
def test_nothing_is_kept_for_an_afv_that_will_not_come(
    texts: list[str], dice: list[int], level: str
) -> None:
    """The same window, T1 out of it: the gun fires at T2."""
    game = done(new_game(two_tanks()), "T1 0304", *texts, dice=dice)
    told = Bot(level).decide(game, WORK).reason
    assert told.startswith("fire G1:gun with L1 leaves the mover -2.24")
    assert "kept" not in told


def moments(number: int) -> Iterator[tuple[Lookahead, Game, str]]:
    """Moments of a phase in which a shot is best held back."""
    one = named(number)
    look = Lookahead(one.own_loss)
    for game in [*one.twin.games.values()]:
        if game.deciding is Deciding.DEFENDER and look.best(game)[0] == Hold():
            firer = held_back(game, dict(look.options(game)))
            if firer is not None:
                yield look, game, firer


def chances(look: Lookahead, game: Game, firer: str, weight: float) -> Iterator[tuple[str, float]]:
    """At which AFV's move a unit fires from a moment on, and with what chance, every result of
    everything looked at; Final Opportunity Fire apart."""
    if game.deciding is Deciding.NOBODY:
        return
    action: Action = look.best(game)[0]
    if isinstance(action, EndPhase):
        return
    ends = game.under_way.window if game.under_way is not None else None
    final = ends is not None and ends.target == game.position.units[firer].hex
    if isinstance(action, Fire) and action.firer == firer and not final:
        assert game.under_way is not None
        yield game.under_way.unit, weight
        return
    for p, after in outcomes(game, action):
        yield from chances(look, after, firer, weight * p)


def compare(number: int) -> int:
    """How many moments are told in full, each as the walk has it."""
    seen = 0
    for look, game, firer in moments(number):
        [(_, held)] = outcomes(game, Hold())
        kept = kept_on_tree(look, held, firer, nothing)
        want: dict[str, float] = {}
        for afv, p in chances(look, held, firer, 1.0):
            want[afv] = want.get(afv, 0.0) + p
        if kept is None:
            continue
        assert kept.firer == firer
        if kept.followed > 1.0 - 1e-9:
            assert kept.chance == pytest.approx(want[kept.afv])
            assert kept.chance == pytest.approx(max(want.values()))
            assert "at least" not in kept.told
            seen += 1
        else:
            assert SELDOM <= kept.chance <= want[kept.afv] + 1e-9
            assert "at least" in kept.told
    return seen


@pytest.mark.parametrize("number", [315])
def test_the_chance_is_that_of_all_that_may_follow(number: int) -> None:
    assert compare(number) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("number", [5, 65, 113, 471, 771, 905])
def test_the_chance_is_that_of_all_that_may_follow_in_more_phases(number: int) -> None:
    assert compare(number) >= 4


def test_a_shot_that_is_better_made_is_not_held_back() -> None:
    game = done(new_game(two_tanks()), "T2 0402")
    values = dict(Lookahead().options(game))
    assert held_back(game, values) is None
    assert held_back(game, dict.fromkeys(legal(game), 0.0)) is None


def test_final_opportunity_fire_is_no_shot_that_was_kept() -> None:
    """In this generated company an overrun gun may fire again: no chance is above one."""
    game = new_game(position("company", 58))
    for text in ("T03 x1412-1512", "T02 1012"):
        game = max(outcomes(game, action(game, text)), key=lambda each: each[0])[1]
    assert game.deciding is Deciding.DEFENDER
    reason = Bot("veteran").decide(game, Limit(work=400)).reason
    (chance,) = re.findall(r"fires later with (\d+) %", reason)
    assert int(chance) <= 100, reason
