"""What the trials of `graphctl batch` share: files, commands on three engines, and comparing."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile
import time
import wave

ENGINES = ["here", "slurm", "ray"]
# Begins when as many of its kind have come as there are to be, or after ten seconds; notes the latter.
GATE = """#!/bin/sh
mktemp {gate}/XXXXXXXX > /dev/null
for _ in $(seq 1000); do
  [ "$(ls {gate} | wc -l)" -ge {count} ] && exec {graphctl} "$@"
  sleep 0.01
done
touch {gate}.late
exec {graphctl} "$@"
"""
DRIVER = pathlib.Path(__file__).resolve().parent.parent / "Sources/Batch/Engine/ray_driver.py"

GRAPH = """{
  "parameters": { "input": null, "output": "a.flac" },
  "nodes": {
    "source": { "type": "file", "path": "${input}" },
    "gain": { "type": "gain", "decibels": -3 },
    "encoder": { "type": "flacEncoder" },
    "sink": { "type": "audioSink", "path": "${output}" }
  },
  "wires": ["source.audio -> gain -> encoder -> sink"]
}
"""


def arguments(text, **numbers):
    """What the command line gives: the engine, the program, and numbers with their defaults."""
    parser = argparse.ArgumentParser(description=text.split("\n")[0])
    parser.add_argument("--on", default="here", choices=ENGINES)
    for name, value in numbers.items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--graphctl", default=".build/release/graphctl")
    given = parser.parse_args()
    given.graphctl = os.path.abspath(given.graphctl)
    return given


def make_wave(path, frames, source):
    """A file of noise, 8,000 samples of 16 bits a second."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(source.randbytes(2 * frames))


class Trial:
    """A folder in which batches run on an engine, and what was found wrong with them."""

    def __init__(self, given, graph=GRAPH):
        self.given, self.source = given, random.Random(given.seed)
        self.temporary = tempfile.TemporaryDirectory(prefix="batch-trial-")
        self.folder = pathlib.Path(self.temporary.name)
        self.log = open(self.folder / "commands.log", "ab")
        self.problems = []
        (self.folder / "graph.json").write_text(graph)

    # Commands.

    def start(self, *words):
        """A command of graphctl that runs beside this one; what it prints is kept."""
        return subprocess.Popen(
            [self.given.graphctl, *words], cwd=self.folder, stdout=self.log, stderr=self.log)

    def run(self, *words):
        """What a command of graphctl gives."""
        result = subprocess.run(
            [self.given.graphctl, *words], cwd=self.folder, capture_output=True, text=True)
        self.log.write((shlex.join(words) + "\n" + result.stdout + result.stderr).encode())
        self.log.flush()
        return result

    def batch(self, *words, name="trial.batch", on=None):
        """Has a batch made and run on the engine until it is over; the summary of what became of it."""
        return self.hand_over(name, on, *words, "--batch", name)

    def go_on(self, *words, name="trial.batch", on=None):
        """Has the rest of a batch run on the engine until it is over; the summary."""
        return self.hand_over(name, on, "run", name, *words)

    def hand_over(self, name, on, *words):
        summary = self.folder / name / "summary.json"
        summary.unlink(missing_ok=True)
        result = self.run("batch", *words, "--on", on or self.given.on)
        self.wait_for_slurm(name, on)
        if not summary.exists():
            raise SystemExit(f"no summary, exit code {result.returncode}\n{self.tail()}")
        return json.loads(summary.read_text())

    def work_at_once(self, task, count, name="trial.batch"):
        """Starts a task so many times; each waits for the others before it begins."""
        with tempfile.TemporaryDirectory(dir=self.folder, prefix="gate-") as gate:
            program = pathlib.Path(gate) / "graphctl"
            words = {"gate": f"{gate}/come", "graphctl": self.given.graphctl}
            program.write_text(GATE.format(
                count=count, **{name: shlex.quote(word) for name, word in words.items()}))
            program.chmod(0o755)
            (pathlib.Path(gate) / "come").mkdir()
            self.work([task] * count, name, together=count, program=str(program))
            if (pathlib.Path(gate) / "come.late").exists():
                raise SystemExit(
                    f"{self.given.on}: {count} tasks have to run at the same time, and fewer do; the "
                    f"cluster needs as many processors, as of `CPUS=2 Scripts/{self.given.on}-here start`")

    def work(self, tasks, name="trial.batch", together=2, program=None):
        """Starts tasks of a batch, one after the other and some at a time, without any plan."""
        folder, program = str(self.folder / name), program or self.given.graphctl
        if self.given.on == "here":
            self.work_here(folder, tasks, together, program)
        elif self.given.on == "slurm":
            for task in tasks:
                subprocess.run(
                    ["sbatch", "--parsable", f"--job-name={name}", f"--array={task}",
                     f"--output={folder}/log/again-%A.txt"], check=True, stdout=self.log, text=True,
                    input=f"#!/bin/sh\nexec {shlex.quote(program)} batch work "
                    f"{shlex.quote(folder)}\n")
            self.wait_for_slurm(name)
        else:
            subprocess.run(
                ["python3", str(DRIVER), program, folder, "0"], check=True, text=True,
                input="".join(f"{task}\n" for task in tasks), stdout=self.log, stderr=self.log)

    def work_here(self, folder, tasks, together, program):
        for index in range(0, len(tasks), together):
            running = []
            for number, task in enumerate(tasks[index:index + together]):
                with open(f"{folder}/log/again-{task}-{index + number}.txt", "wb") as log:
                    running.append(subprocess.Popen(
                        [program, "batch", "work", folder, "--task", str(task)],
                        stdout=log, stderr=log))
            for process in running:
                process.wait()

    def wait_for_slurm(self, name, engine=None):
        """Waits until Slurm has no job of a name."""
        while (engine or self.given.on) == "slurm":
            asked = subprocess.run(
                ["squeue", "--noheader", f"--name={name}"], capture_output=True, text=True)
            if asked.returncode == 0 and not asked.stdout.strip():
                return
            time.sleep(0.2)

    # What is there.

    def records(self, kind="done", name="trial.batch"):
        """The records of a batch."""
        paths = sorted((self.folder / name / kind).glob("*/*.json"))
        return [json.loads(path.read_text()) for path in paths]

    def tasks(self, name="trial.batch"):
        return self.lines("tasks.jsonl", name)

    def items(self, name="trial.batch"):
        return self.lines("items.jsonl", name)

    def lines(self, file, name):
        return [json.loads(line) for line in (self.folder / name / file).read_text().splitlines()]

    def forget(self, name="trial.batch"):
        """Removes all that was done, but not the plan."""
        for record in self.records(name=name):
            for output in record["outputs"]:
                (self.folder / output["path"]).unlink()
        for path in (self.folder / name).glob("done/*/*.json"):
            path.unlink()

    # What is wrong.

    def expect(self, holds, text):
        if not holds:
            self.problems.append(text)

    def expect_nothing_left_behind(self):
        hidden = [str(path) for path in self.folder.rglob(".graphkit-*")]
        self.expect(not hidden, f"left behind: {', '.join(hidden[:5])}")

    def single(self, input, output):
        """Runs the graph for one file alone; what it writes."""
        path = self.folder / output
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            self.check_run("run", "graph.json", "--quiet", "--set", f"input={input}",
                           "--set", f"output={output}")
        return path

    def check_run(self, *words):
        result = self.run(*words)
        if result.returncode:
            raise SystemExit(f"{shlex.join(words)}: {result.returncode}\n{self.tail()}")
        return result

    def expect_single_runs(self, outputs, singles="single"):
        """Compares outputs, by their inputs, with those of runs for each file alone, byte for byte."""
        def is_equal(pair):
            input, output = pair
            single = self.single(input, f"{singles}/{pathlib.Path(output).name}")
            path = self.folder / output
            return path.exists() and path.read_bytes() == single.read_bytes()

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(is_equal, outputs.items()))
        different = [output for output, equal in zip(outputs.values(), results) if not equal]
        self.expect(
            not different,
            f"{len(different)} outputs aren't what a single run gives: {', '.join(different[:5])}")

    def tail(self):
        self.log.flush()
        return (self.folder / "commands.log").read_text(errors="replace")[-2000:]

    def conclude(self, text):
        """Says what was seen, and ends the process: with 1 where something was wrong."""
        print(f"{self.given.on}: {text}, {len(self.problems)} problems", flush=True)
        for problem in self.problems[:20]:
            print("  " + problem)
        if self.problems:
            print(self.tail())
        self.temporary.cleanup()
        sys.exit(1 if self.problems else 0)
