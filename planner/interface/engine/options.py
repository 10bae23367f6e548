"""Options: the usual values of what a request does not say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from planner.game.faults import Fault, listed, shown
from planner.interface.asked import MOST_OWN_LOSS, MOST_PLANS, MOST_SECONDS
from planner.interface.engine.errors import Kind, RefusedError, refusal
from planner.interface.engine.results import OptionInfo


@dataclass(frozen=True, slots=True)
class Option:
    """A number between bounds, both inclusive; a whole one where its default is."""

    default: float | int
    low: float | int
    high: float | int
    meaning: str

    @property
    def is_whole(self) -> bool:
        """Whether it is a whole number."""
        return isinstance(self.default, int)

    def checked(self, value: object) -> float | int:
        """The value. Raises RefusedError when it is wrong."""
        if self.is_whole and isinstance(value, float) and value.is_integer():
            value = int(value)
        what = "a whole number" if self.is_whole else "a number"
        expected = f"{what} from {self.low:g} to {self.high:g}"
        kinds = int if self.is_whole else (int, float)
        if isinstance(value, bool) or not isinstance(value, kinds):
            said = f"{shown(value)} is no {'whole ' * self.is_whole}number"
            raise refusal(Kind.INVALID_PARAMS, "params.value", said, expected)
        if not self.low <= value <= self.high:
            said = f"{shown(value)} is out of range"
            raise refusal(Kind.INVALID_PARAMS, "params.value", said, expected)
        return value if self.is_whole else float(value)


OPTIONS: Mapping[str, Option] = {
    "seconds": Option(10.0, 0, MOST_SECONDS, "seconds of a search that gives no limit"),
    "plans": Option(1, 1, MOST_PLANS, "how many plans a go answers with"),
    "own_loss": Option(1.0, 0, MOST_OWN_LOSS, "own-loss weight of go, decide and evaluate"),
    "info_interval": Option(0.1, 0, 3600, "seconds between two infos, at least"),
}
"""Every option by its name."""


class Settings:
    """The options' values now."""

    def __init__(self) -> None:
        self._values = {name: option.default for name, option in OPTIONS.items()}

    def __getitem__(self, name: str) -> float | int:
        return self._values[name]

    def set(self, name: str, value: object) -> float | int:
        """Set an option; returns its value. Raises RefusedError when name or value is wrong."""
        option = OPTIONS.get(name)
        if option is None:
            fault = Fault("params.name", f"{shown(name)} is no option", listed(OPTIONS))
            raise RefusedError(Kind.INVALID_PARAMS, str(fault), [fault])
        self._values[name] = option.checked(value)
        return self._values[name]

    def told(self) -> list[OptionInfo]:
        """The options as ``hello`` lists them."""
        return [
            OptionInfo(
                name=name,
                type="integer" if option.is_whole else "number",
                default=option.default,
                value=self._values[name],
                min=option.low,
                max=option.high,
                description=option.meaning,
            )
            for name, option in OPTIONS.items()
        ]
