"""``overrun apply SCENARIO [MOVE]``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from planner.game import shipped
from planner.game.actions import END, EndPhase
from planner.game.choices import bars
from planner.game.document import Form
from planner.game.faults import shown
from planner.game.hexes import Hex
from planner.game.legality import Reason
from planner.game.moves import PlannedMove
from planner.game.notation import NotationError, parse_move
from planner.game.play_state import Game
from planner.game.position import Position
from planner.game.results import Fate, Result, clashes, parse_result
from planner.game.table_move import (
    after_result,
    cut_short,
    moved_at_table,
    table_bars,
    with_results,
)
from planner.game.turns import after_phase
from planner.game.write_scenario import save, scenario_text
from planner.interface.asked import Asked, Command, json_option
from planner.interface.forms import reason_form, reason_text
from planner.interface.printing import points_form, print_json
from planner.interface.refusals import ExitStatus


@click.command("apply", cls=Command)
@click.argument("scenario")
@click.argument("move", required=False)
@click.option(
    "--result",
    "results",
    metavar="RESULT",
    multiple=True,
    help='What happened: "G1 fired", "T1 destroyed at 0304", "S1:satchel spent", "T1 at 0304/NE", '
    '"S1 on T1" (it gets on; at a hex: it has got off).',
)
@click.option("--out", metavar="FILE", help="Write the scenario there, as JSON if it ends so.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    scenario: str,
    move: str | None,
    results: tuple[str, ...],
    out: str | None,
    as_json: bool,
) -> None:
    """A scenario after what happened on a real table.

    MOVE is a move in quotes ("T1 0304x0404-0505"), which costs its movement points and ends where
    it ends, or "end" for the end of the Movement Phase. Each --result tells one thing that the dice
    did, or an event from outside; an AFV that it puts "at" a hex of its move has stopped there.
    The new scenario is printed unless --out tells where to write it. Exit status 1 when the move
    is not legal.
    """
    asked = Asked()
    game = asked.game(scenario)
    if move is None and not results:
        asked.fault("MOVE", "nothing happened", "a move, end, or --result with what happened")
    told = _results(asked, game.position, results)
    planned = _planned(asked, game.position, move, told)
    asked.done()
    happened = [result for _, result in told]
    reasons, after = _after(game, move, planned, happened)
    if reasons:
        _refuse(game.position, move or "", reasons, as_json=as_json)
        ctx.exit(ExitStatus.NO)
    if out is None:
        _print(after, as_json=as_json)
    else:
        _write(asked, game, after, scenario, out, as_json=as_json)


def _results(asked: Asked, position: Position, texts: tuple[str, ...]) -> list[tuple[int, Result]]:
    """What happened, with each one's number on the command line; each is read as things stand
    after those before it."""
    found: list[tuple[int, Result]] = []
    for index, text in enumerate(texts):
        try:
            result = parse_result(position, text)
        except NotationError as error:
            asked.fault(f"--result[{index}]", f"{shown(text)}: {error.fault}", error.expected)
            continue
        found.append((index, result))
        position = after_result(position, result)
    for later, earlier in clashes([result for _, result in found]):
        number, first = found[later][0], found[earlier][0]
        said = f"{shown(texts[number])} and {shown(texts[first])} can't both be"
        asked.fault(f"--result[{number}]", said, f"what --result[{first}] says, or nothing")
    return found


def _planned(
    asked: Asked, position: Position, text: str | None, told: list[tuple[int, Result]]
) -> tuple[PlannedMove, Hex | None] | None:
    """The move, and the hex where it was stopped; None where there is none to be made."""
    if text is None or text.split() == [END]:
        return None
    try:
        planned = parse_move(position, text)
    except NotationError as error:
        asked.fault("MOVE", f"{shown(text)}: {error.fault}", f"{error.expected}, or {END}")
        return None
    stops = [
        (number, result.hex)
        for number, result in told
        if isinstance(result, Fate) and result.unit == planned.unit and result.hex is not None
    ]
    number, stopped = stops[-1] if stops else (0, None)
    if cut_short(planned, stopped) is None:
        assert stopped is not None
        said = f"{planned.unit} does not stop in {position.board.name(stopped)} on this move"
        entered = [hex_ for index, hex_ in enumerate(planned.path) if index != planned.target]
        names = ", ".join(position.board.name(hex_) for hex_ in entered if hex_ in position.board)
        asked.fault(
            f"--result[{number}]", said, f"one of {names}" if names else "a move that enters it"
        )
    return planned, stopped


def _after(
    game: Game,
    move: str | None,
    planned: tuple[PlannedMove, Hex | None] | None,
    results: list[Result],
) -> tuple[tuple[Reason, ...], Game]:
    """What bars the move, or the game after it and the results."""
    if planned is not None:
        reasons = table_bars(game, *planned)
        return reasons, game if reasons else with_results(moved_at_table(game, *planned), results)
    after = with_results(game, results)
    if move is None:
        return (), after
    reasons = bars(after, EndPhase())
    return reasons, after if reasons else after_phase(after, [])


def _refuse(position: Position, move: str, reasons: tuple[Reason, ...], *, as_json: bool) -> None:
    if as_json:
        forms = [reason_form(position, reason) for reason in reasons]
        print_json({"legal": False, "move": move, "reasons": forms})
        return
    click.echo(f"{move} is not legal:")
    for reason in reasons:
        click.echo(f"  {reason_text(position, reason)}")


def _print(game: Game, *, as_json: bool) -> None:
    click.echo(scenario_text(game, Form.JSON if as_json else Form.TOML), nl=False)


def _write(
    asked: Asked, before: Game, after: Game, scenario: str, out: str, *, as_json: bool
) -> None:
    """Write the file and tell what changed."""
    folder = None if scenario in shipped.scenario_names() else Path(scenario).parent
    try:
        save(after, Path(out), folder)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        asked.fault("--out", f"{shown(out)} can't be written: {reason}", "a file in a folder")
        asked.done()
    changes = list(_changes(before, after))
    if as_json:
        keys = ("what", "key", "before", "after")
        print_json(
            {"file": out, "changes": [dict(zip(keys, change, strict=True)) for change in changes]}
        )
        return
    for what, key, was, is_ in changes:
        click.echo(f"{what}: {key} {_said(was)} -> {_said(is_)}")
    click.echo(f"written to {out}")


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(value) or "none"
    return "none" if value is None else str(value)


_Change = tuple[str, str, object, object]


def _changes(before: Game, after: Game) -> Iterator[_Change]:
    """What changed: of which unit or objective (or of the game), the scenario file's key, and the
    value before and after."""
    for what, was in _values(before):
        for (key, old), new in zip(was.items(), dict(_values(after))[what].values(), strict=True):
            if old != new:
                yield what, key, old, new


def _values(game: Game) -> Iterator[tuple[str, dict[str, object]]]:
    """All that can change, by what it is of."""
    position, under_way = game.position, game.under_way
    board = position.board
    yield (
        "game",
        {
            "to_move": position.to_move,
            "turn": position.turn,
            "over": game.over,
            "under_way": None if under_way is None else under_way.unit,
        },
    )
    for unit in position.units.values():
        yield (
            unit.id,
            {
                "hex": board.name(unit.hex),
                "facing": None if unit.facing is None else board.direction_name(unit.facing),
                "status": unit.status.name,
                "fired": unit.fired,
                "moved": unit.moved,
                "movement_used": points_form(unit.movement_used),
                "spent": sorted(unit.spent),
                "passengers": list(unit.passengers),
                "towing": unit.towing,
            },
        )
    for objective in position.objectives:
        yield f"objective {board.name(objective.hex)}", {"held_by": objective.held_by}
