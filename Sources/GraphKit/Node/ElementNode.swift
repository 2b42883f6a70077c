/// A node that GStreamer elements do the work of. It only names them; the scheduler makes them.
public protocol ElementNode: Node {
  /// The elements, as data. The first alternative whose elements are all installed is used; at least
  /// one is given.
  ///
  /// `formats` says for each wired port what passes there, as far as the plan knows. Called on the
  /// caller's thread while the pipeline is made, which fails with the node's name where this throws.
  /// Called again on a streaming thread after a live change: of the alternative with the same
  /// elements, properties that differ are set; what it throws is then a warning.
  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain]

  /// Where in the node's file the samples of some of its outputs are, numbered in this order; `nil`,
  /// the default, where that isn't known. Asked where the outputs are all that a file is made of.
  func pieces(of ports: [String]) -> (any PieceReader)?
}

extension ElementNode {
  public func pieces(of ports: [String]) -> (any PieceReader)? { nil }
}

/// Elements linked one after another, and which of their pads are the node's ports.
public struct ElementChain: Sendable {
  /// The elements, linked first to last.
  public var elements: [ElementSpec]
  /// For each input port, the pad of the first element. A repeatable port's pads are requested.
  public var inputs: [String: PadReference]
  /// For each output port, the pad of the last element.
  public var outputs: [String: PadReference]
  /// For an input port, elements to put before its pad, linked first to last: a parser, say.
  public var inputElements: [String: [ElementSpec]] = [:]
  /// For an output port whose pad appears while the elements run, further elements after that pad, linked
  /// first to last; the last one shows a pad of its own in turn: a decoder, say.
  public var outputElements: [String: [ElementSpec]] = [:]
  /// What is done to the samples that pass a port, by the port, in order. At an output of a file's
  /// stream it is done before the stream is cut as its ``FileStream/edit`` says.
  public var filters: [String: [PadFilter]] = [:]
  /// What is done to the bytes that the last element is handed, where that writes them into a file.
  public var writtenFilters: [PadFilter] = []
  /// Whether each wired output gets elements of its own: a reader for each stream of a file, say,
  /// so that one stream's demand never holds up another's.
  public var isPerOutput = false
  /// The file that the elements write, where they write one.
  public var output: (any FileOutput)?
  /// Samples that an encoder puts before the first that enters.
  public var priming: Int?
  /// A checksum of what has entered an encoder.
  public var digest: StreamDigest?

  /// Elements in a row, by default with one input and one output pad.
  public init(
    _ elements: [ElementSpec], inputs: [String: PadReference] = ["in": .fixed("sink")],
    outputs: [String: PadReference] = ["out": .fixed("src")]
  ) {
    self.elements = elements
    self.inputs = inputs
    self.outputs = outputs
  }
}

extension ElementChain {
  /// Every element that the chain needs.
  var allElements: [ElementSpec] {
    elements + inputElements.values.joined() + outputElements.values.joined()
  }

  /// What a table has for a port: of a repeatable one (`audio.2`) where the table doesn't name the
  /// very port, what it has for the first.
  func entry<Value>(of port: String, in table: [String: Value]) -> Value? {
    table[port] ?? port.split(separator: ".").first.flatMap { table[String($0)] }
  }
}
