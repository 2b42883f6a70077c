"""(c) Start-up: a trivial graph from nothing to its end, and what is wrong with a graph."""
import glob
import os

from measuring import GRAPHCTL, ROOT, Folder, interleaved, median, ratio, use, verdict

BAR = 0.6
# In milliseconds of processor time.
BAR_OF_CHECKS = 100
WRONG = 65


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
    return check_broken_graphs(rounds // 5) and holds


def check_broken_graphs(rounds):
    """What it takes to say what is wrong with each of twenty graphs."""
    graphs = sorted(glob.glob(os.path.join(ROOT, "Tests/Fixtures/BrokenGraphs/*.json")))
    times = {
        os.path.basename(graph): 1000 * median(
            [use([GRAPHCTL, "check", graph], status=WRONG) for _ in range(rounds)], "cpu")
        for graph in graphs}
    slowest = max(times, key=times.get)
    return verdict(f"{len(times)} wrong graphs, CPU of the slowest in ms ({slowest})",
                   times[slowest], BAR_OF_CHECKS, digits=0)
