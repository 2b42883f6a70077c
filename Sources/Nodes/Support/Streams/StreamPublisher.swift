import GraphKitSystem

/// Has the folder of a stream written: that of a live one, which is flushed to its disk, on a thread of
/// its own, since a camera doesn't wait for a slow disk.
final class StreamPublisher: Sendable {
  private let folder: Monitor<StreamFolder>
  private let failure = Monitor<(any Error)?>(nil)
  /// The thread; `nil` where who publishes writes.
  private let work: OrderedWork?
  /// How many bytes may wait for the disk: a minute of 8 Mbit/s.
  private static let capacity = 64 << 20
  /// How long a run that has failed waits for a disk that does nothing any more.
  private static let patience = Duration.seconds(10)

  init(_ folder: StreamFolder, isLive: Bool) {
    self.folder = Monitor(folder)
    work = isLive ? OrderedWork(name: "stream", capacity: Self.capacity) : nil
  }

  /// Has an update written after those before it. Throws what one of these couldn't be written for;
  /// then no more is.
  func publish(_ update: StreamUpdate) throws {
    try throwFailure()
    guard let work else { return try write(update) }
    work.add(byteCount: update.byteCount) { [folder, failure] in
      guard failure.withLock({ $0 == nil }) else { return }
      do { try folder.withLock { try $0.write(update) } } catch {
        failure.withLock { $0 = error }
      }
    }
  }

  private func write(_ update: StreamUpdate) throws {
    try folder.withLock { try $0.write(update) }
  }

  /// Throws where something couldn't be written that ends the run.
  func throwFailure() throws { if let error = failure.withLock({ $0 }) { throw error } }

  /// Waits until all is written.
  func finish() throws {
    work?.wait()
    try throwFailure()
  }

  /// Has the playlists say that the stream has ended.
  func close() {
    guard work?.wait(atMost: Self.patience) ?? true else { return }
    folder.withLock { $0.close() }
  }

  /// Why the stream has a gap.
  var loss: (any Error)? { folder.withLock { $0.loss } }
}
