"""Good courses of action for the rest of a Movement Phase, found from a moment of a game on.

A *continuation* is the rest of the move under way, if one is (any candidate move from where the AFV
stands with the points it has left, or halting), and then moves of other AFVs in order. Each is
valued exactly against the defender's best reply (`planner.play.onward`); the best that is found is
what the moment is worth to the mover at least.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import permutations, product
from math import inf

from planner.game.actions import Halt
from planner.game.choices import bars, expand
from planner.game.hexes import DIRECTIONS
from planner.game.legality import faults, in_the_way, no_room_at_its_end
from planner.game.moves import PlannedMove
from planner.game.notation import format_move
from planner.game.play_state import Game
from planner.game.position import Position
from planner.play.haste import cheapest_first, lines_at_once
from planner.play.onward import Onward
from planner.play.remembered import MOST, Course
from planner.play.tails import grow, shake
from planner.search.candidates import Candidate, LineKey, Survey, first_candidates
from planner.search.effort import Wishes
from planner.search.improve import climb
from planner.search.strategy import grouped, text_of
from planner.search.tally import BETTER, Order, OutOfEffortError, Tally

TRIED = 3
"""Of the ways in which the move under way may go on, so many are improved together with what
follows."""

EACH = 3
"""Of each AFV so many moves are tried in pairs."""


class Continuations:
    """The continuations looked at in one moment, with their values in the tally.

    ``heads`` are the ways in which the move under way may go on, in text order; empty when none is
    under way. ``others``: the candidates of the other AFVs. ``known`` are courses to try first.
    When it is stopped before all lines are found it begins with those that are found at once, of
    the AFV under way.
    """

    def __init__(self, judge: Onward, tally: Tally, known: Iterable[Course] = ()) -> None:
        self._judge = judge
        self._known = tuple(known)
        self._tally = tally
        self.game = judge.game
        self.position = judge.position
        self.heads: tuple[Candidate, ...] = ()
        self.others: dict[str, list[Candidate]] = {}
        self._sorted: tuple[object, list[tuple[float, Order]]] | None = None
        self._first: list[Candidate] | None = None
        with suppress(OutOfEffortError):
            first = first_candidates(self.position, judge, Wishes(), tally.poll)
            self._first = cheapest_first(self.position, first)
        self._take(self._under_way_at_once() if self._first is None else self._first)

    # -- what there is -----------------------------------------------------------------------

    def _take(self, found: Iterable[Candidate]) -> None:
        """Take these candidates."""
        under_way = self.game.under_way
        name = None if under_way is None else under_way.unit
        by_unit = grouped(found)
        own = by_unit.pop(name, []) if name is not None else []
        self.others = by_unit
        if under_way is None:
            return
        ended = under_way.window is not None and under_way.window.target is not None
        closed = replace(self.game, under_way=replace(under_way, window=None))
        halts = _halting(self.position, under_way.unit)
        heads = [halts] if ended or not bars(closed, Halt(under_way.unit)) else []
        if not ended:
            heads += [c for c in own if not c.needs and not bars(closed, expand(c.move)[0])]
            heads += self._known_heads(closed, {c.move for c in own})
        if not heads:
            heads = [*ways_out(closed)]
        self.heads = tuple(sorted(heads, key=lambda c: c.text))

    def _known_heads(self, closed: Game, found: Container[PlannedMove]) -> Iterator[Candidate]:
        """Ways to go on that were known before and are no candidates."""
        under_way = closed.under_way
        assert under_way is not None
        for move in dict.fromkeys(move for course in self._known for move in course):
            if move.unit != under_way.unit or move.stays or move in found:
                continue
            if not next(faults(self.position, move), None) and not bars(closed, expand(move)[0]):
                text = format_move(self.position, move)
                yield Candidate((move.unit, move.path[-1], None), move, text)

    # -- without time ------------------------------------------------------------------------

    def _under_way_at_once(self) -> list[Candidate]:
        """The lines of the AFV under way."""
        under_way = self.game.under_way
        if under_way is None:
            return []
        return lines_at_once(self.position, self._judge, self.position.units[under_way.unit])

    def at_once(self) -> Iterator[Order]:
        """Courses for a decision that has no time, to be looked at one after the other: halting,
        the course that goes on from an earlier decision, then each line by itself, the cheapest
        first; where the AFV under way may not halt all else that it can do.
        """
        halting = [head for head in self.heads if head.move.stays]
        yield from ((head,) for head in halting)
        known = self._known_at_once()
        if known:
            yield known
        if self.heads:
            lines = [head for head in self.heads if head.move.target is not None]
            yield from ((head,) for head in cheapest_first(self.position, lines))
            if not halting:
                yield from ((head,) for head in self.heads)
        elif self._first is not None:
            yield from ((line,) for line in self._first)
        else:
            for unit in self.position.movers():
                for line in lines_at_once(self.position, self._judge, unit):
                    yield (line,)

    def _known_at_once(self) -> Order:
        """The best course of those known before, as far as its moves can be written down now."""
        course = self._known[0] if self._known else ()
        heads = {head.move: head for head in self.heads}
        order = []
        for move in course:
            if move in heads:
                order.append(heads[move])
            elif move.path and not next(faults(self.position, move), None):
                direction = None
                if move.target_hex is not None:
                    direction = move.target_hex.direction_to(move.path[-1])
                line = (move.unit, move.target_hex or move.path[-1], direction)
                order.append(Candidate(line, move, format_move(self.position, move)))
        if self.heads and (not order or order[0] not in self.heads):
            return ()
        return tuple(order)

    # -- looking for good ones ---------------------------------------------------------------

    def search(self) -> bool:
        """Look for good continuations; False when the effort ended first."""
        try:
            self._search()
        except OutOfEffortError:
            return False
        return True

    def search_singles(self) -> bool:
        """Value every move of one AFV by itself; False when the effort ended first."""
        try:
            self._value_first()
            self._take(
                Survey(self.position, self._judge, Wishes(), poll=self._tally.poll).candidates
            )
            for head in self.heads or [c for own in self.others.values() for c in own]:
                self._tally.value((head,))
        except OutOfEffortError:
            return False
        return True

    def _value_first(self) -> None:
        """Value what is to be had before anything else is looked for; halting, the measure of all
        else, whatever the limit."""
        for head in self.heads:
            if head.move.stays:
                self._tally.anyway((head,))
        known = self._known_at_once()
        if known:
            self._tally.value(known)
        if self._first is None:
            raise OutOfEffortError
        for candidate in self.heads or self._first:
            self._tally.value((candidate,))

    def _search(self) -> None:
        self._value_first()
        survey = Survey(self.position, self._judge, Wishes(), poll=self._tally.poll)
        self._take(survey.candidates)
        if self.heads:
            self._search_with_head()
            return
        by_unit = self._best_of_each_line(self._tally)
        for start in self._known_orders()[:1]:
            climb(self._tally, start, by_unit)
        climb(self._tally, grow(self._tally, by_unit), by_unit)
        for start in self._ranked_pairs(by_unit)[:TRIED]:
            climb(self._tally, start, by_unit)
        shake(self._tally, by_unit)

    def _search_with_head(self) -> None:
        for head in self.heads:
            self._tally.value((head,))
        known = self._known_orders()
        first = known[0][0] if known else self._ranked_heads(())[0]
        book = _Headed(self._tally, first)
        by_unit = self._best_of_each_line(book)
        if known:
            self._improve(known[0][1:], by_unit)
        tail = climb(book, grow(book, by_unit), by_unit)
        self._improve(tail, by_unit)
        best = self.best
        book = _Headed(self._tally, best[0])
        climb(book, best[1:], by_unit)
        shake(book, by_unit)

    def _improve(self, tail: Order, by_unit: Mapping[str, Sequence[Candidate]]) -> None:
        """Improve a tail with each of the heads that it suits best."""
        for head in self._ranked_heads(tail)[:TRIED]:
            climb(_Headed(self._tally, head), tail, by_unit)

    def _known_orders(self) -> list[Order]:
        """The courses known before, as far as they still can be made, valued; the best first."""
        by_move = {c.move: c for own in self.others.values() for c in own}
        by_move |= {c.move: c for c in self.heads}
        orders: dict[tuple[str, ...], Order] = {}
        for course in self._known:
            order = [by_move[move] for move in course if move in by_move]
            if self.heads:
                ours = [c for c in order if c in self.heads] or [self.heads[0]]
                order = [ours[0], *(c for c in order if c not in self.heads)]
            orders.setdefault(text_of(order), tuple(order))
        return sorted(
            orders.values(), key=lambda order: (-self._tally.value(order), text_of(order))
        )

    def _ranked_pairs(self, by_unit: Mapping[str, Sequence[Candidate]]) -> list[Order]:
        """Pairs of moves of two AFVs, each of their best few by itself, in both orders: two that
        lose by themselves may gain together. The best first."""
        few = [
            sorted(own, key=lambda c: (-self._tally.value((c,)), c.text))[:EACH]
            for own in by_unit.values()
        ]
        pairs = [pair for one, other in permutations(few, 2) for pair in product(one, other)]
        return sorted(pairs, key=lambda pair: (-self._tally.value(pair), text_of(pair)))

    def _ranked_heads(self, tail: Order) -> list[Candidate]:
        """The heads by what each is worth with a tail."""
        return sorted(self.heads, key=lambda c: (-self._tally.value((c, *tail)), c.text))

    def _best_of_each_line(self, book: Tally | _Headed) -> dict[str, list[Candidate]]:
        """For each AFV and line the candidate that is worth most, of those that need the same
        hexes cleared."""
        best: dict[tuple[LineKey, object], Candidate] = {}
        for own in self.others.values():
            for candidate in own:
                key = (candidate.line, candidate.needs)
                known = best.get(key)
                if known is None or book.value((candidate,)) > book.value((known,)) + BETTER:
                    best[key] = candidate
        return grouped(best.values())

    # -- what was found ----------------------------------------------------------------------

    def ranked(self) -> list[tuple[float, Order]]:
        """All continuations valued, the best first; then those of fewer moves, then in text order.

        With a move under way it begins each of them.
        """
        valued = (len(self._tally.values), self.heads)
        if self._sorted is None or self._sorted[0] != valued:
            rows = [
                row
                for row in self._tally.values.values()
                if row[0] > -inf and (not self.heads or (row[1] and row[1][0] in self.heads))
            ]
            rows.sort(key=lambda row: (-round(row[0], 9), len(row[1]), text_of(row[1])))
            self._sorted = valued, rows
        return self._sorted[1]

    @property
    def best(self) -> Order:
        """The best continuation; where none was valued in time the cheapest line of the AFV under
        way, or else the first way in which it may go on."""
        rows = self.ranked()
        if rows:
            return rows[0][1]
        lines = [head for head in self.heads if head.move.target is not None]
        return (*cheapest_first(self.position, lines), *self.heads)[:1]

    def courses(self) -> tuple[Course, ...]:
        """The best continuations as moves."""
        return tuple(
            tuple(candidate.move for candidate in order) for _, order in self.ranked()[:MOST]
        )


class _Headed:
    """The tally as a book of the tails that follow one head."""

    def __init__(self, tally: Tally, head: Candidate) -> None:
        self._tally = tally
        self._head = head
        self.best: Order = ()
        self.best_value = -inf

    def value(self, plan: Sequence[Candidate]) -> float:
        """The value of the head and then these moves."""
        found = self._tally.value((self._head, *plan))
        if found > self.best_value + BETTER:
            self.best, self.best_value = tuple(plan), found
        return found


def _halting(position: Position, unit: str) -> Candidate:
    """Halting where the AFV is."""
    move = PlannedMove(unit)
    return Candidate((unit, position.units[unit].hex, None), move, format_move(position, move))


def ways_out(game: Game) -> Iterator[Candidate]:
    """Where the AFV under way can neither halt nor overrun: the shortest plain moves to where it
    may end its move."""
    assert game.under_way is not None
    position, unit = game.position, game.under_way.unit
    paths: list[PlannedMove] = [PlannedMove(unit)]
    found: list[PlannedMove] = []
    while paths and not found:
        paths = [longer for path in paths for longer in _longer(game, path)]
        found = [path for path in paths if not next(no_room_at_its_end(position, path), None)]
    for path in found:
        yield Candidate((unit, path.path[-1], None), path, format_move(position, path))


def _longer(game: Game, move: PlannedMove) -> Iterator[PlannedMove]:
    """A plain move with one hex more, in all the ways that it may go on."""
    assert game.under_way is not None
    met = {*game.under_way.route, *move.path}
    here = move.path[-1] if move.path else game.under_way.route[-1]
    for direction in DIRECTIONS:
        there = here.neighbour(direction)
        longer = PlannedMove(move.unit, (*move.path, there))
        if there in met or next(faults(game.position, longer), None):
            continue
        if not next(in_the_way(game.position, longer), None):
            yield longer
