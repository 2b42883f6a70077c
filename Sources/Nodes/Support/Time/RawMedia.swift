import GraphKit

/// What a node works on that takes either raw audio or raw video.
public enum RawMedia: String, CaseIterable, Sendable {
  case audio, video

  /// The medium of what a node is wired to; `nil` for neither.
  init?(_ kind: MediaKind) {
    switch kind {
    case .audio: self = .audio
    case .video: self = .video
    default: return nil
    }
  }

  /// The ports of a node of one input and one output, for a medium or as long as none is known.
  static func ports(of media: RawMedia?, input: String, output: String) -> [PortDeclaration] {
    let format: FormatConstraint =
      switch media {
      case .audio: .audio([.f32], layouts: [.interleaved])
      case .video: .video(PixelFormat.planar)
      case nil: FormatConstraint(.any)
      }
    return [
      PortDeclaration("in", .input, format, help: input),
      PortDeclaration("out", .output, format, follows: "in", help: output),
    ]
  }
}

extension RawMedia {
  /// That what enters a node of such ports is of another kind, which no decoder makes one of these of.
  static func problem(
    of formats: [String: FormatConstraint], remedy: String
  ) -> NodeError? {
    guard let kind = formats["in"]?.kind, [.text, .peaks, .measurement].contains(kind) else {
      return nil
    }
    return NodeError(
      "\(kind.spoken) enters, and it takes raw audio or raw video",
      remedy: kind == .text ? remedy : "leave it out")
  }

  /// What can be done about texts where they can't be played at other times.
  static let drawingRemedy = "leave it out, or draw it before with a `subtitleOverlay`"
}

extension MediaTime {
  /// A parameter's number of seconds, to the nanosecond where that is possible.
  static func parameter(_ seconds: Double) -> MediaTime {
    MediaTime(seconds: seconds, preferredTimescale: seconds < 1e9 ? 1_000_000_000 : 1_000)
  }
}

extension SampleBuffer {
  /// A block of interleaved samples of a format, of which the first begins at a time.
  static func block(
    of values: [Float], _ format: FormatDescription, _ audio: AudioFormat, at time: MediaTime
  ) -> SampleBuffer {
    var block = SampleBuffer(
      byteCount: values.count * MemoryLayout<Float>.stride, format: format)
    block.withMutableElements(as: Float.self) { span in
      for index in span.indices { span[index] = values[index] }
    }
    block.presentationTime = time
    block.duration = MediaTime(
      frames: values.count / max(1, audio.channels), at: audio.sampleRate)
    return block
  }

  /// The values of interleaved samples; what isn't a finite number is silence.
  borrowing func values() -> [Float] {
    withSamples(as: Float.self) { span in
      var values = [Float](repeating: 0, count: span.count)
      for index in span.indices {
        let value = span[index]
        values[index] = value.isFinite ? value : 0
      }
      return values
    }
  }
}
