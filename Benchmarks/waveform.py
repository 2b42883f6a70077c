"""(f) Waveforms, beside audiowaveform and ffmpeg: time, memory and start-up."""
import filecmp
import os
import shutil
import sys

import sounds
from measuring import Folder, interleaved, median, ratio, use, verdict

# How much of the others' time ours may take. By kind of file: audiowaveform's on all cores and on
# one, and that of ffmpeg's picture.
BARS = {
    "wav": (1 / 12, 1 / 7, None),
    "flac": (1 / 2, None, None),
    "mp3": (1 / 2.8, None, 1 / 1.8),
    "m4a": (1 / 2.7, None, None),
}
# MiB, and growth beside what the output grows by.
MEMORY, GROWTH = 48, 1.1
START = 0.6
# Minutes of what the bars are for.
LONGEST = 120
# What the two of them promise to write alike.
EXACT = ("wav", "flac")


def audiowaveform():
    """The program to compare with: AUDIOWAVEFORM, or one that is installed; may be none."""
    named = os.environ.get("AUDIOWAVEFORM")
    if named and not os.access(named, os.X_OK):
        sys.exit(f"AUDIOWAVEFORM: {named} is no program")
    return named or shutil.which("audiowaveform")


def ours(folder, path):
    """The command that reduces a file; it writes ours.dat."""
    nodes = {
        "file": {"type": "file", "path": path},
        "waveform": {"type": "waveform", "samplesPerPixel": 256},
        "points": {"type": "peaksSink", "path": folder.file("ours.dat"), "overwrite": True},
    }
    return folder.graph(os.path.basename(path), nodes, "file.audio -> waveform -> points")


def theirs(folder, program, path):
    """audiowaveform's command; it writes theirs.dat. What it can't read ffmpeg decodes for it."""
    output = folder.file("theirs.dat")
    if not path.endswith(".m4a"):
        return [program, "-q", "-i", path, "-o", output, "-z", "256"]
    pipe = 'set -o pipefail; ffmpeg -v error -nostdin -i "$1" -f wav - | "$2" -q'
    return ["bash", "-c", f'{pipe} --input-format wav -o "$3" -z 256', "-", path, program, output]


def commands(folder, program, path):
    """Everything that takes turns on a file."""
    ffmpeg = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", path]
    picture = ["-filter_complex", "showwavespic=s=800x250", "-frames:v", "1"]
    chosen = {"graphctl": ours(folder, path)}
    if program:
        chosen["audiowaveform"] = theirs(folder, program, path)
    chosen["picture"] = ffmpeg + picture + [folder.file("picture.png")]
    chosen["decode"] = ffmpeg + ["-f", "null", "-"]
    return chosen


def times(folder, program, kind, minutes, rounds, cores):
    """Times of a file, on some cores."""
    path = sounds.sound(minutes, kind)
    chosen = commands(folder, program, path)
    if cores == 1:
        chosen = {name: ["taskset", "-c", "0", *words] for name, words in chosen.items()}
    # The first run brings the file into memory.
    use(chosen["decode"])
    results = interleaved(rounds, **chosen)
    print(f"   {kind}, {minutes} minutes, {cores or 'all'} core{'' if cores == 1 else 's'}:")
    for name, usages in results.items():
        print(f"     {name:13} wall {median(usages, 'wall'):7.3f} s,"
              f" cpu {median(usages, 'cpu'):7.3f} s")
    holds = alike(folder) if program and kind in EXACT else True
    whole, single, picture = BARS[kind]
    bars = {"audiowaveform": single if cores == 1 else whole, "picture": picture}
    for name in [name for name in bars if name in results]:
        shares = [ratio(results["graphctl"], results[name], field) for field in ("wall", "cpu")]
        print(f"     over {name}: wall {shares[0]:.3f}, cpu {shares[1]:.3f}")
        # The bars are those of two hours: start-up is no small part of less.
        if bars[name] and minutes == LONGEST:
            holds &= verdict(f"  {kind}, wall over {name}", shares[0], bars[name], 3)
    return holds


def alike(folder):
    same = filecmp.cmp(folder.file("ours.dat"), folder.file("theirs.dat"), shallow=False)
    if not same:
        print("     the two data files DIFFER")
    return same


def memory(folder, kind, minutes):
    """Peak memory of a minute and of much more."""
    peaks, sizes = [], []
    for length in (1, minutes):
        peaks.append(use(ours(folder, sounds.sound(length, kind))).peak)
        sizes.append(os.path.getsize(folder.file("ours.dat")) / 2**20)
    print(f"   {kind}: {peaks[0]:.1f} MiB for 1 minute, {peaks[1]:.1f} for {minutes}")
    grown = (peaks[1] - sizes[1]) / peaks[0]
    return verdict(f"{kind}, MiB", max(peaks), MEMORY, 1) & verdict(f"{kind}, growth", grown, GROWTH)


def start(folder, program, rounds):
    """A WAV of one second, whole process."""
    path = sounds.second()
    chosen = {"ours": ours(folder, path), "theirs": theirs(folder, program, path)}
    interleaved(1, **chosen)
    results = interleaved(rounds, **chosen)
    holds = True
    for field in ("wall", "cpu"):
        a, b = (median(results[who], field) * 1000 for who in ("ours", "theirs"))
        print(f"   one second, {field}: graphctl {a:.1f} ms, audiowaveform {b:.1f} ms")
        holds &= verdict(f"{field} ratio", ratio(results["ours"], results["theirs"], field), START)
    return holds


def measure(quick):
    longest, rounds = (10, 3) if quick else (LONGEST, 5)
    program, holds = audiowaveform(), True
    print(f"(f) waveforms, {rounds} rounds; sounds in {sounds.folder()}")
    if not program:
        print("   audiowaveform is not there: what is compared with it is left out;"
              " AUDIOWAVEFORM names the program")
    with Folder() as folder:
        for kind in BARS:
            for minutes in sorted({10, longest}):
                for cores in (None, 1):
                    holds &= times(folder, program, kind, minutes, rounds, cores)
        for kind in BARS:
            holds &= memory(folder, kind, longest)
        if program:
            holds &= start(folder, program, 15 if quick else 40)
    return holds
