"""What several tests need."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def cases() -> Path:
    """The folder of the small rules file and scenario that every reader must load as they are."""
    return Path(__file__).parent / "cases"
