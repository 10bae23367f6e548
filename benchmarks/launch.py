"""Run one command and say what it took: ``python launch.py COMMAND …``.

A process of its own, kept small, because a child's peak memory never counts as less than what its
parent held when it started it. Prints one line of JSON: ``seconds``, ``cpu_seconds``,
``peak_bytes``, ``status``, ``stdout`` and ``stderr``.
"""

import json
import resource
import subprocess
import sys
import time


def main() -> None:
    """Run the command in the arguments."""
    started = time.perf_counter()
    done = subprocess.run(sys.argv[1:], capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    unit = 1 if sys.platform == "darwin" else 1024
    answer = {
        "seconds": seconds,
        "cpu_seconds": used.ru_utime + used.ru_stime,
        "peak_bytes": used.ru_maxrss * unit,
        "status": done.returncode,
        "stdout": done.stdout,
        "stderr": done.stderr,
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
