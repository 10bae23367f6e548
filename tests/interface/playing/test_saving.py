from __future__ import annotations

import io
from pathlib import Path

import pytest

from planner.game.read_scenario import load_game
from planner.interface.playing.saving import save_game
from tests.interface.command import TWO_TANKS


@pytest.mark.parametrize("fails", ["game.toml", "game-rules.toml"])
def test_what_can_not_be_written_whole_is_not_left_behind(
    fails: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Path.open

    def full(path: Path, *arguments: str, **more: str) -> object:
        stream = opened(path, *arguments, **more)  # type: ignore[call-overload]
        if path.name == fails:
            assert isinstance(stream, io.TextIOWrapper)
            stream.write("half")
            monkeypatch.setattr(stream, "write", _no_space, raising=False)
        return stream

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(OSError, match="No space left"):
        save_game(load_game(TWO_TANKS), tmp_path / "game.toml")
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == []
    assert len(save_game(load_game(TWO_TANKS), tmp_path / "game.toml")) == 2


def _no_space(text: str) -> int:
    raise OSError(28, "No space left on device")
