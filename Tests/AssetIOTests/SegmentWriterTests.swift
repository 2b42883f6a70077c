import AssetIO
import Foundation
import GraphKit
import GraphKitSystem
import Nodes
import TestTools
import Testing

@Suite(.inTurn) struct SegmentWriterTests {
  let scratch: Scratch
  private let sound = AudioFormat(.s16, sampleRate: 48_000, channels: 1)
  private let picture = VideoFormat(.i420, width: 64, height: 48, frameRate: Rational(25))

  init() throws { scratch = try Scratch() }

  private final class Collection: Sendable {
    let segments = Monitor<[MediaSegment]>([])
    func add(_ segment: MediaSegment) { segments.withLock { $0.append(segment) } }
    var all: [MediaSegment] { segments.withLock { $0 } }
  }

  private func block(_ number: Int) throws -> SampleBuffer {
    let values = (0..<960).map { Int16(truncatingIfNeeded: (number * 960 + $0) * 7 % 20_000) }
    return try soundBlock(number, values, sound)
  }

  private func frame(_ number: Int) throws -> SampleBuffer {
    var frame = SampleBuffer(
      bytes: [UInt8](repeating: UInt8(16 + number % 200), count: 64 * 48 * 3 / 2),
      format: try FormatDescription(.video(picture)))
    frame.presentationTime = MediaTime(value: Int64(number), timescale: 25)
    frame.duration = MediaTime(value: 1, timescale: 25)
    return frame
  }

  /// The frames that ffprobe finds in a header and what follows it, a line each: its picture type.
  private func frames(_ segments: [MediaSegment], _ stream: String) throws -> [Substring] {
    let path = scratch.path("part.mp4")
    try Data(segments.flatMap(\.bytes)).write(to: URL(fileURLWithPath: path))
    return try probe(
      path, stream == "v" ? "frame=pict_type" : "frame=nb_samples", "-select_streams", stream)
  }

  @Test func eachSegmentPlaysWithTheHeaderAlone() async throws {
    let collection = Collection()
    let writer = AssetWriter(
      segmentInterval: MediaTime(value: 2, timescale: 1), onSegment: collection.add)
    #expect(writer.path == nil)
    var tone = AssetWriterInput.audio(sound)
    tone.language = "de"
    let blocks = try writer.inputReceiver(for: tone)
    var encoder = H264Encoder()
    (encoder.bFrames, encoder.keyFrameInterval) = (2, 1_000)
    let pictures = try writer.inputReceiver(for: .video(picture, encoder))
    try writer.start()
    try writer.startSession(at: .zero)
    async let first: Void = {
      for number in 0..<260 { try await blocks.append(try block(number)) }
      blocks.finish()
    }()
    async let second: Void = {
      for number in 0..<130 { try await pictures.append(try frame(number)) }
      pictures.finish()
    }()
    _ = try await (first, second)
    let report = try await writer.finishWriting()
    #expect(writer.status == .completed && report.unbalanced == [])
    let header = try #require(collection.all.first)
    let media = Array(collection.all.dropFirst())
    #expect(header.kind == .initialization)
    #expect(media.map(\.kind) == [.media(number: 1), .media(number: 2), .media(number: 3)])
    #expect(media.map(\.timeRange.start.seconds) == [0, 2, 4])
    #expect(media[0].timeRange.end == media[1].timeRange.start)
    #expect(media[1].timeRange.end == media[2].timeRange.start)
    for segment in media {
      let video = try #require(segment.tracks.first { $0.port == "video" })
      let found = try frames([header, segment], "v")
      #expect(found.first?.hasPrefix("I") == true && found.count == video.sampleCount)
      #expect(video.startsWithSync)
      // To the unit of its times.
      let (range, whole) = (video.timeRange, segment.timeRange)
      #expect(abs((range.start - whole.start).seconds) < 0.000_02)
      // What the audio's encoder has put before it makes the last one longer.
      let most = segment.kind == .media(number: 3) ? 0.03 : 0.000_02
      #expect(abs((range.end - whole.end).seconds) < most)
      let audio = try #require(segment.tracks.first { $0.port == "audio" })
      #expect(audio.sampleCount > 50)
      #expect(try frames([header, segment], "a").count == audio.sampleCount)
    }
    #expect(try frames(collection.all, "v").count == 130)
    let complaints = try run(
      "ffmpeg", ["-v", "warning", "-i", scratch.path("part.mp4"), "-f", "null", "-"])
    #expect(complaints.isEmpty)
    let path = scratch.path("part.mp4")
    #expect(try probe(path, "stream_tags=language").contains("deu"))
    let starts = try probe(path, "stream=start_time").compactMap { Double($0) }.sorted()
    // The times count from the first that is decoded. The encoder's priming is before the pictures.
    try #require(starts.count == 2, "\(starts)")
    #expect(starts[1] >= 0.05 && starts[1] < 0.15, "\(starts)")
    #expect(abs(starts[1] - starts[0] - 1_024 / 48_000) < 0.001, "\(starts)")
  }

  /// Hands frames over, with sound where `blocks` says so, and asks for the ends of segments before some
  /// of them.
  private func segments(
    of count: Int, interval: MediaTime? = nil, askedBefore borders: Set<Int> = [],
    _ input: AssetWriterInput, withSound: Bool = false
  ) async throws -> [MediaSegment] {
    let collection = Collection()
    let writer = AssetWriter(segmentInterval: interval, onSegment: collection.add)
    let pictures = try writer.inputReceiver(for: input)
    let blocks = withSound ? try writer.inputReceiver(for: .audio(sound)) : nil
    try writer.start()
    try writer.startSession(at: .zero)
    for number in 0..<count {
      if borders.contains(number) { try writer.endSegment() }
      try await pictures.append(try frame(number))
      try await blocks?.append(try block(2 * number))
      try await blocks?.append(try block(2 * number + 1))
    }
    try await writer.finishWriting()
    return collection.all
  }

  private func encoder(bFrames: Int) -> H264Encoder {
    var encoder = H264Encoder()
    (encoder.bFrames, encoder.keyFrameInterval) = (bFrames, 1_000)
    return encoder
  }

  /// Also where the encoder holds more frames back than the last segment has.
  @Test(arguments: [1, 2, 5], ["h264", "hevc", "h264 with sound"])
  func theLastSegmentIsAsLongAsItsFrames(count: Int, kind: String) async throws {
    let input: AssetWriterInput =
      kind == "hevc" ? .video(picture, HEVCEncoder()) : .video(picture, H264Encoder())
    let all = try await segments(
      of: 50 + count, interval: MediaTime(value: 1, timescale: 1), input,
      withSound: kind.hasSuffix("sound"))
    let media = Array(all.dropFirst())
    #expect(media.map(\.timeRange.start.seconds) == [0, 1, 2])
    let last = try #require(media.last)
    let video = try #require(last.tracks.first { $0.port == "video" })
    #expect(video.sampleCount == count)
    let length = Double(count) / 25
    #expect(abs(video.timeRange.duration.seconds - length) < 0.000_1)
    // The last packet of sound may end later.
    let most = kind.hasSuffix("sound") ? 0.022 : 0.000_1
    let found = last.timeRange.duration.seconds
    #expect(found > length - 0.000_1 && found < length + most, "\(found)")
    #expect(try frames([all[0], last], "v").count == count)
  }

  /// Several begin before the encoder has made its first packet.
  @Test(arguments: ["h264", "hevc"]) func segmentsMayBeShort(kind: String) async throws {
    let input: AssetWriterInput =
      kind == "hevc" ? .video(picture, HEVCEncoder()) : .video(picture, H264Encoder())
    let all = try await segments(of: 100, interval: MediaTime(value: 1, timescale: 5), input)
    let media = Array(all.dropFirst())
    #expect(media.flatMap(\.tracks).map(\.sampleCount) == Array(repeating: 5, count: 20))
    for segment in media { #expect(try frames([all[0], segment], "v").first?.first == "I") }
  }

  @Test(arguments: [0, 2]) func aProgramEndsSegmentsAfterWhatItHasAppended(bFrames: Int)
    async throws
  {
    let all = try await segments(
      of: 100, askedBefore: [0, 30, 31, 60], .video(picture, encoder(bFrames: bFrames)))
    let media = all.dropFirst()
    #expect(media.flatMap(\.tracks).map(\.sampleCount) == [30, 1, 29, 40])
    #expect(media.map(\.timeRange.start.seconds) == [0, 1.2, 1.24, 2.4])
    for segment in media {
      #expect(try frames([all[0], segment], "v").first?.hasPrefix("I") == true)
    }
    #expect(throws: NodeError.self) {
      try AssetWriter(path: scratch.path("a.mp4")).endSegment()
    }
  }

  @Test func eachInputHasItsOwnEndOfASegment() async throws {
    let all = try await segments(
      of: 100, askedBefore: [30, 60], .video(picture, encoder(bFrames: 2)), withSound: true)
    let media = Array(all.dropFirst())
    let video = media.compactMap { segment in segment.tracks.first { $0.port == "video" } }
    #expect(video.map(\.sampleCount) == [30, 30, 40])
    let audio = media.compactMap { segment in segment.tracks.first { $0.port == "audio" } }
    try #require(audio.count == 3)
    for (track, border) in zip(audio, [1.2, 2.4]) {
      // The packet that has the last sample may have some that were appended later.
      let end = track.timeRange.end.seconds
      #expect(end > border - 0.000_1 && end < border + 0.022, "\(end)")
    }
    #expect(abs((audio[1].timeRange.start - audio[0].timeRange.end).seconds) < 0.000_1)
    #expect(try frames(all, "v").count == 100)
    #expect(try frames([all[0], media[1]], "a").count == audio[1].sampleCount)
  }

  @Test func soundAloneEndsAfterWhatWasAppended() async throws {
    let collection = Collection()
    let writer = AssetWriter(segmentInterval: nil, onSegment: collection.add)
    let blocks = try writer.inputReceiver(for: .audio(sound))
    try writer.start()
    try writer.startSession(at: .zero)
    for number in 0..<100 {
      if number == 60 { try writer.endSegment() }
      try await blocks.append(try block(number))
    }
    try await writer.finishWriting()
    let counts = collection.all.dropFirst().flatMap(\.tracks).map(\.sampleCount)
    // 57,600 samples and 1,024 that the encoder puts before them, in packets of 1,024.
    #expect(counts.count == 2 && counts.first == 58, "\(counts)")
  }

  /// A key frame can't be made of stored ones: the next one begins the segment.
  @Test func storedFramesEndASegmentAtTheNextKeyFrame() async throws {
    let source = try scratch.media(
      "source.mp4", "-f lavfi -i testsrc2=s=64x48:r=25:d=4 -c:v libx264 -bf 2 -g 10")
    let collection = Collection()
    let asset = try await MediaAsset(path: source)
    let reader = try AssetReader(asset)
    let output = try reader.outputProvider(for: .stored(try #require(asset.tracks(.video).first)))
    let writer = AssetWriter(segmentInterval: nil, onSegment: collection.add)
    try reader.start()
    var pictures: SampleReceiver?
    var number = 0
    while let sample = try await output.next() {
      if pictures == nil {
        pictures = try writer.inputReceiver(for: .stored(sample.format))
        try writer.start()
        try writer.startSession(at: sample.presentationTime)
      }
      if number == 42 { try writer.endSegment() }
      try await pictures?.append(sample)
      number += 1
    }
    try await writer.finishWriting()
    let counts = collection.all.dropFirst().flatMap(\.tracks).map(\.sampleCount)
    #expect(counts == [50, 50])
  }

  @Test func aStoredMovieIsHandedOn() async throws {
    let source = try scratch.media(
      "source.mp4", "-f lavfi -i testsrc2=s=64x48:r=25:d=5 -c:v libx264 -bf 2 -g 25")
    let collection = Collection()
    try await segment(source, to: collection.add)
    let media = collection.all.dropFirst()
    #expect(media.map(\.timeRange.start.seconds) == [0, 2, 4])
    #expect(media.flatMap(\.tracks).map(\.sampleCount) == [50, 50, 25])
    let path = scratch.path("whole.mp4")
    try Data(collection.all.flatMap(\.bytes)).write(to: URL(fileURLWithPath: path))
    let sums = try [path, source].map { path in
      try run("ffmpeg", ["-v", "error", "-i", path, "-an", "-f", "framemd5", "-"])
    }
    let frames = sums.map { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
      .map { $0.filter { !$0.hasPrefix("#") }.map { $0.split(separator: ",").last } }
    #expect(frames[0] == frames[1] && frames[0].count == 125)
  }

  @Test func theLastFrameOfAStoredMovieIsASegment() async throws {
    let source = try scratch.media(
      "source.mp4", "-f lavfi -i testsrc2=s=64x48:r=25:d=4.04 -c:v libx264 -bf 2 -g 50")
    let collection = Collection()
    try await segment(source, to: collection.add)
    let ranges = collection.all.dropFirst().map(\.timeRange)
    #expect(ranges.map(\.start.seconds) == [0, 2, 4])
    #expect(abs((ranges.last?.duration.seconds ?? 0) - 0.04) < 0.000_1, "\(ranges)")
  }

  private struct Refusal: Error, Equatable {}

  @Test func whatTheProgramThrowsEndsTheWriter() async throws {
    let writer = AssetWriter(segmentInterval: MediaTime(value: 1, timescale: 1)) { segment in
      if segment.kind == .media(number: 2) { throw Refusal() }
    }
    let pictures = try writer.inputReceiver(for: .video(picture))
    try writer.start()
    try writer.startSession(at: .zero)
    await #expect(throws: (any Error).self) {
      for number in 0..<1_000 { try await pictures.append(try frame(number)) }
      try await writer.finishWriting()
    }
    #expect(writer.status == .failed)
    #expect("\(try #require(writer.error))".contains("Refusal"))
  }

  @Test func whatSegmentsCannotHoldIsSaid() throws {
    let writer = AssetWriter(segmentInterval: MediaTime(value: 1, timescale: 1)) { _ in }
    let reason = writer.reasonAgainst(.pcm(sound))
    #expect(reason?.contains("pcm") == true, "\(reason ?? "")")
  }
}
