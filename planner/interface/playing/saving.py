"""A game in the middle saved as a scenario, its rules beside it."""

from __future__ import annotations

from pathlib import Path

import tomli_w

from planner.game import shipped
from planner.game.document import Form
from planner.game.play_state import Game
from planner.game.write_rules import rules_document
from planner.game.write_scenario import scenario_text


def save_game(game: Game, path: Path) -> tuple[Path, ...]:
    """Write the game as a scenario file that is not there yet; rules that don't come with the
    program go into a file beside it, unless that holds them already. The files written.

    Raises:
        OSError: a file can't be written, or is there already; nothing is left of what was.
        ValueError: the board's hexes have no names that a file can hold.
    """
    reference = game.position.rules_ref
    if reference in shipped.rules_names():
        _write(path, scenario_text(game, Form.of(str(path)), reference))
        return (path,)
    beside = path.with_name(f"{path.stem}-rules.toml")
    rules = tomli_w.dumps(rules_document(game.position.rules))
    _write(path, scenario_text(game, Form.of(str(path)), beside.name))
    if _holds(beside, rules):
        return (path,)
    try:
        _write(beside, rules)
    except OSError:
        path.unlink()
        raise
    return (path, beside)


def _holds(path: Path, text: str) -> bool:
    try:
        return path.read_bytes() == text.encode()
    except OSError:
        return False


def _write(path: Path, text: str) -> None:
    with path.open("x", encoding="utf-8", newline="\n") as stream:
        try:
            stream.write(text)
            stream.flush()
        except BaseException:
            path.unlink()
            raise
