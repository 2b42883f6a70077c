import GStreamer
import System

/// Inputs that have one format for good.
extension Lowerer {
  /// Gives a track of few frames a second units of time that hold their times: the muxer takes a
  /// hundred a frame, rounded down to whole ones a second, which may be none at all.
  func keepTime(of pad: Pad, _ wire: PlanWire) {
    guard let rate = frameRate(of: wire), rate < Rational(1) else { return }
    pad.set("trak-timescale", "1000")
  }

  /// Fails the run where a packet doesn't say when it is presented: AVI doesn't.
  func demandTimes(of pad: Pad, _ wire: PlanWire) {
    let context = context
    pad.replaceBuffers { buffer in
      if buffer.presentationTime != nil { return buffer }
      context.fail(
        PipelineFailure(
          node: wire.to.node,
          message: "the packets on \(wire.to) don't all say when they are presented, as in an AVI "
            + "file or a stream without a container, and a movie has to",
          remedy: "decode and encode them: wire a decoder and an encoder before \(wire.to)"))
      return nil
    }
  }

  private func frameRate(of wire: PlanWire) -> Rational? {
    if let rate = wire.format.frameRate { return rate }
    let earlier = plan.inputs(of: wire.from.node)
    return earlier.count == 1 ? frameRate(of: earlier[0]) : nil
  }

  /// Fails the run where a track's samples change to what its movie can't describe: a movie has
  /// one size a track, and `mp4mux` would write the others as if they had it.
  func keepFormat(of pad: Pad, _ wire: PlanWire) {
    let context = context
    let first = Monitor<[String: Substring]?>(nil)
    pad.guardFormat { caps in
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
  /// The fields that a track of a movie says once for all its samples, without their types.
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
