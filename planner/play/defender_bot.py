"""The bot that is moved against: fire or hold, by minimax.

For holding, and for every result of every shot that may be declared, it asks what the mover's best
course of action is then (the best of those found, the rest of the window still open after a shot),
and takes the choice that leaves the mover least on average. It does not know what the mover
means to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from math import inf

from evaluation.backward import TooManyStatesError
from evaluation.chain import Label
from evaluation.first_window import FirstWindow
from planner.game.actions import Action, Fire, Hold, format_action
from planner.game.choices import legal
from planner.game.play_state import Game
from planner.play.advice import EQUALLY_GOOD, Advice, Option, figure, in_order, told_order
from planner.play.continuations import Continuations
from planner.play.kept import Kept, held_back, kept_in_course
from planner.play.levels import Level, misjudged
from planner.play.mover_bot import SEARCHED, foresee
from planner.play.onward import Onward
from planner.play.remembered import Course
from planner.play.spending import Spending
from planner.play.ties import soonest
from planner.search.tally import Order, OutOfEffortError

COURSES = 24
"""So many of the mover's courses of action are looked at for every result."""
HEADS = 8
"""Among them the best for so many ways in which the move under way may go on."""


class _Worst:
    """For holding and each result of each shot what the mover's best course brings him."""

    def __init__(self) -> None:
        self.held: float | None = None
        self.course: Order = ()  # of those written beforehand the best for him after holding
        self._of_course = -inf
        self._after: dict[tuple[Label, str], float] = {}
        self._chances: dict[Label, dict[str, float]] = {}

    def add(self, window: FirstWindow) -> None:
        """One more course of the mover's."""
        if self.held is None or window.held > self.held:
            self.held = window.held
        for label, results in window.shots.items():
            self._chances[label] = {one.status: one.probability for one in results}
            for one in results:
                key = (label, one.status)
                known = self._after.get(key)
                if known is None or one.value > known:
                    self._after[key] = one.value

    def add_course(self, order: Order, window: FirstWindow) -> None:
        """One more that is written beforehand."""
        if window.held > self._of_course:
            self.course, self._of_course = order, window.held
        self.add(window)

    def value(self, action: Action) -> float | None:
        """What the choice leaves the mover on average; None where no course told of it."""
        if isinstance(action, Hold):
            return self.held
        if not isinstance(action, Fire):
            return None
        label = (action.firer, action.weapon, action.leader or "")
        chances = self._chances.get(label)
        if chances is None:
            return None
        return sum(p * self._after[label, status] for status, p in chances.items())


def decide_defender(
    game: Game,
    level: Level,
    own_loss: float,
    spending: Spending,
    known: Iterable[Course] = (),
) -> Advice:
    """What the defender does in the open window. ``own_loss`` is the own-loss weight that it takes
    the mover to have, ``known`` are courses of his to try first."""
    judge = Onward(game, own_loss)
    tally = spending.tally(judge, SEARCHED)
    found = Continuations(judge, tally, known)
    if level.follows:
        found.search()
    else:
        found.search_singles()
    worst = _Worst()
    _add_courses(worst, judge, found, spending)
    if level.foresees:
        for one in foresee(judge, found, spending, windows=True):
            if one.window is not None:
                worst.add(one.window)
    options = [Option(action, worst.value(action)) for action in legal(game)]
    ordered = in_order(game, options)
    chosen = _choose(game, level, ordered)
    reason = _reason(game, ordered, chosen)
    if isinstance(chosen.action, Hold):
        kept = _kept(game, judge, ordered, worst.course, spending)
        if kept is not None:
            units = [candidate.move.unit for candidate in worst.course]
            until = worst.course[: units.index(kept.afv) + 1]
            reason += f"; {kept.told} if the mover plays {told_order([c.text for c in until])}"
    return Advice(
        ordered,
        chosen.action,
        chosen.value_to_mover,
        False,
        reason,
        spending.work,
        found.courses(),
    )


def _kept(
    game: Game, judge: Onward, options: Iterable[Option], course: Order, spending: Spending
) -> Kept | None:
    """What the best shot that is held back is kept for in the best reply to a course."""
    known = {o.action: o.value_to_mover for o in options if o.value_to_mover is not None}
    firer = held_back(game, known)
    if firer is None or not course:
        return None
    with suppress(OutOfEffortError):
        spending.spend()
        return kept_in_course(judge, [c.move for c in course], firer)
    return None


def _add_courses(worst: _Worst, judge: Onward, found: Continuations, spending: Spending) -> None:
    """The best courses found, and the best of each way to go on."""
    ranked = found.ranked()
    first = ranked[0][1] if ranked else found.best
    courses = {tuple(c.text for c in first): first}
    heads: set[str] = set()
    for _, order in ranked:
        if order[0].text not in heads and len(heads) < HEADS:
            heads.add(order[0].text)
            courses.setdefault(tuple(c.text for c in order), order)
    for _, order in ranked[:COURSES]:
        if len(courses) < COURSES:
            courses.setdefault(tuple(c.text for c in order), order)
    with suppress(OutOfEffortError):
        for number, order in enumerate(courses.values()):
            if number:
                spending.spend()
            with suppress(TooManyStatesError):
                window = judge.first_window([c.move for c in order])
                if window is not None:
                    worst.add_course(order, window)


def _choose(game: Game, level: Level, ordered: tuple[Option, ...]) -> Option:
    """The choice that leaves the mover least; of equal ones as `soonest` says."""
    known = [option for option in ordered if option.value_to_mover is not None]
    if not known:
        return next(option for option in ordered if isinstance(option.action, Hold))

    def worth(option: Option) -> float:
        assert option.value_to_mover is not None
        return option.value_to_mover + misjudged(level, game, option.action)

    least = min(worth(option) for option in known)
    equal = [option for option in known if worth(option) <= least + EQUALLY_GOOD]
    return soonest(game, equal)


def _reason(game: Game, ordered: tuple[Option, ...], chosen: Option) -> str:
    """The choice against the best of the other kind, in figures."""
    value = chosen.value_to_mover
    text = format_action(game.position, chosen.action)
    if value is None:
        return f"{text}: there was no time to judge"
    holds = isinstance(chosen.action, Hold)
    rivals = [
        option
        for option in ordered
        if isinstance(option.action, Hold) is not holds and option.value_to_mover is not None
    ]
    said = f"{text} leaves the mover {figure(value)}"
    if not rivals:
        return said
    rival = rivals[0]
    assert rival.value_to_mover is not None
    other = format_action(game.position, rival.action)
    name = f"the best shot now ({other})" if holds else "holding"
    return f"{said}; {name} {figure(rival.value_to_mover)}"
