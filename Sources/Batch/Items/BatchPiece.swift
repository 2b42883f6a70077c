import GStreamer
import GraphKit

/// Which piece of a long file an item is.
package struct BatchPiece: Hashable, Sendable {
  /// The item that all pieces together are, which puts them together.
  package var item: String
  /// What it has of the file's audio or video.
  package var stream: StreamPiece
  /// Where it begins, in seconds of the stream.
  package var start: Double

  package init(_ stream: StreamPiece, of item: String, start: Double) {
    (self.stream, self.item, self.start) = (stream, item, start)
  }

  /// `piece 3 of 64`
  package var name: String { "piece \(stream.number + 1) of \(stream.count)" }

  /// The piece's name in the batch: another one where it is cut otherwise.
  var id: String {
    let text = "piece \(item) \(stream.number) \(stream.count) \(cuts)"
    return String(FileDigest.hexadecimal(of: Array(text.utf8)).prefix(32))
  }

  private var cuts: String {
    switch stream {
    case .audio(let piece): "\(piece.runs)"
    case .video(let piece): "\(piece.start)-\(piece.end.map { "\($0)" } ?? "")"
    }
  }

  var tree: JSONTree {
    var members = [
      ("of", JSONTree(.string(item))), ("number", JSONTree(number: Double(stream.number))),
      ("count", JSONTree(number: Double(stream.count))),
    ]
    switch stream {
    case .audio(let piece):
      members.append(
        ("runs", JSONTree(.array(piece.runs.map { JSONTree(number: Double($0)) }))))
    case .video(let piece):
      members.append(("from", JSONTree(number: Double(piece.start))))
      if let end = piece.end { members.append(("to", JSONTree(number: Double(end)))) }
    }
    return JSONTree(members: members + [("start", JSONTree(number: start))])
  }

  /// Reads what ``tree`` is; `nil` where it is something else.
  init?(_ fields: JSONFields) {
    guard let item = fields.text("of"), let number = fields.whole("number"),
      let count = fields.whole("count"), let start = fields.number("start")
    else { return nil }
    guard let from = fields.whole("from") else {
      let runs = fields.values("runs").compactMap(\.wholeNumber)
      let piece = AudioPiece(number: number, count: count, runs: runs)
      self.init(.audio(piece), of: item, start: start)
      return
    }
    let piece = VideoPiece(
      number: number, count: count, start: Int64(from), end: fields.whole("to").map { Int64($0) })
    self.init(.video(piece), of: item, start: start)
  }
}

extension BatchItem {
  /// The items that a long file becomes: its pieces, and itself, which puts them together.
  /// - Parameter part: the file that has what is made of a piece.
  func inPieces(
    _ pieces: [(piece: StreamPiece, start: Double)], part: (StreamPiece) -> String
  ) -> [BatchItem] {
    let all = pieces.map { stream, start in
      var item = self
      let piece = BatchPiece(stream, of: id, start: start)
      (item.id, item.piece) = (piece.id, piece)
      (item.size, item.cost) = (size / stream.count, cost / Double(stream.count))
      item.outputs = [part(stream)]
      return item
    }
    var whole = self
    (whole.pieces, whole.cost) = (all.map(\.id), cost / Double(max(1, all.count)))
    return all + [whole]
  }

  /// A message about it: of a piece, with its number.
  func message(_ text: String) -> String { piece.map { "\($0.name): \(text)" } ?? text }
}
