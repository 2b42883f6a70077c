/// A request for a file from an offset on, which `curl` makes: it follows redirects, goes through
/// proxies, and proves who the user is. For one thread; any may ``ChildProcess/kill()`` the program.
struct WebRequest {
  /// What has come.
  enum News {
    /// Nothing for now.
    case none
    /// Bytes, as many as are in the buffer's beginning.
    case bytes(Int)
    /// It has ended, with the exit code of `curl` and its words; `nil` where it was killed.
    case ended((code: Int32, words: String)?)
  }

  let program: ChildProcess
  private var messages: [UInt8] = []
  private var block = [UInt8](repeating: 0, count: 4_096)

  /// Headers and messages that are kept, in bytes. `curl` itself takes some hundred kilobytes.
  private static let mostMessages = 1 << 20

  /// Asks for a file.
  init(_ address: String, from offset: Int) throws(File.Failure) {
    let words = ["curl"] + Self.options + ["--range", "\(offset)-"]
    // It ends with this process, however that ends, even while a server stalls.
    program = try ChildProcess(
      "setpriv", ["--pdeathsig", "KILL"] + words, input: Self.configuration(address))
  }

  /// The exit code of a program that should start another which isn't there.
  static let isMissing: Int32 = 127

  /// The settings of the user's own aren't read, as they might put headers among the bytes.
  private static let options = [
    "--disable", "--config", "-", "--silent", "--show-error", "--fail", "--no-buffer",
    "--location", "--proto", "=http,https", "--proto-redir", "=http,https", "--max-redirs", "10",
    "--dump-header", "/dev/stderr", "--suppress-connect-headers", "--netrc-optional",
    "--user-agent", "GraphKit", "--header", "Accept-Encoding: identity",
  ]

  /// The address, as a file of settings: other users see the words of a command line.
  private static func configuration(_ address: String) -> [UInt8] {
    var text = "globoff\nurl = \""
    for character in address {
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n", "\r\n": text += "\\n"
      case "\r": text += "\\r"
      case " ": text += "%20"
      default: text.append(character)
      }
    }
    return Array((text + "\"\n").utf8)
  }

  /// What the server has said, once it has.
  var response: WebResponse? { WebResponse(String(decoding: messages, as: UTF8.self)) }

  /// Waits for what comes, for a time.
  mutating func next(into buffer: inout [UInt8], milliseconds: Int32) -> News {
    program.waitForOutput(milliseconds: milliseconds)
    // The server's words are there before the first byte is.
    readMessages()
    let count = program.output.read(into: &buffer)
    if count > 0 { return .bytes(count) }
    guard program.output.hasEnded, program.messages.hasEnded else { return .none }
    guard case .exited(let code) = program.waitForEnd() else { return .ended(nil) }
    return .ended((code, words(for: code)))
  }

  private mutating func readMessages() {
    while true {
      let count = program.messages.read(into: &block)
      guard count > 0 else { return }
      if messages.count < Self.mostMessages { messages += block[..<count] }
    }
  }

  /// What `curl` says in a line that begins with `curl: (6) `.
  private func words(for code: Int32) -> String {
    let lines = String(decoding: messages, as: UTF8.self).split(whereSeparator: \.isNewline)
    let start = "curl: (\(code)) "
    return lines.last { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
      ?? "it failed"
  }
}
