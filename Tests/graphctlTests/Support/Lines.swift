import Foundation
import GraphKitSystem

/// The lines that come out of a pipe, while its writer runs.
///
/// A thread of its own reads them. The handlers of `FileHandle` don't give the end of a pipe in which
/// more is left than they read at a time, and wait for each other where it is closed.
final class Lines {
  /// The end of the pipe that is read; `nil` once nothing is to be read any more.
  private final class Source: Sendable {
    private let pipe: Monitor<Pipe?>
    private let descriptor: Int32

    init(_ pipe: Pipe) {
      descriptor = pipe.fileHandleForReading.fileDescriptor
      self.pipe = Monitor(pipe)
    }

    /// What there is to read: empty at the end, `nil` where nothing has come yet.
    func read() -> Data? {
      pipe.withLock { pipe in
        guard let handle = pipe?.fileHandleForReading else { return Data() }
        return isReadable(within: 0) ? handle.availableData : nil
      }
    }

    /// Waits until there may be something to read, for a moment at most: a stop doesn't wake it, and after
    /// one its number may be another file's.
    func wait() { _ = isReadable(within: 50) }

    func close() {
      pipe.withLock { try? $0.take()?.fileHandleForReading.close() }
    }

    private func isReadable(within milliseconds: Int32) -> Bool {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return unsafe poll(&request, 1, milliseconds) > 0
    }
  }

  private let source: Source
  private let blocks: AsyncStream<Data>
  private var text = ""

  init(of pipe: Pipe) {
    let source = Source(pipe)
    let (stream, continuation) = AsyncStream<Data>.makeStream()
    (self.source, blocks) = (source, stream)
    Thread.detachNewThread {
      while true {
        guard let data = source.read() else {
          source.wait()
          continue
        }
        if data.isEmpty { return continuation.finish() }
        continuation.yield(data)
      }
    }
  }

  deinit { stop() }

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
  func stop() { source.close() }
}
