/// What a browser asks of an ``ImageServer``, read as RFC 9112 has it.
struct ImageRequest: Equatable {
  /// What it is given.
  enum Subject: Equatable {
    case images, newest
    case refusal(Int, String)
  }

  var subject: Subject
  /// Whether it wants to know of it alone (`HEAD`).
  var isHead = false

  private static let longest = 16_384

  /// Reads what has come so far; `nil` while it isn't whole. One of this machine alone answers to no
  /// other name.
  init?(_ bytes: [UInt8], isLocal: Bool) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("\r\n\r\n") || text.contains("\n\n") else {
      guard bytes.count > Self.longest else { return nil }
      subject = .refusal(431, "Request Too Large")
      return
    }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    let hosts = lines.dropFirst().prefix { !$0.isEmpty }.filter {
      $0.lowercased().hasPrefix("host:")
    }
    guard words.count == 3, words[2].hasPrefix("HTTP/1."), hosts.count < 2 else {
      subject = .refusal(400, "Bad Request")
      return
    }
    isHead = words[0] == "HEAD"
    let (host, path) = Self.parts(of: words[1], host: hosts.first?.dropFirst("host:".count))
    subject = Self.subject(words[0], path, isKnown: !isLocal || Self.isNumeric(host))
  }

  private static func subject(
    _ method: Substring, _ path: Substring, isKnown: Bool
  ) -> Subject {
    guard method == "GET" || method == "HEAD" else { return .refusal(405, "Method Not Allowed") }
    // A page of another name could have its own name lead here, and read what is shown.
    guard isKnown else { return .refusal(403, "Forbidden") }
    switch path.prefix(while: { $0 != "?" }) {
    case "/": return .images
    case "/still.jpg": return .newest
    default: return .refusal(404, "Not Found")
    }
  }

  /// The host and the path of a target, which may be a whole address; then that names the host.
  private static func parts(
    of target: Substring, host: Substring?
  ) -> (host: Substring?, path: Substring) {
    guard target.lowercased().hasPrefix("http://") else {
      return (host?.drop { $0 == " " || $0 == "\t" }, target)
    }
    let rest = target.dropFirst("http://".count)
    let name = rest.prefix { $0 != "/" && $0 != "?" }
    let path = rest[name.endIndex...]
    return (name, path.hasPrefix("/") ? path : "/\(path)"[...])
  }

  /// Whether a host is an address in numbers, or this machine, or not given.
  private static func isNumeric(_ host: Substring?) -> Bool {
    guard let host else { return true }
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } : host.prefix { $0 != ":" }
    return name.lowercased() == "localhost" || name.hasPrefix("[")
      || name.allSatisfy { $0.isASCII && $0.isNumber || $0 == "." }
  }
}
