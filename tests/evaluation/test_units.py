from __future__ import annotations

import pytest

from evaluation.units import CombatType, Kind, Weapon

CANNON = Weapon("cannon", at=((6, 8), (12, 5)))


@pytest.mark.parametrize(
    ("distance", "rating"), [(0, 8), (1, 8), (5, 8), (6, 8), (7, 5), (12, 5), (13, None)]
)
def test_at_rating_below_at_and_above_each_range(distance: int, rating: int | None) -> None:
    assert CANNON.at_rating(distance) == rating


def test_a_weapon_without_at_rating_has_none_at_any_range() -> None:
    assert Weapon("rifles", apfp=2).at_rating(1) is None


@pytest.mark.parametrize(
    ("kind", "struck"),
    [
        (Kind.AFV, False),
        (Kind.VEHICLE, True),
        (Kind.GUN, True),
        (Kind.INFANTRY, True),
        (Kind.LEADER, True),
    ],
)
def test_ovr_02_03_kinds_that_an_overrun_strikes(kind: Kind, struck: bool) -> None:
    assert kind.is_struck is struck


def test_a_weapon_is_found_by_its_name() -> None:
    type_ = CombatType("gun", Kind.GUN, 1.0, (CANNON, Weapon("rifles")))
    assert type_.weapon("cannon") is CANNON
    with pytest.raises(KeyError, match="bayonet"):
        type_.weapon("bayonet")
