import GStreamer
import GraphKit
import GraphKitSystem

/// A file that an item has written, as it was when it was published.
package struct OutputRecord: Hashable, Sendable {
  package var path: String
  package var bytes: Int
  package var digest: String
  /// Whether a command has brought it to where this machine can't see it.
  package var isRemote = false

  /// Whether the file is still so.
  func isIntact(verifies: Bool) -> Bool {
    guard !isRemote else { return true }
    guard let file = try? File(path), file.size == bytes else { return false }
    return !verifies || (try? FileDigest.hexadecimal(of: file)) == digest
  }

  fileprivate var tree: JSONTree {
    JSONTree(members: [
      ("path", JSONTree(.string(path))), ("bytes", JSONTree(number: Double(bytes))),
      ("sha256", JSONTree(.string(digest))), ("remote", JSONTree(.bool(isRemote))),
    ])
  }

  fileprivate init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let path = fields.text("path"),
      let bytes = fields.whole("bytes"), let digest = fields.text("sha256")
    else { return nil }
    self.init(path: path, bytes: bytes, digest: digest, isRemote: fields.flag("remote"))
  }

  init(path: String, bytes: Int, digest: String, isRemote: Bool) {
    (self.path, self.bytes, self.digest, self.isRemote) = (path, bytes, digest, isRemote)
  }
}

/// What became of an item that is done.
package struct DoneRecord: Sendable {
  package var id: String
  package var input: String
  package var outputs: [OutputRecord]
  /// The report of the run; `nil` where it was read from a record.
  package var report: Report?
  /// What the run warned of.
  package var warnings: [RunWarning]
  package var host: String
  package var seconds: Double
  package var attempt: Int

  var json: String {
    var members: [(String, JSONTree)] = [
      ("id", JSONTree(.string(id))), ("input", JSONTree(.string(input))),
      ("outputs", JSONTree(.array(outputs.map(\.tree)))), ("host", JSONTree(.string(host))),
      ("seconds", JSONTree(number: seconds)), ("attempt", JSONTree(number: Double(attempt))),
    ]
    if let report, let tree = try? JSONTree(encoding: report) { members.append(("report", tree)) }
    return JSONTree(members: members).json
  }

  init?(line: [UInt8]) {
    guard let fields = JSONFields(ofBatch: line), let id = fields.text("id"),
      let input = fields.text("input"), let host = fields.text("host"),
      let seconds = fields.number("seconds"), let attempt = fields.whole("attempt")
    else { return nil }
    let values = fields.values("outputs")
    let outputs = values.compactMap { OutputRecord($0) }
    guard outputs.count == values.count else { return nil }
    self.init(
      id: id, input: input, outputs: outputs, report: nil, host: host, seconds: seconds,
      attempt: attempt)
    warnings = (fields.object("report")?.values("warnings") ?? []).compactMap {
      guard let warning = JSONFields($0), let message = warning.text("message") else { return nil }
      return RunWarning(node: warning.text("node"), message: message)
    }
  }

  init(
    id: String, input: String, outputs: [OutputRecord], report: Report?, host: String,
    seconds: Double, attempt: Int
  ) {
    (self.id, self.input, self.outputs, self.report) = (id, input, outputs, report)
    (self.host, self.seconds, self.attempt) = (host, seconds, attempt)
    warnings = report?.warnings ?? []
  }
}

/// What became of an attempt that failed.
package struct FailedRecord: Hashable, Sendable {
  package var id: String
  package var input: String
  /// The exit code that a run of the graph alone would have, or the negated number of the signal that
  /// ended the worker.
  package var status: Int
  package var message: String
  package var host: String
  package var seconds: Double
  package var attempt: Int

  /// Codes of attempts that would fail again: the graph or the file is wrong, or isn't there.
  private static let finalCodes = [65, 66]
  /// Codes of attempts that may pass when they are tried again: no room, no place, a stall.
  private static let passingCodes = [71, 73, 75]

  /// Whether another attempt would fail, too, as long as nothing changes.
  package var isFinal: Bool { Self.finalCodes.contains(status) }

  /// Whether another attempt is worth it at once.
  package var isPassing: Bool { status < 0 || Self.passingCodes.contains(status) }

  var json: String {
    JSONTree(members: [
      ("id", JSONTree(.string(id))), ("input", JSONTree(.string(input))),
      ("status", JSONTree(number: Double(status))), ("message", JSONTree(.string(message))),
      ("host", JSONTree(.string(host))), ("seconds", JSONTree(number: seconds)),
      ("attempt", JSONTree(number: Double(attempt))),
    ]).json
  }

  init?(line: [UInt8]) {
    guard let fields = JSONFields(ofBatch: line), let id = fields.text("id"),
      let input = fields.text("input"), let status = fields.whole("status"),
      let message = fields.text("message"), let host = fields.text("host"),
      let seconds = fields.number("seconds"), let attempt = fields.whole("attempt")
    else { return nil }
    self.init(
      id: id, input: input, status: status, message: message, host: host, seconds: seconds,
      attempt: attempt)
  }

  init(
    id: String, input: String, status: Int, message: String, host: String = Machine.hostName,
    seconds: Double, attempt: Int = 0
  ) {
    (self.id, self.input, self.status, self.message) = (id, input, status, message)
    (self.host, self.seconds, self.attempt) = (host, seconds, attempt)
  }
}

extension JSONFields {
  /// Reads a line or a record that a process of the batch has written, however long: an item may have
  /// an output for each frame, and a task a hundred thousand items.
  init?(ofBatch line: [UInt8]) { self.init(line: line, limit: .max) }
}
