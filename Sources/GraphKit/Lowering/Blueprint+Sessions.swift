/// What the files that are read and written mean for the wires between them.
extension Blueprint {
  /// Whether a wire carries a file's packets into another file, with some that are only there to be
  /// decoded before the first that is presented.
  func copies(_ wire: PlanWire) -> Bool {
    guard let source = plan[wire.from.node], source.type.role == .source,
      output(of: wire.to.node)?.tracks?.skipsLeads(of: wire.format) == true
    else { return false }
    guard source.node.work.elementNode != nil || isHandedOver(wire) else { return false }
    return wire.format.kind == .encodedAudio || fileStream(wire.from)?.edit?.keyFrame != nil
  }

  /// Whether a wire carries a range of a file's stream as it is, with what decoding it begins with.
  func copiesRange(_ wire: PlanWire) -> Bool {
    fileStream(wire.from)?.range != nil && wire.format.isEncoded
      && plan[wire.to.node]?.node.traits.copiesRanges == true
  }

  /// Whether wires carry streams of files into another as they are, and that has no length of
  /// its own: it then begins with the first sample of any of them, as the file does.
  private func isCopiedWhole(_ wires: [PlanWire]) -> Bool {
    wires.allSatisfy { wire in fileStream(wire.from) != nil && !isLimited(wire.to.node) }
  }

  /// How samples get into a sink: from a file into another, no thread is woken for each; and none is
  /// needed where one source feeds a writer, which never waits.
  func delivery(on wire: PlanWire, among wires: [PlanWire]) -> WireGroup.Delivery {
    guard output(of: wire.to.node) != nil, fileStream(wire.from) != nil else { return .each }
    let isFed =
      wires.count == plan.inputs(of: wire.to.node).count
      && wires.allSatisfy { $0.from.node == wire.from.node }
    let isWritten = chain(of: wire.to.node)?.elements.isEmpty == true
    return isFed && isWritten && isCopiedWhole(wires) ? .direct : .batched
  }

  /// Whether wires carry what comes from files alone into one that has no length of its own: it then
  /// begins with the first sample of any of them, as what it is made from does.
  private func keepsStart(_ wires: [PlanWire]) -> Bool {
    let sources = plan.names(leadingTo: wires.map(\.from.node))
    return !wires.contains { isLimited($0.to.node) || liveNodes.contains($0.from.node) }
      && !sources.contains(where: isProgram)
  }

  /// Whether a sink has a length of its own.
  private func isLimited(_ sink: String) -> Bool {
    plan[sink]?.node.traits.maximumDuration != nil
  }

  /// Whether a program gives a node its samples.
  private func isProgram(_ node: String) -> Bool {
    guard let node = plan[node], node.isEntry else { return false }
    return node.node.fileStreams == nil
  }

  /// Frames start the session of a sink that has several inputs, and audio waits for them, but where all
  /// of them are copied whole. What is before them is left out where a device or a program gives any of
  /// them, or the sink has a length.
  func session(of wire: PlanWire, among wires: [PlanWire]) -> SessionRole {
    let kinds = wires.map(\.format.kind)
    guard plan.outputs(of: wire.to.node).isEmpty, kinds.contains(.encodedVideo),
      !isCopiedWhole(wires), output(of: wire.to.node)?.tracks?.haveKnownStart != true
    else { return .none }
    return switch wire.format.kind {
    case .encodedVideo: .starts
    case .encodedAudio where keepsStart(wires): .waitsWhole
    case .encodedAudio:
      hasPresentationTimes(wire) ? .none : .waits(isLive: liveNodes.contains(wire.from.node))
    default: .none
    }
  }

  /// Whether a track ends with the others of its sink where the run is asked to end. Live sources end
  /// at that moment, and a program says itself where its samples end.
  func endsTogether(_ wire: PlanWire, among wires: [PlanWire]) -> Bool {
    let isWaiting = wires.allSatisfy { wire in
      wire.format.isEncoded && !asideWires.contains(wire)
        && delivery(on: wire, among: wires) != .direct
    }
    guard wires.count > 1, isWaiting, plan.outputs(of: wire.to.node).isEmpty,
      !liveNodes.contains(wire.to.node)
    else { return false }
    return !plan.names(leadingTo: [wire.to.node]).contains { plan[$0]?.isEntry == true }
  }

  /// Whether a program says when each packet of a wire is heard.
  private func hasPresentationTimes(_ wire: PlanWire) -> Bool {
    plan.entry(of: wire)?.hasPresentationTimes ?? false
  }

  /// Whether a wire carries packets as a live source receives them: their times are those at which they are
  /// heard, also of what their encoder began with.
  private func isReceived(_ wire: PlanWire) -> Bool {
    guard let node = plan[wire.from.node], !node.isEntry, wire.format.isEncoded else {
      return false
    }
    if node.type.role == .source { return node.node.traits.isLive }
    return plan.inputs(of: node.name).onlyElement.map(isReceived) ?? false
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

  /// What ends a wire where the sessions of limited sinks do.
  func limitGate(of wire: PlanWire) -> LimitGate? {
    guard let sessions = limits[wire] else { return nil }
    let lead = copies(wire) ? fileStream(wire.from)?.edit?.lead.nanosecondsClamped ?? 0 : 0
    // What is handed over begins with what players skip, and all of it is that much later.
    let shift =
      isHandedOver(wire)
      ? LimitGate.Shift(lag: lead)
      : LimitGate.Shift(lead: lead, lag: priming(on: wire)?.nanosecondsClamped ?? 0)
    return LimitGate(
      sessions, wire: wire.name, shift: shift, isCut: wire.format.kind == .text)
  }

  /// How long is what the run's encoder puts in front of the audio of a wire.
  private func priming(on wire: PlanWire) -> MediaTime? {
    guard let rate = plan.inputs(of: wire.from.node).first?.format.sampleRates.first,
      let priming = chain(of: wire.from.node)?.priming
    else { return nil }
    return MediaTime(value: Int64(priming), timescale: Int32(clamping: rate))
  }

  /// How much later the samples of a wire go into the file that elements write, where that can't say
  /// what players skip: by as much as audio beside them is heard late, for what its encoder puts in
  /// front. `nil` where nothing is late.
  func delay(of wire: PlanWire) -> MediaTime? {
    guard let rules = output(of: wire.to.node)?.tracks, chain(of: wire.to.node)?.elements != []
    else { return nil }
    func lead(_ wire: PlanWire) -> MediaTime {
      rules.skipsLeads(of: wire.format) ? .zero : priming(on: wire) ?? .zero
    }
    let latest = plan.inputs(of: wire.to.node).map(lead).max() ?? .zero
    // What players skip of it comes before that.
    let delay = latest - (priming(on: wire) ?? .zero)
    return delay > .zero ? delay : nil
  }

  /// What is known of each track of the file that a node writes; `nil` of a file without tracks.
  func tracks(of node: String) -> [OutputTrack]? {
    guard output(of: node)?.tracks != nil else { return nil }
    let wires = plan.inputs(of: node)
    let keepsStart = keepsStart(wires)
    return wires.map { wire in
      var track = track(wire)
      track.keepsStart = keepsStart
      return track
    }
  }

  /// How much of an input comes before what is presented, unless it is encoded in the run; and
  /// which way up its frames are, which no coding changes.
  func track(_ wire: PlanWire) -> OutputTrack {
    var track = OutputTrack()
    track.port = wire.to.port
    // What is decoded, cut and encoded again is another work.
    let stream = fileStream(wire.from)
    if copiesRange(wire), let range = stream?.range {
      track.range = MediaTimeRange(
        start: MediaTime(clock: StreamCut.copyStart), duration: range.duration)
      track.hasPresentationTimes = true
    }
    track.location = stream?.location
    track.chapters = chapters(for: wire)
    if copies(wire), track.range == nil {
      let edit = stream?.edit
      (track.lead, track.length) = (edit?.lead ?? .zero, edit?.length)
      track.start = edit?.delay ?? .zero
    }
    if hasPresentationTimes(wire) || isReceived(wire) { track.hasPresentationTimes = true }
    track.isVideo = wire.format.kind == .encodedVideo
    track.isLive = liveNodes.contains(wire.from.node)
    track.priming = chain(of: wire.from.node)?.priming
    track.delay = delay(of: wire)
    track.digest = chain(of: wire.from.node)?.digest
    track.rotation = rotation(on: wire)
    track.label = label(on: wire)
    return track
  }

  /// What is said of a wire's samples in the file that they come from, through nodes that each make one
  /// stream of one; `nil` where that isn't known.
  private func label(on wire: PlanWire) -> TrackLabel? {
    if let stream = fileStream(wire.from) { return stream.label }
    guard let input = plan.inputs(of: wire.from.node).onlyElement,
      input.format.kind.decoded == wire.format.kind.decoded
    else { return nil }
    return label(on: input)
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

extension FormatConstraint {
  fileprivate var isEncoded: Bool { kind == .encodedAudio || kind == .encodedVideo }
}
