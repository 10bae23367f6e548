"""The bot that moves: what it does next, decided anew after every result.

It looks for good courses of action from the moment of the decision (`planner.play.continuations`)
and at what the next moves are worth when later ones are chosen as the dice fall
(`planner.play.foresight`). It makes the first action of the best; with nothing worth making, a
plain move with a purpose (`planner.play.manoeuvre`), or it stops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from math import inf

from evaluation.backward import TooManyStatesError
from planner.game.actions import Action, EndPhase, Enter, Halt, Overrun, format_action
from planner.game.choices import bars, expand, legal
from planner.game.notation import format_move
from planner.game.play_state import Game
from planner.play.advice import Advice, Option, figure, in_order, told_order
from planner.play.continuations import Continuations
from planner.play.foresight import Foreseen, Foresight, shortlist
from planner.play.levels import Level, misjudged
from planner.play.manoeuvre import manoeuvre
from planner.play.onward import Onward
from planner.play.remembered import Course
from planner.play.spending import Spending
from planner.search.candidates import Candidate
from planner.search.tally import BETTER, Order, OutOfEffortError

SEARCHED = 0.55
"""Up to this part of its effort the bot looks for good courses of action."""
LISTS = (6, 9, 12, 16, 20)
"""Lengths of the lists of moves over which it foresees, one after the other as the effort goes."""
HEADS = 4
"""Of the ways in which a move under way may go on, so many at most are foreseen."""


def decide_mover(
    game: Game,
    level: Level,
    own_loss: float,
    spending: Spending,
    known: Iterable[Course] = (),
    *,
    every: bool = False,
) -> Advice:
    """What the mover does. ``known``: courses of action to try first. ``every``: every legal action
    gets a value, not only those that a good course of action begins with."""
    thinking = _Thinking(game, level, own_loss, spending, known)
    thinking.think()
    advice = thinking.advice()
    return replace(advice, options=thinking.every_option()) if every else advice


class _Thinking:
    """One decision in the making: the best value known of each first action, and the course of
    action that it begins."""

    def __init__(
        self,
        game: Game,
        level: Level,
        own_loss: float,
        spending: Spending,
        known: Iterable[Course],
    ) -> None:
        self._game = game
        self._level = level
        self._own_loss = own_loss
        self._spending = spending
        self._judge = Onward(game, own_loss)
        self._tally = spending.tally(self._judge, SEARCHED if level.foresees else 1.0)
        self._found = Continuations(self._judge, self._tally, known)
        self._values: dict[Action, float] = {}
        self._courses: dict[Action, Order] = {}
        self._first: dict[str, Action | None] = {}
        self._stop: Action = EndPhase() if game.under_way is None else Halt(game.under_way.unit)

    def think(self) -> None:
        """Find the values."""
        if self._game.under_way is None:
            self._values[EndPhase()] = self._tally.staying
        found = self._found
        through = found.search() if self._level.follows else found.search_singles()
        for value, order in self._found.ranked():
            self._book(value, order)
        if self._level.foresees:
            for one in self._foreseen():
                self._book(one.value, (one.candidate,))
        if not through and self._choose() in (self._stop, None):
            self._look_in_haste()

    def _look_in_haste(self) -> None:
        """Look on, whatever the limit, until something is found that is better than to stop: for
        want of a look no phase and no move is given up."""
        for order in self._found.at_once():
            value = self._tally.anyway(order)
            self._book(value, order)
            if self._choose() not in (self._stop, None):
                return

    def _book(self, value: float, order: Order) -> None:
        """A course of action is worth that much: so is the action it begins with, at least."""
        for candidate in order:
            action = self._action(candidate)
            if action is None:
                continue  # skipped: it can't be made now
            if value > self._values.get(action, -inf) + BETTER:
                self._values[action] = value
                if len(order) > 1 or action not in self._courses:
                    self._courses[action] = order
            return

    def _action(self, candidate: Candidate) -> Action | None:
        """What making a move begins with; None where that is not legal now."""
        if candidate.text not in self._first:
            actions = expand(candidate.move) or (Halt(candidate.move.unit),)
            barred = bars(self._game, actions[0])
            self._first[candidate.text] = None if barred else actions[0]
        return self._first[candidate.text]

    def _foreseen(self) -> Iterable[Foreseen]:
        return foresee(self._judge, self._found, self._spending)

    def every_option(self) -> tuple[Option, ...]:
        """Every legal action; those that no good course begins with are valued as made by
        themselves, and then what is best without."""
        values = dict(self._values)
        ranked = self._found.ranked()
        best = ranked[0][1] if ranked else ()
        tail = best[1:] if self._found.heads else best
        for action in legal(self._game):
            if action in values or not isinstance(action, Enter | Halt | Overrun):
                continue
            move = action.planned()
            others = [c.move for c in tail if c.move.unit != move.unit]
            with suppress(TooManyStatesError):
                followed = self._judge.value([move, *others])
                values[action] = max(followed, self._judge.value([move]))
        return in_order(self._game, [Option(a, values.get(a)) for a in legal(self._game)])

    # -- what comes of it --------------------------------------------------------------------

    def advice(self) -> Advice:
        """The choice and its reason."""
        best = self._choose()
        options = [Option(a, self._values.get(a)) for a in self._known_actions(best)]
        ordered = in_order(self._game, options)
        if best == self._stop or best is None:
            moved = purposeful(self._game, self._own_loss, self._spending)
            if moved is not None:
                action, payoff, reason = moved
                kept = self._tally.staying if best is None else self._values[best]
                return self._advised(ordered, action, kept + payoff, reason)
        if best is None:
            best = legal(self._game)[0]
        value = self._values.get(best)
        return self._advised(ordered, best, value, self._reason(best))

    def _advised(
        self, options: tuple[Option, ...], action: Action, value: float | None, reason: str
    ) -> Advice:
        courses = self._found.courses()
        return Advice(options, action, value, False, reason, self._spending.work, courses)

    def _known_actions(self, best: Action | None) -> Iterator[Action]:
        known = dict.fromkeys(self._values)
        if best is not None:
            known.setdefault(best)
        yield from known

    def _choose(self) -> Action | None:
        """The action of the greatest value; of equal ones stopping, then in text order."""

        def rank(action: Action) -> tuple[float, bool, str]:
            worth = self._values[action] + misjudged(self._level, self._game, action)
            text = format_action(self._game.position, action)
            return -round(worth, 9), action != self._stop, text

        return min(self._values, key=rank, default=None)

    def _reason(self, action: Action) -> str:
        text = format_action(self._game.position, action)
        value = self._values.get(action)
        if value is None:
            return f"{text}: the first that is legal; there was no time to judge"
        stop = self._values.get(self._stop)
        course = self._courses.get(action, ())
        said = f"{text} is worth {figure(value)}"
        if len(course) > 1:
            said += f", as {told_order([c.text for c in course])}"
        if action == self._stop:
            rivals = [v for a, v in self._values.items() if a != self._stop]
            return said + (f"; going on is worth {figure(max(rivals))}" if rivals else "")
        if stop is not None:
            said += f"; stopping here {figure(stop)}"
        return said


def purposeful(game: Game, own_loss: float, spending: Spending) -> tuple[Action, float, str] | None:
    """A plain move with a purpose: its first action, what it brings now against staying, and why;
    None where there is none worth making."""
    with suppress(OutOfEffortError):
        found = manoeuvre(game, own_loss, spending.poll)
        if found is None:
            return None
        action = expand(found.move)[0]
        if bars(game, action):
            return None
        text = format_move(game.position, found.move)
        reason = (
            f"no overrun is worth making now; {text} costs {figure(-found.payoff)} "
            f"and promises {figure(found.promise.value)} (staying {figure(found.staying)})"
        )
        return action, found.payoff, reason
    return None


def foresee(
    judge: Onward, found: Continuations, spending: Spending, *, windows: bool = False
) -> list[Foreseen]:
    """What the next moves are worth over the longest list of moves that the effort allows."""
    foreseen: list[Foreseen] = []
    ranked = found.ranked()
    heads: list[Candidate] = []
    for _, order in ranked:
        if found.heads and len(heads) < HEADS and order[0] not in heads:
            heads.append(order[0])
    seen = 0
    for most in LISTS:
        moves = {c.text: c for c in (*heads, *shortlist(ranked, most))}
        if found.heads:
            unit = found.heads[0].move.unit
            kept = {c.text for c in heads}
            moves = {t: c for t, c in moves.items() if c.move.unit != unit or t in kept}
        if len(moves) == seen:
            break
        seen = len(moves)
        try:
            foresight = Foresight(judge, [*moves.values()], heads, spending.spend, spending.poll)
            foreseen = foresight.next_moves(windows=windows)
        except (OutOfEffortError, TooManyStatesError):
            break
    return foreseen
