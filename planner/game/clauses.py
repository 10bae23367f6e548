"""The overrun rules' clauses, by the numbers that messages, tests and files cite."""

from __future__ import annotations

from enum import Enum


class Clause(Enum):
    """One clause; its value is the id, ``text`` says it in one line."""

    OVR_1 = "OVR-1"
    OVR_2 = "OVR-2"
    OVR_3 = "OVR-3"
    OVR_4 = "OVR-4"
    OVR_5 = "OVR-5"
    OVR_6 = "OVR-6"
    OVR_7 = "OVR-7"
    OVR_8 = "OVR-8"
    OVR_9 = "OVR-9"
    OVR_10 = "OVR-10"
    OVR_11 = "OVR-11"
    OVR_12 = "OVR-12"
    OVR_13 = "OVR-13"
    OVR_14 = "OVR-14"
    OVR_15 = "OVR-15"
    OVR_16 = "OVR-16"
    OVR_17 = "OVR-17"
    OVR_18 = "OVR-18"
    OVR_19 = "OVR-19"

    @property
    def number(self) -> int:
        """The clause's number."""
        return int(self.value.removeprefix("OVR-"))

    @property
    def text(self) -> str:
        """The clause in one line."""
        return _TEXT[self]


_TEXT = {
    Clause.OVR_1: "An AFV can overrun; nothing else can.",
    Clause.OVR_2: "There must be enemy infantry, unarmoured vehicles or Guns in the target hex.",
    Clause.OVR_3: "A hex with an enemy AFV in it can't be overrun.",
    Clause.OVR_4: "The AFV overruns as part of its own move in its side's Movement Phase.",
    Clause.OVR_5: "A building hex can't be overrun.",
    Clause.OVR_6: "A hex with a Bunker in it can't be overrun.",
    Clause.OVR_7: "The AFV must be able to enter every hex, and to end its move in the exit hex.",
    Clause.OVR_8: "An AFV with a Gun in tow can't overrun.",
    Clause.OVR_9: "Each hex entered, but for the target hex, opens a window of Opportunity Fire.",
    Clause.OVR_10: "The last window opens in the exit hex.",
    Clause.OVR_11: "Survivors in the target hex fire at the rear at range 1, marked or not.",
    Clause.OVR_12: "A leader modifies such a shot even if it has a Fire marker.",
    Clause.OVR_13: "Approach, target and exit hex lie in one line, and the AFV drives forwards.",
    Clause.OVR_14: "The overrun, all hexes entered and all turns are paid in movement points.",
    Clause.OVR_15: "The move ends in the exit hex, with the facing unchanged.",
    Clause.OVR_16: "The AP attack is the AFV's own APFP, all of it, times the rules' factor.",
    Clause.OVR_17: "Infantry passengers add their APFP and those light weapons that are wanted.",
    Clause.OVR_18: "The target hex's cover modifies the roll.",
    Clause.OVR_19: "The attack comes before the last window, and only survivors fire in that.",
}
