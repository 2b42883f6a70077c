import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

@testable import AssetIO

/// Recordings whose microphone hands out what it hears before the camera does what it sees.
@Suite(.inTurn) struct EarlyMicrophoneTests {
  let scratch: Scratch
  private static let sound = AudioFormat(.s16, sampleRate: 48_000, channels: 1)
  private static let picture = VideoFormat(.i420, width: 64, height: 48, frameRate: Rational(25))

  init() throws { scratch = try Scratch() }

  /// What the devices hand out between two moments, in milliseconds: a frame once it is over, a block of
  /// 1024 samples so much earlier than that. Each second of theirs begins with a white frame and a tone.
  private func feed(
    _ blocks: RecorderInput, _ frames: RecorderInput, _ span: Range<Int>, lead: Int, isTimed: Bool
  ) async throws {
    for moment in span {
      let heard = moment + lead
      let block = heard * 48 / 1024
      if (heard - 1) * 48 / 1024 < block {
        var sample = try self.block(block - 1)
        if !isTimed { sample.duration = .invalid }
        try await hand(ReadySampleBuffer(sample), to: blocks)
      }
      guard moment % 40 == 0 else { continue }
      try await hand(ReadySampleBuffer(try frame(moment / 40 - 1)), to: frames)
    }
  }

  private func block(_ number: Int) throws -> SampleBuffer {
    let values = (number * 1024..<(number + 1) * 1024).map { sample -> Int16 in
      let level: Int16 = sample % 48_000 < 1920 ? 20_000 : 0
      return sample / 48 % 2 == 0 ? level : -level
    }
    var block = SampleBuffer(
      bytes: PCM.bytes(of: values), format: try FormatDescription(.audio(Self.sound)))
    block.presentationTime = MediaTime(frames: number * 1024, at: 48_000)
    block.duration = MediaTime(frames: 1024, at: 48_000)
    return block
  }

  private func frame(_ number: Int) throws -> SampleBuffer {
    let brightness: UInt8 = number % 25 == 0 ? 235 : 16
    var frame = SampleBuffer(
      bytes: [UInt8](repeating: brightness, count: 64 * 48)
        + [UInt8](repeating: 128, count: 64 * 48 / 2),
      format: try FormatDescription(.video(Self.picture)))
    frame.presentationTime = MediaTime(value: Int64(number), timescale: 25)
    frame.duration = MediaTime(value: 1, timescale: 25)
    return frame
  }

  private func hand(_ sample: ReadySampleBuffer, to input: RecorderInput) async throws {
    while !input.isReadyForMoreMediaData { try await input.receiver.waitUntilReady() }
    #expect(try input.append(sample))
  }

  /// When frames become white, in milliseconds.
  private func flashes(_ path: String) throws -> [Double] {
    let words = ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-enc_time_base", "-1"]
    let bytes = Array(try run("ffmpeg", words + ["-f", "rawvideo", "-pix_fmt", "gray", "-"]))
    let levels = stride(from: 0, to: bytes.count, by: 64 * 48).map { bytes[$0] }
    let times = try probe(path, "frame=pts_time", "-select_streams", "v")
      .compactMap { Double($0.filter { $0 != "," }) }.sorted()
    #expect(levels.count == times.count)
    return zip(levels, times).filter { $0.0 > 100 }.map { $0.1 * 1000 }
  }

  /// When tones begin, in milliseconds.
  private func tones(_ path: String) throws -> [Double] {
    let filled = ["-af", "aresample=async=1:min_hard_comp=0.01:first_pts=0"]
    let words = ["-v", "error", "-i", path, "-map", "0:a"] + filled + ["-f", "s16le", "-"]
    let samples = PCM.integers(Array(try run("ffmpeg", words)))
    let loud = samples.indices.filter { abs(Int(samples[$0])) > 8_000 }.map { Double($0) / 48 }
    return loud.enumerated().filter { $0.offset == 0 || $0.element - loud[$0.offset - 1] > 100 }
      .map(\.element)
  }

  /// Blocks needn't say how long they are.
  @Test(arguments: [0, 50, 160], [true, false])
  func pausesMoveNoAudio(lead: Int, isTimed: Bool) async throws {
    let path = scratch.path("a.mp4")
    let recorder = try MovieRecorder(path: path)
    let blocks = try recorder.input(for: .audio(Self.sound))
    let frames = try recorder.input(for: .video(Self.picture))
    try recorder.prepare()
    for part in 0..<8 {
      try recorder.record()
      let start = 1000 + part * 2633
      try await feed(blocks, frames, start..<start + 2017, lead: lead, isTimed: isTimed)
      try recorder.pause()
      try await feed(blocks, frames, start + 2017..<start + 2633, lead: lead, isTimed: isTimed)
    }
    try await recorder.finish()
    let (flashes, tones) = (try flashes(path), try tones(path))
    #expect(flashes.count > 12)
    let off = flashes.compactMap { flash in
      tones.map { $0 - flash }.filter { abs($0) < 500 }.min { abs($0) < abs($1) }
    }
    #expect(off.allSatisfy { abs($0) < 5 }, "\(off)")
  }
}
