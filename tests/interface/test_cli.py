from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from planner.interface.program import COMMANDS
from tests.interface.command import TINY, TWO_TANKS, faults, run, variant

NOT_FOR_HELP = ("numpy", "pydantic", "networkx", "ortools", "rich", "evaluation", "planner.search")

ARGUMENTS = [sys.executable, "-c", "from planner.interface.cli import main; main()"]


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--help"], 0),
        (["--version"], 0),
        ([], 2),
        (["lime"], 2),
        (["lines"], 2),
        (["lines", "--help"], 0),
        (["lines", TWO_TANKS], 0),
        (["lines", TWO_TANKS, "--unit", "T1"], 0),
        (["lines", TWO_TANKS, "--unit", "G1"], 1),
        (["lines", TWO_TANKS, "--unit", "T9"], 2),
        (["lines", TWO_TANKS, "--no-such-option"], 2),
        (["lines", TINY], 2),
        (["lines", "no-such-scenario"], 2),
        (["why", TWO_TANKS, "T1", "0404", "SE"], 0),
        (["why", TWO_TANKS, "T1", "0404", "N"], 1),
        (["why", TWO_TANKS, "T1", "0404", "E"], 2),
        (["evaluate", TWO_TANKS, "T1 0304x0404-0505"], 0),
        (["evaluate", TWO_TANKS, "T1 0304-0404"], 0),
        (["evaluate", TWO_TANKS, "T1 0304x0404-0504"], 1),
        (["evaluate", TWO_TANKS, "T9 0304"], 1),
        (["evaluate", TWO_TANKS, "T1 03"], 2),
        (["evaluate", TWO_TANKS], 2),
        (["evaluate", TWO_TANKS, "T1 stay", "--defender", "sleep"], 2),
        (["hint", TWO_TANKS], 0),
        (["hint", TWO_TANKS, "--own-loss", "1000"], 0),
        (["hint", TWO_TANKS, "--target", "0101"], 1),
        (["hint", TWO_TANKS, "--plans", "0"], 2),
        (["odds"], 2),
        (["odds", "shot", "--firer", "ger_pak_40"], 2),
        (["validate", TWO_TANKS, TINY], 0),
        (["validate", TWO_TANKS, __file__], 2),
        (["validate"], 2),
        (["scenarios"], 0),
        (["schema", "rules"], 0),
        (["schema", "scenario", "--json"], 0),
        (["schema", "poem"], 2),
    ],
    ids=lambda value: " ".join(map(os.path.basename, value)) if isinstance(value, list) else None,
)
def test_exit_status(arguments: list[str], status: int) -> None:
    result = run(*arguments)
    assert result.exit_code == status
    assert "Traceback" not in result.output
    # Whoever validates asks for the faults: there they are the answer.
    assert bool(result.stderr) == (status == 2 and arguments[:2] != ["validate", TWO_TANKS])


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_the_one_line_help_that_the_list_shows(command: str) -> None:
    module = import_module(f"planner.interface.commands.{command}")
    assert module.command.get_short_help_str(limit=200) == COMMANDS[command]
    assert run(command, "--help").exit_code == 0


def test_help_lists_every_command() -> None:
    text = run("--help").stdout
    assert all(f"  {name}  " in text and line in text for name, line in COMMANDS.items())


def test_help_loads_no_solver_and_comes_at_once() -> None:
    code = (
        "import sys, planner.interface.program as cli\n"
        "try: cli.overrun(['--help'])\n"
        "except SystemExit: pass\n"
        "print(sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stderr
    assert "planner.interface.program" in loaded
    assert [name for name in NOT_FOR_HELP if f"'{name}'" in loaded] == []


def test_lines_load_no_solver() -> None:
    code = (
        "import sys, planner.interface.program as cli\n"
        f"try: cli.overrun(['lines', {TWO_TANKS!r}, '--json'])\n"
        "except SystemExit: pass\n"
        "print('ortools' in sys.modules, 'rich' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.split() == ["False", "False"]


def test_an_unknown_command_is_guessed() -> None:
    assert "Did you mean lines?" in run("lime").stderr


def test_usage_errors_are_json_when_json_is_asked_for() -> None:
    assert faults("lines") == [("command line", "Missing argument 'SCENARIO'.")]
    assert faults("lime")[0][0] == "command line"


def test_faults_of_a_file_come_with_those_of_the_options(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('format = "overrun-scenario/1"\n')
    found = faults("hint", str(path), "--plans", "-2", "--seconds", "soon")
    assert found[:2] == [
        ("--plans", "-2 is too small"),
        ("--seconds", '"soon" is no number'),
    ]
    assert ("map", "is missing") in found
    assert ("rules", "is missing") in found


def test_faults_of_a_file_in_words(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('format = "overrun-scenario/1"\n')
    result = run("lines", str(path))
    assert result.stdout == ""
    assert f"overrun: {path}: " in result.stderr
    assert "map: is missing (" in result.stderr


def test_the_same_output_for_every_hash_seed_and_when_piped() -> None:
    arguments = [*ARGUMENTS, "evaluate", TWO_TANKS, "T2 0402x0503-0603", "T1 0304x0404-0505"]
    seen = {
        subprocess.run(
            arguments,
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "COLUMNS": "30"},
        ).stdout
        for seed in ("0", "1")
    }
    assert len(seen) == 1
    text = seen.pop().decode()
    assert "\x1b" not in text
    assert "L1: ready 52 %, suppressed 20 %, eliminated 28 %" in text
    assert [line for line in text.splitlines() if line != line.rstrip()] == []


@pytest.mark.parametrize("encoding", ["ascii", "iso-8859-1", "utf-8"])
def test_any_encoding_of_the_output_will_do(tmp_path: Path, encoding: str) -> None:
    env = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    (tmp_path / "tiny-rules.toml").write_text(Path(TINY).read_text())
    text = Path(TWO_TANKS).read_text().replace('"T1"', '"Тигр"')
    (tmp_path / "scenario.toml").write_text(text, encoding="utf-8")
    arguments = [*ARGUMENTS, "hint", str(tmp_path / "scenario.toml")]
    in_words = subprocess.run(arguments, capture_output=True, env=env)
    as_json = subprocess.run([*arguments, "--json"], capture_output=True, env=env)
    assert (in_words.returncode, in_words.stderr) == (0, b"")
    assert (as_json.returncode, as_json.stderr) == (0, b"")
    moves = json.loads(as_json.stdout)["plans"][0]["moves"]
    assert moves == ["T2 0402x0503-0603", "Тигр 0304x0404-0505"]


def test_a_reader_who_goes_away_is_no_fault() -> None:
    with subprocess.Popen(
        [*ARGUMENTS, "schema", "rules"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        said = running.stderr.read()
    assert (running.returncode, said) == (141, b"")


def redirected(redirection: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``overrun`` with a shell's redirection, such as ``>&-``: standard output closed."""
    command = ["sh", "-c", f'exec "$0" "$@" {redirection}', *ARGUMENTS, *arguments]
    return subprocess.run(command, capture_output=True, text=True)


TAKES = "(a place that takes the answer)\n"
CLOSED = f"overrun: command line: standard output: is closed {TAKES}"
FULL = f"overrun: command line: standard output: can't be written: No space left on device {TAKES}"
needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="not everywhere")


@pytest.mark.parametrize(
    "arguments",
    [["lines", TWO_TANKS], ["lines", TWO_TANKS, "--json"], ["hint", TWO_TANKS], ["--help"]],
    ids=["words", "JSON", "hint", "help"],
)
@pytest.mark.parametrize(
    ("redirection", "said"),
    [(">&-", CLOSED), pytest.param(">/dev/full", FULL, marks=needs_full)],
    ids=["closed", "full"],
)
def test_an_answer_that_can_not_be_written(
    arguments: list[str], redirection: str, said: str
) -> None:
    done = redirected(redirection, *arguments)
    assert done.returncode == 2
    if "--json" in arguments:
        (fault,) = json.loads(done.stderr)["faults"]
        assert fault["place"] == "standard output"
    else:
        assert done.stderr == said
    silent = redirected(f"{redirection} 2>&-", *arguments)
    assert (silent.returncode, silent.stdout, silent.stderr) == (2, "", "")


@pytest.mark.parametrize(
    "redirection",
    [
        pytest.param("2>&-", marks=pytest.mark.slow),
        pytest.param("2>/dev/full", marks=needs_full),
    ],
)
def test_that_nobody_takes_warnings_changes_no_answer(tmp_path: Path, redirection: str) -> None:
    crowded = variant(tmp_path, ('hex = "0503"', 'hex = "0404"'))
    for arguments, status in (
        (["lines", crowded], 0),
        (["hint", crowded, "--work", "20"], 0),
        (["why", crowded, "T1", "0404", "N"], 1),
        (["lines", "no-such-scenario"], 2),
        (["lines", "--json"], 2),
        (["lines"], 2),
    ):
        done = redirected(redirection, *arguments)
        usual = redirected("", *arguments)
        assert (done.returncode, usual.returncode) == (status, status)
        if arguments[0] != "hint":  # which prints its seconds
            assert done.stdout == usual.stdout
        assert usual.stderr


LOADED_IN_TURN = ["click", "planner.interface.program", "pydantic", "rich.table", "numpy"]


def pressed(module: str) -> list[str]:
    """A command in which Ctrl-C is pressed when a module is loaded."""
    code = (
        "import os, signal, sys\n"
        "class Pressed:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Pressed())\n"
        "from planner.interface.cli import main\n"
        "main()"
    )
    return [sys.executable, "-c", code]


@pytest.mark.parametrize("module", LOADED_IN_TURN)
def test_ctrl_c_while_the_program_is_loaded(module: str) -> None:
    done = subprocess.run([*pressed(module), "hint", TWO_TANKS], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "stopped\n")


def test_ctrl_c_that_is_ignored_stays_so() -> None:
    command = ["sh", "-c", 'trap "" INT; exec "$0" "$@"', *pressed("pydantic"), "lines", TWO_TANKS]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("10 lines\n")


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["lines", TWO_TANKS, "--unit", "T1", "--unit", "T2"], [("--unit", "is given twice")]),
        (
            ["hint", TWO_TANKS, *(["--work", "9"] * 3), "--target", "0404", "--target", "0503"],
            [("--target", "is given twice"), ("--work", "is given 3 times")],
        ),
        (
            ["evaluate", TWO_TANKS, "T1 stay", *(["--defender", "best"] * 2)],
            [("--defender", "is given twice")],
        ),
        (
            ["odds", "shot", *(["--firer", "a"] * 2), "--target", "b"],
            [("--firer", "is given twice")],
        ),
        (
            ["odds", "attack", *(["--afv", "a"] * 2), "--target", "b", "--target", "c"],
            [("--afv", "is given twice")],
        ),
    ],
    ids=["lines", "hint", "evaluate", "shot", "attack"],
)
def test_an_option_stands_once(arguments: list[str], found: list[tuple[str, str]]) -> None:
    assert sorted(faults(*arguments)) == found


def test_help_is_given_whatever_stands_beside_it() -> None:
    assert run("hint", "--work", "1", "--work", "2", "--help").exit_code == 0
