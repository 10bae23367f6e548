"""Decisions of small moments: read off the game tree, solved exactly."""

from __future__ import annotations

from planner.game.actions import Action, format_action
from planner.game.choices import legal
from planner.game.play_state import Deciding, Game
from planner.play.advice import Advice, Option, figure, in_order
from planner.play.lookahead import Lookahead, TooLarge
from planner.play.spending import Spending
from planner.search.tally import OutOfEffortError


class Exactly:
    """Exact decisions of moments that are small enough; the tree of a phase is solved once."""

    def __init__(self, own_loss: float) -> None:
        self._spending: Spending | None = None
        self._look = Lookahead(own_loss, poll=self._poll)

    def _poll(self) -> None:
        if self._spending is not None:
            self._spending.poll()

    def decide(self, game: Game, spending: Spending, *, every: bool) -> Advice | None:
        """The best action; None where the moment is too large, or the effort ends first.
        ``every``: with the value of every legal action."""
        self._spending = spending
        before = self._look.work
        try:
            action, value = self._look.best(game)
            found = dict(self._look.options(game)) if every else {action: value}
        except (TooLarge, OutOfEffortError):
            return None
        finally:
            self._spending = None
        listed = legal(game) if every else (action,)
        options = in_order(game, [Option(each, found.get(each)) for each in listed])
        reason = _reason(game, action, value, options)
        work = spending.work + self._look.work - before
        return Advice(options, action, value, True, reason, work)


def _reason(game: Game, action: Action, value: float, options: tuple[Option, ...]) -> str:
    """The choice and the next best, in figures."""
    text = format_action(game.position, action)
    defends = game.deciding is Deciding.DEFENDER
    said = f"{text} {'leaves the mover' if defends else 'is worth'} {figure(value)}, exactly"
    rival = next((o for o in options if o.action != action), None)
    if rival is None or rival.value_to_mover is None:
        return said
    other = format_action(game.position, rival.action)
    return f"{said}; the next best ({other}) {figure(rival.value_to_mover)}"
