import Foundation

/// A server of the files of a folder, on this machine: one that keeps to HTTP, or doesn't.
public final class WebServer {
  /// How it serves files: the first part of a path.
  public enum Manner: String, Sendable, CaseIterable {
    /// Whole and in parts.
    case good
    /// The same, by way of another address.
    case moved
    /// The same, after two answers that it has no time.
    case busy
    /// The same, for anna with the password "secret".
    case locked
    /// Each connection ends after 300 kB, or 100.
    case cut, cut100
    /// Only whole, whatever is asked for; and so that it says so.
    case plain, none
    /// Only whole, and each connection ends after 300 kB.
    case plaincut
    /// Only whole, and without saying how long.
    case chunked
    /// The same, without an end.
    case endless
    /// Nothing comes of the bytes from 3 MB on, unless a request begins there.
    case stalled
    /// Nothing comes of the third megabyte, nor after it in the same answer.
    case stuck
    /// No answer comes.
    case silent
    /// Another version at each request, of which the first comes up to 300 kB.
    case changed
    /// It says that the bytes are compressed.
    case packed
    /// The answer is an error.
    case forbidden = "403"
    case unavailable = "503"
  }

  private let process = Process()
  private let port: String
  private let folder: String

  /// Serves a folder, on a port that is free.
  public init(_ folder: String) throws {
    self.folder = folder
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-u", "-c", Self.words, folder]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    // Where this process is killed it lives on, and who reads the tests' messages would wait for it.
    process.standardError = FileHandle.nullDevice
    try process.start()
    // One line, and nothing after it.
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = line.trimmingCharacters(in: .newlines)
  }

  // Not a signal that can be blocked: the threads of tests block most, and hand that on.
  deinit { kill(process.processIdentifier, SIGKILL) }

  /// The address of a file.
  public func address(of name: String, _ manner: Manner = .good, user: String = "") -> String {
    "http://\(user)127.0.0.1:\(port)/\(manner.rawValue)/\(name)"
  }

  /// What was asked for: the parts of files, `bytes=100-`, or `all`.
  public func requests(_ manner: Manner) -> [String] { notes("asked", manner) }

  /// How many bytes each answer had that has ended, as far as the system has taken them.
  public func sent(_ manner: Manner) -> [Int] { notes("sent", manner).compactMap { Int($0) } }

  /// Whether a connection stalls.
  public func stalls(_ manner: Manner) -> Bool { !notes("stalls", manner).isEmpty }

  private func notes(_ kind: Substring, _ manner: Manner) -> [String] {
    let text = (try? String(contentsOfFile: "\(folder)/requests.txt", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count > 1, words[0] == manner.rawValue, words[1] == kind else { return nil }
      return words.last.map(String.init)
    }
  }

  private static let words = #"""
    import base64, http.server, os, re, sys, threading

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *words): pass

        def note(self, kind, *words):
            print(kind, *words, file=log, flush=True)

        def fail(self, code, **fields):
            self.send_response(code)
            for name, value in fields.items(): self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_GET(self):
            _, kind, name = self.path.split("?")[0].split("/", 2)
            path = os.path.join(sys.argv[1], name)
            self.note(kind, "asked", self.headers.get("Range", "all"))
            with lock: counts[kind] = number = counts.get(kind, 0) + 1
            if kind.isdigit(): return self.fail(int(kind))
            if kind == "silent": return never.wait()
            if kind == "moved": return self.fail(302, Location="/good/" + name)
            if kind == "locked" and self.headers.get("Authorization") != password:
                return self.fail(401, WWW_Authenticate="Basic")
            if kind == "busy" and number < 3: return self.fail(503)
            if not os.path.isfile(path): return self.fail(404)
            with open(path, "rb") as file: self.answer(kind, number, file.read())

        def answer(self, kind, number, data):
            first = self.start(kind, number, data)
            if first is None: return
            end = len(data)
            if "cut" in kind: end = first + int("".join(filter(str.isdigit, kind)) or 300) * 1000
            if kind == "stalled" and first < 3_000_000: end = 3_000_000
            if kind == "stuck" and first < 3_000_000: end = max(first, 2_000_000)
            if kind == "changed" and number == 1: end = 300_000
            self.send(kind, data[first:end])
            if kind == "endless":
                while self.send(kind, data): pass
            if kind.startswith("st") and end < len(data):
                self.note(kind, "stalls")
                never.wait()
            self.close_connection = end < len(data)

        def start(self, kind, number, data):
            total, first = len(data), 0
            match = re.match(r"bytes=(\d+)-", self.headers.get("Range", ""))
            if match and kind not in ["plain", "plaincut", "none", "chunked", "endless"]:
                first = int(match[1])
                if first >= total:
                    self.fail(416, Content_Range=f"bytes */{total}")
                    return
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {first}-{total - 1}/{total}")
            else: self.send_response(200)
            if kind == "none": self.send_header("Accept-Ranges", "none")
            if kind == "packed": self.send_header("Content-Encoding", "gzip")
            self.send_header("ETag", '"%d"' % (number if kind == "changed" else 0))
            self.is_chunked = kind in ["chunked", "endless"]
            if self.is_chunked: self.send_header("Transfer-Encoding", "chunked")
            else: self.send_header("Content-Length", str(total - first))
            self.end_headers()
            return first

        def send(self, kind, data):
            sent, size = 0, 32_768
            try:
                for place in range(0, len(data), size):
                    part = data[place:place + size]
                    self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part) if self.is_chunked else part)
                    sent += len(part)
                if self.is_chunked and kind != "endless": self.wfile.write(b"0\r\n\r\n")
                return True
            except OSError:
                self.close_connection = True
            finally: self.note(kind, "sent", sent)

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True
        def handle_error(self, *_): pass

    log = open(os.path.join(sys.argv[1], "requests.txt"), "w")
    password = "Basic " + base64.b64encode(b"anna:secret").decode()
    never, lock, counts = threading.Event(), threading.Lock(), {}
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """#
}
