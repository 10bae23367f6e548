"""The register of shots' effects: each a matrix over the AFV statuses, told apart by number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaluation.resolve import shot_outcomes
from evaluation.rules import CombatRules
from evaluation.units import CombatType, Kind

NO_EFFECT = -1


class Effects:
    """Every different effect that a shot can have on an AFV, numbered from 0 as they turn up.

    ``matrix(n)[s, t]`` is the probability that an AFV in status ``s`` is in ``t`` after the shot,
    statuses in the rules' order; a removed AFV stays as it is.
    """

    def __init__(self, rules: CombatRules) -> None:
        self._rules = rules
        self.statuses = tuple(rules.statuses[Kind.AFV].values())
        self.index = {status.name: i for i, status in enumerate(self.statuses)}
        self.removed = tuple(i for i, status in enumerate(self.statuses) if status.removed)
        self._known: dict[tuple[str, int, int], int] = {}
        self._numbers: dict[bytes, int] = {}
        self._matrices: list[NDArray[np.float64]] = []
        self._stack: NDArray[np.float64] = np.zeros((0, 0, 0))
        self._inflicted: list[NDArray[np.float64]] = []
        self._loss = np.array([status.loss for status in self.statuses])

    def number(self, target: CombatType, strength: int, modifier: int) -> int:
        """The number of a shot's effect, ``NO_EFFECT`` when it changes nothing."""
        column = self._rules.at.column(strength)
        if column is None:
            return NO_EFFECT
        key = (target.name, column, modifier)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._make(target, strength, modifier)
        return found

    def _make(self, target: CombatType, strength: int, modifier: int) -> int:
        size = len(self.statuses)
        matrix = np.zeros((size, size))
        for i, status in enumerate(self.statuses):
            if status.removed:
                matrix[i, i] = 1.0
                continue
            for new, p in shot_outcomes(self._rules, target, status.name, strength, modifier):
                matrix[i, self.index[new]] += p
        if np.array_equal(matrix, np.eye(size)):
            return NO_EFFECT
        number = self._numbers.setdefault(matrix.tobytes(), len(self._matrices))
        if number == len(self._matrices):
            self._matrices.append(matrix)
            inflicted = matrix @ self._loss - self._loss
            inflicted[np.diagonal(matrix) == 1.0] = -np.inf
            self._inflicted.append(inflicted)
        return number

    def matrix(self, number: int) -> NDArray[np.float64]:
        """The effect as a matrix, rows the status before."""
        return self._matrices[number]

    def all_transposed(self) -> NDArray[np.float64]:
        """All effects so far, one above the other, as matrices whose columns are the status
        before."""
        if len(self._stack) != len(self._matrices):
            self._stack = np.array([matrix.T for matrix in self._matrices])
        return self._stack

    def inflicted(self, number: int) -> NDArray[np.float64]:
        """The share of the AFV's worth that the shot is expected to cost it, by status before;
        minus infinity where the shot can change nothing."""
        return self._inflicted[number]
