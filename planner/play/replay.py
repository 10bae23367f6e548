"""A record played back: every event checked against the rules, and the game it leads to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from planner.game.actions import format_action, parse_action
from planner.game.choices import bars, forced
from planner.game.faults import Fault, FileFault, shown
from planner.game.notation import NotationError
from planner.game.play_state import Game
from planner.game.read_rules import parse_rules
from planner.game.read_scenario import parse_game
from planner.game.resolution import apply
from planner.play.player import Decision
from planner.play.record import Line, Record, read_record
from planner.play.record_file import Came, Decided, Ended, Setup, TakenBack, Threw
from planner.play.recorded import came_of, ended_of
from planner.play.recorded_dice import MissingThrowError, RecordedDice, difference
from planner.play.steps import Pending, Step, last_asked


@dataclass(frozen=True, slots=True)
class Back:
    """Decisions taken back: that of this number, and all after it."""

    number: int


@dataclass(frozen=True, slots=True)
class Replay:
    """A record played back.

    ``told``: what was done, in the order of the record, with what was taken back; ``steps``: the
    decisions that stand, which led to ``game``; ``pending``: one that is not carried out yet.
    ``faults``: all that the rules or the dice don't allow, by line. Where the game can't be gone
    on with, what comes after is not played back.
    """

    record: Record
    setup: Setup
    start: Game
    told: tuple[Step | Back, ...]
    steps: tuple[Step, ...]
    pending: Pending | None
    ended: bool
    faults: tuple[Fault, ...]

    @property
    def game(self) -> Game:
        """The game as it stands at the end."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def decisions(self) -> int:
        """How many decisions the record holds, those taken back or pending included."""
        pending = 0 if self.pending is None else self.pending.number
        return max(pending, *(item.number for item in self.told), 0)

    @property
    def written(self) -> int:
        """The number of the last decision in the record, whether it was played back or not."""
        lines = self.record.lines
        return max(
            (line.event.number for line in lines if isinstance(line.event, Decided)), default=0
        )


def replay(path: Path, to: int | None = None) -> Replay:
    """The record in a file played back, up to the decision of number ``to`` and what it led to.

    Raises:
        FileFault: the file can't be read, or its setup holds no game.
    """
    return replayed(read_record(path), to)


def replayed(record: Record, to: int | None = None) -> Replay:
    """The same of a record that has been read."""
    first = record.lines[0] if record.lines else None
    if first is None or first.number != 1 or not isinstance(first.event, Setup):
        said = Fault("line 1", "is no setup", "the setup, which a record begins with")
        in_first = [fault for fault in record.faults if fault.place.split(":")[0] == "line 1"]
        raise FileFault(record.file, in_first or [said])
    start = _start(record.file, first.event)
    played = _Played(first.event, start, list(record.faults))
    number = 1
    for line in record.lines[1:]:
        number += 1
        if line.number != number and not played.lost:
            played.lose()  # the line in between could not be read
        if isinstance(line.event, Decided) and to is not None and line.event.number > to:
            break
        played.take(line)
    return played.result(record)


def _start(file: str, setup: Setup) -> Game:
    """The game that a setup begins. Raises FileFault with every fault of it."""
    try:
        rules = parse_rules(setup.rules)
    except FileFault as error:
        raise _inside(file, "rules", error) from None
    try:
        game = parse_game(setup.scenario, rules=rules)
    except FileFault as error:
        raise _inside(file, "scenario", error) from None
    sides = [side.id for side in game.position.sides]
    if sorted(seat.side for seat in setup.seats) != sorted(sides):
        expected = f"one for each side: {', '.join(shown(side) for side in sides)}"
        raise FileFault(file, [Fault("line 1: seats", "are not those of the scenario", expected)])
    return game


def _inside(file: str, key: str, error: FileFault) -> FileFault:
    faults = [Fault(f"line 1: {key}.{f.place}", f.fault, f.expected) for f in error.faults]
    return FileFault(file, faults)


class _Played:
    """A game played back line by line."""

    def __init__(self, setup: Setup, start: Game, faults: list[Fault]) -> None:
        self.setup = setup
        self.start = start
        self.faults = faults
        self.told: list[Step | Back] = []
        self.steps: list[Step] = []
        self.pending: Pending | None = None
        self.ended = False
        self.lost = False
        self._count = 0
        self._throws: list[tuple[Line, Threw]] = []

    @property
    def game(self) -> Game:
        return self.steps[-1].after if self.steps else self.start

    def lose(self) -> None:
        """The game can't be followed any more."""
        self.lost = True

    def result(self, record: Record) -> Replay:
        """What was played back."""
        if self.pending is not None and not self.lost:
            self._check_pending()
        return Replay(
            record,
            self.setup,
            self.start,
            tuple(self.told),
            tuple(self.steps),
            self.pending,
            self.ended,
            tuple(sorted(self.faults, key=_line_number)),
        )

    def take(self, line: Line) -> None:
        """Go on with a line."""
        if self.lost:
            return
        match line.event:
            case Setup():
                self._fault(line, "is another setup", "one setup, in the first line")
            case Decided() as event:
                self._decide(line, event)
            case Threw() as event:
                self._throw(line, event)
            case Came() as event:
                self._carry_out(line, event)
            case TakenBack() as event:
                self._take_back(line, event)
            case Ended() as event:
                self._finish(line, event)

    def _fault(self, line: Line, said: str, expected: str) -> None:
        self.faults.append(Fault(f"line {line.number}", said, expected))

    def _decide(self, line: Line, event: Decided) -> None:
        game = self.game
        if self.pending is not None:
            said = f"is a decision, and decision {self.pending.number} is not carried out"
            self._fault(line, said, "its result")
            self.lose()
            return
        if game.over:
            self._fault(line, "is a decision, and the game is over", "nothing after its end")
            self.lose()
            return
        if event.number != self._count + 1:
            said = f"is decision {event.number}"
            self._fault(line, said, f"decision {self._count + 1}, the next")
        self._count = event.number
        if event.side != game.decider:
            said = f"{shown(event.side)} does not decide here"
            self._fault(line, said, f"a decision of {shown(game.decider)}")
        try:
            action = parse_action(game.position, event.action)
        except NotationError as error:
            self._fault(line, f"{shown(event.action)}: {error.fault}", error.expected)
            self.lose()
            return
        reasons = bars(game, action)
        for reason in reasons:
            said = f"{shown(event.action)} is not legal: {reason.clause.value}: {reason.text}"
            self._fault(line, said, "a legal action")
        if reasons:
            self.lose()
            return
        usual = format_action(game.position, action)
        if event.action != usual:
            self._fault(line, f"{shown(event.action)} is written otherwise", shown(usual))
        if event.forced != (forced(game) == action):
            said = "is" if event.forced else "is not"
            other = "there are others" if event.forced else "there is no other"
            self._fault(line, f"{said} told as the only legal action, and {other}", "the truth")
        decision = Decision(action, event.value, event.exact, event.reason)
        side = game.decider or event.side
        self.pending = Pending(event.number, side, action, event.forced, (), decision)
        self._throws = []

    def _throw(self, line: Line, event: Threw) -> None:
        if self.pending is None:
            self._fault(line, "is a throw, and no decision calls for one", "a decision first")
            return
        self._throws.append((line, event))
        self.pending = replace(self.pending, totals=(*self.pending.totals, event.total))

    def _carry_out(self, line: Line, event: Came) -> None:
        pending = self.pending
        if pending is None:
            self._fault(line, "is a result, and there is no decision", "a decision first")
            return
        before = self.game
        dice = RecordedDice(self._throws, self.setup.seed)
        try:
            after, events = apply(before, pending.action, dice)
        except MissingThrowError as missing:
            said = f"is the result, and the {missing.text} was not thrown for"
            self._fault(line, said, "a throw in a line before it")
            self.faults += dice.faults
            self.lose()
            return
        self.faults += dice.faults
        self._check_left(dice)
        happened = came_of(before, events).happened
        if event.happened != happened:
            self._fault(line, *difference(event.happened, happened))
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
        self.steps.append(step)
        self.told.append(step)
        self.pending = None

    def _check_left(self, dice: RecordedDice) -> None:
        for line, _ in dice.left:
            self._fault(line, "is a throw that nothing calls for", "no throw here")

    def _check_pending(self) -> None:
        """The throws made so far for a decision that is not carried out."""
        assert self.pending is not None
        dice = RecordedDice(self._throws, self.setup.seed)
        try:
            apply(self.game, self.pending.action, dice)
        except MissingThrowError:
            pass
        else:
            self._check_left(dice)
        self.faults += dice.faults

    def _take_back(self, line: Line, event: TakenBack) -> None:
        steps = {step.number: step for step in self.steps}
        pending = self.pending
        side = None
        if event.decision in steps:
            side = steps[event.decision].side
        elif pending is not None and pending.number == event.decision:
            side = pending.side
        if side is None or last_asked(self.steps, pending, side) != event.decision:
            said = f"decision {event.decision} can't be taken back here"
            self._fault(line, said, "the last decision that its side was asked for")
            self.lose()
            return
        self.steps = [step for step in self.steps if step.number < event.decision]
        self.told.append(Back(event.decision))
        self.pending = None
        self.ended = False

    def _finish(self, line: Line, event: Ended) -> None:
        if self.pending is not None or not self.game.over:
            self._fault(line, "is the end, and the game goes on", "decisions to its end")
            return
        if self.ended:
            self._fault(line, "is another end", "one end")
        self.ended = True
        found = ended_of(self.game).score
        if event.score != found:
            said = f"has the score {_score_text(event.score)}"
            self._fault(line, said, _score_text(found))


def _score_text(score: dict[str, float]) -> str:
    return ", ".join(f"{side} {value:g}" for side, value in sorted(score.items()))


def _line_number(fault: Fault) -> int:
    number = fault.place.removeprefix("line ").split(":")[0]
    return int(number) if number.isdigit() else 0
