import GraphKit
import GraphKitSystem
import Testing

@testable import Nodes

/// What is recorded where one track comes much later than the other.
@Suite(.inTurn) struct RecordingGateTests {
  /// When samples were written, in milliseconds, by their track.
  private final class Log: Sendable {
    let times = Monitor<[Int: [Int]]>([:])
  }

  private struct Writer: TrackWriter {
    let log: Log
    func prepare(for format: FormatDescription, track: Int) {}
    func write(_ sample: borrowing SampleBuffer, to track: Int) {
      let time = Int(sample.presentationTime.seconds * 1_000)
      log.times.withLock { $0[track, default: []].append(time) }
    }
    func end(track: Int) {}
    func finish() {}
  }

  private let log = Log()
  private let formats: [FormatDescription]

  init() throws {
    formats = [
      try FormatDescription(capsText: "video/x-vp9"),
      try FormatDescription(capsText: "audio/x-ac3"),
    ]
  }

  private func gate(preRoll: Double = 0) throws -> RecordingGate {
    var settings = RecordingSettings()
    (settings.isRecording, settings.preRoll) = (false, Int64(preRoll * 1e9))
    var (video, audio) = (OutputTrack(), OutputTrack())
    (video.isVideo, video.port, audio.port) = (true, "video", "audio")
    var gate = RecordingGate(Writer(log: log), [video, audio], settings)
    for track in 0..<2 { try gate.prepare(for: formats[track], track: track) }
    return gate
  }

  /// Has a track come between two times: a sample each 100 ms, of video a key frame each 500 ms.
  private func come(_ track: Int, from start: Int, to end: Int, _ gate: inout RecordingGate) throws
  {
    for time in stride(from: start, to: end, by: 100) {
      var sample = SampleBuffer(bytes: [1], format: formats[track])
      sample.presentationTime = MediaTime(value: Int64(time), timescale: 1_000)
      sample.duration = MediaTime(value: 100, timescale: 1_000)
      sample.isSync = track == 1 || time % 500 == 0
      try gate.write(sample, to: track)
    }
  }

  private func set(_ isRecording: Bool, _ gate: inout RecordingGate) throws {
    var movie = MP4Sink()
    (movie.path, movie.recording) = ("a.mp4", isRecording)
    let chains = try movie.elements(
      in: LiveEnvironment(), formats: ["video": FormatConstraint(.encodedVideo)])
    try gate.adopt(try #require(chains.first?.output))
  }

  private var written: [Int: [Int]] { log.times.withLock { $0 } }

  @Test func aRecordingIsOverBeforeItsVideoComes() throws {
    var gate = try gate()
    try come(1, from: 0, to: 2_000, &gate)
    try set(true, &gate)
    try come(1, from: 2_000, to: 4_000, &gate)
    try set(false, &gate)
    try come(1, from: 4_000, to: 5_000, &gate)
    try set(true, &gate)
    try come(1, from: 5_000, to: 6_000, &gate)
    try set(false, &gate)
    try come(1, from: 6_000, to: 8_000, &gate)
    try come(0, from: 0, to: 8_000, &gate)
    for track in 0..<2 { try gate.end(track: track) }
    // From 2 to 4 s, and after that what was from 5 to 6 s.
    #expect(written[0] == Array(stride(from: 0, to: 3_000, by: 100)))
    #expect(written[1] == Array(stride(from: 0, to: 3_000, by: 100)))
  }

  @Test func aSilentMicrophoneHoldsUpNoRecording() throws {
    var gate = try gate()
    try come(1, from: 0, to: 1_000, &gate)
    try come(0, from: 0, to: 2_000, &gate)
    try set(true, &gate)
    try come(0, from: 2_000, to: 4_000, &gate)
    try set(false, &gate)
    try come(0, from: 4_000, to: 14_000, &gate)
    try set(true, &gate)
    try come(0, from: 14_000, to: 15_000, &gate)
    #expect(written[0]?.count == 30)
    #expect(written[1] == nil)
  }
}
