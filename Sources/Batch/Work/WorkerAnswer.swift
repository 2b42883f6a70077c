import JSON

/// What a worker says of an item when it is over with it.
struct WorkerAnswer: Hashable, Sendable {
  /// How it went.
  enum Outcome: Hashable, Sendable {
    case done
    /// Another worker had done it.
    case doneBefore
    case failed(FailedRecord)
  }

  var id: String
  var outcome: Outcome

  init(_ id: String, _ outcome: Outcome) { (self.id, self.outcome) = (id, outcome) }

  /// The answer as a line.
  var line: String {
    var members: [(String, JSONTree)] = [("id", JSONTree(.string(id)))]
    switch outcome {
    case .done: members.append(("outcome", "done"))
    case .doneBefore: members.append(("outcome", "doneBefore"))
    case .failed(let record):
      members.append(("outcome", "failed"))
      members.append(("status", JSONTree(number: Double(record.status))))
      members.append(("message", JSONTree(.string(record.message))))
      members.append(("input", JSONTree(.string(record.input))))
      members.append(("seconds", JSONTree(number: record.seconds)))
    }
    return JSONTree(members: members).jsonLine
  }

  /// Reads a line; `nil` where it is something else, such as what a library prints.
  init?(line: [UInt8]) {
    guard let fields = JSONFields(ofBatch: line), let id = fields.text("id") else { return nil }
    switch fields.text("outcome") {
    case "done": self.init(id, .done)
    case "doneBefore": self.init(id, .doneBefore)
    case "failed":
      guard let status = fields.whole("status"), let message = fields.text("message"),
        let input = fields.text("input"), let seconds = fields.number("seconds")
      else { return nil }
      self.init(
        id,
        .failed(
          FailedRecord(id: id, input: input, status: status, message: message, seconds: seconds)))
    default: return nil
    }
  }
}
