"""The plain players."""

from __future__ import annotations

import pytest

from planner.game.actions import Action, EndPhase, Fire, Hold, format_action
from planner.game.chance import KeyedDice
from planner.game.choices import bars, legal
from planner.game.play_state import Deciding, Game, new_game
from planner.game.position import Position
from planner.game.resolution import apply
from planner.play.baselines import FireAtOnce, HoldForTheRear, OwnBestLine, RandomLegal
from planner.play.digest import digest
from planner.play.player import Player
from planner.search.effort import Limit, never
from tests.situations import blue, red, situation, two_tanks


def decided(player: Player, game: Game) -> Action:
    return player.decide(game, Limit(), never).action


def test_own_line_is_blind_to_the_others() -> None:
    """Either overrun alone loses in the case of the two tanks, so neither is made."""
    assert decided(OwnBestLine(), new_game(two_tanks())) == EndPhase()


def test_own_line_takes_the_best_line_of_the_first_afv_that_has_one() -> None:
    position = situation(
        red("T1", "tank", "0203", "SE"),
        red("T2", "tank", "0201", "SE"),
        blue("S1", "squad", "0304"),
    )
    game = new_game(position)
    action = decided(OwnBestLine(), game)
    assert format_action(position, action).startswith("T1 ")
    assert not bars(game, action)


def test_own_line_minds_its_own_loss_weight() -> None:
    position = situation(
        red("T1", "tank", "0203", "SE"),
        blue("S1", "squad", "0304"),
        blue("G1", "at_gun", "0504", "NW"),
    )
    bold, careful = OwnBestLine(0.0), OwnBestLine(50.0)
    assert decided(bold, new_game(position)) != EndPhase()
    assert decided(careful, new_game(position)) == EndPhase()


FIRES = situation(
    red("T1", "tank", "0203", "SE"),
    blue("G1", "at_gun", "0503", "NW"),
    blue("S1", "squad", "0404"),
)
"""The gun looks at the front of a tank that comes nearer."""
REAR = situation(
    red("T1", "tank", "0203", "NW"),
    blue("G1", "at_gun", "0503", "NW"),
)
"""The tank shows its rear as it goes away."""


@pytest.mark.parametrize(
    ("player", "position", "move", "fires"),
    [
        (FireAtOnce(), FIRES, "T1 0304", True),
        (HoldForTheRear(), FIRES, "T1 0304", False),
        (FireAtOnce(), REAR, "T1 0103", True),
        (HoldForTheRear(), REAR, "T1 0103", True),
    ],
)
def test_who_fires_when(player: Player, position: Position, move: str, *, fires: bool) -> None:
    game = new_game(position)
    action = next(a for a in legal(game) if format_action(game.position, a) == move)
    game, _ = apply(game, action, KeyedDice(1))
    assert game.deciding is Deciding.DEFENDER
    assert isinstance(decided(player, game), Fire if fires else Hold)


@pytest.mark.parametrize("player", [OwnBestLine(), FireAtOnce(), HoldForTheRear()])
def test_the_other_side_is_refused(player: Player) -> None:
    game = new_game(FIRES)
    if not isinstance(player, OwnBestLine):
        with pytest.raises(ValueError, match="for the defender only"):
            player.decide(game, Limit(), never)
        return
    action = next(a for a in legal(game) if format_action(game.position, a) == "T1 0304")
    game, _ = apply(game, action, KeyedDice(1))
    with pytest.raises(ValueError, match="for the mover only"):
        player.decide(game, Limit(), never)


def test_random_is_legal_and_hangs_on_its_seed() -> None:
    game = new_game(two_tanks())
    actions = {decided(RandomLegal(seed), game) for seed in range(40)}
    assert len(actions) > 5
    assert not any(bars(game, action) for action in actions)
    assert decided(RandomLegal(3), game) == decided(RandomLegal(3), new_game(two_tanks()))


def test_digest_tells_moments_apart_and_nothing_else() -> None:
    position = two_tanks()
    game = new_game(position)
    assert digest(game) == digest(new_game(two_tanks()))
    assert digest(game, "a") != digest(game)
    changed = position.with_units(turn=2)
    assert digest(new_game(changed)) != digest(game)
    # A number written down: another machine or hash seed must find the same.
    assert digest(game) % 1000 == 862


def test_games_of_plain_players_end() -> None:
    position = two_tanks()
    for mover in (RandomLegal(1), RandomLegal(2), OwnBestLine()):
        for defender in (FireAtOnce(), HoldForTheRear()):
            game, dice = new_game(position), KeyedDice(5)
            for _ in range(500):
                if game.over:
                    break
                mine = game.deciding is Deciding.MOVER
                game, _ = apply(game, decided(mover if mine else defender, game), dice)
            assert game.over
