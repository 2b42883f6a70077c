"""(b) The recording graph offline, with the same elements and settings on both sides."""
import json
import os
import shutil
import subprocess
import sys

from measuring import Folder, interleaved, median, ratio, verdict

BAR = 1.03
# What h264Encoder sets for 1280x720 where a graph gives nothing and isn't live.
THREADS = max(1, min(16, len(os.sched_getaffinity(0)) * 3 // 2))
X264 = (
    "x264enc speed-preset=veryfast key-int-max=60 bframes=3 rc-lookahead=10 "
    f"threads={THREADS} sync-lookahead=-1 vbv-buf-capacity=0 aud=false bitrate=9216 "
    "! video/x-h264,profile=high,stream-format=avc")
# What mp4Sink sets.
MUXER = "mp4mux fragment-duration=100 fragment-mode=dash-or-mss movie-timescale=0"


def graph(folder, seconds):
    path = folder.file("ours.mp4")
    return folder.graph(
        "recording",
        {
            "picture": {
                "type": "testVideo", "width": 1280, "height": 720, "frameRate": 30,
                "seconds": seconds,
            },
            "tone": {"type": "testAudio", "seconds": seconds},
            "video": {"type": "h264Encoder"},
            "audio": {"type": "aacEncoder", "bitRate": 128_000},
            "movie": {"type": "mp4Sink", "path": path, "overwrite": True},
        },
        "picture -> video -> movie.video", "tone -> audio -> movie.audio"), path


def launch(folder, seconds):
    path = folder.file("theirs.mp4")
    blocks = seconds * 48_000 // 1200
    text = (
        f"{MUXER} name=movie "
        f"! filesink buffer-mode=unbuffered location={path} "
        f"videotestsrc animation-mode=frames num-buffers={seconds * 30} "
        f"! video/x-raw,format=I420,width=1280,height=720,framerate=30/1 ! queue ! {X264} "
        "! queue max-size-buffers=0 max-size-time=2000000000 ! h264parse ! movie. "
        f"audiotestsrc freq=440 samplesperbuffer=1200 num-buffers={blocks} "
        "! audio/x-raw,format=F32LE,layout=interleaved,rate=48000,channels=2 "
        "! queue ! avenc_aac bitrate=128000 "
        "! queue max-size-buffers=0 max-size-time=2000000000 ! aacparse ! movie.")
    return ["gst-launch-1.0", "-q", *text.split()], path


def packets(path):
    """How many packets and bytes each track has: equal where both sides did the same work."""
    if not shutil.which("ffprobe"):
        return None
    command = ["ffprobe", "-v", "error", "-show_entries", "packet=codec_type,size", "-of", "json"]
    output = subprocess.run([*command, path], capture_output=True, check=True).stdout
    totals = {}
    for packet in json.loads(output)["packets"]:
        count, size = totals.get(packet["codec_type"], (0, 0))
        totals[packet["codec_type"]] = (count + 1, size + int(packet["size"]))
    return totals


def measure(quick):
    seconds, rounds = (5, 3) if quick else (20, 7)
    print(f"(b) 1280x720 and AAC into MP4, {seconds} s of media, {rounds} rounds")
    with Folder() as folder:
        ours, our_movie = graph(folder, seconds)
        theirs, their_movie = launch(folder, seconds)
        results = interleaved(rounds, ours=ours, theirs=theirs)
        if packets(our_movie) != packets(their_movie):
            sys.exit(f"unlike movies: {packets(our_movie)} and {packets(their_movie)}")
    for field, unit in (("cpu", "s"), ("wall", "s"), ("peak", "MiB")):
        a, b = (median(results[who], field) for who in ("ours", "theirs"))
        print(f"   {field}: graphctl {a:.2f} {unit}, gst-launch {b:.2f} {unit}")
    return verdict("CPU ratio", ratio(results["ours"], results["theirs"], "cpu"), BAR, digits=3)
