"""(n) Batches of many short files, beside GNU parallel with the bare command of another program."""
import os
import subprocess

from jobs import JobFolder
from measuring import GRAPHCTL, interleaved, median, ratio, verdict
from waveform import audiowaveform

# How much of the other's wall time ours may take.
BAR = 1.1
CORES = str(os.cpu_count())
TONE = "sine=f={}:d=3:r=44100,aformat=channel_layouts=stereo"


def make(folder, count):
    """Short files of WAV, of different pitches; returns their folder."""
    sounds = folder.file("sounds")
    os.makedirs(sounds)
    for number in range(count):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", TONE.format(200 + number),
             f"{sounds}/{number:04}.wav"], check=True)
    return sounds


def parallel(sounds, command):
    """A command for each file, as many side by side as there are cores."""
    line = f"parallel --will-cite -j{CORES} {command} ::: {sounds}/*.wav"
    return ["sh", "-c", line]


def batch(folder, name, nodes, wires, out):
    """A batch of the same files, done anew in each round."""
    folder.graph(name, nodes, *wires, parameters={"input": None, "output": None})
    path = folder.file(name + ".json")
    state = folder.file(name + ".batch")
    line = (f"rm -rf {state} && exec {GRAPHCTL} batch {path} '{folder.file('sounds')}/*.wav' "
            f"--set 'output={out}/{{stem}}' --overwrite --batch {state} --quiet")
    return ["sh", "-c", line]


def jobs(folder, sounds):
    """The commands of each job, ours and the other's."""
    mine, others = (folder.file(name) for name in ("mine", "others"))
    for path in (mine, others):
        os.makedirs(path)
    source = {"in": {"type": "file", "path": "${input}"}}
    ffmpeg = "ffmpeg -nostdin -v error -y -i {} "
    coded = {
        **source, "audio": {"type": "aacEncoder", "bitRate": 128000},
        "movie": {"type": "mp4Sink", "path": "${output}.m4a"}}
    speech = {
        **source, "decoder": {"type": "decoder"},
        "convert": {"type": "audioConvert", "sampleRate": 16000, "channels": 1},
        "wave": {"type": "wavSink", "path": "${output}.wav"}}
    peaks = {
        **source, "reduce": {"type": "waveform"},
        "points": {"type": "peaksSink", "path": "${output}.dat"}}
    yield ("AAC, beside ffmpeg", batch(folder, "coded", coded, ["in -> audio -> movie"], mine),
           parallel(sounds, ffmpeg + f"-c:a aac -b:a 128k {others}/{{/.}}.m4a"))
    yield ("16 kHz, beside ffmpeg",
           batch(folder, "speech", speech, ["in -> decoder -> convert -> wave"], mine),
           parallel(sounds, ffmpeg + f"-ar 16000 -ac 1 {others}/{{/.}}.wav"))
    if program := audiowaveform():
        yield ("peaks, beside audiowaveform",
               batch(folder, "peaks", peaks, ["in -> reduce -> points"], mine),
               parallel(sounds, f"{program} -q -i {{}} -o {others}/{{/.}}.dat"))


def measure(quick):
    rounds, count = (3, 60) if quick else (5, 300)
    print(f"(n) batches of {count} files of 3 s beside parallel -j{CORES}, {rounds} rounds")
    holds = True
    with JobFolder() as folder:
        sounds = make(folder, count)
        for name, ours, others in jobs(folder, sounds):
            results = interleaved(rounds, ours=ours, others=others)
            walls = [median(results[which], "wall") for which in ("ours", "others")]
            print(f"   {name}: {walls[0]:.2f} s, parallel {walls[1]:.2f} s")
            holds &= verdict(name, ratio(results["ours"], results["others"], "wall"), BAR)
    return holds
