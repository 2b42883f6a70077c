/// What is known of what passes on each wire, worked out from the sources on.
///
/// Checking and planning ask the same: an output carries what it declares, and where it follows an
/// input what enters there. What enters an input is decoded, turned upright and converted where
/// the plan will see to that.
struct FormatFlow {
  /// A node as formats pass through it.
  struct Station {
    /// The node, as far as it could be configured.
    var node: (any Node)?
    /// Its ports.
    var ports: [PortDeclaration]
  }

  /// A wire, with its ports as far as they are known.
  struct Path {
    var output: PortDeclaration?
    var input: PortDeclaration?
    /// What the wire is said to carry; by default what its output declares.
    var format: FormatConstraint?
  }

  /// What leaves the output of each wire. Of wires on a cycle, and after one, no more is known than
  /// what they are said to carry.
  private(set) var formats: [FormatConstraint]

  private let topology: Topology
  private let stations: [Station]
  private let paths: [Path]
  /// Whether what passes through a node of one input is taken to keep its frame rate and
  /// orientation, though no port says so.
  private let presumes: Bool
  /// For each node what enters its wired inputs.
  private var entering: [[String: FormatConstraint]]

  init(_ topology: Topology, _ stations: [Station], _ paths: [Path], presumes: Bool = false) {
    self.topology = topology
    (self.stations, self.paths) = (stations, paths)
    self.presumes = presumes
    formats = paths.map { $0.format ?? $0.output?.format ?? FormatConstraint(.any) }
    entering = Array(repeating: [:], count: stations.count)
    for node in topology.order {
      for wire in topology.outgoing[node] {
        guard let output = paths[wire].output else { continue }
        formats[wire] = format(of: output, at: node, own: formats[wire])
        guard let input = paths[wire].input else { continue }
        entering[topology.target(of: wire)][input.name] = input.converted(arriving(on: wire))
      }
    }
  }

  /// What arrives at the end of a wire before anything is converted: decoded where the input takes
  /// raw media, and turned where the node needs frames upright.
  func arriving(on wire: Int) -> FormatConstraint {
    let node = stations[topology.target(of: wire)].node
    let kind = formats[wire].kind
    let isDecoded = kind.isEncoded && kind.decoded == paths[wire].input?.format.kind
    // What is copied stays as it is.
    let isTurned = node?.traits.needsUprightVideo == true && (isDecoded || !kind.isEncoded)
    let format = isTurned ? formats[wire].upright : formats[wire]
    return isDecoded ? format.decoded : format
  }

  /// What leaves an output, whether it is wired or not.
  func format(of output: PortDeclaration, at node: Int) -> FormatConstraint {
    format(of: output, at: node, own: output.format)
  }

  private func format(
    of output: PortDeclaration, at number: Int, own: FormatConstraint
  ) -> FormatConstraint {
    let station = stations[number]
    if let node = station.node, let following = Following(output, of: node, ports: station.ports) {
      let given = entering[number][following.input.name] ?? following.input.format
      return following.carried(given, own: own).completed(by: own)
    }
    guard presumes, topology.incoming[number].count == 1, let given = entering[number].values.first
    else { return own }
    return own.completed(by: given)
  }
}

extension FormatConstraint {
  /// What a decoder makes of the format, as far as that is known.
  fileprivate var decoded: FormatConstraint {
    var raw = FormatConstraint(kind.decoded)
    for field in FormatField.all where field.outlivesCoding { field.copy(self, &raw) }
    return raw
  }

  /// The format with the frame rate and orientation of another where it has none itself.
  fileprivate func completed(by other: FormatConstraint) -> FormatConstraint {
    var format = self
    format.frameRate = frameRate ?? other.frameRate
    format.rotation = rotation ?? other.rotation
    return format
  }
}

extension PortDeclaration {
  /// What enters the input where a format arrives: fields that it doesn't take are made as it takes
  /// them.
  fileprivate func converted(_ arriving: FormatConstraint) -> FormatConstraint {
    var entering = format
    if arriving.kind != .any { entering.kind = arriving.kind }
    let common = format.codecs.filter(arriving.codecs.contains)
    if !arriving.codecs.isEmpty { entering.codecs = common.isEmpty ? arriving.codecs : common }
    entering.otherCaps = arriving.otherCaps ?? format.otherCaps
    for field in FormatField.all {
      if !field.narrow(arriving, &entering) { field.approach(arriving, &entering) }
    }
    return entering
  }
}
