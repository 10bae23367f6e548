"""Hints to the player: the planner's between moves, the bot's advice in a move or window."""

from __future__ import annotations

from planner.game.actions import END, EndPhase, format_action
from planner.game.play_state import Deciding, Game
from planner.interface.playing.telling import why_text
from planner.interface.screen import progress_shown, say, show_table
from planner.interface.show_hint import show_hint
from planner.interface.stopping import stoppable
from planner.interface.words import signed
from planner.play.bot import Bot
from planner.play.hint import hint
from planner.search.effort import Limit

SHOWN = 12
"""So many choices are shown of what the bot advises."""


def give_hint(game: Game, limit: Limit, own_loss: float) -> None:
    """Show what to do now, and why. Ctrl-C takes the best so far."""
    if game.deciding is Deciding.MOVER and game.under_way is None:
        with progress_shown() as on_progress, stoppable() as cancelled:
            found = hint(
                game.position,
                limit,
                own_loss=own_loss,
                on_progress=on_progress,
                cancelled=cancelled,
            )
            stopped = cancelled()
        show_hint(game.position, found, "hint SECONDS")
        if found.next.move is None and found.result.finished and not stopped:
            _show_purpose(game, limit, own_loss)
        return
    with stoppable() as cancelled:
        advice = Bot(own_loss=own_loss).advise(game, limit, cancelled)
    defends = game.deciding is Deciding.DEFENDER
    text = format_action(game.position, advice.action)
    say(f"Do now:  {text}   {why_text(text, advice.reason)}", "bold green")
    show_table(
        ["choice", "it leaves the mover" if defends else "worth to you"],
        [
            [
                format_action(game.position, option.action),
                "not looked at" if option.value_to_mover is None else signed(option.value_to_mover),
            ]
            for option in advice.options[:SHOWN]
        ],
        right=[1],
        indent=2,
    )
    more = len(advice.options) - SHOWN
    if more > 0:
        say(f"  … and {more} more", "dim")
    how = "exact" if advice.exact else "attained by what was found so far, and may be more"
    say(f"Values are of the rest of this Movement Phase, to the mover: {how}.", "dim")


def _show_purpose(game: Game, limit: Limit, own_loss: float) -> None:
    """Where nothing is to be won in this phase: what the bot would do with the turns to come in
    mind, or that the phase may end."""
    with stoppable() as cancelled:
        advice = Bot(own_loss=own_loss).advise(game, limit, cancelled)
    text = format_action(game.position, advice.action)
    if isinstance(advice.action, EndPhase):
        say(f"Type {text} to end the Movement Phase.", "bold green")
        return
    say(f"For the turns to come:  {text}   {why_text(text, advice.reason)}", "bold green")
    say(f"Or type {END} to end the Movement Phase.", "dim")
