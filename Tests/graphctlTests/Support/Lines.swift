import Foundation
import Synchronization

/// The lines that come out of a pipe, while its writer runs.
final class Lines {
  /// Whether the pipe may be read: to close it meanwhile would end the process.
  private final class Gate: Sendable { let isOpen = Mutex(true) }

  private let pipe: Pipe
  private let gate = Gate()
  private let blocks: AsyncStream<Data>
  private var text = ""

  init(of pipe: Pipe) {
    self.pipe = pipe
    let (stream, continuation) = AsyncStream<Data>.makeStream()
    blocks = stream
    let gate = gate
    pipe.fileHandleForReading.readabilityHandler = { handle in
      gate.isOpen.withLock { isOpen in
        guard isOpen else { return continuation.finish() }
        let data = handle.availableData
        if data.isEmpty { continuation.finish() } else { continuation.yield(data) }
      }
    }
  }

  /// Reads up to a line with some text; `false` where there is none.
  func wait(for wanted: String) async -> Bool {
    if takeLine(with: wanted) { return true }
    for await block in blocks {
      text += String(decoding: block, as: UTF8.self)
      if takeLine(with: wanted) { return true }
    }
    return false
  }

  /// Reads the next whole line; `nil` where there is none.
  func next() async -> String? {
    var blocks = blocks.makeAsyncIterator()
    while true {
      if let end = text.firstIndex(of: "\n") {
        defer { text.removeSubrange(...end) }
        return String(text[..<end])
      }
      guard let block = await blocks.next() else { return nil }
      text += String(decoding: block, as: UTF8.self)
    }
  }

  private func takeLine(with wanted: String) -> Bool {
    guard let range = text.range(of: wanted) else { return false }
    text.removeSubrange(..<range.upperBound)
    return true
  }

  /// Reads no more, and lets the writer know.
  func stop() {
    gate.isOpen.withLock { $0 = false }
    pipe.fileHandleForReading.readabilityHandler = nil
    // Closing waits for a handler that runs, which waits for the gate: don't hold it here.
    try? pipe.fileHandleForReading.close()
  }
}
