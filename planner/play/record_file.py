"""The record of a game as it is written: a line of JSON for each event, its keys and their meaning.

=============  =====================================================================================
``setup``      the first line: the scenario and its rules whole, who plays which side, and the seed
               of the program's dice (none: they are thrown at the table)
``decision``   what a side does, numbered from 1 as the lines come
``dice``       one throw that the decision calls for: what is rolled for, and the total
``result``     what the decision led to
``back``       a decision is taken back, and all that came after it
``end``        the game is over: what each side has
=============  =====================================================================================

Nothing in a record hangs on the clock or the machine: the same players, seed and limits of work
write the same bytes. The JSON Schema is made from these models, which also read the lines.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import Field
from pydantic.json_schema import models_json_schema

from planner.game.chance import Purpose
from planner.game.faults import Faults, shown
from planner.game.pieces import Each, Piece, note_faults
from planner.game.rules_file import RulesFile
from planner.game.scalars import MoveWord, Name, Real, Scalar, Text, Whole, Word, wrong
from planner.game.scenario_file import HexName, ScenarioFile, Turn
from planner.play.event_form import event_schema

RECORD_FORMAT: Final = "overrun-record/1"

HUMAN = "human"
"""What a player at the keyboard is called."""
MOST_SECONDS = 1_000_000
MOST_WORK = 10**12
MOST_OWN_LOSS = 10_000
"""What a player's limits and the weight of its own losses may be at most."""

_MOST = 10**15


@dataclass(frozen=True, slots=True)
class Tables(Scalar):
    """A whole file as a table; the file's own reader says what is wrong in it. ``model`` names it
    in the schema."""

    what: str
    model: str

    def check(self, value: Any) -> dict[str, Any]:
        """The tables themselves."""
        if not isinstance(value, dict):
            raise wrong(value, "is no table", f"a whole {self.what} file")
        return value

    def schema(self) -> dict[str, Any]:
        """What the file's own schema says."""
        return {"allOf": [{"$ref": f"#/$defs/{self.model}"}]}


@dataclass(frozen=True, slots=True)
class Seed(Scalar):
    """The seed of the program's dice: a whole number or text."""

    def check(self, value: Any) -> int | str | None:
        """The seed itself."""
        if isinstance(value, bool) or not isinstance(value, int | str | None):
            raise wrong(value, "is no seed", "a whole number or text")
        return value

    def schema(self) -> dict[str, Any]:
        """A whole number, text, or nothing."""
        return {"type": ["integer", "string", "null"]}


@dataclass(frozen=True, slots=True)
class Happened(Scalar):
    """Something that happened; whether it is what the rules give, replaying shows."""

    def check(self, value: Any) -> dict[str, Any]:
        """The table itself."""
        if not isinstance(value, dict) or not isinstance(value.get("event"), str):
            raise wrong(value, "is no event", "a table with the key event")
        return value

    def schema(self) -> dict[str, Any]:
        """One of the events of the game."""
        return event_schema()


ActionText = Annotated[str, Word(limit=10_000)]
Number = Annotated[int, Whole(1, _MOST)]
Integer = Annotated[int, Whole(-_MOST, _MOST)]
Value = Annotated[float, Real(-_MOST, _MOST)]


class Seat(Piece):
    """Who plays a side, with which limits."""

    side: Name = Field(description="id of the side")
    player: Name = Field(
        description=f'"{HUMAN}" at the keyboard, or the name that a player is made by'
    )
    seconds: Annotated[float, Real(0, MOST_SECONDS)] | None = Field(
        default=None, description="wall-clock time for a decision"
    )
    work: Annotated[int, Whole(1, MOST_WORK)] | None = Field(
        default=None, description="work units for a decision: the same game everywhere"
    )
    own_loss: Annotated[float, Real(0, MOST_OWN_LOSS)] = Field(
        default=1.0, description="weight of the player's own losses"
    )


class Setup(Piece):
    """What is played, by whom."""

    event: Literal["setup"]
    format: Literal["overrun-record/1"] = Field(description=f'"{RECORD_FORMAT}"')
    seats: list[Seat] = Field(
        description="who plays each of the two sides",
        json_schema_extra={"minItems": 2, "maxItems": 2},
    )
    seed: Annotated[int | str | None, Seed()] = Field(
        default=None, description="seed of the program's dice; none when players throw their own"
    )
    scenario: Annotated[dict[str, Any], Tables("scenario", "ScenarioFile")] = Field(
        description="the scenario file that the game begins in"
    )
    rules: Annotated[dict[str, Any], Tables("rules", "RulesFile")] = Field(
        description="the rules file, whatever the scenario calls its rules"
    )


class Decided(Piece):
    """A side's decision."""

    event: Literal["decision"]
    number: Number = Field(description="the decisions of the record, counted from 1")
    side: Name = Field(description="id of the side that decides")
    action: ActionText = Field(description="what it does, as play writes it")
    forced: bool = Field(
        default=False, description="it is the only legal action: nobody was asked for it"
    )
    value: Value | None = Field(
        default=None, description="what the player takes the rest of the phase to be worth"
    )
    exact: bool = Field(default=False, description="whether that value is no estimate")
    reason: Text = Field(default="", description="why, in words")


class Threw(Piece):
    """One throw of the dice; keys as of the rules' own rolls."""

    event: Literal["dice"]
    purpose: Literal[tuple(purpose.value for purpose in Purpose)] = Field(  # type: ignore[valid-type]
        description="shot, attack, or a check that a result calls for"
    )
    turn: Turn = Field(description="the turn")
    side: Name = Field(description="id of the side whose Movement Phase it is")
    afv: MoveWord = Field(description="id of the AFV under way")
    step: Annotated[int, Whole(0, 10_000)] = Field(description="hexes that it has entered")
    unit: MoveWord | None = Field(
        default=None, description="the firer, the unit struck, or the unit that makes the check"
    )
    check: Annotated[int, Whole(0, 1000)] = Field(default=0, description="the check's number")
    by: MoveWord | None = Field(default=None, description="whose shot called for the check")
    hex: HexName = Field(description="where the AFV is shot at, or the target hex")
    modifier: Integer = Field(default=0, description="what is added to the dice")
    column: Integer | None = Field(default=None, description="the chart's column")
    rating: Integer | None = Field(
        default=None, description="what a check is passed at or below, modifier included"
    )
    total: Annotated[int, Whole(0, 1000)] = Field(description="the dice, added up")


class Came(Piece):
    """What a decision led to: every event but the throws, which have lines of their own."""

    event: Literal["result"]
    happened: list[Each[Annotated[dict[str, Any], Happened()]]] = Field(
        description="what happened, in that order"
    )


class TakenBack(Piece):
    """A decision taken back: the game is as it was before it."""

    event: Literal["back"]
    decision: Number = Field(description="its number")


class Ended(Piece):
    """The end of the game."""

    event: Literal["end"]
    score: Annotated[dict[str, Each[Value]], Field(max_length=2)] = Field(
        description="what each side has of the game, by its id, own losses counted once"
    )


RecordEvent = Setup | Decided | Threw | Came | TakenBack | Ended
KINDS: dict[str, type[RecordEvent]] = {
    "setup": Setup,
    "decision": Decided,
    "dice": Threw,
    "result": Came,
    "back": TakenBack,
    "end": Ended,
}
"""The event that each line tells, by its name."""


def line_of(event: RecordEvent) -> bytes:
    """The line of a record that tells an event.

    Raises:
        ValueError: it holds what a record can't.
    """
    faults = Faults()
    note_faults(event, (), faults)
    if faults:
        raise ValueError("; ".join(str(fault) for fault in faults.in_order({})))
    written = event.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    text = json.dumps(written, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode() + b"\n"


def record_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of one line of a record."""
    models = [(model, "validation") for model in (*KINDS.values(), ScenarioFile, RulesFile)]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": RECORD_FORMAT,
        "description": "Any line of a record: the first is the setup, and no other.",
        "oneOf": [{"$ref": f"#/$defs/{model.__name__}"} for model in KINDS.values()],
        **models_json_schema(models)[1],  # type: ignore[arg-type]
    }


def kind_of(raw: object) -> type[RecordEvent]:
    """The model that reads a line. Raises ValueError, saying what is wrong, when none does."""
    name = raw.get("event") if isinstance(raw, dict) else None
    found = KINDS.get(name) if isinstance(name, str) else None
    if found is None:
        raise ValueError(f"{shown(name)} is no event" if isinstance(raw, dict) else "is no table")
    return found
