"""The slow twin: an independent, plain re-implementation of the rules, from the scenario file on.

It exists to be compared with. It imports nothing of the project, trusts its input to be valid, and
prefers the obvious way to the fast one. ``load`` a scenario, then ``lines(facts)`` or
``Play(facts).plan_value([...])``.
"""

from .moves import Line, lines
from .play import Outcome, Play
from .state import Facts, load

__all__ = ["Facts", "Line", "Outcome", "Play", "lines", "load"]
