"""The program ``overrun COMMAND …``: its commands, and how every failure ends.

Commands are loaded when they are called, so that ``overrun --help`` comes at once.

Exit status: 0 done; 1 the files were read and the answer is no; 2 the command or a file is wrong;
130 stopped by Ctrl-C; 141 the reader of the output went away.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

from planner.game.faults import FileFault
from planner.interface.printing import drop, say_aside
from planner.interface.refusals import ExitStatus, refuse, refuse_output, refuse_usage

COMMANDS: Mapping[str, str] = {
    "hint": "What to do now; best plans with the chances of every outcome.",
    "lines": "Every legal overrun line of the side to move.",
    "why": "Whether one overrun is legal, and every clause it breaks if not.",
    "evaluate": "The exact value of moves made in that order.",
    "play": "Play a scenario against the bot, or watch it play.",
    "replay": "A record played back, checked against the rules, or gone on with.",
    "apply": "A scenario after what happened on a real table.",
    "match": "Two players against each other, under the same luck.",
    "odds": "One shot or one attack by itself, as at the table.",
    "validate": "Faults in scenario or rules files, or a summary of each.",
    "scenarios": "The scenarios that come with the program.",
    "engine": "The planner for other programs: JSON-RPC 2.0, one message a line.",
    "schema": "JSON Schema of files, of records and of the engine's messages.",
}
"""Every command and what it gives in one line; the module of the same name holds it."""


class Commands(click.Group):
    """A group that loads a command when it is called, and ends every failure in plain words."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands' names, those used most first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"planner.interface.commands.{cmd_name}")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command called. Raises UsageError, with the likely spelling, when there is none."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            near = get_close_matches(name, list(COMMANDS), n=1)
            guess = f" Did you mean {near[0]}?" if near else ""
            raise click.UsageError(f"There is no command {name!r}.{guess}", ctx)
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Note whether the answer is wanted as JSON, so that a refusal is JSON too."""
        ctx.meta[JSON_WANTED] = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        as_json = ctx.meta[JSON_WANTED]
        if isinstance(sys.stdout, TextIOWrapper):
            # A name that the terminal has no letters for must not end the program.
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except FileFault as fault:
            refuse(fault, as_json=as_json)
            ctx.exit(ExitStatus.WRONG)
        except click.UsageError as error:
            if not as_json:
                raise
            refuse_usage(error)
            ctx.exit(ExitStatus.WRONG)
        except KeyboardInterrupt:
            say_aside("stopped")
            ctx.exit(ExitStatus.STOPPED)
        except BrokenPipeError:
            drop(sys.stdout)
            ctx.exit(ExitStatus.NO_READER)
        return result


JSON_WANTED = "planner.json_wanted"


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="SCENARIO is a file, or the name of a scenario that comes with the program.",
)
@click.version_option(package_name="overrun-planner", message="%(prog)s %(version)s")
def overrun() -> None:
    """Exact odds and plans for tank overruns in a WW2 tactical hex game."""


def run() -> None:
    """Run the command line; an answer that can't be written is a failure too."""
    as_json = "--json" in sys.argv
    if sys.stdout is None:
        refuse_output("is closed", as_json=as_json)
        sys.exit(ExitStatus.WRONG)
    try:
        overrun(prog_name="overrun")
    except OSError as error:
        if error.filename is not None:
            raise
        drop(sys.stdout)
        refuse_output(f"can't be written: {error.strerror}", as_json=as_json)
        sys.exit(ExitStatus.WRONG)
