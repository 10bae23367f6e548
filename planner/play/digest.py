"""A number drawn from a moment of a game: chance that is the same on any machine."""

from __future__ import annotations

from hashlib import blake2b

from planner.game.play_state import Game


def digest(game: Game, salt: str = "") -> int:
    """64 bits that hang on all that the rules look at in a game (`Game.key`) and on ``salt``.

    The same for alike moments whatever the hash seed; for others it is as good as drawn by lot.
    """
    position, way = game.position, game.under_way
    parts = [salt, position.to_move, str(position.turn), str(game.over)]
    if way is not None:
        parts += [way.unit, *(str(hex_) for hex_ in way.route)]
        if way.window is not None:
            window = way.window
            parts += [str(window.target), *sorted(window.final_made), *sorted(window.final_leaders)]
    parts += [str(objective.held_by) for objective in position.objectives]
    for unit in position.units.values():
        facing = "" if unit.facing is None else unit.facing.name
        flags = f"{unit.status.name}|{unit.fired}|{unit.moved}|{unit.movement_used}"
        parts.append(f"{unit.id}|{unit.hex}|{facing}|{flags}|{sorted(unit.spent)}")
    text = "\n".join(parts).encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")
