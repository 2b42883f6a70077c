"""(i) Copies of a movie into another, beside ffmpeg and cp."""
import os
import subprocess

from measuring import Folder, median, ratio, use, verdict

BAR = 0.75
# Of copies with the index in front, which ffmpeg moves there in a second pass, and of parts.
INDEX_BAR = 0.6
SOUND = "anoisesrc=r=48000:a=0.3"
# What is made of the movie: parameters of the file and of the sink, and the words for ffmpeg before
# its input and before its output.
COPIES = {
    "whole": ({}, {}, [], [], BAR),
    "whole, index in front": (
        {}, {"optimizeForNetworkUse": True}, [], ["-movflags", "+faststart"], INDEX_BAR),
    "from 1.5 s on, index in front": (
        {"from": 1.5}, {"optimizeForNetworkUse": True}, ["-ss", "1.5"],
        ["-movflags", "+faststart"], INDEX_BAR),
}
# What the packets are, how long each part is, and how many parts the movie has.
MOVIES = {
    "large packets": (
        "testsrc2=s=1280x720:r=60,noise=alls=40:allf=t", ["-b:v", "64M", "-g", "60"], 20, 4),
    "small packets": ("testsrc2=s=64x64:r=240", [], 300, 6),
}


def ffmpeg(*words):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *words], check=True)


def movie(folder, name, quick):
    """A movie of H.264 and AAC: a part of it, several times."""
    picture, options, seconds, count = MOVIES[name]
    part, path, parts = (folder.file(f"{name} {end}") for end in ("part.mp4", "in.mp4", "list"))
    ffmpeg(
        "-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", SOUND, "-t", str(seconds),
        "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", *options,
        "-c:a", "aac", "-ac", "2", part)
    with open(parts, "w") as file:
        file.writelines([f"file '{part}'\n"] * (1 if quick else count))
    ffmpeg("-f", "concat", "-safe", "0", "-i", parts, "-c", "copy", path)
    os.unlink(part)
    return path


def copies(folder, path, name):
    """The commands that copy a movie, by name, and the files that they write."""
    outputs = {who: folder.file(f"{who}.mp4") for who in ("graphctl", "ffmpeg", "cp")}
    source, sink, before, after, _ = COPIES[name]
    graph = folder.graph(
        "copy", {
            "file": {"type": "file", "path": path, **source},
            "movie": {"type": "mp4Sink", "path": outputs["graphctl"], **sink},
        }, "file.video -> movie.video", "file.audio -> movie.audio")
    return {
        "graphctl": graph,
        "ffmpeg": ["ffmpeg", "-v", "error", *before, "-i", path, "-map", "0", "-c", "copy", *after,
                   outputs["ffmpeg"]],
        "cp": ["cp", path, outputs["cp"]],
    }, outputs


def compare(folder, path, name, rounds):
    """What each command used, by turns."""
    commands, outputs = copies(folder, path, name)
    results = {who: [] for who in commands}
    for _ in range(rounds):
        for who, command in commands.items():
            results[who].append(use(command))
            # To replace a file would take some of the next round's time.
            os.unlink(outputs[who])
    return results


def measure(quick):
    rounds = 3 if quick else 9
    print(f"(i) a movie into another, {rounds} rounds")
    holds = True
    for name in MOVIES:
        with Folder() as folder:
            path = movie(folder, name, quick)
            size = os.path.getsize(path) / 1e6
            for copy in COPIES:
                results = compare(folder, path, copy, rounds)
                print(f"   {name}, {size:.0f} MB, {copy}: " + ", ".join(
                    f"{who} {median(used, 'wall'):.3f} s and {median(used, 'cpu'):.3f} s of CPU"
                    for who, used in results.items()))
                value = ratio(results["graphctl"], results["ffmpeg"], "wall")
                holds &= verdict(
                    f"{name}, {copy}, wall time beside ffmpeg", value, COPIES[copy][-1])
    return holds
