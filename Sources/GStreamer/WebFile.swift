import GraphKitSystem

/// A file of the web, read as if it were on this machine.
///
/// What was fetched stays in a copy that has no name and goes with the last use, so that nothing is
/// fetched twice however many readers there are. A server that gives no parts of files is read from
/// front to back. A connection that is cut is made again where it was, as long as each one brings
/// something; the first failure is every later reader's, too.
package final class WebFile: FetchedFile {
  /// How long a server may send nothing, in seconds. Shorter than the time in which a run may stand
  /// still, since this says why.
  package static let patience = 8.0

  package let copy: File
  private let address: String
  private let transfer: WebTransfer

  private init(_ address: String, _ copy: File) {
    (self.address, self.copy) = (address, copy)
    transfer = WebTransfer(copy)
  }

  deinit { transfer.close()?.stop() }

  /// The file of an address: the one that is open already, or else another. Waits for its first bytes.
  package static func open(_ address: String) throws(File.Failure) -> WebFile {
    if let file = FetchedFiles.file(at: address) as? WebFile, !file.transfer.hasFailed {
      return file
    }
    let copy = try File(namelessIn: Machine.variable("TMPDIR") ?? "/tmp")
    let file = WebFile(address, copy)
    try file.fetch(0..<1) { true }
    if let connection = file.transfer.connection { file.transfer.learn(of: connection) }
    guard let size = file.transfer.size else { throw .endless }
    try copy.truncate(to: size)
    FetchedFiles.add(file, at: address)
    return file
  }

  package var failure: File.Failure? { transfer.failure }

  package var isAwaited: Bool { transfer.isAwaited }

  package func fetch(
    _ range: Range<Int>, while isWanted: () -> Bool
  ) throws(File.Failure) {
    var reader = transfer.enter(range)
    defer { transfer.leave(&reader) }
    while true {
      switch try transfer.step(&reader) {
      case .done: return
      case .wait: break
      case .move(let offset, let old): try move(to: offset, from: old)
      }
      guard isWanted() else { throw .stopped }
      if let connection = transfer.connection, let news = connection.news() {
        transfer.take(news, of: connection)
      }
    }
  }

  /// Has the transfer go on at an offset, by the connection that there is, or else another.
  private func move(to offset: Int, from old: WebConnection?) throws(File.Failure) {
    if let old, old.news() == nil, old.seek(to: offset) { return transfer.begin(old) }
    old?.stop()
    let number = transfer.nextNumber()
    let connection = WebConnection(address) { [transfer] buffer in
      transfer.take(buffer, from: number)
    }
    guard let connection else {
      let failure = File.Failure.saying("GStreamer's element `souphttpsrc` isn't installed")
      transfer.fail(failure)
      throw failure
    }
    transfer.begin(connection)
    connection.start(at: offset)
  }
}

extension File.Failure {
  /// That a server doesn't say how much it will send.
  fileprivate static var endless: Self {
    .saying("the server doesn't say how long it is, as of a stream without an end")
  }
}
