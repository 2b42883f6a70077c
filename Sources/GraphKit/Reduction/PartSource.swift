extension AssociativeReducerNode {
  /// A source that sends what the node makes of a stream whose parts are in files.
  func source(ofParts paths: [String], name: String) -> any SourceNode {
    PartSource(self, paths, name: name)
  }
}

/// Puts the summaries of a stream's parts together, in order, and sends what the reducer makes of all.
struct PartSource<N: AssociativeReducerNode>: SourceNode {
  private let node: N
  private let paths: [String]
  private let name: String

  init() { self.init(N(), [], name: "") }

  init(_ node: N, _ paths: [String], name: String) {
    (self.node, self.paths, self.name) = (node, paths, name)
  }

  static var declaration: NodeDeclaration<Self> {
    NodeDeclaration(
      "\(N.declaration.name)Parts", role: .source, help: "Puts parts together.", example: "")
  }

  static var ports: SourcePorts<AnyMedia> { SourcePorts(help: "What the reducer sends.") }

  var portDeclarations: [PortDeclaration] {
    node.portDeclarations.filter { $0.direction == .output }
  }

  mutating func start(to outputs: NodeOutputs) throws {}

  mutating func produce(to outputs: NodeOutputs) throws -> Bool {
    var merged: N.Summary?
    var gaps = SoundGap()
    var end = 0
    for path in paths {
      guard let entry = try PartFile(path).entries.first(where: { $0.reducer == name }),
        entry.start == end
      else { throw PartFile.unreadable(path, "it doesn't follow the part before it") }
      end = entry.end
      guard !entry.summary.isEmpty else { continue }
      guard let next = try? SummaryDecoder.value(N.Summary.self, of: entry.summary) else {
        throw PartFile.unreadable(path, "another version of graphctl wrote it")
      }
      if var whole = merged.take() {
        guard next.continues(whole) else {
          throw PartFile.unreadable(
            path, "it is of another format, of other settings, or of frames before its own")
        }
        if whole.endFrame < entry.start,
          let message = gaps.message(of: whole.endFrame..<entry.start)
        {
          outputs.warn(message)
        }
        whole.merge(next)
        merged = whole
      } else {
        merged = next
      }
    }
    if let merged { try node.send(merged, to: outputs) }
    return false
  }
}
