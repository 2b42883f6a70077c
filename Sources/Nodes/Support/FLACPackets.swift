import Containers
import GraphKit

/// Has packets of FLAC begin where their headers say, and last as long as they have samples.
///
/// Encoders from before headers had a bit for blocks of several sizes number them by samples all
/// the same. `flacparse` (1.22) takes those numbers for numbers of frames, and gives all packets
/// the length of the first. In files that are joined of several, numbers begin anew.
struct FLACTimer: StreamFilter {
  let sampleRate: Int32
  /// Whether numbers may count samples that say that they count frames.
  let isDoubtful: Bool
  private var last: FLACFrame?
  private var countsSamples = false
  /// Where the last packet ended, and where the file began that is being read, in samples; `nil` for
  /// the first of those that are joined.
  private var end = 0
  private var origin: Int?

  init(sampleRate: Int32, isDoubtful: Bool) {
    (self.sampleRate, self.isDoubtful) = (sampleRate, isDoubtful)
  }

  mutating func pass(_ packet: inout SampleBuffer) -> Bool {
    guard !packet.isHeader, let frame = packet.withBytes({ FLACFrame($0) }) else { return true }
    if let last, frame.number < last.number { origin = end }
    if let sample = start(of: frame) {
      packet.setPlace(sample, count: frame.blockSize, sampleRate)
      end = sample &+ frame.blockSize
    } else {
      end = (packet.presentationTime.frames(at: Int(sampleRate)) ?? end) &+ frame.blockSize
    }
    return true
  }

  /// The first sample of a frame, where a parser doesn't know it.
  private mutating func start(of frame: FLACFrame) -> Int? {
    defer { last = frame }
    if isDoubtful, !frame.isVariable, let last, frame.number == last.number + last.blockSize,
      last.blockSize > 1
    {
      countsSamples = true
    }
    let isSample = frame.isVariable || countsSamples
    guard let origin else { return countsSamples ? frame.number : nil }
    // The last frame of a file is mostly shorter than the others.
    let block = max(frame.blockSize, last?.blockSize ?? 0)
    let (place, isTooLate) = frame.number.multipliedReportingOverflow(by: isSample ? 1 : block)
    return isTooLate ? nil : origin &+ place
  }
}

/// Leaves out frames of FLAC that are damaged, and fails the run where the format changes.
///
/// `flacdec` (1.22) makes nothing of a damaged frame, but gives its time to the next, and so on: the gap
/// doesn't show, and all that follows comes too early. `flacparse` knows no frame of another format
/// than the first: what follows is lost but for the beginning, which it takes for a part of the last
/// frame before.
struct DecodableFLAC: StreamFilter {
  private var isAfterDamage = false

  mutating func pass(_ packet: inout SampleBuffer) throws(NodeError) -> Bool {
    guard !packet.isHeader else { return true }
    if let time = changeTime(packet) {
      throw NodeError(
        "the format of the audio changes at \(time) s",
        remedy: "convert the file to one format first, or cut it there")
    }
    if isAfterDamage { packet.isDiscontinuity = true }
    isAfterDamage = !packet.withBytes { FLACFrame.isDecodable($0) }
    return !isAfterDamage
  }

  /// Where a frame of another format follows in a packet.
  private func changeTime(_ packet: borrowing SampleBuffer) -> Double? {
    let blockSize: Int? = packet.withBytes { bytes in
      guard let place = FLACFrame.secondFrame(in: bytes), let frame = FLACFrame(bytes),
        let next = FLACFrame(bytes.extracting(droppingFirst: place)), !frame.hasFormat(of: next)
      else { return nil }
      return frame.blockSize
    }
    guard let blockSize, let rate = packet.flacRate else { return nil }
    let end = packet.presentationTime.seconds + Double(blockSize) / Double(rate)
    return (end * 1_000).rounded() / 1_000
  }
}

extension SampleBuffer {
  /// Samples a second, as the format says.
  fileprivate var flacRate: Int? {
    if case .encoded(let encoded) = format.format { encoded.sampleRate } else { nil }
  }
}
