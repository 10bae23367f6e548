"""Rules for the random positions: the charts of the small case file, with more of everything."""

from __future__ import annotations

import copy
import random
import tomllib
from pathlib import Path
from typing import Any

TINY = tomllib.loads(
    (Path(__file__).parent / "cases" / "tiny-rules.toml").read_text(encoding="utf-8")
)

MORE_TYPES: dict[str, dict[str, Any]] = {
    "assault_gun": {
        "kind": "afv",
        "class": "tracked",
        "movement": 8,
        "worth": 9,
        "arc": 30,
        "armour": {"front": 6, "side": 3, "rear": 2},
        "weapons": [{"name": "gun", "apfp": 3, "at": [[6, 8], [12, 6]]}],
    },
    "armoured_car": {
        "kind": "afv",
        "class": "wheeled",
        "movement": 11,
        "worth": 4,
        "armour": {"front": 2, "side": 1, "rear": 1},
        "capacity": 1,
        "weapons": [
            {"name": "cannon", "apfp": 1, "at": [[4, 3]]},
            {"name": "coax", "apfp": 1, "class": "light_mg"},
        ],
    },
    "flame_tank": {
        "kind": "afv",
        "class": "tracked",
        "movement": 8,
        "worth": 11,
        "armour": {"front": 5, "side": 3, "rear": 2},
        "weapons": [
            {"name": "coax", "apfp": 1},
            {"name": "flame", "apfp": 3, "once": True, "price": 0.75},
        ],
    },
    "panzerfaust_squad": {
        "kind": "infantry",
        "class": "foot",
        "movement": 4,
        "worth": 3.5,
        "weapons": [
            {"name": "rifles", "apfp": 2},
            {"name": "faust", "at": [[1, 8]], "class": "at_rocket", "once": True, "price": 0.5},
            {"name": "mine", "at": [[1, 4]], "class": "at_rocket", "once": True, "price": 0.25},
        ],
    },
    "engineers": {
        "kind": "infantry",
        "class": "foot",
        "movement": 4,
        "worth": 4,
        "weapons": [
            {"name": "rifles", "apfp": 1},
            {"name": "charge", "apfp": 2, "once": True, "price": 0.25},
            {"name": "grenades", "apfp": 1, "class": "grenades"},
            {"name": "satchel", "apfp": 3, "class": "satchel", "once": True, "price": 0.5},
        ],
    },
    "lieutenant": {
        "kind": "leader",
        "class": "foot",
        "movement": 4,
        "worth": 4,
        "leadership": -2,
        "ratings": {"morale": 9},
        "weapons": [{"name": "faust", "at": [[1, 6]], "once": True, "price": 0.5}],
    },
}


def random_rules(
    rng: random.Random, stacking: int, roll_per: str, *, plain: bool = False
) -> dict[str, Any]:
    """A rules file as a dictionary; ``plain`` keeps the case file's charts."""
    rules: dict[str, Any] = copy.deepcopy(TINY)
    rules["name"] = "random"
    rules["stacking"]["limit"] = stacking
    rules["ap"]["roll_per"] = roll_per
    rules["terrain"]["rough"] = {"cost": {"tracked": 2, "wheeled": 3, "foot": 1}, "cover": 1}
    rules["features"]["smoke"] = {"height": 2, "at_cover": 1}
    rules["features"]["mud"] = {"cost": {"tracked": 1, "wheeled": 2}}
    rules["edges"]["hedge"] = {"cost": {"wheeled": 1}, "bars": ["towed"]}
    rules["paths"]["trail"] = {"cost": {"tracked": 2, "foot": 1}}
    rules["types"] |= copy.deepcopy(MORE_TYPES)
    for unit_type in rules["types"].values():
        ratings = {"infantry": {"morale": 7}, "gun": {"morale": 6}, "afv": {"crew": 8}}
        if unit_type["kind"] in ratings:
            unit_type["ratings"] = ratings[unit_type["kind"]]
    if not plain:
        for change in (
            _angles,
            _half_points,
            _shaken_crews,
            _crew_checks,
            _infantry_checks,
            _fates,
        ):
            if rng.random() < 0.35:
                change(rng, rules)
    return rules


def _angles(rng: random.Random, rules: dict[str, Any]) -> None:
    rules["aspects"] = {"front": rng.choice([30, 45, 60]), "rear": rng.choice([30, 60, 75])}
    rules["types"]["at_gun"]["arc"] = rng.choice([30, 40, 90])


def _half_points(_: random.Random, rules: dict[str, Any]) -> None:
    rules["paths"]["road"]["cost"] = {"tracked": 0.5, "wheeled": 0.5, "foot": 1}
    rules["classes"]["tracked"]["turn"] = 0.5
    rules["terrain"]["rough"]["cost"]["tracked"] = 1.5
    rules["types"]["tank"]["movement"] = 5.5
    rules["types"]["light_tank"]["movement"] = 6
    rules["types"]["assault_gun"]["movement"] = 5.5
    rules["types"]["flame_tank"]["movement"] = 5.5


def _shaken_crews(rng: random.Random, rules: dict[str, Any]) -> None:
    """AT fire may shake an AFV; a shaken one may or may not overrun."""
    rules["status"]["afv"]["shaken"]["may_overrun"] = rng.random() < 0.3
    rules["at"]["table"] = [["M", "D", "D"], ["S", "M", "D"], ["-", "S", "M"]]
    rules["at"]["effects"]["afv"]["S"] = {"ready": "shaken"}


def _crew_checks(rng: random.Random, rules: dict[str, Any]) -> None:
    rules["at"]["effects"]["afv"]["M"] = {
        "check": "crew",
        "modifier": rng.choice([-2, 0, 1]),
        "pass": {"ready": "shaken"},
        "fail": {"ready": "immobilised", "shaken": "immobilised"},
    }


def _infantry_checks(rng: random.Random, rules: dict[str, Any]) -> None:
    for kind in ("infantry", "gun"):
        rules["ap"]["effects"][kind]["S"] = {
            "check": "morale",
            "modifier": rng.choice([-1, 0, 2]),
            "pass": {},
            "fail": {"ready": "suppressed", "suppressed": "eliminated"},
        }


def _fates(_: random.Random, rules: dict[str, Any]) -> None:
    """Passengers survive their carrier, at a cost."""
    rules["passengers"]["on_destroyed"] = "suppressed"
