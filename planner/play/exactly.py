"""Decisions of small moments: read off the game tree, solved exactly."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from planner.game.actions import Action, Hold, format_action
from planner.game.choices import legal
from planner.game.play_state import Deciding, Game
from planner.game.resolution import outcomes
from planner.play.advice import EQUALLY_GOOD, Advice, Option, figure, in_order
from planner.play.kept import held_back, kept_on_tree
from planner.play.lookahead import BUDGET, Lookahead, TooLarge
from planner.play.spending import Spending
from planner.play.ties import soonest
from planner.search.effort import Poll, nothing
from planner.search.tally import OutOfEffortError

PART = 0.25
"""So much of its effort at most a decision spends on the tree: if the moment proves too large, the
rest is for deciding it otherwise."""


class Exactly:
    """Exact decisions of moments that are small enough.

    Under a limit of work every decision grows its own trees, so that what was asked before changes
    nothing: neither the action nor whether it is exact, nor the work counted. Without one, when
    only the clock stops it, the trees of a phase are kept for its later decisions; then it may know
    a moment exactly that asked first would have been too large.
    """

    def __init__(self, own_loss: float) -> None:
        self._own_loss = own_loss
        self._poll: Poll = nothing
        self._kept = Lookahead(own_loss, poll=self._polled)

    def _polled(self) -> None:
        self._poll()

    def decide(self, game: Game, spending: Spending, *, every: bool) -> Advice | None:
        """The best action; None where the moment is too large, or the effort ends first.
        ``every``: with the values of all legal actions, as far as the effort goes."""
        in_all = spending.on_trees(PART)
        look = self._kept
        if in_all is not None:
            look = Lookahead(self._own_loss, min(BUDGET, in_all), self._polled, in_all)
        before = look.work
        self._poll = spending.part_poll(PART)
        try:
            action, value = look.best(game)
            found = {action: value}
            listed = legal(game) if every or isinstance(action, Hold) else (action,)
            with suppress(TooLarge, OutOfEffortError):
                for each in listed:
                    if each not in found:
                        found[each] = look.after(game, each)
        except (TooLarge, OutOfEffortError):
            return None
        finally:
            self._poll = nothing
            spending.book_trees(look.work - before)
        if isinstance(action, Hold):
            equal = [e for e, known in found.items() if abs(known - value) <= EQUALLY_GOOD]
            action = soonest(game, [Option(each, found[each]) for each in equal]).action
        options = in_order(game, [Option(each, found.get(each)) for each in listed])
        reason = _reason(game, action, value, options)
        if isinstance(action, Hold):
            reason += self._why_held(game, look, found, spending)
        return Advice(options, action, value, True, reason, spending.work)

    def _why_held(
        self, game: Game, look: Lookahead, found: Mapping[Action, float], spending: Spending
    ) -> str:
        """What the best shot that is held back is kept for; nothing where that is not found."""
        firer = held_back(game, found)
        if firer is None:
            return ""
        [(_, held)] = outcomes(game, Hold())
        self._poll, before, kept = spending.poll, look.work, None
        with suppress(OutOfEffortError):
            kept = kept_on_tree(look, held, firer, spending.spend)
        self._poll = nothing
        spending.book_trees(look.work - before)
        return "" if kept is None else f"; {kept.told}"


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
