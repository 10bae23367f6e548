from __future__ import annotations

from tests.interface.command import TWO_TANKS, answer, faults, run


def test_a_legal_overrun_with_its_move() -> None:
    assert answer("why", TWO_TANKS, "T1", "0404", "SE") == {
        "legal": True,
        "reasons": [],
        "move": "T1 0304x0404-0505",
    }
    said = "legal: T1 0304x0404-0505 (5 of 8 movement points)\n"
    assert run("why", TWO_TANKS, "T1", "0404", "se").stdout == said


def test_every_clause_broken_with_its_place() -> None:
    found = answer("why", TWO_TANKS, "S1", "0604", "N", status=1)
    assert found["legal"] is False
    assert "move" not in found
    clauses = [reason["clause"] for reason in found["reasons"]]
    assert clauses == sorted(clauses, key=lambda clause: int(clause[4:]))
    assert {"OVR-1", "OVR-2", "OVR-4", "OVR-5"} <= set(clauses)
    for reason in found["reasons"]:
        assert set(reason) in ({"clause", "text"}, {"clause", "text", "hex"})
    building = next(reason for reason in found["reasons"] if reason["clause"] == "OVR-5")
    assert building == {
        "clause": "OVR-5",
        "text": "the target hex 0604 is a building hex",
        "hex": "0604",
    }


def test_the_clauses_in_words() -> None:
    text = run("why", TWO_TANKS, "T1", "0604", "N").stdout
    assert text.startswith("not legal:\n")
    assert "  OVR-5: the target hex 0604 is a building hex\n" in text
    assert "    A building hex can't be overrun.\n" in text


def test_every_argument_that_names_nothing() -> None:
    assert faults("why", TWO_TANKS, "T9", "0999", "UP") == [
        ("UNIT", '"T9" is no unit'),
        ("TARGET", '"0999" is not on the map'),
        ("DIRECTION", '"UP" is no direction on this map'),
    ]
