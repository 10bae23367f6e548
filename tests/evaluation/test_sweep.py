"""Windows settled on arrays against one cell after another, by numpy and by the compiled loop."""

from __future__ import annotations

import random
from concurrent.futures import Future

import numpy as np
import pytest

import evaluation.kernels
import evaluation.sweep
from evaluation.chain import Choice, Fire, Link, Payload
from evaluation.effects import Effects
from evaluation.kernels import (
    SettleCells,
    _settle_cells,
    settle_cells,
    settle_cells_when_ready,
)
from evaluation.sweep import make_sweep
from tests.evaluation.fights import RULES, TANK

NOTHING: Payload = Fire((), False)


def draw_link(rng: random.Random, effects: int) -> Link:
    """One group's classes; every shot leads to a lower number."""
    size = rng.randint(1, 5)
    choices = tuple(
        tuple(
            Choice(
                rng.randrange(effects),
                rng.choice([0.0, 0.0, 0.7]),
                rng.randrange(number),
                ("", "", ""),
            )
            for _ in range(rng.choice([0, 1, 2, 3]) if number else 0)
        )
        for number in range(size)
    )
    return Link(NOTHING, size, np.zeros(size, dtype=np.intp), choices=choices)


@pytest.mark.parametrize("large", [0, 10**9])
@pytest.mark.parametrize("seed", range(25))
def test_every_cell_is_the_least_of_holding_and_of_every_shot(
    seed: int, large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluation.sweep, "LARGE", large)
    assert settle_cells_when_ready() is not None  # so that the compiled loop is what is tested
    rng = random.Random(seed)
    effects = Effects(RULES)
    known = [effects.number(TANK, strength, cover) for strength, cover in ((0, 0), (2, 0), (4, 1))]
    links = [draw_link(rng, len(known)) for _ in range(rng.randint(1, 3))]
    sizes = [link.size for link in links]
    held = np.random.default_rng(seed).normal(size=(int(np.prod(sizes)), rng.randint(1, 4), 4))
    found = held.copy()
    make_sweep(links).run(found, effects)
    want = held.copy().reshape(*sizes, *held.shape[1:])
    for cell in np.ndindex(*sizes):
        for i, link in enumerate(links):
            for choice in link.choices[cell[i]]:
                after = want[(*cell[:i], choice.to, *cell[i + 1 :])]
                worth = after @ effects.matrix(choice.effect).T + choice.price
                want[cell] = np.minimum(want[cell], worth)
    assert found == pytest.approx(want.reshape(held.shape), abs=1e-12)


def test_the_compiled_loop_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting: Future[SettleCells | None] = Future()
    monkeypatch.setattr(evaluation.kernels, "_begun", lambda: waiting)
    assert settle_cells() is None
    ready: SettleCells = _settle_cells
    waiting.set_result(ready)
    assert settle_cells() is ready
    assert settle_cells_when_ready() is ready
