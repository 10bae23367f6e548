"""The engine as a process: its streams, its signals, its exit status."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from planner.interface.engine.client import COMMAND
from tests.interface.engine.talk import BEST, TWO_TANKS, Form


def line(method: str, id_: int | str, **params: object) -> bytes:
    form = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
    return json.dumps(form).encode() + b"\n"


HELLO = line("hello", 1)
SEARCH = line("position", 1, scenario="carentan") + line("go", 2, seconds=600)


def started(*command: str) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen(command or COMMAND, stdin=pipe, stdout=pipe, stderr=pipe)


def deciding() -> subprocess.Popen[bytes]:
    """An engine whose bot has begun to decide a large position, its first message read."""
    running = started()
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.write(line("position", 1, scenario="ponyri") + line("decide", 2, seconds=600))
    running.stdin.flush()
    assert json.loads(running.stdout.readline())["id"] == 1
    return running


def searching() -> subprocess.Popen[bytes]:
    """An engine in the middle of a search, its first two messages read."""
    running = started()
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.write(SEARCH)
    running.stdin.flush()
    assert json.loads(running.stdout.readline())["id"] == 1
    assert json.loads(running.stdout.readline())["method"] == "info"
    return running


def rest(running: subprocess.Popen[bytes]) -> tuple[list[Form], str]:
    """What it still says, until it ends."""
    out, err = running.communicate(timeout=30)
    return [json.loads(text) for text in out.splitlines()], err.decode()


def test_a_conversation_in_a_pipe() -> None:
    said = HELLO + line("position", 2, **TWO_TANKS) + line("go", 3)
    done = subprocess.run(COMMAND, input=said, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    answers = [json.loads(text) for text in done.stdout.splitlines()]
    found = next(message for message in answers if message.get("id") == 3)
    assert found["result"]["plans"][0]["moves"] == BEST


def test_hello_comes_before_any_solver_is_loaded() -> None:
    code = (
        "import sys\n"
        "from planner.interface.engine.server import Server\n"
        f"said = [{HELLO!r}, b'']\n"
        "Server(lambda: said.pop(0), sys.stderr.buffer.write).run()\n"
        "print([name for name in ('ortools', 'networkx', 'numpy', 'rich') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n"
    assert json.loads(done.stderr)["result"]["protocol"] == 1


def test_nothing_but_messages_comes_on_standard_output() -> None:
    code = (
        "import os, sys\n"
        "from planner.interface.engine import desk\n"
        "real = desk.Desk.carry_out\n"
        "def loud(self, params, method):\n"
        "    print('from Python', flush=True)\n"
        "    os.write(1, b'from a library\\n')\n"
        "    return real(self, params, method)\n"
        "desk.Desk.carry_out = loud\n"
        "from planner.interface.cli import main\n"
        "sys.argv = ['overrun', 'engine']\n"
        "main()"
    )
    said = line("position", 1, scenario="steamroller") + line("legal", 2)
    done = subprocess.run([sys.executable, "-c", code], input=said, capture_output=True)
    assert [json.loads(text)["id"] for text in done.stdout.splitlines()] == [1, 2]
    assert done.stderr.decode() == "from Python\nfrom a library\n" * 2


def test_messages_are_plain_ascii() -> None:
    said = line("Тигр", "Тигр")
    done = subprocess.run(COMMAND, input=said, capture_output=True)
    assert done.stdout.isascii()
    answer = json.loads(done.stdout)
    assert answer["id"] == "Тигр"
    assert "Тигр" in answer["error"]["message"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_ctrl_c_during_a_search() -> None:
    with searching() as running:
        running.send_signal(signal.SIGINT)
        running.wait(30)  # before its input ends
        messages, err = rest(running)
    assert (running.returncode, err) == (130, "")
    assert messages[-1]["result"]["ended"] == "stopped"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_ctrl_c_while_it_waits() -> None:
    with started() as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(HELLO)
        running.stdin.flush()
        running.stdout.readline()
        running.send_signal(signal.SIGINT)
        running.wait(30)  # before its input ends
        messages, err = rest(running)
    assert (running.returncode, messages, err) == (130, [], "")


def test_the_end_of_the_input_during_a_search() -> None:
    with searching() as running:
        assert running.stdin is not None
        ended = time.monotonic()
        running.stdin.close()
        running.stdin = None
        messages, err = rest(running)
        assert time.monotonic() - ended < 10
    assert (running.returncode, err) == (0, "")
    assert messages[-1]["result"]["ended"] == "stopped"


def test_the_end_of_the_input_while_the_bot_decides() -> None:
    with deciding() as running:
        messages, err = rest(running)
    assert (running.returncode, err) == (0, "")
    assert [message["id"] for message in messages] == [2]
    assert messages[0]["result"]["ended"] in ("stopped", "decided")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_an_engine_that_is_killed_while_the_bot_decides() -> None:
    with deciding() as running:
        running.kill()
        messages, err = rest(running)
    assert (running.returncode, messages, err) == (-signal.SIGKILL, [], "")


def test_a_client_that_goes_away_during_a_search() -> None:
    with searching() as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.wait(30) == 141
        assert running.stderr.read() == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="not everywhere")
def test_output_that_can_not_be_written() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(COMMAND, input=HELLO, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert b"standard output: can't be written: No space left on device" in done.stderr


def test_closed_streams() -> None:
    shell = ["sh", "-c", 'exec "$0" "$@" <&-', *COMMAND]
    done = subprocess.run(shell, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    shell = ["sh", "-c", 'exec "$0" "$@" 2>&-', *COMMAND]
    done = subprocess.run(shell, input=HELLO, capture_output=True)
    assert (done.returncode, json.loads(done.stdout)["id"]) == (0, 1)


def test_a_client_that_does_not_read_does_not_hold_up_a_stop() -> None:
    """More is said than a pipe holds; then all of it is read, and everything is there."""
    pings = 3000
    with searching() as running:
        said = b"".join(line("ping", id_) for id_ in range(10, 10 + pings))
        messages, _ = _both(running, said + line("stop", 3) + line("quit", 4))
    answers = [message["id"] for message in messages if "id" in message]
    assert sorted(answers) == [2, 3, 4, *range(10, 10 + pings)]
    assert answers[-3:] == [2, 3, 4]


def _both(running: subprocess.Popen[bytes], said: bytes) -> tuple[list[Form], str]:
    out, err = running.communicate(said, timeout=60)
    return [json.loads(text) for text in out.splitlines()], err.decode()


def test_help() -> None:
    done = subprocess.run([*COMMAND, "--help"], capture_output=True, text=True)
    assert done.returncode == 0
    assert "JSON-RPC" in done.stdout
    assert os.linesep not in done.stderr
