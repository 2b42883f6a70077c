"""(i) Copies of a movie into another, beside ffmpeg and cp."""
import os
import subprocess

from measuring import Folder, median, ratio, use, verdict

BAR = 0.75
SOUND = "anoisesrc=r=48000:a=0.3"
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


def copies(folder, path):
    """The commands that copy a movie, by name, and the files that they write."""
    outputs = {who: folder.file(f"{who}.mp4") for who in ("graphctl", "ffmpeg", "cp")}
    graph = folder.graph(
        "copy", {
            "file": {"type": "file", "path": path},
            "movie": {"type": "mp4Sink", "path": outputs["graphctl"]},
        }, "file.video -> movie.video", "file.audio -> movie.audio")
    return {
        "graphctl": graph,
        "ffmpeg": ["ffmpeg", "-v", "error", "-i", path, "-map", "0", "-c", "copy",
                   outputs["ffmpeg"]],
        "cp": ["cp", path, outputs["cp"]],
    }, outputs


def measure(quick):
    rounds = 3 if quick else 9
    print(f"(i) a movie into another, {rounds} rounds")
    holds = True
    for name in MOVIES:
        with Folder() as folder:
            path = movie(folder, name, quick)
            commands, outputs = copies(folder, path)
            results = {who: [] for who in commands}
            for _ in range(rounds):
                for who, command in commands.items():
                    results[who].append(use(command))
                    # To replace a file would take some of the next round's time.
                    os.unlink(outputs[who])
            size = os.path.getsize(path) / 1e6
        print(f"   {name}, {size:.0f} MB: " + ", ".join(
            f"{who} {median(used, 'wall'):.3f} s and {median(used, 'cpu'):.3f} s of CPU"
            for who, used in results.items()))
        value = ratio(results["graphctl"], results["ffmpeg"], "wall")
        holds &= verdict(f"{name}, wall time beside ffmpeg", value, BAR)
    return holds
