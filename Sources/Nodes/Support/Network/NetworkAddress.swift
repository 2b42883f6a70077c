import GraphKit

/// What is wrong with addresses of receivers.
enum NetworkAddress {
  /// Of a host by its name or number.
  static func problem(host: String) -> NodeError? {
    // A host that isn't given yet is reported by another rule.
    guard !host.isEmpty, host.contains(where: { " /\"@?".contains($0) || !$0.isASCII }) else {
      return nil
    }
    return NodeError(
      "`\(host)` is no name or address of a host",
      remedy: "write it as 192.168.1.20 or example.org",
      key: "host")
  }

  /// Whether a host is the number of a group of receivers (RFC 5771, 4; RFC 4291, 2.7).
  static func isGroup(_ host: Substring) -> Bool {
    if let match = host.wholeMatch(of: /(\d{1,3})(\.\d{1,3}){3}/), let first = Int(match.output.1) {
      return (224...239).contains(first)
    }
    return host.hasPrefix("[ff") || host.hasPrefix("[FF")
  }

  /// Of an address of SRT.
  static func problem(srt uri: String) -> NodeError? {
    let remedy = "write it as srt://example.org:7001, or srt://:7001?mode=listener"
    // What follows may be secret.
    let place = uri.prefix { $0 != "?" }
    guard let match = uri.wholeMatch(of: /srt:\/\/([^\s:\/?"]*):(\d{1,5})(\?\S*)?/) else {
      return NodeError("`\(place)` is no address of SRT", remedy: remedy, key: "uri")
    }
    guard let port = Int(match.output.2), (1...65_535).contains(port) else {
      return NodeError("there is no port \(match.output.2)", remedy: remedy, key: "uri")
    }
    guard !isGroup(match.output.1) else {
      return NodeError(
        "`\(place)` is the address of a group (multicast), and SRT connects two machines",
        remedy: "give the address of one, or use UDP", key: "uri")
    }
    let isListener = match.output.3?.contains("mode=listener") == true
    guard match.output.1.isEmpty, !isListener else { return nil }
    return NodeError(
      "`\(place)` names no host to connect to", remedy: remedy, key: "uri")
  }
}
