import Foundation
import GraphKit
import GraphKitSystem
import TestTools
import Testing

@testable import Nodes

/// Segments that are handed to a program.
@Suite(.inTurn) struct SegmentOutputTests {
  private final class Collection: Sendable {
    let segments = Monitor<[MediaSegment]>([])
    func add(_ segment: MediaSegment) { segments.withLock { $0.append(segment) } }
    var all: [MediaSegment] { segments.withLock { $0 } }
  }

  /// Runs 5 s of video or audio into an output.
  private func segments(_ encoder: some Node, isVideo: Bool) async throws -> [MediaSegment] {
    let collection = Collection()
    var graph = GraphBuilder(catalog: .builtIn)
    let sink = graph.add(
      "segments",
      SegmentOutput(to: SegmentReceiver(onSegment: collection.add), segmentDuration: 1))
    let encoder = graph.add("encoder", encoder)
    if isVideo {
      let camera = graph.add("camera", TestVideo()) { node in
        (node.width, node.height, node.seconds) = (160, 128, 5)
        node.frameRate = Rational(30_000, over: 1_001) ?? node.frameRate
      }
      graph.connect(camera.output, to: encoder.port("in", as: Video.self))
      graph.connect(encoder.port("out", as: EncodedVideo.self), to: sink.video)
    } else {
      let tone = graph.add("tone", TestAudio()) { $0.seconds = 5 }
      graph.connect(tone.output, to: encoder.port("in", as: Audio.self))
      graph.connect(encoder.port("out", as: EncodedAudio.self), to: sink.audio)
    }
    let report = try await Pipeline(
      Plan(graph.build(in: LiveEnvironment())), environment: LiveEnvironment()
    ).run()
    #expect(report.unbalanced == [] && report.warnings == nil)
    return collection.all
  }

  @Test func oneTrackIsCMAF() async throws {
    var encoder = H264Encoder()
    (encoder.bFrames, encoder.keyFrameInterval) = (2, 1_000)
    for (segments, scale, count) in [
      (try await segments(encoder, isVideo: true), 90_000.0, 150),
      (try await segments(AACEncoder(), isVideo: false), 48_000.0, 236),
    ] {
      #expect(segments.first?.kind == .initialization)
      let media = segments.dropFirst()
      let checker = CMAFChecker(
        segments.first?.bytes ?? [], segments: media.map(\.bytes))
      #expect(checker.faults == [])
      #expect(checker.sampleCount == count)
      #expect(checker.fragments.count == media.count)
      #expect(checker.fragments.dropLast().allSatisfy { abs(Double($0.count) / scale - 1) < 0.04 })
      for (index, (segment, fragment)) in zip(media, checker.fragments).enumerated() {
        #expect(segment.kind == .media(number: index + 1))
        let track = try #require(segment.tracks.first)
        #expect(segment.tracks.count == 1 && track.startsWithSync)
        #expect(abs(track.timeRange.duration.seconds - Double(fragment.count) / scale) < 0.001)
      }
      #expect(media.flatMap(\.tracks).reduce(0) { $0 + $1.sampleCount } == count)
    }
  }

  @Test func aGraphFileHasNoProgram() throws {
    let text = """
      { "nodes": { "camera": { "type": "testVideo", "seconds": 1 },
                   "video": { "type": "h264Encoder" }, "segments": { "type": "segmentOutput" } },
        "wires": ["camera -> video -> segments"] }
      """
    #expect {
      try pipeline(text)
    } throws: { error in
      "\(error)".contains("2:50: error: no program takes its segments; set its `receiver` in Swift")
    }
  }
}
