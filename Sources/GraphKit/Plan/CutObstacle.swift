/// What a node is, or does, for which a graph can't be run in pieces.
public enum CutObstacle: Hashable, Sendable {
  /// What leaves the node may depend on what came long before.
  case memory
  /// What the node makes of pieces can't be put together.
  case order
  /// What the node makes isn't a summary.
  case notReduced
  /// The node has to do with video.
  case video
  /// The stream comes while it happens.
  case live
  /// A decoder that begins within the stream gives other samples.
  case codec(String)
  /// A part of a compressed stream is read, or one that begins later than its file.
  case range
  /// How long the stream is isn't known.
  case length
  /// A piece of it alone can't be read.
  case wholeFile
  /// When frames are presented isn't said of each.
  case times
  /// Several streams come together.
  case sources
  /// Parts that the encoder makes apart don't fit together.
  case encoder
  /// Encoded video goes into something other than one movie of all that comes.
  case sink
  /// Frames are taken for something other than to be encoded.
  case frames

  var message: String {
    switch self {
    case .memory: "what it makes of a moment may depend on what came before"
    case .order: "what it finds in pieces can't be put together"
    case .notReduced: "only what is reduced to a summary can be made in pieces"
    case .video: "of video, only what is encoded can be made in pieces, and this isn't"
    case .live: "it is live"
    case .codec(let codec):
      "decoding \(codec) from the middle on doesn't give the samples of the whole"
    case .range: "its audio begins at another place than the file, or only a part of it is read"
    case .length: "how long its stream is isn't known"
    case .wholeFile: "it isn't a file of which all is read, once and by this process"
    case .times: "its file doesn't say of each frame when that is presented"
    case .sources: "it makes one stream of several, or of another than the first"
    case .encoder: "what it encodes apart doesn't fit together"
    case .sink: "encoded pieces are put together in one movie alone, without segments or parts"
    case .frames: "it takes frames beside the encoder, and pieces have some of them each"
    }
  }

  /// What keeps audio from being cut before a node, or at the wire that leaves it.
  init(_ node: PlanNode, _ wire: PlanWire?) {
    let kinds = node.ports.map(\.format.kind)
    if node.node.traits.isLive {
      self = .live
    } else if node.type.role == .source, let wire, let codec = wire.format.codecs.first {
      self = wire.format.leadIn == nil ? .codec(codec.rawValue) : .range
    } else if kinds.contains(where: { $0 == .video || $0 == .encodedVideo }) {
      self = .video
    } else if node.type.role == .reducer {
      self = .order
    } else if [.encoder, .sink, .source].contains(node.type.role) {
      self = .notReduced
    } else {
      self = .memory
    }
  }
}
