import Glibc

/// The reading end of a FIFO, open as long as this lives.
package final class ReadingEnd: Sendable {
  package let descriptor: Int32

  /// Opens a FIFO at once, whether anything writes it or not; `nil` where it can't be opened. What reads it
  /// waits for the first bytes.
  package init?(_ path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFL, 0)
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}
