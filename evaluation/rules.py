"""The combat half of a rules file: all that resolving a shot or an attack needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from evaluation.dice import Dice
from evaluation.tables import NOTHING, CombatTable, Effect
from evaluation.units import Kind, Status


class RollPer(Enum):
    """Whether an AP attack rolls once for all units struck, or once for each."""

    HEX = "hex"
    UNIT = "unit"


@dataclass(frozen=True, eq=False)
class CombatRules:
    """Dice, tables, effects and statuses.

    ``ap_effects[kind][result]`` and ``at_effects[result]`` (AFVs only) name what a result does; a
    result they do not name does nothing. ``statuses[kind]`` maps names to statuses, the fresh one
    first. ``carried_fate`` is the status that carried units take when their carrier is removed,
    ``afv_multiplier`` the factor on an AFV's APFP (OVR-16), ``passenger_weapons`` the weapon
    classes that passengers may add (OVR-17). Compared by identity.
    """

    dice: Dice
    ap: CombatTable
    ap_roll_per: RollPer
    ap_effects: Mapping[Kind, Mapping[str, Effect]]
    at: CombatTable
    at_effects: Mapping[str, Effect]
    statuses: Mapping[Kind, Mapping[str, Status]]
    carried_fate: str
    afv_multiplier: int
    passenger_weapons: frozenset[str]

    def ap_effect(self, kind: Kind, result: str) -> Effect:
        """What an AP result does to units of a kind."""
        return self.ap_effects.get(kind, {}).get(result, NOTHING)

    def at_effect(self, result: str) -> Effect:
        """What an AT result does to an AFV."""
        return self.at_effects.get(result, NOTHING)

    def status(self, kind: Kind, name: str) -> Status:
        """The status of that name. Raises KeyError when the kind has none."""
        return self.statuses[kind][name]
