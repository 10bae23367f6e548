"""The rules file as it is written: its keys, their types and bounds, and what they mean.

The JSON Schema is made from these models; what names must agree is checked in `check_rules`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Discriminator, Field, Tag

from planner.game.pieces import Each, Piece
from planner.game.scalars import Exact, MoveWord, Name, Points, Real, Text, Whole, Worth

RULES_FORMAT = "overrun-rules/1"

Angle = Annotated[int | Fraction, Exact(0, 180)]
Count = Annotated[int, Whole(0, 1000)]
Rating = Annotated[int, Whole(-1000, 1000)]
Modifier = Annotated[int, Whole(-100, 100)]
Costs = Annotated[dict[str, Each[Points]], Field(max_length=200)]
Names = Annotated[list[Each[Name]], Field(max_length=200)]

_T = TypeVar("_T")
Named = Annotated[dict[str, _T], Field(max_length=2000)]
"""A table of named things."""


class DiceFile(Piece):
    """The dice that are added up for every roll."""

    count: Annotated[int, Whole(1, 10)] = Field(description="how many dice are added up")
    sides: Annotated[int, Whole(2, 100)] = Field(description="how many sides a die has")


class OverrunFile(Piece):
    """What an overrun costs and what adds to it (OVR-14, OVR-16, OVR-17)."""

    movement_points: Points = Field(
        description="movement points on top of the cost of each hex entered"
    )
    afv_multiplier: Annotated[int, Whole(0, 100)] = Field(
        description="factor on the sum of the AFV's own APFP"
    )
    passenger_weapons: Names = Field(
        default=[], description="classes of weapons that passengers may add"
    )


class StackingFile(Piece):
    """How many may stand in a hex."""

    limit: Count = Field(description="room for each side in a hex, in unit sizes")


class PassengersFile(Piece):
    """What becomes of carried units."""

    on_destroyed: Name = Field(
        description="the status that their carrier's destruction makes of them"
    )


class AspectsFile(Piece):
    """Which directions strike the front and the rear of an AFV."""

    front: Angle = Field(description="degrees to each side of the facing that are front")
    rear: Angle = Field(description="degrees to each side of straight behind that are rear")


class ClassFile(Piece):
    """A movement class."""

    turn: Points = Field(description="movement points for each hexside turned")
    uphill: Points = Field(description="movement points added for each level climbed")
    max_climb: Count = Field(description="the most levels up or down in one step")


class TerrainFile(Piece):
    """A terrain; a class that ``cost`` does not name may not enter."""

    cost: Costs = Field(description="movement points to enter, by movement class")
    cover: Modifier = Field(default=0, description="added to the AP roll against units in it")
    at_cover: Modifier = Field(default=0, description="added to the AT roll against AFVs in it")
    height: Points = Field(default=0, description="levels it rises above the ground")
    building: bool = Field(default=False, description="whether it is a building hex (OVR-5)")


class EdgeFile(Piece):
    """A kind of hexside."""

    cost: Costs = Field(
        default={}, description="movement points added for crossing, by movement class"
    )
    bars: Names = Field(default=[], description="movement classes that may not cross")


class PathFile(Piece):
    """A kind of road."""

    cost: Costs = Field(description="the whole cost of a step along it, by movement class")


class FeatureFile(Piece):
    """Something in a hex."""

    cost: Costs = Field(
        default={}, description="movement points added for entering, by movement class"
    )
    cover: Modifier = Field(default=0, description="added to the AP roll against units in it")
    at_cover: Modifier = Field(default=0, description="added to the AT roll against AFVs in it")
    height: Points = Field(default=0, description="levels it rises above the ground")
    bars: Names = Field(default=[], description="movement classes that may not enter")
    bunker: bool = Field(default=False, description="whether it is a Bunker (OVR-6)")


class StatusFile(Piece):
    """A state a unit can be in."""

    loss: Annotated[float, Real(0, 1)] = Field(
        description="share of the unit's worth that counts as lost, 0 to 1"
    )
    removed: bool = Field(default=False, description="whether the unit is off the map")
    may_fire: bool = Field(default=True, description="whether it may fire")
    may_move: bool = Field(default=True, description="whether it may move")
    may_overrun: bool | None = Field(
        default=None, description="whether it may overrun; as may_move unless given"
    )


Statuses = Named[StatusFile]


class StatusesFile(Piece):
    """The statuses of each kind of unit, the fresh one first."""

    afv: Statuses = Field(description="statuses of AFVs, the fresh one first: NAME = { loss = … }")
    vehicle: Statuses = Field(
        description="statuses of unarmoured vehicles, the fresh one first: NAME = { loss = … }"
    )
    gun: Statuses = Field(description="statuses of Guns, the fresh one first: NAME = { loss = … }")
    infantry: Statuses = Field(
        description="statuses of infantry, the fresh one first: NAME = { loss = … }"
    )
    leader: Statuses = Field(
        description="statuses of leaders, the fresh one first: NAME = { loss = … }"
    )


Changes = Annotated[dict[str, Each[Name]], Field(max_length=200)]


class RecoveryFile(Piece):
    """What statuses become at the end of a turn, for each kind of unit."""

    afv: Changes = Field(default={}, description="AFVs: old status to new")
    vehicle: Changes = Field(default={}, description="unarmoured vehicles: old status to new")
    gun: Changes = Field(default={}, description="Guns: old status to new")
    infantry: Changes = Field(default={}, description="infantry: old status to new")
    leader: Changes = Field(default={}, description="leaders: old status to new")


def _effect_shape(value: Any) -> str:
    """A check has that key; one that lacks it is known by its branches, which are tables."""
    if isinstance(value, dict):
        inner = any(isinstance(branch, dict) for branch in value.values())
        return "<check>" if inner or "check" in value else "<change>"
    return "<check>" if isinstance(value, CheckFile) else "<change>"


EffectFile = Annotated[
    Annotated[
        Changes,
        Tag("<change>"),
        Field(json_schema_extra={"propertyNames": {"not": {"const": "check"}}}),
    ]
    | Annotated["CheckFile", Tag("<check>")],
    Discriminator(_effect_shape),
]


class CheckFile(Piece):
    """A result that calls for a check: passed at or below the rating and modifier."""

    check: Name = Field(description="the rating that the dice are compared with")
    modifier: Modifier = Field(default=0, description="added to the rating")
    passed: EffectFile = Field(alias="pass", default={}, description="what a passed check does")
    failed: EffectFile = Field(alias="fail", default={}, description="what a failed check does")


Effects = Named[Each[EffectFile]]


class ApEffectsFile(Piece):
    """What AP results do, for each kind that an overrun strikes (OVR-2)."""

    vehicle: Effects = Field(default={}, description="unarmoured vehicles: result to effect")
    gun: Effects = Field(default={}, description="Guns: result to effect")
    infantry: Effects = Field(default={}, description="infantry: result to effect")
    leader: Effects = Field(default={}, description="leaders: result to effect")


class AtEffectsFile(Piece):
    """What AT results do to AFVs."""

    afv: Effects = Field(default={}, description="AFVs: result to effect")


Columns = Annotated[list[Each[Rating]], Field(min_length=1, max_length=200)]
Rolls = Annotated[list[Each[Rating]], Field(min_length=1, max_length=500)]
Row = Annotated[list[Each[Name]], Field(max_length=200)]
Cells = Annotated[list[Each[Row]], Field(max_length=500)]


class ApFile(Piece):
    """The AP Combat Table and what its results do."""

    roll_per: Literal["hex", "unit"] = Field(
        default="hex", description="one roll for all units struck, or one for each"
    )
    columns: Columns = Field(description="strengths that the columns begin at, ascending")
    rolls: Rolls = Field(description="modified rolls that the rows begin at, ascending")
    table: Cells = Field(description="a row per roll, a cell per column; - is no effect")
    effects: ApEffectsFile = Field(
        description="what each result does: [ap.effects.KIND] with RESULT = { OLD = 'NEW' }"
    )


class AtFile(Piece):
    """The AT Combat Table and what its results do."""

    columns: Columns = Field(description="strengths that the columns begin at, ascending")
    rolls: Rolls = Field(description="modified rolls that the rows begin at, ascending")
    table: Cells = Field(description="a row per roll, a cell per column; - is no effect")
    effects: AtEffectsFile = Field(
        description="what each result does: [at.effects.afv] with RESULT = { OLD = 'NEW' }"
    )


Band = Annotated[list[Rating], Field(min_length=2, max_length=2)]


class WeaponFile(Piece):
    """One weapon of a unit type."""

    name: MoveWord = Field(description="what the weapon is called")
    apfp: Count = Field(default=0, description="its AP firepower")
    at: Annotated[list[Each[Band]], Field(max_length=50)] = Field(
        default=[], description="[range, rating] pairs: the rating up to that range"
    )
    weapon_class: Name | None = Field(
        alias="class", default=None, description="class of weapon; none is the unit's own armament"
    )
    once: bool = Field(default=False, description="whether use spends it")
    price: Worth = Field(default=0.0, description="what spending it costs its side, in worth")


class ArmourFile(Piece):
    """An AFV's armour."""

    front: Rating = Field(description="armour in front")
    side: Rating = Field(description="armour at the side")
    rear: Rating = Field(description="armour at the rear")


class TypeFile(Piece):
    """A type of unit."""

    kind: Literal["afv", "vehicle", "gun", "infantry", "leader"] = Field(
        description='"afv", "vehicle", "gun", "infantry" or "leader"'
    )
    movement_class: Name = Field(alias="class", description="its movement class")
    movement: Points = Field(description="its movement points in a turn")
    worth: Worth = Field(description="what losing it costs its side")
    capacity: Count = Field(default=0, description="sizes of passengers that it carries")
    size: Count = Field(default=1, description="the room it takes")
    arc: Angle | None = Field(
        default=None, description="degrees to each side of its facing that it fires at"
    )
    armour: ArmourFile | None = Field(default=None, description="an AFV's armour")
    leadership: Modifier = Field(default=0, description="added to the roll of a shot it directs")
    ratings: Annotated[dict[str, Each[Rating]], Field(max_length=50)] = Field(
        default={}, description="what its checks are rolled against"
    )
    weapons: Annotated[list[WeaponFile], Field(max_length=50)] = Field(
        default=[], description="its weapons"
    )


class RulesFile(Piece):
    """A whole rules file."""

    format: Literal["overrun-rules/1"] = Field(description=f'"{RULES_FORMAT}"')
    name: Name = Field(description="what the rules are called")
    notes: Text = Field(default="", description="text for the reader")
    dice: DiceFile = Field(description="a table with count and sides")
    overrun: OverrunFile = Field(description="a table with movement_points and afv_multiplier")
    stacking: StackingFile = Field(description="a table with limit")
    passengers: PassengersFile = Field(description="a table with on_destroyed")
    aspects: AspectsFile = Field(description="a table with front and rear")
    classes: Named[ClassFile] = Field(
        description="movement classes by name: [classes.NAME] with turn, uphill and max_climb"
    )
    terrain: Named[TerrainFile] = Field(description="terrains by name: [terrain.NAME] with cost")
    edges: Named[EdgeFile] = Field(default={}, description="kinds of hexside by name")
    paths: Named[PathFile] = Field(default={}, description="kinds of road by name")
    features: Named[FeatureFile] = Field(default={}, description="things in a hex by name")
    status: StatusesFile = Field(
        description="[status.KIND] for afv, vehicle, gun, infantry and leader"
    )
    recovery: RecoveryFile = Field(
        default=RecoveryFile(), description="what statuses become at the end of a turn"
    )
    ap: ApFile = Field(
        description="the AP Combat Table: [ap] with columns, rolls, table and effects"
    )
    at: AtFile = Field(
        description="the AT Combat Table: [at] with columns, rolls, table and effects"
    )
    types: Named[TypeFile] = Field(
        description="unit types by name: [types.NAME] with kind, class, movement and worth"
    )
