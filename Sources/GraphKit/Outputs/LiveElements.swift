import GStreamer
import System

/// Brings changes of an element node's live parameters to its elements, as properties that then
/// have another value. Which elements there are never changes.
final class LiveElements: Sendable {
  private let changes: LiveChanges
  private let elements: [Element]
  private let chain: Monitor<ElementChain>
  /// What the node makes of itself with other parameters.
  private let remake: @Sendable (any ElementNode) throws(NodeError) -> [ElementChain]
  private let log: RunLog

  init(
    _ changes: LiveChanges, _ elements: [Element], _ chain: ElementChain, log: RunLog,
    remake: @escaping @Sendable (any ElementNode) throws(NodeError) -> [ElementChain]
  ) {
    self.changes = changes
    self.elements = elements
    self.chain = Monitor(chain)
    self.remake = remake
    self.log = log
  }

  /// Applies what changes with the buffers that enter at a pad.
  func follow(_ pad: Pad) {
    pad.beforeBuffer(where: { [changes] in changes.areWaiting }) { [self] time in
      apply(upTo: time.map { MediaTime(nanoseconds: $0) } ?? .invalid)
    }
  }

  private func apply(upTo time: MediaTime) {
    chain.withLock { chain in
      changes.apply(upTo: time) { _, _, _ in }
      guard let node = changes.present.work.elementNode else { return }
      do throws(NodeError) {
        let factories = chain.elements.map(\.factory)
        let wanted = try remake(node).first { $0.elements.map(\.factory) == factories }
        if let wanted { set(wanted, insteadOf: chain) }
        chain = wanted ?? chain
      } catch {
        log.send(.warning(node: changes.node, message: error.description))
      }
    }
  }

  private func set(_ wanted: ElementChain, insteadOf old: ElementChain) {
    for (index, element) in elements.enumerated() {
      for (name, text) in wanted.elements[index].properties
      where old.elements[index].properties[name] != text && !element.set(name, text) {
        log.send(
          .warning(node: changes.node, message: "\(element.name) doesn't take \(name)=\(text)"))
      }
    }
  }
}
