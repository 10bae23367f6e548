"""Matches: two players against each other, in pairs of games under the same luck.

A *pair* is one fixture played twice with the sides changed. Dice hang on the pair's seed and on
turn, AFV, window and unit (`planner.game.chance.KeyedDice`), so both games meet the same luck as
far as they go the same way; a player is better by what it makes of it. Each game counts for a
player what its side has of it at the end (`planner.game.score.score`), and a pair's *difference*
is what the first player has of both games less what the other has.

Under limits of work the results are the same on any machine, with any number of processes, and on a
cluster: pairs are counted in their order, and what was played beyond the stop is thrown away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from time import monotonic

from planner.game.actions import format_action
from planner.game.chance import KeyedDice
from planner.game.events import Rolled
from planner.game.play_state import Game
from planner.game.score import score
from planner.play.players import player
from planner.play.session import Session
from planner.play.spread import Alone, Spread
from planner.play.standing import Standing, standing
from planner.play.steps import Step
from planner.search.effort import Cancelled, Limit, never


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player of a match: its name (`planner.play.players.player`), the limit of each of its
    decisions and its own-loss weight."""

    name: str
    limit: Limit = field(default_factory=Limit)
    own_loss: float = 1.0


@dataclass(frozen=True, slots=True)
class Fixture:
    """A position that is played, and what it is called."""

    name: str
    game: Game


@dataclass(frozen=True, slots=True)
class Played:
    """One game: what the first listed side has of it at the end, decisions that somebody was asked
    for, the longest that one took, and a digest of all that was done."""

    score: float
    decisions: int
    longest: float
    seconds: float
    moves: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games of one fixture: in ``games[0]`` the first player has the first listed side, in
    ``games[1]`` the other has. ``difference``: the first player's payoffs less the other's."""

    number: int
    fixture: str
    games: tuple[Played, Played]

    @property
    def difference(self) -> float:
        """What the first player has of the pair less what the other has."""
        return 2.0 * (self.games[0].score - self.games[1].score)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """All pairs that count, in their order, and how they stand. ``stopped_early``: it was decided
    before the last pair."""

    first: Contestant
    second: Contestant
    pairs: tuple[Pair, ...]
    standing: Standing
    stopped_early: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Task:
    """A pair to be played; whole in itself, so that it can be sent anywhere."""

    number: int
    fixture: Fixture
    first: Contestant
    second: Contestant
    seeds: tuple[str, str]


def most_of_a_pair(game: Game) -> float:
    """How far the difference of a pair goes either way: both games together twice all that is at
    stake in one, between its best and its worst end for a side (`planner.game.score.score`)."""
    started = game.started
    stake = 0.0
    for unit in started.units.values():
        losses = [status.loss for status in started.rules.combat.statuses[unit.kind].values()]
        once = (weapon.price for weapon in unit.type.combat.weapons if weapon.once)
        stake += unit.type.combat.worth * (max(losses) - min(losses)) + sum(once)
    for objective in started.objectives:
        stake += objective.worth * (2.0 if objective.held_by is None else 1.0)
    return 2.0 * stake


OnPair = Callable[[Pair, Standing], None]


def play(task: Task) -> Pair:
    """Both games of a pair."""
    ahead = _game(task.fixture.game, task.first, task.second, task.seeds[0])
    behind = _game(task.fixture.game, task.second, task.first, task.seeds[1])
    return Pair(task.number, task.fixture.name, (ahead, behind))


def _game(game: Game, one: Contestant, other: Contestant, seed: str) -> Played:
    """One game, ``one`` having the side that is listed first."""
    began = monotonic()
    sides = [side.id for side in game.position.sides]
    seats = dict(zip(sides, (one, other), strict=True))
    # Who draws lots draws others in each pair, the same in both its games.
    players = {side: player(seat.name, seat.own_loss, seed) for side, seat in seats.items()}
    limits = {side: seat.limit for side, seat in seats.items()}
    session = Session(game, players, KeyedDice(seed), limits)
    steps = list(session.play())
    asked = [step.decision for step in steps if step.decision is not None]
    return Played(
        score(session.game)[sides[0]],
        len(asked),
        max((decision.seconds for decision in asked), default=0.0),
        monotonic() - began,
        _told(steps),
    )


def _told(steps: Sequence[Step]) -> str:
    """A digest of all that was done and thrown."""
    told = blake2b(digest_size=8)
    for step in steps:
        told.update(f"{format_action(step.before.position, step.action)}\n".encode())
        for event in step.events:
            if isinstance(event, Rolled):
                told.update(f"{event.total}\n".encode())
    return told.hexdigest()


def tasks(
    fixtures: Sequence[Fixture],
    first: Contestant,
    second: Contestant,
    pairs: int,
    seed: int | str,
    *,
    same_luck: bool = True,
) -> Iterator[Task]:
    """The pairs to be played: the fixtures in turn, each time with other dice. Without
    ``same_luck`` the two games of a pair have dice of their own."""
    for number in range(pairs):
        fixture = fixtures[number % len(fixtures)]
        luck = f"{seed}|{fixture.name}|{number // len(fixtures)}"
        seeds = (luck, luck) if same_luck else (f"{luck}|1", f"{luck}|2")
        yield Task(number, fixture, first, second, seeds)


def match(
    fixtures: Sequence[Fixture],
    first: Contestant,
    second: Contestant,
    pairs: int,
    seed: int | str = 0,
    *,
    same_luck: bool = True,
    until_decided: bool = False,
    most: float | None = None,
    spread: Spread | None = None,
    on_pair: OnPair | None = None,
    cancelled: Cancelled = never,
) -> MatchResult:
    """Play a match of at most so many pairs.

    ``until_decided``: stop as soon as one player is better with the confidence of
    `planner.play.standing`, which may be looked at after every pair. ``most``: how far a pair's
    difference goes either way (`most_of_a_pair` of the fixtures); then the margin's interval holds
    without a doubt, and is wide while pairs are few; else in the limit. ``spread`` says where pairs
    are played (here, unless given). When ``cancelled`` says yes what was played so far counts.

    Raises:
        planner.play.players.UnknownPlayerError: a contestant's name is nobody's.
        ValueError: no fixtures.
    """
    if not fixtures:
        raise ValueError("a match needs a position to be played")
    for contestant in (first, second):
        player(contestant.name, contestant.own_loss)
    began = monotonic()
    played: list[Pair] = []
    now = standing([], most)
    stopped = False
    wanted = tasks(fixtures, first, second, pairs, seed, same_luck=same_luck)
    results = (spread or Alone()).results(play, wanted, cancelled)
    for pair in results:
        played.append(pair)
        now = standing([known.difference for known in played], most)
        if on_pair is not None:
            on_pair(pair, now)
        if until_decided and now.decided and len(played) < pairs:
            stopped = True
            break
        if cancelled():
            break
    results.close()
    return MatchResult(first, second, tuple(played), now, stopped, monotonic() - began)
