"""When one move of an AFV makes another superfluous, and the proof.

A *window* here is what a window of Opportunity Fire offers against one AFV: the set of shots that
can do anything to it, each with its firer's hex, weapon and effects (`Windows`), and the hex where
the AFV would stand if it were stopped, when that hex is *contested*. A hex is contested when some
candidate move may end there and the sizes of all that may stand there go over the stacking limit,
or when it is an objective (`planner.search.stacking`). Windows without a shot are left out.

**Rule.** Move Q of an AFV beats move P of the same AFV when

1. both overrun the same target hex from the same side with the same weapons, or both are plain
   moves that end in the same contested hex, or both are plain moves that end in hexes that are not
   contested;
2. Q needs the same hexes cleared as P: those it enters (exit hex included) that now hold enemies;
3. Q's windows before the attack can be mapped, in order (several may go to one), to windows of P
   that offer at least the same shots;
4. a window of Q in a contested hex is mapped to one in the same hex, and one in a hex that is not
   contested to one in a hex that is not (only where the rules have a status that stops an AFV
   without removing it).

**Then Q is worth at least as much as P in every plan:** with P replaced by Q the value is no less.
Take the defender's best reply to the plan with Q. On P he can copy it. By 2, and by 1 for target
and room where the move ends, Q is made in just the states in which P is made. In the image of a
window of Q he declares the shots that he would have declared in that window: the same firers,
weapons, leaders, strengths and modifiers, hence the same chances; elsewhere he holds. Since the
order is kept, every Fire marker, spent weapon and status before each shot is the same, and so are
the attack, the last window, and the rest of the plan; for where the AFV stands matters only to room
and to objectives, and by 1 and 4 it stands in the same hex, or in hexes that never matter. So
the copied reply brings the mover on P just what the best reply leaves him on Q, and the best reply
to P leaves him no more.

**Why "the same hexes" in 2, and not "no more of them".** A move that is not legal when its turn
comes is skipped. A path through a hex that must first be cleared is thereby a condition: "go only
if the gun is out". The path round it is legal more often, and that may be worse. Where it is made,
the units of the hexes it needs are gone: their shots are left out of its windows.

**Movement points** are no part of the rule: a move ends in its exit hex whatever is left (OVR-15).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from evaluation.script import Enter
from evaluation.units import Kind
from planner.game.hexes import Hex
from planner.game.position import Position, Unit
from planner.game.windows import window
from planner.search.graph import Codec

Threats = Callable[[str, Enter], Iterable[tuple[Hashable, Hashable]]]
"""Which shots of a window can do anything to an AFV, each as ``(firer's hex, shot)``; see
`planner.search.worth.Judge.threats`."""

Window = tuple[int, int | None]
"""The shots offered, one bit each, and the number of the contested hex (None: not contested)."""


class Windows:
    """The windows that one AFV's moves open, by the node where a hex has just been entered.

    Shots are numbered as they turn up. ``contested``: the hexes where it matters that this AFV is
    stopped.
    """

    def __init__(self, position: Position, unit: Unit, codec: Codec, threats: Threats) -> None:
        self._position = position
        self._unit = unit.id
        self._codec = codec
        self._threats = threats
        self._bits: dict[Hashable, int] = {}
        self._by_hex: dict[Hashable, int] = {}
        self._shots: dict[int, int] = {}
        self._places: dict[int, Hex] = {}
        self.contested: dict[Hex, int] = {}

    def contest(self, hexes: Iterable[Hex]) -> None:
        """Say in which hexes it matters that the AFV is stopped."""
        stops = may_be_stopped(self._position)
        self.contested = {hex_: i for i, hex_ in enumerate(sorted(hexes))} if stops else {}

    def shots(self, node: int) -> int:
        """The shots of the window that opens at a node, as bits."""
        found = self._shots.get(node)
        if found is None:
            place = self._codec.read(node)
            self._places[node] = place.hex
            step = window(self._position, place.hex, place.facing, None)
            found = 0
            for shot in self._threats(self._unit, step):
                bit = self._bits.get(shot)
                if bit is None:
                    bit = self._bits[shot] = 1 << len(self._bits)
                    self._by_hex[shot[0]] = self._by_hex.get(shot[0], 0) | bit
                found |= bit
            self._shots[node] = found
        return found

    def window(self, node: int, cleared: Iterable[Hex]) -> Window:
        """The window at a node when no enemy unit is left in the hexes ``cleared``."""
        shots = self.shots(node)
        if shots:
            for hex_ in cleared:
                shots &= ~self._by_hex.get(hex_, 0)
        return shots, self.contested.get(self._places[node])

    def without(self, windows: Iterable[Window], hex_: Hex) -> tuple[Window, ...]:
        """The windows without the shots of the units in a hex."""
        gone = ~self._by_hex.get(hex_, 0)
        found: tuple[Window, ...] = ()
        for shots, stop in windows:
            found = extended(found, (shots & gone, stop))
        return found


def may_be_stopped(position: Position) -> bool:
    """Whether the rules have a status in which an AFV stays on the map and may not move."""
    statuses = position.rules.combat.statuses[Kind.AFV].values()
    return any(not status.may_move and not status.removed for status in statuses)


def extended(windows: tuple[Window, ...], new: Window) -> tuple[Window, ...]:
    """The windows with one more at the end.

    One that offers no shot is left out, and of two next to each other, of which one offers all the
    shots of the other and the AFV would be stopped alike, only that one is kept: each sequence can
    be mapped to the other.
    """
    shots, stop = new
    if not shots:
        return windows
    if windows and windows[-1][1] == stop:
        last = windows[-1][0]
        if not shots & ~last:
            return windows
        if not last & ~shots:
            return extended(windows[:-1], new)
    return (*windows, new)


def embeds(these: tuple[Window, ...], those: tuple[Window, ...]) -> bool:
    """Whether the first windows map, in order, to windows of the second that offer at least the
    same shots and stop the AFV alike (3 and 4 of the rule).

    Each is mapped to the first that will do: that leaves most for those that follow.
    """
    at, end = 0, len(those)
    for shots, stop in these:
        while at < end and (shots & ~those[at][0] or stop != those[at][1]):
            at += 1
        if at == end:
            return False
    return True
