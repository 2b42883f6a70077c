import GraphKit

/// A graph as it was given, and all that it takes to check it.
struct GraphText {
  /// What messages call the graph.
  var name: String
  var bytes: [UInt8]
  var settings: [Setting] = []
  var catalog: Catalog
  /// Whether the command made the graph, so that its lines are none that the user could look at.
  var isMade = false

  /// The graph as it is written. Throws where its text isn't JSON.
  func document() throws -> GraphDocument {
    do throws(GraphErrors) { return try GraphDocument(json: bytes, file: name) } catch {
      throw CommandFailure(
        status: .badGraph, message: message(of: error), graphErrors: error)
    }
  }

  /// Checks the graph. Where it is wrong, the failure says all that is.
  func checked(in environment: any Environment) throws -> Graph {
    var document: GraphDocument?
    do throws(GraphErrors) {
      let read = try GraphDocument(json: bytes, file: name)
      document = read
      let values = Dictionary(settings.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
      return try Graph(checking: read, catalog: catalog, environment: environment, set: values)
    } catch {
      throw CommandFailure(
        status: ExitStatus(error, document, catalog), message: message(of: error),
        graphErrors: error)
    }
  }

  private func message(of errors: GraphErrors) -> String {
    guard isMade else { return errors.description }
    return errors.diagnostics.map { "\(name): \($0.severity): \($0.message); \($0.remedy)" }
      .joined(separator: "\n")
  }

  /// The graph and its plan; warnings and notes go to standard error.
  func planned(in environment: any Environment, isQuiet: Bool = false) throws -> (Graph, Plan) {
    do {
      let graph = try checked(in: environment)
      if !isQuiet { Console.tell(graph) }
      return (graph, try Plan(graph))
    } catch let error as PlanError {
      throw CommandFailure(status: .badGraph, message: "\(name): error: \(error)")
    }
  }
}
