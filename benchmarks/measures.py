"""Everything that is measured of one position, each figure with its baselines from the same run."""

from __future__ import annotations

import gc
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import baselines, shell
from benchmarks.baselines import SEED, Effort
from benchmarks.figures import Baseline, Figure, Report, Unit
from benchmarks.instances import Instance
from benchmarks.timing import Times, Took, time_each, time_repeated
from planner.game.moves import PlannedMove
from planner.game.notation import parse_move
from planner.game.position import Position
from planner.game.read_rules import shipped_rules
from planner.game.read_scenario import load
from planner.play.hint import hint
from planner.search.candidates import Survey
from planner.search.effort import Limit, Wishes
from planner.search.graph import movement_graph
from planner.search.lines import lines
from planner.search.worth import Judge

OnFigure = Callable[[Figure], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """How much is measured: ``repeats`` of quick things, ``moves`` whose single values are timed,
    ``runs`` of a hint, which is stopped after ``hint_seconds``; ``effort`` for each baseline."""

    repeats: int
    moves: int
    runs: int
    hint_seconds: float
    effort: Effort


FULL = Settings(10, 200, 3, 30.0, Effort(10.0, 100))
QUICK = Settings(3, 50, 1, 5.0, Effort(1.0, 20))


def measure(instance: Instance, settings: Settings, on_figure: OnFigure) -> Report:
    """Measure one position; each figure is told as soon as it is there."""
    report = Report(instance.name, instance.origin, instance.scale, instance.size())
    for figure in _Measuring(instance, settings).figures():
        report.figures.append(figure)
        on_figure(figure)
        gc.collect()
    return report


class _Measuring:
    def __init__(self, instance: Instance, settings: Settings) -> None:
        self.instance = instance
        self.settings = settings
        self.position = instance.position
        self.lines = lines(self.position)
        self.classes = sorted({u.type.movement_class for u in self.position.movers()})

    def figures(self) -> Iterator[Figure]:
        """One after the other, what is quick first."""
        with TemporaryDirectory() as folder:
            source = self.instance.named(Path(folder))
            yield self._load(source)
            yield self._graph()
            yield from self._lines()
            survey = Survey(self.position, Judge(self.position), Wishes())
            kept = survey.kept()
            yield self._candidates(len(survey.candidates), kept.of)
            yield from self._singles([candidate.move for candidate in survey.candidates])
            seconds = f"{self.settings.hint_seconds:g}"
            arguments = ("hint", source, "--seconds", seconds, "--json")
            runs = [shell.run_overrun(*arguments) for _ in range(self.settings.runs)]
            answer = json.loads(runs[0].stdout)
            texts = answer["plans"][0]["moves"]
            best = [parse_move(self.position, text) for text in texts]
            yield from self._plan(best)
            value = answer["plans"][0]["value"]
            twin = baselines.twin_best_plan(
                self.instance,
                [candidate.text for candidate in survey.candidates],
                value,
                self.settings.effort,
            )
            yield from self._hint(runs, answer["finished"], value, twin)

    def _load(self, source: str) -> Figure:
        def run(_: None) -> None:
            load(source)

        times = time_repeated(shipped_rules.cache_clear, run, self.settings.repeats)
        note = "rules and scenario, every check"
        return Figure("load", times, (baselines.twin_load(self.instance, source),), note)

    def _graph(self) -> Figure:
        def run(position: Position) -> None:
            for movement_class in self.classes:
                movement_graph(position, movement_class)

        times = time_repeated(self.instance.fresh, run, self.settings.repeats)
        twin = baselines.twin_graph(self.instance, self.classes)
        return Figure("movement graph", times, (twin,), f"whole map, {', '.join(self.classes)}")

    def _lines(self) -> Iterator[Figure]:
        repeats = self.settings.repeats
        once = time_repeated(self.instance.fresh, lines, repeats)
        effort = self.settings.effort
        graph = time_repeated(lambda: self.position, lines, repeats)
        queries = baselines.dijkstra_lines(self.position, self.lines, effort)
        twin = baselines.twin_all_lines(self.instance, self.position, self.lines, effort)
        note = f"{len(self.lines)} lines"
        yield Figure("all lines, once loaded", once, (twin,), f"{note}, graph built")
        yield Figure("all lines, graph known", graph, (queries,), note)

    def _candidates(self, kept: int, of: int | None) -> Figure:
        def prepare() -> Position:
            position = self.instance.fresh()
            for movement_class in self.classes:
                movement_graph(position, movement_class)
            return position

        def run(position: Position) -> None:
            Survey(position, Judge(position), Wishes())

        repeats = max(1, self.settings.repeats // 3)
        times = time_repeated(prepare, run, repeats)
        of_how_many = "too many to count" if of is None else str(of)
        note = f"{kept} candidates of {of_how_many} moves along simple paths, graph known"
        twin = baselines.twin_moves(self.instance, self.settings.effort)
        return Figure("candidates", times, (twin,), note)

    def _singles(self, found: Sequence[PlannedMove]) -> Iterator[Figure]:
        if not found:
            return
        count = min(self.settings.moves, len(found))
        sample = random.Random(SEED).sample(list(found), count)
        judge = Judge(self.position)
        values: list[float] = []
        times = time_each(lambda move: values.append(judge.value([move])), sample)
        alone = time_each(lambda move: Judge(self.position).value([move]), sample)
        twin = baselines.twin_singles(
            self.instance, self.position, sample, values, times, self.settings.effort
        )
        note = f"{count} of {len(found)} candidates (seed {SEED}), one judge, each move new to it"
        own = Baseline("a judge of its own for each", alone.median)
        yield Figure("one single-move evaluation", times, (twin, own), note)

    def _plan(self, best: Sequence[PlannedMove]) -> Iterator[Figure]:
        repeats = self.settings.repeats

        def judge() -> Judge:
            return Judge(self.position)

        times = time_repeated(judge, lambda made: made.value(best), repeats)
        value = Judge(self.position).value(best)
        twin = baselines.twin_plan(self.instance, self.position, best, value, self.settings.effort)
        note = f"best plan found, {len(best)} moves, worth {value:.6f}; a judge of its own"
        yield Figure("one whole-plan evaluation", times, (twin,), note)

    def _hint(
        self, runs: Sequence[shell.Run], finished: bool, value: float, twin: Baseline
    ) -> Iterator[Figure]:
        seconds = self.settings.hint_seconds
        limit = Limit(seconds)
        ended = "ended by itself" if finished else f"stopped after {seconds:g} s"
        note = f"{ended}, best plan {value:.6f}"
        inside = time_repeated(
            self.instance.fresh, lambda position: hint(position, limit), self.settings.runs
        )
        nothing = [shell.run_python("pass") for _ in range(self.settings.repeats)]
        imports = [shell.run_python(shell.IMPORTS) for _ in range(self.settings.runs)]
        yield Figure("hint in process", inside, (twin,), note)
        shelled = Times.of(Took(run.seconds, run.cpu_seconds) for run in runs)
        yield Figure(
            "hint from the shell",
            shelled,
            (
                Baseline("python -c pass", Times(tuple(r.seconds for r in nothing)).median),
                Baseline("imports alone", Times(tuple(r.seconds for r in imports)).median),
            ),
            f"cold process, {note}",
        )
        yield Figure(
            "peak memory of the hint",
            Times(tuple(float(run.peak_bytes) for run in runs)),
            (
                Baseline("python -c pass", float(nothing[0].peak_bytes)),
                Baseline("imports alone", float(imports[0].peak_bytes)),
            ),
            "largest resident set of the process",
            Unit.BYTES,
        )
