"""(l) Seventeen everyday jobs beside ffmpeg: the same input, the same codecs and settings."""
import json
import os
import shutil
import signal
import subprocess

from copying import ffmpeg
from measuring import Folder, interleaved, median, ratio

X264 = {"type": "h264Encoder", "quality": 23, "preset": "veryfast"}
CODED = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-g", "60", "-pix_fmt", "yuv420p"]
AAC = {"type": "aacEncoder", "bitRate": 128000}
AAC_CODED = ["-c:a", "aac", "-b:a", "128k"]
DECODERS = {"frames": {"type": "decoder"}, "sound": {"type": "decoder"}}


class Media:
    """What the jobs take, made once in the folder."""

    def __init__(self, folder, quick):
        self.folder = folder
        self.seconds = 6 if quick else 30
        self.size = "640x360" if quick else "1280x720"
        self.movie = self.make(
            "in.mp4", "-f", "lavfi", "-i", f"testsrc2=s={self.size}:r=30,noise=alls=6:allf=t",
            "-f", "lavfi", "-i", "aevalsrc=0.3*sin(2*PI*440*t)*lt(mod(t\\,3)\\,2):s=48000:c=stereo",
            "-t", self.seconds, *CODED, *AAC_CODED)
        self.green = self.make(
            "green.mp4", "-f", "lavfi", "-i",
            f"color=c=0x00ff00:s={self.size}:r=30,drawbox=x=200:y=80:w=240:h=200:c=red:t=fill",
            "-t", self.seconds, *CODED)
        self.logo = self.make(
            "logo.png", "-f", "lavfi", "-i", "color=c=white@0.7:s=200x80,format=rgba",
            "-frames:v", 1)
        self.texts = folder.file("texts.srt")
        with open(self.texts, "w") as file:
            file.write("1\n00:00:01,000 --> 00:00:04,000\nSubtitles over video\n")
        for name in ("frames", "sounds"):
            os.mkdir(folder.file(name))
        ffmpeg("-i", self.movie, "-t", "3", folder.file("frames/%04d.png"))
        for number in range(10 if quick else 50):
            ffmpeg("-f", "lavfi", "-i", f"sine=f={200 + 10 * number}:d=2:r=48000",
                   folder.file(f"sounds/{number:02d}.wav"))

    def make(self, name, *words):
        path = self.folder.file(name)
        ffmpeg(*(str(word) for word in words), path)
        return path

    def file(self, **values):
        return {"type": "file", "path": self.movie, **values}

    def output(self, name):
        """A place to write to, which both sides replace."""
        return self.folder.file(name)


def sink(media, name, kind="mp4Sink", **values):
    return {"type": kind, "path": media.output(name), "overwrite": True, **values}


def theirs(media, *words):
    return ["ffmpeg", "-nostdin", "-v", "error", "-y", *(str(word) for word in words)]


def part(media):
    start, length = media.seconds / 4, media.seconds / 2
    nodes = {"in": media.file(**{"from": start, "duration": length}), **DECODERS, "video": X264,
             "audio": AAC, "movie": sink(media, "part.mp4")}
    wires = ["in.video -> frames -> video -> movie.video", "in.audio -> sound -> audio -> movie.audio"]
    return (nodes, wires), theirs(
        media, "-ss", start, "-t", length, "-i", media.movie, *CODED, *AAC_CODED,
        media.output("their-part.mp4"))


def screen(media):
    """Five seconds of a screen: it takes as long on both sides, and CPU is what counts."""
    graph = {
        "screen": {"type": "screen", "frameRate": 25}, "mark": {"type": "watermark", "path": media.logo},
        "video": X264, "movie": sink(media, "screen.mp4", seconds=5)}
    size = ["-f", "x11grab", "-framerate", "25", "-t", "5", "-i", os.environ.get("DISPLAY", ":0")]
    filters = "[1]scale=w=192:h=-1[l];[0][l]overlay=W-w-20:H-h-20"
    return (graph, ["screen -> mark -> video -> movie.video"]), theirs(
        media, *size, "-i", media.logo, "-filter_complex", filters, *CODED,
        media.output("their-screen.mp4"))


def hls(media):
    nodes = {"in": media.file(), "video": X264, "audio": AAC,
             "stream": sink(media, "stream", "hlsSink", segmentDuration=4)}
    os.makedirs(media.output("their-stream"), exist_ok=True)
    return (nodes, ["in.video -> video -> stream.video", "in.audio -> audio -> stream.audio"]), theirs(
        media, "-i", media.movie, *CODED, *AAC_CODED, "-force_key_frames", "expr:gte(t,n_forced*4)",
        "-f", "hls", "-hls_time", "4", "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4",
        media.output("their-stream/stream.m3u8"))


def thumbnails(media):
    nodes = {
        "in": media.file(), "decoder": {"type": "decoder"},
        "files": sink(media, "thumb-{number}.jpg", "thumbnails", every=2, width=320),
        "sheet": sink(media, "sheet.jpg", "thumbnails", layout="sheet", every=2, width=160)}
    filters = "[0:v]fps=1/2,split[a][b];[a]scale=320:-2[c];[b]scale=160:-2,tile=5x3:padding=8[d]"
    return (nodes, ["in.video -> decoder", "decoder -> files", "decoder -> sheet"]), theirs(
        media, "-i", media.movie, "-filter_complex", filters, "-map", "[c]",
        media.output("their-thumb-%d.jpg"), "-map", "[d]", "-frames:v", 1,
        media.output("their-sheet.jpg"))


def renditions(media):
    nodes = {
        "in": media.file(), **DECODERS, "audio": AAC,
        "points": {"type": "waveform"}, "peaks": sink(media, "peaks.dat", "peaksSink"),
        "poster": sink(media, "poster.jpg", "poster", at=1)}
    wires = ["in.video -> frames", "in.audio -> sound -> audio", "sound -> points -> peaks",
             "frames -> poster"]
    outputs, filters = [], "[0:v]split=3[a][b][p];[a]scale=-2:360[v0];[b]scale=-2:240[v1]"
    for number, height in enumerate((360, 240)):
        nodes.update({
            f"size{height}": {"type": "scale", "height": height}, f"video{height}": X264,
            f"movie{height}": sink(media, f"{height}.mp4")})
        wires += [f"frames -> size{height} -> video{height} -> movie{height}.video",
                  f"audio -> movie{height}.audio"]
        outputs += ["-map", f"[v{number}]", "-map", "0:a", *CODED, *AAC_CODED,
                    media.output(f"their-{height}.mp4")]
    filters += ";[0:a]showwavespic=s=1024x200[w]"
    return (nodes, wires), theirs(
        media, "-i", media.movie, "-filter_complex", filters, *outputs, "-map", "[w]", "-frames:v", 1,
        media.output("their-peaks.png"), "-map", "[p]", "-ss", 1, "-frames:v", 1,
        media.output("their-poster.jpg"))


def concatenate(media):
    nodes = {"in": media.file(foreach=[1, 2]), "join": {"type": "concat"}, "video": X264, "audio": AAC,
             "movie": sink(media, "both.mp4")}
    wires = ["in.video -> join.video -> video -> movie.video", "in.audio -> join.audio -> audio -> movie.audio"]
    return (nodes, wires), theirs(
        media, "-i", media.movie, "-i", media.movie, "-filter_complex", "concat=n=2:v=1:a=1", *CODED,
        *AAC_CODED, media.output("their-both.mp4"))


def subtitles(media):
    nodes = {
        "in": media.file(), "texts": {"type": "subtitles", "path": media.texts},
        "shown": {"type": "subtitleOverlay"}, "clock": {"type": "text", "text": "{time}", "position": "topLeft"},
        "video": X264, "movie": sink(media, "texts.mp4")}
    wires = ["in.video -> shown.in", "texts -> shown.text", "shown -> clock -> video -> movie.video",
             "in.audio -> movie.audio"]
    filters = f"subtitles={media.texts},drawtext=text='%{{pts\\:hms}}':x=20:y=20:fontsize=32:fontcolor=white"
    return (nodes, wires), theirs(
        media, "-i", media.movie, "-vf", filters, *CODED, "-c:a", "copy", media.output("their-texts.mp4"))


def stream(media):
    """Five seconds in real time: CPU is what counts."""
    nodes = {"in": media.file(duration=5), **DECODERS, "video": X264, "audio": AAC,
             "network": {"type": "udpSink", "host": "127.0.0.1", "port": 50_551}}
    wires = ["in.video -> frames -> video -> network.video", "in.audio -> sound -> audio -> network.audio"]
    return (nodes, wires), theirs(
        media, "-re", "-t", 5, "-i", media.movie, *CODED, *AAC_CODED, "-f", "mpegts",
        "udp://127.0.0.1:50552")


def podcast(media):
    nodes = {
        "in": media.file(), "decoder": {"type": "decoder"},
        "level": {"type": "loudnessNormalize", "target": -16}, "aac": AAC,
        "m4a": sink(media, "p.m4a"), "mp3": {"type": "mp3Encoder", "bitRate": 128000},
        "mp3File": sink(media, "p.mp3", "audioSink"), "opus": {"type": "opusEncoder", "bitRate": 96000},
        "opusFile": sink(media, "p.opus", "audioSink")}
    wires = ["in.audio -> decoder -> level", "level -> aac -> m4a", "level -> mp3 -> mp3File",
             "level -> opus -> opusFile"]
    filters = "[0:a]loudnorm=I=-16:TP=-1,aresample=48000,asplit=3[a][b][c]"
    return (nodes, wires), theirs(
        media, "-i", media.movie, "-filter_complex", filters, "-map", "[a]", *AAC_CODED,
        media.output("tp.m4a"), "-map", "[b]", "-b:a", "128k", media.output("tp.mp3"), "-map", "[c]",
        "-b:a", "96k", media.output("tp.opus"))


def gif(media):
    nodes = {"in": media.file(duration=3), "frames": {"type": "decoder"}, "rate": {"type": "frameRate", "frameRate": 10},
             "size": {"type": "scale", "width": 320}, "out": sink(media, "out.gif", "gifSink")}
    filters = "fps=10,scale=320:-1,split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1"
    return (nodes, ["in.video -> frames -> rate -> size -> out"]), theirs(
        media, "-t", 3, "-i", media.movie, "-filter_complex", filters, media.output("their.gif"))


def faster(media):
    source = media.file(duration=4)
    nodes = {"in": source, **DECODERS, "speed": {"type": "speed", "speed": 2}, "turn": {"type": "reverse"},
             "speed2": {"type": "speed", "speed": 2}, "turn2": {"type": "reverse"}, "video": X264,
             "audio": AAC, "movie": sink(media, "faster.mp4")}
    wires = ["in.video -> frames -> speed -> turn -> video -> movie.video",
             "in.audio -> sound -> speed2 -> turn2 -> audio -> movie.audio"]
    return (nodes, wires), theirs(
        media, "-t", 4, "-i", media.movie, "-vf", "setpts=PTS/2,fps=30,reverse", "-af", "atempo=2,areverse",
        *CODED, *AAC_CODED, media.output("their-faster.mp4"))


def key(media):
    nodes = {
        "green": {"type": "file", "path": media.green}, "in": media.file(), "key": {"type": "chromaKey"},
        "part": {"type": "crop", "width": 160, "height": 120, "x": 40, "y": 40},
        "soft": {"type": "blur", "radius": 8},
        "mix": {"type": "mixVideo", "places": {"in.2": {"x": 40, "y": 40}}}, "video": X264,
        "movie": sink(media, "key.mp4")}
    wires = ["green.video -> key.in", "in.video -> key.background", "key -> mix.in",
             "key -> part -> soft -> mix.in.2", "mix -> video -> movie.video"]
    filters = ("[1]chromakey=0x00ff00:0.12:0.08[k];[0][k]overlay,split[a][b];"
               "[b]crop=160:120:40:40,gblur=8[c];[a][c]overlay=40:40")
    return (nodes, wires), theirs(
        media, "-i", media.movie, "-i", media.green, "-filter_complex", filters, "-an", *CODED,
        media.output("their-key.mp4"))


def minutes(media):
    """Copies in parts; a sixth of the file each, as a minute of a longer one."""
    length = max(1, media.seconds // 6)
    nodes = {"in": media.file(), "movie": sink(media, "part-{number}.mp4", splitEvery=length)}
    return (nodes, ["in.video -> movie.video", "in.audio -> movie.audio"]), theirs(
        media, "-i", media.movie, "-c", "copy", "-f", "segment", "-segment_time", length,
        "-reset_timestamps", 1, media.output("their-part-%d.mp4"))


def webm(media):
    nodes = {
        "in": media.file(duration=3), **DECODERS,
        "video": {"type": "vp9Encoder", "quality": 33, "speed": 6, "threads": 2},
        "audio": {"type": "opusEncoder", "bitRate": 96000}, "web": sink(media, "out.webm", "matroskaSink"),
        "copy": media.file(), "mkv": sink(media, "out.mkv", "matroskaSink")}
    wires = ["in.video -> frames -> video -> web.video", "in.audio -> sound -> audio -> web.audio",
             "copy.video -> mkv.video", "copy.audio -> mkv.audio"]
    return (nodes, wires), theirs(
        media, "-t", 3, "-i", media.movie, "-i", media.movie, "-map", "0", "-c:v", "libvpx-vp9",
        "-qmin", 33, "-qmax", 33, "-crf", 33, "-b:v", 0, "-deadline", "realtime", "-cpu-used", 6, "-g", 60,
        "-threads", 2, "-row-mt", 1, "-c:a", "libopus", "-b:a", "96k", media.output("their.webm"),
        "-map", "1", "-c", "copy", media.output("their.mkv"))


def sequence(media):
    frames = media.folder.file("frames/%04d.png")
    nodes = {"in": {"type": "imageSequence", "path": frames, "frameRate": 30}, "video": X264,
             "movie": sink(media, "sequence.mp4"), "files": {
                 "type": "imageSequenceSink", "path": media.output("out-%04d.jpg"), "overwrite": True}}
    return (nodes, ["in -> video -> movie.video", "in -> files"]), theirs(
        media, "-framerate", 30, "-i", frames, *CODED, media.output("their-sequence.mp4"), "-q:v", 3,
        media.output("their-%04d.jpg"))


def twice(media):
    """A graph that is a node, used twice."""
    media.folder.graph_part("look", {
        "parameters": {"stops": 0}, "inputs": {"video": "light"}, "outputs": {"video": "size"},
        "nodes": {"light": {"type": "exposure", "stops": "${stops}"}, "size": {"type": "scale", "height": 240}},
        "wires": ["light -> size"]})
    nodes = {"in": media.file(), "decoder": {"type": "decoder"}}
    wires = ["in.video -> decoder"]
    outputs, filters = [], "[0:v]split[a][b]"
    for number, (name, stops) in enumerate((("dark", -0.5), ("light", 0.5))):
        nodes.update({name: {"type": "graph", "path": "look.json", "stops": stops},
                      f"video{number}": X264, f"movie{number}": sink(media, f"{name}.mp4")})
        wires.append(f"decoder -> {name} -> video{number} -> movie{number}.video")
        filters += f";[{'ab'[number]}]exposure={stops},scale=-2:240,format=yuv420p[{name}]"
        outputs += ["-map", f"[{name}]", *CODED, media.output(f"their-{name}.mp4")]
    return (nodes, wires), theirs(media, "-i", media.movie, "-filter_complex", filters, *outputs)


def folder_of_fifty(media):
    """A process for each of fifty files, or of ten with --quick, one after the other."""
    sounds, out = media.folder.file("sounds"), media.output("m4a")
    os.makedirs(out, exist_ok=True)
    command = media.folder.graph(
        "one", {"in": {"type": "file", "path": "${input}"}, "audio": AAC,
                "movie": {"type": "mp4Sink", "path": out + "/${input.stem}.m4a", "overwrite": True}},
        "in -> audio -> movie", parameters={"input": None})
    each = " ".join(command) + " --set input="
    ours = ["sh", "-c", f'for file in {sounds}/*.wav; do {each}"$file" || exit 1; done']
    return ours, ["sh", "-c", f'for file in {sounds}/*.wav; do ffmpeg -nostdin -v error -y -i "$file" '
                  f'{" ".join(AAC_CODED)} {out}/their.m4a || exit 1; done']


JOBS = {
    "a part": part, "a screen with a watermark": screen, "HLS": hls, "thumbnails and a sheet": thumbnails,
    "renditions, waveform, poster": renditions, "two files as one": concatenate,
    "subtitles and timecode": subtitles, "a stream over UDP": stream, "a podcast in three formats": podcast,
    "a GIF": gif, "twice as fast, backwards": faster, "key and blurred region": key,
    "a file in parts": minutes, "WebM and Matroska": webm, "a sequence in and out": sequence,
    "a graph used twice": twice, "a folder of fifty": folder_of_fifty,
}


class JobFolder(Folder):
    """A folder whose graphs may have parameters and parts."""

    def graph(self, name, nodes, *wires, **more):
        command = super().graph(name, nodes, *wires)
        if more:
            self.graph_part(name, {**more, "nodes": nodes, "wires": list(wires)})
        return command

    def graph_part(self, name, document):
        with open(self.file(name + ".json"), "w") as file:
            json.dump(document, file)


class Screen:
    """A screen of its own, where there is a program that makes one."""

    def __enter__(self):
        self.server = None
        if shutil.which("Xvfb"):
            self.server = subprocess.Popen(
                ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp"],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            os.environ["DISPLAY"] = ":" + self.server.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        if self.server:
            self.server.send_signal(signal.SIGTERM)
            self.server.wait()


def measure(quick):
    rounds = 3 if quick else 7
    chosen = os.environ.get("JOBS", "").split(",") if os.environ.get("JOBS") else list(JOBS)
    print(f"(l) {len(chosen)} jobs beside ffmpeg, {rounds} rounds by turns: medians of graphctl and ffmpeg, "
          "and of the ratios of neighbours in time")
    walls, cpus = [], []
    with Screen() as display, JobFolder() as folder:
        media = Media(folder, quick)
        for name in chosen:
            if JOBS[name] is screen and not display.server:
                print(f"   {name}: left out, there is no Xvfb")
                continue
            job, other = JOBS[name](media)
            ours = job if isinstance(job, list) else folder.graph("job", job[0], *job[1])
            results = interleaved(rounds, ours=ours, theirs=other)
            wall, cpu = (ratio(results["ours"], results["theirs"], field) for field in ("wall", "cpu"))
            walls.append(wall)
            cpus.append(cpu)
            times = [median(results[who], field) for field in ("wall", "cpu") for who in ("ours", "theirs")]
            print("   {:28} wall {:6.2f} s, {:6.2f} s, ratio {:5.2f}; CPU {:6.2f} s, {:6.2f} s, ratio {:5.2f}"
                  .format(name, times[0], times[1], wall, times[2], times[3], cpu), flush=True)
    if walls:
        walls.sort(), cpus.sort()
        print(f"   the median job: {walls[len(walls) // 2]:.2f} of ffmpeg's time, "
              f"{cpus[len(cpus) // 2]:.2f} of its CPU time")
    return True
