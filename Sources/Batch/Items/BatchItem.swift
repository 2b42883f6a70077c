import JSON

/// An item of a batch: a file as it is now, the parameters for it, and what is to come of it.
package struct BatchItem: Hashable, Sendable {
  /// The digest of all that its outputs depend on: another one is another item.
  package var id: String
  /// The file.
  package var input: String
  /// The file's size in bytes; 0 where it isn't there.
  package var size: Int
  /// When the file was written, in nanoseconds since 1970; 0 where it isn't there.
  package var modified: Int
  /// Values for the graph's parameters, but for the input; `{id}` in them is the item's.
  package var values: [String: String]
  /// The files and folders that it writes.
  package var outputs: [String]
  /// How long it may take, in seconds.
  package var cost: Double
  /// Where it was listed.
  package var place: String
  /// Which piece of its file it is; `nil` for all of it.
  package var piece: BatchPiece?
  /// The names of the pieces that it is put together of; none where it is done in one go.
  package var pieces: [String] = []

  /// The values with the item's name in them.
  package var finalValues: [String: String] {
    values.mapValues { ItemTemplate.complete($0, id: id) }
  }

  /// The item as a line of JSON.
  package var line: String {
    let set = values.sorted { $0.key < $1.key }.map { ($0.key, JSONTree(.string($0.value))) }
    var members: [(String, JSONTree)] = [
      ("id", JSONTree(.string(id))), ("input", JSONTree(.string(input))),
      ("size", JSONTree(number: Double(size))), ("modified", JSONTree(.string("\(modified)"))),
      ("set", JSONTree(members: set)),
      ("outputs", JSONTree(.array(outputs.map { JSONTree(.string($0)) }))),
      ("cost", JSONTree(number: cost)), ("place", JSONTree(.string(place))),
    ]
    if let piece { members.append(("piece", piece.tree)) }
    if !pieces.isEmpty {
      members.append(("pieces", JSONTree(.array(pieces.map { JSONTree(.string($0)) }))))
    }
    return JSONTree(members: members).jsonLine
  }

  /// Reads a line; `nil` where it is no item.
  package init?(line: [UInt8]) {
    guard let fields = JSONFields(ofBatch: line), let id = fields.text("id"),
      let input = fields.text("input"), let size = fields.number("size"),
      let modified = fields.text("modified").flatMap({ Int($0) }), let cost = fields.number("cost")
    else { return nil }
    self.init(
      id: id, input: input, size: Int(size), modified: modified, values: fields.texts("set"),
      outputs: fields.list("outputs"), cost: cost, place: fields.text("place") ?? input)
    piece = fields.object("piece").flatMap { BatchPiece($0) }
    pieces = fields.list("pieces")
  }

  package init(
    id: String, input: String, size: Int, modified: Int, values: [String: String],
    outputs: [String], cost: Double, place: String
  ) {
    (self.id, self.input, self.size, self.modified) = (id, input, size, modified)
    (self.values, self.outputs, self.cost, self.place) = (values, outputs, cost, place)
  }

  /// The item as it is listed, to be looked at anew.
  package var listed: ListedItem { ListedItem(input, values: values, place: place) }
}
