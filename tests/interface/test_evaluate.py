from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from evaluation import backward
from planner.game.notation import format_move
from planner.game.read_scenario import load
from planner.play.generated import raw
from planner.search.lines import lines
from planner.search.worth import Judge
from tests.interface.command import TWO_TANKS, answer, faults, named_sides, run, variant

FIRST = "T2 0402x0503-0603"
SECOND = "T1 0304x0404-0505"


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        ([SECOND], -0.1619191529),
        ([f"{SECOND} +S1:LMG"], -0.1619191529),
        ([f"{SECOND} +S1:LMG +S1:satchel"], -0.3725673011),
        (["T1 0304-0403x0503-0602"], -7.0543981481),
        ([FIRST], -3.2627314815),
        ([SECOND, FIRST], -0.2024284122),
        ([FIRST, SECOND], 0.4349922840),
        (["T1 stay"], 0.0),
        ([SECOND, "--own-loss", "1"], -0.1619191529),
        # Being stopped costs the weight times 5 in 0.578704 of the cases.
        ([SECOND, "--own-loss", "2"], 0.421296296 * 6.483796296 - 2 * 5 * 0.578703704),
        ([SECOND, "--own-loss", "0"], 0.421296296 * 6.483796296),
        ([SECOND, "--defender", "best"], -0.1619191529),
        # Nobody fires but the survivors, who are all suppressed or gone but the sergeant.
        ([SECOND, "--defender", "hold"], 6.483796296),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_values(arguments: list[str], value: float) -> None:
    found = answer("evaluate", TWO_TANKS, *arguments)
    assert found["value"] == pytest.approx(value, abs=1e-8)
    assert found["exact"] is True
    assert found["value_high"] == found["value"]


def test_a_defender_who_fires_at_once_is_another_one() -> None:
    values = {
        defender: answer("evaluate", TWO_TANKS, FIRST, SECOND, "--defender", defender)["value"]
        for defender in ("best", "fire-at-once", "hold")
    }
    assert values["best"] < values["fire-at-once"] < values["hold"]


def test_json_has_the_keys_of_the_formats_page() -> None:
    found = answer("evaluate", TWO_TANKS, FIRST, SECOND)
    assert list(found)[:6] == ["value", "exact", "value_high", "moves", "outcomes", "payoff"]
    assert found["moves"] == [FIRST, SECOND]
    assert sorted(found["outcomes"]) == ["B1", "G1", "L1", "S1", "T1", "T2"]
    for chances in found["outcomes"].values():
        assert sum(chances.values()) == pytest.approx(1)
    assert list(found["outcomes"]["L1"]) == ["ready", "suppressed", "eliminated"]
    payoffs = [payoff for payoff, _ in found["payoff"]]
    assert payoffs == sorted(payoffs)
    assert sum(payoff * p for payoff, p in found["payoff"]) == pytest.approx(found["value"])
    assert found["made"] == [1.0, 1.0]
    assert [[stage["hex"] for stage in stages] for stages in found["stages"]] == [
        ["0402", "0503", "0603"],
        ["0304", "0404", "0505"],
    ]
    assert found["stages"][1][0]["shots"] == [
        {"unit": "G1", "weapon": "gun", "leader": "L1", "probability": pytest.approx(1)}
    ]


def test_the_ledger() -> None:
    text = run("evaluate", TWO_TANKS, FIRST, SECOND).stdout
    for part in (
        "Worth +0.434992 to red, whatever the other side does (exact).",
        "2. T1 0304x0404-0505   (5 of 8 MP, made 100 %)",
        "0304  window         100 %  G1 gun with L1 100 %  ready 58 %, immobilised 42 %",
        "0404  overrun         58 %",
        "0505  last window     58 %",
        "G1: suppressed 72 %, eliminated 28 %",
        "T2    light_tank    red   ready 58 %, immobilised 25 %, destroyed 17 %",
        "All others stay as they are.",
        "Payoff: +0.43 on average, below zero with a chance of 49 %",
        "in the worst 5 % of cases -11.00 or less, in the worst 25 % -4.50 or less\n",
        "in the middle case 0.00\n",
        "in the best 25 % +4.25 or more, in the best 5 % +15.50 or more\n",
        "made: chance that the move can be made when its turn comes; else it is skipped.\n",
        "reached: chance that the AFV gets there still moving; all other figures of the row are "
        "given that.\n",
        "-5 to 0    31 %  ########################################",
    ):
        assert part in text


def test_objectives(tmp_path: Path) -> None:
    objectives = (
        '[[objectives]]\nhex = "0603"\nworth = 4\n'
        '[[objectives]]\nhex = "0404"\nworth = 1.5\nheld_by = "blue"\n'
        '[[objectives]]\nhex = "0101"\nworth = 2\nheld_by = "red"\n'
    )
    path = variant(tmp_path, ("[[sides]]", objectives + "[[sides]]"), once=True)
    found = answer("evaluate", path, FIRST)
    assert list(found["objectives"]) == ["0101", "0404", "0603"]
    assert found["objectives"]["0603"] == {
        "worth": 4,
        "gained": pytest.approx(found["outcomes"]["T2"]["ready"]),
        "lost": 0.0,
    }
    assert found["objectives"]["0101"] == {"worth": 2, "gained": 0.0, "lost": 0.0}
    text = run("evaluate", path, FIRST).stdout
    assert "   objective 0404 (worth 1.5): gained 0 %, lost 0 %\n" in text
    assert "   objective 0603 (worth 4): gained 24 %, lost 0 %\n" in text


def test_without_objectives_nothing_is_said_of_them() -> None:
    assert answer("evaluate", TWO_TANKS, FIRST)["objectives"] == {}
    assert "objective" not in run("evaluate", TWO_TANKS, FIRST).stdout


def test_sides_are_called_by_their_names(tmp_path: Path) -> None:
    text = run("evaluate", named_sides(tmp_path), FIRST).stdout
    assert " to Red Army, whatever the other side does (exact)." in text
    assert re.search(r"^ +T2 +light_tank +Red Army +ready", text, re.M)
    assert re.search(r"^ +B1 +bazooka_team +Wehrmacht +", text, re.M)
    assert " red" not in text


@pytest.mark.parametrize(
    ("moves", "clause"),
    [
        (["T1 0304-0404"], "OVR-7: 0404 holds G1, L1 of the enemy"),
        (["T1 0304x0305-0306"], "OVR-2: no enemy infantry"),
    ],
)
def test_a_move_that_is_certainly_skipped_names_the_clause(moves: list[str], clause: str) -> None:
    text = run("evaluate", TWO_TANKS, *moves).stdout
    assert "certainly skipped" in text
    assert clause in text


def test_a_move_skipped_for_what_comes_before_it_names_the_clause(tmp_path: Path) -> None:
    crowded = variant(tmp_path, ('type = "light_tank"', 'type = "tank"'))
    rules = tmp_path / "tiny-rules.toml"
    rules.write_text(rules.read_text().replace("limit = 2", "limit = 1"))
    alone = run("evaluate", crowded, "T1 0202", "--defender", "hold").stdout
    assert "certainly skipped" not in alone
    text = run("evaluate", crowded, "T2 0202", "T1 0202", "--defender", "hold").stdout
    assert "2. T1 0202   (3 of 8 MP, certainly skipped)" in text
    assert "OVR-7: no room in 0202: stacking 1 and 1 more, limit 1" in text


def test_wrong_moves_name_every_clause() -> None:
    moves = ["T2 0402x0503-0604", "T1 0304x0404-0403 +S1:pike", "T2 stay", "X 0101"]
    found = answer("evaluate", TWO_TANKS, *moves, status=1)
    assert found["legal"] is False
    said = {
        move["move"]: [reason["clause"] for reason in move["reasons"]] for move in found["moves"]
    }
    assert said == {
        moves[0]: ["OVR-13"],
        moves[1]: ["OVR-13", "OVR-17"],
        moves[2]: ["OVR-4"],
        moves[3]: ["OVR-1"],
    }
    text = run("evaluate", TWO_TANKS, *moves).stdout
    assert "0304, 0404, 0403 do not lie in one line; the exit hex of 0304x0404 is 0505\n" in text
    assert "T2 has two moves" in text


def test_text_that_is_no_move_is_refused_all_at_once() -> None:
    assert faults("evaluate", TWO_TANKS, "T1 0304=0404", SECOND, "T2", "--own-loss", "-1") == [
        ("--own-loss", "-1 is too small"),
        ("MOVE[0]", "\"T1 0304=0404\": '=0404' does not go on from a hex"),
        ("MOVE[2]", '"T2": there is a unit or a route missing'),
    ]
    said = run("evaluate", TWO_TANKS, "T1", "0304x0404-0505").stderr
    assert "put quotes round each move" in said


def test_moves_with_too_many_states_lie_between_two_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exact = answer("evaluate", TWO_TANKS, FIRST, SECOND)
    assert (exact["exact"], exact["left_out"]) == (True, [])
    monkeypatch.setattr(backward, "MOST_STATES", 8)
    found = answer("evaluate", TWO_TANKS, FIRST, SECOND)
    assert list(found) == list(exact)
    assert not found["exact"]
    assert found["value"] - 1e-9 <= exact["value"] <= found["value_high"] + 1e-9
    assert found["made"] == found["stages"] == [None, None]
    assert found["payoff"] is None
    assert found["outcomes"] == dict.fromkeys(exact["outcomes"])
    assert found["left_out"] == ["outcomes", "payoff", "made", "stages"]
    text = run("evaluate", TWO_TANKS, FIRST, SECOND).stdout
    assert re.search(r"Worth between \S+ and \S+ to red, whatever the other side does.", text)
    assert "Both ends are certain; the value itself takes too many states." in text
    assert "what comes of it is not told: that takes too many states" in text
    assert "Payoff: its distribution is not told: that takes too many states." in text


def test_a_rule_of_thumb_with_too_many_states_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backward, "MOST_STATES", 1)
    result = run("evaluate", TWO_TANKS, FIRST, "--defender", "fire-at-once")
    assert result.exit_code == 1
    assert "--defender: by this rule of thumb the moves lead to more than 1 joint" in result.stderr


@pytest.mark.slow
def test_a_plan_of_a_whole_regiment_lies_between_two_ends(tmp_path: Path) -> None:
    """24 AFVs against 80 units: each AFV's best line by itself, the best first, is a plan whose
    states fit in no memory."""
    path = tmp_path / "regiment.json"
    path.write_text(json.dumps(raw("regiment", 0)))
    position = load(str(path))
    judge = Judge(position)
    best: dict[str, tuple[float, str]] = {}
    for line in lines(position):
        row = (-judge.value([line.move]), format_move(position, line.move))
        best[line.unit] = min(row, best.get(line.unit, row))
    moves = [text for _, text in sorted(best.values())]
    assert len(moves) > 20
    found = answer("evaluate", str(path), *moves)
    assert not found["exact"]
    assert -10 < found["value"] < found["value_high"] < 20
    assert {"outcomes", "payoff"} <= set(found["left_out"])
    # Half of the plan has an exact value, though not all statuses of it fit at once.
    half = answer("evaluate", str(path), *moves[:12])
    assert half["exact"]
    assert half["value_high"] == half["value"]
    assert None not in half["made"]
