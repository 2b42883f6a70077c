/// What a server says of a file before it sends it (RFC 9110).
package struct WebResponse: Hashable, Sendable {
  /// The status code, such as 206.
  package let status: Int
  /// The server's words for it, such as `Not Found`; empty in HTTP/2.
  package let reason: String
  private let fields: [String: String]

  /// The last of the responses that a text holds, each of which ends with an empty line: those before
  /// it were redirects, or came from proxies. `nil` where there is none, or not all of it yet.
  package init?(_ text: String) {
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\n" }
    guard let start = lines.lastIndex(where: { $0.hasPrefix("HTTP/") }),
      let end = lines[start...].firstIndex(where: \.isEmpty), end < lines.count - 1
    else { return nil }
    let words = lines[start].split(separator: " ", maxSplits: 2)
    guard words.count > 1, let status = Int(words[1]) else { return nil }
    (self.status, reason) = (status, words.count > 2 ? String(words[2]) : "")
    var fields: [String: String] = [:]
    for line in lines[start + 1..<end] {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].trimmed
      fields[line[..<colon].lowercased()] = String(value)
    }
    self.fields = fields
  }

  /// Whether it says something of the file: that bytes of it come, or that it ends before those that
  /// were asked for.
  package var isAboutFile: Bool { [200, 206].contains(status) || status == 416 && size != nil }

  /// Where the bytes that follow begin in the file.
  package var start: Int { status == 206 ? contentRange?.start ?? 0 : 0 }

  /// Bytes of the whole file; `nil` where the server doesn't say.
  package var size: Int? {
    if status == 206 || status == 416 { return contentRange?.size }
    return fields["transfer-encoding"] == nil ? fields["content-length"].flatMap(Self.count) : nil
  }

  /// Whether the server gives parts of the file.
  package var takesRanges: Bool {
    status == 206 || fields["accept-ranges"]?.lowercased() == "bytes"
  }

  /// How the bytes are encoded, where they aren't those of the file.
  package var encoding: String? {
    fields["content-encoding"].flatMap { ["", "identity"].contains($0.lowercased()) ? nil : $0 }
  }

  /// Whether it is a response about another version of the file than an earlier one was.
  package func isOfAnotherVersion(than other: WebResponse) -> Bool {
    if let size, let otherSize = other.size, size != otherSize { return true }
    // Weak tags are the same for versions that differ in their bytes (section 8.8.1).
    if let tag = strongTag, let otherTag = other.strongTag { return tag != otherTag }
    guard let date = fields["last-modified"], let otherDate = other.fields["last-modified"] else {
      return false
    }
    return date != otherDate
  }

  private var strongTag: String? { fields["etag"].flatMap { $0.hasPrefix("W/") ? nil : $0 } }

  /// `bytes 100-199/1000`, where each number after the first may be missing: `bytes */1000`.
  private var contentRange: (start: Int?, size: Int?)? {
    guard let words = fields["content-range"]?.split(separator: " "), words.count == 2,
      words[0].lowercased() == "bytes"
    else { return nil }
    let parts = words[1].split(separator: "/")
    let start = parts.first?.split(separator: "-").first.flatMap(Self.count)
    return (start, parts.count > 1 ? Self.count(parts[1]) : nil)
  }

  private static func count(_ text: some StringProtocol) -> Int? {
    Int(text).flatMap { $0 < 0 ? nil : $0 }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    return start.lastIndex { $0 != " " && $0 != "\t" }.map { start[...$0] } ?? ""
  }
}
