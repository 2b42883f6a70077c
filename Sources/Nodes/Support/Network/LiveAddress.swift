import GraphKit

/// The address of a live stream.
struct LiveAddress {
  /// As the graph has it.
  let uri: String

  private static let schemes = [
    "udp", "srt", "rtsp", "rtsps", "rtmp", "rtmps", "http", "https",
  ]

  var scheme: String { uri.prefix { $0 != ":" }.lowercased() }

  /// The address without what may be secret: a password, and what follows a question mark.
  var place: String { Self.place(of: uri) }

  static func place(of uri: String) -> String {
    let shown = uri.prefix { $0 != "?" }
    guard let start = shown.firstRange(of: "://")?.upperBound else { return String(shown) }
    let authority = shown[start...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return String(shown) }
    return String(shown[..<start] + shown[shown.index(after: at)...])
  }

  /// Leaves out of a message what may be secret.
  func withoutSecrets(_ message: String) -> String {
    // Elements may be given the same address with another scheme.
    let rest = uri.dropFirst(scheme.count)
    return rest.isEmpty ? message : message.replacing(rest, with: place.dropFirst(scheme.count))
  }

  /// Whether its connection is encrypted, and its server has a certificate.
  var isSecure: Bool { ["rtsps", "rtmps", "https"].contains(scheme) }

  /// What was wrong with the certificate of its server, if that was refused since this was asked last.
  func certificateProblem(in environment: any Environment) -> NodeError? {
    guard isSecure, let match = place.prefixMatch(of: Self.server) else { return nil }
    let host = match.output.1.filter { !"[]".contains($0) }.lowercased()
    return environment.certificateProblem(host: host, port: match.output.2.flatMap { Int($0) })
  }

  private static var server: Regex<(Substring, Substring, Substring?)> {
    /[a-zA-Z]+:\/\/(\[[^\]\/]*\]|[^:\/]+)(?::(\d+))?/
  }

  /// Whether its end is one: a playlist says so itself.
  var endsForGood: Bool { scheme.hasPrefix("http") }

  /// Whether packets come with the times at which they are decoded: RTP has those of presentation.
  var givesDecodeTimes: Bool { !scheme.hasPrefix("rtsp") }

  /// Whether it is named as a playlist of segments.
  var isPlaylist: Bool {
    let path = place.prefix { $0 != "#" }.lowercased()
    return endsForGood && [".m3u8", ".m3u", ".mpd"].contains(where: path.hasSuffix)
  }

  /// Whether it waits to be connected to, so that opening it anew helps nothing.
  var isWaiting: Bool {
    scheme == "udp" || (scheme == "srt" && uri.contains("mode=listener"))
  }

  /// What is wrong with an address, or with streams in datagrams beside its connection; `nil` where nothing
  /// is.
  static func problem(_ uri: String, inDatagrams: Bool = false) -> NodeError? {
    let address = LiveAddress(uri: uri)
    guard schemes.contains(address.scheme), uri.contains("://") else {
      return NodeError(
        "`\(address.place)` is no address of a live stream",
        remedy: "write it as udp://:5004, srt://host:port, rtsp://…, rtmp://… or https://….m3u8; "
          + "a file is read by `file`", key: "uri")
    }
    switch address.scheme {
    case "udp": return problem(udp: uri)
    case "srt": return NetworkAddress.problem(srt: uri)
    default: return problem(url: uri, address) ?? (inDatagrams ? address.datagramProblem : nil)
    }
  }

  private var datagramProblem: NodeError? {
    guard scheme == "rtsps" else { return nil }
    return NodeError(
      "`rtsps` encrypts what goes over the connection, and datagrams wouldn't be",
      remedy: "leave out `transport`, or set it to tcp", key: "transport")
  }

  private static func problem(udp uri: String) -> NodeError? {
    let remedy = "write it as udp://:5004, or udp://239.1.1.1:5004 for a group"
    guard
      let match = uri.wholeMatch(
        of: /udp:\/\/([^\s:\/?"@]*|\[[0-9a-fA-F:]+\]):(\d{1,5})/.ignoresCase())
    else {
      return NodeError("`\(place(of: uri))` is no address of UDP", remedy: remedy, key: "uri")
    }
    guard let port = Int(match.output.2), (1...65_535).contains(port) else {
      return NodeError("there is no port \(match.output.2)", remedy: remedy, key: "uri")
    }
    return nil
  }

  private static func problem(url uri: String, _ address: LiveAddress) -> NodeError? {
    let form = /[a-z]+:\/\/([^\s\/?"@]*@)?([^\s:\/?"@\[\]]+|\[[0-9a-fA-F:]+\])(:(\d{1,5}))?(\/\S*)?/
      .ignoresCase()
    let remedy = "write it as \(address.scheme)://example.org/path"
    guard let match = uri.wholeMatch(of: form) else {
      return NodeError("`\(address.place)` names no host", remedy: remedy, key: "uri")
    }
    if let number = match.output.4, !(1...65_535).contains(Int(number) ?? 0) {
      return NodeError("there is no port \(number)", remedy: remedy, key: "uri")
    }
    guard !NetworkAddress.isGroup(match.output.2) else {
      return NodeError(
        "`\(address.place)` is the address of a group (multicast), and a server is one machine",
        remedy: "give the address of one, or use UDP", key: "uri")
    }
    return nil
  }

  /// What receives a transport stream; `nil` where an element of GStreamer's does all of it.
  var receiver: ElementSpec? {
    switch scheme {
    // All of a sender's key frame comes at once.
    case "udp": ElementSpec("udpsrc", plugin: "udp", ["uri": udp, "buffer-size": "4194304"])
    // It would connect again by itself, and not say so.
    case "srt":
      ElementSpec("srtsrc", plugin: "srt", ["uri": uri.propertyText, "auto-reconnect": "false"])
    default: nil
    }
  }

  /// The element that connects to it and gives its tracks, where nothing else receives them.
  func decodingReceiver(_ transport: LiveStream.Transport, _ tracks: [LiveTrack]) -> ElementSpec {
    tracks.decodingElement("uridecodebin", ["uri": rtsp(transport).propertyText])
  }

  private var udp: String {
    let place = uri.dropFirst("udp://".count)
    return "udp://" + (place.hasPrefix(":") ? "0.0.0.0" : "") + place
  }

  private func rtsp(_ transport: LiveStream.Transport) -> String {
    switch (scheme, transport) {
    // Datagrams wouldn't be encrypted.
    case ("rtsps", _): "rtspst" + uri.dropFirst(5)
    case ("rtsp", .tcp): "rtspt" + uri.dropFirst(4)
    case ("rtsp", .udp): "rtspu" + uri.dropFirst(4)
    default: uri
    }
  }
}

extension PipelineFailure {
  /// Why a connection has failed: elements for RTSP say no more of one that wasn't made than that the
  /// address can't be opened.
  var connectionReason: String {
    guard detail?.contains("Failed to connect. (") == true else {
      // Elements that read segments add where in their source it happened.
      return message.firstRange(of: ": ../").map { String(message[..<$0.lowerBound]) } ?? message
    }
    return "no connection could be made: check host and port, and that the server runs"
  }
}
