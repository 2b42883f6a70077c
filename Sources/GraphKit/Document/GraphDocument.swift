/// A graph file as it is written: nodes, wires and parameters, each with its place.
///
/// A document may be wrong in every way but its syntax;
/// ``Graph/init(checking:catalog:environment:set:)`` says whether it is. Two documents are equal where they say the same, wherever it stands.
public struct GraphDocument: Hashable, Sendable {
  /// A parameter of the whole graph, for `${name}`.
  public struct Parameter: Hashable, Sendable {
    /// The name.
    public var name: Located<String>
    /// The value where none is set: text, a number or a truth value, or null where one must be.
    public var defaultValue: JSONTree
  }

  /// A node.
  public struct NodeEntry: Hashable, Sendable {
    /// The name that wires use.
    public var name: Located<String>
    /// The node type's name; `nil` where the file has none.
    public var type: Located<String>?
    /// The parameters, in the order of the file.
    public var fields: [JSONTree.Member]
  }

  /// A row of nodes, each wired to the next.
  public struct Wire: Hashable, Sendable {
    /// The ends.
    public var ends: [End]
    /// Where the row starts.
    public var place: SourcePlace? { ends.first?.place }
  }

  /// A node in a wire, and its port where the file names one.
  public struct End: Hashable, Sendable {
    /// The node's name.
    public var node: String
    /// The port's name.
    public var port: String?
    /// Where the end stands.
    public var place: SourcePlace?

    /// Compares what the ends name, not their places.
    public static func == (a: Self, b: Self) -> Bool { a.node == b.node && a.port == b.port }
    /// Hashes the node's name.
    public func hash(into hasher: inout Hasher) { hasher.combine(node) }
  }

  /// A port of the whole graph, for a graph that it is a node of.
  public struct OpenPort: Hashable, Sendable {
    /// The port's name.
    public var name: Located<String>
    /// The node that has it, and its port where that has several.
    public var end: End
  }

  /// The key of ``whenSlow``.
  static let stepsKey = "whenSlow"

  /// The file's name, as the user gave it.
  public var file: String?
  /// The schema that editors should use.
  public var schema: String?
  /// What the graph is for, in the words of its author; nothing is made of it.
  public var summary: String?
  /// The graph's parameters.
  public var parameters: [Parameter] = []
  /// The inputs that it has as a node of another graph.
  public var inputs: [OpenPort] = []
  /// The outputs that it has as a node of another graph.
  public var outputs: [OpenPort] = []
  /// The nodes.
  public var nodes: [NodeEntry] = []
  /// The wires.
  public var wires: [Wire] = []
  /// What a live graph gives up where it can't keep up, as it is written: a step each, in their order;
  /// `nil` where the file doesn't say.
  public var whenSlow: [JSONTree]?
  /// What reading found wrong. A graph that is checked reports it with all the rest.
  public internal(set) var diagnostics: [Diagnostic] = []
  /// How much more was wrong than ``diagnostics`` has.
  var omitted = 0
  /// Where the graph starts in the file.
  var start: SourcePlace?
  /// Nodes that are named in wires too broken to be kept.
  var mentioned: Set<String> = []
  /// Whether `wires` holds something that isn't text, so that it isn't known what it should wire.
  var hasUnreadableWires = false

  /// An empty document.
  init(file: String? = nil) { self.file = file }

  /// Reads a graph file.
  ///
  /// Throws where the text isn't JSON. What else is wrong is kept in ``diagnostics``.
  /// - Parameters:
  ///   - json: the text, in UTF-8.
  ///   - file: the file's name, for diagnostics.
  public init(json: some Sequence<UInt8>, file: String? = nil) throws(GraphErrors) {
    try self.init(json: json, file: file, isNamed: false)
  }

  /// The same; with `isNamed` each place says which file it is in.
  init(json: some Sequence<UInt8>, file: String?, isNamed: Bool) throws(GraphErrors) {
    do {
      let (tree, duplicates) = try JSONReader.read(Array(json), file: isNamed ? file : nil)
      var reader = DocumentReader(file: file)
      reader.read(tree)
      self = reader.document
      diagnostics += duplicates.map(\.diagnostic)
      let found = GraphErrors(diagnostics, file: file)
      (diagnostics, omitted) = (found.diagnostics, found.omitted)
    } catch {
      throw GraphErrors([error.diagnostic], file: file)
    }
  }

  /// Reads a graph file from text.
  public init(json: String, file: String? = nil) throws(GraphErrors) {
    try self.init(json: json.utf8, file: file)
  }

  /// Compares what the documents say, not where.
  public static func == (a: Self, b: Self) -> Bool {
    a.schema == b.schema && a.summary == b.summary && a.parameters == b.parameters
      && a.inputs == b.inputs && a.outputs == b.outputs && a.nodes == b.nodes
      && a.wires == b.wires && a.whenSlow == b.whenSlow
  }

  /// Hashes the nodes and wires.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(nodes)
    hasher.combine(wires)
  }
}

extension JSONReader.Fault {
  var diagnostic: Diagnostic {
    guard case .duplicateKey(let key, _) = problem else {
      return Diagnostic(.syntax(problem), at: place)
    }
    return Diagnostic(.syntax(problem), at: place, key: key)
  }
}
