"""Plain players to measure the bot by. Each plays both sides by a rule a player could follow.

Movers: any legal action; or for each AFV its own best line, blind to the others. Defenders: fire at
once, at whatever is in the open; or hold for the rear shot. They remember nothing and are the same
on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evaluation.backward import TooManyStatesError
from evaluation.units import Aspect
from evaluation.worth import Losses
from planner.game.actions import Action, EndPhase, Fire, Halt, Hold, format_action
from planner.game.choices import following, legal
from planner.game.moves import PlannedMove
from planner.game.notation import format_move
from planner.game.play_state import Deciding, Game
from planner.game.shots import aimed, chances, under_fire
from planner.play.digest import digest
from planner.play.player import Decision
from planner.search.candidates import first_candidates
from planner.search.effort import Cancelled, Limit, Wishes
from planner.search.exposure import field
from planner.search.worth import Judge

SAME = 1e-9
"""Values closer than this are equal."""


@dataclass(frozen=True, slots=True)
class RandomLegal:
    """Any legal action, each as likely as the other: drawn from the moment and ``seed``."""

    seed: int | str = 0
    name: str = "random"

    def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
        """One of the legal actions."""
        actions = _choices(game)
        return Decision(actions[digest(game, str(self.seed)) % len(actions)], reason="by lot")


@dataclass(frozen=True, slots=True)
class OwnBestLine:
    """Each AFV, in text order, makes the overrun that is worth most by itself, as if no other AFV
    moved, if that is worth more than staying. Once begun it goes on as is best for it alone."""

    own_loss: float = 1.0
    name: str = "own-line"

    def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
        """The mover's next action. Raises ValueError when the defender decides."""
        _asked(game, Deciding.MOVER)
        position = game.position
        judge = Judge(position, self.own_loss)
        staying = judge.value([])
        units = [game.under_way.unit] if game.under_way else [u.id for u in position.movers()]
        for unit in units:
            wishes = Wishes(only=frozenset([unit]))
            lines = [c.move for c in first_candidates(position, judge, wishes) if not c.needs]
            best = self._best(game, judge, lines)
            if best is not None and best[0] > staying + SAME:
                action = following(game, best[1])
                if action is not None:
                    text = format_move(position, best[1])
                    gain = best[0] - staying
                    return Decision(action, gain, reason=f"{text} is worth {gain:+.3g} by itself")
        if game.under_way is None:
            return Decision(EndPhase(), reason="no AFV has a line worth making by itself")
        halts = (action for action in legal(game) if isinstance(action, Halt))
        first = next(halts, None) or legal(game)[0]
        return Decision(first, reason="nothing ahead is worth making by itself")

    def _best(
        self, game: Game, judge: Judge, moves: list[PlannedMove]
    ) -> tuple[float, PlannedMove] | None:
        """The move worth most by itself; of equal ones the first in text order."""
        best: tuple[float, PlannedMove] | None = None
        for move in moves:
            try:
                value = judge.value([move])
            except TooManyStatesError:
                continue
            if best is None or value > best[0] + SAME:
                best = value, move
        return best


@dataclass(frozen=True, slots=True)
class FireAtOnce:
    """The defender makes every shot he can, that of the greatest expected loss to the AFV first (as
    the evaluator's policy of that name)."""

    name: str = "fire-at-once"

    def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
        """The defender's next action. Raises ValueError when the mover decides."""
        _asked(game, Deciding.DEFENDER)
        return _hardest(game, [a for a in legal(game) if isinstance(a, Fire)])


@dataclass(frozen=True, slots=True)
class HoldForTheRear:
    """The defender shoots at rear armour only, Final Opportunity Fire included, and holds else."""

    name: str = "hold-for-the-rear"

    def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
        """The defender's next action. Raises ValueError when the mover decides."""
        _asked(game, Deciding.DEFENDER)
        shots = [a for a in legal(game) if isinstance(a, Fire)]
        return _hardest(game, [s for s in shots if aimed(game, s).shot.aspect is Aspect.REAR])


def _choices(game: Game) -> tuple[Action, ...]:
    actions = legal(game)
    if not actions:
        raise ValueError("nobody decides: the game is over")
    return actions


def _asked(game: Game, deciding: Deciding) -> None:
    if game.deciding is not deciding:
        raise ValueError(f"this player decides for the {deciding.value} only")


def _hardest(game: Game, shots: list[Fire]) -> Decision:
    """The shot of the greatest expected loss to the AFV; to hold where none costs it anything."""
    best: tuple[float, Fire] | None = None
    for loss, shot in expected_losses(game, shots):
        if loss > (SAME if best is None else best[0] + SAME):
            best = loss, shot
    if best is None:
        return Decision(Hold(), reason="no such shot")
    text = format_action(game.position, best[1])
    return Decision(best[1], reason=f"{text} costs the AFV {best[0]:.3g} on average")


def expected_losses(game: Game, shots: list[Fire]) -> Iterator[tuple[float, Fire]]:
    """What each shot is expected to cost the AFV, with all that it carries."""
    if not shots:
        return
    afv, _ = under_fire(game)
    known = field(game.position)
    losses, combatant = Losses(known), known.units[afv.id]
    statuses = known.rules.statuses[afv.kind]
    for shot in shots:
        yield (
            sum(p * losses.change(combatant, statuses[name]) for name, p in chances(game, shot)),
            shot,
        )
