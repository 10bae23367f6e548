"""Output for programs: JSON with its keys in the order of the formats page."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:  # `overrun --help` comes by here
    from planner.game.rules import Points


def json_text(value: Any) -> str:
    """JSON as it is printed. Numbers keep every digit."""
    readable = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
    return json.dumps(value, indent=2, ensure_ascii=not readable, allow_nan=False)


def print_json(value: Any) -> None:
    """Print an answer as JSON."""
    click.echo(json_text(value))


def points_form(points: Points) -> int | float:
    """Movement points as a JSON number: whole where they are."""
    return points if isinstance(points, int) else float(points)
