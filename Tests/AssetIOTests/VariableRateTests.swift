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

  @Test(.timeLimit(.minutes(2))) func slidesArePlayedFaster() async throws {
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
}
