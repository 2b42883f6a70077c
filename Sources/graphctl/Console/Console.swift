import GStreamer
import GraphKit
import GraphKitSystem

/// Where the words of a command go.
enum Console {
  /// Writes data to standard output. Throws where they don't arrive.
  static func data(_ text: String) throws {
    do {
      try StandardStream.output.write(text.hasSuffix("\n") ? text : text + "\n")
    } catch {
      throw unwritable(error)
    }
  }

  /// Writes data to the program that follows a run. A reader that has gone is no failure.
  static func stream(_ text: String) throws(CommandFailure) -> Bool {
    do {
      try StandardStream.output.write(text + "\n")
      return true
    } catch {
      if error.isBrokenPipe { return false }
      throw unwritable(error)
    }
  }

  private static func unwritable(_ error: File.Failure) -> CommandFailure {
    CommandFailure(
      status: .failed, message: "standard output can't be written to: \(error.text)")
  }

  /// Tells a person something on standard error, where anyone listens.
  static func message(_ text: String) {
    guard !text.isEmpty else { return }
    try? StandardStream.error.write(text + "\n")
  }

  /// Tells what GStreamer complained about while no graph ran.
  static func tellComplaints() {
    for complaint in Complaints.takeWaiting() { message("warning: \(complaint.message)") }
  }

  /// Writes a value as JSON to standard output.
  static func json(_ value: some Encodable) throws {
    try data(JSONTree(encoding: value).json)
  }

  /// Tells what a person should know of a graph that is right.
  static func tell(_ graph: Graph) {
    for warning in graph.warnings { message(warning.description) }
    for notice in graph.notices { message("\(notice.node): note: \(notice.message)") }
  }
}
