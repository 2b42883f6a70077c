import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A pipe from a request's body into a graph: who writes waits until the graph has room.
final class UploadPipe: Sendable {
  /// The end that a graph reads.
  let reading: Int32
  private let writing: Int32
  private let isOpen = Mutex((reading: true, writing: true))
  /// Writing waits, so it has a thread.
  private let thread = NIOThreadPool(numberOfThreads: 1)

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw CocoaError(.fileReadUnknown) }
    (reading, writing) = (ends[0], ends[1])
    thread.start()
  }

  /// Writes all of a buffer. Throws where the reader is gone.
  func write(_ buffer: ByteBuffer) async throws {
    try await thread.runIfActive { [writing] in
      try FileHandle(fileDescriptor: writing, closeOnDealloc: false)
        .write(contentsOf: Data(buffer.readableBytesView))
    }
  }

  /// Says that nothing follows.
  func end() {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen.writing = false }
      return isOpen.writing
    }
    if wasOpen { close(writing) }
  }

  /// Closes the reader's end: a writer then gets an error.
  func stop() {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen.reading = false }
      return isOpen.reading
    }
    if wasOpen { close(reading) }
  }

  deinit {
    stop()
    end()
    thread.shutdownGracefully { _ in }
  }
}
