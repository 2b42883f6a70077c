import System

/// A folder of files that a run writes, for the ``TrackWriter`` that it belongs to.
///
/// Each file appears as a whole, or replaces the one of its name as a whole: readers find the old one
/// or the new one. What was in the folder before stays until the first file is written.
public struct WritableFolder: Sendable {
  private let isBegun: @Sendable () -> Bool
  private let failure: @Sendable (String, File.Failure) -> any Error
  private let clock: @Sendable () -> UInt64?
  /// Where it is.
  public let path: String

  init(
    isBegun: @escaping @Sendable () -> Bool,
    failure: @escaping @Sendable (String, File.Failure) -> any Error, path: String,
    clock: @escaping @Sendable () -> UInt64?
  ) {
    (self.isBegun, self.failure, self.path, self.clock) = (isBegun, failure, path, clock)
  }

  /// Writes a file of the folder. Throws where it can't be written, with words for the user; nothing
  /// is written where the run has failed before there was anything worth it.
  public func write(_ bytes: [UInt8], to name: String) throws {
    guard isBegun() else { return }
    let path = "\(path)/\(name)"
    do throws(File.Failure) {
      var file = try ReplacementFile(path)
      try file.write(bytes)
      try file.complete()
    } catch {
      throw failure(path, error)
    }
  }

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
