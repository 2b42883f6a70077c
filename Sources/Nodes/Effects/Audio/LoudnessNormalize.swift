import GraphKit
import Glibc

/// Brings audio to a loudness after EBU R 128, by one gain for all of it and a limiter for its peaks.
///
/// The audio is measured by libebur128 (ITU-R BS.1770) and put aside in a temporary file that has no
/// name, so that memory stays flat: 192 kB a second for stereo in 16 bits at 48 kHz, twice that for
/// f32. Then it is read back, and gets the gain that takes its integrated loudness to the target.
/// Where that takes its true peak over the ceiling, a limiter (``Limiter``) keeps it there. What that
/// takes away is measured, by reading the audio once more, and given back, until the target is met.
/// A warning says what was limited, and where the target is out of reach. Without the limiter, the
/// gain is the greatest that keeps the true peak at the ceiling. Silence stays as it is. Nothing comes
/// out before all has come in: a live source is refused.
public struct LoudnessNormalize: SwiftNode {
  /// The integrated loudness to reach, in LUFS.
  public var target = -23.0
  /// The highest true peak that leaves, in dBTP.
  public var ceiling = -1.0
  /// Whether peaks over the ceiling are limited; else the gain is less.
  public var limiter = true
  /// The folder of the temporary file; empty for that of `TMPDIR`, or else `/var/tmp`.
  public var folder = ""
  private var format: FormatDescription?
  private var summary: LoudnessSummary?
  private var spill: SampleSpill?

  /// A node for EBU R 128's -23 LUFS.
  public init() {}

  public static let declaration = NodeDeclaration<LoudnessNormalize>(
    "loudnessNormalize", role: .effect,
    help: "Brings audio to a loudness in LUFS, and limits its peaks.",
    phrase: "brought to a loudness of {target}",
    example: "decoder -> loudnessNormalize -> encoder",
    parameters: [
      .number(
        "target", \.target, in: -70...0, unit: "LUFS",
        help: "The integrated loudness to reach: EBU R 128 has -23, podcasts mostly -16."),
      .number(
        "ceiling", \.ceiling, in: -40...0, unit: "dBTP",
        help: "The highest true peak that leaves."),
      .bool(
        "limiter", \.limiter,
        help: "Whether a limiter keeps peaks below the ceiling; else the gain is less."),
      .string(
        "folder", \.folder,
        help: "Folder for the temporary file; empty for that of TMPDIR, or else /var/tmp."),
    ])

  public static let ports = EffectPorts<Audio>(.audio([.f32, .s16], layouts: [.interleaved]))

  public var traits: NodeTraits { NodeTraits(needsWholeStream: true) }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    // Known before an hour of audio is measured for nothing.
    _ = try SampleSpill(in: folder)
    return []
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .audio(let audio) = format.format, audio.layout == .interleaved else {
      throw NodeError(
        "loudnessNormalize works on interleaved audio, not on \(format)",
        remedy: "put an `audioConvert` before it whose `layout` is `interleaved`", key: "in")
    }
    try audio.expectEffectSamples("loudnessNormalize")
    guard self.format?.format != format.format else { return }
    guard self.format == nil else {
      throw NodeError(
        "the format changes to \(format) while the loudness is measured",
        remedy: "put an `audioConvert` before it that says what all of it is to be", key: "in")
    }
    self.format = format
    summary = try LoudnessSummary(of: audio, measuresTruePeak: true)
    spill = try SampleSpill(in: folder)
    try outputs.announce(format, on: 0)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    try silenceWhatIsNoNumber(in: &sample)
    try sample.withPCM { block throws(NodeError) in try summary?.add(block) }
    try spill?.append(sample)
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    defer { (summary, spill, measured) = (nil, nil, nil) }
    measured = try summary?.values()
    guard let format, case .audio(let audio) = format.format, let measured, var spill else {
      return
    }
    guard limiter, measured.peak > 0, let loudness = measured.integrated,
      target - loudness > room
    else {
      if let shortfall { outputs.warn(shortfall) }
      // A gain of many decibels is no parameter's, so that no range holds for it.
      var gain = Gain(decibels: gain)
      try gain.prepare(audio)
      while let sample = try spill.next() { try gain.process(sample, on: 0, to: outputs) }
      return
    }
    var search = LoudnessSearch(target: target, ceiling: ceiling, loudness: loudness)
    repeat {
      search.note(try pass(search.limiter, through: &spill, format, of: outputs))
    } while search.goesOn
    var limiter = search.limiter
    try limiter.prepare(for: format, on: 0, to: outputs)
    spill.rewind()
    while let sample = try spill.next() { try limiter.process(sample, on: 0, to: outputs) }
    try limiter.finish(to: outputs)
    outputs.warn(search.words(from: loudness))
  }

  /// What a limiter makes of all of the audio, as it is measured.
  private func pass(
    _ limiter: Limiter, through spill: inout SampleSpill, _ format: FormatDescription,
    of node: NodeOutputs
  ) throws -> LoudnessSearch.Pass {
    guard case .audio(let audio) = format.format else { return LoudnessSearch.Pass() }
    let target = MeasuredTarget(try LoudnessSummary(of: audio, measuresTruePeak: false))
    let outputs = NodeOutputs([target])
    var limiter = limiter
    try limiter.prepare(for: format, on: 0, to: outputs)
    spill.rewind()
    while let sample = try spill.next() {
      try node.noteWork()
      try limiter.process(sample, on: 0, to: outputs)
    }
    try limiter.finish(to: outputs)
    return LoudnessSearch.Pass(
      loudness: try target.summary.values().integrated,
      reduction: -decibels(factor: Double(limiter.leastGain)),
      limited: Double(limiter.limitedFrames) / Double(audio.sampleRate))
  }

  /// One such sample would spoil the measurement of all that follow.
  private func silenceWhatIsNoNumber(in sample: inout SampleBuffer) throws {
    guard case .audio(let audio) = sample.format.format, audio.sampleFormat == .f32 else { return }
    let isSpoilt = sample.withSamples(as: Float.self) { levels in
      levels.indices.contains { !levels[$0].isFinite }
    }
    guard isSpoilt else { return }
    sample.withMutableElements(as: Float.self) { levels in
      for index in levels.indices where !levels[index].isFinite { levels[index] = 0 }
    }
  }

  /// What was measured of all of the audio, once it has ended.
  private var measured: LoudnessSummary.Values?

  /// Why the target isn't reached, in words; `nil` where it is, and for silence.
  var shortfall: String? {
    guard let measured, measured.peak > 0 else { return nil }
    let goal = "the target of \(text(target)) LUFS"
    guard let loudness = measured.integrated else {
      return "its loudness stays as it is, and \(goal) isn't reached: the audio is shorter than "
        + "0.4 s or never louder than -70 LUFS, so it has no loudness to measure"
    }
    let missing = target - loudness - gain
    guard missing >= Self.tolerance else { return nil }
    return "its loudness is \(text(target - missing)) LUFS, \(text(missing)) LU below \(goal): "
      + "more gain would take the true peak over the ceiling of \(text(ceiling)) dBTP; set `limiter` "
      + "to true, or lower the target"
  }

  /// The tolerance of the target, in LU: half of the resolution that meters show.
  private static let tolerance = 0.05

  /// A level to the tenth that meters show.
  private func text(_ level: Double) -> String { "\((level * 10).rounded() / 10)" }

  /// By how much it can get louder before its true peak is at the ceiling, in decibels.
  private var room: Double { ceiling - decibels(factor: measured?.peak ?? 0) }

  /// The gain where nothing is limited, in decibels.
  var gain: Double {
    guard let measured, let loudness = measured.integrated, measured.peak > 0 else { return 0 }
    return min(target - loudness, room)
  }
}

/// Measures what it is sent.
private final class MeasuredTarget: SampleTarget {
  private(set) var summary: LoudnessSummary

  init(_ summary: LoudnessSummary) { self.summary = summary }

  func announce(_ format: FormatDescription) {}
  func receive(_ sample: consuming SampleBuffer) throws {
    try sample.withPCM { block throws(NodeError) in try summary.add(block) }
  }
  func finish() {}
}
