import Containers

/// How a port finds its pad.
public enum PadReference: Hashable, Sendable {
  /// A pad that is always there.
  case fixed(String)
  /// A pad to request by its template: `audio_%u`.
  case request(String)
  /// A pad that appears while the element starts, by the stream that it carries.
  case stream(id: String)
  /// The first pad with video, or with audio, that appears while the element runs, whenever that is.
  case first(MediaKind)
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
  /// What the element writes of its file as a whole, where it writes tags: texts by GStreamer's names of
  /// tags, such as `title`. What its streams say of themselves doesn't replace them.
  public var tags: [String: String] = [:]
  /// The chapters of the file that it writes.
  package var chapters: [MovieChapter] = []
  /// Whether it writes those of the file that its tracks are copies of, where it has none of its own.
  package var copiesChapters = false
  /// Bytes that it holds, where it leaves out the oldest of what comes beyond them: the run warns when
  /// that begins. `nil`, the default, for what leaves out nothing.
  public var leakyCapacity: Int?
  /// Whether its end waits until receivers over SRT have taken what they hold back.
  package var awaitsReceiver = false
  /// Whether it only frames packets, and passes those that are framed: it is left out where samples are
  /// copied from a file in pieces.
  public var isParser = false
  /// Whether its output is to be as long as what comes in: of a resampler, the frames of that time,
  /// rounded up; of what changes the rate of video, the frames that begin before the end.
  public var keepsLength = false
  /// Of a `capsfilter`: whether the first format that passes is that of all that follows, to which the
  /// converters before it then convert.
  public var keepsFirstFormat = false
  /// Whether its output appears only while it runs, since it depends on what comes: the first that
  /// appears is linked to the next element.
  public var showsLater = false

  /// What the element has GStreamer complain of though nothing is wrong: parts of its messages. The run
  /// doesn't warn of these.
  public var groundlessComplaints: [String] = []

  /// An element by name.
  public init(_ factory: String, plugin: String?, _ properties: [String: String] = [:]) {
    self.factory = factory
    self.plugin = plugin
    self.properties = properties
  }
}
