import Containers
import GStreamer
import GraphKitSystem

/// Makes the elements of element nodes, one node after another.
struct ElementBuilder {
  private let blueprint: Blueprint
  private let environment: any Environment
  private let context: RunContext
  private var part: ElementPart
  /// What the sinks ask of each encoder.
  private var keyFrames: [String: [KeyFrameRequests]] = [:]
  /// What each sink asks.
  private var keyFrameRequests: [String: KeyFrameRequests] = [:]

  private var plan: Plan { blueprint.plan }

  /// The elements of all of a plan's nodes that are some.
  static func part(
    _ blueprint: Blueprint, _ environment: any Environment, _ context: RunContext, in bin: Element
  ) throws(PipelineFailure) -> ElementPart {
    var builder = ElementBuilder(
      blueprint: blueprint, environment: environment, context: context,
      part: ElementPart(elements: PartElements(in: bin)))
    for row in blueprint.rows { builder.expectKeyFrames(of: row) }
    for row in blueprint.rows { try builder.make(row.chain, for: row.node) }
    return builder.part
  }

  /// Has the encoders before a sink asked for the key frames that its file wants.
  private mutating func expectKeyFrames(of row: Blueprint.Row) {
    guard let rules = row.chain.output?.tracks,
      rules.keyFrameInterval != nil || rules.asksForKeyFrames
    else { return }
    let requests = KeyFrameRequests(every: rules.keyFrameInterval)
    keyFrameRequests[row.node.name] = requests
    for encoder in blueprint.encoders(before: row.node.name) {
      keyFrames[encoder, default: []].append(requests)
    }
  }

  private mutating func make(_ chain: ElementChain, for node: PlanNode) throws(PipelineFailure) {
    let ports = Set(plan.outputs(of: node.name).map(\.from)).sorted { $0.port < $1.port }
    // A writer never waits for one of its tracks, so that one reader does for all of them.
    guard chain.isPerOutput, blueprint.routes[node.name] == nil else {
      return try makeChain(chain, node, ports, suffix: "")
    }
    for port in ports { try makeChain(chain, node, [port], suffix: "/\(port.port)") }
  }

  private mutating func makeChain(
    _ chain: ElementChain, _ node: PlanNode, _ outputs: [PortReference], suffix: String
  ) throws(PipelineFailure) {
    if chain.elements.isEmpty, let output = chain.output {
      return try makeWriter(output, chain, node)
    }
    let elements = try makeRow(chain.elements, for: node, suffix: suffix)
    guard let first = elements.first, let last = elements.last else { return }
    if let file = chain.output?.file {
      part.claims.append(claim(to: file, of: node, element: last))
    }
    if !chain.writtenFilters.isEmpty, let pad = last.pad("sink") {
      row(chain.writtenFilters, of: node).attach(to: pad)
    }
    for wire in plan.inputs(of: node.name) {
      let pad = try inputPad(of: first, chain, wire, node)
      row(chain.entry(of: wire.to.port, in: chain.filters) ?? [], of: node).attach(to: pad)
      for requests in keyFrames[node.name] ?? [] { requests.follow(pad) }
      if node.type.role == .encoder { context.warnOfShallowVideo(at: pad, node.name) }
      if chain.elements.contains(where: \.copiesChapters) { pad.dropChapters() }
      part.entrances[wire.to] = pad
    }
    followChanges(node, chain, elements)
    for port in outputs { try makeOutput(port, chain, node, from: first, to: last) }
  }

  /// What a node wants done to the samples at a port.
  private func row(_ filters: [PadFilter], of node: PlanNode) -> FilterRow {
    // People know an inserted converter by the node that it is for.
    let name = node.isInserted ? plan.outputs(of: node.name).first?.to.node : nil
    return FilterRow(filters: filters, node: name ?? node.name, context: context)
  }

  private func claim(to file: OutputFile, of node: PlanNode, element: Element?) -> OutputClaim {
    OutputClaim(
      file, node: node.name, element: element, isLive: blueprint.liveNodes.contains(node.name),
      keyFrames: keyFrameRequests[node.name], context: context)
  }

  // MARK: Elements

  private mutating func makeRow(_ specs: [ElementSpec], for node: PlanNode, suffix: String)
    throws(PipelineFailure) -> [Element]
  {
    var row: [Element] = []
    for (index, spec) in specs.enumerated() {
      let element = try make(spec, named: "\(node.name)\(suffix)/\(index)-\(spec.factory)", node)
      if blueprint.isAside(node.name) { element.setAside() }
      part.elements.add(element, for: node.name)
      if let previous = row.last {
        if specs[index - 1].showsLater {
          linkLater(previous, to: element, node)
        } else if !previous.link(to: element) {
          throw PipelineFailure(
            node: node.name, message: "\(previous.name) does not fit \(element.name)",
            remedy: "check the node's parameters")
        }
      }
      row.append(element)
    }
    return row
  }

  private mutating func linkLater(_ element: Element, to next: Element, _ node: PlanNode) {
    guard let target = next.pad("sink"), let port = plan.outputs(of: node.name).first?.from else {
      return
    }
    element.onPadAdded { pad in if !target.isLinked { _ = pad.link(to: target) } }
    part.streams.append(
      AwaitedStream(element: element, port: port, isKnown: false, target: target))
  }

  private func make(_ spec: ElementSpec, named name: String, _ node: PlanNode)
    throws(PipelineFailure) -> Element
  {
    guard let element = Element(factory: spec.factory, name: name) else {
      throw PipelineFailure(
        node: node.name, message: "the element \(spec.factory) can't be made",
        remedy: "install the GStreamer plug-in that holds it")
    }
    element.takeFormatsFromSamples()
    element.leaveOutDrawings()
    element.refusePlaylists { [context, name = node.name] in context.refusePlaylist($0, at: name) }
    element.keepEditLists { MovieStarts.read($0).compactMapValues(\.nanoseconds) }
    element.convertExactly()
    for (property, value) in spec.properties.sorted(by: { $0.key < $1.key })
    where !element.set(property, value) {
      throw PipelineFailure(
        node: node.name, message: "\(spec.factory) doesn't take \(property)=\(value)",
        remedy: "see `gst-inspect-1.0 \(spec.factory)` for what it takes")
    }
    if spec.keepsLength { element.keepLength() }
    if spec.keepsFirstFormat { element.keepFirstFormat() }
    if spec.isParser || element.isBin { element.keepDurations() }
    SenderWatch(node: node.name, context: context).attach(to: element, spec)
    for (tag, text) in spec.tags.sorted(by: { $0.key < $1.key }) where !element.setTag(tag, text) {
      throw PipelineFailure(
        node: node.name, message: "\(spec.factory) doesn't write the tag \(tag)=\(text)",
        remedy: "leave it out, or write it otherwise")
    }
    try write(chapters(of: spec, node), with: element, node)
    return element
  }

  /// What an element writes as chapters: its own, or those of what is copied.
  private func chapters(of spec: ElementSpec, _ node: PlanNode) -> [MovieChapter] {
    guard spec.chapters.isEmpty, spec.copiesChapters else { return spec.chapters }
    let tracks = blueprint.tracks(of: node.name) ?? []
    return tracks.first { !$0.chapters.isEmpty }?.chapters ?? []
  }

  private func write(_ chapters: [MovieChapter], with element: Element, _ node: PlanNode)
    throws(PipelineFailure)
  {
    let times = chapters.map { (start: UInt64(max(0, $0.start)) * 1_000_000, title: $0.title) }
    guard !times.isEmpty, !element.setChapters(times) else { return }
    throw PipelineFailure(
      node: node.name, message: "\(element.factoryName) writes no chapters",
      remedy: "leave them out, or write another kind of file")
  }

  /// Has an element node's live parameters change with the buffers that enter it.
  private mutating func followChanges(
    _ node: PlanNode, _ chain: ElementChain, _ elements: [Element]
  ) {
    let inputs = plan.inputs(of: node.name).compactMap { part.entrances[$0.to] }
    guard !inputs.isEmpty, node.type.parameters.contains(where: \.isLive) else { return }
    let changes = LiveChanges(
      of: node.name, node.type, at: node.node, in: plan, log: context.log)
    part.changes[node.name] = changes
    let (environment, formats) = (environment, plan.formats(at: node.name))
    let writer = part.writers[node.name]
    let live = LiveElements(changes, elements, writer, chain, log: context.log) {
      node throws(NodeError) in try node.elements(in: environment, formats: formats)
    }
    for pad in inputs { live.follow(pad) }
  }

  // MARK: Inputs

  private mutating func inputPad(
    of first: Element, _ chain: ElementChain, _ wire: PlanWire, _ node: PlanNode
  ) throws(PipelineFailure) -> Pad {
    let port = wire.to.port
    guard let reference = chain.entry(of: port, in: chain.inputs),
      let pad = first.pad(reference)
    else {
      throw PipelineFailure(
        node: node.name, message: "\(first.name) gives no input for \(port)",
        remedy: "wire fewer inputs, or look at `gst-inspect-1.0`")
    }
    return try entry(before: pad, of: first, chain, wire, node)
  }

  /// Puts an input's own elements before its pad; returns the pad that samples enter at.
  private mutating func entry(
    before pad: Pad, of first: Element, _ chain: ElementChain, _ wire: PlanWire, _ node: PlanNode
  ) throws(PipelineFailure) -> Pad {
    let port = wire.to.port
    if let output = chain.output { apply(output, to: pad, wire, node) }
    if let delay = blueprint.delay(of: wire)?.nanoseconds { pad.set("offset", "\(delay)") }
    let account = chain.output?.tracks == nil ? nil : addAccount(of: wire)
    let specs = blueprint.elements(before: wire, of: chain)
    let row = try makeRow(specs, for: node, suffix: "/\(port)")
    if chain.output?.tracks?.takesPresentedOnly(of: wire.format) == true {
      (row.first?.pad("sink") ?? pad).passPresentedOnly()
    }
    guard let head = row.first, let tail = row.last else {
      account?.count(at: pad, isAudio: wire.format.kind == .encodedAudio)
      return pad
    }
    guard let source = tail.pad("src"), source.link(to: pad), let sink = head.pad("sink") else {
      throw PipelineFailure(
        node: node.name, message: "\(tail.name) does not fit \(first.name)",
        remedy: "wire another format to \(port)")
    }
    // Only a parser knows where a sample ends in what a program writes.
    let isGathered = wire.format.codecs.contains {
      chain.output?.tracks?.gatheredCodecs.contains($0) == true
    }
    let isWhole = plan.entry(of: wire) == nil && !isGathered
    account?.count(at: isWhole ? sink : pad, isAudio: wire.format.kind == .encodedAudio)
    return sink
  }

  /// Has an input of a file keep to the file's rules.
  private func apply(
    _ output: any FileOutput, to pad: Pad, _ wire: PlanWire, _ node: PlanNode
  ) {
    var format = wire.format
    format.frameRate = plan.known(on: wire).frameRate
    row(output.padFilters(for: format, blueprint.track(wire)), of: node).attach(to: pad)
    guard let rules = output.tracks else { return }
    let guardian = TrackGuard(wire: wire, context: context)
    if rules.haveOneFormat { guardian.keepFormat(of: pad) }
    if rules.needTimes { guardian.demandTimes(of: pad, in: rules.fileName) }
  }

  /// Opens the account of a file's next track.
  private mutating func addAccount(of wire: PlanWire) -> TrackAccount {
    let account = TrackAccount(
      wire: wire.name, number: part.accounts[wire.to.node, default: []].count + 1)
    part.accounts[wire.to.node, default: []].append(account)
    return account
  }

  // MARK: Files that are written in Swift

  /// Makes the element that a node's writer is, with an input for each track.
  private mutating func makeWriter(
    _ output: any FileOutput, _ chain: ElementChain, _ node: PlanNode
  ) throws(PipelineFailure) {
    let wires = plan.inputs(of: node.name)
    let claim = output.file.map { self.claim(to: $0, of: node, element: nil) }
    if let claim { part.claims.append(claim) }
    guard let writer = makeTrackWriter(output, node, claim) else {
      throw PipelineFailure(
        node: node.name, message: "it names neither elements nor a writer",
        remedy: "have its `FileOutput` make one")
    }
    let end = StageEnd()
    let body = WriterBody(
      node: node.name, constraints: wires.map { Caps(output.trackCaps(for: $0.format)) },
      claim: claim, context: context
    ) { end.post() }
    body.open(writer)
    let element = SwiftElement(name: "\(node.name)/writer", inputs: wires.count, outputs: 0) { _ in
      body
    }
    end.element = element
    part.elements.add(element, for: node.name)
    part.writers[node.name] = body
    for (wire, pad) in zip(wires, element.inputs) {
      let entrance = try entry(before: pad, of: element.element, chain, wire, node)
      row(chain.entry(of: wire.to.port, in: chain.filters) ?? [], of: node).attach(to: entrance)
      part.entrances[wire.to] = entrance
    }
    followChanges(node, chain, [])
  }

  private func makeTrackWriter(_ output: any FileOutput, _ node: PlanNode, _ claim: OutputClaim?)
    -> (any TrackWriter)?
  {
    let tracks =
      blueprint.tracks(of: node.name) ?? plan.inputs(of: node.name).map { _ in OutputTrack() }
    guard let claim else {
      let requests = keyFrameRequests[node.name]
      return output.makeWriter(tracks) { requests?.ask(after: $0) }
    }
    guard claim.file.isFolder else { return output.makeWriter(tracks, to: claim.writable) }
    return output.makeWriter(
      tracks, in: claim.folder { [weak bin = part.elements.bin] in bin?.runningTime })
  }

  // MARK: Outputs

  private mutating func makeOutput(
    _ port: PortReference, _ chain: ElementChain, _ node: PlanNode, from first: Element,
    to last: Element
  ) throws(PipelineFailure) {
    if let stream = blueprint.fileStream(port) { show(stream, to: first, node) }
    var end = try sourceEnd(of: last, chain.outputs[port.port], port)
    if case .first(let source, let medium) = end, let specs = chain.outputElements[port.port] {
      let row = try makeRow(specs, for: node, suffix: "/\(port.port)")
      source.linkFirst(medium, to: row.first?.pad("sink"), isOnly: chain.outputs.count == 1)
      if let last = row.last { end = .first(last, medium) }
    }
    let row = row(chain.filters[port.port] ?? [], of: node)
    if case .pad(let pad) = end {
      row.attach(to: pad)
      if node.type.role == .decoder { pad.endSegmentsNever() }
      if isLiveAudio(port, node) { context.warnOfDrift(at: pad, of: node.name) }
      if decodesFile(node, .encodedAudio) { context.warnOfGaps(at: pad, of: node.name) }
      if decodesFile(node, .encodedVideo) {
        context.keepOrder(from: first.pad("sink"), to: pad, of: node.name)
        context.warnOfUndecoded(from: first.pad("sink"), to: pad, of: node.name)
      }
    } else {
      part.lateFilters[port] = row
    }
    part.ends[port] = end
  }

  /// Has a reader find its file as it is to be read.
  private func show(_ stream: FileStream, to reader: Element, _ node: PlanNode) {
    let changes = (stream.edit ?? StreamEdit()).fileChanges
    reader.showFile(with: changes, from: stream.fetched?.file) {
      [context, fetched = stream.fetched, name = node.name] in
      if let error = fetched?.fetchingError { context.fail(PipelineFailure(node: name, error)) }
    }
  }

  /// Whether raw audio comes from a live source itself.
  private func isLiveAudio(_ port: PortReference, _ node: PlanNode) -> Bool {
    let wires = plan.outputs(of: node.name).filter { $0.from == port }
    return node.node.traits.isLive && plan.inputs(of: node.name).isEmpty
      && wires.contains { $0.format.kind == .audio }
  }

  /// Whether a node decodes a file's media of a kind. Between a splitter of packets and its decoders, jumps
  /// are as they should be.
  private func decodesFile(_ node: PlanNode, _ kind: MediaKind) -> Bool {
    let inputs = plan.inputs(of: node.name)
    return node.type.role == .decoder
      && inputs.contains { $0.format.kind == kind }
      && inputs.allSatisfy { plan[$0.from.node]?.node.fileStreams != nil }
  }

  private func sourceEnd(of last: Element, _ reference: PadReference?, _ port: PortReference)
    throws(PipelineFailure) -> SourceEnd
  {
    switch reference {
    case .stream(let id): return .stream(last, id: id)
    case .first(let medium): return .first(last, medium)
    case .some(let reference):
      if let pad = last.pad(reference) { return .pad(pad) }
      fallthrough
    case nil:
      throw PipelineFailure(
        node: port.node, message: "\(last.name) gives no output for \(port.port)",
        remedy: "look at `gst-inspect-1.0`")
    }
  }
}

extension Element {
  fileprivate func pad(_ reference: PadReference) -> Pad? {
    switch reference {
    case .fixed(let name): pad(name)
    case .request(let template): requestPad(template)
    case .stream, .first: nil
    }
  }
}
