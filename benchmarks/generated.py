"""Realistic larger positions from named seeds: see `planner.play.generated`."""

from planner.play.generated import SIZES, Size, position, raw

__all__ = ["SIZES", "Size", "position", "raw"]
