"""The command line as a test calls it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from planner.interface.program import overrun

CASES = Path(__file__).parent.parent / "cases"
TWO_TANKS = str(CASES / "two-tanks.toml")
TINY = str(CASES / "tiny-rules.toml")


def run(*arguments: str) -> Result:
    """Run ``overrun`` with these arguments; whatever it raises, the test raises."""
    return CliRunner().invoke(overrun, arguments, catch_exceptions=False, prog_name="overrun")


def answer(*arguments: str, status: int = 0) -> Any:
    """The JSON that a command prints."""
    result = run(*arguments, "--json")
    assert result.exit_code == status, result.stderr
    return json.loads(result.stdout)


def faults(*arguments: str) -> list[tuple[str, str]]:
    """Places and faults that a command is refused for."""
    result = run(*arguments, "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    found = json.loads(result.stderr)["faults"]
    assert all(set(fault) == {"place", "fault", "expected"} for fault in found)
    assert all(fault["expected"] for fault in found)
    return [(fault["place"], fault["fault"]) for fault in found]


def named_sides(folder: Path) -> str:
    """The two-tanks case with names for its sides."""
    return variant(
        folder,
        ('id = "red"', 'id = "red"\nname = "Red Army"'),
        ('id = "blue"', 'id = "blue"\nname = "Wehrmacht"'),
    )


def variant(folder: Path, *changes: tuple[str, str], once: bool = False) -> str:
    """The two-tanks case with some of its text replaced, as a file beside its rules; each time that
    it stands there, or ``once``."""
    text = Path(TWO_TANKS).read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1 if once else -1)
    (folder / "tiny-rules.toml").write_text(Path(TINY).read_text())
    path = folder / "variant.toml"
    path.write_text(text)
    return str(path)
