/// A node of a graph: a struct whose properties are its parameters.
///
/// A type declares everything once, in ``declaration`` and ``ports``; checking, the JSON Schema,
/// `graphctl nodes`, the documentation and the tests all read that. The protocol that refines this
/// one says what a node does: ``AudioEffect``, ``VideoEffect``, ``SwiftNode``, ``SourceNode``,
/// ``ElementNode``, ``EntryNode``, ``ExitNode``.
///
/// A node is a value: checking, each run and each live change work on copies. The functions of this
/// protocol are called on the thread of the caller that checks, plans or makes a pipeline, except that
/// ``problem``, ``problem(formats:)`` and ``work`` are also asked of a copy with other parameters on
/// the threads of a live change. Those that don't mutate are asked any number of times, and answer
/// the same each time. `docs/the-life-of-a-node.md` has the order of all calls.
public protocol Node: Sendable {
  /// The struct that holds the type's ports.
  associatedtype Ports: PortSet

  /// The type's name, help and parameters.
  static var declaration: NodeDeclaration<Self> { get }
  /// The type's ports.
  static var ports: Ports { get }

  /// A node with every parameter at its default.
  init()

  /// Looks at the machine while the graph is checked: opens the file, finds the device.
  ///
  /// Called once for each check, where nothing is wrong with the parameters; it may block. It
  /// leaves no trace on the machine, since a graph that is checked need not run. Returns notices for
  /// the user, such as that a test pattern is used instead of a camera. Throws where the node can't
  /// be used here: that is a diagnostic at the key which the error names, beside all others.
  mutating func resolve(in environment: any Environment) throws(NodeError) -> [String]

  /// Takes the medium of what it is wired to, ``MediaKind/audio`` or ``MediaKind/video``, where the
  /// ports at the other ends tell it. Called once for each check, after ``resolve(in:)``. Returns
  /// whether the node has other ports from now on; by default it hasn't.
  mutating func adopt(_ medium: MediaKind) -> Bool

  /// Takes what arrives at its wired inputs before anything is converted, as far as the graph says.
  /// Called once for each check of a node that has repeatable inputs, after all that leads to it.
  /// Returns whether its ports say more from now on; they stay the same ports. By default they don't.
  mutating func adopt(formats: [String: FormatConstraint]) -> Bool

  /// The ports of this very node, where they depend on its parameters or on what
  /// ``resolve(in:)`` found. By default those of the type.
  var portDeclarations: [PortDeclaration] { get }

  /// What the engine has to know of the node to plan and run it. By default nothing of note.
  var traits: NodeTraits { get }

  /// What does the node's work, now that it is known what there is. By default the node itself, as
  /// the protocol says that it refines.
  var work: NodeWork { get }

  /// How much media the node holds before its first output: an encoder's lookahead. Queues that
  /// run beside it are sized by this. Zero or more, and finite: planning throws
  /// ``PlanError/latency(node:)`` otherwise.
  var latency: MediaTime { get }

  /// The same, where the plan knows what passes at the node's ports: frames count as time only at
  /// a frame rate. By default the other ``latency``.
  func latency(formats: [String: FormatConstraint]) -> MediaTime

  /// What is wrong with the parameters together, though each is in its range; asked before
  /// ``resolve(in:)``, and again for each live change.
  var problem: NodeError? { get }

  /// What is wrong with what enters, though its medium and codec are right: such as a size that an
  /// encoder doesn't take. `formats` says for each wired input what arrives there before anything is
  /// converted, as far as the graph says. Asked after ``resolve(in:)``, and again for each live
  /// change.
  func problem(formats: [String: FormatConstraint]) -> NodeError?

  /// What leaves the output `out` where video of some format enters the input `in`, in size and
  /// orientation; every other field is handed on by the ports' own rules, and sizes that aren't
  /// known stay open. Checking and planning ask for it, so that what follows knows it before
  /// anything runs. `nil`, the default, where frames keep their size and orientation.
  func reshaped(_ entering: FormatConstraint) -> FormatConstraint?

  /// The streams of a file by their outputs, where the node is a source that gives them as the file
  /// has them; `nil`, the default, for every other node.
  var fileStreams: [String: FileStream]? { get }

  /// How long one of those streams is, where a walk through the file tells that more reliably than the
  /// reader does. Asked where audio is to be cut into pieces. `nil`, the default, where it doesn't.
  func countedDuration(of port: String) -> MediaTime?

  /// What gives a range of one of those streams, encoded, where it isn't just the packets of the file:
  /// frames at its ends may be encoded anew. Asked while a graph is planned, for each wire of the port
  /// to a sink that takes ranges as they are (``NodeTraits/copiesRanges``). `nil`, the default, where the
  /// stream itself is taken.
  func parts(of port: String) -> StreamParts?

  /// The same source with a range of its file alone, in the file's time, for a piece of a stream that is
  /// decoded. `nil`, the default, where it can't be read so.
  func reading(_ range: MediaTimeRange) -> (any Node)?

  /// The same source with the outputs that wires need, where another process reads its file
  /// (``NodeTraits/isReadApart``): decoded, or as packets for one sink. Asked once while a graph is
  /// planned. `nil`, the default, where its outputs are its ports.
  func giving(_ outputs: [SourceOutput]) -> (any Node)?

  /// The node for one of two passes over the same frames, where its parameters ask for them: an encoder
  /// that leaves what the first pass learns in files whose names begin with the path `statistics`, and
  /// reads them in the second. Asked while a graph is planned, and once for each pass while its pipeline is
  /// made. `nil`, the default, where one pass does.
  func making(_ pass: EncodingPass, statistics: String) -> (any Node)?

  /// What is missing of the file that the node reads, in words; `nil`, the default, where it is
  /// whole.
  var fileShortfall: String? { get }

  /// Where the file that the node reads is damaged, in words, once a stream of it lacked something; `nil`,
  /// the default, where that isn't seen. It may look through all of the file, on a streaming thread.
  func findFileDamage() -> String?

  /// The files that the node reads while it runs, as far as they are open already: a run that ends
  /// doesn't wait for bytes of them. By default none.
  var openFiles: [InputFile] { get }

  /// The files that the node reads and writes, as far as it names them otherwise than by path
  /// parameters of its type: an element's `location`, say. By default none.
  var namedFiles: [NamedFile] { get }

  /// The addresses of this machine at which the node serves other programs while it runs: no two nodes
  /// of a graph have one. Asked after ``resolve(in:)``. By default none.
  var servedAddresses: [ServedAddress] { get }

  /// Takes what the plan knows: which ports are wired, and what passes there. Called once on the
  /// copy of a ``SwiftNode`` that will run, while its pipeline is made. By default nothing is made of
  /// it.
  mutating func settle(formats: [String: FormatConstraint])

  /// Takes the length of the stream that will enter, where that is a file's which the node alone is
  /// fed by, with the times that it has there, and where the file says. Called once while a graph is
  /// planned, before ``traits`` are asked for the frames that it needs. By default nothing is made of
  /// it.
  mutating func settle(streamDuration: MediaTime)

  /// Takes whether what enters comes as time passes, from a live source, or as fast as the node takes
  /// it. Called once while a graph is planned, before ``latency(formats:)`` is asked; until then a node
  /// takes it for live. By default nothing is made of it.
  mutating func settle(isLive: Bool)
}

extension Node {
  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] { [] }
  public mutating func adopt(_ medium: MediaKind) -> Bool { false }
  public mutating func adopt(formats: [String: FormatConstraint]) -> Bool { false }
  public var portDeclarations: [PortDeclaration] { Self.ports.declarations }
  public var traits: NodeTraits { NodeTraits() }
  public var latency: MediaTime { .zero }
  public func latency(formats: [String: FormatConstraint]) -> MediaTime { latency }
  public var problem: NodeError? { nil }
  public func problem(formats: [String: FormatConstraint]) -> NodeError? { nil }
  public func reshaped(_ entering: FormatConstraint) -> FormatConstraint? { nil }
  public var fileStreams: [String: FileStream]? { nil }
  public func countedDuration(of port: String) -> MediaTime? { nil }
  public func parts(of port: String) -> StreamParts? { nil }
  public func reading(_ range: MediaTimeRange) -> (any Node)? { nil }
  public func giving(_ outputs: [SourceOutput]) -> (any Node)? { nil }
  public func making(_ pass: EncodingPass, statistics: String) -> (any Node)? { nil }
  public var fileShortfall: String? { nil }
  public func findFileDamage() -> String? { nil }
  public var openFiles: [InputFile] { [] }
  public var namedFiles: [NamedFile] { [] }
  public var servedAddresses: [ServedAddress] { [] }
  public mutating func settle(formats: [String: FormatConstraint]) {}
  public mutating func settle(streamDuration: MediaTime) {}
  public mutating func settle(isLive: Bool) {}

  /// Whether frames leave in another size or orientation than they enter.
  package var reshapesVideo: Bool { reshaped(FormatConstraint(.video)) != nil }
}

/// The section of a node type in listings, and its folder in the sources.
public enum NodeRole: String, Hashable, Sendable, Codable, CaseIterable {
  case source, decoder, converter, effect, reducer, encoder, sink, general
}

/// A node type's name, help and parameters.
///
/// It is of a ``Node``, though its type doesn't say so: see ``InputPort``.
public struct NodeDeclaration<N>: Sendable {
  /// The name in graph files: `gain`.
  public let name: String
  /// The section of the type in listings.
  public let role: NodeRole
  /// One line of help.
  public let help: String
  /// What becomes of a stream in the node, after "is": `encoded as AAC[ at {bitRate}]`, where
  /// `{…}` is a parameter's value, and what is in brackets is left out where a graph doesn't give
  /// it. `nil` where the help has to do.
  public let phrase: String?
  /// The parameters, in the order of listings. Made when asked for: a process that runs a graph of
  /// three nodes has no use for the parameters of twenty types.
  public var parameters: [Parameter<N>] { makeParameters() }
  /// An example wire.
  public let example: String
  private let makeParameters: @Sendable () -> [Parameter<N>]

  /// Declares a node type.
  public init(
    _ name: String, role: NodeRole, help: String, phrase: String? = nil, example: String,
    parameters: @autoclosure @escaping @Sendable () -> [Parameter<N>] = []
  ) where N: Node {
    self.name = name
    self.role = role
    self.help = help
    self.phrase = phrase
    self.example = example
    makeParameters = parameters
  }
}
