"""(a) What one more node costs: Swift nodes in one stage against `identity` elements."""
from measuring import Folder, interleaved, median, verdict

SAMPLES_PER_BLOCK = 20
BAR = 0.1


def graph(folder, count, buffers):
    nodes = {
        "tone": {
            "type": "testAudio", "wave": "silence", "sampleRate": 800, "channels": 1,
            "sampleFormat": "s16", "frames": buffers * SAMPLES_PER_BLOCK,
        },
        "sink": {"type": "nullSink"},
    }
    names = [f"pass{number}" for number in range(count)]
    nodes.update({name: {"type": "pass"} for name in names})
    return folder.graph(f"pass-{count}", nodes, " -> ".join(["tone", *names, "sink"]))


def launch(count, buffers):
    source = (
        f"audiotestsrc wave=silence samplesperbuffer={SAMPLES_PER_BLOCK} num-buffers={buffers} ! "
        "audio/x-raw,format=S16LE,rate=800,channels=1")
    return ["gst-launch-1.0", "-q", *" ! ".join([source, *["identity"] * count, "fakesink"]).split()]


def measure(quick):
    few, many = 1, 101
    buffers, rounds = (30_000, 3) if quick else (100_000, 7)
    print(f"(a) {many - few} more nodes, {buffers} buffers, {rounds} rounds")
    with Folder() as folder:
        results = interleaved(
            rounds, our_few=graph(folder, few, buffers), their_few=launch(few, buffers),
            our_many=graph(folder, many, buffers), their_many=launch(many, buffers))
    visits = (many - few) * buffers

    def slope(who):
        few_cpu, many_cpu = median(results[f"{who}_few"], "cpu"), median(results[f"{who}_many"], "cpu")
        return (many_cpu - few_cpu) / visits * 1e9

    ours, theirs = slope("our"), slope("their")
    print(f"   pass {ours:.1f} ns, identity {theirs:.1f} ns a node and buffer (CPU)")
    print(
        f"   one node in all: graphctl {median(results['our_few'], 'cpu') / buffers * 1e9:.0f} ns, "
        f"gst-launch {median(results['their_few'], 'cpu') / buffers * 1e9:.0f} ns a buffer")
    return verdict("ratio", ours / theirs, BAR, digits=3)
