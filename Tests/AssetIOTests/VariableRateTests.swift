import AssetIO
import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// Movies whose frames come at no steady rate: how long each is shown, and what is said of their rate.
@Suite(.inTurn) struct VariableRateTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static let times = [0, 1, 5, 6.5]
  private static let lengths = [1, 4, 1.5, 10.0]

  /// Four pictures that are shown for 16.5 s.
  private func slides(bFrames: Int?) async throws -> String {
    let path = scratch.path("slides.mp4")
    var encoder = H264Encoder()
    if let bFrames { encoder.bFrames = bFrames }
    let format = VideoFormat(.i420, width: 64, height: 48)
    let (writer, video) = try AssetWriter.started(path, .video(format, encoder))
    for (number, (time, length)) in zip(Self.times, Self.lengths).enumerated() {
      var frame = try PaintedFrame.make(20 * number, format)
      (frame.presentationTime, frame.duration) = (.seconds(time), .seconds(length))
      try await video.append(frame)
    }
    try await writer.finishWriting()
    return path
  }

  private func samples(_ output: AssetReaderOutput, of asset: MediaAsset) async throws -> [[Double]]
  {
    let reader = try AssetReader(asset)
    let provider = try reader.outputProvider(for: output)
    try reader.start()
    var found: [[Double]] = []
    for try await sample in provider {
      found.append([sample.presentationTime.seconds, sample.duration.seconds])
    }
    return found
  }

  private func areNear(_ found: [[Double]], _ wanted: [[Double]]) -> Bool {
    found.count == wanted.count
      && zip(found, wanted).allSatisfy { abs($0[0] - $1[0]) < 1e-5 && abs($0[1] - $1[1]) < 1e-5 }
  }

  // MARK: Rates

  @Test(arguments: [0, nil]) func unitsOfTimeAreNoFrameRate(bFrames: Int?) async throws {
    let path = try await slides(bFrames: bFrames)
    let asset = try await MediaAsset(path: path)
    #expect(asset.tracks[0].frameRate == nil)
    let info = try await MediaInfo(path: path)
    #expect(info.tracks[0].frameRate == nil)
    #expect(info.tracks[0].format == "H.264 64x48")
    let first = try await AssetImageGenerator(asset).image(at: .zero)
    guard case .video(let video) = first.frame.format.format else {
      Issue.record("\(first.frame.format)")
      return
    }
    #expect(video.frameRate == nil)
  }

  @Test func unitsOfAnEncoderAreNoFrameRate() async throws {
    let path = try scratch.media(
      "units.mp4",
      "-f lavfi -i testsrc2=s=64x48:r=90000:d=0.0002 -vf setpts=N*N*3600+N -enc_time_base 1/90000 "
        + "-fps_mode passthrough -video_track_timescale 90000 -c:v libx264 -bf 0 -pix_fmt yuv420p")
    let asset = try await MediaAsset(path: path)
    #expect(asset.tracks[0].frameRate == nil)
  }

  @Test func ratesOfFastCamerasStay() async throws {
    let path = try scratch.media(
      "fast.mp4", "-f lavfi -i testsrc2=s=64x48:r=960:d=0.1 -c:v libx264 -pix_fmt yuv420p")
    #expect(try await MediaAsset(path: path).tracks[0].frameRate == Rational(960))
  }

  private func encode(
    _ path: String, with encoder: some Node, speed: Double, to output: String
  ) async throws -> Report {
    var graph = GraphBuilder(catalog: .builtIn)
    let file = graph.add("file", FileSource()) { $0.path = path }
    let decoder = graph.add("decoder", Decoder())
    let faster = graph.add("speed", Speed()) { $0.speed = speed }
    let made = graph.add("encoder", encoder)
    let movie = graph.add("movie", MP4Sink()) { $0.path = output }
    graph.connect(file.port("video", as: AnyMedia.self), to: decoder.input)
    graph.connect(decoder.output, to: faster.port("in", as: AnyMedia.self))
    graph.connect(faster.port("out", as: AnyMedia.self), to: made.port("in", as: AnyMedia.self))
    graph.connect(made.port("out", as: AnyMedia.self), to: movie.port("video", as: AnyMedia.self))
    let environment = LiveEnvironment()
    return try await Pipeline(Plan(graph.build(in: environment)), environment: environment).run()
  }

  @Test func slidesArePlayedFaster() async throws {
    let output = scratch.path("fast.mp4")
    let report = try await encode(
      try await slides(bFrames: 0), with: H264Encoder(), speed: 2, to: output)
    #expect(report.state == .completed, "\(report.failure as Any)")
    #expect(try probe(output, "stream=nb_frames,duration") == ["8.250000,4"])
  }

  @Test func slidesAreEncodedByAllEncoders() async throws {
    let source = try await slides(bFrames: 0)
    let encoders: [any Node] = [AV1Encoder(), HEVCEncoder(), VP9Encoder(), H264Encoder()]
    for encoder in encoders {
      let output = scratch.path("\(type(of: encoder)).mp4")
      let report = try await encode(source, with: encoder, speed: 1, to: output)
      #expect(report.state == .completed, "\(report.failure as Any)")
      #expect(try probe(output, "stream=nb_frames,duration") == ["16.500000,4"], "\(encoder)")
    }
  }

  // MARK: Lengths

  @Test func theLastFrameIsShownAsLongAsItSays() async throws {
    let path = try await slides(bFrames: nil)
    #expect(try probe(path, "stream=duration", "-select_streams", "v") == ["16.500000"])
    let asset = try await MediaAsset(path: path)
    #expect(asset.duration == .seconds(16.5))
    let wanted = zip(Self.times, Self.lengths).map { [$0, $1] }
    let frames = try await samples(.video(asset.tracks[0], .init(.i420)), of: asset)
    #expect(areNear(frames, wanted), "\(frames)")
    let stored = try await samples(.stored(asset.tracks[0]), of: asset)
    #expect(stored.contains { abs($0[0] - 6.5) < 1e-5 && abs($0[1] - 10) < 1e-5 }, "\(stored)")
    let image = try await AssetImageGenerator(asset).image(at: .seconds(14.5))
    #expect(image.requestedTime == .seconds(14.5) && image.actualTime == .seconds(14.5))
  }

  @Test func copiesKeepTheLastFramesLength() async throws {
    let path = try await slides(bFrames: nil)
    let (copy, made) = (scratch.path("copy.mp4"), scratch.path("made.mp4"))
    try await copyStored(path, to: copy)
    #expect(try await MediaAsset(path: copy).duration == .seconds(16.5))
    #expect(try probe(copy, "stream=duration:format=duration") == ["16.500000", "16.500000"])
    let report = try await encode(path, with: H264Encoder(), speed: 1, to: made)
    #expect(report.state == .completed)
    #expect(try probe(made, "stream=duration:format=duration") == ["16.500000", "16.500000"])
  }

  /// A movie whose table says what its samples do in the order of decoding.
  @Test func anEditListLongerThanTheTableCounts() async throws {
    let path = try await slides(bFrames: nil)
    var movie = try Data(contentsOf: URL(fileURLWithPath: path))
    let header = try #require(movie.range(of: Data("mdhd".utf8))).upperBound + 16
    let table = try #require(movie.range(of: Data("stts".utf8))).upperBound + 4
    let last = table + 8 * Int(movie[table + 3])
    for (place, value) in [(header, 7_500_000), (last, 1_500_000)] {
      for byte in 0..<4 { movie[place + byte] = UInt8(value >> (24 - 8 * byte) & 0xff) }
    }
    try movie.write(to: URL(fileURLWithPath: path))
    let asset = try await MediaAsset(path: path)
    #expect(asset.duration == .seconds(16.5))
    let frames = try await samples(.video(asset.tracks[0], .init(.i420)), of: asset)
    #expect(areNear(frames, zip(Self.times, Self.lengths).map { [$0, $1] }), "\(frames)")
    #expect(
      try await AssetImageGenerator(asset).image(at: .seconds(16)).requestedTime == .seconds(16))
  }

  @Test func moviesOfOtherProgramsAreAsLongAsTheySay() async throws {
    let path = try scratch.media(
      "other.mp4",
      "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -vf setpts='(N+if(gt(N\\,30)\\,40)+if(gt(N\\,40)\\,60))"
        + "/25/TB' -fps_mode vfr -pix_fmt yuv420p -c:v libx264 -bf 2 -b_strategy 0 -frames:v 42")
    let end = try #require(try probe(path, "format=duration").first.flatMap { Double($0) })
    let asset = try await MediaAsset(path: path)
    #expect(abs(asset.duration.seconds - end) < 0.002)
    let frames = try await samples(.video(asset.tracks[0], .init(.i420)), of: asset)
    let last = try #require(frames.last)
    #expect(abs(last[0] + last[1] - end) < 0.002, "\(last)")
  }

  // MARK: Beside audio

  /// The encoder holds more seconds of such frames than any plan knows.
  @Test(arguments: [0.3, 0.4, 2])
  func oneTaskAppendsFramesAndAudioInTurn(_ step: Double) async throws {
    let format = VideoFormat(.i420, width: 64, height: 48)
    let sound = AudioFormat(.s16, sampleRate: 48_000, channels: 1)
    let path = scratch.path("turns.mp4")
    let writer = AssetWriter(path: path)
    let frames = try writer.inputReceiver(for: .video(format))
    let blocks = try writer.inputReceiver(for: .audio(sound))
    try writer.start()
    try writer.startSession(at: .zero)
    var number = 0
    for index in 0..<40 {
      var frame = try PaintedFrame.make(4 * index, format)
      frame.presentationTime = .seconds(Double(index) * step)
      try await frames.append(frame)
      while Double(number) * 0.02 < Double(index + 1) * step - 1e-6 {
        let silence = [Int16](repeating: 0, count: 960)
        try await blocks.append(try soundBlock(number, silence, sound))
        number += 1
      }
    }
    try await writer.finishWriting()
    let counts = try probe(path, "stream=codec_type,nb_frames")
    #expect(counts.contains("video,40"), "\(counts)")
    let audio = try probe(path, "stream=duration", "-select_streams", "a")
    #expect(abs((Double(audio[0]) ?? 0) - 40 * step) < 0.1, "\(audio)")
  }

  // MARK: Slides

  @Test func slidesMayBeMinutesLong() async throws {
    let format = VideoFormat(.i420, width: 64, height: 48)
    let path = scratch.path("slides.mp4")
    let (writer, video) = try AssetWriter.started(path, .video(format))
    for number in 0..<12 {
      var frame = try PaintedFrame.make(10 * number, format)
      (frame.presentationTime, frame.duration) = (.seconds(Double(500 * number)), .seconds(500))
      try await video.append(frame)
    }
    try await writer.finishWriting()
    let times = try probe(path, "packet=pts_time", "-select_streams", "v")
      .compactMap { Double($0.filter { $0 != "," }) }.sorted()
    #expect(times == (0..<12).map { Double(500 * $0) })
    let asset = try await MediaAsset(path: path)
    let read = try await samples(.video(asset.tracks[0]), of: asset)
    #expect(areNear(read, (0..<12).map { [Double(500 * $0), 500] }), "\(read)")
  }
}
