"""What the engine sends: answers, errors and notifications.

Everything sent goes through these models, so that it keeps the JSON Schema made from them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from planner.interface.engine.action_info import ActionInfo
from planner.interface.engine.errors import Kind
from planner.interface.engine.requests import Id, RequestId
from planner.interface.engine.sent import Sent
from planner.play.event_form import event_schema

Chance = Annotated[float, Field(ge=0, le=1)]
Points = int | float


class OptionInfo(Sent):
    """An option."""

    name: str
    type: Literal["number", "integer"]
    default: float | int = Field(description="its value until it is set")
    value: float | int = Field(description="its value now")
    min: float | int
    max: float | int
    description: str


class Limits(Sent):
    """What a line may hold."""

    line_bytes: int
    depth: int
    waiting: int = Field(description="requests that may wait")


class HelloResult(Sent):
    """Who answers, and what it can do."""

    name: str
    version: str
    protocol: int = Field(description="version of the protocol")
    methods: list[str]
    options: list[OptionInfo]
    limits: Limits
    levels: list[str] = Field(description="the bot's levels, the weakest first")
    scenarios: list[str] = Field(description="shipped scenarios")
    rules: list[str] = Field(description="shipped rules")


class Nothing(Sent):
    """That it is done is all there is to say."""


class SetOptionResult(Sent):
    """The option's value from now on."""

    name: str
    value: float | int


class SideInfo(Sent):
    """A side."""

    id: str
    name: str


class UnderWayInfo(Sent):
    """The AFV whose move has begun and not ended."""

    unit: str
    route: list[str] = Field(description="hexes it has been in, that where it began first")
    window: bool = Field(description="whether a window of Opportunity Fire is open")


class PositionResult(Sent):
    """The position as it stands."""

    title: str
    sides: list[SideInfo]
    to_move: str = Field(description="side whose Movement Phase it is")
    turn: int
    turns: int
    deciding: Literal["mover", "defender", "nobody"]
    decider: str | None = Field(description="side that decides next; null when the game is over")
    under_way: UnderWayInfo | None
    over: bool
    score: dict[str, float] = Field(
        description="what each side has of the game since the position was set, by its id"
    )
    afvs: list[str] = Field(description="AFVs of the side to move")
    warnings: list[str] = Field(description="what is odd but no fault")


class Follow(Sent):
    """What follows the next move in one case."""

    conditions: list[str] = Field(alias="if", description="all of which must be so")
    probability: Chance
    move: str = Field(description='a move, or "stop"')
    value: float = Field(description="still to come on average")


class NextMove(Sent):
    """The next move and the value of the position."""

    move: str = Field(description='a move, or "stop"')
    value: float = Field(description="to the mover; attained by something it can do")
    exact: bool
    value_high: float | None = Field(description="no course of action is worth more")
    then: list[Follow]


class PlanInfo(Sent):
    """A fixed plan."""

    moves: list[str]
    value: float = Field(description="to the mover, against the best reply")
    exact: bool = Field(description="false for a plan too large: it is worth at least its value")
    value_high: float | None = Field(description="it is worth no more; its value where exact")
    status: Literal["optimal", "feasible"]
    proved: bool = Field(description="no plan that should stand above it was missed")
    bound: float | None = Field(description="null where none was derived")
    proof_over: str | None = Field(description="the moves that the bound speaks of")


class GoResult(Sent):
    """The answer to a search. `evaluate` tells what becomes of every unit."""

    next: NextMove
    plans: list[PlanInfo] = Field(description="best first")
    staying: float | None = Field(description="what making no move is worth")
    ended: Literal["finished", "limit", "stopped"] = Field(description="why the search ended")
    seconds: float
    work: int


class ChoiceInfo(Sent):
    """A legal action and what it is worth."""

    action: str = Field(description="as play writes it")
    value: float | None = Field(description="as that of the decision; null if not worked out")


class DecideResult(Sent):
    """What the bot does."""

    action: str = Field(description="as play writes it; `apply` carries it out")
    parts: ActionInfo = Field(description="the same taken apart")
    deciding: Literal["mover", "defender"]
    decider: str = Field(description="side whose decision it is")
    value: float | None = Field(
        description="what the rest of the Movement Phase is worth after it; null if not worked out"
    )
    value_to: str = Field(description="side that the value is to: the one whose phase it is")
    exact: bool = Field(description="the value is the game's under best play, no estimate")
    reason: str = Field(description="why, in words and figures")
    choices: list[ChoiceInfo] | None = Field(
        default=None,
        description="every legal action if asked for; the best for the decider first, those "
        "without a value last",
    )
    ended: Literal["decided", "stopped"] = Field(description="within its limits, or by a stop")
    seconds: float
    work: int


class StopResult(Sent):
    """Whether there was a search to stop."""

    stopped: bool


class ReasonInfo(Sent):
    """A clause broken."""

    clause: str
    text: str
    hex: str | None = None


class ObjectiveInfo(Sent):
    """What becomes of an objective; chances are null where they take too many states."""

    worth: float
    gained: Chance | None = Field(description="chance that the mover gains it")
    lost: Chance | None = Field(description="chance that the mover loses it")


class ShotInfo(Sent):
    """A shot that the defender may make."""

    unit: str
    weapon: str
    leader: str | None
    probability: Chance


class StageInfo(Sent):
    """A step of a move: where it goes, the fire it meets, and what comes of it. All chances but
    ``reached`` are given that it was reached."""

    hex: str
    reached: Chance
    shots: list[ShotInfo]
    afv: dict[str, Chance] = Field(description="chances of the AFV's statuses then")
    struck: dict[str, dict[str, Chance]] = Field(description="and of those of units overrun")


class EvaluateResult(Sent):
    """The value of moves; keys as of ``overrun evaluate --json``."""

    value: float
    exact: bool
    value_high: float
    moves: list[str]
    outcomes: dict[str, dict[str, Chance] | None] = Field(
        description="chances of every unit's final statuses; null where they take too many states"
    )
    payoff: list[tuple[float, Chance]] | None = Field(description="null where it takes too many")
    objectives: dict[str, ObjectiveInfo] = Field(description="by the names of their hexes")
    made: list[Chance | None] = Field(description="chance that each move is made in its turn")
    stages: list[list[StageInfo] | None] = Field(description="each move step by step")
    left_out: list[str] = Field(description="the keys in which something is null for that reason")


class LineInfo(Sent):
    """An overrun line."""

    unit: str
    target: str
    direction: str
    exit: str
    movement_points: Points
    move: str


class LinesResult(Sent):
    """Legal overrun lines."""

    lines: list[LineInfo]


class WhyResult(Sent):
    """Whether an overrun is legal: its cheapest move, or every clause that it breaks."""

    legal: bool
    reasons: list[ReasonInfo]
    move: str | None = None


class LegalResult(Sent):
    """What may be done now."""

    deciding: Literal["mover", "defender", "nobody"]
    decider: str | None
    actions: list[str] = Field(description="in text order")
    parts: list[ActionInfo] = Field(description="the same actions taken apart")


class ApplyResult(Sent):
    """What an action led to."""

    events: list[Annotated[dict[str, Any], WithJsonSchema(event_schema())]]
    position: PositionResult


class ScenarioResult(Sent):
    """The position as a scenario file."""

    scenario: dict[str, Any]


RESULTS: dict[str, type[Sent]] = {
    "hello": HelloResult,
    "set_option": SetOptionResult,
    "position": PositionResult,
    "go": GoResult,
    "decide": DecideResult,
    "stop": StopResult,
    "evaluate": EvaluateResult,
    "lines": LinesResult,
    "why": WhyResult,
    "legal": LegalResult,
    "apply": ApplyResult,
    "scenario": ScenarioResult,
    "ping": Nothing,
    "quit": Nothing,
}
"""What each method is answered with."""


class Info(Sent):
    """Where a search is."""

    go: Annotated[Id, RequestId()] = Field(description="id of the go")
    phase: str
    moves: list[str] = Field(description="the best plan so far")
    value: float = Field(description="its value to the mover")
    bound: float | None = Field(description="no plan is worth more; null until it is derived")
    work: int
    seconds: float


class FaultInfo(Sent):
    """One thing that is wrong."""

    place: str
    fault: str
    expected: str = Field(description="what would be right")


class ErrorData(Sent):
    """What is wrong, for programs."""

    kind: Literal[tuple(kind.name.lower() for kind in Kind)]  # type: ignore[valid-type]
    faults: list[FaultInfo]
    file: Literal["scenario", "rules"] | None = Field(
        default=None, description="document that the places are in; the message unless given"
    )
    reasons: list[ReasonInfo] | None = Field(default=None, description="clauses broken")
    more: int | None = Field(default=None, description="how many faults there are besides")


class ErrorObject(Sent):
    """Why a request is refused."""

    code: int = Field(json_schema_extra={"enum": [kind.value for kind in Kind]})
    message: str
    data: ErrorData


class Answer(Sent):
    """The answer to a request."""

    jsonrpc: Literal["2.0"]
    id: Annotated[Id, RequestId()]
    result: dict[str, Any]


class ErrorAnswer(Sent):
    """A refusal; the id is null when the request's is not known or still waits for its answer."""

    jsonrpc: Literal["2.0"]
    id: Annotated[Id, RequestId()] | None
    error: ErrorObject


class InfoMessage(Sent):
    """A notification during a search."""

    jsonrpc: Literal["2.0"]
    method: Literal["info"]
    params: Info
