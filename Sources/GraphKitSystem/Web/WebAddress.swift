/// Paths that are addresses.
extension String {
  /// Whether a path is the address of a file of a web server.
  package var isWebAddress: Bool {
    let start = prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// The path on this machine that a `file://` address leads to; any other path as it is.
  package var localPath: String {
    let scheme = "file://"
    guard prefix(scheme.count).lowercased() == scheme else { return self }
    var path = dropFirst(scheme.count)
    if path.hasPrefix("localhost/") { path = path.dropFirst("localhost".count) }
    return path.hasPrefix("/") ? path.withoutPercents : self
  }

  /// A path as messages name it: an address without what may be secret, which is the user with the
  /// password, and what comes after a question mark (RFC 3986, section 3).
  package var withoutSecrets: String {
    guard isWebAddress, let colon = firstIndex(of: ":") else { return self }
    let start = index(colon, offsetBy: 3)
    let address = self[start...].prefix { $0 != "#" }
    let place = address.prefix { $0 != "?" }
    let authority = place.prefix { $0 != "/" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    let query = place.endIndex < address.endIndex ? "?…" : ""
    return self[..<start] + (host ?? authority) + place[authority.endIndex...] + query
  }
}

extension Substring {
  /// The text with `%20` as a space, and so on (RFC 3986, section 2.1).
  fileprivate var withoutPercents: String {
    var bytes: [UInt8] = []
    var rest = utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(Substring(rest.prefix(2))), radix: 16)
      else {
        bytes.append(byte)
        continue
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
