"""An exact planner for tank overruns in a Second World War tactical hex game.

The names a programmer needs, each loaded when it is first used. To plan::

    load          a scenario file, or a shipped scenario by its name, into a `Position`
    lines         every legal overrun line of the side to move
    why           whether one overrun is legal, and every clause it breaks if not
    evaluate      the exact value of moves made in an order, with the chance of every outcome
    plan          the best plans for the side to move
    hint          what to do now, and the best plans with their reasons
    parse_move    a move from its notation, such as ``T1 0304x0404-0505``
    format_move   the notation of a move
    Limit         how far a search may go
    Wishes        what the player asks of a plan
    Differ        what the plans of a list must differ in
    FileFault     what a reader raises, with every fault of the file

To play, hex by hex and shot by shot::

    new_game      the `Game` that begins in a position
    load_game     the game of a scenario, which may be in the middle of a move
    legal         every legal action of the side that decides
    bars          everything that bars an action, by clause; nothing for a legal one
    parse_action  an action from its notation, such as ``fire G1:gun``
    format_action the notation of an action
    apply         the game after an action, dice thrown, and what happened on the way
    outcomes      every game that an action can lead to, with its probability
    score         what each side has of a game
    KeyedDice     dice whose luck hangs on a seed
    ForcedDice    totals given beforehand, such as those thrown at a table
    Bot           decides for either side, and advises
    player        the bot or a plain player, by its name
    Session       a game played by such players, and its record
    Seat          who plays a side of a session

Positions and games never change, and every function gives the same answer for the same arguments;
values are to the side to move, whoever decides.

>>> import planner
>>> game = planner.load_game("steamroller")
>>> game.decider, [planner.format_action(game.position, a) for a in planner.legal(game)][:3]
('british', ['C1 0108', 'C1 0109', 'C1 0207'])
>>> while game.decider == "british" and not game.over:  # until somebody may fire at him
...     decision = planner.Bot("veteran").decide(game, planner.Limit(work=20))
...     game, events = planner.apply(game, decision.action, planner.KeyedDice(seed=7))
>>> game.decider
'german'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from planner.game.actions import format_action as format_action
    from planner.game.actions import parse_action as parse_action
    from planner.game.chance import ForcedDice as ForcedDice
    from planner.game.chance import KeyedDice as KeyedDice
    from planner.game.choices import bars as bars
    from planner.game.choices import legal as legal
    from planner.game.faults import FileFault as FileFault
    from planner.game.notation import format_move as format_move
    from planner.game.notation import parse_move as parse_move
    from planner.game.play_state import new_game as new_game
    from planner.game.read_scenario import load as load
    from planner.game.read_scenario import load_game as load_game
    from planner.game.resolution import apply as apply
    from planner.game.resolution import outcomes as outcomes
    from planner.game.score import score as score
    from planner.play.bot import Bot as Bot
    from planner.play.hint import hint as hint
    from planner.play.players import player as player
    from planner.play.record_file import Seat as Seat
    from planner.play.session import Session as Session
    from planner.search.effort import Limit as Limit
    from planner.search.effort import Wishes as Wishes
    from planner.search.lines import lines as lines
    from planner.search.plan import Differ as Differ
    from planner.search.plan import plan as plan
    from planner.search.why import why as why
    from planner.search.worth import evaluate as evaluate

# A program that only asks for lines should not wait for the solver to load.
_HOMES = {
    "Bot": "planner.play.bot",
    "Differ": "planner.search.plan",
    "FileFault": "planner.game.faults",
    "ForcedDice": "planner.game.chance",
    "KeyedDice": "planner.game.chance",
    "Limit": "planner.search.effort",
    "Seat": "planner.play.record_file",
    "Session": "planner.play.session",
    "Wishes": "planner.search.effort",
    "apply": "planner.game.resolution",
    "bars": "planner.game.choices",
    "evaluate": "planner.search.worth",
    "format_action": "planner.game.actions",
    "format_move": "planner.game.notation",
    "hint": "planner.play.hint",
    "legal": "planner.game.choices",
    "lines": "planner.search.lines",
    "load": "planner.game.read_scenario",
    "load_game": "planner.game.read_scenario",
    "new_game": "planner.game.play_state",
    "outcomes": "planner.game.resolution",
    "parse_action": "planner.game.actions",
    "parse_move": "planner.game.notation",
    "plan": "planner.search.plan",
    "player": "planner.play.players",
    "score": "planner.game.score",
    "why": "planner.search.why",
}

__all__ = [
    "Bot",
    "Differ",
    "FileFault",
    "ForcedDice",
    "KeyedDice",
    "Limit",
    "Seat",
    "Session",
    "Wishes",
    "apply",
    "bars",
    "evaluate",
    "format_action",
    "format_move",
    "hint",
    "legal",
    "lines",
    "load",
    "load_game",
    "new_game",
    "outcomes",
    "parse_action",
    "parse_move",
    "plan",
    "player",
    "score",
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
