from __future__ import annotations

from pathlib import Path

import pytest

from planner.game.actions import parse_action
from planner.game.hexes import Hex, Orientation
from planner.game.numbering import hex_at
from planner.game.play_state import Game
from planner.game.read_scenario import load_game
from planner.interface.board_colours import FIRST_SIDE, SECOND_SIDE, UNDER_WAY
from planner.interface.board_text import (
    View,
    abbreviations,
    draw,
    drawing,
    legend,
    numbering_of,
    stripes,
    view_around,
    view_text,
    whole_view,
)
from tests.gaming import done
from tests.interface.command import TWO_TANKS, variant


def lines(game: Game, view: View | None = None, *, arrows: bool = True) -> list[str]:
    """The map without its colours."""
    drawn = drawing(game, arrows=arrows)
    found = draw(game, drawn, view or whole_view(game.position.board))
    return [line.plain.rstrip() for line in found]


def pointy(folder: Path) -> Game:
    """The same text as a pointy-top map."""
    return load_game(
        Path(
            variant(
                folder,
                ('orientation = "flat"', 'orientation = "pointy"'),
                ('facing = "SE"', 'facing = "E"'),
                ('"0204", "0304"', '"0204", "0304"'),
                ('paths = [{ path = "road", hexes = ["0103", "0203", "0304"] }]', ""),
            )
        )
    )


def test_a_flat_map_is_drawn_column_by_column() -> None:
    assert lines(load_game(TWO_TANKS)) == [
        "",
        "0101      0301      0501      0701",
        "     0201      0401      0601      0801",
        "0102      0302 wood 0502      0702",
        "     0202  T2↘ 0402 -B1  0602      0802",
        "0103= T1↘ 0303      0503      0703",
        "     0203=     0403      0603      0803",
        "0104 wood 0304=-G1↖+0504 buil 0704",
        "     0204      0404'     0604      0804",
        "0105      0305      0505      0705",
        "     0205      0405      0605      0805",
        "0106      0306      0506      0706",
        "     0206      0406      0606      0806",
    ]


def test_a_pointy_map_is_drawn_row_by_row(tmp_path: Path) -> None:
    assert lines(pointy(tmp_path))[:8] == [
        "",
        "0101  0201  0301  0401  0501  0601  0701  0801",
        "                     wood",
        "   0102  0202  0302  0402  0502  0602  0702  0802",
        "       T1→   T2→        -B1",
        "0103  0203  0303  0403  0503  0603  0703  0803",
        "         wood        -G1↖ +      buil",
        "   0104  0204  0304  0404' 0504  0604  0704  0804",
    ]


@pytest.mark.parametrize("orientation", list(Orientation))
def test_neighbours_are_drawn_beside_each_other(orientation: Orientation, tmp_path: Path) -> None:
    """In either map the boxes of neighbours touch, and those of no others."""
    flat = orientation is Orientation.FLAT
    game = load_game(TWO_TANKS) if flat else pointy(tmp_path)
    board, width = game.position.board, drawing(game).width
    text = lines(game)
    places: dict[Hex, tuple[int, int]] = {}
    for hex_ in board.ground:
        found = [(y, line.find(board.name(hex_))) for y, line in enumerate(text)]
        places[hex_] = next((x, y) for y, x in found if x >= 0)
    for a, (ax, ay) in places.items():
        for b, (bx, by) in places.items():
            across, down = abs(ax - bx), abs(ay - by)
            if flat:
                near = (across == width and down == 1) or (across == 0 and down == 2)
            else:
                near = (across == width and down == 0) or (across == width // 2 and down == 2)
            assert near == (a.distance(b) == 1), (board.name(a), board.name(b))


def test_counters_and_ground_have_their_colours() -> None:
    game = done(load_game(TWO_TANKS), "T1 0202")
    text = draw(game, drawing(game), whole_view(game.position.board))
    styles = {
        line.plain[span.start : span.end].strip(): str(span.style)
        for line in text
        for span in line.spans
    }
    seen = {
        "".join(
            line.plain[span.start : span.end] for span in line.spans if str(span.style) == style
        ).strip()
        for style in (FIRST_SIDE, SECOND_SIDE, UNDER_WAY)
        for line in text
    }
    assert {"T2↘", "-B1", "-G1↖+", ">T1↑"} <= seen
    backgrounds = {style for style in styles.values() if style.startswith("black on #")}
    assert len(backgrounds) >= 3  # clear, woods, building


def test_the_afv_under_way_is_on_top_and_marked() -> None:
    game = load_game(TWO_TANKS)
    assert any(" T1↘ " in line for line in lines(game))
    assert any(">T1↑" in line for line in lines(done(game, "T1 0202")))


def test_without_arrows_facings_are_numbers() -> None:
    game = load_game(TWO_TANKS)
    text = lines(game, arrows=False)
    assert "\n".join(text).isascii()
    assert any(" T13 " in line for line in text)
    drawn = drawing(game, arrows=False)
    assert "3 SE" in legend(game, drawn, whole_view(game.position.board))[2]


def test_the_skirmish_fits_eighty_columns() -> None:
    game = load_game("steamroller")
    board = game.position.board
    drawn = drawing(game)
    view = view_around(board, drawn, Hex(0, 0), 80, 24)
    assert view == whole_view(board)
    assert max(map(len, lines(game, view))) <= 80
    assert view_text(board, view) == ""


@pytest.mark.parametrize("width", [20, 40, 80, 200, 1000])
@pytest.mark.parametrize("height", [5, 15, 60])
@pytest.mark.parametrize("focus", ["0101", "2012", "4430"])
def test_a_large_map_is_seen_through_a_window(width: int, height: int, focus: str) -> None:
    game = load_game("ponyri")
    board = game.position.board
    numbering = numbering_of(board)
    hex_ = numbering.parse(focus)
    view = view_around(board, drawing(game), hex_, width, height)
    column, row = numbering.cell_of(hex_)
    assert column in view.columns
    assert row in view.rows
    text = lines(game, view)
    assert len(text) <= max(height, 3)
    assert max(map(len, text)) <= max(width, drawing(game).width)
    assert any(focus in line for line in text)
    assert (view_text(board, view) == "") == (view == whole_view(board))


@pytest.mark.parametrize("width", [5, 33, 80, 500])
def test_stripes_show_every_hex_once(width: int) -> None:
    game = load_game("carentan")
    board = game.position.board
    names = [
        name
        for view in stripes(board, drawing(game), width)
        for line in lines(game, view)
        for name in (board.name(hex_) for hex_ in board.ground)
        if name in line
    ]
    assert sorted(names) == sorted(board.name(hex_) for hex_ in board.ground)


def test_long_ids_are_cut_and_long_names_have_room(tmp_path: Path) -> None:
    path = variant(tmp_path, ('"T1"', '"Panzer-Lehr-1"'))
    text = lines(load_game(Path(path)))
    assert any(" Panze…↘" in line for line in text)
    assert "\n".join(lines(load_game(Path(path)), arrows=False)).isascii()
    assert all("0203" not in line or "0203=" in line for line in text)


def test_words_for_ground_are_all_different() -> None:
    names = ["stone", "stone_a", "stone_b", "stones", "s", "st"]
    words = abbreviations(names)
    assert len(set(words.values())) == len(names)
    assert all(0 < len(word) <= 4 for word in words.values())


def test_the_legend_says_what_is_in_sight() -> None:
    game = load_game("steamroller")
    board = game.position.board
    drawn = drawing(game)
    all_of_it = legend(game, drawn, whole_view(board))
    assert "ston: stone building" in all_of_it[0]
    assert "blank: clear" in all_of_it[0]
    corner = legend(game, drawn, View(range(3), range(6, 8)))
    assert "ston" not in corner[0]
    assert "↗ NE" in corner[2]


def test_objectives_are_marked(tmp_path: Path) -> None:
    objective = 'objectives = [{ hex = "0502", worth = 4 }]\n[map]\n'
    text = "\n".join(lines(load_game(Path(variant(tmp_path, ("[map]\n", objective))))))
    assert "0502*" in text
    assert text.count("*") == 1


def test_the_map_moves_with_the_game() -> None:
    before = load_game(TWO_TANKS)
    after = done(before, "T1 0202", "hold", "T1 halt")
    assert parse_action(after.position, "end")
    assert lines(before) != lines(after)
    assert hex_at(Orientation.FLAT, numbering_of(after.position.board).offset, 1, 1) == (
        after.position.units["T1"].hex
    )
