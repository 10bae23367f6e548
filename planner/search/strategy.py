"""The search for the best plans, phase by phase; each begins where the one before ended.

1. The cheapest move to each line is valued by itself, and the best are put together: an answer at
   once. Then all candidate moves are found and valued, and a bound on all plans is put.
2. OR-Tools selects moves as if their values added (`planner.search.selection`); each selection is
   put in its best order and valued exactly as a whole plan. Of many AFVs, plans are first put
   together move by move (`planner.search.improve`).
3. Where few AFVs bear on each other the best is improved move by move. Where many do, plans are
   begun anew from all AFVs of a cluster at once (`planner.search.restarts`), with few candidates of
   each AFV, then more. Pairs of moves that bear on each other are valued in both orders, and
   OR-Tools selects moves and order by what every two are worth together
   (`planner.search.pairwise`); the best of these are improved too.
4. V and the best plans are proved as far as the effort goes (`planner.search.certify`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from planner.game.hexes import Hex
from planner.search.candidates import Candidate, LineKey, Survey, first_candidates
from planner.search.certify import Certifier
from planner.search.effort import Wishes
from planner.search.improve import best_order, climb, greedy, most_promising_first, move_by_move
from planner.search.interactions import Interactions, synergies
from planner.search.pairwise import ordered_selections
from planner.search.restarts import Restarts
from planner.search.selection import additive_selections
from planner.search.tally import BETTER, Order, OutOfEffortError, Tally
from planner.search.worth import Judge

RIVALS = 5
"""Selections taken from the solver, and plans and pairs that are improved."""
EACH = 8
"""Of each AFV so many candidates take part in the selection by pairs (`Interactions.pairs`)."""
SHORT = 8
"""Candidates of each AFV that plans are improved with first."""
IDLE_SHORT, IDLE_LONG, IDLE_LAST = 5, 4, 3
"""Plans are begun anew until that did not help so many times in a row: with few candidates, with
the best of each line, with all."""
MANY = 8
"""From more AFVs on, plans are first put together move by move."""
FEW = 3
"""Up to so many AFVs that bear on each other are proved at once, without a longer search first."""


class Strategy:
    """One search.

    ``found`` are the candidates looked at, ``survey`` how all of them were found (None: only the
    cheapest move to each line that is legal now was looked at). ``additive`` is the best order of
    what a selection by single values alone would make, ``certifier`` what is proved; None until
    they are got to. ``plans``: how many plans are to be proved, those that ``key`` makes one only
    once.
    """

    def __init__(
        self,
        judge: Judge,
        tally: Tally,
        own_loss: float,
        wishes: Wishes,
        plans: int = 1,
        key: Callable[[Order], Hashable] = tuple,
    ) -> None:
        self._judge = judge
        self._tally = tally
        self._own_loss = own_loss
        self._wishes = wishes
        self._plans = plans
        self._key = key
        self.found: tuple[Candidate, ...] = ()
        self.survey: Survey | None = None
        self.additive: Order | None = None
        self.certifier: Certifier | None = None

    def run(self) -> bool:
        """Go through the phases; False when the limit cut it short."""
        try:
            self._phases()
        except OutOfEffortError:
            return False
        return True

    def _phases(self) -> None:
        tally, position = self._tally, self._judge.position
        tally.phase("looking for overrun lines")
        self.found = first_candidates(position, self._judge, self._wishes)
        self._value_singles()
        many = len({candidate.move.unit for candidate in self.found}) > MANY
        if not many:
            tally.phase("putting single moves together")
            greedy(tally, self.found)
        tally.phase("looking for all moves worth having")
        self.survey = Survey(position, self._judge, self._wishes, poll=tally.poll)
        self.found = self.survey.candidates
        self._value_singles()
        tally.phase("bounding plans")
        interactions = Interactions(self._judge, self.found)
        certifier = Certifier(
            self._judge,
            tally,
            self._own_loss,
            self.found,
            interactions.components(),
            self._plans,
            self._key,
        )
        certifier.put_ceilings()
        self.certifier = certifier
        if self.survey.complete:
            tally.bound = lambda: certifier.bound
        by_unit = self._best_of_each_line()
        few = self._shortlists(by_unit)
        bearing = interactions.bearing()
        restarts = Restarts(tally, few, bearing)
        if many:
            # Selections of so many moves take long to be put in order.
            tally.phase("putting moves together")
            most_promising_first(tally, by_unit, bearing)
            tally.phase("improving plans")
            restarts.climb(tally.best)
        single = {c.text: tally.value((c,)) for c in self.found}
        starts = self._select(by_unit, single)
        if max((len(group.units) for group in certifier.groups), default=0) > FEW:
            # Climbs from what looks good move by move end too soon to be worth their time, unless
            # there are too many AFVs for plans that are begun anew to become good soon.
            tally.phase("beginning anew")
            restarts.run(IDLE_SHORT)
            # Then the lines, routes and weapons that looked second best for a move by itself.
            for options, idle in ((by_unit, IDLE_LONG), (grouped(self.found), IDLE_LAST)):
                tally.phase("beginning anew with more moves")
                more = Restarts(tally, options, bearing)
                more.climb(tally.best)
                more.run(idle)
                if options is by_unit:
                    self._search_pairs(single, by_unit, restarts)
        elif not many:
            tally.phase("improving plans")
            for start in (move_by_move(tally, few), *self._ranked(starts)[:1]):
                restarts.climb(start)
            for start in (tally.best, ()):
                climb(tally, start, by_unit)
        tally.phase("proving")
        certifier.run()

    def _select(self, by_unit: dict[str, list[Candidate]], single: dict[str, float]) -> list[Order]:
        """The best selections by single values alone, each in its best order."""
        tally = self._tally
        tally.phase("selecting moves")
        shortlist = [candidate for options in by_unit.values() for candidate in options]
        starts: list[Order] = []
        for selection in additive_selections(
            self._judge.position, shortlist, single, RIVALS, tally.is_over
        ):
            starts.append(best_order(tally, selection))
            if self.additive is None:
                self.additive = starts[0]
        return starts

    def _value_singles(self) -> None:
        self._tally.phase("valuing single moves", len(self.found))
        for candidate in self.found:
            self._tally.value((candidate,))

    def _ranked(self, orders: Iterable[Order]) -> list[Order]:
        return sorted(orders, key=lambda order: (-self._tally.value(order), text_of(order)))

    def _best_of_each_line(self) -> dict[str, list[Candidate]]:
        """For each AFV the candidate that is worth most by itself, of those of one line that need
        the same hexes cleared."""
        best: dict[tuple[LineKey, tuple[Hex, ...]], Candidate] = {}
        for candidate in self.found:
            # A move that needs hexes cleared is skipped when it stands alone, and so worth nothing.
            key = (candidate.line, candidate.needs)
            known = best.get(key)
            value = self._tally.value((candidate,))
            if known is None or value > self._tally.value((known,)) + BETTER:
                best[key] = candidate
        return grouped(best.values())

    def _shortlists(self, by_unit: dict[str, list[Candidate]]) -> dict[str, list[Candidate]]:
        """The `SHORT` candidates of each AFV that promise most: own value, and value if the AFV got
        to its target unharmed."""
        values: dict[str, float] = {}
        free: dict[tuple[LineKey, object], float] = {}
        for own in by_unit.values():
            for candidate in own:
                key = (candidate.line, candidate.move.weapons)
                if key not in free:
                    free[key] = self._judge.unhindered(candidate.move)
                values[candidate.text] = self._tally.value((candidate,)) + free[key]
        return {
            unit: sorted(own, key=lambda c: (-values[c.text], c.text))[:SHORT]
            for unit, own in by_unit.items()
        }

    def _search_pairs(
        self,
        single: dict[str, float],
        by_unit: dict[str, list[Candidate]],
        restarts: Restarts,
    ) -> None:
        """Pairs in both orders, selections by pairs, and the best of all these improved."""
        tally = self._tally
        gains = {text: value - tally.staying for text, value in single.items()}
        shortlist = Interactions(self._judge, [c for own in by_unit.values() for c in own])
        pairs = shortlist.pairs(gains, each=EACH)
        tally.phase("trying pairs of moves", len(pairs))
        known = synergies(tally, pairs)
        tally.phase("selecting moves and order")
        found: list[Order] = []
        # Sums of pairs say too much of many moves: ask for the best of few moves too.
        for moves in (3, None):
            found += ordered_selections(shortlist, gains, known, RIVALS, tally.is_over, moves=moves)
        tally.phase("improving plans")
        for start in self._ranked(dict.fromkeys(found)):
            restarts.climb(start)


def grouped(found: Iterable[Candidate]) -> dict[str, list[Candidate]]:
    """Candidates by AFV, AFVs and moves in text order."""
    by_unit: dict[str, list[Candidate]] = {}
    for candidate in sorted(found, key=lambda c: (c.move.unit, c.text)):
        by_unit.setdefault(candidate.move.unit, []).append(candidate)
    return by_unit


def text_of(order: Iterable[Candidate]) -> tuple[str, ...]:
    """The moves of a plan as text: what breaks ties."""
    return tuple(candidate.text for candidate in order)
