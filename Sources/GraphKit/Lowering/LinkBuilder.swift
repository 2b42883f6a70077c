import GStreamer

/// Joins outputs to inputs: pad to pad, through a queue, or through a fork where an output feeds
/// several.
struct LinkBuilder {
  private let blueprint: Blueprint
  private let context: RunContext
  private let made: ElementPart
  private let queues: QueuePart
  private let stages: StagePart
  private var part: LinkPart
  /// What moves the readers of which a range is read.
  private var seeks: [PortReference: RangeSeek] = [:]

  private var plan: Plan { blueprint.plan }

  /// All links of a plan, between the parts that are there.
  static func part(
    _ blueprint: Blueprint, _ context: RunContext, _ elements: ElementPart, _ queues: QueuePart,
    _ stages: StagePart
  ) throws(PipelineFailure) -> LinkPart {
    var builder = LinkBuilder(
      blueprint: blueprint, context: context, made: elements, queues: queues, stages: stages,
      part: LinkPart(elements: PartElements(in: elements.elements.bin)))
    try builder.link()
    return builder.part
  }

  private mutating func link() throws(PipelineFailure) {
    for wire in plan.wires where wire.lowering != .call {
      if let queue = queues.pads[wire]?.output { try join(queue, to: input(wire.to), wire) }
    }
    for wire in plan.wires {
      if let pad = stages.exits[wire] { try join(pad, to: entrance(of: wire), wire) }
    }
    for (port, end) in made.ends.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      let wires = plan.outputs(of: port.node).filter { $0.from == port }
      let stream = blueprint.fileStream(port)
      var end = end
      seeks[port] = rangeSeek(of: port, stream)
      // Of what is copied in pieces it is known when it is decoded.
      let isTimed = stream?.isReordered != true || blueprint.routes[port.node] != nil
      if !isTimed { end = try time(end, port, wires) }
      if let range = stream?.range {
        let isCopy = wires.contains(where: blueprint.copiesRange)
        let cut = StreamCut(
          range, lasting: stream?.duration, inset: stream?.edit?.inset ?? 0, isCopy: isCopy)
        end = try self.cut(end, port, wires, cut)
      }
      try linkElement(end, wires)
    }
  }

  /// Where samples go into a port.
  private func input(_ port: PortReference) -> Pad? {
    made.entrances[port] ?? stages.entrances[port]
  }

  /// The pad that a wire's samples go into first: its queue's, or that of the input itself.
  private func entrance(of wire: PlanWire) -> Pad? {
    queues.pads[wire]?.input ?? input(wire.to)
  }

  private func join(_ source: Pad, to sink: Pad?, _ wire: PlanWire) throws(PipelineFailure) {
    guard let sink, source.link(to: sink) else {
      throw PipelineFailure(
        node: wire.to.node,
        message: "\(wire.from) gives \(source.possibleCaps?.description ?? "nothing"), "
          + "\(wire.to) takes \(sink?.possibleCaps?.description ?? "nothing")",
        remedy: "put a converter or another encoder between them")
    }
  }

  private mutating func linkElement(_ end: SourceEnd, _ wires: [PlanWire]) throws(PipelineFailure) {
    guard let first = wires.first else { return }
    var entrances: [(wire: PlanWire, pad: Pad)] = []
    for wire in wires {
      guard let pad = try filtered(wire) else { continue }
      entrances.append((wire, pad))
    }
    let target = entrances.count == 1 ? entrances[0].pad : try makeFork(entrances, first.from)
    switch end {
    case .pad(let pad): try join(pad, to: target, first)
    case .stream(let element, let id): joinLater(element, stream: id, to: target, first)
    case .first(let element, let medium): element.linkFirst(medium, to: target)
    }
  }

  /// A wire's entrance, with a filter before it where two elements meet without a queue.
  private mutating func filtered(_ wire: PlanWire) throws(PipelineFailure) -> Pad? {
    guard let entrance = entrance(of: wire) else { return nil }
    guard wire.lowering == .link else { return entrance }
    if plan.inputs(of: wire.from.node).isEmpty {
      entrance.onEndOfStream { [active = context.log.active, name = wire.name] in
        active.noteEnd(of: name)
      }
    }
    guard plan[wire.to.node]?.stage == nil else { return entrance }
    if let loss = AlphaLoss(behind: wire, in: plan) {
      context.warnOfAlphaLoss(at: entrance, loss)
    }
    let counter = WireCounter()
    part.counters.append((wire.name, counter))
    entrance.onData { counter.add(at: $0.time) }
    entrance.onEndOfStream { counter.end() }
    let isRaw = wire.format.kind == .audio || wire.format.kind == .video
    guard isRaw,
      let filter = coreElement("capsfilter", name: "\(wire.name) format"),
      filter.set("caps", plan.demand(on: wire).capsText), let sink = filter.pad("sink"),
      let source = filter.pad("src")
    else { return entrance }
    part.elements.add(filter, for: wire.to.node)
    try join(source, to: entrance, wire)
    return sink
  }

  /// An element that the engine itself needs. Small graphs need none, and to load the plug-in with
  /// them takes as long as to check such a graph.
  private func coreElement(_ factory: String, name: String) -> Element? {
    Library.start(plugins: ["coreelements"])
    return Element(factory: factory, name: name)
  }

  private mutating func makeFork(_ entrances: [(wire: PlanWire, pad: Pad)], _ port: PortReference)
    throws(PipelineFailure) -> Pad?
  {
    let fork = SwiftElement(name: "\(port) fork", inputs: 1, outputs: entrances.count) { outputs in
      ForkBody(outputs: outputs, wires: entrances.map(\.wire.name), context: context)
    }
    part.elements.add(fork, for: port.node)
    for (entrance, branch) in zip(entrances, fork.outputs) {
      try join(branch, to: entrance.pad, entrance.wire)
    }
    return fork.inputs.first
  }

  /// Puts after a stream what says when its frames are decoded, and returns the new end.
  private mutating func time(_ end: SourceEnd, _ port: PortReference, _ wires: [PlanWire])
    throws(PipelineFailure) -> SourceEnd
  {
    guard let wire = wires.first else { return end }
    let caps = packetCaps(wire)
    let timer = SwiftElement(name: "\(port) decode times", inputs: 1, outputs: 1) { outputs in
      DecodeTimer(output: outputs[0], constraint: caps)
    }
    return try put(timer, after: end, wire)
  }

  /// What moves a stream's reader to its range, where it can be moved.
  private func rangeSeek(of port: PortReference, _ stream: FileStream?) -> RangeSeek? {
    // What is copied in pieces has one reader for all streams.
    guard let stream, stream.canSeek, stream.range != nil, blueprint.routes[port.node] == nil
    else { return nil }
    return RangeSeek(on: context.states) { [context] in
      context.fail(
        PipelineFailure(
          node: port.node, message: "\(port) can't be read from the middle of its file on",
          remedy: "check the file, or copy it with another program"))
    }
  }

  /// Puts after a stream what hands on a range of it, and returns the new end.
  private mutating func cut(
    _ end: SourceEnd, _ port: PortReference, _ wires: [PlanWire], _ cut: StreamCut
  ) throws(PipelineFailure) -> SourceEnd {
    guard let wire = wires.first else { return end }
    let isAudio = wire.format.kind == .audio || wire.format.kind == .encodedAudio
    let caps = packetCaps(wire)
    let seek = seeks[port]
    let gate = SwiftElement(name: "\(port) range", inputs: 1, outputs: 1) { outputs in
      RangeGate(output: outputs[0], cut: cut, isAudio: isAudio, constraint: caps, seek: seek)
    }
    return try put(gate, after: end, wire)
  }

  /// What the packets of a stream of video are for those that look at them one by one.
  private func packetCaps(_ wire: PlanWire) -> Caps? {
    guard wire.format.kind == .encodedVideo, let codec = wire.format.codecs.first else {
      return nil
    }
    // A packet must be a whole frame, as those of other codecs always are.
    let needsAlignment = codec == .h264 || codec == .hevc
    return Caps(codec.mediaType + (needsAlignment ? ", alignment=(string)au" : ""))
  }

  private mutating func put(_ element: SwiftElement, after end: SourceEnd, _ wire: PlanWire)
    throws(PipelineFailure) -> SourceEnd
  {
    part.elements.add(element, for: wire.from.node)
    switch end {
    case .pad(let pad): try join(pad, to: element.inputs[0], wire)
    case .stream(let reader, let id): joinLater(reader, stream: id, to: element.inputs[0], wire)
    case .first(let source, let medium): source.linkFirst(medium, to: element.inputs[0])
    }
    return .pad(element.outputs[0])
  }

  /// What copies a wire's stream in pieces, and the number that it has there.
  private mutating func pieceCopy(of wire: PlanWire) -> (copy: PieceCopy, stream: Int)? {
    guard let route = blueprint.routes[wire.from.node],
      let stream = route.wires.firstIndex(of: wire),
      let writer = made.writers[wire.to.node]
    else { return nil }
    if let known = part.copies[route.source] { return (known, stream) }
    var tracks: [PieceCopy.Track] = []
    for (wire, account) in zip(route.wires, made.accounts[wire.to.node] ?? []) {
      guard let queue = queues.queue(of: wire) else { return nil }
      tracks.append(
        PieceCopy.Track(
          group: queue.group, index: queue.index, account: account,
          end: blueprint.fileStream(wire.from)?.lastStart))
    }
    let copy = PieceCopy(route, tracks, to: writer, context)
    part.copies[route.source] = copy
    return (copy, stream)
  }

  /// How damage of a stream's file is found; `nil` of texts, which pause, and of audio that is decoded, where what is missing shows
  /// in what the decoder makes.
  private func damageSearch(of wire: PlanWire) -> (@Sendable () -> String?)? {
    guard let node = plan[wire.from.node]?.node, node.fileStreams != nil,
      wire.format.kind != .text,
      wire.format.kind != .encodedAudio || plan[wire.to.node]?.type.role != .decoder
    else { return nil }
    return { node.findFileDamage() }
  }

  private mutating func joinLater(
    _ element: Element, stream id: String, to target: Pad?, _ wire: PlanWire
  ) {
    let (context, stream) = (context, blueprint.fileStream(wire.from))
    let filters = made.lateFilters[wire.from]
    let (copy, seek) = (pieceCopy(of: wire), seeks[wire.from])
    let findDamage = damageSearch(of: wire)
    target?.dropRepeatedEvents()
    element.onPadAdded { pad in
      // A file of a single stream may show its pad before the stream has said its name.
      guard let target, !target.isLinked, pad.streamIdentifier.map({ $0 == id }) ?? true else {
        // A reader would end where its samples aren't taken.
        if stream?.comesLate == true {
          pad.replaceBuffers { buffer in
            if target?.isLinked == true { return buffer }
            return nil
          }
        }
        return
      }
      if copy == nil, let end = stream?.end {
        context.warnOfEarlyEnd(of: pad, wire.from.node, stated: end)
      }
      if let findDamage {
        let length = stream?.range == nil ? stream?.duration : nil
        context.warnOfLostPackets(at: pad, of: wire.from, lasting: length, find: findDamage)
      }
      seek?.take(pad)
      pad.refuseCounts()
      filters?.attach(to: pad)
      stream?.edit?.apply(to: pad)
      if let copy { copy.copy.take(pad, stream: copy.stream) }
      if pad.link(to: target) { return }
      context.fail(
        PipelineFailure(
          node: wire.from.node,
          message: "\(wire.from) gives \(pad.possibleCaps?.description ?? "nothing"), which "
            + "\(wire.to) doesn't take",
          remedy: "put a decoder or a converter between them"))
    }
    let account = UnreadPackets(of: wire.from)
    account.count(element, stream: id)
    part.unread.append(account)
    context.warnOfUnreadBytes(element, stream: id, of: wire.from)
    part.streams.append(
      AwaitedStream(element: element, port: wire.from, isKnown: true, target: target))
  }
}

extension FileStream {
  /// The time of the stream at which no sample begins any more; `nil` where its edit doesn't say, and of
  /// a range, whose reader says it.
  fileprivate var lastStart: UInt64? { range == nil ? edit?.lastStart : nil }
}
