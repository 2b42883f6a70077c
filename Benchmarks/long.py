"""(h) Long and wide graphs: start-up of 100, 1,000 and 4,000 nodes, and how it grows."""
from measuring import GRAPHCTL, Folder, interleaved, median, verdict

SIZES = (100, 1000, 4000)
# Four times the nodes may take so many times as long: more than 4, as caches fill.
BAR = 8.0
TONE = {"type": "testAudio", "seconds": 0.1}
SINK = {"type": "nullSink"}


def chain(count, node):
    names = [f"n{number}" for number in range(count)]
    nodes = {"tone": TONE, **{name: node for name in names}, "sink": SINK}
    return nodes, [" -> ".join(["tone", *names, "sink"])]


def fan_out(count):
    nodes = {"tone": TONE, **{f"sink{number}": SINK for number in range(count)}}
    return nodes, [f"tone -> sink{number}" for number in range(count)]


def fan_in(count):
    tones = {f"tone{number}": TONE for number in range(count)}
    return (
        {"mix": {"type": "mixAudio"}, "sink": SINK, **tones},
        ["mix -> sink", *(f"{name} -> mix" for name in tones)])


GRAPHS = {
    "chain of gain": lambda count: chain(count, {"type": "gain"}),
    "chain of identity": lambda count: chain(count, {"type": "gst", "element": "identity"}),
    "fan-out": fan_out,
    "fan-in": fan_in,
}
# GStreamer itself takes long to start thousands of elements, and each thread takes memory.
RUNS = ("chain of gain",)


def measure(quick):
    rounds = 1 if quick else 5
    print(f"(h) nodes {SIZES}, {rounds} rounds, CPU time")
    holds = True
    for name, graph in GRAPHS.items():
        for verb in ("check", "plan", *(["run"] if name in RUNS else [])):
            with Folder() as folder:
                commands = {}
                for size in SIZES:
                    nodes, wires = graph(size)
                    path = folder.graph(f"g{size}", nodes, *wires)[2]
                    commands[str(size)] = [GRAPHCTL, verb, path]
                results = interleaved(rounds, **commands)
            times = [median(results[str(size)], "cpu") for size in SIZES]
            print(f"   {verb}, {name}: " + ", ".join(f"{time * 1000:.0f} ms" for time in times))
            holds &= verdict("4,000 to 1,000 nodes", times[2] / times[1], BAR, digits=1)
    return holds
