/// A node of a graph: a struct whose properties are its parameters.
///
/// A type declares everything once, in ``declaration`` and ``ports``; checking, the JSON Schema,
/// `graphctl nodes`, the documentation and the tests all read that. What a node does is told by
/// the protocol that refines this one: ``AudioEffect``, ``VideoEffect``, ``SwiftNode``,
/// ``SourceNode``, ``ElementNode``, ``EntryNode``, ``ExitNode``.
public protocol Node: Sendable {
  /// The struct that holds the type's ports.
  associatedtype Ports: PortSet

  /// The type's name, help and parameters.
  static var declaration: NodeDeclaration<Self> { get }
  /// The type's ports.
  static var ports: Ports { get }

  /// A node with every parameter at its default.
  init()

  /// Looks at the machine before the graph is checked: opens the file, finds the device.
  ///
  /// Returns what a person should be told, such as that a test picture stands in for a camera.
  mutating func resolve(in environment: any Environment) throws(NodeError) -> [String]

  /// The ports of this very node, where they depend on its parameters or on what
  /// ``resolve(in:)`` found. By default those of the type.
  var portDeclarations: [PortDeclaration] { get }

  /// Whether samples come as time passes, whether anyone is ready for them or not.
  var isLive: Bool { get }

  /// Whether nothing leaves before the last sample has come, so that a source that goes on as
  /// long as time passes is of no use to it.
  var needsWholeStream: Bool { get }

  /// How much media the node holds before its first output: an encoder's lookahead. Queues that
  /// run beside it are sized by this.
  var latency: MediaTime { get }

  /// The same, where the plan knows what passes at the node's ports: frames count as time only at
  /// a frame rate. By default the other ``latency``.
  func latency(formats: [String: FormatConstraint]) -> MediaTime

  /// How much later than they come samples are presented. Where that differs on two ways from one
  /// source, queues are sized by it.
  var presentationShift: MediaTime { get }

  /// What is wrong with the parameters together, though each is in its range.
  var problem: NodeError? { get }

  /// What is wrong with what enters, though its medium and codec are right: such as a size that
  /// an encoder doesn't take. `formats` says for each wired input what passes, as far as the graph
  /// tells.
  func problem(formats: [String: FormatConstraint]) -> NodeError?

  /// Whether the node is only ever given the newest sample, and nobody waits for it: a preview.
  var takesLatestOnly: Bool { get }

  /// Whether the node hands on a part of each picture and changes nothing in it.
  var isCrop: Bool { get }

  /// Whether what the node does depends on which way up pictures are. Those that their file says to
  /// turn are then turned before they enter.
  var needsUprightPictures: Bool { get }

  /// Whether what a crop hands on has an even width and height, whatever enters: of any picture
  /// of 32 pixels and more each way.
  var cropsToEvenSizes: Bool { get }

  /// Takes what the plan knows: which ports are wired, and what passes there. Called before the run
  /// of a ``SwiftNode``, and before a ``FinishingNode`` finishes its file. By default nothing is
  /// made of it.
  mutating func settle(formats: [String: FormatConstraint])

  /// Whether the node writes its data to standard output, where then nothing else may be written.
  var writesStandardOutput: Bool { get }

  // MARK: What else a node is
  //
  // The protocols that refine this one answer for their nodes. A cast would ask the runtime, which
  // searches the whole program each time it meets a type.

  /// The node as a ``SwiftNode``, where it is one.
  var swiftNode: (any SwiftNode)? { get }
  /// The node as a ``PointEffect``, where it is one.
  var pointEffect: (any PointEffect)? { get }
  /// The node as a ``SourceNode``, where it is one.
  var sourceNode: (any SourceNode)? { get }
  /// The node as a ``ElementNode``, where it is one.
  var elementNode: (any ElementNode)? { get }
  /// The node as a ``EntryNode``, where it is one.
  var entryNode: (any EntryNode)? { get }
  /// The node as a ``ExitNode``, where it is one.
  var exitNode: (any ExitNode)? { get }
  /// The node as a ``FinishingNode``, where it is one.
  var finishingNode: (any FinishingNode)? { get }
  /// The node as a ``LimitedNode``, where it is one.
  var limitedNode: (any LimitedNode)? { get }
  /// The node as a ``PiecewiseSource``, where it is one.
  var piecewiseSource: (any PiecewiseSource)? { get }
  /// The node as a ``AssociativeReducerNode``, where it is one.
  var associativeReducer: (any AssociativeReducerNode)? { get }
  /// The node as one that reduces sound.
  var reducerNode: (any ReducerNode)? { get }
  /// The node as a source of streams as a file has them.
  var streamSource: (any StreamSource)? { get }
  /// The node itself, if it names files otherwise than by path parameters.
  var fileNamingNode: (any FileNamingNode)? { get }
  /// The node as one whose pictures leave in another size than they enter.
  var reshapingNode: (any ReshapingNode)? { get }

  /// A node of the same ports that does the work in this one's place, now that it is known what
  /// there is: Swift that reads a file of PCM, say, where no element is needed. By default none.
  var standIn: (any Node)? { get }
}

extension Node {
  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] { [] }
  public var portDeclarations: [PortDeclaration] { Self.ports.declarations }
  public var isLive: Bool { false }
  public var needsWholeStream: Bool { false }
  public var latency: MediaTime { .zero }
  public func latency(formats: [String: FormatConstraint]) -> MediaTime { latency }
  public var presentationShift: MediaTime { .zero }
  public var problem: NodeError? { nil }
  public func problem(formats: [String: FormatConstraint]) -> NodeError? { nil }
  public var takesLatestOnly: Bool { false }
  public var isCrop: Bool { false }
  public var needsUprightPictures: Bool { false }
  public var cropsToEvenSizes: Bool { false }
  public mutating func settle(formats: [String: FormatConstraint]) {}
  public var writesStandardOutput: Bool { false }
  public var standIn: (any Node)? { nil }
}

/// Where a node type stands in the listing, and its folder in the sources.
public enum NodeRole: String, Hashable, Sendable, Codable, CaseIterable {
  case source, decoder, converter, effect, reducer, encoder, sink, general
}

/// A node type's name, help and parameters.
///
/// It is of a ``Node``, though its type doesn't say so: see ``InputPort``.
public struct NodeDeclaration<N>: Sendable {
  /// The name in graph files: `gain`.
  public let name: String
  /// Where the type stands in listings.
  public let role: NodeRole
  /// One line of help.
  public let help: String
  /// The parameters, in the order of listings. Made when asked for: a process that runs a graph of
  /// three nodes has no use for the parameters of twenty types.
  public var parameters: [Parameter<N>] { makeParameters() }
  /// An example wire.
  public let example: String
  private let makeParameters: @Sendable () -> [Parameter<N>]

  /// Declares a node type.
  public init(
    _ name: String, role: NodeRole, help: String, example: String,
    parameters: @autoclosure @escaping @Sendable () -> [Parameter<N>] = []
  ) where N: Node {
    self.name = name
    self.role = role
    self.help = help
    self.example = example
    makeParameters = parameters
  }
}
