"""Random positions on which the search's proofs are tested against every plan.

Two or three AFVs in the middle of the enemy, with few movement points each: many lines on shared
targets, and so few plain moves that every plan can be tried.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from itertools import combinations, permutations
from typing import Any, NamedTuple

from tests.every_plan import EveryPlan
from tests.random_positions import random_scenario
from tests.twin.fire import Fire, Window
from tests.twin.ground import Ground
from tests.twin.moves import all_overruns, lines
from tests.twin.notation import Move
from tests.twin.play import Play
from tests.twin.state import Facts

OVERRUN = (0, 0, 1)
MOVEMENT_LEFT = {2: (3,), 3: (2, 3)}
"""What AFVs can still spend besides the overrun, by how many they are."""
TURNS = (0, 0, 1)
LINES = 3
CLEAR = 1e-6
"""A difference that counts."""
AT_HAND = 0.8
"""The share of enemy units that stand next to an AFV."""


class Drawn(NamedTuple):
    """A scenario and its rules as they would be written, and the own-loss weight."""

    seed: int
    scenario: dict[str, Any]
    rules: dict[str, Any]
    own_loss: float

    @property
    def facts(self) -> Facts:
        """The twin's reading of it."""
        return Facts(self.scenario, self.rules, self.own_loss)


def drawn(seed: int) -> Drawn:
    """The position of that number: orientation, stacking limit and rolls in turn, the rest at
    random."""
    rng = random.Random(f"proven/{seed}")
    scenario, rules = random_scenario(
        seed,
        orientation=("flat", "pointy")[seed % 2],
        offset=rng.choice(["odd", "even"]),
        stacking=(1, 2)[seed // 2 % 2],
        roll_per=("hex", "unit")[seed // 4 % 2],
        afvs=(2, 2, 3)[seed // 8 % 3],
        enemies=rng.randint(3, 8),
        columns=6,
        rows=6,
        close_ground=rng.random() < 0.25,
        objectives=rng.random() < 0.12,
    )
    rules["overrun"]["movement_points"] = rng.choice(OVERRUN)
    rules["classes"]["tracked"]["turn"] = rng.choice(TURNS)
    tanks = _afvs(scenario, rules)
    for unit in tanks:
        movement = rules["types"][unit["type"]]["movement"]
        most = rng.choice(MOVEMENT_LEFT[len(tanks)]) + rules["overrun"]["movement_points"]
        unit["movement_used"] = movement - min(movement - unit.get("movement_used", 0), most)
    _Places(rng, scenario, rules).draw()
    return Drawn(seed, scenario, rules, rng.choice([1.0, 1.0, 0.5, 0.0, 1.75]))


def line_counts(facts: Facts) -> Counter[str]:
    """How many lines each AFV has at the start."""
    return Counter(line.unit for line in lines(facts))


def _afvs(scenario: dict[str, Any], rules: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        unit
        for unit in scenario["units"]
        if unit["side"] == "red" and rules["types"][unit["type"]]["kind"] == "afv"
    ]


def bear_on_each_other(facts: Facts) -> bool:
    """Whether two AFVs with three or more lines each share a shooter or a target."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    fire = Play(facts).fire
    for unit, count in sorted(line_counts(facts).items()):
        if count >= LINES:
            targets, shooters = set[str](), set[str]()
            for move, _ in all_overruns(facts, facts.start, unit):
                assert move.target is not None
                targets.add(move.target)
                shooters |= _shooters(facts, fire, move)
            found[unit] = (targets, shooters)
    return any(
        one[0] & other[0] or one[1] & other[1] for one, other in combinations(found.values(), 2)
    )


def _shooters(facts: Facts, fire: Fire, move: Move) -> set[str]:
    """The enemy units that may fire at an AFV on its way, and hurt it."""
    found, here = set(), facts.place(facts.start, move.unit)
    for step, name in enumerate(move.hexes):
        assert here is not None
        facing = facts.ground.direction(here, name)
        assert facing is not None
        if name != move.target:
            leaving = move.target if step > len(move.approach) else None
            window = Window(move.unit, name, facing, leaving)
            state = facts.with_place(facts.start, move.unit, name)
            found |= {shot.unit for shot in fire.shots(state, window)}
        here = name
    return found


def only_together(plans: Mapping[tuple[str, ...], float]) -> bool:
    """Whether the best plan beats staying and every single move."""
    single = max(value for plan, value in plans.items() if len(plan) <= 1)
    return max(plans.values()) > single + CLEAR


def order_matters(every: EveryPlan) -> bool:
    """Whether the moves of a best plan are worth something else in another order."""
    best, value = min(every.plans.items(), key=lambda row: (-round(row[1], 9), len(row[0]), row[0]))
    return any(abs(every.plan_value(other) - value) > CLEAR for other in permutations(best))


class _Places:
    """New places for the units of a drawn scenario."""

    def __init__(self, rng: random.Random, scenario: dict[str, Any], rules: dict[str, Any]) -> None:
        self.rng, self.scenario, self.rules = rng, scenario, rules
        self.ground = Ground(scenario, rules)
        self.limit = rules["stacking"]["limit"]
        self.side: dict[str, str] = {}
        self.count: Counter[str] = Counter()

    def draw(self) -> None:
        """AFVs in the middle, near each other; most enemy units next to them."""
        names = sorted(self.ground.hexes)
        middle = self.rng.choice(["0303", "0304", "0403", "0404"])
        standing: list[str] = []
        for unit in _afvs(self.scenario, self.rules):
            standing.append(self._put(unit, self._ring(names, [middle], 2) or names))
        at_hand = self._ring(names, standing, 1)
        near = self._ring(names, standing, 2)
        afvs = {unit["id"] for unit in _afvs(self.scenario, self.rules)}
        for unit in self.scenario["units"]:
            if unit["id"] in afvs or "hex" not in unit:
                continue
            kind = self.rules["types"][unit["type"]]["kind"]
            close = unit["side"] == "blue" and kind != "afv" and self.rng.random() < AT_HAND
            self._put(unit, at_hand if close else near)

    def _ring(self, names: list[str], centres: list[str], most: int) -> list[str]:
        """The hexes that near, where a vehicle can stand."""
        return [
            name
            for name in names
            if any(self.ground.distance(name, centre) <= most for centre in centres)
            and self.ground.hexes[name].terrain not in ("marsh", "building")
        ]

    def _put(self, unit: dict[str, Any], names: list[str]) -> str:
        """Put a unit in one of these hexes where there is room, or in any."""
        side = unit["side"]
        for pool in (names, sorted(self.ground.hexes)):
            free = [n for n in pool if self.side.get(n, side) == side]
            free = [n for n in free if self.count[n] < self.limit]
            if free:
                break
        name = self.rng.choice(free)
        self.side[name] = side
        self.count[name] += 1
        unit["hex"] = name
        return name


# Those that count (`bear_on_each_other`, `only_together`) and whose tree of play is small enough.
# fmt: off
FAST = (
    564, 713, 896, 1790, 2259, 2833, 3231, 4342, 5847, 6559, 6604, 6747, 7080, 7108, 7796, 8473,
    8477, 8907, 9026, 9611, 9683, 9830, 9846, 10068, 10105, 10548, 10575, 13469, 14089, 15222,
)
SLOW = (
    0, 3, 10, 49, 79, 102, 126, 230, 300, 318, 346, 423, 473, 507, 587, 631, 659, 687, 769, 801,
    855, 860, 943, 1085, 1111, 1128, 1190, 1208, 1349, 1445, 1476, 1565, 1619, 1754, 1855, 1904,
    1908, 1996, 2038, 2118, 2146, 2150, 2264, 2286, 2314, 2315, 2351, 2362, 2373, 2432, 2472,
    2523, 2591, 2695, 2811, 2978, 3004, 3107, 3292, 3361, 3388, 3516, 3586, 3652, 3712, 3733,
    3752, 3782, 3813, 3817, 3822, 3844, 3900, 3944, 4013, 4040, 4060, 4190, 4346, 4393, 4502,
    4716, 4729, 4746, 4784, 4786, 4826, 4856, 4877, 4883, 4972, 5017, 5040, 5070, 5101, 5115,
    5167, 5256, 5263, 5287, 5327, 5410, 5412, 5539, 5548, 5559, 5573, 5682, 5711, 5790, 5875,
    5937, 5963, 6276, 6350, 6368, 6434, 6469, 6484, 6591, 6611, 6683, 6706, 6759, 6826, 7114,
    7208, 7215, 7267, 7307, 7326, 7416, 7517, 7559, 7651, 7678, 7691, 7881, 7886, 7982, 8000,
    8006, 8167, 8307, 8505, 8510, 8551, 8613, 8620, 8623, 8643, 8785, 8834, 8843, 8879, 8886,
    8986, 9012, 9072, 9195, 9201, 9217, 9252, 9296, 9471, 9494, 9633, 9726, 9817, 9831, 9852,
    9875, 9886, 9918, 9941, 9991, 9992, 10011, 10058, 10141, 10332, 10347, 10666, 10751, 10756,
    10931, 11095, 11145, 11150, 11212, 11263, 11303, 11335, 11391, 11524, 11534, 11655, 11672,
    11676, 11719, 11798, 11866, 11942, 11998, 12087, 12116, 12183, 12228, 12249, 12336, 12360,
    12367, 12446, 12609, 12637, 12687, 12696, 12804, 12807, 12830, 12876, 13009, 13012, 13046,
    13069, 13109, 13177, 13205, 13257, 13306, 13319, 13552, 13561, 13585, 13609, 13639, 13873,
    13877, 13935, 14165, 14261, 14342, 14358, 14383, 14413, 14461, 14511, 14531, 14533, 14653,
    14698, 14754, 14773, 15011, 15120, 15138, 15181, 15195, 15199, 15301, 15356, 15364, 15438,
    15560, 15576, 15878, 15892, 15940, 16120, 16128, 16142, 16368, 16498, 16620, 16660, 16666,
    16692, 16802, 16808, 16874, 17096, 17100, 17196, 17428, 17504, 18066, 18076, 18122, 18266,
    18344, 18706, 18798, 18892, 18992, 19108, 19282, 19284, 19320, 19370, 19416, 19646, 19706,
    19826,
)
# fmt: on
