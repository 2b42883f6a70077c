/// Why no more of a file of a web server can be had.
package enum WebFailure: Error, Hashable, Sendable {
  /// `curl` can't be started, in the system's words.
  case noCurl(String)
  /// The server's answer is an error.
  case refused(status: Int, reason: String)
  /// `curl` got no answer; with its exit code and words.
  case unreached(code: Int32, words: String)
  /// The connection was cut again and again at a byte.
  case cut(at: Int, size: Int?, takesRanges: Bool)
  /// Nothing came for so many seconds.
  case silent(seconds: Double)
  /// The server doesn't say how long the file is, and has sent more than it may then.
  case endless(seconds: Double)
  /// The bytes are encoded, though that wasn't asked for.
  case encoded(String)
  /// The server has another version of the file since it was opened.
  case changed
  /// The copy can't be written, in the system's words.
  case copy(folder: String, words: String)

  /// What is wrong, after the address.
  package var text: String {
    switch self {
    case .noCurl(let words): "`curl`, which reads from web servers, can't be started: \(words)"
    case .refused(let status, let reason):
      "the server answers \(status)\(reason.isEmpty ? "" : " \(reason)")"
    case .unreached(let code, let words): "\(words) (curl \(code))"
    case .cut(let place, let size, let takesRanges):
      "the connection is cut again and again at byte \(place)"
        + (size.map { " of \($0)" } ?? "")
        + (takesRanges ? "" : ", and the server gives no parts of files")
    case .silent(let seconds): "the server has sent nothing for \(seconds.words) s"
    case .endless(let seconds):
      "the server doesn't say how long it is, and goes on sending after \(seconds.words) s"
    case .encoded(let name): "the server sends it in the encoding `\(name)`, unasked"
    case .changed: "the server has another version of it since it was opened"
    case .copy(let folder, let words): "its copy in `\(folder)` can't be written: \(words)"
    }
  }

  /// What to do.
  package var remedy: String {
    switch self {
    case .noCurl: "install the packages curl and util-linux"
    case .refused(let status, _) where [401, 407].contains(status):
      "give user and password in the address, `https://user:password@…`, or in ~/.netrc"
    case .refused where isTemporary, .silent, .cut: "try again later, or download the file first"
    case .refused: "check the address"
    case .unreached(let code, _) where Self.ofTrust.contains(code):
      "have the server's certificate trusted, for example by CURL_CA_BUNDLE"
    case .unreached: "check the address, the network and the proxy"
    case .endless: "read it through a pipe, or download it first"
    case .encoded: "download the file first, with `curl --compressed`"
    case .changed: "run again"
    case .copy: "make room there, or name another folder by TMPDIR"
    }
  }

  /// Whether it may be had at another time.
  package var isTemporary: Bool {
    switch self {
    case .refused(let status, _): Self.temporary.contains(status)
    case .unreached(let code, _): !Self.ofTrust.contains(code) && !Self.ofRequests.contains(code)
    case .cut, .silent, .changed: true
    case .noCurl, .endless, .encoded, .copy: false
    }
  }

  /// The status codes that `curl --retry` takes for temporary, too.
  private static let temporary: Set = [408, 429, 500, 502, 503, 504]
  /// The exit codes of `curl` for certificates that aren't trusted and keys that can't be used, and for
  /// what it can't do, such as to speak with a server that has no TLS.
  private static let ofTrust: Set<Int32> = [51, 53, 54, 58, 59, 60, 66, 77, 80, 82, 83, 90, 91]
  private static let ofRequests: Set<Int32> = [1, 2, 3, 4, 35, 47]
}

extension Double {
  fileprivate var words: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
