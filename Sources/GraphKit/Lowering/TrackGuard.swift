import GStreamer
import GraphKitSystem

/// What the track of a file asks of what enters it.
struct TrackGuard {
  let wire: PlanWire
  let context: RunContext

  /// Fails the run where a packet doesn't say when it is presented: AVI doesn't.
  func demandTimes(of pad: Pad, in file: String) {
    let (wire, context) = (wire, context)
    pad.replaceBuffers { buffer in
      if buffer.presentationTime != nil { return buffer }
      context.fail(
        PipelineFailure(
          node: wire.to.node,
          message: "the packets on \(wire.to) don't all say when they are presented, as in an AVI "
            + "file or a stream without a container, and a \(file) has to",
          remedy: "decode and encode them: wire a decoder and an encoder before \(wire.to)"))
      return nil
    }
  }

  /// Fails the run where a track's samples change to what its file can't describe: a track has one
  /// size, and a muxer would write the others as if they had it.
  func keepFormat(of pad: Pad) {
    let (wire, context) = (wire, context)
    let first = Monitor<[String: Substring]?>(nil)
    pad.guardFormat { _, caps in
      let new = caps.essentials
      let old = first.withLock { first -> [String: Substring] in
        if first == nil { first = new }
        return first ?? new
      }
      guard old != new else { return true }
      context.fail(
        PipelineFailure(
          node: wire.to.node,
          message: "the format on \(wire.to) changed\(change(from: old, to: new)) while it ran, "
            + "and a track has one",
          remedy: "decode it and encode it again, in one size and one sample rate"))
      return false
    }
  }
}

/// Says in words what changed, where it isn't the encoder's own settings alone.
private func change(from old: [String: Substring], to new: [String: Substring]) -> String {
  let words = [old, new].map { format in
    if let width = format["width"], let height = format["height"] { return "\(width)x\(height)" }
    return "\(format["rate"] ?? "?") Hz, \(format["channels"] ?? "?") channels"
  }
  return words[0] == words[1] ? "" : " from \(words[0]) to \(words[1])"
}

extension Caps {
  /// The fields that a track of a file says once for all its samples, without their types.
  fileprivate var essentials: [String: Substring] {
    var fields: [String: Substring] = [:]
    for field in description.split(separator: ",").map({ $0.drop { $0 == " " } }) {
      let parts = field.split(separator: "=", maxSplits: 1)
      guard parts.count == 2,
        ["width", "height", "rate", "channels", "codec_data"].contains(parts[0])
      else { continue }
      fields[String(parts[0])] = parts[1].drop { $0 != ")" }.dropFirst()
    }
    return fields
  }
}
