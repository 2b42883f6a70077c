import Testing

/// A server of the files of a folder, on this machine: one that keeps to HTTP, or doesn't.
final class WebServer {
  /// How it serves files: the first part of a path.
  enum Manner: String, CaseIterable {
    /// Whole and in parts.
    case good
    /// The same, by way of another address.
    case moved
    /// Each connection ends after 300 kB.
    case cut
    /// Only whole, whatever is asked for; and so that it says so.
    case plain, none
    /// Only whole, and each connection ends after 300 kB.
    case cutplain
    /// Nothing comes of the bytes from 3 MB on, unless a request begins there.
    case stalled
    /// No answer comes.
    case silent
    /// The answer is 403.
    case denied
    /// It doesn't say how long a file is.
    case endless
  }

  private let program: BackgroundProgram
  private let port: String
  private let folder: Folder

  /// Serves a folder, on a port that is free.
  init(_ folder: Folder) async throws {
    program = try await BackgroundProgram("python3", ["-u", "-c", Self.words, folder.path])
    port = try #require(await program.lines.next())
    self.folder = folder
  }

  /// The address of a file.
  func address(of name: String, _ manner: Manner = .good) -> String {
    "http://127.0.0.1:\(port)/\(manner)/\(name)"
  }

  /// What was asked for: the parts of files, `bytes=100-`, or `all`.
  func requests(_ manner: Manner) -> [String] {
    folder.text("requests.txt").split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.first == Substring(manner.rawValue) ? words.last.map(String.init) : nil
    }
  }

  private static let words = #"""
    import http.server, os, re, sys, threading

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *words): pass

        def fail(self, code):
            self.send_response(code)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_GET(self):
            _, kind, name = self.path.split("?")[0].split("/", 2)
            path = os.path.join(sys.argv[1], name)
            print(kind, self.headers.get("Range", "all"), file=log, flush=True)
            if kind == "denied": return self.fail(403)
            if kind == "silent": return never.wait()
            if kind == "moved":
                self.send_response(302)
                self.send_header("Location", "/good/" + name)
                self.send_header("Content-Length", "0")
                return self.end_headers()
            if not os.path.isfile(path): return self.fail(404)
            self.answer(kind, open(path, "rb").read())

        def answer(self, kind, data):
            total, first = len(data), 0
            match = re.match(r"bytes=(\d+)-", self.headers.get("Range", ""))
            if match and "plain" not in kind and kind != "none":
                first = int(match[1])
                if first >= total: return self.fail(416)
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {first}-{total - 1}/{total}")
            else: self.send_response(200)
            if kind == "none": self.send_header("Accept-Ranges", "none")
            elif "plain" not in kind: self.send_header("Accept-Ranges", "bytes")
            if kind == "endless": self.send_header("Connection", "close")
            else: self.send_header("Content-Length", str(total - first))
            self.end_headers()
            end = first + 300_000 if "cut" in kind else total
            if kind == "stalled" and first < 3_000_000: end = 3_000_000
            try:
                self.wfile.write(data[first:end])
                if kind == "stalled" and end < total: never.wait()
            except OSError: pass
            self.close_connection = "cut" in kind or kind == "endless"

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True
        def handle_error(self, *_): pass

    log = open(os.path.join(sys.argv[1], "requests.txt"), "w")
    never = threading.Event()
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """#
}
