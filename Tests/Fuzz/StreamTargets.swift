import Media

@testable import Containers

// What streams are made of: their packets, and what movies say of them.
extension Targets {
  /// A packet of FLAC.
  @Sendable static func flac(_ bytes: [UInt8]) {
    _ = FLACFrame.isDecodable(bytes.span)
    guard let place = FLACFrame.secondFrame(in: bytes.span) else { return }
    let next = FLACFrame(bytes.span.extracting(droppingFirst: place))
    precondition(next != nil && FLACFrame.isIntact(bytes.span.extracting(0..<place)))
  }

  /// A stream of AAC that comes in pieces, the first byte of each of which says how long it is.
  @Sendable static func adts(_ bytes: [UInt8]) {
    var (frames, rest, count) = (ADTSFrames(), bytes[...], 0)
    while let length = rest.popFirst() {
      frames.append(Array(rest.prefix(Int(length))).span)
      rest = rest.dropFirst(Int(length))
      while let frame = frames.next() { count += frame.bytes.count }
    }
    count += frames.takeRest().count
    precondition(count <= 2 * bytes.count, "more comes out than has been put in")
  }

  /// What the first packets of a stream say of it.
  @Sendable static func configurations(_ bytes: [UInt8]) {
    if let configuration = AVCConfiguration(bytes) {
      precondition(AVCConfiguration(configuration.bytes) == configuration)
      _ = VideoConfiguration(bytes, of: .h264)?.reorderedFrames
    }
    _ = AACFrameLength.duration(configuration: bytes)
    if let configuration = HEVCConfiguration(bytes) { renumber(configuration, bytes) }
    _ = AV1Configuration(inSample: bytes)?.bytes
    if let color = ColorNumbers(colorimetry: "bt709"),
      let described = AV1Configuration.describing(color, inSample: bytes)
    {
      precondition(AV1Configuration.describing(color, inSample: described) == nil)
    }
    _ = AC3Configuration(bytes).bytes
    _ = EAC3Configuration(bytes).bytes
    _ = MP3FrameHeader(bytes.span)
  }

  /// What joins frames of HEVC with those of another encoder.
  private static func renumber(_ configuration: HEVCConfiguration, _ sample: [UInt8]) {
    precondition(HEVCConfiguration(configuration.bytes) == configuration)
    _ = configuration.isEncodedHere
    _ = VideoConfiguration(sample, of: .hevc)?.reorderedFrames
    _ = configuration.beginsSequence(configuration.beginning(sample))
    guard let number = configuration.freeIdentifiers.first,
      let other = configuration.numbered(number)
    else { return }
    precondition(!other.freeIdentifiers.contains(number))
    _ = configuration.joined(with: other)?.bytes
    _ = configuration.encoded(sample, number: number)
  }
}
