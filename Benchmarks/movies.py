"""(j) The writer of movies alone: its CPU beside mp4mux, and long and large movies."""
import json
import os
import re
import subprocess
import sys

from copying import ffmpeg
from measuring import ROOT, Folder, interleaved, median, verdict

CPU_BAR = 0.7
FINISH_BAR = 0.3
PROGRAM = os.environ.get("MOVIECHECK", os.path.join(ROOT, ".build/release/MovieCheck"))


def encoded(folder, seconds):
    """1080p60 at 12 Mbit/s in a file whose packets both sides take one by one."""
    part, path, parts = (folder.file(name) for name in ("part.mp4", "in.mkv", "list"))
    ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=60,noise=alls=10:allf=t", "-t", "10",
        "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-b:v", "12M", "-g", "120",
        "-pix_fmt", "yuv420p", part)
    with open(parts, "w") as file:
        file.writelines([f"file '{part}'\n"] * (seconds // 10))
    ffmpeg("-f", "concat", "-safe", "0", "-i", parts, "-c", "copy", path)
    return path


def commands(folder, path):
    """Both sides' commands, with the movie and without: the difference is the writer's."""
    source = {"type": "file", "path": path}
    movie = {"type": "mp4Sink", "path": folder.file("ours.mp4"), "overwrite": True}
    reader = (
        f"filesrc location={path} ! matroskademux ! h264parse ! video/x-h264,stream-format=avc ! ")
    muxer = (
        "mp4mux fragment-duration=100 fragment-mode=first-moov-then-finalise "
        f"! filesink buffer-mode=unbuffered location={folder.file('theirs.mp4')}")
    launch = lambda text: ["gst-launch-1.0", "-q", *text.split()]
    return {
        "ours": folder.graph(
            "movie", {"file": source, "movie": movie}, "file.video -> movie.video"),
        "our_reading": folder.graph(
            "reading", {"file": source, "none": {"type": "nullSink"}}, "file.video -> none"),
        "theirs": launch(reader + muxer),
        "their_reading": launch(reader + "fakesink"),
    }


def measure_writing(quick):
    seconds, rounds = (60, 3) if quick else (300, 7)
    with Folder() as folder:
        results = interleaved(rounds, **commands(folder, encoded(folder, seconds)))
    ours, reading, theirs, their_reading = (
        median(results[name], "cpu") for name in ("ours", "our_reading", "theirs", "their_reading"))
    print(f"   {seconds} s of 1080p60 written: {ours - reading:.3f} s of CPU, mp4mux "
          f"{theirs - their_reading:.3f} s; read: {reading:.3f} s and {their_reading:.3f} s")
    return verdict("CPU of the writer", (ours - reading) / (theirs - their_reading), CPU_BAR)


def check(*words):
    """Runs MovieCheck; returns how long the end of the movie took."""
    text = subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout
    return float(re.search(r"finished in ([\d.e-]+) s", text).group(1))


def measure_length(quick):
    hours = 1 if quick else 10
    with Folder() as folder:
        path = folder.file("long.mp4")
        times = [check("recording", str(hours), path) for _ in range(3)]
    return verdict(f"end of {hours} h of ticks, seconds", min(times), FINISH_BAR * hours / 10, 3)


def measure_size():
    """1,000 hours and 50 GiB in a file of holes, as ffprobe reads it."""
    with Folder() as folder:
        path = folder.file("sparse.mp4")
        check("sparse", "1000", "50", path)
        text = subprocess.run(
            ["ffprobe", "-v", "quiet", "-read_intervals", "3599970%+40", "-select_streams", "v",
             "-show_entries", "packet=pts_time,duration_time:format=duration,size", "-of", "json",
             path], check=True, capture_output=True, text=True).stdout
    found = json.loads(text)
    last, whole = found["packets"][-1], found["format"]
    end = float(last["pts_time"]) + float(last["duration_time"])
    print(f"   {int(whole['size']) / 2**30:.1f} GiB: {whole['duration']} s, last packet to {end} s")
    return end == float(whole["duration"]) == 3_600_000


def measure(quick):
    if not os.access(PROGRAM, os.X_OK):
        sys.exit(f"{PROGRAM} is not there: swift build -c release --product MovieCheck")
    print("(j) the writer of movies")
    return all([measure_writing(quick), measure_length(quick), measure_size()])
