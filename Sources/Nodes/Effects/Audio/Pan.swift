import GraphKit
import Glibc

/// Places audio between left and right.
///
/// Mono becomes stereo at constant power: with θ = (position + 1) π/4 the left channel gets cos θ
/// and the right one sin θ, so -3.01 dB each in the middle. Of stereo the channel that the position
/// moves away from is attenuated by cos(|position| π/2), and the other stays as it is: in the
/// middle nothing changes. A change while it runs takes 10 ms.
public struct Pan: SwiftNode {
  /// -1 for left, 0 for the middle, 1 for right.
  public var position = 0.0 { didSet { aim() } }
  private var ramps = [Ramp(1), Ramp(1)]
  private var input: AudioFormat?
  private var output: FormatDescription?
  private var sound = PlanarAudio()
  private var factors: [Float] = []

  /// A node that leaves audio in the middle.
  public init() {}

  /// A node that places audio.
  public init(position: Double) { self.position = position }

  public static let declaration = NodeDeclaration<Pan>(
    "pan", role: .effect, help: "Places audio between left and right.",
    phrase: "panned",
    example: "microphone -> pan -> encoder",
    parameters: [
      .number(
        "position", \.position, in: -1...1, live: true,
        help: "-1 for left, 0 for the middle, 1 for right; at constant power for mono.")
    ])

  /// One input of one or two channels, one output of two.
  public struct Ports: PortSet {
    /// Mono or stereo.
    public let input = InputPort<Audio>(
      "in", .audio([.f32, .s16], channels: [2, 1]), help: "Mono, or stereo to be balanced.")
    /// Stereo.
    public let output = OutputPort<Audio>(
      "out", .audio([.f32, .s16], channels: [2]), follows: "in", help: "Stereo.")
  }

  public static let ports = Ports()

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .audio(var audio) = format.format, (1...2).contains(audio.channels) else {
      throw NodeError(
        "pan places one channel or two, not \(format)",
        remedy: "put an `audioConvert` before it whose `channels` are 1 or 2", key: "in")
    }
    try audio.expectEffectSamples("pan")
    self.input = audio
    audio.channels = 2
    output = self.input == audio ? format : try FormatDescription(.audio(audio))
    aim()
    for side in ramps.indices { ramps[side].begin(sampleRate: audio.sampleRate) }
    if let output { try outputs.announce(output, on: 0) }
  }

  private mutating func aim() {
    if input?.channels == 1 {
      let angle = (position + 1) * .pi / 4
      ramps[0].go(to: cos(angle))
      ramps[1].go(to: sin(angle))
    } else {
      ramps[0].go(to: position <= 0 ? 1 : cos(position * .pi / 2))
      ramps[1].go(to: position >= 0 ? 1 : cos(position * .pi / 2))
    }
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard let format = self.input, let output else { return }
    if format.channels == 2 {
      let isNeutral = ramps.allSatisfy { $0.isStill && $0.current == 1 }
      if !isNeutral { try place(&sample) }
      return try outputs.send(sample, on: 0)
    }
    var stereo = try sample.doubled(output)
    try place(&stereo)
    try outputs.send(stereo, on: 0)
  }

  private mutating func place(_ sample: inout SampleBuffer) throws {
    var block = try sample.audioBlock()
    sound.read(&block)
    for channel in ramps.indices {
      ramps[channel].next(sound.frameCount, into: &factors)
      sound.multiply(channel, by: factors)
    }
    sound.write(&block)
  }
}

extension SampleBuffer {
  /// A mono sample on both channels of a stereo one, of the same times.
  fileprivate consuming func doubled(_ format: FormatDescription) throws -> SampleBuffer {
    var stereo = SampleBuffer(byteCount: byteCount * 2, format: format)
    (stereo.presentationTime, stereo.duration) = (presentationTime, duration)
    stereo.isDiscontinuity = isDiscontinuity
    guard case .audio(let audio) = format.format else { return stereo }
    let isPlanar = audio.layout == .planar
    switch audio.sampleFormat {
    case .s16: copyTwice(to: &stereo, isPlanar, as: Int16.self)
    default: copyTwice(to: &stereo, isPlanar, as: Float.self)
    }
    return stereo
  }

  private borrowing func copyTwice<Sample: BitwiseCopyable>(
    to stereo: inout SampleBuffer, _ isPlanar: Bool, as type: Sample.Type
  ) {
    withSamples(as: type) { mono in
      stereo.withMutableElements(as: type) { both in
        for frame in mono.indices {
          both[isPlanar ? frame : 2 * frame] = mono[frame]
          both[isPlanar ? mono.count + frame : 2 * frame + 1] = mono[frame]
        }
      }
    }
  }
}
