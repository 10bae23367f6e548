"""What it costs to enter a hex, or all that bars it (OVR-7, OVR-14)."""

from __future__ import annotations

from dataclasses import dataclass

from planner.game.board import Board
from planner.game.hexes import Hex
from planner.game.rules import Points, Rules


@dataclass(frozen=True, slots=True)
class Entry:
    """Entering one hex over one hexside: its movement points, None when anything bars it, and every
    reason why it is barred."""

    cost: Points | None
    bars: tuple[str, ...] = ()


def entry(rules: Rules, board: Board, movement_class: str, from_hex: Hex, to_hex: Hex) -> Entry:
    """What the ground asks of a movement class for going from a hex to its neighbour.

    A path that names the class is the whole cost but for features (the cheapest, of several), and
    lifts what terrain, hexside and climb bar. Otherwise the cost is the terrain's, the hexside's,
    the features' and ``uphill`` for each level climbed. Features bar on paths too. Units are not
    looked at.
    """
    to_ground = board.ground.get(to_hex)
    if to_ground is None:
        return Entry(None, ("off the map",))
    bars: list[str] = []
    cost: Points = 0
    paths = [
        rules.paths[name].cost[movement_class]
        for name in board.paths.get((from_hex, to_hex), ())
        if movement_class in rules.paths[name].cost
    ]
    if paths:
        cost += min(paths)
    else:
        terrain = rules.terrain[to_ground.terrain]
        if movement_class in terrain.cost:
            cost += terrain.cost[movement_class]
        else:
            bars.append(f"{terrain.name} bars {movement_class} units")
        for name in board.edges.get((from_hex, to_hex), ()):
            edge = rules.edges[name]
            if movement_class in edge.bars:
                bars.append(f"the {name} hexside bars {movement_class} units")
            cost += edge.cost.get(movement_class, 0)
        moves = rules.classes[movement_class]
        climb = to_ground.elevation - board.ground[from_hex].elevation
        if abs(climb) > moves.max_climb:
            way = "climb" if climb > 0 else "drop"
            bars.append(
                f"the {way} of {abs(climb)} is too steep for {movement_class} units "
                f"(at most {moves.max_climb})"
            )
        cost += moves.uphill * max(0, climb)
    for name in to_ground.features:
        feature = rules.features[name]
        if movement_class in feature.bars:
            bars.append(f"{name} bars {movement_class} units")
        cost += feature.cost.get(movement_class, 0)
    return Entry(None, tuple(bars)) if bars else Entry(cost)
