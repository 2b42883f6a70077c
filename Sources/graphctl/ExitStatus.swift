import GraphKit

/// What the exit code says, after `sysexits.h`.
enum ExitStatus: Int32 {
  case badUsage = 64
  case badGraph = 65
  case noInput = 66
  case unavailable = 69
  case fault = 70
  case outOfRoom = 71
  case cannotCreate = 73
  case failed = 74
  case stalled = 75
  case notAllowed = 77
}

/// Why a command fails: the message for standard error, and the exit code.
struct CommandFailure: Error {
  var status: ExitStatus
  /// Lines for standard error; none where everything has been said.
  var message: String
  /// What is wrong with the graph, where that is the reason.
  var graphErrors: GraphErrors?
}

extension ExitStatus {
  /// The code for a wrong graph: a special one only where files are all that is wrong with it.
  init(_ errors: GraphErrors, _ document: GraphDocument?, _ catalog: Catalog) {
    let faults = errors.diagnostics.filter { $0.severity == .error }
    let roles = faults.map { fault -> NodeRole? in
      guard case .node(.stated) = fault.problem, fault.key == "path" else { return nil }
      let type = document?.nodes.first { $0.name.value == fault.node }?.type?.value
      return type.flatMap { catalog[$0]?.role }
    }
    let isTemporary = faults.allSatisfy { fault in
      if case .node(.stated(let error)) = fault.problem { error.isTemporary } else { false }
    }
    // What isn't a sink reads its file: an effect its picture, say.
    if !faults.isEmpty, isTemporary {
      self = .stalled
    } else if roles.isEmpty || roles.contains(nil) {
      self = .badGraph
    } else if roles.contains(.sink) {
      self = roles.allSatisfy { $0 == .sink } ? .cannotCreate : .badGraph
    } else {
      self = .noInput
    }
  }

  /// The code for a run that didn't complete.
  init(_ report: Report) {
    if !report.unbalanced.isEmpty {
      self = .fault
    } else if report.failure?.isOutput == true {
      self = .cannotCreate
    } else if report.failure?.kind == .outOfRoom {
      self = .outOfRoom
    } else {
      let isTemporary = report.failure?.isStall == true || report.failure?.kind == .unreachable
      self = isTemporary ? .stalled : .failed
    }
  }
}
