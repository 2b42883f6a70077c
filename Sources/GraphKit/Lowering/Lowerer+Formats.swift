import GStreamer
import System

/// What the tracks of a file ask of what enters them.
extension Lowerer {
  /// Has an input of a file keep to the file's rules.
  func apply(_ output: any FileOutput, to pad: Pad, _ wire: PlanWire, _ node: PlanNode) {
    var format = wire.format
    format.frameRate = plan.known(on: wire).frameRate
    row(output.padFilters(for: format), of: node).attach(to: pad)
    guard let rules = output.tracks else { return }
    if rules.haveOneFormat { keepFormat(of: pad, wire) }
    if rules.needTimes { demandTimes(of: pad, wire, in: rules.fileName) }
  }

  /// Fails the run where a packet doesn't say when it is presented: AVI doesn't.
  private func demandTimes(of pad: Pad, _ wire: PlanWire, in file: String) {
    let context = context
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
  private func keepFormat(of pad: Pad, _ wire: PlanWire) {
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
