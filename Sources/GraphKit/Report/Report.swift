import GStreamer
import GraphKitSystem

/// What happened in a run: per wire and per output, exact.
public struct Report: Sendable, Hashable, Codable {
  /// How the run ended.
  public var state: PipelineState
  /// Why, where it failed.
  public var failure: PipelineFailure?
  /// Wall time from start to end, in seconds.
  public var wallSeconds: Double
  /// CPU time of the process meanwhile, in seconds.
  public var cpuSeconds: Double
  /// The files that were written, as they were found after the end.
  public var outputs: [OutputReport] = []
  /// What was out of the ordinary and no failure, the first hundred; `nil` where nothing was.
  public var warnings: [RunWarning]?
  /// How many more warnings there were than ``warnings`` has, where it has as many as it may.
  public var omittedWarnings: Int?
  /// The live parameters that changed, in that order; then what was asked for and never came.
  public var changes: [ParameterChange] = []
  /// How many more parameters changed than ``changes`` has, where it has as many as it may.
  public var omittedChanges: Int?
  /// The steps by which quality was given up, the first ten thousand; `nil` where there were none.
  public var economies: [EconomyReport]?
  /// The moments that were marked, the first ten thousand; `nil` where there are none.
  public var marks: [Mark]?
  /// What became of the connections of nodes over a network, by node; `nil` where there are none.
  public var connections: [String: ConnectionReport]?
  /// The account of each wire, by its name.
  public var wires: [String: WireLedger]
  /// How the threads of the run spent their time, but for those that GraphKit can't see.
  public var stages: [StageReport]?
  /// What limits how fast the run is, in words.
  public var limitedBy: String?

  /// The wires whose account isn't even: none, unless GraphKit has a fault.
  public var unbalanced: [String] { wires.filter { !$0.value.isBalanced }.keys.sorted() }
}

/// Something out of the ordinary in a run that goes on all the same.
public struct RunWarning: Sendable, Hashable, Codable {
  /// The node that it is about, where that is known.
  public var node: String?
  /// What it is.
  public var message: String

  /// A warning.
  public init(node: String?, message: String) {
    self.node = node
    self.message = message
  }
}
