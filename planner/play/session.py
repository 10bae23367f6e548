"""A game being played: two sides, dice, and the record of all of it.

A decision that calls for dice is recorded before they are thrown, and each throw as it is made. A
session that is broken off in between has a decision *pending*, which stands, with the throws made
so far: `Session.step` carries it out before anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from evaluation.dice import Dice
from planner.game.actions import Action
from planner.game.chance import DiceSource, KeyedDice, Roll
from planner.game.choices import bars, forced
from planner.game.faults import FileFault
from planner.game.play_state import Game
from planner.game.resolution import IllegalActionError, apply
from planner.play.player import Decision, Player
from planner.play.record import Recorder
from planner.play.record_file import RecordEvent, Seat, TakenBack
from planner.play.recorded import came_of, decided_of, ended_of, setup_of, threw_of
from planner.play.replay import Replay, replayed
from planner.play.steps import Pending, Step, last_asked
from planner.search.effort import Cancelled, Limit, never

Seating = Callable[[Seat], Player | None]
"""The player that a record's seat stands for; None for one whose actions are told by
`Session.do`."""


class NothingToTakeBackError(ValueError):
    """A side has made no decision that could be taken back."""


class NobodyToAskError(ValueError):
    """A side decides for which there is no player; `Session.do` takes its action."""


class Session:
    """A game being played. ``players`` are asked for the sides that they are given for; what the
    other sides do is told by `do`.

    A session is no value: it changes as it is played. ``game`` is the game as it stands, ``steps``
    the decisions that led to it, those taken back left out.
    """

    def __init__(
        self,
        game: Game,
        players: Mapping[str, Player],
        dice: DiceSource,
        limits: Mapping[str, Limit] | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        self.start = replace(game, started=game.position)
        self.steps: list[Step] = []
        self.pending: Pending | None = None
        self.dice = dice
        self._players = dict(players)
        self._limits = dict(limits or {})
        self._recorder = recorder
        self._count = 0
        self._ended = False

    @classmethod
    def begin(
        cls,
        game: Game,
        seats: Sequence[Seat],
        players: Mapping[str, Player],
        path: Path | None = None,
        *,
        seed: int | str | None = None,
        dice: DiceSource | None = None,
    ) -> Self:
        """A session in a new record (none without a ``path``).

        ``seats`` tell the record who plays, and hold the players' limits. The program throws dice
        that hang on the ``seed``, or else ``dice`` are thrown.

        Raises:
            OSError: the record can't be made, or there is a file of that name (FileExistsError).
            ValueError: neither a seed nor dice are given, or both; or something that a record
                can't hold.
        """
        if (seed is None) == (dice is None):
            raise ValueError("either a seed or dice")
        source = KeyedDice(seed) if seed is not None else dice
        assert source is not None
        recorder = None if path is None else Recorder.create(path, setup_of(game, seats, seed))
        return cls(game, players, source, _limits(seats), recorder)

    @classmethod
    def resume(
        cls, path: Path, seating: Seating, dice: DiceSource | None = None
    ) -> tuple[Self, Replay]:
        """A session that goes on with the game of a record, and what the record held.

        ``dice`` are needed for a record without a seed, and for no other. A torn last line is cut
        off; a decision that was not carried out is pending.

        Raises:
            FileFault: the record can't be read, breaks the rules, or another process writes it.
            OSError: it can't be mended.
            ValueError: dice are missing, or given for a record with a seed.
        """
        recorder, record = Recorder.reopen(path)
        try:
            found = replayed(record)
            if found.faults:
                raise FileFault(record.file, found.faults)
            seed = found.setup.seed
            source = KeyedDice(seed) if seed is not None else dice
            if source is None or (seed is not None and dice is not None):
                raise ValueError("dice are for a record without a seed")
            players = {seat.side: seating(seat) for seat in found.setup.seats}
            seated = {side: player for side, player in players.items() if player is not None}
            recorder.mend(record)
            session = cls(found.start, seated, source, _limits(found.setup.seats), recorder)
            session._go_on(found)
        except BaseException:
            recorder.close()
            raise
        return session, found

    def _go_on(self, found: Replay) -> None:
        """Stand where the record stands, and tell its end if that is missing."""
        self.steps = list(found.steps)
        self.pending = found.pending
        self._count = found.decisions
        self._ended = found.ended
        self._end()

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def path(self) -> Path | None:
        """Where the record is."""
        return None if self._recorder is None else self._recorder.path

    def step(self, cancelled: Cancelled = never) -> Step:
        """One decision, taken and carried out: the pending one, or else the `proposed` one.

        Raises:
            NobodyToAskError: there is no such player.
            IllegalActionError: the player's action is barred.
            ValueError: the game is over.
            OSError: the record can't be written; the decision is not carried out.
        """
        if self.pending is not None:
            return self._carry_out(self.pending)
        proposed = self.proposed(cancelled)
        return self.do(proposed.action, proposed.decision)

    def proposed(self, cancelled: Cancelled = never) -> Pending:
        """The next decision as it would be taken, which changes nothing: `do` carries it out. It is
        the only legal action, for which nobody is asked, or else that of the player who decides.

        Raises:
            NobodyToAskError: there is no such player.
            ValueError: the game is over, or a decision is pending.
        """
        if self.pending is not None:
            raise ValueError("a decision is pending")
        game = self.game
        side = game.decider
        if side is None:
            raise ValueError("the game is over")
        only = forced(game)
        if only is not None:
            return Pending(self._count + 1, side, only, True)
        player = self._players.get(side)
        if player is None:
            raise NobodyToAskError(f"nobody plays {side}")
        decision = player.decide(game, self._limits.get(side, Limit()), cancelled)
        return Pending(self._count + 1, side, decision.action, False, (), decision)

    def do(self, action: Action, decision: Decision | None = None) -> Step:
        """An action of the side that decides, carried out; ``decision`` is what is known of it.

        Raises:
            IllegalActionError: it is barred.
            ValueError: a decision is pending.
            OSError: the record can't be written.
        """
        if self.pending is not None:
            raise ValueError("a decision is pending")
        game = self.game
        reasons = bars(game, action)
        side = game.decider
        if reasons or side is None:
            raise IllegalActionError(action, reasons)
        only = forced(game) == action
        return self._decided(Pending(self._count + 1, side, action, only, (), decision))

    def play(self, cancelled: Cancelled = never) -> Iterator[Step]:
        """Step after step until the game is over, or the player has ``cancelled``."""
        while not self.game.over and not cancelled():
            yield self.step(cancelled)

    def _decided(self, pending: Pending) -> Step:
        self._write(decided_of(self.game, pending))
        self._count += 1
        self.pending = pending
        return self._carry_out(pending)

    def _carry_out(self, pending: Pending) -> Step:
        before = self.game
        after, events = apply(before, pending.action, _Throws(self, pending.totals))
        self._write(came_of(before, events))
        step = Step(
            pending.number,
            pending.side,
            pending.action,
            pending.forced,
            before,
            after,
            events,
            pending.decision,
        )
        self.pending = None
        self.steps.append(step)
        self._end()
        return step

    def _end(self) -> None:
        if self.game.over and not self._ended:
            self._write(ended_of(self.game))
            self._ended = True

    def thrown(self, roll: Roll, total: int) -> None:
        """Note a throw for the pending decision."""
        assert self.pending is not None
        self._write(threw_of(roll, total))
        self.pending = replace(self.pending, totals=(*self.pending.totals, total))

    def last_of(self, side: str) -> int | None:
        """The number of the last decision that a side was asked for; None when there is none."""
        return last_asked(self.steps, self.pending, side)

    def back(self, side: str) -> None:
        """Take back the last decision that the side was asked for, and all that came after it.

        Raises:
            NothingToTakeBackError: there is none.
            OSError: the record can't be written; nothing is taken back.
        """
        number = self.last_of(side)
        if number is None:
            raise NothingToTakeBackError(f"{side} has made no decision that could be taken back")
        self._write(TakenBack(event="back", decision=number))
        self.steps = [step for step in self.steps if step.number < number]
        self.pending = None
        self._ended = False

    def _write(self, event: RecordEvent) -> None:
        if self._recorder is not None:
            self._recorder.write(event)

    def close(self) -> None:
        """Let go of the record; it can be gone on with (`resume`)."""
        if self._recorder is not None:
            self._recorder.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class _Throws:
    """The dice of a pending decision: the totals thrown already, then new ones, each recorded."""

    def __init__(self, session: Session, totals: Sequence[int]) -> None:
        self._session = session
        self._totals = iter(totals)

    def roll(self, roll: Roll, dice: Dice) -> int:
        """The total."""
        total = next(self._totals, None)
        if total is None:
            total = self._session.dice.roll(roll, dice)
            self._session.thrown(roll, total)
        return total


def _limits(seats: Sequence[Seat]) -> dict[str, Limit]:
    return {seat.side: Limit(seat.seconds, seat.work) for seat in seats}
