/// Does what control lines ask of a pipeline, and words the answers.
struct ControlDesk: Sendable {
  let pipeline: Pipeline

  /// The longest line that is taken, in bytes.
  static let longestLine = 65_536

  /// The answer to a line.
  func answer(_ line: [UInt8]) -> [UInt8] {
    var identifier: JSONTree?
    do {
      let members = try Self.members(of: line)
      identifier = members.first { $0.key.value == "id" }?.value
      let answer = try perform(ControlRequest(members))
      return Self.line([("ok", true)] + answer, identifier)
    } catch {
      return Self.refusal(error, identifier)
    }
  }

  /// The answer to a line that asks for nothing that can be done.
  static func refusal(_ error: NodeError, _ identifier: JSONTree? = nil) -> [UInt8] {
    line(
      [
        ("ok", false), ("error", JSONTree(.string(error.message))),
        ("remedy", JSONTree(.string(error.remedy))),
      ], identifier)
  }

  /// The answer to a line that is too long.
  static var tooLong: [UInt8] {
    refusal(
      NodeError("the line is longer than \(longestLine) bytes", remedy: "end each line"))
  }

  private static func line(
    _ members: [(String, JSONTree)], _ identifier: JSONTree?
  ) -> [UInt8] {
    let all = (identifier.map { [("id", $0)] } ?? []) + members
    return Array(JSONTree(members: all).jsonLine.utf8)
  }

  private static func members(of line: [UInt8]) throws(NodeError) -> [JSONTree.Member] {
    let example = #"write an object on one line, such as { "command": "status" }"#
    let tree: JSONTree
    guard line.contains(where: { $0 > 0x20 }) else {
      throw NodeError("the line is empty", remedy: example)
    }
    do throws(JSONReader.Fault) {
      let (read, duplicates) = try JSONReader.read(line)
      if let twice = duplicates.first { throw twice }
      tree = read
    } catch {
      let wording = error.problem.wording
      let remedy = if case .numberTooLarge = error.problem { wording.remedy } else { example }
      throw NodeError("column \(error.place.column): \(wording.message)", remedy: remedy)
    }
    guard let members = tree.members else {
      throw NodeError("the line is \(tree.value.spoken)", remedy: example)
    }
    return members
  }

  private func perform(_ request: ControlRequest) throws(NodeError) -> [(String, JSONTree)] {
    switch request.command {
    case .set: try pipeline.set(request.values, areTexts: true, at: request.time)
    case .get: return [("values", try values(request.parameter))]
    case .list:
      let trees = pipeline.liveParameters.map { try? JSONTree(encoding: $0) }
      return [("parameters", JSONTree(.array(trees.compactMap(\.self))))]
    case .status: return status
    case .pause: pipeline.pause()
    case .resume: pipeline.resume()
    case .split: try pipeline.split()
    case .mark:
      let marks = try pipeline.mark(request.title)
      return [("marks", JSONTree(.array(marks.compactMap { try? JSONTree(encoding: $0) })))]
    case .finish: pipeline.finish()
    case .cancel: pipeline.cancel()
    }
    return position
  }

  private func values(_ path: String?) throws(NodeError) -> JSONTree {
    if let path {
      let value = try pipeline.value(of: path) ?? .null
      return JSONTree(members: [(path, JSONTree(value: value))])
    }
    return JSONTree(
      members: pipeline.liveParameters.map { ($0.path, JSONTree(value: $0.value ?? .null)) })
  }

  /// How far the run has come, in seconds of its media.
  private var position: [(String, JSONTree)] {
    let seconds = pipeline.storage.position.map {
      ("position", JSONTree(number: $0.rounded(to: 6)))
    }
    return seconds.map { [$0] } ?? []
  }

  private var status: [(String, JSONTree)] {
    let duration = pipeline.storage.duration.map {
      ("duration", JSONTree(number: $0.rounded(to: 6)))
    }
    let seconds = (ContinuousClock.now - pipeline.storage.context.log.start) / .seconds(1)
    return [("state", JSONTree(.string(pipeline.state.rawValue)))] + position
      + (duration.map { [$0] } ?? [])
      + [
        ("seconds", JSONTree(number: seconds.rounded(to: 3))),
        ("dropped", JSONTree(number: Double(pipeline.droppedSamples))),
        ("waitingChanges", JSONTree(number: Double(pipeline.waitingChanges))),
      ]
  }
}

extension Pipeline {
  fileprivate var waitingChanges: Int {
    storage.lowered.changes.values.reduce(0) { $0 + $1.waiting.count }
  }

  fileprivate var droppedSamples: Int {
    storage.lowered.groups.flatMap { $0.ledgers() }.reduce(0) { sum, wire in
      sum + wire.ledger.dropped.values.reduce(0, +)
    }
  }
}
