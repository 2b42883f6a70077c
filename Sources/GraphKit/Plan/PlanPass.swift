import GStreamer
import GraphKitSystem

/// One step of planning: a function from plan to plan.
///
/// A pass may add nodes and wires and may decide more about those that are there. It never
/// takes away a node of the graph, unless one piece of the graph's work is planned, or what puts pieces
/// together; and it gives the same result for the same plan.
public protocol PlanPass: Sendable {
  /// What a listing calls the pass.
  var name: String { get }
  /// The plan with this pass's decisions made.
  func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan
}

/// What a pass may use beyond the plan itself.
public struct PlanContext: Sendable {
  /// The node types that a pass may insert nodes of.
  public var catalog: Catalog
  /// What the graph says that it gives up where it can't keep up; `nil` where it doesn't say.
  var whenSlow: [EconomyStep]?
  /// How many threads a reduction may use.
  public var cores: Int { givenCores ?? Machine.coreCount }
  // Few plans have a reduction, and asking the machine takes a hundredth of a short run.
  private let givenCores: Int?

  /// A context.
  public init(catalog: Catalog, cores: Int = 1) {
    self.init(catalog: catalog, givenCores: cores)
  }

  /// A context with the machine's cores, where none are given.
  init(catalog: Catalog, givenCores: Int?, whenSlow: [EconomyStep]? = nil) {
    self.catalog = catalog
    self.whenSlow = whenSlow
    self.givenCores = givenCores
  }
}
