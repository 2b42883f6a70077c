/// A file of a web server, read as if it were on this machine.
///
/// What was fetched stays in a copy that has no name and goes with the last use, so that nothing is
/// fetched twice however many readers there are. The first failure is every later reader's, too.
package final class WebFile: Sendable {
  private struct Entry {
    weak var file: WebFile?
  }

  /// The files that are open, by their addresses.
  private static let entries = Monitor<[String: Entry]>([:])

  /// How long a server may take to send a file whose length it doesn't say, in seconds.
  private static let patienceWithoutSize = 30.0

  /// As long as the whole, with holes where nothing has been fetched yet.
  let copy: File
  private let loader: WebLoader

  private init(_ address: String) throws(WebFailure) {
    do throws(File.Failure) { copy = try File(namelessIn: Self.folder) } catch {
      throw .copy(folder: Self.folder, words: error.text)
    }
    loader = .start(address, copy)
    try findSize()
  }

  deinit { loader.close() }

  /// Where copies are.
  static var folder: String { Machine.variable("TMPDIR") ?? "/tmp" }

  /// The file of an address: the one that is open already, though it may have failed, or else another.
  static func shared(_ address: String) throws(WebFailure) -> WebFile {
    if let known = entries.withLock({ $0[address]?.file }) { return known }
    return try open(address)
  }

  /// The file of an address: the one that is open already, unless it has failed, or else another. Waits
  /// for its beginning.
  package static func open(_ address: String) throws(WebFailure) -> WebFile {
    if let known = entries.withLock({ $0[address]?.file }), known.failure == nil { return known }
    let file = try WebFile(address)
    entries.withLock { entries in
      entries = entries.filter { $0.value.file != nil }
      entries[address] = Entry(file: file)
    }
    return file
  }

  /// A server that doesn't say how long a file is sends all of it first.
  private func findSize() throws(WebFailure) {
    _ = try loader.fetch(0..<1) { true }
    let (start, patience) = (ContinuousClock.now, Self.patienceWithoutSize)
    if loader.size == nil {
      let isThere = try loader.fetch(0..<Int.max) {
        (ContinuousClock.now - start) / .seconds(1) < patience
      }
      guard isThere else { throw .endless(seconds: patience) }
    }
    do throws(File.Failure) { try copy.truncate(to: loader.size ?? 0) } catch {
      throw .copy(folder: Self.folder, words: error.text)
    }
  }

  /// Why no more of it can be had; `nil` while that may be.
  package var failure: WebFailure? { loader.failure }

  /// Whether a reader waits for bytes.
  package var isAwaited: Bool { loader.isAwaited }

  /// How many bytes have come so far for all readers of this process.
  package static var arrivedBytes: Int { WebLoader.arrivedBytes.load(ordering: .relaxed) }

  /// Waits until bytes are in the copy, as far as the file has them. Throws where they can't be had, and
  /// ``File/Failure/stopped`` once `isWanted` says that no reader waits for them any more.
  func fetch(_ range: Range<Int>, while isWanted: () -> Bool) throws(File.Failure) {
    let isThere: Bool
    do throws(WebFailure) { isThere = try loader.fetch(range, while: isWanted) } catch {
      throw .saying(error.text)
    }
    guard isThere else { throw .stopped }
  }

  /// Ends the connection until bytes are wanted that aren't there.
  func rest() { loader.rest() }
}
