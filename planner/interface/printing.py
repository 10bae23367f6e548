"""Output for programs: JSON with its keys in the order of the formats page; and where both
standard streams end when nobody takes what is written to them."""

from __future__ import annotations

import json
import os
import sys
from typing import IO, TYPE_CHECKING, Any

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


def say_aside(text: str) -> None:
    """Print on the standard error stream; that nobody takes it changes no answer."""
    try:
        click.echo(text, err=True)
    except OSError:
        drop(sys.stderr)


def drop(stream: IO[str]) -> None:
    """Let the rest of a stream go nowhere: the interpreter would try to write it at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def points_form(points: Points) -> int | float:
    """Movement points as a JSON number: whole where they are."""
    return points if isinstance(points, int) else float(points)
