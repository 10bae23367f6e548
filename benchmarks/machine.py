"""Where the figures come from: machine and versions, and how busy it was with other things."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import monotonic
from typing import Any

import psutil

PACKAGES = ("overrun-planner", "networkx", "numba", "numpy", "ortools", "pydantic", "rich")
ROOT = Path(__file__).parent.parent


def machine() -> dict[str, Any]:
    """Processor, cores, memory and system."""
    return {
        "system": f"{platform.system()} {platform.release()}",
        "processor": _processor(),
        "cores": psutil.cpu_count(logical=False),
        "threads": os.cpu_count(),
        "memory_bytes": psutil.virtual_memory().total,
    }


def versions() -> dict[str, str]:
    """Python, the libraries that matter, and the commit measured."""
    found = {"python": f"{platform.python_implementation()} {platform.python_version()}"}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return {**found, "commit": _commit()}


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _commit() -> str:
    """The commit, ``+`` when files differ from it; "unknown" outside a repository."""
    try:
        head = _git("rev-parse", "--short=12", "HEAD")
        return head + ("+" if _git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@dataclass(frozen=True, slots=True)
class Clock:
    """A moment: wall clock, processor time of the whole machine and of this program's processes."""

    wall: float
    machine: float
    own: float

    @classmethod
    def now(cls) -> Clock:
        """This moment."""
        times = psutil.cpu_times()
        idle = times.idle + getattr(times, "iowait", 0.0)
        # On Linux the guests' time is counted in user time already.
        guests = getattr(times, "guest", 0.0) + getattr(times, "guest_nice", 0.0)
        used = os.times()
        own = used.user + used.system + used.children_user + used.children_system
        return cls(monotonic(), sum(times) - idle - guests, own)

    def others_since(self, start: Clock) -> float:
        """Cores that other programs kept busy on average since ``start``."""
        seconds = self.wall - start.wall
        others = (self.machine - start.machine) - (self.own - start.own)
        return max(0.0, others / seconds) if seconds > 0 else 0.0
