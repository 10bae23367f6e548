"""A game written as a scenario file, which reads back to the same."""

from __future__ import annotations

import json
import os
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import tomli_w

from planner.game import shipped
from planner.game.document import Form
from planner.game.hexes import Hex
from planner.game.play_state import Game, UnderWay
from planner.game.position import Position, Unit
from planner.game.rules import Points
from planner.game.scenario_file import SCENARIO_FORMAT
from planner.game.write_map import map_table


def document(game: Game, rules: str | None = None) -> dict[str, Any]:
    """The tables of a scenario file that holds the game as it stands; what a reader takes for
    granted is left out.

    ``rules`` is what the file calls its rules, as the position was read unless given. What the
    score is counted from is not written: a game that is read begins to count anew.

    Raises:
        ValueError: the board's hexes have no names that a file can hold.
    """
    position = game.position
    written: dict[str, Any] = {
        "format": SCENARIO_FORMAT,
        "title": position.title,
        "notes": position.notes,
        "rules": position.rules_ref if rules is None else rules,
        "to_move": position.to_move,
        "turn": position.turn,
        "turns": position.turns,
        "over": game.over,
        "under_way": _under_way(position, game.under_way),
        "map": map_table(position.board),
        "sides": [
            {"id": side.id, **({"name": side.name} if side.name != side.id else {})}
            for side in position.sides
        ],
        "units": [_unit(position, unit) for unit in position.units.values()],
        "objectives": [
            {
                "hex": position.board.name(objective.hex),
                "worth": _worth(objective.worth),
                **({"held_by": objective.held_by} if objective.held_by is not None else {}),
            }
            for objective in position.objectives
        ],
    }
    needed = {"format", "rules", "to_move", "turn", "turns", "map", "sides", "units"}
    return {key: value for key, value in written.items() if value or key in needed}


def scenario_text(game: Game, form: Form = Form.TOML, rules: str | None = None) -> str:
    """The text of such a file. Arguments and errors as of `document`."""
    written = document(game, rules)
    if form is Form.JSON:
        return json.dumps(written, indent=1, ensure_ascii=False) + "\n"
    # A carriage return would be lost between triple quotes.
    several_lines = "\r" not in game.position.notes
    prose: dict[str, Any] = {
        key: written.pop(key) for key in ("format", "title", "notes") if key in written
    }
    first = tomli_w.dumps(prose, multiline_strings=several_lines)
    return first + _SHORT.sub(_on_one_line, tomli_w.dumps(written, multiline_strings=True))


_SHORT = re.compile(r'\[\n(?: +"[^"\\\n]*",\n)+ *\]')
"""An array of plain texts, one on a line. None of the texts holds a line break."""


def _on_one_line(array: re.Match[str]) -> str:
    items = [line.strip().rstrip(",") for line in array.group().splitlines()[1:-1]]
    line = f"[{', '.join(items)}]"
    return line if len(line) < _WIDTH else array.group()


_WIDTH = 90


def save(game: Game, path: Path, folder: Path | None = None) -> None:
    """Write the game into a file, TOML or JSON by its ending: the whole of it or, if that fails,
    nothing, so that what was there before is not lost.

    ``folder`` is that of the file the game was read from: a path to its rules is written as seen
    from the new file's place.

    Raises:
        OSError: the file can't be written.
        ValueError: as of `document`.
    """
    reference = game.position.rules_ref
    if folder is not None and reference not in shipped.rules_names():
        reference = Path(os.path.relpath(folder / reference, path.parent)).as_posix()
    text = scenario_text(game, Form.of(str(path)), reference)
    place = path.resolve()
    if place.exists() and not place.is_file():  # a pipe or a terminal can't be replaced
        place.write_text(text, encoding="utf-8", newline="\n")
        return
    beside = place.with_name(f".{place.name}.new")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(place)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def _unit(position: Position, unit: Unit) -> dict[str, Any]:
    board, statuses = position.board, position.rules.combat.statuses[unit.kind]
    fresh = next(iter(statuses))
    written: dict[str, Any] = {
        "id": unit.id,
        "side": unit.side,
        "type": unit.type.name,
        "hex": board.name(unit.hex) if unit.carrier is None else None,
        "facing": None if unit.facing is None else board.direction_name(unit.facing),
        "status": unit.status.name if unit.status.name != fresh else None,
        "fired": unit.fired,
        "moved": unit.moved,
        "movement_used": _number(unit.movement_used),
        "passengers": list(unit.passengers),
        "towing": unit.towing,
        "spent": sorted(unit.spent),
    }
    return {key: value for key, value in written.items() if value}


def _under_way(position: Position, under_way: UnderWay | None) -> dict[str, Any] | None:
    if under_way is None:
        return None

    def names(hexes: tuple[Hex, ...]) -> list[str]:
        return [position.board.name(hex_) for hex_ in hexes]

    written: dict[str, Any] = {"unit": under_way.unit, "route": names(under_way.route)}
    window = under_way.window
    if window is not None:
        opened: dict[str, Any] = {
            "target": None if window.target is None else position.board.name(window.target),
            "final_made": sorted(window.final_made),
            "final_leaders": sorted(window.final_leaders),
        }
        written["window"] = {key: value for key, value in opened.items() if value}
    return written


def _number(points: Points) -> int | float:
    """Movement points as a file writes them: at most six decimals, which a float keeps."""
    exact = Fraction(points)
    return exact.numerator if exact.denominator == 1 else float(exact)


def _worth(worth: float) -> int | float:
    return int(worth) if worth.is_integer() else worth
