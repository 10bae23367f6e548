"""Worth and loss: what a change of status is worth, carried units included."""

from __future__ import annotations

from evaluation.script import Combatant, Field
from evaluation.units import Status


class Losses:
    """What each unit of a field has lost in any status, together with all that it carries."""

    def __init__(self, field: Field) -> None:
        self._carried: dict[str, list[Combatant]] = {}
        for _, unit in sorted(field.units.items()):
            if unit.carrier is not None:
                self._carried.setdefault(unit.carrier, []).append(unit)
        self._rules = field.rules

    def carried_by(self, carrier: Combatant) -> tuple[Combatant, ...]:
        """The units that it carries or tows and that are still there, in text order."""
        return tuple(
            unit
            for unit in self._carried.get(carrier.id, ())
            if not self._rules.status(unit.type.kind, unit.status).removed
        )

    def fate(self, carried: Combatant, carrier_status: Status) -> str:
        """The status of a carried unit when its carrier is in ``carrier_status``."""
        return self._rules.carried_fate if carrier_status.removed else carried.status

    def of(self, unit: Combatant, status: Status) -> float:
        """Worth lost with the unit in ``status``: its own and that of what it carries."""
        total = unit.type.worth * status.loss
        for carried in self.carried_by(unit):
            name = self.fate(carried, status)
            total += carried.type.worth * self._rules.status(carried.type.kind, name).loss
        return total

    def change(self, unit: Combatant, status: Status) -> float:
        """Worth lost since the script started."""
        return self.of(unit, status) - self.of(
            unit, self._rules.status(unit.type.kind, unit.status)
        )
