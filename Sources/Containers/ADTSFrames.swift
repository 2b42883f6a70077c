/// Splits a stream of AAC into its frames: the audio data transport stream of ISO/IEC 14496-3, 1.A.2.2.
///
/// A frame is given as soon as its last byte is there. Bytes between frames are left out.
package struct ADTSFrames {
  /// What a frame's header says of it.
  package struct Header: Equatable {
    /// How the audio is coded, as the two bytes of an AudioSpecificConfig; `nil` where they can't say
    /// it.
    package let configuration: [UInt8]?
    /// Samples a second, and channels, as they are coded.
    package let sampleRate: Int
    package let channels: Int
    /// Bytes of the header, and of the whole frame.
    fileprivate let headerSize: Int
    fileprivate let size: Int

    /// Whether the stream is the same as another frame's.
    package func continues(_ other: Header) -> Bool {
      configuration == other.configuration && sampleRate == other.sampleRate
    }
  }

  /// A frame without its header.
  package struct Frame {
    package let header: Header
    package let bytes: [UInt8]
    /// Whether its first byte is one of those that were added last.
    package let beginsInLast: Bool
  }

  private var bytes: [UInt8] = []
  /// How much of `bytes` has been read, and where those that were added last begin.
  private var (position, lastStart) = (0, 0)
  /// Where the frame begins that was given last.
  private var frameStart = 0
  /// Whether a frame was where the last one ended.
  private var isInStep = false

  /// Samples of a frame.
  package static let frameLength = 1024

  static let rates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    7_350,
  ]

  package init() {}

  /// Adds what follows.
  package mutating func append(_ more: Span<UInt8>) {
    bytes.removeFirst(position)
    (position, lastStart, frameStart) = (0, bytes.count, 0)
    for index in more.indices { bytes.append(more[index]) }
  }

  /// The next whole frame; `nil` where more must come first.
  package mutating func next() -> Frame? {
    while position + 7 <= bytes.count {
      guard let header = header(at: position) else {
        (position, isInStep) = (position + 1, false)
        continue
      }
      let end = position + header.size
      // What looks like a header may be in the middle of a frame; another follows a real one.
      guard end + (isInStep ? 0 : 7) <= bytes.count else { return nil }
      guard isInStep || self.header(at: end) != nil else {
        position += 1
        continue
      }
      defer { (frameStart, position, isInStep) = (position, end, true) }
      return Frame(
        header: header, bytes: Array(bytes[(position + header.headerSize)..<end]),
        beginsInLast: position >= lastStart)
    }
    return nil
  }

  /// Takes what there is from the frame on that was given last.
  package mutating func takeRest() -> [UInt8] {
    defer { self = ADTSFrames() }
    return Array(bytes[frameStart...])
  }

  private func header(at start: Int) -> Header? {
    guard bytes[start] == 0xff, bytes[start + 1] & 0xf6 == 0xf0 else { return nil }
    var reader = BitReader(bytes[(start + 1)..<(start + 7)])
    reader.skip(7)
    let headerSize = reader.readFlag() ? 7 : 9
    let (profile, rate) = (reader.read(2), reader.read(4))
    reader.skip(1)
    let channels = reader.read(3)
    reader.skip(4)
    let size = reader.read(13)
    reader.skip(11)
    let blocks = reader.read(2) + 1
    guard Self.rates.indices.contains(rate), size >= headerSize else { return nil }
    // Channels that are listed in the audio itself, and frames of several blocks, have no such form.
    let isPlain = channels > 0 && blocks == 1
    let configuration = (profile + 1) << 11 | rate << 7 | channels << 3
    return Header(
      configuration: isPlain ? [UInt8(configuration >> 8), UInt8(configuration & 0xff)] : nil,
      sampleRate: Self.rates[rate], channels: channels == 7 ? 8 : channels, headerSize: headerSize,
      size: size)
  }
}
