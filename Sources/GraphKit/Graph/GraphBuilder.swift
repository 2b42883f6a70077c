/// Composes a ``Graph`` in Swift: the same graph, under the same rules, as a graph file makes.
///
/// ```swift
/// var graph = GraphBuilder(catalog: .builtIn)
/// let tone = graph.add("tone", TestAudio())
/// let gain = graph.add("gain", Gain(decibels: -6))
/// let sink = graph.add("sink", NullSink())
/// graph.connect(tone.output, to: gain.input)
/// graph.connect(gain.output, to: sink.input)
/// let checked = try graph.build(in: LiveEnvironment())
/// ```
///
/// Ports are typed by what they carry, so that a wire between the wrong ones doesn't compile.
/// What only values can tell is found by ``build(in:)``, all of it together: no other call throws by itself. A
/// node's parameters are whatever its type declares; ``Graph/document`` writes those that differ from
/// the defaults.
public struct GraphBuilder: Sendable {
  private var draft: GraphDraft

  /// An empty graph.
  /// - Parameter catalog: the node types that the planner may insert. Types that are added need
  ///   not be among them.
  public init(catalog: Catalog) { draft = GraphDraft(catalog: catalog) }

  /// A graph that begins with what a document says, to be wired further.
  /// - Parameters:
  ///   - document: the graph as far as it is written.
  ///   - catalog: the node types that it may name, and that the planner may insert.
  ///   - overrides: texts for the document's parameters, as for
  ///     ``Graph/init(checking:catalog:environment:set:)``.
  public init(
    _ document: GraphDocument, catalog: Catalog, set overrides: [String: String] = [:]
  ) {
    draft = GraphDraft(document, catalog: catalog, overrides: overrides)
  }

  /// Adds a node under a name that no other has. A type that the catalog lacks joins it.
  @discardableResult
  public mutating func add<N: Node>(_ name: String, _ node: N) -> NodeHandle<N> {
    let type = NodeType(N.self)
    if !draft.catalog.add(type), draft.catalog[type.name]?.make() is N == false {
      let problem = NodeError(
        "`\(type.name)` is the name of another node type in the catalog",
        remedy: "give one of the two types another name")
      draft.report(.node(.stated(problem)), at: nil, node: name)
    }
    draft.add(name, type: type, node: node, parameters: type.values(of: node))
    return NodeHandle(name: name)
  }

  /// Adds a node once `configure` has set its parameters.
  @discardableResult
  public mutating func add<N: Node>(
    _ name: String, _ node: N, _ configure: (inout N) throws -> Void
  ) rethrows -> NodeHandle<N> {
    var node = node
    try configure(&node)
    return add(name, node)
  }

  /// Adds the graph of another file, with values for its parameters: what a node of the type `graph`
  /// does in a graph file. Its nodes get the name, a `/` and their own name.
  ///
  /// ```swift
  /// let look = builder.include("look", path: "parts/look.json", set: ["style": .string("noir")])
  /// builder.connect(video, to: look.input("video"))
  /// ```
  ///
  /// A path that isn't absolute is meant from the folder of the builder's document, where that is a file,
  /// and else from the present one. What is wrong with the file, ``build(in:)`` throws with all else.
  @discardableResult
  public mutating func include(
    _ name: String, path: String, set parameters: [String: JSONValue] = [:]
  ) -> IncludedGraph {
    draft.include(name, path: path, parameters)
    return IncludedGraph(name: name)
  }

  /// Has a live parameter change as keyframes say, which takes the place of the node's own value.
  ///
  /// ```swift
  /// graph.animate(title, "opacity", [Keyframe(at: .zero, 0), Keyframe(at: .seconds(2), 1, .easeOut)])
  /// ```
  public mutating func animate<N: Node>(
    _ node: NodeHandle<N>, _ parameter: String, _ keyframes: [Keyframe]
  ) {
    draft.animate(node.name, parameter, keyframes)
  }

  /// Has the graph, where it has live sources and can't keep up, give up quality step by step, in the
  /// order of the steps, in place of ``EconomyStep/standard``. Without steps it gives up none.
  public mutating func whenSlow(_ steps: [EconomyStep]) { draft.take(steps) }

  /// The node of a name that came with a document; `nil` where there is none, or of another type.
  public func node<N: Node>(_ name: String, as type: N.Type) -> NodeHandle<N>? {
    guard let index = draft.index(of: name),
      draft.nodes[index].typeName?.value == N.declaration.name
    else { return nil }
    return NodeHandle(name: name)
  }

  /// Checks everything, and makes the graph if nothing is wrong with it; else throws all that is.
  /// Nodes look at the machine on the calling thread, which may take as long as reading the heads of
  /// their files. The builder stays as it is, and may go on and build again.
  public func build(in environment: any Environment) throws(GraphErrors) -> Graph {
    try draft.check(in: environment)
  }

  mutating func connect(_ from: PortReference, to: PortReference) {
    draft.connect((from.node, from.port), to: (to.node, to.port))
  }
}
