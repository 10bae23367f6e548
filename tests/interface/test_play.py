from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from planner.game.choices import legal
from planner.game.play_state import Game
from planner.game.read_scenario import load_game
from planner.interface.playing.dialogue import Dialogue, typed
from planner.interface.playing.own_dice import OwnDice
from planner.interface.program import overrun
from planner.play.player import Decision
from planner.play.record_file import HUMAN, Seat
from planner.play.replay import Replay, replay
from planner.play.session import Session
from planner.search.effort import Cancelled, Limit
from tests.interface.command import TWO_TANKS, answer, faults, variant

ARGUMENTS = [sys.executable, "-c", "from planner.interface.cli import main; main()"]
CHEAP = ("--level", "random/hold-for-the-rear", "--work", "1")


def play(record: Path, *typed: str, more: tuple[str, ...] = (), seed: int | None = 3) -> Result:
    """Play the two-tanks case with these lines typed."""
    command = ["play", TWO_TANKS, "--record", str(record), *(more or CHEAP)]
    command += [] if seed is None else ["--seed", str(seed)]
    return CliRunner().invoke(
        overrun, command, input="".join(f"{line}\n" for line in typed), catch_exceptions=False
    )


def told(record: Path) -> Replay:
    found = replay(record)
    assert found.faults == ()
    return found


def actions(record: Path) -> list[str]:
    """The decisions that stand."""
    return [step["action"] for step in answer("replay", str(record))["steps"]]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def test_a_game_to_its_end(record: Path) -> None:
    result = play(record, "T2 0402x0503-0603", "end", "end", "end")
    assert result.exit_code == 0
    assert "T2 overruns B1 in 0503" in result.stdout
    assert "score: red" in result.stdout
    assert "--resume" not in result.stdout
    assert told(record).game.over


def test_quit_end_of_input_and_resume(record: Path) -> None:
    """However it is left, what was done is there, and it says how to go on."""
    result = play(record, "T1 0202", "quit")
    assert (result.exit_code, f"overrun replay {record} --resume" in result.stdout) == (0, True)
    result = resume(record, "T1 halt")  # and then nothing more comes
    assert (result.exit_code, f"overrun replay {record} --resume" in result.stdout) == (0, True)
    assert "you" in result.stdout
    assert actions(record)[:1] + actions(record)[-1:] == ["T1 0202", "T1 halt"]
    assert resume(record, "end", "end", "end").exit_code == 0
    assert told(record).game.over


def resume(record: Path, *typed: str) -> Result:
    text = "".join(f"{line}\n" for line in typed)
    arguments = ["replay", str(record), "--resume"]
    return CliRunner().invoke(overrun, arguments, input=text, catch_exceptions=False)


def test_by_number_and_by_notation(record: Path) -> None:
    result = play(record, "3", "quit")
    assert "3 0202" in result.stdout
    assert actions(record)[0] == "T1 0202"


def test_a_written_move_is_made_step_by_step(record: Path) -> None:
    play(record, "T2 0402x0503-0603", "quit")
    assert [text for text in actions(record) if text.startswith("T2")] == [
        "T2 0402",
        "T2 x0503-0603",
    ]


def test_a_written_move_with_a_last_turn(record: Path) -> None:
    more = ("--side", "red", "--side", "blue")
    play(record, "T1 0202-0201/SE", "hold", "hold", "quit", more=more)
    mine = [text for text in actions(record) if text.startswith("T1")]
    assert mine == ["T1 0202", "T1 0201", "T1 halt/SE"]


def test_a_result_stops_a_written_move(record: Path) -> None:
    more = ("--side", "red", "--side", "blue", "--dice", "own")
    play(record, "T2 0304x0404-0505", "fire G1:gun", "12", "quit", more=more, seed=None)
    assert actions(record) == ["T2 0304", "fire G1:gun"]


BAD = [
    "",
    "   ",
    "0",
    "999",
    "-1",
    "9" * 30,
    "T1",
    "T1 ",
    "T9 0304",
    "T1 0101",
    "T1 0999",
    "T1 x0404",
    "T1 x0404-0405",
    "T1 0304x0404",
    "T1 0304x0404-0505x0606",
    "T1 stay",
    "T1 halt",
    "T1 halt/E",
    "T1 halt/SE",
    "G1 0405",
    "fire",
    "fire G1:gun",
    "fire G1:",
    "hold",
    "why T9 x0404-0505",
    "why fire G1:gun",
    "why",
    "map 9999",
    "map north",
    "look",
    "look 99",
    "save",
    "save /no/such/folder/file.toml",
    "hint soon",
    "hint -1",
    "hint nan",
    "hint 1e9",
    "back",
    "dance",
    "\x1b[2J",
    "é ü 戦車",
    "+ - x / :",
    "T1 0202 +S1:",
    "T1 x0404-0505 +S1:nothing",
    "T1 -",
    "T1 x",
    "T1 /",
]


@pytest.mark.parametrize("bad", BAD)
def test_nothing_that_is_typed_ends_the_game(bad: str, record: Path) -> None:
    result = play(record, bad, "T1 0202", "quit")
    assert (result.exit_code, result.exception) == (0, None)
    assert "Traceback" not in result.output
    assert actions(record)[0] == "T1 0202"


def test_bad_input_in_a_window(record: Path) -> None:
    more = ("--side", "red", "--side", "blue")
    bad = ("T1 halt", "T2 0402", "end", "fire G9:gun", "fire G1:gun with T1", "77", "T1 0202-0201")
    result = play(record, "T1 0304", *bad, "hold", "quit", more=more)
    assert result.exit_code == 0
    assert "a window is open" in result.stdout
    assert actions(record) == ["T1 0304", "hold"]


def test_what_bars_an_action_is_told_by_clause(record: Path) -> None:
    result = play(record, "T1 0101", "T1 0304x0404-0505", "why T2 x0404-0505", "quit")
    assert "OVR-13: 0203 and 0101 are not neighbours" in result.stdout
    assert "T2 x0404-0505 is not legal:" in result.stdout


def test_the_other_commands(record: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved.toml"
    typed = ("help", "units", "legend", "list", "map", "map all", "map 0404", "look 0404")
    result = play(record, *typed, "why T1 0202", f"save {saved}", f"save {saved}", "quit")
    for words in (
        "take back your last decision",
        "G1 (at_gun; 0404/NW, ready)",
        "0404: clear, level 0, foxholes",
        "T1 0202 is legal",
        "can't be written: File exists",
    ):
        assert words in result.stdout
    assert load_game(str(saved)).key == load_game(TWO_TANKS).key


def test_the_overruns_that_can_be_made_are_told(record: Path) -> None:
    """Between moves of every AFV, in a move of the one under way, in its last window none."""
    more = ("--side", "red", "--side", "blue")
    typed_in = ("lines", "T1 0304", "lines", "hold", "T1 x0404-0505", "lines", "quit")
    shown = play(record, *typed_in, more=more).stdout
    first, second, third = (part.split("> ")[0] for part in shown.split("> lines\n")[1:])
    moves = [line.split("   ")[0].strip() for line in first.splitlines() if "strikes" in line]
    assert moves == [line["move"] for line in answer("lines", TWO_TANKS)]
    assert [line.strip() for line in second.splitlines() if "strikes" in line] == [
        "T1 x0404-0505   4 of 7 MP   strikes G1 and L1",
        "T1 0403x0503-0602   6 of 7 MP   strikes B1",
    ]
    assert "no overrun is legal for red" in third


def test_take_back(record: Path) -> None:
    play(record, "T1 0202", "back", "T2 0402", "quit")
    steps = answer("replay", str(record))["steps"]
    assert [(s["action"], s["taken_back"]) for s in steps if s["side"] == "red"][:2] == [
        ("T1 0202", True),
        ("T2 0402", False),
    ]


def test_who_plays_both_sides_takes_back_what_was_done_last(record: Path) -> None:
    more = ("--side", "red", "--side", "blue")
    result = play(record, "T1 0304", "back", "T1 0202", "hold", "back", "back", "quit", more=more)
    undone = [line for line in result.stdout.splitlines() if line.startswith("taken back")]
    assert undone == ["taken back: T1 0304", "taken back: hold", "taken back: T1 0202"]
    told_off = [(s["action"], s["taken_back"]) for s in answer("replay", str(record))["steps"]]
    assert told_off == [("T1 0304", True), ("T1 0202", True), ("hold", True)]


def test_hints_for_both_sides(record: Path) -> None:
    more = ("--side", "red", "--side", "blue", "--own-loss", "2")
    typed = ("hint 0.2", "T1 0304", "hint 0.2", "hold", "hint 0.2", "quit")
    result = play(record, *typed, more=more)
    assert result.exit_code == 0
    assert result.stdout.count("Do now:") == 3
    assert "it leaves the mover" in result.stdout  # the defender's
    assert "worth to you" in result.stdout  # in the middle of a move


def test_the_defender_plays(record: Path) -> None:
    more = ("--side", "blue", *CHEAP)
    result = play(record, *(["1"] * 60), more=more)
    assert result.exit_code == 0
    assert "blue may fire at T" in result.stdout
    assert "odds:" in result.stdout or "hold" in result.stdout
    assert told(record).game.over


def test_own_dice_are_asked_for(record: Path) -> None:
    """A throw that can't be is refused; what was thrown stands after a stop."""
    more = ("--side", "red", "--side", "blue", "--dice", "own")
    typed = ("T2 0304", "fire G1:gun", "13", "6 7", "seven", "4 5")
    result = play(record, *typed, more=more, seed=None)
    assert "Roll 2d6: the shot of G1 at T2 in 0304; column" in result.stdout
    assert "needed on the dice:" in result.stdout
    assert result.stdout.count("Give the total, or each die") == 3
    assert answer("replay", str(record))["steps"][1]["dice"] == [9]
    assert told(record).setup.seed is None


@pytest.mark.parametrize("last", [(), ("quit",), ("Quit ",)])
def test_a_stop_at_the_dice_keeps_the_decision(last: tuple[str, ...], record: Path) -> None:
    more = ("--side", "red", "--side", "blue", "--dice", "own")
    result = play(record, "T2 0304", "fire G1:gun", *last, more=more, seed=None)
    assert (result.exit_code, "--resume" in result.stdout) == (0, True)
    assert answer("replay", str(record))["pending"] == "fire G1:gun"
    result = resume(record, "7")
    assert "decided already, and to be carried out now:\nblue: fire G1:gun\n" in result.stdout
    assert answer("replay", str(record))["pending"] is None


def test_the_bot_plays_both_and_the_same_again(record: Path) -> None:
    arguments = ["play", TWO_TANKS, "--bot-both", "--work", "5", "--seed", "1"]
    result = CliRunner().invoke(
        overrun, [*arguments, "--record", str(record), "--json"], catch_exceptions=False
    )
    assert result.exit_code == 0
    form = json.loads(result.stdout)
    assert (form["over"], form["record"]) == (True, str(record))
    assert "the bot (ace), 5 units of work a decision" in result.stderr
    assert told(record).ended
    again = record.with_name("again.jsonl")
    CliRunner().invoke(overrun, [*arguments, "--record", str(again)], catch_exceptions=False)
    assert again.read_bytes() == record.read_bytes()


def test_the_same_bytes_whatever_the_hash_seed(tmp_path: Path) -> None:
    found = []
    for hash_seed in ("1", "2"):
        path = tmp_path / hash_seed
        command = [*ARGUMENTS, "play", TWO_TANKS, "--record", str(path), "--seed", "1"]
        env = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [*command, "--bot-both", "--work", "3"], capture_output=True, check=True, env=env
        )
        found.append((path.read_bytes(), done.stdout.replace(str(path).encode(), b"")))
    assert found[0] == found[1]


def test_a_record_that_can_not_be_written_any_more(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game stops and says why; what was recorded stays."""
    real = os.fsync
    count = [0]

    def fsync(descriptor: int) -> None:
        count[0] += 1
        if count[0] > 6:
            raise OSError(28, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    result = play(record, *(["1"] * 30))
    assert result.exit_code == 2
    assert "can't be written: No space left on device; the game stops here" in result.stderr
    assert "--resume" in result.stdout
    monkeypatch.undo()
    assert len(told(record).record.lines) == 5


def test_the_record_goes_to_the_players_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("planner.interface.playing.places.user_data_path", lambda *a, **k: tmp_path)
    arguments = ["play", TWO_TANKS, *CHEAP]
    for _ in range(2):
        result = CliRunner().invoke(overrun, arguments, input="quit\n", catch_exceptions=False)
        assert result.exit_code == 0
    files = list((tmp_path / "records").iterdir())
    assert len(files) == 2
    assert all(file.name.startswith("two-tanks-") for file in files)
    assert any(str(file) in result.stdout for file in files)


def test_another_game_begun_at_the_same_moment_has_another_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = tmp_path / "taken.jsonl"
    taken.write_text("another game")
    names = iter([taken, tmp_path / "free.jsonl"])
    monkeypatch.setattr("planner.interface.commands.play.new_record", lambda name: next(names))
    result = CliRunner().invoke(
        overrun, ["play", TWO_TANKS, *CHEAP], input="quit\n", catch_exceptions=False
    )
    assert (result.exit_code, taken.read_text()) == (0, "another game")
    assert f"record: {tmp_path / 'free.jsonl'}" in result.stdout


def test_a_data_folder_that_can_not_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "records").write_text("a file where the folder should be")
    monkeypatch.setattr("planner.interface.playing.places.user_data_path", lambda *a, **k: tmp_path)
    ((place, said),) = faults("play", TWO_TANKS, *CHEAP)
    assert place == "--record"
    assert said == f"the record {tmp_path / 'records'} can't be written: File exists"


@pytest.mark.parametrize(
    ("more", "place", "said"),
    [
        (("--side", "green"), "--side", '"green" is no side'),
        (("--side", "red", "--bot-both"), "--side", "stands beside --bot-both"),
        (("--level", "wizard"), "--level", "there is no player 'wizard'"),
        (("--seconds", "0"), "--seconds", "0 is too small"),
        (("--work", "0"), "--work", "0 is too small"),
        (("--own-loss", "-1"), "--own-loss", "-1 is too small"),
        (("--seed", "x"), "--seed", '"x" is no whole number'),
        (("--seed", "1", "--dice", "own"), "--seed", "stands beside --dice own"),
        (("--record", ""), "--record", "names no file"),
        (
            ("--record", "/no/such/folder/x"),
            "--record",
            "the record /no/such/folder/x can't be written: No such file",
        ),
        (("--record", TWO_TANKS), "--record", "is there already"),
    ],
)
def test_wrong_options_are_refused(
    more: tuple[str, ...], place: str, said: str, tmp_path: Path
) -> None:
    before = Path(TWO_TANKS).read_bytes()
    arguments = more if "--record" in more else (*more, "--record", str(tmp_path / "x"))
    found = faults("play", TWO_TANKS, *arguments)
    assert [where for where, _ in found] == [place]
    assert said in found[0][1]
    assert Path(TWO_TANKS).read_bytes() == before
    assert not (tmp_path / "x").exists()


def started(record: Path, *more: str) -> subprocess.Popen[str]:
    """The program as a process of its own, both sides played by the bot."""
    command = [*ARGUMENTS, "play", TWO_TANKS, "--record", str(record), "--seed", "1", *more]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_ctrl_c_ends_it_with_the_record_safe(record: Path) -> None:
    with started(record, *CHEAP) as running:
        assert running.stdin is not None
        running.stdin.write("T1 0202\n")
        running.stdin.flush()
        deadline = time.monotonic() + 60
        while not (record.exists() and record.read_bytes().count(b"\n") >= 3):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        time.sleep(0.2)
        running.send_signal(signal.SIGINT)
        shown, _ = running.communicate(timeout=60)
    assert running.returncode == 130
    assert f"overrun replay {record} --resume" in shown
    assert actions(record)[0] == "T1 0202"


def killed_and_resumed(folder: Path, kills: int, seed: int) -> None:
    """The program itself, killed at moments drawn from a seed, ends as when nobody kills it."""
    rng = random.Random(f"play/{seed}")
    more = ("--bot-both", "--work", "3")
    right, path = folder / "right", folder / "game"
    with started(right, *more) as running:
        running.communicate(timeout=120)
    whole = right.read_bytes()
    assert running.returncode == 0
    for _ in range(kills):
        begun = path.exists() and b"\n" in path.read_bytes()
        if not begun:
            path.unlink(missing_ok=True)
        before = path.read_bytes().count(b"\n") if begun else 0
        command = [*ARGUMENTS, "replay", str(path), "--resume"]
        with (
            subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if begun
            else started(path, *more)
        ) as process:
            wanted = before + rng.randrange(1, 6)
            while process.poll() is None:
                if path.exists() and path.read_bytes().count(b"\n") >= wanted:
                    break
                time.sleep(0.001)
            time.sleep(rng.uniform(0, 0.003))
            process.kill()
        held = path.read_bytes()
        assert whole.startswith(held)
        assert held.count(b"\n") >= before
        assert replay(path).faults == ()
    arguments = ["replay", str(path), "--resume"]
    assert CliRunner().invoke(overrun, arguments, catch_exceptions=False).exit_code == 0
    assert path.read_bytes() == whole


@pytest.mark.skipif(os.name != "posix", reason="kills processes")
def test_the_program_killed_three_times(tmp_path: Path) -> None:
    killed_and_resumed(tmp_path, 3, 1)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills processes")
@pytest.mark.parametrize("seed", range(4))
def test_the_program_killed_ten_times(seed: int, tmp_path: Path) -> None:
    killed_and_resumed(tmp_path, 10, seed)


def test_there_may_be_no_standard_input(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when it was closed by whoever began the program."""
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(EOFError):
        typed("red> ")


def test_the_record_of_a_game_is_no_scenario(record: Path) -> None:
    play(record, "quit")
    ((place, said),) = faults("play", str(record))
    assert place == "SCENARIO"
    assert said.endswith(" is the record of a game")


def test_what_is_thrown_for_is_told_before_the_dice_are_asked_for(record: Path) -> None:
    more = ("--side", "red", "--side", "blue", "--dice", "own")
    shown = play(record, "T2 0304", "fire G1:gun", "7", more=more, seed=None).stdout
    told = ["blue: fire G1:gun\n  odds: T2 ready", "Roll 2d6: the shot of G1", "rolls 7"]
    places = [shown.index(text) for text in told]
    assert places == sorted(places)


FAR = (
    """format = "overrun-scenario/1"
rules = "tiny-rules.toml"
to_move = "red"
turns = {turns}
sides = [{{ id = "red" }}, {{ id = "blue" }}]
[map]
orientation = "flat"
offset = "odd"
terrain = """
    + '"""'
    + """
. . . . . . . . . . . . . .
. . . . . . . . . . . . . .
"""
    + '"""'
    + """
legend = {{ "." = "clear" }}
[[units]]
id = "T1"
side = "red"
type = "tank"
hex = "0101"
facing = "SE"
[[units]]
id = "S1"
side = "blue"
type = "squad"
hex = "1302"
"""
)


@pytest.mark.parametrize(
    ("turns", "said"),
    [(3, "For the turns to come:  T1 "), (1, "Type end to end the Movement Phase.")],
)
def test_a_hint_where_no_overrun_is_legal(
    turns: int, said: str, record: Path, tmp_path: Path
) -> None:
    """It says what the bot would do with the next turns in mind."""
    variant(tmp_path)  # the rules
    path = tmp_path / "far.toml"
    path.write_text(FAR.format(turns=turns))
    command = ["play", str(path), "--record", str(record), "--seed", "1", "--work", "200"]
    result = CliRunner().invoke(overrun, command, input="hint\nquit\n", catch_exceptions=False)
    assert "Do now:  stop: no overrun is legal" in result.stdout
    assert said in result.stdout


class Interrupted:
    """A player in whose thoughts Ctrl-C comes; it then does the first thing it knows."""

    name = "interrupted"

    def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
        os.kill(os.getpid(), signal.SIGINT)
        assert cancelled()
        return Decision(legal(game)[0], reason="in haste")


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
def test_ctrl_c_while_the_bots_play_does_nothing_in_haste(record: Path) -> None:
    """What the bot would have done at once is not what it does when the game goes on."""
    seats = [Seat(side=side, player="interrupted") for side in ("red", "blue")]
    players = {"red": Interrupted(), "blue": Interrupted()}
    with Session.begin(load_game(TWO_TANKS), seats, players, record, seed=1) as session:
        with pytest.raises(KeyboardInterrupt):
            Dialogue(session, frozenset(), Limit(work=1)).run()
        assert session.steps == []
    assert len(told(record).record.lines) == 1


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
def test_ctrl_c_hurries_the_bot_that_a_player_waits_for(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = [Seat(side="red", player="interrupted"), Seat(side="blue", player=HUMAN)]
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return "quit"

    with Session.begin(load_game(TWO_TANKS), seats, {"red": Interrupted()}, record, seed=1) as game:
        dialogue = Dialogue(game, frozenset({"blue"}), Limit(work=1), ask=ask)
        assert not dialogue.run()
        assert len(game.steps) >= 1
    assert asked == ["blue> "]
    assert "Ctrl-C: the best found so far is done" in capsys.readouterr().out


class Shooting:
    """A player who fires whenever it may, and else goes on."""

    name = "shooting"

    def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
        return Decision(legal(game)[0])


def test_ctrl_c_at_the_dice_of_a_bot_s_shot_is_one_at_a_prompt(record: Path) -> None:
    """It is not kept for a search that has ended."""
    found: list[object] = []

    def ask(prompt: str) -> str:
        if prompt == "dice> ":
            found.append(signal.getsignal(signal.SIGINT))
            raise KeyboardInterrupt
        return "T2 0304"

    game = load_game(TWO_TANKS)
    seats = [Seat(side="red", player=HUMAN), Seat(side="blue", player="shooting")]
    dice = OwnDice(game.position.rules.combat, ask)
    players = {"blue": Shooting()}
    with Session.begin(game, seats, players, record, dice=dice) as session:
        with pytest.raises(KeyboardInterrupt):
            Dialogue(session, frozenset({"red"}), Limit(work=1), ask=ask).run()
        assert session.pending is not None
    assert found == [signal.default_int_handler]


def test_saves_stand_beside_each_other_and_leave_nothing_half_written(
    record: Path, tmp_path: Path
) -> None:
    """Two saves of one name in both forms share their rules; others' files are not written over."""
    (tmp_path / "b-rules.toml").write_text("mine")
    typed_in = [f"save {tmp_path}/{name}" for name in ("a.toml", "a.json", "b.toml")]
    typed_in += [f'save "{tmp_path}/c d.toml"', f"save {tmp_path}/a.toml", "save", 'save ""']
    result = play(record, *typed_in, "quit")
    assert [line for line in result.stdout.splitlines() if re.match(r"save|/.*written", line)] == [
        f"saved: {tmp_path}/a.toml, {tmp_path}/a-rules.toml",
        f"saved: {tmp_path}/a.json",
        f"{tmp_path}/b-rules.toml can't be written: File exists",
        f"saved: {tmp_path}/c d.toml, {tmp_path}/c d-rules.toml",
        f"{tmp_path}/a.toml can't be written: File exists",
        "save needs the name of a file that is not there yet: save game.toml",
        "save needs the name of a file that is not there yet: save game.toml",
    ]
    assert not (tmp_path / "b.toml").exists()
    assert (tmp_path / "b-rules.toml").read_text() == "mine"
    for name in ("a.toml", "a.json", "c d.toml"):
        assert load_game(str(tmp_path / name)).key == load_game(TWO_TANKS).key


def test_a_save_in_the_player_s_home(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    play(record, "save ~/mine.toml", "quit")
    assert (tmp_path / "mine.toml").exists()


def test_bytes_that_are_no_text_end_nothing(record: Path) -> None:
    command = [*ARGUMENTS, "play", TWO_TANKS, "--record", str(record), *CHEAP]
    done = subprocess.run(
        command,
        input=b"\xff\xfe\nT1 \xe9\nlook \x00\nT1 0202\r\nquit\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
        check=True,
    )
    assert done.stderr == b""
    assert done.stdout.count(b"is not on the map") == 2
    assert actions(record)[0] == "T1 0202"
