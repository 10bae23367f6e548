"""The script the yardstick is given: who is there, and what each move makes happen in turn.

There is no map here. A *place* is any hashable name; ranges, aspects, cover and lines of sight have
been worked out by whoever writes the script (`planner.search.exposure`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from evaluation.rules import CombatRules
from evaluation.units import Aspect, CombatType, Side

Place = Hashable


@dataclass(frozen=True, slots=True)
class Combatant:
    """One unit as the fight sees it, at the start of the script.

    ``fired``: it carries a Fire marker. ``carrier``: id of the unit that carries or tows it; a
    carried unit has its carrier's place, is never struck and never fires. ``size``: the room it
    takes in its place.
    """

    id: str
    side: Side
    type: CombatType
    status: str
    place: Place
    fired: bool = False
    spent: frozenset[str] = frozenset()
    carrier: str | None = None
    size: int = 1


@dataclass(frozen=True, slots=True)
class Objective:
    """A place worth something to whoever holds it; ``held_by`` as the script starts."""

    place: Place
    worth: float
    held_by: Side | None = None


@dataclass(frozen=True, eq=False)
class Field:
    """Everybody on the field, the rules they fight by, and how many of a side fit in one place."""

    rules: CombatRules
    units: Mapping[str, Combatant]
    stacking_limit: int
    objectives: tuple[Objective, ...] = ()


@dataclass(frozen=True, slots=True)
class Shot:
    """One shot that the defender may be able to make in a window (OVR-9): range in hexes and the
    aspect it strikes. Only shots that the map allows are listed (range, line of sight, arc)."""

    firer: str
    weapon: str
    distance: int
    aspect: Aspect


@dataclass(frozen=True, slots=True)
class Enter:
    """The AFV enters a place that is not the target's, and a window opens there (OVR-9).

    ``at_cover`` is added to the roll of every shot in the window. ``final_against`` is the target's
    place in the window after an overrun (OVR-10, OVR-11): its survivors make Final Opportunity Fire
    instead of ordinary shots, so ``shots`` lists none of theirs.
    """

    place: Place
    at_cover: int
    shots: tuple[Shot, ...]
    final_against: Place | None = None


@dataclass(frozen=True, slots=True)
class Strike:
    """The overrun itself, in the target's place (OVR-16 to OVR-19); ``cover`` is added to the
    roll. ``weapons`` are the passengers' weapons that the player wishes to use, as
    ``(unit, weapon)``."""

    place: Place
    cover: int
    weapons: tuple[tuple[str, str], ...] = ()


Step = Enter | Strike


@dataclass(frozen=True, slots=True)
class Move:
    """One AFV's move: its steps in order. No steps: it stays.

    When its turn comes a move is made if no enemy unit stands in a place it enters, the place it
    strikes holds something to strike and no enemy AFV, and there is room where it ends; otherwise
    it is skipped (model page, "Value of a plan").
    """

    unit: str
    steps: tuple[Step, ...] = ()
    label: str = field(default="", compare=False)
