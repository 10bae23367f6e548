"""Where a game's record goes when the player does not say."""

from __future__ import annotations

from datetime import datetime
from itertools import count
from pathlib import Path

from platformdirs import user_data_path

FOLDER = "overrun-planner"


def new_record(scenario: str) -> Path:
    """A file that is not there yet in the player's own data folder, which is made if need be;
    it is named after the scenario and the time.

    Raises:
        OSError: the folder can't be made.
    """
    folder = user_data_path(FOLDER, appauthor=False) / "records"
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{Path(scenario).stem}-{datetime.now():%Y%m%d-%H%M%S}"
    names = (f"{stem}{'' if number == 1 else f'-{number}'}.jsonl" for number in count(1))
    return next(path for path in (folder / name for name in names) if not path.exists())
