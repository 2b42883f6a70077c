"""Runs two programs by turns and compares what they used."""
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import namedtuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GRAPHCTL = os.environ.get("GRAPHCTL", os.path.join(ROOT, ".build/release/graphctl"))

TIME_LIMIT = 900
Usage = namedtuple("Usage", "wall cpu peak")


def require_tools(*tools):
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        sys.exit(f"missing: {', '.join(missing)}; install them with apt")
    if not os.access(GRAPHCTL, os.X_OK):
        sys.exit(f"{GRAPHCTL} is not there; build it: swift build -c release --product graphctl")


def machine():
    with open("/proc/cpuinfo") as info:
        model = next((l.split(":")[1].strip() for l in info if l.startswith("model name")), "?")
    load = os.getloadavg()[0]
    return f"{model}, {os.cpu_count()} cores, load {load:.1f}"


class Folder:
    """A temporary folder with graph files; gone when the part ends."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="graphkit-bench-")
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path)

    def graph(self, name, nodes, *wires):
        """Writes a graph file; returns the command that runs it."""
        path = self.file(name + ".json")
        with open(path, "w") as file:
            json.dump({"nodes": nodes, "wires": list(wires)}, file)
        return [GRAPHCTL, "run", path, "--quiet"]

    def file(self, name):
        return os.path.join(self.path, name)


def use(command, status=0):
    """Runs a command to its end, which is to end with a status; returns what it used."""
    start = time.monotonic()
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    # A run that hangs is to be a failure with a name.
    guard = threading.Timer(TIME_LIMIT, child.kill)
    guard.start()
    text = child.stderr.read()
    guard.cancel()
    _, ended, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - start
    child.returncode = os.waitstatus_to_exitcode(ended)
    if child.returncode != status:
        sys.exit(f"{' '.join(command)[:300]}\nended with {child.returncode}: {text.decode()[-2000:]}")
    return Usage(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def interleaved(rounds, **commands):
    """Runs each command once a round, by turns; returns lists of usages by name."""
    results = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            results[name].append(use(command))
    return results


def median(usages, field):
    return statistics.median(getattr(usage, field) for usage in usages)


def ratio(ours, theirs, field):
    """The median of the ratios of neighbours in time."""
    return statistics.median(
        getattr(one, field) / getattr(other, field) for one, other in zip(ours, theirs))


def verdict(label, value, bar, digits=2):
    """Prints a figure beside its bar; returns whether it holds."""
    holds = value <= bar
    print(f"   {label}: {value:.{digits}f} (bar {bar:.{digits}f}) {'ok' if holds else 'MISSED'}")
    return holds
