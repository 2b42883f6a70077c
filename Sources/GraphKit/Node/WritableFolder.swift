import GraphKitSystem

/// A folder of files that a run writes, for the ``TrackWriter`` that it belongs to.
///
/// Each file appears as a whole, or replaces the one of its name as a whole: readers find the old one
/// or the new one. What was in the folder before stays until the first file is written.
public struct WritableFolder: Sendable {
  private let isBegun: @Sendable () -> Bool
  private let failure: @Sendable (String, File.Failure) -> any Error
  private let warning: @Sendable (String) -> Void
  private let clock: @Sendable () -> UInt64?
  /// Where it is.
  public let path: String

  init(
    isBegun: @escaping @Sendable () -> Bool,
    failure: @escaping @Sendable (String, File.Failure) -> any Error,
    warning: @escaping @Sendable (String) -> Void, path: String,
    clock: @escaping @Sendable () -> UInt64?
  ) {
    (self.isBegun, self.failure, self.warning) = (isBegun, failure, warning)
    (self.path, self.clock) = (path, clock)
  }

  /// Writes a file of the folder. Throws where it can't be written, with words for the user; nothing
  /// is written before a sample has come. With `isFlushed` it is on the disk when this returns, and what
  /// names it can't get there before it.
  public func write(_ bytes: [UInt8], to name: String, isFlushed: Bool = false) throws {
    guard isBegun() else { return }
    let path = "\(path)/\(name)"
    do throws(File.Failure) {
      var file = try ReplacementFile(path)
      try file.write(bytes)
      if isFlushed { try file.flush() }
      try file.complete()
      if isFlushed { File.synchronizeFolder(of: path) }
    } catch {
      throw failure(path, error)
    }
  }

  /// Says something that a person should know; the run goes on.
  public func warn(_ message: String) { warning(message) }

  /// Removes a file of the folder, if it is there.
  public func remove(_ name: String) {
    if isBegun() { File.remove("\(path)/\(name)") }
  }

  /// The names in the folder.
  public var names: [String] { Machine.names(in: path) }

  /// The time of day at which the run's time is zero, in nanoseconds since 1970: by what its clock
  /// shows now, which stands still while the run is paused. `nil` before it runs.
  public var startTime: Int64? {
    clock().map { ProcessTime.nanosecondsSince1970 - Int64(clamping: $0) }
  }
}
