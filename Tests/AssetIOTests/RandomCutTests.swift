import AssetIO
import Foundation
import GraphKit
import TestTools
import Testing

/// Twenty parts of a file, each the same frames and samples as in what ffmpeg decodes of all of it.
@Suite(.inTurn) struct RandomCutTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static let pictures = "-f lavfi -i testsrc2=s=64x48:r=25:d=6 -pix_fmt yuv420p"
  private static let noise = "-f lavfi -i aevalsrc=0.4*sin(880*t*t)+0.1*random(1):s=48000:d=6"

  private func ranges(seed: UInt64) -> [(start: Int, end: Int)] {
    var numbers = SeededNumbers(seed: seed)
    return (0..<20).map { _ in
      let start = Int.random(in: 0..<5_700, using: &numbers)
      return (start, Int.random(in: start + 1...6_100, using: &numbers))
    }
  }

  private func time(_ milliseconds: Int) -> MediaTime {
    MediaTime(value: Int64(milliseconds), timescale: 1_000)
  }

  @Test(arguments: [
    "-c:v libx264 -g 30 -bf 3 a.mp4", "-c:v libx264 -g 250 -bf 2 a.mkv",
    "-c:v libx265 -x265-params log-level=none:keyint=40:bframes=4 b.mp4",
  ])
  func frames(_ file: String) async throws {
    let words = file.split(separator: " ").map(String.init)
    let command = ([Self.pictures] + words.dropLast()).joined(separator: " ")
    let path = try scratch.media(words.last ?? "", command)
    let whole = try run("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-"])
    let size = 64 * 48 * 3 / 2
    #expect(whole.count == 150 * size)
    let asset = try await MediaAsset(path: path)
    let reader = try AssetReader(asset)
    let provider = try reader.outputProvider(for: .video(asset.tracks[0], .init(.i420)))
    try reader.start()
    for (start, end) in ranges(seed: 1) {
      try provider.reset(forReadingTimeRanges: [
        MediaTimeRange(start: time(start), end: time(end))
      ])
      var (bytes, first): ([UInt8], MediaTime?) = ([], nil)
      for try await frame in provider {
        first = first ?? frame.presentationTime
        bytes += frame.bytes
      }
      // What is shown at the beginning, up to what is shown before the end.
      let wanted = start / 40..<min(150, (end + 39) / 40)
      let expected = whole[wanted.lowerBound * size..<wanted.upperBound * size]
      #expect(bytes.count / size == wanted.count, "\(start) to \(end) ms")
      #expect(Data(bytes) == expected, "\(start) to \(end) ms")
      #expect(first == time(start))
    }
  }

  /// Packets of such video say how long it takes until the next is decoded, which isn't how long their
  /// frames are shown.
  @Test func framesThatLastUnequallyLong() async throws {
    let path = try scratch.media(
      "v.mp4",
      "\(Self.pictures) -vf select=not(eq(mod(n\\,5)\\,3))+lt(n\\,20) -fps_mode vfr -c:v libx264 -bf 2"
    )
    let whole = try run(
      "ffmpeg",
      ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-"])
    let times = (0..<150).filter { $0 % 5 != 3 || $0 < 20 }.map { $0 * 40 }
    let size = 64 * 48 * 3 / 2
    #expect(whole.count == times.count * size)
    let asset = try await MediaAsset(path: path)
    let reader = try AssetReader(asset)
    let provider = try reader.outputProvider(for: .video(asset.tracks[0], .init(.i420)))
    try reader.start()
    for (start, end) in ranges(seed: 3) + (20..<50).map({ ($0 * 37, $0 * 37 + 1) }) {
      try provider.reset(forReadingTimeRanges: [
        MediaTimeRange(start: time(start), end: time(end))
      ])
      var bytes: [UInt8] = []
      for try await frame in provider { bytes += frame.bytes }
      let first = times.lastIndex { $0 <= start } ?? 0
      let wanted = first..<max(first + 1, times.firstIndex { $0 >= end } ?? times.count)
      #expect(bytes.count / size == wanted.count, "\(start) to \(end) ms")
      let expected = whole[wanted.lowerBound * size..<wanted.upperBound * size]
      #expect(Data(bytes) == expected, "\(start) to \(end) ms")
    }
  }

  // Without noise that the decoder makes up, which depends on all that it decoded before.
  @Test(arguments: [
    ("-c:a aac -aac_pns 0 a.m4a", 0.001), ("-c:a libmp3lame -b:a 192k a.mp3", 0.02),
    ("-c:a libopus a.opus", 0.05),
    ("-c:a flac -sample_fmt s16 a.flac", 0), ("-c:a pcm_s16le a.wav", 0),
    ("-c:a libvorbis a.ogg", 0.02),
  ])
  func sounds(_ file: String, _ tolerance: Float) async throws {
    let words = file.split(separator: " ").map(String.init)
    let path = try scratch.media(
      words.last ?? "", ([Self.noise] + words.dropLast()).joined(separator: " "))
    let decoded = try run(
      "ffmpeg", ["-v", "error", "-i", path, "-f", "f32le", "-ar", "48000", "-ac", "1", "-"])
    let whole = PCM.floats(Array(decoded))
    let asset = try await MediaAsset(path: path)
    let reader = try AssetReader(asset)
    let provider = try reader.outputProvider(for: .audio(asset.tracks[0], .init(.f32)))
    try reader.start()
    try await expectParts(of: provider, in: whole, tolerance)
  }

  /// Opus of a rate that it hasn't, which its header names all the same.
  @Test func opusOfAnotherRate() async throws {
    let wave = try scratch.media(
      "a.wav", "-f lavfi -i aevalsrc=0.4*sin(880*t*t):s=44100:d=6 -bitexact")
    let path = scratch.path("a.opus")
    _ = try run("opusenc", ["--quiet", wave, path])
    let decoded = try run("ffmpeg", ["-v", "error", "-i", path, "-f", "f32le", "-ac", "1", "-"])
    let asset = try await MediaAsset(path: path)
    let reader = try AssetReader(asset)
    let provider = try reader.outputProvider(for: .audio(asset.tracks[0], .init(.f32)))
    try reader.start()
    try await expectParts(of: provider, in: PCM.floats(Array(decoded)), 0.05)
  }

  private func expectParts(of provider: SampleProvider, in whole: [Float], _ tolerance: Float)
    async throws
  {
    for (start, end) in ranges(seed: 2) {
      try provider.reset(forReadingTimeRanges: [
        MediaTimeRange(start: time(start), end: time(end))
      ])
      var values: [Float] = []
      for try await block in provider { values += PCM.floats(block.bytes) }
      let wanted = start * 48..<max(start * 48, min(whole.count, end * 48))
      #expect(values.count == wanted.count, "\(start) to \(end) ms")
      let difference = PCM.largestDifference(values, Array(whole[wanted]))
      #expect(difference <= tolerance, "\(start) to \(end) ms")
    }
  }
}
