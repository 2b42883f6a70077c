"""(k) Frames that a program draws, 1080p, x264 ultrafast: CPU beside a C program with appsrc."""
import os
import subprocess
import sys

from measuring import ROOT, Folder, interleaved, median, ratio, verdict

INPUT_BAR, DELEGATE_BAR = 1.05, 1.03
PROGRAM = os.environ.get("SAMPLECHECK", os.path.join(ROOT, ".build/release/SampleCheck"))
# What GraphKit's encoder node sets where nothing is live, so that both have x264 do the same.
OPTIONS = "speed-preset=ultrafast bitrate=4000 key-int-max=60 aud=false vbv-buf-capacity=0"


def build(folder):
    """Builds the C program."""
    program = folder.file("samples")
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "gstreamer-app-1.0"], check=True, capture_output=True,
        text=True).stdout.split()
    source = os.path.join(ROOT, "Benchmarks/samples.c")
    subprocess.run(["cc", "-O2", "-o", program, source, *flags], check=True)
    return program


def settings(path):
    """What x264 says in the movie of how it encoded."""
    with open(path, "rb") as movie:
        text = movie.read(1_000_000)
    start = text.index(b"options: ")
    return text[start:text.index(b"\0", start)].decode()


def measure(quick):
    if not os.access(PROGRAM, os.X_OK):
        sys.exit(f"{PROGRAM} is not there: swift build -c release --product SampleCheck")
    print("(k) frames that a program draws")
    count, rounds = ("150", 3) if quick else ("600", 9)
    with Folder() as folder:
        ways = ["input", "writer", "delegate"]
        commands = {way: [PROGRAM, way, count, folder.file(way + ".mp4")] for way in ways}
        commands["c"] = [build(folder), count, folder.file("c.mp4"), OPTIONS]
        results = interleaved(rounds, **commands)
        made = {settings(folder.file(name + ".mp4")) for name in commands}
    if len(made) != 1:
        sys.exit("the encoders were set differently:\n" + "\n".join(sorted(made)))
    times = ", ".join(f"{name} {median(use, 'cpu'):.2f} s" for name, use in results.items())
    print(f"   {count} frames, CPU: {times}")
    held = [
        verdict("appInput, encoder and mp4Sink, CPU", ratio(results["input"], results["c"], "cpu"),
                INPUT_BAR),
        verdict("a writer's frames, CPU", ratio(results["writer"], results["c"], "cpu"), INPUT_BAR),
        verdict("a delegate's frames, CPU", ratio(results["delegate"], results["c"], "cpu"),
                DELEGATE_BAR),
    ]
    return all(held)
