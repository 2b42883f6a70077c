import GraphKitSystem

/// A file with the summaries of a part of a stream: one for each reducer of the graph, by its name.
struct PartFile {
  /// What a reducer has made of a part.
  struct Entry: Codable {
    var reducer: String
    /// The frames that the part has, as far as the stream has them: the last part's end is open.
    var start: Int
    var end: Int
    /// The summary; empty where the stream ended before the part.
    var summary: [UInt8]
  }

  static let caps = "application/x-graphkit-part"
  private static let beginning = Array("GraphKit part 1\n".utf8)

  var entries: [Entry]

  init(_ entries: [Entry]) { self.entries = entries }

  /// Reads a file. Throws where it isn't whole.
  init(_ path: String) throws(NodeError) {
    let bytes: [UInt8]
    do throws(File.Failure) {
      let file = try File(path)
      bytes = try file.read(at: 0, count: file.size)
    } catch {
      throw Self.unreadable(path, error.text)
    }
    guard bytes.starts(with: Self.beginning),
      let entries = try? SummaryDecoder.value(
        [Entry].self, of: bytes, at: Self.beginning.count)
    else { throw Self.unreadable(path, "it isn't as graphctl writes it") }
    self.entries = entries
  }

  /// The file's contents.
  var bytes: [UInt8] { get throws { try Self.beginning + SummaryEncoder.bytes(of: entries) } }

  /// A summary as bytes. Throws where one that is read of them writes others: bytes are compared, since
  /// a summary that holds a NaN isn't equal to itself.
  static func bytes<Summary: AssociativeReducer>(of summary: Summary) throws -> [UInt8] {
    let bytes = try SummaryEncoder.bytes(of: summary)
    guard let read = try? SummaryDecoder.value(Summary.self, of: bytes),
      let again = try? SummaryEncoder.bytes(of: read), again == bytes
    else {
      throw NodeError(
        "what \(Summary.self) writes of itself isn't what it reads",
        remedy: "have its `Codable` write all that it holds, in the order in which it reads it")
    }
    return bytes
  }

  /// Why a part can't be used.
  static func unreadable(_ path: String, _ reason: String) -> NodeError {
    NodeError(
      "the part `\(path)` can't be used: \(reason)", remedy: "run the batch again: it makes it anew"
    )
  }
}

extension AssociativeReducer {
  /// The summary as it is read after it was written. Throws where it can't be.
  package func rewritten() throws -> Self {
    try SummaryDecoder.value(Self.self, of: SummaryEncoder.bytes(of: self))
  }
}
