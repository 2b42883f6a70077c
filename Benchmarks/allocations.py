"""(e) Allocations per sample in steady state, by who asks for the memory.

Callgrind counts the calls of malloc and its kin, each by its caller. A graph runs with N samples
and with twice as many: the difference is what the samples cost, without start and end. Memory that
Swift code asks for comes through swift_slowAlloc; what GStreamer and GLib ask for doesn't.
"""
import collections
import re
import subprocess
import sys

from measuring import Folder, verdict

ALLOCATORS = {"malloc", "calloc", "realloc", "memalign", "aligned_alloc", "posix_memalign"}
# The run loop looks around twenty times a second, so a longer run may allocate a little more.
BAR = 0.02

NAME = re.compile(r"c?fn=\((\d+)\)(?: (.*))?")


def calls(path):
    """How often each function called an allocator, by the function's name."""
    names, counts = {}, collections.Counter()
    caller = callee = ""
    with open(path) as file:
        for line in file:
            if line.startswith(("fn=", "cfn=")):
                number, name = NAME.match(line.strip()).groups()
                name = names.setdefault(number, name)
                if line.startswith("fn="):
                    caller = name
                else:
                    callee = name
            elif line.startswith("calls=") and callee.split("'")[0] in ALLOCATORS:
                counts[caller] += int(line[6:].split()[0])
    return counts


def counted(folder, command):
    path = folder.file("callgrind.out")
    result = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={path}", "--compress-pos=no",
         "--fair-sched=yes", *command],
        capture_output=True, text=True, timeout=900, check=False)
    if result.returncode != 0:
        sys.exit(f"callgrind: {result.stderr[-2000:]}")
    return calls(path)


def is_swift(name):
    return name.startswith(("swift_", "$s", "_swift")) or "swift" in name


def stage(folder, samples):
    block = 1200
    return folder.graph(
        "stage",
        {
            "tone": {"type": "testAudio", "frames": samples * block},
            "gain": {"type": "gain", "decibels": -6}, "pass": {"type": "pass"},
            "sink": {"type": "nullSink"},
        },
        "tone -> gain -> pass -> sink")


def frames(folder, samples):
    return folder.graph(
        "frames",
        {
            "picture": {
                "type": "testVideo", "width": 64, "height": 48, "pixelFormat": "bgra",
                "pattern": "black", "frames": samples,
            },
            "mask": {"type": "channelMask", "red": False},
            "sink": {"type": "nullSink"},
        },
        "picture -> mask -> sink")


def recording(folder, samples):
    return folder.graph(
        "recording",
        {
            "picture": {
                "type": "testVideo", "width": 64, "height": 48, "frameRate": 40,
                "pattern": "black", "frames": samples,
            },
            "tone": {"type": "testAudio", "wave": "silence", "frames": samples * 1200},
            "gain": {"type": "gain", "decibels": -6},
            "video": {"type": "h264Encoder", "preset": "ultrafast", "threads": 1},
            "audio": {"type": "aacEncoder"},
            "movie": {"type": "mp4Sink", "path": folder.file("movie.mp4"), "overwrite": True},
        },
        "picture -> video -> movie.video", "tone -> gain -> audio -> movie.audio")


def measure(quick):
    print("(e) allocations for each further sample")
    holds = True
    for graph, samples in ((stage, 3000), (frames, 2000), (recording, 400)):
        samples //= 3 if quick else 1
        with Folder() as folder:
            short, long = (counted(folder, graph(folder, n)) for n in (samples, samples * 2))
        extra = long - short
        swift = collections.Counter({name: n for name, n in extra.items() if is_swift(name)})
        others = sum(extra.values()) - sum(swift.values())
        print(f"   {graph.__name__}: GStreamer and libraries {others / samples:.2f}")
        for name, count in swift.most_common(3):
            print(f"      {count / samples:.3f} by {name[:90]}")
        holds &= verdict(f"{graph.__name__}, Swift", sum(swift.values()) / samples, BAR)
    return holds
