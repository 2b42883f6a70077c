/// What a node may ask of the machine before the graph is checked. Tests bring one of their own.
public protocol Environment: Sendable {
  /// Whether an element can be made; `plugin` is its plug-in's name, where known.
  func isInstalled(_ element: ElementSpec) -> Bool
  /// An installed element's pads and properties, for the `gst` node.
  func inspect(_ factory: String) throws(NodeError) -> ElementInspection
  /// The streams of a file.
  func discover(_ path: String) throws(NodeError) -> [DiscoveredStream]
  /// The devices of a kind, the default one first.
  func devices(_ kind: DeviceKind) -> [Device]
  /// Whether a file can be made at a path.
  func outputPlace(_ path: String) -> OutputPlace
}

/// What is where a file is to be written.
public enum OutputPlace: Hashable, Sendable {
  /// Nothing, in a folder that may be written to.
  case free
  /// A file, which would be replaced.
  case file
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
  /// Whether it is sound or pictures, and of what format.
  public var format: MediaFormat
  /// Its length, where the file says.
  public var duration: MediaTime?
  /// Where its samples lie, where they lie in the file as they are.
  public var pcm: PCMLocation?

  /// A stream.
  public init(identifier: String, format: MediaFormat, duration: MediaTime?) {
    self.identifier = identifier
    self.format = format
    self.duration = duration
  }

  /// A stream of PCM that can be read as it is.
  public init(_ pcm: PCMLocation) {
    identifier = "pcm"
    format = .audio(pcm.format)
    duration = pcm.duration
    self.pcm = pcm
  }
}
