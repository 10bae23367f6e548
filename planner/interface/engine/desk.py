"""What requests ask for, carried out on the position that was set. No message is sent here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from planner.game import shipped
from planner.game.clauses import Clause
from planner.game.document import Form, parse_document
from planner.game.faults import Fault, Faults, FileFault, shown
from planner.game.legality import Reason, wrong
from planner.game.moves import PlannedMove
from planner.game.notation import NotationError, format_move, parse_move
from planner.game.numbering import HexNameError
from planner.game.play_state import Game
from planner.game.position import Position
from planner.game.read_rules import parse_rules, shipped_rules
from planner.game.read_scenario import load_game, parse_game
from planner.game.rules import Rules
from planner.interface.engine.deciding import Deciding
from planner.interface.engine.errors import Kind, RefusedError, refusal
from planner.interface.engine.options import Settings
from planner.interface.engine.planning import Planning
from planner.interface.engine.play import apply_action, legal_actions, told
from planner.interface.engine.requests import (
    ApplyParams,
    DecideParams,
    EvaluateParams,
    GoParams,
    LinesParams,
    PositionParams,
    SearchParams,
    SetOptionParams,
    WhyParams,
    WishesParams,
)
from planner.interface.engine.results import (
    EvaluateResult,
    LinesResult,
    ScenarioResult,
    SetOptionResult,
    WhyResult,
)
from planner.interface.engine.search import Task
from planner.interface.engine.sent import Sent
from planner.search.effort import Limit, Wishes

if TYPE_CHECKING:  # heavy: loaded with the first position
    from planner.play.bot import Bot

MOST_BOTS = 4
"""Bots that remember what they have found since the position was set."""


class Desk:
    """The position and the options, and what can be asked of them; for one thread at a time.

    Everything raises RefusedError when it can't be done; then the position stays as it was.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._game: Game | None = None
        self._bots: dict[tuple[str, float], Bot] = {}

    def carry_out(self, params: object, method: str) -> Sent:
        """Do what a request that is no search asks for."""
        match params:
            case SetOptionParams():
                value = self._settings.set(params.name, params.value)
                return SetOptionResult(name=params.name, value=value)
            case PositionParams():
                self._game = _set_up(params)
                self._bots.clear()
                return told(self._game)
            case EvaluateParams():
                return self._evaluate(params)
            case LinesParams():
                return self._lines(params)
            case WhyParams():
                return self._why(params)
            case ApplyParams():
                self._game, result = apply_action(self._any_game(), params)
                return result
        if method == "scenario":
            from planner.game.write_scenario import document

            return ScenarioResult(scenario=document(self._any_game()))
        return legal_actions(self._any_game())

    def task(self, params: SearchParams) -> Task:
        """What a ``go`` or a ``decide`` is to search."""
        interval = self._settings["info_interval"]
        if isinstance(params, DecideParams):
            game = self._any_game()
            if game.over:
                said, expected = "the game is over: nobody decides", "a game that goes on"
                raise refusal(Kind.GAME_OVER, "message", said, expected)
            bot = self._bot(params.level, self._own_loss(params.own_loss))
            return Deciding(game, bot, self._limit(params), params.choices, interval)
        assert isinstance(params, GoParams)
        position = self._position()
        plans = self._settings["plans"] if params.plans is None else params.plans
        return Planning(
            position,
            self._limit(params),
            _wishes(position, params.wishes),
            self._own_loss(params.own_loss),
            int(plans),
            params.differ,
            interval,
        )

    def _limit(self, params: SearchParams) -> Limit:
        seconds = params.seconds
        if seconds is None and params.work is None:
            seconds = self._settings["seconds"]
        return Limit(seconds, params.work)

    def _own_loss(self, asked: float | None) -> float:
        return float(self._settings["own_loss"] if asked is None else asked)

    def _bot(self, level: str, own_loss: float) -> Bot:
        """The bot that has decided so before, as it remembers what it found; or a new one."""
        from planner.play.bot import Bot

        key = (level, own_loss)
        bot = self._bots.pop(key, None) or Bot(level, own_loss)
        while len(self._bots) >= MOST_BOTS:
            del self._bots[next(iter(self._bots))]
        self._bots[key] = bot
        return bot

    def _any_game(self) -> Game:
        if self._game is None:
            said, expected = "there is no position", "a position request before"
            raise refusal(Kind.NO_POSITION, "message", said, expected)
        return self._game

    def _position(self) -> Position:
        """The position, between two moves."""
        game = self._any_game()
        if game.under_way is not None:
            said = f"the move of {game.under_way.unit} has not ended"
            expected = "a position between moves; legal, decide and apply go on with the move"
            raise refusal(Kind.MOVE_UNDER_WAY, "message", said, expected)
        return game.position

    def _evaluate(self, params: EvaluateParams) -> Sent:
        from evaluation.backward import TooManyStatesError
        from evaluation.plan import Defence
        from planner.interface.forms import evaluation_form
        from planner.search.worth import evaluate

        position = self._position()
        moves = _moves(position, params.moves)
        own_loss = self._own_loss(params.own_loss)
        try:
            found = evaluate(position, moves, own_loss, Defence(params.defender))
        except TooManyStatesError as error:
            said, expected = f"these moves lead to {error}", "fewer moves at once"
            raise refusal(Kind.TOO_LARGE, "params.moves", said, expected) from None
        return EvaluateResult.model_validate(evaluation_form(position, found))

    def _lines(self, params: LinesParams) -> Sent:
        from planner.interface.forms import line_form
        from planner.search.lines import lines

        position = self._position()
        if params.unit is not None:
            _known_unit(position, params.unit)
        found = [line_form(position, line) for line in lines(position, params.unit)]
        return LinesResult.model_validate({"lines": found})

    def _why(self, params: WhyParams) -> Sent:
        from planner.interface.forms import verdict_form
        from planner.search.why import why

        position, faults = self._position(), Faults()
        faults.known(("params", "unit"), "unit", params.unit, position.units)
        _hex_known(position, params.target, ("params", "target"), faults)
        heading, names = params.direction.upper(), position.board.orientation.names
        faults.known(("params", "direction"), "direction on this map", heading, names)
        _raise_any(faults)
        verdict = why(position, params.unit, params.target, heading)
        return WhyResult.model_validate(verdict_form(position, verdict))


def _set_up(params: PositionParams) -> Game:
    rules = None if params.rules is None else _rules(params.rules)
    scenario = params.scenario
    if isinstance(scenario, str):
        names = shipped.scenario_names()
        if scenario not in names:
            faults = Faults()
            faults.unknown(("params", "scenario"), "shipped scenario", scenario, names)
            _raise_any(faults)
        if rules is None:
            game = load_game(scenario)
        else:
            tables = parse_document(shipped.scenario_text(scenario), scenario, Form.TOML)
            game = _parsed(tables, rules)
    else:
        game = _parsed(scenario, rules)
    for index, done in enumerate(params.actions):
        action = ApplyParams(action=done.action, totals=done.totals)
        game, _ = apply_action(game, action, ("params", "actions", index))
    return game


def _parsed(tables: dict[str, Any], rules: Rules | None) -> Game:
    try:
        return parse_game(tables, file="scenario", rules=rules)
    except FileFault as error:
        raise RefusedError.of(Kind.BAD_POSITION, error, "scenario") from None


def _rules(asked: str | dict[str, Any]) -> Rules:
    if isinstance(asked, str):
        names = shipped.rules_names()
        if asked not in names:
            faults = Faults()
            faults.unknown(("params", "rules"), "shipped rules", asked, names)
            _raise_any(faults)
        return shipped_rules(asked)
    try:
        return parse_rules(asked)
    except FileFault as error:
        raise RefusedError.of(Kind.BAD_POSITION, error, "rules") from None


def _moves(position: Position, texts: list[str]) -> list[PlannedMove]:
    """The moves written down; refused when they can't be read, or are wrong whatever happens."""
    faults, moves = Faults(), []
    for index, text in enumerate(texts):
        try:
            moves.append(parse_move(position, text))
        except NotationError as error:
            said = f"{shown(text)}: {error.fault}"
            faults.add(("params", "moves", index), said, error.expected)
    _raise_any(faults)
    reasons: list[tuple[int, Reason]] = []
    for index, move in enumerate(moves):
        reasons += ((index, reason) for reason in wrong(position, move))
        if any(before.unit == move.unit for before in moves[:index]):
            said = f"{move.unit} has two moves: an AFV moves once in a phase"
            reasons.append((index, Reason(Clause.OVR_4, said)))
    if reasons:
        from planner.interface.forms import reason_form

        found = [
            Fault(f"params.moves[{index}]", reason.text, "a move that breaks no clause")
            for index, reason in reasons
        ]
        wrong_ones = dict.fromkeys(format_move(position, moves[index]) for index, _ in reasons)
        message = f"not legal whatever happens: {', '.join(wrong_ones)}"
        forms = [reason_form(position, reason) for _, reason in reasons]
        raise RefusedError(Kind.ILLEGAL, message, found, reasons=forms)
    return moves


def _wishes(position: Position, asked: WishesParams) -> Wishes:
    faults, place = Faults(), ("params", "wishes")
    afvs = [unit.id for unit in position.movers()]
    what = f"AFV of {position.to_move}"
    for key, names in (("only", asked.only or []), ("stay", asked.stay)):
        for index, name in enumerate(names):
            faults.known((*place, key, index), what, name, afvs)
    for index, name in enumerate(asked.stay):
        if name in (asked.only or []):
            said = f"{shown(name)} is in only too"
            faults.add((*place, "stay", index), said, "an AFV in one of the two")
    for index, name in enumerate(asked.avoid):
        _hex_known(position, name, (*place, "avoid", index), faults)
        if name == asked.target:
            said = f"{shown(name)} is the target"
            faults.add((*place, "avoid", index), said, "other hexes than the one to overrun")
    if asked.target is not None:
        _hex_known(position, asked.target, (*place, "target"), faults)
    _raise_any(faults)
    parse = position.board.numbering.parse
    return Wishes(
        None if asked.only is None else frozenset(asked.only),
        frozenset(asked.stay),
        None if asked.target is None else parse(asked.target),
        frozenset(map(parse, asked.avoid)),
    )


def _known_unit(position: Position, name: str) -> None:
    faults = Faults()
    faults.known(("params", "unit"), "unit", name, position.units)
    _raise_any(faults)


def _hex_known(position: Position, name: str, place: tuple[str | int, ...], faults: Faults) -> None:
    try:
        position.board.numbering.parse(name)
    except HexNameError as error:
        faults.add(place, error.fault, error.expected)


def _raise_any(faults: Faults) -> None:
    """Raises RefusedError when anything was noted."""
    if faults:
        found = FileFault("message", faults.in_order({}))
        raise RefusedError.of(Kind.INVALID_PARAMS, found)
