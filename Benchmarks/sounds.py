"""Sound files to measure with: made once, and kept in a cache folder."""
import os
import subprocess
import tempfile

CODECS = {
    "wav": ["-c:a", "pcm_s16le"],
    "flac": ["-c:a", "flac"],
    "mp3": ["-c:a", "libmp3lame", "-b:a", "128k"],
    "m4a": ["-c:a", "aac", "-b:a", "128k"],
}

# Tones that come and go over pink noise, other ones on the left than on the right.
SIGNAL = (
    "anoisesrc=color=pink:amplitude=0.25:seed=1:sample_rate=44100:duration=60[noise];"
    "sine=f=220:sample_rate=44100:duration=60,tremolo=f=0.5:d=0.9[left];"
    "sine=f=331:sample_rate=44100:duration=60,tremolo=f=0.3:d=0.8[right];"
    "[noise]asplit[n1][n2];[n1][left]amix[l];[n2][right]amix[r];"
    "[l][r]amerge,aformat=s16:channel_layouts=stereo"
)


def folder():
    """Where the files are: SOUNDS, or a folder of the user's cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    path = os.environ.get("SOUNDS") or os.path.join(cache, "graphkit-benchmarks")
    os.makedirs(path, exist_ok=True)
    return path


def sound(minutes, kind):
    """The path of so many minutes of stereo at 44.1 kHz."""
    return made(f"s{minutes}.{kind}", 60 * minutes, CODECS[kind])


def second():
    """The path of a WAV file of one second."""
    return made("second.wav", 1, CODECS["wav"])


def made(name, seconds, codec):
    path = os.path.join(folder(), name)
    if not os.path.exists(path):
        print(f"   making {path}", flush=True)
        with tempfile.TemporaryDirectory(dir=folder()) as work:
            whole = os.path.join(work, name)
            ffmpeg("-stream_loop", "-1", "-i", minute(), "-t", str(seconds), *codec, whole)
            os.rename(whole, path)
    return path


def minute():
    path = os.path.join(folder(), "minute.wav")
    if not os.path.exists(path):
        ffmpeg("-filter_complex", SIGNAL, "-t", "60", "-c:a", "pcm_s16le", path)
    return path


def ffmpeg(*words):
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *words], check=True)
