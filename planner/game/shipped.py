"""The rules and scenarios that come with the program, by name."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

_SUFFIX = ".toml"


def rules_names() -> tuple[str, ...]:
    """Names of the shipped rules files, in text order."""
    return tuple(_shipped("rules"))


def scenario_names() -> tuple[str, ...]:
    """Names of the shipped scenarios, in text order."""
    return tuple(_shipped("scenarios"))


def rules_text(name: str) -> bytes:
    """A shipped rules file. Raises KeyError when there is none of that name."""
    return _shipped("rules")[name].read_bytes()


def scenario_text(name: str) -> bytes:
    """A shipped scenario. Raises KeyError when there is none of that name."""
    return _shipped("scenarios")[name].read_bytes()


@lru_cache
def _shipped(folder: str) -> dict[str, Traversable]:
    home = files("planner").joinpath("data", folder)
    found = (
        [file for file in home.iterdir() if file.name.endswith(_SUFFIX)] if home.is_dir() else []
    )
    return {
        file.name.removesuffix(_SUFFIX): file for file in sorted(found, key=lambda file: file.name)
    }
