"""(c) Start-up: a trivial graph from nothing to its end."""
from measuring import Folder, interleaved, median, ratio, verdict

BAR = 0.6


def measure(quick):
    rounds = 15 if quick else 60
    print(f"(c) testAudio -> nullSink, 3 blocks, {rounds} rounds")
    with Folder() as folder:
        ours = folder.graph(
            "trivial",
            {"tone": {"type": "testAudio", "frames": 3072}, "sink": {"type": "nullSink"}},
            "tone -> sink")
        theirs = ["gst-launch-1.0", "-q", "audiotestsrc", "num-buffers=3", "!", "fakesink"]
        # The first run of each brings the files into memory.
        interleaved(1, ours=ours, theirs=theirs)
        results = interleaved(rounds, ours=ours, theirs=theirs)
    holds = True
    for field in ("wall", "cpu"):
        a, b = (median(results[who], field) * 1000 for who in ("ours", "theirs"))
        print(f"   {field}: graphctl {a:.1f} ms, gst-launch {b:.1f} ms")
        holds &= verdict(f"{field} ratio", ratio(results["ours"], results["theirs"], field), BAR)
    return holds
