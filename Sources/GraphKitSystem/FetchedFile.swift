import Glibc

/// A file of another machine, whose bytes come to this one as they are read.
package protocol FetchedFile: AnyObject, Sendable {
  /// The copy here: as long as the whole, with holes where nothing has been fetched yet.
  var copy: File { get }
  /// Why no more of it can be had; `nil` while that may be.
  var failure: File.Failure? { get }
  /// Whether a reader waits for bytes.
  var isAwaited: Bool { get }
  /// Waits until bytes are in the copy. Throws where they can't be had, and ``File/Failure/stopped``
  /// once `isWanted` says that nobody waits for them any more.
  func fetch(
    _ range: Range<Int>, while isWanted: () -> Bool
  ) throws(File.Failure)
}

/// The files of other machines that this process has open, by their addresses: ``File`` opens them
/// once more by these, so that everything that reads a file reads them too.
package enum FetchedFiles {
  private struct Entry {
    weak var file: (any FetchedFile)?
  }

  private static let entries = Monitor<[String: Entry]>([:])

  /// The file of an address, while it is open.
  package static func file(at address: String) -> (any FetchedFile)? {
    entries.withLock { $0[address]?.file }
  }

  /// Has others find a file for as long as somebody holds it.
  package static func add(_ file: any FetchedFile, at address: String) {
    entries.withLock { entries in
      entries = entries.filter { $0.value.file != nil }
      entries[address] = Entry(file: file)
    }
  }
}

extension String {
  /// Whether a path is an address of the web.
  package var isWebAddress: Bool {
    let start = prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// The path on this machine that a `file://` address leads to; any other path as it is.
  package var localPath: String {
    let scheme = "file://"
    guard prefix(scheme.count).lowercased() == scheme else { return self }
    var path = dropFirst(scheme.count)
    if path.hasPrefix("localhost/") { path = path.dropFirst("localhost".count) }
    return path.hasPrefix("/") ? path.withoutPercents : self
  }
}

extension Substring {
  /// The text with `%20` as a space, and so on (RFC 3986, section 2.1).
  fileprivate var withoutPercents: String {
    var bytes: [UInt8] = []
    var rest = utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(Substring(rest.prefix(2))), radix: 16)
      else {
        bytes.append(byte)
        continue
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
