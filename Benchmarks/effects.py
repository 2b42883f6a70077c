"""(g) Effects, beside ffmpeg and gst-launch: chains of colour, crop and watermark."""
import re
import subprocess

from measuring import Folder, interleaved, median, ratio, use, verdict

# A mixture of the channels that keeps gray, and the sepia of the web.
MIX = ((0.9, 0.1, 0.0), (0.05, 0.9, 0.05), (0.0, 0.1, 0.9))
SEPIA = ((0.393, 0.769, 0.189), (0.349, 0.686, 0.168), (0.272, 0.534, 0.131))
# How much of the others' time ours may take.
BARS = {
    "movie, of ffmpeg": 1 / 1.8, "movie, of gst-launch": 1 / 1.3, "movie, of the encoder alone": 1.15,
    "effects, of ffmpeg": 1 / 12, "effects, of ffmpeg ordered by hand": 1 / 5,
    "eight effects, of one": 1.1,
}
FRAME_BAR, LIKENESS = 1.0, 45
# Effects alone, each beside the filter of ffmpeg that comes nearest to it.
EACH = {
    "blur": ({"type": "blur"}, "gblur=sigma=5"),
    "sharpen": ({"type": "sharpen"}, "unsharp=7:7:1:7:7:0"),
    "pixelate": ({"type": "pixelate"}, "pixelize=16:16"),
    "vignette": ({"type": "vignette"}, "vignette"),
    "gamma": ({"type": "gamma", "gamma": 1.5},
              "format=gbrp,lutrgb=r=gammaval(1.5):g=gammaval(1.5):b=gammaval(1.5),format=yuv420p"),
    "text": ({"type": "text", "text": "Effects"}, "drawtext=text=Effects:fontsize=48"),
    "overlay": ({"type": "overlay"}, "null[v];movie={logo}[l];[v][l]overlay=20:20"),
    "particles": ({"type": "particles"}, None),
}
X264 = "speed-preset=veryfast threads=2 pass=qual quantizer=23 key-int-max=60 bframes=2 " \
    "rc-lookahead=5 sync-lookahead=0 vbv-buf-capacity=0"


class Pictures:
    """Raw frames of a moving picture with noise, and a logo; made once, in the folder."""

    def __init__(self, folder, width, height, frames):
        self.width, self.height, self.frames = width, height, frames
        self.path = folder.file(f"{width}x{height}.yuv")
        self.logo = folder.file("logo.png")
        source = f"mandelbrot=s={width}x{height}:r=30:maxiter=60,noise=alls=6:all_seed=7:allf=t," \
            "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"
        self.make("-f", "lavfi", "-i", source, "-frames:v", str(frames), "-f", "rawvideo", self.path)
        self.make("-f", "lavfi", "-i", "color=c=white@0.7:s=200x80,format=rgba",
                  "-frames:v", "1", self.logo)

    @staticmethod
    def make(*words):
        subprocess.run(["ffmpeg", "-v", "error", "-y", *words], check=True)

    def changed(self, folder):
        """The frames that the encoder gets, for the encoder alone."""
        path = folder.file("changed.yuv")
        sink = {"type": "gst", "element": "filesink", "properties": {"location": path}}
        use(chain(folder, "changed", self, looks(self), {"out": sink}))
        return path

    def for_ffmpeg(self):
        return ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{self.width}x{self.height}",
                "-r", "30", "-colorspace", "bt709", "-color_range", "tv", "-i", self.path]

    def for_launch(self, path=None, width=None):
        return (f"filesrc blocksize=4194304 location={path or self.path} ! rawvideoparse format=i420"
                f" width={width or self.width} height={self.height} framerate=30/1"
                " colorimetry=bt709")

    def for_graph(self):
        parser = {"format": "i420", "width": self.width, "height": self.height,
                  "framerate": "30/1", "colorimetry": "bt709"}
        return {
            "bytes": {"type": "gst", "element": "filesrc",
                      "properties": {"location": self.path, "blocksize": 4194304}},
            "frames": {"type": "gst", "element": "rawvideoparse", "properties": parser},
        }


def matrix(rows):
    return {"type": "colorMatrix", **{name: list(row) for name, row in zip(("red", "green", "blue"), rows)}}


def mixer(rows):
    names = [f"{a}{b}" for a in "rgb" for b in "rgb"]
    return "colorchannelmixer=" + ":".join(
        f"{name}={value}" for name, value in zip(names, [v for row in rows for v in row]))


def chain(folder, name, pictures, effects, sink):
    """Our command: frames through effects into a sink."""
    nodes = {**pictures.for_graph(), **effects, **sink}
    return folder.graph(name, nodes, " -> ".join(["bytes", "frames", *effects, *sink]))


def looks(pictures):
    return {
        "mix": matrix(MIX), "sepia": {"type": "sepia"},
        "crop": {"type": "crop", "aspectRatio": "3:4"},
        "mark": {"type": "watermark", "path": pictures.logo, "size": 0.2},
    }


def ffmpeg_looks(pictures, by_hand=False):
    width = pictures.height * 3 // 4
    crop, colors = f"crop={width}:{pictures.height}", f"{mixer(MIX)},{mixer(SEPIA)}"
    steps = f"{crop},{colors}" if by_hand else f"{colors},{crop}"
    return ["-i", pictures.logo, "-filter_complex",
            f"[0:v]{steps}[v];[1:v]scale={width // 5}:-1[l];[v][l]overlay=W-w-20:H-h-20,format=yuv420p"]


def movie(quick):
    """1080p to H.264, with the effects."""
    frames, rounds = (60, 3) if quick else (300, 5)
    print(f"   1080p, matrix, sepia, crop 3:4, watermark, H.264 veryfast, {frames} frames:")
    with Folder() as folder:
        pictures = Pictures(folder, 1920, 1080, frames)
        width = 810
        element = {"type": "gst", "element": "x264enc", "properties": dict(
            word.split("=") for word in X264.split())}
        ours = chain(folder, "movie", pictures, looks(pictures),
                     {"video": element, "out": {"type": "nullSink"}})
        theirs = ["ffmpeg", "-v", "error", "-y", *pictures.for_ffmpeg(), *ffmpeg_looks(pictures),
                  "-c:v", "libx264", "-preset", "veryfast", "-threads", "2", "-crf", "23", "-g", "60",
                  "-bf", "2", "-x264-params", "rc-lookahead=5:sync-lookahead=0", "-f", "null", "-"]
        launch = (f"gst-launch-1.0 -q {pictures.for_launch()} ! videoconvert ! coloreffects preset=sepia"
                  f" ! videocrop left=555 right=555 ! gdkpixbufoverlay location={pictures.logo}"
                  f" offset-x=-20 offset-y=-20 ! videoconvert ! video/x-raw,format=I420"
                  f" ! x264enc {X264} ! fakesink").split()
        alone = (f"gst-launch-1.0 -q {pictures.for_launch(pictures.changed(folder), width)}"
                 f" ! x264enc {X264} ! fakesink").split()
        results = interleaved(rounds, graphctl=ours, ffmpeg=theirs, launch=launch, alone=alone)
    return report(results, {"ffmpeg": "movie, of ffmpeg", "launch": "movie, of gst-launch",
                            "alone": "movie, of the encoder alone"})


def effects(quick):
    """720p, the effects alone."""
    frames, rounds = (100, 3) if quick else (300, 5)
    print(f"   720p, the same effects alone, {frames} frames:")
    with Folder() as folder:
        pictures = Pictures(folder, 1280, 720, frames)
        null = ["-f", "null", "-"]
        read = ["ffmpeg", "-v", "error", *pictures.for_ffmpeg()]
        results = interleaved(
            rounds,
            graphctl=chain(folder, "effects", pictures, looks(pictures), {"out": {"type": "nullSink"}}),
            reading=chain(folder, "reading", pictures, {}, {"out": {"type": "nullSink"}}),
            ffmpeg=[*read, *ffmpeg_looks(pictures), *null],
            ordered=[*read, *ffmpeg_looks(pictures, by_hand=True), *null])
    return report(results, {"ffmpeg": "effects, of ffmpeg",
                            "ordered": "effects, of ffmpeg ordered by hand"})


def chains(quick):
    """Eight point effects beside one, and one affine effect by the frame."""
    frames, rounds = (100, 3) if quick else (300, 7)
    print(f"   1080p, colours alone, {frames} frames:")
    one = {"a": {"type": "sepia", "intensity": 0.8}}
    eight = {name: {"type": "sepia", "intensity": 0.1} if name in "ac" else matrix(MIX)
             for name in "abcdefgh"}
    with Folder() as folder:
        pictures = Pictures(folder, 1920, 1080, frames)
        sink = {"out": {"type": "nullSink"}}
        results = interleaved(
            rounds, none=chain(folder, "none", pictures, {"p": {"type": "pass"}}, sink),
            one=chain(folder, "one", pictures, one, sink),
            eight=chain(folder, "eight", pictures, eight, sink),
            curves=chain(folder, "curves", pictures, {"g": {"type": "gamma", "gamma": 1.5}}, sink))
    for name, usages in results.items():
        print(f"     {name:9} wall {median(usages, 'wall'):6.3f} s, cpu {median(usages, 'cpu'):6.3f} s")
    holds = verdict("eight effects, of one, CPU", ratio(results["eight"], results["one"], "cpu"),
                    BARS["eight effects, of one"], digits=3)
    cost = lambda name: 1000 * (median(results[name], "cpu") - median(results["none"], "cpu")) / frames
    print(f"     any function, through a table: {cost('curves'):.2f} ms a frame")
    return verdict("one affine effect, ms a frame", cost("one"), FRAME_BAR, digits=2) and holds


def each(quick):
    """CPU of each effect by the frame, beside ffmpeg on one thread; no bar."""
    frames, rounds = (50, 3) if quick else (200, 5)
    print(f"   1080p, effects alone beside ffmpeg's filters on one thread, {frames} frames:")
    null = ["-f", "null", "-"]
    with Folder() as folder:
        pictures = Pictures(folder, 1920, 1080, frames)
        read = ["ffmpeg", "-v", "error", "-threads", "1", "-filter_complex_threads", "1",
                *pictures.for_ffmpeg()]
        commands = {
            "": chain(folder, "none", pictures, {"p": {"type": "pass"}}, {"out": {"type": "nullSink"}}),
            " in ffmpeg": [*read, "-filter_complex", "null", *null]}
        for name, (node, theirs) in EACH.items():
            node = {**node, "path": pictures.logo} if name == "overlay" else node
            commands[name] = chain(folder, name, pictures, {"x": node}, {"out": {"type": "nullSink"}})
            if theirs:
                commands[name + " in ffmpeg"] = [
                    *read, "-filter_complex", theirs.format(logo=pictures.logo), *null]
        results = interleaved(rounds, **commands)
    for name in EACH:
        costs = [f"{1000 * (median(results[name + place], 'cpu') - median(results[place], 'cpu')) / frames:6.2f}"
                 for place in ("", " in ffmpeg") if name + place in results]
        print(f"     {name:9} {costs[0]} ms a frame" + (f", ffmpeg {costs[1]}" if costs[1:] else ""))
    return True


def likeness(quick):
    """The fused picture beside ffmpeg's, before encoding."""
    with Folder() as folder:
        pictures = Pictures(folder, 1280, 720, 20)
        ours, theirs = folder.file("ours.yuv"), folder.file("theirs.yuv")
        sink = {"out": {"type": "gst", "element": "filesink", "properties": {"location": ours}}}
        use(chain(folder, "ours", pictures, {"mix": matrix(MIX), "sepia": {"type": "sepia"}}, sink))
        to_rgb = "scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd+full_chroma_int" \
            "+full_chroma_inp+neighbor,format=gbrp"
        to_yuv = "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int" \
            "+full_chroma_inp+area,format=yuv420p"
        Pictures.make(*pictures.for_ffmpeg(), "-vf", f"{to_rgb},{mixer(MIX)},{mixer(SEPIA)},{to_yuv}",
                      "-f", "rawvideo", theirs)
        raw = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "1280x720", "-i"]
        log = subprocess.run(["ffmpeg", *raw, ours, *raw, theirs, "-lavfi", "psnr", "-f", "null", "-"],
                             capture_output=True, check=True).stderr.decode()
    found = re.search(r"average:([0-9.]+|inf)", log)
    value = float(found.group(1))
    holds = value >= LIKENESS
    print(f"   likeness to ffmpeg's picture: {value:.1f} dB (bar {LIKENESS} dB at least)"
          f" {'ok' if holds else 'MISSED'}")
    return holds


def report(results, bars):
    for name, usages in results.items():
        print(f"     {name:9} wall {median(usages, 'wall'):6.3f} s, cpu {median(usages, 'cpu'):6.3f} s")
    holds = True
    for other, bar in bars.items():
        holds = verdict(bar, ratio(results["graphctl"], results[other], "wall"), BARS[bar], digits=3) and holds
    return holds


def measure(quick):
    print("(g) effects beside ffmpeg and gst-launch; ratios of wall time")
    # Every one of them, also where one misses its bar.
    results = [part(quick) for part in (movie, effects, chains, each, likeness)]
    return all(results)
