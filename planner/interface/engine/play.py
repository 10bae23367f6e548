"""The game gone on with, action by action: what may be done, doing it, and what happened."""

from __future__ import annotations

from planner.game.actions import format_action, parse_action
from planner.game.chance import DiceError, ForcedDice, KeyedDice
from planner.game.choices import bars, legal
from planner.game.events import Rolled
from planner.game.faults import Fault, Place, place_text, shown
from planner.game.notation import NotationError
from planner.game.play_state import Game
from planner.game.resolution import apply
from planner.game.score import score
from planner.interface.engine.action_info import action_info
from planner.interface.engine.errors import Kind, RefusedError, refusal
from planner.interface.engine.requests import ApplyParams
from planner.interface.engine.results import (
    ApplyResult,
    LegalResult,
    PositionResult,
    SideInfo,
    UnderWayInfo,
)
from planner.play.event_form import event_form


def told(game: Game) -> PositionResult:
    """The game as it stands, in short."""
    position, under_way = game.position, game.under_way
    name = position.board.name
    return PositionResult(
        title=position.title,
        sides=[SideInfo(id=side.id, name=side.name) for side in position.sides],
        to_move=position.to_move,
        turn=position.turn,
        turns=position.turns,
        deciding=game.deciding.value,
        decider=game.decider,
        under_way=under_way
        and UnderWayInfo(
            unit=under_way.unit,
            route=[name(hex_) for hex_ in under_way.route],
            window=under_way.window is not None,
        ),
        over=game.over,
        score=dict(score(game)),
        afvs=[unit.id for unit in position.movers()],
        warnings=list(position.warnings),
    )


def legal_actions(game: Game) -> LegalResult:
    """What may be done now."""
    actions = legal(game)
    return LegalResult(
        deciding=game.deciding.value,
        decider=game.decider,
        actions=[format_action(game.position, action) for action in actions],
        parts=[action_info(game.position, action) for action in actions],
    )


def apply_action(
    game: Game, asked: ApplyParams, place: Place = ("params",)
) -> tuple[Game, ApplyResult]:
    """The game after an action, and what happened. Raises RefusedError when it can't be done;
    ``place`` is where it stands in the message."""
    position = game.position
    at, dice_at = place_text((*place, "action")), place_text((*place, "totals"))
    if asked.totals is not None and asked.seed is not None:
        said = "there is a seed too"
        raise refusal(Kind.INVALID_PARAMS, dice_at, said, "totals or a seed")
    try:
        action = parse_action(position, asked.action)
    except NotationError as error:
        said = f"{shown(asked.action)}: {error.fault}"
        raise refusal(Kind.INVALID_PARAMS, at, said, error.expected) from None
    reasons = bars(game, action)
    if reasons:
        from planner.interface.forms import reason_form

        faults = [Fault(at, reason.text, "an action that legal lists") for reason in reasons]
        message = f"{format_action(position, action)} is not legal: {reasons[0].text}"
        forms = [reason_form(position, reason) for reason in reasons]
        raise RefusedError(Kind.ILLEGAL, message, faults, reasons=forms)
    totals = asked.totals or []
    try:
        dice = ForcedDice(totals) if asked.seed is None else KeyedDice(asked.seed)
        after, events = apply(game, action, dice)
    except DiceError as error:
        expected = "a total for every throw, or a seed"
        raise refusal(Kind.INVALID_PARAMS, dice_at, str(error), expected) from None
    thrown = sum(isinstance(event, Rolled) for event in events)
    if thrown < len(totals):
        said = f"there are {len(totals)}, and dice were thrown {thrown} times"
        raise refusal(Kind.INVALID_PARAMS, dice_at, said, "a total for every throw and no more")
    forms = [event_form(position.board, event) for event in events]
    return after, ApplyResult(events=forms, position=told(after))
