"""An exact planner for tank overruns in a Second World War tactical hex game.

The names a programmer needs, each loaded when it is first used::

    load        a scenario file, or a shipped scenario by its name, into a `Position`
    lines       every legal overrun line of the side to move
    why         whether one overrun is legal, and every clause it breaks if not
    evaluate    the exact value of moves made in an order, with the chance of every outcome
    plan        the best plans for the side to move
    hint        what to do now, and the best plans with their reasons
    parse_move  a move from its notation, such as ``T1 0304x0404-0505``
    format_move the notation of a move
    Limit       how far a search may go
    Wishes      what the player asks of a plan
    FileFault   what a reader raises, with every fault of the file

Positions never change, and every function gives the same answer for the same arguments; values are
to the side to move.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from planner.game.faults import FileFault as FileFault
    from planner.game.notation import format_move as format_move
    from planner.game.notation import parse_move as parse_move
    from planner.game.read_scenario import load as load
    from planner.play.hint import hint as hint
    from planner.search.effort import Limit as Limit
    from planner.search.effort import Wishes as Wishes
    from planner.search.lines import lines as lines
    from planner.search.plan import plan as plan
    from planner.search.why import why as why
    from planner.search.worth import evaluate as evaluate

# A program that only asks for lines should not wait for the solver to load.
_HOMES = {
    "FileFault": "planner.game.faults",
    "Limit": "planner.search.effort",
    "Wishes": "planner.search.effort",
    "evaluate": "planner.search.worth",
    "format_move": "planner.game.notation",
    "hint": "planner.play.hint",
    "lines": "planner.search.lines",
    "load": "planner.game.read_scenario",
    "parse_move": "planner.game.notation",
    "plan": "planner.search.plan",
    "why": "planner.search.why",
}

__all__ = [
    "FileFault",
    "Limit",
    "Wishes",
    "evaluate",
    "format_move",
    "hint",
    "lines",
    "load",
    "parse_move",
    "plan",
    "why",
]


if not TYPE_CHECKING:  # or a checker would take every name for one of ours

    def __getattr__(name: str) -> Any:
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module 'planner' has no attribute {name!r}")
        found = getattr(import_module(home), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
