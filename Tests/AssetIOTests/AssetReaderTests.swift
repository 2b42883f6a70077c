import AssetIO
import Foundation
import GraphKit
import TestTools
import Testing

@Suite(.inTurn) struct AssetReaderTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Three seconds of 64x48 frames, all different, and of a tone, with two languages.
  private func movie() throws -> String {
    try scratch.media(
      "movie.mp4",
      "-f lavfi -i testsrc2=s=64x48:r=25:d=3 -f lavfi -i sine=f=441:r=48000:d=3 "
        + "-f lavfi -i sine=f=882:r=48000:d=3 -map 0 -map 1 -map 2 -c:v libx264 -g 25 -bf 2 "
        + "-c:a aac -metadata title=Test -metadata:s:a:0 language=deu -metadata:s:a:1 language=eng")
  }

  /// How many samples of each channel ffmpeg decodes of the first audio track.
  private func soundCount(of path: String) throws -> Int {
    try run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", "-f", "s16le", "-"]).count / 2
  }

  @Test func tracksSayWhatTheyAre() async throws {
    let asset = try await MediaAsset(path: try movie())
    #expect(asset.tracks.map(\.kind) == [.video, .audio, .audio])
    #expect(asset.tracks.map(\.number) == [1, 2, 3])
    #expect(asset.tracks.map(\.language) == [nil, "de", "en"])
    #expect(asset.metadata["title"] == "Test")
    let video = try #require(asset.tracks(.video).first)
    #expect(video.naturalSize.map { [$0.width, $0.height] } == [64, 48])
    #expect(video.frameRate == Rational(25))
    #expect(abs(asset.duration.seconds - 3) < 0.05)
  }

  @Test(arguments: [("a.mkv", nil), ("b.mp4", nil), ("c.mkv", "Second"), ("d.mp4", "Second")])
  func tracksSayWhatTheyAreCalled(_ name: String, title: String?) async throws {
    let path = try scratch.media(
      name,
      "-f lavfi -i sine=f=441:d=1 -f lavfi -i sine=f=882:d=1 -map 0 -map 1 -c:a aac "
        + "-metadata:s:a:0 title=First -metadata:s:a:1 title=Second -disposition:a:0 0 "
        + "-disposition:a:1 default" + (title.map { " -metadata title=\($0)" } ?? ""))
    let info = try await MediaInfo(path: path)
    #expect(info.tracks.map(\.name) == ["First", "Second"])
    #expect(info.tracks.map(\.isDefault) == [false, true])
    #expect(info.tracks.map(\.isForced) == [nil, nil])
    #expect(info.metadata["title"] == title)
  }

  @Test func everyOutputIsASequence() async throws {
    let asset = try await MediaAsset(path: try movie())
    let reader = try AssetReader(asset)
    let frames = try reader.outputProvider(for: .video(asset.tracks(.video)[0], .init(.bgra)))
    let blocks = try reader.outputProvider(for: .audio(asset.tracks(.audio)[0], .init(.s16)))
    #expect(reader.status == .unknown)
    try reader.start()
    var (times, soundCount): ([MediaTime], Int) = ([], 0)
    for try await frame in frames {
      #expect(frame.byteCount == 64 * 48 * 4)
      times.append(frame.presentationTime)
    }
    #expect(reader.status == .reading)
    for try await block in blocks { soundCount += block.frameCount }
    #expect(times == (0..<75).map { MediaTime(value: Int64($0), timescale: 25) })
    #expect(try soundCount == self.soundCount(of: asset.path))
    #expect(reader.status == .completed && reader.error == nil)
  }

  @Test(
    "samples of a stated format are interleaved, whatever the decoder makes",
    arguments: ["m4a", "flac"])
  func statedSamplesAreInterleaved(kind: String) async throws {
    let path = try scratch.media("a.\(kind)", "-f lavfi -i sine=f=441:d=0.5 -ac 2")
    let asset = try await MediaAsset(path: path)
    for (layout, made) in [(nil, .interleaved), (.planar, .planar)]
      as [(ChannelLayout?, ChannelLayout)]
    {
      let reader = try AssetReader(asset)
      let blocks = try reader.outputProvider(
        for: .audio(asset.tracks[0], .init(.f32, layout: layout)))
      try reader.start()
      var count = 0
      for try await block in blocks {
        guard case .audio(let format) = block.format.format else { continue }
        #expect(format.layout == made)
        count += block.frameCount
      }
      #expect(count >= 22_050)
    }
  }

  @Test func storedSamplesAreThoseOfTheFile() async throws {
    let asset = try await MediaAsset(path: try movie())
    let reader = try AssetReader(asset)
    let frames = try reader.outputProvider(for: .stored(asset.tracks[0]))
    let packets = try reader.outputProvider(for: .stored(asset.tracks[1]))
    try reader.start()
    var (count, bytes, keyFrames) = (0, 0, 0)
    while let packet = try await packets.next() {
      (count, bytes) = (count + 1, bytes + packet.byteCount)
    }
    for try await frame in frames where frame.isSync { keyFrames += 1 }
    #expect(keyFrames == 3)
    let lines = try probe(asset.path, "packet=size,flags", "-select_streams", "a:0")
    #expect(count == lines.count)
    #expect(bytes == lines.reduce(0) { $0 + (Int($1.prefix { $0 != "," }) ?? 0) })
  }

  @Test func tracksAreMixed() async throws {
    let path = try movie()
    let values = try await mix(of: path, .init(channels: 1))
    #expect(try values.count == soundCount(of: path))
    // Two tones of an eighth of full scale each.
    #expect(abs((values.max() ?? 0) - 0.22) < 0.06)
  }

  /// The mix of all audio tracks of a file.
  private func mix(
    of path: String, _ settings: AssetReaderOutput.AudioSettings = .init()
  ) async throws -> [Float] {
    let asset = try await MediaAsset(path: path)
    let reader = try AssetReader(asset)
    let mix = try reader.outputProvider(for: .audioMix(asset.tracks(.audio), settings))
    try reader.start()
    var values: [Float] = []
    for try await block in mix {
      block.withSamples(as: Float.self) { for index in $0.indices { values.append($0[index]) } }
    }
    return values
  }

  @Test func sumsOverFullScaleStayInFloatingPoint() async throws {
    let path = try scratch.media(
      "loud.mka",
      "-f lavfi -i sine=f=441:r=32000:d=0.5,volume=7 -f lavfi -i sine=f=441:r=44100:d=0.5,volume=7 "
        + "-map 0 -map 1 -c:a pcm_s16le")
    let values = try await mix(of: path)
    // Mono, at the rate of the second.
    #expect(abs(values.count - 22_050) < 100)
    #expect(abs((values.max() ?? 0) - 1.75) < 0.02)
  }

  @Test func videosAreComposed() async throws {
    let asset = try await MediaAsset(path: try movie())
    var layer = AssetReaderOutput.Layer(asset.tracks(.video)[0])
    (layer.x, layer.y, layer.width, layer.height) = (32, 24, 32, 24)
    let reader = try AssetReader(asset)
    let output = AssetReaderOutput.videoComposition(
      [.init(asset.tracks(.video)[0]), layer], .init(.rgba))
    let plain = try reader.outputProvider(for: .video(asset.tracks(.video)[0], .init(.rgba)))
    let frames = try reader.outputProvider(for: output)
    try reader.start()
    var count = 0
    while let frame = try await frames.next(), let ground = try await plain.next() {
      count += 1
      let (a, b) = (frame.bytes, ground.bytes)
      #expect(a.prefix(64 * 4 * 23) == b.prefix(64 * 4 * 23))
      #expect(a.suffix(64 * 4) != b.suffix(64 * 4))
    }
    #expect(count == 75)
  }

  @Test func aThreadThatMayWaitReadsToo() async throws {
    let asset = try await MediaAsset(path: try movie())
    let reader = try AssetReader(asset)
    let blocks = try reader.outputProvider(for: .audio(asset.tracks(.audio)[0]))
    try reader.start()
    let count = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            var count = 0
            while let block = try blocks.copyNextSampleBuffer() { count += block.frameCount }
            return count
          })
      }
    }
    #expect(try count == soundCount(of: asset.path))
  }

  @Test func otherPartsAreReadWithoutOpeningAnew() async throws {
    let asset = try await MediaAsset(path: try movie())
    let reader = try AssetReader(asset, timeRange: range(0, 0.4))
    let frames = try reader.outputProvider(for: .video(asset.tracks(.video)[0]))
    try reader.start()
    func times() async throws -> [Double] {
      var times: [Double] = []
      for try await frame in frames { times.append(frame.presentationTime.seconds) }
      return times.map { ($0 * 100).rounded() / 100 }
    }
    #expect(try await times() == (0..<10).map { Double($0) / 25 })
    try frames.reset(forReadingTimeRanges: [range(2, 2.12), range(1, 1.08)])
    #expect(try await times() == [2, 2.04, 2.08, 1, 1.04])
    #expect(reader.status == .completed)
  }

  @Test func aLaterPartThatCannotBeReadIsSaidAgain() async throws {
    let path = try movie()
    let asset = try await MediaAsset(path: path)
    let reader = try AssetReader(asset)
    let frames = try reader.outputProvider(for: .video(asset.tracks(.video)[0]))
    try reader.start()
    try frames.reset(forReadingTimeRanges: [range(0, 0.12), range(1, 1.08), range(2, 2.08)])
    for _ in 0..<3 { #expect(try await frames.next() != nil) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000)], ofItemAtPath: path)
    for _ in 0..<4 {
      let error = await #expect(throws: (any Error).self) { try await frames.next() }
      #expect("\(error as Any)".contains("has changed"))
      #expect(reader.status == .failed)
      #expect("\(reader.error as Any)".contains("has changed"))
    }
  }

  private func range(_ start: Double, _ end: Double) -> MediaTimeRange {
    MediaTimeRange(
      start: MediaTime(seconds: start, preferredTimescale: 1_000),
      end: MediaTime(seconds: end, preferredTimescale: 1_000))
  }

  // MARK: Misuse

  @Test func misuseIsSaid() async throws {
    let asset = try await MediaAsset(path: try movie())
    let other = try await MediaAsset(
      path: try scratch.media("other.wav", "-f lavfi -i sine=d=1"))
    let reader = try AssetReader(asset)
    #expect(throws: NodeError.self) { try reader.start() }
    let track = asset.tracks[0]
    for output in [.audio(track), .stored(other.tracks[0]), .audioMix([])] as [AssetReaderOutput] {
      #expect(throws: NodeError.self) { try reader.outputProvider(for: output) }
      #expect(!reader.canAdd(output) && reader.reasonAgainst(output) != nil)
    }
    let frames = try reader.outputProvider(for: .video(track))
    await #expect(throws: NodeError.self) { try await frames.next() }
    #expect(throws: NodeError.self) { try AssetReader(asset, timeRange: range(1, 1)) }
    try reader.start()
    #expect(throws: NodeError.self) { try reader.start() }
    #expect(throws: NodeError.self) { try reader.outputProvider(for: .stored(track)) }
    #expect(throws: NodeError.self) { try frames.reset(forReadingTimeRanges: []) }
    reader.cancelReading()
    await #expect(throws: CancellationError.self) {
      while try await frames.next() != nil {}
    }
    #expect(reader.status == .cancelled)
  }

  @Test func aFileThatHasChangedIsSaid() async throws {
    let path = try movie()
    let asset = try await MediaAsset(path: path)
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data([0]))
    try file.close()
    #expect(throws: (any Error).self) {
      try AssetReader(asset).outputProvider(for: .stored(asset.tracks[0]))
    }
  }

  @Test func aMissingFileIsSaid() async throws {
    await #expect(throws: NodeError.self) { try await MediaAsset(path: scratch.path("none.mp4")) }
  }

  /// A movie whose index comes first, of which a part arrived.
  private func brokenOff(_ share: Double) throws -> String {
    let path = scratch.path("cut.mp4")
    try? FileManager.default.removeItem(atPath: path)
    let whole = try scratch.media(
      "whole.mp4",
      "-f lavfi -i testsrc2=s=320x240:r=25:d=4 -c:v libx264 -g 25 -bf 2 -movflags +faststart")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
    try bytes.prefix(Int(Double(bytes.count) * share)).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test(arguments: [1, 0.4]) func whatAFileLacksIsSaid(share: Double) async throws {
    let asset = try await MediaAsset(path: try brokenOff(share))
    let reader = try AssetReader(asset)
    let frames = try reader.outputProvider(for: .video(asset.tracks[0]))
    let packets = try reader.outputProvider(for: .stored(asset.tracks[0]))
    try reader.start()
    var (count, packetCount) = (0, 0)
    for try await _ in frames { count += 1 }
    for try await _ in packets { packetCount += 1 }
    #expect(reader.status == .completed)
    #expect((count == 100 && packetCount == 100) == (share == 1) && count > 10)
    for provider in [frames, packets] {
      let says = provider.warnings.contains { $0.message.contains("was cut off") }
      #expect(says == (share < 1), "\(provider.warnings)")
    }
    #expect(reader.warnings == frames.warnings + packets.warnings)
  }

  /// Matroska says of no packet of AAC how long it is, unless its track does.
  @Test func packetsWithoutALengthThatReachIntoAPartAreInIt() async throws {
    let path = try scratch.media(
      "a.mkv", "-f lavfi -i sine=f=441:r=48000:d=2 -c:a aac -default_mode passthrough")
    let asset = try await MediaAsset(path: path)
    let reader = try AssetReader(asset, timeRange: range(0.5, 1))
    let packets = try reader.outputProvider(for: .stored(asset.tracks[0]))
    try reader.start()
    var times: [Double] = []
    for try await packet in packets { times.append(packet.presentationTime.seconds) }
    let first = try #require(times.first)
    #expect(first <= 0.5 && first > 0.5 - 1024 / 48_000)
  }

  @Test func readersMayBeLetGoOfAtAnyMoment() async throws {
    let asset = try await MediaAsset(path: try movie())
    var numbers = SeededNumbers(seed: 3)
    for _ in 0..<40 {
      let reader = try AssetReader(asset)
      let frames = try reader.outputProvider(for: .video(asset.tracks[0]))
      try reader.start()
      for _ in 0..<Int.random(in: 0...8, using: &numbers) {
        #expect(try await frames.next() != nil)
      }
      if Bool.random(using: &numbers) {
        reader.cancelReading()
        #expect(reader.status == .cancelled)
      }
    }
  }

  @Test(arguments: ["a.flac", "a.opus", "a.oga", "a.mp3", "a.mp4"])
  func storedPacketsAreThoseOfTheFile(name: String) async throws {
    let codec = name == "a.oga" ? "-c:a flac" : name == "a.mp4" ? "-c:a flac -strict -2" : ""
    let path = try scratch.media(name, "-f lavfi -i sine=f=441:r=48000:d=2 \(codec)")
    let asset = try await MediaAsset(path: path)
    let reader = try AssetReader(asset)
    let packets = try reader.outputProvider(for: .stored(try #require(asset.tracks.first)))
    try reader.start()
    var (times, sizes): ([Double], [Int]) = ([], [])
    for try await packet in packets {
      times.append(packet.presentationTime.seconds)
      sizes.append(packet.byteCount)
    }
    #expect(times.allSatisfy(\.isFinite) && times == times.sorted())
    let expected = try probe(path, "packet=size").compactMap { Int($0.prefix { $0 != "," }) }
    #expect(sizes == expected)
  }
}
