import GStreamer

extension ItemQueue {
  /// Takes out the next item of a queue that holds buffers alone.
  mutating func popBuffer() -> Buffer? {
    guard let item = popFirst() else { return nil }
    switch consume item {
    case .buffer(let buffer): return buffer
    case .event: return nil
    }
  }
}
