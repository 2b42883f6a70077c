import GraphKit

/// What is known of the parts of a ``Concat`` before any of them has begun.
struct JoinedFormats: Sendable {
  /// A wired input.
  struct Input: Hashable, Sendable {
    var isVideo: Bool
    /// Its part, counted from 1.
    var part: Int
  }

  /// The wired inputs, as the node numbers them: those of video, then those of audio.
  private(set) var inputs: [Input] = []
  /// The size of the first video, where it is known.
  private(set) var size: JoinedVideo.Size?
  /// The frame rate that all have.
  private(set) var frameRate: Rational?
  /// The sampling rate and the channels of the first audio, where they are known.
  private(set) var sampleRate: Int?
  private(set) var channels: Int?

  /// Nothing is known.
  init() {}

  /// What the formats say that arrive at a node's inputs, by their names.
  init(_ formats: [String: FormatConstraint]) {
    let videos = Self.parts("video", formats), audios = Self.parts("audio", formats)
    inputs =
      videos.map { Input(isVideo: true, part: $0.part) }
      + audios.map { Input(isVideo: false, part: $0.part) }
    if let first = videos.first?.format, let width = first.width, let height = first.height {
      size = JoinedVideo.Size(width: width, height: height)
    }
    if let rate = videos.first?.format.frameRate, videos.allSatisfy({ $0.format.frameRate == rate })
    {
      frameRate = rate
    }
    if let first = audios.first?.format {
      sampleRate = first.sampleRates.count == 1 ? first.sampleRates[0] : nil
      channels = first.channels.count == 1 ? first.channels[0] : nil
    }
  }

  private static func parts(
    _ name: String, _ formats: [String: FormatConstraint]
  ) -> [(part: Int, format: FormatConstraint)] {
    formats.compactMap { port, format in
      if port == name { return (1, format) }
      guard port.hasPrefix(name + "."), let part = Int(port.dropFirst(name.count + 1)) else {
        return nil
      }
      return (part, format)
    }.sorted { $0.part < $1.part }
  }

  /// What is wrong with the wires of a node that has such inputs.
  func problem(knowsSize: Bool) -> NodeError? {
    let videos = inputs.filter(\.isVideo).map(\.part)
    guard let first = inputs.map(\.part).min(), let firstVideo = videos.first, firstVideo > first,
      !knowsSize
    else { return nil }
    return NodeError(
      "part \(first) has no video, and the size of the first one that has isn't known",
      remedy: "give `width` and `height`", key: "width")
  }
}
