/// What a sink asks of the packets of a stream that another process hands over: that process parses
/// them, since parsers look into what a stranger has written.
public struct PacketDemand: Hashable, Sendable {
  /// The parsers that frame the packets, linked first to last.
  public var parsers: [ElementSpec] = []
  /// The caps that the sink takes, as `gst-launch-1.0` writes them.
  public var caps = "ANY"
  /// Whether packets come along that are only there to be decoded, and that the sink's file has players
  /// skip.
  public var skipsLeads = false
  /// Whether a part of a stream comes with what decoding it begins with.
  public var copiesRanges = false
  /// Whether packets are wanted as their bytes lie in the file, without the parameter sets that a parser
  /// puts into the first one.
  public var areAsInFile = false

  /// Packets as they are in their file, without those that aren't presented.
  public init() {}
}

/// An output of a source whose file another process reads, as a plan has it.
public struct SourceOutput: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// The port of the graph that it is.
  public var port: String
  /// Whether the stream leaves decoded, and not as its packets.
  public var isDecoded: Bool

  /// An output.
  public init(_ name: String, of port: String, isDecoded: Bool) {
    (self.name, self.port, self.isDecoded) = (name, port, isDecoded)
  }
}
