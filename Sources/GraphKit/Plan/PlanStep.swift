/// A step by which a live graph that can't keep up gives up quality, as the plan takes it.
public struct PlanStep: Sendable, Hashable {
  /// What is given up.
  public enum Action: Sendable, Hashable {
    /// Previews keep the frame that they have.
    case pause([String])
    /// Live parameters of a node have other values.
    case set(node: String, [String: JSONValue])
    /// Of the video of each of these live sources one frame in so many goes on.
    case keepEvery(Int, [String])
  }

  /// What is given up.
  public var action: Action

  /// Whether frames of sources are left out, so that what is held back in frames lasts longer.
  var leavesOutFrames: Bool {
    if case .keepEvery = action { true } else { false }
  }

  /// A step.
  init(_ action: Action) { self.action = action }
}

extension PlanStep: CustomStringConvertible {
  /// The step as events and reports name it: `set NODE.PARAMETER=VALUE`.
  public var description: String {
    switch action {
    case .pause(let nodes): "pause \(nodes.joined(separator: ", "))"
    case .set(let node, let values):
      "set "
        + values.sorted { $0.key < $1.key }.map { "\(node).\($0.key)=\($0.value.plain)" }
        .joined(separator: " ")
    case .keepEvery(let share, let nodes):
      "keep 1 frame in \(share) of \(nodes.joined(separator: ", "))"
    }
  }
}

extension Plan {
  /// The previews that the steps pause, at most.
  var pausedPreviews: Set<String> {
    steps.reduce(into: []) { found, step in
      if case .pause(let nodes) = step.action { found.formUnion(nodes) }
    }
  }

  /// Of how many frames of a source one goes on, at most.
  func frameShare(of source: String) -> Int {
    steps.reduce(1) { share, step in
      guard case .keepEvery(let one, let nodes) = step.action, nodes.contains(source) else {
        return share
      }
      return max(share, one)
    }
  }

  /// For each node how many times as long it takes until as many frames have come to it, at most,
  /// once steps leave some out: what is held back in frames is then later.
  func frameShares(_ topology: Topology) -> [Int] {
    var shares = nodes.map { frameShare(of: $0.name) }
    guard shares.contains(where: { $0 > 1 }) else { return shares }
    for number in topology.order {
      for wire in topology.outgoing[number] where wires[wire].format.kind.decoded == .video {
        let target = topology.target(of: wire)
        shares[target] = max(shares[target], shares[number])
      }
    }
    return shares
  }
}
