"""One seed, one game: on any hash seed the same choices, the same dice, the same events."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from hashlib import sha256

import pytest

from planner.game.actions import format_action
from planner.game.chance import KeyedDice
from planner.game.choices import legal
from planner.game.play_state import new_game
from planner.game.read_scenario import load
from planner.game.resolution import apply
from planner.game.write_scenario import scenario_text


def digest(name: str, seed: int) -> str:
    """Of everything that is offered, done, told and saved in a game played at random."""
    rng, dice, found = random.Random(seed), KeyedDice(seed), sha256()
    game = new_game(load(name))
    while not game.over:
        actions = legal(game)
        game, events = apply(game, rng.choice(actions), dice)
        texts = [format_action(game.position, action) for action in actions]
        found.update(repr((texts, events)).encode())
    found.update(scenario_text(game).encode())
    return found.hexdigest()


@pytest.mark.parametrize("name", ["steamroller", "carentan"])
def test_the_same_game_on_any_hash_seed(name: str) -> None:
    code = f"from tests.test_same_game import digest; print(digest({name!r}, 3))"
    for seed in ("0", "4711"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        found = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env=environment,
            check=True,
        )
        assert found.stdout.strip() == digest(name, 3)


def test_another_seed_is_another_game() -> None:
    assert digest("steamroller", 3) != digest("steamroller", 4)
