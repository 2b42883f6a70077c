import GStreamer
import System

/// Streams of which a file has a part presented.
extension Lowerer {
  /// Whether a wire carries a file's packets into another file, with some that are only there to be
  /// decoded before the first that is presented.
  func copies(_ wire: PlanWire) -> Bool {
    guard let source = plan[wire.from.node], source.type.role == .source,
      fileOutputs[wire.to.node]?.tracks?.skipLeads == true
    else { return false }
    guard source.node.work.elementNode != nil else { return false }
    return wire.format.kind == .encodedAudio || fileStreams[wire.from]?.edit?.keyFrame != nil
  }

  /// Whether wires carry streams of files into another as they are, and that has no length of
  /// its own: it then begins with the first sample of any of them, as the file does.
  func isCopiedWhole(_ wires: [PlanWire]) -> Bool {
    wires.allSatisfy { wire in
      plan[wire.from.node]?.node.fileStreams != nil && limits[wire] == nil
    }
  }

  /// Has files take in the packets that come before what is presented, which a muxer would throw
  /// away. Their edit lists skip them afterwards.
  func keepLeads() {
    for wire in plan.wires where copies(wire) {
      guard let edit = fileStreams[wire.from]?.edit, edit.origin == nil, !edit.keepsSegments else {
        continue
      }
      // Rounded down, as demuxers do: a key frame from before its segment would be left out.
      let first = edit.keyFrame?.nanoseconds(rounding: .towardNegativeInfinity) ?? 0
      sinkPads[wire.to]?.present(
        Presentation(
          start: UInt64(max(0, first)),
          stop: edit.keyFrame == nil ? nil : edit.end.flatMap(\.clock),
          delay: edit.delay.clock ?? 0, end: nil))
    }
  }

  /// What is known of each track of the files that are written.
  var tracks: [String: [OutputTrack]] {
    var tracks: [String: [OutputTrack]] = [:]
    for node in plan.nodes where fileOutputs[node.name]?.tracks != nil {
      let wires = plan.inputs(of: node.name)
      let isCopy = isCopiedWhole(wires)
      tracks[node.name] = wires.map { wire in
        var track = track(wire)
        track.keepsStart = isCopy
        return track
      }
    }
    return tracks
  }

  /// How much of an input comes before what is presented, unless it is encoded in the run; and
  /// which way up its frames are, which no coding changes.
  private func track(_ wire: PlanWire) -> OutputTrack {
    var track = OutputTrack()
    if copies(wire) { track.lead = fileStreams[wire.from]?.edit?.lead ?? .zero }
    track.priming = primings[wire.from.node]
    track.rotation = rotation(on: wire)
    return track
  }

  /// How players turn the frames of a track; `nil` where that isn't known.
  func rotation(on wire: PlanWire) -> Rotation? {
    fileOutputs[wire.to.node]?.rotation ?? plan.known(on: wire).rotation
  }
}

extension StreamEdit {
  /// Presents what passes a pad as the edit says.
  func apply(to pad: Pad) {
    if hasRoundedEnd { pad.shortenSegments(by: quarterSample) }
    if !keepsSegments { pad.present(presentation) }
  }
}

extension StreamEdit {
  /// How much of what is decoded comes before what is presented.
  var lead: MediaTime { keyFrame.map { start - $0 } ?? start }

  fileprivate var presentation: Presentation {
    if keyFrame != nil { return picturePresentation }
    if let origin {
      return Presentation(start: origin.clock ?? 0, stop: nil, delay: 0, end: nil)
    }
    let quarter = quarterSample
    let (first, end) = (start.clock ?? 0, end.flatMap(\.clock))
    return Presentation(
      start: first > 0 ? first + quarter : 0,
      stop: cutsLastPacket ? end.map { $0 - min($0, quarter) } : nil,
      delay: delay.clock ?? 0,
      // A packet that begins there may be said to begin a nanosecond earlier.
      end: end.map { $0 - min($0, quarter) })
  }

  /// A quarter of a sample, in nanoseconds: so far inside of what is presented, neither rounding makes
  /// it one sample more or less.
  private var quarterSample: UInt64 { 250_000_000 / UInt64(max(start.timescale, 1)) }

  /// A frame is shown whole, and one that is presented after the end may be needed to decode
  /// another from before it: so decoders cut.
  private var picturePresentation: Presentation {
    // Inside by more than rounding can make, or there would be a frame of a nanosecond.
    Presentation(
      start: (start.clock ?? 0) + 2, stop: end.flatMap(\.clock), delay: delay.clock ?? 0, end: nil)
  }
}
