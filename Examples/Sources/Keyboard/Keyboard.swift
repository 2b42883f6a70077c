import Foundation

/// What is typed, a line at a time.
public enum Keyboard {
  /// The lines, until there are no more: read on a thread of their own, since reading waits.
  public static var lines: AsyncStream<String> {
    AsyncStream { continuation in
      Thread.detachNewThread {
        while let line = readLine() { continuation.yield(line) }
        continuation.finish()
      }
    }
  }
}
