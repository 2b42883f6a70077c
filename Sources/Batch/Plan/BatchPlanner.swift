import GraphKit
import GraphKitSystem

/// Looks at every item before anything runs: whether its parameters hold, what it writes, and that no
/// two items write one file.
package struct BatchPlanner {
  /// That files are cut into pieces, and where their parts go.
  package struct Pieces: Sendable {
    let count: Int
    let folder: BatchFolder

    /// Pieces for a batch in a folder; `nil` where there are to be none.
    package init?(_ count: Int, in folder: BatchFolder) {
      guard count > 0 else { return nil }
      (self.count, self.folder) = (count, folder)
    }
  }

  private let job: BatchJob
  private let environment: PlanningEnvironment
  private let pieces: Pieces?
  private let secondsPerByte: Double
  /// One of the first inputs, brought from where they are; it is checked in place of all of them.
  private var fetched: FetchedInput?
  private var items: [BatchItem] = []
  private var problems: [BatchProblem] = []

  /// What each item takes besides its size.
  private static let secondsPerItem = 0.05
  /// How many inputs are looked into to find one that can be read.
  private static let standInLimit = 20

  /// Items that can be run. Throws all that is wrong with any of them.
  /// - Parameters:
  ///   - readsInputs: whether each file is looked into. Otherwise one that can't be read is found out
  ///     by its run. Those that are cut into pieces are always looked into.
  ///   - pieces: how many pieces files are cut into; `nil` where they are done whole.
  ///   - owned: outputs that the batch has made or promised before, and may replace. Where one can't be
  ///     written any more, that is found out by its run.
  ///   - replaces: whether it may replace all others, too.
  package static func plan(
    _ listed: [ListedItem], _ job: BatchJob, readsInputs: Bool = false,
    pieces: Pieces? = nil, owned: Set<String> = [], replaces: Bool = false,
    secondsPerByte: Double? = nil
  ) throws(BatchError) -> [BatchItem] {
    var planner = BatchPlanner(
      job, readsInputs: readsInputs || pieces != nil, pieces, owned, secondsPerByte ?? 1e-6)
    try planner.fetchStandIn(among: listed.prefix(standInLimit))
    planner.environment.findStandIn(
      among: planner.fetched.map { [$0.path] } ?? listed.prefix(standInLimit).map(\.input))
    for item in listed { planner.look(at: item) }
    planner.compareOutputs()
    if !replaces { planner.refuseOutputsThatAreThere(but: owned) }
    guard planner.problems.isEmpty else { throw BatchError(planner.problems) }
    return planner.items
  }

  private init(
    _ job: BatchJob, readsInputs: Bool, _ pieces: Pieces?, _ owned: Set<String>,
    _ secondsPerByte: Double
  ) {
    (self.job, self.pieces, self.secondsPerByte) = (job, pieces, secondsPerByte)
    environment = PlanningEnvironment(
      LiveEnvironment(), usesStandIn: !readsInputs, owned: owned)
  }

  /// Brings the first input that can be brought. Throws where none of them can.
  private mutating func fetchStandIn(among listed: some Sequence<ListedItem>) throws(BatchError) {
    guard let command = job.staging.get else { return }
    var failure: BatchError?
    for item in listed where fetched == nil {
      do { fetched = try FetchedInput(item.input, id: "plan", by: command) } catch {
        failure =
          failure
          ?? BatchError(
            .noInput, item.place, error.message, remedy: "look at --stage and the item's name")
      }
    }
    if fetched == nil, let failure { throw failure }
  }

  private mutating func look(at listed: ListedItem) {
    let input = fetched?.path ?? listed.input
    environment.take(input: input)
    do throws(GraphErrors) {
      let graph = try job.graph(input, listed.values, in: environment)
      if let item = item(listed, graph) { take(item, graph) }
    } catch {
      let kind = BatchError.Kind(status: job.status(of: error))
      problems += error.faults.map {
        BatchProblem(listed.place, $0.about, remedy: $0.remedy, kind: kind)
      }
    }
  }

  /// Takes an item whole, or in pieces.
  private mutating func take(_ item: BatchItem, _ graph: Graph) {
    guard let pieces else { return items.append(item) }
    do throws(PlanError) {
      items += item.inPieces(try Plan.pieces(pieces.count, of: graph)) {
        pieces.folder.part($0.number, of: $0.count, of: item.id)
      }
    } catch {
      problems.append(BatchProblem(item.place, error.message, remedy: "leave out --pieces"))
    }
  }

  private mutating func item(_ listed: ListedItem, _ graph: Graph) -> BatchItem? {
    let written = graph.nodes.flatMap { PlanNode($0).writtenPaths }
    guard !written.isEmpty, !written.contains(where: { $0.path == "-" }) else {
      problems.append(
        BatchProblem(
          listed.place, written.isEmpty ? "it writes no file" : "it writes to standard output",
          remedy: "give the graph an output for each item, such as --set 'output=done/{path}.dat'"))
      return nil
    }
    let facts = File.facts(of: listed.input)
    let id = graph.digest(
      program: job.program, input: listed.input, standIn: fetched?.path ?? listed.input,
      facts: BatchItem.facts(of: listed.input))
    return BatchItem(
      id: id, input: listed.input, size: facts?.size ?? 0, modified: facts?.modified ?? 0,
      values: listed.values,
      outputs: written.map { ItemTemplate.complete($0.path, id: id) },
      cost: Self.secondsPerItem + Double(facts?.size ?? 0) * secondsPerByte, place: listed.place)
  }

  /// No item writes what another one writes, or any of them reads.
  private mutating func compareOutputs() {
    var paths = ResolvedPaths()
    let inputs = Dictionary(
      items.map { (ExactPath(paths.path(of: $0.input)), $0) },
      uniquingKeysWith: { first, _ in first })
    var writers: [ExactPath: BatchItem] = [:]
    for item in items {
      let outputs = Dictionary(
        item.outputs.map { (ExactPath(paths.path(of: $0)), $0.normalPath) },
        uniquingKeysWith: { first, _ in first })
      for (place, output) in outputs.sorted(by: { $0.value < $1.value }) {
        if let other = writers[place] {
          problems.append(
            BatchProblem(
              item.place, "it writes `\(output)`, as \(other.place) does",
              remedy: "give each item an output of its own; {path}, {name} and {id} differ"))
        } else if let reader = inputs[place] {
          problems.append(
            BatchProblem(
              item.place, "it writes `\(output)`, which \(reader.place) reads",
              remedy: "give another output"))
        }
        writers[place] = item
      }
    }
  }

  private mutating func refuseOutputsThatAreThere(but owned: Set<String>) {
    for item in items where item.piece == nil {
      for output in item.outputs where !owned.contains(output) && File.exists(output) {
        problems.append(
          BatchProblem(
            item.place, "its output `\(output)` is there already",
            remedy: "give another output, or --overwrite", kind: .cannotCreate))
      }
    }
  }
}

extension GraphErrors {
  /// What is wrong, without what is merely superfluous.
  fileprivate var faults: [Diagnostic] { diagnostics.filter { $0.severity == .error } }

  /// What is wrong with an item, a line each; the graph's lines are of no use for that.
  var lines: [String] { faults.map { "\($0.about); \($0.remedy)" } }
}

extension Diagnostic {
  fileprivate var about: String { (node.map { "\($0): " } ?? "") + message }
}

extension BatchItem {
  /// A file's size and time, as text.
  static func facts(of path: String) -> String {
    File.facts(of: path).map { "\($0.size) \($0.modified)" } ?? "none"
  }
}

extension String {
  /// The path without parts that lead nowhere: `a//./b/../c` is `a/c`.
  var normalPath: String {
    var parts: [Substring] = []
    for part in split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return (hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
