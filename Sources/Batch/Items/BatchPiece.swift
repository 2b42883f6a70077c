import GStreamer
import GraphKit

/// Which piece of a long file an item is.
package struct BatchPiece: Hashable, Sendable {
  /// The item that all pieces together are, which puts them together.
  package var item: String
  /// What it has of the audio.
  package var audio: AudioPiece
  /// Where it begins, in seconds of the audio.
  package var start: Double

  package init(_ audio: AudioPiece, of item: String, start: Double) {
    (self.audio, self.item, self.start) = (audio, item, start)
  }

  /// `piece 3 of 64`
  package var name: String { "piece \(audio.number + 1) of \(audio.count)" }

  /// The piece's name in the batch: another one where it is cut otherwise.
  var id: String {
    let text = "piece \(item) \(audio.number) \(audio.count) \(audio.runs)"
    return String(FileDigest.hexadecimal(of: Array(text.utf8)).prefix(32))
  }

  var tree: JSONTree {
    JSONTree(members: [
      ("of", JSONTree(.string(item))), ("number", JSONTree(number: Double(audio.number))),
      ("count", JSONTree(number: Double(audio.count))),
      ("runs", JSONTree(.array(audio.runs.map { JSONTree(number: Double($0)) }))),
      ("start", JSONTree(number: start)),
    ])
  }

  /// Reads what ``tree`` is; `nil` where it is something else.
  init?(_ fields: JSONFields) {
    guard let item = fields.text("of"), let number = fields.whole("number"),
      let count = fields.whole("count"), let start = fields.number("start")
    else { return nil }
    let runs = fields.values("runs").compactMap(\.wholeNumber)
    self.init(
      AudioPiece(number: number, count: count, runs: runs), of: item, start: start)
  }
}

extension BatchItem {
  /// The items that a long file becomes: its pieces, and itself, which puts them together.
  /// - Parameter part: the file that has what is made of a piece.
  func inPieces(
    _ pieces: [(piece: AudioPiece, start: Double)], part: (AudioPiece) -> String
  ) -> [BatchItem] {
    let all = pieces.map { audio, start in
      var item = self
      let piece = BatchPiece(audio, of: id, start: start)
      (item.id, item.piece) = (piece.id, piece)
      (item.size, item.cost) = (size / audio.count, cost / Double(audio.count))
      item.outputs = [part(audio)]
      return item
    }
    var whole = self
    (whole.pieces, whole.cost) = (all.map(\.id), cost / Double(max(1, all.count)))
    return all + [whole]
  }

  /// A message about it: of a piece, with its number.
  func message(_ text: String) -> String { piece.map { "\($0.name): \(text)" } ?? text }
}
