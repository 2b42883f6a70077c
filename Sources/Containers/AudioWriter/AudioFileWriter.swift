import Media

/// What a file of one stream of encoded audio is made of.
package struct AudioFileSettings: Sendable {
  /// The codec of its packets.
  package var codec: Codec
  /// Frames a second: samples of each channel.
  package var sampleRate: Int
  /// The number of channels.
  package var channels: Int
  /// The headers that the codec's stream begins with: the packets of Opus and Vorbis, and the first
  /// block of FLAC. None of MP3.
  package var headers: [[UInt8]] = []
  /// What it says of itself.
  package var tags = MovieTags()
  /// The checksum of all samples (MD5), and how many bytes they are, as far as they have come.
  package var digest: @Sendable () -> (bytes: [UInt8], byteCount: Int) = { ([], 0) }
  /// Frames that decoders leave out at the beginning; `nil` where that isn't known.
  package var lead: Int?

  /// A file of which only the stream is known.
  package init(_ codec: Codec, sampleRate: Int, channels: Int) {
    (self.codec, self.sampleRate, self.channels) = (codec, sampleRate, channels)
  }
}

/// Writes packets of audio as a file, one after another.
///
/// What is there can be decoded at any moment. ``finish(at:)`` makes known how long it is.
package protocol AudioFileWriter: Sendable {
  /// Takes a packet that decodes to so many frames.
  mutating func append(_ packet: Span<UInt8>, frames: Int) throws

  /// Writes what is held back only to write more at once.
  mutating func flush() throws

  /// Completes the file, of which decoders give the frames up to `end`; those that they leave out at
  /// the beginning are counted.
  mutating func finish(at end: Int) throws

  /// How many bytes ``finish(at:)`` adds at most.
  var finishByteCount: Int { get }

  /// What a file has otherwise than it was written, in words; none where it is the same.
  func faults(of path: String) throws -> [String]
}

/// How many frames a stream's packets decode to, and where the last of them ends.
package struct PacketLengths: Sendable {
  private let sampleRate: Int
  private let end: Int?
  /// Whether nothing says of the first packet how much of its beginning is left out.
  private let isEncoded: Bool
  private var count = 0
  /// Frames of all packets.
  package private(set) var position = 0
  private var lastStart = 0
  private var lastStated: Int?
  /// Whether packets last as long as they say: in Matroska, say, lengths are rounded.
  private var isExact = true

  /// A stream that ends at a frame, where that is known beforehand. That of an encoder says of its first
  /// packet, too, how long it is with all that decoders leave out.
  package init(sampleRate: Int, end: Int?, isEncoded: Bool = false) {
    (self.sampleRate, self.end, self.isEncoded) = (sampleRate, end, isEncoded)
  }

  /// Takes a packet, with what it says of its length.
  package mutating func add(frames: Int, stated: MediaTime) {
    // The first is shorter where some of it is left out.
    if let lastStated, lastStart > 0 {
      isExact = isExact && abs(lastStated - (position - lastStart)) <= 1
    }
    (lastStart, lastStated) = (position, stated.isNumeric ? stated.frames(at: sampleRate) : nil)
    position += frames
    count += 1
  }

  /// The frame at which the stream ends: within the last packet, where that says that it is shorter.
  package var streamEnd: Int {
    if let end { return min(end, position) }
    guard let lastStated, isExact, count > 1 || isEncoded else { return position }
    return min(position, lastStart + max(0, lastStated))
  }
}
