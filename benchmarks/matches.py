"""Matches of the bot against plain players, on both sides: ``matches``.

Each row is a match (`planner.play.match`) of the bot and a *baseline*, a whole player that moves by
one plain rule and defends by another, on one scenario or on all positions of a kind in turn. Its
pairs have two games under the same luck, with the sides changed. What the bot has of a pair more
than the baseline is told apart by side: the baseline also plays itself under that luck, and a
side's part is what changes when the bot takes that side over. The two parts of a pair add up to the
whole.

The side that a position lists first moves first and has all but a few of the AFVs: it is called the
mover, the other the defender. A row goes on to its last pair, or until it is certain enough who is
the better; the intervals hold at every look (`planner.play.standing`). Under limits of work alone
all of it is the same on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from benchmarks.instances import Instance
from planner.game.play_state import new_game
from planner.play.levels import BEST
from planner.play.match import Contestant, Fixture, MatchResult, Pair, match
from planner.play.spread import Spread
from planner.play.standing import Standing, standing
from planner.search.effort import Cancelled, Limit, never

BASELINES = ("random", "own-line/fire-at-once", "own-line/hold-for-the-rear")
"""Every plain way to move and to defend is in one of them."""
SIZES = ("platoon", "company")
"""Generated positions that are played on unless others are asked for."""


@dataclass(frozen=True, slots=True)
class Settings:
    """``work``: work units for each decision. ``pairs``: of a match at most; ``dear`` of one on a
    scenario of that name, whose games take long. ``least``: so many are played before a match is
    stopped. ``rounds``: how often the bot plays itself on each position, with other dice."""

    work: int
    pairs: int
    dear: tuple[tuple[str, int], ...]
    least: int
    rounds: int

    def most(self, name: str) -> int:
        """The most pairs of a match on the positions of that name."""
        return dict(self.dear).get(name, self.pairs)


FULL = Settings(1000, 64, (("carentan", 10), ("ponyri", 8)), 16, 1)
QUICK = Settings(10, 2, (), 2, 1)


@dataclass(frozen=True, slots=True)
class Ground:
    """What a match is played on: a scenario, or all positions of a kind in turn."""

    name: str
    fixtures: tuple[Fixture, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """The bot against a baseline. ``whole``: their match, the bot first; ``plain``: the baseline
    against itself under the same luck; ``settled``: it was stopped before the last pair, because it
    was certain enough who is the better."""

    ground: str
    baseline: str
    whole: MatchResult
    plain: MatchResult
    settled: bool

    @property
    def as_mover(self) -> Standing:
        """The bot in place of the baseline as the mover, against the baseline."""
        return standing([2.0 * (p.games[0].score - b.games[0].score) for p, b in self._both()])

    @property
    def as_defender(self) -> Standing:
        """The bot in place of the baseline as the defender, against the baseline."""
        return standing([2.0 * (b.games[0].score - p.games[1].score) for p, b in self._both()])

    def _both(self) -> Iterator[tuple[Pair, Pair]]:
        """Pairs with those of the baseline alone, as far as they were played."""
        yield from zip(self.whole.pairs, self.plain.pairs, strict=False)


@dataclass(frozen=True, slots=True)
class Sanity:
    """The bot against itself on every position: ``paired`` under the same luck, ``unpaired`` each
    game with dice of its own."""

    paired: MatchResult
    unpaired: MatchResult

    @property
    def identical(self) -> int:
        """Pairs under the same luck whose games are the same, action by action."""
        return sum(
            pair.difference == 0 and pair.games[0].moves == pair.games[1].moves
            for pair in self.paired.pairs
        )

    @property
    def holds(self) -> bool:
        """All of those are, and the interval of the others holds 0."""
        margin = self.unpaired.standing.margin
        return self.identical == len(self.paired.pairs) and margin.low <= 0.0 <= margin.high


@dataclass(frozen=True, slots=True)
class Hall:
    """How matches are played: ``spread`` says where, ``told`` hears how each gets on, and when
    ``cancelled`` says yes what was played so far counts."""

    spread: Spread
    told: Callable[[str], None]
    cancelled: Cancelled = never

    def on_pair(self, title: str, most: int) -> Callable[[Pair, Standing], None]:
        """What is told of a match after each pair."""

        def tell(pair: Pair, now: Standing) -> None:
            self.told(
                f"{title}: {now.pairs} of {most} pairs, "
                f"won {now.wins} drawn {now.draws} lost {now.losses}"
            )

        return tell


def grounds(chosen: Iterable[tuple[str, Instance]]) -> list[Ground]:
    """Instances, each with its kind: shipped scenarios one by one, others by their kind."""
    found: dict[str, list[Fixture]] = {}
    for kind, instance in chosen:
        name = instance.name if kind == "shipped" else kind
        found.setdefault(name, []).append(Fixture(instance.name, new_game(instance.position)))
    return [Ground(name, tuple(fixtures)) for name, fixtures in found.items()]


def compare(ground: Ground, baseline: str, settings: Settings, hall: Hall) -> Row:
    """The bot against a baseline.

    Raises:
        planner.play.players.UnknownPlayerError: the baseline is nobody.
    """
    most, around = settings.most(ground.name), len(ground.fixtures)
    most = -(-most // around) * around  # whole rounds of the positions
    limit = Limit(work=settings.work)
    bot, plain = Contestant(BEST, limit), Contestant(baseline, limit)
    title = f"{ground.name}, {baseline}"
    tell = hall.on_pair(title, most)
    settled = False

    def on_pair(pair: Pair, now: Standing) -> None:
        nonlocal settled
        tell(pair, now)
        through = now.pairs % around == 0 and settings.least <= now.pairs < most
        settled = through and certain(now)

    whole = match(
        ground.fixtures,
        bot,
        plain,
        most,
        spread=hall.spread,
        on_pair=on_pair,
        cancelled=lambda: settled or hall.cancelled(),
    )
    hall.told(f"{title}: the baseline against itself")
    itself = match(
        ground.fixtures,
        plain,
        plain,
        len(whole.pairs),
        spread=hall.spread,
        cancelled=hall.cancelled,
    )
    return Row(ground.name, baseline, whole, itself, settled)


def certain(now: Standing) -> bool:
    """Whether one is the better both by pairs won and by payoff."""
    return now.decided and not now.margin.low <= 0.0 <= now.margin.high


def sanity(found: Sequence[Ground], settings: Settings, hall: Hall) -> Sanity:
    """The bot against itself: every position once under the same luck, and as often as the settings
    say with dice of each game's own."""
    fixtures = [fixture for ground in found for fixture in ground.fixtures]
    bot = Contestant(BEST, Limit(work=settings.work))

    def itself(title: str, rounds: int, *, same_luck: bool) -> MatchResult:
        most = rounds * len(fixtures)
        return match(
            fixtures,
            bot,
            bot,
            most,
            same_luck=same_luck,
            spread=hall.spread,
            on_pair=hall.on_pair(f"{BEST} against itself, {title}", most),
            cancelled=hall.cancelled,
        )

    return Sanity(
        itself("the same luck", 1, same_luck=True),
        itself("other luck", settings.rounds, same_luck=False),
    )


def asked_for(settings: Settings, work: int | None, pairs: int | None) -> Settings:
    """The settings with another limit of work, and with so many pairs at most everywhere."""
    if work is not None:
        settings = replace(settings, work=work)
    return settings if pairs is None else replace(settings, pairs=pairs, dear=())
