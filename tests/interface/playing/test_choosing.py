from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.game.actions import Hold, format_action
from planner.game.choices import bars, following, legal
from planner.game.play_state import Deciding, Game
from planner.game.read_scenario import load_game
from planner.game.resolution import apply
from planner.interface.playing.choosing import NoChoiceError, choice_lines, read_choice
from tests.gaming import NO_DICE, done
from tests.interface.command import TWO_TANKS

BEGINNING = load_game(TWO_TANKS)
WINDOW = done(BEGINNING, "T1 0202")
UNDER_WAY = done(WINDOW, "hold")
GAMES = {"beginning": BEGINNING, "window": WINDOW, "under way": UNDER_WAY}

WORDS = ["T1", "T2", "G1", "T9", "0202", "0304", "x0404-0505", "0304x0404-0505", "halt", "halt/NE"]
WORDS += ["stay", "end", "hold", "fire", "G1:gun", "B1:bazooka", "with", "L1", "+S1:lmg", "0304/NE"]


def chosen(game: Game, text: str) -> str:
    """What is done when that is typed."""
    return format_action(game.position, read_choice(game, legal(game), text).action)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_choice_by_its_number_and_by_its_text(game: Game) -> None:
    for number, action in enumerate(legal(game), start=1):
        text = format_action(game.position, action)
        assert chosen(game, str(number)) == chosen(game, text) == text


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_choice_is_listed_once(game: Game) -> None:
    words = " ".join(choice_lines(game, legal(game))).replace(",", " ").replace(":", " ").split()
    for number, action in enumerate(legal(game), start=1):
        last = format_action(game.position, action).replace(":", " ").split()[-1]
        assert last in words
        assert str(number) in words


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@settings(max_examples=150, deadline=None, derandomize=True)
@given(text=st.lists(st.sampled_from(WORDS) | st.text(max_size=6), max_size=5).map(" ".join))
def test_whatever_is_typed_is_legal_or_refused_in_words(game: Game, text: str) -> None:
    said: tuple[str, ...] = ("done",)
    found = None
    try:
        found = read_choice(game, legal(game), text.strip())
    except NoChoiceError as error:
        said = error.lines
    assert said
    assert all(said)
    assert found is None or bars(game, found.action) == ()


@pytest.mark.parametrize(
    ("game", "text", "said"),
    [
        (BEGINNING, "0", "there is no choice 0"),
        (BEGINNING, "24", "there is no choice 24: the choices are 1 to 23"),
        (BEGINNING, "T1 0101", "OVR-13: 0203 and 0101 are not neighbours"),
        (BEGINNING, "T1 stay", "T1 stays unless it is moved"),
        (BEGINNING, "T1 0304x0404", "after the target hex comes the exit hex"),
        (BEGINNING, "hold", "no window of Opportunity Fire is open"),
        (BEGINNING, "nonsense", '"nonsense" is no choice (a number from 1 to 23; UNIT HEX,'),
        (BEGINNING, "1 2", '"1 2" is no choice (a number from 1 to 23;'),
        (BEGINNING, "T9 0304-0305", "there is no unit T9 (AFVs of red: T1, T2)"),
        (BEGINNING, "T1 0399", '"T1 0399": "0399" is not on the map'),
        (WINDOW, "nonsense", "fire UNIT:WEAPON, fire UNIT:WEAPON with LEADER, or hold; or help)"),
        (WINDOW, "T1 0201-0301", "a window is open: fire or hold"),
        (WINDOW, "fire G9:gun", "there is no unit G9"),
        (UNDER_WAY, "T2 0304x0404-0505", "the move of T1 has not ended"),
    ],
)
def test_what_is_said_of_what_is_no_choice(game: Game, text: str, said: str) -> None:
    with pytest.raises(NoChoiceError) as caught:
        read_choice(game, legal(game), text)
    assert said in " ".join(caught.value.lines)


@pytest.mark.parametrize(
    ("game", "text", "meant"),
    [
        (BEGINNING, "t1 0202", "T1 0202"),
        (BEGINNING, "t1 HALT/ne", "T1 halt/NE"),
        (BEGINNING, "END", "end"),
        (WINDOW, "Hold", "hold"),
        (WINDOW, "FIRE g1:GUN", "fire G1:gun"),
        (WINDOW, "fire g1:gun WITH l1", "fire G1:gun with L1"),
    ],
)
def test_capitals_do_not_matter(game: Game, text: str, meant: str) -> None:
    assert chosen(game, text) == meant


@pytest.mark.parametrize(
    ("text", "first", "then"),
    [
        ("T1 0303-0304", "T1 0303", ["T1 0303", "T1 0304", "T1 halt"]),  # from where it stands
        ("T1 0202-0303-0304", "T1 0303", ["T1 0303", "T1 0304", "T1 halt"]),  # all of it
        ("T1 0202-0303-0304/N", None, []),  # too dear at its end
        ("T1 0303", "T1 0303", []),  # a single action
        ("T1 0304x0404-0505", None, []),  # not legal from 0202, nor is it what was begun
        ("T1 0303-0304-0303-0304-0303-0304", None, []),  # too dear
    ],
)
def test_a_written_move_under_way(text: str, first: str | None, then: list[str]) -> None:
    """It may be written from where the AFV stands, or as the whole move was written."""
    game = UNDER_WAY
    if first is None:
        with pytest.raises(NoChoiceError, match="is not legal"):
            chosen(game, text)
        return
    found = read_choice(game, legal(game), text)
    assert format_action(game.position, found.action) == first
    made = []
    while found.move is not None and game.under_way is not None:
        action = following(game, found.move)
        assert action is not None
        made.append(format_action(game.position, action))
        game, _ = apply(game, action, NO_DICE)
        if game.deciding is Deciding.DEFENDER:
            game, _ = apply(game, Hold(), NO_DICE)
    assert made == then


def test_a_written_move_begins_with_its_first_action() -> None:
    found = read_choice(BEGINNING, legal(BEGINNING), "T2 0304x0404-0505")
    assert format_action(BEGINNING.position, found.action) == "T2 0304"
    assert found.move is not None
    single = read_choice(BEGINNING, legal(BEGINNING), "T2 0304")
    assert single.move is None
