"""What a client may send: the messages' keys, their types and bounds, and what they mean.

The JSON Schema is made from these models, which also read the messages: each finds every fault at
once (`planner.game.pieces`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from planner.game.pieces import Each, Piece
from planner.game.scalars import Name, Real, Scalar, Whole, Word, wrong
from planner.interface.asked import MOST_OWN_LOSS, MOST_PLANS, MOST_SECONDS, MOST_WORK
from planner.play.levels import BEST, LEVELS

PROTOCOL = 1
"""Version of the protocol; it changes when clients have to."""

Id = str | int

_LARGEST_ID = 2**53 - 1
_LONGEST_ID = 200


@dataclass(frozen=True, slots=True)
class Count(Whole):
    """A whole number; one that a client writes as ``5.0`` is one, as in JSON Schema."""

    def check(self, value: Any) -> int:
        """The number itself."""
        is_whole = isinstance(value, float) and value.is_integer()
        return Whole.check(self, int(value) if is_whole else value)


@dataclass(frozen=True, slots=True)
class RequestId(Scalar):
    """The id of a request: text or a whole number that every reader of JSON gives back as it is."""

    def check(self, value: Any) -> Id:
        """The id itself."""
        expected = f"text of at most {_LONGEST_ID} characters, or a whole number up to 2**53 - 1"
        if isinstance(value, str):
            if len(value) > _LONGEST_ID:
                raise wrong(value, "is too long", expected)
            if not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
                raise wrong(value, "is no whole text", expected)
            return value
        if isinstance(value, bool) or not isinstance(value, int):
            raise wrong(value, "is no id", expected)
        if abs(value) > _LARGEST_ID:
            raise wrong(value, "is out of range", expected)
        return value

    def schema(self) -> dict[str, Any]:
        """Text or an integer with their bounds."""
        return {
            "anyOf": [
                {"type": "string", "maxLength": _LONGEST_ID},
                {"type": "integer", "minimum": -_LARGEST_ID, "maximum": _LARGEST_ID},
            ]
        }


@dataclass(frozen=True, slots=True)
class Document(Scalar):
    """A file's contents as an object, or the name of one that comes with the program; the file's
    own reader says what is wrong with it. ``model`` names it in the schema."""

    what: str
    model: str

    def check(self, value: Any) -> str | dict[str, Any]:
        """The name or the tables themselves."""
        if isinstance(value, (str, dict)):
            return value
        said = f"the name of a shipped {self.what}, or a whole {self.what} file as an object"
        raise wrong(value, f"is no {self.what}", said)

    def schema(self) -> dict[str, Any]:
        """A name, or what the file's own schema says."""
        return {"anyOf": [{"type": "string"}, {"$ref": f"#/$defs/{self.model}"}]}


@dataclass(frozen=True, slots=True)
class OptionValue(Scalar):
    """The value of an option; which are right, the option says."""

    def check(self, value: Any) -> Any:
        """The value itself."""
        if isinstance(value, (dict, list)):
            raise wrong(value, "is no value", "a number or text")
        return value

    def schema(self) -> dict[str, Any]:
        """A number or text."""
        return {"type": ["number", "string"]}


class RequestMessage(Piece):
    """A request; without ``id`` a notification."""

    jsonrpc: Literal["2.0"] = Field(description='"2.0"')
    id: Annotated[Id, RequestId()] = Field(
        default="", description="what the answer is told by; the engine gives it back as it is"
    )
    method: Annotated[str, Word(limit=100)] = Field(description="what is asked for")
    params: dict[str, Any] = Field(default={}, description="what goes with it, by name")


ActionText = Annotated[str, Word(limit=1000)]
Totals = Annotated[list[Each[Annotated[int, Count(0, 1000)]]], Field(max_length=100)]
MoveTexts = Annotated[list[Each[Annotated[str, Word(limit=10_000)]]], Field(max_length=100)]
UnitNames = Annotated[list[Each[Name]], Field(max_length=1000)]
OwnLoss = Annotated[float, Real(0, MOST_OWN_LOSS)]


class NoParams(Piece):
    """Nothing goes with this request."""


class HelloParams(Piece):
    """Who asks."""

    client: Name | None = Field(default=None, description="what the client calls itself")


class SetOptionParams(Piece):
    """A usual value from now on."""

    name: Name = Field(description="an option that `hello` lists")
    value: Annotated[Any, OptionValue()] = Field(description="its value from now on")


class ActionDone(Piece):
    """An action that has been carried out, with the dice it took."""

    action: ActionText = Field(description="the action, as play writes it")
    totals: Totals = Field(default=[], description="totals of the throws, unmodified, in order")


class PositionParams(Piece):
    """A position: a scenario, and what has been done in it since."""

    scenario: Annotated[Any, Document("scenario", "ScenarioFile")] = Field(
        description="a shipped scenario's name, or a whole scenario file as an object"
    )
    rules: Annotated[Any, Document("rules", "RulesFile")] | None = Field(
        default=None, description="rules in place of those that the scenario names"
    )
    actions: Annotated[list[ActionDone], Field(max_length=10_000)] = Field(
        default=[], description="what has been done since, in order"
    )


class WishesParams(Piece):
    """What is asked of a plan."""

    only: UnitNames | None = Field(default=None, description="only these AFVs may move")
    stay: UnitNames = Field(default=[], description="these AFVs stay")
    target: Name | None = Field(default=None, description="overrun this hex and no other")
    avoid: Annotated[list[Each[Name]], Field(max_length=40_000)] = Field(
        default=[], description="enter none of these hexes"
    )


class SearchParams(Piece):
    """The limits of a search. What is not given is as the options say; a search that is given
    ``work`` alone has no limit in seconds."""

    seconds: Annotated[float, Real(0, MOST_SECONDS)] | None = Field(
        default=None, description="wall-clock seconds that the search may take"
    )
    work: Annotated[int, Count(1, MOST_WORK)] | None = Field(
        default=None, description="units of work, as a plan valued: the same answer on any machine"
    )


class GoParams(SearchParams):
    """A search for plans."""

    plans: Annotated[int, Count(1, MOST_PLANS)] | None = Field(
        default=None, description="how many plans are wanted"
    )
    differ: Literal["overruns", "moves"] = Field(
        default="overruns", description="what the plans of the list must differ in"
    )
    own_loss: OwnLoss | None = Field(default=None, description="weight of the mover's own losses")
    wishes: WishesParams = Field(default=WishesParams(), description="what is asked of a plan")


class DecideParams(SearchParams):
    """A decision of the bot's, for the side that decides now."""

    level: Literal[tuple(LEVELS)] = Field(  # type: ignore[valid-type]
        default=BEST, description="how strong the bot is"
    )
    own_loss: OwnLoss | None = Field(default=None, description="weight of the mover's own losses")
    choices: bool = Field(default=False, description="the value of every legal action too")


class EvaluateParams(Piece):
    """Moves made in an order."""

    moves: MoveTexts = Field(description="moves in move notation, in the order they are made")
    defender: Literal["best", "fire-at-once", "hold"] = Field(
        default="best", description="how the defender decides when to fire"
    )
    own_loss: OwnLoss | None = Field(default=None, description="weight of the mover's own losses")


class LinesParams(Piece):
    """Overrun lines."""

    unit: Name | None = Field(default=None, description="only the lines of this AFV")


class WhyParams(Piece):
    """An overrun."""

    unit: Name = Field(description="the AFV")
    target: Name = Field(description="the hex to overrun")
    direction: Name = Field(description="the direction of travel")


class ApplyParams(Piece):
    """An action, and where its dice come from."""

    action: ActionText = Field(description="the action, as play writes it")
    totals: Totals | None = Field(
        default=None, description="totals of the throws, unmodified, in order"
    )
    seed: Annotated[int, Count(-(2**53) + 1, 2**53 - 1)] | None = Field(
        default=None, description="seed of the engine's own dice, in place of totals"
    )


PARAMS: dict[str, type[Piece]] = {
    "hello": HelloParams,
    "set_option": SetOptionParams,
    "position": PositionParams,
    "go": GoParams,
    "decide": DecideParams,
    "stop": NoParams,
    "evaluate": EvaluateParams,
    "lines": LinesParams,
    "why": WhyParams,
    "legal": NoParams,
    "apply": ApplyParams,
    "scenario": NoParams,
    "ping": NoParams,
    "quit": NoParams,
}
"""Every method and what goes with it."""
