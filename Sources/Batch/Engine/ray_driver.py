"""Runs tasks of a batch of graphctl on a cluster of Ray, and waits until all of them have ended.

Usage: python3 ray_driver.py PROGRAM FOLDER BACKUPS [NAME=VALUE]...

The numbers of the tasks come by standard input, one a line. When all of them have begun, so many
backup tasks do what is left once more, and what is still running when they have done everything is
given up. The names and values are options of `ray.remote`, such as num_cpus=2; the cluster is that
of RAY_ADDRESS, or the one of this machine.
"""
import ctypes
import json
import os
import signal
import subprocess
import sys

try:
    import ray
except ImportError as error:
    sys.exit(f"{error}: install Ray for this Python, with `pip install ray`")


def value(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def end_with_parent():
    """Lets a task end in order where Ray ends its worker: what it runs is finished."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def work(program, folder, task, words):
    """Does one task on the node that Ray has chosen."""
    command = [program, "batch", "work", folder, "--task", str(task), *words]
    name = "backup" if "--backup-of" in words else "ray"
    with open(f"{folder}/log/{name}-{task}.txt", "ab") as log:
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            preexec_fn=end_with_parent).returncode


def end(ended, task):
    """Says how a task has ended; its exit code, or nothing where it was lost."""
    try:
        code = ray.get(ended)
        print(task, code, flush=True)
        return code
    except ray.exceptions.RayError as error:
        print(task, "lost", file=sys.stderr)
        print(str(error), file=sys.stderr, flush=True)


def main(program, folder, backups, *words):
    options = {"num_cpus": 1, "max_retries": 3}
    options |= {name: value(text) for name, _, text in (word.partition("=") for word in words)}
    ray.init(
        address=os.environ.get("RAY_ADDRESS", "auto"), log_to_driver=False, logging_level="error")
    remote = ray.remote(**options)(work)
    processors = options["num_cpus"] or 1
    jobs = ["--jobs", str(max(1, int(processors)))]
    tasks = [int(line) for line in sys.stdin if line.strip()]
    waiting = {remote.remote(program, folder, task, jobs): task for task in tasks}
    rest = int(backups)
    while waiting:
        if rest and len(waiting) * processors <= ray.cluster_resources().get("CPU", 1):
            more = jobs + ["--backup-of", str(rest)]
            waiting |= {
                remote.remote(program, folder, number, more): f"backup {number}"
                for number in range(rest)}
            rest = 0
        [ended], _ = ray.wait(list(waiting), num_returns=1)
        task = waiting.pop(ended)
        # A backup task has done all that was left, wherever it was.
        if end(ended, task) == 0 and str(task).startswith("backup"):
            break
    for running in waiting:
        ray.cancel(running)


main(*sys.argv[1:])
