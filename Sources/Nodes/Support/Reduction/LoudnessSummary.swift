import GraphKit
import Kernels

/// The loudness of a stretch of audio, measured by libebur128.
///
/// The filters in front of the measurement remember what they heard, so two stretches can't be
/// measured apart and put together: this is a `Reducer` and no `AssociativeReducer`.
public struct LoudnessSummary: Reducer {
  private let meter: LoudnessMeter
  private var shortTerm = LoudnessRange()

  /// A measurement of audio of a format.
  public init(of format: AudioFormat, measuresTruePeak: Bool) throws(NodeError) {
    guard
      let meter = LoudnessMeter(
        channels: format.channels, sampleRate: format.sampleRate,
        measuresTruePeak: measuresTruePeak)
    else {
      throw NodeError(
        "the loudness of \(format) can't be measured",
        remedy: "convert it to at most 64 channels and a rate that players know", key: "in")
    }
    self.meter = meter
  }

  public mutating func add(_ block: borrowing PCMBlock) throws(NodeError) {
    func add(_ meanSquare: Double) { shortTerm.add(meanSquare) }
    let isTaken =
      switch block.format.sampleFormat {
      case .s16: meter.add(block.samples(as: Int16.self), each: add)
      case .s32: meter.add(block.samples(as: Int32.self), each: add)
      case .f32: meter.add(block.samples(as: Float.self), each: add)
      case .f64: meter.add(block.samples(as: Double.self), each: add)
      case .u8, .s24: false
      }
    guard isTaken else {
      throw NodeError(
        "\(block.format) can't be measured", remedy: "convert it to s16 or f32", key: "in")
    }
  }

  /// The integrated loudness in LUFS; `nil` where all of it was below the gate of -70 LUFS.
  public var integrated: Double? { meter.integrated.isFinite ? meter.integrated : nil }

  /// The loudness range in LU.
  public var range: Double { shortTerm.range }

  /// The highest peak as a factor of full scale.
  public var peak: Double { meter.peak }
}
