"""Runs tasks of a batch of graphctl on a cluster of Ray, and waits until all of them have ended.

Usage: python3 ray_driver.py PROGRAM FOLDER [NAME=VALUE]...

The numbers of the tasks come by standard input, one a line. The names and values are options of
`ray.remote`, such as num_cpus=2; the cluster is that of RAY_ADDRESS, or the one of this machine.
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


def work(program, folder, task, jobs):
    """Does one task on the node that Ray has chosen."""
    words = [program, "batch", "work", folder, "--task", str(task), "--jobs", str(jobs)]
    with open(f"{folder}/log/ray-{task}.txt", "ab") as log:
        return subprocess.run(
            words, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            preexec_fn=end_with_parent).returncode


def main(program, folder, *words):
    options = {"num_cpus": 1, "max_retries": 3}
    options |= {name: value(text) for name, _, text in (word.partition("=") for word in words)}
    ray.init(
        address=os.environ.get("RAY_ADDRESS", "auto"), log_to_driver=False, logging_level="error")
    remote = ray.remote(**options)(work)
    jobs = max(1, int(options["num_cpus"]))
    tasks = [int(line) for line in sys.stdin if line.strip()]
    waiting = {remote.remote(program, folder, task, jobs): task for task in tasks}
    while waiting:
        [ended], _ = ray.wait(list(waiting), num_returns=1)
        task = waiting.pop(ended)
        try:
            print(task, ray.get(ended), flush=True)
        except ray.exceptions.RayError as error:
            print(task, "lost", file=sys.stderr)
            print(str(error), file=sys.stderr, flush=True)


main(*sys.argv[1:])
