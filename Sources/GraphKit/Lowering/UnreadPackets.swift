import GStreamer
import GraphKitSystem

/// The packets of a file's stream that its reader left out, such as those before a first key frame.
final class UnreadPackets: Sendable {
  let port: PortReference
  private let packets = Monitor<ParsedPackets?>(nil)

  init(of port: PortReference) { self.port = port }

  func note(_ parsed: ParsedPackets) { packets.withLock { $0 = parsed } }

  /// How many were left out, and what to say of them; `nil` where none was, and where the stream
  /// didn't come to its end.
  var loss: (count: Int, message: String)? {
    guard let packets = packets.withLock({ $0 }) else { return nil }
    let count = packets.entered - packets.left
    guard count > 0 else { return nil }
    let reason =
      count <= packets.latency
      ? "they come before its first key frame, or are damaged, so they can't be decoded"
      : "no frame could be read from them, so the file is damaged, or begins before a key frame"
    return (count, "\(count) of the \(packets.entered) packets of \(port) are left out: \(reason)")
  }
}

extension UnreadPackets {
  /// Compares what a reader's demuxer gives of a stream of video with what its parser makes of it.
  func count(_ reader: Element, stream id: String) {
    reader.onParsedVideo { [self] stream, packets in
      if stream == nil || stream == id { note(packets) }
    }
  }
}

extension RunContext {
  /// Warns where a reader's parser leaves out much of a stream of MPEG audio.
  func warnOfUnreadBytes(_ reader: Element, stream id: String, of port: PortReference) {
    reader.onParsedMPEGAudio { [self] stream, read, count in
      guard stream == nil || stream == id, failure == nil,
        !isFinishing.load(ordering: .relaxed), UnreadBytes.isMuch(count - read, of: count)
      else { return }
      log.send(
        .warning(
          node: port.node,
          message: "\(count - read) of the \(count) bytes of \(port) are left out: GStreamer's "
            + "parser finds no MPEG audio there"))
    }
  }
}

/// Bytes of a file of MPEG audio that are no packets.
enum UnreadBytes {
  /// Whether so many are more than a packet that was cut off, and the tags of a file, have.
  static func isMuch(_ missing: Int, of count: Int) -> Bool {
    missing > 4_096 && missing > count / 50
  }
}
