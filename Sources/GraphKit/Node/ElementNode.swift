/// A node that GStreamer elements do the work of. It only names them; the scheduler makes them.
public protocol ElementNode: Node {
  /// The elements, as data. The first alternative whose elements are all installed is used.
  ///
  /// `formats` says for each wired port what passes there, as far as the plan knows.
  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain]
}

/// Elements linked one after another, and which of their pads are the node's ports.
public struct ElementChain: Hashable, Sendable {
  /// The elements, linked first to last.
  public var elements: [ElementSpec]
  /// For each input port, the pad of the first element. A repeatable port's pads are requested.
  public var inputs: [String: PadReference]
  /// For each output port, the pad of the last element.
  public var outputs: [String: PadReference]
  /// For an input port, elements to put before its pad, linked first to last: a parser, say.
  public var inputElements: [String: [ElementSpec]] = [:]
  /// The output ports whose pictures may be presented in another order than they are decoded, of
  /// a file that may not say when that is.
  public var reorderedOutputs: Set<String> = []
  /// Whether each wired output gets elements of its own: a reader for each stream of a file, say,
  /// so that one stream's demand never holds up another's.
  public var isPerOutput = false
  /// Outputs that are streams of a file, and may be shown only after samples of other streams.
  public var lateOutputs: Set<String> = []
  /// For an output that is a stream of a file, which part of it is presented.
  public var outputEdits: [String: StreamEdit] = [:]
  /// For an output that is a stream of a file, its own time at which the file says that it ends.
  public var outputEnds: [String: MediaTime] = [:]
  /// The file that the last element writes: opened when the run begins, and handed to the element
  /// as its property `fd`.
  public var outputFile: OutputFile?
  /// The largest sample of floating-point audio that enters the first element: what is larger is
  /// cut to that, and what isn't a finite number becomes silence. `nil` for whatever comes.
  public var sampleLimit: Double?
  /// Whether the first element is an `audiotestsrc` that ticks, which doesn't write the first
  /// sample of a tick: it becomes silence.
  public var writesTickStarts = false
  /// What the elements convert sound to. Sound with channels that can't be converted to that ends
  /// the run as it comes.
  public var convertedSound: FormatConstraint?
  /// Whether pictures that leave without the matrix of their colours get the usual one of their
  /// size.
  public var completesColors = false
  /// Whether the first element writes a movie, whose tracks have one format each for good.
  public var writesMovie = false
  /// Whether the first element writes an MP4 or QuickTime movie in fragments. It isn't let go back
  /// in what it has written, and its index learns on its way when the tracks begin, and which have
  /// no samples.
  public var writesFragments = false
  /// Samples that an encoder puts before the first that enters.
  public var priming: Int?
  /// How players of the movie turn the pictures of all its tracks; `nil` for each as it came.
  public var rotation: Rotation?

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
    elements + inputElements.values.joined()
  }
}

/// How a port finds its pad.
public enum PadReference: Hashable, Sendable {
  /// A pad that is always there.
  case fixed(String)
  /// A pad to request by its template: `audio_%u`.
  case request(String)
  /// A pad that appears while the element starts, by the stream that it carries.
  case stream(id: String)
}

/// One GStreamer element: its factory, the plug-in that holds it, and its properties as text.
public struct ElementSpec: Hashable, Sendable {
  /// The factory's name: `x264enc`.
  public var factory: String
  /// The plug-in's name, as in `libgstNAME.so`; `nil` where only the registry knows, or where the
  /// element is a bin that makes others by their names.
  public var plugin: String?
  /// Properties by name, each as `gst_util_set_object_arg` reads it.
  public var properties: [String: String]

  /// An element by name.
  public init(_ factory: String, plugin: String?, _ properties: [String: String] = [:]) {
    self.factory = factory
    self.plugin = plugin
    self.properties = properties
  }
}
