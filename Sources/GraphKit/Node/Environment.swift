import Containers

/// What a node may ask of the machine while the graph is checked and its pipeline is made. Tests
/// bring one of their own.
///
/// Asked on the thread that checks or makes the pipeline, and after live changes of element nodes on
/// streaming threads; graphs that are checked at the same time may share one. It changes nothing on
/// the machine.
public protocol Environment: Sendable {
  /// Whether an element can be made; `plugin` is its plug-in's name, where known.
  func isInstalled(_ element: ElementSpec) -> Bool
  /// An installed element's pads and properties, for the `gst` node. Throws where it isn't installed.
  func inspect(_ factory: String) throws(NodeError) -> ElementInspection
  /// Whether an installed element takes a value, written as text, for a property that it has. By
  /// default it does: only the real machine can know.
  func takes(_ value: String, for property: String, of factory: String) -> Bool
  /// The installed elements that decode media of some caps, best first. By default there are none.
  func decoders(of caps: String) -> [ElementSpec]
  /// The streams of a file, in its order. Throws where it can't be read or holds no streams. May take
  /// seconds.
  func discover(_ path: String) throws(NodeError) -> [DiscoveredStream]
  /// The same, of a file that a process of its own reads, which can do no harm: its streams, of which
  /// only format, length and orientation are known; and, in words, what that process isn't refused,
  /// though it should be. By default those of ``discover(_:)``.
  func discover(isolated input: IsolatedInput) throws(NodeError) -> (
    streams: [DiscoveredStream], shortfall: String?
  )
  /// The devices of a kind, the default one first.
  func devices(_ kind: DeviceKind) -> [Device]
  /// The size of a screen; `nil` where it isn't known.
  func screenSize(of display: String) -> ScreenSize?
  /// Whether a file can be made at a path.
  func outputPlace(_ path: String) -> OutputPlace
  /// Which file a path leads to, whatever links are on the way; `nil` where it isn't known.
  func identity(of path: String) -> FileIdentity?
  /// The names in a folder; none where there is no such folder.
  func names(in folder: String) -> [String]
  /// Whether files that are there already may be replaced without the graph saying so.
  var replacesFiles: Bool { get }
  /// Whether every media file is read by a process of its own, whatever the graph says.
  var isolatesFiles: Bool { get }
  /// Has encrypted connections of elements trust the certificates that this process is to trust. Throws
  /// where that can't be had. By default they trust those that the system does.
  func prepareSecureConnections() throws(NodeError)
  /// Why the certificate of a server was refused since this was asked last, on any port where none is
  /// given; `nil` where none was. By default none is.
  func certificateProblem(host: String, port: Int?) -> NodeError?
}

extension Environment {
  /// What this process finds.
  public func discover(isolated input: IsolatedInput) throws(NodeError) -> (
    streams: [DiscoveredStream], shortfall: String?
  ) { (try discover(input.path), nil) }
  /// None.
  public func decoders(of caps: String) -> [ElementSpec] { [] }
  /// Not known.
  public func screenSize(of display: String) -> ScreenSize? { nil }
  /// Not known.
  public func identity(of path: String) -> FileIdentity? { nil }
  /// None: for environments without folders.
  public func names(in folder: String) -> [String] { [] }
  /// Only where the graph says so.
  public var replacesFiles: Bool { false }
  /// Only where the graph says so.
  public var isolatesFiles: Bool { false }
  /// Nothing is done.
  public func prepareSecureConnections() throws(NodeError) {}
  /// None was refused.
  public func certificateProblem(host: String, port: Int?) -> NodeError? { nil }
}

/// Which file a path leads to: equal for all the paths of one file.
public struct FileIdentity: Hashable, Sendable {
  /// The device that holds the file.
  public var device: UInt64
  /// The file's number there; that of its folder where there is no file yet.
  public var number: UInt64
  /// The name that the file will have in its folder, as bytes; empty where it is there.
  private let name: [UInt8]

  /// An identity.
  public init(device: UInt64, number: UInt64, name: String = "") {
    self.device = device
    self.number = number
    self.name = Array(name.utf8)
  }
}

/// How large a screen is.
public struct ScreenSize: Hashable, Sendable {
  /// Width in pixels.
  public var width: Int
  /// Height in pixels.
  public var height: Int

  /// A size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

extension Environment {
  /// Takes every value: for environments that have no elements to ask.
  public func takes(_ value: String, for property: String, of factory: String) -> Bool { true }
}

/// What is where a file is to be written.
public enum OutputPlace: Hashable, Sendable {
  /// Nothing, in a folder that may be written to.
  case free
  /// A file, which would be replaced.
  case file
  /// A folder that files can be made in.
  case folder
  /// Something else; the words say what.
  case blocked(String)
}

/// The kinds of device that GraphKit captures from.
public enum DeviceKind: String, Hashable, Sendable { case camera, microphone, screen }

/// A capture device that is there.
public struct Device: Hashable, Sendable {
  /// What the user writes to choose it: `/dev/video0`, `pulse:NAME`, `alsa:hw:0`, `:0`.
  public var identifier: String
  /// What a person calls it.
  public var name: String

  /// A device.
  public init(identifier: String, name: String) {
    self.identifier = identifier
    self.name = name
  }
}

/// What an installed element says of itself.
public struct ElementInspection: Hashable, Sendable {
  /// A pad template.
  public struct Pad: Hashable, Sendable {
    /// The template's name: `sink`, `src_%u`.
    public var name: String
    /// Which way samples pass.
    public var direction: PortDirection
    /// Whether the pad is requested, or appears while the element runs.
    public var presence: Presence
    /// The template's caps as text.
    public var caps: String
    /// When a pad exists.
    public enum Presence: String, Hashable, Sendable { case always, sometimes, request }

    /// A pad template.
    public init(name: String, direction: PortDirection, presence: Presence, caps: String) {
      self.name = name
      self.direction = direction
      self.presence = presence
      self.caps = caps
    }
  }

  /// The pad templates.
  public var pads: [Pad]
  /// The names of the writable properties.
  public var properties: [String]
  /// The plug-in's name.
  public var plugin: String

  /// An inspection.
  public init(pads: [Pad], properties: [String], plugin: String) {
    self.pads = pads
    self.properties = properties
    self.plugin = plugin
  }
}

/// A stream that was found in a file.
public struct DiscoveredStream: Hashable, Sendable {
  /// The stream's identifier, the same at each reading of the file.
  public var identifier: String
  /// Whether it is audio or video, and of what format.
  public var format: MediaFormat
  /// Its length, where the file says.
  public var duration: MediaTime?
  /// When it is presented, counted from the file's beginning, where that says so of it alone.
  package var presentation: MediaTimeRange?
  /// The frame that is presented last, where its packet says another length than its file.
  package var lastFrame: LastFrame<MediaTime>?
  /// Its own time at which it ends, of audio whose file says so exactly.
  public var end: MediaTime?
  /// Which part of it is presented, where the file says; `nil` to leave that to GStreamer.
  public var edit: StreamEdit?
  /// By how much its frames are to be turned, where the file says.
  public var rotation: Rotation?
  /// Whether GStreamer, moved to a time in its file, gives the packets of that time, and with the times
  /// that they have where the file is read from its beginning.
  public var canSeek = false
  /// Whether a reader may show the file's other streams, and samples of theirs, before it.
  public var comesLate = false
  /// What is missing of its file, in words; `nil` where that is whole, as far as it says.
  public var shortfall: String?
  /// What its file says of it and of itself, by GStreamer's names of tags: `title`, `language-code`.
  /// Empty where that wasn't asked for.
  package var tags: [String: String] = [:]
  /// The pictures that its file has beside it, such as its cover. Empty where that wasn't asked for.
  package var pictures: [AttachedPicture] = []
  /// How long it is, where its file says that in tags: without when it begins.
  package var taggedDuration: MediaTime?
  /// Whether its file is an animation of pictures, which `file` itself reads, without GStreamer.
  public var isAnimation = false
  /// The parts of its file that have titles.
  package var chapters: [MovieChapter] = []
  /// Where its file was recorded (ISO 6709), where that says.
  package var location: String?
  /// What its file says of it for those who choose among several; `nil` of files that don't.
  package var label: TrackLabel?
  /// How its file stores it, of texts, where that is known.
  package var textFormat: TextFormat?
  /// Its colours as GStreamer names them, of video whose file says so.
  package var colors: String?
  /// Its file, of a web server: open as long as the stream is known.
  package var fetched: InputFile?
  /// Where its samples lie, where they lie in the file as they are.
  public var pcm: PCMLocation?

  /// A stream.
  public init(
    identifier: String, format: MediaFormat, duration: MediaTime?, edit: StreamEdit? = nil
  ) {
    self.edit = edit
    self.identifier = identifier
    self.format = format
    self.duration = duration
  }

  /// A stream of PCM that can be read as it is.
  public init(_ pcm: PCMLocation) {
    identifier = "pcm"
    format = .audio(pcm.format)
    duration = pcm.duration
    presentation = MediaTimeRange(start: .zero, duration: pcm.duration)
    tags = pcm.tags
    self.pcm = pcm
  }
}
