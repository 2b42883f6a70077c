extension IsolatedInput {
  /// Why the process doesn't go on, by how it ended.
  func error(_ ending: String) -> NodeError {
    NodeError(
      "the process that reads `\(path)` \(ending)",
      remedy: "look whether other programs read the file; if they do, it may need a greater "
        + "`memoryLimit`", key: "path")
  }

  /// That the process has used up its memory.
  package var memoryError: NodeError {
    NodeError(
      "the process that reads `\(path)` has used up its `memoryLimit` of \(memoryLimit >> 20) MiB",
      remedy: "look whether other programs read the file; if they do, set a greater `memoryLimit`",
      key: "memoryLimit")
  }

  /// Why no memory can be shared with the process.
  func error(_ problem: SharedSlots.Problem) -> NodeError {
    switch problem {
    case .beyondLimit:
      NodeError(
        "samples of `\(path)` need more memory than its `memoryLimit` of \(memoryLimit >> 20) MiB",
        remedy: "look whether other programs read the file; if they do, set a greater "
          + "`memoryLimit`", key: "memoryLimit")
    case .system(let failure):
      NodeError(
        "no memory can be shared with the process that reads `\(path)`: \(failure.text)",
        remedy: "check how much memory the machine has", key: "isolate")
    }
  }

  /// That the process doesn't bring anything.
  var lateError: NodeError {
    NodeError(
      "the process that reads `\(path)` brought nothing for \(timeLimit) s and was ended",
      remedy: "look whether other programs read the file; if they do, set a greater `timeLimit`",
      key: "path")
  }

  /// That the process sends what none of GraphKit does.
  var garbledError: NodeError {
    NodeError(
      "the process that reads `\(path)` sent what can't be, and was ended",
      remedy: "the file may be an attack: keep it away from other programs", key: "path")
  }
}
