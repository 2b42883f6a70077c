/// What the files that are read and written mean for the wires between them.
extension Blueprint {
  /// Whether a wire carries a file's packets into another file, with some that are only there to be
  /// decoded before the first that is presented.
  func copies(_ wire: PlanWire) -> Bool {
    guard let source = plan[wire.from.node], source.type.role == .source,
      output(of: wire.to.node)?.tracks?.skipLeads == true
    else { return false }
    guard source.node.work.elementNode != nil else { return false }
    return wire.format.kind == .encodedAudio || fileStream(wire.from)?.edit?.keyFrame != nil
  }

  /// Whether wires carry streams of files into another as they are, and that has no length of
  /// its own: it then begins with the first sample of any of them, as the file does.
  private func isCopiedWhole(_ wires: [PlanWire]) -> Bool {
    wires.allSatisfy { wire in
      plan[wire.from.node]?.node.fileStreams != nil && limits[wire] == nil
    }
  }

  /// How samples get into a sink: from a file into another, no thread is woken for each; and none is
  /// needed where one source feeds a writer, which never waits.
  func delivery(on wire: PlanWire, among wires: [PlanWire]) -> WireGroup.Delivery {
    guard output(of: wire.to.node) != nil, plan[wire.from.node]?.node.fileStreams != nil else {
      return .each
    }
    let isFed =
      wires.count == plan.inputs(of: wire.to.node).count
      && wires.allSatisfy { $0.from.node == wire.from.node }
    let isWritten = chain(of: wire.to.node)?.elements.isEmpty == true
    return isFed && isWritten && isCopiedWhole(wires) ? .direct : .batched
  }

  /// Frames start the session of a sink that has several inputs, and audio waits for them, but
  /// where all of them are copied whole.
  func session(of wire: PlanWire, among wires: [PlanWire]) -> SessionRole {
    let kinds = wires.map(\.format.kind)
    guard plan.outputs(of: wire.to.node).isEmpty, kinds.contains(.encodedVideo),
      !isCopiedWhole(wires)
    else { return .none }
    return switch wire.format.kind {
    case .encodedVideo: .starts
    case .encodedAudio:
      hasPresentationTimes(wire) ? .none : .waits(isLive: liveNodes.contains(wire.from.node))
    default: .none
    }
  }

  /// Whether a program says when each packet of a wire is heard.
  private func hasPresentationTimes(_ wire: PlanWire) -> Bool {
    plan[wire.from.node]?.node.work.entryNode?.hasPresentationTimes ?? false
  }

  /// Whether a wire leaves a live source with raw audio that ends beside video.
  func opensWithSilence(_ wire: PlanWire) -> Bool {
    guard plan[wire.from.node]?.node.traits.isLive == true, wire.format.kind == .audio else {
      return false
    }
    let following = plan.names(reachedFrom: [wire.to.node]).flatMap { plan.outputs(of: $0) }
    return ([wire] + following).contains { wire in
      guard wire.format.kind == .encodedAudio else { return false }
      if case .waits = session(of: wire, among: plan.inputs(of: wire.to.node)) { return true }
      return false
    }
  }

  /// What ends a source's wire where the session of a limited sink does.
  func limitGate(of wire: PlanWire) -> LimitGate? {
    guard let limit = limits[wire] else { return nil }
    let lead = copies(wire) ? fileStream(wire.from)?.edit?.lead.nanosecondsClamped ?? 0 : 0
    return LimitGate(
      limit.limit, wire: wire.name,
      LimitGate.Role(starts: limit.starts, waits: limit.waits, lead: lead))
  }

  /// What is known of each track of the file that a node writes; `nil` of a file without tracks.
  func tracks(of node: String) -> [OutputTrack]? {
    guard output(of: node)?.tracks != nil else { return nil }
    let wires = plan.inputs(of: node)
    let isCopy = isCopiedWhole(wires)
    return wires.map { wire in
      var track = track(wire)
      track.keepsStart = isCopy
      return track
    }
  }

  /// How much of an input comes before what is presented, unless it is encoded in the run; and
  /// which way up its frames are, which no coding changes.
  private func track(_ wire: PlanWire) -> OutputTrack {
    var track = OutputTrack()
    track.port = wire.to.port
    // What is decoded, cut and encoded again is another work.
    if let stream = fileStream(wire.from) {
      (track.chapters, track.location) = (stream.chapters, stream.location)
    }
    if copies(wire) {
      let edit = fileStream(wire.from)?.edit
      (track.lead, track.length) = (edit?.lead ?? .zero, edit?.length)
      track.start = edit?.delay ?? .zero
    }
    track.hasPresentationTimes = hasPresentationTimes(wire)
    track.isVideo = wire.format.kind == .encodedVideo
    track.isLive = liveNodes.contains(wire.from.node)
    track.priming = chain(of: wire.from.node)?.priming
    track.rotation = rotation(on: wire)
    return track
  }

  /// How players turn the frames of a track; `nil` where that isn't known.
  func rotation(on wire: PlanWire) -> Rotation? {
    output(of: wire.to.node)?.rotation ?? plan.known(on: wire).rotation
  }
}

extension StreamEdit {
  /// How much of what is decoded comes before what is presented.
  var lead: MediaTime { keyFrame.map { start - $0 } ?? start }

  /// How much is presented, where that is less than all from there on, and said exactly.
  var length: MediaTime? {
    keyFrame != nil || cutsLastPacket ? end.map { $0 - start } : nil
  }
}
