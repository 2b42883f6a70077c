import GraphKit

/// What a batch does, as `batch.json` has it; the graph's text is beside it.
package struct BatchDescription: Hashable, Sendable {
  /// The graph's file, which its own paths are relative to; `-` where it came by standard input.
  package var graph: String
  /// The digest of the graph's text.
  package var digest: String
  /// The folder that relative paths begin at.
  package var workingFolder: String
  /// The parameter that an item's file becomes.
  package var inputParameter: String
  /// Shared libraries with further node types.
  package var plugins: [String]
  /// Whether files may be replaced that the batch hasn't made.
  package var overwrites: Bool
  /// About how long a task is to take, in minutes.
  package var taskMinutes: Double
  /// The commands that bring inputs and outputs, as they were given.
  package var stage: [String]
  /// How many pieces a file is cut into; 0 where files are done whole.
  package var pieces: Int
  /// The version of the program.
  package var program: String

  package init(
    graph: String, digest: String, workingFolder: String, inputParameter: String,
    plugins: [String], overwrites: Bool, taskMinutes: Double, stage: [String] = [],
    pieces: Int = 0, program: String
  ) {
    (self.graph, self.digest, self.workingFolder) = (graph, digest, workingFolder)
    (self.inputParameter, self.plugins, self.overwrites) = (inputParameter, plugins, overwrites)
    (self.taskMinutes, self.stage, self.program) = (taskMinutes, stage, program)
    self.pieces = pieces
  }

  /// The description as text.
  package var json: String {
    JSONTree(members: [
      ("format", 1), ("program", JSONTree(.string(program))), ("graph", JSONTree(.string(graph))),
      ("digest", JSONTree(.string(digest))),
      ("workingFolder", JSONTree(.string(workingFolder))),
      ("inputParameter", JSONTree(.string(inputParameter))),
      ("plugins", JSONTree(.array(plugins.map { JSONTree(.string($0)) }))),
      ("overwrite", JSONTree(.bool(overwrites))), ("taskMinutes", JSONTree(number: taskMinutes)),
      ("stage", JSONTree(.array(stage.map { JSONTree(.string($0)) }))),
      ("pieces", JSONTree(number: Double(pieces))),
    ]).json
  }

  /// Reads the text; `nil` where it is no description.
  package init?(line: [UInt8]) {
    guard let fields = JSONFields(line: line), fields.whole("format") == 1,
      let graph = fields.text("graph"), let digest = fields.text("digest"),
      let folder = fields.text("workingFolder"), let input = fields.text("inputParameter"),
      let minutes = fields.number("taskMinutes"), let program = fields.text("program")
    else { return nil }
    self.init(
      graph: graph, digest: digest, workingFolder: folder, inputParameter: input,
      plugins: fields.list("plugins"), overwrites: fields.flag("overwrite"), taskMinutes: minutes,
      stage: fields.list("stage"), pieces: fields.whole("pieces") ?? 0, program: program)
  }
}
