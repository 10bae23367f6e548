"""Aspects and fields of fire: angles between a facing and a hex, decided exactly.

A hex vector ``(q, r)`` makes the angle θ with a facing, and cos θ · |cos θ|, the *signed square* of
the cosine, is a rational number that falls as θ grows. So "θ ≤ a" is a comparison of rationals
wherever the signed square of cos a is rational too: at the multiples of 30 degrees that charts use.
At any other rational number of degrees it is irrational (Niven's theorem), or ±1/2 at the odd
multiples of 45, which no hex vector attains (it would need m² = 3n² in whole numbers). There no hex
lies exactly on the bound, and rational bounds on cos a, narrowed until they decide, are exact.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from evaluation.units import Aspect
from planner.game.hexes import STEPS, Direction, Hex
from planner.game.rules import Rules

_EXACT = {
    Fraction(0): Fraction(1),
    Fraction(30): Fraction(3, 4),
    Fraction(60): Fraction(1, 4),
    Fraction(90): Fraction(0),
    Fraction(120): Fraction(-1, 4),
    Fraction(150): Fraction(-3, 4),
}
"""Signed square of the cosine at the angles where a hex can lie exactly on the bound."""


def aspect(rules: Rules, facing: Direction, afv_hex: Hex, firer_hex: Hex) -> Aspect:
    """The aspect of an AFV that a shot from another hex strikes (formats page, "Aspect").

    Front within ``rules.front`` degrees of the facing, rear within ``rules.rear`` of straight back,
    bounds included; front where both hold; else side. The two hexes differ: no enemy shares an
    AFV's hex when it fires (OVR-7).
    """
    if in_arc(rules.front, facing, afv_hex, firer_hex):
        return Aspect.FRONT
    if in_arc(rules.rear, facing.opposite, afv_hex, firer_hex):
        return Aspect.REAR
    return Aspect.SIDE


def in_arc(arc: Fraction | None, facing: Direction, from_hex: Hex, to_hex: Hex) -> bool:
    """Whether a hex lies within ``arc`` degrees to either side of the facing, bounds included.

    ``arc`` None is all round. The two hexes differ.
    """
    if arc is None:
        return True
    return _within(arc, facing, to_hex.q - from_hex.q, to_hex.r - from_hex.r)


@lru_cache(maxsize=1 << 16)
def _within(angle: Fraction, facing: Direction, dq: int, dr: int) -> bool:
    """Whether the vector ``(dq, dr)`` makes at most ``angle`` degrees with the facing."""
    if angle >= 180:
        return True
    fq, fr = STEPS[facing]
    along = (
        2 * fq * dq + fq * dr + fr * dq + 2 * fr * dr
    )  # twice the vector's part along the facing
    signed = Fraction(along * abs(along), 4 * (dq * dq + dq * dr + dr * dr))
    exact = _EXACT.get(angle)
    if exact is not None:
        return signed >= exact
    digits = 16
    while True:
        low, high = _signed_square_of_cosine(angle, digits)
        if signed > high:
            return True
        if signed < low:
            return False
        digits *= 2


@lru_cache(maxsize=256)
def _signed_square_of_cosine(angle: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Bounds on cos a · |cos a| for an angle of 0 to 180 degrees, about 10**-digits apart."""
    pi_low, pi_high = _pi(digits)
    # The cosine falls from 0 to 180 degrees: the larger angle gives the lower bound.
    low = _cosine(angle * pi_high / 180, digits)[0]
    high = _cosine(angle * pi_low / 180, digits)[1]
    return low * abs(low), high * abs(high)


def _cosine(x: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Bounds on cos x, 0 ≤ x ≤ 4: neighbouring sums of its alternating series, once terms fall."""
    tiny = Fraction(1, 10**digits)
    total, term, n = Fraction(1), Fraction(1), 0
    while True:
        n += 2
        term = -term * x * x / (n * (n - 1))
        before, total = total, total + term
        if n > 4 and abs(term) < tiny:
            return min(before, total), max(before, total)


def _pi(digits: int) -> tuple[Fraction, Fraction]:
    """Bounds on π by Machin's formula, each arc tangent between neighbouring sums of its series."""
    fifth, small = _arctan(5, digits), _arctan(239, digits)
    return 16 * fifth[0] - 4 * small[1], 16 * fifth[1] - 4 * small[0]


def _arctan(inverse: int, digits: int) -> tuple[Fraction, Fraction]:
    """Bounds on the arc tangent of ``1 / inverse``, in radians."""
    tiny = Fraction(1, 10**digits)
    power = Fraction(1, inverse)
    total, n = power, 1
    while True:
        power, n = -power / (inverse * inverse), n + 2
        before, total = total, total + power / n
        if abs(power) < tiny:
            return min(before, total), max(before, total)
