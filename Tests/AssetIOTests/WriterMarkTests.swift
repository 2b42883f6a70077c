import AssetIO
import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// The marks of writers, at the newest moment that was appended.
@Suite(.inTurn) struct WriterMarkTests {
  private let scratch: Scratch
  private let picture = VideoFormat(.i420, width: 64, height: 48, frameRate: Rational(25))

  init() throws { scratch = try Scratch() }

  /// When chapters begin, in milliseconds, as ffprobe reads them.
  private func chapters(_ path: String) throws -> [Int] {
    try probe(path, "chapter=start_time", "-show_chapters").compactMap { line in
      line.split(separator: ",").first.flatMap { Double($0) }.map { Int(($0 * 1_000).rounded()) }
    }
  }

  @Test func marksAreWhereTheProgramIs() async throws {
    let path = scratch.path("a.mp4")
    let (writer, frames) = try AssetWriter.started(
      path, .video(picture), at: MediaTime(value: 2, timescale: 25))
    for number in 0..<50 { try await frames.append(PaintedFrame.make(number, picture)) }
    // Frame 49 is at 47/25 s of the movie, and the encoder has handed on less.
    #expect(try writer.mark("One") == MediaTime(value: 47, timescale: 25))
    for number in 50..<60 { try await frames.append(PaintedFrame.make(number, picture)) }
    #expect(try writer.mark("Two") == MediaTime(value: 57, timescale: 25))
    try await writer.finishWriting()
    #expect(try chapters(path) == [1_880, 2_280])
  }

  /// The movie begins before its session there, in the time of its samples.
  @Test func marksOfStoredAudioCountFromTheMoviesBeginning() async throws {
    let source = try scratch.media("a.m4a", "-f lavfi -i sine=r=48000:d=4 -c:a aac")
    let asset = try await MediaAsset(path: source)
    let reader = try AssetReader(asset)
    let packets = try reader.outputProvider(for: .stored(asset.tracks[0]))
    try reader.start()
    let path = scratch.path("copy.m4a")
    let writer = AssetWriter(path: path)
    let first = try #require(try await packets.next())
    let receiver = try writer.inputReceiver(for: .stored(first.format))
    try writer.start()
    try writer.startSession(at: .zero)
    var (next, last) = (ReadySampleBuffer?.some(first), MediaTime.zero)
    while let packet = next, packet.presentationTime < MediaTime(value: 3, timescale: 1) {
      try await receiver.append(packet)
      last = packet.presentationTime
      next = try await packets.next()
    }
    let time = try #require(try writer.mark("One"))
    #expect(abs(time.seconds - last.seconds) < 0.000_01, "\(time.seconds), \(last.seconds)")
    try await writer.finishWriting()
    #expect(try chapters(path).map { abs(Double($0) / 1_000 - last.seconds) < 0.002 } == [true])
  }

  @Test(arguments: [0, 1.0]) func marksOfRecordersAreAtTheNewestPicture(preRoll: Double)
    async throws
  {
    let path = scratch.path("a.mp4")
    var encoder = H264Encoder()
    encoder.keyFrameInterval = 25
    let recorder = try MovieRecorder(path: path, preRoll: preRoll)
    let frames = try recorder.input(for: .video(picture, encoder))
    try recorder.prepare()
    func feed(_ numbers: Range<Int>) async throws {
      for number in numbers {
        while !frames.isReadyForMoreMediaData { await Task.yield() }
        var frame = try PaintedFrame.make(number % 200, picture)
        frame.presentationTime = MediaTime(value: Int64(number), timescale: 25)
        try frames.append(frame)
      }
    }
    try await feed(1_000..<1_100)
    try recorder.record()
    try await feed(1_100..<1_200)
    let time = try #require(try recorder.mark("One"))
    try await feed(1_200..<1_250)
    try await recorder.finish()
    let found = try PaintedFrame.numbers(of: path)
    let place = try #require(found.firstIndex(of: 1_199 % 200))
    #expect(abs(time.seconds - Double(place) / 25) < 0.000_01, "\(time.seconds)")
    #expect(try chapters(path).map { abs($0 - place * 40) <= 1 } == [true])
  }
}
