"""What is wrong with a file: every fault at once, each with its place and what would be right."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

Place = tuple[str | int, ...]
"""Where something stands in a file: keys and list indices from the top, counted from 0."""

WHOLE_FILE = "file"
_SHOWN = 60
_LISTED = 8


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a file.

    >>> print(Fault("units[3].hex", '"0999" is not on the map', "columns 01-12, rows 01-10"))
    units[3].hex: "0999" is not on the map (columns 01-12, rows 01-10)
    """

    place: str
    fault: str
    expected: str

    def __str__(self) -> str:
        return f"{self.place}: {self.fault} ({self.expected})"


class FileFault(ValueError):  # noqa: N818
    """A file that can't be used; ``file`` is its name, ``faults`` all that is wrong with it, in
    the order of their places in the file."""

    def __init__(self, file: str, faults: Iterable[Fault]) -> None:
        self.file = file
        self.faults = tuple(faults)
        super().__init__(file, self.faults)

    def __str__(self) -> str:
        if len(self.faults) == 1:
            return f"{self.file}: {self.faults[0]}"
        lines = "".join(f"\n  {fault}" for fault in self.faults)
        return f"{self.file}: {len(self.faults)} faults{lines}"


def place_text(place: Place) -> str:
    """A place as a reader writes it.

    >>> place_text(("types", "T-34/85", "weapons", 0, "at"))
    'types["T-34/85"].weapons[0].at'
    """
    text = ""
    for step in place:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step and all(c.isalnum() or c in "_-" for c in step) and len(step) <= _SHOWN:
            text += f".{step}" if text else step
        else:
            text += f"[{shown(step)}]"
    return text or WHOLE_FILE


def shown(value: object) -> str:
    """A value as a message shows it: short, on one line, never failing."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, int) and value.bit_length() > 200:
        return "a number of more than 60 digits"
    if not isinstance(value, str):
        return str(value)[:_SHOWN]
    cut = value if len(value) <= _SHOWN else value[:_SHOWN] + "…"
    safe = "".join(c if c.isprintable() else repr(c)[1:-1] for c in cut)
    return f'"{safe}"'


def listed(names: Iterable[str]) -> str:
    """Known names in text order, the first few of a long list.

    >>> listed(["woods", "clear"])
    'one of "clear", "woods"'
    """
    known = sorted(names)
    if not known:
        return "there are none"
    text = ", ".join(shown(name) for name in known[:_LISTED])
    more = f", … ({len(known)} in all)" if len(known) > _LISTED else ""
    return f"one of {text}{more}" if len(known) > 1 else f"only {text}"


class Faults:
    """Collects faults while a file is read.

    Looking for a name's likely spelling costs time, so that is done for the first fifty only.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[Place, str, str], None] = {}
        self._guesses_left = 50

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, place: Place, fault: str, expected: str) -> None:
        """Note a fault; the same one twice counts once."""
        self._found[(place, fault, expected)] = None

    def unknown(self, place: Place, what: str, name: str, known: Collection[str]) -> None:
        """Note a name that stands for nothing, with the names that would be right."""
        self.add(place, f"{shown(name)} is no {what}", listed(known) + self.guess(name, known))

    def known(self, place: Place, what: str, name: str, known: Collection[str]) -> bool:
        """Whether a name stands for something; a fault is noted when it does not."""
        if name in known:
            return True
        self.unknown(place, what, name, known)
        return False

    def guess(self, name: str, known: Collection[str]) -> str:
        """``; did you mean "woods"?`` when a known name is near, else nothing."""
        if self._guesses_left <= 0 or len(name) > _SHOWN:
            return ""
        self._guesses_left -= 1
        near = [each for each in sorted(known) if each.lower() == name.lower()]
        near = near or get_close_matches(name, sorted(known), n=1, cutoff=0.6)
        return f"; did you mean {shown(near[0])}?" if near else ""

    def in_order(self, raw: object) -> tuple[Fault, ...]:
        """All faults by their place in the file that ``raw`` was read from; what is missing comes
        after what is there."""
        ranks: dict[int, dict[str, int]] = {}

        def rank(place: Place) -> tuple[int, ...]:
            here: object = raw
            found = []
            for step in place:
                if isinstance(here, Mapping) and isinstance(step, str):
                    order = ranks.setdefault(id(here), {})
                    if not order:
                        order.update((key, index) for index, key in enumerate(here))
                    found.append(order.get(step, len(order)))
                    here = here.get(step)
                else:
                    found.append(step if isinstance(step, int) else 0)
                    inside = isinstance(here, list) and isinstance(step, int) and step < len(here)
                    here = here[step] if inside else None  # type: ignore[index]
            return tuple(found)

        ordered = sorted(self._found, key=lambda fault: rank(fault[0]))
        return tuple(
            Fault(place_text(place), fault, expected) for place, fault, expected in ordered
        )

    def raise_any(self, file: str, raw: object) -> None:
        """Raises FileFault when anything was noted."""
        if self._found:
            raise FileFault(file, self.in_order(raw))
