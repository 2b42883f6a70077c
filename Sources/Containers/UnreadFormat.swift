import Media

/// A format of files that no plug-in of GStreamer reads, known by how its files begin.
package enum UnreadFormat: CaseIterable {
  case tak, optimFROG

  /// The format of a file that begins so; `nil` for all others.
  package init?(_ head: [UInt8]) {
    guard let format = Self.allCases.first(where: { head.starts(with: $0.signature.utf8) }) else {
      return nil
    }
    self = format
  }

  private var signature: String {
    switch self {
    case .tak: "tBaK"
    case .optimFROG: "OFR "
    }
  }

  /// Why a file of the format isn't read, and what to do.
  package func error(_ path: String) -> NodeError {
    let (name, remedy) =
      switch self {
      case .tak: ("TAK", "convert it, for example with ffmpeg to FLAC")
      case .optimFROG: ("OptimFROG", "convert it with OptimFROG's own program, for example to WAV")
      }
    return NodeError(
      "`\(path)` is \(name), which no plug-in of GStreamer reads", remedy: remedy, key: "path")
  }
}
