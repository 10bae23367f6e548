"""The talk at the terminal: whose decision it is, what is typed, and what comes of it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path

import click

from planner.game.actions import Action, format_action
from planner.game.choices import following, forced, legal
from planner.game.hexes import Hex
from planner.game.moves import PlannedMove
from planner.game.play_state import Deciding, Game
from planner.interface.playing.choosing import NoChoiceError, choice_lines, read_choice
from planner.interface.playing.hinting import give_hint
from planner.interface.playing.map_shown import show_hex, show_legend, show_map, show_units
from planner.interface.playing.saving import save_game
from planner.interface.playing.telling import (
    decision_lines,
    event_lines,
    odds_lines,
    overrun_lines,
    score_text,
    situation_lines,
    why_text,
)
from planner.interface.screen import say
from planner.interface.stopping import stoppable
from planner.play.session import NothingToTakeBackError, Session
from planner.play.steps import Pending, Step
from planner.search.effort import Limit

HELP = """\
A number of the list, or an action as it is printed there, is done. Besides:
  T1 0304x0404-0505  a whole written move; a result that changes the AFV stops it
  list               the legal choices once more
  lines              every overrun that can be made from here, as whole moves
  hint [SECONDS]     what to do now, and why
  why [ACTION]       whether an action is legal, every clause that bars it, its odds;
                     by itself: why the other side did what it did last
  map [HEX|all]      the map, around a hex, or all of it     look HEX  what is in a hex
  units              all units                               legend    the map's marks
  back               take back your last decision
  save FILE          the game as it stands, as a scenario file
  quit               stop here; the record keeps the game
Ctrl-C stops too; while the bot thinks it has the bot do the best found so far."""


class QuitError(Exception):
    """The player has had enough."""


def typed(prompt: str) -> str:
    """A line from the player, or from whatever is piped in. Raises EOFError at its end, and where
    there is no standard input."""
    if sys.stdin is not None and sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401 (gives the keyboard its history)
        try:
            return input(prompt)
        except EOFError:
            click.echo()  # what is said next begins a line
            raise
    click.echo(prompt, nl=False)
    line = "" if sys.stdin is None else sys.stdin.readline()
    if not line:
        click.echo()
        raise EOFError
    click.echo(line.rstrip("\n"))
    return line


def read_anything() -> None:
    """Have bytes that are no text in the terminal's encoding read as something: no choice."""
    if isinstance(sys.stdin, TextIOWrapper):
        with suppress(ValueError):  # it has been read from
            sys.stdin.reconfigure(errors="surrogateescape")


@dataclass
class Dialogue:
    """A session played at the terminal. ``humans`` are the sides that are asked for here;
    ``limit`` and ``own_loss`` are those of hints."""

    session: Session
    humans: frozenset[str]
    limit: Limit
    own_loss: float = 1.0
    ask: Callable[[str], str] = typed
    _move: PlannedMove | None = None
    _drawn: Game | None = None
    _phase: tuple[int, str] | None = None
    _told: object = None
    _commands: Mapping[str, Callable[[str], None]] = field(init=False)

    def __post_init__(self) -> None:
        self._commands = {
            "help": lambda rest: say(HELP),
            "list": lambda rest: self._list(),
            "lines": lambda rest: self._lines(),
            "hint": self._hint,
            "why": self._why,
            "map": self._map,
            "look": self._look,
            "units": lambda rest: show_units(self.session.game),
            "legend": lambda rest: show_legend(self.session.game),
            "back": lambda rest: self._back(),
            "save": self._save,
            "quit": lambda rest: self._quit(),
        }

    def run(self) -> bool:
        """Play until the game is over (True) or the player stops: by quit, the end of what is
        piped in, or Ctrl-C (which is raised as KeyboardInterrupt). Raises OSError when the record
        can't be written."""
        read_anything()
        show_legend(self.session.game)
        try:
            while not self.session.game.over:
                self._draw_phase()
                self._go_on()
        except (QuitError, EOFError):
            return False
        show_map(self.session.game)
        say(score_text(self.session.game), "bold")
        return True

    def _go_on(self) -> None:
        """The next decision, whoever takes it."""
        session = self.session
        game = session.game
        if session.pending is not None:
            say("decided already, and to be carried out now:", "dim")
            self._tell(session.pending)
            self._show(session.step())
        elif game.decider not in self.humans or forced(game) is not None:
            # Only while it is thought: Ctrl-C at the dice is another matter.
            with stoppable() as cancelled:
                proposed = session.proposed(cancelled)
                stopped = cancelled()
            if stopped and not self.humans:
                raise KeyboardInterrupt  # what was thought up in haste is not done
            if stopped and proposed.decision is not None:
                say("Ctrl-C: the best found so far is done. Once more stops the game.", "dim")
            self._carry_out(proposed)
        elif not self._moved_on():
            self._ask()

    def _do(self, action: Action) -> None:
        """An action of the player."""
        game = self.session.game
        assert game.decider is not None
        self._carry_out(Pending(0, game.decider, action))

    def _carry_out(self, taken: Pending) -> None:
        """Tell a decision, then do it: players who throw their own dice know what for."""
        self._tell(taken)
        self._show(self.session.do(taken.action, taken.decision))

    def _tell(self, taken: Pending) -> None:
        first, *odds = decision_lines(self.session.game, taken)
        say(first, "bold")
        for line in odds:
            say(line)

    def _show(self, step: Step) -> None:
        for line in event_lines(step):
            say(line)
        self._check_move(step)

    def _check_move(self, step: Step) -> None:
        """A written move goes on by itself until something happens to its AFV."""
        if self._move is None:
            return
        name = self._move.unit
        before, after = (g.position.units[name].status for g in (step.before, step.after))
        if before is not after:
            self._move = None
            if step.after.under_way is not None:
                say(f"{name} is {after.name} now: what was written of its move is not gone on with")
        elif step.after.under_way is None:
            self._move = None

    def _moved_on(self) -> bool:
        """Go on with a written move; whether there was one to go on with."""
        if self._move is None or self.session.game.deciding is not Deciding.MOVER:
            return False
        action = following(self.session.game, self._move)
        if action is None or action not in legal(self.session.game):
            say("what was written of the move can't be gone on with", "yellow")
            self._move = None
            return False
        self._do(action)
        return True

    def _draw_phase(self) -> None:
        """The map at the beginning of each Movement Phase."""
        position = self.session.game.position
        if (position.turn, position.to_move) != self._phase:
            self._phase = (position.turn, position.to_move)
            say()
            self._draw()

    def _draw(self, focus: Hex | None = None) -> None:
        show_map(self.session.game, focus)
        self._drawn = self.session.game

    def _ask(self) -> None:
        """One line from the player, and what it asks for. Nothing that is typed ends the game."""
        game = self.session.game
        if sys.stdout.isatty() and self._drawn is not game:
            self._draw()
        if self._told is not game:
            self._told = game
            for line in situation_lines(game):
                say(line, "bold")
            self._list()
        assert game.decider is not None
        text = self.ask(f"{game.decider}> ").strip()
        if not text:
            return
        word, _, rest = text.partition(" ")
        command = self._commands.get(word.lower())
        if command is not None:
            command(rest.strip())
            return
        try:
            chosen = read_choice(game, legal(game), text)
        except NoChoiceError as error:
            for line in error.lines:
                say(line, "yellow")
            return
        if game.deciding is Deciding.MOVER:
            self._move = chosen.move
        self._do(chosen.action)

    def _list(self) -> None:
        game = self.session.game
        for line in choice_lines(game, legal(game)):
            say(line)

    def _lines(self) -> None:
        for line in overrun_lines(self.session.game):
            say(line)

    def _hint(self, rest: str) -> None:
        limit = self.limit
        if rest:
            with suppress(ValueError):
                seconds = float(rest)
                if 0 < seconds <= 3600:
                    limit = Limit(seconds)
            if limit is self.limit:
                say(f"{rest} is no number of seconds up to 3600", "yellow")
                return
        give_hint(self.session.game, limit, self.own_loss)

    def _why(self, rest: str) -> None:
        game = self.session.game
        if not rest:
            told = [step for step in self.session.steps if step.decision and step.decision.reason]
            if not told or told[-1].decision is None:
                say("nobody has said why yet")
                return
            text = format_action(told[-1].before.position, told[-1].action)
            say(f"{text}: {why_text(text, told[-1].decision.reason)}")
            return
        try:
            chosen = read_choice(game, legal(game), rest)
        except NoChoiceError as error:
            for line in error.lines:
                say(line, "yellow")
            return
        action: Action = chosen.action
        say(f"{format_action(game.position, action)} is legal")
        for line in odds_lines(game, action):
            say(f"  odds: {line}")

    def _map(self, rest: str) -> None:
        if rest == "all":
            show_map(self.session.game, whole=True)
            return
        focus = self._hex(rest) if rest else None
        if focus is not None or not rest:
            self._draw(focus)

    def _look(self, rest: str) -> None:
        hex_ = self._hex(rest)
        if hex_ is not None:
            show_hex(self.session.game, hex_)

    def _hex(self, name: str) -> Hex | None:
        numbering = self.session.game.position.board.numbering
        with suppress(ValueError):
            return numbering.parse(name.upper())
        try:
            return numbering.parse(name)
        except ValueError as error:
            say(str(error), "yellow")
            return None

    def _back(self) -> None:
        """Back to the last decision that was typed here, of whichever side."""
        session = self.session
        side = max(sorted(self.humans), key=lambda each: session.last_of(each) or 0)
        number = session.last_of(side)
        undone = [
            format_action(step.before.position, step.action)
            for step in session.steps
            if step.number == number
        ]
        try:
            session.back(side)
        except NothingToTakeBackError:
            say("there is no decision of yours that could be taken back", "yellow")
            return
        self._move = None
        say(f"taken back: {', '.join(undone)}")
        self._draw()

    def _save(self, rest: str) -> None:
        name = rest[1:-1] if len(rest) > 1 and rest[0] == rest[-1] and rest[0] in "'\"" else rest
        if not name:
            say("save needs the name of a file that is not there yet: save game.toml", "yellow")
            return
        try:
            files = save_game(self.session.game, Path(name).expanduser())
        except (OSError, ValueError, RuntimeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            which = getattr(error, "filename", None) or name
            say(f"{which} can't be written: {reason}", "yellow")
            return
        say(f"saved: {', '.join(map(str, files))}")

    def _quit(self) -> None:
        raise QuitError


def how_to_resume(path: Path) -> str:
    """What a player types to go on with a game."""
    return f"overrun replay {shlex.quote(str(path))} --resume"
