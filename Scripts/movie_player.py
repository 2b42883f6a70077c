"""Plays movies in Chromium, one after the other in one window that isn't shown."""
import http.server
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading

PAGE = """<!doctype html><meta charset="utf-8"><video id="video" muted></video><script>
const video = document.getElementById("video");
const event = name => new Promise(done => video.addEventListener(name, done, {once: true}));

async function play(name) {
  const late = new Promise(done => setTimeout(done, 30000, "late"));
  video.src = name;
  video.playbackRate = video.defaultPlaybackRate = 4;
  const failed = event("error").then(() => "error"), ended = event("ended").then(() => "ended");
  video.play().catch(() => {});
  const how = await Promise.race([failed, ended, late]);
  const quality = video.getVideoPlaybackQuality();
  return {name, how, error: video.error && video.error.message, end: video.currentTime,
          duration: video.duration, frames: quality.totalVideoFrames};
}
(async () => {
  while (true) {
    const name = await (await fetch("/next", {cache: "no-store"})).text();
    if (!name) continue;
    const result = await play(name);
    await fetch("/report", {method: "POST", body: JSON.stringify(result)});
  }
})();
</script>"""


class Handler(http.server.BaseHTTPRequestHandler):
    """The page, the names of the movies to play, their bytes by ranges, and reports."""

    def do_GET(self):
        if self.path == "/page":
            return self.answer(200, PAGE.encode(), "text/html")
        if self.path == "/next":
            try:
                name = self.server.wanted.get(timeout=5)
            except queue.Empty:
                name = ""
            return self.answer(200, name.encode(), "text/plain")
        path = self.server.paths.get(self.path)
        if not path:
            return self.answer(404, b"", "text/plain")
        with open(path, "rb") as file:
            data = file.read()
        start, _, end = self.headers.get("Range", "bytes=0-")[6:].partition("-")
        part = data[int(start):int(end) + 1 if end else len(data)]
        self.answer(
            206, part, "video/mp4",
            **{"Content-Range": f"bytes {start}-{int(start) + len(part) - 1}/{len(data)}",
               "Accept-Ranges": "bytes"})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(200, b"", "text/plain")
        self.server.reports.put(json.loads(body))

    def answer(self, status, data, kind, **headers):
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):
            # It has as much as it wants.
            pass

    def log_message(self, *words):
        pass


class Player:
    """Chromium, for as long as the `with` lasts."""

    def __enter__(self):
        browser = shutil.which("chromium")
        if not browser:
            sys.exit("there is no chromium; install it: apt-get install chromium")
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.wanted, self.server.reports = queue.Queue(), queue.Queue()
        self.server.paths, self.count = {}, 0
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.profile = tempfile.mkdtemp(prefix="chromium-")
        self.process = subprocess.Popen(
            [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--autoplay-policy=no-user-gesture-required",
             f"--user-data-dir={self.profile}",
             f"http://127.0.0.1:{self.server.server_port}/page"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.server.shutdown()
        shutil.rmtree(self.profile, ignore_errors=True)

    def play(self, path):
        """Plays a movie to its end; returns when that was, and what went wrong, or `None`."""
        self.count += 1
        name = f"/{self.count}.mp4"
        self.server.paths[name] = os.path.abspath(path)
        self.server.wanted.put(name)
        try:
            result = self.server.reports.get(timeout=90)
        except queue.Empty:
            return 0, "Chromium says nothing in 90 s"
        if result["how"] == "ended":
            return result["end"], None
        return result["end"] or 0, result["error"] or f"it stops at {result['end']} s"
