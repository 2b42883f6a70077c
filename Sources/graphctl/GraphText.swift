import GraphKit

/// A graph as it was given, and all that it takes to check it.
struct GraphText {
  /// What messages call the graph.
  var name: String
  var bytes: [UInt8]
  var settings: [Setting] = []
  var catalog: Catalog

  /// Checks the graph. Throws ``RefusedGraph`` where it is wrong.
  func checked(in environment: any Environment) throws -> Graph {
    var document: GraphDocument?
    do throws(GraphErrors) {
      let read = try GraphDocument(json: bytes, file: name)
      document = read
      let values = Dictionary(settings.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
      return try Graph(checking: read, catalog: catalog, environment: environment, set: values)
    } catch {
      throw RefusedGraph(errors: error, status: ExitStatus(error, document, catalog))
    }
  }

  /// The graph and its plan; warnings and notes go to standard error.
  func planned(in environment: any Environment, isQuiet: Bool = false) throws -> (Graph, Plan) {
    do {
      let graph = try checked(in: environment)
      if !isQuiet { Console.tell(graph) }
      return (graph, try Plan(graph))
    } catch let refused as RefusedGraph {
      throw refused.failure
    } catch let error as PlanError {
      throw CommandFailure(status: .badGraph, message: "\(name): error: \(error)")
    }
  }
}

/// A graph that is wrong.
struct RefusedGraph: Error {
  var errors: GraphErrors
  var status: ExitStatus

  /// What a command says that can't go on without the graph.
  var failure: CommandFailure { CommandFailure(status: status, message: errors.description) }
}
