@testable import GraphKit

/// A plan run without media or threads: nodes with latencies, queues with bounds in time, and
/// the rule of readiness. Times are milliseconds.
struct Simulation {
  private struct Sample {
    var time: Int
    var isEnd = false
  }

  private struct Queue {
    var held: [Sample] = []
    var last: Int?
    var hasEnded = false
    let capacity: Int
    let window: Int
  }

  private let topology: Topology
  private var queues: [Int: Queue] = [:]
  /// What a node has made and not got rid of, each with the wire that it goes to.
  private var outboxes: [[(wire: Int, sample: Sample)]]
  /// What a node holds back for its latency.
  private var held: [[Sample]]
  private var ended: [Bool]
  private var clocks: [Int]
  private let steps: [Int]
  private let latencies: [Int]
  /// For each wire the others with queues into the same node.
  private var siblings: [Int: [Int]] = [:]
  private let length = 9000

  init(_ plan: Plan, steps: [Int]) throws {
    topology = try plan.topology()
    outboxes = plan.nodes.map { _ in [] }
    held = plan.nodes.map { _ in [] }
    ended = plan.nodes.map { _ in false }
    clocks = plan.nodes.map { _ in 0 }
    self.steps = steps
    latencies = plan.nodes.map { Int(($0.node.latency.seconds * 1000).rounded()) }
    for (number, wire) in plan.wires.enumerated() {
      guard case .queue(let policy) = wire.lowering else { continue }
      queues[number] = Queue(
        capacity: Int(policy.time.seconds * 1000),
        window: Int(policy.interleavingWindow.seconds * 1000))
    }
    for wire in queues.keys {
      siblings[wire] = topology.incoming[topology.target(of: wire)].filter {
        $0 != wire && queues[$0] != nil
      }
    }
  }

  /// Runs until nothing can move; whether every node then has come to its end.
  mutating func reachesEnd() -> Bool {
    var moved = true
    while moved {
      moved = false
      for node in topology.order { while step(node) { moved = true } }
    }
    return ended.allSatisfy { $0 } && outboxes.allSatisfy(\.isEmpty)
  }

  private mutating func step(_ node: Int) -> Bool {
    if let next = outboxes[node].first {
      guard deliver(next.sample, on: next.wire) else { return false }
      outboxes[node].removeFirst()
      return true
    }
    guard isFree(node), !ended[node] else { return false }
    if topology.incoming[node].isEmpty { return produce(node) }
    guard let sample = take(node) else { return false }
    process(sample, in: node)
    return true
  }

  /// A node that calls another isn't free before the call has come back.
  private func isFree(_ node: Int) -> Bool {
    outboxes[node].isEmpty
      && topology.outgoing[node].allSatisfy { queues[$0] != nil || isFree(topology.target(of: $0)) }
  }

  private mutating func produce(_ node: Int) -> Bool {
    process(Sample(time: clocks[node], isEnd: clocks[node] >= length), in: node)
    clocks[node] += steps[node]
    return true
  }

  private mutating func deliver(_ sample: Sample, on wire: Int) -> Bool {
    guard let queue = queues[wire] else {
      guard isFree(topology.target(of: wire)) else { return false }
      process(sample, in: topology.target(of: wire))
      return true
    }
    guard sample.isEnd || isReady(wire, queue) else { return false }
    queues[wire]?.held.append(sample)
    if sample.isEnd { queues[wire]?.hasEnded = true } else { queues[wire]?.last = sample.time }
    return true
  }

  private func isReady(_ wire: Int, _ queue: Queue) -> Bool {
    guard let last = queue.last else { return true }
    let first = queue.held.first?.time ?? last
    if !queue.held.isEmpty, last - first >= queue.capacity { return false }
    return siblings[wire, default: []].allSatisfy { other in
      guard let other = queues[other], !other.hasEnded else { return true }
      return last - (other.last ?? 0) < queue.window
    }
  }

  /// The earliest sample, once every input that hasn't ended has one.
  private mutating func take(_ node: Int) -> Sample? {
    let wires = topology.incoming[node].filter { queues[$0] != nil }
    guard !wires.isEmpty, wires.allSatisfy({ queues[$0]?.held.isEmpty == false }) else {
      return nil
    }
    let open = wires.filter { queues[$0]?.held.first?.isEnd == false }
    guard let earliest = open.min(by: { time(of: $0) < time(of: $1) }) else {
      for wire in wires { queues[wire]?.held.removeAll() }
      return Sample(time: length, isEnd: true)
    }
    return queues[earliest]?.held.removeFirst()
  }

  private func time(of wire: Int) -> Int { queues[wire]?.held.first?.time ?? .max }

  private mutating func process(_ sample: Sample, in node: Int) {
    if !sample.isEnd { held[node].append(sample) }
    while let first = held[node].first, sample.isEnd || sample.time - first.time >= latencies[node]
    {
      held[node].removeFirst()
      send(first, from: node)
    }
    if sample.isEnd {
      ended[node] = true
      send(sample, from: node)
    }
  }

  private mutating func send(_ sample: Sample, from node: Int) {
    for wire in topology.outgoing[node] { outboxes[node].append((wire, sample)) }
  }
}
