"""(m) Files that a process of its own reads, beside the same files read here."""
import subprocess

from measuring import Folder, interleaved, median, ratio

TONE = ["-f", "lavfi", "-i", "anoisesrc=a=0.3:d={}:c=pink:r=48000,aformat=channel_layouts=stereo"]
FILM = ["-f", "lavfi", "-i", "testsrc2=s=1280x720:r=30:d={}"]


def make(path, seconds, *words):
    words = [word.format(seconds) for word in words]
    subprocess.run(["ffmpeg", "-v", "error", "-y", *words, path], check=True)


def measure(quick):
    rounds = 3 if quick else 9
    print(f"(m) `isolate`, {rounds} rounds")
    with Folder() as folder:
        short, long, film = (folder.file(name) for name in ("short.m4a", "long.m4a", "film.mp4"))
        make(short, 1, *TONE, "-c:a", "aac")
        make(long, 600, *TONE, "-c:a", "aac")
        make(film, 20, *FILM, *TONE, "-c:v", "libx264", "-preset", "veryfast", "-c:a", "aac")
        jobs = {
            "peaks of a second": (peaks, short), "peaks of ten minutes": (peaks, long),
            "decoding 720p": (decoding, film), "transcoding 720p": (transcoding, film),
        }
        for name, (job, path) in jobs.items():
            here, there = (job(folder, path, isolate) for isolate in (False, True))
            interleaved(1, here=here, there=there)
            results = interleaved(rounds, here=here, there=there)
            print(f"   {name}: " + ", ".join(line(results, field) for field in ("wall", "cpu")))
    return True


def line(results, field):
    a, b = (median(results[where], field) * 1000 for where in ("here", "there"))
    return f"{field} {a:.0f} -> {b:.0f} ms ({ratio(results['there'], results['here'], field):.2f})"


def file(path, isolate):
    return {"type": "file", "path": path, "isolate": isolate}


def peaks(folder, path, isolate):
    nodes = {
        "in": file(path, isolate), "decoder": {"type": "decoder"}, "wave": {"type": "waveform"},
        "points": {"type": "peaksSink", "path": folder.file("a.dat"), "overwrite": True},
    }
    return folder.graph(f"peaks-{isolate}", nodes, "in.audio -> decoder -> wave -> points")


def decoding(folder, path, isolate):
    nodes = {
        "in": file(path, isolate), "decoder": {"type": "decoder"}, "none": {"type": "nullSink"},
    }
    return folder.graph(f"decoding-{isolate}", nodes, "in.video -> decoder -> none")


def transcoding(folder, path, isolate):
    nodes = {
        "in": file(path, isolate), "video": {"type": "h264Encoder"}, "audio": {"type": "aacEncoder"},
        "movie": {"type": "mp4Sink", "path": folder.file("a.mp4"), "overwrite": True},
    }
    return folder.graph(
        f"transcoding-{isolate}", nodes, "in.video -> video -> movie.video",
        "in.audio -> audio -> movie.audio")
