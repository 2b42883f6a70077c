import GStreamer
import GraphKitSystem

/// Brings changes of an element node's live parameters to its elements, as properties that then
/// have another value, and to what writes its file. Which elements there are never changes.
final class LiveElements: Sendable {
  private let changes: LiveChanges
  private let elements: [Element]
  private let writer: WriterBody?
  private let chain: Monitor<ElementChain>
  /// What the node makes of itself with other parameters.
  private let remake: @Sendable (any ElementNode) throws(NodeError) -> [ElementChain]
  private let log: RunLog

  init(
    _ changes: LiveChanges, _ elements: [Element], _ writer: WriterBody?, _ chain: ElementChain,
    log: RunLog,
    remake: @escaping @Sendable (any ElementNode) throws(NodeError) -> [ElementChain]
  ) {
    self.changes = changes
    self.elements = elements
    self.writer = writer
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
    changes.apply(upTo: time) { _, _, _ in }
    let problems = chain.withLock { chain -> [String] in
      guard let node = changes.present.work.elementNode else { return [] }
      do throws(NodeError) {
        let factories = chain.elements.map(\.factory)
        let wanted = try remake(node).first { $0.elements.map(\.factory) == factories }
        defer { chain = wanted ?? chain }
        if let output = wanted?.output { writer?.adopt(output) }
        return wanted.map { set($0, insteadOf: chain) } ?? []
      } catch {
        return [error.description]
      }
    }
    for problem in problems { log.send(.warning(node: changes.node, message: problem)) }
  }

  /// Sets what has changed; returns what an element didn't take, in words.
  private func set(_ wanted: ElementChain, insteadOf old: ElementChain) -> [String] {
    elements.enumerated().flatMap { index, element in
      wanted.elements[index].properties.compactMap { name, text in
        guard old.elements[index].properties[name] != text, !element.set(name, text) else {
          return nil
        }
        return "\(element.name) doesn't take \(name)=\(text)"
      }
    }
  }
}
