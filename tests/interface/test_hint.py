from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evaluation import forward
from planner.game.position import Position
from planner.interface.commands import hint as hint_command
from planner.interface.commands.hint import USUAL_SECONDS
from planner.interface.forms import chance
from planner.interface.stopping import stoppable
from planner.play.hint import hint as real_hint
from planner.search.effort import Limit
from tests.interface.command import TWO_TANKS, answer, faults, named_sides, run, variant

BEST = ["T2 0402x0503-0603", "T1 0304x0404-0505"]
BEST_VALUE = 0.4349922840


def best_moves(*options: str, status: int = 0) -> list[str]:
    moves: list[str] = answer("hint", TWO_TANKS, *options, status=status)["plans"][0]["moves"]
    return moves


def test_json_has_the_keys_of_the_formats_page() -> None:
    found = answer("hint", TWO_TANKS)
    assert list(found)[:2] == ["next", "plans"]
    assert isinstance(found["seconds"], float)
    assert isinstance(found["work"], int)
    assert found["next"] == {
        "move": BEST[0],
        "value": pytest.approx(BEST_VALUE, abs=1e-9),
        "exact": True,
        "value_high": pytest.approx(BEST_VALUE, abs=1e-9),
        "then": [
            {
                "if": ["B1 not able to fire"],
                "probability": pytest.approx(1.0, abs=1e-9),
                "move": BEST[1],
                "value": pytest.approx(1.698881, abs=1e-6),
            },
            # Only a defender who does not reply best comes to these.
            {
                "if": ["B1 able to fire", "G1 not able to fire"],
                "probability": 0.0,
                "move": BEST[1],
                "value": pytest.approx(found["next"]["then"][1]["value"]),
            },
            {
                "if": ["B1 able to fire", "G1 able to fire"],
                "probability": 0.0,
                "move": "stop",
                "value": 0.0,
            },
        ],
    }
    (best, *_) = found["plans"]
    contract = ("moves", "value", "bound", "status", "exact", "value_high", "proof_over", "units")
    assert [key for key in contract if key not in best] == []
    assert best["moves"] == BEST
    assert best["value"] == best["value_high"] == pytest.approx(BEST_VALUE, abs=1e-9)
    assert (best["status"], best["exact"]) == ("optimal", True)
    assert best["bound"] == pytest.approx(BEST_VALUE, abs=1e-6)
    assert best["proof_over"].startswith("all overruns along simple paths")
    assert best["movement_points"] == [9, 5]
    assert sorted(best["units"]) == ["B1", "G1", "L1", "S1", "T1", "T2"]
    assert all(sum(chances.values()) == pytest.approx(1) for chances in best["units"].values())
    assert list(best["units"]["T2"]) == ["ready", "immobilised", "destroyed"]


@pytest.mark.parametrize(
    ("options", "moves"),
    [
        ([], BEST),
        (["--own-loss", "0"], ["T2 0304-0305x0404-0504", BEST[1]]),
        (["--own-loss", "1.0"], BEST),
        (["--own-loss", "100"], []),
        (["--own-loss", "10000"], []),
        (["--only", "T2"], []),
        (["--only", "T2,T1"], BEST),
        (["--only", "T2", "--only", "T1"], BEST),
        (["--stay", "T2"], []),
        (["--stay", "T2,"], []),
        (["--target", "0404"], []),
        (["--target", "0503", "--own-loss", "0"], ["T1 0304-0403x0503-0602"]),
        (["--avoid", "0402"], []),
        (["--avoid", "0101"], BEST),
        (["--work", "1"], []),
        (["--work", "1000"], BEST),
        (["--seconds", "0.000001"], []),
        (["--seconds", "60"], BEST),
    ],
    ids=" ".join,
)
def test_options_change_the_plan(options: list[str], moves: list[str]) -> None:
    found = best_moves(*options)
    if options[:1] == ["--target"] and moves:
        # Without own losses either tank may do it, in company or not: only this hex is struck.
        assert found
        assert {move.partition("x")[2][:4] for move in found} == {"0503"}
    else:
        assert found == moves


def test_plans_gives_so_many_best_first() -> None:
    one = answer("hint", TWO_TANKS, "--own-loss", "0")["plans"]
    four = answer("hint", TWO_TANKS, "--own-loss", "0", "--plans", "4")["plans"]
    assert (len(one), len(four)) == (1, 4)
    values = [plan["value"] for plan in four]
    assert values == sorted(values, reverse=True)
    assert len({tuple(plan["moves"]) for plan in four}) == 4


def test_differ_says_what_makes_another_plan() -> None:
    asked = ("hint", TWO_TANKS, "--own-loss", "0", "--plans", "50")
    usual, overruns, moves = (
        answer(*asked, *more)["plans"]
        for more in ([], ["--differ", "overruns"], ["--differ", "moves"])
    )
    assert usual == overruns
    assert len(moves) > len(overruns)
    # The two orders of the same two overruns.
    alike = [sorted(plan["moves"]) for plan in moves]
    assert any(alike.count(one) == 2 for one in alike)
    assert all(alike.count(sorted(plan["moves"])) <= 2 for plan in overruns)


def test_each_plan_says_how_well_it_is_known() -> None:
    first, second = answer("hint", TWO_TANKS, "--plans", "2")["plans"]
    assert (first["status"], first["proved"]) == ("optimal", True)
    assert (second["status"], second["moves"]) == ("feasible", [])
    assert second["proved"] == (second["bound"] <= second["value"] + 1e-6)
    text = run("hint", TWO_TANKS, "--plans", "2").stdout
    assert "Best fixed plan: +0.43, proved best" in text
    assert "Plan 2: 0.00, " in text


def test_counts_only_when_asked_for() -> None:
    assert "kept" not in answer("hint", TWO_TANKS)
    assert answer("hint", TWO_TANKS, "--counts")["kept"] == {"candidates": 10, "moves": 19}
    text = run("hint", TWO_TANKS, "--counts").stdout
    assert "Kept 10 of 19 moves along simple paths: no plan is better with one left out." in text


def test_stopping_is_worth_saying_so() -> None:
    found = answer("hint", TWO_TANKS, "--own-loss", "100")
    assert (found["next"]["move"], found["next"]["then"]) == ("stop", [])
    assert "Do now:  stop: no move is worth making" in run("hint", TWO_TANKS, "--stay", "T1").stdout


def test_no_legal_line_is_a_no_with_a_whole_answer() -> None:
    found = answer("hint", TWO_TANKS, "--target", "0101", status=1)
    assert found["next"]["move"] == "stop"
    assert found["plans"][0]["moves"] == []


def test_every_fault_of_the_options_at_once() -> None:
    found = faults(
        *["hint", TWO_TANKS, "--plans", "0", "--seconds", "-1", "--work", "1.5"],
        *["--own-loss", "nan", "--only", "T9,T1", "--stay", "G1", "--target", "9999"],
        *["--avoid", "0101,x"],
    )
    assert found == [
        ("--plans", "0 is too small"),
        ("--seconds", "-1 is too small"),
        ("--work", '"1.5" is no whole number'),
        ("--own-loss", '"nan" is no number to reckon with'),
        ("--only", '"T9" is no AFV of red'),
        ("--stay", '"G1" is no AFV of red'),
        ("--target", '"9999" is not on the map'),
        ("--avoid", '"x" is not on the map'),
    ]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--only", "T1", "--stay", "T1"], ("--stay", '"T1" is in --only too')),
        (["--target", "0404", "--avoid", "0404"], ("--avoid", '"0404" is the --target')),
        (["--seconds", "0"], ("--seconds", "0 is too small")),
        (["--own-loss", "-0.5"], ("--own-loss", "-0.5 is too small")),
        (["--own-loss", "inf"], ("--own-loss", '"inf" is no number to reckon with')),
        (["--work", "0"], ("--work", "0 is too small")),
        (["--own-loss", "10000.5"], ("--own-loss", "10000.5 is too large")),
        (["--own-loss", "1e308"], ("--own-loss", "1e+308 is too large")),
        (["--seconds", "1000001"], ("--seconds", "1000001 is too large")),
        (["--work", f"{10**12 + 1}"], ("--work", f"{10**12 + 1} is too large")),
        (["--work", "9" * 99], ("--work", "a number of more than 60 digits is too large")),
        (["--plans", "101"], ("--plans", "101 is too large")),
        (["--only", ""], ("--only", '"" names nobody')),
        (["--only", ","], ("--only", '"," names nobody')),
        (["--only", "T1", "--only", " "], ("--only", '" " names nobody')),
        (["--stay", ","], ("--stay", '"," names nobody')),
        (["--avoid", ""], ("--avoid", '"" names no hex')),
    ],
)
def test_wishes_that_can_not_be(options: list[str], fault: tuple[str, str]) -> None:
    assert faults("hint", TWO_TANKS, *options) == [fault]


def test_a_name_misspelt_is_guessed_and_the_known_ones_listed() -> None:
    said = run("hint", TWO_TANKS, "--only", "T22").stderr
    assert '"T22" is no AFV of red (one of "T1", "T2"; did you mean "T2"?)' in said


def test_the_table_says_what_each_figure_means() -> None:
    text = run("hint", TWO_TANKS).stdout
    for part in (
        "Two tanks against an anti-tank gun · red to move · turn 1 of 1 · tiny rules",
        "Do now:  T2 0402x0503-0603   the position is worth +0.43 to you, exactly",
        "then, if B1 is not able to fire (100 %):  T1 0304x0404-0505",
        "then, if B1 is able to fire and G1 is able to fire "
        "(only if the defender does not reply best):  stop",
        "Best fixed plan: +0.43, proved best",
        "staying: 0.00",
        "9 of 10  100 %     17 %  immobilised 25 %    B1: out 16 %, suppressed 32 %",
        "5 of 8  100 %      0 %  immobilised 42 %    G1: out 16 %, suppressed 42 %",
        "lose it: chance that the AFV is off the map when the Movement Phase ends.",
        "The proof that this plan is best is over all overruns along simple paths",
    ):
        assert part in text
    assert "T1 and T2 stay." in run("hint", TWO_TANKS, "--own-loss", "100").stdout


def test_a_search_cut_short_proves_only_a_bound() -> None:
    found = answer("hint", TWO_TANKS, "--work", "12")
    assert not found["next"]["exact"]
    assert found["next"]["value_high"] > BEST_VALUE
    assert found["next"]["then"] == []
    (best,) = found["plans"]
    assert best["status"] == "feasible"
    assert best["bound"] > BEST_VALUE
    text = run("hint", TWO_TANKS, "--work", "12").stdout
    assert "no plan is worth more than +9.34" in text
    assert "The bound on every plan is over all overruns along simple paths" in text
    assert re.search(r"The search was stopped after \d+\.\d s, before its end: more time", text)


def test_warnings_go_to_the_error_stream(tmp_path: Path) -> None:
    crowded = variant(tmp_path, ('hex = "0503"', 'hex = "0404"'))
    result = run("hint", crowded)
    assert result.exit_code == 0
    assert result.stderr == "warning: units of blue in 0404 take room 3, more than 2\n"


@pytest.mark.parametrize(
    ("options", "limit"),
    [
        ([], Limit(USUAL_SECONDS)),
        (["--seconds", "60"], Limit(60.0)),
        (["--work", "30"], Limit(None, 30)),
        (["--seconds", "60", "--work", "30"], Limit(60.0, 30)),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_ten_seconds_unless_a_limit_is_given(
    options: list[str], limit: Limit, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def spied(position: Position, limit: Limit, *others: Any, **named: Any) -> Any:
        asked.append(limit)
        return real_hint(position, limit, *others, **named)

    monkeypatch.setattr(hint_command, "hint", spied)
    run("hint", TWO_TANKS, *options)
    assert asked == [limit]


def test_help_tells_the_usual_limit() -> None:
    text = " ".join(run("hint", "--help").stdout.split())
    assert f"stops after {USUAL_SECONDS:g} s unless --seconds or --work says otherwise" in text
    assert f"({USUAL_SECONDS:g} unless this or --work is given)" in text
    assert "with the chances of every outcome" in text


HELD = '\n[[objectives]]\nhex = "0603"\nworth = 4\n'


def test_objectives_stand_under_each_plan(tmp_path: Path) -> None:
    path = variant(tmp_path, ("[[sides]]", f"{HELD}[[sides]]"), once=True)
    (best,) = answer("hint", path)["plans"]
    assert sorted(best["moves"]) == sorted(BEST)
    (name, found), *others = best["objectives"].items()
    assert (name, found["worth"], found["lost"], others) == ("0603", 4, 0.0, [])
    # It is gained when the light tank ends its move there, unhurt.
    assert found["gained"] == pytest.approx(best["units"]["T2"]["ready"])
    assert "  objective 0603 (worth 4): gained 58 %, lost 0 %" in run("hint", path).stdout


def test_without_objectives_nothing_is_said_of_them() -> None:
    assert answer("hint", TWO_TANKS)["plans"][0]["objectives"] == {}
    assert "objective" not in run("hint", TWO_TANKS).stdout


def test_sides_are_called_by_their_names(tmp_path: Path) -> None:
    path = named_sides(tmp_path)
    assert "· Red Army to move ·" in run("hint", path).stdout


def pressing(times: int) -> Any:
    """The hint, with Ctrl-C pressed so often when it starts."""

    def pressed(*arguments: Any, **named: Any) -> Any:
        for _ in range(times):
            os.kill(os.getpid(), signal.SIGINT)
        return real_hint(*arguments, **named)

    return pressed


def test_ctrl_c_takes_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hint_command, "hint", pressing(1))
    found = answer("hint", TWO_TANKS)
    assert (found["finished"], found["next"]["move"]) == (False, "stop")
    assert "The search was stopped after" in run("hint", TWO_TANKS).stdout


def test_a_second_ctrl_c_ends_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hint_command, "hint", pressing(2))
    result = run("hint", TWO_TANKS)
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "stopped\n")


def test_ctrl_c_is_still_heard_when_the_solver_has_run() -> None:
    code = (
        "import os, planner, signal\n"
        "from planner.interface.stopping import stoppable\n"
        "with stoppable() as cancelled:\n"
        f"    planner.hint(planner.load({TWO_TANKS!r}))\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    print(cancelled())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


def test_the_handler_of_ctrl_c_is_put_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    with stoppable() as cancelled:
        assert not cancelled()
        os.kill(os.getpid(), signal.SIGINT)
        assert cancelled()
    assert signal.getsignal(signal.SIGINT) is before


def test_rounding_makes_no_chance_impossible() -> None:
    assert [chance(p) for p in (-1e-17, 0.25, 1.0000000000000002)] == [0.0, 0.25, 1.0]


def test_a_plan_with_too_many_statuses_is_given_without_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(forward, "MOST_SITUATIONS", 0)
    (best,) = answer("hint", TWO_TANKS)["plans"]
    assert best["moves"] == BEST
    assert best["exact"]
    assert best["units"] == dict.fromkeys(["B1", "G1", "L1", "S1", "T1", "T2"])
    assert (best["made"], best["objectives"]) == ([None, None], {})
    text = run("hint", TWO_TANKS).stdout
    said = "What becomes of B1, G1, L1, S1, T1 and T2 is not told: that takes too many states."
    assert said in text
