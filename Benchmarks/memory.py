"""(d) Peak memory over 1, 10 and 60 minutes of media: nothing may grow with the length."""
from measuring import Folder, use, verdict

BAR = 1.10


def processing(folder, minutes):
    return folder.graph(
        "processing",
        {
            "tone": {"type": "testAudio", "seconds": minutes * 60},
            "gain": {"type": "gain", "decibels": -6},
            "picture": {
                "type": "testVideo", "width": 320, "height": 240, "seconds": minutes * 60,
                "pixelFormat": "bgra", "pattern": "black",
            },
            "mask": {"type": "channelMask", "red": False},
            "sound": {"type": "nullSink"}, "light": {"type": "nullSink"},
        },
        "tone -> gain -> sound", "picture -> mask -> light")


def recording(folder, minutes):
    return folder.graph(
        "recording",
        {
            "picture": {
                "type": "testVideo", "width": 160, "height": 120, "frameRate": 30,
                "seconds": minutes * 60, "pattern": "ball",
            },
            "tone": {"type": "testAudio", "channels": 1, "seconds": minutes * 60},
            "video": {"type": "h264Encoder", "preset": "ultrafast", "bitRate": 100_000},
            "audio": {"type": "aacEncoder"},
            "movie": {"type": "mp4Sink", "path": folder.file("movie.mp4"), "overwrite": True},
        },
        "picture -> video -> movie.video", "tone -> audio -> movie.audio")


def measure(quick):
    lengths = (1, 5) if quick else (1, 10, 60)
    print(f"(d) peak memory over {', '.join(map(str, lengths))} minutes of media")
    holds = True
    for name, graph in (("processing", processing), ("recording", recording)):
        with Folder() as folder:
            peaks = [use(graph(folder, minutes)).peak for minutes in lengths]
        print(f"   {name}: " + ", ".join(f"{peak:.1f} MiB" for peak in peaks))
        holds &= verdict(f"{name}, longest to shortest", peaks[-1] / peaks[0], BAR)
    return holds
